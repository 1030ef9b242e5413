"""charisopoulos_2023: bounds on the regret beside the same in exact arithmetic, written from the sheet a second time.

Horizons are powers of whole numbers, so that q = T^(1/B) and its root are exact. The chains are sums over batches here, term by term:
2 N_1 + 4 (N_2 gamma_1 + ... + N_B gamma_(B-1)), where their statements have closed forms.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from banditproof.audits.papers.charisopoulos_2023.cases.recomputed import NU, K, Row, audit_of, root_of
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import log, power, sqrt
from banditproof.theory.papers.charisopoulos_2023 import introduction, regret, regret_m2

F = Fraction
HALF = F(1, 2)


def _m1(horizon: F, dimension: F, failure: F, epsilon: F, corruption: F, m1_regret_constant: F) -> F:
    width = sqrt(log(horizon / failure))
    bracket = 1 + width / epsilon
    first = sqrt(horizon * dimension) * width * bracket
    return m1_regret_constant * (first + horizon * width * max(sqrt(corruption * dimension), corruption * dimension) * bracket)


def _m1_last(horizon: F, batches: F, dimension: F, failure: F, epsilon: F, corruption: F, m1_regret_constant: F) -> F:
    few, many = sqrt(log(1 / failure)), log(horizon / failure)
    second = horizon * max(sqrt(corruption * dimension), corruption * dimension) * (sqrt(many) + many / epsilon)
    return m1_regret_constant * (sqrt(horizon * dimension) * few * (1 + few / epsilon) + second)


def _m1_sums(horizon: F, batches: F, dimension: F, failure: F, epsilon: F, corruption: F, m1_regret_constant: F) -> F:
    """(51) term by term: q^i times what each threshold of the batch before has at most."""
    growth, few, many = root_of(horizon, batches), sqrt(log(1 / failure)), log(horizon / failure)
    total = F(0)
    for i in range(1, int(batches) + 1):
        noise = sqrt(dimension / growth ** (i - 1)) * few * (1 + few / epsilon)
        corrupted = sqrt(dimension) * (sqrt(corruption) + corruption * sqrt(dimension)) * (sqrt(many) + many / epsilon)
        total += growth**i * (noise + corrupted)
    return m1_regret_constant * total


def _chain(horizon: F, batches: F, support: F, factor: F, width: Callable[[F], F]) -> F:
    """2 N_1 + 4 sum of N_i width(q^(i-1)), N_i = factor q^i + k."""
    growth = root_of(horizon, batches)
    plays = [factor * growth**i + support for i in range(1, int(batches) + 1)]
    return 2 * plays[0] + 4 * sum((plays[i] * width(growth**i) for i in range(1, len(plays))), F(0))


def _chain_m1(
    horizon: F,
    batches: F,
    dimension: F,
    support: F,
    failure: F,
    epsilon: F,
    corruption: F,
    corruption_constant: F,
    noise_constant: F,
) -> F:
    few, many = sqrt(log(1 / failure)), log(horizon / failure)

    def width(size: F) -> F:
        replaced = sqrt(dimension) * (sqrt(many) + many / epsilon) * (sqrt(corruption) + corruption * sqrt(dimension))
        noise = sqrt(dimension / size) * few * (1 + few / epsilon)
        return corruption_constant * replaced + corruption + noise_constant * noise

    return _chain(horizon, batches, support, F(1), width)


def _chain_interval(
    horizon: F,
    batches: F,
    dimension: F,
    support: F,
    failure: F,
    epsilon: F,
    corruption: F,
    corruption_constant: F,
    noise_constant: F,
) -> F:
    few, many = sqrt(log(1 / failure)), log(horizon / failure)

    def width(size: F) -> F:
        replaced = dimension * (sqrt(corruption) + sqrt(corruption / size) * few) * (1 + sqrt(many) + many / epsilon)
        noise = sqrt(dimension / size) * few * (1 + few / epsilon)
        return corruption_constant * replaced + corruption + noise_constant * noise

    return _chain(horizon, batches, support, F(1), width)


def _chain_m2(
    horizon: F,
    batches: F,
    dimension: F,
    support: F,
    failure: F,
    epsilon: F,
    corruption: F,
    truncation_parameter: F,
    corruption_constant: F,
    noise_constant: F,
) -> F:
    few, several = log(1 / failure), log(support / failure)

    def width(size: F) -> F:
        least = truncation_parameter * size
        noise = sqrt(dimension * few / least) * (1 + sqrt(few / least) / epsilon)
        bracket = 1 + sqrt(several / least) + several / (least * epsilon)
        replaced = 2 * dimension * bracket * (sqrt(support * corruption) + sqrt(corruption * few))
        return noise_constant * noise + corruption_constant * replaced + corruption

    return _chain(horizon, batches, support, 1 + truncation_parameter * support, width)


def _m2_sums(
    horizon: F,
    batches: F,
    dimension: F,
    support: F,
    failure: F,
    epsilon: F,
    corruption: F,
    truncation_parameter: F,
) -> F:
    """(59) with (55), term by term."""
    growth, few, several = root_of(horizon, batches), log(1 / failure), log(support / failure)
    total = F(0)
    for i in range(int(batches)):
        size = growth**i
        least = truncation_parameter * size
        noise = sqrt(dimension * few / least) * (1 + sqrt(few / least) / epsilon)
        bracket = 1 + sqrt(several / least) + several / (least * epsilon)
        total += size * (noise + 2 * dimension * bracket * (sqrt(support * corruption) + sqrt(corruption * few)) + corruption)
    return 4 * growth * (1 + truncation_parameter * support) * total


def _theorem_m2(
    nu_power: F,
    factor: Callable[[F], F],
    horizon: F,
    dimension: F,
    failure: F,
    epsilon: F,
    corruption: F,
    truncation_parameter: F,
    m2_regret_constant: F,
) -> F:
    """Theorem 3.9 with d log log d for the support."""
    support, nu, few = dimension * log(log(dimension)), truncation_parameter, log(1 / failure)
    several, rounds = log(support / failure), log(horizon)
    private = few * rounds * sqrt(dimension) / (epsilon * power(nu, nu_power))
    noise = (1 + nu * support) * (sqrt(dimension * horizon * few / nu) + private)
    bracket = horizon + sqrt(horizon * several / nu) + several * rounds / (nu * epsilon)
    replaced = factor(dimension) * (sqrt(corruption * support) + sqrt(corruption * few)) * bracket
    return m2_regret_constant * (noise + replaced + corruption * horizon)


def _m2_by_support(
    horizon: F,
    batches: F,
    dimension: F,
    support: F,
    failure: F,
    epsilon: F,
    corruption: F,
    truncation_parameter: F,
    m2_regret_constant: F,
) -> F:
    nu, few, several = truncation_parameter, log(1 / failure), log(support / failure)
    once = 1 + nu * support
    noise = once * (sqrt(dimension * horizon * few / nu) + few * batches * sqrt(dimension) / (epsilon * nu))
    bracket = horizon + once * (sqrt(horizon * several / nu) + several * batches / (nu * epsilon))
    replaced = 2 * dimension * (sqrt(corruption * support) + sqrt(corruption * few)) * bracket
    return m2_regret_constant * (noise + replaced + corruption * horizon)


def _inserted(nu_power: F, horizon: F, dimension: F, corruption: F, epsilon: F) -> F:
    """Theorem 3.9 at nu = 1/d and k = d, all logarithms 1."""
    nu, once = 1 / dimension, F(2)
    noise = once * (sqrt(dimension * horizon / nu) + sqrt(dimension) / (epsilon * power(nu, nu_power)))
    bracket = horizon + sqrt(horizon / nu) + 1 / (nu * epsilon)
    return noise + 2 * dimension * (sqrt(corruption * dimension) + sqrt(corruption)) * bracket + corruption * horizon


_RUN = {"horizon": 1024, "dimension": 5, "failure": "1/1000", "epsilon": "1/2", "corruption": "1/100"}
_MANY = {"horizon": 10**8, "dimension": 20, "failure": "1e-9", "epsilon": 4, "corruption": "1/5"}
_C34, _C39 = {"m1_regret_constant": 3}, {"m2_regret_constant": 3}
_ONE = {"batches": 5}  # q = 4
_WIDTHS = {"corruption_constant": 2, "noise_constant": 3}
_EIGHT = {**_MANY, "batches": 8}  # q = 10
_RATES = tuple({name: value for name, value in known.items() if name != "failure"} for known in (_RUN, _MANY))
ROWS: tuple[Row, ...] = (
    (regret.REGRET_M1, _m1, ({**_RUN, **_C34}, {**_MANY, **_C34})),
    (regret.REGRET_M1_LAST_LINE, _m1_last, ({**_RUN, "batches": 9, **_C34}, {**_MANY, "batches": 30, **_C34})),
    (regret.REGRET_M1_SUMS, _m1_sums, ({**_RUN, **_ONE, **_C34}, {**_EIGHT, **_C34})),
    (regret.CHAIN_M1, _chain_m1, ({**_RUN, **_ONE, **K, **_WIDTHS}, {**_EIGHT, **K, **_WIDTHS})),
    (regret.CHAIN_M1_BY_INTERVAL, _chain_interval, ({**_RUN, **_ONE, **K, **_WIDTHS}, {**_EIGHT, **K, **_WIDTHS})),
    (regret_m2.CHAIN_M2, _chain_m2, ({**_RUN, **_ONE, **K, **NU, **_WIDTHS}, {**_EIGHT, **K, **NU, **_WIDTHS})),
    (regret_m2.REGRET_M2_SUMS, _m2_sums, ({**_RUN, **_ONE, **K, **NU}, {**_EIGHT, **K, **NU})),
    (regret_m2.REGRET_M2_BY_SUPPORT, _m2_by_support, ({**_RUN, **_ONE, **K, **NU, **_C39}, {**_EIGHT, **K, **NU, **_C39})),
    *(
        (theorem, partial(_theorem_m2, nu_power, factor), ({**_RUN, **NU, **_C39}, {**_MANY, **NU, **_C39}))
        for theorem, nu_power, factor in (
            (regret_m2.REGRET_M2, HALF, lambda dimension: 2 * dimension),
            (regret_m2.REGRET_M2_FACTOR, HALF, lambda dimension: F(2)),
            (regret_m2.REGRET_M2_POWER, F(1), lambda dimension: 2 * dimension),
        )
    ),
    (introduction.INSERTED_M2, partial(_inserted, HALF), _RATES),
    (introduction.INSERTED_M2_POWER, partial(_inserted, F(1)), _RATES),
)

RECOMPUTED = tuple(
    Audit(theorem.id, "points.recomputed", "its formula, written a second time", audit_of(theorem, formula, points))
    for theorem, formula, points in ROWS
)
