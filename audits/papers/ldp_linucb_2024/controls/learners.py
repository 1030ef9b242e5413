"""Online learners with one mistake each, on the sequences of the cases: steps of another length, no projection, a gradient turned round."""

from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.protocol import NORM, Arrays, Plan
from banditproof.audits.mutations import control
from banditproof.audits.papers.ldp_linucb_2024.cases.learners import Losses, curved_descent, descent, maler, within
from banditproof.theory.papers.ldp_linucb_2024 import learner

FAR = 1e300  # the radius of a ball that no point leaves


def unprojected(curvature: float, plan: Plan) -> Arrays:
    """Gradient descent whose points may leave the ball."""
    arrays = descent(curvature, plan)
    arrays.settings[NORM] = FAR
    return arrays


def doubled(curvature: float, plan: Plan) -> Arrays:
    """Twice the step, which is written with the radius where the diameter is meant, the wrong way round."""
    return OGD(Step.ROOT, 2.0 * OGD().length(plan)).start(plan)


def harmonic(curvature: float, plan: Plan) -> Arrays:
    """Steps that shrink as 1 / t where the losses are not strongly convex."""
    return OGD(Step.HARMONIC, OGD().length(plan)).start(plan)


def slow(curvature: float, plan: Plan) -> Arrays:
    """Steps 1 / (10 mu t)."""
    return curved_descent(10.0 * curvature, plan)


def large(curvature: float, plan: Plan) -> Arrays:
    """Steps 1 / (mu sqrt(t))."""
    return OGD(Step.ROOT, 1.0 / curvature).start(plan)


def timid(curvature: float, plan: Plan) -> Arrays:
    """All learning rates a hundredth of what they are."""
    return Maler(0.01).start(plan)


_TURNED = "a learner that hears the gradient with the wrong sign"
LEARNERS = (
    control(
        "not_projected", "a projection that is left out", learner.DESCENT_CONVEX, within(learner.DESCENT_CONVEX, unprojected, Losses.LINEAR)
    ),
    control("twice_the_step", "twice the step", learner.DESCENT_CONVEX, within(learner.DESCENT_CONVEX, doubled, Losses.LINEAR)),
    control(
        "harmonic_steps", "steps 1/t for linear losses", learner.DESCENT_CONVEX, within(learner.DESCENT_CONVEX, harmonic, Losses.LINEAR)
    ),
    *(
        control(name, mistake, learner.DESCENT_STRONG, within(learner.DESCENT_STRONG, make, Losses.STRONGLY_CONVEX))
        for name, mistake, make in (
            ("tenth_of_the_step", "a tenth of the step", slow),
            ("root_steps", "steps 1/sqrt(t) for strongly convex losses", large),
        )
    ),
    *(
        control("gradient_turned", _TURNED, theorem, within(theorem, maler, losses, -1.0))
        for theorem, losses in (
            (learner.MALER_CONVEX, Losses.LINEAR),
            (learner.MALER_STRONG, Losses.LINEAR),
            (learner.MALER_NEWTON, Losses.EXP_CONCAVE),
            (learner.MALER_STRONGLY_CONVEX, Losses.STRONGLY_CONVEX),
        )
    ),
    *(
        control("hundredth_of_the_rates", "learning rates of a hundredth", theorem, within(theorem, timid, losses))
        for theorem, losses in (
            (learner.MALER_CONVEX, Losses.LINEAR),
            (learner.MALER_STRONG, Losses.LINEAR),
        )
    ),
)
