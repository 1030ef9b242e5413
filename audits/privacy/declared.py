"""The neighbours that a user declares: a `Neighbours`, a dictionary of its fields (as from JSON), or a list of pairs of datasets."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from banditproof.audits.data_forms import aligned, form_of, records
from banditproof.guarantees import NeighbouringRelation, shown
from banditproof.mechanism import Neighbours

OLDER_RELATIONS = {"within_sensitivity": "query_sensitivity"}  # values of the previous version, read for one version


def relation_named(word: str) -> NeighbouringRelation | None:
    """The relation of this value, or None. One of the previous version is read with a DeprecationWarning that names its successor."""
    if word in OLDER_RELATIONS:
        message = f"relation {word!r} is called {OLDER_RELATIONS[word]!r} now; the next version does not read the old name"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
    value = OLDER_RELATIONS.get(word, word)
    return next((relation for relation in NeighbouringRelation if relation.value == value), None)


MOST_NUMBERS = 10**6  # records of a dataset that is searched, and numbers along an axis of a record
_KNOWN = tuple(field.name for field in fields(Neighbours))


def declared_neighbours(declared: Any, name: str, relation: NeighbouringRelation | None) -> Neighbours:
    """Where to look, from a Neighbours, a dictionary of its fields, or pairs."""
    if isinstance(declared, Neighbours):
        tables = any(form_of(data) for pair in declared.worst for data in pair)
        worst = _pairs(declared.worst, name) if tables else declared.worst
        return replace(declared, worst=worst, relation=relation or declared.relation)
    if isinstance(declared, Mapping):
        return _from_fields(declared, name, relation)
    if isinstance(declared, (list, tuple)) and declared and all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in declared):
        pairs = _pairs(declared, name)
        return Neighbours(relation or related(*pairs[0]), worst=pairs)
    raise ValueError(f"{name}: its neighbours are {shown(declared)}: must be a Neighbours, a dictionary of its fields, or a list of pairs")


def _from_fields(declared: Mapping[str, Any], name: str, relation: NeighbouringRelation | None) -> Neighbours:
    values = dict(declared)
    unknown = [key for key in values if key not in _KNOWN]
    if unknown:
        raise ValueError(f"{name}, neighbours: {unknown[0]!r} is not one of {', '.join(_KNOWN)}")
    named = values.pop("relation", None)
    if relation is None and named is not None:
        relation = named if isinstance(named, NeighbouringRelation) else relation_named(str(named))
        if relation is None:
            raise ValueError(
                f"{name}, neighbours: relation = {named!r}: must be one of {', '.join(kind.value for kind in NeighbouringRelation)}"
            )
    for key, kind, wanted in _RULES:
        if key in values and (isinstance(values[key], bool) is not (kind is bool) or not isinstance(values[key], kind)):
            raise ValueError(f"{name}, neighbours: {key} = {values[key]!r}: must be {wanted}")
    for key in ("lengths", "row"):
        if key in values:
            if not all(isinstance(part, int) and not isinstance(part, bool) and part >= 1 for part in values[key]):
                raise ValueError(f"{name}, neighbours: {key} = {values[key]!r}: must be whole numbers >= 1")
            if max(values[key], default=1) > MOST_NUMBERS:
                raise ValueError(f"{name}, neighbours: {key} = {values[key]!r}: must be at most {MOST_NUMBERS}")
            values[key] = tuple(values[key])
    if "lengths" in values and len(values["lengths"]) != 2:
        raise ValueError(f"{name}, neighbours: lengths = {declared['lengths']!r}: must be [shortest, longest]")
    values["worst"] = _pairs(values.get("worst", ()), name)
    try:
        values |= {key: float(values[key]) for key in ("low", "high", "sensitivity") if key in values}
    except OverflowError:
        raise ValueError(f"{name}, neighbours: {shown(dict(declared))}: low, high and sensitivity must be at most about 1.8e308") from None
    return Neighbours(relation or NeighbouringRelation.REPLACE_RECORD, **values)


_RULES: tuple[tuple[str, Any, str], ...] = (
    ("low", (int, float), "a number"),
    ("high", (int, float), "a number"),
    ("lengths", (list, tuple), "[shortest, longest]"),
    ("row", (list, tuple), "a shape, as [] or [3]"),
    ("integral", bool, "true or false"),
    ("sensitivity", (int, float), "a number"),
    ("norm", int, "1 or 2 (where each of several answers moves, the relation is every_query)"),
    ("group", int, "a whole number >= 1"),
    ("worst", (list, tuple), "a list of pairs of datasets"),
)


_DISTANCE = ("relation", "sensitivity", "norm", "group")  # how far apart neighbours are; the other fields say where to look for them


def require_distance_only(declared: Mapping[str, Any]) -> None:
    """Raises ValueError on neighbours that say where to search, beside two datasets that are given: nothing would be searched."""
    where = [key for key in declared if key not in _DISTANCE]
    if where:
        rule = f"beside dataset and neighbour only {', '.join(_DISTANCE)} are used, nothing is searched; leave the one or the other out"
        raise ValueError(f"neighbours: {', '.join(map(repr, where))}: {rule}")


def _pairs(pairs: Any, name: str) -> tuple[tuple[Any, Any], ...]:
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise ValueError(f"{name}, neighbours: worst = {shown(pairs)}: must be a list of pairs of datasets")
    datasets = plain_datasets([data for pair in pairs for data in pair])
    return tuple(zip(datasets[::2], datasets[1::2], strict=True))


def declared_datasets(declared: Any) -> list[Any]:
    """The datasets of the pairs that are declared to be worst, as they are given; none where the declaration cannot be read."""
    worst = declared.worst if isinstance(declared, Neighbours) else declared.get("worst", ()) if isinstance(declared, Mapping) else declared
    pairs = worst if isinstance(worst, (list, tuple)) else ()
    return [data for pair in pairs if isinstance(pair, (list, tuple)) for data in pair]


def related(dataset: Any, neighbour: Any) -> NeighbouringRelation:
    """The narrowest relation under which two datasets are neighbours: one record replaced, or one more or less, whatever records are; any
    pair for what is not a list. Raises ValueError if two lists differ in more, and on two datasets of different kinds."""
    kinds = [_kind(side) for side in (dataset, neighbour)]
    if kinds[0] != kinds[1]:
        raise ValueError(f"dataset = {shown(dataset)}, neighbour = {shown(neighbour)}: {kinds[0]} and {kinds[1]}, must be of one kind")
    if kinds[0] != "a list":
        return NeighbouringRelation.ANY_PAIR
    for relation in (NeighbouringRelation.REPLACE_RECORD, NeighbouringRelation.ADD_OR_REMOVE):
        try:
            Neighbours(relation).check(dataset, neighbour)
        except (ValueError, IndexError):
            continue
        return relation
    rule = 'differ in more than one record; if they are neighbours, name the relation, or a group, as neighbours {"group": 2}'
    raise ValueError(f"{shown(dataset)} and {shown(neighbour)}: {rule}")


def _kind(data: Any) -> str:
    if isinstance(data, (bool, np.bool_)):
        return "a truth value"
    if isinstance(data, (int, float, np.number)):
        return "a number"
    if isinstance(data, (list, tuple)) or np.ndim(data) > 0:  # an array, or what is read as one
        return "a list"
    return {str: "a text", dict: "a dictionary", type(None): "nothing"}.get(type(data), f"a {type(data).__name__}")


def plain(data: Any) -> Any:
    """A copy of a dataset in plain numbers, lists and dictionaries. Raises ValueError on a data frame that has none (`data_forms`)."""
    if isinstance(data, (np.ndarray, np.generic)):
        return plain(data.tolist()) if data.dtype.kind == "O" else data.tolist()
    if form_of(data) is not None:
        return plain(records(data))
    if isinstance(data, (list, tuple)):
        return [plain(part) for part in data]
    if isinstance(data, dict):
        return {key: plain(part) for key, part in data.items()}
    return data


def plain_datasets(datasets: Sequence[Any]) -> list[Any]:
    """Datasets that are compared, as plain data: columns of data frames are matched by their labels. Raises ValueError as
    `data_forms.aligned` does."""
    return [plain(data) for data in aligned(datasets)]
