"""What must go together in a privacy witness that was read from a file: the schema holds each value to its own rule, and this the rest."""

from itertools import pairwise
from typing import TYPE_CHECKING, assert_never

from banditproof.audits.privacy.claims import claimed_loss
from banditproof.audits.privacy.events import Additive, Coordinate, Event, Linear, LowestBit, Outcomes, Tree
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.guarantees import require

if TYPE_CHECKING:
    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.statistics.evidence import Measurement

BITS = 2100  # ratios of a LowestBit: `events.lowest_bit` gives 0..2099


def require_consistent(measured: "Measurement", witness: "PrivacyWitness") -> None:
    """Raises ValueError, naming field, value and rule, on a witness whose counts, claim and event do not go together."""
    trials, guesses, level = witness.trials, witness.right + witness.wrong, claimed_loss(witness.claim)
    require(guesses <= trials, f"witness.right + witness.wrong = {guesses}: must be <= trials = {trials}")
    require(witness.leaks <= witness.right, f"witness.leaks = {witness.leaks}: must be <= right = {witness.right}")
    require(measured.claimed == level, f"claimed = {measured.claimed}: must be {level:g}, as in witness.claim")
    must = measured.must_detect
    require(must is None or must > 0.0, f"must_detect = {must}: must be > 0")
    _require_event(witness.event, witness.width, abstains=statistic_of(witness.claim).abstains)


def _require_event(event: Event, width: int, *, abstains: bool) -> None:
    low, high, place = event.low, event.high, "witness.event"
    require(low is not None or high is not None, f"{place}.low, high = null: one of them must be a number")
    require(low is None or high is None or low < high, f"{place}.low = {low}: must be < high = {high}")
    if not abstains:
        require(low is None and high is not None, f"{place}.low = {low}, high = {high}: must be null and a number for a claim of mu")
    score = event.score
    match score:
        case Coordinate(column=column) | LowestBit(column=column):
            require(column < width, f"{place}.score.column = {column}: must be < width = {width}")
            if isinstance(score, LowestBit):
                require(len(score.ratios) == BITS, f"{place}.score.ratios: has {len(score.ratios)} entries: must have {BITS}")
        case Linear(weights=weights):
            _require_width(len(weights), "weights", width)
        case Outcomes(rows=rows, ratios=ratios):
            for row in rows:
                _require_width(len(row), "rows, each", width)
            require(len(ratios) == len(rows), f"{place}.score.ratios: has {len(ratios)} entries: must have {len(rows)}, one per row")
        case Additive(edges=edges, ratios=ratios_of):
            _require_edges(edges, width)
            _require_width(len(ratios_of), "ratios", width)
            for cuts, ratios in zip(edges, ratios_of, strict=True):
                wanted = len(cuts) + 2  # the bins, and one for NaN
                require(len(ratios) == wanted, f"{place}.score.ratios: has {len(ratios)} for {len(cuts)} edges: must have {wanted}")
        case Tree(edges=edges):
            _require_edges(edges, width)
            _require_tree(score, width)
        case _:
            assert_never(score)


def _require_width(entries: int, name: str, width: int) -> None:
    require(entries == width, f"witness.width = {width}: must be {entries}, the number of entries of event.score.{name}")


def _require_edges(edges: tuple[tuple[float, ...], ...], width: int) -> None:
    _require_width(len(edges), "edges", width)
    for column, cuts in enumerate(edges):
        for before, after in pairwise(cuts):
            require(before < after, f"witness.event.score.edges[{column}] = ..., {before}, {after}, ...: must be in ascending order")


def _require_tree(tree: Tree, width: int) -> None:
    """A node's children come after it, so every walk ends."""
    nodes = len(tree.feature)
    for name, values in (("threshold", tree.threshold), ("left", tree.left), ("right", tree.right), ("value", tree.value)):
        require(len(values) == nodes, f"witness.event.score.{name}: has {len(values)} entries: must have {nodes}, as feature")
    for node, feature in enumerate(tree.feature):
        require(feature < width, f"witness.event.score.feature[{node}] = {feature}: must be < width = {width}")
        if feature < 0:
            continue
        for name, child in (("left", tree.left[node]), ("right", tree.right[node])):
            rule = f"must be > {node} and < {nodes} (a child comes after its parent)"
            require(node < child < nodes, f"witness.event.score.{name}[{node}] = {child}: {rule}")
