"""What runs in the child process: it loads the user's object, calls it, and sends what it returns."""

import contextlib
import faulthandler
import itertools
import mmap
import os
import pickle
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, TextIO

from banditproof.audits.isolation.frames import (
    BEGUN,
    SIDE,
    WORDS,
    Adapt,
    Description,
    Done,
    Draw,
    Frozen,
    Outputs,
    Raised,
    Refused,
    Setup,
    packed,
)
from banditproof.audits.privacy.declared import plain
from banditproof.audits.running.lifetimes import end_with
from banditproof.audits.subjects import Form, Subject, SubjectRaised, adapt, load_subject, same_data

BATCH_SECONDS, MOST_IN_BATCH = 0.1, 8192  # outputs are sent this often; a crash loses those since the last time


def main() -> None:
    """Serves requests until the parent goes. `sys.argv` has the descriptors of requests, answers and shared memory."""
    requests, answers, memory = map(int, sys.argv[1:4])
    channel = Connection(requests, writable=False)
    server = Server(Connection(answers, readable=False), memoryview(mmap.mmap(memory, mmap.PAGESIZE)).cast("Q")[:WORDS])
    sys.argv = ["banditproof"]
    set_up(pickle.loads(channel.recv_bytes()))
    server.send(Done())  # ready: from now on the user's code takes the time
    with warned_once():
        while True:
            try:
                request = pickle.loads(channel.recv_bytes())
            except (EOFError, OSError):
                os._exit(0)  # the parent has gone: threads of the user's are not waited for
            server.serve(request)


@contextlib.contextmanager
def warned_once() -> Iterator[None]:
    """Within it, a warning is shown once. Python forgets which ones it has shown whenever some library changes the filters for itself."""
    shown: set[tuple[str, type[Warning], str, int]] = set()
    before = warnings.showwarning

    def show(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None, line: str | None = None
    ) -> None:
        if (str(message), category, filename, lineno) not in shown:
            shown.add((str(message), category, filename, lineno))
            before(message, category, filename, lineno, file, line)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = before


def set_up(setup: Setup) -> None:
    """The import path of the parent, the limit on memory, and an end with the parent's."""
    import resource

    sys.path[:] = setup.path
    end_with(setup.parent)
    if setup.traces:
        faulthandler.enable()
    if setup.memory is not None:
        # Data, where the system counts mappings among them (Linux); address space is taken in large pieces that are never used.
        kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        with contextlib.suppress(OSError, ValueError):  # a lower limit holds already
            resource.setrlimit(kind, (setup.memory, resource.getrlimit(kind)[1]))


@dataclass
class Server:
    """The user's object and the way to the parent."""

    answers: Connection
    shared: memoryview
    subject: Subject | None = None

    def serve(self, request: Any) -> None:
        """Carries a request out, and answers it."""
        try:
            match request:
                case Adapt():
                    self.send(self.adapted(request))
                case Draw():
                    self.draw(request, self._loaded())
                    self.send(Done())
                case Frozen():
                    self.send(Done(self.frozen(request, self._loaded())))
        except SubjectRaised as error:
            cause = error.__cause__ or error
            self.send(Raised(str(error), "".join(traceback.format_exception(cause)).rstrip()))
        except ValueError as error:
            self.send(Refused(str(error)))
        except (Exception, KeyboardInterrupt) as error:  # also what is no error of the user's function: the parent says it in one line
            self.send(Raised(f"its process failed with {type(error).__name__}: {error}", traceback.format_exc().rstrip()))

    def send(self, answer: Any) -> None:
        """Raises ValueError on an answer that cannot travel."""
        try:
            data = packed(answer)
        except Exception as error:  # the user's object states something of its own
            raise ValueError(f"what it states of itself cannot leave its process ({error})") from None
        self.answers.send_bytes(data)

    def adapted(self, request: Adapt) -> Description:
        found = load_subject(request.name) if request.pickled is None else pickle.loads(request.pickled)
        asked = {"neighbours": request.neighbours, "relation": request.relation, "data_as": request.data_as, "examples": request.examples}
        made = adapt(found, name=request.name, **asked)
        self.subject = made
        return Description(made.form, made.declared_neighbours, made.stated_guarantee, made.seedable, made.theorems, made.data_as)

    def draw(self, request: Draw, subject: Subject) -> None:
        given, kept = [subject.given(data) for data in request.datasets], [plain(data) for data in request.datasets]
        match subject.form:
            case Form.PLAIN:
                self.by_calls(subject, given, request.cells)
            case Form.VECTORISED:
                for side, (count, rng) in _by_turns(request.cells):
                    self.begin(side)
                    self.send(Outputs(side, subject.matrix(subject.called(given[side], count, rng), count)))
        for data, before in zip(given, kept, strict=True):
            subject.require_unchanged(data, before)

    def by_calls(self, subject: Subject, given: list[Any], cells: Any) -> None:
        """One output per call, the two datasets by turns. Outputs are sent as they come, in batches that take BATCH_SECONDS."""
        turns = _by_turns([itertools.chain.from_iterable(itertools.repeat(rng, count) for count, rng in part) for part in cells])
        size, begun, shared = 1, int(self.shared[BEGUN]), self.shared
        while batch := list(itertools.islice(turns, size)):
            outputs: tuple[list[Any], ...] = tuple([] for _ in given)
            start = time.monotonic()
            try:
                for side, rng in batch:
                    begun += 1
                    shared[BEGUN], shared[SIDE] = begun, side
                    outputs[side].append(subject.called(given[side], rng))
            finally:  # what was drawn before an error is sent before it
                for side, some in enumerate(outputs):
                    if some:
                        self.send(Outputs(side, subject.stacked(some)))
            seconds = time.monotonic() - start
            size = min(2 * size, MOST_IN_BATCH) if seconds < BATCH_SECONDS / 2 else max(size // 2, 1) if seconds > BATCH_SECONDS else size

    def frozen(self, request: Frozen, subject: Subject) -> Any:
        from banditproof.audits.privacy.frozen_pipeline import function_of
        from banditproof.audits.privacy.subject import replayed_on

        def counted(data: Any, *rest: Any) -> Any:
            self.begin(int(not same_data(data, subject.given(request.pair[0]))))
            return subject.call(data, *rest)

        followed = subject if function_of(subject.call) is not None else replace(subject, call=counted)
        return replayed_on(followed, request.pair, request.claim, seed=request.seed, contract=request.contract, subject=request.subject)

    def begin(self, side: int) -> None:
        """Notes that a call begins."""
        self.shared[SIDE] = side
        self.shared[BEGUN] = int(self.shared[BEGUN]) + 1

    def _loaded(self) -> Subject:
        if self.subject is None:
            raise ValueError("no object was loaded before it was asked for outputs")
        return self.subject


def _by_turns(parts: Any) -> Iterator[tuple[int, Any]]:
    """The parts' members by turns, each with the number of its part; what is left of the longer one at the end."""
    waiting = [(side, iter(part)) for side, part in enumerate(parts)]
    nothing = object()
    while waiting:
        for one in tuple(waiting):
            member = next(one[1], nothing)
            if member is nothing:
                waiting.remove(one)
            else:
                yield one[0], member
