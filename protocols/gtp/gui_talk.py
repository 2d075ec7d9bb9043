"""State of the conversation with a Go GUI: its set-up, its knowledge of the game, the command that waits.

A command that cannot be answered yet waits; whatever is told at the table is shown to it until it has its answer. Those
behind it wait in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from protocols.core.commands import Command, Decline, Join, Leave, Propose
from protocols.core.errors import Why
from protocols.core.events import Declined, Proposed
from protocols.core.followed import Status
from protocols.core.notifications import Notification, Rejected, Unmatched
from protocols.core.proposals import Resume, Start
from protocols.go_words.rule_sets import RuleSet, alike, spelled
from protocols.go_words.table import GAME, Table
from protocols.go_words.vertices import COLOURS
from protocols.go_words.wish import Wish, wish_of
from protocols.gtp.codec import GtpCommand
from protocols.gtp.offered import in_words

Words = tuple[str, ...]
"""The arguments of a command."""

LOOK_AGAIN: Final = "; of a new game boardgate-observe tells the moves"

MOST_HEARD: Final = 50
"""Sayings kept for a GUI that has not asked for them; the oldest are forgotten."""


class Fails(Exception):
    """A command is answered with "?" and this text."""


@dataclass(slots=True)
class Talk:
    """``wish`` is the game as the GUI has set it up, ``known`` how many moves of the table's game it knows.

    ``joined``: a seat was asked for; ``seated``: it was given; ``proposed`` is what was proposed there last;
    ``withdrawn``: something was, and if it had lapsed already that is refused; ``warned``: for this game it was told
    that no player waits; ``gone``: the GUI has quit; ``back``: it comes back to a game, and wants no other; ``replays``
    is how many moves it shows again for that. ``looking``: it looks on at the game of others; ``number`` is its
    table's; ``heard`` is what others have said that it has not asked for yet; ``against`` is the house bot that it
    chose. ``kept``: it wants the seat of its ticket or none.
    """

    wish: Wish
    name: str = ""
    ticket: str = ""
    kept: bool = False
    table: Table = field(default_factory=Table)
    known: int = 0
    joined: bool = False
    seated: bool = False
    back: bool = False
    replays: int = 0
    proposed: Start | None = None
    standing: Start | None = None
    pending: bool = False
    asks: list[Command] = field(default_factory=list)
    waiting: Waiting | None = None
    queue: deque[GtpCommand] = field(default_factory=deque)
    gone: bool = False
    withdrawn: bool = False
    looking: bool = False
    against: str = ""
    number: int = 0
    heard: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_HEARD))
    warned: Start | None = None
    styled: bool = False
    """True if it set its time with kgs-time_settings, and reads the stones of time_left as periods in byo-yomi."""
    named: bool = False
    """True if it has said its rules by kgs-rules."""

    def ask(self, *commands: Command) -> None:
        self.asks.extend(commands)

    @property
    def rules_played(self) -> tuple[RuleSet, int]:
        """The rules at its table, or those it wishes where it has none, and the number of handicap stones."""
        settings = self.table.settings
        played = self.wish if settings is None else wish_of(settings)
        return played.rules, played.handicap

    def learn(self) -> None:
        """The GUI knows one more move; all that it shows again are known once they have been shown."""
        self.known += 1
        if self.known >= self.replays:
            self.replays = 0

    def leave(self, *, lost: bool) -> None:
        """Give the seat up; one that is lost is kept for a while, for who comes back with its ticket."""
        self.ask(Leave(lost=lost))
        self.looking = False
        self.forget()
        if lost:
            self.ticket = ""

    def forget(self) -> None:
        """No table any more."""
        self.table, self.known, self.proposed, self.replays = Table(), 0, None, 0
        self.joined = self.seated = False

    def sit(self) -> None:
        """Ask for a seat: the one of its ticket, or at the oldest table that waits."""
        self.joined = True
        wish, side = self.wish, None if self.standing is None else self.standing.side
        side = self.waiting.user if isinstance(self.waiting, InGame) else side
        bot = (("against", self.against),) if self.against else ()
        wishes = (*bot, *wish.wishes())
        settings = wish.settings()
        self.ask(Join(GAME, self.name, self.ticket, wishes, ready=False, settings=settings, side=side, kept=self.kept))

    def called_away(self) -> None:
        """A better match waits elsewhere: what stood at the table is proposed there, asked for or not."""
        self.standing = self.table.mine(Start)
        self.forget()
        self.sit()

    def declined(self, seat: int) -> None:
        """A game that lapsed by that is proposed anew by the next command that begins one."""
        if seat == self.table.seat:
            self.withdrawn = False
        elif not self.table.begun and not self.pending and self.table.mine(Start) is None:
            self.proposed = None

    def sat_down(self, *, waits: bool) -> None:
        """At a table: where no command waits, which would propose its game by itself, what stood before stands here."""
        self.proposed = None if waits else self.standing
        self.standing = None
        if self.proposed is not None and not self.table.begun:
            self.ask(Propose(self.proposed))


@dataclass(slots=True)
class Waiting(ABC):
    """A command without an answer so far. ``id`` is its own; subclasses say what they wait for."""

    id: int | None = None

    @abstractmethod
    def look(self, talk: Talk, message: Notification | None) -> str | None:
        """The answer, or None: not yet. ``message`` is what was just told, None at first. Fails: answered with "?"."""

    def interrupted(self, talk: Talk) -> None:  # noqa: B027  # most commands have nothing to withdraw
        """The user waits no longer; what was asked of the opponent is withdrawn where that can be done."""


@dataclass(slots=True)
class InGame(Waiting):
    """A command that needs a game; ``user`` is the seat its user plays from if it begins one.

    ``reason`` is why the last who could have played declined. ``fails``: its proposal is being withdrawn, for no player
    takes it; then it is answered so, unless a game begins before.
    """

    user: int = 0
    resumed: bool = False
    reason: str = ""
    fails: str = ""

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        if isinstance(message, Rejected) and self.fails and talk.table.begun:
            self.fails = ""  # too late to withdraw: the game has begun
            return None
        if isinstance(message, Rejected):
            self.refused(talk, message)
        if not talk.table.begun and talk.table.status is not Status.OVER:
            self._begin(talk, message)
            return None
        if talk.known > len(talk.table.moves) and not talk.replays:
            raise Fails(f"more was taken back: undo once more{LOOK_AGAIN if talk.looking else ''}")
        if talk.known == 0 and talk.wish.size != talk.table.size:
            size = talk.table.size
            game = "this game is" if talk.looking else "you are back in a game"
            raise Fails(f"{game} on {size}x{size}: boardsize {size} first")
        if talk.known == 0 and talk.named and not talk.looking and not alike(talk.wish.rules, *talk.rules_played):
            raise Fails(f"you are back in a game whose rules are {spelled(*talk.rules_played)}: kgs-rules said others")
        if talk.table.status is Status.ADJOURNED:
            self.resume(talk)
            return None
        return self.go_on(talk)

    @abstractmethod
    def go_on(self, talk: Talk) -> str | None:
        """The answer in a game that has begun, or is over; None: not yet."""

    def resume(self, talk: Talk) -> None:
        """Ask once to go on with a game that was interrupted, or is being scored."""
        if not self.resumed and not talk.looking:
            self.resumed = True
            talk.ask(Propose(Resume()))

    def refused(self, talk: Talk, message: Rejected) -> None:
        if self.fails and not talk.table.begun:
            raise Fails(self.fails)
        if not talk.seated:
            talk.joined = False
        if message.why is Why.NOT_NOW and talk.table.mine(Start) is not None:
            return  # it stands already
        if message.why not in (Why.WRONG_PLY, Why.NOT_NOW) or not talk.table.begun:
            raise Fails(message.text)  # the others crossed what has begun or gone on meanwhile

    def _begin(self, talk: Talk, message: Notification | None) -> None:
        """Sit down, propose the game that the GUI has set up, and wait for another player to agree."""
        if talk.looking:
            if not talk.seated:
                raise Fails("the table is closed: a new board ends looking on")
            return
        if not talk.joined:
            talk.sit()
            return
        if not talk.seated:
            self.fails = ""  # called to another table, where a player waits who may play it
            return
        wanted = Start(talk.wish.settings(), self.user)
        self._answered(talk, wanted, message)
        if talk.proposed != wanted and not self.fails:
            talk.proposed, talk.pending = wanted, True
            talk.ask(Propose(wanted))

    def _answered(self, talk: Talk, wanted: Start, message: Notification | None) -> None:
        """Fails without an opponent for this game: when the lobby has looked everywhere, or at a registered table."""
        match message:
            case Unmatched(others=others) if not self.fails:
                self._unmatched(talk, wanted, others)
            case Declined(seat=seat, kind=Start.__name__) if seat == talk.table.seat and self.fails:
                talk.proposed = None
                raise Fails(self.fails)
            case Declined(seat=seat, kind=Start.__name__) if seat != talk.table.seat:
                self._declined(talk, seat)
            case Proposed(seat=seat, proposal=Start() as start) if seat != talk.table.seat:
                self._countered(talk, start)
        if self.reason and talk.table.registered:
            talk.proposed = None
            raise Fails(self.reason)

    def _unmatched(self, talk: Talk, wanted: Start, others: tuple[str, ...]) -> None:
        """No waiting player plays it. Asked again for the same game, the command waits."""
        if self.reason:
            self.fails = self.reason
        elif others and talk.warned != wanted:
            self.fails = f"nobody waits for this game: {'; '.join(others)}; set that up, or ask again to wait"
        else:
            return
        talk.warned = wanted
        talk.ask(Decline(Start.__name__))

    def _declined(self, talk: Talk, seat: int) -> None:
        """The game is proposed again: the one who declined leaves, and another may come."""
        table = talk.table
        if talk.pending or table.mine(Start) is not None:
            return  # that was for what it proposed before, or the other side has withdrawn its own
        said = table.last_words.get(seat, "")
        self.reason = f"{table.name(seat) or table.rival} declines this game" + (f": {said}" if said else "")
        talk.proposed = None

    def _countered(self, talk: Talk, start: Start) -> None:
        mine = talk.table.mine(Start)
        if mine is not None and start.settings not in (None, mine.settings) and not talk.pending and not self.reason:
            self.reason = f"{talk.table.rival} proposes another game: {in_words(start)}; set it up to agree"


def opposite(seat: int) -> int:
    return 1 - seat


def colour(seat: int) -> str:
    return COLOURS[seat != 0]
