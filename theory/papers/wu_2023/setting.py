r"""Private and robust bandits, the setting (Wu, Zhou, Tao and Wang 2023): definitions 3.1 to 3.7, and what the other files share.

Main statements
    RAW_MOMENT_CLASS, CENTRAL_MOMENT_CLASS, HUBER_CONTAMINATION, PRIVATE_LEARNER, CLEAN_REGRET, MINIMAX_REGRET   definitions
    LAPLACE_MECHANISM   Definition 3.5 with the level that it claims
    FORCED_PHASE_VARIANTS, POSITION_IN_THE_LITERATURE   Remarks 5.1 and 5.2
    USEFUL_LEMMAS       Appendix B, which theory/inequalities.py states
Main definitions
    log_of       l_c = log(c/failure); of_epoch puts the failure of one estimate in an epoch in its place
    at_moment    a statement for one fixed k: only then is its growth in T a power of T
Reads            the NeurIPS 2023 text with its appendix

Implementation notes
    k is any real number >= 2 (the paper does not say whether it is whole; its Lemma B.4 does). `contamination` is alpha_1, the bound that
    the learner knows; `true_contamination` is alpha. Steps and bounds with alpha_1 hold for every alpha <= alpha_1.
    A step that is false in print stands as published; a finding of the statement names it (findings/).
"""

from dataclasses import replace

from sympy import Expr, Rational, log

from banditproof.glossary import ACTIVE, EPOCH, EPSILON, FAILURE, MOMENT, REQUIRED_SCALE, SENSITIVITY
from banditproof.glossary.wu_2023 import LAST_FORCED
from banditproof.theory.evaluate import exact
from banditproof.theory.hypotheses import fresh_laplace_noise, l1_sensitivity, real_arithmetic
from banditproof.theory.language import Bound, Number, OutsideDomain, Sense, Source, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import setting as findings

_failure = symbol(FAILURE)


def source(locator: str) -> Source:
    """A place in this paper."""
    return Source("wu2023private", locator, "NeurIPS 2023, with its appendix")


def log_of(constant: int) -> Expr:
    """l_c = log(c/failure), the failure being that of one estimate."""
    return log(constant / _failure)


def of_epoch(expression: Expr) -> Expr:
    """The expression at the failure of one estimate in an epoch, failure/(2 |S| tau^2), the given failure being the policy's."""
    return expression.xreplace({_failure: _failure / (2 * symbol(ACTIVE) * symbol(EPOCH) ** 2)})


def at_moment(theorem: Theorem, moment: Number) -> Theorem:
    """The statement for one order k of the moment: `moment` is no value of it any more. Raises OutsideDomain unless k >= 2."""
    number = exact("moment", moment)
    if number not in MOMENT.domain:
        raise OutsideDomain(f"moment = {moment}: must be {MOMENT.domain.rule()} ({MOMENT.meaning})")
    if theorem.bound is None or MOMENT not in theorem.bound.given:
        return theorem
    fixed = {symbol(MOMENT): Rational(number.numerator, number.denominator)}
    cases = tuple(
        replace(case, condition=case.condition.xreplace(fixed), expression=case.expression.xreplace(fixed)) for case in theorem.bound.cases
    )
    hypotheses = tuple(
        item if item.condition is None else replace(item, condition=item.condition.xreplace(fixed)) for item in theorem.hypotheses
    )
    given = tuple(quantity for quantity in theorem.bound.given if quantity is not MOMENT)
    return replace(theorem, hypotheses=hypotheses, bound=replace(theorem.bound, cases=cases, given=given), published=None, findings=())


RAW_MOMENT_CLASS = Theorem(
    id="wu_2023.raw_moment_class",
    statement="The raw moment class: reward distributions with a mean of |X|^k of at most 1, for a fixed k >= 2.",
    source=source("Definition 3.1, (1)"),
    not_checkable="a definition",
    findings=(findings.FINITE_MEANS_AT_MOST_ONE,),
)

CENTRAL_MOMENT_CLASS = Theorem(
    id="wu_2023.central_moment_class",
    statement="The central moment class: reward distributions with E|X - EX|^k of at most 1, k >= 2, and a mean in [-D, D], D >= 1.",
    source=source("Definition 3.2, (2)"),
    not_checkable="a definition",
)

HUBER_CONTAMINATION = Theorem(
    id="wu_2023.huber_contamination",
    statement="Each observed reward is, independently, from the arm's inlier distribution with probability 1 - alpha, else from an "
    "arbitrary, unknown distribution of the arm; alpha in [0, 1/2).",
    source=source("Definition 3.3"),
    not_checkable="a definition",
)

PRIVATE_LEARNER = Theorem(
    id="wu_2023.private_learner",
    statement="A learner is epsilon-private if, for any two lists of observed rewards that differ in one entry, no set of arm sequences "
    "is more than exp(epsilon) times as likely under one as under the other.",
    source=source("Definition 3.4"),
    not_checkable="a definition",
    findings=(findings.WHAT_IS_PROTECTED,),
)

LAPLACE_MECHANISM = Theorem(
    id="wu_2023.laplace_mechanism",
    statement="Laplace noise of scale `required_scale` on each coordinate is enough for epsilon-differential privacy.",
    source=source("Definition 3.5, last sentence"),
    hypotheses=(l1_sensitivity, fresh_laplace_noise, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SCALE,
        sense=Sense.AT_MOST,
        cases=always(symbol(SENSITIVITY) / symbol(EPSILON)),
        given=(SENSITIVITY, EPSILON),
    ),
    findings=(findings.SENSITIVITY_OF_NEIGHBOURS,),
)

CLEAN_REGRET = Theorem(
    id="wu_2023.clean_regret",
    statement="The clean regret: the expected total of the gaps of the arms played, the means being those of the inlier distributions.",
    source=source("Definition 3.6"),
    not_checkable="a definition",
)

MINIMAX_REGRET = Theorem(
    id="wu_2023.minimax_regret",
    statement="The minimax regret: the least, over epsilon-private learners, of the largest clean regret over all problems of the class "
    "with contamination alpha.",
    source=source("Definition 3.7"),
    not_checkable="a definition",
)

FORCED_PHASE_VARIANTS = Theorem(
    id="wu_2023.forced_phase_variants",
    statement="The forced phase may draw an arm each round, or be greedy on the private estimates of each arm's last batch: the same "
    "guarantees.",
    source=source("Remark 5.1"),
    not_checkable="it names variants of the policy without a bound; privacy and regret of each variant are audited on the policy",
    steps=(
        Step(  # rounds before the first test, whatever arm each of them plays: what the forced phase costs in every variant
            id="forced_rounds",
            sense=Sense.AT_MOST,
            left=2 ** (symbol(LAST_FORCED) + 1) - 2,
            right=2 * 2 ** symbol(LAST_FORCED),
            draw_order=(LAST_FORCED,),
        ),
    ),
    findings=(findings.VARIANTS_RELEASE_ONCE,),
)

POSITION_IN_THE_LITERATURE = Theorem(
    id="wu_2023.position_in_the_literature",
    statement="Batches and forgetting are the private state of the art, the trimmed mean and Huber's estimator the robust one.",
    source=source("Remark 5.2"),
    not_checkable="it compares with other papers and claims no number",
    findings=(findings.FIRST_TO_STUDY,),
)

USEFUL_LEMMAS = Theorem(
    id="wu_2023.useful_lemmas",
    statement="Post-processing, parallel composition, the tail of the Laplace distribution, and the inequalities of Markov, Chebyshev, "
    "Hoeffding, Hölder and Bernstein.",
    source=source("Lemmas B.1 to B.8, Appendix B"),
    not_checkable="quoted from others; each is stated and audited in inequalities",
    findings=(findings.RANGES_OF_THE_LEMMAS,),
)
