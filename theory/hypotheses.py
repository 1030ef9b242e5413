"""The named conditions of the statements: what must hold, and who can check it.

Main definitions
    the data       unit_rewards, independent_rewards, fixed_samples, l1_sensitivity, l2_sensitivity, attained_sensitivity,
                   one_round_differs, unit_stream
    the noise      fresh_laplace_noise, fresh_gaussian_noise, one_draw_per_node, fresh_coins, real_arithmetic
    the mechanism  each_private_whatever_came_before, processing_sees_the_release_alone, plays_ucb1
    the draws      independent_draws, centred_draws, bounded_draws, draws_in_an_interval, bernoulli_trials
    rewards        finite_raw_moment, finite_central_moment, huber_contaminated, uncontaminated, contamination_is_bounded
    bandits        plays_prae_raw, plays_prae_central, failure_is_inverse_horizon, private_policy
    composition    one_entry_differs, parts_by_position
    the numbers    epsilon_below_one, classic_delta_below_one, keeps_truth, round_within_horizon, possible_gaps, horizon_at_least_arms
"""

import sympy

from banditproof.glossary import (
    ARMS,
    CATEGORIES,
    EPSILON,
    HORIZON,
    INVERSE_GAPS,
    KEEP,
    ROUND,
    SENSITIVITY,
    SIGMA,
    TOTAL_GAP,
)
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
    "attained_sensitivity",
    "some neighbouring inputs change the query by exactly sensitivity",
    Checked.BY_ENVIRONMENT,
    added="attained_sensitivity",
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
one_draw_per_node = Hypothesis(
    "one_draw_per_node", "each node of the tree has one noise draw, reused in every release that contains the node", Checked.ASSUMED
)
fresh_coins = Hypothesis("fresh_coins", "each answer is randomised by its own coins", Checked.ASSUMED)
real_arithmetic = Hypothesis("real_arithmetic", "outputs are real numbers: floating point is outside the statement", Checked.ASSUMED)

independent_draws = Hypothesis("independent_draws", "the draws are independent", Checked.BY_ENVIRONMENT)
centred_draws = Hypothesis("centred_draws", "each draw has mean 0", Checked.BY_ENVIRONMENT)
bounded_draws = Hypothesis(
    "bounded_draws", "each draw is at most magnitude in absolute value and has at most this variance", Checked.BY_ENVIRONMENT
)
draws_in_an_interval = Hypothesis("draws_in_an_interval", "each draw lies in one interval of this width", Checked.BY_ENVIRONMENT)
bernoulli_trials = Hypothesis("bernoulli_trials", "the draws are 0 or 1, 1 with probability success", Checked.BY_ENVIRONMENT)

finite_raw_moment = Hypothesis(
    "finite_raw_moment", "the mean of |reward|^k is at most 1 for every inlier distribution", Checked.BY_ENVIRONMENT
)
finite_central_moment = Hypothesis(
    "finite_central_moment",
    "the mean of |reward - mean|^k is at most 1 for every inlier distribution, and the mean lies in [-D, D]",
    Checked.BY_ENVIRONMENT,
)
huber_contaminated = Hypothesis(
    "huber_contaminated",
    "each observed reward is drawn independently, from the arm's inlier (uncontaminated) distribution or, with a fixed probability, "
    "from an arbitrary one",
    Checked.BY_ENVIRONMENT,
)
uncontaminated = Hypothesis("uncontaminated", "every observed reward is from the inlier distribution", Checked.BY_ENVIRONMENT)
contamination_is_bounded = Hypothesis(
    "contamination_is_bounded", "rewards are contaminated with a probability of at most contamination", Checked.ASSUMED
)

plays_prae_raw = Hypothesis(
    "plays_prae_raw",
    "batches double, arms are eliminated by truncated means of the last batch at the epoch's truncation and radius",
    Checked.ASSUMED,
)
plays_prae_central = Hypothesis(
    "plays_prae_central", "batches double, arms are eliminated by two-fold histogram estimates of the last batch", Checked.ASSUMED
)
failure_is_inverse_horizon = Hypothesis(
    "failure_is_inverse_horizon", "the policy knows the horizon and its total failure budget is 1/T", Checked.ASSUMED
)
private_policy = Hypothesis(
    "private_policy", "the policy's arms are epsilon-differentially private in the list of rewards", Checked.ASSUMED
)

one_entry_differs = Hypothesis(
    "one_entry_differs", "neighbouring lists of rewards differ in one entry, by any amount", Checked.BY_ENVIRONMENT
)
parts_by_position = Hypothesis(
    "parts_by_position",
    "neighbours differ in one record, and which part a record enters depends on its position and on earlier outputs, never on its value",
    Checked.ASSUMED,
)
each_private_whatever_came_before = Hypothesis(
    "each_private_whatever_came_before", "each mechanism keeps its own guarantee for every outcome of those before it", Checked.ASSUMED
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
    "solved_for_epsilon",
)
round_within_horizon = Hypothesis("round_within_horizon", "round <= horizon", Checked.BY_VALUE, sympy.Le(symbol(ROUND), symbol(HORIZON)))
possible_gaps = Hypothesis(
    "possible_gaps",
    "inverse_gaps * total_gap >= 1, which holds for every vector of gaps (Cauchy-Schwarz)",
    Checked.BY_VALUE,
    sympy.Ge(symbol(INVERSE_GAPS) * symbol(TOTAL_GAP), 1),
    "which_gaps",
)
horizon_at_least_arms = Hypothesis(
    "horizon_at_least_arms", "horizon >= arms", Checked.BY_VALUE, sympy.Ge(symbol(HORIZON), symbol(ARMS)), added="rounds_at_least_arms"
)
