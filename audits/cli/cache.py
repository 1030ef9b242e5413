"""`banditproof cache`: what is kept between runs, how large and how old it is, and its removal."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from banditproof.audits.cli.values import Number, Rejected, one_line
from banditproof.audits.running.exits import Exit
from banditproof.audits.statistics.evidence import counted
from banditproof.glossary import NON_NEGATIVE, Quantity

if TYPE_CHECKING:
    from banditproof.audits.running.kernel_cache import KernelFolder

_LONGEST = 365_000.0  # days: beyond, there is no date
DAYS = Number(Quantity("older_than", "", NON_NEGATIVE, "days since the last use"))


@click.group(short_help="What is kept between runs, and its removal.", invoke_without_command=True)
@click.pass_context
def cache(ctx: click.Context) -> int:
    """Show what is kept between runs: compiled kernels, and results of audits in the ledger.

    Kernels that these sources reach are read by the next run; others belong to an earlier state of a file, to another installation, or to
    kernels of your own. The folder is $BANDITPROOF_CACHE, else $XDG_CACHE_HOME/banditproof, else ~/.cache/banditproof.
    """
    return _show() if ctx.invoked_subcommand is None else Exit.EXPECTED


@cache.command(short_help="Remove what no source reaches any more.")
@click.option("--older-than", type=DAYS, default=7, show_default=True, metavar="DAYS", help="Only what was not used for so long.")
@click.option("--all", "everything", is_flag=True, help="Remove everything, whatever reaches it and however old it is.")
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
def prune(older_than: float, everything: bool, dry_run: bool) -> int:
    """Remove compiled kernels that no source reaches any more, and results of the ledger that a later one of their audit replaced.

    What is removed is computed again if it is needed: no number depends on it. Kernels of your own count as not reached. The last result of
    each audit stays, unless --all is given.
    """
    from banditproof.audits.running import kernel_cache
    from banditproof.audits.running.results import LedgerUnusable, discard

    folders = kernel_cache.prunable(kernel_cache.kernel_folders(), older_than=older_than, everything=everything)
    if not dry_run:
        _remove(lambda: kernel_cache.remove(folders))
    done = "would be removed" if dry_run else "removed"
    click.echo(f"{counted(len(folders), 'folder')} of compiled kernels {done}: {size(sum(folder.size for folder in folders))}")
    try:
        results = counted(_pruned(older_than, everything, dry_run), "result")
    except LedgerUnusable as error:
        if not everything:
            raise Rejected(one_line(str(error))) from None
        results = "a damaged ledger"
        if not dry_run:
            _remove(discard)
    click.echo(f"{results} of audits {done}")
    return Exit.EXPECTED


def _remove(removal: Callable[[], None]) -> None:
    try:
        removal()
    except OSError as error:
        raise Rejected(f"file {str(error.filename)!r}: cannot be removed ({one_line(str(error.strerror))})") from None


def _pruned(older_than: float, everything: bool, dry_run: bool) -> int:
    """Forgets results of the ledger; how many."""
    from banditproof.audits.running.results import open_results

    before = datetime.now(UTC) - timedelta(days=min(older_than, _LONGEST))
    with open_results() as kept:
        if everything:
            return kept.contents().cells if dry_run else kept.forget()
        return kept.count_before(before) if dry_run else kept.prune(before)


def _show() -> int:
    from rich.table import Table

    from banditproof import kernels
    from banditproof.audits.reporting.table import console, say
    from banditproof.audits.running.kernel_cache import kernel_folders
    from banditproof.audits.running.results import LedgerUnusable, open_results

    try:
        with open_results() as kept:
            results = kept.contents()
    except LedgerUnusable as error:
        raise Rejected(one_line(str(error))) from None
    screen, folders = console(), kernel_folders()
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("compiled kernels", "folders", "size", "last used"):
        grid.add_column(heading, justify="right" if heading in ("folders", "size") else "left", overflow="fold")
    for name, reached in (("these sources", True), ("other sources", False)):
        group = [folder for folder in folders if folder.reached is reached]
        grid.add_row(name, f"{len(group):,}", size(sum(folder.size for folder in group)), _ages(group))
    first, *others = dict.fromkeys([kernels.stores()[0].parent, *(folder.path.parent.parent for folder in folders)])
    say(screen, "\n".join([f"In {first}", *(f"and in {other}" for other in others)]), "", grid, "")
    held = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("results", "kept", "size", "from"):
        held.add_column(heading, justify="right" if heading in ("kept", "size") else "left", overflow="fold")
    now = datetime.now(UTC)
    days = [max(0, (now - when).days) for when in (results.oldest, results.newest) if when is not None]
    held.add_row(f"of {counted(results.audits, 'audit')}", f"{results.cells:,}", size(results.bytes), _span(days))
    say(screen, held)
    return Exit.EXPECTED


def _ages(folders: "Sequence[KernelFolder]") -> str:
    return _span([int(folder.days) for folder in folders])


def _span(days: Sequence[int]) -> str:
    """'8 days ago to today'."""
    return " to ".join(dict.fromkeys(age(pick(days)) for pick in (max, min))) if days else ""


def age(days: int) -> str:
    """Whole days ago, in words."""
    return "today" if days < 1 else f"{counted(days, 'day')} ago"


def size(total: int) -> str:
    """Bytes in a narrow column: 950 B, 1.3 GB."""
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if total >= least:
            return f"{total / least:.3g} {unit}"
    return f"{total} B"
