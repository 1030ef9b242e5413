"""Audits of composition and post-processing: many Laplace, Gaussian or randomised releases of one answer at the composed level."""

from functools import partial

from banditproof.algorithms.mechanisms.composition import Composition, PostProcessed
from banditproof.algorithms.mechanisms.gaussian import exact
from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.algorithms.mechanisms.randomised_response import RandomisedResponse
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.accounting import composed_laplace_epsilon
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.theory import inequalities

_FOLDS, _EPSILON, _SLACK = 20, 0.1, "1/100"


BASIC = (
    Audit(
        "inequalities.basic_composition",
        "privacy.laplace_folds2_eps0.5",
        "2 times Laplace(epsilon=0.5)",
        PrivacyLoss(Composition(Laplace(0.5), 2), exact=1.0),
    ),
    Audit(
        "inequalities.basic_composition",
        "privacy.randomised_response_folds3_eps0.5",
        "3 times RandomisedResponse(epsilon=0.5)",
        PrivacyLoss(Composition(RandomisedResponse(0.5), 3), exact=1.5),
    ),
    Audit(
        "inequalities.basic_composition_delta",
        "privacy.gaussian_folds2_eps0.5_delta0.02",
        "2 times gaussian.exact(0.5, 0.02)",
        PrivacyLoss(Composition(exact(0.5, 0.02), 2), samples=400_000),
    ),
)
ADVANCED = tuple(
    Audit(
        theorem.id,
        f"privacy.laplace_{swept(folds=_FOLDS, eps=_EPSILON)}",
        f"{_FOLDS} times Laplace(epsilon={_EPSILON}), slack {_SLACK}",
        PrivacyLoss(
            Composition(Laplace(_EPSILON), _FOLDS),
            claim=ApproximateDP(level.at(folds=_FOLDS, epsilon="1/10", slack=_SLACK).bound, 0.01, NeighbouringRelation.QUERY_SENSITIVITY),
            exact=partial(composed_laplace_epsilon, _EPSILON, _FOLDS, 0.01),
        ),
    )
    for theorem, level in (
        (inequalities.ADVANCED_COMPOSITION, inequalities.ADVANCED_COMPOSITION),
        (inequalities.ADVANCED_COMPOSITION_DELTA, inequalities.ADVANCED_COMPOSITION),
        (inequalities.SHARP_COMPOSITION, inequalities.SHARP_COMPOSITION),
        (inequalities.SHARP_COMPOSITION_DELTA, inequalities.SHARP_COMPOSITION),
    )
)
PROCESSED = (
    Audit(
        "inequalities.post_processing",
        "privacy.laplace_clipped_rounded",
        "Laplace(epsilon=1.0), clipped to [-1, 2] and rounded to halves",
        PrivacyLoss(PostProcessed(Laplace(1.0), -1.0, 2.0, 0.5), exact=1.0),
    ),
    Audit(
        "inequalities.post_processing",
        "privacy.laplace_folds2_rounded",
        "Composition(Laplace(epsilon=0.5), 2), rounded to whole numbers",
        PrivacyLoss(PostProcessed(Composition(Laplace(0.5), 2), step=1.0), exact=1.0),
    ),
)
