"""Tells the board in Bogaprot: to clients of the document (Spec), and to GGZBoard's own clients (Legacy, Window).

A client of the document is taken to do this and no more with a plain move: the piece of the source goes to the
destination, where it replaces what stood there. Whatever a move does beyond that is told by removals and placements; a
placement replaces, too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from itertools import product
from typing import Final

from protocols.bogaprot.messages import START, asked, moved, placed, removed, word
from protocols.bogaprot.window import COLUMNS, LudoWindow
from protocols.bogaprot.words import plain_move, written_move
from protocols.core.commands import PlayMove
from protocols.core.events import Changes, GameStarted, MoveMade
from protocols.core.followed import FollowedTable
from protocols.core.model import Move, Settings
from protocols.core.opcodes import Message
from protocols.core.squares import coordinates, square


class Profile(ABC):
    """The messages that differ between the two kinds of clients."""

    @abstractmethod
    def moved(self, table: FollowedTable, event: MoveMade) -> list[Message]:
        """A move, with the table as it was before."""

    @abstractmethod
    def started(self, table: FollowedTable, event: GameStarted) -> list[Message]:
        """A game's start, with the table as it was before."""

    @abstractmethod
    def position(self, table: FollowedTable) -> list[Message]:
        """The messages that lead from this game's first position to the present one, for a client that comes later."""

    @abstractmethod
    def changed(self, changes: Changes) -> list[Message]:
        """A board that changed without a move: moves taken back, a seat withdrawn."""

    @abstractmethod
    def said(self, text: str) -> list[Message]:
        """A move that is only a word."""

    def asked(self, seat: int, *, own: bool) -> list[Message]:
        """REQ_MOVE to a seat, the client's ``own`` one or another."""
        return [asked(seat)]

    @abstractmethod
    def draw(self, seats: int) -> int:
        """The winner of a drawn game of so many seats."""

    @abstractmethod
    def played(self, table: FollowedTable, source: int, destination: int) -> PlayMove:
        """The command of a move between these positions, neither of them negative."""


class Spec(Profile):
    """Clients that have sent REQ_HANDSHAKE: they know removals, placements and negative values."""

    def moved(self, table: FollowedTable, event: MoveMade) -> list[Message]:
        move, board, after = event.move, table.board, dict(event.changes)
        source, target = move.source, move.target
        shown: dict[int, str | None] = {}
        if source is not None:
            shown[source] = None
        if target is not None:
            shown[target] = after.get(target) or move.piece if source is None else board.get(source)
        plain = _plain(move, shown)
        return [plain] if shown == after else [plain, *_repairs(board, shown, after)]

    def started(self, table: FollowedTable, event: GameStarted) -> list[Message]:
        """The start alone, for every client knows the usual position; otherwise the board is made right.

        That is after an earlier game, whose pieces still stand, and for a set-up position, where any square may hold
        a piece that the client has put there by itself.
        """
        settings = event.settings
        own = _set_up(settings, event.board)
        if not own and not table.started:
            return [START]
        stale: Iterable[int] = range(settings.width * settings.height) if own else table.board
        return [START, *_rebuilt(stale, dict(event.board))]

    def position(self, table: FollowedTable) -> list[Message]:
        board, settings = table.board, table.settings
        if settings is not None and _set_up(settings, table.start):
            return _rebuilt(range(settings.width * settings.height), board)
        start = dict(table.start)
        return _rebuilt(start, board) if board != start else []

    def changed(self, changes: Changes) -> list[Message]:
        return [removed(at) if piece is None else placed(at, piece) for at, piece in _removals_first(changes)]

    def said(self, text: str) -> list[Message]:
        return [word(text)]

    def draw(self, seats: int) -> int:
        return -1

    def played(self, table: FollowedTable, source: int, destination: int) -> PlayMove:
        return plain_move(source, destination)


def _plain(move: Move, shown: Mapping[int, str | None]) -> Message:
    if move.source is not None:
        return removed(move.source) if move.target is None else moved(move.source, move.target)
    if move.target is None:
        return word(written_move(move.piece) if move.piece else "pass")
    return placed(move.target, shown[move.target] or "")


def _repairs(board: Mapping[int, str], shown: dict[int, str | None], after: dict[int, str | None]) -> list[Message]:
    """The messages that put a board right where the plain move alone was made."""
    wrong: list[tuple[int, str | None]] = []
    for at in after.keys() | shown.keys():
        piece = after[at] if at in after else board.get(at)
        if piece != (shown[at] if at in shown else board.get(at)):
            wrong.append((at, piece))
    return [removed(at) if piece is None else placed(at, piece) for at, piece in _removals_first(wrong)]


def _removals_first(changes: Iterable[tuple[int, str | None]]) -> list[tuple[int, str | None]]:
    return sorted(changes, key=lambda change: (change[1] is not None, change[0]))


def _rebuilt(stale: Iterable[int], board: Mapping[int, str]) -> list[Message]:
    """Removals for the stale squares that are empty, placements for every occupied one."""
    return [
        *(removed(at) for at in sorted(set(stale) - board.keys())),
        *(placed(at, board[at]) for at in sorted(board)),
    ]


class Legacy(Profile):
    """GGZBoard's clients: plain moves only, from which they compute all effects themselves.

    Never a negative int: these clients read ints unsigned, a removal crashes them and a placement sets their board
    wrong. ``width`` is what they multiply y with, None for the board's own width.
    """

    def __init__(self, width: int | None = None) -> None:
        self._width: Final = width

    def moved(self, table: FollowedTable, event: MoveMade) -> list[Message]:
        return self._told(table, event.move)

    def started(self, table: FollowedTable, event: GameStarted) -> list[Message]:
        return [START]

    def position(self, table: FollowedTable) -> list[Message]:
        return [message for made in table.moves for message in self._told(table, made.move)]

    def changed(self, changes: Changes) -> list[Message]:
        return []

    def said(self, text: str) -> list[Message]:
        return []

    def draw(self, seats: int) -> int:
        """A seat that does not exist: the document's negative value would be read as 4294967295."""
        return seats

    def played(self, table: FollowedTable, source: int, destination: int) -> PlayMove:
        if self._width is None or table.settings is None:
            return plain_move(source, destination)
        readings = product(self._squares(table, source), self._squares(table, destination))
        first, *others = [Move(*pair) for pair in readings]
        return PlayMove(first, others=tuple(others))

    def _told(self, table: FollowedTable, move: Move) -> list[Message]:
        if move.source is None or move.target is None:
            return []
        if self._width is None or table.settings is None:
            return [moved(move.source, move.target)]
        width = table.settings.width
        return [moved(*(square(*coordinates(at, width), self._width) for at in (move.source, move.target)))]

    def _squares(self, table: FollowedTable, position: int) -> list[int]:
        """Every square a position may mean, the least column first; one off the board when it means none.

        A width less than the board's gives two squares the same position: (10, 0) and (0, 1) are both 10.
        """
        assert self._width is not None
        assert table.settings is not None
        width, height = table.settings.width, table.settings.height
        row = position // self._width
        columns = range(position % self._width, width, self._width)
        found = [square(x, row - step, width) for step, x in enumerate(columns) if 0 <= row - step < height]
        return found or [width * height + position]


class Window(Legacy):
    """GGZBoard's Ludo window, which is told the moves that make it draw the table, and clicked to choose a piece."""

    def __init__(self) -> None:
        super().__init__(COLUMNS)
        self._window: Final = LudoWindow()

    def moved(self, table: FollowedTable, event: MoveMade) -> list[Message]:
        move, board = event.move, _changed(table.board, event.changes)
        if move.source is None or move.target is None:
            self._window.settle(board)
        else:
            self._window.moved(move.source, move.target, board)
        return self._taken()

    def started(self, table: FollowedTable, event: GameStarted) -> list[Message]:
        self._window.begin(dict(event.board), dict(event.board))
        return [START, *self._taken()]

    def position(self, table: FollowedTable) -> list[Message]:
        self._window.begin(dict(table.start), table.board)
        return self._taken()

    def changed(self, changes: Changes) -> list[Message]:
        self._window.settle(_changed(self._window.board, changes))
        return self._taken()

    def asked(self, seat: int, *, own: bool) -> list[Message]:
        if own:
            self._window.give_turn(seat)
        return [*self._taken(), asked(seat)]

    def played(self, table: FollowedTable, source: int, destination: int) -> PlayMove:
        """A click chooses the piece, the die how far it goes; else the two squares as they are written."""
        written = super().played(table, source, destination)
        meant = [Move(*pair) for pair in self._window.meant(source)]
        first, *others = dict.fromkeys([*meant, *(move for move in (written.move, *written.others) if move)])
        return PlayMove(first, others=tuple(others))

    def _taken(self) -> list[Message]:
        return [moved(*pair) for pair in self._window.take()]


def _changed(board: Mapping[int, str], changes: Changes) -> dict[int, str]:
    after = {**board, **dict(changes)}
    return {at: piece for at, piece in after.items() if piece is not None}


def _set_up(settings: Settings, first: Collection[object]) -> bool:
    """True if the first position may be another than the usual one, which every client knows: options may be of the
    rules alone, and leave an empty board empty."""
    return bool(settings.start or (settings.options and first))


def legacy(game: str, options: Mapping[str, str]) -> Legacy:
    """The profile for a port of one game; ValueError names an option that makes no sense there."""
    width = board_width(options.get("width", ""))
    windows = game == "ludo" and width == COLUMNS
    match options.get("window", ""):
        case "yes" if not windows:
            raise ValueError(f"window=yes is for game=ludo,width={COLUMNS}")
        case "yes":
            return Window()
        case "no":
            return Legacy(width)
        case "":
            return Window() if windows and options.get("variant", "") == "ggzboard" else Legacy(width)
        case other:
            raise ValueError(f"window is yes or no, not {other!r}")


def board_width(text: str) -> int | None:
    """The width of the option ``width``; None for the board's own. ValueError shows what is none."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 100):
        raise ValueError(f"width is a number from 1 to 100, not {text!r}")
    return int(text)
