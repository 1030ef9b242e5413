"""What 'plugging these into Theorems 5 and 6 gives' (Shariff and Sheffet 2018, sections 4.1 and 4.2), with every constant, along a path.

Main definitions
    plugged_wishart, plugged_gaussian   (2) and (3) as printed, at Proposition 9 or 11
    at_delta_of_horizon                 delta = 1/n
    at_short_parameter                  S = sigma = 1/x, x = RATIO
    at_weak_privacy                     epsilon = x^2 and sigma = 1/x
    first_round                         what the first round can cost at every epsilon and sigma

These are no statements of the paper: they are built for audits that compare orders (findings/corollaries.py). The degrees of freedom are
taken smaller than the printed k, 224 m log(8/delta) log(2/delta)/epsilon^2, which makes what is plugged in smaller.
"""

from collections.abc import Mapping
from dataclasses import replace

from sympy import Expr, Rational, log

from banditproof.glossary import DELTA, EPSILON, HORIZON, PARAMETER_NORM, RATIO, REWARD_SIGMA, Quantity
from banditproof.glossary import REGRET as REGRET_OF
from banditproof.glossary.shariff_sheffet_2018 import MEAN_BOUND, NODES, WISHART_DEGREES
from banditproof.theory.language import Bound, Case, Sense, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, wishart
from banditproof.theory.papers.shariff_sheffet_2018.regret import regret_gap_printed, regret_printed
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_n, _delta, _x = symbol(HORIZON), symbol(DELTA), symbol(RATIO)
_degrees = 224 * symbol(NODES) * log(8 / _delta) * log(2 / _delta) / symbol(EPSILON) ** 2


def along(theorem: Theorem, instead: Mapping[Quantity, Expr], given: tuple[Quantity, ...] = ()) -> Theorem:
    """The statement with expressions for some of its quantities, which may be in terms of those of `given`; without its hypotheses."""
    bound, known = theorem.stated(), {symbol(quantity): value for quantity, value in instead.items()}
    kept = tuple(quantity for quantity in dict.fromkeys((*bound.given, *given)) if quantity not in instead)
    cases = tuple(Case(case.condition.xreplace(known), case.expression.xreplace(known)) for case in bound.cases)
    return replace(theorem, hypotheses=(), published=None, findings=(), bound=replace(bound, cases=cases, given=kept))


def _printed(gap: bool) -> tuple[Case, ...]:
    return always(regret_gap_printed() if gap else regret_printed())


def plugged_wishart(gap: bool) -> Theorem:
    """(2), or (3) with a gap, at rho_min', rho_max' and gamma' of Proposition 9, in epsilon and delta."""
    explicit = wishart.REGRET_WISHART_GAP_EXPLICIT if gap else wishart.REGRET_WISHART_EXPLICIT
    bound = replace(explicit.stated(), cases=wishart.at_proposition(_printed(gap)))
    return along(replace(explicit, hypotheses=(), bound=bound), {WISHART_DEGREES: _degrees}, (EPSILON, DELTA))


def plugged_gaussian(gap: bool) -> Theorem:
    """(2), or (3) with a gap, at rho_min, rho_max and gamma of Proposition 11."""
    explicit = gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT if gap else gaussian.REGRET_GAUSSIAN_EXPLICIT
    return replace(explicit, hypotheses=(), bound=replace(explicit.stated(), cases=gaussian.at_proposition(_printed(gap))))


def at_delta_of_horizon(theorem: Theorem) -> Theorem:
    """The statement at delta = 1/n."""
    return along(theorem, {DELTA: 1 / _n})


def at_short_parameter(theorem: Theorem) -> Theorem:
    """The statement at S = sigma = 1/x."""
    return along(theorem, {PARAMETER_NORM: 1 / _x, REWARD_SIGMA: 1 / _x}, (RATIO,))


def at_weak_privacy(theorem: Theorem) -> Theorem:
    """The statement at epsilon = x^2 and sigma = 1/x."""
    return along(theorem, {EPSILON: _x**2, REWARD_SIGMA: 1 / _x}, (RATIO,))


def first_round() -> Theorem:
    """The regret of round 1 of one feature, theta* = -1, actions B and -(999/1000) B, where no noise is released before it: the estimate is
    0 and the longer action is played, whatever epsilon and sigma are."""
    return Theorem(
        id="shariff_sheffet_2018.first_round",
        statement="The first round can cost nearly 2 B at every epsilon and sigma.",
        source=source("[assembled] Algorithm 1 with the Gaussian noise of section 4.2, round 1"),
        bound=Bound(of=REGRET_OF, sense=Sense.AT_LEAST, cases=always(Rational(1999, 1000) * symbol(MEAN_BOUND)), given=(MEAN_BOUND, RATIO)),
    )
