"""LinUCB: every choice and release against plain recomputation, the good event's exceptions, drift, and the parameter sheet."""

import math
from collections import deque

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.fixed_linear import Noise as RewardNoise
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.noise import Calibration, gaussian_nodes, packed, wishart_nodes
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb import ellipsoid, kernels
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.algorithms.policies.lin_ucb.ellipsoid import (
    add_row,
    best_arm,
    best_of,
    forms,
    forms_in_five,
    four_eights,
    grow_any,
    grow_in_five,
    invert,
    invert_any,
    invert_in_five,
    squared_norm,
    times,
    two_eights,
)
from banditproof.algorithms.policies.lin_ucb.kernels import add_waiting, log_of_growth
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, FixedNoise, Form, LinUCB, Noise, Rule
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View
from banditproof.interaction import NoShuffling, Pipeline, Table, Wire
from banditproof.kernels import compiled, plain
from banditproof.lanes import EIGHT, WIDE, read, write
from banditproof.randomness import key_of
from banditproof.simulation import play, stream
from tests.support.plain_python import in_plain_python

SEEDS = st.integers(0, 2**32)
PRIVATE = (Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)
RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.STATISTIC)


def full(numbers: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """V and u of a packed row."""
    matrix, (lower, other) = np.zeros((dimension, dimension)), np.tril_indices(dimension)
    matrix[lower, other] = numbers[: packed(dimension)]
    matrix[other, lower] = numbers[: packed(dimension)]
    return matrix, np.asarray(numbers[packed(dimension) : packed(dimension) + dimension])


def node_noise(policy: LinUCB, dimension: int, horizon: int, key: np.ndarray, node: int) -> np.ndarray:
    fresh, scratch = np.zeros((1, packed(dimension) + dimension)), gram_noise.scratch(dimension)
    constants = policy.constants(dimension, horizon)
    if policy.noise is Noise.GAUSSIAN:
        gaussian_nodes(key, node, constants.node_sigma, fresh, scratch)
    else:
        gammas = gram_noise.gamma_constants(float(constants.degrees), dimension)
        wishart_nodes(key, node, gammas, policy.bounds.row_norm**2, fresh, scratch)
    return fresh[0]


def prefix_noise(policy: LinUCB, dimension: int, horizon: int, key: np.ndarray, count: int) -> np.ndarray:
    """The noise of `count` rows, from the binary digits; in fresh arrays."""
    total, last = np.zeros(packed(dimension) + dimension), count
    while last:
        total += node_noise(policy, dimension, horizon, key, last)
        last &= last - 1
    if policy.noise is not Noise.GAUSSIAN and policy.padding is Padding.FULL:
        for level in range(gram_noise.nodes(policy.planned_horizon or horizon)):
            if not count >> level & 1:
                total += node_noise(policy, dimension, horizon, key, gram_noise.pad_number(level))
    return total


@settings(max_examples=60)
@given(
    noise=st.sampled_from([Noise.NONE, *PRIVATE]),
    width=st.integers(2, 5),
    arms=st.integers(2, 9),
    horizon=st.integers(1, 50),
    planned_horizon=st.one_of(st.none(), st.integers(40, 5000)),
    padding=st.sampled_from(Padding),
    form=st.sampled_from(Form),
    rule=st.sampled_from([Rule.OPTIMISTIC, Rule.GREEDY]),
    rho=st.one_of(st.none(), st.floats(0.5, 5000.0)),
    norm=st.floats(0.5, 2.0),
    seed=SEEDS,
    run=st.integers(0, 9),
)
def test_every_round_by_hand(noise, width, arms, horizon, planned_horizon, padding, form, rule, rho, norm, seed, run):
    """Would catch noise of another node, a shift with the wrong sign or twice, rows that are not projected, a release of the last row,
    a radius of another round, and an index that looks at what was not released."""
    policy = LinUCB(
        noise,
        5.0,
        0.3,
        Bounds(row_norm=norm),
        planned_horizon=planned_horizon,
        padding=padding,
        form=form,
        rule=rule,
        rho_min=rho,
        failure=0.2,
    )
    try:
        constants = policy.constants(width, horizon)
    except ValueError as refusal:
        assert "Claim 19" in str(refusal)
        return
    key = np.array([*key_of(seed), run], dtype=np.uint64)
    played = play(Pipeline(policy, Sphere(width, arms)), horizon=horizon, key=key_of(seed), run=run, record=RECORD)
    shift, last = constants.shift, planned_horizon or horizon
    sums, released = np.zeros((width + 1, width + 1)), None
    lower, other = np.tril_indices(width + 1)
    for round in range(horizon):
        if released is None or noise is Noise.NONE or round < last:
            released = sums[lower, other][:-1].copy()
            if noise is not Noise.NONE:
                released += prefix_noise(policy, width, horizon, key, round)
            released[[packed(row + 1) - 1 for row in range(width)]] += shift
        if round:
            size = 1e-9 * np.abs(released).max()
            assert played.wire(Wire.STATISTIC)[round - 1] == pytest.approx(released, abs=size)
            released = played.wire(Wire.STATISTIC)[round - 1].copy()
        matrix, vector = full(released, width)
        contexts, arm = played.wire(Wire.CONTEXTS)[round], int(played.wire(Wire.ARMS)[round])
        eigenvalues = np.linalg.eigvalsh(matrix)
        if eigenvalues[0] <= 1e-9 * np.abs(eigenvalues).max():
            assert arm == 0 or eigenvalues[0] > -1e-9 * np.abs(eigenvalues).max()
        else:
            shared = {"dimension": width, "failure": 0.2}
            inverse = np.linalg.inv(matrix)
            if form is Form.UPPER:
                radius = lin_ucb_constants.upper_radius(min(round, last) + 1 if round < last else round + 1, constants.accuracy, **shared)
            else:
                radius = lin_ucb_constants.radius(float(np.log(eigenvalues).sum()), constants.accuracy, **shared)
            radius = 0.0 if rule is Rule.GREEDY else radius
            widths = np.sqrt(np.einsum("ki,ij,kj->k", contexts, inverse, contexts))
            index = contexts @ (inverse @ vector) + radius * widths
            frozen = form is Form.UPPER and noise is not Noise.NONE and round >= last  # the radius of the last release stays
            assert frozen or index[arm] >= index.max() - 1e-6 * np.abs(index).max()
        row = np.append(contexts[arm], played.wire(Wire.REWARDS)[round])
        if noise is not Noise.NONE:
            row *= min(1.0, norm / np.linalg.norm(row))
        sums += np.outer(row, row)


@given(dimension=st.integers(1, 8), seed=SEEDS, digits=st.floats(-8.0, 8.0))
def test_packed_algebra(dimension, seed, digits):
    """Would catch a packed index off by one, and a determinant that overflows or loses a pivot."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(dimension + 3, dimension)) * 10.0**digits
    matrix, lower = rows.T @ rows, np.tril_indices(dimension)
    for form in (lambda kernel: kernel, plain):
        inverse, factor = np.zeros(packed(dimension)), np.zeros(packed(dimension))
        definite, logarithm = form(invert)(matrix[lower], factor, inverse, dimension)
        assert definite
        assert logarithm == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-8, abs=1e-6)
        true = np.linalg.inv(matrix)
        assert inverse == pytest.approx(true[lower], rel=1e-5, abs=1e-6 * np.abs(true).max())
        vector, target = rng.normal(size=dimension), np.zeros(dimension)
        form(times)(matrix[lower], vector, target)
        assert target == pytest.approx(matrix @ vector, abs=1e-9 * np.abs(matrix).max())
        first = rng.normal(size=dimension)
        expected = (first - vector) @ matrix @ (first - vector)
        assert form(squared_norm)(matrix[lower], first, vector) == pytest.approx(expected, rel=1e-6)
        grown = np.linalg.inv(matrix + np.outer(rows[0], rows[0]))
        growth = form(add_row)(inverse, rows[0], target)
        assert inverse == pytest.approx(grown[lower], rel=1e-4, abs=1e-5 * np.abs(true).max())
        assert growth == pytest.approx(np.linalg.slogdet(matrix + np.outer(rows[0], rows[0]))[1] - logarithm, abs=1e-5)
    assert not invert((matrix - 2 * np.linalg.eigvalsh(matrix)[-1] * np.eye(dimension))[lower], factor, inverse, dimension)[0]
    assert not invert(np.full(packed(dimension), np.nan), factor, inverse, dimension)[0]


@given(seed=SEEDS, digits=st.floats(-90.0, 90.0), apart=st.floats(0.0, 8.0))
@np.errstate(over="ignore", under="ignore", invalid="ignore")  # in plain Python a product that nobody reads may be infinite
def test_forms_without_loops_are_those_of_any_dimension(seed, digits, apart):
    """Would catch an entry of d = 5 that is another one's, a pivot that is not looked at, and a determinant that overflows: the inverse is
    that of the loops to the last bit, a grown one up to rounding."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(8, 5)) * 10.0 ** (np.linspace(0.0, apart, 5) / 2.0)
    matrix, row, lower = rows.T @ rows * 10.0**digits, rng.normal(size=5) * 10.0 ** (digits / 2.0), np.tril_indices(5)
    exact = sum(math.log(each) for each in np.linalg.eigvalsh(matrix / 10.0**digits)) + 5 * digits * math.log(10.0)
    found, results = np.zeros((4, packed(5))), []
    for place, form in enumerate((lambda kernel: kernel, plain)):
        results.append(form(invert_any)(matrix[lower], np.zeros(packed(5)), found[place], 5))
        results.append(form(invert_in_five)(matrix[lower], found[2 + place]))
    assert all(np.array_equal(found[0], each) for each in found)
    assert results[0] == results[2] and results[1] == results[3] and all(definite for definite, _ in results)
    assert results[0][1] == pytest.approx(results[1][1], rel=1e-14, abs=1e-13)
    assert results[1][1] == pytest.approx(exact, rel=1e-9, abs=1e-6)
    for pivot in range(5):  # indefinite, or without a number, from this column on
        for bad in (-1.0, 0.0, math.nan, math.inf):
            broken = matrix.copy()
            broken[pivot, pivot] *= bad
            for form in (lambda kernel: kernel, plain):
                assert not form(invert_any)(broken[lower], np.zeros(packed(5)), np.zeros(packed(5)), 5)[0]
                assert not form(invert_in_five)(broken[lower], np.zeros(packed(5)))[0]
    grown, images, growths = np.repeat(found[:1], 4, axis=0), np.zeros((4, 5)), []
    for place, form in enumerate((lambda kernel: kernel, plain)):
        growths.append(form(grow_any)(grown[place], row, images[place], 5))
        growths.append(form(grow_in_five)(grown[2 + place], row, images[2 + place]))
    assert (
        np.array_equal(grown[0], grown[1]) and np.array_equal(grown[2], grown[3]) and growths[0] == growths[2] and growths[1] == growths[3]
    )
    size = np.abs(found[0]).max()
    assert growths[0] == pytest.approx(growths[1], rel=1e-12) and images[0] == pytest.approx(images[2], rel=1e-9, abs=1e-12 * size)
    assert grown[0] == pytest.approx(grown[2], abs=1e-12 * size)


@given(gain=st.one_of(st.floats(0.0, 0.04), st.floats(0.0, 1e9), st.floats(0.0, 1e-9), st.sampled_from([0.0, 1 / 32, 2.0**-52])))
def test_the_logarithm_of_a_growth_to_the_last_digits(gain):
    """Would catch a term of the series that is missing or wrong, and a series that goes on where it is too short."""
    growth = 1.0 + gain
    found = log_of_growth(growth)
    assert found == plain(log_of_growth)(growth)
    with mpmath.workdps(40):
        exact = mpmath.log(mpmath.mpf(growth))
        assert abs(exact - found) <= 4e-16 * exact


def _form(inverse, centre, features, target):
    scores, squares = forms(inverse, centre, features, features.shape[0])
    write(target[0], 0, scores)
    write(target[1], 0, squares)


def _form_in_five(inverse, centre, features, target):
    rows = read(features[0], 0, WIDE), read(features[1], 0, WIDE), read(features[2], 0, WIDE), read(features[3], 0, WIDE)
    scores, squares = forms_in_five(inverse, centre, rows[0], rows[1], rows[2], rows[3], read(features[4], 0, WIDE))
    write(target[0], 0, scores)
    write(target[1], 0, squares)


def _arm(inverse, centre, radius, features, scratch):
    return best_arm(inverse, centre, radius, features.T, scratch)


def _plain_arm(inverse, centre, radius, features, scratch):
    return plain(best_arm)(inverse, centre, radius, features.T, scratch)


form_any, form_in_five, arm_of = compiled(_form), compiled(_form_in_five), compiled(_arm)


@given(dimension=st.integers(1, 7), arms=st.integers(1, 70), place=st.integers(0, 40), seed=SEEDS)
def test_the_best_arm_is_that_of_its_formula(dimension, arms, place, seed):
    """Would catch an order of operations that differs between the two modes, a form of d = 5 that is another one, an arm that is left out
    or looked at though it is not there: the sets of other rounds stand beside."""
    rng = np.random.default_rng(seed)
    inverse, centre, features = rng.normal(size=packed(dimension)), rng.normal(size=dimension), rng.normal(size=(dimension, arms))
    parts = np.zeros((-(-arms // WIDE), dimension, WIDE))
    for arm in range(arms):
        parts[arm // WIDE, :, arm % WIDE] = features[:, arm]
    kernels, both = ((form_any, form_in_five) if dimension == 5 else (form_any,)), []
    for kernel in kernels:
        found = np.zeros((2, len(parts), 2, WIDE))
        for form in (0, 1):
            for part in range(len(parts)):
                (kernel, plain(kernel))[form](inverse, centre, parts[part], found[form, part])
        assert np.array_equal(found[0], found[1])
        both.append(found[0].transpose(1, 0, 2).reshape(2, -1)[:, :arms])
    assert both[0] == pytest.approx(both[-1], abs=1e-12)
    lower, other = np.tril_indices(dimension)
    matrix = np.zeros((dimension, dimension))
    matrix[lower, other] = matrix[other, lower] = inverse
    assert both[0][0] == pytest.approx(centre @ features, abs=1e-9)
    assert both[0][1] == pytest.approx(np.einsum("ia,ij,ja->a", features, matrix, features), abs=1e-9)
    scores, squares = both[-1] if arms >= 8 else both[0]
    best = int(np.argmax(scores + 2.0 * np.sqrt(np.maximum(squares, 0.0))))
    wide = np.full((dimension, place + arms + 40), 1e3)
    wide[:, place : place + arms] = features
    for arm in (arm_of, _plain_arm):  # what is left of other arms must not count
        assert arm(inverse, centre, 2.0, features, np.full((dimension, WIDE), 1e9)) == best
    for form in (lambda kernel: kernel, plain):
        assert form(best_of)(inverse, centre, 2.0, wide, place, arms, np.full((dimension, WIDE), 1e9)) == best


@pytest.mark.parametrize("together", [2 * EIGHT, 4 * EIGHT])
@pytest.mark.parametrize("dimension", [2, 5, 6])
def test_any_number_of_arms_taken_at_a_time_finds_the_same(together, dimension):
    """Would catch a mistake in the form that this processor does not use, at any remainder of the arms."""
    rng, (lower, other) = np.random.default_rng(together + dimension), np.tril_indices(dimension)
    taken = in_plain_python(ellipsoid, WIDE=together)
    assert together == taken.WIDE
    assert {2 * EIGHT: 4, 4 * EIGHT: 16}[together] == taken.MANY
    for arms in (*range(1, 50), 63, 64, 65, 100):
        inverse, centre, wide = rng.normal(size=packed(dimension)), rng.normal(size=dimension), rng.normal(size=(dimension, arms + 13))
        matrix, features = np.zeros((dimension, dimension)), wide[:, 7 : 7 + arms]
        matrix[lower, other] = matrix[other, lower] = inverse
        squares = np.einsum("ia,ij,ja->a", features, matrix, features)
        best = int(np.argmax(centre @ features + 2.0 * np.sqrt(np.maximum(squares, 0.0))))
        assert taken.best_of(inverse, centre, 2.0, wide, 7, arms, np.full((dimension, together), 1e9)) == best


def _gather_two(row, place, first, arms, target):
    write(target, 0, two_eights(row, place, first, arms))


def _gather_four(row, place, first, arms, target):
    write(target, 0, four_eights(row, place, first, arms))


@pytest.mark.parametrize(("gather", "together"), [(compiled(_gather_two), 2 * EIGHT), (compiled(_gather_four), 4 * EIGHT)])
def test_eights_are_gathered_as_they_are_spread(gather, together):
    """Would catch eight arms that stand at another place, or beyond the last one, in the form that this processor does not use too."""
    row, target, other = np.arange(100.0), np.zeros(together), np.zeros(together)
    for first, arms in ((0, 8), (0, 9), (0, 16), (0, 25), (0, 40), (16, 25), (32, 40)):
        gather(row, 5, first, arms, target)
        for lane in range(0, together, EIGHT):
            at = 5 + min(first + lane, arms - EIGHT)
            other[lane : lane + EIGHT] = row[at : at + EIGHT]
        assert np.array_equal(target, other)


@pytest.mark.parametrize("width", [2, 5])
def test_ties_go_to_the_lowest_arm(width):
    for arms, first in ((2, 1), (4, 1), (6, 2), (20, 5), (40, 35), (35, 33), (65, 64), (70, 0)):  # also where the arms are taken in parts
        contexts = np.zeros((width, 2 * arms))
        contexts[1] = 1.0
        contexts[:2, first::3] = [[1.0], [0.0]]
        inverse, centre = np.eye(width)[np.tril_indices(width)], np.eye(width)[0]
        for count in (first + 1, first + 2, 2 * arms):
            for arm in (arm_of, _plain_arm):
                assert arm(inverse, centre, 1.0, contexts[:, :count].copy(), np.zeros((width, WIDE))) == first


@settings(max_examples=20)
@given(noise=st.sampled_from([Noise.NONE, *PRIVATE]), horizon=st.integers(1, 300), arms=st.integers(2, 30), seed=SEEDS)
def test_rows_that_wait_are_added_in_order(noise, horizon, arms, seed):
    """Would catch a row that is lost or added twice where there is no room left, one added after the sums were asked for, and another
    order: the sums and their rounding errors are those of a run whose sums are asked for after each row, to the last bit."""
    policy, found = LinUCB(noise, 20.0, 0.5, planned_horizon=4096), []
    for record in ((Wire.ARMS,), (Wire.ARMS, Wire.STATISTIC)):
        state = policy.state(arms, 5, horizon)
        played = list(stream(Pipeline(policy, Sphere(5, arms)), horizon=horizon, key=key_of(seed), record=record, state=state, block=50))
        waiting = int(state.counters.waiting[0])
        assert waiting == 0 if Wire.STATISTIC in record else waiting <= min(horizon, state.waiting.shape[0] - 1)
        if noise is Noise.NONE and horizon == 5 and record == (Wire.ARMS,):
            assert waiting == 5
        plain(add_waiting)(state)
        found.append((state.sums.copy(), state.errors.copy(), np.concatenate([each.wire(Wire.ARMS) for each in played])))
    assert all(np.array_equal(one, other) for one, other in zip(*found, strict=True))


@given(seed=SEEDS, horizon=st.integers(1, 60), arms=st.integers(2, 5))
def test_without_contexts_the_arms_are_unit_vectors(seed, horizon, arms):
    """Would catch features of another arm: the ridge sums are then pulls + rho and summed rewards, the sums of a plain bandit."""
    means = tuple(np.linspace(0.2, 0.8, arms).tolist())
    run = play(Pipeline(LinUCB(Noise.NONE), Bernoulli(means)), horizon=horizon, key=key_of(seed), record=RECORD)
    chosen, rewards = run.wire(Wire.ARMS), run.wire(Wire.REWARDS)
    matrix, vector = full(run.wire(Wire.STATISTIC)[-1], arms)
    assert np.array_equal(matrix, np.eye(arms) + np.diag(np.bincount(chosen, minlength=arms)))
    assert np.array_equal(vector, np.bincount(chosen, rewards, minlength=arms))


@given(seed=SEEDS, batch=st.integers(1, 9), noise=st.sampled_from([Noise.NONE, Noise.GAUSSIAN, Noise.WISHART]))
def test_batches_complete_their_nodes_one_by_one(seed, batch, noise):
    """Would catch a node skipped where messages come together: later prefixes hold it."""
    policy, horizon, width = LinUCB(noise, 20.0, 0.5), 37, 3
    key = np.array([*key_of(seed), 0], dtype=np.uint64)
    run = play(Pipeline(policy, Sphere(width, 4), shuffler=NoShuffling(batch)), horizon=horizon, key=key_of(seed), record=RECORD)
    rows = np.concatenate(
        [run.wire(Wire.CONTEXTS)[np.arange(horizon), run.wire(Wire.ARMS)], run.wire(Wire.REWARDS)[:, None]], axis=1
    )  # fmt: skip
    lower, other = np.tril_indices(width + 1)
    for count in range(batch, horizon, batch):
        expected = (rows[:count].T @ rows[:count])[lower, other][:-1]
        if noise is not Noise.NONE:
            expected = expected + prefix_noise(policy, width, horizon, key, count)
        expected[[packed(row + 1) - 1 for row in range(width)]] += policy.constants(width, horizon).shift
        assert run.wire(Wire.STATISTIC)[count - 1] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("noise", PRIVATE)
def test_what_follows_the_planned_horizon_is_not_released(noise):
    """Would catch a tree that goes on beyond the rows that its noise is calibrated for."""
    run = play(Pipeline(LinUCB(noise, planned_horizon=64), Sphere(3, 4)), horizon=100, key=key_of(3), record=RECORD)
    released = run.wire(Wire.STATISTIC)
    assert all(np.array_equal(each, released[62]) for each in released[63:])
    assert len(np.unique(released[:63], axis=0)) == 63


@given(seed=SEEDS)
def test_an_earlier_end_changes_nothing(seed):
    """Would catch constants recomputed for the shorter run."""
    policy = LinUCB(Noise.WISHART, planned_horizon=10_000)
    short, long = (play(Pipeline(policy, Sphere(3, 5)), horizon=horizon, key=key_of(seed)) for horizon in (20, 60))
    assert np.array_equal(short.wire(Wire.ARMS), long.wire(Wire.ARMS)[:20])


@given(seed=SEEDS, length=st.integers(1, 6), width=st.integers(2, 4))
def test_given_perturbations_are_used_in_their_rounds(seed, length, width):
    """Would catch a perturbation of the round before, and one of h that is added to H."""
    rng, numbers = np.random.default_rng(seed), packed(width) + width
    rows = rng.uniform(-0.1, 0.1, size=(length, numbers))
    rows[:, [packed(row + 1) - 1 for row in range(width)]] += 2.0
    policy = LinUCB(Noise.FIXED, fixed_noise=FixedNoise(tuple(map(tuple, rows.tolist())), Accuracy(1.0, 3.0, 0.5)))
    run = play(Pipeline(policy, Sphere(width, 4)), horizon=12, key=key_of(seed), record=RECORD)
    lower, other = np.tril_indices(width + 1)
    sums = np.zeros((width + 1, width + 1))
    for round in range(12):
        row = np.append(run.wire(Wire.CONTEXTS)[round, run.wire(Wire.ARMS)[round]], run.wire(Wire.REWARDS)[round])
        sums += np.outer(row, row)
        assert run.wire(Wire.STATISTIC)[round] == pytest.approx(sums[lower, other][:-1] + rows[min(round + 1, length - 1)], abs=1e-12)
    assert policy.guarantee() is None


def test_rounds_outside_the_good_event_are_counted_and_refused_when_strict():
    """Would catch a factor taken from a matrix that has none. Without padding, V_1 is -c I or 0, so the first arm is played."""
    for noise in (Noise.WISHART, Noise.WISHART_UNSHIFTED):
        policy = LinUCB(noise, planned_horizon=1000, padding=Padding.NONE, true_parameter=(1.0, 0.0, 0.0))
        run = play(Pipeline(policy, Sphere(3, 5)), horizon=30, key=key_of(2), record=RECORD)
        counted = run.wire(Wire.STATISTIC)[:, -5]
        before = [np.zeros(9), *run.wire(Wire.STATISTIC)[:-1, :9]]
        indefinite = [round == 0 or np.linalg.eigvalsh(full(each, 3)[0])[0] <= 0.0 for round, each in enumerate(before)]
        assert counted.tolist() == np.cumsum(indefinite).tolist()
        assert counted[-1] >= 1
        assert np.all(run.wire(Wire.ARMS)[indefinite] == 0)
        for stepwise in (False, True):
            with pytest.raises(ValueError, match="must be positive definite: outside the good event"):
                strict = LinUCB(noise, planned_horizon=1000, padding=Padding.NONE, strict=True)
                play(Pipeline(strict, Sphere(3, 5)), horizon=30, key=key_of(2), stepwise=stepwise)


@settings(max_examples=20)
@given(seed=SEEDS, noise=st.sampled_from([Noise.NONE, Noise.GAUSSIAN]), tail=st.sampled_from([1e-9, 1.0]))
def test_clamps_and_misses_are_counted(seed, noise, tail):
    """Would catch a count of the wrong event: theta* is outside as soon as the radius is tiny, and a radicand < 0 counts as 0."""
    bounds = Bounds(parameter_norm=tail, reward_sigma=1e-9) if tail < 1.0 else Bounds()
    rho = 1e6 if noise is Noise.GAUSSIAN else None
    policy = LinUCB(noise, planned_horizon=1000, bounds=bounds, rho_min=rho, true_parameter=(1.0, 0.0, 0.0))
    run = play(Pipeline(policy, Sphere(3, 5)), horizon=20, key=key_of(seed), record=RECORD)
    constants, clamped, outside = policy.constants(3, 20), 0, 0
    start = prefix_noise(policy, 3, 20, np.array([*key_of(seed), 0], dtype=np.uint64), 0) if noise is not Noise.NONE else np.zeros(9)
    start[[0, 2, 5]] += constants.shift
    for round, released in enumerate([start, *run.wire(Wire.STATISTIC)[:-1, :9]]):
        matrix, vector = full(released, 3)
        base = 2 * math.log(2 / constants.failure) - 3 * math.log(constants.accuracy.rho_min)
        radicand = base + np.linalg.slogdet(matrix)[1]
        radius = bounds.reward_sigma * math.sqrt(max(radicand, 0.0)) + lin_ucb_constants.radius_tail(constants.accuracy, tail)
        error = np.linalg.solve(matrix, vector) - np.array([1.0, 0.0, 0.0])
        clamped += radicand < 0.0
        outside += error @ matrix @ error > radius**2
        assert run.wire(Wire.STATISTIC)[round, -4:-2].tolist() == [clamped, outside]
    if tail < 1.0 and noise is Noise.NONE:
        assert outside == 20


@pytest.mark.parametrize("environment", [Sphere(5, 25), LeastExploredAdversary(5, 9)], ids=["sphere", "tempting"])
@pytest.mark.parametrize("noise", [Noise.NONE, *PRIVATE])
def test_drift_stays_below_the_limit(environment, noise, scale):
    """Would catch sums that lose the small eigenvalues: measured in the run itself, and once more against exact sums in 40 digits."""
    horizon = scale.of(30_000, 1_000_000)
    policy = LinUCB(noise, planned_horizon=50_000_000, strict=True, true_parameter=(1.0, *(0.0,) * 4))
    record = RECORD if horizon <= 30_000 else (Wire.STATISTIC,)
    run = play(Pipeline(policy, environment), horizon=horizon, key=key_of(4), record=record)
    assert 0.0 <= run.wire(Wire.STATISTIC)[-1, -2] < 1e-8
    if horizon <= 30_000 and noise is Noise.NONE:
        rows = np.concatenate(
            [run.wire(Wire.CONTEXTS)[np.arange(horizon), run.wire(Wire.ARMS)], run.wire(Wire.REWARDS)[:, None]], axis=1
        )  # fmt: skip
        lower, other = np.tril_indices(6)
        exact = np.array([math.fsum(rows[:, i] * rows[:, j]) for i, j in zip(lower, other, strict=True)])[:-1]
        exact[[packed(row + 1) - 1 for row in range(5)]] += 1.0
        assert np.abs(run.wire(Wire.STATISTIC)[-1, :20] - exact).max() < 1e-12 * np.abs(exact).max()


@settings(max_examples=15)
@given(width=st.sampled_from([1, 3, 5]), arms=st.integers(2, 70), column=st.booleans(), rule=st.sampled_from(Rule), seed=SEEDS)
def test_sets_that_stay_are_scored_as_if_they_were_new(width, arms, column, rule, seed):
    """Would catch a row that the kept scores miss, a set that is kept after it changed, in its first column or in others alone, and a
    score of arms that are not there; by hand, and in plain Python."""
    rng, horizon = np.random.default_rng(seed), 90
    contexts = np.repeat(rng.normal(size=(1, arms, width)), horizon, axis=0)
    for round in rng.integers(0, horizon, 6):  # another set for a round, and another one from a round on
        contexts[round, :, 0 if column else width - 1] += rng.normal(size=arms)
    contexts[50:, :, width - 1] += rng.normal(size=arms)
    table = Table(contexts[:, :, 0] + rng.normal(size=(horizon, arms)), contexts=contexts)
    pipeline = Pipeline(LinUCB(Noise.NONE, rule=rule, failure=0.2), table)
    run, slow = (
        play(pipeline, horizon=horizon, key=key_of(seed), record=RECORD, stepwise=stepwise, block=31) for stepwise in (False, True)
    )
    chosen, rewards = run.wire(Wire.ARMS), run.wire(Wire.REWARDS)
    assert np.array_equal(chosen, slow.wire(Wire.ARMS)) and np.array_equal(run.wire(Wire.STATISTIC), slow.wire(Wire.STATISTIC))
    matrix, vector = np.eye(width), np.zeros(width)
    for round, arm in enumerate(chosen):
        each, inverse = contexts[round], np.linalg.inv(matrix)
        radius = lin_ucb_constants.radius(
            float(np.linalg.slogdet(matrix)[1]), lin_ucb_constants.ridge(1.0), dimension=width, failure=0.2, reward_sigma=1.0
        )
        lengths = np.sqrt(np.einsum("ki,ij,kj->k", each, inverse, each))
        index = each @ inverse @ vector + (0.0 if rule is Rule.GREEDY else radius) * lengths
        assert rule is Rule.UNIFORM or index[arm] >= index.max() - 1e-9 * np.abs(index).max()
        matrix, vector = matrix + np.outer(each[arm], each[arm]), vector + rewards[round] * each[arm]


def test_a_set_that_changes_while_nothing_is_scored_is_not_the_one_that_was_kept():
    """Would catch scores of the set before, where V was not definite in the round in which the set changed."""
    state = LinUCB(Noise.NONE, failure=0.1).state(3, 2, 10)
    key, longest_first, longest_last = key_of(1), np.array([[3.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 1.0]])
    plain(kernels.start)(state, key)
    for _ in range(3):
        assert plain(kernels.pick)(state, key, 0, longest_first, 0, 3, False) == 0
    state.flags.definite[0] = 0
    plain(kernels.pick)(state, key, 1, longest_last, 0, 3, False)
    state.flags.definite[0] = 1
    for round in (2, 3, 4):
        assert plain(kernels.pick)(state, key, round, longest_last, 0, 3, True) == 2


@pytest.mark.parametrize("scale", [1e-180, 1e-160, 1e160, 1e180])
@pytest.mark.parametrize("dimension", [1, 2, 3, 6])
def test_a_determinant_beyond_all_doubles_has_its_logarithm(dimension, scale):
    """Would catch pivots that are multiplied before it is seen that their product overflows."""
    lower, block = np.tril_indices(dimension), packed(dimension)
    for form in (invert, plain(invert)):
        definite, logarithm = form((scale * np.eye(dimension))[lower], np.zeros(block), np.zeros(block), dimension)
        assert definite and logarithm == pytest.approx(dimension * math.log(scale), rel=1e-14)


def off_in_some_direction(state) -> float:
    """Largest relative error of x' V^-1 x over all x, V being the sums with their errors: 60 digits."""
    size = len(state.centre)
    plain(add_waiting)(state)
    with mpmath.workdps(60):
        matrix = mpmath.zeros(size)
        kept = mpmath.zeros(size)
        for place, (i, j) in enumerate(zip(*np.tril_indices(size), strict=True)):
            ridge = state.settings.shift if i == j else 0.0
            matrix[i, j] = matrix[j, i] = mpmath.mpf(state.sums[place]) + mpmath.mpf(state.errors[place]) + mpmath.mpf(ridge)
            kept[i, j] = kept[j, i] = mpmath.mpf(state.inverse[place])
        root = mpmath.cholesky(matrix)
        return float(max(abs(each - 1) for each in mpmath.eigsy(root.T * kept * root, eigvals_only=True)))


ONE_GOOD_ARM = FixedLinear(
    (
        (0.9, 0.1, 0.0, 0.0, 0.0),
        *(tuple(-0.3 if column == 0 else (0.9 if column == arm else 0.05) for column in range(5)) for arm in range(5)),
    ),
    (0.9, 0.0, 0.0, 0.0, 0.0),
    RewardNoise.SIGNS,
)


@pytest.mark.parametrize("environment", [Sphere(), ONE_GOOD_ARM], ids=["well-conditioned", "one arm dominates"])
def test_scores_are_right_in_all_directions_just_before_a_renewal(environment, scale):
    """Would catch a renewal that comes too late for the condition number: 49,999,999 rounds at full scale."""
    policy = LinUCB(Noise.NONE, planned_horizon=50_000_000, bounds=Bounds(parameter_norm=0.05, reward_sigma=0.05))
    horizon, condition = scale.of(50_000, 49_999_999), 0.0
    for _ in range(2):  # the second run ends with the last row before a renewal
        state = policy.state(environment.arms, 5, horizon)
        deque(stream(Pipeline(policy, environment), horizon=horizon, key=key_of(4), state=state), maxlen=1)
        assert off_in_some_direction(state) < 1e-8
        horizon = int(state.counters.renewal[0]) - 1
    assert state.counters.rows[0] == horizon
    condition = float(np.linalg.cond(full(state.release, 5)[0]))
    assert condition < 100.0 if isinstance(environment, Sphere) else condition > horizon / 100.0


def test_an_update_that_drifts_is_noticed():
    """Would catch a drift that is never measured: rows 1e5 times longer than the ridge, all in one direction, lose the others."""
    rng = np.random.default_rng(1)
    contexts = np.repeat(np.array([[[3e5, 1e5], [3e5, 1e5]]]), 64, axis=0) + rng.normal(size=(64, 2, 2))
    table = Table(np.zeros((64, 2)), None, contexts)
    with pytest.raises(FloatingPointError, match="drifted by 1e-8"):
        play(Pipeline(LinUCB(Noise.NONE, strict=True), table), horizon=64, key=key_of(1))
    run = play(Pipeline(LinUCB(Noise.NONE, true_parameter=(0.0, 0.0)), table), horizon=64, key=key_of(1), record=RECORD)
    assert run.wire(Wire.STATISTIC)[-1, -2] > 1e-8


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e200])
def test_a_row_without_a_length_is_refused(bad):
    """Would catch a NaN on one neighbour alone, and a projection that turns infinity into NaN."""
    for noise in (Noise.NONE, Noise.GAUSSIAN):
        for stepwise in (False, True):
            with pytest.raises(ValueError, match="no finite length"):
                play(Pipeline(LinUCB(noise), Table(np.full((5, 2), bad), np.zeros((5, 2)))), horizon=5, key=key_of(1), stepwise=stepwise)


def test_privacy_is_joint():
    """Would catch a claim about all arms: action t is chosen from the decision set of round t (Claim 13)."""
    assert LinUCB(epsilon=0.7, delta=0.2).guarantee() == ApproximateDP(0.7, 0.2, NeighbouringRelation.REPLACE_ROUND, View.JOINT)
    assert LinUCB(view=View.WHITE_BOX).guarantee() == ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.WHITE_BOX)
    assert LinUCB(Noise.NONE).guarantee() is None
    for view in (View.CENTRAL, View.LOCAL, View.SHUFFLED):
        with pytest.raises(ValueError, match=f"view = {view.value}: must be joint, or white_box"):
            LinUCB(view=view)
    with pytest.raises(ValueError, match="view = white_box: must be joint, or white_box without truth"):
        LinUCB(view=View.WHITE_BOX, true_parameter=(1.0,))


def test_parameters_by_hand():
    """The parameter sheet at n = 1000, d = 4, alpha = 0.05, L~ = 1.5, k = 5000, sigma_noise = 7; m = 11. 40 digits, formula by formula."""
    setting = {"dimension": 4, "horizon": 1000, "failure": 0.05}
    with mpmath.workdps(40):
        alpha, lengths = mpmath.mpf(0.05), mpmath.mpf(1.5)
        a_2, a_8 = (2 + mpmath.sqrt(2 * mpmath.log(q * 1000 / alpha)) for q in (2, 8))
        s, upsilon = mpmath.sqrt(11 * 5000), 7 * mpmath.sqrt(22) * (8 + 2 * mpmath.log(2000 / alpha))
        unshifted = (lengths**2 * (s - a_8) ** 2, lengths**2 * (s + a_8) ** 2, lengths * a_2)
        shifted = (4 * lengths**2 * s * a_8, 8 * lengths**2 * s * a_8, lengths * mpmath.sqrt(s * a_2))
        gaussian = (upsilon, 3 * upsilon, 7 * mpmath.sqrt(11 / upsilon) * a_2)
        closed = mpmath.sqrt(11 * lengths**2 * (2 + 2 * mpmath.log(2000 / alpha)) / mpmath.sqrt(2) / 3)
        beta = 2 * mpmath.sqrt(2 * mpmath.log(2 / alpha) + 30 - 4 * mpmath.log(2)) + 3 * mpmath.sqrt(5) + mpmath.mpf(0.5)
        growth = mpmath.mpf(5) / 2 + mpmath.mpf(70 * 9) / (4 * 2)
        upper = 2 * mpmath.sqrt(2 * mpmath.log(2 / alpha) + 4 * mpmath.log(growth)) + 3 * mpmath.sqrt(5) + mpmath.mpf(0.5)
    found = lin_ucb_constants.unshifted_wishart(5000, row_norm=1.5, **setting)
    assert list(found) == pytest.approx([float(each) for each in unshifted], rel=1e-13)
    found = lin_ucb_constants.shifted_wishart(5000, row_norm=1.5, **setting)
    assert list(found) == pytest.approx([float(each) for each in shifted], rel=1e-13)
    assert list(lin_ucb_constants.gaussian(7.0, **setting)) == pytest.approx([float(each) for each in gaussian], rel=1e-13)
    closed_form = lin_ucb_constants.gaussian_perturbation_bound(3.0, row_norm=1.5, **setting)
    assert closed_form == pytest.approx(float(closed), rel=1e-13)
    problem = {"dimension": 4, "failure": 0.05, "parameter_norm": 3.0, "reward_sigma": 2.0}
    assert lin_ucb_constants.radius(30.0, Accuracy(2.0, 5.0, 0.5), **problem) == pytest.approx(float(beta), rel=1e-13)
    assert lin_ucb_constants.upper_radius(70, Accuracy(2.0, 5.0, 0.5), context_norm=3.0, **problem) == pytest.approx(
        float(upper), rel=1e-13
    )
    moved = lin_ucb_constants.moved_gaussian(100.0, 7.0, **setting)
    assert list(moved) == pytest.approx([100.0, 100.0 + 2 * float(upsilon), 7 * math.sqrt(0.11) * float(a_2)], rel=1e-13)
    least, most, gamma = map(float, unshifted)
    for rho in (10.0, 2 * least):
        expected = [rho, rho + most - least, gamma * math.sqrt(max(least / rho, 1.0))]
        assert list(lin_ucb_constants.moved_wishart(rho, 5000, row_norm=1.5, **setting)) == pytest.approx(expected, rel=1e-12)


def test_bounds_moved_to_the_printed_place_are_the_printed_ones_for_many_degrees():
    """Would catch rho_max as a difference of large squares: (s + a)^2 - (s - a)^2 loses five digits here."""
    setting = {"dimension": 4, "horizon": 70, "failure": 0.05, "row_norm": 1.5}
    printed = lin_ucb_constants.shifted_wishart(10**12, **setting)
    moved = lin_ucb_constants.moved_wishart(printed.rho_min, 10**12, **setting)
    assert moved.rho_max == pytest.approx(printed.rho_max, rel=1e-14)


@given(noise=st.sampled_from(PRIVATE), horizon=st.integers(200, 10**9), dimension=st.integers(1, 30))
def test_the_printed_shift_is_the_one_that_moves_rho_min(noise, horizon, dimension):
    """Would catch a shift and a rho_min of two conventions: moving rho_min to its printed value must be the printed shift."""
    policy = LinUCB(noise, planned_horizon=horizon)
    constants = policy.constants(dimension, horizon)
    moved = LinUCB(noise, planned_horizon=horizon, rho_min=constants.accuracy.rho_min).constants(dimension, horizon)
    size = abs(constants.shift) + constants.accuracy.rho_max
    assert moved.shift == pytest.approx(constants.shift, abs=1e-11 * size)
    assert moved.accuracy.rho_max == pytest.approx(constants.accuracy.rho_max, rel=1e-9)
    assert constants.failure == 1 / horizon


def test_private_noise_is_that_of_the_calibration():
    """Would catch a policy that never asks its calibration."""
    exact = LinUCB(calibration=Calibration.EXACT).constants(5, 1000).node_sigma
    assert exact == gaussian_gram.exact_node_sigma(1.0, 0.1, horizon=1000, row_norm=math.sqrt(2.0))
    assert LinUCB().constants(5, 1000).node_sigma == gaussian_gram.node_sigma(1.0, 0.1, horizon=1000, row_norm=math.sqrt(2.0)) > exact
    assert LinUCB(Noise.WISHART).constants(5, 1000).degrees == wishart_gram.wishart_degrees(1.0, 0.1, dimension=5, horizon=1000)


def test_less_is_lost_with_less_noise():
    """Would catch a policy that does not learn: uniform play, printed noise and none lose in this order, by far. Seeds are not chosen."""
    environment, lost = Sphere(3, 5, rewards=Rewards.SIGNS), []
    for policy in (LinUCB(Noise.NONE, rule=Rule.UNIFORM), LinUCB(epsilon=20.0), LinUCB(Noise.NONE)):
        lost.append(play(Pipeline(policy, environment), horizon=20_000, key=key_of(11), record=()).regret[0])
    assert lost[0] > 2.0 * lost[1] > 4.0 * lost[2]


def fixed(accuracy, number=0.0):
    """Fresh arrays of a policy in the plane with this perturbation in every round."""
    return LinUCB(Noise.FIXED, fixed_noise=FixedNoise(((1.0, number, 1.0, 0.0, 0.0),), accuracy)).state(3, 2, 10)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: LinUCB(epsilon=0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: LinUCB(delta=1.0), r"delta = 1.0: must be > 0 and < 1"),
        (lambda: LinUCB(bounds=Bounds(row_norm=math.inf)), r"row_norm = inf: must be > 0 and finite"),
        (lambda: LinUCB(failure=1.0), r"failure = 1.0: must be > 0 and < 1"),
        (lambda: LinUCB(planned_horizon=0), r"horizon = 0: must be an integer >= 1"),
        (lambda: LinUCB(rho_min=0.0), r"rho_min = 0.0: must be > 0"),
        (lambda: LinUCB(Noise.FIXED), r"fixed_noise: must be there with noise = fixed"),
        (
            lambda: LinUCB(Noise.WISHART, 1.0, 0.1, calibration=Calibration.EXACT, failure=1e-60).constants(5, 1000),
            r"degrees = \d+: must be > .* \(Claim 19",
        ),
        (lambda: LinUCB(true_parameter=(1.0,)).state(3, 2, 10), r"true_parameter of 1 numbers: must have 2"),
        (lambda: LinUCB(true_parameter=(1.0, math.nan)).state(3, 2, 10), r"true_parameter = .*: must be finite"),
        (lambda: fixed(Accuracy(3, 2, 0)), r"rho_min = 3, rho_max = 2: must be 0 < rho_min <= rho_max"),
        (lambda: fixed(Accuracy(-1, 2, 0)), r"rho_min = -1, rho_max = 2: must be 0 < rho_min"),
        (lambda: fixed(Accuracy(1, 2, math.nan)), r"perturbation = nan: must be >= 0"),
        (lambda: fixed(Accuracy(1, 1, 0), math.nan), r"fixed_noise rows: must be finite"),
        (lambda: LinUCB(Noise.WISHART, 1e-200).constants(2, 10), r"epsilon = 1e-200, .*: must be larger \(degrees of freedom"),
        (lambda: LinUCB(Noise.GAUSSIAN, 1e200).constants(2, 10), r"epsilon = 1e\+200: must be from 1e-300 to 1e150"),
        (
            lambda: LinUCB(Noise.FIXED, fixed_noise=FixedNoise(((1.0,),), Accuracy(1, 1, 0))).state(3, 2, 10),  # one number, not five
            r"fixed_noise rows of shape \(1, 1\): must be",
        ),
        (lambda: LinUCB(Noise.WISHART, 50.0, 0.9, failure=1e-300).state(9, 9, 2), r"degrees = .*: must be > .*Claim 19"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
