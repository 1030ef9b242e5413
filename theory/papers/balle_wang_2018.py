r"""The exact privacy of Gaussian noise (Balle and Wang 2018).

Main statements
    GAUSSIAN_PROFILE       the least delta at a given epsilon, exactly
    GAUSSIAN_CALIBRATION   the least standard deviation for (epsilon, delta), exactly
Main definitions
    exact_mu               the level mu at which Gaussian noise is exactly (epsilon, delta)-private
Reads                      the ICML 2018 text, Theorem 8 (necessary and sufficient condition) and Algorithm 1 (its solution)

Implementation notes
    With mu = sensitivity/sigma, the condition is Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) <= delta; Phi(x) = erfc(-x/sqrt(2))/2.
    The left side rises strictly from 0 to 1 in mu, so the calibration is its one root. The bracket of the root, with l = log(1/delta):
      low   rho = mu^2/2 has delta <= exp(-(eps - rho)^2 / (4 rho)) for rho <= eps (concentrated privacy), which is delta
            at sqrt(rho) = eps / (sqrt(l + eps) + sqrt(l));
      high  any event gives a lower bound on delta; {x > s} for N(mu, 1) against N(0, 1) has Phi(mu - s) - e^eps Phi(-s). With
            k = log(2/(1 - delta)), s = sqrt(2 (eps + k)) and mu = s + sqrt(2 k), Phi(-x) <= exp(-x^2/2)/2 makes it at least
            1 - (1 - delta)/4 - (1 - delta)/4, which is above delta.
    `at` checks the signs at both ends before it uses them.
"""

import sympy
from sympy import Eq, erfc, exp, log, sqrt

from banditproof.glossary import DELTA, EPSILON, MU, REQUIRED_SIGMA, SENSITIVITY, SIGMA
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import attained_sensitivity, fresh_gaussian_noise, l2_sensitivity, real_arithmetic
from banditproof.theory.language import Bound, Implicit, Sense, Source, Theorem, always, symbol

PAPER = "Borja Balle and Yu-Xiang Wang, *Improving the Gaussian Mechanism for Differential Privacy* (ICML 2018)"
_epsilon, _delta, _sensitivity, _mu = symbol(EPSILON), symbol(DELTA), symbol(SENSITIVITY), symbol(MU)


def _profile(mu: sympy.Expr) -> sympy.Expr:
    """Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)."""
    return erfc((_epsilon / mu - mu / 2) / sqrt(2)) / 2 - exp(_epsilon) * erfc((_epsilon / mu + mu / 2) / sqrt(2)) / 2


_l, _k = log(1 / _delta), log(2 / (1 - _delta))
exact_mu = Implicit(
    of=MU,
    condition=Eq(_profile(_mu), _delta),
    bracket=(sqrt(2) * _epsilon / (sqrt(_l + _epsilon) + sqrt(_l)), sqrt(2 * (_epsilon + _k)) + sqrt(2 * _k)),
    unique="the left side rises strictly in mu",
)

ATTAINED_SENSITIVITY = Finding(
    name="attained_sensitivity",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the sensitivity is a supremum in the paper; it is attained in the statement here",
    place="Theorem 8",
    sentence="for a function f with global L2 sensitivity Delta, the mechanism is (epsilon, delta)-private if and only if ...",
    literal="The equivalence holds for a supremum that no pair of neighbours attains, too: the profile is continuous in the distance.",
    charitable="As read literally; the statement here asks for more than the paper.",
    consequence="None: where the supremum is not attained, the profile here is an upper bound that no pair of neighbours reaches.",
    stands="The theorem as printed.",
    instead="The profile as an upper bound (and as the least delta where the sensitivity is attained).",
)

GAUSSIAN_PROFILE = Theorem(
    id="balle_wang_2018.gaussian_profile",
    statement="Gaussian noise of standard deviation sigma on a query of L2 sensitivity s is (epsilon, delta)-differentially private for "
    "this delta and for no smaller one.",
    source=Source("balle2018improving", "Theorem 8", "ICML 2018"),
    hypotheses=(l2_sensitivity, attained_sensitivity, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(
        of=DELTA,
        sense=Sense.EQUALS,
        cases=always(_profile(_sensitivity / symbol(SIGMA))),
        given=(EPSILON, SIGMA, SENSITIVITY),
    ),
    findings=(ATTAINED_SENSITIVITY,),
)

GAUSSIAN_CALIBRATION = Theorem(
    id="balle_wang_2018.gaussian_calibration",
    statement="The least standard deviation of Gaussian noise that gives (epsilon, delta)-differential privacy to a query of L2 "
    "sensitivity s.",
    source=Source("balle2018improving", "Theorem 8 and Algorithm 1", "ICML 2018"),
    hypotheses=(l2_sensitivity, attained_sensitivity, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SIGMA,
        sense=Sense.EQUALS,
        cases=always(_sensitivity / _mu),
        given=(EPSILON, DELTA, SENSITIVITY),
        where=(exact_mu,),
    ),
)
