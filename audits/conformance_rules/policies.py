"""The rules of a policy with compiled kernels: one run, the same wires, however it is played; and choices that foresee no reward."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.audits.conformance_rules.drawing import instances, oblivious, pipelines
from banditproof.audits.conformance_rules.mechanisms import pickled
from banditproof.audits.conformance_rules.picture import difference, key_of_run, means_before, reference, table_of
from banditproof.audits.conformance_rules.trial import SEEDS, Rule, Trial, demand, has_members, shown
from banditproof.audits.statistics.tails import binomial_tail
from banditproof.guarantees import Guarantee
from banditproof.interaction import NoRandomiser, Pipeline, Policy, Run, Table, Wire
from banditproof.randomness import key_of, uniform
from banditproof.simulation import play, play_many

BLOCKS = st.integers(1, 150)
HORIZONS = st.integers(1, 120)
ALL = tuple(Wire)
ROUNDS, FALSE_ALARM = 4000, 1e-9  # of the rule about foreseen rewards


@dataclass(frozen=True)
class On(Trial):
    """A trial of a policy, with the environments and client randomisers that it is for; None: all of the package."""

    environments: st.SearchStrategy[Any] | None = None
    randomisers: st.SearchStrategy[Any] | None = None


def _on(trial: Trial) -> On:
    return trial if isinstance(trial, On) else On(trial.name, trial.instances, trial.examples)


def _pipelines(trial: Trial) -> Trial:
    on = _on(trial)
    drawn = pipelines(trial.instances, on.environments, on.randomisers)
    return Trial(trial.name, drawn, trial.examples, _as_accepted) if on.randomisers is None else Trial(trial.name, drawn, trial.examples)


def _as_accepted(pipeline: Pipeline) -> Pipeline:
    """Without a client randomiser where the policy does not accept what the drawn one sends."""
    raw = pipeline.policy.message_width(pipeline.environment.dimension)
    accepts = pipeline.policy.kernels.accepts(raw, *pipeline.randomiser.messages(raw))
    return pipeline if accepts else replace(pipeline, randomiser=NoRandomiser())


def _randomisers(trial: Trial) -> st.SearchStrategy[Any]:
    """Those that the policy is for, or none at all."""
    given = _on(trial).randomisers
    return st.just(NoRandomiser()) if given is None else given


def _same(pipeline: Pipeline, first: Run, second: Run, runs: str, rule: str) -> None:
    if found := difference(first, second):
        demand(False, pipeline.policy, f"{runs} differ in {found} ({shown(pipeline)})", rule)


def has_the_members(trial: Trial) -> None:
    """Would catch a guarantee that is no guarantee, a theorem that is no id, and a policy that no other process can be given."""

    @trial.over(fraction=0.1)
    def hold(policy: Any) -> None:
        has_members(policy, Policy)
        guarantee = policy.guarantee()
        fits = guarantee is None or isinstance(guarantee, Guarantee)
        demand(fits, policy, f"guarantee() = {shown(guarantee)}", "must be None, or one of banditproof.guarantees")
        for theorem in policy.theorems:
            fits = isinstance(theorem, str) and theorem.count(".") == 1
            demand(fits, policy, f"theorems: {theorem!r}", "must be ids of theorems, as 'auer_2002.ucb1_regret'")
        raw = policy.message_width(1)
        fits = _on(trial).randomisers is not None or policy.kernels.accepts(raw, 1, raw)
        demand(fits, policy, f"reports of one message of width {raw}", "must be accepted, unless `randomisers` are given")
        pickled(policy)


def compiled_and_step_by_step_agree(trial: Trial) -> None:
    """Would catch a kernel whose compiled form rounds, divides or wraps another way than Python, in any combination of parts."""

    @_pipelines(trial).over(HORIZONS, SEEDS, BLOCKS, fraction=2.0)
    def hold(pipeline: Pipeline, horizon: int, seed: int, block: int) -> None:
        compiled = play(pipeline, horizon=horizon, key=key_of(seed), record=ALL, block=block)
        stepwise = play(pipeline, horizon=horizon, key=key_of(seed), record=ALL, stepwise=True)
        _same(pipeline, compiled, stepwise, "compiled and step by step", "must be the same, bit for bit (scalar loops and math)")


def the_loop_is_the_picture_of_the_wires(trial: Trial) -> None:
    """Would catch a part called with another round, arm, batch or memory, in the loop that both modes share."""

    @_pipelines(trial).over(HORIZONS, SEEDS)
    def hold(pipeline: Pipeline, horizon: int, seed: int) -> None:
        if pipeline.policy.kernels.at_batch_end is not None:
            return
        run = play(pipeline, horizon=horizon, key=key_of(seed), record=ALL)
        _same(pipeline, run, reference(pipeline, horizon, seed), "the loop and its picture", "must be the same")


def block_size_changes_nothing(trial: Trial) -> None:
    """Would catch a draw, a batch or a state that is cut where a block ends."""

    @_pipelines(trial).over(st.integers(1, 2000), SEEDS, BLOCKS, st.integers(1, 3000))
    def hold(pipeline: Pipeline, horizon: int, seed: int, block: int, other: int) -> None:
        marks = sorted({1, horizon // 2 + 1, horizon})
        one, two = (play(pipeline, horizon=horizon, key=key_of(seed), record=ALL, checkpoints=marks, block=size) for size in (block, other))
        _same(pipeline, one, two, f"blocks of {block} and {other} rounds", "must be the same")
        demand(list(one.checkpoints) == marks, pipeline.policy, f"checkpoints {list(one.checkpoints)}", f"must be {marks}")


def a_run_is_the_same_alone_and_among_many(trial: Trial) -> None:
    """Would catch state that survives from run to run, and a stream that depends on how runs are cut among workers."""

    @_pipelines(trial).over(HORIZONS, SEEDS, st.integers(0, 10**6), st.integers(1, 5))
    def hold(pipeline: Pipeline, horizon: int, seed: int, first: int, runs: int) -> None:
        many = play_many(pipeline, horizon=horizon, key=key_of(seed), record=ALL, first_run=first, runs=runs)
        for place in range(runs):
            alone = play(pipeline, horizon=horizon, key=key_of(seed), record=ALL, run=first + place)
            among = Run(horizon, many.checkpoints, many.regret[place], {wire: many.wire(wire)[place] for wire in Wire})
            which = f"run {first + place} alone and as one of {runs}"
            _same(pipeline, alone, among, which, "must be the same (no state is shared between runs: `start` resets it)")


def wires_have_the_documented_shapes(trial: Trial) -> None:
    """Would catch a wire recorded transposed, or a release written in a round that has none."""

    @_pipelines(trial).over(HORIZONS, SEEDS, st.integers(1, 3))
    def hold(pipeline: Pipeline, horizon: int, seed: int, runs: int) -> None:
        policy, arms, width = pipeline.policy, pipeline.environment.arms, pipeline.environment.dimension
        each_sends, sent = pipeline.randomiser.messages(policy.message_width(width))
        run = play_many(pipeline, horizon=horizon, key=key_of(seed), runs=runs, record=ALL)
        expected = {
            Wire.CONTEXTS: (runs, horizon, arms, width),
            Wire.REWARDS: (runs, horizon),
            Wire.REPORT: (runs, horizon, each_sends * sent),
            Wire.RECEIVED: (runs, horizon, each_sends * sent),
            Wire.BATCH: (runs, horizon * each_sends, 1 + sent),
            Wire.STATISTIC: (runs, horizon, policy.statistic_width(arms, width)),
            Wire.ARMS: (runs, horizon),
        }
        shapes = {wire: values.shape for wire, values in run.wires.items()}
        demand(shapes == expected, policy, f"wires of shapes {shapes}", f"must be {expected}")
        demand(run.regret.shape == (runs, 1), policy, f"regret of shape {run.regret.shape}", f"must be {(runs, 1)}")
        pulled = run.wire(Wire.ARMS)
        demand(np.all((pulled >= 0) & (pulled < arms)), policy, f"arms {shown(pulled.tolist())}", f"must be >= 0 and < {arms}")
        if policy.kernels.at_batch_end is None:
            _batches_are_released(pipeline, run, runs)


def _batches_are_released(pipeline: Pipeline, run: Run, runs: int) -> None:
    batch, horizon = pipeline.shuffler.batch, run.horizon
    released = np.arange(1, horizon + 1) % batch == 0
    released[-1] = True  # the last batch may be shorter
    silent = np.isnan(run.wire(Wire.STATISTIC)).all(axis=2)
    fits = np.array_equal(~silent, np.tile(released, (runs, 1)))
    told = f"a statistic in rounds {np.flatnonzero(~silent[0]).tolist()}"
    demand(fits, pipeline.policy, told, f"must be released in rounds {np.flatnonzero(released).tolist()}, the ends of batches")
    # A batch holds what was received, in another order.
    sent = run.wire(Wire.BATCH).shape[2] - 1
    each_sends = run.wire(Wire.BATCH).shape[1] // horizon
    pulled = np.repeat(run.wire(Wire.ARMS), each_sends, axis=1)[:, :, None]
    received = np.concatenate([pulled, run.wire(Wire.RECEIVED).reshape(runs, horizon * each_sends, sent)], axis=2)
    for start in range(0, horizon * each_sends, batch * each_sends):
        ours, theirs = (np.array(values[0, start : start + batch * each_sends]) for values in (received, run.wire(Wire.BATCH)))
        same = sorted(map(tuple, ours)) == sorted(map(tuple, theirs))
        demand(same, pipeline.policy, f"the batch from message {start}", "must be what was received, in another order")


def regret_is_that_of_the_means(trial: Trial) -> None:
    """Would catch regret counted from rewards, from corrupted values, or against a mean of the wrong round."""

    @_pipelines(trial).over(HORIZONS, SEEDS, st.data())
    def hold(pipeline: Pipeline, horizon: int, seed: int, data: st.DataObject) -> None:
        marks = sorted(data.draw(st.sets(st.integers(1, horizon), min_size=1)))
        run = play(pipeline, horizon=horizon, key=key_of(seed), checkpoints=marks)
        arms = run.wire(Wire.ARMS)
        means = means_before(pipeline.environment, arms, seed)
        total = np.cumsum(means.max(axis=1) - means[np.arange(horizon), arms])  # it adds in order, as the loop does
        total = total[np.array(marks) - 1]
        demand(np.array_equal(run.regret, total), pipeline.policy, f"regret {run.regret}", f"must be {total}, that of the means")


def _tables(trial: Trial) -> st.SearchStrategy[Any]:
    """Instances of the environments that the policy is for; by default of those that keep no memory, whose runs are tables of outcomes."""
    given = _on(trial).environments
    return st.one_of([instances(member) for member in oblivious()]) if given is None else given


def a_run_replays_from_the_table_of_its_outcomes(trial: Trial) -> None:
    """Would catch a reward that depends on what the policy did, noise that shares a stream with the rewards, and a choice that depends on
    the reward of an arm that was not pulled."""

    @trial.over(_tables(trial), _randomisers(trial), HORIZONS, SEEDS, st.integers(0, 1000))
    def hold(policy: Any, environment: Any, randomiser: Any, horizon: int, seed: int, run: int) -> None:
        if environment.memory().size > 0:
            return
        pipeline, table = Pipeline(policy, environment, randomiser), table_of(environment, horizon, seed, run)
        played = play(pipeline, horizon=horizon, key=key_of(seed), run=run, record=ALL)
        replayed = play(pipeline.with_environment(table), horizon=horizon, key=key_of(seed), run=run, record=ALL)
        _same(pipeline, played, replayed, "the run and its table", "must be the same")
        unseen = table.rewards + 1.0
        pulled = np.arange(horizon), played.wire(Wire.ARMS)
        unseen[pulled] = table.rewards[pulled]
        changed = pipeline.with_environment(Table(unseen, table.means, table.contexts))
        other = play(changed, horizon=horizon, key=key_of(seed), run=run, record=ALL)
        rule = "must be the same: rewards of arms that are not pulled are not seen"
        _same(pipeline, played, other, "the runs on two tables that agree on the pulled arms", rule)


def choices_foresee_no_reward(trial: Trial) -> None:
    """Would catch a choice that is drawn from the stream of the rewards: it would depend on an outcome that nobody has seen.

    Whether the uniform that the environment has for a round is below 1/2 is a fair coin, independent of the past; so the number of rounds
    in which it agrees with "an arm of the lower half", or "an even arm", is binomial. Exact, significance level FALSE_ALARM per run.
    """

    @trial.over(_tables(trial), _randomisers(trial), SEEDS, fraction=0.05)
    def hold(policy: Any, environment: Any, randomiser: Any, seed: int) -> None:
        key, arms = key_of_run(seed), play(Pipeline(policy, environment, randomiser), horizon=ROUNDS, key=key_of(seed)).wire(Wire.ARMS)
        coins = np.array([uniform(key, randomness.REWARDS, round) < 0.5 for round in range(ROUNDS)])
        for events in (arms < environment.arms / 2, arms % 2 == 0):
            agree = int(np.sum(coins == events))
            tail = binomial_tail(max(agree, ROUNDS - agree), ROUNDS, 0.5)
            told = f"{agree} of {ROUNDS} choices agree with the random number of the round's reward"
            demand(tail >= FALSE_ALARM / 4, policy, told, "must be independent of it (a stream of its own: randomness.CHOICES or NOISE)")


RULES: tuple[Rule, ...] = (
    has_the_members,
    compiled_and_step_by_step_agree,
    the_loop_is_the_picture_of_the_wires,
    block_size_changes_nothing,
    a_run_is_the_same_alone_and_among_many,
    wires_have_the_documented_shapes,
    regret_is_that_of_the_means,
    a_run_replays_from_the_table_of_its_outcomes,
    choices_foresee_no_reward,
)
