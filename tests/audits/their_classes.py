"""Classes as somebody outside the package writes them: right ones, and wrong ones with one mistake each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Kernels, Wire, no_corruption
from banditproof.kernels import PRESENT, RANDOMISE, REWARD, SHUFFLE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import uniform
from banditproof.simulation import Plan, interact
from banditproof.typical import Several, Values, between, whole_numbers

# Mechanisms


def geometric(epsilon, runs, rng):
    """Two-sided geometric noise, (runs, 1)."""
    stop = 1.0 - math.exp(-epsilon)
    return (rng.geometric(stop, (runs, 1)) - rng.geometric(stop, (runs, 1))).astype(float)


class Counting:
    """What the mechanisms of this file have in common; each of them says how it releases."""

    epsilon: float
    theorems: tuple[str, ...] = ()

    def guarantee(self):
        return PureDP(self.epsilon, NeighbouringRelation.ADD_OR_REMOVE)

    def neighbours(self):
        return Neighbours(NeighbouringRelation.ADD_OR_REMOVE, lengths=(1, 6), worst=(((0.5,), (0.5, 1.0)),))

    def records(self, data):
        records = np.asarray(data, dtype=float)
        if records.ndim != 1:
            raise ValueError(f"data of shape {records.shape}: must be (n,), one number per record")
        return records


@dataclass(frozen=True)
class Count(Counting):
    """How many records there are, with noise."""

    epsilon: float

    def release(self, data, runs, rng):
        return self.records(data).size + geometric(self.epsilon, runs, rng)


@dataclass(frozen=True)
class GlobalNoise(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        return self.records(data).size + np.random.laplace(0.0, 1.0 / self.epsilon, (runs, 1))  # noqa: NPY002


@dataclass(frozen=True)
class FixedSeed(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        return self.records(data).size + np.random.default_rng(0).laplace(0.0, 1.0 / self.epsilon, (runs, 1))


@dataclass(frozen=True)
class InPlace(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        records = self.records(data)
        records += 1.0
        return records.size + geometric(self.epsilon, runs, rng)


@dataclass(frozen=True)
class OfAnotherRelation(Counting):
    epsilon: float

    def guarantee(self):
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_RECORD)

    def release(self, data, runs, rng):
        return self.records(data).size + geometric(self.epsilon, runs, rng)


@dataclass(frozen=True)
class NoNeighbours(Counting):
    epsilon: float

    def neighbours(self):
        return Neighbours(NeighbouringRelation.ADD_OR_REMOVE, lengths=(1, 6), worst=(((0.5,), (0.5, 1.0, 1.0)),))

    def release(self, data, runs, rng):
        return self.records(data).size + geometric(self.epsilon, runs, rng)


@dataclass(frozen=True)
class AnyShape(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        return np.size(data) + geometric(self.epsilon, runs, rng)


@dataclass(frozen=True)
class OneNumber(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        return (self.records(data).size + geometric(self.epsilon, runs, rng))[:, 0]


@dataclass(frozen=True)
class AsWideAsItsData(Counting):
    epsilon: float

    def release(self, data, runs, rng):
        return self.records(data) + geometric(self.epsilon, runs, rng)


class NoRepr(Counting):
    def __init__(self, epsilon: float):
        self.epsilon = epsilon

    def release(self, data, runs, rng):
        return self.records(data).size + geometric(self.epsilon, runs, rng)


# Policies as plain Python


class Greedy:
    """Explores with a fixed probability, else pulls the arm with the best mean so far."""

    typical: ClassVar[Mapping[str, Values]] = {"explore": between(0.05, 0.5)}

    def __init__(self, explore: float, arms: int, rng: np.random.Generator):
        self.explore, self.rng, self.pulls, self.sums = explore, rng, [0] * arms, [0.0] * arms

    def choose(self):
        if self.rng.random() < self.explore:
            return self.rng.integers(len(self.pulls))
        return int(np.argmax([total / max(1, pulled) for total, pulled in zip(self.sums, self.pulls, strict=True)]))

    def update(self, arm, reward):
        self.pulls[arm] += 1
        self.sums[arm] += reward


class OfTheClass:
    """Keeps its sums in the class: all runs share them."""

    sums: ClassVar[dict[int, float]] = {}

    def __init__(self, arms: int):
        self.arms = arms

    def choose(self):
        return max(range(self.arms), key=lambda arm: self.sums.get(arm, 1.0))

    def update(self, arm, reward):
        self.sums[arm] = self.sums.get(arm, 1.0) + reward - 0.5


class MutableDefault:
    """Keeps its rewards in a default argument: all runs share them."""

    def __init__(self, arms: int, seen: list = []):  # noqa: B006
        self.arms, self.seen = arms, seen

    typical: ClassVar[Mapping[str, Values]] = {}

    def choose(self):
        return len(self.seen) % self.arms

    def update(self, arm, reward):
        self.seen.append(reward)


def shared_default(arms: int) -> MutableDefault:
    return MutableDefault(arms)


class GlobalCoins:
    def __init__(self, arms: int):
        self.arms = arms

    def choose(self):
        return np.random.randint(self.arms)  # noqa: NPY002

    def update(self, arm, reward):
        pass


class Peeks:
    """Looks up what each arm would pay in this round."""

    def __init__(self, rewards: np.ndarray):
        self.rewards, self.round = rewards, 0

    def choose(self):
        return int(np.argmax(self.rewards[self.round]))

    def update(self, arm, reward):
        self.round += 1


class OneTooMany:
    def __init__(self, arms: int, rng: np.random.Generator):
        self.arms, self.rng = arms, rng

    def choose(self):
        return self.rng.integers(self.arms + 1)

    def update(self, arm, reward):
        pass


# Policies with kernels


class State(NamedTuple):
    pulls: np.ndarray
    sums: np.ndarray


def _start(state, key):
    state.pulls[:] = 0
    state.sums[:] = 0.0


def _no_start(state, key):
    pass


def _choose(state, key, round, contexts):
    arms = state.pulls.shape[0]
    if uniform(key, randomness.CHOICES, 2 * round) < 0.25:
        return int(uniform(key, randomness.CHOICES, 2 * round + 1) * arms)
    best = 0
    for arm in range(arms):
        if state.sums[arm] * max(1, state.pulls[best]) > state.sums[best] * max(1, state.pulls[arm]):
            best = arm
    return best


def _choose_by_rewards(state, key, round, contexts):
    coin = uniform(key, randomness.REWARDS, round)
    return int(4.0 * coin * state.pulls.shape[0]) if coin < 0.25 else 0


def _report(state, round, arm, contexts, reward, message):
    message[0] = reward


def _learn(state, key, round, arms, batch, statistic):
    for position in range(arms.shape[0]):
        state.pulls[arms[position]] += 1
        state.sums[arms[position]] += batch[position, 0]
    for arm in range(state.pulls.shape[0]):
        statistic[arm] = state.sums[arm]


start, no_start, choose, choose_by_rewards = compiled(_start), compiled(_no_start), compiled(_choose), compiled(_choose_by_rewards)
report, learn = compiled(_report), compiled(_learn)


def _run(state, plan: Plan):
    interact(start, choose, report, learn, state, plan)


def _run_without_start(state, plan: Plan):
    interact(no_start, choose, report, learn, state, plan)


def _run_by_rewards(state, plan: Plan):
    interact(start, choose_by_rewards, report, learn, state, plan)


RIGHT = Kernels(start, choose, report, learn, compiled(_run))


@dataclass(frozen=True)
class Exploring:
    """Explores in every fourth round, with random numbers of its own."""

    kernels: Kernels = field(default=RIGHT, init=False, repr=False)
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self):
        return None

    def state(self, arms, width, horizon):
        return State(np.zeros(arms, dtype=np.int64), np.zeros(arms))

    def message_width(self, width):
        return 1

    def statistic_width(self, arms, width):
        return arms


@dataclass(frozen=True)
class ForContexts(Exploring):
    """A policy that is of no use without contexts, and says so."""

    def state(self, arms, width, horizon):
        if width < 1:
            raise ValueError(f"width = {width}: must be an integer >= 1 (contexts)")
        return super().state(arms, width, horizon)


@dataclass(frozen=True)
class Remembering(Exploring):
    """Begins a run with what the last one learnt."""

    kernels: Kernels = field(default=Kernels(no_start, choose, report, learn, compiled(_run_without_start)), init=False, repr=False)


@dataclass(frozen=True)
class Foreseeing(Exploring):
    """Explores by the random numbers of the rewards."""

    kernels: Kernels = field(default=Kernels(start, choose_by_rewards, report, learn, compiled(_run_by_rewards)), init=False, repr=False)


def _choose_by_product(state, key, round, contexts):
    return (round + 7) * 6364136223846793005 % state.pulls.shape[0]


choose_by_product = compiled(_choose_by_product)


def _run_by_product(state, plan: Plan):
    interact(start, choose_by_product, report, learn, state, plan)


@dataclass(frozen=True)
class WrapsAround(Exploring):
    """Multiplies whole numbers: compiled they wrap around at 2^63, and in Python they do not."""

    kernels: Kernels = field(default=Kernels(start, choose_by_product, report, learn, compiled(_run_by_product)), init=False, repr=False)


# Environments: an arm pays 1 with probability its mean, higher by `lift` where its context is above 1/2


def _present(setup, memory, key, round, contexts, means):
    arms = contexts.shape[0]
    for arm in range(arms):
        contexts[arm, 0] = uniform(key, randomness.CONTEXTS, round * arms + arm)
        means[arm] = setup[1 + arm] + (setup[0] if contexts[arm, 0] > 0.5 else 0.0)
    return round + 1


def _present_by_rewards(setup, memory, key, round, contexts, means):
    for arm in range(contexts.shape[0]):
        contexts[arm, 0] = uniform(key, randomness.REWARDS, round)
        means[arm] = setup[1 + arm]
    return round + 1


def _present_two_rounds(setup, memory, key, round, contexts, means):
    _present(setup, memory, key, round, contexts, means)
    return round + 2


def _present_one(setup, memory, key, round, contexts, means):
    contexts[0, 0], means[0] = 0.5, setup[1]
    return round + 1


def _reward(setup, memory, round, key, arm, contexts):
    mean = setup[1 + arm] + (setup[0] if contexts[arm, 0] > 0.5 else 0.0)
    return 1.0 if uniform(key, randomness.REWARDS, round) < mean else 0.0


def _reward_without_lift(setup, memory, round, key, arm, contexts):
    return 1.0 if uniform(key, randomness.REWARDS, round) < setup[1 + arm] else 0.0


def _reward_worn(setup, memory, round, key, arm, contexts):
    setup[1 + arm] = 0.5 * setup[1 + arm]
    return 1.0 if uniform(key, randomness.REWARDS, round) < setup[1 + arm] else 0.0


reward_worn = compiled(_reward_worn, REWARD)
present, present_by_rewards = compiled(_present, PRESENT), compiled(_present_by_rewards, PRESENT)
present_one = compiled(_present_one, PRESENT)
present_two_rounds = compiled(_present_two_rounds, PRESENT)
reward, reward_without_lift = compiled(_reward, REWARD), compiled(_reward_without_lift, REWARD)


@dataclass(frozen=True)
class Lifted:
    means: tuple[float, ...]
    lift: float
    dimension: int = field(default=1, init=False, repr=False)
    present: object = field(default=present, init=False, repr=False)
    reward: object = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"means": Several(between(0.3, 0.6), 2, 4), "lift": (0.4,)}

    @property
    def arms(self):
        return len(self.means)

    def setup(self):
        return np.array([self.lift, *self.means])

    def memory(self):
        return np.zeros(0)


@dataclass(frozen=True)
class OneStream(Lifted):
    present: object = field(default=present_by_rewards, init=False, repr=False)
    reward: object = field(default=reward_without_lift, init=False, repr=False)


@dataclass(frozen=True)
class LiftNotPaid(Lifted):
    reward: object = field(default=reward_without_lift, init=False, repr=False)


@dataclass(frozen=True)
class StaysTooLong(Lifted):
    present: object = field(default=present_two_rounds, init=False, repr=False)


@dataclass(frozen=True)
class FillsOneArm(Lifted):
    present: object = field(default=present_one, init=False, repr=False)


@dataclass(frozen=True)
class Worn(Lifted):
    """Pays less with each pull, and says that it keeps no memory."""

    reward: object = field(default=reward_worn, init=False, repr=False)


# Client randomisers: two messages per user, each an answer of randomised response with half the budget


def _twice(setup, key, round, message, report):
    width = message.shape[0]
    for row in range(2):
        for column in range(width):
            value = min(max(message[column], 0.0), 1.0) if message[column] == message[column] else message[column]
            flip = 1.0 / (1.0 + math.exp(setup[0] / (2 * width)))
            drawn = uniform(key, randomness.CLIENT, (2 * round + row) * width + column)
            report[row, column] = 1.0 if drawn < flip + (1.0 - 2.0 * flip) * value else 0.0
            if value != value:
                report[row, column] = value


def _once(setup, key, round, message, report):
    for column in range(message.shape[0]):
        report[0, column] = message[column] + uniform(key, randomness.CLIENT, round * message.shape[0] + column)


def _every_round_alike(setup, key, round, message, report):
    for row in range(2):
        for column in range(message.shape[0]):
            report[row, column] = message[column] + uniform(key, randomness.CLIENT, row * message.shape[0] + column)


twice, once, every_round_alike = compiled(_twice, RANDOMISE), compiled(_once, RANDOMISE), compiled(_every_round_alike, RANDOMISE)


@dataclass(frozen=True)
class Twice:
    epsilon: float
    kernel: object = field(default=twice, init=False, repr=False)

    def guarantee(self):
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width):
        return 2, width

    def setup(self):
        return np.array([self.epsilon])


@dataclass(frozen=True)
class OnlyOnce(Twice):
    kernel: object = field(default=once, init=False, repr=False)


@dataclass(frozen=True)
class EveryRoundAlike(Twice):
    kernel: object = field(default=every_round_alike, init=False, repr=False)


@dataclass(frozen=True)
class CentralClaim(Twice):
    def guarantee(self):
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.CENTRAL)


# A corruption of a wire that no corruption reaches, and a shuffler that loses messages


@dataclass(frozen=True)
class OfTheArms:
    kernel: object = field(default=no_corruption, init=False, repr=False)
    wire: Wire = field(default=Wire.ARMS, init=False, repr=False)

    def setup(self):
        return np.zeros(0)

    memory = setup


def _forgets(setup, key, first, order):
    for position in range(order.shape[0]):
        order[position] = position // 2


forgets = compiled(_forgets, SHUFFLE)


@dataclass(frozen=True)
class Forgets:
    batch: int = 4
    kernel: object = field(default=forgets, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"batch": whole_numbers(1, 8)}

    def setup(self):
        return np.zeros(0)
