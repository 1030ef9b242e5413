"""The faults that a review of the proof engine found, each as it was found: false lines that were certified, crashes, silences."""

import math
import sys
import time
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from flint import ctx
from sympy import Rational, exp, log, sqrt, tanh

from banditproof.glossary import COUNT, POSITIVE, Domain, Quantity
from banditproof.theory.certify import PRECISION, Proved, Refuted, Undecided, accepted, confirm, decide, recheck
from banditproof.theory.language import Sense, Step, symbol
from banditproof.theory.proving.boxes import Budget
from banditproof.theory.proving.checker.claims import accepts
from banditproof.theory.proving.checker.derivations import Derivation
from banditproof.theory.proving.claims import Claim, claim_of, goals, requirements
from banditproof.theory.proving.goals import Constraint, Goal, Range
from banditproof.theory.proving.search import Proof, Prover

E, S, T, X = (sympy.Symbol(name, positive=True) for name in ("e", "s", "t", "x"))
N = sympy.Symbol("n", integer=True, positive=True)
NEAR = Rational(37182818, 10**8)


def at_most(left, right, *conditions):
    left, right = sympy.sympify(left), sympy.sympify(right)
    free = set().union(left.free_symbols, right.free_symbols, *(condition.free_symbols for condition in conditions))
    domains = tuple((item, COUNT if item == N else POSITIVE) for item in (E, S, T, X, N) if item in free)
    return Claim("test", left, Sense.AT_MOST, right, domains, conditions)


def without_looking(asked, boxes=150):
    """The decision of the prover and the checker where nobody looks for a counterexample."""
    with ctx.workprec(PRECISION):
        budget = Budget(boxes)
        proofs, defined = ([Prover(budget).prove(goal) for goal in part] for part in (goals(asked), requirements(asked)))
        return None not in [*proofs, *defined] and accepted(asked, proofs, defined)


FALSE = {
    "a pole behind a thin region": at_most(0, 1 / (E - 1), (E - 1) * (1 - Rational(1, 10**14) / (E - NEAR) ** 2) >= Rational(1, 100)),
    "its mirror image": at_most(0, -1 / (1 - E), (E - 1) * (1 - Rational(1, 10**14) / (E - NEAR) ** 2) >= Rational(1, 100), E <= 3),
    "a cubic pole": at_most(-1, 1 / (E - 1) ** 3, (E - 1) * (1 - Rational(1, 10**14) / (E - NEAR) ** 2) >= Rational(1, 100)),
    "a pole behind a tiny number": at_most(0, 1 / (E - 1), (E - 1) * (1 - Rational(1, 10**400) / E) >= Rational(1, 100)),
    "a power of a logarithm": at_most(0, 2 + log(E) ** -3, Rational(1, 4) <= (E - 1) ** 2),
    "two sides of 1": at_most(0, S - 1 / (E - 1), log(E) ** 2 >= 1),
    "three symbols": at_most(0, S + 1 / (E - T - 1), E * S < 1, E < S),
    "everywhere": at_most(0, 1 / (E - S), E < S),
}


BETWEEN = 12345


def hollow(start):
    """A cubic that rises at all integers from `start` on but falls between the first two, and is 0 at the first."""
    cubic = N**3 / 3 - Rational(2 * start + 1, 2) * N**2 + start * (start + 1) * N
    return sympy.expand(cubic - cubic.subs(N, start))


@pytest.mark.parametrize("start", [2, 37, BETWEEN, 1_234_567])
def test_a_slope_is_shown_between_integers_too(start):
    """Would catch a derivative that is looked at where the symbol is an integer: at `start` + 1 the line fails by 1/6."""
    count = Quantity("n", "n", Domain(start, math.inf, integer=True, low_open=False), "a count", typical=(start,))
    line = hollow(start).xreplace({N: symbol(count)})
    for asked in (line, line * symbol(count)):
        step = Step(id="hollow", sense=Sense.AT_LEAST, left=asked, right=sympy.S.Zero, draw_order=(count,))
        assert not isinstance(decide(step), Proved)
        assert not without_looking(claim_of(step))


U, V, FREE = (Quantity(name, name, domain, "a number") for name, domain in (("u", POSITIVE), ("v", Domain(-0.5, 3.0)), ("y", Domain())))
_UP, _V, _Y = symbol(U) + 1, symbol(V), symbol(FREE)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("zero", Step(id="x", sense=Sense.EQUALS, left=sqrt(sqrt(_UP) + 1 / sqrt(_UP)), right=sqrt((1 + _UP) / _UP), draw_order=(U,))),
        ("zero", Step(id="x", sense=Sense.EQUALS, left=log(sqrt(_UP) + 1 / sqrt(_UP)), right=log((1 + _UP) / _UP), draw_order=(U,))),
        (
            "given",
            Step(
                id="x",
                sense=Sense.AT_LEAST,
                left=(1 + _Y * (_V - 1)) / (_V + 1),
                right=sympy.S.Zero,
                draw_order=(V, FREE),
                domain=(1 / ((_V - 1) * (_V + 1)) + _Y / (_V + 1) >= 0,),
            ),
        ),
    ],
    ids=["a root of a sum", "a logarithm of a sum", "a denominator of either sign"],
)
def test_forged_proofs_of_false_lines_are_not_accepted(rule, line):
    """Would catch a normal form that drops a factor, and a constraint that is multiplied by a number of either sign."""
    asked = claim_of(line)
    with ctx.workprec(PRECISION):
        defined = [Prover(Budget(500)).prove(goal) for goal in requirements(asked)]
        known = [proof for proof in defined if proof is not None]
        assert len(known) == len(defined) or rule == "given"
        assert not accepted(asked, [Proof(rule)] * len(goals(asked)), known)


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_across_a_pole_are_not_certified(name):
    """Would catch a rule that widens a range over a pole, and a leaf that closes its slope."""
    assert not isinstance(decide(FALSE[name], boxes=400), Proved)
    assert not without_looking(FALSE[name])


TREES = [
    ["monotone", ["e", "falling"], [["factors", [], []], ["zero", [], []]]],
    ["monotone", ["e", "falling"], [["factors", [], []], ["zero", [], []], ["direct", [], []]]],
    ["monotone", ["e", "rising"], [["zero", [], []], ["zero", [], []]]],
    ["monotone", ["e", "falling"], [["zero", [], []], ["zero", [], []]]],
]


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", FALSE)
def test_stored_trees_across_a_pole_are_not_accepted(name, tree):
    """Would catch kept proofs that are believed without the checker, or without a look at a point."""
    asked = FALSE[name]
    with ctx.workprec(PRECISION):
        wanted, needed = goals(asked), requirements(asked)
        defined = [Prover(Budget(100)).prove(goal) or Proof("direct") for goal in needed]
        assert not accepted(asked, [Proof.from_json(tree) for _ in wanted], defined)
    assert confirm(asked, [tree for _ in wanted], [proof.to_json() for proof in defined]) is None


def test_a_slope_that_cancels_is_not_enough():
    """-sqrt(x^2 - 2x + 1)/(x - 1) jumps from 1 to -1; its slope cancels to 0."""
    asked = at_most(0, -sqrt(X**2 - 2 * X + 1) / (X - 1), (X - 1) * (1 - Rational(1, 10**14) / (X - NEAR) ** 2) >= Rational(1, 100))
    assert not isinstance(decide(asked, boxes=300), Proved)
    assert not without_looking(asked)
    hidden = at_most(0, sqrt(sqrt(X**2 - 4 * X + 4) + 2 - X) + 3 - X, X <= 4)  # under the root it is 0 on all of (0, 2]
    assert not without_looking(hidden)


def test_kept_proofs_are_met_by_the_finder(monkeypatch):
    """Would catch a kept proof that is believed although the line fails at simple numbers."""
    from banditproof.theory import certify

    monkeypatch.setattr(certify, "accepted", lambda *_: True)
    assert confirm(at_most(X, 1), [["zero", [], []]], []) is None


def test_a_step_refuses_two_quantities_of_one_name():
    one = _quantity("x", Domain(0.0, 1.0, low_open=True))
    two = _quantity("x", Domain(1.0, math.inf, integer=True))
    with pytest.raises(ValueError, match="given twice"):
        Step(id="s", sense=Sense.AT_MOST, left=symbol(two), right=symbol(one), draw_order=(one, two))
    with pytest.raises(ValueError, match="one name"):
        Claim("c", symbol(two), Sense.AT_MOST, symbol(one), ((symbol(one), one.domain), (symbol(two), two.domain)))


def _quantity(name, domain):
    from banditproof.glossary import EPSILON

    return replace(EPSILON, name=name, domain=domain)


def test_an_empty_domain_is_said():
    found = decide(at_most(X, X - 1, X >= 2, X <= 1))
    assert isinstance(found, Proved)
    assert found.empty
    found = decide(at_most(0, E - S, E * S < 1, E * S >= 2))
    assert not isinstance(found, Proved) or found.empty
    found = decide(at_most(1 + X, exp(X)))
    assert isinstance(found, Proved)
    assert not found.empty
    assert not found.unseen


def test_an_empty_domain_is_no_certified_line():
    from banditproof.audits.methods.proof_steps import judge
    from banditproof.audits.statistics.evidence import Verdict

    quantity = _quantity("x", POSITIVE)
    item = symbol(quantity)
    line = Step(id="s", sense=Sense.AT_MOST, left=item, right=item - 1, draw_order=(quantity,), domain=(item >= 2, item <= 1))
    found = judge(line, "test:s")
    assert found.verdict is Verdict.VACUOUS
    assert "domain is empty" in found.message


@pytest.mark.parametrize(
    "asked",
    [
        at_most(0, (E - S) ** -3, E * S < 1, E * S >= 2),
        at_most(tanh(E), 1 - Rational(1, 10**300)),
        at_most(X, X + Rational(1, 3**2000)),
        at_most(Rational(10**300 + 7) ** (1 / X), 10**301, X >= 1),
    ],
    ids=["contradictory pole", "300 digits", "long denominator", "a long base"],
)
def test_budgets_hold(asked):
    begun = time.monotonic()
    decision = decide(asked, boxes=300)
    assert time.monotonic() - begun < 60
    if isinstance(decision, Undecided):
        assert decision.boxes <= 360


def test_deep_trees_are_not_accepted():
    asked = at_most(1 + X, exp(X))
    decision = decide(asked)
    assert isinstance(decision, Proved)
    tree = ["zero", [], []]
    for _ in range(4 * sys.getrecursionlimit()):
        tree = ["divide", [], [tree]]
    assert not recheck(replace(decision.certificate, proofs=(tree,)), asked)
    assert confirm(asked, [tree], []) is None


def test_deep_expressions_are_undecided():
    deep = X
    for _ in range(100):
        deep = 1 / (1 + deep)
    assert isinstance(decide(at_most(deep, 1), boxes=50), Undecided | Proved)


@pytest.mark.parametrize("parameters", [[], ["0"], ["0", "x", "more"], ["9", "x"], ["-1", "x"], ["x", "0"]])
@pytest.mark.parametrize("rule", ["rename_sum", "bound", "monotone", "split", "order", "concave", "log_symbol", "boxes", "nothing"])
def test_wrong_parameters_are_not_accepted(rule, parameters):
    """Would catch an IndexError in `confirm`."""
    asked = at_most(log(1 + X), X)
    assert confirm(asked, [[rule, parameters, []]], []) is None


@pytest.mark.parametrize("precision", [-1, 0, 1, 10**9, "64", 64.0, None])
def test_a_precision_that_is_none_is_not_accepted(precision):
    asked = at_most(1 + X, exp(X))
    decision = decide(asked)
    assert isinstance(decision, Proved)
    assert not recheck(replace(decision.certificate, precision=precision), asked)


def test_lines_at_a_pole_that_are_true_are_still_proved():
    """Would catch conditions that are too strict: the range does not reach the pole."""
    for asked in (
        at_most(0, 1 / (E - 1), E > 1),
        at_most(1 / E, 1 / (E - S), E > S),
        at_most(1, 1 / (1 - E), E < 1),
        at_most(0, 1 / (N - 1) ** 2, N >= 2),
        at_most(2, X + 1 / X),
    ):
        assert isinstance(decide(asked, boxes=800), Proved), asked


def test_values_are_fractions():
    assert isinstance(decide(at_most(X, 1)), Refuted)
    assert decide(at_most(X, 1)).point()["x"] > Fraction(1)


# --- derivations that no rule made -------------------------------------------------------------------------------------------------


def whole_line(name, low=0, high=math.inf, low_open=True, **assumptions):
    item = sympy.Symbol(name, **(assumptions or {"positive": True}))
    return item, Range(Fraction(low), high if high == math.inf else Fraction(high), low_open, high == math.inf)


def forged(expression, *ranges, constraints=(), rule="zero", parameters=(), children=(), strict=False, meaning=()):
    return Derivation(
        Goal(sympy.sympify(expression), tuple(ranges), tuple(constraints), strict, tuple(meaning)), rule, parameters, children
    )


X_LINE = whole_line("x")
U = sympy.Symbol("u1", positive=True)
FORGED = {
    "another expression": forged(0, X_LINE),
    "a shorter range": forged(1 - X, whole_line("x", high=1), rule="direct"),
    "a constraint that is not given": forged(1 - X, X_LINE, constraints=[Constraint(1 - X)], rule="given"),
    "an empty range": forged(1 - X, whole_line("x", 2, 1), rule="empty"),
    "a sign that its range does not say": forged(1 - X, whole_line("x", -1, positive=True), rule="direct"),
    "a substitution by another value": forged(
        1 - X, X_LINE, rule="bound", children=(forged(U, whole_line("u1"), rule="direct", meaning=[("u1", X + 1)]),)
    ),
    "a new range that is too short": forged(
        1 - X, X_LINE, rule="bound", children=(forged(1 - U, whole_line("u1", high=1), rule="direct", meaning=[("u1", X)]),)
    ),
    "a new symbol without meaning": forged(1 - X, X_LINE, rule="bound", children=(forged(U, whole_line("u1"), rule="direct"),)),
    "another slope": forged(
        1 - X, X_LINE, rule="monotone", parameters=("x", "rising"), children=(forged(1, X_LINE, rule="direct"), forged(1, rule="direct"))
    ),
    "another end": forged(
        1 - X, X_LINE, rule="monotone", parameters=("x", "falling"), children=(forged(1, X_LINE, rule="direct"), forged(1, rule="direct"))
    ),
    "one case of two": forged(
        1 - X, X_LINE, rule="split", parameters=("x", "1"), children=(forged(1 - X, whole_line("x", high=1), rule="direct"),)
    ),
    "a negative divisor": forged(1 - X, X_LINE, rule="divide", children=(forged(X - 1, X_LINE, rule="direct"),)),
    "a cut box that is left out": forged(1 - X, X_LINE, rule="boxes", parameters=("S0D",)),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_derivations_are_not_accepted(name):
    """Would catch a checker that believes a goal because a rule is said to have made it."""
    with ctx.workprec(PRECISION):
        assert not accepts(at_most(X, 1), [FORGED[name]], [])


def test_jumps_between_integers():
    """Would catch a range of integers that is walked as reals over a pole between two of them."""
    assert isinstance(decide(at_most(-1, 1 / (N - Rational(5, 2))), boxes=200), Refuted)
    assert not without_looking(at_most(-1, 1 / (N - Rational(5, 2))))
    assert not without_looking(at_most(0, 1 / (N - Rational(5, 2)), N >= 2))


def test_the_checker_shares_no_rewriting_with_the_search():
    """Would catch an import of the search's normal forms, rules, limits or derivatives; `factored` is a suggestion."""
    import ast
    import importlib
    import inspect
    import pkgutil

    from banditproof.theory.proving import algebra, checker

    parts = [importlib.import_module(f"{checker.__name__}.{found.name}") for found in pkgutil.iter_modules(checker.__path__)]
    own = {module.__name__.rsplit(".", 1)[-1] for module in parts}
    shared = {"boxes", "claims", "enclosures", "goals", "algebra", "rules", "language", "glossary", "effort", "sizes"}
    assert len(parts) >= 9
    for module in (algebra, *parts):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("banditproof"):
                last = (node.module or "").rsplit(".", 1)[-1]
                names = {item.name for item in node.names}
                if (node.module or "").startswith(checker.__name__):
                    assert last in own
                    continue
                assert last in shared | {"proving"}, node.module
                if last == "goals":
                    assert names <= {"Goal", "Range", "Constraint"}
                if last == "rules":
                    assert names == {"factored"}
                if last == "claims":
                    assert names == {"Claim"}
