"""Runs a test once for every policy, mechanism, environment, randomiser, corruption and shuffler that a walk of `algorithms` finds.

What a class is and which values its parameters take, `banditproof.audits.conformance` says; no class, parameter or module is named here.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from banditproof.audits.conformance_rules import drawing
from banditproof.audits.conformance_rules.drawing import Kind, found, instances
from banditproof.audits.statistics.design import detectable_failure, detectable_failure_below
from banditproof.audits.statistics.tails import lower_probability, upper_probability
from banditproof.interaction import NoRandomiser, Pipeline

FALSE_ALARM, MISSED = 1e-6, 1e-6


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `policy`, `drawn_mechanism` and so on runs once for every class that was found."""
    for kind in Kind:
        name = f"any_{kind.name.lower()}"
        if name in metafunc.fixturenames:
            each = found(kind)
            metafunc.parametrize(name, each, ids=[f"{member.__module__.split('.')[-1]}.{member.__name__}" for member in each])


def assert_rate(hits: int, draws: int, rate: float, *, detects: float) -> None:
    """Fails if the exact binomial interval (significance level 1e-6) excludes `rate`, or if `draws` would miss a rate off by `detects` more
    often than once in 1e6."""
    low, high = (bound(hits, draws, FALSE_ALARM / 2) for bound in (lower_probability, upper_probability))
    assert low <= rate <= high, f"{hits} of {draws}: the rate lies in [{low:.6f}, {high:.6f}], not at {rate:.6f}"
    above = detectable_failure(rate, runs=draws, false_alarm=FALSE_ALARM / 2, miss_rate=MISSED) - rate
    below = rate - detectable_failure_below(rate, runs=draws, false_alarm=FALSE_ALARM / 2, miss_rate=MISSED)
    assert max(above, below) <= detects, f"{draws} draws see a rate off by {max(above, below):.4f}, not by {detects}"


def as_accepted(pipeline: Pipeline) -> Pipeline:
    """Without a client randomiser whose reports the policy does not accept, as in the conformance suite; after drawing, since to ask an
    environment for its width may load data."""
    raw = pipeline.policy.message_width(pipeline.environment.dimension)
    accepts = pipeline.policy.kernels.accepts(raw, *pipeline.randomiser.messages(raw))
    return pipeline if accepts else replace(pipeline, randomiser=NoRandomiser())


class Members:
    """What test files of this folder use: they cannot import each other."""

    kind = Kind
    all = staticmethod(drawing.members)
    found = staticmethod(found)
    instances = staticmethod(instances)
    any_of = staticmethod(drawing.any_of)
    typical = staticmethod(drawing.typical)

    @staticmethod
    def pipelines(policy: Any) -> st.SearchStrategy[Any]:
        """Pipelines with this policy, and everything else drawn."""
        return drawing.pipelines(instances(policy))

    as_accepted = staticmethod(as_accepted)

    assert_rate = staticmethod(assert_rate)
    lower_probability = staticmethod(lower_probability)
    detectable_failure = staticmethod(detectable_failure)

    @staticmethod
    def many(strategy: st.SearchStrategy[Any], number: int) -> list[Any]:
        """`number` drawn values, the same in every run: for what goes to another process in one piece."""
        values: list[Any] = []

        @hypothesis.settings(max_examples=number, derandomize=True, database=None, deadline=None, phases=[hypothesis.Phase.generate])
        @hypothesis.given(strategy)
        def collect(value: Any) -> None:
            values.append(value)

        collect()
        return values

    @staticmethod
    def python(code: str, folder: Path, **environment: str) -> str:
        """What a fresh process prints that runs `code` in `folder`, with the kernels of this checkout's cache."""
        settings = {**os.environ, **environment}
        done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @staticmethod
    def keep(thing: Any, path: Path) -> None:
        path.write_bytes(pickle.dumps(thing))


class Bare:
    """A process without the compiler, that plays what it is asked to; one for all tests of a worker, since to start one takes seconds."""

    CODE = """
import pickle, sys
from pathlib import Path
import numba
from banditproof.interaction import Wire
from banditproof.simulation import play
from banditproof.randomness import key_of
assert numba.config.DISABLE_JIT
for line in sys.stdin:
    folder = Path(line.rstrip("\\n"))
    problems = pickle.loads((folder / "problems").read_bytes())
    runs = [play(pipeline, horizon=horizon, key=key_of(seed), record=tuple(Wire)) for pipeline, horizon, seed in problems]
    (folder / "runs").write_bytes(pickle.dumps(runs))
    print(len(runs), flush=True)
"""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def runs(self, problems: list[tuple[Pipeline, int, int]], folder: Path) -> list[Any]:
        """The runs of these (pipeline, horizon, seed) there, with all wires. Fails with what the process said, if it ended."""
        Members.keep(problems, folder / "problems")
        if self._process is None:
            settings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            self._process = subprocess.Popen([sys.executable, "-c", self.CODE], env=settings, text=True, **pipes)
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{folder}\n")
        process.stdin.flush()
        said = process.stdout.readline()
        if not said:
            self._process = None
            raise AssertionError(process.communicate()[1])
        assert int(said) == len(problems)
        return list(pickle.loads((folder / "runs").read_bytes()))

    def end(self) -> None:
        if self._process is not None:
            self._process.communicate()


@pytest.fixture(scope="session")
def bare() -> Iterator[Bare]:
    process = Bare()
    yield process
    process.end()


@pytest.fixture
def examples(scale: Any) -> int:
    """Instances, pipelines and seeds on which a rule of the conformance suite is tried: the same ones in every run of `make test`."""
    return int(scale.of(30, 1000))


@pytest.fixture(scope="session")
def room() -> type[Members]:
    return Members
