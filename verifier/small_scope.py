"""Every act with few cards, up to suits, decided by the engine's own clauses: the smallest that two rule sets judge apart.

No solver is used. Acts are made from what they leave: every set of melds with so many cards, every way in which some
of them lay on the table before, every other one on offer. Complete for rules that ask neither for the rest of the
hand, nor for the stock, nor whose card is on offer; `complete` says whether they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from conquian.engine.emit import established
from conquian.engine.pack import bits
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.settled import uses
from conquian.verifier.joint import Joint, Side
from conquian.verifier.worlds import Cards, Scene

Family = tuple[int, ...]
"""Melds that share no card."""


@dataclass(frozen=True, slots=True)
class Parted:
    """An act that one side allows and the other forbids, by these clauses or for melds that it does not know."""

    allows: str
    scene: Scene
    cards: Cards
    broken: frozenset[str]
    foreign: tuple[int, ...]
    ungranted: bool = False
    """A permission is lacking."""


def asks_more(side: Side) -> bool:
    """Whether a clause on acts asks for more than melds, offer and the hand cards laid."""
    for body in side.bodies.values():
        match body:
            case c.Modal(when=when) | c.Must(when):
                if when is not None and (uses(when, f.PlaceSize, f.NextIsFirst) or _names(when)):
                    return True
            case _:
                pass
    return False


def _names(node: object) -> bool:
    if isinstance(node, f.CardsVar):
        return node.name in ("hand", "thrown")
    if isinstance(node, f.Flag):
        return node.name in ("own", "starter")
    return any(map(_names, f.parts(node)))  # type: ignore[arg-type]


class _Judge:
    """One side's engine over cards of the shared pack."""

    def __init__(self, side: Side, joint: Joint) -> None:
        self.side, self.engine = side, side.engine
        pack = self.engine.pack
        self._bit = {
            joint.pack.unit[name]: pack.physical(pack.kind[name], 0) for name in joint.pack.cards
        }
        self._sets: dict[int, int] = {0: 0}
        self.valid = side.melds.packed
        self._number = {phase.name: i for i, phase in enumerate(self.engine.program.phases)}
        self._form = {
            i
            for i, info in enumerate(self.engine.program.clauses)
            if isinstance(body := side.bodies.get(info.name), c.Modal) and established(body)
        }
        self._same = all(x == y for x, y in self._bit.items())
        self._refused, self._duty = self.engine.meld_refused, self.engine.duty_met
        self._stand = {
            name: (self._number[stand.phase], stand.bound) for name, stand in self.side.stands.items()
        }

    def laid(self, after: Family) -> Family | None:
        """The melds of an act as the engine has them; None if one of them is none."""
        if not self.valid.issuperset(after):
            return None
        return after if self._same else tuple(map(self.cards, after))

    def melds(self, before: Family, laid: Family | None, up: int, used: int, moment: str) -> bool:
        """Whether a meld that uses the whole hand is legal."""
        if laid is None:
            return False
        if not self._same:
            before, up, used = tuple(map(self.cards, before)), self.cards(up), self.cards(used)
        number, bound = self._stand[moment]
        args = (before, laid, up, used, used, 0, False, False, 9, number)
        return not self._refused(*args) and (not bound or self._duty(*args))

    def cards(self, shared: int) -> int:
        if self._same:
            return shared
        found = self._sets.get(shared)
        if found is None:
            found = self._sets[shared] = sum(self._bit[x] for x in bits(shared))
        return found

    def number(self, moment: str) -> int:
        return self._number[self.side.stands[moment].phase]

    def args(self, before: Family, after: Family, up: int, used: int) -> tuple[object, ...]:
        cards = self.cards
        laid = cards(used)
        return (
            tuple(map(cards, before)),
            tuple(map(cards, after)),
            cards(up),
            laid,
            laid,
            0,
            False,
            False,
            9,
        )

    def demand(self, before: Family, up: int, moment: str) -> bool:
        if moment not in self.side.stands:
            return False
        args = (tuple(map(self.cards, before)), self.cards(up), False, False, False, 0, 0, 9)
        number = self.number(moment)
        return self.engine.allowed("force", number, args) and not self.engine.forbidding("force", number, args)

    def named(self, rules: Sequence[int]) -> frozenset[str]:
        return frozenset(self.engine.program.clauses[i].name for i in rules)

    def against(self, verb: c.Verb, args: tuple[object, ...], moment: str) -> list[int]:
        """The clauses that an act breaks, but for those that only say what a meld is and that the offer is in one."""
        number = self.number(moment)
        rules = self.engine.forbidding(verb, number, args)
        found = [rule.clause for rule in rules if rule.clause not in self._form]
        if verb == "meld" and self.side.stands[moment].bound:
            found += [
                rule.clause
                for rule in self.engine.program.must
                if not self.engine.functions[rule.function](*args, number)
            ]
        return found


class SmallScope:
    """The acts of a comparison, by the number of their cards."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.judges = {"a": _Judge(joint.a, joint), "b": _Judge(joint.b, joint)}
        self.complete = not asks_more(joint.a) and not asks_more(joint.b)
        self._both = sorted(joint.a.melds.packed & joint.b.melds.packed)
        self._every = sorted(joint.a.melds.packed | joint.b.melds.packed)
        self._known = frozenset(self._both)
        self._layouts: dict[int, list[Family]] = {}
        self._foreign: frozenset[int] | None = None

    # -- acts

    @cached_property
    def _suits(self) -> list[Mapping[int, int]]:
        """Exchanges of suits that change no meld of either side: by card, the card that stands for it."""
        pack = self.joint.pack
        suits = sorted({card[-1] for card in pack.cards})
        found = []
        for order in permutations(suits):
            to = dict(zip(suits, order, strict=True))
            moved = {pack.unit[x]: pack.unit.get(x[:-1] + to[x[-1]], 0) for x in pack.cards}
            if all(moved.values()) and all(
                frozenset(_moved(m, moved) for m in side.melds.packed) == side.melds.packed
                for side in (self.joint.a, self.joint.b)
            ):
                found.append(moved)
        return found

    @cached_property
    def _images(self) -> list[dict[int, int]]:
        """By exchange of suits: each meld's place in the list of all, and where it goes."""
        place = {m: i for i, m in enumerate(self._every)}
        return [{place[m]: place[_moved(m, by)] for m in self._every} for by in self._suits]

    def layouts(self, count: int) -> list[Family]:
        """Every family of melds with so many cards, one of each that exchanges of suits make the same."""
        if count not in self._layouts:
            self._layouts[count] = list(self._families(count))
        return self._layouts[count]

    def _laying(self, count: int) -> Iterator[Family]:
        foreign = self._foreign
        return (x for x in self.layouts(count) if foreign is None or not foreign.isdisjoint(x))

    def _families(self, count: int) -> Iterator[Family]:
        sizes = sorted({m.bit_count() for m in self._every})
        by_size = {s: [i for i, m in enumerate(self._every) if m.bit_count() == s] for s in sizes}

        def families(left: int, least: int, taken: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if not left:
                yield chosen
                return
            for size in sizes:
                if size != left and left - size < sizes[0]:
                    continue
                for i in by_size[size]:
                    if i >= least and not self._every[i] & taken:
                        yield from families(left - size, i + 1, taken | self._every[i], (*chosen, i))

        for chosen in families(count, 0, 0, ()):
            if all(tuple(sorted(image[i] for i in chosen)) >= chosen for image in self._images):
                yield tuple(self._every[i] for i in chosen)

    def _within(self, cards: int) -> Iterator[Family]:
        """Every family of melds that both sides know inside some cards, the empty one included."""
        inside = [m for m in self._both if not m & ~cards]

        def more(start: int, taken: int, chosen: Family) -> Iterator[Family]:
            yield chosen
            for i in range(start, len(inside)):
                if not inside[i] & taken:
                    yield from more(i + 1, taken | inside[i], (*chosen, inside[i]))

        return more(0, 0, ())

    # -- what parts the two sides

    def parted(
        self, count: int, scenes: Collection[Scene], foreign: frozenset[int] | None = None
    ) -> Iterator[Parted]:
        """The acts of some scenes with so many cards (table, hand, offer) that one side allows and the other forbids.

        `foreign`: only acts that lay one of these melds.
        """
        self._foreign = foreign
        yield from self._demands(count, [x for x in scenes if x.verb == "forces"])
        yield from self._regroupings(count, [x for x in scenes if x.verb == "arranges"])
        yield from self._melds(count, [x for x in scenes if x.verb == "melds"])

    def _melds(self, count: int, scenes: Sequence[Scene]) -> Iterator[Parted]:
        one, two = self.judges.values()
        for after in self._laying(count) if scenes else ():
            whole = sum(after)
            laid = [judge.laid(after) for judge in (one, two)]
            if laid == [None, None]:
                continue
            for before in self._within(whole):
                loose = whole & ~sum(before)
                for up in bits(loose):
                    used = loose & ~up
                    for scene in scenes:
                        moment = scene.moment
                        allowed = one.melds(before, laid[0], up, used, moment)
                        if allowed == two.melds(before, laid[1], up, used, moment):
                            continue
                        if moment == "offer" or self._due(before, up, moment):
                            yield from self._judged(scene, "meld", before, after, up, used)

    def _due(self, before: Family, up: int, moment: str) -> bool:
        asked = "offer" if moment == "forced at once" else "declined"
        return all(judge.demand(before, up, asked) for judge in self.judges.values())

    def _regroupings(self, count: int, scenes: Sequence[Scene]) -> Iterator[Parted]:
        """Regroupings with a card on offer, or after it was passed, or after a meld."""
        for scene in scenes:
            spare = 0 if scene.moment == "laid" else 1
            for after in self._laying(count - spare):
                whole = sum(after)
                outside = self.joint.pack.everything & ~whole
                if spare and not outside:
                    continue
                up = (outside & -outside) if spare else 0
                for before in self._within(whole):
                    if sum(before) == whole and (spare or before):
                        yield from self._judged(scene, "arrange", before, after, up, 0)

    def _judged(
        self, scene: Scene, verb: c.Verb, before: Family, after: Family, up: int, used: int
    ) -> Iterator[Parted]:
        foreign = {
            name: tuple(m for m in after if m not in judge.valid) for name, judge in self.judges.items()
        }
        seen = up if verb == "meld" else 0
        args = {name: judge.args(before, after, seen, used) for name, judge in self.judges.items()}
        against: dict[str, list[int]] = {}
        granted: dict[str, bool] = {}
        for name, judge in self.judges.items():
            against[name] = judge.against(verb, args[name], scene.moment)
            granted[name] = verb != "arrange" or judge.engine.allowed(
                "arrange", judge.number(scene.moment), args[name]
            )
        ok = {x: not foreign[x] and not against[x] and granted[x] for x in self.judges}
        if ok["a"] == ok["b"]:
            return
        allows, forbids = ("a", "b") if ok["a"] else ("b", "a")
        there = {"passed": up, "up": 0} if scene.moment == "turn" else {"passed": 0, "up": up}
        cards = Cards(
            before=tuple(sorted(before)),
            after=tuple(sorted(after)),
            hand=used,
            used=used,
            thrown=0,
            said=0,
            onto=0,
            own=False,
            stock=None,
            **there,
        )
        broken = self.judges[forbids].named(against[forbids])
        yield Parted(allows, scene, cards, broken, foreign[forbids], not granted[forbids])

    def _demands(self, count: int, scenes: Sequence[Scene]) -> Iterator[Parted]:
        for before in self.layouts(count - 1) if scenes else ():
            if not self._known.issuperset(before):
                continue
            for up in bits(self.joint.pack.everything & ~sum(before)):
                for scene in scenes:
                    moment = scene.moment
                    due = {name: judge.demand(before, up, moment) for name, judge in self.judges.items()}
                    if due["a"] == due["b"]:
                        continue
                    allows, forbids = ("a", "b") if due["a"] else ("b", "a")
                    cards = Cards(before, (), up, 0, 0, 0, 0, 0, 0, False, None)
                    judge = self.judges[forbids]
                    args = (tuple(map(judge.cards, before)), judge.cards(up), False, False, False, 0, 0, 9)
                    number = judge.number(moment)
                    broken = judge.named([x.clause for x in judge.engine.forbidding("force", number, args)])
                    granted = judge.engine.allowed("force", number, args)
                    yield Parted(allows, scene, cards, broken, (), not granted)


def _moved(cards: int, by: Mapping[int, int]) -> int:
    return sum(by[x] for x in bits(cards))
