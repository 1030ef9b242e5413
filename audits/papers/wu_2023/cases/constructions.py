"""wu_2023: the two problems of the lower bound and their outliers, in exact fractions, beside the numbers of the proof of Theorem 4.1.

PROBLEMS         distributions, moments, gaps and the weights of both problems
CONTAMINATIONS   outliers with which both problems look alike, and the corruptions that draw them
RARITY           gamma of the private part
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from banditproof.algorithms.environments import two_point
from banditproof.algorithms.environments.huber import ArmHuber
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.audits.common.drawn_rewards import near
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import lower_bound

GAMMAS, MOMENTS = (Fraction(1, 4), Fraction(3, 7), Fraction(1)), (2, 3, 5)
HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
BEST, OTHER, CHANGED = 5 * TENTH, 3 * TENTH, 7 * TENTH  # c of arm 0, of the others, and of the changed one


def two_values(probability: Fraction, gamma: Fraction) -> dict[Fraction, Fraction]:
    """1/gamma with a probability, else 0."""
    return {1 / gamma: probability, Fraction(0): 1 - probability}


def masses(values: Iterable[Fraction], compute: Callable[..., Mapping[Fraction, Fraction]], *arguments: Any) -> list[Any]:
    """How many values a distribution has, and the probabilities of these."""
    found = compute(*arguments)
    return [len(found), *(found.get(value, -1) for value in values)]


def alike(stated: Mapping[Fraction, Fraction], shown: Mapping[str, Any], compute: Callable[..., Any], *arguments: Any) -> At:
    """A point: a distribution that is computed beside the stated one."""
    return near(shown, [len(stated), *stated.values()], masses, tuple(stated), compute, *arguments)


def _distributions() -> Iterator[At]:
    for gamma, moment, weight in product(GAMMAS, MOMENTS, (BEST, THIRD, Fraction(0), Fraction(1))):
        shown = {"gamma": gamma, "k": moment, "c": weight}
        yield alike(two_values(weight * gamma**moment, gamma), shown, two_point.two_point_distribution, weight, gamma, moment)
    three = {Fraction(3): HALF, Fraction(-2): THIRD, Fraction(1, 5): 1 - HALF - THIRD}
    for order in (1, 2, 3):
        stated = HALF * 3**order + THIRD * (-2) ** order + (1 - HALF - THIRD) * Fraction(1, 5**order)
        yield near({"k": order}, stated, two_point.raw_moment, three, order)
    two = {Fraction(3): TENTH, Fraction(7): 1 - TENTH}
    for one, other in ((three, two), (two, three)):
        yield near({"total variation": len(one)}, 0.9, two_point.total_variation, one, other)
    quarter = Fraction(1, 4)
    mixed = {Fraction(3): Fraction(2, 5), Fraction(-2): quarter, Fraction(1, 5): Fraction(1, 8), Fraction(7): Fraction(9, 40)}
    yield alike(mixed, {"mixture": 4}, two_point.mixture, three, two, quarter)


def _numbers(problem: Callable[..., TwoPoint], *arguments: Any) -> list[Any]:
    """c of each arm, gamma and k."""
    found = problem(*arguments)
    return [*found.weights, found.gamma, found.moment]


def _gaps(problem: Callable[..., TwoPoint], *arguments: Any) -> tuple[Fraction, ...]:
    return problem(*arguments).gaps()


def _of_arm(problem: Callable[..., TwoPoint], arm: int) -> Mapping[Fraction, Fraction]:
    return problem().distributions()[arm]


def _problems() -> Iterator[At]:
    for gamma, moment, arms, changed in product(GAMMAS, MOMENTS, (2, 4), (1, 3)):
        if changed >= arms:
            continue
        shown = {"gamma": gamma, "k": moment, "K": arms, "changed": changed}
        size = gamma ** (moment - 1)
        yield near({**shown, "of": "gap"}, size / 5, two_point.gap, gamma, moment)
        yield near({**shown, "of": "alpha"}, gamma**moment, two_point.alpha, gamma, moment)
        others = (OTHER,) * (arms - 1)
        first = partial(two_point.first_instance, arms, gamma, moment=moment)
        yield near({**shown, "of": "the first"}, [BEST, *others, gamma, moment], _numbers, first)
        yield near({**shown, "of": "gaps of the first"}, [0, *(size / 5,) * (arms - 1)], _gaps, first)
        raised = tuple(BEST if arm == 0 else CHANGED if arm == changed else OTHER for arm in range(arms))
        second = partial(two_point.second_instance, arms, gamma, moment=moment, changed=changed)
        yield near({**shown, "of": "the second"}, [*raised, gamma, moment], _numbers, second)
        yield near({**shown, "of": "gaps of the second"}, [(CHANGED - each) * size for each in raised], _gaps, second)
        for arm, weight in enumerate(raised):
            yield alike(two_values(weight * gamma**moment, gamma), {**shown, "distribution of": arm}, _of_arm, second, arm)


def _rows(corruption: Callable[[], ArmHuber]) -> list[float]:
    found = corruption()
    return [found.contamination, *(number for each in found.distributions for number in each)]


def _contaminations() -> Iterator[At]:
    for gamma, moment, arms, changed in product(GAMMAS, MOMENTS, (2, 4), (1, 2)):
        if changed >= arms:
            continue
        shown = {"gamma": gamma, "k": moment, "K": arms, "changed": changed}
        alpha = gamma**moment
        weight = 4 * TENTH * (1 - alpha)
        for place, stated in enumerate((two_values(weight, gamma), {Fraction(0): Fraction(1)})):
            yield alike(stated, {**shown, "outliers": place}, _outliers, gamma, moment, place)
        rows = [number for arm in range(arms) for number in ((0, 1 / gamma, weight) if arm == changed else (0, 0, 1))]
        first = partial(two_point.first_contamination, arms, gamma, moment=moment, changed=changed)
        yield near({**shown, "of": "the first"}, [alpha, *rows], _rows, first)
        second = partial(two_point.second_contamination, arms, gamma, moment=moment)
        yield near({**shown, "of": "the second"}, [alpha, *(0, 0, 1) * arms], _rows, second)


def _outliers(gamma: Fraction, moment: int, place: int) -> Mapping[Fraction, Fraction]:
    return two_point.outliers(gamma, moment)[place]


def _rarity() -> Iterator[At]:
    for arms, horizon, epsilon, moment, root in ((10, 90, 0.4, 2.0, 0.5), (2, 64, 1.0, 3.0, 0.25), (28, 27, 1.0, 3.0, 1.0)):
        shown = {"K": arms, "T": horizon, "epsilon": epsilon, "k": moment}
        yield near(shown, root, partial(two_point.private_gamma, arms, horizon, epsilon=epsilon, moment=moment))


def _audit(theorem: Theorem, name: str, label: str, points: Callable[[], Iterator[At]], domain: str) -> Audit:
    return Audit(theorem.id, f"points.{name}", label, Pointwise(points, domain, "distance"))


_GRID = "gamma 1/4, 3/7, 1, k 2, 3, 5, two and four arms"
AUDITS = (
    _audit(lower_bound.TWO_POINT_PROBLEMS, "distributions", "distributions on two values", _distributions, _GRID),
    _audit(lower_bound.TWO_POINT_PROBLEMS, "problems", "weights and gaps of both problems", _problems, _GRID),
    _audit(lower_bound.LOWER_BOUND_CONTAMINATED, "outliers", "outliers of both problems", _contaminations, _GRID),
    _audit(lower_bound.LOWER_BOUND_PRIVATE, "rarity", "gamma of the private part", _rarity, "three settings"),
)
