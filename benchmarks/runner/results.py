"""The history of benchmarks: one JSON file per run in benchmarks/results/, named by the time and the commit, in git.

    schema     "banditproof/bench/1"
    date       UTC, ISO 8601
    commit     of the sources, with "+" where files differ from it
    scale      "full" or "quick"; numbers of different scales are not compared
    machine    cpu, cores, memory_gb, system; the versions of python, numpy, scipy, numba, and of the peers that are installed
    load_averages  runnable processes (mean of the last minute) before and after
    rows       name ("subject.case"), value, unit; of a time also nanoseconds as `value`, `others` (fraction of the machine's cores that
               others used at the time), and `against`: a list of name and `times` (the other's time divided by this one's);
               `asked` in words and `met` where something is asked; `note`; of growth `low`, `allowed`, `sizes`
    missing    name and reason of what was not measured

Runs are compared with the last one of the same scale on a machine of the same CPU and number of cores.
"""

import datetime
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.runner.cases import Scale

SCHEMA = "banditproof/bench/1"
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "results"
PACKAGES = ("numpy", "scipy", "numba")
PEERS = ("mabwiser", "river", "coba")

Row = dict[str, Any]


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: found for name in (*PACKAGES, *PEERS) if (found := _version(name))},
    }


def same_type(left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    """Whether figures of two machines can be compared."""
    return all(left.get(key) == right.get(key) for key in ("cpu", "cores", "system"))


def commit() -> str:
    """Of the sources, short; "+" where tracked files differ from it; "unknown" outside of git."""
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    changed = subprocess.run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() + "+" * bool(changed.stdout.strip()) if found.returncode == 0 else "unknown"


def record(rows: Sequence[Row], missing: Mapping[str, str], scale: Scale, load_averages: Sequence[float]) -> dict[str, Any]:
    """A run as JSON holds it."""
    return {
        "schema": SCHEMA,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "scale": scale.value,
        "machine": machine(),
        "load_averages": list(load_averages),
        "rows": list(rows),
        "missing": dict(missing),
    }


def write(found: Mapping[str, Any], folder: Path = FOLDER) -> Path:
    """Where the run is now kept. A record that is there is never overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = str(found["date"]).partition("+")[0].replace(":", "")
    path = folder / f"{stamp}_{str(found['commit']).rstrip('+')}.json"
    with path.open("x", encoding="utf-8") as file:
        file.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return path


def read(folder: Path = FOLDER) -> Iterator[dict[str, Any]]:
    """The runs, oldest first. Raises ValueError on a file of another schema."""
    found = []
    for path in folder.glob("*.json"):
        run = json.loads(path.read_text(encoding="utf-8"))
        if run.get("schema") != SCHEMA:
            raise ValueError(f"{path.name}: schema = {run.get('schema')!r}: must be {SCHEMA!r}")
        found.append(run)
    yield from sorted(found, key=lambda run: str(run["date"]))


def last_rows(scale: Scale, folder: Path = FOLDER) -> dict[str, Row]:
    """By name, the latest row of each case on this type of machine; each with the date and commit of its run."""
    own, rows = machine(), dict[str, Row]()
    for run in read(folder):
        if run["scale"] == scale.value and same_type(run["machine"], own):
            rows |= {row["name"]: {**row, "date": run["date"], "commit": run["commit"]} for row in run["rows"]}
    return rows


def _cpu() -> str:
    """The processor's name as the system has it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or "unknown")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
