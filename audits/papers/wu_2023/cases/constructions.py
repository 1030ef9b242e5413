"""wu_2023: the two problems of the lower bound and their outliers, in exact fractions, beside the numbers of the proof of Theorem 4.1.

PROBLEMS         distributions, moments, gaps and the weights of both problems
CONTAMINATIONS   outliers with which both problems look alike, and the corruptions that draw them
RARITY           gamma of the private part
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

from banditproof.algorithms.environments import two_point
from banditproof.algorithms.environments.huber import ArmHuber, TwoValues
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.audits.common.drawn_rewards import NEARLY, RAISED, apart
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import lower_bound

GAMMAS, MOMENTS = (Fraction(1, 4), Fraction(2, 5), Fraction(1)), (2, 3, 5)
HALF, THIRD, TENTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
BEST, OTHER, RAISED_ARM = 5 * TENTH, 3 * TENTH, 7 * TENTH  # c of arm 0, of the others, and of the changed one
Masses = Mapping[Fraction, Fraction]


def between(compute: Callable[[], Masses], stated: Masses) -> Fraction:
    """The sum of the distances of all probabilities; large for code that raises."""
    try:
        found = compute()
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return RAISED
    return sum((abs(Fraction(found.get(each, 0)) - stated.get(each, 0)) for each in {*found, *stated}), Fraction(0))


def two_values(probability: Fraction, gamma: Fraction) -> dict[Fraction, Fraction]:
    """1/gamma with a probability, else 0."""
    return {1 / gamma: probability, Fraction(0): 1 - probability}


def _distributions() -> Iterator[At]:
    for gamma, moment, weight in product(GAMMAS, MOMENTS, (BEST, THIRD, Fraction(0), Fraction(1))):
        shown, probability = {"gamma": gamma, "k": moment, "c": weight}, weight * gamma**moment
        stated = two_values(probability, gamma)
        found = between(lambda c=weight, g=gamma, k=moment: two_point.two_point_distribution(c, g, k), stated)  # type: ignore[misc]
        yield At(shown, found, 0)
    three = {Fraction(3): HALF, Fraction(-2): THIRD, Fraction(1, 5): 1 - HALF - THIRD}
    for order in (1, 2, 3):
        stated_moment = HALF * 3**order + THIRD * (-2) ** order + (1 - HALF - THIRD) * Fraction(1, 5**order)
        yield At({"k": order}, apart(lambda k=order: two_point.raw_moment(three, k), stated_moment), NEARLY)  # type: ignore[misc]
    two = {Fraction(3): TENTH, Fraction(7): 1 - TENTH}
    for one, other in ((three, two), (two, three)):
        found = apart(lambda p=one, q=other: two_point.total_variation(p, q), Fraction(9, 10))  # type: ignore[misc]
        yield At({"total variation": len(one)}, found, NEARLY)
    mixed = {Fraction(3): HALF * 3 / 4 + TENTH / 4, Fraction(-2): THIRD * 3 / 4, Fraction(1, 5): Fraction(1, 8), Fraction(7): Fraction(9, 40)}
    yield At({"mixture": 4}, between(lambda: two_point.mixture(three, two, Fraction(1, 4)), mixed), 0)


def _weights(compute: Callable[[], TwoPoint], stated: tuple[Fraction, ...], gamma: Fraction, moment: int) -> Fraction:
    """Distance of the numbers of a problem from c of each arm, gamma and k."""
    return apart(lambda: [*(float(each) for each in compute().weights), compute().gamma, compute().moment], [*stated, gamma, moment])


def _problems() -> Iterator[At]:
    for gamma, moment, arms, changed in product(GAMMAS, MOMENTS, (2, 4), (1, 3)):
        shown = {"gamma": gamma, "k": moment, "K": arms, "changed": changed}
        others, known = (OTHER,) * (arms - 1), {"arms": arms, "gamma": gamma, "moment": moment}
        gap = gamma ** (moment - 1) * 2 * TENTH
        first = _weights(lambda known=known: two_point.first_instance(**known), (BEST, *others), gamma, moment)  # type: ignore[misc]
        yield At({**shown, "of": "the first"}, first, NEARLY)
        yield At({**shown, "of": "gap"}, apart(lambda g=gamma, k=moment: two_point.gap(g, k), gap), NEARLY)  # type: ignore[misc]
        level = apart(lambda g=gamma, k=moment: two_point.alpha(g, k), gamma**moment)  # type: ignore[misc]
        yield At({**shown, "of": "alpha"}, level, NEARLY)
        gaps = apart(lambda known=known: two_point.first_instance(**known).gaps(), (0, *(gap,) * (arms - 1)))  # type: ignore[misc]
        yield At({**shown, "of": "gaps of the first"}, gaps, NEARLY)
        if changed >= arms:
            continue
        known = {**known, "changed": changed}
        raised = tuple(BEST if arm == 0 else RAISED_ARM if arm == changed else OTHER for arm in range(arms))
        second = _weights(lambda known=known: two_point.second_instance(**known), raised, gamma, moment)  # type: ignore[misc]
        yield At({**shown, "of": "the second"}, second, NEARLY)
        stated = tuple((RAISED_ARM - each) * gamma ** (moment - 1) for each in raised)
        gaps = apart(lambda known=known: two_point.second_instance(**known).gaps(), stated)  # type: ignore[misc]
        yield At({**shown, "of": "gaps of the second"}, gaps, NEARLY)
        for arm, weight in enumerate(raised):
            own = between(
                lambda known=known, arm=arm: two_point.second_instance(**known).distributions()[arm],  # type: ignore[misc]
                two_values(weight * gamma**moment, gamma),
            )
            yield At({**shown, "distribution of": arm}, own, 0)


def _rows(corruption: ArmHuber) -> list[float]:
    return [corruption.contamination, *(number for each in corruption.distributions for number in each)]


def _contaminations() -> Iterator[At]:
    for gamma, moment, arms, changed in product(GAMMAS, MOMENTS, (2, 4), (1, 2)):
        if changed >= arms:
            continue
        shown = {"gamma": gamma, "k": moment, "K": arms, "changed": changed}
        alpha = gamma**moment
        weight = 4 * TENTH * (1 - alpha)
        own, others = two_values(weight, gamma), {Fraction(0): Fraction(1)}
        for place, stated in enumerate((own, others)):
            drawn = between(lambda g=gamma, k=moment, i=place: two_point.outliers(g, k)[i], stated)  # type: ignore[misc]
            yield At({**shown, "outliers": place}, drawn, 0)
        known = {"arms": arms, "gamma": gamma, "moment": moment}
        rows = [number for arm in range(arms) for number in ((0.0, 1 / gamma, weight) if arm == changed else (0.0, 0.0, 1.0))]
        first = apart(
            lambda known=known, changed=changed: _rows(two_point.first_contamination(**known, changed=changed)),  # type: ignore[misc]
            [alpha, *rows],
        )
        yield At({**shown, "of": "the first"}, first, NEARLY)
        second = apart(
            lambda known=known: _rows(two_point.second_contamination(**known)),  # type: ignore[misc]
            [alpha, *(0.0, 0.0, 1.0) * arms],
        )
        yield At({**shown, "of": "the second"}, second, NEARLY)
        kinds = [isinstance(each, TwoValues) for each in two_point.second_contamination(**known).distributions]
        yield At({**shown, "of": "kinds"}, Fraction(sum(kinds)), arms)
        # both problems look alike: (1 - alpha) of the inliers and alpha of the outliers
        one = (1 - alpha) * OTHER * alpha + alpha * weight
        other = (1 - alpha) * RAISED_ARM * alpha
        yield At({**shown, "of": "both problems"}, abs(one - other), 0)


def _rarity() -> Iterator[At]:
    for arms, horizon, epsilon, root, moment in ((10, 90, 0.4, 0.5, 2.0), (2, 64, 1.0, 0.25, 3.0), (28, 27, 1.0, 1.0, 3.0)):
        found = apart(
            lambda K=arms, T=horizon, e=epsilon, k=moment: two_point.private_gamma(K, T, epsilon=e, moment=k),  # type: ignore[misc]
            root,
        )
        yield At({"K": arms, "T": horizon, "epsilon": epsilon, "k": moment}, found, NEARLY)
    for value in (two_point.TwoPoint.typical["gamma"],):
        ends = apart(lambda v=value: [0 < v.low <= 1, 0 < v.high <= 1], [1, 1])  # type: ignore[misc]
        yield At({"of": "gammas that the conformance tests draw"}, ends, NEARLY)


def _audit(theorem: Theorem, name: str, label: str, points: Callable[[], Iterator[At]], domain: str) -> Audit:
    return Audit(theorem.id, f"points.{name}", label, Pointwise(points, domain, "distance"))


_GRID = "gamma 1/4, 2/5, 1, k 2, 3, 5, two and four arms"
AUDITS = (
    _audit(lower_bound.TWO_POINT_PROBLEMS, "distributions", "distributions on two values", _distributions, _GRID),
    _audit(lower_bound.TWO_POINT_PROBLEMS, "problems", "weights and gaps of both problems", _problems, _GRID),
    _audit(lower_bound.LOWER_BOUND_CONTAMINATED, "outliers", "outliers of both problems", _contaminations, _GRID),
    _audit(lower_bound.LOWER_BOUND_PRIVATE, "rarity", "gamma of the private part", _rarity, "three settings"),
)
