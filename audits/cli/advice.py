"""What a refutation is followed by: how likely an accident is, what to type to confirm it, what else the claim may have meant, a test."""

import json
import shlex
from typing import TYPE_CHECKING

import click

from banditproof.audits.running.report import AuditResult

if TYPE_CHECKING:
    from banditproof.mechanism import Neighbours


def after_refutation(result: AuditResult, target: str | None, declared_neighbours: "Neighbours | None") -> None:
    """How to see it again: the probability of an accident, the replay, the claim under another relation, and a test to paste."""
    from banditproof.audits.cli.snippets import pytest_snippet
    from banditproof.audits.privacy.readings import chance
    from banditproof.audits.reporting.table import console, say

    screen = console()
    say(screen, "", _sentence(chance(result.measured)))
    if target in (None, "-"):
        click.echo("Confirm on fresh draws: add --json result.json to this command, then\n  banditproof replay result.json")
    else:
        click.echo(f"Confirm on fresh draws:\n  banditproof replay {shlex.quote(str(target))}")
    other = result.measured.detail.get("other_relation")
    if other is not None:
        say(screen, "", f"{_sentence(other['sentence'])} To test that claim:")
        click.echo(f"  {_command(result, other['neighbours'])}")
    snippet = pytest_snippet(result, declared_neighbours)
    if snippet:
        click.echo("\nA regression test that fails until this is fixed:\n")
        click.echo("\n".join(f"  {line}".rstrip() for line in snippet.splitlines()))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _command(result: AuditResult, neighbours: object) -> str:
    """The command that judges the same claim on other neighbours."""
    from banditproof.audits.privacy.claims import claim_json
    from banditproof.audits.privacy.witness import privacy_witness
    from banditproof.audits.statistics.evidence import plain_json

    witness = privacy_witness(result.measured)
    stated = claim_json(witness.claim)
    level = [word for name in ("epsilon", "delta", "mu") if name in stated for word in (f"--{name}", f"{stated[name]:.17g}")]
    samples = ["--samples", str(result.measured.samples)]
    words = ["banditproof", "audit", "privacy", witness.subject, *level, *samples, "--neighbours", json.dumps(plain_json(neighbours))]
    return shlex.join(words)
