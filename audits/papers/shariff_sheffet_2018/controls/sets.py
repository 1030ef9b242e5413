"""Decision sets and random numbers with one mistake each."""

from functools import partial

from banditproof.audits.common.side_by_side import beside
from banditproof.audits.mutations import control
from banditproof.audits.papers.shariff_sheffet_2018.cases import numbers_replayed, sets_replayed

OTHER_TOP = control(
    "best_mean_too_small",
    "the best arm's mean is less by 0.05",
    "shariff_sheffet_2018.optimal_arm",
    beside(partial(sets_replayed.sphere_errors, sets_replayed.SPHERES[:2], -0.05), "two settings of Sphere", "distance"),
)
NEXT_BLOCK = control(
    "next_block",
    "uniform numbers are read from the next block",
    "shariff_sheffet_2018.unit_lengths",
    beside(partial(numbers_replayed.uniform_words, 1), "four blocks of three streams, and rounds of two runs", "numbers that differ"),
)
