"""charisopoulos_2023: regret that is played, beside the explicit form of section 4's argument and beside Theorems 3.4 and 3.9.

The sheet's experiments (K = 50, d = 5, T = 10^5, B = 12; a smaller problem at level quick) put the regret beside chain_m1 and chain_m2,
which have every constant: at these horizons hardly a threshold falls below 1, and the bounds are vacuous, which the verdict says. With
little noise and constants of 0.2 and 0.1 they are not. The constants of Theorems 3.4 and 3.9 are hidden: what is played is recorded as a
ratio to their unit forms, and of the printed elimination (over the coreset alone) the growth in T is refuted, at alpha = 0 and without
privacy noise.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.estimators.linear.protocol import LinearEstimator
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.regret import Claim, RegretWitness, judge
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.charisopoulos_2023.cases.survivors import MISSED
from banditproof.audits.papers.charisopoulos_2023.run_log import BATCHES, Log, logged
from banditproof.audits.running.audit import Audit, Level, Recheck, Request, swept
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.glossary import HORIZON
from banditproof.glossary.charisopoulos_2023 import CORRUPTION
from banditproof.interaction import Corruption, Floats, NoCorruption, Pipeline
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play_many
from banditproof.theory.language import Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023 import designs, elimination, regret, regret_m2

NO_NOISE = Fraction(10**30)  # epsilon of the statements, where the algorithm's is infinite


@dataclass(frozen=True)
class Problem:
    """K arms drawn on the unit sphere of R^d, rewards of this standard deviation, T rounds in at most B batches."""

    arms: int
    dimension: int
    horizon: int
    batches: int
    standard_deviation: float = 1.0

    def environment(self) -> FixedLinear:
        """theta points to the first arm, with length 0.9."""
        drawn = np.random.default_rng([50, self.arms]).normal(size=(self.arms, self.dimension))
        drawn /= np.linalg.norm(drawn, axis=1)[:, None]
        return FixedLinear.of(drawn, 0.9 * drawn[0], standard_deviation=self.standard_deviation)

    def support(self) -> int:
        """The most arms that a design has (`designs.SUPPORT_FOR_CODE`), K at most."""
        return min(self.arms, int(designs.SUPPORT_FOR_CODE.at(dimension=self.dimension).bound))


ENOUGH = 80  # runs with which a mean of twice a bound would be refuted
SHEET, SMALL = Problem(50, 5, 100_000, 12), Problem(20, 3, 10_000, 8)
SAYING = replace(SMALL, horizon=20_000)  # where a bound that is not vacuous is two thirds of what any policy can lose


@dataclass(frozen=True)
class FullBandit:
    """Plays the sheet's problem, at level quick a smaller one, and judges the mean regret by the explicit bound.

    The detail has what the sheet asks for: the least threshold of each batch, how many fall below 1, how many arms leave, how often the
    best arm is lost, the regret over that of uniform play, and over the theorem's unit form.
    """

    policy: RobustArmElimination
    value: float = 0.0
    small: Problem = SMALL
    sheet: Problem = SHEET
    runs: int = 5
    statistical: bool = True
    prefix: ClassVar[str] = "regret"

    def measure(self, request: Request) -> Measurement:
        problem = self.small if request.level is Level.QUICK else self.sheet
        return self._judged(problem, self.runs, request.false_alarm, request.seed, request.path)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Plays fresh runs of the same problem."""
        runs, false_alarm = again.of(before)
        same = isinstance(before.witness, RegretWitness) and before.witness.parameters["horizon"] == self.small.horizon
        return self._judged(self.small if same else self.sheet, runs, false_alarm, again.seed, again.path)

    def bound(self, problem: Problem) -> float:
        """2 N_1 + 4 sum of N_i gamma_(i-1), closed."""
        return float(chain_of(self.policy).at(**self._known(problem), **_constants(self.policy)).bound)

    def _known(self, problem: Problem) -> dict[str, Any]:
        policy, support = self.policy, problem.support()
        known = {
            "horizon": problem.horizon,
            "batches": problem.batches,
            "dimension": problem.dimension,
            "support": support,
            "failure": round_failure(problem),
            "epsilon": NO_NOISE if policy.epsilon == math.inf else Fraction(policy.epsilon),
            "corruption": Fraction(policy.corruption),
        }
        if policy.model is ClientModel.SECOND:
            known["truncation_parameter"] = weight_of(policy, support)
        return known

    def unit_form(self, problem: Problem) -> float:
        """Theorem 3.4, or 3.9 with the support for d log log d, all constants 1."""
        known, first = self._known(problem), self.policy.model is ClientModel.FIRST
        theorem = regret.REGRET_M1 if first else regret_m2.REGRET_M2_BY_SUPPORT
        known |= {"m1_regret_constant" if first else "m2_regret_constant": 1}
        names = {quantity.name for quantity in theorem.stated().given}
        return float(theorem.at(**{name: value for name, value in known.items() if name in names}).bound)

    def _judged(self, problem: Problem, runs: int, false_alarm: float, seed: int, path: tuple[str, ...]) -> Measurement:
        environment, policy = problem.environment(), replace(self.policy, batches=problem.batches)
        corruption: Corruption = NoCorruption()
        if policy.corruption > 0.0:  # against theta, so that the worst arms look best
            corruption = LinearAdversary(policy.corruption, tuple(-each for each in environment.theta), self.value)
        keys = (key_of(seed, *path, f"run {run}") for run in range(runs))
        played = [logged(policy, environment, problem.horizon, key, corruption, BATCHES) for key in keys]
        means, bound = environment.means(), self.bound(problem)
        gaps = means.max() - means
        claim = Claim(bound, problem.horizon * float(gaps.max()), 2.0)
        regrets = np.array([each.regret for each in played])
        parameters = {"horizon": problem.horizon, "arms": problem.arms, "dimension": problem.dimension, "batches": problem.batches}
        result = judge(claim, regrets, false_alarm=false_alarm, quantity="regret", parameters=parameters)
        found = observations(played, gaps, problem.horizon) | {"over_unit_form": float(regrets.mean()) / self.unit_form(problem)}
        shown = f"{found['below_one']} of {found['batches']} thresholds fall below 1, {found['arms_gone']:.3g} arms leave"
        lost = f"the best arm is lost in {found['best_lost']:.0%} of the runs, {found['over_uniform']:.3g} times the regret of uniform play"
        return replace(result, detail={**result.detail, **found}, message=f"{result.message}; {shown}, {lost}")


def observations(played: list[Log], gaps: Floats, horizon: int) -> dict[str, Any]:
    """What the sheet asks of the runs."""
    last = [each.learned[-1].after for each in played]
    thresholds = [[batch.gamma for batch in each.learned] for each in played]
    return {
        "thresholds": [min(each) for each in zip(*thresholds, strict=False)],
        "batches": max(map(len, thresholds)),
        "below_one": max(sum(each < 1.0 for each in one) for one in thresholds),
        "arms_gone": float(np.mean([np.count_nonzero(~each) for each in last])),
        "best_lost": float(np.mean([not each[int(np.argmin(gaps))] for each in last])),
        "over_uniform": float(np.mean([each.regret for each in played]) / (horizon * gaps.mean())),
    }


def chain_of(policy: RobustArmElimination) -> Theorem:
    return regret.CHAIN_M1 if policy.model is ClientModel.FIRST else regret_m2.CHAIN_M2


def _constants(policy: RobustArmElimination) -> dict[str, Fraction]:
    names = ("corruption_constant", "noise_constant")
    return {name: Fraction(getattr(policy, name)) for name in names}


def round_failure(problem: Problem) -> Fraction:
    """delta for delta' = 1/T, the algorithm's default."""
    ball = elimination.ROUND_FAILURE_OF.at(failure=Fraction(1, problem.horizon), arms=problem.arms, horizon=problem.horizon).ball
    return Fraction(float(ball))


def weight_of(policy: RobustArmElimination, support: int) -> Fraction:
    """nu, 1/k where none is given."""
    return Fraction(1, support) if policy.truncation_parameter is None else Fraction(policy.truncation_parameter)


def sheet_row(policy: RobustArmElimination, value: float, shown: Mapping[str, int] = MappingProxyType({})) -> Audit:
    name, nu = ("Theorem 3.4", {}) if policy.model is ClientModel.FIRST else ("Theorem 3.9", {"nu": policy.truncation_parameter})
    epsilon = "infinite" if policy.epsilon == math.inf else f"{policy.epsilon:g}"
    told = {key: each for key, each in nu.items() if each is not None}
    slug = swept(**told, alpha=policy.corruption, eps=0 if policy.epsilon == math.inf else policy.epsilon, v=value, **shown)
    slug = f"regret.sheet_{slug.replace('eps0_', 'noiseless_')}"
    saying = policy.corruption == 0.0 and policy.epsilon == math.inf and policy.model is ClientModel.FIRST  # the others are vacuous
    small, runs = (SAYING, ENOUGH) if saying else (SMALL, 5)
    words = f"{name}, the sheet's experiment: alpha = {policy.corruption:g}, epsilon {epsilon}, corrupted reports of size {value:g}"
    return Audit(chain_of(policy).id, slug, words, FullBandit(policy, value, small, runs=runs))


_CORRUPTED = ((0.0, 0.0), (0.05, 3.0), (0.05, 50.0), (0.1, 3.0), (0.1, 50.0))
FIRST_ROWS = tuple(
    sheet_row(RobustArmElimination(epsilon, alpha), value) for (alpha, value), epsilon in product(_CORRUPTED, (0.5, 1.0, 4.0, math.inf))
)
SECOND_ROWS = tuple(
    sheet_row(RobustArmElimination(epsilon, alpha, ClientModel.SECOND, truncation_parameter=nu, weighted=weighted), value, more)
    for (alpha, value), epsilon, nu in product(((0.0, 0.0), (0.05, 50.0)), (1.0, math.inf), (None, 0.02))
    for weighted, more in ((False, {}), (True, {"w": 1}))
)

# --- bounds that say something ------------------------------------------------------------------------------------------------------------

CALM = Problem(20, 3, 20_000, 10, 0.1)


def calm(model: ClientModel, estimator: LinearEstimator | None = None) -> FullBandit:
    """Little noise, constants of 0.2 and 0.1: the intervals hold, and the bound is below a regret of every policy."""
    policy = RobustArmElimination(math.inf, 0.0, model, noise_constant=0.2 if model is ClientModel.FIRST else 0.1, estimator=estimator)
    return FullBandit(policy, small=CALM, sheet=CALM, runs=ENOUGH)


CALM_RUNS = tuple(
    Audit(
        chain_of(calm(model).policy).id,
        f"regret.{swept(k=CALM.arms, d=CALM.dimension, n=CALM.horizon)}",
        f"the {model.value} model, rewards of standard deviation 0.1, constants 0.2 and 0.1",
        calm(model),
    )
    for model in ClientModel
)

# --- growth, and where bounds say nothing -------------------------------------------------------------------------------------------------


def uncorrupted(theorem: Theorem) -> Theorem:
    """The statement at alpha = 0, where its two cases are one. Assumption A.1, which the proof adds, is left out."""
    stated = theorem.stated()
    given = tuple(quantity for quantity in stated.given if quantity is not CORRUPTION)
    cases = always(stated.cases[0].expression.subs(symbol(CORRUPTION), 0))
    return replace(theorem, hypotheses=(), steps=(), findings=(), bound=replace(stated, cases=cases, given=given))


def regrets(policy: RobustArmElimination, environment: FixedLinear, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    pipeline = Pipeline(policy, environment, policy.randomiser())
    return play_many(pipeline, horizon=horizon, key=key_from(rng), runs=runs).regret[:, -1]


def grown(printed: bool, estimator: LinearEstimator | None = None) -> GrowthRate:
    """Regret on the three arms of `survivors`, the best of which the design does not play; no noise."""
    policy = RobustArmElimination(math.inf, 0.0, restrict_to_coreset=printed, noise_constant=0.05, estimator=estimator)
    rate = uncorrupted(regret.REGRET_M1).growth_in(HORIZON)
    measure: Callable[[int], Any] = partial(partial, regrets, policy, MISSED)
    return GrowthRate(measure, rate, 1_000, 30_000, quantile=0.5, runs=40)


GROWTH = (
    Audit(
        regret.REGRET_M1.id,
        "growth.horizon_over_coreset",
        "line 10 as printed, over the coreset alone, alpha = 0, no privacy noise",
        grown(True),
        Verdict.REFUTED,
    ),
    Audit(regret.REGRET_M1.id, "growth.horizon_over_active", "line 10 over the active arms, alpha = 0, no privacy noise", grown(False)),
)


def unit_bound(policy: RobustArmElimination, horizon: int) -> float:
    """The unit form at a horizon, with the sheet's K and d, B = log T and delta' = 1/T."""
    problem = replace(SHEET, horizon=horizon, batches=max(2, math.ceil(math.log(horizon))))
    return FullBandit(policy).unit_form(problem)


VACUOUS = tuple(
    Audit(
        regret_m2.REGRET_M2_BY_SUPPORT.id,
        f"vacuity.sheet_{swept(alpha=alpha, eps=1)}",
        f"K = 50, d = 5, epsilon = 1, alpha = {alpha:g}, constants 1: from which horizon on below 2 T",
        Vacuity(partial(unit_bound, policy), 2.0, parameters={"alpha": alpha, "epsilon": 1.0}),
    )
    for alpha in (0.0, 0.001)
    for policy in (RobustArmElimination(1.0, alpha, ClientModel.SECOND),)
)
