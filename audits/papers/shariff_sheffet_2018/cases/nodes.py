"""shariff_sheffet_2018: the nodes of the tree by enumeration: how many a prefix adds, how many hold a row, what an unpadded round sums."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import privacy, wishart

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


_SUMMED = (2, 3, 8, 100, 128, 129)


def degrees_of_rounds(theorem: Theorem, extreme: Callable[[Iterable[int]], int] = min) -> Iterator[At]:
    """The least (or most) degrees of freedom over the rounds 2 to n: a node for each binary digit 1 of the number of rows."""
    for horizon in _SUMMED:
        found = extreme(rows.bit_count() for rows in range(1, horizon)) * 50
        yield At({"n": horizon, "k": 50}, found, theorem.at(horizon=horizon, wishart_degrees=50).ball)


MOST = Audit(
    wishart.DEGREES_OF_SUM_MOST.id,
    "points.unpadded",
    "every round without padding",
    Pointwise(partial(degrees_of_rounds, wishart.DEGREES_OF_SUM_MOST, max), f"n {', '.join(map(str, _SUMMED))}, k 50", "degrees of freedom"),
)

SUMS = tuple(
    Audit(
        wishart.DEGREES_OF_SUM.id,
        f"points.unpadded_{name.replace(' ', '_')}",
        f"every round without padding, {name}",
        Pointwise(partial(degrees_of_rounds, theorem), f"n {', '.join(map(str, _SUMMED))}, k 50", "degrees of freedom", Sense.AT_LEAST),
        expected,
    )
    for name, theorem, expected in (
        ("repaired", wishart.DEGREES_OF_SUM, None),
        ("as printed", wishart.DEGREES_OF_SUM.as_printed(), Verdict.REFUTED),
    )
)
