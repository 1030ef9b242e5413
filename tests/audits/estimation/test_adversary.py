"""The adversary of estimators: what he may change, what his search must find, and his witness."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.estimators.linear.robust_least_squares import FilteredLeastSquares, whiten
from banditproof.audits.estimation.adversary import (
    Contender,
    CorruptionWitness,
    Effort,
    _on_other_arms,
    errors,
    largest_size,
    mean_error,
    search_draws,
    simple_corruptions,
    worst_corruption,
)
from banditproof.audits.estimation.contenders import contenders, trimmed_fraction
from banditproof.audits.estimation.corruption import Corruption, Family, corrupted
from banditproof.audits.estimation.problem import drawn, largest_report, problem_of, rounded, second_moment
from banditproof.audits.estimation.setting import Positions, Purpose, Rewards, Setting

SETTING = Setting(6, 3, 600, 0.1, 2.0)
CHOSEN = Setting(6, 3, 600, 0.1, 2.0, positions=Positions.CHOSEN)
FEW = Effort(15, 10, 3)

corruptions = st.builds(
    Corruption,
    st.sampled_from(Family),
    st.floats(0.1, 1e4),
    st.integers(0, 5),
    st.sampled_from((1, -1)),
    st.floats(0.05, 1.0),
    st.floats(0.05, 1.0),
)


@given(corruption=corruptions, positions=st.sampled_from(Positions), run=st.integers(0, 50))
@settings(max_examples=60, deadline=None)
def test_an_adversary_changes_only_what_he_may(corruption: Corruption, positions: Positions, run: int) -> None:
    """Would catch corruption of more than the alpha-fraction, of positions that were not drawn, or of arms that are not attacked."""
    problem = problem_of(Setting(6, 3, 600, 0.1, 2.0, positions=positions))
    draw = drawn(problem, Purpose.SEARCH, run)
    before = draw.reports.copy()
    changed = np.flatnonzero(corrupted(problem, draw, corruption) != before)
    assert (draw.reports == before).all()
    arms = np.unique(problem.index[changed]).size
    assert arms <= np.ceil(corruption.attacked * problem.counts.size)
    if positions is Positions.RANDOM:
        assert (draw.coins[changed] < 0.1 * corruption.used).all()
    else:
        attacked = np.sort(problem.counts)[-int(np.ceil(corruption.attacked * problem.counts.size)) :].sum()  # arms have equal counts, +-1
        budget = int(0.1 * corruption.used * 600 + 1e-9)
        assert min(budget, attacked - problem.counts.size) <= changed.size <= min(budget, attacked)


def test_imitation_pays_another_parameter_of_the_stated_size() -> None:
    """Would catch values that do not fit one parameter, or whose largest is not V."""
    problem = problem_of(SETTING)
    draw = drawn(problem, Purpose.SEARCH, 0)
    found = corrupted(problem, draw, Corruption(Family.IMITATE, 50.0, target=4, sign=-1))
    changed = np.flatnonzero(found != draw.reports)
    rows = problem.arms[problem.played][problem.index[changed]]
    parameter = np.linalg.lstsq(rows, found[changed], rcond=None)[0]
    assert rows @ parameter == pytest.approx(found[changed])
    assert np.abs(found[changed]).max() == pytest.approx(50.0)
    assert parameter @ problem.arms[4] < 0.0


def test_chosen_positions_are_as_many_as_allowed_and_on_the_far_side() -> None:
    """Would catch an adversary who leaves reports of his budget unused, or replaces those that already lie where he pushes."""
    problem = problem_of(CHOSEN)
    draw = drawn(problem, Purpose.SEARCH, 0)
    push = Corruption(Family.PUSH, 1e3, target=2)
    found = corrupted(problem, draw, push)
    changed = found != draw.reports
    assert changed.sum() == 60
    for arm in range(problem.counts.size):
        here = problem.index == arm
        side = 1.0 if problem.influence(2)[arm] >= 0.0 else -1.0
        assert (found[here & changed] == side * 1e3).all()
        assert (side * draw.reports[here & changed]).max() <= (side * draw.reports[here & ~changed]).min()


def test_least_squares_is_ruined_linearly_in_the_size() -> None:
    """In closed form: a push moves the target's error by V * sum of |g| over the replaced reports. Would catch a wrong influence."""
    problem = problem_of(CHOSEN)
    draw = drawn(problem, Purpose.SEARCH, 1)
    rows = problem.arms[problem.played]
    moved = [
        problem.arms[2] @ LeastSquares().estimate(rows, problem.index, corrupted(problem, draw, Corruption(Family.PUSH, size, 2)), draw.key)
        for size in (1e3, 2e3, 5e3)
    ]
    replaced = corrupted(problem, draw, Corruption(Family.PUSH, 1e3, 2)) != draw.reports
    slope = np.abs(problem.influence(2))[problem.index[replaced]].sum()
    assert np.diff(moved) == pytest.approx([1e3 * slope, 3e3 * slope], rel=1e-9)


@pytest.mark.parametrize("setting", [SETTING, CHOSEN], ids=["random", "chosen"])
def test_the_search_is_at_least_as_bad_as_each_simple_corruption(setting: Setting) -> None:
    """On the draws of the search. Would catch a search that forgets one, or returns another corruption than its worst."""
    problem, draws = problem_of(setting), search_draws(setting, FEW.draws)
    for contender in contenders(problem)[:4:2] + contenders(problem)[3:4]:
        witness = worst_corruption(setting, contender, FEW)
        simple = simple_corruptions(problem, contender.sizes)
        assert len(simple) >= 18
        worst = max(mean_error(problem, contender.estimator, each, draws) for each in simple.values())
        assert witness.error >= worst
        assert witness.error == mean_error(problem, contender.estimator, witness.corruption, draws)


@dataclass(frozen=True)
class WeakAtASize:
    """Least squares of clipped reports that breaks down where a report lies in a narrow range of sizes, which no simple corruption hits."""

    low: float
    high: float

    def estimate(self, arms, index, reports, key):  # type: ignore[no-untyped-def]
        weak = ((np.abs(reports) > self.low) & (np.abs(reports) < self.high)).mean()
        return ClippedLeastSquares(4.0).estimate(arms, index, reports, key) * (1.0 + 50.0 * weak)


def test_the_search_finds_a_weakness_that_no_simple_corruption_shows() -> None:
    """Would catch a search that tries its starts alone."""
    setting = SETTING
    contender = Contender("weak", WeakAtASize(40.0, 160.0), "nothing")
    problem, draws = problem_of(setting), search_draws(setting, 3)
    worst = max(mean_error(problem, contender.estimator, each, draws) for each in simple_corruptions(problem).values())
    assert worst_corruption(setting, contender, Effort(60, 25, 3)).error > 2.0 * worst


def test_a_chosen_concentration_ruins_trimmed_means_and_random_positions_do_not() -> None:
    """Would catch positions that are mixed up: alpha n reports on one arm are more than its trimmed part."""
    estimator = TrimmedLeastSquares(trimmed_fraction(problem_of(CHOSEN)))
    push = Corruption(Family.PUSH, largest_size(CHOSEN), attacked=0.01)
    ruined, kept = (mean_error(problem_of(each), estimator, push, search_draws(each, 5)) for each in (CHOSEN, SETTING))
    assert ruined > 20.0 and kept < 2.0


def test_a_witness_survives_json_and_replays_to_the_same_number() -> None:
    contender = contenders(problem_of(SETTING))[3]
    witness = worst_corruption(SETTING, contender, Effort(5, 5, 2))
    again = CorruptionWitness.from_json(json.loads(json.dumps(witness.to_json())))
    assert again == witness
    assert again.replayed(contender.estimator) == witness.error
    assert ("estimator", "trimmed") in witness.rows()
    with pytest.raises(ValueError, match=r"field 'draws' is missing"):
        CorruptionWitness.from_json({key: value for key, value in witness.to_json().items() if key != "draws"})


def test_searches_and_measurements_share_no_draws() -> None:
    """Would catch errors that are counted on the draws on which their corruption was selected."""
    problem = problem_of(SETTING)
    search, measure = (drawn(problem, purpose, 0) for purpose in Purpose)
    assert not np.isin(measure.reports, search.reports).any()
    assert not np.isin(measure.coins, search.coins).any()


@pytest.mark.parametrize("rewards", Rewards)
def test_clean_reports_are_what_estimators_are_told(rewards: Rewards) -> None:
    """Mean <a, theta>, mean square and size. Would catch Laplace noise of another scale; 5 standard errors, so 1e-6 a side."""
    setting = Setting(6, 3, 60_000, 0.1, 2.0, rewards)
    problem = problem_of(setting)
    reports = drawn(problem, Purpose.MEASURE, 0).reports
    noise = reports - problem.means()[problem.index]
    assert abs(noise.mean()) < 5.0 * noise.std() / np.sqrt(noise.size)
    squares = noise**2 + (problem.means()[problem.index] ** 2 if rewards is Rewards.SIGNS else 0.0)
    true = second_moment(setting) - (0.0 if rewards is Rewards.SIGNS else 1.0)
    assert abs(squares.mean() - true) < 5.0 * squares.std() / np.sqrt(squares.size)
    assert np.abs(reports).max() < largest_report(setting, 1e-3, setting.samples)
    beyond = (np.abs(reports) > largest_report(setting, 0.05, 1)).mean()
    assert beyond < 0.05


def test_fewer_arms_get_sizes_of_the_same_sum_of_squares() -> None:
    """Would catch the factor of the size turned over."""
    problem, worst = problem_of(SETTING), Corruption(Family.PUSH, 5.0, attacked=1.0)
    played = problem.counts.size
    squares = {round(each.attacked * played * each.size**2, 9) for each in _on_other_arms(problem, worst)}
    assert 25.0 * played in squares and squares <= {25.0 * number for number in range(1, played + 1)}


@given(weights=st.lists(st.sampled_from([1e-9, 1e-3, 0.5, 1.0]), min_size=1, max_size=400), plays=st.integers(1, 5))
@settings(max_examples=100, deadline=None)
def test_counts_add_up_and_leave_no_arm_out(weights: list[float], plays: int) -> None:
    counts = rounded(np.array(weights), plays * len(weights))
    assert counts.sum() == plays * len(weights)
    assert counts.min() >= 1


def test_errors_are_those_of_the_worst_arm() -> None:
    problem, draws = problem_of(SETTING), search_draws(SETTING, 2)
    rows = problem.arms[problem.played]
    assert problem.error(np.array([0.0, np.nan, 0.0])) == problem.error(np.array([np.inf, 0.0, 0.0])) == np.inf
    by_hand = [
        max(
            abs(float(arm @ (LeastSquares().estimate(rows, problem.index, draw.reports, draw.key) - problem.theta))) for arm in problem.arms
        )
        for draw in draws
    ]
    assert errors(problem, LeastSquares(), None, draws) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Setting(3, 4, 100, 0.1, 1.0), "arms = 3: must be >= dimension = 4"),
        (lambda: Setting(3, 2, 100, 0.1, 1e-200), r"epsilon = 1e-200: must be >= 1e-100"),
        (lambda: Setting(3, 2, 100, 0.5, 1.0), r"corruption = 0.5: must be > 0 and < 0.5"),
        (lambda: problem_of(Setting(6, 3, 11, 0.1, 1.0)), r"samples = 11: must be >= \d+ \(4 per arm"),
        (lambda: Corruption(Family.PUSH, float("inf")), "size = inf: must be >= 0 and finite"),
        (lambda: Corruption(Family.PUSH, 1.0, used=0.0), "used = 0.0: must be > 0 and <= 1"),
        (lambda: Corruption(Family.PUSH, 1.0, sign=2), "sign = 2: must be 1 or -1"),
        (
            lambda: corrupted(problem_of(SETTING), drawn(problem_of(SETTING), Purpose.SEARCH, 0), Corruption(Family.PUSH, 1.0, 6)),
            "target = 6: must be < 6",
        ),
        (lambda: Effort(0), "examples = 0: must be an integer >= 1"),
    ],
)
def test_bad_values_are_named(build, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        build()


def test_the_search_reaches_the_worst_corruption_of_clipped_least_squares() -> None:
    """All targets and signs by brute force: with clipping a push of any size from the bound on is the worst one of its target. Would catch
    a search that stays at the target and the sign of the simple corruptions."""
    for seed in range(5):
        setting, estimator = Setting(20, 5, 500, 0.05, 2.0, seed=seed), ClippedLeastSquares(4.0)
        problem, draws = problem_of(setting), search_draws(setting, 3)
        pushes = [Corruption(Family.PUSH, 4.0, target, sign) for target in range(20) for sign in (1, -1)]
        worst = max(mean_error(problem, estimator, each, draws) for each in pushes)
        assert worst_corruption(setting, Contender("clipped", estimator, "4"), FEW).error >= 0.97 * worst


def test_simple_corruptions_have_the_target_at_which_least_squares_moves_most() -> None:
    """By brute force, with every report of a run replaced. Would catch corruptions by hand that are weaker than they look."""
    for seed in range(3):
        problem = problem_of(Setting(20, 5, 500, 0.05, 2.0, seed=seed))
        draw = drawn(problem, Purpose.SEARCH, 0)._replace(coins=np.zeros(500))
        errors_at = [
            problem.error(
                LeastSquares().estimate(
                    problem.arms[problem.played],
                    problem.index,
                    corrupted(problem, draw, Corruption(Family.PUSH, 1e6, target)),
                    draw.key,
                )
            )
            for target in range(20)
        ]
        (target,) = {each.target for each in simple_corruptions(problem).values()}
        assert errors_at[target] == pytest.approx(max(errors_at), rel=1e-4)


def test_the_given_bound_is_the_covariance_of_clean_points() -> None:
    """The second moment of the whitened clean points is (mean square) / n times the identity. Would catch a lambda that is larger than it
    has to be, which lets larger reports pass. Within 10 %: 60,000 reports, kurtosis below 10."""
    problem = problem_of(Setting(6, 3, 60_000, 0.1, 2.0))
    (estimator,) = (each.estimator for each in contenders(problem) if each.name == "filter-moment")
    assert isinstance(estimator, FilteredLeastSquares)
    directions = whiten(problem.arms[problem.played], problem.index).directions
    points = directions[problem.index] * drawn(problem, Purpose.MEASURE, 0).reports[:, None]
    sizes = np.linalg.eigvalsh(points.T @ points / problem.index.size)
    assert sizes == pytest.approx(np.full(3, estimator.bound.value), rel=0.1)
