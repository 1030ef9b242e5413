"""`python -m banditproof` and the `banditproof` command."""

import os
import sys


def main() -> None:
    # Matrices here are small: threads of a linear algebra library's own take longer than they save (twenty times longer on a busy machine),
    # and how many there are would change the last bit of a sum. Before numpy is imported; what the user has set stays.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    from banditproof.audits.cli.commands import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
