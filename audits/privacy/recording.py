"""A generator that writes down what is drawn from it, and follows its noise to the numbers that are released.

The variates of a draw depend on the seed and on how many draws came before, not on the data, so a second run draws the same. Noise with a
location and a scale (normal, Laplace, logistic) is handed out as a `Noisy` array, which remembers the sum that it is: a number plus
multiples of single variates. Additions, scaling, indexing and rearranging keep the sum: `x + rng.laplace(0, 2, 3)`, `rng.normal(x, 2)`,
`np.cumsum(x) - 2 * rng.standard_normal(4).cumsum()`. Where such an array becomes plain numbers (it is returned, compared, rounded, ...),
those are a *release*: their values before the noise are written down, and a second run gets the first one's numbers in their place.
Nothing is asked of the user's function.
"""

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditproof.audits.privacy.noisy import Noise, Noisy, Rows, Variate
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of


@dataclass(frozen=True)
class Draw:
    """One call of the generator: its method, where it was called, and what for."""

    method: str
    place: str
    arguments: str

    def __str__(self) -> str:
        return f"{self.method}({self.arguments}) at {self.place}"


@dataclass(frozen=True)
class Release:
    """Numbers that left the trace: `before` the noise, the weights of the variates in them (a row each), and the released values.

    `use` is what was done with them; "" where the function returned them. `place` is where the last of their noise was drawn."""

    place: str
    before: Floats
    rows: Rows
    value: Floats
    use: str


@dataclass(frozen=True)
class Flip:
    """A uniform number that was compared with `chance`, and whether it is below."""

    place: str
    chance: float
    below: bool


class Diverged(BaseException):
    """The run on the neighbour left the path of the first run, whose released values it was given. No error of the function's, which must
    not catch it: so no Exception."""


@dataclass
class Recording:
    """What one run drew and released. A second run is given the first one's recording as `frozen`; `signs` turns single variates around
    (by position), which is as likely as not to. Nothing is written to `frozen`."""

    seed: int
    frozen: "Recording | None" = None
    signs: Mapping[int, int] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    variates: list[Variate] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)
    flips: list[Flip] = field(default_factory=list)
    hiding: list[str] = field(default_factory=list)  # draws that are not followed, and may hide the data
    used: int = 0  # releases before the function ended

    @property
    def forks(self) -> bool:
        """Whether something random was used before the function ended, so that another run may take another path."""
        return bool(self.used or self.flips or self.hiding)

    def generator(self) -> "RecordingGenerator":
        """The generator for this run."""
        return RecordingGenerator(self)

    def drawn(self, method: str, arguments: str) -> np.random.Generator:
        """Writes a draw down, and returns the stream for its variates. Raises Diverged where the first run drew something else."""
        number = len(self.draws)
        self.noted(method, arguments, hides=method not in FOLLOWED)
        return generator(key_of(self.seed, "recording", str(number)))

    def noted(self, method: str, arguments: str, *, hides: bool = False) -> Draw:
        """Writes a draw down. Raises Diverged where the first run drew something else. `hides`: it is not followed, and may hide
        the data."""
        draw, number = Draw(method, _caller(), arguments), len(self.draws)
        self.draws.append(draw)
        if self.frozen is not None:
            if number >= len(self.frozen.draws):
                raise Diverged(f"draw {number + 1} is {draw} on the neighbour, and there is no such draw on the dataset")
            first = self.frozen.draws[number]
            if (first.method, first.place) != (method, draw.place):
                raise Diverged(f"draw {number + 1} is {first} on the dataset, and {draw} on the neighbour")
        if hides:
            self.hiding.append(f"{draw} is no noise with a location")
        return draw

    def flipped(self, place: str, variate: float, chance: float) -> bool:
        """Writes down a uniform number that is compared with a chance; returns whether it is below, in a second run what it was in the
        first one. `signs` has it below or not by its position -1, -2, ... where that is possible. Raises Diverged as `released` does."""
        number, below = len(self.flips), variate < chance
        wanted = self.signs.get(-1 - number, 0)
        if wanted and 0.0 < chance < 1.0:
            below = wanted > 0
        if self.frozen is not None:
            if number >= len(self.frozen.flips) or self.frozen.flips[number].place != place:
                raise Diverged(f"the number drawn at {place} is compared on the neighbour and not on the dataset")
            below = self.frozen.flips[number].below
        self.flips.append(Flip(place, chance, below))
        return below

    def noise(self, method: str, kind: Noise, shape: tuple[int, ...]) -> Noisy:
        """Standard variates of a draw."""
        stream = self.drawn(method, f"size={shape}")
        standard: Callable[..., Any] = stream.standard_normal if kind is Noise.NORMAL else getattr(stream, kind.value)
        values, start = np.asarray(standard(size=shape), dtype=float).ravel(), len(self.variates)
        turned = [self.signs.get(start + at, 0) * abs(value) or value for at, value in enumerate(values.tolist())]
        self.variates += [Variate(kind, self.draws[-1].place, value) for value in turned]
        rows = np.arange(values.size)
        weights = sparse.csr_array((np.ones(values.size), (rows, start + rows)), shape=(values.size, len(self.variates)))
        return Noisy(self, np.zeros(shape), weights)

    def released(self, sums: Noisy, use: str) -> Floats:
        """Writes a release down, and returns its values: those of the first run, where there is one. Raises Diverged where the first run
        released something else."""
        value, number, place = sums.plain, len(self.releases), sums.place
        if self.frozen is not None:
            if number >= len(self.frozen.releases):
                raise Diverged(f"what was drawn at {place} is used on the neighbour and not on the dataset")
            first = self.frozen.releases[number]
            if (first.value.shape, first.place) != (value.shape, place):
                raise Diverged(
                    f"release {number + 1} has shape {first.value.shape}, drawn at {first.place}, on the dataset,"
                    f" and shape {value.shape}, drawn at {place}, on the neighbour"
                )
            value = first.value.copy()
        self.releases.append(Release(place, sums.before, sums.rows, value, use))
        return value


_OURS = tuple(str(Path(__file__).with_name(name)) for name in ("recording.py", "noisy.py", "numbers.py", "followed.py"))


def _caller() -> str:
    """File and line of the nearest frame that is not of these modules, NumPy or SciPy."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (
        frame.f_code.co_filename in _OURS or frame.f_globals.get("__name__", "").split(".")[0] in ("numpy", "scipy")
    ):
        frame = frame.f_back
    return f"{_file(frame.f_code.co_filename)}:{frame.f_lineno}"


@functools.cache
def _file(path: str) -> str:
    """The file's name; for one of the algorithms its place among them, since kernels of several policies have one file's name."""
    parts = Path(path).parts
    return "/".join(parts[parts.index("algorithms") if "algorithms" in parts else len(parts) - 1 :])


# --- the generator ------------------------------------------------------------------------------------------------------------------


class RecordingGenerator(np.random.Generator):
    """A `numpy.random.Generator` whose draws are written down; made by `Recording.generator`."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(np.random.Philox(key=0))
        self.recording = recording

    def _noise(self, method: str, kind: Noise, loc: Any, scale: Any, size: Any) -> Noisy:
        spread = np.asarray(scale, dtype=float)
        if np.any(spread < 0) or np.any(np.isnan(spread)):
            raise ValueError("scale < 0")  # as numpy says it
        shape = np.broadcast_shapes(np.shape(loc), spread.shape) if size is None else tuple(np.atleast_1d(size).astype(int).tolist())
        found: Noisy = loc + spread * self.recording.noise(method, kind, shape)
        return found

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._noise("normal", Noise.NORMAL, loc, scale, size)

    def standard_normal(self, size: Any = None, dtype: Any = None, out: Any = None) -> Any:
        found = self._noise("standard_normal", Noise.NORMAL, 0.0, 1.0, out.shape if size is None and out is not None else size)
        if out is None:
            return found
        out[...] = found.ended("written into an array")
        return out

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._noise("laplace", Noise.LAPLACE, loc, scale, size)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._noise("logistic", Noise.LOGISTIC, loc, scale, size)

    def spawn(self, n_children: int) -> list[np.random.Generator]:
        return [RecordingGenerator(self.recording) for _ in range(n_children)]

    @property
    def bit_generator(self) -> np.random.BitGenerator:
        """A source of bits of its own, which whoever asks for it draws from unseen: another generator, or compiled code."""
        return self.recording.drawn("bit_generator", "").bit_generator

    def __reduce__(self) -> Any:
        """A copy is another generator, and what is drawn from it is not seen."""
        return np.random.Generator, (self.bit_generator,)


def _opaque(method: str) -> Callable[..., Any]:
    """A draw whose result is no noise with a location: written down with what it was asked for, and not followed."""

    def draw(self: RecordingGenerator, *args: Any, **kwargs: Any) -> Any:
        given = [("", value) for value in args] + [(f"{name}=", value) for name, value in kwargs.items()]
        said = ", ".join(f"{name}{'a noisy value' if isinstance(value, Noisy) else repr(value)}" for name, value in given)
        return getattr(self.recording.drawn(method, said), method)(*args, **kwargs)

    draw.__name__ = method
    return draw


FOLLOWED = ("normal", "standard_normal", "laplace", "logistic")
OPAQUE = tuple(
    name
    for name in dir(np.random.Generator)
    if not name.startswith("_") and callable(getattr(np.random.Generator, name)) and name not in (*FOLLOWED, "spawn")
)
for _method in OPAQUE:
    setattr(RecordingGenerator, _method, _opaque(_method))
