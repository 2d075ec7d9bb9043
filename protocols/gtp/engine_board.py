"""An engine's board made the table's: set-up, replay, undo, and then its move where it is to move.

Each step looks at what differs and asks for one thing. A set-up command that is refused is left out from then on, after
another clear_board; a move that is refused is tried once more after a replay.
Source: the GTP version 2 draft; kgsGtp's description.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Final

from protocols.core.commands import PlayMove, Resign
from protocols.core.followed import Status
from protocols.go_words.rule_sets import name_of
from protocols.go_words.table import Table
from protocols.go_words.vertices import COLOURS, read_move, write_vertex
from protocols.go_words.wish import komi_of, wish_of
from protocols.gtp import engine_words
from protocols.gtp.codec import Answer
from protocols.gtp.engine_talk import MOVE_S, Question, Talk, nothing
from protocols.gtp.offered import KGS_RULES
from protocols.gtp.times import styled, time_left, time_settings

MOST_UNDONE: Final = 8
"""Moves taken back one by one; for more the game is replayed."""

NEEDED: Final = ("boardsize", "clear_board", "play", "genmove")
"""Without these no game can be played."""


def next_question(talk: Talk) -> Question | None:
    """The next question to the engine for the table's game; None while there is none."""
    table, board = talk.table, talk.board
    if talk.gave_up or table.status not in (Status.PLAYING, Status.SETTLING) or board.moving is not None:
        return None
    if board.todo is None:
        board.todo = deque(_steps(talk))
    if board.todo:
        words = board.todo.popleft()
        return Question(words, partial(_set_up, words=words))
    same = _in_common(talk)
    if same < len(board.moves):
        return _take_back(talk, len(board.moves) - same)
    if same < len(table.moves):
        return _replay(talk, same)
    if (question := engine_words.undo(talk)) is not None:
        return question
    if table.status is Status.SETTLING:
        return engine_words.dead_stones(talk)
    return _move(talk) if table.turn is not None and table.turn == table.seat else None


def _steps(talk: Talk) -> list[str]:
    """The set-up's commands in order; the game's time is told even where the engine would guess it."""
    table, settings = talk.table, talk.table.settings
    if settings is None:
        return []
    wish = wish_of(settings)
    steps = [f"boardsize {table.size}", "clear_board"]
    if (name := name_of(wish.rules, wish.handicap)) in KGS_RULES:
        steps.append(f"kgs-rules {name}")
    steps += [f"komi {komi_of(wish)}", *_stones(talk)]
    if _styled(talk):
        steps.append(f"kgs-time_settings {' '.join(styled(settings.time))}")
    else:
        steps.append(f"time_settings {time_settings(settings.time)}")
    return [step for step in steps if talk.lists(_word(step)) and _word(step) not in talk.board.lacks]


def _styled(talk: Talk) -> bool:
    """True if it is told the time by kgs-time_settings."""
    return talk.lists("kgs-time_settings") and "kgs-time_settings" not in talk.board.lacks


def _stones(talk: Talk) -> list[str]:
    """The stones before the first move: handicap stones as such, anything else as moves."""
    table = talk.table
    start = sorted((square, piece) for square, piece in table.start if piece in COLOURS)
    vertices = [(piece, _vertex(square, table)) for square, piece in start]
    handicap = len(vertices) > 1 and all(piece == COLOURS[0] for piece, _ in vertices)
    if handicap and talk.lists("set_free_handicap") and "set_free_handicap" not in talk.board.lacks:
        return [f"set_free_handicap {' '.join(vertex for _, vertex in vertices)}"]
    return [f"play {piece} {vertex}" for piece, vertex in vertices]


def _vertex(square: int | None, table: Table) -> str:
    try:
        return write_vertex(square, table.size)
    except ValueError:
        return "pass"  # no table tells such a move


def _word(words: str) -> str:
    return words.partition(" ")[0]


def _set_up(talk: Talk, answer: Answer, *, words: str) -> None:
    if answer.good:
        return
    word = _word(words)
    if word in NEEDED:
        talk.give_up(f"cannot set up this game ({words}: {answer.text or 'refused'})")
        return
    talk.board.lacks.add(word)
    talk.board.todo = deque(step for step in _steps(talk) if _word(step) != "boardsize")


def _in_common(talk: Talk) -> int:
    """The number of moves that the engine's board and the table share from the first on; it looks at new ones only."""
    board, moves = talk.board, talk.table.moves
    same = min(board.same, len(board.moves), len(moves))
    most = min(len(board.moves), len(moves))
    while same < most and board.moves[same] == (moves[same].seat, moves[same].move.target):
        same += 1
    board.same = same
    return same


def _take_back(talk: Talk, count: int) -> Question | None:
    if not talk.lists("undo") or count > MOST_UNDONE:
        talk.board.reset()
        return next_question(talk)
    return Question("undo", _undone)


def _undone(talk: Talk, answer: Answer) -> None:
    if answer.good:
        talk.board.moves.pop()
    else:
        talk.board.reset()


def _replay(talk: Talk, at: int) -> Question:
    made = talk.table.moves[at]
    return Question(f"play {COLOURS[made.seat != 0]} {_vertex(made.move.target, talk.table)}", _replayed)


def _replayed(talk: Talk, answer: Answer) -> None:
    at = len(talk.board.moves)
    if answer.good and at < len(talk.table.moves):
        made = talk.table.moves[at]
        talk.board.moves.append((made.seat, made.move.target))
    elif not answer.good:
        again(talk, f"does not accept a legal move ({answer.text or 'refused'})")


def again(talk: Talk, why: str) -> None:
    """Once its board is set up anew; what goes wrong twice in a row loses."""
    talk.board.tries += 1
    if talk.board.tries > 1:
        talk.give_up(why)
    else:
        talk.board.reset()


def _move(talk: Talk) -> Question | None:
    """Its clocks, then its move."""
    board = talk.board
    if board.told is None:
        board.told = deque(_clocks(talk))
    if board.told:
        return Question(board.told.popleft(), nothing)
    cleanup = talk.table.settled > 0 and talk.lists("kgs-genmove_cleanup")
    word = "kgs-genmove_cleanup" if cleanup else "genmove"
    then = partial(_moved, ply=len(talk.table.moves), game=talk.games)
    return Question(f"{word} {COLOURS[talk.table.seat != 0]}", then, MOVE_S)


def _clocks(talk: Talk) -> list[str]:
    """time_left for both colours, the engine's own last: from the gateway's clock, before each genmove."""
    table, settings = talk.table, talk.table.settings
    if not talk.lists("time_left") or settings is None or settings.time is None or table.clock is None:
        return []
    time, readings, periods = settings.time, table.clock.readings[:2], _styled(talk)
    seats = sorted(range(len(readings)), key=lambda seat: seat == table.seat)
    return [f"time_left {COLOURS[seat]} {time_left(time, readings[seat], periods=periods)}" for seat in seats]


def _moved(talk: Talk, answer: Answer, *, ply: int, game: int) -> None:
    """Its move goes to the table, unless the game has not waited for it: then it is taken off the board again."""
    table, board = talk.table, talk.board
    board.told = None
    if not table.begun or game != talk.games or table.seat is None:
        return
    current = table.status is Status.PLAYING and table.turn == table.seat and len(table.moves) == ply
    word = answer.text.split()[0] if answer.good and answer.text else ""
    if word.lower() == "resign":
        if current:
            board.moving = ply
            talk.ask(Resign())
        return
    try:
        move = read_move(table.seat, word, table.size)
    except ValueError:
        again(talk, f"gives no move ({word or answer.text or 'an empty answer'})")
        return
    board.moves.append((table.seat, move.target))
    if current:
        board.moving = ply
        talk.ask(PlayMove(move, ply=ply))
