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
_FEW_TRIALS = 128  # up to which powers are multiplied out
_NEAR = 16  # successes from the mode up to which a probability is computed by its factors: 16 numbers below 2^63 do not overflow
_FEWEST = 10.0  # successes expected where the rejection is valid
_ELEVEN, _UNIT = np.uint64(11), 2.0**-53


# What ln n! has beyond Stirling's formula, `series`, for n = 0 .. 8.
_FIRST = np.array([math.lgamma(n + 1.0) - ((n + 0.5) * math.log(n + 1.0) - (n + 1.0) + 0.5 * math.log(2.0 * math.pi)) for n in range(9)])


def _series(count: float) -> float:
    """What ln count! has beyond Stirling's formula: ln n! - (n + 1/2) ln (n + 1) + (n + 1) - ln(2 pi) / 2, for n >= 0."""
    if count < 9.0:
        return float(_FIRST[int(count)])
    inverse = 1.0 / (count + 1.0)
    square = inverse * inverse
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 * square) * square) * square) * inverse


series = compiled(_series, inline=True)


def _failures(trials: int, chance: float) -> float:
    """(1 - chance)^trials, within 1e-13 relatively."""
    if trials > _FEW_TRIALS:
        return math.exp(trials * math.log1p(-chance))
    mass, square, left = 1.0, 1.0 - chance, trials
    while left > 0:
        if left & 1:
            mass *= square
        square *= square
        left >>= 1
    return mass


failures = compiled(_failures, inline=True)


def _by_inversion(word: np.uint64, trials: int, chance: float) -> int:
    """For a chance of at most 1/2 and few expected successes: counts up until the mass of the counts below exceeds a uniform."""
    left, count = float(word >> _ELEVEN) * _UNIT, 0
    mass, odds = failures(trials, chance), chance / (1.0 - chance)
    while left >= mass and count < trials:
        left -= mass
        count += 1
        mass *= odds * (trials - count + 1) / count
    return count


by_inversion = compiled(_by_inversion, inline=True)


def _relative_mass(trials: int, odds: float, mode: int, found: int) -> float:
    """The probability of `found` successes divided by that of `mode`, at most _NEAR away: the product of the factors between them."""
    above, below, low, high = 1.0, 1.0, min(mode, found), max(mode, found)
    for count in range(low + 1, high + 1):
        above *= odds * float(trials - count + 1)
        below *= float(count)
    return above / below if found > mode else below / above


relative_mass = compiled(_relative_mass, inline=True)


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
        wanted = v * (2.83 + 5.1 / b) * deviation / (a / (distance * distance) + b)
        if abs(found - mode) <= _NEAR:
            if wanted <= relative_mass(trials, odds, int(mode), int(found)):
                return int(found)
            continue
        size = math.log(wanted)
        bound = (mode + 0.5) * math.log((mode + 1.0) / (odds * (trials - mode + 1.0)))
        bound += series(float(mode)) + series(float(trials - mode)) - series(float(found)) - series(float(trials - found))
        bound += (trials + 1.0) * math.log((trials - mode + 1.0) / (trials - found + 1.0))
        bound += (found + 0.5) * math.log(odds * (trials - found + 1.0) / (found + 1.0))
        if size <= bound:
            return int(found)
    raise ValueError("a binomial number was rejected 256 times: must be accepted before (trials, probability)")


by_rejection = compiled(_by_rejection, inline=True)


def _binomial(key: Words, purpose: int, index: int, trials: int, probability: float) -> int:
    """Successes of so many trials; takes random blocks from `index` on, at most ATTEMPTS."""
    chance = min(probability, 1.0 - probability)
    if trials * chance < _FEWEST:
        word, _, _, _ = block(key, purpose, index)
        count = by_inversion(word, trials, chance)
    else:
        count = by_rejection(key, purpose, index, trials, chance)
    return count if probability <= 0.5 else trials - count


binomial = compiled(_binomial, inline=True)
