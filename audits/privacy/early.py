"""The verdict where the draws ended early: the code crashed, or a limit of time was reached.

When that happens may depend on what was drawn, so the outputs until then are no sample of a fixed size, and a test that treated them as
one could be led to a refutation. They are judged as if they had been looked at LOOKS times, at numbers of outputs that are fixed before
the first draw, each time at 1 / LOOKS of the significance level: whatever ends the run, the probability that a look at which a true claim
is refuted comes before it is at most the whole level. The last look whose outputs have all arrived is the one that counts. This needs
no more than that the outputs of a code that had gone on were i.i.d. given the dataset.
"""

from dataclasses import replace

from banditproof.audits.privacy.comparison import compare_stored
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.statistics.evidence import Measurement
from banditproof.interaction import Floats

LOOKS, SHRINK = 64, 0.9  # looks; the outputs of a look, as a fraction of those of the one after it
FEWEST = 100  # outputs of one dataset, below which there is no look


def look(samples: int, arrived: int) -> int | None:
    """The largest number of outputs per dataset that is a look and has arrived; None before the first look."""
    sizes = (int(samples // 2 * SHRINK**number) for number in range(LOOKS))
    return next((size for size in sizes if FEWEST <= size <= arrived), None)


def judged_early(outputs: tuple[Floats, Floats], settings: AuditSettings, why: str) -> Measurement | None:
    """What the outputs that arrived, (n, w) and (m, w) in the order of their draws, show of a claim for which `settings.samples` in all
    were planned. None where they are too few."""
    size = look(settings.samples, min(map(len, outputs)))
    if size is None or settings.ratio:
        return None
    dataset, neighbour = (part[:size] for part in outputs)
    found = compare_stored(dataset, neighbour, replace(settings, false_alarm=settings.false_alarm / LOOKS))
    note = (
        f"the draws ended early, and when may depend on them: judged on the first {size:,} outputs of each dataset, at one of {LOOKS} sizes"
        f" fixed before, each at 1/{LOOKS} of the significance level"
    )
    p_value = min(1.0, LOOKS * float(found.detail["p_value"]))
    detail = {**found.detail, "p_value": p_value, "ended_early": why}
    return replace(found, false_alarm=settings.false_alarm, samples=2 * size, assumed=(*found.assumed, note), detail=detail)
