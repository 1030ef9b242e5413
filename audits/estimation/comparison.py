"""Which estimator to take: the error of each under the worst corruption that a search found for it, measured on draws of its own.

The error of a run is max over the arms of |<a, estimate - theta*>|. Estimators are ranked by a high quantile of it under corruption. Its
confidence interval is made of order statistics, so it is exact for every continuous distribution; all intervals of a comparison hold at
once with probability at least 1 - FALSE_ALARM (Bonferroni), so that the best may be chosen after the draws. An estimator is distinguished
from the best one where its interval lies above the best one's. The mean is shown for information; not used in the ranking.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar, assert_never

import numpy as np

from banditproof.audits.estimation.adversary import (
    Contender,
    CorruptionWitness,
    Effort,
    errors,
    largest_size,
    mean_error,
    search_draws,
    worst_corruption,
    worst_of,
)
from banditproof.audits.estimation.contenders import contenders as standard_contenders
from banditproof.audits.estimation.corruption import Corruption
from banditproof.audits.estimation.problem import drawn, problem_of
from banditproof.audits.estimation.setting import Positions, Purpose, Rewards, Setting
from banditproof.audits.running.audit import Level
from banditproof.audits.running.workers import completed
from banditproof.audits.statistics.evidence import counted, plain_json
from banditproof.audits.statistics.tails import quantile_interval
from banditproof.guarantees import require
from banditproof.interaction import Floats

R = TypeVar("R")

QUANTILE = 0.9
FALSE_ALARM = 0.05  # probability that any interval of a comparison misses its quantile
BEYOND, GROWTH = 100.0, 10.0  # a size this many times larger; an error that grows with it by more than this factor has no limit


@dataclass(frozen=True)
class Summary:
    """Errors of the runs: their mean, the QUANTILE with its interval, and the largest one."""

    mean: float
    quantile: float
    low: float
    high: float
    largest: float


@dataclass(frozen=True)
class Performance:
    """A contender: its errors without corruption and under the worst one found; whether the latter grow with the size of the reports."""

    name: str
    told: str
    clean: Summary
    worst: Summary
    grows: bool
    witness: CorruptionWitness


@dataclass(frozen=True)
class Comparison:
    """Performances, best first under corruption, and what they are compared with: `zero`, the error of the answer 0."""

    setting: Setting
    effort: Effort
    runs: int
    performances: tuple[Performance, ...]
    zero: float
    played: int
    largest: float

    @property
    def best(self) -> Performance:
        """The one to take."""
        return self.performances[0]

    def level_with_best(self) -> tuple[Performance, ...]:
        """Those that are not distinguished from the best one, without it."""
        return tuple(each for each in self.performances[1:] if each.worst.low <= self.best.worst.high)

    def conclusion(self) -> str:
        """What to take, in one sentence, and what speaks against it, in at most two more."""
        best, level = self.best, " and ".join(each.name for each in self.level_with_best())
        beside = f"not distinguished from {level}" if level else "distinguished from all others"
        sentences = [
            f"Take {best.name}: under the worst corruption found its error is at most {best.worst.quantile:.3g} in {QUANTILE:.0%} of the"
            f" runs ({best.worst.low:.3g} to {best.worst.high:.3g}); {beside}."
        ]
        cheapest = min(self.performances, key=lambda each: each.clean.quantile)
        if cheapest.clean.high < best.clean.low:
            sentences.append(
                f"Without corruption {cheapest.name} would be better: {cheapest.clean.quantile:.3g} instead of {best.clean.quantile:.3g}."
            )
        if best.worst.high >= self.zero:
            # Half of it and more comes from the corruption, whose part does not shrink with n.
            corruption = best.clean.quantile <= best.worst.quantile / 2.0
            advice = "fewer corrupted reports or a larger epsilon would help, more samples hardly" if corruption else "take more samples"
            sentences.append(f"The answer 0 is as good: its error is {self.zero:.3g}; {advice}.")
        return " ".join(sentences)

    def assumptions(self) -> tuple[str, ...]:
        """What was assumed, in sentences."""
        setting, arms = self.setting, counted(self.played, "arm")
        rewards = "1 or -1" if setting.rewards is Rewards.SIGNS else "N(mean, 1), for which epsilon is no guarantee"
        return (
            f"{setting.arms} arms and theta* uniform on the unit sphere of R^{setting.dimension}, drawn from seed {setting.seed};"
            " other arms may rank the estimators otherwise",
            f"{setting.samples:,} rewards ({rewards}), one per client, of {arms} that an approximate G-optimal design plays; each"
            f" client adds Laplace noise of scale 2 / epsilon = {2.0 / setting.epsilon:.3g}",
            f"the adversary knows theta*, the estimator and all reports; he replaces {_whose(setting)}; numbers up to {self.largest:.3g} in"
            " size are allowed, and `grows` marks an error that grows with this limit",
            "the worst corruption is the worst of those searched: a worse one may exist",
        )

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain JSON: equal settings, runs and efforts give equal records."""
        settings = self.performances[0].witness.to_json()["setting"]
        level = {self.best.name, *(each.name for each in self.level_with_best())}
        rows = [
            {
                "name": each.name,
                "told": each.told,
                "clean": vars(each.clean),
                "worst": vars(each.worst),
                "grows": each.grows,
                "distinguished": each.name not in level,
                "witness": {"kind": each.witness.kind, **each.witness.to_json()},
            }
            for each in self.performances
        ]
        return {
            **settings,
            "runs": self.runs,
            "effort": vars(self.effort),
            "quantile": QUANTILE,
            "false_alarm": FALSE_ALARM,
            "zero": self.zero,
            "played": self.played,
            "largest": self.largest,
            "take": self.best.name,
            "conclusion": self.conclusion(),
            "assumed": list(self.assumptions()),
            "estimators": plain_json(rows),
        }


def _whose(setting: Setting) -> str:
    match setting.positions:
        case Positions.CHOSEN:
            return f"any {int(setting.corruption * setting.samples + 1e-9)} of them"
        case Positions.RANDOM:
            return f"each with probability {setting.corruption:g} (to choose which is worse for some: --positions chosen)"
        case _:
            assert_never(setting.positions)


def effort_at(level: Level) -> Effort:
    """The effort of a search at a level."""
    match level:
        case Level.QUICK:
            return Effort(20, 10, 3)
        case Level.STANDARD:
            return Effort()
        case Level.DEEP:
            return Effort(400, 100, 12)
        case _:
            assert_never(level)


class _Task(NamedTuple):
    """What a worker gets: plain data."""

    setting: Setting
    contender: Contender
    effort: Effort
    corruptions: tuple[Corruption, ...] = ()
    runs: int = 0


class _Measured(NamedTuple):
    clean: Floats
    worst: Floats
    grows: bool


def compare(
    setting: Setting, contenders: Sequence[Contender] = (), *, effort: Effort | None = None, runs: int = 200, jobs: int = 1
) -> Comparison:
    """Searches the worst corruption for each contender, by default the estimators of this package, and measures all on fresh draws.

    Each contender meets the corruptions found for all of them, and the worst counts. The same for any number of workers. Raises ValueError
    where two contenders have one name, or the runs are too few for an interval; exceptions of the estimators pass through.
    """
    problem, spent = problem_of(setting), effort or Effort()
    entered = tuple(contenders) or standard_contenders(problem)
    require(len({each.name for each in entered}) == len(entered), "contenders: must have different names")
    level = FALSE_ALARM / (2 * len(entered))
    _require_runs(runs, level)
    tasks = [_Task(setting, each, spent) for each in entered]
    found = _each(_searched, tasks, jobs)
    every = tuple(dict.fromkeys(each.corruption for each in found))
    crossed = _each(_crossed, [task._replace(corruptions=every) for task in tasks], jobs)
    last = [task._replace(corruptions=(witness.corruption,), runs=runs) for task, witness in zip(tasks, crossed, strict=True)]
    measured = _each(_measured, last, jobs)
    performances = [
        Performance(each.name, each.told, _summary(numbers.clean, level), _summary(numbers.worst, level), numbers.grows, witness)
        for each, numbers, witness in zip(entered, measured, crossed, strict=True)
    ]
    zero = problem.error(np.zeros(setting.dimension))
    # To 9 digits, so that of estimators that differ by rounding the one that was entered first goes first.
    ranked = tuple(sorted(performances, key=lambda each: float(f"{each.worst.quantile:.9g}")))
    return Comparison(setting, spent, runs, ranked, zero, problem.counts.size, largest_size(setting))


def _each(function: Callable[[_Task], R], tasks: Sequence[_Task], jobs: int) -> list[R]:
    """function(task) for each task, in their order."""
    results = dict(completed(function, tasks, jobs))
    return [results[position] for position in range(len(tasks))]


def _require_runs(runs: int, level: float) -> None:
    least = 1
    while True:
        try:
            quantile_interval(np.zeros(least), QUANTILE, level)
            break
        except ValueError:
            least += 1
    require(runs >= least, f"runs = {runs}: must be >= {least} (for intervals of the {QUANTILE:.0%} quantile)")


def _searched(task: _Task) -> CorruptionWitness:
    return worst_corruption(task.setting, task.contender, task.effort)


def _crossed(task: _Task) -> CorruptionWitness:
    """The worst, for this contender, of the corruptions that were found for any."""
    problem, draws = problem_of(task.setting), search_draws(task.setting, task.effort.draws)
    known = [mean_error(problem, task.contender.estimator, each, draws) for each in task.corruptions]
    worst, error = worst_of(dict(zip(task.corruptions, known, strict=True)))
    return CorruptionWitness(task.setting, task.contender.name, worst, error, task.effort.draws)


def _measured(task: _Task) -> _Measured:
    problem, estimator, (corruption,) = problem_of(task.setting), task.contender.estimator, task.corruptions
    sides = np.array(
        [
            [errors(problem, estimator, each, [draw])[0] for each in (None, corruption)]
            for draw in (drawn(problem, Purpose.MEASURE, run) for run in range(task.runs))
        ]
    )
    draws = search_draws(task.setting, task.effort.draws)
    farther = replace(corruption, size=BEYOND * largest_size(task.setting))
    near, far = (mean_error(problem, estimator, each, draws) for each in (replace(corruption, size=largest_size(task.setting)), farther))
    return _Measured(sides[:, 0], sides[:, 1], not far <= GROWTH * near or not math.isfinite(far))


def _summary(values: Floats, level: float) -> Summary:
    low, middle, high = quantile_interval(values, QUANTILE, level)
    return Summary(float(values.mean()), middle, low, high, float(values.max()))
