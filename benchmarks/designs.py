"""What a G-optimal design costs: the interior point method beside Frank-Wolfe in NumPy (plain/designs.py), whose variances are computed
afresh in every step or by rank-one updates; and how many arms approximate designs use, beside their bound.
"""

from collections.abc import Callable, Sequence

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design, support_bound
from banditproof.algorithms.designs.optimal import g_optimal_design
from benchmarks.plain import designs as plain
from benchmarks.runner.cases import Case, Figure, Scale, Target, TimedCall, Work

LONG = False
SEED, MOST, LOOSE = 17, 100_000, 1e-2
KINDS = ("gaussian", "sphere", "condition_1e8")


def arms_of(kind: str, count: int, dimension: int) -> np.ndarray:
    """Arms (K, d)."""
    rng = np.random.default_rng(SEED)
    points = rng.standard_normal((count, dimension))
    if kind == "sphere":
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))
    if kind == "condition_1e8":
        rotation = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
        return np.asarray(points * np.logspace(0.0, -8.0, dimension) @ rotation)
    return points


def cases(scale: Scale) -> Sequence[Case]:
    found: list[Case] = []
    for count, dimension in scale.of(((500, 20), (5000, 40)), ((500, 20),)):
        size = f"k{count}_d{dimension}"
        for kind in KINDS:
            arms = arms_of(kind, count, dimension)
            beside = dict.fromkeys((f"afresh_{size}", f"updates_{size}")) if kind == KINDS[0] else {}
            found.append(TimedCall(f"{kind}_{size}", _ours(arms, LOOSE), 1, unit="design", against=beside, note="to 1 %"))
            found.append(TimedCall(f"{kind}_{size}_1e-6", _ours(arms, 1e-6), 1, unit="design", note="to 1e-6"))
        arms = arms_of(KINDS[0], count, dimension)
        for name, method in {"afresh": plain.frank_wolfe, "updates": plain.frank_wolfe_by_updates}.items():
            found.append(TimedCall(f"{name}_{size}", _plain(method, arms), 1, unit="design", slow=True, note="Frank-Wolfe, to 1 %"))
    target = Target(at_most=1.0, source="support_bound: 4 d max(log log d, 0) + 16")
    return [*found, *(Figure(f"support_d{size}", _support(size), "of the bound", target) for size in (2, 3, 5, 10, 20, 40))]


def _ours(arms: np.ndarray, tolerance: float) -> Callable[[], Work]:
    return lambda: lambda: g_optimal_design(arms, tolerance)


def _plain(method: Callable[..., object], arms: np.ndarray) -> Callable[[], Work]:
    return lambda: lambda: method(arms, LOOSE, MOST)


def _support(dimension: int) -> Callable[[], float]:
    """The largest support of approximate designs for K = 2 d, 10 d and 50 d."""

    def measured() -> float:
        sizes = [approximate_g_design(arms_of(kind, factor * dimension, dimension)) for kind in KINDS for factor in (2, 10, 50)]
        return max(design.support.size for design in sizes) / support_bound(dimension)

    return measured
