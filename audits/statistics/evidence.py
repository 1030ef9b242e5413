"""What an audit found: the record that feeds every output, and the exact bounds behind its numbers.

A verdict is never "verified". `must_detect` is required of every statistical audit: a result that is not refuted says what the sample
would have caught (`detectable`, missed with probability `missed_with`), and without that it is inconclusive.
"""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from banditproof.interaction import Floats

SCHEMA = "banditproof/result/2"


class Verdict(Enum):
    CERTIFIED = "certified"
    REFUTED = "refuted"
    NOT_REFUTED = "not refuted"
    INCONCLUSIVE = "inconclusive"
    VACUOUS = "vacuous"
    RATE_ONLY = "rate only"
    NOT_CHECKABLE = "not checkable"
    ERROR = "error"


@dataclass(frozen=True)
class AuditResult:
    """One audit's finding. Numbers are in the unit of `quantity`; for bounds that a claim sets from above, refuted means low > claimed."""

    audit: str  # id of the audit: "<stem>.<theorem>/<method>.<name>"
    theorem: str
    label: str  # what was audited, for readers
    verdict: Verdict
    quantity: str = ""  # what claimed, estimate, low, high, exact, must_detect and detectable measure: "epsilon", "mu", "failure", ...
    claimed: float | None = None
    estimate: float | None = None
    low: float | None = None  # one-sided confidence bound at `false_alarm`
    high: float | None = None
    exact: float | None = None  # closed form or accountant, where one is known
    false_alarm: float | None = None
    must_detect: float | None = None
    detectable: float | None = None
    missed_with: float | None = None
    samples: int = 0
    seed: int | None = None
    versions: dict[str, str] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    witness: dict[str, Any] | None = None
    expected: Verdict | None = None  # REFUTED for a recorded erratum or a control
    detail: dict[str, Any] = field(default_factory=dict)  # method's own numbers: other intervals, posterior, curves
    message: str = ""  # one sentence: why this verdict, and what would settle an inconclusive one

    def as_expected(self) -> bool:
        """Refuted if and only if that was expected."""
        return (self.verdict is Verdict.REFUTED) == (self.expected is Verdict.REFUTED)

    def to_json(self) -> dict[str, Any]:
        """The published record: plain JSON, non-finite numbers as strings, no times and no machine facts."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {"schema": SCHEMA, **{name: plain_json(value) for name, value in values.items()}}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "AuditResult":
        """The inverse of `to_json`. Raises ValueError, naming the schema or field, on a record of another kind."""
        if record.get("schema") != SCHEMA:
            raise ValueError(f"schema = {record.get('schema')!r}: must be {SCHEMA!r}")
        unknown = sorted(set(record) - set(cls.__dataclass_fields__) - {"schema"})
        if unknown:
            raise ValueError(f"field {unknown[0]!r}: not a field of {SCHEMA}")
        missing = [name for name in ("audit", "theorem", "label", "verdict") if name not in record]
        if missing:
            raise ValueError(f"field {missing[0]!r}: is missing")
        values = {name: _from_plain(value) if name in _NUMBERS else value for name, value in record.items() if name != "schema"}
        values["verdict"] = _verdict(values["verdict"])
        values["expected"] = None if values.get("expected") is None else _verdict(values["expected"])
        values["assumed"] = tuple(values.get("assumed", ()))
        return cls(**values)


_NUMBERS = ("claimed", "estimate", "low", "high", "exact", "false_alarm", "must_detect", "detectable", "missed_with")
_NON_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def plain_json(value: Any) -> Any:
    """A value as strict JSON holds it: enums by value, arrays as lists, non-finite floats as the strings inf, -inf, nan."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(part) for part in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        number = float(value)
        return value if math.isfinite(number) else _spelt(number)
    if callable(getattr(value, "tolist", None)):  # a numpy array or scalar, told without importing numpy
        return plain_json(value.tolist())
    raise TypeError(f"{value!r}: a {type(value).__name__} has no plain JSON form")


def _spelt(number: float) -> str:
    return "nan" if number != number else ("inf" if number > 0 else "-inf")


def _verdict(value: Any) -> Verdict:
    known = {verdict.value: verdict for verdict in Verdict}
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"verdict = {value!r}: must be one of {', '.join(known)}")
    return known[value]


def _from_plain(value: Any) -> Any:
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value


def binomial_tail(successes: int, trials: int, probability: float) -> float:
    """P(Bin(trials, probability) >= successes), exact."""
    from scipy.special import betainc

    if successes <= 0:
        return 1.0
    return 0.0 if successes > trials else float(betainc(successes, trials - successes + 1, probability))


def lower_probability(successes: int, trials: int, false_alarm: float) -> float:
    """One-sided Clopper-Pearson lower bound on a success probability: too high with probability at most `false_alarm`."""
    from scipy.special import betaincinv

    return 0.0 if successes <= 0 else float(betaincinv(successes, trials - successes + 1, false_alarm))


def upper_probability(successes: int, trials: int, false_alarm: float) -> float:
    """One-sided Clopper-Pearson upper bound on a success probability: too low with probability at most `false_alarm`."""
    from scipy.special import betaincinv

    return 1.0 if successes >= trials else float(betaincinv(successes + 1, trials - successes, 1.0 - false_alarm))


def binomial_quantile(trials: int, probability: float, exceeded_with: float) -> int:
    """The smallest count that Bin(trials, probability) exceeds with probability at most `exceeded_with`."""
    from scipy.stats import binom

    count = int(binom.isf(exceeded_with, trials, probability))
    while binomial_tail(count + 1, trials, probability) > exceeded_with:  # SciPy's inverse, checked against the tail itself
        count += 1
    while count > 0 and binomial_tail(count, trials, probability) <= exceeded_with:
        count -= 1
    return count


def anytime_lower_probability(successes: int, trials: int, false_alarm: float) -> float:
    """A lower bound that holds at all sample sizes at once: looks are free.

    The beta-binomial mixture with the Jeffreys prior is a nonnegative martingale of mean 1 under the true probability (Ville 1939); the
    bound is where it reaches 1 / false_alarm.
    """
    from scipy.optimize import brentq
    from scipy.special import betaln

    if successes <= 0:
        return 0.0
    failures = trials - successes
    mixture = float(betaln(successes + 0.5, failures + 0.5) - betaln(0.5, 0.5)) + math.log(false_alarm)

    def excess(log_p: float) -> float:  # decreasing up to the observed share; failures / (1 - p) is finite there
        return mixture - successes * log_p - (failures * math.log1p(-math.exp(log_p)) if failures else 0.0)

    top, depth = math.log(successes / trials), 1.0
    while excess(top - depth) <= 0.0:
        depth *= 2.0
    return math.exp(float(brentq(excess, top - depth, top, xtol=1e-12)) - 1e-12)


BETS = tuple(2.0**-step for step in range(11))  # shares of the wealth that are bet, each with an equal part of it


def mean_evidence(values: "Floats", bound: float) -> float:
    """Logarithm of an e-value against "the mean is at most `bound`" (> 0) from independent values >= 0, shape (n,).

    A gambler who bets a share c gets 1 - c + c x / bound for x: at most 1 on average if the claim holds, never below 0. So the wealth
    exceeds 1 / a with probability at most a, at all n at once (Ville 1939), and no upper limit of the values is needed (Waudby-Smith
    and Ramdas 2024, "Estimating means of bounded random variables by betting", section 4). The mean over BETS is such a wealth too.
    """
    import numpy as np
    from scipy.special import logsumexp

    gains = np.asarray(values, dtype=float) / bound - 1.0
    with np.errstate(divide="ignore"):  # all is lost at c = 1 and x = 0
        wealth = [float(np.sum(np.log1p(bet * gains))) for bet in BETS]
    return float(logsumexp(wealth)) - math.log(len(BETS))


def lower_mean(values: "Floats", false_alarm: float) -> float:
    """A lower bound on the mean of independent values >= 0: too high with probability at most `false_alarm`.

    Raises ValueError on a value that is negative, NaN or infinite: the proof of `mean_evidence` begins at 0.
    """
    import numpy as np
    from scipy.optimize import brentq

    draws = np.asarray(values, dtype=float).ravel()
    outside = draws[~((draws >= 0.0) & np.isfinite(draws))]
    if outside.size:
        raise ValueError(f"value = {outside[0]}: must be >= 0 and finite (the bound's proof bets against values from 0 up)")
    top = float(draws.max(initial=0.0))
    if top == 0.0:
        return 0.0
    needed = math.log(1.0 / false_alarm)

    def excess(exponent: float) -> float:
        return mean_evidence(draws, top * math.exp(-exponent)) - needed

    depth = 1.0
    while excess(depth) < 0.0:  # the wealth grows without limit as the bound falls
        depth *= 2.0
        if depth > 512.0:
            return 0.0
    return top * math.exp(-float(brentq(excess, 0.0, depth, xtol=1e-12)))


def upper_mean(values: "Floats", highest: float, false_alarm: float) -> float:
    """An upper bound on the mean of independent values in [0, highest]: too low with probability at most `false_alarm`."""
    import numpy as np

    return highest - lower_mean(highest - np.asarray(values, dtype=float), false_alarm)
