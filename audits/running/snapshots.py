"""Runs that are kept in a file: their regret once they are finished, and until then how far a long run is.

A file appears whole or not at all, and says of which runs it is: pipeline, key, numbers, horizon, checkpoints, the sources of all that
plays them, and the machine with the variables that change sums. One of other runs is refused. Numbers are kept as they are in memory, so a
run that goes on is the run that was not interrupted, to the last bit.
"""

import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditproof.audits.running import ledger
from banditproof.audits.running.files import write_whole
from banditproof.audits.running.parameters import described
from banditproof.guarantees import require
from banditproof.interaction import Floats, Pipeline
from banditproof.kernels import plain
from banditproof.simulation import Plan

SCHEMA = "banditproof/runs/1"
Arrays = Mapping[str, NDArray[Any]]
_IDENTITY, _REGRET = "identity", "regret"


def identity_of(pipeline: Pipeline, *, horizon: int, key: Sequence[int], checkpoints: Sequence[int]) -> dict[str, Any]:
    """What runs depend on beside their numbers, as plain JSON: the arrays and constants that they begin with, and where their code is.

    Raises ValueError as the pipeline's parts do, and on a part that no file holds; ledger.SourceChanged on a source that was edited since
    this process began.
    """
    policy, environment, corruption = pipeline.policy, pipeline.environment, pipeline.corruption
    parts = (policy, environment, pipeline.randomiser, corruption, pipeline.shuffler)
    for part in parts:
        file = getattr(sys.modules.get(type(part).__module__), "__file__", None)
        rule = "its runs cannot be kept (it is in no file, where a change of it would be seen)"
        require(file is not None and Path(file).exists(), f"{type(part).__name__} of module {type(part).__module__}: {rule}")
    kernels = [*policy.kernels[:4], environment.present, environment.reward, *(part.kernel for part in parts[2:])]
    setups = [environment.setup(), environment.memory(), pipeline.randomiser.setup(), corruption.setup(), corruption.memory()]
    state = policy.state(environment.arms, environment.dimension, horizon)
    begins = described([pipeline, [plain(kernel) for kernel in kernels], setups, pipeline.shuffler.setup(), state])
    return {
        "schema": SCHEMA,
        "horizon": horizon,
        "key": list(key),
        "checkpoints": list(checkpoints),
        "pipeline": hashlib.sha256(json.dumps(begins).encode()).hexdigest()[:24],
        "sources": ledger.digest("banditproof.simulation", *sorted({type(part).__module__ for part in parts})),
        "machine": ledger.conditions(),
    }


# What no round changes, and the same numbers every time: a table of rewards may be large.
_CONSTANT = (
    *("environment", "start_memory", "randomiser", "corruption", "start_corruption_memory", "shuffler"),
    *("replaced_rewards", "replaced_contexts", "checkpoints"),
)


def live_arrays(state: Any, plan: Plan) -> dict[str, NDArray[Any]]:
    """The arrays that a run goes on from, by name: those of the state and of the plan, which change as it is played."""
    constant = {f"plan.{name}" for name in _CONSTANT}
    return {name: array for name, array in (*_arrays("state", state), *_arrays("plan", plan)) if name not in constant}


def restore(state: Any, plan: Plan, kept: Arrays) -> None:
    """Puts kept arrays in their places, so that the run goes on behind their last round. Raises ValueError unless they fit."""
    live = live_arrays(state, plan)
    require(set(live) == set(kept), f"a snapshot of {len(kept)} arrays: must have those of this run ({len(live)})")
    for name, array in live.items():
        there = kept[name]
        fits = (there.shape, there.dtype) == (array.shape, array.dtype)
        require(fits, f"{name} of a snapshot, {there.dtype} of shape {there.shape}: must be {array.dtype} of shape {array.shape}")
        array[...] = there
    plan.rounds[0] = plan.rounds[1]


def rounds_of(kept: Arrays) -> int:
    """How many rounds had been played; 0 where that is not in it, which `restore` refuses."""
    rounds = kept.get("plan.rounds")
    return 0 if rounds is None or rounds.shape != (4,) else int(rounds[1])


def _arrays(name: str, values: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of a NamedTuple, and of those in it."""
    for part, value in values._asdict().items():
        if isinstance(value, np.ndarray):
            yield f"{name}.{part}", value
        elif isinstance(value, tuple):
            yield from _arrays(f"{name}.{part}", value)


@dataclass(frozen=True)
class RunFile:
    """The file of runs first .. first + runs - 1 in a folder, which need not exist yet. Its methods raise ValueError, naming the file, if
    it is one of other runs."""

    folder: Path
    identity: Mapping[str, Any]
    first: int
    runs: int

    @property
    def path(self) -> Path:
        return self.folder / f"runs_{self.first}_{self.runs}.npz"

    def finished(self) -> Floats | None:
        """The regret, (R, C), if the runs are finished."""
        return self._read().get(_REGRET)

    def unfinished(self) -> dict[str, NDArray[Any]] | None:
        """What the one run goes on from; None where nothing was noted of it."""
        arrays = self._read()
        return arrays if arrays and _REGRET not in arrays else None

    def note(self, arrays: Arrays) -> None:
        """Writes down how far the run is."""
        self._write(arrays)

    def finish(self, regret: Floats) -> None:
        """Writes down the regret, in the place of all else."""
        self._write({_REGRET: regret})

    def _whose(self) -> dict[str, Any]:
        return {**self.identity, "first_run": self.first, "runs": self.runs}

    def _write(self, arrays: Arrays) -> None:
        content = io.BytesIO()
        everything: dict[str, Any] = {_IDENTITY: np.array(json.dumps(self._whose(), sort_keys=True)), **arrays}
        np.savez(content, **everything)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, content.getvalue())

    def _read(self) -> dict[str, NDArray[Any]]:
        """The arrays in the file; none where there is no file."""
        try:
            with np.load(io.BytesIO(self.path.read_bytes()), allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            whose = json.loads(str(arrays.pop(_IDENTITY)))
        except FileNotFoundError:
            return {}
        except (ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, IsADirectoryError):
            raise ValueError(f"file {str(self.path)!r}: is none of kept runs; give another folder, or delete it") from None
        ours = self._whose()
        other = next((name for name in ours if not isinstance(whose, dict) or whose.get(name) != ours[name]), None)
        if other is not None:
            there = whose.get(other) if isinstance(whose, dict) else whose
            raise ValueError(
                f"file {str(self.path)!r}: is of other runs ({other}: {there} there, {ours[other]} here); give another folder, or delete it"
            )
        return arrays
