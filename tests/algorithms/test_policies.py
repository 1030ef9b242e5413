"""What every policy must do, on problems with everything drawn: environment, randomiser, corruption, shuffler, block size, seed."""

import pytest
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.audits import conformance
from banditproof.audits.conformance_rules.drawing import oblivious
from banditproof.audits.conformance_rules.picture import difference
from banditproof.interaction import Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)
HORIZONS = st.integers(1, 120)


@pytest.mark.parametrize("rule", conformance.POLICY_RULES)
def test_policy_keeps(any_policy, rule, examples):
    """Would catch a policy that breaks a rule: each says what it would catch."""
    conformance.check_policy(any_policy, examples=examples, rules=[rule])


def test_every_guarantee_has_its_theorem(room, any_policy):
    """Would catch a shipped policy that claims privacy and names no statement."""
    policy = room.typical(room.instances(any_policy))
    assert policy.theorems or policy.guarantee() is None  # a baseline whose paper is not in the theory room


def test_some_environments_are_oblivious():
    """Would catch a rule about tables of outcomes that has nothing to try."""
    assert oblivious()


def test_without_jit_every_policy_plays_the_same_arms(room, bare, any_policy, tmp_path):
    """Would catch a helper whose compiled form differs, a part that becomes a method, or a kernel that runs only compiled.

    Step by step the helpers that kernels call stay compiled; under NUMBA_DISABLE_JIT, in another process, nothing is.
    """
    drawn = room.many(st.tuples(room.pipelines(any_policy), HORIZONS, SEEDS), 100)
    problems = [(room.as_accepted(pipeline), horizon, seed) for pipeline, horizon, seed in drawn]
    assert len(problems) == 100
    for (pipeline, horizon, seed), slow in zip(problems, bare.runs(problems, tmp_path), strict=True):
        compiled = play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire))
        assert not (found := difference(compiled, slow)), f"{pipeline}, horizon {horizon}, seed {seed}: compiled and bare differ in {found}"


def test_a_second_process_compiles_nothing(room, tmp_path):
    """Would catch an entry point or a part that numba does not cache, or a cache key that changes from process to process.

    That compilations are counted at all: tests/audits/running/test_compile_once.py."""
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
from banditproof.simulation import play
from banditproof.randomness import key_of
for pipeline in pickle.load(open("pipelines", "rb")):
    play(pipeline, horizon=20, key=key_of(1))
print(kernels.compilations())
"""
    room.python(code, tmp_path)  # compiles what the cache of this checkout does not hold yet
    assert int(room.python(code, tmp_path)) == 0


def test_streams_of_rewards_and_noise_are_apart():
    """Would catch two purposes with one number: then noise would be a function of the rewards."""
    purposes = [value for name, value in vars(randomness).items() if name.isupper() and isinstance(value, int)]
    assert len(purposes) == len(set(purposes)) == 8
