"""No orphans: every silence between theory, algorithms and audits is a failure."""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit, Control, stem_of
from banditproof.audits.statistics.evidence import Verdict

ROOT = Path(__file__).parents[3]
AUDITS, CONTROLS, THEOREMS = registry.every(registry.audits), registry.every(registry.controls), registry.every(registry.theorems)


def promising_classes() -> dict[type[Any], tuple[str, ...]]:
    """Every class of the algorithms that claims a theorem, with the ids."""
    found: dict[type[Any], tuple[str, ...]] = {}
    for name in registry.modules("banditproof.algorithms"):
        for kind in vars(import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and is_dataclass(kind):
                defaults = {field.name: field.default for field in fields(kind)}
                if isinstance(defaults.get("theorems"), tuple):
                    found[kind] = defaults["theorems"]
    return found


PROMISING = promising_classes()


def parts(thing: Any, seen: set[int]) -> Iterator[type[Any]]:
    """The classes of a value and of all that it holds: fields, members, arguments of a partial, what a function closes over."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield type(thing)
    inside: list[Any] = []
    if is_dataclass(thing) and not isinstance(thing, type):
        inside = [getattr(thing, field.name) for field in fields(thing)]
    elif isinstance(thing, (tuple, list)):
        inside = list(thing)
    elif isinstance(thing, dict):
        inside = list(thing.values())
    elif isinstance(thing, partial):
        inside = [thing.func, *thing.args, *thing.keywords.values()]
    elif inspect.isfunction(thing):
        inside = [cell.cell_contents for cell in thing.__closure__ or ()]
    for each in inside:
        yield from parts(each, seen)


def known(ids: tuple[str, ...]) -> list[str]:
    """Promised ids of the papers that are here: an algorithm may outlive its paper."""
    return [id for id in ids if stem_of(id) in registry.papers()]


def test_every_stated_theorem_exists() -> None:
    """Would catch a claimed theorem that was renamed, and an algorithm that stopped claiming any."""
    assert {"Laplace", "Gaussian", "RandomisedResponse", "TreeSum", "UCB1", "TreeUCB"} <= {kind.__name__ for kind in PROMISING}
    unknown = {kind.__name__: id for kind, ids in PROMISING.items() for id in known(ids) if id not in THEOREMS}
    assert unknown == {}
    assert [
        id for ids in PROMISING.values() for id in ids if not re.fullmatch(r"[a-z_]+_\d{4}\.[a-z0-9_]+|inequalities\.[a-z0-9_]+", id)
    ] == []


def test_every_stated_theorem_is_audited_on_the_class_that_states_it() -> None:
    """Would catch a mechanism or policy whose theorem nothing ever judges: an audit's method must hold an instance of it.

    One whose noise cannot be seeded (`seedable` is False) has no registered audit, since no record of it could be compared.
    """
    audited = {kind for audit in AUDITS.values() for kind in parts(audit.method, set())}
    silent = [kind for kind, ids in PROMISING.items() if known(ids) and kind not in audited and vars(kind).get("seedable", True)]
    assert [kind.__name__ for kind in silent] == []


def test_every_statement_has_an_audit_or_a_reason() -> None:
    """Would catch a theorem that was written down and never judged."""
    judged = {audit.theorem for audit in AUDITS.values()}
    assert [id for id, theorem in THEOREMS.items() if id not in judged and not theorem.not_checkable.strip()] == []


def test_every_audited_statement_has_a_control() -> None:
    """Would catch an audit that could not fail: for each statement that is judged, a broken version is judged too, and must be refuted."""
    controlled = {control.audit.theorem for control in CONTROLS.values()}
    assert sorted({audit.theorem for audit in AUDITS.values()} - controlled) == []
    assert all(control.audit.expected is Verdict.REFUTED for control in CONTROLS.values())
    assert all(control.mistake.strip() for control in CONTROLS.values())


def test_audits_and_controls_speak_of_known_statements() -> None:
    """Would catch an audit of a renamed theorem."""
    assert [audit.id for audit in AUDITS.values() if audit.theorem not in THEOREMS] == []
    assert [control.id for control in CONTROLS.values() if control.audit.theorem not in THEOREMS] == []


@pytest.mark.parametrize(("part", "kind"), [("cases", Audit), ("controls", Control)])
def test_every_module_of_cases_and_controls_holds_something_or_serves(part: str, kind: type[Any]) -> None:
    """Would catch a file that discovery does not see into: each holds audits, or what a neighbour in the same paper imports."""
    for stem, paper in registry.papers().items():
        place = f"{paper.audits}.{part}"
        full = {name.rpartition(".")[0] for name, _ in registry.walk(place, kind)}
        module = import_module(place) if any(registry.walk(place, object)) else None
        names = set(registry.modules(place)) if module is not None and getattr(module, "__path__", None) is not None else set()
        assert {name for name in names - full if not imported_within(paper.audits, name)} == set(), stem


def imported_within(package: str, name: str) -> bool:
    """Whether a module of the package imports the named one."""
    return any(name in imports_of(Path(str(import_module(other).__file__))) for other in registry.modules(package) if other != name)


def instrument(name: str) -> bool:
    """Whether a module says that it is for audits."""
    try:
        return "for audits" in " ".join((import_module(name).__doc__ or "").lower().split())
    except ModuleNotFoundError:  # a name in a module
        return False


@cache
def imports_of(path: Path) -> set[str]:
    """What a file imports from, and the names; kept, since each file is asked about for many others."""
    tree, found = ast.parse(path.read_text()), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_every_algorithm_file_states_a_theorem_or_serves_one_that_does() -> None:
    """Would catch a mechanism or policy without a theorem, and a file that nothing uses: each file of mechanisms and policies promises a
    theorem, is imported by another algorithm, is a part of the pipeline that claims nothing (a shuffler), or is an instrument of audits
    that an algorithm's own test holds to its formula (it outlives the paper whose audits use it)."""
    promising = {kind.__module__ for kind in PROMISING}
    tested = {name for path in (ROOT / "tests" / "algorithms").glob("test_*.py") for name in imports_of(path) if instrument(name)}
    for folder in ("mechanisms", "policies"):
        for name in registry.modules(f"banditproof.algorithms.{folder}"):
            own = [kind for kind in vars(import_module(name)).values() if inspect.isclass(kind) and kind.__module__ == name]
            part = any({"kernel", "setup"} <= set(dir(kind)) for kind in own)
            assert name in promising or part or imported_within("banditproof.algorithms", name) or name in tested, name


def test_every_algorithm_is_reached_by_the_conformance_suite() -> None:
    """Would catch a mechanism or policy that the walk of tests/algorithms passes by: each has a conformance test of its own name."""
    suite = [str(ROOT / "tests" / "algorithms" / name) for name in ("test_mechanisms.py", "test_policies.py")]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *suite]
    collected = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    walked = set(re.findall(r"\[(?:[^\]]*-)?(\w+\.\w+)(?:-[^\]]*)?\]", collected))
    kinds = {kind for kind in PROMISING if ".mechanisms." in kind.__module__ or ".policies." in kind.__module__}
    assert len(kinds) >= 8
    assert {f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}" for kind in kinds} - walked == set()
