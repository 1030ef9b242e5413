"""Compiled code is reused from process to process."""

import os
import subprocess
import sys

import pytest

RUN = """
from banditproof import kernels
from banditproof.audits.running import registry
from banditproof.audits.running.run import run
chosen = [audit for id, audit in registry.audits("auer_2002").items() if not id.endswith("0000")]  # long runs compile nothing more
assert len({audit.method.prefix for audit in chosen}) >= 3, chosen
for timed in run(chosen, false_alarm=0.01, seed=3):
    assert timed.trace == "", timed.trace
print(kernels.compilations())
"""


@pytest.mark.long
def test_a_second_verify_compiles_nothing(tmp_path):
    """Would catch an entry point that numba refuses to cache, or a cache key that changes from process to process."""
    environment = {**os.environ, "BANDITPROOF_CACHE": str(tmp_path)}
    counts = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        counts.append(int(done.stdout.splitlines()[-1]))
    assert counts[0] > 0
    assert counts[1] == 0
