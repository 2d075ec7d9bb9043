"""Bytes of a peer, in pieces, to lines; the options of a Telnet client are refused on the way.

Source: RFC 854 (Telnet, CR NUL), RFC 855 (options), RFC 860 (TIMING-MARK). Nothing is agreed on but TIMING-MARK: a
client that was interrupted shows nothing until its answer comes.
"""

from __future__ import annotations

import re
from typing import Final

WILL, WONT, DO, DONT = 251, 252, 253, 254
IAC: Final = b"\xff"
TIMING_MARK: Final = 6

MOST_BEGUN: Final = 256
"""Bytes of a command that has no end yet: a subnegotiation, of an option that was never agreed on."""

_END: Final = re.compile(rb"\n|(?<=\r)\0")
_TALK: Final = re.compile(
    rb"\xff(?:(?P<data>\xff(?:\xff\xff)*)|(?P<verb>[\xfb-\xfe])(?P<option>.)|\xfa(?:[^\xff]|\xff[^\xf0])*\xff\xf0|[\xec-\xf9]"
    rb"|(?P<begun>(?:[\xfb-\xfe]|\xfa(?:[^\xff]|\xff[^\xf0])*\xff?)?\Z))",
    re.DOTALL,
)
"""A command of Telnet: 255 as data, once or more often; an option's, a subnegotiation, any other; or one begun."""


class LineReader:
    """Lines of at most ``longest`` bytes without their ends. Keeps at most one unfinished line, and one command."""

    __slots__ = ("_answers", "_begun", "_longest", "_overflown", "_refused", "_rest")

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._rest = b""
        self._begun = b""
        self._overflown = False
        self._refused: frozenset[bytes] = frozenset()
        self._answers: list[bytes] = []

    def receive_data(self, data: bytes) -> list[bytes | None]:
        """The lines that are complete now: behind LF, CR LF or CR NUL.

        A last CR is still there, for it says how the peer ends its lines. None is a line that is too long, as soon as
        that is known; the rest of it is left out.
        """
        if self._begun or IAC in data:
            data = self._without_commands(self._begun + data)
        data = self._rest + data
        lines: list[bytes | None] = list(_END.split(data) if b"\0" in data else data.split(b"\n"))
        if self._overflown and len(lines) > 1:
            self._overflown = False
            del lines[0]
        self._rest = lines.pop() or b""
        if len(data) <= self._longest and len(self._begun) <= MOST_BEGUN and not self._overflown:
            return lines
        return self._bounded(lines)

    def _bounded(self, lines: list[bytes | None]) -> list[bytes | None]:
        bounded = [line if line is not None and len(line) <= self._longest else None for line in lines]
        if self._overflown or len(self._rest) > self._longest or len(self._begun) > MOST_BEGUN:
            bounded += [] if self._overflown else [None]
            self._rest, self._overflown = b"", True
            self._begun = self._begun if len(self._begun) <= MOST_BEGUN else b""
        return bounded

    def answers(self) -> list[bytes]:
        """The answers to options, in order; they are handed out once."""
        if not self._answers:
            return []
        answers, self._answers = self._answers, []
        return answers

    def _without_commands(self, data: bytes) -> bytes:
        self._begun = b""
        return _TALK.sub(self._heard, data)

    def _heard(self, found: re.Match[bytes]) -> bytes:
        if found["data"]:
            return found["data"][::2]
        if found["begun"] is not None:
            self._begun = found[0]
        elif found["verb"]:
            self._asked(found["verb"][0], found["option"])
        return b""

    def _asked(self, verb: int, option: bytes) -> None:
        """A request is refused once: a peer that asks again knows. DONT and WONT ask for nothing that is on here."""
        if verb == DO and option[0] == TIMING_MARK:
            self._answers.append(IAC + bytes((WILL, TIMING_MARK)))
            return
        refusal = IAC + bytes((WONT if verb == DO else DONT,)) + option
        if verb in (DO, WILL) and refusal not in self._refused:
            self._refused |= {refusal}
            self._answers.append(refusal)
