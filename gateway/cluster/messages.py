"""Lists the messages that nodes send each other about tables and clients, and writes them as JSON.

A client is known elsewhere by its node and its number there. Ages and delays travel as seconds, and a message with
times on its sender's monotonic line carries the sender's ``now``: no two clocks are compared. A ticket crosses as its
SHA-256 (hexadecimal) only. Unknown fields are ignored, so that neighbouring versions understand each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, reduce
from operator import or_
from typing import Any, Final, TypeAlias, get_args

import msgspec
import structlog
from msgspec import structs

from gateway.lobby.claims import Claim
from gateway.lobby.here import Entry
from gateway.lobby.offers import Offer
from gateway.lobby.registration import Registration
from gateway.seating.everybody import Line
from gateway.seating.registrar import Registrant
from gateway.store import codec
from protocols.core.commands import Command, Propose
from protocols.core.events import ClockSet, GameAdjourned, Proposed, SeatLeft, SeatTaken, TurnStarted
from protocols.core.model import HouseRules, Outcome, Seat, Settings
from protocols.core.notifications import Notification

ID_BITS: Final = 40
"""A command's or call's id: its node above so many bits, below a count of that node's process."""

Coded: TypeAlias = tuple[str, str]
"""A command or notification: its class's name and its fields as JSON."""


class Message(msgspec.Struct, tag=True, tag_field="t"):
    """The base of all messages."""


class Asked(msgspec.Struct, tag=True, tag_field="t"):
    """The base of all that nodes ask each other by Call."""


class Guest(msgspec.Struct):
    """A client as another node needs to know it; the fields are those of gateway.tables.seams.Subscriber."""

    number: int
    address: str
    account: str
    dialect: str
    program: str
    rules: HouseRules
    lag_s: float = 0.0
    ready: bool = False


# --- what one node asks of another, carried by Call; the answer is a text, JSON where there is more to say


class Seek(Asked):
    """A client looks for a table: asked of the lobby's node. ``digest`` is its new seat's ticket's, "" without one.

    ``movable``: its connection could go to another worker of its machine; the answer may be that one's name.
    """

    guest: Guest
    join: Coded
    digest: str
    movable: bool = False


class Enter(Asked):
    """A client asks for a seat of ``table`` by a claim (a class's name and its fields), or to look on as ``name``.
    ``digest`` is of the ticket that takes the place of an invitation."""

    table: int
    guest: Guest
    join: Coded | None = None
    claim: Coded | None = None
    name: str = ""
    digest: str = ""


class Part(Asked):
    """A client leaves ``table``; ``lost``: its seat is kept.

    ``of`` is the request that had seated it, if only that seat is left; None: whichever it has.
    """

    table: int
    number: int
    lost: bool
    of: int | None = None


class Move(Asked):
    """A move of ``seat``, heard ``age_s`` ago: the command ``id``. The answer is a gateway.tables.asked.Moved."""

    table: int
    seat: int
    address: str
    age_s: float
    command: Coded
    id: int


class Attend(Asked):
    """Asks for the presence at ``table``: the answer is a gateway.tables.presence.Attendance."""

    table: int


class Reissue(Asked):
    """The seat that is registered for ``name`` gets the ticket with this digest; the answer is the seat."""

    table: int
    name: str
    digest: str


class Supersede(Asked):
    """The table is abandoned, and its two players are registered anew for ``game``."""

    table: int
    game: str


class EndByHost(Asked):
    """The host ends ``table``; the answer is its game's name."""

    table: int
    reason: str


class Whisper(Asked):
    """Words to a player of ``table``, to the client of that ``number``, or to a speaker here who has no seat."""

    said: Coded
    table: int = 0
    number: int = 0


class Register(Asked):
    """A table is to be registered at the lobby's node, which answers its number. ``digests``: of tickets, or ""."""

    asked: Registration
    by: Registrant
    digests: tuple[str, ...]


class Room(Asked):
    """A caller of the relay, from ``host`` and ``port``, names a room: the answer is a gateway.relay.passing.Pass."""

    code: str
    host: str
    port: int


class Post(Asked):
    """A request of a dialect that HTTP carries, as JSON without its secrets, for the player of a seat, or for "wires".

    ``account`` is the player's, if its name is one's. The answer is a protocols.core.http_binding.Answer, whenever
    there is one, or a gateway.web.wires_here.Seen. ``hops`` counts the nodes that have passed it on.
    """

    dialect: str
    request: str
    address: str
    account: str
    hops: int


Request: TypeAlias = (
    Seek | Enter | Part | Move | Attend | Reissue | Supersede | EndByHost | Whisper | Register | Room | Post
)


# --- of any node to any other


class Call(Message):
    """A request, which is served once under its number ``n``, and answered by Reply."""

    n: int
    request: Request


class Reply(Message):
    """Call ``n`` has been served, or was refused: why, in which words, and as which class, where that matters."""

    n: int
    answer: str = ""
    refused: tuple[str, str, str] | None = None


class Forgo(Message):
    """The answer to call ``n`` is not awaited any more. Sent back: it has been heard."""

    n: int


# --- from the client's node to the table's


class Here(Message):
    """A client was at ``table`` when its link or its table's node broke, and is there still: Stands answers, or Said.

    ``name`` is the player's, or what an observer (``seat`` None) is called. ``check`` comes back with the answer.
    ``seated`` is the request by which it came to the table, or to one before.
    """

    table: int
    guest: Guest
    seat: int | None
    name: str
    check: int = 0
    seated: int = 0


class Ask(Message):
    """Command ``n`` of a client at ``table`` under ``epoch``, heard ``age_s`` ago; ``lag_s`` 0.0: not measured.

    Until it is answered it is asked again, under the same ``n``, which is its id among the commands of all nodes.
    """

    table: int
    number: int
    n: int
    age_s: float
    lag_s: float
    command: Coded
    epoch: int = 0


class Ended(Message):
    """A client's connection has ended."""

    number: int


class Known(Message):
    """The sender has these clients of the receiver, (number, table) each; Ended or Part answers where it is wrong."""

    clients: tuple[tuple[int, int], ...]


class Follow(Message):
    """Rung is wanted as soon as ``table`` has events behind ``after``."""

    table: int
    after: int


# --- from the table's node to the client's


class Rung(Message):
    """The answer to Follow: the table has had an event since, or has been quiet for a while, or is not here."""

    table: int


class Seated(Message):
    """Subscriber.seated; the client is told notifications.Seated: the record until ``seq``, then ``present``.

    It answers call ``n``, a Seek or Enter, whose ticket stands for the seat if it is ``keyed``; Reply follows."""

    number: int
    table: int
    epoch: int
    seat: int | None
    ready: bool
    name: str
    seq: int
    present: tuple[Coded, ...]
    now: float
    n: int
    keyed: bool = True


class Answer(Message):
    """Command ``n`` has been answered; everything it led to was told before. ``moved``: it was a move.

    ``refused`` is why it was not served, a cause and a text; ``numbered`` is the text with squares counted.
    """

    number: int
    table: int
    n: int
    moved: bool = False
    refused: tuple[str, str] | None = None
    numbered: str = ""


class Told(Message):
    """One step for the clients ``to``, and the ``answers`` behind it.

    ``seq`` is the number of its first stored event, 0 where none is. An empty step is too long for the bus: it is read
    from the record, which has it until ``seq``.
    """

    table: int
    to: tuple[int, ...]
    seq: int
    now: float
    step: tuple[Coded, ...]
    answers: tuple[Answer, ...] = ()


class Said(Message):
    """A method of a Subscriber: released, displaced, close; "called away" is released, to look for another table.

    "unknown": the table has gone on, or has lost sight of the client, whose node says Here then; older versions do not.
    ``seq`` is the table's last event then, 0 from a node of an older version.
    """

    number: int
    table: int
    what: str
    seq: int = 0


class Stands(Message):
    """The answer to Here: the client is at the table, whose record ends at ``seq`` under ``epoch``. ``seeks`` is the
    last request for a seat that this node has served it, 0 where it has come with its table."""

    number: int
    table: int
    epoch: int
    seq: int
    now: float
    check: int = 0
    seeks: int = 0


# --- to all


class Listed(Message):
    """A table as others know it: gateway.lobby's part of its state. ``seq`` orders what is heard of one epoch.
    ``outcome`` is the last game's, None from a node of an older version."""

    table: int
    epoch: int
    seq: int
    game: str
    status: str
    settings: Settings
    seats: tuple[Seat, ...]
    proposals: tuple[Coded, ...]
    registered: tuple[str, ...]
    house: HouseRules
    addresses: tuple[str, ...]
    tickets: tuple[tuple[str, int], ...]
    outcome: Outcome | None = None


class Unlisted(Message):
    """A table has ended."""

    table: int
    epoch: int


class Claimed(Message):
    """The sender owns these tables now, (table, epoch) each."""

    tables: tuple[tuple[int, int], ...]


class Counted(Message):
    """The sender has so many connections, and observers of public tables.

    Of its clients that have entered these ``came`` since, and those of these numbers ``went``; of its ``offers`` these
    are new, and those of these numbers ``gone``. All comes again under the next ``round`` where another node may have
    missed something; in the last message of one ``whole`` says that what has not come again has gone. Nodes of an
    older version read the numbers alone. ``lines`` were said to everybody, and come once.
    """

    connected: int
    watching: int
    came: tuple[Entry, ...] = ()
    went: tuple[int, ...] = ()
    round: int = 0
    whole: bool = False
    offers: tuple[Offer, ...] = ()
    gone: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()


class Hello(Message):
    """The sender may have missed something of the receiver's listings: it is told all, until Welcome has its ``n``."""

    n: int


class Welcome(Message):
    """Hello ``n`` has been answered: everything was told."""

    n: int


class Lobbying(Message):
    """The sender has the lobby, under this epoch of the role."""

    epoch: int


class Given(Message):
    """The receiver owns ``table`` now. Its players come with it, and the one to move had been thinking for
    ``thought_s``; None: no client is there."""

    table: int
    epoch: int
    thought_s: float | None = None


ANY: Final = reduce(or_, Message.__subclasses__())
"""All messages of this version, as msgspec takes a type."""

_encode = msgspec.json.Encoder().encode
_log = structlog.get_logger()
_CLAIMS: Final = {found.__name__: found for found in get_args(Claim)}
_COMMANDS: Final = {found.__name__: found for found in get_args(Command) if found.remote}
_NOTIFICATIONS: Final = {found.__name__: found for found in get_args(Notification)}


@cache
def _reader(found: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(found)


def coded(said: Command | Notification) -> Coded:
    """A command or notification, but not Seated: its past is read from the record."""
    name = type(said).__name__
    if name in codec.KINDS:
        return codec.encode(said)  # type: ignore[arg-type]
    if isinstance(said, Propose):
        return name, codec.encode(Proposed(0, said.proposal))[1]
    return name, _encode(said).decode()


def coded_claim(claim: Claim) -> Coded:
    """A claim, for ``claim_of``."""
    return type(claim).__name__, _encode(claim).decode()


def claim_of(code: Coded) -> Claim:
    """ValueError or KeyError: it is none."""
    name, body = code
    found: Claim = _reader(_CLAIMS[name]).decode(body)
    return found


def command(code: Coded) -> Command:
    """ValueError or KeyError: it is none."""
    name, body = code
    if name == Propose.__name__:
        proposed = codec.decode(Proposed.__name__, body)
        assert isinstance(proposed, Proposed)
        return Propose(proposed.proposal)
    found: Command = _reader(_COMMANDS[name]).decode(body)
    return found


def notifications(codes: Iterable[Coded], shift_s: float) -> list[Notification]:
    """Their times moved by ``shift_s``. What this version does not know is left out: a newer one may say it."""
    found = []
    for code in codes:
        try:
            found.append(notification(code, shift_s))
        except (ValueError, KeyError) as error:
            _log.warning("a notification of another node was not understood", kind=code[0], error=str(error))
    return found


def notification(code: Coded, shift_s: float) -> Notification:
    """Its times moved by ``shift_s``. ValueError or KeyError: it is none."""
    name, body = code
    found = codec.decode(name, body) if name in codec.KINDS else _reader(_NOTIFICATIONS[name]).decode(body)
    return shifted(found, shift_s)


def shifted(said: Notification, by_s: float) -> Notification:
    """The same with its monotonic times moved by ``by_s`` seconds."""
    match said:
        case TurnStarted(clock=clock) if clock is not None:
            return replace(said, clock=replace(clock, since=clock.since + by_s))
        case ClockSet(clock=clock):
            return replace(said, clock=replace(clock, since=clock.since + by_s))
        case SeatTaken(at=at) if at:
            return structs.replace(said, at=at + by_s)
        case SeatLeft(until=until) if until:
            return replace(said, until=until + by_s)
        case GameAdjourned(until=until) if until:
            return replace(said, until=until + by_s)
    return said
