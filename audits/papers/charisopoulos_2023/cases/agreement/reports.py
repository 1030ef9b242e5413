"""charisopoulos_2023: scales of the clients' noise, bounds on reports and lambda of the filter beside the statements."""

import math
from dataclasses import replace

import numpy as np

from banditproof.algorithms.estimators.linear import variance_bound
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.common import stopping_value
from banditproof.algorithms.mechanisms import client_reports
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.glossary import EPSILON, SAMPLES, Domain
from banditproof.glossary.charisopoulos_2023 import ARM_PLAYS, CORRUPTION, LEVERAGE, OBSERVED_NORM, REPORT_NORM, REWARD_CHANGE
from banditproof.interaction import Floats
from banditproof.theory.papers.charisopoulos_2023 import confidence, filter, first_model, second_model

COUNTED = replace(SAMPLES, domain=Domain(1, 1000, low_open=False, integer=True))
OWNED = replace(ARM_PLAYS, domain=Domain(1, 1000, low_open=False, integer=True))
MOVED = replace(REWARD_CHANGE, domain=Domain(0.0, 1e9))


def reports_of(norm: float, samples: float) -> Floats:
    """Reports (n,) of this Euclidean length, of both signs and two sizes."""
    count = int(samples)
    shape = np.where(np.arange(count) % 3 == 0, 2.0, -1.0)
    return np.asarray(norm * shape / math.sqrt(float(shape @ shape)))


def _observed(leverage: float, observed_norm: float, samples: float) -> float:
    return VarianceBound().of(leverage, reports_of(observed_norm, samples))


def _clean(leverage: float, report_norm: float, samples: float) -> float:
    reports = reports_of(report_norm, samples)
    return VarianceBound(BoundRule.CLEAN).of(leverage, 7.0 * reports, reports)


def _proof(leverage: float, report_norm: float, samples: float, corruption: float) -> float:
    reports = reports_of(report_norm, samples)
    return VarianceBound(BoundRule.PROOF, corruption=corruption).of(leverage, 7.0 * reports, reports)


def _range(leverage: float, report_bound: float) -> float:
    return VarianceBound(BoundRule.RANGE, report_bound=report_bound).of(leverage, [1.0])


def _first(samples: float, failure: float, epsilon: float, maximum_constant: float) -> float:
    return variance_bound.single_report_bound(int(samples), epsilon, failure=failure, maximum_constant=maximum_constant)


def _second(support: float, size: float, truncation_parameter: float, failure: float, epsilon: float, maximum_constant: float) -> float:
    return variance_bound.mean_report_bound(
        int(support), epsilon, failure=failure, least_count=truncation_parameter * size, maximum_constant=maximum_constant
    )


def _owner_loss(epsilon: float, reward_change: float, arm_plays: float) -> float:
    """All rewards of an owner move by the change, without clipping."""
    rewards = np.zeros(int(arm_plays))
    return client_reports.report_loss(rewards, rewards + reward_change, epsilon, clipping=Clipping.PUBLISHED)


def _event_loss(epsilon: float, reward_change: float, arm_plays: float) -> float:
    """One of an owner's rewards moves, without clipping."""
    rewards = np.zeros(int(arm_plays))
    moved = rewards.copy()
    moved[0] = reward_change
    return client_reports.report_loss(rewards, moved, epsilon, clipping=Clipping.PUBLISHED)


SCALES = (
    agreement("report_scale", Agreement(first_model.REPORT_SCALE_FIRST, client_reports.report_scale), "one_reward"),
    agreement(
        "report_scale",
        Agreement(
            first_model.REPORT_SCALE_FIRST,
            lambda epsilon, arm_plays: client_reports.report_scale(epsilon, int(arm_plays), level=Level.USER),
            (EPSILON, ARM_PLAYS),
            theory=lambda epsilon, arm_plays: first_model.REPORT_SCALE_FIRST.at(epsilon=epsilon).ball,
        ),
        "user_level",
    ),
    agreement(
        "report_scale",
        Agreement(
            second_model.REPORT_SCALE_SECOND,
            lambda epsilon, arm_plays: client_reports.report_scale(epsilon, int(arm_plays)),
        ),
    ),
    agreement(
        "report_loss",
        Agreement(
            first_model.FIRST_LOSS,
            lambda epsilon, reward_change: client_reports.report_loss([0.0], [reward_change], epsilon, clipping=Clipping.PUBLISHED),
            (EPSILON, MOVED),
        ),
    ),
    agreement(
        "report_loss",
        Agreement(
            second_model.EVENT_LOSS,
            _event_loss,
            (EPSILON, MOVED, OWNED),
            theory=lambda epsilon, reward_change, arm_plays: second_model.EVENT_LOSS.at(epsilon=epsilon, reward_change=reward_change).ball,
        ),
    ),
    agreement("report_loss", Agreement(second_model.OWNER_LOSS, _owner_loss, (EPSILON, MOVED, OWNED))),
)
BOUNDS = (
    agreement(
        "single_report_bound",
        Agreement(
            first_model.REPORT_NORM_FIRST,
            lambda samples, failure, epsilon, maximum_constant: math.sqrt(samples) * _first(samples, failure, epsilon, maximum_constant),
        ),
    ),
    agreement(
        "mean_report_bound",
        Agreement(
            second_model.REPORT_NORM_SECOND,
            lambda support, size, truncation_parameter, failure, epsilon, maximum_constant: (
                math.sqrt(support) * _second(support, size, truncation_parameter, failure, epsilon, maximum_constant)
            ),
        ),
    ),
    agreement(
        "explicit_single_report_bound",
        Agreement(
            first_model.LARGEST_REPORT_FIRST,
            lambda samples, epsilon, failure: variance_bound.explicit_single_report_bound(int(samples), epsilon, failure=failure),
        ),
    ),
    agreement(
        "range_bound",
        Agreement(
            confidence.SCALE_RANGE_FIRST,
            lambda leverage, samples, failure, epsilon, maximum_constant: _range(
                leverage, _first(samples, failure, epsilon, maximum_constant)
            ),
        ),
    ),
    agreement(
        "range_bound",
        Agreement(
            confidence.SCALE_RANGE_SECOND,
            lambda leverage, support, size, truncation_parameter, failure, epsilon, maximum_constant: _range(
                leverage, _second(support, size, truncation_parameter, failure, epsilon, maximum_constant)
            ),
        ),
    ),
)
LAMBDA = (
    agreement("observed", Agreement(confidence.SCALE_OBSERVED, _observed, (LEVERAGE, OBSERVED_NORM, COUNTED))),
    agreement("clean", Agreement(confidence.SCALE_CLEAN, _clean, (LEVERAGE, REPORT_NORM, COUNTED))),
    agreement("proof", Agreement(confidence.SCALE_PROOF, _proof, (LEVERAGE, REPORT_NORM, COUNTED, CORRUPTION))),
    agreement("stopping_value", Agreement(filter.FILTER_STOP, lambda filter_scale: stopping_value(filter_scale))),
)
