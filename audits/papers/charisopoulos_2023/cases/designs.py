"""charisopoulos_2023: the shipped designs on drawn sets of arms, beside Definitions 1.5 and 1.6.

A design is certified by its largest variance: no design has less than d, and M(pi) is inverted here by itself, not by the design's own
arithmetic.

What is drawn is fixed by the shape and the numbers of the set, not by the seed of a run: the verdicts are about the sets that are listed.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import assert_never

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design
from banditproof.algorithms.designs.optimal import g_optimal_design
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.sized import Sized
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import designs

CLOSE = 1e-6  # relative, of the optimal design
WIDER = Fraction(1, 10**9)  # what rounding may add to a variance in double precision: relative
Weights = Callable[[Floats], Floats]  # arms (K, d) -> (K,)


class Shape(Enum):
    """How arms are drawn."""

    GAUSSIAN = "gaussian"
    SPHERE = "sphere"
    ILL = "ill_conditioned"  # coordinate j has scale 10^(-6 j/d)
    FLAT = "rank_deficient"  # Gaussian in a subspace of half the dimension


@dataclass(frozen=True)
class Arms:
    """A set of `count` arms in `dimension` coordinates."""

    shape: Shape
    dimension: int
    count: int

    @property
    def span(self) -> int:
        """The dimension that the arms span."""
        return max(1, self.dimension // 2) if self.shape is Shape.FLAT else self.dimension

    def drawn(self) -> Floats:
        """Arms (K, d)."""
        rng = generator(key_of(1, "charisopoulos_2023", "arms", self.shape.value, str(self.dimension), str(self.count)))
        arms = rng.standard_normal((self.count, self.dimension))
        match self.shape:
            case Shape.GAUSSIAN:
                return arms
            case Shape.SPHERE:
                return np.asarray(arms / np.linalg.norm(arms, axis=1, keepdims=True))
            case Shape.ILL:
                return arms * 10.0 ** (-6.0 * np.arange(self.dimension) / self.dimension)
            case Shape.FLAT:
                return np.asarray(arms[:, : self.span] @ rng.standard_normal((self.span, self.dimension)))
            case _:
                assert_never(self.shape)

    def named(self) -> dict[str, object]:
        return {"arms": self.shape.value, "d": self.dimension, "K": self.count}


def _sets(dimensions: tuple[int, ...], factors: tuple[int, ...]) -> tuple[Arms, ...]:
    return tuple(Arms(shape, dimension, factor * dimension) for shape in Shape for dimension in dimensions for factor in factors)


REDUCED = (*_sets((2, 3, 5, 10, 20), (10,)), *_sets((40,), (2,)))
WHOLE = _sets((2, 3, 5, 10, 20, 40), (2, 10, 50))
OPTIMA = _sets((2, 5, 10), (10,))  # reduced


def approximate(arms: Floats) -> Floats:
    """The shipped approximate design, max g <= 2 d."""
    return approximate_g_design(arms).weights


def optimal(arms: Floats) -> Floats:
    """The shipped optimal design, to CLOSE."""
    return g_optimal_design(arms, CLOSE).weights


@cache
def shipped_optimum(arms: Arms) -> Floats:
    """The optimal design's weights of a set."""
    return optimal(arms.drawn())


@cache
def shipped(arms: Arms) -> Floats:
    """The approximate design's weights of a set; several audits look at them."""
    return approximate(arms.drawn())


def largest_variance(points: Floats, weights: Floats, rank: int) -> float:
    """max a' M(pi)^-1 a in coordinates of the span, inverted directly."""
    _, _, basis = np.linalg.svd(points, full_matrices=False)
    inside = points @ basis[:rank].T
    scale = np.linalg.norm(inside, axis=0)
    inside = inside / scale
    moment = (inside * weights[:, np.newaxis]).T @ inside
    if np.linalg.matrix_rank(moment) < rank:
        return math.inf
    return float(np.einsum("ij,ij->i", inside @ np.linalg.inv(moment), inside).max())


def values(weights: Callable[[Arms], Floats], sets: tuple[Arms, ...], claimed: Callable[[Arms], float]) -> Iterator[At]:
    """The largest variance of each set's design beside a claim."""
    for arms in sets:
        found = weights(arms)
        largest = largest_variance(arms.drawn(), found, arms.span)
        value = Fraction(largest) if math.isfinite(largest) else Fraction(10**9)
        yield At(arms.named(), value / (1 + WIDER), Fraction(claimed(arms)))


def supports(weights: Callable[[Arms], Floats], sets: tuple[Arms, ...], claimed: Callable[[Arms], float]) -> Iterator[At]:
    """The number of support arms of each set's design beside a claim."""
    for arms in sets:
        yield At(arms.named(), int(np.count_nonzero(weights(arms))), Fraction(claimed(arms)))


def _twice(arms: Arms) -> float:
    return designs.APPROXIMATE_LEVERAGE.at(dimension=arms.span).bound


def support_for_code(arms: Arms) -> float:
    return designs.SUPPORT_FOR_CODE.at(dimension=arms.span).bound


def _printed(arms: Arms) -> float:
    return designs.SUPPORT_BOUND.at(dimension=arms.span, design_constant=1).bound


def spanning(arms: Arms) -> float:
    return designs.SPANNING_SUPPORT.at(dimension=arms.span).bound


DRAWN = "Gaussian, spherical, ill-conditioned and rank-deficient sets"


def _optimum(factor: float, arms: Arms) -> float:
    return designs.G_OPTIMAL.at(dimension=arms.span).bound * factor


def certificate(weights: Callable[[Arms], Floats], sense: Sense, factor: float) -> Sized:
    """The largest variance against d times a factor: no design is below d, and the optimal one is at it."""

    def of(sets: tuple[Arms, ...]) -> Pointwise:
        return Pointwise(partial(values, weights, sets, partial(_optimum, factor)), DRAWN, "largest variance", sense)

    return Sized(of(OPTIMA), of(WHOLE))


def variance_audit(weights: Callable[[Arms], Floats]) -> Sized:
    """The largest variance of approximate designs against 2 d."""

    def of(sets: tuple[Arms, ...]) -> Pointwise:
        return Pointwise(partial(values, weights, sets, _twice), DRAWN, "largest variance")

    return Sized(of(REDUCED), of(WHOLE))


def support_audit(weights: Callable[[Arms], Floats], claimed: Callable[[Arms], float], sense: Sense, least_span: int = 1) -> Sized:
    """The support of approximate designs against a claim, for sets that span so many dimensions at least."""

    def of(sets: tuple[Arms, ...]) -> Pointwise:
        taken = tuple(arms for arms in sets if arms.span >= least_span)
        return Pointwise(partial(supports, weights, taken, claimed), DRAWN, "support", sense)

    return Sized(of(REDUCED), of(WHOLE))


DESIGNS = (
    Audit(
        designs.G_OPTIMAL.id,
        "points.largest_variance",
        "the optimal design is within 1e-6 of d",
        certificate(shipped_optimum, Sense.AT_MOST, 1 + CLOSE),
    ),
    Audit(
        designs.G_OPTIMAL.id,
        "points.no_smaller_variance",
        "the optimal design is not below d, which no design is",
        certificate(shipped_optimum, Sense.AT_LEAST, 1 - 1e-8),
    ),
    Audit(designs.APPROXIMATE_LEVERAGE.id, "points.largest_variance", "approximate designs on drawn sets", variance_audit(shipped)),
    Audit(
        designs.SUPPORT_FOR_CODE.id,
        "points.support",
        "supports of approximate designs",
        support_audit(shipped, support_for_code, Sense.AT_MOST),
    ),
    Audit(
        designs.SPANNING_SUPPORT.id,
        "points.support",
        "supports of approximate designs from below",
        support_audit(shipped, spanning, Sense.AT_LEAST),
    ),
    Audit(
        designs.SUPPORT_BOUND.id,
        "points.support_as_printed",
        "supports of approximate designs against d log log d, the constant of line 4",
        support_audit(shipped, _printed, Sense.AT_MOST, 2),
        Verdict.REFUTED,
    ),
)
