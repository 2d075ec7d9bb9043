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
``receive_data``. A command has been answered when its table, or the server, has served or refused it and all its
effects have been told.

A connection may look on at further tables aside: ``send_aside`` gives the bytes of their steps, which wait in no queue.

Before a connection has a seat it is told Rejected, Answered, Noticed, and what is said to it only; then Seated once per
seat; then the events that follow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from protocols.core import line_text
from protocols.core.commands import Command
from protocols.core.errors import LocalProtocolError
from protocols.core.http_binding import AnyBinding
from protocols.core.notifications import Notification, ToldAside

Labelled = tuple[str, str]
"""A label, and the command under it. In it "{host}", "{port}", "{address}" (both), "{http}" (of the web server) and
"{game}" stand for this server's own."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """``title`` names the programs, ``text`` says more of them.

    ``commands`` are for a listener of any game: each is labelled with its program, and was tried. ``of_game`` are for
    one that is bound to a game by its option; where there are none, pages show host and port. ``untried`` names
    programs that should connect as well, which nobody has seen do it.
    """

    title: str
    text: str
    commands: tuple[Labelled, ...] = ()
    of_game: tuple[Labelled, ...] = ()
    untried: tuple[str, ...] = ()


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
    """Its name for listeners, transcripts and logs: lower case, words joined by hyphens."""

    options: ClassVar[Mapping[str, str]] = {}
    """Listener options it understands: name to one line of help. Anything else is refused at start-up."""

    patient: bool = False
    """True if a person may sit before the keys for minutes before a seat is asked for: the lobby's time counts then,
    not the handshake's."""

    ticketed: ClassVar[bool] = False
    """True if it can tell its peer a ticket: who takes a seat without one of its own is then given one."""

    rekeys: ClassVar[bool] = False
    """True if its peers keep the ticket that they are told instead of the one they have brought: an invitation is used
    up by them, and stands for their seat no more."""

    by_name: ClassVar[bool] = False
    """True if its peers may be unable to carry a ticket but always name themselves and their opponent (the wish
    "opponent"): then the two names find the seat at the table that was registered for them."""

    quick_ack: ClassVar[bool] = False
    """True if peers wait for an acknowledgement before they send the rest of an answer (Nagle's algorithm): then each
    receipt is acknowledged at once, which saves up to 40 ms an answer."""

    roams: ClassVar[bool] = False
    """True if it can be called to another table while it waits for a game: told CalledAway, it asks for a seat."""

    rounds: ClassVar[bool] = False
    """True if its peers are engines that play game after game: two of them meet where a round has paired them."""

    hears_seeks: ClassVar[bool] = False
    """True if it has words for the seeks of others: then a connection without a table is told Noticed."""

    dice: ClassVar[bool] = True
    """True if it has words for dice; games that have some are not for those that have none."""

    plays: ClassVar[tuple[str, ...]] = ()
    """The games it can carry; empty: any."""

    ticket_words: ClassVar[str] = ""
    """The way its peer presents a ticket, for people: "{game}", "{name}" and "{ticket}" stand for theirs. Empty: it
    has no room for one."""

    login_words: ClassVar[str] = ""
    """The way its peer logs in, for people, from where it may want a rated game; empty: it has none."""

    connecting: ClassVar[Connecting | None] = None
    """The way to connect a program that speaks it, for pages; None: they show host and port."""

    secret_marks: ClassVar[tuple[bytes, ...]] = ()
    """Bytes before or in front of a password: half a message with one of them is not written down."""

    reads_ahead: ClassVar[bool] = False
    """True if it finds the secrets of messages when they come, though they wait to be interpreted."""

    in_turn: ClassVar[bool] = False
    """True if it interprets a message only when the one before has been answered (protocols.core.in_turn)."""

    http: ClassVar[type[AnyBinding] | None] = None
    """Its binding to HTTP; None: it has listeners of its own only."""

    websocket: ClassVar[str] = ""
    """The path under which HTTP listeners upgrade a connection to it, such as "/ws"; "" for none. The handshake is the
    server's, the frames after it are the dialect's."""

    public: ClassVar[bool] = True
    """True if a listener can offer it to players."""

    carried: ClassVar[bool] = False
    """True if HTTP listeners serve it by routes that are written for it alone; it has no listeners of its own."""

    stays: bool = False
    """True while its peer is here without a seat for as long as it likes."""

    hears_talk: bool = False
    """True if it has words for what others say: it is told them at its table anyhow, and what is said to it alone."""

    hears_everybody: bool = False
    """True while its peer listens to what is said to everybody who is here (events.CHANNEL): then it also speaks."""

    hears_tidings: bool = False
    """True while its peer wants to hear of each public game that begins or ends, and of each person who comes or goes:
    it is told Tidings, at a table, too."""

    passes: bool = True
    """False where its peer has no word for a pass: a turn in which nothing else is legal ends by itself then."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        """``options`` are the listener's, by name. ValueError with a clear text for a value that makes no sense."""
        self._queue: list[bytes] = []
        self._prompted: list[Command] = []
        self._secrets: list[str] = []
        self.closing = False
        """True when the conversation is over: send what is queued, then close."""
        self.remarks: list[str] = []
        """Remarks for the host's log about this peer; its owner takes them out."""
        self.heard = 0.0
        """When the bytes came that are interpreted now, on the server's monotonic line in seconds; set by its owner."""
        self.seq: int | None = None
        """The number in the record of the first stored event that is sent next, 0: none of them is of the record; set
        by its owner. None: not known, as in a transcript."""

    @classmethod
    def can_play(cls, game: str) -> bool:
        """True if it can carry this game, by its name here."""
        return not cls.plays or game in cls.plays

    def connected(self) -> list[Command]:
        """The commands of a peer that merely connects; call it once, first."""
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
        """The number of messages that wait until the commands before them have been answered."""
        return 0

    def resume(self) -> list[Command]:
        """All commands have been answered: the commands of what was held, up to the first message that asks anything.

        RemoteProtocolError: the peer broke the protocol there, as in ``receive_data``.
        """
        return []

    @abstractmethod
    def send(self, message: Notification) -> None:
        """Queue the peer's wording of ``message``; nothing where the dialect has no word for it."""

    def send_step(self, messages: Iterable[Notification], seq: int) -> tuple[bytes, list[Command]]:
        """``send`` each of these, of which the first that is stored has the number ``seq`` in the record.

        All that there is to send, or b"" where it is queued; and what is ``prompted`` by it, behind queued bytes only.
        """
        self.seq = seq
        for message in messages:
            self.send(message)
        commands = self.prompted()
        data = b"" if commands else self.data_to_send()
        if self._queue and data:
            self._queue.insert(0, data)
            data = b""
        return data, commands

    def send_aside(self, table: int, messages: Iterable[ToldAside], seq: int) -> bytes:
        """The peer's wording of a step of a table that it looks on at aside; b"" where the dialect has no word for it.

        ``seq`` is as in ``send_step``. First comes Seated, without a seat, and again where the table begins anew;
        last Unwatched. LocalProtocolError: the wire has no room for a second table, and nobody has asked for one.
        """
        raise LocalProtocolError(f"{self.name} shows one table at a time")

    def prompted(self) -> list[Command]:
        """The commands that follow from what was sent, where the peer's words wait; call after every send."""
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

    @classmethod
    def hide(cls, data: bytes, secret: str) -> bytes:
        """A peer's bytes, from the start of a message, with as many asterisks in place of ``secret``."""
        found = secret.encode(errors="replace")
        return data.replace(found, b"*" * len(found))

    @property
    def awaiting(self) -> Awaited | None:
        """The answer that the peer owes and that may be late, in a protocol where the gateway asks; else None."""
        return None

    silence_s: float = 0.0
    """Seconds without a byte after which a peer with a seat is asked whether it is there (``probe``); as long again
    without one, and it is gone. 0.0: the wire has no such question, or the peer has not said that it answers."""

    def probe(self) -> None:
        """Queue that question. LocalProtocolError: the wire has none."""
        raise LocalProtocolError(f"{self.name} cannot ask whether its peer is there")

    keep_alive_s: float = 0.0
    """Seconds between two calls of ``keep_alive``; 0.0: there are none."""

    def keep_alive(self) -> list[Command]:
        """Queue a word that wants no answer; the commands of what is asked again and again without the peer.

        LocalProtocolError: the wire has neither.
        """
        raise LocalProtocolError(f"{self.name} keeps nothing alive")

    @property
    def program(self) -> str:
        """The engine that the peer is, by its own name and version; "" for a person's program, and where it does not
        say."""
        return ""

    def late(self) -> list[Command]:
        """The answer awaited has not come in time: what comes of that."""
        return []

    def data_to_send(self) -> bytes:
        """The next bytes to send: whole messages, together at most ONE_SEND bytes; b"" when nothing is queued."""
        queue = self._queue
        if not queue:
            return b""
        data = b"".join(queue)
        if len(data) <= ONE_SEND or len(queue) == 1:
            queue.clear()
            return data
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
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        """Readable lines for bytes of one direction (``sent`` True: to the peer), from the start of a message.

        Lossless: text_to_wire of the lines gives the same bytes. What is not a message of the dialect, or not a
        whole one, becomes a line ``hex 00 01 ...``. By default messages are lines of text.
        """
        return line_text.to_text(data)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        """The bytes that wire_to_text shows so. ValueError names the line that cannot be read."""
        return line_text.to_wire(lines)
