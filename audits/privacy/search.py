"""Worst neighbours: Hypothesis proposes pairs of inputs from the declared domain and is told the loss of each; the worst is then shrunk.

A proposal's loss is a lower bound from a small audit of its own, on draws that nothing else uses. The pair found here is a hypothesis: it
is judged on fresh draws. So a search can only make an audit sharper, never wrong.
"""

import contextlib
import math
from collections.abc import Callable
from typing import Any

from banditproof.audits.privacy.judgement import count
from banditproof.audits.privacy.outputs import Sampled, samplers
from banditproof.audits.privacy.plan import splits
from banditproof.audits.privacy.selection import select_event
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.audits.statistics.tails import lower_probability
from banditproof.guarantees import Guarantee, NeighbouringRelation
from banditproof.mechanism import Mechanism, Neighbours
from banditproof.randomness import generator, key_of

TRIES, SHRINKS = 160, 60  # different pairs that are tried; attempts to make the worst one simpler
PROPOSALS, LOOKS = 4, 20  # for each of TRIES: proposals, and looks at proposals and simpler pairs, most of which are known
SCREEN = 6_000  # outputs for one proposal
ROUNDS = ((32, 3), (8, 8))  # then so many of the worst are screened again, each with so many times the outputs, and ranked by that
MOST_NUMBERS = 100_000  # in a dataset that a search proposes
KEPT = 0.9  # a simpler pair must keep this fraction of the worst one's loss
SCREEN_AT = 0.05


def screened_loss(
    mechanism: Mechanism, pair: tuple[Any, Any], *, claim: Guarantee, seed: int, path: tuple[str, ...], samples: int = SCREEN
) -> float:
    """A lower bound at 95 % on the loss of one pair, from few draws; the draws are the same for every pair of a search."""
    statistic, source = statistic_of(claim), Sampled(samplers(mechanism, pair), seed, (*path, "screen"))
    parts = splits(samples)
    selection = select_event(statistic, source, parts, SCREEN_AT)
    counts = count(statistic, selection, source, parts.confirm, generator(key_of(seed, *path, "screen", "labels")))
    lost = statistic.leaks(counts.trials, SCREEN_AT, selection.event.both_ways).most
    kept, left = max(counts.right - lost, 0), max(counts.right + counts.wrong - lost, 0)
    return statistic.loss_of_rate(lower_probability(kept, left, SCREEN_AT)) if left else 0.0


def worst_pair(
    mechanism: Mechanism, *, claim: Guarantee, seed: int, path: tuple[str, ...] = (), samples: int = SCREEN, tries: int = TRIES
) -> tuple[Any, Any]:
    """The pair of neighbours with the largest screened loss: among those that the mechanism names as worst, or found and shrunk.

    Deterministic for a seed. One named pair is taken without a draw. Draws. Exceptions of the mechanism pass through. Raises ValueError on
    datasets that are too long to search.
    """
    neighbours = mechanism.neighbours()
    for pair in neighbours.worst:
        neighbours.check(*pair)
    if len(neighbours.worst) == 1:
        return neighbours.worst[0]

    if not neighbours.worst:
        _require_size(neighbours)

    def loss(pair: tuple[Any, Any]) -> float:
        return screened_loss(mechanism, pair, claim=claim, seed=seed, path=path, samples=samples)

    if neighbours.worst:
        losses = [loss(pair) for pair in neighbours.worst]
        return neighbours.worst[losses.index(max(losses))]
    from hypothesis import currently_in_test_context

    def closer(pair: tuple[Any, Any], times: int) -> float:
        return screened_loss(mechanism, pair, claim=claim, seed=seed, path=(*path, "closer"), samples=times * samples)

    if not currently_in_test_context():
        return _searched(neighbours, loss, closer, tries, seed)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as aside:  # Hypothesis refuses a search inside a property test of the same thread
        return aside.submit(_searched, neighbours, loss, closer, tries, seed).result()


def _require_size(neighbours: Neighbours) -> None:
    size = neighbours.lengths[1] * math.prod(neighbours.row)
    if size > MOST_NUMBERS:
        rows = "" if not neighbours.row else f", rows of shape {list(neighbours.row)}"
        most = f"a search proposes datasets of at most {MOST_NUMBERS:,} numbers; name the worst pair instead"
        raise ValueError(f"neighbours: lengths = {list(neighbours.lengths)}{rows}: {most}")


class _Spent(BaseException):
    """Ends a shrink; not an Exception, which Hypothesis would take for an example."""


Pair = tuple[Any, Any]


def _ranked(known: dict[Pair, float], closer: Callable[[Pair, int], float]) -> Pair:
    """The worst pair of a search: losses on few draws say which pairs to look at on more.

    An event that few outputs show is lost in a screen, and the largest of many small samples is largely chance.
    """
    losses = dict(known)
    for many, times in ROUNDS:
        leading = sorted(losses, key=lambda pair: -losses[pair])[:many]
        losses = {pair: closer(pair, times) for pair in leading if pair[0] != pair[1]} or losses
    return max(losses, key=lambda pair: losses[pair])


_REPLACES = (NeighbouringRelation.REPLACE_RECORD, NeighbouringRelation.REPLACE_ROUND, NeighbouringRelation.REPLACE_REWARD)


def _whole_steps(neighbours: Neighbours) -> list[Pair]:
    """The farthest neighbours in a group of several: all of its records go from one end of the interval to the other, and the others, where
    a dataset has more, are all at one end. Coins seldom replace so many records at once, by such values.

    Of the shortest and the longest datasets, and of those in between whose records are just the group's.
    """
    if neighbours.group == 1 or neighbours.relation not in _REPLACES:
        return []
    low, high = neighbours.low, neighbours.high
    if neighbours.integral:
        low, high = float(math.ceil(low)), float(math.floor(high))
    shortest, longest = neighbours.lengths
    found: list[Pair] = []
    for length in sorted({shortest, min(max(neighbours.group, shortest), longest), longest}):
        moved = min(neighbours.group, length)
        for rest in (low, high) if length > moved else (low,):
            kept = (_row(rest, neighbours.row),) * (length - moved)
            pair = tuple((*(_row(end, neighbours.row),) * moved, *kept) for end in (low, high))
            found += [(pair[0], pair[1]), (pair[1], pair[0])]
    return [pair for pair in found if pair[0] != pair[1]]


def _row(value: float, shape: tuple[int, ...]) -> Any:
    """A record of this shape, all of whose numbers are the value, as nested tuples."""
    return (_row(value, shape[1:]),) * shape[0] if shape else value


def _searched(neighbours: Neighbours, loss: Callable[[Pair], float], closer: Callable[[Pair, int], float], tries: int, seed: int) -> Pair:
    import random

    from hypothesis import HealthCheck, Phase, Verbosity, find, given, settings, target
    from hypothesis import seed as seeded
    from hypothesis.errors import NoSuchExample

    from banditproof.audits.strategies import neighbouring

    quiet = settings(
        max_examples=PROPOSALS * tries,  # many are known or equal, and cost nothing
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.target),
    )
    known: dict[Pair, float] = {}
    for pair in _whole_steps(neighbours):
        known[pair] = loss(pair)
    raised: list[Exception] = []

    def measured(pair: tuple[Any, Any]) -> float:
        if pair not in known and not raised:
            try:
                known[pair] = loss(pair) if pair[0] != pair[1] else 0.0
            except Exception as error:  # the mechanism's: not an example for Hypothesis to shrink
                raised.append(error)
        size = known.get(pair, 0.0)
        target(min(size, 1e6))
        return size

    @seeded(random.Random(seed).getrandbits(64))  # as `find` makes its seed
    @quiet
    @given(neighbouring(neighbours))
    def propose(pair: tuple[Any, Any]) -> None:
        if pair in known or len(known) < tries:
            measured(pair)

    propose()
    if raised:
        raise raised[0]
    worst = _ranked(known, closer)
    if known[worst] <= 0.0:
        return worst
    # `find` walks the same proposals again, whose losses are known, up to one that is bad enough; for simpler ones it may spend SHRINKS.
    found, spent, looks = worst, 0, 0

    def still_bad(pair: tuple[Any, Any]) -> bool:
        nonlocal found, spent, looks
        spent, looks = spent + (pair not in known), looks + 1
        if spent > SHRINKS or looks > LOOKS * tries:
            raise _Spent
        bad = measured(pair) >= KEPT * known[worst]
        if bad:
            found = pair
        return bad

    with contextlib.suppress(NoSuchExample, _Spent):
        shrinking = settings(quiet, phases=(Phase.generate, Phase.target, Phase.shrink))
        found = find(neighbouring(neighbours), still_bad, settings=shrinking, random=random.Random(seed))
    if raised:
        raise raised[0]
    times = ROUNDS[-1][1]
    return found if found == worst or closer(found, times) >= KEPT * closer(worst, times) else worst
