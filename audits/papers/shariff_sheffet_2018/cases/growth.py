"""shariff_sheffet_2018: the orders of the corollaries, by how much the explicit bounds grow between two values of a quantity."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import fraction
from banditproof.theory.language import Constants, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, privacy, wishart


def as_explicit(theorem: Theorem) -> Theorem:
    """A bound with suppressed constants, with 1 for them: only its ratio at two values means something."""
    return replace(theorem, hypotheses=(), bound=replace(theorem.stated(), constants=Constants.EXPLICIT))


def growth(theorem: Theorem, other: Theorem, name: str, ends: tuple[str, str]) -> Iterator[At]:
    """How much `other`, with its constants, grows between two values of a quantity, against twice what the theorem claims. n is so large
    that rho_min, which grows as well, stays far below it, and epsilon so small that the price of privacy is all that counts."""
    values, claims = [], []
    for end in ends:
        setting: dict[str, Any] = _LARGE | {name: end} | ({"action_gap": "1/10"} if "gap" in theorem.id else {})
        own: dict[str, Any] = {key: setting.pop(key) for key in ("epsilon", "delta")}
        degrees = ceil(fraction(privacy.WISHART_CALIBRATION.at(horizon=setting["horizon"], dimension=setting["dimension"], **own).ball))
        values.append(
            fraction(other.at(context_norm=1, **setting, **({"wishart_degrees": degrees} if "wishart" in theorem.id else own)).ball)
        )
        claims.append(fraction(as_explicit(theorem).at(**setting, **own).ball))
    yield At({"first": ends[0], "last": ends[1]}, values[1] / values[0], 2 * claims[1] / claims[0])


_LARGE: dict[str, Any] = {
    "horizon": 10**60,
    "dimension": 5,
    "epsilon": 1,
    "delta": "1/10",
    "row_norm": 1,
    "mean_bound": 1,
    "parameter_norm": 1,
    "reward_sigma": Fraction(1, 10**6),
    "failure": "1/1000",
}
ENDS = {"delta": ("1e-2", "1e-2000"), "epsilon": ("1e-4", "1e-12"), "horizon": ("1e60", "1e600")}
ORDERS = tuple(
    Audit(
        theorem.id,
        f"points.growth_in_{name}",
        f"growth in {name} against {other.id.partition('.')[2]}",
        Pointwise(
            partial(growth, theorem, other, name, ENDS[name]),
            f"{name} {' and '.join(ENDS[name])}, n 1e60, d 5, epsilon 1, delta 1/10 otherwise, sigma 1e-6",
            "growth, over twice the claim",
        ),
    )
    for theorem, other, names in (
        (wishart.REGRET_WISHART, wishart.REGRET_WISHART_EXPLICIT, ("epsilon",)),
        (wishart.REGRET_WISHART_GAP, wishart.REGRET_WISHART_GAP_EXPLICIT, ("epsilon",)),
        (wishart.REGRET_WISHART_PLUGGED, wishart.REGRET_WISHART_EXPLICIT, ("epsilon", "delta", "horizon")),
        (wishart.REGRET_WISHART_GAP_PLUGGED, wishart.REGRET_WISHART_GAP_EXPLICIT, ("epsilon", "delta", "horizon")),
        (gaussian.REGRET_GAUSSIAN, gaussian.REGRET_GAUSSIAN_EXPLICIT, ("epsilon", "delta", "horizon")),
        (gaussian.REGRET_GAUSSIAN_GAP, gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT, ("epsilon", "delta", "horizon")),
    )
    for name in names
)
