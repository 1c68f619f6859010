"""`.pre-commit-hooks.yaml`: the hooks are what pre-commit wants, and their entries do what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CLUB, WON
from tests.cli.running import ROOT, Done, run

yaml = pytest.importorskip("yaml", reason="PyYAML, which the extra `docs` brings, is not installed")
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
RULES = (ROOT / "examples" / "house-rules" / "thursday-club.rules").read_text(encoding="utf-8")


def hooked(name: str, *files: str) -> Done:
    """What a hook does with those of some files that it is for, as pre-commit calls it."""
    hook = HOOKS[name]
    program, *arguments = shlex.split(hook["entry"])
    assert program == "conquian"
    return run(*arguments, *(file for file in files if re.search(hook["files"], file)))


def test_every_hook_has_what_pre_commit_asks_for() -> None:
    assert list(HOOKS) == ["conquian-validate", "conquian-spec-check", "conquian-spec-fmt"]
    for hook in HOOKS.values():
        assert set(hook) == {"id", "name", "description", "entry", "language", "files"}
        assert hook["language"] == "python" and all(isinstance(value, str) for value in hook.values())


def test_the_program_of_the_hooks_is_the_one_that_is_installed() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.scripts]\nconquian = "conquian.cli:run"\n' in project


def test_the_hook_on_transcripts_lets_legal_games_pass_only(tmp_path: Path) -> None:
    won, club, other = (tmp_path / name for name in ("won.cqn", "club.cqn", "notes.txt"))
    won.write_text(WON, encoding="utf-8")
    club.write_text(CLUB, encoding="utf-8")
    other.write_text("no transcript", encoding="utf-8")
    assert hooked("conquian-validate", str(won), str(other)).status == 0
    done = hooked("conquian-validate", str(won), str(club))
    assert done.status == 1 and "new-meld" in done.out


def test_the_hook_on_rule_files_tells_mistakes(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.rules", tmp_path / "bad.rules"
    good.write_text(RULES, encoding="utf-8")
    bad.write_text(RULES.replace("up in n", "upcard in n"), encoding="utf-8")
    assert hooked("conquian-spec-check", str(good)).status == 0
    done = hooked("conquian-spec-check", str(good), str(bad))
    assert done.status != 0 and "CQ201" in done.out


def test_the_hook_on_layout_rewrites_what_is_not_canonical(tmp_path: Path) -> None:
    file = tmp_path / "loose.rules"
    file.write_text(RULES.replace("  cite", "      cite"), encoding="utf-8")
    hooked("conquian-spec-fmt", str(file))
    assert file.read_text(encoding="utf-8") == RULES
