r"""The classic calibration of Gaussian noise (Dwork and Roth 2014, Theorem 3.22 and Appendix A).

Main statements
    GAUSSIAN_CLASSIC         enough noise for (epsilon, delta), for epsilon in (0, 1)
    GAUSSIAN_CLASSIC_DELTA   the same claim solved for delta, for a mechanism whose noise is given
Reads                        the monograph: for c^2 > 2 ln(1.25/delta), noise of standard deviation sigma >= c s/epsilon is enough

Implementation notes
    Both statements keep the printed range of epsilon; the calibration is known to fail for large epsilon. The printed inequality for c is
    strict (finding equality).
"""

from collections.abc import Mapping

from sympy import Rational, exp, log, sqrt

from banditproof.glossary import DELTA, EPSILON, REQUIRED_SIGMA, SENSITIVITY, SIGMA, Quantity
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import classic_delta_below_one, epsilon_below_one, fresh_gaussian_noise, l2_sensitivity, real_arithmetic
from banditproof.theory.language import Bound, Sense, Source, Theorem, always, symbol

PAPER = "Cynthia Dwork and Aaron Roth, *The Algorithmic Foundations of Differential Privacy* (2014)"
LETTERS: Mapping[Quantity, str] = {SENSITIVITY: r"\Delta_2(f)"}

_epsilon, _delta, _sensitivity, _sigma = symbol(EPSILON), symbol(DELTA), symbol(SENSITIVITY), symbol(SIGMA)

EQUALITY = Finding(
    name="equality",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the printed inequality for c is strict; it is stated here with equality",
    place="Theorem 3.22 (A.1)",
    sentence="for c^2 > 2 ln(1.25/delta), the Gaussian mechanism with parameter sigma >= c Delta_2 f/epsilon is (epsilon, delta)-private",
    literal="The theorem says nothing at c^2 = 2 ln(1.25/delta).",
    charitable="The least delta of Gaussian noise is continuous in sigma, so that the claim extends to equality.",
    consequence="None: the least sigma that is enough is at most the printed limit.",
    stands="The theorem as printed, for epsilon in (0, 1).",
    instead="balle_wang_2018.gaussian_calibration, which is the least sigma exactly and has no condition on epsilon.",
)
MORE_NOISE_THAN_NEEDED = Finding(
    name="more_noise_than_needed",
    grade=Grade.LOOSE,
    reach=Reach.CONSTANT,
    title="the classic calibration has more noise than (epsilon, delta) needs",
    place="Theorem 3.22 (A.1)",
    sentence="sigma >= c Delta_2 f/epsilon with c^2 > 2 ln(1.25/delta)",
    literal="True for epsilon in (0, 1), and above the least sigma that is enough at every such epsilon and delta.",
    charitable="The theorem claims that the noise is enough, not that it is the least.",
    counterexample="epsilon = 1/2, delta = 1e-5, sensitivity 1: 9.69 as printed, where 7.04 is enough",
    consequence="A constant factor in the noise.",
    stands="The theorem as printed, for epsilon in (0, 1).",
    instead="balle_wang_2018.gaussian_calibration.",
)

GAUSSIAN_CLASSIC = Theorem(
    id="dwork_roth_2014.gaussian_classic",
    statement="Gaussian noise of standard deviation `required_sigma` on a query of L2 sensitivity s is enough for (epsilon, "
    "delta)-differential "
    "privacy.",
    source=Source("dwork2014algorithmic", "Theorem 3.22 (A.1)", "monograph, 2014"),
    hypotheses=(epsilon_below_one, l2_sensitivity, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(
        of=REQUIRED_SIGMA,
        sense=Sense.AT_MOST,
        cases=always(sqrt(2 * log(Rational(5, 4) / _delta)) * _sensitivity / _epsilon),
        given=(EPSILON, DELTA, SENSITIVITY),
    ),
    findings=(EQUALITY, MORE_NOISE_THAN_NEEDED),
)

GAUSSIAN_CLASSIC_DELTA = Theorem(
    id="dwork_roth_2014.gaussian_classic_delta",
    statement="Gaussian noise of standard deviation sigma on a query of L2 sensitivity s is (epsilon, delta)-differentially private "
    "for this delta.",
    source=Source("dwork2014algorithmic", "Theorem 3.22 (A.1), solved for delta", "monograph, 2014"),
    hypotheses=(epsilon_below_one, classic_delta_below_one, l2_sensitivity, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(
        of=DELTA,
        sense=Sense.AT_MOST,
        cases=always(Rational(5, 4) * exp(-((_sigma * _epsilon / _sensitivity) ** 2) / 2)),
        given=(EPSILON, SIGMA, SENSITIVITY),
    ),
)
