"""Messages and confidence sets with one mistake each: the negative regulariser left out, another sign, the width of another setting."""

from dataclasses import replace
from functools import partial

import numpy as np

from banditproof.algorithms.learners.noisy_square import clip, gradient
from banditproof.algorithms.mechanisms.local_row import RowMessage, noise_scale, noisy_row
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.tightness import largest
from banditproof.audits.mutations import MutatedRandomiser, control
from banditproof.audits.papers.ldp_linucb_2024.cases import estimate, sets
from banditproof.interaction import Environment, Floats, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.theory.papers.ldp_linucb_2024 import confidence, loss, regret

# --- the negative regulariser ---------------------------------------------------------------------------------------------------------


def _biased(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    """The message with the gradient of (<x~, theta> - y~)^2 alone."""
    row, size = report[0], (message.shape[0] - 3) // 2
    noisy_row(setup, key, round, message, row)
    point, slope = message[size + 1 : 2 * size + 1], row[size + 1 :]
    clip(slope, gradient(point, row[:size], row[size], 0.0, slope), message[2 * size + 2])


biased = compiled(_biased, RANDOMISE)


def sent_biased(mechanism: RowMessage, data: tuple[float, ...], runs: int, rng: np.random.Generator) -> Floats:
    """Gradients without the negative regulariser: what is sent, and 2 sigma^2 theta_t again."""
    sigma = noise_scale(mechanism.calibration, mechanism.epsilon, mechanism.delta)
    return np.asarray(estimate.sent(mechanism, data, runs, rng) + 2.0 * sigma**2 * np.array(mechanism.point))


_LEFT_OUT = "the negative regulariser left out"
REGULARISER = (
    *(
        control("no_regulariser", _LEFT_OUT, theorem, estimate.unbiased(sent_biased, 1.0, 0.0, 1.0))
        for theorem in (loss.MINIMISER, loss.MINIMISER_COMPONENT)
    ),
    control(
        "path_without_regulariser",
        _LEFT_OUT,
        regret.PATH_ORDER,
        sets.paths_grow(sets.FAVOURABLE(10.0), sets.apart, MutatedRandomiser(sets.FAVOURABLE(10.0).randomiser(), biased), last=32_000),
    ),
)

# --- confidence sets ------------------------------------------------------------------------------------------------------------------


def _outside_favourable(told: PrivateOnlineLinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Bools:
    """Outside the literal width of Delta = 0 and lambda_min = 0.4, where noise is injected."""
    distance = sets.rounds(told, environment, horizon, runs, rng).distance
    return np.asarray((distance > sets.literal(replace(told, curvature=0.4, threshold=None), horizon)).any(axis=1))


def _without_path(told: PrivateOnlineLinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """M_N + K_N without the terms in the path."""
    found, known = sets.rounds(told, environment, horizon, runs, rng), sets.common(told, horizon)
    square = confidence.CONFIDENCE_SET.function()(
        round=1.0, path=np.full_like(found.path, 1e-300), learner_regret=np.maximum(found.regret, 0.0), **known
    )
    return largest(np.sqrt(found.distance / (1.0 + sets.ENOUGH * square)))


_LONG = 30_000
SETS = (
    control(
        "width_without_injection",
        "the width of Delta = 0 where noise is injected",
        confidence.LITERAL_WIDTH,
        Coverage(
            partial(_outside_favourable, sets.INJECTED(100.0), sets.hidden(_LONG), _LONG),
            sets.GOOD_EVENT,
            sets.FARTHER,
            10.0,
            runs=8,
            cell=8,
        ),
    ),
    control(
        "gamma_is_one",
        "the hidden constant taken for 1, with the learner's own regret and path",
        confidence.CONFIDENCE_SET,
        sets.realised(sets.FAVOURABLE(10.0), sets.APART, sets.ROOM, 1000, 1.0, 1.0),
    ),
    control(
        "without_path",
        "a width without the learner's path",
        confidence.CONFIDENCE_SET,
        sets.covers(partial(_without_path, sets.FAVOURABLE(10.0), sets.APART, 1000), sets.ROOM, 1000),
    ),
)
