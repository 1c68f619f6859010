"""The wheel with the engine compiled: it holds the same files and more, and decides what the sources decide."""

from __future__ import annotations

import shutil
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random

import msgspec
import pytest

from conquian.engine.engine import engine
from conquian.engine.sets import rule_sets
from tests.agreement.both import Document, random_games
from tests.packaging.conftest import built, run
from tests.reference.edits import one_edit_mutations

NEEDED = ("mypyc", "setuptools")
missing = [name for name in NEEDED if find_spec(name) is None]
compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
pytestmark = pytest.mark.skipif(
    bool(missing) or shutil.which(compiler) is None, reason="there is nothing to compile with"
)

JUDGING = """
import sys
from conquian import load
from conquian.batch import Batch
from conquian.referee import replay
from conquian.transcript.jsonform import fast_game
import conquian.engine.play, msgspec

print(conquian.engine.play.__file__, file=sys.stderr)
lines = open(sys.argv[1], "rb").read().splitlines(keepends=True)
for verdict, _, _ in Batch(None, {}, False).lines(lines, "games"):
    print(msgspec.json.encode(verdict).decode())
for verdict, _, sentences in Batch(None, {}, True).lines(lines[::5], "games"):
    print(msgspec.json.encode((verdict, sentences)).decode())
for line in lines[::7]:
    game = fast_game(line)
    if game is None:
        continue
    for deal in game.deals:
        try:
            for position, event in replay(load(game.rules, game.readings or {}), game.players, deal, game.dealer):
                print(event, sorted(map(str, position.legal_melds())) if event and event[1] == "melds" else "")
        except (ValueError, KeyError) as problem:
            print(type(problem).__name__, problem)
"""


@pytest.fixture(scope="module")
def compiled(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with compiled modules, unpacked."""
    wheel = built("wheel", root, tmp_path_factory.mktemp("compiled"), HATCH_BUILD_HOOKS_ENABLE="1")
    assert not wheel.name.endswith("-any.whl")
    folder = tmp_path_factory.mktemp("unpacked-compiled")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def played() -> Iterator[Document]:
    """Games of every rule set, legal ones and ones with a fault."""
    for rules in rule_sets():
        random = Random(f"compiled/{rules}")
        for game in random_games(engine(rules), 12, 23):
            yield game
            mutants = list(one_edit_mutations(game, random))
            yield from random.sample(mutants, min(12, len(mutants)))


def test_compiled_modules_stand_beside_their_sources(compiled: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        plain = {name for name in file.namelist() if ".dist-info/" not in name}
    inside = {
        path.relative_to(compiled).as_posix()
        for path in compiled.rglob("*")
        if path.is_file() and ".dist-info" not in path.as_posix()
    }
    added = {name for name in inside - plain}
    assert inside - added == plain
    assert all(name.startswith("conquian/") and name.endswith((".so", ".pyd")) for name in added)
    sources = {f"{name.split('.')[0]}.py" for name in added}
    assert len(sources & plain) == len(added) - 1, "every library but the one that all share has a source"
    assert "conquian/engine/play.py" in sources


def test_compiled_or_not_the_verdicts_are_the_same(compiled: Path, root: Path, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_bytes(b"".join(msgspec.json.encode(game) + b"\n" for game in played()))
    script = tmp_path / "judging.py"
    script.write_text(JUDGING, "utf-8")
    told = []
    for home in (compiled, root):
        said = run(sys.executable, script, games, cwd=tmp_path, PYTHONPATH=str(home))
        where, _, rest = said.partition("\n")
        assert Path(where).is_relative_to(home) and where.endswith(".py") is (home == root)
        told.append(rest)
    assert told[0] == told[1]
    assert told[0].count('"verdict":"invalid"') > 300 and told[0].count('"verdict":"valid"') > 100
