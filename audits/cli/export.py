"""`banditproof export`: placeholder."""
import click


@click.command()
def export() -> int:
    return 0
