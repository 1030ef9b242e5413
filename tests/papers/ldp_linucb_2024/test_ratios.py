"""The exact likelihood ratios of the audits: that each is one, and its level."""

import math
from typing import Any

import numpy as np
import pytest

from banditproof.algorithms.mechanisms.gaussian import profile
from banditproof.algorithms.mechanisms.gram.local import GramContributions, Scale
from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import MessageRatio, Part, epsilon_at
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import ContributionRatio, CountRatio
from banditproof.theory.papers.ldp_linucb_2024 import privacy

RUNS, SEED, STANDARD_ERRORS = 40_000, 20_241, 6.0  # two-sided 2e-9 for each mean
_PAIR = ((0.6, 0.8, 1.0), (-0.6, 0.8, -1.0))


def _ratios() -> dict[str, Any]:
    messages = {
        f"{part.value} injection {injection}": MessageRatio(RowMessage(1.0, 0.1, injection=injection), _PAIR, part)
        for part in (Part.WHOLE, Part.FEATURES, Part.RESPONSE)
        for injection in (0.0, 0.5)
    }
    contributions = {
        f"{scale.value} users {users}": ContributionRatio(GramContributions(1.0, 0.1, scale, users))
        for scale, users in ((Scale.EXACT, 1), (Scale.PAPER, 5))
    }
    sums = {each.value: CountRatio(ShuffledSum(1.0, 0.1, 5, factor=10.0, encoding=each)) for each in Encoding}
    return {**messages, **contributions, **sums}


RATIOS = _ratios()


@pytest.mark.parametrize("name", sorted(RATIOS))
def test_a_ratio_has_the_mean_of_one(name: str) -> None:
    """exp of the log ratio of the second over the first has mean 1 under the first, and its inverse under the second.

    Would catch a density with a wrong scale or mean, a swapped side, and a factor that is left out.
    """
    ratio, rng = RATIOS[name], np.random.default_rng(SEED)
    for sign, data in zip((1.0, -1.0), ratio.neighbours().worst[0], strict=True):
        drawn = np.exp(sign * ratio.release(data, RUNS, rng)[:, 0])
        assert abs(drawn.mean() - 1.0) <= STANDARD_ERRORS * drawn.std() / math.sqrt(RUNS)
        assert drawn.std() > 0.02  # it could have been caught


@pytest.mark.parametrize(("injection", "epsilon"), [(0.0, 1.0), (0.5, 0.3), (2.0, 5.0)])
def test_the_level_of_opposite_users_is_the_stated_one(injection: float, epsilon: float) -> None:
    """Would catch a variance without the injected noise, or with it in the response."""
    message = RowMessage(epsilon, 1e-3, (0.5,), injection=injection, calibration=Calibration.PUBLISHED)
    sigma = privacy.NOISE_SCALE.at(epsilon=epsilon, delta=1e-3).bound
    stated = privacy.MESSAGE_LEVEL.at(sigma=sigma, injected_sigma=injection).bound
    assert MessageRatio(message, ((1.0, 1.0), (-1.0, -1.0))).level() == pytest.approx(stated, rel=1e-12)


@pytest.mark.parametrize(("level", "delta"), [(0.04, 1e-5), (0.9, 0.1), (2.0, 1e-5), (6.3, 0.1)])
def test_epsilon_inverts_the_profile(level: float, delta: float) -> None:
    """Would catch a bracket without the root, and the wrong side where delta is larger than the profile at 0."""
    assert profile(epsilon_at(level, delta), level) == pytest.approx(delta, rel=1e-6)
    assert epsilon_at(0.04, 0.1) == 0.0
