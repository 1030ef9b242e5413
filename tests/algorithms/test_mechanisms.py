"""What every mechanism and every part of a pipeline must do: the conformance suite, and what only this package's classes owe."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits import conformance
from banditproof.kernels import plain

SEEDS = st.integers(0, 2**32)


def test_the_walk_reaches_every_kind(room):
    """Would catch a renamed folder, after which every suite here would pass by testing nothing."""
    kinds = set(room.all().values())
    assert kinds == set(room.kind)
    assert len(room.all()) >= 15


@pytest.mark.parametrize("rule", conformance.MECHANISM_RULES)
def test_mechanism_keeps(any_mechanism, rule, examples):
    """Would catch a mechanism that breaks a rule: each says what it would catch."""
    conformance.check_mechanism(any_mechanism, examples=examples, rules=[rule])


@pytest.mark.parametrize("rule", conformance.RANDOMISER_RULES)
def test_randomiser_keeps(any_randomiser, rule, examples):
    """Would catch a client randomiser that breaks a rule: each says what it would catch."""
    conformance.check_randomiser(any_randomiser, examples=examples, rules=[rule])


@pytest.mark.parametrize("rule", conformance.CORRUPTION_RULES)
def test_corruption_keeps(any_corruption, rule, examples):
    """Would catch a corruption that breaks a rule: each says what it would catch."""
    conformance.check_corruption(any_corruption, examples=examples, rules=[rule])


@pytest.mark.parametrize("rule", conformance.SHUFFLER_RULES)
def test_shuffler_keeps(any_shuffler, rule, examples):
    """Would catch a shuffler that breaks a rule: each says what it would catch."""
    conformance.check_shuffler(any_shuffler, examples=examples, rules=[rule])


def test_unseedable_release_is_not_what_its_generator_says(room, any_mechanism):
    """Would catch a mechanism that says that it cannot be seeded, and can: its witnesses would not be replayed, and could be."""
    if not getattr(room.typical(room.instances(any_mechanism)), "seedable", True):
        wide = any_mechanism(epsilon=1e-3)
        data = wide.neighbours().worst[0][0]
        assert not np.array_equal(*(wide.release(data, 64, np.random.default_rng(0)) for _ in range(2)))


def test_every_mechanism_knows_worst_neighbours_and_a_theorem(room, any_mechanism):
    """Would catch a shipped mechanism without a statement, or one whose audit has to search for neighbours."""

    @given(mechanism=room.instances(any_mechanism))
    def agree(mechanism):
        assert mechanism.neighbours().worst
        assert mechanism.theorems

    agree()


def test_every_randomiser_states_a_guarantee(room, any_randomiser):
    """Would catch a shipped client randomiser that states nothing: several rules are about those that do."""

    @given(randomiser=room.instances(any_randomiser))
    def agree(randomiser):
        assert randomiser.guarantee() is not None

    agree()


@pytest.mark.parametrize("width", [1, 3])
def test_randomiser_draws_each_round_and_number_anew(room, any_randomiser, width):
    """Would catch noise reused for up to 64 rounds or in the next coordinate: of a message in the middle, these randomisers vary at once,
    where the conformance suite has to allow for one that answers truly nearly always."""

    @given(randomiser=room.instances(any_randomiser), key=st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3), round=SEEDS)
    def agree(randomiser, key, round):
        words, setup = np.array(key, dtype=np.uint64), randomiser.setup()
        message, messages = np.full(width, 0.5), np.zeros((64, *randomiser.messages(width)))
        for place in range(64):
            plain(randomiser.kernel)(setup, words, round + place, message, messages[place])
        messages = messages.reshape(64, -1)
        drawn = messages.ravel().tolist()
        assert len(set(drawn)) >= 2, f"64 rounds, one outcome: {drawn[0]}"
        if width > 1:
            assert any(len(set(message)) > 1 for message in messages.tolist()), "all coordinates share one draw"

    agree()
