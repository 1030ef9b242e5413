"""The combiner over any base learners: the compiled form's arms, policies of other kernels, and what does not fit."""

from dataclasses import replace

import numpy as np
import pytest

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.unit_features import UnitFeatures
from banditproof.algorithms.mechanisms.gram.local import LocalGram
from banditproof.algorithms.playing.combined import Beliefs, play_combined
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import NoRandomiser, Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play

ARMS = UnitFeatures(3, 6)
ONE = PrivateOnlineLinUCB(50.0, curvature=0.5, width=Width.CONST, scale=0.5)
PUTATIVES = tuple(Putative(0.3 * (place + 1), exponent, 0.1 * place) for place, exponent in enumerate((0.75, 0.5, 0.5)))
SMALL = tuple(Putative(0.03 * (place + 1), exponent, 0.1 * place) for place, exponent in enumerate((0.75, 0.5, 0.5)))
FREE, FAR = Putative(1.0, 0.5, 0.0), Putative(1.0, 0.5, 1e9)


@pytest.mark.parametrize("seed", [0, 8])
def test_it_plays_the_arms_of_the_compiled_form(seed):
    """With removals. Would catch another radius, another round of the index, and a base learner that hears another's report."""
    bases = (Anytime(replace(ONE, curvature=0.9)), ONE, replace(ONE, curvature=0.3))
    compiled = Combiner(bases=bases, putatives=SMALL, factor=0.05, failure=0.1)
    run = play(Pipeline(compiled, ARMS, compiled.randomiser()), horizon=200, key=key_of(seed), record=(Wire.ARMS, Wire.STATISTIC))
    one, never = (
        play_combined(
            bases, Beliefs(SMALL, ONE.sigma(), 0.1, 0.05, removes), ARMS, horizon=200, key=key_of(seed), randomiser=ONE.randomiser()
        )
        for removes in (True, False)
    )
    assert np.array_equal(one.arms, run.wire(Wire.ARMS))
    assert np.array_equal(one.learners[1:], run.wire(Wire.STATISTIC)[:-1, -1])
    assert one.regret[-1] == pytest.approx(run.regret[-1])
    assert not np.array_equal(one.learners, never.learners)  # some were removed


def _rows(setup, key, round, message, report):
    """(x~, y~) of `LocalRow`, for a policy whose raw message is (x, y)."""
    whole, padded = np.zeros((1, 7)), np.zeros(9)
    padded[:4] = message
    ONE.randomiser().kernel(setup, key, round, padded, whole)
    report[:] = whole[:, :4]


class Rows:
    kernel = staticmethod(_rows)

    def guarantee(self):
        return None

    def messages(self, width):
        return 1, width

    def setup(self):
        return ONE.randomiser().setup()


@pytest.mark.parametrize("other", [NoisyGramUCB(Method.LIN_UCB), NoisyGramUCB(Method.LDP)])
def test_policies_of_other_kernels_share_the_report(other):
    """Would catch a base learner that reads another part of a report, and one that plays although its target is out of reach."""

    def combined(*believed):
        beliefs = Beliefs(believed, ONE.sigma(), 0.1)
        return play_combined((ONE, other), beliefs, ARMS, horizon=60, key=key_of(1), randomiser=ONE.randomiser())

    alone = play(Pipeline(other, ARMS, Rows()), horizon=60, key=key_of(1), stepwise=True)
    mixed = combined(FAR, FREE)
    assert np.array_equal(mixed.arms, alone.wire(Wire.ARMS)) and mixed.learners.min() == 1
    private = play(Pipeline(ONE, ARMS, ONE.randomiser()), horizon=60, key=key_of(1))
    mixed = combined(FREE, FAR)
    assert np.array_equal(mixed.arms, private.wire(Wire.ARMS)) and mixed.learners.max() == 0


def test_policies_without_features():
    """One of two UCB1 whose constants are absurd: it loses its place. Would catch a response read from another column."""
    arms = Bernoulli((0.9, 0.1))
    good, bad = UCB1(), NoisyGramUCB(Method.LIN_UCB, uniform=True)
    run = play_combined((bad, good), Beliefs((FREE, FREE), 0.0, 0.1, 0.05), arms, horizon=400, key=key_of(2))
    assert 0 < np.count_nonzero(run.learners == 0) < 100


@pytest.mark.parametrize(
    ("policies", "beliefs", "randomiser", "message"),
    [
        ((), Beliefs((), 0.0, 0.1), NoRandomiser(), "policies: must be at least one"),
        ((ONE,), Beliefs((), 0.0, 0.1), NoRandomiser(), "0 putatives: must be 1"),
        ((ONE,), Beliefs((FREE,), -1.0, 0.1), NoRandomiser(), r"sigma = -1.0: must be >= 0"),
        ((ONE,), Beliefs((FREE,), 0.0, 0.1, 0.0), NoRandomiser(), r"factor = 0.0: must be > 0"),
        ((NoisyGramUCB(),), Beliefs((FREE,), 0.0, 0.1), LocalGram(1.0, 0.1), "randomiser = LocalGram: must send the response"),
        ((ONE, UCB1()), Beliefs((FREE, FREE), 0.0, 0.1), ONE.randomiser(), r"policy 1 \(UCB1\), messages of width 1: must be 4 or 9"),
    ],
)
def test_what_does_not_fit_is_refused(policies, beliefs, randomiser, message):
    """Would catch a base learner that reads a part of a report that is not its own."""
    with pytest.raises(ValueError, match=message):
        play_combined(policies, beliefs, ARMS, horizon=5, key=key_of(1), randomiser=randomiser)
