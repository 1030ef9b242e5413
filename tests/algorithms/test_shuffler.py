"""The uniform shuffler: every order alike, batches apart."""

import itertools

import numpy as np
import pytest

from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.kernels import plain

KEY = np.array([5, 6, 7], dtype=np.uint64)


def order(shuffler: UniformShuffler, first: int, size: int) -> tuple[int, ...]:
    positions = np.zeros(size, dtype=np.int64)
    plain(shuffler.kernel)(shuffler.setup(), KEY, first, positions)
    return tuple(positions.tolist())


def test_every_order_is_equally_likely(room):
    """Would catch a biased shuffle (swaps with any position), and orders of later batches that follow from earlier ones."""
    batches, shuffler = 60_000, UniformShuffler(3)
    seen = [order(shuffler, 3 * batch, 3) for batch in range(batches)]
    orders = list(itertools.permutations(range(3)))
    for each in orders:
        room.assert_rate(seen.count(each), batches, 1 / 6, detects=0.016)
    repeated = sum(first == second for first, second in itertools.pairwise(seen))
    room.assert_rate(repeated, batches - 1, 1 / 6, detects=0.016)


@pytest.mark.parametrize("batch", [2, 5, 64])
def test_batches_share_no_uniform(batch):
    """Would catch numbers that overlap from batch to batch: the next order would be this one shifted."""
    shuffler = UniformShuffler(batch)
    used = [range(number * batch, (number + 1) * batch) for number in range(10)]
    alone = order(UniformShuffler(10 * batch), 0, 10 * batch)  # one batch of ten times the size: the same uniforms, in order
    for number in range(10):
        inside = [position - number * batch for position in alone if position in used[number]]
        assert tuple(inside) == order(shuffler, number * batch, batch)


def test_bad_input_names_value_and_rule():
    with pytest.raises(ValueError, match=r"batch = 0: must be an integer >= 1"):
        UniformShuffler(0)
