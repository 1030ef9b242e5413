r"""The baselines of Figure 1 (locally private LinUCB, 2024; section 5), with the constants of the public script and of their own papers.

Main statements
    SCRIPT_WIDTH, SCRIPT_REGULARISER, SCRIPT_REGULARISER_PLAIN   what all methods of the public script of Chowdhury and Zhou share
    PLAIN_WIDTH                                     LinUCB (Abbasi-Yadkori et al. 2011)
    LOCAL_SCRIPT_SIGMA, _LEVEL, _PROFILE, _SCALE    Zheng et al. 2020 as in the script
    LOCAL_SIGMA, LOCAL_NOISE_NORM, LOCAL_REGULARISER, LOCAL_WIDTH     and as in their paper
    JOINT_SCRIPT_SIGMA, JOINT_SCRIPT_SCALE, JOINT_SCRIPT_NODES        Shariff and Sheffet 2018 as in the script
    JOINT_SIGMA, JOINT_NOISE_NORM, JOINT_WIDTH      and as in their paper, with a tree of m nodes
    AMPLIFIED_SIGMA, AMPLIFIED_BATCH                Chowdhury and Zhou 2022, amplification by shuffling
    VECTOR_RESOLUTION, VECTOR_TRIALS, VECTOR_SCALE  Chowdhury and Zhou 2022, vector sums
All are definitions. The paper says of its baselines' constants nothing but that the setting is that of Chowdhury and Zhou 2022; the
script's were
read from the public script, Zheng's from their code and paper, recalled.

Derivation of LOCAL_SCRIPT_LEVEL
    The noise (Z + Z^T)/2 has variance s^2 on the diagonal and s^2/2 beside it, so squared changes weigh as in the Frobenius norm:
    |x x^T - x' x'^T|^2 = 8 - 2 (1 + c)^2 with c = <u, u'>, and |x y - x' y'|^2 <= 2 - 2 c for y = y' = 1, or 2 where one reward is 0. The
    sum is at most 12, at c = -1.

Notation            Gamma = baseline_scale, s = baseline_sigma, Lambda = regulariser, Upsilon_t = noise_norm, w = baseline_width, alpha =
beta
"""

from sympy import Expr, Ge, Gt, Integer, Rational, exp, log, sqrt

from banditproof.glossary import (
    CONTEXT_NORM,
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    LOG_DETERMINANT,
    MU,
    PARAMETER_NORM,
    REWARD_SIGMA,
    ROUND,
    ROW_NORM,
    TERMS,
    UNIT_RATIO,
    Quantity,
)
from banditproof.glossary.ldp_linucb_2024 import (
    BALANCED_BATCH,
    BASELINE_SCALE,
    BASELINE_SIGMA,
    BASELINE_WIDTH,
    BATCH_SIZE,
    BINOMIAL_TRIALS,
    NOISE_NORM,
    REGULARISER,
    RESOLUTION,
    TRIALS_SCALE,
    TRUE_DELTA,
    WHOLE_LOGARITHM,
)
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Checked, Hypothesis, Implicit, Sense, Source, Step, Theorem, always, largest, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings.baselines import SCRIPT_NOISE
from banditproof.theory.papers.ldp_linucb_2024.privacy import profile_at

_T, _d, _epsilon, _delta, _t = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(DELTA), symbol(ROUND)
_alpha, _R, _D, _logdet = symbol(FAILURE), symbol(REWARD_SIGMA), symbol(PARAMETER_NORM), symbol(LOG_DETERMINANT)
_Gamma, _s, _norm, _m = symbol(BASELINE_SCALE), symbol(BASELINE_SIGMA), symbol(NOISE_NORM), symbol(TERMS)
_B, _g, _c = symbol(BATCH_SIZE), symbol(RESOLUTION), symbol(TRIALS_SCALE)
_Lambda, _u = symbol(REGULARISER), symbol(UNIT_RATIO)

two_rounds = Hypothesis("two_rounds_of_baseline", "T >= 2", Checked.BY_VALUE, Ge(_T, 2))
large_determinant = Hypothesis(
    "large_determinant",
    "the logarithm of the determinant is at least d log(Upsilon)",
    Checked.BY_VALUE,
    Ge(_logdet, _d * log(_norm)),
)
positive_log_determinant = Hypothesis(
    "positive_log_determinant", "the determinant of the Gram matrix is at least 1", Checked.BY_VALUE, Ge(_logdet, 0)
)

SCRIPT = Source("chowdhury2022shuffle", "[assembled] section 8 of the sheet, public script")
SHUFFLED = Source("chowdhury2022shuffle", "[assembled] section 8 of the sheet, paper, with the vector summation of Cheu et al.")
ZHENG = Source("zheng2020locally", "[assembled] section 8 of the sheet, recalled")
SHARIFF = Source("shariff2018differentially", "[assembled] section 8 of the sheet, from sections 4.2 and 3")
PLAIN = Source("abbasi2011improved", "Theorem 2, with the ridge 1")


def _definition(
    name: str,
    statement: str,
    place: Source,
    of: Quantity,
    expression: Expr,
    given: tuple[Quantity, ...],
    hypotheses: tuple[Hypothesis, ...] = (),
    findings: tuple[Finding, ...] = (),
    where: tuple[Implicit, ...] = (),
) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=statement,
        source=place,
        hypotheses=hypotheses,
        bound=Bound(of=of, sense=Sense.EQUALS, cases=always(expression), given=given, where=where),
        findings=findings,
    )


# --- shared by the script ---------------------------------------------------------------------------------------------------------------

SCRIPT_WIDTH = _definition(
    "script_width",
    "The width of every method of the script, with R = 1/2 there and failure probability 1/T.",
    SCRIPT,
    BASELINE_WIDTH,
    sqrt(_Gamma * _d) + _R * sqrt(_d * log((1 + _T * symbol(CONTEXT_NORM) ** 2 / _Gamma) * _T)),
    (HORIZON, DIMENSION, CONTEXT_NORM, REWARD_SIGMA, BASELINE_SCALE),
)
SCRIPT_REGULARISER = _definition(
    "script_regulariser", "The regulariser of the private methods of the script.", SCRIPT, REGULARISER, 2 * _Gamma, (BASELINE_SCALE,)
)
SCRIPT_REGULARISER_PLAIN = _definition(
    "script_regulariser_plain",
    "The regulariser of LinUCB in the script, where Gamma is 1.",
    SCRIPT,
    REGULARISER,
    _Gamma / 10000,
    (BASELINE_SCALE,),
)
PLAIN_WIDTH = _definition(
    "plain_width",
    "The width of LinUCB without privacy, with the ridge Lambda.",
    PLAIN,
    BASELINE_WIDTH,
    _R * sqrt(2 * log(1 / _alpha) + _logdet) + sqrt(_Lambda) * _D,
    (REWARD_SIGMA, FAILURE, LOG_DETERMINANT, PARAMETER_NORM, REGULARISER),
    hypotheses=(positive_log_determinant,),
)

# --- the local baseline -----------------------------------------------------------------------------------------------------------------

LOCAL_SCRIPT_SIGMA = _definition(
    "local_script_sigma",
    "The standard deviation of the noise of every entry in every round.",
    SCRIPT,
    BASELINE_SIGMA,
    sqrt(log(Rational(5, 2) / _delta)) / _epsilon,
    (EPSILON, DELTA),
    findings=(SCRIPT_NOISE,),
)
LOCAL_SCRIPT_LEVEL = Theorem(
    id="ldp_linucb_2024.local_script_level",
    statement="The Gaussian privacy of a round of the local method of the script, exactly, on its data: features (u, 1) with |u| = 1, "
    "rewards 0 "
    "or 1.",
    source=SCRIPT,
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(sqrt(12) / _s), given=(BASELINE_SIGMA,)),
    steps=(
        Step(
            id="opposite_directions",
            sense=Sense.AT_MOST,
            left=8 - 2 * (2 - 2 * _u) ** 2 + 4 * _u,
            right=Integer(12),
            draw_order=(UNIT_RATIO,),
            ours=True,
            note="the squared change of Gram matrix and sum for features whose directions have the cosine 1 - 2 u and rewards 1; equality "
            "at u = 1",
        ),
    ),
)
LOCAL_SCRIPT_PROFILE = _definition(
    "local_script_profile",
    "The least delta at epsilon of a round of the local method of the script, with the script's noise for (epsilon, delta).",
    SCRIPT,
    TRUE_DELTA,
    profile_at(sqrt(12) * _epsilon / sqrt(log(Rational(5, 2) / _delta))),
    (EPSILON, DELTA),
)
LOCAL_SCRIPT_SCALE = _definition(
    "local_script_scale",
    "The scale Gamma of the local method.",
    SCRIPT,
    BASELINE_SCALE,
    _s * sqrt(_T * _d),
    (HORIZON, DIMENSION, BASELINE_SIGMA),
)
LOCAL_SIGMA = _definition(
    "local_sigma",
    "The standard deviation of the noise of every entry in every round.",
    ZHENG,
    BASELINE_SIGMA,
    4 * sqrt(2 * log(Rational(5, 4) / _delta)) / _epsilon,
    (EPSILON, DELTA),
)
LOCAL_NOISE_NORM = _definition(
    "local_noise_norm",
    "The bound on the norm of the summed noise in round t; alpha is the failure probability, N the round.",
    ZHENG,
    NOISE_NORM,
    _s * sqrt(_t) * (4 * sqrt(_d) + 2 * log(2 * _T / _alpha)),
    (ROUND, HORIZON, DIMENSION, FAILURE, BASELINE_SIGMA),
)
LOCAL_REGULARISER = _definition(
    "local_regulariser", "The shift that keeps the noisy Gram matrix positive.", ZHENG, REGULARISER, 2 * _norm, (NOISE_NORM,)
)
LOCAL_WIDTH = _definition(
    "local_width",
    "The width in round t.",
    ZHENG,
    BASELINE_WIDTH,
    2 * _s * sqrt(_d * log(_T)) + (sqrt(3 * _norm) + _s * sqrt(_d * _t / _norm)) * _d * log(_T),
    (ROUND, HORIZON, DIMENSION, BASELINE_SIGMA, NOISE_NORM),
    hypotheses=(two_rounds,),
)

# --- the jointly private baseline -------------------------------------------------------------------------------------------------------

JOINT_SCRIPT_SIGMA = _definition(
    "joint_script_sigma",
    "The standard deviation of the noise of a node.",
    SCRIPT,
    BASELINE_SIGMA,
    sqrt(log(_T)) * log(Rational(5, 2) / _delta) / _epsilon,
    (HORIZON, EPSILON, DELTA),
    hypotheses=(two_rounds,),
)
JOINT_SCRIPT_SCALE = _definition(
    "joint_script_scale",
    "The scale Gamma of the jointly private method.",
    SCRIPT,
    BASELINE_SCALE,
    _s * sqrt(_d * log(_T)),
    (HORIZON, DIMENSION, BASELINE_SIGMA),
    hypotheses=(two_rounds,),
)
_whole = symbol(WHOLE_LOGARITHM)
JOINT_SCRIPT_NODES = _definition(
    "joint_script_nodes",
    "The number of noise matrices of a run, floor(log T) + 1; as many as floor(log(1 + t)) + 1 are summed in round t, from 0.",
    SCRIPT,
    TERMS,
    _whole + 1,
    (HORIZON,),
    where=(
        Implicit(
            of=WHOLE_LOGARITHM,
            condition=Gt(exp(_whole + 1), _T),
            bracket=(Integer(0), _T),
            unique="exp(W) grows",
            growth=log(_T),
        ),
    ),
)
_nodes = Implicit(of=TERMS, condition=Ge(2 ** (_m - 1), _T), bracket=(Integer(1), _T), unique="2^m grows", growth=log(_T) / log(2))
JOINT_SIGMA = _definition(
    "joint_sigma",
    "The standard deviation of the noise of a node above the diagonal, m = 1 + ceil(log2 T) nodes.",
    SHARIFF,
    BASELINE_SIGMA,
    4 * sqrt(_m) * symbol(ROW_NORM) ** 2 * log(4 / _delta) / _epsilon,
    (HORIZON, EPSILON, DELTA, ROW_NORM),
    where=(_nodes,),
)
JOINT_NOISE_NORM = _definition(
    "joint_noise_norm",
    "The bound on the norm of the noise of all nodes that a round sums; half of the shift.",
    SHARIFF,
    NOISE_NORM,
    _s * sqrt(2 * _m) * (4 * sqrt(_d) + 2 * log(2 * _T / _alpha)),
    (HORIZON, DIMENSION, FAILURE, BASELINE_SIGMA),
    where=(_nodes,),
)
JOINT_WIDTH = _definition(
    "joint_width",
    "The width of the jointly private method.",
    SHARIFF,
    BASELINE_WIDTH,
    _R * sqrt(2 * log(2 / _alpha) + _logdet - _d * log(_norm))
    + _D * sqrt(3 * _norm)
    + _s * sqrt(_m / _norm) * (sqrt(_d) + sqrt(2 * log(2 * _T / _alpha))),
    (HORIZON, DIMENSION, FAILURE, REWARD_SIGMA, PARAMETER_NORM, LOG_DETERMINANT, BASELINE_SIGMA, NOISE_NORM),
    hypotheses=(large_determinant,),
    where=(_nodes,),
)

# --- the shuffled baselines -------------------------------------------------------------------------------------------------------------

AMPLIFIED_SIGMA = _definition(
    "amplified_sigma",
    "The standard deviation of a user's noise where B users are shuffled together.",
    SCRIPT,
    BASELINE_SIGMA,
    sqrt(log(Rational(5, 2) * _B / _delta)) / (_epsilon * sqrt(_B)),
    (EPSILON, DELTA, BATCH_SIZE),
)
AMPLIFIED_BATCH = _definition(
    "amplified_batch",
    "The batch size that balances T^(3/4) B^(-1/4) and B, before rounding.",
    SHUFFLED,
    BALANCED_BATCH,
    _T ** Rational(3, 5),
    (HORIZON,),
)
VECTOR_RESOLUTION = Theorem(
    id="ldp_linucb_2024.vector_resolution",
    statement="The number of steps into which an entry is divided.",
    source=SCRIPT,
    bound=Bound(of=RESOLUTION, sense=Sense.EQUALS, cases=largest(2 * sqrt(_B), _d, Integer(4)), given=(BATCH_SIZE, DIMENSION)),
)


_OF_TRIALS = (DIMENSION, EPSILON, DELTA, BATCH_SIZE, RESOLUTION, TRIALS_SCALE)
VECTOR_TRIALS = _definition(
    "vector_trials",
    "The number of trials, of probability 1/4, of the binomial noise of a message, before its integer part is taken.",
    SCRIPT,
    BINOMIAL_TRIALS,
    _c * _g**2 * log(_d / _delta) ** 2 / (_epsilon**2 * _B),
    _OF_TRIALS,
)
VECTOR_TRIALS_PAPER = _definition(
    "vector_trials_paper",
    "The number of trials with the per-coordinate logarithm of the paper, log(d^2/delta), before its integer part is taken.",
    SHUFFLED,
    BINOMIAL_TRIALS,
    _c * _g**2 * log(_d**2 / _delta) ** 2 / (_epsilon**2 * _B),
    _OF_TRIALS,
)
VECTOR_SCALE = _definition(
    "vector_scale",
    "The scale Gamma of the shuffled vector sum.",
    SCRIPT,
    BASELINE_SCALE,
    log(_d / _delta) / (4 * _epsilon * sqrt(_B)) * sqrt(_T * _d),
    (HORIZON, DIMENSION, EPSILON, DELTA, BATCH_SIZE),
)
