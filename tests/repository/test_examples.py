"""Every module can be imported under its installed name, in any order, and the examples in its docstrings are true."""

import doctest
import importlib
import pkgutil
import warnings

import banditproof


def test_every_module_imports_and_its_examples_are_true(modules) -> None:
    """Would catch a module that only imports after another one, a name that is not the installed one, and an example that drifted."""
    names = [info.name for info in pkgutil.walk_packages(banditproof.__path__, "banditproof.") if info.name != "banditproof.__main__"]
    assert len(names) >= len(modules) - 2  # all but the package itself and __main__
    for name in names:
        with warnings.catch_warnings():
            module = importlib.import_module(name)
        assert doctest.testmod(module).failed == 0, name
