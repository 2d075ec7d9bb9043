"""Notifications to a connection: every event of its table, and the messages that are never stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import msgspec

from protocols.core.commands import Join, Topic
from protocols.core.errors import Why
from protocols.core.events import Event
from protocols.core.model import Clock, Move, Outcome, Settings
from protocols.core.proposals import Start

DISPLACED: Final = "another client has taken your seat; this connection is closed"
"""The sentence for Displaced, in every dialect that has room for one. Our clients know it by its words."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The first thing a connection is told: its seat and everything that happened at the table until now.

    ``seat`` is None for an observer. ``ticket`` is the secret that takes this seat back, "" where the peer brought
    its own or the dialect can carry none. ``past`` includes the peer's own arrival; a game that begins with it is told
    event by event afterwards. ``seq`` is the number in the record of its last stored event, 0 where that is not known;
    ``unheard`` are the numbers of those that are not in it because they are not for this seat, rising. The turn or the
    clocks as they are now, which are not stored, may be its last.
    """

    table: int
    seat: int | None
    past: tuple[Event, ...]
    ticket: str = ""
    seq: int = 0
    unheard: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A command was refused: goes to its sender only. ``text`` says what is wrong and shows the value.

    ``at_table``: a table has refused it, be it one that the peer has left meanwhile; else the server has, as seats are.
    """

    why: Why
    text: str = ""
    at_table: bool = field(default=False, compare=False)


class Points(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rating as it is shown, in whole points; a ``provisional`` one is not sure enough to be compared."""

    rating: int
    provisional: bool = False

    def __str__(self) -> str:
        return f"{self.rating}{'?' if self.provisional else ''}"


class ListedTable(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A public table in a list: ``names`` and ``ratings`` are by seat, "" and None where there is none.

    ``playing`` is True once its game has begun. ``position`` is the game's text of what stands, "" where that is not
    known, ``clock`` as it was set last, None without one; ``adjourned``: it waits until all want to go on. ``over``: it
    has ended, and players are still there.
    """

    table: int
    settings: Settings
    playing: bool
    names: tuple[str, ...]
    ratings: tuple[Points | None, ...]
    position: str = ""
    clock: Clock | None = None
    adjourned: bool = False
    over: bool = False


class ListedPerson(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A person or program that is here; ``account``: the name is one's. ``bot``: an engine plays under it.

    ``rating`` is by the game played last. ``playing``: in a game, ``idle``: silent for a while, ``challenges``: takes
    some.
    """

    name: str
    account: bool = False
    rating: Points | None = None
    bot: bool = False
    playing: bool = False
    idle: bool = False
    challenges: bool = True


class ListedOffer(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A game that ``by`` offers ``to`` a player, "" everybody; ``number`` is that of the table that comes of it.

    ``side`` is the seat that its maker wants, None: any; ``rating`` its maker's, None where it has none. ``bot``: an
    engine plays under its maker's name. ``account``: that is one's.
    """

    number: int
    by: str
    settings: Settings
    to: str = ""
    side: int | None = None
    rating: Points | None = None
    bot: bool = False
    account: bool = False


class ListedGame(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A game that has ended at a table, ``at`` in seconds of Unix time; ``names`` and ``ratings`` are by seat, None
    where it has changed none."""

    table: int
    at: float
    settings: Settings
    names: tuple[str, ...]
    outcome: Outcome
    ratings: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The server's answer to an Inquire on ``topic``: lines for a person to read. A topic of "" is a remark unasked.

    On "tables" there are those of the asker's games as data, too, the oldest first, and on "kept" those where its own
    account has a seat beside this one in a game that is not over, private ones, too. So are those that it asked for on
    "offers"; None where it is told of a change only. On "who" there are ``people``, by name,
    on "history" and "ended" ``games``, the oldest first, on "record" the one, and its table's events until its end in
    ``past``, without talk. On "observers" there is the table, and its observers are ``people``, the first ones of
    ``watching``. ``again``: an offer of the asker's, which led it to the table of the first number, where nobody came,
    stands again under the second.
    """

    lines: tuple[str, ...]
    topic: Topic | Literal[""] = ""
    tables: tuple[ListedTable, ...] = ()
    offers: tuple[ListedOffer, ...] | None = None
    people: tuple[ListedPerson, ...] = ()
    games: tuple[ListedGame, ...] = ()
    watching: int = 0
    past: tuple[Event, ...] = ()
    again: tuple[int, int] | None = None


class Choice(msgspec.Struct, frozen=True):
    """Legal moves of one source: to each of ``targets`` with each of ``pieces``.

    ``source`` None places a piece; a target of None takes the one on ``source`` away. ``others``: ``targets`` are the
    empty squares where it may not be placed, and it may be placed on all others.
    """

    source: int | None
    targets: tuple[int | None, ...]
    pieces: tuple[str, ...] = ("",)
    others: bool = False


@dataclass(frozen=True, slots=True)
class MovesListed:
    """The answer to ListMoves: the legal moves after ``ply`` moves of this game.

    There are none where it is not the asker's turn, and where the rules do not know them. ``may_pass`` says whether a
    pass is one. ``claim`` is the draw or the win that the asker may claim here, None without one. ``setup`` are
    placements that complete the asker's set-up in a usual way, in games that begin with one.
    """

    ply: int
    choices: tuple[Choice, ...] = ()
    may_pass: bool = False
    claim: Outcome | None = None
    setup: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """A seek that stands: ``name`` waits for an opponent and proposes ``start``."""

    name: str
    game: str
    start: Start


@dataclass(frozen=True, slots=True)
class Noticed:
    """The changes of the seeks that stand, for a visitor: a connection without a table whose dialect hears seeks.

    At first it is told a page of those that stand, then each that comes or goes. ``more`` stand that do not fit a page.
    """

    posted: tuple[Notice, ...] = ()
    removed: tuple[Notice, ...] = ()
    more: int = 0


Change = Literal["begins", "goes on", "waits", "ends"]


class GameNews(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """The news of a public game at ``table``, whose players are ``names`` by seat.

    It "waits" once it is adjourned. ``outcome`` is that of one that "ends", None where it is not known.
    """

    table: int
    settings: Settings
    names: tuple[str, ...]
    change: Change
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Tidings:
    """News of the last moment, for a peer whose dialect ``hears_tidings``: of public games of any players, in
    their order, and who ``came`` and ``went``, by name, at any node. A game that the peer plays itself is among them.
    """

    games: tuple[GameNews, ...] = ()
    came: tuple[ListedPerson, ...] = ()
    went: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalledAway:
    """Its seat was taken back before any game, for an opponent waits elsewhere, or it cannot play whom it
    sat with: it asks for a seat again. Told only where the dialect ``roams``."""


@dataclass(frozen=True, slots=True)
class Called:
    """A game comes of an offer: the peer asks for its seat by ``join``, and proposes ``start`` there, as if it had said
    so. The seat is that of a ticket at the ``table`` of this number, or, 0, beside a player who waits. ``text`` says
    why."""

    join: Join = field(repr=False)
    start: Start
    text: str = ""
    table: int = 0


@dataclass(frozen=True, slots=True)
class Uncalled:
    """The peer has come to the table of an offer and the other player has not, as ``text`` says: it leaves, and is
    without a table again."""

    text: str


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The connection's proposal stands, it sits alone, and no other player who waits can play it: ``others`` says in
    words who waits for other games. Told only to a peer that said with its Join what it is going to propose."""

    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """The answer to a Login: the connection is the account ``name`` now, by the name as it was registered."""

    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """The connection's name, which answers Enter, or a seat's that is not what was asked for: ``text`` says why."""

    name: str
    text: str


class SeatRated(msgspec.Struct, frozen=True):
    """A seat's player with its rating before the game and after it."""

    seat: int
    name: str
    before: Points
    after: Points


class SeatStakes(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's player with its rating, and by how many points a game of two changes it.

    At a table of more, the changes are None.
    """

    seat: int
    name: str
    rating: Points
    win: int | None = None
    draw: int | None = None
    loss: int | None = None


@dataclass(frozen=True, slots=True)
class Stakes:
    """The rated game ``number`` of the table has begun, and may change these ratings; not stored.

    Where it cannot count, ``why`` is the code of the reason, and ``text`` says it in words.
    """

    table: int
    number: int
    players: tuple[SeatStakes, ...] = ()
    why: str = ""
    text: str = ""

    def words(self, seat: int | None) -> str:
        """All of it in one line, for the player of ``seat``; None: for a spectator."""
        if self.why:
            return f"this game will not be rated: {self.text}"
        ratings = ", ".join(f"{each.name} {each.rating}" for each in self.players)
        mine = next((each for each in self.players if each.seat == seat and each.win is not None), None)
        yours = "" if mine is None else f"; for you a win {mine.win:+}, a draw {mine.draw:+}, a loss {mine.loss:+}"
        return f"this game is rated: {ratings}{yours}"


@dataclass(frozen=True, slots=True)
class Rated:
    """The rated game ``number`` of the table has changed these ratings; told behind its end, and not stored.

    Where the game does not count, ``why`` is the code of the reason, ``text`` says it in words, and no rating changes.
    """

    table: int
    number: int
    players: tuple[SeatRated, ...] = ()
    why: str = ""
    text: str = ""

    def words(self, seat: int | None) -> str:
        """All of it in one line, the same for everybody."""
        if self.why:
            return f"not rated: {self.text}"
        return "rated: " + ", ".join(f"{each.name} {each.before} -> {each.after}" for each in self.players)


@dataclass(frozen=True, slots=True)
class Displaced:
    """Another connection has taken this connection's seat. The last message a connection is told: a dialect says it in
    its words and ends the conversation."""


@dataclass(frozen=True, slots=True)
class Unwatched:
    """The last that is told of a table that was watched aside; ``text`` says why, "" where the peer has asked."""

    text: str = ""


Notification: TypeAlias = (
    Event
    | Seated
    | Rejected
    | Answered
    | MovesListed
    | CalledAway
    | Called
    | Uncalled
    | Unmatched
    | LoggedIn
    | Named
    | Stakes
    | Rated
    | Displaced
    | Noticed
    | Tidings
)

ToldAside: TypeAlias = Notification | Unwatched
"""Anything that is told of a table that is watched aside."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A step of ``table``, which is watched aside, as wire logs and transcripts have it: what Dialect.send_aside was
    given."""

    table: int
    messages: tuple[ToldAside, ...]
    seq: int = 0
