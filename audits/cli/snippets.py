"""Code for the user to paste: a pytest test that shows a refutation again."""

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from banditproof.audits.privacy.claims import claim_json
from banditproof.audits.privacy.plan import samples_for_loss
from banditproof.audits.privacy.readings import by_chance
from banditproof.audits.privacy.witness import PrivacyWitness
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import plain_json
from banditproof.guarantees import NeighbouringRelation

if TYPE_CHECKING:
    from banditproof.audits.statistics.evidence import Measurement
    from banditproof.mechanism import Neighbours

STRICT = 1e-6  # significance level of a test that runs every day, where the refutation is far clearer than that
MISSED = 0.01  # probability that the test passes by accident, where its draws cannot be those of the refutation
EXAMPLES = 10  # neighbours that the test tries beside the witness's


def pytest_snippet(result: AuditResult, neighbours: "Neighbours | None" = None) -> str:
    """A test of the refuted claim on the witness's neighbours, and on others of the declared domain.

    Empty for a result without a user's object, as for outputs that were stored elsewhere.
    """
    measured, witness = result.measured, result.measured.witness
    if not isinstance(witness, PrivacyWitness) or not witness.subject:
        return ""
    stated = plain_json(claim_json(witness.claim))
    module, _, path = witness.subject.rpartition(":")
    plain_import = module.replace(".", "").isidentifier() and path.isidentifier() and not module.endswith(".py")
    name = path.rpartition(".")[2]
    level = "".join(f"{part}={stated[part]!r}, " for part in ("epsilon", "delta", "mu") if part in stated)
    # What the test cannot see from two datasets alone: that they are neighbours although they differ in more than one record.
    loose = witness.terms.group > 1 or witness.claim.relation in _LOOSE
    between = f"relation={NeighbouringRelation.ANY_PAIR}, " if loose else ""
    rate = STRICT if by_chance(measured) < STRICT**2 else measured.false_alarm
    samples = _samples(measured, witness, rate or STRICT)
    call = f"{level}dataset=dataset, neighbour=neighbour, {between}samples={samples}, false_alarm={rate!r}, seed={result.seed}"
    object_line = f"from {module} import {path}" if plain_import else f'{name} = load_subject("{witness.subject}")'
    dataset, neighbour = literal(witness.dataset), literal(witness.neighbour)
    if neighbours is None or neighbours.worst:
        body = [
            f"def test_{name}_is_private():",
            f"    dataset, neighbour = {dataset}, {neighbour}",
            f"    assert_private({name}, {call})",
        ]
        imports = ["from banditproof.audits.assertions import assert_private"]
        imports += ["from banditproof.guarantees import NeighbouringRelation"] if loose else []
    else:
        body = [
            f"@given(neighbouring({_source(neighbours)}))",
            f"@example(({dataset}, {neighbour}))",
            f"@settings(max_examples={EXAMPLES}, deadline=None)",
            f"def test_{name}_is_private(pair):",
            "    dataset, neighbour = pair",
            f"    assert_private({name}, {call}, allow_inconclusive=True)",
        ]
        imports = [
            "from hypothesis import example, given, settings",
            "from banditproof.audits.assertions import assert_private",
            "from banditproof.audits.strategies import neighbouring",
            "from banditproof.guarantees import NeighbouringRelation",
            "from banditproof.mechanism import Neighbours",
        ]
    if plain_import:
        imports.append(object_line)
        return "\n".join([*imports, "", "", *body])
    return "\n".join([*imports, "from banditproof.audits.subjects import load_subject", "", object_line, "", "", *body])


_LOOSE = (NeighbouringRelation.ANY_PAIR, NeighbouringRelation.QUERY_SENSITIVITY, NeighbouringRelation.EVERY_QUERY)


def _samples(measured: "Measurement", witness: PrivacyWitness, rate: float) -> int:
    """As many as the refutation had, whose draws the test then repeats; more where the noise cannot be repeated, so that a loss as large
    as the estimate is refuted again except with probability MISSED."""
    if measured.detail.get("seedable", True) or measured.estimate is None:
        return measured.samples
    fraction = (witness.right + witness.wrong) / witness.trials
    try:
        needed = samples_for_loss(
            witness.claim,
            violation=measured.estimate,
            mass=fraction,
            false_alarm=rate,
            miss_rate=MISSED,
            both_ways=witness.event.both_ways,
        )
    except ValueError:  # an estimate that no number of outputs confirms
        return measured.samples
    return max(needed, measured.samples)


def literal(value: Any) -> str:
    """Python source of plain data."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(literal(part) for part in value)}]"
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def _source(neighbours: "Neighbours") -> str:
    """Python source of a Neighbours, what is default left out."""
    parts = [f"{neighbours.relation}"]
    parts += [
        f"{part.name}={getattr(neighbours, part.name)!r}"
        for part in fields(neighbours)
        if part.name not in ("relation", "worst") and getattr(neighbours, part.name) != part.default
    ]
    return f"Neighbours({', '.join(parts)})"
