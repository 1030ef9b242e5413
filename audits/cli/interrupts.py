"""Ctrl-C ends a run even where a library that waits for its workers swallows the interrupt, or waits on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 20.0  # seconds: a pool of workers ends in two; while a machine is busy, in ten


@contextmanager
def insistent(again: float = AGAIN) -> Iterator[None]:
    """Within it, an interrupt is repeated every `again` seconds until the block is left. Outside the main thread it changes nothing."""
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
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        left.set()
        signal.signal(signal.SIGINT, before)
