"""Finds every policy, mechanism, environment, randomiser, corruption and shuffler by walking `algorithms`; draws instances of them.

What a class is follows from the protocols of the vocabulary; how to make one, from the names of its parameters: a glossary name has
its domain, the others stand in `_PARAMETERS`. A parameter that neither knows fails the suite and says where to add it.
"""

import dataclasses
import enum
import functools
import importlib
import inspect
import os
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from banditproof import algorithms, glossary
from banditproof.algorithms.environments.huber import Normal, TwoValues
from banditproof.algorithms.environments.labelled import Source
from banditproof.algorithms.environments.sphere import Rewards
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration
from banditproof.algorithms.policies.elimination.robust import Reading
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, Form, Noise, Rule
from banditproof.audits.statistics.design import detectable_failure, detectable_failure_below
from banditproof.audits.statistics.tails import lower_probability, upper_probability
from banditproof.audits.strategies import bernoulli_means, values_of
from banditproof.guarantees import View
from banditproof.interaction import Clean, ClientRandomiser, Corruption, Environment, InOrder, Open, Pipeline, Policy, Shuffler, Wire
from banditproof.mechanism import Mechanism

FALSE_ALARM, MISSED = 1e-6, 1e-6


class Kind(enum.Enum):
    """What a class of the algorithms room can be, most specific protocol first."""

    POLICY = Policy
    MECHANISM = Mechanism
    ENVIRONMENT = Environment
    CORRUPTION = Corruption
    SHUFFLER = Shuffler
    RANDOMISER = ClientRandomiser


def three(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(strategy, strategy, strategy)


_PARAMETERS: dict[str, st.SearchStrategy[Any]] = {
    "means": bernoulli_means(),
    "fall": st.floats(0.0, 0.5),
    "width": st.integers(1, 4),
    "batch": st.integers(1, 9),
    "alpha": st.floats(0.0, 1.0),
    "value": st.floats(-5.0, 5.0),
    "high_probability": st.floats(0.0, 1.0),
    "low": st.floats(-5.0, 0.0),
    "high": st.floats(0.5, 5.0),
    "step": st.sampled_from([0.0, 0.25, 1.0]),
    "view": st.sampled_from([View.CENTRAL, View.JOINT, View.WHITE_BOX]),
    "wire": st.sampled_from([Wire.REWARDS, Wire.REPORT]),
    "debias": st.booleans(),
    # Three arms each: lists of different lengths do not go together.
    "shapes": three(st.floats(1.1, 5.0)),
    "scales": three(st.floats(0.1, 2.0)),
    "shifts": three(st.floats(-3.0, 1.0)),
    "centres": three(st.floats(-1.0, 1.0)),
    "spreads": three(st.floats(0.1, 2.0)),
    "degrees": three(st.floats(1.1, 9.0)),
    "weights": three(st.fractions(0, 1, max_denominator=20)),
    "gamma": st.fractions(Fraction(1, 4), 1, max_denominator=20),
    "changed": st.integers(1, 3),
    "laws": st.lists(
        st.one_of(
            st.builds(TwoValues, st.floats(-5.0, 0.0), st.floats(0.5, 5.0), st.floats(0.0, 1.0)),
            st.builds(Normal, st.floats(-5.0, 5.0), st.floats(0.0, 2.0)),
        ),
        min_size=1,
        max_size=4,
    ).map(tuple),
    "contamination": st.one_of(st.just(0.0), values_of(glossary.CONTAMINATION)),
    "failure": st.one_of(st.none(), values_of(glossary.FAILURE, low=1e-6), st.just(1.0)),
    "literal": st.booleans(),
    "reading": st.sampled_from(Reading),
    "exploration": st.sampled_from(Exploration),
    "arm_order": st.sampled_from(ArmOrder),
    "radius_factor": st.sampled_from([1.0, 0.1, 0.01, 0.0]),
    "threshold_factor": st.sampled_from([0.0, 1e-3, 1.0]),
    "mixing": st.sampled_from([0.5, 0.0, 1.0]),
    "range": st.floats(7.0, 40.0),  # at least two bins of any width below, and of the policies'
    "bin_width": st.floats(0.5, 3.5),
    "pad": st.booleans(),
    "batch_is_fold": st.booleans(),
    "true_contamination": st.none(),  # in tests of its own: it goes with a larger contamination
    "tail": st.sampled_from([1.0, 0.5]),
    "raw_moment": st.sampled_from([1.0, 0.1]),
    "batch_constant": st.sampled_from([24.0, 0.5, 0.1]),
    "cut_constant": st.sampled_from([12.0, 0.5]),
    "log_constant": st.sampled_from([4.0, 1.5]),
    "noise": st.sampled_from([noise for noise in Noise if noise is not Noise.GIVEN]),
    "given": st.none(),  # its size is that of one environment
    "truth": st.none(),
    "bounds": st.builds(Bounds, *(st.floats(0.1, 10.0) for _ in Bounds._fields)),
    "planned": st.integers(200, 10**9),  # shorter ones may have too few degrees of freedom for Claim 19
    "calibration": st.sampled_from([Calibration.PRINTED, Calibration.REPAIRED]),  # the exact one may have too few as well
    "padding": st.sampled_from(Padding),
    "form": st.sampled_from(Form),
    "rule": st.sampled_from(Rule),
    "strict": st.just(False),
    "rho_min": st.one_of(st.none(), st.floats(0.1, 1e4)),
    "dimension": st.integers(1, 3),
    "row_norm": st.floats(0.1, 10.0),
    "rewards": st.sampled_from(Rewards),
    "spread": st.floats(0.1, 2.0),
    "top": st.floats(-0.9, 0.9),
    "fewest": st.one_of(st.none(), st.integers(1, 3)),
    "source": st.sampled_from([Source.IRIS, Source.WINE]),
    "components": st.integers(1, 3),
    "claim": st.none(),  # its default; the constructors beside the class set it, and they are drawn too
}
# Of sets of unit vectors, and of streams of rows: other values than elsewhere.
_OWN: dict[str, st.SearchStrategy[Any]] = {
    "low": st.floats(-0.9, 0.0),
    "high": st.floats(0.1, 0.9),
    "width": st.integers(2, 6),
    "arms": st.integers(3, 9),
    "horizon": st.integers(2, 8),
}
_LARGEST = {"epsilon": 5.0, "horizon": 40, "folds": 4, "categories": 9, "sensitivity": 50.0, "sigma": 50.0, "arms": 6, "moment": 8.0}


def _parameter(owner: Any, parameter: inspect.Parameter) -> st.SearchStrategy[Any]:
    name = parameter.name
    if owner.__module__.endswith((".sphere", ".tempting", "_gram")) and name in _OWN:
        return _OWN[name]
    if name == "mechanism":
        plain = [each for each in found(Kind.MECHANISM) if "mechanism" not in inspect.signature(each).parameters]
        return st.one_of([instances(each) for each in plain])
    if name in ("sensitivity", "moment") and parameter.annotation is int:
        return st.integers(1 if name == "sensitivity" else 2, 5)
    if name in _PARAMETERS:
        return _PARAMETERS[name]
    if name in glossary.quantities():
        quantity = glossary.quantities()[name]
        low = None if quantity.domain.integer or quantity.domain.low > 0 else 0.01
        return values_of(quantity, low=low, high=_LARGEST.get(name))
    raise LookupError(f"{owner.__module__}.{owner.__name__}: no values for its parameter {name!r}; add it to {Path(__file__).name}")


def instances(member: Callable[..., Any]) -> st.SearchStrategy[Any]:
    """Instances of a class, or of what a constructor function returns, with every parameter drawn."""
    parameters = [each for each in inspect.signature(member).parameters.values() if each.name != "promises"]
    drawn = st.fixed_dictionaries({each.name: _parameter(member, each) for each in parameters})

    def make(values: dict[str, Any]) -> Any:
        try:
            return member(**values)
        except ValueError:  # values that do not go together; Hypothesis complains if they are many
            hypothesis.reject()

    return drawn.map(make)


@functools.cache
def members() -> dict[Callable[..., Any], Kind]:
    """Every public dataclass of the algorithms room, and every function that returns one of its own module, with its kind.

    Fails on a class that fits no protocol: nothing would test it.
    """
    kinds: dict[Callable[..., Any], Kind] = {}
    for info in pkgutil.walk_packages(algorithms.__path__, algorithms.__name__ + "."):
        module = importlib.import_module(info.name)
        own = {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == info.name and name[0] != "_"}
        for value in own.values():
            if dataclasses.is_dataclass(value):
                has = {*dir(value), *(field.name for field in dataclasses.fields(value))}
                fits = [kind for kind in Kind if {name for name in vars(kind.value) if name[0] != "_"} <= has]
                assert fits, f"{info.name}.{value.__name__}: fits no protocol of the vocabulary, so no conformance test reaches it"
                kinds[value] = fits[0]
        for value in own.values():
            if inspect.isfunction(value) and (made := inspect.signature(value).return_annotation) in kinds:
                kinds[value] = kinds[made]
    return kinds


def found(kind: Kind) -> list[Callable[..., Any]]:
    return [member for member, its in members().items() if its is kind]


def any_of(kind: Kind, *others: Any) -> st.SearchStrategy[Any]:
    """An instance of anything of that kind, or one of the others."""
    return st.one_of([*(st.just(other) for other in others), *(instances(member) for member in found(kind))])


@st.composite
def pipelines(draw: st.DrawFn, policy: Callable[..., Any]) -> Pipeline:
    """A pipeline with this policy and everything else drawn, the identities included."""
    return Pipeline(
        draw(instances(policy)),
        draw(any_of(Kind.ENVIRONMENT)),
        draw(any_of(Kind.RANDOMISER, Open())),
        draw(any_of(Kind.CORRUPTION, Clean())),
        draw(any_of(Kind.SHUFFLER, InOrder(), InOrder(4))),
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `policy`, `drawn_mechanism` and so on runs once for every class that was found."""
    for kind in Kind:
        name = f"any_{kind.name.lower()}"
        if name in metafunc.fixturenames:
            each = found(kind)
            metafunc.parametrize(name, each, ids=[f"{member.__module__.split('.')[-1]}.{member.__name__}" for member in each])


def assert_rate(hits: int, draws: int, rate: float, *, detects: float) -> None:
    """Fails if the exact binomial interval (false alarm 1e-6) excludes `rate`, or if `draws` would miss a rate off by `detects` more
    often than once in 1e6."""
    low, high = (bound(hits, draws, FALSE_ALARM / 2) for bound in (lower_probability, upper_probability))
    assert low <= rate <= high, f"{hits} of {draws}: the rate lies in [{low:.6f}, {high:.6f}], not at {rate:.6f}"
    above = detectable_failure(rate, runs=draws, false_alarm=FALSE_ALARM / 2, missed_with=MISSED) - rate
    below = rate - detectable_failure_below(rate, runs=draws, false_alarm=FALSE_ALARM / 2, missed_with=MISSED)
    assert max(above, below) <= detects, f"{draws} draws see a rate off by {max(above, below):.4f}, not by {detects}"


class Members:
    """What test files of this folder use: they cannot import each other."""

    kind = Kind
    all = staticmethod(members)
    found = staticmethod(found)
    instances = staticmethod(instances)
    any_of = staticmethod(any_of)
    pipelines = staticmethod(pipelines)
    assert_rate = staticmethod(assert_rate)
    lower_probability = staticmethod(lower_probability)
    detectable_failure = staticmethod(detectable_failure)

    @staticmethod
    def typical(strategy: st.SearchStrategy[Any]) -> Any:
        """The simplest instance: the same in every run."""
        return hypothesis.find(strategy, lambda _: True, settings=hypothesis.settings(database=None, derandomize=True))

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
        """What a fresh process prints that runs `code` in `folder`, with a kernel cache of its own there."""
        settings = {**os.environ, "BANDITPROOF_CACHE": str(folder / "cache"), **environment}
        done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @staticmethod
    def keep(thing: Any, path: Path) -> None:
        path.write_bytes(pickle.dumps(thing))


@pytest.fixture(scope="session")
def room() -> type[Members]:
    return Members
