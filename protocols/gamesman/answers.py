"""Answers to one GAMESMAN player, the requests that wait, and the one that the table has not answered yet.

A player has one last request; its answer is the opponent's next word. The same request may come again, because the
connection was lost: it joins the wait, or gets the same answer. A move is first played as it is written. Where the game
cannot read it and it holds blanks, it is a turn of several steps: they are played one after another.
Source: the P2P module documentation of GAMESMAN.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from protocols.core.commands import PlayMove
from protocols.core.errors import Why
from protocols.core.http_binding import Fields
from protocols.core.notifications import Rejected
from protocols.gamesman import wire
from protocols.gamesman.wire import Request

MOST_WAITING: Final = 8
"""Requests of one player that wait at once: it needs one, and may have lost a few on the way without our knowing."""

Word: TypeAlias = tuple[str, str | None]
"""A word of the opponent or the server: a type, and its move where it has one."""


class Answers:
    """``last`` is the request that was accepted last, ``word`` its answer, None while the opponent says nothing.

    ``guessed``: ``last`` is what the record shows, not what was received. ``delivered``: the answer has left for
    a client that was there to read it.
    """

    def __init__(self, queue: list[bytes]) -> None:
        """``queue`` takes the answering header sets."""
        self._queue = queue
        self.forget()

    def forget(self) -> None:
        """A game begins: nothing was accepted, or answered."""
        self.last: Request | None = None
        self.guessed = False
        self.word: Word | None = None
        self.delivered = False
        self._waits: list[Request] = []
        self._answered: set[int] = set()

    @property
    def waiting(self) -> bool:
        """True if a request waits."""
        return bool(self._waits)

    def guess(self, step: str | None, *, goes_on: bool = False) -> None:
        """The record shows a step of this player, of the same turn as the one before it if it ``goes_on``.

        None: it was asked for no move yet, but the game has begun.
        """
        last = self.last or Request(0, wire.SEND_MOVE, None, turn=0)
        if step is not None and goes_on and last.move is not None:
            last = replace(last, move=f"{last.move} {step}")
        elif step is not None:
            last = replace(last, move=step, turn=(last.turn or 0) + 1)
        self.accept(last)
        self.guessed = True

    def accept(self, request: Request) -> None:
        """``request`` is the last now, and waits for what the opponent says."""
        self.last, self.guessed, self.word, self.delivered = request, False, None, False
        self._waits, self._answered = [], set()
        self._wait(request)

    def accept_too(self, request: Request) -> None:
        """``request`` is the last now, and what waits already gets the same answer."""
        waits = self._waits
        self.accept(request)
        self._waits += waits

    def again(self, request: Request) -> bool:
        """The last request has come once more; False, and nothing done, when it is a new one that reads the same.

        A second initialization while the first waits is one; so is a move once the answer has been delivered. Where the
        player counts its turns, neither is.
        """
        counted = request.turn is not None
        if self.word is None and (counted or request.move is not None or not self._waits):
            self._wait(request)
        elif self.word is not None and (counted or not self.delivered):
            self.reply(request)
        else:
            return False
        self.last, self.guessed = request, False
        return True

    def _wait(self, request: Request) -> None:
        if len(self._waits) >= MOST_WAITING:
            self.ignore(self._waits.pop(0), "the same request has come too often")
        if request.number:
            self._waits.append(request)

    def lose(self, number: int) -> None:
        """The answer to this request is not awaited any more."""
        self._waits = [request for request in self._waits if request.number != number]
        if number in self._answered:
            self._answered.remove(number)
            self.delivered = bool(self._answered)

    def tell(self, word: Word, *, delivered: bool = False) -> None:
        """Answer everything that waits; if nothing does, keep the answer. ``delivered``: it was told before."""
        waits, self._waits = self._waits, []
        self.word, self.delivered = word, delivered
        for request in waits:
            self.reply(request)

    def turn_away(self, text: str, code: int = wire.REFUSED) -> None:
        """An error is the answer to everything that waits."""
        waits, self._waits = self._waits, []
        for request in waits:
            self.refuse(request, text, code)

    def reply(self, request: Request) -> None:
        """Answer with the opponent's word. The names are spelled as the player spells them, byte by byte."""
        if not request.number or self.word is None:
            return
        kind, move = self.word
        own = kind in (wire.ACK_END, wire.ACK_RESIGN)
        source, dest = (request.source, request.dest) if own else (request.dest, request.source)
        said = ((wire.MOVE, move.encode(errors="replace")),) if move is not None else ()
        self._say(request, ((wire.TYPE, kind.encode()), *said, (wire.SRC, source), (wire.DEST, dest)))
        self.delivered = True
        self._answered.add(request.number)

    def refuse(self, request: Request, text: str, code: int = wire.REFUSED) -> None:
        """Answer with an error."""
        self._say(request, wire.error(text, code))

    def ignore(self, request: Request, why: str) -> None:
        """The request changes nothing, and its answer says nothing; ``why`` is for the log."""
        self._say(request, ((wire.WARNING, why.encode()),))

    def _say(self, request: Request, fields: Fields) -> None:
        if request.number:
            self._queue.append(wire.write_set(((wire.REQUEST, str(request.number).encode()), *fields)))


@dataclass(slots=True)
class Asked:
    """A request without the table's answer: ``steps`` are what is left of its turn, ``made`` how many were played."""

    request: Request
    steps: list[str] = field(default_factory=list)
    made: int = 0

    def whole(self, ply: int) -> PlayMove:
        """The move as it is written; ``ply`` moves have been made."""
        return PlayMove(text=self.request.move or "", ply=ply)

    def split(self, refusal: Rejected, ply: int) -> PlayMove | None:
        """The first step, where the whole was refused because it is several."""
        words = (self.request.move or "").split()
        if refusal.why is not Why.SYNTAX or len(words) < 2 or self.made or self.steps:
            return None
        self.steps = words[1:]
        return PlayMove(text=words[0], ply=ply)

    def played(self, ply: int) -> PlayMove | None:
        """A step was played, ``ply`` moves have been made; the next one, None: that was all."""
        self.made += 1
        return PlayMove(text=self.steps.pop(0), ply=ply) if self.steps else None

    def over(self, refusal: Rejected) -> bool:
        """True if a step was refused only because the turn had ended before it."""
        return bool(self.made) and refusal.why in (Why.NOT_YOUR_TURN, Why.NOT_PLAYING)

    def lose(self, number: int) -> None:
        """The answer to the request of this number is not awaited any more."""
        if self.request.number == number:
            self.request = replace(self.request, number=0)
