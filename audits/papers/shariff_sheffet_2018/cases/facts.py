"""shariff_sheffet_2018: the quoted facts beside exact tails, and the regret and potential of one feature beside their bounds.

For one column the singular value of a Gaussian matrix is a chi-square length, whose tails are exact sums for even degrees of freedom. The
learner played here is written from Algorithm 1 alone, with one feature, a ridge, and rewards without noise.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, comb
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.shariff_sheffet_2018.cases.long_actions import ordinary
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import chi_square_above, exp, fraction, log, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import confidence, facts, gaussian, privacy, regret, setting, wishart

# --- Gaussian matrices with one column ------------------------------------------------------------------------------------------------

_FAILURES = ("1/2", "1/10", "1/1000")


def _beyond(lengths: tuple[Fraction, Fraction], degrees: int) -> Fraction:
    """P(length < low or length > high) for a Gaussian vector with an even number of entries."""
    low, high = lengths
    below = 1 - chi_square_above(low**2, degrees) if low > 0 else Fraction(0)
    return below + chi_square_above(high**2, degrees)


def singular(least: Theorem, largest: Theorem) -> Iterator[At]:
    for rows, failure in product((2, 4, 10, 40), _FAILURES):
        known: dict[str, Any] = {"matrix_rows": rows, "dimension": 1, "failure": failure}
        ends = tuple(fraction(theorem.at(**known).ball) for theorem in (least, largest))
        yield At({"N": rows, "alpha": failure}, _beyond((ends[0], ends[1]), rows), Fraction(failure))


def eigenvalue(least: Theorem, largest: Theorem) -> Iterator[At]:
    for degrees, failure, variance in product((40, 100), ("1/3", "1/10", "1/1000"), ("1", "9/4")):
        known: dict[str, Any] = {"wishart_degrees": degrees, "dimension": 1, "variance": variance, "failure": failure}
        ends = [fraction(theorem.at(**known).ball) / Fraction(variance) for theorem in (least, largest)]
        yield At({"k": degrees, "alpha": failure}, _beyond((sqrt(ends[0]), sqrt(ends[1])), degrees), Fraction(failure))


def length_beyond(theorem: Theorem) -> Iterator[At]:
    for degrees, failure in product((2, 4, 10, 40), _FAILURES):
        bound = fraction(theorem.at(degrees=degrees, failure=failure).ball)
        yield At({"d": degrees, "alpha": failure}, chi_square_above(bound**2, degrees), Fraction(failure))


def shifted(theorem: Theorem) -> Iterator[At]:
    """A matrix with eigenvalues rho and 3 rho, and a vector along one of them or between."""
    for rho, proportion, first in product((Fraction(1), Fraction(1, 7)), (Fraction(0), Fraction(1, 3), Fraction(9, 10)), (0, 1, 2)):
        shift, second = proportion * rho, 2 - first
        after = first / (rho - shift) + second / (3 * rho - shift)
        value = sqrt(after / (first / rho + second / (3 * rho)))
        yield At({"rho": rho, "c": shift, "v": f"{first}, {second}"}, value, theorem.at(rho_min=rho, shift=shift).ball)


_ONE_COLUMN = "one column, N or k even from 2 to 100, alpha 1/2 to 1/1000"
QUOTED = (
    *(
        Audit(
            theorem.id,
            "points.one_column",
            "one column, exactly",
            Pointwise(partial(singular, facts.SINGULAR_LEAST, facts.SINGULAR_LARGEST), _ONE_COLUMN, "probability outside"),
        )
        for theorem in (facts.SINGULAR_LEAST, facts.SINGULAR_LARGEST)
    ),
    *(
        Audit(
            theorem.id,
            "points.one_column",
            "one column, exactly",
            Pointwise(partial(eigenvalue, facts.EIGENVALUE_LEAST, facts.EIGENVALUE_LARGEST), _ONE_COLUMN, "probability outside"),
        )
        for theorem in (facts.EIGENVALUE_LEAST, facts.EIGENVALUE_LARGEST)
    ),
    Audit(
        facts.CHI_LENGTH.id,
        "points.even_degrees",
        "even degrees, exactly",
        Pointwise(partial(length_beyond, facts.CHI_LENGTH), "d 2 to 40, alpha 1/2 to 1/1000", "tail probability"),
    ),
    Audit(
        facts.SHIFTED_NORM.id,
        "points.two_eigenvalues",
        "two eigenvalues",
        Pointwise(partial(shifted, facts.SHIFTED_NORM), "rho 1, 1/7, c 0 to 9 rho/10", "ratio of norms"),
    ),
)

# --- one feature --------------------------------------------------------------------------------------------------------------------------


def potential(squares: tuple[Fraction, ...], start: Fraction) -> tuple[Fraction, Fraction]:
    """The elliptical potential of actions with these squared lengths on one line, and the last matrix."""
    matrix, total = start, Fraction(0)
    for square in squares:
        total += min(Fraction(1), square / matrix)
        matrix += square
    return total, matrix


def potentials(theorem: Theorem) -> Iterator[At]:
    """All actions of the largest length on one line, and lengths that double."""
    for start, rounds in product((Fraction(1, 10**6), Fraction(1, 3), Fraction(1), Fraction(20)), (1, 2, 7, 30)):
        for name, squares in (("equal", (Fraction(1),) * rounds), ("doubling", tuple(Fraction(1, 4**j) for j in range(rounds))[::-1])):
            total, last = potential(squares, start)
            yield At({"U_1": start, "n": rounds, "lengths": name}, total, _claimed(theorem, start, rounds, last))


def _claimed(theorem: Theorem, start: Fraction, rounds: int, last: Fraction) -> Fraction:
    if theorem.id == regret.POTENTIAL_DETERMINANT.id:
        return fraction(theorem.at(log_determinant=log(last), start_determinant=start).ball)
    return fraction(theorem.at(horizon=rounds, dimension=1, context_norm=1, start_trace=start, start_determinant=start).ball)


POTENTIALS = tuple(
    Audit(
        theorem.id,
        "points.one_line",
        "actions on one line",
        Pointwise(partial(potentials, theorem), "U_1 1e-6 to 20, n 1 to 30, lengths at most 1", "potential"),
    )
    for theorem in (regret.POTENTIAL_DETERMINANT, regret.POTENTIAL_TRACE, regret.POTENTIAL_SHARP)
)


def first_round(length: Fraction) -> Fraction:
    """The regret of round 1 where the parameter is -1: actions `length` and a little less on the other side. The estimate is 0, so the
    longer action is played."""
    return length + length * Fraction(999, 1000)


def _known(length: Fraction, ridge: str, sigma: str) -> dict[str, Any]:
    return {
        "horizon": 1,
        "dimension": 1,
        "mean_bound": length,
        "context_norm": length,
        "parameter_norm": 1,
        "reward_sigma": sigma,
        "rho_min": ridge,
        "rho_max": ridge,
        "perturbation": 0,
        "failure": "1/2",
    }


_ROUNDS = tuple(product((Fraction(1), Fraction(20), Fraction(1000)), ("1/100", "1", "100"), ("1/1000", "1")))


def first_rounds(theorem: Theorem) -> Iterator[At]:
    for length, ridge, sigma in _ROUNDS:
        cost = first_round(length)
        known = _known(length, ridge, sigma) | ({"minimum_gap": cost} if theorem.id.endswith("gap") else {})
        yield At({"B": length, "rho": ridge, "sigma": sigma}, cost, theorem.at(**known).ball)
    yield from ordinary(theorem)


_FIRST = "round 1, B = L = 1, 20, 1000, ridge 1/100 to 100, sigma 1/1000, 1; n 1000, 10000, d 4, 9, ridge 1e-6, 1, sigma 1e-5, 1, B to 1e6"
FIRST_ROUNDS = tuple(
    Audit(
        theorem.id,
        f"points.round1_{name.replace(' ', '_')}",
        f"round 1 of one feature, and 1000 rounds or more of four and nine, {name}",
        Pointwise(partial(first_rounds, stated), _FIRST, "regret"),
        expected,
    )
    for theorem in (regret.REGRET, regret.REGRET_GAP)
    for name, stated, expected in (("repaired", theorem, None), ("as printed", theorem.as_printed(), Verdict.REFUTED))
)


def noise(theorem: Theorem) -> Iterator[At]:
    """Two rows 1 on one line, rewards off by a coin of +-1, which is 1-sub-Gaussian: how often |z| exceeds the bound."""
    for ridge, failure in product((Fraction(1), Fraction(1, 100)), ("1/2", "1/10")):
        rows = 12
        last = rows + ridge
        radius = fraction(theorem.at(reward_sigma=1, failure=failure, log_determinant=log(last), dimension=1, rho_min=ridge).ball)
        outside = chances_of_walk(rows, radius**2 * last)
        yield At({"rho": ridge, "alpha": failure}, outside, Fraction(failure) / 2)


def chances_of_walk(steps: int, square: Fraction) -> Fraction:
    """P(S^2 > square) for the sum S of that many fair coins of +-1."""
    return Fraction(sum(comb(steps, up) for up in range(steps + 1) if (2 * up - steps) ** 2 > square), 2**steps)


NOISE = (
    Audit(
        confidence.MARTINGALE_NOISE.id,
        "points.twelve_coins",
        "twelve coins on one line",
        Pointwise(partial(noise, confidence.MARTINGALE_NOISE), "round 13, 12 rows of length 1, ridge 1 and 1/100", "probability outside"),
    ),
)

# --- vacuity ----------------------------------------------------------------------------------------------------------------------------

EXPERIMENT: dict[str, Any] = {
    "dimension": 5,
    "row_norm": Fraction(141421356, 10**8),
    "mean_bound": 1,
    "context_norm": 1,
    "parameter_norm": 1,
    "reward_sigma": 1,
}


def degrees_of_experiment(horizon: int) -> int:
    """k of section 4.1 for d = 5, epsilon = 1, delta = 1/10."""
    return ceil(privacy.WISHART_CALIBRATION.at(horizon=horizon, dimension=5, epsilon=1, delta="1/10").low)


def experiment(theorem: Theorem, horizon: int) -> float:
    """A regret bound at the parameters of section D.2, alpha = 1/n; the gap, where there is one, is 1/10."""
    gap: dict[str, Any] = {"minimum_gap": "1/10"} if theorem.id.endswith("gap_explicit") else {}
    private: dict[str, Any] = (
        {"wishart_degrees": degrees_of_experiment(horizon)} if "wishart" in theorem.id else {"epsilon": 1, "delta": "1/10"}
    )
    return theorem.at(horizon=horizon, failure=Fraction(1, horizon), **EXPERIMENT, **private, **gap).bound


VACUITY = tuple(
    Audit(
        theorem.id,
        f"vacuity.{swept(below=1.5)}",
        "from which horizon it says anything, section D.2",
        Vacuity(
            lambda horizon, theorem=theorem: experiment(theorem, horizon),  # type: ignore[misc]
            1.5,
            parameters={"d": 5, "epsilon": 1, "delta": "1/10", "failure": "1/n", "gap": "1/10"},
        ),
    )
    for theorem in (
        wishart.REGRET_WISHART_EXPLICIT,
        wishart.REGRET_WISHART_GAP_EXPLICIT,
        gaussian.REGRET_GAUSSIAN_EXPLICIT,
        gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT,
    )
)

# --- post-processing --------------------------------------------------------------------------------------------------------------------


def learner(theorem: Theorem) -> Iterator[At]:
    """Round 1's reward sign is released by randomised response at epsilon; action 2 is any function of it, randomised or not: the largest
    log ratio of its two distributions."""
    for epsilon, one, other in product(("1/10", "1", "4"), ("0", "1/3", "1"), ("0", "1/2", "1")):
        keep = exp(Fraction(epsilon)) / (1 + exp(Fraction(epsilon)))
        first, second = Fraction(one), Fraction(other)  # probability of action 1 for either release
        distributions = [proportion * first + (1 - proportion) * second for proportion in (keep, 1 - keep)]
        pairs = [
            (a, b)
            for distribution in (distributions, [1 - proportion for proportion in distributions])
            for a, b in (distribution, distribution[::-1])
            if b > 0
        ]
        value = max(log(a / b) if a > 0 else Fraction(-(10**6)) for a, b in pairs)
        claimed = theorem.at(epsilon=epsilon).ball
        yield At({"epsilon": epsilon, "action 1 after +": one, "after -": other}, value, claimed)


LEARNER = (
    Audit(
        setting.LEARNER_PRIVACY.id,
        "points.action_laws",
        "two rounds, every action distribution of a grid",
        Pointwise(partial(learner, setting.LEARNER_PRIVACY), "epsilon 1/10, 1, 4; nine distributions", "log ratio", Sense.AT_MOST),
    ),
)
