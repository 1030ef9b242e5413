"""What every test shares: the scale of its evidence, Hypothesis profiles, randomness of its own, and no skips.

    pytest             quick scale, profile `ci` (the same 50 examples in every run)
    pytest --deep      the heavy evidence: larger samples, profile `deep` (1000 examples), and the tests marked `deep`

A property test (`@given`) takes its seed from a strategy, not from the fixtures `seed` and `rng`: Hypothesis rightly refuses fixtures
that would be shared by all examples.
"""

import gc
import hashlib
import os
import tempfile
from collections.abc import Generator
from enum import Enum
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import settings

from tests.support.caches import own_cache

T = TypeVar("T")

# The interpreter looks through all objects again and again, of which 15,000 tests, the theorems and the kernels are millions: of making the
# syntax trees of the package that took three quarters. With this many new ones in between it looks a tenth as often.
gc.set_threshold(50_000, 20, 50)

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=50, print_blob=True)
settings.register_profile("deep", derandomize=True, deadline=None, max_examples=1000, print_blob=True)


class Scale(Enum):
    """How much evidence a test collects. `scale.of(200, 400)` is 200 in `make test` and 400 in `make deep`."""

    QUICK = "quick"
    DEEP = "deep"

    def of(self, quick: T, deep: T) -> T:
        return deep if self is Scale.DEEP else quick


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the heavy evidence at full scale, and the tests marked deep")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "deep: runs under --deep only; its quick counterpart runs always")
    config.addinivalue_line("markers", "long: half a minute or so; begins first, lest one worker waits for another at the end")
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("deep" if config.getoption("--deep") else "ci")
    folder = tempfile.TemporaryDirectory(prefix="banditproof-tests-")  # no test reads or writes the user's ledger
    config.add_cleanup(folder.cleanup)
    os.environ["BANDITPROOF_CACHE"] = own_cache(Path(folder.name))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--deep"):
        deep = [item for item in items if item.get_closest_marker("deep")]
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if not item.get_closest_marker("deep")]
    items[:] = long_first(items)


def long_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """The items with the long ones at the beginning of either half: two workers begin with a half each."""
    long = [item for item in items if item.get_closest_marker("long")]
    rest = [item for item in items if not item.get_closest_marker("long")]
    one, two = long[::2], long[1::2]
    middle = max(0, len(items) // 2 - len(one))
    return one + rest[:middle] + two + rest[middle:]


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the interpreter need not look whether it can go."""
    gc.collect()
    gc.freeze()


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """A skipped test is a failure turned into a default (a missing dependency above all). An expected failure is no skip."""
    if report.outcome == "skipped" and getattr(report, "wasxfail", None) is None:
        report.outcome = "failed"
        report.longrepr = f"skipped, which no test here may do: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture
def scale(request: pytest.FixtureRequest) -> Scale:
    """Scale.QUICK, or Scale.DEEP under --deep."""
    return Scale.DEEP if request.config.getoption("--deep") else Scale.QUICK


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A seed of this test's own: a hash of its node id, so that no test's numbers depend on which tests ran before it."""
    return int.from_bytes(hashlib.sha256(request.node.nodeid.encode()).digest()[:6], "little")


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """An independent generator of this test's own, seeded by its node id."""
    return np.random.default_rng(seed)
