"""What the package's code never contains: DESIGN section 6 and STYLE section 1, held against every syntax tree."""

import ast
import functools
from collections.abc import Callable, Iterator

import pytest

NUMPY_RANDOM = ("numpy.random", "np.random")
EXPLICIT_RANDOMNESS = {"Generator", "BitGenerator", "Philox", "PCG64", "PCG64DXSM", "SeedSequence", "default_rng"}

Finder = Callable[[ast.Module], Iterator[ast.AST]]


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a file's tree, which every finder looks at."""
    return tuple(ast.walk(tree))


def asserts(tree: ast.Module) -> Iterator[ast.AST]:
    """They vanish under -O."""
    return (node for node in nodes(tree) if isinstance(node, ast.Assert))


def prints(tree: ast.Module) -> Iterator[ast.AST]:
    """A library has no screen; the front end writes through click and rich."""
    return (node for node in nodes(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print")


def bare_excepts(tree: ast.Module) -> Iterator[ast.AST]:
    """An error that the code cannot name: a missing type, BaseException, or any Exception whose handler does nothing."""
    for node in nodes(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = {ast.unparse(part) for part in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]) if part}
            idle = all(isinstance(part, ast.Pass | ast.Continue) for part in node.body)
            if not caught or "BaseException" in caught or ("Exception" in caught and idle):
                yield node


def hasattrs(tree: ast.Module) -> Iterator[ast.AST]:
    """Protocols say what an object has."""
    return (node for node in nodes(tree) if isinstance(node, ast.Name) and node.id == "hasattr")


def global_randomness(tree: ast.Module) -> Iterator[ast.AST]:
    """np.random and random functions share one hidden state; default_rng() and Random() without a seed take one from the machine."""
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random" and node.attr != "Random":
            yield node
        if isinstance(node, ast.Attribute) and node.attr not in EXPLICIT_RANDOMNESS and _is_numpy_random(node.value):
            yield node
        if isinstance(node, ast.ImportFrom) and node.module in NUMPY_RANDOM and {name.name for name in node.names} - EXPLICIT_RANDOMNESS:
            yield node
        if (
            isinstance(node, ast.Call)
            and not (node.args or node.keywords)
            and ast.unparse(node.func).endswith(("default_rng", "SeedSequence", "random.Random"))
        ):
            yield node


def _is_numpy_random(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "random" and ast.unparse(node) in NUMPY_RANDOM


def passed_on_keywords(tree: ast.Module) -> Iterator[ast.AST]:
    """`**kwargs`, by that name anywhere, or any `**parameter` handed to another call. `Theorem.at` alone may get them: its names are
    the glossary's, and it refuses those that it does not know."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and node.args.kwarg:
            name = node.args.kwarg.arg
            calls = [part for part in ast.walk(node) if isinstance(part, ast.Call) and not ast.unparse(part.func).endswith(".at")]
            handed_on = any(keyword.arg is None and ast.unparse(keyword.value) == name for call in calls for keyword in call.keywords)
            if name == "kwargs" or handed_on:
                yield node


def numbers_from_the_clock(tree: ast.Module) -> Iterator[ast.AST]:
    """A seed that nobody can replay: the clock, or the machine's entropy, as an argument of something that seeds."""
    clocks = ("time.time", "time.time_ns", "os.urandom", "uuid.uuid4", "datetime.now", "datetime.datetime.now")
    ends = {clock.rpartition(".")[2] for clock in clocks}
    calls = (node for node in nodes(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ends)
    return (node for node in calls if ast.unparse(node.func) in clocks)


# name -> (finder, one line that it must find)
FORBIDDEN: dict[str, tuple[Finder, tuple[str, ...]]] = {
    "assert": (asserts, ("assert x > 0",)),
    "print": (prints, ("print('done')",)),
    "bare except": (
        bare_excepts,
        ("try: f()\nexcept: g()", "try: f()\nexcept (OSError, BaseException): g()", "for x in y:\n try: f()\n except Exception: continue"),
    ),
    "hasattr": (hasattrs, ("hasattr(x, 'release')", "map(hasattr, xs, names)")),
    "global randomness": (
        global_randomness,
        (
            "np.random.normal()",
            "np.random.seed(1)",
            "from numpy.random import normal",
            "np.random.default_rng()",
            "SeedSequence()",
            "random.random()",
            "random.Random()",
        ),
    ),
    "**kwargs": (passed_on_keywords, ("def f(**kwargs): return kwargs", "def f(**options): return g(1, **options)")),
    "clock": (numbers_from_the_clock, ("seed = time.time_ns()",)),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_finder_finds(what: str) -> None:
    finder, planted = FORBIDDEN[what]
    for source in planted:
        assert len(list(finder(ast.parse(source)))) == 1, source


# They stand in for NumPy's array and generator, whose methods take keywords.
KEPT = {
    "**kwargs": ("audits/privacy/noisy.py", "audits/privacy/recording.py"),
    "clock": ("audits/cli/cache.py", "audits/running/kernel_cache.py"),  # ages of files: no number of a result depends on them
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_of_the_package_contains(modules, what: str) -> None:
    finder, _ = FORBIDDEN[what]
    found = [(module.name, node.lineno) for module in modules for node in finder(module.tree)]
    assert not [place for place in found if place[0] not in KEPT.get(what, ())]


def test_what_is_allowed_is_not_found() -> None:
    source = """
rng = np.random.default_rng(seed)
try: f()
except Exception as error: record(error)
def at(**values): return check(values)
def f(**point): return BOUND.at(**point)
"""
    assert not [name for name, (finder, _) in FORBIDDEN.items() if list(finder(ast.parse(source)))]


def test_every_module_says_what_it_is(modules) -> None:
    """Would catch a file without a docstring, or with one that is a word. `__init__` files hold nothing, so they say nothing."""
    written = [module for module in modules if module.path.name != "__init__.py"]
    assert len(written) > 20
    assert not [module.name for module in written if len(ast.get_docstring(module.tree) or "") < 20]
