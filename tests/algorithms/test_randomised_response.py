"""Randomised response: closed forms at drawn parameters, exact answer distributions, unbiased messages."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.mechanisms import randomised_response
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse, RandomisedResponse, epsilon, keep
from banditproof.audits.strategies import values_of
from banditproof.glossary import CATEGORIES, EPSILON, KEEP
from banditproof.kernels import native, plain

KEY = np.array([3, 1, 4], dtype=np.uint64)


@given(level=values_of(EPSILON, low=1e-6, high=15.0), categories=values_of(CATEGORIES))
def test_keep_and_epsilon_are_inverse(level, categories):
    """Would catch m in place of m - 1, in either direction."""
    kept = keep(level, categories)
    assert kept / ((1.0 - kept) / (categories - 1)) == pytest.approx(math.exp(level), rel=1e-6)
    assert epsilon(kept, categories) == pytest.approx(level, abs=1e-8)  # 1 - keep has lost the digits of e^-15


@given(kept=values_of(KEEP), categories=values_of(CATEGORIES, high=1000))
def test_epsilon_is_the_largest_loss_of_any_answer(kept, categories):
    """Would catch a negative level where the truth is less likely than each other answer."""
    other = (1.0 - kept) / (categories - 1)
    assert epsilon(kept, categories) == pytest.approx(abs(math.log(kept) - math.log(other)), abs=1e-9)


def test_answers_have_the_stated_probabilities(room, rng):
    """Would catch others that are not all alike, or an answer that may be drawn back to the truth."""
    level, categories, runs = rng.uniform(0.3, 3.0), int(rng.integers(3, 7)), 400_000
    for truth in range(categories):
        answers = RandomisedResponse(level, categories).release((float(truth),), runs, rng)[:, 0]
        for answer in range(categories):
            probability = keep(level, categories) if answer == truth else (1.0 - keep(level, categories)) / (categories - 1)
            room.assert_rate(int(np.count_nonzero(answers == answer)), runs, probability, detects=0.01)


@given(level=st.floats(700.0, 1e6), categories=st.integers(2, 1000))
def test_a_huge_epsilon_tells_the_truth(level, categories):
    """Would catch an overflow of e^epsilon."""
    assert np.all(RandomisedResponse(level, categories).release([categories - 1.0], 100, np.random.default_rng(1)) == categories - 1)


@given(level=values_of(EPSILON, low=1e-2, high=20.0), reward=st.sampled_from([0.0, 1.0]), width=st.integers(1, 3))
def test_local_answers_average_to_the_reward(level, reward, width):
    """Would catch a debiasing with the other sign: over the two answers at their exact probabilities the mean is the reward."""
    flip = 1.0 / (1.0 + math.exp(level / width))
    message = np.full(width, reward)
    messages, raw = np.zeros((400, width)), np.zeros((400, width))
    for round in range(400):
        plain(LocalResponse(level).kernel)(LocalResponse(level).setup(), KEY, round, message, messages[round : round + 1])
        plain(LocalResponse(level).kernel)(LocalResponse(level, debias=False).setup(), KEY, round, message, raw[round : round + 1])
    assert np.allclose(messages, (raw - flip) / (1.0 - 2.0 * flip), rtol=1e-12)
    assert set(raw.ravel()) <= {0.0, 1.0}
    truthful, flipped = ((answer - flip) / (1.0 - 2.0 * flip) for answer in (reward, 1.0 - reward))
    assert (1.0 - flip) * truthful + flip * flipped == pytest.approx(reward, abs=1e-9 * max(1.0, 1.0 / level))


@pytest.mark.parametrize("reward", [0.0, 0.3, 1.0])
def test_local_answers_have_the_stated_probability(room, rng, reward):
    """Would catch a flip probability of another epsilon, and a reward between 0 and 1 rounded before the answer."""
    level, rounds = rng.uniform(0.3, 3.0), 100_000
    randomiser = LocalResponse(level, debias=False)
    report, ones = np.zeros((1, 1)), 0
    for round in range(rounds):
        plain(randomiser.kernel)(randomiser.setup(), KEY, round, np.array([reward]), report)
        ones += int(report[0, 0])
    flip = 1.0 / (1.0 + math.exp(level))
    room.assert_rate(ones, rounds, flip + (1.0 - 2.0 * flip) * reward, detects=0.02)


@pytest.mark.parametrize("reward", [0.0, 1.0])
def test_the_rarer_answer_is_possible_at_any_epsilon(monkeypatch, reward):
    """Would catch a probability that is lost beside 1: an answer that one reward never has distinguishes it, whatever epsilon is."""
    report, answers = np.zeros((1, 1)), set()
    for number in (0.0, 0.5, 1.0 - 2.0**-53):
        monkeypatch.setattr(randomised_response, "uniform", lambda key, purpose, index, number=number: number)
        plain(LocalResponse(40.0).kernel)(LocalResponse(40.0, debias=False).setup(), KEY, 0, np.array([reward]), report)
        answers.add(float(report[0, 0]))
    assert answers == {0.0, 1.0}


@pytest.mark.parametrize("width", [1, 2])
def test_a_whole_message_loses_epsilon(room, width):
    """Would catch a budget spent once a number: likeliest over unlikeliest answer, all numbers together, is e^epsilon."""
    level = 1.3
    flip = 1.0 / (1.0 + math.exp(level / width))
    counted = np.zeros((20_000, width))
    for round in range(len(counted)):
        setup = LocalResponse(level, debias=False).setup()
        plain(LocalResponse(level).kernel)(setup, KEY, round, np.zeros(width), counted[round : round + 1])
    assert width * math.log((1.0 - flip) / flip) == pytest.approx(level)
    room.assert_rate(int(counted.sum()), counted.size, flip, detects=0.04)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: RandomisedResponse(-1.0), r"epsilon = -1.0: must be > 0"),
        (lambda: RandomisedResponse(1.0, 1), r"categories = 1: must be an integer >= 2"),
        (lambda: LocalResponse(5e-324), r"epsilon = 5e-324: must be >= 1e-300"),
        (lambda: LocalResponse(math.inf * 0), r"epsilon = nan: must be > 0"),
        (lambda: epsilon(1.0), r"keep = 1.0: must be > 0 and < 1"),
        (
            lambda: RandomisedResponse(1.0, 3).release([3.0], 1, np.random.default_rng(0)),
            r"answer = \[3.0\]: must be one whole number from 0",
        ),
        (lambda: RandomisedResponse(1.0, 3).release([0.5], 1, np.random.default_rng(0)), r"answer = \[0.5\]: must be one whole number"),
        (lambda: RandomisedResponse(1.0, 3).release([0.0, 1.0], 1, np.random.default_rng(0)), r"answer = .*: must be one whole number"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize("level", [1e-300, 1e-17, 1e-9, 800.0])
def test_unbiased_at_both_ends_of_epsilon(level):
    """As it was found: every report was 0 below 1e-16, where a rounded 1 - 2 flip is 0, and plain code raised beyond 710."""
    client, reports = LocalResponse(level), np.zeros((64, 1))
    for kernel in (plain(client.kernel), native(client.kernel)):
        for round in range(64):
            kernel(client.setup(), KEY, round, np.ones(1), reports[round : round + 1])
        assert set(reports.ravel()) <= {0.5 + 0.5 / math.tanh(level / 2.0), 0.5 - 0.5 / math.tanh(level / 2.0)}
        assert reports.max() > 0.99
