"""charisopoulos_2023: the adversary of whole batches on drawn ones, in which many users send nothing, beside `transcribed`."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environments.linear_adversary import Attack, LinearAdversary, Positions
from banditproof.audits.common.beside import unbroken
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_parts import compared
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Words
from banditproof.randomness import key_of
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import setting

BATCHES, SILENT = 30, (0.0, 0.5, 0.9, 1.0)
KEY = np.append(key_of(5, "charisopoulos_2023", "attacks"), np.uint64(1))


def attacks(key: Words = KEY) -> Iterator[At]:
    """The reports (n, m, v) of drawn batches after the adversary, who reads the first number of each user and replaces all of them; the
    adversary draws with `key`, of a control."""
    for index, positions, values in product(range(BATCHES), Positions, Attack):
        rng = np.random.default_rng([14, index])
        width, users = 1 + index % 4, 20 + index
        contexts = rng.normal(size=(5, width)) if index % 5 else np.zeros((5, 0))
        vectors = contexts if index % 5 else np.eye(5)
        arms, reports = rng.integers(0, 5, users) ** 2 % 5, rng.normal(size=(users, 1 + index % 2, 2)) * 3.0
        reports[rng.random(users) < SILENT[index % 4], 0, 0] = np.nan
        direction = tuple(rng.normal(size=1 + index % (width + 2)).tolist())
        alpha, size, first = 0.1 * (index % 9) + 0.05, 0.5 * index, 1000 * (index % 3)
        expected = reports.copy()
        attack = transcribed.Attack(alpha, direction, size, positions is Positions.WORST, values is Attack.IMITATE)
        for user, value in attack.struck(vectors, arms, reports[:, 0, 0].copy(), KEY, first):
            expected[user] = value
        adversary = LinearAdversary(alpha, direction, size, positions, values)
        adversary.kernel(adversary.setup(), adversary.memory(), first, key, arms, contexts, reports)
        where: dict[str, Any] = {"batch": index, "positions": positions.value, "values": values.value}
        silent = np.isnan(expected)
        yield from compared(where, silent=(np.isnan(reports), silent))
        yield from compared(where, reports=(np.where(silent, 0.0, reports), np.where(silent, 0.0, expected)))


def _replaced(adversary: LinearAdversary, vectors: Floats, arms: list[int]) -> Floats:
    """What the adversary makes of reports of 0."""
    reports = np.zeros((len(arms), 1, 1))
    adversary.kernel(adversary.setup(), adversary.memory(), 0, KEY, np.array(arms), vectors, reports)
    return reports[:, 0, 0]


def boundaries() -> Iterator[At]:
    """Reports that differ where the ridge decides, and where alpha n is a little below a whole number.

    For arms a = (1, 0) and (1, h), a report each, and u along (1, h + s/h), <u, (M + ridge)^-1 a> has the sign of ridge - s.
    """
    step, size = 1e-3, 3.0
    for factor, sign in ((1.15, -1.0), (1.9, -1.0), (0.9, 1.0), (0.55, 1.0)):
        trace = 2.0 + step**2
        adversary = LinearAdversary(1.0, (1.0, step + factor * 1e-9 * trace / step), size)
        found = _replaced(adversary, np.array([[1.0, 0.0], [1.0, step]]), [0, 1])
        yield At({"ridge": f"1 / {factor} of where the sign turns"}, int(found[0] != sign * size), 0)
    for users, alpha, count in (
        (100, 0.29, 29),
        (10, (3.0 - 1.5e-9) / 10.0, 2),
        (10, (3.0 - 0.9e-9) / 10.0, 3),
        (10, 0.39, 3),
        (7, 1.0, 7),
    ):
        adversary = LinearAdversary(alpha, (1.0,), size, Positions.WORST)
        found = _replaced(adversary, np.array([[1.0], [0.5]]), [0] * users)
        yield At({"users": users, "alpha": alpha}, abs(int((found != 0.0).sum()) - count), 0)


BOUNDARIES = Audit(
    setting.CORRUPTED.id,
    "points.attacks_at_boundaries",
    "LinearAdversary where the ridge and the rounding of alpha n decide",
    Pointwise(unbroken(boundaries), "nine batches", "reports that differ", Sense.AT_MOST),
)
ATTACKS = Audit(
    setting.CORRUPTED.id,
    "points.attacks_replayed",
    f"LinearAdversary on {BATCHES} drawn batches, all positions and values",
    Pointwise(unbroken(attacks), f"{BATCHES} drawn batches", "distance", Sense.AT_MOST),
)
