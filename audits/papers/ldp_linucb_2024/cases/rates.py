"""ldp_linucb_2024: orders beside what the paper's own chain gives when G, sigma, Delta and H are inserted, by exact limits.

O~ hides powers of logarithms, so T, delta and beta, in which the two sides differ by logarithms alone, are excused where they are not the
point; the powers themselves are in tests/papers/ldp_linucb_2024/test_theory.py.
"""

from fractions import Fraction
from typing import Any

from banditproof.audits.methods.orders import OrderLimits, audits_of
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import DELTA, DIMENSION, EPSILON, FAILURE, HORIZON, PARAMETER_NORM, PERTURBATION, REWARD_SIGMA, RHO_MAX
from banditproof.glossary.ldp_linucb_2024 import CLIPPING, CURVATURE, INJECTED_SIGMA, LEARNERS, POSITIVE_CURVATURE
from banditproof.theory.language import Theorem, symbol
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair, Path, Tied
from banditproof.theory.papers.ldp_linucb_2024 import combiner, comparisons, loss, regret, setting

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
SIMPLIFIED = Pair(regret.EXTRA_WIDTH_SIMPLIFIED, regret.EXTRA_WIDTH_INSERTED, _HELD[:1] + _HELD[2:], name="simplified")
ORDERS = audits_of(*SUBSTITUTED, *COMBINED, *NORMS, SIMPLIFIED)


def _refutes(pair: Pair, row: str, slug: str, label: str) -> Audit:
    return Audit(pair.order.id, f"growth.{slug}", label, OrderLimits(pair, (row,)), expected=Verdict.REFUTED)


WORST_POWERS = _refutes(  # the other ends take minutes: the expression has G, sigma and Delta inserted at once
    Pair(regret.COROLLARY_WORST, regret.WORST_SUBSTITUTED, _HELD),
    "epsilon_low",
    "epsilon_low",
    "does the worst-case rate follow from the first display, as epsilon goes to 0",
)
LONG_PATH = (
    _refutes(
        Pair(regret.COROLLARY_WORST, regret.REGRET_BY_LONG_PATH, _HELD),
        "horizon_high",
        "horizon_high_path",
        "does the worst-case rate follow from Theorem 3.4 where the path is of the order T",
    ),
    _refutes(
        Pair(loss.CONVEX_IS_ENOUGH, regret.REGRET_BY_LONG_PATH, _HELD),
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


VACUITY = tuple(
    Audit(
        regret.FAVOURABLE_SUBSTITUTED.id,
        f"vacuity.{swept(below=2, eps=epsilon)}",
        f"from which horizon the first display says anything, epsilon = {epsilon}",
        Vacuity(
            lambda horizon, epsilon=epsilon: first_display(horizon, epsilon),  # type: ignore[misc]
            2.0,
            least=6,
            parameters={"d": 5, "epsilon": epsilon, "delta": "1/10", "failure": "1/T", "lambda": "1/5"},
        ),
    )
    for epsilon in (1, 10)
)
FIRST_ROUND = _refutes(
    Pair(regret.COROLLARY_FAVOURABLE, regret.FIRST_ROUND, ((HORIZON, 1), (DIMENSION, 1), (POSITIVE_CURVATURE, 1))),
    "epsilon_high",
    "epsilon_high_first_round",
    "does the rate contradict what one round costs, as epsilon grows",
)
DIMENSION_GROWS = _refutes(
    Pair(comparisons.BETTER_THAN_NON_PRIVATE, comparisons.LARGEST_CURVATURE),
    "dimension_high",
    "dimension_high",
    "is the favourable rate at the largest lambda_min of at most the order d sqrt(T)",
)
SMALL_EPSILON = _refutes(
    Pair(
        combiner.REMAINS_BELOW,
        combiner.FAVOURABLE_AT_ITS_END,
        paths=(Path("small_epsilon", HORIZON, End.HIGH, ((EPSILON, _T ** Fraction(-1, 6)),)),),
    ),
    "small_epsilon",
    "small_epsilon",
    "is the first case below the second at lambda_min = T^(-1/8), epsilon = T^(-1/6)",
)
