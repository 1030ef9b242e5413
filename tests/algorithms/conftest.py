"""Finds every policy, mechanism, environment, randomiser, corruption and shuffler by walking `algorithms`; draws instances of them.

What a class is follows from the protocols of the vocabulary; the values of its parameters, from what the class declares, the annotations
and the glossary (`banditproof.typical` says in which order). No class, parameter or module is named here. A parameter without values fails
the suite, which says where to declare them.
"""

import dataclasses
import enum
import functools
import importlib
import inspect
import math
import os
import pickle
import pkgutil
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from banditproof import algorithms, glossary
from banditproof.audits.statistics.design import detectable_failure, detectable_failure_below
from banditproof.audits.statistics.tails import lower_probability, upper_probability
from banditproof.audits.strategies import values_of
from banditproof.glossary import Domain, Quantity
from banditproof.interaction import Clean, ClientRandomiser, Corruption, Environment, InOrder, Open, Pipeline, Policy, Shuffler
from banditproof.mechanism import Mechanism
from banditproof.typical import Fractions, Instance, Range, Several, Values

FALSE_ALARM, MISSED = 1e-6, 1e-6


class Kind(enum.Enum):
    """What a class of the algorithms room can be, most specific protocol first."""

    POLICY = Policy
    MECHANISM = Mechanism
    ENVIRONMENT = Environment
    CORRUPTION = Corruption
    SHUFFLER = Shuffler
    RANDOMISER = ClientRandomiser


PROTOCOLS = {kind.value for kind in Kind}


def drawn_from(values: Values) -> st.SearchStrategy[Any]:
    """What is drawn for values that a class declares; of a choice its constants together, and each of the others, equally often."""
    match values:
        case Domain(integer=True):
            return st.integers(math.ceil(values.low) + values.low_open, math.floor(values.high) - values.high_open)
        case Domain():
            return st.floats(values.low, values.high, exclude_min=values.low_open, exclude_max=values.high_open)
        case Quantity():
            return values_of(dataclasses.replace(values, domain=values.sampled or values.domain))
        case Fractions(low, high, denominator):
            return st.fractions(low, high, max_denominator=denominator)
        case Several(of, fewest, most):
            return st.lists(drawn_from(of), min_size=fewest, max_size=most).map(tuple)
        case Instance(of, own):
            return instances(of, own)
        case tuple():
            constants = [value for value in values if not isinstance(value, Range)]
            drawn = [drawn_from(value) for value in values if isinstance(value, Range)]
            return st.one_of([st.sampled_from(constants), *drawn] if constants else drawn)


def annotated(annotation: Any, name: str) -> st.SearchStrategy[Any] | None:
    """What is drawn for a parameter of this annotation and name that nobody declares values of; None if that is not enough to know."""
    if annotation is bool:
        return st.booleans()
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return st.sampled_from(annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return st.sampled_from(typing.get_args(annotation))
    if annotation in PROTOCOLS:  # of that kind, whatever is not itself made of others
        plain = [each for each in found(Kind(annotation)) if not PROTOCOLS & {one.annotation for one in parameters(each)}]
        return st.one_of([instances(each) for each in plain])
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        kinds = sorted(typing.get_args(annotation), key=lambda each: each is not type(None))  # None first: the simplest
        several = [st.none() if each is type(None) else annotated(each, name) for each in kinds]
        return None if None in several else st.one_of(several)
    quantity = glossary.quantities().get(name)
    if quantity is not None and annotation is (int if quantity.domain.integer else float):
        return drawn_from(quantity)
    return None


def parameters(member: Callable[..., Any]) -> list[inspect.Parameter]:
    """What an instance is made from; its theorems are not drawn."""
    return [each for each in inspect.signature(member, eval_str=True).parameters.values() if each.name != "promises"]


def values_for(member: Callable[..., Any], parameter: inspect.Parameter, declared: Mapping[str, Values]) -> st.SearchStrategy[Any]:
    """What is drawn for one parameter. Raises LookupError, which says where to declare them, if there are no values."""
    if parameter.name in declared:
        return drawn_from(declared[parameter.name])
    drawn = annotated(parameter.annotation, parameter.name)
    if drawn is None:
        how = f"@declares({parameter.name}=...) on" if inspect.isfunction(member) else f"typical = {{{parameter.name!r}: ...}} in"
        raise LookupError(
            f"{member.__module__}.{member.__name__}: no values for its parameter {parameter.name!r} ({parameter.annotation}); "
            f"declare them: {how} {member.__name__} (banditproof.typical)"
        )
    return drawn


def instances(member: Callable[..., Any], further: Mapping[str, Values] = types.MappingProxyType({})) -> st.SearchStrategy[Any]:
    """Instances of a class, or of what a constructor function returns, with every parameter drawn: from `further` declarations, else from
    its own, and for a function from those of the class that it returns. Raises LookupError on a declaration without its parameter."""
    own = {**getattr(member, "typical", {}), **further}
    if unknown := sorted(set(own) - {each.name for each in parameters(member)}):
        raise LookupError(f"{member.__module__}.{member.__name__}: declares values of {', '.join(unknown)}, and has no such parameter")
    declared = {**getattr(inspect.signature(member, eval_str=True).return_annotation, "typical", {}), **own}
    drawn = st.fixed_dictionaries({each.name: values_for(member, each, declared) for each in parameters(member)})

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
