"""The mutants of a seed: per file an order that depends on the seed, the file's name and its text alone."""

import ast
import heapq
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tests.support.mutants.edits import Edit, Kind, Source, computing
from tests.support.mutants.operators import OPERATORS

LEAST = 5  # mutants of each file before any has more, if it has so many


@dataclass(frozen=True)
class Mutant:
    """An edit of a file. `column` counts from the line's first character; `occurrence` counts the equal lines above it."""

    file: str
    edit: Edit
    line: int
    text: str  # of the line, without white space around it
    mutated: str
    occurrence: int
    column: int

    @property
    def key(self) -> str:
        """What stays when other lines change."""
        where = f"{self.occurrence}:{self.column}:{self.edit.end - self.edit.start}"
        return f"{self.file} | {self.text} | {self.edit.kind.value}: {self.edit.detail} | {where}"


def edits(source: Source) -> list[Edit]:
    """All edits of a source, in the order of their places, each text at a place once."""
    found = dict[tuple[int, int, str], Edit]()
    for node in computing(source):
        for operator in OPERATORS:
            for edit in operator(source, node):
                found.setdefault((edit.start, edit.end, edit.text), edit)
    return [found[place] for place in sorted(found)]


def exact(found: list[Edit]) -> list[Edit]:
    """The edits without a float, which no theorem may have and the import refuses: twice an expression stays."""
    whole = [replace(edit, text=edit.text.replace("2.0 * ", "2 * ")) for edit in found]
    return [edit for edit in whole if not re.search(r"\d\.\d", edit.text)]


def changes(source: Source, edit: Edit) -> bool:
    """Whether an edit gives another program, and one that can be parsed."""
    try:
        return ast.dump(ast.parse(source.applied(edit))) != ast.dump(source.tree)
    except SyntaxError:
        return False


def _mutant(file: str, source: Source, edit: Edit) -> Mutant:
    line = source.text.count("\n", 0, edit.start) + 1
    lines = source.text.split("\n")
    text = lines[line - 1].strip()
    mutated = source.applied(edit).split("\n")[line - 1].strip()
    start = source.text.rfind("\n", 0, edit.start) + 1
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    occurrence = sum(each.strip() == text for each in lines[: line - 1])
    return Mutant(file, edit, line, text, mutated, occurrence, edit.start - start - indent)


def drawn(sources: Mapping[str, str], seed: int, count: int | None = None) -> list[Mutant]:
    """Mutants of the files: `LEAST` of each, then as many more as a file has places for, until there are `count`.

    In a file each kind of mistake is as likely as any other that is left. A larger count only adds mutants at the end.
    """
    orders = {}
    for file, text in sorted(sources.items()):
        source = Source(text)
        found = exact(edits(source)) if file.startswith("theory/") else edits(source)
        orders[file] = _Order(file, source, len(found), _shuffled(found, random.Random(f"{seed}:{file}")))
    waiting = [(0.0, file) for file in orders]
    chosen: list[Mutant] = []
    while waiting and (count is None or len(chosen) < count):
        _, file = heapq.heappop(waiting)
        order = orders[file]
        edit = next((each for each in order.left if changes(order.source, each)), None)
        if edit is not None:
            chosen.append(_mutant(file, order.source, edit))
            order.taken += 1
            rank = order.taken if order.taken < LEAST else LEAST + order.taken / order.size
            heapq.heappush(waiting, (rank, file))
    return chosen


@dataclass
class _Order:
    """A file's edits in the order of the draw, and how many of them have been taken."""

    file: str
    source: Source
    size: int
    left: Iterator[Edit]
    taken: int = 0


def _shuffled(found: list[Edit], rng: random.Random) -> Iterator[Edit]:
    left = defaultdict[Kind, list[Edit]](list)
    for edit in found:
        left[edit.kind].append(edit)
    while left:
        kind = rng.choice(sorted(left, key=lambda each: each.value))
        yield left[kind].pop(rng.randrange(len(left[kind])))
        if not left[kind]:
            del left[kind]
