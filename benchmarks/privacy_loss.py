"""What a privacy audit costs and reaches, as ratios within one run: `python benchmarks/privacy_loss.py` (about 20 s).

Time: the whole audit against drawing the same outputs and doing nothing with them. Sharpness: its bound and the textbook's bound (train on
a half, count on the other, two Clopper-Pearson intervals: benchmarks/plain/privacy_loss.py) against the true loss.
"""

import importlib.util
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.guarantees import NeighbouringRelation, PureDP

SAMPLES, REPEATS, SEED = 2_000_000, 5, 17


def _laplace(centre: float):  # type: ignore[no-untyped-def]
    return lambda runs, rng: rng.laplace(centre, 1.0, runs)


def _response(answer: int):  # type: ignore[no-untyped-def]
    keep = np.e / (1 + np.e)
    return lambda runs, rng: np.where(rng.random(runs) < keep, answer, 1 - answer).astype(float)


def _plain():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("plain_privacy_loss", Path(__file__).parent / "plain" / "privacy_loss.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    plain, claim = _plain(), PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)
    compare(_laplace(0), _laplace(1), AuditSettings(claim=claim, samples=1000, seed=SEED))  # imports
    sys.stdout.write(f"{SAMPLES:,} outputs in all, median of {REPEATS}, seeds from {SEED}\n")
    for name, dataset, neighbour in (("laplace, epsilon 1", _laplace(0), _laplace(1)), ("response, epsilon 1", _response(0), _response(1))):
        drawing, auditing, sharp, textbook = [], [], [], []
        for repeat in range(REPEATS):
            rng = np.random.default_rng(SEED + repeat)
            start = time.process_time()
            dataset(SAMPLES // 2, rng), neighbour(SAMPLES // 2, rng)
            drawing.append(time.process_time() - start)
            start = time.process_time()
            result = compare(dataset, neighbour, AuditSettings(claim=claim, samples=SAMPLES, seed=SEED + repeat))
            auditing.append(time.process_time() - start)
            sharp.append(result.low or 0.0)
            textbook.append(plain.lower_bound(dataset(SAMPLES // 2, rng), neighbour(SAMPLES // 2, rng), false_alarm=0.05))
        ratio = statistics.median(auditing) / statistics.median(drawing)
        sys.stdout.write(
            f"{name:20} time / drawing alone {ratio:5.2f}   bound / true loss {statistics.median(sharp):.4f}"
            f"   textbook {statistics.median(textbook):.4f}\n"
        )


if __name__ == "__main__":
    main()
