"""Single releases broken on purpose, and what each claims. Every one is a mechanism like those of `algorithms`, with one mistake."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, Control
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, Relation, View
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

_NEAR = PureDP(1.0, Relation.WITHIN_SENSITIVITY)


@dataclass(frozen=True)
class Broken:
    """A release with the claim and the neighbours that its author believes in."""

    claim: Guarantee
    domain: Neighbours
    draw: Callable[[Floats, int, np.random.Generator], Floats]
    promises: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return self.domain

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        return self.draw(np.asarray(data, dtype=float), runs, rng)


def _answer(width: int = 1) -> Neighbours:
    zero = (0.0,) * width
    return Neighbours(Relation.WITHIN_SENSITIVITY, lengths=(width, width), worst=((zero, (1.0, *zero[1:])),))


def _control(name: str, mistake: str, theorem: str, mechanism: Broken, samples: int = 200_000, slug: str = "") -> Control:
    """`slug` where the name would make the id too long."""
    method = PrivacyLoss(mechanism, samples)
    return Control(mistake, Audit(theorem, f"privacy.control.{slug or name}", f"control {name}", method, expected=Verdict.REFUTED))


def _half_the_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return data + rng.laplace(0.0, 0.5, (runs, 1))


def _noise_reused(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """One draw for both numbers of the answer: their difference is exact."""
    return data + rng.laplace(0.0, 1.0, (runs, 1))


def _one_record_counts_twice(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The sum and the sum again: one record moves the pair by 2, the noise is for 1."""
    return np.array([data.sum(), data.sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _coarse_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The noise is rounded to a grid that the answers do not lie on, so what is left of the grid names the answer."""
    return data + np.round(rng.laplace(0.0, 1.0, (runs, 1)) * 4.0) / 4.0


def _drawn_until_inside(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise is drawn again until the release lies in [0, 1]: how often that takes depends on the answer, most for one at an end."""
    scale, centre = 0.5, float(data[0])
    low, high = _laplace_cdf(0.0 - centre, scale), _laplace_cdf(1.0 - centre, scale)
    levels = low + (high - low) * rng.random((runs, 1))  # the law of the first draw that lies inside
    return centre - scale * np.sign(levels - 0.5) * np.log1p(-2.0 * np.abs(levels - 0.5))


def _laplace_cdf(x: float, scale: float) -> float:
    return 0.5 * math.exp(x / scale) if x < 0 else 1.0 - 0.5 * math.exp(-x / scale)


def _not_a_number_for_large(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """An answer of 1 or more overflows in one run of twenty, and the release is NaN there."""
    noisy = data + rng.laplace(0.0, 1.0, (runs, 1))
    return np.where((data >= 1.0) & (rng.random((runs, 1)) < 0.05), np.nan, noisy)


def _two_categories_of_four(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The probability of the truth is the one for two categories; there are four."""
    keep = math.e / (1.0 + math.e)
    moved = np.where(rng.random(runs) < keep, 0.0, 1.0 + np.floor(3.0 * rng.random(runs)))
    return np.asarray(np.mod(data[0] + moved, 4.0)[:, None])


def _five_releases(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Five releases, each with the noise for one."""
    return data + rng.laplace(0.0, 1.0, (runs, 5))


def _classic_at_six(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """sqrt(2 ln(1.25 / delta)) / epsilon at epsilon 6 and delta 0.3, where the theorem asks for epsilon < 1; delta is 0.43 in truth."""
    return data + rng.normal(0.0, math.sqrt(2.0 * math.log(1.25 / 0.3)) / 6.0, (runs, 1))


def _variance_for_deviation(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The calibrated variance passed where the standard deviation is meant."""
    return data + rng.normal(0.0, exact_sigma(2.0, 0.1) ** 2, (runs, 1))


def _largest_change_only(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Three numbers may all move by 1; the noise is for the largest move instead of the Euclidean length of all."""
    return data + rng.normal(0.0, 1.0, (runs, 3))


def _four_hundred_releases(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for 20 releases at 0.1 each; 400 are made. How many of them exceed one half is enough to see it, so that alone is drawn."""
    return np.array(rng.binomial(400, 1.0 - _laplace_cdf(0.5 - float(data[0]), 10.0), (runs, 1)), dtype=float)


def _looked_up_again(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """A noisy answer, rounded to the nearest of two values by a rule that asks the data again when in doubt."""
    noisy = data + rng.laplace(0.0, 1.0, (runs, 1))
    return np.where(np.abs(noisy - 0.5) < 0.25, np.round(data), (noisy > 0.5).astype(float))


_SUM = Neighbours(Relation.REPLACE_RECORD, lengths=(3, 3), worst=(((0.0, 0.5, 0.5), (1.0, 0.5, 0.5)),))
_OFF_GRID = Neighbours(Relation.WITHIN_SENSITIVITY, lengths=(1, 1), worst=(((0.0,), (0.9,)),))
_HALF_APART = Neighbours(Relation.WITHIN_SENSITIVITY, lengths=(1, 1), sensitivity=0.5, worst=(((0.0,), (0.5,)),))
_ALL_MOVE = Neighbours(
    Relation.WITHIN_SENSITIVITY, lengths=(3, 3), sensitivity=math.sqrt(3.0), norm=2, worst=(((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),)
)
_FOUR = Neighbours(Relation.ANY_PAIR, high=3.0, lengths=(1, 1), integral=True, worst=(((0.0,), (1.0,)),))

HALF_THE_NOISE = _control("half_the_noise", "half the noise", "dwork_2006.laplace_privacy", Broken(_NEAR, _answer(), _half_the_noise))
NOISE_REUSED = _control("noise_reused", "noise reused", "dwork_2006.laplace_privacy", Broken(_NEAR, _answer(2), _noise_reused))
WRONG_SENSITIVITY = _control(
    "wrong_sensitivity",
    "wrong sensitivity",
    "dwork_2006.laplace_privacy",
    Broken(PureDP(1.0, Relation.REPLACE_RECORD), _SUM, _one_record_counts_twice),
)
ROUNDING = _control("rounding_that_leaks", "rounding that leaks", "dwork_2006.laplace_privacy", Broken(_NEAR, _OFF_GRID, _coarse_noise))
DRAWN_UNTIL_INSIDE = _control(
    "drawn_until_inside",
    "a stopping rule that depends on the data",
    "dwork_2006.laplace_privacy",
    Broken(_NEAR, _HALF_APART, _drawn_until_inside),
)
NOT_A_NUMBER = _control(
    "nan_on_one_side", "NaN on one neighbour alone", "dwork_2006.laplace_privacy", Broken(_NEAR, _answer(), _not_a_number_for_large)
)
WRONG_CATEGORIES = _control(
    "two_categories_of_four",
    "randomised response calibrated for fewer categories",
    "kairouz_2014.randomised_response_privacy",
    Broken(PureDP(1.0, Relation.ANY_PAIR, View.LOCAL), _FOUR, _two_categories_of_four),
)
WRONG_KEEP = _control(
    "keep_of_two_categories",
    "the probability of the truth for two categories, used for four",
    "kairouz_2014.randomised_response_keep",
    Broken(PureDP(1.0, Relation.ANY_PAIR, View.LOCAL), _FOUR, _two_categories_of_four),
)
FORGOTTEN = _control(
    "composition_forgotten", "composition forgotten", "inequalities.basic_composition", Broken(_NEAR, _answer(), _five_releases)
)
CLASSIC_OUTSIDE = _control(
    "classic_outside_its_range",
    "classic Gaussian calibration at epsilon 6",
    "dwork_roth_2014.gaussian_classic",
    Broken(ApproximateDP(6.0, 0.3, Relation.WITHIN_SENSITIVITY), _answer(), _classic_at_six),
    samples=1_000_000,
)
CLASSIC_DELTA_OUTSIDE = _control(
    "classic_delta_outside_its_range",
    "delta of the classic calibration read off at epsilon 6",
    "dwork_roth_2014.gaussian_classic_delta",
    Broken(ApproximateDP(6.0, 0.3, Relation.WITHIN_SENSITIVITY), _answer(), _classic_at_six),
    samples=1_000_000,
    slug="delta_outside_its_range",
)
VARIANCE_FOR_DEVIATION = _control(
    "variance_for_deviation",
    "a variance where a standard deviation is meant",
    "balle_wang_2018.gaussian_calibration",
    Broken(ApproximateDP(2.0, 0.1, Relation.WITHIN_SENSITIVITY), _answer(), _variance_for_deviation),
)
WRONG_NORM = _control(
    "wrong_norm",
    "sensitivity in the maximum norm where the Euclidean is meant",
    "balle_wang_2018.gaussian_profile",
    Broken(GaussianDP(1.0, Relation.WITHIN_SENSITIVITY), _ALL_MOVE, _largest_change_only),
)
MORE_THAN_COUNTED = tuple(
    _control(
        f"more_than_counted_{name}",
        "more releases than were counted",
        f"inequalities.{name}",
        Broken(ApproximateDP(composed, 0.01, Relation.WITHIN_SENSITIVITY), _answer(), _four_hundred_releases),
        slug="more_than_counted",
    )
    # What the advanced composition of 20 Laplace releases at epsilon 0.1 gives at delta 0.01, and the sharper one: rounded up.
    for name, composed in (
        ("advanced_composition", 1.57),
        ("advanced_composition_delta", 1.57),
        ("sharp_composition", 1.46),
        ("sharp_composition_delta", 1.46),
        ("basic_composition_delta", 2.0),
    )
)
LOOKED_UP_AGAIN = _control(
    "looked_up_again", "post-processing that reads the data", "inequalities.post_processing", Broken(_NEAR, _answer(), _looked_up_again)
)
