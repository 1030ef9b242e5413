"""What a user points at, made a mechanism: "MODULE:OBJECT" or "path/to/file.py:OBJECT".

Main definitions
    load     finds the object
    adapt    makes it a mechanism: a plain f(data, rng), a vectorised f(data, runs, rng), or an object with `release`
    repeats  tells whether its noise comes from the generator that it is given

An attribute `neighbours` (or `neighbours`) on the function or object says where neighbours are looked for: a `Neighbours`, a dictionary of
its fields, or a sequence of pairs. Data reach the user's code as plain numbers and lists, whoever made them, unless the annotation of its
first parameter or `data_as` says otherwise (`data_forms`).
"""

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from banditproof.audits.data_forms import Columns, DataForm, annotated_form, columns_of, given_form, hint, in_form
from banditproof.audits.privacy.declared import declared_datasets, declared_neighbours, plain
from banditproof.audits.privacy.encoding import NotEncodable, encoded, matrix, stacked
from banditproof.audits.running import located
from banditproof.guarantees import Guarantee, NeighbouringRelation, claim, named, shown
from banditproof.mechanism import Neighbours

if TYPE_CHECKING:
    from banditproof.audits.privacy.outputs import KeptSource
    from banditproof.audits.statistics.evidence import Measurement
    from banditproof.interaction import Floats

NO_SEED = "the noise does not come from the generator that the audit gives: the draws, and so the numbers, differ from run to run"
_REPEATED = 64  # runs with each dataset, drawn twice: two honest coin flips agree with probability 2 ** -64
ENCODABLE = "must be made of numbers, text, bytes, None, and sequences, dictionaries, sets, arrays or data frames of them"
_FORMS = "a function f(data, rng), a vectorised f(data, runs, rng), or an object with `release` and `neighbours`"


class SubjectRaised(RuntimeError):
    """The user's own code raised; the cause is what it raised."""

    def __init__(self, name: str, cause: BaseException, more: str = "") -> None:
        super().__init__(f"{name} raised {type(cause).__name__}: {cause}".rstrip(": ") + more)
        self.__cause__ = cause


class EndedEarly(RuntimeError):
    """The user's code, in a child process, ended before its outputs were complete. The message is one line: how, in which call, and how
    many outputs were kept; `trace` is the traceback of what it raised, or "". `measured` is what those outputs show of the claim, None
    where they are too few, or no pair of datasets was settled on."""

    def __init__(self, message: str, trace: str = "", measured: "Measurement | None" = None) -> None:
        super().__init__(message)
        self.trace, self.measured = trace, measured

    def __reduce__(self) -> "tuple[type[EndedEarly], tuple[str, str, Measurement | None]]":
        """How it travels between processes: with its measurement."""
        return type(self), (str(self), self.trace, self.measured)


class Place(Protocol):
    """Where the user's code runs, if not here (`isolation.elsewhere`)."""

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> "Floats": ...
    def source(self, pair: tuple[Any, Any], seed: int, path: tuple[str, ...]) -> "KeptSource": ...
    def replayed(self, pair: tuple[Any, Any], claim: Guarantee, *, seed: int, contract: bool, subject: str) -> "Measurement": ...


class Form(Enum):
    """How a release is called."""

    PLAIN = "f(data, rng)"  # one output per call
    VECTORISED = "f(data, runs, rng)"  # `runs` outputs per call


@dataclass(frozen=True)
class Subject:
    """A user's object as a mechanism. `declared_neighbours` and `stated_guarantee` are None where the object has none."""

    name: str
    call: Callable[..., Any]
    form: Form
    declared_neighbours: Neighbours | None = None
    stated_guarantee: Guarantee | None = None
    seedable: bool = True  # what the object says of itself
    theorems: tuple[str, ...] = ()
    data_as: DataForm = DataForm.LIST
    elsewhere: Place | None = None  # None: its code runs in this process
    columns: Columns | None = None  # of the datasets that are compared, where they are data frames

    @property
    def stem(self) -> str:
        """The name without its folder, which keys the draws: the same file elsewhere gives the same verdict."""
        return self.name.replace("\\", "/").rpartition("/")[2]

    def guarantee(self) -> Guarantee:
        """What the object states of itself. Raises ValueError if it states nothing."""
        return claim(self.stated_guarantee, name=self.name)

    def neighbours(self) -> Neighbours:
        """Raises ValueError, saying how to give them, if the object declares none."""
        if self.declared_neighbours is None:
            raise ValueError(
                f"{self.name}: says nothing about neighbouring datasets; give two, or where to look for them, "
                'as {"low": 0, "high": 1, "lengths": [1, 4]} or as an attribute `neighbours` on the object'
            )
        return self.declared_neighbours

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> "Floats":
        """Outputs on `data`, shape (runs, width); rows that end early are padded with MARK. Draws from rng.

        Raises SubjectRaised if the user's code raises, ValueError if it returns another shape or changes its data in place; EndedEarly
        if it runs in a child that ends.
        """
        if self.elsewhere is not None:
            return self.elsewhere.release(data, runs, rng)
        given, kept = self.given(data), plain(data)
        match self.form:
            case Form.PLAIN:
                outputs = self.stacked([self.called(given, rng) for _ in range(runs)])
            case Form.VECTORISED:
                outputs = self.matrix(self.called(given, runs, rng), runs)
        self.require_unchanged(given, kept)
        return outputs

    def once(self, data: Any, rng: np.random.Generator) -> Any:
        """One output on a copy of `data`, as the user's code returns it. Raises SubjectRaised if that raises."""
        match self.form:
            case Form.PLAIN:
                return self.called(self.given(data), rng)
            case Form.VECTORISED:
                return self.called(self.given(data), 1, rng)

    def given(self, data: Any) -> Any:
        """A copy of a dataset as the user's code wants it."""
        return in_form(plain(data), self.data_as, self.columns)

    def called(self, *arguments: Any) -> Any:
        """What the user's code returns. Raises SubjectRaised if it raises."""
        try:
            return self.call(*arguments)
        except (Exception, SystemExit, GeneratorExit) as error:  # the user's code: its error is reported as its own, never as ours
            raise SubjectRaised(self.name, error, hint(error, self.data_as, arguments[0])) from error

    def require_unchanged(self, given: Any, kept: Any) -> None:
        """Raises ValueError if the data that the user's code was given are no longer those of the plain copy."""
        if not same_data(given, in_form(kept, self.data_as, self.columns)):
            raise ValueError(f"{self.name} changes its data in place: it must work on a copy, since it is called again on the same data")

    def stacked(self, outputs: list[Any]) -> "Floats":
        """The outputs of several calls, one row each. Raises ValueError, naming one that has no exact form."""
        try:
            return stacked(outputs)
        except NotEncodable:
            for output in outputs:
                self._require_encodable(output)
            raise

    def matrix(self, output: Any, runs: int) -> "Floats":
        """The outputs of one call, one row each. Raises ValueError, naming what was returned, on another shape and as `stacked` does."""
        wanted = f"({runs},) or ({runs}, width), one row for each of {runs} runs"
        try:
            found = matrix(output, runs)
        except NotEncodable as error:
            raise ValueError(f"{self.name} returned an output of which a part {error}: {ENCODABLE}") from None
        if found is None:
            shape = f"shape {output.shape}" if isinstance(output, np.ndarray) else shown(output)
            raise ValueError(f"{self.name} returned {shape}: must be {wanted}")
        return found

    def _require_encodable(self, output: Any) -> None:
        try:
            stacked([output])
        except NotEncodable as error:
            raise ValueError(f"{self.name} returned an output of which a part {error}: {ENCODABLE}") from None


def load_subject(spec: str) -> Any:
    """The object that "MODULE:OBJECT" or "path/to/file.py:OBJECT" names; OBJECT may be dotted.

    Modules are also looked for in the current folder; a file is run anew at each call. Raises ValueError, naming what is missing;
    SubjectRaised if the import raises.
    """
    place, path = located.parts_of(spec)
    found: Any = _file(place) if located.is_file(place) else _module(place)
    for attribute in path.split("."):
        try:
            found = getattr(found, attribute)
        except AttributeError:
            near = get_close_matches(attribute, [name for name in dir(found) if not name.startswith("_")], n=3, cutoff=0.5)
            raise ValueError(f"{spec}: there is no {attribute!r} in {place}" + (f"; nearest: {', '.join(near)}" if near else "")) from None
    return found


def adapt(
    subject: Any,
    *,
    name: str = "",
    neighbours: Mapping[str, Any] | Neighbours | None = None,
    relation: NeighbouringRelation | None = None,
    data_as: DataForm | None = None,
    examples: tuple[Any, ...] = (),
) -> Subject:
    """The mechanism that an object stands for. `neighbours`, `relation` and `data_as` override what it declares itself; `examples` are the
    datasets that are compared, as they are given: their columns are those of every data frame, and where nothing else says so, what they
    are is what the function gets.

    A callable with a parameter `runs`, or with three, is vectorised. Raises ValueError, naming the rule, for anything that is no
    mechanism or declares its neighbours in a way that cannot be read.
    """
    name = name or getattr(subject, "__name__", type(subject).__name__)
    if inspect.isclass(subject):
        subject = _instance(subject, name)
    call = getattr(subject, "release", subject)
    if not callable(call):
        raise ValueError(f"{name} is {_article(type(subject).__name__)}: must be {_FORMS}")
    if inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call):
        raise ValueError(f"{name} is an async function: must be {_FORMS}")
    guarantee = getattr(subject, "guarantee", None)
    stated_guarantee: Any = _stated_by(guarantee, name) if callable(guarantee) else guarantee
    if not isinstance(stated_guarantee, Guarantee | None):
        rule = "must be None or a guarantee, as banditproof.claim(epsilon=1) gives it"
        raise ValueError(f"{name}: its guarantee{'()' * callable(guarantee)} is {shown(stated_guarantee)}: {rule}")
    declared = neighbours if neighbours is not None else getattr(subject, "neighbours", getattr(subject, "domain", None))
    if callable(declared):
        declared = _stated_by(declared, name)
    relation = named(NeighbouringRelation, relation, "relation")
    between = relation or (None if stated_guarantee is None else stated_guarantee.relation)
    where = None if declared is None else declared_neighbours(declared, name, between)
    wrapped, form, data = _form(call, name)
    examples = examples or tuple(declared_datasets(declared))
    data_as = data_as or annotated_form(call, data) or given_form(examples) or DataForm.LIST
    examples = examples if given_form(examples) else tuple(map(plain, examples))
    return Subject(
        name,
        wrapped,
        form,
        where,
        stated_guarantee,
        bool(getattr(subject, "seedable", True)),
        tuple(getattr(subject, "theorems", ())),
        data_as,
        columns=columns_of(examples, data_as),
    )


def repeats(mechanism: Subject, pair: tuple[Any, Any], seed: int) -> bool:
    """Whether the same generator state gives the same outputs twice, on a few runs with each of two datasets. False if the object says so
    of itself. Raises ValueError where all of these are None."""
    if not mechanism.seedable:
        return False
    once, again = ([mechanism.release(data, _REPEATED, np.random.default_rng(seed)) for data in pair] for _ in range(2))
    if all(np.all(outputs == encoded(None)) for outputs in once):
        raise ValueError(f"{mechanism.name} returned None in each of {_REPEATED} runs on both datasets: a return statement is missing")
    return all(np.array_equal(*outputs, equal_nan=True) for outputs in zip(once, again, strict=True))


@contextlib.contextmanager
def _no_bytecode() -> Iterator[None]:
    """Compiled files are distinguished by second and size alone: a subject that was fixed at once would be judged in its old form."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _module(name: str) -> Any:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:  # a console script does not look here by itself
        sys.path.insert(0, str(Path.cwd()))
    try:
        with _no_bytecode():
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise ValueError(f"module {name!r}: there is none of this name, here or among the installed packages") from None
        raise SubjectRaised(f"importing {name}", error) from error
    except (Exception, SystemExit) as error:  # the user's module
        raise SubjectRaised(f"importing {name}", error) from error


def _file(place: str) -> Any:
    path = located.file_of(place)
    known = getattr(sys.modules.get(path.stem), "__file__", None)
    free = path.stem.isidentifier() and (path.stem not in sys.modules or known == str(path))
    name = path.stem if free else f"_subject_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"file {place!r}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look here
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # what stands beside it can be imported, as when Python runs the file
    try:
        with _no_bytecode():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # the user's file
        del sys.modules[name]
        raise SubjectRaised(f"importing {place}", error) from error
    return module


def _instance(kind: type[Any], name: str) -> Any:
    needed = [item.name for item in _parameters(kind, name) if item.default is item.empty and item.kind not in _VARIADIC]
    if needed:
        raise ValueError(
            f"{name} is a class whose instances need {', '.join(needed)}: name an instance, as `mechanism = {kind.__name__}(...)`"
        )
    try:
        return kind()
    except Exception as error:  # the user's constructor
        raise SubjectRaised(name, error) from error


_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(call: Callable[..., Any], name: str) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        raise ValueError(f"{name}: its parameters cannot be read; wrap it, as `def f(data, rng): ...`") from None


def _form(call: Callable[..., Any], name: str) -> tuple[Callable[..., Any], Form, str]:
    """How to call it by position, told by the names and the number of its parameters, and the name of the one for the data."""
    parameters = _parameters(call, name)
    keyword = {item.name for item in parameters if item.kind is item.KEYWORD_ONLY}
    names = [
        item.name for item in parameters if item.kind not in _VARIADIC and (item.default is item.empty or item.name in ("runs", "rng"))
    ]
    if "runs" in names and len(names) == 3:
        others = [item for item in names if item != "runs"]
        generator = "rng" if "rng" in others else others[-1]
        data = next(item for item in others if item != generator)
        if names == [data, "runs", generator] and not keyword & set(names):
            return call, Form.VECTORISED, data
        return lambda value, runs, rng: call(**{data: value, "runs": runs, generator: rng}), Form.VECTORISED, data
    if len(names) == 3 and not keyword & set(names):
        return call, Form.VECTORISED, names[0]
    if len(names) == 2 and "runs" not in names:
        first, last = names
        if last in keyword or first in keyword:
            return lambda value, rng: call(**{first: value, last: rng}), Form.PLAIN, first
        return call, Form.PLAIN, first
    raise ValueError(f"{name}({', '.join(item.name for item in parameters)}): must be {_FORMS}")


def _stated_by(call: Callable[[], Any], name: str) -> Any:
    try:
        return call()
    except Exception as error:  # the user's code
        raise SubjectRaised(name, error) from error


def same_data(given: Any, kept: Any) -> bool:
    return type(given) is type(kept) and repr(_listed(given)) == repr(_listed(kept))


def _listed(data: Any) -> Any:
    return (data.to_dict(), str(data.dtypes)) if type(data).__name__ in ("DataFrame", "Series") else plain(data)


def _article(kind: str) -> str:
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"
