"""wu_2023: what no radius and no regret of Algorithm 3 as printed escapes, for a mean at an end of [-D, D], beside the printed orders.

The bins of line 3 are [j, j + r), j from -D to D - r. Rewards that are always D lie in none of them (2 D/r = N whole, as the line has
it): all noisy frequencies are noise, each of the N bins wins with the same probability, and with probability 1/2 or more it begins at 0 or
below. The second fold then keeps nothing, if M < D, and the estimate is J and the noise: with probability 1/4 or more it is at most 0.

The derivations are in theory/papers/wu_2023/central_ends.py. The orders are judged by exact limits (`growth.*`), and the probability again
in closed form at values with constants up to 10^5 in the O (`points.*`). Runs are in radius.py and regret.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.glossary import ARMS, BINS, CONTAMINATION, FAILURE, FOLD_SAMPLES, HORIZON, MOMENT, RANGE
from banditproof.theory.language import Constants, Theorem, always, symbol
from banditproof.theory.limits import End
from banditproof.theory.orders import Pair, Path, Tied
from banditproof.theory.papers.wu_2023 import central, central_ends

_bins = symbol(BINS)

# --- the orders ---------------------------------------------------------------------------------------------------------------------------

_K = (MOMENT, 3)
_WHOLE = "2 D/r is whole, as line 3 of Algorithm 3 has it"
_CLEAN_RANGE = Tied(RANGE, central_ends.clean_range, _WHOLE)
_MIXED_RANGE = Tied(RANGE, central_ends.mixed_range, _WHOLE)
_LARGE = Path("range_high_at_an_end", BINS, End.HIGH, ((FOLD_SAMPLES, _bins),))
_LONG = Path("horizon_high_at_an_end", HORIZON, End.HIGH, ((BINS, central_ends.THOUSAND_BINS),))
_LARGE_AND_LONG = Path("range_and_horizon_high_at_an_end", BINS, End.HIGH, ((HORIZON, _bins),))
_SAMPLES_LARGE = Path("range_high_at_an_end", BINS, End.HIGH, ((FAILURE, central_ends.TWENTIETH),))

PAIRS = (
    (Pair(central.CENTRAL_CONCENTRATION_CLEAN, central_ends.least_radius(), (_K, (FAILURE, "1/20")), paths=(_LARGE,)), _LARGE),
    (
        Pair(
            central.CENTRAL_CONCENTRATION_CONTAMINATED,
            central_ends.least_radius_contaminated(),
            (_K, (FAILURE, "1/20"), (CONTAMINATION, "1/50")),
            paths=(_LARGE,),
        ),
        _LARGE,
    ),
    (
        Pair(
            central.CENTRAL_SAMPLE_COMPLEXITY,
            central_ends.least_samples(),
            (_K, (FAILURE, "1/20")),
            tied=(_CLEAN_RANGE,),
            paths=(_SAMPLES_LARGE,),
        ),
        _SAMPLES_LARGE,
    ),
    (Pair(central.REGRET_CENTRAL_CLEAN, central_ends.least_regret(), (_K, (ARMS, 2)), tied=(_CLEAN_RANGE,), paths=(_LONG,)), _LONG),
    (
        Pair(
            central.REGRET_CENTRAL,
            central_ends.least_regret_contaminated(),
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
    proportion: dict[str, Any] = {"contamination": contamination} if contamination else {}
    failure = Fraction(1, 20)
    for bins, constant in ((1_000, 1_000), (10_000, 10_000), (100_000, 100_000)):
        known: dict[str, Any] = {"epsilon": 1, "moment": 2, "failure": failure}
        width = central.CENTRAL_BIN_WIDTH.at(moment=2, **proportion) if contamination else central.CENTRAL_BIN_WIDTH_CLEAN.at(moment=2)
        bound = fraction(width.ball) * bins / 2
        given: dict[str, Any] = {"epsilon": 1, "range": bound, "failure": failure, **proportion}
        needed = central.CENTRAL_SAMPLES.at(**given, bin_constant=4_500_000) if contamination else central.CENTRAL_SAMPLES_CLEAN.at(**given)
        fold = ceil(fraction(needed.ball))
        cut = (central.CENTRAL_TRUNCATION if contamination else central.CENTRAL_TRUNCATION_CLEAN).at(
            fold_samples=fold, **known, **proportion
        )
        radius = fraction(_with_constant(theorem, constant).at(fold_samples=fold, **known, **proportion).ball)
        if fraction(cut.ball) >= bound or radius >= bound:
            raise ValueError(f"{bins} bins: the second fold keeps the rewards, or the claim says nothing")
        where = {"N": bins, "D": round(float(bound), 3), "n": fold, "constant": constant, "radius": round(float(radius), 3)}
        yield At({**where, **proportion}, below_zero(bins), failure)


POINTS = tuple(
    Audit(
        theorem.id,
        "points.rewards_at_an_end",
        "bins as printed, rewards that are all D: P(estimate <= 0) in closed form, the radius with constants up to 10^5",
        Pointwise(lambda proportion=proportion: _points(proportion), "1000 to 100000 bins, epsilon 1, failure 1/20, k = 2", "failure"),  # type: ignore[misc]
        expected=Verdict.REFUTED,
    )
    for theorem, proportion in (
        (central.CENTRAL_CONCENTRATION_CLEAN, None),
        (central.CENTRAL_CONCENTRATION_CONTAMINATED, Fraction(1, 50)),
    )
)
