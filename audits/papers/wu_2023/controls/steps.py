"""Lines of the proofs of wu_2023 with one mistake each, which the proof engine must refute by numbers."""

from collections.abc import Callable
from dataclasses import replace

from banditproof.audits.mutations import MutatedStep, anywhere, control, right_times, turned
from banditproof.audits.running.audit import Control
from banditproof.theory.language import Step, Theorem, symbol
from banditproof.theory.papers.wu_2023 import elimination, lower_bound, raw


def _step(name: str, mistake: str, theorem: Theorem, step: str, change: Callable[[Step], Step]) -> Control:
    return control(name, mistake, theorem, MutatedStep(theorem, step, change))


def _square(step: Step) -> Step:
    return replace(step, right=step.right * symbol(step.draw_order[-1]))


STEPS = (
    _step("another_mean", "c = 3/5 for c = 1/2", lower_bound.TWO_POINT_PROBLEMS, "mean_of_best", right_times(6, 5)),
    _step("another_gap", "gamma^k for gamma^(k - 1)", lower_bound.TWO_POINT_PROBLEMS, "gap_in_problem_one", _square),
    _step(
        "unequal_mixtures",
        "outliers 1/gamma once too often",
        lower_bound.EQUAL_MIXTURES,
        "both_put_the_same_on_the_large_value",
        right_times(11, 10),
    ),
    _step("radius_of_bernstein", "a logarithm one tenth too large", raw.RAW_RADIUS, "bernstein", right_times(11, 10)),
    _step("too_few_samples", "T_1 <= 4 alpha_1 M at any n", raw.RAW_RADIUS, "outliers_as_printed", anywhere),
    _step("logarithms_too_close", "l_16 <= l_8", raw.RAW_RADIUS, "logarithms", right_times(3, 4)),
    _step(
        "factor_too_small",
        "a bound one part in a hundred smaller, which fails where a failure is small and epsilon 3/2",
        raw.CLEAN_RADIUS,
        "merge_beyond_three_halves",
        right_times(99, 100),
    ),
    _step("sum_over_epochs", "the sum turned round", elimination.GOOD_EVENT, "sum_over_epochs", turned),
    _step(
        "constant_of_privacy",
        "32^(k/(k - 1)) one part in a thousand smaller",
        elimination.REGRET_RAW,
        "constant_of_the_privacy_cost",
        right_times(999, 1000),
    ),
)
