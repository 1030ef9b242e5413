"""How cost grows: with rounds, arms, dimension, runs, outputs, widths and boxes, and memory with rounds.

Each exponent is that of the part which must not grow faster, at sizes where it dominates. A method whose cost is c(n) = n log n, say, is
allowed the exponent that c has at these sizes.
"""

import math
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import sympy

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.mechanisms.tree_sum import TreeSum
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats, Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many, stream
from banditproof.theory.proving.boxes import Budget, Search, verify
from banditproof.theory.proving.families import Family
from banditproof.theory.proving.goals import Goal, Range
from benchmarks.elimination import pareto
from benchmarks.lin_ucb import fixed
from benchmarks.runner.cases import Case, Growth, Scale, Work
from benchmarks.runner.fits import power_of

LONG = False
KEY, SEED, PLANNED_HORIZON, MANY = key_of(17, "benchmark"), 17, 50_000_000, 1_000_000
CLAIM = PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)
PER_ROUND = "a constant cost per round"


def cases(scale: Scale) -> Sequence[Case]:
    least = scale.of(14, 12)
    return [*_rounds(powers(least, least + 4)), *_per_round(scale), *_audits(scale), *_proofs(), *_memory()]


def powers(first: int, last: int, step: int = 1) -> tuple[int, ...]:
    """Powers of two, both exponents included."""
    return tuple(2**power for power in range(first, last + 1, step))


def _rounds(sizes: Sequence[int]) -> list[Growth]:
    many = [4 * size for size in sizes]
    wishart, ten = LinUCB(Noise.WISHART, planned_horizon=PLANNED_HORIZON), Bernoulli(tuple(np.linspace(0.2, 0.8, 10).tolist()))
    pipelines = {
        "lin_ucb": (Pipeline(LinUCB(Noise.NONE), Sphere()), sizes),
        "lin_ucb_fixed": (Pipeline(LinUCB(Noise.NONE), fixed(25, 5)), sizes),
        "lin_ucb_wishart": (Pipeline(wishart, Sphere()), sizes),
        "ucb1": (Pipeline(UCB1(), ten), many),
        "tree_ucb": (Pipeline(TreeUCB(1.0), ten), many),
        "elimination": (Pipeline(RobustElimination(1.0), pareto()), many),
    }
    found = [Growth(f"{name}_rounds", "T", own, _played(pipeline), 1.0, PER_ROUND) for name, (pipeline, own) in pipelines.items()]
    recorded = _played(pipelines["ucb1"][0], (Wire.ARMS, Wire.REWARDS))
    found.append(Growth("recorded_rounds", "T", many, recorded, 1.0, "what a round adds is written once"))
    short = Pipeline(TreeUCB(1.0), Bernoulli((0.5,) * 5))
    return [*found, Growth("runs", "R", many[:4], _runs(short), 1.0, "a constant cost per run")]


def _per_round(scale: Scale) -> list[Growth]:
    rounds = scale.of(8_000, 2_000)

    def by_arms(arms: int) -> Work:
        return _played(Pipeline(LinUCB(Noise.NONE), Sphere(arms=arms)))(rounds)

    def by_dimension(policy: LinUCB) -> Callable[[int], Work]:
        return lambda dimension: _played(Pipeline(policy, Sphere(dimension)))(rounds // 8)

    def ucb1(arms: int) -> Work:
        return _played(Pipeline(UCB1(), Bernoulli(tuple(np.linspace(0.2, 0.8, arms).tolist()))))(10 * rounds)

    def by_dimension_fixed(dimension: int) -> Work:
        return _played(Pipeline(LinUCB(Noise.NONE), fixed(25, dimension)))(rounds // 8)

    dimensions, wishart = (16, 24, 32, 48, 64), LinUCB(Noise.WISHART, planned_horizon=PLANNED_HORIZON)
    return [
        Growth("lin_ucb_arms", "K", powers(5, 9), by_arms, 1.0, "O(K d^2) per round"),
        Growth("lin_ucb_dimension", "d", dimensions, by_dimension(LinUCB(Noise.NONE)), 2.0, "O(K d^2) per round"),
        Growth("lin_ucb_fixed_dimension", "d", powers(4, 7), by_dimension_fixed, 2.0, "O(K d^2) per round"),
        Growth("lin_ucb_wishart_dimension", "d", dimensions, by_dimension(wishart), 3.0, "O(K d^2 + d^3) per round: noise in every entry"),
        Growth("ucb1_arms", "K", powers(5, 9), ucb1, 1.0, "O(K) per round"),
    ]


def _audits(scale: Scale) -> list[Growth]:
    samples, outputs = powers(*scale.of((17, 20), (15, 18))), scale.of(1 << 15, 1 << 13)
    widths, releases = powers(2, 6), powers(8, 12)

    def of_samples(count: int) -> Work:
        return _audit(1, count)

    def of_width(width: int) -> Work:
        return _audit(width, outputs)

    def of_release(width: int) -> Work:
        return lambda: TreeSum(1.0, width).release([1.0] * width, 128, np.random.default_rng(SEED))

    sorting = power_of(lambda size: size * math.log(size), samples)
    return [
        Growth("audit_samples", "n", samples, of_samples, sorting, "O(n log n): outputs are sorted"),
        Growth("audit_width", "w", widths, of_width, 2.0, "O(n w^2): a covariance is fitted"),
        Growth("release_width", "w", releases, of_release, power_of(lambda size: size * math.log(size), releases), "O(w log w): a tree"),
    ]


def _proofs() -> list[Growth]:
    gaps = {_boxes(gap)[0]: gap for gap in (Fraction(1, 2**power) for power in range(4, 10))}
    sizes = tuple(gaps)

    def search(boxes: int) -> Work:
        return lambda: _searched(gaps[boxes])

    def walk(boxes: int) -> Work:
        goal, (_, code) = _goal(gaps[boxes]), _boxes(gaps[boxes])
        return lambda: verify(goal, code)

    return [
        Growth("proof_search", "boxes", sizes, search, 1.0, "each box is tried once"),
        Growth("proof_check", "boxes", sizes, walk, 1.0, "each box is walked once"),
    ]


def _memory() -> list[Growth]:
    pipeline = Pipeline(LinUCB(Noise.NONE), Sphere())

    def peak(rounds: int) -> Callable[[], float]:
        return lambda: traced_peak(lambda: all(block.horizon for block in stream(pipeline, horizon=rounds, key=KEY)))

    return [Growth("stream_memory", "T", powers(16, 19), peak, 0.0, "a run in blocks keeps one block", counts=True)]


def traced_peak(work: Work) -> float:
    """The most bytes that Python and NumPy had allocated in a second call."""
    work()
    tracemalloc.start()
    try:
        work()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _played(pipeline: Pipeline, record: tuple[Wire, ...] = ()) -> Callable[[int], Work]:
    return lambda rounds: lambda: play(pipeline, horizon=rounds, key=KEY, record=record)


def _runs(pipeline: Pipeline) -> Callable[[int], Work]:
    return lambda runs: lambda: play_many(pipeline, horizon=16, key=KEY, runs=runs // 16)


def _audit(width: int, samples: int) -> Work:
    def sampler(centre: float) -> Callable[[int, np.random.Generator], Floats]:
        return lambda runs, rng: rng.laplace(centre, 1.0, (runs, width))

    settings = AuditSettings(claim=replace(CLAIM, epsilon=float(width)), samples=samples, seed=SEED)
    return lambda: compare(sampler(0.0), sampler(1.0), settings)


def _goal(gap: Fraction) -> Goal:
    """(x - y)^2 + gap >= 0 on [1, 2]^2, multiplied out: boxes along the diagonal must be as narrow as the gap."""
    x, y = sympy.symbols("x y")
    side = Range(Fraction(1), Fraction(2), False, False)
    return Goal(x**2 - 2 * x * y + y**2 + sympy.Rational(gap.numerator, gap.denominator), ((x, side), (y, side)))


def _searched(gap: Fraction) -> tuple[int, str]:
    budget = Budget(MANY)
    code = Search(Family(_goal(gap)), budget, strict=False).run()
    if code is None:
        raise RuntimeError(f"gap = {gap}: the search must close all boxes")
    return budget.spent, code


_boxes = cache(_searched)
