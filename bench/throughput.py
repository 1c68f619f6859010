"""Validated events a second: one process, JSONL, decoding and every check included.

A round reads the whole file of a rule set several ways, in turn: bare `msgspec` decoding of every line into
dicts and lists; decoding into the package's own types, with no check; the package (`Batch.lines`, as
`conquian validate --no-differs` has it) up to the verdict; the same for games with the suits in an order that
has not come yet, of which nothing can be remembered; the same with each verdict written as JSON; and
python-chess reading PGN. Everything is warm. Where the engine could be compiled (`HATCH_BUILD_HOOKS_ENABLE=1 pip install
.`), a process of an environment with the compiled package reads the same files in the same rounds, and the bars are for
it: the sources are the same.
"""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from bench.elsewhere import Elsewhere, compiled
from bench.games import Games, games_of, other_suits
from bench.others import Other, open_spiel, python_chess
from bench.report import Section, Table, at_least, number, shown, three
from bench.timing import Series, Task, Took, in_turn
from conquian.batch import Batch
from conquian.transcript.model import Game

OVER_CHESS, OVER_DECODING = 25.0, 0.20
"""The bars for one pack; half of them for several."""


def section(sets: tuple[str, ...], quick: bool) -> Section:
    rounds = 5 if quick else 15
    found = Section("Validated events a second", " ".join((__doc__ or "").split("\n\n", 1)[1].split()))
    chess = python_chess(quick)
    rates = Table(("What, things a second", "least", "median", "most", "times msgspec", "times python-chess"))
    found.tables.append(rates)
    with compiled() as elsewhere:
        for rules in sets:
            measure(found, rates, games_of(rules, quick), chess, rounds, elsewhere)
        if elsewhere is None:
            found.remarks.append(
                "The engine could not be compiled here: the bars are for the package as it is."
            )
    spiel = open_spiel(quick)
    if spiel is None:
        found.remarks.append("OpenSpiel is not installed here: not measured.")
        return found
    own = games_of(sets[0], quick)
    times = in_turn(
        {
            "spiel": (spiel.task, spiel.steps),
            "chess": (chess.task, chess.steps),
            "own": (validation(own), own.events),
        },
        rounds,
    )
    over = times["spiel"].faster_than(times["chess"])
    rates.rows.append((f"{spiel.name}, actions", *three(times["spiel"].rate), "", number(over.median)))
    ratio = times["own"].faster_than(times["spiel"])
    found.remarks.append(
        f"{own.rules} is validated at {shown(ratio)} times the rate at which OpenSpiel replays gin rummy."
    )
    return found


def measure(
    found: Section, rates: Table, games: Games, chess: Other, rounds: int, elsewhere: Elsewhere | None
) -> None:
    """The rows and bars of one rule set."""
    kinds, slow = looked_at(games)
    if set(kinds) - {"valid", "unfinished"}:
        raise AssertionError(f"{games.path.name} is not legal: {dict(kinds)}")
    if slow:
        found.remarks.append(f"{games.rules}: {slow} of {games.games} games needed a second, closer reading.")
    whole = games.events
    tasks = {
        "chess": (chess.task, chess.steps),
        "msgspec": (decoding(games, msgspec.json.Decoder()), whole),
        "typed": (decoding(games, msgspec.json.Decoder(Game)), whole),
        "validated": (validation(games), whole),
        "unseen": (unseen(games, rounds + 1), whole),
        "written": (writing(games), whole),
    }
    with TemporaryDirectory(prefix="conquian-bench-") as folder:
        if elsewhere is not None:
            tasks["compiled"] = (validation_elsewhere(elsewhere, games), whole)
            others = unseen_elsewhere(elsewhere, games, rounds + 1, Path(folder))
            tasks["unseen, compiled"] = (others, whole)
        times = in_turn(tasks, rounds)
    packs = "one pack" if games.packs == 1 else f"{games.packs} packs"
    size = f"{games.bytes / games.events:.1f} bytes an event"
    for key, what in (
        ("compiled", f"**{games.rules}** ({packs}), validated events, compiled"),
        ("unseen, compiled", f"{games.rules}, games not seen before, compiled"),
        ("validated", f"**{games.rules}** ({packs}), validated events"),
        ("unseen", f"{games.rules}, games not seen before"),
        ("written", f"{games.rules}, verdicts written too"),
        ("typed", f"{games.rules}, decoded into types only"),
        ("msgspec", f"{games.rules}, bare msgspec decoding ({size})"),
        ("chess", "python-chess, half-moves"),
    ):
        if key in times:
            rates.rows.append((what, *three(times[key].rate), *_ratios(times, key)))
    share = 1.0 if games.packs == 1 else 0.5
    best = "compiled" if "compiled" in times else "validated"
    name = f"{games.rules} ({packs}), {'compiled, ' if best == 'compiled' else ''}validated"
    over_chess = times[best].faster_than(times["chess"])
    over_decoding = times[best].faster_than(times["msgspec"])
    found.bars.append(at_least(name, OVER_CHESS * share, over_chess, "times python-chess"))
    found.bars.append(at_least(name, OVER_DECODING * share, over_decoding, "times bare msgspec"))


def _ratios(times: dict[str, Series], key: str) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]
        "1" if key == other else number(times[key].faster_than(times[other]).median)
        for other in ("msgspec", "chess")
    )


def decoding(games: Games, decoder: msgspec.json.Decoder[object]) -> Task:
    def decode() -> None:
        with games.path.open("rb") as file:
            for line in file:
                decoder.decode(line)

    return decode


def validation(games: Games) -> Task:
    batch = Batch(None, {}, False)

    def validate() -> None:
        with games.path.open("rb") as file:
            for _ in batch.lines(file, games.path.name):
                pass

    return validate


def unseen(games: Games, times: int) -> Task:
    """The same games with the suits in another order each time: nothing is remembered of them."""
    batch = Batch(None, {}, False)
    others = iter(list(islice(other_suits(games.path.read_bytes()), 1, times + 1)))

    def validate() -> None:
        for _ in batch.lines(BytesIO(next(others)), games.path.name):
            pass

    return validate


def validation_elsewhere(elsewhere: Elsewhere, games: Games) -> Task:
    return lambda: Took(elsewhere.seconds(games.path))


def unseen_elsewhere(elsewhere: Elsewhere, games: Games, times: int, folder: Path) -> Task:
    """The same for games with the suits in another order each time."""
    paths = []
    for place, data in enumerate(islice(other_suits(games.path.read_bytes()), 1, times + 1)):
        paths.append(folder / f"{place}.jsonl")
        paths[-1].write_bytes(data)
    left = iter(paths)
    return lambda: Took(elsewhere.seconds(next(left)))


def writing(games: Games) -> Task:
    batch = Batch(None, {}, False)

    def write() -> None:
        with games.path.open("rb") as file:
            for verdict, _, _ in batch.lines(file, games.path.name):
                msgspec.json.encode(verdict)

    return write


def looked_at(games: Games) -> tuple[Counter[str], int]:
    """How many games have which verdict, and how many needed a closer look."""
    kinds: Counter[str] = Counter()
    slow = 0
    with games.path.open("rb") as file:
        for verdict, sheet, _ in Batch(None, {}, False).lines(file, games.path.name):
            kinds[verdict.verdict] += 1
            slow += sheet is not None
    return kinds, slow
