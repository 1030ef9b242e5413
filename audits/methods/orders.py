"""A printed order beside an explicit bound that it is said to follow from, or to match: exact limits of their quotient, in every quantity.

What is audited. Of two statements on the same number, one explicit and one with its constants suppressed, the quotient explicit/order is
taken to both ends of the range of every quantity that either names, one quantity at a time, the others at held values inside the
hypotheses. An upper order is refuted by a quotient that goes to infinity (no constant serves), and by nothing else; a lower order by one
that goes to 0. Limits are exact (theory/limits.py) and are looked at once more in ball arithmetic, at 10^4 to 10^4096. An end that the
hypotheses or a closed domain cut off at a finite value is bounded there, if the order is not 0.

What a refutation says. That the order does not follow from the explicit bound, with whatever constant; not that the order is false, unless
the explicit statement has the opposite sense (a proved lower bound against an upper order, and the reverse). The label says which.

What is left out, never in silence. `fixed` are quantities that the paper takes for constants, `readings` are ends of which the order does
not speak, `tied` are quantities that others determine; each with its reason. All but the tied ones are computed and shown all the same, and
a reason that excuses nothing is an error: an excuse is for a limit that would refute.

Several quantities at once: an order can hold in each quantity and fail along a path on which two of them move. `paths` name such.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from banditproof.audits.running.audit import Audit, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields
from banditproof.theory.language import Sense
from banditproof.theory.orders import SHOWN, Pair, Path, Quotient, Row, held_values, where


@dataclass(frozen=True)
class OrderWitness:
    """The end at which no constant serves: the limit there, and the quotient (log10) at x = 10^exponent on the way."""

    quantity: str
    end: str
    row: str
    limit: str
    points: tuple[Any, ...]  # [exponent of ten, log10 of the quotient]
    kind: ClassVar[str] = "order"

    def rows(self) -> list[tuple[str, Any]]:
        points = f"[log10 of {self.quantity}, log10 of the quotient]: {json.dumps(self.points)}"
        return [("quantity", self.quantity), ("end", self.end), ("limit", self.limit), ("points", points)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "OrderWitness":
        points = {"points": tuple(tuple(point) for point in record["points"])} if "points" in record else {}
        return from_fields(cls, {**record, **points})


@dataclass(frozen=True)
class OrderLimits:
    """The quotient of a pair at the rows named `only`, or at all but those that the pair knows to refute."""

    pair: Pair
    only: tuple[str, ...] = ()
    statistical: bool = False
    prefix: ClassVar[str] = "growth"

    def measure(self, request: Request) -> Measurement:
        return self._judged(self._rows())

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """The row of the witness alone, at its points and by its limit; all rows where there is no witness."""
        if not isinstance(before.witness, OrderWitness):
            return self._judged(self._rows())
        return self._judged((self._row(before.witness.row, tuple(int(point[0]) for point in before.witness.points)),))

    def _rows(self) -> tuple[Row, ...]:
        unknown = {*self.pair.fails, *self.only} - set(self.pair.rows())
        if unknown:
            raise ValueError(f"{self.pair.order.id}: no end or path is named {', '.join(sorted(unknown))}")
        names = self.only or tuple(name for name in self.pair.rows() if name not in self.pair.fails)
        return tuple(self._row(name, SHOWN) for name in names)

    def _row(self, name: str, shown: tuple[int, ...]) -> Row:
        path = self.pair.rows()[name]
        row, excuse = Quotient(self.pair, path).row(shown), self.pair.excuse(path)
        if excuse and not (self._breaks(row) or row.outcome == "undecided") and self._single(path):
            raise ValueError(f"{self.pair.order.id}: {name}: the limit is {row.outcome}, so {excuse!r} excuses nothing")
        return replace(row, excuse=excuse)

    def _single(self, path: Path) -> bool:
        """Whether the excuse is for this end alone: one for both ends may be needed at one of them."""
        return any(item.end is path.end for item in self.pair.fixed if item.quantity is path.moving)

    def _breaks(self, row: Row) -> bool:
        match self.pair.order.stated().sense:
            case Sense.AT_MOST:
                return row.outcome == "infinite"
            case Sense.AT_LEAST:
                return row.outcome == "0"
        return row.outcome in ("0", "infinite")

    def _judged(self, rows: tuple[Row, ...]) -> Measurement:
        counted = [row for row in rows if not row.excuse]
        broken, open_ = [row for row in counted if self._breaks(row)], [row for row in counted if row.outcome == "undecided"]
        order, explicit = self.pair.order, self.pair.explicit
        against = f"{explicit.id.partition('.')[2]} divided by the order"
        witness = None
        if broken:
            shown, path = broken[0], self.pair.rows()[broken[0].name]
            verdict = Verdict.REFUTED
            follows = "the order does not follow from it" if self.pair.same_sense else "the two contradict each other"
            limit = "infinity" if shown.outcome == "infinite" else "0"
            message = f"{against} goes to {limit}, like {shown.limit or 'a number over 0'}, {where(path)}: {follows}"
            witness = OrderWitness(path.moving.name, path.end.value, shown.name, shown.limit, shown.points)
        elif open_ or not counted:
            verdict = Verdict.INCONCLUSIVE
            message = f"{against}: undecided at {', '.join(row.name for row in open_)}: {open_[0].argument}" if open_ else "no end counts"
        else:
            verdict = Verdict.CERTIFIED if self.pair.same_sense else Verdict.RATE_ONLY
            bounded = {Sense.AT_MOST: "bounded", Sense.AT_LEAST: "away from 0"}.get(order.stated().sense, "bounded and away from 0")
            message = f"{against} is {bounded} towards {len(counted)} ends, by exact limits, one quantity at a time"
        excused = tuple(f"{row.name} ({row.outcome}) is not of the order: {row.excuse}" for row in rows if row.excuse)
        return Measurement(
            verdict,
            quantity="quotient",
            samples=len(counted),
            assumed=(
                "one quantity at a time, the others at held values: nothing is said of constants that serve for all of them at once",
                "towards the ends: between them both sides are continuous and the order is above 0, which is not looked at",
                *excused,
                *(f"{item.quantity.name} is not free: {item.reason}" for item in self.pair.tied),
            ),
            witness=witness,
            detail={
                "explicit": explicit.id,
                "held": {quantity.name: str(value) for quantity, value in held_values(self.pair).items()},
                "ends": {row.name: row.to_json() for row in rows},
            },
            message=message,
        )


def audits_of(*pairs: Pair) -> tuple[Audit, ...]:
    """For each pair one audit of all ends that are to hold, and one, expected to refute, of each that is known not to."""
    return tuple(audit for pair in pairs for audit in _audits_of(pair))


def _audits_of(pair: Pair) -> Iterator[Audit]:
    other = pair.explicit.id.partition(".")[2]
    asked = "does the order follow from" if pair.same_sense else "does the order contradict"
    suffix = f"_{pair.name}" if pair.name else ""
    yield Audit(pair.order.id, f"growth.limits{suffix}", f"{asked} {other}, in each quantity towards both ends", OrderLimits(pair))
    for name in pair.fails:
        label = f"{asked} {other}, {where(pair.rows()[name])}"
        yield Audit(pair.order.id, f"growth.{name}{suffix}", label, OrderLimits(pair, (name,)), expected=Verdict.REFUTED)
