"""`validate` for programs: the documents, streams, and what the command line may override."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .conftest import CLUB, WON
from .running import run

VIOLATION = {
    "code": "new-meld",
    "event": 6,
    "line": 6,
    "column": 14,
    "player": "Ana",
    "cards": ["7h"],
    "clause": "sw.turn.3",
    "source": "Swedish rule sheet",
    "message": "too few hand cards in the new meld with 7h",
    "hint": "no meld of the card on offer is legal with the cards that are known",
    "legal_under": [{"new-meld": "any"}],
}
DIFFERS = [
    {"readings": {"discard-after-meld": "no"}, "verdict": "invalid", "event": 2, "code": "not-your-turn"},
    {"readings": {"new-meld": "any"}, "verdict": "unfinished", "event": None, "code": None},
    {"readings": {"borrowing": "afterwards"}, "verdict": "invalid", "event": 6, "code": "borrowing"},
]


def document(differs: bool) -> dict[str, Any]:
    return {
        "file": "club.cqn",
        "rules": "swedish",
        "verdict": "invalid",
        "deals": [
            {
                "number": 1,
                "verdict": "invalid",
                "result": None,
                "violations": [VIOLATION],
                "differs_under": DIFFERS if differs else [],
                "notes": [],
            }
        ],
    }


def test_json_is_one_array_also_for_one_file() -> None:
    done = run("validate", "club.cqn", "--format", "json")
    assert done.data == [document(differs=True)]
    assert (done.status, done.err) == (1, "")


def test_no_differs_leaves_the_other_readings_out() -> None:
    assert run("validate", "club.cqn", "--format", "json", "--no-differs").data == [document(differs=False)]


def test_jsonl_is_one_document_a_line_without_other_readings_unless_asked_for() -> None:
    done = run("validate", "club.cqn", "won.cqn", "--format", "jsonl")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert lines[0] == document(differs=False)
    assert lines[1]["verdict"] == "valid"
    done = run("validate", "club.cqn", "--format", "jsonl", "--differs")
    assert json.loads(done.out) == document(differs=True)


def test_a_won_deal() -> None:
    (found,) = run("validate", "won.cqn", "--format", "json", "--no-differs").data
    assert found == {
        "file": "won.cqn",
        "rules": "swedish",
        "verdict": "valid",
        "deals": [
            {
                "number": 1,
                "verdict": "valid",
                "result": {"winner": "Ana"},
                "violations": [],
                "differs_under": [],
                "notes": [],
            }
        ],
    }


def test_other_readings_are_tried_for_valid_verdicts_too() -> None:
    (found,) = run("validate", "won.cqn", "--format", "json").data
    changes = [other["readings"] for other in found["deals"][0]["differs_under"]]
    # Ana lays three hearts beside the diamonds, and throws a card in between.
    assert changes == [{"discard-after-meld": "no"}, {"hand-only-melds": "none"}]


def test_a_file_that_cannot_be_parsed_has_every_error_at_file_level() -> None:
    done = run("validate", "broken.cqn", "--format", "json")
    (found,) = done.data
    assert found["verdict"] == "unreadable" and done.status == 2
    assert [(e["code"], e["line"], e["column"]) for e in found["errors"]] == [
        ("bad-card", 5, 11),
        ("unknown-verb", 6, 5),
    ]
    assert all(set(error) == {"code", "line", "column", "message", "hint"} for error in found["errors"])
    # The other deal is judged all the same.
    assert [deal["verdict"] for deal in found["deals"]] == ["unreadable", "invalid"]


def game(rules: str, *events: list[Any]) -> str:
    deals = [{"number": 1, "events": list(events)}]
    return json.dumps({"format": "conquian/1", "rules": rules, "players": ["Ana", "Ben"], "deals": deals})


def test_a_stream_gives_one_result_a_game_with_its_line_number(folder: Path) -> None:
    legal, illegal = game("swedish", ["Ana", "turns", "5c"]), game("swedish", ["Ben", "turns", "5c"])
    (folder / "games.jsonl").write_text(f"{legal}\n\n{illegal}\nnot json\n{legal}\n", encoding="utf-8")
    done = run("validate", "games.jsonl", "--format", "jsonl")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(one["file"], one["verdict"]) for one in found] == [
        ("games.jsonl:1", "unfinished"),
        ("games.jsonl:3", "invalid"),
        ("games.jsonl:4", "unreadable"),
        ("games.jsonl:5", "unfinished"),
    ]
    (wrong,) = found[1]["deals"][0]["violations"]
    assert (wrong["code"], wrong["line"]) == ("not-your-turn", 3)
    assert found[2]["errors"][0]["line"] == 4
    assert done.status == 2


def test_the_form_of_standard_input_is_recognised() -> None:
    legal = game("swedish", ["Ana", "turns", "5c"])
    for text, count in (
        (CLUB, 1),
        (legal, 1),
        (json.dumps(json.loads(legal), indent=2), 1),
        (f"{legal}\n{legal}\n", 2),
    ):
        done = run("validate", "-", "--format", "jsonl", given=text)
        assert len(done.out.splitlines()) == count
        assert all(json.loads(line)["verdict"] in ("unfinished", "invalid") for line in done.out.splitlines())


def test_the_columns_of_a_json_document(folder: Path) -> None:
    text = game("swedish", ["Ana", "turns", "5c"], ["Ana", "turns", "6c"])
    (folder / "game.json").write_text(text, encoding="utf-8")
    (found,) = run("validate", "game.json", "--format", "json", "--no-differs").data
    (wrong,) = found["deals"][0]["violations"]
    assert (wrong["line"], wrong["column"]) == (1, text.index('["Ana", "turns", "6c"]') + 1)


# ---- the command line wins


def test_rules_of_the_command_line_win_with_a_note() -> None:
    (found,) = run(
        "validate", "won.cqn", "--rules", "swedish-packets", "--format", "json", "--no-differs"
    ).data
    assert found["rules"] == "swedish-packets"
    assert [(n["code"], n["line"]) for n in found["deals"][0]["notes"]] == [("rules-overridden", 1)]
    (found,) = run("validate", "won.cqn", "--rules", "swedish", "--format", "json", "--no-differs").data
    assert found["deals"][0]["notes"] == []


def test_readings_of_the_command_line_win_with_a_note_where_the_header_says_otherwise(folder: Path) -> None:
    headed = CLUB.replace("players", "readings: new-meld=any\nplayers")
    (folder / "headed.cqn").write_text(headed, encoding="utf-8")
    (found,) = run("validate", "headed.cqn", "--format", "json", "--no-differs").data
    assert (found["verdict"], found["readings"]) == ("unfinished", {"new-meld": "any"})
    command = (
        "validate",
        "headed.cqn",
        "--reading",
        "new-meld=two-from-hand",
        "--format",
        "json",
        "--no-differs",
    )
    (found,) = run(*command).data
    assert found["verdict"] == "invalid"
    assert [(n["code"], n["line"]) for n in found["deals"][0]["notes"]] == [("rules-overridden", 2)]
    # A reading that the header does not name is no contradiction.
    (found,) = run("validate", "club.cqn", "--reading", "new-meld=any", "--format", "json").data
    assert found["deals"][0]["notes"] == []


def test_rules_can_be_given_on_the_command_line_alone(folder: Path) -> None:
    (folder / "bare.cqn").write_text(WON.replace("rules: swedish\n", ""), encoding="utf-8")
    (found,) = run("validate", "bare.cqn", "--format", "json").data
    assert (found["verdict"], found["errors"][0]["code"]) == ("unreadable", "no-rules")
    (found,) = run("validate", "bare.cqn", "--rules", "swedish", "--format", "json").data
    assert found["verdict"] == "valid"


def test_a_path_to_a_rules_file_is_for_the_command_line_only(folder: Path) -> None:
    (folder / "mine.rules").write_text(
        'ruleset mine "Mine"\nextends swedish\n\nchoose new-meld = any\n  because "so"\n  cite sw.turn.3\n',
        encoding="utf-8",
    )
    done = run("validate", "club.cqn", "--rules", "mine.rules", "--format", "json", "--no-differs")
    assert (done.data[0]["rules"], done.data[0]["verdict"]) == ("mine", "unfinished")
    (folder / "path.cqn").write_text(CLUB.replace("rules: swedish", "rules: mine.rules"), encoding="utf-8")
    (found,) = run("validate", "path.cqn", "--format", "json").data
    assert (found["verdict"], found["errors"][0]["code"]) == ("unreadable", "bad-rules")
