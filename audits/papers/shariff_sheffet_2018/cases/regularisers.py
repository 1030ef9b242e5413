"""shariff_sheffet_2018: rho_min, rho_max and gamma beside exact tails, for Wishart and for Gaussian noise.

Tails of chi-square distributions are exact sums for even degrees of freedom.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.shariff_sheffet_2018.cases.nodes import summed
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import chi_square_above, exp, fraction, log, sqrt
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, privacy, wishart

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
    Audit(
        wishart.WISHART_RHO_MIN.id,
        "points.one_feature_as_printed",
        "one feature, as printed",
        Pointwise(partial(eigenvalues, wishart.WISHART_RHO_MIN.as_printed(), False, False), _CHI, "P(X < x)"),
        Verdict.REFUTED,
    ),
    *(
        Audit(
            theorem.id,
            "points.one_feature",
            "one feature",
            Pointwise(partial(eigenvalues, theorem, False, shifted), _CHI, "P(X < x)"),
        )
        for theorem, shifted in ((wishart.WISHART_RHO_MIN, False), (wishart.SHIFTED_RHO_MIN, True))
    ),
    *(
        Audit(
            theorem.id,
            "points.one_feature",
            "one feature",
            Pointwise(partial(eigenvalues, theorem, True, shifted), _CHI, "P(X > x)"),
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
    except for a probability below exp(-2 (sqrt(d) + log(2 n/alpha))^2)."""
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
        Pointwise(partial(closed_forms, stated), "n 16, 1024, d 4, 100, delta 1/10, 1e-6, alpha 1/2, 1/20", "lower bound on P(X > x)"),
        expected,
    )
    for name, stated, expected in (
        ("repaired", gaussian.GAUSSIAN_PERTURBATION_CLOSED, None),
        ("as printed", gaussian.GAUSSIAN_PERTURBATION_CLOSED.as_printed(), Verdict.REFUTED),
    )
)


def two_forms(theorem: Theorem) -> Iterator[At]:
    """gamma of Proposition 11 in its first form, against the form that is printed as larger; alpha = 1/n, L~^2 = 2, epsilon = 1."""
    row_norm = Fraction(141421356, 10**8)
    for horizon, features, delta in (
        (10**6, 5, "1e-6"),
        (10**6, 20, "1e-8"),
        (1000, 10, "1e-5"),
        (5 * 10**7, 5, "1e-8"),
        (5 * 10**7, 5, "0.1"),
    ):
        known: dict[str, Any] = {"horizon": horizon, "dimension": features, "epsilon": 1, "delta": delta, "row_norm": row_norm}
        known["failure"] = Fraction(1, horizon)
        yield At({"n": horizon, "d": features, "delta": delta}, gaussian.GAUSSIAN_PERTURBATION.at(**known).ball, theorem.at(**known).ball)


TWO_FORMS = tuple(
    Audit(
        gaussian.GAUSSIAN_PERTURBATION_CLOSED.id,
        f"points.two_forms_{name.replace(' ', '_')}",
        f"the first form of gamma at ordinary parameters, {name}",
        Pointwise(partial(two_forms, stated), "n 1000 to 5e7, d 5 to 20, delta 1e-8 to 1/10, alpha 1/n, L~^2 2, epsilon 1", "gamma"),
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
        Pointwise(partial(perturbations, wishart.SHIFTED_PERTURBATION_HALF), "d 2, 4, 10, n 1, 100, k 30000", "P(X > x)"),
    ),
)
