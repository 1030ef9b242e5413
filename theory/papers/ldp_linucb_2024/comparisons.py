r"""Comparisons and examples (locally private LinUCB, 2024): Remarks 3.1 and 3.7, section 3.2, the abstract and the introduction.

Main statements
    SMALL_BALL, LEAST_SQUARE    Remark 3.1: Lemma G.15 and Theorem G.14 as quoted;  GAUSSIAN_EXAMPLE the remark
    BETTER_THAN_LOCAL       section 3.2 and Remark 3.7: the threshold epsilon >= d^(-1/2)
    BETTER_THAN_SHUFFLE     Remark 3.7: lambda_min of the order T^(-1/10)
    BETTER_THAN_NON_PRIVATE section 3.2, last paragraph;  LARGEST_CURVATURE [assembled] the favourable rate at lambda_min = 1/d
    WORST_WITH_SECOND_TERM  section 3.2, first sentence
    ROUNDS_FOR_BRANCH       [assembled] the horizon that a branch lambda_min >= T^(-1/k) needs
    FIRST_OF_ITS_KIND       abstract, introduction, conclusion

Derivation of LEAST_SQUARE
    With P(|Z| <= t) <= a t, E min Z_i^2 is the integral of 2 t P(|Z| > t)^k, at least that of 2 t (1 - a t)^k up to 1/a, which is
    2/(a^2 (k + 1)(k + 2)); and (k + 1)(k + 2) <= 6 k^2. At a = sqrt(2/pi)/s it is pi s^2/((k + 1)(k + 2)) >= pi s^2/(6 k^2).
"""

from sympy import Ge, Le, Rational, erf, pi, sqrt

from banditproof.glossary import DIMENSION, EPSILON, EXPONENT, FOLDS, HORIZON, SIGMA, TAIL_PROBABILITY, THRESHOLD
from banditproof.glossary.ldp_linucb_2024 import CURVATURE, POSITIVE_CURVATURE, REQUIRED_ROUNDS
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings import comparisons as findings
from banditproof.theory.papers.ldp_linucb_2024.setting import bounded_data, curved_actions, rate, source

_T, _d, _epsilon, _k = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(FOLDS)
_sigma, _t, _curvature, _power = symbol(SIGMA), symbol(THRESHOLD), symbol(POSITIVE_CURVATURE), symbol(EXPONENT)

gaussian_actions = Hypothesis(
    "gaussian_actions", "in each round k actions are drawn from N(0, sigma^2 I), and any of them is chosen", Checked.ASSUMED
)

SMALL_BALL = Theorem(
    id="ldp_linucb_2024.small_ball",
    statement="The probability that a centred Gaussian variable of standard deviation sigma is at most t in absolute value.",
    source=source("Remark 3.1, quoting Lemma G.15"),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(sqrt(2) * _t / (_sigma * sqrt(pi))), given=(THRESHOLD, SIGMA)),
    steps=(
        Step(
            id="density_at_its_largest",
            sense=Sense.AT_MOST,
            left=erf(_t / (_sigma * sqrt(2))),
            right=sqrt(2) * _t / (_sigma * sqrt(pi)),
            draw_order=(SIGMA, THRESHOLD),
        ),
    ),
)

LEAST_SQUARE = Theorem(
    id="ldp_linucb_2024.least_square",
    statement="The mean of the least of k squared components of Gaussian actions along a unit vector, which bounds lambda_min from below "
    "for "
    "every rule of choice; k is the number of actions.",
    source=source("Remark 3.1, quoting Theorem G.14"),
    hypotheses=(gaussian_actions,),
    bound=Bound(of=CURVATURE, sense=Sense.AT_LEAST, cases=always(_sigma**2 * pi / (6 * _k**2)), given=(SIGMA, FOLDS)),
    steps=(
        Step(
            id="two_factors",
            sense=Sense.AT_MOST,
            left=(_k + 1) * (_k + 2),
            right=6 * _k**2,
            draw_order=(FOLDS,),
            ours=True,
            note="with equality at k = 1",
        ),
    ),
    findings=(findings.FACTOR_OF_SIX,),
)

GAUSSIAN_EXAMPLE = Theorem(
    id="ldp_linucb_2024.gaussian_example",
    statement="With k Gaussian actions in each round the condition on the curvature holds, and the algorithm has its favourable guarantee.",
    source=source("Remark 3.1, first and last sentence"),
    not_checkable="'not too large' names no number of actions; its inequality is least_square",
    findings=(findings.GAUSSIAN_ACTIONS,),
)

WORST_WITH_SECOND_TERM = Theorem(
    id="ldp_linucb_2024.worst_with_second_term",
    statement="The regret in the worst case, lambda_min <= T^(-1/4), up to logarithms.",
    source=source("section 3.2, first sentence"),
    not_checkable="another form of corollary_worst: sqrt(d) T^(3/4)/epsilon + sqrt(dT)",
    findings=(findings.TWO_WORST_CASES,),
)

BETTER_THAN_LOCAL = Theorem(
    id="ldp_linucb_2024.better_than_local",
    statement="sqrt(d) T^(3/4)/epsilon is at most (dT)^(3/4)/sqrt(epsilon) for epsilon >= d^(-1/2).",
    source=source("introduction, section 3.2"),
    not_checkable="a comparison of two orders; its step compares them with constants 1",
    steps=(
        Step(
            id="threshold_of_epsilon",
            sense=Sense.AT_MOST,
            left=sqrt(_d) * _T ** Rational(3, 4) / _epsilon,
            right=(_d * _T) ** Rational(3, 4) / sqrt(_epsilon),
            draw_order=(DIMENSION, EPSILON, HORIZON),
            domain=(Ge(_epsilon**2 * _d, 1),),
            reason="the threshold that the sentence names",
        ),
    ),
    findings=(findings.EPSILON_LEFT_OUT,),
)

BETTER_THAN_SHUFFLE = Theorem(
    id="ldp_linucb_2024.better_than_shuffle",
    statement="sqrt(dT)/(epsilon lambda_min) is at most d T^(3/5) for lambda_min >= T^(-1/10), epsilon >= d^(-1/2).",
    source=source("Remark 3.7, at constants 1, with the range of epsilon that it needs"),
    not_checkable="a comparison of two orders; its step compares them with constants 1",
    steps=(
        Step(
            id="threshold_of_curvature",
            sense=Sense.AT_MOST,
            left=sqrt(_d * _T) / (_epsilon * _curvature),
            right=_d * _T ** Rational(3, 5),
            draw_order=(DIMENSION, EPSILON, HORIZON, POSITIVE_CURVATURE),
            domain=(Ge(_epsilon**2 * _d, 1), Ge(_curvature * _T ** Rational(1, 10), 1)),
            reason="the threshold that the remark names, and epsilon^2 d >= 1",
        ),
    ),
    findings=(findings.CONDITION_IS_EMPTY, findings.SHUFFLE_AND_EPSILON),
)

LARGEST_CURVATURE = Theorem(
    id="ldp_linucb_2024.largest_curvature",
    statement="The favourable rate where lambda_min is as large as |x_t| <= 1 allows, 1/d.",
    source=source("[assembled] Corollary 3.6 and curvature_ceiling"),
    hypotheses=(bounded_data, curved_actions),
    bound=rate(_d ** Rational(3, 2) * sqrt(_T) / _epsilon, (HORIZON, DIMENSION, EPSILON)),
)

BETTER_THAN_NON_PRIVATE = Theorem(
    id="ldp_linucb_2024.better_than_non_private",
    statement="In the favourable setting the regret has a better dependence on the dimension than d sqrt(T), without privacy; stated as "
    "'at most'.",
    source=source("section 3.2, 'Interestingly'; section 3, 'improves upon the non-private worst-case regret guarantee'"),
    hypotheses=(bounded_data, curved_actions),
    bound=rate(_d * sqrt(_T), (HORIZON, DIMENSION)),
    findings=(findings.BETTER_THAN_NON_PRIVATE,),
)

ROUNDS_FOR_BRANCH = Theorem(
    id="ldp_linucb_2024.rounds_for_branch",
    statement="The horizon from which lambda_min >= T^(-1/k) is possible: k = 4 in Corollary 3.6, 8 in Theorem 4.1, 10 in Remark 3.7.",
    source=source("[assembled] from curvature_ceiling"),
    hypotheses=(bounded_data,),
    bound=Bound(of=REQUIRED_ROUNDS, sense=Sense.EQUALS, cases=always(_d**_power), given=(DIMENSION, EXPONENT)),
    steps=(
        Step(
            id="branch_is_possible",
            sense=Sense.AT_MOST,
            left=_d,
            right=_T ** Rational(1, 8),
            draw_order=(DIMENSION, HORIZON),
            domain=(Le(_d**8, _T),),
            reason="from the horizon d^8 on",
            ours=True,
            note="T^(-1/8) <= 1/d",
        ),
    ),
)

FIRST_OF_ITS_KIND = Theorem(
    id="ldp_linucb_2024.first_of_its_kind",
    statement="The first regret of the order sqrt(T) in a privacy model stronger than the central one, matching the optimal non-private "
    "rate.",
    source=source("abstract, introduction, section 3.1, conclusion"),
    not_checkable="a statement on the literature",
    findings=(findings.FIRST, findings.BOTH_BY_AMPLIFICATION),
)
