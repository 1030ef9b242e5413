"""How often the tests of a method repeat: `make test` looks, `make deep` measures."""

import pytest


@pytest.fixture
def seeds(scale) -> range:
    """Seeds in each of which a method must refute its controls."""
    return range(scale.of(2, 20))


@pytest.fixture
def repetitions(scale) -> int:
    """Repetitions of a calibration under an exact null."""
    return int(scale.of(40, 400))
