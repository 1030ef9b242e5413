"""What is played for Figures 1 and 2 of Wu et al. 2023."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from banditproof.algorithms.environments.huber import Normal
from banditproof.audits.experiments.experiment import SILENT, OutcomeVerdict, ReproductionRequest
from banditproof.audits.papers.wu_2023.figures import curves, explanations, observations, tuning
from banditproof.audits.papers.wu_2023.figures import runs as wu_2023
from banditproof.audits.papers.wu_2023.figures.runs import ALGORITHMS, MEANS, NAMES, PROOFS, Setting, Task, pipeline, regret_and_loss
from banditproof.interaction import Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many

SETTINGS = [Setting(distribution, noise, 0.05, 0.5) for distribution, noises in wu_2023.NOISES.items() for noise in noises]


def test_each_algorithm_has_the_same_search_budget():
    """Would catch a baseline that was tuned less, a finer search that repeats the grid, and constants that are not positive."""
    for each in ALGORITHMS:
        grid = tuning.coarse(each)
        around = tuning.finer(each, grid[27])
        assert (len(set(grid)), len(set(around))) == (64, 24) and not set(grid) & set(around)
        assert all(len(PROOFS[each]) == len(NAMES[each]) == len(candidate) for candidate in (*grid, *around))
        assert min(min(candidate) for candidate in (*grid, *around)) > 0.0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.rewards}-{setting.noise}")
def test_what_is_played_is_what_the_paper_describes(algorithm, setting):
    """Would catch a gap or an outlier that is lost in the scaling, a class that does not hold the distributions, and noise that a factor
    scales."""
    parties, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    environment = parties.environment
    means = environment.setup()[:11] * scale
    assert np.diff(means) == pytest.approx(-10.0, rel=1e-9)
    distributions = parties.corruption.distributions
    assert [distribution.standard_deviation * scale for distribution in distributions] == pytest.approx([1.0, 1.0])
    assert (distributions[1].mean - distributions[0].mean) * scale == pytest.approx(100.0)
    assert parties.corruption.contamination == setting.alpha
    sigma = math.sqrt(wu_2023.variance(setting.rewards))
    assert sigma == pytest.approx({"pareto": math.sqrt(1200.0), "student": math.sqrt(2.0017 / 0.0017)}[setting.rewards], rel=1e-9)
    policy = parties.policy
    if algorithm == "RUCB":
        assert (policy.variance, policy.contamination) == (pytest.approx(sigma**2), 0.05)
        assert means[0] == pytest.approx({"printed": 157.5, "centred": 100.0}[setting.noise])
    else:
        assert policy.epsilon == 0.5
        other = pipeline(setting, algorithm, tuning.coarse(algorithm)[0])[0].policy
        assert other.guarantee() == policy.guarantee()
    if algorithm in ("PRAE-R", "DPRSE"):
        assert max(environment.second_moments()) <= 1.0
        assert max(environment.second_moments()) >= 1.0 - 1e-9
    if algorithm == "PRAE-C":
        assert scale == pytest.approx(sigma)
        assert np.abs(means / scale).max() == pytest.approx(50.0 / sigma)  # centred: the range of the means is symmetric
        assert policy.range >= max(50.0 / sigma, 2.0 * policy.width_of_bins())
        assert policy.range == pytest.approx(2.0 * math.sqrt(0.95 / 0.199))  # 2 r = 4.37 binds at alpha_1 = 5 %


def test_outliers_are_low_on_the_best_arm_and_high_on_the_others():
    """Would catch the two outlier distributions exchanged."""
    parties, scale = pipeline(replace(SETTINGS[0], alpha=0.5 - 1e-9), "RUCB", PROOFS["RUCB"])
    assert scale == 1.0
    assert parties.corruption.distributions == (Normal(0.0, 1.0), Normal(100.0, 1.0))
    run = play(parties, horizon=3000, key=key_of(3), record=(Wire.ARMS, Wire.REWARDS, Wire.REPORT))
    arms, changed = run.wire(Wire.ARMS), run.wire(Wire.REWARDS) != run.wire(Wire.REPORT)[:, 0]
    for arm in range(11):
        seen = run.wire(Wire.REPORT)[changed & (arms == arm), 0]
        assert np.all(np.abs(seen - (0.0 if arm == 0 else 100.0)) < 6.0)
    assert np.count_nonzero(changed) > 1200


def test_regret_is_in_the_papers_units():
    """Would catch a regret in scaled units: a run's regret is the sum of the gaps of its arms, in steps of 10."""
    for algorithm in ALGORITHMS:
        task = Task(SETTINGS[0], algorithm, PROOFS[algorithm], 3, "runs", 2, 200, (100, 200))
        parties, _ = pipeline(task.setting, algorithm, task.constants)
        run = play_many(parties, horizon=200, key=key_of(3, "wu_2023", "figures", "runs"), runs=2, record=(Wire.ARMS,))
        gaps = np.array([MEANS[0] - mean for mean in MEANS])[run.wire(Wire.ARMS)]
        assert regret_and_loss(task)[:, :2].tolist() == np.cumsum(gaps, axis=1)[:, [99, 199]].tolist()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_lost_best_arm_is_seen(algorithm):
    """Would catch losses that are not counted: with hardly any radius an elimination deletes the best arm in some run, and with a huge
    one in none; RUCB with hardly any bonus is stuck on another arm."""
    tight = {"PRAE-R": (1e-3, 0.01), "PRAE-C": (1e-3, 1e-8), "DPRSE": (0.1, 1e-3), "RUCB": (1e-6,)}[algorithm]
    wide = {"PRAE-R": (100.0, 0.01), "PRAE-C": (100.0, 1e-8), "DPRSE": (24.0, 100.0), "RUCB": (100.0,)}[algorithm]
    setting = Setting("student", "centred", 0.1, 0.2)
    tight_losses, wide_losses = (
        regret_and_loss(Task(setting, algorithm, constants, 5, "runs", 64, 3000, (3000,)))[:, -1] for constants in (tight, wide)
    )
    assert tight_losses.sum() > 0.0 and wide_losses.sum() == 0.0


def test_a_users_alpha_1_reaches_the_learners_and_only_them():
    """Would catch an alpha_1 that is ignored, one that changes the outliers, and 0.133, the end of Corollary 6.8's range, refused."""
    setting = replace(SETTINGS[0], alpha_1=0.133)
    for algorithm in ("PRAE-R", "PRAE-C"):
        parties, _ = pipeline(setting, algorithm, PROOFS[algorithm])
        assert (parties.policy.contamination, parties.corruption.contamination) == (0.133, 0.05)
    with pytest.raises(ValueError, match=r"contamination = 0.1334: must be <= 0.133"):
        pipeline(replace(setting, alpha_1=0.1334), "PRAE-C", PROOFS["PRAE-C"])
    task = Task(setting, "RUCB", PROOFS["RUCB"], 3, "runs", 2, 200, (200,))
    assert wu_2023.of_one_epsilon(task).setting.alpha_1 is None


def test_outcomes_on_numbers_that_bear_them_out_and_on_their_reverse():
    """Would catch a comparison with its sides exchanged: numbers made to fit all six are found reproduced, their negatives are not."""
    rng = np.random.default_rng(11)
    base = {"RUCB": 10.0, "PRAE-C": 100.0, "PRAE-R": 200.0, "DPRSE": 1000.0}
    rate = {"RUCB": 1.0, "PRAE-C": 100.0, "PRAE-R": 100.0, "DPRSE": 9000.0}
    wide = {"RUCB": 3.0, "PRAE-C": 0.01, "PRAE-R": 0.01, "DPRSE": 100.0}
    final = {
        (alpha, epsilon, each): base[each] + rate[each] * alpha + 20.0 / epsilon * (each != "RUCB") + wide[each] * rng.uniform(-1, 1, 30)
        for alpha in wu_2023.ALPHAS
        for epsilon in wu_2023.EPSILONS
        for each in ALGORITHMS
    }
    assert [outcome.verdict() for outcome in observations.outcomes(final)] == [OutcomeVerdict.REPRODUCED] * 9
    reverse = {place: -values for place, values in final.items()}
    found = {outcome.id: outcome.verdict() for outcome in observations.outcomes(reverse)}
    assert {id for id, finding in found.items() if finding is OutcomeVerdict.CONTRADICTED} == {
        "i",
        "ii-a",
        "ii-b",
        "iv",
        "v-a",
        "v-b",
        "vi",
    }
    equal = {place: np.full(30, 7.0) for place in final}
    assert {outcome.verdict() for outcome in observations.outcomes(equal)} == {OutcomeVerdict.CONTRADICTED}


def test_with_the_constants_of_the_proofs_epsilon_changes_no_curve():
    """Would catch outcome v undecided again: no arm is ever deleted, so the curves of all epsilon are exactly equal, and the claim that
    they differ is contradicted."""
    final = {}
    for alpha in wu_2023.ALPHAS:
        for epsilon in wu_2023.EPSILONS:
            for algorithm in ALGORITHMS:
                task = Task(Setting("student", "centred", alpha, epsilon), algorithm, PROOFS[algorithm], 17, "runs", 10, 2000, (2000,))
                final[alpha, epsilon, algorithm] = regret_and_loss(task)[:, 0]
    (claim,) = [outcome for outcome in observations.outcomes(final) if outcome.id == "v-a"]
    assert claim.verdict() is OutcomeVerdict.CONTRADICTED
    assert {(each.below, each.above, each.ties) for each in claim.comparisons} == {(0, 0, 10)}
    assert "constants" in claim.missing and claim.quote


def test_the_design_knows_the_outcomes_before_any_run():
    """Would catch a warning about other outcomes than those that are judged."""
    (known,) = curves.design(ReproductionRequest(1, 6, 100_000, 1)).values()
    assert [each.id for each in known] == ["i", "ii-a", "ii-b", "iii-a", "iii-b", "iv", "v-a", "v-b", "vi"]
    assert max(max(each.least_runs()) for each in known) == 10


def verdicts(outcomes):
    return {each.id: each.verdict().value for each in outcomes}


def test_what_appendix_a_prints_is_computed():
    """Would catch a number of ours in place of the paper's: the means, the moment and the density that its own constants give."""
    pareto_setup, student_setup = verdicts(explanations.setup("pareto")), verdicts(explanations.setup("student"))
    no = "contradicted"
    assert {id for id, found in pareto_setup.items() if found == no} == {"a-means", "a-moment", "a-over", "a-density"}
    assert {id for id, found in student_setup.items() if found == no} == {"a-moment"}
    largest = explanations.setup("pareto")[0].comparisons[0]
    assert (largest.smaller, largest.larger) == (157.5, 100.0)
    assert explanations.setup("pareto")[1].comparisons[0].smaller == pytest.approx(1200.0)


def test_the_reasons_given_are_computed():
    """Would catch a truncation in other units than the outliers': PRAE-C's least one is 4 r, which is above any distance of an outlier."""
    found = verdicts((*explanations.aggressive("student", None), *explanations.bounds(None)))
    assert set(found.values()) == {"contradicted"} and set(found) == {"ii-c", "ii-d", "ii-e", "ii-f", "v-c", "vi-b", "vii"}
    setting = Setting("student", "centred", 0.1, 0.2)
    for alpha_1 in (0.1, 0.133):
        assert explanations.passed(replace(setting, alpha_1=alpha_1), "PRAE-C") == 1.0
    assert explanations.passed(setting, "DPRSE") == 1.0 and 0.98 < explanations.passed(setting, "PRAE-R") < 0.99
    # By hand: at 2^9 pulls, M = min{sqrt(512 * 0.2 / (4 log(32 * 11 * 81 / 10^-5))), 1 / sqrt(0.8)} in units of sqrt(100^2 + 1177.47).
    size = min(math.sqrt(512 * 0.2 / (4 * math.log(32 * 11 * 81 / 1e-5))), 1 / math.sqrt(0.8)) * math.sqrt(1e4 + 2.0017 / 0.0017)
    assert size > 100.0 + 5.0


def test_estimation_errors_are_those_of_the_released_means():
    """Would catch an error in other units, and a bias of the median that is overlooked: Pareto's median lies 9.6 below its mean."""
    for rewards, expected in (("student", "reproduced"), ("pareto", "contradicted")):
        found = explanations.estimation(rewards, "centred", ReproductionRequest(17, 30, 100_000, 1))
        assert verdicts(found) == {"iv-b": expected, "iv-c": "reproduced"}


def test_tuning_takes_the_least_on_seeds_of_its_own(monkeypatch):
    """Would catch a choice on the draws of the figures or of the search, a score that is not the mean over all 27 settings, a candidate
    that is passed over, and a choice that loses the best arm where another candidate keeps it."""
    axes = {name: tuple(axis[1::5] for axis in each) for name, each in tuning.AXES.items()}
    monkeypatch.setattr(tuning, "AXES", axes)
    monkeypatch.setattr(tuning, "TOGETHER", 2)
    monkeypatch.setattr(tuning, "finer", lambda algorithm, centre: tuple(tuple(factor * each for each in centre) for factor in (0.9, 1.1)))
    request = ReproductionRequest(seed=5, runs=2, horizon=200, jobs=1)
    best, searches = tuning.tuned(request, SILENT, 2, (2, 5))
    for algorithm in ALGORITHMS:
        rows, again = searches[algorithm].scores, searches[algorithm].again
        assert len(rows) == len(tuning.coarse(algorithm)) + 2
        last = [row for row in rows if len(row.by_setting) == 27]
        assert last and all(len(row.by_setting) == 18 for row in rows if row not in last)
        order = tuning.ordered(rows)
        assert {row.constants for row in again} == set(order[: len(again)])  # none is passed over
        kept = [row for row in again if row.keeps()]
        assert all(row.runs == 5 for row in kept) and (kept or len(again) == len(order))
        assert all(order.index(row.constants) // 2 == (len(again) - 1) // 2 for row in kept)  # of the last that were played together
        assert searches[algorithm].choice() == min(kept or again, key=lambda row: (row.limit(), row.regret))
        assert searches[algorithm].choice().constants == best[algorithm]
    first, added = tuning.searched(None)
    every = (*first, *added)
    assert (len(first), len(set(every))) == (18, 27)
    tasks = [Task(each, "DPRSE", best["DPRSE"], 5, "confirmation", 5, 200, (200,)) for each in every]
    expected = np.mean([regret_and_loss(each)[:, 0].mean() for each in tasks])
    assert searches["DPRSE"].choice().regret == pytest.approx(float(expected))
    played = [regret_and_loss(replace(tasks[0], purpose=purpose)) for purpose in ("tuning", "confirmation", "runs")]
    assert not any(np.array_equal(*pair) for pair in combinations(played, 2))
    record = tuning.described(request, searches, ["names"])
    assert len({str(record[key]) for key in ("key", "key_of_the_confirmation", "reported_runs_key")}) == 3
    of = record["algorithms"]["PRAE-C"]
    assert of["candidates"] == len(of["scores"]) == 6 and len(of["chosen"]["lost_by_setting"]) == 27


def scored(regret, losses, runs, settings=27):
    """A candidate with these losses in its first settings, and none in the others."""
    by_setting = tuple(each / runs for each in losses) + (0.0,) * (settings - len(losses))
    return tuning.Score((regret, regret), regret, sum(by_setting) / settings, by_setting, runs)


def test_a_candidate_that_loses_the_best_arm_in_one_setting_is_not_confirmed():
    """Would catch losses that all other settings hide: 8 of 8 in one of 27 are 4 % of the runs."""
    hidden, narrow, early = scored(1.0, (8,), 8), scored(2.0, (1,) * 8, 8), scored(0.5, (), 8, settings=18)
    assert not hidden.goes_on() and narrow.goes_on() and early.goes_on()
    assert tuning.ordered([hidden, narrow, replace(narrow, constants=(3.0, 3.0)), early]) == ((2.0, 2.0),)


def test_the_choice_is_the_cheapest_that_keeps_the_best_arm_and_else_the_one_that_loses_it_least():
    """Would catch one loss in 2,700 runs overlooked, a dear choice, and a candidate preferred for its few losses in fewer runs."""
    kept, dear, once, early = scored(2.0, (), 100), scored(3.0, (), 100), scored(1.0, (1,), 100), scored(0.5, (1,), 20)
    assert tuning.Search((), (early, once, dear, kept)).choice() is kept
    assert tuning.Search((), (early, once)).choice() is once
    record = tuning._of("PRAE-C", tuning.Search((early, once), (early, once)))
    assert not record["chosen"]["keeps_the_best_arm"] and record["candidates_that_keep_the_best_arm"] == 0


def test_the_loss_rate_that_confirmation_excludes():
    """Would catch fewer runs than the rule's words say: at a rate of 3 % a candidate passes with probability 4.8 %, at 5 % one of eight
    does with probability 5 %."""
    runs = tuning.LOOKS[-1]
    assert 0.97**runs < 0.048 and 0.95**runs < 0.006 and 0.9**runs < 3e-5
    assert scored(1.0, (), runs).limit() == pytest.approx(1.0 - 0.05 ** (1.0 / runs)) == pytest.approx(0.0295, abs=1e-4)
    assert [round(tuning.excluded(number, runs), 3) for number in (1, tuning.TOGETHER, 16)] == [0.03, 0.049, 0.056]
    assert 8 * (1.0 - tuning.excluded(8, runs)) ** runs == pytest.approx(0.05)


def test_a_lucky_candidate_of_the_search_is_not_chosen(monkeypatch):
    """Would catch the winner's curse: the cheapest candidate loses the best arm in a tenth of the runs, but in none of the search's;
    further eight are played only where none of the first eight keeps it."""
    request: list[tuple[str, int, int]] = []

    def played(candidates, every, _asked, _progress, runs, purpose="tuning"):
        request.extend((algorithm, len(group), runs) for algorithm, group in candidates.items())
        bad = {"PRAE-R": 1, "PRAE-C": 9, "DPRSE": 99, "RUCB": 0}
        return {
            algorithm: [scored(each[0], (runs // 10,) if each[0] < bad[algorithm] else (), runs) for each in group]
            for algorithm, group in candidates.items()
        }

    monkeypatch.setattr(tuning, "_scored", played)
    waiting = {each: tuple((float(number),) for number in range(20)) for each in ALGORITHMS}
    again = tuning._confirmed(waiting, ReproductionRequest(5, 2, 200, 1), SILENT, tuning.LOOKS)
    assert {each: len(group) for each, group in again.items()} == {"PRAE-R": 8, "PRAE-C": 16, "DPRSE": 20, "RUCB": 8}
    choices = {each: tuning.Search((), tuple(group)).choice() for each, group in again.items()}
    assert {each: (score.regret, score.keeps()) for each, score in choices.items()} == {
        "PRAE-R": (1.0, True),
        "PRAE-C": (9.0, True),
        "DPRSE": (0.0, False),
        "RUCB": (0.0, True),
    }
    assert {(number, runs) for name, number, runs in request if name == "DPRSE" and runs == 100} == {(0, 100)}
