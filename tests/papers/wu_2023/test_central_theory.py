"""Wu et al. 2023, central moments: numbers worked out by hand, the finding at an end of the range by other means, chains that must close.

The places quoted are those of the NeurIPS 2023 text with its appendix. The false lines of these proofs are tested with those of the
rest of the paper in test_wu_2023.py.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from banditproof.glossary import BINS, CONTAMINATION, HORIZON, MOMENT, RANGE
from banditproof.theory import certify
from banditproof.theory.language import HypothesisFails, Theorem, symbol
from banditproof.theory.papers.wu_2023 import (
    central,
    central_cases,
    central_ends,
    central_proofs,
    central_radii,
    central_regret,
    central_remarks,
    chains,
    elimination,
    lower_bound,
    lower_bound_whole,
)
from banditproof.theory.papers.wu_2023.setting import at_moment
from tests.support.proof_lines import line_at, order_at, value_at

EPOCH = {"active": 5, "epoch": 10, "failure": "0.001", "epsilon": 1, "moment": 2}
REGRET = {"horizon": 10**7, "arms": 2, "epsilon": 1, "range": 10, "moment": 2}

# log 20 = 2.995732273553991, log 320 = 5.768320995793772, log 3200 = 8.070906088787819, log 1e6 = 13.815510557964274
GOLDEN = [
    # C_1 with 6 N for 16 D: log(6 * 12/0.05) = 7.272398392570047; sqrt(2 * it/1000), and 4 * it/100 where privacy binds
    (central_radii.PADDED_BIN_ERROR, {"fold_samples": 1000, "epsilon": 1, "bins": 12, "failure": "0.05"}, 0.12060181087006984),
    (central_radii.PADDED_BIN_ERROR, {"fold_samples": 1000, "epsilon": "0.1", "bins": 12, "failure": "0.05"}, 0.29089593570280187),
    # derivation: (1 + sqrt(10)) sqrt(2 log 320/1e5) = 0.0447067 and 73 sqrt(log 20/1e5) = 0.3995527
    (
        central_radii.CENTRAL_RADIUS_CLEAN_TUNED,
        {"fold_samples": 10**5, "epsilon": 1, "moment": 2, "range": 10, "failure": "0.05"},
        0.4442594750156579,
    ),
    # sqrt(2 log 320/1e9) + 33 sqrt(log 20/1e9) + 25 sqrt(0.05): almost all of it contamination
    (
        central_radii.CENTRAL_RADIUS_TUNED,
        {"fold_samples": 10**9, "epsilon": 1, "contamination": "0.05", "moment": 2, "range": 10, "failure": "0.05"},
        5.592083550851403,
    ),
    # 8 (1 + sqrt(10))^2 log 320/0.01 = 79947, log 20 (146/0.1)^2 = 6385703, 200 log 3200 = 1614
    (
        central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT,
        {"accuracy": "0.1", "epsilon": 1, "moment": 2, "range": 10, "failure": "0.05"},
        6385702.9143076865,
    ),
    # delta_tau = 1e-6: 256 (1 + sqrt(10))^2 log(16e6)/100 = 736 and 2 log(1e6) 58.4^2
    (central_regret.CENTRAL_BATCH_CLEAN, EPOCH | {"unbounded_gap": 10}, 94237.25537714126),
    (central_regret.CENTRAL_BATCH, EPOCH | {"contamination": "0.001", "unbounded_gap": 10}, 77030.86590783023),
    # K T log_2^2 T = 1.0814e10: 20 + 30 * 1600 log(32 * 10 * it) + 64 (1 + sqrt(10)) sqrt(2e7 log(32 it)) + 1168 sqrt(16e7 log(2 it))
    (central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, REGRET, 79598660.09649715),
    # 240 (4500000 log(320 * it) + log(2 it) 0.99/0.239 + 1e4 log(32 it)), nearly all of it: c_1 is that large
    (central_regret.REGRET_CENTRAL_EXPLICIT, REGRET | {"contamination": "0.01"}, 31514175926.7451),
    # eleven times the two bounds of test_wu_2023.py
    (central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT, REGRET, 42771356.811640054),
    (central_remarks.REGRET_EMBEDDED_EXPLICIT, REGRET | {"contamination": "0.001"}, 248700342.7375888),
    # sqrt(10 * 1e5)/27 at deviation 1/2, and at 1/(1 + 3^(1/4))
    (lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT, {"horizon": 10**5, "arms": 11, "moment": 2}, 18.51851851851852),
    (lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT, {"horizon": 10**5, "arms": 11, "moment": 4}, 15.991301154414682),
    # the largest of 18.5, 3.2 and 500; without contamination the first
    (
        lower_bound_whole.LOWER_BOUND_EXPLICIT,
        {"horizon": 10**5, "arms": 11, "epsilon": "0.5", "true_contamination": "0.04", "moment": 2},
        500.0,
    ),
    (
        lower_bound_whole.LOWER_BOUND_EXPLICIT,
        {"horizon": 10**5, "arms": 11, "epsilon": "0.5", "true_contamination": 0, "moment": 2},
        18.51851851851852,
    ),
    # "T Delta/4 exp(-KL)"
    (lower_bound.TWO_REGRETS, {"horizon": 1000, "gap": "0.2", "divergence": "0.5"}, 30.326532985631673),
    # 6 sqrt(2/c_1) = 1 - 0.996: c_1 = 2 * 1500^2
    (central.SMALLEST_BIN_CONSTANT, {}, 4_500_000.0),
]


@pytest.mark.parametrize(("theorem", "values", "by_hand"), GOLDEN)
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-12)


def test_orders_of_the_regret_as_printed():
    """Theorems 6.10 and 6.12, k = 2, iota = 0.96/0.209. Would catch a dropped term, and a constant inside a logarithm."""
    known, log_t = {"horizon": 10**4, "arms": 9, "epsilon": "1/4", "range": 10, "moment": 2}, math.log(10**4)
    clean = math.sqrt(9 * 10**4 * log_t) + math.sqrt(9 * log_t * 4) * 100 + 9 * 10 * math.log(10**5) * 4
    assert order_at(central.REGRET_CENTRAL_CLEAN, **known) == pytest.approx(clean, rel=1e-12)
    added = 10**4 * 0.2 + 10 * 9 * log_t / 0.04**2 + 0.96 / 0.209 * 10 * 9 * log_t * 4
    assert order_at(central.REGRET_CENTRAL, **known, contamination="1/25") == pytest.approx(clean + added, rel=1e-12)


def test_the_radius_at_an_end_needs_both_sizes():
    """n >= log(80)/alpha_1^2 = 438202663.5 at alpha_1 = 1e-4, and n >= 4.5e6 log(80 D), D = 6 sqrt(0.9/0.149), at alpha_1 = 0.1: one draw
    less is refused. Would catch either condition turned."""
    private = 4.5e6 * math.log(80 * 6 * math.sqrt(0.9 / 0.149))
    for least, known in (
        (438202664, {"contamination": "1/10000", "bins": 1000}),
        (math.ceil(private), {"contamination": "1/10", "bins": 12}),
    ):
        known |= {"epsilon": 1, "moment": 2, "failure": "1/5"}
        alpha = float(Fraction(known["contamination"]))
        found = central_ends.least_radius_contaminated().at(fold_samples=least, **known)
        assert found.bound == pytest.approx(known["bins"] / 2 * math.sqrt((1 - alpha) / (0.249 - alpha)), rel=1e-12)
        with pytest.raises(HypothesisFails, match="enough"):
            central_ends.least_radius_contaminated().at(fold_samples=least - 1, **known)


def test_nothing_is_kept_at_an_end_where_the_range_is_above_the_truncation():
    """4 alpha_1^(-1/2) = 40 < D at alpha_1 = 1/100: N > 80/sqrt(0.99/0.239) = 39.3. Would catch D for D/4 in the condition."""
    known = {"contamination": "1/100", "epsilon": 1, "moment": 2, "failure": "1/5", "fold_samples": 10**9}
    for make in (central_ends.least_radius_contaminated, central_ends.least_regret_contaminated):
        line = next(each for each in make().hypotheses if each.name == "keeps_nothing")
        for bins, kept in ((39, False), (40, True)):
            values = {symbol(BINS): bins, symbol(CONTAMINATION): sympy.Rational(1, 100), symbol(MOMENT): 2}
            assert bool(line.condition.subs(values)) is kept
    assert central_ends.least_radius_contaminated().at(**known, bins=40).bound > 40


def test_four_radii_of_the_contaminated_chain():
    """k = 2, alpha_1 = 1/100, n = 2^s/2: M is at most 40, and both entries of its min are paid in the bias and in the mass that is cut.
    Would catch a wrong power of 2 in a piece, which the chain's inequality against the radius leaves room for."""
    epoch, arms, horizon, alpha, epsilon = 20, 5, 10**6, 0.01, 0.5
    samples = 2 ** (epoch - 1)
    l_1, l_8, l_16 = (math.log(2 * constant * arms * epoch**2 * horizon) for constant in (1, 8, 16))
    width = math.sqrt(0.99 / 0.239)
    reach = 40 + 2 * width
    outliers = 2 * (alpha + math.sqrt(2 * alpha * l_16 / samples) + 2 * l_16 / (3 * samples)) * reach
    inliers = math.sqrt(2 * l_16 / samples) + 4 * reach * l_16 / (3 * samples)
    bias = 2 / 40 + math.sqrt(l_1 / (4 * samples * epsilon))  # 2/M at either entry, M = 4 sqrt(n epsilon/l_1)
    cut = 2 * width * (alpha + alpha / 4 + l_1 / (4 * samples * epsilon) + math.sqrt(l_16 / (2 * samples)))
    noise = 2 * 40 * l_8 / (samples * epsilon)
    known = {"last_reached": epoch, "arms": arms, "horizon": horizon, "contamination": "1/100", "epsilon": "1/2", "moment": 2}
    found = value_at(chains._four_radii(chains._central_terms(), epoch), **known)
    assert found == pytest.approx(4 * (outliers + inliers + bias + cut + noise), rel=1e-12)


def test_four_radii_of_the_clean_chain():
    """k = 2, n = 2^s/2, M = 4 sqrt(n epsilon/l_1), r = sqrt(10). Would catch a wrong power of 2 in a piece, and a
    coefficient for a power."""
    epoch, arms, horizon, epsilon = 20, 5, 10**6, 0.5
    samples = 2 ** (epoch - 1)
    l_1, l_8, l_16 = (math.log(2 * constant * arms * epoch**2 * horizon) for constant in (1, 8, 16))
    size, width = 4 * math.sqrt(samples * epsilon / l_1), math.sqrt(10)
    reach = size + 2 * width
    inliers = math.sqrt(2 * l_16 / samples) + 4 * reach * l_16 / (3 * samples)
    bias = 2 / size
    cut = 2 * width * (l_1 / (4 * samples * epsilon) + math.sqrt(l_16 / (2 * samples)))
    noise = 2 * size * l_8 / (samples * epsilon)
    known = {"last_reached": epoch, "arms": arms, "horizon": horizon, "epsilon": "1/2", "moment": 2}
    found = value_at(chains._four_radii(chains._clean_central_terms(), epoch), **known)
    assert found == pytest.approx(4 * (inliers + bias + cut + noise), rel=1e-12)


def test_samples_where_the_bins_ask_for_most():
    """eta near 1, k = 100, so that the other two entries are near 1/epsilon: 200 log(16 D/failure)/epsilon. Would catch an entry of the
    three without its constant."""
    known = {"accuracy": "99/100", "epsilon": "1/2", "moment": 100, "range": 1000, "failure": "1/2"}
    found = central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT.at(**known).bound
    assert found == pytest.approx(400 * math.log(32_000), rel=1e-12)


# --- the lines of the proofs ------------------------------------------------------------------------------------------------------


def test_the_logarithm_of_step_two():
    """log(16/failure) at failure 1/20 is log 320, in Bernstein's inequality and in T_1. Would catch another constant on both sides."""
    known = {"failure": "1/20", "variance": "1/5", "fold_samples": 1000}
    left, right, _ = line_at(central.CENTRAL_RADIUS_ASSEMBLED, "count_of_outliers", **known)
    assert right == pytest.approx(math.log(320)) and left >= right
    known = {"contamination": "1/20", "true_contamination": "1/50", "failure": "1/20", "fold_samples": 1000}
    left, right, inside = line_at(central.CENTRAL_RADIUS_ASSEMBLED, "variance_dropped", **known)
    assert (left, right, inside) == (
        pytest.approx(0.02 + math.sqrt(0.095 * math.log(320) / 1000)),
        pytest.approx(0.05 + math.sqrt(0.1 * math.log(320) / 1000)),
        True,
    )


QUICK = [
    step
    for step in (*central_proofs.HISTOGRAM, *central_proofs.INITIAL, *central_cases.CASE_ONE, *central_cases.CASE_TWO)
    if len(step.draw_order) <= 2
]
FALSE = {step for theorem in vars(central_radii).values() if isinstance(theorem, Theorem) for step in theorem.false_steps()}


@pytest.mark.parametrize("step", QUICK, ids=[step.id for step in QUICK])
def test_lines_are_decided_on_their_whole_domain(step):
    """Would catch a line whose domain grew beyond what is true, or a false one that lost its finding. The others run in `verify`."""
    assert isinstance(certify.decide(step, boxes=2_000), certify.Refuted if step.id in FALSE else certify.Proved)


def test_c_1_is_where_the_histogram_begins_to_separate():
    """The printed condition itself at D = 10, failure = 1/20, epsilon = 1: one part in a thousand decides it."""

    def value(constant):
        logarithm = mpmath.log(16 * 10 / mpmath.mpf("0.05"))
        samples = constant * logarithm
        error = max(mpmath.sqrt(2 * logarithm / samples), 4 * logarithm / samples)
        return 6 * error + 4 * mpmath.mpf("0.249")

    least = central.SMALLEST_BIN_CONSTANT.at().bound
    with mpmath.workdps(50):
        assert value(least * 1.001) < 1 < value(least * 0.999)


def test_twenty_is_not_enough_for_the_noise():
    """The ground for a note, no refutation ("requires" is true): n = 1154 meets both conditions for C_1 < 0.1, and C_1 is twice that."""
    with mpmath.workdps(50):
        logarithm = mpmath.log(320)  # D = 10, failure = 1/2
        assert 1154 >= 200 * logarithm > 1153
        assert 1154 / mpmath.mpf(10) >= 20 * logarithm  # n epsilon >= 20 log(16 D/failure), epsilon = 1/10
        error = max(mpmath.sqrt(2 * logarithm / 1154), 4 * logarithm / (1154 / mpmath.mpf(10)))
        assert error > mpmath.mpf("0.199")
        assert 6 * error + 4 * mpmath.mpf("0.1") > mpmath.mpf("1.5")


def test_the_printed_breakdown_point():
    with mpmath.workdps(50):
        root = 1 - mpmath.sqrt(mpmath.mpf("0.751"))
        assert mpmath.mpf("0.133") < root < mpmath.mpf("0.1334")
        iota = (1 - mpmath.mpf("0.01")) / (mpmath.mpf("0.249") - mpmath.mpf("0.01"))
        assert 1 / mpmath.mpf("0.01") > iota  # the printed condition at alpha = 1/100
        assert 4 * mpmath.mpf("0.4") ** mpmath.mpf("-0.5") < 4 * mpmath.sqrt(iota)  # M < 4 r at alpha_1 = 2/5, k = 2


# --- a mean at an end of the range ------------------------------------------------------------------------------------------------


def winning_starts(rewards, bound, width, epsilon, rng, extra=0):
    """Left ends of the bins that win the private histogram of Algorithm 3, one for each row, as in its lines 3 to 5. Draws."""
    count = round(2 * bound / width) + 2 * extra
    low = -bound - extra * width
    places = np.floor((rewards - low) / width).astype(int)
    runs, samples = rewards.shape
    frequencies = np.stack([(places == place).mean(axis=1) for place in range(count)], axis=1)
    noisy = frequencies + rng.laplace(0.0, 2.0 / (samples * epsilon), (runs, count))
    return low + width * noisy.argmax(axis=1)


def at_the_end(runs, samples, closed, rng):
    """Rewards with mean 20: always 20, or 20.1 with probability 0.99, else 10.1, with variance 0.99. Draws."""
    if closed:
        return np.full((runs, samples), 20.0)
    return np.where(rng.random((runs, samples)) < 0.99, 20.1, 10.1)


@pytest.mark.parametrize("closed", [True, False])
def test_the_printed_histogram_loses_a_mean_at_the_end(closed, rng):
    """By draws from the algorithm's lines: far more often than failure = 1/20. One bin more on each side fixes it, or a mean inside."""
    point = {**central_radii.INITIAL_DISTANCE.counterexample(), "fold_samples": 2000}
    assert central_radii.INITIAL_DISTANCE.as_printed().at(**point).bound == 8.0  # every hypothesis holds with 2000 rewards too
    rewards = at_the_end(300, 2000, closed, rng)
    printed = np.abs(winning_starts(rewards, 20.0, 4.0, 1.0, rng) - 20.0) > 8.0
    padded = np.abs(winning_starts(rewards, 20.0, 4.0, 1.0, rng, extra=1) - 20.0) > 8.0
    inside = np.abs(winning_starts(rewards - 4.0, 20.0, 4.0, 1.0, rng) - 16.0) > 8.0
    assert printed.mean() > (0.65 if closed else 0.9)  # 4/5 by symmetry; all that is seen lies at 10.1, in a bin 12 below the mean
    assert not padded.any()
    assert not inside.any()


def test_no_constant_saves_the_corollary_at_an_end():
    """Rewards that are always D, D large beside M: the estimate misses by more than the explicit radius, 5000 times over, by arithmetic."""
    with mpmath.workdps(50):
        width, bins = mpmath.sqrt(10), 2 * 10**6
        bound = width * bins / 2
        failure = mpmath.mpf("0.1")
        samples = mpmath.ceil(200 * mpmath.log(16 * bound / failure))
        cut = 4 * mpmath.sqrt(samples / -mpmath.log(failure))
        kept = mpmath.floor(cut / width)  # bins near enough for the second fold to keep anything
        noise = 2 * cut / samples
        radius = (1 + width) * mpmath.sqrt(2 * mpmath.log(16 / failure) / samples) + 73 * mpmath.sqrt(-mpmath.log(failure) / samples)
        missed = (1 - kept / bins) * (1 - mpmath.exp(-(cut - radius) / noise))  # J uniform, nothing kept, noise short of the distance
        assert cut > 80 * radius
        assert missed > mpmath.mpf("0.9999")
        given_ = {"fold_samples": int(samples), "epsilon": 1, "moment": 2, "failure": "0.1", "range": Fraction(float(bound))}
        assert central_radii.CENTRAL_RADIUS_CLEAN_TUNED.at(**given_).bound == pytest.approx(float(radius), rel=1e-9)


def test_the_regret_bound_fails_with_a_best_mean_at_an_end():
    """Two arms that always pay D and D - 10, T about D^2: the first test sees the worse one exactly, the better one at a random bin."""
    ratios = []
    for bins in (10**5, 10**7):
        width = 10**0.5
        bound = width * bins / 2  # so that the printed bins end at D
        horizon = math.floor(bound**2)
        failure = 1 / (horizon * 4 * 16**2)  # of one estimate in an epoch before the 17th, both arms active
        fold = 2 ** math.ceil(math.log2(200 * math.log(16 * bound / failure)))
        assert fold <= 2**15
        cut = 4 * math.sqrt(fold / math.log(1 / failure))
        radius = (1 + width) * math.sqrt(2 * math.log(16 / failure) / fold) + 73 * math.sqrt(math.log(1 / failure) / fold)
        below = 10 + 2 * radius + cut + 30 * cut / fold + width  # J so far below D: nothing is kept, the noise within 15 scales
        regret = (1 - below / (2 * bound)) * (horizon - 8 * fold) * 10
        known = {"horizon": horizon, "arms": 2, "epsilon": 1, "range": Fraction(bound), "moment": 2}
        ratios.append(regret / central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT.at(**known).bound)
    assert ratios[1] > 10
    assert ratios[1] > 30 * ratios[0]  # no constant does


@given(st.fractions(2, 50, max_denominator=100), st.fractions(1, 25, max_denominator=100), st.fractions(-1, 1, max_denominator=1000))
def test_padded_bins_hold_every_neighbourhood(bound, width, place):
    """Would catch a grid that is one bin short: the three bins around any mean of the range hold all that lies less than r from it."""
    assume(bound >= 2 * width)
    mean = place * bound
    count = math.ceil(2 * bound / width) + 2
    starts = [-bound - width + index * width for index in range(count)]
    own = max(index for index in range(count) if starts[index] <= mean)
    low = starts[max(own - 1, 0)]
    high = starts[min(own + 1, count - 1)] + width
    assert low <= mean - width
    assert high >= mean + width
    assert count <= 2 * bound / width + 3


# --- chains that must close -------------------------------------------------------------------------------------------------------

EPSILONS = st.fractions(Fraction(1, 100), 1, max_denominator=1000)
MOMENTS = st.fractions(2, 12, max_denominator=100)
FAILURES = st.fractions(Fraction(1, 10**6), Fraction(1, 2), max_denominator=10**6)
FRACTIONS = st.fractions(Fraction(1, 1000), Fraction(132, 1000), max_denominator=1000)
RANGES = st.fractions(8, 1000, max_denominator=10)


@given(st.integers(1, 10**9), EPSILONS, MOMENTS, FAILURES, RANGES)
def test_the_clean_radius_follows_from_its_pieces(beyond, epsilon, moment, failure, bound):
    """Would catch a constant of the derivation that is too small."""
    point = {"epsilon": epsilon, "moment": moment, "failure": failure}
    least = math.ceil(central.CENTRAL_SAMPLES_CLEAN.at(epsilon=epsilon, range=bound, failure=failure).high)
    point["fold_samples"] = least + beyond
    claimed = central_radii.CENTRAL_RADIUS_CLEAN_TUNED.at(**point, range=bound)
    cut = central.CENTRAL_TRUNCATION_CLEAN.at(**point).bound
    width = central.CENTRAL_BIN_WIDTH_CLEAN.at(moment=moment).bound
    assert cut >= 4 * width
    assert central.CENTRAL_RADIUS_CLEAN_ASSEMBLED.at(**point, truncation=cut, bin_width=width).low <= claimed.high * (1 + 1e-12)
    assert central.BIN_ERROR.at(fold_samples=point["fold_samples"], epsilon=epsilon, range=bound, failure=failure).high < 0.1


@given(st.integers(1, 10**12), EPSILONS, MOMENTS, FAILURES, RANGES, FRACTIONS)
def test_the_radius_follows_from_its_pieces(beyond, epsilon, moment, failure, bound, proportion):
    known = {"epsilon": epsilon, "contamination": proportion, "failure": failure}
    least = math.ceil(central.CENTRAL_SAMPLES.at(**known, range=bound, bin_constant=4_500_000).high)
    point = {**known, "moment": moment, "fold_samples": least + beyond}
    claimed = central_radii.CENTRAL_RADIUS_TUNED.at(**point, range=bound)
    cut = central.CENTRAL_TRUNCATION.at(**point).bound
    width = central.CENTRAL_BIN_WIDTH.at(contamination=proportion, moment=moment).bound
    assert cut >= 4 * width
    assert central.CENTRAL_RADIUS_ASSEMBLED.at(**point, truncation=cut, bin_width=width).low <= claimed.high * (1 + 1e-12)


def test_the_tuned_radii_say_nothing_before_their_threshold():
    """Would catch a hypothesis of the corollaries that is not looked at."""
    point = {"fold_samples": 10**5, "epsilon": 1, "moment": 2, "range": 10, "failure": "0.05"}
    for change in ({"fold_samples": 1614}, {"epsilon": "1.01"}, {"range": 6}, {"failure": "0.51"}):
        with pytest.raises(HypothesisFails):
            central_radii.CENTRAL_RADIUS_CLEAN_TUNED.at(**(point | change))
    point |= {"fold_samples": 10**9, "contamination": "0.05"}
    for change in ({"fold_samples": 36_319_077}, {"contamination": "0.133"}, {"contamination": "1/100000"}, {"range": 4}):
        with pytest.raises(HypothesisFails):
            central_radii.CENTRAL_RADIUS_TUNED.at(**(point | change))


@given(st.integers(1, 20), st.integers(8, 60), FAILURES, EPSILONS, MOMENTS, st.floats(1e-6, 10.0))
def test_larger_batches_end_an_arm(active, epoch, failure, epsilon, moment, gap):
    """Would catch an inversion that is too small: above the batch, the gap is above four radii of a fold of half of it."""
    given_ = {"active": active, "epoch": epoch, "failure": failure, "epsilon": epsilon, "moment": moment}
    each = failure / (2 * active * epoch**2)
    if 2**epoch > central_regret.CENTRAL_BATCH_CLEAN.at(**given_, unbounded_gap=gap).high:
        point = {"fold_samples": 2 ** (epoch - 1), "epsilon": epsilon, "moment": moment, "range": 8, "failure": each}
        try:
            radius = central_radii.CENTRAL_RADIUS_CLEAN_TUNED.at(**point)
        except HypothesisFails:
            return
        assert 4 * radius.low <= gap


def test_the_pulls_of_the_finding_can_happen():
    """K = 2, D = 10, epsilon = 1, T = 10^6: epochs 1 to 13 are forced, and there is room for an arm that goes in epoch 15."""
    known = {"active": 2, "epsilon": 1, "range": 10, "failure": Fraction(1, 10**6)}
    assert all(2 ** (epoch - 1) < central.CENTRAL_THRESHOLD_CLEAN.at(**known, epoch=epoch).low for epoch in range(1, 14))
    assert all(2 ** (epoch - 1) > central.CENTRAL_THRESHOLD_CLEAN.at(**known, epoch=epoch).high for epoch in (14, 15))
    assert sum(2**epoch for epoch in range(1, 14)) + 2 * (2**14 + 2**15) < 10**6


@given(st.integers(2, 50_000), st.integers(2, 10), st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1)]), RANGES)
def test_forced_epochs_cost_no_more_than_stated(horizon, arms, epsilon, bound):
    """Plays the schedule: would catch a horizon that ends in a forced epoch and exceeds the logarithm of the completed ones."""
    assume(horizon >= arms)

    def threshold(epoch):
        return 200 * math.log(32 * bound * arms * epoch**2 * horizon) / epsilon

    left, epoch = horizon, 1
    while left > 0 and 2**epoch / 2 < threshold(epoch):
        left -= min(left, 2**epoch)
        epoch += 1
    forced = horizon - left
    stated = 800 * math.log(32 * bound * arms * horizon * math.log2(horizon) ** 2) / float(epsilon)
    assert forced < stated
    assert left == 0 or 2**epoch < stated  # the first batch that is tested


# --- the lower bound --------------------------------------------------------------------------------------------------------------


@given(st.integers(2, 7), st.fractions(Fraction(1, 100), 1, max_denominator=100), st.sampled_from([3, 5, 7]))
def test_distributions_of_the_lower_bound_have_small_central_moments(order, rarity, tenths):
    probability = Fraction(tenths, 10) * rarity**order
    mean = probability / rarity
    central_moment = probability * (1 / rarity - mean) ** order + (1 - probability) * mean**order
    assert central_moment <= Fraction(tenths, 10) * (1 - probability)


def test_the_raw_class_is_not_within_the_central_one():
    """The ground for a note in the module: 2 with probability 1/9, else -1, has fourth moment 24/9 and more about its mean."""
    distribution = {Fraction(2): Fraction(1, 9), Fraction(-1): Fraction(8, 9)}
    mean = sum(value * weight for value, weight in distribution.items())
    raw, about_the_mean = (sum((value - shift) ** 4 * weight for value, weight in distribution.items()) for shift in (0, mean))
    assert raw == Fraction(24, 9)
    assert about_the_mean > 2 * raw


@given(st.integers(1, 10**6), st.integers(2, 100), st.fractions(Fraction(1, 50), 50, max_denominator=1000), MOMENTS, FRACTIONS)
def test_the_largest_part_is_the_largest(horizon, arms, epsilon, moment, proportion):
    assume(horizon >= arms - 1)
    given_ = {"horizon": horizon, "arms": arms, "moment": moment}
    parts = (
        lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT.at(**given_).bound,
        lower_bound.LOWER_BOUND_PRIVATE.at(**given_, epsilon=epsilon).bound,
        lower_bound.LOWER_BOUND_CONTAMINATED.at(horizon=horizon, moment=moment, true_contamination=proportion).bound,
    )
    found = lower_bound_whole.LOWER_BOUND_EXPLICIT.at(**given_, epsilon=epsilon, true_contamination=proportion).bound
    assert found == pytest.approx(max(parts), rel=1e-12)


# --- rates and the remark ---------------------------------------------------------------------------------------------------------


def test_explicit_regret_grows_as_printed():
    """Would catch an assembled bound of another order than the theorem's."""
    clean, explicit = (at_moment(item, 2) for item in (central.REGRET_CENTRAL_CLEAN, central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT))
    assert str(clean.growth_in(HORIZON)) == str(explicit.growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^(1/2)"
    outliers, whole = (at_moment(item, 2) for item in (central.REGRET_CENTRAL, central_regret.REGRET_CENTRAL_EXPLICIT))
    assert str(outliers.growth_in(HORIZON)) == str(whole.growth_in(HORIZON)) == "horizon^1"
    assert str(outliers.growth_in(CONTAMINATION)) == str(whole.growth_in(CONTAMINATION)) == "(1/contamination)^2"


def test_the_range_is_additive_here_and_a_factor_there():
    """Remark 6.13 at T = 10^15, where the histogram costs little: D from 100 to 200 hardly changes one bound, and doubles the other."""
    known = {"horizon": 10**15, "arms": 2, "epsilon": 1, "moment": 2}
    here = [central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT.at(**known, range=bound).bound for bound in (100, 200)]
    there = [central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT.at(**known, range=bound).bound for bound in (100, 200)]
    assert here[1] / here[0] < 1.0001
    assert there[1] / there[0] == pytest.approx(201 / 101)
    assert here[1] < there[0]
    assert str(at_moment(central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT, 2).growth_in(RANGE)) == "range^1"
    scaled = elimination.REGRET_CLEAN_EXPLICIT.at(**known).bound
    assert there[0] == pytest.approx(101 * scaled, rel=1e-12)
