"""Colours, as a reader at a terminal sees them."""

import os
import pty
import re
import subprocess
import sys

from .conftest import subject


def on_a_terminal(*arguments: str, **variables: str) -> str:
    """What a command writes when both its streams are a terminal of 100 columns."""
    above, below = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "banditproof", *arguments],
        stdin=below,
        stdout=below,
        stderr=below,
        env={**environment, "TERM": "xterm-256color", **variables},
        close_fds=True,
    )
    os.close(below)
    parts = []
    while True:
        try:
            part = os.read(above, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(above)
    assert process.wait() == 0
    return b"".join(parts).decode()


AUDIT = ("audit", "privacy", subject("plain"), "--epsilon", "1", "--dataset", "[0]", "--neighbour", "[1]", "--samples", "20000")


def test_a_terminal_gets_colour_and_a_bar() -> None:
    seen = on_a_terminal(*AUDIT)
    assert "\x1b[32m○ not refuted" in seen
    assert "━" in seen
    assert "Not refuted is not proved" in seen


def test_no_color_is_honoured() -> None:
    """Would catch colours for somebody who cannot read them. Bold and dim are no colours."""
    seen = on_a_terminal(*AUDIT, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|38;|9[0-7])[0-9;]*m", seen)
    assert "○ not refuted" in seen


def test_a_long_answer_goes_through_the_pager_of_a_terminal_and_nowhere_else(tmp_path) -> None:
    """Would catch a pager that is not asked for, or that a pipe has to answer."""
    pager = {"PAGER": "sed s/^/paged:/", "BANDITPROOF_CACHE": str(tmp_path)}
    assert "paged:" in on_a_terminal("theory", "list", "wu_2023", **pager)
    assert "paged:" not in on_a_terminal("theory", "list", "dwork_2006", **pager)
    piped = subprocess.run(
        [sys.executable, "-m", "banditproof", "theory", "list", "wu_2023"], env={**os.environ, **pager}, capture_output=True, text=True
    )
    assert "paged:" not in piped.stdout and piped.returncode == 0
