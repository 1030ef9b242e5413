"""shariff_sheffet_2018: Corollaries 10 and 12 beside what 'plugging in' gives, by exact orders.

A printed order that is slower than what is plugged in does not follow from it; that it is false is not said. The regret of the first round
is another matter: it is played, so an order that falls below it is false there.
"""

from collections.abc import Callable
from functools import partial

from banditproof.audits.methods.rates import Rates
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import HORIZON, RATIO, Quantity
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, plugged, wishart

Path = Callable[[Theorem], Theorem]


def _slower(theorem: Theorem, slug: str, label: str, path: Path, other: Callable[[], Theorem], of: Quantity) -> Audit:
    """That the printed order, along a path, is slower than another statement's."""
    return Audit(theorem.id, f"rates.{slug}", f"{label}, as printed", Rates(partial(path, theorem), other, (of,)), Verdict.REFUTED)


def _as_it_is(theorem: Theorem) -> Theorem:
    return theorem


PLUGGING = tuple(
    _slower(theorem, slug, label, path, lambda path=path, gap=gap: path(plugged.plugged_wishart(gap)), HORIZON)  # type: ignore[misc]
    for theorem, gap, slug, label, path in (
        (wishart.REGRET_WISHART, False, "plugging_in", "the order in n beside (2) at Proposition 9", _as_it_is),
        (wishart.REGRET_WISHART_GAP, True, "plugging_in", "the order in n beside (3) at Proposition 9", _as_it_is),
        (
            wishart.REGRET_WISHART,
            False,
            "plugging_in_small_delta",
            "the order in n at delta = 1/n beside (2) at Proposition 9",
            plugged.at_delta_of_horizon,
        ),
    )
)
SHORT = tuple(
    _slower(
        theorem,
        "short_parameter",
        "the order as S = sigma = 1/x fall, beside what is plugged in",
        plugged.at_short_parameter,
        lambda build=build, gap=gap: plugged.at_short_parameter(build(gap)),  # type: ignore[misc]
        RATIO,
    )
    for theorem, build, gap in (
        (wishart.REGRET_WISHART, plugged.plugged_wishart, False),
        (wishart.REGRET_WISHART_GAP, plugged.plugged_wishart, True),
        (gaussian.REGRET_GAUSSIAN, plugged.plugged_gaussian, False),
        (gaussian.REGRET_GAUSSIAN_GAP, plugged.plugged_gaussian, True),
    )
)
WEAK = _slower(
    gaussian.REGRET_GAUSSIAN,
    "weak_privacy",
    "the order at epsilon = x^2 and sigma = 1/x, beside the regret of round 1",
    plugged.at_weak_privacy,
    plugged.first_round,
    RATIO,
)
