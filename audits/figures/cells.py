"""The runs of an experiment: on any number of workers, each kept as soon as it is there, and none played twice.

A cell is what a worker plays at once: one long run, or a few short ones. It is kept in a file of its own, `<key>.json` in the folder
`<paper>.cells` beside the pictures, which all figures of a paper share. The file appears whole or not at all, so nothing that has finished
is lost whatever ends the process. The key is the ledger's (audits/ledger.py): a hash of the task (setting, seed, run, horizon), of the
sources of all that the playing function's module reaches, and of the versions. Cells of other sources or other tasks stay there, unread.

Kept numbers are read back to the last bit, and all results pass in the order of the tasks: so neither the workers nor an interruption
change anything. The heaviest cells begin first, which keeps the workers busy to the end.
"""

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from banditproof.audits import ledger
from banditproof.audits.evidence import plain_json
from banditproof.audits.figures.experiment import SILENT, Asked, Progress
from banditproof.interaction import Floats

SCHEMA = "banditproof/cell/1"
T = TypeVar("T")
Play = Callable[[T], Floats]


def alike(_: Any) -> float:
    """All cells cost the same."""
    return 1.0


def computed(
    tasks: Sequence[T], play: Play[T], asked: Asked, progress: Progress = SILENT, weight: Callable[[T], float] = alike
) -> dict[T, Floats]:
    """What `play`, a function of a module, returns for each task, a frozen dataclass of plain values; equal tasks are played once.

    `weight` says how the costs of cells compare, for the time that is left. Raises ledger.SourceChanged where a source is edited meanwhile.
    """
    distinct, folder = list(dict.fromkeys(tasks)), asked.kept
    sources = "" if folder is None else ledger.digest(play.__module__)
    files = () if folder is None else ledger.reached(play.__module__)
    places = {} if folder is None else {task: folder / f"{ledger.key_of_cell(_identity(task, play), sources)}.json" for task in distinct}
    known = {task: values for task, place in places.items() if (values := _read(place)) is not None}
    missing = sorted((task for task in distinct if task not in known), key=weight, reverse=True)
    total, done = sum(map(weight, missing)), 0.0
    progress.runs(len(known), len(distinct), 0.0)
    for position, values in _played(missing, play, asked.jobs):
        task = missing[position]
        if task in places:
            ledger.require_unchanged(files)  # else this may not be what the key says
            _keep(places[task], _identity(task, play), values)
        known[task] = values
        done += weight(task)
        progress.runs(len(known), len(distinct), done / total)
    return {task: known[task] for task in tasks}


def _identity(task: Any, play: Play[Any]) -> dict[str, Any]:
    return ledger.identity_of(f"{play.__module__}.{play.__qualname__}", asdict(task))


def _read(place: Path) -> Floats | None:
    """None where there is no such file, or where it is none that `_keep` wrote."""
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    whole = isinstance(record, dict) and record.get("schema") == SCHEMA and record.get("key") == place.stem
    return np.array(record["values"], dtype=float) if whole else None


def _keep(place: Path, identity: dict[str, Any], values: Floats) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    record = {"schema": SCHEMA, "key": place.stem, **identity, "values": plain_json(values)}
    new = place.with_name(f"{place.name}.{os.getpid()}.new")
    new.write_text(json.dumps(record, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8")
    new.replace(place)


def _played(tasks: Sequence[T], play: Play[T], jobs: int) -> Iterator[tuple[int, Floats]]:
    """The results, as they come."""
    if min(jobs, len(tasks)) <= 1:
        yield from ((position, play(task)) for position, task in enumerate(tasks))
        return
    import joblib

    cells = (joblib.delayed(_cell)(position, play, task) for position, task in enumerate(tasks))
    workers = min(jobs, len(tasks))
    yield from joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1, pre_dispatch=workers)(cells)


def _cell(position: int, play: Play[T], task: T) -> tuple[int, Floats]:
    """A cell in a process of its own, which leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return position, play(task)
