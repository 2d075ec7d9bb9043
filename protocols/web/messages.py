"""A page's messages: their shapes and limits, and the commands that come of them.

A message is one JSON object; ``type`` says which. ``id`` is the page's own number and comes back with the answer.
Squares are numbered as everywhere: y * width + x, y = 0 the top row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from protocols.core import commands as cmd
from protocols.core import proposals as pro
from protocols.core.commands import Command
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import Move, Settings, TimeControl, TimeKind
from protocols.core.numbers import option_text

VERSION: Final = 1

LARGEST: Final = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""

Id = Annotated[int, Meta(ge=0, le=LARGEST)]
Square = Annotated[int, Meta(ge=0, le=0xFFFF)]
Seat = Annotated[int, Meta(ge=0, le=63)]
Ply = Annotated[int, Meta(ge=0, le=0x7FFFFFFF)]
Word = Annotated[str, Meta(max_length=64)]
Line = Annotated[str, Meta(max_length=500)]
Value = Line | int | float
"""An option's: text, or a number as the API takes it."""
Seconds = Annotated[float, Meta(ge=0, le=30 * 24 * 3600)]
Given = Annotated[int, Meta(ge=1, le=600)]
Count = Annotated[int, Meta(ge=0, le=9999)]
What = Literal["start", "draw", "takeback", "adjourn", "abort", "resume", "rematch", "score", "end"]


class Message(Struct, kw_only=True, tag_field="type"):
    """Fields that are not listed are passed over. ``id`` None: the page does not number it."""

    id: Id | None = None


class Hello(Message, tag="hello"):
    """The first message. With ``table`` to the seat of ``ticket``, or as an observer; ``after`` is what it knows.

    ``beat``: the page answers pings of the WebSocket at once, and is gone when it does not.
    ``account``: to the seat there of the account as which the page is logged in.
    ``everybody``: it is told what is said to everybody who is here, and speaks there.
    ``moves`` false: a program that knows the rules is told the legal moves only when it asks for them.
    """

    v: int
    table: Ply | None = None
    after: Id | None = None
    ticket: Line = ""
    account: bool = False
    beat: bool = False
    everybody: bool = False
    moves: bool = True


class Join(Message, tag="join"):
    """Take a seat: at a table of ``game``, or the seat of ``ticket``.

    ``key`` is a secret of the page's own: where ``ticket`` is an invitation it stands for the seat from now on.
    """

    game: Word = ""
    variant: Word = ""
    time: Word = ""
    options: dict[Word, Value] = {}
    name: Word = ""
    against: Word = ""
    ticket: Line = ""
    key: Line = ""
    ready: bool = True
    side: Seat | None = None


class Watch(Message, tag="watch"):
    """Look on at ``table``, or where ``whom`` sits; ``aside``: beside the table where the client is, and others."""

    table: Ply = 0
    whom: Word = ""
    name: Word = ""
    aside: bool = False


class Unwatch(Message, tag="unwatch"):
    """Look on no more at ``table``, which is watched aside."""

    table: Ply


class MoveForm(Struct):
    """A move as the record has it."""

    source: Square | None
    target: Square | None
    piece: Word = ""


InBrief: TypeAlias = tuple[Square | None, Square | None, Word]
"""The same in brief, an array of source, target and piece."""


class Play(Message, tag="play"):
    """Make the ``move``; or, where there is none, the one whose ``text`` is in the game's notation."""

    move: MoveForm | InBrief | None = None
    text: Line = ""
    ply: Ply | None = None


class Time(Struct):
    """A time control as the record has it; times in seconds."""

    kind: TimeKind
    main_s: Seconds = 0.0
    increment_s: Seconds = 0.0
    moves: Count = 0
    period_s: Seconds = 0.0
    periods: Count = 0


class Terms(Struct):
    """Settings as the record has them; zeros and "" are the rule set's own."""

    game: Word
    variant: Word = ""
    width: Count = 0
    height: Count = 0
    seats: Seat = 0
    time: Time | None = None
    start: Line = ""
    rated: bool = False
    options: tuple[tuple[Word, Value], ...] = ()


class Propose(Message, tag="propose"):
    """Propose ``what``, or agree to it. ``plies`` are a takeback's, ``dead`` a score's, ``winner`` an end's.

    ``side`` and ``settings`` are a start's.
    """

    what: What
    plies: Annotated[int, Meta(ge=1, le=0x7FFFFFFF)] = 1
    side: Seat | None = None
    dead: tuple[Square, ...] = ()
    winner: Seat | None = None
    settings: Terms | None = None

    def __post_init__(self) -> None:
        if self.what == "end" and self.winner is None:
            raise ValueError("an end is proposed with its winner")


class Decline(Message, tag="decline"):
    """Refuse what was proposed so, or withdraw one's own proposal."""

    what: What


class Resign(Message, tag="resign"):
    """Give the game up."""


class Give(Message, tag="give"):
    """Give the opponents so many seconds more."""

    seconds: Given


class Leave(Message, tag="leave"):
    """Leave the table; the connection stays."""


class Claim(Message, tag="claim"):
    """State that the game is over; ``winner`` null is a draw."""

    winner: Seat | None


class Dispute(Message, tag="dispute"):
    """Do not accept the last move where no rules judge it."""

    text: Line = ""


class Mark(Message, tag="mark"):
    """Claim these squares while the players settle the score."""

    points: tuple[Square, ...]


class Say(Message, tag="say"):
    """``to`` is all, players, observers, everybody or a name; a speaker without a seat wants to be called ``name``.

    ``table``: said at that one, which is watched aside.
    """

    to: Word
    text: Line
    name: Word = ""
    table: Ply | None = None


class Ask(Message, tag="ask"):
    """Ask the server for lines for a person."""

    topic: cmd.Topic
    name: Word = ""


class Login(Message, tag="login"):
    """Be an account from now on; with a token ``name`` may be empty."""

    secret: Line
    name: Word = ""


class Enter(Message, tag="enter"):
    """Be here under a name without a seat; "" is the account's, or a guest's."""

    name: Word = ""


class Offer(Message, tag="offer"):
    """Offer a game to the player ``to``, "" to everybody, without a seat; it stands for so many ``minutes``.

    ``name`` is what the client wants to be called; ``ratings`` is the range that a rated one is for: "1400-1600".
    """

    settings: Terms
    side: Seat | None = None
    to: Word = ""
    minutes: Count = 60
    name: Word = ""
    ratings: Word = ""


class Take(Message, tag="take"):
    """Take offer ``number``, or with 0 the newest that was made to the client ``by`` that player, "" any."""

    number: Ply = 0
    by: Word = ""
    side: Seat | None = None
    name: Word = ""


class Withdraw(Message, tag="withdraw"):
    """Withdraw an offer of one's own, or decline one to oneself; 0: all of one's own."""

    number: Ply = 0


class Moves(Message, tag="moves"):
    """Ask for the legal moves now."""


class PingTime(Message, tag="ping"):
    """Ask for the server's time; ``n`` comes back."""

    n: Id


ClientMessage: TypeAlias = (
    Hello
    | Join
    | Watch
    | Unwatch
    | Play
    | Propose
    | Decline
    | Resign
    | Give
    | Leave
    | Claim
    | Dispute
    | Mark
    | Say
    | Ask
    | Login
    | Enter
    | Offer
    | Take
    | Withdraw
    | Moves
    | PingTime
)

_SECRETS: Final[Mapping[type[Message], tuple[str, ...]]] = {
    Login: ("secret",),
    Hello: ("ticket",),
    Join: ("ticket", "key"),
}
_SECRET: Final = re.compile(r'"(?:secret|ticket|key)"\s*:\s*("(?:[^"\\]|\\.)*"?)')

_decoder: Final = msgspec.json.Decoder(ClientMessage)


def read(text: str) -> Message:
    """The message that is written so. RemoteProtocolError says what is wrong with it."""
    try:
        message: Message = _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise RemoteProtocolError(f"no message: {error}") from None
    except RecursionError:
        raise RemoteProtocolError("no message: it is nested too deep") from None
    return message


def secrets_of(message: Message) -> list[str]:
    """The passwords, tokens and tickets in it."""
    return [secret for field in _SECRETS.get(type(message), ()) if (secret := str(getattr(message, field)))]


def secrets_in(text: str) -> list[str]:
    """The parts of an unreadable message that may be a secret."""
    found = _SECRET.findall(text)
    return [secret for token in found if (secret := _string(token))]


def _string(token: str) -> str:
    try:
        return msgspec.json.decode(token, type=str)
    except msgspec.DecodeError:
        return token.strip('"')


def command(message: Message) -> Command:
    """The command of a message that is meant for the table or the server."""
    return _COMMANDS[type(message)](message)


def _join(asked: Join) -> Command:
    named = (("variant", asked.variant), ("time", asked.time), ("against", asked.against))
    wishes = (
        *((name, text) for name, text in named if text),
        *((name, option_text(value)) for name, value in asked.options.items()),
    )
    return cmd.Join(
        asked.game.lower(),
        asked.name,
        asked.ticket,
        wishes,
        asked.ready,
        side=asked.side,
        kept=bool(asked.ticket),
        key=asked.key,
    )


def move_of(asked: MoveForm | InBrief | None) -> Move | None:
    """The move that is asked for so."""
    if asked is None:
        return None
    return Move(*asked) if isinstance(asked, tuple) else Move(asked.source, asked.target, asked.piece)


def _play(asked: Play) -> Command:
    return cmd.PlayMove(move_of(asked.move), asked.text, asked.ply)


def _proposal(asked: Propose) -> pro.Proposal:
    match asked.what:
        case "start":
            return pro.Start(None if asked.settings is None else _settings(asked.settings), asked.side)
        case "takeback":
            return pro.Takeback(asked.plies)
        case "score":
            return pro.Score(tuple(sorted(set(asked.dead))))
        case "end":
            return pro.End(asked.winner or 0)
    return _PLAIN[asked.what]()


def _settings(asked: Terms) -> Settings:
    time = None if asked.time is None else TimeControl(**msgspec.structs.asdict(asked.time))
    options = tuple(sorted((name, option_text(value)) for name, value in asked.options))
    size = (asked.width, asked.height, asked.seats)
    return Settings(asked.game.lower(), asked.variant, *size, time, asked.start, asked.rated, options)


def _offer(asked: Offer) -> Command:
    start = pro.Start(_settings(asked.settings), asked.side)
    return cmd.Offer(start, asked.to, asked.minutes, asked.name, asked.ratings)


_PLAIN: Final[Mapping[str, Callable[[], pro.Proposal]]] = {
    "draw": pro.Draw,
    "adjourn": pro.Adjourn,
    "abort": pro.Abort,
    "resume": pro.Resume,
    "rematch": pro.Rematch,
}

_COMMANDS: Final[Mapping[type[Message], Callable[[Any], Command]]] = {
    Join: _join,
    Watch: lambda asked: cmd.Watch(asked.table, asked.whom, asked.name, asked.aside),
    Unwatch: lambda asked: cmd.Unwatch(asked.table),
    Play: _play,
    Propose: lambda asked: cmd.Propose(_proposal(asked)),
    Decline: lambda asked: cmd.Decline(asked.what.capitalize()),
    Resign: lambda asked: cmd.Resign(),
    Give: lambda asked: cmd.GiveTime(asked.seconds),
    Leave: lambda asked: cmd.Leave(),
    Claim: lambda asked: cmd.ClaimEnd(asked.winner),
    Dispute: lambda asked: cmd.Dispute(asked.text),
    Mark: lambda asked: cmd.MarkDead(tuple(sorted(set(asked.points)))),
    Say: lambda asked: cmd.Say(asked.to, asked.text, asked.name, asked.table),
    Ask: lambda asked: cmd.Inquire(asked.topic, asked.name),
    Login: lambda asked: cmd.Login(asked.name, asked.secret),
    Enter: lambda asked: cmd.Enter(asked.name),
    Offer: _offer,
    Take: lambda asked: cmd.Take(asked.number, asked.by, asked.side, asked.name),
    Withdraw: lambda asked: cmd.Withdraw(asked.number),
    Moves: lambda asked: cmd.ListMoves(),
}
