"""charisopoulos_2023: the shipped designs on drawn sets of arms, beside Definitions 1.5 and 1.6, and the plays of their coresets.

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
from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.algorithms.designs.optimal import g_optimal_design
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.sized import Sized
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats, Ints
from banditproof.randomness import generator, key_of
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import budget, confidence, designs, first_model, second_model

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

# --- coresets -------------------------------------------------------------------------------------------------------------------------

Counts = Callable[[Floats, float, float | None], Ints]  # weights, size, truncation -> (K,)
CASES = tuple(
    (Arms(shape, dimension, 5 * dimension), size, truncation)
    for shape in (Shape.GAUSSIAN, Shape.SPHERE)
    for dimension in (2, 5, 16)
    for size in (2.0, 7.3, 100.0, 12345.6)
    for truncation in (None, 0.02, 0.2)
)


def plays(counts: Counts, model: bool | None, bound: Callable[[float, int, float | None], object]) -> Iterator[At]:
    """Plays of each coreset of one model (True: the first, None: both) beside a bound of size, support and nu."""
    for arms, size, truncation in CASES:
        if model is None or model is (truncation is None):
            weights = shipped(arms)
            support = int(np.count_nonzero(weights))
            known = {**arms.named(), "m": size, "nu": truncation, "k": support}
            yield At(known, int(counts(weights, size, truncation).sum()), bound(size, support, truncation))


def plays_floor(size: float, support: int, truncation: float | None) -> object:
    return designs.PLAYS_FLOOR.at(size=Fraction(size)).ball


def most_first(size: float, support: int, truncation: float | None) -> object:
    return designs.PLAYS_FIRST.at(size=Fraction(size), support=support).ball


def most_second(size: float, support: int, truncation: float | None) -> object:
    return designs.PLAYS_SECOND.at(size=Fraction(size), support=support, truncation_parameter=Fraction(truncation or 0.0)).ball


def leverages(counts: Counts, weighted: bool, design: Callable[[Arms], Floats] = shipped) -> Iterator[At]:
    """mu of each coreset over what Lemma 3.2 (weighted by plays) or Lemma 3.7 (each support arm once) says of it."""
    for arms, size, truncation in CASES:
        if weighted is (truncation is None):
            weights, points = design(arms), arms.drawn()
            many = counts(weights, size, truncation).astype(float) if weighted else (weights > 0.0).astype(float)
            mu = largest_variance(points, many / many.sum(), arms.span) / many.sum()
            bound = (
                first_model.LEVERAGE_FIRST.at(dimension=arms.span, size=Fraction(size)).ball
                if weighted
                else second_model.LEVERAGE_SECOND.at(dimension=arms.span).ball
            )
            value = Fraction(mu) if math.isfinite(mu) else Fraction(10**9)
            yield At({**arms.named(), "m": size}, value / (1 + WIDER), bound)


def floors(counts: Counts, times: int = 1) -> Iterator[At]:
    """mu of each coreset of the first model, which is at least d/n; its counts taken so many times for the leverage."""
    for arms, size, truncation in CASES:
        if truncation is None:
            many = counts(shipped(arms), size, None).astype(float)
            mu = largest_variance(arms.drawn(), many / many.sum(), arms.span) / (times * many.sum())
            bound = confidence.LEVERAGE_FLOOR.at(dimension=arms.span, samples=int(many.sum())).ball
            yield At({**arms.named(), "m": size}, Fraction(mu) * (1 + WIDER), bound)


def total_plays() -> Iterator[At]:
    """The design of the derivation, with n the plays in all: d unit vectors of weight 1/(2 d), many short ones with the rest."""
    for dimension, short in ((4, 12), (16, 64)):
        size = 2.0 * dimension
        weights = np.append(np.full(dimension, 0.5 / dimension), np.full(short, 0.5 / short))
        arms = np.vstack([np.eye(dimension), np.full((short, dimension), 1e-9)])
        many = coreset_counts(weights, size).astype(float)
        mu = largest_variance(arms, many / many.sum(), dimension) / many.sum()
        bound = first_model.LEVERAGE_FIRST.at(dimension=dimension, size=int(many.sum())).ball
        yield At({"d": dimension, "short arms": short, "m": size, "plays": int(many.sum())}, Fraction(mu), bound)


def equal_weights(counts: Counts) -> Iterator[At]:
    """(57) at d arms of equal weight: each ceiling adds up to a play. d = 20: d log log d = 21.9 >= k."""
    for dimension in (20, 40):
        for size in (2.5, 10.0, 100.0):
            weights = np.full(dimension, 1.0 / dimension)
            bound = budget.PLAYS_M2_PRINTED.at(size=Fraction(size), dimension=dimension, truncation_parameter=Fraction(1, dimension)).ball
            yield At({"d": dimension, "m": size, "nu": f"1/{dimension}"}, int(counts(weights, size, 1.0 / dimension).sum()), bound)


COUNTED = "coresets of approximate designs, d = 2, 5, 16, m = 2 to 12345.6, nu = 0.02, 0.2"
CORESETS = (
    Audit(
        designs.PLAYS_FLOOR.id,
        "points.coresets",
        "plays of coresets of both models",
        Pointwise(partial(plays, coreset_counts, None, plays_floor), COUNTED, "plays", Sense.AT_LEAST),
    ),
    Audit(
        designs.PLAYS_FIRST.id,
        "points.coresets",
        "plays of coresets of the first model",
        Pointwise(partial(plays, coreset_counts, True, most_first), COUNTED, "plays"),
    ),
    Audit(
        designs.PLAYS_SECOND.id,
        "points.coresets",
        "plays of coresets of the second model",
        Pointwise(partial(plays, coreset_counts, False, most_second), COUNTED, "plays"),
    ),
    Audit(
        first_model.LEVERAGE_FIRST.id,
        "points.coresets",
        "the leverage of coresets of the first model, by the size parameter",
        Pointwise(partial(leverages, coreset_counts, True), COUNTED, "leverage"),
    ),
    Audit(
        first_model.LEVERAGE_FIRST.id,
        "points.total_plays_as_printed",
        "the leverage where n is the plays in all",
        Pointwise(total_plays, "d = 4 and 16, short arms", "leverage"),
        Verdict.REFUTED,
    ),
    Audit(
        second_model.LEVERAGE_SECOND.id,
        "points.coresets",
        "the leverage of supports, each arm once",
        Pointwise(partial(leverages, coreset_counts, False), COUNTED, "leverage"),
    ),
    Audit(
        confidence.LEVERAGE_FLOOR.id,
        "points.coresets",
        "the leverage of coresets from below",
        Pointwise(partial(floors, coreset_counts), COUNTED, "leverage", Sense.AT_LEAST),
    ),
    Audit(
        budget.PLAYS_M2_PRINTED.id,
        "points.equal_weights_as_printed",
        "plays of a coreset of d equal weights against (57)",
        Pointwise(partial(equal_weights, coreset_counts), "d = 20, 40, m = 2.5, 10, 100, nu = 1/d", "plays"),
        Verdict.REFUTED,
    ),
)
