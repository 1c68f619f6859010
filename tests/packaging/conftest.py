"""What is built once for all tests of packaging. Nothing here needs a network."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("lark", "msgspec", "typer", "hatchling")


def environment() -> dict[str, str]:
    """The variables of this process without those that would lead Python or pip back here."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PYTEST_")) and name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    return kept | {
        "CONQUIAN_CACHE": "off",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONUTF8": "1",
    }


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    """What a command prints, with more variables set; its whole output if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment() | more,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


class Place:
    """A new virtual environment that sees the packages that Conquian needs, but no other Conquian."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.programs / "python"
        where = run(
            self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')", cwd=folder
        )
        self.packages = Path(where)
        specs = [find_spec(name) for name in NEEDED]
        homes = {str(Path(spec.origin).parents[1]) for spec in specs if spec and spec.origin}
        (self.packages / "needed.pth").write_text("\n".join(sorted(homes)), "utf-8")

    def install(self, *what: str | Path) -> None:
        run(
            *(self.python, "-m", "pip", "install", "--no-deps", "--no-index", "--no-build-isolation"),
            *what,
            cwd=self.packages,
        )


def built(kind: str, source: Path, folder: Path, **more: str) -> Path:
    """A wheel or source archive, made in an empty folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source, **more)
    (made,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the checkout."""
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive built from the checkout, unpacked."""
    archive = built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as file:
        file.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        file.extractall(folder)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="session")
def second_wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the source archive."""
    return built("wheel", unpacked, tmp_path_factory.mktemp("second"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with the wheel installed."""
    place = Place(tmp_path_factory.mktemp("installed") / "venv")
    place.install(wheel)
    return place


@pytest.fixture(scope="session")
def editable(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with the checkout installed as it stands (`pip install -e`)."""
    place = Place(tmp_path_factory.mktemp("editable") / "venv")
    place.install("-e", ROOT)
    return place
