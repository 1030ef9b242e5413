"""The search for the worst corruption: named simple ones, then Hypothesis over all families, then other targets and arms for the worst one,
then Nelder and Mead on the values.

An adversary who knows the estimator, theta* and all reports maximises the estimator's mean error over a few draws. What he finds is a
hypothesis: its error is measured on draws that no search has seen (`comparison`). A search can only show that an estimator is bad: the true
worst case is at least as bad as the worst one found.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.estimators.linear.protocol import LinearEstimator
from banditproof.audits.estimation.corruption import Corruption, Family, corrupted
from banditproof.audits.estimation.problem import Draw, Problem, drawn, largest_report, problem_of
from banditproof.audits.estimation.setting import Positions, Purpose, Rewards, Setting
from banditproof.guarantees import require
from banditproof.interaction import Floats
from banditproof.randomness import key_of

LARGEST = 100.0  # times the size that no clean report exceeds: how large a corrupted report may be
LEAST = 0.1  # reward units: the smallest size that is tried
FAILURE = 0.01  # probability that what an estimator is told of a run is wrong
STARTS = 2  # corruptions that the search over values starts from
TARGETS, FRACTIONS = 12, 8  # arms and fractions of attacked arms that are tried in place of those of the worst corruption


@dataclass(frozen=True)
class Contender:
    """An estimator under a name, what it is told in words, and sizes of corrupted reports that an adversary would try on it."""

    name: str
    estimator: LinearEstimator
    told: str
    sizes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Effort:
    """How much a search may do: examples of Hypothesis, evaluations of each search over values, and draws per evaluation."""

    examples: int = 60
    evaluations: int = 25
    draws: int = 4

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            require(value >= 1, f"{name} = {value}: must be an integer >= 1 (effort of a search)")


@dataclass(frozen=True)
class CorruptionWitness:
    """The worst corruption found for a contender of this name, and its mean error over the first `draws` draws of the search."""

    setting: Setting
    contender: str
    corruption: Corruption
    error: float
    draws: int
    kind: ClassVar[str] = "corruption"

    def rows(self) -> list[tuple[str, Any]]:
        """The estimator, the corruption in words, and the error that the search saw."""
        found = f"{self.error:.4g} in {self.draws} draws of the search"
        return [("estimator", self.contender), ("corruption", self.corruption.describe()), ("error", found)]

    def to_json(self) -> dict[str, Any]:
        """All fields as plain data: with the estimator they are enough for a replay."""
        setting = {**asdict(self.setting), "rewards": self.setting.rewards.value, "positions": self.setting.positions.value}
        return {**asdict(self), "setting": setting, "corruption": self.corruption.to_json()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "CorruptionWitness":
        """The inverse of `to_json`. Raises ValueError, naming the field, on one that is missing or unknown."""
        wrong = sorted({"setting", "contender", "corruption", "error", "draws"} ^ set(record))
        require(not wrong, f"witness {cls.__name__}: field {wrong[0] if wrong else ''!r} is missing, or is not one of its fields")
        known = record["setting"]
        setting = Setting(**{**known, "rewards": Rewards(known["rewards"]), "positions": Positions(known["positions"])})
        corruption = Corruption.from_json(record["corruption"])
        return cls(setting, str(record["contender"]), corruption, float(record["error"]), int(record["draws"]))

    def replayed(self, estimator: LinearEstimator) -> float:
        """The mean error of the estimator on the draws of the search, again: `error`, where it is the same estimator."""
        return mean_error(problem_of(self.setting), estimator, self.corruption, search_draws(self.setting, self.draws))


def search_draws(setting: Setting, draws: int) -> list[Draw]:
    """The first draws of a search, the same for every estimator."""
    return [drawn(problem_of(setting), Purpose.SEARCH, run) for run in range(draws)]


def errors(problem: Problem, estimator: LinearEstimator, corruption: Corruption | None, draws: list[Draw]) -> Floats:
    """The largest error over the arms in each draw, with the corruption or without one."""
    rows = problem.arms[problem.played]
    return np.array(
        [
            problem.error(estimator.estimate(rows, problem.index, reports, draw.key))
            for draw in draws
            for reports in (draw.reports if corruption is None else corrupted(problem, draw, corruption),)
        ]
    )


def mean_error(problem: Problem, estimator: LinearEstimator, corruption: Corruption | None, draws: list[Draw]) -> float:
    """The mean of `errors`."""
    return float(errors(problem, estimator, corruption, draws).mean())


def largest_size(setting: Setting) -> float:
    """The largest size of a corrupted report: LARGEST times the bound on clean reports."""
    return LARGEST * largest_report(setting, FAILURE, setting.samples)


def simple_corruptions(problem: Problem, sizes: tuple[float, ...] = ()) -> dict[str, Corruption]:
    """Named corruptions that somebody would try by hand, against the arm that least squares can be moved most at.

    The sizes are 1, the bound on clean reports, the largest one allowed, and those of the contender.
    """
    setting = problem.setting
    target, few = _targets(problem)[0], 1.0 / problem.counts.size
    bound = largest_report(setting, FAILURE, setting.samples)
    found = dict[str, Corruption]()
    for size in sorted({1.0, bound, largest_size(setting), *(min(each, largest_size(setting)) for each in sizes)}):
        base = Corruption(Family.PUSH, size, target)
        found |= {f"{family.value} {size:.6g}": replace(base, family=family) for family in Family}
        found[f"constant -{size:.6g}"] = replace(base, family=Family.CONSTANT, sign=-1)
        found[f"push {size:.6g} at one arm"] = replace(base, attacked=few)
    return found


def worst_corruption(setting: Setting, contender: Contender, effort: Effort) -> CorruptionWitness:
    """The corruption with the largest mean error that the search meets: at least as bad as each simple one. Deterministic for a setting.

    Exceptions of the estimator pass through.
    """
    problem, draws = problem_of(setting), search_draws(setting, effort.draws)
    known = dict[Corruption, float]()

    def error(corruption: Corruption) -> float:
        if corruption not in known:
            known[corruption] = mean_error(problem, contender.estimator, corruption, draws)
        return known[corruption]

    for corruption in simple_corruptions(problem, contender.sizes).values():
        error(corruption)
    seed = int(key_of(setting.seed, "estimation", "search", contender.name)[0])
    _structures(problem, error, effort.examples, seed)
    for swept in (_elsewhere, _on_other_arms):
        for corruption in swept(problem, worst_of(known)[0]):
            error(corruption)
    for start in sorted(known, key=lambda each: -known[each])[:STARTS]:
        _values(start, error, effort.evaluations, largest_size(setting))
    worst, highest = worst_of(known)
    return CorruptionWitness(setting, contender.name, worst, highest, effort.draws)


def worst_of(known: Mapping[Corruption, float]) -> tuple[Corruption, float]:
    """The corruption of the largest error, with it. Of equal ones that of the largest size: it does more in a run in which the estimator
    is told something wrong, as a trimmed mean is now and then."""
    worst = max(known, key=lambda each: (known[each], each.size))
    return worst, known[worst]


def _targets(problem: Problem) -> list[int]:
    """At most TARGETS arms, those first at which least squares can be moved most."""
    influence = problem.arms[problem.played] @ problem.gram_inverse @ problem.arms.T
    reach = problem.counts @ np.abs(influence)
    return [int(arm) for arm in np.argsort(-reach, kind="stable")[:TARGETS]]


def _elsewhere(problem: Problem, worst: Corruption) -> list[Corruption]:
    """The corruption at other targets, with both signs, and a push in its place: other families may be bad at one target alone."""
    return [
        replace(worst, family=family, target=target, sign=sign)
        for family in dict.fromkeys((worst.family, Family.PUSH))
        for target in _targets(problem)
        for sign in (1, -1)
    ]


def _on_other_arms(problem: Problem, worst: Corruption) -> list[Corruption]:
    """The corruption on fewer or more arms, with the same size, or the size at which the sum of squares is the same."""
    played = problem.counts.size
    numbers = sorted({math.ceil(played * part / FRACTIONS) for part in range(1, FRACTIONS + 1)})
    return [
        replace(worst, attacked=number / played, size=min(size, largest_size(problem.setting)))
        for number in numbers
        for size in (worst.size, worst.size * math.sqrt(played * worst.attacked / number))
    ]


def _structures(problem: Problem, error: Callable[[Corruption], float], examples: int, seed: int) -> None:
    """Hypothesis proposes corruptions of all families and is told the error of each."""
    from hypothesis import currently_in_test_context

    if not currently_in_test_context():
        _proposed(problem, error, examples, seed)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as aside:  # Hypothesis refuses a search inside a property test of the same thread
        aside.submit(_proposed, problem, error, examples, seed).result()


def _proposed(problem: Problem, error: Callable[[Corruption], float], examples: int, seed: int) -> None:
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings, target
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    played = problem.counts.size
    exponents = st.floats(math.log10(LEAST), math.log10(largest_size(problem.setting)))
    corruptions = st.builds(
        Corruption,
        st.sampled_from(Family),
        exponents.map(lambda exponent: 10.0**exponent),
        st.integers(0, len(problem.arms) - 1),
        st.sampled_from((1, -1)),
        st.integers(1, played).map(lambda number: number / played),
        st.sampled_from((1.0, 0.75, 0.5, 0.25)),
    )
    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.target),
    )
    raised: list[Exception] = []

    @seeded(seed)
    @quiet
    @given(corruptions)
    def propose(corruption: Corruption) -> None:
        if raised:
            return
        try:
            target(min(error(corruption), 1e6))
        except Exception as failure:  # the estimator's: no example for Hypothesis to look at again
            raised.append(failure)

    propose()
    if raised:
        raise raised[0]


def _values(start: Corruption, error: Callable[[Corruption], float], evaluations: int, largest: float) -> None:
    """Nelder and Mead (1965) over the logarithm of the size and the fraction that is used, from a corruption on; it takes no random
    numbers."""
    from scipy.optimize import minimize

    def loss(point: Floats) -> float:
        return -error(replace(start, size=min(float(10.0 ** point[0]), largest), used=float(min(max(point[1], 0.01), 1.0))))

    begin = math.log10(max(start.size, LEAST))
    low, high = math.log10(LEAST), math.log10(largest)
    inside = min(max(begin, low), high)
    step = -0.15 if inside > (low + high) / 2.0 else 0.15
    simplex = np.array(
        [[inside, start.used], [inside + step, start.used], [inside, start.used - 0.2 if start.used > 0.5 else start.used + 0.2]]
    )
    bounds = [(low, high), (0.01, 1.0)]
    minimize(loss, simplex[0], method="Nelder-Mead", bounds=bounds, options={"maxfev": evaluations, "initial_simplex": simplex})
