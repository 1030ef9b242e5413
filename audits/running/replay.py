"""A result is looked at again: the witness of its measurement, on draws that nobody has seen, by the method that wrote it."""

from dataclasses import replace

from banditproof.audits.running.audit import Recheck
from banditproof.audits.running.registry import find
from banditproof.audits.running.report import AuditResult, decoded
from banditproof.audits.statistics.evidence import Verdict


def replay(result: AuditResult, *, seed: int, samples: int | None = None, false_alarm: float | None = None) -> AuditResult:
    """The result of a registered audit, its witness looked at again: on as many draws, and at the significance level, that it had unless
    others are given.

    Consumes randomness addressed by `seed`. Raises ValueError where there is nothing to look at again, KeyError on an audit that is not
    registered.
    """
    method = find(result.audit).method
    before = replace(result.measured, witness=decoded(result.measured.witness, type(method).__module__))
    again = method.recheck(before, Recheck(seed, (result.audit, "replay"), samples, false_alarm))
    return replace(result, measured=again, seed=seed)


def confirmed(again: AuditResult) -> bool:
    """Whether a replay refutes the claim again."""
    return again.measured.verdict is Verdict.REFUTED
