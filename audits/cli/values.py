"""What the command line accepts: each value is read once, and a bad one is refused in one line that names it and the rule."""

import errno
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof import glossary
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.files import special, write_whole
from banditproof.audits.running.naming import nearest as nearest
from banditproof.audits.running.naming import shortened as shortened
from banditproof.glossary import Domain, Quantity, whole_numbers

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # generic only in newer versions


class Rejected(click.ClickException):
    """Bad input: one line."""

    exit_code = Exit.REJECTED


class NoMatch(click.ClickException):
    """A pattern that matches nothing: one line, with the nearest names."""

    exit_code = Exit.NO_MATCH


class Number(ParamType):
    """A finite number of a quantity's domain: 0.5, 1e-5 or 1/2. Messages call it by the quantity's name, or by `called`, the option's."""

    def __init__(self, quantity: Quantity, called: str | None = None) -> None:
        self.quantity, self.called = quantity, called or quantity.name
        self.name = "integer" if quantity.domain.integer else "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        rule = f"must be {self.quantity.domain.rule()} ({self.quantity.meaning})"
        if not str(value).isascii():  # other digits, as full-width ones, are digits to Python
            raise Rejected(f"{self.called} = {value}: must be written in the digits 0 to 9")
        try:
            exact = _exact(str(value))
            number = float(exact)
        except (ValueError, ZeroDivisionError):
            try:
                finite = math.isfinite(float(value))
            except ValueError:
                finite = True
            kind = "a number" if finite else "a finite number"
            raise Rejected(f"{self.called} = {value}: must be {kind}, {rule.removeprefix('must be ')}") from None
        except OverflowError:
            raise Rejected(f"{self.called} = {value}: must be a finite number, {rule.removeprefix('must be ')}") from None
        if exact not in self.quantity.domain or number not in self.quantity.domain:
            raise Rejected(f"{self.called} = {value}: {rule}")
        return int(exact) if self.quantity.domain.integer else number


def _exact(text: str) -> Fraction:
    """The number of a text. Raises ValueError, ZeroDivisionError or OverflowError where there is none that a double could hold: before
    powers of ten of a million digits are computed."""
    exponent = re.search(r"e([+-]?\d+)$", text.strip(), re.IGNORECASE)
    if exponent is not None and not -LARGEST_EXPONENT <= float(exponent[1]) <= LARGEST_EXPONENT:
        mantissa = float(text)
        if math.isinf(mantissa):
            raise OverflowError(text)
        return Fraction(mantissa)  # 0, or so close that a double cannot tell
    return Fraction(text)


LARGEST_EXPONENT = 400.0


class OneOf(ParamType):
    """One of some words. Those of `older` are read for one version, with a note on standard error."""

    def __init__(self, name: str, words: Iterable[str], older: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.words = tuple(words)
        self.older = older or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self.older:
            note_renamed(f"{self.name} {value}", self.older[value])
            return self.older[value]
        if value not in self.words:
            raise Rejected(f"{self.name} = {value!r}: must be one of {', '.join(self.words)}{nearest(str(value), self.words)}")
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "|".join(self.words) if sum(map(len, self.words)) < 40 else self.name.upper()


class Json(ParamType):
    """A JSON value; NaN, Infinity and -Infinity are numbers like others."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name = "value" if param is None else str(param.name)
        if not isinstance(value, str):
            return value
        from banditproof.audits.reporting.validation import fault, loads

        try:
            return ParsedJson(loads(value))
        except json.JSONDecodeError as error:
            raise Rejected(f"{name} = {shortened(value)}: is not JSON ({fault(error)} at character {error.pos + 1})") from None
        except RecursionError:
            raise Rejected(f"{name} = {shortened(value)}: is not JSON that can be read (nested too deeply)") from None
        except ValueError as error:
            raise Rejected(f"{name} = {shortened(value)}: {error}") from None


@dataclass(frozen=True)
class ParsedJson:
    """A JSON value that was given: `null` too is one."""

    value: Any


SEED = Number(Quantity("seed", "", Domain(low=0, low_open=False, integer=True), "where the random numbers start"))
FALSE_ALARM = Number(Quantity("false_alarm", "", glossary.UNIT_OPEN, "probability that a true claim is refuted"))
MOST_SAMPLES = 10**9  # draws of one audit: hours, and some GB
SAMPLES = Number(Quantity("samples", "", whole_numbers(1, MOST_SAMPLES), "outputs in all"))
EPSILON, DELTA, MU = Number(glossary.EPSILON), Number(glossary.DELTA), Number(glossary.MU)
MOST_JOBS = 1024  # each worker takes 200 MB
JOBS = Number(Quantity("jobs", "", whole_numbers(1, MOST_JOBS), "worker processes"))
BUDGET = Number(Quantity("budget", "", glossary.NON_NEGATIVE, "seconds after which no audit begins"))
MISS_RATE = Number(Quantity("miss_rate", "", glossary.UNIT_OPEN, "probability that the violation is missed"))


Command = TypeVar("Command", bound=Callable[..., Any])


def note_renamed(old: str, new: str) -> None:
    """Says on standard error that a name has changed."""
    click.echo(f"Note: {old} is called {new} now; the next version does not read the old name", err=True)


def renamed(old: str, new: str) -> Callable[[Command], Command]:
    """An option's old name: hidden, read for one version with a note on standard error. Where both are given the new one counts."""
    name = new.removeprefix("--").replace("-", "_")

    def moved(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            note_renamed(old, new)
            ctx.default_map = {**(ctx.default_map or {}), name: value}  # read by the new option, which comes later: this one is eager

    return click.option(old, expose_value=False, is_eager=True, hidden=True, callback=moved, help=f"Now {new}.")


def one_line(text: str) -> str:
    """A message without line breaks, without what a terminal would obey, and without addresses of objects, which differ from run to run."""
    printable = "".join(letter if letter.isprintable() or letter.isspace() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(printable.split()))


def require_writable(target: str, name: str = "json") -> None:
    """Raises Rejected unless a file can be written there: before anything is computed. Leaves nothing behind."""
    path = Path(target)
    try:
        existed = path.exists()
        if existed and special(path):  # opening a pipe would wait for its reader, or tell it that all is written
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, "")
            return
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except (OSError, ValueError) as error:
        raise Rejected(f"{name} = {target}: cannot be written ({reason(error)})") from None


def delivered(code: int, show: Callable[[], None], target: str | None, text: str, beside: Mapping[str, str] | None = None) -> int:
    """Shows a result, then writes its record to the file `target`, and the texts of `beside` to theirs; '-' is standard output, where the
    record alone goes. A reader of the output who goes away keeps no file from being written.

    Returns the exit code: that of the result, but REJECTED where all was as expected and a file has become unwritable, which one line says.
    """
    written = True
    try:
        if target != "-":
            show()
            sys.stdout.flush()  # a record for /dev/stdout comes after it
    finally:
        if target not in (None, "-"):
            written = all(_written(str(file), part) for file, part in {target: text, **(beside or {})}.items())
    if target == "-":
        click.echo(text)
    return code if written else code or Exit.REJECTED


def _written(target: str, text: str) -> bool:
    try:
        write_whole(Path(target), text + "\n")
    except OSError as error:
        click.echo(f"Error: json = {target}: cannot be written ({os.strerror(error.errno or 0)})", err=True)
        return False
    return True


def dumps(record: Any) -> str:
    """JSON with sorted keys, two spaces, no NaN: the same record gives the same bytes."""
    return json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)


def read_json(path: str) -> Any:
    """The JSON of a file, or of standard input ('-'). Raises Rejected, naming it."""
    from banditproof.audits.reporting.validation import read

    named = "standard input" if path == "-" else f"file {path!r}"
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise Rejected(f"{named}: cannot be read ({reason(error)})") from None
    try:
        return read(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise Rejected(f"{named}: is not JSON (its text is not UTF-8)") from None
    except ValueError as error:
        raise Rejected(f"{named}: {error}") from None


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be opened; a name with a NUL in it is no OSError."""
    return os.strerror(error.errno or 0) if isinstance(error, OSError) else "no such name is possible"
