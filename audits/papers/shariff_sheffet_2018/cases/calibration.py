"""shariff_sheffet_2018: the level of Gaussian nodes and of the tree, the noise that is calibrated for it, and the budget of a node.

Nothing is drawn. Neighbouring rows are listed with rational entries, and the level of the noise is the sum of squared changes over
variances. No mechanism of the paper is run here: its formulas are compared with exact values.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.shariff_sheffet_2018.cases.nodes import holding
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, fraction, log, sqrt
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.balle_wang_2018 import GAUSSIAN_PROFILE
from banditproof.theory.papers.shariff_sheffet_2018 import privacy

# --- Gaussian nodes ---------------------------------------------------------------------------------------------------------------------

_ENTRIES = tuple(Fraction(entry) for entry in ("-1", "-4/5", "-3/5", "0", "3/5", "4/5", "1"))
ROWS = tuple((x, y) for x, y in product(_ENTRIES, _ENTRIES) if x * x + y * y <= 1)


def change(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    """What replacing a row (x, y) moves: x^2, x y, y^2."""
    return one[0] ** 2 - other[0] ** 2, one[0] * one[1] - other[0] * other[1], one[1] ** 2 - other[1] ** 2


def squared_level(moved: tuple[Fraction, Fraction, Fraction], diagonal: int) -> Fraction:
    """mu^2 at sigma = 1: squared changes of the upper triangle over variances, `diagonal` that of the diagonal."""
    return (moved[0] ** 2 + moved[2] ** 2) / diagonal + moved[1] ** 2


def worst_level(diagonal: int) -> Fraction:
    """The largest mu over the listed pairs of rows of length at most 1, sigma = 1."""
    return sqrt(max(squared_level(change(one, other), diagonal) for one, other in product(ROWS, ROWS)))


def sensitivity(theorem: Theorem) -> Iterator[At]:
    largest = max(a * a + 2 * b * b + c * c for a, b, c in (change(one, other) for one, other in product(ROWS, ROWS)))
    for length in (Fraction(1), Fraction(3, 2)):
        yield At({"L~": length}, sqrt(largest) * length**2, theorem.at(row_norm=length).ball)


def levels(theorem: Theorem, diagonal: int) -> Iterator[At]:
    worst = worst_level(diagonal)
    for length, sigma in product((Fraction(1), Fraction(3, 2)), (Fraction(1), Fraction(10))):
        yield At({"L~": length, "sigma": sigma}, worst * length**2 / sigma, theorem.at(row_norm=length, node_sigma=sigma).ball)


_PAIRS = "pairs of rows with two entries out of 0, 3/5, 4/5, 1 and their negatives, of length at most 1"
GAUSSIAN_NODES = tuple(
    Audit(theorem.id, "points.listed_pairs", "every listed pair", Pointwise(points, _PAIRS, quantity, Sense.EQUALS))
    for theorem, points, quantity in (
        (privacy.ROW_SENSITIVITY, partial(sensitivity, privacy.ROW_SENSITIVITY), "Frobenius norm"),
        (privacy.NODE_LEVEL, partial(levels, privacy.NODE_LEVEL, 2), "mu"),
        (privacy.NODE_LEVEL_PLAIN, partial(levels, privacy.NODE_LEVEL_PLAIN, 1), "mu"),
    )
)


def tree_levels(theorem: Theorem) -> Iterator[At]:
    for horizon, sigma in product((2, 3, 8, 9, 100), (Fraction(1), Fraction(10))):
        value = sqrt(holding(horizon)) * worst_level(2) / sigma
        yield At({"n": horizon, "sigma": sigma}, value, theorem.at(horizon=horizon, row_norm=1, node_sigma=sigma).ball)


_BUDGETS = tuple(product(("1/10", "1", "8"), ("1/1000000", "1/10")))


def printed_levels(theorem: Theorem) -> Iterator[At]:
    """sqrt(m) nodes at the printed standard deviation."""
    for horizon, (epsilon, delta) in product((2, 100), _BUDGETS):
        sigma = fraction(privacy.GAUSSIAN_CALIBRATION.at(horizon=horizon, epsilon=epsilon, delta=delta, row_norm=1).ball)
        nodes = fraction(privacy.NODES_CHANGED.at(horizon=horizon).ball)
        value = sqrt(nodes) * worst_level(2) / sigma
        yield At({"n": horizon, "eps": epsilon, "delta": delta}, value, theorem.at(epsilon=epsilon, delta=delta).ball)


def profile(epsilon: Fraction | str, level: Fraction) -> Fraction:
    """The least delta at an epsilon, for a Gaussian level mu."""
    return fraction(GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=1, sensitivity=level).ball)


def least_noise(theorem: Theorem) -> Iterator[At]:
    """delta at the least standard deviation."""
    for horizon, (epsilon, delta) in product((2, 100), _BUDGETS):
        sigma = fraction(theorem.at(horizon=horizon, epsilon=epsilon, delta=delta, row_norm=1).ball)
        level = sqrt(holding(horizon)) * worst_level(2) / sigma
        yield At({"n": horizon, "eps": epsilon, "delta": delta}, profile(epsilon, level), Fraction(delta))


def waste(theorem: Theorem) -> Iterator[At]:
    for horizon, (epsilon, delta) in product((2, 100), _BUDGETS):
        known: dict[str, Any] = {"horizon": horizon, "epsilon": epsilon, "delta": delta}
        ratio = fraction(privacy.GAUSSIAN_CALIBRATION.at(row_norm=1, **known).ball) / fraction(
            privacy.EXACT_CALIBRATION.at(row_norm=1, **known).ball
        )
        yield At({"n": horizon, "eps": epsilon, "delta": delta}, ratio, theorem.at(**known).ball)


def calibrated(theorem: Theorem) -> Iterator[At]:
    """delta at the stated standard deviation of the nodes."""
    for horizon, epsilon, delta in product((2, 100), ("1/10", "1", "30", "1000"), ("1/1000000", "1/2")):
        sigma = fraction(theorem.at(horizon=horizon, epsilon=epsilon, delta=delta, row_norm=1).ball)
        level = sqrt(holding(horizon)) * worst_level(2) / sigma
        yield At({"n": horizon, "eps": epsilon, "delta": delta}, profile(epsilon, level), Fraction(delta))


def noise(theorem: Theorem) -> Iterator[At]:
    for epsilon, delta in product(("1/10", "1", "2", "5", "20"), ("1/1000000", "1/10", "1/2")):
        sigma = fraction(theorem.at(epsilon=epsilon, delta=delta, sensitivity=1).ball)
        yield At({"eps": epsilon, "delta": delta}, profile(epsilon, 1 / sigma), Fraction(delta))


_SPENT = "n 2, 100, epsilon 1/10 to 8, delta 1e-6, 1/10"
ACCOUNTING = (
    Audit(
        privacy.TREE_LEVEL.id,
        "points.listed_pairs",
        "listed pairs and enumerated nodes",
        Pointwise(partial(tree_levels, privacy.TREE_LEVEL), "n 2 to 100", "mu", Sense.EQUALS),
    ),
    Audit(
        privacy.PRINTED_LEVEL.id,
        "points.listed_pairs",
        "listed pairs, m nodes",
        Pointwise(partial(printed_levels, privacy.PRINTED_LEVEL), _SPENT, "mu", Sense.EQUALS),
    ),
    Audit(
        privacy.EXACT_CALIBRATION.id,
        "points.gaussian_profile",
        "the Gaussian profile",
        Pointwise(partial(least_noise, privacy.EXACT_CALIBRATION), _SPENT, "delta", Sense.EQUALS),
    ),
    Audit(
        privacy.WASTE.id,
        "points.printed_over_least",
        "printed over least noise",
        Pointwise(partial(waste, privacy.WASTE), _SPENT, "ratio", Sense.EQUALS),
    ),
    *(
        Audit(theorem.id, "points.gaussian_profile", "the Gaussian profile", Pointwise(partial(points, theorem), domain, "delta"))
        for theorem, points, domain in (
            (privacy.GAUSSIAN_CALIBRATION, calibrated, "n 2, 100, epsilon 1/10 to 1000, delta 1e-6, 1/2"),
            (privacy.GAUSSIAN_NOISE, noise, "epsilon 1/10 to 20, delta 1e-6 to 1/2"),
        )
    ),
    Audit(
        privacy.GAUSSIAN_CALIBRATION.id,
        "points.gaussian_profile_as_printed",
        "the Gaussian profile, as printed",
        Pointwise(
            partial(calibrated, privacy.GAUSSIAN_CALIBRATION.as_printed()), "n 2, 100, epsilon 1/10 to 1000, delta 1e-6, 1/2", "delta"
        ),
        Verdict.REFUTED,
    ),
)


# --- the budget of a node -----------------------------------------------------------------------------------------------------------------


def randomised_response(answers: int, level: Fraction, epsilon: Fraction) -> Fraction:
    """The least delta at an epsilon of that many answers of randomised response."""
    keep = exp(level) / (1 + exp(level))
    gain, grown = Fraction(0), exp(epsilon)
    for kept in range(answers + 1):
        one, other = keep**kept * (1 - keep) ** (answers - kept), (1 - keep) ** kept * keep ** (answers - kept)
        gain += comb(answers, kept) * max(Fraction(0), one - grown * other)
    return gain


def budgets(theorem: Theorem) -> Iterator[At]:
    """delta at the stated level of m answers of randomised response at the node's level."""
    for nodes, epsilon, delta in product((1, 7, 20), ("1/10", "1", "10", "100"), ("1/1000", "9/10")):
        level = Fraction(epsilon) / sqrt(8 * nodes * log(2 / Fraction(delta)))
        stated = fraction(theorem.at(nodes=nodes, epsilon=epsilon, delta=delta).ball)
        known: dict[str, Any] = {"m": nodes, "eps": epsilon, "delta": delta}
        yield At(known, randomised_response(nodes, level, stated), Fraction(delta))


BUDGET = tuple(
    Audit(
        privacy.TREE_BUDGET.id,
        f"points.randomised_response{slug}",
        f"randomised response{slug.replace('_', ' ')}",
        Pointwise(partial(budgets, theorem), "m 1, 7, 20, epsilon 1/10 to 100, delta 1/1000, 9/10", "delta"),
        expected,
    )
    for slug, theorem, expected in (
        ("", privacy.TREE_BUDGET, None),
        ("_as_printed", privacy.TREE_BUDGET.as_printed(), Verdict.REFUTED),
    )
)
