"""The picture of the rates: its map, its outcomes, and where the bounds say anything."""

import pytest

from banditproof.audits.experiments.experiment import SILENT, OutcomeVerdict, ReproductionRequest
from banditproof.audits.papers.charisopoulos_2023.cases.bounds import bound_at
from banditproof.audits.papers.charisopoulos_2023.figures import dominance
from banditproof.theory.papers.charisopoulos_2023 import regret, regret_m2


def test_map_has_the_smaller_rate_at_every_place():
    """Would catch a map with alpha and d exchanged, and one of another horizon: the rates themselves at places with a clear winner."""
    rows = dominance.smallest(dominance.MAPPED, 20)
    for row in rows:
        for power, shown in zip(dominance.POWERS_OF_D, row[1:], strict=True):
            alpha = 2.0 ** int(row[0].removeprefix("2^"))
            rates = {name: dominance.rate(name, 2.0**power, 2.0**20, alpha) for name in dominance.MAPPED}
            best = min(rates, key=rates.__getitem__)
            if all(rate > 4.0 * rates[best] for name, rate in rates.items() if name != best):
                assert shown == best


def test_largest_alpha_is_where_the_bound_crosses():
    """Would catch a search that stops at either side: 1 % more says nothing, 1 % less says something."""
    found = dominance.largest_alpha(regret.REGRET_M1, 10**8, 10**6)
    assert found is not None
    below, above = (bound_at(regret.REGRET_M1, f"{factor * found:.12f}", 10**6, 10**8) for factor in (0.99, 1.01))
    assert below < 2e8 <= above
    assert dominance.largest_alpha(regret_m2.CHAIN_M2, 10**5, 1) is None


def test_claims_of_the_gain():
    """'At least' sqrt(d) is contradicted, 'in certain regimes' is not. Would catch comparisons the wrong way round."""
    assert [each.verdict() for each in dominance.outcomes()] == [OutcomeVerdict.CONTRADICTED, OutcomeVerdict.REPRODUCED]


def test_numbers_have_their_request_and_the_trivial_rate():
    """Would catch a request that is not recorded, and rates that are divided by another horizon than theirs."""
    found = dominance.reproduce(ReproductionRequest(1, 2, 2**20, 1), SILENT)
    assert len(found.rows) == 2 * 33 * 5 and found.parameters["runs"] == 2 and found.parameters["horizon"] == 2**20
    assert [each["over_T"] for each in found.rows if each["rate"] == "every policy"] == pytest.approx([1.0] * 66)
