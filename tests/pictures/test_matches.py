"""What the book shows of the pack, of who deals and of the stakes: against ledgers of transcripts and by hand."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import pytest

from conquian.book.matches import Deals, Drawn, Ended, Matches, Row, Whole
from conquian.book.plays import Plays
from conquian.book.telling import deals_notes, deals_table, drawn_deed, drawn_rows, pack_rows
from conquian.differing import named
from conquian.engine.sets import rule_sets
from conquian.language import clauses as c
from conquian.ledger import Ledger, Melds
from conquian.pictures.rows import rows_lines, rows_svg, rows_text
from conquian.position import load
from conquian.tongue import LANGUAGES, Language, speaking
from tests.score.telling import FAMILIES, deal, scored

from .looking import DRAWN, tags, tree, uses

PLAYERS = ("Ana", "Ben")


@cache
def matches(word: str) -> Matches:
    one = named(word)
    return Matches(one.typed, one.rules, Plays(one.typed, one.rules).won)


def shown(word: str, clause: str) -> object:
    made = matches(word)
    return made.of(next(x for x in made.typed.clauses if x.name == clause))


def deals(word: str, clause: str) -> Deals:
    found = shown(word, clause)
    assert isinstance(found, Deals), found
    return found


def units(found: Deals) -> list[tuple[int, ...] | None]:
    return [row.payments for row in found.rows]


# ---- the stakes


STAKES = [
    (rules, clause.name)
    for rules in FAMILIES
    for clause in named(rules).typed.clauses
    if isinstance(clause.body, c.Stakes | c.DealerStays)
]


def words(rules: str, row: Row) -> str:
    """A deal of a row as a transcript has it."""
    first, second = PLAYERS[1 - row.dealer], PLAYERS[row.dealer]
    how, winner = row.ended
    match how:
        case "won":
            assert winner is not None
            return deal(rules, "first" if PLAYERS[winner] == first else "second", first, second)
        case "won-at-once":
            assert winner is not None and PLAYERS[winner] == first
            return deal(rules, "rummy", first, second)
        case "broken-off":
            return deal(rules, "open", first, second) + "broken off\n"
        case "conceded":
            assert winner is not None
            return deal(rules, "open", first, second) + f"{PLAYERS[1 - winner]} concedes\n"
        case _:
            return deal(rules, how, first, second)


@pytest.mark.parametrize(("rules", "clause"), STAKES)
def test_a_row_of_deals_is_what_a_transcript_of_such_deals_is_scored(rules: str, clause: str) -> None:
    found = deals(rules, clause)
    readings = ", ".join(f"{name}={choice}" for name, choice in found.readings)
    head = f"readings: {readings}\n" if readings else ""
    played = "".join(f"\ndeal {row.number}\n{words(rules, row)}" for row in found.rows)
    # The transcript is judged, and its ledger kept a second time by the reference.
    ledger = scored(f"rules: {rules}\nplayers: Ana, Ben\n{head}{played}")
    assert [row.dealer for row in ledger.rows] == [PLAYERS[row.dealer] for row in found.rows]
    assert [row.payments if row.counted else None for row in ledger.rows] == units(found)
    assert [row.pot for row in ledger.rows] == [row.pot for row in found.rows]
    assert ledger.score.dealer_next == PLAYERS[found.next_dealer]


def test_rows_worked_out_by_hand() -> None:
    # Each pays one after the draw; then the loser pays one, and two lie in the pot.
    assert units(deals("coonking", "settlement")) == [(-1, -1), (-1, 3)]
    assert [row.pot for row in deals("coonking", "settlement").rows] == [2, 0]
    # After a draw, which moves nothing, the deal counts as two.
    assert units(deals("swedish", "doubling")) == [(0, 0), (2, -2)]
    # Both ante one, Ana takes the two, and Ben pays her one more.
    assert units(deals("classic", "bonus")) == [(2, -2)]
    assert deals("classic", "bonus").readings == (("rummy-bonus", "double"),)
    # A deal that is broken off is as if it had not been played.
    assert units(deals("classic", "ended-early"))[0] is None
    # Four ante one each; two of them share the four.
    assert units(deals("partnership", "stakes")) == [(1, -1, 1, -1)]


def test_the_pot_is_shown_under_another_reading_where_nothing_ever_lies_in_it() -> None:
    found = deals("swedish", "takings")
    assert found.decides and found.readings == (("draw-settlement", "pot"),)
    assert units(found) == [(-1, -1), (3, -1)]


def _given(tables: tuple[Melds, Melds]) -> tuple[Melds, Melds]:
    return tables


@pytest.mark.parametrize("name", [*FAMILIES, "twice-around", "partnership"])
def test_every_row_for_the_stakes_is_counted_otherwise_by_a_rule_file_that_drops_the_clause(
    name: str, tmp_path: Path
) -> None:
    made = matches(name)
    decided = 0
    for clause in made.typed.clauses:
        found = made.of(clause)
        if not (isinstance(clause.body, c.Stakes) and isinstance(found, Deals)):
            continue
        assert found.decides
        file = tmp_path / f"{clause.name}.rules"
        file.write_text(f'ruleset w "Without"\nextends {name}\ndrop {clause.name}\n', encoding="utf-8")
        counted = []
        for word in (name, str(file)):
            ledger = Ledger(load(word, dict(found.readings)).engine, None)
            entries = []
            for row in found.rows:
                how = row.ended.how if row.ended.how in ("conceded", "agreed", "broken-off") else None
                at_once = row.ended.how == "won-at-once"
                tables = ((), (7,)) if at_once else ((7,), (7, 112))  # nothing lay before, or something did
                entries.append(ledger.enter(row.ended.winner, partial(_given, tables), how))
            counted.append([None if entry is None else (entry.payments, entry.pot) for entry in entries])
        assert counted[0] == [None if x.payments is None else (x.payments, x.pot) for x in found.rows]
        assert counted[0] != counted[1], clause.name
        decided += 1
    assert decided >= 4


def test_nobody_wins_in_a_single_act_where_no_dealt_hand_has_the_cards_for_it() -> None:
    # Thirteen in the hand and the card on offer are fourteen, and the goal is fifteen.
    assert matches("twice-around").at_once is None
    assert shown("twice-around", "bonus") is None
    act = matches("classic").at_once
    assert act is not None and len(act.here.hand("me")[0]) == 10


def test_a_session_ends_with_its_last_win() -> None:
    found = deals("classic", "session")
    assert [row.number for row in found.rows] == [9, 10] and found.over == 10
    assert "10 wins: the session is over." in deals_notes(found)


# ---- who deals


def test_the_deal_goes_round_and_stays_after_a_misdeal() -> None:
    found = deals("classic", "dealer")
    assert [row.ended for row in found.rows] == [Ended("won", 0), Ended("misdeal"), Ended("drawn")]
    assert [row.dealer for row in found.rows] == [1, 0, 0] and found.next_dealer == 1
    again = deals("classic?draw-settlement=replay", "dealer")
    assert [row.dealer for row in again.rows] == [1, 0, 0] and again.next_dealer == 0
    four = deals("partnership", "dealer")
    assert [row.dealer for row in four.rows] == [3, 0, 0] and four.next_dealer == 1
    assert deals_table(found, 2).rows == (
        ("1", "Ben", "Ana wins"),
        ("2", "Ana", "misdeal"),
        ("3", "Ana", "drawn"),
    )


@pytest.mark.parametrize(
    "name", [x for x in rule_sets() if "cut" in {y.name for y in named(x).typed.clauses}]
)
def test_the_lowest_card_deals(name: str) -> None:
    found = shown(name, "cut")
    assert isinstance(found, Drawn)
    order = {rank: place for place, rank in enumerate(("A", *map(str, range(2, 11)), "J", "Q", "K"))}
    places = [order[card[:-1]] for card in found.cards]
    assert len(set(found.cards)) == len(places) == load(name).engine.seats
    assert places.index(min(places)) == found.dealer == 1 and places.count(min(places)) == 1
    assert set(found.cards) <= set(load(name).engine.pack.cards)


def test_the_highest_card_deals_where_the_rule_file_says_so(tmp_path: Path) -> None:
    file = tmp_path / "high.rules"
    file.write_text(
        'ruleset high "High"\nextends classic\noverride clause cut "High." cut highest deals\n',
        encoding="utf-8",
    )
    found = shown(str(file), "cut")
    assert isinstance(found, Drawn)
    assert drawn_deed(found, "french") == "Ana draws A♣, Ben draws J♦: Ben deals first."


# ---- the pack


@pytest.mark.parametrize("name", rule_sets())
def test_the_whole_pack_is_drawn_each_card_once(name: str) -> None:
    found = shown(name, "pack")
    assert isinstance(found, Whole)
    rows = pack_rows(found, "french")
    pack = load(name).engine.pack
    assert sorted(card for row in rows.rows for card in row.cards) == sorted(pack.cards)
    assert all(len({card[-1] for card in row.cards}) == 1 for row in rows.rows)
    drawn = [name for name, _, _, _ in uses(tree(rows_svg(rows))) if re.fullmatch(r"cq-f-\w{2,3}", name)]
    assert sorted(x.removeprefix("cq-f-") for x in drawn) == sorted(pack.cards)
    assert tags(rows_svg(rows)) <= DRAWN
    assert (f"each card is there {pack.copies} times" in rows_text(rows)) is (pack.copies > 1)


def test_rows_in_characters() -> None:
    found = shown("classic-52", "pack")
    assert isinstance(found, Whole)
    assert list(rows_lines(pack_rows(found, "french")))[1:3] == [
        "  A♦  2♦  3♦  4♦  5♦  6♦  7♦  8♦  9♦  10♦ J♦  Q♦  K♦",
        "  A♥  2♥  3♥  4♥  5♥  6♥  7♥  8♥  9♥  10♥ J♥  Q♥  K♥",
    ]
    rows = drawn_rows(Drawn(("Kc", "3d"), 1), "french")
    assert list(rows_lines(rows)) == ["  Ana  K♣", "  Ben  3♦  deals first"]
    assert rows_text(rows) == "Ana: K♣. Ben: 3♦, deals first."


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_beside_rows_are_drawn_in_every_language_within_the_picture(language: Language) -> None:
    from conquian.pictures.drawing import ACROSS

    with speaking(language):
        found = shown("paco", "pack")
        assert isinstance(found, Whole)
        pictures = [
            rows_svg(pack_rows(found, "french")),
            rows_svg(drawn_rows(Drawn(("Kc", "3d"), 1), "french")),
        ]
    for picture in pictures:
        letters = [m for m in re.findall(r'<path class="cq-(?:faint|force|ink)" [^>]*d="([^"]+)"', picture)]
        assert letters
        ends = [float(x) for path in letters for x in re.findall(r"[ML](-?[\d.]+)", path)]
        assert min(ends) >= 0 and max(ends) <= ACROSS
