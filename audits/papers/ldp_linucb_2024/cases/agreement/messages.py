"""ldp_linucb_2024: the noise of users' messages beside the statements that it transcribes: Algorithm 1's and the baselines'.

The classic calibration of the whole message is compared for epsilon < 1, where both sides have it.
"""

import math
from dataclasses import replace
from functools import partial

from banditproof.algorithms.mechanisms import local_row, vector_sum
from banditproof.algorithms.mechanisms.gram import local as local_gram
from banditproof.algorithms.mechanisms.local_row import Calibration
from banditproof.algorithms.mechanisms.vector_sum import Logarithm
from banditproof.audits.methods.agreement import Agreement, Point, agreement
from banditproof.glossary import DELTA, EPSILON, Domain
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

BELOW_ONE = replace(EPSILON, domain=Domain(0.0, 1.0))


# --- Algorithm 1's message ----------------------------------------------------------------------------------------------------------------


def _least_delta(distance: float, epsilon: float, delta: float) -> float:
    """Of the printed noise, for messages this far apart."""
    return local_row.message_delta(epsilon, local_row.printed_noise_scale(epsilon, delta), distance)


def _twice_each(point: Point) -> Point:
    """The budget of which SPLIT gives each part the drawn one."""
    return {"epsilon": 2.0 * point["epsilon"], "delta": 2.0 * point["delta"]}


_ANY, _WITHOUT_INJECTION = (EPSILON, DELTA), {"injected_sigma": 0}
_HALVES = (EPSILON, replace(DELTA, domain=Domain(0.0, 0.5)))
MESSAGES = (
    agreement("local_row.printed_noise_scale", Agreement(privacy.NOISE_SCALE, local_row.printed_noise_scale)),
    agreement(
        "local_row.noise_scale",
        Agreement(privacy.PRIVACY.as_printed(), partial(local_row.noise_scale, Calibration.PUBLISHED)),
        "as_printed",
    ),
    agreement(
        "local_row.noise_scale",
        Agreement(privacy.PRIVACY, partial(local_row.noise_scale, Calibration.CLASSIC), (BELOW_ONE, DELTA)),
        "classic",
    ),
    agreement(
        "local_row.noise_scale",
        Agreement(privacy.MESSAGE_CALIBRATION, partial(local_row.noise_scale, Calibration.EXACT)),
        "exact",
    ),
    agreement(
        "local_row.noise_scale",
        Agreement(privacy.PART_CALIBRATION, partial(local_row.noise_scale, Calibration.SPLIT), _HALVES, arguments=_twice_each),
        "split",
    ),
    agreement(
        "local_row.unit_noise_scale",
        Agreement(privacy.NOISE_SCALE, lambda epsilon, delta: 2.0 * local_row.unit_noise_scale(Calibration.PUBLISHED, epsilon, delta)),
        "as_printed",
    ),
    agreement(
        "local_row.unit_noise_scale",
        Agreement(
            privacy.MESSAGE_CALIBRATION,
            lambda epsilon, delta: math.sqrt(8.0) * local_row.unit_noise_scale(Calibration.EXACT, epsilon, delta),
        ),
        "exact",
    ),
    *(
        agreement(
            "local_row.message_delta",
            Agreement(
                theorem,
                partial(_least_delta, distance),
                _ANY,
                theory=lambda theorem=theorem, **point: theorem.at(**point, **_WITHOUT_INJECTION).ball,
            ),
        )
        for theorem, distance in ((privacy.MESSAGE_PROFILE, math.sqrt(8.0)), (privacy.EXPERIMENT_PROFILE, math.sqrt(3.0)))
    ),
    agreement("local_row.message_delta", Agreement(privacy.PART_PROFILE, partial(_least_delta, 2.0))),
)

# --- the baselines' messages --------------------------------------------------------------------------------------------------------------


def _trials(
    logarithm: Logarithm, dimension: int, epsilon: float, delta: float, batch_size: int, resolution: float, trials_scale: float
) -> float:
    """At another resolution than the algorithm's own, to whose square it is proportional."""
    shape = {"batch": int(batch_size), "dimension": int(dimension)}
    found = vector_sum.trials(epsilon, delta, factor=trials_scale, logarithm=logarithm, **shape)
    return found * (resolution / vector_sum.resolution(**shape)) ** 2


BASELINES = (
    agreement("local_gram.script_scale", Agreement(baselines.LOCAL_SCRIPT_SIGMA, local_gram.script_scale)),
    agreement(
        "local_gram.script_scale",
        Agreement(
            baselines.AMPLIFIED_SIGMA,
            lambda epsilon, delta, batch_size: local_gram.script_scale(epsilon, delta, int(batch_size)),
        ),
    ),
    agreement("local_gram.paper_scale", Agreement(baselines.LOCAL_SIGMA, local_gram.paper_scale)),
    agreement(
        "vector_sum.resolution",
        Agreement(baselines.VECTOR_RESOLUTION, lambda batch_size, dimension: vector_sum.resolution(int(batch_size), int(dimension))),
    ),
    agreement("vector_sum.trials", Agreement(baselines.VECTOR_TRIALS, partial(_trials, Logarithm.SCRIPT))),
    agreement("vector_sum.trials", Agreement(baselines.VECTOR_TRIALS_PAPER, partial(_trials, Logarithm.PAPER))),
)
