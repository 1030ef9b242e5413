"""Kernels as plain Python on numbers that are followed: nothing is asked of them.

A kernel's Python function is made again with other globals: what it calls of `randomness` and of the draws by the array writes down what it
draws, and what it calls of its own is made again too. Arrays of floats hold objects, so that a number with noise in it can be kept there,
added to others and read again before anything is released.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from banditproof import lanes, randomness
from banditproof.algorithms.draws import arrays, kept_normals, laplaces, words
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.audits.privacy.noisy import Noise, Variate
from banditproof.audits.privacy.numbers import Coin, Number
from banditproof.audits.privacy.recording import Recording
from banditproof.interaction import Words
from banditproof.kernels import plain

Address = tuple[Any, ...]


class _Module:
    """A module of which everything is found as a function finds it that is made again."""

    def __init__(self, module: ModuleType, value: Callable[[Any], Any]) -> None:
        self._module, self._value = module, value

    def __getattr__(self, name: str) -> Any:
        return self._value(getattr(self._module, name))


@dataclass
class Rebuilt:
    """Makes kernels again, and every function of ours that they reach, as plain Python with other functions in the place of some."""

    made: dict[Any, Callable[..., Any]]

    def function(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel, or another function, made again."""
        given = plain(kernel)
        if given in self.made or not isinstance(given, FunctionType):
            return self.made.get(given, given)
        scope: dict[str, Any] = dict(given.__globals__)
        cells = tuple(CellType(self._value(cell.cell_contents)) for cell in given.__closure__ or ())
        made = FunctionType(given.__code__, scope, given.__name__, given.__defaults__, cells)
        made.__kwdefaults__ = given.__kwdefaults__
        self.made[given] = made
        for name in _names(given.__code__):
            if name in scope:
                scope[name] = self._value(scope[name])
        return made

    def _value(self, value: Any) -> Any:
        """What a function finds under a name: kernels and functions of ours made again, in our modules too, everything else as it is."""
        if isinstance(value, ModuleType):
            return _Module(value, self._value) if value.__name__.split(".")[0] == "banditproof" else value
        given = plain(value) if callable(value) and not isinstance(value, (type, BuiltinFunctionType)) else value
        ours = isinstance(given, FunctionType) and given.__module__.split(".")[0] not in _OTHERS
        return self.function(given) if ours else value


class Followed:
    """Makes the functions of one run whose draws are followed. The same address gives the same variate."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._variates: dict[Address, int] = {}
        self._room = np.zeros(kept_normals.ROOM)
        replaced: dict[Callable[..., Any], Callable[..., Any]] = {
            randomness.laplace: self._laplace,
            randomness.normal: self._normal,
            randomness.uniform: self._uniform,
            randomness.block: self._block,
            randomness.key_from: self._key_from,
            laplaces.laplaces: self._laplaces,
            arrays.normals: self._normals,
            kept_normals.kept_normal: self._kept_normal,
            kept_normals.consecutive: self._consecutive,
            words.short_block: self._short_block,
            words.short_lanes: self._short_lanes,
            gram_noise.wishart_nodes: self._wishart_nodes,
        }
        replaced |= {operation: _of_floats(operation) for operation in _ENDING}
        self._rebuilt = Rebuilt({plain(kernel): function for kernel, function in replaced.items()})

    def function(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel, or another function, as this run plays it."""
        return self._rebuilt.function(kernel)

    # --- draws ------------------------------------------------------------------------------------------------------------------------

    def _at(self, kind: Noise, address: Address, value: float) -> Number:
        """The variate of an address; `value` is what is drawn there."""
        recording = self.recording
        if address not in self._variates:
            self._variates[address] = at = len(recording.variates)
            turned = recording.signs.get(at, 0) * abs(value) or value
            recording.variates.append(Variate(kind, recording.draws[-1].place, turned))
        return Number(recording, 0.0, {self._variates[address]: 1.0})

    def _laplace(self, key: Words, purpose: int, index: int) -> Number:
        self.recording.noted("laplace", f"{purpose}, {index}")
        return self._at(Noise.LAPLACE, (*key.tolist(), purpose, index), plain(randomness.laplace)(key, purpose, index))

    def _normal(self, key: Words, purpose: int, index: int) -> Number:
        self.recording.noted("normal", f"{purpose}, {index}")
        return self._at(Noise.NORMAL, (*key.tolist(), purpose, index), plain(randomness.normal)(key, purpose, index))

    def _uniform(self, key: Words, purpose: int, index: int) -> Coin:
        draw = self.recording.noted("uniform", f"{purpose}, {index}")
        public = purpose in (randomness.CHOICES, randomness.SHUFFLING)

        def hides() -> None:
            if not public:
                self.recording.hiding.append(f"{draw} is used as a number")

        return Coin(self.recording, float(plain(randomness.uniform)(key, purpose, index)), draw.place, hides)

    def _key_from(self, rng: np.random.Generator) -> Words:
        return randomness.key_of(self.recording.seed, "followed", len(self.recording.draws))

    def _block(self, key: Words, purpose: int, index: int) -> Any:
        self.recording.noted("random words", f"{purpose}, {index}", hides=True)
        return plain(randomness.block)(key, purpose, index)

    def _laplaces(self, stream: Words, window: int, target: Any) -> None:
        self.recording.noted("Laplace numbers of a window", f"{window}")
        drawn = np.zeros(laplaces.TOGETHER)
        plain(laplaces.laplaces)(stream, window, drawn)
        for place in range(laplaces.TOGETHER):
            target[place] = self._at(Noise.LAPLACE, (*stream.tolist(), "window", window, place), float(drawn[place]))

    def _normals(self, key: Words, purpose: int, first: int, target: Any, room: Any) -> None:
        rows, columns = target.shape
        self.recording.noted("normals", f"{purpose}, {first}, size={target.shape}")
        drawn, pairs = np.zeros((rows, columns)), columns // 2
        plain(arrays.normals)(key, purpose, first, drawn, np.zeros(arrays.normals_room(rows, columns)))
        for row, column in np.ndindex(rows, columns):
            half, pair = divmod(column, pairs)
            address = (*key.tolist(), purpose, "pair", (first + row) * pairs + pair, half)
            target[row, column] = self._at(Noise.NORMAL, address, float(drawn[row, column]))

    def _kept_normal(self, room: Any, key: Words, purpose: int, index: int) -> Number:
        """From a room of this run's own: what the kernel is given may hold objects, and is left alone."""
        self.recording.noted("normal", f"{purpose}, {index}")
        window, place = divmod(index, 2 * words.LANES)
        half, pair = divmod(place, words.LANES)
        value = plain(kept_normals.kept_normal)(self._room, key, purpose, index)
        return self._at(Noise.NORMAL, (*key.tolist(), purpose, "pair", window * words.LANES + pair, half), value)

    def _consecutive(self, room: Any, key: Words, purpose: int, first: int, target: Any) -> None:
        for place in range(target.shape[0]):
            target[place] = self._kept_normal(room, key, purpose, first + place)

    def _short_block(self, stream: Words, index: Any) -> Any:
        self.recording.noted("random words", f"{int(index)}", hides=True)
        return plain(words.short_block)(stream, index)

    def _short_lanes(self, stream: Words, first: int, step: int) -> Any:
        self.recording.noted("random words", f"{first}, {step}", hides=True)
        return plain(words.short_lanes)(stream, first, step)

    def _wishart_nodes(self, key: Words, first: int, gammas: Any, scale: float, fresh: Any, scratch: Any) -> None:
        """Each entry of a node is a variate of its own: the loss of a shift is not computed from them, but which entries move is."""
        self.recording.noted("wishart_nodes", f"{first}, size={fresh.shape}")
        drawn, room = np.zeros(fresh.shape), type(scratch)(*(np.zeros_like(each, dtype=_kept(each)) for each in scratch))
        numbers = type(gammas)(*(each.astype(float) for each in gammas))
        plain(gram_noise.wishart_nodes)(key, first, numbers, 1.0, drawn, room)
        for row, column in np.ndindex(*fresh.shape):
            fresh[row, column] = scale * self._at(Noise.OTHER, ("wishart", *key.tolist(), first + row, column), float(drawn[row, column]))


def _kept(array: Any) -> Any:
    """The type of an array before it held objects."""
    return float if array.dtype == object else array.dtype


# Operations of lanes that take numbers themselves, not their sums and multiples.
_ENDING = (lanes.absolute, lanes.bits_of, lanes.floats, lanes.largest, lanes.ratio, lanes.roots)


def _of_floats(operation: Callable[..., Any]) -> Callable[..., Any]:
    """The operation on lanes that hold objects: what is followed in them is released."""

    def made(*given: Any) -> Any:
        return operation(*(each.astype(float) if isinstance(each, np.ndarray) and each.dtype == object else each for each in given))

    return made


_OTHERS = ("numpy", "scipy", "numba", "math", "builtins", "functools")


def _names(code: CodeType) -> set[str]:
    """The global names that a function's code mentions, those of functions inside it too."""
    inside = [_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inside)


PUBLIC = ("release", "released")  # arrays of a state that are named so hold what is released: a number is released when it is put there


def holding_objects(state: Any, name: str = "") -> Any:
    """A state whose arrays of floats hold objects; the public ones, whole numbers and keys stay."""
    if isinstance(state, np.ndarray):
        return state.astype(object) if state.dtype.kind == "f" and name not in PUBLIC else state
    if isinstance(state, tuple):  # the settings and parts of a state are named tuples
        return type(state)(*(holding_objects(each, field) for field, each in cast(Any, state)._asdict().items()))
    return state


def plain_numbers(values: Any) -> Any:
    """An array as nested lists; what is still followed in it is released."""
    if isinstance(values, (Number, Coin)):
        return values.ended("") if isinstance(values, Number) else float(values)
    if isinstance(values, np.ndarray):
        return [plain_numbers(each) for each in values.tolist()] if values.ndim else plain_numbers(values.item())
    if isinstance(values, (list, tuple)):
        return [plain_numbers(each) for each in values]
    return values
