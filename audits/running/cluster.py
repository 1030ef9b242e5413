"""Cells on a Dask cluster, as on worker processes of one machine: the same cells, the same numbers, kept by the starting process alone.

A worker gets a function of a module and a task of small plain data. A cell whose worker died is played again on another one, so what a
cluster loses costs time only. The numbers of a cell depend on the software and on the processor, so these must be equal everywhere: each
worker is asked at the start, and each cell asks again, since workers come and go. A cell also names the modules that its task holds parts
of, of a user's policy say, and travels packed: they are compared before they are imported there, and the scheduler needs none of them.
One cell at a time runs in a worker process.
"""

import asyncio
import dis
import functools
import hashlib
import io
import json
import logging
import os
import pickle
import platform
import queue
import re
import socket
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Say = Callable[[str], None]

CONNECT = 10.0  # seconds until a scheduler that does not answer is unreachable
FIRST_WORKER = 600.0  # seconds: a queue of jobs, or an image that is pulled
LOOK = 1.0  # seconds between looks at the cluster while no cell ends
_BESIDE = ("dev", "docs")  # extras on which no number depends
_ONE_CELL = threading.Lock()  # of a worker process with several threads: cells compile, import and set warnings


class ClusterUnusable(RuntimeError):
    """The cluster cannot be reached, is lost, or runs other software; the message names it and says what must be."""


@dataclass(frozen=True)
class Software:
    """What the numbers of a cell depend on beside its task. `sources` is a hash of the package, of the papers that plug-ins bring, and of
    their data."""

    sources: str
    facts: tuple[tuple[str, str], ...]  # versions of what the sources import, the processor, and variables that change sums

    def difference(self, other: "Software") -> str:
        """The first thing that is not equal, as 'numpy: 2.4.6 there, 2.5.0 here', where the other is here; '' if all is."""
        there, here = dict(self.facts), dict(other.facts)
        for name in sorted({*there, *here}):
            if there.get(name) != here.get(name):
                return f"{name}: {there.get(name, 'unset')} there, {here.get(name, 'unset')} here"
        return "" if self.sources == other.sources else f"sources: {self.sources[:12]} there, {other.sources[:12]} here"

    def digest(self) -> str:
        """A hash of all of it."""
        return hashlib.sha256(json.dumps([self.sources, self.facts]).encode()).hexdigest()[:24]


@functools.cache
def software() -> Software:
    """That of this process, as it was when it was first asked: an edit of a source does not change what runs."""
    from banditproof.audits.running.ledger import VARIABLES
    from banditproof.kernels import machine

    total = hashlib.sha256()
    for folder in _folders():
        for path in sorted(Path(place, file) for place, _, files in os.walk(folder, followlinks=True) for file in files):
            if path.suffix != ".pyc" and not path.name.startswith("."):
                total.update(path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    variables = {name: value for name in VARIABLES if (value := os.environ.get(name)) is not None}
    where = {"processor": machine()[-1], "system": f"{platform.system()} {platform.machine()}", "python": platform.python_version()}
    return Software(total.hexdigest(), tuple(sorted({**_versions(), **variables, **where}.items())))


def _folders() -> list[Path]:
    """Those of the package, and of the papers that plug-ins bring."""
    from banditproof.audits.running import registry

    installed = [paper.audits for _, paper in sorted(registry.papers().items()) if paper.installed]
    found = [find_spec(name) for name in ("banditproof", *installed)]
    return [Path(place) for each in found if each is not None for place in each.submodule_search_locations or ()]


@functools.cache
def _versions() -> dict[str, str]:
    """Of what the package requires, and of what those compile with; of all that is installed where it runs from its source tree."""
    try:
        stated = metadata.requires("banditproof") or []
    except metadata.PackageNotFoundError:
        return {each.metadata["Name"]: each.version for each in metadata.distributions()}
    needed = {line.split(";")[0].strip(" ()") for line in stated if not any(f'extra == "{extra}"' in line for extra in _BESIDE)}
    names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in needed} | {"llvmlite", "pytensor"}
    return {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


@dataclass(frozen=True, eq=False)
class Cluster:
    """A scheduler whose workers run our software; `connected` makes one."""

    address: str
    most: int | None  # cells at a time; None: one for each worker
    _client: Any
    _software: Software
    _counted: list[float] = field(default_factory=lambda: [0.0, 0.0])  # when the workers were counted, and how many there were

    def workers(self) -> int:
        """Worker processes that have a cell at the same time; counted at most once a second."""
        now = time.monotonic()
        if now - self._counted[0] > LOOK:
            try:
                self._counted[:] = now, len(_nthreads(self._client))
            except (OSError, RuntimeError):  # it does not answer: a cell that ends will say whether it is lost
                self._counted[0] = now
        return max(1, int(self._counted[1] if self.most is None else min(self._counted[1], self.most)))

    def completed(
        self, function: Callable[[T], R], tasks: Sequence[T], handed_out: Callable[[T], T] | None = None
    ) -> Iterator[tuple[int, R]]:
        """(position, function(task)) for each task as it ends.

        Each of `workers()` has one cell, and one that waits for it unless `handed_out` may still change the task. Exceptions of the
        function pass through. Raises ClusterUnusable where the scheduler is lost, a cell is lost with its worker again and again, or a new
        worker runs other software.
        """
        from distributed import CancelledError, KilledWorker

        wanted, ready = self._software.digest(), enumerate(tasks)
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: dict[Any, int] = {}
        try:
            while True:
                room = self.workers() * (1 if handed_out is not None or self.most is not None else 2) - len(running)
                for _, (position, task) in zip(range(room), ready, strict=False):
                    sent = task if handed_out is None else handed_out(task)
                    packed, modules = _packed(function, sent)
                    future = self._client.submit(_cell, packed, wanted, modules, pure=False)
                    running[future] = position
                    future.add_done_callback(ended.put)
                if not running:
                    return
                future = self._next(ended)
                if future is None:
                    continue
                position = running.pop(future)
                try:
                    yield position, future.result()
                except CancelledError:
                    raise self._lost() from None
                except KilledWorker as error:
                    died = "a cell was lost with its worker again and again (memory?)"
                    raise ClusterUnusable(f"scheduler {self.address}: {died}: {function.__qualname__} of task {position}") from error
        finally:
            self._client.cancel(list(running), force=True)

    def _next(self, ended: "queue.SimpleQueue[Any]") -> Any:
        """The next future that has ended; None if none did for a moment."""
        try:
            return ended.get(timeout=LOOK)
        except queue.Empty:
            if self._client.status in ("closing", "closed"):
                raise self._lost() from None
            return None

    def _lost(self) -> ClusterUnusable:
        return ClusterUnusable(f"scheduler {self.address}: was lost; what has finished is kept")


_Modules = tuple[tuple[str, str], ...]  # their names, and hashes of the sources that they reach


def _packed(function: Callable[[T], R], task: T) -> tuple[bytes, _Modules]:
    """Both as bytes, a class of the script that was started with its code, and the modules of neither us nor what we require.

    Raises ledger.SourceChanged on one that was edited since it was first packed here.
    """
    import cloudpickle

    named, content = set[Any](), io.BytesIO()

    class Noting(cloudpickle.Pickler):  # type: ignore[misc]
        def persistent_id(self, part: Any) -> None:
            if isinstance(part, types.ModuleType):
                named.add(part.__name__)
            elif isinstance(part, types.CodeType):  # of what travels with its code
                named.update(each.argval for each in dis.get_instructions(part) if each.opname == "IMPORT_NAME")
            elif not (isinstance(part, type | types.FunctionType) and "<locals>" in part.__qualname__):  # else it travels itself
                named.add(part.__module__ if isinstance(part, type | types.FunctionType) else type(part).__module__)

    Noting(content).dump((function, task))
    by_value = cloudpickle.list_registry_pickle_by_value()
    asked = {name for name in named if isinstance(name, str) and not any(f"{name}.".startswith(f"{each}.") for each in by_value)}
    theirs = filter(_is_theirs, asked)
    return content.getvalue(), tuple((name, digest) for name in sorted(theirs) if (digest := _digest(name)) is not None)


def _is_theirs(module: str) -> bool:
    """Whether a module is part of what a user, or a plug-in, adds; the rest is compared as `Software`."""
    top = module.partition(".")[0]
    return top not in ("", "__main__", "__mp_main__", "banditproof", "cloudpickle", *sys.stdlib_module_names) and top not in _versions()


def _digest(module: str) -> str | None:
    """A hash of what a module reaches; None if no file holds it. Raises ledger.SourceChanged on a file that was edited since it was first
    asked for, since what this process runs may be either."""
    from banditproof.audits.running import ledger

    try:
        return ledger.digest(module)
    except (ValueError, FileNotFoundError):
        return None


def _cell(packed: bytes, wanted: str, modules: _Modules) -> Any:
    """A packed task in a worker process, if that runs the software with the digest `wanted` and has the same modules."""
    with _ONE_CELL:
        where = f"a worker on {platform.node()}"
        if software().digest() != wanted:
            raise ClusterUnusable(f"{where} that came later runs other software: must be what runs here")
        for module, digest in modules:
            what = _other(module, digest)
            if what:
                raise ClusterUnusable(f"module {module}: {where} {what}; must be the one that is here, since numbers depend on it")
        function, task = pickle.loads(packed)
        return function(task)


def _other(module: str, digest: str) -> str:
    """What is wrong with this process's module, whose sources must have the digest; "" if nothing is."""
    from banditproof.audits.running.ledger import SourceChanged

    try:
        there = _digest(module)
    except SourceChanged:
        return "keeps what it has imported, which was edited since: restart it"
    if there is None:
        return "has none of this name"
    return "" if there == digest else "has another one, or imports another one in it"


@contextmanager
def connected(address: str, say: Say, most: int | None = None) -> Iterator[Cluster]:
    """The cluster of a scheduler, for `most` cells at a time. `say` gets a line where the first worker is waited for.

    Raises ClusterUnusable, naming address and rule: the extra is not installed, nobody answers, no worker comes, or one has other software.
    """
    try:
        import distributed
    except ImportError as error:
        raise ClusterUnusable(f"scheduler {address}: needs the extra [cluster], pip install 'banditproof[cluster]' ({error})") from None
    with _quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other versions: what matters is compared below, and named
        try:
            _require_listening(address)
            _require_scheduler(address)
            client: Any = distributed.Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
        except Exception as error:  # whatever the library makes of the address, of its certificates, and of what answers there
            why = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
            raise ClusterUnusable(f"scheduler {address}: cannot be reached ({why})") from None
        try:
            _await_worker(client, address, say)
            ours = software()
            _require_same(client, address, ours)
            yield Cluster(address, most, client, ours)
        finally:
            client.close(timeout=CONNECT)


@contextmanager
def at(scheduler: str | None, most: int | None = None) -> Iterator[Cluster | None]:
    """`connected`, in silence; None where there is no scheduler."""
    if scheduler is None:
        yield None
        return
    with connected(scheduler, lambda line: None, most) as cluster:
        yield cluster


def _nthreads(client: Any) -> dict[str, int]:
    """Threads by the workers' addresses."""
    return dict(client.nthreads())


def _require_listening(address: str) -> None:
    """Raises ValueError on what is no address, OSError where nobody listens: the library would try for long, and name neither."""
    from distributed.comm.addressing import get_address_host_port

    host, port = get_address_host_port(address, strict=True)
    socket.create_connection((host, port), CONNECT).close()


def _require_scheduler(address: str) -> None:
    """Raises an exception unless a scheduler introduces itself within CONNECT seconds: the library waits for other listeners for ever."""
    from distributed.comm.core import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    if address.startswith("tls://") and arguments["ssl_context"] is None:
        raise ValueError("a tls:// address needs certificates, DASK_DISTRIBUTED__COMM__TLS__CA_FILE and its like")

    async def introduced() -> Any:
        comm: Any = await connect(address, CONNECT, **arguments)  # type: ignore[no-untyped-call]
        try:
            await comm.write({"op": "identity", "n_workers": 0, "reply": True})
            return await comm.read()
        finally:
            comm.abort()

    answer = _aside(lambda: asyncio.run(asyncio.wait_for(introduced(), CONNECT)))  # a notebook's thread runs a loop already
    if not wait([answer], CONNECT + LOOK).done or isinstance(answer.exception(), TimeoutError):
        raise TimeoutError(f"what listens there does not answer within {CONNECT:.0f} s: must be a Dask scheduler")
    error = answer.exception()
    if isinstance(error, OSError):
        raise error
    if error is not None or not isinstance(answer.result(), dict) or "workers" not in answer.result():
        raise ValueError("what listens there must be a Dask scheduler of this protocol")


def _aside(function: Callable[[], R]) -> "Future[R]":
    """The result of a function that may not end, in a thread that does not keep the process alive."""
    answer: Future[R] = Future()

    def run() -> None:
        try:
            answer.set_result(function())
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer


def _await_worker(client: Any, address: str, say: Say) -> None:
    if _nthreads(client):
        return
    say(f"scheduler {address}: waits for the first worker, {FIRST_WORKER:.0f} s at most")
    until = time.monotonic() + FIRST_WORKER
    while not _nthreads(client):
        if time.monotonic() > until:
            raise ClusterUnusable(f"scheduler {address}: has no workers")
        time.sleep(LOOK)


def _require_same(client: Any, address: str, ours: Software) -> None:
    for worker, theirs in sorted(client.run(software, on_error="return").items()):
        where = f"worker {worker} of scheduler {address}"
        if not isinstance(theirs, Software):
            raise ClusterUnusable(f"{where}: does not run banditproof ({type(theirs).__name__}: {theirs})")
        difference = theirs.difference(ours)
        if difference:
            raise ClusterUnusable(f"{where}: {difference}: must be equal, since numbers depend on it (workers keep what they began with)")


@contextmanager
def _quiet() -> Iterator[None]:
    """The library logs, in many lines, what is said here in one."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    loud = [logger for logger in map(logging.getLogger, names) if not logger.disabled]
    for logger in loud:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loud:
            logger.disabled = False
