"""The binding of a dialect to HTTP: its requests, how they become messages, and how messages become answers.

A dialect declares a class of this kind (``Dialect.http``); the server makes one object of it. Each seat has a
connection to its table like any other client's, and speaks the dialect there. A request is handed in as a message with
a number; the answer is the message with the same number. No I/O, no threads; the time is given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from protocols.core.errors import BoardgateError

Headers = Sequence[tuple[bytes, bytes]]
"""Of an HTTP request: names in lower case, values as they came, in order."""

Fields = tuple[tuple[str, bytes], ...]
"""Headers of an answer, in order."""


class BadRequest(BoardgateError):
    """The text says what is wrong with an HTTP request."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as the server sees it: ``name`` asks, about the game registered for it and ``opponent``.

    ``ticket`` is the seat's, "" for none. ``login`` is the name and secret of an account, None for none.
    """

    name: str
    opponent: str
    ticket: str = ""
    login: tuple[str, str] | None = None

    @property
    def pair(self) -> tuple[str, str]:
        """The name that asks, and its opponent's."""
        return self.name, self.opponent


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat at a table, and how far its game is. ``ready`` are the seats that have asked to begin."""

    table: int
    seat: int
    begun: bool = False
    over: bool = False
    ready: frozenset[int] = frozenset()

    @property
    def at(self) -> tuple[int, int]:
        """The table and the seat."""
        return self.table, self.seat


@dataclass(frozen=True, slots=True)
class Answer:
    """Status 200, these headers and no body. ``last``: nothing of the game is left to say to this player.

    ``remark`` is for the server's log, "" for none.
    """

    headers: Fields = ()
    last: bool = False
    remark: str = ""


R = TypeVar("R", bound=Request)


class HttpBinding(ABC, Generic[R]):
    """One server's requests of one dialect. ``R`` is what the dialect reads of a request."""

    paths: ClassVar[tuple[str, ...]]
    """The paths of its requests; other dialects have other paths."""

    methods: ClassVar[tuple[str, ...]] = ("POST",)
    """The methods of these paths; bodies are ignored."""

    asked: ClassVar[type[Request]] = Request
    """The class of its requests."""

    longest_wait_s: ClassVar[float | None] = None
    """Seconds an answer may wait; None: as long as its client waits."""

    still_s: ClassVar[float] = 600.0
    """Seconds after which a player who still waits is noted as present: far below any limit on idleness."""

    @abstractmethod
    def read(self, headers: Headers) -> R:
        """The request that these headers are. BadRequest: they are none."""

    def chosen(self, request: R, newest: Sitting | None, before: Sitting | None, now: float) -> Answer | Sitting | None:
        """The seat that a request is about, or its answer, where that is known.

        ``newest`` is the pair's seat at the table that was registered last, None where there is none. ``before`` is the
        seat that the pair asked about last, None where its connection has ended.
        """
        return newest

    @abstractmethod
    def message(self, number: int, request: R, table: int) -> bytes:
        """The request as the connection at ``table`` receives it."""

    @abstractmethod
    def gone(self, number: int) -> bytes:
        """The message that says: the client does not wait for this answer any more, or did not when it left."""

    @abstractmethod
    def still(self, number: int) -> bytes:
        """The message that says: the client still waits for this answer."""

    @abstractmethod
    def reader(self) -> Callable[[bytes], Iterable[tuple[int, Answer]]]:
        """A function for one connection: the numbered answers that its bytes complete."""

    def answered(self, request: R, answer: Answer, table: int, now: float) -> Answer:
        """The answer as it leaves."""
        return answer

    def left(self, table: int) -> None:
        """No connection of this dialect is at ``table`` any more."""

    @abstractmethod
    def refusal(self, text: str) -> Answer:
        """The answer to a request that is refused."""


AnyBinding = HttpBinding[Any]
