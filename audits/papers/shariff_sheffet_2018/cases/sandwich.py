"""shariff_sheffet_2018: claimed, exact and measured loss of the trees' noise, by thresholds of the exact likelihood ratio.

At the paper's own setting (section D.2: epsilon 1, delta 0.1, n = 5e7, d = 5) the printed noise leaves an exact epsilon of 0 at the claimed
delta. There mu is compared, as guesses show it that are made on every output: 2 Phi^-1 of how often they may be right (`guessed`). For
Gaussian noise that is mu itself; for Wishart noise it is the level of the Gaussian release that is guessed as well, its total variation
being the exact one. With the exact calibration epsilon is compared, at delta 1e-5.

What can be reached was computed before any draw, for Gaussian noise at 10^7 outputs per side (level deep) and 5 %: on average a bound of
0.92 times mu = 0.0137, and of 0.93 times epsilon = 1 at delta 1e-5. At the quick level it is less, and nothing of mu = 0.0137.
"""

import math

from banditproof.algorithms.mechanisms.gram import loss as wishart_loss
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.papers.shariff_sheffet_2018.cases import mechanisms
from banditproof.audits.papers.shariff_sheffet_2018.gram_ratio import NodeRatio, ReleaseRatio, Row, guessed, level_of_guesses
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import View
from banditproof.theory.papers.shariff_sheffet_2018 import privacy, setting

HORIZON, DIMENSION, EPSILON, SMALL = 50_000_000, 5, 1.0, 1e-5
NODES = gram_noise.released_nodes(HORIZON)
SEARCHED = ("of all pairs of rows, orthogonal ones of full length and one against none lose most (a search, no proof)",)


def orthogonal(dimension: int, row_norm: float = math.sqrt(2.0)) -> tuple[Row, Row]:
    """Two features of full length: the worst pair for either noise at these levels."""
    first, second = [0.0] * (dimension + 1), [0.0] * (dimension + 1)
    first[0], second[1] = row_norm, row_norm
    return tuple(first), tuple(second)


def wishart_level(degrees: int, dimension: int, horizon: int) -> float:
    """The level that guesses reach at best: from the total variation, which is delta at epsilon = 0."""
    return level_of_guesses((1.0 + wishart_loss.delta_of(0.0, degrees=degrees, dimension=dimension, horizon=horizon)) / 2.0)


def wishart_epsilon(gram: WishartGram, times: int = 1) -> float:
    """The exact epsilon at the claimed delta, with `times` as many degrees of freedom."""
    return wishart_loss.epsilon_of(gram.delta, degrees=times * gram.degrees(), dimension=gram.dimension, horizon=gram.horizon)


_GAUSSIAN = GaussianGram(EPSILON, 0.1, HORIZON, DIMENSION, calibration=Calibration.PUBLISHED)
_WISHART = WishartGram(EPSILON, 0.1, HORIZON, DIMENSION, calibration=Calibration.PUBLISHED, padding=Padding.NONE)
PRINTED = tuple(
    Audit(
        theorem.id,
        "privacy.nodes_printed_mu",
        f"nodes of {name}(epsilon=1, delta=0.1, horizon=5e7, dimension=5, printed), as mu",
        PrivacyLoss(
            NodeRatio(gram, orthogonal(DIMENSION), NODES), claim=guessed(gram.guarantee()), exact=exact, ratio=True, assumed=assumed
        ),
    )
    for theorem, name, gram, exact, assumed in (
        (
            privacy.GAUSSIAN_CALIBRATION,
            "GaussianGram",
            _GAUSSIAN,
            lambda: mechanisms.level(HORIZON, _GAUSSIAN.row_norm, _GAUSSIAN.sigma()),
            (),
        ),
        (privacy.WISHART_CALIBRATION, "WishartGram", _WISHART, lambda: wishart_level(_WISHART.degrees(), DIMENSION, HORIZON), SEARCHED),
    )
)

_GAUSSIAN_EXACT = GaussianGram(EPSILON, SMALL, HORIZON, DIMENSION, calibration=Calibration.EXACT)
_WISHART_EXACT = WishartGram(EPSILON, SMALL, HORIZON, DIMENSION, calibration=Calibration.EXACT, padding=Padding.NONE)
_SHORT = WishartGram(EPSILON, SMALL, 4, calibration=Calibration.EXACT, padding=Padding.NONE)
_PADDED = WishartGram(EPSILON, SMALL, 2, calibration=Calibration.EXACT, padding=Padding.FULL)
EXACT = (
    Audit(
        privacy.GAUSSIAN_CALIBRATION.id,
        "privacy.nodes_exact",
        "nodes of GaussianGram(epsilon=1, delta=1e-5, horizon=5e7, dimension=5, exact)",
        PrivacyLoss(NodeRatio(_GAUSSIAN_EXACT, orthogonal(DIMENSION), NODES), must_detect=2.0, exact=EPSILON, ratio=True),
    ),
    Audit(
        privacy.WISHART_CALIBRATION.id,
        "privacy.nodes_exact",
        "nodes of WishartGram(epsilon=1, delta=1e-5, horizon=5e7, dimension=5, exact)",
        PrivacyLoss(
            NodeRatio(_WISHART_EXACT, orthogonal(DIMENSION), NODES),
            must_detect=2.0,
            exact=lambda: wishart_epsilon(_WISHART_EXACT),
            ratio=True,
            assumed=SEARCHED,
        ),
    ),
    Audit(
        privacy.GAUSSIAN_CALIBRATION.id,
        "privacy.likelihood_n4",
        "GaussianGram(epsilon=1, delta=1e-5, horizon=4, exact), by its likelihood",
        PrivacyLoss(
            ReleaseRatio(GaussianGram(EPSILON, SMALL, 4, calibration=Calibration.EXACT), orthogonal(2)),
            must_detect=2.0,
            exact=EPSILON,
            ratio=True,
        ),
    ),
    *(
        Audit(
            privacy.WISHART_CALIBRATION.id,
            f"privacy.likelihood_{swept(n=gram.horizon, padding=gram.padding)}",
            f"WishartGram(epsilon=1, delta=1e-5, horizon={gram.horizon}, exact, padding={gram.padding.value}), by its likelihood",
            PrivacyLoss(ReleaseRatio(gram, orthogonal(2)), must_detect=2.0, exact=exact, ratio=True, assumed=SEARCHED),
        )
        for gram, exact in (
            (_SHORT, lambda: wishart_epsilon(_SHORT)),
            (_PADDED, lambda: wishart_epsilon(_PADDED, 2)),  # the node and a padding matrix together
        )
    ),
)

_SIGN = LinUCB(Noise.GAUSSIAN, EPSILON, SMALL, calibration=Calibration.EXACT)


def arm_epsilon(level: float, delta: float) -> float:
    """Least epsilon at delta of an arm that is the sign of what a Gaussian release of this level shows."""
    from scipy.special import ndtr

    return math.log((float(ndtr(level / 2.0)) - delta) / float(ndtr(-level / 2.0)))


RUNS = (
    Audit(
        setting.LEARNER_PRIVACY.id,
        "privacy.gaussian_exact_joint",
        "LinUCB(gaussian, epsilon=1, delta=1e-5, exact, view=joint), 2 rounds, reward replaced",
        PrivacyLoss(
            mechanisms.whole_runs(_SIGN, mechanisms.claimed(_SIGN), 2, mechanisms.SIGN),
            exact=lambda: arm_epsilon(2.0 / mechanisms.sigma_of(_SIGN, 2), SMALL),
        ),
    ),
    *(
        Audit(
            setting.LEARNER_PRIVACY.id,
            f"privacy.{noise.value}_exact_{view.value}",
            f"LinUCB({noise.value}, epsilon=1, delta=0.1, exact, view={view.value}), 4 rounds, features and reward replaced",
            PrivacyLoss(
                mechanisms.whole_runs(policy, mechanisms.claimed(policy), 4, mechanisms.BOTH), 30_000, must_detect=2.0, assumed=SEARCHED
            ),
        )
        for noise in (Noise.WISHART, Noise.WISHART_UNSHIFTED)
        for view in (View.JOINT, View.WHITE_BOX)
        for policy in (LinUCB(noise, 1.0, 0.1, calibration=Calibration.EXACT, view=view),)
    ),
)
