"""Which lines of `algorithms/` a call runs: those of plain Python by a trace, those of compiled kernels by who calls whom.

A compiled kernel counts as run, with all its lines and all kernels that it refers to, when a Python function that refers to it was run,
or when it was handed to a compiled loop. So the lines of a kernel are an upper bound of what was run.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

_HANDED = {"bound": "kernel", "native": "kernel", "plain": "kernel"}  # functions of kernels.py, and what holds the kernel


class Reach:
    """Lines by file below the package's folder, of what ran between `start` and `stop`."""

    def __init__(self, package: Path) -> None:
        self._package = f"{package}/"
        self._watched = f"{package}/algorithms/"
        self._kernels = f"{package}/kernels.py"
        self._seen: dict[CodeType, set[int]] = {}
        self._referring: dict[CodeType, dict[str, Any]] = {}
        self._handed: dict[int, Any] = {}
        self._all: dict[CodeType, set[int]] = {}
        self._closures: dict[int, set[CodeType]] = {}
        self._kept: list[Any] = []  # what ids were taken of

    def start(self) -> None:
        """Begins with nothing seen."""
        self._seen, self._referring, self._handed = {}, {}, {}
        sys.settrace(self._called)

    def stop(self) -> dict[str, list[int]]:
        """The lines that were run, by file."""
        sys.settrace(None)
        codes = set[CodeType]()
        for kernel in list(self._handed.values()):
            codes |= self._inside(kernel)
        for code, names in list(self._referring.items()):
            for value in _referred(code, names):
                codes |= self._inside(value)
        lines = dict[str, set[int]]()
        for code in codes:
            if code.co_filename.startswith(self._watched):
                lines.setdefault(code.co_filename[len(self._package) :], set()).update(self._lines(code))
        for code, seen in self._seen.items():
            lines.setdefault(code.co_filename[len(self._package) :], set()).update(seen)
        return {file: sorted(each) for file, each in sorted(lines.items())}

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        file = code.co_filename
        if not file.startswith(self._package):
            return None
        if file == self._kernels:
            value = frame.f_locals.get(_HANDED.get(code.co_name, "self"))
            self._handed[id(value)] = value
            return None
        if not code.co_flags & inspect.CO_OPTIMIZED:  # the body of a module or of a class, which names all its kernels
            return None
        self._referring[code] = frame.f_globals
        if not file.startswith(self._watched):
            return None
        seen = self._seen.setdefault(code, set())
        if len(seen) >= len(self._lines(code)):
            return None
        seen.add(frame.f_lineno)

        def line(inner: FrameType, event: str, _argument: Any) -> Callable[..., Any] | None:
            if event == "line":
                seen.add(inner.f_lineno)
            return line

        return line

    def _lines(self, code: CodeType) -> set[int]:
        if code not in self._all:
            self._all[code] = {line for _, _, line in code.co_lines() if line is not None}
        return self._all[code]

    def _inside(self, kernel: Any) -> set[CodeType]:
        """The code of a kernel and of all kernels that it refers to."""
        if id(kernel) not in self._closures:
            self._kept.append(kernel)
            found, waiting = set[CodeType](), [*_functions(kernel)]
            while waiting:
                function = waiting.pop()
                if function.__code__ in found:
                    continue
                found.add(function.__code__)
                cells = [cell.cell_contents for cell in function.__closure__ or () if cell is not None]
                for value in (*cells, *_referred(function.__code__, function.__globals__)):
                    waiting += [value] if self._is_ours(value) else _functions(value)
            self._closures[id(kernel)] = found
        return self._closures[id(kernel)]

    def _is_ours(self, value: Any) -> bool:
        """Whether it is a plain function of `algorithms/`: a kernel compiles those that it names into itself (`kernels.of_lanes`)."""
        return isinstance(value, FunctionType) and value.__code__.co_filename.startswith(self._watched)


def _functions(value: Any) -> list[FunctionType]:
    """The plain functions of a kernel, or of a tuple of kernels; none of another value."""
    if isinstance(value, tuple):
        return [function for each in value for function in _functions(each)]
    inner = vars(value).get("__wrapped__") if type(value).__name__ == "Part" else getattr(value, "py_func", None)
    return [inner] if isinstance(inner, FunctionType) else []


def _referred(code: CodeType, names: dict[str, Any]) -> Iterator[Any]:
    """Values of the names that a function's code has: of its module, and of modules that it names."""
    values = [names[name] for name in code.co_names if name in names]
    for value in values:
        if isinstance(value, ModuleType):
            yield from (vars(value)[name] for name in code.co_names if name in vars(value))
        else:
            yield value
