"""What is played for Figures 1 and 2 of Wu et al. 2023."""

import math
from dataclasses import replace

import numpy as np
import pytest

from banditproof.algorithms.environments.huber import Normal
from banditproof.audits.experiments.experiment import Asked, Finding
from banditproof.audits.papers.wu_2023 import figures as wu_2023
from banditproof.audits.papers.wu_2023.figures import ALGORITHMS, CANDIDATES, MEANS, NAMES, PROOFS, Setting, Task, pipeline, regret
from banditproof.interaction import Wire
from banditproof.play import play, play_many
from banditproof.randomness import key_of

SETTINGS = [Setting(law, noise, 0.05, 0.5) for law, noises in wu_2023.LAWS.items() for noise in noises]


def test_each_algorithm_has_the_same_search_budget():
    """Would catch a baseline that was tuned less, and a search over the proofs' own constants only."""
    assert {len(set(CANDIDATES[each])) for each in ALGORITHMS} == {16}
    assert all(len(PROOFS[each]) == len(NAMES[each]) == len(candidate) for each in ALGORITHMS for candidate in CANDIDATES[each])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.law}-{setting.noise}")
def test_what_is_played_is_what_the_paper_describes(algorithm, setting):
    """Would catch a gap or an outlier that is lost in the scaling, a class that does not hold the laws, and noise that a factor scales."""
    parties, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    environment = parties.environment
    means = environment.setup()[:11] * scale
    assert np.diff(means) == pytest.approx(-10.0, rel=1e-9)
    laws = parties.corruption.laws
    assert [law.spread * scale for law in laws] == pytest.approx([1.0, 1.0])
    assert (laws[1].mean - laws[0].mean) * scale == pytest.approx(100.0)
    assert parties.corruption.alpha == setting.alpha
    sigma = math.sqrt(wu_2023.variance(setting.law))
    assert sigma == pytest.approx({"pareto": math.sqrt(1200.0), "student": math.sqrt(2.0017 / 0.0017)}[setting.law], rel=1e-9)
    policy = parties.policy
    if algorithm == "RUCB":
        assert (policy.variance, policy.contamination) == (pytest.approx(sigma**2), 0.05)
        assert means[0] == pytest.approx({"printed": 157.5, "centred": 100.0}[setting.noise])
    else:
        assert policy.epsilon == 0.5
        other = pipeline(setting, algorithm, CANDIDATES[algorithm][0])[0].policy
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
    """Would catch the two outlier laws exchanged."""
    parties, scale = pipeline(replace(SETTINGS[0], alpha=0.5 - 1e-9), "RUCB", PROOFS["RUCB"])
    assert scale == 1.0
    assert parties.corruption.laws == (Normal(0.0, 1.0), Normal(100.0, 1.0))
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
        assert regret(task) == pytest.approx(np.cumsum(gaps, axis=1)[:, [99, 199]], rel=1e-9)


def test_outcomes_on_numbers_that_bear_them_out_and_on_their_reverse():
    """Would catch a comparison with its sides exchanged: numbers made to fit all six are found reproduced, their negatives are not."""
    rng = np.random.default_rng(11)
    base = {"RUCB": 10.0, "PRAE-C": 100.0, "PRAE-R": 200.0, "DPRSE": 1000.0}
    rate = {"RUCB": 1.0, "PRAE-C": 100.0, "PRAE-R": 100.0, "DPRSE": 9000.0}
    wide = {"RUCB": 3.0, "PRAE-C": 0.01, "PRAE-R": 0.01, "DPRSE": 100.0}
    final = {
        (alpha, epsilon, each): base[each] + rate[each] * alpha + 20.0 / epsilon * (each != "RUCB") + wide[each] * rng.uniform(-1, 1, 30)
        for alpha in wu_2023.SHARES
        for epsilon in wu_2023.EPSILONS
        for each in ALGORITHMS
    }
    assert [outcome.finding() for outcome in wu_2023.outcomes(final)] == [Finding.REPRODUCED] * 6
    reverse = {place: -values for place, values in final.items()}
    found = {outcome.id: outcome.finding() for outcome in wu_2023.outcomes(reverse)}
    assert {id for id, finding in found.items() if finding is Finding.NOT_REPRODUCED} == {"i", "ii", "iv", "v", "vi"}


def test_tuning_takes_the_least_on_seeds_of_its_own():
    """Would catch a choice on the draws of the figures, and a score that is not the mean over all 18 settings."""
    asked = Asked(seed=5, runs=2, horizon=200, jobs=1)
    best, scores = wu_2023.tuned(asked, runs=2)
    for algorithm in ALGORITHMS:
        rows = scores[algorithm]
        least = min(rows, key=lambda row: row["mean_regret"])
        assert tuple(least[name] for name in NAMES[algorithm]) == best[algorithm]
        assert len(rows) == 16
    every = (*wu_2023.settings("pareto", "printed"), *wu_2023.settings("student", "centred"))
    assert len(every) == 18
    expected = np.mean([regret(Task(each, "DPRSE", best["DPRSE"], 5, "tuning", 2, 200, (200,))).mean() for each in every])
    assert min(row["mean_regret"] for row in scores["DPRSE"]) == pytest.approx(float(expected))
    one = Task(every[0], "DPRSE", best["DPRSE"], 5, "tuning", 2, 200, (200,))
    assert not np.array_equal(regret(one), regret(replace(one, purpose="runs")))
