"""charisopoulos_2023: what the shipped parts refuse: a value outside its domain raises ValueError, one at its ends does not."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.designs import approximate, coreset, design
from banditproof.algorithms.designs.optimal import g_optimal_design
from banditproof.algorithms.environments.fixed_linear import FixedLinear, Noise
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.estimators.linear import variance_bound
from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.estimators.linear.robust_least_squares import FilteredLeastSquares, whiten
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.fast import filter_reports
from banditproof.algorithms.estimators.spectral_filter.literal import filter_points
from banditproof.algorithms.estimators.spectral_filter.reweighting import reweight_points
from banditproof.algorithms.mechanisms.client_reports import NoisyMean, NoisyReward, OwnerReport, report_loss, require_plays
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.robust_arm_elimination import constants
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Pipeline, Table
from banditproof.randomness import key_of
from banditproof.simulation import play
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import setting

INF, NAN = math.inf, math.nan
ARMS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6]])
KEY = key_of(1, "charisopoulos_2023", "refusals")
Call = Callable[[Any], Any]
Row = tuple[str, Call, tuple[Any, ...], tuple[Any, ...]]  # a name, a call, what it refuses, what it takes


def _weights(values: Any) -> Any:
    return design.require_weights(np.array(values))


def _points(value: Any) -> Floats:
    return np.array([[1.0, 0.0], [value, 1.0], [0.5, 2.0]])


def _reports(value: Any) -> Any:
    return filter_reports(ARMS, [0, 1, 2], [1.0, value, 0.5], 1.0, KEY)


def _index(value: Any) -> Any:
    return LeastSquares().estimate(ARMS, [0, value, 1], [1.0, 2.0, 3.0], KEY)


def _scale(value: Any) -> Any:
    return filter_reports(ARMS, [0, 1, 2], [1.0, 2.0, 0.5], value, KEY)


def _factor(value: Any) -> Any:
    return FilteredLeastSquares(VarianceBound(), factor=value)


def _spanned(rows: Any) -> Any:
    return whiten(np.array(rows), [0, 1])


def _oracle(rule: Any) -> Any:
    return FilteredLeastSquares(VarianceBound(rule, corruption=0.1 if rule is BoundRule.PROOF else None))


def _clean(clean: Any) -> Any:
    return VarianceBound(BoundRule.CLEAN).of(1.0, [1.0, 2.0], clean)


def _mean(mean: Any) -> Any:
    return FixedLinear(((1.0, 0.0), (0.0, mean)), (1.0, 1.0), Noise.SIGNS)


def _shuffled(model: Any) -> Any:
    policy = RobustArmElimination(1.0, model=model, batches=2)
    pipeline = Pipeline(policy, Table(np.ones((30, 3))), policy.randomiser(), shuffler=UniformShuffler(1))
    return play(pipeline, horizon=30, key=KEY)


def _policy(name: str) -> Call:
    def made(value: Any) -> Any:
        return RobustArmElimination(**{"epsilon": 1.0, name: value})

    return made


def _filter(pair: Any) -> Any:
    return RobustArmElimination(1.0, filter_bound=pair[0], filter_value=pair[1])


_FAILING = (0.0, 1.0 + 1e-9, -0.1, NAN)
ROWS: tuple[Row, ...] = (
    ("NoisyReward.epsilon", NoisyReward, (0.0, -1.0, NAN, INF), (1e-3, 50.0)),
    ("NoisyMean.epsilon", NoisyMean, (0.0, -1.0, NAN, INF), (1e-3, 50.0)),
    ("OwnerReport.epsilon", OwnerReport, (0.0, -1.0, NAN, INF), (1e-3, 50.0)),
    ("arm_plays", require_plays, (0, -1, 1.5), (1, 7)),
    ("OwnerReport.arm_plays", partial(OwnerReport, 1.0), (0, 1.5), (1,)),
    ("OwnerReport.release", lambda n: OwnerReport(1.0, 3).release([0.5] * n, 2, np.random.default_rng(1)), (2, 4), (3,)),
    ("report_loss", lambda n: report_loss([0.5] * 3, [0.5] * n, 1.0), (2, 4), (3,)),
    ("coreset size", coreset.require_size, (0.0, -1.0, NAN, 2.0**53 * 1.001), (1e-9, 2.0**53)),
    ("coreset truncation", coreset.require_truncation, (0.0, -0.1, 1.001, NAN), (1e-9, 1.0)),
    ("coreset weights", _weights, ((0.5, 0.6), (0.5, 0.4), (-0.1, 1.1), (NAN, 1.0), ()), ((0.5, 0.5), (1.0, 0.0))),
    ("most_plays", lambda k: coreset.most_plays(1.0, k), (0,), (1,)),
    ("target", lambda each: approximate.approximate_g_design(ARMS, each), (2.0, 1.9, NAN, INF), (2.01,)),
    ("arms", lambda each: design.span_of(np.array(each)), ([[0.0]], [[NAN]], [[INF]], [1.0]), ([[1e-9]],)),
    ("tolerance", lambda each: g_optimal_design(ARMS, each), (0.0, 1e-10, 1.1, NAN), (1e-9, 1.0)),
    ("variances", lambda n: design.variances(ARMS, np.full(n, 1.0 / n)), (2, 4), (3,)),
    ("points of the literal form", lambda each: filter_points(_points(each), 1.0, KEY), (NAN, INF, 1.1e70), (1e60,)),
    ("points of the reweighted form", lambda each: reweight_points(_points(each), 1.0), (NAN, INF, 1.1e70), (1e60,)),
    ("reports", _reports, (NAN, INF, -1.1e70), (1e60, -1e60)),
    ("index", _index, (-1, 3, 0.5), (0, 2)),
    ("variance_bound", _scale, (-1e-9, NAN), (0.0, INF)),
    ("factor", _factor, (0.0, -1.0, NAN, INF), (1e-3, 4.0)),
    ("spanned arms", _spanned, ([[1.0, 0.0], [2.0, 0.0], [1.0, 1e-3]], [[0.0, 0.0], [0.0, 0.0]]), ([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],)),
    ("oracles", _oracle, (BoundRule.CLEAN, BoundRule.PROOF), (BoundRule.OBSERVED,)),
    ("clean reports", _clean, (None, [1.0]), ([1.0, 2.0],)),
    ("PROOF", lambda each: VarianceBound(BoundRule.PROOF, corruption=each), (None, -0.01, 0.25, NAN), (0.0, 0.24)),
    ("RANGE", lambda each: VarianceBound(BoundRule.RANGE, report_bound=each), (None, 0.0, -1.0, NAN, INF), (0.1,)),
    ("GIVEN", lambda each: VarianceBound(BoundRule.GIVEN, value=each), (None, -0.1, NAN), (0.0, INF)),
    ("OBSERVED", lambda each: VarianceBound(BoundRule.OBSERVED, value=each), (0.1,), (None,)),
    ("failure of a bound", lambda each: variance_bound.single_report_bound(10, 1.0, failure=each), (0.0, 1.1, NAN), (0.5,)),
    ("epsilon of a bound", lambda each: variance_bound.single_report_bound(10, each, failure=0.1), (0.0, -1.0, NAN), (INF, 0.1)),
    ("samples of a bound", lambda each: variance_bound.single_report_bound(each, 1.0, failure=0.1), (0, -1), (1,)),
    ("ClippedLeastSquares", ClippedLeastSquares, (0.0, -1.0, NAN, INF), (0.1,)),
    ("TrimmedLeastSquares", TrimmedLeastSquares, (-0.01, 0.5, NAN), (0.0, 0.499)),
    ("mean of signs", _mean, (1.001, -1.001), (1.0, -1.0)),
    ("bound of noise", lambda each: FixedLinear(((1.0,), (0.5,)), (1.0,), bound=each), (0.0, -1.0, NAN), (0.1, INF)),
    ("deviation", lambda each: FixedLinear(((1.0,), (0.5,)), (1.0,), standard_deviation=each), (-0.1, NAN, INF), (0.0, 2.0)),
    ("corruption of the adversary", lambda each: LinearAdversary(each, (1.0,)), (-0.01, 1.01, NAN), (0.0, 1.0)),
    ("size of the adversary", lambda each: LinearAdversary(0.1, (1.0,), each), (-0.1, NAN, INF), (0.0, 9.0)),
    ("direction", lambda each: LinearAdversary(0.1, each), ((0.0, 0.0), (NAN,), (INF, 1.0)), ((0.0, 1e-9),)),
    ("epsilon", _policy("epsilon"), (0.0, -1.0, NAN), (1e-3, INF)),
    ("corruption", _policy("corruption"), (-0.01, 0.25, NAN), (0.0, 0.249)),
    ("batches", _policy("batches"), (1, 0, 2.5), (2,)),
    ("failure", _policy("failure"), _FAILING, (1.0, 1e-9)),
    ("truncation_parameter", _policy("truncation_parameter"), _FAILING, (1.0, 1e-9)),
    ("design_factor", _policy("design_factor"), (1.0, 0.5, NAN, INF), (1.001, 9.0)),
    ("corruption_constant", _policy("corruption_constant"), (0.0, -1.0, NAN, INF), (1e-9,)),
    ("noise_constant", _policy("noise_constant"), (0.0, -1.0, NAN, INF), (1e-9,)),
    (
        "filter_value",
        _filter,
        ((FilterBound.GIVEN, None), (FilterBound.GIVEN, -0.1), (FilterBound.RANGE, 0.1), (FilterBound.OBSERVED, 0.0)),
        ((FilterBound.GIVEN, 0.0), (FilterBound.RANGE, None)),
    ),
    ("order of reports", _shuffled, (ClientModel.SECOND,), (ClientModel.FIRST,)),
    ("Assumption A.1", lambda each: constants.least_corruption(0.1, batch_plays=each), (0.0, NAN, INF), (1.0,)),
)


def refused(call: Call, value: Any) -> int:
    """1 where the value is refused, 0 where it is not, and 2 where something else is raised."""
    try:
        call(value)
    except ValueError:
        return 1
    except (ArithmeticError, LookupError, TypeError):
        return 2
    return 0


def outcomes(rows: tuple[Row, ...]) -> Iterator[At]:
    """What becomes of each value, beside what should."""
    for name, call, outside, inside in rows:
        for value in outside:
            yield At({"of": name, "value": str(value)}, refused(call, value), 1)
        for value in inside:
            yield At({"of": name, "value": str(value)}, refused(call, value), 0)


REFUSALS = Audit(
    setting.CLIENTS.id,
    "points.refusals",
    f"{len(ROWS)} domains: what lies outside is refused, what lies inside is not",
    Pointwise(partial(outcomes, ROWS), f"{len(ROWS)} domains", "refused", Sense.EQUALS),
)
