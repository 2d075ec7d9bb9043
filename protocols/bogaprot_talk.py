"""Chat and the reason of a result in Bogaprot: words for clients whose handshake asks for them; the document has none.

    say good luck               from a client: to the other players; the rest of the type is the saying
    said 1 good luck            to a client that asked with chat=yes: seat 1 said so, -1 is the server
    over time                   to a client that asked with reasons=yes, right before MSG_GAMEOVER
    over rules three in a row   the same with the words of the rules

The first word after "over" is a value of Reason. A client that comes back is told what was said while it was away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from protocols.core.commands import Join, Say
from protocols.core.events import Event, Said, SeatLeft, SeatTaken
from protocols.core.model import Outcome, Reason

CHAT: Final = ("chat", "yes")
REASONS: Final = ("reasons", "yes")
SERVER: Final = -1
SAY: Final = "say "
PLAYERS: Final = "players"

MOST_MISSED: Final = 50
"""Sayings that a client is told when it comes back, the last ones."""


class Talk:
    """What one connection is told beyond the document: nothing, unless it has asked."""

    def __init__(self) -> None:
        self._chat = self._reasons = False

    def asked(self, join: Join) -> Join:
        """The request without the wishes for these words, which are not the table's business."""
        self._chat, self._reasons = CHAT in join.wishes, REASONS in join.wishes
        return replace(join, wishes=tuple(wish for wish in join.wishes if wish[0] not in (CHAT[0], REASONS[0])))

    def said(self, event: Said) -> list[str]:
        """The word for a saying."""
        return [f"said {SERVER if event.seat is None else event.seat} {event.text}"] if self._chat else []

    def missed(self, past: Iterable[Event], seat: int | None) -> list[str]:
        """The words for what was said while the holder of ``seat`` was away the last time."""
        words: list[str] = []
        away = False
        for event in past:
            if isinstance(event, SeatLeft | SeatTaken) and event.seat == seat:
                words, away = (words, False) if away else ([], isinstance(event, SeatLeft))
            elif isinstance(event, Said) and away:
                words += self.said(event)
        return words[-MOST_MISSED:]

    def over(self, outcome: Outcome) -> list[str]:
        """The word for why a game ended."""
        return [f"over {outcome.reason} {outcome.detail}".rstrip()] if self._reasons else []


def saying(text: str) -> Say | None:
    """What a word says to the other players; None for another word."""
    return Say(PLAYERS, text[len(SAY) :].strip()) if text[: len(SAY)].lower() == SAY else None


def read_said(text: str) -> tuple[int | None, str] | None:
    """Who said what, the seat None for the server; None where the text is no such word."""
    word, _, rest = text.partition(" ")
    seat, _, words = rest.partition(" ")
    if (
        word != "said"
        or not words
        or not (seat == str(SERVER) or (seat.isascii() and seat.isdigit() and len(seat) < 3))
    ):
        return None
    return (None if seat == str(SERVER) else int(seat)), words


def read_over(text: str) -> tuple[Reason, str] | None:
    """Why the game ended and the words of the rules for it; None where the text is no such word."""
    word, _, rest = text.partition(" ")
    reason, _, detail = rest.partition(" ")
    if word != "over" or reason not in list(Reason):
        return None
    return Reason(reason), detail
