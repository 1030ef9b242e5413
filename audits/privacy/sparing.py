"""How many outputs count an event, where more would show nothing: the event lies within the claim, and what must be detected would be.

The selecting outputs are others than those that are counted, so the number of these may depend on them, and the test stays exact. An event
whose loss may reach the claim, as far as the selecting outputs tell, is counted on all outputs: a violation on a fixed event is missed no
more often than without this, but for WITHIN.
"""

from banditproof.audits.privacy.judgement import AuditSettings, Bounds, Counts
from banditproof.audits.privacy.selection import Selection
from banditproof.audits.statistics.design import MISS_RATE, fewest
from banditproof.audits.statistics.tails import binomial_quantile, lower_probability

WITHIN = 1e-4  # probability that a fixed event whose loss reaches the claim is taken for one that lies within it
SHORT = 1e-5  # probability that the event guesses fewer outputs than are planned for, by its share and by chance
MARGIN = 0.9  # of the way from the claim to what must be detected: exact tests are saw-toothed


def trials_for(selection: Selection, settings: AuditSettings, most: int) -> int:
    """Outputs that count the event: at which a true loss of `settings.violation` on it is detected, and `most` of them unless the selecting
    outputs show that its loss lies below the claim."""
    statistic, violation, both = settings.statistic, settings.violation, selection.event.both_ways
    seen = Counts(selection.outputs, selection.right, selection.wrong, 0, 0, 0, 0, 0)
    if not selection.outputs or not Bounds.of(statistic, seen, both, WITHIN).high < statistic.claimed < violation:
        return most
    share = lower_probability(selection.right + selection.wrong, selection.outputs, SHORT) if statistic.abstains else 1.0
    aim = statistic.claimed + MARGIN * (violation - statistic.claimed)

    def detects(trials: int) -> bool:
        if trials >= most:
            return True
        guesses = trials - binomial_quantile(trials, 1.0 - share, SHORT) if share < 1.0 else trials
        return statistic.detects(aim, guesses=guesses, trials=trials, false_alarm=settings.false_alarm, miss_rate=MISS_RATE, both_ways=both)

    return min(fewest(detects, "", first=min(100, most)), most)
