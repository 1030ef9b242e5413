"""Instances of a class with every parameter drawn, and the classes of a package with what each is.

What a class is follows from the protocols of the vocabulary; the values of its parameters, from what the class declares, the annotations
and the glossary (`banditproof.typical` says in which order). No class, parameter or module is named here.
"""

import dataclasses
import enum
import functools
import importlib
import inspect
import math
import pkgutil
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import hypothesis
from hypothesis import strategies as st

from banditproof import algorithms, glossary
from banditproof.audits.conformance_rules.trial import ConformanceError, Trial
from banditproof.audits.strategies import values_of
from banditproof.glossary import Domain, Quantity
from banditproof.interaction import (
    ClientRandomiser,
    Corruption,
    Environment,
    NoCorruption,
    NoRandomiser,
    NoShuffling,
    Pipeline,
    Policy,
    Shuffler,
)
from banditproof.mechanism import Mechanism
from banditproof.typical import Fractions, Instance, Range, Several, Values

NOTHING: Mapping[str, Values] = types.MappingProxyType({})
Members = Mapping[Callable[..., Any], "Kind"]


class Kind(enum.Enum):
    """What a class can be, most specific protocol first."""

    POLICY = Policy
    MECHANISM = Mechanism
    ENVIRONMENT = Environment
    CORRUPTION = Corruption
    SHUFFLER = Shuffler
    RANDOMISER = ClientRandomiser


PROTOCOLS: set[Any] = {kind.value for kind in Kind}
MARKS = {"theorems", "guarantee", "kernel", "kernels", "release", "setup"}  # each kind has one; only algorithms do


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


def _annotated(annotation: Any, name: str) -> st.SearchStrategy[Any] | None:
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
        several = [st.none() if each is type(None) else _annotated(each, name) for each in kinds]
        known = [each for each in several if each is not None]
        return st.one_of(known) if len(known) == len(several) else None
    quantity = glossary.quantities().get(name)
    if quantity is not None and annotation is (int if quantity.domain.integer else float):
        return drawn_from(quantity)
    return None


def parameters(member: Callable[..., Any]) -> list[inspect.Parameter]:
    """What an instance is made from; its theorems are not drawn."""
    return [each for each in inspect.signature(member, eval_str=True).parameters.values() if each.name != "theorems"]


def _values_for(member: Callable[..., Any], parameter: inspect.Parameter, declared: Mapping[str, Values]) -> st.SearchStrategy[Any]:
    """What is drawn for one parameter. Raises LookupError, which says where to declare them, if there are no values."""
    if parameter.name in declared:
        return drawn_from(declared[parameter.name])
    drawn = _annotated(parameter.annotation, parameter.name)
    if drawn is None:
        how = f"@declares({parameter.name}=...) on" if inspect.isfunction(member) else f"typical = {{{parameter.name!r}: ...}} in"
        raise LookupError(
            f"{member.__module__}.{member.__name__}: no values for its parameter {parameter.name!r} ({parameter.annotation}); "
            f"declare them: {how} {member.__name__} (banditproof.typical)"
        )
    return drawn


def drawn_parameters(
    member: Callable[..., Any], further: Mapping[str, Values] = NOTHING, supplied: tuple[str, ...] = ()
) -> st.SearchStrategy[dict[str, Any]]:
    """Values of all parameters but the supplied ones: from `further` declarations, else from its own, and for a function from those of the
    class that it returns. Raises LookupError on a declaration without its parameter, and on a parameter without values."""
    own: dict[str, Values] = {**getattr(member, "typical", {}), **further}
    if unknown := sorted(set(own) - {each.name for each in parameters(member)}):
        raise LookupError(f"{member.__module__}.{member.__name__}: declares values of {', '.join(unknown)}, and has no such parameter")
    declared = {**getattr(inspect.signature(member, eval_str=True).return_annotation, "typical", {}), **own}
    return st.fixed_dictionaries(
        {each.name: _values_for(member, each, declared) for each in parameters(member) if each.name not in supplied}
    )


def instances(member: Callable[..., Any], further: Mapping[str, Values] = NOTHING) -> st.SearchStrategy[Any]:
    """Instances of a class, or of what a constructor function returns, with every parameter drawn. Raises LookupError, which says where to
    declare them, on a parameter without values, and on a declaration without its parameter."""

    def make(values: dict[str, Any]) -> Any:
        try:
            return member(**values)
        except ValueError:  # values that do not go together; Hypothesis complains if they are many
            hypothesis.reject()

    return drawn_parameters(member, further).map(make)


def trial_of(subject: Any, values: Mapping[str, Values] | None, examples: int) -> Trial:
    """A trial of a class, of a function that makes objects, or of one object. Raises ValueError on values for an object."""
    if isinstance(subject, type) or inspect.isfunction(subject):
        return Trial(subject.__name__, instances(subject, values or NOTHING), examples)
    if values is not None:
        raise ValueError(f"values = {dict(values)}: must be None for an object, whose parameters are set ({subject!r})")
    return Trial(type(subject).__name__, st.just(subject), examples)


@functools.cache
def members(package: types.ModuleType = algorithms) -> Members:
    """Every public dataclass of a package, this one's algorithms by default, and every function that returns one of its own module, with
    its kind.

    A dataclass with none of the MARKS is a result, a setting or an estimator, and is left out. Raises ConformanceError on one with a mark
    that fits no protocol: no check would reach it.
    """
    kinds: dict[Callable[..., Any], Kind] = {}
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        module = importlib.import_module(info.name)
        own = {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == info.name and name[0] != "_"}
        for value in own.values():
            if isinstance(value, type) and dataclasses.is_dataclass(value):
                has = {*dir(value), *(field.name for field in dataclasses.fields(value))}
                fits = [kind for kind in Kind if {name for name in vars(kind.value) if name[0] != "_"} <= has]
                if not fits and not MARKS & has:
                    continue
                if not fits:
                    raise ConformanceError(f"{info.name}.{value.__name__}", "a public dataclass", "must fit a protocol of the vocabulary")
                kinds[value] = fits[0]
        for value in own.values():
            if inspect.isfunction(value) and (made := inspect.signature(value).return_annotation) in kinds:
                kinds[value] = kinds[made]
    return kinds


def found(kind: Kind, package: types.ModuleType = algorithms) -> list[Callable[..., Any]]:
    """The members of a package that are of one kind."""
    return [member for member, its in members(package).items() if its is kind]


def any_of(kind: Kind, *others: Any) -> st.SearchStrategy[Any]:
    """An instance of any of the package's algorithms of that kind, or one of the others."""
    return st.one_of([*(st.just(other) for other in others), *(instances(member) for member in found(kind))])


def typical(strategy: st.SearchStrategy[Any]) -> Any:
    """The first value that a strategy draws, of the simplest choices where these are accepted: the same in every run."""
    first = hypothesis.settings(database=None, derandomize=True, phases=[hypothesis.Phase.generate])  # to shrink it takes up to a second
    return hypothesis.find(strategy, lambda _: True, settings=first)


@functools.cache
def oblivious() -> tuple[Callable[..., Any], ...]:
    """The environments of the package that keep no memory."""
    return tuple(member for member in found(Kind.ENVIRONMENT) if typical(instances(member)).memory().size == 0)


def pipelines(
    policies: st.SearchStrategy[Any],
    environments: st.SearchStrategy[Any] | None = None,
    randomisers: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[Pipeline]:
    """Pipelines with such a policy and everything else drawn, the identities included; batches of one round where the policy chooses its
    batches itself. By default environments and randomisers of the package. Nothing is asked of what is drawn: some load data, and what is
    imported for that may use random numbers, of which Hypothesis warns."""
    places = any_of(Kind.ENVIRONMENT) if environments is None else environments
    clients = any_of(Kind.RANDOMISER, NoRandomiser()) if randomisers is None else randomisers
    corruptions, shufflers = any_of(Kind.CORRUPTION, NoCorruption()), any_of(Kind.SHUFFLER, NoShuffling(), NoShuffling(4))

    @st.composite
    def drawn(draw: st.DrawFn) -> Pipeline:
        policy, environment, randomiser, corruption = draw(policies), draw(places), draw(clients), draw(corruptions)
        if policy.kernels.at_batch_end is not None:
            return Pipeline(policy, environment, randomiser, corruption)
        return Pipeline(policy, environment, randomiser, corruption, draw(shufflers))

    return drawn()
