"""charisopoulos_2023: Proposition 2.1 itself, with every constant, on corrupted batches; and how the private error grows in 1/epsilon.

Theorem A.2 does not print its constants; C_filt is 4, as in `experiments`. lambda is what the proof substitutes. Errors are over the bound
of their own run, which has that run's reports and noise in it. Corrupted reports are of 5 to 10^6 in size.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import Estimate, robust_least_squares
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.stated import Derived
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.cases.coverage import Batch
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats
from banditproof.randomness import key_from
from banditproof.theory.growth import Growth
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023 import confidence, first_model, second_model

SAMPLES, ALPHA, FAILURE, DIMENSION, ARMS = 4000, 0.1, 0.25, 3, 8
VALUES = (5.0, 1e3, 1e4, 1e5, 1e6)
Estimator = Callable[..., Estimate]


def of_the_bound(estimator: Estimator, runs: int, rng: np.random.Generator) -> Floats:
    """|<a, theta - theta*>| over (14) with its constants, at the first arm."""
    return np.array([_of_one(estimator, rng) for _ in range(runs)])


def _of_one(estimator: Estimator, rng: np.random.Generator) -> float:
    arms = rng.standard_normal((ARMS, DIMENSION))
    arms /= np.linalg.norm(arms, axis=1, keepdims=True)
    truth, index = 0.9 * arms[1], np.arange(SAMPLES) % ARMS
    clean = arms[index] @ truth + rng.standard_normal(SAMPLES)
    good = rng.random(SAMPLES) >= ALPHA
    reports = np.where(good, clean, rng.choice(VALUES) * np.sign(arms[index] @ arms[0]))
    found = estimator(arms, index, reports, VarianceBound(BoundRule.PROOF, corruption=ALPHA), key_from(rng), clean_reports=clean)
    once = transcribed.whitened(arms, np.arange(ARMS))
    root, leverage = once.root * math.sqrt(ARMS / SAMPLES), once.leverage * ARMS / SAMPLES
    points = (clean[:, None] * (arms[index] @ root))[good]
    norm = float(np.linalg.norm(clean))
    known = {
        "leverage": leverage,
        "report_norm": norm,
        "largest_report": float(np.abs(clean).max()),
        "samples": SAMPLES,
        "corruption": ALPHA,
        "failure": FAILURE,
        "noise_sum": abs(float(arms[0] @ root @ root @ arms[index].T @ (clean - arms[index] @ truth))),
        "filter_scale": 2.0 * leverage * norm**2 / (SAMPLES * (1.0 - ALPHA)),
        "good_covariance": float(np.linalg.norm(np.cov(points.T, bias=True), ord=2)),
        "filter_limit": 1,
        "filter_constant": 4,
    }
    return abs(float(arms[0] @ (found.theta - truth))) / float(confidence.CONFIDENCE_EXPLICIT.at(**known).bound)


def _failure() -> float:
    return FAILURE


def covered(estimator: Estimator) -> BoundUtilisation:
    """That the interval holds with probability 1 - delta."""
    return BoundUtilisation(
        partial(of_the_bound, estimator),
        Derived(_failure, "delta of Proposition 2.1"),
        "an error above Proposition 2.1 with its constants",
        3.0,
        runs=60,
        parameters={"n": SAMPLES, "alpha": ALPHA, "d": DIMENSION, "delta": FAILURE},
    )


PROPOSITION = Audit(
    confidence.CONFIDENCE_EXPLICIT.id,
    "tightness.corrupted_batches",
    "the estimate from corrupted batches, lambda as the proof has it, over the interval of Proposition 2.1",
    covered(robust_least_squares),
)

# --- growth in 1/epsilon ------------------------------------------------------------------------------------------------------------------


def growing(batch: Batch) -> GrowthRate:
    """The median noise sum from epsilon = 1/4 to 1/40: the Laplace part is all of it, and is 1/epsilon."""
    rate = Growth(Fraction(1), Fraction(0), "1/epsilon")
    return GrowthRate(lambda inverse: replace(batch, epsilon=1.0 / inverse).noise_sums, rate, 4, 40, 0.5, 500, 1.3)


OWNERS, CLIENTS = Batch(100.0, 1.0, True), Batch(100.0, 1.0)
ROWS: tuple[tuple[Theorem, str, Batch], ...] = (
    (first_model.LAPLACE_PART, "reports of new clients", CLIENTS),
    (second_model.NOISE_SUM_SECOND, "reports of owners", OWNERS),
)
GROWTH = tuple(
    Audit(theorem.id, "growth.error_in_inverse_epsilon", f"how the error of {words} grows with 1/epsilon", growing(batch))
    for theorem, words, batch in ROWS
)
