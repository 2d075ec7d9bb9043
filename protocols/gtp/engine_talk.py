"""Questions to an engine and what the gateway remembers of it: one question at a time, each with what its answer does.

Nothing is asked that list_commands did not name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from protocols.core.commands import Command, Forfeit, Propose, Say
from protocols.core.proposals import Start
from protocols.go_words.table import Table
from protocols.go_words.wish import Wish
from protocols.gtp.codec import Answer, plain
from protocols.gtp.offered import Limits, Particulars

ANSWER_S: Final = 30.0
"""Seconds an engine may take for anything but a move: GNU Go needs some for the dead stones of a 19x19 board."""

MOVE_S: Final = 600.0
"""The same for a move without a clock; with one, the flag falls."""

ALWAYS: Final = frozenset(("protocol_version", "name", "version", "known_command", "list_commands", "quit"))
"""Commands that the draft requires of every engine and that change nothing."""

LONGEST_SAYING: Final = 400

MOST_REFUSED: Final = 64
"""Refusals remembered: more than wait at a time."""


@dataclass(slots=True)
class Question:
    """``words`` are the command; ``then`` is called with the answer. ``optional``: the game goes on without one."""

    words: str
    then: Callable[[Talk, Answer], None]
    within_s: float = ANSWER_S
    optional: bool = False


@dataclass(slots=True)
class Board:
    """The engine's board. ``todo`` is the rest of its set-up, None before that began.

    ``lacks`` are set-up commands that it refused; ``tries`` counts replays since it last moved; ``same`` of ``moves``
    are known to be the table's; ``told`` are the clocks it is still to be told before its move, None before any;
    ``moving`` is the ply of its own move on its way to the table; ``settled`` is how often it was asked what is dead.
    """

    todo: deque[str] | None = None
    moves: list[tuple[int, int | None]] = field(default_factory=list)
    lacks: set[str] = field(default_factory=set)
    tries: int = 0
    same: int = 0
    told: deque[str] | None = None
    moving: int | None = None
    settled: int = 0

    def reset(self) -> None:
        """Set up again and replay."""
        self.todo, self.moves, self.told, self.moving, self.same = None, [], None, None, 0

    def taken_back(self, ply: int) -> None:
        """The table's game stands at ``ply`` moves again: what comes then may be other moves."""
        self.moving, self.same = None, min(self.same, ply)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game that is asked of the engine: its opponent, what that one proposes (None: nothing), what it would propose
    itself to begin it."""

    rival: str
    theirs: Start | None
    offer: Start

    @property
    def key(self) -> tuple[str, Start]:
        return self.rival, self.offer


@dataclass(slots=True)
class Talk:
    """``wish`` is what it plays other engines at, ``limits`` what others may ask of it.

    ``particulars`` are what play_mode said it wants instead. ``listed`` are its commands. ``seated`` is False while no
    table is known. ``refusals`` are the games that were declined at this table, by opponent; ``noes`` the questions of
    game_ok that it has answered with no; ``people``: it has refused a house bot. ``asking`` is the game that it is
    just asked for, ``agreed`` the opponent that it has agreed to play, "" none. ``spoken`` counts its answers to talk
    in this turn; ``silent``: it does not know what is dead. ``parting``: it is let go once it is free. ``remarks`` are
    what the host should know, ``comments`` what its user should.

    ``kept``: its first seat is that of its ticket, or none. At a registered table ``tried`` is the opponent for whom it
    was asked for that game, ``refuses`` why it does not play it.
    """

    wish: Wish
    limits: Limits = field(default_factory=Limits)
    name: str = ""
    ticket: str = ""
    kept: bool = False
    secret: str = ""
    engine: str = ""
    listed: frozenset[str] = ALWAYS
    particulars: Particulars | None = None
    table: Table = field(default_factory=Table)
    board: Board = field(default_factory=Board)
    seated: bool = False
    joined: bool = False
    questions: deque[Question] = field(default_factory=deque)
    asks: list[Command] = field(default_factory=list)
    refusals: set[tuple[str, Start]] = field(default_factory=set)
    noes: dict[str, None] = field(default_factory=dict)
    people: bool = False
    undo: bool = False
    """True if the opponent has asked for a takeback that the engine is to be asked about."""
    spoken: int = 0
    excused: bool = False
    silent: bool = False
    games: int = 0
    gave_up: bool = False
    parting: bool = False
    remarks: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    pending: Start | None = None
    """Its own proposal while that is on its way to the table."""
    asking: Challenge | None = None
    agreed: str = ""
    tried: str = ""
    refuses: str = ""

    def lists(self, command: str) -> bool:
        return command in self.listed

    def ask(self, *commands: Command) -> None:
        for command in commands:
            if isinstance(command, Propose) and isinstance(command.proposal, Start):
                self.pending = command.proposal
        self.asks.extend(commands)

    def question(self, words: str, then: Callable[[Talk, Answer], None]) -> None:
        self.questions.append(Question(words, then))

    def says_no(self, words: str) -> None:
        """Its answer to this question of game_ok; of too many the oldest is forgotten."""
        if len(self.noes) >= MOST_REFUSED:
            del self.noes[next(iter(self.noes))]
        self.noes[words] = None

    def say(self, text: str, to: str = "all") -> None:
        if saying := plain(text.replace("\n", " "))[:LONGEST_SAYING].rstrip():
            self.ask(Say(to, saying))

    @property
    def called(self) -> str:
        """The engine's name at the table."""
        return (self.table.name(self.table.seat) if self.table.seat is not None else "") or self.name or "the engine"

    def give_up(self, why: str) -> None:
        """The engine cannot go on: its opponent is told why, and it loses and is let go."""
        if self.table.begun and not self.gave_up:
            self.say(f"{self.called} {why}: it loses the game")
            self.ask(Forfeit(why))
        self.gave_up = self.parting = True
        self.questions.clear()


def nothing(talk: Talk, answer: Answer) -> None:
    """An answer that changes nothing."""
