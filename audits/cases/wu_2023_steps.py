"""wu_2023 and the shared inequalities: every line of every proof, decided on its whole domain by `theory/certify.py`.

A line with an erratum stands as printed and must be refuted; its repaired form is a line beside it.
"""

from types import ModuleType

from banditproof.audits.evidence import Verdict
from banditproof.audits.methods.proof_steps import ProofSteps
from banditproof.audits.registry import Audit
from banditproof.theory import inequalities
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import (
    central,
    central_radii,
    central_regret,
    central_remarks,
    elimination,
    lower_bound,
    lower_bound_whole,
    privacy,
    raw,
    setting,
)

FEWER = {"two_coins": 100}  # more do not settle it: both sides meet along a curve that reaches a corner


def steps_of(module: ModuleType) -> tuple[Audit, ...]:
    """One audit for each line of each statement of a theory module."""
    return tuple(
        Audit(
            theorem.id,
            f"step {step.id}",
            ProofSteps(theorem.id, step.id, boxes=FEWER.get(step.id, 2_000)),
            expected=Verdict.REFUTED if step.erratum else None,
        )
        for theorem in vars(module).values()
        if isinstance(theorem, Theorem)
        for step in theorem.steps
    )


SHARED = steps_of(inequalities)
MODULES = (
    *(setting, raw, elimination, privacy, lower_bound, lower_bound_whole),
    *(central, central_radii, central_regret, central_remarks),
)
PAPER = tuple(audit for module in MODULES for audit in steps_of(module))
