"""A user's code in a child process, as the command line asks for it: its limits, and what is said before it runs and while it does."""

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof.audits.cli.values import Number, OneOf
from banditproof.audits.data_forms import DataForm
from banditproof.audits.isolation.child import TIMEOUT, Limits, Watched, most_memory, started
from banditproof.glossary import NON_NEGATIVE, POSITIVE, Quantity

if TYPE_CHECKING:
    from banditproof.audits.isolation.elsewhere import Elsewhere
    from banditproof.audits.subjects import Subject
    from banditproof.guarantees import Guarantee

Command = TypeVar("Command", bound=Callable[..., Any])

GIB = 2**30
SECONDS = Number(Quantity("timeout", "", NON_NEGATIVE, "seconds for one call, 0 for no limit"))
IN_ALL = Number(Quantity("time_limit", "", POSITIVE, "seconds for all calls"))
MEMORY = Number(Quantity("memory", "", POSITIVE, "GiB"))
DATA_AS = OneOf("data_as", [form.value for form in DataForm])


def data_as(command: Command) -> Command:
    """The option that says in what form data reach the user's code."""
    shown = ", ".join(DATA_AS.words)
    return click.option("--data-as", type=DATA_AS, help=f"What your function gets: {shown}.  [default: its annotation's, or list]")(command)


def limited(command: Command) -> Command:
    """The options that limit the user's code, read by `asked_limits`."""
    for name, kind, text in (
        ("--memory", MEMORY, "Memory that your code may take, in GiB.  [default: three quarters of the machine's]"),
        ("--time-limit", IN_ALL, "Seconds for all calls of your code; what was drawn until then is judged.  [default: none]"),
        ("--timeout", SECONDS, f"Seconds for one call of your code; 0 for no limit.  [default: {TIMEOUT:g}]"),
    ):
        command = click.option(name, type=kind, help=text, expose_value=False, callback=_kept)(command)
    return command


def _kept(ctx: click.Context, param: click.Parameter, value: float | None) -> None:
    ctx.meta[f"{__name__}.{param.name}"] = value


def asked_limits() -> Limits:
    """The limits that the options of the running command ask for."""
    meta = click.get_current_context().meta
    timeout, time_limit, memory = (meta.get(f"{__name__}.{name}") for name in ("timeout", "time_limit", "memory"))
    return Limits(
        timeout=TIMEOUT if timeout is None else timeout or None,
        time_limit=time_limit,
        memory=most_memory() if memory is None else int(memory * GIB),
    )


@contextlib.contextmanager
def in_a_child(subject: str, narrator: "Narrator") -> "Iterator[Elsewhere]":
    """A child process for a user's code, within the limits that were asked for. The first time that this code runs, it is said."""
    from banditproof.audits.isolation.elsewhere import Elsewhere
    from banditproof.audits.running import located

    code = located.located(subject)
    file = replace(code, object="")  # what is said of a file is said once, whichever of its objects is asked for
    if not located.known(file):
        what = code.place() if code.file is None else f"the code of {code.place()}"
        click.echo(f"Note: runs {what} in a process of its own (said once for this content)", err=True)
        located.note(file)
    located.note(code)  # the user asks for this code: a replay may run it
    with started(asked_limits(), narrator, traces=narrator.traceback) as child:
        for module in ("banditproof.audits.privacy.subject", "scipy.special"):  # needed later: while the child starts they cost no time
            importlib.import_module(module)
        yield Elsewhere(child, subject)


@contextlib.contextmanager
def loaded(subject: str, data_as: DataForm | None, pair: tuple[Any, Any], traceback: bool = False) -> "Iterator[Subject]":
    """The mechanism that a record names, to be run on its two datasets, its code in a child process; None for the form of the data that
    the code itself says."""
    with in_a_child(subject, Narrator(traceback)) as place:
        yield place.mechanism(data_as=data_as, examples=pair)


# --- while it runs ------------------------------------------------------------------------------------------------------------------

ESTIMATE_AFTER, WORTH_SAYING = 3.0, 60.0  # seconds of drawing before an estimate; the shortest remaining time that is said
FIRST_LINE, LATER_LINES = 10.0, 30.0  # seconds to the first line of progress off a terminal, and between two of them
HOUR = 3600.0


@dataclass
class Narrator:
    """Says on standard error how far the draws are, and before long how long they will take; a bar where there is one."""

    traceback: bool = False
    doing: str = "starting"
    total: int = 0  # outputs that are to be drawn, 0 where that is not known
    fits: Callable[[float], str] = lambda seconds: ""  # what to do where an output takes so many seconds
    bar: Callable[[int], None] | None = None
    begun: Watched | None = None  # the look at which this began
    said: float = 0.0
    estimated: bool = False

    def begin(self, doing: str, total: int = 0, fits: Callable[[float], str] = lambda seconds: "") -> None:
        """From now on it is this that takes time."""
        self.doing, self.total, self.fits = doing, total, fits
        self.begun, self.said, self.estimated = None, 0.0, False

    def __call__(self, look: Watched) -> None:
        begun = self.begun = self.begun or look
        seconds = look.seconds - begun.seconds
        done = max(look.outputs - begun.outputs, look.calls - begun.calls - 1)
        if self.bar is not None:
            self.bar(done)
        if self.total and not self.estimated and done > 0 and seconds > ESTIMATE_AFTER:
            self.estimated = True
            self._estimate(seconds / done, self.total - done)
        elif not sys.stderr.isatty() and seconds - self.said > (LATER_LINES if self.said else FIRST_LINE):
            self.said = seconds
            so_far = f"{done:,} of {self.total:,} outputs" if self.total else f"{done:,} outputs"
            left = f", about {duration(seconds / done * (self.total - done))} left" if self.total and done > 0 else ""
            click.echo(f"{self.doing}: {so_far} after {duration(seconds)}{left}", err=True)

    def _estimate(self, each: float, left: int) -> None:
        if each * left < WORTH_SAYING:
            return
        per = f"{each:.2g} s" if each >= 0.01 else f"{1000 * each:.2g} ms"
        hint = self.fits(each) if each * left > HOUR else ""
        click.echo(f"Note: {per} per output: {self.total:,} outputs take {duration(each * self.total)}{hint}", err=True)


def fitting(claim: "Guarantee", false_alarm: float, before: int) -> Callable[[float], str]:
    """What to say where an output takes so many seconds: the samples that fit in an hour, and what they detect. `before`: outputs that are
    drawn besides."""

    def words(each: float) -> str:
        from banditproof.audits.privacy.plan import plan
        from banditproof.audits.statistics.evidence import at_most

        samples = int(HOUR / each) - before
        samples -= samples % 10 ** max(len(str(max(samples, 1))) - 2, 0)  # two digits
        if samples < 200:
            return "; the fewest, --samples 200, take " + duration(each * (200 + before))
        (row,) = plan(claim, samples=samples, false_alarm=false_alarm, masses=(0.5,))
        return (
            f"; --samples {samples} fits in an hour and detects a loss of {at_most(row.detectable)} by an event that decides half of them"
        )

    return words


def duration(seconds: float) -> str:
    """A time in its largest unit: 45 s, 12 min, 5.6 h, 3 days."""
    for unit, size, below in (("s", 1.0, 120.0), ("min", 60.0, 7200.0), ("h", HOUR, 100 * HOUR)):
        if seconds < below:
            return f"{seconds / size:.0f} {unit}" if seconds / size >= 10 or unit == "s" else f"{seconds / size:.1f} {unit}"
    return f"{seconds / (24 * HOUR):,.0f} days"
