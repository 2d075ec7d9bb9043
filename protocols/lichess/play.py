"""A seat at a table: the streams of its game, and what its program asks in it.

    a connection sits -> gameStart -> gameFull, when a stream is opened -> gameState ... -> the last one, gameFinish

A program whose stream is not open is told nothing but gameStart and gameFinish. It has no words for an interruption or
for another game at the table: it takes neither up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from protocols.chess_words.text import from_move, to_move
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core import time_text
from protocols.core.commands import Command, Decline, GiveTime, Join, PlayMove, Propose, Resign, Say
from protocols.core.errors import Refused, Why
from protocols.core.followed import Status
from protocols.core.model import Reason, SeatKind, Settings
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback
from protocols.lichess import objects
from protocols.lichess.asked import Asked, Reply, at_once, done, plain, refused
from protocols.lichess.seen import ROOMS, Seen
from protocols.lichess.wanted import wanted
from protocols.lichess.wire import OK, Line, Seek, Tree, write

NOT_BEGUN: Final = "this game has not begun"
OVER: Final = "this game is over"
NOTHING_LEFT: Final = "there is no move of yours to be taken back"

AWAY: Final = "your opponent's seat is kept for a while: then the server ends the game, or a house bot plays on"
NOT_AWAY: Final = "your opponent has not left"

BOT: Final = "bot"
"""The word for the usual house bot."""

NO_SEEK: Final = "this player waits no more"

_UNTOLD: Final = (Adjourn, Rematch)
"""Proposals of others that the program has no word for."""

_SHOWN: Final = (Draw.__name__, Takeback.__name__)
"""Proposals that the stream shows."""


class Play:
    """One seat. ``put`` takes the lines of its streams; ``prompt`` commands that nobody has asked for."""

    def __init__(self, put: Callable[[bytes], None], prompt: Callable[[Command], None]) -> None:
        self._put = put
        self._prompt = prompt
        self.seen = Seen()
        self.seated = False
        self.left = False
        """True when nothing more comes of this seat."""
        self._streaming = False
        self._untold = False
        """True from a game's beginning until the first turn, with which it is told."""
        self._made = 0
        """The moves of this seat in all."""
        self._sought = False
        """True: it has sat down beside a player who waited."""
        self._unseated = HTTPStatus.NOT_FOUND
        """The status of the answer where there is no seat."""
        self._draws = False
        """True: with the move that is being made a draw is offered."""

    def sit(self, line: Line) -> Asked:
        """A seat of the account at a table, the one beside a player who waits, or one against a house bot."""
        self.seen.at, self.seen.bot, self._sought = line.at, line.bot, line.seek is not None
        self._unseated = HTTPStatus.BAD_REQUEST if line.level else HTTPStatus.NOT_FOUND
        if line.seek is None and not line.level:
            return Asked([Join(objects.GAME, table=line.table)], self._sat)
        try:
            start = wanted(line) if line.seek is None else _start(line.seek)
        except Refused as wrong:
            return at_once(refused(wrong.text))
        except ValueError as wrong:
            return at_once(refused(str(wrong)))
        wishes = (("against", f"{BOT}:{line.level}"),) if line.seek is None else (("opponent", line.seek.name),)
        join = Join(objects.GAME, wishes=wishes, ready=False, settings=start.settings, side=start.side)
        return Asked([join, Propose(start)], self._sat)

    def _sat(self, refusal: ntf.Rejected | None) -> Reply:
        if not self.seated or refusal is not None:
            self.left = True
            busy = refusal is not None and refusal.why in (Why.OVERLOAD, Why.TOO_FAST)
            status = HTTPStatus.SERVICE_UNAVAILABLE if busy else self._unseated
            return refused("no such game" if refusal is None else refusal.text, status)
        if self.left or (self._sought and not self.seen.playing):
            self.left = True  # the player has gone, or wants another game by now
            return refused(NO_SEEK, HTTPStatus.NOT_FOUND)
        return Reply(OK | {"table": self.seen.number})

    @property
    def _told(self) -> bool:
        """True if there is a game, and the API has words for it."""
        seen = self.seen
        carried = seen.settings is not None and objects.carries(seen.settings) and len(seen.seats) == 2
        return carried and seen.first is not None and seen.seat in (0, 1)

    def stream(self, line: Line, now: float) -> Asked:
        """Open or close the game's stream."""
        if not line.yes:
            self._streaming = False
            return at_once(Reply(OK))
        if not self._told:
            return at_once(refused(NOT_BEGUN, HTTPStatus.NOT_FOUND))
        self._streaming = True
        seen = self.seen
        if line.at and not seen.at:
            seen.at = line.at
        self._put(write(seen.full() | {"state": seen.state(now)}))
        return at_once(Reply({"over": seen.outcome is not None}))

    def current(self, now: float) -> Asked:
        """The game as lists have it; nothing while none is played."""
        return at_once(Reply({"game": self.seen.game(now) if self._told and self.seen.playing else None}))

    def again(self, now: float) -> Asked:
        """Say once more that the game goes on."""
        if self._told and self.seen.playing:
            self._say_start(now)
        return at_once(Reply(OK))

    def move(self, line: Line) -> Asked:
        """A move in UCI. The same one again is no mistake: its answer was lost on the way."""
        seen = self.seen
        if not (self._told and seen.playing) or seen.settings is None:
            return at_once(self._not_now())
        if not seen.my_turn and self._is_last(line.text):
            return at_once(Reply(OK))
        move = to_move(line.text, seen.settings.variant)
        if move is None:
            return at_once(refused(f"{line.text[:20]!r} is no move in UCI"))
        self._draws, before, text = line.yes, self._made, line.text

        def judged(refusal: ntf.Rejected | None) -> Reply:
            if self._made > before or self._is_last(text):
                return Reply(OK)
            return plain(refusal)

        return Asked([PlayMove(move, ply=len(seen.moves))], judged)

    def _is_last(self, text: str) -> bool:
        """True if this is the last move that the seat has made."""
        mine = [made for made in self.seen.moves[-2:] if made.seat == self.seen.seat]
        return bool(mine) and from_move(mine[-1].move) == text.strip()

    def _not_now(self) -> Reply:
        return refused(OVER if self.seen.outcome is not None else NOT_BEGUN)

    def resign(self, line: Line) -> Asked:
        return done(Resign()) if self._told and self.seen.playing else at_once(self._not_now())

    def abort(self, line: Line) -> Asked:
        """No result, where that is possible; else a proposal, to which the opponent may agree."""
        if not (self._told and self.seen.playing):
            return at_once(self._not_now())
        return at_once(Reply(OK)) if self.seen.mine(Abort) is not None else done(Propose(Abort()))

    def claim(self, line: Line) -> Asked:
        """The victory over who has left, which the server gives by itself when the seat has been kept long enough."""
        return self._claimed(self.seen.seat)

    def draw_claim(self, line: Line) -> Asked:
        """The draw, where nobody can win: the server gives that by itself, too."""
        return self._claimed(None)

    def _claimed(self, winner: int | None) -> Asked:
        seen = self.seen
        ended = seen.outcome
        if ended is not None and (ended.winner, ended.reason) == (winner, Reason.ABANDONMENT):
            return at_once(Reply(OK))
        if not (self._told and seen.playing):
            return at_once(self._not_now())
        away = any(held.index != seen.seat and held.kind is SeatKind.RESERVED for held in seen.seats)
        return at_once(refused(AWAY if away else NOT_AWAY))

    def give(self, line: Line) -> Asked:
        """More time for the opponent."""
        return done(GiveTime(line.seconds)) if self._told and self.seen.playing else at_once(self._not_now())

    def draw(self, line: Line) -> Asked:
        return self._settle(Draw(), yes=line.yes)

    def takeback(self, line: Line) -> Asked:
        """The last move of the seat, and the answer to it; or what the opponent asks for."""
        seen = self.seen
        theirs = seen.theirs(Takeback)
        if theirs is not None or not line.yes:
            return self._settle(theirs or Takeback(), yes=line.yes)
        plies = next((at for at, made in enumerate(reversed(seen.moves), 1) if made.seat == seen.seat), 0)
        if not plies and seen.playing:
            return at_once(refused(NOTHING_LEFT))
        return self._settle(Takeback(plies), yes=True)

    def _settle(self, proposal: Proposal, *, yes: bool) -> Asked:
        """Offer this or agree to it, or decline what is offered. What is so already is done."""
        seen, kind = self.seen, type(proposal)
        if not (self._told and seen.playing):
            return at_once(self._not_now())
        if yes:
            return at_once(Reply(OK)) if seen.mine(kind) is not None else done(Propose(proposal))
        stands = seen.theirs(kind) is not None or seen.mine(kind) is not None
        return done(Decline(kind.__name__)) if stands else at_once(Reply(OK))

    def chat(self, line: Line) -> Asked:
        if not line.text.strip():
            return at_once(refused("a chat line has a text"))
        if line.room not in ROOMS:
            return at_once(refused(f"there is no room {line.room[:20]!r}: a game has {' and '.join(ROOMS)}"))
        return done(Say("players" if line.room == ROOMS[0] else "observers", line.text))

    def chats(self, line: Line) -> Asked:
        """The newest lines of the players' room."""
        shown = [made for made in self.seen.chat if made["room"] == ROOMS[0]]
        return at_once(Reply([{"text": made["text"], "user": made["username"]} for made in shown]))

    def sat_down(self, seated: ntf.Seated) -> None:
        """The seat, with all that happened before."""
        seen = self.seen
        self.seated, seen.number = True, seated.table
        seen.catch_up(seated.seat, seated.past)
        self._made = sum(made.seat == seen.seat for made in seen.moves)
        if seen.settings is not None and not objects.carries(seen.settings):
            self.left = True
            return
        if self._told and seen.playing:
            self._say_start(None)
        for made in seen.offers():
            self._proposed(made)

    def told(self, event: ntf.Notification) -> None:
        """Something has happened at the table."""
        seen = self.seen
        match event:
            case ntf.Stakes():
                seen.rate(event.players)
            case ev.SeatLeft() | ev.SeatTaken():
                line = seen.lost(event)
                seen.fold(event)
                self._tell(line)
            case ev.Said():
                self._tell(seen.said(event))
            case ev.TableClosed():
                self.left = True
            case _:
                seen.fold(event)
                self._happened(event)

    def _happened(self, event: ntf.Notification) -> None:
        seen = self.seen
        match event:
            case ev.GameStarted():
                self._untold, self._made = True, 0
            case ev.MoveMade() if event.seat == seen.seat:
                self._made += 1
                if self._draws:
                    self._draws = False
                    self._prompt(Propose(Draw()))
            case ev.TurnStarted() | ev.ClockSet() if self._told and seen.turn is not None:
                if self._untold and isinstance(event, ev.TurnStarted):
                    self._untold = False
                    self._say_start(None)
                self._say_state()
            case ev.GameResumed():
                self._untold = True
            case ev.Proposed() if event.seat != seen.seat:
                self._proposed(event)
            case ev.Proposed() if type(event.proposal).__name__ in _SHOWN:
                self._say_state()
            case ev.Declined() if event.kind in _SHOWN:
                self._say_state()
            case ev.GameEnded() if self._told:
                self._say_state()
                self._put(write({"type": "gameFinish", "game": seen.game()}))

    def _proposed(self, made: ev.Proposed) -> None:
        """Another player's proposal is shown, agreed to where the game only goes on, or declined."""
        proposal = made.proposal
        if isinstance(proposal, Draw | Takeback):
            self._say_state()
        elif isinstance(proposal, Resume) and self.seen.status is Status.ADJOURNED and self.seen.mine(Resume) is None:
            self._prompt(Propose(Resume()))
        elif isinstance(proposal, _UNTOLD):
            self._prompt(Decline(type(proposal).__name__))

    def _say_start(self, now: float | None) -> None:
        self._put(write({"type": "gameStart", "game": self.seen.game(now)}))

    def _say_state(self) -> None:
        if self._told:
            self._tell(self.seen.state())

    def _tell(self, line: Tree | None) -> None:
        if line is not None and self._streaming:
            self._put(write(line))


def _start(seek: Seek) -> Start:
    """The game that a waiting player wants, from the free side. Refused: the time cannot be read."""
    time = time_text.read(seek.time)
    return Start(Settings(objects.GAME, seek.variant, 8, 8, 2, time, seek.start, seek.rated), seek.side)


ASKS: Final[Mapping[str, Callable[[Play, Line], Asked]]] = {
    "move": Play.move,
    "resign": Play.resign,
    "abort": Play.abort,
    "claim": Play.claim,
    "draw_claim": Play.draw_claim,
    "give": Play.give,
    "draw": Play.draw,
    "takeback": Play.takeback,
    "chat": Play.chat,
    "chats": Play.chats,
}
"""The requests of a seat that need no time."""
