"""Every act with few cards, up to suits, decided by the engine's own clauses: what two rule sets judge apart.

No solver is used. Acts are made from what they leave: every set of melds with so many cards, every way in which some
of them lay on the table before, every other one on offer. Complete for rules that ask neither for the rest of the
hand, nor for the stock, nor whose card is on offer; `complete` says whether they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from conquian.engine.pack import Pack
from conquian.language import clauses as c
from conquian.language import formula as f
from conquian.language.settled import uses
from conquian.progress import tick
from conquian.verifier.joint import Joint, Side
from conquian.verifier.judges import CopiesJudge, Family, Judge, PlainJudge
from conquian.verifier.worlds import Cards, Scene


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


def _names(node: f.Formula | f.Cards | f.Melds | f.Quantity) -> bool:
    if isinstance(node, f.CardsVar):
        return node.name in ("hand", "thrown")
    if isinstance(node, f.Flag):
        return node.name in ("own", "starter")
    return any(map(_names, f.parts(node)))


class SmallScope:
    """The acts of a comparison, by the number of their cards; with so many copies of each card."""

    def __init__(self, joint: Joint, copies: int = 1) -> None:
        self.joint = joint
        self.pack = pack = Pack(joint.pack.cards, copies)
        judge = PlainJudge if copies == 1 else CopiesJudge
        self.judges: dict[str, Judge] = {"a": judge(joint.a, pack), "b": judge(joint.b, pack)}
        self.complete = not asks_more(joint.a) and not asks_more(joint.b)
        valid = [judge.valid for judge in self.judges.values()]
        self._known = valid[0] & valid[1]
        self._both = sorted(self._known)
        self._every = sorted(valid[0] | valid[1])
        self._layouts: dict[int, list[Family]] = {}
        self._foreign: frozenset[int] | None = None

    # -- acts

    @cached_property
    def _images(self) -> list[dict[int, int]]:
        """Exchanges of suits that change no meld of either side: each meld's place in the list, and where it goes."""
        pack = self.pack
        place = {m: i for i, m in enumerate(self._every)}
        suits = sorted({card[-1] for card in pack.cards})
        found = []
        for order in permutations(suits):
            to = dict(zip(suits, order, strict=True))
            moved = {kind: pack.unit.get(x[:-1] + to[x[-1]], 0) for kind, x in enumerate(pack.cards)}
            if not all(moved.values()):
                continue
            image = {m: sum(moved[kind] for kind in pack.kinds(m)) for m in self._every}
            if all(frozenset(image[m] for m in judge.valid) == judge.valid for judge in self.judges.values()):
                found.append({place[m]: place[image[m]] for m in self._every})
        return found

    def layouts(self, count: int) -> list[Family]:
        """Every family of melds with so many cards, one of each that exchanges of suits make the same."""
        if count not in self._layouts:
            self._layouts[count] = list(self._families(count))
        return self._layouts[count]

    def _laying(self, count: int) -> Iterator[Family]:
        foreign = self._foreign
        for layout in self.layouts(count):
            if foreign is None or not foreign.isdisjoint(layout):
                tick("steps")
                yield layout

    def _families(self, count: int) -> Iterator[Family]:
        pack, every = self.pack, self._every
        sizes = sorted({pack.count(m) for m in every})
        by_size = {s: [i for i, m in enumerate(every) if pack.count(m) == s] for s in sizes}
        again = 0 if pack.copies > 1 else 1

        def families(left: int, least: int, free: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if not left:
                yield chosen
                return
            for size in sizes:
                if size != left and left - size < sizes[0]:
                    continue
                for i in by_size[size]:
                    if i >= least and pack.contains(free, every[i]):
                        yield from families(left - size, i + again, free - every[i], (*chosen, i))

        for chosen in families(count, 0, pack.everything, ()):
            if all(tuple(sorted(image[i] for i in chosen)) >= chosen for image in self._images):
                yield tuple(every[i] for i in chosen)

    def _within(self, cards: int) -> Iterator[Family]:
        """Every family of melds that both sides know inside some cards, the empty one included."""
        contains = self.pack.contains
        inside = [m for m in self._both if contains(cards, m)]
        again = 0 if self.pack.copies > 1 else 1

        def more(start: int, free: int, chosen: Family) -> Iterator[Family]:
            yield chosen
            for i in range(start, len(inside)):
                if contains(free, inside[i]):
                    yield from more(i + again, free - inside[i], (*chosen, inside[i]))

        return more(0, cards, ())

    def _single(self, cards: int) -> list[int]:
        """Each kind of some cards, once."""
        width = self.pack.width
        return [1 << kind * width for kind in dict.fromkeys(self.pack.kinds(cards))]

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
        one, two = self.judges["a"], self.judges["b"]
        for after in self._laying(count) if scenes else ():
            whole = sum(after)
            in_one, in_two = one.laid(after), two.laid(after)
            if in_one is None and in_two is None:
                continue
            for before in self._within(whole):
                loose = whole - sum(before)
                for up in self._single(loose):
                    used = loose - up
                    for scene in scenes:
                        moment = scene.moment
                        allowed = one.melds(before, in_one, up, used, moment)
                        if allowed == two.melds(before, in_two, up, used, moment):
                            continue
                        if moment == "offer" or self._due(before, up, moment):
                            yield from self._judged(scene, "meld", before, after, up, used)

    def _due(self, before: Family, up: int, moment: str) -> bool:
        asked = "offer" if moment == "forced at once" else "declined"
        return all(
            asked in judge.side.stands and judge.demand(before, up, asked) for judge in self.judges.values()
        )

    def _regroupings(self, count: int, scenes: Sequence[Scene]) -> Iterator[Parted]:
        """Regroupings with a card on offer, or after it was passed, or after a meld."""
        for scene in scenes:
            spare = 0 if scene.moment == "laid" else 1
            for after in self._laying(count - spare):
                whole = sum(after)
                outside = self._single(self.pack.minus(self.pack.everything, whole))
                if spare and not outside:
                    continue
                up = outside[0] if spare else 0
                for before in self._within(whole):
                    if sum(before) == whole and (spare or before):
                        yield from self._judged(scene, "arrange", before, after, up, 0)

    def _judged(
        self, scene: Scene, verb: c.Verb, before: Family, after: Family, up: int, used: int
    ) -> Iterator[Parted]:
        moment = scene.moment
        foreign: dict[str, tuple[int, ...]] = {}
        against: dict[str, frozenset[str]] = {}
        granted: dict[str, bool] = {}
        for name, judge in self.judges.items():
            foreign[name] = tuple(m for m in after if m not in judge.valid)
            against[name] = judge.against(verb, before, after, up, used, moment)
            granted[name] = verb == "meld" or judge.granted(verb, before, after, up, moment)
        ok = {x: not foreign[x] and not against[x] and granted[x] for x in self.judges}
        if ok["a"] == ok["b"]:
            return
        allows, forbids = ("a", "b") if ok["a"] else ("b", "a")
        cards = _cards(scene, before, after, up, used)
        yield Parted(allows, scene, cards, against[forbids], foreign[forbids], not granted[forbids])

    def _demands(self, count: int, scenes: Sequence[Scene]) -> Iterator[Parted]:
        for before in self.layouts(count - 1) if scenes else ():
            if not self._known.issuperset(before):
                continue
            for up in self._single(self.pack.minus(self.pack.everything, sum(before))):
                for scene in scenes:
                    moment = scene.moment
                    due = {name: judge.demand(before, up, moment) for name, judge in self.judges.items()}
                    if due["a"] != due["b"]:
                        allows, forbids = ("a", "b") if due["a"] else ("b", "a")
                        judge = self.judges[forbids]
                        broken = judge.against("force", before, (), up, 0, moment)
                        granted = judge.granted("force", before, (), up, moment)
                        yield Parted(allows, scene, _cards(scene, before, (), up, 0), broken, (), not granted)


def _cards(scene: Scene, before: Family, after: Family, up: int, used: int) -> Cards:
    passed: Mapping[str, int] = {"passed": up, "up": 0} if scene.moment == "turn" else {"passed": 0, "up": up}
    return Cards(
        before=tuple(sorted(before)),
        after=tuple(sorted(after)),
        hand=used,
        used=used,
        thrown=0,
        said=0,
        onto=0,
        own=False,
        stock=None,
        **passed,
    )
