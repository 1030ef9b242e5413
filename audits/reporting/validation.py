"""Records that somebody hands us, held against `result.schema.json`: the first value that breaks a rule, with the rule in words.

Numbers are held to what the code can compute with: an integer is written without a fraction, a number fits a double and is finite (records
spell the others as "inf", "-inf" and "nan").
"""

import functools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from banditproof.audits.running.naming import nearest, shortened

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

LONGEST = 400  # digits of a number that is read at all: no double has more before its point
_TYPES = {
    "string": "text",
    "integer": "an integer",
    "number": "a finite number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def schema() -> Any:
    """The JSON Schema of all records."""
    return json.loads(resources.files("banditproof.audits.reporting").joinpath("result.schema.json").read_text(encoding="utf-8"))


def read(text: str) -> Any:
    """The value of a JSON text, with or without a byte order mark. Raises ValueError, naming the place, on text that is no JSON, on a key
    that is given twice, and on a number of more than LONGEST digits."""
    try:
        return loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({fault(error)} at line {error.lineno})") from None
    except RecursionError:
        raise ValueError("is not JSON that can be read (nested too deeply)") from None


def fault(error: json.JSONDecodeError) -> str:
    """What is wrong, as json says it: "Unterminated string starting at" without its last word."""
    return error.msg.removesuffix(" at")


def loads(text: str) -> Any:
    """As `json.loads`. Raises also ValueError on a key that is given twice and on a number of more than LONGEST digits."""
    return json.loads(text, object_pairs_hook=_object, parse_int=_integer)


def require_valid(record: Any, kind: str) -> None:
    """Raises ValueError, naming the field, its value and the rule, unless a record is what the schema calls a `kind`."""
    found = next(_validator(kind).iter_errors(record), None)
    if found is not None:
        raise ValueError(_told(found))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for key, value in pairs:
        if key in known:
            raise ValueError(f"key {shortened(key)}: is given twice")
        known[key] = value
    return known


def _integer(digits: str) -> int:
    if len(digits) > LONGEST:
        raise ValueError(f"number {digits[:12]}...: must have at most {LONGEST} digits")
    return int(digits)


@functools.cache
def _validator(kind: str) -> "Validator":
    from jsonschema import Draft202012Validator, validators

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: _is_integer(value))
    types = types.redefine("number", lambda _, value: _is_number(value))
    strict = validators.extend(Draft202012Validator, type_checker=types)
    return strict({"$ref": f"#/$defs/{kind}", "$defs": schema()["$defs"]})


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer beyond the doubles
        return False


# --- what is said of it -------------------------------------------------------------------------------------------------------------


def _told(error: "ValidationError") -> str:
    """One broken rule: the field, its value, and what it must be."""
    value, rule, of = error.instance, error.validator_value, _place(error.absolute_path)
    within = f" of {of}" if of else ""
    match error.validator:
        case "required":
            return f"field {next(name for name in rule if name not in value)!r}{within}: is missing"
        case "additionalProperties" if rule is False:
            known = error.schema["properties"]
            name = next(name for name in value if name not in known)
            return f"field {shortened(name)}{within}: is not one of its fields{nearest(name, known)}"
        case "minItems" | "maxItems" if value:
            return f"{of or 'record'}: has {len(value)} entries: must have {_amount(error.schema)}"
        case _:
            return f"{of or 'record'} = {_quoted(value)}: must be {_rule(error.schema)}"


def _rule(schema: Mapping[str, Any]) -> str:
    """What a schema asks of a value, in words."""
    match schema:
        case {"$ref": str(name)}:
            return _rule(_definition(name))
        case {"anyOf": [*choices]}:
            return _either(map(_rule, choices))
        case {"enum": [*values]}:
            return f"one of {', '.join(map(_word, values))}"
        case {"const": value}:
            return _word(value)
        case {"type": kinds}:
            named = _either(_TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))
            least = schema.get("minLength") or schema.get("minItems")
            bounds = " and ".join(f"{sign} {schema[name]}" for name, sign in _BOUNDS.items() if name in schema)
            return f"{named}{f' {bounds}' if bounds else ' that is not empty' if least else ''}"
        case _:
            return "of another kind"


@functools.cache
def _definition(name: str) -> Any:
    return schema()["$defs"][name.rpartition("/")[2]]


def _either(rules: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(rules))


def _amount(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    return f"{least}" if least == most else f">= {least}" if most is None else f"{least or 0} to {most}"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(path: Sequence[str | int]) -> str:
    """Where in the record: results[3].witness.event."""
    parts: list[str] = []
    for step in path:
        parts.append(f"[{step}]" if isinstance(step, int) else f".{step}" if parts else step)
    return "".join(parts)
