"""Charisopoulos et al. 2023, worked by hand from the original text, and the identities of the proofs in several dimensions."""

import math

import numpy as np
import pytest
from scipy import stats

from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.charisopoulos_2023 import confidence, designs, elimination, first_model, second_model
from banditproof.theory.papers.charisopoulos_2023 import filter as filtering

DELTA = repr(math.exp(-4))  # log(1/delta) = 4
HALVED = repr(2 * math.exp(-4))  # log(2/failure) = 4
UNIT = {"corruption_constant": 1, "noise_constant": 1}


def close(theorem, value, rel=1e-12, **known):
    assert theorem.at(**known).bound == pytest.approx(value, rel=rel)


def test_designs():
    """Would catch d log d, and counts that round down or leave out nu."""
    close(designs.SUPPORT_BOUND, 20 * math.log(math.log(10)), dimension=10, design_constant=2)
    close(designs.SUPPORT_FOR_CODE, 40 * math.log(math.log(10)) + 16, dimension=10)
    assert [designs.SUPPORT_FOR_CODE.at(dimension=d).bound for d in (1, 2)] == [16, 16]
    close(designs.FRANK_WOLFE, 1 / 3, dimension=2, design_leverage=4)
    close(designs.DETERMINANT_GAIN, 4 / 3, dimension=2, design_leverage=4)  # (4/2)^2 * (1/3)
    close(designs.AWAY_LIMIT, -0.25, active_weight="0.2")
    assert designs.COUNT_FIRST.at(size="7.5", active_weight="0.3").bound == 3  # 2.25
    assert designs.COUNT_FIRST.at(size=10, active_weight="0.3").bound == 3  # 3 exactly
    assert designs.COUNT_SECOND.at(size="7.5", active_weight="0.3", truncation_parameter="0.5").bound == 4  # 3.75
    close(designs.PLAYS_SECOND, 100 * 1.5 + 5, size=100, support=5, truncation_parameter="0.1")


def test_filter():
    close(filtering.LEAST_CORRUPTION, 0.08, rel=1e-9, samples=100, failure=DELTA, assumption_constant=2)
    # sqrt(4) * sqrt(3/100 + 4/100)
    known = {"samples": 100, "outliers": 3, "failure": DELTA, "filter_scale": 4, "good_covariance": 4, "filter_constant": 3}
    close(filtering.FILTER_QUOTED, 6 * math.sqrt(0.07), rel=1e-9, **known, filter_limit="0.08")
    with pytest.raises(HypothesisFails, match="few_outliers"):
        filtering.FILTER_QUOTED.at(**known, filter_limit="0.06")
    known = {"samples": 100, "corruption": "0.04", "failure": DELTA}
    close(filtering.INLIER_FRACTION, 0.04, rel=1e-9, **known, chernoff_constant="0.5")
    with pytest.raises(HypothesisFails, match="enough_reports"):
        filtering.INLIER_FRACTION.at(**known, chernoff_constant=2)
    close(filtering.COVARIANCE_SUBSTITUTED, 0.0625, leverage="0.1", report_norm=5, samples=100, corruption="0.2", failure="0.5")
    known = {"leverage": 1, "report_norm": 5, "corruption": "0.2", "inliers": 10, "failure": DELTA}
    close(filtering.MEAN_SHIFT_BOUND, 0.4, rel=1e-9, **known, vector_constant=1)  # 5 * 0.4 * 2/10
    close(filtering.MEAN_SHIFT_EXPLICIT, 1.0, rel=1e-9, **known, largest_report="0.5")  # 5 * 0.4 * (1 + 4)/10
    with pytest.raises(HypothesisFails, match="range_of_t"):
        filtering.MEAN_SHIFT_EXPLICIT.at(**known, largest_report=1)


def test_proposition():
    known = {"leverage": "0.1", "report_norm": 10, "samples": 100, "corruption": "0.04", "failure": HALVED, "noise_sum": "0.3"}
    known |= {"filter_scale": 1, "good_covariance": 1, "confidence_constant": 2}
    # sqrt(alpha L/n) = 0.04, sqrt(alpha L) = 0.4: 2 * (0.1 * 10 * (10 * sqrt(0.08) + 0.4) + 0.3 + 0.04)
    close(confidence.CONFIDENCE, 2 * (10 * math.sqrt(0.08) + 0.4 + 0.34), rel=1e-9, **known, assumption_constant="0.5")
    with pytest.raises(HypothesisFails, match="assumption_a1"):
        confidence.CONFIDENCE.at(**known, assumption_constant=2)
    close(confidence.SCALE_OBSERVED, 0.9, leverage="0.1", observed_norm=30, samples=100)
    known = {"leverage": "0.1", "failure": DELTA, "epsilon": 2, "maximum_constant": 1}
    close(confidence.SCALE_RANGE_FIRST, 12.1, rel=1e-9, samples=1, **known)  # (1 + 2 + 8)^2/10
    close(confidence.SCALE_RANGE_SECOND, 1.6, rel=1e-9, support=1, size=40, truncation_parameter="0.1", **known)  # (1 + 1 + 2)^2/10


def test_first_model():
    known = {"failure": HALVED, "arm_norm": "0.5", "epsilon": 2}
    close(first_model.NOISE_SUM_FIRST, 4.0, rel=1e-9, **known, reward_constant=3, laplace_constant=1)  # 0.5 * 2 * (3 + 2/2)
    known = {"failure": repr(4 * math.exp(-2)), "arm_norm": 1, "epsilon": 1}  # l = 2: 2 + 2 max(4, 4 sqrt(2) |b|_inf)
    close(first_model.NOISE_SUM_FIRST_EXPLICIT, 10.0, rel=1e-9, **known, largest_coefficient="0.5")
    close(first_model.NOISE_SUM_FIRST_EXPLICIT, 2 + 8 * math.sqrt(2), rel=1e-9, **known, largest_coefficient=1)
    close(first_model.REPORT_NORM_FIRST, 1 + 2 * 3 + 8, rel=1e-9, samples=1, failure=DELTA, epsilon=2, maximum_constant=3)
    close(first_model.FIRST_LOSS, 1.5, epsilon="0.5", reward_change=6)
    # q^i/delta = e^9, d = 4, alpha = 0.01, epsilon = 3: private 3 + 9/3, second sqrt(16 e^-5) (1 + 2/3)
    known = {"size": repr(math.exp(5)), "dimension": 4, "corruption": "0.01", "epsilon": 3, "failure": DELTA, **UNIT}
    second = 20 / 3 * math.exp(-2.5)
    close(first_model.THRESHOLD_FIRST, 2 * 6 * 0.12 + 0.01 + second, rel=1e-9, **known)
    close(first_model.THRESHOLD_FIRST_INTERVAL, 4 * (0.1 + 0.2 * math.exp(-2.5)) * 7 + second + 0.01, rel=1e-9, **known)


def test_second_model():
    known = {"size": 100, "truncation_parameter": "0.01", "dimension": 4, "corruption": "0.01", "epsilon": 2, "failure": DELTA, **UNIT}
    # nu m = 1, k = 1: 4 (1 + 2/2) + 8 (1 + 2 + 2) (0.1 + 0.2) + 0.01
    close(second_model.THRESHOLD_SECOND, 20.01, rel=1e-9, support=1, **known)
    close(second_model.THRESHOLD_SECOND_LINE, 17.61, rel=1e-9, support=1, **known)
    more = 4 + math.log(4)  # k = 4: sqrt(k alpha) = 0.2
    close(second_model.THRESHOLD_SECOND, 8 + 8 * (1 + math.sqrt(more) + more / 2) * 0.4 + 0.01, rel=1e-9, support=4, **known)
    known = {"arm_norm": 2, "size": 400, "truncation_parameter": "0.01", "epsilon": 2, "failure": HALVED}
    close(second_model.NOISE_SUM_SECOND, 2 * (3 + 0.5), rel=1e-9, **known, reward_constant=3, laplace_constant=1)
    close(second_model.OWNER_LOSS, 25, epsilon="0.5", reward_change=2, arm_plays=50)


def test_elimination():
    close(elimination.SIZE_OF, 1000.0, horizon=10_000, batches=4, batch_index=3)
    close(elimination.ROUND_FAILURE_OF, 0.5 / 2 / 100, failure="0.5", arms=2, horizon=10)
    assert elimination.BATCH_REGRET_BOUND.at(batch_plays=10, elimination_threshold=1).bound == 20
    close(elimination.BATCH_REGRET_BOUND, 4, batch_plays=10, elimination_threshold="0.1")


# --- in several dimensions, and exactly -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 3])
def test_decomposition_in_vectors(dimension):
    """(37), (41) with a minus sign, the display after it, (43), (33) and mu n >= d: would catch a term that one dimension cannot show."""
    rng = np.random.default_rng(dimension)
    for _ in range(50):
        rows, theta, a, w = (rng.normal(size=shape) for shape in ((12, dimension), dimension, dimension, dimension))
        y, kept, alpha = rng.normal(size=12), rng.random(12) < 0.8, 0.2
        if not kept.any():
            continue
        gram = rows.T @ rows
        values, vectors = np.linalg.eigh(gram)
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        points = (rows * y[:, None]) @ root
        good, clean, inliers, n = points[kept].mean(axis=0), points.mean(axis=0), kept.sum(), 12
        robust, fitted = n * root @ w, np.linalg.solve(gram, rows.T @ y)
        least = np.linalg.solve(gram, rows[kept].T @ y[kept])
        noise = a @ np.linalg.solve(gram, rows.T @ (y - rows @ theta))
        whitened = root @ a
        assert a @ (robust - least) == pytest.approx(whitened @ (n * (w - good)) + (n - inliers) * whitened @ good)
        first = whitened @ (inliers * (good - n * (1 - alpha) / inliers * clean))
        assert a @ (least - fitted) == pytest.approx(first - n * alpha * whitened @ clean)
        assert n * alpha * whitened @ clean == pytest.approx(alpha * a @ theta + alpha * noise)
        assert a @ (fitted - theta) == pytest.approx(noise)
        leverage = np.einsum("ij,jk,ik->i", rows, np.linalg.inv(gram), rows).max()
        assert leverage * n >= dimension * (1 - 1e-12)
        top = np.linalg.eigvalsh(np.atleast_2d(np.cov(points[kept].T, bias=True))).max()
        bound = filtering.GOOD_COVARIANCE_BOUND.at(
            leverage=float(leverage), good_report_norm=float(np.linalg.norm(y[kept])), inliers=int(inliers)
        )
        assert top <= bound.bound * (1 + 1e-9)


def test_binomial_tail_of_lemma_a3():
    """(30) exactly, at n = 10,000: above delta as printed, below it with the explicit constants."""
    n, alpha, delta = 10_000, 0.1, 0.01

    def tail(width):
        below, above = math.ceil(n * (alpha - width)) - 1, math.floor(n * (alpha + width))
        return stats.binom.sf(above, n, alpha) + stats.binom.cdf(below, n, alpha)

    known = {"samples": n, "corruption": "0.1", "failure": "0.01"}
    printed = filtering.INLIER_FRACTION.at(**known, chernoff_constant=1).bound
    assert tail(printed) > 2 * delta
    assert tail(filtering.INLIER_FRACTION_EXPLICIT.at(**known).bound) < delta


def test_plays_in_all_are_too_many_for_lemma_3_2():
    """Would catch a design of the step total_plays that is not approximate: d = 3, 3 unit vectors and 9 short ones."""
    rng = np.random.default_rng(3)
    short = 1e-6 * rng.normal(size=(9, 3))
    arms, weights = np.vstack([np.eye(3), short]), np.r_[np.full(3, 1 / 6), np.full(9, 1 / 18)]
    leverage = lambda counts: np.einsum("ij,jk,ik->i", arms, np.linalg.inv(arms.T * counts @ arms), arms).max()  # noqa: E731
    counts = np.ceil(6 * weights - 1e-9)
    assert leverage(weights) <= 6 and leverage(counts) == pytest.approx(1, abs=1e-9)
    assert counts.sum() == 12 and leverage(counts) > 2 * 3 / 12
    assert leverage(counts) <= first_model.LEVERAGE_FIRST.at(dimension=3, size=6).bound


def test_coreset_without_the_best_action():
    """Would catch a derivation of restricted_to_coreset whose design is not optimal."""
    best = np.array([0.5, math.sqrt(0.75)])
    arms = np.vstack([np.eye(2), best])
    norms = np.einsum("ij,jk,ik->i", arms, np.linalg.inv(np.eye(2) / 2), arms)
    assert norms.max() == pytest.approx(designs.G_OPTIMAL.at(dimension=2).bound)
    assert 1 - (np.eye(2) @ best).max() == pytest.approx(1 - math.sqrt(0.75))


def test_laplace_sum_covers():
    """Explicit Lemma 3.1 against the exact tail of one Laplace variable of scale 2/epsilon: would catch a half-sized constant."""
    for failure in ("0.5", "0.1", "0.001"):
        known = {"arm_norm": 1, "largest_coefficient": 1, "epsilon": 2, "failure": failure}
        reach = first_model.NOISE_SUM_FIRST_EXPLICIT.at(**known).bound - math.sqrt(2 * math.log(4 / float(failure)))
        assert math.exp(-reach) <= float(failure) / 2
