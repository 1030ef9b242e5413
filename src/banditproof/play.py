"""Plays a pipeline: compiled, or step by step in plain Python with the same arms; one run in blocks, or many runs at once.

A policy's module ends with its entry point, which is all the compiled code that a run needs:

    def _run(state, plan):
        interact(start, choose, report, learn, state, plan)
    run = compiled(_run)
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Environment, Floats, Ints, Kernel, Pipeline, Run, Table, Wire, Words, in_order, no_corruption, no_noise
from banditproof.kernels import bound, copy, inlined, native, plain

BLOCK = 65_536  # rounds


class Plan(NamedTuple):
    """Everything but the policy, as compiled code takes it: parts, what lives from block to block, and where to record."""

    key: Words  # (3,): two words of the key, and the run
    runs: Ints  # (2,): first run, and one past the last
    rounds: Ints  # (3,): first round, one past the last, horizon
    present: Kernel
    pay: Kernel
    environment: Floats
    start_memory: Floats
    memory: Floats
    randomises: bool  # these four: whether the part is there, since a call costs as much as a random number
    corrupts_reward: bool
    corrupts_report: bool
    shuffles: bool
    randomise: Kernel
    randomiser: Floats
    corrupt: Kernel
    corruption: Floats
    start_corruption_memory: Floats
    corruption_memory: Floats
    shuffle: Kernel
    shuffler: Floats
    replaced_round: int  # -1: none
    replaced_rewards: Floats
    replaced_contexts: Floats  # (K, d), or (0, 0) where the contexts stay
    contexts: Floats
    means: Floats
    reward_now: Floats  # (1,)
    message: Floats
    statistic: Floats
    waiting: Ints  # (3,): messages that wait for their batch, batches delivered, checkpoints passed
    pulled: Ints  # (batch,)
    messages: Floats  # (batch, w)
    order: Ints
    ordered_pulled: Ints
    ordered_messages: Floats
    regret: Floats  # (1,)
    checkpoints: Ints
    out_regret: Floats  # (R, C)
    out_contexts: Floats  # this one and the next: first axis 0 where not asked for
    out_rewards: Floats
    out_report: Floats
    out_received: Floats
    out_batch: Floats
    out_statistic: Floats
    out_arms: Ints


def _interact(start: Kernel, choose: Kernel, report: Kernel, learn: Kernel, state: Any, plan: Plan) -> None:
    """The loop over runs and rounds. A run starts at round 0; a later block continues it from what `plan` and `state` hold."""
    # Unpacked once: every access to a member of the tuple would count references in the loop (380 ns a round instead of 145).
    (
        key, runs, rounds, present, pay, environment, start_memory, memory, randomises, corrupts_reward, corrupts_report, shuffles,
        randomise, randomiser, corrupt, corruption, start_corruption_memory, corruption_memory, shuffle, shuffler, replaced_round,
        replaced_rewards, replaced_contexts, contexts, means, reward_now, message, statistic, waiting, pulled, messages, order,
        ordered_pulled, ordered_messages, regret, checkpoints, out_regret, out_contexts, out_rewards, out_report, out_received,
        out_batch, out_statistic, out_arms,
    ) = plan  # fmt: skip
    arms, first, last, horizon = means.shape[0], rounds[0], rounds[1], rounds[2]
    for run in range(runs[1] - runs[0]):
        key[2] = runs[0] + run
        if first == 0:
            start(state, key)
            copy(start_memory, memory)
            copy(start_corruption_memory, corruption_memory)
            regret[0], waiting[:] = 0.0, 0
        changes, best = first, 0.0  # the next round to present: the arrays hold another run's, or another block's
        for round in range(first, last):
            row = round - first
            if round >= changes:
                changes = present(environment, memory, key, round, contexts, means)
                best, second = means[0], means[arms - 1]  # two by two: each `max` waits for the one before
                for other in range(0, arms - 1, 2):
                    best, second = max(best, means[other]), max(second, means[other + 1])
                best = max(best, second)
            if round == replaced_round and replaced_contexts.shape[0] > 0:
                for each in range(arms):
                    copy(replaced_contexts[each], contexts[each])
                changes = round + 1
            arm = choose(state, key, round, contexts)
            if arm < 0 or arm >= arms:  # raised by `_advance`, which can name them
                waiting[0], waiting[1], waiting[2] = -1, round, arm
                return
            reward = pay(environment, memory, round, key, arm, contexts)
            if round == replaced_round:
                reward = replaced_rewards[arm]
            regret[0] += best - means[arm]
            if waiting[2] < checkpoints.shape[0] and checkpoints[waiting[2]] == round + 1:
                out_regret[run, waiting[2]] = regret[0]
                waiting[2] += 1
            if out_contexts.shape[0] > 0:
                for each in range(arms):
                    copy(contexts[each], out_contexts[run, row, each])
            if out_rewards.shape[0] > 0:
                out_rewards[run, row] = reward
            if out_arms.shape[0] > 0:
                out_arms[run, row] = arm
            reward_now[0] = reward
            if corrupts_reward:
                corrupt(corruption, corruption_memory, round, key, arm, reward_now)
            report(state, round, arm, contexts, reward_now[0], message)
            if randomises:
                randomise(randomiser, key, round, message)
            if out_report.shape[0] > 0:
                copy(message, out_report[run, row])
            if corrupts_report:
                corrupt(corruption, corruption_memory, round, key, arm, message)
            if out_received.shape[0] > 0:
                copy(message, out_received[run, row])
            pulled[waiting[0]] = arm
            copy(message, messages[waiting[0]])
            waiting[0] += 1
            if waiting[0] < pulled.shape[0] and round + 1 < horizon:
                continue
            count = waiting[0]
            if shuffles:  # else the ordered arrays are the others
                shuffle(shuffler, key, waiting[1], order[:count])
                for position in range(count):
                    ordered_pulled[position] = pulled[order[position]]
                    copy(messages[order[position]], ordered_messages[position])
            learn(state, key, round, ordered_pulled[:count], ordered_messages[:count], statistic)
            if out_batch.shape[0] > 0:
                for position in range(count):  # a batch lies in one block: `stream` cuts blocks at whole batches
                    out_batch[run, row - count + 1 + position, 0] = ordered_pulled[position]
                    copy(ordered_messages[position], out_batch[run, row - count + 1 + position, 1:])
            if out_statistic.shape[0] > 0:
                copy(statistic, out_statistic[run, row])
            waiting[0], waiting[1] = 0, waiting[1] + 1


interact = inlined(_interact)


def require_rounds(environment: Environment, horizon: int) -> None:
    """Raises ValueError unless the environment has so many rounds."""
    require(horizon >= 1, f"horizon = {horizon}: must be an integer >= 1 (rounds)")
    rows = environment.horizon if isinstance(environment, Table) else horizon
    require(horizon <= rows, f"horizon = {horizon}: must be <= {rows} (the table's rounds)")


def _plan(
    pipeline: Pipeline, *, horizon: int, key: Words, record: Collection[Wire], checkpoints: Sequence[int] | None, block: int, stepwise: bool
) -> Plan:
    """Arrays for a run of `pipeline`; runs, rounds and recorders are set by the caller. Raises ValueError on what cannot be played."""
    environment, policy, change = pipeline.environment, pipeline.policy, pipeline.replacement
    arms, width, messages, batch = environment.arms, environment.width, policy.message_width(environment.width), pipeline.shuffler.batch
    marks = np.unique([horizon] if checkpoints is None else list(checkpoints)).astype(np.int64)
    require_rounds(environment, horizon)
    wire = pipeline.corruption.wire
    require(wire in (Wire.REWARDS, Wire.REPORT), f"corruption of wire {wire.value}: must be rewards or report")
    require(batch >= 1, f"batch = {batch}: must be an integer >= 1 (messages)")
    require(block >= 1, f"block = {block}: must be an integer >= 1 (rounds)")
    outside = marks[(marks < 1) | (marks > horizon)]
    require(outside.size == 0, f"checkpoints {outside}: must be >= 1 and <= {horizon} (the horizon)")
    if change is not None:
        require(0 <= change.round < horizon, f"replaced round = {change.round}: must be >= 0 and < {horizon} (the horizon)")
        require(len(change.rewards) == arms, f"{len(change.rewards)} replaced rewards: must be {arms} (one an arm)")
        shape = np.shape(change.contexts) if change.contexts is not None else (arms, width)
        require(shape == (arms, width), f"replaced contexts of shape {shape}: must be {(arms, width)} (arms, context width)")
    form = plain if stepwise else native
    corrupts, shuffles = pipeline.corruption.kernel is not no_corruption, pipeline.shuffler.kernel is not in_order
    pulled, received = np.zeros(batch, dtype=np.int64), np.zeros((batch, messages))
    return Plan(
        key=np.array([key[0], key[1], 0], dtype=np.uint64),
        runs=np.zeros(2, dtype=np.int64),
        rounds=np.array([0, horizon, horizon], dtype=np.int64),
        present=form(environment.present),
        pay=form(environment.reward),
        environment=environment.setup(),
        start_memory=environment.memory(),
        memory=environment.memory(),
        randomises=pipeline.randomiser.kernel is not no_noise,
        corrupts_reward=corrupts and wire is Wire.REWARDS,
        corrupts_report=corrupts and wire is Wire.REPORT,
        shuffles=shuffles,
        randomise=form(pipeline.randomiser.kernel),
        randomiser=pipeline.randomiser.setup(),
        corrupt=form(pipeline.corruption.kernel),
        corruption=pipeline.corruption.setup(),
        start_corruption_memory=pipeline.corruption.memory(),
        corruption_memory=pipeline.corruption.memory(),
        shuffle=form(pipeline.shuffler.kernel),
        shuffler=pipeline.shuffler.setup(),
        replaced_round=-1 if change is None else change.round,
        replaced_rewards=np.zeros(0) if change is None else np.array(change.rewards, dtype=float),
        replaced_contexts=np.zeros((0, 0)) if change is None or change.contexts is None else np.array(change.contexts, dtype=float),
        contexts=np.zeros((arms, width)),
        means=np.zeros(arms),
        reward_now=np.zeros(1),
        message=np.zeros(messages),
        statistic=np.zeros(policy.statistic_width(arms, width)),
        waiting=np.zeros(3, dtype=np.int64),
        pulled=pulled,
        messages=received,
        order=np.zeros(batch, dtype=np.int64),
        ordered_pulled=pulled.copy() if shuffles else pulled,
        ordered_messages=received.copy() if shuffles else received,
        regret=np.zeros(1),
        checkpoints=marks,
        **_recorders(pipeline, (0, 0), ()),
        out_regret=np.zeros((1, marks.size)),
    )


def _recorders(pipeline: Pipeline, shape: tuple[int, int], record: Collection[Wire]) -> dict[str, Any]:
    """Fresh arrays for the asked wires, of shape (runs, rounds, ...); empty ones for the others."""
    arms, width, policy = pipeline.environment.arms, pipeline.environment.width, pipeline.policy
    messages = policy.message_width(width)
    tails: dict[Wire, tuple[int, ...]] = {
        Wire.CONTEXTS: (arms, width),
        Wire.REWARDS: (),
        Wire.REPORT: (messages,),
        Wire.RECEIVED: (messages,),
        Wire.BATCH: (1 + messages,),
        Wire.STATISTIC: (policy.statistic_width(arms, width),),
        Wire.ARMS: (),
    }
    arrays: dict[str, Any] = {}
    for wire, tail in tails.items():
        extent, fill = shape if wire in record else (0, 0), np.nan if wire is Wire.STATISTIC else 0
        arrays[f"out_{wire.value}"] = np.full((*extent, *tail), fill, dtype=np.int64 if wire is Wire.ARMS else np.float64)
    return arrays


def _player(pipeline: Pipeline, state: Any, plan: Plan, stepwise: bool) -> Kernel:
    """What plays the plan's rounds: takes state and plan, these or others of the same types."""
    if not stepwise:
        return bound(pipeline.policy.kernels.run, state, plan)
    start, choose, report, learn = (plain(kernel) for kernel in pipeline.policy.kernels[:4])
    return lambda state, plan: _interact(start, choose, report, learn, state, plan)


def _advance(player: Kernel, state: Any, plan: Plan) -> None:
    player(state, plan)
    stopped, round, arm = plan.waiting
    require(stopped >= 0, f"round {round}: the policy chose arm {arm}, which must be >= 0 and < {plan.means.size}")


def _recorded(plan: Plan, record: Collection[Wire]) -> dict[Wire, Any]:
    return {wire: getattr(plan, f"out_{wire.value}") for wire in Wire if wire in record}


def stream(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    record: Collection[Wire] = (),
    checkpoints: Sequence[int] | None = None,
    block: int = BLOCK,
    stepwise: bool = False,
    state: Any = None,
) -> Iterator[Run]:
    """Plays one run and yields it in blocks of `block` rounds (rounded up to whole batches), at constant memory.

    Each block holds its rounds of the recorded wires, and the regret at checkpoints passed so far. `key`: shape (2,); `state`: a fresh one.
    """
    plan = _plan(pipeline, horizon=horizon, key=key, record=record, checkpoints=checkpoints, block=block, stepwise=stepwise)
    state = pipeline.policy.state(pipeline.environment.arms, pipeline.environment.width, horizon) if state is None else state
    step = -(-block // pipeline.shuffler.batch) * pipeline.shuffler.batch
    plan.runs[:] = run, run + 1
    player = _player(pipeline, state, plan, stepwise)
    for first in range(0, horizon, step):
        last = min(first + step, horizon)
        plan.rounds[:2] = first, last
        plan = plan._replace(**_recorders(pipeline, (1, last - first), record))
        _advance(player, state, plan)
        passed = int(plan.waiting[2])
        wires = {wire: values[0] for wire, values in _recorded(plan, record).items()}
        yield Run(last, plan.checkpoints[:passed].copy(), plan.out_regret[0, :passed].copy(), wires)


def play(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    record: Collection[Wire] = (Wire.ARMS,),
    checkpoints: Sequence[int] | None = None,
    block: int = BLOCK,
    stepwise: bool = False,
) -> Run:
    """Plays one run; `stepwise` in plain Python (helpers too under NUMBA_DISABLE_JIT=1), with the same arms. Memory grows with the wires.

    The regret is reported at `checkpoints` (numbers of rounds played; the horizon by default).
    """
    blocks = list(
        stream(pipeline, horizon=horizon, key=key, run=run, record=record, checkpoints=checkpoints, block=block, stepwise=stepwise)
    )
    wires = {wire: np.concatenate([part.wires[wire] for part in blocks]) for wire in Wire if wire in record}
    return Run(horizon, blocks[-1].checkpoints, blocks[-1].regret, wires)


def play_many(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    runs: int,
    first_run: int = 0,
    record: Collection[Wire] = (),
    checkpoints: Sequence[int] | None = None,
    stepwise: bool = False,
) -> Run:
    """Plays runs first_run .. first_run + runs - 1, the loop over runs compiled too; each is the run that `play` plays alone.

    So a set of runs can be cut among workers in any way. Wires have shape (R, T, ...), the regret (R, C).
    """
    require(runs >= 1, f"runs = {runs}: must be an integer >= 1")
    plan = _plan(pipeline, horizon=horizon, key=key, record=record, checkpoints=checkpoints, block=horizon, stepwise=stepwise)
    plan.runs[:] = first_run, first_run + runs
    plan = plan._replace(out_regret=np.zeros((runs, plan.checkpoints.size)), **_recorders(pipeline, (runs, horizon), record))
    state = pipeline.policy.state(pipeline.environment.arms, pipeline.environment.width, horizon)
    _advance(_player(pipeline, state, plan, stepwise), state, plan)
    return Run(horizon, plan.checkpoints, plan.out_regret, _recorded(plan, record))
