"""What is played for Figure 1 of the paper on locally private LinUCB (2024)."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom

from banditproof.algorithms.mechanisms.gaussian import exact_sigma, profile
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.local import LocalGram
from banditproof.algorithms.mechanisms.local_row import LocalRow
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.mechanisms.vector_sum import VectorSum
from banditproof.algorithms.policies.noisy_gram_ucb.policy import NoisyGramUCB
from banditproof.audits.experiments.experiment import SILENT, OutcomeVerdict, ReproductionRequest
from banditproof.audits.papers.ldp_linucb_2024.figures import calibration, curves, observations, runs, tuning
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import (
    DELTA,
    EPSILONS,
    FOR_BUDGET,
    OWN,
    PLANNED_HORIZON,
    Algorithm,
    Arms,
    Budget,
    ConstantRadius,
    Setting,
    Task,
    pipeline,
    played,
)
from banditproof.interaction import NoRandomiser, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many, stream

KEY = key_of(3)
PLACES = [(budget, algorithm) for budget in Budget for algorithm in FOR_BUDGET[budget]]


@pytest.mark.parametrize("arms", Arms)
def test_all_algorithms_play_the_same_arms(arms):
    """Would catch another theta*, other arms or other means for an algorithm: then runs could not be compared pair by pair."""
    best = []
    for budget, algorithm in PLACES:
        setting = Setting(algorithm, 1.0, arms, budget)
        run = play(pipeline(setting), horizon=30, key=KEY, record=(Wire.CONTEXTS,))
        place = runs.environment(setting)
        contexts, theta = run.wire(Wire.CONTEXTS), place.parameter(KEY)
        assert contexts.shape == (30, 100, 5) and np.linalg.norm(contexts[7, 3]) == pytest.approx(place.feature_norm)
        best.append(contexts @ theta)
        assert (contexts[0] == contexts[29]).all() == (arms is not Arms.REDRAWN)
        assert (np.count_nonzero(contexts[0, 0]) == 2) == (arms is Arms.BASIS)
    assert all(each == pytest.approx(best[0], abs=1e-12) for each in best)


def test_no_width_and_no_curvature_changes_the_noise():
    """Would catch noise that is scaled with a width, with what is given as lambda_min, or with the arms."""
    for budget, algorithm in PLACES:
        for epsilon in EPSILONS:
            plain = Setting(algorithm, epsilon, budget=budget)
            parts = [
                pipeline(each) for each in (plain, replace(plain, width=0.1), replace(plain, width=30.0), replace(plain, curvature=0.125))
            ]
            assert len({(each.randomiser, each.shuffler) for each in parts}) == 1
            if algorithm is Algorithm.JDP and budget is Budget.EQUAL:
                tuned = parts[1].policy
                assert isinstance(tuned, ConstantRadius) and tuned.base == parts[0].policy


def test_own_noise_is_what_each_source_prints():
    """Written out again: OnlineUCB from Algorithm 1, the others from the public script, s without a sensitivity, b with its factor."""
    for epsilon in EPSILONS:
        online = pipeline(Setting(Algorithm.ONLINE, epsilon))
        assert online.randomiser.sigma() == pytest.approx(2 * math.sqrt(2 * math.log(12.5)) / epsilon)
        local = pipeline(Setting(Algorithm.LDP, epsilon)).randomiser
        assert local.noise_scale() == pytest.approx(math.sqrt(math.log(25)) / epsilon) and not local.clips
        amplified = pipeline(Setting(Algorithm.SDP_AMP, epsilon))
        assert amplified.randomiser.noise_scale() == pytest.approx(math.sqrt(math.log(500) / 20) / epsilon)
        vector = pipeline(Setting(Algorithm.SDP_VEC, epsilon))
        scale = 1 if epsilon == 0.2 else 10
        assert vector.randomiser.trials() == math.floor(scale * 80 * math.log(50) ** 2 / (epsilon**2 * 20))
        assert amplified.shuffler == vector.shuffler == UniformShuffler(20)
        for algorithm in (Algorithm.JDP, Algorithm.LIN_UCB, Algorithm.UNIFORM):
            assert pipeline(Setting(algorithm, epsilon)).randomiser == NoRandomiser()


def test_equal_noise_is_exact_at_the_same_epsilon_and_delta():
    """Would catch a method that keeps its own constants, and a domain that is not the others': |x| <= 1, y in [-1, 1]."""
    for epsilon in EPSILONS:
        parts = {each: pipeline(Setting(each, epsilon, budget=Budget.EQUAL)) for each in Algorithm}
        online, local = parts[Algorithm.ONLINE].randomiser, parts[Algorithm.LDP].randomiser
        assert isinstance(online, LocalRow) and isinstance(local, LocalGram) and online.clips and local.clips
        assert profile(epsilon, math.sqrt(8.0) / online.sigma()) == pytest.approx(DELTA, rel=1e-6)
        assert profile(epsilon, math.sqrt(4.5) / local.noise_scale()) == pytest.approx(DELTA, rel=1e-6)
        least, enough = parts[Algorithm.SDP_AMP].randomiser, parts[Algorithm.SDP_AMP_ENOUGH].randomiser
        assert enough == local and least.noise_scale() * math.sqrt(20) == pytest.approx(local.noise_scale(), rel=1e-9)
        assert parts[Algorithm.SDP_AMP].shuffler == parts[Algorithm.SDP_AMP_ENOUGH].shuffler == UniformShuffler(20)
        tree = parts[Algorithm.JDP].policy
        assert tree.calibration is gram_noise.Calibration.EXACT and tree.bounds.row_norm == pytest.approx(math.sqrt(2.0))
        vector = parts[Algorithm.SDP_VEC].randomiser
        assert isinstance(vector, VectorSum) and vector.bound == 1.0
        assert vector.trials() == calibration.least_trials(epsilon, DELTA, batch=20, dimension=5)
        assert all(each.environment.feature_norm == 1.0 for each in parts.values())


def test_loss_of_a_coordinate_by_summation():
    """Would catch losses convolved with the wrong weights: two coordinates, by a double sum."""
    one, other = binom.pmf(np.arange(12), 11, 0.25), binom.pmf(np.arange(12) - 1, 11, 0.25)
    pairs, expected = [(one, np.maximum(other, 1e-300)), (one[::-1], np.maximum(other[::-1], 1e-300))], 0.0
    for p, q in zip(*pairs[0], strict=True):
        for r, s in zip(*pairs[1], strict=True):
            expected += max(p * r - math.exp(0.5) * q * s, 0.0)
    assert calibration._delta(pairs, 0.5) == pytest.approx(expected, abs=2e-4)


def test_trials_of_the_vector_sum():
    """Would catch a b that is not the least, and one far from what normal noise of the same variance would need."""
    for epsilon in EPSILONS:
        least = calibration.least_trials(epsilon, DELTA, batch=20, dimension=5)
        at, before = (calibration.batch_delta(epsilon, each, batch=20, dimension=5) for each in (least, least - 1))
        assert at <= DELTA < before
        needed = (exact_sigma(epsilon, DELTA, math.sqrt(4.5)) * math.sqrt(80.0)) ** 2 / 20 * 16 / 3
        assert needed <= least <= needed * 1.02 + 2


def test_the_level_of_a_scale_is_inverted():
    """Would catch an SDP-Amp whose noise is not the least that could be enough."""
    for epsilon in EPSILONS:
        scale = calibration.least_amplified_scale(epsilon, DELTA, 20)
        assert exact_sigma(calibration.level_of_scale(scale, DELTA), DELTA, math.sqrt(4.5)) == pytest.approx(scale, rel=1e-9)


def test_regret_is_that_of_the_means():
    """Would catch realised rewards in place of pseudo-regret, and checkpoints that are one round off."""
    for algorithm in (Algorithm.ONLINE, Algorithm.SDP_VEC, Algorithm.UNIFORM):
        setting = Setting(algorithm, 1.0, Arms.REDRAWN)
        (found,) = played([Task(setting, 3, "runs", 2, 60, (30, 60))])
        key = key_of(3, "ldp_linucb_2024", "figures", "runs")
        run = play_many(pipeline(setting), horizon=60, key=key, runs=2, record=(Wire.ARMS, Wire.CONTEXTS))
        for each in range(2):
            means = run.wire(Wire.CONTEXTS)[each] @ runs.environment(setting).parameter(key, each)
            gaps = means.max(axis=1) - means[np.arange(60), run.wire(Wire.ARMS)[each]]
            assert found[each] == pytest.approx(np.cumsum(gaps)[[29, 59]])


def test_uniform_play_costs_half_of_the_best_mean():
    """Would catch a reference that learns: the mean of an arm is 1/2 over uniform directions, that of the best of 100 is 0.97."""
    setting = Setting(Algorithm.UNIFORM, 1.0, Arms.REDRAWN)
    (found,) = played([Task(setting, 3, "runs", 8, 2000, (2000,))])
    assert found.mean() / 2000 == pytest.approx(0.94092 / 2, abs=0.01)


def test_what_an_algorithm_does_not_depend_on_is_not_played_again():
    """Would catch a curve that is played once for two settings in which it differs."""
    for budget, algorithm in PLACES:
        one = Task(Setting(algorithm, 10.0, budget=budget, curvature=0.125, width=0.5), 3, "runs", 2, 400, (400,))
        stands = runs.once(one)
        assert (stands == one) == (algorithm in runs.ONLINE)
        assert np.array_equal(*played([one, stands]))
        assert runs.cost(one) > 0.0


def test_a_constant_width_is_the_width():
    """Would catch a kappa that multiplies a formula in place of being the width."""
    for budget, algorithm in PLACES:
        if algorithm is Algorithm.UNIFORM:
            continue
        setting = Setting(algorithm, 10.0, budget=budget, width=0.75)
        policy = pipeline(setting).policy
        state = policy.state(100, 5, 400)
        if algorithm in runs.ONLINE:
            assert policy.radius(PLANNED_HORIZON, 1 / PLANNED_HORIZON)[0].base > 1.0 and policy.scale == 0.75
            epoch = policy.epochs(400, 5)[0]
            assert epoch.scale * math.sqrt(epoch.radius.base) == 0.75 and epoch.radius[1:] == (0.0, 0.0)
        elif isinstance(policy, NoisyGramUCB):
            assert state.settings.fixed_width and state.settings.width_scale == 0.75
        else:
            assert (state.settings.reward_sigma, state.settings.radius_tail) == (0.0, 0.75)
            list(stream(pipeline(setting), horizon=50, key=KEY, run=0, block=50, state=state))
            assert state.measures.radius[0] == 0.75


def made_up(ours, **others):
    """Final regrets (50,) that no two runs share, at every epsilon."""
    rng = np.random.default_rng(5)
    base = dict.fromkeys(Algorithm, 1000.0) | {Algorithm[name]: value for name, value in others.items()}
    base |= {Algorithm.ONLINE: ours, Algorithm.ONLINE_OGD: ours}
    grow = {0.2: 1.5, 1.0: 1.0, 10.0: 0.9}
    return {
        (epsilon, each): base[each] * (grow[epsilon] if each in runs.ONLINE else 1.0) * rng.uniform(0.99, 1.01, 50)
        for epsilon in EPSILONS
        for each in Algorithm
    }


def test_outcomes_on_numbers_that_bear_them_out_and_on_their_reverse():
    """Would catch a comparison with its sides exchanged, a baseline that is left out, and an epsilon that is."""
    found = observations.outcomes(made_up(500.0), Budget.OWN, PLANNED_HORIZON)
    assert {each.verdict() for each in found} == {OutcomeVerdict.REPRODUCED}
    ids = ["i-ldp", "i-amp", "i-vec", "i-jdp", "ii-less", "ii-ldp", "ii-amp", "ii-vec", "iii-a", "uniform"]
    assert [each.id for each in found] == ids and all(each.quote and each.missing for each in found if each.id != "uniform")
    reverse = observations.outcomes(made_up(3000.0), Budget.OWN, PLANNED_HORIZON)
    verdicts = {each.id: each.verdict() for each in reverse}
    contradicted = {id for id, verdict in verdicts.items() if verdict is OutcomeVerdict.CONTRADICTED}
    assert contradicted == {"i-ldp", "i-amp", "i-vec", "i-jdp", "ii-ldp", "ii-amp", "ii-vec", "uniform"}
    short = observations.outcomes(made_up(500.0), Budget.OWN, PLANNED_HORIZON - 1)
    assert {each.verdict() for each in short} == {OutcomeVerdict.INCONCLUSIVE}


def test_amplification_is_judged_at_both_ends():
    """Would catch a verdict about SDP-Amp that depends on how much the shuffler amplifies, which is not known exactly."""
    for least, enough, verdict in (
        (800.0, 2000.0, OutcomeVerdict.REPRODUCED),
        (400.0, 2000.0, OutcomeVerdict.INCONCLUSIVE),
        (300.0, 400.0, OutcomeVerdict.CONTRADICTED),
    ):
        final = made_up(500.0, SDP_AMP=least, SDP_AMP_ENOUGH=enough)
        (found,) = [each for each in observations.outcomes(final, Budget.EQUAL, PLANNED_HORIZON) if each.id == "i-amp"]
        assert found.verdict() is verdict and bool(found.undecided) == (verdict is OutcomeVerdict.INCONCLUSIVE)


def test_curvature_of_the_best_arm_by_simulation():
    """Would catch another density of the cosine: the least eigenvalue of the mean of x x^T for the best of 100 drawn arms."""
    rng, total = np.random.default_rng(7), np.zeros((5, 5))
    for _ in range(100):  # 10^5 rounds: the eigenvalue is a variance of skewed numbers, with a standard error near 1 %
        directions = rng.normal(size=(1000, 100, 4))
        directions /= np.linalg.norm(directions, axis=2, keepdims=True)
        best = np.take_along_axis(directions, directions[:, :, 0].argmax(axis=1)[:, None, None], axis=1)[:, 0]
        rows = np.hstack([best, np.ones((1000, 1))]) / math.sqrt(2.0)
        total += rows.T @ rows / 1e5
    assert np.linalg.eigvalsh(total)[0] == pytest.approx(observations.best_arm_curvature(), rel=0.05)
    verdicts = {each.id: each.verdict() for each in observations.computed()}
    assert verdicts == {"iii-b": OutcomeVerdict.REPRODUCED, "iv": OutcomeVerdict.CONTRADICTED}


def test_ways_of_running():
    """Would catch a way that is left out or played twice, and pictures that overwrite each other."""
    every = curves.ways(tuple(Arms))
    assert len(every) == len(set(every)) == 18 and len({each.file() for each in every}) == len({each.name() for each in every}) == 18
    assert set(curves.ways((Arms.FIXED,))) <= set(every)
    assert all(len(each.settings()) == 3 * len(FOR_BUDGET[each.budget]) for each in every)


def test_the_design_knows_the_outcomes_before_any_run():
    """Would catch a warning about other outcomes than those that are judged."""
    (known,) = curves.design(ReproductionRequest(1, 6, PLANNED_HORIZON, 1)).values()
    assert [each.id for each in known] == [each.id for each in observations.outcomes(made_up(1.0), Budget.OWN, PLANNED_HORIZON)]


def test_each_algorithm_has_the_same_search_on_seeds_of_its_own(monkeypatch):
    """Would catch a method that is tuned less, a choice that is not the least, and one on the draws of the reported runs."""
    monkeypatch.setattr(tuning, "WIDTHS", (0.1, 1.0, 10.0))
    monkeypatch.setattr(tuning, "TUNING_RUNS", 2)
    request = ReproductionRequest(seed=5, runs=2, horizon=300, jobs=1)
    settings = [Setting(each, 10.0) for each in OWN]
    searches = tuning.searched(settings, request, SILENT)
    assert set(searches) == {each for each in settings if each.algorithm is not Algorithm.UNIFORM}
    for setting, search in searches.items():
        tasks = [Task(replace(setting, width=width), 5, "tuning", 2, 300, (300,)) for width in search.widths]
        assert search.regrets == pytest.approx([values.mean() for values in played(tasks)])
        assert search.choice() == search.widths[int(np.argmin(search.regrets))]
        assert tuning.tuned(settings, searches)[setting].width == search.choice()
    draws = [played([Task(Setting(Algorithm.LDP, 1.0), 5, purpose, 2, 300, (300,))])[0] for purpose in ("tuning", "runs")]
    assert not any(np.array_equal(*pair) for pair in combinations(draws, 2))
    assert tuning.Search((0.1, 1.0, 10.0), (3.0, 2.0, 2.0)).choice() == 1.0
