"""The parameters of wu_2023 with one mistake each (mutants): a constant, a logarithm, a factor, right at the values that come to mind
first."""

import math
from collections.abc import Callable

from banditproof.algorithms.environments import gaussian
from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.agreement import Agreement, Point
from banditproof.audits.mutations import control
from banditproof.audits.papers.wu_2023.cases import agreement as cases
from banditproof.audits.running.audit import Control
from banditproof.glossary import ACTIVE, CONTAMINATION, EPSILON, FAILURE, MOMENT, Quantity
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import central, elimination, lower_bound, privacy, raw, setting

_Function = Callable[..., float]


def _control(
    theorem: Theorem,
    mistake: str,
    function: _Function,
    draws: tuple[Quantity, ...] = (),
    arguments: Callable[[Point], Point] | None = None,
    short: str = "",
) -> Control:
    """`short` stands for the statement's name in the slug, where the id would be too long."""
    name = theorem.id.split(".")[1]
    method = Agreement(theorem, function, draws, arguments=arguments)
    return control(name, mistake, theorem, method, short)


_EPOCH = (ACTIVE, cases.EPOCHS, EPSILON, CONTAMINATION, MOMENT, FAILURE)
_CLEAN = (ACTIVE, cases.EPOCHS, EPSILON, MOMENT, FAILURE)


def _without_squares(failure: float, active: int, epoch: int) -> float:
    return failure / (2.0 * active * epoch)


def _failure(times: float) -> Callable[[Point], Point]:
    """The point at a multiple of its failure: another constant in the logarithm."""
    return lambda point: {**point, "failure": min(1.0, point["failure"] * times)}


def _clipped_iota(contamination: float) -> float:
    return (1.0 - contamination) / (0.25 - contamination)


def _no_range(epsilon: float, range: float, failure: float) -> float:
    return 200.0 * math.log(16.0 / failure) * range / epsilon


RELEASE = (
    _control(setting.LAPLACE_MECHANISM, "the square of the sensitivity", lambda sensitivity, epsilon: sensitivity**2 / epsilon),
    _control(
        privacy.TRUNCATED_MEAN_SCALE,
        "a sensitivity of M/n for 2 M/n",
        lambda samples, truncation, epsilon: truncation / (samples * epsilon),
    ),
    _control(raw.RAW_SAMPLES, "16 for 8 under the logarithm", lambda contamination, failure: math.log(16.0 / failure) / contamination),
    _control(
        raw.RAW_TRUNCATION,
        "the larger of two truncations for the smaller",
        lambda samples, epsilon, contamination, moment, failure: max(
            math.pow(samples * epsilon / (4.0 * math.log(16.0 / failure)), 1.0 / moment), math.pow(8.0 * contamination, -1.0 / moment)
        ),
    ),
    _control(raw.CLEAN_TRUNCATION, "16 for 4 under the logarithm", truncated_mean.clean_truncation, arguments=_failure(0.25)),
    _control(raw.CLEAN_TRUNCATION_REPAIRED, "the printed truncation at every epsilon", truncated_mean.clean_truncation),
)
EPOCHS = (
    _control(elimination.EPOCH_FAILURE, "tau for its square: right at epoch 1 alone", _without_squares),
    _control(elimination.FORCED_THRESHOLD, "32 for 16 under the logarithm", robust_elimination.threshold, arguments=_failure(0.5)),
    _control(
        elimination.EPOCH_TRUNCATION, "the printed logarithm, with 16 for 32", robust_elimination.epoch_truncation, _EPOCH, _failure(2.0)
    ),
    _control(elimination.EPOCH_TRUNCATION_LITERAL, "the repaired logarithm, with 32 for 16", robust_elimination.epoch_truncation, _EPOCH),
    _control(elimination.EPOCH_RADIUS, "the printed logarithm, with 16 for 32", robust_elimination.epoch_radius, _EPOCH, _failure(2.0)),
    _control(elimination.EPOCH_RADIUS_LITERAL, "the repaired logarithm, with 32 for 16", robust_elimination.epoch_radius, _EPOCH),
    _control(elimination.CLEAN_EPOCH_TRUNCATION, "twice the failure", cases.CLEAN_TRUNCATION, _CLEAN, _failure(2.0)),
    _control(
        elimination.CLEAN_EPOCH_TRUNCATION_REPAIRED,
        "the printed truncation at every epsilon",
        cases.CLEAN_TRUNCATION,
        _CLEAN,
        short="truncation_repaired",
    ),
    _control(elimination.CLEAN_EPOCH_RADIUS, "the printed radius at every epsilon", cases.CLEAN_RADIUS, _CLEAN),
)
CENTRAL = (
    _control(central.INVERSE_MASS, "0.25 for 0.249", _clipped_iota),
    _control(central.CENTRAL_BIN_WIDTH, "iota for its root", lambda contamination, moment: central_mean.inverse_mass(contamination)),
    _control(central.CENTRAL_BIN_WIDTH_CLEAN, "the square root for every k", lambda moment: math.sqrt(10.0)),
    _control(
        central.CENTRAL_TRUNCATION,
        "the contaminated truncation without its factor 4",
        lambda fold_samples, epsilon, contamination, moment, failure: min(
            4.0 * math.pow(-fold_samples * epsilon / math.log(failure), 1.0 / moment), math.pow(contamination, -1.0 / moment)
        ),
    ),
    _control(
        central.CENTRAL_TRUNCATION_CLEAN,
        "16 under the logarithm",
        lambda fold_samples, epsilon, moment, failure: 4.0 * math.pow(fold_samples * epsilon / math.log(16.0 / failure), 1.0 / moment),
    ),
    _control(
        central.CENTRAL_SAMPLES,
        "epsilon for iota, as one display prints",
        lambda epsilon, contamination, range, bin_constant, failure: max(
            math.log(1.0 / failure), bin_constant * math.log(16.0 * range / failure) / epsilon, math.log(16.0 / failure) / contamination
        ),
    ),
    _control(central.CENTRAL_SAMPLES_CLEAN, "D outside the logarithm", _no_range),
    _control(
        central.CENTRAL_THRESHOLD,
        "the histogram's entry alone",
        lambda active, epoch, epsilon, contamination, range, bin_constant, failure: (
            bin_constant * math.log(32.0 * range * active * epoch**2 / failure) / epsilon
        ),
    ),
    _control(
        central.CENTRAL_THRESHOLD_CLEAN,
        "the printed 16 for 32",
        lambda active, epoch, epsilon, range, failure: 200.0 * math.log(16.0 * range * active * epoch**2 / failure) / epsilon,
    ),
    _control(
        central.CENTRAL_THRESHOLD_CLEAN_LITERAL,
        "32 for the printed 16",
        lambda active, epoch, epsilon, range, failure: 200.0 * math.log(32.0 * range * active * epoch**2 / failure) / epsilon,
        short="threshold_clean_literal",
    ),
    _control(central.SMALLEST_BIN_CONSTANT, "C_2 = 1/4 less a hundredth", lambda: 2.0 * (6.0 / (1.0 - 4.0 * 0.24)) ** 2),
    _control(
        lower_bound.GAUSSIAN_DEVIATION,
        "the square root for every k",
        lambda moment: math.pow(gaussian.absolute_moment(moment), -0.5),
        (cases.ORDERS,),
    ),
)
