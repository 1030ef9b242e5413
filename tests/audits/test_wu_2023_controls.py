"""The audits of Wu et al. 2023 refute each of their controls in every seed, and nothing that is true."""

import pytest

from banditproof.audits import registry
from banditproof.audits.evidence import Verdict
from banditproof.audits.methods.regret import Regret

FALSE_ALARM = 1e-4
STEMS = ("wu_2023", "inequalities_moments")
CONTROLS = [id for id in registry.controls() if id.startswith(STEMS)]


@pytest.mark.parametrize("id", CONTROLS)
def test_control_is_refuted_in_every_seed(id: str, seeds: range) -> None:
    """Would catch an audit without the power to see its own control."""
    audit = registry.controls()[id].audit
    chosen = seeds if audit.method.statistical else range(1)  # type: ignore[attr-defined]
    if isinstance(audit.method, Regret):
        chosen = range(max(1, len(seeds) // 4))  # runs of 10^6 rounds
    verdicts = [registry.run_one(audit, registry.Request(FALSE_ALARM, seed, (audit.id,))).result.verdict for seed in chosen]
    assert verdicts == [Verdict.REFUTED] * len(verdicts)


@pytest.mark.parametrize("moment", [2, 3])
def test_vacuity_finds_the_first_useful_horizon(moment: int) -> None:
    """Would catch a search that stops one horizon early or late."""
    from banditproof.audits.methods.vacuity import smallest_horizon
    from banditproof.theory.papers.wu_2023.elimination import REGRET_CLEAN_EXPLICIT

    def bound(horizon: int) -> float:
        return REGRET_CLEAN_EXPLICIT.at(horizon=horizon, arms=2, epsilon=1, moment=moment).bound

    first = smallest_horizon(bound, 2.0)
    assert first is not None
    assert bound(first) < 2.0 * first
    assert bound(first - 1) >= 2.0 * (first - 1)


def test_vacuity_says_where_there_is_none() -> None:
    """Would catch a search without an end."""
    from banditproof.audits.methods.vacuity import Vacuity

    found = Vacuity(lambda horizon: 2.0 * horizon, 1.0, most=10**6).measure(registry.Request(0.0, 0, ()))
    assert found.verdict is Verdict.VACUOUS
