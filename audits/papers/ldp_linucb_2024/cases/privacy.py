"""ldp_linucb_2024: the privacy of one message, exactly: levels, profiles and calibrations beside what is claimed. Nothing is drawn."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers import balle_wang_2018
from banditproof.theory.papers.ldp_linucb_2024 import privacy

EPSILONS = ("1/10", "1/2", "1", "5", "10")
DELTAS = ("1/10", "1/1000", "1/100000")
BELOW_ONE = ("1/100", "1/10", "1/2", "99/100")


def calibrated(theorem: Theorem, exact: Theorem, epsilons: tuple[str, ...]) -> Iterator[At]:
    """The least standard deviation that is private, beside one that is said to be enough."""
    for epsilon, delta in product(epsilons, DELTAS):
        known = {"epsilon": epsilon, "delta": delta}
        yield At(known, exact.at(**known).ball, theorem.at(**known).ball)


_PARTS = ((privacy.PRIVACY, privacy.MESSAGE_CALIBRATION, "whole message"), (privacy.PART_PRIVACY, privacy.PART_CALIBRATION, "one part"))
CALIBRATIONS = tuple(
    Audit(
        theorem.id,
        f"points.exact_calibration{'_as_printed' if expected else ''}",
        f"{words}: the least noise for (epsilon, delta) beside the {'printed' if expected else 'repaired'} one",
        Pointwise(
            partial(calibrated, stated, exact, EPSILONS),
            f"epsilon {', '.join(EPSILONS)}, delta {', '.join(DELTAS)}",
            "least standard deviation",
        ),
        expected,
    )
    for theorem, exact, words in _PARTS
    for stated, expected in ((theorem, None), (theorem.as_printed(), Verdict.REFUTED))
)
CLASSIC = Audit(
    privacy.PART_PRIVACY.id,
    "points.exact_calibration_below_one",
    "one part, epsilon below 1: the least noise beside the printed one",
    Pointwise(
        partial(calibrated, privacy.PART_PRIVACY.as_printed(), privacy.PART_CALIBRATION, BELOW_ONE),
        f"epsilon {', '.join(BELOW_ONE)}, delta {', '.join(DELTAS)}",
        "least standard deviation",
    ),
)


def profiled(theorem: Theorem, injected: tuple[str, ...], epsilons: tuple[str, ...]) -> Iterator[At]:
    """The least delta of a message with the printed noise, beside the delta that is claimed."""
    for epsilon, delta, added in product(epsilons, DELTAS, injected):
        known = {"epsilon": epsilon, "delta": delta, "injected_sigma": added}
        yield At(known, theorem.at(**known).ball, Fraction(delta))


PROFILES = (
    Audit(
        privacy.PRIVACY.id,
        "points.exact_profile_as_printed",
        "whole message: the least delta at epsilon with the printed noise, at epsilon below 1 too",
        Pointwise(
            partial(profiled, privacy.MESSAGE_PROFILE, ("0",), ("1/2", "99/100")),
            "epsilon 1/2, 99/100, the three deltas, no injected noise",
            "delta",
        ),
        Verdict.REFUTED,
    ),
    Audit(
        privacy.EXPERIMENT_PROFILE.id,
        "points.panels_a_and_b",
        "the experiment's data at epsilon 0.2 and 1: the printed noise keeps its delta",
        Pointwise(
            partial(profiled, privacy.EXPERIMENT_PROFILE, ("0", "3/10"), ("1/5", "1")),
            "epsilon 1/5, 1, the three deltas, injected noise 0, 3/10",
            "delta",
        ),
    ),
)
PANEL_C = Audit(
    privacy.EXPERIMENT_PROFILE.id,
    "points.panel_c_as_printed",
    "the experiment's data at epsilon 10: the printed noise against its delta",
    Pointwise(partial(profiled, privacy.EXPERIMENT_PROFILE, ("0",), ("10",)), "epsilon 10, the three deltas, no injected noise", "delta"),
    Verdict.REFUTED,
)


def levels(theorem: Theorem, pairs: tuple[tuple[str, str, str, str], ...]) -> Iterator[At]:
    """m^2 for pairs of actions and rewards on one line or at right angles, beside the largest."""
    for (length, other, cosine, change), sigma, added in product(pairs, ("1/2", "2"), ("0", "1")):
        one, two, angle = Fraction(length), Fraction(other), Fraction(cosine)
        square = one**2 + two**2 - 2 * one * two * angle
        noise, extra = Fraction(sigma), Fraction(added)
        value = sqrt(square / (noise**2 + extra**2) + Fraction(change) ** 2 / noise**2)
        claimed = fraction(theorem.at(sigma=sigma, injected_sigma=added).ball)
        yield At({"|x|": length, "|x'|": other, "cosine": cosine, "|y - y'|": change, "sigma": sigma, "Delta": added}, value, claimed)


ANY = (("1", "1", "-1", "2"), ("1", "1", "0", "2"), ("1/2", "1", "-1", "1"), ("1", "0", "0", "2"), ("1", "1", "1", "0"))
EXPERIMENT = (("1", "1", "0", "1"), ("1", "1", "1/2", "1"), ("1", "1", "1", "1"), ("1", "1", "0", "0"))
LEVELS = tuple(
    Audit(
        theorem.id,
        "points.pairs_of_users",
        f"listed pairs of users {words}",
        Pointwise(partial(levels, theorem, pairs), f"{len(pairs)} pairs, sigma 1/2, 2, Delta 0, 1", "level of Gaussian privacy"),
    )
    for theorem, pairs, words in (
        (privacy.MESSAGE_LEVEL, ANY, "of actions of length at most 1 and rewards in [-1, 1]"),
        (privacy.EXPERIMENT_LEVEL, EXPERIMENT, "of the experiment, whose actions have cosines of at least 0"),
    )
)


def parts(theorem: Theorem) -> Iterator[At]:
    """The profile of one part, by the level and the statement of Balle and Wang, which has another form."""
    for epsilon, delta in product(EPSILONS, DELTAS):
        sigma = fraction(privacy.NOISE_SCALE.at(epsilon=epsilon, delta=delta).ball)
        exact = balle_wang_2018.GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=sigma, sensitivity=2)
        yield At({"epsilon": epsilon, "delta": delta}, exact.ball, theorem.at(epsilon=epsilon, delta=delta).ball)


PART = Audit(
    privacy.PART_PROFILE.id,
    "points.by_sensitivity",
    "the profile of sensitivity 2 at the printed noise",
    Pointwise(partial(parts, privacy.PART_PROFILE), "five epsilons, three deltas", "delta", Sense.EQUALS),
)
