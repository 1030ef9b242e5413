"""Ctrl-C and SIGTERM end a run, even where a library that waits for its workers swallows the interrupt, or waits on."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 20.0  # seconds: a pool whose workers are dead ends in two; while a machine is busy, in ten


@contextmanager
def terminating() -> Iterator[None]:
    """Within it, SIGTERM is an interrupt as Ctrl-C is. Outside the main thread it changes nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def insistent(again: float = AGAIN) -> Iterator[None]:
    """Within it, an interrupt ends the worker processes at once, and is repeated every `again` seconds until the block is left; whatever a
    library makes of it, what leaves the block is a KeyboardInterrupt. Outside the main thread it changes nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    main, left, repeating = threading.main_thread().ident, threading.Event(), threading.Event()

    def repeat() -> None:
        while not left.wait(again):
            signal.pthread_kill(main or 0, signal.SIGINT)

    def interrupted(number: int, frame: FrameType | None) -> None:
        if left.is_set():  # sent as the block was left
            return
        if not repeating.is_set():
            repeating.set()
            threading.Thread(target=repeat, daemon=True).start()
        _end_workers()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupted) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except Exception:
        if repeating.is_set():  # the interrupt was swallowed, and then the workers were missed
            raise KeyboardInterrupt from None
        raise
    finally:
        left.set()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_workers() -> None:
    """Kills the worker processes: what they compute is lost in any case, and nobody has to wait for it."""
    multiprocessing = sys.modules.get("multiprocessing")
    for child in () if multiprocessing is None else multiprocessing.active_children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
