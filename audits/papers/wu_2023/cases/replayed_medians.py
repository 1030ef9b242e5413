"""RUCB replayed round by round: every arm from all rewards so far, every median by sorting them, and what it adds to a median."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from banditproof.algorithms.policies import median_ucb
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.audits.common.beside import accepted, beside, compared, refused
from banditproof.audits.common.index_runs import Heard, Run, as_compiled, refuses_nan, replayed, runs
from banditproof.audits.methods.pointwise import At
from banditproof.randomness import generator, key_of
from banditproof.theory.papers.wu_2023 import lower_bound

_KEY = key_of(0, "wu_2023", "replayed_medians")


def median(heard: Heard, arm: int) -> float:
    """The upper of the two middle ones; 0 of none."""
    found = sorted(heard.rewards[arm])
    return found[len(found) // 2] if found else 0.0


def index(variance: float, contamination: float, heard: Heard, released: Sequence[float], arm: int, played: int) -> float:
    pulls = len(heard.rewards[arm])
    return released[arm] + math.sqrt(variance * math.log(played) / pulls) + math.sqrt(variance) * contamination


def orders() -> Iterator[Run]:
    """Rewards that rise, fall, swing, and that lie far apart, in an order that both halves grow in."""
    rounds = np.arange(120.0)[:, None]
    for name, rewards in (
        ("rising", rounds),
        ("falling", -rounds),
        ("swinging", rounds * (-1.0) ** rounds),
        ("any", generator(_KEY).normal(0.0, 1e3, (120, 1))),
        ("ties", np.floor(generator(_KEY, run=1).uniform(0.0, 6.0, (120, 1)))),
    ):
        yield Run(name, np.hstack([rewards, rewards + 0.25]))


def replays() -> Iterator[At]:
    for variance, contamination in ((0.04, 0.0), (1.0, 0.2), (30.0, 0.4)):
        policy = MedianUCB(variance, contamination)
        for found in (*runs((2, 4), 100), *orders(), *as_compiled(orders())):
            yield from replayed(policy, found, median, partial(index, variance, contamination))
        for pulls, played in ((1, 2), (7, 100), (50, 51)):
            expected = math.sqrt(variance * math.log(played) / pulls) + math.sqrt(variance) * contamination
            yield from compared({"pulls": pulls}, bonus=(median_ucb.bonus(variance, contamination, pulls, played), expected))
    yield from refuses_nan(MedianUCB(1.0))
    yield from compared({}, widths=((MedianUCB(1.0).message_width(0), MedianUCB(1.0).statistic_width(4, 0)), (1, 4)))
    yield from refused({}, MedianUCB, {"variance": (0.0, -1.0, math.nan), "contamination": (-0.01, 0.5)}, variance=1.0)
    yield from accepted({}, MedianUCB, {"contamination": (0.0, 0.49)}, variance=1.0)


REPLAYED = beside(
    lower_bound.LOWER_BOUND.id, "medians_replayed", "RUCB's arms and medians, from sorted rewards", replays, "39 runs of up to 120 rounds"
)
