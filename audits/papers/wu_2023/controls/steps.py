"""Lines of the proofs of wu_2023 with one mistake each, which the proof engine must refute by numbers."""

from dataclasses import replace

from banditproof.audits.mutations import anywhere, line_control, right_times, turned
from banditproof.theory.language import Step, symbol
from banditproof.theory.papers.wu_2023 import elimination, lower_bound, raw


def _square(step: Step) -> Step:
    return replace(step, right=step.right * symbol(step.draw_order[-1]))


STEPS = (
    line_control("another_mean", "c = 3/5 for c = 1/2", lower_bound.TWO_POINT_PROBLEMS, "mean_of_best", right_times(6, 5)),
    line_control("another_gap", "gamma^k for gamma^(k - 1)", lower_bound.TWO_POINT_PROBLEMS, "gap_in_problem_one", _square),
    line_control(
        "unequal_mixtures",
        "outliers 1/gamma once too often",
        lower_bound.EQUAL_MIXTURES,
        "both_put_the_same_on_the_large_value",
        right_times(11, 10),
    ),
    line_control("radius_of_bernstein", "a logarithm one tenth too large", raw.RAW_RADIUS, "bernstein", right_times(11, 10)),
    line_control("too_few_samples", "T_1 <= 4 alpha_1 M at any n", raw.RAW_RADIUS, "outliers_as_printed", anywhere),
    line_control("logarithms_too_close", "l_16 <= l_8", raw.RAW_RADIUS, "logarithms", right_times(3, 4)),
    line_control(
        "factor_too_small",
        "a bound one part in a hundred smaller, which fails where a failure is small and epsilon 3/2",
        raw.CLEAN_RADIUS,
        "merge_beyond_three_halves",
        right_times(99, 100),
    ),
    line_control("sum_over_epochs", "the sum turned round", elimination.GOOD_EVENT, "sum_over_epochs", turned),
    line_control(
        "constant_of_privacy",
        "32^(k/(k - 1)) one part in a thousand smaller",
        elimination.REGRET_RAW,
        "constant_of_the_privacy_cost",
        right_times(999, 1000),
    ),
)
