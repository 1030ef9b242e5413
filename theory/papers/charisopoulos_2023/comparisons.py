r"""Comparisons with earlier work (Charisopoulos, Esfandiari and Mirrokni 2023): what section 1.2 and the conclusion claim.

Main statements
    GAIN_OVER_BUDGET        [assembled] alpha d^(3/2) over max{sqrt(alpha d), alpha d}
    GAIN_AT_LEAST, GAIN_IN_REGIMES, GAIN_ALWAYS   the claim about that gain, in its three wordings
    GAIN_OF_THE_INTERVAL    [assembled] the same with what (50) gives in model M1, d sqrt(alpha)
    MODELS                  whether the two corruption models compare
    MATCHES                 "matches that of the best-known non-robust differentially private algorithm"
    INTERPOLATES, BATCH_QUERIES, UPPER_BOUND_ON_CORRUPTION, OPEN_QUESTIONS   the conclusion's other sentences
The rates themselves, and which of them is smallest where, are in rates.py.

Readings
    The budget of the earlier work is C = alpha T, as section 1.2 takes it.
"""

from sympy import Ge, Gt, Le, Rational, sqrt

from banditproof.glossary import DIMENSION, EPSILON, HORIZON
from banditproof.glossary.charisopoulos_2023 import CORRUPTION, GAIN
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import introduction as findings
from banditproof.theory.papers.charisopoulos_2023.introduction import corruption_cases
from banditproof.theory.papers.charisopoulos_2023.rates import LOCAL
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _d, _epsilon, _alpha = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(CORRUPTION)
_small, _large = sqrt(_alpha * _d), _alpha * _d
_earlier = _alpha * _d ** Rational(3, 2)

some_corruption = Hypothesis("some_corruption", "alpha > 0", Checked.BY_VALUE, Gt(_alpha, 0))

# --- the gain over a corruption budget --------------------------------------------------------------------------------------------------

GAIN_OVER_BUDGET = Theorem(
    id="charisopoulos_2023.gain_over_budget",
    statement="The corruption term of Bogunovic et al. at C = alpha T over that of Theorem 1.3 without privacy.",
    source=source("[assembled] Theorem 1.3 and section 1.2"),
    hypotheses=(some_corruption,),
    bound=Bound(of=GAIN, sense=Sense.EQUALS, cases=corruption_cases(lambda entry: _earlier / entry), given=(DIMENSION, CORRUPTION)),
    steps=(
        Step(
            id="no_gain",
            sense=Sense.AT_MOST,
            left=_earlier,
            right=_small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha * _d**2, 1),),
            reason="alpha <= 1/d^2",
            ours=True,
            note="the term of the earlier work is the smaller one",
        ),
        Step(
            id="at_most_root_of_the_dimension",
            sense=Sense.AT_MOST,
            left=_earlier,
            right=sqrt(_d) * _small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha * _d, 1),),
            reason="the first case of the max; in the second the gain is sqrt(d)",
            ours=True,
        ),
    ),
)


def _claimed(name: str, words: str, place: str, steps: tuple[Step, ...], found: tuple[Finding, ...] = ()) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=words,
        source=source(place),
        not_checkable="a comparison of two orders; its steps compare their corruption terms, divided by T, with constants 1",
        steps=steps,
        findings=found,
    )


_root_in_the_first_case = Step(
    id="root_in_the_first_case",
    sense=Sense.AT_LEAST,
    left=_earlier,
    right=sqrt(_d) * _small,
    draw_order=(DIMENSION, CORRUPTION),
    domain=(Le(_alpha * _d, 1),),
    note="in the first case of the max; in the second both sides are the same",
)

GAIN_AT_LEAST = _claimed(
    "gain_at_least",
    "The regret of Theorem 1.3 is smaller than that of Bogunovic et al. by a factor of at least sqrt(d).",
    "after Theorem 1.3, 'shaves off a factor of at least'",
    (_root_in_the_first_case,),
    (findings.GAIN_OF_A_ROOT,),
)
GAIN_IN_REGIMES = _claimed(
    "gain_in_regimes",
    "For C = alpha T the regret is smaller than that of Bogunovic et al. by a factor of sqrt(d) in certain regimes.",
    "section 1.2, 'in certain regimes'",
    (
        Step(
            id="regime_of_the_gain",
            sense=Sense.AT_LEAST,
            left=sqrt(_d * _T) + _T * _earlier,
            right=sqrt(_d) / 2 * (sqrt(_d * _T) + _T * _large),
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Ge(_alpha * _d, 1), Ge(_alpha**2 * _d * _T, 1)),
            reason="the regime alpha d >= 1 with T alpha d at least sqrt(d T), which the sentence does not name",
            ours=True,
            note="the whole rates, with a gain of sqrt(d)/2",
        ),
        Step(
            id="rate_in_the_regime",
            sense=Sense.AT_LEAST,
            left=sqrt(_d * _T) + _T * _large,
            right=_T,
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Ge(_alpha * _d, 1),),
            reason="the second case of the max",
            ours=True,
            note="there the rate says nothing up to a constant: no regret is above 2 T",
        ),
    ),
)
GAIN_ALWAYS = _claimed(
    "gain_always",
    "Without privacy the regret is smaller than that of Bogunovic et al. by a factor of sqrt(d).",
    "conclusion, 'shaves off a factor'",
    (_root_in_the_first_case,),
    (findings.GAIN_OF_A_ROOT,),
)
GAIN_OF_THE_INTERVAL = Theorem(
    id="charisopoulos_2023.gain_of_the_interval",
    statement="The corruption term of Bogunovic et al. at C = alpha T over d sqrt(alpha), what (50) gives in model M1.",
    source=source("[assembled] (50) and section 1.2"),
    hypotheses=(some_corruption,),
    bound=Bound(of=GAIN, sense=Sense.EQUALS, cases=always(_earlier / (_d * sqrt(_alpha))), given=(DIMENSION, CORRUPTION)),
    steps=(
        Step(
            id="half_of_the_root",
            sense=Sense.AT_MOST,
            left=_earlier,
            right=sqrt(_d) / 2 * _d * sqrt(_alpha),
            draw_order=(DIMENSION, CORRUPTION),
            ours=True,
            note="since alpha < 1/4",
        ),
    ),
)

MODELS = Theorem(
    id="charisopoulos_2023.models",
    statement="Corruption is measured by the probability with which an observation is replaced, in place of a budget for the sum over "
    "rounds of the largest change; C scales as alpha T.",
    source=source("section 1.2, (5), 'in the sense that we measure corruption'; after Theorem 1.3"),
    not_checkable="neither model contains the other: a replaced value is arbitrary and exceeds every budget, and a budget may be spent "
    "on consecutive rounds, where positions are random here; that C is alpha T at most is corruption_total",
)

# --- the conclusion ---------------------------------------------------------------------------------------------------------------------

MATCHES = Theorem(
    id="charisopoulos_2023.matches",
    statement="Without corruption the regret matches that of the best-known non-robust differentially private algorithm.",
    source=source("conclusion, 'In the absence of corruption'"),
    not_checkable="a comparison of two orders; its step compares them in T and epsilon, with constants 1, at d = 1",
    steps=(
        Step(
            id="local_model",
            sense=Sense.AT_MOST,
            left=sqrt(_T) * (1 + 1 / _epsilon),
            right=2 * LOCAL,
            draw_order=(HORIZON, EPSILON),
            domain=(Le(_epsilon, 1),),
            reason="for larger epsilon the quoted rate is below sqrt(T)",
            ours=True,
            note="Theorem 1.3 at alpha = 0, and the quoted rate in the local model",
        ),
    ),
    findings=(findings.BEST_PRIVATE_RATE,),
)
INTERPOLATES = Theorem(
    id="charisopoulos_2023.interpolates",
    statement="Model M2 interpolates between the local and the central setting, with an improved dependence on epsilon.",
    source=source("conclusion; section 1.1, before Theorem 1.3"),
    not_checkable="a way of speaking: the noise of a report in M2 falls with its owner's plays, and that of M1 does not; see which_model",
)
BATCH_QUERIES = Theorem(
    id="charisopoulos_2023.batch_queries",
    statement="The policy needs only a logarithmic number of batch queries.",
    source=source("abstract, conclusion"),
    not_checkable="B is an input of Algorithm 1; which B its budget allows is batches_of_the_loop and batches_that_fit",
)
UPPER_BOUND_ON_CORRUPTION = Theorem(
    id="charisopoulos_2023.upper_bound_on_corruption",
    statement="The learner needs an upper bound on the corruption probability.",
    source=source("conclusion"),
    not_checkable="it says what the algorithm is given",
)
OPEN_QUESTIONS = Theorem(
    id="charisopoulos_2023.open_questions",
    statement="Whether the bounds for M2 are tight in epsilon and d, and an adaptive policy, are left open.",
    source=source("conclusion"),
    not_checkable="an open question",
)
