r"""Extremal mechanisms for local privacy (Kairouz, Oh and Viswanath 2014).

Main statements
    RANDOMISED_RESPONSE_PRIVACY   the exact level of randomised response over m answers that keeps the truth with probability p
    RANDOMISED_RESPONSE_KEEP      the largest p that has a given level
Reads                             the mechanism's definition there: the truth with probability e^eps/(m - 1 + e^eps), and each other answer
                                  with probability 1/(m - 1 + e^eps)

Implementation notes
    The paper prints p as a function of epsilon; the first statement is that equation solved for epsilon. The second divides by e^eps, so
    that doubles do not overflow.
"""

from collections.abc import Mapping

from sympy import exp, log

from banditproof.glossary import CATEGORIES, EPSILON, KEEP, Quantity
from banditproof.glossary.kairouz_2014 import REQUIRED_KEEP
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import fresh_coins, keeps_truth
from banditproof.theory.language import Bound, Sense, Source, Theorem, always, symbol

PAPER = "Peter Kairouz, Sewoong Oh and Pramod Viswanath, *Extremal Mechanisms for Local Differential Privacy* (NIPS 2014)"
LETTERS: Mapping[Quantity, str] = {CATEGORIES: r"|\mathcal{X}|"}

_keep, _categories, _epsilon = symbol(KEEP), symbol(CATEGORIES), symbol(EPSILON)

SOLVED_FOR_EPSILON = Finding(
    name="solved_for_epsilon",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the paper defines the probabilities by epsilon; the statement here has epsilon in terms of them",
    place="definition of randomised response",
    sentence="the truth with probability e^epsilon/(m - 1 + e^epsilon), and each other answer with probability 1/(m - 1 + e^epsilon)",
    literal="The definition is for epsilon >= 0, so that the truth is at least as probable as each other answer.",
    charitable="As read literally.",
    consequence="The condition keeps_truth, keep > 1/m, belongs to the solved form: below 1/m the printed definition has no epsilon.",
    stands="The mechanism as defined.",
    instead="Either form; randomised_response_keep is the printed one.",
)

RANDOMISED_RESPONSE_PRIVACY = Theorem(
    id="kairouz_2014.randomised_response_privacy",
    statement="Reporting the truth with probability keep, and else one of the other answers uniformly, is `epsilon`-locally "
    "differentially private for the epsilon below and for no smaller one.",
    source=Source("kairouz2014extremal", "section on randomised response, its definition solved for epsilon", "NIPS 2014"),
    hypotheses=(keeps_truth, fresh_coins),
    bound=Bound(
        of=EPSILON,
        sense=Sense.EQUALS,
        cases=always(log(_keep * (_categories - 1) / (1 - _keep))),
        given=(CATEGORIES, KEEP),
    ),
    findings=(SOLVED_FOR_EPSILON,),
)

RANDOMISED_RESPONSE_KEEP = Theorem(
    id="kairouz_2014.randomised_response_keep",
    statement="The largest probability of reporting the truth under which randomised response is epsilon-locally private.",
    source=Source("kairouz2014extremal", "section on randomised response, its definition", "NIPS 2014"),
    hypotheses=(fresh_coins,),
    bound=Bound(
        of=REQUIRED_KEEP,
        sense=Sense.EQUALS,
        cases=always(1 / (1 + (_categories - 1) * exp(-_epsilon))),
        given=(CATEGORIES, EPSILON),
    ),
)
