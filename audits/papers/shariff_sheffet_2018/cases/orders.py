"""shariff_sheffet_2018: the orders of Corollaries 10, 12 and 15 beside what plugging in, or the proof, gives, by exact limits.

The degrees of freedom are those of section 4.1, and L = L~, its largest value. As delta or epsilon falls at a fixed n the regulariser grows
beyond n, where every bound of Theorem 5 stops growing and the order does not: what the privacy costs shows where n grows along (`*_long`).
A refutation says that the order does not follow from (2) or (3) at the paper's own constants, not that it is false.
"""

from banditproof.audits.methods.orders import audits_of
from banditproof.glossary import (
    ARMS,
    CONTEXT_NORM,
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    INVERSE_GAPS,
    PARAMETER_NORM,
    REWARD_SIGMA,
    ROW_NORM,
)
from banditproof.glossary.shariff_sheffet_2018 import MEAN_BOUND, WISHART_DEGREES
from banditproof.theory.language import symbol
from banditproof.theory.limits import End, logarithm
from banditproof.theory.orders import Fixed, Pair, Path, Tied
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, lower_bound, privacy, wishart

_delta, _failure, _epsilon, _d = symbol(DELTA), symbol(FAILURE), symbol(EPSILON), symbol(DIMENSION)
_length, _mean = symbol(PARAMETER_NORM), symbol(MEAN_BOUND)

HELD = ((HORIZON, 16), (EPSILON, 1), (DELTA, "1/10"))
LONG = (
    Path("delta_low_long", DELTA, End.LOW, ((HORIZON, logarithm(1 / _delta) ** 4),)),
    Path("epsilon_low_long", EPSILON, End.LOW, ((HORIZON, _epsilon**-4),)),
)
PATHS = (
    *LONG,
    Path("delta_low_rounds", DELTA, End.LOW, ((HORIZON, 1 / _delta),)),
    Path("failure_low_long", FAILURE, End.LOW, ((HORIZON, 1 / _failure),)),
    Path("dimension_high_long", DIMENSION, End.HIGH, ((HORIZON, _d**4),)),
    Path("short_parameter", PARAMETER_NORM, End.LOW, ((REWARD_SIGMA, _length),)),
    Path("means_and_parameter_high", MEAN_BOUND, End.HIGH, ((PARAMETER_NORM, _mean),)),
)
WITHOUT_ROUNDS = tuple(path for path in PATHS if path.name not in ("failure_low_long", "epsilon_low_long", "delta_low_rounds"))
# As K grows at a fixed n the conditions of Claim 14 end the range: n grows along.
ARMS_AND_ROUNDS = (Path("arms_and_horizon_high", ARMS, End.HIGH, ((HORIZON, symbol(ARMS) ** 4 * 10**12),)),)
DEGREES = Tied(WISHART_DEGREES, privacy.WISHART_CALIBRATION, "k of section 4.1, at epsilon = 1 beyond that")
LENGTHS = Tied(CONTEXT_NORM, symbol(ROW_NORM), "L <= L~ by assumption 6")
_LARGE_MEANS = Fixed(
    MEAN_BOUND, "means are at most L S by assumptions 1 and 3: a B above max(1, L S) can be replaced by that, so B goes with S", End.HIGH
)
_PRIVATE = Fixed(EPSILON, "an epsilon is a privacy parameter and does not grow: finding corollaries_range", End.HIGH)

WISHART = (
    # n itself makes the rows with n growing along infinite: they are asked of the repaired order.
    Pair(
        wishart.REGRET_WISHART,
        wishart.REGRET_WISHART_EXPLICIT,
        HELD,
        tied=(DEGREES, LENGTHS),
        paths=WITHOUT_ROUNDS,
        fails=("horizon_high", "delta_low_long", "short_parameter"),
    ),
    Pair(
        wishart.REGRET_WISHART_GAP,
        wishart.REGRET_WISHART_GAP_EXPLICIT,
        HELD,
        (_LARGE_MEANS,),
        (DEGREES, LENGTHS),
        WITHOUT_ROUNDS,
        ("horizon_high", "delta_low_long", "short_parameter"),
    ),
    Pair(
        wishart.REGRET_WISHART_PLUGGED,
        wishart.REGRET_WISHART_EXPLICIT,
        HELD,
        tied=(DEGREES, LENGTHS),
        paths=PATHS,
    ),
    Pair(
        wishart.REGRET_WISHART_GAP_PLUGGED,
        wishart.REGRET_WISHART_GAP_EXPLICIT,
        HELD,
        (_LARGE_MEANS,),
        (DEGREES, LENGTHS),
        PATHS,
    ),
)
GAUSSIAN = (
    Pair(
        gaussian.REGRET_GAUSSIAN,
        gaussian.REGRET_GAUSSIAN_EXPLICIT,
        HELD,
        (_PRIVATE,),
        (LENGTHS,),
        PATHS,
        ("short_parameter",),
    ),
    Pair(
        gaussian.REGRET_GAUSSIAN_GAP,
        gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT,
        HELD,
        (_LARGE_MEANS, _PRIVATE),
        (LENGTHS,),
        PATHS,
        ("short_parameter",),
    ),
)
LOWER = (
    Pair(lower_bound.REGRET_PRIVATE, lower_bound.REGRET_PRIVATE_EXPLICIT, ((HORIZON, 10**12),), paths=ARMS_AND_ROUNDS),
    Pair(
        lower_bound.REGRET_PRIVATE_COMBINED,
        lower_bound.REGRET_PRIVATE_EXPLICIT,
        ((HORIZON, 10**12), (ARMS, 5)),
        (Fixed(INVERSE_GAPS, "the second term is the known bound without privacy, which this paper quotes and does not prove", End.HIGH),),
        paths=ARMS_AND_ROUNDS,
    ),
)

ORDERS = audits_of(*WISHART, *GAUSSIAN, *LOWER)
