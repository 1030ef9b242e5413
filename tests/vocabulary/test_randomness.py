"""Random numbers by address: the Philox blocks of NumPy, and what is made of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.kernels import add_low, compiled, multiply, plain
from banditproof.randomness import block, generator, key_from, key_of

WORD = st.integers(0, 2**64 - 1)
KEYS = st.tuples(WORD, WORD, WORD)  # two words of the key, and the run
PURPOSES = st.integers(0, 7)
INDICES = st.one_of(st.integers(0, 2**63 - 2), st.integers(0, 1000))


def numpy_block(key: tuple[int, int, int], purpose: int, index: int) -> list[int]:
    counter = np.array([index, purpose, key[2], 0], dtype=np.uint64)  # NumPy counts up before it draws
    return np.random.Philox(key=np.array(key[:2], dtype=np.uint64), counter=counter).random_raw(4).tolist()


def _high(first: np.uint64, second: np.uint64) -> np.uint64:
    high, _ = multiply(first, second)
    return high


def _low(first: np.uint64, second: np.uint64) -> np.uint64:
    _, low = multiply(first, second)
    return low


def _sum(first: np.uint64, second: np.uint64) -> np.uint64:
    return add_low(first, second)


ARITHMETIC = [compiled(_high), compiled(_low), compiled(_sum)]


@given(first=WORD, second=WORD)
def test_arithmetic_of_words(first, second):
    """Would catch a signed multiplication, and an overflow that warns or saturates, in compiled and in plain code."""
    expected = [(first * second) >> 64, (first * second) % 2**64, (first + second) % 2**64]
    for kernel, value in zip(ARITHMETIC, expected, strict=True):
        for form in (kernel, plain(kernel)):
            assert int(form(np.uint64(first), np.uint64(second))) == value


@given(key=KEYS, purpose=PURPOSES, index=INDICES)
def test_blocks_are_numpys_bit_for_bit(key, purpose, index):
    """Would catch a wrong constant, round or counter order, with the carry of every word."""
    words, expected = np.array(key, dtype=np.uint64), numpy_block(key, purpose, index)
    assert [int(word) for word in block(words, purpose, index)] == expected
    assert [int(word) for word in plain(block)(words, purpose, index)] == expected


@given(key=KEYS, purpose=PURPOSES, length=st.integers(1, 20))
def test_generator_opens_the_same_stream(key, purpose, length):
    """Would catch a generator that starts one block later than the kernels."""
    words = np.array(key, dtype=np.uint64)
    raw = generator(words[:2], purpose, run=key[2]).bit_generator.random_raw(4 * length)
    assert raw.tolist() == [int(word) for index in range(length) for word in block(words, purpose, index)]


@given(key=KEYS, purpose=PURPOSES, index=INDICES)
def test_numbers_are_the_stated_functions_of_their_words(key, purpose, index):
    """Would catch bits used twice (a sign that follows from the size), an infinite logarithm, and forms that differ."""
    words, (first, second, _, _) = np.array(key, dtype=np.uint64), numpy_block(key, purpose, index)
    below, above = (first >> 11) / 2**53, ((first >> 11) + 1) / 2**53
    turn = (second >> 11) / 2**53
    expected = {
        randomness.uniform: below,
        randomness.laplace: -math.log(above) * (1 if first & 1 else -1),
        randomness.normal: math.sqrt(-2 * math.log(above)) * math.cos(2 * math.pi * turn),
    }
    for kernel, value in expected.items():
        assert kernel(words, purpose, index) == plain(kernel)(words, purpose, index) == value
        assert math.isfinite(value)
    assert 0.0 <= below < 1.0


@given(seed=st.integers(0, 2**64), path=st.lists(st.text(max_size=5) | st.integers(0, 99), max_size=4))
def test_keys_follow_from_seed_and_path(seed, path):
    """Would catch a key that forgets a name, their order, or the seed."""
    key = key_of(seed, *path)
    assert key.shape == (2,)
    assert key.dtype == np.uint64
    assert np.array_equal(key, key_of(seed, *path))
    others = [key_of(seed + 1, *path), key_of(seed, *path, "more"), key_of(seed, "more", *path)]
    if len({str(part) for part in path}) > 1:
        others.append(key_of(seed, *reversed(path))) if [*map(str, path)] != [*map(str, reversed(path))] else None
    assert all(not np.array_equal(key, other) for other in others)


@given(seed=st.integers(0, 2**32))
def test_key_from_draws(seed):
    """Would catch a key that does not move on with its generator."""
    rng, again = np.random.default_rng(seed), np.random.default_rng(seed)
    first, second = key_from(rng), key_from(rng)
    assert np.array_equal(first, key_from(again))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("seed", [-1, 1.5, 1.0, "a", None, True])
def test_what_is_no_seed_is_refused(seed):
    """Would catch NumPy's words about entropy, and True that is 1."""
    with pytest.raises(ValueError, match=f"^seed = {seed!r}: must be an integer >= 0$"):
        key_of(seed)


def test_purposes_are_apart():
    """Would catch two purposes with one number: then noise would be a function of the rewards."""
    purposes = [value for name, value in vars(randomness).items() if name.isupper() and isinstance(value, int)]
    assert sorted(purposes) == list(range(8))
