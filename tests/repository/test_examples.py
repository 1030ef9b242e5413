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
        # Not `testmod`: for each docstring without an example it would look up all files once more, twenty seconds in all.
        examples = [found for found in doctest.DocTestFinder().find(module, name) if found.examples]
        assert all(doctest.DocTestRunner().run(found).failed == 0 for found in examples), name
