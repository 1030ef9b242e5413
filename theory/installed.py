"""Papers of other people's distributions, which join by an entry point: its name is the stem of the paper, its value a package."""

import re
from collections.abc import Iterator

GROUP = "banditproof.papers"


def installed() -> Iterator[tuple[str, str]]:
    """Stem and package of each. The stem is the entry point's name as a Python identifier in lower case."""
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        yield re.sub(r"[^a-z0-9_]", "_", point.name.lower()), point.value
