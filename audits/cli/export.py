"""`banditproof export`: a kept record as a table, and as netCDF files."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from banditproof.audits.cli.records import noted
from banditproof.audits.cli.values import Rejected, one_line, require_writable
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.files import write_whole
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Verdict, counted

Command = TypeVar("Command", bound=Callable[..., Any])

TABLES = (".csv", ".parquet")


def exporting(command: Command) -> Command:
    """The options that say where results go beside their record."""
    for option in (
        click.option(
            "--keep-draws", is_flag=True, help="With --netcdf: the draws of each posterior too, sampled again (about 1 s for each)."
        ),
        click.option("--netcdf", metavar="FOLDER", help="Numbers and curves of each audit, to FOLDER/<audit>.nc."),
        click.option("--frame", metavar="FILE", help="One row per audit, to FILE.csv or FILE.parquet."),
    ):
        command = option(command)
    return command


@click.command(short_help="A kept record as a table, or as netCDF.")
@click.argument("record", metavar="RECORD.json")
@exporting
def export(record: str, frame: str | None, netcdf: str | None, keep_draws: bool) -> int:
    """Write what --json of verify (or of an audit) kept as a table for pandas, or, of registered audits, as netCDF files for xarray and
    ArviZ.

    A file <audit>.nc holds the numbers of the record with their units, curves, and the audit, seed and versions that they come from; with
    --keep-draws also the draws of the posterior, which are sampled again and must give the record's summary.

    \b
    banditproof export run.json --frame run.csv
    banditproof export run.json --netcdf run --keep-draws
    """
    from banditproof.audits.reporting.kept import read_kept

    if frame is None and netcdf is None:
        raise Rejected("frame, netcdf: give one of --frame FILE and --netcdf FOLDER, or both")
    require_exportable(frame, netcdf, keep_draws)
    try:
        found = read_kept(record, noted)
    except ValueError as error:
        raise Rejected(str(error)) from None
    return exported(Exit.EXPECTED, found, frame, netcdf, keep_draws)


def require_exportable(frame: str | None, netcdf: str | None, keep_draws: bool) -> None:
    """Raises Rejected, naming the option, where a table or a folder cannot be written: before anything is computed."""
    if keep_draws and netcdf is None:
        raise Rejected("keep_draws: draws are written with --netcdf FOLDER")
    if frame is not None:
        if Path(frame).suffix not in TABLES:
            raise Rejected(f"frame = {frame}: must end in {' or '.join(TABLES)}")
        require_writable(frame, "frame")
        if Path(frame).suffix == ".parquet":
            _require_pyarrow()
    if netcdf is not None:
        try:
            Path(netcdf).mkdir(parents=True, exist_ok=True)
            require_writable(str(Path(netcdf) / ".banditproof"), "netcdf")
        except OSError as error:
            raise Rejected(f"netcdf = {netcdf}: no folder can be made there ({os.strerror(error.errno or 0)})") from None


def exported(code: int, found: Report | AuditResult, frame: str | None, netcdf: str | None, keep_draws: bool) -> int:
    """Writes what was asked for, and says on standard error what was written, or why it could not be.

    Returns the exit code: the given one, but REJECTED where that says that all was as expected and something could not be written.
    """
    try:
        if frame is not None:
            _write_frame(found, Path(frame))
            click.echo(f"{counted(len(_results(found)), 'row')} written to {frame}", err=True)
        if netcdf is not None:
            from banditproof.audits.reporting.netcdf import write_netcdf

            files = write_netcdf(_measured(found), Path(netcdf), draws=keep_draws)
            click.echo(f"{counted(len(files), 'file')} written to {netcdf}", err=True)
    except (ValueError, TypeError, OverflowError) as error:  # pyarrow's own are among them
        click.echo(f"Error: {one_line(str(error))}", err=True)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else one_line(str(error))
        click.echo(f"Error: file {str(error.filename or netcdf or frame)!r}: cannot be written ({reason})", err=True)
    else:
        return code
    return code or Exit.REJECTED


def _results(found: Report | AuditResult) -> Sequence[AuditResult]:
    return found.results if isinstance(found, Report) else (found,)


def _measured(found: Report | AuditResult) -> list[AuditResult]:
    return [result for result in _results(found) if result.verdict is not Verdict.NOT_CHECKABLE]


def _write_frame(found: Report | AuditResult, path: Path) -> None:
    """The table, whole or not at all."""
    import io

    frame = found.to_frame()
    if path.suffix == ".csv":
        write_whole(path, frame.to_csv(index=False))
        return
    if frame["seed"].dtype == object:  # beyond 64 bits, which Parquet has not
        frame = frame.astype({"seed": str})
    content = io.BytesIO()
    frame.to_parquet(content, index=False)
    write_whole(path, content.getvalue())


def _require_pyarrow() -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise Rejected("writing Parquet needs pyarrow: pip install 'banditproof[parquet]'")
