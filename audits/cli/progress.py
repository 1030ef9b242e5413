"""What `verify` says on standard error while it runs: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from banditproof.audits.running.report import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from banditproof.audits.running.run import TimedResult

SILENCE = 120.0  # seconds: after them the next audit that ends is named
PARTS = 5  # lines of a run, besides
Note = Callable[["TimedResult", int, int], None]


@contextmanager
def progress(total: int, settings: Settings, *, each: bool, quiet: bool) -> Iterator[Note]:
    """A bar on a terminal. Elsewhere a line for each audit (`each`), else for the first, every fifth part of them, each surprise, and what
    ends after two minutes of silence. Nothing, if quiet."""
    from banditproof.audits.reporting.table import console

    if quiet:
        yield lambda timed, done, of: None
        return
    screen = console(stderr=True)
    workers = f"{settings.jobs} worker{'s' if settings.jobs > 1 else ''}"
    intro = f"{total} audit{'s' if total != 1 else ''}, level {settings.level}, seed {settings.seed}, {workers}"
    if not screen.is_terminal:
        click.echo(intro, err=True)
        yield _lines(total, screen, each)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from banditproof.audits.reporting.table import verdict

    columns = (BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, transient=True) as bar:
        room = max(10, screen.width - 48)  # beside bar, count and time
        task = bar.add_task(intro[:room], total=total)

        def step(timed: "TimedResult", done: int, of: int) -> None:
            bar.update(task, completed=done, description=f"{verdict(timed.result, screen)}  {timed.result.audit}"[:room])

        yield step


def _lines(total: int, screen: "Console", each: bool) -> Note:
    from banditproof.audits.reporting.table import verdict

    figures, said = len(str(total)), time.monotonic()

    def line(timed: "TimedResult", done: int, of: int) -> None:
        nonlocal said
        part = done == 1 or done * PARTS // of > (done - 1) * PARTS // of
        if each or part or timed.result.surprising() or time.monotonic() - said > SILENCE:
            said = time.monotonic()
            click.echo(f"[{done:>{figures}}/{of}] {verdict(timed.result, screen)}  {timed.result.audit}  {timed.seconds:.1f} s", err=True)

    return line


def warn_if_cold() -> None:
    """Says on standard error that the compiler will run first, where none of the kernels that were imported has a compiled form yet."""
    import sys

    if "banditproof.kernels" not in sys.modules:  # nothing that was imported has a kernel
        return
    from banditproof.kernels import cold

    if cold():
        click.echo("compiling kernels, once (about 30 s)", err=True)
