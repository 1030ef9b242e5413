"""Which sources a module reaches: its own file, the files that it imports, and those that they import in turn.

Compiled kernels and kept results are stored under keys that depend on these sources, so that nothing stale is read back. `reached` is
the one place that decides what such a key sees:

- file by file: banditproof; the top-level packages of the modules asked about (a plug-in of several files, installed or not); every
  module that is neither installed nor of the standard library (local files, editable installs)
- by its version: any other package; one that is missing counts too, since code may do without it
- by Python's version: the standard library

Imports inside functions count, and so does the `__init__` of each package on the way. Imports for type checking do not, except where they
say where a name is that the module imports when it is first asked for it (`__getattr__`), as `banditproof` does: then each name that is
taken from the module leads there. An import whose name is computed is not seen, nor a module that one file passes on to another. No module
is imported to find its file.
"""

import ast
import atexit
import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

MISSING = "not installed"
_OURS = "banditproof"
_BLOCKS = {"body", "orelse", "finalbody", "handlers", "cases"}  # the fields of a statement that hold statements
_INSTALLED = ("site-packages", "dist-packages")  # the names of the folders that installers write to


def cache_folder() -> Path:
    """Where compiled kernels, kept results and what sources import are: BANDITPROOF_CACHE, or `banditproof` in the user's cache folder.

    It need not exist."""
    chosen = os.environ.get("BANDITPROOF_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "banditproof")
    return Path(chosen).expanduser()


@dataclass(frozen=True)
class Reached:
    """What modules reach: files by the name of their module, and the versions of Python and of the distributions that they import.

    `digest` is a hash of the names, the contents and the versions; not of the folders, so a copy elsewhere has the same.
    """

    files: dict[str, Path]
    versions: dict[str, str]
    digest: str


def reached(*roots: str | Path) -> Reached:
    """What the modules reach. A root is a module's name, or the path of a file that no module of a known name was loaded from.

    Raises ValueError, naming it, on a module that does not exist. Within a process, what was found is searched for again only after one
    of its files has changed.
    """
    known = _found.get(roots)
    if known is not None and known[1] == _stamps(known[0]):
        return known[0]
    found = _search(roots)
    _found[roots] = found, _stamps(found)
    return found


def reached_each(modules: Iterable[str]) -> dict[str, Reached]:
    """`reached` of each module by its name, for many at once: what several of them reach is looked at once."""
    names = sorted(set(modules))
    missing = [name for name in names if (name,) not in _found or _found[name,][1] != _stamps(_found[name,][0])]
    walks: dict[str, _Walk] = {}
    for name in missing:
        top = _full_name(name).partition(".")[0]
        found = walks.setdefault(top, _Walk(frozenset({_OURS, top}))).search((name,))
        _found[name,] = found, _stamps(found)
    return {name: _found[name,][0] for name in names}


def _search(roots: tuple[str | Path, ...]) -> Reached:
    return _Walk(frozenset({_OURS} | {_full_name(root).partition(".")[0] for root in roots if isinstance(root, str)})).search(roots)


_Stamp = tuple[int, int] | None
_found: dict[tuple[str | Path, ...], tuple[Reached, list[tuple[str | None, _Stamp]]]] = {}


def _stamps(found: Reached) -> list[tuple[str | None, _Stamp]]:
    """Where each module was loaded from, if it was, since another file may come under its name; and what its file looks like now."""
    return [(getattr(sys.modules.get(name), "__file__", None), _stamp(path)) for name, path in found.files.items()]


def _stamp(path: Path) -> _Stamp:
    """What changes when a file is written; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@dataclass(frozen=True)
class _Place:
    """Where a module is: its file, and the folders of its submodules if it is a package. A built-in module has neither."""

    file: str | None
    folders: tuple[str, ...]


@dataclass(frozen=True)
class _Import:
    """`from <level dots><module> import <names>`; of `import a.b` the names are empty."""

    level: int
    module: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class _Source:
    """What is written in a file."""

    digest: bytes
    imports: tuple[_Import, ...]
    exports: tuple[str, ...]  # the strings of `__all__`, which a star import of a package turns into modules
    late: tuple[tuple[str, _Import], ...]  # what each name leads to that its `__getattr__` finds


_NOTHING = _Source(b"", (), (), ())


class _Walk:
    """The search for all that is reached. It remembers where each module leads, so that a second search is short."""

    def __init__(self, followed: frozenset[str]) -> None:
        self._followed = followed
        self._versions: dict[str, dict[str, str] | None] = {}
        self._places: dict[str, _Place | None] = {}
        self._next: dict[str, tuple[Path | None, list[str]]] = {}

    def search(self, roots: tuple[str | Path, ...]) -> Reached:
        """What the roots reach. Raises ValueError on a module that does not exist."""
        files, waiting = dict[str, Path](), list[str]()
        for root in roots:
            if isinstance(root, Path):
                files[str(root)], more = self._read(root, "")
                waiting += more
            elif _place(root) is None:
                raise ValueError(f"module {root!r}: there is none of this name, here or among the installed packages")
            else:
                waiting.append(root)
        done, tops = set[str](), set[str]()
        while waiting:  # names that may be modules
            name = waiting.pop()
            if name in done:
                continue
            done.add(name)
            tops.add(name.partition(".")[0])
            path, more = self._leads_to(name)
            waiting += more
            if path is not None:
                files[name] = path
        return self._sum(dict(sorted(files.items())), {key: each for top in tops for key, each in (self._versions.get(top) or {}).items()})

    @staticmethod
    def _sum(files: dict[str, Path], versions: dict[str, str]) -> Reached:
        versions = {"python": platform.python_version(), **dict(sorted(versions.items()))}
        total = hashlib.sha256(json.dumps(versions).encode())
        for name, path in files.items():
            total.update(b"\0" + name.encode() + b"\0" + _source(path).digest)
        return Reached(files, versions, total.hexdigest())

    def _leads_to(self, name: str) -> tuple[Path | None, list[str]]:
        """The file of a module, and the names that may be modules which it leads to: the package above it, and what it imports."""
        if name not in self._next:
            place = self._place_of(name)
            above = [name.rpartition(".")[0]] if place is not None and "." in name else []
            path, more = (None, []) if place is None or place.file is None else self._read(Path(place.file), _package(name, place))
            self._next[name] = path, [*above, *more]
        return self._next[name]

    def _place_of(self, name: str) -> _Place | None:
        """Where a module that is followed is; None if there is no such module."""
        if name not in self._places:
            above, _, _ = name.rpartition(".")
            reachable = (not above or self._place_of(above) is not None) and self._is_followed(name.partition(".")[0])
            self._places[name] = _place(name) if reachable else None
        return self._places[name]

    def _read(self, path: Path, package: str) -> tuple[Path, list[str]]:
        """A file, whose relative imports start from `package`, and the names that it leads to."""
        path = _on_disk(path)
        imported = (name for item in _source(path).imports for name in self._imported(item, package))
        return path, list(dict.fromkeys([*filter(None, [package]), *imported]))

    def _imported(self, item: _Import, package: str, before: tuple[str, ...] = ()) -> Iterator[str]:
        base = self._absolute(item, package)
        if base is None:
            return
        yield base
        place = self._place_of(base)
        if place is None:
            return
        written = _NOTHING if place.file is None else _source(_on_disk(Path(place.file)))
        names = [each for name in item.names for each in (written.exports if name == "*" else (name,))]
        if place.folders:  # else they are values of a module, not modules
            yield from (f"{base}.{name}" for name in names)
        for name, late in written.late:
            if (name in names or "*" in item.names) and base not in before:
                yield from self._imported(late, _package(base, place), (*before, base))

    @staticmethod
    def _absolute(item: _Import, package: str) -> str | None:
        """The module that an import names; None where it would raise if it ran."""
        parts = package.split(".") if package else []
        if item.level > len(parts):
            return None
        above = parts[: len(parts) - item.level + 1] if item.level else []
        return ".".join((*above, *filter(None, (item.module,))))

    def _is_followed(self, top: str) -> bool:
        if top not in self._versions:
            self._versions[top] = None if top in self._followed else _versions(top)
        return self._versions[top] is None


def _full_name(name: str) -> str:
    """A script that was started by `python -m package.module` is `__main__`, and has its name in its specification."""
    specification = getattr(sys.modules.get(name), "__spec__", None) if name == "__main__" else None
    return name if specification is None else specification.name


def _package(name: str, place: _Place) -> str:
    """The package that a module's relative imports start from."""
    if place.folders:
        return name
    return _full_name(name).rpartition(".")[0]


def _place(name: str) -> _Place | None:
    """Where a module is: what is loaded under this name, else what an import would find."""
    module = sys.modules.get(name)
    if module is not None:
        return _Place(getattr(module, "__file__", None), tuple(getattr(module, "__path__", ())))
    above, _, _ = name.rpartition(".")
    specification: ModuleSpec | None
    try:
        if above:
            package = _place(above)
            specification = None if package is None or not package.folders else PathFinder.find_spec(name, package.folders)
        else:
            specification = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # a finder that fails, or a name that cannot be one
        return None
    if specification is None:
        return None
    return _Place(specification.origin if specification.has_location else None, tuple(specification.submodule_search_locations or ()))


def _versions(top: str) -> dict[str, str] | None:
    """The distributions that a top-level package belongs to; empty for the standard library, None for a package to follow."""
    place = _place(top)
    if place is None:
        return {} if top in sys.stdlib_module_names else {top: MISSING}
    beside = place.folders or (() if place.file is None else (place.file,))
    folders = {os.path.dirname(path) for path in beside}
    found = [_distributions(top, folder) for folder in sorted(folders) if not _is_standard(folder)]  # several of a namespace package
    return None if not all(found) else {name: version for distribution in found for name, version in distribution}


@functools.cache
def _is_standard(folder: str) -> bool:
    real = Path(folder).resolve()
    standard = {Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")}
    return not set(real.parts) & set(_INSTALLED) and not standard.isdisjoint((real, *real.parents))


@functools.cache
def _distributions(top: str, folder: str) -> tuple[tuple[str, str], ...]:
    """Names and versions of the distributions in a folder that list this package among their files."""
    from importlib.metadata import Distribution, distributions

    def owns(distribution: Distribution) -> bool:
        files = "\n" + (distribution.read_text("RECORD") or "")
        # An older installer keeps no such list; what it keeps instead also stands beside the sources of an editable install.
        tops = distribution.read_text("top_level.txt") if files == "\n" and os.path.basename(folder) in _INSTALLED else None
        return f"\n{top}/" in files or f"\n{top}." in files or top in (tops or "").split()

    same_name = [each for each in distributions(name=top, path=[folder]) if owns(each)]
    found = same_name or [each for each in distributions(path=[folder]) if owns(each)]
    return tuple((each.metadata["Name"], each.version) for each in found)


def _on_disk(path: Path) -> Path:
    """The file itself; of a module inside an archive the archive."""
    return path if path.exists() else next((part for part in path.parents if part.is_file()), path)


def _source(path: Path) -> _Source:
    return _read(str(path), _stamp(path))


# What files of these contents lead to, as JSON in the cache folder: to parse all files anew would take two seconds at each start.
_Written = tuple[int, str, Sequence[str]]
_Parsed = tuple[Sequence[_Written], Sequence[str], Sequence[tuple[str, _Written]]]
_MOST = 20_000
_new: dict[str, _Parsed] = {}  # not kept yet, by the digest of the file's content


@functools.cache
def _read(path: str, stamp: _Stamp) -> _Source:
    """A file, read again only after a change."""
    content = Path(path).read_bytes()
    digest = hashlib.sha256(content).digest()
    if not path.endswith(".py"):
        return replace(_NOTHING, digest=digest)
    try:
        return _restored(digest, _kept()[digest.hex()])
    except (KeyError, TypeError, ValueError):  # it is not there, or not what is kept there
        found = _new[digest.hex()] = _parsed(content)
        return _restored(digest, found)


def _restored(digest: bytes, parsed: _Parsed) -> _Source:
    imports, exports, late = parsed
    return _Source(digest, tuple(map(_import, imports)), tuple(exports), tuple((name, _import(each)) for name, each in late))


def _import(written: _Written) -> _Import:
    level, module, names = written
    return _Import(level, module, tuple(names))


def _parsed(content: bytes) -> _Parsed:
    """What a file imports, what its `__all__` names, and what its `__getattr__` finds."""
    try:
        tree, text = ast.parse(content), content.decode(errors="replace")
    except (SyntaxError, ValueError):  # a file that cannot run imports nothing
        return (), (), ()
    imports: list[_Written] = []
    exports: list[str] = []
    late: list[tuple[str, _Written]] = []
    whole = set[tuple[str, str]]()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            imports += [(0, alias.name, ()) for alias in node.names]
            whole.update(map(_bound, node.names))
        elif isinstance(node, ast.ImportFrom):
            imports.append(_from(node, node.names))
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            exports += _exports(node)
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting += node.orelse
            froms = (each for each in node.body if isinstance(each, ast.ImportFrom))
            late += [(alias.asname or alias.name, _from(each, [alias])) for each in froms for alias in each.names]
        elif not isinstance(node, ast.Expr | ast.Return):  # only statements hold imports: expressions are not looked at
            for block in _BLOCKS & set(node._fields):
                waiting += getattr(node, block)
    imports += [(0, module, _taken(name, text)) for module, name in sorted(whole) if module.partition(".")[0] not in _WITHOUT_LATE]
    finds = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    return tuple(dict.fromkeys(imports)), tuple(exports), tuple(late) if finds else ()


def _from(node: ast.ImportFrom, names: Sequence[ast.alias]) -> _Written:
    return node.level, node.module or "", tuple(alias.name for alias in names)


_WITHOUT_LATE = {*sys.stdlib_module_names, "numpy", "scipy", "sympy", "numba"}  # what most files import, and none of it is followed


def _bound(alias: ast.alias) -> tuple[str, str]:
    """The module that a name stands for after `import module`, and the name."""
    return (alias.name, alias.asname) if alias.asname else (alias.name.partition(".")[0],) * 2


def _taken(name: str, text: str) -> tuple[str, ...]:
    """What a text takes from a module that has this name in it: ("UCB1",) of `bp.UCB1`. Anything, ("*",), where the module is also used
    in another way, or in none: then something else asks it for names. Comments count as code, which reaches too much and not too little."""
    taken = re.findall(rf"(?<!\bimport )(?<!\bfrom )\b{name}\s*\.\s*([^\W\d]\w*)", text)
    passed_on = re.search(rf"(?<!\bas )(?<!\bimport )(?<!\bfrom )(?<![\w.]){name}\b(?!\s*\.\s*[^\W\d])", text)
    return ("*",) if passed_on or not taken else tuple(sorted(set(taken)))


def _keep_file() -> Path:
    """For this Python, and for what is written here."""
    rules = hashlib.sha256(Path(__file__).read_bytes() + platform.python_version().encode()).hexdigest()[:16]
    return cache_folder() / f"imports-{rules}.json"


@functools.cache
def _kept() -> dict[str, _Parsed]:
    try:
        return dict(json.loads(_keep_file().read_text()))
    except (OSError, TypeError, ValueError):  # there is none yet, or it is no such file
        return {}


@atexit.register
def _keep() -> None:
    """Adds what this process has parsed. A file that cannot be written costs time alone."""
    if not _new:
        return
    with contextlib.suppress(OSError):
        _kept.cache_clear()
        every = {**_kept(), **_new} if len(_kept()) < _MOST else _new
        path = _keep_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_text(json.dumps(every))
        unfinished.replace(path)


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING")


def _exports(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterable[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets) or node.value is None:
        return ()
    return [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
