"""Ellipsoids, spectrum and regret of linear UCB with one mistake each: a term dropped, the shift or the padding forgotten, no learning."""

from dataclasses import replace

import numpy as np

from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule
from banditproof.audits.methods.tightness import largest
from banditproof.audits.mutations import MutatedPolicy, control
from banditproof.audits.papers.shariff_sheffet_2018.cases import coverage
from banditproof.audits.papers.shariff_sheffet_2018.cases import regret as played
from banditproof.audits.papers.shariff_sheffet_2018.controls.runs import changed
from banditproof.glossary import HORIZON
from banditproof.interaction import Floats
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, gaussian, wishart

# --- ellipsoids and spectrum ----------------------------------------------------------------------------------------------------------


def _without_rho(runs: int, rng: np.random.Generator) -> Floats:
    """The radius is the martingale's part alone."""
    policy = coverage.policy_of(Noise.GAUSSIAN)
    bare = policy.constants(coverage.DIMENSION, 300).accuracy._replace(rho_max=0.0, perturbation=0.0)
    matrices, sums = coverage.releases(policy, coverage.SETS, 300, runs, rng)
    offsets = np.linalg.solve(matrices, sums[..., None])[..., 0] - np.array([1.0, 0.0])
    distances = np.sqrt(np.einsum("rti,rtij,rtj->rt", offsets, matrices, offsets))
    logs = np.linalg.slogdet(matrices)[1]
    base = lin_ucb_constants.radicand_base(bare, dimension=coverage.DIMENSION, failure=coverage.FAILURE)
    return largest(distances / (np.sqrt(base + logs) + lin_ucb_constants.radius_tail(bare, 1.0)))


_RADIUS = coverage.within(coverage.policy_of(Noise.WISHART_UNSHIFTED), 300, 0.9)
ELLIPSOIDS = (
    control(
        "radius_without_rho", "a radius without the rho terms", confidence.RADIUS, replace(_RADIUS, utilisation=_without_rho, limit=1.0)
    ),
    control("radius_shortened", "nine tenths of the radius, with unshifted Wishart noise", confidence.RADIUS, _RADIUS),
)
_BARE = MutatedPolicy(coverage.policy_of(Noise.GAUSSIAN), changed(shifted=False))
_NOT_PADDED = replace(coverage.policy_of(Noise.WISHART), padding=Padding.NONE)
SPECTRUM = tuple(
    control(name, mistake, theorem, coverage.spectrum(noise, place, policy, limit))
    for name, mistake, theorem, noise, place, policy, limit in (
        ("shift_forgotten", "the shift forgotten", gaussian.GAUSSIAN_RHO_MIN, Noise.GAUSSIAN, 0, _BARE, 1.0),
        ("not_padded", "no padding, so that early rounds have less noise", wishart.SHIFTED_RHO_MIN, Noise.WISHART, 0, _NOT_PADDED, 1.0),
        (
            "not_padded_unshifted",
            "no padding, and no shift",
            wishart.WISHART_RHO_MIN,
            Noise.WISHART_UNSHIFTED,
            0,
            replace(_NOT_PADDED, noise=Noise.WISHART_UNSHIFTED),
            1.0,
        ),
        ("rho_max_of_the_shift", "rho_max at half of 3 Upsilon", gaussian.GAUSSIAN_RHO_MAX, Noise.GAUSSIAN, 1, None, 0.5),
        (
            "gamma_at_a_third",
            "a third of gamma for unshifted Wishart noise",
            wishart.WISHART_PERTURBATION,
            Noise.WISHART_UNSHIFTED,
            2,
            None,
            1.0 / 3.0,
        ),
    )
)


# --- regret ---------------------------------------------------------------------------------------------------------------------------

_UNIFORM = LinUCB(Noise.GAUSSIAN, 1.0, 0.1, rule=Rule.UNIFORM)
GROWTH = control(
    "uniform_play",
    "arms at random, so that the regret is linear in the horizon",
    gaussian.REGRET_GAUSSIAN_GAP,
    played.growth(gaussian.REGRET_GAUSSIAN_GAP, HORIZON, played.by_horizon(_UNIFORM)),
)
