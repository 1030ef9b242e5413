"""shariff_sheffet_2018: rho_min and rho_min' of Proposition 9 for the tree without padding, as it is described.

A round's regulariser has k degrees of freedom for each node that is added, and its least eigenvalue is at most its first diagonal entry,
L~^2 times a chi-square variable with that many degrees of freedom, whatever d is. The round with the most nodes is looked at.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.shariff_sheffet_2018.cases.facts import degrees_of_experiment
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, fraction, sqrt
from banditproof.theory.language import Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import wishart


def most_nodes(horizon: int) -> int:
    """The most binary digits 1 of a number t - 1 below n: each digit 1 of n - 1 may be given up for ones in all places below it."""
    last = horizon - 1
    found = [last.bit_count()]
    for place in range(last.bit_length()):
        if last >> place & 1:
            found.append((last >> place + 1).bit_count() + place)
    return max(found)


def below(level: Fraction, degrees: int) -> Fraction:
    """At least P(chi-square with that many degrees < level), by Claim 17: 1 - exp(-y) where level = degrees + 2 sqrt(degrees y) + 2 y."""
    if degrees == 0:
        return Fraction(1) if level > 0 else Fraction(0)
    if level <= degrees:
        return Fraction(0)
    root = (sqrt(2 * level - degrees) - sqrt(degrees)) / 2
    return 1 - exp(-min(root**2, Fraction(1000)))


def unpadded(theorem: Theorem, shifted: bool) -> Iterator[At]:
    """The probability that the bound is missed in the round with the most nodes, against alpha/(2 n)."""
    for horizon, dimension, degrees, failure in (
        (1, 5, 50_052, Fraction(1, 20)),
        (1000, 5, 50_052, Fraction(1, 20)),
        (50_000_000, 5, degrees_of_experiment(50_000_000), Fraction(1, 50_000_000)),
    ):
        known: dict[str, Any] = {"horizon": horizon, "dimension": dimension, "wishart_degrees": degrees, "row_norm": 1, "failure": failure}
        level = fraction(theorem.at(**known).ball)
        if shifted:
            level += fraction(wishart.SHIFT_OF_WISHART.at(**known).ball)
        nodes = most_nodes(horizon)
        shown = {"n": horizon, "d": dimension, "k": degrees, "nodes": nodes, "alpha": failure}
        yield At(shown, below(level, nodes * degrees), failure / (2 * horizon))


UNPADDED = tuple(
    Audit(
        theorem.id,
        "points.not_padded_as_printed",
        "the round with the most nodes of the tree as described, which adds no padding",
        Pointwise(
            partial(unpadded, theorem, shifted), "n 1, 1000 and 5e7, d 5, k of section 4.1 at epsilon 1", "probability below, at least"
        ),
        Verdict.REFUTED,
    )
    for theorem, shifted in ((wishart.WISHART_RHO_MIN, False), (wishart.SHIFTED_RHO_MIN, True))
)
