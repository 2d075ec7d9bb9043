"""Shouts and channel 1, which are one here: what is said to everybody who is here and listens.

Each line is told once: as a shout to who has ``shout`` set, as at first everybody has, else as words in the channel.
"""

from __future__ import annotations

from typing import Final

from protocols.core import events as ev
from protocols.core.commands import Command, Say
from protocols.core.desk import worded
from protocols.core.line_text import clean
from protocols.ics.desk import Desk

NUMBER: Final = "1"
"""The number of the only channel."""


class Channel:
    """One connection's part in it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def listens(self) -> bool:
        """True if the peer is told what everybody is told."""
        return self._desk.is_on("shout") or self._desk.in_channel

    def shout(self, rest: str) -> list[Command]:
        return self._say(rest, "(shouted)")

    def tell(self, rest: str) -> list[Command]:
        """Say something in a channel, by its number; nothing where it is told to a name."""
        number, _, words = rest.partition(" ")
        if not number.isdigit():
            return []
        _check(number)
        return self._say(words, f"(told channel {NUMBER})")

    def join(self, rest: str) -> list[Command]:
        _check(rest)
        if self._desk.in_channel:
            raise ValueError(f"[{NUMBER}] is already on your channel list.")
        self._desk.in_channel = True
        self._desk.say(f"[{NUMBER}] added to your channel list.")
        return []

    def leave(self, rest: str) -> list[Command]:
        _check(rest)
        if not self._desk.in_channel:
            raise ValueError(f"[{NUMBER}] is not in your channel list.")
        self._desk.in_channel = False
        self._desk.say(f"[{NUMBER}] removed from your channel list.")
        return []

    def told(self, event: ev.Said) -> None:
        name, words = self._desk.alias(event.name), clean(event.text)
        self._desk.come(f"{name} shouts: {words}" if self._desk.is_on("shout") else f"{name}({NUMBER}): {words}")

    def _say(self, rest: str, done: str) -> list[Command]:
        words, desk = worded(rest), self._desk
        desk.finish = lambda: desk.say(done)
        return [Say(ev.CHANNEL, words, desk.name)]


def _check(number: str) -> None:
    """ValueError: there is no such channel."""
    if number.strip() != NUMBER:
        raise ValueError(f"The only channel here is {NUMBER}.")
