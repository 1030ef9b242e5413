"""The loop of runs in which every reward goes straight to the server: the rounds of `simulation.interact`, without the parts in between.

A policy of which audits play very many short runs has a second entry point, `Kernels.direct`, of `interact_directly` and of kernels that
keep from round to round what `choose` and `learn` compute anew; or, where it plays an arm for a whole batch or two runs at once, a loop of
its own.
"""

from typing import Any

from banditproof.interaction import Floats, Ints, Kernel, Words
from banditproof.kernels import compiled, copy, inlined
from banditproof.lanes import maximum
from banditproof.simulation import Plan


def _lose(regret: Floats, gap: float, at_once: bool, waiting: Ints, checkpoints: Ints, out: Floats, round: int, until: int) -> None:
    """Adds the gap of rounds round .. until - 1 to the regret, in order as a loop over rounds does or `at_once`, and writes it down at
    checkpoints."""
    position, before = round, regret[0]
    while position < until:
        stop, passed = until, waiting[1]
        if passed < checkpoints.shape[0]:
            stop = min(until, checkpoints[passed])
        if at_once:
            regret[0] = before + gap * (stop - round)
        elif gap != 0.0:
            total = regret[0]
            for _ in range(stop - position):
                total += gap
            regret[0] = total
        position = stop
        if passed < checkpoints.shape[0] and checkpoints[passed] == stop:
            out[passed] = regret[0]
            waiting[1] = passed + 1


lose = compiled(_lose, inline=True)


def _play_on(
    present: Kernel,
    environment: Floats,
    memory: Floats,
    key: Words,
    contexts: Floats,
    means: Floats,
    changes: int,
    arm: int,
    round: int,
    until: int,
    at_once: bool,
    regret: Floats,
    waiting: Ints,
    checkpoints: Ints,
    out: Floats,
) -> int:
    """Counts the regret of an arm that is played from `round` to before `until`; returns the next round to present."""
    position = round
    while position < until:
        if position >= changes:
            changes = present(environment, memory, key, position, contexts, means)
        stop = min(until, changes)
        lose(regret, maximum(means, 0, means.shape[0]) - means[arm], at_once, waiting, checkpoints, out, position, stop)
        position = stop
    return changes


play_on = inlined(_play_on)


def _interact_directly(start: Kernel, choose: Kernel, learn: Kernel, publish: Kernel, state: Any, plan: Plan, played: int) -> None:
    """The loop over rounds of the runs after the first `played`. Where runs do not begin here, they go on from `plan` and `state`."""
    (
        key, runs, rounds, begins, present, pay, environment, _start_memory, memory, _randomises, corrupts_reward, _corrupts_report,
        _corrupts_batch, _shuffles, _randomise, _randomiser, corrupt, _corrupt_batch, corruption, _start_corruption_memory,
        corruption_memory, _shuffle, _shuffler, replaced_round, replaced_rewards, _replaced_contexts, features, means, reward_now,
        _message, _user_report, _user_row, statistic, waiting, refused, _pulled, _reports, _rows, _messages, _order, _ordered_arms,
        _ordered_messages, regret, checkpoints, out_regret, _out_contexts, _out_rewards, _out_report, _out_received, _out_batch,
        out_statistic, out_arms, table, _pay_block, _corrupt_block, _tallies, _tally, _present_sets, _sets, _set_means,
        _set_rewards,
    ) = plan  # fmt: skip
    contexts = features.T
    arms, first, last = means.shape[0], rounds[0], rounds[1]
    for run in range(played, runs[1] - runs[0]):
        key[2] = runs[0] + run
        if begins:
            start(state, key)
            regret[0], waiting[:] = 0.0, 0
        changes = first
        for round in range(first, last):
            arm = choose(state, key, round, contexts)
            if arm < 0 or arm >= arms:
                refused[0], refused[1] = round, arm
                return
            reward = table[round, arm] if table.shape[0] > 0 else pay(environment, memory, round, key, arm, contexts)
            if round == replaced_round:
                reward = replaced_rewards[arm]
            if corrupts_reward:
                reward_now[0] = reward
                corrupt(corruption, corruption_memory, round, key, arm, reward_now)
                reward = reward_now[0]
            if checkpoints.shape[0] > 0:
                changes = play_on(
                    present, environment, memory, key, contexts, means, changes, arm, round, round + 1, False, regret, waiting,
                    checkpoints, out_regret[run],
                )  # fmt: skip
            if out_arms.shape[0] > 0:
                out_arms[run, round - first] = arm
            learn(state, key, round, arm, reward)
            if out_statistic.shape[0] > 0:
                publish(state, statistic)
                copy(statistic, out_statistic[run, round - first])


interact_directly = inlined(_interact_directly)


def _interact_on_sets(start: Kernel, choose: Kernel, learn: Kernel, state: Any, plan: Plan) -> None:
    """The same for rounds with contexts, of which no release is recorded. Where the environment draws so (`Plan.sets`), the sets of several
    rounds stand side by side in one array, or the one that stays, and what each arm would pay; else there are those of one round.

    choose(state, key, round, sets (d, n), place, arms, stays) takes the columns place .. place + arms - 1, and is told whether they are
    those of the round before; learn(state, key, round, arm, sets, column, reward) takes the arm's row where it stands."""
    (
        key, runs, rounds, begins, present, pay, environment, start_memory, memory, _randomises, _corrupts_reward, _corrupts_report,
        _corrupts_batch, _shuffles, _randomise, _randomiser, _corrupt, _corrupt_batch, _corruption, _start_corruption_memory,
        _corruption_memory, _shuffle, _shuffler, replaced_round, replaced_rewards, replaced_contexts, features, means, _reward_now,
        _message, _user_report, _user_row, _statistic, waiting, refused, _pulled, _reports, _rows, _messages, _order, _ordered_arms,
        _ordered_messages, regret, checkpoints, out_regret, _out_contexts, _out_rewards, _out_report, _out_received, _out_batch,
        _out_statistic, out_arms, _table, _pay_block, _corrupt_block, _tallies, _tally, present_sets, many_sets, many_means,
        many_rewards,
    ) = plan  # fmt: skip
    contexts, arms, first, last = features.T, means.shape[0], rounds[0], rounds[1]
    together = many_rewards.shape[0] // arms if replaced_contexts.shape[0] == 0 else 0
    sets, gains, pays = (many_sets, many_means, many_rewards) if together > 0 else (features, means, many_rewards)
    columns = many_means.shape[0]
    for run in range(runs[1] - runs[0]):
        key[2] = runs[0] + run
        if begins:
            start(state, key)
            copy(start_memory, memory)
            regret[0], waiting[:] = 0.0, 0
        changes, best, drawn, place = first, 0.0, first - together, 0
        for round in range(first, last):
            stays = round < changes
            if together > 0:
                if round >= drawn + together:
                    changes, drawn = present_sets(environment, memory, key, round, many_sets, many_means, many_rewards), round
                    sets, gains, pays = many_sets, many_means, many_rewards
                    if changes < 0:  # they stand in the memory
                        begin, numbers, changes = -1 - changes, columns * many_sets.shape[0], round + 1
                        rest = memory[begin + columns :]
                        gains, pays = memory[begin : begin + columns], rest[numbers:]
                        sets = rest[:numbers].reshape((many_sets.shape[0], columns))
                alike = changes > drawn + 1
                place, stays = 0 if alike else (round - drawn) * arms, alike and round > drawn
            elif not stays:
                changes = present(environment, memory, key, round, contexts, means)
            if not stays:
                best = maximum(gains, place, arms)
            if round == replaced_round and replaced_contexts.shape[0] > 0:
                for column in range(sets.shape[0]):
                    copy(replaced_contexts[column], sets[column])
                changes, stays = round + 1, False
            arm = choose(state, key, round, sets, place, arms, stays)
            if arm < 0 or arm >= arms:
                refused[0], refused[1] = round, arm
                return
            reward = pays[(round - drawn) * arms + arm] if together > 0 else pay(environment, memory, round, key, arm, contexts)
            if round == replaced_round:
                reward = replaced_rewards[arm]
            regret[0] += best - gains[place + arm]
            if waiting[1] < checkpoints.shape[0] and checkpoints[waiting[1]] == round + 1:
                out_regret[run, waiting[1]] = regret[0]
                waiting[1] += 1
            if out_arms.shape[0] > 0:
                out_arms[run, round - first] = arm
            learn(state, key, round, arm, sets, place + arm, reward)


interact_on_sets = inlined(_interact_on_sets)
