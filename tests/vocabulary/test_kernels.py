"""Compiled code: found again by the next process, and never stale."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from numba.experimental import function_type

import banditproof
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.file_lock import alone
from banditproof.interaction import Pipeline, Wire, in_order, no_batch_corruption, no_corruption, no_noise
from banditproof.kernels import compiled, native, plain
from banditproof.randomness import key_of
from banditproof.simulation import play

PACKAGE = Path(banditproof.__file__).resolve().parent

POLICY = """
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from helper import favourite

from banditproof.interaction import Ints, Kernels
from banditproof.kernels import compiled
from banditproof.simulation import interact


class State(NamedTuple):
    pulls: Ints


def _start(state, key):
    state.pulls[:] = 0


def _choose(state, key, round, contexts):
    return favourite(round)


def _report(state, round, arm, contexts, reward, message):
    message[0] = reward


def _learn(state, key, round, arms, batch, statistic):
    for position in range(arms.shape[0]):
        state.pulls[arms[position]] += 1


start, choose, report, learn = compiled(_start), compiled(_choose), compiled(_report), compiled(_learn)


def _run(state, plan):
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run))


@dataclass(frozen=True)
class Stubborn:
    theorems: tuple[str, ...] = ()
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def guarantee(self):
        return None

    def state(self, arms, width, horizon):
        return State(np.zeros(arms, dtype=np.int64))

    def message_width(self, width):
        return 1

    def statistic_width(self, arms, width):
        return 0
"""

HELPER = """
from banditproof.kernels import compiled


def _favourite(round):
    return 0


favourite = compiled(_favourite)
"""

ENVIRONMENT = """
from dataclasses import dataclass, field

import numpy as np
from payment import payment

from banditproof.kernels import PRESENT, REWARD, compiled


def _present(setup, memory, key, round, contexts, means):
    means[:] = 0.5
    return round + 1


def _reward(setup, memory, round, key, arm, contexts):
    return payment(arm)


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class Fixed:
    arms: int = 2
    dimension: int = 0
    present: object = present
    reward: object = reward

    def setup(self):
        return np.zeros(0)

    def memory(self):
        return np.zeros(0)
"""

PAYMENT = """
from banditproof.kernels import compiled


def _payment(arm):
    return 0.25


payment = compiled(_payment)
"""

PLAY = """
from environment import Fixed
from policy import Stubborn

from banditproof import kernels
from banditproof.interaction import Pipeline, Wire
from banditproof.simulation import play
from banditproof.randomness import key_of

run = play(Pipeline(Stubborn(), Fixed()), horizon=3, key=key_of(1), record=(Wire.ARMS, Wire.REWARDS))
print(run.wire(Wire.ARMS).tolist(), run.wire(Wire.REWARDS).tolist(), kernels.compilations())
"""

OURS = """
from banditproof import kernels
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.interaction import Pipeline, Wire
from banditproof.simulation import play
from banditproof.randomness import key_of

pipeline = Pipeline(TreeUCB(1.0), Bernoulli((0.5, 0.5)))
options = {"horizon": 60, "key": key_of(1), "record": (Wire.REWARDS, Wire.STATISTIC)}
runs = [play(pipeline, stepwise=stepwise, **options) for stepwise in (False, True)]
for wire in (Wire.REWARDS, Wire.STATISTIC):
    assert (runs[0].wire(wire) == runs[1].wire(wire)).all(), f"{wire}: compiled code is stale"
print(runs[0].wire(Wire.STATISTIC)[-1].tolist(), kernels.compilations())
"""


HASHES = """
from banditproof import kernels
from banditproof.algorithms.policies import tree_ucb, ucb1

print(kernels.kernel_hash(tree_ucb.KERNELS.choose), kernels.kernel_hash(ucb1.KERNELS.choose))
"""

PLUG_IN = {
    "plug/__init__.py": "",
    "plug/elsewhere.py": "UNUSED = 1\n",
    "plug/policies/__init__.py": "STEP = 1\n",
    "plug/policies/fixed.py": """
from banditproof.kernels import compiled

from . import STEP
from ..tools.numbers import *


def _choose(round):
    return ten() + STEP * one(round)


choose = compiled(_choose)
""",
    "plug/tools/__init__.py": "",
    "plug/tools/numbers.py": """
from banditproof.kernels import compiled


def _ten():
    return 10


def _one(round):
    return 1


ten, one = compiled(_ten), compiled(_one)
""",
}


def printed(folder: Path, *command: str, path: Path | None = None, **variables: str) -> str:
    """What a fresh process prints, with a kernel cache in `folder` and, if given, another package before the installed one."""
    environment = {**os.environ, "BANDITPROOF_CACHE": str(folder / "cache"), **variables}
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(path), os.environ.get("PYTHONPATH"))))
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    """Changes a file behind the back of anything that looks at its time stamp or size."""
    before, text = path.stat(), path.read_text()
    assert text.count(old) == 1
    assert len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for stale in path.parent.glob("__pycache__/*"):  # Python's own cache does look at the time stamp
        stale.unlink()


@pytest.fixture
def users_folder(tmp_path: Path) -> Path:
    sources = {"policy": POLICY, "helper": HELPER, "environment": ENVIRONMENT, "payment": PAYMENT, "main": PLAY}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def test_a_kernel_that_a_user_edits_is_used_by_the_next_run(users_folder):
    """Would catch stale code, of a policy's loop and of a first-class part, after an edit in another file than the cached one's."""
    first = printed(users_folder, "main.py")
    assert first.startswith("[0, 0, 0] [0.25, 0.25, 0.25] ")
    assert int(first.split()[-1]) > 0
    assert printed(users_folder, "main.py") == "[0, 0, 0] [0.25, 0.25, 0.25] 0"  # the second process compiles nothing
    edit(users_folder / "helper.py", "return 0", "return 1")
    assert printed(users_folder, "main.py").startswith("[1, 1, 1] [0.25, 0.25, 0.25] ")
    edit(users_folder / "payment.py", "0.25", "0.75")
    assert printed(users_folder, "main.py").startswith("[1, 1, 1] [0.75, 0.75, 0.75] ")
    assert printed(users_folder, "main.py") == "[1, 1, 1] [0.75, 0.75, 0.75] 0"


@pytest.mark.long
def test_a_kernel_of_the_package_that_is_edited_is_used_by_the_next_run(tmp_path):
    """Would catch a cache keyed by a version: a change of the vocabulary reaches every policy and environment."""
    copy = tmp_path / "src" / "banditproof"
    shutil.copytree(PACKAGE, copy, symlinks=False, ignore=shutil.ignore_patterns("__pycache__"))
    first = printed(tmp_path, "-c", OURS, path=copy.parent)
    assert printed(tmp_path, "-c", OURS, path=copy.parent).split() == [*first.split()[:-1], "0"]
    edit(copy / "randomness.py", "_UNIT = 2.0**-53", "_UNIT = 2.0**-54")
    changed = printed(tmp_path, "-c", OURS, path=copy.parent)
    assert changed.split()[:-1] != first.split()[:-1]
    assert not changed.endswith(" 0")
    edit(copy / "algorithms" / "mechanisms" / "tree_sum.py", "partial[lower] = noise", "partial[level] = noise")
    assert printed(tmp_path, "-c", OURS, path=copy.parent).split()[:-1] != changed.split()[:-1]


def test_an_arm_that_does_not_exist_is_refused_by_name(users_folder):
    """Would catch an arm read out of bounds by compiled code."""
    (users_folder / "helper.py").write_text(HELPER.replace("return 0", "return 2 * round - 2"))  # -2 in round 0
    played = "for stepwise in (False, True):\n    try:\n        run = play("
    code = PLAY.replace("run = play(", played).replace("Wire.REWARDS))", "Wire.REWARDS), stepwise=stepwise)")
    code = code.split("print(")[0] + "    except ValueError as error:\n        print(error)\n"
    assert printed(users_folder, "-c", code).splitlines() == ["round 0: the policy chose arm -2, which must be >= 0 and < 2"] * 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    """Would catch a read-only home, as in a container, that stops every run."""
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert printed(tmp_path, "-c", "import banditproof.simulation; print('plays')") == "plays"


def test_a_loop_is_handed_its_parts_without_python(monkeypatch):
    """Would catch numba's own way to a part's address, Python functions that compare signatures: fifty microseconds of every call."""
    pipeline = Pipeline(UCB1(), Bernoulli((0.2, 0.8)))
    expected = play(pipeline, horizon=20, key=key_of(1)).wires[Wire.ARMS]
    asked, address = list[object](), function_type._get_wrapper_address
    monkeypatch.setattr(function_type, "_get_wrapper_address", lambda part, kind: asked.append(part) or address(part, kind))
    assert np.array_equal(play(pipeline, horizon=20, key=key_of(1)).wires[Wire.ARMS], expected)
    assert not asked


def test_the_plain_form_stays_reachable():
    """Would catch a wrapper that hides the source from readers, coverage and mutation testing."""

    def _twice(x):
        return 2 * x

    twice = compiled(_twice)
    assert plain(twice) is _twice
    assert plain(_twice) is _twice
    assert twice(3) == _twice(3) == 6
    for part in (no_noise, no_corruption, no_batch_corruption, in_order):
        assert plain(part).__name__.startswith("_")
        assert native(part) is native(part)
    order = np.zeros(3, dtype=np.int64)
    in_order(np.zeros(0), np.zeros(3, dtype=np.uint64), 0, order)  # a part called from Python is its plain form
    assert order.tolist() == [0, 1, 2]


def test_a_kernel_that_allocates_must_say_so():
    """Would catch memory that nobody counts: kernels are compiled without reference counts."""

    def _total(size):
        return np.ones(size).sum()

    with pytest.raises(Exception, match=r"zeros|ones|empty"):
        compiled(_total)(4)
    assert compiled(_total, allocates=True)(4) == 4.0


FORMS = """
import numba

from banditproof.kernels import compiled


@numba.njit
def theirs(x):
    return 3 * x


def _ours(x):
    return 2 * x


ours = compiled(_ours)


def _both(x):
    return ours(x) + theirs(x)


both = compiled(_both)


def _twice(x):
    return 2 * both(x)


twice = compiled(_twice)
"""


@pytest.mark.parametrize("order", ("twice, both, ours, theirs", "theirs, ours, both, twice"))
def test_a_kernel_within_another_is_one_that_python_can_call(tmp_path, order):
    """Would catch a form without entries for Python, or without machine code, that Python calls: a kernel's, and that of a function of
    numba's that kernels call; compiled now, and read from the cache."""
    (tmp_path / "forms.py").write_text(FORMS)
    show = f"from forms import both, ours, theirs, twice; print(*[function(7) for function in ({order})])"
    answers = " ".join(str({"twice": 70, "both": 35, "ours": 14, "theirs": 21}[name]) for name in order.split(", "))
    assert [printed(tmp_path, "-c", show) for _ in range(2)] == [answers, answers]


def test_a_kernel_can_be_pickled():
    """Would catch a kernel in an object that a process of its own cannot take."""
    again = pickle.loads(cloudpickle.dumps(compiled(lambda x: 2 * x)))
    assert again(4) == 8
    assert compiled(lambda x: again(x) + 1)(4) == 9


def test_a_kernel_depends_on_what_it_reaches_alone(tmp_path):
    """Would catch a cache that an edit elsewhere in the package empties, and one that an edit of what is reached does not."""
    copy = tmp_path / "src" / "banditproof"
    shutil.copytree(PACKAGE, copy, symlinks=False, ignore=shutil.ignore_patterns("__pycache__"))
    first = printed(tmp_path, "-c", HASHES, path=copy.parent).split()
    with (copy / "algorithms" / "policies" / "ucb1.py").open("a") as file:
        file.write("# an edit\n")
    second = printed(tmp_path, "-c", HASHES, path=copy.parent).split()
    assert second[0] == first[0] and second[1] != first[1]
    with (copy / "algorithms" / "mechanisms" / "tree_sum.py").open("a") as file:
        file.write("# an edit\n")
    third = printed(tmp_path, "-c", HASHES, path=copy.parent).split()
    assert third[0] != second[0] and third[1] == second[1]
    edit(copy / "randomness.py", "_UNIT = 2.0**-53", "_UNIT = 2.0**-54")
    fourth = printed(tmp_path, "-c", HASHES, path=copy.parent).split()
    assert fourth[0] != third[0] and fourth[1] == third[1]  # the choice of UCB1 draws nothing
    assert all(len(kernel) == 64 for kernel in (*first, *second, *third, *fourth))


def test_a_plug_in_of_several_files_is_never_stale(tmp_path):
    """Would catch stale code of an installed package, and code that is compiled again after an edit that it does not reach."""
    site = tmp_path / "site-packages"
    for name, source in PLUG_IN.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(source)
    (site / "plug-1.0.dist-info").mkdir()
    (site / "plug-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1.0\n")
    (site / "plug-1.0.dist-info" / "RECORD").write_text("".join(f"{name},,\n" for name in PLUG_IN))
    show = "from plug.policies.fixed import choose; from banditproof import kernels; print(choose(1), kernels.compilations())"
    assert printed(tmp_path, "-c", show, path=site) == "11 3"
    assert printed(tmp_path, "-c", show, path=site) == "11 0"
    edit(site / "plug" / "elsewhere.py", "UNUSED = 1", "UNUSED = 2")
    assert printed(tmp_path, "-c", show, path=site) == "11 0"
    edit(site / "plug" / "tools" / "numbers.py", "return 10", "return 20")
    assert printed(tmp_path, "-c", show, path=site) == "21 3"
    edit(site / "plug" / "policies" / "__init__.py", "STEP = 1", "STEP = 2")
    assert printed(tmp_path, "-c", show, path=site).split()[0] == "22"


def test_code_for_a_tuple_is_that_of_its_fields(tmp_path):
    """Would catch a kernel that reads the fields of a tuple where they stood before its class was edited, in a file that the kernel does
    not reach, and one that no later process can read or compile because a class is gone."""
    (tmp_path / "tool.py").write_text(
        "from banditproof.kernels import compiled\n\n\ndef _rest(pair):\n    return pair[0].total - pair[1]\n\n\nrest = compiled(_rest)\n"
    )
    (tmp_path / "account.py").write_text(
        "from typing import NamedTuple\n\n\nclass Account(NamedTuple):\n    total: float\n    spent: float\n"
    )
    show = "from tool import rest; from account import {0}; from banditproof import kernels; "
    show += "print(rest(({0}(total=5.0, spent=2.0), 1.0)), kernels.compilations())"
    assert [printed(tmp_path, "-c", show.format("Account")) for _ in range(2)] == ["4.0 1", "4.0 0"]
    edit(tmp_path / "account.py", "total: float\n    spent", "spent: float\n    total")
    assert [printed(tmp_path, "-c", show.format("Account")) for _ in range(2)] == ["4.0 1", "4.0 0"]
    edit(tmp_path / "account.py", "Account", "Balance")
    assert [printed(tmp_path, "-c", show.format("Balance")) for _ in range(2)] == ["4.0 1", "4.0 0"]


def test_code_keeps_no_global_of_another_process(users_folder):
    """Would catch a number that a process reads from its arguments or its environment, which compiled code of another process has kept: of
    the kernel itself, of one that it calls, of a module that it names, and of a first-class part."""
    (users_folder / "given.py").write_text("import os\n\nPLACE = int(os.environ['PLACE'])\n")
    helper = "import given\nfrom given import PLACE\n" + HELPER.replace("return 0", "return given.PLACE + 0 * PLACE")
    (users_folder / "helper.py").write_text(helper)
    payment = "from given import PLACE\n" + PAYMENT.replace("return 0.25", "return 0.25 + PLACE")
    (users_folder / "payment.py").write_text(payment)
    for place, compiles in (("0", True), ("0", False), ("1", True), ("1", False), ("0", False)):
        told = printed(users_folder, "main.py", PLACE=place)
        assert told.startswith("[1, 1, 1] [1.25, 1.25, 1.25] " if place == "1" else "[0, 0, 0] [0.25, 0.25, 0.25] ")
        assert told.endswith(" 0") != compiles


def test_a_kernel_that_is_made_from_another_depends_on_both(users_folder):
    """Would catch a kernel in a closure whose module the maker does not import."""
    (users_folder / "maker.py").write_text("def made(kernel):\n    def _twice(x):\n        return 2 * kernel(x)\n    return _twice\n")
    show = "import helper, maker; from banditproof import kernels; print(kernels.kernel_hash(maker.made(helper.favourite)))"
    first = printed(users_folder, "-c", show)
    edit(users_folder / "payment.py", "0.25", "0.75")
    assert printed(users_folder, "-c", show) == first
    edit(users_folder / "helper.py", "return 0", "return 1")
    assert printed(users_folder, "-c", show) != first


SLOW = """
import sys, time
from pathlib import Path

import slow
from banditproof import kernels
from banditproof.kernels import REWARD, compiled, native

part = compiled(slow._pay, REWARD)
print("ready", flush=True)
sys.stdin.readline()
print(slow.outer(1.0), native(part).cache_hits, kernels.compilations())
"""
# Rows of calls take numba a second to compile: far longer than two processes that are told to begin differ.
SLOW_KERNELS = """
import math

from banditproof.kernels import compiled


def _inner(x):
    return {rows}


inner = compiled(_inner)


def _outer(x):
    return inner(x) + inner(2.0 * x)


outer = compiled(_outer)


def _pay(setup, memory, round, key, arm, contexts):
    return inner(1.0)
""".format(rows=" + ".join(f"math.sin({place} * x)" for place in range(150)))


def started(folder: Path, *command: str) -> "subprocess.Popen[str]":
    """A process with a kernel cache in `folder` that waits for a line, ready to begin."""
    environment = {**os.environ, "BANDITPROOF_CACHE": str(folder / "cache")}
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, *command], cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def told(process: "subprocess.Popen[str]") -> str:
    """What the process prints after it was told to begin."""
    return process.communicate("\n")[0].strip()


def test_two_processes_compile_a_kernel_once(tmp_path):
    """Would catch two workers that compile the same kernel side by side: called, called by another kernel, or passed into a loop."""
    (tmp_path / "slow.py").write_text(SLOW_KERNELS)
    both = [started(tmp_path, "-c", SLOW) for _ in range(2)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [told(process).split() for process in both]
    assert said[0][0] == said[1][0]
    assert sum(int(count) for _, _, count in said) == 3
    assert sum(int(hits) for _, hits, _ in said) == 1


HOLDER = """
import contextlib, sys
from pathlib import Path

from banditproof.file_lock import alone

with contextlib.ExitStack() as stack:
    for path in sys.argv[1:]:
        assert stack.enter_context(alone(Path(path)))
    print("ready", flush=True)
    sys.stdin.readline()
"""


def test_a_process_that_is_killed_while_it_compiles_keeps_nobody_waiting(tmp_path):
    """Would catch a lock that a file's existence is, and one that nobody waits for."""
    (tmp_path / "slow.py").write_text(SLOW_KERNELS)
    assert told(started(tmp_path, "-c", SLOW)).endswith(" 0 3")
    locks = sorted((tmp_path / "cache").rglob("*.lock"))
    assert len(locks) == 3
    for kept in (tmp_path / "cache").rglob("*.nb[ic]"):
        kept.unlink()
    holder, waiter = started(tmp_path, "-c", HOLDER, *map(str, locks)), started(tmp_path, "-c", SLOW)
    assert waiter.stdin is not None
    waiter.stdin.write("\n")
    waiter.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        waiter.wait(3.0)
    holder.kill()
    holder.communicate()
    assert told(waiter).endswith(" 0 3")


def test_a_lock_that_cannot_be_written_or_that_is_not_freed_is_no_obstacle(tmp_path):
    """Would catch a cache that can be read alone in which nothing can be compiled, and a wait without end."""
    (tmp_path / "folder.lock").mkdir()
    with alone(tmp_path / "folder.lock") as held:
        assert not held
    with alone(tmp_path / "free.lock") as held:
        assert held
    holder = started(tmp_path, "-c", HOLDER, str(tmp_path / "free.lock"))
    with alone(tmp_path / "free.lock", longest=0.05) as held:
        assert not held
    told(holder)
    with alone(tmp_path / "free.lock") as held:
        assert held
