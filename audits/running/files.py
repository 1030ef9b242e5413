"""A file is written whole, or stays as it was: the text goes to a new file beside it, to the disk, and then takes its name."""

import contextlib
import io
import os
from pathlib import Path
from typing import Any


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file at once, in the mode that it had; a link's file is written, not the link. A device, a pipe or what stands for one
    (/dev/stdout) is written to, as is a file whose folder takes no new ones. Raises OSError, and then leaves nothing new behind."""
    data = content.encode() if isinstance(content, str) else content
    if special(path):
        _append(path, data)
        return
    path = path.resolve()
    new = path.with_name(f".{path.name[:80]}.{os.getpid()}.new")
    try:
        with new.open("wb") as stream:
            if path.exists():
                os.fchmod(stream.fileno(), path.stat().st_mode & 0o777)
            _complete(stream.fileno(), data)
        new.replace(path)
    except PermissionError:
        if not path.exists() or os.access(path.parent, os.W_OK):
            raise
        path.write_bytes(data)
    finally:
        with contextlib.suppress(OSError):
            new.unlink()  # what was begun; a whole file has its name by now


def write_figure(figure: Any, path: Path) -> None:
    """A matplotlib figure as PNG or SVG, as the file's name ends; the same figure gives the same bytes."""
    content, kind = io.BytesIO(), path.suffix[1:]
    figure.savefig(content, format=kind, dpi=110, metadata={"Date": None} if kind == "svg" else {"Software": None})
    write_whole(path, content.getvalue())


def special(path: Path) -> bool:
    """Whether a path names no file that could be replaced: a device, a pipe, a descriptor of this process."""
    return path.parts[:2] in ((path.anchor, "dev"), (path.anchor, "proc")) or (path.exists() and not path.is_file() and not path.is_dir())


def _append(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        _all(descriptor, data)
    finally:
        os.close(descriptor)


def _complete(descriptor: int, data: bytes) -> None:
    _all(descriptor, data)
    os.fsync(descriptor)


def _all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
