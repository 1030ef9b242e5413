"""Run 0 of a pipeline, written down a second time from the picture of the wires: lists, one batch at a time, nothing compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditproof.interaction import Environment, Floats, Pipeline, Run, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import Words, key_of


def difference(ours: Run, theirs: Run) -> str:
    """Where two runs part: wire, round and both values; '' if nowhere. NaN equals NaN."""
    for wire in (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.BATCH, Wire.STATISTIC):
        if wire in ours.wires:
            a, b = ours.wire(wire), theirs.wire(wire)
            if a.shape != b.shape:
                return f"{wire}: shapes {a.shape} and {b.shape}"
            if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                round = int(np.argmax([not np.array_equal(x, y, equal_nan=a.dtype.kind == "f") for x, y in zip(a, b, strict=True)]))
                return f"{wire}, round {round}: {a[round]} and {b[round]}"
    if not np.array_equal(ours.regret, theirs.regret):
        return f"regret: {ours.regret} and {theirs.regret}"
    return ""


def key_of_run(seed: int, run: int = 0) -> Words:
    """The key as kernels get it, (3,)."""
    return np.array([*key_of(seed), run], dtype=np.uint64)


def means_before(environment: Environment, arms: NDArray[Any], seed: int) -> Floats:
    """The means (T, K) that the environment presented in run 0, replayed from the arms alone through its plain kernels."""
    key, setup, memory = key_of_run(seed), environment.setup(), environment.memory()
    contexts, means = np.zeros((environment.arms, environment.dimension)), np.zeros((len(arms), environment.arms))
    for round, arm in enumerate(arms):
        plain(environment.present)(setup, memory, key, round, contexts, means[round])
        plain(environment.reward)(setup, memory, round, key, arm, contexts)
    return means


def table_of(environment: Environment, horizon: int, seed: int, run: int) -> Table:
    """The outcomes of every arm in a run of an oblivious environment."""
    key, setup, memory, arms = key_of_run(seed, run), environment.setup(), environment.memory(), environment.arms
    rewards, means = np.zeros((horizon, arms)), np.zeros((horizon, arms))
    contexts = np.zeros((horizon, arms, environment.dimension))
    for round in range(horizon):
        plain(environment.present)(setup, memory, key, round, contexts[round], means[round])
        for arm in range(arms):
            rewards[round, arm] = plain(environment.reward)(setup, memory, round, key, arm, contexts[round])
    return Table(rewards, means, contexts)


def reference(pipeline: Pipeline, horizon: int, seed: int) -> Run:
    """Run 0 of a policy whose batches are the shuffler's; regret at the end, and every wire."""
    policy, environment, corruption, shuffler = pipeline.policy, pipeline.environment, pipeline.corruption, pipeline.shuffler
    start, choose, report, learn = (plain(kernel) for kernel in policy.kernels[:4])
    key, arms, width = key_of_run(seed), environment.arms, environment.dimension
    statistics = policy.statistic_width(arms, width)
    state, memory, corrupted = policy.state(arms, width, horizon), environment.memory(), corruption.memory()
    start(state, key)
    wires: dict[Wire, list[Any]] = {wire: [] for wire in Wire}
    waiting: list[tuple[int, Floats]] = []
    regret = 0.0
    for round in range(horizon):
        contexts, means, message = np.zeros((arms, width), order="F"), np.zeros(arms), np.zeros(policy.message_width(width))
        plain(environment.present)(environment.setup(), memory, key, round, contexts, means)
        arm = choose(state, key, round, contexts)
        reward = plain(environment.reward)(environment.setup(), memory, round, key, arm, contexts)
        regret += float(max(means) - means[arm])
        seen = np.array([reward])
        if corruption.wire is Wire.REWARDS:
            plain(corruption.kernel)(corruption.setup(), corrupted, round, key, arm, seen)
        report(state, round, arm, contexts, seen[0], message)
        sent = np.zeros(pipeline.randomiser.messages(policy.message_width(width)))
        plain(pipeline.randomiser.kernel)(pipeline.randomiser.setup(), key, round, message, sent)
        wires[Wire.REPORT].append(sent.flatten())
        if corruption.wire is Wire.REPORT:
            flat = sent.flatten()
            plain(corruption.kernel)(corruption.setup(), corrupted, round, key, arm, flat)
            sent = flat.reshape(sent.shape)
        wires[Wire.CONTEXTS].append(contexts)
        wires[Wire.REWARDS].append(reward)
        wires[Wire.ARMS].append(arm)
        waiting.append((arm, sent))
        statistic = np.full(statistics, np.nan)
        if len(waiting) == shuffler.batch or round == horizon - 1:
            pulled, reports = np.array([arm for arm, _ in waiting]), np.array([sent for _, sent in waiting])
            opened = round + 1 - len(waiting)
            if corruption.wire is Wire.BATCH:
                plain(corruption.kernel)(corruption.setup(), corrupted, opened, key, pulled, contexts.copy(), reports)
            wires[Wire.RECEIVED] += [sent.flatten() for sent in reports]
            single = [(arm, message) for arm, sent in zip(pulled, reports, strict=True) for message in sent]
            order = np.zeros(len(single), dtype=np.int64)
            plain(shuffler.kernel)(shuffler.setup(), key, opened * len(sent), order)
            batch = [single[position] for position in order]
            learn(state, key, round, np.array([arm for arm, _ in batch]), np.array([message for _, message in batch]), statistic)
            wires[Wire.BATCH] += [np.array([arm, *message]) for arm, message in batch]
            waiting = []
        wires[Wire.STATISTIC].append(statistic)
    return Run(horizon, np.array([horizon]), np.array([regret]), {wire: np.array(values) for wire, values in wires.items()})
