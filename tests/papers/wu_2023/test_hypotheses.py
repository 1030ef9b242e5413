"""A run that is compared with a theorem of Wu et al. 2023 lies within its hypotheses, or the comparison is an error."""

from dataclasses import replace
from fractions import Fraction

import pytest

from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import OutsideHypotheses, Stated
from banditproof.audits.papers.wu_2023.cases.hypotheses import stated
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit, Request
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Pipeline
from banditproof.theory.language import HypothesisFails
from banditproof.theory.papers.wu_2023 import chains, raw

WIDE = Gaussian((0.999, -0.999), (0.04, 0.04))
POLICY = RobustElimination(100.0, contamination=0.0002)
OUTLIERS = Huber(0.0002, high=-1e6)
KNOWN = {"arms": 2, "epsilon": 100, "contamination": Fraction("0.0002"), "gap_up_to_two": Fraction("1.998")}
CHAIN = stated(chains.REGRET_RAW_CHAIN, **KNOWN)
CENTRAL = stated(chains.REGRET_CENTRAL_CLEAN_CHAIN, arms=2, epsilon=1, range=1000, unbounded_gap=2000)
REGRETS = {id: audit for id, audit in registry.audits("wu_2023").items() if isinstance(audit.method, Regret)}


def pipeline(policy=POLICY, environment=WIDE, corruption=OUTLIERS):
    return Pipeline(policy, environment, corruption=corruption)


def test_every_audited_run_is_checked() -> None:
    """Would catch a regret that is compared with a number that nobody asked for its hypotheses."""
    assert len(REGRETS) >= 10
    for id, audit in REGRETS.items():
        assert isinstance(audit.method.bound, Stated), id
        assert audit.method.bound.theorem.id == audit.theorem
        checked = set(audit.method.bound.checks)
        assert {item.name for item in audit.method.bound.theorem.assumed()} - {"fresh_laplace_noise"} <= checked, id


@pytest.mark.parametrize("id", REGRETS)
def test_every_audited_run_is_within_its_theorem(id: str) -> None:
    """Would catch the audit of regret_raw_explicit of a policy that played the radius of another epsilon."""
    method = REGRETS[id].method
    assert method.bound.beside(method.pipeline, method.horizon) > 0.0


@pytest.mark.parametrize(
    ("run", "says"),
    [
        (pipeline(replace(POLICY, epsilon=1.5)), "epsilon"),  # what the policy at 100 played before: the formulas of 3/2
        (pipeline(replace(POLICY, radius_factor=1.1)), "plays_prae_raw"),
        (pipeline(replace(POLICY, literal=True)), "plays_prae_raw"),
        (pipeline(replace(POLICY, threshold_factor=0.5)), "plays_prae_raw"),
        (pipeline(replace(POLICY, contamination=0.001)), "plays_prae_raw"),
        (pipeline(replace(POLICY, failure=0.1)), "failure_is_inverse_horizon|plays_prae_raw"),
        (pipeline(UCB1()), "plays_prae_raw"),
        (pipeline(corruption=Huber(0.001, high=-1e6)), "contamination_is_bounded"),
        (pipeline(environment=Gaussian((0.9, -0.9), (1.0, 0.04))), "finite_raw_moment"),
        (pipeline(environment=Gaussian((0.9, -0.9, 0.0), (0.04,) * 3)), "arms"),
    ],
)
def test_a_run_outside_the_hypotheses_is_an_error(run: Pipeline, says: str) -> None:
    """Would catch a method that compares it all the same: OutsideHypotheses, and the verdict is ERROR."""
    with pytest.raises(OutsideHypotheses, match=says):
        CHAIN.beside(run, 10**6)
    audit = Audit("wu_2023.regret_raw_chain", "regret.outside", "outside", Regret(run, 10**6, CHAIN, 1.998, 2.0, runs=2))
    found = run_one(audit, Request(1e-3, 1, audit.seed_path)).result.measured
    assert found.verdict is Verdict.ERROR and "OutsideHypotheses" in found.message


def test_runs_outside_the_clean_theorems_are_errors() -> None:
    clean = stated(chains.REGRET_CLEAN_CHAIN, arms=2, epsilon=30, gap_up_to_two=2)
    own = RobustElimination(30.0)
    assert clean.beside(Pipeline(own, WIDE), 10**5) > 0.0
    for run in (Pipeline(own, WIDE, corruption=OUTLIERS), Pipeline(replace(own, reading=Reading.PUBLISHED), WIDE)):
        with pytest.raises(OutsideHypotheses):
            clean.beside(run, 10**5)
    policy, ends = CentralElimination(1.0, 1000.0), Gaussian((1000.0, -1000.0), (1.0, 1.0))
    assert CENTRAL.beside(Pipeline(policy, ends), 10**5) > 0.0
    for wrong in (
        Pipeline(replace(policy, pad=False), ends),
        Pipeline(replace(policy, threshold_factor=0.1), ends),
        Pipeline(replace(policy, radius_factor=0.9), ends),
        Pipeline(policy, Gaussian((1000.0, -900.0), (1.1, 1.0))),
        Pipeline(policy, Gaussian((1001.0, -900.0), (1.0, 1.0))),
    ):
        with pytest.raises(OutsideHypotheses):
            CENTRAL.beside(wrong, 10**5)


def test_a_horizon_below_the_arms_fails_by_value() -> None:
    with pytest.raises(HypothesisFails, match="horizon_at_least_arms"):
        CHAIN.beside(pipeline(), 1)


def test_coverage_is_claimed_where_the_theorem_claims_it() -> None:
    """Would catch a failure probability compared with that of a theorem that needs more rewards: the verdict is ERROR."""
    enough, few = (
        Stated(raw.RAW_RADIUS, {"samples": samples, "epsilon": 1, "contamination": "1/20", "moment": 2, "failure": "1/20"})
        for samples in (256, 10)
    )
    assert enough.failure() == 0.05
    method = Coverage(lambda runs, rng: rng.random(runs) < 0.01, few, "never", 1.5)
    audit = Audit("wu_2023.raw_radius", "coverage.outside", "too few rewards", method)
    found = run_one(audit, Request(1e-3, 1, audit.seed_path)).result.measured
    assert found.verdict is Verdict.ERROR and "enough_samples" in found.message
    for id, each in registry.audits("wu_2023").items():
        if isinstance(each.method, Coverage):
            assert 0.0 < each.method.stated.failure() < 1.0, id
