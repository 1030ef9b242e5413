"""ldp_linucb_2024: formulas beside the same quantities computed again in exact arithmetic, written from the sheet a second time.

What an algorithm computes as well is compared with the theory by the agreement audits; here stands what no algorithm computes (exact
levels, derived quantities), and every published constant once. The baselines are in recomputed_baselines.py.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import fraction, log, power, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers import balle_wang_2018
from banditproof.theory.papers.ldp_linucb_2024 import combiner, confidence, floors, learner, loss, privacy, regret, setting

F = Fraction
Formula = Callable[..., Any]
Values = Mapping[str, Any]


def computed(theorem: Theorem, formula: Formula, points: tuple[Values, ...]) -> Iterator[At]:
    """The formula at the points beside the statement."""
    for known in points:
        exact = {name: F(value) for name, value in known.items()}
        yield At(known, formula(**exact), theorem.at(**known).ball)


def profile(epsilon: F, level: F) -> Any:
    return balle_wang_2018.GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=1, sensitivity=level).ball


def noise(epsilon: F, delta: F) -> F:
    return 2 * sqrt(2 * log(F(5, 4) / delta)) / epsilon


def _level(epsilon: F, delta: F) -> F:
    """m at which the profile is delta: the calibration of sensitivity 1, inverted."""
    return 1 / fraction(balle_wang_2018.GAUSSIAN_CALIBRATION.at(epsilon=epsilon, delta=delta, sensitivity=1).ball)


def _clipping(horizon: F, failure: F, sigma: F, injected_sigma: F, parameter_norm: F, clipping_constant: F) -> F:
    many, s, added, d = log(2 * horizon / failure), sigma, injected_sigma, parameter_norm
    one = 2 * d * s + 2 * s + d * added + added
    two = 2 * d * added**2 + 4 * d * added * s + 2 * added * s + 2 * d * s**2 + 2 * s**2 + d * clipping_constant * s**2
    return 2 * sqrt(2 * many) * one + 2 * many * two + 2 * d + 2


def _extra(
    round: F,
    horizon: F,
    failure: F,
    epsilon: F,
    delta: F,
    parameter_norm: F,
    reward_sigma: F,
    injected_sigma: F,
    path: F,
    width_constant: F,
) -> F:
    many, root = log(horizon / failure), sqrt(log(1 / delta)) / epsilon
    drift = parameter_norm * injected_sigma**2 * many * sqrt(round * path)
    noise_term = (reward_sigma + parameter_norm * root + parameter_norm * injected_sigma) ** 2 * many
    return width_constant * (drift + noise_term + (root**2 + injected_sigma**2) * many * path)


def _literal(
    round: F,
    horizon: F,
    failure: F,
    epsilon: F,
    delta: F,
    parameter_norm: F,
    reward_sigma: F,
    injected_sigma: F,
    curvature: F,
    clipping: F,
    width_constant: F,
    learner_constant: F,
    path_constant: F,
) -> F:
    bend, many = curvature + injected_sigma**2, log(horizon)
    mu, product = 2 * bend, clipping * parameter_norm
    path = path_constant * ((clipping**2 / mu**2 + product / mu) * many + clipping**2 / mu**2 * log(1 / failure))
    extra = _extra(round, horizon, failure, epsilon, delta, parameter_norm, reward_sigma, injected_sigma, path, width_constant)
    return learner_constant * (clipping**2 / bend + product) * many + extra


def _prior(horizon: F) -> F:
    return 2 * log(sqrt(3) * (log(horizon) / (2 * log(2)) + 3))


def _first_rate(horizon: F, dimension: F, epsilon: F, first_constant: F) -> F:
    eighth = power(horizon, F(1, 8))
    return epsilon * eighth / (sqrt(dimension * horizon) * (first_constant * power(log(horizon), F(3, 2)) * epsilon * eighth + 1))


def _target(horizon: F, failure: F, learners: F, putative_constant: F, rate_exponent: F, combiner_rate: F, other_rates: F) -> F:
    a, q = rate_exponent, (1 - rate_exponent) / rate_exponent
    factor = power(1 - a, q) * power(1 + a, 1 / a) / power(a, q)
    second = factor * power(putative_constant, 1 / a) * horizon * power(combiner_rate, q)
    return (
        putative_constant * power(horizon, a) + second + 288 * log(horizon**3 * learners / failure) * horizon * combiner_rate + other_rates
    )


def _radius(own_rounds: F, sigma: F, horizon: F, learners: F, failure: F, radius_constant: F) -> F:
    inner = log(own_rounds) if own_rounds >= 3 else F(1)
    noise = 1 + sigma**2
    return radius_constant * sqrt(own_rounds * noise * log(horizon**3 * learners * inner * noise / failure))


def _long_path(horizon: F, dimension: F, failure: F, epsilon: F, delta: F, parameter_norm: F) -> F:
    width = sqrt(log(1 / delta) / epsilon**2 * log(horizon / failure) * parameter_norm**2 * horizon / 4)
    return width * sqrt(2 * horizon * dimension * log(1 + horizon / dimension))


def _below(point: F) -> F:
    """P(a standard normal variable < -point), by the series of the error function."""
    terms = ((-1) ** n * power(point, 2 * n + 1) / (2**n * factorial(n) * (2 * n + 1)) for n in range(120))
    return F(1, 2) - sum(terms, F(0)) / sqrt(2 * _PI)


_PI = F("3.14159265358979323846264338327950288419716939937510")
NOISE_AT = ({"epsilon": "1/5", "delta": "1/1000"}, {"epsilon": "10", "delta": "1/10"})
_BOTH = ({"epsilon": "1/5", "delta": "1/1000", "injected_sigma": "1/2"}, {"epsilon": "10", "delta": "1/10", "injected_sigma": "0"})
_SIGMA = ({"sigma": "1/2"}, {"sigma": "3"})
_G = {"clipping": "3", "parameter_norm": "2"}
_K: Values = {
    "round": 9,
    "horizon": 100,
    "failure": "1/20",
    "epsilon": "1/2",
    "delta": "1/100",
    "parameter_norm": 2,
    "reward_sigma": "1/2",
    "injected_sigma": "1/3",
}
_T4 = {"horizon": 256, "dimension": 4, "epsilon": "1/2"}
_HALF = F(1, 2)

ROWS: tuple[tuple[Theorem, Formula, tuple[Values, ...]], ...] = (
    (privacy.NOISE_SCALE, noise, NOISE_AT),
    (privacy.REWARD_SENSITIVITY, lambda: 1 - F(-1), ({},)),
    (privacy.POST_PROCESSED, lambda epsilon: epsilon, ({"epsilon": "1/3"},)),
    (privacy.PART_LEVEL, lambda sigma: 2 / sigma, _SIGMA),
    (
        privacy.MESSAGE_PROFILE,
        lambda epsilon, delta, injected_sigma: profile(
            epsilon, sqrt(4 / (noise(epsilon, delta) ** 2 + injected_sigma**2) + 4 / noise(epsilon, delta) ** 2)
        ),
        _BOTH,
    ),
    (privacy.MESSAGE_CALIBRATION, lambda epsilon, delta: sqrt(8) / _level(epsilon, delta), NOISE_AT),
    (privacy.PART_CALIBRATION, lambda epsilon, delta: 2 / _level(epsilon, delta), NOISE_AT),
    (privacy.WASTE, lambda epsilon, delta: noise(epsilon, delta) * _level(epsilon, delta) / sqrt(8), NOISE_AT),
    (
        loss.STRONG_CONVEXITY_OF,
        lambda curvature, injected_sigma: 2 * curvature + 2 * injected_sigma**2,
        ({"curvature": "1/5", "injected_sigma": "1/3"},),
    ),
    (
        loss.MINIMISER_DISTANCE,
        lambda parameter_norm, curvature, injected_sigma: parameter_norm * (1 - curvature / (curvature + injected_sigma**2)),
        ({"parameter_norm": 2, "curvature": "1/5", "injected_sigma": "1/3"},),
    ),
    (
        loss.INJECTED_VARIANCE,
        lambda curvature, curvature_threshold: sqrt(curvature_threshold) if curvature <= curvature_threshold else F(0),
        ({"curvature": "1/5", "curvature_threshold": "1/5"}, {"curvature": "1/4", "curvature_threshold": "1/5"}),
    ),
    (
        loss.CLIPPING_LENGTH,
        _clipping,
        ({"horizon": 100, "failure": "1/20", "sigma": 3, "injected_sigma": "1/3", "parameter_norm": 2, "clipping_constant": "1/2"},),
    ),
    (loss.NOISE_LENGTH, lambda dimension, sigma: sqrt(dimension * sigma**2), ({"dimension": 5, "sigma": 3},)),
    (
        confidence.EXTRA_WIDTH_OF,
        _extra,
        ({**_K, "path": 7, "width_constant": 3},),
    ),
    (
        confidence.LITERAL_WIDTH,
        _literal,
        ({**_K, "clipping": 5, "curvature": "1/5", "width_constant": 2, "learner_constant": 3, "path_constant": "1/2"},),
    ),
    (
        regret.CURVATURE_TERM_OF,
        lambda clipping, parameter_norm, curvature, injected_sigma: (
            (clipping / (curvature + injected_sigma**2)) ** 2 + clipping * parameter_norm / (curvature + injected_sigma**2)
        ),
        ({**_G, "curvature": "1/5", "injected_sigma": "1/3"},),
    ),
    (regret.REGRET_BY_LONG_PATH, _long_path, ({**_T4, "failure": "1/20", "delta": "1/100", "parameter_norm": 2},)),
    (floors.FIRST_ROUND, lambda parameter_norm: parameter_norm - (-parameter_norm), ({"parameter_norm": "1/2"},)),
    (
        setting.REGRET_BY_NORMS,
        lambda horizon, dimension, rho_max, perturbation: sqrt(dimension * horizon) * (sqrt(dimension) + sqrt(rho_max) + perturbation),
        ({"horizon": 100, "dimension": 5, "rho_max": 3, "perturbation": "1/2"},),
    ),
    (
        learner.CONVEX_RATE,
        lambda horizon, clipping, parameter_norm: 1 / (2 * clipping * 2 * parameter_norm * sqrt(horizon)),
        ({**_G, "horizon": 50},),
    ),
    (
        learner.CURVED_RATE,
        lambda expert, clipping, parameter_norm: F(1, 2**expert.numerator) / (5 * clipping * 2 * parameter_norm),
        ({**_G, "expert": 3},),
    ),
    (learner.EXPERTS_OF, lambda horizon: F(3 + 2 * next(n for n in range(99) if 4**n >= horizon)), ({"horizon": 20000}, {"horizon": 4})),
    (learner.PRIOR_CONVEX, lambda: F(1, 3), ({},)),
    (learner.STEP_CONVEX, lambda round, clipping, parameter_norm: 2 * parameter_norm / (clipping * sqrt(round)), ({**_G, "round": 7},)),
    (
        learner.STEP_STRONG,
        lambda round, learning_rate, clipping: 1 / (2 * (learning_rate * clipping) ** 2 * round),
        ({"round": 7, "learning_rate": "1/50", "clipping": 3},),
    ),
    (learner.METRIC, lambda: _HALF * min(1 / (4 * F(7, 25)), F(1)), ({},)),
    (learner.METRIC_START, lambda parameter_norm: 1 / (F(25, 56) * 2 * parameter_norm) ** 2, ({"parameter_norm": 2},)),
    (
        learner.MALER_NEWTON,
        lambda horizon, dimension, regret_variance, clipping, parameter_norm: (
            3 * sqrt(regret_variance * (_prior(horizon) + 10 * dimension * log(horizon)))
            + 10 * clipping * 2 * parameter_norm * (_prior(horizon) + 10 * dimension * log(horizon))
        ),
        ({**_G, "horizon": 100, "dimension": 5, "regret_variance": 40},),
    ),
    (combiner.FIRST_RATE, _first_rate, ({**_T4, "first_constant": 2},)),
    (
        combiner.OTHER_RATE,
        lambda horizon, dimension, epsilon, other_constant: (
            epsilon / (other_constant * power(log(horizon), F(3, 2)) * sqrt(dimension * horizon))
        ),
        ({**_T4, "other_constant": 2},),
    ),
    (
        combiner.FIRST_PUTATIVE,
        lambda horizon, dimension, epsilon, first_constant: (
            first_constant * power(log(horizon), F(3, 2)) * sqrt(dimension) * (1 + 1 / (epsilon * power(horizon, F(1, 8))))
        ),
        ({**_T4, "first_constant": 2},),
    ),
    (
        combiner.OTHER_PUTATIVE,
        lambda horizon, dimension, epsilon, guess, other_constant: (
            other_constant * power(log(horizon), F(3, 2)) * sqrt(dimension) / (epsilon * guess)
        ),
        ({**_T4, "guess": "1/2", "other_constant": 2},),
    ),
    (
        combiner.COEFFICIENT_OF,
        lambda rate_exponent: F(9, 4) if rate_exponent == _HALF else power(F(1, 3), F(1, 3)) * power(F(7, 4), F(4, 3)),
        ({"rate_exponent": "1/2"}, {"rate_exponent": "3/4"}),
    ),
    (
        combiner.TARGET,
        _target,
        (
            {
                "horizon": 256,
                "failure": "1/20",
                "learners": 3,
                "putative_constant": 5,
                "rate_exponent": "3/4",
                "combiner_rate": "1/100",
                "other_rates": 7,
            },
        ),
    ),
    (combiner.GUESS_OF, lambda horizon, learner: 2 ** (learner - 1) / power(horizon, F(1, 8)), ({"horizon": 20000, "learner": 3},)),
    (
        combiner.LEARNERS_OF,
        lambda horizon: F(1 + next(j for j in range(99) if 2 ** (8 * j) >= horizon)),
        ({"horizon": 20000}, {"horizon": 256}),
    ),
    (
        combiner.NOISY_RADIUS_OF,
        _radius,
        tuple({"own_rounds": n, "sigma": 3, "horizon": 100, "learners": 3, "failure": "1/20", "radius_constant": 2} for n in (1, 2, 3, 50)),
    ),
    (combiner.INDEX_MISSES, lambda sigma: _below(1 / sigma), ({"sigma": "1/2"}, {"sigma": "9/2"})),
    (
        combiner.SOURCE_RADIUS,
        lambda own_rounds, horizon, learners, failure: sqrt(8 * own_rounds * log(horizon**3 * learners / failure)),
        ({"own_rounds": 50, "horizon": 100, "learners": 3, "failure": "1/20"},),
    ),
    (
        combiner.EPOCH_FAILURE_OF,
        lambda horizon, failure: failure / next(n for n in range(99) if 2**n >= 2 * horizon),
        ({"horizon": 20000, "failure": "1/20"},),
    ),
    (combiner.EPOCH_THRESHOLD, lambda horizon: power(horizon, F(-1, 8)), ({"horizon": 20000},)),
)


def audit_of(theorem: Theorem, formula: Formula, points: tuple[Values, ...]) -> Pointwise:
    """The comparison of a row, for audits and their controls."""
    return Pointwise(partial(computed, theorem, formula, points), f"{len(points)} listed points", "value", Sense.EQUALS)


AUDITS = tuple(
    Audit(
        theorem.id, "points.computed_again", "the formula written from the sheet a second time, exactly", audit_of(theorem, formula, points)
    )
    for theorem, formula, points in ROWS
)
