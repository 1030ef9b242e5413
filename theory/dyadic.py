r"""The dyadic tree over rounds: what the statements about private prefix sums share.

Main definitions
    levels_of, terms_of   1 + floor(log2 T): the nodes that hold one round, and the most nodes that one prefix sum adds
    laplace_sum_cases     how far a sum of Laplace variables strays

Implementation notes
    The nodes are the intervals (j 2^i, (j+1) 2^i] that end by round T. Round 1 lies in those of lengths 1, 2, 4, ..., up to T, which are
    1 + floor(log2 T) and no round lies in more. The prefix sum at round t adds one node for each 1 in the binary digits of t.

    A sum Y of m independent Laplace(b) variables has E exp(hY/b) = (1 - h^2)^-m <= exp(2 m h^2) for h^2 <= 1/2. So, for every
    v >= b sqrt(m) and 0 < x <= sqrt(8) v^2 / b, Markov's inequality at h = b x / (4 v^2) gives P(Y > x) <= exp(-x^2 / (8 v^2)).
    With x = v sqrt(8 log(2/beta)) both tails together have probability at most beta; x is in range when v >= b sqrt(log(2/beta)).
    The two lower limits of v are the two cases: b sqrt(m) if m >= log(2/beta), else b sqrt(log(2/beta)).
"""

import sympy
from sympy import Gt, Integer, log, sqrt

from banditproof.glossary import LEVELS, TERMS, Quantity
from banditproof.theory.language import Case, Implicit, largest, symbol


def levels_of(horizon: Quantity) -> Implicit:
    """LEVELS, from the number of rounds."""
    return _digits(LEVELS, horizon)


def terms_of(last: Quantity) -> Implicit:
    """TERMS, from the round of the prefix sum, or from the horizon for all of them."""
    return _digits(TERMS, last)


def _digits(count: Quantity, of: Quantity) -> Implicit:
    return Implicit(
        of=count,
        condition=Gt(2 ** symbol(count), symbol(of)),
        bracket=(Integer(1), symbol(of)),
        unique=f"2^{count.latex} grows",
        growth=log(symbol(of)) / log(2),
    )


def laplace_sum_cases(terms: sympy.Expr, scale: sympy.Expr, failure: sympy.Expr) -> tuple[Case, ...]:
    """The two cases of the distance that a sum of `terms` Laplace variables keeps except for a probability `failure`."""
    tail = log(2 / failure)
    return largest(terms, tail, within=lambda entry: sqrt(8) * scale * sqrt(tail) * sqrt(entry))
