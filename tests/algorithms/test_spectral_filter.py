"""The spectral filter: the literal form against exact rational arithmetic, the fast form against the literal one, what all forms keep."""

from fractions import Fraction

import numpy as np
import pytest

from banditproof import randomness
from banditproof.algorithms.estimators.spectral_filter.common import LARGEST, Method
from banditproof.algorithms.estimators.spectral_filter.fast import filter_reports, spectral_filter, walk_order
from banditproof.algorithms.estimators.spectral_filter.kernels import diagonalise
from banditproof.algorithms.estimators.spectral_filter.literal import filter_points, removals, summary
from banditproof.algorithms.estimators.spectral_filter.reweighting import reweight_points

KEY = randomness.key_of(17, "spectral filter")
NEAR, LEAST_GAP = 1e-9, 1e-5  # with a smaller gap, rounding moves the eigenvector by more than about 1e-10, and the masses with it


def uniforms(key, number):
    return [randomness.uniform(np.array([*key, 0], dtype=np.uint64), randomness.CHOICES, index) for index in range(number)]


def drawn_problem(rng):
    """Directions (k, d), index (n,), reports (n,), lambda: every kind of corruption, ties, one arm, one report, repeated directions."""
    dimension, arms, samples = int(rng.integers(1, 6)), int(rng.integers(1, 9)), int(rng.integers(1, 60))
    directions = rng.normal(size=(arms, dimension)) * 10.0 ** rng.uniform(-2, 0)
    if rng.random() < 0.2:
        directions[:] = np.eye(arms, dimension) + np.eye(arms, dimension, -dimension)
    index = rng.integers(0, arms, samples)
    reports = rng.normal(rng.normal(size=arms)[index], 10.0 ** rng.uniform(-3, 0.5))
    bad = rng.random(samples) < rng.choice([0.0, 0.05, 0.2, 0.5])
    reports[bad] = rng.choice([-1.0, 1.0, 1.0], samples)[bad] * 10.0 ** rng.uniform(0, 6)
    if rng.random() < 0.25:
        reports = np.round(reports)
    if rng.random() < 0.05:
        reports[:] = reports[0]
    points = directions[index] * reports[:, None]
    least = 1e-12 * np.abs(points).max() ** 2 + 1e-300  # where all points are equal, their computed covariance is rounding
    return directions, index, reports, max(summary(points)[1][-1] / 4.0, least) * 10.0 ** rng.uniform(-4, 0.1)


def near_stop(top_eigenvalue, bound):
    return abs(top_eigenvalue - 4.0 * bound) <= NEAR * 4.0 * bound


def test_fast_form_removes_what_the_literal_form_removes(rng):
    """500 drawn problems, up to the first decision within 1e-9 of another outcome. Would catch masses, merges or a walk that are wrong."""
    compared, complete, kinds = 0, 0, set()
    for problem in range(500):
        directions, index, reports, bound = drawn_problem(rng)
        key, order = randomness.key_of(problem, "drawn"), walk_order(index, reports)
        fast = filter_reports(directions, index, reports, bound, key)
        points = directions[index[order]] * reports[order, None]
        near = False
        for step, removal in enumerate(removals(points, bound, key)):
            near = removal.margin <= NEAR or removal.eigenvalue_gap <= LEAST_GAP or abs(removal.top_eigenvalue / (4 * bound) - 1) <= NEAR
            if near:
                break
            assert fast.removed[step] == order[removal.place], f"problem {problem}, removal {step}"
            compared += 1
        if not near:
            literal = filter_points(points, bound, key)
            if not near_stop(literal.top_eigenvalue, bound):
                complete += 1
                assert np.array_equal(fast.removed, order[literal.removed])
                size = np.abs(points).max()
                assert fast.mean == pytest.approx(literal.mean, abs=1e-13 * size)
                assert fast.top_eigenvalue == pytest.approx(literal.top_eigenvalue, rel=1e-9, abs=1e-14 * size**2)
                assert fast.passes == literal.passes
        kinds.add((len(directions) == 1, len(reports) == 1, len(fast.removed) > 0))
    assert compared >= 5000 and complete >= 470, f"{compared} removals compared, {complete} problems to the end"
    assert {(True, False, True), (False, False, True), (False, True, False), (False, False, False)} <= kinds


@pytest.mark.parametrize("seed", range(12))
def test_literal_form_against_exact_arithmetic(seed):
    """On a line, in fractions. Would catch another divisor, a strict stop, masses that are not squares, the wrong end of an interval."""
    points, bound = [0, 0, 0, 1, 3, 10, -4], Fraction(3, 10)
    key = randomness.key_of(seed, "exact")
    numbers, left, removed = uniforms(key, len(points)), list(range(len(points))), []
    while True:
        mean = Fraction(sum(points[place] for place in left), len(left))
        masses = [(points[place] - mean) ** 2 for place in left]
        if sum(masses) / len(left) <= 4 * bound:
            break
        target, running = Fraction(numbers[len(removed)]) * sum(masses), Fraction(0)
        for place, mass in zip(list(left), masses, strict=True):
            running += mass
            if running > target:
                removed.append(place)
                left.remove(place)
                break
    found = filter_points(np.array(points, dtype=float)[:, None], float(bound), key)
    assert list(found.removed) == removed
    assert found.mean == pytest.approx(float(mean))
    assert found.passes == len(removed) + 1


def test_a_removal_takes_one_uniform_number(rng):
    """Would catch a form that takes two numbers, or begins again at the first: the filter of what is left goes on with the next."""
    directions, index = rng.normal(size=(6, 3)), rng.integers(0, 6, 300)
    reports = rng.standard_cauchy(300)
    for method in (Method.LITERAL, Method.FAST):
        whole = spectral_filter(directions, index, reports, 0.5, KEY, method=method)
        assert len(whole.removed) > 20
        left = np.setdiff1d(np.arange(300), whole.removed[:7])
        rest = spectral_filter(directions, index[left], reports[left], 0.5, KEY, method=method, first_draw=7)
        assert np.array_equal(left[rest.removed], whole.removed[7:])


@pytest.mark.parametrize("method", Method)
def test_what_every_form_keeps(method, rng):
    """Would catch a top eigenvalue above 4 lambda, a mean of other weights than those returned, a filter that does not end."""
    for _ in range(40):
        directions, index, reports, bound = drawn_problem(rng)
        for chosen in (bound, 0.0):
            found = spectral_filter(directions, index, reports, chosen, KEY, method=method)
            points, weights = directions[index] * reports[:, None], found.weights
            size = np.abs(points).max()
            assert found.top_eigenvalue <= 4.0 * chosen + 1e-14 * size**2
            assert weights.shape == reports.shape and weights.min() >= 0.0 and weights.max() <= 1.0
            if method is not Method.REWEIGHTED:
                assert set(weights) <= {0.0, 1.0}
            assert sorted(found.removed) == list(np.flatnonzero(weights == 0.0)) and len(found.removed) < len(reports)
            mean = weights @ points / weights.sum()
            centred = points - mean
            top = np.linalg.eigvalsh((centred * weights[:, None]).T @ centred / weights.sum())[-1]
            assert found.mean == pytest.approx(mean, abs=1e-13 * size)
            assert found.top_eigenvalue == pytest.approx(top, rel=1e-9, abs=1e-14 * size**2)
            assert found.passes <= len(reports) and found.variance_bound == chosen


@pytest.mark.parametrize("method", Method)
def test_one_report_equal_reports_and_an_infinite_bound_remove_nothing(method, rng):
    directions = rng.normal(size=(3, 2))
    one = spectral_filter(directions, [1], [5.0], 0.0, KEY, method=method)
    assert len(one.removed) == 0 and one.mean == pytest.approx(5.0 * directions[1]) and one.passes == 1
    equal = spectral_filter(directions, [2] * 8, [3.0] * 8, 1e-9, KEY, method=method)
    assert len(equal.removed) == 0 and equal.mean == pytest.approx(3.0 * directions[2])
    wild = spectral_filter(directions, rng.integers(0, 3, 50), rng.standard_cauchy(50), np.inf, KEY, method=method)
    assert len(wild.removed) == 0


@pytest.mark.parametrize("method", Method)
def test_the_stop_is_at_four_lambda(method):
    """Reports -1 and 1 have variance exactly 1. Would catch a strict comparison, another factor, a tolerance."""
    for bound, factor, removed in ((0.25, 4.0, 0), (np.nextafter(0.25, 0.0), 4.0, 1), (0.5, 2.0, 0), (np.nextafter(0.5, 0.0), 2.0, 1)):
        found = spectral_filter([[1.0]], [0, 0], [-1.0, 1.0], bound, KEY, method=method, factor=factor)
        assert len(found.removed) == removed


def test_the_order_of_reports_does_not_matter(rng):
    """Would catch a walk in the order of arrival: reports are walked in ascending order on a line."""
    directions, index, reports = rng.normal(size=(4, 3)), rng.integers(0, 4, 200), rng.standard_cauchy(200)
    order = rng.permutation(200)
    for method in (Method.FAST, Method.LITERAL):
        found = spectral_filter(directions, index, reports, 0.3, KEY, method=method)
        shuffled = spectral_filter(directions, index[order], reports[order], 0.3, KEY, method=method)
        assert len(found.removed) > 5 and np.array_equal(order[shuffled.removed], found.removed)


def test_eigenvectors_are_exact_up_to_rounding(rng):
    """From the identity and from the eigenvectors of a matrix nearby. Would catch a diagonalisation that stops early."""
    for dimension in (1, 2, 5, 20):
        basis, product, diagonal = np.eye(dimension), np.zeros((dimension, dimension)), np.zeros((dimension, dimension))
        root = rng.normal(size=(dimension, dimension))
        for change in (0.0, 1e-3, 1e-6):
            root += change * rng.normal(size=(dimension, dimension))
            matrix = root @ root.T
            top = diagonalise(matrix, basis, product, diagonal)
            rounding = 1e-14 * np.trace(matrix)
            assert np.abs(matrix @ basis - basis * np.diag(diagonal)).max() < rounding
            assert np.abs(basis.T @ basis - np.eye(dimension)).max() < 1e-13
            assert diagonal[top, top] == pytest.approx(np.linalg.eigvalsh(matrix)[-1], abs=rounding)


def test_a_large_problem_does_not_drift(rng):
    """20 000 reports in R^5, a third of them corrupted, three of them enormous. Would catch sums from which removed numbers are
    subtracted (1e60 would leave 1e44 behind), and eigenvectors that lose orthogonality."""
    directions, index = rng.normal(size=(15, 5)), rng.integers(0, 15, 20_000)
    reports = rng.normal(size=20_000)
    bad = np.flatnonzero(rng.random(20_000) < 1 / 3)
    reports[bad] = 40.0
    reports[bad[:3]] = 1e60
    found = filter_reports(directions, index, reports, 1.0, KEY)
    kept = found.weights == 1.0
    mean, values, _ = summary(directions[index[kept]] * reports[kept, None])
    assert set(bad[:3]) <= set(found.removed) and len(found.removed) > 3000
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.top_eigenvalue == pytest.approx(values[-1], rel=1e-12)


def test_high_dimension(rng):
    """d = 30 and one report per arm, as in M2. Would catch a tree that is wrong for a single leaf, scratch of the wrong size."""
    directions, reports = rng.normal(size=(80, 30)), np.append(rng.normal(size=60), np.full(20, 30.0))
    fast, literal = (spectral_filter(directions, np.arange(80), reports, 4.0, KEY, method=each) for each in (Method.FAST, Method.LITERAL))
    assert len(fast.removed) > 10 and np.array_equal(fast.removed, literal.removed)
    assert fast.top_eigenvalue == pytest.approx(literal.top_eigenvalue, rel=1e-12)


def test_reweighting_by_hand():
    """Mean 5/2, masses 25/4 three times and 225/4: weights 8/9 and 0, and then no variance is left."""
    found = reweight_points([[0.0], [0.0], [0.0], [10.0]], 1.0)
    assert found.weights == pytest.approx([8 / 9, 8 / 9, 8 / 9, 0.0])
    assert list(found.removed) == [3] and found.passes == 2 and found.mean == pytest.approx([0.0])
    pair = reweight_points([[-1.0], [1.0]], 0.1)  # equally far from their mean: one stays
    assert list(pair.weights) == [1.0, 0.0] and pair.mean == pytest.approx([-1.0])


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 2 * LARGEST])
def test_what_is_no_number_is_refused(method, value):
    """Would catch a NaN that passes as a report: all comparisons with it are false, and the filter would stop at once."""
    with pytest.raises(ValueError, match="must be finite and at most 1e\\+70"):
        spectral_filter([[1.0]], [0, 0], [1.0, value], 1.0, KEY, method=method)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"index": [0, 1]}, "must be >= 0 and < 1"),
        ({"index": [-1, 0]}, "must be >= 0 and < 1"),
        ({"index": [0.0, 0.0]}, "must be integers"),
        ({"index": [0]}, "must be integers of the reports' shape"),
        ({"index": [], "reports": []}, "n >= 1"),
        ({"directions": [1.0]}, "must be \\(rows, d\\)"),
        ({"variance_bound": -1.0}, "variance_bound = -1.0: must be >= 0"),
        ({"variance_bound": np.nan}, "variance_bound = nan: must be >= 0"),
        ({"factor": 0.0}, "factor = 0.0: must be > 0"),
        ({"first_draw": -1}, "first_draw = -1: must be >= 0"),
        ({"key": np.zeros(4, dtype=np.uint64)}, "must be 2 or 3 words"),
    ],
)
def test_bad_input_is_named(change, rule):
    arguments = {"directions": [[1.0]], "index": [0, 0], "reports": [1.0, 2.0], "variance_bound": 1.0, "key": KEY, **change}
    with pytest.raises(ValueError, match=rule):
        spectral_filter(**arguments)
