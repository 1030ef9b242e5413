"""ldp_linucb_2024: the constants of the baselines computed again in exact arithmetic, written from the sheet a second time."""

from fractions import Fraction

from banditproof.audits.papers.ldp_linucb_2024.cases.recomputed import NOISE_AT, Formula, Values, audit_of, noise, profile
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import exp, log, power, sqrt
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines

F = Fraction


def _joint_width(
    horizon: F,
    dimension: F,
    failure: F,
    reward_sigma: F,
    parameter_norm: F,
    log_determinant: F,
    baseline_sigma: F,
    noise_norm: F,
) -> F:
    nodes = 1 + next(m for m in range(100) if 2**m >= horizon)
    first = reward_sigma * sqrt(2 * log(2 / failure) + log_determinant - dimension * log(noise_norm))
    last = baseline_sigma * sqrt(nodes / noise_norm) * (sqrt(dimension) + sqrt(2 * log(2 * horizon / failure)))
    return first + parameter_norm * sqrt(3 * noise_norm) + last


ROWS: tuple[tuple[Theorem, Formula, tuple[Values, ...]], ...] = (
    (
        baselines.SCRIPT_WIDTH,
        lambda horizon, dimension, context_norm, reward_sigma, baseline_scale: (
            sqrt(baseline_scale) * sqrt(dimension)
            + reward_sigma * sqrt(dimension * log((1 + horizon * context_norm**2 / baseline_scale) * horizon))
        ),
        ({"horizon": 100, "dimension": 5, "context_norm": "7/5", "reward_sigma": "1/2", "baseline_scale": 4},),
    ),
    (baselines.SCRIPT_REGULARISER, lambda baseline_scale: 2 * baseline_scale, ({"baseline_scale": 4},)),
    (baselines.SCRIPT_REGULARISER_PLAIN, lambda baseline_scale: baseline_scale * F(1, 10**4), ({"baseline_scale": 4},)),
    (
        baselines.PLAIN_WIDTH,
        lambda reward_sigma, failure, log_determinant, parameter_norm, regulariser: (
            reward_sigma * sqrt(2 * log(1 / failure) + log_determinant) + sqrt(regulariser) * parameter_norm
        ),
        ({"reward_sigma": "1/2", "failure": "1/20", "log_determinant": 9, "parameter_norm": 2, "regulariser": 3},),
    ),
    (baselines.LOCAL_SCRIPT_SIGMA, lambda epsilon, delta: sqrt(log(F(5, 2) / delta)) / epsilon, NOISE_AT),
    (baselines.LOCAL_SCRIPT_PROFILE, lambda epsilon, delta: profile(epsilon, sqrt(12) * epsilon / sqrt(log(F(5, 2) / delta))), NOISE_AT),
    (
        baselines.LOCAL_SCRIPT_SCALE,
        lambda horizon, dimension, baseline_sigma: baseline_sigma * sqrt(horizon * dimension),
        ({"horizon": 100, "dimension": 5, "baseline_sigma": 3},),
    ),
    (baselines.LOCAL_SIGMA, lambda epsilon, delta: 2 * noise(epsilon, delta), NOISE_AT),
    (
        baselines.LOCAL_NOISE_NORM,
        lambda round, horizon, dimension, failure, baseline_sigma: (
            baseline_sigma * sqrt(round) * (4 * sqrt(dimension) + 2 * log(2 * horizon / failure))
        ),
        ({"round": 7, "horizon": 100, "dimension": 5, "failure": "1/20", "baseline_sigma": 3},),
    ),
    (baselines.LOCAL_REGULARISER, lambda noise_norm: 2 * noise_norm, ({"noise_norm": 5},)),
    (
        baselines.LOCAL_WIDTH,
        lambda round, horizon, dimension, baseline_sigma, noise_norm: (
            2 * baseline_sigma * sqrt(dimension * log(horizon))
            + (sqrt(3 * noise_norm) + baseline_sigma * sqrt(dimension * round / noise_norm)) * dimension * log(horizon)
        ),
        ({"round": 7, "horizon": 100, "dimension": 5, "baseline_sigma": 3, "noise_norm": 5},),
    ),
    (
        baselines.JOINT_SCRIPT_SIGMA,
        lambda horizon, epsilon, delta: sqrt(log(horizon)) * log(F(5, 2) / delta) / epsilon,
        tuple({**known, "horizon": 100} for known in NOISE_AT),
    ),
    (
        baselines.JOINT_SCRIPT_SCALE,
        lambda horizon, dimension, baseline_sigma: baseline_sigma * sqrt(dimension * log(horizon)),
        ({"horizon": 100, "dimension": 5, "baseline_sigma": 3},),
    ),
    (
        baselines.JOINT_SCRIPT_NODES,
        lambda horizon: F(next(n for n in range(1, 99) if exp(n) > horizon)),
        ({"horizon": 20000}, {"horizon": 2}),
    ),
    (
        baselines.JOINT_SIGMA,
        lambda horizon, epsilon, delta, row_norm: (
            4 * sqrt(1 + next(m for m in range(100) if 2**m >= horizon)) * row_norm**2 * log(4 / delta) / epsilon
        ),
        tuple({**known, "horizon": 100, "row_norm": "7/5"} for known in NOISE_AT),
    ),
    (
        baselines.JOINT_NOISE_NORM,
        lambda horizon, dimension, failure, baseline_sigma: (
            baseline_sigma
            * sqrt(2 * (1 + next(m for m in range(100) if 2**m >= horizon)))
            * (4 * sqrt(dimension) + 2 * log(2 * horizon / failure))
        ),
        ({"horizon": 100, "dimension": 5, "failure": "1/20", "baseline_sigma": 3},),
    ),
    (
        baselines.JOINT_WIDTH,
        _joint_width,
        (
            {
                "horizon": 100,
                "dimension": 5,
                "failure": "1/20",
                "reward_sigma": "1/2",
                "parameter_norm": 2,
                "log_determinant": 30,
                "baseline_sigma": 3,
                "noise_norm": 50,
            },
        ),
    ),
    (
        baselines.AMPLIFIED_SIGMA,
        lambda epsilon, delta, batch_size: sqrt(log(F(5, 2) * batch_size / delta) / batch_size) / epsilon,
        tuple({**known, "batch_size": 20} for known in NOISE_AT),
    ),
    (baselines.AMPLIFIED_BATCH, lambda horizon: power(horizon, F(3, 5)), ({"horizon": 20000},)),
    (
        baselines.VECTOR_RESOLUTION,
        lambda batch_size, dimension: max(2 * sqrt(batch_size), dimension, F(4)),
        ({"batch_size": 20, "dimension": 5}, {"batch_size": 2, "dimension": 3}, {"batch_size": 2, "dimension": 9}),
    ),
    *(
        (
            theorem,
            lambda dimension, epsilon, delta, batch_size, resolution, trials_scale, times=times: (
                trials_scale * (resolution * log(dimension**times / delta) / epsilon) ** 2 / batch_size
            ),
            tuple({**known, "dimension": 5, "batch_size": 20, "resolution": 9, "trials_scale": 10} for known in NOISE_AT),
        )
        for theorem, times in ((baselines.VECTOR_TRIALS, 1), (baselines.VECTOR_TRIALS_PAPER, 2))
    ),
    (
        baselines.VECTOR_SCALE,
        lambda horizon, dimension, epsilon, delta, batch_size: (
            log(dimension / delta) / (4 * epsilon) * sqrt(horizon * dimension / batch_size)
        ),
        tuple({**known, "horizon": 100, "dimension": 5, "batch_size": 20} for known in NOISE_AT),
    ),
)
AUDITS = tuple(
    Audit(
        theorem.id, "points.computed_again", "the formula written from the sheet a second time, exactly", audit_of(theorem, formula, points)
    )
    for theorem, formula, points in ROWS
)
