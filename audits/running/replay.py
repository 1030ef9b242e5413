"""A witness is re-counted: the same inputs and the same event on draws that nobody has seen, by the same exact test.

Nothing is fitted or selected again, so all draws count. Other kinds of witness are rechecked by the method of the audit that wrote them.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from banditproof.audits.methods.privacy_loss import (
    PrivacyLoss,
    Sampled,
    Sampler,
    Source,
    Stored,
    as_outputs,
    check_false_alarm,
    claim_from_json,
    count,
    judge,
    samplers,
    with_inputs,
)
from banditproof.audits.privacy.events import Event
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import AuditResult, Verdict
from banditproof.interaction import Floats, Replacement
from banditproof.randomness import generator, key_of


def replay(
    result: AuditResult,
    first: Sampler | None = None,
    second: Sampler | None = None,
    *,
    seed: int,
    samples: int | None = None,
    false_alarm: float | None = None,
) -> AuditResult:
    """Re-counts a result's witness on fresh draws. Samplers are needed for a user's own mechanism; those of a registered audit are known.

    `samples` is the number of counted draws (as many as the witness had, by default). Draws. Raises ValueError without a witness, KeyError
    on an audit that is not registered.
    """
    from banditproof.audits.running.registry import find

    witness = _witness(result)
    if witness["kind"] != "privacy":
        again: AuditResult = find(result.audit).method.recheck(result, seed=seed, samples=samples)  # type: ignore[attr-defined]
        return replace(again, audit=result.audit, theorem=result.theorem, label=result.label, expected=result.expected, seed=seed)
    pair = _data(witness["first"]), _data(witness["second"])
    if first is None or second is None:
        method = find(result.audit).method
        if not isinstance(method, PrivacyLoss):
            raise ValueError(f"audit {result.audit!r}: its witness is about privacy, its method is not")
        first, second = samplers(method.mechanism, pair)
    trials = int(witness["trials"]) if samples is None else samples
    again = _recount(result, Sampled((first, second), seed, (result.audit, "replay")), trials, seed, false_alarm)
    return with_inputs(again, pair, **({"subject": witness["subject"]} if "subject" in witness else {}))


def replay_stored(result: AuditResult, first: Floats, second: Floats) -> AuditResult:
    """Re-counts a witness on the stored outputs that it came from: a check of the arithmetic, no fresh evidence, and it says so."""
    witness = _witness(result)
    if result.seed is None:
        raise ValueError("seed = None: the result does not say how the stored outputs were split")
    pair = as_outputs(first, len(np.asarray(first))), as_outputs(second, len(np.asarray(second)))
    again = _recount(result, Stored(pair, result.seed), int(witness["trials"]), result.seed, None, path=("stored",))
    return replace(again, message=f"{again.message} (the same stored outputs counted again: this is no fresh evidence)")


def confirmed(again: AuditResult) -> bool:
    """Whether a replay refutes the claim again."""
    return again.verdict is Verdict.REFUTED


def _recount(
    result: AuditResult, source: Source, trials: int, seed: int, false_alarm: float | None, path: tuple[str, ...] = ("replay",)
) -> AuditResult:
    witness = _witness(result)
    rate = (result.false_alarm or 0.05) if false_alarm is None else false_alarm
    check_false_alarm(rate)
    if trials < 1:
        raise ValueError(f"samples = {trials}: must be an integer >= 1 (counted draws)")
    claim, event, width = claim_from_json(witness["claim"]), Event.from_json(witness["event"]), int(witness["width"])
    counts = count(event, claim, source, trials, width, generator(key_of(seed, *path, "labels")))
    mass = (int(witness["right"]) + int(witness["wrong"])) / max(int(witness["trials"]), 1)
    again = judge(
        claim,
        counts,
        event=event,
        width=width,
        false_alarm=rate,
        mass=mass,
        must_detect=result.must_detect if result.must_detect is not None else design.claimed_loss(claim),
        exact=result.exact,
        samples=trials,
    )
    return replace(
        again,
        audit=result.audit,
        theorem=result.theorem,
        label=result.label,
        expected=result.expected,
        seed=seed,
        versions=result.versions,
        assumed=result.assumed,
    )


def _witness(result: AuditResult) -> dict[str, Any]:
    if not result.witness or "kind" not in result.witness:
        raise ValueError(f"audit {result.audit!r}: its result has no witness to re-count ({result.verdict.value})")
    return result.witness


def _data(value: Any) -> Any:
    """A witness's input as the mechanism takes it; JSON spells numbers that are not finite."""
    if isinstance(value, dict) and set(value) == {"round", "rewards", "contexts"}:
        rewards, contexts = _data(value["rewards"]), _data(value["contexts"])
        return Replacement(int(value["round"]), tuple(rewards), None if contexts is None else tuple(map(tuple, contexts)))
    if isinstance(value, (list, tuple)):
        return [_data(part) for part in value]
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value


_NON_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
