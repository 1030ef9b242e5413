"""ldp_linucb_2024: widths, shifts and central noise of the baselines beside the statements that they transcribe.

The width in the column of the papers is the radius of `lin_ucb`, for the jointly private method and without privacy.
"""

from dataclasses import replace
from typing import Any

from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.noisy_gram_ucb import constants
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.statistics.exact import fraction
from banditproof.glossary import FAILURE, LOG_DETERMINANT, PARAMETER_NORM, REWARD_SIGMA, Domain
from banditproof.glossary.ldp_linucb_2024 import NOISE_NORM
from banditproof.theory.papers.ldp_linucb_2024 import baselines

# --- the script ---------------------------------------------------------------------------------------------------------------------------


def _script_width(horizon: int, dimension: int, context_norm: float, reward_sigma: float, baseline_scale: float) -> float:
    shape = {"feature_norm": context_norm, "reward_sigma": reward_sigma}
    return constants.script_width(baseline_scale, dimension=dimension, horizon=horizon, **shape)


def _vector_gamma(horizon: int, dimension: int, epsilon: float, delta: float, batch_size: int) -> float:
    return constants.script_vector_gamma(epsilon, delta, batch=int(batch_size), dimension=dimension, horizon=horizon)


SCRIPT = (
    agreement("noisy_gram_ucb.script_width", Agreement(baselines.SCRIPT_WIDTH, _script_width)),
    agreement(
        "noisy_gram_ucb.script_gamma",
        Agreement(
            baselines.LOCAL_SCRIPT_SCALE,
            lambda horizon, dimension, baseline_sigma: constants.script_gamma(baseline_sigma, dimension=dimension, horizon=horizon),
        ),
    ),
    agreement(
        "noisy_gram_ucb.script_joint_scale",
        Agreement(baselines.JOINT_SCRIPT_SIGMA, lambda horizon, epsilon, delta: constants.script_joint_scale(epsilon, delta, horizon)),
    ),
    agreement(
        "noisy_gram_ucb.script_joint_gamma",
        Agreement(
            baselines.JOINT_SCRIPT_SCALE,
            lambda horizon, dimension, baseline_sigma: constants.script_joint_gamma(baseline_sigma, dimension=dimension, horizon=horizon),
        ),
    ),
    agreement(
        "noisy_gram_ucb.joint_nodes",
        Agreement(baselines.JOINT_SCRIPT_NODES, lambda horizon: constants.joint_nodes(int(horizon) - 1)),
    ),
    agreement("noisy_gram_ucb.script_vector_gamma", Agreement(baselines.VECTOR_SCALE, _vector_gamma)),
)

# --- the methods' papers ------------------------------------------------------------------------------------------------------------------


def _noise_norm(round: int, horizon: int, dimension: int, failure: float, baseline_sigma: float) -> float:
    return float(baseline_sigma * round**0.5 * constants.noise_level(dimension, horizon, failure))


def _local_width(round: int, horizon: int, dimension: int, failure: float, baseline_sigma: float) -> float:
    return constants.local_width(round, baseline_sigma, dimension=dimension, horizon=horizon, failure=failure)


def _local_width_stated(**point: Any) -> Any:
    """With the stated bound on the norm of the noise."""
    norm = fraction(baselines.LOCAL_NOISE_NORM.at(**point).ball)
    del point["failure"]
    return baselines.LOCAL_WIDTH.at(**point, noise_norm=norm).ball


def _plain_width(reward_sigma: float, failure: float, log_determinant: float, parameter_norm: float) -> float:
    """Its failure probability stands in a logarithm of 2 / alpha."""
    shape = {"failure": 2.0 * failure, "parameter_norm": parameter_norm, "reward_sigma": reward_sigma}
    return lin_ucb_constants.radius(log_determinant, lin_ucb_constants.ridge(1.0), dimension=1, **shape)


def _plain_width_stated(**point: Any) -> Any:
    return baselines.PLAIN_WIDTH.at(**point, regulariser=1).ball


def _joint_width(**point: Any) -> float:
    own = ("log_determinant", "parameter_norm", "reward_sigma", "baseline_sigma")
    log_determinant, parameter_norm, reward_sigma, baseline_sigma = (point[name] for name in own)
    plan = {name: value for name, value in point.items() if name not in own}
    accuracy = lin_ucb_constants.gaussian(baseline_sigma, **plan)
    shape = {"dimension": plan["dimension"], "failure": plan["failure"], "parameter_norm": parameter_norm}
    return lin_ucb_constants.radius(log_determinant, accuracy, reward_sigma=reward_sigma, **shape)


_OF_NORM = tuple(quantity.name for quantity in baselines.JOINT_NOISE_NORM.stated().given)


def _joint_width_stated(**point: Any) -> Any:
    norm = fraction(baselines.JOINT_NOISE_NORM.at(**{name: point[name] for name in _OF_NORM}).ball)
    return baselines.JOINT_WIDTH.at(**point, noise_norm=norm).ball


_JOINT = tuple(quantity for quantity in baselines.JOINT_WIDTH.stated().given if quantity is not NOISE_NORM)
_LOCAL = baselines.LOCAL_NOISE_NORM.stated().given
PAPERS = (
    agreement("noisy_gram_ucb.noise_level", Agreement(baselines.LOCAL_NOISE_NORM, _noise_norm)),
    agreement("noisy_gram_ucb.local_width", Agreement(baselines.LOCAL_WIDTH, _local_width, _LOCAL, _local_width_stated)),
    agreement(
        "lin_ucb.radius",
        Agreement(
            baselines.PLAIN_WIDTH,
            _plain_width,
            (REWARD_SIGMA, replace(FAILURE, domain=Domain(0.0, 0.5)), LOG_DETERMINANT, PARAMETER_NORM),
            _plain_width_stated,
        ),
        "plain",
    ),
    agreement(
        "gram.gaussian.node_sigma",
        Agreement(
            baselines.JOINT_SIGMA,
            lambda horizon, epsilon, delta, row_norm: gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm),
        ),
    ),
    agreement(
        "gram.gaussian.upsilon",
        Agreement(
            baselines.JOINT_NOISE_NORM,
            lambda horizon, dimension, failure, baseline_sigma: gaussian_gram.upsilon(
                baseline_sigma, dimension=dimension, horizon=horizon, failure=failure
            ),
        ),
    ),
    agreement("lin_ucb.radius", Agreement(baselines.JOINT_WIDTH, _joint_width, _JOINT, _joint_width_stated), "joint"),
)
