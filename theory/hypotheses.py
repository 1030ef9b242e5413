"""The named conditions of the statements: what must hold, and who can check it.

Main definitions
    the data       unit_rewards, independent_rewards, fixed_samples, l1_sensitivity, l2_sensitivity, attained_sensitivity,
                   one_round_differs, unit_stream
    the noise      fresh_laplace_noise, fresh_gaussian_noise, one_draw_a_node, fresh_coins, real_arithmetic
    the mechanism  each_private_whatever_came_before, processing_sees_the_release_alone, plays_ucb1
    the numbers    epsilon_below_one, classic_delta_below_one, keeps_truth, round_within_horizon, possible_gaps
"""

import sympy

from banditproof.glossary import CATEGORIES, EPSILON, HORIZON, INVERSE_GAPS, KEEP, ROUND, SENSITIVITY, SIGMA, TOTAL_GAP
from banditproof.theory.language import Checked, Hypothesis, symbol

unit_rewards = Hypothesis("unit_rewards", "every reward lies in [0, 1]", Checked.BY_ENVIRONMENT)
independent_rewards = Hypothesis(
    "independent_rewards", "the rewards of an arm are independent and have one mean, whatever was pulled before", Checked.BY_ENVIRONMENT
)
fixed_samples = Hypothesis("fixed_samples", "the number of samples does not depend on their values", Checked.ASSUMED)

l1_sensitivity = Hypothesis(
    "l1_sensitivity", "neighbouring inputs change the query by at most sensitivity, in the L1 norm", Checked.BY_ENVIRONMENT
)
l2_sensitivity = Hypothesis(
    "l2_sensitivity", "neighbouring inputs change the query by at most sensitivity, in the L2 norm", Checked.BY_ENVIRONMENT
)
attained_sensitivity = Hypothesis(
    "attained_sensitivity", "some neighbouring inputs change the query by exactly sensitivity", Checked.BY_ENVIRONMENT
)
one_round_differs = Hypothesis(
    "one_round_differs", "neighbouring streams differ in one round, and there by at most sensitivity", Checked.BY_ENVIRONMENT
)
unit_stream = Hypothesis(
    "unit_stream", "the stream's values lie in [0, 1], and neighbouring streams differ in one round", Checked.BY_ENVIRONMENT
)

fresh_laplace_noise = Hypothesis(
    "fresh_laplace_noise", "the noise is Laplace with this scale, independent over coordinates and of the data", Checked.ASSUMED
)
fresh_gaussian_noise = Hypothesis(
    "fresh_gaussian_noise",
    "the noise is Gaussian with this standard deviation, independent over coordinates and of the data",
    Checked.ASSUMED,
)
one_draw_a_node = Hypothesis(
    "one_draw_a_node", "each node of the tree has one noise draw, reused in every release that contains the node", Checked.ASSUMED
)
fresh_coins = Hypothesis("fresh_coins", "each answer is randomised by its own coins", Checked.ASSUMED)
real_arithmetic = Hypothesis("real_arithmetic", "outputs are real numbers: floating point is outside the statement", Checked.ASSUMED)

each_private_whatever_came_before = Hypothesis(
    "each_private_whatever_came_before", "each mechanism keeps its own promise for every outcome of those before it", Checked.ASSUMED
)
processing_sees_the_release_alone = Hypothesis(
    "processing_sees_the_release_alone", "the processing sees the release and its own randomness, never the data", Checked.ASSUMED
)

plays_ucb1 = Hypothesis(
    "plays_ucb1", "the arm with the largest mean + sqrt(2 log(t)/pulls) is pulled, after one pull of each", Checked.ASSUMED
)

epsilon_below_one = Hypothesis("epsilon_below_one", "0 < epsilon < 1", Checked.BY_VALUE, sympy.Lt(symbol(EPSILON), 1))
classic_delta_below_one = Hypothesis(
    "classic_delta_below_one",
    "5/4 exp(-(sigma epsilon/sensitivity)^2/2) < 1, so that it is a delta",
    Checked.BY_VALUE,
    sympy.Lt(sympy.Rational(5, 4) * sympy.exp(-((symbol(SIGMA) * symbol(EPSILON) / symbol(SENSITIVITY)) ** 2) / 2), 1),
)
keeps_truth = Hypothesis(
    "keeps_truth",
    "keep > 1/categories: the truth is more likely than a lie",
    Checked.BY_VALUE,
    sympy.Gt(symbol(KEEP) * symbol(CATEGORIES), 1),
)
round_within_horizon = Hypothesis("round_within_horizon", "round <= horizon", Checked.BY_VALUE, sympy.Le(symbol(ROUND), symbol(HORIZON)))
possible_gaps = Hypothesis(
    "possible_gaps",
    "inverse_gaps * total_gap >= 1, as for every vector of gaps (Cauchy-Schwarz)",
    Checked.BY_VALUE,
    sympy.Ge(symbol(INVERSE_GAPS) * symbol(TOTAL_GAP), 1),
)
