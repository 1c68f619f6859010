"""What the tests of transcripts share: the contract's example in both forms, and games of any shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import strategies as st

from conquian.cards import CARDS, NOTATIONS, Held
from conquian.transcript.canonical import canonical
from conquian.transcript.model import Claim, Deal, Game, Match

EXAMPLE = """\
rules: swedish
players: Ana, Ben
dealer: Ben
date: 2026-11-28
event: Club evening

deal 1
Ana holds Jh Jd 6c 7c 3d 4d Ks As 2h 6s   # ten cards; fewer, or '?', leaves the rest unknown
Ben holds ?
Ana turns 5c; melds 5c 6c 7c; discards Ks  # ';' carries the player on
Ben passes; turns 2d; passes
Ana melds 2d 3d 4d; discards As
Ben passes; turns Jc; passes
Ben forces                                 # a demand on the player who has the card on offer
Ana melds 5c 6c 7c Jc; discards 2h
"""

DOCUMENT = """
{"format": "conquian/1", "rules": "swedish", "readings": {},
 "players": ["Ana", "Ben"], "dealer": "Ben", "match": null, "cards": "french",
 "tags": {"date": "2026-11-28", "event": "Club evening"},
 "deals": [{"number": 1,
   "hands": {"Ana": ["Jh","Jd","6c","7c","3d","4d","Ks","As","2h","6s"], "Ben": []},
   "events": [
     ["Ana", "turns", "5c"], ["Ana", "melds", [["5c","6c","7c"]]], ["Ana", "discards", "Ks"],
     ["Ben", "passes"], ["Ben", "turns", "2d"], ["Ben", "passes"],
     ["Ana", "melds", [["2d","3d","4d"]]], ["Ana", "discards", "As"],
     ["Ben", "passes"], ["Ben", "turns", "Jc"], ["Ben", "passes"], ["Ben", "forces"],
     ["Ana", "melds", [["5c","6c","7c","Jc"]]], ["Ana", "discards", "2h"]],
   "comments": [[0, "ten cards; fewer, or '?', leaves the rest unknown"], [0, "';' carries the player on"],
     [11, "a demand on the player who has the card on offer"]],
   "claim": null}]}
"""


@pytest.fixture(scope="session")
def example() -> str:
    """The contract's example as text."""
    return EXAMPLE


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The contract's example as JSON."""
    found: dict[str, Any] = json.loads(DOCUMENT)
    return found


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_odd_texts = st.sampled_from(
    [
        '# "; {}',
        "a # b",
        'say "ho"',
        "\\",
        " x ",
        "",
        "?",
        "a\nb",
        "\t",
        "\0",
        "♣ 漢",
        "Ana: passes",
        "\u00a0x",
    ]
)
_names = st.one_of(
    st.sampled_from(
        [
            "Ana",
            "Ben",
            "and",
            "objects",
            "broken",
            "O'Neil",
            "to",
            "Turns",
            "12.",
            "7s",
            "Ana Lee",
            'a"b',
            "Zoë",
            "漢字",
            "x:y",
        ]
    ),
    _texts.filter(bool),
)
_keys = st.one_of(st.sampled_from(["date", "Date", "rules", "round no", "deck", "to go", "x:y", "#"]), _texts)
_values = st.one_of(_texts, _odd_texts)
_cards = st.sampled_from(CARDS)
_held: st.SearchStrategy[Held] = st.sampled_from((*CARDS, "?"))
_melds = st.lists(_cards, min_size=1, max_size=4).map(tuple)
_numbers = st.integers(0, 999_999_999)


def _events(players: tuple[str, ...]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(players)
    agreed = st.lists(names, min_size=2, max_size=len(players), unique=True) if len(players) > 1 else None
    more = [] if agreed is None else [agreed.map(lambda who: (who[0], "agrees", *who[1:]))]
    return st.one_of(
        *more,
        st.tuples(names, st.sampled_from(["turns", "discards"]), _cards),
        st.tuples(names, st.sampled_from(["passes", "forces", "objects", "concedes"])),
        st.tuples(names, st.sampled_from(["melds", "arranges"]), st.lists(_melds, max_size=3).map(tuple)),
        st.tuples(names, st.just("forces"), _cards, _melds),
        st.tuples(names, st.just("gives"), _held, names),
    )


@st.composite
def _games(draw: st.DrawFn) -> Game:
    players = tuple(draw(st.lists(_names, min_size=1, max_size=4, unique=True)))
    names = st.sampled_from(players)
    numbers = sorted(draw(st.lists(st.integers(1, 50), max_size=3, unique=True)))
    deals = []
    for number in numbers:
        events = tuple(draw(st.lists(_events(players), max_size=6)))
        held = st.lists(_held, max_size=4).map(tuple)
        deal = Deal(
            number=number,
            hands=draw(st.none() | st.dictionaries(names, st.none() | held)),
            hand_sizes=draw(st.none() | st.dictionaries(names, _numbers)),
            cut=draw(st.none() | st.dictionaries(names, _cards)),
            deck=draw(st.none() | held),
            stock=draw(st.none() | held),
            starter=draw(st.none() | _cards),
            events=events,
            comments=draw(st.none() | st.lists(st.tuples(st.integers(0, len(events)), _values)).map(tuple)),
            claim=draw(
                st.sampled_from([None, Claim(drawn=True), Claim(broken_off=True)])
                | names.map(lambda name: Claim(winner=name))
            ),
        )
        deals.append(deal)
    game = Game(
        format="conquian/1",
        rules=draw(st.sampled_from([None, "swedish", "classic-52"])),
        readings=draw(st.none() | st.dictionaries(_values, _values, max_size=3)),
        players=players,
        dealer=draw(st.none() | names),
        match=draw(st.sampled_from([None, Match(wins=10), Match(units=100)])),
        cards=draw(st.sampled_from(NOTATIONS)),
        tags=draw(st.none() | st.dictionaries(_keys, _values, max_size=4)),
        deals=tuple(deals),
    )
    return canonical(game)


@pytest.fixture(scope="session")
def games() -> st.SearchStrategy[Game]:
    """Canonical games with anything in them that a transcript can hold, sense or nonsense."""
    return _games()
