"""Messages and shuffled batches of ldp_linucb_2024 with one mistake each.

One feature, x = y = 1 against x = y = -1, unless a control says otherwise; what is seen is the exact log likelihood ratio of the second
user over the first, -2 (x~ + y~)/sigma^2.
"""

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale
from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage, noise_scale
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.audits.papers.ldp_linucb_2024.cases import baselines as baseline_cases
from banditproof.audits.papers.ldp_linucb_2024.cases import messages as cases
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import neighbours
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import CountRatio, numbers_of
from banditproof.audits.running.audit import Control
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines, privacy

_OPPOSITE = cases.OPPOSITE
_FAR = ((10.0, 5.0), (-10.0, -5.0))
_Draw = Callable[[Floats, int, np.random.Generator], Floats]


def _claim(epsilon: float, delta: float) -> ApproximateDP:
    return ApproximateDP(epsilon, delta, NeighbouringRelation.ANY_PAIR, View.LOCAL)


def _message(
    name: str,
    mistake: str,
    draw: _Draw,
    *,
    theorem: Theorem = privacy.PRIVACY,
    claim: ApproximateDP | None = None,
    pair: tuple[tuple[float, ...], tuple[float, ...]] = _OPPOSITE,
    samples: int = 200_000,
    ratio: bool = True,
) -> Control:
    mechanism = MutatedMechanism(claim or _claim(1.0, 0.1), neighbours(pair), draw)
    return control(name, mistake, theorem, PrivacyLoss(mechanism, samples, ratio=ratio))


def _noisy(data: Floats, runs: int, rng: np.random.Generator, sigma: float) -> Floats:
    return data + rng.normal(0.0, sigma, (runs, 2))


_SIGMA = noise_scale(Calibration.EXACT, 1.0, 0.1)
_HALF = noise_scale(Calibration.EXACT, 3.0, 1e-5) / np.sqrt(2.0)  # the exact noise of one part alone


def _each_part_the_whole_budget(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.asarray(-2.0 * _noisy(data, runs, rng, _HALF).sum(axis=1, keepdims=True) / _HALF**2)


def _clipped_after_the_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.clip(_noisy(data, runs, rng, _SIGMA), -1.0, 1.0)


def _sent_twice(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """With fresh noise, as when a message is sent again because no answer came."""
    both = _noisy(data, runs, rng, _SIGMA) + _noisy(data, runs, rng, _SIGMA)
    return np.asarray(-2.0 * both.sum(axis=1, keepdims=True) / _SIGMA**2)


def _noise_shared(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """One number for the feature and for the response: their difference is as it was."""
    return np.asarray(data + rng.normal(0.0, _SIGMA, (runs, 1)))


def _gradient_of_the_clean_pair(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """At theta_t = 1/2, from the noisy feature and the response as it is."""
    feature = data[0] + rng.normal(0.0, _SIGMA, (runs, 1))
    return np.asarray(np.hstack([feature, 2.0 * feature * (feature / 2.0 - data[1]) - _SIGMA**2]))


def _features_for_sensitivity_one(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    sigma = noise_scale(Calibration.EXACT, 1.0, 0.1) / np.sqrt(8.0)
    return np.asarray(-2.0 * (data[0] + rng.normal(0.0, sigma, (runs, 1))) / sigma**2)


MESSAGES = (
    _message(
        "parts_of_whole_budget",
        "features and response each given the whole budget, at delta 1e-5",
        _each_part_the_whole_budget,
        claim=_claim(3.0, 1e-5),
        samples=8_000_000,
    ),
    _message("clipped_after_the_noise", "clipping after the noise", _clipped_after_the_noise, pair=_FAR, ratio=False),
    _message("sent_twice", "a message sent twice, with fresh noise", _sent_twice),
    _message(
        "noise_shared", "one draw of noise for the feature and the response", _noise_shared, pair=((1.0, 1.0), (1.0, -1.0)), ratio=False
    ),
    _message(
        "gradient_of_clean_response",
        "a gradient that is computed from the response without its noise",
        _gradient_of_the_clean_pair,
        theorem=privacy.POST_PROCESSED,
        pair=((1.0, 1.0), (1.0, -1.0)),
        ratio=False,
    ),
    _message(
        "features_sensitivity_one",
        "noise for features that differ by 1, where they differ by 2",
        _features_for_sensitivity_one,
        theorem=privacy.PART_PRIVACY,
    ),
    control(
        "not_clipped",
        "data outside the domain used as they are",
        privacy.PRIVACY,
        PrivacyLoss(RowMessage(1.0, 0.1, clips=False), pair=((10.0, 0.0, 1.0), (-10.0, 0.0, -1.0))),
    ),
)

# --- shuffled batches, and the central method ---------------------------------------------------------------------------------------------

_AMPLIFIED = GramContributions(0.2, 0.1, Scale.SCRIPT, baseline_cases.BATCH)


def _not_shuffled(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The first user's contribution, which stays in its place: the log ratio of the second dataset's over the first's."""
    one, other = (numbers_of(tuple(users[0])) for users in _AMPLIFIED.neighbours().worst[0])
    scale = np.full(5, _AMPLIFIED.randomiser().noise_scale())
    scale[1] /= np.sqrt(2.0)  # beside the diagonal
    sent = numbers_of(tuple(data[0])) + scale * rng.normal(0.0, 1.0, (runs, 5))
    return np.asarray(((sent - (one + other) / 2.0) @ ((other - one) / scale**2))[:, None])


def _central(method: Method) -> PrivacyLoss:
    """The arms of a policy that claims to be jointly private."""
    policy = NoisyGramUCB(method)
    return PrivacyLoss(baseline_cases.central(policy, baseline_cases.JOINT, 2, baseline_cases.SIGN), 20_000)


SHUFFLED = (
    control(
        "not_shuffled",
        "a shuffler that does not shuffle",
        baselines.AMPLIFIED_SIGMA,
        PrivacyLoss(MutatedMechanism(_AMPLIFIED.guarantee(), _AMPLIFIED.neighbours(), _not_shuffled), 200_000, ratio=True),
    ),
    control(
        "half_the_trials",
        "binomial noise with half the trials that its stated calibration asks for",
        baselines.VECTOR_TRIALS,
        PrivacyLoss(CountRatio(ShuffledSum(1.0, 0.1, 20, factor=5.0, encoding=Encoding.COUNTS)), 100_000, ratio=True),
    ),
    control("no_node_noise", "no noise in the sums of the jointly private method", baselines.JOINT_SIGMA, _central(Method.LIN_UCB)),
)
