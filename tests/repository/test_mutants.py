"""Mutation testing (`make mutants`): its operators, its draw, its verdicts and its record."""

import inspect
import json
from pathlib import Path

import pytest

import banditproof
from banditproof.algorithms.draws.powers import exponential
from banditproof.algorithms.learners.kernels import weigh
from banditproof.kernels import plain
from tests.support.mutants import golden, page, record
from tests.support.mutants.baseline import Baseline, Measured, _uses
from tests.support.mutants.drawing import drawn, edits
from tests.support.mutants.edits import Kind, Source
from tests.support.mutants.judge import AGREEMENT, BEHAVIOUR, CRASH, GOLDEN, GRAY_BOX, Fate, fate, judged
from tests.support.mutants.reach import Reach
from tests.support.mutants.trees import PARTS, Tree, digest

LINES = {
    "return 3.0 * x": (Kind.CONSTANT, {"6.0 * x", "1.5 * x", "2.4000000000000004 * x"}),
    "return a + math.sqrt(b)": (Kind.TERM, {"a", "math.sqrt(b)", "a + b"}),
    "return a - b": (Kind.SIGN, {"(a + b)"}),
    "return 1 if a < b else 2": (Kind.COMPARISON, {"1 if (a >= b) else 2"}),
    "return x[i]": (Kind.INDEX, {"x[i + 1]", "x[i - 1]"}),
    "return np.minimum(a, b)": (Kind.EXTREME, {"np.maximum(a, b)"}),
    "return math.log(1.0 / delta)": (Kind.LOG, {"math.log(2.0 * (1.0 / delta))", "math.log(0.5 * (1.0 / delta))"}),
    "return laplace(key, randomness.CLIENT, round)": (
        Kind.REUSE,
        {"laplace(key, randomness.CLIENT, 0)", "laplace(key, randomness.REWARDS, round)"},
    ),
    "return np.clip(x, low, high) + noise": (
        Kind.CLIPPING,
        {"x + noise", "np.clip(x, 2.0 * low, 2.0 * high) + noise", "np.clip(x + noise, low, high)"},
    ),
    "return f(a, b, 3)": (Kind.SWAP, {"f(b, a, 3)", "f(a, 3, b)"}),
    "return a if c and d else b": (Kind.BRANCH, {"a", "b", "a if c else b", "a if d else b"}),
}


@pytest.mark.parametrize("line", LINES)
def test_operator_on_one_line(line: str) -> None:
    """Would catch a mistake that is written in the wrong place, or that a kind of mistake is not made. The name é has two bytes."""
    kind, expected = LINES[line]
    source = Source(f'def f(é, x):\n    """Says 3.0 * x."""\n    é = "é"; {line}\n')
    found = {source.applied(edit).splitlines()[2].partition("return ")[2] for edit in edits(source) if edit.kind is kind}
    assert found == expected


def test_checks_and_messages_are_left_alone() -> None:
    """Would catch mutants of the checks of input, of annotations, of shapes and of texts, none of which a theorem speaks about."""
    body = '    if x < 3:\n        raise ValueError(f"{x}: must be >= {3 + 4}")\n    require(x > 1, "x")\n    y: int = np.zeros(2 * 3)\n'
    assert not edits(
        Source(f"FIRST, SECOND = 0, 1\ndef f(x: Literal[3]) -> None:\n{body}    _check(x, 2)\ndef _check(x, y):\n    return x < y\n")
    )


FILES = {
    "algorithms/a.py": "def f(a, b):\n    return 2.0 * a + 3.0 * b - min(a, b)\n",
    "algorithms/b.py": "def g(x):\n    return x[1] + 4.0\n",
}


def test_draw_is_a_function_of_the_seed() -> None:
    """Would catch a draw that depends on the order of files, on the count, or on other files; and a file without its mutants."""
    keys = [mutant.key for mutant in drawn(FILES, 1)]
    assert len(set(keys)) == len(keys) > 20
    assert [mutant.key for mutant in drawn(dict(reversed(FILES.items())), 1, 8)] == keys[:8]
    assert [mutant.key for mutant in drawn(FILES, 2)] != keys
    alone = [mutant.key for mutant in drawn({"algorithms/a.py": FILES["algorithms/a.py"]}, 1)]
    assert alone == [key for key in keys if key.startswith("algorithms/a.py")]
    assert all(sum(key.startswith(file) for key in keys[:10]) == 5 for file in FILES)


def _known(*ids: str, verdict: str = "not refuted", gray_box: bool = False) -> list[Measured]:
    return [Measured(id, verdict, 1.0, {"algorithms/a.py": {2}}, gray_box) for id in ids]


def _said(*verdicts: str) -> list[dict[str, str]]:
    return [{"audit": f"p.t/privacy.{number}", "verdict": verdict} for number, verdict in enumerate(verdicts)]


def test_fate_by_what_the_audits_say() -> None:
    """Would catch an expected refutation that counts as a kill, a crash of the process that counts as none, and the wrong kind."""
    known = _known("p.t/privacy.0", "p.t/privacy.1")
    assert fate(known, _said("not refuted", "inconclusive")).status == "survived"
    assert fate(known, _said("refuted")).kind == BEHAVIOUR
    assert fate(_known("p.t/privacy.0", gray_box=True), _said("refuted")).kind == GRAY_BOX
    assert fate(_known("p.t/agree.0"), [{"audit": "p.t/agree.0", "verdict": "refuted"}]).kind == AGREEMENT
    assert fate(known, _said("error")).kind == CRASH
    assert fate(_known("p.t/privacy.0", verdict="refuted"), _said("refuted")).status == "survived"
    assert fate(_known("p.t/privacy.0", verdict="refuted"), _said("not refuted")).gone == ("p.t/privacy.0",)
    both = fate(known, _said("error", "refuted"))
    assert (both.kind, both.audit, both.failed, both.stillborn) == (BEHAVIOUR, "p.t/privacy.1", 1, False)
    assert fate(known, _said("error", "error")).stillborn and not fate(known, _said("error", "not refuted")).stillborn
    assert fate(known, _said("not refuted", "left out")).left_out == 1


def test_a_kernel_reaches_the_helpers_that_are_compiled_into_it() -> None:
    """Would catch a mistake in a helper of lanes that is held against the audits that run it in plain Python alone."""
    reach = Reach(Path(banditproof.__file__).parent)
    reach.start()
    plain(weigh)  # as whoever takes the kernel does
    lines = reach.stop()["algorithms/draws/powers.py"]
    body, first = inspect.getsourcelines(exponential)
    assert set(range(first + 2, first + len(body))) <= set(lines)


def test_audits_of_a_line_in_their_order() -> None:
    """Would catch formulas before behaviour, the dear before the cheap, and a line that nobody reaches without the file's audits."""
    audits = (
        Measured("p.t/agree.x", "not refuted", 0.1, {"algorithms/a.py": {2}}, False),
        Measured("p.t/regret.y", "not refuted", 9.0, {"algorithms/a.py": {2}}, False),
        Measured("p.t/privacy.z", "not refuted", 3.0, {"algorithms/a.py": {2}}, False),
        Measured("p.t/privacy.other", "not refuted", 1.0, {"algorithms/b.py": {9}}, False),
    )
    first, second = (next(each for each in drawn(FILES, 1) if each.file == file) for file in FILES)
    assert [audit.audit for audit in Baseline(audits).reaching(first)[0]] == ["p.t/privacy.z", "p.t/regret.y", "p.t/agree.x"]
    assert Baseline(audits).reaching(second) == ([audits[3]], False)


def test_audits_of_a_constant() -> None:
    """Would catch a constant whose users are forgotten because the lines that import it run while audits are imported."""
    chosen = next(each for each in drawn({"algorithms/policies/elimination/kernels.py": "EPOCHS = 64\n"}, 1) if each.edit.constant)
    users = _uses(["EPOCHS"])
    assert users
    file, line = users[0]
    audits = (Measured("", "imported", 0.0, {file: {line}}, False), Measured("p.t/privacy.z", "not refuted", 3.0, {file: {line}}, False))
    assert Baseline(audits).reaching(chosen)[0] == [audits[1]]


class ToyTree:
    """A copy of the tree whose one audit refutes a file that has the word `wrong`."""

    def __init__(self, folder: Path) -> None:
        self.tree = Tree(folder)
        self.tree.kernels.mkdir(parents=True)
        (folder / "a.py").write_text("right")
        (folder / "errors.txt").write_text("")

    def planted(self, file: str, text: str, run) -> None:
        self.tree.planted(file, text, run)

    def errors(self) -> str:
        return self.tree.errors()

    def run(self, task: dict, heard) -> int:
        (self.tree.kernels / "of a mutant").mkdir()
        self.limits = task["limits"]
        wrong = "wrong" in (self.tree.folder / "a.py").read_text()
        heard({"audit": task["audits"][0], "verdict": "refuted" if wrong else "not refuted"})
        return 0


def test_mutant_is_planted_and_taken_away(tmp_path: Path) -> None:
    """Would catch a killed mutant that is not known as killed, one that stays in the tree, its compiled code, and formulas without time."""
    toy, known = ToyTree(tmp_path), _known("p.t/privacy.0")
    before = (tmp_path / "a.py").stat().st_mtime_ns
    settings = {"seed": 17, "level": "quick", "limit": 9.0}
    assert judged(toy, "a.py", "wrong", known, **settings).status == "killed"  # type: ignore[arg-type]
    assert judged(toy, "a.py", "also right", known, **settings).status == "survived"  # type: ignore[arg-type]
    judged(toy, "a.py", "right", [*known, *_known("p.t/agree.1")], **settings)  # type: ignore[arg-type]
    assert toy.limits == pytest.approx({"p.t/privacy.0": 7.0, "p.t/agree.1": 9.0}, abs=0.5)  # formulas come last, and have 2 s of the 9
    assert ((tmp_path / "a.py").read_text(), (tmp_path / "a.py").stat().st_mtime_ns) == ("right", before)
    assert not list(toy.tree.kernels.iterdir())


class DyingTree(ToyTree):
    """A copy of the tree whose process dies at the second of three audits."""

    def run(self, task: dict, heard) -> int:
        for id in task["audits"]:
            if id == "p.t/privacy.1":
                return -11
            heard({"audit": id, "verdict": "refuted" if id == "p.t/privacy.2" else "not refuted"})
        return 0


def test_what_comes_after_a_crash_is_heard(tmp_path: Path) -> None:
    """Would catch a process that dies and hides that a later audit refutes the mutant; and a death that is not noticed."""
    toy, known = DyingTree(tmp_path), _known("p.t/privacy.0", "p.t/privacy.1", "p.t/privacy.2")
    settings = {"seed": 17, "level": "quick", "limit": 9.0}
    found = judged(toy, "a.py", "wrong", known, **settings)  # type: ignore[arg-type]
    assert (found.kind, found.audit, found.failed, found.ran, found.stillborn) == (BEHAVIOUR, "p.t/privacy.2", 1, 3, False)
    dead = judged(toy, "a.py", "wrong", known[:2], **settings)  # type: ignore[arg-type]
    assert (dead.kind, dead.audit, dead.verdict) == (CRASH, "p.t/privacy.1", "exit code -11")


def test_finished_mutant_is_not_run_again(tmp_path: Path) -> None:
    """Would catch a record that is lost at a restart, that outlives its sources, or that lets a few audits speak for all."""
    path, (mutant, other) = tmp_path / "mutants.json", drawn(FILES, 1, 2)
    about = {"patterns": ["dwork_2006"], "level": "quick", "seed": 1, "reached": 2, "seconds": 3.0}
    kept = record.Record(path)
    kept.add(mutant, Fate("killed", BEHAVIOUR, "p.t/privacy.0", "refuted", ran=1), str, **about)
    kept.add(other, Fate("survived", ran=2), str, **about)
    again = record.Record.read(path)
    assert again.finished(mutant, str, (), "quick") and not again.finished(mutant, str.upper, (), "quick")
    assert not again.finished(mutant, str, (), "deep")
    assert again.finished(other, str, ("dwork_2006",), "quick") and not again.finished(other, str, (), "quick")
    again.forget({**FILES, mutant.file: ""})
    assert not any(item["file"] == mutant.file for item in again.mutants.values())
    assert [path] == list(tmp_path.iterdir()) and json.loads(path.read_text())["mutants"]


def test_golden_values_are_of_the_paper_and_of_no_code(root: Path) -> None:
    """Would catch a paper whose golden values are never asked, and tests that compare theory with algorithms counted as golden values."""
    stems = {golden.stem_of(str(path.relative_to(root))) for path in (root / "theory" / "papers").rglob("*.py")} - {"__init__"}
    assert {stem for stem in stems if not golden.files(stem)} == set()
    assert "tests/papers/wu_2023/test_theory.py" in golden.files("wu_2023")
    assert not any("banditproof.algorithms" in (root / file).read_text() for stem in stems for file in golden.files(stem))
    assert golden.stem_of("algorithms/papers/a.py") == "" and golden.version("") == ""


def test_golden_values_notice_what_no_audit_does(tmp_path: Path, root: Path) -> None:
    """Would catch tests that import the package from elsewhere than the copy, a mutant that stays there, and a kill that is asked again."""
    tree, file, survived = Tree(tmp_path), "theory/papers/kairouz_2014.py", Fate("survived", ran=2)
    tree.refresh(root)
    right = (tmp_path / file).read_text()
    wrong = right.replace("(_categories - 1)", "(_categories - 2)")
    assert wrong != right
    found = golden.asked_too(tree, file, wrong, survived)
    assert (found.status, found.kind, found.ran) == ("killed", GOLDEN, 2) and found.audit.startswith("tests/papers/kairouz_2014/")
    assert golden.asked_too(tree, file, right + "\n", survived) == survived and (tmp_path / file).read_text() == right
    killed = Fate("killed", BEHAVIOUR, "p.t/privacy.0", "refuted", ran=1)
    assert golden.asked_too(tree, file, wrong, killed) is killed
    assert golden.asked_too(tree, "algorithms/a.py", wrong, survived) is survived


def test_fate_by_golden_values_lives_as_long_as_they_do(tmp_path: Path, monkeypatch) -> None:
    """Would catch a survivor of theory that is not asked again when golden values are added, and a kill by tests that are gone."""
    mutants = drawn({"theory/papers/own_2010.py": FILES["algorithms/a.py"]}, 1, 3)
    about = {"patterns": [], "level": "quick", "seed": 1, "reached": 2, "seconds": 3.0}
    kept = record.Record(tmp_path / "mutants.json")
    monkeypatch.setattr(golden, "version", "tests of {}".format)
    by_test = Fate("killed", GOLDEN, "tests/papers/own_2010/test_theory.py::test_x", "failed")
    fates = (Fate("survived", ran=2), by_test, Fate("killed", BEHAVIOUR, "own_2010.t/privacy.0", "refuted"))
    for mutant, found in zip(mutants, fates, strict=True):
        kept.add(mutant, found, str, **about)
    assert [kept.finished(mutant, str, (), "quick") for mutant in mutants] == [True, True, True]
    monkeypatch.setattr(golden, "version", "other tests of {}".format)
    assert [kept.finished(mutant, str, (), "quick") for mutant in mutants] == [False, False, True]


def test_a_tree_adopts_what_another_has_compiled(tmp_path: Path) -> None:
    """Would catch kernels that every copy compiles for itself, and a lock beside them that is taken for a folder of theirs."""
    first, second = Tree(tmp_path / "first"), Tree(tmp_path / "second")
    for tree in (first, second):
        tree.kernels.mkdir(parents=True)
        (tree.package / "algorithms").mkdir(parents=True)
    compiled = first.kernels / "a_hash" / "anything"
    compiled.mkdir(parents=True)
    (compiled / "kernel.nbi").write_text("compiled")
    (compiled.parent / "kernel-3.lock").touch()
    for _ in range(2):
        second.adopt(first)
    assert (second.kernels / "a_hash" / "anything" / "kernel.nbi").read_text() == "compiled"
    assert len(list((second.kernels / "a_hash").iterdir())) == 1


def test_digest_of_a_paper(tmp_path: Path) -> None:
    """Would catch a kill that outlives a change of the code, and one that another paper's change forgets."""

    def after(path: str) -> tuple[str, str]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
        digest.cache_clear()
        return digest("own_2010", tmp_path), digest("", tmp_path)

    states = [
        after(path)
        for path in (*(f"{part}/a.py" for part in PARTS), "audits/papers/own_2010/cases.py", "audits/papers/other_2011/cases.py")
    ]
    assert len({own for own, _ in states}) == len(states) - 1 and states[-1][0] == states[-2][0]
    assert len({whole for _, whole in states}) == len(states)


def test_page_names_the_audit_and_the_reason(tmp_path: Path) -> None:
    """Would catch a page without the protecting audit, a survivor that is hidden, and an equivalent mutant that counts in the score."""
    killed, survivor = drawn(FILES, 1, 2)
    kept = record.Record(tmp_path / "mutants.json")
    about = {"patterns": [], "level": "quick", "seed": 1, "reached": 2, "seconds": 3.0}
    kept.add(killed, Fate("killed", BEHAVIOUR, "p.t/privacy.0", "refuted", ran=1), str, **about)
    kept.add(survivor, Fate("survived", ran=2), str, **about)
    said = page.text(kept)
    assert "p.t/privacy.0" in said and "Not reviewed." in said and "1 (50 %)" in said
    place = (survivor.file, survivor.text, survivor.mutated)
    item = kept.mutants[survivor.key]
    assert record.status(item, {place: {"verdict": "equivalent", "reason": "Why."}}) == ("equivalent", "Why.")
    reasons = {(killed.file, killed.text, killed.mutated): {"verdict": "equivalent", "reason": "Why."}}
    assert record.status(kept.mutants[killed.key], reasons) == ("killed", "")


def test_reviewed_reasons_are_of_mutants_that_exist(root: Path) -> None:
    """Would catch a reason that stays when its line has changed."""
    for file, text, _ in record.reviewed():
        assert text in [line.strip() for line in (root / file).read_text().splitlines()]
