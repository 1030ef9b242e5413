"""Lines of the proofs of shariff_sheffet_2018 with one mistake each, which the proof engine must refute by numbers."""

from banditproof.audits.mutations import anywhere, line_control, right_times, turned
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, gaussian, lower_bound, privacy, regret, wishart

LINES = tuple(
    line_control(name, mistake, theorem, step, change)
    for name, mistake, theorem, step, change in (
        ("order_of_inverses", "the inverse of the larger matrix is the larger", facts.MATRIX_ORDER, "inverse", turned),
        ("shift_beyond_rho", "Claim 20 for any c below the eigenvalues", facts.SHIFTED_NORM, "shifted_norm_below", anywhere),
        ("gram_below", "G + H against G + rho_min I the wrong way round", confidence.RADIUS, "gram", turned),
        ("trace_of_the_past", "the trace bound the wrong way round", confidence.RADIUS_UPPER, "trace", turned),
        ("cauchy_schwarz", "Cauchy-Schwarz without the number of rounds", regret.GENERIC_REGRET, "two_rounds", right_times(1, 2)),
        ("short_actions", "1 <= 2 log(1 + u) for every u", regret.POTENTIAL_DETERMINANT, "long_action", anywhere),
        ("scaled_twice", "beta divided by B/2", regret.SCALING, "scaled_radius", right_times(2)),
        ("budget_at_any_level", "the node's budget for every epsilon", privacy.TREE_BUDGET, "drift_up_to_one", anywhere),
        ("noise_at_any_level", "the variance of A.1 for every epsilon", privacy.GAUSSIAN_NOISE, "tail", anywhere),
        ("added_row", "L~^2 for a replaced row", privacy.ROW_SENSITIVITY, "change", right_times(1, 2)),
        ("shift_of_either_sign", "c >= 0 for any k", wishart.SHIFT_OF_WISHART, "shift_removes", anywhere),
        ("budget_at_any_failure", "half of the budget for any alpha", wishart.WISHART_PERTURBATION, "half_of_the_budget", anywhere),
        ("four_for_two", "4 (m k)^(1/4) for 2 (m k)^(1/4)", wishart.SHIFTED_PERTURBATION, "chain", right_times(1, 2)),
        ("norm_turned", "the exponent of the norm the wrong way round", gaussian.UPSILON_OF_NOISE, "operator_norm", turned),
        ("room_at_any_failure", "room for alpha near 2 n", gaussian.GAUSSIAN_PERTURBATION, "length_with_room", anywhere),
        ("no_constant", "log(4/delta) without 3/2", gaussian.GAUSSIAN_PERTURBATION_CLOSED, "closed_form", right_times(2, 3)),
        ("any_privacy", "n/4 for every epsilon and delta", lower_bound.CONTEXT_REGRET, "quarter", anywhere),
        ("six_everywhere", "exp(epsilon) - 1 <= 6 epsilon", lower_bound.COUPLING, "six_for_small_epsilon", anywhere),
        ("more_pulls_than_rounds", "half of the rounds for any t_a", lower_bound.PULLS_MISSED, "half_of_the_rounds", anywhere),
        ("small_horizons", "1/2 for every n", lower_bound.PULLS, "large_enough", anywhere),
        ("every_arm", "K - 1 >= K", lower_bound.REGRET_PRIVATE_EXPLICIT, "arms_but_one", right_times(2)),
    )
)
