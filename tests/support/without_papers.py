"""Deletes papers from a checkout: their statements, audits, tests and letters. The algorithms stay.

    python tests/support/without_papers.py CHECKOUT STEM [STEM ...]

Raises SystemExit on a stem that the checkout has nothing of.
"""

import shutil
import sys
from pathlib import Path

PLACES = ("theory/papers/{}", "theory/papers/{}.py", "audits/papers/{}", "tests/papers/{}", "src/banditproof/glossary/{}.py")


def delete(checkout: Path, stem: str) -> list[str]:
    """Removes what is a paper's own; returns the paths, relative to the checkout."""
    found = [checkout / place.format(stem) for place in PLACES if (checkout / place.format(stem)).exists()]
    for path in found:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return [str(path.relative_to(checkout)) for path in found]


if __name__ == "__main__":
    for each in sys.argv[2:]:
        gone = delete(Path(sys.argv[1]), each)
        if not gone:
            sys.exit(f"{each}: the checkout has nothing of this paper")
        print(f"{each}: {', '.join(gone)}")
