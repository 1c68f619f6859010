"""Compiles the engine with mypyc while the wheel is built, if `HATCH_BUILD_HOOKS_ENABLE=1 pip install .` asks for it.

The modules are the same files; compiled or not, they decide the same. Needs a C compiler and Python's headers. An
editable install is never compiled: the sources would no longer be what runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (
    "batch",
    "engine/acts",
    "engine/coded",
    "engine/copies",
    "engine/demands",
    "engine/engine",
    "engine/facts",
    "engine/flow",
    "engine/melds",
    "engine/pack",
    "engine/plain_deals",
    "engine/play",
    "engine/state",
    "frames",
    "quick",
)
"""What `validate` spends its time in: the modules that the events of a stream go through."""


class Compiled(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel beside their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        self._built = TemporaryDirectory()
        for library in _compile(Path(self.root), Path(self._built.name)):
            inside = library.relative_to(Path(self._built.name) / "lib")
            build_data["force_include"][str(library)] = str(inside)
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self._built.cleanup()


def _compile(root: Path, place: Path) -> list[Path]:
    """The libraries of all modules, made in an empty folder."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = mypycify(
            ["--no-incremental", "--follow-imports=silent", *(f"conquian/{name}.py" for name in MODULES)],
            opt_level="3",
            debug_level="0",
            group_name="conquian.compiled",
            target_dir=str(place / "c"),
        )
        distribution = Distribution({"name": "conquian", "ext_modules": extensions})
        build = distribution.get_command_obj("build_ext")
        build.build_lib, build.build_temp = str(place / "lib"), str(place / "temp")
        build.ensure_finalized()
        build.run()
    finally:
        os.chdir(before)
    return sorted((place / "lib").rglob(f"*{'.pyd' if sys.platform == 'win32' else '.so'}"))
