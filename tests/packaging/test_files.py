"""Every file of the project: what may not stand in one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.packaging.readme import ROOT

# Written in parts, so that this file does not hold them.
MACHINE_PATHS = [f"/{word}/".encode() for word in ("wo" + "rk", "ro" + "ot", "tm" + "p", "ho" + "me")]
INDEX_HOSTS = {"pypi.org", "files.pythonhosted.org"}


def project_files() -> list[Path]:
    """What git tracks or would track; without git, everything but hidden folders and caches."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [
            path
            for path in ROOT.rglob("*")
            if not any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(ROOT).parts)
        ]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def test_no_file_names_a_path_of_some_machine() -> None:
    found = [
        (str(path.relative_to(ROOT)), word.decode())
        for path in project_files()
        for word in MACHINE_PATHS
        if re.search(rb"(?<![\w.*~-])" + re.escape(word), path.read_bytes())
    ]
    assert found == []


def test_the_lock_names_only_the_public_index() -> None:
    text = (ROOT / "uv.lock").read_text("utf-8")
    assert set(re.findall(r"[a-z]+://([^/\"]+)", text)) == INDEX_HOSTS
    assert set(re.findall(r"source = \{ (\w+) = \"([^\"]*)\"", text)) == {
        ("registry", "https://pypi.org/simple"),
        ("editable", "."),
    }
