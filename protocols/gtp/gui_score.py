"""A GUI's questions about its table: the score and the dead stones when play has stopped, the clock, the board.

``final_status_list dead`` shows what the opponent takes for dead, ``final_score`` agrees to that, be it said a moment
later by an engine, or where the opponent has said nothing, to all stones being alive. GTP has no word for marking
stones: ``boardgate-dead VERTEX...`` is ours. Both are answered with the result when both sides agree. To disagree is to
play on: a stone played, genmove or kgs-genmove_cleanup resumes the game. Source: the GTP version 2 draft.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.core.commands import MarkDead, Propose
from protocols.core.events import GameResumed, Proposed
from protocols.core.followed import Status
from protocols.core.model import Reason
from protocols.core.notifications import Notification, Rejected
from protocols.core.proposals import Score
from protocols.go_words.table import Table, result
from protocols.go_words.vertices import LARGEST, LETTERS, read_colour, read_vertex, write_vertices
from protocols.gtp.gui_play import over
from protocols.gtp.gui_talk import Fails, Talk, Waiting, Words, colour
from protocols.gtp.times import time_left


def final_score(talk: Talk, words: Words) -> Waiting | str:
    """Agree to any list of the opponent."""
    table = talk.table
    if table.status is Status.OVER and table.outcome is not None:
        return _score(talk)
    _must_settle(table)
    return Scoring()


def mark_dead(talk: Talk, words: Words) -> Waiting:
    """boardgate-dead VERTEX...: the stones that the user takes for dead, whole strings by one stone each."""
    table = talk.table
    _must_settle(table)
    points = {read_vertex(word, table.size) for word in words}
    marked = tuple(sorted(point for point in points if point is not None))
    return Scoring(marked=marked)


def _must_settle(table: Table) -> None:
    if table.begun and table.seat is None:
        raise Fails("cannot score: you look on")
    if table.status is not Status.SETTLING:
        raise Fails(f"cannot score: the game {table.status.value}")


def _claimed(table: Table) -> tuple[int, ...]:
    """The opponent's list of dead stones; empty where it has made none."""
    theirs = table.theirs(Score)
    return () if theirs is None else theirs.dead


def _score(talk: Talk) -> str:
    outcome = talk.table.outcome
    if outcome is None or outcome.reason is Reason.VOID:
        raise Fails(over(talk))
    return result(outcome)


@dataclass(slots=True)
class Scoring(Waiting):
    """A set of dead stones that the opponent has not agreed to yet: ``marked`` here, None for the opponent's own."""

    marked: tuple[int, ...] | None = None

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        table = talk.table
        if message is None:
            self._ask(talk)
        elif table.status is Status.OVER:
            return _score(talk)
        elif isinstance(message, Rejected):
            raise Fails(f"cannot score: {message.text}")
        elif isinstance(message, GameResumed) or table.status is not Status.SETTLING:
            raise Fails(f"cannot score: {table.rival} plays on")
        elif isinstance(message, Proposed) and message.seat != table.seat and isinstance(message.proposal, Score):
            self._compare(talk, message.proposal)
        return None

    def _ask(self, talk: Talk) -> None:
        """An engine that has had a list before is about to have one again: that one is waited for."""
        table = talk.table
        if self.marked is not None:
            talk.ask(MarkDead(self.marked))
        elif table.theirs(Score) is not None or not table.against_program:
            _agree(talk, Score(_claimed(table)))

    def _compare(self, talk: Talk, theirs: Score) -> None:
        """Of equal ones, and of a second disagreement with an engine, the table makes a score. A person's list is shown
        to the user first."""
        table = talk.table
        if table.mine(Score) == theirs or (self.marked is not None and theirs.program and len(table.stops) > 1):
            return
        if self.marked is None and (theirs.program or table.mine(Score) is None):
            _agree(talk, theirs)
            return
        points = write_vertices(theirs.dead, table.size) or "no stones"
        raise Fails(f"{table.rival} takes for dead: {points}; final_score agrees, a move plays on")


def _agree(talk: Talk, theirs: Score) -> None:
    """With a list of one's own, for the record: what an engine has counted remains its."""
    mine = Score(theirs.dead)
    if talk.table.mine(Score) != mine:
        talk.ask(Propose(mine))


def final_status_list(talk: Talk, words: Words) -> str:
    """dead, alive or seki; strings on lines of their own are not told apart here."""
    status = words[0].lower() if words else ""
    if status not in ("dead", "alive", "seki"):
        raise Fails("invalid argument: it is dead, alive or seki")
    table = talk.table
    if table.status not in (Status.SETTLING, Status.OVER):
        raise Fails(f"nothing is scored: the game {table.status.value}")
    dead = table.dead if table.status is Status.OVER else _claimed(table)
    if status == "seki":
        return ""
    board = table.board
    return write_vertices(dead if status == "dead" else tuple(sorted(board.keys() - set(dead))), table.size)


def left(talk: Talk, words: Words) -> str:
    """time_left COLOR TIME STONES is the GUI's own clock and changes nothing; with fewer words the table's is told."""
    if len(words) >= 2:
        read_colour(words[0])
        return ""
    table, time = talk.table, None if talk.table.settings is None else talk.table.settings.time
    if time is None or table.clock is None:
        return ""
    seats = [read_colour(words[0])] if words else range(len(table.clock.readings))
    readings = [(seat, table.clock.readings[seat]) for seat in seats if seat < len(table.clock.readings)]
    return "\n".join(f"{colour(seat)} {time_left(time, reading, periods=talk.styled)}" for seat, reading in readings)


def showboard(talk: Talk, words: Words) -> str:
    table = talk.table
    if not table.begun and table.status is not Status.OVER:
        return "\n" + diagram({}, talk.wish.size)
    drawn = diagram(table.board, table.size)
    moves = f"{len(table.moves)} moves"
    turn = "" if table.turn is None else f", {colour(table.turn)} to move"
    return f"\n{drawn}\n{moves}{turn}"


_STONES: Final = {"black": "X", "white": "O"}


def diagram(board: Mapping[int, str], size: int) -> str:
    """Row 1 at the bottom; no line of it is empty, for that would end the answer."""
    size = min(size, LARGEST)
    letters = "   " + " ".join(LETTERS[:size])
    rows = [
        f"{size - y:2} " + " ".join(_STONES.get(board.get(y * size + x, ""), ".") for x in range(size)) + f" {size - y}"
        for y in range(size)
    ]
    return "\n".join([letters, *rows, letters])
