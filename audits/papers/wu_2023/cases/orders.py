"""wu_2023: every printed order beside the explicit bound that its proof gives, and beside what no policy escapes, by exact limits.

The order k of the moment is held at 3, where 1 - 1/k and 1/k differ; the paper has it fixed, and the orders hold in it all the same except
for one. `expected` refutations say that the order does not follow (or, against a bound of the other sense, that it is false), not more.
"""

from fractions import Fraction

from banditproof.audits.methods.orders import audits_of
from banditproof.glossary import (
    ARMS,
    BIN_WIDTH,
    CONTAMINATION,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    HORIZON,
    MOMENT,
    RADIUS,
    REGRET,
    SAMPLES,
    TRUE_CONTAMINATION,
    TRUNCATION,
)
from banditproof.theory.hypotheses import finite_raw_moment
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Theorem, always, symbol
from banditproof.theory.limits import End, logarithm
from banditproof.theory.orders import Fixed, Pair, Path, Tied
from banditproof.theory.papers.wu_2023 import central, central_radii, central_regret, elimination, lower_bound, lower_bound_whole, raw
from banditproof.theory.papers.wu_2023.setting import source

_K = ((MOMENT, 3),)
_NEAR_ONE = Fixed(FAILURE, "an order in log(1/failure) is for failures bounded away from 1, where it vanishes", End.HIGH)
_SIGMA_K = Fixed(MOMENT, "k is fixed: sigma_k, which the proof lets depend on k, falls as k grows", End.HIGH)
_SAME_FRACTION = Tied(TRUE_CONTAMINATION, symbol(CONTAMINATION), "the policy knows the share: alpha = alpha_1")

# As K grows at a fixed T the condition T >= K ends the range: T grows along.
ARMS_AND_HORIZON = (
    Path("arms_and_horizon_high", ARMS, End.HIGH, ((HORIZON, symbol(ARMS)),)),
    Path("arms_high_in_square", ARMS, End.HIGH, ((HORIZON, symbol(ARMS) ** 2),)),
)
EPSILON_TUNED = Path("epsilon_high_tuned", EPSILON, End.HIGH, ((TRUNCATION, symbol(EPSILON) ** Fraction(1, 3)),))

LARGEST_REGRET = Theorem(
    id="wu_2023.largest_regret",
    statement="No policy's regret is larger: means of the raw moment class lie in [-1, 1].",
    source=source("[assembled] Proof of Theorem 6.2, 'Delta_a <= 2'"),
    hypotheses=(finite_raw_moment,),
    bound=Bound(of=REGRET, sense=Sense.AT_MOST, cases=always(2 * symbol(HORIZON)), given=(HORIZON,)),
)

_n, _k, _epsilon, _failure = symbol(SAMPLES), symbol(MOMENT), symbol(EPSILON), symbol(FAILURE)
_kept = (_epsilon / logarithm(1 / _failure)) ** (1 / _k)
LEAST_RADIUS = Theorem(
    id="wu_2023.least_radius",
    statement="No radius of one draw at M = (epsilon/log(1/failure))^(1/k) is smaller. The reward M with probability M^-k, else 0, has a "
    "k-th moment of 1 and a mean of M^(1-k); it is kept, and the noise does not lower it in half of the runs.",
    source=source("[assembled] against Theorem 6.1, uncontaminated case; the distribution of two values of clean_radius"),
    hypotheses=(
        Hypothesis("one_draw", "n = 1", Checked.BY_VALUE, _n <= 1),
        Hypothesis("rarer_than_kept", "failure < M^-k/2", Checked.BY_VALUE, 2 * _epsilon * _failure < logarithm(1 / _failure)),
        Hypothesis("at_least_two", "M >= 2", Checked.BY_VALUE, _epsilon >= 2**_k * logarithm(1 / _failure)),
    ),
    bound=Bound(of=RADIUS, sense=Sense.AT_LEAST, cases=always(_kept - _kept ** (1 - _k)), given=(SAMPLES, EPSILON, MOMENT, FAILURE)),
)
RARELY = Path("epsilon_high_rarely", EPSILON, End.HIGH, ((FAILURE, 1 / (2 * _epsilon)),))

CONCENTRATION = (
    Pair(raw.RAW_CONCENTRATION, raw.RAW_RADIUS_BEFORE_MERGE, (*_K, (SAMPLES, 1000)), paths=(EPSILON_TUNED,)),
    Pair(raw.RAW_CONCENTRATION_TUNED, raw.RAW_RADIUS, (*_K, (SAMPLES, 1000))),
    Pair(
        raw.CLEAN_CONCENTRATION,
        raw.CLEAN_RADIUS_BEFORE_MERGE,
        _K,
        paths=(EPSILON_TUNED,),
        fails=("epsilon_high_tuned",),
    ),
    # Here, for the samples and for the regret, the order holds as epsilon grows: the truncation is that of min(epsilon, 3/2).
    Pair(raw.CLEAN_CONCENTRATION_TUNED, raw.CLEAN_RADIUS, _K, (_NEAR_ONE,)),
    Pair(
        raw.CLEAN_CONCENTRATION_TUNED,
        LEAST_RADIUS,
        (*_K, (SAMPLES, 1), (EPSILON, 100)),
        paths=(RARELY,),
        fails=("epsilon_high_rarely",),
        name="kept_value",
    ),
    Pair(raw.CLEAN_SAMPLE_COMPLEXITY, raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT, _K, (_NEAR_ONE,)),
    Pair(
        central.CENTRAL_CONCENTRATION,
        central.CENTRAL_RADIUS_ASSEMBLED,
        (*_K, (TRUNCATION, 10)),
        tied=(Tied(BIN_WIDTH, central.CENTRAL_BIN_WIDTH, "the theorem lets r be chosen; here it is that of Corollary 6.8"),),
    ),
    Pair(central.CENTRAL_CONCENTRATION_CLEAN, central_radii.CENTRAL_RADIUS_CLEAN_TUNED, (*_K, (FOLD_SAMPLES, 10**6))),
    Pair(central.CENTRAL_CONCENTRATION_CONTAMINATED, central_radii.CENTRAL_RADIUS_TUNED, (*_K, (FOLD_SAMPLES, 10**10))),
    Pair(central.CENTRAL_SAMPLE_COMPLEXITY, central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT, _K),
    Pair(central.CENTRAL_SAMPLE_COMPLEXITY, central.CENTRAL_SAMPLES_CLEAN, _K, name="histogram"),
)

REGRETS = (
    Pair(elimination.REGRET_CLEAN, elimination.REGRET_CLEAN_EXPLICIT, _K, paths=ARMS_AND_HORIZON),
    Pair(elimination.REGRET_RAW, elimination.REGRET_RAW_EXPLICIT, _K, paths=ARMS_AND_HORIZON),
    Pair(central.REGRET_CENTRAL_CLEAN, central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, _K, paths=ARMS_AND_HORIZON),
    Pair(central.REGRET_CENTRAL, central_regret.REGRET_CENTRAL_EXPLICIT, _K, paths=ARMS_AND_HORIZON),
    # No upper bound may fall below what no policy escapes.
    *(
        Pair(theorem, lower_bound.LOWER_BOUND_PRIVATE, _K, paths=ARMS_AND_HORIZON, name="lower_bound_private")
        for theorem in (elimination.REGRET_RAW, elimination.REGRET_CLEAN, central.REGRET_CENTRAL_CLEAN, central.REGRET_CENTRAL)
    ),
    Pair(elimination.REGRET_RAW, lower_bound.LOWER_BOUND_CONTAMINATED, _K, tied=(_SAME_FRACTION,), name="lower_bound_contaminated"),
)

LOWER = (
    Pair(lower_bound.LOWER_BOUND, lower_bound_whole.LOWER_BOUND_EXPLICIT, _K, paths=ARMS_AND_HORIZON, fails=("epsilon_low",)),
    Pair(
        lower_bound.LOWER_BOUND_GAUSSIAN,
        lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT,
        _K,
        (_SIGMA_K,),
        paths=ARMS_AND_HORIZON,
    ),
    # And no lower bound may exceed what a policy achieves, or what there is to lose.
    Pair(
        lower_bound.LOWER_BOUND,
        elimination.REGRET_RAW_EXPLICIT,
        _K,
        tied=(_SAME_FRACTION,),
        paths=ARMS_AND_HORIZON,
        name="regret_raw",
    ),
    Pair(lower_bound.LOWER_BOUND_GAUSSIAN, elimination.REGRET_CLEAN_EXPLICIT, _K, paths=ARMS_AND_HORIZON, name="regret_clean"),
    Pair(lower_bound.LOWER_BOUND, LARGEST_REGRET, _K, paths=ARMS_AND_HORIZON, fails=("epsilon_low", "arms_high"), name="largest_regret"),
    Pair(lower_bound.LOWER_BOUND_GAUSSIAN, LARGEST_REGRET, paths=ARMS_AND_HORIZON, fails=("arms_high",), name="largest_regret"),
)

ORDERS = audits_of(*CONCENTRATION, *REGRETS, *LOWER)
