"""Records of the previous version, read for one version: the same numbers under the keys of today.

Keys change, and the word for a relation; never a number. What an older version said in words (`message`, `assumed`, `rule`) stays as it was
written.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from banditproof.audits.privacy.declared import OLDER_RELATIONS

Change = Callable[[Any], Any]

RESULT = {"missed_with": "miss_rate"}
DETAIL = {
    "guessed_share": "guessed_fraction",
    "share_of_exact": "fraction_of_exact",
    "used": "utilisation",
    "spread": "coefficient_of_variation",
    "design_spread": "design_coefficient_of_variation",
}
DIRECTIONS = {"first_over_second": "dataset_over_neighbour", "second_over_first": "neighbour_over_dataset"}
NEIGHBOURS = {"first": "dataset", "second": "neighbour"}
PLACE = {"law": "distribution", "share": "fraction", "pulls promised there": "guaranteed pulls"}  # of a point or of drawn runs
PLAN = {"missed_with": "miss_rate"}
OUTCOME = {"share": "quantifier", "finding": "verdict"}
PARAMETERS = {"planned": "planned_horizon"}
QUANTITIES = {  # names of quantities, as `theory eval` takes them
    "share": "unit_ratio",
    "other_share": "other_unit_ratio",
    "tilt": "mgf_argument",
    "wide_gap": "unbounded_gap",
    "action_gap": "minimum_gap",
    "moment_gap": "gap_up_to_two",
}


def upgraded(record: Any) -> Any:
    """The record under today's schema, a copy, if its schema is that of the previous version; else the record itself."""
    known = UPGRADES.get(str(record.get("schema"))) if isinstance(record, dict) else None
    if known is None:
        return record
    schema, change = known
    return {**change(record), "schema": schema}


def note(named: str, record: Any, found: Any) -> str:
    """What a reader is told of a record that was upgraded."""
    return f"{named} has the schema {record['schema']}, read as {found['schema']}; the next version does not read it"


def _renamed(record: Any, names: Mapping[str, str]) -> Any:
    """With other keys, one level deep; what is no object is left alone, for whoever reads it to refuse."""
    return {names.get(key, key): value for key, value in record.items()} if isinstance(record, dict) else record


def _within(record: Any, key: str, change: Change) -> Any:
    """With the value of one key changed, where there is one."""
    return {**record, key: change(record[key])} if isinstance(record, dict) and key in record else record


def _each(values: Any, change: Change) -> Any:
    """With each value of a list or an object changed."""
    if isinstance(values, dict):
        return {name: change(value) for name, value in values.items()}
    return [change(value) for value in values] if isinstance(values, list) else values


def _result(record: Any) -> Any:
    record = _within(_renamed(record, RESULT), "detail", _detail)
    return _within(record, "witness", _witness)


def _detail(detail: Any) -> Any:
    detail = _within(_renamed(detail, DETAIL), "clopper_pearson", lambda bounds: _renamed(bounds, DIRECTIONS))
    return _within(detail, "closest", lambda place: _renamed(place, PLACE))


def _witness(witness: Any) -> Any:
    match witness:
        case {"kind": "privacy"}:
            return _within(_renamed(witness, NEIGHBOURS), "claim", lambda claim: _within(claim, "relation", _relation))
        case {"kind": "coverage" | "pointwise"}:
            return _within(witness, "parameters", lambda place: _renamed(place, PLACE))
        case _:
            return witness


def _relation(word: Any) -> Any:
    return OLDER_RELATIONS.get(word, word) if isinstance(word, str) else word


def _results(record: Any) -> Any:
    return _within(record, "results", lambda results: _each(results, upgraded))


def _plan(record: Any) -> Any:
    return _renamed(record, PLAN)


def _reproduction(record: Any) -> Any:
    record = _within(record, "outcomes", lambda ways: _each(ways, lambda group: _each(group, lambda each: _renamed(each, OUTCOME))))
    return _within(record, "parameters", _parameters)


def _parameters(parameters: Any) -> Any:
    """Those of D.1 to D.3 of Shariff and Sheffet, and D.2's constants by variant."""
    return _within(_renamed(parameters, PARAMETERS), "constants", _constants)


def _constants(variants: Any) -> Any:
    """What was called the spread is the degrees of freedom of Wishart noise, and the standard deviation of a node of another."""
    for variant, spread in (
        ("Gaussian", "node_sigma"),
        ("NonPrivate", "node_sigma"),
        ("Wishart", "degrees"),
        ("WishartUnshifted", "degrees"),
    ):
        variants = _within(variants, variant, functools.partial(_renamed, names={**PARAMETERS, "spread": spread}))
    return variants


def _times(record: Any) -> Any:
    """As it was: a profile, which is new, is there where one was asked for."""
    return record


UPGRADES: dict[str, tuple[str, Change]] = {
    "banditproof/result/2": ("banditproof/result/3", _result),
    "banditproof/verify/2": ("banditproof/verify/3", _results),
    "banditproof/replay/1": ("banditproof/replay/2", _results),
    "banditproof/plan/1": ("banditproof/plan/2", _plan),
    "banditproof/reproduce/2": ("banditproof/reproduce/3", _reproduction),
    "banditproof/times/1": ("banditproof/times/2", _times),
}
