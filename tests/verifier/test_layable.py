"""Engine and solver agree on which eleven cards of the forty-card pack can be laid out.

All 43,344 sets that can, and a hundred thousand near misses, with CONQUIAN_FULL=1 in the environment; without it
every eleventh of each, so that the test takes seconds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from conquian import load
from conquian.verifier.checker import LayoutCertificate, problems
from conquian.verifier.layouts import laid_out, layouts_of, rearranged
from tests.agreement.test_layable import layable_sets, names

FULL = bool(os.environ.get("CONQUIAN_FULL"))
STRIDE = 1 if FULL else 11
NEAR_MISSES = 100_000


def every_layable() -> list[int]:
    pack = load("swedish").engine.pack
    return sorted(pack.packed(names(cards, "swedish")) for cards in layable_sets(8))


def near_misses(layable: list[int]) -> Iterator[int]:
    """Layable sets with one card changed for another that leaves them without a layout, each once."""
    engine = load("swedish").engine
    random, seen = Random(11), set[int]()
    cards = [1 << i for i in range(40)]
    while len(seen) < NEAR_MISSES:
        whole = random.choice(layable)
        gone = random.choice([c for c in cards if c & whole])
        come = random.choice([c for c in cards if not c & whole])
        near = whole - gone + come
        if near not in seen and not engine.melds.layable(near):
            seen.add(near)
            yield near


def test_engine_and_solver_agree_on_every_layable_set_and_on_near_misses() -> None:
    engine = load("swedish").engine
    layable = every_layable()
    assert len(layable) == 43_344
    solver = layouts_of(engine, 0)
    for cards in layable[::STRIDE]:
        found = solver.layout(cards) if cards % 5 == 0 else solver.can(cards)
        assert found is True or (isinstance(found, tuple) and sum(found) == cards), engine.pack.names(cards)
    for i, cards in enumerate(near_misses(layable)):
        if i % STRIDE == 0:
            assert solver.can(cards) is False, engine.pack.names(cards)


@pytest.mark.parametrize("rules", ["classic", "classic-52", "two-deck", "navajo-tens"])
def test_engine_and_solver_agree_on_random_cards_of_every_kind_of_pack(rules: str) -> None:
    ruled = load(rules)
    pack, melds = ruled.engine.pack, sorted(ruled.engine.melds.packed)
    random, yes = Random(rules), 0
    for _ in range(60):
        cards = 0
        while pack.count(cards) < 10:
            meld = random.choice(melds)
            if pack.count(meld) < 6 and pack.contains(pack.everything - cards, meld):
                cards += meld
        listed = pack.names(cards)
        if random.random() < 0.5:
            listed.remove(random.choice(listed))
        claim = laid_out(ruled, listed)
        assert isinstance(claim, LayoutCertificate)
        assert (claim.melds is not None) == ruled.engine.melds.layable(pack.packed(listed))
        yes += claim.melds is not None
    assert 10 < yes < 60


@pytest.mark.parametrize("rules", ["swedish", "classic-52", "two-deck", "navajo-tens"])
def test_with_melds_that_lie_the_small_solver_finds_a_layout_where_the_whole_one_does(rules: str) -> None:
    of = load(rules).engine
    pack, melds = of.pack, of.melds.ascending
    random, counted, fewer = Random(f"lying/{rules}"), Counter[bool](), 0
    for _ in range(40):
        table: list[int] = []
        while len(table) < 3:
            meld = random.choice([m for m in melds if pack.count(m) < 5])
            if pack.contains(pack.everything - sum(table), meld):
                table.append(meld)
        cards = sum(table)
        if random.random() < 0.5:
            free = [u for u in pack.unit.values() if pack.contains(pack.everything - cards, u)]
            cards += random.choice(free)
        lying = tuple(set(random.choices((*table, random.choice(melds)), k=random.choice((1, 1, 2)))))
        small, whole = layouts_of(of, cards, lying), layouts_of(of, cards)
        found, wanted = small.layout(cards, lying), whole.layout(cards, lying)
        assert isinstance(found, tuple) == isinstance(wanted, tuple), (cards, lying)
        assert len(small.laid) <= len(whole.laid)
        fewer += len(small.laid) < len(whole.laid)
        if isinstance(found, tuple):
            assert sum(found) == cards and set(lying) <= set(found) <= set(melds)
        counted[found is None] += 1
    assert min(counted[True], counted[False], fewer) > 5, (counted, fewer)


def test_of_two_equal_melds_that_lie_both_lie() -> None:
    of = load("two-deck").engine
    run = of.pack.packed(["3c", "4c", "5c"])
    twice, other = (
        of.pack.packed(["3c", "4c", "5c"] * 2),
        of.pack.packed(["3c", "4c", "5c", "3d", "4d", "5d"]),
    )
    assert layouts_of(of, twice).layout(twice, (run, run)) == (run, run)
    assert layouts_of(of, twice, (run, run)).layout(twice, (run, run)) == (run, run)
    assert layouts_of(of, other).layout(other, (run, run)) is None
    assert isinstance(layouts_of(of, other).layout(other, (run,)), tuple)


def test_a_layout_is_a_certificate_that_the_checker_re_decides() -> None:
    ruled = load("swedish")
    here = ruled.position(
        up="4c", table=[["2d", "3d", "4d"], ["2h", "3h", "4h"], ["2s", "3s", "4s"]], hand=[]
    )
    claim = rearranged(here)
    assert isinstance(claim, LayoutCertificate) and claim.melds is not None
    program = ruled.engine.program
    assert problems(claim, program) == []
    other = LayoutCertificate(claim.rules, claim.digest, claim.readings, claim.cards, claim.melds[1:])
    assert problems(other, program)[0].endswith("is laid 0 times")
    broken = LayoutCertificate(claim.rules, claim.digest, claim.readings, claim.cards, (claim.cards,))
    assert problems(broken, program) == [f"{' '.join(claim.cards)} is no meld"]
    never = LayoutCertificate(claim.rules, claim.digest, claim.readings, claim.cards, None)
    assert problems(never, program) == ["the cards can be laid out"]
    short = LayoutCertificate(claim.rules, claim.digest, claim.readings, ("2d", "3d"), None)
    assert problems(short, program) == []


def test_cards_that_the_pack_lacks_are_no_question() -> None:
    with pytest.raises(ValueError):
        laid_out(load("swedish"), ["2c", "2c", "2c"])
