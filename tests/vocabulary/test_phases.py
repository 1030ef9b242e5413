"""Phases: their seconds add up, the inner one counts, and only where somebody asked."""

import builtins
import threading
import time

import pytest

from banditproof import phases
from banditproof.phases import Phase, phase, recorded

STEP = 0.02  # seconds


class Clock:
    """A clock that goes on when it is told to: a machine that others use may stop for a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    own = Clock()
    monkeypatch.setattr(phases, "time", own)
    return own


def test_the_inner_phase_counts_and_all_add_up(clock: Clock) -> None:
    """Would catch time that is counted twice, or lost when a phase ends, also by an exception."""
    with recorded() as seconds:
        with phase(Phase.TESTING):
            clock.sleep(1.0)
            with pytest.raises(KeyError), phase(Phase.DRAWING):
                clock.sleep(2.0)
                raise KeyError
            clock.sleep(4.0)
        clock.sleep(8.0)
    assert {which: value for which, value in seconds.items() if value} == {Phase.TESTING: 5.0, Phase.DRAWING: 2.0, Phase.OTHER: 8.0}


def test_a_record_inside_another_takes_its_time_out_of_it(clock: Clock) -> None:
    """Would catch audits that run in the process of the command and are counted by both, and a record that goes on after its end."""
    with recorded() as outer, phase(Phase.TESTING):
        with recorded() as inner, phase(Phase.PLAYING):
            clock.sleep(8.0)
        clock.sleep(1.0)
    clock.sleep(2.0)
    assert (inner[Phase.PLAYING], sum(inner.values())) == (8.0, 8.0)
    assert (outer[Phase.TESTING], sum(outer.values())) == (1.0, 1.0)
    with recorded() as after:
        clock.sleep(4.0)
    assert sum(after.values()) == 4.0


def test_imports_are_counted_where_they_are_written_and_only_while_it_lasts(tmp_path, monkeypatch) -> None:
    """Would catch an import inside a function that counts as drawing, and a hook that stays."""
    (tmp_path / "module_that_waits.py").write_text(f"import time\ntime.sleep({STEP})\n")
    monkeypatch.syspath_prepend(tmp_path)
    plain = builtins.__import__
    with recorded() as seconds, phase(Phase.DRAWING):
        assert builtins.__import__ is not plain
        import module_that_waits  # type: ignore[import-not-found]  # noqa: F401
    assert builtins.__import__ is plain
    assert seconds[Phase.IMPORTING] >= STEP


def test_another_thread_is_not_counted() -> None:
    """Would catch phases of threads that mix with those of the thread that waits for them."""

    def work() -> None:
        with phase(Phase.PLAYING):
            time.sleep(STEP)

    with recorded() as seconds, phase(Phase.TESTING):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seconds[Phase.PLAYING] == 0.0
    assert seconds[Phase.TESTING] >= STEP


def test_a_phase_costs_next_to_nothing_where_nobody_asked() -> None:
    """Would catch a marker that a loop feels: below 5 microseconds, the least of five."""

    def cost() -> float:
        begun = time.process_time()
        for _ in range(10_000):
            with phase(Phase.DRAWING):
                pass
        return (time.process_time() - begun) / 10_000

    assert min(cost() for _ in range(5)) < 5e-6
