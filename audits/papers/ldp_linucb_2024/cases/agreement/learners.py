"""ldp_linucb_2024: the online learners' parameters and bounds beside the statements that they transcribe."""

from collections.abc import Callable
from dataclasses import replace

from banditproof.algorithms.learners import constants
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.running.audit import Audit
from banditproof.glossary import HORIZON, Domain
from banditproof.glossary.ldp_linucb_2024 import EXPERT
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import learner

GRID = replace(EXPERT, domain=Domain(0, 40, low_open=False, high_open=False, integer=True))  # beyond, no horizon has the expert
LONG = replace(HORIZON, typical=(20_000, 10**6))


def _last_expert_of(horizon: int, expert: int) -> float:
    """The prior of an expert; those beyond the last one are refused by both sides."""
    return constants.grid_prior(int(expert), int(horizon))


def _strong(horizon: int, regret_variance: float, clipping: float, parameter_norm: float) -> float:
    return constants.curved_regret(regret_variance, constants.strongly_convex_term(horizon), clipping, parameter_norm)


def _newton(horizon: int, dimension: int, regret_variance: float, clipping: float, parameter_norm: float) -> float:
    return constants.curved_regret(regret_variance, constants.exp_concave_term(horizon, dimension), clipping, parameter_norm)


def _learner(name: str, theorem: Theorem, function: Callable[..., float]) -> Audit:
    return agreement(f"learners.{name}", Agreement(theorem, function))


PARAMETERS = (
    _learner(
        "convex_rate",
        learner.CONVEX_RATE,
        lambda horizon, clipping, parameter_norm: constants.convex_rate(clipping, parameter_norm, horizon),
    ),
    agreement(
        "learners.grid_rate",
        Agreement(
            learner.CURVED_RATE,
            lambda expert, clipping, parameter_norm: constants.grid_rate(int(expert), clipping, parameter_norm),
            (GRID, *learner.CURVED_RATE.stated().given[1:]),
        ),
    ),
    _learner("experts", learner.EXPERTS_OF, lambda horizon: constants.experts(int(horizon))),
    agreement("learners.grid_prior", Agreement(learner.PRIOR_CURVED, _last_expert_of, (LONG, GRID))),
    _learner("convex_prior", learner.PRIOR_CONVEX, lambda: constants.CONVEX_PRIOR),
    _learner("prior_term", learner.PRIOR_LOGARITHM_OF, constants.prior_term),
    _learner("newton_constant", learner.METRIC, lambda: constants.newton_constant(2.0)),
    _learner("first_metric", learner.METRIC_START, constants.first_metric),
)

BOUNDS = (
    _learner(
        "convex_regret",
        learner.MALER_CONVEX,
        lambda horizon, clipping, parameter_norm: constants.convex_regret(clipping, parameter_norm, horizon),
    ),
    _learner("curved_regret_strong", learner.MALER_STRONG, _strong),
    _learner("curved_regret_newton", learner.MALER_NEWTON, _newton),
    _learner(
        "strongly_convex_regret",
        learner.MALER_STRONGLY_CONVEX,
        lambda horizon, loss_curvature, clipping, parameter_norm: constants.strongly_convex_regret(
            loss_curvature, clipping, parameter_norm, horizon
        ),
    ),
    _learner(
        "ogd_convex_regret",
        learner.DESCENT_CONVEX,
        lambda horizon, clipping, parameter_norm: constants.ogd_convex_regret(clipping, parameter_norm, horizon),
    ),
    _learner(
        "ogd_strongly_convex_regret",
        learner.DESCENT_STRONG,
        lambda horizon, clipping, loss_curvature: constants.ogd_strongly_convex_regret(loss_curvature, clipping, horizon),
    ),
)
