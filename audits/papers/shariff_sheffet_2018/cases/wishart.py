"""shariff_sheffet_2018: what no epsilon hides of a Wishart node: the probability that a row shows, by chi-square distributions, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, factorial

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, fraction
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import privacy


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
    *(
        Audit(
            privacy.WISHART_CALIBRATION.id,
            f"points.row_shows{slug}",
            f"what no epsilon hides{slug.replace('_', ' ')}",
            Pointwise(partial(wishart_tree_shows, stated), "epsilon 1/2 to 10000, d 1, 5", _ROWS_SHOWN),
            expected,
        )
        for slug, stated, expected in (
            ("", privacy.WISHART_CALIBRATION, None),
            ("_as_printed", privacy.WISHART_CALIBRATION.as_printed(), Verdict.REFUTED),
        )
    ),
)
