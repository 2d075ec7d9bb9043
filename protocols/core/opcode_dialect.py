"""Shared by all dialects of declared opcode protocols: the server's end of the wire and the readable form."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from protocols.core import ggzcomm
from protocols.core.commands import Command
from protocols.core.errors import RemoteProtocolError
from protocols.core.in_turn import InTurnDialect
from protocols.core.opcode_codec import ByteOrder, Codec, Wire, codec
from protocols.core.opcodes import Message, OpcodeProtocol, Side


class OpcodeDialect(InTurnDialect[Message]):
    """A dialect whose bytes are messages of one OpcodeProtocol; option ``byte_order`` is understood where listed."""

    protocol: ClassVar[OpcodeProtocol]

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._wire = Wire(self.codec(options or {}), "server")
        self._encode = self._wire.codec.encode

    @classmethod
    def codec(cls, options: Mapping[str, str]) -> Codec:
        """The codec of a listener with these options; ValueError for a byte order there is not."""
        order = options.get("byte_order", "big") if "byte_order" in cls.options else "big"
        orders: dict[str, ByteOrder] = {"big": "big", "little": "little"}
        if order not in orders:
            raise ValueError(f"byte_order is big or little, not {order!r}")
        return codec(cls.protocol, orders[order])

    def _split(self, data: bytes) -> None:
        self._held += self._wire.receive_data(data)
        if self._wire.error:
            raise RemoteProtocolError(self._wire.error)

    def _hear(self, message: Message) -> list[Command]:
        command = self._received(message)
        return [] if command is None else [command]

    def _end(self) -> list[Command]:
        self.closing = True
        return self._closed()

    @abstractmethod
    def _received(self, message: Message) -> Command | None:
        """The command of this message; None when it is answered, or ignored, on the spot."""

    @abstractmethod
    def _closed(self) -> list[Command]:
        """The commands of the peer's closing, inside a message or not: the connection is gone either way."""

    def _tell(self, *messages: Message) -> None:
        for message in messages:
            self._queue.append(self._encode(message))

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return ggzcomm.to_text(cls.codec(options), data, _sender(sent))

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return ggzcomm.to_wire(cls.codec(options), lines, _sender(sent))


def _sender(sent: bool) -> Side:
    return "server" if sent else "client"
