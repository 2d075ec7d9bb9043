"""A byte stream each way that survives its connections: what was not confirmed is sent again on the next one.

    link.take(b"e2e4\n")            from the program here
    link.connect()                  there is a connection, a first or a new one
    link.receive_data(data)         from the connection
    data = link.data_to_send(n)     for the connection
    link.next_out()                 for the program here; then link.put_out(data)
    link.disconnect()               the connection is lost: nothing is lost with it

Bytes are numbered from 0, and the end of a stream counts as one more. The sender keeps what is not confirmed as
delivered, the receiver what its program has not taken yet, each at most WINDOW bytes: the faster side waits. No I/O,
no time.
"""

from __future__ import annotations

from typing import Final

from clients.relay.frames import (
    LONGEST_PIECE,
    Bye,
    Delivered,
    End,
    Frame,
    Frames,
    Hello,
    Leave,
    Piece,
    Ping,
    Pong,
    Stop,
    encode,
)
from protocols.core.errors import RemoteProtocolError

WINDOW: Final = 1 << 19
"""Bytes on their way in one direction: five megabytes a second over a line of 100 ms."""

CONFIRM_EVERY: Final = 1 << 16
"""Bytes delivered before that is said, while more wait: an eighth of the window, so that the sender does not stop."""


class StartedAnew(RemoteProtocolError):
    """The other helper is not the one from before: what that one had is lost."""


class Link:
    """One helper's end. ``own`` are ID_BYTES random bytes, for as long as this link lives.

    ``refused``: the other program reads no more; ``left``: the other helper has given up; ``over``: both streams are
    delivered to their ends, and both helpers know it.
    """

    def __init__(self, own: bytes) -> None:
        self.refused = self.left = False
        self._own = own
        self._peer: bytes | None = None
        self._frames = Frames()
        self._queue: list[Frame] = []
        self._up = self._greeted = False
        self._kept, self._taken, self._confirmed, self._next = bytearray(), 0, 0, 0
        self._ended = False
        self._waiting, self._arrived, self._delivered, self._said = bytearray(), 0, 0, 0
        self._peer_ended = self._stopped = self._bye_said = self._bye_heard = False

    @property
    def room(self) -> int:
        """Number of bytes that may be taken from the program now."""
        return 0 if self._ended or self.refused else WINDOW - len(self._kept)

    @property
    def all_said(self) -> bool:
        """The program here has ended its stream, and the other one has got it to the end."""
        return self._ended and self._confirmed == self._taken + 1

    @property
    def finished(self) -> bool:
        """Both streams are delivered to their ends."""
        return self.all_said and self._all_put_out

    @property
    def over(self) -> bool:
        return self.finished and self._bye_heard and self._bye_said

    def take(self, data: bytes) -> None:
        """The program here has said this; at most ``room`` bytes."""
        assert len(data) <= self.room
        self._kept += data
        self._taken += len(data)

    def end(self) -> None:
        """The program here says no more."""
        self._ended = True

    def stop(self) -> None:
        """The program here reads no more: what comes is put out nowhere."""
        if not self._stopped:
            self._stopped = True
            self._say(Stop())

    def leave(self) -> None:
        """This helper stops before all is done."""
        self._say(Leave())

    def ping(self) -> None:
        self._say(Ping())

    def next_out(self) -> bytes | None:
        """The next bytes for the program here; b"" at the stream's end, None while there are none."""
        if self._waiting:
            return bytes(self._waiting[:CONFIRM_EVERY])
        return b"" if self._peer_ended and not self._all_put_out else None

    def put_out(self, data: bytes) -> None:
        """The program has taken what ``next_out`` gave."""
        del self._waiting[: len(data)]
        self._delivered += len(data) or 1

    def connect(self) -> None:
        """A connection is there on which nothing has been said yet."""
        self._frames, self._queue = Frames(), []
        self._up, self._greeted, self._bye_said, self._said = True, False, False, -1
        self._say(Hello(self._own, self._arrived, self._stopped))

    def disconnect(self) -> None:
        self._up = self._greeted = False

    def receive_data(self, data: bytes) -> None:
        """Bytes of the connection. RemoteProtocolError: it cannot be used any more; StartedAnew: nor can the link."""
        for frame in self._frames.receive_data(data):
            if isinstance(frame, Hello) == self._greeted:
                raise RemoteProtocolError(f"{type(frame).__name__} where it does not belong")
            self._fold(frame)

    def data_to_send(self, most: int) -> bytes:
        """Take the bytes to send on this connection, about ``most``; b"" when there are none."""
        if not self._up:
            return b""
        data = bytearray(b"".join(map(encode, self._queue)))
        self._queue.clear()
        if self._greeted:
            self._confirm(data)
            while len(data) < most and self._next < self._taken:
                at = self._next - self._confirmed
                piece = bytes(self._kept[at : at + LONGEST_PIECE])
                data += encode(Piece(self._next, piece))
                self._next += len(piece)
            if self._ended and self._next == self._taken:
                data += encode(End(self._taken))
                self._next += 1
            if self.finished and not self._bye_said:
                self._bye_said = True
                data += encode(Bye())
        return bytes(data)

    @property
    def _all_put_out(self) -> bool:
        return self._peer_ended and self._delivered == self._arrived

    def _say(self, frame: Frame) -> None:
        if self._up:
            self._queue.append(frame)

    def _confirm(self, data: bytearray) -> None:
        """Say what is delivered: when it has become much, or when there is nothing else to wait for."""
        if self._delivered > self._said and (not self._waiting or self._delivered - self._said >= CONFIRM_EVERY):
            self._said = self._delivered
            data += encode(Delivered(self._delivered))

    def _fold(self, frame: Frame) -> None:
        match frame:
            case Hello():
                self._greet(frame)
            case Piece(offset, data):
                self._arrive(offset, data)
            case Delivered(offset):
                self._drop(offset)
            case End(offset):
                self._expect(offset)
                self._peer_ended = True
                self._arrived += 1
            case Stop():
                self.refused = True
            case Ping():
                self._say(Pong())
            case Bye():
                self._bye_heard = True
            case Leave():
                self.left = True
            case Pong():
                pass

    def _greet(self, hello: Hello) -> None:
        """The other side's id, and where its stream goes on. Our own id: this helper was joined to itself."""
        if hello.own == self._own:
            raise RemoteProtocolError("this connection leads back to us")
        if self._peer not in (None, hello.own):
            raise StartedAnew("the other side was started anew in between; open a new relay")
        if not self._confirmed <= hello.received <= self._taken + self._ended:
            raise RemoteProtocolError(f"{hello.received} bytes received, of {self._taken}")
        self._peer, self._greeted, self._next = hello.own, True, hello.received
        self.refused = self.refused or hello.stopped

    def _arrive(self, offset: int, data: bytes) -> None:
        self._expect(offset)
        if len(self._waiting) + len(data) > WINDOW:
            raise RemoteProtocolError("more bytes than we have room for")
        self._waiting += data
        self._arrived += len(data)

    def _expect(self, offset: int) -> None:
        if offset != self._arrived or self._peer_ended:
            raise RemoteProtocolError(f"byte {offset} where {self._arrived} is next")

    def _drop(self, offset: int) -> None:
        if not self._confirmed <= offset <= self._next:
            raise RemoteProtocolError(f"byte {offset} confirmed, of {self._next}")
        del self._kept[: offset - self._confirmed]
        self._confirmed = offset
