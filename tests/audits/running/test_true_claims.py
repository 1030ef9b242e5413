"""The tree as it is, in 20 seeds: how often `verify` refutes what it takes for true, beside what its significance level allows.

Of statistical audits under `--deep` alone, a cell per paper and seed, kept in docs/evidence/true_claims.json; of agreements, which compare
at drawn points, at one seed always.
"""

from typing import Any

import pytest
from scipy import stats

from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.running import registry
from banditproof.audits.running.audit import FALSE_ALARM, Audit, Level, Request
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict

SEEDS = range(100, 120)  # none of them was run before; 17 is that of `verify`


def statistical(paper: str) -> list[Audit]:
    """The paper's audits that have a significance level and that no finding expects to refute."""
    return [audit for audit in registry.audits(paper).values() if audit.method.statistical and audit.expected is None]


@pytest.mark.deep
@pytest.mark.parametrize("paper", sorted(registry.papers()))
def test_true_claims_are_seldom_refuted(paper: str, cell: Any) -> None:
    """Would catch a test whose false-alarm rate is above what `verify` prints, and a claim that is false and that one seed hides.

    Passes for true claims with probability 0.999: the number of refutations is at most the 99.9 % quantile of a binomial with the printed
    rate, and none of them comes again on ten times as many fresh draws.
    """
    audits = statistical(paper)
    modules = tuple(registry.modules(registry.papers()[paper].audits))
    found = [
        cell("true_claims", modules, f"{paper}.{seed}", {"seed": seed, "false_alarm": FALSE_ALARM}, one)
        for seed in SEEDS
        for one in [lambda seed=seed: judged(audits, seed)]
    ]
    refuted = [id for each in found for id in each["refuted"]]
    assert sum(each["audits"] for each in found) == len(SEEDS) * len(audits)
    assert [each["failed"] for each in found] == [[]] * len(SEEDS)
    assert len(refuted) <= stats.binom.ppf(0.999, len(SEEDS) * len(audits), FALSE_ALARM), refuted
    assert [id for each in found for id in each["refuted_again"]] == []


@pytest.mark.parametrize("paper", sorted(registry.papers()))
def test_agreements_hold_at_other_points(paper: str, seeds: range) -> None:
    """Would catch a float formula that loses its digits somewhere, or a statement's number that is known too badly to compare with."""
    audits = [audit for audit in registry.audits(paper).values() if isinstance(audit.method, Agreement)]
    expected = {audit.id: Verdict.NOT_REFUTED if audit.expected is None else Verdict.REFUTED for audit in audits}
    for seed in SEEDS[: len(seeds)]:
        assert {audit.id: _verdict(audit, seed, Level.QUICK) for audit in audits} == expected, seed


def judged(audits: list[Audit], seed: int) -> dict[str, Any]:
    """What is refuted at the quick level; of that, what is refuted again at the level above, from another seed."""
    verdicts = {audit.id: _verdict(audit, seed, Level.QUICK) for audit in audits}
    refuted = [id for id, verdict in verdicts.items() if verdict is Verdict.REFUTED]
    again = [audit.id for audit in audits if audit.id in refuted and _verdict(audit, seed + 1000, Level.STANDARD) is Verdict.REFUTED]
    failed = [id for id, verdict in verdicts.items() if verdict is Verdict.ERROR]
    undecided = sorted(id for id, verdict in verdicts.items() if verdict is Verdict.INCONCLUSIVE)
    return {"audits": len(audits), "refuted": refuted, "refuted_again": again, "failed": failed, "inconclusive": undecided}


def _verdict(audit: Audit, seed: int, level: Level) -> Verdict:
    return run_one(audit, Request(FALSE_ALARM, seed, audit.seed_path, level)).result.measured.verdict
