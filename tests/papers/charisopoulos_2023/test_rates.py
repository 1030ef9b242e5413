"""Golden values of Theorems 3.4 and 3.9, of the budget and the comparisons, by hand from the original; the dominance map by force."""

import itertools
import math
from fractions import Fraction

import pytest
import sympy

from banditproof.glossary import DIMENSION, EPSILON, HORIZON
from banditproof.glossary.charisopoulos_2023 import CORRUPTION
from banditproof.theory.language import HypothesisFails, symbol
from banditproof.theory.papers.charisopoulos_2023 import budget, comparisons, introduction, rates, regret, regret_m2
from banditproof.theory.papers.charisopoulos_2023.dominance import AXES, rate_of, smallest_where
from banditproof.theory.papers.charisopoulos_2023.rates import RATES, dominance
from tests.support.proof_lines import line_at

_d, _T, _alpha, _epsilon = (symbol(quantity) for quantity in (DIMENSION, HORIZON, CORRUPTION, EPSILON))


def close(theorem, expected, **known):
    assert theorem.at(**known).bound == pytest.approx(expected, rel=1e-12)


# T = 10^4, delta = 10^-4: log(T/delta) = 8 log 10, log(1/delta) = 4 log 10
_M1 = {"horizon": 10**4, "dimension": 4, "failure": "1e-4", "epsilon": 2, "m1_regret_constant": 3}


@pytest.mark.parametrize(("corruption", "entry"), [("1/100", 0.2), ("6/25", math.sqrt(0.96)), ("1/4000", math.sqrt(0.001))])
def test_theorem_of_model_m1(corruption, entry):
    """Would catch d inside a logarithm, a lost root of the logarithm, and log(1/delta) for log(T/delta)."""
    wide, short = 8 * math.log(10), 4 * math.log(10)
    second = 10**4 * entry * (math.sqrt(wide) + wide / 2)
    close(regret.REGRET_M1, 3 * (200 * math.sqrt(wide) * (1 + math.sqrt(wide) / 2) + second), **_M1, corruption=corruption)
    last = 3 * (200 * math.sqrt(short) * (1 + math.sqrt(short) / 2) + second)
    close(regret.REGRET_M1_LAST_LINE, last, **_M1, batches=12, corruption=corruption)


def test_the_max_of_model_m1_switches_at_one_over_d():
    """At d = 16, alpha = 1/8: alpha d = 2 and not sqrt(2). Would catch the max replaced by the text's condition alpha <= d."""
    known = {**_M1, "dimension": 16, "epsilon": 10**9, "m1_regret_constant": 1}
    wide = math.sqrt(8 * math.log(10))
    found = regret.REGRET_M1.at(**known, corruption="1/8").bound
    assert found == pytest.approx(wide * (400 + 2 * 10**4), rel=1e-8)


def test_theorem_of_model_m2():
    """d = 16: k = 16 log log 16 = 16.316; nu = 1/4. Would catch the power of nu, the factor 2 d, and 1 + nu k on the wrong bracket."""
    k, short, nu, alpha = 16 * math.log(math.log(16)), 4 * math.log(10), 0.25, 0.01
    widths = math.log(k * 10**4)
    corrupted = (math.sqrt(alpha * k) + math.sqrt(alpha * short)) * (
        10**4 + math.sqrt(10**4 * widths / nu) + widths * math.log(10**4) / (nu * 2)
    )
    known = {"horizon": 10**4, "dimension": 16, "failure": "1e-4", "epsilon": 2, "corruption": "1/100", "truncation_parameter": "1/4"}
    root = math.sqrt(16 * 10**4 * short / nu)
    for theorem, below, factor in (
        (regret_m2.REGRET_M2, 0.5, 32),
        (regret_m2.REGRET_M2_FACTOR, 0.5, 2),
        (regret_m2.REGRET_M2_POWER, 0.25, 32),
    ):
        noise = (1 + nu * k) * (root + 4 * short * math.log(10**4) / (2 * below))
        close(theorem, 5 * (noise + factor * corrupted + alpha * 10**4), **known, m2_regret_constant=5)
    with pytest.raises(HypothesisFails):
        regret_m2.REGRET_M2.at(**{**known, "dimension": 3}, m2_regret_constant=1)


def test_informal_theorem_of_model_m2():
    """Theorem 1.4 is Theorem 3.9 at nu = 1/d: within a factor of 4 with one power of nu, and not with the other as d grows."""
    known = {"horizon": 10**6, "corruption": "1/100", "epsilon": "1e-6", "dimension": 10**4}
    rate = sympy.lambdify((_d, _T, _alpha, _epsilon), introduction.INFORMAL_M2.stated().cases[0].expression)
    printed = rate(10**4, 10**6, 0.01, 1e-6)
    assert 1 < introduction.INSERTED_M2.at(**known).bound / printed < 4
    without = {**known, "corruption": 0}
    assert introduction.INSERTED_M2_POWER.at(**without).bound / rate(10**4, 10**6, 0, 1e-6) > 100


# --- the budget -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("horizon", "batches"), [(2, 2), (10**4, 10), (1000, 3), (10**5, 40)])
def test_sums_are_those_of_the_batches(horizon, batches):
    """Would catch a sum from 0, and one that ends at the wrong batch."""
    q = horizon ** (1 / batches)
    sizes = [q**i for i in range(1, batches + 1)]
    known = {"horizon": horizon, "batches": batches}
    assert budget.SUM_OF_SIZES.at(**known).bound == pytest.approx(sum(sizes))
    assert budget.SUM_OF_EXPLORATION.at(**known).bound == pytest.approx(sum(sizes[:-1]))
    assert regret.ROOT_SUM_OF.at(**known).bound == pytest.approx(sum(q**i / math.sqrt(q ** (i - 1)) for i in range(1, batches + 1)))
    for support, nu in ((1, "1/1000"), (10, "1/10"), (5, "1/2")):
        played = list(itertools.accumulate((1 + Fraction(nu) * support) * size + support for size in sizes))
        fitting = sum(plays <= horizon for plays in played)
        assert budget.BATCHES_THAT_FIT.at(**known, support=support, truncation_parameter=nu).bound == fitting


@pytest.mark.parametrize(("horizon", "inside"), [(99, False), (100, True), (101, True)])
def test_lines_of_two_batches_begin_at_the_square_of_the_growth(horizon, inside):
    """(58) and the sums, q = 10: B >= 2 is T = q^B >= 100. Would catch another power, a turned comparison, and 1 - nu k in (58)."""
    sums = 10 * (horizon - 1) / 9
    found = line_at(regret.REGRET_M1, "second_sum", growth=10, horizon=horizon)
    assert found == (pytest.approx(sums), horizon, inside)
    known = {"growth": 10, "horizon": horizon, "support": 4, "truncation_parameter": "1/2"}
    found = line_at(budget.SIZES_IN_HORIZON, "sizes_below_horizon_over_factor", **known)
    assert found == (pytest.approx(sums), pytest.approx(horizon / 3), inside)  # 1 + 4/2
    found = line_at(budget.BATCHES_OF_THE_LOOP, "loop_within_budget", growth=10, horizon=horizon)
    assert found == (pytest.approx((horizon - 10) / 9), horizon, inside)


@pytest.mark.parametrize(("plays", "inside"), [(30, True), (31, False)])
def test_sizes_are_below_the_plays_over_the_factor(plays, inside):
    """(57), summed: N <= (1 + nu k) S, at S = 10, 1 + nu k = 3. Would catch 1 - nu k."""
    known = {"support": 4, "truncation_parameter": "1/2", "batch_sum": 10, "batch_plays": plays}
    assert line_at(budget.SIZES_IN_HORIZON, "sizes_below_plays_over_factor", **known) == (10, pytest.approx(plays / 3), inside)


def test_noise_of_the_second_model_in_its_batches():
    """(60), q = 4, B = 2, d = 4, nu = 1/4, log(1/delta) = 1: sqrt(16) (4 - 1)/(2 - 1) + 2 . 2 . 4/epsilon, and half of that last
    term. Would catch a power of the growth that is not half the batches."""
    known = {"growth": 4, "batches": 2, "dimension": 4, "truncation_parameter": "1/4", "failure": repr(math.exp(-1)), "epsilon": "1/2"}
    left, right, _ = line_at(regret_m2.REGRET_M2, "noise_terms", **known)
    assert (left, right) == (pytest.approx(12 + 32), pytest.approx(12 + 16))


def test_the_rate_of_an_unknown_budget():
    """Section 1.2: sqrt(d T) + C d^(3/2) + C^2 at C = alpha T, T = 100, d = 4, alpha = 1/10. Would catch another power of the budget."""
    found = RATES["unknown budget"].subs({symbol(HORIZON): 100, symbol(DIMENSION): 4, symbol(CORRUPTION): Fraction(1, 10)})
    assert found == 20 + 80 + 100


def test_what_is_quoted_without_a_rate():
    """Section 1.2: the sum of Bogunovic et al. is legible, the exponents of Li et al. are not. Would catch one said of the other."""
    assert "exponents unreadable" in rates.LI.not_checkable and "constants suppressed" in rates.BOGUNOVIC.not_checkable


def test_the_loop_overspends_where_the_growth_is_below_two():
    """T = 10^4: with 19 batches, 2 log T, the loop alone takes 1.60 T; with 9, log T, it fits. Golden, by hand: (T - q)/(q - 1)."""
    assert budget.SUM_OF_EXPLORATION.at(horizon=10**4, batches=19).bound == pytest.approx(1.6032 * 10**4, rel=1e-3)
    assert budget.SUM_OF_EXPLORATION.at(horizon=10**4, batches=9).bound == pytest.approx(0.5611 * 10**4, rel=1e-3)
    assert budget.SUM_OF_SIZES.at(horizon=10**4, batches=10).bound == pytest.approx(1.6612 * 10**4, rel=1e-3)


def _thresholds(index, known):
    """gamma_i of line 9 and of (55), with log(T/delta) for log(q^i/delta), from the original."""
    t, d, k, delta, eps, a, nu, c1, c2 = known
    short, wide, many = math.log(1 / delta), math.log(t / delta), math.log(k / delta)
    q = t ** (index[0] / index[1])
    noise = c2 * math.sqrt(d * short / q) * (1 + math.sqrt(short) / eps)
    one = c1 * math.sqrt(d) * (math.sqrt(wide) + wide / eps) * (math.sqrt(a) + a * math.sqrt(d)) + a + noise
    interval = c1 * d * (math.sqrt(a) + math.sqrt(a * short / q)) * (1 + math.sqrt(wide) + wide / eps) + a + noise
    owners = c2 * math.sqrt(d * short / (nu * q)) * (1 + math.sqrt(short / (nu * q)) / eps)
    owners += 2 * c1 * d * (1 + math.sqrt(many / (nu * q)) + many / (nu * q * eps)) * (math.sqrt(k * a) + math.sqrt(a * short)) + a
    return one, interval, owners


@pytest.mark.parametrize("batches", [2, 5, 12])
def test_chains_are_the_sums_over_batches(batches):
    """2 N_1 + 4 sum N_i gamma_{i-1}, batch by batch. Would catch a wrong index."""
    numbers = (10**5, 5, 10, 0.01, 2.0, 0.05, 0.1, 1e-4, 2e-4)
    names = ("horizon", "dimension", "support", "failure", "epsilon", "corruption", "truncation_parameter")
    known = dict(zip(names, (10**5, 5, 10, "0.01", 2, "0.05", "0.1"), strict=True))
    known |= {"batches": batches, "corruption_constant": "1e-4", "noise_constant": "2e-4"}
    for place, theorem in enumerate((regret.CHAIN_M1, regret.CHAIN_M1_BY_INTERVAL, regret_m2.CHAIN_M2)):
        plays = [(2 if place == 2 else 1) * numbers[0] ** (i / batches) + 10 for i in range(1, batches + 1)]
        widths = [_thresholds((i, batches), numbers)[place] for i in range(1, batches)]
        total = 2 * plays[0] + 4 * sum(count * width for count, width in zip(plays[1:], widths, strict=True))
        takes = {quantity.name for quantity in theorem.stated().given}
        found = theorem.at(**{name: value for name, value in known.items() if name in takes}).bound
        assert found == pytest.approx(total, rel=1e-10)


# --- comparisons ------------------------------------------------------------------------------------------------------------------------


def test_gain_over_the_budget_model():
    """alpha d^(3/2)/max: d sqrt(alpha) up to alpha = 1/d, sqrt(d) above; 1 at alpha = 1/d^2. By (50): sqrt(alpha d)."""
    close(comparisons.GAIN_OVER_BUDGET, 1.0, dimension=10, corruption="1/100")
    close(comparisons.GAIN_OVER_BUDGET, 2.0, dimension=10, corruption="1/25")
    close(comparisons.GAIN_OVER_BUDGET, 4.0, dimension=16, corruption="1/8")
    close(comparisons.GAIN_OF_THE_INTERVAL, 0.4, dimension=4, corruption="1/25")


def test_regions_of_two_rates():
    """By hand: sqrt(dT) + T sqrt(alpha d) + T alpha d against sqrt(dT) + T alpha d^(3/2)."""
    found = dominance(["M1", "budget"])
    assert found["M1"].condition() == sympy.Or(sympy.Le(_alpha * _T, 1), sympy.Ge(_alpha * _d**2, 1))
    assert found["budget"].condition() == sympy.Or(sympy.Le(_alpha * _d**2, 1), sympy.Le(_alpha**2 * _d**2 * _T, 1))
    assert dominance(["M1", "M2"])["M2"].empty
    assert dominance(["M1 by (50)", "budget", "every policy"])["M1 by (50)"].condition() == sympy.And(
        sympy.Le(_d, _T), sympy.Le(_alpha * _d * _T, 1)
    )


MAPS = [("M1", "budget"), ("M1", "M1 by (50)", "budget", "every policy"), ("private M1", "private M2"), ("local", "central", "convex")]


@pytest.mark.parametrize("names", MAPS, ids=", ".join)
def test_dominance_against_brute_force(names):
    """On a grid of exponents, with the terms evaluated as numbers: the largest term of each rate, and the smallest of those. Would catch a
    clause dropped, a comparison turned round, and a rate that lost a term."""
    terms = {
        name: [sympy.lambdify(list(map(symbol, AXES)), term) for term in sympy.Add.make_args(sympy.expand(RATES[name]))] for name in names
    }
    regions = dominance(names)
    conditions = {name: sympy.lambdify(list(map(symbol, AXES)), region.condition(), "math") for name, region in regions.items()}
    seen = dict.fromkeys(names, 0)
    for point in itertools.product((1, 2, 3), (1, 2, 3, 5, 7, 10), (-9, -5, -4, -3, -2, -1), (-3, -1, 0, 1, 4)):
        values = [2.0 ** (8 * power) for power in point]  # terms of different exponents differ by far more than their number
        sizes = {name: max(math.log2(term(*values)) for term in found) for name, found in terms.items()}
        least = min(sizes.values())
        for name in names:
            smallest = sizes[name] - least < 1
            seen[name] += smallest
            assert regions[name].holds(point) == smallest, (name, point)
            assert bool(conditions[name](*values)) == smallest, (name, point)
    assert all(count or regions[name].empty for name, count in seen.items())


def test_what_is_no_rate_is_refused():
    for wrong in (sympy.log(_T), _T - _d, _T**_d, sympy.Symbol("x") * _T):
        with pytest.raises(ValueError, match="positive number times rational powers"):
            rate_of(wrong)
    with pytest.raises(ValueError, match="at least two"):
        dominance(["M1"])
    with pytest.raises(ValueError, match="nobody"):
        dominance(["M1", "nobody"])
    with pytest.raises(ValueError, match="no coefficients"):
        smallest_where({"one": rate_of(_T), "two": rate_of(_d)}, within=(sympy.Lt(4 * _alpha, 1),))
    with pytest.raises(ValueError, match="one per axis"):
        dominance(["M1", "budget"])["M1"].holds((1, 2))
