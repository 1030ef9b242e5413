r"""Locally private linear bandits, the setting (2024): Definition 1.1, the assumptions, equations (1) to (4), and what the files share.

Main statements
    LOCALLY_PRIVATE, REGRET_DEFINITION, ASSUMPTIONS, SECOND_MOMENT   Definition 1.1, section 2, the condition on the curvature
    TEMPLATE_SET, TEMPLATE_REGRET   (1) and the sentence after it
    PERTURBED_WIDTH                 (2), quoted
    LEARNER_REGRET_DEFINITION       (3) and (4)
    CONVERTED_WIDTH                 the width from an online learner's regret, quoted
    TREE_NORM, TREE_REGRET, LOCAL_NORM, LOCAL_REGRET, LOCAL_REGRET_QUOTED   what section 3 derives for noise on the Gram matrix
    REGRET_BY_NORMS         [assembled] (2) inserted into the template
    SHUFFLE_REGRET, SHUFFLE_REGRET_GARCELON, NON_PRIVATE_REGRET   rates of earlier work as the introduction quotes them
    CURVATURE_CEILING               [assembled] lambda_min <= 1/d
Reads               the main text (the appendix, with Algorithms 3 to 7 and the proofs of 3.3 to 3.6, is not in it)

Notation            T = horizon, d = dimension, D = parameter_norm, R = reward_sigma, beta = failure, sigma = noise, Delta = injected_sigma,
                    lambda_min = curvature, G = clipping, M_T = learner_regret, S_N = path, K_N = extra_width, H = curvature_term

Readings
    The second moment is conditional, E_t given the past, for every t (sections 1 and 5 print E_t, sections 2 and 3 E).
    The loss has its argument inside the square, as its gradient says; the learner's theta_t and the optimistic one are two parameters.
    "Domain diameter D" is the radius: |theta*| <= D, and predictions differ by at most 2 D (Lemma 3.5).
    An order is written without the logarithms that O~ hides.

Derivation of CURVATURE_CEILING
    d lambda_min <= trace E x x^T = E |x|^2 <= 1.
"""

from sympy import Expr, Rational, sqrt

from banditproof.glossary import (
    DIMENSION,
    EPSILON,
    HORIZON,
    PERTURBATION,
    REGRET,
    RHO_MAX,
    Quantity,
)
from banditproof.glossary.ldp_linucb_2024 import CURVATURE
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Sense, Source, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings import setting as findings

_T, _d, _epsilon = symbol(HORIZON), symbol(DIMENSION), symbol(EPSILON)

bounded_data = Hypothesis("bounded_data", "actions have length at most 1, rewards and means lie in [-1, 1]", Checked.BY_ENVIRONMENT)
bounded_parameter = Hypothesis("bounded_parameter", "the parameter has length at most D", Checked.BY_ENVIRONMENT)
bounded_predictions = Hypothesis("bounded_predictions", "the learner's predictions have length at most D", Checked.BY_ENVIRONMENT)
sub_gaussian_rewards = Hypothesis(
    "sub_gaussian_rewards", "reward noise is independent, of mean 0 and R^2-sub-Gaussian", Checked.BY_ENVIRONMENT
)
curved_actions = Hypothesis(
    "curved_actions",
    "in every round, given the past, the second moment of the action has eigenvalues of at least lambda_min",
    Checked.BY_ENVIRONMENT,
)
good_event = Hypothesis("good_event", "the good event of Appendix A, which the text at hand does not define, holds", Checked.ASSUMED)


def source(locator: str) -> Source:
    """A place in this paper."""
    return Source("anonymous2024improved", locator, "main text, without the appendix")


def rate(expression: Expr, given: tuple[Quantity, ...]) -> Bound:
    """An upper order of the regret."""
    return Bound(of=REGRET, sense=Sense.AT_MOST, cases=always(expression), given=given, constants=Constants.SUPPRESSED)


LOCALLY_PRIVATE = Theorem(
    id="ldp_linucb_2024.locally_private",
    statement="A randomised map of what one user holds is (epsilon, delta)-locally private if for all inputs x, x' and all events E, "
    "P(M(x) in E) <= exp(epsilon) P(M(x') in E) + delta.",
    source=source("Definition 1.1"),
    not_checkable="a definition",
)

REGRET_DEFINITION = Theorem(
    id="ldp_linucb_2024.regret_definition",
    statement="The regret is the sum over rounds of the best mean in the decision set less the mean of the action.",
    source=source("sections 1 and 2"),
    not_checkable="a definition; at most 2 T by the assumptions",
)

ASSUMPTIONS = Theorem(
    id="ldp_linucb_2024.assumptions",
    statement="|x_t| <= 1, |y_t| <= 1, |<x_t, theta*>| <= 1 and |theta*| <= D.",
    source=source("section 2, Assumption"),
    not_checkable="it names the assumptions, which the statements here have as hypotheses",
)

SECOND_MOMENT = Theorem(
    id="ldp_linucb_2024.second_moment",
    statement="Since x_t x_t^T is positive semidefinite, the second moment has eigenvalues of at least lambda_min for some lambda_min >= "
    "0.",
    source=source("section 3.1, before Lemma 3.5"),
    not_checkable="it says that lambda_min = 0 is always possible; how large it can be is curvature_ceiling",
    findings=(findings.WHICH_MOMENT,),
)

CURVATURE_CEILING = Theorem(
    id="ldp_linucb_2024.curvature_ceiling",
    statement="The least eigenvalue of the second moment of actions of length at most 1.",
    source=source("[assembled] section 2, from |x_t| <= 1; derivation in the module"),
    hypotheses=(bounded_data,),
    bound=Bound(of=CURVATURE, sense=Sense.AT_MOST, cases=always(1 / _d), given=(DIMENSION,)),
)

TEMPLATE_SET = Theorem(
    id="ldp_linucb_2024.template_set",
    statement="LinUCB's confidence set is an ellipsoid around the ridge estimate, in the norm of the Gram matrix.",
    source=source("(1)"),
    not_checkable="a definition",
    findings=(findings.LETTERS,),
)

TEMPLATE_REGRET = Theorem(
    id="ldp_linucb_2024.template_regret",
    statement="The regret of LinUCB with ellipsoids of this width, up to logarithms.",
    source=source("section 3, after (1)"),
    not_checkable="a template with its constants suppressed: width times sqrt(dT); what it gives with (2) is regret_by_norms",
)

PERTURBED_WIDTH = Theorem(
    id="ldp_linucb_2024.perturbed_width",
    statement="The width where noise of norm rho_max is added to the Gram matrix and of norm nu to the action-reward sums.",
    source=source("(2), quoting Shariff and Sheffet 2018"),
    not_checkable="quoted with its constants suppressed: sqrt(d) + sqrt(rho_max) + nu; what it gives with (1) is regret_by_norms",
)

LEARNER_REGRET_DEFINITION = Theorem(
    id="ldp_linucb_2024.learner_regret_definition",
    statement="The learner's regret is the sum of l_t(theta_t) - l_t(theta*), and M_T is a known upper bound on it.",
    source=source("(3) and (4)"),
    not_checkable="a definition",
)

CONVERTED_WIDTH = Theorem(
    id="ldp_linucb_2024.converted_width",
    statement="The width of a confidence set from the regret of an online learner, up to logarithms.",
    source=source("section 3, quoting Abbasi-Yadkori, Pal and Szepesvari 2012"),
    not_checkable="a rate that is quoted with its constants suppressed: sqrt(M_T)",
)

# --- what noise on the Gram matrix costs -----------------------------------------------------------------------------------------------

TREE_NORM = Theorem(
    id="ldp_linucb_2024.tree_norm",
    statement="The norm of the noise on the Gram matrix with a tree of noisy sums (central model), up to logarithms.",
    source=source("section 3, 'In the central model'"),
    not_checkable="a rate that is quoted with its constants suppressed: sqrt(d)/epsilon; tree_regret inserts it",
)

TREE_REGRET = Theorem(
    id="ldp_linucb_2024.tree_regret",
    statement="The regret with a tree of noisy sums (central model), up to logarithms.",
    source=source("section 3, 'In the central model'"),
    bound=rate(_d * sqrt(_T) + _d ** Rational(3, 4) * sqrt(_T) / sqrt(_epsilon), (HORIZON, DIMENSION, EPSILON)),
)

LOCAL_NORM = Theorem(
    id="ldp_linucb_2024.local_norm",
    statement="The norm of the noise on the Gram matrix where every round adds Gaussian noise (local model), up to logarithms.",
    source=source("section 3, 'in the local model'"),
    not_checkable="a rate that is quoted with its constants suppressed: sqrt(dT)/epsilon; local_regret inserts it",
    findings=(findings.NOISE_NORM_ROOT,),
)

LOCAL_REGRET = Theorem(
    id="ldp_linucb_2024.local_regret",
    statement="The regret where every round adds Gaussian noise to the Gram matrix (local model), up to logarithms.",
    source=source("section 3, 'the regret becomes'; quoting Zheng et al. 2020"),
    bound=rate(_d * sqrt(_T) + (_d * _T) ** Rational(3, 4) / sqrt(_epsilon), (HORIZON, DIMENSION, EPSILON)),
    findings=(findings.WHO_IS_LOCAL,),
)

REGRET_BY_NORMS = Theorem(
    id="ldp_linucb_2024.regret_by_norms",
    statement="What (2) and the sentence after (1) give together, with constant 1.",
    source=source("[assembled] (2) and section 3, after (1)"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always((sqrt(_d) + sqrt(symbol(RHO_MAX)) + symbol(PERTURBATION)) * sqrt(_d * _T)),
        given=(HORIZON, DIMENSION, RHO_MAX, PERTURBATION),
    ),
)

SHUFFLE_REGRET = Theorem(
    id="ldp_linucb_2024.shuffle_regret",
    statement="The regret in the shuffle model as quoted from Chowdhury and Zhou 2022, for epsilon up to the order of T^(-3/10).",
    source=source("introduction, quoting Chowdhury and Zhou 2022"),
    not_checkable="a rate that is quoted with its constants suppressed: d T^(3/5)",
)

SHUFFLE_REGRET_GARCELON = Theorem(
    id="ldp_linucb_2024.shuffle_regret_garcelon",
    statement="The regret in the shuffle model as quoted from Garcelon et al. 2022, for epsilon up to the order of T^(-3/4).",
    source=source("introduction, quoting Garcelon et al. 2022"),
    not_checkable="a rate that is quoted with its constants suppressed: d T^(2/3)",
)

NON_PRIVATE_REGRET = Theorem(
    id="ldp_linucb_2024.non_private_regret",
    statement="The optimal regret without privacy, as quoted.",
    source=source("introduction, quoting Lattimore and Szepesvari 2020 and Li et al. 2019"),
    not_checkable="a rate that is quoted with its constants suppressed: d sqrt(T)",
)
