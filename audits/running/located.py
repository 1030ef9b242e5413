"""The code that "MODULE:OBJECT" or "path/to/file.py:OBJECT" names, found without running any of it; and which code this account has asked for.

A record may come from anybody, and so may the file that it names. Permission to run code is therefore no part of a record: `note` keeps it
in the account's own folder ($XDG_STATE_HOME/banditproof/asked, by default below ~/.local/state), as an empty file named by the hash of the
place, the object and the content. Another content, another object or another folder is another code.
"""

import ast
import contextlib
import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path


@dataclass(frozen=True)
class Code:
    """What would run: the object, its file (None for what is built into Python), and the SHA-256 of the file's content."""

    subject: str
    object: str
    file: Path | None
    sha256: str

    def place(self) -> str:
        """The file, as an absolute path without '..'."""
        return "built into Python" if self.file is None else str(self.file)

    def key(self) -> str:
        """The name under which it is noted."""
        return hashlib.sha256("\0".join((self.place(), self.object, self.sha256)).encode()).hexdigest()


def located(subject: str) -> Code:
    """Where the object of a subject would be read from. Raises ValueError, naming what is missing, where there is no such file or module."""
    place, object = parts_of(subject)
    file = file_of(place) if is_file(place) else _module(place)
    try:
        content = b"" if file is None else file.read_bytes()
    except OSError as error:
        raise ValueError(f"file {str(file)!r}: cannot be read ({os.strerror(error.errno or 0)})") from None
    return Code(subject, object, file, hashlib.sha256(content).hexdigest())


def parts_of(subject: str) -> tuple[str, str]:
    """Place and object of "PLACE:OBJECT". Raises ValueError unless both are there, and are names or a path."""
    place, _, object = subject.rpartition(":")
    named = all(part.isidentifier() for part in object.split("."))
    if not named or not (is_file(place) or all(part.isidentifier() for part in place.split("."))):
        raise ValueError(f"subject = {subject!r}: must be MODULE:OBJECT or path/to/file.py:OBJECT")
    return place, object


def is_file(place: str) -> bool:
    """Whether the place of a subject is a path, not a module's name."""
    return place.endswith(".py") or "/" in place or os.sep in place


def note(code: Code) -> None:
    """Keeps that this account asked for this code to be run. Where nothing can be written it is not kept, and a replay asks again."""
    with contextlib.suppress(OSError):
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / code.key()).touch(mode=0o600)


def known(code: Code) -> bool:
    """Whether this account asked for this code before."""
    try:
        return (_folder() / code.key()).exists()
    except OSError:
        return False


def excerpt(code: Code, most: int = 12) -> list[str]:
    """The first lines of the object, numbered, as they stand in the file; of the file where the object is not found in its text."""
    if code.file is None:
        return []
    lines = code.file.read_text(encoding="utf-8", errors="replace").splitlines()
    first, last = _extent(lines, code.object)
    shown = [f"{number:>5}  {lines[number - 1]}" for number in range(first, min(last, first + most - 1) + 1)]
    left = last - first + 1 - len(shown)
    return [*shown, *([f"       ... {left} more line{'' if left == 1 else 's'}"] if left else [])]


def _extent(lines: list[str], object: str) -> tuple[int, int]:
    """First and last line, from 1, of the definition or assignment of a dotted name; of the whole text where there is none."""
    whole = 1, len(lines)
    try:
        scope: list[ast.stmt] = ast.parse("\n".join(lines)).body
    except (SyntaxError, ValueError, RecursionError):
        return whole
    found: tuple[int, int] | None = None
    for name in object.split("."):
        node = next((each for each in reversed(scope) if name in _names(each)), None)
        if node is None:
            break
        found = node.lineno, node.end_lineno or node.lineno
        scope = node.body if isinstance(node, ast.ClassDef) else []
    return found or whole


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


def _folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or os.path.join("~", ".local", "state")
    return Path(os.path.expanduser(os.path.join(state, "banditproof", "asked")))


def file_of(place: str) -> Path:
    """The file at a path. Raises ValueError, naming it, if there is none."""
    try:
        path = Path(place).resolve()
        if path.is_file():
            return path
        what = "is a folder: must be a Python file" if path.is_dir() else "is no file" if path.exists() else "does not exist"
    except (OSError, ValueError, RuntimeError):  # a name that is too long, a NUL in it, links that go round in a circle
        what = "does not exist"
    raise ValueError(f"file {place!r}: {what}")


def _module(name: str) -> Path | None:
    """The file of a module, by the finders alone: packages above it are looked up, not imported."""
    loaded = sys.modules.get(name)
    spec = getattr(loaded, "__spec__", None)
    if spec is None:
        spec = _found(name)
    origin = None if spec is None else spec.origin
    return None if origin in (None, "built-in", "frozen") else Path(str(origin)).resolve()


def _found(name: str) -> ModuleSpec:
    """The place of a module that is not loaded. Raises ValueError if there is none, also where a package above it is none."""
    parts = name.split(".")
    where: Sequence[str] | None = [str(Path.cwd()), *sys.path]
    spec = None
    for depth in range(1, len(parts) + 1):
        spec = None if where is None else _by_finders(".".join(parts[:depth]), where)
        where = None if spec is None else spec.submodule_search_locations
    if spec is None:
        raise ValueError(f"module {name!r}: there is none of this name, here or among the installed packages")
    return spec


def _by_finders(name: str, where: Sequence[str]) -> ModuleSpec | None:
    for finder in sys.meta_path:
        found = finder.find_spec(name, where)
        if found is not None:
            return found
    return None
