"""What the tests of papers share with those of the command line."""

from typing import Any

import pytest

from ..audits.cli.conftest import SCHEMA, run

__all__ = ["run"]


@pytest.fixture(scope="session")
def record_schema() -> Any:
    """The JSON Schema of what commands write with --json."""
    return SCHEMA
