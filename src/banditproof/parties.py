"""What `play`, `play_many` and `replicate` refuse before they play, in one line that names the value and the rule.

Parties without what the loop reads of them, classes where an object belongs, wires of no name, and keys and numbers that are none. All is
looked at once per call, never per round.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from banditproof.guarantees import Replacement, named, shown, whole
from banditproof.interaction import Ints, Pipeline, Wire, Words

# What is read of each party: its protocol in `interaction` says what each member is.
MEMBERS = {
    "policy": ("kernels", "state", "message_width", "statistic_width"),
    "environment": ("arms", "dimension", "present", "reward", "setup", "memory"),
    "randomiser": ("kernel", "messages", "setup"),
    "corruption": ("kernel", "wire", "setup", "memory"),
    "shuffler": ("kernel", "batch", "setup"),
}
_PROTOCOLS = {"policy": "Policy", "environment": "Environment", "randomiser": "ClientRandomiser"}
_PLAIN = "; a policy in plain Python, with `choose` and `update`, is not played but can be checked (`check_policy`)"


@lru_cache(maxsize=1024)
def _not_of_class(kind: type, party: str) -> tuple[str, ...]:
    """Members that the objects of a class do not have from it; they may have them by themselves."""
    known = set(dir(kind))
    return tuple(name for name in MEMBERS[party] if name not in known)


def require_parties(pipeline: Pipeline) -> None:
    """Raises ValueError unless it is a pipeline of objects that have what is read of them."""
    given: Any = pipeline
    if not isinstance(given, Pipeline):
        raise ValueError(f"pipeline = {shown(given)}: must be a Pipeline of a policy and an environment")
    for party in MEMBERS:
        found: object = getattr(pipeline, party)
        if isinstance(found, type):
            raise ValueError(f"{party} = {found.__qualname__}: must be an object, as {found.__qualname__}(...), not its class")
        of: Any = type(found)
        for name in _not_of_class(of, party):
            if getattr(found, name, None) is None:
                kind = _PROTOCOLS.get(party, party.capitalize())
                plain = _PLAIN if party == "policy" and {"choose", "update"} <= set(dir(found)) else ""
                raise ValueError(f"{party} = {shown(found)}: has no {name!r}, must have what {kind} has (banditproof.interaction){plain}")
    change: Any = pipeline.replacement
    if not (change is None or isinstance(change, Replacement)):
        raise ValueError(f"replacement = {shown(change)}: must be a Replacement or None")


def wires_of(record: Collection[Wire | str]) -> tuple[Wire, ...]:
    """The wires to record, of which each may be given by its name. Raises ValueError, naming the wires, on another name."""
    rule = "must be a list of wires or of their names, as ('arms', 'rewards')"
    if isinstance(record, str) or not np.iterable(record):
        raise ValueError(f"record = {shown(record)}: {rule}")
    wires: tuple[Any, ...] = tuple(record)
    for wire in wires:
        if not isinstance(wire, (Wire, str)):
            raise ValueError(f"record = {shown(wire)}: {rule}")
        named(Wire, wire, "record")
    return tuple(map(Wire, wires))


def words_of(key: Words | Sequence[int]) -> tuple[int, int]:
    """The two words of a key. Raises ValueError on what is no key."""
    words = key.tolist() if isinstance(key, np.ndarray) else key
    if not isinstance(words, (list, tuple)) or len(words) != 2:
        raise ValueError(f"key = {shown(key)}: must be two whole numbers, as key_of(seed) gives")
    return whole("key", words[0], 0, most=2**64 - 1), whole("key", words[1], 0, most=2**64 - 1)


def marks_of(checkpoints: Any, horizon: int) -> Ints:
    """The rounds after which the regret is kept, in order; the last one by default. Raises ValueError on what is no list of them."""
    given = [horizon] if checkpoints is None else checkpoints
    marks = np.asarray(list(given)) if np.iterable(given) else np.asarray(given)
    if marks.ndim != 1 or (marks.size > 0 and marks.dtype.kind not in "iu"):
        raise ValueError(f"checkpoints = {shown(checkpoints)}: must be a list of whole numbers (of rounds played)")
    marks = np.unique(marks).astype(np.int64)
    outside = marks[(marks < 1) | (marks > horizon)]
    if outside.size > 0:
        raise ValueError(f"checkpoints {outside}: must be >= 1 and <= {horizon} (the horizon)")
    return marks
