"""Statistical assertions for tests: refuted is a failure, and so is a sample that could not have shown what it must detect.

Each has a significance level, `false_alarm`: the probability that it fails although the claim holds, by an exact test or one with a proof;
0.001 unless it is named. What it misses is a matter of design, deterministic and before any draw, in
`banditproof.audits.statistics.design` (for privacy: in `banditproof.audits.privacy.plan`):

    assert_private          plan                    samples_for_loss
    assert_covers           detectable_failure      runs_for_failure
    assert_regret_within    detectable_mean         runs_for_mean
    assert_mean_at_most     detectable_mean         runs_for_mean
    assert_median_equals    detectable_median_shift samples_for_median_shift

Significance levels of several assertions add up: name a smaller one in a suite of many. Draws come from the seed and nothing else, so a
failure replays.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from banditproof.audits.statistics.design import SIGNIFICANCE_LEVEL, check_false_alarm
from banditproof.audits.statistics.evidence import Measurement, Verdict, at_least
from banditproof.audits.statistics.tails import binomial_tail, lower_mean

if TYPE_CHECKING:
    from banditproof.audits.methods.coverage import Fails
    from banditproof.audits.running.report import AuditResult
    from banditproof.guarantees import NeighbouringRelation, View
    from banditproof.interaction import Floats, Pipeline


class AuditAssertionError(AssertionError):
    """A claim is refuted, or the sample could not have shown what it must detect. `result` is the whole result, with its witness."""

    def __init__(self, message: str, result: "AuditResult") -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[type["AuditAssertionError"], tuple[str, "AuditResult"]]:
        """How it travels between processes: with its result."""
        return type(self), (str(self), self.result)


def assert_private(
    subject: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    dataset: Any = None,
    neighbour: Any = None,
    relation: "NeighbouringRelation | None" = None,
    view: "View | None" = None,
    samples: int,
    false_alarm: float = SIGNIFICANCE_LEVEL,
    seed: int,
    must_detect: float | None = None,
    allow_inconclusive: bool = False,
    timeout: float | None = None,
) -> "AuditResult":
    """Fails if the subject is shown not to be as private as it claims: measures as `audit_privacy` does, with the same numbers.

    `subject` is a mechanism (an object with `release`, a vectorised f(data, runs, rng), a plain f(data, rng)), on the neighbours `dataset`
    and `neighbour` or on those that it declares and a search finds; or a pair of samplers (runs, rng) -> (runs,) or (runs, width). The
    claim is epsilon (in nats; with delta) or mu, or else the guarantee that the object states. Draws `samples` outputs in all;
    `false_alarm` is the significance level; a failure is found again with the same `seed`. `must_detect` is an epsilon (or mu), 1.25 times
    the claimed one by default.

    Raises AuditAssertionError, with the result, on a refutation and on a sample that could not have shown `must_detect` (unless
    `allow_inconclusive`); ValueError on a claim, neighbours or numbers that are none.
    """
    __tracebackhide__ = True
    from banditproof.audits.front_door import audit_privacy

    result = audit_privacy(
        subject,
        epsilon=epsilon,
        delta=delta,
        mu=mu,
        dataset=dataset,
        neighbour=neighbour,
        relation=relation,
        view=view,
        samples=samples,
        false_alarm=false_alarm,
        seed=seed,
        must_detect=must_detect,
        timeout=timeout,
    )
    return _settled(result, allow_inconclusive)


def assert_covers(
    fails: "Fails",
    *,
    failure: float,
    must_detect: float,
    runs: int,
    false_alarm: float = SIGNIFICANCE_LEVEL,
    seed: int,
    exactly: bool = False,
    rule: str = "",
    allow_inconclusive: bool = False,
) -> "AuditResult":
    """Fails if an event is shown to have a probability above `failure` (or another one, if `exactly`).

    `fails(runs, rng)` gives one boolean per run, shape (runs,): an event over all rounds is one failure; `rule` says in words what fails.
    Draws `runs` runs from the `seed`; `false_alarm` is the significance level. `must_detect` is a failure probability above the claimed
    one; with `exactly`, the one as many times below must be detected too.

    Raises AuditAssertionError, with the result, on a refutation and on a sample that could not have shown `must_detect` (unless
    `allow_inconclusive`); ValueError on numbers that make no claim, and on failures of another shape or type.
    """
    __tracebackhide__ = True
    from banditproof.audits.methods.coverage import Claim, count_failures, judge
    from banditproof.guarantees import whole
    from banditproof.theory.language import Sense

    check_false_alarm(false_alarm)
    _check_target(must_detect, failure, "failure", most=1.0)
    claim = Claim(failure, Sense.EQUALS if exactly else Sense.AT_MOST, must_detect / failure)
    runs = whole("runs", runs, 1)
    failures = count_failures(fails, runs, seed, ())
    measured = judge(claim, failures, runs, false_alarm=false_alarm, rule=rule)
    return _settled(_result(measured, rule or "coverage", seed), allow_inconclusive)


def assert_regret_within(
    pipeline: "Pipeline",
    *,
    horizon: int,
    bound: float,
    must_detect: float,
    runs: int,
    false_alarm: float = SIGNIFICANCE_LEVEL,
    seed: int,
    largest_gap: float = math.inf,
    relative_deviation: float = 0.5,
    allow_inconclusive: bool = False,
) -> "AuditResult":
    """Fails if the mean pseudo-regret after `horizon` rounds is shown to exceed `bound`, in reward units. Plays `runs` runs from `seed`.

    `must_detect` is a mean regret above the bound; `false_alarm` is the significance level. With the environment's `largest_gap`, a bound
    that no policy can break (horizon times that) fails too, as vacuous. `relative_deviation` is the relative standard deviation over
    runs that the design expects; a larger measured one replaces it.

    Raises AuditAssertionError, with the result, on a refutation, on a vacuous bound, and on runs that could not have shown `must_detect`
    (unless `allow_inconclusive`); ValueError on numbers that make no claim.
    """
    __tracebackhide__ = True
    from banditproof.audits.methods.regret import Claim, judge, played
    from banditproof.guarantees import whole
    from banditproof.parties import require_parties
    from banditproof.randomness import key_of

    require_parties(pipeline)
    horizon, runs = whole("horizon", horizon, 1, "rounds"), whole("runs", runs, 1)
    check_false_alarm(false_alarm)
    _check_target(must_detect, bound, "bound")
    claim = Claim(bound, horizon * largest_gap, must_detect / bound, relative_deviation)
    values = played(pipeline, horizon=horizon, runs=runs, key=key_of(seed, "runs"))
    measured = judge(claim, values, false_alarm=false_alarm, quantity="regret")
    return _settled(_result(measured, f"regret of {pipeline.policy} on {pipeline.environment}", seed), allow_inconclusive)


def assert_median_equals(draws: "Floats", value: float, *, false_alarm: float = SIGNIFICANCE_LEVEL) -> None:
    """Fails if independent draws (n,) show that `value` is no median of their distribution: P(draw < value) or P(draw > value) exceeds 1/2.

    The exact sign test on both sides, half the rate each. Draws that equal the value count on neither side. Raises ValueError on NaN, and
    on draws that are a table or masked.
    """
    __tracebackhide__ = True
    numbers = _numbers(draws, false_alarm)
    if math.isnan(value):
        raise ValueError(f"value = {value}: must be a number, the claimed median")
    below, above = int(np.count_nonzero(numbers < value)), int(np.count_nonzero(numbers > value))
    if binomial_tail(max(below, above), numbers.size, 0.5) <= false_alarm / 2.0:
        message = (
            f"median: {below} of {numbers.size} draws lie below {value!r} and {above} above, where a median allows each side a "
            f"probability of at most 1/2; the sample median is {float(np.median(numbers))!r} (significance level {false_alarm:g})"
        )
        raise _refuted("median", message, value, float(np.median(numbers)), numbers.size, false_alarm)


def assert_mean_at_most(draws: "Floats", bound: float, *, lowest: float = 0.0, false_alarm: float = SIGNIFICANCE_LEVEL) -> None:
    """Fails if independent draws (n,) from [lowest, inf) show that their mean exceeds `bound`.

    The test bets against the claim (`tails.mean_evidence`): valid for every distribution on [lowest, inf), without an upper limit or a
    variance. Raises ValueError on NaN, on draws that are a table or masked, on one below `lowest`, and unless bound > lowest.
    """
    __tracebackhide__ = True
    numbers = _numbers(draws, false_alarm)
    if not bound > lowest:
        raise ValueError(f"bound = {bound}: must be > lowest = {lowest}")
    if numbers.min() < lowest:
        raise ValueError(f"draw = {numbers.min()}: must be >= lowest = {lowest}")
    low = lowest + lower_mean(numbers - lowest, false_alarm)
    if low > bound:
        message = (
            f"mean: at least {at_least(low, bound)}, where the claim says at most {bound:.6g}; the mean of the {numbers.size} draws is "
            f"{float(numbers.mean()):.6g} (significance level {false_alarm:g})"
        )
        raise _refuted("mean", message, bound, float(numbers.mean()), numbers.size, false_alarm, low=low)


def explained(measured: Measurement, seed: int | None) -> str:
    """A measurement in one paragraph: verdict, claim, what was measured, why, the witness's rule, and how to draw it again."""
    from banditproof.audits.privacy.readings import chance
    from banditproof.audits.privacy.witness import PrivacyWitness, plain_input

    sense = {"<=": "at most", "=": "exactly", ">=": "at least"}[str(measured.detail.get("sense", "<="))]
    parts = [f"{measured.verdict.value}: {measured.message}."]
    parts.append(f"Claimed: {measured.quantity} {sense} {measured.claimed:.6g}." if measured.claimed is not None else "")
    if measured.low is not None and measured.false_alarm is not None:
        parts.append(f"Measured: at least {at_least(measured.low, measured.claimed)} (significance level {measured.false_alarm:g}).")
    if measured.must_detect is not None and measured.detectable is not None:
        parts.append(f"To detect: {measured.must_detect:.6g}; detectable: {measured.detectable:.6g}.")
    witness = measured.witness
    rule = "" if witness is None else witness.to_json().get("rule")
    parts.append(f"Rule: {rule}." if rule else "")
    if isinstance(witness, PrivacyWitness) and witness.drawn:
        parts.append(f"Neighbours: {plain_input(witness.dataset)} and {plain_input(witness.neighbour)}.")
    if measured.verdict is Verdict.REFUTED and isinstance(witness, PrivacyWitness):
        parts += [
            f"{text[0].upper()}{text[1:]}."
            for text in (chance(measured), measured.detail.get("other_relation", {}).get("sentence", ""))
            if text
        ]
    parts.append(f"Seed {seed}, {measured.samples} draws; another seed gives fresh ones.")
    return " ".join(part for part in parts if part)


def _result(measured: Measurement, label: str, seed: int | None) -> "AuditResult":
    """The measurement with whose it is."""
    from banditproof.audits.running.report import AuditResult
    from banditproof.audits.running.run import versions

    return AuditResult(f"user:{label}", "", label, measured, seed=seed, versions=versions())


def _settled(result: "AuditResult", allow_inconclusive: bool) -> "AuditResult":
    """The result; raises AuditAssertionError unless it is not refuted and could have been."""
    __tracebackhide__ = True
    allowed = {Verdict.NOT_REFUTED, Verdict.CERTIFIED, Verdict.HOLDS_AT_POINTS} | ({Verdict.INCONCLUSIVE} if allow_inconclusive else set())
    if result.measured.verdict not in allowed:
        raise AuditAssertionError(explained(result.measured, result.seed), result)
    return result


def _refuted(
    quantity: str, message: str, claimed: float, estimate: float, samples: int, false_alarm: float, low: float | None = None
) -> AuditAssertionError:
    """The error for draws that were made elsewhere, so that no seed is known."""
    sense = {"sense": "=" if low is None else "<="}
    measured = Measurement(
        Verdict.REFUTED,
        quantity=quantity,
        claimed=claimed,
        estimate=estimate,
        low=low,
        false_alarm=false_alarm,
        samples=samples,
        detail=sense,
        message=message,
    )
    return AuditAssertionError(message, _result(measured, quantity, None))


def _check_target(must_detect: float, claimed: float, name: str, most: float = math.inf) -> None:
    if not 0.0 < claimed < must_detect <= most:
        limit = f" <= {most:g}" if most < math.inf else ""
        raise ValueError(f"must_detect = {must_detect}, {name} = {claimed}: must satisfy 0 < {name} < must_detect{limit}")


def _numbers(draws: "Floats", false_alarm: float) -> "Floats":
    """The draws (n,). Raises ValueError, naming the rule, on a table, on a masked array, and on NaN."""
    check_false_alarm(false_alarm)
    if isinstance(draws, np.ma.MaskedArray):
        raise ValueError("draws: are a masked array: must be one without a mask, as draws.compressed() gives it")
    numbers = np.asarray(draws, dtype=float)
    if numbers.ndim != 1:
        raise ValueError(f"draws of shape {numbers.shape}: must be of shape (n,), one number per independent draw")
    if numbers.size == 0 or np.isnan(numbers).any():
        raise ValueError(f"draws: {int(np.isnan(numbers).sum())} of {numbers.size} are NaN; must be one number or more, none NaN")
    return numbers
