"""Bounds, orders and lower bounds of shariff_sheffet_2018 with one mistake each (mutants), which the audits at their constructions must
refute."""

from fractions import Fraction
from functools import partial

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.policy import Noise
from banditproof.audits.mutations import control, points_control, times
from banditproof.audits.papers.shariff_sheffet_2018.cases import bounds, lemmas
from banditproof.audits.papers.shariff_sheffet_2018.cases import lower_constructions as lower
from banditproof.audits.papers.shariff_sheffet_2018.cases.coverage import policy_of
from banditproof.theory.language import Sense
from banditproof.theory.papers.shariff_sheffet_2018 import facts, lower_bound, regret, wishart

SHIFT = (
    points_control(
        "no_shift_at_all",
        "the shift forgotten: the unshifted bound among the best",
        wishart.SHIFT_OPTIMAL,
        partial(bounds.optimised, bounds.unshifted, bounds.shifted_to, bounds.grid(1e-4, 1.0), None),
    ),
    points_control(
        "shift_for_few_rounds",
        "the shift makes the bound smaller at every horizon",
        wishart.SHIFT_OPTIMAL,
        partial(bounds.lowered, (1_000, 100_000), None),
    ),
    points_control(
        "gaussian_shift_a_thousandfold",
        "a shift that leaves a thousand times Upsilon",
        wishart.SHIFT_OPTIMAL,
        partial(bounds.optimised, partial(bounds.gaussian_to, 1e3), bounds.gaussian_to, bounds.grid(1e-2, 1e2), None),
    ),
)

LOWER = (
    points_control(
        "whole_rounds",
        "a regret of 1 in every round of the two contexts",
        lower_bound.CONTEXT_REGRET,
        partial(lower.least_regrets, times(lower_bound.CONTEXT_REGRET, 4), ("69/100",), ("249/1000",)),
        Sense.AT_LEAST,
    ),
    points_control(
        "choices_a_little_apart",
        "a hundredth less than randomised response",
        lower_bound.CONTEXT_REGRET_EXACT,
        partial(lower.least_regrets, times(lower_bound.CONTEXT_REGRET_EXACT, Fraction(99, 100)), ("1/3", "3"), ("1/10",)),
        Sense.EQUALS,
    ),
    points_control(
        "pulls_without_their_hundred",
        "log(n)/(epsilon Delta) pulls: the 1/100 forgotten",
        lower_bound.PULLS,
        partial(lower.pulls_needed, times(lower_bound.PULLS, 100)),
        Sense.AT_LEAST,
    ),
    points_control(
        "rarely_missed",
        "a fifth of the probability of few pulls",
        lower_bound.PULLS_MISSED,
        partial(lower.missed, times(lower_bound.PULLS_MISSED, Fraction(1, 5))),
    ),
    points_control(
        "regret_a_thousandfold",
        "a thousand times the regret of the lower bound",
        lower_bound.REGRET_PRIVATE_EXPLICIT,
        partial(lower.regrets_needed, times(lower_bound.REGRET_PRIVATE_EXPLICIT, 1000)),
        Sense.AT_LEAST,
        "thousandfold",
    ),
)


_LARGEST, _LEAST = times(facts.SINGULAR_LARGEST, Fraction(1, 2)), times(facts.SINGULAR_LEAST, 2)
LEMMAS = (
    points_control(
        "potential_below_best_in_space",
        "a constant one hundredth below the best, three features",
        regret.POTENTIAL_SHARP,
        partial(lemmas.potentials, times(regret.POTENTIAL_SHARP, Fraction(99, 100))),
        short="below_best_in_space",
    ),
    control(
        "hundredth_of_lemma_21",
        "a hundredth of the regret by the potential",
        regret.GENERIC_REGRET,
        lemmas.lemma(policy_of(Noise.NONE), Sphere(dimension=3, arms=6), 0.01),
    ),
    control(
        "half_of_the_largest",
        "half of the largest singular value of five columns",
        facts.SINGULAR_LARGEST,
        lemmas.singular(60, 5, 0, (_LARGEST, facts.SINGULAR_LEAST)),
    ),
    control(
        "twice_the_least",
        "twice the least singular value of five columns",
        facts.SINGULAR_LEAST,
        lemmas.singular(60, 5, 1, (facts.SINGULAR_LARGEST, _LEAST)),
    ),
    control(
        "half_of_each_eigenvalue",
        "half of the bound beside each eigenvalue of the scale",
        facts.EIGENVALUE_LARGEST,
        lemmas.eigenvalues(100, lemmas.SCALES, 0, (times(facts.EIGENVALUE_LARGEST, Fraction(1, 2)), facts.EIGENVALUE_LEAST)),
    ),
)
