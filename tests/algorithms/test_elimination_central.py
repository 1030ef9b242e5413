"""PRAE-C and DPRSE: golden values of their schedules, their readings and what they refuse. Their runs: test_elimination_kernels.py."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.policies.elimination import central as central_elimination
from banditproof.algorithms.policies.elimination import successive as successive_elimination
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import Reading, call_failure
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.guarantees import View


def test_golden_schedule_of_clean_rewards():
    assert [central_elimination.fold_size(epoch) for epoch in (1, 2, 10)] == [1, 2, 512]
    assert central_elimination.fold_size(10, batch_is_fold=True) == 1024
    point = {"failure": 0.01, "active": 5, "epoch": 4}  # delta_tau = 6.25e-5
    # 200 log(32 * 8 * 5 * 16 / 0.01) / 0.5 = 400 log(2048000); literal: 400 log(1024000)
    assert central_elimination.clean_threshold(0.5, range=8.0, **point) == pytest.approx(400.0 * math.log(2048000.0), rel=1e-14)
    assert central_elimination.clean_threshold(0.5, range=8.0, literal=True, **point) == pytest.approx(
        400.0 * math.log(1024000.0), rel=1e-14
    )
    # n = 8, n eps = 4: 4 (4 / log 16000)^(1/2)
    assert central_elimination.epoch_truncation(0.5, 2.0, contamination=0.0, **point) == pytest.approx(
        4.0 * math.sqrt(4.0 / math.log(16000.0)), rel=1e-14
    )


def test_golden_schedule_of_contaminated_rewards():
    point = {"contamination": 0.1, "failure": 0.01, "active": 5, "epoch": 4}
    # 4.5e6 log(16 * 8 * 16000) / 0.5
    known = {"range": 8.0, "bin_constant": 4.5e6}
    assert central_elimination.threshold(0.5, **known, **point) == pytest.approx(9e6 * math.log(2048000.0), rel=1e-14)
    assert central_elimination.policy_bin_width(0.1, 2.0) == pytest.approx(math.sqrt(0.9 / 0.149), rel=1e-14)
    assert central_elimination.policy_bin_width(0.1, 2.0, true_contamination=0.0) == pytest.approx(math.sqrt(1.0 / 0.249), rel=1e-14)
    # epoch 24: n = 2^23, log(1 / delta_tau) = log(36 * 16000): M = 4 / sqrt(0.1)
    point["epoch"] = 24
    size = central_elimination.epoch_truncation(0.5, 2.0, **point)
    assert size == pytest.approx(12.6491106406735173, rel=1e-14)
    n, width, log16 = 2**23, math.sqrt(0.9 / 0.149), math.log(16.0 * 10.0 * 576.0 / 0.01)
    outliers = (0.1 + math.sqrt(0.2 * log16 / n) + 2.0 * log16 / 3.0 / n) * (size + 2.0 * width)
    radius = 2.0 * outliers + math.sqrt(2.0 * log16 / n) + 4.0 * (size + 2.0 * width) * log16 / 3.0 / n + 2.0 / size
    radius += 2.0 * width * (0.1 + 4.0 / size**2 + math.sqrt(log16 / 2.0 / n)) + 2.0 * size * (log16 - math.log(2.0)) / n / 0.5
    assert central_elimination.epoch_radius(0.5, 2.0, **point) == pytest.approx(radius, rel=1e-13)


def test_the_constants_of_the_proof_never_leave_the_forced_phase_at_the_papers_horizon():
    """What Figures 1 and 2 show of PRAE-C with alpha_1 = 2 % to 10 % and epsilon <= 1 cannot be the constants of the proof: the least
    batch that is learned from is thousands of horizons long."""
    for fraction in (0.02, 0.05, 0.1):
        width = central_mean.bin_width(fraction, 2.0)
        policy = CentralElimination(1.0, central_mean.admissible_range(50.0 / 34.0, width), contamination=fraction)
        assert policy.epoch_threshold(1e-5, active=11, epoch=1) > 500 * 100_000
        assert np.all(policy.state(11, 0, 100_000).forced[1:, 2:] == 1.0)


@given(epsilon=st.floats(0.01, 10.0), arms=st.integers(2, 5), horizon=st.integers(2, 10**6), contamination=st.sampled_from([0.0, 0.05]))
def test_readings_differ_beyond_the_stated_epsilon_alone(epsilon, arms, horizon, contamination):
    """Would catch noise that follows the reading (it is that of epsilon), and parameters as printed where the paper states none."""
    repaired = CentralElimination(epsilon, 7.0, contamination=contamination)
    states = [repaired.state(arms, 0, horizon)]
    if epsilon > 1.0:
        with pytest.raises(ValueError, match=r"epsilon = .*: must be <= 1 \(Corollaries 6.6 and 6.8"):
            replace(repaired, reading=Reading.PUBLISHED)
        at_one = replace(repaired, epsilon=1.0).state(arms, 0, horizon)
        assert all(np.array_equal(getattr(states[0], name), getattr(at_one, name)) for name in ("twice_radii", "truncations", "forced"))
    else:
        states.append(replace(repaired, reading=Reading.PUBLISHED).state(arms, 0, horizon))
        names = ("twice_radii", "truncations", "forced", "bin_scales")
        assert all(np.array_equal(*(getattr(state, name) for state in states)) for name in names)
    for state in states:
        samples = state.pulls[1:, 2:] / 2
        assert state.scales[1:, 2:] * samples * epsilon / 2.0 == pytest.approx(state.truncations[1:, 2:], rel=1e-12)
    assert CentralElimination(epsilon, 7.0).accuracy_is_stated() == (epsilon <= 1.0)


@given(epoch=st.integers(1, 40), active=st.integers(2, 20), failure=st.floats(1e-8, 1.0))
def test_each_formula_is_evaluated_at_the_budget_of_one_release(epoch, active, failure):
    """Would catch a formula at delta, or a threshold at another number of active arms than the radius."""
    budget, policy = call_failure(failure, active, epoch=epoch), CentralElimination(0.5, 9.0, contamination=0.1, pad=True)
    number, constant = central_mean.bins(9.0, policy.width_of_bins(), pad=True), central_mean.bin_constant(0.249)
    expected = central_mean.padded_sample_requirement(0.5, bins=number, contamination=0.1, failure=budget, bin_constant=constant)
    assert policy.epoch_threshold(failure, active=active, epoch=epoch) == expected
    clean = CentralElimination(0.5, 9.0, pad=True)
    number = central_mean.bins(9.0, clean.width_of_bins(), pad=True)
    assert clean.epoch_threshold(failure, active=active, epoch=epoch) == pytest.approx(400.0 * math.log(6.0 * number / budget), rel=1e-12)


def test_golden_schedule_of_dprse():
    # |S| = 2, e = 1, beta_0 = 8 e^-4: L = 4; v = u = 1, epsilon = 1: R = 24^2 * 4 * 4 + 1, B = sqrt(R / 4), err = sqrt(4 / R)
    assert successive_elimination.logarithm(8.0 * math.exp(-4.0), 2, epoch=1) == pytest.approx(4.0, rel=1e-14)
    distribution = {"raw_moment": 1.0, "term": 4.0}
    assert successive_elimination.batch_pulls(1.0, 1.0, epoch=1, **distribution) in (9217, 9218)  # a ceiling of 9217 except for rounding
    assert successive_elimination.batch_truncation(9216, 1.0, 1.0, **distribution) == pytest.approx(48.0, rel=1e-14)
    assert successive_elimination.batch_error(9216, 1.0, 1.0, **distribution) == pytest.approx(1.0 / 48.0, rel=1e-14)
    assert successive_elimination.batch_pulls(1.0, 0.01, epoch=60, **distribution) == successive_elimination.MOST_PULLS


@given(
    epsilon=st.floats(0.05, 5.0), tail=st.floats(0.2, 1.0), moment=st.floats(0.1, 3.0), epoch=st.integers(1, 4), active=st.integers(2, 20)
)
def test_the_batch_of_dprse_solves_its_equation(epsilon, tail, moment, epoch, active):
    """Would catch an exponent or a constant of R that err does not have: R is the least with 24 err <= 2^-e, except for the printed + 1."""
    term = successive_elimination.logarithm(1e-5, active, epoch=epoch)
    distribution = {"raw_moment": moment, "term": term}
    pulls = successive_elimination.batch_pulls(epsilon, tail, epoch=epoch, **distribution)
    assume(pulls < successive_elimination.MOST_PULLS)
    assert 24.0 * successive_elimination.batch_error(pulls, epsilon, tail, **distribution) <= 0.5**epoch * (1 + 1e-9)
    assert (
        24.0 * successive_elimination.batch_error(max(1, pulls - 3), epsilon, tail, **distribution) >= 0.5**epoch * (1 - 1e-9) or pulls <= 3
    )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: CentralElimination(1.0, 20.0, contamination=0.1334), r"contamination = 0.1334: must be <= 0.133 \(alpha_1 up"),
        (lambda: CentralElimination(1.0, 6.0), r"range = 6.0: must be >= 6.32456 \(D >= 2 r, Theorem 6.5; admissible_range"),
        (lambda: CentralElimination(1.0, 7.0, moment=1.5), r"moment = 1.5: must be >= 2"),
        (lambda: CentralElimination(0.0, 7.0), r"epsilon = 0.0: must be > 0"),
        (lambda: CentralElimination(1.0, 7.0, failure=0.0), r"failure = 0.0: must be > 0 and <= 1"),
        (lambda: CentralElimination(1.0, 7.0, contamination=-0.1), r"contamination = -0.1: must be"),
        (lambda: CentralElimination(1.0, 7.0, contamination=0.1, literal=True), r"literal = True: must be False at contamination > 0"),
        (lambda: CentralElimination(1.0, 7.0, true_contamination=0.1), r"true_contamination = 0.1: must be None at contamination = 0"),
        (lambda: CentralElimination(1.0, 7.0, contamination=0.05, true_contamination=0.06), r"0.06: must be >= 0 and <= 0.05"),
        (lambda: CentralElimination(1.0, 7.0, mixing=1.5), r"mixing = 1.5: must be >= 0 and <= 1"),
        (lambda: CentralElimination(1.0, 7.0, threshold_factor=-1.0), r"threshold_factor = -1.0: must be >= 0 and finite"),
        (lambda: CentralElimination(1.0, 7.0, view=View.LOCAL), r"view = local: must be central, joint or white_box"),
        (lambda: CentralElimination(1.0, math.inf), r"range = inf: must be"),
        (lambda: CentralElimination(1.0, 1e12), r"range = 1000000000000.0: must be smaller \(6.32e\+11 bins"),
        (lambda: SuccessiveElimination(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: SuccessiveElimination(1.0, tail=0.0), r"tail = 0.0: must be > 0 and <= 1"),
        (lambda: SuccessiveElimination(1.0, raw_moment=0.0), r"raw_moment = 0.0: must be > 0"),
        (lambda: SuccessiveElimination(1.0, failure=1.0), r"failure = 1.0: must be > 0 and < 1"),
        (lambda: SuccessiveElimination(1.0, batch_constant=0.0), r"batch_constant = 0.0: must be > 0"),
        (lambda: SuccessiveElimination(1.0, cut_constant=-1.0), r"cut_constant = -1.0: must be > 0"),
        (lambda: SuccessiveElimination(1.0, log_constant=0.0), r"log_constant = 0.0: must be finite"),
        (lambda: SuccessiveElimination(1.0, view=View.SHUFFLED), r"view = shuffled: must be central"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
