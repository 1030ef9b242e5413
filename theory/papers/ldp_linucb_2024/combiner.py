r"""The combiner of base learners (locally private LinUCB, 2024; section 4, Algorithms 2 and 7, Theorem 4.1).

Main statements
    FIRST_RATE, OTHER_RATE, FIRST_PUTATIVE, OTHER_PUTATIVE, TARGET, COEFFICIENT_OF   Theorem 4.1: eta_1, eta_i, C_1, C_i, R_i and its
    coefficient
    GUESS_OF, LEARNERS_OF   the guesses of lambda_min, and how many
    NOISY_RADIUS_OF, SOURCE_RADIUS   the radius of Algorithm 2, and that of its source
    INDEX                   the index U;  INDEX_MISSES [assembled] how often it is below the mean after one round
    EPOCH_FAILURE_OF, EPOCH_THRESHOLD, EPOCHS_ADD_UP   the doubling wrapper, rebuilt
    GENERAL_RATE, COMBINED_FAVOURABLE, COMBINED_WORST, SOME_GUESS   Theorem 4.1 and the text around it
    FIRST_TARGET, OTHER_TARGET   [assembled] R_1 and R_i with everything inserted
    REMAINS_BELOW           section 4, after the theorem

Derivations
    INDEX_MISSES. After one round of its own with reward mu, a learner's index (without - R_i/T) is at most mu + sigma xi + 1, xi standard
    normal.
    EPOCHS_ADD_UP. Epochs of 1, 2, 4, ... rounds cost c (2^m)^(3/4) each at most; with n >= 2^m rounds played in epochs 0..m the sum is at
    most c ((2 * 2^m)^(3/4) - 1)/(2^(3/4) - 1).
    FIRST_TARGET takes eta_k of all other learners to be OTHER_RATE; OTHER_TARGET one 1/eta_1 and M - 2 others. P = P' = 1.
"""

from sympy import Expr, Ge, Integer, Le, Pow, Rational, erfc, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, HORIZON, REGRET, SIGMA, TAIL_PROBABILITY, THRESHOLD, Quantity
from banditproof.glossary.ldp_linucb_2024 import (
    COEFFICIENT,
    COMBINER_RATE,
    CURVATURE_THRESHOLD,
    DOUBLINGS,
    EPOCH_CONSTANT,
    EPOCH_FAILURE,
    EPOCHS,
    FIRST_CONSTANT,
    GUESS,
    LEARNER,
    LEARNERS,
    NOISY_RADIUS,
    OTHER_CONSTANT,
    OTHER_RATES,
    OWN_ROUNDS,
    POSITIVE_CURVATURE,
    PUTATIVE_CONSTANT,
    PUTATIVE_REGRET,
    RADIUS_CONSTANT,
    RATE_EXPONENT,
)
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Implicit, Sense, Source, Step, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings import combiner as findings
from banditproof.theory.papers.ldp_linucb_2024.setting import curved_actions, good_event, rate, source

_T, _d, _epsilon, _beta = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(FAILURE)
_i, _M, _alpha, _eta, _C = symbol(LEARNER), symbol(LEARNERS), symbol(RATE_EXPONENT), symbol(COMBINER_RATE), symbol(PUTATIVE_CONSTANT)
_P, _P2, _p, _n, _sigma = symbol(FIRST_CONSTANT), symbol(OTHER_CONSTANT), symbol(RADIUS_CONSTANT), symbol(OWN_ROUNDS), symbol(SIGMA)
_guess, _curvature, _others, _epochs = symbol(GUESS), symbol(POSITIVE_CURVATURE), symbol(OTHER_RATES), symbol(EPOCHS)
_a = symbol(THRESHOLD)
_eighth = _T ** Rational(1, 8)
_log = log(_T) ** Rational(3, 2)

two_rounds = Hypothesis("two_rounds", "T >= 2", Checked.BY_VALUE, Ge(_T, 2))
two_learners = Hypothesis("two_learners", "M >= 2", Checked.BY_VALUE, Ge(_M, 2))


def first_rate(constant: Expr) -> Expr:
    """The rate eta_1 of the first learner (Theorem 4.1)."""
    return _epsilon * _eighth / (sqrt(_d * _T) * (constant * _log * _epsilon * _eighth + 1))


def other_rate(constant: Expr) -> Expr:
    """The rates eta_i of the other learners (Theorem 4.1)."""
    return _epsilon / (constant * _log * sqrt(_d * _T))


def first_putative(constant: Expr) -> Expr:
    """The constant C_1 of the first learner's putative regret (Theorem 4.1)."""
    return constant * _log * sqrt(_d) * (_epsilon * _eighth + 1) / (_epsilon * _eighth)


def other_putative(constant: Expr, guess: Expr) -> Expr:
    """The constants C_i of the other learners' putative regrets (Theorem 4.1)."""
    return constant * _log * sqrt(_d) / (_epsilon * guess)


def coefficient(exponent: Expr) -> Expr:
    """(1 - a)^((1 - a)/a) (1 + a)^(1/a) / a^((1 - a)/a)."""
    power = (1 - exponent) / exponent
    return (1 - exponent) ** power * (1 + exponent) ** (1 / exponent) / exponent**power


def target(constant: Expr, exponent: Expr, weight: Expr, others: Expr) -> Expr:
    """The target regret R_i (Theorem 4.1)."""
    return (
        constant * _T**exponent
        + coefficient(exponent) * constant ** (1 / exponent) * _T * weight ** ((1 - exponent) / exponent)
        + 288 * log(_T**3 * _M / _beta) * _T * weight
        + others
    )


def _definition(
    name: str,
    statement: str,
    place: str,
    of: Quantity,
    expression: Expr,
    given: tuple[Quantity, ...],
    hypotheses: tuple[Hypothesis, ...] = (),
) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=statement,
        source=source(place),
        hypotheses=hypotheses,
        bound=Bound(of=of, sense=Sense.EQUALS, cases=always(expression), given=given),
    )


FIRST_RATE = _definition(
    "first_rate",
    "The weight of the first base learner.",
    "Theorem 4.1, eta_1",
    COMBINER_RATE,
    first_rate(_P),
    (HORIZON, DIMENSION, EPSILON, FIRST_CONSTANT),
)
OTHER_RATE = _definition(
    "other_rate",
    "The weight of every other base learner.",
    "Theorem 4.1, eta_i",
    COMBINER_RATE,
    other_rate(_P2),
    (HORIZON, DIMENSION, EPSILON, OTHER_CONSTANT),
    (two_rounds,),
)
FIRST_PUTATIVE = _definition(
    "first_putative",
    "The factor of the first base learner's putative regret C_1 n^(3/4).",
    "Theorem 4.1, C_1",
    PUTATIVE_CONSTANT,
    first_putative(_P),
    (HORIZON, DIMENSION, EPSILON, FIRST_CONSTANT),
    (two_rounds,),
)
OTHER_PUTATIVE = _definition(
    "other_putative",
    "The factor of another base learner's putative regret C_i n^(1/2).",
    "Theorem 4.1, C_i",
    PUTATIVE_CONSTANT,
    other_putative(_P2, _guess),
    (HORIZON, DIMENSION, EPSILON, GUESS, OTHER_CONSTANT),
    (two_rounds,),
)
COEFFICIENT_OF = _definition(
    "coefficient_of",
    "The coefficient of the second term of R_i: 9/4 at 1/2, 1.4622 at 3/4.",
    "Theorem 4.1, R_i",
    COEFFICIENT,
    coefficient(_alpha),
    (RATE_EXPONENT,),
)
TARGET = Theorem(
    id="ldp_linucb_2024.target",
    statement="The target regret of base learner i.",
    source=source("Theorem 4.1, R_i, with M for N"),
    bound=Bound(
        of=PUTATIVE_REGRET,
        sense=Sense.EQUALS,
        cases=always(target(_C, _alpha, _eta, _others)),
        given=(HORIZON, FAILURE, LEARNERS, PUTATIVE_CONSTANT, RATE_EXPONENT, COMBINER_RATE, OTHER_RATES),
    ),
    findings=(findings.NUMBER_OF_LEARNERS, findings.TARGETS_EXCEED_THE_HORIZON, findings.TARGET_WITHOUT_NOISE),
)
GUESS_OF = _definition(
    "guess_of",
    "The curvature that base learner i is given.",
    "section 4, 'by setting lambda_i'",
    GUESS,
    Pow(2, _i - 1) / _eighth,
    (HORIZON, LEARNER),
)
LEARNERS_OF = Theorem(
    id="ldp_linucb_2024.learners_of",
    statement="The number of base learners with which the guesses reach 1.",
    source=source("[assembled] section 4, M = 1 + ceil(log2 T^(1/8)); the paper prints no M"),
    bound=Bound(
        of=LEARNERS,
        sense=Sense.EQUALS,
        cases=always(1 + symbol(DOUBLINGS)),
        given=(HORIZON,),
        where=(
            Implicit(
                of=DOUBLINGS,
                condition=Ge(Pow(2, 8 * symbol(DOUBLINGS)), _T),
                bracket=(Integer(0), _T),
                unique="2^J grows",
                growth=log(_T) / (8 * log(2)),
            ),
        ),
    ),
)


def _radius(logarithm: Expr) -> Expr:
    return _p * sqrt(_n * (1 + _sigma**2) * log(_T**3 * _M * logarithm * (1 + _sigma**2) / _beta))


NOISY_RADIUS_OF = Theorem(
    id="ldp_linucb_2024.noisy_radius_of",
    statement="The radius of the sum of a base learner's noisy rewards, with log(max(n, e)) for log n.",
    source=source("Algorithm 2, in U and in the test"),
    bound=Bound(
        of=NOISY_RADIUS,
        sense=Sense.EQUALS,
        cases=(Case(Le(_n, 2), _radius(Integer(1)), added="logarithm_of_one"), Case(Ge(_n, 3), _radius(log(_n)))),
        given=(OWN_ROUNDS, SIGMA, HORIZON, LEARNERS, FAILURE, RADIUS_CONSTANT),
    ),
    findings=(findings.LOGARITHM_OF_ONE, findings.ROUND_OF_THE_INDEX),
)
SOURCE_RADIUS = Theorem(
    id="ldp_linucb_2024.source_radius",
    statement="The radius in the source, for rewards in [0, 1] without noise.",
    source=Source("cutkosky2020upper", "[assembled] Algorithm 1, as public re-implementations have it", "arXiv 2012.13115"),
    bound=Bound(
        of=NOISY_RADIUS,
        sense=Sense.EQUALS,
        cases=always(sqrt(8 * _n * log(_T**3 * _M / _beta))),
        given=(OWN_ROUNDS, HORIZON, LEARNERS, FAILURE),
    ),
)
INDEX = Theorem(
    id="ldp_linucb_2024.index",
    statement="The index of a base learner is its mean noisy reward, plus the smaller of 1 and (C_i n^alpha_i + rad(n))/n, less R_i/T; it "
    "is to be "
    "above the learner's mean reward, except for R_i/T.",
    source=source("Algorithm 2, U(i, t - 1), with the source's Corollary 2"),
    not_checkable="a definition; what it is used for is audited by index_misses",
    findings=(findings.CAP_OF_ONE,),
)
INDEX_MISSES = Theorem(
    id="ldp_linucb_2024.index_misses",
    statement="The probability that a base learner's index, except for R_i/T, is below its mean reward after one round of its own, for "
    "rewards that do "
    "not vary.",
    source=source("[assembled] Algorithm 2; derivation in the module"),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_LEAST, cases=always(erfc(1 / (_sigma * sqrt(2))) / 2), given=(SIGMA,)),
)

# --- the doubling wrapper ---------------------------------------------------------------------------------------------------------------

EPOCH_FAILURE_OF = Theorem(
    id="ldp_linucb_2024.epoch_failure_of",
    statement="The failure probability of one epoch, with at most ceil(log2(2 T)) epochs.",
    source=source("[assembled] Algorithm 7, rebuilt"),
    bound=Bound(
        of=EPOCH_FAILURE,
        sense=Sense.EQUALS,
        cases=always(_beta / _epochs),
        given=(HORIZON, FAILURE),
        where=(
            Implicit(
                of=EPOCHS,
                condition=Ge(Pow(2, _epochs), 2 * _T),
                bracket=(Integer(1), 2 * _T),
                unique="2^E grows",
                growth=log(_T) / log(2),
            ),
        ),
    ),
)
EPOCH_THRESHOLD = Theorem(
    id="ldp_linucb_2024.epoch_threshold",
    statement="The threshold, and so the injected variance, of an epoch of T rounds, with k = 1/8.",
    source=source("[assembled] Algorithm 7, rebuilt; Algorithm 2, k = 1/8"),
    bound=Bound(of=CURVATURE_THRESHOLD, sense=Sense.EQUALS, cases=always(_T ** Rational(-1, 8)), given=(HORIZON,)),
)
EPOCHS_ADD_UP = Theorem(
    id="ldp_linucb_2024.epochs_add_up",
    statement="The regret after T rounds of epochs of 1, 2, 4, ... rounds, each of which costs c times its length to the power 3/4.",
    source=source("[assembled] Algorithm 7, rebuilt; derivation in the module"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(symbol(EPOCH_CONSTANT) * 2 ** Rational(3, 4) / (2 ** Rational(3, 4) - 1) * _T ** Rational(3, 4)),
        given=(HORIZON, EPOCH_CONSTANT),
    ),
    steps=(
        Step(
            id="geometric_sum",
            sense=Sense.AT_MOST,
            left=(2 * _a) ** Rational(3, 4) - 1,
            right=2 ** Rational(3, 4) * _T ** Rational(3, 4),
            draw_order=(HORIZON, THRESHOLD),
            domain=(Le(_a, _T),),
            ours=True,
            note="a = 2^m is the length of the last epoch, begun after a - 1 rounds",
        ),
    ),
)

# --- the theorem ------------------------------------------------------------------------------------------------------------------------

GENERAL_RATE = Theorem(
    id="ldp_linucb_2024.general_rate",
    statement="The regret of the combiner by its best base learner's constants, up to logarithms.",
    source=source("section 4, after Theorem 4.1, 'the general regret guarantee'"),
    hypotheses=(good_event,),
    bound=rate(
        _C ** (1 / _alpha) * _T * _eta ** ((1 - _alpha) / _alpha) + _others,
        (HORIZON, PUTATIVE_CONSTANT, RATE_EXPONENT, COMBINER_RATE, OTHER_RATES),
    ),
    findings=(findings.INDEX_OF_THE_SUM, findings.REGRET_OF_THE_BEST),
)
SOME_GUESS = Theorem(
    id="ldp_linucb_2024.some_guess",
    statement="For lambda_min >= T^(-1/8) some guess is at most a constant factor away from it; below, the smallest guess has regret of "
    "the order "
    "sqrt(d) T^(3/4).",
    source=source("section 4, 'we can guarantee that at least one of our guesses'"),
    not_checkable="'a constant factor' names no number",
    findings=(findings.GUESS_ABOVE,),
)
COMBINED_FAVOURABLE = Theorem(
    id="ldp_linucb_2024.combined_favourable",
    statement="The regret of the combiner for lambda_min >= T^(-1/8), up to logarithms.",
    source=source("Theorem 4.1, first case"),
    hypotheses=(two_rounds, curved_actions, good_event),
    bound=rate(sqrt(_d * _T) / (_epsilon * _curvature**2), (HORIZON, DIMENSION, EPSILON, POSITIVE_CURVATURE)),
)
_worst = sqrt(_d) * _T ** Rational(5, 6) + sqrt(_d) * _T ** Rational(17, 24) / _epsilon
COMBINED_WORST = Theorem(
    id="ldp_linucb_2024.combined_worst",
    statement="The regret of the combiner for lambda_min < T^(-1/8), up to logarithms.",
    source=source("Theorem 4.1, second case"),
    hypotheses=(two_rounds, good_event),
    bound=rate(_worst, (HORIZON, DIMENSION, EPSILON)),
)


def _target(name: str, words: str, expression: Expr, given: tuple[Quantity, ...]) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=f"The target regret of {words}, with its constants inserted and P = P' = 1.",
        source=source("[assembled] Theorem 4.1, R_i"),
        hypotheses=(two_rounds, two_learners),
        bound=Bound(of=REGRET, sense=Sense.AT_MOST, cases=always(expression), given=given),
    )


_one = Integer(1)
FIRST_TARGET = _target(
    "first_target",
    "the first base learner",
    target(first_putative(_one), Rational(3, 4), first_rate(_one), (_M - 1) / other_rate(_one)),
    (HORIZON, DIMENSION, EPSILON, FAILURE, LEARNERS),
)
OTHER_TARGET = _target(
    "other_target",
    "a base learner whose guess is right",
    target(other_putative(_one, _curvature), Rational(1, 2), other_rate(_one), (_M - 2) / other_rate(_one) + 1 / first_rate(_one)),
    (HORIZON, DIMENSION, EPSILON, FAILURE, LEARNERS, POSITIVE_CURVATURE),
)
FAVOURABLE_AT_ITS_END = Theorem(
    id="ldp_linucb_2024.favourable_at_its_end",
    statement="The first case of Theorem 4.1 at its end, lambda_min = T^(-1/8).",
    source=source("[assembled] Theorem 4.1, first case"),
    hypotheses=(two_rounds,),
    bound=rate(sqrt(_d) * _T ** Rational(3, 4) / _epsilon, (HORIZON, DIMENSION, EPSILON)),
)
REMAINS_BELOW = Theorem(
    id="ldp_linucb_2024.remains_below",
    statement="As lambda_min falls, the first case of Theorem 4.1 remains below the second.",
    source=source("section 4, after Theorem 4.1, 'yet it remains below'"),
    bound=rate(_worst, (HORIZON, DIMENSION, EPSILON)),
    findings=(findings.REMAINS_BELOW,),
)
