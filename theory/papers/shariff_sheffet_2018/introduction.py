r"""What the introduction and section B.1 say of the results (Shariff and Sheffet 2018, sections 1 and B.1).

Main statements
    PSEUDO_REGRET       footnote 1: what pseudo-regret is
    COLLUDING_USERS     the introduction's "very limited advantage", as a number
    IGNORED_CONTEXT     what standard privacy does to the context
    COMPOSITION         section 1.3: composition and group privacy
    MAIN_TERMS          section 1.2: the main term of both regret bounds
    ORDERS, ORDERS_GAP  section B.1: the orders of (2) and (3) in n
    REGULARISERS        section B.1: what changing regularisers cost
What is wrong in print: findings/introduction.py. The orders that stand here are those of the formulas; what is printed is judged beside
them.

Derivation
    COLLUDING_USERS. Two equally likely contexts: the best guess is right with probability (1 + TV)/2, and the total variation of
    (epsilon, delta)-close distributions is at most delta + (1 - delta) (exp(epsilon) - 1)/(exp(epsilon) + 1).
"""

from sympy import Rational, exp, log, sqrt

from banditproof.glossary import DELTA, DIMENSION, EPSILON, HORIZON, REGRET, SUCCESS
from banditproof.glossary.shariff_sheffet_2018 import MINIMUM_GAP
from banditproof.theory.language import Bound, Constants, Sense, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import introduction as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_n, _d, _epsilon, _delta = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(DELTA)

PSEUDO_REGRET = Theorem(
    id="shariff_sheffet_2018.pseudo_regret",
    statement="The pseudo-regret is the sum over rounds of the best mean in the decision set less the played action's mean.",
    source=source("section 1.1 and footnote 1"),
    not_checkable="a definition",
    findings=(findings.BEST_BY_MEAN,),
)

COLLUDING_USERS = Theorem(
    id="shariff_sheffet_2018.colluding_users",
    statement="Two contexts of user t are equally likely; all later users together guess which one it was, correctly with at most the "
    "probability `success`.",
    source=source("[assembled] introduction, 'very limited advantage over a random guess', from Definition 1"),
    bound=Bound(of=SUCCESS, sense=Sense.AT_MOST, cases=always((exp(_epsilon) + _delta) / (exp(_epsilon) + 1)), given=(EPSILON, DELTA)),
    findings=(findings.LIMITED_ADVANTAGE,),
)

IGNORED_CONTEXT = Theorem(
    id="shariff_sheffet_2018.ignored_context",
    statement="Under standard privacy a learner has to ignore the context and has linear regret.",
    source=source("introduction, 'requires us to essentially ignore the context'"),
    not_checkable="'essentially' names no amount; what is claimed of the regret is Claim 13",
    findings=(findings.CONTEXT_IS_USED,),
)

COMPOSITION = Theorem(
    id="shariff_sheffet_2018.composition",
    statement="k mechanisms, each (epsilon, delta)-private, are together (O(k epsilon^2 + 2 epsilon sqrt(k log(1/delta'))), k delta + "
    "delta')-private; k changed data change probabilities by about k times as much as one.",
    source=source("section 1.3, quoting Dwork, Rothblum and Vadhan 2010"),
    not_checkable="it is quoted, with its constants suppressed; dwork_2010 and kairouz_2015 have composition with constants",
    findings=(findings.COMPOSITION_FACTOR, findings.GROUP_PRIVACY),
)

MAIN_TERMS = Theorem(
    id="shariff_sheffet_2018.main_terms",
    statement="The main terms of both regret bounds, up to logarithms.",
    source=source("section 1.2, with the term in d that it leaves out"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_n) * (_d + _d ** Rational(3, 4) / sqrt(_epsilon))),
        given=(HORIZON, DIMENSION, EPSILON),
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.MAIN_TERM,),
)

ORDERS = Theorem(
    id="shariff_sheffet_2018.orders",
    statement="The order of the general bound (2) in n, for fixed regularisers.",
    source=source("section B.1, with the logarithm that 'broadly speaking' leaves out"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_n) * log(_n)),
        given=(HORIZON,),
        constants=Constants.SUPPRESSED,
    ),
)

ORDERS_GAP = Theorem(
    id="shariff_sheffet_2018.orders_gap",
    statement="The order of the gap-dependent bound (3) in n and the gap, for fixed regularisers.",
    source=source("section B.1, with the logarithm that it leaves out"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(log(_n) ** 2 / symbol(MINIMUM_GAP)),
        given=(HORIZON, MINIMUM_GAP),
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.ORDER_IN_THE_HORIZON,),
)

AS_PUBLISHED = {  # the orders of sections 1.2 and B.1, in the words of the paper
    MAIN_TERMS.id: sqrt(_n) * _d ** Rational(3, 4) / sqrt(_epsilon),
    ORDERS.id: sqrt(_n),  # up to logarithms: finding order_in_the_horizon
    ORDERS_GAP.id: log(_n) / symbol(MINIMUM_GAP),
}

REGULARISERS = Theorem(
    id="shariff_sheffet_2018.regularisers",
    statement="Changing regularisers, bounded above and below, do not cost significant additional regret.",
    source=source("section B.1, 'The first conclusion'"),
    not_checkable="'significant' names no amount; the amounts are in (2) and (3)",
    findings=(findings.SIZE_OF_REGULARISERS,),
)
