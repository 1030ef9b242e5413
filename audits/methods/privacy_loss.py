"""The privacy loss on two neighbours: which of them gave this output?

Three disjoint draws: one fits scores, one selects an event (a score and two thresholds), one counts it. Every counted trial draws a fair
label first and then an output of that neighbour. Whatever the output, an epsilon-DP release lets a guess of the label be right with
probability at most e^epsilon / (1 + e^epsilon), so the right guesses among the guesses are below a binomial: one exact test uses both
directions (research/auditing.md, section 6). With delta, a binomial quantile of leaks is taken off first. A mu-GDP release is guessed on
every output, right with probability at most Phi(mu / 2). The Clopper-Pearson pair of the textbooks stands beside it.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np

from banditproof.audits.privacy.events import Coordinate, Event, Score, candidates, thresholds
from banditproof.audits.running.audit import Request
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import binomial_tail, lower_probability, upper_probability
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, Relation, View
from banditproof.interaction import Floats, Ints, Words
from banditproof.mechanism import MARK, Mechanism
from banditproof.randomness import RELEASE, generator, key_of

Sampler = Callable[[int, np.random.Generator], Any]  # (runs, rng) -> (runs,) or (runs, width)

CELL = 65_536  # outputs that share one generator: part of what addresses a draw
SELECT_AT = 1e-3  # events are selected by their bound at this share of the false-alarm rate: a hedge against the winner's curse
MUST_DETECT = 1.25  # times the claimed loss, where a case says nothing else
TRAIN, SELECT, CONFIRM = "train", "select", "confirm"


class Source(Protocol):
    """Outputs of the two neighbours, 0 and 1, in cells (n, w)."""

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]: ...


def cells(key: Words, runs: int, cell: int = CELL) -> Iterator[tuple[int, np.random.Generator]]:
    """Runs in cells of one size, the last one shorter: how many, and their generator. A draw's address holds the size."""
    for number, start in enumerate(range(0, runs, cell)):
        yield min(cell, runs - start), generator(key, RELEASE, number)


@dataclass(frozen=True)
class Sampled:
    """Fresh draws; a cell's generator is addressed by seed, path, role, side and the cell's number."""

    samplers: tuple[Sampler, Sampler]
    seed: int
    path: tuple[str, ...]

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        for count, rng in cells(key_of(self.seed, *self.path, role, side), runs):
            yield as_outputs(self.samplers[side](count, rng), count)


@dataclass(frozen=True)
class Stored:
    """Outputs that were stored elsewhere, in an order shuffled by the seed; roles get disjoint parts, as large as `design.splits` says."""

    outputs: tuple[Floats, Floats]
    seed: int

    @cached_property
    def orders(self) -> tuple[Ints, Ints]:
        first, second = (
            np.argsort(generator(key_of(self.seed, "stored", side)).random(len(outputs)), kind="stable")
            for side, outputs in enumerate(self.outputs)
        )
        return first, second

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        parts = design.splits(2 * min(len(part) for part in self.outputs))
        begin = {TRAIN: 0, SELECT: parts.train // 2, CONFIRM: parts.train // 2 + parts.select // 2}[role]
        order = self.orders[side][begin : begin + runs]
        for start in range(0, len(order), CELL):
            yield self.outputs[side][order[start : start + CELL]]


@dataclass(frozen=True)
class Counts:
    """What an event did in the confirming draws."""

    trials: int
    right: int
    wrong: int
    second_high: int  # outputs of the second neighbour above the high threshold, and so on
    first_high: int
    second_low: int
    first_low: int
    second: int  # trials whose label was the second neighbour
    missing: tuple[int, int] = (0, 0)  # trials of the first and of the second that a source had no output for; they count as wrong


def as_outputs(values: Any, runs: int) -> Floats:
    """Outputs as (runs, width). Raises ValueError, naming what was got and what is wanted, on anything but numbers of such a shape."""
    wanted = f"must be numbers of shape ({runs},) or ({runs}, width)"
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "fiubO":
            raise TypeError(f"numpy calls them {found.dtype}")
        # Objects are whole numbers beyond 64 bits, fractions and the like; NumPy would make None a NaN, and read text as a number.
        strange = (
            [value for value in found.ravel().tolist() if value is None or isinstance(value, (str, bytes))] if found.dtype == object else []
        )
        if strange:
            raise TypeError(f"{strange[0]!r} is no number")
        with np.errstate(over="ignore"):
            array = found.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"outputs of type {type(values).__name__}: {wanted} ({error})") from error
    if array.ndim not in (1, 2) or array.shape[0] != runs or array.size == 0:
        raise ValueError(f"outputs of shape {array.shape}: {wanted}")
    return array.reshape(runs, -1)


def to_width(outputs: Floats, width: int) -> Floats:
    """Outputs cut or padded to a width: a post-processing, so no event gains by it."""
    if outputs.shape[1] >= width:
        return outputs[:, :width]
    return np.pad(outputs, ((0, 0), (0, width - outputs.shape[1])), constant_values=MARK)


def _gather(source: Source, role: str, runs: int) -> tuple[Floats, Floats]:
    sides = []
    for side in (0, 1):
        found = list(source.draws(role, side, runs // 2))
        widest = max(cell.shape[1] for cell in found)
        sides.append(np.concatenate([to_width(cell, widest) for cell in found]))
    width = max(outputs.shape[1] for outputs in sides)
    return to_width(sides[0], width), to_width(sides[1], width)


def select_event(
    claim: Guarantee, source: Source, parts: design.Splits, false_alarm: float, float_bits: bool = False
) -> tuple[Event, float, int]:
    """The event with the best lower bound on the selecting draws, the share of outputs that it guesses there, and the width it reads."""
    train_first, train_second = _gather(source, TRAIN, parts.train)
    width = train_first.shape[1]
    first, second = (to_width(side, width) for side in _gather(source, SELECT, parts.select))
    best: tuple[float, Event, float] | None = None
    for score in candidates(train_first, train_second, float_bits=float_bits):
        cuts = thresholds(score, train_first, train_second)
        rate, event, mass = _best_cut(claim, score, cuts, first, second, false_alarm)
        if best is None or rate > best[0] + 1e-12:
            best = (rate, event, mass)
    if best is None:
        raise ValueError("outputs: no score could be fitted to them")
    return best[1], best[2], width


def select_cut(claim: Guarantee, source: Source, parts: design.Splits, false_alarm: float) -> tuple[Event, float, int]:
    """The same for outputs (n, 1) that are an exact log likelihood ratio: thresholds alone are selected, among quantiles and multiples of
    the claimed loss up to 3/2; for a claim of mu it is 0, the best there is."""
    first, second = (to_width(side, 1) for side in _gather(source, SELECT, parts.select))
    score = Coordinate(0)
    multiples = design.claimed_loss(claim) * np.linspace(-1.5, 1.5, 121)
    cuts = np.zeros(1) if isinstance(claim, GaussianDP) else np.unique(np.append(thresholds(score, first, second), multiples))
    _, event, mass = _best_cut(claim, score, cuts, first, second, false_alarm)
    return event, mass, 1


def _best_cut(
    claim: Guarantee, score: Score, cuts: Floats, first: Floats, second: Floats, false_alarm: float
) -> tuple[float, Event, float]:
    """The best event of one score: its hedged lower bound on the rate of right guesses, the event, the share that it guesses."""
    from scipy.special import betaincinv

    a, b = score.values(first), score.values(second)
    trials = len(a) + len(b)
    hedge = SELECT_AT * false_alarm
    a, b = np.sort(a[~np.isnan(a)]), np.sort(b[~np.isnan(b)])
    a_high, b_high = len(a) - np.searchsorted(a, cuts, side="left"), len(b) - np.searchsorted(b, cuts, side="left")
    if isinstance(claim, GaussianDP):
        right = b_high + (len(first) - a_high)
        rates = _lower(right, trials, hedge, betaincinv)
        at = int(np.argmax(rates))
        return float(rates[at]), Event(score, None, float(cuts[at])), 1.0
    a_low, b_low = np.searchsorted(a, cuts, side="right"), np.searchsorted(b, cuts, side="right")
    never = np.zeros(1, dtype=np.int64)
    high_right, high_wrong = np.concatenate([never, b_high]), np.concatenate([never, a_high])
    low_right, low_wrong = np.concatenate([never, a_low]), np.concatenate([never, b_low])
    right, wrong = low_right[:, None] + high_right[None, :], low_wrong[:, None] + high_wrong[None, :]
    place = np.arange(len(cuts) + 1)
    both = (place[:, None] > 0) & (place[None, :] > 0)
    allowed = ~both | (place[:, None] < place[None, :])
    lost = np.where(both, design.leaks(claim, trials, false_alarm, True).most, design.leaks(claim, trials, false_alarm, False).most)
    kept = np.maximum(right - lost, 0)
    rates = np.where(allowed, _lower(kept, kept + wrong, hedge, betaincinv), 0.0)
    low, high = np.unravel_index(int(np.argmax(rates)), rates.shape)
    event = Event(score, float(cuts[low - 1]) if low else None, float(cuts[high - 1]) if high else None)
    if event.low is None and event.high is None:
        high = np.intp(len(cuts) // 2 + 1)
        event = Event(score, None, float(cuts[high - 1]))
    return float(rates[low, high]), event, float(right[low, high] + wrong[low, high]) / trials


def _lower(right: Any, trials: Any, false_alarm: float, betaincinv: Any) -> Floats:
    safe = np.maximum(right, 1)
    return np.where(right > 0, betaincinv(safe, np.maximum(trials - right, 0) + 1, false_alarm), 0.0)


def count(event: Event, claim: Guarantee, source: Source, trials: int, width: int, labels: np.random.Generator) -> Counts:
    """Counts an event on fresh random-label trials, cell by cell. A source that runs short pays with wrong guesses."""
    second = int(labels.binomial(trials, 0.5))
    table = np.zeros((2, 2), dtype=np.int64)  # side, guess
    missing = [0, 0]
    for side, runs in ((0, trials - second), (1, second)):
        got = 0
        for cell in source.draws(CONFIRM, side, runs):
            outputs = to_width(cell, width)
            guesses = event.decisions(outputs) if isinstance(claim, GaussianDP) else event.guesses(outputs)
            table[side] += np.bincount(guesses[guesses >= 0], minlength=2)
            got += len(outputs)
        missing[side] = runs - got
    return Counts(
        trials=trials,
        right=int(table[0, 0] + table[1, 1]),
        wrong=int(table[0, 1] + table[1, 0]) + sum(missing),
        second_high=int(table[1, 1]),
        first_high=int(table[0, 1]),
        second_low=int(table[1, 0]),
        first_low=int(table[0, 0]),
        second=second,
        missing=(missing[0], missing[1]),
    )


def judge(
    claim: Guarantee,
    counts: Counts,
    *,
    event: Event,
    width: int,
    false_alarm: float,
    mass: float,
    must_detect: float | None,
    exact: float | None = None,
    samples: int,
) -> AuditResult:
    """The verdict on a claim from the counts of one event that was fixed before them."""
    claimed = design.claimed_loss(claim)
    must = MUST_DETECT * claimed if must_detect is None else must_detect
    both = event.low is not None and event.high is not None
    given = design.leaks(claim, counts.trials, false_alarm, both)
    guesses, rate = counts.right + counts.wrong, design.counting_rate(claim, false_alarm)
    kept, left = max(counts.right - given.most, 0), max(guesses - given.most, 0)
    p_value = binomial_tail(kept, left, design.right_rate(claim)) if left else 1.0
    low = design.loss_of_rate(claim, lower_probability(kept, left, rate)) if left else 0.0
    # The upper bound takes off as few leaks as there may be but for its own share of the false-alarm rate.
    fewest = min(design.leaks(claim, counts.trials, false_alarm, both, missed_with=false_alarm).fewest, counts.right)
    high = design.loss_of_rate(claim, upper_probability(counts.right - fewest, guesses - fewest, rate)) if guesses > fewest else math.inf
    estimate = max(counts.right - given.mean, 0.0) / (guesses - given.mean) if guesses > given.mean else 0.0
    detectable = design.detectable_loss(
        claim,
        guesses=guesses,
        trials=counts.trials,
        false_alarm=false_alarm,
        missed_with=design.MISSED_WITH,
        both_ways=both,
    )
    symbol = "mu" if isinstance(claim, GaussianDP) else "epsilon"
    if p_value <= rate:
        verdict = Verdict.REFUTED
        leaked = f", {given.most} of them leaks that delta allows" if given.most else ""
        message = (
            f"{counts.right} of {guesses} guesses right{leaked}; the claim allows {design.right_rate(claim):.2%}: {symbol} >= {low:.4g}"
        )
    elif detectable <= must:
        verdict = Verdict.NOT_REFUTED
        message = f"a true {symbol} of {detectable:.4g} on this event would have been refuted but for {design.MISSED_WITH:.0%}"
    else:
        verdict = Verdict.INCONCLUSIVE
        message = f"would have missed {symbol} = {must:.4g}: {_needed(claim, must, mass, false_alarm, both)}"
    witness = {
        "kind": "privacy",
        "claim": claim_json(claim),
        "event": event.to_json(),
        "rule": event.describe(),
        "width": width,
        "trials": counts.trials,
        "right": counts.right,
        "wrong": counts.wrong,
        "leaks": given.most,
        "leaks_expected": given.mean,
    }
    detail: dict[str, Any] = {"p_value": p_value, "guessed_share": mass, "clopper_pearson": _pair(claim, counts, event, false_alarm)}
    if not isinstance(claim, GaussianDP):
        detail["posterior"] = posterior(claim, counts, given.mean)
    if exact:
        detail["share_of_exact"] = low / exact
    return AuditResult(
        "",
        "",
        "",
        verdict,
        quantity=symbol,
        claimed=claimed,
        estimate=design.loss_of_rate(claim, estimate),
        low=low,
        high=high,
        exact=exact,
        false_alarm=false_alarm,
        must_detect=must,
        detectable=detectable,
        missed_with=design.MISSED_WITH,
        samples=samples,
        assumed=(
            "the outputs of each neighbour are independent draws of one law",
            f"no loss hides in events rarer than about {3 / max(counts.trials, 1):.1g} of the outputs",
        ),
        witness=witness,
        detail=detail,
        message=message,
    )


def compare(
    first: Sampler,
    second: Sampler,
    *,
    claim: Guarantee,
    samples: int = 200_000,
    false_alarm: float = 0.05,
    seed: int,
    path: tuple[str, ...] = (),
    must_detect: float | None = None,
    exact: float | None = None,
    posterior: bool = False,
    float_bits: bool = False,
    ratio: bool = False,
) -> AuditResult:
    """Audits a claim on two samplers `(runs, rng) -> (runs,) or (runs, width)`: all draws together number `samples`.

    `low` is a one-sided confidence bound on epsilon (or mu) at level 1 - false_alarm; `high` bounds this event's loss, not the
    mechanism's. `float_bits` also attacks the last bits of the outputs. `ratio`: the outputs are an exact log likelihood ratio, that of
    the second neighbour over the first, so that no score is fitted and more draws count. Draws. Raises ValueError on outputs of a wrong
    shape; an exception of a sampler passes through.
    """
    _check(claim, false_alarm)
    source = Sampled((first, second), seed, path)
    parts = design.splits(samples, fitted=not ratio)
    chosen = select_cut(claim, source, parts, false_alarm) if ratio else select_event(claim, source, parts, false_alarm, float_bits)
    result = _audit(claim, source, parts, chosen, false_alarm, must_detect, exact, seed, path)
    return with_model(result, seed, path) if posterior else result


def compare_stored(
    first: Floats, second: Floats, *, claim: Guarantee, false_alarm: float = 0.05, seed: int, must_detect: float | None = None
) -> AuditResult:
    """Audits a claim on outputs that were stored elsewhere, (n,) or (n, width) for each neighbour; independent draws are assumed."""
    _check(claim, false_alarm)
    pair = as_outputs(first, len(first)), as_outputs(second, len(second))
    if pair[0].shape[1] != pair[1].shape[1]:
        raise ValueError(f"outputs of widths {pair[0].shape[1]} and {pair[1].shape[1]}: must be equal")
    fewest = min(len(pair[0]), len(pair[1]))
    parts = design.splits(2 * fewest)
    left = fewest - parts.train // 2 - parts.select // 2
    # Labels are fair coins, so one side may be asked for more than half: six standard deviations are kept back.
    trials = max(2 * left - int(6 * math.sqrt(2 * left)), left)
    source, parts = Stored(pair, seed), design.Splits(parts.train, parts.select, trials)
    chosen = select_event(claim, source, parts, false_alarm)
    return _audit(claim, source, parts, chosen, false_alarm, must_detect, None, seed, ("stored",))


def _audit(
    claim: Guarantee,
    source: Source,
    parts: design.Splits,
    chosen: tuple[Event, float, int],
    false_alarm: float,
    must_detect: float | None,
    exact: float | None,
    seed: int,
    path: tuple[str, ...],
) -> AuditResult:
    event, mass, width = chosen
    counts = count(event, claim, source, parts.confirm, width, generator(key_of(seed, *path, "labels")))
    total = parts.train + parts.select + parts.confirm
    return judge(
        claim, counts, event=event, width=width, false_alarm=false_alarm, mass=mass, must_detect=must_detect, exact=exact, samples=total
    )


@dataclass(frozen=True)
class PrivacyLoss:
    """Audits a mechanism's own claim (or another one) on its worst known neighbours, or on those that a search finds.

    `samples` are outputs in all at the quick level; `exact` is the loss where a closed form or an accountant (a call) knows it. `ratio`:
    the mechanism's outputs are the exact log likelihood ratio of this very pair; `assumed` is what else its claim rests on.
    """

    mechanism: Mechanism
    samples: int = 200_000
    claim: Guarantee | None = None
    pair: tuple[Any, Any] | None = None
    must_detect: float | None = None
    exact: float | Callable[[], float] | None = None
    ratio: bool = False
    assumed: tuple[str, ...] = ()
    statistical: bool = True
    prefix: ClassVar[str] = "privacy"

    def measure(self, request: Request) -> AuditResult:
        from banditproof.audits.privacy.accounting import NoAccountant
        from banditproof.audits.privacy.search import worst_pair

        claim = self.mechanism.guarantee() if self.claim is None else self.claim
        pair = self.pair
        if pair is None:
            pair = worst_pair(self.mechanism, claim=claim, seed=request.seed, path=request.path)
        exact, missing = self.exact, self.assumed
        if callable(exact):
            try:
                exact = exact()
            except NoAccountant as error:
                exact, missing = None, (*missing, str(error))
        result = compare(
            *samplers(self.mechanism, pair),
            claim=claim,
            samples=self.samples * request.level.factor,
            false_alarm=request.false_alarm,
            seed=request.seed,
            path=request.path,
            must_detect=self.must_detect,
            exact=exact,
            posterior=request.posterior,
            ratio=self.ratio,
        )
        return with_inputs(replace(result, assumed=result.assumed + missing), pair)


def samplers(mechanism: Mechanism, pair: tuple[Any, Any]) -> tuple[Sampler, Sampler]:
    """The mechanism on each of two inputs."""
    first, second = pair
    return (lambda runs, rng: mechanism.release(first, runs, rng)), (lambda runs, rng: mechanism.release(second, runs, rng))


def with_inputs(result: AuditResult, pair: tuple[Any, Any], **more: Any) -> AuditResult:
    """The result with the neighbours (and more) in its witness."""
    first, second = (asdict(part) if is_dataclass(part) and not isinstance(part, type) else part for part in pair)
    return replace(result, witness={**(result.witness or {}), "first": first, "second": second, **more})


def posterior(claim: Guarantee, counts: Counts, leaked: float, mass: float = 0.9) -> dict[str, float]:
    """Posterior of the event's loss under a Jeffreys prior on the rate of right guesses: a credible interval, beside the exact bound.

    The mean number of leaks is taken off. One direction is declared: the loss of the event as selected. No decision hangs on it.
    """
    from scipy.special import betaincinv

    right, wrong = max(counts.right - leaked, 0.0) + 0.5, counts.wrong + 0.5
    low, median, high = (
        design.loss_of_rate(claim, float(betaincinv(right, wrong, level))) for level in ((1 - mass) / 2, 0.5, (1 + mass) / 2)
    )
    return {"mass": mass, "low": low, "median": median, "high": high}


def with_model(result: AuditResult, seed: int, path: tuple[str, ...]) -> AuditResult:
    """The result with the PyMC posterior and its diagnostics in its detail, if there is a guess to learn from. No decision hangs on it."""
    from banditproof.audits.models.privacy_loss import sample_posterior

    witness = result.witness or {}
    if not witness["right"] + witness["wrong"] > witness.get("leaks_expected", 0.0):
        return result
    model = sample_posterior(
        quantity=result.quantity,
        right=witness["right"],
        wrong=witness["wrong"],
        leaked=witness.get("leaks_expected", 0.0),
        key=key_of(seed, *path, "model"),
    )
    return replace(result, detail={**result.detail, "model": model})


def check_false_alarm(false_alarm: float) -> None:
    """Raises ValueError unless 0 < false_alarm < 1."""
    if not 0.0 < false_alarm < 1.0:
        raise ValueError(f"false_alarm = {false_alarm}: must be > 0 and < 1 (probability of refuting a true claim)")


def _check(claim: Guarantee, false_alarm: float) -> None:
    """Before any draw: a claim that guesses can bound, and a rate."""
    design.claimed_loss(claim)
    check_false_alarm(false_alarm)


def claim_json(claim: Guarantee) -> dict[str, Any]:
    """A claim as plain data."""
    return {"kind": type(claim).__name__, **{part.name: getattr(claim, part.name) for part in fields(claim)}}


def claim_from_json(record: dict[str, Any]) -> Guarantee:
    """The inverse of `claim_json` for the claims that this method audits. Raises ValueError on another."""
    kinds: dict[str, type[PureDP | ApproximateDP | GaussianDP]] = {
        "PureDP": PureDP,
        "ApproximateDP": ApproximateDP,
        "GaussianDP": GaussianDP,
    }
    values = dict(record)
    kind = kinds.get(str(values.pop("kind", None)))
    if kind is None:
        raise ValueError(f"claim of kind {record.get('kind')!r}: must be one of {', '.join(kinds)}")
    values["relation"], values["view"] = Relation(values["relation"]), View(values["view"])
    return kind(**values)


def _pair(claim: Guarantee, counts: Counts, event: Event, false_alarm: float) -> dict[str, float]:
    """The textbook bound: Clopper-Pearson on both sides of each direction, the false-alarm rate split evenly among the bounds."""
    if isinstance(claim, GaussianDP):
        return {}
    first, (lost_first, lost_second) = counts.trials - counts.second, counts.missing
    directions = []
    if event.high is not None:
        directions.append(("second_over_first", counts.second_high, counts.second, counts.first_high + lost_first, first))
    if event.low is not None:
        directions.append(("first_over_second", counts.first_low, first, counts.second_low + lost_second, counts.second))
    share = false_alarm / (2 * len(directions))
    delta = claim.delta if isinstance(claim, ApproximateDP) else 0.0
    bounds = {}
    for name, over, over_runs, under, under_runs in directions:
        excess = lower_probability(over, over_runs, share) - delta
        bounds[name] = math.log(excess / upper_probability(under, under_runs, share)) if excess > 0 else 0.0
    return {name: max(bound, 0.0) for name, bound in bounds.items()}


def _needed(claim: Guarantee, must: float, mass: float, false_alarm: float, both: bool) -> str:
    try:
        share = 1.0 if isinstance(claim, GaussianDP) else mass
        needed = design.samples_for_loss(
            claim, violation=must, mass=share, false_alarm=false_alarm, missed_with=design.MISSED_WITH, both_ways=both
        )
    except ValueError as error:
        return str(error)
    return f"about {needed:.2g} outputs in all would do"
