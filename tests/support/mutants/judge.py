"""A mutant's fate: the first audit that refutes it, or fails on it, where it did not in the tree as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.mutants.baseline import Measured
from tests.support.mutants.trees import Tree

KILLED, SURVIVED = "killed", "survived"
GRAY_BOX, BEHAVIOUR, AGREEMENT, CRASH = "gray-box", "behaviour", "agreement of formulas", "crash"
_REFUSED, _SHOWN = ("refuted", "error"), ("certified", "holds at points", "not refuted")


@dataclass(frozen=True)
class Fate:
    """What came out. `ran` counts the audits that judged the mutant, `left_out` those that the time limit left out; `gone` are those that
    refute the tree as it is and do not refute the mutant, which `verify` notices too where it expects them to."""

    status: str
    kind: str = ""
    audit: str = ""
    verdict: str = ""
    message: str = ""
    ran: int = 0
    left_out: int = 0
    gone: tuple[str, ...] = ()


def noticed(before: str, verdict: str, *, theory: bool) -> bool:
    """Whether an audit notices a mistake: it refutes, or fails, and did not before. In `theory` also where what was shown is open now, or
    a refutation that is expected does not come: `verify` says both."""
    if verdict in _REFUSED:
        return before not in _REFUSED
    if not theory or verdict == "left out":
        return False
    return before == "refuted" or (before in _SHOWN and verdict not in _SHOWN)


def fate(known: Sequence[Measured], heard: Sequence[dict[str, Any]], code: int, error: str, *, theory: bool = False) -> Fate:
    """From the audits to be run, in their order, what the worker said, its exit code, and its last line of errors.

    A process that ends by itself before its last audit, or has to be ended, is a crash, of the audit that it was at.
    """
    before = {audit.audit: audit for audit in known}
    left_out = sum(item["verdict"] == "left out" for item in heard)
    ran = len(heard) - left_out
    for item in heard:
        id, verdict = item["audit"], item["verdict"]
        if noticed(before[id].verdict, verdict, theory=theory):
            return Fate(KILLED, _kind(before[id], verdict), id, verdict, item.get("message", ""), ran, left_out)
    if len(heard) < len(known) or code != 0:
        at = known[min(len(heard), len(known) - 1)].audit if known else ""
        said = "time limit" if code == -9 else f"exit code {code}"
        return Fate(KILLED, CRASH, at, said, error, ran, left_out)
    judged_by = {item["audit"]: item["verdict"] for item in heard}
    gone = tuple(id for id, verdict in judged_by.items() if before[id].verdict == "refuted" and verdict not in (*_REFUSED, "left out"))
    return Fate(SURVIVED, ran=ran, left_out=left_out, gone=gone)


def _kind(audit: Measured, verdict: str) -> str:
    if verdict == "error":
        return CRASH
    if audit.gray_box:
        return GRAY_BOX
    return AGREEMENT if audit.agreement else BEHAVIOUR


def judged(
    tree: Tree, file: str, text: str, audits: Sequence[Measured], *, seed: int, level: str, limit: float, theory: bool = False
) -> Fate:
    """Plants the text of a file and runs the audits in their order, in one process, for `limit` seconds.

    An audit that would not end in time is left out. The agreements of formulas, which come last, have time of their own within the limit:
    twice what they took, half of the limit at most.
    """
    if not audits:
        return Fate(SURVIVED)
    heard: list[dict[str, Any]] = []
    codes: list[int] = []
    reserve = min(0.5 * limit, 2.0 * sum(audit.seconds for audit in audits if audit.agreement))
    task = {
        "audits": [audit.audit for audit in audits],
        "known": {audit.audit: audit.verdict for audit in audits},
        "costs": {audit.audit: audit.seconds for audit in audits},
        "seed": seed,
        "level": level,
        "limits": {audit.audit: limit if audit.agreement else limit - reserve for audit in audits},
        "limit": limit,
        "reach": False,
        "theory": theory,
    }
    tree.planted(file, text, lambda: codes.append(tree.run(task, heard.append)))
    return fate(audits, heard, codes[0], tree.errors(), theory=theory)
