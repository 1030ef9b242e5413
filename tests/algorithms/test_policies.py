"""What every policy must do, on problems with everything drawn: environment, randomiser, corruption, shuffler, block size, seed."""

import pickle

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.guarantees import Guarantee
from banditproof.interaction import Pipeline, Run, Table, Wire
from banditproof.kernels import plain
from banditproof.play import play, play_many
from banditproof.randomness import key_of

SEEDS = st.integers(0, 2**32)
BLOCKS = st.integers(1, 150)
HORIZONS = st.integers(1, 120)
# Each example is a run of a pipeline; a member that was just found may compile in the first.
PROBLEMS = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def difference(first: Run, second: Run) -> str:
    """Where two runs part: wire, round and both values; '' if nowhere. NaN equals NaN."""
    for wire in (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.BATCH, Wire.STATISTIC):
        if wire in first.wires:
            a, b = first.wire(wire), second.wire(wire)
            if a.shape != b.shape:
                return f"{wire}: shapes {a.shape} and {b.shape}"
            if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                round = int(np.argmax([not np.array_equal(x, y, equal_nan=a.dtype.kind == "f") for x, y in zip(a, b, strict=True)]))
                return f"{wire}, round {round}: {a[round]} and {b[round]}"
    if not np.array_equal(first.regret, second.regret):
        return f"regret: {first.regret} and {second.regret}"
    return ""


def means_before(pipeline: Pipeline, arms: np.ndarray, seed: int) -> np.ndarray:
    """The means (T, K) that the environment presented in run 0, replayed from the arms alone through its plain kernels."""
    environment, key = pipeline.environment, np.array([*key_of(seed), 0], dtype=np.uint64)
    setup, memory = environment.setup(), environment.memory()
    contexts, means = np.zeros((environment.arms, environment.width)), np.zeros((len(arms), environment.arms))
    for round, arm in enumerate(arms):
        plain(environment.present)(setup, memory, key, round, contexts, means[round])
        plain(environment.reward)(setup, memory, round, key, arm, contexts)
    return means


def reference(pipeline: Pipeline, horizon: int, seed: int) -> Run:
    """Run 0, written down a second time from the picture of the wires: lists, one batch at a time, no blocks and nothing compiled."""
    policy, environment, corruption, shuffler = pipeline.policy, pipeline.environment, pipeline.corruption, pipeline.shuffler
    start, choose, report, learn = (plain(kernel) for kernel in policy.kernels[:4])
    key, arms, width = np.array([*key_of(seed), 0], dtype=np.uint64), environment.arms, environment.width
    statistics = policy.statistic_width(arms, width)
    state, memory, corrupted = policy.state(arms, width, horizon), environment.memory(), corruption.memory()
    start(state, key)
    wires, waiting, regret = {wire: [] for wire in Wire}, [], 0.0
    for round in range(horizon):
        contexts, means, message = np.zeros((arms, width)), np.zeros(arms), np.zeros(policy.message_width(width))
        plain(environment.present)(environment.setup(), memory, key, round, contexts, means)
        arm = choose(state, key, round, contexts)
        reward = plain(environment.reward)(environment.setup(), memory, round, key, arm, contexts)
        regret += max(means) - means[arm]
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
        for wire, value in ((Wire.CONTEXTS, contexts), (Wire.REWARDS, reward), (Wire.ARMS, arm)):
            wires[wire].append(value)
        waiting.append((arm, sent))
        statistic = np.full(statistics, np.nan)
        if len(waiting) == shuffler.batch or round == horizon - 1:
            pulled, reports = np.array([arm for arm, _ in waiting]), np.array([sent for _, sent in waiting])
            opened = round + 1 - len(waiting)
            if corruption.wire is Wire.BATCH:
                plain(corruption.kernel)(corruption.setup(), corrupted, opened, key, pulled, reports)
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


def test_every_policy_states_what_it_promises(room, any_policy):
    """Would catch a guarantee that is no guarantee, and a promise that is no id."""
    policy = room.typical(room.instances(any_policy))
    assert policy.guarantee() is None or isinstance(policy.guarantee(), Guarantee)
    assert policy.promises or policy.guarantee() is None  # a baseline whose paper is not in the theory room
    assert all(id.count(".") == 1 for id in policy.promises)


def test_compiled_and_step_by_step_agree_on_every_wire(room, any_policy):
    """Would catch a kernel whose compiled form rounds, divides or wraps another way than Python, in any combination of parts."""

    @PROBLEMS
    @given(pipeline=room.pipelines(any_policy), horizon=HORIZONS, seed=SEEDS, block=BLOCKS)
    def agree(pipeline, horizon, seed, block):
        options = {"horizon": horizon, "key": key_of(seed), "record": tuple(Wire)}
        compiled, stepwise = play(pipeline, block=block, **options), play(pipeline, stepwise=True, **options)
        assert not (found := difference(compiled, stepwise)), f"compiled and step by step differ in {found}"

    agree()


def test_the_loop_is_the_picture_of_the_wires(room, any_policy):
    """Would catch a part called with another round, arm, batch or memory, in the loop that both modes share."""

    @given(pipeline=room.pipelines(any_policy), horizon=HORIZONS, seed=SEEDS)
    def agree(pipeline, horizon, seed):
        run = play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire))
        assert not (found := difference(run, reference(pipeline, horizon, seed))), f"the loop and its picture differ in {found}"

    agree()


def test_block_size_changes_nothing(room, any_policy):
    """Would catch a draw, a batch or a state that is cut where a block ends."""

    @given(pipeline=room.pipelines(any_policy), horizon=st.integers(1, 2000), seed=SEEDS, blocks=st.tuples(BLOCKS, st.integers(1, 3000)))
    def agree(pipeline, horizon, seed, blocks):
        marks = sorted({1, horizon // 2 + 1, horizon})
        runs = [play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire), checkpoints=marks, block=block) for block in blocks]
        assert not (found := difference(*runs)), f"blocks of {blocks} differ in {found}"
        assert list(runs[0].checkpoints) == marks

    agree()


def test_a_run_is_the_same_alone_and_among_many(room, any_policy):
    """Would catch state that survives from run to run, and a stream that depends on how runs are cut among workers."""

    @given(pipeline=room.pipelines(any_policy), horizon=HORIZONS, seed=SEEDS, first=st.integers(0, 10**6), runs=st.integers(1, 5))
    def agree(pipeline, horizon, seed, first, runs):
        options = {"horizon": horizon, "key": key_of(seed), "record": tuple(Wire)}
        many = play_many(pipeline, first_run=first, runs=runs, **options)
        for place in range(runs):
            alone = play(pipeline, run=first + place, **options)
            among = Run(horizon, many.checkpoints, many.regret[place], {wire: many.wire(wire)[place] for wire in Wire})
            assert not (found := difference(alone, among)), f"run {first + place} alone and as one of {runs} differ in {found}"

    agree()


def test_wires_have_the_documented_shapes(room, any_policy):
    """Would catch a wire recorded transposed, or a release written in a round that has none."""

    @given(pipeline=room.pipelines(any_policy), horizon=HORIZONS, seed=SEEDS, runs=st.integers(1, 3))
    def agree(pipeline, horizon, seed, runs):
        arms, width, batch = pipeline.environment.arms, pipeline.environment.width, pipeline.shuffler.batch
        each_sends, sent = pipeline.randomiser.messages(pipeline.policy.message_width(width))
        statistics = pipeline.policy.statistic_width(arms, width)
        run = play_many(pipeline, horizon=horizon, key=key_of(seed), runs=runs, record=tuple(Wire))
        assert {wire: values.shape for wire, values in run.wires.items()} == {
            Wire.CONTEXTS: (runs, horizon, arms, width),
            Wire.REWARDS: (runs, horizon),
            Wire.REPORT: (runs, horizon, each_sends * sent),
            Wire.RECEIVED: (runs, horizon, each_sends * sent),
            Wire.BATCH: (runs, horizon * each_sends, 1 + sent),
            Wire.STATISTIC: (runs, horizon, statistics),
            Wire.ARMS: (runs, horizon),
        }
        assert run.regret.shape == (runs, 1)
        assert np.all((run.wire(Wire.ARMS) >= 0) & (run.wire(Wire.ARMS) < arms))
        released = np.arange(1, horizon + 1) % batch == 0
        released[-1] = True  # the last batch may be shorter
        assert np.array_equal(~np.isnan(run.wire(Wire.STATISTIC)).all(axis=2), np.tile(released, (runs, 1)))
        # A batch holds what was received, in another order.
        received = np.concatenate([run.wire(Wire.ARMS)[:, :, None], run.wire(Wire.RECEIVED)], axis=2)
        for start in range(0, horizon, batch):
            ours, theirs = (np.array(values[0, start : start + batch]) for values in (received, run.wire(Wire.BATCH)))
            assert sorted(map(tuple, ours)) == sorted(map(tuple, theirs)), f"the batch from round {start} is no reordering"

    agree()


def test_regret_is_that_of_the_means(room, any_policy):
    """Would catch regret counted from rewards, from corrupted values, or against a mean of the wrong round."""

    @given(pipeline=room.pipelines(any_policy), horizon=HORIZONS, seed=SEEDS, data=st.data())
    def agree(pipeline, horizon, seed, data):
        marks = sorted(data.draw(st.sets(st.integers(1, horizon), min_size=1)))
        run = play(pipeline, horizon=horizon, key=key_of(seed), checkpoints=marks)
        arms = run.wire(Wire.ARMS)
        means = means_before(pipeline, arms, seed)
        total = np.cumsum(means.max(axis=1) - means[np.arange(horizon), arms])
        assert np.array_equal(run.regret, total[np.array(marks) - 1])  # cumsum adds in order, as the loop does

    agree()


def test_a_run_replays_from_the_table_of_its_outcomes(room, any_policy):
    """Would catch a reward that depends on what the policy did, or noise that shares a stream with the rewards."""
    oblivious = [member for member in room.found(room.kind.ENVIRONMENT) if room.typical(room.instances(member)).memory().size == 0]
    assert oblivious

    @given(
        policy=room.instances(any_policy),
        environment=st.one_of([room.instances(member) for member in oblivious]),
        horizon=HORIZONS,
        seed=SEEDS,
        run=st.integers(0, 1000),
    )
    def agree(policy, environment, horizon, seed, run):
        key = np.array([*key_of(seed), run], dtype=np.uint64)
        setup, memory, arms = environment.setup(), environment.memory(), environment.arms
        rewards, means = np.zeros((horizon, arms)), np.zeros((horizon, arms))
        contexts = np.zeros((horizon, arms, environment.width))
        for round in range(horizon):
            plain(environment.present)(setup, memory, key, round, contexts[round], means[round])
            for arm in range(arms):
                rewards[round, arm] = plain(environment.reward)(setup, memory, round, key, arm, contexts[round])
        table = Table(rewards, means, contexts)
        options = {"horizon": horizon, "key": key_of(seed), "run": run, "record": tuple(Wire)}
        played, replayed = play(Pipeline(policy, environment), **options), play(Pipeline(policy, table), **options)
        assert not (found := difference(played, replayed)), f"the run and its table differ in {found}"

    agree()


def test_without_jit_every_policy_plays_the_same_arms(room, any_policy, tmp_path):
    """Would catch a helper whose compiled form differs, a part that becomes a method, or a kernel that runs only compiled.

    Step by step the helpers that kernels call stay compiled; under NUMBA_DISABLE_JIT, in another process, nothing is.
    """
    problems = room.many(st.tuples(room.pipelines(any_policy), HORIZONS, SEEDS), 200)
    assert len(problems) == 200
    room.keep(problems, tmp_path / "problems")
    code = """
import numba, pickle
from banditproof.interaction import Wire
from banditproof.play import play
from banditproof.randomness import key_of
assert numba.config.DISABLE_JIT
problems = pickle.load(open("problems", "rb"))
runs = [play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire)) for pipeline, horizon, seed in problems]
pickle.dump(runs, open("runs", "wb"))
"""
    room.python(code, tmp_path, NUMBA_DISABLE_JIT="1")
    for (pipeline, horizon, seed), bare in zip(problems, pickle.loads((tmp_path / "runs").read_bytes()), strict=True):
        compiled = play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire))
        assert not (found := difference(compiled, bare)), f"{pipeline}, horizon {horizon}, seed {seed}: compiled and bare differ in {found}"


def test_a_second_process_compiles_nothing(room, tmp_path):
    """Would catch an entry point or a part that numba does not cache, or a cache key that changes from process to process."""
    policies = [room.typical(room.instances(member)) for member in room.found(room.kind.POLICY)]
    pipelines = [Pipeline(policies[0], room.typical(room.instances(each))) for each in room.found(room.kind.ENVIRONMENT)]
    for kind, field in (
        (room.kind.RANDOMISER, "randomiser"),
        (room.kind.CORRUPTION, "corruption"),
        (room.kind.SHUFFLER, "shuffler"),
        (room.kind.POLICY, "policy"),
    ):
        first = pipelines[0]
        parts = {"policy": first.policy, "environment": first.environment}
        pipelines += [Pipeline(**{**parts, field: room.typical(room.instances(member))}) for member in room.found(kind)]
    room.keep(pipelines, tmp_path / "pipelines")
    code = """
import pickle
from banditproof import kernels
from banditproof.play import play
from banditproof.randomness import key_of
for pipeline in pickle.load(open("pipelines", "rb")):
    play(pipeline, horizon=20, key=key_of(1))
print(kernels.compilations())
"""
    first, second = (int(room.python(code, tmp_path)) for _ in range(2))
    assert first >= len(policies)
    assert second == 0


def test_streams_of_rewards_and_noise_are_apart():
    """Would catch two purposes with one number: then noise would be a function of the rewards."""
    purposes = [value for name, value in vars(randomness).items() if name.isupper() and isinstance(value, int)]
    assert len(purposes) == len(set(purposes)) == 8
