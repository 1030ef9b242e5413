"""charisopoulos_2023: the privacy of the clients' reports: claimed, exact (closed form) and measured.

Both models are exactly epsilon-private for one reward if rewards lie in [-1, 1] or are clipped to it. As printed rewards have no bound, and
the loss is that of their distance: (15) and Lemma 3.5 are refuted by rewards of 3 and -3. All n_a rewards of an owner together have the
loss n_a epsilon (owner_loss), unless the noise is calibrated for the owner. `run` audits look at what a run of the algorithm sends.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from banditproof.algorithms.estimators.linear.baselines import LeastSquares
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level, NoisyReward, OwnerReport
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.papers.charisopoulos_2023.wire_reports import WideReport, WireReport
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

EPSILONS, PLAYS = (0.5, 1.0, 4.0), (1, 10, 1000)
FAR = 1e9
Pair = tuple[tuple[float, ...], tuple[float, ...]]


def one_changed(plays: int, low: float, high: float, others: float = 0.5) -> Pair:
    """An owner's rewards, the middle one of which is low, or high."""
    middle, rest = plays // 2, (others,) * plays
    return (*rest[:middle], low, *rest[middle + 1 :]), (*rest[:middle], high, *rest[middle + 1 :])


def all_changed(plays: int, low: float, high: float) -> Pair:
    return (low,) * plays, (high,) * plays


def samples_for(epsilon: float) -> int:
    """Enough that twice the loss would be seen: what lies beyond the other side's centre has probability exp(-epsilon)/2."""
    return 100_000 if epsilon < 3.0 else 400_000


# --- closed forms at listed rewards -------------------------------------------------------------------------------------------------------


def losses(theorem: Theorem, loss: Theorem, rewards: tuple[str, ...]) -> Iterator[At]:
    """The exact loss of a report whose reward is r or -r, beside the claimed epsilon."""
    for epsilon, reward in product(("1/2", "1", "4"), rewards):
        exact = loss.at(epsilon=epsilon, reward_change=2 * Fraction(reward)).ball
        yield At({"epsilon": epsilon, "rewards": f"{reward} and -{reward}"}, exact, theorem.at(epsilon=epsilon).ball)


_MODELS = (
    (first_model.FIRST_PRIVACY, first_model.FIRST_LOSS, "one report"),
    (second_model.SECOND_PRIVACY, second_model.EVENT_LOSS, "a mean"),
)
CLOSED = tuple(
    Audit(
        theorem.id,
        f"points.{slug}",
        f"{words}: the exact loss of rewards {shown} beside epsilon",
        Pointwise(partial(losses, theorem, loss, rewards), f"epsilon 1/2, 1, 4, one reward {shown}", "epsilon"),
        expected,
    )
    for theorem, loss, words in _MODELS
    for slug, rewards, shown, expected in (
        ("rewards_in_range", ("1/2", "1"), "at most 1 in size", None),
        ("rewards_unbounded", ("1", "3", "1000"), "of 1, 3 and 1000", Verdict.REFUTED),
    )
)

# --- releases -----------------------------------------------------------------------------------------------------------------------------


def released(
    theorem: Theorem,
    slug: str,
    mechanism: OwnerReport,
    pair: Pair,
    exact: float,
    claim: PureDP | None = None,
    expected: Verdict | None = None,
) -> Audit:
    """One pair of an owner's rewards; without `claim` the mechanism's own."""
    place = swept(eps=mechanism.epsilon, n=mechanism.arm_plays)
    return Audit(
        theorem.id,
        f"privacy.{slug}_{place}",
        f"OwnerReport(epsilon={mechanism.epsilon:g}, n={mechanism.arm_plays}, {mechanism.level.value}, {mechanism.clipping.value}), "
        f"{slug.replace('_', ' ')}",
        PrivacyLoss(
            mechanism,
            samples_for(exact),
            claim,
            pair,
            must_detect=2.0 * (mechanism.epsilon if claim is None else claim.epsilon),
            exact=exact,
        ),
        expected,
    )


def _model(plays: int) -> Theorem:
    return first_model.FIRST_PRIVACY if plays == 1 else second_model.SECOND_PRIVACY


SANDWICH = tuple(
    released(_model(plays), "ends", OwnerReport(epsilon, plays), one_changed(plays, -1.0, 1.0), epsilon)
    for epsilon, plays in product(EPSILONS, PLAYS)
)
OUTSIDE = tuple(
    released(_model(plays), slug, OwnerReport(1.0, plays), one_changed(plays, low, high, others), exact)
    for plays in (1, 10)
    for slug, low, high, others, exact in (
        ("far_outside", -FAR, FAR, 0.5, 1.0),
        ("others_far_outside", -1.0, 1.0, FAR, 1.0),
        ("infinite", float("-inf"), float("inf"), 0.5, 1.0),
        ("inside", -0.25, 0.25, 0.5, 0.25),
    )
    if plays > 1 or slug != "others_far_outside"
)
PUBLISHED = (
    *(
        released(
            _model(plays), "published_in_range", OwnerReport(1.0, plays, clipping=Clipping.PUBLISHED), one_changed(plays, -1.0, 1.0), 1.0
        )
        for plays in (1, 10)
    ),
    *(
        released(
            _model(plays),
            "published_unbounded",
            OwnerReport(1.0, plays, clipping=Clipping.PUBLISHED),
            one_changed(plays, -3.0, 3.0),
            3.0,
            expected=Verdict.REFUTED,
        )
        for plays in (1, 10)
    ),
    *(
        released(
            first_model.FIRST_LOSS if plays == 1 else second_model.EVENT_LOSS,
            "published_by_distance",
            OwnerReport(1.0, plays, clipping=Clipping.PUBLISHED),
            one_changed(plays, -3.0, 3.0),
            loss,
            PureDP(loss, NeighbouringRelation.ANY_PAIR),
        )
        for plays, loss in (
            (1, first_model.FIRST_LOSS.at(epsilon=1, reward_change=6).bound),
            (10, second_model.EVENT_LOSS.at(epsilon=1, reward_change=6).bound),
        )
    ),
)
OWNERS = (
    *(
        released(
            second_model.OWNER_LOSS,
            "all_rewards",
            OwnerReport(epsilon, plays),
            all_changed(plays, -1.0, 1.0),
            loss,
            OwnerReport(epsilon, plays).guarantee_at(Level.USER),
        )
        for epsilon, plays in ((1.0, 1), (0.5, 10))
        for loss in (second_model.OWNER_LOSS.at(epsilon=Fraction(epsilon), reward_change=2, arm_plays=plays).bound,)
    ),
    *(
        released(second_model.SECOND_PRIVACY, "owner_level", OwnerReport(1.0, plays, Level.USER), all_changed(plays, -FAR, FAR), 1.0)
        for plays in (10, 1000)
    ),
)

# --- runs ---------------------------------------------------------------------------------------------------------------------------------


def first(epsilon: float, clipping: Clipping = Clipping.REPAIRED) -> RobustArmElimination:
    """The first model."""
    return RobustArmElimination(epsilon, 0.0, batches=2, clipping=clipping, estimator=LeastSquares())


def second(epsilon: float, clipping: Clipping = Clipping.REPAIRED) -> RobustArmElimination:
    """The second model, with many batches of few plays per arm."""
    return RobustArmElimination(
        epsilon,
        0.0,
        ClientModel.SECOND,
        batches=300,
        truncation_parameter=1.0,
        noise_constant=10.0,
        clipping=clipping,
        estimator=LeastSquares(),
    )


def sent(theorem: Theorem, slug: str, mechanism: WireReport, samples: int, exact: float, expected: Verdict | None = None) -> Audit:
    epsilon = mechanism.policy.epsilon
    return Audit(
        theorem.id,
        f"privacy.run_{slug}_{swept(eps=epsilon, n=mechanism.arm_plays)}",
        f"a report of {mechanism.arm_plays} rewards that RobustArmElimination sends, epsilon={epsilon:g}, {slug.replace('_', ' ')}",
        PrivacyLoss(mechanism, samples, must_detect=2.0 * epsilon, exact=exact),
        expected,
    )


SAMPLES_OF_MEANS = 3_000
LONG = 50_000  # rounds of a run of the first model, all with the same reward
RUNS = (
    *(
        sent(first_model.FIRST_PRIVACY, slug, WireReport(first(epsilon), pair=((low,), (high,)), arms=2, horizon=LONG), 100_000, epsilon)
        for slug, epsilon, low, high in (
            ("ends", 0.5, -1.0, 1.0),
            ("far_outside", 1.0, -FAR, FAR),
            ("infinite", 1.0, float("-inf"), float("inf")),
        )
    ),
    sent(
        first_model.FIRST_PRIVACY,
        "published_unbounded",
        WireReport(first(1.0, Clipping.PUBLISHED), pair=((-3.0,), (3.0,)), arms=2, horizon=LONG),
        100_000,
        3.0,
        Verdict.REFUTED,
    ),
    sent(
        second_model.SECOND_PRIVACY,
        "one_reward_far_outside",
        WireReport(second(1.0), 3, pair=one_changed(3, -FAR, FAR, FAR)),
        SAMPLES_OF_MEANS,
        1.0,
    ),
    sent(
        second_model.SECOND_PRIVACY,
        "published_unbounded",
        WireReport(second(1.0, Clipping.PUBLISHED), 3, pair=one_changed(3, -3.0, 3.0)),
        SAMPLES_OF_MEANS,
        3.0,
        Verdict.REFUTED,
    ),
    sent(
        second_model.SECOND_PRIVACY,
        "owner_level",
        WireReport(second(1.0), 3, Level.USER, all_changed(3, -FAR, FAR)),
        SAMPLES_OF_MEANS,
        1.0,
    ),
)
WIDE = Audit(
    first_model.FIRST_PRIVACY.id,
    "privacy.two_numbers_eps1",
    "NoisyReward(epsilon=1) on messages of two numbers",
    PrivacyLoss(WideReport(NoisyReward(1.0), 2), 60_000, pair=((-FAR, -FAR), (FAR, FAR)), must_detect=2.0, exact=1.0),
)
