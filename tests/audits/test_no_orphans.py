"""No orphans: every silence between theory, algorithms and audits is a failure."""

import inspect
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import banditproof
from banditproof.audits import registry

ROOT = Path(str(banditproof.__file__)).parent


def promising_classes() -> dict[str, tuple[str, ...]]:
    """Every class of the algorithms room that promises something, with its promises."""
    found: dict[str, tuple[str, ...]] = {}
    for name in registry.modules("banditproof.algorithms"):
        for kind in vars(import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and is_dataclass(kind):
                defaults = {field.name: field.default for field in fields(kind)}
                if isinstance(defaults.get("promises"), tuple):
                    found[f"{name}.{kind.__name__}"] = defaults["promises"]
    return found


def test_every_promise_names_a_statement() -> None:
    """Would catch a promise whose theorem was renamed, and an algorithm that stopped promising anything."""
    promises = promising_classes()
    assert {"Laplace", "Gaussian", "RandomisedResponse", "TreeSum", "UCB1", "TreeUCB"} <= {name.rsplit(".", 1)[1] for name in promises}
    unknown = {name: id for name, ids in promises.items() for id in ids if id not in registry.theorems()}
    assert unknown == {}


def test_every_promise_is_audited_on_the_one_who_made_it() -> None:
    """Would catch a mechanism or policy whose promise nothing ever judges: its name must stand in the subject of an audit.

    One whose noise cannot be seeded has no registered audit, since no record of it could be compared; test_privacy_loss.py judges it.
    """
    subjects = " ".join(audit.subject for audit in registry.audits().values())
    silent = [name for name, ids in promising_classes().items() if ids and not re.search(rf"\b{name.rsplit('.', 1)[1]}\b", subjects)]
    by_another_name = {  # classes that an audit names by their constructor, or by what they do
        "banditproof.algorithms.mechanisms.composition.Composition": "times Laplace",
        "banditproof.algorithms.mechanisms.composition.PostProcessed": "rounded to",
    }
    unseeded = {"banditproof.algorithms.mechanisms.discrete_laplace.DiscreteLaplace"}
    assert [name for name in silent if by_another_name.get(name, name) not in subjects and name not in unseeded] == []


def test_every_statement_has_an_audit_or_a_reason() -> None:
    """Would catch a theorem that was written down and never judged."""
    judged = {audit.theorem for audit in registry.audits().values()}
    silent = [id for id, theorem in registry.theorems().items() if id not in judged and not theorem.not_checkable.strip()]
    assert silent == []


def test_every_audited_statement_has_a_control() -> None:
    """Would catch an audit that could not fail: for each statement that is judged, a broken version is judged too, and must be refuted."""
    controlled = {control.audit.theorem for control in registry.controls().values()}
    assert sorted({audit.theorem for audit in registry.audits().values()} - controlled) == []
    assert all(control.audit.expected is registry.Verdict.REFUTED for control in registry.controls().values())
    assert all(control.mistake.strip() for control in registry.controls().values())


@pytest.mark.parametrize("kind", ["audits", "controls"])
def test_audits_speak_of_known_statements_and_have_ids_of_their_own(kind: str) -> None:
    """Would catch an audit of a renamed theorem, and two audits of one id, of which one would never run."""
    package, known = f"banditproof.audits.{'cases' if kind == 'audits' else kind}", registry.theorems()
    found = [value for _, value in registry.walk(package, registry.Audit if kind == "audits" else registry.Control)]
    by_id = registry.audits() if kind == "audits" else registry.controls()
    assert len(found) == len(by_id) >= 10
    for value in found:
        audit = value if isinstance(value, registry.Audit) else value.audit
        assert audit.theorem in known, audit.id


def test_every_module_of_cases_and_controls_holds_something() -> None:
    """Would catch a file that discovery does not see into."""
    for package, kind in (("cases", registry.Audit), ("controls", registry.Control)):
        full = {name.rsplit(".", 1)[0] for name, _ in registry.walk(f"banditproof.audits.{package}", kind)}
        empty = set(registry.modules(f"banditproof.audits.{package}")) - full
        assert empty == set()


def test_every_algorithm_file_promises_or_serves() -> None:
    """Would catch a mechanism or policy without a promise: it names a theorem or is a part that has none (environments, shuffler)."""
    promising = {name.rsplit(".", 1)[0] for name in promising_classes()}
    parts = {
        f"banditproof.algorithms.{name}"
        for name in (
            *("mechanisms.shuffler", "mechanisms.discrete_laplace"),
            *("mechanisms.gram.noise", "mechanisms.gram.loss", "mechanisms.gram.likelihood"),
            *("policies.common", "policies.elimination.kernels", "policies.elimination.probabilities"),
            *("policies.lin_ucb.ellipsoid", "policies.lin_ucb.kernels", "policies.lin_ucb.constants"),
        )
    }
    for folder in ("mechanisms", "policies"):
        for name in registry.modules(f"banditproof.algorithms.{folder}"):
            assert name in promising | parts, name


def test_every_algorithm_is_reached_by_the_conformance_suite() -> None:
    """Would catch a mechanism or policy that the walk of tests/algorithms passes by: each has a conformance test of its own name."""
    suite = [str(Path(__file__).parents[1] / "algorithms" / name) for name in ("test_mechanisms.py", "test_policies.py")]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *suite]
    collected = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]).stdout
    walked = set(re.findall(r"\[(?:[^\]]*-)?(\w+\.\w+)(?:-[^\]]*)?\]", collected))
    kinds = {name for name in promising_classes() if ".mechanisms." in name or ".policies." in name}
    assert len(kinds) >= 8
    assert {".".join(name.split(".")[-2:]) for name in kinds} - walked == set()
