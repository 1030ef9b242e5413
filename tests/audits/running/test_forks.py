"""Worker processes that are copies of this one."""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from banditproof.audits.running import forks, memory

_KEPT: list[bytes] = []
_HERE: list[int] = []


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def slow(number: int) -> int:
    time.sleep(30.0 if number else 0.0)
    return number


def inverse(number: int) -> float:
    return 1.0 / number


def gone(number: int) -> int:
    if number == 1:
        os._exit(7)
    return number


def killed(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), 9)
    return number


def grown(number: int) -> int:
    _KEPT.append(b"x" * (1 if not _KEPT else 40 << 20))
    return os.getpid()


def read(number: int) -> int:
    return _HERE[number]


def children() -> int:
    """How many processes of this one are alive, ended ones that nobody waited for included."""
    listed = subprocess.run(
        ["ps", "--no-headers", "-o", "pid,comm", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    )
    return sum("ps" not in line.split()[1:] for line in listed.stdout.splitlines())


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_task_is_done_once_and_no_worker_is_left(workers: int) -> None:
    """Would catch a lost task, another one's position, a worker that idles while there is work, and one that is left behind."""
    before = children()
    found = dict(forks.completed(square, enumerate(range(20)), workers, 1 << 40))
    assert {position: value for position, (value, _) in found.items()} == {number: number * number for number in range(20)}
    processes = {process for _, process in found.values()}
    assert len(processes) <= workers and os.getpid() not in processes
    assert children() == before
    assert list(forks.completed(square, enumerate([]), workers, 1 << 40)) == []


def test_a_worker_has_what_this_process_has() -> None:
    """Would catch workers that begin empty, and import all papers again."""
    _HERE[:] = [11, 12]
    assert dict(forks.completed(read, enumerate([0, 1]), 2, 1 << 40)) == {0: 11, 1: 12}


def test_an_exception_passes_through_and_ends_the_others() -> None:
    before = children()
    with pytest.raises(ZeroDivisionError):
        list(forks.completed(inverse, enumerate([3, 2, 0, 1]), 2, 1 << 40))
    assert children() == before


class Asked(Exception):
    """Cannot be made from its message alone."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}, {why}")


class Opened(Exception):
    """Reads a file that is gone when it comes out of a pickle."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return open, ("/nowhere/at/all",)


def fails(number: int) -> object:
    raise (Asked("a number", "to be sure"), Opened("the file is gone"), ValueError("as it is"))[number]


def unreadable(number: int) -> object:
    return lambda: number


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (0, RuntimeError, "Asked: a number, to be sure (of a worker process)"),
        (1, RuntimeError, "Opened: the file is gone (of a worker process)"),
        (2, ValueError, "as it is"),
    ],
)
def test_an_exception_is_told_whatever_it_takes_to_make_it(number: int, kind: type[Exception], text: str) -> None:
    """Would catch a worker that is said to be lost, an exception of reading the exception, a call that waits for ever for a worker that
    lives, and a traceback that ends where the worker was asked."""
    before = children()
    with pytest.raises(kind) as caught:
        list(forks.completed(fails, enumerate([number] * 2), 2, 1 << 40))
    assert str(caught.value) == text
    assert ", in fails\n" in caught.value.__notes__[0]
    assert children() == before


def test_a_result_that_cannot_be_sent_is_said() -> None:
    with pytest.raises(AttributeError, match="unreadable"):
        list(forks.completed(unreadable, enumerate([1, 2]), 2, 1 << 40))


def ends_behind_its_answer(number: int) -> int:
    threading.Timer(0.2, os._exit, (3,)).start()
    return number


def test_a_worker_that_ends_behind_its_last_answer_costs_nothing() -> None:
    """Would catch a run that fails for a worker of which nothing more is wanted, and a result that is lost with the worker that had it."""
    assert list(forks.completed(ends_behind_its_answer, slowly([4]), 1, 1 << 40)) == [(0, 4)]
    found = []
    with pytest.raises(forks.WorkerLost, match="exit code 3"):
        for result in forks.completed(ends_behind_its_answer, slowly([5, 6]), 1, 1 << 40):
            found.append(result)
    assert found == [(0, 5)]


def slowly(numbers: list[int]) -> Iterator[tuple[int, int]]:
    for position, number in enumerate(numbers):
        yield position, number
        time.sleep(1.0)


@pytest.mark.parametrize(("function", "how"), [(gone, "exit code 7"), (killed, "signal 9, as for want of memory")])
def test_a_lost_worker_is_said(function: object, how: str) -> None:
    """Would catch a run that waits for ever for a worker that the system has killed."""
    before = children()
    with pytest.raises(forks.WorkerLost, match=f"a worker process was lost \\({how}\\)"):
        list(forks.completed(function, enumerate([0, 1, 0, 0]), 2, 1 << 40))  # type: ignore[arg-type]
    assert children() == before


def test_an_iteration_that_is_left_ends_its_workers_at_once() -> None:
    """Would catch workers that compute on after an interrupt."""
    before, started = children(), time.monotonic()
    results = forks.completed(slow, enumerate([0, 1, 1]), 2, 1 << 40)
    assert next(results) == (0, 0)
    results.close()  # type: ignore[attr-defined]
    assert children() == before and time.monotonic() - started < 20.0


def test_a_process_that_leaves_an_iteration_open_ends() -> None:
    """Would catch an interpreter that waits at its end for workers that nobody asks for anything."""
    code = """
import time
from banditproof.audits.running import forks
left = forks.completed(time.sleep, enumerate([0, 0, 60, 60]), 2, 1 << 40)
print(next(left))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_worker_that_has_grown_is_replaced() -> None:
    """Would catch memory that grows with the number of audits. Each task keeps 40 MB from its process's second one on."""
    few = {process for _, process in forks.completed(grown, enumerate(range(6)), 1, 1 << 40)}
    many = {process for _, process in forks.completed(grown, enumerate(range(6)), 1, 60_000_000)}
    assert (len(few), len(many)) == (1, 2)


def test_a_worker_that_has_a_group_for_itself_may_grow_more() -> None:
    """Would catch a worker that is replaced for having imported what its whole group needs, one that is kept for any group, and one that
    grows for ever."""

    def processes(first: int, count: int) -> int:
        found = forks.completed(grown, enumerate(range(first, first + count)), 1, 60_000_000, by_tens)
        return len({process for _, process in found})

    assert (processes(90, 4), processes(0, 4), processes(90, 12)) == (1, 2, 3)


def by_tens(number: int) -> tuple[int, str]:
    return (-1, "alone") if number >= 90 else (number // 50, str(number // 10))


def pausing(number: int) -> int:
    time.sleep(0.002)
    return os.getpid()


def test_groups_stay_together_and_low_ranks_come_first() -> None:
    """Would catch tasks of one group that are dealt out one by one, a group for one worker that two are at, and a rank that is not kept."""
    numbers = [*range(0, 100, 2), *range(1, 100, 2)]
    found = list(forks.completed(pausing, enumerate(numbers), 2, 1 << 40, by_tens))
    assert sorted(position for position, _ in found) == list(range(100))
    done = [(numbers[position], process) for position, process in found]
    assert len({process for number, process in done if number >= 90}) == 1
    ranks = [number // 50 for number, _ in done if number < 90]
    assert ranks == sorted(ranks) or sum(ranks[:48]) <= 2  # the other worker may be at its last task of rank 0
    changes = sum(one // 10 != other // 10 for process in {each for _, each in done} for one, other in _pairs(done, process))
    assert changes <= 2 * 10


def _pairs(done: list[tuple[int, int]], process: int) -> list[tuple[int, int]]:
    own = [number for number, each in done if each == process]
    return list(itertools.pairwise(own))


def test_a_process_with_threads_is_not_copied() -> None:
    """Would catch a copy in which a lock of another thread stays locked for ever."""
    assert forks.possible() == (threading.active_count() == 1)
    wait = threading.Event()
    thread = threading.Thread(target=wait.wait)
    thread.start()
    try:
        assert not forks.possible()
    finally:
        wait.set()
        thread.join()


def test_the_peak_is_of_what_came_since() -> None:
    """Would catch a peak of the whole process, and one that misses what was freed again."""
    block = b"x" * (200 << 20)
    del block
    memory.forget_peak()
    before = memory.resident()
    first = memory.peak()
    block = b"x" * (80 << 20)
    del block
    second = memory.peak()
    assert first is not None and second is not None
    assert abs(first - before) < 30e6 and 60e6 < second - before < 110e6


def test_freed_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a process that keeps what audits with large arrays have freed. Small pieces, of which the C library keeps all."""
    pieces = [bytes(100_000) for _ in range(3000)]
    kept = pieces[-1]
    grown_to = memory.resident()
    monkeypatch.setattr(memory, "_after", 0)
    del pieces
    memory.give_back()
    assert grown_to - memory.resident() > 200e6 and kept is not None
