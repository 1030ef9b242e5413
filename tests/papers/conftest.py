"""What the tests of papers share with those of the command line."""

from ..audits.cli.conftest import run

__all__ = ["run"]
