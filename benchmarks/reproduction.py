"""A seed of experiment D.2 of Shariff and Sheffet 2018 (four variants, both panels, 5e7 rounds), from shorter runs.

The variants of a panel see the same decision sets and are played together, so a panel is what one core does: two cores take what the slower
panel takes. The time per round does not depend on the round (`growth` measures that), so it is multiplied by the paper's rounds.
"""

import importlib
import importlib.util
import time
from collections.abc import Callable, Sequence
from typing import Any

from banditproof.algorithms.environments.sphere import Rewards
from benchmarks.runner.cases import Case, Figure, Missing, Scale, Target

LONG = False
PAPER = "banditproof.audits.papers.shariff_sheffet_2018"
HORIZON, GAPS, SEED, REPEATS = 50_000_000, (0.0, 0.1), 17, 3


def cases(scale: Scale) -> Sequence[Case]:
    if importlib.util.find_spec(PAPER) is None:
        return [Missing("d2_seed", "the paper's audits are not in this checkout")]
    rounds = scale.of(500_000, 20_000)
    target = Target(at_most=90.0, source="issue 17, 2")
    note = f"from {rounds:,} rounds, multiplied: an estimate; CPU seconds of the slower of two panels"
    return [Figure("d2_seed", _seconds(rounds), "s on two cores", target, note)]


def _seconds(rounds: int) -> Callable[[], float]:
    def measured() -> float:
        privacy, runs = (importlib.import_module(f"{PAPER}.figures.{name}") for name in ("privacy", "runs"))
        panels = [_panel(privacy, runs, gap, rounds) for gap in GAPS]
        for panel in panels:
            runs.played(panel)
        least = [float("inf")] * len(panels)
        for _ in range(REPEATS):
            for place, panel in enumerate(panels):
                start = time.process_time()
                runs.played(panel)
                least[place] = min(least[place], time.process_time() - start)
        return max(least) * HORIZON / rounds

    return measured


def _panel(privacy: Any, runs: Any, gap: float, rounds: int) -> list[Any]:
    """The tasks of a panel's four variants, stopped after so many rounds."""
    settings = [runs.Setting(noise, privacy.DIMENSION, gap, Rewards.SIGNS, HORIZON) for noise in privacy.VARIANTS.values()]
    return [runs.Task(setting, SEED, 0, rounds, (rounds,)) for setting in settings]
