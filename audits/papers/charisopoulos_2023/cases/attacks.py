"""charisopoulos_2023: the adversary of whole batches on drawn ones, in which many users send nothing, beside `transcribed`."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environments.linear_adversary import Attack, LinearAdversary, Positions
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_parts import compared
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_runs import unbroken
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Words
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


ATTACKS = Audit(
    setting.CORRUPTED.id,
    "points.attacks_replayed",
    f"LinearAdversary on {BATCHES} drawn batches, all positions and values",
    Pointwise(partial(unbroken, attacks), f"{BATCHES} drawn batches", "distance", Sense.AT_MOST),
)
