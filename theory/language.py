r"""The language in which a paper's claim is written down: its hypotheses, its inequality, its source, and where it fails.

Main definitions
    Theorem      a claim with an id; `at` evaluates it, `function` vectorises it, `growth_in` gives its rate
    Bound        of <= expression, >= or =, by cases, in terms of the given quantities
    Implicit     a quantity that a condition defines: the least integer that satisfies it, or the root of an equation
    Hypothesis   a named condition, and who can check it
    Step         one line of a proof that can be checked by itself
    Finding      what is wrong with it, or open, in print: findings.py
    symbol       the only door from the glossary to SymPy

Implementation notes
    Expressions are exact and smooth: a Float, a foreign symbol or a node outside ALLOWED is refused when the object is made.
    Max, Min and regime changes are cases. An integer such as 1 + floor(log2 T) is not an expression: it is a quantity of its own
    (LEVELS) which an Implicit ties to the others, "the least L >= 1 with 2^L > T"; the user gives T alone.
    Evaluation is in evaluate.py (ball arithmetic) and vectorise.py (arrays), rates in growth.py, text and LaTeX in rendering.py;
    they are imported when they are called.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from banditproof.glossary import Quantity
from banditproof.theory.findings import Finding

if TYPE_CHECKING:
    from banditproof.theory.evaluate import Value
    from banditproof.theory.growth import Growth


Vectorised = Callable[..., Any]
Number = int | float | str | Fraction | Decimal  # and a sympy.Rational


class OutsideDomain(ValueError):
    """A value that its quantity cannot take, a name that the statement does not know, or a name that is missing."""


class HypothesisFails(ValueError):
    """The values break a hypothesis, so the statement says nothing about them."""


class NoNumber(ValueError):
    """The statement has no number to give: it is a definition or a remark, or its constants are suppressed."""


class Checked(Enum):
    """Who can check a hypothesis."""

    BY_VALUE = "by value"  # `at` does, from the numbers that it is given
    BY_ENVIRONMENT = "by environment"  # an audit does, from the environment or the query that it runs on
    ASSUMED = "assumed"  # nothing here can


class Sense(Enum):
    AT_MOST = "<="
    AT_LEAST = ">="
    EQUALS = "="

    @property
    def words(self) -> str:
        """How a sentence says it: "at most"."""
        return {Sense.AT_MOST: "at most", Sense.AT_LEAST: "at least", Sense.EQUALS: "exactly"}[self]


class Mode(Enum):
    ALWAYS = "always"
    IN_EXPECTATION = "in expectation"
    WITH_PROBABILITY = "with probability"


class Constants(Enum):
    EXPLICIT = "explicit"
    SUPPRESSED = "suppressed"  # the expression is the argument of an O(): only growth_in can use it


ALLOWED: frozenset[type] = frozenset(
    {
        *(sympy.Add, sympy.Mul, sympy.Pow, sympy.Symbol, sympy.exp, sympy.log, sympy.erf, sympy.erfc),
        *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.gamma, sympy.zeta),
    }
)
ALLOWED_CONDITIONS: frozenset[type] = frozenset(
    {sympy.And, sympy.Or, sympy.Not, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge, sympy.Eq, sympy.Ne}
)


@functools.cache
def symbol(quantity: Quantity) -> sympy.Symbol:
    """The SymPy symbol of a glossary quantity, with the assumptions that its domain implies."""
    domain = quantity.domain
    positive = domain.low > 0 or (domain.low == 0 and domain.low_open)
    assumptions = {"integer": True} if domain.integer else {"real": True}
    if positive or domain.low == 0:
        assumptions["positive" if positive else "nonnegative"] = True
    return sympy.Symbol(quantity.name, **assumptions)


def require_exact(expression: sympy.Basic, given: Iterable[Quantity], where: str) -> None:
    """Raises ValueError, naming the culprit, unless the expression or condition is exact, whitelisted and in the given symbols."""
    known = {symbol(quantity) for quantity in given}
    conditions = isinstance(expression, sympy.logic.boolalg.Boolean)
    for node in sympy.preorder_traversal(expression):
        if isinstance(node, sympy.Float):
            raise ValueError(f"{where}: the Float {node} is not exact; write Rational(...) or a string")
        if isinstance(node, sympy.Symbol):
            if node not in known:
                names = ", ".join(sorted(item.name for item in known)) or "none"
                raise ValueError(f"{where}: {node} is not the symbol of a given quantity (given: {names}); use symbol(QUANTITY)")
        elif isinstance(node, sympy.Rational) or node in (sympy.pi, sympy.E, sympy.true, sympy.false):
            continue
        elif not (type(node) in ALLOWED or (conditions and type(node) in ALLOWED_CONDITIONS)):
            raise ValueError(f"{where}: {type(node).__name__} is not an allowed node in {expression} (write cases instead)")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a claim stands: a key of references.bib, the place in the paper, and the version that was read.

    A locator that begins with "[assembled]" marks a statement that the paper does not print: ours, derived in the module's docstring.
    """

    key: str
    locator: str
    version: str = ""

    @property
    def assembled(self) -> bool:
        return self.locator.startswith("[assembled]")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A named condition of a theorem. `condition` is the formula that `at` checks, for BY_VALUE alone. Where the paper does not state it,
    `added` is the name of the paper's finding that says why it is needed here."""

    name: str
    statement: str
    checked: Checked
    condition: sympy.logic.boolalg.Boolean | None = None
    added: str = ""

    def __post_init__(self) -> None:
        if (self.condition is None) == (self.checked is Checked.BY_VALUE):
            raise ValueError(f"{self.name}: a condition is given exactly when the hypothesis is checked by value")


@dataclass(frozen=True, slots=True)
class Implicit:
    """A quantity defined by a condition in it and the given ones, sought between the two ends of a bracket.

    For an integer quantity, the least integer in the bracket at which the (monotone) condition holds. For a real one, the root of
    the equation (an Eq); `at` certifies the change of sign and encloses the root. `unique` says why there is no second one;
    `growth` is an asymptotically equivalent expression, for growth_in.
    """

    of: Quantity
    condition: sympy.logic.boolalg.Boolean
    bracket: tuple[sympy.Expr, sympy.Expr]
    unique: str
    growth: sympy.Expr | None = None

    def __post_init__(self) -> None:
        if not self.of.domain.integer and not isinstance(self.condition, sympy.Eq):
            raise ValueError(f"{self.of.name}: a real implicit quantity needs an equation, not {self.condition}")


@dataclass(frozen=True, slots=True)
class Case:
    """An expression, smooth where its condition holds. The first case whose condition holds applies. Where the paper does not have the
    case, `added` is the name of the paper's finding that says why it is needed here."""

    condition: sympy.logic.boolalg.Boolean
    expression: sympy.Expr
    added: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """`of` is at most, at least or equal to the expression of the first case that holds.

    WITH_PROBABILITY holds with probability at least 1 - failure, at once for all values of `uniform_over` (all rounds up to it)
    where one is named. `where` holds the implicit quantities, each defined by the given ones and those before it.
    """

    of: Quantity
    sense: Sense
    cases: tuple[Case, ...]
    given: tuple[Quantity, ...]
    mode: Mode = Mode.ALWAYS
    failure: Quantity | None = None
    uniform_over: Quantity | None = None
    constants: Constants = Constants.EXPLICIT
    where: tuple[Implicit, ...] = ()

    def __post_init__(self) -> None:
        name = f"bound of {self.of.name}"
        if not self.cases:
            raise ValueError(f"{name}: has no case")
        known = list(self.given)
        for implicit in self.where:
            for end in implicit.bracket:
                require_exact(end, known, f"{name}, bracket of {implicit.of.name}")
            if implicit.growth is not None:
                require_exact(implicit.growth, known, f"{name}, growth of {implicit.of.name}")
            known.append(implicit.of)
            require_exact(implicit.condition, known, f"{name}, {implicit.of.name}")
        if len({quantity.name for quantity in known}) < len(known):
            raise ValueError(f"{name}: a quantity is given twice")
        for case in self.cases:
            require_exact(case.condition, known, name)
            require_exact(case.expression, known, name)
        if (self.failure is None) == (self.mode is Mode.WITH_PROBABILITY):
            raise ValueError(f"{name}: `failure` is named exactly when the mode is WITH_PROBABILITY")
        if self.failure is not None and self.failure not in self.given:
            raise ValueError(f"{name}: failure = {self.failure.name} is not among the given quantities")

    def quantities(self) -> tuple[Quantity, ...]:
        """The given quantities and the implicit ones, in the order in which they can be computed."""
        return (*self.given, *(implicit.of for implicit in self.where))


def always(expression: sympy.Expr | int) -> tuple[Case, ...]:
    """The cases of a bound that has only one."""
    return (Case(sympy.true, sympy.sympify(expression)),)


def largest(*entries: sympy.Expr, within: Callable[[sympy.Expr], sympy.Expr] = sympy.sympify) -> tuple[Case, ...]:
    """The cases of the largest of some entries, or of a function of it. Text and LaTeX show them as one `max`."""
    return _extreme(entries, within, sympy.Ge, sympy.Lt)


def smallest(*entries: sympy.Expr, within: Callable[[sympy.Expr], sympy.Expr] = sympy.sympify) -> tuple[Case, ...]:
    """The cases of the smallest of some entries, or of a function of it. Text and LaTeX show them as one `min`."""
    return _extreme(entries, within, sympy.Le, sympy.Gt)


def _extreme(entries: tuple[sympy.Expr, ...], within: Callable[[sympy.Expr], sympy.Expr], kept: Any, beaten: Any) -> tuple[Case, ...]:
    """An entry counts where it is as good as all later ones and better than all before: exactly one does at each point."""
    return tuple(
        Case(
            sympy.And(*(beaten(other, entry) for other in entries[:place]), *(kept(entry, other) for other in entries[place + 1 :])),
            within(entry),
        )
        for place, entry in enumerate(entries)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of a proof: left <= right, >= or =, for all values of the quantities in `draw_order`.

    The domain is the whole domain of the quantities and the `domain` conditions, which the hypotheses imply; a smaller box carries a
    `reason`. `draw_order` is the order in which a search draws values: dependent quantities last. A line that is false in print stands as
    published, and a finding of the theorem names it. A line that the paper does not print is `ours`. `note` says what the two sides are:
    by what they are divided, and which of the paper's terms an auxiliary quantity (`fraction`, `ratio`) stands for.
    """

    id: str
    sense: Sense
    left: sympy.Expr
    right: sympy.Expr
    draw_order: tuple[Quantity, ...]
    domain: tuple[sympy.logic.boolalg.Boolean, ...] = ()
    reason: str = ""
    ours: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        if len({quantity.name for quantity in self.draw_order}) < len(self.draw_order):
            raise ValueError(f"step {self.id}: a quantity is given twice")
        if self.left == self.right:
            raise ValueError(f"step {self.id}: both sides are {self.left}; a line that no mistake could falsify is no step")
        for expression in (self.left, self.right, *self.domain):
            require_exact(expression, self.draw_order, f"step {self.id}")


_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Theorem:
    """A claim: `<module stem>.<name>`. Without a bound it is a definition or a remark, with the reason why it cannot be checked.

    Where the bound is false in print, `bound` is the repaired one and `published` the paper's. `findings` are all observations about the
    statement and the lines of its proof.
    """

    id: str
    statement: str
    source: Source
    hypotheses: tuple[Hypothesis, ...] = ()
    bound: Bound | None = None
    not_checkable: str = ""
    steps: tuple[Step, ...] = ()
    published: Bound | None = None
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"id = {self.id!r}: must be <module>.<name> in lower case")
        if (self.bound is None) != bool(self.not_checkable):
            raise ValueError(f"{self.id}: a reason (not_checkable) is given exactly when there is no bound")
        for hypothesis in self.hypotheses:
            if hypothesis.condition is not None:
                given = self.bound.quantities() if self.bound else ()
                require_exact(hypothesis.condition, given, f"{self.id}, {hypothesis.name}")
        steps = {step.id for step in self.steps}
        for finding in self.findings:
            if finding.step and finding.step not in steps:
                raise ValueError(f"{self.id}: finding {finding.name} names the step {finding.step!r}, which the statement does not have")
        if self.published is not None and not any(item.grade.refutes and item.values for item in self.findings_about()):
            raise ValueError(f"{self.id}: a published form beside the bound needs a finding with values at which it fails")

    def __repr__(self) -> str:
        from banditproof.theory import notebook

        return notebook.theorem_text(self)

    def _repr_html_(self) -> str:
        """The statement with its formulas, for notebooks."""
        from banditproof.theory import notebook

        return notebook.theorem_html(self)

    def stated(self) -> Bound:
        """The bound. Raises ValueError for a definition or a remark."""
        if self.bound is None:
            raise ValueError(f"{self.id}: has no bound")
        return self.bound

    def at(self, **values: Number) -> Value:
        """The bound at these values: a ball of at least 30 digits and the float on its safe side.

        A float means exactly that double; a string ("1/20", "0.05", "1e-5"), an int, a Fraction or a SymPy Rational means the exact
        number. Raises OutsideDomain, HypothesisFails or NoNumber.
        """
        from banditproof.theory import evaluate

        return evaluate.at(self, values)

    def function(self) -> Vectorised:
        """The bound for arrays, by keyword, broadcast together; doubles, for curves.

        NaN wherever `at` would raise for the value (outside the domain, a hypothesis that fails) and wherever doubles cannot represent
        an intermediate result. Raises OutsideDomain for names that are missing or unknown, NoNumber as `at` does.
        """
        from banditproof.theory import vectorise

        return vectorise.function(self)

    def growth_in(self, quantity: Quantity) -> Growth:
        """The rate of the bound in one quantity, the others held: as it grows, or as it falls to 0 if its domain is bounded above.

        Raises ValueError where that is not a power times a power of the logarithm.
        """
        from banditproof.theory import growth

        return growth.growth_in(self, quantity)

    def assumed(self) -> tuple[Hypothesis, ...]:
        """The hypotheses that neither `at` nor an audit can check; each result lists them."""
        return tuple(hypothesis for hypothesis in self.hypotheses if hypothesis.checked is Checked.ASSUMED)

    def as_printed(self) -> Theorem:
        """The claim with the bound that the paper prints, and without findings; itself unless that is another bound."""
        return self if self.published is None else replace(self, bound=self.published, published=None, findings=())

    def findings_about(self, step: str = "") -> tuple[Finding, ...]:
        """The findings about a line of the proof, or about the statement itself, worst first."""
        return tuple(sorted((item for item in self.findings if item.step == step), key=Finding.order))

    def false_steps(self) -> frozenset[str]:
        """Ids of the lines that are false in print; they stand as published and must be refuted."""
        return frozenset(item.step for item in self.findings if item.step and item.grade.refutes)

    def counterexample(self) -> dict[str, str]:
        """Exact values at which the published bound fails. Raises ValueError where nothing says that it does."""
        for item in self.findings_about():
            if self.published is not None and item.grade.refutes and item.values:
                return dict(item.values)
        raise ValueError(f"{self.id}: is not refuted as published")

    def text(self) -> str:
        """The whole statement in plain text."""
        from banditproof.theory import rendering

        return rendering.text(self)

    def latex(self) -> str:
        """The whole statement in LaTeX."""
        from banditproof.theory import rendering

        return rendering.latex(self)

    def describe(self) -> dict[str, Any]:
        """The whole statement as a dictionary that JSON can hold."""
        from banditproof.theory import rendering

        return rendering.describe(self)
