"""Numbers of shipped code beside the same numbers computed again, as the points of `methods.pointwise`."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit

CLOSE = Fraction(1, 10**9)
FAR = Fraction(10**9)  # other shapes, NaN, or something raised

Points = Callable[[], Iterator[At]]


def distance(found: Any, expected: Any) -> Fraction:
    """The largest difference, relative to the number expected or to a thousandth of the largest of them; NaN equals NaN."""
    one, other = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if one.shape != other.shape:
        return FAR
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    if same.all():
        return Fraction(0)
    if not (np.isfinite(one) & np.isfinite(other))[~same].all():
        return FAR
    sizes = np.where(np.isfinite(other), np.abs(other), 0.0)
    off = np.abs(one - other)[~same] / (sizes + 1e-3 * float(sizes.max()) + 1e-300)[~same]
    return min(Fraction(float(off.max())), FAR)


def compared(where: Mapping[str, Any], **pairs: tuple[Any, Any]) -> Iterator[At]:
    """A point for each pair (found, expected)."""
    for name, (found, expected) in pairs.items():
        yield At({**where, "compared": name}, distance(found, expected), CLOSE)


def refused(where: Mapping[str, Any], make: Callable[..., Any], wrong: Mapping[str, tuple[Any, ...]], **right: Any) -> Iterator[At]:
    """That each wrong value raises ValueError beside values that are right, which do not."""
    yield At({**where, "value": "right"}, int(_raises(make, right)), 0)
    for name, values in wrong.items():
        for value in values:
            yield At({**where, name: str(value)}, 1 - int(_raises(make, {**right, name: value})), 0)


def accepted(where: Mapping[str, Any], make: Callable[..., Any], ends: Mapping[str, tuple[Any, ...]], **right: Any) -> Iterator[At]:
    """That no value at an end of what is allowed raises."""
    for name, values in ends.items():
        for value in values:
            yield At({**where, name: str(value)}, int(_raises(make, {**right, name: value})), 0)


def _raises(make: Callable[..., Any], values: Mapping[str, Any]) -> bool:
    try:
        make(**values)
    except ValueError:
        return True
    return False


def unbroken(points: Points) -> Points:
    """The points; one that no claim allows where something is raised on the way, as by a shipped part with a mistake."""

    def guarded() -> Iterator[At]:
        found: list[At] = []
        with np.errstate(all="ignore"):  # as compiled code takes numbers far outside every range
            try:
                found.extend(points())
            except Exception as error:  # whatever a broken part raises
                found.append(At({"raised": f"{type(error).__name__}: {error}"[:80]}, FAR, 0))
        yield from found

    return guarded


def beside(theorem: str, slug: str, label: str, points: Points, domain: str) -> Audit:
    """An audit of such points; `slug` without its prefix."""
    return Audit(theorem, f"points.{slug}", label, Pointwise(unbroken(points), domain, "distance"))
