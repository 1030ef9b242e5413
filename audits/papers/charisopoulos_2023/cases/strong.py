"""charisopoulos_2023: the adversary who sees a whole batch, report by report: which reports are replaced, and by what.

CALLED   batches of reports of one and of several numbers, with NaN, infinities and equal reports, from the kernel in plain Python
PLAYED   what is received in compiled runs of whole batches
"""

import math
from collections.abc import Iterator

import numpy as np

from banditproof.algorithms.environments.strong import StrongAdversary
from banditproof.audits.common.drawn_rewards import in_turn, near
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Table, Wire
from banditproof.randomness import generator, key_of
from banditproof.theory.papers.charisopoulos_2023 import setting

NAN, INF = math.nan, math.inf
ODD = np.array([0.5, NAN, 2.0, -INF, 2.0, INF, -1.0, 0.5, INF, 2.0, -INF, NAN])
# contamination, value: 0.29 of 100 is 29, and what is missing to a whole report may be 1e-9 of one
ADVERSARIES = ((0.3, 0.0), (0.99, -1.5), (0.0, 4.0), (1.0, 0.25), (0.5, 7.0), (0.92, 3.0), (0.75, -2.0))
COUNTS = ((100, 0.29, 29), (100, 0.2899, 28), (7, 0.999, 6), (1, 1.0, 1), (2, 0.5 - 4.5e-10, 1), (2, 0.5 - 5.5e-10, 0), (3, 0.6, 1))


def replaced(reports: Floats, count: int, value: float) -> Floats:
    """The reports (n, m, v) after `count` of them were replaced, each time the first of those whose first number is the largest left."""
    after, left = reports.copy(), [-INF if math.isnan(each) else float(each) for each in reports[:, 0, 0]]
    waiting = list(range(len(left)))
    for _ in range(count):
        user = max(waiting, key=lambda each: (left[each], -each))
        waiting.remove(user)
        after[user] = value
    return after


def _after(adversary: StrongAdversary, reports: Floats) -> Floats:
    """What the kernel leaves of a batch."""
    kept, arms, words = reports.copy(), np.zeros(len(reports), dtype=np.int64), np.zeros(3, dtype=np.uint64)
    adversary.kernel(adversary.setup(), adversary.memory(), 0, words, arms, np.zeros((2, 0)), kept)
    return kept


def _cube(users: int, messages: int, width: int) -> Floats:
    """Reports whose first numbers are odd ones, or drawn."""
    reports = generator(key_of(users, "strong")).normal(size=(users, messages, width))
    if users == len(ODD):
        reports[:, 0, 0] = ODD
    return reports


def _called() -> Iterator[At]:
    for contamination, value in ADVERSARIES:
        for shape in ((len(ODD), 1, 1), (len(ODD), 2, 3), (10, 3, 2)):
            reports = _cube(*shape)
            count = math.floor(round(contamination * 100) * shape[0] / 100)
            shown = {"alpha": contamination, "shape": shape, "value": value}
            yield near(shown, replaced(reports, count, value), _after, StrongAdversary(contamination, value), reports)
    for users, contamination, count in COUNTS:
        reports = _cube(users, 1, 2)
        shown = {"alpha": contamination, "users": users, "count": count}
        yield near(shown, replaced(reports, count, -9.0), _after, StrongAdversary(contamination, -9.0), reports)


def _played() -> Iterator[At]:
    users = len(ODD)
    for contamination, value in ADVERSARIES:
        table = Table(np.tile(ODD[:, None], (1, 2)), means=np.zeros((users, 2)))
        run = in_turn(table, users, key_of(0, "strong", "played"), StrongAdversary(contamination, value))
        after = replaced(ODD[:, None, None], math.floor(round(contamination * 100) * users / 100), value)[:, 0]
        for wire, stated in ((Wire.RECEIVED, after), (Wire.REPORT, ODD[:, None])):
            yield near({"alpha": contamination, "wire": wire.value}, stated, run.wire, wire)


_ID, _LABEL = setting.CORRUPTION_TOTAL.id, "the adversary who sees a whole batch"
AUDITS = (
    Audit(_ID, "points.strong_called", f"{_LABEL}, reports of one and more numbers", Pointwise(_called, "batches of 1 to 100", "distance")),
    Audit(_ID, "points.strong_played", f"{_LABEL}, compiled", Pointwise(_played, f"batches of {len(ODD)} reports", "distance")),
)
