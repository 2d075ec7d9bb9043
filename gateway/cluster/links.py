"""Numbers the messages between nodes, so that doubled ones are dropped and lost ones are noticed within a second.

A bus carries the messages of one sender in order and may lose or double some (gateway.bus). Each message has a number
of its stream: those to one node, and those to all. Every node publishes how far its streams are, twice a second, so the
loss of the last message is noticed, too. What was lost is not sent again: whoever waits for it asks anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
import structlog
import trio

from gateway.bus.bus import MOST, Bus
from gateway.cluster import messages
from gateway.cluster.messages import Message

BEAT_S: Final = 0.5
"""Seconds between two words on how far the streams are: the loss of a last message costs that much."""

ALL: Final = 0
"""The stream to all nodes; others are named by their receiver."""

_log = structlog.get_logger()


class _Envelope(msgspec.Struct, array_like=True):
    """``to`` and ``number`` place a message in its stream; a beat has none, and all ``streams`` of its sender."""

    to: int
    number: int
    message: messages.ANY | None = None  # type: ignore[valid-type]
    streams: dict[int, int] = {}


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Envelope).decode

ENVELOPE_BYTES: Final = 64
"""Room that an envelope takes beside its message."""

LONGEST: Final = MOST - ENVELOPE_BYTES
"""Bytes of the longest message: what is longer has to be read from the record."""


class Links:
    """The links of the node ``me``. ``heard`` is given each message with its sender.

    ``broken`` is given a node whose messages may have been lost, before what it says next; and one that is new.
    """

    def __init__(self, bus: Bus, me: int, heard: Callable[[int, Message], None], broken: Callable[[int], None]) -> None:
        self._bus = bus
        self.me = me
        self._heard = heard
        self._broken = broken
        self._sent: dict[int, int] = {}
        self._dead: set[int] = set()
        self._known: dict[int, dict[int, int]] = {}  # sender -> stream -> the number heard last

    def send(self, to: int, message: Message) -> bool:
        """To one node; to oneself is heard at once. What is for a dead node is nobody's. False: it is too long."""
        if to == self.me:
            self._heard(to, message)
        elif to not in self._dead:
            text = self._sealed(to, message)
            if len(text) > MOST:
                return False
            self._sent[to] += 1
            self._bus.send(to, text)
        return True

    def publish(self, message: Message) -> bool:
        """To all other nodes that were heard; one that comes later asks for what it needs. False: it is too long."""
        if self._known:
            text = self._sealed(ALL, message)
            if len(text) > MOST:
                return False
            self._sent[ALL] += 1
            self._bus.publish(text)
        return True

    def soon(self, call: Callable[[], None]) -> None:
        """Call this once, before messages leave next: what it sends leaves with them."""
        self._bus.soon(call)

    @property
    def alone(self) -> bool:
        """True while no other node was heard."""
        return not self._known

    def fits(self, message: Message) -> bool:
        """True if the bus can carry it."""
        return len(_encode(message)) <= LONGEST

    def _sealed(self, to: int, message: Message) -> bytes:
        """With the next number of its stream, which is not taken yet."""
        return _encode((to, self._sent.setdefault(to, 0) + 1, message))

    def heard(self) -> list[int]:
        """The nodes that have said something and are not known to be dead."""
        return list(self._known)

    def forget(self, node: int) -> None:
        """This node is dead; its number is never used again. What it has said, and comes late, is not heard."""
        self._dead.add(node)
        self._sent.pop(node, None)
        self._known.pop(node, None)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until cancelled; started once the bus listens."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self._bus.run, self._receive)
            task_status.started()
            while True:
                self._bus.publish(_encode(_Envelope(ALL, 0, streams=self._sent)))
                await trio.sleep(BEAT_S)

    def _receive(self, sender: int, text: bytes) -> None:
        """A message that makes no sense is a line in the log: a newer version may send it."""
        if sender in self._dead:
            return
        try:
            envelope = _decode(text)
        except ValueError as error:
            _log.warning("a message of another node was not understood", node=sender, error=str(error))
            return
        known = self._known.get(sender)
        if known is None:
            known = self._known[sender] = {}
            self._broken(sender)
        if envelope.message is None:
            self._compare(sender, known, envelope.streams)
            return
        before = known.get(envelope.to, 0)
        if envelope.number <= before:
            return
        known[envelope.to] = envelope.number
        if envelope.number != before + 1:
            self._broken(sender)
        self._heard(sender, envelope.message)

    def _compare(self, sender: int, known: dict[int, int], streams: dict[int, int]) -> None:
        behind = False
        for stream in (ALL, self.me):
            number = streams.get(stream, 0)
            if number > known.get(stream, 0):
                known[stream], behind = number, True
        if behind:
            self._broken(sender)
