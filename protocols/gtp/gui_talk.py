"""What the gateway remembers of its conversation with a Go GUI: what it set up, what it knows, which command waits.

A command that cannot be answered yet waits; whatever is told at the table is shown to it until it has its answer. Those
behind it wait in order. Not here: what the commands do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from protocols.core.commands import Command, Join, Leave, Propose
from protocols.core.errors import Why
from protocols.core.events import Declined, Proposed
from protocols.core.followed import Status
from protocols.core.proposals import Resume, Start
from protocols.core.told import Answered, Rejected, Told
from protocols.gtp.codec import Command as Asked
from protocols.gtp.offered import Wish, in_words
from protocols.gtp.table import GAME, Table
from protocols.gtp.vertices import COLOURS

LOOK_AGAIN: Final = "; of a new game boardgate-observe tells the moves"

MOST_HEARD: Final = 50
"""Sayings kept for a GUI that has not asked for them; the oldest are forgotten."""


class Fails(Exception):
    """A command is answered with "?" and this text."""


@dataclass(slots=True)
class Talk:
    """``wish`` is the game as the GUI has set it up, ``known`` how many moves of the table's game it knows.

    ``joined``: a seat was asked for; ``seated``: it was given; ``proposed`` is what was proposed there last;
    ``withdrawn``: something was, and if it had lapsed already that is refused; ``gone``: the GUI has quit;
    ``back``: it comes back to a game, and wants no other; ``replays`` is how many moves it shows again for that.
    ``looking``: it looks on at the game of others; ``number`` is its table's; ``heard`` is what others have said that
    it has not asked for yet.
    """

    wish: Wish
    name: str = ""
    ticket: str = ""
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
    queue: deque[Asked] = field(default_factory=deque)
    gone: bool = False
    withdrawn: bool = False
    looking: bool = False
    number: int = 0
    heard: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_HEARD))
    styled: bool = False
    """Whether it set its time with kgs-time_settings, and reads the stones of time_left as periods in byo-yomi."""

    def ask(self, *commands: Command) -> None:
        self.asks.extend(commands)

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
        wish = self.wish
        self.ask(Join(GAME, self.name, self.ticket, wish.wishes(), ready=False, settings=wish.settings()))

    def called_away(self) -> None:
        """Somebody waits elsewhere who fits better: what stood at the table is proposed there, asked for or not."""
        self.standing = self.table.mine(Start)
        self.forget()
        self.sit()

    def declined(self, seat: int) -> None:
        """What lapsed by that is proposed anew by the next command that begins a game, whether one waits now or not."""
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
    def look(self, talk: Talk, message: Told | None) -> str | None:
        """The answer, or None: not yet. ``message`` is what was just told, None at first. Fails: answered with "?"."""

    def interrupted(self, talk: Talk) -> None:  # noqa: B027  # most commands have nothing to withdraw
        """The user waits no longer; what was asked of the opponent is withdrawn where that can be done."""


@dataclass(slots=True)
class InGame(Waiting):
    """A command that needs a game; ``user`` is the seat its user plays from if it begins one."""

    user: int = 0
    resumed: bool = False

    def look(self, talk: Talk, message: Told | None) -> str | None:
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
        if not talk.seated:
            talk.joined = False
        if message.why is Why.NOT_NOW and talk.table.mine(Start) is not None:
            return  # it stands already
        if message.why not in (Why.WRONG_PLY, Why.NOT_NOW) or not talk.table.begun:
            raise Fails(message.text)  # the others crossed what has begun or gone on meanwhile

    def _begin(self, talk: Talk, message: Told | None) -> None:
        """Sit down, propose the game that the GUI has set up, and wait for somebody to agree."""
        if talk.looking:
            if not talk.seated:
                raise Fails("the table is closed: a new board ends looking on")
            return
        if not talk.joined:
            talk.sit()
            return
        if not talk.seated:
            return
        _answered(talk, message)
        wanted = Start(talk.wish.settings(), self.user)
        if talk.proposed != wanted:
            talk.proposed, talk.pending = wanted, True
            talk.ask(Propose(wanted))


def _answered(talk: Talk, message: Told | None) -> None:
    """Fails when nobody plays this game: the other side declines it or wants another, or all who wait want others."""
    table, mine = talk.table, talk.table.mine(Start)
    if isinstance(message, Answered) and not message.topic:
        raise Fails(f"nobody waits for this game: {'; '.join(message.lines)}; set that up, or ask again to wait")
    if isinstance(message, Declined) and message.kind == Start.__name__ and message.seat != table.seat:
        if talk.pending or mine is not None:
            return  # that was for what it proposed before, or the other side has withdrawn its own
        talk.proposed = None
        said = table.last_words.get(message.seat, "")
        raise Fails(f"{table.name(message.seat) or table.rival} declines this game" + (f": {said}" if said else ""))
    if not isinstance(message, Proposed) or not isinstance(message.proposal, Start) or mine is None:
        return
    if message.seat == table.seat:
        _comes_second(talk, mine)
    elif message.proposal.settings not in (None, mine.settings) and not talk.pending:
        talk.proposed = None
        raise Fails(f"{table.rival} proposes another game: {in_words(message.proposal)}; set it up to agree")


def _comes_second(talk: Talk, mine: Start) -> None:
    """Fails where the opponent, who has waited longer, wants the same colour."""
    theirs = talk.table.theirs(Start)
    if theirs is not None and theirs.side == mine.side and mine.side is not None:
        raise Fails(f"{talk.table.rival} plays {colour(mine.side)}, too: ask again to wait for somebody else")


def opposite(seat: int) -> int:
    return 1 - seat


def colour(seat: int) -> str:
    return COLOURS[seat != 0]
