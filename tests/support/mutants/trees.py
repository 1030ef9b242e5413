"""Copies of the tree in which mutants are planted, each with compiled kernels of its own."""

import functools
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("src", "theory", "algorithms", "audits")
ENDED = -9  # exit code of a process that said nothing for too long
GRACE = 60.0  # seconds that an audit may take beyond its cost before its process is ended


@functools.cache
def digest(stem: str = "", root: Path = ROOT) -> str:
    """A hash of all sources of the package and of the data that stand beside them; with a stem, without those of other papers."""
    total = hashlib.sha256()
    for part in PARTS:
        for path in sorted((root / part).rglob("*")):
            inside = path.relative_to(root).parts
            other = stem and inside[1:2] == ("papers",) and "".join(inside[2:3]).removesuffix(".py") not in (stem, "__init__")
            if path.is_file() and path.suffix in (".py", ".json", ".toml") and "egg-info" not in str(path) and not other:
                total.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:24]


@dataclass(frozen=True)
class Tree:
    """A copy below `folder`, where mutants are planted one at a time."""

    folder: Path

    @property
    def package(self) -> Path:
        return self.folder / "src" / "banditproof"

    @property
    def kernels(self) -> Path:
        return self.folder / "compiled" / "kernels"

    def refresh(self, root: Path = ROOT) -> None:
        """Makes the copy what the tree is now; compiled kernels stay. Files keep their times, which numba looks at."""
        for part in PARTS:
            shutil.rmtree(self.folder / part, ignore_errors=True)
            shutil.copytree(root / part, self.folder / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        self.kernels.mkdir(parents=True, exist_ok=True)

    def adopt(self, other: "Tree") -> None:
        """Takes over what another copy has compiled. numba keeps it below a hash of the folder's path."""
        names = {_folder_name(path): _folder_name(self.package / path.relative_to(other.package)) for path in _folders(other.package)}
        for key in other.kernels.iterdir():
            for place in key.iterdir():
                target = self.kernels / key.name / names.get(place.name, place.name)
                if place.is_dir() and not target.exists():  # beside them stand their locks
                    shutil.copytree(place, target)

    def environment(self) -> dict[str, str]:
        """Of a process that imports the package from this copy."""
        return {
            **os.environ,
            "PYTHONPATH": str(self.folder / "src"),
            "BANDITPROOF_CACHE": str(self.folder / "compiled"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }

    def run(self, task: dict[str, Any], heard: Callable[[dict[str, Any]], None]) -> int:
        """Runs `worker` on a task; `heard` gets each line as it comes. Its exit code; ENDED if no line came in time."""
        with (self.folder / "errors.txt").open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.mutants.worker"],
                cwd=ROOT,
                env=self.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        assert process.stdin is not None and process.stdout is not None
        patience = GRACE + (max(task["costs"].values()) if task["costs"] else task["limit"])
        alarm = _alarm(process, patience)
        try:
            process.stdin.write(json.dumps({**task, "package": str(self.package)}))
            process.stdin.close()
            for line in process.stdout:
                alarm.cancel()
                alarm = _alarm(process, patience)
                heard(json.loads(line))
            return process.wait()
        finally:
            alarm.cancel()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def errors(self) -> str:
        """The last line that the last process wrote to standard error."""
        lines = (self.folder / "errors.txt").read_text(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else ""

    def planted(self, file: str, text: str, run: Callable[[], None]) -> None:
        """Calls `run` while a file reads `text`; afterwards the file, its times and the compiled kernels are what they were."""
        path = self.folder / file
        before, times, compiled = path.read_bytes(), path.stat(), {each.name for each in self.kernels.iterdir()}
        try:
            path.write_text(text, encoding="utf-8")
            run()
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            for each in self.kernels.iterdir():
                if each.name not in compiled:
                    shutil.rmtree(each)


def _alarm(process: subprocess.Popen[str], seconds: float) -> threading.Timer:
    """Ends a process and what it started in `seconds`, unless it is cancelled."""
    alarm = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
    alarm.start()
    return alarm


def _folders(package: Path) -> list[Path]:
    """The package's folders, those behind links by the path through the link, as code names its file."""
    return [Path(folder) for folder, _, _ in os.walk(package, followlinks=True)]


def _folder_name(folder: Path) -> str:
    """The name under which numba keeps what it compiled from files of a folder (`numba.core.caching`)."""
    return f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"
