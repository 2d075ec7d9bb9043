"""A game as the program that plays it knows it, folded from what its table tells, and the API's objects for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols.chess_words.text import from_move
from protocols.core import events as ev
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import Clock, Reading, SeatKind, TimeControl
from protocols.core.notifications import Points, SeatStakes
from protocols.core.proposals import Draw, Takeback
from protocols.lichess import objects
from protocols.lichess.wire import Tree

SOURCE: Final = "friend"
"""Where a game comes from, in the API's words: two have agreed on it."""

MOST_CHAT: Final = 100
"""Chat lines that are kept, for a program that asks for what was said."""

SERVER: Final = "server"
"""The name of who says what no player has said."""

ROOMS: Final = ("player", "spectator")
"""The rooms of a game's chat."""


@dataclass(slots=True)
class Seen(FollowedTable):
    """``number`` is the table's, ``programs`` are the seats where engines play, ``points`` ratings by seat.

    ``chat`` are the newest lines. ``grace_s`` are the seconds that a lost seat is kept, ``at`` the Unix time in
    milliseconds that counts as the game's beginning, ``bot`` whether the connection's account is a program's.
    """

    number: int = 0
    at: int = 0
    bot: bool = False
    grace_s: float = 0.0
    programs: set[int] = field(default_factory=set)
    points: dict[int, Points] = field(default_factory=dict)
    chat: list[Tree] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The game's identifier; that of the table's first one while none has begun."""
        return objects.game_id(self.number, 1 if self.first is None else self.first.number)

    @property
    def playing(self) -> bool:
        """True if moves can be made."""
        return self.status is Status.PLAYING

    def _arrived(self, event: ev.SeatTaken) -> None:
        if event.program or event.kind is SeatKind.BOT:
            self.programs.add(event.seat)
        elif event.kind is SeatKind.PLAYER:
            self.programs.discard(event.seat)

    def _opens(self, event: ev.TableOpened) -> None:
        self.grace_s = event.house.grace_s

    def _turned(self, event: ev.SeatsTurned) -> None:
        count = len(self.seats) or 1
        self.programs = {(seat + event.by) % count for seat in self.programs}
        self.points = {}

    def _began(self, event: ev.GameStarted) -> None:
        self.chat = []

    def said(self, event: ev.Said) -> Tree | None:
        """The chat line of what was said; None for a line without a letter."""
        if not event.text.strip():
            return None
        name = event.name or (SERVER if event.seat is None else self.holder(event.seat))
        room = ROOMS[event.to == "observers"]
        line = {"type": "chatLine", "room": room, "username": name, "text": event.text}
        self.chat = [*self.chat[1 - MOST_CHAT :], line]
        return line

    def rate(self, players: tuple[SeatStakes, ...]) -> None:
        """The ratings of those who sit here are known."""
        self.points = {each.seat: each.rating for each in players}

    def holder(self, seat: int) -> str:
        """The name of a seat's player, or of the last one that it had."""
        return self.name(seat) or (self.players[seat] if seat < len(self.players) else "")

    def player(self, seat: int) -> Tree:
        bot = seat in self.programs or (self.bot and seat == self.seat)
        return objects.player(self.holder(seat), bot=bot, points=self.points.get(seat))

    def full(self) -> Tree:
        """The first line of a game's stream, but for its state; the game has begun."""
        assert self.settings is not None
        assert self.first is not None
        settings = self.settings
        told = {
            "type": "gameFull",
            "id": self.id,
            "rated": settings.rated,
            "variant": objects.variant(settings),
            "speed": objects.speed(settings.time),
            "perf": objects.perf(settings),
            "createdAt": self.at,
            "white": self.player(0),
            "black": self.player(1),
            "initialFen": self.initial,
        }
        return told | objects.clock(settings.time)

    @property
    def initial(self) -> str:
        """The first position: a FEN where it is not the rule set's own."""
        settings, first = self.settings, self.first
        if settings is None or first is None:
            return "startpos"
        return first.position if settings.start or settings.variant == "fischerandom" else "startpos"

    def state(self, now: float | None = None) -> Tree:
        """The moves, the clocks and what is offered. ``now`` is on the server's monotonic line; None: a turn begins."""
        left = left_ms(self.clock, self._time, now)
        step = 0 if self._time is None else int(self._time.increment_s * 1000)
        told: Tree = {
            "type": "gameState",
            "moves": " ".join(from_move(made.move) for made in self.moves),
            "wtime": left[0],
            "btime": left[1],
            "winc": step,
            "binc": step,
            "status": objects.ending(self.outcome),
        }
        for kind, word in ((Draw, "draw"), (Takeback, "takeback")):
            for made in self.standing:
                if isinstance(made.proposal, kind):
                    told[f"{'b' if made.seat else 'w'}{word}"] = True
        return told | objects.winner(self.outcome)

    @property
    def _time(self) -> TimeControl | None:
        return None if self.settings is None else self.settings.time

    def game(self, now: float | None = None) -> Tree:
        """The game as lists and the event stream have it, from the side of its player."""
        assert self.settings is not None
        seat, settings = self.seat or 0, self.settings
        last = self.moves[-1].move if self.moves else None
        other = self.player(1 - seat)
        position = self.positions[-1].position if self.positions else ""
        opponent = {"id": other["id"], "username": other["name"], "rating": other["rating"]}
        told = {
            "fullId": self.id,
            "gameId": self.id,
            "id": self.id,
            "fen": position,
            "color": objects.colour(seat),
            "lastMove": "" if last is None else from_move(last),
            "source": SOURCE,
            "status": objects.status(objects.ending(self.outcome)),
            "variant": {name: text for name, text in objects.variant(settings).items() if name != "short"},
            "speed": objects.speed(settings.time),
            "perf": objects.speed(settings.time),
            "rated": settings.rated,
            "hasMoved": any(made.seat == seat for made in self.moves),
            "opponent": opponent,
            "isMyTurn": self.my_turn,
            "compat": {"bot": True, "board": True},
        }
        if settings.time is not None:
            told["secondsLeft"] = left_ms(self.clock, settings.time, now)[seat] // 1000
        return told | objects.winner(self.outcome)

    def lost(self, event: ev.SeatLeft | ev.SeatTaken) -> Tree | None:
        """The line that says whether the opponent is there; None where that is no news of it."""
        if event.seat == self.seat or not self.playing:
            return None
        if isinstance(event, ev.SeatTaken):
            return {"type": "opponentGone", "gone": False}
        return {"type": "opponentGone", "gone": True, "claimWinInSeconds": int(self.grace_s)}


def left_ms(clock: Clock | None, time: TimeControl | None, now: float | None) -> tuple[int, int]:
    """Milliseconds that White and Black have left; of a running clock what has gone by ``now`` is taken off."""
    if time is None:
        return objects.UNTIMED_MS, objects.UNTIMED_MS
    if clock is None or len(clock.readings) < 2:
        each = int((time.period_s if time.by_days else time.main_s) * 1000)
        return each, each
    white, black = (_ms(reading, clock, seat, now) for seat, reading in enumerate(clock.readings[:2]))
    return white, black


def _ms(reading: Reading, clock: Clock, seat: int, now: float | None) -> int:
    gone = 0.0 if now is None or clock.running != seat else max(0.0, now - clock.since)
    left_s = reading.main_s + (reading.period_s if reading.main_s <= 0 else 0.0)
    return int(max(0.0, left_s - gone) * 1000)


Seen.steps = {
    ev.TableOpened: Seen._opens,
    ev.SeatTaken: Seen._arrived,
    ev.SeatsTurned: Seen._turned,
    ev.GameStarted: Seen._began,
}
