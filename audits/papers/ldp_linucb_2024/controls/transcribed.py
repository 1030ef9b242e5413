"""Plain forms and draws with one mistake each, for the audits of `cases.transcribed`, `cases.transcribed_sums`, `cases.noise_sent`,
`cases.users_differ`, `cases.claims` and `cases.drawn`."""

from dataclasses import replace
from functools import partial

from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime
from banditproof.audits.mutations import control
from banditproof.audits.papers.ldp_linucb_2024.cases import claims, drawn, noise_sent, transcribed, transcribed_sums, users_differ
from banditproof.audits.papers.ldp_linucb_2024.cases.noise_sent import Noise
from banditproof.audits.papers.ldp_linucb_2024.cases.replayed import FACTOR
from banditproof.interaction import Floats, NoShuffling
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, learner, loss, privacy, regret

# --- whole runs ---------------------------------------------------------------------------------------------------------------------------

_CASES = {each.name: each for each in (*transcribed.ALONE, *transcribed.RESTARTED, *transcribed.COMBINED)}
_SLOW, _RESTARTS, _REMOVED = _CASES["published"], _CASES["restarts_oracle"], _CASES["bases_removed"]
RUNS = (
    control(
        "another_injection",
        "a width and a learner for another injection",
        regret.REGRET_BY_WIDTH,
        transcribed.transcribes((_SLOW,), {_SLOW.name: replace(transcribed.SLOW, threshold=0.3)}),
    ),
    control(
        "another_learner",
        "gradient descent for Maler after each restart",
        combiner.EPOCHS_ADD_UP,
        transcribed.transcribes((_RESTARTS,), {_RESTARTS.name: Anytime(replace(transcribed.ORACLE, learner=OGD()))}),
    ),
    control(
        "never_removed",
        "a combiner that believes in ten times the regret",
        combiner.INDEX,
        transcribed.transcribes(
            (_REMOVED,),
            {
                _REMOVED.name: replace(
                    transcribed.REMOVING, putatives=tuple(each._replace(coefficient=10.0) for each in transcribed.BELIEVED)
                )
            },
        ),
    ),
    *(
        control(
            "another_alpha",
            "another failure probability, horizon and scale of rewards",
            theorem,
            transcribed_sums.transcribes((case,), {case.name: replace(case.policy, failure=0.04, planned_horizon=91, reward_sigma=0.4)}),
        )
        for theorem, case in (
            (baselines.SCRIPT_WIDTH, transcribed_sums.CENTRAL[0]),
            (baselines.LOCAL_WIDTH, transcribed_sums.LOCALLY[2]),
            (baselines.AMPLIFIED_SIGMA, transcribed_sums.SHUFFLED[1]),
        )
    ),
    *(
        control("half_alpha", "half of the failure probability", theorem, transcribed_sums.made_of_lin_ucb(policy, width, 0.5))
        for theorem, policy, width in (
            (baselines.PLAIN_WIDTH, transcribed_sums.PLAINLY, transcribed_sums.plain_width),
            (baselines.JOINT_WIDTH, transcribed_sums.JOINTLY, transcribed_sums.joint_width),
        )
    ),
)

# --- messages -----------------------------------------------------------------------------------------------------------------------------


def _loud(noise: Noise) -> Noise:
    """A fifth more noise than is said."""
    return Noise(noise.name, lambda: 1.2 * noise.draw())


def _neighbourly(noise: Noise) -> Noise:
    """Noise of which a fifth is another user's."""

    def draw() -> Floats:
        own = noise.draw()
        own[100:] += 0.2 * own[:-100]
        return own

    return Noise(noise.name, draw)


MESSAGES = (
    *(
        control("a_fifth_more", "a fifth more noise", theorem, noise_sent.has_moments((_loud(noise),)))
        for theorem, noise in (
            (privacy.PRIVACY, noise_sent.ROWS[0]),
            (baselines.LOCAL_SIGMA, noise_sent.CONTRIBUTIONS[0]),
            (baselines.VECTOR_TRIALS, noise_sent.COUNTS[0]),
            (baselines.JOINT_SCRIPT_NODES, noise_sent.NODES[0]),
        )
    ),
    control(
        "last_noise",
        "a fifth of the noise of the hundredth user before",
        privacy.PRIVACY,
        noise_sent.has_moments((_neighbourly(noise_sent.ROWS[3]),)),
    ),
    control("radius_doubled", "a domain twice as large", privacy.PRIVACY, users_differ.differ_alone(users_differ.MESSAGES, 2.0)),
    control("radius_doubled", "a domain twice as large", baselines.LOCAL_SIGMA, users_differ.differ_alone(users_differ.GRAMS, 2.0)),
    control("half_taken", "features of 1/2 refused", privacy.PRIVACY, users_differ.refuses((noise_sent.ROW,), ((0, 0.5),))),
    control("half_taken", "features of 1/2 refused", baselines.LOCAL_SIGMA, users_differ.refuses((noise_sent.LOCAL,), ((0, 0.5),))),
)
SHIPPED = tuple(
    control("nine_tenths", "nine tenths of each number", theorem, users_differ.as_shipped(mechanisms, 0.9))
    for theorem, mechanisms in (
        (privacy.PRIVACY, users_differ.SENT_ROWS),
        (baselines.LOCAL_SIGMA, users_differ.SENT_GRAMS),
        (baselines.VECTOR_TRIALS, users_differ.SENT_COUNTS),
    )
)
CLAIMS = (
    *(
        control("twice_epsilon", "twice the epsilon", theorem, claims.claims_that((claims.Claim("weak", weak, claims.ALONE),)))
        for theorem in (privacy.PRIVACY, baselines.LOCAL_SIGMA)
        for weak in (replace(claims.ALONE, epsilon=4.0),)
    ),
    control("nearer", "a pair nine tenths as far apart", privacy.PRIVACY, claims.as_far_as(claims.rows_apart, 0.9)),
    control("nearer", "a pair nine tenths as far apart", baselines.LOCAL_SIGMA, claims.as_far_as(claims.users_apart, 0.9)),
    control("nearer", "a pair nine tenths as far apart", baselines.VECTOR_TRIALS, claims.as_far_as(claims.batches_apart, 0.9)),
)

# --- draws and runs -----------------------------------------------------------------------------------------------------------------------

DRAWS = (
    control("smaller_means", "rewards of nine tenths of their means", loss.EXPERIMENT_MOMENT, drawn.environment_is(0.9)),
    control(
        "one_order",
        "a batch in the order in which it came",
        baselines.AMPLIFIED_SIGMA,
        drawn.ordered_uniformly({"none": partial(drawn.of_pipeline, NoShuffling())}),
    ),
    control("longer_radius", "a ball a fifth larger", learner.MALER_NEWTON, drawn.learns(1.2)),
    control("another_run", "another run of the same key", baselines.SCRIPT_WIDTH, drawn.plays_together(2)),
    control("ten_times_the_radius", "ten times the radius", combiner.INDEX, drawn.combines_any(10.0 * FACTOR), short="wide_radius"),
)
