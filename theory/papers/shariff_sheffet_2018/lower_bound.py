r"""What privacy must cost (Shariff and Sheffet 2018, sections 5 and C): Claims 13 and 14, Corollary 15, with their constructions.

Main statements
    CONTEXT_REGRET, CONTEXT_REGRET_EXACT    Claim 13: standard privacy costs linear regret; the same with its exact constant
    COUPLING                                how far redrawn rewards move the probability of an event
    PULLS_MISSED, PULLS                     Claim 14: the probability of few pulls, and the pulls that are promised
    REGRET_PRIVATE, REGRET_PRIVATE_COMBINED Corollary 15, constants suppressed;  REGRET_PRIVATE_EXPLICIT its proof's

Notation            K = arms, t_a = log(n)/(100 epsilon Delta), Delta = action_gap

The constructions
    Claim 13. Two arms, |theta| = 1; context 1 maps the arms to theta and -theta, context 2 the other way round; contexts by fair coins. The
    wrong arm costs 2. q = choice: the probability of arm 1 in context 1; q' that in context 2.
    Claim 14. Rewards in {-1, 1}, best mean mu; arm a, at mu - Delta, is raised to mu + Delta, a total variation of Delta. With an expected
    regret of at most n^(3/4) in both problems, arm a is pulled fewer than t_a times with probability at most 2 n^(-1/4)/Delta in the raised
    one, and with at most n^(3/50) times that in the first.

What is wrong in print: findings/lower_bound.py. Conditions that the paper does not state carry the name of the finding that needs them.
    log n is natural. "Expected regret at most n^(3/4)" is meant in every problem.

Not steps, because SymPy reduces them to themselves: 6 epsilon Delta t_a = (3/50) log n; n^(3/50) n^(-1/4) = n^(-19/100); Delta t_a/2 added
over K - 1 arms; (mu + Delta) - (mu - Delta) over 2.
"""

from sympy import Ge, Le, Lt, Rational, exp, log

from banditproof.glossary import (
    ARM_PULLS,
    ARMS,
    DELTA,
    EPSILON,
    FAILURE,
    HORIZON,
    INVERSE_GAPS,
    OTHER_UNIT_RATIO,
    RATIO,
    REGRET,
    SAMPLES,
    TAIL_PROBABILITY,
    THRESHOLD,
    TOTAL_VARIATION,
    UNIT_RATIO,
)
from banditproof.glossary.shariff_sheffet_2018 import CHOICE, MINIMUM_GAP
from banditproof.theory.hypotheses import private_policy
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import lower_bound as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_n, _arms, _epsilon, _delta, _gap = symbol(HORIZON), symbol(ARMS), symbol(EPSILON), symbol(DELTA), symbol(MINIMUM_GAP)
_alpha, _q, _x, _u, _v = symbol(FAILURE), symbol(CHOICE), symbol(RATIO), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)
_g = symbol(THRESHOLD)
_variation, _samples = symbol(TOTAL_VARIATION), symbol(SAMPLES)
_pulls = log(_n) / (100 * _epsilon * _gap)
_missed = 2 / _gap * _n ** Rational(-19, 100)
_largest = Rational(14, 5)

private_arms = Hypothesis(
    "private_arms",
    "all arms of all rounds together are (epsilon, delta)-private in the list of contexts and rewards, the own round's included",
    Checked.ASSUMED,
)
epsilon_below_log_two = Hypothesis("epsilon_below_log_two", "epsilon < log 2", Checked.BY_VALUE, Lt(_epsilon, log(2)))
delta_below_quarter = Hypothesis("delta_below_quarter", "delta < 1/4", Checked.BY_VALUE, Lt(_delta, Rational(1, 4)))
small_epsilon = Hypothesis("small_epsilon", "epsilon <= 14/5: the factor 6", Checked.BY_VALUE, Le(_epsilon, _largest), added="coupling")
few_pulls = Hypothesis("few_pulls", "t_a <= n/2", Checked.BY_VALUE, Le(_pulls, _n / 2), added="large_horizon")
rare_enough = Hypothesis(
    "rare_enough", "2 n^(-19/100)/Delta <= failure: n is large enough", Checked.BY_VALUE, Le(_missed, _alpha), added="large_horizon"
)
half_is_rare = Hypothesis(
    "half_is_rare",
    "n^(19/100) >= 4/Delta: n is large enough",
    Checked.BY_VALUE,
    Le(_missed, Rational(1, 2)),
    added="large_horizon",
)
small_regret = Hypothesis(
    "small_regret", "in every problem with rewards in {-1, 1} the policy's expected regret is at most n^(3/4)", Checked.ASSUMED
)
below_the_allowed = Hypothesis(
    "below_the_allowed",
    "(K - 1) log(n)/(200 epsilon) <= n^(3/4): n is large enough",
    Checked.BY_VALUE,
    Le((_arms - 1) * log(_n) / (200 * _epsilon), _n ** Rational(3, 4)),
    added="worst_problem",
)
room_above = Hypothesis(
    "room_above", "the best mean plus Delta is at most 1, as for best mean 0 and Delta <= 1", Checked.BY_ENVIRONMENT, added="room_above"
)
possible_gap = Hypothesis("possible_gap", "Delta <= 1", Checked.BY_VALUE, Le(_gap, 1), added="room_above")

# --- contexts ---------------------------------------------------------------------------------------------------------------------

_LEVELS = (HORIZON, EPSILON, DELTA)
_printed_choices = 1 - _q + exp(-_epsilon) * (_q - _delta)
_exact = 2 * (1 - _delta) / (exp(_epsilon) + 1)

CONTEXT_REGRET = Theorem(
    id="shariff_sheffet_2018.context_regret",
    statement="Every learner whose arms are private, the own round's included, has at least this expected regret in the two-context "
    "problem.",
    source=source("Claim 13; constant in its proof, Appendix C"),
    hypotheses=(epsilon_below_log_two, delta_below_quarter, private_arms),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_n / 4), given=_LEVELS),
    steps=(
        Step(
            id="choices_as_printed",
            sense=Sense.EQUALS,
            left=_printed_choices,
            right=1 + (exp(-_epsilon) - 1) * (1 - _q) - _delta,
            draw_order=(EPSILON, DELTA, CHOICE),
        ),
        Step(
            id="choices",
            sense=Sense.AT_LEAST,
            left=_printed_choices,
            right=1 + (exp(-_epsilon) - 1) * _q - _delta,
            draw_order=(EPSILON, DELTA, CHOICE),
            reason="repairs choices_as_printed",
            ours=True,
        ),
        Step(  # the history has probability u, the action given it v: P[A(S) in S] for P[a_t = a^1 | S]
            id="history_as_printed",
            sense=Sense.EQUALS,
            left=_u * _v,
            right=_v,
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            note="what the printed equality amounts to: unit_ratio is P[history], other_unit_ratio is P[action | history]",
        ),
        Step(
            id="quarter",
            sense=Sense.AT_LEAST,
            left=1 + (exp(-_epsilon) - 1) * _q - _delta,
            right=Rational(1, 4),
            draw_order=(EPSILON, DELTA, CHOICE),
            domain=(Lt(_epsilon, log(2)), Lt(_delta, Rational(1, 4))),
        ),
    ),
    findings=(findings.CONTEXT_REGRET_CHOICES, findings.CONTEXT_REGRET_HISTORY, findings.CONTEXT_REGRET_CONSTANT),
)

CONTEXT_REGRET_EXACT = Theorem(
    id="shariff_sheffet_2018.context_regret_exact",
    statement="Every learner whose arms are private, the own round's included, has at least this expected regret in the two-context "
    "problem; randomised response in every round has exactly this.",
    source=source("[assembled] Claim 13, with privacy of both arms: D = 1 - q + q' has 2 - D <= exp(epsilon) D + 2 delta"),
    hypotheses=(private_arms,),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_n * _exact), given=_LEVELS),
    steps=(
        Step(
            id="attained",
            sense=Sense.EQUALS,
            left=2 * (1 - (exp(_epsilon) + _delta) / (exp(_epsilon) + 1)),
            right=_exact,
            draw_order=(EPSILON, DELTA),
            ours=True,
            note="at q = 1 - q' = (exp(epsilon) + delta)/(exp(epsilon) + 1)",
        ),
        Step(
            id="private",
            sense=Sense.EQUALS,
            left=(exp(_epsilon) + _delta) / (exp(_epsilon) + 1),
            right=exp(_epsilon) * (1 - (exp(_epsilon) + _delta) / (exp(_epsilon) + 1)) + _delta,
            draw_order=(EPSILON, DELTA),
            ours=True,
            note="that choice is private: q = exp(epsilon) q' + delta",
        ),
        Step(
            id="twice_the_printed",
            sense=Sense.AT_LEAST,
            left=_exact,
            right=Rational(1, 2),
            draw_order=(EPSILON, DELTA),
            domain=(Lt(_epsilon, log(2)), Lt(_delta, Rational(1, 4))),
            ours=True,
        ),
    ),
)

# --- arms -------------------------------------------------------------------------------------------------------------------------

_COUPLED = (EPSILON, TOTAL_VARIATION, SAMPLES)

COUPLING = Theorem(
    id="shariff_sheffet_2018.coupling",
    statement="An event of an epsilon-private policy that sees at most `samples` rewards of an arm is at most `ratio` times as probable "
    "when they come from another distribution, at the distance `total_variation`.",
    source=source("Proof of Claim 14, quoting Lemma 6.1 of Karwa and Vadhan"),
    hypotheses=(private_policy,),
    bound=Bound(of=RATIO, sense=Sense.AT_MOST, cases=always((1 + _variation * (exp(_epsilon) - 1)) ** _samples), given=_COUPLED),
    steps=(
        Step(
            id="one_reward",
            sense=Sense.AT_MOST,
            left=1 + _x,
            right=exp(_x),
            draw_order=(RATIO,),
            ours=True,
            note="one reward: f is in [c, exp(epsilon) c], so its mean moves by at most TV (exp(epsilon) - 1) c",
        ),
        Step(  # one reward, in the illustration before the display
            id="illustration_as_printed",
            sense=Sense.AT_MOST,
            left=1 + _variation * (exp(_epsilon) - 1),
            right=exp(_epsilon * _variation),
            draw_order=(EPSILON, TOTAL_VARIATION),
        ),
        Step(
            id="six_for_small_epsilon",
            sense=Sense.AT_MOST,
            left=exp(_epsilon) - 1,
            right=6 * _epsilon,
            draw_order=(EPSILON,),
            domain=(Le(_epsilon, _largest),),
            reason="for larger epsilon the printed factor is too small",
            ours=True,
        ),
    ),
    published=Bound(of=RATIO, sense=Sense.AT_MOST, cases=always(exp(6 * _epsilon * _variation * _samples)), given=_COUPLED),
    findings=(findings.COUPLING, findings.COUPLING_ILLUSTRATION),
)

PULLS_MISSED = Theorem(
    id="shariff_sheffet_2018.pulls_missed",
    statement="The probability that a private policy with small regret pulls an arm fewer than log(n)/(100 epsilon Delta) times.",
    source=source("Proof of Claim 14, last display"),
    hypotheses=(private_policy, small_regret, room_above, possible_gap, small_epsilon, few_pulls),
    bound=Bound(of=TAIL_PROBABILITY, sense=Sense.AT_MOST, cases=always(_missed), given=(HORIZON, EPSILON, MINIMUM_GAP)),
    steps=(
        Step(
            id="half_of_the_rounds",
            sense=Sense.AT_LEAST,
            left=(_n - _g) * _gap,
            right=_n * _gap / 2,
            draw_order=(MINIMUM_GAP, HORIZON, THRESHOLD),
            domain=(Le(_g, _n / 2),),
            note="the regret of few pulls in the raised problem, over the probability",
        ),
    ),
    findings=(findings.ROOM_ABOVE,),
)

PULLS = Theorem(
    id="shariff_sheffet_2018.pulls",
    statement="A private policy with small regret pulls every arm at least `arm_pulls` times (printed for the failure probability 1/2).",
    source=source("Claim 14"),
    hypotheses=(private_policy, small_regret, room_above, possible_gap, small_epsilon, few_pulls, rare_enough),
    bound=Bound(
        of=ARM_PULLS,
        sense=Sense.AT_LEAST,
        cases=always(_pulls),
        given=(HORIZON, EPSILON, MINIMUM_GAP, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="large_enough",
            sense=Sense.AT_MOST,
            left=_missed,
            right=Rational(1, 2),
            draw_order=(MINIMUM_GAP, HORIZON),
            domain=(Ge(_n ** Rational(19, 100), 4 / _gap),),
        ),
    ),
    findings=(findings.ANY_EXPONENT, findings.LARGE_HORIZON),
)

REGRET_PRIVATE_EXPLICIT = Theorem(
    id="shariff_sheffet_2018.regret_private_explicit",
    statement="Every epsilon-private policy has at least this expected regret in some problem with rewards in {-1, 1} and gaps Delta.",
    source=source("[assembled] Corollary 15; constant in its proof, with the conditions of Claim 14"),
    hypotheses=(private_policy, possible_gap, small_epsilon, few_pulls, half_is_rare, below_the_allowed),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always((_arms - 1) * log(_n) / (200 * _epsilon)),
        given=(HORIZON, ARMS, EPSILON, MINIMUM_GAP),
        mode=Mode.IN_EXPECTATION,
    ),
    steps=(
        Step(
            id="arms_but_one",
            sense=Sense.AT_LEAST,
            left=_arms - 1,
            right=_arms / 2,
            draw_order=(ARMS,),
            note="in the order that is printed",
            ours=True,
        ),
    ),
)

REGRET_PRIVATE = Theorem(
    id="shariff_sheffet_2018.regret_private",
    statement="Every epsilon-private policy has at least this expected regret in some problem.",
    source=source("Corollary 15, first bound"),
    findings=(findings.WORST_PROBLEM,),
    hypotheses=(private_policy,),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(_arms * log(_n) / _epsilon),
        given=(HORIZON, ARMS, EPSILON),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
)

REGRET_PRIVATE_COMBINED = Theorem(
    id="shariff_sheffet_2018.regret_private_combined",
    statement="Every epsilon-private policy has at least this expected regret in some problem, with the bound without privacy.",
    source=source("Corollary 15, second bound"),
    findings=(findings.ADDITIONAL_REGRET,),
    hypotheses=(private_policy,),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_LEAST,
        cases=always(_arms * log(_n) / _epsilon + symbol(INVERSE_GAPS) * log(_n)),
        given=(HORIZON, ARMS, EPSILON, INVERSE_GAPS),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
)
