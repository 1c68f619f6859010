"""The rule book holds every clause with its source, its examples are judged again, and two sides differ as `diff` says.

CONQUIAN_FULL=1 in the environment looks for the examples of every shipped set; without it, of one set twice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from conquian.book import contents
from conquian.book.contents import Book, Side, book
from conquian.book.example import Example
from conquian.book.markdown import code, escaped, fenced, markdown
from conquian.book.matches import Deals
from conquian.book.page import page
from conquian.book.telling import marked
from conquian.differing import differences, named
from conquian.engine.sets import rule_sets
from conquian.language import clauses as c
from conquian.language.build import load as load_rules
from conquian.position import Position, load
from tests.cli.running import run

from .looking import Node, addresses, html

SETS = rule_sets() if os.environ.get("CONQUIAN_FULL") else ["swedish"]
NASTY = "<script>alert(1)</script> `a` *b* | # [c](d) & 'e'"
HOUSE = f"""ruleset house "{NASTY}"
extends swedish
source hs "House {NASTY}" in "house.txt"

override clause new-meld "{NASTY}"
  cite hs.one
  code new-meld
  player may not meld when new-meld is two-from-hand and no n in after: up in n and size(n & used) >= 2
"""


@pytest.fixture(scope="module")
def one(two: Book) -> Book:
    return replace(two, sides=two.sides[:1], compared={})


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """No solver looks for acts."""

    class Blind:
        def __init__(self, *_: object) -> None:
            pass

        def of(self, _: object) -> None:
            return None

    monkeypatch.setattr(contents, "Acts", Blind)


def examples(side: Side) -> Iterator[tuple[str, Example]]:
    for name, entry in side.entries.items():
        if entry.example is not None:
            yield name, entry.example


def articles(text: str) -> dict[str, Node]:
    return {node.attributes["id"]: node for node in html(text).all("article")}


# ---- every clause


@pytest.mark.parametrize("name", rule_sets())
def test_every_clause_of_every_set_is_in_its_book_with_its_source(name: str, blind: None) -> None:
    made = book((named(name),))
    found, text = articles(page(made)), markdown(made)
    rules = load_rules(name)
    for clause in rules.clauses:
        said = found[f"clause-{clause.name}"].text
        assert clause.sentence in said
        assert f"\n### {clause.name}\n" in text and f"**{escaped(clause.sentence)}**" in text
        for passage in clause.cites:
            source = rules.source_of(passage)
            assert passage in said and (source is None or source.title in said)
            assert code(passage) in text
    for reading in rules.readings:
        said = found[f"reading-{reading.name}"].text
        assert reading.question in said and reading.because in said
        assert f"{load(name).readings[reading.name]} (chosen)" in said
        assert all(choice in said for choice in reading.choices)
    assert len(found) == len(rules.clauses) + len(rules.readings)


def test_the_formula_of_a_clause_is_the_body_that_the_rule_file_has(one: Book) -> None:
    formula = articles(page(one))["clause-use-offer"].one("pre").text
    assert formula == "player may not meld when no n in after: up in n"


# ---- examples


def test_every_clause_about_acts_melds_or_play_has_an_example(one: Book) -> None:
    for entry in one.sides[0].entries.values():
        shown = isinstance(
            entry.clause.body, c.Modal | c.Must | c.Shape | c.Goal | c.Wins | c.Phase | c.Order
        )
        assert (entry.example is not None) or not shown, entry.clause.name
        shows = [entry.example is not None, entry.shown is not None, bool(entry.why_none)]
        not_done = isinstance(entry.clause.body, c.Starter | c.Exchange) and entry.example is None
        assert shows.count(True) == (0 if not_done else 1), entry.clause.name


@pytest.mark.parametrize("name", SETS)
def test_examples_are_judged_alike_by_rules_that_are_loaded_anew(name: str, one: Book) -> None:
    side = one.sides[0] if name == "swedish" else book((named(name),)).sides[0]
    for clause, example in examples(side):
        rules = load(name, dict(example.readings))
        here = Position(rules, example.here.state.copy(), example.here.players)
        if example.event is None:
            continue
        refusal = here.check(example.event)
        assert (refusal is None) is (example.refusal is None), clause
        body = side.entries[clause].clause.body
        forbids = isinstance(body, c.Must) or (isinstance(body, c.Modal) and not body.allowed)
        assert (refusal is not None) is forbids or isinstance(body, c.Phase), clause
        if refusal is not None and forbids:
            assert refusal.clause is not None
            assert rules.engine.program.clauses[refusal.clause].name == clause
        if isinstance(body, c.Goal | c.Wins):
            assert here.apply(example.event).phase == "won"


def test_an_act_that_a_clause_decides_is_judged_otherwise_under_a_rule_file_that_drops_it(
    one: Book, tmp_path: Path
) -> None:
    tried = 0
    for clause, example in examples(one.sides[0]):
        body = one.sides[0].entries[clause].clause.body
        if not (isinstance(body, c.Modal) and example.decides and not example.way):
            continue
        file = tmp_path / f"without-{clause}.rules"
        file.write_text(f'ruleset w-{clause} "Without"\nextends swedish\ndrop {clause}\n', encoding="utf-8")
        hand = example.here.hand("me")[0]
        verdicts = {
            load(str(file), dict(example.readings))
            .position(up=example.here.up, table=example.here.table("me"), hand=hand, turned_by=own)
            .can(example.event)
            for own in (None, "me")
            if example.event is not None
        }
        assert (example.refusal is not None) in verdicts, clause
        tried += 1
    assert tried >= 5


def test_small_tables_are_shown(one: Book) -> None:
    for clause, example in examples(one.sides[0]):
        if isinstance(one.sides[0].entries[clause].clause.body, c.Modal):
            cards = len(example.here.hand("me")[0]) + sum(map(len, example.here.table("me")))
            assert cards <= 12, clause


def test_a_position_of_the_book_can_be_asked_about_on_the_command_line(one: Book) -> None:
    example = one.sides[0].entries["new-meld"].example
    assert example is not None and example.event is not None and example.here.up is not None
    table = ", ".join(" ".join(meld) for meld in example.here.table("me"))
    melds = ", ".join(" ".join(meld) for meld in example.event[2])
    asked = ["legal", "--rules", "swedish", "--up", example.here.up, "--table", table, "--format", "json"]
    done = run(*asked, "--hand", " ".join(example.here.hand("me")[0]), "--meld", melds)
    assert done.data["legal"] is False and done.data["code"] == "new-meld"


# ---- two sides


def test_two_sides_differ_where_diff_says_so(two: Book) -> None:
    found = differences(named("swedish"), named("swedish?new-meld=any"))
    assert marked(two) == list(dict.fromkeys(x.name for x in found.found)) == ["new-meld"]
    for name, compared in two.compared.items():
        shown = [x for x in found.found if x.name == name and x.status == "position"]
        assert [(x.event, x.after) for x in shown] == [
            (parted.shown.event, parted.shown.way) for parted in compared.parted
        ]


def test_positions_that_part_two_sides_are_judged_again(two: Book) -> None:
    words = {
        side.word: load(side.word.partition("?")[0], dict(side.named.rules.readings)) for side in two.sides
    }
    parted = [one for compared in two.compared.values() for one in compared.parted]
    assert parted
    for one in parted:
        assert one.shown.event is not None
        state, players = one.shown.here.state, one.shown.here.players
        assert Position(words[one.allows], state.copy(), players).can(one.shown.event)
        assert not Position(words[one.forbids], state.copy(), players).can(one.shown.event)


def test_what_differs_is_marked_and_what_is_alike_stands_once(two: Book) -> None:
    found = articles(page(two))
    assert "They differ" in found["clause-new-meld"].text
    assert "Where they part" in found["clause-new-meld"].text
    assert "differs" in found["clause-new-meld"].attributes["class"].split()
    assert "Read differently" in found["reading-new-meld"].text
    assert "The same in both" in found["clause-use-offer"].text
    assert len(list(found["clause-use-offer"].all("pre"))) == 1
    text = markdown(two)
    assert "They differ in 1 clause: `new-meld`." in text
    assert text.count("#### Where they part") == 1


def test_a_clause_that_only_one_side_has_says_so(blind: None) -> None:
    made = book((named("swedish"), named("classic")))
    assert "Only in classic" in articles(page(made))["clause-cut"].text
    assert "Says nothing of it." in articles(page(made))["clause-cut"].text
    names = {name for _, chapter in made.chapters for name in chapter}
    assert names == {x.name for side in made.sides for x in side.typed.clauses}
    assert {"starter", "opening", "dealing", "runs", "new-meld", "arranging", "stakes", "cut"} <= {
        *marked(made)
    }
    assert "seats" not in marked(made)


# ---- the page and the text


@pytest.fixture(params=["one", "two"])
def text(request: pytest.FixtureRequest) -> str:
    made: Book = request.getfixturevalue(request.param)
    return page(made)


def test_a_book_is_one_document_with_landmarks_and_headings_in_order(text: str) -> None:
    assert text.startswith("<!DOCTYPE html>\n")
    body = html(text).one("html").one("body")
    kinds = [node.tag for node in body.children if node.tag not in ("a", "svg")]
    assert kinds == ["header", "nav", "main", "footer"]
    levels = [int(node.tag[1]) for node in body.all() if re.fullmatch(r"h[1-6]", node.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for node in [*body.all("nav"), *body.all("section"), *body.all("article"), *body.all("pre")]:
        if node.tag == "pre":
            node = node.one("code")
            continue
        assert node.attributes.get("aria-labelledby")


def test_ids_of_a_book_are_unique_and_every_reference_leads_to_one(text: str) -> None:
    root = html(text)
    ids = [node.attributes["id"] for node in root.all() if "id" in node.attributes]
    assert len(set(ids)) == len(ids)
    for node in root.all():
        assert set(node.attributes.get("aria-labelledby", "").split()) <= set(ids)
        if "href" in node.attributes:
            assert node.attributes["href"].removeprefix("#") in ids


def test_a_book_needs_nothing_but_itself_and_runs_nothing(text: str) -> None:
    assert all(address.startswith("#") for address in addresses(text) if isinstance(address, str))
    assert not re.search(r"<script|<link|<iframe|<img|<object|<form|@import|url\(|\son[a-z]+=", text)
    assert set(re.findall(r"[a-z]+://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    (policy,) = [m.attributes["content"] for m in html(text).all("meta") if "http-equiv" in m.attributes]
    assert policy.startswith("default-src 'none';") and "script-src" not in policy


def test_every_example_is_pictured_with_words_for_those_who_do_not_see_it(one: Book) -> None:
    shown = [entry.shown for entry in one.sides[0].entries.values() if entry.shown is not None]
    tables = sum(isinstance(x, Deals) for x in shown)
    figures = list(html(page(one)).all("figure"))
    assert tables >= 5
    assert len(figures) == len({id(example) for _, example in examples(one.sides[0])}) + len(shown)
    for figure in figures:
        if list(figure.all("table")):
            assert figure.one("caption").text and figure.one("figcaption").text.strip()
            tables -= 1
            continue
        assert figure.one("svg").one("title").text and figure.one("svg").one("desc").text
        assert [x.text.strip() for x in figure.all("figcaption")] != [""]
    assert tables == 0
    drawn = len(figures) - sum(isinstance(x, Deals) for x in shown)
    assert markdown(one).count("```text") == drawn


def test_the_same_book_gives_the_same_bytes(two: Book, one: Book) -> None:
    assert page(two) == page(two) and markdown(one) == markdown(one)


def test_what_rule_files_say_becomes_no_markup(blind: None, tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    file.write_text(HOUSE, encoding="utf-8")
    made = book((named(str(file)),))
    written = page(made)
    assert "<script" not in written and NASTY in articles(written)["clause-new-meld"].text
    text = markdown(made)
    assert not re.search(r"(?<!\\)<script", text) and "[c](d)" not in text and escaped(NASTY) in text


def test_no_text_can_leave_its_place_in_markdown() -> None:
    assert escaped("a\n# b") == "a \\# b"
    assert escaped("1. a") == "1\\. a" and escaped("- a") == "\\- a"
    assert escaped("<b>*x*`y`") == "\\<b\\>\\*x\\*\\`y\\`"
    assert fenced("a\n```\nb").startswith("````\n") and fenced("a\n```\nb").endswith("\n````")
    assert code("a`b") == "`` a`b ``"


# ---- the command


def test_the_command_writes_the_form_that_is_asked_for_or_that_the_ending_says(
    blind: None, tmp_path: Path
) -> None:
    for name, start in (("b.html", "<!DOCTYPE html>"), ("b.md", "# "), ("b", "<!DOCTYPE html>")):
        done = run("book", "swedish", "-o", str(tmp_path / name))
        assert (done.status, done.out, done.err) == (0, "", "")
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert run("book", "swedish", "--format", "md").out == (tmp_path / "b.md").read_text(encoding="utf-8")


def test_a_reading_of_the_command_holds_for_the_book(blind: None) -> None:
    chosen = run("book", "swedish", "--reading", "new-meld=any", "--format", "md")
    assert "Read with: `new-meld=any`" in chosen.out
    assert "**any** (chosen)" in chosen.out
    same = run("book", "swedish?new-meld=any", "--format", "md")
    assert (
        same.out.replace("swedish?new-meld=any", "swedish").replace("swedish\\?new-meld=any", "swedish")
        == chosen.out
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere"),
        (["swedish", "classic", "coonking"], "not of 3"),
        (["swedish", "swedish"], "named twice"),
        (["swedish", "--format", "pdf"], "--format pdf is not known here"),
        (["swedish", "--reading", "new-meld=some"], "some"),
        (["swedish?x"], "is not READING=CHOICE"),
        (["common"], "fragment"),
        (["swedish", "--budget", "0"], "budget of 0"),
        (["swedish", "--cards", "latin"], "latin"),
    ],
)
def test_what_cannot_be_made_says_why(arguments: list[str], said: str, blind: None) -> None:
    done = run("book", *arguments)
    assert done.status == 2 and said in done.err and done.out == ""


def test_a_book_does_not_take_the_place_of_its_rules(blind: None, tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    file.write_text(HOUSE, encoding="utf-8")
    assert run("book", str(file), "-o", str(file)).status == 2
    assert file.read_text(encoding="utf-8") == HOUSE
