r"""Inequalities that many papers share: tails, concentration, composition of private mechanisms.

Main statements
    LAPLACE_TAIL                the tail of a Laplace law, exactly
    HOEFFDING                   half-width of a two-sided confidence interval for a mean of values in [0, 1]
    HOEFFDING_TAIL              one-sided tail of that mean
    BASIC_COMPOSITION(_DELTA)   k mechanisms: the epsilons and the deltas add
    ADVANCED_COMPOSITION(_DELTA) k mechanisms: about sqrt(k) epsilon, at the price of a slack
    SHARP_COMPOSITION(_DELTA)   the same with the smaller drift k epsilon tanh(epsilon/2)
    POST_PROCESSING             processing a release costs nothing

Implementation notes
    Composition is stated twice, once for each number that it promises; both halves hold together.
Not stated here     composition of unequal mechanisms (the papers' sums over i; here all k are alike)
"""

from sympy import exp, log, sqrt, tanh

from banditproof.glossary import (
    DELTA,
    DEVIATION,
    EPSILON,
    FAILURE,
    FOLDS,
    RADIUS,
    SAMPLES,
    SCALE,
    SLACK,
    TAIL_PROBABILITY,
    THRESHOLD,
    TOTAL_DELTA,
    TOTAL_EPSILON,
)
from banditproof.theory.hypotheses import (
    each_private_whatever_came_before,
    fixed_samples,
    fresh_laplace_noise,
    independent_rewards,
    processing_sees_the_release_alone,
    unit_rewards,
)
from banditproof.theory.language import Bound, Mode, Sense, Source, Step, Theorem, always, symbol

_epsilon, _delta, _folds, _slack = symbol(EPSILON), symbol(DELTA), symbol(FOLDS), symbol(SLACK)
_samples, _failure, _deviation = symbol(SAMPLES), symbol(FAILURE), symbol(DEVIATION)

LAPLACE_TAIL = Theorem(
    id="inequalities.laplace_tail",
    statement="A centred Laplace variable exceeds a threshold in absolute value with a probability that falls exponentially.",
    source=Source("dwork2014algorithmic", "Fact 3.7", "monograph, 2014"),
    hypotheses=(fresh_laplace_noise,),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.EQUALS, cases=always(exp(-symbol(THRESHOLD) / symbol(SCALE))), given=(THRESHOLD, SCALE)),
)

HOEFFDING = Theorem(
    id="inequalities.hoeffding",
    statement="The mean of independent values in [0, 1] lies within the radius of its expectation, on both sides.",
    source=Source("hoeffding1963probability", "Theorem 1 on both sides, solved for the radius", "JASA 58"),
    hypotheses=(unit_rewards, independent_rewards, fixed_samples),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(log(2 / _failure) / (2 * _samples))),
        given=(SAMPLES, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

HOEFFDING_TAIL = Theorem(
    id="inequalities.hoeffding_tail",
    statement="The mean of independent values in [0, 1] exceeds its expectation by the deviation with at most this probability.",
    source=Source("hoeffding1963probability", "Theorem 1, (2.3)", "JASA 58"),
    hypotheses=(unit_rewards, independent_rewards, fixed_samples),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(exp(-2 * _samples * _deviation**2)), given=(SAMPLES, DEVIATION)),
)

BASIC_COMPOSITION = Theorem(
    id="inequalities.basic_composition",
    statement="k mechanisms with (epsilon, delta) each are together (k epsilon, k delta)-differentially private: the epsilon.",
    source=Source("dwork2014algorithmic", "Theorem 3.16 and Corollary 3.15", "monograph, 2014"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_folds * _epsilon), given=(FOLDS, EPSILON)),
)

BASIC_COMPOSITION_DELTA = Theorem(
    id="inequalities.basic_composition_delta",
    statement="k mechanisms with (epsilon, delta) each are together (k epsilon, k delta)-differentially private: the delta.",
    source=Source("dwork2014algorithmic", "Theorem 3.16", "monograph, 2014"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(of=TOTAL_DELTA, sense=Sense.AT_MOST, cases=always(_folds * _delta), given=(FOLDS, DELTA)),
)

ADVANCED_COMPOSITION = Theorem(
    id="inequalities.advanced_composition",
    statement="k mechanisms with (epsilon, delta) each, chosen adaptively, are together (epsilon', k delta + slack)-differentially "
    "private: the epsilon'.",
    source=Source("dwork2014algorithmic", "Theorem 3.20", "monograph, 2014"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(
        of=TOTAL_EPSILON,
        sense=Sense.AT_MOST,
        cases=always(sqrt(2 * _folds * log(1 / _slack)) * _epsilon + _folds * _epsilon * (exp(_epsilon) - 1)),
        given=(FOLDS, EPSILON, SLACK),
    ),
    steps=(
        Step(  # the expected privacy loss of one mechanism: Lemma 3.18 there bounds it by epsilon (exp(epsilon) - 1)
            id="drift",
            sense=Sense.AT_MOST,
            left=_epsilon * tanh(_epsilon / 2),
            right=_epsilon * (exp(_epsilon) - 1),
            draw_order=(EPSILON,),
        ),
    ),
)

ADVANCED_COMPOSITION_DELTA = Theorem(
    id="inequalities.advanced_composition_delta",
    statement="k mechanisms with (epsilon, delta) each, chosen adaptively, are together (epsilon', k delta + slack)-differentially "
    "private: the delta.",
    source=Source("dwork2014algorithmic", "Theorem 3.20", "monograph, 2014"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(of=TOTAL_DELTA, sense=Sense.AT_MOST, cases=always(_folds * _delta + _slack), given=(FOLDS, DELTA, SLACK)),
)

SHARP_COMPOSITION = Theorem(
    id="inequalities.sharp_composition",
    statement="k mechanisms with (epsilon, delta) each, chosen adaptively: the third of the three epsilons whose least one holds, "
    "with the drift k epsilon (exp(epsilon) - 1)/(exp(epsilon) + 1).",
    source=Source("kairouz2015composition", "Theorem 3.4, third term of the minimum", "ICML 2015"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(
        of=TOTAL_EPSILON,
        sense=Sense.AT_MOST,
        cases=always(_folds * _epsilon * tanh(_epsilon / 2) + _epsilon * sqrt(2 * _folds * log(1 / _slack))),
        given=(FOLDS, EPSILON, SLACK),
    ),
)

SHARP_COMPOSITION_DELTA = Theorem(
    id="inequalities.sharp_composition_delta",
    statement="k mechanisms with (epsilon, delta) each, chosen adaptively: the delta that goes with the sharp epsilon.",
    source=Source("kairouz2015composition", "Theorem 3.4", "ICML 2015"),
    hypotheses=(each_private_whatever_came_before,),
    bound=Bound(of=TOTAL_DELTA, sense=Sense.AT_MOST, cases=always(1 - (1 - _delta) ** _folds * (1 - _slack)), given=(FOLDS, DELTA, SLACK)),
    steps=(
        Step(
            id="smaller_than_the_sum",
            sense=Sense.AT_MOST,
            left=1 - (1 - _delta) ** _folds * (1 - _slack),
            right=_folds * _delta + _slack,
            draw_order=(FOLDS, DELTA, SLACK),
        ),
    ),
)

POST_PROCESSING = Theorem(
    id="inequalities.post_processing",
    statement="Whatever is computed from a release of a (epsilon, delta)-differentially private mechanism has the same epsilon and delta.",
    source=Source("dwork2014algorithmic", "Proposition 2.1", "monograph, 2014"),
    hypotheses=(processing_sees_the_release_alone,),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
)
