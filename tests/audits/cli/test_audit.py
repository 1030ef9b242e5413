"""`banditproof audit` and `replay`: the verdicts, the record, and what a reader sees."""

import ast
import json
import re
import shlex
import shutil
import textwrap
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import scipy.special
import scipy.stats

from banditproof.audits.cli.snippets import pytest_snippet
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.reporting.table import posteriors
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Request
from banditproof.audits.running.report import AuditResult
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.subjects import NO_SEED

from .conftest import SCHEMA, SUBJECTS, Run, subject

PAIR = ("--dataset", "[0]", "--neighbour", "[1]")


def audit(run: Run, name: str, *more: str, epsilon: str = "1", pair: tuple[str, ...] = PAIR):
    return run("audit", "privacy", subject(name), "--epsilon", epsilon, *pair, *more)


@pytest.mark.parametrize(
    ("good", "broken"), [("plain", "half_noise"), ("vectorised", "vectorised_half_noise"), ("release", "broken_release")]
)
def test_each_kind_of_object_is_judged(run: Run, good: str, broken: str) -> None:
    """Would catch a kind whose outputs reach the test in another order, or twice: the right one must pass at its true level, half the
    noise must be refuted with a bound near the true 2."""
    kept, refuted = (audit(run, name, "--samples", "40000", "--json") for name in (good, broken))
    assert (kept.code, kept.json()["verdict"]) == (0, "not refuted")
    assert (refuted.code, refuted.json()["verdict"]) == (1, "refuted")
    assert kept.json()["low"] <= 1.0
    assert kept.json()["detectable"] < 1.25
    assert 1.8 < refuted.json()["low"] <= 2.0 + 0.05


def test_the_record_has_what_a_script_needs_at_its_top(run: Run) -> None:
    record = audit(run, "plain", "--samples", "20000", "--json").json()
    jsonschema.validate(record, SCHEMA)
    assert record["claimed"] == 1.0
    assert record["samples"] == 20_000
    assert record["low"] <= record["high"]
    assert record["witness"]["dataset"] == [0]
    assert record["witness"]["neighbour"] == [1]
    assert record["witness"]["claim"]["relation"] == "replace_record"
    assert record["detail"]["seedable"] is True
    assert AuditResult.from_json(record).to_json() == record


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_draws(run: Run) -> None:
    first, again, other = (audit(run, "plain", "--samples", "4000", "--seed", seed, "--json").out for seed in ("5", "5", "6"))
    assert first == again
    assert json.loads(first)["witness"]["right"] != json.loads(other)["witness"]["right"]


def test_a_claim_may_be_approximate_or_gaussian(run: Run) -> None:
    approximate = audit(run, "half_noise", "--delta", "0.01", "--samples", "40000", "--json").json()
    assert approximate["witness"]["claim"]["kind"] == "ApproximateDP"
    assert approximate["verdict"] == "refuted"
    gaussian = run("audit", "privacy", subject("half_noise"), "--mu", "0.5", *PAIR, "--samples", "40000", "--json").json()
    assert (gaussian["quantity"], gaussian["verdict"]) == ("mu", "refuted")


def test_an_object_may_state_its_own_claim(run: Run) -> None:
    record = run("audit", "privacy", subject("Promising"), "--samples", "20000", "--json").json()
    assert record["claimed"] == 1.0
    assert record["witness"]["claim"]["relation"] == "replace_record"


def test_neighbours_are_searched_where_the_domain_says(run: Run) -> None:
    """Would catch a search that ignores --neighbours: the loss there is at most 0.5, and 1 where the attribute says."""
    declared = run("audit", "privacy", subject("with_domain"), "--epsilon", "0.7", "--samples", "40000", "--json").json()
    assert declared["verdict"] == "refuted"
    assert np.abs(np.sum(declared["witness"]["dataset"]) - np.sum(declared["witness"]["neighbour"])) > 0.9
    domain = '{"low": 0, "high": 0.5, "lengths": [1, 2]}'
    given = run(
        "audit", "privacy", subject("with_domain"), "--epsilon", "0.7", "--neighbours", domain, "--samples", "40000", "--json"
    ).json()
    assert given["verdict"] == "not refuted"
    assert max(map(max, (given["witness"]["dataset"], given["witness"]["neighbour"]))) <= 0.5
    assert any("the domain that was searched" in note for note in given["assumed"])


def test_data_may_be_one_number(run: Run) -> None:
    pair = ("--dataset", "0", "--neighbour", "1")
    record = audit(run, "coin", "--samples", "20000", "--json", pair=pair).json()
    assert record["witness"]["claim"]["relation"] == "any_pair"
    assert record["verdict"] == "not refuted"
    assert audit(run, "coin", "--samples", "40000", epsilon="0.8", pair=pair).code == 1


def test_standard_output_is_only_json_though_the_users_code_prints(run: Run) -> None:
    ended = audit(run, "chatty", "--samples", "400", "--json", "-")
    jsonschema.validate(ended.json(), SCHEMA)
    assert "a user's code prints" in ended.err


def test_noise_that_cannot_be_seeded_is_marked(run: Run) -> None:
    record = audit(run, "unseeded", "--samples", "2000", "--json").json()
    assert record["detail"]["seedable"] is False
    assert NO_SEED in record["assumed"]
    assert NO_SEED.split(":")[0] in " ".join(audit(run, "unseeded", "--samples", "2000").out.split())


def test_too_few_draws_are_inconclusive_and_say_how_many_would_do(run: Run) -> None:
    ended = audit(run, "plain", "--samples", "300")
    assert ended.code == 0
    assert "? inconclusive" in ended.out
    assert "outputs in all would do" in " ".join(ended.out.split())
    assert audit(run, "plain", "--samples", "300", "--strict").code == 4


def test_a_reader_sees_verdict_numbers_witness_and_what_was_assumed(run: Run) -> None:
    """Would catch a refutation without its witness, and "not refuted" without what would have been seen, or read as a proof."""
    refuted = audit(run, "half_noise", "--samples", "20000").out
    for word in (
        "✗ refuted",
        "claimed",
        "measured",
        "posterior",
        "dataset",
        "neighbour",
        "rule",
        "counted",
        "assumed",
        "banditproof replay result.json",
    ):
        assert word in refuted
    kept = audit(run, "plain", "--samples", "20000").out
    for word in ("○ not refuted", "detects", "missed with probability 0.1", "Not refuted is not proved"):
        assert word in kept
    assert "verified" not in refuted + kept
    assert all(line == line.rstrip() for line in (refuted + kept).splitlines())


def pasted(told: str) -> str:
    """The test that a refutation offers, as the user pastes it."""
    return textwrap.dedent(told.split("A regression test that fails until this is fixed:\n\n")[1])


@pytest.mark.parametrize(
    ("name", "mended", "more"),
    [
        ("half_noise", "plain", PAIR),
        ("vectorised_half_noise", "vectorised", ("--neighbours", '{"low": 0, "high": 1, "lengths": [1, 2]}')),
        ("broken_release", "release", ()),
    ],
)
def test_the_test_that_is_offered_fails_and_passes_once_the_mechanism_is_mended(run: Run, name: str, mended: str, more) -> None:
    """Would catch a snippet that does not run, or that fails for another reason than the mechanism."""
    ended = run("audit", "privacy", subject(name), "--epsilon", "1", *more, "--samples", "40000")
    for source, fails in ((pasted(ended.out), True), (pasted(ended.out).replace(f":{name}", f":{mended}"), False)):
        spaces: dict = {}
        exec(compile(source, "pasted", "exec"), spaces)
        test = next(value for word, value in spaces.items() if word.startswith("test_"))
        if fails:
            with pytest.raises(AssertionError, match="refuted"):
                test()
        else:
            test()


def test_the_test_that_is_offered_fails_where_the_refutation_is_a_narrow_one(run: Run) -> None:
    """Would catch a test on other draws than those of the refutation, which passes half of the time where the p-value is just below the
    significance level; and, for noise that cannot be repeated, one with no more draws than that."""
    low = audit(run, "half_noise", "--samples", "20000", "--json").json()["low"]
    narrow = ("half_noise", "--samples", "20000", "--json", "narrow.json")
    ended = audit(run, *narrow, epsilon=repr(low * (1 - 1e-9)))
    assert ended.code == 1
    record = json.loads(Path("narrow.json").read_text())
    assert record["false_alarm"] == 0.001 and 0.0009 < record["detail"]["p_value"] <= 0.001
    assert "by accident with probability at most 0.001" in " ".join(ended.out.split())
    spaces: dict = {}
    exec(compile(pasted(ended.out), "pasted", "exec"), spaces)
    with pytest.raises(AssertionError, match="refuted"):
        spaces["test_half_noise_is_private"]()
    record["detail"]["seedable"] = False
    (samples,) = re.findall(r"samples=(\d+)", pytest_snippet(AuditResult.from_json(record)))
    assert int(samples) > 40_000


def test_a_refutation_under_one_relation_names_the_command_for_the_other(run: Run) -> None:
    """Would catch a command that is refused, or that tests one half of the step alone: the worse half has a loss of 2."""
    told = audit(run, "half_noise", "--samples", "20000", epsilon="1.5", pair=("--dataset", "[0, 0]", "--neighbour", "[1, 0]")).out
    (command,) = re.findall(r"To test that claim:\n  banditproof (.*)\n", told)
    assert "these draws do not contradict the claim under add_or_remove" in " ".join(told.split())
    again = run(*shlex.split(command), "--json")
    assert again.json()["witness"]["claim"]["relation"] == "add_or_remove"
    assert again.json()["witness"]["neighbour"] == [0]


def test_the_test_that_is_offered_imports_a_module_by_name(run: Run, tmp_path) -> None:
    (tmp_path / "users_noise.py").write_text("def half(data, rng):\n    return data[0] + rng.laplace(scale=0.5)\n")
    told = run("audit", "privacy", "users_noise:half", "--epsilon", "1", *PAIR, "--samples", "20000").out
    assert "from users_noise import half\n" in pasted(told)
    ast.parse(pasted(told))


def test_replay_confirms_a_users_refuted_mechanism_and_not_a_correct_one(run: Run, tmp_path) -> None:
    """Would catch a replay on the draws that it already knows: the counts must differ."""
    before = audit(run, "half_noise", "--samples", "20000", "--json", "r.json")
    assert before.code == 1
    ended = run("replay", "r.json", "--json")
    assert ended.code == 0
    again, first = ended.json(), json.loads((tmp_path / "r.json").read_text())
    jsonschema.validate(again, SCHEMA)
    assert again["verdict"] == "refuted"
    assert again["seed"] == first["seed"] + 1
    assert again["witness"]["event"] == first["witness"]["event"]
    assert again["witness"]["right"] != first["witness"]["right"]
    audit(run, "plain", "--samples", "20000", "--json", "kept.json")
    kept = run("replay", "kept.json")
    assert kept.code == 1
    assert "not confirmed" in kept.out


def test_replay_tells_a_mechanism_that_was_mended_since(run: Run, tmp_path) -> None:
    """Would catch a replay that does not call the mechanism at all."""
    text = "def f(data, rng):\n    return data[0] + rng.laplace(scale={scale})\n"
    (tmp_path / "mended.py").write_text(text.format(scale=0.5))
    arguments = ("audit", "privacy", "mended.py:f", "--epsilon", "1", *PAIR, "--samples", "20000", "--json", "r.json")
    assert run(*arguments).code == 1
    assert run("replay", "r.json").code == 0
    (tmp_path / "mended.py").write_text(text.format(scale=1.0))
    assert run("replay", "r.json", "--run").code == 1


def test_replay_takes_seed_and_samples(run: Run) -> None:
    audit(run, "half_noise", "--samples", "20000", "--json", "r.json")
    record = run("replay", "r.json", "--seed", "99", "--samples", "5000", "--json").json()
    assert (record["seed"], record["samples"], record["witness"]["trials"]) == (99, 5000, 5000)


def test_replay_reports_user_code_that_raises(run: Run, tmp_path) -> None:
    audit(run, "half_noise", "--samples", "2000", "--json", "r.json")
    record = json.loads((tmp_path / "r.json").read_text())
    record["witness"]["subject"] = subject("raises")
    (tmp_path / "r.json").write_text(json.dumps(record))
    ended = run("replay", "r.json", "--run")
    assert (ended.code, ended.err) == (
        3,
        f"Error: {subject('raises')} raised RuntimeError: privacy budget exhausted in call 1, on [0]; no outputs were kept\n",
    )


def test_replay_confirms_a_refuted_control(run: Run, tmp_path) -> None:
    """A registered audit is found by its id: the file holds no code."""
    control = next(
        control
        for name, control in sorted(registry.every(registry.controls).items())
        if "laplace" in name.lower() or "noise" in name.lower()
    )
    timed = run_one(control.audit, Request(false_alarm=0.001, seed=3, path=("test",)))
    assert timed.result.measured.verdict is Verdict.REFUTED, timed.trace or timed.result.measured.message
    (tmp_path / "control.json").write_text(json.dumps(timed.result.to_json()))
    ended = run("replay", "control.json")
    assert ended.code == 0, ended.err
    assert "confirmed" in ended.out


def test_replay_of_a_record_that_nobody_registered_is_refused(run: Run, tmp_path) -> None:
    audit(run, "half_noise", "--samples", "2000", "--json", "r.json")
    record = json.loads((tmp_path / "r.json").read_text())
    del record["witness"]["subject"]
    (tmp_path / "r.json").write_text(json.dumps(record))
    ended = run("replay", "r.json")
    assert ended.code == 2
    assert "there is none of this id" in ended.err


def test_stored_outputs_are_judged_and_their_replay_says_that_it_is_no_fresh_evidence(run: Run, tmp_path, rng) -> None:
    np.save(tmp_path / "a.npy", rng.laplace(scale=0.5, size=20_000))
    np.save(tmp_path / "b.npy", 1.0 + rng.laplace(scale=0.5, size=(20_000, 1)))
    ended = run("audit", "samples", "a.npy", "b.npy", "--epsilon", "1", "--json", "r.json")
    assert ended.code == 1
    record = json.loads((tmp_path / "r.json").read_text())
    jsonschema.validate(record, SCHEMA)
    assert any("stored outputs are i.i.d. draws" in note for note in record["assumed"])
    again = run("replay", "r.json")
    assert again.code == 0
    assert "this is no fresh evidence" in " ".join(again.out.split())
    assert run("replay", "r.json", "--seed", "3").code == 2
    np.save("b.npy", np.load("a.npy"))
    changed = run("replay", "r.json")
    assert (changed.code, changed.out) == (2, "")
    assert "a.npy and b.npy: are no longer those that the record was made from" in " ".join(changed.err.split())


def test_named_columns_of_stored_outputs_are_compared_by_name(run: Run, tmp_path, rng) -> None:
    """Would catch a true claim that is refuted since the neighbour's columns come in another order, and other names that are accepted."""
    for name, columns in (("a", "x,y"), ("b", "y,x"), ("c", "x,z")):
        values = np.column_stack([rng.normal(size=4_000) + (40.0 if column == "y" else 0.0) for column in columns.split(",")])
        np.savetxt(tmp_path / f"{name}.csv", values, delimiter=",", header=columns, comments="")
    kept = run("audit", "samples", "a.csv", "b.csv", "--epsilon", "0.5", "--json", "r.json")
    assert kept.code == 0 and "the same stored outputs counted again" in " ".join(run("replay", "r.json").out.split())
    refused = run("audit", "samples", "a.csv", "c.csv", "--epsilon", "0.5")
    assert refused.code == 2 and refused.err.count("\n") == 1
    assert "files 'a.csv' and 'c.csv': columns x, y and columns x, z: must have the same names" in refused.err


def test_a_plan_is_more_modest_for_rarer_events(run: Run) -> None:
    record = run("audit", "plan", "--epsilon", "1", "--samples", "200000", "--json").json()
    jsonschema.validate(record, SCHEMA)
    rows = record["rows"]
    assert [row["detectable"] for row in rows] == sorted(row["detectable"] for row in rows)
    needed = run("audit", "plan", "--epsilon", "1", "--violation", "1.2", "--json").json()["rows"]
    assert [row["samples"] for row in needed] == sorted(row["samples"] for row in needed)
    assert "of outputs" in run("audit", "plan", "--mu", "1", "--violation", "1.2").out


def test_a_plan_is_kept_by_the_audit(run: Run) -> None:
    """Would catch a plan for another test than the one that is run: the audit's own figure lies between the plan's for a rarer and a more
    frequent event."""
    record = audit(run, "plain", "--samples", "20000", "--json").json()
    rows = run("audit", "plan", "--epsilon", "1", "--samples", "20000", "--json").json()["rows"]
    fraction = record["detail"]["guessed_fraction"]
    better = min((row for row in rows if row["mass"] >= fraction), key=lambda row: row["mass"])
    worse = max((row for row in rows if row["mass"] < fraction), key=lambda row: row["mass"])
    assert better["detectable"] <= record["detectable"] <= worse["detectable"]


def test_the_folder_of_a_file_changes_no_draw(run: Run, tmp_path) -> None:
    """Would catch draws keyed by the path as typed: a verdict that another clone of the repository does not repeat."""
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(SUBJECTS, tmp_path / "elsewhere" / Path(SUBJECTS).name)
    names = (subject("with_domain"), f"elsewhere/{Path(SUBJECTS).name}:with_domain")
    here, there = (run("audit", "privacy", name, "--epsilon", "0.7", "--samples", "4000", "--json").json() for name in names)
    assert here["witness"].pop("subject") != there["witness"].pop("subject")
    assert here["witness"] == there["witness"]
    assert here["low"] == there["low"]


def test_the_posterior_stands_beside_the_exact_bound(run: Run) -> None:
    """Would catch a posterior of something else than this event's guesses: its ends have the stated masses under the Beta distribution of
    the rate of right guesses, which the logit carries to the loss, and half the noise has a loss of 2."""
    measured = AuditResult.from_json(audit(run, "half_noise", "--samples", "20000", "--json").json()).measured
    closed, witness = measured.detail["posterior"], privacy_witness(measured)
    assert measured.low is not None
    distribution = scipy.stats.beta(witness.right + 0.5, witness.wrong + 0.5)
    fractions = [distribution.cdf(scipy.special.expit(closed[end])) for end in ("low", "median", "high")]
    assert fractions == pytest.approx([0.05, 0.5, 0.95], abs=1e-6)
    assert distribution.cdf(scipy.special.expit(2.0)) > 1e-9  # the loss of an event is at most 2: one false refutation in 10^9
    assert closed["high"] > 1.5
    model = {"low": 1.9, "high": 2.1, "mass": 0.9, "r_hat": 1.0012, "ess_bulk": 1687.6, "divergences": 0}
    told = dict(posteriors(replace(measured, detail={**measured.detail, "model": model})))
    assert told["posterior"].endswith("on this event; shown for information, not used in the verdict")
    assert told["PyMC"] == "epsilon 1.9 … 2.1 with probability 0.9; R-hat 1.001, 1688 effective draws, no divergences"
    told = dict(posteriors(replace(measured, detail={"model": {**model, "r_hat": 1.0237}})))
    assert "; R-hat 1.024 (above 1.01: the chains have not converged), 1688" in told["PyMC"]
