"""What an online learner is: in each round it predicts a point of the ball of radius D, then hears one gradient, of length at most G.

    arrays = learner.start(Plan(dimension=5, horizon=20000, parameter_norm=1.0, gradient_bound=30.0))
    point = learner.predict(arrays)              # theta_t, (d,)
    linear = learner.loss(arrays, gradient, u)   # <g_t, theta_t - u>, at least l_t(theta_t) - l_t(u) where l_t is convex
    learner.update(arrays, gradient)             # the arrays then hold theta_(t+1)
    learner.regret(plan)                         # a known bound on the sum of these losses, whatever the gradients and u

A learner itself is a NamedTuple of parameters, and never changes. All that does lives in `Arrays`, one type for all learners, so that the
compiled loop of a policy runs any of them (`kernels`). The gradients of a batch are all taken at the same point: `hear` each of them, then
`move` once; `update` is both.
"""

from typing import NamedTuple, Protocol

from banditproof.interaction import Floats, Ints
from banditproof.lanes import EIGHT

# How the arrays are updated, `Arrays.counts[RULE]`.
MALER, ROOT_STEP, HARMONIC_STEP = 0, 1, 2
# Places in `Arrays.counts` and `Arrays.settings`.
RULE, HEARD, FAMILY = 0, 1, 2
BOUND, NORM, NEWTON, STEP = 0, 1, 2, 3
COUNTS, SETTINGS = 3, 4


class Plan(NamedTuple):
    """What a learner is told before the first round: d, T, the radius D of its ball, and the bound G on the gradients."""

    dimension: int
    horizon: int
    parameter_norm: float
    gradient_bound: float


def breadth(family: int) -> int:
    """Places in the arrays of a family of m = `family` experts: whole EIGHTs, so that they are taken side by side."""
    return -(-family // EIGHT) * EIGHT


class Arrays(NamedTuple):
    """What a learner holds. p = d (d + 1) / 2; B = breadth(m) for m learning rates, 0 without experts; E = 2 B + EIGHT.

    Experts stand in the order strongly convex (from place 0), exp-concave (from B), convex (2 B, which is 0 for a learner without experts).
    The places that are left over in each EIGHT have weight 0; a rate of 0 keeps the exp-concave ones at 0.
    """

    counts: Ints  # (3,): the rule, gradients heard so far, m
    settings: Floats  # (4,): G, D, b of the exp-concave experts, the step of gradient descent
    point: Floats  # (d,): theta_t, where all gradients are taken
    experts: Floats  # (d, E)
    log_weights: Floats  # (E,): the weights sum to 1
    weights: Floats  # (E,): a multiple of them
    rates: Floats  # (E,)
    metrics: Floats  # (p, B): A_t of the exp-concave experts, packed
    inverses: Floats  # (p, B)
    scratch: Floats  # `scratch_numbers` of them


def scratch_numbers(dimension: int) -> int:
    """EIGHT vectors side by side, at least one EIGHT; and what a single expert's projection or inverse takes."""
    return EIGHT * dimension + 3 * (dimension * (dimension + 1) // 2) + 3 * dimension


class OnlineLearner(Protocol):
    """A learner over the ball of radius D."""

    def start(self, plan: Plan) -> Arrays: ...
    def predict(self, arrays: Arrays) -> Floats: ...
    def loss(self, arrays: Arrays, gradient: Floats, comparator: Floats) -> float: ...
    def update(self, arrays: Arrays, gradient: Floats) -> None: ...
    def regret(self, plan: Plan) -> float: ...  # infinite where no bound is known
