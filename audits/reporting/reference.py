"""docs/reference/api.md: every name of `import banditproof`, with its signature and docstring; written from them alone.

`make api` writes it again, and a test compares it.
"""

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import banditproof
from banditproof.audits.running.files import write_whole

GROUPS = {
    "Audit a mechanism of yours": ("audit_privacy", "audit_gray_box", "claim", "Neighbours", "Laplace"),
    "Assertions for tests": ("assert_private", "assert_covers", "assert_regret_within"),
    "Published statements": ("theorem", "findings", "verify", "read_record", "reproduce", "glossary"),
    "Play a bandit algorithm": ("Pipeline", "play", "Wire", "play_many", "replicate", "key_of", "UCB1", "Bernoulli"),
    "What is guaranteed": (
        *("PureDP", "ApproximateDP", "ZeroConcentratedDP", "RenyiDP", "GaussianDP"),
        *("NeighbouringRelation", "View"),
    ),
    "Conformance of your classes": ("check_mechanism", "check_policy", "check_environment", "check_randomiser"),
    "For property-based tests": ("strategies",),
    "Version": ("__version__",),
}
HEAD = """# The names of `import banditproof`

    import banditproof as bp

Each is imported when it is first used. In a shape, T, K, d, R and C are the rounds, arms, context dimension, runs and checkpoints. What is
not listed here is imported from its module. Written from the docstrings by `make api`.
"""
_WIDE = 100
_MEMBER = re.compile(r'^\s+([A-Z_]+) = "(\w+)"\s*# (.+)$', re.MULTILINE)


def markdown() -> str:
    """The text of the page of the public interface."""
    parts = [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += (entry(name) for name in names)
    return "\n".join(parts)


def entry(name: str) -> str:
    """One name: its signature, and its docstring, both as they are in Python."""
    value = getattr(banditproof, name)
    if isinstance(value, str):
        return f"### `{name}`\n\nThe version of the package, as text.\n"
    lines = [inspect.getdoc(value) or "", *(f"    {line}" for line in members(value))]
    text = "\n".join(lines)
    signature = "" if isinstance(value, ModuleType) or members(value) else f"```python\n{signature_of(name, value)}\n```\n\n"
    return f"### `{name}`\n\n{signature}```text\n{text}\n```\n"


def members(value: Any) -> list[str]:
    """The members of an enum with their values and comments, the public functions of a module with their first sentence."""
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return [f"{name} = {word!r}: {comment}" for name, word, comment in _MEMBER.findall(inspect.getsource(value))]
    if isinstance(value, ModuleType):
        return [f"{name}: {(inspect.getdoc(part) or '').partition('. ')[0].strip('.')}" for name, part in _functions(value)]
    return []


def _functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, part in sorted(vars(module).items()):
        if inspect.isfunction(part) and not name.startswith("_") and part.__module__ == module.__name__:
            yield name, part


def signature_of(name: str, value: Any) -> str:
    """`name(a, b=1)` in one line, or one parameter per line where that is too long."""
    signature = inspect.signature(value)
    parts, keyword = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword:
            parts.append("*")
            keyword = True
        parts.append(_plain(str(parameter)))
    returned = (
        "" if isinstance(value, type) or signature.return_annotation is signature.empty else f" -> {_named(signature.return_annotation)}"
    )
    line = f"{name}({', '.join(parts)}){_plain(returned)}"
    if len(line) <= _WIDE:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){_plain(returned)}"])


def _named(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _plain(text: str) -> str:
    """Without modules, quotes around annotations, and the values of enum members."""
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text)
    text = re.sub(r"\b(?:[a-z_0-9]+\.)+(?=[A-Za-z])", "", text)
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)


def main() -> None:
    """Writes the page to the file that is named."""
    write_whole(Path(sys.argv[1]), markdown())


if __name__ == "__main__":
    main()
