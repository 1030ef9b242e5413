"""ldp_linucb_2024: the privacy of what one user sends, measured on the algorithm's own messages.

SANDWICH   claimed, exact and measured level at epsilon 0.2, 1 and 10 and delta 0.1, 1e-3 and 1e-5: the noisy features and the noisy
           response with the printed noise, the whole message with the exact one. By thresholds of the exact likelihood ratio, as mu, since
           at most of these cells epsilon at the stated delta is 0 or takes more than 10^7 draws. (epsilon, delta) is claimed as the level
           that guesses may reach which are made on every output (`guessed`); it is far above what is exact, and refutes little.
EPSILONS   the same as epsilon at the stated delta, where 10^7 draws show it.
PRINTED    where the printed noise breaks the claim by as much as draws of the quick level show: epsilon = 10. Elsewhere the exact profile
           says it (`cases.privacy`).
SEEN       each part and all of it as it is sent, by scores that are learned: nothing leaks beside the noisy pair, the gradient included.
DOMAINS    data outside the domain, which the message clips; the data of the experiment.
RUNS       the message of a round of whole runs: Algorithm 1, the restarts, the combiner.
"""

import math
from itertools import product

import numpy as np

from banditproof.algorithms.mechanisms.local_row import Calibration, RowMessage, noise_scale
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.papers.ldp_linucb_2024.message_ratio import MessageRatio, Part, PartOfMessage, Row, epsilon_at, guessed
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, Replacement, View
from banditproof.interaction import Pipeline, Table
from banditproof.mechanism import PolicyMechanism
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import privacy

EPSILONS_OF_PANELS, DELTAS = (0.2, 1.0, 10.0), (0.1, 1e-3, 1e-5)
OPPOSITE: tuple[Row, Row] = ((1.0, 1.0), (-1.0, -1.0))  # one feature: any direction loses as much
_DRAWS_PER_LEVEL = 45_000.0  # times 1/mu^2: then the bound on mu is 0.94 of it on average, and 0.9 with three standard deviations


def message(epsilon: float, delta: float, calibration: Calibration) -> RowMessage:
    """Of one feature."""
    return RowMessage(epsilon, delta, (0.5,), calibration=calibration)


def _level(theorem: Theorem, part: Part, epsilon: float, delta: float, calibration: Calibration) -> Audit:
    """A cell of the sandwich, as mu."""
    ratio = MessageRatio(message(epsilon, delta, calibration), OPPOSITE, part)
    samples = max(700_000 if epsilon > 1.0 else 200_000, math.ceil(_DRAWS_PER_LEVEL / ratio.level() ** 2))
    noise = "printed" if calibration is Calibration.PUBLISHED else "exact"
    return Audit(
        theorem.id,
        f"privacy.mu_{part.value}_{noise}_{swept(eps=epsilon, delta=delta)}",
        f"{part.value} of RowMessage(epsilon={epsilon:g}, delta={delta:g}, {calibration.value}), as mu",
        PrivacyLoss(ratio, samples, guessed(ratio.guarantee()), exact=ratio.level(), ratio=True),
    )


SANDWICH = tuple(
    _level(theorem, part, epsilon, delta, calibration)
    for theorem, part, calibration in (
        (privacy.PART_PRIVACY, Part.FEATURES, Calibration.PUBLISHED),
        (privacy.PART_PRIVACY, Part.RESPONSE, Calibration.PUBLISHED),
        (privacy.PRIVACY, Part.WHOLE, Calibration.EXACT),
    )
    for epsilon, delta in product(EPSILONS_OF_PANELS, DELTAS)
)


def _epsilon(
    theorem: Theorem, part: Part, epsilon: float, delta: float, calibration: Calibration, samples: int, expected: Verdict | None = None
) -> Audit:
    """A cell as epsilon at the stated delta."""
    ratio = MessageRatio(message(epsilon, delta, calibration), OPPOSITE, part)
    noise = "printed" if calibration is Calibration.PUBLISHED else "exact"
    return Audit(
        theorem.id,
        f"privacy.{part.value}_{noise}_{swept(eps=epsilon, delta=delta)}",
        f"{part.value} of RowMessage(epsilon={epsilon:g}, delta={delta:g}, {calibration.value})",
        PrivacyLoss(ratio, samples, exact=epsilon_at(ratio.level(), delta), ratio=True),
        expected,
    )


EPSILONS = tuple(
    _epsilon(privacy.PRIVACY, Part.WHOLE, epsilon, delta, Calibration.EXACT, samples)
    for epsilon, delta, samples in (
        (0.2, 0.1, 4_000_000),
        (1.0, 0.1, 400_000),
        (1.0, 1e-3, 4_000_000),
        (10.0, 0.1, 4_000_000),
    )
)
PRINTED = tuple(
    _epsilon(theorem, part, 10.0, delta, Calibration.PUBLISHED, samples, Verdict.REFUTED)
    for theorem, part, delta, samples in (
        (privacy.PRIVACY, Part.WHOLE, 0.1, 2_500_000),
        (privacy.PRIVACY, Part.WHOLE, 1e-3, 14_000_000),
        (privacy.PART_PRIVACY, Part.FEATURES, 0.1, 6_000_000),
        (privacy.PART_PRIVACY, Part.RESPONSE, 0.1, 6_000_000),
    )
)

# --- as it is sent ------------------------------------------------------------------------------------------------------------------------

TWO: tuple[Row, Row] = ((0.6, 0.8, 1.0), (-0.6, -0.8, -1.0))
SIGN: tuple[Row, Row] = ((0.6, 0.8, 1.0), (0.6, 0.8, -1.0))  # the gradient of TWO has one distribution, as it is even in (x, y)


def _seen(part: Part, slug: str, sent: RowMessage) -> Audit:
    """As mu, beside the exact level of the noisy pair, which bounds that of every part; that of the gradient is not known."""
    pair = SIGN if part is Part.GRADIENT else TWO
    level, exact = MessageRatio(sent, pair).level(), None if part is Part.GRADIENT else MessageRatio(sent, pair, part).level()
    return Audit(
        privacy.POST_PROCESSED.id if part is Part.GRADIENT else privacy.MESSAGE_LEVEL.id,
        f"privacy.seen_{part.value}_{slug}",
        f"{part.value} as it is sent by RowMessage(epsilon=1, delta=0.1, injection={sent.injection}, gradient_bound={sent.gradient_bound})",
        PrivacyLoss(PartOfMessage(sent, part, pair), 60_000, GaussianDP(level, NeighbouringRelation.ANY_PAIR, View.LOCAL), exact=exact),
    )


_PLAIN, _INJECTED = RowMessage(1.0, 0.1), RowMessage(1.0, 0.1, injection=0.5, gradient_bound=5.0)
SEEN = tuple(_seen(part, slug, sent) for slug, sent in (("plain", _PLAIN), ("injected_clipped", _INJECTED)) for part in Part)

# --- domains ------------------------------------------------------------------------------------------------------------------------------

OUTSIDE: tuple[Row, Row] = ((30.0, -40.0, 5.0), (-3e9, 4e9, -1e9))
EXPERIMENT: tuple[Row, Row] = ((math.sqrt(0.5), math.sqrt(0.5), 1.0), (-math.sqrt(0.5), math.sqrt(0.5), 0.0))


def _on(theorem: Theorem, slug: str, pair: tuple[Row, Row], sent: RowMessage, samples: int) -> Audit:
    ratio = MessageRatio(sent, pair)
    return Audit(
        theorem.id,
        f"privacy.{slug}_{swept(eps=sent.epsilon, delta=sent.delta)}",
        f"whole message of RowMessage(epsilon={sent.epsilon:g}, delta={sent.delta:g}, {sent.calibration.value}), {slug.replace('_', ' ')}",
        PrivacyLoss(ratio, samples, exact=epsilon_at(ratio.level(), sent.delta), must_detect=2.0 * sent.epsilon, ratio=True),
    )


def _printed(epsilon: float) -> RowMessage:
    return RowMessage(epsilon, 0.1, calibration=Calibration.PUBLISHED)


DOMAINS = (
    _on(privacy.PRIVACY, "outside_the_domain", OUTSIDE, RowMessage(1.0, 0.1), 400_000),
    _on(privacy.PRIVACY, "outside_the_domain", OUTSIDE, RowMessage(0.2, 0.1), 2_000_000),
    _on(privacy.PRIVACY, "experiment_printed", EXPERIMENT, _printed(0.2), 4_000_000),
    _on(privacy.PRIVACY, "experiment_printed", EXPERIMENT, _printed(1.0), 400_000),
    *(
        Audit(
            privacy.EXPERIMENT_LEVEL.id,
            f"privacy.experiment_{swept(eps=epsilon)}",
            f"RowMessage(epsilon={epsilon:g}, delta=0.1, printed) on the experiment's data, as mu",
            PrivacyLoss(
                MessageRatio(_printed(epsilon), EXPERIMENT),
                max(200_000, math.ceil(_DRAWS_PER_LEVEL / level**2)),
                GaussianDP(level, NeighbouringRelation.ANY_PAIR, View.LOCAL),
                exact=level,
                ratio=True,
            ),
        )
        for epsilon in EPSILONS_OF_PANELS
        for level in (privacy.EXPERIMENT_LEVEL.at(sigma=noise_scale(Calibration.PUBLISHED, epsilon, 0.1), injected_sigma=0).bound,)
    ),
)

# --- whole runs ---------------------------------------------------------------------------------------------------------------------------

_ROUNDS, _LAST = 4, 3


def _row(user: Row) -> Replacement:
    """One user's round: both arms have the same features, so that the arm says nothing of them."""
    return Replacement(_LAST, (user[-1],) * 2, (user[:-1],) * 2)


def played(policy: PrivateOnlineLinUCB | Anytime | Combiner) -> PolicyMechanism:
    """The message of the last of four users, whose server has learned from three."""
    contexts = np.tile(np.array([[1.0, 0.0], [0.0, 1.0]]), (_ROUNDS, 1, 1))
    pipeline = Pipeline(policy, Table(np.tile([0.5, -0.25], (_ROUNDS, 1)), contexts=contexts), policy.randomiser())
    claim = ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.LOCAL)
    return PolicyMechanism(pipeline, claim, _LAST, _ROUNDS, policy.theorems, ((_row(TWO[0]), _row(TWO[1])),))


RUNS = tuple(
    Audit(
        privacy.PRIVACY.id,
        f"privacy.run_{slug}",
        f"{words}, the fourth user's whole message",
        PrivacyLoss(played(policy), 30_000, must_detect=2.0),
    )
    for slug, words, policy in (
        ("algorithm", "PrivateOnlineLinUCB(epsilon=1, delta=0.1, exact)", PrivateOnlineLinUCB()),
        ("anytime", "Anytime(PrivateOnlineLinUCB(epsilon=1, delta=0.1, exact))", Anytime()),
        ("combiner", "Combiner(PrivateOnlineLinUCB(epsilon=1, delta=0.1, exact))", Combiner()),
    )
)
