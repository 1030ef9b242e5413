"""Bad input: one clear line that names the value and the rule, exit 2. User code that raises: exit 3, no traceback unless asked for."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.isolation.server import warned_once
from banditproof.audits.running.exits import Exit

from .conftest import Run, in_a_process, subject

PAIR = ("--dataset", "[0]", "--neighbour", "[1]")
LEVEL = "(privacy parameter epsilon of (epsilon, delta)-differential privacy)"
EMPTY = {
    "schema": "banditproof/verify/3",
    "banditproof": "0",
    "pattern": None,
    "level": "quick",
    "false_alarm": 0.1,
    "seed": 1,
    "complete": True,
}
EMPTY["results"] = []
PLAIN = ("audit", "privacy", subject("plain"))

CASES = [
    # unknown ids
    (
        ("theory", "show", "dwork_2006.laplace_privcy"),
        "statement 'dwork_2006.laplace_privcy': there is none of this id; nearest: dwork_2006.laplace_privacy",
    ),
    (("theory", "eval", "nope", "a=1"), "statement 'nope': there is none of this id; see banditproof theory list"),
    # values outside a domain or a hypothesis
    (("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=1", "scale=-2"), "dwork_2006.laplace_privacy: scale = -2: must be > 0"),
    (
        ("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=1", "scale=nan"),
        "dwork_2006.laplace_privacy: scale = 'nan': must be a number",
    ),
    (
        ("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=1", "scale=1/0"),
        "dwork_2006.laplace_privacy: scale = '1/0': must be a number",
    ),
    (
        ("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=1", "scale"),
        "'scale': must be NAME=VALUE; dwork_2006.laplace_privacy takes sensitivity=... scale=...",
    ),
    (("theory", "eval", "dwork_2006.laplace_privacy", "scale=1", "scale=2"), "scale is given twice: 1 and 2"),
    (("theory", "eval", "dwork_2006.laplace_privacy", "scale=1"), "dwork_2006.laplace_privacy: sensitivity"),
    (("theory", "eval", "dwork_2006.laplace_privacy", "scale=1", "sensitivity=1", "sigma=1"), "dwork_2006.laplace_privacy: sigma"),
    (
        ("theory", "eval", "dwork_roth_2014.gaussian_classic", "epsilon=2", "delta=0.1", "sensitivity=1"),
        "dwork_roth_2014.gaussian_classic: epsilon = 2: must satisfy",
    ),
    # numbers
    (("reproduce", "wu_2023.figure1", "--alpha-1", "2"), "alpha-1 = 2: must be "),
    (("reproduce", "wu_2023.figure1", "--alpha-1", "x"), "alpha-1 = x: must be a number, "),
    ((*PLAIN, "--epsilon", "nan", *PAIR), f"epsilon = nan: must be a finite number, > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "inf", *PAIR), f"epsilon = inf: must be a finite number, > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "-1", *PAIR), f"epsilon = -1: must be > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "0", *PAIR), f"epsilon = 0: must be > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "abc", *PAIR), f"epsilon = abc: must be a number, > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "1e999", *PAIR), f"epsilon = 1e999: must be a finite number, > 0 {LEVEL}"),
    ((*PLAIN, "--epsilon", "1", "--delta", "1", *PAIR), "delta = 1: must be > 0 and < 1"),
    ((*PLAIN, "--epsilon", "1", "--delta", "0", *PAIR), "delta = 0: must be > 0 and < 1"),
    ((*PLAIN, "--epsilon", "1", "--seed", "-1", *PAIR), "seed = -1: must be an integer >= 0"),
    ((*PLAIN, "--epsilon", "1", "--seed", "1.5", *PAIR), "seed = 1.5: must be an integer >= 0"),
    ((*PLAIN, "--epsilon", "1", "--samples", "10", *PAIR), "samples = 10: must be an integer >= 200"),
    ((*PLAIN, "--epsilon", "1", "--samples", "many", *PAIR), "samples = many: must be a number, an integer >= 1"),
    ((*PLAIN, "--epsilon", "1", "--false-alarm", "1", *PAIR), "false_alarm = 1: must be > 0 and < 1"),
    (("verify", "--false-alarm", "0"), "false_alarm = 0: must be > 0 and < 1"),
    (("verify", "--jobs", "0"), "jobs = 0: must be an integer >= 1"),
    (("verify", "--budget", "-3"), "budget = -3: must be >= 0"),
    (("verify", "--level", "quickly"), "level = 'quickly': must be one of quick, standard, deep; nearest: quick"),
    # what belongs together
    ((*PLAIN, *PAIR), f"epsilon is missing: give epsilon (and delta, if it is above 0) or mu; {subject('plain')} states no guarantee"),
    ((*PLAIN, "--epsilon", "1", "--mu", "1", *PAIR), "epsilon = 1, mu = 1: must be of one privacy definition"),
    ((*PLAIN, "--mu", "1", "--delta", "0.1", *PAIR), "delta = 0.1: goes with epsilon"),
    ((*PLAIN, "--epsilon", "1", "--dataset", "[0]"), "neighbour is missing: --dataset and --neighbour go together"),
    (("audit", "privacy", "--epsilon", "1"), "MODULE:OBJECT is missing"),
    (("audit", "privacy", "--json", "a:b", "--epsilon", "1"), "MODULE:OBJECT is missing: --json took a:b as its file; write --json - a:b"),
    (("audit", "plan", "--epsilon", "1"), "samples, violation: give one of --samples and --violation, and the plan gives the other"),
    (("audit", "plan", "--epsilon", "1", "--violation", "0.5"), "violation = 0.5: must be > the claimed 1.0"),
    # data
    (
        (*PLAIN, "--epsilon", "1", "--dataset", "[0", "--neighbour", "[1]"),
        "dataset = '[0': is not JSON (Expecting ',' delimiter at character 3)",
    ),
    ((*PLAIN, "--epsilon", "1", "--dataset", "[" * 100_000, "--neighbour", "1"), "dataset = '["),
    (
        (*PLAIN, "--epsilon", "1", "--dataset", "[1]", "--neighbour", "[1]"),
        "dataset and neighbour are equal: nothing can distinguish their outputs",
    ),
    ((*PLAIN, "--epsilon", "1", "--dataset", "[0, 1]", "--neighbour", "[1, 2]"), "[0, 1] and [1, 2]: differ in more than one record"),
    (
        (*PLAIN, "--epsilon", "1", "--relation", "add_or_remove", *PAIR),
        "dataset and neighbour are not neighbours: [0] and [1]: one must be the other without one record (add_or_remove)",
    ),
    (
        (*PLAIN, "--epsilon", "1", "--relation", "query_sensitivity", "--dataset", "[0]", "--neighbour", "[3]"),
        "dataset and neighbour are not neighbours: [0] and [3]: L1 distance 3 must be <= 1 (query_sensitivity)",
    ),
    (
        (*PLAIN, "--epsilon", "1", "--relation", "replaced", *PAIR),
        "relation = 'replaced': must be one of replace_round, replace_reward, replace_record",
    ),
    (
        (*PLAIN, "--epsilon", "1", "--view", "centre", *PAIR),
        "view = 'centre': must be one of local, shuffled, central, joint, white_box; nearest: central",
    ),
    ((*PLAIN, "--epsilon", "1", "--neighbours", "[0, 1]"), "neighbours = [0, 1]: must be a JSON object"),
    (
        (*PLAIN, "--epsilon", "1", "--neighbours", '{"hihg": 1}'),
        f"{subject('plain')}, neighbours: 'hihg' is not one of relation, low, high",
    ),
    (
        (*PLAIN, "--epsilon", "1"),
        f"{subject('plain')}: says nothing about neighbouring datasets; give two with --dataset JSON --neighbour JSON, or where",
    ),
    (
        ("audit", "privacy", subject("Promising"), "--epsilon", "1", "--view", "local"),
        f"view = local: {subject('Promising')} releases what the central view sees",
    ),
    *(
        ((*PLAIN, "--epsilon", "1", "--neighbours", neighbours, *more), message)
        for neighbours, more, message in (
            (
                '{"low": 0, "high": 1}',
                PAIR,
                "neighbours: 'low', 'high': beside dataset and neighbour only relation, sensitivity, norm, group are",
            ),
            ('{"norm": 3}', (), "norm = 3: must be 1 or 2 (where each of several answers moves, the relation is every_query)"),
            ('{"sensitivity": -1}', (), "sensitivity = -1.0: must be > 0 and finite"),
            ('{"group": 0}', (), "group = 0: must be an integer >= 1 (steps between neighbours)"),
            (
                '{"lengths": [1, 200000]}',
                (),
                "neighbours: lengths = [1, 200000]: a search proposes datasets of at most 100,000 numbers",
            ),
            (
                '{"row": [1000, 1000]}',
                (),
                "neighbours: lengths = [1, 4], rows of shape [1000, 1000]: a search proposes datasets of at most",
            ),
            (f'{{"high": 1{"0" * 399}}}', (), f"{subject('plain')}, neighbours: "),
        )
    ),
    (
        (*PLAIN, "--epsilon", "1", "--dataset", "true", "--neighbour", "[1, 1]"),
        "dataset = True, neighbour = [1, 1]: a truth value and a list, must be of one kind",
    ),
    # objects
    (("audit", "privacy", "nope:f", "--epsilon", "1"), "module 'nope': there is none of this name"),
    (("audit", "privacy", "nope.py:f", "--epsilon", "1"), "file 'nope.py': does not exist"),
    (("audit", "privacy", subject("plane"), "--epsilon", "1"), f"{subject('plane')}: there is no 'plane' in"),
    (
        ("audit", "privacy", subject("wrong_shape"), "--epsilon", "1", *PAIR),
        f"{subject('wrong_shape')} returned shape (3, 25000): must be (25000,) or (25000, width)",
    ),
    # files
    ((*PLAIN, "--epsilon", "1", *PAIR, "--json", "/nope/x.json"), "json = /nope/x.json: cannot be written (No such file or directory)"),
    (("verify", "--json", "/nope/x.json"), "json = /nope/x.json: cannot be written (No such file or directory)"),
    (("verify", "--json", "/"), "json = /: cannot be written (Is a directory)"),
    (("audit", "samples", "a.npy", "b.npy", "--epsilon", "1"), "file 'a.npy': cannot be read (No such file or directory)"),
    (("replay", "nope.json"), "file 'nope.json': cannot be read (No such file or directory)"),
    # the command itself
    (("audit", "privacy", "--qqq"), "No such option '--qqq' (see banditproof audit privacy --help)"),
    (("verfy",), "No such command 'verfy'"),
    (("replay",), "Missing argument 'RESULT.json' (see banditproof replay --help)"),
]


@pytest.mark.parametrize(("arguments", "message"), CASES, ids=[" ".join(case[0])[-60:] for case in CASES])
def test_bad_input_is_one_line_and_exit_2(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """Would catch a traceback, a usage text in the way of the message, a message on standard output, and exit 1, which means refuted."""
    ended = run(*arguments)
    lines = ended.err.splitlines()
    assert lines[-1].startswith(f"Error: {message}")
    assert len(lines) == 1
    assert ended.out == ""
    assert ended.code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("theory", "list", "chan_2012"), "paper 'chan_2012': there is none of this name; nearest: chan_2011"),
        (
            ("verify", "dwork_2006.laplace_privcy"),
            "pattern 'dwork_2006.laplace_privcy': no statement, audit or paper has this id; nearest: dwork_2006.laplace_privacy",
        ),
        (("verify", "laplace_privacy"), "pattern 'laplace_privacy': no statement, audit or paper has this id; nearest: dwork_2006.laplace"),
        (("verify", "nosuch"), "pattern 'nosuch': no statement, audit or paper has this id; there are the papers inequalities, "),
    ],
)
def test_a_name_that_matches_nothing_is_one_line_and_exit_5(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """Would catch the two codes that a pattern without a match once had."""
    ended = run(*arguments)
    assert ended.err.startswith(f"Error: {message}")
    assert (ended.code, ended.out, ended.err.count("\n")) == (5, "", 1)
    assert run("verify", "[").code == 5


LIMITS = [
    (
        (*PLAIN, "--epsilon", "1", *PAIR, "--samples", "99999999999999999999"),
        "samples = 99999999999999999999: must be an integer >= 1 and <= 1e+09",
    ),
    (("audit", "plan", "--epsilon", "1", "--samples", "1e300"), "samples = 1e300: must be an integer >= 1 and <= 1e+09 (outputs in all)"),
    (("reproduce", "wu_2023.figure1", "--horizon", "1e18"), "horizon = 1000000000000000000: must be <= 100000000 (rounds whose regret"),
    (("reproduce", "wu_2023.figure1", "--runs", "1e18"), "runs = 1000000000000000000: must be <= 1000000 (repetitions of each curve)"),
    (("verify", "--jobs", "1e9"), "jobs = 1e9: must be an integer >= 1 and <= 1024 (worker processes)"),
    (("compare", "estimators", "--samples", "1e18"), "samples = 1e18: must be an integer >= 1 and <= 1e+07 (reports in all)"),
    (("compare", "estimators", "--arms", "1e18"), "arms = 1e18: must be an integer >= 2 and <= 100000"),
    ((*PLAIN, "--epsilon", "1e999999999", *PAIR), "epsilon = 1e999999999: must be a finite number, > 0"),
    ((*PLAIN, "--epsilon", "1e-999999999", *PAIR), "epsilon = 1e-999999999: must be > 0"),
    ((*PLAIN, "--epsilon", "１", *PAIR), "epsilon = １: must be written in the digits 0 to 9"),
    (
        ("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=１", "scale=1"),
        "'sensitivity=１': must be written in the digits 0 to 9",
    ),
    ((*PLAIN, "--epsilon", "1", "--dataset", "9" * 5000, "--neighbour", "1"), "dataset = '9999"),
    (
        (*PLAIN, "--epsilon", "1", "--neighbours", '{"low": 0, "high": 1, "lengths": [1, 1000000000]}'),
        f"{subject('plain')}, neighbours: lengths = [1, 1000000000]: must be at most 1000000",
    ),
    (("audit", "privacy", "/:f", "--epsilon", "1", *PAIR), "file '/': is a folder: must be a Python file"),
    (("audit", "privacy", ".:f", "--epsilon", "1", *PAIR), "subject = '.:f': must be MODULE:OBJECT or path/to/file.py:OBJECT"),
    (("audit", "privacy", "nosuch.sub:f", "--epsilon", "1", *PAIR), "module 'nosuch.sub': there is none of this name"),
    (("audit", "privacy", "x\0.py:f", "--epsilon", "1", *PAIR), "file 'x\\x00.py': does not exist"),
]


@pytest.mark.parametrize(("arguments", "message"), LIMITS, ids=[" ".join(case[0])[-60:] for case in LIMITS])
def test_what_is_too_large_or_has_no_name_is_one_line_and_exit_2(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """Would catch a trace, an endless run, and powers of ten that are computed before anybody asks how large they are."""
    test_bad_input_is_one_line_and_exit_2(run, arguments, message)


def test_a_class_that_needs_arguments_is_refused_with_python_to_paste(run: Run, tmp_path) -> None:
    """Would catch `mechanism = file.py:Needs(...)`; and the address and the warning that an async function once left."""
    text = "class Needs:\n    def __init__(self, scale): ...\n\n\nasync def later(data, rng): ...\n"
    (tmp_path / "shapes.py").write_text(text)
    ended = run("audit", "privacy", "shapes.py:Needs", "--epsilon", "1", *PAIR)
    assert (ended.code, ended.err.endswith("name an instance, as `mechanism = Needs(...)`\n")) == (2, True)
    ended = run("audit", "privacy", "shapes.py:later", "--epsilon", "1", *PAIR)
    assert ended.err.startswith("Error: shapes.py:later is an async function: must be a function f(data, rng)")
    assert (ended.code, ended.err.count("\n")) == (2, 1)


def test_what_user_code_warns_of_is_printed_once() -> None:
    """Would catch a warning for each half of an audit: libraries that are imported in between make Python forget what it has shown."""
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with warned_once():
            for _ in range(3):
                warnings.warn("look out", stacklevel=1)
        warnings.warn("look out", stacklevel=1)
    assert len(shown) == 2


def test_an_output_that_is_full_is_one_line_and_exit_2(tmp_path) -> None:
    """Would catch a trace, and the second one that Python prints when it closes the stream."""
    command = [sys.executable, "-m", "banditproof", "theory", "list", "dwork_2006"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (2, "Error: standard output: No space left on device\n")


def test_the_help_lists_each_exit_code(run: Run) -> None:
    lines = [line.split(maxsplit=1)[0] for line in run("--help").out.partition("Exit codes")[2].splitlines() if line.strip()]
    assert lines == [str(int(code)) for code in Exit]


def test_nothing_is_computed_before_the_target_is_known_to_be_writable(run: Run) -> None:
    """Would catch an hour of work lost to a mistyped folder: this subject raises as soon as it is called."""
    ended = run("audit", "privacy", subject("raises"), "--epsilon", "1", *PAIR, "--json", "/nope/x.json")
    assert ended.code == 2


def test_a_check_of_the_target_leaves_nothing_behind(run: Run, tmp_path) -> None:
    (tmp_path / "kept.json").write_text("old")
    run(*PLAIN, "--epsilon", "1", "--samples", "10", *PAIR, "--json", "fresh.json")
    run(*PLAIN, "--epsilon", "1", "--samples", "10", *PAIR, "--json", "kept.json")
    assert (tmp_path / "kept.json").read_text() == "old"
    assert not (tmp_path / "fresh.json").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "file 'r.json': is not JSON (Expecting property name enclosed in double quotes at line 1)"),
        ("[]", "file 'r.json': schema = a JSON list: must be 'banditproof/result/3' or 'banditproof/verify/3'"),
        ('{"schema": "other"}', "file 'r.json': schema = 'other': must be"),
        ('{"schema": "banditproof/result/3", "colour": 1}', "file 'r.json': field 'colour': is not one of its fields"),
        ('{"schema": "banditproof/result/3"}', "file 'r.json': field 'audit': is missing"),
        ('{"schema": "banditproof/verify/3"}', "file 'r.json': field 'banditproof': is missing"),
        (json.dumps(EMPTY), "file 'r.json': nothing in it is refuted"),
    ],
)
def test_a_file_that_is_no_result_is_refused(run: Run, tmp_path, content: str, message: str) -> None:
    (tmp_path / "r.json").write_text(content)
    ended = run("replay", "r.json")
    assert ended.err.startswith(f"Error: {message}")
    assert len(ended.err.splitlines()) == 1
    assert ended.code == 2


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array(["a", "b"]), "must hold one array of numbers (numpy.save)"),
        (np.zeros((2, 2, 2)), "shape (2, 2, 2): must be (n,) or (n, width), one row per output"),
        (np.zeros(0), "shape (0,): must be (n,) or (n, width), one row per output"),
        (np.array([{}], dtype=object), "is not a .npy file of numbers"),
    ],
    ids=["words", "three axes", "empty", "objects"],
)
def test_stored_outputs_of_another_kind_are_refused(run: Run, tmp_path, array: np.ndarray, message: str) -> None:
    np.save(tmp_path / "a.npy", array)
    ended = run("audit", "samples", "a.npy", "a.npy", "--epsilon", "1")
    assert ended.err == f"Error: file 'a.npy': {message}\n"
    assert ended.code == 2


def test_too_few_stored_outputs_are_refused(run: Run, tmp_path) -> None:
    np.save(tmp_path / "a.npy", np.zeros(20))
    ended = run("audit", "samples", "a.npy", "a.npy", "--epsilon", "1")
    assert ended.code == 2
    assert ended.err.startswith("Error: samples = 40: must be an integer >= 200")


@pytest.mark.parametrize("name", ["raises", "stops"])
def test_user_code_that_raises_is_exit_3_with_its_message(run: Run, name: str) -> None:
    kind = {"raises": "RuntimeError: privacy budget exhausted", "stops": "SystemExit: no licence"}[name]
    ended = run("audit", "privacy", subject(name), "--epsilon", "1", *PAIR)
    assert ended.err == f"Error: {subject(name)} raised {kind} in call 1, on [0]; 0 outputs were kept\n"
    assert ended.out == ""
    assert ended.code == 3


def test_a_traceback_is_printed_when_asked_for(run: Run) -> None:
    ended = run("audit", "privacy", subject("raises"), "--epsilon", "1", *PAIR, "--traceback")
    assert ended.err.startswith("Traceback (most recent call last):")
    assert "example_mechanisms.py" in ended.err
    assert ended.err.splitlines()[-1] == (
        f"Error: {subject('raises')} raised RuntimeError: privacy budget exhausted in call 1, on [0]; 0 outputs were kept"
    )
    assert ended.code == 3


def test_a_module_that_fails_to_import_is_exit_3(run: Run, tmp_path) -> None:
    (tmp_path / "failing_module.py").write_text("raise OSError('no database')\n")
    ended = run("audit", "privacy", "failing_module.py:f", "--epsilon", "1", *PAIR)
    note, error = ended.err.splitlines()
    assert note == f"Note: runs the code of {tmp_path / 'failing_module.py'} in a process of its own (said once for this content)"
    assert error == "Error: importing failing_module.py raised OSError: no database"
    assert run("audit", "privacy", "failing_module.py:g", "--epsilon", "1", *PAIR).err == f"{error}\n"
    assert ended.code == 3


def test_a_mistake_of_our_own_is_never_exit_1(run: Run, monkeypatch) -> None:
    """Would catch a bug of banditproof's read as a refutation by whoever looks at the exit code."""
    from banditproof.audits.privacy import plan

    def broken(samples: int) -> None:
        raise TypeError("a bug")

    monkeypatch.setattr(plan, "splits", broken)
    ended = run(*PLAIN, "--epsilon", "1", *PAIR)
    assert ended.code == 3
    assert "Traceback" in ended.err
    assert ended.err.splitlines()[-1].startswith("Error: banditproof itself failed (TypeError)")


def test_streams_and_exit_codes_are_the_processes_own(tmp_path) -> None:
    """The same in a process of its own, where nothing of pytest's is in between."""
    refused = in_a_process(*PLAIN, "--epsilon", "nan", *PAIR, cwd=tmp_path)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"Error: epsilon = nan: must be a finite number, > 0 {LEVEL}\n"
    raised = in_a_process("audit", "privacy", subject("raises"), "--epsilon", "1", *PAIR, cwd=tmp_path)
    assert (raised.code, raised.out) == (3, "")
    assert raised.err.startswith(f"Error: {subject('raises')} raised RuntimeError: privacy budget exhausted in call 1")
    assert len(raised.err.splitlines()) == 1


def test_numbers_may_be_written_as_fractions(run: Run) -> None:
    ended = run("audit", "plan", "--epsilon", "1/2", "--samples", "1e5", "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["epsilon"] == 0.5
