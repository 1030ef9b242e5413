"""Where every random number comes from: Philox, addressed by (key, run, purpose, index).

A `SeedSequence` turns a seed and a path of names into the key of an audit; run, purpose and index are counter words. So a number
depends on its address alone: not on the block size, on the number of workers, or on what a policy did before. The blocks are those of
`numpy.random.Philox(key=key, counter=(0, purpose, run, 0))`, Philox4x64-10, bit for bit; `generator` opens the same stream as a NumPy
generator. Draws of many numbers at a time come from Philox4x32-10 (`draws.words`), whose keys `short_key` takes from the former.

None of this is cryptographic. Inside kernels a key has three words: the key's two and the run.
"""

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

from banditproof.guarantees import whole
from banditproof.kernels import add_low, compiled, multiply

Words = NDArray[np.uint64]

# Purposes: one stream each, so that two purposes never share one.
REWARDS, CONTEXTS, CHOICES, NOISE, CLIENT, CORRUPTION, SHUFFLING, RELEASE = range(8)

_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_ONE, _ELEVEN, _HALF, _LOWER = np.uint64(1), np.uint64(11), np.uint64(32), np.uint64(2**32 - 1)
_UNIT = 2.0**-53


def key_of(seed: int, *path: str | int) -> Words:
    """The key, shape (2,), that addresses all random numbers of a run (`play`): a hash of a seed and of a path of names, so that runs with
    other names are independent. Raises ValueError unless `seed` is a whole number >= 0."""
    entropy = whole("seed", seed, 0, most=math.inf)
    spawn = [int.from_bytes(hashlib.sha256(str(part).encode()).digest()[:8], "little") for part in path]
    return np.random.SeedSequence(entropy, spawn_key=tuple(spawn)).generate_state(2, np.uint64).astype(np.uint64)


def key_from(rng: np.random.Generator) -> Words:
    """Draws a key, shape (2,), from a generator: how code that is given a generator starts counter streams."""
    return rng.integers(0, 2**64, size=2, dtype=np.uint64)


def generator(key: Words, purpose: int = RELEASE, run: int = 0) -> np.random.Generator:
    """A NumPy generator on the stream of (key, run, purpose)."""
    return np.random.Generator(np.random.Philox(key=key[:2], counter=np.array([0, purpose, run, 0], dtype=np.uint64)))


def _philox(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Philox4x64-10 of a counter and a key (Salmon, Moraes, Dror and Shaw 2011)."""
    for _ in range(10):
        high_0, low_0 = multiply(_MULTIPLIER_0, c0)
        high_1, low_1 = multiply(_MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = add_low(k0, _WEYL_0), add_low(k1, _WEYL_1)
    return c0, c1, c2, c3


philox = compiled(_philox, inline=True)


def _block(key: Words, purpose: int, index: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Four words: the Philox4x64-10 block `index` (from 0) of the stream of (key, purpose)."""
    return philox(np.uint64(index + 1), np.uint64(purpose), key[2], np.uint64(0), key[0], key[1])


def _short_key(key: Words, purpose: int, target: Words) -> None:
    """The key and the upper half of the counter of a Philox4x32 stream (`draws.words`), target (4,), each of 32 bits: from a block of
    (key, purpose) that no other draw has, its last counter word being 1."""
    first, second, _, _ = philox(_ONE, np.uint64(purpose), key[2], _ONE, key[0], key[1])
    target[0], target[1], target[2], target[3] = first & _LOWER, first >> _HALF, second & _LOWER, second >> _HALF


block, short_key = compiled(_block, inline=True), compiled(_short_key, inline=True)


def _uniform(key: Words, purpose: int, index: int) -> float:
    """Uniform on [0, 1), a multiple of 2 ** -53, from the first word of a block."""
    word, _, _, _ = block(key, purpose, index)
    return float(word >> _ELEVEN) * _UNIT


def _laplace(key: Words, purpose: int, index: int) -> float:
    """Laplace noise of scale 1: a sign and an exponential from one word."""
    word, _, _, _ = block(key, purpose, index)
    size = -math.log((float(word >> _ELEVEN) + 1.0) * _UNIT)
    return size if word & _ONE else -size


def _normal(key: Words, purpose: int, index: int) -> float:
    """Standard normal noise (Box and Muller 1958) from two words."""
    first, second, _, _ = block(key, purpose, index)
    size = math.sqrt(-2.0 * math.log((float(first >> _ELEVEN) + 1.0) * _UNIT))
    return size * math.cos(2.0 * math.pi * (float(second >> _ELEVEN) * _UNIT))


uniform = compiled(_uniform, inline=True)
laplace = compiled(_laplace, inline=True)
normal = compiled(_normal, inline=True)
