"""`import banditproof as bp`: what its names are, that each resolves and is explained, and that results show themselves."""

import dataclasses
import enum
import inspect
import json
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import banditproof as bp
from banditproof.audits.reporting import reference
from banditproof.audits.running.audit import Posteriors
from banditproof.audits.running.report import AuditResult, Report, Settings
from banditproof.audits.statistics.evidence import Measurement, Verdict

NAMES = [name for name in bp.__all__ if name != "__version__"]
CALLABLE = [name for name in NAMES if not isinstance(getattr(bp, name), ModuleType)]


def is_enum(name: str) -> bool:
    value = getattr(bp, name)
    return isinstance(value, type) and issubclass(value, enum.Enum)


def parameters(name: str) -> list[str]:
    return list(inspect.signature(getattr(bp, name)).parameters)


def test_the_names_are_few_and_public() -> None:
    """Would catch a front door that grows into a list of everything, and a private name on it."""
    assert 25 <= len(bp.__all__) <= 35
    assert len(set(bp.__all__)) == len(bp.__all__)
    assert not [name for name in NAMES if name.startswith("_")]
    assert len(Path(bp.__file__).read_text().splitlines()) <= 120


def test_tab_completion_and_help_show_the_public_names_alone() -> None:
    """Would catch helpers and imported modules among what a user is offered. In a fresh process, before and after submodules are loaded."""
    code = (
        "import banditproof, json; before = dir(banditproof); import banditproof.simulation, banditproof.theory.language; "
        "print(json.dumps([before, dir(banditproof), banditproof.__all__, banditproof.play.__name__, str(type(banditproof.glossary))]))"
    )
    before, after, public, play, glossary = json.loads(subprocess.check_output([sys.executable, "-c", code], text=True))
    assert before == after and sorted(before) == sorted(public)
    assert (play, glossary) == ("play", "<class 'module'>")
    page = pydoc.plain(pydoc.render_doc(bp))
    for name in CALLABLE:
        assert re.search(rf"\b{name}\b", page), name
    for private in ("_PLACES", "_PLACE_OF", "import_module", "TYPE_CHECKING"):
        assert private not in page


@pytest.mark.parametrize("name", bp.__all__)
def test_every_name_resolves_by_attribute_and_by_import(name: str) -> None:
    """Would catch a module or a class that moved away from its place in the table. Each in a fresh process: no name needs another first."""
    code = f"from banditproof import {name} as one; import banditproof; print(one is banditproof.{name})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "True"


def test_no_name_is_hidden_by_a_module_of_the_package() -> None:
    """Would catch `bp.play` that is a module as soon as somebody imports `banditproof.play`."""
    modules = {path.stem for path in Path(bp.__file__).parent.iterdir()}
    hidden = {name for name in NAMES if name in modules}
    assert hidden == {"glossary"} and isinstance(bp.glossary, ModuleType)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'assert_privat'; nearest: assert_private"):
        _ = bp.assert_privat  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names() -> None:
    """Would catch a name that mypy does not know, or that it finds in another module than Python does."""
    source = Path(bp.__file__).read_text()
    stated = {match[2]: match[1] for match in re.finditer(r"^    from (\S+) import (\w+) as \2$", source, flags=re.MULTILINE)}
    assert stated == bp._PLACE_OF


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_a_docstring(name: str) -> None:
    assert len(inspect.getdoc(getattr(bp, name)) or "") >= 40


@pytest.mark.parametrize("name", [name for name in CALLABLE if not is_enum(name) and parameters(name)])
def test_every_docstring_says_what_the_parameters_are_and_what_is_raised(name: str) -> None:
    """Would catch a parameter that was added without a word on its shape or unit. One whose type has a name here is explained there."""
    value = getattr(bp, name)
    text = inspect.getdoc(value) or ""
    assert "Raises" in text
    borrowed = [
        parameter for other in re.findall(r"`(\w+)`", text) if other in CALLABLE and other != name for parameter in parameters(other)
    ]
    types = [each for each in (getattr(bp, public) for public in CALLABLE) if isinstance(each, type)]
    explained = {part for each in types for part in (each.__name__, f"{each.__module__}.{each.__name__}")}
    for parameter in inspect.signature(value).parameters.values():
        public = inspect.formatannotation(parameter.annotation).strip("'").removesuffix(" | None") in explained
        assert public or parameter.name in borrowed or re.search(rf"\b{parameter.name}\b", text), parameter.name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("play", ("(2,)", "axis T", "reward units", "(C,)")),
        ("play_many", ("axis R", "(R, C)")),
        ("key_of", ("(2,)",)),
        ("audit_privacy", ("(runs,)", "(runs, width)", "nats")),
        ("assert_private", ("(runs,)", "(runs, width)", "nats")),
        ("assert_covers", ("(runs,)",)),
        ("assert_regret_within", ("reward units",)),
        ("claim", ("nats",)),
        ("Laplace", ("(`width`,)", "nats")),
        ("Neighbours", ("`lengths` rows of shape `row`",)),
        ("check_mechanism", ("(runs, width)",)),
        ("check_environment", ("(K, d)", "(K,)")),
    ],
)
def test_shapes_and_units_are_stated(name: str, words: tuple[str, ...]) -> None:
    text = " ".join((inspect.getdoc(getattr(bp, name)) or "").split())
    assert not [word for word in words if word not in text]


def test_the_page_lists_every_name_and_is_up_to_date(root: Path) -> None:
    """Would catch a name that is on no page, and a page that shows an old signature: `make api` writes it again."""
    listed = [name for names in reference.GROUPS.values() for name in names]
    assert sorted(listed) == sorted(bp.__all__)
    page = (root / "docs/reference/api.md").read_text(encoding="utf-8")
    assert not [name for name in bp.__all__ if f"### `{name}`" not in page]
    assert "object at 0x" not in page
    assert page == reference.markdown()


# --- results --------------------------------------------------------------------------------------------------------------------------

HOSTILE = "<b>noise</b> & 'more'"
REFUTED = AuditResult(
    "user:f",
    "",
    HOSTILE,
    Measurement(
        Verdict.REFUTED, "epsilon", claimed=1.0, low=1.5, estimate=1.6, false_alarm=0.05, detectable=1.1, miss_rate=0.1, samples=1000
    ),
    seed=3,
)
REPORT = Report(
    Settings(None, "quick", 1e-5, 17, 1, None, Posteriors.NONE, False), (REFUTED, REFUTED), requested=2, seconds={"user:f": 2.5}
)


def test_results_have_a_repr_of_a_few_lines() -> None:
    """Would catch the default repr of a dataclass, one line of a thousand characters."""
    theorem = bp.theorem("auer_2002.ucb1_regret")
    value = theorem.at(horizon=1000, inverse_gaps="40/3", total_gap="0.4")
    for shown in (REFUTED, REFUTED.measured, REPORT, theorem, value, bp.findings("wu_2023")[0], bp.findings("wu_2023")[0].finding):
        lines = repr(shown).splitlines()
        assert 2 <= len(lines) <= 14 and max(map(len, lines)) <= 240, repr(shown)
    assert repr(REFUTED).startswith("refuted: ") and "1.5" in repr(REFUTED) and "seed 3" in repr(REFUTED)
    assert repr(value).startswith("regret <= 738.54")
    assert "unexpected: user:f (refuted)" in repr(REPORT)


def test_html_is_escaped_and_formulas_are_displays() -> None:
    """Would catch a label that is read as HTML, and a formula that a notebook shows as text or whose < opens a tag."""
    for page in (REFUTED._repr_html_(), REPORT._repr_html_()):
        assert "<b>noise</b>" not in page and "&lt;b&gt;noise" in page
    theorem = bp.theorem("auer_2002.ucb1_regret")
    value = theorem.at(horizon=1000, inverse_gaps="40/3", total_gap="0.4")
    for page in (theorem._repr_html_(), value._repr_html_()):
        (formula,) = re.findall(r"\$\$(.*?)\$\$", page)
        assert r"\log" in formula and "<" not in formula
        assert r"\[" not in page
    formulas = [re.findall(r"\$\$.*?\$\$", item._repr_html_()) for item in bp.findings("wu_2023")]
    assert sum(map(bool, formulas)) > 5


@pytest.mark.parametrize("paper", ["dwork_2006", "wu_2023"])
def test_every_statement_shows_itself(paper: str) -> None:
    """Would catch a statement without letters for its HTML, and tags that do not pair."""
    from banditproof.audits.running.registry import theorems

    for theorem in theorems(paper).values():
        page = theorem._repr_html_()
        assert len(re.findall(r"<[a-z]+[ >]", page)) == page.count("</"), theorem.id
        assert repr(theorem).startswith(f"<Theorem {theorem.id} ")


def test_frames_have_one_row_per_audit() -> None:
    frame = REPORT.to_frame()
    assert list(frame["verdict"]) == ["refuted", "refuted"] and list(frame["seconds"]) == [2.5, 2.5]
    assert np.isnan(frame["exact"]).all()
    (row,) = REFUTED.to_frame().to_dict("records")
    numbers = {field.name for field in dataclasses.fields(Measurement)} & set(row)
    assert {"claimed", "low", "high", "estimate", "detectable", "samples"} <= numbers
    assert (row["low"], row["seed"], row["label"]) == (1.5, 3, HOSTILE)


# --- functions ------------------------------------------------------------------------------------------------------------------------


def test_audit_privacy_measures_and_does_not_raise() -> None:
    """Would catch a refutation that is an exception, a stated guarantee that is asked for again, and other numbers than the assertion's."""
    stated = bp.audit_privacy(bp.Laplace(1.0), samples=20_000, seed=1)
    assert stated.verdict is not Verdict.REFUTED and stated.measured.claimed == 1.0
    refuted = bp.audit_privacy(bp.Laplace(2.0), epsilon=1.0, samples=20_000, seed=1)
    assert refuted.verdict is Verdict.REFUTED and refuted.to_json()["verdict"] == "refuted"
    with pytest.raises(AssertionError) as failure:
        bp.assert_private(bp.Laplace(2.0), epsilon=1.0, samples=20_000, seed=1)
    assert failure.value.result == refuted
    for values, rule in (({"dataset": [0.0]}, "give both neighbours"), ({"neighbours": {"hihg": 1}}, "'hihg' is not one of")):
        with pytest.raises(ValueError, match=rule):
            bp.audit_privacy(lambda data, rng: data[0] + rng.normal(), mu=1.0, **values)
    with pytest.raises(ValueError, match="says nothing about neighbouring datasets"):
        bp.audit_privacy(lambda data, rng: data[0] + rng.normal(), mu=1.0)


def test_verify_reports_what_the_command_prints() -> None:
    report = bp.verify("dwork_2006.laplace_privacy/agree*", jobs=1)
    assert len(report.results) == report.requested == 2 and report.complete and report.exit_code() == 0
    with pytest.raises(LookupError, match=r"no statement, audit or paper has this id; nearest: dwork_2006"):
        bp.verify("dwork_2066")
    with pytest.raises(LookupError, match="matches no statement"):
        bp.verify("nothing*")


@pytest.mark.parametrize(
    ("call", "nearest"),
    [
        (lambda: bp.theorem("auer_2002.ucb1_regrt"), r"nearest: auer_2002\.ucb1_regret"),
        (lambda: bp.findings("wu_2032"), "nearest: wu_2023"),
        (lambda: bp.reproduce("wu_2023.figure3"), r"nearest: wu_2023\.figure"),
    ],
)
def test_an_unknown_id_is_refused_with_the_nearest(call, nearest: str) -> None:
    with pytest.raises(LookupError, match=nearest):
        call()


def test_numbers_that_a_figure_cannot_be_run_with_are_refused() -> None:
    """Would catch checks that the command line has alone."""
    for values, rule in (
        ({"runs": 1}, "runs = 1: must be"),
        ({"horizon": 1}, "horizon = 1: must be >="),
        ({"alpha_1": 0.9}, "alpha-1 = 0.9"),
    ):
        with pytest.raises(ValueError, match=rule):
            bp.reproduce("wu_2023.figure1", **values)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"epsilon": 1.0}, bp.PureDP(1.0, bp.NeighbouringRelation.REPLACE_RECORD)),
        ({"epsilon": 1.0, "delta": 0}, bp.PureDP(1.0, bp.NeighbouringRelation.REPLACE_RECORD)),
        ({"epsilon": 1.0, "delta": 0.1}, bp.ApproximateDP(1.0, 0.1, bp.NeighbouringRelation.REPLACE_RECORD)),
        ({"epsilon": 1.0, "order": 2.0}, bp.RenyiDP(2.0, 1.0, bp.NeighbouringRelation.REPLACE_RECORD)),
        ({"mu": 1.0}, bp.GaussianDP(1.0, bp.NeighbouringRelation.REPLACE_RECORD)),
        ({"rho": 1.0, "view": bp.View.LOCAL}, bp.ZeroConcentratedDP(1.0, bp.NeighbouringRelation.REPLACE_RECORD, bp.View.LOCAL)),
    ],
)
def test_numbers_make_a_claim(values, found) -> None:
    assert bp.claim(**values) == found
    stated = bp.PureDP(3.0, bp.NeighbouringRelation.ANY_PAIR, bp.View.LOCAL)
    assert bp.claim(stated) is stated
    if "view" not in values:
        replaced = bp.claim(stated, **values)
        assert type(replaced) is type(found) and (replaced.relation, replaced.view) == (stated.relation, stated.view)


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({}, r"^epsilon is missing: give epsilon \(and delta, if it is above 0\) or mu; f states no guarantee$"),
        ({"epsilon": 1.0, "mu": 2.0}, r"^epsilon = 1, mu = 2: must be of one privacy definition$"),
        ({"rho": 1.0, "delta": 0.5}, r"^delta = 0\.5: goes with epsilon$"),
        ({"order": 2.0}, r"^order = 2: goes with epsilon$"),
        ({"epsilon": 1.0, "delta": 0.5, "order": 2.0}, "must be of one privacy definition"),
        ({"epsilon": 0.0}, r"^epsilon = 0\.0: must be > 0"),
        ({"epsilon": 1.0, "delta": 1.0}, r"^delta = 1\.0: must be > 0 and < 1"),
    ],
)
def test_numbers_that_make_no_claim_are_refused_in_one_line(values, rule: str) -> None:
    """Would catch a claim of two definitions of which one is dropped without a word."""
    with pytest.raises(ValueError, match=rule):
        bp.claim(**values, name="f")


def test_a_stated_guarantee_holds_for_its_own_relation_and_view() -> None:
    """Would catch a true guarantee that is refuted for a relation for which nobody stated it."""
    stated = bp.PureDP(1.0, bp.NeighbouringRelation.ADD_OR_REMOVE)
    with pytest.raises(ValueError, match=r"^relation = replace_record: f states its guarantee for add_or_remove; give the numbers"):
        bp.claim(stated, relation=bp.NeighbouringRelation.REPLACE_RECORD, name="f")
    assert bp.claim(stated, epsilon=2.0, relation=bp.NeighbouringRelation.REPLACE_RECORD).epsilon == 2.0
    with pytest.raises(ValueError, match=r"^view = local: f releases what the central view sees$"):
        bp.claim(stated, epsilon=2.0, view=bp.View.LOCAL, name="f")


def test_verify_names_its_levels() -> None:
    """Would catch Python's own words about an enumeration."""
    with pytest.raises(ValueError, match=r"^level = 'foo': must be one of quick, standard, deep$"):
        bp.verify("dwork_2006", level="foo")
