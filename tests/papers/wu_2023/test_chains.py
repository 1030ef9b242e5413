"""The regret bounds epoch by epoch: the sum added up by itself, beside the closed forms, and from where they say something."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.methods.stated import Stated
from banditproof.audits.methods.vacuity import Vacuity, smallest_horizon
from banditproof.audits.papers.wu_2023.cases.hypotheses import stated
from banditproof.audits.papers.wu_2023.cases.regret import steps_of
from banditproof.audits.running import registry
from banditproof.theory.papers.wu_2023 import central, central_regret, chains, elimination

HORIZONS = st.one_of(st.integers(2, 10**6), st.integers(5, 14).map(lambda power: 10**power))
EPSILONS = st.sampled_from(["1/100", "1/5", "1", "3/2", "2", "100", "100000"])


def added_up(horizon: int, arms: int, gap: float, first: int, radius, *, own: bool) -> float:
    """The derivation by itself: rounds fill the epochs one after the other, each at the gap or at four radii of the epoch before, whichever
    is less. Logarithms at the last epoch that is reached, or (own) at each radius' own epoch."""
    filled, epochs = 2**first - 2, []
    while filled < horizon:
        epoch = first + len(epochs)
        rounds = min((arms - 1) * 2**epoch, horizon - filled)
        epochs.append((epoch, rounds))
        filled += rounds
    last = first + len(epochs) - 1
    cost = gap + gap * min(2**first - 2, horizon)
    for epoch, rounds in epochs:
        four = math.inf if epoch == first else 4.0 * radius(epoch - 1, epoch - 1 if own else last)
        cost += rounds * min(gap, four)
    return cost


def clean_radius(horizon: int, arms: int, epsilon: float):
    def at(epoch: int, logarithm: int) -> float:
        ell = math.log(8 * arms * logarithm**2 * horizon)
        return math.sqrt(2 * ell / 2**epoch) + 2 * math.sqrt(4 * ell / 2**epoch / min(epsilon, 1.5))

    return at


def raw_radius(horizon: int, arms: int, epsilon: float, alpha: float):
    def at(epoch: int, logarithm: int) -> float:
        ell = math.log(32 * arms * logarithm**2 * horizon)
        return math.sqrt(2 * ell / 2**epoch) + 2 * math.sqrt(4 * ell / 2**epoch / epsilon) + 2 * math.sqrt(8 * alpha)

    return at


def forced_before(horizon: int, arms: int, alpha: float) -> int:
    first = 1
    while alpha * 2**first < math.log(16 * arms * first**2 * horizon) and 2**first - 2 < horizon:
        first += 1
    return first


@given(HORIZONS, st.integers(2, 30), EPSILONS, st.fractions(Fraction(1, 100), 2, max_denominator=100))
def test_the_clean_chain_is_the_sum_over_epochs(horizon, arms, epsilon, gap):
    """Would catch a geometric sum with a wrong end, and a chain below what the radii give epoch by epoch."""
    horizon = max(horizon, arms)
    found = chains.REGRET_CLEAN_CHAIN.at(horizon=horizon, arms=arms, epsilon=epsilon, moment=2, gap_up_to_two=gap).bound
    radius = clean_radius(horizon, arms, float(Fraction(epsilon)))
    assert found == pytest.approx(added_up(horizon, arms, float(gap), 1, radius, own=False), rel=1e-9)
    assert found >= added_up(horizon, arms, float(gap), 1, radius, own=True) * (1 - 1e-9)


@given(HORIZONS, st.integers(2, 30), EPSILONS, st.sampled_from(["1/100000", "1/5000", "1/100", "2/5"]), st.sampled_from(["2", "1", "1/5"]))
def test_the_raw_chain_is_the_sum_over_epochs(horizon, arms, epsilon, proportion, gap):
    horizon, alpha = max(horizon, arms), float(Fraction(proportion))
    known = {"horizon": horizon, "arms": arms, "epsilon": epsilon, "contamination": proportion, "moment": 2, "gap_up_to_two": gap}
    found = chains.REGRET_RAW_CHAIN.at(**known).bound
    radius, first = raw_radius(horizon, arms, float(Fraction(epsilon)), alpha), forced_before(horizon, arms, alpha)
    assert found == pytest.approx(added_up(horizon, arms, float(Fraction(gap)), first, radius, own=False), rel=1e-9)
    assert found >= added_up(horizon, arms, float(Fraction(gap)), first, radius, own=True) * (1 - 1e-9)


@given(
    st.integers(10, 60),
    st.sampled_from(["1/100", "1/5", "1"]),
    st.sampled_from(["2", "5/2", "6"]),
    st.sampled_from([None, "1/10", "1/1000"]),
)
def test_the_central_chains_have_the_assembled_radius(epoch, epsilon, moment, proportion):
    """Would catch a piece of the radius that the chain leaves out: four radii of a tested epoch, with the logarithm there, are at most its
    terms; without contamination they are equal."""
    horizon, arms = 10**9, 5
    failure = Fraction(1, horizon) / (2 * arms * epoch**2)
    known = {"fold_samples": 2 ** (epoch - 1), "epsilon": epsilon, "moment": moment, "failure": failure}
    terms = chains._clean_central_terms() if proportion is None else chains._central_terms()
    numbers = {"last_reached": epoch, "arms": arms, "horizon": horizon, "epsilon": Fraction(epsilon), "moment": Fraction(moment)}
    numbers |= {} if proportion is None else {"contamination": Fraction(proportion)}
    expression = chains._four_radii(terms, epoch)
    value = float(expression.subs({letter: numbers[letter.name] for letter in expression.free_symbols}))
    if proportion is None:
        cut, width = central.CENTRAL_TRUNCATION_CLEAN.at(**known).bound, central.CENTRAL_BIN_WIDTH_CLEAN.at(moment=moment).bound
        if cut >= 4 * width:
            radius = central.CENTRAL_RADIUS_CLEAN_ASSEMBLED.at(**known, truncation=cut, bin_width=width).bound
            assert value == pytest.approx(4.0 * radius, rel=1e-9)
        return
    cut = central.CENTRAL_TRUNCATION.at(**known, contamination=proportion).bound
    width = central.CENTRAL_BIN_WIDTH.at(contamination=proportion, moment=moment).bound
    if cut >= 4 * width:
        radius = central.CENTRAL_RADIUS_ASSEMBLED.at(**known, contamination=proportion, truncation=cut, bin_width=width).bound
        assert value >= 4.0 * radius * (1 - 1e-9)


@given(st.integers(4, 16), st.integers(2, 20), st.sampled_from(["1/5", "1", "100000"]), st.sampled_from([None, "1/10000", "1/100"]))
def test_the_chain_is_below_its_closed_form(power, arms, epsilon, proportion):
    """Would catch a chain that is none: the closed form is derived from the same radii with more room."""
    known = {
        "horizon": 10**power,
        "arms": arms,
        "epsilon": epsilon,
        "moment": 2,
        **({} if proportion is None else {"contamination": proportion}),
    }
    chain = chains.REGRET_CLEAN_CHAIN if proportion is None else chains.REGRET_RAW_CHAIN
    closed = elimination.REGRET_CLEAN_EXPLICIT if proportion is None else elimination.REGRET_RAW_EXPLICIT
    assert chain.at(**known, gap_up_to_two=2).low <= min(closed.at(**known).high, 2.0 * (1 + 10**power)) * (1 + 1e-12)


def test_chains_say_something_far_sooner():
    """The closed forms came 8 to 400 times later, or never where the chain does after 5 million rounds."""

    def first(theorem, gap, least, **known):
        return smallest_horizon(lambda horizon: theorem.at(horizon=horizon, moment=2, **known).bound, gap, least=least, most=10**12)

    settings = {"arms": 11, "epsilon": 1}
    assert first(elimination.REGRET_CLEAN_EXPLICIT, 0.945, 11, **settings) > 25 * first(
        chains.REGRET_CLEAN_CHAIN, 0.945, 11, gap_up_to_two="0.945", **settings
    )
    assert first(elimination.REGRET_RAW_EXPLICIT, 0.945, 11, contamination="1/1000", **settings) is None
    assert first(chains.REGRET_RAW_CHAIN, 0.945, 11, contamination="1/1000", gap_up_to_two="0.945", **settings) < 6_000_000
    central_ = {**settings, "range": "6.325"}
    assert first(central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, 2.88, 11, **central_) > 300 * first(
        chains.REGRET_CENTRAL_CLEAN_CHAIN, 2.88, 11, unbounded_gap="2.88", **central_
    )


VACUITIES = [
    audit
    for audit in registry.audits("wu_2023").values()
    if isinstance(audit.method, Vacuity) and audit.method.jumps is not None and "central_chain" not in audit.id
]
JUMPING: Stated = stated(chains.REGRET_CLEAN_CHAIN, arms=5, epsilon=100, gap_up_to_two="0.945")


@pytest.mark.parametrize("audit", VACUITIES, ids=[audit.id for audit in VACUITIES])
def test_thresholds_are_right_at_every_jump(audit):
    """Would catch a horizon after the threshold at which the bound is trivial again: all jumps to 10^9, and the rounds beside them."""
    method = audit.method
    walk(method.bound, method.largest_gap, method.jumps, method.least)


def test_a_bound_that_is_trivial_again_after_a_jump():
    """Five arms at epsilon 100: below the trivial bound from 65579 rounds on, and not at 131065, where an epoch more is reached."""
    assert JUMPING.at(65_579) < 0.945 * 65_579
    assert JUMPING.at(131_065) >= 0.945 * 131_065
    walk(JUMPING.at, 0.945, steps_of(JUMPING, 5), 5)


def walk(bound, gap, jumps, least):
    most = 10**9
    first = smallest_horizon(bound, gap, least=least, most=most, jumps=jumps)
    if first is None:
        assert bound(most) >= gap * most
        return
    assert bound(first) < gap * first
    assert first == least or bound(first - 1) >= gap * (first - 1)
    beside = {horizon + shift for horizon in jumps(most) for shift in (-1, 0, 1, 1000)}
    later = sorted({*beside, *(first + first * step // 7 for step in range(60))})
    assert all(bound(horizon) < gap * horizon for horizon in later if first <= horizon <= most)
