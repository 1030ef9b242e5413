"""Mean pseudo-regret, or the mean pulls of an arm, against an explicit bound on the expectation.

Runs are independent, and each run's regret is a number from 0 up. The test bets against "the mean is at most the bound"
(`tails.mean_evidence`): its false-alarm rate has a proof that needs no upper limit of the regret, no variance and no normal
approximation. The range [0, T * largest gap] is used for `high`, which is wide: a few runs cannot exclude that rare ones lose all; and for
what would have been seen: a mean near the end of the range has little spread, and one beyond it is none.

A bound of at least T * largest gap (or T pulls) is true of every policy: VACUOUS, but still measured, at level quick in a few runs alone,
since no number of runs could refute it.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Level, Recheck, Request
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Measurement, Verdict, at_least, fields_json, from_fields, plain_parameters
from banditproof.audits.statistics.tails import lower_mean, mean_evidence, upper_mean
from banditproof.interaction import Floats, Pipeline, Wire, Words
from banditproof.parties import words_of
from banditproof.randomness import key_of
from banditproof.simulation import play_many

VACUOUS_RUNS = 10  # at most, at level quick, of what no run can refute
ROUNDS_HELD = 1 << 22  # rounds whose arms are held at once, where arms are counted


@dataclass(frozen=True)
class Claim:
    """The mean is at most `bound`; `trivial` bounds it for every policy (inf: not known); a mean of `ratio` bounds must be detected.

    `relative_deviation` is the relative standard deviation of a run's number on which the design counts; a larger measured one replaces it.
    """

    bound: float
    trivial: float
    ratio: float
    relative_deviation: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 < self.bound < float("inf"):
            raise ValueError(f"bound = {self.bound}: must be > 0 and finite (of a mean)")
        if not self.ratio > 1.0:
            raise ValueError(f"must_detect_ratio = {self.ratio}: must be > 1 (times the bound)")
        if not self.trivial > 0.0:
            raise ValueError(f"trivial = {self.trivial}: must be > 0 (bound for every policy)")

    @property
    def vacuous(self) -> bool:
        """Whether the bound is true of every policy."""
        return self.bound >= self.trivial

    @property
    def largest(self) -> float:
        """The largest mean that the design counts on; of a vacuous claim, which nothing refutes, any."""
        return math.inf if self.vacuous else self.trivial


@dataclass(frozen=True)
class RegretWitness:
    """The mean over so many runs, at which parameters."""

    runs: int
    mean: float
    parameters: Mapping[str, Any]
    kind: ClassVar[str] = "regret"

    def rows(self) -> list[tuple[str, Any]]:
        return [("runs", self.runs), ("mean", self.mean), ("parameters", self.parameters)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "RegretWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Regret:
    """Plays `runs` runs (at the quick level) of a pipeline and compares their mean regret, or their mean pulls of `arm`, with a bound.

    `bound` computes it when the audit runs. A `Stated` one is checked first: a run outside the theorem's hypotheses raises
    OutsideHypotheses or HypothesisFails, which is an ERROR. `largest_gap` is the environment's, over all rounds.
    """

    pipeline: Pipeline
    horizon: int
    bound: Callable[[], float] | Stated
    largest_gap: float
    must_detect_ratio: float
    runs: int = 400
    arm: int | None = None
    relative_deviation: float = 0.5
    parameters: Mapping[str, Any] = field(default_factory=dict)
    statistical: bool = True
    prefix: ClassVar[str] = "regret"

    def measure(self, request: Request) -> Measurement:
        runs, spare = self.runs * request.level.factor, request.level is Level.QUICK
        return self._played(runs, request.false_alarm, request.seed, request.path, spare)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Plays fresh runs."""
        return self._played(*again.of(before), again.seed, again.path)

    def claim(self) -> Claim:
        """What is compared. Raises OutsideHypotheses or HypothesisFails where the theorem does not speak of the run."""
        trivial = float(self.horizon) * (self.largest_gap if self.arm is None else 1.0)
        bound = self.bound.beside(self.pipeline, self.horizon) if isinstance(self.bound, Stated) else self.bound()
        return Claim(bound, trivial, self.must_detect_ratio, self.relative_deviation)

    def _played(self, runs: int, false_alarm: float, seed: int, path: tuple[str, ...], spare: bool = False) -> Measurement:
        claim = self.claim()
        if spare and claim.vacuous:
            runs = min(runs, VACUOUS_RUNS)
        values = played(self.pipeline, horizon=self.horizon, runs=runs, key=key_of(seed, *path, "runs"), arm=self.arm)
        parameters = {"horizon": self.horizon, **({} if self.arm is None else {"arm": self.arm}), **self.parameters}
        return judge(claim, values, false_alarm=false_alarm, quantity="regret" if self.arm is None else "pulls", parameters=parameters)


def played(pipeline: Pipeline, *, horizon: int, runs: int, key: Words, arm: int | None = None) -> Floats:
    """Each run's pseudo-regret, or its pulls of `arm`; shape (runs,). Run r is run r of the key, whatever else is played. Draws."""
    if runs < 1:
        raise ValueError(f"runs = {runs}: must be an integer >= 1")
    arms = pipeline.environment.arms
    if arm is not None and not 0 <= arm < arms:
        raise ValueError(f"arm = {arm}: must be an integer from 0 to {arms - 1}")
    counted = _regrets if arm is None else _pulls
    words = words_of(key)
    try:
        values = counted(pipeline, _code(pipeline), horizon, runs, words)
    except TypeError:  # parties that have no hash
        values = counted.__wrapped__(pipeline, None, horizon, runs, words)
    return (values if arm is None else values[:, arm]).copy()


def _code(pipeline: Pipeline) -> tuple[Any, ...]:
    """What plays it: a party may be equal to another one and be given other kernels."""
    others = (pipeline.randomiser, pipeline.corruption, pipeline.shuffler)
    return (pipeline.policy.kernels, pipeline.environment.present, pipeline.environment.reward, *(each.kernel for each in others))


# Audits that differ only in their limit, and so have their runs in common (`Audit.runs`), follow one another in a worker.
@functools.lru_cache(maxsize=4)
def _regrets(pipeline: Pipeline, code: Any, horizon: int, runs: int, words: tuple[int, int]) -> Floats:
    """Each run's pseudo-regret, (runs,)."""
    return np.asarray(play_many(pipeline, horizon=horizon, key=np.array(words, dtype=np.uint64), runs=runs).regret[:, -1], dtype=float)


@functools.lru_cache(maxsize=4)
def _pulls(pipeline: Pipeline, code: Any, horizon: int, runs: int, words: tuple[int, int]) -> Floats:
    """Each run's pulls of each arm, (runs, K)."""
    together, found = max(1, ROUNDS_HELD // horizon), np.zeros((runs, pipeline.environment.arms))
    for first in range(0, runs, together):
        key, count = np.array(words, dtype=np.uint64), min(together, runs - first)
        arms = play_many(pipeline, horizon=horizon, key=key, runs=count, first_run=first, record=(Wire.ARMS,)).wire(Wire.ARMS)
        for arm in range(found.shape[1]):
            found[first : first + count, arm] = np.count_nonzero(arms == arm, axis=1)
    return found


def _needed(claim: Claim, must: float, relative_deviation: float, false_alarm: float) -> str:
    """How many runs would do, in words."""
    spread = {"relative_deviation": relative_deviation, "largest": claim.largest}
    try:
        runs = design.runs_for_mean(claim.bound, must_detect=must, false_alarm=false_alarm, **spread)
    except ValueError:  # a bet of 2^-10 of the wealth, the smallest one, is too large for such a spread
        return f"no number of runs would do, at a relative standard deviation of {relative_deviation:.3g}"
    return f"about {runs:.2g} runs would do"


def judge(claim: Claim, values: Floats, *, false_alarm: float, quantity: str, parameters: Mapping[str, Any] | None = None) -> Measurement:
    """The verdict on a claim from one number per run, independent, from 0 up. Raises ValueError on a number that is not."""
    miss_rate, runs = design.MISS_RATE, len(values)
    low, mean = lower_mean(values, false_alarm), float(np.mean(values))
    measured_deviation = float(np.std(values)) / mean if mean > 0.0 else 0.0
    relative_deviation = max(claim.relative_deviation, measured_deviation)
    detectable = design.detectable_mean(
        claim.bound, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate, relative_deviation=relative_deviation, largest=claim.largest
    )
    must = min(claim.ratio * claim.bound, claim.largest)
    fraction = f"mean {quantity} {mean:.4g}, {mean / claim.bound:.3g} times the bound of {claim.bound:.4g}"
    if low > claim.bound:
        verdict = Verdict.REFUTED
        message = f"{fraction}; the true mean is at least {at_least(low, claim.bound)}"
    elif claim.vacuous:
        verdict = Verdict.VACUOUS
        message = f"{fraction}, which is not below {claim.trivial:.4g}, a bound for every policy"
    elif design.shows(detectable, must):
        verdict = Verdict.NOT_REFUTED
        message = f"{fraction}; a true mean of {detectable:.4g} would have been refuted {design.with_power(miss_rate)}"
    else:
        verdict = Verdict.INCONCLUSIVE
        message = f"{fraction}; would have missed a mean of {must:.4g}: {_needed(claim, must, relative_deviation, false_alarm)}"
    return Measurement(
        verdict,
        quantity=quantity,
        claimed=claim.bound,
        estimate=mean,
        low=low,
        high=upper_mean(values, claim.trivial, false_alarm) if values.max() <= claim.trivial < np.inf else None,
        false_alarm=false_alarm,
        must_detect=must,
        detectable=detectable,
        miss_rate=miss_rate,
        samples=runs,
        assumed=(f"an excess confined to runs of probability below about {3 / runs:.1g} is not visible at this sample size",),
        witness=RegretWitness(runs, mean, plain_parameters(parameters or {})),
        detail={
            "ratio": mean / claim.bound,
            "trivial": claim.trivial,
            "coefficient_of_variation": measured_deviation,
            "design_coefficient_of_variation": relative_deviation,
            "log_evidence": mean_evidence(values, claim.bound),
        },
        message=message,
    )
