"""Plays a pipeline: compiled, or step by step in plain Python with the same arms; one run in blocks, or many runs at once.

A policy's module ends with its entry point, which is all the compiled code that a run needs:

    def _run(state, plan):
        interact(start, choose, report, learn, state, plan)
    run = compiled(_run)

A policy that computes at batch ends in plain Python is played in stretches of one batch each, compiled from its first round to its last.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from banditproof.guarantees import require, whole
from banditproof.interaction import (
    Environment,
    Floats,
    Ints,
    Kernel,
    Pipeline,
    Run,
    Table,
    Wire,
    Words,
    in_order,
    no_batch_corruption,
    no_corruption,
    no_noise,
    no_rewards,
    no_sets,
    no_tally,
    rounds_of_block,
    vectors_of_block,
)
from banditproof.kernels import block_of, bound, copy, inlined, native, plain, tally_of
from banditproof.lanes import maximum, zeros
from banditproof.parties import marks_of, require_parties, wires_of, words_of
from banditproof.phases import Phase, phase

BLOCK = 65_536  # rounds
_IN_CACHE = 524_288  # numbers that are recorded before they are handed on, where runs are played in turn: four megabytes


class Plan(NamedTuple):
    """Everything but the policy, as compiled code takes it: parts, what lives from block to block, and where to record."""

    key: Words  # (3,): two words of the key, and the run
    runs: Ints  # (2,): first run, and one past the last
    rounds: Ints  # (4,): first round, one past the last, horizon, rounds of a batch
    begins: bool  # whether the runs start here, else they go on
    present: Kernel
    pay: Kernel
    environment: Floats
    start_memory: Floats
    memory: Floats
    randomises: bool  # these five: whether the part is there, since a call costs as much as a random number
    corrupts_reward: bool
    corrupts_report: bool
    corrupts_batch: bool
    shuffles: bool  # also where users send several messages, since those need places of their own
    randomise: Kernel
    randomiser: Floats
    corrupt: Kernel
    corrupt_batch: Kernel
    corruption: Floats
    start_corruption_memory: Floats
    corruption_memory: Floats
    shuffle: Kernel
    shuffler: Floats
    replaced_round: int  # -1: none
    replaced_rewards: Floats
    replaced_contexts: Floats  # (d, K), or (0, 0) where the contexts stay
    features: Floats  # (d, K): the contexts of the round, which parts see as (K, d)
    means: Floats
    reward_now: Floats  # (1,)
    message: Floats  # (w,)
    user_report: Floats  # (m, v); the message itself where nothing randomises
    user_row: Floats  # (m * v,): the same numbers
    statistic: Floats
    waiting: Ints  # (2,): users who wait for their batch, checkpoints passed
    refused: Ints  # (2,): round and arm of a choice that is no arm; round -1: none
    pulled: Ints  # (n,): an arm for each user of the batch
    reports: Floats  # (n, m, v): what was received from each
    rows: Floats  # (n, m * v): the same numbers
    messages: Floats  # (n * m, v): the same numbers
    order: Ints  # (n * m,)
    ordered_arms: Ints  # (n * m,), and the next (n * m, v): as the server gets them; `pulled` and `messages` where nothing shuffles
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
    table: Floats  # (T, K): the rewards of an environment that is a table, for `direct`; else (0, K)
    pay_block: Kernel  # for `direct`: the rewards of several rounds, where the environment has such a kernel
    corrupt_block: Kernel  # for `direct`: changes the rewards of several rounds, where the corruption has such a kernel
    tallies: bool  # whether `direct` draws how often each value comes instead
    tally: Kernel
    present_sets: Kernel  # for `direct`: the sets of several rounds, where the environment has such a kernel
    sets: Floats  # (d, n): room for them; else (d, 0)
    set_means: Floats  # (n,)
    set_rewards: Floats  # (r K,): what each arm would pay in the r rounds of a block; of the n vectors the last ones may be no round's


def _interact(start: Kernel, choose: Kernel, report: Kernel, learn: Kernel, state: Any, plan: Plan) -> None:
    """The loop over runs and rounds. Where the runs do not begin here, they go on from what `plan` and `state` hold."""
    # Unpacked once: every access to a member of the tuple would count references in the loop (380 ns per round instead of 145).
    (
        key, runs, rounds, begins, present, pay, environment, start_memory, memory, randomises, corrupts_reward, corrupts_report,
        corrupts_batch, shuffles, randomise, randomiser, corrupt, corrupt_batch, corruption, start_corruption_memory, corruption_memory,
        shuffle, shuffler, replaced_round, replaced_rewards, replaced_contexts, features, means, reward_now, message, user_report,
        user_row, statistic, waiting, refused, pulled, reports, rows, messages, order, ordered_arms, ordered_messages, regret,
        checkpoints, out_regret, out_contexts, out_rewards, out_report, out_received, out_batch, out_statistic, out_arms, _table,
        _pay_block, _corrupt_block, _tallies, _tally, _present_sets, _sets, _set_means, _set_rewards,
    ) = plan  # fmt: skip
    contexts = features.T  # of which the compiler then knows the order, also with one arm or one column
    arms, first, last, horizon, batch, each_sends = means.shape[0], rounds[0], rounds[1], rounds[2], rounds[3], user_report.shape[0]
    for run in range(runs[1] - runs[0]):
        key[2] = runs[0] + run
        if begins:
            start(state, key)
            copy(start_memory, memory)
            copy(start_corruption_memory, corruption_memory)
            regret[0], waiting[:] = 0.0, 0
        changes, best = first, 0.0  # the next round to present: the arrays hold another run's, or another block's
        for round in range(first, last):
            row = round - first
            if round >= changes:
                changes = present(environment, memory, key, round, contexts, means)
                best = maximum(means, 0, arms)
            if round == replaced_round and replaced_contexts.shape[0] > 0:
                for column in range(features.shape[0]):
                    copy(replaced_contexts[column], features[column])
                changes = round + 1
            arm = choose(state, key, round, contexts)
            if arm < 0 or arm >= arms:  # raised by `_advance`, which can name them
                refused[0], refused[1] = round, arm
                return
            reward = pay(environment, memory, round, key, arm, contexts)
            if round == replaced_round:
                reward = replaced_rewards[arm]
            regret[0] += best - means[arm]
            if waiting[1] < checkpoints.shape[0] and checkpoints[waiting[1]] == round + 1:
                out_regret[run, waiting[1]] = regret[0]
                waiting[1] += 1
            if out_contexts.shape[0] > 0:
                for each in range(arms):
                    for column in range(features.shape[0]):
                        out_contexts[run, row, each, column] = features[column, each]
            if out_rewards.shape[0] > 0:
                out_rewards[run, row] = reward
            if out_arms.shape[0] > 0:
                out_arms[run, row] = arm
            reward_now[0] = reward
            if corrupts_reward:
                corrupt(corruption, corruption_memory, round, key, arm, reward_now)
            report(state, round, arm, contexts, reward_now[0], message)
            if randomises:
                randomise(randomiser, key, round, message, user_report)
            if out_report.shape[0] > 0:
                copy(user_row, out_report[run, row])
            if corrupts_report:
                corrupt(corruption, corruption_memory, round, key, arm, user_row)
            pulled[waiting[0]] = arm
            copy(user_row, rows[waiting[0]])
            waiting[0] += 1
            if waiting[0] < batch and round + 1 < horizon:
                continue
            users, size = waiting[0], waiting[0] * each_sends
            opened = round + 1 - users  # the batch's first round; a batch lies in one block, since `_blocks` cuts at whole batches
            if corrupts_batch:
                corrupt_batch(corruption, corruption_memory, opened, key, pulled[:users], contexts, reports[:users])
            if out_received.shape[0] > 0:
                for place in range(users):
                    copy(rows[place], out_received[run, opened - first + place])
            if shuffles:  # else the ordered arrays are the others
                shuffle(shuffler, key, opened * each_sends, order[:size])
                for position in range(size):
                    ordered_arms[position] = pulled[order[position] // each_sends]  # the arm of the user who sent it
                    copy(messages[order[position]], ordered_messages[position])
            learn(state, key, round, ordered_arms[:size], ordered_messages[:size], statistic)
            if out_batch.shape[0] > 0:
                for position in range(size):
                    out_batch[run, (opened - first) * each_sends + position, 0] = ordered_arms[position]
                    copy(ordered_messages[position], out_batch[run, (opened - first) * each_sends + position, 1:])
            if out_statistic.shape[0] > 0:
                copy(statistic, out_statistic[run, row])
            waiting[0] = 0


interact = inlined(_interact)


def require_rounds(environment: Environment, horizon: int) -> None:
    """Raises ValueError unless the environment has so many rounds."""
    whole("horizon", horizon, 1, "rounds")
    rows = environment.horizon if isinstance(environment, Table) else horizon
    require(horizon <= rows, f"horizon = {horizon}: must be <= {rows} (the table's rounds)")


def _report_shape(pipeline: Pipeline) -> tuple[int, int]:
    """Messages in a user's report, and the width of each: (m, v)."""
    messages, width = pipeline.randomiser.messages(pipeline.policy.message_width(pipeline.environment.dimension))
    return messages, width


def _room(users: int, report: tuple[int, int], shuffles: bool) -> dict[str, Any]:
    """Fresh arrays for a batch of so many users, of whom each sends a report of shape (m, v)."""
    each_sends, width = report
    pulled, rows = np.zeros(users, dtype=np.int64), np.zeros((users, each_sends * width))
    messages, order = rows.reshape(users * each_sends, width), np.zeros(users * each_sends, dtype=np.int64)
    return {
        "pulled": pulled,
        "reports": rows.reshape(users, each_sends, width),
        "rows": rows,
        "messages": messages,
        "order": order,
        "ordered_arms": order.copy() if shuffles else pulled,
        "ordered_messages": messages.copy() if shuffles else messages,
    }


def _plan(
    pipeline: Pipeline, *, horizon: int, key: Words, record: Collection[Wire], checkpoints: Sequence[int] | None, block: int, stepwise: bool
) -> Plan:
    """Arrays for a run of `pipeline`; runs, rounds and recorders are set by the caller. Raises ValueError on what cannot be played."""
    require_parties(pipeline)
    environment, policy, change = pipeline.environment, pipeline.policy, pipeline.replacement
    arms, width, batch = environment.arms, environment.dimension, pipeline.shuffler.batch
    raw, report = policy.message_width(width), _report_shape(pipeline)
    require_rounds(environment, horizon)
    marks, words = marks_of(checkpoints, horizon), words_of(key)
    wire = pipeline.corruption.wire
    require(wire in (Wire.REWARDS, Wire.REPORT, Wire.BATCH), f"corruption of wire {wire.value}: must be rewards, report or batch")
    require(batch >= 1, f"batch = {batch}: must be an integer >= 1 (rounds)")
    own = policy.kernels.at_batch_end is not None
    require(batch == 1 or not own, f"batch = {batch}: must be 1, since the policy chooses its batches (the shuffler orders each of those)")
    sent = f"reports of {report[0]} messages of width {report[1]}"
    require(policy.kernels.accepts(raw, *report), f"{sent}: must be what the policy accepts, by default one of width {raw}")
    whole("block", block, 1, "rounds")
    if change is not None:
        require(0 <= change.round < horizon, f"replaced round = {change.round}: must be >= 0 and < {horizon} (the horizon)")
        require(len(change.rewards) == arms, f"{len(change.rewards)} replaced rewards: must be {arms} (one per arm)")
        shape = np.shape(change.contexts) if change.contexts is not None else (arms, width)
        require(shape == (arms, width), f"replaced contexts of shape {shape}: must be {(arms, width)} (arms, context width)")
    form = plain if stepwise else native
    randomises, shuffles = pipeline.randomiser.kernel is not no_noise, pipeline.shuffler.kernel is not in_order or report[0] > 1
    corrupts, corrupts_batch = pipeline.corruption.kernel is not no_corruption, wire is Wire.BATCH
    numbers = vectors_of_block(width, arms) if block_of(environment.present) is not None else 0
    message = np.zeros(raw)
    user_report = np.zeros(report) if randomises else message.reshape(report)
    return Plan(
        key=np.array([*words, 0], dtype=np.uint64),
        runs=np.zeros(2, dtype=np.int64),
        rounds=np.array([0, horizon, horizon, batch], dtype=np.int64),
        begins=True,
        present=form(environment.present),
        pay=form(environment.reward),
        environment=environment.setup(),
        start_memory=environment.memory(),
        memory=environment.memory(),
        randomises=randomises,
        corrupts_reward=corrupts and wire is Wire.REWARDS,
        corrupts_report=corrupts and wire is Wire.REPORT,
        corrupts_batch=corrupts_batch,
        shuffles=shuffles,
        randomise=form(pipeline.randomiser.kernel),
        randomiser=pipeline.randomiser.setup(),
        corrupt=form(no_corruption if corrupts_batch else pipeline.corruption.kernel),
        corrupt_batch=form(pipeline.corruption.kernel if corrupts_batch else no_batch_corruption),
        corruption=pipeline.corruption.setup(),
        start_corruption_memory=pipeline.corruption.memory(),
        corruption_memory=pipeline.corruption.memory(),
        shuffle=form(pipeline.shuffler.kernel),
        shuffler=pipeline.shuffler.setup(),
        replaced_round=-1 if change is None else change.round,
        replaced_rewards=np.zeros(0) if change is None else np.array(change.rewards, dtype=float),
        replaced_contexts=np.zeros((0, 0)) if change is None or change.contexts is None else _by_column(change.contexts),
        features=np.zeros((width, arms)),
        means=np.zeros(arms),
        reward_now=np.zeros(1),
        message=message,
        user_report=user_report,
        user_row=user_report.reshape(report[0] * report[1]),
        statistic=np.zeros(policy.statistic_width(arms, width)),
        waiting=np.zeros(2, dtype=np.int64),
        refused=np.array([-1, 0], dtype=np.int64),
        **_room(batch, report, shuffles),
        regret=np.zeros(1),
        checkpoints=marks,
        **_recorders(pipeline, (0, 0), ()),
        out_regret=np.zeros((1, marks.size)),
        table=np.ascontiguousarray(environment.rewards, dtype=float) if isinstance(environment, Table) else np.zeros((0, arms)),
        pay_block=form(block_of(environment.reward) or no_rewards),
        corrupt_block=form(block_of(pipeline.corruption.kernel) or no_rewards),
        tallies=False,
        tally=form(tally_of(environment.reward) or no_tally),
        present_sets=form(block_of(environment.present) or no_sets),
        sets=zeros(width, numbers),
        set_means=zeros(numbers),
        set_rewards=zeros(rounds_of_block(width, arms) * arms if numbers > 0 else 0),
    )


def _by_column(contexts: ArrayLike) -> Floats:
    """Contexts (K, d) as an array (d, K)."""
    return np.ascontiguousarray(np.array(contexts, dtype=float).T)


def _recorders(pipeline: Pipeline, shape: tuple[int, int], record: Collection[Wire]) -> dict[str, Any]:
    """Fresh arrays for the asked wires, of shape (runs, rounds, ...); empty ones for the others."""
    arms, width, policy = pipeline.environment.arms, pipeline.environment.dimension, pipeline.policy
    (runs, rounds), (each_sends, sent) = shape, _report_shape(pipeline)
    shapes: dict[Wire, tuple[int, ...]] = {
        Wire.CONTEXTS: (runs, rounds, arms, width),
        Wire.REWARDS: (runs, rounds),
        Wire.REPORT: (runs, rounds, each_sends * sent),
        Wire.RECEIVED: (runs, rounds, each_sends * sent),
        Wire.BATCH: (runs, rounds * each_sends, 1 + sent),
        Wire.STATISTIC: (runs, rounds, policy.statistic_width(arms, width)),
        Wire.ARMS: (runs, rounds),
    }
    arrays: dict[str, Any] = {}
    for wire, full in shapes.items():
        extent = full if wire in record else (0, 0, *full[2:])
        empty = np.zeros(extent, dtype=np.int64 if wire is Wire.ARMS else np.float64)
        if wire is Wire.STATISTIC:
            empty.fill(np.nan)
        arrays[f"out_{wire.value}"] = empty
    return arrays


def _is_direct(pipeline: Pipeline, plan: Plan, record: Collection[Wire]) -> bool:
    """Whether `Kernels.direct` may play these rounds: rewards without NaN, known by the block, go to the server as they are or corrupted
    by the block, one by one, without contexts, and nobody looks at them."""
    between = plan.randomises or plan.corrupts_report or plan.corrupts_batch or plan.shuffles
    if pipeline.policy.kernels.sets:
        return not between and not plan.corrupts_reward and pipeline.shuffler.batch == 1 and set(record) <= {Wire.ARMS}
    if plan.corrupts_reward and (
        block_of(pipeline.corruption.kernel) is None or plan.corruption_memory.size > 0 or np.isnan(plan.corruption).any()
    ):
        return False
    alone = pipeline.environment.dimension == 0 and plan.memory.size == 0 and pipeline.shuffler.batch == 1
    known = plan.table.shape[0] > 0 or block_of(pipeline.environment.reward) is not None
    numbers = not (np.isnan(plan.table).any() or np.isnan(plan.replaced_rewards).any())
    return alone and known and numbers and not between and set(record) <= {Wire.ARMS, Wire.STATISTIC}


def _require_tallies(pipeline: Pipeline, plan: Plan, record: Collection[Wire], stepwise: bool) -> None:
    """Raises ValueError unless the rewards of a batch can be drawn by their counts."""
    policy, world = type(pipeline.policy).__name__, type(pipeline.environment).__name__
    require(pipeline.policy.kernels.tallies, f"tallies = True: must be False with {policy}, which plays single rounds")
    require(tally_of(pipeline.environment.reward) is not None, f"tallies = True: must be False with {world}, which draws single rewards")
    rule = "must be False unless rewards go straight to the server, and arms and statistics alone are recorded"
    straight = _is_direct(pipeline, plan, record) and not plan.corrupts_reward
    require(straight and not stepwise, f"tallies = True: {rule}, compiled")


def _player(pipeline: Pipeline, state: Any, plan: Plan, record: Collection[Wire], stepwise: bool) -> Kernel:
    """What plays the plan's rounds: takes state and plan, these or others of the same types."""
    if not stepwise:
        direct = pipeline.policy.kernels.direct
        return bound(direct if direct is not None and _is_direct(pipeline, plan, record) else pipeline.policy.kernels.run, state, plan)
    start, choose, report, learn = (plain(kernel) for kernel in pipeline.policy.kernels[:4])
    return lambda state, plan: _interact(start, choose, report, learn, state, plan)


def _advance(player: Kernel, state: Any, plan: Plan) -> None:
    with phase(Phase.PLAYING):
        player(state, plan)
    round, arm = plan.refused
    require(round < 0, f"round {round}: the policy chose arm {arm}, which must be >= 0 and < {plan.means.size}")


def _recorded(plan: Plan, record: Collection[Wire]) -> dict[Wire, Any]:
    return {wire: getattr(plan, f"out_{wire.value}") for wire in Wire if wire in record} if record else {}


def _stretches(pipeline: Pipeline, state: Any, plan: Plan, player: Kernel, record: Collection[Wire], block: int) -> Iterator[Plan]:
    """Plays the plan's one run in stretches of whole batches, and yields the plan of each, with what it recorded.

    A stretch has `block` rounds (rounded up to whole batches), or one batch where the policy chooses its batches.
    """
    at_batch_end, horizon, batch = pipeline.policy.kernels.at_batch_end, int(plan.rounds[2]), int(plan.rounds[3])
    if at_batch_end is None:
        step = -(-block // batch) * batch
        for first in range(int(plan.rounds[0]), horizon, step):
            last = min(first + step, horizon)
            plan.rounds[:2] = first, last
            if record or plan.begins != (first == 0):
                plan = plan._replace(begins=first == 0, **_recorders(pipeline, (1, last - first), record))
            _advance(player, state, plan)
            yield plan
        return
    plan.rounds[:2] = 0, 0  # the run starts without a round, since the policy has to be asked for its first batch
    _advance(player, state, plan._replace(begins=True))
    plain(pipeline.environment.present)(plan.environment, plan.memory, plan.key, 0, plan.features.T, plan.means)
    if plan.replaced_round == 0 and plan.replaced_contexts.shape[0] > 0:
        plan.features[:] = plan.replaced_contexts
    heard: tuple[Ints, Floats] = plan.ordered_arms[:0], plan.ordered_messages[:0]
    last = 0
    while True:
        chosen = index(at_batch_end(state, plan.key, last - 1, plan.features.T, *heard, plan.statistic))
        if last > 0:
            plan.out_statistic[:, -1:] = plan.statistic
            yield plan
        if last == horizon:
            return
        require(chosen >= 1, f"round {last}: the policy chose a batch of {chosen} rounds, which must be >= 1")
        first, last = last, min(last + chosen, horizon)
        plan.rounds[:] = first, last, horizon, last - first
        fresh = _room(last - first, _report_shape(pipeline), plan.shuffles), _recorders(pipeline, (1, last - first), record)
        plan = plan._replace(begins=False, **fresh[0], **fresh[1])
        _advance(player, state, plan)
        heard = plan.ordered_arms, plan.ordered_messages


def _blocks(pipeline: Pipeline, state: Any, plan: Plan, player: Kernel, run: int, record: Collection[Wire], block: int) -> Iterator[Run]:
    """Plays run `run` from its start and yields it in blocks."""
    plan.runs[:] = run, run + 1
    horizon, reported = int(plan.rounds[2]), 0
    parts: list[dict[Wire, Any]] = []
    for part in _stretches(pipeline, state, plan, player, record, block):
        parts.append(_recorded(part, record))
        last, passed = int(plan.rounds[1]), int(plan.waiting[1])
        if last - reported >= block or last == horizon:
            wires = {wire: _joined([each[wire][0] for each in parts]) for wire in parts[0]}
            yield Run(last, plan.checkpoints[:passed].copy(), plan.out_regret[0, :passed].copy(), wires)
            parts, reported = [], last


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def stream(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    record: Collection[Wire | str] = (),
    checkpoints: Sequence[int] | None = None,
    block: int = BLOCK,
    stepwise: bool = False,
    state: Any = None,
    observe: Callable[[Any, Plan], None] = lambda state, plan: None,
) -> Iterator[Run]:
    """Plays one run and yields it in blocks of `block` rounds (rounded up to whole batches), at constant memory: of the longest batch, and
    a block with its rounds of the recorded wires, and the regret at checkpoints passed so far. `key`: shape (2,); `state`: a fresh one.
    `observe` is called before the first block and after each: all later rounds follow from both arguments' arrays (running/snapshots)."""
    wires = wires_of(record)
    plan = _plan(pipeline, horizon=horizon, key=key, record=wires, checkpoints=checkpoints, block=block, stepwise=stepwise)
    state = pipeline.policy.state(pipeline.environment.arms, pipeline.environment.dimension, horizon) if state is None else state
    observe(state, plan)
    for part in _blocks(pipeline, state, plan, _player(pipeline, state, plan, wires, stepwise), whole("run", run, 0), wires, block):
        observe(state, plan)
        yield part


def play(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    record: Collection[Wire | str] = (Wire.ARMS,),
    checkpoints: Sequence[int] | None = None,
    block: int = BLOCK,
    stepwise: bool = False,
) -> Run:
    """Plays one run of `horizon` rounds and returns what was recorded. `key`, shape (2,), from `key_of`, and the number `run` address all
    random numbers. Keeps the wires in `record` (`Wire`, or their names), with a leading axis T, and the pseudo-regret in reward units (C,)
    at `checkpoints` (numbers of rounds played; the horizon by default). `block`, the rounds played at once, and `stepwise`, plain Python
    instead of compiled code (helpers too under NUMBA_DISABLE_JIT=1), change no result. Nor does it where rewards go straight to the server
    and arms and statistics alone are recorded, and so a policy's shorter loop, or rewards drawn by the block, are used (`Kernels.direct`).
    Raises ValueError, naming value and rule, on parties, rounds, wires, keys or checkpoints that do not fit."""
    cut = list(stream(pipeline, horizon=horizon, key=key, run=run, record=record, checkpoints=checkpoints, block=block, stepwise=stepwise))
    wires = {wire: _joined([part.wires[wire] for part in cut]) for wire in cut[0].wires}
    return Run(horizon, cut[-1].checkpoints, cut[-1].regret, wires)


def play_many(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    runs: int,
    first_run: int = 0,
    record: Collection[Wire | str] = (),
    checkpoints: Sequence[int] | None = None,
    stepwise: bool = False,
    tallies: bool = False,
) -> Run:
    """Plays the runs first_run .. first_run + runs - 1 in one compiled loop; each is the run that `play` plays with that number, so a set
    of runs can be divided among workers in any way. The other parameters are those of `play`. Wires have a leading axis R, as has the
    regret, (R, C). The loop is plain Python where the policy computes at batch ends.

    `tallies`: where the policy plays an arm for a whole batch (elimination) and rewards have few values (Bernoulli, two points), draws how
    often each value comes in the batch, a binomial number, instead of every reward. These are other runs: equal to those without it in
    distribution (arms, releases and regret, up to the rounding of sums) and not reward by reward; so it is never chosen by itself. Raises
    ValueError as `play` does, and where `tallies` is asked for and cannot be had."""
    runs, first_run, wires = whole("runs", runs, 1), whole("first_run", first_run, 0), wires_of(record)
    plan = _plan(pipeline, horizon=horizon, key=key, record=wires, checkpoints=checkpoints, block=horizon, stepwise=stepwise)
    if tallies:
        _require_tallies(pipeline, plan, wires, stepwise)
        plan = plan._replace(tallies=True)
    state = pipeline.policy.state(pipeline.environment.arms, pipeline.environment.dimension, horizon)
    player = _player(pipeline, state, plan, wires, stepwise)
    if pipeline.policy.kernels.at_batch_end is not None:
        numbers = range(first_run, first_run + runs)
        played = [each for run in numbers for each in _blocks(pipeline, state, plan, player, run, wires, horizon)]
        stacked = {wire: np.stack([each.wires[wire] for each in played]) for wire in played[0].wires}
        return Run(horizon, plan.checkpoints, np.stack([each.regret for each in played]), stacked)
    plan.runs[:] = first_run, first_run + runs
    plan = plan._replace(out_regret=np.zeros((runs, plan.checkpoints.size)), **_recorders(pipeline, (runs, horizon), wires))
    _advance(player, state, plan)
    return Run(horizon, plan.checkpoints, plan.out_regret, _recorded(plan, wires))


def play_in_turn(pipeline: Pipeline, *, horizon: int, key: Words, runs: int, record: Collection[Wire]) -> Iterator[Run]:
    """Plays the runs 0 .. runs - 1 of `play_many`, so many at a time that their wires stay in a cache, and yields these; no regret is kept.

    What is recorded is overwritten when the next runs are played: take or copy it before. Raises ValueError as `play_many` does."""
    require(runs >= 1, f"runs = {runs}: must be an integer >= 1")
    plan = _plan(pipeline, horizon=horizon, key=key, record=record, checkpoints=(), block=horizon, stepwise=False)
    if pipeline.policy.kernels.at_batch_end is not None:
        yield play_many(pipeline, horizon=horizon, key=key, runs=runs, record=record, checkpoints=())
        return
    state = pipeline.policy.state(pipeline.environment.arms, pipeline.environment.dimension, horizon)
    player = _player(pipeline, state, plan, record, False)
    numbers = sum(each.size for each in _recorded(plan._replace(**_recorders(pipeline, (1, horizon), record)), record).values())
    together = max(1, min(runs, _IN_CACHE // max(numbers, 1)))
    plan = plan._replace(out_regret=np.zeros((together, 0)), **_recorders(pipeline, (together, horizon), record))
    for first in range(0, runs, together):
        plan.runs[:] = first, min(first + together, runs)
        _advance(player, state, plan)
        rows = min(together, runs - first)
        yield Run(horizon, plan.checkpoints, plan.out_regret[:rows], {wire: each[:rows] for wire, each in _recorded(plan, record).items()})
