"""A demand that comes too early, or that no reading leaves: which clause refuses it, and in which words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from conquian import load
from conquian.language.rules import Clause
from conquian.messages import Scene, message
from conquian.position import Position
from conquian.verifier.why import Why, why
from conquian.whys import typed_rules
from tests.cli.running import run

FITS: dict[str, object] = {"up": "4c", "table": [["5c", "6c", "7c"]], "turned_by": "me"}
FITS_NOT: dict[str, object] = {**FITS, "up": "2c"}


def refused(rules: str, parts: Mapping[str, object], *, declined: bool = False) -> tuple[str, str, str]:
    """The name of the clause that a verdict cites, the message and the hint; `--why` names the same clause."""
    here: Position = load(rules).position(**parts, declined=declined)  # type: ignore[arg-type]
    event = ("opponent", "forces")
    refusal = here.check(event)
    assert refusal is not None and refusal.code == "no-force-due" and refusal.clause is not None
    found = why(here.rules, here, event, typed_rules(rules))
    name = here.rules.engine.program.clauses[refusal.clause].name
    assert isinstance(found, Why) and found.reasons[0].clause == name
    return name, *message(refusal, Scene(here.rules.engine, here.players, here.state, event))


def test_a_demand_before_the_pass_is_refused_by_the_clause_that_waits_for_the_pass() -> None:
    for rules in ("classic", "coonking"):
        clause, text, hint = refused(rules, FITS)
        assert (clause, text) == ("demand", "no demand may be made on me now (4c)")
        assert hint.endswith("once it has been passed.")


def test_a_card_that_fits_nothing_is_refused_by_a_clause_that_is_in_force() -> None:
    assert refused("classic", FITS_NOT)[0] == "demand" == refused("classic", FITS_NOT, declined=True)[0]
    assert refused("swedish", FITS_NOT)[0] == "demand-at-once"
    assert refused("swedish", FITS_NOT, declined=True)[0] == "demand"


@pytest.mark.parametrize("parts", [FITS, FITS_NOT])
@pytest.mark.parametrize("declined", [False, True])
def test_where_no_reading_leaves_a_demand_the_verdict_names_that_reading(
    parts: dict[str, object], declined: bool
) -> None:
    clause, text, _ = refused("no-force", parts, declined=declined)
    card = parts["up"]
    assert text == f"no demand may be made on me ({card}): force-timing=none leaves none"
    typed: list[Clause] = [c for c in typed_rules("no-force").clauses if c.name == clause]
    assert typed[0].cites[0] == "cl.variants.4"


def test_verdict_and_why_cite_the_same_clause_after_the_own_pass(tmp_path: Path) -> None:
    file = tmp_path / "early.cqn"
    file.write_text(
        "rules: classic\nplayers: A, B\ndeal 1\nstarter Kd\n"
        "A passes; B passes; A turns 5c; melds 5c 6c 7c; discards Kh\nB passes; turns Jc; passes\nB forces\n"
    )
    (game,) = run("validate", str(file), "--why", "--format", "json").data
    (violation,) = game["deals"][0]["violations"]
    assert violation["code"] == "no-force-due" and violation["core"] == [violation["clause"]] == ["cl.flow.4"]
    assert [clause["name"] for clause in violation["clauses"]] == ["demand"]
