"""What every mechanism and every part of a pipeline must do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.strategies import neighbouring
from banditproof.guarantees import Guarantee, Relation, View
from banditproof.interaction import Wire
from banditproof.kernels import plain

SEEDS = st.integers(0, 2**32)


def test_the_walk_reaches_every_kind(room):
    """Would catch a renamed folder, after which every suite here would pass by testing nothing."""
    kinds = set(room.all().values())
    assert kinds == set(room.kind)
    assert len(room.all()) >= 15


def test_release_has_one_row_a_run(room, any_mechanism):
    """Would catch a transposed release, and an output length that tells neighbours apart by itself."""

    @given(mechanism=room.instances(any_mechanism), runs=st.integers(1, 4), seed=SEEDS, data=st.data())
    def agree(mechanism, runs, seed, data):
        pair = data.draw(neighbouring(mechanism.neighbours()))
        widths = set()
        for each in pair:
            release = mechanism.release(each, runs, np.random.default_rng(seed))
            assert release.dtype == np.float64
            assert release.ndim == 2
            assert release.shape[0] == runs
            assert np.isfinite(release).all()
            widths.add(release.shape[1])
        assert len(widths) == 1

    agree()


def test_release_follows_its_generator_or_says_that_it_cannot(room, any_mechanism):
    """Would catch a hidden source of randomness: a witness drawn from it never replays."""

    @given(mechanism=room.instances(any_mechanism), seed=SEEDS)
    def agree(mechanism, seed):
        data = mechanism.neighbours().worst[0][0]
        first, second = (mechanism.release(data, 64, np.random.default_rng(seed)) for _ in range(2))
        if getattr(mechanism, "seedable", True):
            assert np.array_equal(first, second)
        # An unseedable one may agree by chance, and does where the noise is small: nothing to check draw by draw.

    agree()
    if not getattr(room.typical(room.instances(any_mechanism)), "seedable", True):
        wide = any_mechanism(epsilon=1e-3)
        data = wide.neighbours().worst[0][0]
        assert not np.array_equal(*(wide.release(data, 64, np.random.default_rng(0)) for _ in range(2)))


def test_release_does_not_touch_its_data(room, any_mechanism):
    """Would catch noise added in place: the second release of the same data would carry the noise of the first."""

    @given(mechanism=room.instances(any_mechanism), seed=SEEDS)
    def agree(mechanism, seed):
        for data in mechanism.neighbours().worst[0]:
            given_data = np.array(data, dtype=float)
            mechanism.release(given_data, 2, np.random.default_rng(seed))
            assert np.array_equal(given_data, np.array(data))

    agree()


def test_guarantee_and_neighbours_speak_of_one_relation(room, any_mechanism):
    """Would catch a claim for one relation audited on neighbours of another, and worst pairs that are no neighbours."""

    @given(mechanism=room.instances(any_mechanism), data=st.data())
    def agree(mechanism, data):
        try:
            guarantee = mechanism.guarantee()
        except ValueError as refusal:  # folds * delta >= 1
            assert "must be" in str(refusal)
            return
        neighbours = mechanism.neighbours()
        assert isinstance(guarantee, Guarantee)
        assert guarantee.relation is neighbours.relation
        assert neighbours.worst
        for first, second in (*neighbours.worst, data.draw(neighbouring(neighbours))):
            neighbours.check(first, second)
        assert all(not np.array_equal(first, second) for first, second in neighbours.worst)
        if neighbours.relation is Relation.WITHIN_SENSITIVITY:
            far = np.array(neighbours.worst[0][1]) * 1.001
            with pytest.raises(ValueError, match="within_sensitivity"):
                neighbours.check(neighbours.worst[0][0], far)

    agree()


def test_promises_are_ids(room, any_mechanism):
    """Would catch a promise that no registry can look up."""
    mechanism = room.typical(room.instances(any_mechanism))
    assert mechanism.promises
    assert all(id.count(".") == 1 for id in mechanism.promises)


def test_randomiser_states_a_local_guarantee(room, any_randomiser):
    """Would catch a client randomiser whose claim is about another view than the report's."""
    guarantee = room.typical(room.instances(any_randomiser)).guarantee()
    assert guarantee.view is View.LOCAL
    assert guarantee.relation is Relation.ANY_PAIR


@pytest.mark.parametrize("width", [1, 3])
def test_randomiser_draws_each_round_and_number_anew(room, any_randomiser, width):
    """Would catch noise reused in the next round or the next coordinate, and a NaN turned into a number."""

    @given(randomiser=room.instances(any_randomiser), key=st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3), round=SEEDS)
    def agree(randomiser, key, round):
        words, setup = np.array(key, dtype=np.uint64), randomiser.setup()
        message, messages = np.full(width, 0.5), np.zeros((64, *randomiser.messages(width)))
        for place in range(64):
            plain(randomiser.kernel)(setup, words, round + place, message, messages[place])
        assert np.all(message == 0.5)
        messages = messages.reshape(64, -1)
        drawn = messages.ravel().tolist()
        assert len(set(drawn)) >= 2, f"64 rounds, one outcome: {drawn[0]}"
        if width > 1:
            assert any(len(set(message)) > 1 for message in messages.tolist()), "all coordinates share one draw"
        broken = np.zeros(randomiser.messages(width))
        plain(randomiser.kernel)(setup, words, round, np.full(width, np.nan), broken)
        assert np.isnan(broken).all()

    agree()


def test_corruption_acts_on_one_of_the_three_wires(room, any_corruption):
    """Would catch a corruption that the loop would leave out."""

    @given(corruption=room.instances(any_corruption))
    def agree(corruption):
        assert corruption.wire in (Wire.REWARDS, Wire.REPORT, Wire.BATCH)

    agree()


def test_shuffler_gives_a_permutation_of_every_length(room, any_shuffler):
    """Would catch a message lost or doubled, in the last and shorter batch too, and where a user sends several."""

    @given(
        shuffler=room.instances(any_shuffler),
        key=st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3),
        first=st.integers(0, 10**9),
        each_sends=st.integers(1, 4),
        data=st.data(),
    )
    def agree(shuffler, key, first, each_sends, data):
        size = each_sends * data.draw(st.integers(1, shuffler.batch))
        words, order = np.array(key, dtype=np.uint64), np.full(size, -1, dtype=np.int64)
        plain(shuffler.kernel)(shuffler.setup(), words, first, order)
        assert sorted(order) == list(range(size))

    agree()
