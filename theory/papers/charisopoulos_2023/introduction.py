r"""The informal statements (Charisopoulos, Esfandiari and Mirrokni 2023): Theorems 1.3 and 1.4, and the sentences around them.

Main statements
    INFORMAL_M1             Theorem 1.3;  INFORMAL_M1_FEW, INFORMAL_M1_MANY its two cases without privacy, as the text has them
    INFORMAL_M2             Theorem 1.4;  INFORMAL_M2_POWER with nu to the power 1 in Theorem 3.9
    INSERTED_M2, INSERTED_M2_POWER   [assembled] Theorem 3.9 at nu = 1/d, with d for d log log d and every logarithm 1
    PRIVATE_PART            "an improved dependence on T in the private part"
    NON_PRIVATE_PART        "an additional sqrt(d) factor in the non-private part"
    WHICH_MODEL             "better dependence on the dimension d" of M1, "on the privacy parameter" of M2
    GENERAL_BATCHES, FIRST  what no number checks

Readings
    An order is written without the logarithms that O~ hides; a step compares two orders with constants 1 and without logarithms.
    In Theorem 1.4 the scan has d over epsilon, and d sqrt(T) or sqrt(dT) in the bracket: sqrt(dT) here, which Theorem 3.9 gives at
    nu = 1/(d log log d). No line names that nu.
    Without privacy is epsilon to infinity.
"""

from collections.abc import Callable

from sympy import Expr, Ge, Integer, Le, Rational, sqrt

from banditproof.glossary import DIMENSION, EPSILON, HORIZON, REGRET, Quantity
from banditproof.glossary.charisopoulos_2023 import CORRUPTION
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, largest, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import introduction as findings
from banditproof.theory.papers.charisopoulos_2023.findings import text
from banditproof.theory.papers.charisopoulos_2023.regret import plays_m1
from banditproof.theory.papers.charisopoulos_2023.regret_m2 import plays_m2
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _d, _epsilon, _alpha = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON), symbol(CORRUPTION)
_small, _large = sqrt(_alpha * _d), _alpha * _d
_three_halves = Rational(3, 2)

batches_like_logarithm = Hypothesis("batches_like_logarithm", "B is of the order log T", Checked.ASSUMED)
below_dimension = Hypothesis("below_dimension", "alpha <= d", Checked.BY_VALUE, Le(_alpha, _d))


def corruption_cases(within: Callable[[Expr], Expr]) -> tuple[Case, ...]:
    """A function of max{sqrt(alpha d), alpha d}, by cases."""
    return largest(_small, _large, within=within)


def rate(cases: tuple[Case, ...], given: tuple[Quantity, ...]) -> Bound:
    """An upper order of the expected regret."""
    return Bound(of=REGRET, sense=Sense.AT_MOST, cases=cases, given=given, mode=Mode.IN_EXPECTATION, constants=Constants.SUPPRESSED)


def informal_m2(over_epsilon: Expr) -> Expr:
    """Theorem 1.4, with this power of d over epsilon in its first term."""
    return _d * sqrt(_T) + over_epsilon / _epsilon + _d**_three_halves * sqrt(_alpha) * (_T + sqrt(_d * _T) + _d / _epsilon) + _alpha * _T


_OF_RATE = (HORIZON, DIMENSION, CORRUPTION)
_OF_PRIVATE_RATE = (*_OF_RATE, EPSILON)
_MODEL_M1, _MODEL_M2 = (plays_m1, batches_like_logarithm), (plays_m2, batches_like_logarithm)


INFORMAL_M1 = Theorem(
    id="charisopoulos_2023.informal_m1",
    statement="The expected regret in model M1, up to logarithms.",
    source=source("Theorem 1.3"),
    hypotheses=_MODEL_M1,
    bound=rate(corruption_cases(lambda entry: (sqrt(_d * _T) + _T * entry) * (1 + 1 / _epsilon)), _OF_PRIVATE_RATE),
    findings=(text.COVERING_OF_INFINITE_SETS,),
)
INFORMAL_M1_FEW = Theorem(
    id="charisopoulos_2023.informal_m1_few",
    statement="The expected regret in model M1 without privacy for alpha <= d, up to logarithms.",
    source=source("after Theorem 1.3, 'when alpha <= d'"),
    hypotheses=(*_MODEL_M1, below_dimension),
    bound=rate(always(sqrt(_d * _T) + _T * _small), _OF_RATE),
    steps=(
        Step(
            id="condition_of_the_first_case",
            sense=Sense.AT_MOST,
            left=_large,
            right=_small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha, _d),),
            note="the max of Theorem 1.3 is its first entry",
        ),
        Step(
            id="where_the_max_switches",
            sense=Sense.AT_MOST,
            left=_large,
            right=_small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha * _d, 1),),
            reason="alpha <= 1/d",
            ours=True,
        ),
    ),
    findings=(findings.CASES_OF_THE_MAX,),
)
INFORMAL_M1_MANY = Theorem(
    id="charisopoulos_2023.informal_m1_many",
    statement="The expected regret in model M1 without privacy for alpha >= d, up to logarithms.",
    source=source("after Theorem 1.3, 'when alpha >= d'"),
    not_checkable="the rate T alpha d + sqrt(dT) under a condition that no alpha below 1/4 meets; that is its step",
    steps=(
        Step(
            id="second_case_is_empty",
            sense=Sense.AT_MOST,
            left=4 * _alpha,
            right=_d,
            draw_order=(DIMENSION, CORRUPTION),
            ours=True,
            note="so that alpha >= d never holds",
        ),
        Step(
            id="where_the_second_entry_wins",
            sense=Sense.AT_LEAST,
            left=_large,
            right=_small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Ge(_alpha * _d, 1),),
            reason="alpha >= 1/d",
            ours=True,
        ),
    ),
)

INFORMAL_M2 = Theorem(
    id="charisopoulos_2023.informal_m2",
    statement="The expected regret in model M2, up to logarithms, with d over epsilon.",
    source=source("Theorem 1.4, scan"),
    hypotheses=_MODEL_M2,
    bound=rate(always(informal_m2(_d)), _OF_PRIVATE_RATE),
)
INFORMAL_M2_POWER = Theorem(
    id="charisopoulos_2023.informal_m2_power",
    statement="The expected regret in model M2, up to logarithms, with d^(3/2) over epsilon.",
    source=source("[assembled] Theorem 1.4, with nu to the power 1 in Theorem 3.9"),
    hypotheses=_MODEL_M2,
    bound=rate(always(informal_m2(_d**_three_halves)), _OF_PRIVATE_RATE),
)


def _inserted(name: str, words: str, nu_power: Expr) -> Theorem:
    bracket = _T + sqrt(_T * _d) + _d / _epsilon
    noise = sqrt(_d * _T * _d) + sqrt(_d) * _d**nu_power / _epsilon
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=f"Theorem 3.9 at nu = 1/d with d for d log log d, every logarithm and constant 1, {words}.",
        source=source("[assembled] Theorem 3.9"),
        hypotheses=_MODEL_M2,
        bound=Bound(
            of=REGRET,
            sense=Sense.AT_MOST,
            cases=always(2 * noise + 2 * _d * (sqrt(_alpha * _d) + sqrt(_alpha)) * bracket + _alpha * _T),
            given=_OF_PRIVATE_RATE,
            mode=Mode.IN_EXPECTATION,
        ),
    )


INSERTED_M2 = _inserted("inserted_m2", "with the square root of nu below epsilon", Rational(1, 2))
INSERTED_M2_POWER = _inserted("inserted_m2_power", "with nu below epsilon", Integer(1))

# --- the two models beside each other ---------------------------------------------------------------------------------------------------

PRIVATE_PART = Theorem(
    id="charisopoulos_2023.private_part",
    statement="Theorem 1.4 has an improved dependence on T in the private part of the regret.",
    source=source("after Theorem 1.4, 'Compared to Theorem 1.3'"),
    not_checkable="a comparison of two orders; its steps compare what stands over epsilon, term by term, with constants 1",
    steps=(
        Step(
            id="private_noise",
            sense=Sense.AT_MOST,
            left=_d,
            right=sqrt(_d * _T),
            draw_order=(DIMENSION, HORIZON),
            domain=(Ge(_T, _d**2),),
            reason="a dependence on T is one for large T",
        ),
        Step(
            id="private_corruption_small",
            sense=Sense.AT_MOST,
            left=_d ** Rational(5, 2) * sqrt(_alpha),
            right=_T * _small,
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Ge(_T, _d**2), Le(_alpha * _d, 1)),
            reason="a dependence on T is one for large T; the first case of the max",
        ),
        Step(
            id="private_corruption_large",
            sense=Sense.AT_MOST,
            left=_d ** Rational(5, 2) * sqrt(_alpha),
            right=_T * _large,
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Ge(_T, _d**2), Ge(_alpha * _d, 1)),
            reason="a dependence on T is one for large T; the second case of the max",
        ),
    ),
)
NON_PRIVATE_PART = Theorem(
    id="charisopoulos_2023.non_private_part",
    statement="Theorem 1.4 has an additional factor of sqrt(d) in the non-private part of the regret.",
    source=source("after Theorem 1.4, 'at the expense of an additional'"),
    not_checkable="a comparison of two orders; its steps compare the terms in T with constants 1",
    steps=(
        Step(
            id="factor_of_the_corruption_small",
            sense=Sense.AT_MOST,
            left=_d**_three_halves * sqrt(_alpha),
            right=sqrt(_d) * _small,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha * _d, 1),),
            note="divided by T, in the first case of Theorem 1.3",
        ),
        Step(
            id="factor_against_the_interval",
            sense=Sense.AT_MOST,
            left=_d * sqrt(_T) + _T * _d**_three_halves * sqrt(_alpha),
            right=sqrt(_d) * (sqrt(_d * _T) + 2 * _T * _d * sqrt(_alpha)),
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            ours=True,
            note="against what (50) gives in M1, T d sqrt(alpha) with constant 2, the factor is sqrt(d)",
        ),
    ),
    findings=(findings.ADDITIONAL_FACTOR,),
)
WHICH_MODEL = Theorem(
    id="charisopoulos_2023.which_model",
    statement="M1 has the better dependence on the dimension, M2 the better dependence on the privacy parameter.",
    source=source("section 1.1, before Theorem 1.3"),
    not_checkable="a comparison of two orders; its steps compare the non-private parts with constants 1, and for epsilon see private_part",
    steps=(
        Step(
            id="dimension_small",
            sense=Sense.AT_MOST,
            left=sqrt(_d * _T) + _T * _small,
            right=_d * sqrt(_T) + _d**_three_halves * sqrt(_alpha) * _T,
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Le(_alpha * _d, 1),),
            reason="the first case of the max",
        ),
        Step(
            id="dimension_large",
            sense=Sense.AT_MOST,
            left=sqrt(_d * _T) + _T * _large,
            right=_d * sqrt(_T) + _d**_three_halves * sqrt(_alpha) * _T,
            draw_order=(DIMENSION, CORRUPTION, HORIZON),
            domain=(Ge(_alpha * _d, 1),),
            reason="the second case of the max",
        ),
    ),
)

GENERAL_BATCHES = Theorem(
    id="charisopoulos_2023.general_batches",
    statement="The analysis can be easily modified for a general number of batches.",
    source=source("section 1.1, before Theorem 1.3"),
    not_checkable="it names no bound; what the sums are for every B is sum_of_sizes, root_sum_of and the chains",
)
FIRST = Theorem(
    id="charisopoulos_2023.first",
    statement="The first algorithms with both differential privacy and adversarial robustness in stochastic linear bandits.",
    source=source("abstract, section 1.2"),
    not_checkable="a statement on the literature",
)
