"""Replays with frozen releases: what they refute in one pair of runs, what they must not accuse, and losses known in closed form."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from banditproof.audits.privacy.frozen import PATHS, FirstRuns, alike, judged, replayed
from banditproof.audits.privacy.noisy import Noisy
from banditproof.audits.privacy.pair_loss import gaussian_delta, level
from banditproof.audits.privacy.recording import OPAQUE, Recording
from banditproof.audits.privacy.shifts import moves
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, PureDP, RenyiDP, ZeroConcentratedDP

RECORD = NeighbouringRelation.REPLACE_RECORD
ONE = PureDP(1.0, RECORD)
PAIR = ([0.0, 1.0, 0.3], [1.0, 1.0, 0.3])


def clipped(data: list[float]) -> Any:
    return np.clip(np.array(data, dtype=float), 0.0, 1.0)


# --- mistakes -----------------------------------------------------------------------------------------------------------------------


def clipping_forgotten(data, rng):
    return np.sum(data) + rng.laplace(0, 1)


def sensitivity_of_one_coordinate(data, rng):
    return np.array([clipped(data).sum(), clipped(data).max()]) + rng.laplace(0, 1, 2)


def reward_used_twice(data, rng):
    return [clipped(data).sum() + rng.laplace(0, 1), clipped(data).mean() + rng.laplace(0, 1)]


def overlapping_folds(data, rng):
    values = clipped(data)
    return [values[:2].sum() + rng.laplace(0, 1), values[1:].sum() + rng.laplace(0, 1)]


def domain_from_the_data(data, rng):
    values = np.array(data)
    return values.sum() + rng.laplace(0, values.max() - values.min())


def nan_survives_clipping(data, rng):
    return np.minimum(np.maximum(np.array(data), 0), 1).sum() + rng.laplace(0, 1)


def draws_depend_on_the_data(data, rng):
    noise = [rng.laplace(0, 3) for value in clipped(data) if value > 0.5]
    return float(len(noise))


def noise_shared(data, rng):
    return clipped(data) + rng.laplace(0, 1)


def count_beside_the_release(data, rng):
    return clipped(data).sum() + rng.laplace(0, 1), len(set(data))


def no_noise_at_all(data, rng):
    return clipped(data).sum()


MISTAKES: list[tuple[Callable[..., Any], tuple[Any, Any], str]] = [
    (clipping_forgotten, ([0.0, 1.0], [5.0, 1.0]), "moves by 5, and its laplace noise has scale 1"),
    (sensitivity_of_one_coordinate, ([0.0, 0.0], [1.0, 0.0]), "loss of this pair is 2"),
    (reward_used_twice, PAIR, "loss of this pair is 1.33"),
    (overlapping_folds, ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]), "loss of this pair is 2"),
    (domain_from_the_data, ([0.0, 1.0], [0.0, 2.0]), "depends on the data"),
    (nan_survives_clipping, ([0.0, 1.0], [math.nan, 1.0]), "is not finite"),
    (draws_depend_on_the_data, PAIR, "no such draw on the dataset"),
    (noise_shared, PAIR, "has no noise"),
    (count_beside_the_release, PAIR, "outputs differ"),
    (no_noise_at_all, PAIR, "outputs differ"),
]


@pytest.mark.parametrize(("function", "pair", "why"), MISTAKES, ids=lambda value: getattr(value, "__name__", ""))
def test_each_mistake_is_refuted_in_one_pair_of_runs(function, pair, why) -> None:
    """Would catch a mistake that the replay does not see, and one that it sees for another reason than its own."""
    found = judged(function, pair, ONE, seed=3, contract=True)
    assert found.verdict is Verdict.REFUTED and why in found.message
    assert found.detail["contract"].startswith("broken")


def test_the_message_names_the_line_that_drew() -> None:
    line = clipping_forgotten.__code__.co_firstlineno + 1
    found = judged(clipping_forgotten, ([0.0], [5.0]), ONE, seed=3)
    assert f"test_frozen.py:{line} " in found.message and found.exact == pytest.approx(5.0)


# --- what is private, and must not be accused -----------------------------------------------------------------------------------------


def noise_first(data, rng):
    total = rng.laplace(0, 1)
    for value in clipped(data):
        total += value
    return total


def rounded(data, rng):
    return round(clipped(data).sum() + rng.laplace(0, 1), 2)


def summed_after_float(data, rng):
    return float(clipped(data)[0] + rng.laplace(0, 1)) + clipped(data)[1:].sum()


def largest_of_noisy(data, rng):  # report noisy max: 1 by its own proof, 2 by composition
    return int(np.argmax(np.array([clipped(data).sum(), len(data) - clipped(data).sum()]) + rng.laplace(0, 1, 2)))


def noise_that_cancels(data, rng):  # the second number does not depend on the data at all
    first = float(clipped(data).sum() + rng.laplace(0, 1))
    return clipped(data).sum() - first + rng.laplace(0, 1)


def randomised_response(data, rng):
    return [value if rng.random() < 0.6 else 1 - value for value in np.round(clipped(data))]


def another_line_for_large(data, rng):
    total = clipped(data).sum()
    if total > 1.5:
        return total + rng.laplace(0, 1)
    return total + rng.laplace(0, 1)


def constant_after_data_dependent_draws(data, rng):
    return float(len([rng.laplace(0, 1) for value in clipped(data) if value > 0.5]) * 0)


def multiplied(data, rng):  # lognormal noise on a sum in [1, 2]: nothing that composition can judge
    return (1 + clipped(data).mean()) * np.exp(rng.laplace(0, 1))


PRIVATE = [
    noise_first,
    rounded,
    summed_after_float,
    largest_of_noisy,
    noise_that_cancels,
    randomised_response,
    another_line_for_large,
    constant_after_data_dependent_draws,
    multiplied,
]


@pytest.mark.parametrize("function", PRIVATE, ids=lambda function: function.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_a_true_claim_is_never_refuted(function, seed: int) -> None:
    """Would catch an accusation: composition says more than these functions show."""
    assert judged(function, PAIR, ONE, seed=seed).verdict is not Verdict.REFUTED


def test_what_is_followed_is_decided() -> None:
    """Would catch a replay that is inconclusive about everything."""
    assert judged(noise_first, PAIR, ONE, seed=1).verdict is Verdict.NOT_REFUTED
    assert judged(noise_first, PAIR, PureDP(0.999, RECORD), seed=1).verdict is Verdict.REFUTED


def test_randomness_from_elsewhere_is_said() -> None:
    own = np.random.default_rng(1)
    with pytest.raises(ValueError, match="not all randomness is from rng"):
        judged(lambda data, rng: data[0] + own.laplace(), PAIR, ONE, seed=1)


# --- losses in closed form ------------------------------------------------------------------------------------------------------------

MATRICES = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=3, max_size=3).map(np.array)


@settings(max_examples=30)
@given(MATRICES, st.lists(st.integers(-4, 4), min_size=3, max_size=3), st.integers(0, 99))
def test_linear_releases_have_the_loss_of_dense_algebra(matrix, moved, seed: int) -> None:
    """x + A z, by loops over single variates. Would catch a wrong weight, sign or shift of the noise, and noise counted once per value."""

    def mixed(kind: str) -> Callable[..., Any]:
        def function(data, rng):
            draws = [getattr(rng, kind)() for _ in range(3)]
            return [data[row] + sum(int(matrix[row, column]) * draws[column] for column in range(3)) for row in range(3)]

        return function

    pair = ([0.0, 0.0, 0.0], [float(value) for value in moved])
    normal, laplace = (replayed(mixed(kind), pair, seed=seed) for kind in ("standard_normal", "laplace"))
    units, _, rank, _ = np.linalg.lstsq(matrix.astype(float), -np.array(moved, dtype=float), rcond=None)
    possible = np.allclose(matrix @ units, -np.array(moved), atol=1e-9)
    assert bool(normal.shared) == bool(laplace.shared) == (not possible)
    if possible:
        assert level(normal.shifts).mu == pytest.approx(float(np.linalg.norm(units)), abs=1e-9)
        if rank == 3:
            assert level(laplace.shifts).pure == pytest.approx(float(np.abs(units).sum()), abs=1e-9)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_noise_is_followed_through_array_operations(shape) -> None:
    """Would catch an operation after which the values and the sums that are kept for them differ."""
    recording = Recording(5)
    rng = recording.generator()
    noise = rng.normal(np.ones(shape), 2.0)
    for changed in (noise + 1, 3 - noise, -noise, noise * 2, noise / 4, noise.reshape(-1), np.stack([noise, noise]), noise.sum(), noise.T):
        assert isinstance(changed, Noisy)
        variates = np.array([variate.value for variate in recording.variates])
        assert changed.plain == pytest.approx(changed.before + (changed.weights @ variates).reshape(changed.before.shape))
    plain = noise.plain
    assert np.stack([noise, 2 * noise]).plain == pytest.approx(np.stack([plain, 2 * plain]))
    assert noise.sum().plain == pytest.approx(plain.sum())
    if shape:
        assert noise.cumsum(axis=0).plain == pytest.approx(plain.cumsum(axis=0)) and noise[..., 1].plain == pytest.approx(plain[..., 1])
        noise[0] += 5.0
        assert noise.plain[0] == pytest.approx(plain[0] + 5.0) and len(noise) == shape[0]


def test_scipy_draws_are_followed() -> None:
    """Would catch a library that is given the generator and draws past the recording."""
    found = judged(lambda data, rng: stats.laplace.rvs(loc=sum(data), scale=1.0, random_state=rng), PAIR, ONE, seed=1)
    assert found.verdict is Verdict.NOT_REFUTED and found.exact == pytest.approx(1.0)


@pytest.mark.parametrize("method", OPAQUE)
def test_every_other_draw_is_written_down(method: str) -> None:
    """Would catch a draw of NumPy's generator that goes past the recording: a mechanism that uses it would be judged as if it did not."""
    recording = Recording(1)
    arguments = {
        **dict.fromkeys(("beta", "f", "hypergeometric", "negative_binomial", "noncentral_chisquare"), (2, 0.5)),
        "f": (2, 3),
        "hypergeometric": (5, 5, 3),
        "noncentral_f": (2, 3, 1),
        "binomial": (5, 0.5),
        "triangular": (0, 1, 2),
        "multinomial": (3, [0.5, 0.5]),
        "multivariate_hypergeometric": ([3, 4], 2),
        "multivariate_normal": ([0.0], [[1.0]]),
        "vonmises": (0, 1),
        "wald": (1, 1),
        "choice": ([1, 2],),
        "permutation": (3,),
        "permuted": ([1, 2],),
        "shuffle": ([1, 2],),
        "dirichlet": ([1.0, 2.0],),
        "integers": (5,),
        "bytes": (2,),
        "zipf": (2.0,),
        "logseries": (0.5,),
        "geometric": (0.5,),
        **dict.fromkeys(("chisquare", "pareto", "power", "standard_gamma", "standard_t", "weibull", "gamma"), (2,)),
    }
    getattr(recording.generator(), method)(*arguments.get(method, ()))
    assert [draw.method for draw in recording.draws] == [method]


@given(st.floats(0.05, 6.0), st.floats(0.01, 8.0))
def test_gaussian_profile(mu: float, epsilon: float) -> None:
    """Against numerical integration. Would catch a sign in the closed form."""
    from scipy.integrate import quad

    def excess(at: float) -> float:
        return max(0.0, stats.norm.pdf(at - mu) - math.exp(epsilon) * stats.norm.pdf(at))

    cut = epsilon / mu + mu / 2
    assert gaussian_delta(mu, epsilon) == pytest.approx(quad(excess, cut, cut + 12)[0], rel=1e-6, abs=1e-10)


def test_claims_of_every_definition_are_compared() -> None:
    """Would catch a definition that is compared with the wrong number: one standard deviation is mu = 1, rho = 1/2."""

    def release(data, rng):
        return clipped(data).sum() + rng.normal(0, 1)

    delta = gaussian_delta(1.0, 1.0)
    for claim, holds in (
        (GaussianDP(1.0, RECORD), True),
        (GaussianDP(0.99, RECORD), False),
        (ZeroConcentratedDP(0.5, RECORD), True),
        (ZeroConcentratedDP(0.49, RECORD), False),
        (RenyiDP(4.0, 2.0, RECORD), True),
        (RenyiDP(4.0, 1.99, RECORD), False),
        (ApproximateDP(1.0, delta * 1.001, RECORD), True),
        (ApproximateDP(1.0, delta * 0.999, RECORD), False),
        (PureDP(50.0, RECORD), False),
    ):
        found = judged(release, PAIR, claim, seed=1)
        assert found.verdict is (Verdict.NOT_REFUTED if holds else Verdict.REFUTED), claim
    one = judged(lambda data, rng: clipped(data).sum() + rng.laplace(0, 0.5), PAIR, ApproximateDP(1.0, 0.4, RECORD), seed=1)
    assert one.verdict is Verdict.NOT_REFUTED  # delta(1) of one Laplace release at epsilon 2 is 1 - exp(-1/2) = 0.393
    assert judged(lambda data, rng: clipped(data).sum() + rng.laplace(0, 0.5), PAIR, ApproximateDP(1.0, 0.39, RECORD), seed=1).verdict is (
        Verdict.REFUTED
    )


def test_a_loss_that_depends_on_the_path_refutes_pure_privacy_alone() -> None:
    """Would catch an accusation by the loss of some paths: what delta allows is an average over all of them."""

    def adaptive(data, rng):
        total = clipped(data).sum()
        noisy = total + rng.laplace(0, 1)
        return noisy, (1 + abs(noisy)) * total + rng.normal(0, 1)

    for claim, verdict in (
        (PureDP(50.0, RECORD), Verdict.REFUTED),
        (GaussianDP(0.5, RECORD), Verdict.INCONCLUSIVE),
        (ApproximateDP(0.1, 0.01, RECORD), Verdict.INCONCLUSIVE),
    ):
        assert judged(adaptive, PAIR, claim, seed=1).verdict is verdict

    def only_normal(data, rng):
        noisy = clipped(data[1:]).sum() + rng.normal(0, 1)
        return noisy, (1 + abs(noisy)) * clipped(data).sum() + rng.normal(0, 1)

    assert judged(only_normal, PAIR, GaussianDP(0.5, RECORD), seed=1).verdict is Verdict.INCONCLUSIVE


def test_a_large_delta_may_allow_what_every_path_shows() -> None:
    claims = [ApproximateDP(1.0, delta, RECORD) for delta in (0.01, 0.5)]
    verdicts = [judged(count_beside_the_release, PAIR, claim, seed=1).verdict for claim in claims]
    assert verdicts == [Verdict.REFUTED, Verdict.INCONCLUSIVE]


def test_a_path_that_leaks_is_not_made_good_by_one_that_does_not() -> None:
    """Would catch a verdict of the first path that passes: the second number is handed out as it is on half of all paths."""

    def sometimes(data, rng):
        noisy = float(data[0] + rng.laplace(0, 1))
        return [noisy, data[1] if noisy > 0 else 0.0]

    found = [judged(sometimes, ([0.5, 0.0], [0.5, 1.0]), ONE, seed=seed, contract=True) for seed in range(0, 60, PATHS)]
    verdicts = [each.verdict for each in found]
    assert verdicts.count(Verdict.NOT_REFUTED) <= 8  # on average an eighth of 20, 2.5; more than 8 once in a thousand streams
    mixed = [each for each in found if each.verdict is Verdict.INCONCLUSIVE]
    assert len(mixed) >= 8
    for each in mixed:
        assert each.exact is None and each.detail["contract"].startswith("broken")
    assert any("on 1 of 3 paths: the outputs differ" in each.message for each in mixed)


def test_a_draw_that_was_not_followed_leaves_the_loss_open() -> None:
    """Would catch a loss that is called exact although the data move the chance of a draw that nothing follows."""

    def hidden(data, rng):
        return int(rng.random() < (0.01 if data[0] < 0.5 else 0.1))

    found = judged(hidden, ([0.0], [1.0]), ONE, seed=1)
    assert found.verdict is Verdict.INCONCLUSIVE and found.exact is None and "not followed: random" in found.message


@pytest.mark.parametrize("chances", [(0.5, 0.2689414213699951), (0.9, 0.2), (0.3, 0.3)])
def test_several_coins_have_the_loss_of_all_their_outcomes(chances: tuple[float, float]) -> None:
    """Unary encoding of two values: one coin's chance is p and the other's q, or the other way round. By enumeration. Would catch the
    largest losses of coins added up though no outcome has them all, and one direction for the other."""

    def encoded(first: float, second: float) -> Recording:
        recording = Recording(1)
        recording.flipped("a", 0.99, first)
        recording.flipped("b", 0.99, second)
        return recording

    high, low = chances
    for ones, others in (((high, low), (low, high)), ((high, low), (low, low)), ((low, low), (high, low))):
        shifts, _, _ = moves(encoded(*ones), encoded(*others), set())
        table = [
            math.log(math.prod(p if out else 1 - p for p, out in zip(ones, outcome, strict=True)))
            - math.log(math.prod(p if out else 1 - p for p, out in zip(others, outcome, strict=True)))
            for outcome in product((True, False), repeat=2)
        ]
        assert level(shifts).pure == pytest.approx(max(map(abs, table)), abs=1e-12)


def test_outputs_are_compared_whole() -> None:
    assert alike({"a": [1, math.nan]}, {"a": [1, math.nan]}) and not alike([1], [1, 2]) and not alike("ab", "ac")
    assert not alike({"a": 1}, {"b": 1}) and alike(np.array([1.0, 2.0]), np.array([1.0, 2.0]))


def test_runs_on_a_dataset_that_several_pairs_share_are_kept() -> None:
    """Would catch a kept run of another dataset, seed or turned variate, and one that is made again."""
    calls: list[list[float]] = []

    def noisy_sum(data, rng):
        calls.append(list(data))
        return clipped(data).sum() + rng.laplace(0, 1)

    zeros, ones, half = [0.0, 0.0], [1.0, 1.0], [0.5, 0.0]
    known = FirstRuns()
    asked = [(zeros, ones, 1, None), (zeros, half, 1, None), (half, ones, 1, None), (zeros, ones, 2, None), (zeros, ones, 1, {0: -1})]
    for dataset, neighbour, seed, signs in asked:
        kept = replayed(noisy_sum, (dataset, neighbour), seed=seed, signs=signs, known=known)
        assert kept == replayed(noisy_sum, (dataset, neighbour), seed=seed, signs=signs)
    assert len(known.runs) == 4
    del calls[:]
    replayed(noisy_sum, (zeros, half), seed=1, known=known)
    assert calls == [half]


def test_a_dataset_without_an_address_is_run_again() -> None:
    """Would catch a value that cannot be kept and ends an audit."""
    pair = ([1.0, lambda: 0], [0.0, lambda: 0])
    assert replayed(lambda data, rng: data[0] + rng.laplace(0, 1), pair, seed=1, known=FirstRuns()).releases == 1
