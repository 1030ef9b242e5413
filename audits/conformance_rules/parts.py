"""The rules of the parts between user and server: client randomisers, corruptions, shufflers."""

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.audits.conformance_rules.environments import compiled_alike, flat
from banditproof.audits.conformance_rules.mechanisms import pickled
from banditproof.audits.conformance_rules.probe import Probe
from banditproof.audits.conformance_rules.trial import KEYS, SEEDS, Rule, Trial, demand, has_members, shown
from banditproof.guarantees import ApproximateDP, Guarantee, NeighbouringRelation, PureDP, View
from banditproof.interaction import ClientRandomiser, Corruption, Floats, NoShuffling, Pipeline, Shuffler, Wire
from banditproof.kernels import plain

WIDTHS = (1, 3)  # of a raw message
AGREE = 1e-12  # probability that as many answers of randomised response are equal as are drawn until one has to differ
ARMS = Bernoulli((0.25, 0.5, 0.75))


def has_the_randomisers_members(trial: Trial) -> None:
    """Would catch a client randomiser whose claim is about another view than the report's."""

    @trial.over(fraction=0.25)
    def hold(randomiser: Any) -> None:
        has_members(randomiser, ClientRandomiser)
        flat(randomiser, "setup", randomiser.setup)
        guarantee = randomiser.guarantee()
        if guarantee is not None:
            between = NeighbouringRelation.ANY_PAIR, NeighbouringRelation.REPLACE_REWARD
            fits = isinstance(guarantee, Guarantee) and guarantee.view is View.LOCAL and guarantee.relation in between
            demand(
                fits,
                randomiser,
                f"guarantee {shown(guarantee)}",
                "must be of View.LOCAL and NeighbouringRelation.ANY_PAIR (any two messages; REPLACE_REWARD if one sums up several rewards)",
            )
        pickled(randomiser)


def _report(randomiser: Any, key: list[int], round: int, message: Floats) -> Floats:
    """A report (m, v), from an array of numbers that no kernel means."""
    report, handed = np.full(randomiser.messages(message.size), 1.25e300), message.copy()
    plain(randomiser.kernel)(randomiser.setup(), np.array(key, dtype=np.uint64), round, handed, report)
    same = np.array_equal(handed, message, equal_nan=True)
    demand(same, randomiser, f"message {shown(message.tolist())} became {shown(handed.tolist())}", "must stay as it is")
    demand(not np.any(report == 1.25e300), randomiser, f"report {shown(report.tolist())}", "must be filled, every message of it")
    return report


def reports_have_their_shape(trial: Trial) -> None:
    """Would catch a report that is partly left over from the user before, and a NaN turned into a number."""

    @trial.over(KEYS, SEEDS, st.sampled_from(WIDTHS), st.floats(0.0, 1.0))
    def hold(randomiser: Any, key: list[int], round: int, width: int, value: float) -> None:
        shape = randomiser.messages(width)
        fits = len(shape) == 2 and all(isinstance(each, int) and each >= 1 for each in shape)
        demand(fits, randomiser, f"messages({width}) = {shape}", "must be a number of messages and their width, both integers >= 1")
        message = np.full(width, value)
        first, second = (_report(randomiser, key, round, message) for _ in range(2))
        told = f"round {round}: reports {shown(first.tolist())} and {shown(second.tolist())} of one message"
        demand(np.array_equal(first, second), randomiser, told, "must depend on message, key and round alone (no other randomness)")
        broken = _report(randomiser, key, round, np.full(width, np.nan))
        # A report of another shape may carry labels, which are no answers.
        kept = np.isnan(broken).all() if tuple(shape) == (1, width) else np.isnan(broken).any()
        demand(kept, randomiser, f"report {shown(broken.tolist())} of NaN", "must hold NaN: what is missing becomes no number")


def _most(guarantee: Guarantee) -> int:
    """Reports until one has to differ from the first: a large epsilon answers truly nearly always."""
    truly = 1.0 / (1.0 + math.exp(-min(guarantee.epsilon, 8.0))) if isinstance(guarantee, PureDP | ApproximateDP) else 0.5
    return math.ceil(math.log(AGREE) / math.log(truly))


def draws_each_round_and_number_anew(trial: Trial) -> None:
    """Would catch noise reused in the next round, for the next user, in another run, or in the next coordinate."""

    @trial.over(KEYS, SEEDS, st.sampled_from(WIDTHS))
    def hold(randomiser: Any, key: list[int], round: int, width: int) -> None:
        if randomiser.guarantee() is None:
            return
        message = np.full(width, 0.5)
        drawn = [_report(randomiser, key, round + place, message) for place in range(64)]
        for place in range(64, _most(randomiser.guarantee())):
            if any(not np.array_equal(each, drawn[0]) for each in drawn):
                break
            drawn.append(_report(randomiser, key, round + place, message))
        differ = any(not np.array_equal(each, drawn[0]) for each in drawn)
        demand(differ, randomiser, f"{len(drawn)} rounds, one report {shown(drawn[0].tolist())}", "must draw anew in each round")
        if width > 1:
            several = any(len(set(each.ravel().tolist())) > 1 for each in drawn)
            demand(several, randomiser, f"{len(drawn)} reports of equal numbers", "must draw anew for each coordinate")
        for word, told in enumerate(("keys", "keys", "runs")):
            other = [(each + 1) % 2**64 if place == word else each for place, each in enumerate(key)]
            again = (_report(randomiser, other, round + place, message) for place in range(len(drawn)))
            differ = any(not np.array_equal(one, each) for one, each in zip(again, drawn, strict=True))
            demand(differ, randomiser, f"two {told} with {len(drawn)} equal reports", "must draw anew for each key and run")


def randomises_alike_compiled(trial: Trial) -> None:
    """Would catch a kernel whose compiled form differs from Python's, and a message that is lost where a user sends several."""

    @trial.over(SEEDS, st.integers(1, 60), st.integers(1, 80), st.sampled_from(WIDTHS), st.integers(1, 4))
    def hold(randomiser: Any, seed: int, horizon: int, block: int, width: int, batch: int) -> None:
        pipeline = Pipeline(Probe(width), ARMS, randomiser=randomiser, shuffler=NoShuffling(batch))
        compiled_alike(randomiser, pipeline, seed, horizon, block)


def acts_on_one_of_the_three_wires(trial: Trial) -> None:
    """Would catch a corruption that the loop would leave out."""

    @trial.over()
    def hold(corruption: Any) -> None:
        has_members(corruption, Corruption)
        flat(corruption, "setup", corruption.setup)
        flat(corruption, "memory", corruption.memory)
        allowed = (Wire.REWARDS, Wire.REPORT, Wire.BATCH)
        demand(corruption.wire in allowed, corruption, f"wire = {corruption.wire}", "must be rewards, report or batch")
        pickled(corruption)


def corrupts_alike_compiled(trial: Trial) -> None:
    """Would catch a kernel whose compiled form differs from Python's, one that keeps state outside its memory, and a changed arm."""

    @trial.over(SEEDS, st.integers(1, 60), st.integers(1, 80), st.integers(1, 5))
    def hold(corruption: Any, seed: int, horizon: int, block: int, batch: int) -> None:
        compiled_alike(corruption, Pipeline(Probe(), ARMS, corruption=corruption, shuffler=NoShuffling(batch)), seed, horizon, block)
        if corruption.wire is Wire.BATCH:
            arms, key = np.arange(batch, dtype=np.int64) % ARMS.arms, np.array([seed, 0, 0], dtype=np.uint64)
            handed, contexts = arms.copy(), np.eye(ARMS.arms)
            plain(corruption.kernel)(corruption.setup(), corruption.memory(), 0, key, handed, contexts, np.full((batch, 1, 1), 0.5))
            demand(np.array_equal(handed, arms), corruption, f"arms {arms.tolist()} became {handed.tolist()}", "must stay as they are")
            same = np.array_equal(contexts, np.eye(ARMS.arms))
            demand(same, corruption, f"contexts became {shown(contexts.tolist())}", "must stay as they are")


def gives_a_permutation_of_every_length(trial: Trial) -> None:
    """Would catch a message lost or doubled, in the last and shorter batch too, and where a user sends several."""

    @trial.over(KEYS, st.integers(0, 10**9), st.integers(1, 4), st.data())
    def hold(shuffler: Any, key: list[int], first: int, each_sends: int, data: st.DataObject) -> None:
        has_members(shuffler, Shuffler)
        flat(shuffler, "setup", shuffler.setup)
        demand(shuffler.batch >= 1, shuffler, f"batch = {shuffler.batch}", "must be an integer >= 1 (rounds)")
        size = each_sends * data.draw(st.integers(1, shuffler.batch))
        words = np.array(key, dtype=np.uint64)
        orders = [np.full(size, -1, dtype=np.int64) for _ in range(2)]
        for order in orders:
            plain(shuffler.kernel)(shuffler.setup(), words, first, order)
            demand(sorted(order) == list(range(size)), shuffler, f"order {order.tolist()}", f"must be a permutation of 0 .. {size - 1}")
        demand(np.array_equal(orders[0], orders[1]), shuffler, f"two orders of batch {first} of one key", "must be the same")
        pickled(shuffler)


def shuffles_alike_compiled(trial: Trial) -> None:
    """Would catch a kernel whose compiled form differs from Python's, and an order that depends on where a block ends."""

    @trial.over(SEEDS, st.integers(1, 60), st.integers(1, 80))
    def hold(shuffler: Any, seed: int, horizon: int, block: int) -> None:
        compiled_alike(shuffler, Pipeline(Probe(), ARMS, shuffler=shuffler), seed, horizon, block)


RANDOMISER: tuple[Rule, ...] = (
    has_the_randomisers_members,
    reports_have_their_shape,
    draws_each_round_and_number_anew,
    randomises_alike_compiled,
)
CORRUPTION: tuple[Rule, ...] = (acts_on_one_of_the_three_wires, corrupts_alike_compiled)
SHUFFLER: tuple[Rule, ...] = (gives_a_permutation_of_every_length, shuffles_alike_compiled)
