"""charisopoulos_2023: where the bounds on the regret say anything, the suppressed orders beside explicit bounds, the dominance map.

Vacuity is asked with K = 50, d = 5, B = ceil(log T), delta = delta'/(K T^2), delta' = 1/T, and every constant 1.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.audits.methods.orders import audits_of
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import sqrt
from banditproof.glossary import DIMENSION, EPSILON, FAILURE, HORIZON, SAMPLES
from banditproof.glossary.charisopoulos_2023 import (
    BATCHES,
    CORRUPTION,
    FILTER_CONSTANT,
    M1_REGRET_CONSTANT,
    REPORT_NORM,
)
from banditproof.theory.language import Sense, Theorem, symbol
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair
from banditproof.theory.papers.charisopoulos_2023 import budget, comparisons, filter, introduction, regret, regret_m2
from banditproof.theory.papers.charisopoulos_2023.dominance import Region
from banditproof.theory.papers.charisopoulos_2023.rates import RATES, dominance

# --- vacuity ----------------------------------------------------------------------------------------------------------------------------

ARMS, DIM = 50, 5
_FIXED: Mapping[str, Any] = {
    "dimension": DIM,
    "m1_regret_constant": 1,
    "m2_regret_constant": 1,
    "corruption_constant": 1,
    "noise_constant": 1,
    "support": 16,
    "truncation_parameter": Fraction(1, 16),
}


def bound_at(theorem: Theorem, corruption: str, epsilon: int, horizon: int) -> float:
    """The bound at a horizon, with the batches and the failure probability that the proof takes."""
    known = {
        **_FIXED,
        "horizon": horizon,
        "batches": max(2, math.ceil(math.log(horizon))),
        "failure": Fraction(1, ARMS * horizon**3),
        "corruption": corruption,
        "epsilon": epsilon,
    }
    given = {quantity.name for quantity in theorem.stated().given}
    return theorem.at(**{name: value for name, value in known.items() if name in given}).bound


def more_batches(most: int) -> Iterator[int]:
    """Horizons at which B = ceil(log T) grows."""
    return (math.floor(math.exp(power)) + 1 for power in range(1, math.ceil(math.log(most))))


def vacuity(theorem: Theorem, corruption: str, epsilon: int, claimed: int | None = None) -> Vacuity:
    """From which horizon the bound is below 2 T."""
    parameters = {"K": ARMS, "d": DIM, "alpha": corruption, "epsilon": epsilon, "B": "ceil(log T)", "delta'": "1/T"}
    return Vacuity(partial(bound_at, theorem, corruption, epsilon), 2.0, claimed, least=8, parameters=parameters, jumps=more_batches)


ALPHAS, EPSILONS = ("0", "1/100000", "1/1000", "1/20"), (1, 10**6)
VACUITY = tuple(
    Audit(
        theorem.id,
        f"vacuity.{swept(alpha=alpha, eps=epsilon)}",
        f"from which horizon the bound says anything, alpha = {alpha}, epsilon = {epsilon}",
        vacuity(theorem, alpha, epsilon),
    )
    for theorem in (regret.REGRET_M1, regret.CHAIN_M1, regret.CHAIN_M1_BY_INTERVAL, regret_m2.REGRET_M2, regret_m2.CHAIN_M2)
    for alpha, epsilon in itertools.product(ALPHAS, EPSILONS)
)
CONSTANT_FRACTION = (
    Audit(
        regret.REGRET_M1.id,
        "vacuity.constant_fraction_as_printed",
        "Theorem 3.4 for a constant fraction of corrupted reports, alpha = 1/20, at 10^12 rounds without privacy",
        vacuity(regret.REGRET_M1, "1/20", 10**6, 10**12),
        Verdict.REFUTED,
    ),
)

# --- orders -------------------------------------------------------------------------------------------------------------------------------

_CONSTANT = Fixed(M1_REGRET_CONSTANT, "a constant that is not printed")
_LOGARITHMS = (Fixed(FAILURE, "O~ hides logarithms"), Fixed(HORIZON, "O~ hides logarithms"))
ORDERS = (
    Pair(introduction.INFORMAL_M1, regret.REGRET_M1, ((HORIZON, 10**6),), (*_LOGARITHMS, _CONSTANT)),
    Pair(
        introduction.INFORMAL_M1_FEW,
        regret.REGRET_M1,
        ((HORIZON, 10**6),),
        (*_LOGARITHMS, _CONSTANT, Fixed(EPSILON, "the rate without privacy")),
        fails=("dimension_high",),
    ),
    Pair(introduction.INFORMAL_M2, introduction.INSERTED_M2, ((HORIZON, 10**6),)),
    Pair(introduction.INFORMAL_M2_POWER, introduction.INSERTED_M2_POWER, ((HORIZON, 10**6),)),
    Pair(regret.ROOT_SUM_ORDER, regret.ROOT_SUM_OF, ((HORIZON, 10**6), (BATCHES, 14)), fails=("batches_high",)),
    Pair(regret.SIZE_SUM_ORDER, budget.SUM_OF_SIZES, ((HORIZON, 10**6), (BATCHES, 14)), fails=("batches_high",)),
    Pair(
        filter.FILTER_CLOSE,
        filter.FILTER_CLOSE_EXPLICIT,
        ((SAMPLES, 10**6),),
        (
            Fixed(FILTER_CONSTANT, "a constant of Theorem A.2"),
            Fixed(REPORT_NORM, "both are 0 without reports", End.LOW),
        ),
    ),
)
LIMITS = audits_of(*ORDERS)

# --- which rate is smallest where -------------------------------------------------------------------------------------------------------

MAPS = (
    ("M1", "budget"),
    ("M1 by (50)", "budget", "every policy"),
    ("private M1", "private M2", "every policy"),
    ("M1", "M1 by (50)", "budget", "every policy"),
)
_GRID = tuple(itertools.product((1, 2, 5), (3, 8, 20), (-1, -3, -6, -11), (-4, -1, 1, 3)))  # logarithms, base 10, of d, T, alpha, epsilon


@functools.cache
def _terms(name: str) -> tuple[tuple[Fraction, ...], ...]:
    """Exponents of d, T, alpha and epsilon of each term of a rate, from its values where one of them is 10 and the others 1."""
    axes = tuple(symbol(axis) for axis in (DIMENSION, HORIZON, CORRUPTION, EPSILON))

    def exponent(term: Any, moving: Any) -> Fraction:
        values = [float(term.subs({axis: ten if axis is moving else 1 for axis in axes})) for ten in (10, 1)]
        return Fraction(round(12.0 * math.log10(values[0] / values[1])), 12)

    return tuple(tuple(exponent(term, axis) for axis in axes) for term in RATES[name].expand().as_ordered_terms())


def size_of(name: str, logarithms: tuple[int, ...]) -> Fraction:
    """The largest term of a rate at powers of ten, as a logarithm: exact, since terms are monomials."""
    return max(sum((power * at for power, at in zip(term, logarithms, strict=True)), Fraction(0)) for term in _terms(name))


Holds = Callable[[tuple[str, ...], str, tuple[int, ...]], bool]


def mapped(names: tuple[str, ...], name: str, logarithms: tuple[int, ...]) -> bool:
    """Whether the shipped map says that a rate is the smallest at a point."""
    return _regions(names)[name].holds(logarithms)


@functools.cache
def _regions(names: tuple[str, ...]) -> Mapping[str, Region]:
    return dominance(names)


def by_force(holds: Holds) -> Iterator[At]:
    """For each map and rate: at how many points of a grid the map and the sizes themselves disagree."""
    for names in MAPS:
        sizes = [{name: size_of(name, point) for name in names} for point in _GRID]
        for name in names:
            wrong = sum(
                holds(names, name, point) is not (each[name] == min(each.values())) for point, each in zip(_GRID, sizes, strict=True)
            )
            yield At({"rates": ", ".join(names), "smallest": name, "points": len(_GRID)}, wrong, 0)


def gains(claimed: Callable[[int, Fraction], Any]) -> Iterator[At]:
    """The gain over a budget beside what the text claims of it."""
    for dimension in (2, 10, 20, 100):
        for corruption in ("1/100000", "1/1000", "1/25", "1/6"):
            gain = comparisons.GAIN_OVER_BUDGET.at(dimension=dimension, corruption=corruption).ball
            yield At({"d": dimension, "alpha": corruption}, gain, claimed(dimension, Fraction(corruption)))


def root_of_dimension(dimension: int, corruption: Fraction) -> Fraction:
    """What is claimed: sqrt(d), whatever alpha is."""
    return sqrt(dimension)


DOMINANCE = (
    Audit(
        comparisons.GAIN_AT_LEAST.id,
        "points.dominance_by_force",
        "the dominance map of the rates beside their sizes at powers of ten",
        Pointwise(partial(by_force, mapped), f"{len(_GRID)} points, {len(MAPS)} sets of rates", "points of disagreement"),
    ),
    Audit(
        comparisons.GAIN_AT_LEAST.id,
        "points.gain_as_printed",
        "the gain over a corruption budget against 'a factor of at least' sqrt(d)",
        Pointwise(partial(gains, root_of_dimension), "d = 2, 10, 20, 100, alpha = 1e-5, 1e-3, 1/25, 1/6", "gain", Sense.AT_LEAST),
        Verdict.REFUTED,
    ),
    Audit(
        comparisons.GAIN_IN_REGIMES.id,
        "points.gain_at_most",
        "the gain over a corruption budget is sqrt(d) at most",
        Pointwise(partial(gains, root_of_dimension), "d = 2, 10, 20, 100, alpha = 1e-5, 1e-3, 1/25, 1/6", "gain"),
    ),
)
