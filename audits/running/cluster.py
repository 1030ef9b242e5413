"""Cells on a Dask cluster, as on worker processes of one machine: the same cells, the same numbers, kept by the starting process alone.

A worker gets a function of a module and a task of small plain data. A cell whose worker died is played again on another one, so what a
cluster loses costs time only. The numbers of a cell depend on the software and on the processor, so these must be equal everywhere: each
worker is asked at the start, and each cell asks again, since workers come and go. A cell also names the modules that its task holds parts
of, of a user's policy say, and travels packed: they are compared before they are imported there, and the scheduler needs none of them.
One cell at a time runs in a worker process.
"""

import asyncio
import dis
import io
import logging
import pickle
import platform
import queue
import socket
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from banditproof.audits.running.software import Software, software, versions

T = TypeVar("T")
R = TypeVar("R")
Say = Callable[[str], None]

CONNECT = 10.0  # seconds until a scheduler that does not answer is unreachable
FIRST_WORKER = 600.0  # seconds without any, at the start or later: a queue of jobs, or an image that is pulled
LOOK = 1.0  # seconds between looks at the cluster while no cell ends
_ONE_CELL = threading.Lock()  # of a worker process with several threads: cells compile, import and set warnings


class ClusterUnusable(RuntimeError):
    """The cluster cannot be reached, is lost, or runs other software; the message names it and says what must be."""


@dataclass
class _Count:
    """How many workers there were when they were last counted, and since when there are none."""

    when: float = 0.0
    workers: int = 1
    none_since: float | None = None
    said: float | None = None  # that they went then


@dataclass(frozen=True, eq=False)
class Cluster:
    """A scheduler whose workers run our software; `connected` makes one."""

    address: str
    most: int | None  # cells at a time; None: one for each worker
    _client: Any
    _software: Software
    _say: Say = lambda line: None
    _count: _Count = field(default_factory=_Count)

    def workers(self) -> int:
        """Worker processes that have a cell at the same time; counted at most once a second."""
        now, count = time.monotonic(), self._count
        if now - count.when > LOOK:
            count.when = now
            with suppress(OSError, RuntimeError):  # it does not answer: a cell that ends will say whether it is lost
                count.workers = len(_nthreads(self._client))
            count.none_since = None if count.workers else count.none_since or now
        return max(1, count.workers if self.most is None else min(count.workers, self.most))

    def completed(
        self, function: Callable[[T], R], tasks: Sequence[T], handed_out: Callable[[T], T] | None = None
    ) -> Iterator[tuple[int, R]]:
        """(position, function(task)) for each task as it ends.

        Each of `workers()` has one cell, and one that waits for it unless `handed_out` may still change the task. Exceptions of the
        function pass through. Raises ClusterUnusable where the scheduler is lost, all workers are for FIRST_WORKER seconds, a cell is lost
        with its worker again and again, or a new worker runs other software.
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
                    self._require_worker()
                    continue
                position = running.pop(future)
                try:
                    yield position, self._result(future)
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

    def _result(self, future: Any) -> Any:
        """What a future that has ended came to. The worker that holds it may die before it is sent, and then it is computed again."""
        answer = _aside(future.result)
        while not wait([answer], LOOK).done and self._client.status not in ("closing", "closed"):
            self.workers()
            self._require_worker()
        if not answer.done():
            raise self._lost()
        return answer.result()

    def _require_worker(self) -> None:
        """Says where no worker is left, and raises ClusterUnusable where none comes for FIRST_WORKER seconds."""
        count = self._count
        if count.none_since is None:
            return
        if count.said != count.none_since:
            count.said = count.none_since
            self._say(f"scheduler {self.address}: no worker is left, waits for one, {FIRST_WORKER:.0f} s at most")
        if count.when - count.none_since > FIRST_WORKER:
            raise ClusterUnusable(f"scheduler {self.address}: had no worker for {FIRST_WORKER:.0f} s; what has finished is kept")

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
    return top not in ("", "__main__", "__mp_main__", "banditproof", "cloudpickle", *sys.stdlib_module_names) and top not in versions()


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
    """The cluster of a scheduler, for `most` cells at a time. `say` gets a line where a worker is waited for, the first or another one.

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
            yield Cluster(address, most, client, ours, say)
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
