r"""Private contextual linear bandits, the setting (Shariff and Sheffet 2018): definitions 1 to 3, and what the other files share.

Main statements
    JOINTLY_PRIVATE, ACCURATE_RADII, ACCURATE_REGULARISERS   Definitions 1, 2, 3
    LEARNER_PRIVACY, LEARNER_DELTA  Claim 7: the actions are as private as the noisy sums, epsilon and delta
    PRIVATE_SUMS        section 4: what the privacy of the sums assumes of the rows
    ONLY_JOINTLY        Remark 1
Main definitions
    nodes_of, degrees_of_all    m from the horizon; sqrt(m k)
    spread              sqrt(d) + sqrt(2 log(q n/alpha)), the deviation that all noise bounds share
Reads                   the NeurIPS 2018 text with its supplement

Notation                n = horizon, alpha = failure, m = nodes, L~ = row_norm, L = context_norm, S = parameter_norm, B = mean_bound,
                        sigma = reward_sigma, a_q = spread(q), s = sqrt(m k)

Readings
    "alpha/2n" is alpha/(2n). m is 1 + ceil(log2 n) for every n. alpha is a probability: Propositions 9 and 11 print "any alpha > 0", and
    have the root of a negative number from alpha > 8n or 2n on.
    Claim 7 is read for all n pairs of sums and for rows chosen from earlier releases: findings last_pair and fixed_rows.

Implementation notes
    A step that is false in print stands as published; a finding of the statement names it (findings/).
"""

from sympy import Expr, Ge, Integer, log, sqrt

from banditproof.glossary import DELTA, DIMENSION, EPSILON, FAILURE, HORIZON, TOTAL_DELTA, TOTAL_EPSILON, Quantity
from banditproof.glossary.shariff_sheffet_2018 import NODES, WISHART_DEGREES
from banditproof.theory.hypotheses import processing_sees_the_release_alone
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Implicit, Mode, Sense, Source, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import setting as findings

_n, _m, _d, _alpha = symbol(HORIZON), symbol(NODES), symbol(DIMENSION), symbol(FAILURE)

replaced_row = Hypothesis(
    "replaced_row", "neighbouring inputs differ in the action and reward of one round, of length at most L~", Checked.BY_ENVIRONMENT
)
adaptive_rows = Hypothesis(
    "adaptive_rows", "the sums are private for rows that are chosen from the sums released before", Checked.ASSUMED, added="fixed_rows"
)
all_pairs = Hypothesis("all_pairs", "all n pairs of sums are private, the last one too", Checked.ASSUMED, added="last_pair")


def source(locator: str) -> Source:
    """A place in this paper."""
    return Source("shariff2018differentially", locator, "NeurIPS 2018, with its supplement")


def nodes_of() -> Implicit:
    """NODES, from the horizon: the least m with 2^(m - 1) >= n, which is 1 + ceil(log2 n)."""
    return Implicit(of=NODES, condition=Ge(2 ** (_m - 1), _n), bracket=(Integer(1), _n), unique="2^m grows", growth=log(_n) / log(2))


def in_every_round(given: tuple[Quantity, ...], of: Quantity, sense: Sense, cases: tuple[Case, ...]) -> Bound:
    """A bound on the noise of all rounds at once, with probability 1 - failure."""
    return Bound(
        of=of,
        sense=sense,
        cases=cases,
        given=given,
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
        where=(nodes_of(),),
    )


def degrees_of_all() -> Expr:
    """s = sqrt(m k)."""
    return sqrt(_m * symbol(WISHART_DEGREES))


def noise_deviation(factor: int) -> Expr:
    """a_q = sqrt(d) + sqrt(2 log(q n/alpha))."""
    return sqrt(_d) + sqrt(2 * log(factor * _n / _alpha))


JOINTLY_PRIVATE = Theorem(
    id="shariff_sheffet_2018.jointly_private",
    statement="A learner is (epsilon, delta)-jointly private if, for every round and any two sequences that differ in that round's "
    "decision set and reward, the actions after that round have probabilities within exp(epsilon) and delta of each other.",
    source=source("Definition 1"),
    not_checkable="a definition",
    findings=(findings.PRIMED_EVENT, findings.FIXED_LISTS),
)

ACCURATE_RADII = Theorem(
    id="shariff_sheffet_2018.accurate_radii",
    statement="Radii are (alpha, n)-accurate if, with probability 1 - alpha, the parameter lies in every round's ellipsoid.",
    source=source("Definition 2"),
    not_checkable="a definition",
)

ACCURATE_REGULARISERS = Theorem(
    id="shariff_sheffet_2018.accurate_regularisers",
    statement="rho_min, rho_max and gamma are accurate if, in each round, with probability 1 - alpha/(2n), the eigenvalues of the "
    "regulariser lie between the first two and the perturbation's norm is at most the third.",
    source=source("Definition 3"),
    not_checkable="a definition",
)

LEARNER_PRIVACY = Theorem(
    id="shariff_sheffet_2018.learner_privacy",
    statement="Linear UCB on noisy sums that are (epsilon, delta)-private is (epsilon, delta)-jointly private: the epsilon.",
    source=source("Claim 7"),
    hypotheses=(processing_sees_the_release_alone, all_pairs, adaptive_rows),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(symbol(EPSILON)), given=(EPSILON,)),
    findings=(findings.NOISY_SUMS,),
)

LEARNER_DELTA = Theorem(
    id="shariff_sheffet_2018.learner_delta",
    statement="Linear UCB on noisy sums that are (epsilon, delta)-private is (epsilon, delta)-jointly private: the delta, at that epsilon.",
    source=source("Claim 7"),
    hypotheses=(processing_sees_the_release_alone, all_pairs, adaptive_rows),
    bound=Bound(of=TOTAL_DELTA, sense=Sense.AT_MOST, cases=always(symbol(DELTA)), given=(DELTA,)),
    findings=(findings.LAST_PAIR, findings.FIXED_ROWS),
)

PRIVATE_SUMS = Theorem(
    id="shariff_sheffet_2018.private_sums",
    statement="The noisy sums are private on rows (x_t, y_t) of length at most L~.",
    source=source("section 4, 'Item 6 must hold'"),
    not_checkable="it names an assumption on the data, which every statement of privacy here has as its hypothesis replaced_row",
    findings=(findings.ROWS_ARE_BOUNDED,),
)

ONLY_JOINTLY = Theorem(
    id="shariff_sheffet_2018.only_jointly",
    statement="The learner is jointly private only: its action shows the decision set of its own round.",
    source=source("Remark 1"),
    not_checkable="it says what is not promised",
)
