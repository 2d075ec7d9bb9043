"""The messages to a page beside events, as JSON: its seat, answers, refusals, legal moves, seeks, the end.

A function gives one message. Fields that are absent are those that say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from protocols.core import notifications as ntf
from protocols.core import release
from protocols.core.commands import Topic
from protocols.core.errors import Why
from protocols.core.model import Move, TimeControl
from protocols.core.notifications import Choice, Notice
from protocols.web.events import EventForm, PastForm, TurnForm, json
from protocols.web.frames import LONGEST_MESSAGE
from protocols.web.messages import VERSION

EVERYWHERE: Final[Literal["*"]] = "*"
"""The target of a piece that may be placed on every empty square."""

SERVER: Final = f"Boardgate/{release.VERSION}"


class Limits(Struct):
    """``message`` is how many bytes a message to the server may have."""

    message: int


class Welcome(Struct, tag_field="type", tag="welcome"):
    """The answer to hello; ``now`` is on the server's line, in seconds."""

    v: int
    server: str
    now: float
    limits: Limits


class Seated(Struct, tag_field="type", tag="seated"):
    """The client sits at ``table``, or looks on: ``seat`` null. ``events`` are all until ``seq``, or none.

    ``ticket`` is that of a new seat, or takes the place of an invitation.
    """

    table: int
    seat: int | None
    seq: int
    events: Sequence[PastForm]
    ticket: str | UnsetType = UNSET


class Rejected(Struct, kw_only=True, tag_field="type", tag="rejected"):
    """The message ``id`` was refused, and nothing has changed. ``text`` is for people."""

    id: int | UnsetType = UNSET
    why: Why
    text: str
    ply: int | UnsetType = UNSET


class Answered(Struct, kw_only=True, tag_field="type", tag="answered"):
    """Lines for a person. A ``topic`` of "" is a remark unasked."""

    id: int | UnsetType = UNSET
    topic: Topic | Literal[""]
    lines: tuple[str, ...]


class Moving(Struct, kw_only=True):
    """Legal moves. The piece on ``from`` may go to each of ``to``, null off the board, and become each of ``as`` there.

    Or, without ``from``, a ``piece`` may be placed on each of ``to``; "*" are all empty squares but those of ``but``.
    """

    source: int | UnsetType = field(name="from", default=UNSET)
    piece: str | UnsetType = UNSET
    to: tuple[int | None, ...] | Literal["*"]
    pieces: tuple[str, ...] | UnsetType = field(name="as", default=UNSET)
    but: tuple[int | None, ...] | UnsetType = UNSET


class MovesListed(Struct, kw_only=True, tag_field="type", tag="moves"):
    """The legal moves after ``ply`` moves, by piece; ``pass``: a pass is one.

    ``claim`` says why the client may claim a draw, or the game where ``claim_winner`` is its seat. ``setup`` are
    placements that complete its set-up in a usual way.
    """

    id: int | UnsetType = UNSET
    ply: int
    claim: str
    claim_winner: int | UnsetType = UNSET
    legal: list[Moving]
    setup: tuple[Move, ...] | UnsetType = UNSET
    may_pass: bool = field(name="pass")


class Named(Struct, tag_field="type", tag="named"):
    """The player is called otherwise than it asked for; ``text`` says why."""

    name: str
    text: str


class Stakes(Struct, tag_field="type", tag="stakes"):
    """The rated game ``number`` of the table has begun and may change these ratings, or cannot count: ``why``, else "".

    ``why`` is a code, ``text`` says the same to a person.
    """

    table: int
    number: int
    players: tuple[ntf.SeatStakes, ...]
    why: str
    text: str


class Rated(Struct, tag_field="type", tag="rated"):
    """The rated game ``number`` of the table has changed these ratings, or does not count: ``why``, else "".

    ``why`` is a code, ``text`` says the same to a person.
    """

    table: int
    number: int
    players: tuple[ntf.SeatRated, ...]
    why: str
    text: str


class LoggedIn(Struct, tag_field="type", tag="logged_in"):
    """The client speaks for the account ``name`` from now on."""

    name: str


class Unmatched(Struct, tag_field="type", tag="unmatched"):
    """No player who waits can play what the client seeks; ``others`` say what these want."""

    others: tuple[str, ...]


class Called(Struct, tag_field="type", tag="called"):
    """A game comes of an offer: the client is led to its seat, and told ``seated`` then; ``text`` says why."""

    text: str


class Uncalled(Struct, tag_field="type", tag="uncalled"):
    """The other player has not come to the table of an offer: the client has left it; ``text`` says so."""

    text: str


class Seek(Struct):
    """A player who waits, and what it wants to play. ``manual``: it chooses its opponent."""

    name: str
    game: str
    variant: str
    time: TimeControl | None
    rated: bool
    side: int | None
    manual: bool


class Seeks(Struct, tag_field="type", tag="seeks"):
    """Seeks that came and went, to a client without a table; ``more`` stand that do not fit."""

    put: list[Seek]
    gone: list[Seek]
    more: int


class Pong(Struct, tag_field="type", tag="pong"):
    """The answer to a ping; ``now`` is on the server's line, in seconds."""

    n: int
    now: float


Parting = Literal["closed", "error", "replaced", "version"]
"""Why a conversation ends: its table is closed, the client broke the protocol, another one has its seat, or it speaks
another version."""


class Goodbye(Struct, tag_field="type", tag="goodbye"):
    """The last message; a close frame follows."""

    why: Parting
    text: str


class Unwatched(Struct, tag_field="type", tag="unwatched"):
    """The last of a table that was watched aside; ``text`` says why, where the client has not asked for it."""

    text: str


AtTable: TypeAlias = Seated | EventForm | TurnForm | Named | Stakes | Rated | Unwatched
"""The messages of a table that is watched aside."""


class Aside(Struct, tag_field="type", tag="aside"):
    """A message of ``table``, which the client watches aside."""

    table: int
    told: AtTable


ServerMessage: TypeAlias = (
    Welcome
    | Seated
    | EventForm
    | TurnForm
    | MovesListed
    | Rejected
    | Answered
    | Named
    | Stakes
    | Rated
    | LoggedIn
    | Unmatched
    | Called
    | Uncalled
    | Seeks
    | Pong
    | Aside
    | Goodbye
)


def welcome(now: float) -> bytes:
    """The answer to hello; ``now`` is on the server's line, in seconds."""
    return json(Welcome(VERSION, SERVER, now, Limits(LONGEST_MESSAGE)))


def seated(table: int, seat: int | None, seq: int, events: Sequence[PastForm], ticket: str) -> bytes:
    """``events`` are all until ``seq``; none: the page has what came until then."""
    return json(Seated(table, seat, seq, events, ticket or UNSET))


def rejected(refusal: ntf.Rejected, number: int | None, ply: int | None) -> bytes:
    """A refusal of the message numbered so."""
    text = str(refusal.text or refusal.why)
    return json(Rejected(id=_number(number), why=refusal.why, text=text, ply=_number(ply)))


def answered(answer: ntf.Answered, number: int | None) -> bytes:
    """Lines for a person."""
    return json(Answered(id=_number(number), topic=answer.topic, lines=answer.lines))


def moves(listed: ntf.MovesListed, number: int | None) -> bytes:
    """The legal moves, grouped by source."""
    claim, winner = (listed.claim.detail, listed.claim.winner) if listed.claim is not None else ("", None)
    told = MovesListed(
        id=_number(number),
        ply=listed.ply,
        claim=claim,
        claim_winner=_number(winner),
        legal=[_choice(made) for made in listed.choices],
        setup=listed.setup or UNSET,
        may_pass=listed.may_pass,
    )
    return json(told)


def named(name: ntf.Named) -> bytes:
    """The page's player is called otherwise than it asked for."""
    return json(Named(name.name, name.text))


def stakes(made: ntf.Stakes) -> Stakes:
    """The changes that a rated game may make."""
    return Stakes(made.table, made.number, made.players, made.why, made.text)


def rated(made: ntf.Rated) -> Rated:
    """The changes that a rated game has made."""
    return Rated(made.table, made.number, made.players, made.why, made.text)


def logged_in(name: str) -> bytes:
    """The page speaks for an account now."""
    return json(LoggedIn(name))


def unmatched(others: tuple[str, ...]) -> bytes:
    """The page seeks what no waiting player plays; ``others`` says in words what these want."""
    return json(Unmatched(others))


def called(text: str) -> bytes:
    """A game comes of an offer."""
    return json(Called(text))


def uncalled(text: str) -> bytes:
    """The other player has not come."""
    return json(Uncalled(text))


def seeks(noticed: ntf.Noticed) -> bytes:
    """Seeks that came and went."""
    return json(
        Seeks([_seek(made) for made in noticed.posted], [_seek(made) for made in noticed.removed], noticed.more)
    )


def pong(number: int, now: float) -> bytes:
    """The answer to a ping; ``now`` is on the server's line, in seconds."""
    return json(Pong(number, now))


def goodbye(why: Parting, text: str) -> bytes:
    """The last message."""
    return json(Goodbye(why, text))


def _number(number: int | None) -> int | UnsetType:
    return UNSET if number is None else number


def _choice(choice: Choice) -> Moving:
    if choice.source is not None:
        pieces = UNSET if choice.pieces == ("",) else choice.pieces
        return Moving(source=choice.source, to=choice.targets, pieces=pieces)
    piece = choice.pieces[0] if choice.pieces else ""
    if not choice.others:
        return Moving(piece=piece, to=choice.targets)
    return Moving(piece=piece, to=EVERYWHERE, but=choice.targets or UNSET)


def _seek(notice: Notice) -> Seek:
    settings, start = notice.start.settings, notice.start
    if settings is None:
        return Seek(notice.name, notice.game, "", None, False, start.side, start.confirms)
    return Seek(notice.name, notice.game, settings.variant, settings.time, settings.rated, start.side, start.confirms)
