"""One table of all figures: a line per case and comparison, and what was met."""

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.runner.results import Row

COLUMNS = ("case", "measured", "against", "times", "asked", "met", "last")
BUSY = 0.1  # of the machine's cores: above, a wall-clock figure says what others did


def lines(rows: Sequence[Row], missing: Mapping[str, str], last: Mapping[str, Row] | None = None) -> Iterator[str]:
    """The table, then notes, then what is missing. `last`: rows of an earlier run, for the last column."""
    cells = [COLUMNS, *(line for row in rows for line in _of_row(row, (last or {}).get(row["name"])))]
    shown = cells if last is not None else [line[:-1] for line in cells]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for line in shown:
        yield "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
    yield ""
    notes: dict[str, list[str]] = {}
    for row in rows:
        if row.get("note"):
            notes.setdefault(str(row["note"]), []).append(str(row["name"]))
    yield from (f"{', '.join(names)}: {note}" for note, names in notes.items())
    yield from (f"{name}: not measured: {reason}" for name, reason in missing.items())
    busy = [row["name"] for row in rows if row.get("clock") == "wall" and (row.get("others") or 0.0) > BUSY]
    if busy:
        yield f"wall-clock times on a machine that others used at the same time, so too large: {', '.join(busy)}"
    asked = [line for line in cells[1:] if line[5]]
    yield f"{sum(line[5] == 'yes' for line in asked)} of {len(asked)} targets met"


def _of_row(row: Row, before: Row | None) -> Iterator[tuple[str, ...]]:
    measured = _measured(row)
    own = ("", "", row.get("asked", ""), _met(row), _measured(before) if before else "")
    comparisons = row.get("against", ())
    if not comparisons or row.get("asked"):
        yield (row["name"], measured, *own)
    earlier = {each["name"]: each["times"] for each in (before or {}).get("against", ())}
    for place, each in enumerate(comparisons):
        head = (row["name"], measured) if place == 0 and not row.get("asked") else ("", "")
        then = _short(earlier[each["name"]]) if each["name"] in earlier else ""
        yield (*head, each["name"], _short(each["times"]), each.get("asked", ""), _met(each), then)


def _met(item: Row) -> str:
    return "" if "met" not in item else "yes" if item["met"] else "NO"


def _measured(row: Row) -> str:
    """The number and its unit; long times in larger units."""
    value, unit = float(row["value"]), str(row["unit"])
    for larger, factor in (("ms", 1e6), ("us", 1e3)):
        if unit.startswith("ns per") and value >= 10.0 * factor:
            return f"{_short(value / factor)} {larger}{unit[2:]}"
    return f"{_short(value)} {unit}" + (f", at least {_short(row['low'])}" if "low" in row else "")


def _short(number: float) -> str:
    """A number with three digits."""
    size = abs(number)
    if size >= 1e6 or 0.0 < size < 1e-3:
        return f"{number:.2e}"
    return f"{number:,.0f}" if size >= 100 else f"{number:.3g}"
