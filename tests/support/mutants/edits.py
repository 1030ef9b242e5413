"""A source, its nodes with positions in characters, and the edits that can be made to it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_CHECKS = ("require", "check", "assert")  # how the names of functions begin that only refuse bad input


class Kind(Enum):
    """The kind of a mistake."""

    CONSTANT = "constant"
    TERM = "term dropped"
    SIGN = "sign turned"
    COMPARISON = "comparison turned"
    INDEX = "index off by one"
    EXTREME = "min for max"
    LOG = "log argument"
    REUSE = "reused"
    CLIPPING = "clipping"
    SWAP = "argument swapped"
    BRANCH = "branch removed"


@dataclass(frozen=True)
class Edit:
    """Characters [start, end) of a source are replaced by `text`."""

    kind: Kind
    detail: str
    start: int
    end: int
    text: str
    lines: tuple[int, int]  # first and last line of the statement, or of the head of the block, that is changed
    constant: str = ""  # the module's constant that is changed, where the line stands outside all functions


class Source:
    """A parsed file. `parents` leads from each node to the one that holds it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = text.splitlines()

    def place(self, line: int, column: int) -> int:
        """Characters before a position that `ast` gives: lines from 1, columns in bytes."""
        start = self._starts[line - 1]
        return start + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First and last character of a node, the last excluded."""
        end = self.place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return self.place(node.lineno, node.col_offset), end  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> str:
        """What is written for a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that holds a node, or the node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def lines(self, node: ast.AST) -> tuple[int, int]:
        """Lines of a node's statement; of a block, those of its head."""
        statement = self.statement(node)
        last = statement.end_lineno or statement.lineno
        body = getattr(statement, "body", None)
        return statement.lineno, max(statement.lineno, body[0].lineno - 1) if body else last

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that hold a node, from the inside."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def applied(self, edit: Edit) -> str:
        """The source after an edit."""
        return self.text[: edit.start] + edit.text + self.text[edit.end :]


def name_of(call: ast.AST) -> str:
    """The last part of what is called: "clip" of `np.clip(x, 0, 1)`; "" where it has no name."""
    function = call.func if isinstance(call, ast.Call) else call
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def grouped(text: str) -> str:
    """In brackets, unless it is a name, a number or a call already."""
    node = ast.parse(f"({text})", mode="eval").body
    return text if isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript) else f"({text})"


def computing(source: Source) -> Iterator[ast.AST]:
    """Nodes of lines that compute: bodies of functions, and constants of modules; without checks of the input, messages, annotations."""
    waiting: list[ast.AST] = [*source.tree.body]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name):
                if not name.startswith("__") and not name.lstrip("_").startswith(_CHECKS):
                    waiting += node.body
            case ast.ClassDef():
                waiting += [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
            case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.alias():
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Call() if name_of(node) == "Source":  # where a statement stands
                pass
            case ast.Expr(value=ast.Call() as call) if name_of(call).lstrip("_").startswith(_CHECKS):
                pass
            case ast.If(body=[ast.Raise()]):
                waiting += node.orelse
            case ast.AnnAssign():
                yield node
                waiting += [node.value] if node.value is not None else []
            case ast.Assign() if isinstance(source.parents[node], ast.Module) and not _numeric(node.value):
                pass
            case _:
                yield node
                waiting += list(ast.iter_child_nodes(node))


def _numeric(node: ast.expr) -> bool:
    """Whether a module's value is computed from numbers, and not compiled code, types, texts, or names for the numbers 0, 1, 2, ..."""
    if isinstance(node, ast.Tuple) and [getattr(each, "value", None) for each in node.elts] == list(range(len(node.elts))):
        return False
    found = list(ast.walk(node))
    texts = any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in found)
    return not texts and any(isinstance(each, ast.Constant) and isinstance(each.value, int | float) for each in found)
