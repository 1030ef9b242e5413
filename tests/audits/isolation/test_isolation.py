"""A user's code in a child process: however it ends, the audit says so, and judges what it gave."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.assertions import assert_private
from banditproof.audits.front_door import audit_privacy
from banditproof.audits.isolation.child import Limits, Watched, most_memory, started
from banditproof.audits.isolation.elsewhere import MOST_KEPT, Elsewhere, Kept
from banditproof.audits.isolation.frames import packed, unpacked
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.subject import measured_on
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.audits.subjects import EndedEarly, adapt, load_subject
from banditproof.guarantees import NeighbouringRelation, PureDP

HARD = Path(__file__).with_name("hard_mechanisms.py")
CLAIM, PAIR = PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), ([0.0, 1.0], [1.0, 1.0])
TIMEOUT = 1.5


def judged(name: str, samples: int = 4000, **limits: float | int) -> Measurement:
    spec = f"{HARD}:{name}"
    with started(Limits(**limits)) as child:  # type: ignore[arg-type]
        mechanism = Elsewhere(child, spec).mechanism()
        return measured_on(mechanism, PAIR, AuditSettings(claim=CLAIM, samples=samples, seed=3), given=True, subject=spec)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hangs", "did not return within 1.5 s (--timeout) in call 1,201, on [0.0, 1.0]; "),
        ("leaves", "ended its process with exit code 0, as os._exit does in call 1,201"),
        ("crashes", "crashed with signal 11 (segmentation fault) in call 1,201"),
        ("is_killed", "crashed with signal 9 (killed, as for want of memory) in call 1,201"),
        ("stops", "raised SystemExit: no licence in call 1,201, on [0.0, 1.0]; 1,200 outputs were kept"),
        ("takes_memory", "(--memory: 4 GiB) in call 1,201, on [0.0, 1.0]; 1,200 outputs were kept"),
    ],
)
def test_what_was_drawn_before_the_end_is_judged(name: str, message: str) -> None:
    """Would catch an audit that waits for ever, ends with its mechanism, blames another call, or forgets what it had seen."""
    with pytest.raises(EndedEarly) as caught:
        judged(name, timeout=TIMEOUT, memory=4 * 2**30)
    assert message in str(caught.value) and str(caught.value).startswith(f"{HARD}:{name} ")
    assert "\n" not in str(caught.value)
    measured = caught.value.measured
    assert measured is not None and measured.verdict is Verdict.REFUTED
    assert measured.detail["ended_early"] == str(caught.value)
    assert 200 <= measured.samples <= 1200
    assert ("no licence" in caught.value.trace) is (name == "stops")


def test_an_end_at_once_leaves_nothing_to_judge() -> None:
    with pytest.raises(EndedEarly, match=r"exit code 11.* in call 1, on \[0.0, 1.0\]; 0 outputs were kept") as caught:
        judged("leaves_at_once")
    assert caught.value.measured is None


def test_slow_code_is_stopped_within_the_limit_and_five_seconds() -> None:
    """Would catch a limit that is looked at between outputs, batches or datasets only."""
    looks: list[Watched] = []
    with started(Limits(time_limit=2.5), looks.append) as child:
        mechanism, begin = Elsewhere(child, f"{HARD}:is_slow").mechanism(), time.monotonic()
        with pytest.raises(
            EndedEarly, match=r"stopped at the time limit of 2.5 s \(--time-limit\) in call [23], .*; [12] outputs were kept"
        ):
            measured_on(mechanism, PAIR, AuditSettings(claim=CLAIM, seed=3), given=True)
        assert time.monotonic() - begin < 2.5 + 5.0
    assert looks[-1].outputs in (1, 2)


@pytest.mark.parametrize("name", ["whole", "beside_noise", "words"])
def test_outputs_that_give_the_data_away_are_refuted_whatever_they_are(name: str) -> None:
    """Would catch outputs that are rounded to floats: 2**60 + 1 would be 2**60, and nothing refuted."""
    measured = judged(name, timeout=TIMEOUT)
    assert measured.verdict is Verdict.REFUTED
    assert measured.low is not None and measured.low > 4.0


@pytest.mark.parametrize("name", ["noise", "lists", "arrays"])
def test_a_child_gives_the_numbers_of_this_process(name: str) -> None:
    """Would catch streams that are shared, begun again or mixed up between the datasets, and outputs that are lost between batches."""
    here = adapt(load_subject(f"{HARD}:{name}"), name=f"{HARD}:{name}")
    settings = AuditSettings(claim=CLAIM, samples=4000, seed=3)
    assert measured_on(here, PAIR, settings, given=True, subject=here.name) == judged(name)


def test_from_python_a_timeout_asks_for_a_child() -> None:
    """Would catch a function of a test file, or one made in a function, that cannot be sent; and a result that differs."""
    scale = 1.0

    def mechanism(data, rng):  # type: ignore[no-untyped-def]
        return sum(data) + scale * rng.laplace()

    def hangs(data, rng):  # type: ignore[no-untyped-def]
        time.sleep(1000.0)

    asked = {"epsilon": 1.0, "dataset": PAIR[0], "neighbour": PAIR[1], "samples": 2000, "seed": 3}
    assert audit_privacy(mechanism, **asked) == audit_privacy(mechanism, **asked, timeout=60.0)
    with pytest.raises(EndedEarly, match=r"hangs did not return within 0.5 s"):
        assert_private(hangs, **asked, false_alarm=1e-3, timeout=0.5)
    with pytest.raises(ValueError, match=r"timeout = 0.0: must be > 0"):
        audit_privacy(mechanism, **asked, timeout=0.0)
    with pytest.raises(ValueError, match="cannot be sent to another process"):
        audit_privacy(np.nditer(np.zeros(3)), **asked, timeout=1.0)


PARENT = """
import sys, time
from banditproof.audits.isolation.child import Limits, started
from banditproof.audits.isolation.elsewhere import Elsewhere
with started(Limits()) as child:
    mechanism = Elsewhere(child, sys.argv[1]).mechanism()
    child.ask(sys.modules["banditproof.audits.isolation.frames"].Draw(([0.0],), (((5, None),),)))
    while not child.calls:
        time.sleep(0.05)
    print(child.process.pid, flush=True)
    time.sleep(1000)
"""


def test_a_child_that_hangs_does_not_outlive_its_parent() -> None:
    """Would catch an orphan that computes on after kill -9."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, f"{HARD}:is_slow"], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 5.0
    while Path(f"/proc/{child}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()


def test_what_travels_imports_no_code_of_the_users() -> None:
    """Would catch a guarantee of a user's own type, whose import would run the user's code here."""
    assert unpacked(packed(CLAIM)) == CLAIM
    with pytest.raises(ValueError, match=r"states a guarantee or neighbours of a type of its own, subprocess\.Popen"):
        unpacked(packed(subprocess.Popen))


def test_what_is_kept_is_the_beginning_and_not_too_much() -> None:
    kept = Kept()
    kept.add(0, np.zeros((3, 1)))
    kept.add(1, np.ones((2, 2)))
    kept.add(0, np.broadcast_to(0.0, (MOST_KEPT, 1)))
    kept.add(0, np.zeros((1, 1)))
    assert [part.shape for part in kept.outputs()] == [(3, 2), (2, 2)]
    assert len(kept) == 5
    memory = most_memory()
    assert memory is None or 0 < memory < os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
