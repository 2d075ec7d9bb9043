"""The Go Text Protocol towards an engine of ours: the controller's side, as lines and without I/O.

Each question is a position on its own: the board is set up stone by stone, so that any process can answer for any
table; a ko that is not to be retaken it may not know. Not here: engines that dial in (protocols.gtp), clocks; processes
(program.py). Source: the Go Text Protocol, version 2, draft of 2002, by Gunnar Farnebäck.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from gateway.bots.conversation import Conversation, Question, Unsuited
from protocols.core.errors import IllegalMove, RemoteProtocolError
from protocols.core.model import Move

LEVELS: Final = {1: 1, 2: 5, 3: 10}
"""By level of ours, GNU Go's own: 10 is its usual strength, and takes a second or so on 19x19."""

COMMANDS_MAX: Final = 2000
"""Commands an engine may list; GNU Go has some hundred."""

NEEDED: Final = ("boardsize", "clear_board", "komi", "play", "genmove")

_ANSWER: Final = re.compile(r"([=?])\s*(\d{0,9})\s*(.*)")


class Gtp(Conversation):
    """The conversation with one process that speaks GTP. Its commands carry ids, so late answers count for nothing."""

    games: ClassVar[tuple[str, ...]] = ("go",)
    farewell: ClassVar[bytes] = b"quit\n"

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.remarks += [f"there is no option {name!r}: GTP has none" for name in options]
        self._commands: set[str] = set()
        self._question: Question | None = None
        self._last = 0
        self._listing = self._listed = 0
        self._answering = 0
        self._name = self._command("name")
        self._listing = self._command("list_commands")

    def ask(self, question: Question) -> None:
        game, position = question.game, question.position
        rules = position.rules
        if any(needed not in self._commands for needed in NEEDED):
            raise Unsuited(f"{self.called or 'the engine'} lacks a command of {', '.join(NEEDED)}")
        self._question, self.answer, self.ready = question, None, False
        if "level" in self._commands:
            self._command(f"level {LEVELS[question.level]}")
        self._command(f"boardsize {rules.size}")
        self._command("clear_board")
        self._command(f"komi {rules.komi:g}")
        for at, colour in sorted(game.board(position).items()):
            self._command(f"play {colour} {game.notation(position, Move(None, at, colour))}")
        turn = game.to_move(position)
        assert isinstance(turn, int)
        self._answering = self._command(f"genmove {game.sides[turn]}")

    def receive_line(self, line: str) -> None:
        found = _ANSWER.fullmatch(line.strip())
        if found is None:
            self._goes_on(line)
            return
        sign, number, text = found[1], int(found[2] or 0), found[3]
        self._listed = number if number == self._listing else 0
        if number == self._name:
            self.called = text
        elif number == self._listing:
            self._goes_on(text)
        elif number == self._answering and self._question is not None:
            self._moves(sign, text)
        elif sign == "?" and self._question is not None:
            raise RemoteProtocolError(f"it refused a command: {text!r}")

    def _goes_on(self, line: str) -> None:
        """A further line of an answer: only the list of commands has some that matter; a blank line ends it."""
        if not self._listed:
            return
        if line.strip():
            self._commands.update(line.split())
        elif self._commands:
            self._listed, self.ready = 0, True
        if len(self._commands) > COMMANDS_MAX:
            raise RemoteProtocolError(f"more than {COMMANDS_MAX} commands")

    def _moves(self, sign: str, text: str) -> None:
        """It made its move. RemoteProtocolError: the rules do not have it. One that gives up passes."""
        assert self._question is not None
        game, position = self._question.game, self._question.position
        try:
            if sign != "=":
                raise RemoteProtocolError(f"genmove: {text!r}")
            move = game.parse(position, "pass" if text.strip().lower() == "resign" else text)
            game.play(position, move)
        except IllegalMove as error:
            raise RemoteProtocolError(f"genmove {text!r}: {error}") from None
        self.answer, self._question, self.ready = move, None, True

    def _command(self, words: str) -> int:
        self._last += 1
        self._say(f"{self._last} {words}")
        return self._last
