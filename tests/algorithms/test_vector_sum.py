"""Vector sums behind a shuffler: parameters worked out by hand, the binomial noise, and an estimate whose mean is the sum."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.draws.words import LANES, short_block
from banditproof.algorithms.mechanisms.vector_sum import (
    Encoding,
    Logarithm,
    ShuffledSum,
    VectorSum,
    noise_variance,
    ones,
    quarters,
    release_all,
    resolution,
    trials,
)
from banditproof.audits import conformance
from banditproof.kernels import compiled, plain
from banditproof.lanes import floats, read, write
from banditproof.typical import between, whole_numbers


def test_parameters_by_hand():
    """B = 25, d = 5, epsilon = 2, delta = 5 / e^3: g = 10, b = 100 * 9 / (4 * 25) = 9; with d^2 the logarithm is 3 + ln 5."""
    delta = 5 / math.exp(3)
    assert resolution(25, 5) == 10 and resolution(4, 5) == 5 and resolution(1, 2) == 4
    assert trials(2.0, delta, batch=25, dimension=5) == pytest.approx(9)
    assert trials(2.0, delta, batch=25, dimension=5, factor=3.0) == pytest.approx(27)
    assert trials(2.0, delta, batch=25, dimension=5, logarithm=Logarithm.PAPER) == pytest.approx((3 + math.log(5)) ** 2)
    assert noise_variance(10.0, 16.0, 2.0) == pytest.approx(0.04 * 3.25)
    sent = VectorSum(2.0, delta * (1 - 1e-12), 25, factor=1.0, encoding=Encoding.BITS)
    assert VectorSum(2.0, delta * (1 - 1e-12), 25).trials() == 90  # the script's factor of 10
    assert sent.per_coordinate() == 20 + 9 and sent.messages(6) == (20 * 29, 2) and VectorSum(2.0, delta, 25).messages(6) == (20, 2)


VALUES = {
    "epsilon": between(1.0, 5.0),
    "delta": between(0.05, 0.5),
    "users": whole_numbers(2, 20),
    "bound": between(0.5, 2.0),
    "factor": between(0.1, 0.5),
    "clips": (True,),
    "features": whole_numbers(0, 5),
}


@pytest.mark.parametrize("rule", conformance.RANDOMISER_RULES)
def test_randomiser_keeps(rule, examples):
    """Would catch a randomiser that breaks a rule; it states no guarantee, so the suite of the package's randomisers does not find it."""
    conformance.check_randomiser(VectorSum, VALUES, examples=examples, rules=[rule])


def _counted_by_eight(words, target):
    write(target, 0, floats(ones(read(words, 0, 8))))


counted_by_eight = compiled(_counted_by_eight)


@given(word=st.integers(0, 2**64 - 1))
def test_ones_are_counted(word):
    """Would catch a mask that drops a bit."""
    words, found = np.full(8, word, dtype=np.uint64), np.zeros(8)
    counted_by_eight(words, found)
    assert ones(np.uint64(word)) == word.bit_count() and np.all(found == word.bit_count())


@pytest.mark.parametrize("number", [0, 1, 31, 32, 33, 95, 96, 97, 129, 300])
def test_quarters_are_binomial(number):
    """20,000 draws against Bin(n, 1/4), chi-square at 1e-6. Would catch a trial too many at the end of a word or of a block."""
    stream = np.array([5, 6, 7, 4], dtype=np.uint64)
    words = [np.uint64(np.bitwise_and(*short_block(stream, np.uint64(10 * index))[2:])) for index in range(20_000)]
    drawn = np.array([quarters(stream, 10 * index, word, number) for index, word in enumerate(words)], dtype=int)
    assert [plain(quarters)(stream, 10 * index, words[index], number) for index in range(5)] == drawn[:5].tolist()
    assert drawn.min() >= 0 and drawn.max() <= number
    if number == 0:
        return
    expected = stats.binom(number, 0.25).pmf(np.arange(number + 1)) * drawn.size
    often = expected >= 5
    counts = np.bincount(drawn, minlength=number + 1)
    pooled = [*counts[often], counts[~often].sum()], [*expected[often], expected[~often].sum()]
    keep = np.array(pooled[1]) > 0
    statistic = float(np.sum((np.array(pooled[0])[keep] - np.array(pooled[1])[keep]) ** 2 / np.array(pooled[1])[keep]))
    assert stats.chi2(max(int(keep.sum()) - 1, 1)).sf(statistic) > 1e-6


@pytest.mark.parametrize("encoding", Encoding)
def test_estimates_have_the_sum_as_their_mean(encoding):
    """4,000 users of one kind: each coordinate's estimate within 6 standard errors of n times its number, and its variance within 20 % of
    (L / g)^2 (3 b / 16 + p (1 - p)). Would catch a shift of L, a b that is not subtracted, and a coordinate with another's label."""
    randomiser, row = VectorSum(2.0, 0.1, 9, 1.5, 0.5, encoding, features=2), np.array([0.9, -0.5, 0.7])
    expected = np.array([0.81, -0.45, 0.25, 0.63, -0.35])
    users, setup, key = 4_000, randomiser.setup(), np.array([1, 2, 3], dtype=np.uint64)
    g, b, L = randomiser.resolution(), randomiser.trials(), 1.5
    estimates, report = np.zeros((users, 5)), np.zeros(randomiser.messages(3))
    for user in range(users):
        plain(randomiser.kernel)(setup, key, user, row, report)
        totals = np.bincount(report[:, 0].astype(int), weights=report[:, 1], minlength=5)
        estimates[user] = L / g * (totals - b / 4) - L
    fractions = (expected + L) * g / L % 1
    variance = (L / g) ** 2 * (3 * b / 16 + fractions * (1 - fractions))
    assert np.abs(estimates.mean(axis=0) - expected).max() < 6 * math.sqrt(variance.max() / users)
    assert np.abs(estimates.var(axis=0) / variance - 1).max() < 0.2
    assert set(np.unique(report[:, 0])) == set(range(5)) and (encoding is Encoding.COUNTS or set(np.unique(report[:, 1])) <= {0.0, 1.0})


def test_shuffled_sums_hide_who_sent_what(rng):
    """Would catch a release that depends on the order of the users, and one without the random bits."""
    rows = np.array([[0.9, 0.1, 1.0], [-0.3, 0.2, 0.5], [0.0, 0.0, -1.0]])
    for encoding, width in ((Encoding.BITS, 5), (Encoding.COUNTS, 15)):
        mechanism = ShuffledSum(1.0, 0.1, 3, 2, encoding=encoding)
        released = mechanism.release(rows, 3_000, rng)
        assert released.shape == (3_000, width)
        b, g = mechanism.randomiser().trials(), mechanism.randomiser().resolution()
        total = np.array([(rows[:, i] * rows[:, j]).sum() for i, j in ((0, 0), (1, 0), (1, 1), (0, 2), (1, 2))])
        sums = released if encoding is Encoding.BITS else released.reshape(-1, 3, 5).sum(axis=1)
        spread = math.sqrt(3 * noise_variance(g, b, 1.0) / 3_000)
        assert np.abs(((sums - 3 * b / 4) / g - 3).mean(axis=0) - total).max() < 6 * spread


@pytest.mark.parametrize("factor", [0.3, 4.0, 9.0])
@pytest.mark.parametrize("features", [0, 1, 3])
def test_releases_are_what_users_send(factor, features):
    """Many numbers at a time beside one user's messages at the same addresses. Would catch a lane with another number's rounding, and
    trials of a later block that are counted twice."""
    sent = VectorSum(1.0, 0.1, 7, 1.0, factor, features=features)
    rows, runs = np.random.default_rng(3).normal(size=(7, features + 1)), 5
    numbers, key, setup = sent.messages(features + 1)[0], np.array([1, 2, 0], dtype=np.uint64), sent.setup()
    every = 7 * numbers
    found, report = np.zeros(-(-runs * every // LANES) * LANES), np.zeros((numbers, 2))
    for form in (release_all, plain(release_all)):
        form(setup, key, rows, np.zeros(every + LANES), np.zeros(every + LANES), found)
        for run in range(runs):
            for user in range(7):
                plain(sent.kernel)(setup, key, run * 7 + user, rows[user], report)
                assert np.array_equal(found[: runs * every].reshape(runs, 7, numbers)[run, user], report[:, 1])


def test_what_does_not_fit_is_refused():
    """Would catch bits for numbers outside [-L, L], of which there are not enough."""
    with pytest.raises(ValueError, match="clips = False: must be True for bits"):
        VectorSum(1.0, 0.1, encoding=Encoding.BITS, clips=False).setup()
    with pytest.raises(ValueError, match=r"bound = 0.0: must be > 0"):
        VectorSum(1.0, 0.1, bound=0.0).messages(3)
    with pytest.raises(ValueError, match=r"epsilon = 1e-10: must be larger \(a number would have .* trials; 2\^31 at most\)"):
        VectorSum(1e-10, 0.1, features=2).setup()
    with pytest.raises(ValueError, match=r"epsilon = 100.0: the script's factor leaves b = 0 trials"):
        ShuffledSum(100.0, 0.1)
    assert ShuffledSum(100.0, 0.1, factor=1.0).randomiser().trials() == 0  # asked for
    with pytest.raises(ValueError, match=r"data of shape \(2, 3\): must be \(3, 3\)"):
        ShuffledSum(1.0, 0.1, 3, 2).release(np.zeros((2, 3)), 1, np.random.default_rng(1))
