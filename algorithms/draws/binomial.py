"""Binomial numbers: the successes of many trials by a draw or two, by inversion where few are expected, else by rejection.

Transformed rejection with squeeze (Hormann 1993, "The generation of binomial random variates", algorithm BTRS). Exact but for
rounding: every probability is right within 1e-10, relatively, and what lies beyond a tail of 2^-53 is not drawn.
"""

import math

import numpy as np

from banditproof.interaction import Words
from banditproof.kernels import compiled
from banditproof.randomness import block

ATTEMPTS = 256  # blocks that a number has to itself: one of 7 attempts fails, so more are never asked for
_FEWEST = 10.0  # successes expected where the rejection is valid
_ELEVEN, _UNIT = np.uint64(11), 2.0**-53


def _series(count: float) -> float:
    """What ln count! has beyond Stirling's formula: ln n! - (n + 1/2) ln (n + 1) + (n + 1) - ln(2 pi) / 2, for n >= 0."""
    shift, n = 0.0, count
    while n < 9.0:  # ln n! = ln (n + 1)! - ln (n + 1)
        shift += (n + 1.5) * math.log1p(1.0 / (n + 1.0)) - 1.0
        n += 1.0
    square = (n + 1.0) * (n + 1.0)
    return shift + (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / (n + 1.0)


series = compiled(_series)


def _by_inversion(word: np.uint64, trials: int, chance: float) -> int:
    """For a chance of at most 1/2 and few expected successes: counts up until the mass of the counts below exceeds a uniform."""
    left, count = float(word >> _ELEVEN) * _UNIT, 0
    mass, odds = math.exp(trials * math.log1p(-chance)), chance / (1.0 - chance)
    while left >= mass and count < trials:
        left -= mass
        count += 1
        mass *= odds * (trials - count + 1) / count
    return count


by_inversion = compiled(_by_inversion)


def _by_rejection(key: Words, purpose: int, index: int, trials: int, chance: float) -> int:
    """For a chance of at most 1/2, and at least 10 expected successes."""
    deviation = math.sqrt(trials * chance * (1.0 - chance))
    b = 1.15 + 2.53 * deviation
    a, center, squeeze = -0.0873 + 0.0248 * b + 0.01 * chance, trials * chance + 0.5, 0.92 - 4.2 / b
    mode, odds = math.floor((trials + 1) * chance), chance / (1.0 - chance)
    for attempt in range(ATTEMPTS):
        first, second, _, _ = block(key, purpose, index + attempt)
        u, v = float(first >> _ELEVEN) * _UNIT - 0.5, (float(second >> _ELEVEN) + 1.0) * _UNIT
        distance = 0.5 - abs(u)
        if distance <= 0.0:
            continue
        found = math.floor((2.0 * a / distance + b) * u + center)
        if distance >= 0.07 and v <= squeeze:
            return int(found)
        if found < 0 or found > trials:
            continue
        size = math.log(v * (2.83 + 5.1 / b) * deviation / (a / (distance * distance) + b))
        bound = (mode + 0.5) * math.log((mode + 1.0) / (odds * (trials - mode + 1.0)))
        bound += series(float(mode)) + series(float(trials - mode)) - series(float(found)) - series(float(trials - found))
        bound += (trials + 1.0) * math.log((trials - mode + 1.0) / (trials - found + 1.0))
        bound += (found + 0.5) * math.log(odds * (trials - found + 1.0) / (found + 1.0))
        if size <= bound:
            return int(found)
    raise ValueError("a binomial number was rejected 256 times: must be accepted before (trials, probability)")


by_rejection = compiled(_by_rejection)


def _binomial(key: Words, purpose: int, index: int, trials: int, probability: float) -> int:
    """Successes of so many trials; takes random blocks from `index` on, at most ATTEMPTS."""
    chance = min(probability, 1.0 - probability)
    if trials * chance < _FEWEST:
        word, _, _, _ = block(key, purpose, index)
        count = by_inversion(word, trials, chance)
    else:
        count = by_rejection(key, purpose, index, trials, chance)
    return count if probability <= 0.5 else trials - count


binomial = compiled(_binomial)
