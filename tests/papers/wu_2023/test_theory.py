"""Wu et al. 2023: numbers worked out by hand from the original text, published forms at their counterexamples, chains that must close.

The places quoted are those of the NeurIPS 2023 text with its appendix. That every other step holds, and that `at` and `function` agree,
is tested for all papers at once in test_every_theorem.py.
"""

import itertools
import math
import re
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from banditproof.glossary import ARMS, CONTAMINATION, EPSILON, HORIZON, MOMENT, SAMPLES
from banditproof.glossary.wu_2023 import RARITY
from banditproof.theory import evaluate
from banditproof.theory.language import HypothesisFails, OutsideDomain, Sense, Theorem, symbol
from banditproof.theory.papers.wu_2023 import (
    central,
    central_radii,
    central_regret,
    central_remarks,
    chains,
    elimination,
    lower_bound,
    lower_bound_whole,
    privacy,
    raw,
    setting,
)
from banditproof.theory.papers.wu_2023.setting import at_moment

CENTRAL_MODULES = (central, central_radii, central_regret, central_remarks)
MODULES = (setting, raw, elimination, chains, lower_bound, lower_bound_whole, privacy, *CENTRAL_MODULES)
THEOREMS = [
    value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Theorem) and value.id == f"wu_2023.{name.lower()}"
]
RAW = {"samples": 1000, "epsilon": 1, "contamination": "0.05", "moment": 2, "failure": "0.05"}
CLEAN = {"samples": 1000, "epsilon": 1, "moment": 2, "failure": "0.05"}
EPOCH = {"active": 5, "epoch": 10, "epsilon": 1, "contamination": "0.05", "moment": 2, "failure": "0.001"}
CLEAN_EPOCH = {"active": 5, "epoch": 10, "epsilon": 1, "moment": 2, "failure": "0.001"}
CENTRAL = {"fold_samples": 1000, "epsilon": 1, "moment": 2, "failure": "0.05", "truncation": 16, "bin_width": 4}

# logarithms used below: log 40 = 3.688879454113936, log 80 = 4.382026634673881, log 160 = 5.075173815233827, log 320 = 5.768320995793772
GOLDEN = [
    # "When n >= log(8/delta)/alpha_1": log 160/0.05
    (raw.RAW_SAMPLES, {"contamination": "0.05", "failure": "0.05"}, 101.50347630467652),
    # "Taking M = min{(n eps/(4 log(16/delta)))^(1/k), (8 alpha_1)^(-1/k)}": min(43.3, 1/0.4)^(1/2) = sqrt(2.5)
    (raw.RAW_TRUNCATION, RAW, math.sqrt(2.5)),
    # the other entry: 200 * 0.1/(4 * 5.768320995793772) = 0.866803356409252, square root
    (raw.RAW_TRUNCATION, RAW | {"samples": 200, "epsilon": "0.1"}, 0.9310227475251354),
    # last display of case 2: sqrt(2 * 5.768320995793772/1000) = 0.10740876124221685, 4 * 5.768320995793772/1000 = 0.023073283983175086,
    # root 0.15189892686643672, (8 * 0.05)^(1/2) = 0.6324555320336759; 0.10740876 + 2 * 0.15189893 + 2 * 0.63245553
    (raw.RAW_RADIUS, RAW, 1.676117679042442),
    # "Put everything together", M = 3/2: 0.10740876124221685 + 0.011536641991587543 + 0.6 + 3 * log 40/1000 = 0.01106663836234181 + 2/3
    (raw.RAW_RADIUS_BEFORE_MERGE, RAW | {"truncation": "3/2"}, 1.396678708262813),
    # T_1 = (0.05 + sqrt(0.1 * log 160/1000) + 2 log 160/3000) * 3/2 = 0.11386739345863121, twice, in the place of 0.6
    (raw.RAW_RADIUS_ASSEMBLED, RAW | {"truncation": "3/2"}, 1.0244134951800752),
    # case 1, "Taking the truncation threshold M": 1000/(4 log 80) = 57.051227854667175, square root
    (raw.CLEAN_TRUNCATION, CLEAN, 7.553226320895408),
    # case 1, last display: sqrt(2 log 80/1000) = 0.09361652241643972 + 2/7.553226320895408
    (raw.CLEAN_RADIUS, CLEAN, 0.3584040337435076),
    # repaired at epsilon = 3: that of epsilon = 3/2; 0.09361652241643972 + 2 sqrt(4 log 80/1500), and the truncation sqrt(1500/(4 log 80))
    (raw.CLEAN_RADIUS, CLEAN | {"epsilon": 3}, 0.09361652241643972 + 2 * math.sqrt(4 * 4.382026634673881 / 1500)),
    (raw.CLEAN_TRUNCATION_REPAIRED, CLEAN | {"epsilon": 3}, math.sqrt(1500 / (4 * 4.382026634673881))),
    (raw.CLEAN_TRUNCATION_REPAIRED, CLEAN, 7.553226320895408),
    # case 1, first display after (3), M = 3/2
    (raw.CLEAN_RADIUS_BEFORE_MERGE, CLEAN | {"truncation": "3/2"}, 0.7801138807147959),
    # each term at most eta/2 = 0.05: 8 log 80/0.01 = 3505.6 and 4 log 80 (4/0.1)^2
    (raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT, {"accuracy": "0.1", "epsilon": 1, "moment": 2, "failure": "0.05"}, 28044.97046191284),
    # "with probability at least 1 - delta/(2 |S| tau^2)": 0.001/1000
    (elimination.EPOCH_FAILURE, {"active": 5, "epoch": 10, "failure": "0.001"}, 1e-6),
    # "B < log(16 |S| tau^2/delta)/alpha_1": log(8e6) = 15.89495209964411, over 0.05
    (elimination.FORCED_THRESHOLD, {"active": 5, "epoch": 10, "contamination": "0.05", "failure": "0.001"}, 317.8990419928822),
    # Theorem 6.1 at delta_tau: log(16/1e-6) = 16.588099280204055, n = 1024
    (elimination.EPOCH_RADIUS, EPOCH, 1.9540133920348852),
    # "4 sqrt(2 log(16 |S| tau^2/delta)/B) + ...": log(8e6) = 15.89495209964411
    (elimination.EPOCH_RADIUS_LITERAL, EPOCH, 1.9394624141372674),
    # 1024 * 0.1/(4 * 16.588099280204055) = 1.5433, square root; and with the printed logarithm
    (elimination.EPOCH_TRUNCATION, EPOCH | {"epsilon": "0.1"}, 1.242286225194682),
    (elimination.EPOCH_TRUNCATION_LITERAL, EPOCH | {"epsilon": "0.1"}, 1.2690840062730973),
    # log(4/1e-6) = 15.201804919084164
    (elimination.CLEAN_EPOCH_TRUNCATION, CLEAN_EPOCH, 4.103669771103157),
    (elimination.CLEAN_EPOCH_TRUNCATION_REPAIRED, CLEAN_EPOCH | {"epsilon": 6}, math.sqrt(1024 * 1.5 / (4 * 15.201804919084164))),
    (elimination.CLEAN_EPOCH_RADIUS, CLEAN_EPOCH, 0.6596794898676306),
    # "(delta/2) sum over tau > tau_0 of tau^-2", tau_0 = 3: 0.005 (pi^2/6 - 1 - 1/4 - 1/9)
    (elimination.GOOD_EVENT, {"failure": "0.01", "last_forced": 3}, 0.0014191147786855765),
    (elimination.ELIMINATION_PULLS, {"batch": 512}, 2048.0),
    # derivation in the module: log(32 K T log2(T)^2) = 26.569889764087858, with 16: 25.876742583527914; 2 + 12 * 25.8767/0.001 = 310522.9
    # + 2 sqrt(4096 * 26.5699 * 1e7) + 64 sqrt(32 * 26.5699 * 1e7) + 1.6e8 sqrt(0.008)
    (
        elimination.REGRET_RAW_EXPLICIT,
        {"horizon": 10**7, "arms": 2, "epsilon": 1, "contamination": "0.001", "moment": 2},
        22609122.067053527,
    ),
    # log(8 K T log2(T)^2) = 25.183595402967967: 10 + 2 sqrt(1024 * 25.1836e7) + 32 sqrt(32 * 25.1836e7); at epsilon = 3 that of 3/2
    (elimination.REGRET_CLEAN_EXPLICIT, {"horizon": 10**7, "arms": 2, "epsilon": 1, "moment": 2}, 3888305.1646945504),
    (
        elimination.REGRET_CLEAN_EXPLICIT,
        {"horizon": 10**7, "arms": 2, "epsilon": 3, "moment": 2},
        10 + 2 * math.sqrt(1024 * 25.183595402967967e7) + 32 * math.sqrt(32 * 25.183595402967967e7 / 1.5),
    ),
    # "T gamma^(k-1)/20 exp(-12 eps T gamma^k/(5(K-1)))" at its gamma, halved: e^-2.4/40 sqrt(10/0.5) sqrt(1e5)
    (lower_bound.LOWER_BOUND_PRIVATE, {"horizon": 10**5, "arms": 11, "epsilon": "0.5", "moment": 2}, 3.207363997315403),
    # and at gamma = 1, where T eps = 1 < 10: 10/40 exp(-0.24)
    (lower_bound.LOWER_BOUND_PRIVATE, {"horizon": 10, "arms": 11, "epsilon": "0.1", "moment": 2}, 0.19665696526663837),
    # "Omega(T alpha^(1-1/k))", T Delta/4 with Delta = alpha^(1-1/k)/5, halved: 1e5/40 * 0.2
    (lower_bound.LOWER_BOUND_CONTAMINATED, {"horizon": 10**5, "true_contamination": "0.04", "moment": 2}, 500.0),
    (lower_bound.LOWER_BOUND_CONTAMINATED, {"horizon": 10**5, "true_contamination": 0, "moment": 2}, 0.0),
    # (E|Z|^4)^(1/4) = 3^(1/4): the deviation is 3^(-1/4)
    (lower_bound.GAUSSIAN_DEVIATION, {"moment": 4}, 0.7598356856515925),
    # Lemma C.1: 6 * 0.5 * 100 * 0.1
    (privacy.PRIVATE_DIVERGENCE, {"epsilon": "0.5", "expected_pulls": 100, "total_variation": "0.1"}, 30.0),
    # "Lap(2M/(n eps))" and the sensitivity behind it
    (privacy.TRUNCATED_MEAN_SCALE, {"samples": 100, "truncation": 3, "epsilon": "0.5"}, 0.12),
    (privacy.TRUNCATED_MEAN_SENSITIVITY, {"samples": 100, "truncation": 3}, 0.06),
    # "Lap(2/(n eps))"
    (privacy.HISTOGRAM_SCALE, {"fold_samples": 100, "epsilon": "0.5"}, 0.04),
    (privacy.HISTOGRAM_SENSITIVITY, {"fold_samples": 100}, 0.02),
    # C_1: log(16 * 10/0.05) = 8.070906088787819; sqrt(2 * it/1000), and 4 * it/(1000 * 0.1) where privacy binds
    (central.BIN_ERROR, {"fold_samples": 1000, "epsilon": 1, "range": 10, "failure": "0.05"}, 0.127050431630812),
    (central.BIN_ERROR, {"fold_samples": 1000, "epsilon": "0.1", "range": 10, "failure": "0.05"}, 0.32283624355151275),
    # (4): 0.05 + 0.95/3.2^2
    (central.OUTSIDE_MASS, {"true_contamination": "0.05", "bin_width": "3.2", "moment": 2}, 0.1427734375),
    # pieces of step 2 with M = 16, r = 4, log(16/0.05) = log 320: T_1 = 1.8687090355726401 twice, and the rest
    (central.CENTRAL_RADIUS_ASSEMBLED, CENTRAL | {"contamination": "0.05"}, 5.271453711309247),
    (central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, CENTRAL, 1.1340356401639673),
    # "r = 10^(1/k)", "M = 4 (n eps/log(1/delta))^(1/k)", "n >= 200 log(16 D/delta)/eps"
    (central.CENTRAL_BIN_WIDTH_CLEAN, {"moment": 2}, 3.1622776601683795),
    (central.CENTRAL_TRUNCATION_CLEAN, {"fold_samples": 1000, "epsilon": 1, "moment": 2, "failure": "0.05"}, 73.08167493377081),
    (central.CENTRAL_SAMPLES_CLEAN, {"epsilon": 1, "range": 10, "failure": "0.05"}, 1614.1812177575637),
    # 200 log(16 D/delta_tau) with delta_tau = 1e-6, and as printed with 16 |S| tau^2 = 8000 instead of 16000
    (central.CENTRAL_THRESHOLD_CLEAN, {"active": 5, "epoch": 10, "epsilon": 1, "range": 10, "failure": "0.001"}, 3778.1368746396206),
    (
        central.CENTRAL_THRESHOLD_CLEAN_LITERAL,
        {"active": 5, "epoch": 10, "epsilon": 1, "range": 10, "failure": "0.001"},
        3639.507438527631,
    ),
    # "iota = (1 - alpha)/(0.249 - alpha)": 0.95/0.199, "r = iota^(1/k)"
    (central.INVERSE_MASS, {"contamination": "0.05"}, 4.773869346733668),
    (central.CENTRAL_BIN_WIDTH, {"contamination": "0.05", "moment": 2}, 2.184918613297454),
    # "M = min{4 (n eps/log(1/delta))^(1/k), 4 alpha_1^(-1/k)}": 4/sqrt(0.05); for 50 draws 4 sqrt(50/log 20)
    (
        central.CENTRAL_TRUNCATION,
        {"fold_samples": 1000, "epsilon": 1, "contamination": "0.05", "moment": 2, "failure": "0.05"},
        17.88854381999832,
    ),
    (
        central.CENTRAL_TRUNCATION,
        {"fold_samples": 50, "epsilon": 1, "contamination": "0.05", "moment": 2, "failure": "0.05"},
        16.3415593061454,
    ),
    # max{iota log(1/delta)/eps = 14.3, c_1 log(16 D/delta)/eps, log(16/delta)/alpha_1^2 = 2307.3}
    (
        central.CENTRAL_SAMPLES,
        {"epsilon": 1, "contamination": "0.05", "range": 10, "bin_constant": 1, "failure": "0.05"},
        2307.328398317509,
    ),
    (
        central.CENTRAL_SAMPLES,
        {"epsilon": 1, "contamination": "0.05", "range": 10, "bin_constant": 4500000, "failure": "0.05"},
        36319077.399545185,
    ),
    (central.RAW_MOMENT_OF_CENTRAL, {"range": 10, "moment": 3}, 1331.0),
    # group 1 with 512 for 128 and 32 for 16, delta_tau = 1e-6. Delta = 1/2, k = 8: 512 * 4 log(16e6) is above 4 log(16e6) 64^(8/7) = 7695
    # and 500 log(8e6) = 7947
    (
        elimination.ELIMINATION_BATCH,
        EPOCH | {"contamination": "0.002", "moment": 8, "gap_up_to_two": "1/2"},
        2048 * math.log(16e6),
    ),
    # Delta = k = 2: 4 * 16^2 log(16e6) = 16986 is above 128 log(16e6) and 1000 log(8e6) = 15895, but not above 2000 log(8e6)
    (elimination.ELIMINATION_BATCH, EPOCH | {"contamination": "0.001", "gap_up_to_two": 2}, 1024 * math.log(16e6)),
    (elimination.ELIMINATION_BATCH, EPOCH | {"contamination": "0.0005", "gap_up_to_two": 2}, 2000 * math.log(8e6)),
]


@pytest.mark.parametrize(("theorem", "values", "by_hand"), GOLDEN)
def test_golden_values(theorem, values, by_hand):
    assert theorem.at(**values).bound == pytest.approx(by_hand, rel=1e-12)


def test_every_numbered_statement_of_the_paper_stands_here():
    """Would catch a theorem, corollary, lemma, remark or definition that nobody wrote down."""
    cited = " ".join(theorem.source.locator for theorem in THEOREMS)
    numbered = {
        "Definition": ("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7"),
        "Theorem": ("4.1", "6.1", "6.2", "6.5", "6.10", "6.12"),
        "Corollary": ("6.6", "6.8"),
        "Remark": ("4.2", "5.1", "5.2", "6.3", "6.4", "6.7", "6.9", "6.11", "6.13"),
        "Lemma": ("C.1", "C.2"),
    }
    missing = [f"{kind} {number}" for kind, numbers in numbered.items() for number in numbers if number not in cited]
    assert not missing


# --- what is false in print -------------------------------------------------------------------------------------------------------

FALSE_STEPS = [(theorem, step) for theorem in THEOREMS for step in theorem.steps if step.id in theorem.false_steps()]
STATED = {  # where a repair may stand that is no step of the same statement
    "adaptive_parallel_composition",
    *(theorem.id.partition(".")[2] for theorem in THEOREMS),
    *(step.id for theorem in THEOREMS for step in theorem.steps if step.id not in theorem.false_steps()),
}


def recorded(theorem, step):
    """The numbers of the finding about a step, by symbol, and the finding."""
    finding = next(item for item in theorem.findings_about(step.id) if item.grade.refutes)
    numbers = {name: Fraction(value) for name, value in finding.values}
    assert set(numbers) == {quantity.name for quantity in step.draw_order}
    assert all(numbers[quantity.name] in quantity.domain for quantity in step.draw_order)
    return {symbol(quantity): numbers[quantity.name] for quantity in step.draw_order}, finding


@pytest.mark.parametrize(("theorem", "step"), FALSE_STEPS, ids=[f"{theorem.id}:{step.id}" for theorem, step in FALSE_STEPS])
def test_false_steps_fail_at_their_counterexample(theorem, step):
    """Would catch an accusation without ground: twice, by balls and by mpmath, inside the domain and far above the rounding error."""
    numbers, finding = recorded(theorem, step)
    with ctx.workprec(300):
        assert all(evaluate.holds(condition, numbers) for condition in step.domain)
        difference = evaluate.ball(step.right, numbers) - evaluate.ball(step.left, numbers)
        assert difference < 0 if step.sense is Sense.AT_MOST else difference > 0
    with mpmath.workdps(60):
        letters = [symbol(quantity) for quantity in step.draw_order]
        values = [mpmath.mpf(numbers[letter].numerator) / numbers[letter].denominator for letter in letters]
        gap = sympy.lambdify(letters, step.right - step.left, modules="mpmath")(*values)
        assert (-gap if step.sense is Sense.AT_MOST else gap) > mpmath.mpf("0.05")
    repairs = [other for other in theorem.steps if f"{step.id} " in f"{other.reason} ".replace(",", " ").replace(":", " ")]
    assert repairs or any(re.search(rf"\b{name}\b", finding.instead) for name in STATED)


def test_each_false_step_is_known():
    """Would catch an accusation that came or went without a word."""
    assert {f"{theorem.id.partition('.')[2]}:{step.id}" for theorem, step in FALSE_STEPS} == {
        "privacy_raw:releases_add_up",
        "raw_radius:merge",
        "regret_raw:chain_of_moments",
        "regret_raw:cut_below_one_by_variance",
        "two_regrets:first_alone",
        "lower_bound_gaussian:every_mean",
        "central_concentration:printed_shares",
        "additive_range:tighter",
    }
    assert {theorem.id.partition(".")[2] for theorem in THEOREMS if theorem.published is not None} == {
        "clean_radius",
        "elimination_batch",
        "elimination_pulls",
        "initial_distance",
    }


def test_both_entries_of_the_cut_are_stated_and_repaired():
    """Would catch a repair of one of two: at K = T = 11 and epsilon = 10 the maximum is 1.55, and the second entry alone is below 1."""
    lines = {step.id: step for step in elimination.REGRET_RAW.steps}
    second, first = lines["cut_below_one_later"], lines["cut_below_one_by_variance"]
    numbers = {symbol(HORIZON): Fraction(11), symbol(ARMS): Fraction(11), symbol(EPSILON): Fraction(10), symbol(MOMENT): Fraction(2)}
    with ctx.workprec(128):
        entries = [float(evaluate.ball(line.left, numbers)) for line in (first, second)]
        later = [lines["cut_below_one_by_variance_later"], lines["cut_below_one_later"]]
        assert not evaluate.holds(later[0].domain[1], numbers)  # so that the repaired condition excludes them
        assert evaluate.holds(later[1].domain[1], numbers)
    assert entries == [pytest.approx(math.sqrt(math.log(11))), pytest.approx(math.sqrt(math.log(11) / 10))]
    assert max(entries) == pytest.approx(1.5485, abs=1e-4)


def failure_of_the_mean(draws, value, probability, truncation, epsilon, radius):
    """P(|truncated mean + noise - mean| > radius) for draws of `value` with this probability, else 0. Exact up to 50 digits."""
    scale, centre, kept = 2 * truncation / (draws * epsilon), value * probability, value if value <= truncation else 0
    total = mpmath.mpf(0)
    for hits in range(draws + 1):
        weight = mpmath.binomial(draws, hits) * probability**hits * (1 - probability) ** (draws - hits)
        off = mpmath.mpf(hits) * kept / draws - centre
        total += weight * (laplace_above(radius - off, scale) + laplace_above(radius + off, scale))
    return total


def laplace_above(threshold, scale):
    return mpmath.exp(-threshold / scale) / 2 if threshold >= 0 else 1 - mpmath.exp(threshold / scale) / 2


@pytest.mark.parametrize(
    ("theorem", "truncated", "draws", "value", "missed"),
    [
        (raw.CLEAN_RADIUS, (raw.CLEAN_TRUNCATION, raw.CLEAN_TRUNCATION_REPAIRED), 1, 4, "0.0624"),
    ],
)
def test_the_clean_radius_as_printed_misses_too_often(theorem, truncated, draws, value, missed):
    """The counterexample of the finding is a distribution: its exact failure is above what is claimed; at the repaired radius it is not."""
    point = theorem.counterexample()
    with mpmath.workdps(50):
        rare = mpmath.mpf(1) / value**2  # second moment 1
        epsilon = mpmath.mpf(point["epsilon"])
        printed, repaired = (
            failure_of_the_mean(draws, value, rare, mpmath.mpf(cut.at(**point).bound), epsilon, mpmath.mpf(item.at(**point).bound))
            for item, cut in zip((theorem.as_printed(), theorem), truncated, strict=True)
        )
    assert printed > mpmath.mpf(missed) > 0.05
    assert repaired < 0.05


def test_a_gap_that_survives_the_printed_batch():
    """The counterexample of the inversion: in group one, below 4 beta even with the printed logarithm, at a batch that is forbidden."""
    point = elimination.ELIMINATION_BATCH.counterexample()
    gap = float(Fraction(point.pop("gap_up_to_two")))
    batch = 2 ** int(point["epoch"])
    threshold = {name: point[name] for name in ("active", "epoch", "contamination", "failure")}
    assert batch > elimination.FORCED_THRESHOLD.at(**threshold).high
    assert gap < 4 * elimination.EPOCH_RADIUS_LITERAL.at(**point).low
    full = point | {"gap_up_to_two": "9/10"}
    assert elimination.ELIMINATION_BATCH.as_printed().at(**full).high < batch < elimination.ELIMINATION_BATCH.at(**full).low
    assert batch * 4 < 1 / Fraction(point["failure"])  # and the horizon 1/failure has room for the epoch


# --- chains that must close -------------------------------------------------------------------------------------------------------

EPSILONS = st.one_of(st.fractions(Fraction(1, 50), 50, max_denominator=1000), st.fractions(1, 10**5, max_denominator=10))
MOMENTS = st.fractions(2, 12, max_denominator=100)
FAILURES = st.fractions(Fraction(1, 10**6), Fraction(99, 100), max_denominator=10**6)
CONTAMINATIONS = st.fractions(Fraction(1, 1000), Fraction(499, 1000), max_denominator=1000)


@given(st.integers(1, 10**6), EPSILONS, CONTAMINATIONS, MOMENTS, FAILURES)
def test_the_raw_radius_follows_for_every_epsilon(samples, epsilon, contamination, moment, failure):
    """Would catch a wrong accusation: under contamination the printed radius is above the assembled one, large epsilon included."""
    given_ = {"samples": samples, "epsilon": epsilon, "contamination": contamination, "moment": moment, "failure": failure}
    try:
        claimed = raw.RAW_RADIUS.at(**given_)
    except HypothesisFails:
        assert samples * contamination < math.log(8 / failure) * (1 + 1e-9)
        return
    truncation = raw.RAW_TRUNCATION.at(**given_).bound
    assert raw.RAW_RADIUS_ASSEMBLED.at(**given_, truncation=truncation).low <= claimed.high * (1 + 1e-12)


@given(st.integers(1, 10**6), EPSILONS, MOMENTS, FAILURES)
def test_the_clean_radius_follows_once_repaired(samples, epsilon, moment, failure):
    """At the repaired truncation, the noise being that of epsilon; as printed it does not from epsilon = 3 on."""
    given_ = {"samples": samples, "epsilon": epsilon, "moment": moment, "failure": failure}
    truncation = raw.CLEAN_TRUNCATION_REPAIRED.at(**given_).bound
    proved = raw.CLEAN_RADIUS_BEFORE_MERGE.at(**given_, truncation=truncation)
    assert proved.low <= raw.CLEAN_RADIUS.at(**given_).high * (1 + 1e-12)
    if epsilon >= 3:
        printed = raw.CLEAN_RADIUS_BEFORE_MERGE.at(**given_, truncation=raw.CLEAN_TRUNCATION.at(**given_).bound)
        assert printed.low > raw.CLEAN_RADIUS.as_printed().at(**given_).high


@given(st.integers(1, 10**6), EPSILONS, EPSILONS, MOMENTS, FAILURES)
def test_weaker_privacy_costs_no_accuracy(samples, one, other, moment, failure):
    """Would catch a repair that grows with epsilon: the radius, the samples and the regret bounds never do."""
    known = {"moment": moment}
    low, high = sorted((one, other))
    rows = [
        (raw.CLEAN_RADIUS, {"samples": samples, "failure": failure}),
        (elimination.CLEAN_EPOCH_RADIUS, {"active": 3, "epoch": 1 + samples % 30, "failure": failure}),
        (raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT, {"accuracy": "1/10", "failure": failure}),
        (elimination.REGRET_CLEAN_EXPLICIT, {"horizon": samples + 10, "arms": 3}),
        (chains.REGRET_CLEAN_CHAIN, {"horizon": samples + 10, "arms": 3, "gap_up_to_two": 1}),
    ]
    for theorem, more in rows:
        weaker, stronger = (theorem.at(epsilon=epsilon, **known, **more) for epsilon in (high, low))
        assert weaker.low <= stronger.high * (1 + 1e-12), theorem.id


@given(st.fractions(Fraction(1, 100), Fraction(99, 100)), EPSILONS, MOMENTS, FAILURES)
def test_enough_samples_give_the_accuracy(accuracy, epsilon, moment, failure):
    given_ = {"epsilon": epsilon, "moment": moment, "failure": failure}
    samples = math.ceil(raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT.at(accuracy=accuracy, **given_).bound)
    assert raw.CLEAN_RADIUS.at(samples=samples, **given_).low <= accuracy * (1 + Fraction(1, 10**9))


@given(
    st.integers(1, 20), st.integers(1, 40), FAILURES, EPSILONS, st.fractions(Fraction(1, 10**6), Fraction(1, 600)), MOMENTS, st.floats(0, 1)
)
def test_larger_batches_than_the_repaired_one_end_an_arm_of_group_one(active, epoch, failure, epsilon, contamination, moment, place):
    """Would catch a repaired inversion that is still too small: whenever the epoch's batch is above it, the gap is above 4 beta."""
    least = 16 * (8 * float(contamination)) ** (1 - 1 / float(moment)) * (1 + 1e-9)
    assume(least < 2)
    gap = Fraction(least * (2 / least) ** place)
    assume(gap <= 2)
    given_ = {
        "active": active,
        "epoch": epoch,
        "failure": failure,
        "epsilon": epsilon,
        "contamination": contamination,
        "moment": moment,
    }
    if 2**epoch > elimination.ELIMINATION_BATCH.at(**given_, gap_up_to_two=gap).high:
        assert 4 * elimination.EPOCH_RADIUS.at(**given_).low <= gap


@given(st.integers(1, 10), st.integers(0, 10))
def test_pulls_of_an_arm_are_at_most_four_batches(forced, later):
    """Adds the batches up: all forced ones, the tested ones survived, and the one in which the arm goes."""
    last = forced + later
    pulls = sum(2**epoch for epoch in range(1, last + 2))
    assert pulls <= elimination.ELIMINATION_PULLS.at(batch=2**last).low
    tested = sum(2**epoch for epoch in range(forced + 1, last + 2))
    assert (tested > elimination.ELIMINATION_PULLS.as_printed().at(batch=2**last).high) == (later > 0)


# --- the lower bound --------------------------------------------------------------------------------------------------------------

IDENTITIES = [
    (theorem, step)
    for theorem in (lower_bound.TWO_POINT_PROBLEMS, lower_bound.EQUAL_MIXTURES, lower_bound.LOWER_BOUND_CONTAMINATED)
    for step in theorem.steps
    if step.sense is Sense.EQUALS
]


@pytest.mark.parametrize(("theorem", "step"), IDENTITIES, ids=[step.id for _, step in IDENTITIES])
def test_identities_are_exact(theorem, step):
    assert sympy.simplify(sympy.powsimp(sympy.expand(step.left - step.right), force=True)) == 0


def coin(c, rarity, order):
    return {1 / rarity: c * rarity**order, Fraction(0): 1 - c * rarity**order}


@given(st.integers(2, 7), st.fractions(Fraction(1, 100), 1, max_denominator=1000))
def test_the_two_problems_by_enumeration(order, rarity):
    """The identities again, on distributions written down apart, in rational numbers."""
    best, other, raised = (coin(Fraction(c, 10), rarity, order) for c in (5, 3, 7))
    means = [sum(value * weight for value, weight in distribution.items()) for distribution in (best, other, raised)]
    assert [sum(value**order * weight for value, weight in distribution.items()) for distribution in (best, other, raised)] == [
        Fraction(1, 2),
        Fraction(3, 10),
        Fraction(7, 10),
    ]
    assert means[0] - means[1] == means[2] - means[0] == rarity ** (order - 1) / 5
    assert sum(abs(raised[value] - other[value]) for value in other) / 2 == Fraction(2, 5) * rarity**order
    values = {symbol(MOMENT): Fraction(order), symbol(RARITY): rarity}
    for step in lower_bound.TWO_POINT_PROBLEMS.steps:
        assert evaluate.rational(step.left, values) == evaluate.rational(step.right, values)


@given(st.integers(2, 7), st.fractions(Fraction(1, 100), Fraction(19, 25), max_denominator=100))
def test_contamination_hides_the_difference(order, rarity):
    alpha = rarity**order  # so that gamma is rational
    assume(alpha < Fraction(1, 2))
    other, raised = (coin(Fraction(c, 10), rarity, order) for c in (3, 7))
    outlier = Fraction(2, 5) * (1 - alpha)
    one = {1 / rarity: (1 - alpha) * other[1 / rarity] + alpha * outlier, 0: (1 - alpha) * other[0] + alpha * (1 - outlier)}
    two = {1 / rarity: (1 - alpha) * raised[1 / rarity], 0: (1 - alpha) * raised[0] + alpha}
    assert one == two
    assert one[1 / rarity] == Fraction(7, 10) * alpha * (1 - alpha)


@given(st.integers(1, 10**6), st.integers(2, 100), EPSILONS, MOMENTS)
def test_no_lower_bound_exceeds_the_largest_regret(horizon, arms, epsilon, moment):
    """Would catch a lower bound that no policy can meet: gaps of the raw class are at most 2."""
    given_ = {"horizon": horizon, "arms": arms, "epsilon": epsilon, "moment": moment}
    assert lower_bound.LOWER_BOUND_PRIVATE.at(**given_).high <= 2 * horizon
    if horizon >= arms:
        assert lower_bound.LOWER_BOUND_PRIVATE.at(**given_).low <= elimination.REGRET_CLEAN_EXPLICIT.at(**given_).high


# --- rates ------------------------------------------------------------------------------------------------------------------------


def test_rates_at_a_fixed_moment():
    """k is no exponent that a rate can be taken in: for each k it is one."""
    with pytest.raises(ValueError, match="not that of powers"):
        elimination.REGRET_CLEAN.growth_in(HORIZON)
    clean, contaminated = (at_moment(theorem, 2) for theorem in (elimination.REGRET_CLEAN, elimination.REGRET_RAW))
    assert str(clean.growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^(1/2)"
    assert str(clean.growth_in(ARMS)) == "arms^(1/2)"
    assert str(contaminated.growth_in(HORIZON)) == "horizon^1"
    assert str(contaminated.growth_in(CONTAMINATION)) == "(1/contamination)^1"
    assert str(at_moment(elimination.REGRET_CLEAN_EXPLICIT, 2).growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^(1/2)"
    assert str(at_moment(raw.CLEAN_CONCENTRATION_TUNED, 4).growth_in(SAMPLES)) == "samples^(-1/2)"
    assert str(at_moment(lower_bound.LOWER_BOUND_PRIVATE, "5/2").growth_in(HORIZON)) == "horizon^(2/5)"
    assert str(at_moment(central.REGRET_CENTRAL_CLEAN, 4).growth_in(HORIZON)) == "horizon^(1/2) * log(horizon)^(1/2)"


def test_at_moment_says_the_same_and_refuses_small_moments():
    fixed = at_moment(raw.RAW_RADIUS, "5/2").at(**{name: value for name, value in RAW.items() if name != "moment"})
    assert fixed.bound == pytest.approx(raw.RAW_RADIUS.at(**RAW | {"moment": "5/2"}).bound, rel=1e-15)
    assert at_moment(raw.RAW_SAMPLES, 2) is raw.RAW_SAMPLES
    with pytest.raises(OutsideDomain, match=r"moment = 1.5: must be >= 2"):
        at_moment(raw.RAW_RADIUS, 1.5)


def test_hypotheses_stop_the_radius_below_its_sample_requirement():
    with pytest.raises(HypothesisFails, match="enough_samples"):
        raw.RAW_RADIUS.at(**RAW | {"samples": 101})
    assert raw.RAW_RADIUS.at(**RAW | {"samples": 102}).bound > 0
    with pytest.raises(HypothesisFails, match="horizon_at_least_arms"):
        elimination.REGRET_CLEAN_EXPLICIT.at(horizon=4, arms=5, epsilon=1, moment=2)


def test_the_parameters_of_an_epoch_are_those_of_the_estimate():
    """The epoch's formulas are Theorem 6.1's at n = 2^tau and the failure of one estimate."""
    for active, epoch in itertools.product((1, 3, 11), (1, 6, 17)):
        failure = Fraction(1, 1000) / (2 * active * epoch**2)
        of_epoch = EPOCH | {"active": active, "epoch": epoch}
        estimate = {"samples": 2**epoch, "epsilon": 1, "contamination": "0.05", "moment": 2, "failure": failure}
        assert elimination.EPOCH_FAILURE.at(active=active, epoch=epoch, failure="1/1000").bound == float(failure)
        assert elimination.EPOCH_TRUNCATION.at(**of_epoch).bound == pytest.approx(raw.RAW_TRUNCATION.at(**estimate).bound, rel=1e-15)
        threshold = elimination.FORCED_THRESHOLD.at(active=active, epoch=epoch, contamination="0.05", failure="1/1000").bound
        assert threshold == pytest.approx(raw.RAW_SAMPLES.at(contamination="0.05", failure=failure).bound, rel=1e-15)
        if 2**epoch >= threshold:
            assert elimination.EPOCH_RADIUS.at(**of_epoch).bound == pytest.approx(raw.RAW_RADIUS.at(**estimate).bound, rel=1e-15)
