r"""Model M2, one client for every action (Charisopoulos et al. 2023): section 3.2, appendix B.2 without the proof of Theorem 3.9.

Main statements
    REPORT_SCALE_SECOND     (20);  SECOND_PRIVACY Lemma 3.5, as printed;  EVENT_LOSS, OWNER_LOSS [assembled] for any range of rewards
    NOISE_SUM_SECOND        Lemma 3.6, (21);  NOISE_SUM_PLAYS (52);  NOISE_SUM_SECOND_EXPLICIT [assembled]
    LEVERAGE_SECOND         Lemma 3.7, (22) and (53)
    REPORT_NORM_SECOND      Lemma 3.8, (23);  LARGEST_MEAN_NOISE (54), LARGEST_LAPLACE_SECOND;  LARGEST_REPORT_SECOND [assembled]
    INTERVAL_SECOND         (55), constants suppressed
    THRESHOLD_SECOND, THRESHOLD_SECOND_LINE   the threshold of (55), and line 9 as far as it is legible

Readings
    n_a of (52) is one number for all actions. The vector y has one entry per owner. THRESHOLD_SECOND_LINE lacks the leading 1 of the second
    bracket of (55).

Derivations
    EVENT_LOSS, OWNER_LOSS. One reward of n_a moves the mean by change/n_a, all of them by change; the scale is 2/(n_a epsilon).
    NOISE_SUM_SECOND_EXPLICIT. Lemma 3.1's form for coefficients b_v/n_v, whose norms are at most those of b over nu m, and for means of n_v
    rewards.
    INTERVAL_SECOND, step substituted. Proposition 2.1 with n = k, mu = 2 d and |y| = sqrt(k) times the bracket of Lemma 3.8: over 2 d times
    that bracket.
"""

from sympy import Expr, Ge, Gt, Le, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, RATIO, TOTAL_EPSILON
from banditproof.glossary.charisopoulos_2023 import (
    ACTIVE_WEIGHT,
    ARM_NORM,
    ARM_PLAYS,
    CORRUPTION,
    CORRUPTION_CONSTANT,
    ELIMINATION_THRESHOLD,
    ESTIMATE_ERROR,
    FIRST_ACTION,
    LAPLACE_CONSTANT,
    LARGEST_COEFFICIENT,
    LARGEST_NOISE,
    LARGEST_REPORT,
    LEVERAGE,
    MAXIMUM_CONSTANT,
    NOISE_CONSTANT,
    NOISE_SUM,
    REPORT_NORM,
    REPORT_SCALE,
    REWARD_CHANGE,
    REWARD_CONSTANT,
    SECOND_ACTION,
    SIZE,
    SUPPORT,
    TRUNCATION_PARAMETER,
)
from banditproof.theory.hypotheses import fresh_laplace_noise
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.designs import approximate_design, rounded_counts
from banditproof.theory.papers.charisopoulos_2023.findings import privacy, text, thresholds
from banditproof.theory.papers.charisopoulos_2023.first_model import (
    MAXIMUM_STEPS,
    explicit_cases,
    largest_at_most_all,
    probably,
    rewards_within_two,
)
from banditproof.theory.papers.charisopoulos_2023.setting import source, sub_gaussian_noise, unit_lengths

_alpha, _delta, _k, _nu = symbol(CORRUPTION), symbol(FAILURE), symbol(SUPPORT), symbol(TRUNCATION_PARAMETER)
_d, _epsilon, _m, _norm = symbol(DIMENSION), symbol(EPSILON), symbol(SIZE), symbol(ARM_NORM)
_c1, _c2, _c_max = symbol(REWARD_CONSTANT), symbol(LAPLACE_CONSTANT), symbol(MAXIMUM_CONSTANT)
_C1, _C2, _change, _plays = symbol(CORRUPTION_CONSTANT), symbol(NOISE_CONSTANT), symbol(REWARD_CHANGE), symbol(ARM_PLAYS)
_x, _weight, _a1, _a2 = symbol(RATIO), symbol(ACTIVE_WEIGHT), symbol(FIRST_ACTION), symbol(SECOND_ACTION)
_l, _l2, _lk = log(1 / _delta), log(2 / _delta), log(_k / _delta)

changes = Hypothesis("rewards_can_differ", "the largest change is above 0", Checked.BY_VALUE, Gt(_change, 0))


def noise_part(size: Expr) -> Expr:
    """sqrt(d l/(nu m)) (1 + sqrt(l/(nu m))/epsilon), l = log(1/delta)."""
    return sqrt(_d * _l / (_nu * size)) * (1 + sqrt(_l / (_nu * size)) / _epsilon)


def private_part(size: Expr) -> Expr:
    """sqrt(log(k/delta)/(nu m)) + log(k/delta)/(nu m epsilon)."""
    return sqrt(_lk / (_nu * size)) + _lk / (_nu * size * _epsilon)


def corruption_part() -> Expr:
    """sqrt(k alpha) + sqrt(alpha l)."""
    return sqrt(_k * _alpha) + sqrt(_alpha * _l)


def threshold(size: Expr) -> Expr:
    """gamma_i of (55), at q^i = size, with constants."""
    return _C2 * noise_part(size) + 2 * _C1 * _d * (1 + private_part(size)) * corruption_part() + _alpha


# --- the report and its privacy ---------------------------------------------------------------------------------------------------------

REPORT_SCALE_SECOND = Theorem(
    id="charisopoulos_2023.report_scale_second",
    statement="The scale of the Laplace noise that an owner adds to the mean of its n_a rewards.",
    source=source("(20), Lemma 3.5"),
    bound=Bound(of=REPORT_SCALE, sense=Sense.EQUALS, cases=always(2 / (_plays * _epsilon)), given=(EPSILON, ARM_PLAYS)),
)

SECOND_PRIVACY = Theorem(
    id="charisopoulos_2023.second_privacy",
    statement="The mean of n_a rewards with Laplace noise of scale 2/(n_a epsilon) is epsilon-differentially private.",
    source=source("Lemma 3.5"),
    hypotheses=(fresh_laplace_noise, rewards_within_two),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
    steps=(
        Step(
            id="loss_of_a_report",
            sense=Sense.AT_MOST,
            left=_x * _epsilon / 2,
            right=_epsilon,
            draw_order=(RATIO, EPSILON),
            note="x is the distance of two rewards, which (1) does not bound; one of them moves the mean by x/n_a, and the scale is 2/(n_a "
            "epsilon)",
        ),
    ),
    findings=(privacy.UNBOUNDED_REWARDS, text.UNIT_OF_PRIVACY),
)

EVENT_LOSS = Theorem(
    id="charisopoulos_2023.event_loss",
    statement="The privacy parameter of an owner's report where one of its rewards changes, by the largest change.",
    source=source("[assembled] (20) for rewards of any range; derived in second_model.py"),
    hypotheses=(fresh_laplace_noise, changes),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.EQUALS, cases=always(_change * _epsilon / 2), given=(EPSILON, REWARD_CHANGE)),
)

OWNER_LOSS = Theorem(
    id="charisopoulos_2023.owner_loss",
    statement="The privacy parameter of an owner's report where all of its n_a rewards change, each by the largest change.",
    source=source("[assembled] (20) for all rewards of an owner; derived in second_model.py"),
    hypotheses=(fresh_laplace_noise, changes),
    bound=Bound(
        of=TOTAL_EPSILON,
        sense=Sense.EQUALS,
        cases=always(_change * _plays * _epsilon / 2),
        given=(EPSILON, REWARD_CHANGE, ARM_PLAYS),
    ),
)

# --- Lemma 3.6 --------------------------------------------------------------------------------------------------------------------------

_rooted = sqrt(_l2 / (_nu * _m))

NOISE_SUM_SECOND = Theorem(
    id="charisopoulos_2023.noise_sum_second",
    statement="The error of least squares over the owners' reports, without corruption; delta is half of the failure probability.",
    source=source("Lemma 3.6, (21)"),
    hypotheses=(sub_gaussian_noise, fresh_laplace_noise, rounded_counts),
    bound=probably(
        NOISE_SUM,
        _norm * _rooted * (_c1 + _c2 / _epsilon * _rooted),
        (ARM_NORM, SIZE, TRUNCATION_PARAMETER, EPSILON, FAILURE, REWARD_CONSTANT, LAPLACE_CONSTANT),
    ),
)

NOISE_SUM_PLAYS = Theorem(
    id="charisopoulos_2023.noise_sum_plays",
    statement="The same error by the plays of an action; delta is half of the failure probability.",
    source=source("proof of Lemma 3.6, (52)"),
    hypotheses=(sub_gaussian_noise, fresh_laplace_noise),
    bound=probably(
        NOISE_SUM,
        _norm * sqrt(_l2 / _plays) * (_c1 + _c2 / _epsilon * sqrt(_l2 / _plays)),
        (ARM_NORM, ARM_PLAYS, EPSILON, FAILURE, REWARD_CONSTANT, LAPLACE_CONSTANT),
    ),
    steps=(
        Step(
            id="least_plays",
            sense=Sense.AT_MOST,
            left=sqrt(_l2 / _plays),
            right=_rooted,
            draw_order=(SIZE, TRUNCATION_PARAMETER, FAILURE, ARM_PLAYS),
            domain=(Ge(_plays, _nu * _m),),
            note="'after noticing that n_v >= nu m': the root of which both sides of (21) and (52) are the same rising polynomial",
        ),
    ),
)

NOISE_SUM_SECOND_EXPLICIT = Theorem(
    id="charisopoulos_2023.noise_sum_second_explicit",
    statement="The error of least squares over the owners' reports at an action, without corruption, with constants.",
    source=source("[assembled] Lemma 3.6 with the constants of noise_sum_first_explicit; derived in second_model.py"),
    hypotheses=(sub_gaussian_noise, fresh_laplace_noise, rounded_counts, largest_at_most_all),
    bound=Bound(
        of=NOISE_SUM,
        sense=Sense.AT_MOST,
        cases=explicit_cases(log(4 / _delta), _nu * _m),
        given=(ARM_NORM, LARGEST_COEFFICIENT, SIZE, TRUNCATION_PARAMETER, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

# --- Lemmas 3.7 and 3.8 -----------------------------------------------------------------------------------------------------------------

LEVERAGE_SECOND = Theorem(
    id="charisopoulos_2023.leverage_second",
    statement="The largest squared norm of an action in the inverse of the unweighted Gram matrix of the support.",
    source=source("Lemma 3.7, (22), (53)"),
    hypotheses=(approximate_design,),
    bound=Bound(of=LEVERAGE, sense=Sense.AT_MOST, cases=always(2 * _d), given=(DIMENSION,)),
    steps=(
        Step(
            id="weights_left_out",
            sense=Sense.AT_MOST,
            left=1 / (_a1**2 + _a2**2),
            right=1 / (_weight * _a1**2 + (1 - _weight) * _a2**2),
            draw_order=(FIRST_ACTION, SECOND_ACTION, ACTIVE_WEIGHT),
            note="(53) for two actions of one dimension: squared norms in the inverse of M and of M(pi)",
        ),
    ),
    findings=(text.WEIGHTS_LEFT_OUT,),
)

REPORT_NORM_SECOND = Theorem(
    id="charisopoulos_2023.report_norm_second",
    statement="The length of the vector of uncorrupted reports of k owners.",
    source=source("Lemma 3.8, (23), times sqrt(k)"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise, rounded_counts),
    bound=probably(
        REPORT_NORM,
        sqrt(_k) * (1 + _c_max * sqrt(_lk / (_nu * _m)) + 4 * _lk / (_nu * _m * _epsilon)),
        (SUPPORT, SIZE, TRUNCATION_PARAMETER, EPSILON, FAILURE, MAXIMUM_CONSTANT),
    ),
)

LARGEST_MEAN_NOISE = Theorem(
    id="charisopoulos_2023.largest_mean_noise",
    statement="The largest noise of the owners' mean rewards.",
    source=source("proof of Lemma 3.8, (54)"),
    hypotheses=(sub_gaussian_noise, rounded_counts),
    bound=probably(LARGEST_NOISE, _c_max * sqrt(_lk / (_nu * _m)), (SUPPORT, SIZE, TRUNCATION_PARAMETER, FAILURE, MAXIMUM_CONSTANT)),
)

LARGEST_LAPLACE_SECOND = Theorem(
    id="charisopoulos_2023.largest_laplace_second",
    statement="The largest privacy noise of the owners' reports.",
    source=source("proof of Lemma 3.8, last display"),
    hypotheses=(fresh_laplace_noise, rounded_counts),
    bound=probably(LARGEST_NOISE, 4 * _lk / (_nu * _m * _epsilon), (SUPPORT, SIZE, TRUNCATION_PARAMETER, EPSILON, FAILURE)),
    steps=MAXIMUM_STEPS,
    findings=(thresholds.LAPLACE_CHOICE,),
)

LARGEST_REPORT_SECOND = Theorem(
    id="charisopoulos_2023.largest_report_second",
    statement="The largest uncorrupted report of k owners, with constants; the length of their vector is at most sqrt(k) times it.",
    source=source("[assembled] Lemma 3.8 with the constants of largest_report_first"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise, rounded_counts),
    bound=probably(
        LARGEST_REPORT,
        1 + sqrt(2 * log(4 * _k / _delta) / (_nu * _m)) + 2 / (_nu * _m * _epsilon) * log(2 * _k / _delta),
        (SUPPORT, SIZE, TRUNCATION_PARAMETER, EPSILON, FAILURE),
    ),
)

# --- intervals and thresholds -----------------------------------------------------------------------------------------------------------

_GIVEN = (SIZE, DIMENSION, SUPPORT, TRUNCATION_PARAMETER, CORRUPTION, EPSILON, FAILURE)
_THRESHOLD = (*_GIVEN, CORRUPTION_CONSTANT, NOISE_CONSTANT)

INTERVAL_SECOND = Theorem(
    id="charisopoulos_2023.interval_second",
    statement="The error of the robust estimate at an action in M2.",
    source=source("(55)"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise, approximate_design, rounded_counts),
    bound=probably(
        ESTIMATE_ERROR,
        noise_part(_m) + 2 * _d * (1 + private_part(_m)) * corruption_part() + _alpha,
        _GIVEN,
        Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="substituted",
            sense=Sense.AT_MOST,
            left=_k * sqrt(_alpha) + sqrt(_k * _alpha * _l),
            right=_C1 * corruption_part(),
            draw_order=(SUPPORT, CORRUPTION, FAILURE, CORRUPTION_CONSTANT),
            domain=(Gt(_alpha, 0), Ge(_C1, 1), Le(_C1, 2)),
            note="Proposition 2.1 with Lemmas 3.7 and 3.8, over 2 d times the bracket of Lemma 3.8; for any constant up to 2",
        ),
    ),
    findings=(thresholds.ROOT_OF_THE_OWNERS, thresholds.FEW_OWNERS),
)

THRESHOLD_SECOND = Theorem(
    id="charisopoulos_2023.threshold_second",
    statement="The threshold of elimination in M2.",
    source=source("(55), with constants; line 9 of Algorithm 1, M2"),
    bound=Bound(of=ELIMINATION_THRESHOLD, sense=Sense.EQUALS, cases=always(threshold(_m)), given=_THRESHOLD),
)

THRESHOLD_SECOND_LINE = Theorem(
    id="charisopoulos_2023.threshold_second_line",
    statement="The threshold of elimination in M2 without the leading 1 of the second bracket.",
    source=source("line 9 of Algorithm 1, M2, as far as it is legible"),
    bound=Bound(
        of=ELIMINATION_THRESHOLD,
        sense=Sense.EQUALS,
        cases=always(_C2 * noise_part(_m) + 2 * _C1 * _d * private_part(_m) * corruption_part() + _alpha),
        given=_THRESHOLD,
    ),
)
