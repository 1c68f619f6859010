"""README.md: what it shows is what the program does."""

from __future__ import annotations

import doctest
import re
import subprocess
from pathlib import Path

import pytest

import conquian
from conquian.engine.sets import rule_sets
from conquian.transcript.read import read
from tests.packaging.readme import README, ROOT, commands, output

TEXT = README.read_text("utf-8")
SETUP = (
    "python3 -m venv .venv && .venv/bin/pip install . && "
    ".venv/bin/conquian validate examples/*.cqn examples/*.json examples/*.jsonl"
)
TESTS = "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest"


@pytest.mark.parametrize(("line", "shown"), commands(TEXT), ids=[line for line, _ in commands(TEXT)])
def test_every_session_prints_what_the_page_shows(line: str, shown: str) -> None:
    assert output(line) == shown, "python -m tests.packaging.readme puts the present output into the page"


def test_the_python_example_gives_what_the_page_shows() -> None:
    examples = doctest.DocTestParser().get_doctest(TEXT, {}, "README.md", str(README), 0)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_two_commands_set_up_and_run() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith("python3 -m venv")]
    assert lines == [SETUP, TESTS]


def test_ci_runs_the_test_command_of_the_page() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    (pattern,) = re.findall(r"grep -E '(.*)' README\.md", script)
    assert [line for line in TEXT.splitlines() if re.search(pattern, line)] == [TESTS]
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0


def test_the_set_up_command_names_every_undisputed_example() -> None:
    named = {path for pattern in re.findall(r"\S+\*\S+", SETUP) for path in ROOT.glob(pattern)}
    there = {path for path in (ROOT / "examples").iterdir() if path.is_file()}
    assert named == there and len(there) >= 5


def test_undisputed_examples_are_valid_and_the_others_are_not() -> None:
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in (".cqn", ".json", ".jsonl"):
            verdicts = {
                conquian.judge(sheet, differs=False).verdict for sheet in read(path.read_bytes(), str(path))
            }
            assert verdicts == {"invalid" if path.parent.name == "disputed" else "valid"}, path


def test_the_record_in_the_page_is_read_without_a_fault() -> None:
    (record,) = re.findall(r"^```\n(rules: .*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (sheet,) = read(record.encode(), "README.md")
    assert not sheet.errors


def test_the_table_names_every_rule_set() -> None:
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", TEXT, re.MULTILINE)) == sorted(rule_sets())


def test_the_house_rules_of_the_page_are_those_of_the_examples() -> None:
    (shown,) = re.findall(r"^```\n(ruleset .*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert shown == (ROOT / "examples" / "house-rules" / "thursday-club.rules").read_text("utf-8")


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    for aim in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / page).read_text("utf-8")):
        assert (ROOT / aim).exists(), aim


def test_the_version_is_one() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'\nversion = "{conquian.__version__}"\n' in project
    assert f"\n## [{conquian.__version__}]" in Path(ROOT / "CHANGELOG.md").read_text("utf-8")
