"""The proof of `conquian force`: what shows the answer, decided twice. Needs the solver; nothing else of `force` does.

Of a yes, the clause that permits the demand, a layout of the table with the card, and what every card to throw
leads to. Of a no, the fewest clauses that rule a demand out at every moment of the offer. Of an unknown, what is
missing, with one completion for each answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conquian.engine.engine import Engine
from conquian.engine.melds import Layout
from conquian.engine.state import State
from conquian.forcing import due, forced, moments, subject
from conquian.outs import Budget, after_melding, by_rank, melds_of_layout, winning_cards, winning_pairs
from conquian.position import Rules
from conquian.questions import Question, in_notation, table_text
from conquian.tongue import tell
from conquian.verifier.limits import STEPS_A_TABLE

Case = tuple[tuple[object, ...], State]
"""A way to complete a position: (table, origin, stock), and the state."""
PARTS = ("table", "turned_by", "stock")
TURNED = ("me", "opponent", "starter")


class GaveUp(Exception):
    """The budget was used up before the proof was certain."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        super().__init__(f"undecided within a budget of {budget}")


def proof(
    asked: Question,
    cases: Sequence[Case],
    seat: int,
    answer: str,
    depends: Sequence[str],
    rules: str,
    budget: int,
) -> dict[str, Any]:
    """The proof of an answer that stands for all cases, or depends on some parts; GaveUp if the budget is too small.

    `rules` is what the rules were loaded by, empty for those of a transcript.
    """
    from conquian.verifier.moment import TooLarge

    try:
        return _proof(asked, cases, seat, answer, depends, rules or asked.rules.engine.program.name, budget)
    except TooLarge:
        raise GaveUp(budget) from None


def _proof(
    asked: Question,
    cases: Sequence[Case],
    seat: int,
    answer: str,
    depends: Sequence[str],
    rules: str,
    budget: int,
) -> dict[str, Any]:
    engine, (_, given) = asked.rules.engine, subject(asked)
    if answer == "unknown":
        found = {name: forced(engine, case, seat, ()).when is not None for name, case in cases}
        return proof_of_unknown(engine, found, depends)
    if answer == "yes":
        moment = next(m for _, m in moments(engine, given, seat) if due(engine, m, seat) is not None)
        after = due(engine, moment, seat)
        assert after is not None
        return proof_of_yes(asked, moment, after, seat, rules, budget)
    team = engine.partners[seat]

    def is_given(case: State) -> bool:
        same = all(case.tables[s] == given.tables[s] for s in team)
        return same and case.at == given.at and case.stock == given.stock

    every = [(m, is_given(case)) for _, case in cases for _, m in moments(engine, case, seat)]
    return proof_of_no(asked, every, seat, rules, budget)


# ---- yes


def proof_of_yes(
    asked: Question, moment: State, after: State, seat: int, rules: str, budget: int
) -> dict[str, Any]:
    """The demand that is due at a moment, and what follows for the player who has to meld in `after`.

    {"answer", "demand": {"clause", "sentence"}, "layout", "checked": ["solver", "engine", "checker"], "follows"}
    """
    from conquian.verifier.forced import prove_forceable
    from conquian.verifier.limits import Undecided
    from conquian.whys import typed_rules

    found = prove_forceable(asked.rules, asked.position.players, moment, seat, typed_rules(rules), budget)
    if isinstance(found, Undecided):
        raise GaveUp(budget)
    permission = found.permission
    layout = found.layout
    return {
        "answer": "yes",
        "demand": None
        if permission is None
        else {"clause": _passage(permission.clause, permission.passages), "sentence": permission.sentence},
        "layout": None if layout is None else _shown(asked.rules.engine, layout),
        "checked": ["solver", "engine", *(["checker"] if layout is not None else [])],
        "follows": _follows(asked, after, seat, budget) if asked.hand_known else None,
    }


def _follows(asked: Question, after: State, seat: int, budget: int) -> list[dict[str, Any]]:
    """By card thrown: the cards that then win at once, and the pairs of cards that win one after the other.

    Every winning table is a claim that the checker accepts. `thrown` is null where the rules ask for no discard.
    """
    from conquian.outs import Undecided

    engine = asked.rules.engine
    place = {card: i for i, card in enumerate(by_rank(engine))}
    tables = Budget(max(budget // STEPS_A_TABLE, 1))
    ones: dict[str | None, dict[str, Layout]] = {}
    twos: dict[str | None, dict[tuple[str, str], tuple[Layout, Layout]]] = {}
    try:
        for _, thrown in after_melding(engine, after, seat, tables):
            for card, then in thrown:
                gone = () if card is None else (card,)
                for out, layout in winning_cards(engine, then, seat, tables, gone).items():
                    ones.setdefault(card, {}).setdefault(out, layout)
                ones.setdefault(card, {})
                pairs = twos.setdefault(card, {})
                for pair in winning_pairs(engine, then, seat, tables):
                    if card not in (pair.first, pair.then) or engine.pack.copies > 1:
                        pairs.setdefault((pair.first, pair.then), pair.layouts)
    except Undecided:
        raise GaveUp(budget) from None
    singles = (layout for found in ones.values() for layout in found.values())
    doubles = (layout for pairs in twos.values() for found in pairs.values() for layout in found)
    for layout in dict.fromkeys((*singles, *doubles)):
        _accepted(asked.rules, layout)
    return [
        {
            "thrown": card,
            "wins": [
                {"card": out, "layout": melds_of_layout(engine, ones[card][out])}
                for out in sorted(ones[card], key=place.__getitem__)
            ],
            "pairs": [
                {"cards": list(pair), "layouts": [melds_of_layout(engine, x) for x in twos[card][pair]]}
                for pair in sorted(twos[card], key=lambda pair: (place[pair[0]], place[pair[1]]))
            ],
        }
        for card in sorted(ones, key=lambda card: -1 if card is None else place[card])
    ]


def _accepted(rules: Rules, layout: Layout) -> None:
    """The checker accepts a table; Disagreement if it does not."""
    from conquian.verifier.checker import LayoutCertificate, problems
    from conquian.verifier.limits import Disagreement

    engine = rules.engine
    program, names = engine.program, engine.pack.names
    melds = tuple(tuple(names(meld)) for meld in layout)
    cards = tuple(card for meld in melds for card in meld)
    readings = tuple(engine.readings.items())
    wrong = problems(LayoutCertificate(program.name, program.digest, readings, cards, melds), program)
    if wrong:
        raise Disagreement(wrong[0])


def _shown(engine: Engine, layout: Sequence[Sequence[str]]) -> list[list[str]]:
    return melds_of_layout(engine, tuple(engine.pack.packed(meld) for meld in layout))


def _passage(name: str, passages: Sequence[str]) -> str:
    return passages[0] if passages else name


# ---- no


def proof_of_no(
    asked: Question, offered: Sequence[tuple[State, bool]], seat: int, rules: str, budget: int
) -> dict[str, Any]:
    """The fewest clauses that rule a demand out at all of the moments; each says whether the position gives it.

    {"answer", "core", "clauses", "facts", "needs", "but_for", "checked": ["solver", "second solver", "exhaustion"]}
    """
    from conquian.verifier.forced import Moment, prove_not_forceable
    from conquian.verifier.limits import Undecided
    from conquian.whys import fields, typed_rules

    found = prove_not_forceable(
        asked.rules,
        asked.position.players,
        [Moment(state, given) for state, given in offered],
        seat,
        typed_rules(rules),
        budget,
    )
    if isinstance(found, Undecided):
        raise GaveUp(budget)
    return {"answer": "no", **fields(found), "checked": ["solver", "second solver", "exhaustion"]}


# ---- unknown


def proof_of_unknown(
    engine: Engine, found: Mapping[tuple[object, ...], bool], depends: Sequence[str]
) -> dict[str, Any]:
    """What the position leaves out: for each part two completions that differ in it alone, one for each answer.

    {"answer", "missing": [{"part", "yes": {"table", "turned_by", "stock"}, "no": {…}}]}
    """
    missing = []
    for part in depends:
        i = PARTS.index(part)
        pairs = (
            (one, two)
            for one in found
            for two in found
            if found[one] and not found[two] and all(one[j] == two[j] for j in range(len(PARTS)) if j != i)
        )
        yes, no = next(pairs)
        missing.append({"part": part, "yes": _completion(engine, yes), "no": _completion(engine, no)})
    return {"answer": "unknown", "missing": missing}


def _completion(engine: Engine, case: tuple[object, ...]) -> dict[str, Any]:
    table, origin, stock = case
    assert isinstance(table, tuple) and isinstance(origin, int)
    return {"table": melds_of_layout(engine, table), "turned_by": TURNED[origin], "stock": stock}


# ---- for people


def proof_lines(asked: Question, proof: Mapping[str, Any]) -> list[str]:
    """The proof in words."""
    from conquian.whys import lines

    def cards(names: Sequence[str]) -> str:
        return " ".join(in_notation(asked.notation, names))

    match proof["answer"]:
        case "yes":
            found = [tell("proved")]
            if proof["demand"]:
                found = [tell("proved: {sentence}", sentence=proof["demand"]["sentence"])]
            if proof["layout"] is not None:
                table = table_text(asked.notation, proof["layout"])
                found.append(tell("proved: the table can be {melds}", melds=table))
            for row in proof["follows"] or ():
                act = tell("melded on demand")
                if row["thrown"] is not None:
                    act = tell("melded on demand, with {card} thrown", card=cards([row["thrown"]]))
                for win in row["wins"]:
                    table = table_text(asked.notation, win["layout"])
                    card = cards([win["card"]])
                    found.append(tell("{act}: {card} wins with {melds}", act=act, card=card, melds=table))
                for pair in row["pairs"]:
                    first, then = pair["cards"]
                    table = table_text(asked.notation, pair["layouts"][1])
                    found.append(
                        tell(
                            "{act}: {first}, then {then} wins with {melds}",
                            act=act,
                            first=cards([first]),
                            then=cards([then]),
                            melds=table,
                        )
                    )
                if not row["wins"] and not row["pairs"]:
                    found.append(tell("{act}: no card and no two cards win", act=act))
            return found
        case "no":
            return lines(proof, lambda names: in_notation(asked.notation, names), demanded=True)
        case _:
            found = []
            for part in proof["missing"]:
                said = {name: _said(asked, part["part"], part[name]) for name in ("yes", "no")}
                found.append(
                    tell("{part} is missing: yes with {yes}, no with {no}", part=part["part"], **said)
                )
            return found


def _said(asked: Question, part: str, completion: Mapping[str, Any]) -> str:
    value = completion[part]
    if part == "table":
        return table_text(asked.notation, value) or tell("no melds")
    return str(value)
