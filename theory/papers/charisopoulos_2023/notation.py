r"""The letters of Charisopoulos, Esfandiari and Mirrokni 2023.

The paper has delta for the failure probability and epsilon for the privacy parameter; its delta_priv is 0 throughout. It writes mu for
the largest squared norm of an action in the inverse Gram matrix, and n for the number
of reports of a batch: plays in M1, owners of actions in M2.
"""

from collections.abc import Mapping

from banditproof.glossary import ARMS, DIMENSION, EPSILON, FAILURE, HORIZON, REGRET, SAMPLES, Quantity

PAPER = "Charisopoulos, Esfandiari and Mirrokni, *Robust and private stochastic linear bandits* (ICML 2023)"
LETTERS: Mapping[Quantity, str] = {
    EPSILON: r"\varepsilon",
    FAILURE: r"\delta",
    REGRET: r"R_T",
    ARMS: "K",
    HORIZON: "T",
    DIMENSION: "d",
    SAMPLES: "n",
}
