"""What every finding must say and show, and what the objects refuse."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import sympy
from flint import ctx

import banditproof
from banditproof.audits.running import registry
from banditproof.glossary import SCALE, SENSITIVITY
from banditproof.theory import evaluate
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.language import Sense, always, symbol
from banditproof.theory.papers import dwork_2006
from banditproof.theory.rendering import mark
from tests.support import rendered

ROOT = Path(str(banditproof.__file__)).resolve().parents[2]
THEOREMS = registry.every(registry.theorems)
FOUND = [(theorem, finding) for theorem in THEOREMS.values() for finding in theorem.findings]
every_finding = pytest.mark.parametrize(("theorem", "finding"), FOUND, ids=[f"{theorem.id}:{finding.name}" for theorem, finding in FOUND])

PLANTED = Finding(
    name="half_the_loss",
    grade=Grade.FALSE,
    reach=Reach.CONSTANT,
    title="half the loss is printed",
    place="Proposition 1",
    sentence="epsilon = sensitivity/(2 scale)",
    literal="the loss is twice as large",
    charitable="none",
    counterexample="the loss is 1",
    values=(("sensitivity", "1"), ("scale", "1")),
    consequence="a factor of two",
    stands="the mechanism with twice the noise",
    instead="sensitivity/scale",
)
TRUE = dwork_2006.LAPLACE_PRIVACY
HALF = replace(TRUE, published=replace(TRUE.stated(), cases=always(symbol(SENSITIVITY) / symbol(SCALE) / 2)), findings=(PLANTED,))


def test_published_forms_differ_at_their_counterexample() -> None:
    """Would catch an accusation without ground: at the counterexample the published claim is stronger than the repaired one. A planted one
    is judged beside the recorded ones, so that the test has a case while there are none."""
    for theorem in (HALF, *(item for item in THEOREMS.values() if item.published is not None)):
        printed = theorem.as_printed()
        assert printed.published is None and printed.findings == ()
        claimed, repaired = printed.at(**theorem.counterexample()), theorem.at(**theorem.counterexample())
        match theorem.stated().sense:
            case Sense.AT_MOST:
                assert claimed.high < repaired.low
            case Sense.AT_LEAST:
                assert claimed.low > repaired.high
            case Sense.EQUALS:
                assert claimed.high < repaired.low or claimed.low > repaired.high


@every_finding
def test_a_finding_is_written_out(theorem, finding) -> None:
    """Would catch a draft, and an accusation that leaves open what of the paper it touches."""
    for part in ("title", "place", "sentence", "literal", "charitable", "consequence", "stands", "instead"):
        words = getattr(finding, part)
        assert words.strip() and "TODO" not in words, part
    assert len(finding.literal) > 20 and len(finding.stands) > 3
    assert not finding.place.startswith("[assembled]")  # the place is in the paper


@every_finding
def test_a_finding_is_shown_at_its_line(theorem, finding) -> None:
    """Would catch a reader who takes a false line for a true one: each finding stands below its line, in text, LaTeX and JSON."""
    text, described = rendered.text(theorem), rendered.described(theorem)
    shown = "\n".join(mark(finding, "      " if finding.step else "    "))
    assert shown in text
    if finding.step:
        (place,) = [place for place, line in enumerate(text.splitlines()) if line.startswith(f"    {finding.step}: ")]
        assert any(finding.name in line for line in text.splitlines()[place + 1 : place + 1 + 5 * len(theorem.findings)])
        (step,) = [step for step in described["steps"] if step["id"] == finding.step]
        assert finding.name in step["findings"]
        assert step["refuted_as_published"] or not finding.grade.refutes
    assert finding.name in [item["name"] for item in described["findings"]]
    assert finding.grade.value.replace("_", r"\_") in rendered.latex(theorem)


FALSE_LINES = [(theorem, finding) for theorem, finding in FOUND if finding.step in theorem.false_steps() and finding.values]


@pytest.mark.parametrize(("theorem", "finding"), FALSE_LINES, ids=[f"{theorem.id}:{finding.name}" for theorem, finding in FALSE_LINES])
def test_a_false_line_fails_at_its_counterexample(theorem, finding) -> None:
    """Would catch an accusation without ground: twice, by balls and by mpmath, inside the domain and far above the rounding error."""
    (step,) = [step for step in theorem.steps if step.id == finding.step]
    found = {name: Fraction(value) for name, value in finding.values}
    assert set(found) == {quantity.name for quantity in step.draw_order}
    assert all(found[quantity.name] in quantity.domain for quantity in step.draw_order)
    numbers = {symbol(quantity): found[quantity.name] for quantity in step.draw_order}
    with ctx.workprec(300):
        assert all(evaluate.holds(condition, numbers) for condition in step.domain)
        difference = evaluate.ball(step.right, numbers) - evaluate.ball(step.left, numbers)
        assert difference != 0 if step.sense is Sense.EQUALS else difference < 0 if step.sense is Sense.AT_MOST else difference > 0
    with mpmath.workdps(60):
        letters = list(numbers)
        values = [mpmath.mpf(numbers[letter].numerator) / numbers[letter].denominator for letter in letters]
        gap = sympy.lambdify(letters, step.right - step.left, modules="mpmath")(*values)
        size = abs(gap) if step.sense is Sense.EQUALS else -gap if step.sense is Sense.AT_MOST else gap
        assert size > mpmath.mpf("0.05")


def test_every_false_line_has_a_counterexample() -> None:
    """Would catch a line that is called false without numbers at which it is."""
    lines = {(theorem.id, step) for theorem in THEOREMS.values() for step in theorem.false_steps()}
    assert lines == {(theorem.id, finding.step) for theorem, finding in FALSE_LINES}


def test_no_false_line_is_shown_without_its_mark() -> None:
    """Would catch a refuted line that stands unmarked, and a mark at a line that is true."""
    for theorem in THEOREMS.values():
        refuting = [finding for finding in theorem.findings if finding.grade.refutes]
        assert rendered.text(theorem).count("✗ refuted as published: ") == len(refuting), theorem.id
        assert rendered.latex(theorem).count("Refuted as published.") == len(refuting), theorem.id
        assert {finding.step for finding in refuting if finding.step} == theorem.false_steps()


def test_what_is_ours_is_marked() -> None:
    """Would catch a condition that we added and that `theory show` prints as the paper's, or that no finding explains."""
    for stem in registry.papers():
        names = set(registry.findings(stem))
        for theorem in registry.theorems(stem).values():
            bounds = [bound for bound in (theorem.bound, theorem.published) if bound is not None]
            cases = {case.added for bound in bounds for case in bound.cases if case.added}  # several may be shown as one max or min
            conditions = [hypothesis.added for hypothesis in theorem.hypotheses if hypothesis.added]
            assert {*conditions, *cases} <= names, theorem.id
            lines = rendered.text(theorem).splitlines()
            for one, name in ((bound, case.added) for bound in bounds for case in bound.cases if case.added):
                assert any(
                    f"{one.of.name} {one.sense.value}" in line and f"[not in the paper; see the finding {name}]" in line for line in lines
                )
            for hypothesis in theorem.hypotheses:
                (line,) = [line for line in lines if line.startswith(f"    {hypothesis.statement}  [")]
                assert line.endswith(f"  [not in the paper; see the finding {hypothesis.added}]" if hypothesis.added else "]"), theorem.id
            assert rendered.text(theorem).count("[ours, not in the paper]") == sum(step.ours for step in theorem.steps), theorem.id


@pytest.mark.parametrize("part", ["place", "sentence", "literal", "charitable", "consequence", "stands", "instead", "counterexample"])
def test_a_finding_without_a_part_that_its_grade_needs_is_refused(part: str) -> None:
    with pytest.raises(ValueError, match=f"a FALSE needs {part}"):
        replace(PLANTED, **{part: " "})
    if part == "counterexample":
        assert replace(PLANTED, grade=Grade.READING, counterexample="").counterexample == ""


def test_what_a_finding_must_be() -> None:
    with pytest.raises(ValueError, match="one phrase"):
        replace(PLANTED, title="A sentence.")
    with pytest.raises(ValueError, match="a letter first"):
        replace(PLANTED, name="Half")
    with pytest.raises(ValueError, match="names the outcome"):
        replace(PLANTED, grade=Grade.NOT_REPRODUCED)
    with pytest.raises(ValueError, match="names the step 'nowhere'"):
        replace(HALF, findings=(replace(PLANTED, step="nowhere"),))
    with pytest.raises(ValueError, match="needs a finding with values"):
        replace(HALF, findings=(replace(PLANTED, grade=Grade.LOOSE),))


def test_grades_are_ordered_and_explained() -> None:
    """Would catch a grade that the page of the grades leaves out, or explains in other words than the code."""
    page = (ROOT / "docs" / "findings" / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([A-Z_]+) \| (.+) \|$", page, re.MULTILINE))
    assert rows == {grade.value: grade.meaning for grade in Grade}
    assert (
        sorted([PLANTED, replace(PLANTED, grade=Grade.LOOSE), replace(PLANTED, reach=Reach.CONCLUSION)], key=Finding.order)[0].reach
        is Reach.CONCLUSION
    )
