"""What `verify` shows first: rows by paper and by statement, what needs a look, and what to type next, made of plain results."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from banditproof.audits.reporting import by_statement, kept, overview
from banditproof.audits.reporting.hints import hints
from banditproof.audits.reporting.summary import View
from banditproof.audits.reporting.table import FALLBACK, WIDEST, WIDTH_OF_A_FILE, console, rendered
from banditproof.audits.running.audit import Posteriors
from banditproof.audits.running.report import AuditResult, Report, Settings, Unchecked
from banditproof.audits.statistics.evidence import Measurement, Verdict

FINDING = "too_small, FALSE: the noise is too small"
KNOWN = {"expected": Verdict.REFUTED, "finding": FINDING}
PAPERS = tuple(f"shariff_sheffet_{year}" for year in range(2001, 2012))  # eleven, with the longest name that there is


def result(audit: str, verdict: Verdict, message: str = "", **identity: object) -> AuditResult:
    measured = Measurement(verdict, quantity="epsilon", claimed=1.0, low=0.9, detectable=1.05, samples=10, message=message)
    return replace(AuditResult(audit, audit.partition("/")[0], "a subject", measured), **identity)  # type: ignore[arg-type]


def report(*results: AuditResult, unchecked: tuple[Unchecked, ...] = (), pattern: str | None = None, **how: object) -> Report:
    settings = Settings(pattern, "quick", 1e-5, 17, 2, None, Posteriors.FEW, False)
    seconds = {each.audit: 1234.5 for each in results}
    return replace(Report(settings, results, len(results), unchecked, seconds=seconds), **how)  # type: ignore[arg-type]


def wide(columns: int) -> Console:
    return Console(file=io.StringIO(), width=columns, highlight=False, emoji=False, markup=False)


def lines(shown: list, to: Console) -> list[str]:  # type: ignore[type-arg]
    return rendered(to, *shown).splitlines()


def everything() -> Report:
    """Eleven papers with audits of each verdict, 999 of one of them, and a refutation of each grade."""
    grades = ("FALSE", "MISSING_CONDITION", "PROOF_GAP", "MISPRINT")
    found = []
    for paper in PAPERS:
        found += [result(f"{paper}.a/says.{kind.name.lower()}", kind) for kind in Verdict if kind not in (Verdict.REFUTED, Verdict.ERROR)]
        found += [
            result(f"{paper}.b/says.{grade.lower()}", Verdict.REFUTED, expected=Verdict.REFUTED, finding=f"x, {grade}: words")
            for grade in grades
        ]
    found += [result(f"{PAPERS[0]}.c/says.many{place}", Verdict.NOT_REFUTED) for place in range(999)]
    return report(*found, unchecked=(Unchecked(f"{PAPERS[0]}.d", "a definition"),))


def test_eleven_papers_with_every_verdict_are_a_table_that_fits_a_screen() -> None:
    """Would catch a column that leaves the screen, a number in the wrong column, and grades that are lost."""
    screen, whole = wide(100), everything()
    shown = lines(overview.papers_table(whole, screen), screen)
    assert max(map(len, shown)) <= 100
    assert len(shown) <= 3 + 2 * len(PAPERS) + 1
    first = next(line for line in shown if line.startswith(PAPERS[0])).split()
    # statements, audits, certified, holds at points, not refuted, rate only, vacuous, inconclusive, not checkable, refuted, work
    assert first[1:12] == ["4", "1010", "1", "1", "1000", "1", "1", "1", "2", "4", f"{1010 * 1234.5:.0f}"]
    assert shown[-1].split()[:3] == ["in", "all", "24"]
    graded = "refuted, by grade of the finding: 1 FALSE, 1 MISSING_CONDITION, 1 PROOF_GAP, 1 MISPRINT"
    assert sum(graded in line for line in shown) == len(PAPERS)


def test_a_verdict_that_nothing_has_gets_no_column_and_a_crash_gets_one() -> None:
    screen = wide(100)
    calm = report(result("a_2001.x/says.a", Verdict.CERTIFIED), result("b_2001.x/says.a", Verdict.NOT_REFUTED))
    heads = " ".join(line for line in lines(overview.papers_table(calm, screen), screen)[:3])
    assert "vacu-" not in heads and "error" not in heads and "certi-" in heads
    crashed = report(*calm.results, result("b_2001.x/says.b", Verdict.ERROR))
    assert "error" in " ".join(lines(overview.papers_table(crashed, screen), screen)[:3])


@pytest.mark.parametrize("columns", [20, 60, 80])
def test_every_number_is_there_on_a_narrow_screen(columns: int) -> None:
    """Would catch a table that is cut off where it has no room."""
    screen, whole = wide(columns), everything()
    shown = lines(overview.papers_table(whole, screen), screen)
    assert max(map(len, shown)) <= columns
    text = " ".join(" ".join(shown).split())
    for words in (PAPERS[0], "1010 audits", "1000 not refuted", "1 vacuous", "2 not checkable", "4 refuted (1 FALSE"):
        assert words in text


def test_surprises_are_loud_and_in_one_sentence_each_and_alike_ones_are_one() -> None:
    """Would catch a crash that only a number in the table shows, and a screen that a thousand crashes fill."""
    screen = wide(100)
    surprises = (
        result("a_2001.x/says.new", Verdict.REFUTED, "the loss is 2"),
        result("a_2001.x/says.missing", Verdict.NOT_REFUTED, "nothing was found", **KNOWN),
        *(result(f"a_2001.x/says.crash{place}", Verdict.ERROR, "OSError: no disk") for place in range(1000)),
        *(result(f"a_2001.x/says.other{place}", Verdict.ERROR, f"ValueError: {place}") for place in range(20)),
    )
    calm = (result("a_2001.x/says.known", Verdict.REFUTED, **KNOWN), result("a_2001.x/says.open", Verdict.INCONCLUSIVE, "more draws"))
    whole = report(*surprises, *calm)
    text = rendered(screen, *overview.notes(whole, screen))
    assert len(text.splitlines()) <= 2 * overview.MOST_NOTES + 10
    assert "✗ refuted  a_2001.x/says.new\n  the loss is 2" in text
    assert f"was to be refuted ({FINDING}): nothing was found" in text
    assert "says.crash0 and 999 more\n  OSError: no disk" in text
    assert "and 15 more: banditproof verify --verbose" in text
    assert "Inconclusive\n? inconclusive  a_2001.x/says.open\n  more draws" in text
    assert "says.known" not in text
    assert overview.surprises_text(whole) == "1022 surprises: a verdict that was not expected, or a crash."
    assert overview.surprises_text(report(*calm)).startswith("No surprise: each refutation was expected")


def test_a_statement_is_one_row_with_the_tightest_audit_of_the_verdict_that_says_the_least() -> None:
    """Would catch a refuted line that nine certified ones hide, and a loose audit shown for a tight one."""
    screen = wide(100)

    def loss(name: str, low: float) -> AuditResult:
        found = result(f"a_2001.private/says.{name}", Verdict.NOT_REFUTED)
        return replace(found, measured=replace(found.measured, low=low))

    agreed = result("a_2001.private/agree.scale", Verdict.NOT_REFUTED)
    agreed = replace(agreed, measured=replace(agreed.measured, quantity="relative difference", claimed=1e-12, low=1e-12))
    certified = [result(f"a_2001.line/step.{place}", Verdict.CERTIFIED) for place in range(9)]
    known = result("a_2001.line/step.wrong", Verdict.REFUTED, **KNOWN)
    new = result("a_2001.new/says.x", Verdict.REFUTED, "the loss is 2")
    whole = report(loss("a", 0.2), loss("b", 0.97), agreed, *certified, known, new, unchecked=(Unchecked("a_2001.word", "a definition"),))
    shown = lines(by_statement.statements_table(whole, screen), screen)
    assert [line.split()[0] for line in shown] == ["verdict", "○", "✗", "✗", "·"]
    private, line, unexpected, word = shown[1:]
    assert "ε ≤ 1, ≥ 0.97, ≥ 1.05" in private and " 3 " in private
    assert "1 of 10" in line and "FALSE: the noise is too small" in line
    assert "✗ REFUTED" in unexpected and "unexpected: says.x: the loss is 2" in unexpected
    assert "word" in word and "a definition" in word
    assert max(map(len, shown)) <= 100
    for columns in (20, 60):
        narrow = " ".join(" ".join(lines(by_statement.statements_table(whole, wide(columns)), wide(columns))).split())
        for words in ("private", "claimed ε ≤ 1, measured ≥ 0.97, detectable ≥ 1.05", "1 of 10", "a definition"):
            assert words in narrow


def test_tightness_reads_a_claim_from_below_the_other_way() -> None:
    below = Measurement(Verdict.NOT_REFUTED, quantity="failure", claimed=0.01, low=0.02, high=0.04, detail={"sense": ">="})
    assert by_statement.tightness(below) == pytest.approx(0.25)
    assert by_statement.tightness(replace(below, detail={})) == pytest.approx(2.0)
    assert by_statement.tightness(replace(below, claimed=0.0, detail={})) == by_statement.tightness(Measurement(Verdict.CERTIFIED))


def test_rows_are_papers_statements_or_audits() -> None:
    two = report(result("a_2001.x/says.a", Verdict.CERTIFIED), result("b_2001.x/says.a", Verdict.CERTIFIED))
    one = report(two.results[0], pattern="a_2001")
    single = report(two.results[0], pattern="a_2001.x")
    assert [overview.rows_of(each) for each in (two, one, single)] == [overview.Rows.PAPER, overview.Rows.STATEMENT, overview.Rows.AUDIT]


def test_what_to_type_next_names_what_was_found_and_keeps_the_settings() -> None:
    """Would catch a hint that judges at another level than the run whose result it explains."""
    refuted = [result(f"b_2001.x/says.{place}", Verdict.REFUTED, **KNOWN) for place in range(2)]
    whole = report(result("a_2001.x/says.a", Verdict.VACUOUS), *refuted)
    told = hints(whole, View(), wide(100))
    assert "banditproof verify b_2001 " in told and "banditproof theory findings b_2001 " in told
    assert "banditproof verify --only vacuous " in told and "banditproof verify --help " in told
    standard = report(*whole.results, settings=replace(whole.settings, level="standard", seed=3, posterior=Posteriors.NONE))
    assert "banditproof verify b_2001 --level standard --seed 3 --no-posterior" in hints(standard, View(), wide(20))
    every = report(*whole.results, settings=replace(whole.settings, posterior=Posteriors.ALL))
    assert "banditproof verify b_2001 --posterior" in hints(every, View(), wide(20)) and "posterior" not in told
    crashed = report(*whole.results, result("a_2001.y/says.a", Verdict.ERROR))
    assert "banditproof verify a_2001.y/says.a --traceback" in hints(crashed, View(), wide(100))
    new = report(result("a_2001.y/says.a", Verdict.REFUTED))
    assert "banditproof replay r.json --audit a_2001.y/says.a" in hints(new, View(target="r.json"), wide(100))


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ("0", FALLBACK),
        ("10", FALLBACK),
        ("19", FALLBACK),
        ("20", 20),
        ("-5", FALLBACK),
        ("²", FALLBACK),
        ("", FALLBACK),
        ("9" * 30, FALLBACK),
        (str(WIDEST), WIDEST),
        (None, WIDTH_OF_A_FILE),
    ],
)
def test_no_width_makes_verdicts_vanish(columns: str | None, found: int, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Would catch a table in no columns, which is blank, and one that fills the memory."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert console().width == console(stderr=True).width == found


@pytest.mark.parametrize("sampled", Posteriors)
def test_a_record_tells_which_posteriors_were_sampled(sampled: Posteriors) -> None:
    """Would catch a table made from a record whose next commands sample what the run did not; and one paper's few taken for none."""
    ids = [f"a_2001.x/privacy.eps{place}" for place in range(200)]
    details = [{"posterior": {}} | ({"model": {}} if sampled.of((id,)) else {}) for id in ids]
    plain = [result(id, Verdict.NOT_REFUTED) for id in ids]
    found = [replace(each, measured=replace(each.measured, detail=detail)) for each, detail in zip(plain, details, strict=True)]
    assert kept._sampled([*found, result("a_2001.x/says.a", Verdict.VACUOUS)]) is sampled
    assert kept._sampled(found[:1]) is (Posteriors.ALL if sampled is Posteriors.ALL else Posteriors.FEW)
    assert kept._sampled([]) is Posteriors.FEW
