"""`banditproof schema`: the JSON Schema of the records."""

from importlib import resources

import click

from banditproof.audits.running.exits import Exit


@click.command(short_help="The JSON Schema of the records.")
def schema() -> int:
    """Print the JSON Schema (draft 2020-12) of what --json writes: results, runs of verify, replays, plans, reproductions and
    comparisons.

    Each record names its schema and version, as "banditproof/result/3". docs/stability.md says what a version promises, and for how long
    records of the one before are read.
    """
    click.echo(resources.files("banditproof.audits.reporting").joinpath("result.schema.json").read_text(encoding="utf-8"), nl=False)
    return Exit.EXPECTED
