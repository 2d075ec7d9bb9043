"""Names the JSON that the API answers with: what openapi.py publishes, and tests hold real answers against."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from gateway.bots.examining import Result
from gateway.lobby.here import Doing
from gateway.store.nodes import Standing
from gateway.table.state import Status
from protocols.core.model import Move, Reason
from protocols.core.notifications import Points


class VariantShown(TypedDict):
    """A rule set; the first of a game is its default. ``seats`` are how many it may have."""

    name: str
    width: int
    height: int
    seats: list[int]
    text: str


class GameShown(TypedDict):
    """A game. ``judged``: the server knows its rules. ``formats`` are the forms of export."""

    game: str
    title: str
    judged: bool
    variants: list[VariantShown]
    formats: list[str]
    dialects: list[str]


class Games(TypedDict):
    """The games that can be played here."""

    games: list[GameShown]


class SeatShown(TypedDict):
    """A seat and its present holder, with the rating in the pool of the table's game; null where there is none."""

    seat: int
    kind: Literal["none", "open", "bot", "player", "reserved", "abandoned"]
    name: str
    rating: Points | None


class ListedTable(TypedDict):
    """A table as lists show it, a closed one as "over".

    ``events`` counts its record; ``time``, ``rated`` and ``options`` are null where no record says.
    """

    id: int
    state: Status
    game: str
    variant: str
    opened_at: str
    events: int
    private: bool
    seats: list[SeatShown]
    time: str | None
    rated: bool | None
    options: dict[str, str] | None


class Tables(TypedDict):
    """Tables, the newest first; ``next`` is for ``before`` of the request that goes on, null at the end."""

    tables: list[ListedTable]
    next: int | None


class MoveWritten(TypedDict):
    """A move of the running or last game, and how the game writes it."""

    seat: int
    move: Move
    notation: str


class OutcomeShown(TypedDict):
    """The end of a game; ``winner`` null is a draw, or nobody's."""

    winner: int | None
    reason: Reason
    detail: str


class Table(ListedTable):
    """One table with its running or last game; nulls before the first. ``players`` are the last ones, by seat.

    ``decisive`` are the squares that show why the game ended, such as three in a row.
    """

    players: list[str]
    position: str | None
    diagram: list[str] | None
    turn: int | None
    moves: list[MoveWritten]
    decisive: list[int]
    outcome: OutcomeShown | None
    formats: list[str]


class Events(TypedDict):
    """Events behind a cursor; ``next`` is the one that goes on. ``closed``: nothing more will happen at the table."""

    events: list[Any]
    next: int
    closed: bool


class LegalMove(TypedDict):
    """A move that can be made, and how the game writes it."""

    move: Move
    notation: str


class Legal(TypedDict):
    """The legal moves of the seat to move, ``turn``; none where it is null. ``ply`` counts the moves made.

    Where the server does not know the rules (``judged`` false) they are examples. ``claim`` says why a draw may be
    claimed, or the game by the seat ``claim_winner``; "" when there is nothing to claim.
    """

    table: int
    state: Status
    ply: int
    turn: int | None
    judged: bool
    claim: str
    claim_winner: int | None
    legal: list[LegalMove]


class Analysed(TypedDict):
    """The analysis of a table's last game. ``state`` is "none" until somebody asks for it, "failed" with ``why``.

    ``done`` of ``total`` positions are looked at, both 0 while ``ahead`` others come first. ``result`` is null until it
    is whole.
    """

    table: int
    state: Literal["none", "waiting", "running", "done", "failed"]
    ahead: int
    done: int
    total: int
    why: str
    result: Result | None


class Made(TypedDict):
    """A move was made: it is stored, and all are told. ``ply`` counts the moves with it."""

    table: int
    seat: int
    ply: int
    turn: int | None
    state: Status


class LineOpened(TypedDict):
    """A line was opened: present its key as `Line KEY`."""

    line: str


class Heard(TypedDict):
    """The messages of a line since the last answer, objects of the dialect `web`. ``open`` false: there are no more."""

    messages: list[dict[str, Any]]
    open: bool


class Registered(TypedDict):
    """A table was registered. ``tickets`` are by seat, "" where nobody needs one, or it is not the asker's to have."""

    id: int
    tickets: list[str]


class NewTicket(TypedDict):
    """The seat's new ticket; the old one has ended."""

    seat: int
    ticket: str


class Draining(TypedDict):
    """Whether the server is being emptied, and how many games are played."""

    draining: bool
    running: int


class NodeShown(TypedDict):
    """A server of several on one database. ``lease_s`` are the seconds until its lease ends, negative once it has.

    ``version`` and ``build`` are those of the program that runs there. ``lobby``: it seats newcomers. ``state`` late:
    its lease has ended, and the others take its tables over.
    """

    name: str
    id: int
    version: str
    build: str
    state: Standing
    tables: int
    lease_s: float
    lobby: bool
    started_at: str


class Nodes(TypedDict):
    """The servers that share the database, the oldest first; none where the server is one process (SQLite)."""

    nodes: list[NodeShown]


class AddressCost(TypedDict):
    """The cost of an address, of IPv6 a network of /64, in the last minute.

    ``here`` are its connections now, ``opened`` those that were made, ``commands`` count requests of HTTP, too.
    ``refused`` says by the name of a limit how often it has held something back.
    """

    address: str
    here: int
    opened: int
    commands: int
    stored_bytes: int
    refused: dict[str, int]


class Addresses(TypedDict):
    """The addresses that cost this process most, the dearest first; of several servers each has its own."""

    addresses: list[AddressCost]


class Room(TypedDict):
    """A room of the relay: the code by which two meet, and the one-time port, null without one."""

    code: str
    port: int | None
    expires: str
    relay_port: int
    relay_tls: bool


class WebhookShown(TypedDict):
    """The address at which an account's program is told of its games, and since when."""

    address: str
    made_at: str


class WebhookMade(WebhookShown):
    """The same, new; ``secret`` signs every message, and is shown in this answer alone."""

    secret: str


class LinkShown(TypedDict):
    """The link to a finished game: an ``address`` of this server, null where its players have made none.

    ``private``: strangers see the game by this link alone, and its players can take it back.
    """

    table: int
    address: str | None
    private: bool


class Refusal(TypedDict):
    """Why a request was not served: ``error`` for programs, ``message`` for people."""

    error: str
    message: str


class People(TypedDict):
    """Names of accounts, in order. ``next`` is for ``after`` of the request that goes on, null at the end."""

    people: list[str]
    next: str | None


class PersonShown(TypedDict):
    """A person or program that is here, since it has entered or opened a page; null where it has only sat down.

    ``dialects`` are those of its clients that have entered. ``bot``: an engine plays, as its program says. ``rating``
    is the one in the ``pool`` where it has played for one last, both null where it never has. ``challenges``: it takes
    them.
    """

    name: str
    account: bool
    doing: Doing
    since: str | None
    tables: list[int]
    dialects: list[str]
    bot: bool
    idle_since: str | None
    challenges: bool
    rating: Points | None
    pool: str | None


class OfferShown(TypedDict):
    """A game that is offered: to the player ``to``, "" to everybody; ``account``: its maker ``by`` is one.

    ``id`` is that of the table that comes of it. ``side`` is the seat that its maker wants, null any. ``ratings`` is
    the range that a rated one is for, "1400-1600", "" any. ``rating`` is its maker's for such a game, null without one.
    ``manual``: its maker confirms who plays.
    """

    id: int
    by: str
    rating: Points | None
    account: bool
    to: str
    game: str
    variant: str
    time: str
    start: str
    rated: bool
    manual: bool
    ratings: str
    options: dict[str, str]
    side: int | None
    made_at: str
    until: str


class OffersStanding(TypedDict):
    """The offers that the asker may take, and its own, the oldest first."""

    offers: list[OfferShown]


class OfferState(TypedDict):
    """An offer that stands, or whose game has not ended."""

    id: int
    state: Literal["stands", "taken"]


class OfferMade(OfferState):
    """An offer that was made, or where ``seat`` is not null another's that was taken, at whose table it is the asker's.

    ``by`` is the asker; ``ticket`` takes the asker's seat at the table of this id.
    """

    by: str
    seat: int | None
    ticket: str


class OfferTaken(TypedDict):
    """The seat of the asker ``by`` at the ``table`` of the offer that it took, and the ticket that takes it.

    Of a manual offer ``seat`` is null: the asker's own offer to its maker stands, whose number is ``table``.
    """

    table: int
    by: str
    seat: int | None
    ticket: str


class PeopleHere(TypedDict):
    """All who are here, by name, at most 500."""

    here: list[PersonShown]


class ScoreShown(TypedDict):
    """Games of a player that are over: of one game, against people, or against house bots alone."""

    game: str
    against: Literal["people", "programs"]
    won: int
    lost: int
    drawn: int


class Player(TypedDict):
    """An account, since when there is it, and its scores. ``whole``: no older games are left out of them.

    ``bot``: it is a program's.
    """

    name: str
    since: str
    bot: bool
    whole: bool
    scores: list[ScoreShown]
