"""Shariff and Sheffet 2018: numbers worked out by hand from the original text, and published forms at their counterexamples, a second time.

The places quoted are those of the NeurIPS 2018 text with its supplement. That every other step holds, and that `at` and `function` agree,
is tested for all papers at once in test_every_theorem.py.
"""

import itertools
import math
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.glossary import HORIZON
from banditproof.theory.language import HypothesisFails, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import (
    confidence,
    facts,
    gaussian,
    introduction,
    lower_bound,
    privacy,
    regret,
    setting,
    wishart,
)
from tests.support.proof_lines import line_at, order_at, value_at

MODULES = (setting, facts, confidence, regret, privacy, wishart, gaussian, lower_bound)
THEOREMS = [
    value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Theorem) and value.id == f"shariff_sheffet_2018.{name.lower()}"
]
LEARNER = {
    "horizon": 1000,
    "dimension": 2,
    "mean_bound": 1,
    "context_norm": 1,
    "parameter_norm": 1,
    "reward_sigma": "0.5",
    "rho_min": 2,
    "rho_max": 6,
    "perturbation": "0.25",
    "failure": "0.1",
}
NOISE = {"horizon": 1000, "dimension": 4, "wishart_degrees": 10000, "row_norm": 2, "failure": "0.1"}
GAUSS = {"horizon": 1000, "dimension": 4, "epsilon": 1, "delta": "0.1", "row_norm": 2, "failure": "0.1"}

# m = 1 + ceil(log2 1000) = 11; log 20 = 2.995732273553991, log 40 = 3.688879454113936, log 20000 = 9.903487552536127,
# log 80000 = 11.289781913656018; a_2 = 2 + sqrt(2 log 20000) = 6.45050279239012, a_8 = 2 + sqrt(2 log 80000) = 6.751795852865739;
# s = sqrt(110000) = 331.66247903554
GOLDEN = [
    # Claim 17: 3 + sqrt(2 log 10)
    (facts.CHI_LENGTH, {"degrees": 9, "failure": "0.1"}, 3 + 2.1459660262893475),
    # Claim 18: sqrt(100) +- (2 + sqrt(2 log 20)); sqrt(5.991464547107982) = 2.4477468306808166
    (facts.SINGULAR_LARGEST, {"matrix_rows": 100, "dimension": 4, "failure": "0.1"}, 14.447746830680817),
    (facts.SINGULAR_LEAST, {"matrix_rows": 100, "dimension": 4, "failure": "0.1"}, 5.552253169319183),
    # Claim 19: those squared, times 9/4
    (facts.EIGENVALUE_LARGEST, {"wishart_degrees": 100, "dimension": 4, "variance": "2.25", "failure": "0.1"}, 469.6591240877571),
    (facts.EIGENVALUE_LEAST, {"wishart_degrees": 100, "dimension": 4, "variance": "2.25", "failure": "0.1"}, 69.36190932648356),
    # Claim 20: sqrt(1/(1 - 3/4))
    (facts.SHIFTED_NORM, {"rho_min": 1, "shift": "0.75"}, 2.0),
    # Proposition 4, log det V = 3, d = 2, rho_min = 2: sqrt(2 log 20 + 3 - 2 log 2) = sqrt(7.605170185988092) = 2.7577473027795874
    (
        confidence.RADIUS,
        {
            "reward_sigma": "0.5",
            "failure": "0.1",
            "log_determinant": 3,
            "dimension": 2,
            "rho_min": 2,
            "rho_max": 4,
            "parameter_norm": 3,
            "perturbation": "0.25",
        },
        0.5 * 2.7577473027795874 + 3 * 2 + 0.25,
    ),
    # its second form: t L^2/(d rho_min) = 100/4; sqrt(2 log 20 + 2 log(2 + 25)) = sqrt(5.991464547107982 + 6.591673732008658)
    (
        confidence.RADIUS_UPPER,
        {
            "reward_sigma": "0.5",
            "failure": "0.1",
            "round": 100,
            "dimension": 2,
            "context_norm": 1,
            "rho_min": 2,
            "rho_max": 4,
            "parameter_norm": 3,
            "perturbation": "0.25",
        },
        0.5 * 3.5472719488526163 + 6.25,
    ),
    # Lemma 21: 2 sqrt(4 * 100 * 4)
    (regret.GENERIC_REGRET, {"horizon": 100, "confidence_radius": 2, "potential": 4}, 80.0),
    # Lemma 22: 2 * 3 log((6 + 94)/(3 * 1)), det 1
    (
        regret.POTENTIAL_TRACE,
        {"horizon": 94, "dimension": 3, "context_norm": 1, "start_trace": 6, "start_determinant": 1},
        6 * math.log(100 / 3),
    ),
    # (2): n L^2/(d rho_min) = 250; A = 5.991464547107982 + 2 log 253 = 17.058222703757846, E = sqrt(2 log 251) = 3.324321366...,
    (
        regret.REGRET,
        LEARNER,
        math.sqrt(8000) * (0.5 * (2 * math.log(20) + 2 * math.log(253)) + (math.sqrt(6) + 0.25) * math.sqrt(2 * math.log(251))),
    ),
    (
        regret.REGRET_GAP,
        LEARNER | {"minimum_gap": "0.1"},
        80 * (0.5 * (2 * math.log(20) + 2 * math.log(253)) + (math.sqrt(6) + 0.25) * math.sqrt(2 * math.log(251))) ** 2,
    ),
    # "at most m = ceil(log(n) + 1) nodes"
    (privacy.NODES_SUMMED, {"horizon": 1000}, 11.0),
    (privacy.NODES_SUMMED, {"horizon": 1024}, 11.0),
    (privacy.NODES_SUMMED, {"horizon": 1025}, 12.0),
    (privacy.NODES_RELEASED, {"horizon": 1025}, 11.0),
    # "variance 2 GS^2 ln(2/delta)/eps^2": sqrt(2 log 20) * 3
    (privacy.GAUSSIAN_NOISE, {"epsilon": 1, "delta": "0.1", "sensitivity": 3}, 3 * 2.4477468306808166),
    # "sigma_noise^2 = 16 m L^4 ln(4/delta)^2/eps^2": 4 sqrt(11) * 4 * log 40
    (privacy.GAUSSIAN_CALIBRATION, {"horizon": 1000, "epsilon": 1, "delta": "0.1", "row_norm": 2}, 195.75406473835162),
    # eps/(4 log 40)
    (privacy.PRINTED_LEVEL, {"epsilon": 1, "delta": "0.1"}, 1 / 14.755517816455745),
    # "k0 >= d + 1 + 28 eps^-2 ln(4/delta)": 5 + 112 log 40
    (privacy.WISHART_PRIVACY, {"dimension": 4, "epsilon": "0.5", "delta": "0.1"}, 5 + 413.1544988607608),
    # "k = d + 1 + ceil(224 m eps^-2 ln(8m/delta) ln(2/delta))": 2464 * log 880 * log 20 = 2464 * 6.779921907472252 * 2.995732273553991
    (privacy.WISHART_CALIBRATION, {"horizon": 1000, "dimension": 5, "epsilon": 1, "delta": "0.1"}, 6 + 50045.887264641846),
    # e^-1/2/2, nu = 2
    (privacy.WISHART_FLOOR, {"wishart_degrees": 7, "dimension": 5}, 0.3032653298563167),
    # (4): 4 (331.66248 - 6.75180)^2 - 16 * 331.66248 * 6.75180
    (wishart.SHIFT_OF_WISHART, NOISE, 386438.7305768753),
    (wishart.SHIFTED_RHO_MIN, NOISE, 16 * 331.66247903554 * 6.751795852865739),
    (wishart.SHIFTED_RHO_MAX, NOISE, 32 * 331.66247903554 * 6.751795852865739),
    (wishart.WISHART_PERTURBATION, NOISE, 2 * 6.45050279239012),
    (wishart.SHIFTED_PERTURBATION, NOISE, 2 * math.sqrt(331.66247903554 * 6.45050279239012)),
    # Upsilon = sqrt(32) * 11 * 4 * log 40 (8 + 2 log 20000)
    (gaussian.UPSILON_OF_NOISE, GAUSS, math.sqrt(32) * 44 * 3.688879454113936 * (8 + 2 * 9.903487552536127)),
    # the first form: sigma sqrt(m/Upsilon) a_2
    (gaussian.GAUSSIAN_PERTURBATION, GAUSS, 195.75406473835162 * math.sqrt(11 / 25531.473336218947) * 6.45050279239012),
    # "n/4", and 2 * 0.9/(e^(1/2) + 1) a round
    (lower_bound.CONTEXT_REGRET, {"horizon": 100, "epsilon": "0.5", "delta": "0.1"}, 25.0),
    (lower_bound.CONTEXT_REGRET_EXACT, {"horizon": 100, "epsilon": "0.5", "delta": "0.1"}, 67.95732038366617),
    # (1 + (e - 1)/2)^2
    (lower_bound.COUPLING, {"epsilon": 1, "total_variation": "0.5", "samples": 2}, 3.456404938962185),
    # log(1e9)/(100 * 1/10)
    (lower_bound.PULLS, {"horizon": 10**9, "epsilon": 1, "minimum_gap": "0.1", "failure": "0.5"}, 2.0723265836946413),
    # "(k - 1) log(n)/(200 eps)"
    (lower_bound.REGRET_PRIVATE_EXPLICIT, {"horizon": 10**9, "arms": 11, "epsilon": 1, "minimum_gap": "0.1"}, 1.0361632918473207),
]


@pytest.mark.parametrize(("theorem", "values", "by_hand"), GOLDEN, ids=[f"{row[0].id}-{place}" for place, row in enumerate(GOLDEN)])
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-12)


def test_corollary_ten_as_printed():
    """log(1/delta) = 16, d = 16: d^(1/4) = log(1/delta)^(1/4) = 2, so that the middle bracket is 2 + 2/sqrt(1/4) = 6. Would catch a
    constant inside a logarithm, a lost root of epsilon, and n for n/failure."""
    known = {"horizon": 1000, "dimension": 16, "epsilon": "1/4", "delta": repr(math.exp(-16)), "row_norm": 3, "failure": "1/10"}
    known |= {"mean_bound": 5, "parameter_norm": 7, "reward_sigma": 2}
    last = 2 + math.log(10**4) ** 0.25
    price = 2 * (math.log(10) + 16 * math.log(1000)) + 7 * 3 * 4 * math.log(1000) ** 0.75 * 6 * last
    assert order_at(wishart.REGRET_WISHART, **known) == pytest.approx(5 * math.sqrt(1000) * price, rel=1e-9)
    assert order_at(wishart.REGRET_WISHART_GAP, **known, minimum_gap="1/2") == pytest.approx(10 * price**2, rel=1e-9)


def test_what_plugging_in_gives_for_corollary_ten():
    """d = 16, log(1/delta) = 16: 2 + (log(n) log(log(n)/delta) 16)^(1/4)/sqrt(1/4), 1 + 1/S before it. Would catch a constant
    in a logarithm."""
    known = {"horizon": 1000, "dimension": 16, "epsilon": "1/4", "delta": repr(math.exp(-16)), "row_norm": 3, "failure": "1/10"}
    known |= {"mean_bound": 5, "parameter_norm": 7, "reward_sigma": 2}
    steps = math.log(1000)
    private = 7 * 3 * 4 * steps**0.75 * (2 + math.log(10**4) ** 0.25)
    price = 2 * (math.log(10) + 16 * steps) + 8 / 7 * private * (2 + 2 * (steps * (math.log(steps) + 16) * 16) ** 0.25)
    assert order_at(wishart.REGRET_WISHART_PLUGGED, **known) == pytest.approx(5 * math.sqrt(1000) * price, rel=1e-9)
    assert order_at(wishart.REGRET_WISHART_GAP_PLUGGED, **known, minimum_gap="1/2") == pytest.approx(10 * price**2, rel=1e-9)


def test_nodes_grow_as_the_binary_logarithm():
    """m = 1 + ceil(log2 n), and its order."""
    assert value_at(setting.nodes_of().growth, horizon=2**40) == pytest.approx(40, rel=1e-12)


def test_orders_as_published():
    """Sections 1.2 and B.1, without logarithms: sqrt(n) d^(3/4)/sqrt(epsilon), sqrt(n), log(n)/Delta."""
    known = {"horizon": 100, "dimension": 16, "epsilon": 4, "minimum_gap": "1/2"}
    expected = {introduction.MAIN_TERMS: 40, introduction.ORDERS: 10, introduction.ORDERS_GAP: 2 * math.log(100)}
    for theorem, by_hand in expected.items():
        assert value_at(introduction.AS_PUBLISHED[theorem.id], **known) == pytest.approx(by_hand, rel=1e-12)


def test_the_choices_of_claim_13():
    """(1 - q) + e^-epsilon (q - delta) at epsilon = 1/2, q = 2/5, delta = 1/10; the printed equality has 1 - q where it needs q."""
    known, factor = {"epsilon": "1/2", "delta": "1/10", "choice": "2/5"}, math.exp(-0.5)
    assert line_at(lower_bound.CONTEXT_REGRET, "choices_as_printed", **known) == pytest.approx(
        (0.6 + 0.3 * factor, 0.9 + 0.6 * (factor - 1), True)
    )
    assert line_at(lower_bound.CONTEXT_REGRET, "choices", **known) == pytest.approx((0.6 + 0.3 * factor, 0.9 + 0.4 * (factor - 1), True))


def test_every_numbered_statement_of_the_paper_stands_here():
    """Would catch a theorem, claim, lemma, remark or definition that nobody wrote down."""
    cited = " ".join(theorem.source.locator for theorem in THEOREMS)
    numbered = {
        "Definition": (1, 2, 3),
        "Proposition": (4, 9, 11),
        "Theorem": (5, 6, 8, 23),
        "Claim": (7, 13, 14, 16, 17, 18, 19, 20),
        "Corollary": (10, 12, 15),
        "Lemma": (21, 22),
        "Remark": (1, 2),
    }
    assert not [f"{kind} {n}" for kind, numbers in numbered.items() for n in numbers if not re.search(rf"{kind} {n}\b", cited)]


# --- published forms that fail, at their counterexamples -----------------------------------------------------------------------------


def at_counterexample(theorem):
    exact = {name: Fraction(number) for name, number in theorem.counterexample().items()}
    return {name: mpmath.mpf(number.numerator) / number.denominator for name, number in exact.items()}


@pytest.mark.parametrize("theorem", [regret.REGRET, regret.REGRET_GAP])
def test_the_learner_loses_more_in_round_one_than_printed(theorem):
    """Plays Algorithm 1 at the counterexample: no past, estimate 0, so the largest beta |x|/sqrt(rho) wins whatever beta is."""
    point = at_counterexample(theorem)
    length, gap = point["mean_bound"], point.get("minimum_gap", mpmath.mpf(0))
    actions = [length, -length * mpmath.mpf(999) / 1000 if not gap else -(gap - length)]
    parameter = -1
    assert all(abs(parameter * action) <= point["mean_bound"] for action in actions)
    played = max(actions, key=lambda action: abs(action) / mpmath.sqrt(point["rho_min"]))
    lost = max(parameter * action for action in actions) - parameter * played
    assert lost >= gap
    values = theorem.counterexample()
    assert theorem.as_printed().at(**values).high < lost <= theorem.at(**values).low


def profile(level, epsilon):
    """The least delta of a Gaussian level, by mpmath."""
    upper = mpmath.erfc((epsilon / level - level / 2) / mpmath.sqrt(2)) / 2
    return upper - mpmath.exp(epsilon) * mpmath.erfc((epsilon / level + level / 2) / mpmath.sqrt(2)) / 2


@pytest.mark.parametrize(("delta", "kept", "broken"), [("0.1", "7", "7.1"), ("1e-6", "9.7", "9.8"), ("0.999999", "2.7725", "9")])
def test_the_range_of_the_variance_of_a_1(delta, kept, broken):
    """Would catch a range said to be too wide: the exact profile at A.1's level, and where it begins to fail (the module's docstring)."""
    with mpmath.workdps(60):
        target = mpmath.mpf(delta)
        of = [mpmath.mpf(epsilon) / mpmath.sqrt(2 * mpmath.log(2 / target)) for epsilon in (kept, broken)]
        assert profile(of[0], mpmath.mpf(kept)) <= target
        if target < mpmath.mpf("0.5"):
            assert profile(of[1], mpmath.mpf(broken)) > target


@pytest.mark.parametrize("delta", ["0.9", "0.1", "1e-6"])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "10", "of the range"])
def test_the_printed_noise_is_private_with_and_without_the_doubled_diagonal(delta, epsilon):
    """Footnote 4 and the sensitivity are not accused: m nodes at sigma_noise, sqrt(2) times the level without the doubled diagonal."""
    with mpmath.workdps(60):
        target = mpmath.mpf(delta)
        logs = mpmath.log(4 / target)
        claimed = 8 * logs**2 if epsilon == "of the range" else mpmath.mpf(epsilon)
        for factor in (1, mpmath.sqrt(2)):
            assert profile(factor * claimed / (4 * logs), claimed) <= target


def test_no_row_moves_the_norm_of_a_gram_matrix_by_more_than_printed(rng):
    """The printed sentence of section 4.2 as it stands: |M + v v^T| against |M + v' v'^T| for any Gram matrix M of other rows."""
    largest = 0.0
    for size in (0.01, 1.0, 100.0):
        for _ in range(300):
            rows = rng.standard_normal((3, 3)) * size * (rng.random((3, 1)) < 0.5)
            pair = rng.standard_normal((2, 3))
            pair /= np.linalg.norm(pair, axis=1, keepdims=True)
            norms = [np.linalg.norm(rows.T @ rows + np.outer(row, row)) for row in pair]
            largest = max(largest, abs(norms[0] - norms[1]))
    assert 0.8 < largest <= 1 + 1e-9


def test_few_wishart_degrees_show_the_row():
    """P(chi-square < 1) by the incomplete gamma function, against the delta that is claimed; and by drawn Wishart matrices."""
    for delta, degrees in (("1/100", 7), ("1/1000", 9), ("1/1000000", 14)):  # nu = k - 1
        assert degrees - 1 < privacy.WISHART_PRIVACY.as_printed().at(dimension=1, epsilon=6, delta=delta).high <= degrees
        assert (
            mpmath.gammainc(mpmath.mpf(degrees - 1) / 2, 0, 0.5, regularized=True)
            > mpmath.mpf(Fraction(delta).numerator) / Fraction(delta).denominator
        )
    for degrees in range(1, 12):
        claimed = privacy.WISHART_FLOOR.at(wishart_degrees=degrees + 3, dimension=3).high
        assert claimed <= float(mpmath.gammainc(mpmath.mpf(degrees) / 2, 0, 0.5, regularized=True))


def test_a_release_that_the_full_row_cannot_have(rng):
    """Theorem 8 at its counterexample by simulation: W - e_1 e_1^T is not positive definite, W a Gram matrix of seven rows of two."""
    draws = 40_000
    rows = rng.standard_normal((draws, 7, 2))
    least = np.linalg.eigvalsh(rows.transpose(0, 2, 1) @ rows - np.diag([1.0, 0.0]))[:, 0]
    assert abs(np.mean(least < 0) - 0.014388) < 6 * 0.0006  # six standard deviations


def test_rho_min_needs_enough_degrees():
    """Where s < a_8 the printed square is missed, which takes an alpha below 1e-180 at the printed k (horizon 2, epsilon 1)."""
    below = mpmath.gammainc(mpmath.mpf(3) / 2, 0, (mpmath.sqrt(3) - 1 - mpmath.sqrt(2 * mpmath.log(80))) ** 2 / 2, regularized=True)
    assert below > mpmath.mpf("0.82")
    few = {"horizon": 1, "dimension": 1, "wishart_degrees": 3, "row_norm": 1, "failure": "1/10"}
    assert wishart.WISHART_RHO_MIN.at(**few).bound == 0
    with pytest.raises(HypothesisFails, match="enough_degrees"):
        wishart.SHIFTED_PERTURBATION.at(**few)
    for dimension in (1, 10, 861, 10**4):
        degrees = math.ceil(privacy.WISHART_CALIBRATION.at(horizon=2, dimension=dimension, epsilon=1, delta="0.999999").low)
        known = {"horizon": 2, "dimension": dimension, "wishart_degrees": degrees, "row_norm": 1, "failure": "1e-180"}
        assert wishart.WISHART_RHO_MIN.at(**known).bound > 0


def test_the_closed_form_of_gamma_is_exceeded():
    """Round 1024 of 1024, 100 features, ten nodes of m = 11: |h|^2/(3 Upsilon) against the printed square, by the chi-square
    distribution."""
    with mpmath.workdps(50):
        logs, x = mpmath.log(4 * mpmath.mpf(10) ** 6), mpmath.log(2 * 1024 * 20)
        sigma = 4 * mpmath.sqrt(11) * logs
        upsilon = sigma * mpmath.sqrt(22) * (40 + 2 * x)
        squared = 11 * (10 + 2 * x) / mpmath.sqrt(2)
        assert (1024 - 1).bit_count() == 10
        exceeded = mpmath.gammainc(50, 3 * upsilon * squared / (10 * sigma**2) / 2, mpmath.inf, regularized=True)
        too_large = mpmath.exp(-2 * (10 + x) ** 2)  # |Z| > 4 sqrt(d) + 2 x, Davidson and Szarek
        assert exceeded - too_large > mpmath.mpf("0.37") > mpmath.mpf("0.05")
        closed = gaussian.GAUSSIAN_PERTURBATION_CLOSED
        printed = closed.as_printed().at(**closed.counterexample())
        assert printed.bound == pytest.approx(float(mpmath.sqrt(squared)), rel=1e-12)


# --- privacy ----------------------------------------------------------------------------------------------------------------------

UNIT = st.fractions(-1, 1, max_denominator=50)


@given(UNIT, UNIT, UNIT, UNIT)
def test_no_pair_of_rows_moves_a_node_by_more(one, two, three, four):
    """mu^2 at sigma = 1 from the entries: at most 1 with the doubled diagonal, at most 2 without, and the matrix at most sqrt(2)."""
    rows = [(one, two), (three, four)]
    if any(a * a + b * b > 1 for a, b in rows):
        return
    moved = [a * b - c * d for (a, b), (c, d) in (((one, one), (three, three)), ((one, two), (three, four)), ((two, two), (four, four)))]
    assert (moved[0] ** 2 + moved[2] ** 2) / 2 + moved[1] ** 2 <= 1
    assert moved[0] ** 2 + moved[2] ** 2 + moved[1] ** 2 <= 2
    assert moved[0] ** 2 + 2 * moved[1] ** 2 + moved[2] ** 2 <= 2


def test_the_same_action_with_the_other_reward_attains_the_level():
    """(x, y) against (x, -y) with |x| = |y|: the corner does not move, so not releasing it saves nothing."""
    half = Fraction(1, 2)
    moved = (half - half, half - (-half), half - half)
    assert moved[1] ** 2 == 1
    assert moved[2] == 0


@pytest.mark.parametrize(("epsilon", "delta", "ratio"), [("1", "0.1", 19.22), ("1", "1e-6", 20.36), ("0.1", "1e-6", 23.69)])
def test_how_much_noise_is_wasted(epsilon, delta, ratio):
    """The least level for (epsilon, delta) by bisection in mpmath, times 4 log(4/delta)/epsilon; one node of m = 2."""
    with mpmath.workdps(30):
        level, target = mpmath.mpf(epsilon), mpmath.mpf(delta)
        low, high = mpmath.mpf("1e-6"), mpmath.mpf(10)
        for _ in range(90):
            middle = (low + high) / 2
            low, high = (middle, high) if profile(middle, level) < target else (low, middle)
        by_hand = float(mpmath.sqrt(2) * 4 * mpmath.log(4 / target) * low / level)
    found = privacy.WASTE.at(horizon=2, epsilon=epsilon, delta=delta).bound
    assert found == pytest.approx(by_hand, rel=1e-9)
    assert found == pytest.approx(ratio, rel=1e-3)


def test_released_nodes_by_enumeration():
    """Simulates the prefixes: which nodes hold row 1, and how many any prefix adds."""
    for horizon in range(2, 200):
        with_first = {rows.bit_length() - 1 for rows in range(1, horizon)}  # the largest node of a prefix holds row 1
        assert privacy.NODES_RELEASED.at(horizon=horizon).bound == len(with_first)
        assert privacy.NODES_SUMMED.at(horizon=horizon).low > max(rows.bit_count() for rows in range(horizon))


# --- rates and chains -------------------------------------------------------------------------------------------------------------


def test_rates():
    assert str(regret.REGRET.as_printed().growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^1"
    assert str(regret.REGRET_GAP.as_printed().growth_in(HORIZON)) == "log(horizon)^2"
    assert str(gaussian.REGRET_GAUSSIAN.growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^(3/2)"
    assert str(wishart.REGRET_WISHART.growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^1"


@pytest.mark.parametrize(
    ("horizon", "dimension", "failure", "degrees"), list(itertools.product((1, 100), (1, 5), ("1/2", "1/1000"), (10**4, 10**6)))
)
def test_the_shift_closes(horizon, dimension, failure, degrees):
    """rho_min' = rho_min - c, rho_max' = rho_max - c, and the sharper gamma' is half of the printed one."""
    known = {"horizon": horizon, "dimension": dimension, "wishart_degrees": degrees, "row_norm": 2, "failure": failure}
    shift = wishart.SHIFT_OF_WISHART.at(**known).bound
    assert wishart.SHIFTED_RHO_MIN.at(**known).bound == pytest.approx(wishart.WISHART_RHO_MIN.at(**known).bound - shift, rel=1e-9)
    assert wishart.SHIFTED_RHO_MAX.at(**known).bound == pytest.approx(wishart.WISHART_RHO_MAX.at(**known).bound - shift, rel=1e-9)
    half, whole = wishart.SHIFTED_PERTURBATION_HALF.at(**known).bound, wishart.SHIFTED_PERTURBATION.at(**known).bound
    assert half == pytest.approx(whole / 2, rel=1e-12)


def test_hypotheses_stop_the_lower_bounds_outside_their_range():
    with pytest.raises(HypothesisFails, match="epsilon_below_log_two"):
        lower_bound.CONTEXT_REGRET.at(horizon=10, epsilon="0.7", delta="0.1")
    with pytest.raises(HypothesisFails, match="rare_enough"):
        lower_bound.PULLS.at(horizon=270_000_000, epsilon=1, minimum_gap="0.1", failure="0.5")
    assert lower_bound.PULLS.at(horizon=271_000_000, epsilon=1, minimum_gap="0.1", failure="0.5").bound < 2
