"""Controls: what each claims, that its mistake is one, and that each is refuted in every seed.

Under `--deep` every number is written to docs/evidence/, and a cell whose sources have not changed is read from there.
"""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running import registry
from banditproof.audits.running.audit import FALSE_ALARM, Control, Request, stem_of
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict

CONTROLS = registry.every(registry.controls)
PRIVACY = sorted(id for id, control in CONTROLS.items() if isinstance(control.audit.method, PrivacyLoss))


@pytest.mark.parametrize("id", sorted(CONTROLS))
def test_every_control_is_refuted_in_every_seed(id: str, seeds: range, cell: Any) -> None:
    """At the quick level and the significance level of `verify`: 20 of 20 seeds, 1 in the quick scale.

    Would catch a method that has grown too weak for a known mistake, and a control that is no violation at all.
    """
    control = CONTROLS[id]

    def compute() -> dict[str, Any]:
        results = [run_one(control.audit, Request(FALSE_ALARM, seed, control.audit.seed_path)).result.measured for seed in seeds]
        return {
            "refuted": sum(result.verdict is Verdict.REFUTED for result in results),
            "seeds": len(results),
            "claimed": results[0].claimed,
            "least_bound": min((result.low for result in results if result.low is not None), default=None),
            "others": sorted({f"{result.verdict.value}: {result.message}" for result in results if result.verdict is not Verdict.REFUTED}),
        }

    parameters = {
        "control": id,
        "mistake": control.mistake,
        "theorem": control.audit.theorem,
        "seeds": len(seeds),
        "false_alarm": FALSE_ALARM,
    }
    found = cell("controls", (module_of(control),), id, parameters, compute)
    assert found["refuted"] == found["seeds"] == len(seeds), found["others"]


def module_of(control: Control) -> str:
    """The module that makes it: the control is computed again when something changes that this one reaches."""
    place = f"{registry.papers()[stem_of(control.id)].audits}.controls"
    (module,) = [name.rpartition(".")[0] for name, value in registry.walk(place, Control) if value is control]
    return module


def test_there_are_many_different_mistakes() -> None:
    """Issue 2 asks for at least ten known-broken controls with different mistakes; these are the ones that it names."""
    mistakes = " / ".join(control.mistake for control in CONTROLS.values())
    assert len({control.mistake for control in CONTROLS.values()}) >= 10
    for words in (
        "half the noise",
        "noise reused",
        "wrong sensitivity",
        "composition forgotten",
        "classic Gaussian",
        "one level short",
        "noise after the decision",
        "rounding that leaks",
        "union bound",
        "stopping rule",
    ):
        assert re.search(words, mistakes), words


@pytest.mark.parametrize("id", sorted(CONTROLS))
def test_a_control_is_named_after_its_place_and_expects_to_be_refuted(id: str) -> None:
    """Would catch a control that counts as passed when it is not refuted, and one that stands in another paper's folder."""
    control = CONTROLS[id]
    assert module_of(control).startswith(f"{registry.papers()[id.split('.')[0]].audits}.controls")
    assert control.audit.slug.startswith(f"{control.audit.method.prefix}.control.")
    assert control.audit.expected is Verdict.REFUTED
    assert control.audit.label.startswith("control ")
    assert len(control.mistake) >= 10


def test_controls_and_cases_share_no_id() -> None:
    """Would catch a control that hides a case, or the other way round."""
    ids = Counter([control.audit.id for control in CONTROLS.values()] + list(registry.every(registry.audits)))
    assert [id for id, count in ids.items() if count > 1] == []


@pytest.mark.parametrize("id", PRIVACY)
def test_the_neighbours_of_a_control_are_neighbours(id: str) -> None:
    """Would catch a control that is refuted because its inputs are farther apart than its claim allows: the mistake must be its noise."""
    method = CONTROLS[id].audit.method
    assert isinstance(method, PrivacyLoss)
    domain, claim = method.mechanism.neighbours(), method.mechanism.guarantee()
    assert claim.relation is domain.relation
    for first, second in domain.worst:
        domain.check(first, second)
        assert not np.array_equal(first, second)
        for side in (first, second):
            outputs = method.mechanism.release(side, 3, np.random.default_rng(1))
            assert outputs.shape[0] == 3 and outputs.dtype == float
