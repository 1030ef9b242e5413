r"""The confidence ellipsoids of linear UCB with changing regularisers (Shariff and Sheffet 2018, sections 3 and B): Proposition 4.

Main statements
    RADIUS              the radius beta_t that the algorithm uses, with det V_t
    RADIUS_UPPER        the bound on it without V_t
    MARTINGALE_NOISE    the self-normalised bound that the proof quotes
    ESTIMATE            the centre of the ellipsoid

Notation            g >= 0 an eigenvalue of G_t (threshold), x one of H_t in the same direction (ratio)
Findings            radius_gram_as_printed, estimate_inverse, radius_on_the_event, regularisers_surely

Implementation notes
    The failure: n alpha/(2n) for the regularisers in all rounds and alpha/2 for the martingale.
    Steps are those of matrices that commute; Claim 16 (facts.py) carries them over, and the audits points.matrices_* look at drawn matrices
    that do not commute. d log of a mean of eigenvalues is Lemma 22 (regret.py).
"""

from sympy import Expr, Ge, Le, log, sqrt

from banditproof.glossary import (
    CONTEXT_NORM,
    DIMENSION,
    FAILURE,
    HORIZON,
    LOG_DETERMINANT,
    OTHER_UNIT_RATIO,
    PARAMETER_NORM,
    PERTURBATION,
    RATIO,
    REWARD_SIGMA,
    RHO_MAX,
    RHO_MIN,
    ROUND,
    THRESHOLD,
    UNIT_RATIO,
)
from banditproof.glossary.shariff_sheffet_2018 import CONFIDENCE_RADIUS
from banditproof.theory.language import Bound, Checked, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import confidence as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_d, _t, _alpha, _logdet = symbol(DIMENSION), symbol(ROUND), symbol(FAILURE), symbol(LOG_DETERMINANT)
_sigma, _norm, _length = symbol(REWARD_SIGMA), symbol(PARAMETER_NORM), symbol(CONTEXT_NORM)
_low, _high, _gamma = symbol(RHO_MIN), symbol(RHO_MAX), symbol(PERTURBATION)
_g, _x, _u, _v = symbol(THRESHOLD), symbol(RATIO), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)

bounded_parameter = Hypothesis("bounded_parameter", "the parameter has length at most S", Checked.BY_ENVIRONMENT)
bounded_actions = Hypothesis("bounded_actions", "every action has length at most L", Checked.BY_ENVIRONMENT)
bounded_means = Hypothesis("bounded_means", "every mean reward is at most B in absolute value", Checked.BY_ENVIRONMENT)
sub_gaussian_rewards = Hypothesis(
    "sub_gaussian_rewards",
    "given the past and the action, a reward is its linear mean plus sigma-sub-Gaussian noise",
    Checked.BY_ENVIRONMENT,
)
accurate_regularisers = Hypothesis(
    "accurate_regularisers",
    "with probability at least 1 - failure/2, in all rounds, the eigenvalues of H_t lie in [rho_min, rho_max] "
    "and the norm of h_t is at most gamma (Definition 3)",
    Checked.ASSUMED,
)
ordered_bounds = Hypothesis("ordered_bounds", "rho_min <= rho_max", Checked.BY_VALUE, Le(_low, _high))
determinant_above_least = Hypothesis(
    "determinant_above_least",
    "log det V_t >= d log rho_min, as for V_t >= rho_min I",
    Checked.BY_VALUE,
    Ge(_logdet, _d * log(_low)),
    added="radius_on_the_event",
)


def log_volume(rounds: Expr) -> Expr:
    """2 log(2/alpha) + d log(rho_max/rho_min + t L^2/(d rho_min))."""
    return 2 * log(2 / _alpha) + _d * log(_high / _low + rounds * _length**2 / (_d * _low))


def bias() -> Expr:
    """S sqrt(rho_max) + gamma."""
    return _norm * sqrt(_high) + _gamma


_noise = _sigma * sqrt(2 * log(2 / _alpha) + _logdet - _d * log(_low))

ESTIMATE = Theorem(
    id="shariff_sheffet_2018.estimate",
    statement="The centre of the ellipsoid is the minimiser of the regularised least squares, moved by h_t: V_t^-1 (u_t + h_t), for "
    "positive semidefinite H_t.",
    source=source("section 3, (1), with Item 4"),
    not_checkable="a definition; that V_t has an inverse is audited as the rank of V_t",
    findings=(findings.ESTIMATE_INVERSE, findings.REGULARISERS_SURELY),
)

MARTINGALE_NOISE = Theorem(
    id="shariff_sheffet_2018.martingale_noise",
    statement="The noise of the rewards, in the norm of the inverse of G_t + rho_min I, in all rounds at once.",
    source=source("Proof of Proposition 4, quoting Theorem 1 of Abbasi-Yadkori et al. 2011, Appendix B"),
    hypotheses=(sub_gaussian_rewards, determinant_above_least),
    bound=Bound(
        of=CONFIDENCE_RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_noise),
        given=(REWARD_SIGMA, FAILURE, LOG_DETERMINANT, DIMENSION, RHO_MIN),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
    ),
)

RADIUS = Theorem(
    id="shariff_sheffet_2018.radius",
    statement="The estimate lies within `confidence_radius` of the parameter theta, in the norm of V_t = G_t + H_t (Gram matrix plus "
    "regulariser), in all rounds at once.",
    source=source("Proposition 4, first form"),
    hypotheses=(bounded_parameter, sub_gaussian_rewards, accurate_regularisers, ordered_bounds, determinant_above_least),
    bound=Bound(
        of=CONFIDENCE_RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_noise + bias()),
        given=(REWARD_SIGMA, FAILURE, LOG_DETERMINANT, DIMENSION, RHO_MIN, RHO_MAX, PARAMETER_NORM, PERTURBATION),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
    ),
    steps=(
        Step(
            id="gram_as_printed",
            sense=Sense.EQUALS,
            left=1 / (_g + _x),
            right=1 / (_g + _low),
            draw_order=(RHO_MIN, RATIO, THRESHOLD),
            domain=(Ge(_x, _low),),
            note="one dimension: ratio is the eigenvalue of H_t, threshold that of G_t",
        ),
        Step(
            id="gram",
            sense=Sense.AT_MOST,
            left=1 / (_g + _x),
            right=1 / (_g + _low),
            draw_order=(RHO_MIN, RATIO, THRESHOLD),
            domain=(Ge(_x, _low),),
            reason="repairs gram_as_printed",
            ours=True,
        ),
        Step(
            id="centre",
            sense=Sense.EQUALS,
            left=_norm - (_g * _norm + _u + _v) / (_g + _x),
            right=(_x * _norm - _u - _v) / (_g + _x),
            draw_order=(RATIO, THRESHOLD, PARAMETER_NORM, UNIT_RATIO, OTHER_UNIT_RATIO),
            note="one dimension: theta minus the centre (g theta + u + v)/(g + x), with threshold g for G_t, ratio x for H_t, and u, v "
            "for z_t, h_t",
        ),
        Step(
            id="length_of_the_parameter",
            sense=Sense.AT_MOST,
            left=sqrt(_x) * _norm,
            right=_norm * sqrt(_high),
            draw_order=(RHO_MAX, RATIO, PARAMETER_NORM),
            domain=(Le(_x, _high),),
            note="|theta| in the norm of H",
        ),
        Step(
            id="regulariser",
            sense=Sense.AT_MOST,
            left=_x**2 / (_g + _x),
            right=_x,
            draw_order=(RATIO, THRESHOLD),
            note="|H theta| in the norm of V^-1 against |theta| in that of H",
        ),
        Step(
            id="perturbation",
            sense=Sense.AT_MOST,
            left=1 / (_g + _x),
            right=1 / _x,
            draw_order=(RATIO, THRESHOLD),
            note="one dimension: ratio is the eigenvalue of H_t, threshold that of G_t; the inverse of V_t is at most that of H_t",
        ),
        Step(
            id="determinant",
            sense=Sense.AT_MOST,
            left=log(_g + _low),
            right=log(_g + _x),
            draw_order=(RHO_MIN, RATIO, THRESHOLD),
            domain=(Ge(_x, _low),),
            note="under the root of the martingale's bound, one eigenvalue of each determinant",
        ),
    ),
    findings=(findings.RADIUS_GRAM_AS_PRINTED,),
)

RADIUS_UPPER = Theorem(
    id="shariff_sheffet_2018.radius_upper",
    statement="The radius of a round is at most `confidence_radius`, where no eigenvalue of a regulariser exceeds rho_max.",
    source=source("Proposition 4, second form"),
    hypotheses=(bounded_actions, accurate_regularisers, ordered_bounds),
    bound=Bound(
        of=CONFIDENCE_RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_sigma * sqrt(log_volume(_t)) + bias()),
        given=(REWARD_SIGMA, FAILURE, ROUND, DIMENSION, CONTEXT_NORM, RHO_MIN, RHO_MAX, PARAMETER_NORM, PERTURBATION),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        uniform_over=HORIZON,
    ),
    steps=(
        Step(
            id="trace",
            sense=Sense.AT_MOST,
            left=_d * log(_high + (_t - 1) * _length**2 / _d),
            right=_d * log(_high + _t * _length**2 / _d),
            draw_order=(RHO_MAX, CONTEXT_NORM, DIMENSION, ROUND),
            note="G_t has t - 1 rows",
        ),
        Step(
            id="quotient",
            sense=Sense.EQUALS,
            left=_d * log(_high + _t * _length**2 / _d) - _d * log(_low),
            right=_d * log(_high / _low + _t * _length**2 / (_d * _low)),
            draw_order=(RHO_MIN, RHO_MAX, CONTEXT_NORM, DIMENSION, ROUND),
        ),
    ),
    findings=(findings.RADIUS_ON_THE_EVENT,),
)
