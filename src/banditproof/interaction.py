"""A run is a pipeline of wires; a guarantee names the wire that the adversary sees; neighbours differ in one round.

    environment --contexts, rewards--> client randomiser --report--> corruption --received--> shuffler --batch--> server --statistic--> arms

Contexts are indexed (K, d), and stored by column, the numbers of all arms side by side: `contexts.T` is a contiguous (d, K).

Shapes: T rounds, K arms, d context dimension (0 without contexts), w width of a user's raw message, m messages of width v in a user's
report (one message, m = 1 and v = w, without a client randomiser), n rounds in a batch, s statistic width, R runs.
A part is a kernel of a fixed signature (`kernels`) over flat arrays: `setup` never changes, `memory` lives for one run. Every part but
environment and policy has an identity. Kernels draw by (key, purpose, round), so no draw depends on what another part did.

Batches have the length of the shuffler, and the last one of a run may be shorter; or a policy with `Kernels.at_batch_end` chooses them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from banditproof.guarantees import Guarantee, require
from banditproof.guarantees import Replacement as Replacement  # defined in `guarantees`, applied here
from banditproof.kernels import (
    CORRUPT,
    CORRUPT_BATCH,
    PRESENT,
    PRESENT_SETS,
    RANDOMISE,
    REWARD,
    REWARD_BLOCK,
    REWARD_TALLY,
    SHUFFLE,
    compiled,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Kernel = Callable[..., Any]


class Wire(Enum):
    """What a run can record, in rounds T, with m messages of width v in a user's report and s numbers in a statistic; by name in `play`."""

    CONTEXTS = "contexts"  # (T, K, d)
    REWARDS = "rewards"  # (T,): the clean reward of the pulled arm
    REPORT = "report"  # (T, m * v): a user's whole report, after the client randomiser
    RECEIVED = "received"  # (T, m * v): the report after corruption
    BATCH = "batch"  # (T * m, 1 + v): arm and message, in the order in which the server gets them
    STATISTIC = "statistic"  # (T, s): what the server releases; NaN in rounds without a release
    ARMS = "arms"  # (T,)


_MOST_VECTORS, _MOST_NUMBERS, _MOST_ROUNDS, _SIDE_BY_SIDE = 1024, 16384, 64, 32


def rounds_of_block(dimension: int, arms: int) -> int:
    """How many rounds' sets are drawn at a time where an environment draws several: a power of 2, so that they stay in a cache."""
    most = max(1, min(min(_MOST_VECTORS, _MOST_NUMBERS // max(dimension, 1)) // arms, _MOST_ROUNDS))
    return 1 << (most.bit_length() - 1)


def vectors_of_block(dimension: int, arms: int) -> int:
    """How many vectors there is room for: whole lanes."""
    return -(-rounds_of_block(dimension, arms) * arms // _SIDE_BY_SIDE) * _SIDE_BY_SIDE


class Environment(Protocol):
    """Contexts, mean rewards and rewards. Oblivious ones ignore `memory`; adaptive ones keep there what they saw of the arms."""

    @property
    def arms(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    @property
    def present(
        self,
    ) -> Kernel: ...  # fills contexts (K, d) and means (K,) of a round; returns the first round that may need others; may have a `block`
    @property
    def reward(
        self,
    ) -> Kernel: ...  # the reward of one arm; once per round, for the pulled arm; may have a `block` and a `tally` (`compiled`)
    def setup(self) -> Floats: ...
    def memory(self) -> Floats: ...


class ClientRandomiser(Protocol):
    """Turns a user's raw message (w,) into the report (m, v) that leaves him: m messages of width v, of which each travels alone."""

    @property
    def kernel(self) -> Kernel: ...  # reads the message, fills the report
    def guarantee(self) -> Guarantee | None: ...
    def messages(self, width: int) -> tuple[int, int]: ...  # (m, v) for a raw message of this width
    def setup(self) -> Floats: ...


class Corruption(Protocol):
    """Changes, in place, what an adversary reaches.

    Wire REWARDS: the pulled arm's reward, before the report. Wire REPORT: a user's report, (m * v,), as soon as it is sent. Both have
    kernels of signature CORRUPT, which may have a block, CORRUPT_BLOCK, that does several rounds of wire REWARDS; it is used where there is
    no memory. Wire BATCH: the reports (n, m, v) of a whole batch, when it is full and before the shuffler; the kernel is of signature
    CORRUPT_BATCH, gets the batch's first round, may read its arms (n,) and its last contexts (K, d), and changes neither.
    """

    @property
    def kernel(self) -> Kernel: ...
    @property
    def wire(self) -> Wire: ...
    def setup(self) -> Floats: ...
    def memory(self) -> Floats: ...


class Shuffler(Protocol):
    """Orders the n * m single messages of a batch. With a policy that chooses its batches `batch` is 1, and each of those is ordered."""

    @property
    def kernel(self) -> Kernel: ...  # fills order (n * m,); `first` counts the messages of the run before this batch
    @property
    def batch(self) -> int: ...  # n, in rounds
    def setup(self) -> Floats: ...


def one_raw_message(raw: int, messages: int, width: int) -> bool:
    """Whether a report is one message of the raw message's width: what a policy accepts unless it says otherwise."""
    return messages == 1 and width == raw


class Kernels(NamedTuple):
    """A policy's four compiled kernels, and the compiled entry point of its module, which inlines them; two plain functions, if it needs
    them.

    `at_batch_end` runs in plain Python after `learn`, so it may use all of NumPy, and between two of its calls whole batches are played
    compiled. It returns how many rounds the next batch has (the last one ends with the run), and may fill the statistic of this one. It
    is called once more, before the first round, with round = -1, no messages, and the contexts of round 0. The arrays that it is handed
    are the player's own, and change later: it copies what it keeps into the state.
    """

    start: Kernel  # (state, key): resets every array of the state
    choose: Kernel  # (state, key, round, contexts) -> arm
    report: Kernel  # (state, round, arm, contexts, reward, message): the user's side, fills message (w,)
    learn: Kernel  # (state, key, round, arms (n * m,), batch (n * m, v), statistic (s,)): the server's side, fills statistic
    run: Kernel  # (state, plan)
    at_batch_end: Callable[..., int] | None = None  # (state, key, round, contexts, arms, batch, statistic) -> rounds of the next batch
    accepts: Callable[[int, int, int], bool] = one_raw_message  # (w, m, v): whether `learn` can read such reports
    # (state, plan): what `run` plays, bit for bit, where nothing stands between user and server, but that rewards may be corrupted unless
    # `sets` (`Plan.corrupts_reward`); or tallies
    direct: Kernel | None = None
    sets: bool = False  # whether `direct` plays rounds with contexts, rewarded one by one, and releases nothing
    tallies: bool = False  # whether `direct` can take how often each reward came in a batch, instead of the rewards (`play_many`)


class Policy(Protocol):
    """A bandit algorithm: kernels over a NamedTuple of arrays."""

    @property
    def theorems(self) -> tuple[str, ...]: ...
    @property
    def kernels(self) -> Kernels: ...
    def guarantee(self) -> Guarantee | None: ...
    def state(self, arms: int, dimension: int, horizon: int) -> Any: ...
    def message_width(self, dimension: int) -> int: ...
    def statistic_width(self, arms: int, dimension: int) -> int: ...


def _no_noise(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    for column in range(message.shape[0]):
        report[0, column] = message[column]


def _no_corruption(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    pass


def _no_batch_corruption(setup: Floats, memory: Floats, round: int, key: Words, arms: Ints, contexts: Floats, reports: Floats) -> None:
    pass


def _no_rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    pass


def _no_tally(setup: Floats, memory: Floats, first: int, rounds: int, key: Words, arm: int, values: Floats, counts: Ints) -> int:
    return 0


def _no_sets(setup: Floats, memory: Floats, key: Words, first: int, sets: Floats, means: Floats, rewards: Floats) -> int:
    return first + 1


def _in_order(setup: Floats, key: Words, first: int, order: Ints) -> None:
    for position in range(order.shape[0]):
        order[position] = position


no_noise, no_corruption, in_order = compiled(_no_noise, RANDOMISE), compiled(_no_corruption, CORRUPT), compiled(_in_order, SHUFFLE)
no_batch_corruption, no_rewards = compiled(_no_batch_corruption, CORRUPT_BATCH), compiled(_no_rewards, REWARD_BLOCK)
no_tally, no_sets = compiled(_no_tally, REWARD_TALLY), compiled(_no_sets, PRESENT_SETS)


@dataclass(frozen=True)
class NoRandomiser:
    """No client randomiser: the message leaves the user as it is."""

    kernel: Kernel = field(default=no_noise, init=False, repr=False)

    def guarantee(self) -> None:
        return None

    def messages(self, width: int) -> tuple[int, int]:
        return 1, width

    def setup(self) -> Floats:
        return np.zeros(0)


@dataclass(frozen=True)
class NoCorruption:
    """No corruption: every report is received as it was sent."""

    kernel: Kernel = field(default=no_corruption, init=False, repr=False)
    wire: Wire = field(default=Wire.REPORT, init=False, repr=False)

    def setup(self) -> Floats:
        return np.zeros(0)

    memory = setup


@dataclass(frozen=True)
class NoShuffling:
    """No shuffler: the server receives batches of `batch` rounds, in the order of the rounds."""

    batch: int = 1
    kernel: Kernel = field(default=in_order, init=False, repr=False)

    def setup(self) -> Floats:
        return np.zeros(0)


@dataclass(frozen=True)
class Pipeline:
    """The parties of a run: policy, environment, and between them randomiser, corruption and shuffler, which change nothing by default.
    `replacement` puts another outcome in one round. Raises nothing: `play` refuses parties that do not fit."""

    policy: Policy
    environment: Environment
    randomiser: ClientRandomiser = NoRandomiser()
    corruption: Corruption = NoCorruption()
    shuffler: Shuffler = NoShuffling()
    replacement: Replacement | None = None

    def with_environment(self, environment: Environment, replacement: Replacement | None = None) -> "Pipeline":
        """This pipeline with another environment, and another replacement of one round or none."""
        return replace(self, environment=environment, replacement=replacement)


@dataclass(frozen=True)
class Run:
    """What was recorded of a run: the regret, shape (C,), at the requested `checkpoints`, shape (C,), and the recorded wires.

    The regret is the pseudo-regret: the sum of the gaps of the pulled arms, by the environment's means, so that corruption does not change
    it. Runs of `play_many` have a leading axis R everywhere."""

    horizon: int
    checkpoints: Ints
    regret: Floats
    wires: Mapping[Wire, NDArray[Any]]

    def wire(self, wire: Wire | str) -> NDArray[Any]:
        """A recorded wire, which may be given by its name. Raises KeyError, naming it, where it was not asked for."""
        wire = Wire(wire)
        if wire not in self.wires:
            raise KeyError(f"wire {wire.value}: was not recorded; pass record=(Wire.{wire.name},)")
        return self.wires[wire]


def _table_present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    horizon, arms, width = int(setup[0]), int(setup[1]), int(setup[2])
    start = 3 + horizon * arms + round * arms
    for arm in range(arms):
        means[arm] = setup[start + arm]
    start = 3 + 2 * horizon * arms + round * arms * width
    for arm in range(arms):
        for column in range(width):
            contexts[arm, column] = setup[start + arm * width + column]
    return round + 1


def _table_reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    return float(setup[3 + round * int(setup[1]) + arm])


table_present, table_reward = compiled(_table_present, PRESENT), compiled(_table_reward, REWARD)


@dataclass(frozen=True, eq=False)
class Table:
    """The materialised oblivious environment: rewards (T, K), means (T, K) (the rewards themselves by default), contexts (T, K, d)."""

    rewards: Floats
    means: Floats | None = None
    contexts: Floats | None = None
    present: Kernel = field(default=table_present, init=False, repr=False)
    reward: Kernel = field(default=table_reward, init=False, repr=False)

    def __post_init__(self) -> None:
        shape, means, contexts = self.rewards.shape, self.means, self.contexts
        require(len(shape) == 2 and shape[0] >= 1 and shape[1] >= 2, f"rewards of shape {shape}: must be (T, K) with K >= 2 arms")
        if means is not None:
            require(means.shape == shape, f"means of shape {means.shape}: must be that of the rewards, {shape}")
        if contexts is not None:
            fits = contexts.ndim == 3 and contexts.shape[:2] == shape
            require(fits, f"contexts of shape {contexts.shape}: must be (T, K, d) with (T, K) = {shape}")

    @property
    def horizon(self) -> int:
        return int(self.rewards.shape[0])

    @property
    def arms(self) -> int:
        return int(self.rewards.shape[1])

    @property
    def dimension(self) -> int:
        return 0 if self.contexts is None else int(self.contexts.shape[2])

    def setup(self) -> Floats:
        means = self.rewards if self.means is None else self.means
        contexts = np.zeros(0) if self.contexts is None else self.contexts
        sizes = [float(self.horizon), self.arms, self.dimension]
        return np.concatenate([sizes, self.rewards.ravel(), means.ravel(), contexts.ravel()]).astype(float)

    def memory(self) -> Floats:
        return np.zeros(0)

    def replace_round(self, round: int, rewards: Floats, contexts: Floats | None = None) -> "Table":
        """A neighbour: the table with another outcome in one round, from 0 (its means stay those of the distribution)."""
        require(0 <= round < self.horizon, f"round = {round}: must be >= 0 and < {self.horizon} (the table's rounds)")
        changed = self.rewards.copy()
        changed[round] = rewards
        new_contexts = self.contexts
        if contexts is not None and self.contexts is not None:
            new_contexts = self.contexts.copy()
            new_contexts[round] = contexts
        return Table(changed, self.rewards if self.means is None else self.means, new_contexts)
