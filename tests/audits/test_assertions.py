"""The assertions: each passes on the truth, fails on a planted error, and fails on a sample that could not have told."""

import math
import pickle
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.assertions import (
    AuditAssertionError,
    assert_covers,
    assert_mean_at_most,
    assert_median_equals,
    assert_private,
    assert_regret_within,
)
from banditproof.audits.front_door import audit_privacy
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import binomial_quantile
from banditproof.guarantees import NeighbouringRelation, View
from banditproof.interaction import Floats, Pipeline
from banditproof.mechanism import Neighbours

SURELY = 1e-6
PIPELINE = Pipeline(UCB1(), Bernoulli((0.9, 0.4)))


def laplace_at(centre: float, scale: float = 1.0):
    return lambda runs, rng: centre + rng.laplace(0.0, scale, runs)


def noisy_sum(data: Sequence[float], rng: np.random.Generator) -> float:
    return sum(data) + rng.laplace(0.0, 1.0)


def private(subject, **values):
    return assert_private(subject, **{"samples": 60_000, "false_alarm": SURELY, "seed": 1, "must_detect": 1.5, **values})


def test_private_passes_on_the_truth_in_every_form() -> None:
    """At a false-alarm rate of 1e-6 each; would have caught epsilon = 1.5 with probability at least 90 %."""
    private((laplace_at(0.0), laplace_at(1.0)), epsilon=1.0)
    private(Laplace(1.0), epsilon=1.0)
    private(Laplace(1.0), epsilon=1.0, dataset=[0.0], neighbour=[1.0])
    found = private(noisy_sum, epsilon=1.0, dataset=[0.0, 1.0], neighbour=[1.0, 1.0])
    assert found.verdict is Verdict.NOT_REFUTED
    assert privacy_witness(found.measured).dataset == [0.0, 1.0]
    private((laplace_at(0.0), laplace_at(1.0)), epsilon=0.7, delta=0.2, must_detect=1.4)
    gaussian = (lambda runs, rng: rng.normal(0.0, 1.0, runs), lambda runs, rng: rng.normal(1.0, 1.0, runs))
    private(gaussian, mu=1.0)


@pytest.mark.parametrize("subject", [(laplace_at(0.0, 0.5), laplace_at(1.0, 0.5)), Laplace(2.0)])
def test_private_fails_on_half_the_noise_and_explains(subject) -> None:
    with pytest.raises(AssertionError) as failure:
        private(subject, epsilon=1.0)
    text = str(failure.value)
    assert text.startswith("refuted:") and "epsilon >= 1." in text and "Seed 1" in text and "output[0]" in text
    assert "\n" not in text


def test_assert_private_fails_where_the_sample_is_too_small_to_decide() -> None:
    """Would catch a test that passes because it is too small."""
    sides = (laplace_at(0.0), laplace_at(1.0))
    with pytest.raises(AssertionError, match=r"^inconclusive: would have missed epsilon = 1\.1: .*would do"):
        private(sides, epsilon=1.0, samples=400, must_detect=1.1)
    found = private(sides, epsilon=1.0, samples=400, must_detect=1.1, allow_inconclusive=True)
    assert found.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"epsilon": 1.0, "mu": 1.0}, "epsilon = 1, mu = 1: must be of one privacy definition"),
        ({"delta": 0.1}, "delta = 0.1: goes with epsilon"),
        ({"view": View.LOCAL}, "view = local: Laplace releases what the central view sees"),
        ({"relation": NeighbouringRelation.ADD_OR_REMOVE}, "relation = add_or_remove: Laplace states its guarantee for query_sensitivity"),
        ({"mu": 1.0, "delta": 0.1}, "delta = 0.1: goes with epsilon"),
        ({"epsilon": -1.0}, "epsilon = -1.0: must be > 0"),
        ({"epsilon": math.nan}, "epsilon = nan"),
        ({"epsilon": 1.0, "dataset": [0.0]}, "give both neighbours"),
        ({"epsilon": 1.0, "dataset": [0.0], "neighbour": [3.0]}, "distance 3 must be <= 1"),
        ({"epsilon": 1.0, "false_alarm": 0.0}, "false_alarm = 0.0"),
        ({"epsilon": "1"}, "epsilon = '1': must be a number"),
        ({"epsilon": 10**400}, "epsilon: must be at most"),
        ({"relation": "nonsense"}, "relation = 'nonsense': must be one of replace_round"),
        ({"view": "nonsense"}, "view = 'nonsense': must be one of local"),
        ({"samples": math.nan}, "samples = nan: must be an integer >= 200"),
        ({"samples": "5"}, "samples = '5': must be an integer >= 200"),
        ({"seed": -1}, "seed = -1: must be an integer >= 0"),
        ({"must_detect": 1.0}, "must_detect = 1.0: must be > the claimed 1, and finite"),
        ({"must_detect": math.inf}, "must_detect = inf: must be > the claimed 1, and finite"),
    ],
)
def test_private_refuses_a_claim_that_is_none(values: dict[str, object], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        private(Laplace(1.0), **values)


def test_numbers_and_names_of_any_library_are_taken() -> None:
    """Would catch a relation given by its value that is compared with nothing, so that any two datasets are neighbours; and NumPy's."""
    asked = {"epsilon": Fraction(1, 2), "samples": np.int64(2_000), "seed": np.uint8(1)}
    found = audit_privacy(noisy_sum, dataset=[0.0, 0.0], neighbour=[1.0, 0.0], relation="replace_record", **asked)
    again = audit_privacy(noisy_sum, dataset=[0.0, 0.0], neighbour=[1.0, 0.0], epsilon=0.5, samples=2_000, seed=1)
    assert found.measured == again.measured
    with pytest.raises(ValueError, match=r"differ in rows \[0, 1\], must differ in one \(replace_record\)"):
        audit_privacy(noisy_sum, dataset=[0.0, 0.0], neighbour=[1.0, 1.0], relation="replace_record", **asked)
    with pytest.raises(ValueError, match="relation = 'replace_record': must be a NeighbouringRelation"):
        Neighbours("replace_record")  # type: ignore[arg-type]


def test_private_takes_the_guarantee_that_the_object_states() -> None:
    """Would catch assertions that ask for the epsilon of an object which states it, and numbers that do not replace the stated ones."""
    stated = private(Laplace(1.0)).measured
    assert stated == private(Laplace(1.0), epsilon=1.0).measured
    assert stated.claimed == 1.0
    with pytest.raises(AuditAssertionError, match=r"^refuted: .*Claimed: epsilon at most 1\."):
        private(Laplace(2.0), epsilon=1.0)
    with pytest.raises(ValueError, match=r"^epsilon is missing: give epsilon .* or mu; noisy_sum states no guarantee$"):
        private(noisy_sum, dataset=[0.0], neighbour=[1.0])


def test_the_errors_carry_the_result() -> None:
    """Would catch an error from which a test cannot read the witness, and one that does not travel between processes."""
    with pytest.raises(AuditAssertionError) as failure:
        private(Laplace(2.0), epsilon=1.0)
    result = failure.value.result
    assert result.verdict is Verdict.REFUTED and result.seed == 1
    assert AuditResult.from_json(result.to_json()).to_json() == result.to_json()
    again = pickle.loads(pickle.dumps(failure.value))
    assert str(again) == str(failure.value) and again.result == result
    with pytest.raises(AuditAssertionError) as failure:
        covers(0.2)
    assert failure.value.result.verdict is Verdict.REFUTED
    with pytest.raises(AuditAssertionError) as failure:
        within(250.0)
    assert failure.value.result.verdict is Verdict.VACUOUS
    for call in (
        lambda: assert_median_equals(np.ones(100), 0.0, false_alarm=0.05),
        lambda: assert_mean_at_most(np.ones(100), 0.1, false_alarm=0.05),
    ):
        with pytest.raises(AuditAssertionError) as failure:
            call()
        assert failure.value.result.measured.samples == 100


def test_two_samplers_take_no_data() -> None:
    with pytest.raises(ValueError, match="two samplers have theirs"):
        private((laplace_at(0.0), laplace_at(1.0)), epsilon=1.0, dataset=[0.0], neighbour=[1.0])


def covers(true: float, **values):
    options = {"failure": 0.1, "must_detect": 0.15, "runs": 6_000, "false_alarm": SURELY, "seed": 2, "rule": "a coin shows heads"}
    return assert_covers(lambda runs, rng: rng.random(runs) < true, **{**options, **values})


def test_covers_passes_on_the_truth_and_fails_on_a_planted_error() -> None:
    assert design.detectable_failure(0.1, runs=6_000, false_alarm=SURELY) < 0.15
    assert covers(0.1).verdict is Verdict.NOT_REFUTED
    assert covers(0.02).verdict is Verdict.NOT_REFUTED
    with pytest.raises(AssertionError, match=r"^refuted: .*Claimed: failure at most 0\.1\..*Rule: a coin shows heads\..*Seed 2"):
        covers(0.2)
    assert covers(0.1, exactly=True).verdict is Verdict.NOT_REFUTED
    with pytest.raises(AssertionError, match="exactly"):
        covers(0.02, exactly=True)
    with pytest.raises(AssertionError, match="inconclusive"):
        covers(0.1, runs=100)
    assert covers(0.1, runs=100, allow_inconclusive=True).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("failure", "must_detect"), [(0.1, 0.1), (0.1, 0.05), (0.0, 0.1), (math.nan, 0.1), (0.1, math.nan), (0.6, 1.5)])
def test_covers_needs_something_to_detect(failure: float, must_detect: float) -> None:
    with pytest.raises(ValueError, match="must satisfy 0 < failure < must_detect <= 1"):
        covers(0.1, failure=failure, must_detect=must_detect)


def test_covers_counts_whole_runs_and_no_masks() -> None:
    """As it was found: a bare TypeError of `range`, and failures under a mask that were counted."""
    for runs in (5e3, 0, True):
        with pytest.raises(ValueError, match=f"runs = {runs}: must be an integer >= 1"):
            covers(0.1, runs=runs)
    with pytest.raises(ValueError, match="failures: are a masked array"):
        assert_covers(lambda runs, rng: np.ma.masked_all(runs, dtype=bool), failure=0.1, must_detect=0.2, runs=10, seed=1)


def within(bound: float, **values):
    options = {"horizon": 500, "must_detect": 1.5 * bound, "runs": 200, "false_alarm": SURELY, "seed": 3, "largest_gap": 0.5}
    return assert_regret_within(PIPELINE, **{**options, "bound": bound, **values})


def test_regret_within_refuses_what_is_no_pipeline_and_no_count() -> None:
    """Would catch Python's own words about an attribute that a policy does not have."""
    for pipeline in (UCB1(), UCB1):
        with pytest.raises(ValueError, match=r"^pipeline = .*UCB1.*: must be a Pipeline of a policy and an environment$"):
            assert_regret_within(pipeline, horizon=5, bound=1.0, must_detect=2.0, runs=10, seed=1)
    for name in ("horizon", "runs"):
        with pytest.raises(ValueError, match=rf"^{name} = 1.5: must be an integer >= 1"):
            within(100.0, **{name: 1.5})


def test_regret_within_passes_on_the_truth_and_fails_on_a_planted_error() -> None:
    found = within(100.0)
    assert found.verdict is Verdict.NOT_REFUTED and found.measured.estimate is not None
    with pytest.raises(AssertionError, match=r"^refuted: mean regret"):
        within(0.7 * found.measured.estimate)
    with pytest.raises(AssertionError, match="vacuous"):
        within(250.0)
    assert within(250.0, largest_gap=math.inf).verdict is Verdict.NOT_REFUTED  # without the gap nothing tells
    with pytest.raises(AssertionError, match="inconclusive"):
        within(100.0, runs=10)
    with pytest.raises(ValueError, match="must satisfy 0 < bound < must_detect"):
        within(100.0, must_detect=100.0)
    for name in ("runs", "horizon"):
        with pytest.raises(ValueError, match=f"{name} = 500.0: must be an integer >= 1"):
            within(100.0, **{name: 5e2})


def test_median_passes_on_the_truth_and_fails_on_a_planted_error(rng: np.random.Generator) -> None:
    draws = rng.laplace(3.0, 1.0, 20_000)
    shift = design.detectable_median_shift(20_000, false_alarm=SURELY, missed=SURELY)
    assert_median_equals(draws, 3.0, false_alarm=SURELY)
    moved = -math.log(1.0 - 2.0 * shift)  # P(3 < draw < 3 + moved) is the shift, for Laplace noise of scale 1
    for value in (3.0 - moved, 3.0 + moved):
        with pytest.raises(AssertionError, match=r"^median: \d+ of 20000 draws"):
            assert_median_equals(draws, value, false_alarm=SURELY)


def test_median_of_a_distribution_with_atoms() -> None:
    """Would catch ties counted on one side: most draws are the median itself."""
    assert_median_equals(np.repeat([0.0, 1.0, 2.0], [300, 500, 200]), 1.0, false_alarm=0.05)


def test_mean_passes_on_the_truth_and_fails_on_a_planted_error(rng: np.random.Generator) -> None:
    draws = rng.beta(2.0, 2.0, 4_000) - 1.0
    assert_mean_at_most(draws, -0.5, lowest=-1.0, false_alarm=SURELY)
    planted = 0.5 - (design.detectable_mean(0.5, runs=4_000, false_alarm=SURELY, relative_deviation=0.5) - 0.5)
    with pytest.raises(AssertionError, match=r"^mean: at least -0\.5"):
        assert_mean_at_most(draws, planted - 1.0, lowest=-1.0, false_alarm=SURELY)


def refusals(assertion, draws: Floats, repetitions: int) -> int:
    count = 0
    for part in np.split(draws, repetitions):
        try:
            assertion(part)
        except AssertionError:
            count += 1
    return count


@pytest.mark.parametrize(
    "assertion",
    [
        lambda draws: assert_median_equals(draws, math.log(2.0), false_alarm=0.05),
        lambda draws: assert_mean_at_most(draws, 1.0, false_alarm=0.05),
    ],
    ids=["median", "mean"],
)
def test_false_alarm_rates_are_kept(assertion, repetitions: int, rng: np.random.Generator) -> None:
    """Exponential draws of mean 1 and median log 2, 200 at a time. Fails with probability 1e-6.

    Would have caught a true rate of 0.13 in 400 repetitions, of 0.39 in 40, with probability at least 90 %.
    """
    alarms = refusals(assertion, rng.exponential(1.0, 200 * repetitions), repetitions)
    assert alarms <= binomial_quantile(repetitions, 0.05, SURELY)


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: assert_median_equals(np.array([1.0, math.nan]), 0.0, false_alarm=0.05), "1 of 2 are NaN"),
        (lambda: assert_median_equals(np.zeros(0), 0.0, false_alarm=0.05), "0 of 0"),
        (lambda: assert_median_equals(np.zeros(3), 0.0, false_alarm=1.0), "false_alarm = 1.0"),
        (lambda: assert_median_equals(np.zeros(3), math.nan, false_alarm=0.05), "value = nan: must be a number, the claimed median"),
        (lambda: assert_median_equals(np.zeros((50, 20)), 0.0), r"draws of shape \(50, 20\): must be of shape \(n,\)"),
        (lambda: assert_mean_at_most(pd.DataFrame({"id": [1.0], "x": [0.0]}), 0.5), r"draws of shape \(1, 2\): must be of shape \(n,\)"),
        (lambda: assert_mean_at_most(np.float64(1.0), 0.5), r"draws of shape \(\): must be of shape \(n,\)"),
        (lambda: assert_mean_at_most(np.ma.masked_equal([9.0, 0.0], 9.0), 0.5), "draws: are a masked array"),
        (lambda: assert_mean_at_most(np.array([-0.1]), 1.0, false_alarm=0.05), r"draw = -0\.1: must be >= lowest = 0\.0"),
        (lambda: assert_mean_at_most(np.array([0.1]), 0.0, false_alarm=0.05), r"bound = 0\.0: must be > lowest"),
    ],
)
def test_draws_that_prove_nothing_are_refused(call, rule: str) -> None:
    """As it was found: tables were flattened, so that dependent draws and a column of ids counted, masks were dropped, and no draw lies
    on either side of NaN."""
    with pytest.raises(ValueError, match=rule):
        call()
