"""The dialect cgos: an engine's client is asked who it is, takes a seat, and is asked for moves, game after game.

    PROTOCOL -> USERNAME -> PASSWORD -> WAITING -> PLAYING -> OVER -> WAITING
    PROTOCOL -> VIEWING

The server asks and the client answers; what it says unasked is ignored, but "quit". Answers have no numbers, so each
"genmove" is remembered until its answer comes, be it late. A refusal is told as "Error:", and the line is held open for
a while: these clients dial again at once when it closes.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import ClassVar, Final

from protocols.cgos import words
from protocols.cgos.game import Game
from protocols.cgos.viewer import Viewer
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core import time_text
from protocols.core.commands import (
    Command,
    Decline,
    Forfeit,
    Inquire,
    Join,
    Leave,
    MarkDead,
    PlayMove,
    Propose,
    Resign,
    Watch,
)
from protocols.core.dialect import Awaited, Connecting, Dialect
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.followed import Status
from protocols.core.line_reader import LineReader
from protocols.core.numbers import whole
from protocols.core.proposals import Abort, Resume, Score, Start
from protocols.go_words.table import CROSSED, GAME
from protocols.go_words.vertices import COLOURS, read_move, write_vertex

LONGEST: Final = 4096
"""Bytes of a line: a move, and the analysis behind it that some clients send unasked."""

OWN_TICKET: Final = 22
"""Characters from which a password may be a ticket."""

KEEPS_SEAT: Final = 8
"""Characters from which a password keeps its player's seat over a lost connection."""

HELD_S: Final = 30.0
"""Seconds that a refused client is held: one that is cut off dials again each second."""

ANSWER_S: Final = 300.0
"""Seconds for an answer to "gameover"."""

RATINGS_S: Final = 2.0
"""Seconds that a rated game waits for its players' ratings, before its engine hears of it."""

LIST_S: Final = 5.0
"""Seconds between two looks at what is being played, for a viewer."""

MOVE_S: Final = 600.0
"""Seconds for a move without a clock; with one, the flag falls."""

ENGINE: Final = "CGOS engine"

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{2,17}", re.ASCII)


class Stage(Enum):
    """The question that a connection is at."""

    PROTOCOL = auto()
    USERNAME = auto()
    PASSWORD = auto()
    VIEWING = auto()
    WAITING = auto()
    PLAYING = auto()
    OVER = auto()
    REFUSED = auto()


class Cgos(Dialect):
    name = "cgos"
    connecting = Connecting(
        "CGOS clients",
        "The client of a Computer Go Server brings a GTP engine, which plays game after game against those that wait. "
        "Its configuration has this host and port, a name and a password.",
        untried=("cgosGtp",),
    )
    plays = (GAME,)
    ticket_words = "a password: {ticket}, for the name {name}"
    login_words = "the account's name and password as those of the client"
    secret_marks = (b"",)
    quick_ack = True
    roams = True
    rounds = True
    keep_alive_s = 60.0
    options: ClassVar[Mapping[str, str]] = words.OPTIONS

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._wish = words.read_wish(options or {})
        self._lines = LineReader(LONGEST)
        self._stage = Stage.PROTOCOL
        self._called = self._password = self._key = ""
        self._table = Game()
        self._number = 0
        self._seated = False
        self._owed: deque[int | None] = deque()
        self._moving: int | None = None
        self._held = False
        self._ratings: dict[int, str] = {}
        self._viewer = Viewer()
        self._result = ""
        self._questions = 0

    @property
    def program(self) -> str:
        return ENGINE

    def connected(self) -> list[Command]:
        self._ask("protocol")
        return []

    def receive_data(self, data: bytes) -> list[Command]:
        if not data:
            self.closing = True
            return [Leave(lost=True)] if self._seated else []
        commands: list[Command] = []
        for raw in self._lines.receive_data(data):
            if self.closing:
                break
            if raw is None:
                self._queue.append(words.line(f"Error: a line has at most {LONGEST} bytes"))
                raise RemoteProtocolError(f"a line has at most {LONGEST} bytes")
            commands += self._heard(raw.decode(errors="replace").strip())
        return commands

    def _heard(self, text: str) -> list[Command]:
        if self._stage is Stage.REFUSED or not (text or self._stage in (Stage.USERNAME, Stage.PASSWORD)):
            return []
        if text == "quit":
            self.closing = True
            return [Leave()] if self._seated else []
        match self._stage:
            case Stage.PROTOCOL:
                return self._introduced(text)
            case Stage.USERNAME:
                self._named(text)
            case Stage.PASSWORD:
                return self._identified(text)
            case Stage.PLAYING | Stage.OVER if self._owed and text != "ready":
                return self._answered(text)
            case Stage.OVER if text == "ready":
                return self._free()
            case Stage.VIEWING:
                return self._views(text)
        return []

    def _ask(self, question: str) -> None:
        self._questions += 1
        self._queue.append(words.line(question))

    def _introduced(self, text: str) -> list[Command]:
        kind = text.split()[0]
        if kind == "v1":
            self._stage = Stage.VIEWING
            self.patient, self.keep_alive_s = True, LIST_S
            return [Inquire("ended", GAME, self._wish.size), Inquire("tables")]
        if kind != "e1":
            self._refuse(f"this server speaks e1 to engines and v1 to viewers, not {kind[:20]!r}")
            return []
        self._stage = Stage.USERNAME
        self._ask("username")
        return []

    def _views(self, text: str) -> list[Command]:
        """A viewer looks on at one game more."""
        said, number = text.split()[0], whole(text.split()[-1], 9)
        if said != "observe" or not number:
            return []
        return [Watch(number, aside=True) if self._viewer.is_played(number) else Inquire("record", str(number))]

    def _named(self, text: str) -> None:
        if not _NAME.fullmatch(text):
            self._refuse("a name has 3 to 18 letters, digits and _ . -, and begins with a letter")
            return
        self._called, self._stage = text, Stage.PASSWORD
        self._ask("password")

    def _identified(self, text: str) -> list[Command]:
        self._secrets.append(text)
        self._password, self._stage = text, Stage.WAITING
        if len(text) >= KEEPS_SEAT:
            self._key = hashlib.sha256(f"cgos {self._called.lower()} {text}".encode()).hexdigest()
        return [self._join()]

    def _join(self) -> Join:
        """A seat: the one that was lost, or beside a player who waits for this game.

        The one secret of the wire is a ticket, an account's password or token, or of no account, which makes a guest.
        """
        wish, secret = self._wish, self._password
        wishes = (*wish.wishes(), ("time", time_text.spell(wish.time)), ("rated", "yes" if wish.rated else "no"))
        ticket = secret if len(secret) >= OWN_TICKET else ""
        who = Join(GAME, self._called, ticket, wishes, secret=secret, key=self._key, exact=True, or_guest=True)
        who = replace(who, renews=" " in secret)
        self._table, self._owed, self._moving, self._seated = Game(), deque(), None, False
        self._held, self._ratings, self._result = False, {}, ""
        self._stage = Stage.WAITING
        return who

    def _free(self) -> list[Command]:
        """The game is over and its client ready for another, under the same name."""
        return [Leave(), self._join()]

    def _refuse(self, why: str) -> None:
        self._stage, self._held = Stage.REFUSED, False
        self._ask(f"Error: {why}")

    def _answered(self, text: str) -> list[Command]:
        """A move, for the oldest question; what stands behind it is analysis that nobody has asked for."""
        ply, table = self._owed.popleft(), self._table
        if ply is None or ply != len(table.moves) or not table.my_turn or table.seat is None:
            return []  # the game has not waited for it
        said = text.split()[0]
        if said.lower() == "resign":
            return [Resign()]
        try:
            move = read_move(table.seat, said, table.size)
        except ValueError:
            return [Forfeit(f"gives no move ({said[:20]})")]
        self._moving = ply
        return [PlayMove(move, ply=ply)]

    @property
    def awaiting(self) -> Awaited | None:
        """An answer that has a time of its own; None for a move with a clock, whose flag falls, and while it waits."""
        settings = self._table.settings
        if self._stage is Stage.REFUSED:
            return Awaited(self._questions, "nothing", HELD_S)
        if self._stage is Stage.OVER:
            return Awaited(self._questions, "ready", ANSWER_S)
        if self._held:
            return Awaited(self._questions, "ratings", RATINGS_S)
        if self._stage is Stage.PLAYING and self._owed and settings is not None and settings.time is None:
            return Awaited(self._questions, "genmove", MOVE_S)
        return None

    def late(self) -> list[Command]:
        if self._held:
            self._release()
            return []
        if self._stage is Stage.PLAYING:
            return [Forfeit("does not answer genmove in time")]
        self.closing = True
        return [Leave()] if self._seated else []

    def keep_alive(self) -> list[Command]:
        """A line that wants no answer, for what lies between may take a silent one for dead; a viewer's next list."""
        if self._stage is Stage.VIEWING:
            return [Inquire("tables")]
        if self._stage not in (Stage.PROTOCOL, Stage.USERNAME, Stage.PASSWORD, Stage.REFUSED):
            self._info("you are connected")
        return []

    def _info(self, text: str) -> None:
        self._queue.append(words.line("info", text))

    def send(self, message: ntf.Notification) -> None:
        if self.closing or self._stage is Stage.REFUSED:
            return
        match message:
            case ntf.Displaced():
                self._info(ntf.DISPLACED)
                self._seated = False
                self._refuse("another client has logged in by this name")
            case ntf.Rejected():
                self._rejected(message)
            case ntf.Named():
                self._info(message.text)
            case ntf.Answered(topic="time") if self._result:
                self._ask(f"gameover {words.date(message.lines[0])} {self._result}")
                self._result = ""
            case ntf.Answered():
                self._queue += self._viewer.told(message)
            case ntf.Stakes():
                self._ratings = {each.seat: str(each.rating) for each in message.players}
                self._release()
                self._info(message.words(self._table.seat))
            case ntf.Rated():
                self._info(message.words(self._table.seat))
            case ntf.CalledAway():
                self._prompted.append(self._join())
            case ntf.Seated():
                self._sat_down(message)
            case _ if self._seated:
                self._table.fold(message)
                self._happened(message)

    def send_aside(self, table: int, messages: Iterable[ntf.ToldAside], seq: int) -> bytes:
        return b"".join(self._viewer.step(table, messages))

    def _rejected(self, refused: ntf.Rejected) -> None:
        moving, self._moving = self._moving, None
        if self._stage is Stage.VIEWING:
            self._info(refused.text)
        elif not self._seated and not refused.at_table:
            self._refuse(refused.text)
        elif moving is not None and refused.why is Why.TOO_FAST:
            self._info(refused.text)
            self._genmove()
        elif moving is not None and refused.why not in CROSSED:
            self._prompted.append(Forfeit(f"plays an illegal move ({refused.text})"))

    def _sat_down(self, seated: ntf.Seated) -> None:
        self._number, self._seated = seated.table, True
        self._password = ""  # the connection is known by now
        self._table.catch_up(seated.seat, seated.past)
        match self._table.status:
            case Status.PLAYING | Status.ADJOURNED:
                self._set_up()
                self._genmove()
            case Status.SETTLING:
                self._set_up()
                self._claim()
            case Status.OVER:
                self._prompted += self._free()
        for made in self._table.offers():
            self._proposed(made)

    def _happened(self, event: ntf.Notification) -> None:
        """Say an event of the table."""
        table = self._table
        match event:
            case ev.GameStarted():
                self._owed.clear()
                self._stage, self._ratings = Stage.PLAYING, {}
                self._held = event.settings.rated
                self._questions += 1
                if not self._held:
                    self._set_up()
            case ev.TurnStarted():
                self._tell_moves()
                self._genmove()
            case ev.MovesTakenBack() | ev.GameResumed():
                self._set_up()
            case ev.GameSettling():
                self._tell_moves()
                self._claim()
            case ev.Proposed() if event.seat != table.seat:
                self._proposed(event)
            case ev.GameEnded():
                self._release()
                self._tell_moves()
                self._stage, self._moving = Stage.OVER, None
                self._questions += 1
                self._result = words.outcome(event.outcome)
                self._prompted.append(Inquire("time"))  # it is told with the day
            case ev.TableClosed() if self._stage is not Stage.OVER:
                self._prompted += self._free()

    def _release(self) -> None:
        """Tell a game that was held back until its players' ratings were known."""
        if self._held:
            self._set_up()
            self._genmove()

    def _set_up(self) -> None:
        """The game as it stands; answers to what was asked before are void."""
        table = self._table
        self._stage, self._moving, self._held = Stage.PLAYING, None, False
        self._owed = deque([None] * len(self._owed))
        names = {seat: self._called if seat == table.seat else table.name(seat) for seat in (0, 1)}
        tail = list(table.told())
        placed = sorted((square, piece) for square, piece in table.start if piece in COLOURS)
        self._queue.append(words.setup(table, self._number, names, () if placed else tail, self._ratings))
        if placed:
            for square, piece in placed:
                self._play(piece[0], write_vertex(square, table.size), words.left(table, table.clock, 0))
            for made, (vertex, left) in zip(table.moves, tail, strict=True):
                self._play(words.colour(made.seat), vertex, left)
        table.untold = len(table.moves)

    def _play(self, colour: str, vertex: str, left: int) -> None:
        self._queue.append(words.line("play", colour, vertex, left))

    def _tell_moves(self) -> None:
        """The other side's moves that its client has not been told, with what the mover has left now."""
        if not self._held:
            for seat, vertex, left in self._table.news():
                if seat != self._table.seat:
                    self._play(words.colour(seat), vertex, left)

    def _genmove(self) -> None:
        """Ask for a move, once for each turn."""
        table, ply = self._table, len(self._table.moves)
        if self._held or table.status is not Status.PLAYING:
            return
        if table.seat is not None and table.my_turn and ply not in self._owed:
            self._owed.append(ply)
            self._ask(f"genmove {words.colour(table.seat)} {words.left(table, table.clock, table.seat)}")

    def _claim(self) -> None:
        """All stones that stand are alive: these engines play on until what is dead is taken."""
        self._prompted.append(MarkDead((), program=True))

    def _proposed(self, made: ev.Proposed) -> None:
        """Its program has no word for what the opponent proposes; a dead stone is to be taken, once."""
        table, proposal = self._table, made.proposal
        match proposal:
            case Start():
                return
            case Resume():
                self._prompted.append(Propose(proposal))
            case Score():
                if proposal.dead and len(table.stops) == 1:
                    self._prompted.append(Propose(Resume()))
            case Abort() if table.settings is not None and not table.settings.rated:
                self._prompted.append(Propose(proposal))
            case _:
                self._prompted.append(Decline(type(proposal).__name__))
