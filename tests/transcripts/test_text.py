"""The text form: what each line means, and what is said about a line that means nothing."""

from __future__ import annotations

import pytest

from conquian.transcript.codes import ERRORS, NOTES
from conquian.transcript.read import read
from conquian.transcript.sheet import Sheet

HEAD = "rules: swedish\nplayers: Ana, Ben\n"


def sheet(text: str | bytes) -> Sheet:
    (found,) = read(text if isinstance(text, bytes) else text.encode(), "club.cqn")
    return found


def good(text: str | bytes) -> Sheet:
    found = sheet(text)
    assert found.errors == () and found.game is not None, [found.show(error) for error in found.errors]
    return found


# Text after the two header lines; code, line, column, end column, part of the hint.
DEAL_ERRORS = [
    ("Ana discard Ks", "unknown-verb", 3, 5, 12, "did you mean 'discards'?"),
    ("12. Ben trns 6c", "unknown-verb", 3, 9, 13, "did you mean 'turns'?"),
    ("Ana “passes”", "unknown-verb", 3, 5, 13, "did you mean 'passes'?"),
    ("Anna turns 5c", "unknown-player", 3, 1, 5, "did you mean 'Ana'?"),
    ("ana turns 5c", "unknown-player", 3, 1, 4, "did you mean 'Ana'?"),
    ("Ana gives 3h to Bob", "unknown-player", 3, 17, 20, "the players are Ana, Ben"),
    ("cut Ana 7s, Bob 3d", "unknown-player", 3, 13, 16, "the players are Ana, Ben"),
    ("turns 5c", "no-player", 3, 1, 6, "begin the line with the player's name"),
    ("wins", "no-player", 3, 1, 5, "begin the line with the player's name"),
    ("deal 1\nto passes", "bad-name", 4, 1, 3, 'write "to"'),
    ('deal 1\n"" passes', "bad-name", 4, 1, 3, "write the player's name"),
    ('deal 1\n"A\\x" passes', "bad-escape", 4, 3, 5, "inside quotes"),
    ("Ana turns 5x", "bad-card", 3, 11, 13, "a card is a rank"),
    ("Ana turns s7", "bad-card", 3, 11, 13, "write '7s'"),
    ("Ana turns 7e", "bad-card", 3, 11, 13, "cards: spanish"),
    ('Ana turns "5c"', "bad-card", 3, 11, 15, "without quotes"),
    ("Ana melds 5c 6c 7c discards Ks", "bad-card", 3, 20, 28, "write ';' before 'discards'"),
    ("Ana turns 5c discards Ks", "syntax", 3, 14, 22, "write ';' before 'discards'"),
    ("Ana turns ?", "unrecorded-card", 3, 11, 12, "name the card"),
    ("starter ?", "unrecorded-card", 3, 9, 10, "name the card"),
    ("Ben forces Jc onto 5c ?", "unrecorded-card", 3, 23, 24, "name the card"),
    ("Ana turns", "syntax", 3, 10, 11, "Ana turns 5c"),
    ("Ana", "syntax", 3, 4, 5, "a player holds, gives"),
    ("Ana holds", "syntax", 3, 10, 11, "Ana holds 6c 7c 3d"),
    ("Ana holds 5c, 6c", "syntax", 3, 13, 14, "with blanks between them"),
    ("Ana melds 5c,, 6c", "syntax", 3, 14, 15, "a card is missing here"),
    ("Ana: passes", "syntax", 3, 4, 5, "leave it out"),
    ("Ana passes;", "syntax", 3, 12, 13, "take out the ';'"),
    ("Ana passes;; passes", "syntax", 3, 12, 13, "take out the ';'"),
    ("Ana gives 3h Ben", "syntax", 3, 14, 17, "Ana gives 3h to Ben"),
    ("Ana gives to Ben", "syntax", 3, 14, 17, "Ana gives 3h to Ben"),
    ("Ben forces Jc", "syntax", 3, 14, 15, "Ben forces Jc onto"),
    ("cut Ana 7s Ben 3d", "syntax", 3, 12, 15, "cut Ana 7s, Ben 3d"),
    ("Ana drawn", "syntax", 3, 5, 10, "write it like 'drawn'"),
    ("deal 1\nhello world", "syntax", 4, 1, 6, "a line names a player"),
    ("deal", "syntax", 3, 5, 6, "deal 2"),
    ("Deal 1:", "syntax", 3, 7, 8, "leave it out"),
    ("deal two", "deal-number", 3, 6, 9, "deal 2"),
    ("deal 0", "deal-number", 3, 6, 7, "in the order of play"),
    ("deal 99999999999999999999", "deal-number", 3, 6, 26, "in the order of play"),
    ("deal " + "9" * 5000, "deal-number", 3, 6, 5006, "in the order of play"),
    ("Ana holds 99999999999: 5c", "bad-number", 3, 11, 22, "how many cards"),
    ("Ana passes\nBen holds 5c", "setup-after-event", 4, 1, 13, "before play begins"),
    ("Ana passes; stock 5c", "setup-after-event", 3, 13, 21, "before play begins"),
    ("Ana holds 5c\nAna holds 6c", "duplicate-setup", 4, 1, 13, "keep one"),
    ("stock 5c\nstock 6c", "duplicate-setup", 4, 1, 9, "keep one"),
    ("cut Ana 7s, Ana 3d", "duplicate-setup", 3, 13, 16, "name each player once"),
    ("Ana wins\ndrawn", "duplicate-claim", 4, 1, 6, "one result"),
    ('"Ana passes', "unclosed-quote", 3, 1, 12, "close it"),
    ('Ana gives 3h to "Ben # x', "unclosed-quote", 3, 17, 25, "close it"),
    ("deal 1\nrules: classic", "late-header", 4, 1, 6, "before the first deal"),
    ("Ana holds " + "5c " * 10_000, "too-long", 3, 1, 41, "one sentence a line"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "end", "hint"), DEAL_ERRORS)
def test_an_error_in_a_deal_costs_that_deal(
    text: str, code: str, line: int, column: int, end: int, hint: str
) -> None:
    found = sheet(f"{HEAD}{text}\n\ndeal 7\nBen passes\n")
    (error,) = found.errors
    assert (error.code, error.line, error.column, error.end_column) == (code, line, column, end)
    assert hint in error.hint
    assert error.deal == 0
    assert found.game is not None
    assert found.unreadable == {0}
    assert found.game.deals[1].events == (("Ben", "passes"),)
    assert code in ERRORS


def test_deals_that_do_not_ascend() -> None:
    found = sheet(f"{HEAD}deal 2\nAna passes\ndeal 2\nBen passes\ndeal 3\nBen passes\n")
    (error,) = found.errors
    assert (error.code, error.line, error.column, error.deal) == ("deal-number", 5, 6, 1)
    assert found.unreadable == {1}
    (error,) = sheet(f"{HEAD}cut Ana 7s, Ben 3d\ndeal 1\nAna passes").errors
    assert (error.code, error.line) == ("deal-number", 4)
    assert "write 'deal 1' before it" in error.hint


# Whole texts; code, line, column, end column, part of the hint.
FILE_ERRORS = [
    ("", "no-game", 1, 1, 2, "players: Ana, Ben"),
    ("\n\n# only a comment\n", "no-game", 1, 1, 2, "players: Ana, Ben"),
    ("\n  hello world\nfoo: bar", "no-game", 2, 3, 8, "players: Ana, Ben"),
    ("date: 2026\nAna passes", "no-players", 2, 1, None, "players: Ana, Ben"),
    ("players:\nAna passes", "no-players", 1, 1, 9, "players: Ana, Ben"),
    ("players: Ana, Ben, Ana", "duplicate-player", 1, 20, 23, "a name of his own"),
    ("players: Ana Ben", "syntax", 1, 14, 17, "write ','"),
    ("players: Ana,, Ben", "bad-name", 1, 14, 15, "take the ',' out"),
    ("players: Ana, Ben,", "bad-name", 1, 18, 19, "take the ',' out"),
    ("players: to, Ben", "bad-name", 1, 10, 12, 'write "to"'),
    ("players: 12., Ben", "bad-name", 1, 10, 13, 'write "12."'),
    ("players: Ana!, Ben", "bad-name", 1, 10, 14, 'write "Ana!"'),
    ('players: "", Ben', "bad-name", 1, 10, 12, "write the player's name"),
    ('players: "a\\q", Ben', "bad-escape", 1, 12, 14, "inside quotes"),
    ('players: Ana, "Ben', "unclosed-quote", 1, 15, 19, "close it"),
    (HEAD + "dealer: Bem", "unknown-player", 3, 9, 12, "did you mean 'Ben'?"),
    (HEAD + "dealer: Ana Ben", "bad-name", 3, 9, 16, 'write "Ana Ben"'),
    (HEAD + "dealer:", "bad-name", 3, 1, 8, "dealer: Ben"),
    (HEAD + "match: wins=0", "bad-number", 3, 8, 14, "wins=10"),
    (HEAD + "match: wins=" + "9" * 5000, "bad-number", 3, 8, 5013, "wins=10"),
    (HEAD + "match: points=3", "bad-match", 3, 8, 16, "wins=10"),
    (HEAD + "cards: frensh", "bad-cards", 3, 8, 14, "did you mean 'french'?"),
    (HEAD + "readings: a=b, c", "bad-readings", 3, 16, 17, "new-meld=any"),
    (HEAD + "readings: a=b,", "bad-readings", 3, 11, 15, "new-meld=any"),
    (HEAD + "readings: a=b, a=c", "duplicate-key", 3, 16, 19, "keep one"),
    (HEAD + "players: Ana, Ben", "duplicate-key", 3, 1, 8, "keep one"),
    ("players: Ana, Ben\nrules: ../x.rules", "bad-rules", 2, 8, 18, "rule set's name"),
    ("players: Ana, Ben\nrules: /etc/passwd", "bad-rules", 2, 8, 19, "rule set's name"),
    (HEAD + "what is this\ndeal 1", "syntax", 3, 1, 5, "a header line is written 'key: value'"),
    (b"\xff\xfep\x00l\x00", "encoding", 1, 1, None, "save it as UTF-8"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "end", "hint"), FILE_ERRORS)
def test_an_error_in_the_header_costs_the_file(
    text: str | bytes, code: str, line: int, column: int, end: int | None, hint: str
) -> None:
    found = sheet(text)
    (error,) = found.errors
    assert (error.code, error.line, error.column, error.end_column) == (code, line, column, end)
    assert hint in error.hint
    assert error.deal is None
    assert found.game is None
    assert code in ERRORS


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ('event: "Club', "unclosed-quote", 8),
        ('event: "C\\lub"', "bad-escape", 10),
        ("date: x\nDate: y", "duplicate-key", 1),
        ('"\\q": x', "bad-escape", 2),
    ],
)
def test_an_error_in_a_tag_costs_no_deal(text: str, code: str, column: int) -> None:
    found = sheet(f"{HEAD}{text}\ndeal 1\nAna passes\n")
    (error,) = found.errors
    assert (error.code, error.column, error.deal) == (code, column, None)
    assert found.game is not None and found.unreadable == frozenset()


def test_every_error_is_found_not_only_the_first() -> None:
    found = sheet(
        f"{HEAD}deal 1\nAna turns 5x; melds 5y 6c; discards\nBob passes\ndeal 2\nBen passes\ndeal 3\nx\n"
    )
    assert [(error.code, error.line, error.column, error.deal) for error in found.errors] == [
        ("bad-card", 4, 11, 0),
        ("bad-card", 4, 21, 0),
        ("syntax", 4, 36, 0),
        ("unknown-player", 5, 1, 0),
        ("syntax", 9, 2, 2),
    ]
    assert found.unreadable == {0, 2}


def test_after_a_player_who_cannot_be_read_nobody_is_missed() -> None:
    found = sheet(f"{HEAD}Anna turns 5c; passes; Ben turns 6c; passes")
    assert [error.code for error in found.errors] == ["unknown-player"]
    assert found.game is not None
    assert found.game.deals[0].events == (("Ben", "turns", "6c"), ("Ben", "passes"))


def test_all_sentences() -> None:
    found = good(
        HEAD + "readings: new-meld=any, goal = exactly\nmatch: Units=100\nDealer: Ana\n"
        "DEAL 3\ncut Ana 7s, Ben 3d\ndeck 5c ?\nstock 2d ?\nAna holds 9: Jh ?\nBen holds ?\nstarter 10h\n"
        "1. Ana gives ? to Ben; Ben gives 3h to Ana\n2. Ana TURNS 5♣\n"
        "Ben forces; forces 5c onto 6c 7c 8c\n"
        "Ana melds 5c 6c 7c, Jc Jh Jd; arranges; Arranges 5c 6c 7c; discards Ks\n"
        "Ben passes; Ana wins\n"
    )
    game = found.game
    assert game is not None and game.match is not None
    assert game.readings == {"new-meld": "any", "goal": "exactly"}
    assert (game.match.wins, game.match.units, game.dealer) == (None, 100, "Ana")
    (deal,) = game.deals
    assert deal.number == 3
    assert deal.cut == {"Ana": "7s", "Ben": "3d"}
    assert deal.deck == ("5c", "?") and deal.stock == ("2d", "?")
    assert deal.hands == {"Ana": ("Jh", "?"), "Ben": ()} and deal.hand_sizes == {"Ana": 9}
    assert deal.starter == "10h"
    assert deal.events == (
        ("Ana", "gives", "?", "Ben"),
        ("Ben", "gives", "3h", "Ana"),
        ("Ana", "turns", "5c"),
        ("Ben", "forces"),
        ("Ben", "forces", "5c", ("6c", "7c", "8c")),
        ("Ana", "melds", (("5c", "6c", "7c"), ("Jc", "Jh", "Jd"))),
        ("Ana", "arranges", ()),
        ("Ana", "arranges", (("5c", "6c", "7c"),)),
        ("Ana", "discards", "Ks"),
        ("Ben", "passes"),
    )
    assert deal.claim is not None and deal.claim.winner == "Ana"


def test_names_in_quotes_may_be_anything() -> None:
    found = good(
        'players: "Ana Lee", "a\\"b\\\\", "to", "x;y # z", O\'Neil-2_.\n'
        '"Ana Lee" turns 5c; "a\\"b\\\\" passes; "to" passes; "x;y # z" passes; O\'Neil-2_. passes # c\n'
    )
    assert found.game is not None
    assert [event[0] for event in found.game.deals[0].events] == list(found.game.players)
    assert found.game.players == ("Ana Lee", 'a"b\\', "to", "x;y # z", "O'Neil-2_.")


def test_letters_of_any_script_are_letters() -> None:
    found = good("players: Zoë, Zoe\u0308, 漢字\nZoe\u0308 passes; 漢字 passes")
    assert found.game is not None and len(set(found.game.players)) == 3


def test_unknown_header_keys_are_kept_in_order_with_a_note() -> None:
    found = good(HEAD + 'Round no: 3 ; 4\nplayres: x\nstarter: 7s\nDATE: ?\n"rules": quoted\nempty:\n')
    assert found.game is not None
    assert list((found.game.tags or {}).items()) == [
        ("Round no", "3 ; 4"),
        ("playres", "x"),
        ("starter", "7s"),
        ("date", "?"),
        ("rules", "quoted"),
        ("empty", ""),
    ]
    notes = [(note.code, note.line) for note in found.notes]
    assert notes == [*(("unknown-key", line) for line in (3, 4, 5, 7, 8)), ("no-deals", 9)]
    assert "did you mean 'players'?" in found.notes[1].message
    assert "is it the sentence" in found.notes[2].message
    assert {note.code for note in found.notes} <= set(NOTES)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("line", "column", "end_column"),
    [
        ("Ana turns 5x", 11, 13),
        ("\tAna\tturns\t5x", 12, 14),
        ("Ana melds 5♣ 6♣ 7x", 17, 19),
        ('"漢字" turns 5x', 12, 14),
        ("\u00a0Ana\u2003turns\u00a05x\u00a0", 12, 14),
        ("Ana passes; turns 5x # 漢", 19, 21),
    ],
)
def test_columns_count_characters(bom: bytes, end: str, line: str, column: int, end_column: int) -> None:
    text = end.join(['players: Ana, "漢字"', "deal 1", line, ""])
    found = sheet(bom + text.encode())
    (error,) = found.errors
    assert (error.code, error.line, error.column, error.end_column) == ("bad-card", 3, column, end_column)
    assert found.line(3) == line
    assert found.line(3)[column - 1 : end_column - 1] in ("5x", "7x")
    assert [note.code for note in found.notes] == (["bom"] if bom else [])


def test_bytes_that_are_no_utf8_cost_their_deal() -> None:
    found = sheet(
        HEAD.encode() + b"deal 1\nAna passes # caf\xe9\ndeal 2\n\xc3\xa9\xff x\ndeal 3\nBen passes\n"
    )
    assert [(error.code, error.line, error.column, error.deal) for error in found.errors] == [
        ("encoding", 4, 17, 0),
        ("encoding", 6, 2, 1),
    ]
    assert found.game is not None and found.unreadable == {0, 1}
    tagged = sheet(b"place: M\xe1laga\n" + HEAD.encode() + b"Ana passes\n")
    assert [error.code for error in tagged.errors] == ["encoding"] and tagged.game is not None
    players = sheet(b'players: Ana, "B\xe9n"\nAna passes\n')
    assert [error.code for error in players.errors] == ["encoding"] and players.game is None


def test_odd_bytes_are_never_passed_over() -> None:
    for odd in ("\0", "\x1a", "\ufeff", "\u200b", "\x85"):
        found = sheet(f"{HEAD}deal 1\nAna passes\n{odd}Ben passes\n")
        if odd.isspace():
            assert found.errors == ()
        else:
            assert [error.line for error in found.errors] == [5]


def test_ten_megabytes_in_one_line() -> None:
    for line in ("x" * 10_000_000, "Ana holds " + "5c " * 3_300_000, "#" * 10_000_000, '"' * 9_999_999):
        found = sheet(f"{HEAD}deal 1\n{line}\ndeal 2\nBen passes\n")
        assert found.game is not None
        assert found.unreadable == (set() if line[0] == "#" else {0})


def test_places_of_every_part() -> None:
    found = good(
        "players: Ana, Ben\nevent: Club\ndeal 4\ncut Ana 7s, Ben 3d\nAna holds 2: 5c 6c\nstarter 7s\n"
        "12. Ana turns 5c; melds 5c 6c 7c, Kh Kd Ks\n"
        "Ben forces Jc onto 5c 6c 7c\nAna gives ? to Ben\nBen wins\n"
    )
    where = found.where

    def word(line: int, column: int, end: int) -> str:
        return found.line(line)[column - 1 : end - 1]

    spans = [
        (where.header("players", 1), "Ben"),
        (where.header("event"), "Club"),
        (where.deal(0), "deal 4"),
        (where.setup(0, "number"), "4"),
        (where.setup(0, "cut", "Ben"), "3d"),
        (where.setup(0, "hands", "Ana", 1), "6c"),
        (where.setup(0, "hands", "Ana"), "Ana holds 2: 5c 6c"),
        (where.setup(0, "hand_sizes", "Ana"), "2"),
        (where.setup(0, "starter"), "starter 7s"),
        (where.event(0, 0), "Ana turns 5c"),
        (where.event(0, 1), "melds 5c 6c 7c, Kh Kd Ks"),
        (where.part(0, 0, 0), "Ana"),
        (where.part(0, 0, 2), "5c"),
        (where.part(0, 1, 0), "melds"),
        (where.part(0, 1, 2, 1), "Kh Kd Ks"),
        (where.part(0, 1, 2, 1, 2), "Ks"),
        (where.part(0, 2, 2), "Jc"),
        (where.part(0, 2, 3, 1), "6c"),
        (where.part(0, 3, 2), "?"),
        (where.part(0, 3, 3), "Ben"),
        (where.claim(0), "Ben wins"),
        (where.event(0, 99), "deal 4"),
    ]
    assert [word(span.line, span.column, span.end_column) for span, _ in spans] == [text for _, text in spans]
