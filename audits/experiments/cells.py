"""The runs of an experiment: on any number of workers, each kept as soon as it is there, and none played twice.

A cell is one long run, or a few short ones; a worker plays a group of them at once. Each is kept in a file of its own, `<key>.json` in the
folder `<paper>.cells` beside the pictures, which all figures of a paper share. The file appears whole or not at all, so no group that has
finished is lost whatever ends the process. The key is the ledger's (`running/ledger.py`): a hash of the task (setting, seed, run, horizon),
of the sources of all that the playing function's module reaches, of the versions, of the processor and of the variables that change sums.
Cells of other sources, tasks or machines stay, unread. A digest in each file says what was written; a file that it does not match is noted,
and its run is played again.

Kept numbers are read back to the last bit, and all results pass in the order of the tasks: so neither the workers nor an interruption
change anything. The heaviest groups begin first, which keeps the workers busy to the end.
"""

import hashlib
import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from banditproof.audits.experiments.experiment import SILENT, Progress, ReproductionRequest
from banditproof.audits.running import ledger, workers
from banditproof.audits.running.files import write_whole
from banditproof.audits.statistics.evidence import plain_json
from banditproof.interaction import Floats

SCHEMA = "banditproof/cell/2"
T = TypeVar("T")
Play = Callable[[Sequence[T]], Sequence[Floats]]


def alike(_: Any) -> float:
    """All cells cost the same."""
    return 1.0


def alone(task: T) -> Hashable:
    """Each cell is a group of its own."""
    return task


def computed(
    tasks: Sequence[T],
    play: Play[T],
    request: ReproductionRequest,
    progress: Progress = SILENT,
    weight: Callable[[T], float] = alike,
    group: Callable[[T], Hashable] = alone,
) -> dict[T, Floats]:
    """What `play`, a function of a module, returns for each task, a frozen dataclass of plain values; equal tasks are played once.

    `play` takes the tasks of a group, those of which `group` says the same, without the ones that are kept already; what it returns for one
    must not depend on the others. `weight` says how the costs of cells compare, for the time that is left. Raises ledger.SourceChanged
    where a source is edited meanwhile; ClusterUnusable where the request's cluster is lost.
    """
    distinct, folder = list(dict.fromkeys(tasks)), request.kept
    sources = "" if folder is None else ledger.digest(play.__module__)
    files = () if folder is None else ledger.reached(play.__module__)
    places = {} if folder is None else {task: folder / f"{ledger.key_of_cell(_identity(task, play), sources)}.json" for task in distinct}
    known = {task: values for task, place in places.items() if (values := _read(place, progress)) is not None}
    missing: dict[Hashable, list[T]] = {}
    for task in distinct:
        if task not in known:
            missing.setdefault(group(task), []).append(task)
    groups = sorted(_shared_out(list(missing.values()), request.jobs), key=lambda each: sum(map(weight, each)), reverse=True)
    total, done = sum(weight(task) for each in groups for task in each), 0.0
    progress.runs(len(known), len(distinct), 0.0)
    for position, found in workers.completed(play, groups, request.jobs, cluster=request.cluster):
        for task, values in zip(groups[position], found, strict=True):
            if task in places:
                ledger.require_unchanged(files)  # else this may not be what the key says
                _keep(places[task], _identity(task, play), values)
            known[task] = values
            done += weight(task)
        progress.runs(len(known), len(distinct), done / total)
    return {task: known[task] for task in tasks}


def _shared_out(groups: list[list[T]], jobs: int) -> list[list[T]]:
    """The groups, halved while there are fewer than workers."""
    while 0 < len(groups) < jobs and max(map(len, groups)) > 1:
        largest = max(groups, key=len)
        groups.remove(largest)
        groups += [largest[: len(largest) // 2], largest[len(largest) // 2 :]]
    return groups


def _identity(task: Any, play: Play[Any]) -> dict[str, Any]:
    return {**ledger.identity_of(f"{play.__module__}.{play.__qualname__}", asdict(task)), "machine": ledger.conditions()}


def _read(place: Path, progress: Progress) -> Floats | None:
    """The values of a cell; None where there is no such file, or where it does not hold what `_keep` wrote, which is noted."""
    try:
        record = json.loads(place.read_text(encoding="utf-8"))
        if record["schema"] != SCHEMA:
            return None  # of another version, as those without a digest
        if (record["key"], record["digest"]) == (place.stem, _digest(record)):
            return np.array(record["values"], dtype=float)
    except (FileNotFoundError, IsADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # no record at all
    progress.note(f"{place}: is not as it was written, so this run is played again")
    return None


def _digest(record: dict[str, Any]) -> str:
    """A hash of all that a cell holds beside it: what it was computed for, and the values."""
    rest = {name: value for name, value in record.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, allow_nan=False).encode()).hexdigest()[:24]


def _keep(place: Path, identity: dict[str, Any], values: Floats) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    record = {"schema": SCHEMA, "key": place.stem, **identity, "values": plain_json(values)}
    write_whole(place, json.dumps({**record, "digest": _digest(record)}, sort_keys=True, allow_nan=False) + "\n")
