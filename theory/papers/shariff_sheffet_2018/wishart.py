r"""Linear UCB with Wishart noise (Shariff and Sheffet 2018, sections 4.1 and C): the shift, Proposition 9, Corollary 10.

Main statements
    SHIFT_OF_WISHART                                the shift c, (4);  SHIFT_OPTIMAL  what is said of it in D.3
    WISHART_RHO_MIN, WISHART_RHO_MAX, WISHART_PERTURBATION         Proposition 9 without the shift
    SHIFTED_RHO_MIN, SHIFTED_RHO_MAX, SHIFTED_PERTURBATION         Proposition 9 with it;  SHIFTED_PERTURBATION_HALF  twice as sharp
    DEGREES_OF_SUM, DEGREES_OF_SUM_MOST             the degrees of freedom of the noise in a round's release
    REGRET_WISHART, REGRET_WISHART_GAP              Corollary 10, constants suppressed
    REGRET_WISHART_PLUGGED, REGRET_WISHART_GAP_PLUGGED             what plugging Proposition 9 into Theorems 5 and 6 gives
    REGRET_WISHART_EXPLICIT, REGRET_WISHART_GAP_EXPLICIT           Theorems 5 and 6 at Proposition 9

Notation            s = sqrt(m k), a_q = sqrt(d) + sqrt(2 log(q n/alpha)); in steps s = 1, a_8 = u (unit_ratio), a_2 = u v

Findings            proposition_nine_padding (the statements below assume that all m matrices are there), wishart_enough_degrees,
                    shift_makes_smaller, shifted_perturbation_chain_as_printed, wishart_budget; corollary_ten_rate, corollaries_factor_s

Implementation notes
    The proof spends alpha/(4 n) on eigenvalues and alpha/(2 n) on h_t; the chi-square length leaves room for both where 2 n >= 5 alpha
    (steps chernoff, grows_with_dimension, half_of_the_budget).
    gamma' is true where c < 0 as well: H' is above H, and L~ a_2 <= L~ sqrt(s a_2).
Not steps, because SymPy reduces them to themselves: rho_min - c = 4 L~^2 s a_8.
"""

from dataclasses import replace

from sympy import Expr, Ge, Gt, Integer, Le, Rational, log, sqrt

from banditproof.glossary import (
    CONTEXT_NORM,
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    OTHER_UNIT_RATIO,
    PARAMETER_NORM,
    PERTURBATION,
    RATIO,
    REWARD_SIGMA,
    RHO_MAX,
    RHO_MIN,
    ROW_NORM,
    UNIT_RATIO,
    Quantity,
)
from banditproof.glossary import REGRET as REGRET_OF
from banditproof.glossary.shariff_sheffet_2018 import MEAN_BOUND, MINIMUM_GAP, NODES, SIGNED_SHIFT, SUMMED_DEGREES, WISHART_DEGREES
from banditproof.theory.language import (
    Bound,
    Case,
    Checked,
    Constants,
    Hypothesis,
    Mode,
    Sense,
    Step,
    Theorem,
    always,
    symbol,
)
from banditproof.theory.papers.shariff_sheffet_2018.findings import corollaries
from banditproof.theory.papers.shariff_sheffet_2018.findings import wishart as findings
from banditproof.theory.papers.shariff_sheffet_2018.privacy import more_degrees_than_features, wishart_nodes
from banditproof.theory.papers.shariff_sheffet_2018.regret import COMMON, regret_cases, regret_gap_cases, separated_actions
from banditproof.theory.papers.shariff_sheffet_2018.setting import degrees_of_all, in_every_round, nodes_of, noise_deviation, source

_n, _m, _d, _k, _row = symbol(HORIZON), symbol(NODES), symbol(DIMENSION), symbol(WISHART_DEGREES), symbol(ROW_NORM)
_epsilon, _delta, _alpha = symbol(EPSILON), symbol(DELTA), symbol(FAILURE)
_u, _v, _x = symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO), symbol(RATIO)
_s, _a8, _a2 = degrees_of_all(), noise_deviation(8), noise_deviation(2)

padded = Hypothesis(
    "padded",
    "every release has exactly m Wishart matrices: a level that the prefix does not use has one of its own",
    Checked.ASSUMED,
    added="proposition_nine_padding",
)
enough_degrees = Hypothesis(
    "enough_degrees", "m k > a_8^2, as Claim 19 asks", Checked.BY_VALUE, Gt(_s, _a8), added="wishart_enough_degrees"
)
invertible = replace(more_degrees_than_features, added="wishart_enough_degrees")
shift_not_negative = Hypothesis(
    "shift_not_negative",
    "sqrt(m k) >= (3 + 2 sqrt(2)) a_8: c >= 0",
    Checked.BY_VALUE,
    Ge(_s, (3 + 2 * sqrt(2)) * _a8),
    added="shift_makes_smaller",
)

_GIVEN = (HORIZON, DIMENSION, WISHART_DEGREES, ROW_NORM, FAILURE)
_shift = _row**2 * (_s - _a8) ** 2 - 4 * _row**2 * _s * _a8
_low, _low_shifted = _row**2 * (_s - _a8) ** 2, 4 * _row**2 * _s * _a8


SHIFT_OF_WISHART = Theorem(
    id="shariff_sheffet_2018.shift_of_wishart",
    statement="The multiple of the identity that is taken off the regularisers.",
    source=source("section 4.1, (4)"),
    bound=Bound(of=SIGNED_SHIFT, sense=Sense.EQUALS, cases=always(_shift), given=_GIVEN, where=(nodes_of(),)),
    steps=(
        Step(
            id="largest_is_smaller_as_printed",
            sense=Sense.AT_MOST,
            left=8 * _u,
            right=(1 + _u) ** 2,
            draw_order=(UNIT_RATIO,),
            note='"making the bounds we require smaller than without the shift", for any k with s > a_8; unit_ratio is a_8/s',
        ),
        Step(
            id="shift_removes",
            sense=Sense.AT_LEAST,
            left=(1 - _u) ** 2 - 4 * _u,
            right=Integer(0),
            draw_order=(UNIT_RATIO,),
            domain=(Le(_u, 3 - 2 * sqrt(2)),),
            reason="'fairly large' eigenvalues",
            note="both sides over L~^2 m k, at u = a_8/s",
        ),
        Step(
            id="largest_is_smaller",
            sense=Sense.AT_MOST,
            left=8 * _u,
            right=(1 + _u) ** 2,
            draw_order=(UNIT_RATIO,),
            domain=(Le(_u, 3 - 2 * sqrt(2)),),
            reason="'fairly large' eigenvalues",
            note='"making the bounds we require smaller than without the shift"',
        ),
        Step(
            id="width",
            sense=Sense.EQUALS,
            left=(1 + _u) ** 2 - (1 - _u) ** 2,
            right=4 * _u,
            draw_order=(UNIT_RATIO,),
            note="rho_max - rho_min",
        ),
        Step(
            id="largest",
            sense=Sense.EQUALS,
            left=(1 + _u) ** 2 - ((1 - _u) ** 2 - 4 * _u),
            right=8 * _u,
            draw_order=(UNIT_RATIO,),
            note="rho_max - c",
        ),
    ),
    findings=(findings.SHIFT_MAKES_SMALLER,),
)

SHIFT_OPTIMAL = Theorem(
    id="shariff_sheffet_2018.shift_optimal",
    statement="The shifts of section 4 make the bound on the regret smaller, and approximately optimise it, whatever the gap.",
    source=source("section 4.1, 'making the bounds we require smaller', and Appendix D.3"),
    not_checkable="'approximately' names no factor; audited at section D.2 with a factor of two, from the horizon on at which the bound is "
    "below the trivial one",
)

WISHART_RHO_MIN = Theorem(
    id="shariff_sheffet_2018.wishart_rho_min",
    statement="Every eigenvalue of every round's unshifted regulariser is at least `rho_min`.",
    source=source("Proposition 9, rho_min"),
    hypotheses=(wishart_nodes, padded),
    bound=in_every_round(
        _GIVEN, RHO_MIN, Sense.AT_LEAST, (Case(Gt(_s, _a8), _low), Case(Le(_s, _a8), Integer(0), added="wishart_enough_degrees"))
    ),
    published=in_every_round(_GIVEN, RHO_MIN, Sense.AT_LEAST, always(_low)),
    findings=(findings.WISHART_ENOUGH_DEGREES,),
)

WISHART_RHO_MAX = Theorem(
    id="shariff_sheffet_2018.wishart_rho_max",
    statement="Every eigenvalue of every round's unshifted regulariser is at most `rho_max`.",
    source=source("Proposition 9, rho_max"),
    hypotheses=(wishart_nodes, padded),
    bound=in_every_round(_GIVEN, RHO_MAX, Sense.AT_MOST, always(_row**2 * (_s + _a8) ** 2)),
    findings=(findings.ANY_ALPHA, findings.WISHART_DEGREES_LOOSE),
)

WISHART_PERTURBATION = Theorem(
    id="shariff_sheffet_2018.wishart_perturbation",
    statement="The perturbation of every round, in the norm of the inverse of its unshifted regulariser, is at most `perturbation`.",
    source=source("Proposition 9, gamma"),
    hypotheses=(invertible, wishart_nodes, padded),
    bound=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(_row * _a2)),
    steps=(
        Step(
            id="budget_as_printed",
            sense=Sense.AT_MOST,
            left=_alpha / (2 * _n) + _alpha / (2 * _n),
            right=_alpha / (2 * _n),
            draw_order=(FAILURE, HORIZON),
            note="the eigenvalues and h_t, 'w.p. >= 1 - alpha/2n' each, against Definition 3",
        ),
        Step(
            id="chernoff",
            sense=Sense.EQUALS,
            left=((1 + sqrt(2 * _x / _d)) ** 2 - 1 - 2 * log(1 + sqrt(2 * _x / _d))) * _d / 2,
            right=_x + _d * (sqrt(2 * _x / _d) - log(1 + sqrt(2 * _x / _d))),
            draw_order=(RATIO, DIMENSION),
            ours=True,
            note="exponent of Chernoff's bound for a chi-square length sqrt(d) + sqrt(2 x), with r = sqrt(2 x/d)",
        ),
        Step(
            id="grows_with_dimension",
            sense=Sense.AT_LEAST,
            left=_x - log(1 + _x) - _x**2 / (2 * (1 + _x)),
            right=Integer(0),
            draw_order=(RATIO,),
            ours=True,
            note="the derivative of d (r - log(1 + r)) in d, r falling like 1/sqrt(d)",
        ),
        Step(
            id="half_of_the_budget",
            sense=Sense.AT_LEAST,
            left=sqrt(2 * _x) - log(1 + sqrt(2 * _x)),
            right=log(2),
            draw_order=(RATIO,),
            domain=(Ge(_x, log(5)),),
            reason="2 n >= 5 alpha: every horizon from 3 on",
            ours=True,
            note="at d = 1, x = log(2 n/alpha): the failure of h_t is at most half of alpha/(2 n); the eigenvalues spend the other half",
        ),
    ),
    findings=(findings.WISHART_BUDGET,),
)

_SHIFTED_CASES = (Case(Gt(_s, _a8), _low_shifted), Case(Le(_s, _a8), -_shift, added="wishart_enough_degrees"))

SHIFTED_RHO_MIN = Theorem(
    id="shariff_sheffet_2018.shifted_rho_min",
    statement="Every eigenvalue of every round's shifted regulariser is at least `rho_min`.",
    source=source("Proposition 9, rho_min'"),
    hypotheses=(wishart_nodes, padded),
    bound=in_every_round(_GIVEN, RHO_MIN, Sense.AT_LEAST, _SHIFTED_CASES),
)

SHIFTED_RHO_MAX = Theorem(
    id="shariff_sheffet_2018.shifted_rho_max",
    statement="Every eigenvalue of every round's shifted regulariser is at most `rho_max`.",
    source=source("Proposition 9, rho_max'"),
    hypotheses=(wishart_nodes, padded),
    bound=in_every_round(_GIVEN, RHO_MAX, Sense.AT_MOST, always(8 * _row**2 * _s * _a8)),
)

SHIFTED_PERTURBATION = Theorem(
    id="shariff_sheffet_2018.shifted_perturbation",
    statement="The perturbation of every round, in the norm of the inverse of its shifted regulariser, is at most `perturbation`.",
    source=source("Proposition 9, gamma'"),
    hypotheses=(enough_degrees, wishart_nodes, padded),
    bound=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(_row * sqrt(_s * _a2))),
    steps=(
        Step(
            id="chain_as_printed",
            sense=Sense.AT_MOST,
            left=_a2 * (sqrt(_k) - _a8) / (2 * sqrt(sqrt(_k) * _a8)),
            right=(sqrt(_k) - _a8) * sqrt(_a2) / (4 * _k ** Rational(1, 4)),
            draw_order=(FAILURE, HORIZON, DIMENSION, WISHART_DEGREES),
            domain=(Gt(_k, _a8**2),),
            note="the second line of the chain over L~; k stands for m k",
        ),
        Step(
            id="chain",
            sense=Sense.AT_MOST,
            left=_u * _v * (1 - _u) / (2 * sqrt(_u)),
            right=(1 - _u) * sqrt(_u * _v) / 2,
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            reason="repairs chain_as_printed",
            ours=True,
            note="both sides over L~ sqrt(s)",
        ),
        Step(
            id="four_times",
            sense=Sense.AT_LEAST,
            left=4 * (1 + sqrt(2 * _x)),
            right=1 + sqrt(2 * (_x + log(4))),
            draw_order=(RATIO,),
            domain=(Ge(_x, log(2)),),
            ours=True,
            note="never 4 a_2 <= a_8: the root of y + log 4, y = log(2 n/alpha) >= log 2, is at most sqrt(3) times that of y",
        ),
        Step(
            id="last",
            sense=Sense.AT_MOST,
            left=(1 - _u) * sqrt(_u * _v) / 2,
            right=sqrt(_u * _v) / 2,
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            note="both sides divided by L~ sqrt(s): unit_ratio = a_8/s and other_unit_ratio = a_2/a_8",
        ),
        Step(
            id="without_claim_20",
            sense=Sense.AT_MOST,
            left=_u * _v,
            right=sqrt(_u * _v),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            ours=True,
            note="where c < 0: gamma itself",
        ),
    ),
    findings=(findings.SHIFTED_PERTURBATION_CHAIN_AS_PRINTED,),
)

SHIFTED_PERTURBATION_HALF = Theorem(
    id="shariff_sheffet_2018.shifted_perturbation_half",
    statement="The perturbation of every round, in the norm of the inverse of its shifted regulariser, where c >= 0.",
    source=source("[assembled] Proof of Proposition 9, its chain with 2 for 4, Appendix C"),
    hypotheses=(shift_not_negative, wishart_nodes, padded),
    bound=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(_row * sqrt(_s * _a2) / 2)),
)

DEGREES_OF_SUM = Theorem(
    id="shariff_sheffet_2018.degrees_of_sum",
    statement="The least degrees of freedom of the noise in a release after round 1, without padding (round 1 has none).",
    source=source("section 4.1, 'the sum of m independent samples', and Proposition 9"),
    hypotheses=(wishart_nodes,),
    bound=Bound(of=SUMMED_DEGREES, sense=Sense.AT_LEAST, cases=always(_k), given=(HORIZON, WISHART_DEGREES)),
    published=Bound(of=SUMMED_DEGREES, sense=Sense.AT_LEAST, cases=always(_m * _k), given=(HORIZON, WISHART_DEGREES), where=(nodes_of(),)),
    findings=(findings.PROPOSITION_NINE_PADDING,),
)

DEGREES_OF_SUM_MOST = Theorem(
    id="shariff_sheffet_2018.degrees_of_sum_most",
    statement="The most degrees of freedom of the noise in a release, without padding.",
    source=source("[assembled] section 4.1: the prefix of t - 1 rows adds one node for each binary digit 1 of t - 1"),
    hypotheses=(wishart_nodes,),
    bound=Bound(of=SUMMED_DEGREES, sense=Sense.AT_MOST, cases=always((_m - 1) * _k), given=(HORIZON, WISHART_DEGREES), where=(nodes_of(),)),
)

# --- Corollary 10 -------------------------------------------------------------------------------------------------------------------

_POLICY = (MEAN_BOUND, CONTEXT_NORM, PARAMETER_NORM, REWARD_SIGMA)
_HYPOTHESES = (enough_degrees, *COMMON[:-1], wishart_nodes, padded)


def at_proposition(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Bounds in rho_min, rho_max and gamma at the shifted ones of Proposition 9."""
    fixed = {
        symbol(RHO_MIN): _low_shifted,
        symbol(RHO_MAX): 8 * _row**2 * _s * _a8,
        symbol(PERTURBATION): _row * sqrt(_s * _a2),
    }
    return tuple(Case(case.condition.xreplace(fixed), case.expression.xreplace(fixed)) for case in cases)


def _explicit(cases: tuple[Case, ...], given: tuple[Quantity, ...]) -> Bound:
    return Bound(
        of=REGRET_OF,
        sense=Sense.AT_MOST,
        cases=at_proposition(cases),
        given=(HORIZON, DIMENSION, WISHART_DEGREES, ROW_NORM, *_POLICY, FAILURE, *given),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        where=(nodes_of(),),
    )


REGRET_WISHART_EXPLICIT = Theorem(
    id="shariff_sheffet_2018.regret_wishart_explicit",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise.",
    source=source("[assembled] Corollary 10: (2), as repaired in shariff_sheffet_2018.regret, at Proposition 9"),
    hypotheses=_HYPOTHESES,
    bound=_explicit(regret_cases(), ()),
)

REGRET_WISHART_GAP_EXPLICIT = Theorem(
    id="shariff_sheffet_2018.regret_wishart_gap_explicit",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise where optimal actions are separated.",
    source=source("[assembled] Corollary 10: (3), as repaired in shariff_sheffet_2018.regret_gap, at Proposition 9"),
    hypotheses=(*_HYPOTHESES, separated_actions),
    bound=_explicit(regret_gap_cases(), (MINIMUM_GAP,)),
)

_root = _d ** Rational(1, 4)
_ordinary = symbol(REWARD_SIGMA) * (log(1 / _alpha) + _d * log(_n))
_private = symbol(PARAMETER_NORM) * _row * sqrt(_d) * log(_n) ** Rational(3, 4) * (_root + log(_n / _alpha) ** Rational(1, 4))
_price = _ordinary + _private * (_root + log(1 / _delta) ** Rational(1, 4) / sqrt(_epsilon))
_plugged = _ordinary + (1 + 1 / symbol(PARAMETER_NORM)) * _private * (
    _root + (log(_n) * log(log(_n) / _delta) * log(1 / _delta)) ** Rational(1, 4) / sqrt(_epsilon)
)
_SUPPRESSED = (HORIZON, DIMENSION, EPSILON, DELTA, ROW_NORM, MEAN_BOUND, PARAMETER_NORM, REWARD_SIGMA, FAILURE)


def suppressed(expression: Expr, given: tuple[Quantity, ...]) -> Bound:
    """A bound on the regret with constants suppressed."""
    return Bound(
        of=REGRET_OF,
        sense=Sense.AT_MOST,
        cases=always(expression),
        given=given,
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    )


REGRET_WISHART = Theorem(
    id="shariff_sheffet_2018.regret_wishart",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise. (Plugging Proposition 9 into (2) gives more.)",
    source=source("Corollary 10"),
    hypotheses=(*COMMON[:-1], wishart_nodes, padded),
    bound=suppressed(symbol(MEAN_BOUND) * sqrt(_n) * _price, _SUPPRESSED),
    findings=(corollaries.COROLLARY_TEN_RATE, corollaries.COROLLARIES_FACTOR_S),
)

REGRET_WISHART_GAP = Theorem(
    id="shariff_sheffet_2018.regret_wishart_gap",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise where optimal actions are separated. (Plugging Proposition 9 "
    "into (3) gives more.)",
    source=source("Corollary 10, gap-dependent"),
    hypotheses=(*COMMON[:-1], wishart_nodes, padded, separated_actions),
    bound=suppressed(symbol(MEAN_BOUND) / symbol(MINIMUM_GAP) * _price**2, (*_SUPPRESSED, MINIMUM_GAP)),
)

REGRET_WISHART_PLUGGED = Theorem(
    id="shariff_sheffet_2018.regret_wishart_plugged",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise, with the rate of (2) at Proposition 9.",
    source=source("[assembled] Corollary 10, 'plugging these into Theorems 5 and 6', with m k in full"),
    hypotheses=(*COMMON[:-1], wishart_nodes, padded),
    bound=suppressed(symbol(MEAN_BOUND) * sqrt(_n) * _plugged, _SUPPRESSED),
)

REGRET_WISHART_GAP_PLUGGED = Theorem(
    id="shariff_sheffet_2018.regret_wishart_gap_plugged",
    statement="The pseudo-regret of linear UCB with shifted Wishart noise where optimal actions are separated, with the rate of (3) at "
    "Proposition 9.",
    source=source("[assembled] Corollary 10, gap-dependent, 'plugging these into Theorems 5 and 6', with m k in full"),
    hypotheses=(*COMMON[:-1], wishart_nodes, padded, separated_actions),
    bound=suppressed(symbol(MEAN_BOUND) / symbol(MINIMUM_GAP) * _plugged**2, (*_SUPPRESSED, MINIMUM_GAP)),
)
