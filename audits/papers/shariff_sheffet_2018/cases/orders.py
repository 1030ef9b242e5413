"""shariff_sheffet_2018: Corollaries 10 and 12 beside what 'plugging in' gives, by exact orders.

What is plugged in is (2) or (3) as printed, at Proposition 9 or 11, with every constant. The degrees of freedom are taken smaller than the
printed k, 224 m log(8/delta) log(2/delta)/epsilon^2 (or log(8/delta) at delta = 1/n), which makes what is plugged in smaller. A printed
order that is slower does not follow; that it is false is not said, but for the first round, which is played.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sympy import Expr, Integer, Rational, log

from banditproof.audits.methods.rates import Rates
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import DELTA, EPSILON, HORIZON, PARAMETER_NORM, RATIO, REWARD_SIGMA, Quantity
from banditproof.glossary.shariff_sheffet_2018 import NODES, WISHART_DEGREES
from banditproof.theory.language import Bound, Case, Constants, Sense, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, regret, wishart
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_n, _delta, _x = symbol(HORIZON), symbol(DELTA), symbol(RATIO)
_DEGREES = 224 * symbol(NODES) * log(8 / _delta) * log(2 / _delta) / symbol(EPSILON) ** 2


def at(theorem: Theorem, instead: Mapping[Quantity, Expr], given: tuple[Quantity, ...] = ()) -> Theorem:
    """The statement at other values of some quantities, which may be those of `given`; hypotheses are left out."""
    bound, known = theorem.stated(), {symbol(quantity): value for quantity, value in instead.items()}
    kept = tuple(quantity for quantity in dict.fromkeys((*bound.given, *given)) if quantity not in instead)
    cases = tuple(Case(case.condition.xreplace(known), case.expression.xreplace(known)) for case in bound.cases)
    failure = bound.failure
    return replace(theorem, hypotheses=(), published=None, findings=(), bound=replace(bound, cases=cases, given=kept, failure=failure))


def plugged(explicit: Theorem, printed: Expr, module: Callable[[tuple[Case, ...]], tuple[Case, ...]]) -> Theorem:
    """(2) or (3) as printed at the noise's rho_min, rho_max and gamma, for the explicit statement's quantities."""
    bound = replace(explicit.stated(), cases=module(always(printed)))
    return replace(explicit, hypotheses=(), bound=bound)


def wishart_plugged(gap: bool) -> Theorem:
    explicit = wishart.REGRET_WISHART_GAP_EXPLICIT if gap else wishart.REGRET_WISHART_EXPLICIT
    stated = plugged(explicit, regret.regret_gap_printed() if gap else regret.regret_printed(), wishart.at_proposition)
    return at(stated, {WISHART_DEGREES: _DEGREES}, (EPSILON, DELTA))


def gaussian_plugged(gap: bool) -> Theorem:
    explicit = gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT if gap else gaussian.REGRET_GAUSSIAN_EXPLICIT
    return plugged(explicit, regret.regret_gap_printed() if gap else regret.regret_printed(), gaussian.at_proposition)


# --- Corollary 10 in n ------------------------------------------------------------------------------------------------------------------


def _audit(theorem: Theorem, slug: str, label: str, printed: Callable[[], Theorem], other: Callable[[], Theorem], of: Quantity) -> Audit:
    return Audit(theorem.id, f"rates.{slug}", label, Rates(printed, other, (of,)), Verdict.REFUTED)


_SMALL: dict[Quantity, Expr] = {DELTA: 1 / _n}
PLUGGING = (
    _audit(
        wishart.REGRET_WISHART,
        "plugging_in",
        "the order in n of Corollary 10 beside (2) at Proposition 9",
        lambda: wishart.REGRET_WISHART,
        lambda: wishart_plugged(False),
        HORIZON,
    ),
    _audit(
        wishart.REGRET_WISHART_GAP,
        "plugging_in",
        "the order in n of Corollary 10 beside (3) at Proposition 9",
        lambda: wishart.REGRET_WISHART_GAP,
        lambda: wishart_plugged(True),
        HORIZON,
    ),
    _audit(
        wishart.REGRET_WISHART,
        "plugging_in_small_delta",
        "the order in n of Corollary 10 beside (2) at Proposition 9, delta = 1/n",
        lambda: at(wishart.REGRET_WISHART, _SMALL),
        lambda: at(wishart_plugged(False), _SMALL),
        HORIZON,
    ),
)

# --- the factor S -----------------------------------------------------------------------------------------------------------------------

_SHORT: dict[Quantity, Expr] = {PARAMETER_NORM: 1 / _x, REWARD_SIGMA: 1 / _x}


def _short(theorem: Theorem, other: Callable[[], Theorem]) -> Audit:
    label = "the order as S = sigma = 1/x fall, beside what is plugged in"
    return _audit(theorem, "short_parameter", label, lambda: at(theorem, _SHORT, (RATIO,)), lambda: at(other(), _SHORT, (RATIO,)), RATIO)


SHORT = (
    _short(wishart.REGRET_WISHART, lambda: wishart_plugged(False)),
    _short(wishart.REGRET_WISHART_GAP, lambda: wishart_plugged(True)),
    _short(gaussian.REGRET_GAUSSIAN, lambda: gaussian_plugged(False)),
    _short(gaussian.REGRET_GAUSSIAN_GAP, lambda: gaussian_plugged(True)),
)

# --- weak privacy -----------------------------------------------------------------------------------------------------------------------

FIRST_ROUND = Theorem(
    id="shariff_sheffet_2018.first_round",
    statement="The regret of round 1 of one feature, theta* = -1, actions 1 and -999/1000, without a node in round 1, at every epsilon and "
    "sigma: the estimate is 0, and the longer action is played.",
    source=source("[assembled] Algorithm 1 with the Gaussian noise of section 4.2, round 1"),
    bound=Bound(
        of=regret.REGRET.stated().of,
        sense=Sense.AT_LEAST,
        cases=always(Rational(1999, 1000) * _x ** Integer(0)),
        given=(RATIO,),
        constants=Constants.EXPLICIT,
    ),
)
WEAK = _audit(
    gaussian.REGRET_GAUSSIAN,
    "weak_privacy",
    "Corollary 12 at epsilon = x^2 and sigma = 1/x beside the regret of round 1",
    lambda: at(gaussian.REGRET_GAUSSIAN, {EPSILON: _x**2, REWARD_SIGMA: 1 / _x}, (RATIO,)),
    lambda: FIRST_ROUND,
    RATIO,
)
