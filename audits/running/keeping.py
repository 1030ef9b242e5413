"""A run over audits that keeps each result as its audit ends, and takes from the ledger what has not changed.

A ledger that cannot be read or written costs no result: that is said once, and the run goes on without it. The verdict ERROR is kept and
never taken again; what the time budget left out is not kept.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from banditproof.audits.running.audit import Audit, Level, Request
from banditproof.audits.running.keys import Keys, keys_of
from banditproof.audits.running.ledger import SourceChanged
from banditproof.audits.running.report import Reuse, Settings
from banditproof.audits.running.results import LedgerUnusable, Results, open_results
from banditproof.audits.running.run import TimedResult
from banditproof.audits.statistics.evidence import Verdict

Say = Callable[[str], None]


@dataclass
class Keeper:
    """The ledger of one run: what was `found` in it, by audit, and where results go."""

    say: Say
    found: dict[str, TimedResult] = field(default_factory=dict)
    keeps: bool = True  # false once something could not be kept
    _results: Results | None = None
    _keys: Keys | None = None
    _run: int = 0
    _level: str = ""

    def keep(self, timed: TimedResult) -> None:
        """Keeps a result that has just been computed."""
        if self._results is None or self._keys is None or timed.dropped:
            return
        audit = timed.result.audit
        with self._noting():
            self._keys.require_unchanged(audit)
            self._results.add(self._run, self._keys.by_audit[audit], self._level, timed.result, timed.seconds)

    def end(self) -> None:
        """The run has come to its end: nothing is left to resume."""
        if self._results is not None:
            with self._noting():
                self._results.end(self._run)

    def _begin(self, stack: ExitStack, chosen: tuple[Audit, ...], settings: Settings, reuse: Reuse) -> None:
        results, same, level = stack.enter_context(open_results(create=True)), _same(settings), Level(settings.level)
        sampled = settings.posterior
        requests = [Request(settings.false_alarm, settings.seed, each.seed_path, level, sampled.of(each.seed_path)) for each in chosen]
        keys = keys_of(chosen, requests)
        interrupted = results.unfinished(same) if reuse.resume else None
        if reuse.resume:
            none = "nothing to resume: no run of these settings was interrupted"
            self.say(none if interrupted is None else "resumes the interrupted run")
        fresh = reuse.fresh if interrupted is None else reuse.fresh or interrupted[1]
        self._run = results.begin(same, fresh=fresh) if interrupted is None else interrupted[0]
        if not fresh or interrupted is not None:
            cells = results.matching(keys.by_audit, self._run if fresh else 0).items()
            usable = {id: cell for id, cell in cells if cell.result.verdict is not Verdict.ERROR}
            self.found = {id: TimedResult(cell.result, cell.seconds, reused=True) for id, cell in usable.items()}
            results.take(self._run, {id: cell.key for id, cell in usable.items()})
        self._results, self._keys, self._level = results, keys, settings.level

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """A ledger that fails is not used any more, which is said."""
        try:
            yield
        except (LedgerUnusable, SourceChanged) as error:
            self.keeps, self._results = False, None
            self.say(f"results are not kept from here on ({error})")


@contextmanager
def keeping(chosen: tuple[Audit, ...], settings: Settings, reuse: Reuse, say: Say) -> Iterator[Keeper]:
    """The ledger for a run over these audits. `say` gets a line if the ledger cannot be used, and one about what was to be resumed."""
    keeper = Keeper(say)
    with ExitStack() as stack:
        with keeper._noting():
            keeper._begin(stack, chosen, settings, reuse)
        yield keeper


def _same(settings: Settings) -> dict[str, Any]:
    """What two runs have in common of which one can take the results of the other."""
    return {
        **{name: getattr(settings, name) for name in ("pattern", "level", "false_alarm", "seed")},
        "posterior": settings.posterior.value,
    }
