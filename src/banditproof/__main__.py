"""`python -m banditproof` and the `banditproof` command."""

import sys


def main() -> None:
    from banditproof.audits.cli.commands import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
