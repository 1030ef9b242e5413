"""Lines of the proofs of ldp_linucb_2024 with one mistake each, which the proof engine must refute by numbers."""

from banditproof.audits.mutations import MutatedStep, anywhere, control, right_times, turned
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, comparisons, confidence, learner, loss, privacy, regret

LINES = tuple(
    control(name, mistake, theorem, MutatedStep(theorem, step, change))
    for name, mistake, theorem, step, change in (
        ("actions_of_one_sign", "actions differ by at most sqrt(2)", privacy.ACTION_SENSITIVITY, "two_actions", right_times(1, 2)),
        ("half_the_difference", "half of the loss difference", loss.LOSS_DIFFERENCE, "one_feature", right_times(1, 2)),
        ("least_elsewhere", "three times the least value", loss.MINIMISER_COMPONENT, "least_value", right_times(3)),
        ("sign_of_the_terms", "half of the expanded loss", confidence.CONFIDENCE_SET, "loss_expanded", right_times(1, 2)),
        ("ridge_halved", "half of the ridge identity", confidence.RIDGE, "one_round", right_times(1, 2)),
        ("long_actions_everywhere", "2 <= 2 w for any width", regret.REGRET_BY_WIDTH, "round_of_a_long_action", anywhere),
        ("path_halved", "half of the path bound", regret.PATH_ORDER, "solved_for_the_path", right_times(1, 2)),
        ("distances_halved", "twice the least sum of squared distances", regret.PATH_FLOOR, "two_distances", right_times(4)),
        ("any_failure", "log(1/beta) <= log T for any beta", regret.LEARNER_BOUND, "failure_above_inverse_horizon", anywhere),
        ("weights_above_one", "half of the initial weights", learner.PRIOR_CURVED, "telescopes", right_times(1, 2)),
        ("logarithm_of_the_prior", "half of the factor", learner.PRIOR_LOGARITHM_OF, "last_weight", right_times(1, 2)),
        ("weights_grow", "half of log(1 + z)", learner.MALER_CONVEX, "weights_above", right_times(1, 2)),
        ("any_rate", "rates above the grid", learner.MALER_STRONG, "surrogate_gradient", anywhere),
        ("curvature_pays_double", "half of the curved bound", learner.MALER_STRONGLY_CONVEX, "curvature_pays", right_times(1, 2)),
        ("roots_halved", "half of the sum of 1/sqrt(t)", learner.DESCENT_CONVEX, "root_of_a_round", right_times(1, 2)),
        ("logarithm_halved", "half of the sum of 1/t", learner.DESCENT_STRONG, "inverse_of_a_round", right_times(1, 2)),
        ("small_ball_halved", "half of the density", comparisons.SMALL_BALL, "density_at_its_largest", right_times(1, 2)),
        (
            "any_epsilon",
            "the comparison with the local rate for any epsilon",
            comparisons.BETTER_THAN_LOCAL,
            "threshold_of_epsilon",
            anywhere,
        ),
        ("any_curvature", "the comparison for any lambda_min", comparisons.BETTER_THAN_SHUFFLE, "threshold_of_curvature", anywhere),
        ("any_horizon", "the branch at any horizon", comparisons.ROUNDS_FOR_BRANCH, "branch_is_possible", anywhere),
        ("epochs_halved", "half of the sum of the epochs", combiner.EPOCHS_ADD_UP, "geometric_sum", right_times(1, 2)),
        ("level_turned", "the script's level the wrong way round", baselines.LOCAL_SCRIPT_LEVEL, "opposite_directions", turned),
    )
)
