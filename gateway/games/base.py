"""The interface of a game: pure rules over immutable positions.

A complete game takes ten calls: ``settings`` and the nine that are abstract::

    settings = game.settings("english")
    position = game.start(settings)
    while game.to_move(position) is not None:
        position = game.play(position, choose(game.legal_moves(position)))
    print(game.outcome(position))

The others have defaults that most games keep. Dice, a usual set-up, and an end by agreement are parts.py's.

Games know no dialect, no clock, no names and no other game; they import no trio, socket, sqlalchemy, threading, time
or random. A position is immutable, hashable by its own content, cheap to keep, and can be pickled.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from gateway.games.guide import Guide
from gateway.games.look import Look
from gateway.games.options import Option, chosen
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Move, Outcome, Settings, Tally

Position = TypeVar("Position")

CHANCE: Final = "chance"
"""Returned by ``to_move`` when the dice are rolled before a seat can move."""

Turn: TypeAlias = int | Literal["chance"] | None


@dataclass(frozen=True, slots=True)
class Variant:
    """A named rule set: its board size in squares, how many seats it may have, and one sentence about it."""

    name: str
    width: int
    height: int
    text: str
    seats: tuple[int, ...] = (2,)


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of a finished or running game: who made it, how it is written, what its seat's clock showed then.

    ``clock_s`` is seconds left after the move, None without a clock. ``overtime`` is 0 while they are of main
    time, else they are of the running period, and it counts the turns it is for, or (byo-yomi) the periods left.
    """

    seat: int
    move: Move
    notation: str
    clock_s: float | None = None
    overtime: int = 0


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a seat's pieces: ``walks`` are its squares, the first one first, the last ``home`` of them its own.

    ``waits`` are the squares beside it, in the order in which pieces leave them; ``sent_back`` the same in the order in
    which captured pieces fill them, the first empty one each time.
    """

    waits: tuple[int, ...]
    sent_back: tuple[int, ...]
    walks: tuple[int, ...]
    home: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat's claim about a game that had stopped (parts.py) when ``ply`` moves had been made."""

    seat: int
    squares: tuple[int, ...]
    ply: int


@dataclass(frozen=True, slots=True)
class Played:
    """One game as its record tells it, for writing it in the field's own form.

    ``names`` are by seat, ``site`` is the server's name, ``begun`` Unix time in seconds, ``number`` counts the games of
    ``table`` from 1. ``outcome`` is None while the game goes on. Moves that were taken back are not among ``moves``.
    ``claims`` are those made each time play had stopped, ``settled`` the one that scored the game, None: none.
    """

    table: int
    number: int
    site: str
    begun: float
    settings: Settings
    names: tuple[str, ...]
    moves: tuple[PlayedMove, ...]
    outcome: Outcome | None = None
    claims: tuple[Claim, ...] = ()
    settled: tuple[int, ...] | None = None


class Game(ABC, Generic[Position]):
    """Rules without state. Subclasses are registered in the entry-point group boardgate.games."""

    name: ClassVar[str]
    """Lower case with underscores: "connect_four"."""

    title: ClassVar[str]
    """As people write it: "Connect Four"."""

    variants: ClassVar[tuple[Variant, ...]]
    """The rule sets, the default one first."""

    sides: ClassVar[tuple[str, ...]]
    """The names of the seats on the board ("black", "white"), by seat."""

    judged: ClassVar[bool] = True
    """True if these rules know legal moves and the end. Where they do not, the players' programs do, and must agree.

    Then ``legal_moves`` are examples: ``play`` accepts whatever could be a move, and ``outcome`` is always None.
    """

    passing: ClassVar[str] = "Pass"
    """The words of a button that makes the move without squares, where that is legal."""

    cased: ClassVar[bool] = False
    """True if letter case has a meaning in this game's notation, as in "bxc3" and "Bxc3"."""

    draw_after_moves: ClassVar[bool] = False
    """True if a draw can be agreed only once each side has moved; it may be offered before."""

    options: ClassVar[tuple[Option, ...]] = ()
    """The choices of players for a table (options.py): ``settings`` checks them, and pages have a field for each."""

    guide: ClassVar[Guide] = Guide()
    """The rules in a person's own words, for pages and programs that explain them (guide.py)."""

    formats: ClassVar[Mapping[str, Callable[[Played], str]]] = {}
    """The field's own forms of a game record: a format's name ("pgn") to what writes one game in it."""

    def settings(
        self, variant: str = "", seats: int = 0, start: str = "", options: Mapping[str, str] | None = None
    ) -> Settings:
        """Settings for a table; "" and 0 are the defaults. Refused (BAD_OPTION) names what this game does not have.

        The options are kept sorted, without those that are as usual.
        """
        found = next((v for v in self.variants if v.name == (variant or self.variants[0].name)), None)
        if found is None:
            known = ", ".join(v.name for v in self.variants)
            raise Refused(Why.BAD_OPTION, f"{self.name} has no rule set {variant!r}; it has {known}", option="variant")
        if seats and seats not in found.seats:
            allowed = ", ".join(str(n) for n in found.seats)
            raise Refused(Why.BAD_OPTION, f"{self.name} cannot seat {seats}; it seats {allowed}", option="seats")
        own = chosen(self.options, options or {}, self.name, found.name)
        size = (found.width, found.height)
        settings = Settings(self.name, found.name, *size, seats or found.seats[0], start=start, options=own)
        if start:
            self.start(settings)
        return settings

    def called(self, settings: Settings) -> tuple[str, ...]:
        """The names of the seats of a table with these settings, by seat: ``sides``, unless a rule set differs."""
        return self.sides[: settings.seats]

    def look(self, settings: Settings) -> Look:
        """The board and pieces as clients draw them; by default discs and rings on a plain board (look.py)."""
        return Look(sides=self.called(settings))

    @abstractmethod
    def start(self, settings: Settings) -> Position:
        """The first position; the one written in ``settings.start`` (see ``text``) when that is not empty.

        Refused (BAD_OPTION) when the text is not a position of this rule set.
        """

    def as_written(self, position: Position, text: str) -> Position:
        """``position``, which was read from ``text``. Refused (BAD_OPTION): ``text`` writes it otherwise."""
        if (written := self.text(position)) != text:
            raise Refused(Why.BAD_OPTION, f"written {written!r}, not {text[:500]!r}")
        return position

    @abstractmethod
    def to_move(self, position: Position) -> Turn:
        """The seat to move, CHANCE when dice come first (parts.py), None when the game is over or has stopped."""

    @abstractmethod
    def play(self, position: Position, move: Move) -> Position:
        """The position after ``move`` by the seat to move. IllegalMove, always, for anything the rules forbid.

        Exactly the moves of ``legal_moves`` are accepted (see ``judged``); a peer's move goes through ``normal`` first.
        """

    def normal(self, position: Position, move: Move) -> Move:
        """The move that a peer means by ``move``: the same, except where a wire leaves unsaid something the rules know.

        For example a placement without its piece. Never raises; what makes no sense comes back as it is.
        """
        return move

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game; None while it goes on."""

    @abstractmethod
    def legal_moves(self, position: Position) -> list[Move]:
        """Every legal move once, in a fixed order; empty when no seat is to move. Each passes ``play``."""

    @abstractmethod
    def board(self, position: Position) -> dict[int, str]:
        """Every occupied square with its piece, in the words a placement uses ("white king"), by rising square."""

    @abstractmethod
    def text(self, position: Position) -> str:
        """The position as one line: ``start`` of settings with this text begins from an equal position.

        The rows of the diagram joined by "/", then a blank and the seat to move, then whatever else the rules
        need; a game with a usual form of its own, such as FEN, writes that. Equal texts mean the same to the rules.
        """

    def brief(self, position: Position) -> str:
        """``text`` without the past that only rules of repetition need: what each move of a record carries.

        ``start`` of settings with this text begins from a position that looks the same.
        """
        return self.text(position)

    @abstractmethod
    def diagram(self, position: Position) -> str:
        """The board as people draw it: one line a row, top row first, one letter a square, "." empty."""

    @abstractmethod
    def notation(self, position: Position, move: Move) -> str:
        """The field's usual way to write a legal ``move`` made in ``position``."""

    def parse(self, position: Position, text: str) -> Move:
        """The legal move that ``notation`` writes so, letter case ignored unless the game is ``cased``.

        IllegalMove: ILLEGAL when no move here is written so, SYNTAX when none has even this form.
        """
        wanted, legal = text.strip().lower(), self.legal_moves(position)
        for move in legal:
            if self.notation(position, move).lower() == wanted:
                return move
        raise not_written(text, [self.notation(position, move) for move in legal])

    def turn(self, position: Position, text: str) -> tuple[Move, ...]:
        """The moves that ``text`` means: one, unless a usual word of the game is several moves of the seat to move.

        IllegalMove as of ``parse``; each move is legal after the one before.
        """
        return (self.parse(position, text),)

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        """The squares a legal ``move`` changes, rising, each with what stands there afterwards (None: empty)."""
        return differences(self.board(position), self.board(self.play(position, move)))

    def routes(self, settings: Settings) -> tuple[Route, ...]:
        """By seat, the squares on which its pieces walk in one order; () in games without."""
        return ()

    def decisive(self, position: Position) -> tuple[int, ...]:
        """The squares that show why the game ended, such as three in a row, rising; none where no squares do."""
        return ()

    def hands(self, position: Position) -> tuple[Mapping[str, int], ...]:
        """By seat, the pieces beside the board that it may place, in the words of a placement; () without any.

        A rule set that has such pieces at any time answers with one mapping a seat at all times, empty ones too.
        """
        return ()

    def alarm(self, position: Position) -> int | None:
        """The square of a king in check, or of a piece that is threatened with defeat likewise; None without."""
        return None

    def tally(self, position: Position) -> tuple[Tally, ...]:
        """By seat, what it has taken and what counts for it, as pages show it beside the name; () without any.

        A rule set that has it at any time answers with one a seat at all times.
        """
        return ()

    def claim(self, position: Position) -> Outcome | None:
        """The end that a player may claim here, though the game goes on; None without one.

        Its reason is CLAIM, its detail the rule ("threefold repetition").
        """
        return None

    def passed_over(self, before: Position, after: Position) -> int | None:
        """The seat that cannot move and has lost its turn by this one move, where the rules pass by themselves."""
        return None

    def can_win(self, position: Position, seat: int) -> bool:
        """True unless no series of legal moves lets ``seat`` win: then the other's flag or resignation makes a draw."""
        return True

    def dead(self, position: Position) -> bool:
        """True if no seat can win any more though the rules go on: a table draws the game at once.

        It is no end by the rules, so that a record of before, which went on, is read as it was.
        """
        return False

    def handicap(self, settings: Settings) -> bool:
        """True if these settings make up for the players' strengths: they keep their sides in a rematch."""
        return False

    def withdraw(self, position: Position, seat: int) -> Position | None:
        """The position after ``seat`` gave up and the others play on; None where the game ends with it.

        Asked only at tables of more than two seats.
        """
        return None

    def evaluate(self, position: Position, seat: int) -> float:
        """The value of the position for ``seat``, higher is better, symmetric around 0; for house bots.

        Only asked while the game goes on, or has stopped to be scored. 0.0 means the game has no opinion.
        """
        return 0.0

    def worth_trying(self, position: Position) -> list[Move]:
        """The legal moves a house bot thinks about; all, unless a game has so many that most are idle.

        At least one where a seat is to move.
        """
        return self.legal_moves(position)


def missing(has: Mapping[str, int], full: Mapping[str, int]) -> dict[str, int]:
    """The pieces that are taken where ``has`` is left of ``full``, in the order of ``full``."""
    return {piece: many - has.get(piece, 0) for piece, many in full.items() if many > has.get(piece, 0)}


def counted(many: int, noun: str) -> str:
    """A number with its noun: "1 disc", "12 discs"."""
    return f"{many} {noun}" if many == 1 else f"{many} {noun}s"


def not_available(piece: str) -> IllegalMove:
    """The refusal of a placement that the rules do not have. The sentence is listed in the Bogaprot document."""
    return IllegalMove(f"piece of type '{piece}' is not available for placement", Why.NO_SUCH_PIECE)


def not_written(text: str, legal: Iterable[str]) -> IllegalMove:
    """The refusal of a text that none of the ``legal`` moves is written as."""
    if _form(text) in map(_form, legal):
        return IllegalMove(f"no legal move here is written {text!r}")
    return IllegalMove(f"{text!r} is not the form of a move here", Why.SYNTAX)


def _form(text: str) -> str:
    """A letter or two as a, a number as 0; words and all other signs as they are."""
    return re.sub(r"[0-9]+|[A-Za-z]+", _part, text.strip().lower())


def _part(found: re.Match[str]) -> str:
    part = found[0]
    return part if len(part) > 2 else "0" if part.isdigit() else "a"


def no_step(move: Move, width: int, height: int) -> IllegalMove | None:
    """Why ``move`` does not go from one square of the board to another; None where it does."""
    if move.source is None and move.target is not None:
        return not_available(move.piece)
    if move.source is None or move.target is None:
        return IllegalMove("a move goes from one square to another")
    for number in (move.source, move.target):
        if not 0 <= number < width * height:
            return IllegalMove(f"no square {number} on a board of {width}x{height}", Why.OUT_OF_BOUNDS)
    return None


def differences(before: Mapping[int, str], after: Mapping[int, str]) -> list[tuple[int, str | None]]:
    """Squares whose piece differs, rising, with what stands there afterwards."""
    squares: Iterable[int] = sorted(before.keys() | after.keys())
    return [(square, after.get(square)) for square in squares if before.get(square) != after.get(square)]
