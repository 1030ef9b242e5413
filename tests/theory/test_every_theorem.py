"""What every statement of the theory room must do, found by walking its modules."""

import importlib
import itertools
import json
import math
import pkgutil
import random
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

from banditproof import theory
from banditproof.glossary import FOLDS, OTHER_UNIT_RATIO, RATIO, SCALE, UNIT_RATIO
from banditproof.theory import evaluate, vectorise
from banditproof.theory.language import (
    Checked,
    Constants,
    HypothesisFails,
    Mode,
    NoNumber,
    OutsideDomain,
    Sense,
    Theorem,
    symbol,
)
from banditproof.theory.rendering import mode
from tests.support import rendered

ROOT = Path(theory.__path__[0]).resolve().parent


def _modules():
    return [importlib.import_module(found.name) for found in pkgutil.walk_packages(theory.__path__, "banditproof.theory.")]


# (module, theorem), once for each name that a module binds itself
FOUND = [(module, value) for module in _modules() for value in vars(module).values() if isinstance(value, Theorem)]
THEOREMS = list({theorem.id: theorem for _, theorem in FOUND}.values())
NUMBERS = [item for item in THEOREMS if item.bound is not None and item.bound.constants is Constants.EXPLICIT]
STEPS = [(theorem, step) for theorem in THEOREMS for step in theorem.steps if step.id not in theorem.false_steps()]
ids = [theorem.id for theorem in THEOREMS]
every = pytest.mark.parametrize("theorem", THEOREMS, ids=ids)
every_number = pytest.mark.parametrize("theorem", NUMBERS, ids=[theorem.id for theorem in NUMBERS])


def drawn(step, rng, count, tries=2_000):
    """So many times exact numbers that satisfy the step's conditions as doubles, fewer where all tries for one fail: some steps hold on a
    hundredth of their box."""
    conditions = sympy.lambdify([symbol(quantity) for quantity in step.draw_order], list(step.domain), "math")
    found = (_accepted(step, conditions, rng, tries) for _ in range(count))
    return (numbers for numbers in found if numbers is not None)


def _accepted(step, conditions, rng, tries):
    for _ in range(tries):
        numbers = [_number_of(quantity, rng) for quantity in step.draw_order]
        try:
            if all(conditions(*map(float, numbers))):
                return {symbol(quantity): number for quantity, number in zip(step.draw_order, numbers, strict=True)}
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
    return None


def _number_of(quantity, rng):
    """An exact number from a quantity's domain: spread over scales, both ends and their neighbours included. Hypothesis draws the same
    numbers ten times as slowly, and there are thousands of examples."""
    domain = quantity.domain
    if domain.integer:
        low = int(domain.low) if math.isfinite(domain.low) else -(10**6)
        return Fraction(rng.randint(low, rng.choice((low + 40, 10**6))))
    low = Fraction(domain.low) if math.isfinite(domain.low) else Fraction(-64)
    high = Fraction(domain.high) if math.isfinite(domain.high) else low + 64
    part = Fraction(rng.randint(5 * 10**5, 10**6), 10**6) / 2 ** rng.randint(0, 12) * (high - low)
    number = rng.choice((low + part, high - part))
    return number if number in domain else _number_of(quantity, rng)


def typical(theorem):
    """The first choice of the glossary's typical values that satisfies the hypotheses."""
    quantities = theorem.bound.given
    for choice in itertools.product(*(quantity.typical for quantity in quantities)):
        values = {quantity.name: str(value) for quantity, value in zip(quantities, choice, strict=True)}
        try:
            return values, theorem.at(**values)
        except HypothesisFails:
            continue
    raise AssertionError(f"{theorem.id}: no typical values satisfy its hypotheses")


def stem_of(module):
    """What the ids of a module begin with: its name, or that of the paper's folder."""
    return module.__name__.removeprefix("banditproof.theory.").removeprefix("papers.").partition(".")[0]


def test_ids_are_modules_and_names():
    """Would catch a statement that moved or was copied: the id is where it stands, and no id stands twice."""
    assert THEOREMS
    for module, theorem in FOUND:
        if stem_of(module) == theorem.id.partition(".")[0]:
            names = [name for name, value in vars(module).items() if value is theorem]
            assert names == [theorem.id.partition(".")[2].upper()]
    homes = [theorem.id for module, theorem in FOUND if stem_of(module) == theorem.id.partition(".")[0]]
    assert sorted(homes) == sorted(set(ids))
    assert len({id(theorem) for _, theorem in FOUND}) == len(ids)


@every
def test_sources_are_in_the_bibliography(theorem):
    keys = re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text(), re.MULTILINE)
    assert theorem.source.key in keys
    assert theorem.source.locator


@every
def test_statements_render(theorem):
    """Would catch a statement that cannot be shown, or shows without its hypotheses, its mode, or the form that is refuted as published."""
    text, latex = rendered.text(theorem), rendered.latex(theorem)
    assert text.startswith(theorem.id)
    assert theorem.statement in text
    for hypothesis in theorem.hypotheses:
        assert hypothesis.statement in text
        assert hypothesis.name in text
    if theorem.bound is not None:
        assert theorem.bound.of.name in text
        assert mode(theorem.bound) in text and (mode(theorem.bound) == "") == (theorem.bound.mode is Mode.ALWAYS)
    for step in theorem.steps:
        assert step.id in text
    assert ("  as published, which is refuted" in text) == ("As published, which is refuted" in latex) == (theorem.published is not None)
    assert latex.count(r"\[") == latex.count(r"\]")
    assert (r"\[" in latex) == bool(theorem.bound or theorem.steps)
    assert latex.count(r"\begin{") == latex.count(r"\end{")
    unescaped = re.sub(r"\\[{}]", "", latex)
    assert unescaped.count("{") == unescaped.count("}")
    outside_formulas = re.sub(r"\\\[.*?\\\]|\\\(.*?\\\)", "", latex, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)[_^&%$#]", outside_formulas)
    described = rendered.described(theorem)
    assert json.loads(json.dumps(described)) == described
    assert {item["name"] for item in described["hypotheses"]} == {item.name for item in theorem.hypotheses}


@every
def test_what_is_assumed_is_said(theorem):
    assert set(theorem.assumed()) == {item for item in theorem.hypotheses if item.checked is Checked.ASSUMED}


@every_number
def test_typical_values_have_a_number(theorem):
    """Would catch a theorem that no reader can evaluate."""
    values, value = typical(theorem)
    assert math.isfinite(value.bound)
    assert value.low <= value.bound <= value.high
    assert value.ball.rel_accuracy_bits() >= 30 * math.log2(10) or value.ball.is_exact()
    found = theorem.function()(**{name: float(Fraction(number)) for name, number in values.items()})
    if 0 < abs(value.ball) < 1e-300:  # doubles cannot represent it
        assert np.isnan(found) or found == 0
    else:
        assert found == pytest.approx(value.bound, rel=1e-9)


@pytest.mark.parametrize("theorem", [item for item in THEOREMS if item not in NUMBERS], ids=lambda item: item.id)
def test_statements_without_a_number_say_so(theorem):
    with pytest.raises(NoNumber):
        theorem.at()


def _size(theorem, start):
    """The sum of the absolute terms of the case that applies: what cancellation in doubles is measured against."""
    from flint import ctx

    with ctx.workprec(256):
        numbers = {symbol(quantity): number for quantity, number in start.items()}
        for implicit in theorem.bound.where:
            numbers[symbol(implicit.of)] = evaluate.solve(implicit, numbers)
        case = next(case for case in theorem.bound.cases if evaluate.holds(case.condition, numbers))
        return sum(abs(float(evaluate.ball(term, numbers))) for term in sympy.Add.make_args(case.expression))


def _fits_doubles(theorem, start):
    """Whether every part of the cases is a number that a double can be near to: 2**epoch is not, from epoch 1024 on."""
    from flint import ctx

    with ctx.workprec(256):
        numbers = {symbol(quantity): number for quantity, number in start.items()}
        for implicit in theorem.bound.where:
            numbers[symbol(implicit.of)] = evaluate.solve(implicit, numbers)
        parts = {part for case in theorem.bound.cases for part in sympy.preorder_traversal(case.expression) if part.free_symbols}
        sizes = [abs(evaluate.ball(part, numbers)) for part in parts]
        return all(size.contains(0) or 1e-300 < size < 1e300 for size in sizes)


def _beyond_search(theorem, start):
    """Whether an implicit integer is larger than those among which `function()` searches."""
    numbers = {symbol(quantity): number for quantity, number in start.items()}
    for implicit in theorem.bound.where:
        numbers[symbol(implicit.of)] = evaluate.solve(implicit, numbers)
    return any(numbers[symbol(each.of)] > vectorise.LARGEST for each in theorem.bound.where if each.of.domain.integer)


@every_number
def test_function_agrees_with_at(theorem, seed, scale):
    """Would catch a translation that differs between balls and arrays, or a curve drawn where `at` refuses.

    Roots in doubles keep the digits that their equation keeps, hence the wider tolerance for implicit real quantities.
    """
    rng, function = random.Random(seed), theorem.function()
    for _ in range(scale.of(25, 250)):
        _agrees_at(theorem, function, {quantity: Fraction(float(_number_of(quantity, rng))) for quantity in theorem.bound.given})


def _agrees_at(theorem, function, start):
    """Compares both at the same doubles, if all of them are in their domains."""
    if not all(number in quantity.domain for quantity, number in start.items()):
        return
    values = {quantity.name: float(number) for quantity, number in start.items()}
    roots = any(not implicit.of.domain.integer for implicit in theorem.bound.where)
    found = function(**values)
    try:
        value = theorem.at(**values)
    except (HypothesisFails, OutsideDomain):
        assert np.isnan(found), values
        return
    if np.isnan(found):
        assert roots or _beyond_search(theorem, start) or not _fits_doubles(theorem, start), values  # doubles may lose a sign at an end
        return
    assert abs(found - value.bound) <= (1e-3 if roots else 1e-9) * _size(theorem, start) + 1e-300, values


@pytest.mark.parametrize(("theorem", "step"), STEPS, ids=[f"{theorem.id}:{step.id}" for theorem, step in STEPS])
def test_steps_hold_at_drawn_values(theorem, step, seed, scale):
    """Would catch a line of a proof that is false, or written down wrongly."""
    from flint import ctx

    rng, compared = random.Random(seed), 0
    with ctx.workprec(400):
        for numbers in drawn(step, rng, scale.of(60, 1_000)):
            if not all(evaluate.holds(condition, numbers) for condition in step.domain):
                continue
            compared += 1
            right = evaluate.ball(step.right, numbers)
            difference = right - evaluate.ball(step.left, numbers)
            match step.sense:
                case Sense.AT_MOST:
                    assert not difference < 0, numbers
                case Sense.AT_LEAST:
                    assert not difference > 0, numbers
                case Sense.EQUALS:
                    assert difference.contains(0), numbers
                    assert abs(difference) < 1e-60 * (1 + abs(right)), numbers
    assert compared > 0, "no drawn values satisfy the conditions of the line"


def test_the_papers_import_sympy_and_nothing_heavier():
    """Would catch an import of NumPy, SciPy or numba at the top of a statement's module. (SymPy itself imports Arb if it is there.)"""
    names = [module.__name__ for module in _modules() if not module.__name__.endswith(".vectorise")]
    code = f"import sys\nfor name in {names!r}: __import__(name)\nprint([m for m in ('scipy', 'numba', 'numpy') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@every
def test_without_a_published_form_nothing_else_was_printed(theorem):
    if theorem.published is None:
        assert theorem.as_printed() is theorem


def test_an_order_is_named_by_its_sense() -> None:
    """Would catch a lower bound of order that is printed as O(...): O from above, Omega from below."""
    for theorem in THEOREMS:
        if theorem.bound is None or theorem.bound.constants is not Constants.SUPPRESSED:
            continue
        sense = theorem.bound.sense
        letter = {Sense.AT_MOST: "O", Sense.AT_LEAST: "Omega", Sense.EQUALS: "Theta"}[sense]
        latex = letter if letter == "O" else f"\\{letter}"
        assert all(f" {sense.value} {letter}(" in line for line in rendered.inequality(theorem.bound)), theorem.id
        assert rf"{latex}\!\left(" in rendered.latex(theorem)


# --- lines of proofs that say something -------------------------------------------------------------------------------------------

LINES = [(theorem, step) for theorem in THEOREMS for step in theorem.steps]


def test_no_line_has_one_expression_on_both_sides() -> None:
    """Would catch 12/5 = 12/5: a line that SymPy has evaluated to itself, which no mistake in the paper's line could falsify."""
    assert LINES
    for theorem, step in LINES:
        assert step.left != step.right, f"{theorem.id}:{step.id}"
        assert step.left.doit() != step.right.doit(), f"{theorem.id}:{step.id}"
    with pytest.raises(ValueError, match="both sides are"):
        replace(LINES[0][1], right=LINES[0][1].left)


def test_no_two_lines_of_a_statement_print_identically() -> None:
    """Would catch two lines of which a reader cannot say what the second one adds: sides, sense or domain differ."""
    for theorem in THEOREMS:
        shown = [(str(step.left), step.sense, str(step.right), tuple(sorted(map(str, step.domain)))) for step in theorem.steps]
        assert len(set(shown)) == len(shown), theorem.id


# letters that belong to no paper: a quotient of two terms of a proof, a number of mechanisms
_OF_NO_PAPER = {symbol(quantity) for quantity in (RATIO, UNIT_RATIO, OTHER_UNIT_RATIO, FOLDS)}


def is_a_multiple(step):
    """Whether one side is x times the other for a letter of no paper, x being what the domain alone says: true of any other side."""
    if step.right == 0 or step.left == 0 or not _OF_NO_PAPER & (step.left.free_symbols | step.right.free_symbols):
        return False
    quotient = sympy.powsimp(sympy.cancel(step.left / step.right))
    letters = {quotient, 1 / quotient} & _OF_NO_PAPER
    return bool(letters) and all(condition.free_symbols <= letters for condition in step.domain)


def test_no_line_is_a_multiple_of_itself() -> None:
    """Would catch epsilon * folds >= epsilon, true of every number of folds whatever the paper says. (A refuted line says something.)"""
    fresh = replace(
        LINES[0][1], left=symbol(FOLDS) * symbol(SCALE), sense=Sense.AT_LEAST, right=symbol(SCALE), draw_order=(FOLDS, SCALE), domain=()
    )
    assert is_a_multiple(fresh)
    found = [f"{theorem.id}:{step.id}" for theorem, step in LINES if step.id not in theorem.false_steps() and is_a_multiple(step)]
    assert found == []
