"""Typed rules back to the language's own words.

Guarantees: the words read again give the same body (definitions stay written out). Lines are not broken here;
`conquian.language.fmt` lays them out.
"""

from __future__ import annotations

from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language import obligations as o

_VERBS = {"turn": "turns", "meld": "melds", "pass": "passes", "discard": "discards", "force": "forces"}
_SINGLE = frozenset({"up", "thrown", "said"})
_OR, _AND, _NOT = range(3)


def body_words(body: c.Body[f.Formula]) -> str:
    """The body of a clause, phases and stakes with a line each."""
    match body:
        case c.Deck(ranks, suits, packs):
            more = f" packs {packs}" if packs > 1 else ""
            return f"deck {' '.join(ranks)} of {' '.join(suits)}{more}"
        case c.Order(ranks, around):
            return f"order {' '.join(ranks)}{' around' if around else ''}"
        case c.Players(count, teams):
            if all(len(team) == 1 for team in teams):
                return f"players {count}"
            sides = (" and ".join(str(seat + 1) for seat in team) for team in teams)
            return f"players {count} teams {' against '.join(sides)}"
        case c.Dealing(size, packets):
            return f"deal {size} in packets of {' or '.join(map(str, packets))}"
        case c.Starter(turned):
            return f"starter {'one' if turned else 'none'}"
        case c.Exchange(0, _):
            return "exchange none"
        case c.Exchange(count, step):
            return f"exchange {count} to {'next' if step == 1 else 'previous'}"
        case c.Goal(cards):
            return f"goal {cards}"
        case c.Shape(name, var, when):
            return f"meld {name}({var}) when {words(when)}"
        case c.Modal(actor, allowed, verbs, phases, when):
            where = f" in {', '.join(phases)}" if phases else ""
            return f"{actor} may {'' if allowed else 'not '}{', '.join(verbs)}{where}{_when(when)}"
        case c.Must(where):
            return f"forced player must meld where {words(where)}"
        case c.Phase(name, lines):
            return "\n".join([f"phase {name}:", *(f"  {_line(line)}" for line in lines)])
        case c.Opening(then):
            return f"opening {_target(then)}"
        case c.Wins(when):
            return f"player wins when {words(when)}"
        case c.Cut(lowest):
            return f"cut {'lowest' if lowest else 'highest'} deals"
        case c.DealerStays(when):
            return f"dealer stays when {words(when)}"
        case c.Stakes(lines):
            return "\n".join(["stakes:", *(f"  {_stake(line)}" for line in lines)])
        case c.Session(wins, units):
            return f"session ends at {wins} wins or {units} units"


def claim_words(claim: o.Claim) -> str:
    """What is to be proved."""
    match claim:
        case o.Kept():
            return "every card is in one place"
        case o.GoingOn():
            return "some event is always legal"
        case o.Met():
            return "every demand can be met"
        case o.Reached():
            return "some play reaches the goal"
        case o.NeverPassed():
            return "no play passes the goal"
        case o.Mattering():
            return "every rule matters"
        case o.Agreeing():
            return "no rule contradicts another"
        case o.Ending(None):
            return "play ends"
        case o.Ending(within):
            return f"play ends within {within} events"


def _when(when: f.Formula | None) -> str:
    return "" if when is None or when == f.Always(True) else f" when {words(when)}"


def _target(then: c.Target) -> str:
    seat = "" if then.seat == "player" else f" to {then.seat}"
    return f"{then.phase}{seat}{f' as {then.origin}' if then.origin else ''}"


def _line(line: c.Acts[f.Formula] | c.Otherwise[f.Formula] | c.AtOnce[f.Formula]) -> str:
    match line:
        case c.Acts(actor, verb, then, when):
            return f"{actor} {_VERBS[verb]} then {_target(then)}{_when(when)}"
        case c.Otherwise(then, when):
            return f"otherwise {_target(then)}{_when(when)}"
        case c.AtOnce(then, when):
            return f"at once {_target(then)}{_when(when)}"


def _stake(line: c.Stake[f.Formula]) -> str:
    said = {
        "pays": f"{line.payer} pays {line.units} to {line.payee}",
        "takes": f"{line.payer} takes pot",
        "scores": f"{line.payer} scores {line.units}",
        "counts": f"deal counts {line.units}",
        "void": "deal is void",
    }
    return said[line.kind] + _when(line.when)


# ---- conditions


def words(node: f.Formula) -> str:
    """A condition in the words of the language.

    >>> words(f.Not(f.Some("n", f.Melds("after"), f.Within(f.CardsVar("up"), f.CardsVar("n")))))
    'no n in after: up in n'
    """
    return _words(node, _OR, True)


def _words(node: f.Formula, level: int, last: bool) -> str:
    """`level`: what the condition stands in; `last`: nothing follows it, so a quantifier may run on."""
    match node:
        case f.Any_(parts):
            return _bracketed(_chain(parts, " or ", _AND, last or level > _OR), level > _OR)
        case f.All(parts):
            between = _between(parts)
            if between is not None:
                return between
            return _bracketed(_chain(_paired(parts), " and ", _NOT, last or level > _AND), level > _AND)
        case f.Some(var, domain, body):
            return _quantified("some", var, domain, body, last)
        case f.Not(f.Some(var, domain, f.Not(body))):
            return _quantified("every", var, domain, body, last)
        case f.Not(f.Some(var, domain, body)):
            return _quantified("no", var, domain, body, last)
        case f.Not(f.ReadingIs(reading, choice)):
            return f"{reading} is not {choice}"
        case f.Not(f.Same(left, right)):
            return f"{_cards(left)} != {_cards(right)}"
        case f.Not(inner):
            return f"not {_words(inner, _NOT, last)}"
        case _:
            return _relation(node)


def _bracketed(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def _chain(parts: tuple[f.Formula | str, ...], word: str, level: int, last: bool) -> str:
    end = len(parts) - 1
    return word.join(
        part if isinstance(part, str) else _words(part, level, last and i == end)
        for i, part in enumerate(parts)
    )


def _quantified(word: str, var: str, domain: f.Melds | f.Cards, body: f.Formula, last: bool) -> str:
    over = domain.name if isinstance(domain, f.Melds) else _cards(domain)
    return _bracketed(f"{word} {var} in {over}: {_words(body, _OR, True)}", not last)


def _between(parts: tuple[f.Formula, ...]) -> str | None:
    """`x in a..b`, if that is all that is said."""
    paired = _paired(parts)
    return paired[0] if len(paired) == 1 and isinstance(paired[0], str) else None


def _paired(parts: tuple[f.Formula, ...]) -> tuple[f.Formula | str, ...]:
    """The parts of an `and`, with `x >= a` and the `x <= b` after it as one."""
    found: list[f.Formula | str] = []
    for part in parts:
        before = found[-1] if found else None
        match before, part:
            case f.Compare(">=", left, f.Number(low)), f.Compare("<=", right, f.Number(high)) if (
                left == right
            ):
                found[-1] = f"{_quantity(left)} in {low}..{high}"
            case _:
                found.append(part)
    return tuple(found)


def _relation(node: f.Formula) -> str:
    match node:
        case f.Always(value):
            return "always" if value else "never"
        case f.ReadingIs(reading, choice):
            return f"{reading} is {choice}"
        case f.Flag(name):
            return name
        case f.NextIsFirst():
            return "next is first"
        case f.Compare("=", f.PlaceSize(place), f.Number(0)):
            return f"{place} is empty"
        case f.Compare(operator, left, right):
            return f"{_quantity(left)} {operator} {_quantity(right)}"
        case f.Within(left, right):
            single = isinstance(left, f.CardsVar) and left.name in _SINGLE
            return f"{_cards(left)} {'in' if single else 'within'} {_cards(right)}"
        case f.Meets(left, right):
            return f"{_cards(left)} meets {_cards(right)}"
        case f.Same(left, right):
            return f"{_cards(left)} = {_cards(right)}"
        case f.IsMeldOf(cards, melds):
            return f"{_cards(cards)} in {melds.name}"
        case f.NoCards(f.CardsOf(melds)):
            return f"{melds.name} is empty"
        case f.NoCards(cards):
            return f"{_cards(cards)} is empty"
        case f.Valid(cards, shape):
            return f"{shape or 'valid'}({_cards(cards)})"
        case f.Possible(cards):
            return f"possible({_cards(cards)})"
        case f.Has(trait, cards):
            return f"{trait}({_cards(cards)})"
        case _:
            return f"({words(node)})"


def _quantity(node: f.Quantity) -> str:
    match node:
        case f.Number(value):
            return str(value)
        case f.GoalSize():
            return "goal"
        case f.Size(cards):
            return f"size({_cards(cards)})"
        case f.PlaceSize(place):
            return f"size({place})"


def _cards(node: f.Cards, right: bool = False) -> str:
    match node:
        case f.CardsVar(name):
            return name
        case f.CardsOf(melds):
            return f"cards({melds.name})"
        case f.Ends(cards):
            return f"ends({_cards(cards)})"
        case f.Union(f.CardsVar("up"), f.CardsVar("used")):
            return "laid"
        case f.Union(a, b):
            text = f"{_cards(a)} + {_cards(b, True)}"
        case f.Both(a, b):
            text = f"{_cards(a)} & {_cards(b, True)}"
        case f.Minus(a, b):
            text = f"{_cards(a)} without {_cards(b, True)}"
    return f"({text})" if right else text
