r"""Private counting under continual observation: the tree sum (Dwork, Naor, Pitassi and Rothblum 2010).

Main statements
    TREE_PRIVACY    Laplace noise of scale b on each node of the tree: levels * s/b, for all releases together
    TREE_SCALE      enough noise per node for epsilon
    COUNTER_ERROR   the printed accuracy, constants suppressed
    TREE_ERROR      every released prefix sum is within this distance, with probability 1 - beta, over all rounds: explicit, assembled by us

Reads               the STOC 2010 counter as section 12.1 of the monograph (dwork2014algorithmic) restates it; the proceedings were not at
                    hand, so the locators are by section. The paper takes T to be a power of two and draws noise of scale
                    (1 + log2 T)/epsilon; 1 + floor(log2 T) is the same number there and right for every T.

Derivation of TREE_ERROR (not printed)
    The tree has L = 1 + floor(log2 T) levels, so by TREE_SCALE noise of scale b = L/epsilon on a node is enough for values in [0, 1]. A
    prefix sum adds at most L nodes with independent noise. The tail of such a sum (chan_2011.laplace_sum, derived in theory/dyadic.py) at
    the failure probability beta/T, and a union over the T rounds, give L/eps * sqrt(8 L log(2T/beta)) if L >= log(2T/beta), and else
    L/eps * sqrt(8) log(2T/beta).
"""

from sympy import Rational, log

from banditproof.glossary import EPSILON, FAILURE, HORIZON, LEVELS, REQUIRED_SCALE, SCALE, SENSITIVITY, SUM_ERROR
from banditproof.theory.dyadic import laplace_sum_cases, levels_of
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import fresh_laplace_noise, one_draw_per_node, one_round_differs, real_arithmetic, unit_stream
from banditproof.theory.language import Bound, Constants, Mode, Sense, Source, Theorem, always, symbol

PAPER = "Cynthia Dwork, Moni Naor, Toniann Pitassi and Guy N. Rothblum, *Differential Privacy under Continual Observation* (STOC 2010)"
_levels, _horizon, _epsilon, _failure = symbol(LEVELS), symbol(HORIZON), symbol(EPSILON), symbol(FAILURE)

EVERY_HORIZON = Finding(
    name="every_horizon",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="T is a power of two in the paper; the statement here has every T",
    place="section 4 (section 12.1 of the monograph), the counter's noise",
    sentence="noise of scale (1 + log T)/epsilon, T being a power of two",
    literal="The printed scale speaks of powers of two alone; for other T, 1 + log2 T is no whole number of levels.",
    charitable="Any T can be rounded up to a power of two, which costs at most one level.",
    consequence="None: 1 + floor(log2 T) is the printed number at powers of two, and enough at every T.",
    stands="The counter's privacy and scale as printed.",
    instead="1 + floor(log2 T) levels.",
)

TREE_PRIVACY = Theorem(
    id="dwork_2010.tree_privacy",
    statement="Laplace noise of one scale on each node of the dyadic tree makes all its nodes, and so all prefix sums, together "
    "`epsilon`-differentially private.",
    source=Source("dwork2010continual", "section 4, privacy of the counter, for any sensitivity and horizon", "STOC 2010"),
    hypotheses=(one_round_differs, fresh_laplace_noise, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=EPSILON,
        sense=Sense.AT_MOST,
        cases=always(_levels * symbol(SENSITIVITY) / symbol(SCALE)),
        given=(HORIZON, SENSITIVITY, SCALE),
        where=(levels_of(HORIZON),),
    ),
)

TREE_SCALE = Theorem(
    id="dwork_2010.tree_scale",
    statement="Laplace noise of scale `required_scale` on each node of the dyadic tree is enough for epsilon-differential privacy of "
    "all prefix sums.",
    source=Source("dwork2010continual", "section 4, the counter's noise (1 + log T)/epsilon, for any sensitivity and horizon", "STOC 2010"),
    hypotheses=(one_round_differs, fresh_laplace_noise, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SCALE,
        sense=Sense.AT_MOST,
        cases=always(_levels * symbol(SENSITIVITY) / _epsilon),
        given=(HORIZON, SENSITIVITY, EPSILON),
        where=(levels_of(HORIZON),),
    ),
    findings=(EVERY_HORIZON,),
)

COUNTER_ERROR = Theorem(
    id="dwork_2010.counter_error",
    statement="The error of the epsilon-private counter over all rounds, as printed.",
    source=Source(
        "dwork2010continual", "section 4, accuracy of the counter", "STOC 2010, as dwork2014algorithmic restates it in section 12.1"
    ),
    hypotheses=(unit_stream, fresh_laplace_noise, one_draw_per_node),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=always(log(1 / _failure) * log(_horizon) ** Rational(5, 2) / _epsilon),
        given=(HORIZON, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
        constants=Constants.SUPPRESSED,
    ),
)

TREE_ERROR = Theorem(
    id="dwork_2010.tree_error",
    statement="Every prefix sum that the tree releases, with Laplace noise of scale levels/epsilon on each node, lies within "
    "`sum_error` of the true sum.",
    source=Source(
        "dwork2010continual", "[assembled] the counter's accuracy; constants derived in theory/papers/dwork_2010.py", "STOC 2010"
    ),
    hypotheses=(unit_stream, fresh_laplace_noise, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=laplace_sum_cases(_levels, _levels / _epsilon, _failure / _horizon),
        given=(HORIZON, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
        where=(levels_of(HORIZON),),
    ),
)
