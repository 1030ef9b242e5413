"""What a mechanism guarantees: a privacy definition with its parameters, the relation between neighbours, and what the adversary sees."""

from dataclasses import dataclass
from enum import Enum

from banditproof import glossary


def require(truth: bool, message: str) -> None:
    """Raises ValueError with the message, which names the value and the rule, unless `truth`."""
    if not truth:
        raise ValueError(message)


class NeighbouringRelation(Enum):
    """Which pairs of datasets count as neighbours in a privacy guarantee."""

    REPLACE_ROUND = "replace_round"  # one round's context and rewards differ
    REPLACE_REWARD = "replace_reward"  # one round's rewards differ, its context does not
    REPLACE_RECORD = "replace_record"  # one record of a dataset differs
    ADD_OR_REMOVE = "add_or_remove"  # one record more or less
    QUERY_SENSITIVITY = "query_sensitivity"  # two query answers at most the declared sensitivity apart, in the mechanism's norm
    ANY_PAIR = "any_pair"  # every two inputs of one user (local privacy)


OLDER_RELATIONS = {"within_sensitivity": "query_sensitivity"}  # values of the previous version, read for one version


@dataclass(frozen=True)
class Replacement:
    """Another outcome of one round: rewards (K,), and contexts (K, d) where they differ too. Applied to any environment it makes a
    neighbour, of an adaptive one too: it sees the same pulls and answers them alike outside that round."""

    round: int
    rewards: tuple[float, ...]
    contexts: tuple[tuple[float, ...], ...] | None = None


class View(Enum):
    """Which wire of the interaction the adversary sees."""

    LOCAL = "local"  # a user's whole report
    SHUFFLED = "shuffled"  # the batches of single messages, without order
    CENTRAL = "central"  # all arms; for a single release, the release
    JOINT = "joint"  # all arms but the differing round's own
    WHITE_BOX = "white_box"  # every statistic that the server releases to its own decision rule


@dataclass(frozen=True, slots=True)
class PureDP:
    """P(M(x) in E) <= exp(epsilon) P(M(x') in E) for all events and all neighbours."""

    epsilon: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)


@dataclass(frozen=True, slots=True)
class ApproximateDP:
    """P(M(x) in E) <= exp(epsilon) P(M(x') in E) + delta for all events and all neighbours."""

    epsilon: float
    delta: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.DELTA.require(self.delta)


@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP:
    """The Renyi divergence of every order a > 1 is at most rho * a."""

    rho: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        glossary.RHO.require(self.rho)


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """The Renyi divergence of one order is at most epsilon."""

    order: float
    epsilon: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        glossary.ORDER.require(self.order)
        glossary.EPSILON.require(self.epsilon)


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """Distinguishing neighbours is at least as hard as distinguishing N(0, 1) from N(mu, 1)."""

    mu: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        glossary.MU.require(self.mu)


Guarantee = PureDP | ApproximateDP | ZeroConcentratedDP | RenyiDP | GaussianDP
