r"""The letters of Shariff and Sheffet 2018.

The paper uses k twice, for the degrees of freedom (section 4) and for the number of arms (section 5), and n twice, for the horizon and for
the rows of a Gaussian matrix (Claim 18); no statement has both. It has no letter for what only its proofs or this toolkit count: the nodes
that one prefix adds (m_t here), the nodes that hold one row (l), quotients of two terms (x, g, u, v).
"""

from collections.abc import Mapping

from banditproof.glossary import (
    ARM_PULLS,
    ARMS,
    FAILURE,
    HORIZON,
    INVERSE_GAPS,
    LEVELS,
    REGRET,
    SAMPLES,
    SENSITIVITY,
    TAIL_PROBABILITY,
    TERMS,
    THRESHOLD,
    TOTAL_VARIATION,
    VARIANCE,
    Quantity,
)
from banditproof.glossary.shariff_sheffet_2018 import MATRIX_ROWS, SINGULAR_VALUE, SQUARED_COSINE, START_DETERMINANT

PAPER = "Roshan Shariff and Or Sheffet, *Differentially Private Contextual Linear Bandits* (NeurIPS 2018, with its supplement)"
LETTERS: Mapping[Quantity, str] = {
    HORIZON: "n",
    FAILURE: r"\alpha",
    REGRET: r"\widehat R_n",
    SENSITIVITY: "GS_2",  # A.1
    TERMS: "m_t",
    LEVELS: r"\ell",
    MATRIX_ROWS: "n",  # Claim 18
    SINGULAR_VALUE: r"\sigma_j",  # Claims 18 and 19
    VARIANCE: r"\sigma_j(V)",  # Claim 19
    START_DETERMINANT: r"(\det U_1)",  # Lemma 22, in powers
    SQUARED_COSINE: "q",
    ARMS: "k",  # Claim 14, Corollary 15
    ARM_PULLS: "N_a(n)",
    INVERSE_GAPS: r"\bigl(\textstyle\sum_{a \ne a^1} 1/\Delta_a\bigr)",
    TAIL_PROBABILITY: r"\mathbb{P}[E]",  # E: arm a is pulled less often than t_a
    TOTAL_VARIATION: r"d_{\mathrm{TV}}",
    SAMPLES: "t_a",  # the rewards of arm a that are redrawn
    THRESHOLD: "g",
}
