"""Laplace numbers of a short stream, one at a time: from the words of their block, without the window in which kernels draw them."""

import math

import numpy as np

from banditproof.algorithms.draws.words import short_block
from banditproof.interaction import Words
from banditproof.kernels import plain
from banditproof.randomness import short_key


def short_stream(key: Words, purpose: int) -> Words:
    """The stream (4,) of a purpose, for a key with its run (3,)."""
    stream = np.zeros(4, dtype=np.uint64)
    plain(short_key)(key, purpose, stream)
    return stream


def laplace_number(stream: Words, number: int) -> float:
    """Number `number` of a stream, of scale 1: of 32 numbers that stand together the j-th is of block j mod 16 of theirs, first half of
    the words for j < 16, else second."""
    window, place = divmod(number, 32)
    words = [int(word) for word in plain(short_block)(stream, np.uint64(16 * window + place % 16))]
    high, low = words[2 * (place // 16) : 2 * (place // 16) + 2]
    size = -math.log((((high << 32 | low) >> 11) + 1) / 2**53)
    return size if low % 2 else -size
