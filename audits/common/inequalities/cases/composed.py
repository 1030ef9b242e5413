"""Composition and post-processing beside plain ones: which numbers are released, at which level, and what is refused.

RELEASES   folds of a mechanism are its own releases, one after the other; processed ones are held to the ends, then rounded
GUARANTEES the level of several folds for every kind of guarantee: sums, and for a Gaussian one the root of a sum of squares
SEEDS      folds and processed releases that cannot be started from a seed where the mechanism cannot
REFUSED    folds, ends and steps that are none
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.composition import Composition, PostProcessed
from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.audits.common.side_by_side import Refusal, beside, distance, refusals, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import (
    ApproximateDP,
    GaussianDP,
    Guarantee,
    NeighbouringRelation,
    PureDP,
    RenyiDP,
    View,
    ZeroConcentratedDP,
)
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

RELATION, VIEW = NeighbouringRelation.REPLACE_RECORD, View.WHITE_BOX
NEARLY = Fraction(1, 10**12)


@dataclass(frozen=True)
class Claimed:
    """Two numbers per run, which say how many numbers were drawn before, with any guarantee."""

    claim: Guarantee
    seedable: bool = True
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return Neighbours(RELATION, lengths=(1, 1), worst=(((0.0,), (1.0,)),))

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws 2 `runs` numbers."""
        return float(data[0]) + rng.normal(0.0, 2.0, (runs, 2))


PURE = Claimed(PureDP(0.3, RELATION, VIEW))
ODD = np.array([[-math.inf, -5.0, -1.0, -0.3751, 0.0], [0.12, 0.126, 1.9, 2.0, math.inf], [math.nan, 2.1, -0.9, 0.374, 1.0]])


@dataclass(frozen=True)
class Listed:
    """Releases what is listed."""

    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return PURE.claim

    def neighbours(self) -> Neighbours:
        return PURE.neighbours()

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """The first numbers that are listed; `rng` is not used."""
        return ODD[:runs].copy()


def held(value: float, low: float, high: float, step: float) -> float:
    """A number held to [low, high], then the nearest multiple of the step, if there is one; of two the even one. NaN stays."""
    if math.isnan(value):
        return value
    kept = min(max(value, low), high)
    return kept if step == 0.0 or math.isinf(kept) else round(kept / step) * step


def releases() -> Iterator[At]:
    """Numbers that differ."""
    for folds in (1, 2, 5):
        found = Composition(PURE, folds).release([0.5], 4, np.random.default_rng(folds))
        rng = np.random.default_rng(folds)
        expected = np.hstack([0.5 + rng.normal(0.0, 2.0, (4, 2)) for _ in range(folds)])
        yield At({"folds": folds}, unequal(found, expected), 0)
    for low, high, step in ((-1.0, 2.0, 0.25), (-math.inf, 1.5, 0.0), (-0.9, math.inf, 0.75), (-3.0, 1.0, 2.0), (-math.inf, math.inf, 0.0)):
        found = PostProcessed(Listed(), low, high, step).release([0.0], 3, np.random.default_rng(0))
        expected = np.array([[held(value, low, high, step) for value in row] for row in ODD.tolist()])
        yield At({"low": low, "high": high, "step": step}, unequal(found, expected), 0)


def numbers_of(claim: Guarantee) -> list[float]:
    match claim:
        case PureDP(epsilon):
            return [epsilon]
        case ApproximateDP(epsilon, delta):
            return [epsilon, delta]
        case ZeroConcentratedDP(rho):
            return [rho]
        case RenyiDP(order, epsilon):
            return [order, epsilon]
        case GaussianDP(mu):
            return [mu]


CLAIMS: tuple[tuple[Guarantee, list[float]], ...] = (  # what three folds have
    (PureDP(0.3, RELATION, VIEW), [0.9]),
    (ApproximateDP(0.4, 0.01, RELATION, VIEW), [1.2, 0.03]),
    (ZeroConcentratedDP(0.05, RELATION, VIEW), [0.15]),
    (RenyiDP(4.0, 0.2, RELATION, VIEW), [4.0, 0.6]),
    (GaussianDP(0.7, RELATION, VIEW), [0.7 * 3**0.5]),
)


def guarantees() -> Iterator[At]:
    """Distances of the levels; and another kind, relation or wire."""
    for one, expected in CLAIMS:
        for mechanism, numbers in ((Composition(Claimed(one), 3), expected), (PostProcessed(Claimed(one), -1.0, 1.0), numbers_of(one))):
            found, name = mechanism.guarantee(), f"{type(mechanism).__name__} of {type(one).__name__}"
            yield At({"of": name}, distance(numbers_of(found), numbers), NEARLY)
            same = type(found) is type(one) and found.relation is RELATION and found.view is VIEW
            yield At({"of": name, "compared": "kind, relation, view"}, int(not same), 0)
            yield At({"of": name, "compared": "neighbours"}, int(mechanism.neighbours() != Claimed(one).neighbours()), 0)


def seeds() -> Iterator[At]:
    """Of each whether it differs from the mechanism it is made of; one that does not say can be started from a seed."""
    for inner, expected in ((PURE, True), (Claimed(PURE.claim, False), False), (Listed(), True)):
        for outer in (Composition(inner, 2), PostProcessed(inner), PostProcessed(Composition(inner, 2))):
            yield At({"of": type(outer).__name__, "inner": type(inner).__name__}, int(outer.seedable is not expected), 0)


REFUSED: tuple[Refusal, ...] = (
    ("folds", lambda value: Composition(Laplace(1.0), value), (0, -1), (1, 2)),
    ("low", lambda value: PostProcessed(Laplace(1.0), value, 1.0), (1.0, 1.1, math.nan), (0.99, -math.inf)),
    ("step", lambda value: PostProcessed(Laplace(1.0), step=value), (-0.1, math.inf, math.nan), (0.0, 0.1, 5.0)),
    ("delta of 5 folds", lambda value: Composition(Claimed(ApproximateDP(1.0, value, RELATION)), 5).guarantee(), (0.2, 0.3), (0.19, 0.01)),
)

COMPOSED = tuple(
    Audit(theorem, f"points.{slug}", f"Composition and PostProcessed: {label}", beside(points, domain, quantity))
    for theorem, slug, label, points, domain, quantity in (
        (
            "inequalities.post_processing",
            "releases_composed",
            "what is released",
            releases,
            "1, 2, 5 folds; five ways to process",
            "numbers that differ",
        ),
        ("inequalities.basic_composition", "levels_composed", "levels", guarantees, "three folds of each kind of guarantee", "distance"),
        ("inequalities.post_processing", "seeds_composed", "seeds", seeds, "three mechanisms", "whether another"),
        (
            "inequalities.basic_composition",
            "composed_refused",
            "what is refused",
            lambda: refusals(REFUSED),
            "listed values, and those at the ends",
            "values taken or refused by mistake",
        ),
    )
)
