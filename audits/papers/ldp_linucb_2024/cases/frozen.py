"""Users' messages and whole runs, replayed with frozen releases: a user's message is all that depends on his data, and it moves within its
noise.

Each randomiser, in all its calibrations, with features and without, at the ends of the domain and far outside; whole runs of Algorithm 1,
its anytime form, the combiner and the baseline with noisy contributions, with the messages as releases. Exact.
"""

import math

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.mechanisms.gram.local import LocalGram, Scale
from banditproof.algorithms.mechanisms.local_row import Calibration, LocalRow, RowMessage
from banditproof.algorithms.mechanisms.vector_sum import Encoding
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB
from banditproof.audits.common.neighbours import DatasetPairs, MessagePairs, RoundPairs, outcomes
from banditproof.audits.methods.draws_apart import DrawsApart
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.privacy.frozen_pipeline import PolicyRun, Releases, Reports
from banditproof.audits.running.audit import Audit
from banditproof.guarantees import Guarantee
from banditproof.interaction import Pipeline

_EPSILON, _DELTA = 1.0, 1e-2
_SETTINGS = ((0.3, -0.4), (0.0, 100.0))  # theta_t, then Delta and G of a raw message
_ENDS = tuple((*vector, reward) for vector, reward in outcomes(2, 1.0))
_GRAM_WORST = tuple((math.cos(angle), math.sin(angle), reward) for angle, reward in ((math.pi / 12.0, 1.0), (5.0 * math.pi / 12.0, -1.0)))
_USERS = (*_ENDS, (1.0, 0.0, 1.0), (-1.0, 0.0, -1.0), *_GRAM_WORST, (0.0, 1e200, 1.0), (1e9, 1e9, -math.inf))


def _raw(injection: float) -> tuple[tuple[float, ...], ...]:
    return tuple((*user, *_SETTINGS[0], injection, _SETTINGS[1][1]) for user in _USERS)


def _randomiser(slug: str, randomiser: LocalRow | LocalGram, users: tuple[tuple[float, ...], ...], theorem: str, note: str = "") -> Audit:
    run = FrozenRuns(Reports(randomiser), MessagePairs(users), randomiser.guarantee())
    return Audit(theorem, f"frozen.{slug}", f"{randomiser}{note}, one user replaced", run)


def _run(slug: str, policy: PrivateOnlineLinUCB | Anytime | Combiner | NoisyGramUCB, horizon: int, claim: Guarantee) -> Audit:
    randomiser = policy.randomiser(2) if isinstance(policy, NoisyGramUCB) else policy.randomiser()
    pairs = RoundPairs(horizon, 3, 2, (0, horizon // 2), (*outcomes(2, 1.0), ((1.0, 0.0), 1.0), ((-1.0, 0.0), -1.0)))
    label = f"{type(policy).__name__} with {randomiser}, T = {horizon}, one user replaced"
    theorem = "ldp_linucb_2024.local_sigma" if isinstance(policy, NoisyGramUCB) else "ldp_linucb_2024.privacy"
    return Audit(theorem, f"frozen.run_{slug}", label, FrozenRuns(PolicyRun(policy, randomiser), pairs, claim))


_ROW = LocalRow(_EPSILON, _DELTA)
_ALGORITHM_1 = PrivateOnlineLinUCB(_EPSILON, _DELTA)
_GRAM = NoisyGramUCB(Method.LDP, epsilon=_EPSILON, delta=_DELTA, calibrated=True)
_NUMBERS = ((1.0,), (-1.0,), (0.0,), (7.0,), (-math.inf,))

AUDITS = (
    *(
        _randomiser(f"row_{calibration.value}", LocalRow(_EPSILON, _DELTA, calibration), _raw(0.0), "ldp_linucb_2024.privacy")
        for calibration in (Calibration.EXACT, Calibration.SPLIT)
    ),
    _randomiser("row_injected", _ROW, _raw(0.4), "ldp_linucb_2024.privacy", ", with noise injected for curvature"),
    _randomiser("row_without_features", _ROW, _NUMBERS, "ldp_linucb_2024.privacy", ", without features"),
    _randomiser("gram_exact", LocalGram(_EPSILON, _DELTA), _USERS, "ldp_linucb_2024.local_sigma"),
    _randomiser("gram_shared", LocalGram(_EPSILON, _DELTA, Scale.PAPER, 20), _USERS, "ldp_linucb_2024.local_sigma"),
    _randomiser("gram_without_features", LocalGram(_EPSILON, _DELTA), _NUMBERS, "ldp_linucb_2024.local_sigma", ", without features"),
    Audit(
        "ldp_linucb_2024.privacy",
        "frozen.row_released",
        "RowMessage.release, one user's data replaced",
        FrozenRuns(Releases(RowMessage(_EPSILON, _DELTA)), DatasetPairs(_USERS), RowMessage(_EPSILON, _DELTA).guarantee()),
    ),
    _run("algorithm_1", _ALGORITHM_1, 12, _ROW.guarantee()),
    _run("anytime", Anytime(_ALGORITHM_1), 12, _ROW.guarantee()),
    _run("combiner", Combiner(_ALGORITHM_1), 12, _ROW.guarantee()),
    _run("noisy_gram", _GRAM, 12, LocalGram(_EPSILON, _DELTA).guarantee()),
)
_ENVIRONMENT, _CONSTANTS = UnitFeatures(3, 5), ("_parameter",)  # theta* of a run
DRAWS = tuple(
    Audit(
        "ldp_linucb_2024.privacy",
        f"draws.{name}",
        f"{type(pipeline.policy).__name__}, {name.replace('_', ' ')}",
        DrawsApart(pipeline, 24, _CONSTANTS),
    )
    for name, pipeline in {
        "algorithm_1": Pipeline(_ALGORITHM_1, _ENVIRONMENT, _ALGORITHM_1.randomiser()),
        "redrawn_arms": Pipeline(_ALGORITHM_1, UnitFeatures(3, 5, ArmSet.REDRAWN), _ALGORITHM_1.randomiser()),
        "anytime": Pipeline(Anytime(_ALGORITHM_1), _ENVIRONMENT, _ALGORITHM_1.randomiser()),
        "combiner": Pipeline(Combiner(_ALGORITHM_1), _ENVIRONMENT, _ALGORITHM_1.randomiser()),
        **{
            f"{method.value}_{encoding.value}": NoisyGramUCB(method, batch=6, encoding=encoding, epsilon=5.0).pipeline(UnitFeatures(2, 5))
            for method in Method
            for encoding in (Encoding if method is Method.SDP_VEC else (Encoding.COUNTS,))
        },
    }.items()
    for method in (DrawsApart(pipeline, 24, _CONSTANTS),)
)
