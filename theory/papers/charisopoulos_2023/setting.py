r"""Robust and private linear bandits, the setting (Charisopoulos et al. 2023): section 1.1, Definition 1.1, the two models.

Main statements
    ACTIONS, REWARD, REGRET_DEFINITION, BATCHED, CORRUPTED, PRIVATE, CLIENTS   the problem, (1) to (4), M1 and M2
    REGRET_CEILING      [assembled] the regret that every policy has
    CORRUPTION_TOTAL    the total corruption that is compared with budget models
Reads               the ICML text; the scan is noisy, and a reading says so

Notation            T = horizon, K = arms, d = dimension, B = batches, q = growth, m = size, n = samples, delta = failure, alpha =
                    corruption, mu = leverage, k = support, nu = truncation_parameter

Readings
    The corrupted object is the report, after randomisation; in M2 it is one report per owner and batch. Corruptions are independent of each
    other and of the reports' noise; a corrupted value may depend on everything.
    SubG(1): the moment generating function of the noise is at most exp(s^2/2), where a number needs it.
    A statement that the paper has with probability 1 - 2 delta has delta = failure/2 here.
    delta_priv of Definition 1.1 is 0 throughout.
"""

from sympy import Gt, Integer

from banditproof.glossary import HORIZON, OTHER_UNIT_RATIO, REGRET, UNIT_RATIO
from banditproof.glossary.charisopoulos_2023 import CORRUPTION, TOTAL_CORRUPTION
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Source, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import filter as filter_findings
from banditproof.theory.papers.charisopoulos_2023.findings import introduction, privacy, text

_T, _alpha, _u, _v = symbol(HORIZON), symbol(CORRUPTION), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)

unit_lengths = Hypothesis("unit_lengths", "actions and the parameter have length at most 1", Checked.BY_ENVIRONMENT)
sub_gaussian_noise = Hypothesis("sub_gaussian_noise", "reward noise is independent, of mean 0 and 1-sub-Gaussian", Checked.BY_ENVIRONMENT)
random_positions = Hypothesis(
    "random_positions",
    "each report is corrupted with probability alpha, independently of the others and of the reports themselves",
    Checked.BY_ENVIRONMENT,
)


def source(locator: str) -> Source:
    """A place in this paper."""
    return Source("charisopoulos2023robust", locator, "ICML 2023")


ACTIONS = Theorem(
    id="charisopoulos_2023.actions",
    statement="There are K actions of length at most 1, and the parameter has length at most 1, so mean rewards lie in [-1, 1].",
    source=source("section 1.1"),
    not_checkable="it names the assumptions, which the statements here have as hypotheses",
    steps=(
        Step(
            id="mean_reward",
            sense=Sense.AT_MOST,
            left=4 * _u * _v,
            right=Integer(4) - (_u - _v) ** 2,
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            note="four times the product of the two lengths u and v, which bounds the mean reward (Cauchy and Schwarz)",
        ),
    ),
)

REWARD = Theorem(
    id="charisopoulos_2023.reward",
    statement="An action's reward is <a, theta*> plus noise that is independent, of mean 0 and sub-Gaussian; no bound on it is stated.",
    source=source("(1), and (10) for the uncorrupted observations of section 2.2"),
    not_checkable="a definition",
)

REGRET_DEFINITION = Theorem(
    id="charisopoulos_2023.regret_definition",
    statement="The expected regret is the best action's total mean reward less that of the actions played.",
    source=source("(2)"),
    not_checkable="a definition; at most 2 T by regret_ceiling",
)

REGRET_CEILING = Theorem(
    id="charisopoulos_2023.regret_ceiling",
    statement="The regret of every policy: mean rewards lie in [-1, 1].",
    source=source("[assembled] (2) and the assumptions of section 1.1"),
    hypotheses=(unit_lengths,),
    bound=Bound(of=REGRET, sense=Sense.AT_MOST, cases=always(2 * _T), given=(HORIZON,)),
)

BATCHED = Theorem(
    id="charisopoulos_2023.batched",
    statement="The learner plays at most B batches, of sizes that it may adapt, and at most T actions in all; it knows B and T.",
    source=source("section 1.1, 'Batched observations'; section 1.1 after Remark 1.2 for B of the order of log T"),
    not_checkable="a definition",
)

CORRUPTED = Theorem(
    id="charisopoulos_2023.corrupted",
    statement="Each observation is replaced by an arbitrary number with probability alpha, 0 <= alpha < 1/4, independently; the learner "
    "knows alpha or an upper bound on it.",
    source=source("(3), (11), and section 4 for the upper bound; Algorithm 1 has 0 < alpha < 1/4"),
    not_checkable="a definition, which the statements here have as the hypothesis random_positions",
    findings=(privacy.CORRUPTED_OBJECT,),
)

CORRUPTION_TOTAL = Theorem(
    id="charisopoulos_2023.corruption_total",
    statement="The total amount of corruption that the adversary injects.",
    source=source("after Theorem 1.3, 'the total amount of corruption'; section 1.2 has 'assuming that C scales as alpha T'"),
    hypotheses=(random_positions,),
    bound=Bound(of=TOTAL_CORRUPTION, sense=Sense.AT_MOST, cases=always(_alpha * _T), given=(CORRUPTION, HORIZON)),
    steps=(
        Step(
            id="every_report_at_once",
            sense=Sense.AT_MOST,
            left=_T,
            right=_alpha * _T,
            draw_order=(CORRUPTION, HORIZON),
            domain=(Gt(_alpha, 0),),
            note="all T reports are replaced with probability alpha^T, which is positive, each by any amount",
        ),
    ),
    findings=(introduction.TOTAL_CORRUPTION,),
)

PRIVATE = Theorem(
    id="charisopoulos_2023.private",
    statement="A mechanism is epsilon-differentially private if P(M(R) in O) <= exp(epsilon) P(M(R') in O) for all sequences of rewards R "
    "and R' that differ in at most one index, and all O.",
    source=source("Definition 1.1, (4), with delta_priv = 0"),
    not_checkable="a definition",
)

CLIENTS = Theorem(
    id="charisopoulos_2023.clients",
    statement="M1: every reward comes from a new client, who answers once. M2: every action is owned by one client, who reports one number "
    "per batch, the mean of the action's rewards with noise. Clients randomise their own reports; the server is not trusted.",
    source=source("section 1.1, (M1) and (M2), Remark 1.2; section 3"),
    not_checkable="a definition; the reports are (15) and (20)",
)

LEAST_SQUARES = Theorem(
    id="charisopoulos_2023.least_squares",
    statement="The least-squares estimate from all reports, and the one that has the same Gram matrix and sums over the uncorrupted "
    "reports; arm elimination keeps the arms whose estimates are within 2 gamma of the best one.",
    source=source("(8), (9), (12), and the rule between (8) and (9)"),
    not_checkable="definitions; what the estimates have to do with each other is decomposition",
    findings=(filter_findings.GOOD_SUM,),
)

GEOMETRIC_MEDIAN = Theorem(
    id="charisopoulos_2023.geometric_median",
    statement="Bounds for the geometric median of the least-squares summands scale as the condition number of the Gram matrix.",
    source=source("section 2.1, 'a tedious but straightforward calculation'"),
    not_checkable="neither the bounds nor the calculation are printed",
    findings=(text.CONDITION_NUMBER,),
)
