"""How a rule is tried: on drawn examples, with every failure of the subject's own code named as such."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FailedHealthCheck, Flaky, HypothesisException, Unsatisfiable

from banditproof.guarantees import whole

SEEDS = st.integers(0, 2**32)
KEYS = st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3)
_LONGEST = 300  # characters of a value in a message


class ConformanceError(AssertionError):
    """A class or object breaks a rule of its protocol: `subject`, the `value` that shows it, and the `rule`, "must ..."."""

    def __init__(self, subject: str, value: str, rule: str) -> None:
        super().__init__(subject, value, rule)
        self.subject, self.value, self.rule = subject, value, rule

    def __str__(self) -> str:
        return f"{self.subject}: {self.value}: {self.rule}"


def shown(value: Any) -> str:
    """A value on one line, cut to a length that a message can bear."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def demand(truth: Any, subject: Any, value: str, rule: str) -> None:
    """Raises ConformanceError unless `truth`."""
    if not truth:
        raise ConformanceError(shown(subject), value, rule)


def has_members(subject: Any, protocol: type[Any]) -> None:
    """Raises ConformanceError, naming the first member of the protocol that the subject does not have."""
    for name in vars(protocol):
        if not name.startswith("_"):
            demand(name in dir(subject), subject, f"no member {name!r}", f"must have what {protocol.__name__} has")


def _as_drawn(instance: Any) -> Any:
    return instance


@dataclass(frozen=True)
class Trial:
    """Where the instances of one subject come from, and on how many examples a rule is tried."""

    name: str
    instances: st.SearchStrategy[Any]
    examples: int
    prepare: Callable[[Any], Any] = _as_drawn  # what becomes of a drawn instance before a rule gets it

    def __post_init__(self) -> None:
        whole("examples", self.examples, 1)

    def over(self, *others: st.SearchStrategy[Any], fraction: float = 1.0) -> Callable[[Callable[..., None]], None]:
        """Decorator that tries a rule at once, on an instance and a value of each of the other strategies.

        Raises ConformanceError with the simplest example that was found; also where the subject's own code raises, or where no values of
        its parameters go together. `fraction` is the fraction of the examples that this rule takes.
        """

        def run(rule: Callable[..., None]) -> None:
            seen: list[ConformanceError] = []

            @settings(
                max_examples=max(1, round(fraction * self.examples)),
                derandomize=True,
                database=None,
                deadline=None,
                print_blob=False,
                report_multiple_bugs=False,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=[HealthCheck.too_slow],  # the first example may compile
            )
            @given(st.tuples(self.instances, *others))
            def tried(drawn: tuple[Any, ...]) -> None:
                try:
                    rule(self.prepare(drawn[0]), *drawn[1:])
                except ConformanceError as failure:
                    seen.append(failure)
                    raise
                except HypothesisException:  # a value that was refused: another is drawn
                    raise
                except Exception as error:
                    said = f"raised {type(error).__name__}: {' '.join(str(error).split())}"
                    seen.append(ConformanceError(shown(drawn[0]), said, f"must run without an error ({rule.__qualname__.split('.')[0]})"))
                    raise seen[-1] from error

            try:
                tried()
            except Flaky as error:  # it failed, and not again on the same example: the failure counts
                if seen:
                    raise seen[-1] from None
                raise ConformanceError(self.name, shown(error), "must do the same on the same example") from error
            except (Unsatisfiable, FailedHealthCheck) as error:
                raise ConformanceError(self.name, f"no examples ({error})", "must accept most of the values that it declares") from error

        return run


Rule = Callable[[Trial], None]


def names(rules: Iterable[Rule]) -> tuple[str, ...]:
    """The rules' names, in order."""
    return tuple(rule.__name__ for rule in rules)


def keep(trial: Trial, rules: Collection[Rule], chosen: Collection[str] | None) -> None:
    """Tries the chosen rules, all by default. Raises ValueError on a name that is none of theirs, and on a choice of none."""
    if chosen is not None and (isinstance(chosen, str) or not chosen):
        raise ValueError(f"rules = {chosen!r}: must be a list of one or more of {', '.join(names(rules))}")
    if unknown := set(chosen or ()) - set(names(rules)):
        raise ValueError(f"rules = {sorted(unknown)}: must be among {', '.join(names(rules))}")
    for rule in rules:
        if chosen is None or rule.__name__ in chosen:
            rule(trial)
