"""What the regret theorems of wu_2023 ask of a run, looked at before a run is compared with them.

The policy's schedule (radius, truncation, what is forced) is compared with the theory's, number by number, as if no arm were eliminated.
"""

from collections.abc import Mapping
from typing import Any

from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import ArmHuber, Huber
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.methods.stated import Check, Run, Stated
from banditproof.audits.papers.wu_2023.cases.central.agreement import CLEAN_EPOCH_RADIUS, EPOCH_RADIUS
from banditproof.interaction import Environment, NoCorruption
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import elimination

CLOSE = 1e-9  # relative: both sides are doubles of formulas with a few operations


def _distributions(environment: Environment) -> tuple[tuple[float, float], ...]:
    """Mean and second moment of each arm. Raises TypeError for an environment that nobody looked at."""
    match environment:
        case Gaussian():
            return tuple(zip(environment.centres, environment.second_moments(), strict=True))
        case Pareto():
            return tuple(zip(environment.means(), environment.second_moments(), strict=True))
        case TwoPoint():
            size = float(environment.gamma) ** (environment.moment - 1)  # c gamma^(k - 1), and c gamma^(k - 2)
            return tuple((float(weight) * size, float(weight) * size / float(environment.gamma)) for weight in environment.weights)
    raise TypeError(f"{type(environment).__name__}: has no moments here")


def _unit_raw_moments(run: Run) -> str:
    if run.values["moment"] != 2:
        return f"moment = {run.values['moment']}: second moments alone are looked at"
    largest = max(second for _, second in _distributions(run.pipeline.environment))
    return f"a second moment of {largest:.6g}" if largest > 1.0 + CLOSE else ""


def _unit_central_moments(run: Run) -> str:
    if run.values["moment"] != 2:
        return f"moment = {run.values['moment']}: variances alone are looked at"
    for mean, second in _distributions(run.pipeline.environment):
        if second - mean * mean > 1.0 + CLOSE * second:
            return f"a variance of {second - mean * mean:.6g}"
        if abs(mean) > float(run.values["range"]) * (1.0 + CLOSE):
            return f"a mean of {mean:.6g}, the range being {run.values['range']}"
    return ""


def _clean(run: Run) -> str:
    return "" if isinstance(run.pipeline.corruption, NoCorruption) else f"corruption {run.pipeline.corruption}"


def _huber(run: Run) -> str:
    return "" if isinstance(run.pipeline.corruption, NoCorruption | Huber | ArmHuber) else f"corruption {run.pipeline.corruption}"


def _bounded(run: Run) -> str:
    corruption = run.pipeline.corruption
    proportion = corruption.contamination if isinstance(corruption, Huber | ArmHuber) else 0.0
    return "" if proportion <= float(run.values["contamination"]) * (1.0 + CLOSE) else f"{proportion} of the rewards are contaminated"


def _by_the_horizon(run: Run) -> str:
    policy = run.pipeline.policy
    if not isinstance(policy, RobustElimination | CentralElimination):
        return f"policy {type(policy).__name__}"
    failure = policy.failure
    return "" if failure is None or failure == 1.0 / run.horizon else f"failure = {failure}, and 1/T = {1.0 / run.horizon}"


def _apart(ours: float, theirs: float) -> bool:
    return abs(ours - theirs) > CLOSE * abs(theirs)


def _schedule(run: Run, of: type[RobustElimination] | type[CentralElimination], radius: Theorem, given: tuple[str, ...]) -> str:
    """Where the policy's radius is not the theory's, in epochs in which something is tested, all arms being active."""
    policy, arms = run.pipeline.policy, run.pipeline.environment.arms
    if not isinstance(policy, of):
        return f"policy {type(policy).__name__}"
    if _apart(policy.epsilon, float(run.values["epsilon"])):
        return f"the policy's epsilon is {policy.epsilon}, and here epsilon = {run.values['epsilon']}"
    state = policy.state(arms, 0, run.horizon)
    for epoch in range(1, len(state.pulls)):
        if state.forced[epoch, arms]:
            continue
        known = {name: float(run.values[name]) for name in given}
        stated = float(radius.function()(active=arms, epoch=epoch, failure=1.0 / run.horizon, **known))
        if _apart(float(state.twice_radii[epoch, arms]) / 2.0, stated):
            return f"the policy's radius in epoch {epoch} is {state.twice_radii[epoch, arms] / 2.0:.6g}, and here {stated:.6g}"
    return ""


def _forced(run: Run) -> str:
    """Where an epoch is forced that the theory tests, or the reverse."""
    policy, arms = run.pipeline.policy, run.pipeline.environment.arms
    state = policy.state(arms, 0, run.horizon)
    for epoch in range(1, len(state.pulls)):
        known = {"active": arms, "epoch": epoch, "failure": 1.0 / run.horizon, "contamination": float(run.values["contamination"])}
        if bool(state.forced[epoch, arms]) != (2.0**epoch < float(elimination.FORCED_THRESHOLD.function()(**known))):
            return f"epoch {epoch} is {'' if state.forced[epoch, arms] else 'not '}forced"
    return ""


def _plays_raw(run: Run) -> str:
    if "contamination" in run.values:
        names = ("epsilon", "contamination", "moment")
        return _schedule(run, RobustElimination, elimination.EPOCH_RADIUS, names) or _forced(run)
    return _schedule(run, RobustElimination, elimination.CLEAN_EPOCH_RADIUS, ("epsilon", "moment"))


def _plays_central(run: Run) -> str:
    if "contamination" in run.values:
        return _schedule(run, CentralElimination, EPOCH_RADIUS, ("epsilon", "contamination", "moment"))
    return _schedule(run, CentralElimination, CLEAN_EPOCH_RADIUS, ("epsilon", "moment"))


def _threshold_unscaled(run: Run) -> str:
    policy = run.pipeline.policy
    if not isinstance(policy, CentralElimination):
        return f"policy {type(policy).__name__}"
    return "" if policy.threshold_factor == 1.0 and not policy.literal else f"a threshold times {policy.threshold_factor}"


def _neighbours(run: Run) -> str:
    policy = run.pipeline.policy
    if not isinstance(policy, CentralElimination):
        return f"policy {type(policy).__name__}"
    if policy.pad:
        return ""
    largest = max(abs(mean) for mean, _ in _distributions(run.pipeline.environment))
    return "" if largest <= policy.range - policy.width_of_bins() else f"a mean of {largest:.6g} and no bin beyond {policy.range}"


def _within_gap(name: str, check: Check) -> Check:
    """The check, and that no gap is larger than the given one."""

    def checked(run: Run) -> str:
        means = [mean for mean, _ in _distributions(run.pipeline.environment)]
        gap = max(means) - min(means)
        if name in run.values and gap > float(run.values[name]) * (1.0 + CLOSE):
            return f"a gap of {gap:.6g}, and here {name} = {run.values[name]}"
        return check(run)

    return checked


_CHECKS: Mapping[str, Check] = {
    "finite_raw_moment": _within_gap("gap_up_to_two", _unit_raw_moments),
    "finite_central_moment": _within_gap("unbounded_gap", _unit_central_moments),
    "uncontaminated": _clean,
    "huber_contaminated": _huber,
    "contamination_is_bounded": _bounded,
    "failure_is_inverse_horizon": _by_the_horizon,
    "plays_prae_raw": _plays_raw,
    "plays_prae_central": _threshold_unscaled,
    "uses_assembled_radius": _plays_central,
    "every_mean_has_neighbours": _neighbours,
}


def stated(theorem: Theorem, **values: Any) -> Stated:
    """The theorem's bound at k = 2 with all checks of its hypotheses that there are."""
    names = {item.name for item in theorem.hypotheses}
    return Stated(theorem, {"moment": 2, **values}, {name: check for name, check in _CHECKS.items() if name in names})
