"""Continual sums whose error grows too fast, each claimed to grow like the tree's."""

from collections.abc import Callable

import numpy as np

from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.running.audit import Audit, Control
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import HORIZON
from banditproof.interaction import Floats
from banditproof.theory.papers import chan_2011, dwork_2010


def _noise_for_every_prefix(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """No tree: each of the T prefix sums gets its own noise, so its scale is T / epsilon."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, horizon, (runs, horizon))).max(axis=1)


def _noise_for_every_number(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """Noise on each number of the stream, read where the noisy sum of all of them is meant: the error grows like the root of T."""
    return lambda runs, rng: np.abs(rng.laplace(0.0, 1.0, (runs, horizon)).sum(axis=1))


NO_TREE = Control(
    "fresh noise for every prefix sum, at the budget of all",
    Audit(
        dwork_2010.COUNTER_ERROR.id,
        "growth.control.no_tree",
        "control no_tree",
        GrowthRate(_noise_for_every_prefix, dwork_2010.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
        expected=Verdict.REFUTED,
    ),
)
NOISE_PER_NUMBER = Control(
    "noise on each number of the stream instead of on partial sums",
    Audit(
        chan_2011.COUNTER_ERROR.id,
        "growth.control.noise_per_number",
        "control noise_per_number",
        GrowthRate(_noise_for_every_number, chan_2011.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
        expected=Verdict.REFUTED,
    ),
)
