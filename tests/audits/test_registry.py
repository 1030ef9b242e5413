"""What there is to audit is found by walking; the run over it splits one error budget and lets nothing stop it."""

import json
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running import registry
from banditproof.audits.running.registry import Audit, Control, Level, Request, Timed, find, run, run_one, select, walk
from banditproof.audits.statistics.evidence import AuditResult, Verdict

# --- discovery --------------------------------------------------------------------------------------------------------------------------

_IMPORT = "from banditproof.audits.running.registry import Audit"
PLANTED = {
    "__init__.py": "",
    "first.py": f"{_IMPORT}\nONE = Audit('a.b', 'one', None)\n_hidden = [Audit('a.b', 'in a list', None)]\n",
    "second.py": f"{_IMPORT}\nfrom planted.first import ONE\nMORE = (Audit('a.c', 'two', None), ONE)\nNUMBER = 3\n",
    "deeper/__init__.py": "",
    "deeper/third.py": f"{_IMPORT}\nTHREE = tuple(Audit('a.d', str(number), None) for number in range(3))\n",
}


def test_a_walk_finds_each_value_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a folder or a tuple that is passed by, and a value that is found again where it was only imported."""
    for name, text in PLANTED.items():
        (tmp_path / "planted" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "planted" / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [(place, audit.id) for place, audit in walk("planted", Audit)]
    assert found == [
        ("planted.deeper.third.THREE", "a.d:0"),
        ("planted.deeper.third.THREE", "a.d:1"),
        ("planted.deeper.third.THREE", "a.d:2"),
        ("planted.first.ONE", "a.b:one"),
        ("planted.second.MORE", "a.c:two"),
    ]
    assert list(registry.modules("planted")) == ["planted.deeper.third", "planted.first", "planted.second"]


def test_two_of_one_id_are_refused() -> None:
    """Would catch an audit that is lost without a word because another has its id."""
    one, other = Audit("a.b", "c", Stub()), Audit("a.b", "c", Stub(refuted=True))
    assert registry._by_id([("m.X", one), ("m.Y", one)], lambda audit: audit.id) == {"a.b:c": one}
    with pytest.raises(ValueError, match=r"m\.Y: another has the id 'a\.b:c'"):
        registry._by_id([("m.X", one), ("m.Y", other)], lambda audit: audit.id)


def test_ids_find_what_they_name() -> None:
    """Would catch a control that no worker and no replay can find by the id in its record."""
    for id, audit in registry.audits().items():
        assert find(id) is audit and audit.id == id
    for id, control in registry.controls().items():
        assert isinstance(control, Control) and control.id == id
        assert find(id) is control.audit is find(control.audit.id)
    with pytest.raises(KeyError, match=r"audit 'no\.such': there is none of this id"):
        find("no.such")


@pytest.mark.parametrize("id", sorted(registry.audits()))
def test_every_audit_is_selected_by_its_id_its_statement_and_its_paper(id: str) -> None:
    """Would catch an id with brackets, which a shell pattern reads as a set of letters."""
    audit = registry.audits()[id]
    assert select(id) == [audit]
    assert audit in select(audit.theorem) and {other.theorem for other in select(audit.theorem)} == {audit.theorem}
    paper = audit.theorem.split(".")[0]
    assert audit in select(paper) and {other.theorem.split(".")[0] for other in select(paper)} == {paper}


def test_patterns_select() -> None:
    assert select(None) == list(registry.audits().values()) == select("*")
    assert select("dwork_2006.*") == select("dwork_2006")
    assert {audit.theorem for audit in select("*tree_privacy")} == {"chan_2011.tree_privacy", "dwork_2010.tree_privacy"}
    assert all("TreeUCB" in audit.subject for audit in select("*:TreeUCB*")) and len(select("*:TreeUCB*")) >= 3
    assert select("nothing_like_it") == []


# --- the run ----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stub:
    """A method that notes what it was asked."""

    refuted: bool = False
    statistical: bool = True
    raises: BaseException | None = None
    asked: list[Request] = field(default_factory=list, compare=False)
    takes: Any = field(default=None, compare=False)

    def measure(self, request: Request) -> AuditResult:
        self.asked.append(request)
        if self.takes is not None:
            self.takes()
        if self.raises is not None:
            raise self.raises
        verdict = Verdict.REFUTED if self.refuted else Verdict.NOT_REFUTED
        return AuditResult("", "", "", verdict, false_alarm=request.false_alarm, assumed=("its own",))


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Registers audits for one test."""

    def plant(*audits: Audit) -> list[Audit]:
        known = {audit.id: audit for audit in audits}
        monkeypatch.setattr(registry, "find", known.__getitem__)
        return list(audits)

    return plant


@given(false_alarm=st.floats(1e-6, 0.5), statistical=st.lists(st.booleans(), min_size=1, max_size=12))
def test_the_budget_is_split_over_statistical_audits(false_alarm: float, statistical: list[bool]) -> None:
    """Would catch the whole rate for each, or shares for audits that cannot raise a false alarm: the shares of those that can add up to
    no more than the total, whatever is among them (errata and controls count too: they only make the others' shares smaller)."""
    audits = [
        Audit("a.b", str(place), Stub(statistical=kind), Verdict.REFUTED if place % 3 == 0 else None)
        for place, kind in enumerate(statistical)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "find", {audit.id: audit for audit in audits}.__getitem__)
        run(audits, false_alarm=false_alarm, seed=3, level=Level.STANDARD, posterior=True)
    shares = [audit.method.asked[0].false_alarm for audit in audits if audit.method.statistical]  # type: ignore[attr-defined]
    assert math.fsum(shares) <= false_alarm * (1 + 1e-12)
    assert not shares or math.fsum(shares) == pytest.approx(false_alarm)
    for audit in audits:
        (request,) = audit.method.asked  # type: ignore[attr-defined]
        assert (request.seed, request.path, request.level, request.posterior) == (3, (audit.id,), Level.STANDARD, True)


def test_a_crash_is_a_result_and_the_others_go_on(planted: Any) -> None:
    """Would catch a run that ends with the first bug, a crash that passes for inconclusive, and a trace in the record."""
    chosen = planted(
        Audit("a.b", "good", Stub()),
        Audit("a.b", "bad", Stub(raises=ZeroDivisionError("by nothing")), Verdict.REFUTED),
        Audit("a.b", "after", Stub(refuted=True)),
    )
    found = run(chosen, false_alarm=0.05, seed=1)
    assert [timed.result.verdict for timed in found] == [Verdict.NOT_REFUTED, Verdict.ERROR, Verdict.REFUTED]
    crashed = found[1]
    assert crashed.result.message == "ZeroDivisionError: by nothing" and crashed.result.audit == "a.b:bad"
    assert "test_registry.py" in crashed.trace and "ZeroDivisionError" in crashed.trace
    assert "test_registry.py" not in json.dumps(crashed.result.to_json())
    assert not crashed.result.as_expected()
    with pytest.raises(KeyboardInterrupt):
        run(planted(Audit("a.b", "stopped", Stub(raises=KeyboardInterrupt()))), false_alarm=0.05, seed=1)


def test_results_are_completed_and_ordered(planted: Any) -> None:
    """Would catch a record without its subject, seed, versions or assumptions, and a progress count that skips."""
    chosen = planted(*(Audit("dwork_2006.laplace_privacy", str(number), Stub(), None) for number in range(4)))
    told: list[tuple[str, int, int]] = []
    found = run(chosen, false_alarm=0.05, seed=7, progress=lambda timed, done, total: told.append((timed.result.subject, done, total)))
    assert [timed.result.audit for timed in found] == [audit.id for audit in chosen]
    assert told == [(str(number), number + 1, 4) for number in range(4)]
    result = found[0].result
    assert result.seed == 7 and set(result.versions) == {"banditproof", "python", "numpy"}
    assert result.assumed[-1] == "its own" and len(result.assumed) > 1  # with what the theorem assumes


def test_a_budget_drops_whole_cells(planted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a cell that is cut short, and a dropped one that passes for not refuted. The clock is the test's own."""
    clock = [0.0]
    monkeypatch.setattr(registry.time, "monotonic", lambda: clock[0])

    def takes() -> None:
        clock[0] += 1.0

    for budget, whole in ((0.5, 1), (2.5, 3), (100.0, 5), (None, 5)):
        clock[0] = 0.0
        chosen = planted(*(Audit("a.b", str(number), Stub(takes=takes)) for number in range(5)))
        found = [timed.result for timed in run(chosen, false_alarm=0.05, seed=1, budget=budget)]
        assert [result.verdict for result in found] == [Verdict.NOT_REFUTED] * whole + [Verdict.INCONCLUSIVE] * (5 - whole)
        assert all("the time budget ended before" in result.message for result in found[whole:])
        assert all(len(audit.method.asked) == (place < whole) for place, audit in enumerate(chosen))
        assert {result.false_alarm for result in found[:whole]} == {0.01}  # what was dropped is not given to the others


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"false_alarm": 0.0}, "false_alarm = 0.0: must be > 0 and < 1"),
        ({"false_alarm": math.nan}, "false_alarm = nan: must be > 0 and < 1"),
        ({"jobs": 0}, "jobs = 0: must be an integer >= 1"),
        ({"seed": -1}, "seed = -1: must be an integer >= 0"),
    ],
)
def test_bad_numbers_are_refused(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        run([], **{"false_alarm": 0.05, "seed": 1, **given_})
    assert str(caught.value).startswith(message)
    assert run([], false_alarm=0.05, seed=1) == []


def test_levels_multiply_by_ten() -> None:
    assert [level.factor for level in Level] == [1, 10, 100]


SEVERAL = (
    "dwork_2006.laplace_privacy:Laplace(epsilon=1.0, sensitivity=1.0, width=3)",  # matrices and a tree
    "inequalities.post_processing:*",  # outcomes that come often
    "kairouz_2014.randomised_response_privacy:*",  # two named pairs, one of which is chosen
    "*TreeUCB(epsilon=2.0, view=white_box)*",  # kernels, adaptive neighbours
    "balle_wang_2018.gaussian_profile:Gaussian*",
    "chan_2011.laplace_sum:*",
    "dwork_2010.counter_error:*",
    "auer_2002.ucb1_pulls:*",
)


def test_workers_change_nothing() -> None:
    """Byte for byte: would catch numbers that hang on the process, on threads of the linear algebra, or on the order of the audits."""
    chosen = list({audit.id: audit for pattern in SEVERAL for audit in select(pattern)}.values())
    assert len(chosen) >= 14 and len({type(audit.method) for audit in chosen}) >= 4

    def records(audits: list[Audit], jobs: int) -> dict[str, str]:
        found = run(audits, false_alarm=0.05, seed=1, jobs=jobs)
        assert all(timed.result.verdict is not Verdict.ERROR for timed in found), [timed.result.message for timed in found]
        return {timed.result.audit: json.dumps(timed.result.to_json()) for timed in found}

    alone, together, turned = records(chosen, 1), records(chosen, 2), records(chosen[::-1], 1)
    assert list(alone) == list(together) == [audit.id for audit in chosen]
    assert alone == together == turned


def test_an_audit_depends_on_its_own_id_alone() -> None:
    """Would catch random numbers that hang on the other audits of a run: only the share of the error budget does."""
    (audit,) = select("dwork_2006.laplace_privacy:Laplace(epsilon=1.0, sensitivity=1.0, width=1)")
    share = 0.05 / 4
    alone = run_one(audit, Request(share, 1, (audit.id,))).result
    among = run([*select("kairouz_2014.randomised_response_keep:RandomisedResponse*"), audit], false_alarm=2 * share, seed=1)[-1]
    assert isinstance(among, Timed) and among.result.to_json() == alone.to_json()
    assert replace(alone, seed=2).to_json() != run_one(audit, Request(share, 2, (audit.id,))).result.to_json()
