"""The call shape of every dialect: bytes in, commands out; messages in, bytes out. No I/O, no time, no threads.

A connection's life, as its owner drives it::

    dialect = SomeDialect({"game": "ludo"})
    commands = dialect.connected()                # what the peer asks by merely connecting
    commands = dialect.receive_data(data)         # b"" when the peer closed
    dialect.send(message)                         # queues; does nothing where the dialect has no word for it
    commands = dialect.prompted()                 # what the peer has asked before and what can be asked only now
    commands = dialect.resume()                   # where something is ``held``: all commands so far have been answered
    while data := dialect.data_to_send(): ...     # whole messages, one send each

Where the dialect is ``in_turn``, bytes that come before all commands have been answered go to ``hold`` instead of
``receive_data``. A command has been answered when its table, or the house, has served or refused it and everything
that came of it has been told.

Before a connection has a seat it is told Rejected, Answered and Noticed only; then Seated once per seat; then the
events that follow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from protocols.core.commands import Command
from protocols.core.errors import LocalProtocolError
from protocols.core.told import Told

ONE_SEND: Final = 1200
"""Bytes: what is sent at once stays below one Ethernet segment, so that a peer that takes a short read for an error
never sees half a message. A single longer message still goes out whole."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """An answer the peer owes: ``number`` counts the connection's questions, ``within_s`` is how long it may take."""

    number: int
    what: str
    within_s: float


class Dialect(ABC):
    """One peer's end of the conversation. Subclasses are registered in the entry-point group boardgate.dialects."""

    name: ClassVar[str]
    """What listeners, transcripts and logs call it: lower case, words joined by hyphens."""

    options: ClassVar[Mapping[str, str]] = {}
    """Listener options it understands: name to one line of help. Anything else is refused at start-up."""

    patient: ClassVar[bool] = False
    """Whether a person may sit before the keys for minutes before a seat is asked for: the lobby's time counts then,
    not the handshake's."""

    ticketed: ClassVar[bool] = False
    """Whether it can tell its peer a ticket: who takes a seat without one of its own is then given one."""

    by_name: ClassVar[bool] = False
    """Whether its peers may be unable to carry a ticket but always name themselves and their opponent (the wish
    "opponent"): then the two names find the seat at the table that was registered for them."""

    quick_ack: ClassVar[bool] = False
    """Whether peers wait for an acknowledgement before they send the rest of an answer (Nagle's algorithm): then each
    receipt is acknowledged at once, which saves up to 40 ms an answer."""

    roams: ClassVar[bool] = False
    """Whether it can be called to another table while it waits for a game: told CalledAway, it asks for a seat."""

    hears_seeks: ClassVar[bool] = False
    """Whether it has words for the seeks of others: then a connection without a table is told Noticed."""

    dice: ClassVar[bool] = True
    """Whether it has words for dice; games that have some are not for those that have none."""

    plays: ClassVar[tuple[str, ...]] = ()
    """The games it can carry; empty: any."""

    ticket_words: ClassVar[str] = ""
    """How its peer presents a ticket, for people: "{game}", "{name}" and "{ticket}" stand for what they say. Empty: it
    has no room for one."""

    secret_marks: ClassVar[tuple[bytes, ...]] = ()
    """What stands in the bytes before or in front of a password, so that half a message with it is not written down."""

    in_turn: ClassVar[bool] = False
    """Whether it interprets a message only when the one before has been answered (protocols.core.in_turn)."""

    public: ClassVar[bool] = True
    """Whether a listener can offer it to players."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        """``options`` are the listener's, by name. ValueError with a clear text for a value that makes no sense."""
        self._queue: list[bytes] = []
        self._prompted: list[Command] = []
        self._secrets: list[str] = []
        self.closing = False
        """True when the conversation is over: send what is queued, then close."""
        self.remarks: list[str] = []
        """What the host should know of this peer, for the log; its owner takes them out."""

    @classmethod
    def can_play(cls, game: str) -> bool:
        """Whether it can carry this game, by its name here."""
        return not cls.plays or game in cls.plays

    def connected(self) -> list[Command]:
        """What the peer asks by merely connecting; call it once, first."""
        return []

    @abstractmethod
    def receive_data(self, data: bytes) -> list[Command]:
        """Commands of these bytes, split anywhere; b"" means the peer closed.

        RemoteProtocolError: the peer broke the protocol. What was queued may still be sent; nothing more is read.
        """

    def hold(self, data: bytes) -> None:
        """Keep bytes that came before everything was answered; ``resume`` interprets them. Only where ``in_turn``."""
        raise LocalProtocolError(f"{self.name} holds nothing")

    @property
    def held(self) -> int:
        """How many messages wait in it until the commands before them have been answered."""
        return 0

    def resume(self) -> list[Command]:
        """All commands have been answered: the commands of what was held, up to the first message that asks anything.

        RemoteProtocolError: the peer broke the protocol there, as in ``receive_data``.
        """
        return []

    @abstractmethod
    def send(self, message: Told) -> None:
        """Queue the peer's wording of ``message``; nothing where the dialect has no word for it."""

    def prompted(self) -> list[Command]:
        """What the peer asks because of what it was told, in a protocol where its words wait; ask after every send."""
        if not self._prompted:
            return []
        commands, self._prompted = self._prompted, []
        return commands

    def taken_secrets(self) -> list[str]:
        """The secrets in the bytes that were received last, as they stood there; they are handed out once."""
        if not self._secrets:
            return []
        secrets, self._secrets = self._secrets, []
        return secrets

    @property
    def awaiting(self) -> Awaited | None:
        """The answer that the peer owes and that may be late, in a protocol where the gateway asks; else None."""
        return None

    def late(self) -> list[Command]:
        """The answer awaited has not come in time: what comes of that."""
        return []

    def data_to_send(self) -> bytes:
        """The next bytes to send: whole messages, together at most ONE_SEND bytes; b"" when nothing is queued."""
        queue = self._queue
        if len(queue) <= 1:
            return queue.pop() if queue else b""
        size = count = 0
        for part in queue:
            size += len(part)
            if size > ONE_SEND and count:
                break
            count += 1
        data = b"".join(queue[:count])
        del queue[:count]
        return data

    @classmethod
    @abstractmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        """Readable lines for bytes of one direction (``sent`` True: to the peer), from the start of a message.

        Lossless: text_to_wire of the lines gives the same bytes. What is not a message of the dialect, or not a
        whole one, becomes a line ``hex 00 01 ...``.
        """

    @classmethod
    @abstractmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        """The bytes that wire_to_text shows so. ValueError names the line that cannot be read."""
