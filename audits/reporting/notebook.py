"""How results show themselves: text of a few lines for `repr`, HTML for notebooks, tables for pandas.

Text and HTML are made of the same rows, read off the plain data of `running.report`. What comes from users and papers is escaped; formulas
are displays `$$...$$`, which Jupyter typesets.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from banditproof.audits.reporting.table import bounds, claim, compact, detectable, number, witnessed
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Measurement, Verdict, plain_json

if TYPE_CHECKING:
    import pandas as pd

    from banditproof.audits.experiments.experiment import Reproduction
    from banditproof.audits.running.registry import Observation

_COLOURS = {
    Verdict.CERTIFIED: "#1a7f37",
    Verdict.HOLDS_AT_POINTS: "#1a7f37",
    Verdict.NOT_REFUTED: "#1a7f37",
    Verdict.REFUTED: "#cf222e",
    Verdict.ERROR: "#8250df",
}
_OTHER = "#9a6700"
_NUMBERS = ("claimed", "estimate", "low", "high", "exact", "false_alarm", "must_detect", "detectable", "miss_rate", "samples")
_LONGEST = 200  # characters of a row of text
Rows = Sequence[tuple[str, str]]


# --- one result ----------------------------------------------------------------------------------------------------------------------


def result_text(result: AuditResult) -> str:
    """'refuted: noise.count', and below it the numbers, the witness and the seed, one line each."""
    return _text(f"{result.measured.verdict.value}: {result.label or result.audit}", _result_rows(result))


def result_html(result: AuditResult) -> str:
    """The same as a small table, with what was assumed."""
    rows = _result_rows(result)
    rows += [("assumed" if index == 0 else "", note) for index, note in enumerate(result.measured.assumed)]
    return f"<div>{_verdict(result)} <b>{escape(result.label or result.audit)}</b>{_table(rows)}</div>"


def measurement_text(measured: Measurement) -> str:
    """'refuted: ...', and below it the numbers."""
    return _text(f"{measured.verdict.value}: {measured.message}".rstrip(": "), _rows(measured))


def _result_rows(result: AuditResult) -> list[tuple[str, str]]:
    measured = result.measured
    rows = [("statement", result.theorem)] if result.theorem else []
    rows += _rows(measured)
    if measured.verdict is Verdict.REFUTED and measured.witness is not None:
        rows += [(label, compact(text, 120)) for label, text in witnessed(measured.witness)]
    if measured.message:
        rows.append(("why", measured.message))
    if result.finding:
        rows.append(("finding", result.finding))
    seed = "" if result.seed is None else f"seed {result.seed}"
    drawn = f"{measured.samples:,} draws" if measured.samples else ""
    rows.append(("from", ", ".join(part for part in (drawn, seed) if part)))
    return [(label, text) for label, text in rows if text]


def _rows(measured: Measurement) -> list[tuple[str, str]]:
    level = "" if measured.false_alarm is None else f" at significance level {number(measured.false_alarm)}"
    caught = "" if measured.miss_rate is None else f", with power {1.0 - measured.miss_rate:.4g}"
    rows = [("claimed", claim(measured)), ("exact", number(measured.exact))]
    rows += [("measured", f"{bounds(measured)}{level}")] if bounds(measured) else []
    rows += [("estimate", number(measured.estimate))] if measured.low is not None else []
    rows += [("detectable", f"{detectable(measured)}{caught}")] if measured.detectable is not None else []
    return [(label, text) for label, text in rows if text]


# --- a run over audits -----------------------------------------------------------------------------------------------------------------


def report_text(report: Report) -> str:
    """The closing lines of `banditproof verify`, and what came out against the expectation."""
    from banditproof.audits.reporting.summary import closing

    lines = [
        *closing(report, replay=False),
        *(f"unexpected: {result.audit} ({result.measured.verdict.value})" for result in _unexpected(report)),
    ]
    return "\n".join(lines)


def report_html(report: Report) -> str:
    """A table with one row per audit, and the closing lines."""
    from banditproof.audits.reporting.summary import closing

    heads = ("verdict", "audit", "subject", "claimed", "measured", "detectable")
    head = "".join(f"<th style='text-align:left'>{each}</th>" for each in heads)
    body = "".join(
        f"<tr><td>{_verdict(result)}</td>"
        + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in _cells(result))
        + "</tr>"
        for result in report.results
    )
    said = "<br>".join(escape(line) for line in closing(report, replay=False))
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{said}</p></div>"


def _cells(result: AuditResult) -> tuple[str, ...]:
    measured = result.measured
    return result.audit, result.label, claim(measured), bounds(measured), detectable(measured)


def _unexpected(report: Report) -> list[AuditResult]:
    return [result for result in report.results if result.unexpected() or result.measured.verdict is Verdict.ERROR]


# --- findings and figures --------------------------------------------------------------------------------------------------------------


def observation_text(item: "Observation") -> str:
    """The grade and title of a finding, where it is, how it fails, and what to use instead."""
    one = item.finding
    rows = [(label, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...") for label, text in _finding_rows(item)]
    return _text(f"{one.grade.value}: {one.title}", [("statement", item.theorem.id), *rows])


def observation_html(item: "Observation") -> str:
    """The same, with the formula of the line that it is about."""
    from banditproof.theory.notebook import about

    one = item.finding
    formula = about(item.theorem, one)
    heading = f"<b>{escape(one.grade.value)}</b>: {escape(one.title)}"
    return f"<div>{heading} (<code>{escape(item.theorem.id)}</code>){formula}{_table(_finding_rows(item))}</div>"


def _finding_rows(item: "Observation") -> list[tuple[str, str]]:
    from banditproof.theory.rendering import REMAINS, counterexample, remedy

    one = item.finding
    rows = (
        ("place", one.place),
        ("sentence", one.sentence),
        ("fails", counterexample(one)),
        (REMAINS, one.stands),
        (remedy(one), one.instead),
    )
    return [(label, " ".join(text.split())) for label, text in rows if text]


def reproduction_text(found: "Reproduction") -> str:
    """How many rows there are, at which parameters, and the verdict on each sentence of the paper."""
    return _text(f"{len(found.rows)} rows, {len(found.pictures)} pictures", _sentences(found))


def _sentences(found: "Reproduction") -> list[tuple[str, str]]:
    from banditproof.audits.experiments.judging import judged

    parameters = ", ".join(f"{name} = {compact(value, 60)}" for name, value in found.parameters.items())
    return [("with", parameters), *((each.verdict.value, f"{each.id}: {each.quote}") for each in judged(found.outcomes))]


# --- pandas ----------------------------------------------------------------------------------------------------------------------------


def results_frame(results: "Iterable[AuditResult]", seconds: Mapping[str, float] | None = None) -> "pd.DataFrame":
    """One row per result: identity, verdict and numbers (NaN where there is none), in the units of `quantity`. Needs pandas."""
    import pandas as pd

    columns = ("audit", "theorem", "label", "verdict", "expected", "quantity", *_NUMBERS, "message", "finding", "seed", "seconds")
    rows = [
        {
            "audit": result.audit,
            "theorem": result.theorem,
            "label": result.label,
            "verdict": result.measured.verdict.value,
            "expected": None if result.expected is None else result.expected.value,
            "quantity": result.measured.quantity,
            **{name: getattr(result.measured, name) for name in _NUMBERS},
            "message": result.measured.message,
            "finding": result.finding,
            "seed": result.seed,
            "seconds": (seconds or {}).get(result.audit),
        }
        for result in results
    ]
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.astype(dict.fromkeys((*_NUMBERS[:-1], "seconds"), float))


def rows_frame(rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """Flat rows as they are. Needs pandas."""
    import pandas as pd

    return pd.DataFrame([plain_json(row) for row in rows])


# --- the form --------------------------------------------------------------------------------------------------------------------------


def _text(heading: str, rows: Rows) -> str:
    wide = max((len(label) for label, _ in rows), default=0)
    return "\n".join([heading, *(f"  {label:<{wide}}  {text}" for label, text in rows)])


def _table(rows: Rows) -> str:
    style = "style='text-align:left'"
    body = "".join(f"<tr><td {style}><i>{escape(label)}</i></td><td {style}>{escape(text)}</td></tr>" for label, text in rows)
    return f"<table><tbody>{body}</tbody></table>"


def _verdict(result: AuditResult) -> str:
    found = result.measured.verdict
    colour = _COLOURS[Verdict.NOT_REFUTED] if found is Verdict.REFUTED and result.as_expected() else _COLOURS.get(found, _OTHER)
    word = f"{found.value}, as expected" if found is Verdict.REFUTED and result.as_expected() else found.value
    return f"<span style='color:{colour}'>{escape(word)}</span>"
