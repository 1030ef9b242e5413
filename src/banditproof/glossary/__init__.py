"""Every letter with a meaning: its name, LaTeX, domain and typical values.

A quantity is defined once; theory turns it into a symbol, algorithms use its name as a parameter name, audits draw values from its domain.
No SymPy here. `core` has what the algorithms, the shared inequalities or at least two papers use, and all of it is imported from here:
`from banditproof.glossary import EPSILON`. The file of a paper's stem has what that paper alone uses, and goes with the paper: nothing but
the paper's theory, audits, figures and tests imports it. `quantities` finds every file by itself.

ROUNDS COUNT FROM 0 IN CODE AND FROM 1 IN FORMULAS. An index, an array, a wire and a setting of a class (`differing`) are code; a value of
the quantity `round`, such as an argument of a theorem or of the function in algorithms that is compared with it, belongs to a formula.
"""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from banditproof.glossary.core import *  # noqa: F403  (all of it, and no list to keep)
from banditproof.glossary.core import Quantity as Quantity


@functools.cache
def quantities() -> Mapping[str, Quantity]:
    """All quantities by name, those of every paper included. Raises ValueError where two have one name."""
    found: dict[str, Quantity] = {}
    places: dict[str, str] = {}
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):  # noqa: F405  (every package has one)
        for value in vars(importlib.import_module(info.name)).values():
            if not isinstance(value, Quantity):
                continue
            if found.setdefault(value.name, value) is not value:
                raise ValueError(f"{info.name}: {places[value.name]} has another quantity of the name {value.name!r}")
            places.setdefault(value.name, info.name)
    return MappingProxyType(found)
