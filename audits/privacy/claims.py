"""A privacy claim as the auditor uses it: the number that is bounded from below, the claim at another level, and plain data and back."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, assert_never

from banditproof.guarantees import (
    ApproximateDP,
    GaussianDP,
    Guarantee,
    NeighbouringRelation,
    PureDP,
    RenyiDP,
    View,
    ZeroConcentratedDP,
    require,
)

_AUDITED: dict[str, type[PureDP | ApproximateDP | GaussianDP]] = {kind.__name__: kind for kind in (PureDP, ApproximateDP, GaussianDP)}


def claimed_loss(claim: Guarantee) -> float:
    """The number that the audit bounds from below: mu for Gaussian DP, else epsilon.

    Raises ValueError for a privacy definition that guesses do not bound.
    """
    match claim:
        case PureDP() | ApproximateDP():
            return claim.epsilon
        case GaussianDP():
            return claim.mu
        case ZeroConcentratedDP() | RenyiDP():
            raise unbounded(claim)
        case _:
            assert_never(claim)


def require_claim(recorded: Guarantee, audited: Guarantee) -> None:
    """Raises ValueError on a record of another claim than the audited one."""
    require(recorded == audited, f"witness.claim = {recorded}: must be {audited}, which is audited")


def with_loss(claim: Guarantee, loss: float) -> Guarantee:
    """The claim at another level. Raises ValueError for a privacy definition that guesses do not bound."""
    match claim:
        case PureDP() | ApproximateDP():
            return replace(claim, epsilon=loss)
        case GaussianDP():
            return replace(claim, mu=loss)
        case ZeroConcentratedDP() | RenyiDP():
            raise unbounded(claim)
        case _:
            assert_never(claim)


def unbounded(claim: ZeroConcentratedDP | RenyiDP) -> ValueError:
    """The error that guesses do not bound this definition."""
    return ValueError(f"claim {claim}: guesses bound epsilon and mu only; state an (epsilon, delta) level that follows from it")


def claim_json(claim: Guarantee) -> dict[str, Any]:
    """A claim as plain data."""
    return {"kind": type(claim).__name__, **{part.name: getattr(claim, part.name) for part in fields(claim)}}


def claim_from_json(record: Mapping[str, Any]) -> Guarantee:
    """The inverse of `claim_json` for the claims that guesses bound. Raises ValueError on another."""
    values = dict(record)
    kind = _AUDITED.get(str(values.pop("kind", None)))
    if kind is None:
        raise ValueError(f"claim of kind {record.get('kind')!r}: must be one of {', '.join(_AUDITED)}")
    names = {part.name for part in fields(kind)}
    wrong = sorted(names ^ set(values))
    if wrong:
        raise ValueError(
            f"claim of kind {kind.__name__}: field {wrong[0]!r} {'is missing' if wrong[0] in names else 'is not one of its fields'}"
        )
    for name, words in (("relation", NeighbouringRelation), ("view", View)):
        known = {word.value: word for word in words}
        if values[name] not in known:
            raise ValueError(f"claim.{name} = {values[name]!r}: must be one of {', '.join(known)}")
        values[name] = known[values[name]]
    return kind(**values)
