"""Runs with one mistake each: a learner that stands still, a combiner that stays with the worse learner or never removes one, a width that
is too small.

A combiner that never removes shows beside the printed one, not in its regret: a learner that is worse than its own past loses its place by
its mean as well, within the order of R_j.
"""

from dataclasses import replace

from banditproof.audits.mutations import control
from banditproof.audits.papers.ldp_linucb_2024.cases import combined, played, sets
from banditproof.theory.papers.ldp_linucb_2024 import combiner, regret

_LAST = 32_000
GROWTH = (
    control(
        "learner_stands_still",
        "a learner whose steps are a millionth of what they should be",
        regret.COROLLARY_FAVOURABLE,
        played.in_horizon(regret.COROLLARY_FAVOURABLE, played.STANDING, sets.APART, last=_LAST),
    ),
    control(
        "targets_decide",
        "a combiner that stays with the worse learner, whose target is the smaller",
        combiner.COMBINED_FAVOURABLE,
        played.in_horizon(combiner.COMBINED_FAVOURABLE, played.combination((0.0, 1e6)), sets.APART, last=_LAST),
    ),
)
COMBINED = (
    control(
        "ratio_targets_decide",
        "a combiner that stays with the worse learner, beside its best base learner",
        combiner.GENERAL_RATE,
        combined.ratio_grows(played.combination((0.0, 1e6)), last=_LAST),
    ),
    control("never_removes", "a combiner that never removes a base learner", combiner.INDEX, combined.two_forms(removes=False)),
)
BY_WIDTH = control(
    "width_of_one",
    "a width of 1, which does not hold the parameter, at epsilon = 2",
    regret.REGRET_BY_WIDTH,
    played.by_width_audit(replace(played.NARROW, scale=1.0, epsilon=2.0)),
)
