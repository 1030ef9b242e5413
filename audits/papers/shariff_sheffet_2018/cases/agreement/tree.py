"""shariff_sheffet_2018: the tree's counts of nodes and the budget of a node beside the statements that they transcribe."""

from dataclasses import replace

from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.audits.methods.agreement import Agreement, Point, agreement, side_of
from banditproof.glossary import DELTA, EPSILON, Domain
from banditproof.glossary.shariff_sheffet_2018 import NODES
from banditproof.theory.papers.shariff_sheffet_2018 import privacy

_FEW_NODES = replace(NODES, domain=Domain(1, 60, low_open=False, high_open=False, integer=True))
_NODE_EPSILON = side_of(privacy.WISHART_CALIBRATION, "level_of_a_node", EPSILON)
_NODE_DELTA = side_of(privacy.WISHART_CALIBRATION, "delta_of_a_node", DELTA)


def _at_a_horizon(point: Point) -> Point:
    """At the largest horizon with this many nodes."""
    return {**{name: value for name, value in point.items() if name != "nodes"}, "horizon": 2 ** (int(point["nodes"]) - 1)}


TREE = (
    agreement("gram.noise.nodes", Agreement(privacy.NODES_CHANGED, gram_noise.nodes)),
    agreement("gram.noise.released_nodes", Agreement(privacy.NODES_RELEASED, gram_noise.released_nodes)),
    agreement(
        "gram.wishart.node_epsilon",
        Agreement(_NODE_EPSILON, wishart_gram.node_epsilon, (EPSILON, DELTA, _FEW_NODES), arguments=_at_a_horizon),
    ),
    agreement("gram.wishart.node_delta", Agreement(_NODE_DELTA, wishart_gram.node_delta, (DELTA, _FEW_NODES), arguments=_at_a_horizon)),
)
