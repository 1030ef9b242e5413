"""What section 5 of the paper on locally private LinUCB (2024) says of Figure 1, as comparisons of final regrets.

Criteria, written down before any run of 50 trials.
    i     "significantly outperforms": the regret at the last round is smaller, by the paired sign test, at epsilon 1 and at 10
    ii    the same at epsilon = 0.2 for LDP; "comparable": the ratio of the regrets lies between 1/2 and 2; "does not do as well": the
          regret at 0.2 is above that at 1 and that at 10
    iii   "the same empirical performance": the ratio of the regrets with OGD and with Maler lies between 0.9 and 1.1, at each epsilon;
          "a lot faster" is judged by what is updated in a round, since seconds differ from run to run
    iv    lambda_min "of order 1": at least T^(-1/4), Corollary 3.6's own threshold of what is favourable
    below uniform   (ours) OnlineUCB's regret is below that of uniform play, at each epsilon
It is not stated which protocol "Shuffle LinUCB" is: both are compared, each by itself. With equal budgets the noise that SDP-Amp needs lies
between two ends, and a verdict stands where it is that of both.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.learners.protocol import FAMILY, Plan
from banditproof.audits.experiments.experiment import Comparison, Computed, Outcome, compared, inside
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import ARMS, DIMENSION, EPSILONS, PLANNED_HORIZON, Algorithm, Budget
from banditproof.interaction import Floats

HIGH, LOWER = EPSILONS[0], EPSILONS[1:]  # high privacy, and the low-privacy domain
COMPARABLE, SAME = (0.5, 2.0), (0.9, 1.1)
MISSING = (
    "delta, beta, R, C, gamma, the width and lambda_min that OnlineUCB is given, the constants of the other methods, "
    "whether arms are redrawn, error bars"
)
PROTOCOL = f"which shuffled protocol, and its batch; {MISSING}"
LOW_PRIVACY = (
    "in the low-privacy domain (epsilon = 1 and epsilon = 10), our OnlineUCB algorithm significantly outperforms not only the previous "
    "best-known LDP algorithm but also SDP and JDP"
)
HIGH_PRIVACY = "In the high privacy domain (epsilon = 0.2), OnlineUCB does not do as well"

Final = Mapping[tuple[float, Algorithm], Floats]  # final regret (R,)


def outcomes(final: Final, budget: Budget, horizon: int) -> tuple[Outcome, ...]:
    """What the paper reports of a way of running, and below uniform play. All is said of 20,000 rounds: a shorter run decides nothing."""
    found = (*_low_privacy(final, budget), *_high_privacy(final, budget), *_learners(final))
    if horizon >= PLANNED_HORIZON:
        return found
    short = f"the paper's runs have {PLANNED_HORIZON:,} rounds, these {horizon:,}"
    return tuple(replace(each, undecided=short) for each in found)


def _below(final: Final, other: Algorithm, epsilons: tuple[float, ...]) -> tuple[Comparison, ...]:
    ours = Algorithm.ONLINE
    return tuple(compared(f"{ours.value} < {other.value}, {each:g}", final[each, ours], final[each, other]) for each in epsilons)


def _between_ends(budget: Budget, of: Callable[[Algorithm], Outcome]) -> Outcome:
    """What is said of SDP-Amp, whose noise lies between two ends where budgets are equal."""
    least = of(Algorithm.SDP_AMP)
    if budget is Budget.OWN:
        return least
    enough = of(Algorithm.SDP_AMP_ENOUGH)
    if least.verdict() is enough.verdict() or least.undecided:
        return least
    return replace(
        least,
        undecided=f"{least.verdict().value} at the least noise that could be enough, {enough.verdict().value} at noise that is enough",
    )


def _low_privacy(final: Final, budget: Budget) -> tuple[Outcome, ...]:
    def below(id: str, other: Algorithm, missing: str) -> Outcome:
        said = f"OnlineUCB lies below {other.value} at epsilon 1 and 10"
        return Outcome(id, said, _below(final, other, LOWER), quote=LOW_PRIVACY, missing=missing)

    return (
        below("i-ldp", Algorithm.LDP, MISSING),
        _between_ends(budget, lambda other: below("i-amp", other, PROTOCOL)),
        below("i-vec", Algorithm.SDP_VEC, PROTOCOL),
        below("i-jdp", Algorithm.JDP, MISSING),
    )


def _high_privacy(final: Final, budget: Budget) -> tuple[Outcome, ...]:
    ours = Algorithm.ONLINE
    worse = tuple(compared(f"epsilon {each:g} < {HIGH:g}", final[each, ours], final[HIGH, ours]) for each in LOWER)

    def comparable(id: str, other: Algorithm) -> Outcome:
        ratio = final[HIGH, ours] / final[HIGH, other]
        return Outcome(
            id,
            f"at epsilon 0.2 OnlineUCB is comparable with {other.value} (the ratio lies between 1/2 and 2)",
            inside(f"OnlineUCB / {other.value}", ratio, *COMPARABLE),
            quote="and has comparable performance to Shuffle LinUCB",
            missing=f"how close is comparable; {PROTOCOL}",
        )

    return (
        Outcome("ii-less", "OnlineUCB's regret is largest at epsilon 0.2", worse, quote=HIGH_PRIVACY, missing=MISSING),
        Outcome(
            "ii-ldp",
            "at epsilon 0.2 OnlineUCB lies below LDP",
            _below(final, Algorithm.LDP, (HIGH,)),
            quote="but still outperforms LDP LinUCB",
            missing=MISSING,
        ),
        _between_ends(budget, lambda other: comparable("ii-amp", other)),
        comparable("ii-vec", Algorithm.SDP_VEC),
    )


def _learners(final: Final) -> tuple[Outcome, ...]:
    ratios = {each: final[each, Algorithm.ONLINE_OGD] / final[each, Algorithm.ONLINE] for each in EPSILONS}
    return (
        Outcome(
            "iii-a",
            "with OGD OnlineUCB has the regret that it has with Maler (within a tenth)",
            tuple(side for each, ratio in ratios.items() for side in inside(f"OGD / Maler, {each:g}", ratio, *SAME)),
            quote="one could also use Online Gradient Descent ... to get the same empirical performance",
            missing=f"the step of the descent, how close is the same; {MISSING}",
        ),
        Outcome(
            "uniform",
            "OnlineUCB lies below uniform play (not a sentence of the paper)",
            _below(final, Algorithm.UNIFORM, EPSILONS),
        ),
    )


def computed() -> tuple[Outcome, ...]:
    """What needs no run: the work of a round, and the curvature of the two kinds of arms."""
    plan = Plan(DIMENSION, PLANNED_HORIZON, 1.0, 1.0)
    experts, one = (1 + 2 * int(learner.start(plan).counts[FAMILY]) for learner in (Maler(), OGD()))
    threshold = math.pow(PLANNED_HORIZON, -0.25)
    curvatures = (
        Computed("T^(-1/4) <= lambda_min of one set of arms", threshold, 0.0),
        Computed("T^(-1/4) <= lambda_min of the best of redrawn arms", threshold, best_arm_curvature()),
    )
    return (
        Outcome(
            "iii-b",
            f"OGD updates {one} expert in a round, Maler {experts} (no seconds are compared)",
            (Computed("experts, OGD < Maler", float(one), float(experts), strict=True),),
            quote="Online Gradient Descent (which runs a lot faster than Maler)",
            missing="how much is a lot",
        ),
        Outcome(
            "iv",
            "E_t x_t x_t^T has eigenvalues of order 1 (at least T^(-1/4))",
            curvatures,
            quote="there exists a lambda_min = O(1) such that E_t[x_t x_t^T] >= lambda_min I (which is our experiment settings)",
            missing="whether arms are redrawn, and how large O(1) is",
        ),
    )


def best_arm_curvature() -> float:
    """The least eigenvalue of E x x^T for the best of K redrawn arms: the cosine z of the best is the largest of K draws of density
    2 sqrt(1 - z^2) / pi (d = 5). E x x^T has (1 - E z^2) / 6 across theta*, and the block (E z^2, E z; E z, 1) / 2."""
    from scipy.integrate import quad

    def below(angle: float) -> float:  # P(cosine <= cos(angle))
        return 1.0 - (angle - math.sin(2.0 * angle) / 2.0) / math.pi

    def moment(order: int) -> float:  # 1 - the integral of n z^(n - 1) P(largest <= z), z = cos(angle)
        def part(angle: float) -> float:
            return float(order * math.cos(angle) ** (order - 1) * below(angle) ** ARMS * math.sin(angle))

        return 1.0 - float(quad(part, 0.0, math.pi)[0])

    first, second = moment(1), moment(2)
    block = float(np.linalg.eigvalsh(np.array([[second, first], [first, 1.0]]) / 2.0)[0])
    return min(block, (1.0 - second) / (2.0 * (DIMENSION - 2)))
