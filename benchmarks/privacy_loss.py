"""What a privacy audit costs and reaches: the whole audit beside drawing the same outputs, and its bound on epsilon beside the true loss.

The textbook's bound (plain/privacy_loss.py) trains on a half and counts on the other, with two Clopper-Pearson intervals.
"""

import statistics
from collections.abc import Callable, Sequence

import numpy as np

from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.outputs import Sampler
from banditproof.guarantees import NeighbouringRelation, PureDP
from benchmarks.plain import privacy_loss as plain
from benchmarks.runner.cases import Case, Figure, Scale, TimedCall, Work

LONG = False
SEED, SEEDS, CLAIM = 17, 5, PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)


def _laplace(centre: float) -> Sampler:
    return lambda runs, rng: rng.laplace(centre, 1.0, runs)


def _response(answer: int) -> Sampler:
    keep = np.e / (1 + np.e)
    return lambda runs, rng: np.where(rng.random(runs) < keep, answer, 1 - answer).astype(float)


PAIRS = {"laplace": (_laplace(0.0), _laplace(1.0)), "response": (_response(0), _response(1))}


def cases(scale: Scale) -> Sequence[Case]:
    samples, found = scale.of(2_000_000, 200_000), list[Case]()
    for name, pair in PAIRS.items():
        found += [
            TimedCall(f"{name}_audit", _audit(pair, samples), samples, unit="output", against={f"{name}_draws": None}),
            TimedCall(f"{name}_draws", _draws(pair, samples), samples, unit="output", note="the outputs alone"),
            Figure(f"{name}_bound", _bound(pair, samples), "of the true loss", note=f"median of {SEEDS} seeds"),
            Figure(f"{name}_textbook", _textbook(pair, samples), "of the true loss", note=f"median of {SEEDS} seeds"),
        ]
    return found


def _settings(samples: int, seed: int) -> AuditSettings:
    return AuditSettings(claim=CLAIM, samples=samples, seed=seed)


def _audit(pair: tuple[Sampler, Sampler], samples: int) -> Callable[[], Work]:
    return lambda: lambda: compare(*pair, _settings(samples, SEED))


def _draws(pair: tuple[Sampler, Sampler], samples: int) -> Callable[[], Work]:
    return lambda: lambda: [sampler(samples // 2, np.random.default_rng(SEED)) for sampler in pair]


def _bound(pair: tuple[Sampler, Sampler], samples: int) -> Callable[[], float]:
    return lambda: statistics.median(compare(*pair, _settings(samples, SEED + seed)).low or 0.0 for seed in range(SEEDS))


def _textbook(pair: tuple[Sampler, Sampler], samples: int) -> Callable[[], float]:
    def measured() -> float:
        generators = [np.random.default_rng(SEED + seed) for seed in range(SEEDS)]
        outputs = ([sampler(samples // 2, rng) for sampler in pair] for rng in generators)
        return statistics.median(plain.lower_bound(*each, false_alarm=0.05) for each in outputs)

    return measured
