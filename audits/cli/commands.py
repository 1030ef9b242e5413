"""The `banditproof` command: its groups, and how it ends."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from banditproof.audits.cli import audit, cache, compare, diff, export, gray_box, replay, reproduce, schema, theory, verify
from banditproof.audits.cli.interrupts import terminating
from banditproof.audits.cli.settings import TABLE, Settings, project_settings
from banditproof.audits.cli.values import one_line
from banditproof.audits.running.exits import MEANING, Exit
from banditproof.audits.running.registry import PaperUnusable

EXIT_CODES = "\n".join(["\b", "Exit codes", *(f"{code:>5}  {MEANING[code]}" for code in Exit)])


class _SaysWhereDefaultsAreFrom(click.Group):
    """A group whose help names the file of the project's settings, if there is one."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if isinstance(ctx.obj, Settings):
            formatter.write_paragraph()
            formatter.write_text(f"Defaults are from {ctx.obj.file}, [{TABLE}].")


@click.group(
    cls=_SaysWhereDefaultsAreFrom, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, epilog=EXIT_CODES
)
@click.version_option(package_name="banditproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Private and robust bandit algorithms beside their papers' theorems, and audits that play one against the other."""


cli.add_command(verify.verify)
cli.add_command(theory.theory)
cli.add_command(audit.audit)
audit.audit.add_command(gray_box.gray_box)
cli.add_command(compare.compare)
cli.add_command(replay.replay)
cli.add_command(reproduce.reproduce)
cli.add_command(diff.diff)
cli.add_command(export.export)
cli.add_command(cache.cache)
cli.add_command(schema.schema)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; a bad value or a crash of the user's code is one line on standard error."""
    with terminating():
        return _ended(arguments)


def _ended(arguments: Sequence[str] | None) -> int:
    try:
        settings = project_settings(cli, Path.cwd())
        code = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="banditproof",
            standalone_mode=False,
            default_map=None if settings is None else settings.defaults,
            show_default=None if settings is None else True,
            obj=settings,
        )
        sys.stdout.flush()
        return code if isinstance(code, int) else Exit.EXPECTED
    except BrokenPipeError:
        return _reader_left()
    except SystemExit:  # outside standalone mode click exits for one reason only: it met the broken pipe first
        return _reader_left()
    except (KeyboardInterrupt, click.Abort):
        _say("Interrupted.")
        return Exit.INTERRUPTED
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # since click 8.2
            _say(error.format_message())
            return Exit.REJECTED
        _say(f"Error: {one_line(error.format_message()).rstrip('.')}{_help_of(error)}")
        return Exit.REJECTED
    except click.ClickException as error:
        _say(f"Error: {one_line(error.format_message())}")
        return error.exit_code
    except PaperUnusable as error:
        _say(f"Error: {one_line(str(error))}")
        return Exit.CRASHED
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:  # a full disk, a folder that cannot be written, a closed output
            return _unwritable(error)
        # Ours, not the user's: whatever it is, its trace helps, and its exit code must not read as "refuted".
        _say(traceback.format_exc().rstrip())
        _say(f"Error: banditproof itself failed ({type(error).__name__}); please report the trace above")
        return Exit.CRASHED


def _say(line: str) -> None:
    """On standard error. Where its reader has gone the exit code still says how the command ended."""
    try:
        click.echo(line, err=True)
        sys.stderr.flush()
    except OSError:
        _close(sys.stderr)


def _help_of(error: click.UsageError) -> str:
    return f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""


def _reader_left() -> int:
    """Standard output was closed by its reader, as by `| head`."""
    _close(sys.stdout)
    return Exit.READER_LEFT


def _unwritable(error: OSError) -> int:
    """A file that the operating system refuses, or standard output where it names none, as one that is redirected to a full disk."""
    if error.filename is None:
        _close(sys.stdout)
    what = "standard output" if error.filename is None else f"file {str(error.filename)!r}"
    _say(f"Error: {what}: {one_line(error.strerror or type(error).__name__)}")
    return Exit.REJECTED


def _close(stream: TextIO) -> None:
    """Nothing more is written to the stream, not even when Python exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
