"""Modules of kernels made again in plain Python, with other constants of `banditproof.lanes` than this processor's."""

from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from banditproof import kernels, lanes


def in_plain_python(module: ModuleType, **constants: Any) -> ModuleType:
    """The module once more: nothing that it defines is compiled, and these constants of `lanes` are others. What it imports stays."""

    def left_alone(function: Any, *_: Any, **__: Any) -> Any:
        return function

    again, file = ModuleType(module.__name__), str(module.__file__)
    with patch.multiple(kernels, compiled=left_alone, of_lanes=left_alone), patch.multiple(lanes, **constants):
        exec(compile(Path(file).read_text(), file, "exec"), again.__dict__)
    return again
