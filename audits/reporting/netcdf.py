"""Results as netCDF files, which `xarray.open_dataset`, `xarray.open_datatree` and `arviz.from_netcdf` open: FOLDER/<audit>.nc.

The root group holds the numbers of the record under the names of the record ('detail.model.mean' is `model_mean`), with what they are and
their unit, and the audit's identity as attributes. Lists become dimensions, and a list of pairs is a curve: its second number over its
first. With draws, the groups of ArviZ (posterior, sample_stats, observed_data, constant_data) hold the posterior of the PyMC model.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Measurement, from_plain, plain_json

if TYPE_CHECKING:
    import xarray as xr

_MEANINGS = {
    "claimed": "what the claim says of the quantity",
    "estimate": "point estimate",
    "low": "one-sided lower confidence bound at false_alarm",
    "high": "upper confidence bound",
    "exact": "closed form or accountant",
    "false_alarm": "significance level",
    "must_detect": "the violation that had to be detected",
    "detectable": "the smallest violation that is refuted with probability at least 1 - miss_rate",
    "miss_rate": "probability that such a violation is missed",
    "samples": "draws in all",
}
_PURE = ("false_alarm", "miss_rate", "samples")  # not in the unit of the quantity
_TOO_LONG = ("certificate",)  # proofs: the record has them
_ENDS = ("at_first", "at_last")
_ID = re.compile(r"[a-z0-9_][a-z0-9_.-]*/[a-z0-9_][a-z0-9_.-]*")
_BOUNDS = ["low", "estimate", "high"]


def write_netcdf(results: Iterable[AuditResult], folder: Path, *, draws: bool = False) -> list[Path]:
    """Writes FOLDER/<audit>.nc for each result, whole or not at all; what is there is replaced. With `draws` the posterior of each result
    that has one is sampled again, from its counts, and must have the summary of the record.

    Returns the files. Raises ValueError, naming the audit, where the summaries differ and on an id that is none; OSError where a file
    cannot be written.
    """
    written = []
    for result in results:
        if not _ID.fullmatch(result.audit):
            raise ValueError(f"audit {result.audit!r}: is no id of a registered audit, and names no file")
        path = folder / f"{result.audit}.nc"
        try:
            groups = {"": dataset(result), **(posterior_groups(result) if draws else {})}
        except (TypeError, KeyError, AttributeError) as error:  # a record that somebody wrote by hand
            raise ValueError(f"{result.audit}: is no record of this version ({error})") from None
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.new")
        try:
            for place, (group, found) in enumerate(groups.items()):
                found.to_netcdf(new, mode="a" if place else "w", group=group or None, engine="h5netcdf")
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
        written.append(path)
    return written


def dataset(result: AuditResult) -> "xr.Dataset":
    """The numbers of a result with their meaning and unit, and its identity as attributes."""
    import xarray as xr

    measured = result.measured
    unit = _unit(measured.quantity)
    found: dict[str, Any] = {}
    for name, meaning in _MEANINGS.items():
        value = getattr(measured, name)
        if value is not None:
            found[name] = ((), value, {"long_name": meaning, "units": "1" if name in _PURE else unit})
    ends = dict(_quantiles(measured))
    found |= ends
    words: dict[str, Any] = {}
    for name, value in _flat(plain_json(measured.detail)):
        if ends and name in _ENDS:  # the rows of that curve
            continue
        variable = _variable(name, value)
        if variable is None:
            words[name] = value
        else:
            found.setdefault(name, variable)
    coordinates = {dimension: values for variable in found.values() for dimension, values in _coordinates(variable)}
    variables = {name: variable[:3] for name, variable in found.items()}
    return xr.Dataset(variables, coords=coordinates, attrs=_provenance(result, words))


def posterior_groups(result: AuditResult) -> "dict[str, xr.Dataset]":
    """The groups of ArviZ with the draws of the posterior; none for a result without one. Samples again, from the counts and the seed.

    Raises ValueError where that gives another summary than the record has: another version of PyMC, or another CPU.
    """
    import xarray as xr

    from banditproof.audits.models.privacy_loss import posterior_draws
    from banditproof.audits.privacy.witness import privacy_witness
    from banditproof.audits.running import registry
    from banditproof.randomness import key_of

    before = result.measured.detail.get("model")
    if before is None or result.seed is None:
        return {}
    try:
        path = registry.find(result.audit).seed_path
    except KeyError:
        raise ValueError(f"audit {result.audit!r}: is not registered, and the draws of its posterior have no address") from None
    witness = privacy_witness(result.measured)
    summary, groups = posterior_draws(
        quantity=result.measured.quantity,
        right=witness.right,
        wrong=witness.wrong,
        leaked=witness.leaks_expected,
        key=key_of(result.seed, *path, "model"),
    )
    if plain_json(summary) != plain_json(before):
        raise ValueError(
            f"{result.audit}: its posterior, sampled again, has mean {summary['mean']!r}, and {before['mean']!r} in the record"
        )
    unit, attributes = _unit(result.measured.quantity), _provenance(result, {})
    found = {}
    for group, variables in groups.items():
        found[group] = xr.Dataset({name: variable.rename(name) for name, variable in variables.items()}, attrs=attributes)
    for variable in found["posterior"].data_vars.values():
        variable.attrs |= {"long_name": f"draws of {variable.name}", "units": unit}
    return found


def _provenance(result: AuditResult, words: Mapping[str, Any]) -> dict[str, Any]:
    """Whose numbers these are; no times."""
    named = {
        "audit": result.audit,
        "theorem": result.theorem,
        "label": result.label,
        "verdict": result.verdict.value,
        "expected": "" if result.expected is None else result.expected.value,
        "quantity": result.measured.quantity,
        "message": result.measured.message,
        "assumed": json.dumps(result.measured.assumed, ensure_ascii=False),
        "detail": json.dumps(words, sort_keys=True, ensure_ascii=False),
        "versions": json.dumps(result.versions, sort_keys=True),
    }
    return {**named, **({} if result.seed is None else {"seed": str(result.seed)})}  # as text: a seed may be beyond 64 bits


def _unit(quantity: str) -> str:
    """The glossary's unit of a quantity; '1' for pure numbers and for what the glossary does not have."""
    from banditproof.glossary import quantities

    known = quantities().get(quantity)
    return (known.unit or "1") if known is not None else "1"


# --- details -------------------------------------------------------------------------------------------------------------------------

_Variable = tuple[tuple[str, ...], Any, dict[str, str], dict[str, Any]]  # dimensions, values, attributes, coordinates


def _flat(detail: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """'model': {'mean': 1} as 'model_mean': 1."""
    for key, value in detail.items():
        name = f"{before}{key}".replace(" ", "_").replace("/", "_")
        if name in _TOO_LONG:
            continue
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}_")
        else:
            yield name, value


def _variable(name: str, value: Any) -> _Variable | None:
    """The variable of a detail; None for what is no number."""
    numbers = _numbers(value)
    if numbers is not None:
        return (), numbers, {}, {}
    if not isinstance(value, list) or not value:
        return None
    row = [_numbers(part) for part in value]
    if None not in row:
        return (f"{name}_place",), row, {}, {}
    pairs = [[_numbers(part) for part in pair] if isinstance(pair, list) else [] for pair in value]
    if all(len(pair) == 2 and None not in pair for pair in pairs):
        return (f"{name}_at",), [y for _, y in pairs], {}, {f"{name}_at": [x for x, _ in pairs]}
    return None


def _numbers(value: Any) -> float | int | None:
    value = from_plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if not isinstance(value, int) or abs(value) < 2**63 else None


def _coordinates(variable: Any) -> Iterator[tuple[str, Any]]:
    if len(variable) > 3:
        yield from variable[3].items()


def _quantiles(measured: Measurement) -> Iterator[tuple[str, _Variable]]:
    """The two ends between which a growth was measured, as one curve with its bounds."""
    from banditproof.audits.methods.growth import GrowthWitness

    witness, detail = measured.witness, measured.detail
    if isinstance(witness, GrowthWitness) and set(_ENDS) <= set(detail):
        values = [[float(from_plain(value)) for value in detail[end]] for end in _ENDS]
        if all(len(row) == len(_BOUNDS) and not any(map(math.isnan, row)) for row in values):
            meaning = {"long_name": f"{witness.quantile:.0%} quantile of what is measured"}
            yield "quantile", (("end", "bound"), values, meaning, {"end": [witness.first, witness.last], "bound": _BOUNDS})
