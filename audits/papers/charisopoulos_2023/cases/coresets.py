"""charisopoulos_2023: plays and leverages of the shipped coresets, beside line 5 of Algorithm 1 and Lemmas 3.2 and 3.7."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.designs.coreset import coreset_counts
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.cases.designs import WIDER, Arms, Shape, largest_variance, shipped
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats, Ints
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import budget, confidence, designs, first_model, second_model

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
