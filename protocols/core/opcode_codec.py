"""The bytes of a declared opcode protocol: framing, parsing, building, and one end's incremental reader.

An int is 4 bytes, signed; a string is an int, that many bytes, the last of them a NUL. There is no framing on the wire:
how long a message is follows from its fields. It is measured first, with every length checked against its cap, and only
a whole frame is given to construct, whose ``compile()`` is never used because compiled parsers lose the checks.

Parsing and building messages of numbers is remembered: a game has few different moves, and construct takes thirty times
as long as a look-up. What holds a word of somebody's is not: it may be a ticket or a password.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import construct

from protocols.core.errors import LocalProtocolError, RemoteProtocolError
from protocols.core.opcodes import Field, Loop, Message, OpcodeProtocol, Shape, Side, Value

ByteOrder: TypeAlias = Literal["big", "little"]
K = TypeVar("K")
V = TypeVar("V")

INT: Final = 4
"""Bytes of an int."""

STRING_CAP: Final = 4096
"""Bytes of one string, its NUL included. libggz allows 32768; the longest string that is needed here is a handshake
with its options and ticket, a few hundred bytes, and every connection may hold one half-received."""

SMALL: Final = 64
"""Bytes up to which messages of numbers are remembered: what moves need."""

REMEMBERED: Final = 4096
"""The number of each that are remembered: all moves of a board of 64 squares; at most about a megabyte together."""

PIECE: Final = 1
"""Letters of a string in a message that is remembered: the piece of a placement."""

NAME: Final = 16
"""The same of a placement that is built: "white" for all who look on at a game of Go."""


class Read(NamedTuple):
    """The content of some bytes: whole messages, the bytes they took, and why reading cannot go on ("": it can)."""

    messages: tuple[Message, ...]
    used: int
    error: str

    def is_kept(self, data: bytes) -> bool:
        """True if this is all there is to ``data``, and may be remembered."""
        return self.used == len(data) and not self.error and all(map(_is_kept, self.messages))


class _Unfinished(Exception):
    """The frame is not whole yet."""


class Codec:
    """Messages of one protocol to and from bytes; stateless, so one serves every connection (see ``codec``).

    ``nul`` False builds strings without the closing NUL, as GGZBoard's own clients do. Both forms are read.
    """

    def __init__(self, protocol: OpcodeProtocol, byte_order: ByteOrder = "big", *, nul: bool = True) -> None:
        self.protocol = protocol
        self.byte_order: ByteOrder = byte_order
        self._int = struct.Struct(">i" if byte_order == "big" else "<i")
        self._names = {shape.name: shape for shape in protocol.shapes}
        self._opcodes = {shape.opcode: shape for shape in protocol.shapes}
        self._constructs = {shape.name: _construct(shape, byte_order, nul) for shape in protocol.shapes}
        self._reads: dict[Side, _Kept[bytes, Read]] = {
            side: _Kept(partial(self._read, sender=side), lambda data, read: read.is_kept(data))
            for side in get_args(Side)
        }
        self._parsed = _Kept(self._parse, lambda _, message: _is_kept(message))
        self._built = _Kept(self._build, lambda message, _: _is_kept(message) or _places(message))
        self.encode: Callable[[Message], bytes] = self._built.__getitem__
        """The bytes of a message; a string that exceeds STRING_CAP is cut at a letter.

        LocalProtocolError when the protocol has no such message, or its values do not fit.
        """

    def read(self, data: bytes, sender: Side) -> Read:
        """The whole messages ``data`` begins with, as ``sender`` may send them. Never raises."""
        return self._reads[sender][data] if len(data) <= SMALL else self._read(data, sender)

    def sends(self, side: Side, name: str) -> bool:
        """True if this side may send the message of that name."""
        return name in self._names and side in self._names[name].senders

    def parse(self, frame: bytes) -> Message:
        """The message of a frame that ``frame`` has cut."""
        return self._parsed[frame] if len(frame) <= SMALL else self._parse(frame)

    def frame(self, data: bytes, at: int, sender: Side) -> bytes | None:
        """The message that begins at ``at``, None while it is not whole.

        RemoteProtocolError, as soon as it is known, when ``sender`` sends no message like it.
        """
        if at + 4 > len(data):
            return None
        (opcode,) = self._int.unpack_from(data, at)
        shape = self._opcodes.get(opcode)
        if shape is None or sender not in shape.senders:
            known = f" ({shape.name})" if shape else ""
            raise RemoteProtocolError(f"a {sender} does not send opcode {opcode}{known}")
        try:
            end = self._skip(shape.fields, {}, data, at + 4)
        except _Unfinished:
            return None
        return data[at:end] if end <= len(data) else None

    def _read(self, data: bytes, sender: Side) -> Read:
        messages: list[Message] = []
        at = 0
        try:
            while (frame := self.frame(data, at, sender)) is not None:
                messages.append(self.parse(frame))
                at += len(frame)
        except RemoteProtocolError as error:
            return Read(tuple(messages), at, str(error))
        return Read(tuple(messages), at, "")

    def _skip(self, fields: tuple[Field | Loop, ...], seen: dict[str, int], data: bytes, at: int) -> int:
        for field in fields:
            if isinstance(field, Loop):
                for _ in range(field.times(seen)):
                    at = self._skip(field.fields, {}, data, at)
            elif field.present(seen):
                seen[field.name], at = self._number(data, at)
                if field.type == "string":
                    at += _checked(seen[field.name])
        return at

    def _number(self, data: bytes, at: int) -> tuple[int, int]:
        if at + 4 > len(data):
            raise _Unfinished
        return self._int.unpack_from(data, at)[0], at + 4

    def _parse(self, frame: bytes) -> Message:
        shape = self._opcodes[self._int.unpack_from(frame)[0]]
        return Message(shape.name, shape.flat(self._constructs[shape.name].parse(frame)))

    def _build(self, message: Message) -> bytes:
        if message.name not in self._names:
            raise LocalProtocolError(f"{self.protocol.engine} has no message {message.name!r}")
        record = self._names[message.name].record(message.values)
        try:
            built: bytes = self._constructs[message.name].build(record)
        except construct.ConstructError as error:
            raise LocalProtocolError(f"{message.name} {message.values!r} cannot be sent: {error}") from error
        return built


class _Kept(dict[K, V]):
    """The value made of each key, as far as it ``keeps``. When full it begins anew."""

    def __init__(self, make: Callable[[K], V], keeps: Callable[[K, V], bool]) -> None:
        self._make, self._keeps = make, keeps

    def __missing__(self, key: K) -> V:
        made = self._make(key)
        if self._keeps(key, made):
            if len(self) >= REMEMBERED:
                self.clear()
            self[key] = made
        return made


def _is_kept(message: Message) -> bool:
    """True if it has numbers and pieces alone, and few of them."""
    few = len(message.values) * INT <= SMALL
    return few and all(isinstance(value, int) or len(value) <= PIECE for value in message.values)


def _places(message: Message) -> bool:
    """True if it puts a piece on a square: a name stands behind the square's number, and no other string."""
    *numbers, name = message.values or (0,)
    placed = isinstance(name, str) and len(name) <= NAME and all(isinstance(value, int) for value in numbers)
    return placed and bool(numbers) and int(numbers[-1]) >= 0


@cache
def codec(protocol: OpcodeProtocol, byte_order: ByteOrder = "big", *, nul: bool = True) -> Codec:
    """The one codec of these settings, with what it remembers."""
    return Codec(protocol, byte_order, nul=nul)


class Wire:
    """One end of a connection, without I/O: reads what the other end sends at any split, builds what this end sends.

        wire = Wire(codec(BOGAPROT), "client")          # we are the client
        data = wire.build("REQ_HANDSHAKE", "ludo", 1)
        for name, values in wire.receive_data(data): ...

    What is held back is less than one message: a few KiB from a client.
    """

    __slots__ = ("_buffer", "_other", "codec", "error", "side")

    def __init__(self, codec: Codec, side: Side) -> None:
        self.codec = codec
        self.side: Side = side
        self.error = ""
        """Why nothing more can be read; "" while it can. Set together with the last messages before the break."""
        self._other: Side = "server" if side == "client" else "client"
        self._buffer = b""

    def receive_data(self, data: bytes) -> tuple[Message, ...]:
        """The messages these bytes complete; b"": the other end closed.

        RemoteProtocolError: the other end broke the protocol, or closed inside a message. Messages that came before
        the break are returned first, ``error`` is set then, and the next call raises it.
        """
        if self.error:
            raise RemoteProtocolError(self.error)
        if not data and self._buffer:
            raise RemoteProtocolError(f"closed inside a message, after {self._buffer[:SMALL].hex(' ')}")
        whole = self._buffer + data
        messages, used, self.error = self.codec.read(whole, self._other)
        self._buffer = whole[used:]
        if self.error and not messages:
            raise RemoteProtocolError(self.error)
        return messages

    def build(self, name: str, *values: Value) -> bytes:
        """One message of this end. LocalProtocolError when this end does not send it so."""
        if not self.codec.sends(self.side, name):
            raise LocalProtocolError(f"a {self.side} does not send {name!r}")
        return self.codec.encode(Message(name, values))


def _construct(shape: Shape, byte_order: ByteOrder, nul: bool) -> Any:
    integer = construct.Int32sb if byte_order == "big" else construct.Int32sl
    types = {"int": integer, "string": _string(integer, nul)}
    return construct.Struct("opcode" / construct.Const(shape.opcode, integer), *_fields(shape.fields, types))


def _fields(fields: tuple[Field | Loop, ...], types: dict[str, Any]) -> list[Any]:
    made: list[Any] = []
    for field in fields:
        if isinstance(field, Loop):
            made.append(field.name / construct.Array(field.times, construct.Struct(*_fields(field.fields, types))))
        elif field.when is None:
            made.append(field.name / types[field.type])
        else:
            made.append(field.name / construct.If(field.when.holds, types[field.type]))
    return made


def _string(integer: Any, nul: bool) -> Any:
    """A string: an int that says how many bytes, the bytes, at most one NUL of which is not text.

    What is not UTF-8 becomes U+FFFD: an old client's Latin-1 name is no reason to turn it away.
    """
    length = construct.ExprValidator(integer, lambda obj, ctx: 0 <= obj <= STRING_CAP)

    def decode(raw: bytes, ctx: Any) -> str:
        return raw.removesuffix(b"\0").decode("utf-8", "replace")

    def encode(text: str, ctx: Any) -> bytes:
        whole = text.encode("utf-8", "replace")
        cut = whole if len(whole) < STRING_CAP else whole[: STRING_CAP - 1].decode("utf-8", "ignore").encode()
        return cut + b"\0" if nul else cut

    return construct.ExprAdapter(construct.Prefixed(length, construct.GreedyBytes), decode, encode)


def _checked(length: int) -> int:
    if not 0 <= length <= STRING_CAP:
        raise RemoteProtocolError(f"a string of length {length}, not between 0 and {STRING_CAP}")
    return length
