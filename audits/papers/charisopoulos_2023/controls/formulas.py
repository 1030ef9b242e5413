"""Formulas of charisopoulos_2023 with one mistake each, which the comparisons with the theory must refute."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from banditproof.algorithms.designs import approximate
from banditproof.algorithms.estimators.linear import variance_bound
from banditproof.algorithms.policies.robust_arm_elimination import constants
from banditproof.audits.methods.agreement import Agreement, Point
from banditproof.audits.mutations import control, times
from banditproof.audits.papers.charisopoulos_2023.cases import recomputed, recomputed_regret
from banditproof.audits.papers.charisopoulos_2023.cases.agreement import designs as design_cases
from banditproof.audits.papers.charisopoulos_2023.cases.agreement import reports, thresholds
from banditproof.audits.running.audit import Audit, Control
from banditproof.glossary.charisopoulos_2023 import DESIGN_CONSTANT
from banditproof.theory.papers.charisopoulos_2023 import designs, filter, first_model, second_model

RECOMPUTED = tuple(
    control("doubled", "twice the value", theorem, recomputed.audit_of(times(theorem, 2), formula, points))
    for theorem, formula, points in (*recomputed.ROWS, *recomputed_regret.ROWS)
)


def _doubled(value: Callable[[Point], float], point: Point) -> float:
    return 2.0 * value(point)


def _whole(point: Point) -> dict[str, Point]:
    """The point as one argument, for a function of all of it."""
    return {"point": point}


_COMPARED = (
    *(design_cases.SUPPORTS + design_cases.STEPS + design_cases.PLAYS),
    *(thresholds.SIZES + thresholds.FIRST + thresholds.SECOND + thresholds.POLICY),
    *(reports.SCALES + reports.BOUNDS + reports.LAMBDA),
)


def _twice(audits: tuple[Audit, ...]) -> Iterator[Control]:
    """One control per statement: its function's value doubled."""
    seen = set[str]()
    for audit in audits:
        if audit.theorem not in seen and isinstance(audit.method, Agreement):
            seen.add(audit.theorem)
            method = replace(audit.method, function=partial(_doubled, audit.method.value), arguments=_whole, points=20)
            yield control("doubled_function", "twice the value of the parameter function", audit.theorem, method)


DOUBLED = tuple(_twice(_COMPARED))
_LINE_9 = constants.FirstThreshold.LINE_9

# --- mistakes of one term -------------------------------------------------------------------------------------------------------------


def _no_private_term(
    dimension: float,
    epsilon: float,
    corruption: float,
    failure: float,
    size: float,
    corruption_constant: float,
    noise_constant: float,
) -> float:
    """Line 9 without the noise of the reports."""
    return thresholds.first(_LINE_9, dimension, math.inf, corruption, failure, size, corruption_constant, noise_constant)


def _no_private_term_second(
    dimension: float,
    epsilon: float,
    corruption: float,
    failure: float,
    size: float,
    truncation_parameter: float,
    support: float,
    corruption_constant: float,
    noise_constant: float,
) -> float:
    return thresholds.second(
        True, dimension, math.inf, corruption, failure, size, truncation_parameter, support, corruption_constant, noise_constant
    )


def _one_logarithm(
    dimension: float,
    epsilon: float,
    corruption: float,
    failure: float,
    size: float,
    corruption_constant: float,
    noise_constant: float,
) -> float:
    """Line 9 with log(1/delta) for log(q^i/delta): its value for a batch of size 1, but for the noise."""
    one = thresholds.first(_LINE_9, dimension, epsilon, corruption, failure, 1.0, corruption_constant, noise_constant)
    noise = thresholds.first(_LINE_9, dimension, epsilon, 0.0, failure, 1.0, corruption_constant, noise_constant)
    smaller = thresholds.first(_LINE_9, dimension, epsilon, 0.0, failure, size, corruption_constant, noise_constant)
    return one - noise + smaller


def _binary(dimension: float, design_constant: float) -> float:
    """Logarithms to base 2."""
    return design_constant * dimension * math.log2(math.log2(dimension))


def _support_unclipped(dimension: float) -> float:
    return 4.0 * approximate.printed_support_bound(int(dimension)) + 16.0


def _one_tail(samples: float, epsilon: float, failure: float) -> float:
    """The bound on the largest report with the union over one tail in place of two."""
    return variance_bound.explicit_single_report_bound(int(samples), epsilon, failure=min(2.0 * failure, 1.0 - 1e-12))


ONE_TERM = (
    control(
        "no_private_term",
        "a threshold without the private term",
        first_model.THRESHOLD_FIRST,
        Agreement(first_model.THRESHOLD_FIRST, _no_private_term, points=30),
    ),
    control(
        "no_private_term",
        "a threshold of the second model without the private term",
        second_model.THRESHOLD_SECOND,
        Agreement(second_model.THRESHOLD_SECOND, _no_private_term_second, points=30),
    ),
    control(
        "one_logarithm",
        "log(1/delta) for log(q^i/delta) in the threshold",
        first_model.THRESHOLD_FIRST,
        Agreement(first_model.THRESHOLD_FIRST, _one_logarithm, points=30),
    ),
    control(
        "binary_logarithm",
        "logarithms to base 2 in the support",
        designs.SUPPORT_BOUND,
        Agreement(designs.SUPPORT_BOUND, _binary, (design_cases.TWO, DESIGN_CONSTANT)),
    ),
    control(
        "negative_in_two_dimensions",
        "a support bound that lets log log d be negative",
        designs.SUPPORT_FOR_CODE,
        Agreement(designs.SUPPORT_FOR_CODE, _support_unclipped, (design_cases.TWO,)),
    ),
    control(
        "one_tail",
        "the union bound over one tail of the noise",
        first_model.LARGEST_REPORT_FIRST,
        Agreement(first_model.LARGEST_REPORT_FIRST, _one_tail),
    ),
    control(
        "stops_at_lambda",
        "a filter that stops at lambda",
        filter.FILTER_STOP,
        Agreement(filter.FILTER_STOP, lambda filter_scale: filter_scale),
    ),
)
