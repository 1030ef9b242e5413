"""Formulas of charisopoulos_2023 with one mistake each, which the comparisons with the theory must refute."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from banditproof.algorithms.designs import approximate
from banditproof.algorithms.estimators.linear import variance_bound
from banditproof.algorithms.policies.robust_arm_elimination import constants
from banditproof.audits.methods.agreement import Agreement
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


def _doubled(function: Callable[..., float], **point: Any) -> float:
    return 2.0 * function(**point)


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
            method = replace(audit.method, function=partial(_doubled, audit.method.function), points=20)
            yield control("doubled_function", "twice the value of the parameter function", audit.theorem, method)


DOUBLED = tuple(_twice(_COMPARED))

# --- mistakes of one term -------------------------------------------------------------------------------------------------------------


def _no_private_term(**point: Any) -> float:
    """Line 9 without the noise of the reports."""
    point["epsilon"] = math.inf
    return constants.gamma_first_model(int(point.pop("dimension")), point.pop("epsilon"), **point)


def _no_private_term_second(**point: Any) -> float:
    support, dimension = int(point.pop("support")), int(point.pop("dimension"))
    point["epsilon"] = math.inf
    return constants.gamma_second_model(dimension, point.pop("epsilon"), support=support, **point)


def _one_logarithm(**point: Any) -> float:
    """Line 9 with log(1/delta) for log(q^i/delta): its value for a batch of size 1, but for the noise."""
    size = point.pop("size")
    dimension, epsilon = int(point.pop("dimension")), point.pop("epsilon")
    one = constants.gamma_first_model(dimension, epsilon, size=1.0, **point)
    noise = constants.gamma_first_model(dimension, epsilon, size=1.0, **{**point, "corruption": 0.0})
    smaller = constants.gamma_first_model(dimension, epsilon, size=size, **{**point, "corruption": 0.0})
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
