"""Writes all that is kept of an account as a ZIP file, piece by piece: its own data, its games, its notices.

    account.json     name, dates, preferences, sessions, tokens, share links, and what else is kept under the name
    notices.ndjson   what the account was told, or is to be told, while away
    games.ndjson     the records of all tables where the account has played, the newest first, as ``boardgate export``
    games/GAME.FORM  the same games as other programs read them: games/chess.pgn, games/go.sgf

Of other people it has the names that they had at these tables. What others said has no body in the records, as in any
export; what the account said has.

A reader that is slow costs one piece: tables are read in pages, and the file is nowhere as a whole.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec
import structlog

from gateway.record.exported import RECORD, forms, written
from gateway.record.people import seat_of, sitting
from gateway.store import codec
from gateway.store.former import PublicViews
from gateway.store.personal import Personal, PersonalRows
from gateway.store.records import EventRow, StoredEvent, Unreadable
from gateway.store.views import TableView, moment
from protocols.core.errors import Refused
from protocols.core.events import Said, SeatsTurned, SeatTaken
from protocols.core.model import SeatKind

PAGE: Final = 50
"""Tables of one reading."""

GAMES: Final = "games/"
"""The folder of files that are not compressed: to write a game takes some 20 ms, a compressor holds hundreds of them
back, and proxies hang up on an answer that stands still."""

LINES: Final = 100
"""Lines of a record that are written without a pause."""

_log = structlog.get_logger()


class Spoken:
    """Says of the rows of a table, given in order, which have their bodies: all but what others said.

    ``name`` is what the person was called there; before ``since``, Unix time, that was somebody else.
    """

    def __init__(self, name: str, since: float) -> None:
        self._name = name.casefold()
        self._since = since
        self._sat: list[str] = []

    def __call__(self, row: EventRow) -> bool:
        if row.kind not in (SeatTaken.__name__, SeatsTurned.__name__, Said.__name__):
            return True
        try:
            event = codec.decode(row.kind, row.body)
        except ValueError:
            return row.kind != Said.__name__
        match event:
            case SeatTaken(seat=seat, kind=kind, name=name):
                self._sat += [""] * (seat + 1 - len(self._sat))
                self._sat[seat] = "" if kind is SeatKind.BOT else name.casefold()
            case SeatsTurned(by=by) if self._sat:
                self._sat = [self._sat[(seat - by) % len(self._sat)] for seat in range(len(self._sat))]
            case Said(seat=seat, name=name):
                speaker = name.casefold() if seat is None else self._sat[seat] if seat < len(self._sat) else ""
                return bool(speaker) and speaker == self._name and row.at >= self._since
        return True


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table where the account has played: its last ``seat`` there, ``spoken`` says which rows have their bodies."""

    view: TableView
    seat: int
    spoken: Spoken


@dataclass(slots=True)
class Archives:
    """Makes archives from ``rows`` and ``views``; ``site`` is the server's name. Everything here blocks."""

    rows: PersonalRows
    views: PublicViews
    site: str

    def of(self, name: str, now: float) -> Iterator[bytes] | None:
        """The pieces of the file, some empty, each read when it is asked for; None: there is no such account."""
        person = self.rows.of(name, now)
        return None if person is None else _zipped(_Files(self, person, now).all(), now)

    def tables(self, person: Personal) -> Iterator[OwnTable]:
        """The tables where this account has sat, those that are not over first, the newest first."""
        running: set[int] = set()
        for over in (False, True):
            before: int | None = None
            while found := self.views.seated(person.name, over=over, limit=PAGE, before=before):
                before = found[-1].table
                yield from self._own(person, [view for view in found if view.table not in running])
                running |= set() if over else {view.table for view in found}  # one may end meanwhile

    def several(self, person: Personal, numbers: Iterable[int]) -> Iterator[OwnTable]:
        """These of them."""
        left = list(numbers)
        for at in range(0, len(left), PAGE):
            yield from self._own(person, self.views.several(left[at : at + PAGE]))

    def _own(self, person: Personal, found: list[TableView]) -> Iterator[OwnTable]:
        numbers = [view.table for view in found]
        points = self.views.turning_points(numbers)
        kept = {seat.table: seat.seat for seat in self.views.kept_seats(person.name, numbers)}
        for view in found:
            if (own := _own_table(view, points[view.table], person, kept.get(view.table))) is not None:
                yield own


def _own_table(view: TableView, points: list[StoredEvent], person: Personal, kept: int | None) -> OwnTable | None:
    """The table for this account, which may have ``kept`` its seat from its time as a guest. None: it was another of
    the same name who sat there, before the account was made."""
    if kept is not None:
        return OwnTable(view, kept, Spoken(sitting(points).get(kept, ""), 0.0))
    seat = seat_of(person.name, points, person.since)
    return None if seat is None else OwnTable(view, seat, Spoken(person.name, person.since))


@dataclass(slots=True)
class _Files:
    """The files of an archive. ``written`` are the tables of each game and form, found while their records are."""

    archives: Archives
    person: Personal
    now: float
    written: dict[tuple[str, str], array[int]] = field(default_factory=dict)

    def all(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Names of files and their texts, in parts; each is read before the next is asked for."""
        yield "account.json", self._account()
        yield "notices.ndjson", self._notices()
        yield "games.ndjson", self._records()
        for (game, form), numbers in sorted(self.written.items()):
            yield f"{GAMES}{game}.{form}", self._games(form, numbers)

    def _account(self) -> Iterator[str]:
        made = {"server": self.archives.site, "made_at": moment(self.now)}
        own = {"name": self.person.name, "created_at": moment(self.person.since)}
        yield msgspec.json.format(msgspec.json.encode({**made, **own, **self.person.rest})).decode() + "\n"

    def _records(self) -> Iterator[str]:
        for own in self.archives.tables(self.person):
            view = own.view
            for form in forms(view.game):
                if form != RECORD:
                    self.written.setdefault((view.game, form), array("q")).append(view.table)
            yield from self._lines(own, RECORD, own.spoken)

    def _games(self, form: str, numbers: Iterable[int]) -> Iterator[str]:
        """A blank line between two games, also of one table."""
        first = True
        for own in self.archives.several(self.person, numbers):
            for text in filter(None, self._lines(own, form)):
                yield text if first else f"\n{text}"
                first = False

    def _lines(self, own: OwnTable, form: str, heard: Callable[[EventRow], bool] = lambda row: True) -> Iterator[str]:
        """The record in this form. A damaged one is left out where it cannot be read: games.ndjson has it as it is."""
        views, view, held = self.archives.views, own.view, list[str]()
        try:
            for line in written(views.rows(view.table), view, form, self.archives.site, heard):
                held.append(f"{line}\n")
                if len(held) == LINES:
                    yield "".join(held)
                    held.clear()
        except (Unreadable, Refused) as error:
            _log.info("a game is left out of a person's data", table=view.table, form=form, why=str(error))
        yield "".join(held)

    def _notices(self) -> Iterator[str]:
        rows, numbers = self.archives.rows, self.archives.rows.noticed(self.person.name)
        seats = {own.view.table: own.seat for own in self.archives.several(self.person, numbers)}
        for at in range(0, len(numbers), PAGE):
            page = {table: seats[table] for table in numbers[at : at + PAGE] if table in seats}
            yield "".join(f"{msgspec.json.encode(told).decode()}\n" for told in rows.notices(page))


class _Sink:
    """The end that zipfile writes to: it holds the bytes until they are taken."""

    def __init__(self) -> None:
        self._held: deque[bytes] = deque()

    def write(self, content: bytes) -> int:
        self._held.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Nothing: all is taken in order."""

    def taken(self) -> bytes:
        content = b"".join(self._held)
        self._held.clear()
        return content


def _zipped(files: Iterable[tuple[str, Iterable[str]]], now: float) -> Iterator[bytes]:
    sink: Any = _Sink()
    with ZipFile(sink, "w") as archive:
        for name, parts in files:
            entry = ZipInfo(name, time.gmtime(now)[:6])
            entry.compress_type = ZIP_STORED if name.startswith(GAMES) else ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as file:
                for text in parts:
                    file.write(text.encode())
                    yield sink.taken()
    yield sink.taken()
