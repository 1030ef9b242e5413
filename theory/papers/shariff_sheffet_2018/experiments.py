r"""The sentences of Appendix D (Shariff and Sheffet 2018): settings, reported outcomes and explanations, one statement each.

Main statements
    Setting     UNIT_LENGTHS, OPTIMAL_ARM, FORCED_GAP, SIGN_REWARDS, REWARD_VARIANCE, MEASURED_REGRET
    D.1         DIMENSION_NOISE, DIMENSION_SLOPE, DIMENSION_SUPER_LINEAR, DIMENSION_QUADRATIC, DIMENSION_BOUNDS
    D.2         PRIVACY_PARAMETERS, FLAT_CURVES, GAP_UPPER, GAP_LOWER, VARIANTS, NON_PRIVATE, GAUSSIAN_BELOW_WISHART, CONSTANTS_SHOWN,
                UNSHIFTED_WITHOUT_GAP, UNSHIFTED_WITH_GAP
    D.3         SHIFT_CHOSEN, SHIFT_WITHOUT_GAP, GAP_CHANGES_MUCH, SHIFT_BY_RHO_MIN, NO_UNSHIFTED_GAUSSIAN, ONLY_THE_SHIFT, TUNING_MATTERS,
                TOO_MUCH, INHIBITED_EXPLORATION
What a run decides is an outcome of the experiments `shariff_sheffet_2018.d1`, `d2`, `d3` (`banditproof reproduce`; records under
docs/evidence). A sentence without a finding holds.

Derivations
    GAP_UPPER, GAP_LOWER. d = 5: the mean z of an arm that is uniform on the part of the sphere with |z| <= 3/4 has the density
    (1 - z^2)/(39/32), between 14/39 (at the ends) and 32/39. The expected distance of the best of K - 1 such arms from 3/4 is the integral
    of F(z)^(K - 1); with a constant density c in place of it that is 1/(c K).
"""

from sympy import Rational, exp

from banditproof.glossary import ARMS, RATIO, SUCCESS, THRESHOLD, VARIANCE
from banditproof.glossary.shariff_sheffet_2018 import MINIMUM_GAP
from banditproof.theory.language import Bound, Sense, Theorem, always, symbol
from banditproof.theory.papers.shariff_sheffet_2018.findings import experiments as findings
from banditproof.theory.papers.shariff_sheffet_2018.setting import source

_arms, _x, _q = symbol(ARMS), symbol(THRESHOLD), symbol(SUCCESS)


def _outcome(experiment: str, place: str) -> str:
    return f"an outcome of runs: `banditproof reproduce shariff_sheffet_2018.{experiment}` judges it, outcome {place}"


# --- setting ----------------------------------------------------------------------------------------------------------------------------

UNIT_LENGTHS = Theorem(
    id="shariff_sheffet_2018.unit_lengths",
    statement="Parameter and actions have unit length, so S = L = 1; decision sets have K = d^2 actions and are drawn anew in each round.",
    source=source("Appendix D, Setting"),
    not_checkable="a definition of the setting; the environment `Sphere` plays it",
)

OPTIMAL_ARM = Theorem(
    id="shariff_sheffet_2018.optimal_arm",
    statement="In every round one optimal action has mean 0.75, with a forced gap and without.",
    source=source("Appendix D, Setting; section D.2, 'In both cases there is always an optimal arm'"),
    not_checkable="a definition of the setting",
)

FORCED_GAP = Theorem(
    id="shariff_sheffet_2018.forced_gap",
    statement="All other actions have means in [-0.75, 0.65], which results in a gap of 0.1.",
    source=source("Appendix D, Setting"),
    not_checkable="0.1 is the least possible gap, by definition of the setting",
    findings=(findings.GAP_GROWS,),
)

SIGN_REWARDS = Theorem(
    id="shariff_sheffet_2018.sign_rewards",
    statement="Rewards of -1 and 1 are sub-Gaussian with sigma^2 = 1: the mean of exp(lambda (y - E y)), for lambda of either sign.",
    source=source("Appendix D, Setting, 'the reward distribution is subgaussian'"),
    bound=Bound(of=RATIO, sense=Sense.AT_MOST, cases=always(exp(_x**2 / 2)), given=(THRESHOLD,)),
)

REWARD_VARIANCE = Theorem(
    id="shariff_sheffet_2018.reward_variance",
    statement="The variance of a reward that is 1 with probability `success`, and else -1.",
    source=source("section D.1, 'the actual variance in the reward depends on its expectation'"),
    bound=Bound(of=VARIANCE, sense=Sense.EQUALS, cases=always(4 * _q * (1 - _q)), given=(SUCCESS,)),
    findings=(findings.LOWER_VARIANCE,),
)

MEASURED_REGRET = Theorem(
    id="shariff_sheffet_2018.measured_regret",
    statement="The experiments measure the expected regret, with alpha = 1/n.",
    source=source("Appendix D, last paragraph before D.1; sections D.1 and D.2"),
    not_checkable="it says what is measured; the number of repetitions is not stated",
    findings=(findings.MEASURED, findings.RIDGE_LETTER),
)

# --- D.1 --------------------------------------------------------------------------------------------------------------------------------

DIMENSION_NOISE = Theorem(
    id="shariff_sheffet_2018.dimension_noise",
    statement="With rewards of -1 and 1 the regret is somewhat lower than with Gaussian noise of variance 1.",
    source=source("section D.1, before Figure 2"),
    not_checkable=_outcome("d1", "iii"),
)

DIMENSION_SLOPE = Theorem(
    id="shariff_sheffet_2018.dimension_slope",
    statement="Regret against dimension has a best-fit line of slope roughly 2 on log-log axes.",
    source=source("section D.1, after Figure 2, and Figure 3"),
    not_checkable=_outcome("d1", "i"),
)

DIMENSION_SUPER_LINEAR = Theorem(
    id="shariff_sheffet_2018.dimension_super_linear",
    statement="The dependency of the regret on d is super-linear.",
    source=source("section D.1, before Figure 3"),
    not_checkable=_outcome("d1", "ii"),
    findings=(findings.ONE_FAMILY,),
)

DIMENSION_QUADRATIC = Theorem(
    id="shariff_sheffet_2018.dimension_quadratic",
    statement="In general the dependency of the regret on d is quadratic.",
    source=source("section D.1, 'We conjecture'"),
    not_checkable="a conjecture; what runs say of the slope is outcome iv of `banditproof reproduce shariff_sheffet_2018.d1`",
    findings=(findings.QUADRATIC,),
)

DIMENSION_BOUNDS = Theorem(
    id="shariff_sheffet_2018.dimension_bounds",
    statement="The experiment bears on whether the gap-dependent regret is Omega(d^2).",
    source=source("section D.1, first sentence"),
    not_checkable="it says what an experiment is aimed at",
    findings=(findings.VACUOUS_IN_D_1,),
)

# --- D.2 --------------------------------------------------------------------------------------------------------------------------------

PRIVACY_PARAMETERS = Theorem(
    id="shariff_sheffet_2018.privacy_parameters",
    statement="Both private algorithms are run with epsilon = 1, delta = 0.1, n = 5 10^7, d = 5, K = 25.",
    source=source("section D.2, first paragraph"),
    not_checkable="a definition of the experiment",
    findings=(findings.VACUOUS_IN_D_2,),
)

FLAT_CURVES = Theorem(
    id="shariff_sheffet_2018.flat_curves",
    statement="The curves are essentially flat after 2 10^7 rounds.",
    source=source("section D.2, first paragraph"),
    not_checkable=_outcome("d2", "i"),
)

GAP_UPPER = Theorem(
    id="shariff_sheffet_2018.gap_upper",
    statement="Without a forced gap (d = 5) the expected gap between the optimal and the second-best of K actions is at most "
    "`minimum_gap`.",
    source=source("section D.2, 'we should observe a gap of Theta(1/K)'; constants derived in the module"),
    bound=Bound(of=MINIMUM_GAP, sense=Sense.AT_MOST, cases=always(Rational(39, 14) / _arms), given=(ARMS,)),
    findings=(findings.PANELS,),
)

GAP_LOWER = Theorem(
    id="shariff_sheffet_2018.gap_lower",
    statement="Without a forced gap (d = 5) the expected gap between the optimal and the second-best of K actions is at least "
    "`minimum_gap`.",
    source=source("section D.2, 'we should observe a gap of Theta(1/K)'; constants derived in the module"),
    bound=Bound(of=MINIMUM_GAP, sense=Sense.AT_LEAST, cases=always(Rational(39, 32) / _arms), given=(ARMS,)),
)

VARIANTS = Theorem(
    id="shariff_sheffet_2018.variants",
    statement="The Wishart variant is that of section 4.1 with the shift of (4), WishartUnshifted the same without a shift.",
    source=source("section D.2, list of algorithms"),
    not_checkable="a definition of the experiment",
    findings=(findings.PADDING_IS_OPEN,),
)

NON_PRIVATE = Theorem(
    id="shariff_sheffet_2018.non_private",
    statement="The regret of NonPrivate is too small to be distinguished from the x-axis.",
    source=source("section D.2, list of algorithms"),
    not_checkable=_outcome("d2", "ii"),
)

GAUSSIAN_BELOW_WISHART = Theorem(
    id="shariff_sheffet_2018.gaussian_below_wishart",
    statement="The Gaussian noise algorithm outperforms Wishart noise.",
    source=source("section D.2, Results"),
    not_checkable=_outcome("d2", "iii"),
)

CONSTANTS_SHOWN = Theorem(
    id="shariff_sheffet_2018.constants_shown",
    statement="The asymptotic performance of the two algorithms is fairly close, and the constants of the Gaussian one are far better.",
    source=source("section D.2, Results, 'This shows that'"),
    not_checkable="an explanation; one horizon and one epsilon do not separate constants from orders",
    findings=(findings.EXPLAINED_BY_CONSTANTS,),
)

UNSHIFTED_WITHOUT_GAP = Theorem(
    id="shariff_sheffet_2018.unshifted_without_gap",
    statement="WishartUnshifted has the worst regret in the setting without a gap.",
    source=source("section D.2, Results, second paragraph"),
    not_checkable=_outcome("d2", "iv"),
)

UNSHIFTED_WITH_GAP = Theorem(
    id="shariff_sheffet_2018.unshifted_with_gap",
    statement="With a gap of 0.1 WishartUnshifted is statistically indistinguishable from the shifted Wishart variant.",
    source=source("section D.2, Results, second paragraph"),
    not_checkable=_outcome("d2", "v"),
    findings=(findings.INDISTINGUISHABLE,),
)

# --- D.3 --------------------------------------------------------------------------------------------------------------------------------

SHIFT_CHOSEN = Theorem(
    id="shariff_sheffet_2018.shift_chosen",
    statement="The shift is chosen to approximately optimise the regret bound in each case.",
    source=source("section D.3, first sentence"),
    not_checkable=_outcome("d3", "iv, and statement shift_optimal"),
    findings=(findings.APPROXIMATELY_OPTIMAL,),
)

SHIFT_WITHOUT_GAP = Theorem(
    id="shariff_sheffet_2018.shift_without_gap",
    statement="The shift that optimises the bound does not depend on the gap.",
    source=source("section D.3, second sentence"),
    not_checkable="(3) is 8 B/Delta times a square in which Delta does not occur, and (2) has no Delta: both are least at the same shift",
)

GAP_CHANGES_MUCH = Theorem(
    id="shariff_sheffet_2018.gap_changes_much",
    statement="The relative performance of shifted and unshifted Wishart noise changes drastically with the gap.",
    source=source("section D.3, third sentence; section D.2, 'changes significantly between the two cases'"),
    not_checkable=_outcome("d2", "iv and v"),
)

SHIFT_BY_RHO_MIN = Theorem(
    id="shariff_sheffet_2018.shift_by_rho_min",
    statement="Moving rho_min moves the shift by the same amount.",
    source=source("section D.3, second paragraph"),
    not_checkable="rho_min' = rho_min - c (Wishart) and rho_min = c - Upsilon (Gaussian): equal amounts, of opposite sign for Wishart",
)

NO_UNSHIFTED_GAUSSIAN = Theorem(
    id="shariff_sheffet_2018.no_unshifted_gaussian",
    statement="The Gaussian mechanism does not have an unshifted variant.",
    source=source("section D.3, end of the second paragraph"),
    not_checkable="Gaussian noise without a shift has negative eigenvalues half of the time (d = 1), so no rho_min > 0 is accurate",
)

ONLY_THE_SHIFT = Theorem(
    id="shariff_sheffet_2018.only_the_shift",
    statement="All parameters but the shift are those of D.2.",
    source=source("section D.3, second paragraph"),
    not_checkable="a definition of the experiment",
    findings=(findings.OTHER_GAPS,),
)

TUNING_MATTERS = Theorem(
    id="shariff_sheffet_2018.tuning_matters",
    statement="Tuning the shift significantly affects the performance only for small or zero gaps.",
    source=source("section D.3, Results, first sentence"),
    not_checkable=_outcome("d3", "i"),
    findings=(findings.ONLY_SMALL_GAPS,),
)

TOO_MUCH = Theorem(
    id="shariff_sheffet_2018.too_much",
    statement="With large gaps too much regularisation does not increase regret appreciably.",
    source=source("section D.3, Results, second sentence"),
    not_checkable=_outcome("d3", "ii"),
)

INHIBITED_EXPLORATION = Theorem(
    id="shariff_sheffet_2018.inhibited_exploration",
    statement="Large regularisers inhibit exploration and thereby incur more regret at small gaps.",
    source=source("section D.3, Results, 'we conjecture'"),
    not_checkable="a conjecture on a mechanism; regrets do not show exploration",
    findings=(findings.EXPLORATION,),
)
