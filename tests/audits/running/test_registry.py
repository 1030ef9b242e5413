"""What there is to audit is found by walking, paper by paper and lazily; ids are names that find what they name."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running import registry
from banditproof.audits.running.audit import LONGEST, Audit, Control, Recheck, Request, check_id, stem_of, swept
from banditproof.audits.running.registry import every, find, select, stems_for, walk
from banditproof.audits.statistics.evidence import Measurement, Verdict

AUDITS, CONTROLS = every(registry.audits), every(registry.controls)


@dataclass(frozen=True)
class Stub:
    """A method that finds nothing."""

    prefix: ClassVar[str] = "stub"
    statistical: bool = True

    def measure(self, request: Request) -> Measurement:
        return Measurement(Verdict.NOT_REFUTED)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        return before


# --- ids --------------------------------------------------------------------------------------------------------------------------------


def test_every_id_is_a_name() -> None:
    """Would catch an id that no shell takes without quotes, one that is longer than a line, and two that differ by capitals alone."""
    ids = [*AUDITS, *CONTROLS]
    for id in ids:
        check_id(id)
        assert id == id.lower() and len(id) <= LONGEST and not set(id) & set(" '\"*?[]$()")
    assert len({id.lower() for id in ids}) == len(ids) >= 180  # those of the small papers; the large ones hold theirs in tests/papers


@pytest.mark.parametrize(
    "id",
    ["a.b:c", "a.b", "a/b.c", "a.b/c", "A.b/c.d", "a.b/c.D", "a.b/c d.e", "a.b/c.'", "a.b/c.d/e", "a.b/.d", "", "a.b/c." + "d" * 75],
)
def test_what_is_no_id_is_refused(id: str) -> None:
    with pytest.raises(ValueError, match=r"must be <stem>\.<theorem>/<method>\.<name>"):
        check_id(id)


def test_a_slug_begins_with_its_method() -> None:
    """Would catch an audit that is filed under another method's name, and shared runs of another paper."""
    assert Audit("a.b", "stub.c", "", Stub()).id == "a.b/stub.c"
    with pytest.raises(ValueError, match="its slug must begin with its method, 'stub'"):
        Audit("a.b", "privacy.c", "", Stub())
    with pytest.raises(ValueError, match="must be of its own paper, a"):
        Audit("a.b", "stub.c", "", Stub(), runs="other.b/runs.c")
    assert Audit("a.b", "stub.c", "", Stub(), runs="a.b/runs.c").seed_path == ("a.b/runs.c",)


@given(value=st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.fractions(), st.integers(), st.sampled_from(Verdict)))
def test_swept_values_are_names(value: Any) -> None:
    """Would catch a number or fraction whose spelling no id takes ("1e+07", "1/10", "not refuted")."""
    spelled = swept(x=value)
    if value in list(Verdict):
        spelled = spelled.replace(" ", "_")  # a word of two parts is the caller's to write
    check_id(f"a.b/c.{spelled}"[:LONGEST])


def test_swept_examples() -> None:
    assert (
        swept(eps=0.5, w=1, t=50_000_000, delta=1e-5, slack="1/100", means=(0.7, 0.3))
        == "eps0.5_w1_t5e7_delta1e-5_slack1over100_means0.7-0.3"
    )


def test_the_map_of_old_ids_is_one_to_one() -> None:
    """The changelog's map from the ids of before: would catch two old ids with one new one, and what is no id."""
    maps = json.loads((Path(__file__).parents[3] / "docs" / "ids_before_2026-11-22.json").read_text())
    new = [id for each in maps.values() for id in each.values()]
    assert sorted(map(len, maps.values())) == [324, 943] and len(set(new)) == len(new)
    for id in new:
        check_id(id)


# --- discovery --------------------------------------------------------------------------------------------------------------------------

_IMPORT = f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom banditproof.audits.running.audit import Audit, Control\n"
_STUB = """
from dataclasses import dataclass
from typing import ClassVar
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields

@dataclass(frozen=True)
class StubWitness:
    half: float
    kind: ClassVar[str] = "planted half"
    def rows(self):
        return [("half", self.half)]
    def to_json(self):
        return fields_json(self)
    @classmethod
    def from_json(cls, record):
        return from_fields(cls, record)

@dataclass(frozen=True)
class Stub:
    refutes: bool = False
    prefix = "stub"
    statistical = True
    def measure(self, request):
        return Measurement(Verdict.REFUTED if self.refutes else Verdict.NOT_REFUTED, witness=StubWitness(0.5))
    def recheck(self, before, again):
        return Measurement(Verdict.REFUTED if before.witness == StubWitness(0.5) else Verdict.INCONCLUSIVE, samples=7)
"""
PLANTED = {
    "planted/__init__.py": "",
    "planted/stub.py": _STUB,
    "planted/theory.py": "",
    "planted/cases/__init__.py": f"{_IMPORT}from planted.stub import Stub\nZERO = Audit('planted.b', 'stub.zero', '', Stub())\n",
    "planted/cases/first.py": f"{_IMPORT}from planted.stub import Stub\nONE = Audit('planted.b', 'stub.one', 'one', Stub())\n"
    "_hidden = [Audit('planted.b', 'stub.list', 'in a list', Stub())]\n",
    "planted/cases/second.py": f"{_IMPORT}from planted.stub import Stub\nfrom planted.cases.first import ONE\n"
    "MORE = (Audit('planted.c', 'stub.two', 'two', Stub()), ONE)\nNUMBER = 3\n",
    "planted/cases/deeper/__init__.py": "",
    "planted/cases/deeper/third.py": f"{_IMPORT}from planted.stub import Stub\n"
    "THREE = tuple(Audit('planted.d', f'stub.{number}', '', Stub()) for number in range(3))\n",
    "planted/controls.py": f"{_IMPORT}from banditproof.audits.statistics.evidence import Verdict\nfrom planted.stub import Stub\n"
    "C = Control('a mistake', Audit('planted.b', 'stub.control.c', '', Stub(True), Verdict.REFUTED))\n",
    "planted-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: planted\nVersion: 0.1\n",
    "planted-0.1.dist-info/entry_points.txt": "[banditproof.papers]\nPlanted = planted\n",
}


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A folder with an installed package of somebody else's, which registers a paper by its entry point."""
    for name, text in PLANTED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def python(code: str, *path: Path) -> str:
    """What a fresh process prints that runs `code`."""
    setup = f"import sys; sys.path[:0] = {[str(each) for each in path]!r}\n"
    done = subprocess.run([sys.executable, "-c", setup + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_walk_finds_each_value_once(planted: Path) -> None:
    """Would catch a folder or a tuple that is passed by, and a value that is found again where it was only imported."""
    code = """
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit
print([(place, audit.id) for place, audit in registry.walk("planted.cases", Audit)])
print(list(registry.modules("planted.cases")), list(registry.walk("planted.nothing_here", Audit)))
"""
    found, names = python(code, planted).splitlines()
    assert found == str(
        [
            ("planted.cases.deeper.third.THREE", "planted.d/stub.0"),
            ("planted.cases.deeper.third.THREE", "planted.d/stub.1"),
            ("planted.cases.deeper.third.THREE", "planted.d/stub.2"),
            ("planted.cases.first.ONE", "planted.b/stub.one"),
            ("planted.cases.second.MORE", "planted.c/stub.two"),
            ("planted.cases.ZERO", "planted.b/stub.zero"),
        ]
    )
    assert names == "['planted.cases.deeper.third', 'planted.cases.first', 'planted.cases.second'] []"


def test_a_paper_of_somebody_else_joins_by_its_entry_point(planted: Path) -> None:
    """Would catch package names as literals: an installed package's audits and controls are selected, found by id and run like ours, on
    workers too, and its stem is the distribution's name in lower case."""
    code = """
from banditproof.audits.running import registry
from banditproof.audits.running.run import run
print("planted" in registry.papers(), len(registry.select("planted")), registry.find("planted.b/stub.control.c").expected.value)
if __name__ == "__main__":
    print([timed.result.measured.verdict.value for timed in run(registry.select("planted.b*"), seed=1)])
"""
    assert python(code, planted).split("\n")[:2] == ["True 6 refuted", "['not refuted', 'not refuted']"]
    command = [sys.executable, "-m", "banditproof", "verify", "planted", "--jobs", "2", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=with_path(planted))
    assert done.returncode == 0, done.stderr
    slugs = [f"planted.d/stub.{number}" for number in range(3)] + ["planted.b/stub.one", "planted.c/stub.two", "planted.b/stub.zero"]
    assert json_ids(done.stdout) == slugs  # in the order of their modules


def with_path(folder: Path) -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def json_ids(record: str) -> list[str]:
    return [result["audit"] for result in json.loads(record)["results"]]


def test_an_audit_in_another_papers_folder_is_refused(planted: Path) -> None:
    """Would catch an audit that `verify <its paper>` does not find, because discovery by stem looks elsewhere."""
    (planted / "planted/cases/first.py").write_text(
        PLANTED["planted/cases/first.py"].replace("'planted.b', 'stub.one'", "'dwork_2006.b', 'stub.one'")
    )
    code = """
from banditproof.audits.running import registry
try:
    registry.audits("planted")
except registry.PaperUnusable as error:
    print(error)
"""
    message = "planted.cases.first.ONE: its id 'dwork_2006.b/stub.one' must begin with 'planted', the paper whose folder it is in\n"
    assert python(code, planted) == f"paper 'planted' (planted): ValueError: {message}"


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`banditproof ...` in a process of its own, with the folder among those of installed packages."""
    whole = [sys.executable, "-m", "banditproof", *arguments]
    return subprocess.run(whole, capture_output=True, text=True, check=False, env=with_path(folder), cwd=folder)


def test_somebody_elses_witness_is_read_by_their_own_class(planted: Path) -> None:
    """Would catch a replay that hands a method the bare values of its witness, since its kind is not one of ours."""
    assert command(planted, "verify", "planted.b/stub.one", "--json", "result.json").returncode == 0
    replayed = command(planted, "replay", "result.json", "--audit", "planted.b/stub.one", "--json", "-")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["verdict"] == "refuted" and json.loads(replayed.stdout)["samples"] == 7


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "planted/cases/first.py",
            "import no_such_dependency",
            "paper 'planted' (planted): ModuleNotFoundError: No module named 'no_",
        ),
        (
            "planted/__init__.py",
            "import no_such_dependency",
            "paper 'planted' (planted): ModuleNotFoundError: No module named 'no_",
        ),
        ("planted/cases/second.py", "1 / 0", "paper 'planted' (planted): ZeroDivisionError: division by zero"),
        (
            "planted-0.1.dist-info/entry_points.txt",
            "[banditproof.papers]\ndwork_2006 = planted",
            "entry point 'dwork_2006' of banditproof.papers (planted): another paper has this stem",
        ),
    ],
)
def test_a_package_that_fails_is_named_in_one_line(planted: Path, name: str, text: str, message: str) -> None:
    """Would catch somebody else's missing dependency that passes for "there is no such paper", and a trace for a clash of names."""
    (planted / name).write_text(text)
    ended = command(planted, "verify", "planted")
    assert ended.returncode == 3 and ended.stderr.startswith(f"Error: {message}") and len(ended.stderr.splitlines()) == 1, ended.stderr


def test_a_paper_imports_no_other() -> None:
    """Would catch a `verify dwork_2006` that pays for every paper."""
    code = """
import sys
from banditproof.audits.running import registry
found = registry.select("dwork_2006"), registry.theorems("dwork_2006"), registry.controls("dwork_2006")
papers = {name.split(".")[3] for name in sys.modules if name.startswith(("banditproof.audits.papers.", "banditproof.theory.papers."))}
print(len(found[0]) > 0, sorted(papers))
"""
    assert python(code) == "True ['dwork_2006']\n"


def test_two_of_one_id_are_refused() -> None:
    """Would catch an audit that is lost without a word because another has its id, or has it except for capitals."""
    one, other = Audit("a.b", "stub.c", "", Stub()), Audit("a.b", "stub.c", "other", Stub())
    assert registry._by_id([("m.X", one), ("m.Y", one)], lambda audit: audit.id) == {"a.b/stub.c": one}
    with pytest.raises(ValueError, match=r"m\.Y: another has the id 'a\.b/stub\.c'"):
        registry._by_id([("m.X", one), ("m.Y", other)], lambda audit: audit.id)
    with pytest.raises(ValueError, match=r"m\.Y: another has the id 'A'"):
        registry._by_id([("m.X", "a"), ("m.Y", "A")], str)


def test_ids_find_what_they_name() -> None:
    """Would catch a control that no worker and no replay can find by the id in its record."""
    for id, audit in AUDITS.items():
        assert find(id) is audit and audit.id == id
    for id, control in CONTROLS.items():
        assert isinstance(control, Control) and control.id == id == control.audit.id
        assert find(id) is control.audit
    for unknown in ("no.such/stub.x", "dwork_2006.laplace_privacy/privacy.nothing", "nonsense"):
        with pytest.raises(KeyError, match=rf"audit '{unknown}': there is none of this id"):
            find(unknown)
    with pytest.raises(KeyError, match=r"statement 'dwork_2006\.nothing': there is none of this id"):
        registry.theorem("dwork_2006.nothing")


# --- selection --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stem", registry.papers())
def test_every_audit_is_selected_by_its_id_its_statement_and_its_paper(stem: str) -> None:
    audits = registry.audits(stem)
    for id, audit in audits.items():
        assert select(id) == [audit]
    for statement in {audit.theorem for audit in audits.values()}:
        selected = select(statement)
        assert all(audit in selected for audit in audits.values() if audit.theorem == statement)
        assert {audit.theorem for audit in selected} == {statement}
    assert select(stem) == list(audits.values())


def test_patterns_select() -> None:
    assert select(None) == list(AUDITS.values()) == select("*")
    assert select("dwork_2006.*") == select("dwork_2006")
    assert {audit.theorem for audit in select("*tree_privacy")} == {"chan_2011.tree_privacy", "dwork_2010.tree_privacy"}
    assert {stem_of(audit.id) for audit in select("dwork_20*")} == {"dwork_2006", "dwork_2010"}
    assert len(select("*/regret.*")) >= 3 and all("/regret." in audit.id for audit in select("*/regret.*"))
    assert select("nothing_like_it") == []


@given(pattern=st.sampled_from([*AUDITS, *CONTROLS]).flatmap(lambda id: st.integers(0, len(id)).map(lambda cut: f"{id[:cut]}*")))
def test_no_paper_is_left_out_that_a_pattern_speaks_of(pattern: str) -> None:
    """Would catch a pattern that narrows the import so far that matching audits are never met."""
    import fnmatch

    wanted = {stem_of(id) for id in AUDITS if fnmatch.fnmatchcase(id, pattern)}
    assert wanted <= set(stems_for(pattern))


def test_walk_of_a_module(planted: Path) -> None:
    """A small paper is one file."""
    code = """
from banditproof.audits.running.audit import Control
from banditproof.audits.running.registry import walk
print([place for place, _ in walk("planted.controls", Control)])
"""
    assert python(code, planted) == "['planted.controls.C']\n"
    assert list(walk("banditproof.no_such_module", Audit)) == [] == list(walk("no_such_package.at_all", Audit))
