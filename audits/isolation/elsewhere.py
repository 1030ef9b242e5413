"""A mechanism whose code runs in a child process, as the auditor sees it."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from banditproof.audits.data_forms import DataForm
from banditproof.audits.isolation.child import Child, ChildEnded, Limits, most_memory, started
from banditproof.audits.isolation.frames import Adapt, Done, Draw, Frozen, Raised, Refused
from banditproof.audits.privacy.outputs import to_width
from banditproof.audits.statistics.sampling import cells
from banditproof.audits.subjects import EndedEarly, Subject, adapt
from banditproof.guarantees import Guarantee, NeighbouringRelation, shown
from banditproof.interaction import Floats
from banditproof.randomness import key_of

if TYPE_CHECKING:
    from banditproof.audits.statistics.evidence import Measurement

MOST_KEPT = 1 << 24  # numbers of both sides that are kept for a verdict in case the child ends early


@dataclass
class Kept:
    """The outputs that have arrived on each of two datasets, in the order of their draws, up to MOST_KEPT numbers."""

    parts: tuple[list[Floats], list[Floats]] = field(default_factory=lambda: ([], []))
    numbers: int = 0

    def add(self, side: int, rows: Floats) -> None:
        """Keeps outputs, unless there are too many."""
        if self.numbers + rows.size <= MOST_KEPT:
            self.parts[side].append(rows)
            self.numbers += rows.size
        else:
            self.numbers = MOST_KEPT + 1  # nor any later ones: what is kept is the beginning

    def outputs(self) -> tuple[Floats, Floats]:
        """What was kept, (n, w) and (m, w)."""
        width = max((rows.shape[1] for part in self.parts for rows in part), default=1)
        dataset, neighbour = (np.concatenate([np.empty((0, width)), *(to_width(rows, width) for rows in part)]) for part in self.parts)
        return dataset, neighbour

    def __len__(self) -> int:
        return sum(len(rows) for part in self.parts for rows in part)


@dataclass(frozen=True)
class Elsewhere:
    """The user's code in a child, which is alive as long as its context is open."""

    child: Child
    name: str

    def mechanism(
        self,
        *,
        pickled: bytes | None = None,
        neighbours: Any = None,
        relation: NeighbouringRelation | None = None,
        data_as: DataForm | None = None,
        examples: tuple[Any, ...] = (),
    ) -> Subject:
        """The user's object as a mechanism whose outputs come from the child; the arguments are those of `subjects.adapt`. Raises
        ValueError as `load_subject` and `adapt` do, EndedEarly if the import does not end well."""
        request = Adapt(name=self.name, pickled=pickled, neighbours=neighbours, relation=relation, data_as=data_as, examples=examples)
        found = self._value(request, "while it was imported")
        return Subject(
            self.name,
            _never_here,
            found.form,
            found.declared_neighbours,
            found.stated_guarantee,
            found.seedable,
            found.theorems,
            found.data_as,
            elsewhere=self,
        )

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Outputs on `data`, shape (runs, w), as `Subject.release` gives them. Raises EndedEarly if the user's code does not return."""
        rows = [part for _, part in self._drawn((data,), (((runs, rng),),), 0, keeps=False)]
        width = max(part.shape[1] for part in rows)
        return np.concatenate([to_width(part, width) for part in rows])

    def source(self, pair: tuple[Any, Any], seed: int, path: tuple[str, ...]) -> "Drawn":
        """The outputs on two neighbours, with the random numbers of `outputs.Sampled`."""
        return Drawn(self, pair, seed, path)

    def replayed(self, pair: tuple[Any, Any], claim: Guarantee, *, seed: int, contract: bool, subject: str) -> "Measurement":
        """Two runs with frozen releases (`privacy.subject.replayed_on`)."""
        found: Measurement = self._value(Frozen(pair, claim, seed, contract, subject), "in a run with frozen releases").value
        return found

    def draw(self, pair: tuple[Any, Any], parts: Any, kept: Kept) -> Iterator[tuple[int, Floats]]:
        """Outputs on two datasets as they come, by turns, each kept. Raises EndedEarly, which says how many were."""
        for side, rows in self._drawn(pair, parts, len(kept), keeps=True):
            kept.add(side, rows)
            yield side, rows

    def _drawn(self, datasets: tuple[Any, ...], parts: Any, before: int, keeps: bool) -> Iterator[tuple[int, Floats]]:
        got, first = before, self.child.calls
        try:
            self.child.ask(Draw(datasets, parts))
            while not isinstance(answer := self._answer(), Done):
                got += len(answer.rows)
                self.child.outputs += len(answer.rows)
                yield answer.side, answer.rows
        except (ChildEnded, RaisedThere) as error:
            where = f" in call {self.child.calls:,}, on {shown(datasets[self.child.side])}" if self.child.calls > first else ""
            kept = f"{got:,} outputs were kept" if keeps else "no outputs were kept"
            trace = error.trace if isinstance(error, RaisedThere) else ""
            raise EndedEarly(f"{self._said(error)}{where}; {kept}", trace) from None

    def _value(self, request: Any, when: str) -> Any:
        try:
            self.child.ask(request)
            return self._answer()
        except ChildEnded as error:
            raise EndedEarly(f"{self._said(error)} {when}; no outputs were kept") from None
        except RaisedThere as error:
            raise EndedEarly(self._said(error), error.trace) from None

    def _said(self, error: "ChildEnded | RaisedThere") -> str:
        """How it ended, with the name of the user's object."""
        memory = self.child.limits.memory
        said = str(error) if isinstance(error, RaisedThere) else f"{self.name} {error}"
        limit = f" (--memory: {memory / 2**30:.3g} GiB)" if memory is not None and "MemoryError" in said else ""
        return said + limit

    def _answer(self) -> Any:
        """The next answer. Raises ValueError and RaisedThere as the child says."""
        answer = self.child.answer()
        match answer:
            case Refused():
                raise ValueError(answer.message)
            case Raised():
                raise RaisedThere(answer.message, answer.trace)
            case _:
                return answer


class RaisedThere(RuntimeError):
    """The user's code raised in the child; `trace` is its traceback."""

    def __init__(self, message: str, trace: str) -> None:
        super().__init__(message)
        self.trace = trace


@dataclass(frozen=True)
class Drawn:
    """Fresh draws of a child on two neighbours, by turns: a child that ends early leaves outputs on both of them, which are `kept`."""

    elsewhere: Elsewhere
    pair: tuple[Any, Any]
    seed: int
    path: tuple[str, ...]
    kept: Kept = field(default_factory=Kept)

    def outputs(self) -> tuple[Floats, Floats]:
        """What has arrived so far on each dataset."""
        return self.kept.outputs()

    def both(self, role: str, runs: tuple[int, int]) -> Iterator[tuple[int, Floats]]:
        parts = tuple(tuple(cells(key_of(self.seed, *self.path, role, side), runs[side])) for side in (0, 1))
        return self.elsewhere.draw(self.pair, parts, self.kept)


@contextlib.contextmanager
def here_or_in_a_child(
    subject: Any,
    timeout: float | None,
    *,
    neighbours: Any = None,
    relation: NeighbouringRelation | None = None,
    examples: tuple[Any, ...] = (),
) -> Iterator[Subject]:
    """An object as a mechanism (`subjects.adapt`): in this process, or with a `timeout` (seconds per call) in a child. Raises ValueError on
    a timeout that is none, and on an object that cannot be sent to another process."""
    if timeout is None:
        yield adapt(subject, neighbours=neighbours, relation=relation, examples=examples)
        return
    if not timeout > 0.0:
        raise ValueError(f"timeout = {timeout}: must be > 0 (seconds for one call)")
    name = getattr(subject, "__name__", type(subject).__name__)
    pickled = _pickled(subject, name)
    with started(Limits(timeout=timeout, memory=most_memory())) as child:
        yield Elsewhere(child, name).mechanism(pickled=pickled, neighbours=neighbours, relation=relation, examples=examples)


def _pickled(subject: Any, name: str) -> bytes:
    """An object and the code of its module: the child may be unable to import that, as a file of tests."""
    import cloudpickle

    named = getattr(subject, "__module__", None) or type(subject).__module__
    module = None if named.partition(".")[0] == "banditproof" else sys.modules.get(named)
    try:
        if module is not None:
            cloudpickle.register_pickle_by_value(module)
        found: bytes = cloudpickle.dumps(subject)
    except Exception as error:  # whatever the object's parts raise
        raise ValueError(f"{name}: cannot be sent to another process ({error}); it can be audited here, without a timeout") from None
    finally:
        if module is not None:
            cloudpickle.unregister_pickle_by_value(module)
    return found


def _never_here(*arguments: Any) -> NoReturn:
    raise RuntimeError("the user's code runs in its child process alone")
