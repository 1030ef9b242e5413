"""ldp_linucb_2024: orders beside what the paper's own chain gives when G, sigma, Delta and H are inserted, by exact limits.

O~ hides powers of logarithms, so T, delta and beta, in which the two sides differ by logarithms alone, are excused where they are not the
point; the powers themselves are in tests/papers/ldp_linucb_2024/test_theory.py.
"""

from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.audits.methods.orders import OrderLimits, audits_of
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import (
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    PARAMETER_NORM,
    PERTURBATION,
    REWARD_SIGMA,
    RHO_MAX,
    ROUND,
    SIGMA,
)
from banditproof.glossary.ldp_linucb_2024 import (
    CLIPPING,
    CLIPPING_CONSTANT,
    CURVATURE,
    CURVATURE_TERM,
    EXTRA_WIDTH,
    INJECTED_SIGMA,
    LEARNER_CONSTANT,
    LEARNER_REGRET,
    LEARNERS,
    PATH,
    POSITIVE_CURVATURE,
    POTENTIAL_SUM,
    PUTATIVE_CONSTANT,
    RATE_EXPONENT,
    SQUARED_WIDTH,
    STRONG_CONVEXITY,
    WIDTH_CONSTANT,
)
from banditproof.theory.language import Theorem, symbol
from banditproof.theory.limits import End, logarithm
from banditproof.theory.orders import Fixed, Pair, Path, Tied
from banditproof.theory.papers.ldp_linucb_2024 import combiner, comparisons, confidence, floors, loss, regret, setting

_T = symbol(HORIZON)
HALF = Fraction(1, 2)
_LOGARITHMS = tuple(
    Fixed(quantity, "O~ hides logarithms, and the two sides differ by logarithms here") for quantity in (HORIZON, DELTA, FAILURE)
)
_CONSTANTS = tuple(Fixed(quantity, "the rate takes D and R for constants") for quantity in (PARAMETER_NORM, REWARD_SIGMA))
_BOUNDED = Fixed(EPSILON, "the rate is for bounded epsilon: finding large_epsilon", End.HIGH)
_SMALL = Fixed(POSITIVE_CURVATURE, "lambda_min is at most 1/d", End.HIGH)
_HELD = ((HORIZON, 10**6), (DIMENSION, 5), (EPSILON, 1), (DELTA, "1/1000"), (FAILURE, "1/1000"))

SUBSTITUTED = (
    Pair(
        regret.COROLLARY_FAVOURABLE,
        regret.FAVOURABLE_SUBSTITUTED,
        _HELD,
        (*_LOGARITHMS, *_CONSTANTS, _BOUNDED, _SMALL),
        fails=("epsilon_low",),
    ),
)
_MANY = Fixed(LEARNERS, "the number of base learners is of the order log T")
_COMBINER_LOGARITHMS = tuple(item for item in _LOGARITHMS if item.quantity is not DELTA)
COMBINED = (
    Pair(combiner.COMBINED_WORST, combiner.FIRST_TARGET, ((HORIZON, 10**6), (LEARNERS, 3)), (*_COMBINER_LOGARITHMS, _MANY)),
    Pair(
        combiner.COMBINED_FAVOURABLE,
        combiner.OTHER_TARGET,
        ((HORIZON, 10**6), (LEARNERS, 3)),
        (*_COMBINER_LOGARITHMS, _MANY, _BOUNDED, _SMALL),
    ),
)
_d, _epsilon = symbol(DIMENSION), symbol(EPSILON)
_NOISE = "of the same order as the root of rho_max for Gaussian noise"


def _by_norms(order: Theorem, norm: Any) -> Pair:
    return Pair(
        order,
        setting.REGRET_BY_NORMS,
        tied=(Tied(RHO_MAX, norm, "section 3 names it"), Tied(PERTURBATION, norm**HALF, _NOISE)),
    )


NORMS = (
    _by_norms(setting.TREE_REGRET, _d**HALF / _epsilon),
    _by_norms(setting.LOCAL_REGRET, (_d * _T) ** HALF / _epsilon),
)
_K = tuple(Fixed(quantity, "a constant that is not printed") for quantity in (LEARNER_CONSTANT, WIDTH_CONSTANT))
_H, _D, _R = symbol(CURVATURE_TERM), symbol(PARAMETER_NORM), symbol(REWARD_SIGMA)
_SIMPLE = regret.EXTRA_WIDTH_SIMPLIFIED.stated().cases[0].expression
CHAIN = (
    Pair(
        regret.REGRET_ORDER,
        regret.REGRET_BY_WIDTH,
        ((HORIZON, 10**6), (LEARNER_REGRET, 10), (EXTRA_WIDTH, 10)),
        tied=(
            Tied(SQUARED_WIDTH, symbol(LEARNER_REGRET) + symbol(EXTRA_WIDTH), "Lemma 3.3"),
            Tied(POTENTIAL_SUM, 2 * _d * logarithm(1 + _T / _d), "the elliptical potential"),
        ),
    ),
    Pair(
        regret.LEARNER_REGRET_ORDER,
        regret.LEARNER_BOUND,
        ((HORIZON, 10**6), (CURVATURE, "1/10"), (INJECTED_SIGMA, "1/10")),
        (_K[0],),
        (Tied(STRONG_CONVEXITY, 2 * (symbol(CURVATURE) + symbol(INJECTED_SIGMA) ** 2), "section 3.1's mu"),),
    ),
    Pair(
        regret.EXTRA_WIDTH_INSERTED,
        confidence.EXTRA_WIDTH_OF,
        _HELD[:1] + _HELD[2:],
        (_K[1],),
        (Tied(ROUND, _T, "N = T"), Tied(PATH, _H * logarithm(_T), "Lemma 3.5 for beta >= 1/T")),
    ),
    Pair(
        comparisons.LARGEST_CURVATURE,
        regret.COROLLARY_FAVOURABLE,
        tied=(Tied(POSITIVE_CURVATURE, 1 / _d, "the largest that lengths of at most 1 allow"),),
    ),
    Pair(
        combiner.FAVOURABLE_AT_ITS_END,
        combiner.COMBINED_FAVOURABLE,
        tied=(Tied(POSITIVE_CURVATURE, _T ** Fraction(-1, 8), "the end of the first case"),),
    ),
    Pair(
        combiner.GENERAL_RATE,
        combiner.TARGET,
        ((HORIZON, 10**6), (LEARNERS, 3)),
        (*_COMBINER_LOGARITHMS, _MANY, Fixed(RATE_EXPONENT, "1/2 or 3/4"), Fixed(PUTATIVE_CONSTANT, "at least of order 1 in Theorem 4.1")),
    ),
)
SUM = Pair(
    regret.COROLLARY_SUM,
    regret.REGRET_ORDER,
    _HELD,
    tied=(Tied(EXTRA_WIDTH, _SIMPLE, "K_T, simplified"), Tied(LEARNER_REGRET, 0 * _T, "finding terms_left_out")),
)
SIMPLIFIED = Pair(regret.EXTRA_WIDTH_SIMPLIFIED, regret.EXTRA_WIDTH_INSERTED, _HELD[:1] + _HELD[2:], name="simplified")
ORDERS = audits_of(*SUBSTITUTED, *COMBINED, *NORMS, *CHAIN, SIMPLIFIED)
SUM_ROWS = Audit(
    regret.COROLLARY_SUM.id,
    "growth.limits",
    "does the first display follow from Theorem 3.4 with K_T, simplified; delta towards 1 is left out, where both sides vanish",
    OrderLimits(SUM, tuple(name for name in SUM.rows() if name != "delta_high")),
)


def _refutes(pair: Pair, row: str, slug: str, label: str) -> Audit:
    return Audit(pair.order.id, f"growth.{slug}", label, OrderLimits(pair, (row,)), expected=Verdict.REFUTED)


WORST_POWERS = _refutes(  # the other ends take minutes: the expression has G, sigma and Delta inserted at once
    Pair(regret.COROLLARY_WORST, regret.WORST_SUBSTITUTED, _HELD),
    "epsilon_low",
    "epsilon_low",
    "does the worst-case rate follow from the first display, as epsilon goes to 0",
)
WORST = Pair(regret.COROLLARY_WORST, regret.REGRET_BY_LONG_PATH, _HELD)
CONVEX = Pair(loss.CONVEX_IS_ENOUGH, regret.REGRET_BY_LONG_PATH, _HELD)
LONG_PATH = (
    _refutes(
        WORST,
        "horizon_high",
        "horizon_high_path",
        "does the worst-case rate follow from Theorem 3.4 where the path is of the order T",
    ),
    _refutes(
        CONVEX,
        "horizon_high",
        "horizon_high",
        "does T^(3/4) follow from Theorem 3.4 where nothing bounds the path but D^2 T",
    ),
)

_PATHS = (Path("worst_case", HORIZON, End.HIGH, ((INJECTED_SIGMA, _T ** Fraction(-1, 8)), (CURVATURE, 0 * _T))),)
_FLOOR = Pair(
    regret.PATH_ORDER,
    regret.PATH_FLOOR,
    ((HORIZON, 10**6), (CURVATURE, "1/10"), (INJECTED_SIGMA, 1), (CLIPPING, 10)),
    paths=_PATHS,
)
FLOOR = (
    _refutes(_FLOOR, "horizon_high", "horizon_high_as_printed", "does the printed path bound contradict the floor, as T grows, Delta = 1"),
    _refutes(_FLOOR, "worst_case", "worst_case_as_printed", "does it, for lambda_min = 0 and Delta^2 = T^(-1/4)"),
)


def first_display(horizon: int, epsilon: int) -> float:
    """The first display of Corollary 3.6 with every constant 1 at the experiment's numbers and the largest curvature, 1/d."""
    return regret.FAVOURABLE_SUBSTITUTED.at(
        horizon=horizon,
        dimension=5,
        failure=Fraction(1, horizon),
        epsilon=epsilon,
        delta="1/10",
        parameter_norm=1,
        reward_sigma="1/2",
        positive_curvature="1/5",
    ).bound


def first_display_at_worst(horizon: int, epsilon: int) -> float:
    """The same for lambda_min = 0 and Delta^2 = T^(-1/4)."""
    return regret.WORST_SUBSTITUTED.at(
        horizon=horizon,
        dimension=5,
        failure=Fraction(1, horizon),
        epsilon=epsilon,
        delta="1/10",
        parameter_norm=1,
        reward_sigma="1/2",
    ).bound


VACUOUS = tuple(
    (
        theorem,
        f"vacuity.{swept(below=2, eps=epsilon)}",
        f"from which horizon the first display says anything, epsilon = {epsilon}",
        Vacuity(
            partial(display, epsilon=epsilon),
            2.0,
            least=6,
            parameters={"d": 5, "epsilon": epsilon, "delta": "1/10", "failure": "1/T", "lambda": "1/5 or 0"},
        ),
    )
    for theorem, display, epsilons in (
        (regret.FAVOURABLE_SUBSTITUTED, first_display, (1, 10)),
        (regret.WORST_SUBSTITUTED, first_display_at_worst, (10,)),
    )
    for epsilon in epsilons
)
VACUITY = tuple(Audit(theorem.id, slug, label, method) for theorem, slug, label, method in VACUOUS)
WEAK = _refutes(
    Pair(regret.COROLLARY_WORST, floors.WEAK_DIRECTION),
    "horizon_high",
    "horizon_high_weak",
    "does the worst-case rate contradict the regret with one weak feature, as T grows",
)
_SMALL_EPSILON = Path("small_epsilon", HORIZON, End.HIGH, ((EPSILON, _T ** Fraction(-1, 4)),))
EXPLORING = _refutes(
    Pair(regret.COROLLARY_FAVOURABLE, floors.EXPLORING_ROUNDS, ((DIMENSION, 1), (POSITIVE_CURVATURE, "1/4")), paths=(_SMALL_EPSILON,)),
    "small_epsilon",
    "small_epsilon_exploring",
    "does the rate contradict what the wide sets cost, at epsilon = T^(-1/4)",
)
_LENGTH = loss.CLIPPING_LENGTH.stated().cases[0].expression
_MANY_FEATURES = Path(
    "many_features",
    HORIZON,
    End.HIGH,
    (
        (CURVATURE, _T ** Fraction(-1, 3) / 2),
        (INJECTED_SIGMA, 0 * _T),
        (
            CLIPPING,
            _LENGTH.subs(
                {
                    symbol(FAILURE): Fraction(1, 20),
                    symbol(SIGMA): 1,
                    symbol(INJECTED_SIGMA): 0,
                    symbol(PARAMETER_NORM): 1,
                    symbol(CLIPPING_CONSTANT): 1,
                }
            ),
        ),
    ),
)
MANY_FEATURES = _refutes(
    Pair(regret.PATH_ORDER, floors.PATH_OF_ANY_LEARNER, ((FAILURE, "1/20"), (PARAMETER_NORM, 1)), paths=(_MANY_FEATURES,)),
    "many_features",
    "many_features_as_printed",
    "does the printed path bound, with the printed G, contradict what d = T^(1/3) features allow (sigma = 1, lambda_min = 1/(2 d))",
)
FIRST_ROUND = _refutes(
    Pair(regret.COROLLARY_FAVOURABLE, floors.FIRST_ROUND, ((HORIZON, 1), (DIMENSION, 1), (POSITIVE_CURVATURE, 1))),
    "epsilon_high",
    "epsilon_high_first_round",
    "does the rate contradict what one round costs, as epsilon grows",
)
LARGEST = Pair(comparisons.BETTER_THAN_NON_PRIVATE, comparisons.LARGEST_CURVATURE)
DIMENSION_GROWS = _refutes(
    LARGEST,
    "dimension_high",
    "dimension_high",
    "is the favourable rate at the largest lambda_min of at most the order d sqrt(T)",
)
BELOW = Pair(
    combiner.REMAINS_BELOW,
    combiner.FAVOURABLE_AT_ITS_END,
    paths=(Path("small_epsilon", HORIZON, End.HIGH, ((EPSILON, _T ** Fraction(-1, 6)),)),),
)
SMALL_EPSILON = _refutes(
    BELOW,
    "small_epsilon",
    "small_epsilon",
    "is the first case below the second at lambda_min = T^(-1/8), epsilon = T^(-1/6)",
)
