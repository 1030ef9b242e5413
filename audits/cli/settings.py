"""Settings of a project: [tool.banditproof] of the nearest pyproject.toml that has it, as defaults of the commands' options.

    [tool.banditproof]
    level = "standard"        # of every command that has the option
    jobs = 4

    [tool.banditproof.verify] # of one command
    strict = true

What is given on the command line wins. Help shows these values as the defaults.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from banditproof.audits.cli.values import Rejected, nearest

FILE, TABLE = "pyproject.toml", "tool.banditproof"
# What a project may set, where a command has a default for it: never a claim, a dataset, or where results go.
KEYS = (
    *("level", "budget", "false_alarm", "miss_rate", "seed", "jobs", "strict", "posterior", "fresh"),
    *("samples", "relation", "view", "out", "older_than"),
)
_WITHOUT_DEFAULT = ("jobs", "budget", "relation", "view")  # options that may be left out, and are no part of a question or of a record


@dataclass(frozen=True)
class Settings:
    """Where they stand, and the defaults by command, as click takes them."""

    file: Path
    defaults: Mapping[str, Any]


def project_settings(group: click.Group, folder: Path) -> Settings | None:
    """The settings for the commands of a group, from the folder or the nearest one above; None where there are none.

    Raises Rejected, naming the file, the key, the value and the rule, on a file that is no TOML, an unknown key, and a bad value.
    """
    for place in (folder, *folder.parents):
        path = place / FILE
        table = _table(path) if path.is_file() else None
        if table is not None:
            return Settings(path, _defaults(group, table, path))
    return None


def _table(path: Path) -> Mapping[str, Any] | None:
    """The table [tool.banditproof] of a file; None without one. A file that does not name it need not be TOML."""
    import tomllib

    try:
        text = path.read_bytes()
        if TABLE.partition(".")[2].encode() not in text:
            return None
        tools = tomllib.loads(text.decode("utf-8")).get("tool", {})
    except OSError as error:
        raise Rejected(f"file {str(path)!r}: cannot be read ({os.strerror(error.errno or 0)})") from None
    except (ValueError, RecursionError) as error:
        raise Rejected(f"file {str(path)!r}: is not TOML ({error})") from None
    table = tools.get("banditproof") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise Rejected(f"file {str(path)!r}: {TABLE} = {table!r}: must be a table")
    return table


def _defaults(group: click.Group, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    commands = dict(_commands(group))
    general = {key: value for key, value in table.items() if not isinstance(value, dict)}
    found: dict[str, Any] = {}
    used = set[str]()
    for words, command in commands.items():
        own = _own(table, words)
        _require_keys(own, _settable(command), f"{TABLE}.{'.'.join(words)}", path)
        place = found
        for word in words[:-1]:
            place = place.setdefault(word, {})
        place[words[-1]] = {
            key: _checked(option, key, {**general, **own}[key], path)
            for key, option in _settable(command).items()
            if key in general or key in own
        }
        used |= set(_settable(command))
    _require_keys(general, used, TABLE, path)
    _require_tables(table, group, TABLE, path)
    return found


def _commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*before, name))
        else:
            yield (*before, name), command


def _settable(command: click.Command) -> dict[str, click.Option]:
    """The options of a command that a project may set, by key."""
    options = {option.name: option for option in command.params if isinstance(option, click.Option) and not option.hidden}
    return {key: options[key] for key in KEYS if key in options and (key in _WITHOUT_DEFAULT or _has_default(options[key]))}


def _has_default(option: click.Option) -> bool:
    return option.is_flag or isinstance(option.default, (int, float, str))  # what stands for none differs between versions of click


def _own(table: Mapping[str, Any], words: tuple[str, ...]) -> Mapping[str, Any]:
    """The table of one command, as [tool.banditproof.audit.privacy]."""
    place: Any = table
    for word in words:
        place = place.get(word, {}) if isinstance(place, dict) else {}
    return place if isinstance(place, dict) else {}


def _require_keys(given: Mapping[str, Any], known: Any, table: str, path: Path) -> None:
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        there = ", ".join(key for key in KEYS if key in known) or "none"
        near = nearest(unknown, list(known))
        raise Rejected(f"{path}: [{table}] {unknown} = {_shown(given[unknown])}: is no setting{near}; there are: {there}")


def _require_tables(table: Mapping[str, Any], group: click.Group, name: str, path: Path) -> None:
    for key, value in table.items():
        if not isinstance(value, dict):
            continue
        command = group.commands.get(key)
        if command is None:
            raise Rejected(f"{path}: [{name}.{key}]: there is no such command{nearest(key, list(group.commands))}")
        if isinstance(command, click.Group):
            wrong = next((each for each, part in value.items() if not isinstance(part, dict)), None)
            if wrong is not None:
                raise Rejected(f"{path}: [{name}.{key}] {wrong} = {_shown(value[wrong])}: must be in the table of one command of {key}")
            _require_tables(value, command, f"{name}.{key}", path)


def _checked(option: click.Option, key: str, value: Any, path: Path) -> Any:
    """The value as the option takes it. Raises Rejected with the option's own rule."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise Rejected(f"{path}: [{TABLE}] {key} = {_shown(value)}: must be true or false")
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise Rejected(f"{path}: [{TABLE}] {key} = {_shown(value)}: must be a number or a word")
    try:
        option.type.convert(str(value), option, None)
    except click.ClickException as error:
        raise Rejected(f"{path}: [{TABLE}] {error.format_message()}") from None
    return str(value)


def _shown(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
