"""What an audit is: a statement, something that it speaks about, a way to measure, and an id that is a name.

An id reads `<stem>.<theorem>/<method>.<name>`; the random numbers of an audit come from the seed and the id (or the named set of runs that
it shares with others), so rewording a label, or adding and removing audits, changes no number.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, assert_never

from banditproof.audits.statistics.evidence import Measurement, Verdict

FALSE_ALARM = 1e-5  # significance level of each statistical audit: the probability of refuting a true claim
LONGEST = 80  # characters of an id
ONE_IN = 32  # privacy audits of which one has its posterior sampled, unless all are asked for
_ID = re.compile(r"[a-z0-9_-]+\.[a-z0-9_.-]+/[a-z0-9_-]+\.[a-z0-9_.-]+")


class Level(Enum):
    """How much evidence: each level multiplies the draws of the one before by about 10."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"

    @property
    def factor(self) -> int:
        return {Level.QUICK: 1, Level.STANDARD: 10, Level.DEEP: 100}[self]


class Posteriors(Enum):
    """Which privacy audits sample the PyMC model of their posterior, beside its closed form that each of them has."""

    NONE = "none"
    FEW = "few"
    ALL = "all"

    def of(self, path: tuple[str, ...]) -> bool:
        """Whether the audit with this seed path does. Which are the few depends on their paths alone: one in ONE_IN, whatever else runs."""
        match self:
            case Posteriors.NONE:
                return False
            case Posteriors.FEW:
                from banditproof.randomness import key_of  # a command's --help does without a compiler

                return int(key_of(0, *path, "posterior")[0]) % ONE_IN == 0
            case Posteriors.ALL:
                return True
            case _:
                assert_never(self)


@dataclass(frozen=True)
class Request:
    """What one audit is asked for. `false_alarm` is its significance level; `path` addresses its random numbers below `seed`."""

    false_alarm: float
    seed: int
    path: tuple[str, ...]
    level: Level = Level.QUICK
    posterior: bool = False  # also sample the PyMC model beside the exact interval


@dataclass(frozen=True)
class Recheck:
    """What a second look at a measurement is asked for. None: as many draws, and the significance level, that it had."""

    seed: int
    path: tuple[str, ...]
    samples: int | None = None
    false_alarm: float | None = None

    def of(self, before: Measurement) -> tuple[int, float]:
        """Draws and significance level of the second look. Raises ValueError where neither it nor the measurement names a level."""
        rate = before.false_alarm if self.false_alarm is None else self.false_alarm
        if rate is None:
            raise ValueError("false_alarm = None: the measurement has no significance level, give one")
        return before.samples if self.samples is None else self.samples, rate


class Method(Protocol):
    """A way of measuring, bound to what it measures."""

    @property
    def prefix(self) -> str: ...  # of the slugs of its audits: "privacy"
    @property
    def statistical(self) -> bool: ...  # has a significance level
    def measure(self, request: Request) -> Measurement: ...
    def recheck(self, before: Measurement, again: Recheck) -> Measurement: ...  # looks at the witness again: nothing is fitted or searched


@dataclass(frozen=True)
class Audit:
    """A statement, something that it speaks about, and a way to measure whether it holds there.

    `slug` begins with the method's prefix and names the swept values ("privacy.eps0.5_w1"); `label` is for readers, and no number depends
    on it. `runs` names a set of runs that several audits of one paper share; without it an audit's runs are its own. Raises ValueError,
    naming the rule, on an id or a name of runs that is none.
    """

    theorem: str  # id of the statement
    slug: str
    label: str
    method: Method
    expected: Verdict | None = None  # REFUTED for what is false in print, with its finding, or for a control
    runs: str = ""  # "<stem>.<theorem>/runs.<name>"

    def __post_init__(self) -> None:
        check_id(self.id)
        if not self.slug.startswith(f"{self.method.prefix}."):
            raise ValueError(f"audit {self.id!r}: its slug must begin with its method, {self.method.prefix!r}")
        if self.runs:
            check_id(self.runs)
            if not self.runs.startswith(f"{stem_of(self.theorem)}."):
                raise ValueError(f"audit {self.id!r}: runs {self.runs!r} must be of its own paper, {stem_of(self.theorem)}")

    @property
    def id(self) -> str:
        return f"{self.theorem}/{self.slug}"

    @property
    def seed_path(self) -> tuple[str, ...]:
        """What addresses its random numbers below the seed."""
        return (self.runs or self.id,)


@dataclass(frozen=True)
class Control:
    """A version broken on purpose, and the audit that must refute it. Its slug is "<method>.control.<mistake>"."""

    mistake: str
    audit: Audit

    @property
    def id(self) -> str:
        return self.audit.id


def check_id(id: str) -> None:
    """Raises ValueError, naming the rule, unless the id is "<stem>.<theorem>/<method>.<name>"."""
    if not _ID.fullmatch(id) or len(id) > LONGEST:
        form = "<stem>.<theorem>/<method>.<name>, of the characters a-z 0-9 _ . -"
        raise ValueError(f"id {id!r} ({len(id)} characters): must be {form}, at most {LONGEST} in all")


def stem_of(id: str) -> str:
    """The stem of a statement's or an audit's id: "dwork_2006" of "dwork_2006.laplace_privacy"."""
    return id.partition(".")[0]


def swept(**values: object) -> str:
    """Values as a slug names them: swept(eps=0.5, w=1) is "eps0.5_w1"; fractions read "1over10", members of an enum by their value."""
    return "_".join(f"{name}{_spelled(value)}" for name, value in values.items())


def _spelled(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, (tuple, list)):
        return "-".join(map(_spelled, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        short = f"{value:g}" if float(f"{value:g}") == value else f"{value:.12g}"
        value = re.sub(r"e([+-])0*(\d)", r"e\1\2", short)
    return str(value).lower().replace("/", "over").replace("+", "")
