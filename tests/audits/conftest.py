"""How often the tests of a method repeat: `make test` looks, `make deep` measures, and keeps what it measured."""

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from banditproof.audits.running import ledger

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence"


@pytest.fixture
def seeds(scale) -> range:
    """Seeds in each of which a method must refute its controls."""
    return range(scale.of(1, 20))


@pytest.fixture
def repetitions(scale) -> int:
    """Repetitions of a calibration under an exact null."""
    return int(scale.of(40, 400))


@pytest.fixture
def cell(scale, request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """Computes a cell; at full scale it is kept in docs/evidence/, and computed again when the test's file or what it reaches changes."""

    def kept(book: str, modules: tuple[str, ...], name: str, parameters: dict[str, Any], compute: Callable[[], dict[str, Any]]) -> Any:
        if scale.of(True, False):
            return compute()
        today = os.environ.get("EVIDENCE_DATE") or date.today().isoformat()
        return ledger.Ledger(EVIDENCE / f"{book}.json", today, modules, (request.path,)).cell(name, parameters, compute)

    return kept
