"""chan_2011: whole runs of TreeUCB, replayed round by round: its arms and its noisy sums."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

from banditproof.algorithms.policies import tree_ucb
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.common.beside import beside, compared, refused
from banditproof.audits.common.index_runs import Heard, as_compiled, refuses_nan, replayed, runs
from banditproof.audits.common.laplace_numbers import laplace_number, short_stream
from banditproof.audits.methods.pointwise import At
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.randomness import NOISE
from banditproof.theory.papers import chan_2011


def _noisy_sum(epsilon: float, heard: Heard, arm: int) -> float:
    """Rewards clipped to [0, 1], and the noise of the nodes of the count's binary digits: nodes 32 w + 1 .. 32 w + 32 of arm a have the
    numbers of window w K + a."""
    stream = short_stream(heard.key, NOISE)
    node, total = len(heard.rewards[arm]), math.fsum(min(1.0, max(0.0, each)) for each in heard.rewards[arm])
    while node:
        number = ((node - 1) // 32 * len(heard.rewards) + arm) * 32 + (node - 1) % 32
        total += heard.horizon.bit_length() / epsilon * laplace_number(stream, number)
        node &= node - 1
    return total


def _tree_index(epsilon: float, heard: Heard, released: Sequence[float], arm: int, played: int) -> float:
    """Private sum / n + sqrt(2 ln t / n) + noise width / n."""
    pulls, scale, terms = len(heard.rewards[arm]), heard.horizon.bit_length() / epsilon, (heard.horizon + 1).bit_length() - 1
    exponent = math.log(2.0 * played**4)
    width = scale * math.sqrt(8.0 * exponent * max(terms, exponent))
    return released[arm] / pulls + math.sqrt(2.0 * math.log(played) / pulls) + width / pulls


def _tree_replays() -> Iterator[At]:
    """Runs at three levels; 127 and 128 rounds, 2, and what is refused."""
    for epsilon, arms, horizon in ((0.5, (4,), 64), (40.0, (3,), 63), (1e4, (2, 5), 80), (3.0, (2,), 20)):
        policy = TreeUCB(epsilon)
        for found in (*runs(arms, horizon), *as_compiled(runs(arms, horizon))):
            yield from replayed(policy, found, partial(_noisy_sum, epsilon), partial(_tree_index, epsilon))
        yield from compared(
            {"epsilon": epsilon}, told=(policy.guarantee() == PureDP(epsilon, NeighbouringRelation.REPLACE_REWARD, policy.view), True)
        )
    for played in (2, 1000, 10**17):  # the exponent below the number of terms, and above
        exponent = math.log(2.0) + 4.0 * math.log(played)
        for terms in (3.0, 30.0):
            expected = 0.7 * math.sqrt(8.0 * exponent * max(terms, exponent))
            yield from compared({"t": played}, width=(tree_ucb.noise_width(played, 0.7, terms), expected))
    yield from compared({}, widths=((TreeUCB(1.0).message_width(0), TreeUCB(1.0).statistic_width(4, 0)), (1, 4)))
    yield from refuses_nan(TreeUCB(1.0))
    yield from refused({}, TreeUCB, {"epsilon": (0.0, -1.0, math.inf), "view": (View.LOCAL, View.SHUFFLED)}, epsilon=1.0)


REPLAYED = beside(
    chan_2011.TREE_PRIVACY.id,
    "tree_ucb_replayed",
    "TreeUCB's arms and noisy sums, round by round",
    _tree_replays,
    "23 runs of up to 80 rounds",
)
