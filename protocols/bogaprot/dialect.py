"""Bogaprot, GGZ's unified board game protocol: the server's side, for clients of the document and for GGZBoard's own.

A listener without the option ``game`` waits for REQ_HANDSHAKE and speaks as the document says (profile Spec). One with
it serves GGZBoard's clients, which send no handshake and die of an answer to one (profile Legacy).

Sources: the Bogaprot document; what GGZ's historic clients and servers do where it is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, ClassVar, Final

from protocols.bogaprot import messages as say
from protocols.bogaprot.extensions import Extensions, saying
from protocols.bogaprot.profiles import Profile, Spec, legacy
from protocols.bogaprot.words import (
    ADJOURNED,
    CLAIM,
    DECLINED,
    SETTLING,
    Words,
    read_written,
    request,
    secrets_of,
    word_of,
)
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import (
    ClaimEnd,
    Command,
    Decline,
    GiveTime,
    Join,
    Leave,
    MarkDead,
    PlayMove,
    Propose,
    Resign,
    Say,
)
from protocols.core.dialect import Connecting
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.followed import FollowedTable
from protocols.core.model import Move, Reason
from protocols.core.opcode_dialect import OpcodeDialect
from protocols.core.opcodes import Message, OpcodeProtocol
from protocols.core.proposals import Abort, Start

TOO_EARLY: Final = "no game yet: send REQ_HANDSHAKE and wait for REQ_MOVE"
ALREADY_SEATED: Final = "already seated"
FIRST: Final = 0
"""The side that GGZBoard's clients ask for: their mouse moves the pieces of seat 0 only."""

COMPARED: Final = (ev.GameStarted, ev.MoveMade)
"""Events that are told by the board before them: their methods fold them into the table."""

NO_HANDSHAKE_HERE: Final = "this port is for clients that send no handshake"


ENGINES: Final = (
    ("Ethereal", "ethereal-chess"),
    ("Fairy-Max", "fairymax"),
    ("Fairy-Stockfish", "fairy-stockfish"),
    ("Glaurung", "glaurung"),
    ("GNU Chess", '"gnuchess --uci"'),
    ("HoiChess", "hoichess"),
    ("Sjaak II", "sjaakii"),
    ("Sjeng", "sjeng"),
    ("Toga II", "toga2"),
)
"""Engines that have played here by ``boardgate bot``, and how each is started."""


class State(StrEnum):
    """The states of a connection: not introduced, waiting for a seat, at a table."""

    WAITING = "waiting"
    ASKED = "asked"
    SEATED = "seated"


class Bogaprot(OpcodeDialect):
    name = "bogaprot"
    connecting = Connecting(
        "The terminal client, and programs of Bogaprot",
        "Bogaprot carries every game. Boardgate's own client for the terminal speaks it, and GGZBoard's programs do.",
        (
            ("Boardgate, in a terminal", "boardgate play ludo {address}"),
            ("Boardgate's own bot, which waits for players", "boardgate bot checkers {address}"),
            ("Stockfish, or another engine that waits for players", "boardgate bot chess {address} --engine stockfish"),
            *((name, f"boardgate bot chess {{address}} --engine {command}") for name, command in ENGINES),
            ("GNU Go, which waits for players", 'boardgate bot go {address} --engine "gnugo --mode gtp"'),
        ),
        (("A program that sends no handshake plays {game} here", "{address}"),),
        ("GGZBoard's windows for Ludo and Arimaa",),
    )
    secret_marks = (b"#", b"secret")
    ticket_words = "a handshake for the engine {game}#{ticket}"
    login_words = "a handshake with name=NAME&secret=PASSWORD"
    protocol: ClassVar[OpcodeProtocol] = say.BOGAPROT
    options: ClassVar[Mapping[str, str]] = {
        "game": "the game of a port without handshake, for GGZBoard's own clients",
        "variant": "the rule set on a port without handshake",
        "seats": "how many seats a table has on a port without handshake",
        "start": "the text of the position to begin with on a port without handshake",
        "width": "what these clients multiply y with, where it is not the board's width (ludo: 10)",
        "window": "yes: for GGZBoard's Ludo window, as is game=ludo,variant=ggzboard,width=10 without it; or no",
        "byte_order": "big, or little for GGZ 0.0.13 on x86",
    }

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        given = options or {}
        self._game = given.get("game", "").strip().lower()
        self._wishes = tuple((key, given[key]) for key in ("variant", "seats", "start") if given.get(key))
        self._profile: Profile = legacy(self._game, given) if self._game else Spec()
        self._answers = _LEGACY if self._game else _SPEC
        self.passes = not self._game
        self._state = State.WAITING
        self._table = FollowedTable()
        self._words = Words()
        self._extensions = Extensions()
        self._unanswered: Command | None = None
        """The command of the last MSG_MOVE until it is answered."""
        self._placed = ""
        """The piece of a placement that is unanswered, as the client wrote it."""

    @property
    def hears_talk(self) -> bool:  # type: ignore[override]
        return self._extensions.talk

    def connected(self) -> list[Command]:
        if not self._game:
            return []
        self._state = State.ASKED
        return [Join(self._game, wishes=self._wishes, by_address=True, side=FIRST)]

    def _received(self, message: Message) -> Command | None:
        answer = self._answers[self._state].get(message.name)
        if answer is None:
            raise RemoteProtocolError(f"{message.name} {message.values!r} while {self._state.value}")
        return answer(self, message)

    def _closed(self) -> list[Command]:
        return [] if self._state is State.WAITING else [Leave(lost=True)]

    def _ask(self, message: Message) -> Command | None:
        engine, version = message.values
        if version != say.VERSION:
            why = Why.OLD_VERSION if int(version) < say.VERSION else Why.NEW_VERSION
            self._tell(say.handshake_refused(say.sentence(ntf.Rejected(why))))
            return None
        self._state = State.ASKED
        self._secrets += secrets_of(str(engine))
        return self._extensions.asked(request(str(engine)))

    def _ask_again(self, message: Message) -> None:
        """Answered, not punished: a client that asks twice can go on with the seat it has."""
        self._tell(say.handshake_refused(ALREADY_SEATED))

    def _no_handshake(self, message: Message) -> None:
        """A client of the document on the wrong port: it is told so, for RSP_HANDSHAKE is what it waits for."""
        self._tell(say.handshake_refused(NO_HANDSHAKE_HERE))

    def _too_early(self, message: Message) -> None:
        self._tell(say.move_refused(TOO_EARLY))

    def _play(self, message: Message) -> Command | None:
        if message.values[0] == message.values[1] == say.NOT_GIVEN and self._words.promotion(str(message.values[2])):
            self._tell(say.ACCEPTED)
            return None
        if any(isinstance(value, int) and value < say.NOT_GIVEN for value in message.values):  # no square, and no word
            self._refuse_move(say.sentence(ntf.Rejected(Why.OUT_OF_BOUNDS)))
            return None
        command = self._asked(message)
        if command is None:
            self._refuse_move(f"'{message.values[-1]}' means nothing now")
            return None
        self._unanswered = command
        self._placed = str(message.values[2]) if self._places() else ""
        return command

    def _asked(self, message: Message) -> Command | None:
        """The command of a MSG_MOVE; None for a word that means nothing."""
        values: tuple[Any, ...] = message.values
        source, destination = values[0], values[1]
        if source < 0 and destination < 0 and (said := saying(str(values[2]))) is not None:
            return said
        if source < 0 and destination < 0 and (written := read_written(str(values[2]))) is not None:
            return written
        if source < 0:
            piece = values[2].strip().lower()
            if destination >= 0:
                return PlayMove(Move(None, destination, piece))
            return ClaimEnd(self._table.seat) if piece == CLAIM else self._words.read(piece, self._table.offers())
        if destination < 0:
            return PlayMove(Move(source, None))
        if not self._game:
            return self._words.plain(source, destination)
        return self._profile.played(self._table, source, destination)

    def send(self, message: ntf.Notification) -> None:
        kind = type(message)
        if kind not in COMPARED:
            self._table.fold(message)
        if (tell := _TELL.get(kind)) is not None:
            tell(self, message)

    def _seated(self, message: ntf.Seated) -> None:
        """RSP_HANDSHAKE only where it was asked for; then the seat, the players, and the game as it stands."""
        self._table = table = FollowedTable()
        table.catch_up(message.seat, message.past)
        if self._state is State.ASKED and not self._game:
            self._tell(say.WELCOME)
        self._state = State.SEATED
        if message.seat is not None:
            self._tell(Message("MSG_SEAT", (message.seat,)))
        self._tell(say.players(table.seats))
        if table.started:
            clocks = map(say.word, self._extensions.clocks(table.clock))
            self._tell(say.START, *self._profile.position(table), *clocks)
        self._tell(*map(say.word, self._extensions.missed(message.past, message.seat)))
        if table.started:
            self._tell(*self._pending())
        if message.seat is not None:
            self._tell(*(told for made in table.offers() for told in self._offered(made)))

    def _pending(self) -> list[Message]:
        """The game's present state: a move is awaited after these dice, or the game is over."""
        table = self._table
        if table.outcome is not None:
            over = say.game_over(table.outcome, self._profile.draw(len(table.seats)))
            return [*map(say.word, self._extensions.over(table.outcome)), over]
        if table.settling:
            return self._profile.said(SETTLING)
        dice = table.dice if table.turn in (None, table.roller) else []  # None: interrupted, the roll stands
        told = [Message("MSG_DICE", (value,)) for value in dice]
        return told if table.turn is None else [*told, *self._ask_for_move(table.turn)]

    def _ask_for_move(self, seat: int) -> list[Message]:
        return self._profile.asked(seat, own=seat == self._table.seat)

    def _rejected(self, message: ntf.Rejected) -> None:
        text = say.sentence(message)
        if self._state is State.SEATED:
            if self._places() and message.why is Why.NO_SUCH_PIECE:
                text = say.not_available(self._placed)
            self._unanswered = None
            self._refuse_move(text)
        elif self._game:
            self.closing = True  # these clients know no message for it
        else:
            self._state = State.WAITING
            status = say.PASSWORD_NEEDED if message.why is Why.PASSWORD_NEEDED else say.REFUSED
            self._tell(say.handshake_refused(text, status))

    def _named(self, message: ntf.Named) -> None:
        self._remark(message.text)

    def _rated(self, message: ntf.Stakes | ntf.Rated) -> None:
        self._remark(message.words(self._table.seat))

    def _remark(self, text: str) -> None:
        """Words of the server, to a client that has asked for sayings."""
        self._tell(*map(say.word, self._extensions.said(ev.Said(None, "all", text))))

    def _displaced(self, message: ntf.Displaced) -> None:
        self._tell(say.seat_taken(ntf.DISPLACED))
        self.closing = True

    def _refuse_move(self, text: str) -> None:
        """REQ_MOVE follows only if it is this client's turn: the request made to another seat still stands."""
        self._tell(say.move_refused(text))
        seat = self._table.turn
        if seat is not None and seat == self._table.seat:
            self._tell(*self._ask_for_move(seat))

    def _accept(self, seat: int, *kinds: type[Command]) -> None:
        """RSP_MOVE 0, if what ``seat`` has done is what this client has asked for."""
        if seat == self._table.seat and isinstance(self._unanswered, kinds):
            self._unanswered = None
            self._tell(say.ACCEPTED)

    def _places(self) -> bool:
        """True if the client has asked for a placement that is not answered."""
        move = self._unanswered.move if isinstance(self._unanswered, PlayMove) else None
        return move is not None and move.source is None and move.target is not None

    def _sat(self, event: ev.SeatTaken | ev.SeatLeft) -> None:
        self._tell(say.players(self._table.seats))

    def _turned(self, event: ev.SeatsTurned) -> None:
        if self._table.seat is not None:
            self._tell(Message("MSG_SEAT", (self._table.seat,)))
        self._tell(say.players(self._table.seats))

    def _started(self, event: ev.GameStarted) -> None:
        self._tell(*self._profile.started(self._table, event))
        self._table.fold(event)

    def _turn(self, event: ev.TurnStarted) -> None:
        self._tell(*self._ask_for_move(event.seat))
        if event.clock is not None:
            self._tell(*map(say.word, self._extensions.clocks(event.clock)))

    def _timed(self, event: ev.ClockSet) -> None:
        self._tell(*map(say.word, self._extensions.clocks(event.clock)))

    def _rolled(self, event: ev.DiceRolled) -> None:
        self._tell(Message("MSG_DICE", (event.value,)))

    def _moved(self, event: ev.MoveMade) -> None:
        told = self._profile.moved(self._table, event)
        if event.seat == self._table.seat:
            placed = self._placed if self._places() else ""
            self._accept(event.seat, PlayMove)
            if placed and told and event.move.target is not None:
                echo = say.placed(event.move.target, placed)
                told = [echo, *(message for message in told if message != echo)]
        self._tell(*told)
        self._table.fold(event)

    def _changed(self, event: ev.MovesTakenBack | ev.SeatWithdrawn) -> None:
        if isinstance(event, ev.SeatWithdrawn):
            self._accept(event.seat, Resign)
        self._tell(*self._profile.changed(event.changes))

    def _proposed(self, event: ev.Proposed) -> None:
        self._accept(event.seat, Propose, MarkDead)
        self._tell(*self._offered(event))

    def _offered(self, made: ev.Proposed) -> list[Message]:
        word = word_of(made.proposal)
        return self._profile.said(word) if word else []

    def _declined(self, event: ev.Declined) -> None:
        self._accept(event.seat, Decline)
        if event.kind != Start.__name__:
            self._tell(*self._profile.said(DECLINED))

    def _adjourned(self, event: ev.GameAdjourned) -> None:
        self._tell(*self._profile.said(ADJOURNED))

    def _settling(self, event: ev.GameSettling) -> None:
        if not self.passes:
            self._prompted.append(MarkDead(()))  # these clients have no word for dead stones either
        self._tell(*self._profile.said(SETTLING))

    def _ended(self, event: ev.GameEnded) -> None:
        if self._table.seat is not None and event.outcome.reason in (Reason.RESIGNATION, Reason.CLAIM):
            claimed = event.outcome.reason is Reason.CLAIM
            self._accept(self._table.seat, *((Propose, ClaimEnd) if claimed else (Resign,)))
        if event.outcome.reason is Reason.VOID and self._unanswered == Propose(Abort()):
            self._tell(say.ACCEPTED)  # its first move was still to come: nobody had to agree
        self._unanswered = None
        self._tell(*self._pending())

    def _said(self, event: ev.Said) -> None:
        if event.seat is not None:
            self._accept(event.seat, Say, GiveTime)
        self._tell(*map(say.word, self._extensions.said(event)))

    def _table_closed(self, event: ev.TableClosed) -> None:
        self.closing = True


_Answers = Mapping[State, Mapping[str, Callable[[Bogaprot, Message], Command | None]]]

_SPEC: Final[_Answers] = {
    State.WAITING: {"REQ_HANDSHAKE": Bogaprot._ask, "MSG_MOVE": Bogaprot._too_early},
    State.ASKED: {},
    State.SEATED: {"REQ_HANDSHAKE": Bogaprot._ask_again, "MSG_MOVE": Bogaprot._play},
}
_LEGACY: Final[_Answers] = {
    State.WAITING: {},
    State.ASKED: {},
    State.SEATED: {"REQ_HANDSHAKE": Bogaprot._no_handshake, "MSG_MOVE": Bogaprot._play},
}
"""The state machine: what each message does in each state. A message that is not listed breaks the protocol; while a
seat is asked for there are none, for messages wait until that is answered."""

_TELL: Final[Mapping[type, Callable[[Bogaprot, Any], None]]] = {
    ntf.Seated: Bogaprot._seated,
    ntf.Rejected: Bogaprot._rejected,
    ntf.Named: Bogaprot._named,
    ntf.Stakes: Bogaprot._rated,
    ntf.Rated: Bogaprot._rated,
    ntf.Displaced: Bogaprot._displaced,
    ev.SeatTaken: Bogaprot._sat,
    ev.SeatLeft: Bogaprot._sat,
    ev.SeatsTurned: Bogaprot._turned,
    ev.GameStarted: Bogaprot._started,
    ev.TurnStarted: Bogaprot._turn,
    ev.ClockSet: Bogaprot._timed,
    ev.DiceRolled: Bogaprot._rolled,
    ev.MoveMade: Bogaprot._moved,
    ev.MovesTakenBack: Bogaprot._changed,
    ev.SeatWithdrawn: Bogaprot._changed,
    ev.Proposed: Bogaprot._proposed,
    ev.Declined: Bogaprot._declined,
    ev.GameAdjourned: Bogaprot._adjourned,
    ev.GameSettling: Bogaprot._settling,
    ev.GameEnded: Bogaprot._ended,
    ev.Said: Bogaprot._said,
    ev.TableClosed: Bogaprot._table_closed,
}
