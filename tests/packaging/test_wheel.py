"""What is shipped: the wheel, the source archive, and the program installed from them or from a checkout."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from conquian import __version__
from tests.packaging.conftest import Place, run

GAME = "examples/club-evening.cqn"
JUDGED = "valid (swedish)"
LINKS = ("verifier", "spec", "grammar", "cli.py")
PARTS = (
    "import conquian.verifier, conquian.cli; from conquian.engine.sets import rule_sets; print(rule_sets())"
)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


def sources(root: Path) -> dict[str, bytes]:
    """Every file of the package in the checkout, under the name that it has when installed."""
    found = {"conquian/cli.py": root / "cli.py"}
    for folder, home in (
        ("conquian", ""),
        ("verifier", "conquian/"),
        ("spec", "conquian/"),
        ("grammar", "conquian/"),
    ):
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root)
            linked = folder == "conquian" and name.parts[1] in LINKS
            if path.is_file() and not linked and "__pycache__" not in name.parts:
                found[home + name.as_posix()] = path
    return {name: path.read_bytes() for name, path in found.items()}


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path, root: Path) -> None:
    inside = contents(wheel)
    info = f"conquian-{__version__}.dist-info/"
    shipped = {name: data for name, data in inside.items() if not name.startswith(info)}
    assert shipped == sources(root)


def test_the_wheel_holds_every_rule_file_grammar_and_page(wheel: Path, root: Path) -> None:
    inside = set(contents(wheel))
    for folder, ending in (("spec", "rules"), ("spec", "md"), ("grammar", "lark"), ("conquian/pages", "md")):
        names = {path.name for path in (root / folder).glob(f"*.{ending}")}
        assert names and {f"conquian/{folder.removeprefix('conquian/')}/{name}" for name in names} <= inside
    assert {"conquian/py.typed", "conquian/cli.py", "conquian/verifier/__init__.py"} <= inside


def test_the_wheel_names_licence_python_and_program(wheel: Path) -> None:
    inside = contents(wheel)
    info = f"conquian-{__version__}.dist-info"
    metadata = inside[f"{info}/METADATA"].decode()
    assert f"\nVersion: {__version__}\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert inside[f"{info}/entry_points.txt"].decode() == "[console_scripts]\nconquian = conquian.cli:run\n"
    assert f"{info}/licenses/LICENSE" in inside


def test_the_source_archive_gives_the_same_wheel(wheel: Path, second_wheel: Path) -> None:
    assert contents(wheel) == contents(second_wheel)


def test_the_source_archive_holds_tests_and_examples(unpacked: Path, root: Path) -> None:
    for name in ("README.md", "LICENSE", "pyproject.toml", GAME, "tests/packaging/test_wheel.py"):
        assert (unpacked / name).read_bytes() == (root / name).read_bytes()


def test_the_installed_program_judges_from_any_folder(installed: Place, root: Path, tmp_path: Path) -> None:
    said = run(installed.programs / "conquian", "validate", root / GAME, cwd=tmp_path)
    assert JUDGED in said.splitlines()[0]


def test_the_installed_program_brings_rules_schema_and_pages(installed: Place, tmp_path: Path) -> None:
    program = installed.programs / "conquian"
    assert "partnership" in run(program, "spec", "list", cwd=tmp_path)
    assert "conquian/1" in run(program, "schema", cwd=tmp_path)
    assert "new-meld" in run(program, "explain", "new-meld", cwd=tmp_path)


def test_nothing_but_conquian_is_installed(installed: Place, tmp_path: Path) -> None:
    ours = {
        path.name for path in installed.packages.iterdir() if not path.name.startswith(("pip", "setuptools"))
    }
    assert ours - {
        "_distutils_hack",
        "distutils-precedence.pth",
        "pkg_resources",
        "__pycache__",
        "needed.pth",
    } == {
        "conquian",
        f"conquian-{__version__}.dist-info",
    }
    where = run(installed.python, "-c", "import conquian.cli; print(conquian.cli.__file__)", cwd=tmp_path)
    assert Path(where.strip()) == installed.packages / "conquian" / "cli.py"


def test_an_editable_install_runs_the_checkout(editable: Place, root: Path, tmp_path: Path) -> None:
    where = run(editable.python, "-c", "import conquian.verifier as v; print(v.__file__)", cwd=tmp_path)
    assert Path(where.strip()) == root / "conquian" / "verifier" / "__init__.py"
    assert JUDGED in run(editable.programs / "conquian", "validate", root / GAME, cwd=tmp_path)


def test_the_checkout_runs_uninstalled(root: Path, tmp_path: Path) -> None:
    assert JUDGED in run(sys.executable, root / "cli.py", "validate", root / GAME, cwd=tmp_path)
    assert f"conquian {__version__}" in run(sys.executable, "cli.py", "--version", cwd=root)


@pytest.mark.parametrize("instead", ["nothing", "text"])
def test_a_checkout_without_links_runs(instead: str, root: Path, tmp_path: Path) -> None:
    """Copied by a tool that leaves links out, or checked out where links become files that name their aim."""
    for folder in ("conquian", "verifier", "spec", "grammar", "examples"):
        skip = shutil.ignore_patterns("__pycache__", *(LINKS if folder == "conquian" else ()))
        shutil.copytree(root / folder, tmp_path / folder, ignore=skip)
    shutil.copy(root / "cli.py", tmp_path)
    if instead == "text":
        for name in LINKS:
            (tmp_path / "conquian" / name).write_text(f"../{name}", "utf-8")
    assert "'swedish'" in run(sys.executable, "-c", PARTS, cwd=tmp_path)
    assert JUDGED in run(sys.executable, "cli.py", "validate", GAME, cwd=tmp_path)
