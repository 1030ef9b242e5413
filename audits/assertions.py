"""Statistical assertions for tests: refuted is a failure, and so is a sample that could not have shown what it must detect.

Each states its false-alarm rate: the probability that it fails although the claim holds, by an exact test or one with a proof. What it
misses is a matter of design, deterministic and before any draw, in `banditproof.audits.statistics.design` (for privacy: in
`banditproof.audits.privacy.plan`):

    assert_private          plan                    samples_for_loss
    assert_covers           detectable_failure      runs_for_failure
    assert_regret_within    detectable_mean         runs_for_mean
    assert_mean_at_most     detectable_mean         runs_for_mean
    assert_median_equals    detectable_median_shift samples_for_median_shift

False-alarm rates of several assertions add up. Draws come from the seed and nothing else, so a failure replays.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.audits.statistics.design import check_false_alarm
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.audits.statistics.tails import binomial_tail, lower_mean

if TYPE_CHECKING:
    from banditproof.audits.methods.coverage import Fails
    from banditproof.guarantees import Guarantee, NeighbouringRelation
    from banditproof.interaction import Floats, Pipeline


def assert_private(
    subject: Any,
    *,
    epsilon: float | None = None,
    delta: float = 0.0,
    mu: float | None = None,
    dataset: Any = None,
    neighbour: Any = None,
    samples: int,
    false_alarm: float,
    seed: int,
    must_detect: float | None = None,
    allow_inconclusive: bool = False,
) -> Measurement:
    """Raises AssertionError if `samples` outputs, of both neighbours together, refute (epsilon, delta)- or mu-Gaussian privacy.

    `subject` is a mechanism (an object with `release`, a vectorised f(data, runs, rng), a plain f(data, rng)), on the neighbours `dataset`
    and `neighbour` or on those that it declares and a search finds; or a pair of samplers (runs, rng) -> (runs,) or (runs, width).
    Fails as well if that many outputs could not have shown the violation `must_detect`, an epsilon (or mu), 1.25 times the claimed one by
    default. `false_alarm` is the significance level. Raises ValueError on parameters that state no claim.
    """
    __tracebackhide__ = True
    from banditproof.audits.privacy.comparison import compare
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.outputs import samplers
    from banditproof.audits.privacy.search import worst_pair
    from banditproof.audits.privacy.witness import with_inputs
    from banditproof.audits.subjects import adapt
    from banditproof.guarantees import NeighbouringRelation

    if isinstance(subject, tuple):
        if dataset is not None or neighbour is not None:
            raise ValueError("dataset, neighbour: are data for a mechanism; two samplers have theirs in them")
        one, other = subject
        claim, pair = _claim(epsilon, delta, mu, NeighbouringRelation.ANY_PAIR), None
    else:
        mechanism = adapt(subject)
        claim = _claim(
            epsilon,
            delta,
            mu,
            NeighbouringRelation.ANY_PAIR if mechanism.declared_neighbours is None else mechanism.declared_neighbours.relation,
        )
        if (dataset is None) != (neighbour is None):
            raise ValueError("dataset, neighbour: give both neighbours, or neither and they are searched")
        if dataset is not None and mechanism.declared_neighbours is not None:
            mechanism.declared_neighbours.check(dataset, neighbour)
        pair = (dataset, neighbour) if dataset is not None else worst_pair(mechanism, claim=claim, seed=seed)
        one, other = samplers(mechanism, pair)
    settings = AuditSettings(claim=claim, samples=samples, false_alarm=false_alarm, seed=seed, must_detect=must_detect)
    measured = compare(one, other, settings)
    return _settled(measured if pair is None else with_inputs(measured, pair), seed, allow_inconclusive)


def assert_covers(
    fails: "Fails",
    *,
    failure: float,
    must_detect: float,
    runs: int,
    false_alarm: float,
    seed: int,
    exactly: bool = False,
    rule: str = "",
    allow_inconclusive: bool = False,
) -> Measurement:
    """Raises AssertionError if `runs` runs show that an event has a probability above `failure` (with `exactly`: any other probability).

    `fails(runs, rng)` gives one boolean per run: an event over all rounds is one failure. `must_detect` is a failure probability above the
    claimed one; with `exactly`, the one as many times below must be detected too. Raises ValueError on parameters that state no claim.
    """
    __tracebackhide__ = True
    from banditproof.audits.methods.coverage import Claim, count_failures, judge
    from banditproof.theory.language import Sense

    check_false_alarm(false_alarm)
    _check_target(must_detect, failure, "failure")
    claim = Claim(failure, Sense.EQUALS if exactly else Sense.AT_MOST, must_detect / failure)
    failures = count_failures(fails, runs, seed, ())
    return _settled(judge(claim, failures, runs, false_alarm=false_alarm, rule=rule), seed, allow_inconclusive)


def assert_regret_within(
    pipeline: "Pipeline",
    *,
    horizon: int,
    bound: float,
    must_detect: float,
    runs: int,
    false_alarm: float,
    seed: int,
    largest_gap: float = math.inf,
    relative_deviation: float = 0.5,
    allow_inconclusive: bool = False,
) -> Measurement:
    """Raises AssertionError if `runs` runs show that the mean pseudo-regret after `horizon` rounds exceeds `bound`.

    `must_detect` is a mean regret above the bound. With the environment's `largest_gap`, a bound that no policy can break (horizon times
    that) fails too, as vacuous. `relative_deviation` is the relative standard deviation over runs that the design expects; a larger
    measured one replaces it. Raises ValueError on parameters that state no claim.
    """
    __tracebackhide__ = True
    from banditproof.audits.methods.regret import Claim, judge, played
    from banditproof.randomness import key_of

    check_false_alarm(false_alarm)
    _check_target(must_detect, bound, "bound")
    claim = Claim(bound, horizon * largest_gap, must_detect / bound, relative_deviation)
    values = played(pipeline, horizon=horizon, runs=runs, key=key_of(seed, "runs"))
    return _settled(judge(claim, values, false_alarm=false_alarm, quantity="regret"), seed, allow_inconclusive)


def assert_median_equals(draws: "Floats", value: float, *, false_alarm: float) -> None:
    """Fails if independent draws (n,) show that `value` is no median of their distribution: P(draw < value) or P(draw > value) exceeds 1/2.

    The exact sign test on both sides, half the rate each. Draws that equal the value count on neither side. Raises ValueError on NaN.
    """
    __tracebackhide__ = True
    numbers = _numbers(draws, false_alarm)
    below, above = int(np.count_nonzero(numbers < value)), int(np.count_nonzero(numbers > value))
    if binomial_tail(max(below, above), numbers.size, 0.5) <= false_alarm / 2.0:
        raise AssertionError(
            f"median: {below} of {numbers.size} draws lie below {value!r} and {above} above, where a median allows each side a "
            f"probability of at most 1/2; the sample median is {float(np.median(numbers))!r} (significance level {false_alarm:g})"
        )


def assert_mean_at_most(draws: "Floats", bound: float, *, lowest: float = 0.0, false_alarm: float) -> None:
    """Fails if independent draws (n,) from [lowest, inf) show that their mean exceeds `bound`.

    The test bets against the claim (`tails.mean_evidence`): valid for every distribution on [lowest, inf), without an upper limit or a
    variance. Raises ValueError on NaN, on a draw below `lowest`, and unless bound > lowest.
    """
    __tracebackhide__ = True
    numbers = _numbers(draws, false_alarm)
    if not bound > lowest:
        raise ValueError(f"bound = {bound}: must be > lowest = {lowest}")
    if numbers.min() < lowest:
        raise ValueError(f"draw = {numbers.min()}: must be >= lowest = {lowest}")
    low = lowest + lower_mean(numbers - lowest, false_alarm)
    if low > bound:
        raise AssertionError(
            f"mean: at least {low:.6g}, where the claim says at most {bound:.6g}; the mean of the {numbers.size} draws is "
            f"{float(numbers.mean()):.6g} (significance level {false_alarm:g})"
        )


def explained(measured: Measurement, seed: int) -> str:
    """A measurement in one paragraph: verdict, claim, what was measured, why, the witness's rule, and how to draw it again."""
    from banditproof.audits.privacy.witness import PrivacyWitness, plain_input

    sense = {"<=": "at most", "=": "exactly", ">=": "at least"}[str(measured.detail.get("sense", "<="))]
    parts = [f"{measured.verdict.value}: {measured.message}."]
    parts.append(f"Claimed: {measured.quantity} {sense} {measured.claimed:.6g}." if measured.claimed is not None else "")
    if measured.low is not None and measured.false_alarm is not None:
        parts.append(f"Measured: at least {measured.low:.6g} (significance level {measured.false_alarm:g}).")
    if measured.must_detect is not None and measured.detectable is not None:
        parts.append(f"To detect: {measured.must_detect:.6g}; detectable: {measured.detectable:.6g}.")
    witness = measured.witness
    rule = "" if witness is None else dict(witness.rows()).get("rule")
    parts.append(f"Rule: {rule}." if rule else "")
    if isinstance(witness, PrivacyWitness) and witness.drawn:
        parts.append(f"Neighbours: {plain_input(witness.dataset)} and {plain_input(witness.neighbour)}.")
    parts.append(f"Seed {seed}, {measured.samples} draws.")
    return " ".join(part for part in parts if part)


def _settled(measured: Measurement, seed: int, allow_inconclusive: bool) -> Measurement:
    """The measurement; raises AssertionError unless it is not refuted and could have been."""
    __tracebackhide__ = True
    allowed = {Verdict.NOT_REFUTED, Verdict.CERTIFIED, Verdict.HOLDS_AT_POINTS} | ({Verdict.INCONCLUSIVE} if allow_inconclusive else set())
    if measured.verdict not in allowed:
        raise AssertionError(explained(measured, seed))
    return measured


def _claim(epsilon: float | None, delta: float, mu: float | None, relation: "NeighbouringRelation") -> "Guarantee":
    from banditproof.guarantees import ApproximateDP, GaussianDP, PureDP

    if (epsilon is None) == (mu is None):
        raise ValueError(f"epsilon = {epsilon}, mu = {mu}: give one of them")
    if epsilon is not None:
        return ApproximateDP(epsilon, delta, relation) if delta else PureDP(epsilon, relation)
    if mu is None or delta:
        raise ValueError(f"delta = {delta}: goes with epsilon, not with mu")
    return GaussianDP(mu, relation)


def _check_target(must_detect: float, claimed: float, name: str) -> None:
    if not (claimed > 0.0 and must_detect > claimed):
        raise ValueError(f"must_detect = {must_detect}, {name} = {claimed}: must satisfy 0 < {name} < must_detect")


def _numbers(draws: "Floats", false_alarm: float) -> "Floats":
    check_false_alarm(false_alarm)
    numbers = np.asarray(draws, dtype=float).ravel()
    if numbers.size == 0 or np.isnan(numbers).any():
        raise ValueError(f"draws: {int(np.isnan(numbers).sum())} of {numbers.size} are NaN; must be one number or more, none NaN")
    return numbers
