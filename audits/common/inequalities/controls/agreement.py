"""A parameter function with one mistake, beside the shared inequality that it claims to transcribe."""

import math

from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.mutations import control
from banditproof.theory.inequalities import LAPLACE_TAIL


def _one_sided_tail(threshold: float, scale: float) -> float:
    return 0.5 * math.exp(-threshold / scale)


ONE_SIDED = control("one_sided_tail", "one side of a tail for both", LAPLACE_TAIL, Agreement(LAPLACE_TAIL, _one_sided_tail))
