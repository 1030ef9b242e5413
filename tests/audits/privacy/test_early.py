"""Draws that end early: what is judged, and at which level."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.privacy.comparison import compare_stored
from banditproof.audits.privacy.early import FEWEST, LOOKS, judged_early, look
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP

CLAIM = PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)


@given(st.integers(200, 10**7), st.integers(0, 10**7))
def test_looks_are_few_and_fixed_before_the_draws(samples: int, arrived: int) -> None:
    """Would catch a size that follows the draws: then a crash could choose it, and the level would be no level."""
    sizes = {look(samples, size) for size in range(0, samples // 2, max(samples // 5000, 1))} - {None}
    assert len(sizes) <= LOOKS
    found = look(samples, arrived)
    assert found is None or FEWEST <= found <= min(arrived, samples // 2)
    planned = [int(samples // 2 * 0.9**number) for number in range(LOOKS)]
    assert (found is None) == (arrived < min(size for size in planned if size >= FEWEST))


@pytest.mark.parametrize(("scale", "verdict"), [(0.2, Verdict.REFUTED), (1.0, Verdict.INCONCLUSIVE)])
def test_what_arrived_is_judged_at_the_level_of_one_look(rng: np.random.Generator, scale: float, verdict: Verdict) -> None:
    """Would catch outputs that are judged as if they had been planned, or a width that differs since one side ended on short outputs."""
    dataset, neighbour = rng.laplace(0.0, scale, (1500, 1)), rng.laplace(1.0, scale, (1400, 1))
    settings = AuditSettings(claim=CLAIM, samples=20_000, seed=1, false_alarm=0.05)
    found, size = judged_early((dataset, neighbour), settings, "it crashed"), look(20_000, 1400)
    alone = compare_stored(dataset[:size], neighbour[:size], replace(settings, false_alarm=0.05 / LOOKS))
    assert found is not None
    assert (found.verdict, found.low, found.samples) == (verdict, alone.low, 2 * size)
    assert found.detail["p_value"] == min(1.0, LOOKS * alone.detail["p_value"])
    assert found.detail["ended_early"] == "it crashed"
    assert f"{size:,} outputs of each dataset" in found.assumed[-1]


def test_too_few_outputs_are_not_judged(rng: np.random.Generator) -> None:
    few = rng.laplace(size=(50, 1))
    assert judged_early((few, few), AuditSettings(claim=CLAIM, seed=1), "it crashed") is None
