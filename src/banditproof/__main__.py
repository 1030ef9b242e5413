"""`python -m banditproof` and the `banditproof` command."""

import gc
import os
import sys


def main() -> None:
    # Matrices here are small: threads of a linear algebra library's own take longer than they save (twenty times longer on a busy machine),
    # and how many there are would change the last bit of a sum. Before numpy is imported; what the user has set stays.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # Theorems and proofs are millions of small objects that stay; with this many new ones in between the interpreter looks a tenth as often
    # for those that can go, which took a tenth of the time. Worker processes take it over.
    gc.set_threshold(50_000, 20, 50)
    for name in ("stdout", "stderr"):  # None where it was closed, as by `>&-`: then nobody reads it
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    try:
        from banditproof.audits.cli.commands import main as run
    except KeyboardInterrupt:  # before there is anything to keep
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)
    sys.exit(run())


if __name__ == "__main__":
    main()
