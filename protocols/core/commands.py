"""Commands of a peer: imperatives. None names its own seat, for a connection is bound to one.

What must be known of a command stands at its class:

* a field that ``repr`` leaves out is a secret, which no transcript and no log has;
* ``remote``: it goes as it is to another node that has its table or the lobby; any other one is served by its own node;
* ``causes``: those for which it is refused, beside ANY_TIME. A link between nodes adds two: SYNTAX, it is too long, and
  UNSUPPORTED, the other node's version does not know it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Final, Literal, TypeAlias

from protocols.core.errors import Why
from protocols.core.model import Move, Settings
from protocols.core.proposals import Proposal, Start

Causes: TypeAlias = frozenset[Why]

ANY_TIME: Final[Causes] = frozenset({Why.NOT_SEATED, Why.NOT_NOW, Why.OVERLOAD, Why.TOO_FAST, Why.TABLE_FULL})
"""The causes for which any command is refused: who asks, how often, and how its table and the server are just now."""

NONE: Final[Causes] = frozenset()


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat at a table of ``game``, or, with a ticket, exactly the seat it stands for.

    ``game`` is the name as the peer wrote it, lower case. ``wishes`` are pairs of option name and value as the peer
    wrote them: "variant", "seats", "time", "against" and the rule set's own. ``ready`` says whether sitting down
    agrees to what the table waits for: its start, or going on after an interruption. ``by_address`` is for wires that
    carry neither a name nor a ticket: the nameless seat that this address lost last is taken back. Everywhere else a
    seat is taken back by its ticket only, and asking for a game resumes none. ``settings`` are what the wishes come
    to, None without any: the server fills them in. A peer that is not ready may say itself what it is going to propose,
    and from which ``side``; it agrees to nothing else then. The ``side`` of one that is ready is a wish: it yields to a
    player who has asked for a side before.

    ``secret`` is the password or a token of the account ``name``: without the right one there is no seat. ``exact``
    refuses the seat (PASSWORD_NEEDED) where ``name`` is an account's and no secret comes with it; else the peer gets
    the name with a number. ``kept`` wants the seat that ``ticket`` stands for or none (BAD_TICKET); else an unknown
    ticket, if it is long enough, becomes that of a new seat. ``or_guest``: its wire always asks for a secret, which is
    no reason to refuse one whose ``name`` is no account's. ``renews``: ``secret`` may be an
    account's old password, a blank, and a new one without blanks.

    ``key`` is a secret of the peer's own that will stand for the seat where ``ticket`` is an invitation. ``table``
    wants the seat there that has the name of the peer's account. ``program`` is the engine that the peer is, by its
    name and version; its table fills it in.
    """

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset(
        {
            Why.UNKNOWN_GAME,
            Why.NOT_INSTALLED,
            Why.BAD_OPTION,
            Why.BAD_TICKET,
            Why.NAME_TAKEN,
            Why.BAD_PASSWORD,
            Why.PASSWORD_NEEDED,
            Why.ALREADY_SEATED,
            Why.BANNED,
            Why.NO_ACCOUNT,
        }
    )

    game: str
    name: str = ""
    ticket: str = field(default="", repr=False)
    wishes: tuple[tuple[str, str], ...] = ()
    ready: bool = True
    by_address: bool = False
    settings: Settings | None = None
    side: int | None = None
    secret: str = field(default="", repr=False)
    exact: bool = False
    or_guest: bool = False
    renews: bool = False
    kept: bool = False
    key: str = field(default="", repr=False)
    table: int | None = None
    program: str = ""


@dataclass(frozen=True, slots=True)
class Login:
    """Be the account ``name`` from now on. ``secret`` is its password or a token; with a token, ``name`` may be ""."""

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = frozenset({Why.BAD_PASSWORD, Why.ALREADY_SEATED, Why.BANNED})

    name: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Enter:
    """Be here as ``name`` without a seat: found by others, spoken to, and called so where one sits down later.

    "" is the account's name, or a guest's. Where the name is somebody else's it is another one: Named answers.
    ``exact`` refuses (PASSWORD_NEEDED) an account's name to who has not logged in to it.
    """

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = frozenset(
        {Why.BAD_OPTION, Why.NAME_TAKEN, Why.ALREADY_SEATED, Why.BANNED, Why.PASSWORD_NEEDED}
    )

    name: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on at a table as an observer called ``name``: at number ``table``, or where the player ``whom`` sits.

    ``aside``: beside the table where the peer is and others that it looks on at, where the dialect can tell them apart
    (Dialect.send_aside). A table that is watched so already begins anew.
    """

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = frozenset({Why.BAD_OPTION, Why.NAME_TAKEN, Why.ALREADY_SEATED, Why.BANNED})

    table: int = 0
    whom: str = ""
    name: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Unwatch:
    """Look on no more at ``table``, which is watched aside."""

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = NONE

    table: int


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a game to the player ``to``, "" to everybody, without taking a seat; ``start`` names its settings.

    Whoever takes it is led to its table, and so is the peer: Called. It stands for ``minutes``; up to an hour it goes
    with the peer, and when the peer takes a seat. ``name`` is what the peer wants to be called, as for Enter.
    ``ratings`` is the range that a rated one is for, "1400-1600", "" any.
    """

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = frozenset(
        {Why.BAD_OPTION, Why.NAME_TAKEN, Why.ALREADY_SEATED, Why.BANNED, Why.NO_ACCOUNT, Why.BAD_TICKET}
    )

    start: Start
    to: str = ""
    minutes: int = 60
    name: str = ""
    ratings: str = ""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the offer of this ``number``, or, with 0, the newest that was made to the peer by ``by``, "" anybody.

    Called leads to its table. ``side`` is the seat that is wanted where its maker wants none.
    """

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = frozenset(
        {Why.BAD_OPTION, Why.NAME_TAKEN, Why.ALREADY_SEATED, Why.BANNED, Why.NO_ACCOUNT, Why.BAD_TICKET}
    )

    number: int = 0
    by: str = ""
    side: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Withdraw an own offer, or decline one that was made to the peer; 0: all of its own."""

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = NONE

    number: int = 0


Topic = Literal["who", "tables", "kept", "moves", "offers", "time", "history", "observers", "ended", "record"]


@dataclass(frozen=True, slots=True)
class Inquire:
    """Ask the server, not the table, for words.

    ``topic`` is "who" (is here), "tables" (that wait or play), "offers" (that the asker may take, and its own), "kept":
    the seats that are kept for ``name``, which is answered by nothing where there is none, "moves": the legal ones
    now at the asker's table, in its notation, "time": the server's, in UTC, as "Mon Nov 30, 05:46 UTC 2026",
    "history": the games of the account ``name`` that have ended, "ended": the newest that anybody has played of the
    game ``name`` on a board of ``width``, one a table, "record": the last game that has ended at the table of the
    number ``name``, or "observers": who looks on at the table of the number, or with the player, that ``name`` is. The
    last is refused (NOT_NOW) where the asker may not look on itself.
    """

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = NONE

    topic: Topic
    name: str = ""
    width: int = 0


@dataclass(frozen=True, slots=True)
class ListMoves:
    """Ask for the legal moves now, for a client that knows no rules; MovesListed answers."""

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = NONE


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose, or agree to, something that needs every seat's agreement."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.BAD_OPTION, Why.NO_ACCOUNT, Why.ILLEGAL, Why.UNSUPPORTED})

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuse the proposals of this kind (a Proposal class's name) of other seats, or withdraw one's own."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = NONE

    kind: str


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play ``move``, or the move written as ``text`` in the game's notation when ``move`` is None.

    ``others`` are further readings of the same bytes where the wire is ambiguous: the first legal one of ``move``
    and ``others`` is played. ``ply``, where the dialect knows it, is the number of moves made before this one: a
    command for another moment of the game is refused.
    """

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset(
        {
            Why.NOT_PLAYING,
            Why.NOT_YOUR_TURN,
            Why.WRONG_PLY,
            Why.SYNTAX,
            Why.OUT_OF_BOUNDS,
            Why.NOT_YOUR_PIECE,
            Why.OWN_PIECE_THERE,
            Why.PLACEMENTS_FIRST,
            Why.NO_SUCH_PIECE,
            Why.ILLEGAL,
        }
    )

    move: Move | None = None
    text: str = ""
    ply: int | None = None
    others: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.NOT_PLAYING})


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Lose the game by one's own fault, which ``text`` names: a program that breaks the rules or falls silent.

    ``late``: the flag of the peer's own clock has fallen, which is a loss on time.
    """

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.NOT_PLAYING})

    text: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class ClaimEnd:
    """State that the game is over with this winner (None: a draw). A claim is checked, not believed."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.BAD_OPTION})

    winner: int | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """Do not accept the last move, ``text`` says why: only where the rules do not judge moves (Game.judged)."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.NOT_PLAYING, Why.UNSUPPORTED})

    text: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """Tell ``to`` something: "all", "players", "observers" of a table, "everybody" who is here and listens, or a name.

    A name that sits at the speaker's table is spoken to there; any other one where it is, by the server alone. ``name``
    is what a peer without a seat wants to be called; the server makes it one that is nobody else's. ``table`` is one
    that is watched aside, where it is said then; None: the speaker's own, as its table is always told.
    """

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.SYNTAX, Why.BAD_OPTION, Why.NAME_TAKEN, Why.BANNED})

    to: str
    text: str
    name: str = ""
    table: int | None = None


@dataclass(frozen=True, slots=True)
class MarkDead:
    """Claim these squares while a finished game is scored: in Go their stones are dead. ``program``: an engine does."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.ILLEGAL})

    points: tuple[int, ...]
    program: bool = False


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give every opponent so many ``seconds`` more for the game."""

    remote: ClassVar[bool] = True
    causes: ClassVar[Causes] = frozenset({Why.NOT_PLAYING, Why.BAD_OPTION, Why.UNSUPPORTED})

    seconds: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table. ``lost`` is True when the connection went away without a word: the seat is kept for a while."""

    remote: ClassVar[bool] = False
    causes: ClassVar[Causes] = NONE

    lost: bool = False


Command: TypeAlias = (
    Join
    | Login
    | Enter
    | Watch
    | Unwatch
    | Offer
    | Take
    | Withdraw
    | Inquire
    | ListMoves
    | Propose
    | Decline
    | PlayMove
    | Resign
    | Forfeit
    | ClaimEnd
    | Dispute
    | Say
    | MarkDead
    | GiveTime
    | Leave
)


def secrets(command: Command) -> dict[str, str]:
    """Its secrets that are not empty, by the names of their fields. A ticket may be a password where the wire has one
    place for both."""
    return {own.name: secret for own in fields(command) if not own.repr and (secret := getattr(command, own.name))}


def without_secrets(command: Command) -> Command:
    """The command as it may be written down."""
    return replace(command, **{name: "*" * len(secret) for name, secret in secrets(command).items()})  # type: ignore[arg-type]


FORM: Final = 'NAME PASSWORD, "NAME WITH BLANKS" PASSWORD, or TOKEN'
"""The words of a login in dialects of text."""

_NAMED: Final = re.compile(r'(?:"([^"]+)"|([^"\s]\S*))\s+(\S.*)')


def read_login(text: str) -> Login:
    """The login that is written so. ValueError, without the text, where it is none."""
    text = text.strip()
    if text and not re.search(r"\s", text):
        return Login("", text)
    found = _NAMED.fullmatch(text)
    if found is None:
        raise ValueError(f"a login is written {FORM}")
    return Login(found[1] or found[2], found[3])
