r"""Model M1, a new client for every reward (Charisopoulos et al. 2023): section 3.1, appendix B.1 without the proof of Theorem 3.4.

Main statements
    REPORT_SCALE_FIRST      (15);  FIRST_PRIVACY what it guarantees, as printed;  FIRST_LOSS [assembled] for any range of rewards
    NOISE_SUM_FIRST         Lemma 3.1, (16);  REWARD_PART (45), LAPLACE_PART (46);  NOISE_SUM_FIRST_EXPLICIT [assembled]
    LEVERAGE_FIRST          Lemma 3.2, (17) and (49)
    REPORT_NORM_FIRST       Lemma 3.3, (18);  LARGEST_REWARD_NOISE (47), LARGEST_LAPLACE;  LARGEST_REPORT_FIRST [assembled]
    INTERVAL_FIRST_LEVERAGE, INTERVAL_FIRST   (48) and (50), constants suppressed
    THRESHOLD_FIRST, THRESHOLD_FIRST_INTERVAL   the threshold of line 9, and that of (50)

Readings
    n of Lemma 3.2 is the size parameter of the batch; the literal reading, plays in all, is the step total_plays.
    The leading 1 of the second bracket of (48) is that of (50). alpha stands once in line 9, after both products.
    A statement with probability 1 - 2 delta has delta = failure/2.

Derivations
    FIRST_LOSS. The densities of two Laplace variables of scale 2/epsilon have a log ratio of at most |r - r'| epsilon/2, which is attained.
    NOISE_SUM_FIRST_EXPLICIT. b_i = <a, M^-1 a_i> has |b| = |a| in the norm of M^-1. The rewards' noise is |b|-sub-Gaussian. For noise of
    scale 1, E exp(s b_i xi) = 1/(1 - s^2 b_i^2) <= exp(2 s^2 b_i^2) if s^2 b_i^2 <= 1/2, so both tails are at most exp(-t^2/(8 |b|^2)) for
    t <= 2 sqrt(2) |b|^2/|b|_inf and exp(-t/(2 sqrt(2) |b|_inf)) beyond. Each half fails with probability delta.
    LARGEST_REPORT_FIRST. n sub-Gaussian tails on two sides, and n Laplace tails, each with half of delta.
    LEVERAGE_FIRST, step total_plays. The design of d unit vectors with weights 1/(2 d) and k - d vectors of vanishing length with the rest
    is approximate, its leverage is 2 d. With m = 2 d and k >= 2 d every action is played once: k plays, and the leverage of the batch is 1.
    THRESHOLD_FIRST, step interval_gives_the_width. The terms with sqrt(log(q^i/delta)) at large q^i: (50) and the threshold.
"""

from sympy import Expr, Ge, Gt, Integer, Le, Rational, exp, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, RATIO, SAMPLES, TOTAL_EPSILON, UNIT_RATIO, Quantity
from banditproof.glossary.charisopoulos_2023 import (
    ACTION,
    ARM_NORM,
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
    SMALL,
    SUPPORT,
)
from banditproof.theory.hypotheses import fresh_laplace_noise
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, largest, symbol
from banditproof.theory.papers.charisopoulos_2023.designs import approximate_design, rounded_counts
from banditproof.theory.papers.charisopoulos_2023.findings import designs as design_findings
from banditproof.theory.papers.charisopoulos_2023.findings import privacy, text, thresholds
from banditproof.theory.papers.charisopoulos_2023.setting import source, sub_gaussian_noise, unit_lengths

_alpha, _delta, _n, _mu = symbol(CORRUPTION), symbol(FAILURE), symbol(SAMPLES), symbol(LEVERAGE)
_d, _epsilon, _m, _norm, _k = symbol(DIMENSION), symbol(EPSILON), symbol(SIZE), symbol(ARM_NORM), symbol(SUPPORT)
_c1, _c2, _c_max = symbol(REWARD_CONSTANT), symbol(LAPLACE_CONSTANT), symbol(MAXIMUM_CONSTANT)
_C1, _C2, _coefficient = symbol(CORRUPTION_CONSTANT), symbol(NOISE_CONSTANT), symbol(LARGEST_COEFFICIENT)
_change, _x, _u, _z = symbol(REWARD_CHANGE), symbol(RATIO), symbol(UNIT_RATIO), symbol(SMALL)
_a, _a1, _a2 = symbol(ACTION), symbol(FIRST_ACTION), symbol(SECOND_ACTION)
_l, _l2, _ln = log(1 / _delta), log(2 / _delta), log(_n / _delta)

rewards_within_two = Hypothesis(
    "rewards_within_two",
    "two rewards that a client can have for one action differ by at most 2",
    Checked.BY_ENVIRONMENT,
    added="unbounded_rewards",
)
largest_at_most_all = Hypothesis("largest_at_most_all", "|b|_inf <= |b|", Checked.BY_VALUE, Le(_coefficient, _norm))


def noise_bracket(logarithm: Expr) -> Expr:
    """1 + sqrt(l)/epsilon."""
    return 1 + sqrt(logarithm) / _epsilon


def threshold(size: Expr) -> Expr:
    """gamma_i of line 9 in M1, at q^i = size."""
    private = sqrt(log(size / _delta)) + log(size / _delta) / _epsilon
    return _C1 * sqrt(_d) * private * (sqrt(_alpha) + _alpha * sqrt(_d)) + _alpha + _C2 * sqrt(_d * _l / size) * noise_bracket(_l)


def interval_threshold(size: Expr) -> Expr:
    """The right side of (50) with constants, and the alpha of (48)."""
    private = 1 + sqrt(log(size / _delta)) + log(size / _delta) / _epsilon
    return _C1 * _d * (sqrt(_alpha) + sqrt(_alpha * _l / size)) * private + _C2 * sqrt(_d * _l / size) * noise_bracket(_l) + _alpha


def probably(of: Quantity, expression: Expr, given: tuple[Quantity, ...], constants: Constants = Constants.EXPLICIT) -> Bound:
    """An upper bound with probability at least 1 - failure."""
    return Bound(
        of=of,
        sense=Sense.AT_MOST,
        cases=always(expression),
        given=given,
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=constants,
    )


# --- the report and its privacy ---------------------------------------------------------------------------------------------------------

REPORT_SCALE_FIRST = Theorem(
    id="charisopoulos_2023.report_scale_first",
    statement="The scale of the Laplace noise that a client adds to a reward.",
    source=source("(15) and the display before it"),
    bound=Bound(of=REPORT_SCALE, sense=Sense.EQUALS, cases=always(2 / _epsilon), given=(EPSILON,)),
)

FIRST_PRIVACY = Theorem(
    id="charisopoulos_2023.first_privacy",
    statement="A reward with Laplace noise of scale 2/epsilon is epsilon-locally differentially private.",
    source=source("section 3.1, 'we can achieve pure LDP using the Laplace mechanism'; Theorem 1.3"),
    hypotheses=(fresh_laplace_noise, rewards_within_two),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
    steps=(
        Step(
            id="loss_of_a_report",
            sense=Sense.AT_MOST,
            left=_x * _epsilon / 2,
            right=_epsilon,
            draw_order=(RATIO, EPSILON),
            note="x is the distance of two rewards, which (1) does not bound: the left side is the privacy loss that they attain",
        ),
    ),
    findings=(privacy.UNBOUNDED_REWARDS,),
)

FIRST_LOSS = Theorem(
    id="charisopoulos_2023.first_loss",
    statement="The privacy parameter of one report, by the largest distance of two rewards that a client can have.",
    source=source("[assembled] (15) for rewards of any range; derived in first_model.py"),
    hypotheses=(
        fresh_laplace_noise,
        Hypothesis("rewards_can_differ", "the largest change is above 0", Checked.BY_VALUE, Gt(_change, 0)),
    ),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.EQUALS, cases=always(_change * _epsilon / 2), given=(EPSILON, REWARD_CHANGE)),
)

# --- Lemma 3.1 --------------------------------------------------------------------------------------------------------------------------

NOISE_SUM_FIRST = Theorem(
    id="charisopoulos_2023.noise_sum_first",
    statement="The error of least squares at an action without corruption; delta is half of the failure probability.",
    source=source("Lemma 3.1, (16)"),
    hypotheses=(sub_gaussian_noise, fresh_laplace_noise),
    bound=probably(
        NOISE_SUM,
        _norm * sqrt(_l2) * (_c1 + _c2 / _epsilon * sqrt(_l2)),
        (ARM_NORM, EPSILON, FAILURE, REWARD_CONSTANT, LAPLACE_CONSTANT),
    ),
    steps=(
        Step(
            id="length_of_the_coefficients",
            sense=Sense.EQUALS,
            left=(_a * _a1 / (_a1**2 + _a2**2)) ** 2 + (_a * _a2 / (_a1**2 + _a2**2)) ** 2,
            right=_a**2 / (_a1**2 + _a2**2),
            draw_order=(ACTION, FIRST_ACTION, SECOND_ACTION),
            note="B.1.1, the sum of the squared coefficients, for two actions of one dimension",
        ),
    ),
)

REWARD_PART = Theorem(
    id="charisopoulos_2023.reward_part",
    statement="The part of that error that comes from the rewards' noise.",
    source=source("proof of Lemma 3.1, (45)"),
    hypotheses=(sub_gaussian_noise,),
    bound=probably(NOISE_SUM, _c1 * _norm * sqrt(_l), (ARM_NORM, FAILURE, REWARD_CONSTANT)),
)

LAPLACE_PART = Theorem(
    id="charisopoulos_2023.laplace_part",
    statement="The part of that error that comes from the privacy noise.",
    source=source("proof of Lemma 3.1, (46)"),
    hypotheses=(fresh_laplace_noise,),
    bound=probably(NOISE_SUM, _c2 / _epsilon * _norm * _l, (ARM_NORM, EPSILON, FAILURE, LAPLACE_CONSTANT)),
)


def explicit_cases(logarithm: Expr, plays: Expr) -> tuple[Case, ...]:
    """|b| sqrt(2 l/plays) + 2/(epsilon plays) max{|b| sqrt(8 l), 2 sqrt(2) |b|_inf l}."""
    reward = _norm * sqrt(2 * logarithm / plays)
    return largest(
        _norm * sqrt(8 * logarithm),
        2 * sqrt(2) * _coefficient * logarithm,
        within=lambda entry: reward + 2 / (_epsilon * plays) * entry,
    )


NOISE_SUM_FIRST_EXPLICIT = Theorem(
    id="charisopoulos_2023.noise_sum_first_explicit",
    statement="The error of least squares at an action without corruption, with constants; |b|_inf is the largest absolute coefficient.",
    source=source("[assembled] Lemma 3.1 with constants; derived in first_model.py"),
    hypotheses=(sub_gaussian_noise, fresh_laplace_noise, largest_at_most_all),
    bound=Bound(
        of=NOISE_SUM,
        sense=Sense.AT_MOST,
        cases=explicit_cases(log(4 / _delta), Integer(1)),
        given=(ARM_NORM, LARGEST_COEFFICIENT, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="laplace_generating_function",
            sense=Sense.AT_MOST,
            left=-log(1 - _z),
            right=2 * _z,
            draw_order=(SMALL,),
            domain=(Le(_z, Rational(1, 2)),),
            ours=True,
            note="log E exp(s xi) for xi of scale 1 and z = s^2",
        ),
    ),
)

# --- Lemma 3.2 --------------------------------------------------------------------------------------------------------------------------

LEVERAGE_FIRST = Theorem(
    id="charisopoulos_2023.leverage_first",
    statement="The largest squared norm of an action in the inverse Gram matrix of a batch.",
    source=source("Lemma 3.2, (17), and (49), with n the size parameter"),
    hypotheses=(approximate_design, rounded_counts),
    bound=Bound(of=LEVERAGE, sense=Sense.AT_MOST, cases=always(2 * _d / _m), given=(DIMENSION, SIZE)),
    steps=(
        Step(
            id="total_plays",
            sense=Sense.AT_MOST,
            left=Integer(1),
            right=2 * _d / _k,
            draw_order=(DIMENSION, SUPPORT),
            domain=(Ge(_k, 2 * _d),),
            note="n 'the total number of actions played': leverage 1 at k plays, see the derivation",
        ),
        Step(
            id="actions_that_were_removed",
            sense=Sense.AT_MOST,
            left=2 * (2 - _z) / _z,
            right=Integer(4),
            draw_order=(SMALL,),
            note="'for an arbitrary round', times n: the removed action (0, 1), with (1, 0) and (c, s) left at weights 1/2 and z = s^2",
        ),
    ),
    findings=(design_findings.PLAYS_IN_ALL, text.SPAN_OF_THE_ACTIVE),
)

# --- Lemma 3.3 --------------------------------------------------------------------------------------------------------------------------

REPORT_NORM_FIRST = Theorem(
    id="charisopoulos_2023.report_norm_first",
    statement="The length of the vector of uncorrupted reports.",
    source=source("Lemma 3.3, (18)"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise),
    bound=probably(REPORT_NORM, sqrt(_n) * (1 + _c_max * sqrt(_ln) + 4 * _ln / _epsilon), (SAMPLES, EPSILON, FAILURE, MAXIMUM_CONSTANT)),
    findings=(text.NORM_BY_THE_LARGEST,),
)

LARGEST_REWARD_NOISE = Theorem(
    id="charisopoulos_2023.largest_reward_noise",
    statement="The largest noise of n rewards.",
    source=source("proof of Lemma 3.3, (47)"),
    hypotheses=(sub_gaussian_noise,),
    bound=probably(LARGEST_NOISE, _c_max * sqrt(_ln), (SAMPLES, FAILURE, MAXIMUM_CONSTANT)),
)


# the lines of the Laplace maximum of Lemmas 3.3 and 3.8: the tail, and the choice of t where the square is the smaller exponent
MAXIMUM_STEPS = (
    Step(
        id="laplace_tail",
        sense=Sense.AT_MOST,
        left=exp(-_x / 2),
        right=exp(-(_x**2) / 8),
        draw_order=(RATIO,),
        domain=(Le(_x, 2),),
        note="P(|xi| >= t) at x = t over half of the scale, where min(x^2/8, x/4) is the square",
    ),
    Step(
        id="choice_of_t",
        sense=Sense.AT_MOST,
        left=exp(-2 * _l**2),
        right=_delta,
        draw_order=(FAILURE,),
        domain=(Le(_l, Rational(1, 2)),),
        note="'setting t' to 4 log(n/delta) over epsilon, for one report: the union bound where the square is the smaller exponent",
    ),
)

LARGEST_LAPLACE = Theorem(
    id="charisopoulos_2023.largest_laplace",
    statement="The largest privacy noise of n reports.",
    source=source("proof of Lemma 3.3, last display"),
    hypotheses=(fresh_laplace_noise,),
    bound=probably(LARGEST_NOISE, 4 * _ln / _epsilon, (SAMPLES, EPSILON, FAILURE)),
    steps=MAXIMUM_STEPS,
    findings=(thresholds.LAPLACE_CHOICE,),
)

LARGEST_REPORT_FIRST = Theorem(
    id="charisopoulos_2023.largest_report_first",
    statement="The largest uncorrupted report, with constants; the length of their vector is at most sqrt(n) times it.",
    source=source("[assembled] Lemma 3.3 with constants; derived in first_model.py"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise),
    bound=probably(
        LARGEST_REPORT,
        1 + sqrt(2 * log(4 * _n / _delta)) + 2 / _epsilon * log(2 * _n / _delta),
        (SAMPLES, EPSILON, FAILURE),
    ),
)

# --- intervals and thresholds -----------------------------------------------------------------------------------------------------------

INTERVAL_FIRST_LEVERAGE = Theorem(
    id="charisopoulos_2023.interval_first_leverage",
    statement="The error of the robust estimate at an action in M1, by the leverage.",
    source=source("(48)"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise),
    bound=probably(
        ESTIMATE_ERROR,
        _mu * (_n * sqrt(_alpha) + sqrt(_n * _alpha * _l)) * (1 + sqrt(_ln) + _ln / _epsilon) + sqrt(_mu * _l) * noise_bracket(_l) + _alpha,
        (LEVERAGE, SAMPLES, CORRUPTION, EPSILON, FAILURE),
        Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="root_of_the_fraction",
            sense=Sense.AT_MOST,
            left=sqrt(_alpha + sqrt(_alpha * _z)),
            right=sqrt(2) * sqrt(_alpha),
            draw_order=(CORRUPTION, SMALL),
            domain=(Le(_z, _alpha),),
            note="the first root of (14): z = log(1/delta)/n, at most alpha by Assumption A.1 with the constant 1",
        ),
    ),
)

INTERVAL_FIRST = Theorem(
    id="charisopoulos_2023.interval_first",
    statement="The error of the robust estimate at an action in M1, for an approximate design.",
    source=source("(50), with the last term of (48)"),
    hypotheses=(unit_lengths, sub_gaussian_noise, fresh_laplace_noise, approximate_design),
    bound=probably(
        ESTIMATE_ERROR,
        _d * (sqrt(_alpha) + sqrt(_alpha * _l / _n)) * (1 + sqrt(_ln) + _ln / _epsilon) + sqrt(_d * _l / _n) * noise_bracket(_l) + _alpha,
        (DIMENSION, SAMPLES, CORRUPTION, EPSILON, FAILURE),
        Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="design_inserted",
            sense=Sense.AT_MOST,
            left=_mu * (_n * sqrt(_alpha) + sqrt(_n * _alpha * _l)),
            right=2 * _d * (sqrt(_alpha) + sqrt(_alpha * _l / _n)),
            draw_order=(DIMENSION, SAMPLES, CORRUPTION, FAILURE, LEVERAGE),
            domain=(Le(_mu, 2 * _d / _n),),
            note="(49) in the first term of (48)",
        ),
    ),
)

_THRESHOLD = (SIZE, DIMENSION, CORRUPTION, EPSILON, FAILURE, CORRUPTION_CONSTANT, NOISE_CONSTANT)

THRESHOLD_FIRST = Theorem(
    id="charisopoulos_2023.threshold_first",
    statement="The threshold of elimination in M1.",
    source=source("line 9 of Algorithm 1, M1; appendix B.1.4, 'the width of the confidence interval'"),
    bound=Bound(of=ELIMINATION_THRESHOLD, sense=Sense.EQUALS, cases=always(threshold(_m)), given=_THRESHOLD),
    steps=(
        Step(
            id="interval_gives_the_width",
            sense=Sense.AT_MOST,
            left=_d * sqrt(_alpha),
            right=_C1 * sqrt(_d) * (sqrt(_alpha) + _alpha * sqrt(_d)),
            draw_order=(DIMENSION, CORRUPTION, CORRUPTION_CONSTANT),
            domain=(Gt(_alpha, 0), Le(_C1, 10)),
            note="'recalling the width of the confidence interval': (50) and line 9 beside sqrt(log(q^i/delta)), as q^i grows, for any "
            "constant up to 10",
        ),
    ),
    findings=(thresholds.NARROW_WIDTH, thresholds.CONSTANT_FRACTION, text.UNIT_CONSTANTS),
)

THRESHOLD_FIRST_INTERVAL = Theorem(
    id="charisopoulos_2023.threshold_first_interval",
    statement="The threshold of elimination in M1 by the confidence interval of the proof.",
    source=source("(50), with the last term of (48)"),
    bound=Bound(of=ELIMINATION_THRESHOLD, sense=Sense.EQUALS, cases=always(interval_threshold(_m)), given=_THRESHOLD),
)
