r"""The letters of the locally private LinUCB paper of 2024.

The paper has Delta for the standard deviation of the noise that it adds to actions, D for the bound on the parameter, and R for the
sub-Gaussian scale of rewards. It uses beta for a failure probability and, in section 3, for a width; k for actions in Remark 3.1.
What only this toolkit counts has a letter of its own: m, the level of Gaussian privacy (mu is the strong convexity here).
"""

from collections.abc import Mapping

from banditproof.glossary import (
    ARMS,
    CONTEXT_NORM,
    EPSILON,
    FAILURE,
    LEVEL,
    LEVELS,
    MU,
    PARAMETER_NORM,
    REGRET,
    REWARD_SIGMA,
    ROUND,
    ROW_NORM,
    SENSITIVITY,
    TERMS,
    THRESHOLD,
    Quantity,
)

PAPER = "Anonymous authors, *Improved rate for Locally Differentially Private Linear Bandits* (2024, under review; main text, no appendix)"
LETTERS: Mapping[Quantity, str] = {
    EPSILON: r"\epsilon",
    FAILURE: r"\beta",
    REGRET: r"\mathrm{Regret}_T",
    MU: "m",
    SENSITIVITY: "S",
    PARAMETER_NORM: "D",
    REWARD_SIGMA: "R",
    ARMS: "k",  # Remark 3.1
    ROUND: "N",  # Lemma 3.3
    THRESHOLD: "a",
    LEVEL: "g",
    ROW_NORM: r"\tilde L",
    CONTEXT_NORM: "L",
    TERMS: "m",  # section 8 of the sheet, the tree of the jointly private baseline
    LEVELS: "L",
}
