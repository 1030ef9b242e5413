r"""Robust and private linear bandits, the setting (Charisopoulos, Esfandiari and Mirrokni 2023): section 1.1, Definition 1.1, the two models.

Main statements
    ACTIONS, REWARD, REGRET_DEFINITION, BATCHED, CORRUPTED, PRIVATE, CLIENTS   the problem, (1) to (4), M1 and M2
    REGRET_CEILING      [assembled] the regret that every policy has
    CORRUPTION_TOTAL    the total corruption that is compared with budget models
Reads               the ICML text; the scan is noisy, and a reading says so

Notation            T = horizon, K = arms, d = dimension, B = batches, q = growth, m = size, n = samples, delta = failure, alpha = corruption,
                    epsilon = epsilon_priv, mu = leverage, k = support, nu = truncation_parameter

Readings
    The corrupted object is the report, after randomisation; in M2 it is one report per owner and batch. Corruptions are independent of each
    other and of the reports' noise; a corrupted value may depend on everything.
    SubG(1): the moment generating function of the noise is at most exp(s^2/2), where a number needs it.
    A statement that the paper has with probability 1 - 2 delta has delta = failure/2 here.
    delta_priv of Definition 1.1 is 0 throughout.
"""

from sympy import Integer

from banditproof.glossary import HORIZON, REGRET, UNIT_RATIO, OTHER_UNIT_RATIO
from banditproof.glossary.charisopoulos_2023 import CORRUPTION, TOTAL_CORRUPTION
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Source, Step, Theorem, always, symbol
from sympy import Gt

_T, _alpha, _u, _v = symbol(HORIZON), symbol(CORRUPTION), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)

unit_lengths = Hypothesis("unit_lengths", "actions and the parameter have length at most 1", Checked.BY_ENVIRONMENT)
sub_gaussian_noise = Hypothesis(
    "sub_gaussian_noise", "reward noise is independent, of mean 0 and 1-sub-Gaussian", Checked.BY_ENVIRONMENT
)
random_positions = Hypothesis(
    "random_positions",
    "each report is corrupted with probability alpha, independently of the others and of the reports themselves",
    Checked.BY_ENVIRONMENT,
)


def source(locator: str) -> Source:
    """A place in this paper."""
    return Source("charisopoulos2023robust", locator, "ICML 2023")
