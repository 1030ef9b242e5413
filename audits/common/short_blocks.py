"""Uniforms and normals of short blocks (`algorithms.draws.words`), transcribed in whole numbers: Philox4x32-10 as its authors write it, and
NumPy's own generator for its key. Only the addresses are shared with the shipped code."""

import math

import numpy as np

from banditproof.interaction import Words

Stream = tuple[int, int, int, int]


def short_stream(key: Words, purpose: int) -> Stream:
    """Key and upper half of the counter of a stream, for a key with its run (3,): halves of words of a block that no other draw has."""
    generator = np.random.Philox(key=key[:2], counter=np.array([0, purpose, key[2], 1], dtype=np.uint64))
    first, second = (int(word) for word in generator.random_raw(2))
    return first % 2**32, first >> 32, second % 2**32, second >> 32


def short_block(stream: Stream, index: int) -> tuple[int, int, int, int]:
    """The four words of a block: ten rounds, the key growing from round to round."""
    k0, k1, c2, c3 = stream
    c0, c1 = index % 2**32, index >> 32 & 0xFFFFFFFF
    for _ in range(10):
        low, high = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = high >> 32 ^ c1 ^ k0, high % 2**32, low >> 32 ^ c3 ^ k1, low % 2**32
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c0, c1, c2, c3


def fine_pair(stream: Stream, index: int) -> tuple[float, float]:
    """The two multiples of 2^-53 of a block: its second word above its first, its fourth above its third, less the lowest 11 bits."""
    c0, c1, c2, c3 = short_block(stream, index)
    return ((c1 << 32 | c0) >> 11) / 2**53, ((c3 << 32 | c2) >> 11) / 2**53


def coin(stream: Stream, round: int) -> float:
    """The uniform of a round (`algorithms.draws.coins`): of 64 rounds that stand together the j-th has block j mod 32 of theirs, the first
    number for j < 32, else the second."""
    window, place = divmod(round, 64)
    return fine_pair(stream, 32 * window + place % 32)[place // 32]


def normal(stream: Stream, index: int) -> float:
    """The standard normal of an index (`algorithms.draws.kept_normals`): of 64 indices that stand together the j-th has block j mod 32 of
    theirs, radius and angle by Box and Muller, its cosine for j < 32, else its sine."""
    window, place = divmod(index, 64)
    size, turn = fine_pair(stream, 32 * window + place % 32)
    radius, angle = math.sqrt(-2.0 * math.log1p(-size)), 2.0 * math.pi * (turn - 0.5)
    return radius * (math.cos(angle) if place < 32 else math.sin(angle))
