"""Cards in every notation: what is given in one is answered in it, and the documents keep their French names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conquian.cards import CARDS, NOTATIONS, Card, Notation, shown_cards, write_card
from conquian.cli import app

POSITION = {"--up": "7h", "--table": "5s 6s 7s", "--hand": "4s 7d"}
OTHERS: list[Notation] = [notation for notation in NOTATIONS if notation != "french"]


def card(name: str, notation: Notation) -> str:
    known: Card = CARDS[CARDS.index(name)]
    written = write_card(known, notation)
    assert isinstance(written, str)
    return written


def cards(names: str, notation: Notation) -> str:
    return ", ".join(" ".join(card(name, notation) for name in meld.split()) for meld in names.split(","))


def options(notation: Notation) -> list[str]:
    found = ["--cards", notation]
    for option, names in POSITION.items():
        found += [option, cards(names, notation)]
    return found


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code < 2, done.output
    return done.output


QUESTIONS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "legal": (("legal", "--rules", "swedish"), {"--meld": "7s 7h 7d, 4s 5s 6s"}),
    "legal-why": (("legal", "--rules", "swedish", "--why"), {"--meld": "7s 7h 7d, 4s 5s 6s"}),
    "not-in-hand": (("legal", "--rules", "swedish", "--why"), {"--meld": "7h Jh Qh, 5s 6s 7s"}),
    "not-in-deck": (("legal", "--rules", "swedish"), {"--meld": "7h 8h 9h"}),
    "melds": (("legal", "--rules", "classic"), {}),
    "settle": (("settle", "--rules", "swedish,classic"), {"--meld": "7s 7h 7d, 4s 5s 6s"}),
    "force": (("force", "--rules", "swedish"), {}),
    "outs": (("outs", "--rules", "classic"), {}),
}


@pytest.mark.parametrize("notation", OTHERS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_in_a_notation_is_answered_in_it(question: str, notation: Notation) -> None:
    command, more = QUESTIONS[question]
    if question == "not-in-deck" and notation == "spanish":
        more = {"--meld": "6h 7h 9h"}

    def asked(notation: Notation, *form: str) -> str:
        extra = [word for option, names in more.items() for word in (option, cards(names, notation))]
        return told(*command, *options(notation), *extra, *form)

    french, other = asked("french"), asked(notation)
    assert words(french, "french") == words(other, notation)
    keep = ("message", "hint", "why", "sentence")
    documents = [json.loads(asked(n, "--format", "json")) for n in ("french", notation)]
    for document in documents:
        for key in (*keep, "facts"):
            document.pop(key, None)
    assert documents[0] == documents[1]


def words(text: str, notation: Notation) -> list[str]:
    """The words of a text, cards by their French names; a word that is a card only in French must not be left."""
    names = {write_card(c, notation): str(c) for c in CARDS}
    found = []
    for word in re.sub(r"([,:;()])", r" \1 ", text).split():
        if notation != "french" and word in set(CARDS) and word not in names:
            found.append(f"left in French: {word}")
        else:
            found.append(str(names.get(word, word)))
    ranks = {shown: name for shown, name in zip(*(rank_words(n) for n in (notation, "french")), strict=True)}
    return [ranks.get(word, word) for word in found] if "ranks" in found else found


def rank_words(notation: Notation) -> list[str]:
    from conquian.cards import RANKS, shown_ranks

    return shown_ranks(RANKS, notation)


GAME = "rules: swedish\nplayers: Ana, Ben\ncards: {notation}\nAna holds {hand}\nAna turns {up}\nAna melds {meld}\n"


@pytest.mark.parametrize("shown", NOTATIONS)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_transcript_is_answered_in_its_notation_or_the_one_asked_for(
    tmp_path: Path, notation: Notation, shown: Notation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hand = "6h 7h Ad 2d 3d Kc Qc Jc 2s 4s"
    Path("game.cqn").write_text(
        GAME.format(
            notation=notation,
            hand=cards(hand, notation),
            up=cards("5h", notation),
            meld=cards("5h 6h Kd", notation),
        ),
        encoding="utf-8",
    )
    said = told("validate", "game.cqn", "--no-differs", "--why", "--example-deal")
    assert f"not-in-hand {card('Kd', notation)} is not in Ana's hand" in said
    said = told("validate", "game.cqn", "--no-differs", "--why", "--cards", shown)
    assert f"not-in-hand {card('Kd', shown)} is not in Ana's hand" in said
    assert f"because {card('Kd', shown)} is not in Ana's hand" in said
    assert card("5h", shown) in told("infer", "--at", "game.cqn:6", "--cards", shown)
    document = json.loads(told("validate", "game.cqn", "--format", "json", "--cards", shown))
    assert document[0]["deals"][0]["violations"][0]["cards"] == ["Kd"]
    written = told("convert", "game.cqn", "--cards", shown)
    assert f"Ana turns {card('5h', shown)}" in written


def test_a_card_that_a_notation_cannot_write_stays_by_its_french_name() -> None:
    assert shown_cards(["7s", "10h", "Kd", "?"], "spanish") == "7e 10h 12o ?"
    assert shown_cards(["7s", "?"]) == "7s ?"
    unused: Card = "7s"
    assert write_card(unused, "german") == "7pi"


# The cards by the table of notations.
@pytest.mark.parametrize("notation", NOTATIONS)
def test_what_is_wrong_with_a_position_is_said_in_the_notation_of_its_cards(notation: Notation) -> None:
    def said(rules: str, up: str, table: str) -> str:
        given = ["--up", card(up, notation), "--table", cards(table, notation), "--cards", notation]
        result = CliRunner().invoke(app, ["legal", "--rules", rules, *given], catch_exceptions=False)
        assert result.exit_code == 2
        return result.stderr.splitlines()[0].removeprefix("conquian: ")

    jack = {"french": "Jh", "spanish": "10c", "german": "Bhe", "swedish": "Knhj"}[notation]
    assert said("coonking", "Jh", "7h 8h 9h") == f"up: {jack} is not in the pack"
    other = {"french": "Jd", "spanish": "10o", "german": "Bka", "swedish": "Knru"}[notation]
    assert said("swedish", "Jd", "Jh Jd Js") == f"up: {other} is named too often; the pack has it once"
    three = {"french": "Ad 3h Kc", "spanish": "1o 3c 12b", "german": "Aka 3he Kkr", "swedish": "Eru 3hj Kkl"}
    assert said("swedish", "Jd", "Ad 3h Kc") == f"table: {three[notation]} is no meld"


PACKS = {
    "french": ("Jd", "it has the ranks A 2 3 4 5 6 7 8 9 10"),
    "spanish": (
        "10o",
        "it has the ranks 1 2 3 4 5 6 7 8 9; its French 10 has no Spanish form: a Spanish 10 is the sota",
    ),
    "german": ("Bka", "it has the ranks A 2 3 4 5 6 7 8 9 10"),
    "swedish": ("Knru", "it has the ranks E 2 3 4 5 6 7 8 9 10"),
}


@pytest.mark.parametrize("where", ["Ana holds {jack}", "Ana turns {jack}"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_ranks_of_a_pack_are_listed_so_that_none_reads_as_the_card_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notation: Notation, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    jack, ranks = PACKS[notation]
    header = f"rules: coonking\nplayers: Ana, Ben\ncards: {notation}\n"
    Path("game.cqn").write_text(header + where.format(jack=jack) + "\n", encoding="utf-8")
    out = CliRunner().invoke(app, ["validate", "game.cqn"], catch_exceptions=False).stdout
    assert f"not-in-deck the pack has no {jack} " in out
    assert out.splitlines()[-1] == f"    hint: {ranks}"
