"""`make mutants`: draws mutants, judges those that are not judged yet, and writes the evidence and its page."""

import argparse
import fcntl
import fnmatch
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.support.mutants import golden, page
from tests.support.mutants.baseline import Baseline, Measured, measured
from tests.support.mutants.drawing import Mutant, drawn
from tests.support.mutants.edits import Source
from tests.support.mutants.judge import Fate, judged
from tests.support.mutants.record import Record
from tests.support.mutants.trees import ROOT, Tree, digest

WORK = ROOT / ".cache" / "mutants"


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="make mutants ARGS=...", description="Mutants of algorithms/, or of theory/, judged by the audits that reach them."
    )
    parser.add_argument(
        "--theory", action="store_true", help="mutants of theory/papers, by all audits of the paper, then by its golden values"
    )
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="shell pattern of files (several: give it again)")
    parser.add_argument("--paper", action="append", default=[], metavar="PATTERN", help="stem, id or shell pattern of audits; all without")
    parser.add_argument("--count", type=int, default=300, help="mutants (default: 300)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (default: 1)")
    parser.add_argument("--minutes", type=float, default=240.0, help="no mutant begins later (default: 240)")
    parser.add_argument("--limit", type=float, default=240.0, help="seconds for the audits of one mutant (default: 240)")
    parser.add_argument("--level", default="quick", choices=("quick", "standard", "deep"))
    parser.add_argument("--audit-seed", type=int, default=17, help="of the audits (default: 17, that of verify)")
    parser.add_argument("--fresh", action="store_true", help="judge finished mutants again")
    parser.add_argument("--list", action="store_true", help="print the mutants of the draw, judge none")
    parser.add_argument("--page", action="store_true", help="write docs/reference/mutants.md again, judge none")
    asked = parser.parse_args()
    for name in ("count", "jobs", "limit"):
        if getattr(asked, name) < 1:
            parser.error(f"--{name} {getattr(asked, name)}: must be >= 1")
    return asked


def main() -> int:
    """0 when all mutants of the draw are judged, 1 when time ended before."""
    asked = arguments()
    if asked.page:
        page.write(Record.read())
        return 0
    chosen = drawn(_sources(asked.only, theory=asked.theory), asked.seed, asked.count)
    if asked.list:
        for mutant in chosen:
            print(shown(mutant))
        return 0
    record, ended = Record.read(), time.monotonic() + 60.0 * asked.minutes
    patterns = tuple(sorted(asked.paper))
    record.forget(_sources([]) | _sources([], theory=True))
    waiting = [mutant for mutant in chosen if asked.fresh or not record.finished(mutant, digest, patterns, asked.level)]
    print(f"{len(chosen)} mutants of seed {asked.seed}, {len(chosen) - len(waiting)} judged before", flush=True)
    if not waiting:
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"{WORK}: another run of make mutants plants its mutants here; wait for its end") from None
        left = _judge_all(waiting, record, patterns, asked, ended)
    page.write(record)
    print(page.summary(record, {mutant.key for mutant in chosen}), flush=True)
    return 1 if left else 0


def _judge_all(waiting: list[Mutant], record: Record, patterns: tuple[str, ...], asked: argparse.Namespace, ended: float) -> int:
    """Judges the mutants; returns how many were left when time ended."""
    trees = [Tree(WORK / str(number)) for number in range(asked.jobs)]
    for tree in trees:
        tree.refresh()
    baseline = _baseline(trees, asked)
    run = _Run(asked, baseline, record, patterns, len(waiting), ended)
    return run.all(trees, waiting)


def shown(mutant: Mutant) -> str:
    """Place, kind, and the line before and after."""
    return f"  {mutant.file}:{mutant.line}  {mutant.edit.kind.value}: {mutant.edit.detail}\n    - {mutant.text}\n    + {mutant.mutated}"


def _sources(patterns: list[str], *, theory: bool = False) -> dict[str, str]:
    room = ROOT / "theory" / "papers" if theory else ROOT / "algorithms"
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(room.rglob("*.py"))}
    return {file: text for file, text in texts.items() if not patterns or any(fnmatch.fnmatch(file, each) for each in patterns)}


def _baseline(trees: list[Tree], asked: argparse.Namespace) -> Baseline:
    from banditproof.audits.running import registry

    stems = sorted({stem for pattern in asked.paper or [None] for stem in registry.stems_for(pattern)})
    free: queue.Queue[Tree] = queue.Queue()
    for tree in trees:
        free.put(tree)

    def one(stem: str) -> list[Measured]:
        tree, began = free.get(), time.monotonic()
        try:
            found = measured(stem, tree, WORK / "baseline", digest(stem), asked.audit_seed, asked.level, theory=asked.theory)
            print(f"{stem}: {len(found) - 1} audits as they are, {time.monotonic() - began:.0f} s", flush=True)
            return found
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        audits = [audit for found in pool.map(one, stems) for audit in found]
    for tree in trees:
        for other in trees:
            if other is not tree:
                tree.adopt(other)
    wanted = asked.paper or [None]
    return Baseline(tuple(audit for audit in audits if not audit.audit or any(registry.matches(each, audit.audit) for each in wanted)))


@dataclass
class _Run:
    """A run over mutants that wait."""

    asked: argparse.Namespace
    baseline: Baseline
    record: Record
    patterns: tuple[str, ...]
    total: int
    ended: float
    done: int = 0

    def all(self, trees: list[Tree], waiting: list[Mutant]) -> int:
        """Judges the mutants, on a thread per copy of the tree; returns how many were left when time ended."""
        left: queue.Queue[Mutant] = queue.Queue()
        for mutant in waiting:
            left.put(mutant)
        lock = threading.Lock()

        def work(tree: Tree) -> None:
            while time.monotonic() < self.ended:
                try:
                    mutant = left.get_nowait()
                except queue.Empty:
                    return
                self.one(tree, mutant, lock)

        with ThreadPoolExecutor(len(trees)) as pool:
            list(pool.map(work, trees))
        return left.qsize()

    def one(self, tree: Tree, mutant: Mutant, lock: threading.Lock) -> None:
        """Judges a mutant and writes it down."""
        began = time.monotonic()
        audits, direct = self.baseline.reaching(mutant)
        text = Source((tree.folder / mutant.file).read_text(encoding="utf-8")).applied(mutant.edit)
        asked = self.asked
        result = judged(tree, mutant.file, text, audits, seed=asked.audit_seed, level=asked.level, limit=asked.limit, theory=asked.theory)
        result = golden.asked_too(tree, mutant.file, text, result)
        seconds = time.monotonic() - began
        with lock:
            about = {"patterns": list(self.patterns), "level": asked.level, "seed": asked.seed}
            self.record.add(mutant, result, digest, reached=len(audits) if direct else 0, seconds=round(seconds, 1), **about)
            self.done += 1
            print(self.line(mutant, result, seconds, len(audits), direct), flush=True)

    def line(self, mutant: Mutant, result: Fate, seconds: float, audits: int, direct: bool) -> str:
        """What is printed of a finished mutant."""
        by = f" ({result.kind}: {result.audit}, {result.verdict})" if result.audit else ""
        reach = f"{result.ran} of {audits} audits" + ("" if direct else " of the file, none reaches the line")
        reach += f", {len(result.gone)} refutations gone" if result.gone else ""
        head = f"[{self.done}/{self.total}] {result.status}{by}  {reach}, {seconds:.0f} s"
        return f"{head}\n{shown(mutant)}"


if __name__ == "__main__":
    raise SystemExit(main())
