"""Lines of the proofs of wu_2023 and of the shared inequalities with one slip each, which the proof engine must refute by numbers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from banditproof.audits.methods import proof_steps
from banditproof.audits.running.audit import Audit, Control, Request
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.language import Sense, Step, Theorem, symbol
from banditproof.theory.papers.wu_2023 import elimination, lower_bound, raw


@dataclass(frozen=True)
class Slipped:
    """A line of a proof after a change."""

    theorem: Theorem
    step: str
    change: Callable[[Step], Step]
    statistical: bool = False
    prefix: ClassVar[str] = "step"

    def line(self) -> Step:
        return self.change(next(step for step in self.theorem.steps if step.id == self.step))

    def measure(self, request: Request) -> AuditResult:
        return proof_steps.judge(self.line(), f"{self.theorem.id}:{self.step}", 2_000)

    def recheck(self, result: AuditResult, *, seed: int, samples: int | None = None) -> AuditResult:
        """The counterexample evaluated again."""
        return proof_steps.judge_again(self.line(), f"{self.theorem.id}:{self.step}", result)


def _control(name: str, mistake: str, theorem: Theorem, step: str, change: Callable[[Step], Step]) -> Control:
    method = Slipped(theorem, step, change)
    slug = f"{method.prefix}.control.{name}"
    return Control(mistake, Audit(theorem.id, slug, f"control {name}", method, expected=Verdict.REFUTED))


def _right_times(numerator: int, denominator: int = 1) -> Callable[[Step], Step]:
    return lambda step: replace(step, right=step.right * numerator / denominator)


def _anywhere(step: Step) -> Step:
    """Without the conditions of its domain."""
    return replace(step, domain=())


def _less_a_little(step: Step) -> Step:
    """A constant that is one part in a thousand too small."""
    return replace(step, right=step.right * 999 / 1000)


def _turned(step: Step) -> Step:
    return replace(step, sense=Sense.AT_LEAST)


def _square(step: Step) -> Step:
    return replace(step, right=step.right * symbol(step.draw_order[-1]))


STEPS = (
    _control("another_moment", "c = 3/5 for c = 1/2", lower_bound.TWO_POINT_PROBLEMS, "moment_of_best", _right_times(6, 5)),
    _control("another_gap", "gamma^k for gamma^(k - 1)", lower_bound.TWO_POINT_PROBLEMS, "gap_in_problem_one", _square),
    _control(
        "unequal_mixtures",
        "outliers 1/gamma once too often",
        lower_bound.EQUAL_MIXTURES,
        "both_put_the_same_on_the_large_value",
        _right_times(11, 10),
    ),
    _control("radius_of_bernstein", "a logarithm one tenth too large", raw.RAW_RADIUS, "bernstein", _right_times(11, 10)),
    _control("too_few_samples", "T_1 <= 4 alpha_1 M at any n", raw.RAW_RADIUS, "outliers_as_printed", _anywhere),
    _control("logarithms_too_close", "l_16 <= l_8", raw.RAW_RADIUS, "logarithms", _right_times(3, 4)),
    _control(
        "factor_too_small",
        "a factor one part in a hundred smaller, which fails where a failure is small or epsilon large",
        raw.CLEAN_RADIUS,
        "merge_with_factor",
        _right_times(99, 100),
    ),
    _control("sum_over_epochs", "the sum turned round", elimination.GOOD_EVENT, "sum_over_epochs", _turned),
    _control(
        "constant_of_privacy",
        "32^(k/(k - 1)) one part in a thousand smaller",
        elimination.REGRET_RAW,
        "constant_of_the_privacy_cost",
        _less_a_little,
    ),
)
