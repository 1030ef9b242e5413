"""Mechanisms of mechanisms: levels that add up, joint releases, and processing that looks at the release alone."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.mechanisms.composition import Composition, PostProcessed
from banditproof.algorithms.mechanisms.discrete_laplace import DiscreteLaplace
from banditproof.algorithms.mechanisms.gaussian import Gaussian, exact
from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP, RenyiDP, View, ZeroConcentratedDP
from banditproof.mechanism import Neighbours

SEEDS = st.integers(0, 2**32)


@dataclass(frozen=True)
class Claims:
    """A mechanism that only claims."""

    claim: Guarantee
    theorems: ClassVar[tuple[str, ...]] = ()

    def guarantee(self):
        return self.claim

    def neighbours(self):
        return Neighbours(self.claim.relation)

    def release(self, data, runs, rng):
        return np.zeros((runs, 1))


@given(folds=st.integers(1, 20), level=st.floats(0.01, 5.0), relation=st.sampled_from(NeighbouringRelation), view=st.sampled_from(View))
def test_levels_compose(folds, level, relation, view):
    """Would catch a level that does not grow, grows by another rule, or loses its relation or view."""
    pairs = [
        (PureDP(level, relation, view), PureDP(folds * level, relation, view)),
        (ApproximateDP(level, 0.04, relation, view), ApproximateDP(folds * level, folds * 0.04, relation, view)),
        (ZeroConcentratedDP(level, relation, view), ZeroConcentratedDP(folds * level, relation, view)),
        (RenyiDP(2.0, level, relation, view), RenyiDP(2.0, folds * level, relation, view)),
        (GaussianDP(level, relation, view), GaussianDP(math.sqrt(folds) * level, relation, view)),
    ]
    for one, many in pairs:
        assert Composition(Claims(one), folds).guarantee() == many
        assert PostProcessed(Claims(one), 0.0, 1.0).guarantee() == one


@given(folds=st.integers(1, 5), width=st.integers(1, 3), seed=SEEDS, runs=st.integers(1, 4))
def test_folds_are_independent_releases_side_by_side(folds, width, seed, runs):
    """Would catch one draw copied into every fold: the average of the folds would then be no better than one."""
    one, rng = Laplace(1.0, width=width), np.random.default_rng(seed)
    joint = Composition(one, folds).release([0.5] * width, runs, np.random.default_rng(seed))
    apart = [one.release([0.5] * width, runs, rng) for _ in range(folds)]
    assert np.array_equal(joint, np.concatenate(apart, axis=1))
    assert len(set(joint.ravel().tolist())) == joint.size


@given(low=st.floats(-5.0, 0.0), width=st.floats(0.1, 5.0), step=st.sampled_from([0.0, 0.5, 1.0, 0.1]), seed=SEEDS)
def test_processing_sees_the_release_alone(low, width, step, seed):
    """Would catch rounding before the noise, and a grid that depends on the data."""
    one, high = Gaussian(2.0), low + width
    raw, processed = (each.release([0.3], 50, np.random.default_rng(seed)) for each in (one, PostProcessed(one, low, high, step)))
    expected = [min(max(value, low), high) for value in raw[:, 0]]
    assert processed[:, 0] == pytest.approx([round(value / step) * step for value in expected] if step else expected)


def test_processing_keeps_what_is_no_number():
    """Would catch a NaN turned into a number, which hides a leak."""

    @dataclass(frozen=True)
    class Broken(Claims):
        def release(self, data, runs, rng):
            return np.array([[math.nan], [math.inf], [-math.inf]])

    out = PostProcessed(Broken(PureDP(1.0, NeighbouringRelation.ANY_PAIR)), -1.0, 2.0, 0.5).release(None, 3, np.random.default_rng(0))
    assert math.isnan(out[0, 0])
    assert out[1:, 0].tolist() == [2.0, -1.0]


def test_wrappers_say_what_they_wrap():
    """Would catch a witness promised for noise that cannot be replayed."""
    for wrap in (lambda one: Composition(one, 2), PostProcessed, lambda one: PostProcessed(Composition(one, 3))):
        assert not wrap(DiscreteLaplace(1.0)).seedable
        assert wrap(Laplace(1.0)).seedable


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Composition(Laplace(1.0), 0), r"folds = 0: must be an integer >= 1"),
        (lambda: Composition(exact(1.0, 0.3), 4).guarantee(), r"delta = 1.2: must be > 0 and < 1"),
        (lambda: PostProcessed(Laplace(1.0), 1.0, 1.0), r"low = 1.0, high = 1.0: must be low < high"),
        (lambda: PostProcessed(Laplace(1.0), math.nan, 1.0), r"low = nan, high = 1.0: must be low < high"),
        (lambda: PostProcessed(Laplace(1.0), step=-1.0), r"step = -1.0: must be >= 0"),
        (lambda: PostProcessed(Laplace(1.0), step=math.inf), r"step = inf: must be >= 0 and finite"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
