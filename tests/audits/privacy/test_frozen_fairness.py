"""What a replay with frozen releases must not accuse, and must not pass: mechanisms that are as private as they claim in a way that one
path does not show, and randomness that goes past the recording."""

import copy
import json
import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from banditproof.audits.privacy import pair_loss
from banditproof.audits.privacy.frozen import judged
from banditproof.audits.privacy.pair_loss import gaussian_delta
from banditproof.audits.privacy.recording import Recording
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, PureDP

RECORD = NeighbouringRelation.REPLACE_RECORD
ONE = PureDP(1.0, RECORD)
FLIPPED = ([0.0], [1.0])


def bits_of_the_generator(data, rng):
    return data[0] + np.random.Generator(rng.bit_generator).laplace()


def bits_of_a_copy(data, rng):
    return data[0] + copy.deepcopy(rng).laplace()


def words_of_its_bits(data, rng):
    return float(data[0]) + rng.bit_generator.random_raw() % 3


def bits_beside_the_release(data, rng):
    bits = np.random.Generator(rng.bit_generator)
    return [data[0] + rng.laplace(), 1.0 if bits.random() < 0.5 + 0.48 * data[0] else 0.0]


@pytest.mark.parametrize("function", [bits_of_the_generator, bits_of_a_copy, words_of_its_bits, bits_beside_the_release])
def test_bits_that_are_drawn_past_the_recording_leave_the_claim_open(function) -> None:
    """Would catch noise of compiled code, or of a generator made from the given one, that is taken for no noise, and a leak in it that
    passes."""
    found = judged(function, FLIPPED, ONE, seed=1)
    assert found.verdict is Verdict.INCONCLUSIVE and "is no noise with a location" in found.message and found.exact is None


def test_bits_of_the_generator_depend_on_the_seed_and_on_the_draw() -> None:
    one, other = Recording(1).generator(), Recording(2).generator()
    words = [rng.bit_generator.random_raw() for rng in (one, one, other)]
    assert len(set(words)) == 3


@pytest.mark.parametrize("threshold", [0.0, -1.0])
def test_a_delta_on_one_path_is_no_delta_of_all(threshold: float) -> None:
    """Would catch the delta of a branch, which is taken with probability 0.5 or 0.84, that is compared with a claim on all of them."""

    def branching(data, rng):
        public = float(rng.normal())
        return [public, data[0] + 0.5 * rng.normal()] if public > threshold else [public, 0.0]

    truth = float(stats.norm.sf(threshold)) * gaussian_delta(2.0, 0.5)
    found = [judged(branching, FLIPPED, ApproximateDP(0.5, truth * 1.02, RECORD), seed=seed).verdict for seed in range(15)]
    assert Verdict.REFUTED not in found
    low = ApproximateDP(0.5, truth * 1e-3, RECORD)
    assert Verdict.REFUTED in [judged(branching, FLIPPED, low, seed=seed).verdict for seed in range(10)]
    straight = judged(lambda data, rng: data[0] + 0.5 * rng.normal(), FLIPPED, ApproximateDP(0.5, 0.58, RECORD), seed=1)
    assert gaussian_delta(2.0, 0.5) > 0.59 and straight.verdict is Verdict.REFUTED


def test_the_divergence_of_a_path_is_that_of_a_mixture() -> None:
    """By quadrature. Would catch a path's divergence that is taken for the whole, and a chance that is forgotten."""
    order, mu, chance = 2.5, 1.5, 0.3
    moment = chance * math.exp(order * (order - 1) * mu**2 / 2) + 1 - chance
    assert pair_loss._renyi(mu, order, chance) == pytest.approx(math.log(moment) / (order - 1), rel=1e-12)
    assert pair_loss._renyi(mu, order, 1.0) == pytest.approx(order * mu**2 / 2, rel=1e-12)


def of_two_noises(data, rng):  # by its density, 0.1021
    return data[0] + (1 + 0.1 * data[0]) * rng.laplace() + 10 * rng.laplace()


def of_a_weight_with_rounding(data, rng):
    weights = np.exp(np.asarray(data)) / np.exp(np.asarray(data)).sum()
    return 0.5 * min(max(data[0], 0.0), 1.0) + weights.sum() * rng.laplace()


def of_the_noise_that_the_data_choose(data, rng):
    noise = rng.laplace(size=2)
    return 0.5 * data[0] + noise[int(data[0])]


def of_a_side_that_is_kept_secret(data, rng):  # the same distribution on both
    noise, secret = 0.1 * rng.laplace(), float(rng.normal())
    return data[0] + noise if secret > 0 else 1 - data[0] + noise


def of_a_sign_that_the_data_choose(data, rng):  # symmetric noise, whatever the data are
    noise = float(rng.laplace())
    return noise if data[0] > 0.5 else -noise


def of_an_order_that_the_data_choose(data, rng):
    one, other = float(rng.laplace()), float(rng.laplace())
    return {"of": [one, other]} if data[0] > 0.5 else {"of": [other, one]}


def of_a_range(data, rng):  # truncated normal noise, whose loss is at most 10 * 1 / 25 + 1 / 50 and the ratio of two probabilities
    value = data[0] + 5.0 * rng.normal()
    while abs(value) > 10.0:
        value = data[0] + 5.0 * rng.normal()
    return value


def of_a_range_as_numbers(data, rng):
    while True:
        value = float(data[0] + 5.0 * rng.normal())
        if abs(value) < 10.0:
            return value


def of_noise_that_is_not_followed(data, rng):  # beside which the Laplace noise is nothing
    return data[0] + 1000.0 * rng.gamma(2.0) + 0.1 * rng.laplace()


@pytest.mark.parametrize(
    "function",
    [
        of_two_noises,
        of_a_weight_with_rounding,
        of_the_noise_that_the_data_choose,
        of_a_side_that_is_kept_secret,
        of_a_range,
        of_a_range_as_numbers,
        of_a_sign_that_the_data_choose,
        of_an_order_that_the_data_choose,
        of_noise_that_is_not_followed,
    ],
)
def test_a_private_sum_is_not_accused(function) -> None:
    """Would catch a scale that depends on the data in a sum, or by rounding, that is taken for an unbounded loss; and a loss on a path that
    the output does not show."""
    pairs = [FLIPPED] if function is not of_a_weight_with_rounding else [([*one, 0.1], [*one, 0.9]) for one in np.eye(5).tolist()]
    for pair, seed in product(pairs, range(4)):
        assert judged(function, pair, ONE, seed=seed).verdict is not Verdict.REFUTED


def drawn_again(data, rng):
    value = 0.5 * data[0] + rng.laplace()
    while abs(value) > 3.0:
        value = 0.5 * data[0] + rng.laplace()
    return value


def test_draws_that_are_not_shown_on_other_paths_leave_the_claim_open() -> None:
    """Would catch a path that shows all by chance: noise drawn again has another distribution than the noise that was taken at once."""
    low = PureDP(0.4, RECORD)
    found = [judged(drawn_again, FLIPPED, low, seed=seed) for seed in range(6)]
    assert all(each.verdict is Verdict.INCONCLUSIVE for each in found)
    assert any("on other paths the output does not show all that was released" in each.message for each in found)
    assert judged(lambda data, rng: float(0.5 * data[0] + rng.laplace()), FLIPPED, low, seed=1).verdict is Verdict.REFUTED
    straight = judged(lambda data, rng: data[0] + rng.normal(), FLIPPED, ONE, seed=1)
    assert straight.verdict is Verdict.REFUTED  # normal noise has no epsilon
    converted = judged(lambda data, rng: float(data[0] + rng.normal()), FLIPPED, ONE, seed=1)
    assert converted.verdict is Verdict.INCONCLUSIVE and "unless the function limits what it returns" in converted.message


def test_numbers_of_numpy_make_the_same_claim() -> None:
    """Would catch a comparison of NumPy numbers that is never `is False`."""

    def half(data, rng):
        return data[0] + 0.5 * rng.laplace()

    for kind in (float, np.float64, np.float32):
        assert judged(half, FLIPPED, PureDP(kind(0.5), RECORD), seed=1).verdict is Verdict.REFUTED
    assert judged(lambda data, rng: data[0] + 0.5 * rng.normal(), FLIPPED, GaussianDP(np.float64(1.0), RECORD), seed=1).low is None


def test_noise_is_written_as_its_number() -> None:
    """Would catch text of a value that is followed: a way past its release."""
    for text in (lambda value: f"{value:.2f}", str, repr, lambda value: {value: 1}, lambda value: format(np.stack([value, value]))):
        found = judged(lambda data, rng, text=text: text(data[0] + rng.laplace()), FLIPPED, ONE, seed=1)
        assert found.verdict is not Verdict.REFUTED
    with pytest.raises(ValueError, match=r"must be given float\(value\)"):
        judged(lambda data, rng: json.dumps([data[0] + rng.laplace()]), FLIPPED, ONE, seed=1)


@dataclass(frozen=True)
class Record:
    """What a function may return beside sequences."""

    value: Any
    word: str = ""


def named(series: pd.Series, name: str) -> pd.Series:
    series.index.name = name
    return series


HELD = {
    "frame": lambda x, word: pd.DataFrame({"v": [x]}),
    "series": lambda x, word: pd.Series([x, pd.NA], index=["a", "b"]),
    "set": lambda x, word: {x, 3.0},
    "key": lambda x, word: {x: 1, ("a", x): 2},
    "record": lambda x, word: Record(x),
    "objects": lambda x, word: np.array([x, "x"], dtype=object),
    "index": lambda x, word: pd.Series([1], index=[x]),
}
LABELS = {
    "index": lambda x, word: pd.Series([x], index=[word]),
    "name": lambda x, word: pd.Series([x], name=word),
    "name of the index": lambda x, word: named(pd.Series([x]), word),
    "categories": lambda x, word: pd.DataFrame({"v": [x], "w": pd.Categorical(["yes"], categories=["yes", word][: 1 + (word == "no")])}),
    "columns": lambda x, word: pd.DataFrame({word: [x]}),
    "member": lambda x, word: {x, word},
    "field": lambda x, word: Record(x, word),
}


@pytest.mark.parametrize("contract", [False, True])
@pytest.mark.parametrize("held", HELD)
def test_noise_that_is_returned_in_any_form_is_released_once_and_not_accused(held: str, contract: bool) -> None:
    """Would catch a number with noise in it that is left traced in a frame, a set, a key or a record, and one that is released again where
    it is compared: the runs would differ, or the second one end in the middle."""
    kept = judged(lambda data, rng: HELD[held](data[0] + rng.laplace(), ""), FLIPPED, ONE, seed=1, contract=contract)
    broken = judged(lambda data, rng: HELD[held](2.0 * data[0] + rng.laplace(), ""), FLIPPED, ONE, seed=1, contract=contract)
    assert (kept.verdict, broken.verdict) == (Verdict.NOT_REFUTED, Verdict.REFUTED)


@pytest.mark.parametrize("held", LABELS)
def test_labels_that_depend_on_the_data_are_an_output(held: str) -> None:
    """Would catch labels and names that are left out where two outputs are compared: each shows the dataset with certainty."""

    def labelled(data, rng):
        return LABELS[held](float(data[0] + rng.laplace()), "yes" if data[0] else "no")

    assert judged(labelled, FLIPPED, ONE, seed=1).verdict is Verdict.REFUTED
