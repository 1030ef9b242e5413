r"""The sentences of the experimental section (locally private LinUCB, 2024; section 5 and Figure 1).

Main statements
    SETTING_OF_FIGURE1          100 arms, d = 5, T = 20000, 50 trials, epsilon 0.2, 1 and 10
    UNIT_LENGTHS            lengths, means and rewards of the setting
    FAVOURABLE_SETTING      'which is our experiment settings': lambda_min = O(1)
    PLAYED_CURVATURE        [assembled] the curvature of the best arm's play, and of any rule's
    BEATS_ALL, HIGH_PRIVACY, DESCENT_SUFFICES   outcomes (i) to (iii) of Figure 1
What a run decides is an outcome of the experiment `ldp_linucb_2024.figure1`.

Derivation of PLAYED_CURVATURE
    A fixed set of arms and a rule that chooses an arm from the past make E_t x_t x_t^T the matrix x_t x_t^T, of rank one: its least
    eigenvalue is
    0 for d >= 2. Where arms are redrawn, playing the best of 100 arms has the cosine z of the largest of 100 draws of density 2 sqrt(1 -
    z^2)/pi
    (d = 5): E z = 0.94092, E z^2 = 0.88694; the least eigenvalue of the block (E z^2, E z; E z, 1)/2 is 0.000427.
"""

from sympy import Integer

from banditproof.glossary import DIMENSION
from banditproof.glossary.ldp_linucb_2024 import CURVATURE
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Theorem, always
from banditproof.theory.papers.ldp_linucb_2024.findings import experiments as findings
from banditproof.theory.papers.ldp_linucb_2024.loss import two_features
from banditproof.theory.papers.ldp_linucb_2024.setting import source

fixed_arms = Hypothesis(
    "fixed_arms", "the set of arms is the same in every round, and the past decides which one is played", Checked.ASSUMED
)


def _outcome(place: str) -> str:
    return f"an outcome of runs: `banditproof reproduce ldp_linucb_2024.figure1` judges it, outcome {place}"


SETTING_OF_FIGURE1 = Theorem(
    id="ldp_linucb_2024.setting_of_figure1",
    statement="100 arms of dimension 5, 20000 rounds, regrets averaged over 50 trials, at epsilon 0.2, 1 and 10.",
    source=source("section 5"),
    not_checkable="a definition of the setting",
    findings=(findings.NOT_STATED,),
)

UNIT_LENGTHS = Theorem(
    id="ldp_linucb_2024.unit_lengths",
    statement="Parameter and features are a direction of d - 1 dimensions of length 1/sqrt(2) and an entry 1/sqrt(2); rewards are "
    "Bernoulli.",
    source=source("section 5, 'We generate the optimal parameter'"),
    not_checkable="a definition of the setting: lengths are 1, and means lie in [0, 1]",
)

PLAYED_CURVATURE = Theorem(
    id="ldp_linucb_2024.played_curvature",
    statement="The least eigenvalue of the conditional second moment where the set of arms is fixed.",
    source=source("[assembled] section 5 and Algorithm 1; derivation in the module"),
    hypotheses=(two_features, fixed_arms),
    bound=Bound(of=CURVATURE, sense=Sense.EQUALS, cases=always(Integer(0)), given=(DIMENSION,)),
)

FAVOURABLE_SETTING = Theorem(
    id="ldp_linucb_2024.favourable_setting",
    statement="In the experiment the conditional second moment has eigenvalues of at least some lambda_min > 0 of order 1.",
    source=source("section 5, '(which is our experiment settings)'"),
    not_checkable="'O(1)' names no number; audited with the least eigenvalue of fixed arms",
    findings=(findings.FAVOURABLE_SETTING,),
)

BEATS_ALL = Theorem(
    id="ldp_linucb_2024.beats_all",
    statement="At epsilon = 1 and 10 OnlineUCB is significantly below the local, the shuffled and the jointly private method.",
    source=source("section 5, 'in the low-privacy domain'; Figure 1 (b) and (c)"),
    not_checkable=_outcome("i"),
)

HIGH_PRIVACY = Theorem(
    id="ldp_linucb_2024.high_privacy",
    statement="At epsilon = 0.2 OnlineUCB is below the local method and comparable with the shuffled one.",
    source=source("section 5, 'In the high privacy domain'; Figure 1 (a)"),
    not_checkable=_outcome("ii"),
)

DESCENT_SUFFICES = Theorem(
    id="ldp_linucb_2024.descent_suffices",
    statement="Online gradient descent in place of Maler has the same empirical performance and is a lot faster.",
    source=source("section 5, last sentence"),
    not_checkable=_outcome("iii"),
)
