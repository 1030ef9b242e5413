"""A privacy witness is re-counted: the same event, on outputs of the same inputs that nobody has seen, by the same exact test.

Nothing is fitted or selected again, so all draws count.
"""

from dataclasses import replace

import numpy as np

from banditproof.audits.privacy.judgement import AuditSettings, count, judge
from banditproof.audits.privacy.outputs import Sampled, Sampler, Source, Stored, as_outputs
from banditproof.audits.privacy.selection import Seen, Selection
from banditproof.audits.privacy.witness import privacy_witness, with_inputs
from banditproof.audits.statistics.evidence import Measurement
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of


def recount(
    before: Measurement,
    sides: tuple[Sampler, Sampler],
    *,
    seed: int,
    path: tuple[str, ...],
    samples: int | None = None,
    false_alarm: float | None = None,
) -> Measurement:
    """Re-counts a witness on fresh draws, addressed by `path` below `seed`: `samples` of them, or as many as were counted before, at the
    significance level `false_alarm`, or that of before.

    `sides` are the samplers of its two inputs, in their order. Raises ValueError on a measurement without a privacy witness, or without a
    level where none is given.
    """
    witness = privacy_witness(before)
    trials = witness.trials if samples is None else samples
    again = _recounted(before, Sampled(sides, seed, path), trials, false_alarm, seed, path)
    return with_inputs(again, (witness.dataset, witness.neighbour), witness.subject, witness.terms)


def recount_stored(before: Measurement, dataset: Floats, neighbour: Floats, *, seed: int) -> Measurement:
    """Re-counts a witness on the stored outputs that it came from, split by the seed of before: a check of the arithmetic, no fresh
    evidence, and it says so. Raises ValueError where they are others."""
    pair = as_outputs(dataset, len(np.asarray(dataset))), as_outputs(neighbour, len(np.asarray(neighbour)))
    then = privacy_witness(before)
    again = _recounted(before, Stored(pair, seed), then.trials, None, seed, ("stored",))
    now = privacy_witness(again)
    if (now.right, now.wrong) != (then.right, then.wrong):
        counted = f"{then.right:,} correct guesses of {then.right + then.wrong:,} then, {now.right:,} of {now.right + now.wrong:,} now"
        raise ValueError(f"{' and '.join(then.files) or 'outputs'}: are no longer those that the record was made from ({counted})")
    return replace(again, message=f"{again.message} (the same stored outputs counted again: this is no fresh evidence)")


def _recounted(
    before: Measurement, source: Source, trials: int, false_alarm: float | None, seed: int, path: tuple[str, ...]
) -> Measurement:
    witness, rate = privacy_witness(before), before.false_alarm if false_alarm is None else false_alarm
    if rate is None:
        raise ValueError("false_alarm = None: the measurement has no significance level, give one")
    if trials < 1:
        raise ValueError(f"samples = {trials}: must be an integer >= 1 (counted draws)")
    settings = AuditSettings(claim=witness.claim, seed=seed, samples=trials, false_alarm=rate, exact=before.exact)
    statistic = settings.statistic
    must = statistic.claimed if before.must_detect is None else before.must_detect
    mass = (witness.right + witness.wrong) / max(witness.trials, 1)
    selection = Selection(witness.event, mass, witness.width, seen=Seen(before.detail.get("seen", Seen.WHOLE.value)))
    counts = count(statistic, selection, source, trials, generator(key_of(seed, *path, "labels")))
    return replace(judge(counts, selection, replace(settings, must_detect=must)), assumed=before.assumed)
