"""What wu_2023's Appendix A says with one mistake each."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.mutations import control, line_control, right_times, times, turned
from banditproof.audits.papers.wu_2023.cases import experiments as cases
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.wu_2023 import experiments

_ARM, _MEAN = 3, 80  # the third of the arms of mean 100, 90, 80, ...


def _beside(theorem: Theorem, value: Fraction, **known: Any) -> Pointwise:
    """The value beside the statement with its mistake, at one point."""

    def points() -> Iterator[At]:
        yield At(known, value, theorem.at(**known).ball)

    return Pointwise(points, "one point of its audit", "value", Sense.EQUALS)


_TAIL = Fraction(9, 10)
_PARETO: dict[str, Any] = {"shape": cases.SHAPE, "least_value": cases.LEAST}
_CENTRAL_SECOND_MOMENT = cases.pareto_moment(2, cases.pareto_moment(1, Fraction(0)))
POINTS = (
    control(
        "means_of_arms",
        "means a tenth smaller",
        experiments.ARM_MEANS,
        _beside(times(experiments.ARM_MEANS, _TAIL), Fraction(_MEAN), arm_index=_ARM, arms=cases.ARMS),
    ),
    control(
        "failure_of_runs",
        "delta a tenth smaller",
        experiments.EXPERIMENT_FAILURE,
        _beside(times(experiments.EXPERIMENT_FAILURE, _TAIL), Fraction("1e-5"), horizon=cases.HORIZON),
    ),
    control(
        "mean_of_pareto",
        "means a tenth smaller",
        experiments.PARETO_MEAN,
        _beside(times(experiments.PARETO_MEAN, _TAIL), _MEAN + cases.pareto_moment(1, Fraction(5, 2)), arm_mean=_MEAN, **_PARETO),
    ),
    control(
        "variance_of_pareto",
        "a variance a tenth smaller",
        experiments.PARETO_VARIANCE,
        _beside(times(experiments.PARETO_VARIANCE, _TAIL), _CENTRAL_SECOND_MOMENT, **_PARETO),
    ),
    control(
        "variance_of_student",
        "a variance a tenth smaller",
        experiments.STUDENT_VARIANCE,
        _beside(times(experiments.STUDENT_VARIANCE, _TAIL), cases.student_second_moment(), tail_degrees=cases.DEGREES),
    ),
    control(
        "tested_within_the_run",
        "a first tested batch of at most T",
        experiments.CORROBORATION,
        replace(cases.BOUNDS[2].method, sense=Sense.AT_MOST),  # type: ignore[type-var]
    ),
)
LINES = (
    line_control("best_arm_raised", "the best arm's mean rises", experiments.CONTAMINATED_MEANS, "best_arm_lowered", turned),
    line_control("privacy_stays", "the term of the privacy stays", experiments.PROPORTIONAL_BOUND, "privacy_vanishes", right_times(1, 10)),
    line_control("outliers_removed", "the comparison turned round", experiments.TRUNCATION_AS_REASON, "outliers_kept", turned),
)
