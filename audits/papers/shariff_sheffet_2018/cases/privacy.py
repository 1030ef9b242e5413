"""shariff_sheffet_2018: counts of nodes, levels of Gaussian and Wishart nodes, regularisers and lower bounds beside exact values.

Nothing is drawn. Neighbouring rows are listed with rational entries, the noise's level is the sum of squared changes over variances, tails
of chi-square laws are exact sums for even degrees of freedom. No mechanism of the paper is run here: what is compared are its formulas.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, comb, factorial
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.rates import Rates
from banditproof.audits.running.registry import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import chi_square_above, exp, fraction, log, sqrt
from banditproof.glossary import ARMS, EPSILON, HORIZON
from banditproof.theory.language import Constants, Sense, Theorem
from banditproof.theory.papers.balle_wang_2018 import GAUSSIAN_PROFILE
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, lower_bound, privacy, wishart

# --- nodes ----------------------------------------------------------------------------------------------------------------------------

_HORIZONS = (*range(1, 70), 127, 128, 129, 1000)


def released(horizon: int) -> set[tuple[int, int]]:
    """The nodes (first row, last row) that some prefix of at most n - 1 rows adds: the binary digits of its length."""
    nodes = set()
    for rows in range(1, horizon):
        start = 0
        for level in reversed(range(rows.bit_length())):
            if rows >> level & 1:
                nodes.add((start + 1, start + 2**level))
                start += 2**level
    return nodes


def holding(horizon: int) -> int:
    """The most released nodes that hold one row."""
    nodes = released(horizon)
    return max((sum(first <= row <= last for first, last in nodes) for row in range(1, horizon)), default=0)


def nodes(count: Callable[[int], int], theorem: Theorem) -> Iterator[At]:
    for horizon in _HORIZONS:
        yield At({"n": horizon}, count(horizon), theorem.at(horizon=horizon).ball)


def summed(horizon: int) -> int:
    """The most nodes that one prefix of at most n - 1 rows adds."""
    return max((rows.bit_count() for rows in range(horizon)), default=0)


_ALL = "n 1 to 69, 127 to 129, 1000, by enumeration"
NODES = (
    Audit(
        privacy.NODES_SUMMED.id,
        "points.every_prefix",
        "every prefix",
        Pointwise(partial(nodes, summed, privacy.NODES_SUMMED), _ALL, "nodes summed"),
    ),
    Audit(
        privacy.NODES_CHANGED.id,
        "points.every_row",
        "every row",
        Pointwise(partial(nodes, holding, privacy.NODES_CHANGED), _ALL, "nodes that hold a row"),
    ),
    Audit(
        privacy.NODES_RELEASED.id,
        "points.every_row",
        "every row",
        Pointwise(partial(nodes, holding, privacy.NODES_RELEASED), _ALL, "released nodes that hold a row", Sense.EQUALS),
    ),
)


def degrees_of_rounds(theorem: Theorem) -> Iterator[At]:
    """The least degrees of freedom over all rounds: those of round 1."""
    for horizon in (1, 8, 100):
        least = min(rows.bit_count() for rows in range(horizon)) * 50
        yield At({"n": horizon, "k": 50}, least, theorem.at(horizon=horizon, wishart_degrees=50).ball)


SUMS = tuple(
    Audit(
        wishart.DEGREES_OF_SUM.id,
        f"points.unpadded_{name.replace(' ', '_')}",
        f"every round without padding, {name}",
        Pointwise(partial(degrees_of_rounds, theorem), "n 1, 8, 100, k 50", "degrees of freedom", Sense.AT_LEAST),
        expected,
    )
    for name, theorem, expected in (
        ("repaired", wishart.DEGREES_OF_SUM, None),
        ("as printed", wishart.DEGREES_OF_SUM.as_printed(), Verdict.REFUTED),
    )
)

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


BUDGET = (
    Audit(
        privacy.TREE_BUDGET.id,
        "points.randomised_response",
        "randomised response",
        Pointwise(partial(budgets, privacy.TREE_BUDGET), "m 1, 7, 20, epsilon 1/10 to 100, delta 1/1000, 9/10", "delta"),
    ),
)

# --- Wishart nodes ------------------------------------------------------------------------------------------------------------------------


def shown(degrees: int, features: int) -> Fraction:
    """The probability that a release for a row 0 is none that a full row can have: chi-square with nu = k - d degrees below 1, a series
    from nu/2 on, for even nu. For odd nu that of nu + 1, which is smaller; beyond 120 degrees that of 120, which is larger (1e-99)."""
    half = min((degrees - features + 1) // 2, 60)
    return exp(Fraction(-1, 2)) * sum((Fraction(1, 2**term * factorial(term)) for term in range(half, half + 40)), Fraction(0))


def floors(theorem: Theorem) -> Iterator[At]:
    for degrees, features in product((4, 6, 10, 20), (2, 4)):
        if degrees > features:
            claimed = theorem.at(wishart_degrees=degrees, dimension=features).ball
            yield At({"k": degrees, "d": features}, shown(degrees, features), claimed)


def wishart_shows(theorem: Theorem, levels: tuple[str, ...], deltas: tuple[str, ...]) -> Iterator[At]:
    """What no epsilon hides at the stated degrees of freedom, rounded up."""
    for features, epsilon, delta in product((1, 5), levels, deltas):
        degrees = ceil(fraction(theorem.at(dimension=features, epsilon=epsilon, delta=delta).ball))
        yield At({"d": features, "eps": epsilon, "delta": delta}, shown(degrees, features), Fraction(delta))


def wishart_tree_shows(theorem: Theorem) -> Iterator[At]:
    """The same for the block that is used, d by d, and the first release with all m matrices."""
    for features, epsilon, delta in product((1, 5), ("1/2", "5", "10000"), ("1/1000", "1/1000000")):
        degrees = ceil(fraction(theorem.at(horizon=2, dimension=features, epsilon=epsilon, delta=delta).ball))
        yield At({"d": features, "eps": epsilon, "delta": delta}, shown(2 * degrees + 1, features), Fraction(delta))


_ROWS_SHOWN = "probability that the row shows"
_ANY = ("1/2", "6", "100")
WISHART_NODES = (
    Audit(
        privacy.WISHART_FLOOR.id,
        "points.even_degrees",
        "even degrees, exactly",
        Pointwise(partial(floors, privacy.WISHART_FLOOR), "k - d even, 2 to 18", _ROWS_SHOWN, Sense.AT_LEAST),
    ),
    Audit(
        privacy.WISHART_PRIVACY_QUOTED.id,
        "points.row_shows",
        "what no epsilon hides",
        Pointwise(
            partial(wishart_shows, privacy.WISHART_PRIVACY_QUOTED, ("1/10", "1/2", "99/100"), ("1/100", "1/3")),
            "epsilon below 1",
            _ROWS_SHOWN,
        ),
    ),
    *(
        Audit(
            privacy.WISHART_PRIVACY.id,
            f"points.row_shows_{name.replace(' ', '_')}",
            f"what no epsilon hides, {name}",
            Pointwise(partial(wishart_shows, stated, _ANY, ("1/100", "1/2")), "epsilon 1/2, 6, 100, d 1, 5", _ROWS_SHOWN),
            expected,
        )
        for name, stated, expected in (
            ("repaired", privacy.WISHART_PRIVACY, None),
            ("as printed", privacy.WISHART_PRIVACY.as_printed(), Verdict.REFUTED),
        )
    ),
    Audit(
        privacy.WISHART_CALIBRATION.id,
        "points.row_shows",
        "what no epsilon hides",
        Pointwise(partial(wishart_tree_shows, privacy.WISHART_CALIBRATION), "epsilon 1/2 to 10000, d 1, 5", _ROWS_SHOWN),
    ),
)

# --- regularisers -------------------------------------------------------------------------------------------------------------------------

_CASES = ((1, 4, "1/10"), (1, 40, "1/10"), (1, 600, "1/100"), (8, 100, "1/2"))  # n, k, alpha; m k is even


def eigenvalues(theorem: Theorem, upper: bool, shifted: bool) -> Iterator[At]:
    """One feature: the eigenvalue is a chi-square variable with m k degrees, less the shift. The bound fails in one round with at most
    alpha/(2 n)."""
    for horizon, degrees, failure in _CASES:
        known: dict[str, Any] = {"horizon": horizon, "dimension": 1, "wishart_degrees": degrees, "row_norm": 1, "failure": failure}
        every = int(fraction(privacy.NODES_CHANGED.at(horizon=horizon).ball)) * degrees
        level = fraction(theorem.at(**known).ball)
        if shifted:
            level += fraction(wishart.SHIFT_OF_WISHART.at(**known).ball)
        above = chi_square_above(level, every)
        yield At({"n": horizon, "k": degrees, "alpha": failure}, above if upper else 1 - above, Fraction(failure) / (2 * horizon))


_CHI = "one feature, n 1, 8, k 4 to 600"
REGULARISERS = (
    *(
        Audit(
            theorem.id,
            "points.one_feature",
            "one feature",
            Pointwise(partial(eigenvalues, theorem, False, shifted), _CHI, "probability below"),
        )
        for theorem, shifted in ((wishart.WISHART_RHO_MIN, False), (wishart.SHIFTED_RHO_MIN, True))
    ),
    *(
        Audit(
            theorem.id,
            "points.one_feature",
            "one feature",
            Pointwise(partial(eigenvalues, theorem, True, shifted), _CHI, "probability above"),
        )
        for theorem, shifted in ((wishart.WISHART_RHO_MAX, False), (wishart.SHIFTED_RHO_MAX, True))
    ),
)


def perturbations(theorem: Theorem) -> Iterator[At]:
    """Two and more features: |h| in the norm of the unshifted inverse is a chi-square length; the shift takes at most Claim 20's factor."""
    for features, horizon, degrees, failure in product((2, 4, 10), (1, 100), (30_000,), ("1/2", "1/100")):
        known: dict[str, Any] = {"horizon": horizon, "dimension": features, "wishart_degrees": degrees, "row_norm": 1, "failure": failure}
        bound, low = (fraction(item.at(**known).ball) for item in (theorem, wishart.WISHART_RHO_MIN))
        below = fraction(wishart.SHIFTED_RHO_MIN.at(**known).ball)
        spent = chi_square_above(bound**2 * below / low, features)
        yield At({"d": features, "n": horizon, "alpha": failure}, spent, Fraction(failure) / (2 * horizon))


def gaussian_eigenvalues(theorem: Theorem, times: int) -> Iterator[At]:
    """One feature: the noise is Gaussian with variance 2 m sigma^2, and its distance from 2 Upsilon is Upsilon at either bound."""
    for horizon, failure in product((1, 2, 100), ("1/2", "1/1000")):
        known: dict[str, Any] = {"horizon": horizon, "dimension": 1, "epsilon": 1, "delta": "1/10", "row_norm": 1, "failure": failure}
        upsilon = fraction(gaussian.UPSILON_OF_NOISE.at(**known).ball)
        sigma = fraction(privacy.GAUSSIAN_CALIBRATION.at(horizon=horizon, epsilon=1, delta="1/10", row_norm=1).ball)
        nodes = fraction(privacy.NODES_CHANGED.at(horizon=horizon).ball)
        distance = abs(fraction(theorem.at(**known).ball) - 2 * upsilon) / (sigma * sqrt(2 * nodes))
        tail = exp(-(distance**2) / 2) / 2  # at least P(N > distance)
        yield At({"n": horizon, "alpha": failure, "times": times}, tail, Fraction(failure) / (2 * horizon))


GAUSSIAN_REGULARISERS = tuple(
    Audit(
        theorem.id,
        "points.one_feature",
        "one feature",
        Pointwise(partial(gaussian_eigenvalues, theorem, times), "one feature, n 1, 2, 100, alpha 1/2, 1/1000", "probability beyond"),
    )
    for theorem, times in ((gaussian.GAUSSIAN_RHO_MIN, 1), (gaussian.GAUSSIAN_RHO_MAX, 3))
)


def closed_forms(theorem: Theorem) -> Iterator[At]:
    """The last round of n = 2^i, which sums m - 1 nodes: how often |h| exceeds the bound even where H is as large as 3 Upsilon, which it is
    but for a probability below exp(-2 (sqrt(d) + log(2 n/alpha))^2)."""
    for horizon, features, delta, failure in product((16, 1024), (4, 100), ("1/10", "1/1000000"), ("1/2", "1/20")):
        known: dict[str, Any] = {"epsilon": 1, "delta": delta, "row_norm": 1, "horizon": horizon}
        bound = fraction(theorem.at(dimension=features, failure=failure, **known).ball)
        upsilon = fraction(gaussian.UPSILON_OF_NOISE.at(dimension=features, failure=failure, **known).ball)
        variance = summed(horizon) * fraction(privacy.GAUSSIAN_CALIBRATION.at(**known).ball) ** 2
        exceeded = chi_square_above(bound**2 * 3 * upsilon / variance, features)
        large = exp(-2 * (sqrt(features) + log(Fraction(2 * horizon) / Fraction(failure))) ** 2)
        yield At({"n": horizon, "d": features, "delta": delta, "alpha": failure}, exceeded - large, Fraction(failure))


CLOSED_FORMS = tuple(
    Audit(
        gaussian.GAUSSIAN_PERTURBATION_CLOSED.id,
        f"points.last_round_{name.replace(' ', '_')}",
        f"the last round, {name}",
        Pointwise(partial(closed_forms, stated), "n 16, 1024, d 4, 100, delta 1/10, 1e-6, alpha 1/2, 1/20", "probability above, at least"),
        expected,
    )
    for name, stated, expected in (
        ("repaired", gaussian.GAUSSIAN_PERTURBATION_CLOSED, None),
        ("as printed", gaussian.GAUSSIAN_PERTURBATION_CLOSED.as_printed(), Verdict.REFUTED),
    )
)

PERTURBATIONS = (
    Audit(
        wishart.SHIFTED_PERTURBATION_HALF.id,
        "points.even_features",
        "even features, with Claim 20",
        Pointwise(partial(perturbations, wishart.SHIFTED_PERTURBATION_HALF), "d 2, 4, 10, n 1, 100, k 30000", "probability above"),
    ),
)

# --- lower bounds -------------------------------------------------------------------------------------------------------------------------

_GRID = tuple(Fraction(share, 20) for share in range(21))


def choices(theorem: Theorem) -> Iterator[At]:
    """The least regret of a round over all private pairs of choices on a grid."""
    for epsilon, delta in product(("1/100", "1/3", "69/100"), ("1/1000", "1/5")):
        grown, slack = exp(Fraction(epsilon)), Fraction(delta)
        least = min(1 - one + other for one, other in product(_GRID, _GRID) if private_pair(one, other, grown, slack))
        known: dict[str, Any] = {"horizon": 1, "epsilon": epsilon, "delta": delta}
        yield At({"eps": epsilon, "delta": delta}, least, theorem.at(**known).ball)


def private_pair(one: Fraction, other: Fraction, grown: Fraction, slack: Fraction) -> bool:
    """Whether choices of arm 1 with these probabilities are (epsilon, delta)-close, both arms and both ways."""
    return all(a <= grown * b + slack for a, b in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)))


def redrawn(theorem: Theorem) -> Iterator[At]:
    """Rewards 1 with probability TV or 0; a policy answers with a probability that grows by exp(epsilon) with each of them."""
    for epsilon, variation, draws in product(("1/10", "1", "4"), ("1/100", "1/2"), (1, 5)):
        ratio = counted(epsilon, variation, draws)
        known: dict[str, Any] = {"epsilon": epsilon, "total_variation": variation, "samples": draws}
        yield At({"eps": epsilon, "TV": variation, "t": draws}, ratio, theorem.at(**known).ball)


def counted(epsilon: str, variation: str, draws: int) -> Fraction:
    """The mean of exp(epsilon times the number of ones) where ones have probability TV; with none it is 1."""
    share = Fraction(variation)
    return sum(
        (comb(draws, ones) * share**ones * (1 - share) ** (draws - ones) * exp(Fraction(epsilon) * ones) for ones in range(draws + 1)),
        Fraction(0),
    )


LOWER = (
    *(
        Audit(
            theorem.id,
            "points.private_pairs",
            "every private pair on a grid",
            Pointwise(partial(choices, theorem), "choices k/20", "regret a round", Sense.AT_LEAST),
        )
        for theorem in (lower_bound.CONTEXT_REGRET, lower_bound.CONTEXT_REGRET_EXACT)
    ),
    *(
        Audit(
            lower_bound.COUPLING.id,
            f"points.number_of_ones_{name.replace(' ', '_')}",
            f"answers by the number of ones, {name}",
            Pointwise(partial(redrawn, stated), "t 1, 5", "ratio"),
            expected,
        )
        for name, stated, expected in (
            ("repaired", lower_bound.COUPLING, None),
            ("as printed", lower_bound.COUPLING.as_printed(), Verdict.REFUTED),
        )
    ),
    Audit(
        lower_bound.REGRET_PRIVATE.id,
        "rates.explicit",
        "rate against its explicit form",
        Rates(lambda: lower_bound.REGRET_PRIVATE, lambda: lower_bound.REGRET_PRIVATE_EXPLICIT, (HORIZON, ARMS, EPSILON), Sense.AT_LEAST),
    ),
    Audit(
        lower_bound.REGRET_PRIVATE_COMBINED.id,
        "rates.explicit",
        "rate against its explicit form",
        Rates(
            lambda: lower_bound.REGRET_PRIVATE_COMBINED,
            lambda: lower_bound.REGRET_PRIVATE_EXPLICIT,
            (HORIZON, ARMS),
            Sense.AT_LEAST,
        ),
    ),
)

# --- the orders of the corollaries --------------------------------------------------------------------------------------------------------


def as_explicit(theorem: Theorem) -> Theorem:
    """A bound with suppressed constants, with 1 for them: only its ratio at two values means something."""
    return replace(theorem, hypotheses=(), bound=replace(theorem.stated(), constants=Constants.EXPLICIT))


def growth(theorem: Theorem, other: Theorem, name: str, ends: tuple[str, str]) -> Iterator[At]:
    """How much `other`, with its constants, grows between two values of a quantity, against twice what the theorem claims. n is so large
    that rho_min, which grows as well, stays far below it, and epsilon so small that the price of privacy is all that counts."""
    values, claims = [], []
    for end in ends:
        setting: dict[str, Any] = _LARGE | {name: end} | ({"action_gap": "1/10"} if "gap" in theorem.id else {})
        own: dict[str, Any] = {key: setting.pop(key) for key in ("epsilon", "delta")}
        degrees = ceil(fraction(privacy.WISHART_CALIBRATION.at(horizon=setting["horizon"], dimension=setting["dimension"], **own).ball))
        values.append(
            fraction(other.at(context_norm=1, **setting, **({"wishart_degrees": degrees} if "wishart" in theorem.id else own)).ball)
        )
        claims.append(fraction(as_explicit(theorem).at(**setting, **own).ball))
    yield At({"first": ends[0], "last": ends[1]}, values[1] / values[0], 2 * claims[1] / claims[0])


_LARGE: dict[str, Any] = {
    "horizon": 10**60,
    "dimension": 5,
    "epsilon": 1,
    "delta": "1/10",
    "row_norm": 1,
    "mean_bound": 1,
    "parameter_norm": 1,
    "reward_sigma": Fraction(1, 10**6),
    "failure": "1/1000",
}
ENDS = {"delta": ("1e-2", "1e-2000"), "epsilon": ("1e-4", "1e-12"), "horizon": ("1e60", "1e600")}
ORDERS = tuple(
    Audit(
        theorem.id,
        f"points.growth_in_{name}",
        f"growth in {name} against {other.id.partition('.')[2]}",
        Pointwise(
            partial(growth, theorem, other, name, ENDS[name]),
            f"{name} {' and '.join(ENDS[name])}, n 1e60, d 5, epsilon 1, delta 1/10 otherwise, sigma 1e-6",
            "growth, over twice the claim",
        ),
    )
    for theorem, other, names in (
        (wishart.REGRET_WISHART, wishart.REGRET_WISHART_EXPLICIT, ("epsilon",)),
        (wishart.REGRET_WISHART_GAP, wishart.REGRET_WISHART_GAP_EXPLICIT, ("epsilon",)),
        (wishart.REGRET_WISHART_PLUGGED, wishart.REGRET_WISHART_EXPLICIT, ("epsilon", "delta", "horizon")),
        (wishart.REGRET_WISHART_GAP_PLUGGED, wishart.REGRET_WISHART_GAP_EXPLICIT, ("epsilon", "delta", "horizon")),
        (gaussian.REGRET_GAUSSIAN, gaussian.REGRET_GAUSSIAN_EXPLICIT, ("epsilon", "delta", "horizon")),
        (gaussian.REGRET_GAUSSIAN_GAP, gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT, ("epsilon", "delta", "horizon")),
    )
    for name in names
)
