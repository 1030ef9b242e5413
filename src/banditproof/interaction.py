"""A run is a pipeline of wires; a guarantee names the wire that the adversary sees; neighbours differ in one round.

    environment --contexts, rewards--> client randomiser --report--> corruption --received--> shuffler --batch--> server --statistic--> arms

Shapes: T rounds, K arms, d context width (0 without contexts), w message width, s statistic width, R runs.
A part is a kernel of a fixed signature (`kernels`) over flat arrays: `setup` never changes, `memory` lives for one run. Every part but
environment and policy has an identity. Kernels draw by (key, purpose, round), so no draw depends on what another part did.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from banditproof.guarantees import Guarantee, require
from banditproof.guarantees import Replacement as Replacement  # told apart there, played here
from banditproof.kernels import CORRUPT, PRESENT, RANDOMISE, REWARD, SHUFFLE, compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Kernel = Callable[..., Any]


class Wire(Enum):
    """What a run can record."""

    CONTEXTS = "contexts"  # (T, K, d)
    REWARDS = "rewards"  # (T,): the clean reward of the pulled arm
    REPORT = "report"  # (T, w): a user's message after the client randomiser
    RECEIVED = "received"  # (T, w): the message after corruption
    BATCH = "batch"  # (T, 1 + w): arm and message, in the order in which the server gets them
    STATISTIC = "statistic"  # (T, s): what the server releases; NaN in rounds without a release
    ARMS = "arms"  # (T,)


class Environment(Protocol):
    """Contexts, mean rewards and rewards. Oblivious ones ignore `memory`; adaptive ones keep there what they saw of the arms."""

    @property
    def arms(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def present(self) -> Kernel: ...  # fills contexts (K, d) and means (K,) of a round; returns the first round that may need others
    @property
    def reward(self) -> Kernel: ...  # the reward of one arm; called once a round, for the pulled arm
    def setup(self) -> Floats: ...
    def memory(self) -> Floats: ...


class ClientRandomiser(Protocol):
    """Acts on a user's message, in place, before it leaves the user."""

    @property
    def kernel(self) -> Kernel: ...
    def guarantee(self) -> Guarantee | None: ...
    def setup(self) -> Floats: ...


class Corruption(Protocol):
    """Changes, in place, the pulled arm's reward before the report (wire REWARDS) or the message after it (wire REPORT)."""

    @property
    def kernel(self) -> Kernel: ...
    @property
    def wire(self) -> Wire: ...
    def setup(self) -> Floats: ...
    def memory(self) -> Floats: ...


class Shuffler(Protocol):
    """Orders a batch of messages; the last batch of a run may be shorter."""

    @property
    def kernel(self) -> Kernel: ...
    @property
    def batch(self) -> int: ...
    def setup(self) -> Floats: ...


class Kernels(NamedTuple):
    """A policy's four compiled kernels, and the compiled entry point of its module, which inlines them."""

    start: Kernel  # (state, key): resets every array of the state
    choose: Kernel  # (state, key, round, contexts) -> arm
    report: Kernel  # (state, round, arm, contexts, reward, message): the user's side, fills message (w,)
    learn: Kernel  # (state, key, round, arms (n,), batch (n, w), statistic (s,)): the server's side, fills statistic
    run: Kernel  # (state, plan)


class Policy(Protocol):
    """A bandit algorithm: kernels over a NamedTuple of arrays."""

    @property
    def promises(self) -> tuple[str, ...]: ...
    @property
    def kernels(self) -> Kernels: ...
    def guarantee(self) -> Guarantee | None: ...
    def state(self, arms: int, width: int, horizon: int) -> Any: ...
    def message_width(self, width: int) -> int: ...
    def statistic_width(self, arms: int, width: int) -> int: ...


def _no_noise(setup: Floats, key: Words, round: int, message: Floats) -> None:
    pass


def _no_corruption(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    pass


def _in_order(setup: Floats, key: Words, batch: int, order: Ints) -> None:
    for position in range(order.shape[0]):
        order[position] = position


no_noise, no_corruption, in_order = compiled(_no_noise, RANDOMISE), compiled(_no_corruption, CORRUPT), compiled(_in_order, SHUFFLE)


@dataclass(frozen=True)
class Open:
    """No client randomiser: the message leaves the user as it is."""

    kernel: Kernel = field(default=no_noise, init=False, repr=False)

    def guarantee(self) -> None:
        return None

    def setup(self) -> Floats:
        return np.zeros(0)


@dataclass(frozen=True)
class Clean:
    """No corruption."""

    kernel: Kernel = field(default=no_corruption, init=False, repr=False)
    wire: Wire = field(default=Wire.REPORT, init=False, repr=False)

    def setup(self) -> Floats:
        return np.zeros(0)

    memory = setup


@dataclass(frozen=True)
class InOrder:
    """No shuffler: batches of one fixed size, in the order of the rounds."""

    batch: int = 1
    kernel: Kernel = field(default=in_order, init=False, repr=False)

    def setup(self) -> Floats:
        return np.zeros(0)


@dataclass(frozen=True)
class Pipeline:
    """Who takes part in a run."""

    policy: Policy
    environment: Environment
    randomiser: ClientRandomiser = Open()
    corruption: Corruption = Clean()
    shuffler: Shuffler = InOrder()
    replacement: Replacement | None = None

    def on(self, environment: Environment, replacement: Replacement | None = None) -> "Pipeline":
        """The same parties on another environment."""
        return replace(self, environment=environment, replacement=replacement)


@dataclass(frozen=True)
class Run:
    """What was recorded. `regret` is the pseudo-regret from the means, (C,) at the asked `checkpoints`; it is the clean regret under
    corruption, since the means are those of the environment. Runs of `play_many` have a leading axis R everywhere."""

    horizon: int
    checkpoints: Ints
    regret: Floats
    wires: Mapping[Wire, NDArray[Any]]

    def wire(self, wire: Wire) -> NDArray[Any]:
        """A recorded wire. Raises KeyError, naming it, where it was not asked for."""
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
    def width(self) -> int:
        return 0 if self.contexts is None else int(self.contexts.shape[2])

    def setup(self) -> Floats:
        means = self.rewards if self.means is None else self.means
        contexts = np.zeros(0) if self.contexts is None else self.contexts
        return np.concatenate([[self.horizon, self.arms, self.width], self.rewards.ravel(), means.ravel(), contexts.ravel()]).astype(float)

    def memory(self) -> Floats:
        return np.zeros(0)

    def replace_round(self, round: int, rewards: Floats, contexts: Floats | None = None) -> "Table":
        """A neighbour: the table with another outcome in one round, from 0 (its means stay those of the law)."""
        require(0 <= round < self.horizon, f"round = {round}: must be >= 0 and < {self.horizon} (the table's rounds)")
        changed = self.rewards.copy()
        changed[round] = rewards
        new_contexts = self.contexts
        if contexts is not None and self.contexts is not None:
            new_contexts = self.contexts.copy()
            new_contexts[round] = contexts
        return Table(changed, self.rewards if self.means is None else self.means, new_contexts)
