"""Runs with one mistake each: a step that never shrinks to what was learnt, a combiner that does not look at rewards, arms at random."""

from dataclasses import replace

from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.audits.mutations import control
from banditproof.audits.papers.ldp_linucb_2024.cases import played
from banditproof.theory.papers.ldp_linucb_2024 import combiner, comparisons, regret

_EXPLORING = replace(played.TEN, scale=1e6)
GROWTH = (
    control(
        "always_explores",
        "a width that never lets the learner exploit",
        regret.COROLLARY_FAVOURABLE,
        played.in_horizon(regret.COROLLARY_FAVOURABLE, _EXPLORING, played.APART),
    ),
    control(
        "learner_stands_still",
        "a learner whose steps are a millionth of what they should be",
        regret.COROLLARY_FAVOURABLE,
        played.in_horizon(regret.COROLLARY_FAVOURABLE, replace(played.TEN, learner=OGD(Step.ROOT, 1e-8)), played.APART),
    ),
    control(
        "targets_decide",
        "a combiner that stays with the worse learner, whose target is the smaller",
        combiner.COMBINED_FAVOURABLE,
        played.in_horizon(combiner.COMBINED_FAVOURABLE, played.Combination().of((0.0, 1e6)), played.APART),
    ),
)
# A width that does not hold the parameter: the regret of exploration beside 2 w sqrt(T Phi) at w = 1.
BY_WIDTH = control(
    "width_of_one",
    "a width of 1, which does not hold the parameter, with a learner that stands still",
    regret.REGRET_BY_WIDTH,
    played.by_width_audit(replace(played.NARROW, scale=1.0, epsilon=2.0)),
)
