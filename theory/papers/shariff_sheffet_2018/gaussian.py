r"""Linear UCB with symmetric Gaussian noise (Shariff and Sheffet 2018, section 4.2): the shift, Proposition 11, Corollary 12.

Main statements
    UPSILON_OF_NOISE                                   the bound on the noise, half of the shift
    GAUSSIAN_RHO_MIN, GAUSSIAN_RHO_MAX, GAUSSIAN_PERTURBATION     Proposition 11
    GAUSSIAN_PERTURBATION_CLOSED                       its closed form for gamma
    REGRET_GAUSSIAN, REGRET_GAUSSIAN_GAP               Corollary 12, constants suppressed;  FIRST_ROUND  what one round can cost
    REGRET_GAUSSIAN_EXPLICIT, REGRET_GAUSSIAN_GAP_EXPLICIT        Theorems 5 and 6 at Proposition 11

Notation            x = log(2 n/alpha) >= log 2 (ratio in steps), l = log(4/delta), sigma_noise = 4 sqrt(m) L~^2 l/epsilon,
                    Upsilon = sigma_noise sqrt(2 m) (4 sqrt(d) + 2 x)

Findings            gaussian_perturbation_closed, gaussian_budget, upsilon_loose, order_of_upsilon, corollaries_range, corollaries_factor_s

Implementation notes
    The operator norm. The noise of a block is sqrt(2 m) sigma_noise times at most the norm of a d by d Gaussian matrix Z, and
    P(|Z| > 2 sqrt(d) + t) <= exp(-t^2/2) (Davidson and Szarek): at t = 2 sqrt(d) + 2 x it is at most exp(-2 (1 + x)^2). At most m nodes are
    summed, so no padding is needed, and H_1 = 2 Upsilon I.
    The length. By Claim 17 at exp(-y), y = (sqrt(x) + 1/10)^2: d + 2 sqrt(d y) + 2 y <= (sqrt(d) + sqrt(2 x))^2.
    Not a step, because SymPy reduces it to itself: the two forms of Upsilon, 4 sqrt(2) = sqrt(32).
"""

from sympy import Ge, Rational, exp, log, sqrt

from banditproof.glossary import (
    CONTEXT_NORM,
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    PARAMETER_NORM,
    PERTURBATION,
    RATIO,
    REWARD_SIGMA,
    RHO_MAX,
    RHO_MIN,
    ROW_NORM,
    Quantity,
)
from banditproof.glossary import REGRET as REGRET_OF
from banditproof.glossary.shariff_sheffet_2018 import MEAN_BOUND, MINIMUM_GAP, NODES, UPSILON
from banditproof.theory.hypotheses import one_draw_per_node
from banditproof.theory.language import Bound, Case, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import corollaries
from banditproof.theory.papers.shariff_sheffet_2018.findings import gaussian as findings
from banditproof.theory.papers.shariff_sheffet_2018.privacy import gaussian_deviation, symmetric_gaussian_nodes
from banditproof.theory.papers.shariff_sheffet_2018.regret import COMMON, regret_cases, regret_gap_cases, separated_actions
from banditproof.theory.papers.shariff_sheffet_2018.setting import in_every_round, nodes_of, noise_deviation, source
from banditproof.theory.papers.shariff_sheffet_2018.wishart import suppressed

_n, _m, _d, _row = symbol(HORIZON), symbol(NODES), symbol(DIMENSION), symbol(ROW_NORM)
_epsilon, _delta, _alpha, _x = symbol(EPSILON), symbol(DELTA), symbol(FAILURE), symbol(RATIO)
_l, _log = log(4 / _delta), log(2 * _n / _alpha)

_GIVEN = (HORIZON, DIMENSION, EPSILON, DELTA, ROW_NORM, FAILURE)
_upsilon = gaussian_deviation() * sqrt(2 * _m) * (4 * sqrt(_d) + 2 * _log)
_gamma = gaussian_deviation() * sqrt(_m / _upsilon) * noise_deviation(2)
_closed = _m * _row**2 * (sqrt(_d) + 2 * _log) / (sqrt(2) * _epsilon)
_NOISE = (symmetric_gaussian_nodes, one_draw_per_node)


UPSILON_OF_NOISE = Theorem(
    id="shariff_sheffet_2018.upsilon_of_noise",
    statement="The operator norm of the noise of every round's Gram matrix is at most `upsilon`.",
    source=source("section 4.2, Upsilon"),
    hypotheses=_NOISE,
    bound=in_every_round(_GIVEN, UPSILON, Sense.AT_MOST, always(_upsilon)),
    steps=(
        Step(
            id="operator_norm",
            sense=Sense.AT_LEAST,
            left=2 * (sqrt(_d) + _x) ** 2,
            right=_x,
            draw_order=(DIMENSION, RATIO),
            ours=True,
            note='"known concentration results give P(|Z| > 4 sqrt(d + 1) + 2 log(2 n/alpha)) < alpha/(2 n)"',
        ),
    ),
    findings=(findings.UPSILON_LOOSE,),
)

GAUSSIAN_RHO_MIN = Theorem(
    id="shariff_sheffet_2018.gaussian_rho_min",
    statement="Every eigenvalue of every round's regulariser is at least `rho_min`. The regulariser is the noise plus 2 Upsilon I, "
    "where Upsilon is the right side below; even with probability 1 - failure/2.",
    source=source("Proposition 11, rho_min"),
    hypotheses=_NOISE,
    bound=in_every_round(_GIVEN, RHO_MIN, Sense.AT_LEAST, always(_upsilon)),
)

GAUSSIAN_RHO_MAX = Theorem(
    id="shariff_sheffet_2018.gaussian_rho_max",
    statement="Every eigenvalue of every round's regulariser, which is the noise plus 2 Upsilon I, is at most `rho_max`, three times "
    "Upsilon; even with probability 1 - failure/2.",
    source=source("Proposition 11, rho_max"),
    hypotheses=_NOISE,
    bound=in_every_round(_GIVEN, RHO_MAX, Sense.AT_MOST, always(3 * _upsilon)),
)

GAUSSIAN_PERTURBATION = Theorem(
    id="shariff_sheffet_2018.gaussian_perturbation",
    statement="The perturbation of every round, in the norm of the inverse of its regulariser, is at most `perturbation`.",
    source=source("Proposition 11, gamma, first form"),
    hypotheses=_NOISE,
    bound=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(_gamma)),
    steps=(
        Step(
            id="budget_as_printed",
            sense=Sense.AT_MOST,
            left=_alpha / (2 * _n) + _alpha / (2 * _n),
            right=_alpha / (2 * _n),
            draw_order=(FAILURE, HORIZON),
            note="what the argument needs, not printed: the operator norm and the length of h_t, alpha/(2n) each, against Definition 3",
        ),
        Step(
            id="length_with_room",
            sense=Sense.AT_MOST,
            left=_d + 2 * sqrt(_d) * (sqrt(_x) + Rational(1, 10)) + 2 * (sqrt(_x) + Rational(1, 10)) ** 2,
            right=(sqrt(_d) + sqrt(2 * _x)) ** 2,
            draw_order=(DIMENSION, RATIO),
            domain=(Ge(_x, log(2)),),
            ours=True,
            note="with ratio = log(2 n/alpha): the chi-square bound at a slightly larger exponent is still at most the printed length "
            "squared",
        ),
        Step(
            id="both_failures",
            sense=Sense.AT_MOST,
            left=exp(_x - (sqrt(_x) + Rational(1, 10)) ** 2) + exp(_x - 2 * (1 + _x) ** 2),
            right=Rational(1),
            draw_order=(RATIO,),
            domain=(Ge(_x, log(2)),),
            ours=True,
            note="both sides over alpha/(2 n) = exp(-x)",
        ),
        Step(
            id="order_of_upsilon",
            sense=Sense.AT_MOST,
            left=6 * (sqrt(_d) + sqrt(2 * _x)) ** 2,
            right=(4 * sqrt(_d) + 2 * _x) ** 2,
            draw_order=(DIMENSION, RATIO),
            domain=(Ge(_x, log(2)),),
            note="gamma^2 <= Upsilon/12: the square of a_2 over 4 sqrt(d) + 2 x is at most 1/6",
        ),
    ),
    findings=(findings.GAUSSIAN_BUDGET, findings.ORDER_OF_UPSILON),
)

GAUSSIAN_PERTURBATION_CLOSED = Theorem(
    id="shariff_sheffet_2018.gaussian_perturbation_closed",
    statement="The perturbation of every round, in the norm of the inverse of its regulariser, in closed form.",
    source=source("Proposition 11, gamma, second form"),
    hypotheses=_NOISE,
    bound=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(sqrt(Rational(3, 2) * _l * _closed))),
    steps=(
        Step(
            id="closed_form",
            sense=Sense.AT_MOST,
            left=4 * (sqrt(_d) + sqrt(2 * _x)) ** 2,
            right=Rational(3, 2) * (4 * sqrt(_d) + 2 * _x) * (sqrt(_d) + 2 * _x),
            draw_order=(DIMENSION, RATIO),
            domain=(Ge(_x, log(2)),),
            reason="with the factor (3/2) log(4/delta) that is missing in print",
            ours=True,
        ),
    ),
    published=in_every_round(_GIVEN, PERTURBATION, Sense.AT_MOST, always(sqrt(_closed))),
    findings=(findings.GAUSSIAN_PERTURBATION_CLOSED,),
)

FIRST_ROUND = Theorem(
    id="shariff_sheffet_2018.first_round",
    statement="The regret of round 1 in the worst problem, at every epsilon and sigma: one feature, theta* = -1, actions B and "
    "-(999/1000) B.",
    source=source("[assembled] Algorithm 1 with the noise of section 4.2: no node is released before round 1, so the estimate is 0"),
    bound=Bound(of=REGRET_OF, sense=Sense.AT_LEAST, cases=always(Rational(1999, 1000) * symbol(MEAN_BOUND)), given=(MEAN_BOUND,)),
)

# --- Corollary 12 -------------------------------------------------------------------------------------------------------------------

_POLICY = (MEAN_BOUND, CONTEXT_NORM, PARAMETER_NORM, REWARD_SIGMA)


def at_proposition(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Bounds in rho_min, rho_max and gamma at those of Proposition 11."""
    fixed = {symbol(RHO_MIN): _upsilon, symbol(RHO_MAX): 3 * _upsilon, symbol(PERTURBATION): _gamma}
    return tuple(Case(case.condition.xreplace(fixed), case.expression.xreplace(fixed)) for case in cases)


def _explicit(cases: tuple[Case, ...], given: tuple[Quantity, ...]) -> Bound:
    return Bound(
        of=REGRET_OF,
        sense=Sense.AT_MOST,
        cases=at_proposition(cases),
        given=(HORIZON, DIMENSION, EPSILON, DELTA, ROW_NORM, *_POLICY, FAILURE, *given),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        where=(nodes_of(),),
    )


REGRET_GAUSSIAN_EXPLICIT = Theorem(
    id="shariff_sheffet_2018.regret_gaussian_explicit",
    statement="The pseudo-regret of linear UCB with shifted Gaussian noise.",
    source=source("[assembled] Corollary 12: (2), as repaired in shariff_sheffet_2018.regret, at Proposition 11"),
    hypotheses=(*COMMON[:-1], *_NOISE),
    bound=_explicit(regret_cases(), ()),
)

REGRET_GAUSSIAN_GAP_EXPLICIT = Theorem(
    id="shariff_sheffet_2018.regret_gaussian_gap_explicit",
    statement="The pseudo-regret of linear UCB with shifted Gaussian noise where optimal actions are separated.",
    source=source("[assembled] Corollary 12: (3), as repaired in shariff_sheffet_2018.regret_gap, at Proposition 11"),
    hypotheses=(*COMMON[:-1], *_NOISE, separated_actions),
    bound=_explicit(regret_gap_cases(), (MINIMUM_GAP,)),
)

_price = symbol(REWARD_SIGMA) * (_d * log(_n) + log(1 / _alpha)) + symbol(PARAMETER_NORM) * _row * log(_n) * sqrt(
    _d * (sqrt(_d) + log(_n / _alpha)) * log(1 / _delta) / _epsilon
)
_SUPPRESSED = (HORIZON, DIMENSION, EPSILON, DELTA, ROW_NORM, MEAN_BOUND, PARAMETER_NORM, REWARD_SIGMA, FAILURE)

REGRET_GAUSSIAN = Theorem(
    id="shariff_sheffet_2018.regret_gaussian",
    statement="The pseudo-regret of linear UCB with shifted Gaussian noise.",
    source=source("Corollary 12"),
    hypotheses=(*COMMON[:-1], *_NOISE),
    bound=suppressed(symbol(MEAN_BOUND) * sqrt(_n) * _price, _SUPPRESSED),
    findings=(corollaries.COROLLARIES_RANGE,),
)

REGRET_GAUSSIAN_GAP = Theorem(
    id="shariff_sheffet_2018.regret_gaussian_gap",
    statement="The pseudo-regret of linear UCB with shifted Gaussian noise where optimal actions are separated.",
    source=source("Corollary 12, gap-dependent"),
    hypotheses=(*COMMON[:-1], *_NOISE, separated_actions),
    bound=suppressed(symbol(MEAN_BOUND) / symbol(MINIMUM_GAP) * _price**2, (*_SUPPRESSED, MINIMUM_GAP)),
)
