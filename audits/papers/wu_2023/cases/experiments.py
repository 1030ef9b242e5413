"""wu_2023: what Appendix A says of its rewards and of the bounds, beside integrals and arithmetic at the printed parameters.

Moments are integrals of the densities, power by power or by gamma functions: the closed forms of the statements are not used. Bounds
have 1 for their suppressed constants.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction
from banditproof.theory.language import Constants, Sense, Theorem
from banditproof.theory.papers.wu_2023 import central, elimination, experiments

ARMS, HORIZON = 11, 10**5
FRACTIONS, EPSILONS = (Fraction(1, 50), Fraction(1, 20), Fraction(1, 10)), (Fraction(1, 5), Fraction(1, 2), Fraction(1))
SHAPE, LEAST, DEGREES = 3, 40, Fraction(20017, 10000)


def pareto_moment(order: int, shift: Fraction) -> Fraction:
    """E (eta - shift)^order by its powers: with x = x_m/u the density s x_m^s/x^(s+1) becomes s u^(s-1) on (0, 1], and each power of x_m/u
    is integrated by itself."""
    powers = (Fraction(SHAPE * LEAST**power, SHAPE - power) for power in range(order + 1))
    return sum((comb(order, power) * moment * (-shift) ** (order - power) for power, moment in enumerate(powers)), Fraction(0))


def student_second_moment() -> Fraction:
    """E eta^2: with x = sqrt(nu) tan(t) the density becomes cos(t)^(nu-1) over its own integral; both are beta functions, so that it is
    nu B(3/2, nu/2 - 1)/B(1/2, nu/2)."""
    half = DEGREES / 2
    by_half, by_degrees = Fraction(1, 2), half - 1  # Gamma(3/2)/Gamma(1/2), Gamma(nu/2)/Gamma(nu/2 - 1)
    return DEGREES * by_half / by_degrees


def _means(theorem: Theorem) -> Callable[[], Iterator[At]]:
    def points() -> Iterator[At]:
        noise = pareto_moment(1, Fraction(5, 2))
        for arm in range(ARMS):
            mean = 100 - 10 * arm
            yield At({"a": arm + 1}, mean + noise, theorem.at(arm_mean=mean, shape=SHAPE, least_value=LEAST).ball)

    return points


def _pareto_variance(theorem: Theorem) -> Callable[[], Iterator[At]]:
    return lambda: iter([At({"s": SHAPE, "x_m": LEAST}, pareto_moment(2, pareto_moment(1, Fraction(0))), _pareto(theorem))])


def _pareto(theorem: Theorem) -> Any:
    return theorem.at(shape=SHAPE, least_value=LEAST).ball


def _student_variance(claimed: Callable[[], Any]) -> Callable[[], Iterator[At]]:
    return lambda: iter([At({"nu": DEGREES}, student_second_moment(), claimed())])


def _exact(theorem: Theorem, slug: str, label: str, points: Callable[[], Iterator[At]], quantity: str, printed: bool = False) -> Audit:
    method = Pointwise(points, "the printed parameters", quantity, Sense.EQUALS)
    return Audit(theorem.id, f"points.{slug}", label, method, expected=Verdict.REFUTED if printed else None)


REWARDS = (
    _exact(
        experiments.ARM_MEANS,
        "eleven_arms",
        "the means of the eleven arms",
        lambda: (
            At({"a": arm}, 100 - 10 * (arm - 1), experiments.ARM_MEANS.at(arm_index=arm, arms=ARMS).ball) for arm in range(1, ARMS + 1)
        ),
        "mean",
    ),
    _exact(
        experiments.EXPERIMENT_FAILURE,
        "rounds100000",
        "delta at T = 10^5",
        lambda: iter([At({"T": HORIZON}, Fraction("1e-5"), experiments.EXPERIMENT_FAILURE.at(horizon=HORIZON).ball)]),
        "failure",
    ),
    _exact(experiments.PARETO_MEAN, "by_powers", "means of the rewards by powers of eta", _means(experiments.PARETO_MEAN), "mean"),
    _exact(
        experiments.PARETO_MEAN,
        "as_printed",
        "as printed, means of the rewards by powers of eta",
        _means(experiments.PARETO_MEAN.as_printed()),
        "mean",
        printed=True,
    ),
    _exact(experiments.PARETO_VARIANCE, "by_powers", "by powers of eta", _pareto_variance(experiments.PARETO_VARIANCE), "variance"),
    _exact(
        experiments.PARETO_VARIANCE,
        "as_printed",
        "as printed, by powers of eta",
        _pareto_variance(experiments.PARETO_VARIANCE.as_printed()),
        "variance",
        printed=True,
    ),
    _exact(
        experiments.STUDENT_VARIANCE,
        "beta_functions",
        "by beta functions",
        _student_variance(lambda: experiments.STUDENT_VARIANCE.at(tail_degrees=DEGREES).ball),
        "variance",
    ),
    _exact(
        experiments.STUDENT_VARIANCE,
        "as_printed",
        "the printed 35, by beta functions",
        _student_variance(lambda: Fraction(35)),
        "variance",
        True,
    ),
)

# --- what is said of the bounds -----------------------------------------------------------------------------------------------------------


def _bound(theorem: Theorem, **known: Any) -> Fraction:
    """A printed bound with 1 for its constants, without its hypotheses."""
    stated = replace(theorem.stated(), constants=Constants.EXPLICIT)
    return fraction(replace(theorem, bound=stated, findings=()).at(arms=ARMS, moment=2, **known).ball)


def _proportional() -> Iterator[At]:
    """The quotient of bounds where 1/epsilon, then alpha, is five times as large, 'when T is large enough'."""
    for horizon in (10**8, 10**20):
        given = {"horizon": horizon}
        strict, loose = (_bound(elimination.REGRET_RAW, epsilon=epsilon, contamination=FRACTIONS[0], **given) for epsilon in ("1/5", "1"))
        yield At({**given, "1/epsilon": "times 5"}, strict / loose, 5)
        few, many = (_bound(elimination.REGRET_RAW, epsilon=1, contamination=alpha, **given) for alpha in (FRACTIONS[0], FRACTIONS[2]))
        yield At({**given, "alpha": "times 5"}, many / few, 5)


def _central_falls() -> Iterator[At]:
    """Theorem 6.12 at the paper's T, D = 5: at 5 % and 10 % beside 2 %."""
    for epsilon in EPSILONS:
        given = {"horizon": HORIZON, "epsilon": epsilon, "range": 5}
        least, *larger = (_bound(central.REGRET_CENTRAL, contamination=alpha, **given) for alpha in FRACTIONS)
        for alpha, bound in zip(FRACTIONS[1:], larger, strict=True):
            yield At({"epsilon": epsilon, "alpha": alpha}, bound, least)


def _first_tested(alpha: Fraction, epsilon: Fraction) -> int:
    """The batch of the first epoch of PRAE-C that is tested: 2^tau with n = 2^tau/2 at the threshold or above."""
    known: dict[str, Any] = {
        "active": ARMS,
        "epsilon": epsilon,
        "contamination": alpha,
        "range": 5,
        "bin_constant": 4_500_000,
        "failure": "1/100000",
    }
    return next(1 << tau for tau in range(1, 100) if 2**tau >= 2 * fraction(central.CENTRAL_THRESHOLD.at(epoch=tau, **known).ball))


def _batches() -> Iterator[At]:
    for alpha in FRACTIONS:
        for epsilon in EPSILONS:
            yield At({"alpha": alpha, "epsilon": epsilon}, _first_tested(alpha, epsilon), HORIZON)


BOUNDS = (
    Audit(
        experiments.PROPORTIONAL_BOUND.id,
        "points.whole_bound",
        "as printed, Theorem 6.2 at 5 times 1/epsilon and 5 times alpha, T of 10^8 and 10^20",
        Pointwise(_proportional, "11 arms, k = 2, constants 1", "quotient", Sense.EQUALS),
        expected=Verdict.REFUTED,
    ),
    Audit(
        experiments.PROPORTIONAL_BOUND.id,
        "points.central_bound",
        "Theorem 6.12 with constants 1 is smaller at 5 and 10 % than at 2 %, T = 10^5: the growth needs a larger T",
        Pointwise(_central_falls, "11 arms, k = 2, D = 5, constants 1", "bound", Sense.AT_MOST),
    ),
    Audit(
        experiments.CORROBORATION.id,
        "points.first_tested_batch",
        "PRAE-C's first tested batch with the proof's constants is above T = 10^5",
        Pointwise(_batches, "11 arms, D = 5, failure 10^-5, the nine settings", "batch", Sense.AT_LEAST),
    ),
)
