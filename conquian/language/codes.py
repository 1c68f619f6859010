"""The stable codes: of violations, in the order in which they are reported, and of findings in rule files."""

from __future__ import annotations

from conquian.tongue import mark

SETUP_CODES = ("players", "not-in-deck", "misdeal", "no-starter", "card-elsewhere")

EVENT_CODES = (
    "not-in-deck",
    "game-over",
    "exchange",
    "no-force-due",
    "not-your-turn",
    "forced",
    "offer-open",
    "wrong-action",
    "stock-mismatch",
    "card-elsewhere",
    "no-offer",
    "no-discard-due",
    "arranging",
    "card-twice",
    "table-card-missing",
    "arranging",
    "offer-not-used",
    "not-in-hand",
    "invalid-meld",
    "hand-only-melds",
    "borrowing",
    "forced",
    "new-meld",
)
"""The order of the contract's table; a code that stands twice is reported at the earlier or later place."""

TABLE_CODES = ("no-objection-due", "not-agreed", "conceding")
"""Of what is said at the table; an extension of the contract's table, for events that it does not have."""

CLAUSE_CODES = frozenset({*EVENT_CODES, "wrong-result"})

RULE_CODES: dict[str, str] = {
    "CQ101": "a word or sign that cannot stand where it stands",
    "CQ102": "a text that is not closed on its line",
    "CQ103": "a file without `ruleset` or `fragment`, or with two",
    "CQ104": "a number out of range",
    "CQ105": "a word that names no place or origin",
    "CQ106": "a file, item or condition that is too large or too deep",
    "CQ201": "an unknown name in a condition",
    "CQ202": "a passage that `sources.md` does not list",
    "CQ203": "a source that no file declares, or one declared twice",
    "CQ204": "the same name given twice",
    "CQ205": "a rule set to extend that does not exist",
    "CQ206": "rule sets that extend each other in a circle",
    "CQ207": "an unknown reading or choice",
    "CQ208": "a clause or reading without a source",
    "CQ209": "a definition, reading or phase that nothing uses",
    "CQ210": "an unknown phase",
    "CQ301": "a word used where another kind of thing is wanted",
    "CQ302": "a word that has no meaning at this moment",
    "CQ303": "a function or definition with the wrong number of arguments",
    "CQ304": "an unknown function",
    "CQ305": "a prohibition without a code, or an unknown code",
    "CQ306": "an actor who cannot do this",
    "CQ401": "a definition that uses itself",
    "CQ402": "`possible` under a quantifier",
    "CQ403": "a shape that no bound makes finite",
    "CQ404": "a clause that every game needs is missing",
    "CQ405": "numbers that do not fit together",
    "CQ406": "play that cannot go on",
    "CQ407": "two clauses that settle the same thing",
    "CQ408": "more cases than can be tried",
    "CQ501": "an override, drop or ground of a name that is not inherited",
    "CQ502": "an override with another kind of body or another code",
    "CQ503": "an override or choice that changes nothing",
    "CQ504": "a clause that repeats an inherited name without `override`",
    "CQ601": "a dead end",
    "CQ602": "a demand that cannot be met",
    "CQ603": "a goal that no play reaches",
    "CQ604": "a goal that a meld can pass",
    "CQ605": "a clause that decides nothing",
    "CQ606": "clauses that contradict each other",
    "CQ607": "play with more events than are stated, or without end",
}

GENERAL_HINTS: dict[str, str] = {
    "CQ101": mark("docs/language.md lists what can stand where"),
    "CQ201": mark("docs/language.md lists the words of each moment"),
    "CQ202": mark("spec/sources.md lists the passages; a rule of your own cites a source of your own"),
    "CQ203": mark("declare each source once"),
    "CQ204": mark("choose another name"),
    "CQ205": mark("`conquian spec list` names the shipped sets; a file of your own stands beside this one"),
    "CQ206": mark("extend a shipped set, or a file that does not lead back here"),
    "CQ207": mark("`conquian spec show` lists the readings of a rule set with their choices"),
    "CQ209": mark("use it, or leave it out"),
    "CQ210": mark("a phase is described by a clause with `phase NAME:`"),
    "CQ301": mark(
        "conditions, cards, melds and numbers are different things: docs/language.md has the types"
    ),
    "CQ302": mark("docs/language.md lists the words of each moment"),
    "CQ303": mark("give it as many arguments as it takes"),
    "CQ304": mark("docs/language.md lists the functions"),
    "CQ305": mark("add `code house.WORD` before the body"),
    "CQ401": mark("say what it means without its own name"),
    "CQ404": mark("extend a shipped set to inherit it"),
    "CQ405": mark("change one of the numbers"),
    "CQ501": mark("`conquian spec show` lists the clauses of a rule set"),
    "CQ502": mark("drop the clause and add a new one instead"),
    "CQ601": mark("give the phase another event, or lead on with `otherwise`"),
    "CQ602": mark("permit fewer demands, or forbid less to a player who is forced"),
    "CQ603": mark("change the goal, the deal, or what follows a meld"),
    "CQ604": mark("drop the obligation if the rules do not promise it"),
    "CQ605": mark("leave the clause out, or change what it asks"),
    "CQ606": mark("change one of them, or drop what is never legal"),
    "CQ607": mark("state a larger number, or let something be used up"),
}
"""What to do about a problem where nothing closer can be said."""
