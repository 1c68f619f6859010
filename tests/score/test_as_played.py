"""`conquian score --as-played`: a deal in which an illegal act stood counts as it was played, and the ledger says so.

What deals come to is worked out by hand: in swedish the loser pays one unit, after a draw two.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.cli.running import run

from .telling import exhausted, in_one_act, told

HEAD = "rules: swedish\nplayers: Ana, Ben\n\n"
# Ana turns a card, and lays two cards of it that are no meld; Ben goes on. It stood.
SLIP = "{first} turns 2c; melds 2c 4c; discards Kd\n{second} passes; turns 3s\n"
LAID = "3c 3d 3h 3s, 6h 7h Jh Qh, 5s 6s 7s"
WON = "{second} holds 3c 3d 3h 6h 7h Jh Qh 5s 6s 7s\n" + SLIP + "{second} melds " + LAID + "\n"


def slipped(deal: str, first: str = "Ana", second: str = "Ben") -> str:
    return deal.format(first=first, second=second)


def scored(text: str, *more: str) -> Any:
    return run("score", "-", "--format", "json", *more, given=text).data


def units(text: str, *more: str) -> dict[str, tuple[int, int]]:
    players = scored(text, *more)["players"]
    return {name: (one["units"], one["wins"]) for name, one in players.items()}


def test_a_deal_in_which_an_act_stood_counts_only_if_that_is_asked_for() -> None:
    text = HEAD + slipped(WON)
    assert units(text) == {"Ana": (0, 0), "Ben": (0, 0)}
    assert units(text, "--as-played") == {"Ana": (-1, 0), "Ben": (1, 1)}
    deal = {"number": 1, "winner": "Ben", "payments": {"Ana": -1, "Ben": 1}, "as_played": True}
    assert scored(text, "--as-played")["deals"] == [deal]
    assert scored(text)["deals"] == [{"number": 1, "winner": None, "payments": {"Ana": 0, "Ben": 0}}]


def test_the_ledger_says_so_in_text_and_in_csv() -> None:
    text = HEAD + "deal 1\n" + slipped(WON) + "\ndeal 2\n" + in_one_act("swedish", "Ben")
    done = run("score", "-", "--as-played", given=text)
    assert done.status == 1  # a rule was broken all the same
    assert done.out == (
        "-: swedish\n"
        "  deal  dealer  result               Ana  Ben  pot\n"
        "     1  Ben     Ben wins, as played   -1   +1    0\n"
        "     2  Ana     Ben wins              -1   +1    0\n"
        "                units                 -2   +2    0\n"
        "                wins                   0    2\n"
        "Next to deal: Ben.\n"
        "note: deal 1: the deal breaks a rule (invalid-meld at event 1); nobody objected, and it counts as it was played"
        " (as-played; line 4)\n"
    )
    rows = list(
        csv.DictReader(io.StringIO(run("score", "-", "--as-played", "--format", "csv", given=text).out))
    )
    assert [(row["result"], row["payment"], row["as_played"]) for row in rows] == [
        ("Ben wins, as played", "-1", "1"),
        ("Ben wins, as played", "1", "1"),
        ("Ben wins", "-1", "0"),
        ("Ben wins", "1", "0"),
    ]
    assert "as_played" not in run("score", "-", "--format", "csv", given=text).out


def test_games_without_an_irregularity_come_to_the_same_either_way() -> None:
    for rules in ("classic", "coonking", "swedish"):
        text = told(rules, "first drawn second rummy open misdeal")
        assert scored(text, "--as-played") == scored(text)


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        # Ana's hand is known, and has no king of clubs.
        ("Ana holds 2d 3d 4d 5d 6d 7d Jd Qd Kd Ad\nAna turns 5c; passes\nBen passes\nAna discards Kc\n",
         "cannot be taken as it was played"),
        (slipped(SLIP), "was not played to its end"),
        (slipped(WON) + "Ana wins\n", "does not end as the record says"),
        (slipped(SLIP) + "broken off\n", "as the players ended it, it does not count under these readings"),
    ],
)  # fmt: skip
def test_a_deal_that_cannot_count_as_played_says_why(deal: str, said: str) -> None:
    found = scored(HEAD + deal, "--as-played")
    assert found["players"] == {"Ana": {"units": 0, "wins": 0}, "Ben": {"units": 0, "wins": 0}}
    (note,) = found["notes"]
    assert note["code"] == "not-counted" and said in note["message"]


def test_what_players_end_after_an_irregularity_counts_as_a_reading_says() -> None:
    conceded = HEAD + slipped(SLIP) + "Ana concedes\n"
    assert units(conceded, "--as-played") == {"Ana": (-1, 0), "Ben": (1, 1)}
    assert units(conceded, "--as-played", "--reading", "concession=void") == {"Ana": (0, 0), "Ben": (0, 0)}
    stopped = HEAD + "deal 1\n" + slipped(SLIP) + "broken off\n\ndeal 2\n" + in_one_act("swedish", "Ben")
    assert units(stopped, "--as-played") == {"Ana": (-1, 0), "Ben": (1, 1)}
    # Settled as a drawn deal, it makes the next one count as two.
    drawn = units(stopped, "--as-played", "--reading", "breaking-off=drawn")
    assert drawn == {"Ana": (-2, 0), "Ben": (2, 1)}


def test_a_wrong_claim_alone_is_no_act_that_stood() -> None:
    text = told("swedish", "claimed")
    assert scored(text, "--as-played") == scored(text)


def test_a_match_can_be_over_as_it_was_played() -> None:
    text = HEAD + "deal 1\n" + slipped(WON) + "\ndeal 2\n" + in_one_act("swedish", "Ben")
    assert scored(text, "--match", "wins=1")["deals"][1]["winner"] == "Ben"
    over = scored(text, "--match", "wins=1", "--as-played")
    assert over["over"] is True and over["players"]["Ben"] == {"units": 1, "wins": 1}
    assert [note["code"] for note in over["notes"]] == ["as-played", "after-session"]


def test_who_deals_next_follows_the_deal_as_it_was_played() -> None:
    # Ben passes a card that is Ana's first; then nobody wants a card: drawn, and under `replay` the same player deals.
    starter, *rest = exhausted("classic", "Ana", "Ben").splitlines()
    assert rest[0] == "Ana passes"
    text = "\n".join(["rules: classic", "players: Ana, Ben", "", "deal 1", starter, "Ben passes", *rest, ""])
    replay = ("--reading", "draw-settlement=replay")
    assert scored(text, *replay)["dealer_next"] == "Ana"
    found = scored(text, *replay, "--as-played")
    assert (found["dealer_next"], found["deals"][0]["as_played"], found["pot"]) == ("Ben", True, 2)
    # The judgement of the next deal agrees on who is first in it.
    more = f"{text}\ndeal 2\nstarter 2c\nAna passes\n"
    for as_played, verdict in (((), "invalid"), (("--as-played",), "unfinished")):
        judged = run("validate", "-", "--format", "json", *replay, *as_played, given=more).data[0]["deals"]
        assert [deal["verdict"] for deal in judged] == ["invalid", verdict]


def test_jsonl_has_the_key_too() -> None:
    line = run("score", "-", "--as-played", "--format", "jsonl", given=HEAD + slipped(WON)).out
    assert json.loads(line)["deals"][0]["as_played"] is True
