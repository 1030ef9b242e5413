r"""Inequalities that many papers share: tails, concentration, composition of private mechanisms.

Main statements
    LAPLACE_TAIL                the tail of a Laplace distribution, exactly
    HOEFFDING                   half-width of a two-sided confidence interval for a mean of values in [0, 1]
    HOEFFDING_TAIL              one-sided tail of that mean
    BASIC_COMPOSITION(_DELTA)   k mechanisms: the epsilons and the deltas add
    ADVANCED_COMPOSITION(_DELTA) k mechanisms: about sqrt(k) epsilon, at the price of a slack
    SHARP_COMPOSITION(_DELTA)   the same with the smaller drift k epsilon tanh(epsilon/2)
    POST_PROCESSING             processing a release costs nothing
    PARALLEL_COMPOSITION        mechanisms on disjoint records: the level of one
    ADAPTIVE_PARALLEL_COMPOSITION the same when outputs decide which part a later record enters
    MARKOV, MARKOV_CENTRED      tails from an absolute moment, around 0 and around the mean
    HOELDER                     the mean of a product by a moment of each factor
    HOEFFDING_INTERVAL          two-sided tail of a mean of values in any interval
    BERNSTEIN_TAIL, BERNSTEIN   two-sided tail of a mean with small variance, and the radius that it gives
    BINOMIAL_TAIL               Chernoff's bound with the divergence of two coins
    CHI_SQUARE_UPPER, _LOWER    how far a chi-square variable is from its mean
    BRETAGNOLLE_HUBER           two error probabilities by the divergence of the two distributions

Implementation notes
    Composition is stated twice, once for each number that it promises; both halves hold together.
    BERNSTEIN's radius is sqrt(2 s L/n) + 2 M L/(3 n) with L = log(2/failure). Put it into the tail: with x the quotient of
    its two terms, 3 sqrt(s n/(2 L))/M, the exponent is L (1 + x)^2/(1 + x + x^2), which is at least L.
    A bound on a probability may exceed 1; then it says nothing, and is true.

Derivation of ADAPTIVE_PARALLEL_COMPOSITION (not printed)
    Write the outputs as a sequence. The probability of a sequence is the product, over mechanisms, of the probability of an output given
    those before it. Given the past, the parts are the same for both neighbours, so the differing record is in one part: one factor
    changes, by at most exp(epsilon), and the others are equal.

Not stated here     composition of unequal mechanisms (the papers' sums over i; here all k are alike)
"""

from sympy import Expr, Ge, Gt, Rational, exp, log, sqrt, tanh

from banditproof.glossary import (
    CHI_SQUARE,
    DEGREES,
    DELTA,
    DEVIATION,
    DIVERGENCE,
    DUAL_MOMENT,
    EPSILON,
    ERROR_SUM,
    EXPONENT,
    FAILURE,
    FOLDS,
    FRACTION,
    LEVEL,
    MAGNITUDE,
    PRODUCT_MEAN,
    RADIUS,
    RATIO,
    RAW_MOMENT,
    SAMPLES,
    SCALE,
    SLACK,
    SUCCESS,
    TAIL_PROBABILITY,
    THRESHOLD,
    TOTAL_DELTA,
    TOTAL_EPSILON,
    UNIT_RATIO,
    VARIANCE,
    WIDTH,
)
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import (
    bernoulli_trials,
    bounded_draws,
    centred_draws,
    draws_in_an_interval,
    each_private_whatever_came_before,
    fixed_samples,
    fresh_laplace_noise,
    independent_draws,
    independent_rewards,
    parts_by_position,
    processing_sees_the_release_alone,
    unit_rewards,
)
from banditproof.theory.language import Bound, Checked, Hypothesis, Mode, Sense, Source, Step, Theorem, always, symbol

_epsilon, _delta, _folds, _slack = symbol(EPSILON), symbol(DELTA), symbol(FOLDS), symbol(SLACK)
_samples, _failure, _deviation = symbol(SAMPLES), symbol(FAILURE), symbol(DEVIATION)
_exponent, _moment, _level, _x, _u = symbol(EXPONENT), symbol(RAW_MOMENT), symbol(LEVEL), symbol(RATIO), symbol(UNIT_RATIO)
_p, _q, _variance, _magnitude = symbol(SUCCESS), symbol(FRACTION), symbol(VARIANCE), symbol(MAGNITUDE)
_degrees, _l = symbol(DEGREES), log(2 / _failure)

fixed_parts = Hypothesis("fixed_parts", "neighbours differ in one record, and the parts are fixed beforehand", Checked.ASSUMED)
exponent_above_one = Hypothesis("exponent_above_one", "k > 1", Checked.BY_VALUE, Gt(_exponent, 1))
fraction_above_success = Hypothesis("fraction_above_success", "q >= p: an upper tail", Checked.BY_VALUE, Ge(_q, _p))


def _coins(one: Expr, other: Expr) -> Expr:
    """The divergence of a coin with the first success probability from one with the second."""
    return one * log(one / other) + (1 - one) * log((1 - one) / (1 - other))


def _bernstein_exponent(distance: Expr) -> Expr:
    return _samples * distance**2 / 2 / (_variance + _magnitude * distance / 3)


_bernstein_radius = sqrt(2 * _variance * _l / _samples) + 2 * _magnitude * _l / (3 * _samples)
_terms = 3 * sqrt(_variance * _samples / (2 * _l)) / _magnitude  # its first term over its second

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

DRIFT = Finding(
    name="drift",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the drift of advanced composition is larger than the mean privacy loss can be",
    place="Dwork and Roth 2014, Theorem 3.20, by Lemma 3.18",
    sentence="epsilon' = sqrt(2 k ln(1/delta')) epsilon + k epsilon (e^epsilon - 1)",
    literal="True, and not the least: the mean loss of an epsilon-private mechanism is at most epsilon (e^epsilon - 1)/(e^epsilon + 1).",
    charitable="The theorem claims an upper bound, not the least one.",
    counterexample="k = 10, epsilon = 1, delta' = 1e-6: 33.8 as printed, and 21.3 holds with the smaller drift",
    consequence="A factor that grows with epsilon; for small epsilon the second term is twice as large as it need be.",
    stands="The theorem as printed.",
    instead="sharp_composition (Kairouz, Oh and Viswanath 2015, Theorem 3.4), or an accountant.",
    step="drift",
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
        Step(
            id="drift",
            sense=Sense.AT_MOST,
            left=_epsilon * tanh(_epsilon / 2),
            right=_epsilon * (exp(_epsilon) - 1),
            draw_order=(EPSILON,),
            note="the expected privacy loss of one mechanism: Lemma 3.18 there bounds it by epsilon (exp(epsilon) - 1)",
        ),
    ),
    findings=(DRIFT,),
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

# --- disjoint records -------------------------------------------------------------------------------------------------------------

PARALLEL_COMPOSITION = Theorem(
    id="inequalities.parallel_composition",
    statement="Mechanisms of one level epsilon on disjoint parts of the records are together epsilon-differentially private.",
    source=Source("wu2023private", "Lemma B.2", "NeurIPS 2023"),
    hypotheses=(fixed_parts, each_private_whatever_came_before),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
)

ADAPTIVE_PARALLEL_COMPOSITION = Theorem(
    id="inequalities.adaptive_parallel_composition",
    statement="Mechanisms of one level epsilon, each on records that no other sees, are together epsilon-differentially private even if "
    "outputs decide which mechanism comes next and which later records it sees.",
    source=Source("wu2023private", "[assembled] Lemma B.2 in the adaptive form that Algorithm 1 needs; derived in theory/inequalities.py"),
    hypotheses=(parts_by_position, each_private_whatever_came_before),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
)

# --- moments ----------------------------------------------------------------------------------------------------------------------

MARKOV = Theorem(
    id="inequalities.markov",
    statement="A variable is at least the level in absolute value with at most this probability; raw_moment is the mean of |X|^k.",
    source=Source("wu2023private", "Lemma B.3, for every real k > 0", "NeurIPS 2023"),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(_moment / _level**_exponent), given=(LEVEL, EXPONENT, RAW_MOMENT)),
)

MARKOV_CENTRED = Theorem(
    id="inequalities.markov_centred",
    statement="A variable is at least the level away from its mean with at most this probability; raw_moment is the mean of |X - EX|^k.",
    source=Source("wu2023private", "Lemma B.4, for every real k > 0 (printed: natural k)", "NeurIPS 2023"),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(_moment / _level**_exponent), given=(LEVEL, EXPONENT, RAW_MOMENT)),
)

HOELDER = Theorem(
    id="inequalities.hoelder",
    statement="The mean of |XY| is at most the product of the moments of X of order k and of Y of the dual order k/(k - 1).",
    source=Source("wu2023private", "Lemma B.7", "NeurIPS 2023"),
    hypotheses=(exponent_above_one,),
    bound=Bound(
        of=PRODUCT_MEAN,
        sense=Sense.AT_MOST,
        cases=always(_moment ** (1 / _exponent) * symbol(DUAL_MOMENT) ** (1 - 1 / _exponent)),
        given=(EXPONENT, RAW_MOMENT, DUAL_MOMENT),
    ),
    steps=(
        Step(
            id="young",
            sense=Sense.AT_MOST,
            left=_x ** (1 / _exponent),
            right=_x / _exponent + 1 - 1 / _exponent,
            draw_order=(EXPONENT, RATIO),
            domain=(Gt(_exponent, 1),),
            note="Young, for factors of unit norm, divided by |Y|^(k/(k-1)): x = |X|^k/|Y|^(k/(k-1)); its mean is the inequality",
        ),
    ),
)

# --- means of independent draws -----------------------------------------------------------------------------------------------------

HOEFFDING_INTERVAL = Theorem(
    id="inequalities.hoeffding_interval",
    statement="The mean of independent draws from an interval is at least the level away from its expectation with at most this "
    "probability.",
    source=Source("hoeffding1963probability", "Theorem 2 on both sides", "JASA 58"),
    hypotheses=(draws_in_an_interval, independent_draws, fixed_samples),
    bound=Bound(
        of=TAIL_PROBABILITY,
        sense=Sense.AT_MOST,
        cases=always(2 * exp(-2 * _samples * _level**2 / symbol(WIDTH) ** 2)),
        given=(SAMPLES, LEVEL, WIDTH),
    ),
)

BERNSTEIN_TAIL = Theorem(
    id="inequalities.bernstein_tail",
    statement="The mean of independent centred draws is at least the level in absolute value with at most this probability.",
    source=Source("vershynin2018high", "Theorem 2.8.4", "2018"),
    hypotheses=(bounded_draws, centred_draws, independent_draws, fixed_samples),
    bound=Bound(
        of=TAIL_PROBABILITY,
        sense=Sense.AT_MOST,
        cases=always(2 * exp(-_bernstein_exponent(_level))),
        given=(SAMPLES, VARIANCE, MAGNITUDE, LEVEL),
    ),
)

BERNSTEIN = Theorem(
    id="inequalities.bernstein",
    statement="The mean of independent centred draws lies within the radius of 0, on both sides.",
    source=Source("vershynin2018high", "[assembled] Theorem 2.8.4 solved for a radius; derived in theory/inequalities.py", "2018"),
    hypotheses=(bounded_draws, centred_draws, independent_draws, fixed_samples),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_bernstein_radius),
        given=(SAMPLES, VARIANCE, MAGNITUDE, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="exponent_in_units",
            sense=Sense.EQUALS,
            left=_bernstein_exponent(_bernstein_radius) / _l,
            right=(1 + _terms) ** 2 / (1 + _terms + _terms**2),
            draw_order=(FAILURE, VARIANCE, MAGNITUDE, SAMPLES),
            ours=True,
        ),
        Step(
            id="exponent_large_enough",
            sense=Sense.AT_LEAST,
            left=(1 + _x) ** 2 / (1 + _x + _x**2),
            right=Rational(1),
            draw_order=(RATIO,),
            ours=True,
            note="the exponent at the radius, divided by log(1/failure); ratio is the radius's second term divided by its first",
        ),
    ),
)

BINOMIAL_TAIL = Theorem(
    id="inequalities.binomial_tail",
    statement="At least a fraction q of n independent trials succeed with at most this probability, exp(-n kl(q, p)).",
    source=Source("hoeffding1963probability", "Theorem 1, (2.1)", "JASA 58"),
    hypotheses=(fraction_above_success, bernoulli_trials, independent_draws, fixed_samples),
    bound=Bound(
        of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(exp(-_samples * _coins(_q, _p))), given=(SAMPLES, SUCCESS, FRACTION)
    ),
)

# --- chi-square ---------------------------------------------------------------------------------------------------------------------

CHI_SQUARE_UPPER = Theorem(
    id="inequalities.chi_square_upper",
    statement="A chi-square variable with d degrees of freedom is at most `chi_square`.",
    source=Source("laurent2000adaptive", "Lemma 1, (4.3)", "Annals of Statistics 28"),
    bound=Bound(
        of=CHI_SQUARE,
        sense=Sense.AT_MOST,
        cases=always(_degrees + 2 * sqrt(_degrees * log(1 / _failure)) + 2 * log(1 / _failure)),
        given=(DEGREES, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="generating_function",
            sense=Sense.AT_MOST,
            left=-log(1 - _u) - _u,
            right=_u**2 / (2 * (1 - _u)),
            draw_order=(UNIT_RATIO,),
            domain=(Gt(1, _u),),
            note="the logarithm of the moment generating function of (Z^2 - 1)/2 at u < 1",
        ),
    ),
)

CHI_SQUARE_LOWER = Theorem(
    id="inequalities.chi_square_lower",
    statement="A chi-square variable with d degrees of freedom is at least `chi_square`; where the bound is negative it says nothing.",
    source=Source("laurent2000adaptive", "Lemma 1, (4.4)", "Annals of Statistics 28"),
    bound=Bound(
        of=CHI_SQUARE,
        sense=Sense.AT_LEAST,
        cases=always(_degrees - 2 * sqrt(_degrees * log(1 / _failure))),
        given=(DEGREES, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

# --- two distributions --------------------------------------------------------------------------------------------------------------------

BRETAGNOLLE_HUBER = Theorem(
    id="inequalities.bretagnolle_huber",
    statement="For any event A, `error_sum`, its probability under P plus the probability of its complement under Q, is at least the "
    "bound.",
    source=Source("lattimore2020bandit", "Theorem 14.2", "2020"),
    bound=Bound(of=ERROR_SUM, sense=Sense.AT_LEAST, cases=always(exp(-symbol(DIVERGENCE)) / 2), given=(DIVERGENCE,)),
    steps=(
        Step(
            id="two_coins",
            sense=Sense.AT_LEAST,
            left=_p + 1 - _q,
            right=exp(-_coins(_p, _q)) / 2,
            draw_order=(SUCCESS, FRACTION),
            reason="distributions on two points: by data processing every event reduces to them",
            note="P and Q coins, A the heads; A the tails is the same line at 1 - p and 1 - q",
        ),
    ),
)
