"""The privacy loss on two neighbours: which of them gave this output?

Three disjoint draws: one fits scores, one selects an event (a score and two thresholds), one counts it.

    compare          two samplers
    compare_source   any other source of fresh draws
    compare_stored   outputs that were stored elsewhere
"""

import math
from dataclasses import replace

from banditproof.audits.privacy.judgement import AuditSettings, count, judge
from banditproof.audits.privacy.outputs import Sampled, Sampler, Source, Stored, as_outputs
from banditproof.audits.privacy.plan import Splits, splits
from banditproof.audits.privacy.selection import select_cut, select_event
from banditproof.audits.privacy.sparing import trials_for
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.statistics.evidence import Measurement
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of


def compare(dataset: Sampler, neighbour: Sampler, settings: AuditSettings) -> Measurement:
    """Audits a claim on two samplers `(runs, rng) -> (runs,) or (runs, width)`, from which `settings.samples` outputs in all are drawn.

    `low` is a one-sided confidence bound on epsilon (or mu) at level 1 - false_alarm; `high` bounds this event's loss, not the mechanism's.
    Raises ValueError on outputs of a wrong shape; an exception of a sampler passes through.
    """
    return compare_source(Sampled((dataset, neighbour), settings.seed, settings.path), settings)


def compare_source(source: Source, settings: AuditSettings) -> Measurement:
    """Audits a claim on what a source of fresh draws gives; otherwise as `compare`."""
    # The likelihood ratio is cut at 0 where every output is guessed: nothing is to be selected.
    return _audited(source, splits(settings.samples, fitted=not settings.ratio, cuts=settings.statistic.abstains), settings)


def compare_stored(dataset: Floats, neighbour: Floats, settings: AuditSettings) -> Measurement:
    """Audits a claim on outputs that were stored elsewhere, (n,) or (n, width) for each neighbour; independent draws are assumed.

    All of them are used, whatever `settings.samples` says. Raises ValueError on arrays of two widths, and on a likelihood ratio.
    """
    if settings.ratio:
        raise ValueError("ratio = True: stored outputs are audited as outputs, of which no likelihood ratio is known")
    pair = as_outputs(dataset, len(dataset)), as_outputs(neighbour, len(neighbour))
    if pair[0].shape[1] != pair[1].shape[1]:
        raise ValueError(f"outputs of widths {pair[0].shape[1]} and {pair[1].shape[1]}: must be equal")
    fewest = min(len(pair[0]), len(pair[1]))
    parts = splits(2 * fewest)
    left = fewest - parts.train // 2 - parts.select // 2
    # Labels are fair coins, so one side may be asked for more than half: six standard deviations are kept back.
    trials = max(2 * left - int(6 * math.sqrt(2 * left)), left)
    source, parts = Stored(pair, settings.seed), Splits(parts.train, parts.select, trials)
    return _audited(source, parts, replace(settings, path=(*settings.path, "stored")))


def _audited(source: Source, parts: Splits, settings: AuditSettings) -> Measurement:
    statistic, rate = settings.statistic, settings.false_alarm
    if settings.ratio:
        selection = select_cut(statistic, source, parts, rate)
    else:
        selection = select_event(statistic, source, parts, rate, settings.float_bits)
    if settings.sparing:
        parts = replace(parts, confirm=trials_for(selection, settings, parts.confirm))
    labels = generator(key_of(settings.seed, *settings.path, "labels"))
    counts = count(statistic, selection, source, parts.confirm, labels)
    measured = judge(counts, selection, replace(settings, samples=parts.samples))
    return with_model(measured, settings.seed, settings.path) if settings.posterior else measured


def with_model(measured: Measurement, seed: int, path: tuple[str, ...]) -> Measurement:
    """The measurement with the PyMC posterior and its diagnostics in its detail, if there is a guess to learn from."""
    from banditproof.audits.models.privacy_loss import sample_posterior

    witness = privacy_witness(measured)
    if not witness.right + witness.wrong > witness.leaks_expected:
        return measured
    model = sample_posterior(
        quantity=measured.quantity,
        right=witness.right,
        wrong=witness.wrong,
        leaked=witness.leaks_expected,
        key=key_of(seed, *path, "model"),
    )
    return replace(measured, detail={**measured.detail, "model": model})
