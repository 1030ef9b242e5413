"""What a sampler may give, how outputs get one width, and where their random numbers come from."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.outputs import CONFIRM, SELECT, TRAIN, Sampled, Stored, as_outputs, to_width
from banditproof.audits.privacy.plan import splits
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import MARK

CLAIM = PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)


def noisy(answer: float, width: int | None = None):
    """Laplace noise of scale 1."""
    shape = (lambda runs: runs) if width is None else (lambda runs: (runs, width))
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, shape(runs))


def audited(first: Any, second: Any, **settings: Any) -> Measurement:
    return compare(first, second, AuditSettings(**settings))


WANTED = "must be an array of shape (3,) or (3, width), or a sequence of 3 outputs"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, f"outputs of type NoneType: {WANTED}"),
        ("abc", f"outputs of type str: {WANTED}"),
        ([1.0, "2", object()], f"outputs of type list: {WANTED} (one of them is of type object)"),
        ([1.0, 2.0], f"outputs of type list: {WANTED}"),
        (["1", "2"], f"outputs of type list: {WANTED}"),
        (np.zeros((3, 2, 2)), f"outputs of shape (3, 2, 2): {WANTED}"),
        (np.zeros((3, 0)), f"outputs of shape (3, 0): {WANTED}"),
        (1.0, f"outputs of shape (): {WANTED}"),
    ],
)
def test_what_is_no_output_is_refused_in_one_line(values: Any, message: str) -> None:
    """Would catch a text that is taken for three outputs, and an output without a form that is left out."""
    with pytest.raises(ValueError, match=r".") as caught:
        as_outputs(values, 3)
    assert str(caught.value) == message
    with pytest.raises(ValueError, match="outputs of"):
        audited(lambda runs, rng: values, noisy(1.0), claim=CLAIM, seed=1)


@pytest.mark.parametrize(
    "values", [[1, 2, 3], [True, False, True], np.arange(3, dtype=np.uint8), [2**70, 1, 0], np.zeros(3, dtype=np.float16), [math.nan] * 3]
)
def test_whole_numbers_and_truths_are_outputs(values: Any) -> None:
    found = as_outputs(values, 3)
    assert found.shape == (3, 1) and found.dtype == float
    assert found[:, 0] == pytest.approx([float(value) for value in values], nan_ok=True)


def test_sequences_that_end_early_are_padded_and_longer_ones_are_cut() -> None:
    """Would catch a width that changes between cells: cutting and padding work row by row, so no event gains by them."""

    def lengths(longest: int):
        def draw(runs: int, rng: np.random.Generator) -> Floats:
            return rng.normal(size=(runs, int(rng.integers(1, longest))))  # one length a cell

        return draw

    result = audited(lengths(4), lengths(4), claim=CLAIM, samples=400_000, seed=3, false_alarm=1e-4)
    assert result.verdict is not Verdict.REFUTED
    assert to_width(np.ones((2, 3)), 2).tolist() == [[1, 1], [1, 1]]
    assert to_width(np.ones((2, 1)), 3).tolist() == [[1, MARK, MARK], [1, MARK, MARK]]


def test_every_part_has_random_numbers_of_its_own() -> None:
    """Would catch sides that share a generator (their outputs would be coupled), roles that share one, and cells that repeat."""
    firsts: list[float] = []

    def noted(runs: int, rng: np.random.Generator) -> Floats:
        values = rng.random(runs)
        firsts.append(float(values[0]))
        return values

    for seed, path in itertools.product((1, 2), ((), ("a",), ("a", "b"), ("train",), ("0",))):
        for role, side in itertools.product((TRAIN, SELECT, CONFIRM), (0, 1)):
            assert sum(len(cell) for cell in Sampled((noted, noted), seed, path).draws(role, side, 140_000)) == 140_000
    assert len(firsts) == 2 * 5 * 6 * 3
    assert len(set(firsts)) == len(firsts)


@given(st.integers(100, 3_000), st.integers(100, 3_000), st.integers(0, 10))
def test_stored_outputs_are_used_once(many: int, more: int, seed: int) -> None:
    """Would catch parts that overlap, which would count the outputs that an event was fitted to."""
    source = Stored((np.arange(many, dtype=float)[:, None], np.arange(more, dtype=float)[:, None]), seed)
    parts = splits(2 * min(many, more))
    for side, outputs in enumerate(source.outputs):
        found = [
            np.concatenate(list(source.draws(role, side, runs)))[:, 0]
            for role, runs in ((TRAIN, parts.train // 2), (SELECT, parts.select // 2), (CONFIRM, len(outputs)))
        ]
        assert [len(part) for part in found[:2]] == [parts.train // 2, parts.select // 2]
        together = np.concatenate(found)
        assert len(set(together.tolist())) == len(together) == len(outputs)
