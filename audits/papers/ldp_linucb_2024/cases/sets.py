"""ldp_linucb_2024: the confidence sets in all rounds at once, the width that would have been enough, and how the distance grows.

Lemma 3.3 holds on a good event whose probability the text at hand does not have: beta is taken for its failure probability. Widths are the
theory's, with every hidden constant 1; the centres are what the policy releases.

    apart    four unit vectors of the plane, redrawn in every round: lambda_min is at least 0.4 where the best one is played
    hidden   the two arms e_2 and -e_2, all rewards 0, theta* = e_1: lambda_min = 0, and theta* lies along what is not played
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB, Problem
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.stated import Derived
from banditproof.audits.methods.tightness import BoundUtilisation, largest
from banditproof.audits.mutations import stating
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import HORIZON, ROUND
from banditproof.interaction import ClientRandomiser, Environment, Floats, Pipeline, Table, Wire
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import symbol
from banditproof.theory.papers.ldp_linucb_2024 import confidence, loss, regret

DIMENSION, FAILURE, TOGETHER = 2, 0.05, 8
APART = Sphere(dimension=DIMENSION, arms=4)


def hidden(horizon: int) -> Table:
    """Two arms that show nothing of theta* = e_1."""
    return Table(np.zeros((horizon, 2)), contexts=np.tile([[0.0, 1.0], [0.0, -1.0]], (horizon, 1, 1)))


def policy(epsilon: float, curvature: float, threshold: float | None = None, horizon: int | None = None) -> PrivateOnlineLinUCB:
    """Algorithm 1 with Maler, told theta* = e_1 for diagnosis, which it does not look at. Rewards are -1 or 1, so R = 1."""
    return PrivateOnlineLinUCB(
        epsilon,
        0.1,
        curvature=curvature,
        threshold=threshold,
        problem=Problem(1.0, 1.0),
        failure=FAILURE,
        planned_horizon=horizon,
        truth=(1.0, 0.0),
    )


FAVOURABLE, INJECTED = partial(policy, curvature=0.4), partial(policy, curvature=0.0, threshold=1.0)


@dataclass(frozen=True)
class Rounds:
    """What runs release after each round, (runs, n), before the sets of rounds 2 to n + 1."""

    distance: Floats  # of theta* from the centre, squared, in the norm of V~
    path: Floats  # with the prediction of the next round
    regret: Floats  # of the learner
    outside: Floats  # rounds so far in which the policy itself counts theta* as outside


def _distances(packed: Floats, sums: Floats) -> Floats:
    """The squared distance of e_1 from V~^-1 u~ in the norm of V~, from V~ packed by rows (runs, n, d (d + 1)/2) and u~ (runs, n, d)."""
    size = sums.shape[-1]
    lower, other = np.tril_indices(size)
    matrices = np.empty((*sums.shape, size))
    matrices[..., lower, other] = matrices[..., other, lower] = packed
    if size == 2:  # by hand: a tenth of the time
        determinant = packed[..., 0] * packed[..., 2] - packed[..., 1] ** 2
        first = (packed[..., 2] * sums[..., 0] - packed[..., 1] * sums[..., 1]) / determinant
        centres = np.stack([first, (packed[..., 0] * sums[..., 1] - packed[..., 1] * sums[..., 0]) / determinant], axis=-1)
    else:
        centres = np.asarray(np.linalg.solve(matrices, sums[..., None])[..., 0], dtype=float)
    centres[..., 0] -= 1.0
    return np.asarray(np.einsum("...i,...ij,...j->...", centres, matrices, centres))


def rounds(
    told: PrivateOnlineLinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator, client: Any = None
) -> Rounds:
    """Plays runs; the distances are computed from V~ and u~ alone. Draws one key."""
    randomiser: ClientRandomiser = told.randomiser() if client is None else client
    played = play_many(Pipeline(told, environment, randomiser), horizon=horizon, key=key_from(rng), runs=runs, record=(Wire.STATISTIC,))
    released, size = np.asarray(played.wire(Wire.STATISTIC)), environment.dimension
    block = size * (size + 1) // 2
    points = released[..., block + size : block + 2 * size]
    squares = _distances(released[..., :block], released[..., block : block + size])
    next_step = (points[..., 0] - 1.0) ** 2 + (points[..., 1:] ** 2).sum(axis=-1)
    return Rounds(squares, released[..., -2] + next_step, released[..., -1], released[..., -4])


# --- widths -------------------------------------------------------------------------------------------------------------------------------


def common(told: PrivateOnlineLinUCB, horizon: int) -> dict[str, Any]:
    """What the widths of the theory are given."""
    planned, failure = told.plan(horizon)
    return {
        "horizon": planned,
        "failure": failure,
        "epsilon": told.epsilon,
        "delta": told.delta,
        "parameter_norm": told.problem.parameter_norm,
        "reward_sigma": told.problem.reward_sigma,
        "injected_sigma": told.injection(horizon),
        "width_constant": 1.0,
    }


def literal(told: PrivateOnlineLinUCB, horizon: int) -> Floats:
    """The squared literal width of rounds 2 to n + 1."""
    known = common(told, horizon)
    length = {name: known[name] for name in ("horizon", "failure", "injected_sigma", "parameter_norm")}
    clipping = loss.CLIPPING_LENGTH.function()(sigma=told.sigma(), clipping_constant=1.0, **length)
    known |= {"clipping": clipping, "curvature": told.curvature, "learner_constant": 1.0, "path_constant": 1.0}
    return np.asarray(confidence.LITERAL_WIDTH.function()(round=np.arange(2.0, horizon + 2.0), **known))


def within_literal(told: PrivateOnlineLinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """The largest fraction of the literal width that the distance reaches in any round."""
    return largest(np.sqrt(rounds(told, environment, horizon, runs, rng).distance / literal(told, horizon)))


def within_realised(
    told: PrivateOnlineLinUCB, environment: Environment, horizon: int, added: float, gamma: float, runs: int, rng: np.random.Generator
) -> Floats:
    """The same for the square `added` + `gamma` (M_N + K_N), with the learner's own path, and its own regret for M_N (0 where negative)."""
    found, known = rounds(told, environment, horizon, runs, rng), common(told, horizon)
    square = confidence.CONFIDENCE_SET.function()(
        round=np.arange(2.0, horizon + 2.0), path=found.path, learner_regret=np.maximum(found.regret, 0.0), **known
    )
    return largest(np.sqrt(found.distance / (added + gamma * square)))


def counted_outside(told: PrivateOnlineLinUCB, environment: Environment, horizon: int, runs: int, rng: np.random.Generator) -> Bools:
    """Whether the policy itself counts a round in which theta* lay outside its set."""
    return np.asarray(rounds(told, environment, horizon, runs, rng).outside[:, -1] > 0.0)


def good_event() -> float:
    """beta, our reading of how often the good event fails."""
    return FAILURE


GOOD_EVENT = Derived(good_event, "beta: the paper does not print how often the good event fails")


def covers(
    utilisation: Callable[[int, np.random.Generator], Floats], rule: str, horizon: int, runs: int = 250, dimension: int = DIMENSION
) -> BoundUtilisation:
    """That theta* is in the sets of all rounds from 2 on, except in a fraction beta of the runs."""
    shown = {"d": dimension, "n": horizon, "beta": FAILURE}
    return BoundUtilisation(utilisation, GOOD_EVENT, rule, 4.0, runs=runs, cell=50, parameters=shown)


_T, _LONG = 1000, 16_000
FARTHER = "theta* farther from the centre than the theory's width in some round from 2 on"
_SETTINGS = (
    ("apart_eps1", "four arms apart, epsilon = 1", FAVOURABLE(1.0), APART),
    ("apart_eps10", "four arms apart, epsilon = 10", FAVOURABLE(10.0), APART),
    ("apart_eps100", "four arms apart, epsilon = 100", FAVOURABLE(100.0), APART),
    ("apart_injected_eps10", "four arms apart, Delta^2 = T^(-1/4), epsilon = 10", policy(10.0, 0.0), APART),
    ("hidden_eps100", "theta* along what is not played, Delta^2 = 1, epsilon = 100", INJECTED(100.0), hidden(_T)),
)
LITERAL = tuple(
    Audit(
        confidence.LITERAL_WIDTH.id,
        f"tightness.{slug}_{swept(n=_T)}",
        f"literal width, all hidden constants 1, {shown}, {_T} rounds",
        covers(partial(within_literal, told, environment, _T), FARTHER, _T),
    )
    for slug, shown, told, environment in _SETTINGS
)
OWN_COUNT = tuple(
    Audit(
        confidence.LITERAL_WIDTH.id,
        f"coverage.own_count_{slug}_{swept(n=_T)}",
        f"literal width as the policy counts itself, {shown}, {_T} rounds",
        Coverage(
            partial(counted_outside, told, environment, _T),
            GOOD_EVENT,
            "theta* outside the policy's own set in some round",
            5.0,
            runs=200,
            cell=50,
            parameters={"d": DIMENSION, "n": _T, "beta": FAILURE},
        ),
    )
    for slug, shown, told, environment in _SETTINGS[1::3]
)
# The paper's gamma is hidden. 4 is the factor that solving the root puts on M_N (finding weight_of_the_learner); with 1 the sets fail.
ENOUGH = 4.0
ROOM = "theta* farther from the centre than D^2 + 4 (M_N + K_N) with the learner's own regret and path"


def realised(told: PrivateOnlineLinUCB, environment: Environment, rule: str, horizon: int, added: float, gamma: float) -> BoundUtilisation:
    """Lemma 3.3's set with the learner's own regret and path."""
    return covers(partial(within_realised, told, environment, horizon, added, gamma), rule, horizon)


REALISED = tuple(
    Audit(
        confidence.CONFIDENCE_SET.id,
        f"tightness.{slug}_{swept(n=_T)}",
        f"D^2 + 4 (M_N + K_N) with the learner's own regret and path, {shown}, {_T} rounds",
        realised(told, environment, ROOM, _T, 1.0, ENOUGH),
    )
    for slug, shown, told, environment in _SETTINGS
)
QUIET = replace(FAVOURABLE(1000.0, threshold=0.1), problem=Problem(1.0, 0.05))
QUIET_REWARDS = replace(APART, rewards=Rewards.GAUSSIAN, standard_deviation=0.05)
_PRINTED = "theta* farther from the centre than 4 (M_N + K_N) with the learner's own regret and path"
FIRST_ROUNDS = (
    Audit(
        confidence.CONFIDENCE_SET.id,
        "tightness.quiet_as_printed",
        "4 (M_N + K_N) without D^2, as printed: hardly any noise, R = 1/20, epsilon = 1000, 20 rounds",
        realised(QUIET, QUIET_REWARDS, _PRINTED, 20, 0.0, ENOUGH),
        Verdict.REFUTED,
    ),
    Audit(
        confidence.CONFIDENCE_SET.id,
        "tightness.quiet_with_length",
        "D^2 + 4 (M_N + K_N): hardly any noise, R = 1/20, epsilon = 1000, 20 rounds",
        realised(QUIET, QUIET_REWARDS, ROOM, 20, 1.0, ENOUGH),
    ),
)

# --- growth -------------------------------------------------------------------------------------------------------------------------------

Draw = Callable[[int, np.random.Generator], Floats]


def few(draw: Draw) -> Draw:
    """Plays a few runs at a time: all rounds of a run are held at once."""
    return lambda runs, rng: np.concatenate([draw(min(TOGETHER, runs - first), rng) for first in range(0, runs, TOGETHER)])


def squared_distance(told: PrivateOnlineLinUCB, environment: Callable[[int], Environment]) -> Callable[[int], Draw]:
    """The squared distance of theta* from the last centre."""
    return lambda horizon: few(lambda runs, rng: rounds(told, environment(horizon), horizon, runs, rng).distance[:, -1])


def path(told: PrivateOnlineLinUCB, environment: Callable[[int], Environment], client: Any = None) -> Callable[[int], Draw]:
    """The learner's path to theta*."""
    return lambda horizon: few(lambda runs, rng: rounds(told, environment(horizon), horizon, runs, rng, client).path[:, -1])


def apart(horizon: int) -> Environment:
    return APART


WIDTH_AT_THE_END = stating(
    confidence.LITERAL_WIDTH, confidence.LITERAL_WIDTH.stated().cases[0].expression.subs(symbol(ROUND), symbol(HORIZON))
)
_FIRST, _LAST = 300, 30_000


def distances_grow(told: PrivateOnlineLinUCB, environment: Callable[[int], Environment]) -> GrowthRate:
    """The median squared distance beside the literal squared width at N = T; constants are those of the larger horizon at both."""
    measured = squared_distance(replace(told, planned_horizon=_LAST), environment)
    return GrowthRate(measured, WIDTH_AT_THE_END.growth_in(HORIZON), _FIRST, _LAST, quantile=0.5, runs=24)


def paths_grow(told: PrivateOnlineLinUCB, environment: Callable[[int], Environment], client: Any = None, last: int = 8000) -> GrowthRate:
    """The median path beside Lemma 3.5's, at a fixed Delta; constants are those of the larger horizon at both."""
    measured = path(replace(told, planned_horizon=last), environment, client)
    return GrowthRate(measured, regret.PATH_ORDER.growth_in(HORIZON), 500, last, quantile=0.5, runs=24)


NARROW = replace(FAVOURABLE(100.0), width=Width.CONST, scale=8.0)
GROWTH = (
    Audit(
        confidence.LITERAL_WIDTH.id,
        "growth.hidden_as_printed",
        f"the squared distance of theta* from the centre, Delta^2 = 1, theta* along what is not played, {_FIRST} to {_LAST} rounds",
        distances_grow(INJECTED(100.0), hidden),
        Verdict.REFUTED,
    ),
    Audit(
        regret.PATH_ORDER.id,
        "growth.played_hidden_as_printed",
        "the path of Maler, Delta^2 = 1, theta* along what is not played, 500 to 8000 rounds",
        paths_grow(INJECTED(100.0), hidden),
        Verdict.REFUTED,
    ),
    Audit(
        regret.PATH_ORDER.id,
        "growth.played_injected_as_printed",
        "the path of Maler, Delta^2 = 1, four arms apart, 500 to 8000 rounds",
        paths_grow(INJECTED(100.0), apart),
        Verdict.REFUTED,
    ),
    Audit(
        regret.PATH_ORDER.id,
        "growth.played_apart",
        "the path of Maler, Delta = 0, four arms apart, 500 to 8000 rounds",
        paths_grow(NARROW, apart),
    ),
    Audit(
        regret.PATH_ORDER.id,
        "growth.played_apart_eps10",
        "the path of Maler, Delta = 0, four arms apart, epsilon = 10, literal width, 500 to 32000 rounds",
        paths_grow(FAVOURABLE(10.0), apart, last=32_000),
    ),
)
