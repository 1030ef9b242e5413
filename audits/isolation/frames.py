"""What travels between an audit and the child process that runs a user's code: requests one way, answers the other."""

import io
import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from banditproof.audits.data_forms import DataForm
    from banditproof.audits.subjects import Form
    from banditproof.guarantees import Guarantee, NeighbouringRelation
    from banditproof.interaction import Floats
    from banditproof.mechanism import Neighbours

BEGUN, SIDE, WORDS = 0, 1, 2  # words of shared memory: calls of the user's code that have begun, the dataset of the last one (from 0)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The first request: where the child imports from, and what it is allowed."""

    path: tuple[str, ...]  # sys.path of the parent
    parent: int  # its process id
    memory: int | None  # bytes
    traces: bool  # whether a crash prints where it happened


@dataclass(frozen=True, kw_only=True)
class Adapt:
    """Finds the user's object, by its name or in a pickle, and makes it a mechanism (`subjects.adapt`). Answered by Description."""

    name: str
    pickled: bytes | None = None
    neighbours: Any = None
    relation: "NeighbouringRelation | None" = None
    data_as: "DataForm | None" = None
    examples: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Description:
    """What an audit needs to know of a mechanism without calling it."""

    form: "Form"
    declared_neighbours: "Neighbours | None"
    stated_guarantee: "Guarantee | None"
    seedable: bool
    theorems: tuple[str, ...]
    data_as: "DataForm"


@dataclass(frozen=True)
class Draw:
    """Outputs on one dataset or on two by turns: for each its cells, so many outputs of a generator. Answered by Outputs, and Done."""

    datasets: tuple[Any, ...]
    cells: "tuple[tuple[tuple[int, np.random.Generator], ...], ...]"


@dataclass(frozen=True)
class Outputs:
    """Some outputs on one of the datasets, shape (n, w), in the order in which they were drawn."""

    side: int
    rows: "Floats"


@dataclass(frozen=True)
class Frozen:
    """Two runs with frozen releases (`privacy.subject.replayed_on`). Answered by Done, with a Measurement."""

    pair: tuple[Any, Any]
    claim: "Guarantee"
    seed: int
    contract: bool
    subject: str


@dataclass(frozen=True)
class Done:
    """A request was carried out."""

    value: Any = None


@dataclass(frozen=True)
class Refused:
    """A ValueError of ours: bad input, or outputs that have no form."""

    message: str


@dataclass(frozen=True)
class Raised:
    """The user's code raised: what, in one line, and its traceback."""

    message: str
    trace: str


def packed(value: Any) -> bytes:
    """A request or an answer as bytes."""
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes) -> Any:
    """The inverse of `packed` in the parent, which imports no code of the user's. Raises ValueError on an object of a user's type."""
    try:
        return _Ours(io.BytesIO(data)).load()
    except pickle.UnpicklingError as error:
        raise ValueError(str(error)) from None


_KNOWN = ("banditproof", "numpy", "scipy", "builtins", "collections", "fractions", "decimal", "datetime")


class _Ours(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in _KNOWN:
            raise pickle.UnpicklingError(f"states a guarantee or neighbours of a type of its own, {module}.{name}")
        return super().find_class(module, name)
