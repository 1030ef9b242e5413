"""Folders of compiled kernels: which of them these sources reach, how large they are, when they were last used, and their removal.

A folder's name is a hash of all sources that its kernel reaches, so an edit leaves the old folder behind. These sources reach the folders
of the kernels that the package's own modules declare; the others belong to an earlier state of a file, to another installation, or to
kernels of a user's, which are compiled again if they are needed.
"""

import importlib
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from banditproof.audits.running import registry

DAY = 86_400.0
_NAME = re.compile(r"[0-9a-f]{24}(-allocates)?(-inline)?(-within)?")
_DECLARES = re.compile(r"\bcompiled\(")


@dataclass(frozen=True)
class KernelFolder:
    """A folder of compiled code: its size in bytes, the days since a process last declared its kernel, and whether these sources do."""

    path: Path
    size: int
    days: float
    reached: bool


def kernel_folders() -> list[KernelFolder]:
    """All folders of compiled kernels, those that were used last first. Imports every module of the package that declares a kernel."""
    from banditproof import kernels

    reached = _reached()
    now = time.time()
    found = [
        KernelFolder(path, _size(path), max(0.0, (now - path.stat().st_mtime) / DAY), _kernel(path) in reached)
        for store in dict.fromkeys(kernels.stores())
        for path in _folders(store)
    ]
    return sorted(found, key=lambda folder: (folder.days, folder.path))


def prunable(folders: Iterable[KernelFolder], *, older_than: float, everything: bool = False) -> list[KernelFolder]:
    """Those that no source of this package reaches and that were not used for `older_than` days; or all of them."""
    return [folder for folder in folders if everything or (not folder.reached and folder.days >= older_than)]


def remove(folders: Iterable[KernelFolder]) -> None:
    """Deletes them. Raises OSError on one that cannot be deleted."""
    for folder in folders:
        shutil.rmtree(folder.path)


def _folders(store: Path) -> Iterator[Path]:
    """What is named as a folder of ours is, and is no link: nothing else in there is touched."""
    if store.is_dir():
        for path in sorted(store.iterdir()):
            if _NAME.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
                yield path


def _kernel(folder: Path) -> Path:
    """The folder of the form that Python calls: that within other kernels is declared when one of these is compiled."""
    return folder.with_name(folder.name.removesuffix("-within")).resolve()


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def _reached() -> frozenset[Path]:
    from banditproof import kernels

    for package in ("banditproof.algorithms", "banditproof.audits"):
        for name in _declaring(package):
            importlib.import_module(name)
    return frozenset(folder.resolve() for folder in kernels.folders_in_use())


def _declaring(package: str) -> Iterator[str]:
    """The modules below a package in whose text a kernel is compiled: the others need not be imported."""
    root = Path(importlib.import_module(package).__path__[0])
    for name in registry.modules(package):
        path = root.joinpath(*name.removeprefix(f"{package}.").split(".")).with_suffix(".py")
        if _DECLARES.search(path.read_text(encoding="utf-8")):
            yield name
