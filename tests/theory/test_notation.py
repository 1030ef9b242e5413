"""Letters, maxima and marks: what every statement shows, found by walking the theory."""

import importlib
import math
import pkgutil
import random
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy

from banditproof import glossary, theory
from banditproof.glossary import (
    EPSILON,
    FAILURE,
    RADIUS,
    RATIO,
    REGRET,
    SAMPLES,
    SCALE,
    SENSITIVITY,
    THRESHOLD,
)
from banditproof.theory import notation
from banditproof.theory.evaluate import round_down, round_nearest, round_up
from banditproof.theory.extremes import shown
from banditproof.theory.language import (
    Bound,
    Case,
    Constants,
    Mode,
    Sense,
    Source,
    Step,
    Theorem,
    always,
    largest,
    smallest,
    symbol,
)
from banditproof.theory.notation import letters
from tests.support import rendered

MODULES = [importlib.import_module(found.name) for found in pkgutil.walk_packages(theory.__path__, "banditproof.theory.")]
THEOREMS = {value.id: value for module in MODULES for value in vars(module).values() if isinstance(value, Theorem)}
BY_SYMBOL = {symbol(quantity): quantity for quantity in glossary.quantities().values()}
every = pytest.mark.parametrize("theorem", THEOREMS.values(), ids=list(THEOREMS))


def _bounds(theorem):
    return [bound for bound in (theorem.bound, theorem.published) if bound is not None]


CASES = [(theorem, bound) for theorem in THEOREMS.values() for bound in _bounds(theorem) if len(bound.cases) > 1]
every_with_cases = pytest.mark.parametrize(("theorem", "bound"), CASES, ids=[theorem.id for theorem, _ in CASES])


# --- letters ----------------------------------------------------------------------------------------------------------------------


@every
def test_no_two_quantities_have_one_letter(theorem):
    """Would catch 1/(x + x) and m <= m: everything that a formula of the statement can show has a letter of its own."""
    known = notation.alphabet(theorem)
    written = [re.sub(r"[\s{}]", "", letter) for letter in known.values()]
    assert len(set(written)) == len(written)
    expressions = [part for bound in _bounds(theorem) for case in bound.cases for part in (case.condition, case.expression)]
    expressions += [implicit.condition for bound in _bounds(theorem) for implicit in bound.where]
    expressions += [part for step in theorem.steps for part in (step.left, step.right, *step.domain)]
    assert {BY_SYMBOL[item] for expression in expressions for item in expression.free_symbols} <= set(known)


@every
def test_latex_has_the_letters_and_not_the_names(theorem):
    """Would catch a formula that falls back on a name, a letter that TeX refuses (m'_k squared), and a table that lacks a letter."""
    latex = rendered.latex(theorem)
    displays = " ".join(re.findall(r"\\\[.*?\\\]", latex, re.DOTALL))
    for quantity, letter in notation.alphabet(theorem).items():
        assert rf"\({letter}\): " in latex
        assert "'_" not in letter
        if len(quantity.name) > 3 and quantity.name not in letter:
            assert not re.search(rf"(?<![\\a-zA-Z]){quantity.name}(?![a-zA-Z])", displays), quantity.name
    assert "max(" not in displays and "min(" not in displays


@every
def test_text_has_a_table_of_letters(theorem):
    """Would catch a quantity of a bound or of a proof line that no line explains."""
    lines = [line.strip() for line in rendered.text(theorem).splitlines()]
    known = notation.alphabet(theorem)
    bounds = (*([theorem.bound.of, *theorem.bound.quantities()] if theorem.bound else ()), *notation.auxiliary(theorem))
    for quantity in bounds:
        assert sum(line.startswith(f"{notation.named(quantity, known)}: {quantity.meaning}") for line in lines) == 1, quantity.name
    assert all("\\" not in notation.spelt(letter) for letter in known.values())


def test_letters_are_those_of_the_papers():
    """Golden, from the originals: Propositions 4 and 9 of Shariff and Sheffet; Algorithm 1 and Definitions 3.4 to 3.6 of Wu et al."""
    expected = {
        "shariff_sheffet_2018.radius_upper": {
            "confidence_radius": "beta_t",
            "reward_sigma": "sigma",
            "failure": "alpha",
            "round": "t",
            "dimension": "d",
            "context_norm": "L",
            "rho_min": "rho_min",
            "rho_max": "rho_max",
            "parameter_norm": "S",
            "perturbation": "gamma",
            "horizon": "n",
        },
        "shariff_sheffet_2018.wishart_calibration": {"required_degrees": "k_min", "nodes": "m", "epsilon": "epsilon", "delta": "delta"},
        "shariff_sheffet_2018.wishart_rho_max": {"row_norm": "L~", "wishart_degrees": "k"},
        "shariff_sheffet_2018.regret_private": {"arms": "k", "horizon": "n"},
        "wu_2023.raw_truncation": {"truncation": "M", "samples": "n", "contamination": "alpha_1", "failure": "delta", "moment": "k"},
        "wu_2023.raw_radius": {"radius": "beta", "epsilon": "epsilon"},
        "wu_2023.regret_raw": {"regret": "R_T", "horizon": "T", "arms": "K"},
        "auer_2002.ucb1_regret": {"horizon": "n"},
        "dwork_2006.laplace_privacy": {"sensitivity": "S(f)", "scale": "lambda"},
    }
    for id, words in expected.items():
        known = {quantity.name: notation.spelt(letter) for quantity, letter in notation.alphabet(THEOREMS[id]).items()}
        assert {name: known[name] for name in words} == words, id


def _theorem(**changes):
    bound = Bound(of=EPSILON, sense=Sense.AT_MOST, cases=always(symbol(SENSITIVITY) / symbol(SCALE)), given=(SENSITIVITY, SCALE))
    return Theorem(**{"id": "nobody_2099.claim", "statement": "A claim.", "source": Source("key", "place"), "bound": bound, **changes})


_X, _Y = symbol(RATIO), symbol(THRESHOLD)
_COLLIDING = Step(id="line", sense=Sense.AT_MOST, left=_X, right=_X + _Y, draw_order=(RATIO, THRESHOLD))


@pytest.mark.parametrize("way", ["text", "latex", "describe"])
@pytest.mark.parametrize(
    "changes",
    [
        {"steps": (_COLLIDING,)},
        {
            "steps": (
                replace(_COLLIDING, draw_order=(RATIO,), right=2 * _X),
                replace(_COLLIDING, id="next", draw_order=(THRESHOLD,), left=_Y, right=2 * _Y),
            )
        },
        {"bound": Bound(of=RATIO, sense=Sense.AT_MOST, cases=always(_Y), given=(THRESHOLD,))},
    ],
    ids=["one line", "two lines", "bound"],
)
def test_two_quantities_with_one_letter_are_refused(changes, way):
    with pytest.raises(ValueError, match=r"nobody_2099\.claim: .*(ratio and threshold|threshold and ratio).*one letter, x"):
        getattr(_theorem(**changes), way)()


def test_blanks_and_braces_make_no_other_letter(monkeypatch):
    table = {SENSITIVITY: r"\tilde L", SCALE: r"\tilde{L}"}
    monkeypatch.setattr(notation, "letters", lambda stem: table)
    with pytest.raises(ValueError, match="sensitivity and scale"):
        _theorem().text()


def test_the_table_of_an_installed_paper_is_found(tmp_path, monkeypatch):
    """Would catch letters that only papers of this distribution can have."""
    (tmp_path / "my_audits" / "theory").mkdir(parents=True)
    for part in ("", "theory"):
        (tmp_path / "my_audits" / part / "__init__.py").write_text("")
    (tmp_path / "my_audits" / "theory" / "notation.py").write_text(
        "from banditproof.glossary import SCALE\nLETTERS = {SCALE: r'\\lambda'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [SimpleNamespace(name="My-Paper.2099", value="my_audits")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == "banditproof.papers" else [])
    assert dict(letters("my_paper_2099")) == {SCALE: r"\lambda"}
    assert dict(letters("nobody_2099")) == {}
    notation._declared.cache_clear()


def test_a_notation_that_cannot_be_imported_says_so(tmp_path, monkeypatch):
    """Would catch a table that is dropped without a word because something it imports is missing."""
    (tmp_path / "broken_audits").mkdir()
    (tmp_path / "broken_audits" / "__init__.py").write_text("")
    (tmp_path / "broken_audits" / "theory.py").write_text("import no_such_module_2099\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [SimpleNamespace(name="broken_2099", value="broken_audits")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    with pytest.raises(ModuleNotFoundError, match="no_such_module_2099"):
        letters("broken_2099")


# --- orders, modes, marks ---------------------------------------------------------------------------------------------------------


@every
def test_an_order_is_o_from_above_and_omega_from_below(theorem):
    """Would catch regret >= O(...), in text and in LaTeX."""
    big = {Sense.AT_MOST: ("O(", r"O\!\left("), Sense.AT_LEAST: ("Omega(", r"\Omega\!\left("), Sense.EQUALS: ("Theta(", r"\Theta\!\left(")}
    latex = rendered.latex(theorem)
    for bound in _bounds(theorem):
        plain, display = big[bound.sense]
        suppressed = bound.constants is Constants.SUPPRESSED
        for line in rendered.inequality(bound):
            assert line.startswith(f"{bound.of.name} {bound.sense.value} {plain}") is suppressed
        assert (display in latex) is suppressed or theorem.published is not None
    assert not re.search(r"\\ge\s*O\b", latex) and not re.search(r"\\le\s*\\Omega", latex)


@every
def test_what_holds_always_is_not_said_to(theorem):
    """Would catch 'mu = 1, always': a formula says that itself. How other bounds hold is said, in LaTeX by letters."""
    for bound in _bounds(theorem):
        last = rendered.inequality(bound)[-1]
        assert not last.endswith("always")
        each = "in each case " if len(rendered.inequality(bound)) > 1 else ""  # or it would read as said of the last case alone
        assert (f", {each}in expectation" in last) is (bound.mode is Mode.IN_EXPECTATION)
        assert (f", {each}with probability at least 1 - {FAILURE.name}" in last) is (bound.failure is FAILURE)
    assert r"\text{(always" not in rendered.latex(theorem) and r"\text{()" not in rendered.latex(theorem)


@every
def test_what_is_ours_is_marked(theorem):
    """Would catch a repaired line, or a statement of ours, that looks like the paper's."""
    text, latex = rendered.text(theorem), rendered.latex(theorem)
    assert ("stated here, not printed in the paper" in text) is theorem.source.assembled
    assert ("stated here, not printed in the paper" in latex) is theorem.source.assembled
    assert text.count("[ours, not in the paper]") == sum(step.ours for step in theorem.steps)
    if not theorem.id.startswith("wu_2023."):  # its steps are marked where its proofs are revised
        assert all(step.ours for step in theorem.steps if step.reason.startswith("repairs"))
    for step in theorem.steps:
        assert step.note in text


# --- maxima -----------------------------------------------------------------------------------------------------------------------


def _drawn(quantity, rng):
    domain = quantity.domain
    if domain.integer:
        return sympy.Integer(int(domain.low) + rng.choice([0, 1, 2, 5, rng.randrange(1000), rng.randrange(10**7)]))
    if math.isinf(domain.low):
        return sympy.Rational(rng.randrange(-4000, 4000), 128)
    if math.isinf(domain.high):
        return sympy.Rational(domain.low) + sympy.Rational(rng.randrange(1, 4096), 2 ** rng.randrange(2, 22))
    return sympy.Rational(domain.low) + sympy.Rational(domain.high - domain.low) * sympy.Rational(rng.randrange(1, 4096), 4096)


def _value(rows, point):
    """The place of the first case that holds, and its value to 30 digits; None and None where none does."""
    for place, row in enumerate(rows):
        if row.condition.xreplace(point) == sympy.true:
            return place, sympy.N(row.expression.xreplace(point), 30)
    return None, None


@every_with_cases
def test_what_is_shown_is_what_is_stated(theorem, bound):
    """Would catch a maximum that is shown where the cases say something else."""
    rows = shown(bound.cases).exact()
    if len(rows) == len(bound.cases):
        return
    rng = random.Random(theorem.id)
    met = set()
    for _ in range(30):
        point = {symbol(quantity): sympy.Float(_drawn(quantity, rng), 40) for quantity in bound.quantities()}
        place, stated = _value(bound.cases, point)
        if stated is None or not stated.is_real:  # outside the hypotheses
            continue
        _, displayed = _value(rows, point)
        met.add(place)
        assert abs(stated - displayed) <= 1e-20 * abs(stated), point
    assert len(met) > 1, "draws met one case alone"


def test_maxima_are_shown_and_regimes_are_not():
    """Would catch max as three cases with three-line conditions, and a change of regime that is passed off as a maximum."""
    rows = {theorem.id: len(rendered.inequality(theorem.bound)) for theorem in THEOREMS.values() if theorem.bound}
    for id in ("regret", "regret_gap", "regret_wishart_explicit", "regret_gaussian_gap_explicit"):
        assert rows[f"shariff_sheffet_2018.{id}"] == 1, id
    for id in ("gaussian_noise", "gaussian_calibration", "tree_budget", "wishart_rho_min", "shifted_rho_min"):
        assert rows[f"shariff_sheffet_2018.{id}"] == 2, id
    (line,) = rendered.inequality(THEOREMS["dwork_2010.tree_error"].bound)
    assert line.startswith("sum_error <= max(")
    assert r"\max\left\{" in rendered.latex(THEOREMS["dwork_2010.tree_error"])
    lines = rendered.inequality(THEOREMS["shariff_sheffet_2018.wishart_privacy"].bound)  # what is added stands by itself, with its mark
    assert [line.count("[not in the paper; see the finding wishart_privacy]") for line in lines] == [0, 1, 1]
    assert "28*log(4/min(delta, exp(-1)))" in lines[-1]


_N, _E, _R = symbol(SAMPLES), symbol(EPSILON), symbol(RADIUS)


@pytest.mark.parametrize(("helper", "python"), [(largest, max), (smallest, min)])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_exactly_one_case_of_an_extreme_holds(helper, python, size):
    """Would catch ties that fall into two cases or into none."""
    entries = (_N, _E, _R, _N * _E)[:size]
    cases = helper(*entries)
    (row,) = shown(cases).rows
    assert str(row.expression) == f"{python.__name__}({', '.join(map(str, entries))})"
    for n in (1, 2, 3):
        for e in (1, 2, 3):
            for r in (1, 2, 3):
                point = {_N: sympy.Integer(n), _E: sympy.Integer(e), _R: sympy.Integer(r)}
                held = [case.expression.xreplace(point) for case in cases if case.condition.xreplace(point) == sympy.true]
                assert held == [python(entry.xreplace(point) for entry in entries)]


@pytest.mark.parametrize(
    "cases",
    [
        (Case(sympy.Le(_N, _E), _N**2), Case(sympy.Gt(_N, _E), _R)),  # another function
        (Case(sympy.Le(_N, _E), _N), Case(sympy.Gt(_N, _R), _E)),  # another comparison
        (Case(sympy.Le(_N, _E), _N + _E), Case(sympy.Gt(_N, _E), 2 * _E)),  # the entry stands twice
        (Case(sympy.Le(_N, _E), _N, added="one"), Case(sympy.Gt(_N, _E), _E)),  # one of them is ours
        (Case(sympy.Le(_N, _E), _N * _R), Case(sympy.Gt(_N, _E), sympy.Integer(0))),
        (Case(sympy.Le(_N, 1), _N), Case(sympy.Gt(_N, 1) & sympy.Le(_N, _E), _E), Case(sympy.Gt(_N, _E), _R)),
    ],
)
def test_other_cases_stay_as_they_are(cases):
    assert [(row.condition, row.expression) for row in shown(cases).rows] == [(case.condition, case.expression) for case in cases]


def test_a_guard_stays_beside_the_maximum():
    guard = sympy.Le(_R, 1)
    cases = [Case(guard & case.condition, case.expression) for case in largest(_N, _E)]
    (row,) = shown(tuple(cases)).rows
    assert (row.condition, str(row.expression)) == (guard, "max(samples, epsilon)")
    (line,) = rendered.inequality(Bound(of=REGRET, sense=Sense.AT_MOST, cases=tuple(cases), given=(SAMPLES, EPSILON, RADIUS)))
    assert line == "regret <= max(samples, epsilon)   if radius <= 1"


# --- numbers ----------------------------------------------------------------------------------------------------------------------


def test_no_bound_is_minus_nought():
    """Would catch rho_min >= -0.0."""
    from flint import arb

    for point in (arb(0), -arb(0), arb(2) ** -5000, -(arb(2) ** -5000), -(arb(2) ** -1080)):
        for rounded in (round_down(point), round_up(point), round_nearest(point)):
            assert rounded != 0 or math.copysign(1.0, rounded) == 1.0, point
    value = THEOREMS["shariff_sheffet_2018.wishart_rho_min"].at(horizon=100, dimension=5, wishart_degrees=1, row_norm=1, failure="1e-9")
    assert repr(value.bound) == repr(value.low) == repr(value.high) == "0.0"
