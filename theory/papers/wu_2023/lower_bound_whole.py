r"""Theorem 4.1 of Wu et al. 2023 with every constant: the Gaussian part, and the largest of the three parts.

Main statements
    LOWER_BOUND_GAUSSIAN_EXPLICIT   the third part at one deviation, with the constant 1/27 of its reference
    LOWER_BOUND_EXPLICIT            the largest of the three

Derivation of LOWER_BOUND_GAUSSIAN_EXPLICIT (not printed)
    Theorem 15.2 of Lattimore and Szepesvari: for T >= K - 1 and unit variances, some means in [0, 1] cost at least sqrt((K - 1) T)/27.
    Rewards sigma (mu + Z) with sigma = 1/(1 + (E|Z|^k)^(1/k)) have a k-th raw moment of at most 1 by Minkowski, and regrets sigma times
    as large. Their k-th central moment is sigma^k E|Z|^k < 1, and their means are at most 1: the central class holds them too.
"""

from dataclasses import replace

from sympy import Expr, Ge, Gt, Integer, Lt, Rational, gamma, pi, sqrt
from sympy.logic.boolalg import Boolean

from banditproof.glossary import ARMS, EPSILON, HORIZON, MOMENT, OTHER_UNIT_RATIO, REGRET, TRUE_CONTAMINATION, UNIT_RATIO
from banditproof.glossary.wu_2023 import RARITY
from banditproof.theory.hypotheses import finite_raw_moment, huber_contaminated, private_policy
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import lower_bound
from banditproof.theory.papers.wu_2023.setting import source

_k, _epsilon, _horizon, _arms = symbol(MOMENT), symbol(EPSILON), symbol(HORIZON), symbol(ARMS)
_gamma, _u, _v = symbol(RARITY), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)

enough_rounds_for_all_arms = Hypothesis(
    "enough_rounds_for_all_arms", "T >= K - 1", Checked.BY_VALUE, Ge(_horizon, _arms - 1), added="lower_bound"
)
_norm = (2 ** (_k / 2) * gamma((_k + 1) / 2) / sqrt(pi)) ** (1 / _k)  # of a standard normal variable
_gaussian = sqrt((_arms - 1) * _horizon) / (27 * (1 + _norm))

LOWER_BOUND_GAUSSIAN_EXPLICIT = Theorem(
    id="wu_2023.lower_bound_gaussian_explicit",
    statement="Every policy has at least this regret in some problem with Gaussian rewards of the raw and of the central moment class.",
    source=source(
        "[assembled] Proof of Theorem 4.1, first display, with the constant of its reference; derived in "
        "theory/papers/wu_2023/lower_bound_whole.py"
    ),
    hypotheses=(finite_raw_moment, enough_rounds_for_all_arms),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_gaussian), given=(HORIZON, ARMS, MOMENT)),
    steps=(
        Step(
            id="norm_of_a_scaled_arm",
            sense=Sense.AT_MOST,
            left=(_u + _norm) / (1 + _norm),
            right=Integer(1),
            draw_order=(MOMENT, UNIT_RATIO),
            note="rewards sigma (mu + Z), with mu = unit_ratio in [0, 1]",
        ),
        Step(  # gaps are at most sigma, so T sigma is what can be lost, over sigma sqrt(T)
            id="no_more_than_can_be_lost",
            sense=Sense.AT_MOST,
            left=sqrt(_arms - 1) / 27,
            right=sqrt(_horizon),
            draw_order=(ARMS, HORIZON),
            domain=(Ge(_horizon, _arms - 1),),
        ),
    ),
)


def _part(theorem: Theorem, place: int) -> Expr:
    """A case of another part."""
    return theorem.stated().cases[place].expression


def _largest(private: Expr, where: Boolean) -> tuple[Case, ...]:
    outliers = _part(lower_bound.LOWER_BOUND_CONTAMINATED, 0)
    return (
        Case(where & Ge(_gaussian, private) & Ge(_gaussian, outliers), _gaussian),
        Case(where & Gt(private, _gaussian) & Ge(private, outliers), private),
        Case(where & Gt(outliers, _gaussian) & Gt(outliers, private), outliers),
    )


LOWER_BOUND_EXPLICIT = Theorem(
    id="wu_2023.lower_bound_explicit",
    statement="Every epsilon-private policy has at least this regret in some problem of the raw and of the central moment class with "
    "contamination alpha: the largest of lower_bound_gaussian_explicit, lower_bound_private and lower_bound_contaminated.",
    source=source("[assembled] Theorem 4.1, last display of its proof, with constants, Appendix C"),
    hypotheses=(private_policy, finite_raw_moment, huber_contaminated, enough_rounds_for_all_arms),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=(
            *_largest(_part(lower_bound.LOWER_BOUND_PRIVATE, 0), Ge(_horizon * _epsilon, _arms - 1)),
            *(
                replace(case, added="lower_bound")
                for case in _largest(_part(lower_bound.LOWER_BOUND_PRIVATE, 1), Lt(_horizon * _epsilon, _arms - 1))
            ),
        ),
        given=(HORIZON, ARMS, EPSILON, TRUE_CONTAMINATION, MOMENT),
    ),
    steps=(
        Step(
            id="central_moment_over_raw_moment",
            sense=Sense.AT_MOST,
            left=(1 - _u) ** _k + (1 - _u) * _u ** (_k - 1),
            right=Integer(1),
            draw_order=(MOMENT, UNIT_RATIO),
            note="E|X - EX|^k/E X^k for the distributions of two values, unit_ratio the probability of the larger one: they lie in the "
            "central class too",
        ),
        Step(  # the largest mean, in every range [-D, D], D >= 1
            id="means_in_every_range",
            sense=Sense.AT_MOST,
            left=Rational(7, 10) * _gamma ** (_k - 1),
            right=Integer(1),
            draw_order=(MOMENT, RARITY),
        ),
        Step(
            id="maximum_and_sum",
            sense=Sense.AT_LEAST,
            left=Integer(1),
            right=(1 + _u + _v) * Rational(1, 3),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            note="Omega of the sum: three terms are at most three times the largest; unit_ratio and other_unit_ratio are the other two "
            "divided by it",
        ),
    ),
)
