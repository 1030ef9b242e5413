"""What a module reaches: every file that can change what it does, and no other."""

import importlib
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from banditproof import sources
from banditproof.sources import MISSING, reached

PACKAGE = {
    "ours/__init__.py": "from .base import BASE\n",
    "ours/base.py": "import json\nBASE = 1\n",
    "ours/unused.py": "",
    "ours/typing_only.py": "",
    "ours/deep/__init__.py": "",
    "ours/deep/start.py": """
import os.path, typing
from typing import TYPE_CHECKING
from . import beside, missing_value
from ..above import VALUE
from ...too_far import nothing
from stars import *

if TYPE_CHECKING:
    from ours import typing_only
elif typing.TYPE_CHECKING:
    import ours.typing_only
else:
    import ours.otherwise


class Lazy:
    async def f(self):
        try:
            with open("x") as file:
                for _ in file:
                    match file:
                        case 1:
                            import ours.nested
        except OSError:
            from ours import handled
        finally:
            import ours.final
""",
    "ours/deep/beside.py": "",
    "ours/above.py": "VALUE = 1\nfrom .deep import start\n",
    "ours/otherwise.py": "",
    "ours/nested.py": "",
    "ours/handled.py": "",
    "ours/final.py": "",
    "stars/__init__.py": "__all__ = ['one', 'a_value']\n__all__ += ['two']\n",
    "stars/one.py": "",
    "stars/two.py": "",
    "stars/three.py": "",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def install(folder: Path, name: str, version: str, files: dict[str, str], record: bool = True) -> Path:
    """As pip does it: the files, and beside them the metadata of their distribution."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    write(folder, files)
    write(folder, {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"})
    if record:
        write(folder, {f"{info}/RECORD": "".join(f"{file},sha256=x,1\n" for file in files)})
    return folder


@pytest.fixture(autouse=True)
def forgets(monkeypatch: pytest.MonkeyPatch):
    """Each test writes its own modules under the same names."""
    monkeypatch.setattr(sources, "_found", {})
    before = set(sys.modules)
    sources._distributions.cache_clear()
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]
    importlib.invalidate_caches()


def test_every_import_is_followed_and_nothing_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch an import in a function, a relative one, a star or an `__init__` that is not seen; one for type checking that is."""
    monkeypatch.syspath_prepend(write(tmp_path, PACKAGE))
    before = set(sys.modules)
    found = reached("ours.deep.start")
    expected = {"ours", "ours.base", "ours.deep", "ours.deep.start", "ours.deep.beside", "ours.above", "ours.otherwise", "ours.nested"}
    assert set(found.files) == expected | {"ours.handled", "ours.final", "stars", "stars.one", "stars.two"}
    assert set(found.versions) == {"python"}
    assert found.files["ours.deep.start"] == tmp_path / "ours" / "deep" / "start.py"
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] in ("ours", "stars")}
    assert set(reached("ours").files) == {"ours", "ours.base"}
    with pytest.raises(ValueError, match=r"module 'ours\.nothing': there is none of this name"):
        reached("ours.nothing")


def test_the_digest_is_of_what_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a digest that another file changes, one that a reached file does not, and one that depends on the folder."""
    for folder in ("first", "second"):
        write(tmp_path / folder, PACKAGE)
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path / "first")
        digest = reached("ours.deep.start").digest
        for name in ("ours/unused.py", "ours/typing_only.py", "stars/three.py"):
            (tmp_path / "first" / name).write_text("X = 1\n")
            assert reached("ours.deep.start").digest == digest
        (tmp_path / "first/ours/nested.py").write_text("import ours.unused\n")
        edited = reached("ours.deep.start")
        assert edited.digest != digest and "ours.unused" in edited.files
        (tmp_path / "first/ours/nested.py").write_text("")
        assert reached("ours.deep.start").digest == digest
        (tmp_path / "first/ours/nested.py").rename(tmp_path / "first/ours/moved.py")
        assert reached("ours.deep.start").digest != digest
    monkeypatch.setattr(sources, "_found", {})
    monkeypatch.syspath_prepend(tmp_path / "second")
    assert reached("ours.deep.start").digest == digest


def test_other_packages_count_by_their_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch an installed package whose update changes nothing; `pip install --target` writes to folders of any name."""
    for folder in ("site-packages", "target"):
        site = install(tmp_path / folder, "Other-Name", "2.1", {"other/__init__.py": "import hidden\n", "other/part.py": ""})
        install(site, "other", "9.9", {"unrelated/__init__.py": ""})
        install(site, "single", "0.3", {"single.py": "", "single_more/__init__.py": ""})
        write(tmp_path, {"local.py": "import other.part, single, absent, numpy.linalg\nfrom os import path\n"})
        with monkeypatch.context() as patch:
            patch.setattr(sources, "_found", {})
            patch.syspath_prepend(tmp_path)
            patch.syspath_prepend(site)
            found = reached("local")
            assert list(found.files) == ["local"]
            versions = {name: version for name, version in found.versions.items() if name not in ("python", "numpy")}
            assert versions == {"Other-Name": "2.1", "single": "0.3", "absent": MISSING} and "numpy" in found.versions
            (site / "Other_Name-2.1.dist-info").rename(site / "Other_Name-2.2.dist-info")
            install(site, "Other-Name", "2.2", {"other/__init__.py": "import hidden\n", "other/part.py": ""})
            sources._distributions.cache_clear()
            patch.setattr(sources, "_found", {})
            assert reached("local").digest != found.digest and reached("local").versions["Other-Name"] == "2.2"


def test_a_root_is_followed_wherever_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a plug-in in site-packages of which the first file alone counts, and the package next to it that counts file by file."""
    site = install(
        tmp_path / "site-packages", "plug", "1.0", {"plug/__init__.py": "", "plug/a.py": "from . import b\n", "plug/b.py": "import near\n"}
    )
    install(site, "near", "3.0", {"near.py": ""})
    monkeypatch.syspath_prepend(site)
    found = reached("plug.a")
    assert set(found.files) == {"plug", "plug.a", "plug.b"} and found.versions["near"] == "3.0" and "plug" not in found.versions


def test_what_no_version_stands_for_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch an editable install, a local folder or files copied into site-packages by hand that may change unnoticed."""
    site = tmp_path / "site-packages"
    install(site, "editable", "1.0", {"__editable__.editable-1.0.pth": str(tmp_path / "sources")})
    write(tmp_path / "sources", {"editable/__init__.py": "", "editable.egg-info/PKG-INFO": "Name: editable\nVersion: 1.0\n"})
    write(tmp_path / "sources", {"editable.egg-info/top_level.txt": "editable\n"})
    write(site, {"by_hand.py": "", "older/__init__.py": "", "older-1.5.egg-info/PKG-INFO": "Name: older\nVersion: 1.5\n"})
    write(site, {"older-1.5.egg-info/top_level.txt": "older\n"})
    write(
        tmp_path / "here", {"local.py": "import editable, by_hand, older, queue\n", "queue.py": "", "space/part.py": "", "broken.py": "x ="}
    )
    with (tmp_path / "here" / "local.py").open("a") as file:
        file.write("import space.part, broken\n")
    for folder in (site, tmp_path / "sources", tmp_path / "here"):
        monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "queue", raising=False)
    found = reached("local")
    assert set(found.files) == {"local", "editable", "by_hand", "queue", "space.part", "broken"}
    assert found.versions == {"python": found.versions["python"], "older": "1.5"}


def test_a_namespace_package_is_followed_unless_all_of_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a local part that hides behind the version of an installed one."""
    site = install(tmp_path / "site-packages", "space-far", "1.0", {"space/far.py": ""})
    write(tmp_path / "here", {"local.py": "import space.far, space.near\n"})
    monkeypatch.syspath_prepend(site)
    monkeypatch.syspath_prepend(tmp_path / "here")
    found = reached("local")
    assert set(found.files) == {"local"} and found.versions["space-far"] == "1.0"
    write(tmp_path / "here", {"space/near.py": ""})
    importlib.invalidate_caches()
    monkeypatch.setattr(sources, "_found", {})
    assert set(reached("local").files) == {"local", "space.far", "space.near"}


def test_a_module_inside_an_archive_counts_as_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "eggs.zip", "w") as archive:
        archive.writestr("packed.py", "")
    write(tmp_path / "here", {"local.py": "import packed\n"})
    monkeypatch.syspath_prepend(tmp_path / "eggs.zip")
    monkeypatch.syspath_prepend(tmp_path / "here")
    assert reached("local").files["packed"] == tmp_path / "eggs.zip"


def test_another_file_under_the_same_name_is_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch what is remembered of a module that is no longer the one of this name."""
    digests = []
    for folder in ("first", "second"):
        write(tmp_path / folder, {"local.py": "import helper\n", "helper.py": f"X = '{folder}'\n"})
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / folder)
            importlib.import_module("local")
            digests.append(reached("local").digest)
            assert reached("local").files["helper"].parent.name == folder
            for name in ("local", "helper"):
                del sys.modules[name]
    assert digests[0] != digests[1]


def test_a_file_that_a_user_names_is_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a subject that is loaded from a path, a script, and a module that `python -m` runs, whose imports are not found."""
    from banditproof.audits import subjects

    write(tmp_path, {"folder/json.py": "import beside\ndef f(data, rng): return 0\n", "folder/beside.py": ""})
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "folder" / "json.py"
    name = subjects.load_subject(f"{path}:f").__module__
    assert name != "json"
    assert set(reached(name).files) == {name, "beside"}
    assert set(reached(path).files) == {str(path), "beside"}
    main = (
        "from banditproof.sources import reached\nprint(*sorted(set(reached('__main__').files) - {'banditproof', 'banditproof.sources'}))\n"
    )
    write(tmp_path, {"script.py": f"import folder.beside\n{main}", "pack/__init__.py": "", "pack/tool.py": f"from . import other\n{main}"})
    write(tmp_path, {"pack/other.py": ""})
    for command, expected in ((["script.py"], "__main__ folder.beside"), (["-m", "pack.tool"], "__main__ pack pack.other")):
        environment = {**os.environ, "PYTHONPATH": str(Path(sources.__file__).parents[1])}
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, expected), done.stderr


def test_a_package_that_imports_what_is_being_read_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a walk that takes a module in progress for a missing one: its parent's `__init__` imports from it."""
    for name, text in {
        "circle/__init__.py": "from circle.b import c\n",
        "circle/b/__init__.py": "",
        "circle/b/c.py": "",
        "circle/b/x.py": "import circle\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert set(reached("circle.b.x").files) == {"circle", "circle.b", "circle.b.c", "circle.b.x"}


def test_a_long_chain_of_imports_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a walk that goes as deep as the imports do: Python stops at a thousand calls."""
    (tmp_path / "chain").mkdir()
    (tmp_path / "chain/__init__.py").write_text("")
    for number in range(1500):
        (tmp_path / f"chain/m{number}.py").write_text(f"import chain.m{number + 1}\n" if number < 1499 else "")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert len(reached("chain.m0").files) == 1501


@pytest.mark.parametrize(
    ("text", "also", "not_this"),
    [
        ("import banditproof as bp\nplay = bp.play", "banditproof.simulation", "banditproof.algorithms.policies.ucb1"),
        (
            "import banditproof\ndef f():\n    banditproof.UCB1()",
            "banditproof.algorithms.policies.ucb1",
            "banditproof.audits.strategies",
        ),
        ("def f():\n    from banditproof import UCB1 as U", "banditproof.algorithms.policies.ucb1", "banditproof.audits.strategies"),
        ("import banditproof as bp\nbp.strategies.x", "banditproof.audits.strategies", "banditproof.audits.assertions"),
        ("import banditproof.guarantees\nbanditproof.play", "banditproof.simulation", "banditproof.algorithms.policies.ucb1"),
        ("import banditproof.guarantees as play\nplay.UCB1", "banditproof.guarantees", "banditproof.algorithms.policies.ucb1"),
        ("from late_names import other", "late_names.place", "late_names.nowhere"),
        ("import late_names\nlate_names.other", "late_names.place", "late_names.nowhere"),
        ("import late_names.far as far\nfar.deep", "late_names.place", "late_names.nowhere"),
        ("from late_names.far import deep", "late_names.place", "late_names.nowhere"),
        ("import banditproof as bp\nlib = bp\nlib.UCB1()", "banditproof.algorithms.policies.ucb1", "late_names.place"),
        ("import banditproof as bp\ngetattr(bp, 'UCB1')\nbp.play", "banditproof.algorithms.policies.ucb1", "late_names.place"),
        ("import banditproof as bp", "banditproof.algorithms.policies.ucb1", "late_names.place"),
        ("from banditproof import *", "banditproof.guarantees", "late_names.place"),
    ],
)
def test_names_that_a_module_imports_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, also: str, not_this: str
) -> None:
    """Would catch a kept result of a user's file that survives an edit of what it takes from the front door."""
    late = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .place import X as other\n    from .nowhere import Y\n"
    files = {"late_names/__init__.py": f"{late}def __getattr__(name): ...\n", "late_names/place.py": "", "late_names/nowhere.py": ""}
    far = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from late_names import other as deep\n    from late_names.far import X\n"
    )
    files["late_names/far.py"] = f"{far}def __getattr__(name): ...\n"
    monkeypatch.syspath_prepend(write(tmp_path, {**files, "users.py": text}))
    found = reached("users").files
    assert also in found and not_this not in found
    (tmp_path / "late_names/__init__.py").write_text(late)  # without the function the names are for type checking alone
    assert also.startswith("late_names") != (also in reached("users").files)


def test_a_file_that_imports_the_package_often_is_parsed_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a walk through the whole file for each of its imports: half a minute for these."""
    text = "".join(f"def f{number}():\n    import banditproof as bp\n    return bp.UCB1\n" for number in range(1500))
    monkeypatch.syspath_prepend(write(tmp_path, {"often.py": text}))
    began = time.process_time()
    assert "banditproof.algorithms.policies.ucb1" in reached("often").files
    assert time.process_time() - began < 5.0


def test_what_files_import_is_kept_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a start that parses all files again, an entry that hides a later change, and a broken file that stops every command."""
    monkeypatch.setenv("BANDITPROOF_CACHE", str(tmp_path / "cache"))
    folder = write(
        tmp_path / "here", {"kept_top.py": "from kept_other import one, two\n__all__ = ['one']\n", "kept_other.py": "one = two = 1\n"}
    )
    monkeypatch.syspath_prepend(folder)

    def start_again() -> sources.Reached:
        for each in (sources._kept, sources._read):
            each.cache_clear()
        sources._found.clear()
        return reached("kept_top")

    def no_parser(content: bytes) -> None:
        raise AssertionError("a file was parsed again")

    monkeypatch.setattr(sources, "_new", {})
    first = start_again()
    assert {"kept_top", "kept_other"} == set(first.files)
    sources._keep()
    (file,) = (tmp_path / "cache").iterdir()
    with monkeypatch.context() as without:
        without.setattr(sources.ast, "parse", no_parser)
        assert start_again() == first
    write(folder, {"kept_other.py": "import kept_third\n", "kept_third.py": ""})
    assert set(start_again().files) == {"kept_top", "kept_other", "kept_third"}
    for broken in ("{", "[1]", json.dumps({key: [1, 2] for key in json.loads(file.read_text())})):
        file.write_text(broken)
        assert set(start_again().files) == {"kept_top", "kept_other", "kept_third"}
