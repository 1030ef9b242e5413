"""A mutant's fate: the first audit that refutes it, where it did not refute the tree as it is; else the first that fails."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.mutants.baseline import Measured
from tests.support.mutants.trees import ENDED, Tree

KILLED, SURVIVED = "killed", "survived"
GRAY_BOX, BEHAVIOUR, AGREEMENT, CRASH, GOLDEN = "gray-box", "behaviour", "agreement of formulas", "crash", "golden values"
HANGS = 3  # of one mutant; the time of a hang does not count
_REFUSED, _SHOWN = ("refuted", "error"), ("certified", "holds at points", "not refuted")


@dataclass(frozen=True)
class Fate:
    """What came out. `ran` counts the audits that judged the mutant, `left_out` those that the time limit left out, `failed` those that
    ended with an error; `gone` are those that refute the tree as it is and do not refute the mutant, which `verify` notices too where it
    expects them to. `stillborn`: no audit ran the code to its end."""

    status: str
    kind: str = ""
    audit: str = ""
    verdict: str = ""
    message: str = ""
    ran: int = 0
    left_out: int = 0
    gone: tuple[str, ...] = ()
    failed: int = 0
    stillborn: bool = False


def noticed(before: str, verdict: str, *, theory: bool) -> bool:
    """Whether an audit notices a mistake: it refutes, or fails, and did not before. In `theory` also where what was shown is open now, or
    a refutation that is expected does not come: `verify` says both."""
    if verdict in _REFUSED:
        return before not in _REFUSED
    if not theory or verdict == "left out":
        return False
    return before == "refuted" or (before in _SHOWN and verdict not in _SHOWN)


def fate(known: Sequence[Measured], heard: Sequence[dict[str, Any]], *, theory: bool = False) -> Fate:
    """From the audits to be run, in their order, and what was heard of them. A crash is named where no audit refutes the mutant."""
    before = {audit.audit: audit for audit in known}
    left_out = sum(item["verdict"] == "left out" for item in heard)
    ran = len(heard) - left_out
    seen = [item for item in heard if noticed(before[item["audit"]].verdict, item["verdict"], theory=theory)]
    failed = sum(item["verdict"] == "error" for item in seen)
    if seen:
        item = next((each for each in seen if each["verdict"] != "error"), seen[0])
        kind = _kind(before[item["audit"]], item["verdict"])
        said = item.get("said", item["verdict"])
        return Fate(KILLED, kind, item["audit"], said, item.get("message", ""), ran, left_out, failed=failed, stillborn=failed == ran)
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
    """Plants the text of a file and runs the audits in their order, for `limit` seconds, until one refutes it. One that fails is not the
    end, nor is one at which the process dies or hangs (HANGS times at most): what would refute the mutant may come after it.

    An audit that would not end in time is left out. The agreements of formulas, which come last, have time of their own within the limit:
    twice what they took, half of the limit at most.
    """
    heard: list[dict[str, Any]] = []
    reserve = min(0.5 * limit, 2.0 * sum(audit.seconds for audit in audits if audit.agreement))

    def run() -> None:
        left, hung = limit, 0
        while len(heard) < len(audits) and left > 0.0 and hung < HANGS:
            began = time.monotonic()
            code = tree.run(_task(audits[len(heard) :], seed, level, left, reserve, theory=theory), heard.append)
            if code == 0 or len(heard) == len(audits):
                return
            if code == ENDED:
                hung += 1
            else:
                left -= time.monotonic() - began
            said = "time limit" if code == ENDED else f"exit code {code}"
            heard.append({"audit": audits[len(heard)].audit, "verdict": "error", "said": said, "message": tree.errors()})

    if audits:
        tree.planted(file, text, run)
    return fate(audits, heard, theory=theory)


def _task(audits: Sequence[Measured], seed: int, level: str, limit: float, reserve: float, *, theory: bool) -> dict[str, Any]:
    return {
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
