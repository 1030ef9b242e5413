r"""The minimax lower bound (Wu et al. 2023): Theorem 4.1, its problems as exact identities, and its explicit constants.

Main statements
    LOWER_BOUND               Theorem 4.1 as printed, constants suppressed
    TWO_POINT_PROBLEMS        the two problems: moments, means, gaps, distances, as identities
    EQUAL_MIXTURES            the contaminations that make the two problems look alike, as identities; Lemma C.2
    TWO_REGRETS               the sum of a policy's regrets in two problems
    LOWER_BOUND_PRIVATE, LOWER_BOUND_CONTAMINATED   the two explicit parts
    LOWER_BOUND_GAUSSIAN      the third part: constants suppressed;  GAUSSIAN_DEVIATION  its deviation at mean 0
    POSITION_OF_THE_LOWER_BOUND   Remark 4.2
Elsewhere                     the third part with a constant, and the largest of the three, in lower_bound_whole.py

Notation                      gamma = rarity. The distribution Q_c has 1/gamma with probability c gamma^k, else 0. Problem 1: the best arm
Q_(1/2),
                              all others Q_(3/10). Problem 2: one of the others, i, has Q_(7/10).

Readings and what is wrong in print are the findings (findings/lower_bound.py). The explicit parts state half of the sum of two regrets, as
a bound on the larger one. LOWER_BOUND_PRIVATE has gamma = ((K - 1)/(T epsilon))^(1/k) for T epsilon >= K - 1, and for fewer rounds
gamma = 1, which gives T/40 exp(-12 epsilon T/(5 (K - 1))).
"""

from sympy import Eq, Expr, Ge, Gt, Integer, Le, Lt, Rational, exp, gamma, pi, sqrt

from banditproof.glossary import (
    ARMS,
    DIVERGENCE,
    EPSILON,
    GAP,
    HORIZON,
    MOMENT,
    OTHER_UNIT_RATIO,
    RATIO,
    REGRET,
    SIGMA,
    TRUE_CONTAMINATION,
    UNIT_RATIO,
)
from banditproof.glossary.wu_2023 import EXPECTED_PULLS, RARITY
from banditproof.theory.hypotheses import finite_raw_moment, huber_contaminated, private_policy
from banditproof.theory.language import Bound, Case, Constants, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import lower_bound as findings
from banditproof.theory.papers.wu_2023.setting import source

_k, _gamma, _epsilon = symbol(MOMENT), symbol(RARITY), symbol(EPSILON)
_horizon, _arms, _true, _gap = symbol(HORIZON), symbol(ARMS), symbol(TRUE_CONTAMINATION), symbol(GAP)
_x, _u, _v, _pulls = symbol(RATIO), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO), symbol(EXPECTED_PULLS)

Distribution = dict[Expr, Expr]  # value -> probability

# --- distributions on finitely many points ------------------------------------------------------------------------------------------------


def two_point(c: Expr, rarity: Expr) -> Distribution:
    """Q_c: 1/rarity with probability c rarity^k, else 0."""
    return {1 / rarity: c * rarity**_k, Integer(0): 1 - c * rarity**_k}


def point_at_zero() -> Distribution:
    return {Integer(0): Integer(1)}


def mixture(fraction: Expr, one: Distribution, other: Distribution) -> Distribution:
    """(1 - fraction) one + fraction other."""
    values = dict.fromkeys((*one, *other))
    return {value: (1 - fraction) * one.get(value, Integer(0)) + fraction * other.get(value, Integer(0)) for value in values}


def mean(distribution: Distribution) -> Expr:
    return sum((probability * value for value, probability in distribution.items()), Integer(0))


def excess(one: Distribution, other: Distribution, value: Expr) -> Expr:
    """How much more probable the value is under one distribution than under the other: the total variation of two distributions on two
    points, there."""
    return one[value] - other[value]


_BEST, _OTHER, _RAISED = Rational(1, 2), Rational(3, 10), Rational(7, 10)
_best, _other, _raised = (two_point(c, _gamma) for c in (_BEST, _OTHER, _RAISED))


def _identity(id: str, left: Expr, right: Expr) -> Step:
    return Step(id=id, sense=Sense.EQUALS, left=left, right=right, draw_order=(MOMENT, RARITY))


TWO_POINT_PROBLEMS = Theorem(
    id="wu_2023.two_point_problems",
    statement="The two problems of the lower bound: all distributions lie in the unit moment class; the best arms differ, and one arm's "
    "distribution.",
    source=source("Proof of Theorem 4.1, cases 1 and 2, Appendix C"),
    not_checkable="a construction; its claims are its steps",
    steps=(
        _identity("mean_of_best", mean(_best), _gamma ** (_k - 1) / 2),
        _identity("mean_of_other", mean(_other), Rational(3, 10) * _gamma ** (_k - 1)),
        _identity("mean_of_raised", mean(_raised), Rational(7, 10) * _gamma ** (_k - 1)),
        _identity("gap_in_problem_one", mean(_best) - mean(_other), _gamma ** (_k - 1) / 5),
        _identity("gap_of_the_others_in_problem_two", mean(_raised) - mean(_other), Rational(2, 5) * _gamma ** (_k - 1)),
    ),
    findings=(findings.MISPRINTS_OF_THE_LOWER_BOUND,),
)

# --- from two problems to a sum of regrets ------------------------------------------------------------------------------------------------

TWO_REGRETS = Theorem(
    id="wu_2023.two_regrets",
    statement="The regrets of a policy in two problems, the first with a gap Delta behind arm 1, the second with arm 1 a gap Delta behind "
    "the best, sum to at least the right side, which has the divergence between its arms in the two problems.",
    source=source("Proof of Theorem 4.1, 'By applying the Bretagnolle-Huber inequality', Appendix C"),
    hypotheses=(),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(_horizon * _gap * exp(-symbol(DIVERGENCE)) / 4),
        given=(HORIZON, GAP, DIVERGENCE),
    ),
    steps=(
        Step(
            id="first_regret",
            sense=Sense.AT_LEAST,
            left=(_horizon - _u * _horizon) * _gap,
            right=_horizon * _gap / 2,
            draw_order=(GAP, HORIZON, UNIT_RATIO),
            domain=(Le(_u, Rational(1, 2)),),
            note="arm 1 has unit_ratio T <= T/2 pulls in the first problem; each other pull costs Delta",
        ),
        Step(
            id="second_regret",
            sense=Sense.AT_LEAST,
            left=_u * _horizon * _gap,
            right=_horizon * _gap / 2,
            draw_order=(GAP, HORIZON, UNIT_RATIO),
            domain=(Ge(_u, Rational(1, 2)),),
            note="arm 1 has unit_ratio T >= T/2 pulls in the second problem; each costs Delta",
        ),
        Step(
            id="sum_of_regrets",
            sense=Sense.AT_LEAST,
            left=_horizon * _gap / 2 * (_u + _v),
            right=_horizon * _gap * exp(-symbol(DIVERGENCE)) / 4,
            draw_order=(HORIZON, GAP, DIVERGENCE, UNIT_RATIO, OTHER_UNIT_RATIO),
            domain=(Ge(_u + _v, exp(-symbol(DIVERGENCE)) / 2),),
            note="unit_ratio and other_unit_ratio are the probabilities of the two events, which sum to at least exp(-divergence)/2 "
            "(Bretagnolle-Huber)",
        ),
        Step(
            id="first_alone",
            sense=Sense.AT_LEAST,
            left=_u * _horizon * _gap,
            right=_horizon * _gap * exp(-symbol(DIVERGENCE)) / 4000,
            draw_order=(HORIZON, GAP, DIVERGENCE, OTHER_UNIT_RATIO, UNIT_RATIO),
            domain=(Ge(_u + _v, exp(-symbol(DIVERGENCE)) / 4),),
            note="'we get the result R_T(pi, nu_1) >= Omega(...)': the regrets are unit_ratio T Delta and other_unit_ratio T Delta, the "
            "constant is 1/1000",
        ),
        Step(
            id="larger_of_the_two",
            sense=Sense.AT_LEAST,
            left=_u,
            right=(_u + _v) / 2,
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            domain=(Ge(_u, _v),),
            reason="repairs first_alone",
            ours=True,
            note="unit_ratio is the larger regret and other_unit_ratio the smaller one, divided by T Delta",
        ),
        Step(  # E N_i = n of the least pulled of K - 1 arms: all of them together have at most T
            id="least_pulled_arm",
            sense=Sense.AT_MOST,
            left=_pulls,
            right=_horizon / (_arms - 1),
            draw_order=(ARMS, HORIZON, EXPECTED_PULLS),
            domain=(Le(_pulls * (_arms - 1), _horizon),),
        ),
        Step(
            id="contaminated_by_itself",
            sense=Sense.EQUALS,
            left=(1 - _true) * _u + _true * _u,
            right=_u,
            draw_order=(TRUE_CONTAMINATION, UNIT_RATIO),
            note="unit_ratio is any probability: contamination by the inliers' own distribution changes nothing, so more contamination "
            "makes no problem easier",
        ),
    ),
    findings=(findings.FIRST_PROBLEM_ALONE,),
)

# --- contaminations that hide the difference --------------------------------------------------------------------------------------------

_hidden = _true ** (1 / _k)  # gamma = alpha^(1/k)
_hidden_other, _hidden_raised = two_point(_OTHER, _hidden), two_point(_RAISED, _hidden)
_outlier = Rational(2, 5) * (1 - _true)  # probability of 1/gamma under the outlier distribution of problem 1; that of problem 2 is 0 always
_seen_one = mixture(_true, _hidden_other, {1 / _hidden: _outlier, Integer(0): 1 - _outlier})
_seen_two = mixture(_true, _hidden_raised, point_at_zero())


def _hiding(id: str, sense: Sense, left: Expr, right: Expr) -> Step:
    return Step(id=id, sense=sense, left=left, right=right, draw_order=(MOMENT, TRUE_CONTAMINATION), domain=(Lt(0, _true),))


EQUAL_MIXTURES = Theorem(
    id="wu_2023.equal_mixtures",
    statement="If the total variation of two distributions is alpha/(1 - alpha), alpha < 1/2, there are outlier distributions with which "
    "both look alike. "
    "The proof uses it for smaller distances, and so do we: the pair is given.",
    source=source("Lemma C.2, and its use in the proof of Theorem 4.1, case 2, Appendix C"),
    not_checkable="it says that distributions exist; the pair that the lower bound needs is given, and its identities are the steps",
    steps=(
        _hiding("both_put_the_same_on_the_large_value", Sense.EQUALS, _seen_one[1 / _hidden], _seen_two[1 / _hidden]),
        _hiding("both_put_the_same_on_zero", Sense.EQUALS, _seen_one[Integer(0)], _seen_two[Integer(0)]),
        _hiding("probabilities_add_up", Sense.EQUALS, sum(_seen_one.values(), Integer(0)), Integer(1)),
        _hiding("the_outlier_law_is_a_law", Sense.AT_MOST, _outlier, Integer(1)),
        Step(  # so that Lemma C.2 applies, with <= in place of =
            id="distance_small_enough",
            sense=Sense.AT_MOST,
            left=excess(_hidden_raised, _hidden_other, 1 / _hidden),
            right=_true / (1 - _true),
            draw_order=(TRUE_CONTAMINATION,),
        ),
    ),
    findings=(findings.LEMMA_C2_WITH_EQUALITY,),
)

# --- the explicit parts -------------------------------------------------------------------------------------------------------------------

_printed_private = exp(-Rational(12, 5)) / 40 * ((_arms - 1) / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)
_rarity = ((_arms - 1) / (_horizon * _epsilon)) ** (1 / _k)
_few_rounds = _horizon / 40 * exp(-Rational(12, 5) * _epsilon * _horizon / (_arms - 1))
_PRIVATE_GIVEN = (HORIZON, ARMS, EPSILON, MOMENT)

LOWER_BOUND_PRIVATE = Theorem(
    id="wu_2023.lower_bound_private",
    statement="Every epsilon-private policy has at least this regret in some problem of the raw moment class, contaminated or not.",
    source=source("[assembled] Proof of Theorem 4.1, case 1, Appendix C; the larger of the two regrets is half of their sum"),
    hypotheses=(private_policy, finite_raw_moment),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=(
            Case(Ge(_horizon * _epsilon, _arms - 1), _printed_private),
            Case(Lt(_horizon * _epsilon, _arms - 1), _few_rounds, added="lower_bound"),
        ),
        given=_PRIVATE_GIVEN,
    ),
    steps=(
        Step(  # divergence at most 6 epsilon (T/(K - 1)) (2/5) gamma^k, which is 12/5 at the largest gamma that is allowed
            id="divergence",
            sense=Sense.AT_MOST,
            left=6 * _epsilon * (_horizon / (_arms - 1)) * Rational(2, 5) * _gamma**_k,
            right=Rational(12, 5),
            draw_order=(ARMS, EPSILON, MOMENT, RARITY, HORIZON),
            domain=(Le(_gamma**_k * _horizon * _epsilon, _arms - 1),),
        ),
        Step(  # half of T Delta/4 exp(-divergence), Delta = gamma^(k-1)/5
            id="half_the_sum",
            sense=Sense.EQUALS,
            left=_horizon * (_rarity ** (_k - 1) / 5) / 4 * exp(-Rational(12, 5)) / 2,
            right=_printed_private,
            draw_order=(ARMS, EPSILON, MOMENT, HORIZON),
        ),
        Step(  # 'gamma in (0, 1]', which the printed choice of gamma is under this condition alone
            id="rarity_with_enough_rounds",
            sense=Sense.AT_MOST,
            left=_rarity,
            right=Integer(1),
            draw_order=(ARMS, EPSILON, MOMENT, HORIZON),
            domain=(Ge(_horizon * _epsilon, _arms - 1),),
            reason="the condition that the theorem does not state",
            ours=True,
        ),
        Step(  # K - 1 against K, in the order that the theorem prints
            id="arms_but_one",
            sense=Sense.AT_LEAST,
            left=_arms - 1,
            right=_arms / 2,
            draw_order=(ARMS,),
        ),
        Step(
            id="arms_but_one_to_the_power",
            sense=Sense.AT_LEAST,
            left=((_arms - 1) / _epsilon) ** (1 - 1 / _k),
            right=(_arms / _epsilon) ** (1 - 1 / _k) / 2,
            draw_order=(ARMS, EPSILON, MOMENT),
        ),
    ),
)

LOWER_BOUND_CONTAMINATED = Theorem(
    id="wu_2023.lower_bound_contaminated",
    statement="Every policy has at least this regret in some problem of the raw moment class with contamination alpha.",
    source=source("[assembled] Proof of Theorem 4.1, case 2, Appendix C; the larger of the two regrets is half of their sum"),
    hypotheses=(finite_raw_moment, huber_contaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=(Case(Gt(_true, 0), _horizon / 40 * _true ** (1 - 1 / _k)), Case(Eq(_true, 0), Integer(0))),
        given=(HORIZON, TRUE_CONTAMINATION, MOMENT),
    ),
    steps=(
        _hiding("gap", Sense.EQUALS, mean(two_point(_BEST, _hidden)) - mean(_hidden_other), _true ** (1 - 1 / _k) / 5),
        Step(  # half of T Delta/4 exp(0)
            id="half_the_sum",
            sense=Sense.AT_LEAST,
            left=_horizon * _gap / 4 / 2,
            right=_horizon / 40 * _true ** (1 - 1 / _k),
            draw_order=(HORIZON, TRUE_CONTAMINATION, MOMENT, GAP),
            domain=(Ge(_gap, _true ** (1 - 1 / _k) / 5),),
        ),
    ),
)

GAUSSIAN_DEVIATION = Theorem(
    id="wu_2023.gaussian_deviation",
    statement="The largest standard deviation of a centred Gaussian distribution in the raw moment class.",
    source=source("[assembled] Proof of Theorem 4.1, 'the value of sigma_k is determined by k', at mean 0, Appendix C"),
    bound=Bound(
        of=SIGMA,
        sense=Sense.EQUALS,
        cases=always((2 ** (_k / 2) * gamma((_k + 1) / 2) / sqrt(pi)) ** (-1 / _k)),
        given=(MOMENT,),
    ),
)

LOWER_BOUND_GAUSSIAN = Theorem(
    id="wu_2023.lower_bound_gaussian",
    statement="Every policy has at least this regret in some problem with Gaussian rewards of unit k-th raw moment.",
    source=source("Proof of Theorem 4.1, first display, after Theorem 15.2 of Lattimore and Szepesvari, Appendix C"),
    hypotheses=(finite_raw_moment,),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(sqrt(_arms * _horizon)),
        given=(HORIZON, ARMS),
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="every_mean",
            sense=Sense.AT_MOST,
            left=_x,
            right=Integer(1),
            draw_order=(RATIO,),
            note="with ratio = |mu| <= (E|X|^k)^(1/k), for the class 'mu in R^K' as printed",
        ),
        Step(
            id="means_with_room",
            sense=Sense.AT_MOST,
            left=_x**_k,
            right=Integer(1),
            draw_order=(MOMENT, RATIO),
            domain=(Le(_x, 1),),
            reason="repairs every_mean",
            ours=True,
            note="by Minkowski's inequality the norm of mu + sigma Z is at most ratio = |mu| + sigma (E|Z|^k)^(1/k)",
        ),
    ),
    findings=(findings.LOWER_BOUND, findings.GAUSSIAN_MEANS),
)

LOWER_BOUND = Theorem(
    id="wu_2023.lower_bound",
    statement="The minimax regret of epsilon-private policies under contamination, raw or central moments.",
    source=source("Theorem 4.1"),
    hypotheses=(private_policy, huber_contaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(sqrt(_arms * _horizon) + (_arms / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k) + _horizon * _true ** (1 - 1 / _k)),
        given=(HORIZON, ARMS, EPSILON, TRUE_CONTAMINATION, MOMENT),
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.LOWER_BOUND, findings.LOWER_BOUND_OF_BOTH_CLASSES, findings.SEPARABLE),
)

POSITION_OF_THE_LOWER_BOUND = Theorem(
    id="wu_2023.position_of_the_lower_bound",
    statement="At k = infinity and alpha = 0 the lower bound is the best known one for private sub-Gaussian bandits; the robust "
    "non-private bounds of others depend on the problem, this one does not.",
    source=source("Remark 4.2"),
    not_checkable="it compares with other papers",
    findings=(findings.AT_INFINITY,),
)
