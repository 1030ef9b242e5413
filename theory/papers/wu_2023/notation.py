r"""The letters of Wu et al. 2023.

The paper's n is the size of a batch in the raw case and of one fold in the central case; no statement here has both. beta is the radius
(beta_tau that of an epoch), delta the failure probability. Quotients of two terms of a proof have no letter there (x, u, v, y here).
"""

from collections.abc import Mapping

from banditproof.glossary import (
    BINS,
    EPSILON,
    FAILURE,
    FOLDS,
    LEVEL,
    RADIUS,
    RAW_MOMENT,
    REGRET,
    SENSITIVITY,
    SIGMA,
    TAIL_PROBABILITY,
    THRESHOLD,
    TOTAL_EPSILON,
    Quantity,
)
from banditproof.glossary.wu_2023 import EXPECTED_PULLS

PAPER = "Yulian Wu, Xingyu Zhou, Youming Tao and Di Wang, *On Private and Robust Bandits* (NeurIPS 2023, with its appendix)"
LETTERS: Mapping[Quantity, str] = {
    EPSILON: r"\epsilon",
    TOTAL_EPSILON: r"\epsilon'",
    FAILURE: r"\delta",
    REGRET: r"\mathcal{R}_T",  # Definition 3.6
    RADIUS: r"\beta",  # beta_tau of Algorithm 1
    SENSITIVITY: r"\Delta_1(f)",  # Definition 3.5
    RAW_MOMENT: r"\mathbb{E}[|X|^k]",
    EXPECTED_PULLS: r"\mathbb{E}[N_a(T)]",
    BINS: r"|\mathcal{J}|",  # Algorithm 3
    SIGMA: r"\sigma_k",
    TAIL_PROBABILITY: r"\mathbb{P}",
    LEVEL: "t",  # Lemmas B.5, B.6, B.8
    FOLDS: "n",  # Lemma B.2
    THRESHOLD: "y",
}
