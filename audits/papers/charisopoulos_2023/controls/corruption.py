"""Corruption that does not strike as the statements say, and a filter that does not filter as printed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from banditproof import randomness
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.linear_adversary import LinearAdversary, Positions
from banditproof.algorithms.estimators.spectral_filter.common import Method
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.stated import Derived
from banditproof.audits.mutations import control, points_control
from banditproof.audits.papers.charisopoulos_2023.cases import filtering, wire
from banditproof.audits.running.audit import Control
from banditproof.interaction import Corruption, Floats, Kernel, Wire, Words
from banditproof.kernels import CORRUPT, compiled
from banditproof.randomness import uniform
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import filter as filter_theory

_EXPLICIT = filter_theory.INLIER_FRACTION_EXPLICIT


def _strike_the_good(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    """Reports above 0 alone, each with probability 2 alpha."""
    if values[0] > 0.0 and uniform(key, randomness.CORRUPTION, round) < 2.0 * setup[0]:
        values[0] = setup[1]


def _strike_two(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    """Rounds by twos, with one number for both."""
    if uniform(key, randomness.CORRUPTION, round // 2) < setup[0]:
        values[0] = setup[1]


def _spare_an_arm(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    """All arms but the first."""
    if arm > 0 and uniform(key, randomness.CORRUPTION, round) < setup[0]:
        values[0] = setup[1]


strike_the_good, strike_two, spare_an_arm = (
    compiled(_strike_the_good, CORRUPT),
    compiled(_strike_two, CORRUPT),
    compiled(_spare_an_arm, CORRUPT),
)


@dataclass(frozen=True)
class Struck:
    """Reports replaced by 50, by one of the kernels above."""

    kernel: Kernel
    wire: Wire = field(default=Wire.REPORT, init=False, repr=False)

    def setup(self) -> Floats:
        return np.array([wire.ALPHA, 50.0])

    def memory(self) -> Floats:
        return np.zeros(0)


def _positions(name: str, mistake: str, corruption: Corruption, event: wire.Event, probability: float, runs: int = wire.LONG) -> Control:
    sender = replace(wire.first(1.0), corruption=corruption)
    return control(name, mistake, _EXPLICIT, wire.counted(sender, event, probability, mistake, runs))


POSITIONS = (
    _positions(
        "good_points_only",
        "corruption of good points only: of reports above 0, at twice the rate",
        Struck(strike_the_good),
        wire.struck_above,
        wire.ALPHA / 2.0,
    ),
    _positions("one_coin_for_two", "one coin for two neighbouring reports", Struck(strike_two), wire.both_struck, wire.ALPHA**2),
    _positions("arm_spared", "no corruption of the first arm", Struck(spare_an_arm), partial(wire.struck_of_arm, 0), wire.ALPHA, 5_000),
    _positions("half_as_often", "corruption with half the probability", Huber(0.1, high=50.0, wire=Wire.REPORT), wire.struck, wire.ALPHA),
    _positions(
        "worst_positions",
        "the reports that move the estimate most in place of random ones",
        LinearAdversary(wire.ALPHA, (1.0, 0.5, -1.0, 0.25), 50.0, Positions.WORST),
        wire.struck_above,
        wire.ALPHA / 2.0,
    ),
)

# --- the filter ---------------------------------------------------------------------------------------------------------------------------


def _largest_leaves(count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The point of the largest mass leaves, whatever the uniform number."""
    deviations = filtering.FIVE - filtering.FIVE.mean()
    return np.full(count, int(np.argmax(deviations**2)) == 4)


def _along_the_mean(count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Masses are the squared points, not those of their distances from the mean."""
    masses = filtering.FIVE**2
    return np.asarray(rng.random(count) < masses[4] / masses.sum())


def _drawn(name: str, mistake: str, removed: Callable[[int, np.random.Generator], NDArray[np.bool_]]) -> Control:
    stated = Derived(lambda: filtering.LAST_LEAVES, "its mass among all masses", Sense.EQUALS)
    return control(name, mistake, filter_theory.FILTER_STOP, Coverage(removed, stated, "the report -8 is removed first", 1.1, runs=20_000))


_PROBLEMS = range(filtering.DRAWN)
FILTER = (
    points_control(
        "stops_at_eight",
        "a filter that stops at 8 lambda",
        filter_theory.FILTER_STOP,
        partial(filtering.below, _PROBLEMS, Method.FAST, 8.0),
    ),
    points_control(
        "stops_at_two",
        "a filter that stops at 2 lambda",
        filter_theory.FILTER_STOP,
        partial(filtering.above, _PROBLEMS, 2.0),
        Sense.AT_LEAST,
    ),
    _drawn("largest_leaves", "the point of the largest mass removed, not one drawn by mass", _largest_leaves),
    _drawn("masses_without_the_mean", "masses of points, not of their distances from the mean", _along_the_mean),
)
