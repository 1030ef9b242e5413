"""Lines of the proofs of charisopoulos_2023 after a change, which must be refuted."""

from banditproof.audits.mutations import anywhere, line_control, right_times, turned
from banditproof.theory.papers.charisopoulos_2023 import comparisons, confidence, designs, elimination, introduction, setting

LINES = tuple(
    line_control(name, mistake, theorem, step, change)
    for name, mistake, theorem, step, change in (
        ("product_halved", "half of the bound on the mean reward", setting.ACTIONS, "mean_reward", right_times(1, 2)),
        ("half_the_total", "half of alpha T", setting.CORRUPTION_TOTAL, "every_report_at_once", right_times(1, 2)),
        ("terms_doubled", "twice the sum of the two terms", confidence.FIRST_TERM, "filter_and_outliers", right_times(2)),
        ("rest_doubled", "twice the right side of (41)", confidence.SECOND_TERM, "sign_repaired", right_times(2)),
        ("residuals_doubled", "twice the residuals", confidence.THIRD_TERM, "least_squares_error", right_times(2)),
        ("half_the_time", "half of the time to read the arms", designs.DESIGN_TIME, "every_action_is_read", right_times(1, 2)),
        ("estimates_turned", "Fact 1 the other way round", elimination.BEST_IS_KEPT, "fact_one", turned),
        ("any_gap", "Fact 2 for any gap", elimination.WORSE_IS_REMOVED, "removed", anywhere),
        ("any_coreset", "Fact 1 for any coreset", elimination.RESTRICTED_TO_CORESET, "best_arm_in_the_coreset", anywhere),
        ("any_corruption", "the first case for any alpha", introduction.INFORMAL_M1_FEW, "where_the_max_switches", anywhere),
        ("tenth_of_d", "alpha below d/40", introduction.INFORMAL_M1_MANY, "second_case_is_empty", right_times(1, 10)),
        ("any_horizon", "the private part at any horizon", introduction.PRIVATE_PART, "private_noise", anywhere),
        (
            "quarter_of_the_factor",
            "a quarter of sqrt(d)",
            introduction.NON_PRIVATE_PART,
            "factor_against_the_interval",
            right_times(1, 4),
        ),
        ("tenth_of_the_rate", "a tenth of the rate of M2", introduction.WHICH_MODEL, "dimension_small", right_times(1, 10)),
        (
            "gain_below_root",
            "a gain of 0.9 sqrt(d) at most",
            comparisons.GAIN_OVER_BUDGET,
            "at_most_root_of_the_dimension",
            right_times(9, 10),
        ),
        ("gain_doubled", "a gain of 2 sqrt(d) always", comparisons.GAIN_ALWAYS, "root_in_the_first_case", right_times(2)),
        ("any_epsilon", "the local rate at any epsilon", comparisons.MATCHES, "local_model", anywhere),
    )
)
