"""The Go Text Protocol towards an engine of ours: the controller's side, as lines and without I/O.

An engine is told the moves since its last question where the position goes on from there in the same game. Otherwise
the board is set up anew: from the first move on, or stone by stone where the game began with a set-up board; then the
engine does not know which ko may not be retaken. Where play has stopped it is asked what is dead; when it goes on, the
engine is to clean up, if it has a word for that. Engines that dial in are served by protocols.gtp.

The clock an engine is told is bounded by the budget, for GTP has no other word for that: while the table's clock is
ample, it has so much for each move; when that gets less than the budget, the engine is told the clock as it is.

Source: the Go Text Protocol, version 2, draft of 2002, by Gunnar Farnebäck.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from gateway.bots.conversation import Conversation, Question, Unsuited
from gateway.bots.verdict import Verdict
from gateway.games.base import Game
from gateway.games.go.position import Position, resumed
from gateway.games.go.text import RESUME, usual, written
from protocols.core.errors import IllegalMove, RemoteProtocolError
from protocols.core.model import Move, Reading, TimeControl, TimeKind
from protocols.core.numbers import plain_number
from protocols.go_words.vertices import read_vertex
from protocols.gtp.offered import KGS_RULES
from protocols.gtp.times import styled, time_left, time_settings

LEVELS: Final = {1: 1, 2: 5, 3: 10}
"""By level of ours, GNU Go's own: 10 is its usual strength, and takes a second or so on 19x19."""

COMMANDS_MAX: Final = 2000
"""Commands an engine may list; GNU Go has some hundred."""

NEEDED: Final = ("boardsize", "clear_board", "komi", "play", "genmove")

TIMES: Final = ("kgs-time_settings", "time_settings")
"""Commands for a time control, the better one first."""

DEAD: Final = ("query_dead", "final_status_list dead")
"""Questions for what is dead, the better one first."""

CLEANUP: Final = "kgs-genmove_cleanup"
"""In place of genmove once the players have not agreed on what is dead: the engine does not pass before that is off."""

ESTIMATE: Final = "estimate_score"
PONDERS: Final = "reg_genmove"
"""GNU Go's words for who is ahead by how much, and for a move that is not made on its board."""

_WORTH: Final = re.compile(r"(?P<side>[BW])\+(?P<points>\d{1,4}(?:\.\d{1,6})?)|0\b")
_ANSWER: Final = re.compile(r"([=?])\s*(\d{0,9})\s*(.*)")


VERSION: Final = "0"
"""The id of the question for the version, which no other command has."""


class Gtp(Conversation):
    """The conversation with one process that speaks GTP. Its commands carry ids, so late answers count for nothing."""

    games: ClassVar[tuple[str, ...]] = ("go",)

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.remarks += [f"there is no option {name!r}: GTP has none" for name in options]
        self._commands: set[str] = set()
        self._known: Position | None = None
        self._timed = ""
        self._last = 0
        self._listing = self._listed = 0
        self._answering = self._settling = self._estimating = self._pondering = 0
        self._worth: float | None = None
        self._untimed = True
        self._naming: list[str] | None = None
        self._optional: set[int] = set()
        self._name = self._command("name")
        self._listing = self._command("list_commands")
        self._say(f"{VERSION} version")

    def ask(self, question: Question) -> None:
        if any(needed not in self._commands for needed in NEEDED):
            raise Unsuited(f"{self.who} lacks a command of {', '.join(NEEDED)}")
        self._shows(question)
        self._times(question)
        played_on = CLEANUP in self._commands and RESUME in written(question.position)
        self._answering = self._command(f"{CLEANUP if played_on else 'genmove'} {question.game.sides[question.seat]}")

    def settle(self, question: Question) -> None:
        words = next((words for words in DEAD if words.partition(" ")[0] in self._commands), None)
        if words is None or any(needed not in self._commands for needed in NEEDED):
            raise Unsuited(f"{self.who} has no command of {', '.join(DEAD)}")
        self._shows(question)
        self._settling = self._command(words)

    def weigh(self, question: Question) -> None:
        """Where it has no word for a move that it does not make, there is no best move."""
        if any(needed not in self._commands for needed in (*NEEDED, ESTIMATE)):
            raise Unsuited(f"{self.who} lacks a command of {', '.join((*NEEDED, ESTIMATE))}")
        self._shows(question)
        self.verdict, self._worth = None, None
        self._estimating = self._command(ESTIMATE)
        asks = PONDERS in self._commands and question.budget_s > 0
        self._pondering = self._command(f"{PONDERS} {question.game.sides[question.seat]}") if asks else 0

    def receive_line(self, line: str) -> None:
        found = _ANSWER.fullmatch(line.strip())
        if found is None:
            self._goes_on(line)
            return
        sign, number, text = found[1], int(found[2] or 0), found[3]
        self._listed = number if number == self._listing else 0
        self._naming = None
        if number == self._name:
            self.called = text
        elif found[2] == VERSION:
            self.called = f"{self.called} {text}".strip() if sign == "=" else self.called
        elif number == self._listing:
            self._goes_on(text)
        elif number == self._answering and self._question is not None:
            self._moves(sign, text)
        elif number == self._settling and self._question is not None:
            self._names(sign, text)
        elif number == self._estimating and self._question is not None:
            self._estimates(sign, text)
        elif number == self._pondering and self._question is not None:
            self._advises(sign, text)
        elif sign == "?" and self._question is not None and number not in self._optional:
            raise RemoteProtocolError(f"it refused a command: {text!r}")

    def _shows(self, question: Question) -> None:
        """The question's board, and how well to think about it."""
        self._question, self.answer, self.dead, self.ready = question, None, None, False
        self._optional.clear()
        moves = self._since(question)
        if not question.pressed or moves is None:
            self._wish("level", str(LEVELS[question.level]))  # short of time, GNU Go lowers its own
        if moves is None:
            self._set_up(question)
            self._untimed = True
        else:
            self._plays(moves)
        self._known, self._bot_context = None, question.bot_context

    def _since(self, question: Question) -> list[str] | None:
        """The moves since the last question; None when it does not go on from there."""
        known, now = self._known, question.position
        if (
            known is None
            or question.bot_context is None
            or question.bot_context != self._bot_context
            or known.rules != now.rules
        ):
            return None
        return moves_between(question.game, known, now) if now.moves.startswith(known.moves) else None

    def _set_up(self, question: Question) -> None:
        game, position = question.game, question.position
        self._command(f"boardsize {position.rules.size}")
        self._command("clear_board")
        if position.rules.name in KGS_RULES:
            self._wish("kgs-rules", position.rules.name)
        self._command(f"komi {plain_number(position.rules.komi)}")
        first = usual(position.rules)
        moves = None if position.first else moves_between(game, first, position)
        for at, colour in sorted(game.board(position if moves is None else first).items()):
            self._command(f"play {colour} {game.notation(position, Move(None, at, colour))}")
        self._plays(moves or [])

    def _plays(self, moves: list[str]) -> None:
        for move in moves:
            self._command(f"play {move}")

    def _times(self, question: Question) -> None:
        """The table's clock, or what the budget leaves of it; "no limit" where there is none any more."""
        command = next((name for name in TIMES if name in self._commands), None)
        if command is None:
            return
        control, readings = told_clock(question)
        periods = command == TIMES[0]
        words = " ".join(styled(control)) if periods else time_settings(control)
        if (self._untimed or words != self._timed) and (control is not None or self._timed):
            self._wish(command, words)
            self._timed = words
        self._untimed = False
        if control is not None:
            for seat, reading in readings.items():
                self._wish("time_left", f"{question.game.sides[seat]} {time_left(control, reading, periods=periods)}")

    def _goes_on(self, line: str) -> None:
        """A further line of an answer: only lists have some that matter; a blank line ends them."""
        if self._naming is not None:
            self._names_on(self._naming, line)
        if not self._listed:
            return
        if line.strip():
            self._commands.update(line.split())
        elif self._commands:
            self._listed, self.ready = 0, True
        if len(self._commands) > COMMANDS_MAX:
            raise RemoteProtocolError(f"more than {COMMANDS_MAX} commands")

    def _moves(self, sign: str, text: str) -> None:
        """The engine made its move. One that gives up passes."""
        if sign != "=":
            raise RemoteProtocolError(f"genmove: {text!r}")
        resigned = text.strip().lower() == "resign"
        self.answer, after = self._played("genmove", "pass" if resigned else text)
        self._known = None if resigned else after
        self._question, self.ready = None, True

    def _estimates(self, sign: str, text: str) -> None:
        """The score as it estimates it: "B+3.5 (...)", or a draw, "0"."""
        found = _WORTH.match(text)
        if sign != "=" or found is None:
            raise RemoteProtocolError(f"{ESTIMATE}: {text!r}")
        assert self._question is not None
        points = float(found["points"]) if found["side"] else 0.0
        ahead = 1 if found["side"] == "W" else 0
        self._worth = points if ahead == self._question.seat else -points
        if not self._pondering:
            self.verdict = Verdict(self._worth, None)
            self._knows()

    def _advises(self, sign: str, text: str) -> None:
        """The move that it would make. One that would give up names none."""
        best = None
        if sign == "=" and text.strip().lower() != "resign":
            best, _ = self._played(PONDERS, text)
        self.verdict = Verdict(self._worth, None, best)
        self._knows()

    def _names(self, sign: str, text: str) -> None:
        """The engine begins to say what is dead. Unsuited: it does not."""
        if sign == "=":
            self._naming = text.split()
            return
        self._knows()
        raise Unsuited(f"{self.who} does not say what is dead: {text!r}")

    def _names_on(self, named: list[str], line: str) -> None:
        """Stones that are none are left out. Unsuited: it names what is no point."""
        assert self._question is not None
        position = self._question.position
        named += line.split()
        if len(named) > position.rules.grid.points:
            raise RemoteProtocolError(f"more dead stones than {position.rules.grid.points} points")
        if line.strip():
            return
        self._naming, board = None, self._question.game.board(position)
        self._knows()
        try:
            points = {read_vertex(word, position.rules.size) for word in named}
        except ValueError as error:
            raise Unsuited(f"{self.who} names what is dead: {error}") from None
        self.dead = tuple(sorted(point for point in points if point in board))

    def _knows(self) -> None:
        """The engine has the board of the question, which it has answered."""
        assert self._question is not None
        self._known, self._question, self.ready = self._question.position, None, True

    def _wish(self, name: str, words: str) -> None:
        """A command that an engine need not have, and may refuse."""
        if name in self._commands:
            self._optional.add(self._command(f"{name} {words}"))

    def _command(self, words: str) -> int:
        self._last += 1
        self._say(f"{self._last} {words}")
        return self._last


def moves_between(game: Game[Position], before: Position, now: Position) -> list[str] | None:
    """The moves from ``before`` to ``now`` as ``play`` commands have them ("black D4"); None when none lead there."""
    moves: list[str] = []
    for word in list(written(now))[len(before.moves) // 2 :]:
        if word == RESUME:
            before = resumed(before)  # GTP goes on after two passes without a word
            continue
        moves.append(f"{game.sides[before.turn]} {word}")
        try:
            before = game.play(before, game.parse(before, word))
        except IllegalMove:
            return None
    return moves if before == now else None


def told_clock(question: Question) -> tuple[TimeControl | None, dict[int, Reading]]:
    """The time control an engine is told, and readings by seat: the table's where that is less than the budget."""
    if question.time is None or not question.readings:
        return None, {}
    if question.pressed:
        return question.time, dict(enumerate(question.readings))
    each_s = max(1.0, float(int(question.budget_s)))  # GTP counts in whole seconds
    return TimeControl(TimeKind.PER_MOVE, period_s=each_s), {question.seat: Reading(0.0, each_s)}
