"""GAMESMAN's requests of HTTP: POST /GamesmanServlet, everything in headers, each answered when there is an answer.

The status is 200 whatever happens, bodies are empty and ignored. A request may wait for days; when its connection ends,
the same request may be sent again, and gets the answer that was lost. Source: the P2P module documentation of
GAMESMAN, and how Java's HttpURLConnection sends and reads headers.
"""

from __future__ import annotations

import base64
import binascii
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from protocols.core.http_binding import Answer, BadRequest, Fields, Headers, HttpBinding, Request, Sitting
from protocols.gamesman import wire

KEPT_S: Final = 600.0
"""Seconds for which the last answer of a game can be had again after its end: a client that lost it asks at once, and
one whose network is away for some minutes is served too."""

MOST_KEPT: Final = 20_000
"""Ends that are kept at once: as many as tables, some kilobytes of memory each."""

AUTHORIZATION: Final = b"authorization"
SCHEME: Final = b"ticket "

_NAMES: Final = {name.lower().encode(): name for name in wire.SPOKEN}


@dataclass(frozen=True, slots=True)
class Asked(Request):
    """``fields`` are the headers that mean something."""

    fields: Fields = ()

    def value(self, name: str) -> bytes:
        """The value of a header, b"" where there is none."""
        return dict(self.fields).get(name, b"")

    @property
    def initial(self) -> bool:
        """True if this may begin a game: no move."""
        return self.value(wire.TYPE) == wire.SEND_MOVE.encode() and self.value(wire.MOVE) in (b"", wire.NULL)


class GamesmanHttp(HttpBinding[Asked]):
    """Remembers the last answers of games that have ended, and how moves were spelled."""

    asked: ClassVar[type[Request]] = Asked
    paths: ClassVar[tuple[str, ...]] = ("/GamesmanServlet", "/gamesman/GamesmanServlet")

    def __init__(self) -> None:
        self._spelled: dict[int, bytes] = {}  # table -> its last move, where that was not UTF-8
        self._ends: dict[tuple[str, str], tuple[Fields, Answer, float]] = {}  # by who asks: what was asked last
        self._expiring: deque[tuple[float, tuple[str, str]]] = deque()

    def read(self, headers: Headers) -> Asked:
        """The headers that mean something here, whatever the letter case of their names."""
        found: dict[str, bytes] = {}
        ticket = ""
        for raw, value in headers:
            if raw.lower() == AUTHORIZATION and value.lower().startswith(SCHEME):
                ticket = wire.text(value[len(SCHEME) :].strip())
            name = _NAMES.get(raw.lower())
            if name is None:
                continue
            if name in found:
                raise BadRequest(f"the header {name} is given twice")
            found[name] = _checked(name, value)
        for name in (wire.SRC, wire.DEST):
            if not found.get(name):
                raise BadRequest(f"the header {name} is missing")
        if len(ticket) > wire.LONGEST_VALUE:
            raise BadRequest("no ticket is so long")
        fields = tuple((name, found[name]) for name in wire.SPOKEN if name in found)
        return Asked(wire.text(found[wire.SRC]), wire.text(found[wire.DEST]), ticket, _login(headers), fields)

    def chosen(
        self, request: Asked, newest: Sitting | None, before: Sitting | None, now: float
    ) -> Answer | Sitting | None:
        """Until the newest game has begun a request is about the one before, where its end was not heard."""
        self._expire(now)
        if newest is None or not (newest.begun or request.initial or 1 in newest.ready):
            fields, end, until = self._ends.get(request.pair, ((), Answer(), now))
            if fields == request.fields and until > now:
                return end
            if before is not None and before.over:
                return before
        return newest

    def message(self, number: int, request: Asked, table: int) -> bytes:
        move = request.value(wire.MOVE)
        if wire.text(move).encode() != move:
            self._spelled[table] = move
        ticket = ((wire.TICKET, request.ticket.encode()),) if request.ticket else ()
        return _numbered(number, *ticket, *request.fields)

    def gone(self, number: int) -> bytes:
        return _numbered(number, (wire.GONE, b"yes"))

    def still(self, number: int) -> bytes:
        return _numbered(number, (wire.STILL, b"yes"))

    def reader(self) -> Callable[[bytes], Iterable[tuple[int, Answer]]]:
        sets = wire.Sets()

        def read(data: bytes) -> Iterator[tuple[int, Answer]]:
            for (_, number), *fields in sets.split(data):
                remarks = [wire.text(value) for name, value in fields if name == wire.WARNING]
                said = tuple((name, value) for name, value in fields if name != wire.WARNING)
                yield int(number), Answer(said, _last(said), "".join(remarks))

        return read

    def answered(self, request: Asked, answer: Answer, table: int, now: float) -> Answer:
        """The opponent gets the very bytes of a move, which the table keeps as text; a last answer is kept."""
        spelled = self._spelled.get(table)
        if spelled is not None:
            text = wire.text(spelled).encode()
            said = ((name, spelled if (name, value) == (wire.MOVE, text) else value) for name, value in answer.headers)
            answer = replace(answer, headers=tuple(said))
        if answer.last:
            self._spelled.pop(table, None)
            self._keep(request, answer, now)
        return answer

    def left(self, table: int) -> None:
        self._spelled.pop(table, None)

    def _keep(self, request: Asked, answer: Answer, now: float) -> None:
        self._expire(now)
        self._ends[request.pair] = request.fields, answer, now + KEPT_S
        self._expiring.append((now + KEPT_S, request.pair))

    def _expire(self, now: float) -> None:
        """Forget the last answers that are too old, or too many for one more."""
        while self._expiring and (self._expiring[0][0] < now or len(self._expiring) >= MOST_KEPT):
            until, pair = self._expiring.popleft()
            if pair in self._ends and self._ends[pair][2] <= until:
                del self._ends[pair]

    def refusal(self, text: str) -> Answer:
        return Answer(wire.error(text))


def _numbered(number: int, *fields: tuple[str, bytes]) -> bytes:
    return wire.write_set(((wire.REQUEST, str(number).encode()), *fields))


def _login(headers: Headers) -> tuple[str, str] | None:
    """Name and secret of an account: Basic has both, of a Bearer the name is "". None: there is neither.

    BadRequest: what follows Basic is no such pair.
    """
    value = next((wire.text(value) for raw, value in headers if raw.lower() == AUTHORIZATION), "")
    scheme, _, secret = value.partition(" ")
    if scheme.lower() == "bearer":
        return "", secret.strip()
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = base64.b64decode(secret.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        colon = ""
    if not colon:
        raise BadRequest("Basic is followed by NAME:PASSWORD in base64")
    return name, password


def _checked(name: str, value: bytes) -> bytes:
    if len(value) > wire.LONGEST_VALUE:
        raise BadRequest(f"the header {name} has {len(value)} bytes, more than {wire.LONGEST_VALUE}")
    if any(byte < 0x20 or byte == 0x7F for byte in value):
        raise BadRequest(f"the header {name} holds a control character: {value[:40]!r}")
    return value


def _last(fields: Fields) -> bool:
    """True if nothing of the game is left to say after this."""
    found = dict(fields)
    kind = found.get(wire.TYPE, b"").decode()
    ended = kind == wire.SEND_MOVE and found.get(wire.MOVE) == wire.NULL
    return ended or kind in (wire.ACK_END, wire.ACK_RESIGN, wire.RESIGN)
