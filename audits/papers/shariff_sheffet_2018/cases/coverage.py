"""shariff_sheffet_2018: coverage of LinUCB's ellipsoids in all rounds at once, and the spectrum of its perturbations, with the slack.

The perturbations are read off runs whose features are all 0: the policy then releases H_t and h_t. Definition 3 has alpha/(2 n) for a
round, so alpha/2 for all rounds at once.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.stated import Stated
from banditproof.audits.methods.tightness import BoundUtilisation, largest
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Environment, Floats, Pipeline, Policy, Table, Wire
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, wishart

DIMENSION, FAILURE = 2, 0.2
_RATIO = 1.5

# --- what a run releases ------------------------------------------------------------------------------------------------------------------


def releases(policy: Policy, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """V_t (runs, n - 1, d, d) and u~_t (runs, n - 1, d) of rounds 2 to n. Draws one key."""
    played = play_many(Pipeline(policy, environment), horizon=horizon, key=key_from(rng), runs=runs, record=(Wire.STATISTIC,))
    return unpacked(np.asarray(played.wire(Wire.STATISTIC))[:, :-1], environment.dimension)


def unpacked(packed: Floats, dimension: int) -> tuple[Floats, Floats]:
    """Symmetric matrices and vectors from what the policy releases, (..., d (d + 1)/2 + d or more)."""
    rows, columns = np.tril_indices(dimension)
    matrices = np.empty((*packed.shape[:-1], dimension, dimension))
    matrices[..., rows, columns] = matrices[..., columns, rows] = packed[..., : len(rows)]
    return matrices, packed[..., len(rows) : len(rows) + dimension]


def nothing(horizon: int, dimension: int) -> Table:
    """Two arms without features or rewards."""
    return Table(np.zeros((horizon, 2)), contexts=np.zeros((horizon, 2, dimension)))


# --- the ellipsoids -----------------------------------------------------------------------------------------------------------------------

_TRUTH = (1.0, *(0.0,) * (DIMENSION - 1))
SETS = Sphere(dimension=DIMENSION, arms=4)


def counted_outside(policy: LinUCB, horizon: int, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the policy itself counts a round in which the parameter lay outside, or V_t was not positive definite. All rounds."""
    played = play_many(Pipeline(policy, SETS), horizon=horizon, key=key_from(rng), runs=runs, record=(Wire.STATISTIC,))
    last = np.asarray(played.wire(Wire.STATISTIC))[:, -1]
    return np.asarray(last[:, -5] + last[:, -3] > 0.0)


def proportions(policy: LinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """The distance of the parameter e_1 from the centre over the theorem's radius, (runs, n - 1), of rounds 2 to n."""
    matrices, sums = releases(policy, environment, horizon, runs, rng)
    dimension = environment.dimension
    offsets = np.linalg.solve(matrices, sums[..., None])[..., 0] - np.eye(dimension)[0]
    squares = np.einsum("rti,rtij,rtj->rt", offsets, matrices, offsets)
    accuracy, bounds = policy.constants(dimension, horizon).accuracy, policy.bounds
    radii = confidence.RADIUS.function()(
        reward_sigma=bounds.reward_sigma,
        failure=policy.constants(dimension, horizon).failure,
        log_determinant=np.linalg.slogdet(matrices)[1],
        dimension=dimension,
        rho_min=accuracy.rho_min,
        rho_max=accuracy.rho_max,
        parameter_norm=bounds.parameter_norm,
        perturbation=accuracy.perturbation,
    )
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / radii)


def distance(policy: LinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """The largest fraction of the theorem's radius in any round."""
    return largest(proportions(policy, environment, horizon, runs, rng))


NOISES = (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)


def policy_of(noise: Noise) -> LinUCB:
    return LinUCB(noise, 1.0, 0.1, failure=FAILURE, calibration=Calibration.PUBLISHED)


def within(policy: LinUCB, horizon: int, limit: float = 1.0, environment: Environment = SETS) -> BoundUtilisation:
    """That the parameter lies within this fraction of the theorem's radius in all rounds from 2 on, except for the share alpha of the
    runs."""
    stated = Stated.of(confidence.RADIUS, policy)
    return BoundUtilisation(
        partial(distance, policy, environment, horizon),
        stated,
        "the parameter farther from the centre than that in some round from 2 on",
        _RATIO,
        limit,
        runs=1000,
        cell=250,
        parameters={"d": environment.dimension, "n": horizon, "alpha": stated["failure"]},
    )


def own_count(policy: LinUCB, horizon: int) -> Coverage:
    """That the policy itself counts no round in which the parameter lay outside, except for the share alpha of the runs."""
    stated = Stated.of(confidence.RADIUS, policy)
    return Coverage(
        partial(counted_outside, policy, horizon),
        stated,
        "the parameter outside the policy's own ellipsoid in some round",
        _RATIO,
        runs=1000,
        cell=250,
        parameters={"d": DIMENSION, "n": horizon, "alpha": stated["failure"]},
    )


_WIDE = tuple(Sphere(dimension=dimension, arms=2 * dimension) for dimension in (3, 5, 8))
ELLIPSOIDS = (
    *(
        Audit(
            confidence.RADIUS.id,
            f"coverage.own_count_{noise.value}_{swept(n=horizon)}",
            f"LinUCB({noise.value}), {horizon} rounds, as it counts itself",
            own_count(replace(policy_of(noise), true_parameter=_TRUTH), horizon),
        )
        for noise in NOISES
        for horizon in (100, 1000)
    ),
    *(
        Audit(
            confidence.RADIUS.id,
            f"tightness.{noise.value}_{swept(n=300, limit=proportion)}",
            f"LinUCB({noise.value}), 300 rounds, {proportion:g} times the theorem's radius",
            within(policy_of(noise), 300, proportion),
        )
        for noise, proportion in (
            *((noise, 1.0) for noise in NOISES),
            *((noise, 0.9) for noise in NOISES[:-1]),  # more than the theorem says; unshifted Wishart noise has nothing to spare
        )
    ),
    *(
        Audit(
            confidence.RADIUS.id,
            f"tightness.{noise.value}_sphere_{swept(d=sets.dimension, n=100)}",
            f"LinUCB({noise.value}) on {sets.arms} unit vectors of R^{sets.dimension}, 100 rounds, the theorem's radius",
            within(policy_of(noise), 100, environment=sets),
        )
        for noise in NOISES
        for sets in _WIDE
    ),
    *(
        Audit(
            confidence.RADIUS.id,
            f"tightness.{noise.value}_watched_{swept(d=3, n=100)}",
            f"LinUCB({noise.value}) against an adversary that watches it in R^3, 100 rounds, the theorem's radius",
            within(policy_of(noise), 100, environment=LeastExploredAdversary(dimension=3, arms=6)),
        )
        for noise in (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART)
    ),
)

# --- the spectrum -------------------------------------------------------------------------------------------------------------------------

_SPECTRUM_ROUNDS = 64


def smallest(matrices: Floats, vectors: Floats, bound: float) -> Floats:
    """rho_min over the smallest eigenvalue; inf where that is not above 0."""
    least = np.linalg.eigvalsh(matrices)[..., 0]
    return np.asarray(np.where(least > 0.0, bound / np.where(least > 0.0, least, 1.0), np.where(np.isnan(least), np.nan, np.inf)))


def greatest(matrices: Floats, vectors: Floats, bound: float) -> Floats:
    """The largest eigenvalue over rho_max."""
    return np.asarray(np.linalg.eigvalsh(matrices)[..., -1] / bound)


def length(matrices: Floats, vectors: Floats, bound: float) -> Floats:
    """|h| in the norm of the inverse, over gamma."""
    solved = np.linalg.solve(matrices, vectors[..., None])[..., 0]
    return np.asarray(np.sqrt(np.maximum(np.einsum("rti,rti->rt", vectors, solved), 0.0)) / bound)


def bound_of(theorem: Theorem, policy: LinUCB, dimension: int, horizon: int) -> Stated:
    """The theory's rho_min, rho_max or gamma, which fails with probability alpha/2 in some round."""
    known: dict[str, Any] = {"horizon": horizon, "dimension": dimension, "row_norm": policy.bounds.row_norm}
    known["failure"] = Fraction(str(policy.constants(dimension, horizon).failure))  # the decimal number that is meant
    if policy.noise is not Noise.GAUSSIAN:
        known["wishart_degrees"] = policy.constants(dimension, horizon).degrees
    return Stated.of(theorem, policy, part=0.5, **known)


THEOREMS = {
    Noise.GAUSSIAN: (gaussian.GAUSSIAN_RHO_MIN, gaussian.GAUSSIAN_RHO_MAX, gaussian.GAUSSIAN_PERTURBATION),
    Noise.WISHART: (wishart.SHIFTED_RHO_MIN, wishart.SHIFTED_RHO_MAX, wishart.SHIFTED_PERTURBATION),
    Noise.WISHART_UNSHIFTED: (wishart.WISHART_RHO_MIN, wishart.WISHART_RHO_MAX, wishart.WISHART_PERTURBATION),
}
MEASURES = ((smallest, "eigenvalues above rho_min"), (greatest, "eigenvalues below rho_max"), (length, "h within gamma"))


def spectrum(
    noise: Noise, place: int, policy: Policy | None = None, limit: float = 1.0, dimension: int = DIMENSION, horizon: int = _SPECTRUM_ROUNDS
) -> BoundUtilisation:
    """That one of the three bounds holds in all rounds from 2 on, with this fraction of it, for a policy or the one of this noise."""
    told = policy_of(noise) if policy is None else policy
    stated = bound_of(THEOREMS[noise][place], policy_of(noise), dimension, horizon)

    def utilisation(runs: int, rng: np.random.Generator) -> Floats:
        return largest(MEASURES[place][0](*releases(told, nothing(horizon, dimension), horizon, runs, rng), stated.bound()))

    return BoundUtilisation(
        utilisation,
        stated,
        "the bound of the theory broken in some round from 2 on",
        _RATIO,
        limit,
        runs=2000,
        cell=500,
        parameters={"d": dimension, "n": horizon, "alpha": stated.number("failure")},
    )


SPECTRUM = tuple(
    Audit(
        theorem.id,
        f"tightness.{swept(d=dimension, n=horizon)}",
        f"LinUCB({noise.value}), {horizon} rounds, {shown}" + (f", R^{dimension}" if dimension != DIMENSION else ""),
        spectrum(noise, place, None, 1.0, dimension, horizon),
    )
    for noise, theorems in THEOREMS.items()
    for place, (theorem, (_, shown)) in enumerate(zip(theorems, MEASURES, strict=True))
    for dimension, horizon in ((DIMENSION, _SPECTRUM_ROUNDS), (3, 16), (5, 16), (8, 8))
)
