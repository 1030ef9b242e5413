"""What is walked: a goal, the rule that closes it, and the derivations of the goals from which it is said to follow."""

from dataclasses import dataclass
from typing import TypeVar

from banditproof.theory.proving.goals import Goal

T = TypeVar("T")


class Rejected(Exception):
    """The derivation does not prove what it says."""


@dataclass(frozen=True)
class Derivation:
    goal: Goal
    rule: str
    parameters: tuple[str, ...]
    children: tuple["Derivation", ...]


def require(fact: bool, why: str) -> None:
    if not fact:
        raise Rejected(why)


def present(value: T | None, why: str) -> T:
    """The value. Raises as `require` does where there is none."""
    if value is None:
        raise Rejected(why)
    return value
