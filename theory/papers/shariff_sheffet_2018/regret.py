r"""The regret of linear UCB with changing regularisers (Shariff and Sheffet 2018, sections 3.1 and B): Theorems 5 and 6, Lemmas 21 and 22.

Main statements
    GENERIC_REGRET                  Lemma 21: regret by the potential
    POTENTIAL_DETERMINANT, POTENTIAL_TRACE   Lemma 22;  POTENTIAL_SHARP the same with its best constant
    REGRET                          Theorem 5, (2)
    REGRET_GAP                      Theorem 6, (3)
    WITHOUT_ITEMS                   what section 3 says of Items 1 and 2
    SCALING                         Remark 2: where the factor B comes from

Notation            A = 2 log(2/alpha) + d log(rho_max/rho_min + n L^2/(d rho_min)), E^2 = d log(1 + n L^2/(d rho_min)),
                    Psi = sigma A + (S sqrt(rho_max) + gamma) E, beta = sigma sqrt(A) + S sqrt(rho_max) + gamma

Findings            regret, regret_gap, items_one_and_two, remark_two_same_algorithm and smaller ones

Implementation notes
    What the proof gives, with r_t <= 2 max(beta, B) min{1, |x_t|}: sqrt(8 n) max(beta, B) E and (8/Delta) max(beta, B)^2 E^2. As
    beta E <= Psi, (2) is true where Psi >= E, and else B sqrt(8 n) E is; (3) is true where Psi >= sqrt(B) E, and else 8 B^2 E^2/Delta is.
    For sigma >= 1, and for S sqrt(rho_max) + gamma >= 1, Psi >= E, as A >= E^2 + 2 log 2. Nothing here uses the scaling of Remark 2.
    With fixed regularisers (2) and (3) are of the orders sqrt(n) log n and log(n)^2 (ORDERS).
    Lines on matrices are looked at in drawn matrices by the audits points.matrices_*.
"""

from sympy import Expr, Ge, Integer, log, sqrt

from banditproof.glossary import (
    CONTEXT_NORM,
    DIMENSION,
    FAILURE,
    HORIZON,
    LOG_DETERMINANT,
    OTHER_UNIT_RATIO,
    PARAMETER_NORM,
    PERTURBATION,
    RATIO,
    REWARD_SIGMA,
    RHO_MAX,
    RHO_MIN,
    THRESHOLD,
    UNIT_RATIO,
    Quantity,
)
from banditproof.glossary import REGRET as REGRET_OF
from banditproof.glossary.shariff_sheffet_2018 import CONFIDENCE_RADIUS, MEAN_BOUND, MINIMUM_GAP, POTENTIAL, START_DETERMINANT, START_TRACE
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Mode, Sense, Step, Theorem, always, largest, symbol
from banditproof.theory.papers.shariff_sheffet_2018.confidence import (
    accurate_regularisers,
    bias,
    bounded_actions,
    bounded_means,
    bounded_parameter,
    log_volume,
    ordered_bounds,
    sub_gaussian_rewards,
)
from banditproof.theory.papers.shariff_sheffet_2018.findings import regret as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_n, _d, _alpha, _mean = symbol(HORIZON), symbol(DIMENSION), symbol(FAILURE), symbol(MEAN_BOUND)
_sigma, _length, _low, _gap = symbol(REWARD_SIGMA), symbol(CONTEXT_NORM), symbol(RHO_MIN), symbol(MINIMUM_GAP)
_beta, _potential, _logdet = symbol(CONFIDENCE_RADIUS), symbol(POTENTIAL), symbol(LOG_DETERMINANT)
_trace, _determinant = symbol(START_TRACE), symbol(START_DETERMINANT)
_x, _u, _v, _g = symbol(RATIO), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO), symbol(THRESHOLD)

plays_optimistically = Hypothesis(
    "plays_optimistically", "every action maximises the estimate plus beta_t times its norm in the inverse of V_t", Checked.ASSUMED
)
parameter_in_ellipsoids = Hypothesis("parameter_in_ellipsoids", "the parameter lies in the ellipsoid of every round", Checked.ASSUMED)
separated_actions = Hypothesis(
    "separated_actions", "in every round the optimal actions beat all others by at least Delta", Checked.BY_ENVIRONMENT
)
radius_at_least_one = Hypothesis("radius_at_least_one", "beta_n >= 1", Checked.BY_VALUE, Ge(_beta, 1))
unit_means = Hypothesis("unit_means", "mean rewards lie in [-1, 1]", Checked.BY_ENVIRONMENT)
matrix_numbers = Hypothesis(
    "matrix_numbers", "trace and determinant are those of one positive definite matrix with d rows", Checked.BY_ENVIRONMENT
)
above_start = Hypothesis("above_start", "det U_(n+1) >= det U_1", Checked.BY_VALUE, Ge(_logdet, log(_determinant)))


def deviation_of_actions() -> Expr:
    """E = sqrt(d log(1 + n L^2/(d rho_min)))."""
    return sqrt(_d * log(1 + _n * _length**2 / (_d * _low)))


def psi() -> Expr:
    """Psi = sigma A + (S sqrt(rho_max) + gamma) E."""
    return _sigma * log_volume(_n) + bias() * deviation_of_actions()


def regret_printed() -> Expr:
    """The published bound on the regret without a gap, equation (2)."""
    return _mean * sqrt(8 * _n) * psi()


def regret_gap_printed() -> Expr:
    """The published bound on the regret with a gap, equation (3)."""
    return 8 * _mean / _gap * psi() ** 2


def regret_cases() -> tuple[Case, ...]:
    """(2) where it is true, and what the proof gives elsewhere."""
    return largest(psi(), deviation_of_actions(), within=lambda entry: _mean * sqrt(8 * _n) * entry)


def regret_gap_cases() -> tuple[Case, ...]:
    """(3) where it is true, and what the proof gives elsewhere."""
    return largest(psi(), sqrt(_mean) * deviation_of_actions(), within=lambda entry: 8 * _mean / _gap * entry**2)


# --- the potential ----------------------------------------------------------------------------------------------------------------

_GIVEN_POTENTIAL = (HORIZON, DIMENSION, CONTEXT_NORM, START_TRACE, START_DETERMINANT)


def _by_trace(constant: Expr) -> Expr:
    return constant * _d * log((_trace + _n * _length**2) / (_d * _determinant ** (1 / _d)))


GENERIC_REGRET = Theorem(
    id="shariff_sheffet_2018.generic_regret",
    statement="The regret of linear UCB where all ellipsoids hold the parameter and beta_n is at least 1 and every radius.",
    source=source("Lemma 21"),
    hypotheses=(radius_at_least_one, unit_means, plays_optimistically, parameter_in_ellipsoids),
    bound=Bound(
        of=REGRET_OF,
        sense=Sense.AT_MOST,
        cases=always(_beta * sqrt(4 * _n * _potential)),
        given=(HORIZON, CONFIDENCE_RADIUS, POTENTIAL),
    ),
    steps=(
        Step(
            id="round_of_a_long_action",
            sense=Sense.AT_MOST,
            left=Integer(2),
            right=2 * _beta,
            draw_order=(CONFIDENCE_RADIUS,),
            domain=(Ge(_beta, 1),),
            reason="the condition of the lemma, which Theorems 5 and 6 drop",
            note="(6) for an action of norm above 1: the mean's bound, r_t <= 2",
        ),
        Step(
            id="two_rounds",
            sense=Sense.AT_MOST,
            left=(_x + _g) ** 2,
            right=2 * (_x**2 + _g**2),
            draw_order=(RATIO, THRESHOLD),
            note="Cauchy-Schwarz for two rounds",
        ),
    ),
    findings=(findings.LEMMA_21_MEAN,),
)

WITHOUT_ITEMS = Theorem(
    id="shariff_sheffet_2018.without_items",
    statement="Items 1 and 2 (bounded actions, bounded means) are not required for a good bound on the regret.",
    source=source("section 3, after the assumptions"),
    not_checkable="it names no bound; audited with what Lemma 21 gives without Item 2, in one round",
    findings=(findings.ITEMS_ONE_AND_TWO,),
)

POTENTIAL_DETERMINANT = Theorem(
    id="shariff_sheffet_2018.potential_determinant",
    statement="The elliptical potential by the growth of the determinant; log_determinant is that of the last matrix.",
    source=source("Lemma 22, first inequality"),
    hypotheses=(above_start,),
    bound=Bound(
        of=POTENTIAL,
        sense=Sense.AT_MOST,
        cases=always(2 * (_logdet - log(_determinant))),
        given=(LOG_DETERMINANT, START_DETERMINANT),
    ),
    steps=(
        Step(
            id="determinant_of_the_next",
            sense=Sense.EQUALS,
            left=(_x + _u**2) * (_low + _v**2) - _u**2 * _v**2,
            right=_x * _low * (1 + _u**2 / _x + _v**2 / _low),
            draw_order=(RATIO, RHO_MIN, UNIT_RATIO, OTHER_UNIT_RATIO),
            note="det U_(t+1) = det U_t (1 + |x_t|^2 in the norm of U_t^-1): two features, U_t = diag(x, rho_min), x_t = (u, v)",
        ),
        Step(
            id="short_action",
            sense=Sense.AT_MOST,
            left=_u,
            right=2 * log(1 + _u),
            draw_order=(UNIT_RATIO,),
            note="min{1, u} <= 2 log(1 + u) where u <= 1",
        ),
        Step(
            id="long_action",
            sense=Sense.AT_MOST,
            left=Integer(1),
            right=2 * log(1 + _x),
            draw_order=(RATIO,),
            domain=(Ge(_x, 1),),
            note="with ratio the squared length of the action in the norm of V^-1",
        ),
        Step(
            id="short_action_sharp",
            sense=Sense.AT_MOST,
            left=_u,
            right=log(1 + _u) / log(2),
            draw_order=(UNIT_RATIO,),
            ours=True,
            note="and 1/log 2 is the least constant: equality at u = 1",
        ),
    ),
    findings=(findings.LEMMA_22_INDICES, findings.LEMMA_22_CONSTANT),
)

POTENTIAL_TRACE = Theorem(
    id="shariff_sheffet_2018.potential_trace",
    statement="The elliptical potential by the trace and the length of the actions.",
    source=source("Lemma 22, second inequality"),
    hypotheses=(bounded_actions, matrix_numbers),
    bound=Bound(of=POTENTIAL, sense=Sense.AT_MOST, cases=always(_by_trace(Integer(2))), given=_GIVEN_POTENTIAL),
    steps=(
        Step(
            id="arithmetic_geometric",
            sense=Sense.AT_MOST,
            left=log(_x),
            right=_x - 1,
            draw_order=(RATIO,),
            note="of an eigenvalue over the mean of all: summed over the eigenvalues it says that det <= (trace/d)^d",
        ),
    ),
)

POTENTIAL_SHARP = Theorem(
    id="shariff_sheffet_2018.potential_sharp",
    statement="The elliptical potential with the best constant of min{1, u} <= c log(1 + u).",
    source=source("[assembled] Lemma 22 with 1/log 2 for 2"),
    hypotheses=(bounded_actions, matrix_numbers),
    bound=Bound(of=POTENTIAL, sense=Sense.AT_MOST, cases=always(_by_trace(1 / log(2))), given=_GIVEN_POTENTIAL),
)

# --- the regret -------------------------------------------------------------------------------------------------------------------

COMMON = (
    bounded_actions,
    bounded_means,
    bounded_parameter,
    sub_gaussian_rewards,
    accurate_regularisers,
    plays_optimistically,
    ordered_bounds,
)
GIVEN = (
    HORIZON,
    DIMENSION,
    MEAN_BOUND,
    CONTEXT_NORM,
    PARAMETER_NORM,
    REWARD_SIGMA,
    RHO_MIN,
    RHO_MAX,
    PERTURBATION,
    FAILURE,
)


def _with_probability(expression: tuple[Case, ...], given: tuple[Quantity, ...]) -> Bound:
    return Bound(of=REGRET_OF, sense=Sense.AT_MOST, cases=expression, given=given, mode=Mode.WITH_PROBABILITY, failure=FAILURE)


REGRET = Theorem(
    id="shariff_sheffet_2018.regret",
    statement="The pseudo-regret of linear UCB with changing regularisers.",
    source=source("Theorem 5, (2)"),
    hypotheses=COMMON,
    bound=_with_probability(regret_cases(), GIVEN),
    steps=(
        Step(
            id="potential_of_the_start",
            sense=Sense.EQUALS,
            left=(_d * _low + _n * _length**2) / (_d * _low),
            right=1 + _n * _length**2 / (_d * _low),
            draw_order=(RHO_MIN, CONTEXT_NORM, DIMENSION, HORIZON),
            note="Lemma 22 at U_1 = rho_min I: its trace is d rho_min, and det^(1/d) is rho_min",
        ),
        Step(
            id="volume",
            sense=Sense.AT_MOST,
            left=_d * log(1 + _x),
            right=2 * log(2 / _alpha) + _d * log(1 + _g + _x),
            draw_order=(FAILURE, RATIO, THRESHOLD, DIMENSION),
            note="E^2 <= A; x = n L^2/(d rho_min) and 1 + g = rho_max/rho_min",
        ),
        Step(
            id="noise_term",
            sense=Sense.AT_MOST,
            left=sqrt(_x) * sqrt(_u * _x),
            right=_x,
            draw_order=(RATIO, UNIT_RATIO),
            note="sqrt(A) E <= A: ratio is A, the factor of sigma^2 in the squared radius, and E^2 = unit_ratio A with E^2 = d log(1 + "
            "n L^2/(d rho_min))",
        ),
    ),
    published=_with_probability(always(regret_printed()), GIVEN),
    findings=(findings.REGRET,),
)

REGRET_GAP = Theorem(
    id="shariff_sheffet_2018.regret_gap",
    statement="The pseudo-regret of linear UCB with changing regularisers where optimal actions are separated.",
    source=source("Theorem 6, (3)"),
    hypotheses=(*COMMON, separated_actions),
    bound=_with_probability(regret_gap_cases(), (*GIVEN, MINIMUM_GAP)),
    steps=(
        Step(
            id="gap_in_a_round",
            sense=Sense.AT_MOST,
            left=_x,
            right=_x**2 / _gap,
            draw_order=(MINIMUM_GAP, RATIO),
            domain=(Ge(_x, _gap),),
            note="r <= r^2/Delta for r >= Delta",
        ),
    ),
    published=_with_probability(always(regret_gap_printed()), (*GIVEN, MINIMUM_GAP)),
    findings=(findings.REGRET_GAP, findings.ROUNDS_WITH_REGRET),
)

SCALING = Theorem(
    id="shariff_sheffet_2018.scaling",
    statement="For B > 1, rewards and actions are divided by B: the bound for B = 1 applies and the regret is multiplied by B.",
    source=source("Remark 2"),
    not_checkable="it says how a problem is rescaled; what it says of the algorithm's quantities are its steps",
    steps=(
        Step(
            id="scaled_gram",
            sense=Sense.EQUALS,
            left=(_length / _mean) ** 2 / (_g / _mean**2 + _x / _mean**2),
            right=_length**2 / (_g + _x),
            draw_order=(MEAN_BOUND, RATIO, CONTEXT_NORM, THRESHOLD),
            ours=True,
            note="an action's norm in the inverse of V_t where H_t is divided as well: the squared length, over G and H",
        ),
        Step(
            id="scaled_radius",
            sense=Sense.EQUALS,
            left=_sigma / _mean * sqrt(_x) + symbol(PARAMETER_NORM) * sqrt(symbol(RHO_MAX) / _mean**2),
            right=(_sigma * sqrt(_x) + symbol(PARAMETER_NORM) * sqrt(symbol(RHO_MAX))) / _mean,
            draw_order=(MEAN_BOUND, REWARD_SIGMA, PARAMETER_NORM, RHO_MAX, RATIO),
            ours=True,
            note="beta, with sigma/B and rho/B^2: 1/B of what it was",
        ),
    ),
    findings=(findings.REMARK_TWO_SAME_ALGORITHM, findings.REMARK_TWO_VARIANCE),
)
