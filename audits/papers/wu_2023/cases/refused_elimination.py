"""What the private eliminations refuse, and what at the ends of its range they do not."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.audits.common.beside import accepted, beside, refused
from banditproof.audits.common.step_by_step import Stepwise
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.wu_2023.plain import elimination as plain
from banditproof.guarantees import View
from banditproof.interaction import Floats, NoRandomiser, Pipeline, Table
from banditproof.randomness import key_of
from banditproof.simulation import play
from banditproof.theory.papers.wu_2023 import privacy

_KEY = key_of(0, "wu_2023", "refused_elimination")
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "epsilon": (0.0, -1.0, math.inf, math.nan),
    "view": (View.LOCAL, View.SHUFFLED),
    "mixing": (-1e-9, 1.000001, math.nan),
    "radius_factor": (-1e-9, math.inf, math.nan),
    "threshold_factor": (-1e-9, math.inf, math.nan),
    "failure": (0.0, -0.1, 1.000001, math.nan),
}
_ENDS: dict[str, tuple[Any, ...]] = {
    "view": (View.CENTRAL, View.JOINT, View.WHITE_BOX),
    "mixing": (0.0, 1.0),
    "radius_factor": (0.0,),
    "threshold_factor": (0.0,),
    "failure": (1.0, None, 1e-12),
}
_POSITIVE: tuple[Any, ...] = (0.0, -1.0, math.inf, math.nan)


def refusals() -> Iterator[At]:
    yield from refused({"policy": "raw"}, RobustElimination, {**_OPTIONS, "moment": (1.99, 1.0)}, epsilon=1.0)
    yield from refused({"policy": "raw"}, RobustElimination, {"literal": (True,), "contamination": (-0.1, 0.6)}, epsilon=1.0)
    yield from accepted({"policy": "raw"}, RobustElimination, _ENDS, epsilon=1.0)
    yield from accepted({"policy": "raw"}, RobustElimination, {"literal": (True,)}, epsilon=1.0, contamination=0.1)
    wrong = {
        **_OPTIONS,
        "range": (6.3, math.inf, 1e10),
        "contamination": (0.1331, -0.1),
        "true_contamination": (0.1, 0.0),
        "moment": (1.0,),
    }
    yield from refused({"policy": "central"}, CentralElimination, wrong, epsilon=1.0, range=7.0)
    yield from accepted({"policy": "central"}, CentralElimination, _ENDS, epsilon=1.0, range=7.0)
    yield from accepted({"policy": "central"}, CentralElimination, {"range": (2.0 * math.sqrt(10.0),)}, epsilon=1.0)
    told: dict[str, Any] = {"epsilon": 1.0, "range": 9.0, "contamination": 0.1}
    yield from refused({"policy": "contaminated"}, CentralElimination, {"literal": (True,), "true_contamination": (0.11, -0.1)}, **told)
    yield from accepted(
        {"policy": "contaminated"}, CentralElimination, {"contamination": (0.133,), "true_contamination": (0.0, 0.1)}, **told
    )
    published: dict[str, Any] = {"epsilon": 1.0, "range": 9.0, "reading": Reading.PUBLISHED}
    yield from refused({"policy": "published"}, CentralElimination, {"epsilon": (1.0001,)}, **published)
    names = ("raw_moment", "batch_constant", "cut_constant", "log_constant")
    wrong = {
        "epsilon": _POSITIVE,
        "tail": (0.0, 1.01, math.nan),
        "view": (View.LOCAL,),
        "failure": (0.0, 1.0),
        **dict.fromkeys(names, _POSITIVE),
    }
    yield from refused({"policy": "DPRSE"}, SuccessiveElimination, wrong, epsilon=1.0)
    yield from refused({"policy": "DPRSE"}, SuccessiveElimination, {"log_constant": (0.25,)}, epsilon=1.0)  # log 1 = 0
    yield from accepted({"policy": "DPRSE"}, SuccessiveElimination, {"tail": (1.0, 0.01), "log_constant": (0.26,)}, epsilon=1.0)
    for policy in (RobustElimination(1.0), CentralElimination(1.0, 7.0, threshold_factor=0.0), SuccessiveElimination(1.0)):
        table = np.zeros((40, 2))
        table[29] = math.nan
        yield from refused({"NaN": type(policy).__name__}, _played, {"table": (table,)}, policy=policy, table=np.zeros((40, 2)))


def _played(policy: plain.Policy, table: Floats) -> None:
    shown: Any = Stepwise(policy)
    play(Pipeline(shown, Table(table, np.zeros(table.shape)), NoRandomiser()), horizon=len(table), key=_KEY, stepwise=True)


AUDITS = (beside(privacy.PRIVACY_RAW.id, "eliminations_refuse", "what the eliminations refuse, and what not", refusals, "listed values"),)
