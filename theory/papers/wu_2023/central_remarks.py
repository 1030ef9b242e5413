r"""What Wu et al. 2023 say about their central-moment results: Remarks 6.4, 6.7, 6.9, 6.11, 6.13.

Main statements
    ADDITIVE_LOGARITHM                  Remark 6.7: log D and log(1/failure) are added
    CENTRAL_THRESHOLD_REMARK            Remark 6.9: the threshold's dependence on D and alpha_1
    REGRET_EMBEDDED(_CLEAN)_EXPLICIT    Remark 6.13: the central class scaled into the raw one, with constants
    ADDITIVE_RANGE                      Remark 6.13: the comparison
    TWO_STEP_ESTIMATES, FIRST_CENTRAL_RESULT   Remarks 6.4 and 6.11

Notation            L_8 = log(8 K T log_2^2 T), L_32 = log(32 K T log_2^2 T), the explicit bounds' logarithms

What is wrong or loose in print is in findings/central.py: small_contamination, tighter_for_large_ranges, strictly_improves.

Derivation of REGRET_EMBEDDED_EXPLICIT (not printed)
    X/(1 + D) lies in the raw class (raw_moment_of_central), contaminated values are scaled with the others, and the regret of the scaled
    rewards is 1/(1 + D) of the regret: (1 + D) times regret_raw_explicit, or regret_clean_explicit.
"""

from dataclasses import replace

from sympy import Expr, Ge, Gt, Integer, Le, Rational, log, sqrt

from banditproof.glossary import ARMS, CONTAMINATION, EPSILON, FAILURE, HORIZON, LEVEL, MOMENT, RANGE, RATIO, RAW_MOMENT, REGRET
from banditproof.glossary.wu_2023 import ACCURACY
from banditproof.theory.hypotheses import finite_central_moment
from banditproof.theory.language import Bound, Mode, Sense, Step, Theorem, symbol
from banditproof.theory.papers.wu_2023 import elimination
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.findings import central as findings
from banditproof.theory.papers.wu_2023.setting import log_of, source

_epsilon, _k, _failure, _alpha, _range = symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION), symbol(RANGE)
_horizon, _arms, _eta = symbol(HORIZON), symbol(ARMS), symbol(ACCURACY)
_x, _y, _moment = symbol(RATIO), symbol(LEVEL), symbol(RAW_MOMENT)
_l4, _l16 = log_of(4), log_of(16)

TWO_STEP_ESTIMATES = Theorem(
    id="wu_2023.two_step_estimates",
    statement="How the two-step estimate differs from those of earlier work.",
    source=source("Remark 6.4"),
    not_checkable="it compares with other papers",
)

ADDITIVE_LOGARITHM = Theorem(
    id="wu_2023.additive_logarithm",
    statement="log D and log(1/failure) are added in the sample complexity, where the medians-of-means predecessor multiplies them.",
    source=source("Remark 6.7"),
    not_checkable="it compares with another paper; central_sample_complexity is the statement, and the two forms are compared in its steps",
    steps=(
        Step(
            id="sum_below_product",
            sense=Sense.AT_MOST,
            left=_x + _y,
            right=_x * _y,
            draw_order=(RATIO, LEVEL),
            domain=(Ge(_x, 2), Ge(_y, 2)),
            reason="smaller logarithms are constants, where an order says nothing: at 1 and 1 the sum is twice the product",
            note="ratio and level are the two logarithms",
        ),
        Step(
            id="logarithms_are_added",
            sense=Sense.EQUALS,
            left=log(_range / _failure),
            right=log(_range) + log(1 / _failure),
            draw_order=(RANGE, FAILURE),
        ),
    ),
    findings=(findings.STRICTLY_IMPROVES,),
)


def _scaled(accuracy: Expr) -> Expr:
    """Draws from which the raw estimate's first term is at most half of the accuracy."""
    return 8 * _l4 / accuracy**2


CENTRAL_THRESHOLD_REMARK = Theorem(
    id="wu_2023.central_threshold_remark",
    statement="The threshold depends on alpha and epsilon, and on D through its logarithm alone; by the raw moment it is polynomial in D.",
    source=source("Remark 6.9"),
    not_checkable="it reads off Corollary 6.8; central_samples is the statement, and what is read off are its steps",
    steps=(
        Step(
            id="twice_the_range",
            sense=Sense.EQUALS,
            left=log(16 * (2 * _range) / _failure) - log(16 * _range / _failure),
            right=log(2),
            draw_order=(RANGE, FAILURE),
        ),
        Step(  # the central entry is above that of the raw case, l_16/alpha_1
            id="squared_contamination",
            sense=Sense.AT_LEAST,
            left=_l16 / _alpha**2,
            right=2 * _l16 / _alpha,
            draw_order=(FAILURE, CONTAMINATION),
        ),
        Step(  # an accuracy of eta after scaling is one of eta/(1 + D) before
            id="polynomial_by_the_raw_moment",
            sense=Sense.AT_LEAST,
            left=_scaled(_eta / (1 + _range)),
            right=_range**2 * _scaled(_eta),
            draw_order=(RANGE, FAILURE, ACCURACY),
        ),
    ),
)

FIRST_CENTRAL_RESULT = Theorem(
    id="wu_2023.first_central_result",
    statement="The first result on private bandits under a central moment.",
    source=source("Remark 6.11"),
    not_checkable="it claims priority",
)

# --- scaling the central class into the raw one -----------------------------------------------------------------------------------


def _embedded(id: str, statement: str, theorem: Theorem) -> Theorem:
    """A regret bound of the raw class, for rewards of the central class over 1 + D."""
    raw = ("finite_raw_moment",)
    bound = theorem.stated()
    cases = tuple(replace(case, expression=(1 + _range) * case.expression) for case in bound.cases)
    return Theorem(
        id=id,
        statement=statement,
        source=source(f"[assembled] Remark 6.13, O(D Reg), from {theorem.id.partition('.')[2]}"),
        hypotheses=(*(item for item in theorem.hypotheses if item.name not in raw), finite_central_moment),
        bound=Bound(
            of=REGRET,
            sense=Sense.AT_MOST,
            cases=cases,
            given=(*bound.given, RANGE),
            mode=Mode.IN_EXPECTATION,
        ),
    )


REGRET_EMBEDDED_CLEAN_EXPLICIT = _embedded(
    "wu_2023.regret_embedded_clean_explicit",
    "The expected regret of elimination by truncated means on rewards of the central class over 1 + D, without contamination.",
    elimination.REGRET_CLEAN_EXPLICIT,
)

REGRET_EMBEDDED_EXPLICIT = _embedded(
    "wu_2023.regret_embedded_explicit",
    "The expected clean regret of elimination by truncated means on rewards of the central class over 1 + D.",
    elimination.REGRET_RAW_EXPLICIT,
)

_union = _arms * _horizon * (log(_horizon) / log(2)) ** 2
_l2, _l8, _l32 = log(2 * _union), log(8 * _union), log(32 * _union)
_contaminated = _horizon * _alpha ** (1 - 1 / _k)
_sum = _arms * log(_horizon)
_main = sqrt(_sum * _horizon) + (_sum / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k) + _contaminated


def _below(id: str, left: Expr, right: Expr, least: int, *, logarithms: bool = True) -> Step:
    """A term of the central bound is at most (1 + D) times that of the embedded one, from a range on."""
    return Step(
        id=id,
        sense=Sense.AT_MOST,
        left=left,
        right=(1 + _range) * right,
        draw_order=(MOMENT, ARMS, RANGE, HORIZON) if logarithms else (MOMENT, RANGE),
        domain=(Ge(_range, least), *((Ge(_horizon, _arms),) if logarithms else ())),
        reason=f"the factor D is paid from a range of {least} on, with the constants of the explicit bounds",
    )


ADDITIVE_RANGE = Theorem(
    id="wu_2023.additive_range",
    statement="By scaling into the raw class the whole regret bound is multiplied by a factor of the order D; the central one has D in an "
    "additive term, which the others exceed once T is large.",
    source=source("Remark 6.13"),
    not_checkable="it compares two orders; the explicit bounds are regret_embedded_clean_explicit and regret_central_clean_explicit, and "
    "its claims are the steps",
    steps=(
        Step(
            id="norm_of_a_shifted_reward",
            sense=Sense.AT_MOST,
            left=_moment ** (1 / _k) + _x,
            right=1 + _range,
            draw_order=(MOMENT, RAW_MOMENT, RANGE, RATIO),
            domain=(Le(_moment, 1), Le(_x, _range)),
            note="Minkowski's inequality, for a moment of at most 1 about a mean of absolute value ratio <= D",
        ),
        Step(  # O(D^k), the constant being 2^k
            id="order_of_the_raw_moment",
            sense=Sense.AT_MOST,
            left=(1 + _range) ** _k,
            right=2**_k * _range**_k,
            draw_order=(MOMENT, RANGE),
        ),
        _below("variance_term", 64 * (1 + 10 ** (1 / _k)) * sqrt(_l32), 2 * sqrt(512 * _l8), 6),
        _below("privacy_term", 1168 * (8 * _l2) ** (1 - 1 / _k), 32 * (16 * _l8) ** (1 - 1 / _k), 36),
        _below("contaminated_variance_term", 128 * sqrt(_l32), 2 * sqrt(2048 * _l32), 1),
        _below("contaminated_privacy_term", 1056 * (8 * _l2) ** (1 - 1 / _k), 64 * (16 * _l32) ** (1 - 1 / _k), 16),
        _below("contaminated_term", Integer(200), 16 * 8 ** (1 - 1 / _k), 4, logarithms=False),
        Step(  # gamma^'s entry D K log T/alpha_1^2 against T alpha_1^(1 - 1/k)
            id="dominated_from_here",
            sense=Sense.AT_MOST,
            left=_range * _arms * log(_horizon) / _alpha**2,
            right=_contaminated,
            draw_order=(MOMENT, ARMS, CONTAMINATION, RANGE, HORIZON),
            domain=(Ge(_horizon, _range * _arms * log(_horizon) * _alpha ** (1 / _k - 3)),),
            ours=True,
        ),
        Step(
            id="last_entry_dominated",
            sense=Sense.AT_MOST,
            left=_y,
            right=_contaminated,
            draw_order=(MOMENT, CONTAMINATION, LEVEL, HORIZON),
            domain=(Ge(_horizon, _y * _alpha ** (1 / _k - 1)),),
            ours=True,
            note="the last entry, with level = D K log(D T)/epsilon",
        ),
        Step(  # before T is as large as in dominated_from_here the first is not: no choice of small alpha_1 will do for all T
            id="not_before",
            sense=Sense.AT_LEAST,
            left=_range * _arms * log(_horizon) / _alpha**2,
            right=_contaminated,
            draw_order=(MOMENT, ARMS, CONTAMINATION, RANGE, HORIZON),
            domain=(Le(_horizon, _range * _arms * log(_horizon) * _alpha ** (1 / _k - 3)), Gt(_horizon, Rational(1))),
            ours=True,
        ),
        Step(  # Theorem 6.12 against D times Theorem 6.2, all constants 1
            id="tighter",
            sense=Sense.AT_MOST,
            left=_main
            + _range * _sum / _alpha**2
            + iota(_alpha) * _range * _sum / _epsilon
            + _range * _arms * log(_range * _horizon) / _epsilon,
            right=_range * (_main + _sum / _alpha),
            draw_order=(MOMENT, ARMS, CONTAMINATION, EPSILON, RANGE, HORIZON),
            domain=(Le(_alpha, Rational(133, 1000)), Ge(_range, 10)),
        ),
    ),
    findings=(findings.SMALL_CONTAMINATION, findings.TIGHTER_FOR_LARGE_RANGES),
)
