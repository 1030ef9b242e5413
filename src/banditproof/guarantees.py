"""What a mechanism guarantees: a privacy definition with its parameters, the relation between neighbours, and what the adversary sees."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from numbers import Integral, Real
from typing import Any, TypeVar

from banditproof import glossary


def require(truth: bool, message: str) -> None:
    """Raises ValueError with the message, which names the value and the rule, unless `truth`."""
    if not truth:
        raise ValueError(message)


def shown(value: Any) -> str:
    """A value as an error quotes it: one line, not too long, and without the address of an object."""
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(value).split()))
    return text if len(text) <= 60 else f"{text[:57]}..."


def whole(name: str, value: Any, least: int, unit: str = "", most: float = 2**62) -> int:
    """A whole number of any library as an int. Raises ValueError, naming the value and the rule, on any other value."""
    fits = isinstance(value, Integral)
    if not fits or value is True or value is False or value < least:
        raise ValueError(f"{name} = {shown(value)}: must be an integer >= {least}{f' ({unit})' if unit else ''}")
    if value > most:
        raise ValueError(f"{name} = {shown(value)}: must be <= {most}")
    return int(value)


class NeighbouringRelation(Enum):
    """Which datasets are neighbours: by how much one may differ from the other."""

    REPLACE_ROUND = "replace_round"  # one round's context and rewards differ
    REPLACE_REWARD = "replace_reward"  # one round's rewards differ, its context does not
    REPLACE_RECORD = "replace_record"  # one record of a dataset differs
    ADD_OR_REMOVE = "add_or_remove"  # one record more or less
    QUERY_SENSITIVITY = "query_sensitivity"  # two query answers at most the declared sensitivity apart, in the mechanism's norm
    EVERY_QUERY = "every_query"  # each of several query answers at most the declared sensitivity apart (the L-infinity distance)
    ANY_PAIR = "any_pair"  # every two inputs of one user (local privacy)


@dataclass(frozen=True)
class Replacement:
    """Another outcome of one round: rewards (K,), and contexts (K, d) where they differ too. Applied to any environment it makes a
    neighbour, of an adaptive one too: it sees the same pulls and answers them alike outside that round."""

    round: int
    rewards: tuple[float, ...]
    contexts: tuple[tuple[float, ...], ...] | None = None


class View(Enum):
    """What the adversary sees of an interaction, against whom a guarantee holds."""

    LOCAL = "local"  # a user's whole report
    SHUFFLED = "shuffled"  # the batches of single messages, without order
    CENTRAL = "central"  # all arms; for a single release, the release
    JOINT = "joint"  # all arms but the differing round's own
    WHITE_BOX = "white_box"  # every statistic that the server releases to its own decision rule


_Member = TypeVar("_Member", bound=Enum)


def named(kind: type[_Member], value: _Member | str | None, name: str) -> _Member | None:
    """The member of an enumeration, which may be given by its value; None for None. Raises ValueError, naming the values, on any other."""
    if value is None or isinstance(value, kind):
        return value
    found = next((member for member in kind if member.value == value), None)
    if found is None:
        raise ValueError(f"{name} = {shown(value)}: must be one of {', '.join(member.value for member in kind)}")
    return found


def _require_kinds(relation: Any, view: Any) -> None:
    """Raises ValueError unless the two are members of their enumerations: as text they would equal none of what they are compared with."""
    for name, value, kind in (("relation", relation, NeighbouringRelation), ("view", view, View)):
        if not isinstance(value, kind):
            members = ", ".join(member.name for member in kind)
            raise ValueError(f"{name} = {shown(value)}: must be a {kind.__name__}, one of {members}")


@dataclass(frozen=True, slots=True)
class PureDP:
    """Pure differential privacy: P(M(x) in E) <= exp(epsilon) P(M(x') in E) for all events E and all neighbours x, x'.

    Raises ValueError unless epsilon > 0 (in nats).
    """

    epsilon: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        _require_kinds(self.relation, self.view)
        glossary.EPSILON.require(self.epsilon)


@dataclass(frozen=True, slots=True)
class ApproximateDP:
    """Approximate differential privacy: P(M(x) in E) <= exp(epsilon) P(M(x') in E) + delta for all events E and all neighbours x, x'.

    Raises ValueError unless epsilon > 0 (in nats) and 0 < delta < 1.
    """

    epsilon: float
    delta: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        _require_kinds(self.relation, self.view)
        glossary.EPSILON.require(self.epsilon)
        glossary.DELTA.require(self.delta)


@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP:
    """Zero-concentrated differential privacy: the Renyi divergence of order a between the outputs on two neighbours is at most rho * a,
    for every a > 1. Raises ValueError unless rho > 0 (in nats)."""

    rho: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        _require_kinds(self.relation, self.view)
        glossary.RHO.require(self.rho)


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """Renyi differential privacy: the Renyi divergence of order `order` between the outputs on two neighbours is at most epsilon (nats).

    Raises ValueError unless order > 1 and epsilon > 0.
    """

    order: float
    epsilon: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        _require_kinds(self.relation, self.view)
        glossary.ORDER.require(self.order)
        glossary.EPSILON.require(self.epsilon)


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """Gaussian differential privacy: the outputs on two neighbours are at least as hard to distinguish as N(0, 1) and N(mu, 1).

    Raises ValueError unless mu > 0 (without a unit).
    """

    mu: float
    relation: NeighbouringRelation
    view: View = View.CENTRAL

    def __post_init__(self) -> None:
        _require_kinds(self.relation, self.view)
        glossary.MU.require(self.mu)


Guarantee = PureDP | ApproximateDP | ZeroConcentratedDP | RenyiDP | GaussianDP


def claim(
    stated: Guarantee | None = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    rho: float | None = None,
    order: float | None = None,
    relation: NeighbouringRelation | None = None,
    view: View | None = None,
    name: str = "the mechanism",
) -> Guarantee:
    """The one privacy claim that given numbers and a mechanism's own guarantee (`stated`) make together.

    The numbers name one definition: epsilon (in nats) is pure, with delta > 0 approximate, with order Renyi differential privacy; mu is
    Gaussian, rho zero-concentrated differential privacy. They replace those of `stated`, which needs none. Relation and view are the
    stated ones by default, else REPLACE_RECORD and CENTRAL.

    Raises ValueError, naming values and rule: on what is no number, relation or view; on numbers of two definitions; on none, where nothing
    is stated; on another view than the stated one; on another relation with the stated numbers."""
    relation, view = named(NeighbouringRelation, relation, "relation"), named(View, view, "view")
    if stated is not None and view not in (None, stated.view):
        raise ValueError(f"view = {view.value}: {name} releases what the {stated.view.value} view sees")
    usual = (NeighbouringRelation.REPLACE_RECORD, View.CENTRAL) if stated is None else (stated.relation, stated.view)
    between, seen = relation or usual[0], view or usual[1]
    levels = (("epsilon", epsilon), ("mu", mu), ("rho", rho), ("delta", delta), ("order", order))
    given = tuple((symbol, number(symbol, value)) for symbol, value in levels if value is not None)
    match given:
        case ():
            if stated is None:
                raise ValueError(f"epsilon is missing: give epsilon (and delta, if it is above 0) or mu; {name} states no guarantee")
            other = f"{name} states its guarantee for {stated.relation.value}; give the numbers that are claimed for this one"
            require(between is stated.relation, f"relation = {between.value}: {other}")
            return stated
        case (("epsilon", level),) | (("epsilon", level), ("delta", 0)):
            return PureDP(level, between, seen)
        case (("epsilon", level), ("delta", failure)):
            return ApproximateDP(level, failure, between, seen)
        case (("epsilon", level), ("order", of)):
            return RenyiDP(of, level, between, seen)
        case (("mu", level),):
            return GaussianDP(level, between, seen)
        case (("rho", level),):
            return ZeroConcentratedDP(level, between, seen)
    if epsilon is None and given[-1][0] in ("delta", "order"):
        raise ValueError(f"{given[-1][0]} = {given[-1][1]:g}: goes with epsilon")
    raise ValueError(f"{', '.join(f'{symbol} = {value:g}' for symbol, value in given)}: must be of one privacy definition")


def number(symbol: str, value: Any) -> float:
    """A number of any library as a float. Raises ValueError, naming the value, on any other value."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise ValueError(f"{symbol} = {shown(value)}: must be a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{symbol}: must be at most about 1.8e308") from None
