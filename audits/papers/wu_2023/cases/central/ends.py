"""wu_2023: what no radius and no regret of Algorithm 3 as printed escapes, for a mean at an end of [-D, D], beside the printed orders.

The bins of line 3 are [j, j + r), j from -D to D - r. Rewards that are always D lie in none of them (2 D/r = N whole, as the line has
it): all noisy frequencies are noise, each of the N bins wins with the same probability, and with probability 1/2 or more it begins at 0 or
below. The second fold then keeps nothing, if M < D, and the estimate is J and the noise: with probability 1/4 or more it is at most 0.

The derivations stand in the statements below; the orders are judged by exact limits (`growth.*`), and the probability again in closed form
at values with constants up to 10^6 in the O (`points.*`). Runs are in radius.py and regret.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from sympy import Expr, Ge, Gt, Integer, Le, Lt, Rational

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.glossary import ARMS, BINS, CONTAMINATION, EPSILON, FAILURE, FOLD_SAMPLES, HORIZON, MOMENT, RADIUS, RANGE, REGRET
from banditproof.glossary.wu_2023 import REQUIRED_SAMPLES
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Theorem, always, symbol
from banditproof.theory.limits import End, logarithm
from banditproof.theory.orders import Pair, Path, Tied
from banditproof.theory.papers.wu_2023 import central
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.setting import source

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_bins, _horizon, _arms = symbol(BINS), symbol(HORIZON), symbol(ARMS)
_clean_range = _bins * 10 ** (1 / _k) / 2  # D = N r/2
_range = _bins * iota(_alpha) ** (1 / _k) / 2
_l1, _l16 = logarithm(1 / _failure), logarithm(16 / _failure)
_UNPADDED = Hypothesis(
    "rewards_at_the_end", "the bins are those of line 3, N = 2 D/r of them, and every reward is D", Checked.BY_ENVIRONMENT
)
_SELDOM = Hypothesis("seldom", "failure < 1/4", Checked.BY_VALUE, Lt(_failure, Rational(1, 4)))
_PRIVATE = Hypothesis("private_at_most_one", "epsilon <= 1", Checked.BY_VALUE, Le(_epsilon, 1))
_TWO_ARMS = Hypothesis("two_arms", "K = 2: one arm always pays D, the other D/2", Checked.BY_VALUE, Le(_arms, 2))

# --- no radius ----------------------------------------------------------------------------------------------------------------------------

LEAST_RADIUS = Theorem(
    id="wu_2023.least_radius_at_an_end",
    statement="No radius of Algorithm 3 at the parameters of Corollary 6.6 is smaller: the estimate is at most 0 with probability 1/4.",
    source=source("[assembled] against Corollary 6.6"),
    hypotheses=(
        _UNPADDED,
        _SELDOM,
        _PRIVATE,
        Hypothesis("keeps_nothing", "M < D", Checked.BY_VALUE, Gt((_clean_range / 4) ** _k * _l1, _n * _epsilon)),
        Hypothesis(
            "enough",
            "n >= 200 log(16 D/failure)/epsilon",
            Checked.BY_VALUE,
            Ge(_n * _epsilon, 200 * logarithm(16 * _clean_range / _failure)),
        ),
    ),
    bound=Bound(of=RADIUS, sense=Sense.AT_LEAST, cases=always(_clean_range), given=(FOLD_SAMPLES, EPSILON, MOMENT, BINS, FAILURE)),
)

LEAST_RADIUS_CONTAMINATED = Theorem(
    id="wu_2023.least_radius_at_an_end_contaminated",
    statement="No radius of Algorithm 3 at the parameters of Corollary 6.8 is smaller, alpha = alpha_1, outliers being D too.",
    source=source("[assembled] against Corollary 6.8"),
    hypotheses=(
        _UNPADDED,
        _SELDOM,
        _PRIVATE,
        Hypothesis("keeps_nothing", "4 alpha_1^(-1/k) < D", Checked.BY_VALUE, Gt((_range / 4) ** _k * _alpha, 1)),
        Hypothesis("below_breakdown", "alpha_1 < 0.133", Checked.BY_VALUE, Lt(_alpha, Rational(133, 1000))),
        Hypothesis(
            "enough",
            "n >= 4500000 log(16 D/failure)/epsilon and n >= log(16/failure)/alpha_1^2",
            Checked.BY_VALUE,
            Ge(_n * _epsilon, 4_500_000 * logarithm(16 * _range / _failure)) & Ge(_n * _alpha**2, _l16),
        ),
    ),
    bound=Bound(of=RADIUS, sense=Sense.AT_LEAST, cases=always(_range), given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, BINS, FAILURE)),
)

LEAST_SAMPLES = Theorem(
    id="wu_2023.least_samples_at_an_end",
    statement="No fewer draws of a fold give any accuracy below D: M < D for all n below.",
    source=source("[assembled] against Corollary 6.6, 'In other words'"),
    hypotheses=(_UNPADDED, _SELDOM, _PRIVATE),
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.AT_LEAST,
        cases=always((_clean_range / 4) ** _k * _l1 / _epsilon),
        given=(EPSILON, MOMENT, BINS, FAILURE),
    ),
)

# --- no regret ----------------------------------------------------------------------------------------------------------------------------


def _after(pulls: Expr) -> Expr:
    """A fifth of the gap D/2 for every round after the first test."""
    return (_horizon - pulls) / 10


_epochs = (logarithm(_horizon) / logarithm(Integer(2))) ** 2
_bins_clean, _bins_mixed = (logarithm(64 * width * _horizon * _epochs) for width in (_clean_range, _range))
_entries = iota(_alpha) * logarithm(4 * _horizon * _epochs) / _epsilon + 4_500_000 * _bins_mixed / _epsilon
_entries += logarithm(64 * _horizon * _epochs) / _alpha**2
_DERIVED = (
    "In the first test the arm that pays D has an estimate of at most 0, up to the noise, with probability 1/2; the difference of the two "
    "noises favours the other arm with probability 1/2; that arm's reward D/2 lies in a bin, which loses with probability at most "
    "N exp(-n epsilon/4) < 1/100. The difference D/2 is above 2 beta, so the best arm goes with probability 1/5, and each later round "
    "costs D/2. "
)

LEAST_REGRET = Theorem(
    id="wu_2023.least_regret_at_an_end",
    statement=_DERIVED + "The first tested fold has n < 400 L/epsilon draws, so M <= 4 (400 L/log(4 T))^(1/k), L = log(64 D T log_2^2 T).",
    source=source("[assembled] against Theorem 6.10"),
    hypotheses=(
        _UNPADDED,
        _TWO_ARMS,
        _PRIVATE,
        Hypothesis("constant_of_the_radius", "the constant in beta is at most 3 D/2", Checked.ASSUMED),
        Hypothesis("keeps_nothing", "M < D", Checked.BY_VALUE, Gt((_clean_range / 4) ** _k * logarithm(4 * _horizon), 400 * _bins_clean)),
        Hypothesis("test_is_done", "T >= 2400 L/epsilon", Checked.BY_VALUE, Ge(_horizon * _epsilon, 2400 * _bins_clean)),
    ),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(_clean_range * _after(2400 * _bins_clean / _epsilon)),
        given=(HORIZON, ARMS, EPSILON, BINS, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
)

LEAST_REGRET_CONTAMINATED = Theorem(
    id="wu_2023.least_regret_at_an_end_contaminated",
    statement=_DERIVED + "Here M <= 4 alpha_1^(-1/k) in every epoch; outliers are drawn as the arm's own rewards.",
    source=source("[assembled] against Theorem 6.12"),
    hypotheses=(
        _UNPADDED,
        _TWO_ARMS,
        _PRIVATE,
        Hypothesis("constant_of_the_radius", "the constant in beta is at most D/2", Checked.ASSUMED),
        Hypothesis("keeps_nothing", "4 alpha_1^(-1/k) < D", Checked.BY_VALUE, Gt((_range / 4) ** _k * _alpha, 1)),
        Hypothesis("test_is_done", "T is above the rounds of the first test", Checked.BY_VALUE, Ge(_horizon, 12 * _entries)),
    ),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(_range * _after(12 * _entries)),
        given=(HORIZON, ARMS, EPSILON, CONTAMINATION, BINS, MOMENT),
        mode=Mode.IN_EXPECTATION,
    ),
)

# --- the orders ---------------------------------------------------------------------------------------------------------------------------

_K = (MOMENT, 3)
_WHOLE = "2 D/r is whole, as line 3 of Algorithm 3 has it"
_CLEAN_RANGE = Tied(RANGE, _clean_range, _WHOLE)
_MIXED_RANGE = Tied(RANGE, _range, _WHOLE)
_LARGE = Path("range_high_at_an_end", BINS, End.HIGH, ((FOLD_SAMPLES, _bins),))
_LONG = Path("horizon_high_at_an_end", HORIZON, End.HIGH, ((BINS, Integer(1000)),))
_LARGE_AND_LONG = Path("range_and_horizon_high_at_an_end", BINS, End.HIGH, ((HORIZON, _bins),))
_SAMPLES_LARGE = Path("range_high_at_an_end", BINS, End.HIGH, ((FAILURE, Rational(1, 20)),))

PAIRS = (
    (Pair(central.CENTRAL_CONCENTRATION_CLEAN, LEAST_RADIUS, (_K, (FAILURE, "1/20")), paths=(_LARGE,)), _LARGE),
    (
        Pair(
            central.CENTRAL_CONCENTRATION_CONTAMINATED,
            LEAST_RADIUS_CONTAMINATED,
            (_K, (FAILURE, "1/20"), (CONTAMINATION, "1/50")),
            paths=(_LARGE,),
        ),
        _LARGE,
    ),
    (
        Pair(
            central.CENTRAL_SAMPLE_COMPLEXITY,
            LEAST_SAMPLES,
            (_K, (FAILURE, "1/20")),
            tied=(_CLEAN_RANGE,),
            paths=(_SAMPLES_LARGE,),
        ),
        _SAMPLES_LARGE,
    ),
    (Pair(central.REGRET_CENTRAL_CLEAN, LEAST_REGRET, (_K, (ARMS, 2)), tied=(_CLEAN_RANGE,), paths=(_LONG,)), _LONG),
    (
        Pair(
            central.REGRET_CENTRAL,
            LEAST_REGRET_CONTAMINATED,
            (_K, (ARMS, 2), (CONTAMINATION, "1/50")),
            tied=(_MIXED_RANGE,),
            paths=(_LARGE_AND_LONG,),
        ),
        _LARGE_AND_LONG,
    ),
)
ORDERS = tuple(
    Audit(
        pair.order.id,
        f"growth.{path.name}",
        f"does the order contradict {pair.explicit.id.partition('.')[2]}, bins as printed, rewards at an end of the range",
        OrderLimits(pair, (path.name,)),
        expected=Verdict.REFUTED,
    )
    for pair, path in PAIRS
)

# --- the probability, in closed form ------------------------------------------------------------------------------------------------------


def below_zero(bins: int) -> Fraction:
    """P(J <= 0, noise <= 0): N bins win with the same probability, those from -D to -D + (N/2) r begin at 0 or below."""
    return Fraction(bins // 2 + 1, bins) / 2


def _with_constant(theorem: Theorem, constant: int) -> Theorem:
    """A printed order with this constant."""
    bound = theorem.stated()
    cases = always(constant * bound.cases[0].expression)
    return replace(theorem, bound=replace(bound, cases=cases, constants=Constants.EXPLICIT), findings=())


def _points(contamination: Fraction | None) -> Iterator[At]:
    theorem = central.CENTRAL_CONCENTRATION_CONTAMINATED if contamination else central.CENTRAL_CONCENTRATION_CLEAN
    share: dict[str, Any] = {"contamination": contamination} if contamination else {}
    failure = Fraction(1, 20)
    for bins, constant in ((1_000, 1_000), (10_000, 10_000), (100_000, 100_000)):
        known: dict[str, Any] = {"epsilon": 1, "moment": 2, "failure": failure}
        width = central.CENTRAL_BIN_WIDTH.at(moment=2, **share) if contamination else central.CENTRAL_BIN_WIDTH_CLEAN.at(moment=2)
        bound = fraction(width.ball) * bins / 2
        given: dict[str, Any] = {"epsilon": 1, "range": bound, "failure": failure, **share}
        needed = central.CENTRAL_SAMPLES.at(**given, bin_constant=4_500_000) if contamination else central.CENTRAL_SAMPLES_CLEAN.at(**given)
        fold = ceil(fraction(needed.ball))
        cut = (central.CENTRAL_TRUNCATION if contamination else central.CENTRAL_TRUNCATION_CLEAN).at(fold_samples=fold, **known, **share)
        radius = fraction(_with_constant(theorem, constant).at(fold_samples=fold, **known, **share).ball)
        if fraction(cut.ball) >= bound or radius >= bound:
            raise ValueError(f"{bins} bins: the second fold keeps the rewards, or the claim says nothing")
        where = {"N": bins, "D": round(float(bound), 3), "n": fold, "constant": constant, "radius": round(float(radius), 3)}
        yield At({**where, **share}, below_zero(bins), failure)


POINTS = tuple(
    Audit(
        theorem.id,
        "points.rewards_at_an_end",
        "bins as printed, rewards that are all D: P(estimate <= 0) in closed form, the radius with constants up to 10^5",
        Pointwise(lambda share=share: _points(share), "1000 to 100000 bins, epsilon 1, failure 1/20, k = 2", "failure"),  # type: ignore[misc]
        expected=Verdict.REFUTED,
    )
    for theorem, share in (
        (central.CENTRAL_CONCENTRATION_CLEAN, None),
        (central.CENTRAL_CONCENTRATION_CONTAMINATED, Fraction(1, 50)),
    )
)
