"""Composition and post-processing with one mistake each: more releases than were counted, or another look at the data."""

import numpy as np

from banditproof.audits.common import answers, shared_noise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View
from banditproof.interaction import Floats


def _five_releases(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Five releases, each with the noise for one."""
    return data + rng.laplace(0.0, 1.0, (runs, 5))


def _four_hundred_releases(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for 20 releases at 0.1 each; 400 are made. How many of them exceed one half is enough to see it, so that alone is drawn."""
    return np.array(rng.binomial(400, 1.0 - answers.laplace_cdf(0.5 - float(data[0]), 10.0), (runs, 1)), dtype=float)


def _looked_up_again(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """A noisy answer, rounded to the nearest of two values by a rule that asks the data again when in doubt."""
    noisy = data + rng.laplace(0.0, 1.0, (runs, 1))
    return np.where(np.abs(noisy - 0.5) < 0.25, np.round(data), (noisy > 0.5).astype(float))


FORGOTTEN = control(
    "composition_forgotten",
    "composition forgotten",
    "inequalities.basic_composition",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, answers.one_apart(), _five_releases)),
)
MORE_THAN_COUNTED = tuple(
    control(
        f"more_than_counted_{name}",
        "more releases than were counted",
        f"inequalities.{name}",
        PrivacyLoss(
            MutatedMechanism(
                ApproximateDP(composed, 0.01, NeighbouringRelation.QUERY_SENSITIVITY), answers.one_apart(), _four_hundred_releases
            )
        ),
        "more_than_counted",
    )
    # What the advanced composition of 20 Laplace releases at epsilon 0.1 gives at delta 0.01, and the sharper one: rounded up.
    for name, composed in (
        ("advanced_composition", 1.57),
        ("advanced_composition_delta", 1.57),
        ("sharp_composition", 1.46),
        ("sharp_composition_delta", 1.46),
        ("basic_composition_delta", 2.0),
    )
)
LOOKED_UP_AGAIN = control(
    "looked_up_again",
    "post-processing that reads the data",
    "inequalities.post_processing",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, answers.one_apart(), _looked_up_again)),
)
AFTER_THE_DECISION = control(
    "noise_after_the_decision",
    "noise after the decision",
    "inequalities.post_processing",
    PrivacyLoss(shared_noise.four_rounds(shared_noise.BY_TRUTH, View.CENTRAL)),
)
