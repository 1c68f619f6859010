"""What others do with games of their own: python-chess reads PGN, OpenSpiel replays gin rummy.

Both check that every move is legal. The games are random, played by the libraries themselves with a fixed
seed, and go on to their end. A *step* is a half-move of chess; in gin rummy it is any action that is
applied, draws from the stock and the cards of the deal too, which counts in OpenSpiel's favour.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from bench.games import FOLDER, SEED, keep
from bench.timing import Task

HALF_MOVES, ACTIONS = 20_000, 130_000


@dataclass(frozen=True, slots=True)
class Other:
    """Another library's reading of its own games: the task, and the steps it reads."""

    name: str
    task: Task
    steps: int


def python_chess(quick: bool) -> Other:
    """`chess.pgn.read_game` over a PGN text; it checks every move while it reads."""
    import chess.pgn

    wanted = HALF_MOVES // (4 if quick else 1)
    path = FOLDER / f"chess-{wanted}-{SEED}.pgn"
    keep(path, lambda: _pgn(wanted))
    text = path.read_text(encoding="utf-8")

    def read() -> int:
        file, games = io.StringIO(text), 0
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                raise AssertionError(game.errors)
            games += 1
        return games

    file, steps = io.StringIO(text), 0
    while (game := chess.pgn.read_game(file)) is not None:
        steps += sum(1 for _ in game.mainline_moves())
    return Other("python-chess", read, steps)


def _pgn(wanted: int) -> str:
    import chess
    import chess.pgn

    random, texts, steps = Random(SEED), list[str](), 0
    while steps < wanted:
        board = chess.Board()
        while not board.is_game_over():
            board.push(random.choice(list(board.legal_moves)))
        steps += len(board.move_stack)
        texts.append(str(chess.pgn.Game.from_board(board)))
    return "\n\n".join(texts) + "\n"


def open_spiel(quick: bool) -> Other | None:
    """`gin_rummy` replayed with `apply_action_with_legality_check`; None if OpenSpiel is not installed."""
    try:
        pyspiel: Any = import_module("pyspiel")  # a compiled module without types
    except ImportError:
        return None
    rules = pyspiel.load_game("gin_rummy")
    wanted = ACTIONS // (5 if quick else 1)
    random, games, steps = Random(SEED), list[list[int]](), 0
    while steps < wanted:
        state = rules.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        games.append(list(state.history()))
        steps += len(games[-1])

    def replay() -> None:
        for actions in games:
            state = rules.new_initial_state()
            for action in actions:
                state.apply_action_with_legality_check(action)
            assert state.is_terminal()

    return Other("OpenSpiel gin_rummy", replay, steps)
