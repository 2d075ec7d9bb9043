"""What the players of a table propose to each other in words: what is open, who said it, and how that is told.

Bogaprot does not say who proposes. The server accepts a word of ours (RSP_MOVE 0) right before it tells it to all, so a
word that was accepted is ours. Not here: what comes of an agreement (mirror.py). Pure.
"""

from __future__ import annotations

from enum import StrEnum

NOUNS = {"draw": "draw", "takeback": "takeback", "adjourn": "adjournment", "resume": "going on", "rematch": "rematch"}
"""What can be proposed, by the first part of its word, and what it is called."""

ASKED = {
    "draw": "A draw is offered",
    "adjourn": "An adjournment is proposed",
    "resume": "The other side is ready to go on",
    "rematch": "Another game is proposed",
}
OURS = {
    "draw": "You offer a draw.",
    "adjourn": "You propose an adjournment.",
    "resume": "You are ready to go on.",
    "rematch": "You propose another game.",
}
ANSWER = ": y accepts, n declines."

DECLINED = "declined"
ADJOURNED = "adjourned"
"""What else the server says without a position."""


class Standing(StrEnum):
    """Where a proposal stands once its word was heard."""

    OURS = "ours"
    THEIRS = "theirs"
    AGREED = "agreed"


class Offers:
    """The proposals nobody has answered. ``theirs`` is the word the other side said last, "" when there is none."""

    def __init__(self) -> None:
        self.theirs = ""
        self._ours: set[str] = set()
        self._sent = ""
        self._accepted = False

    def sent(self, word: str) -> None:
        """A word of ours is on its way."""
        self._sent = word

    def answered(self, accepted: bool) -> None:
        """The server has answered something of ours, the word on its way or a move."""
        self._accepted = accepted
        if not accepted:
            self._sent = ""

    def passed(self) -> None:
        """Something else was told: what was accepted last was no word."""
        self._accepted = False

    def heard(self, word: str) -> Standing:
        """Somebody proposes ``word``, or agrees to it."""
        ours, self._accepted = self._accepted and word == self._sent, False
        if ours:
            self._sent = ""
        if word == self.theirs if ours else word in self._ours:
            self.clear()
            return Standing.AGREED
        if ours:
            self._ours.add(word)
            return Standing.OURS
        self.theirs = word
        return Standing.THEIRS

    def declined(self) -> str:
        """The line for a refusal; nothing is open afterwards."""
        ours, self._accepted = self._accepted and self._sent == DECLINED, False
        word = self.theirs if ours else next(iter(self._ours), self.theirs)
        self.clear()
        noun = NOUNS.get(word.partition(" ")[0], "proposal")
        return f"You decline the {noun}." if ours else f"The {noun} is declined."

    def clear(self) -> None:
        """Whatever was open is answered or void."""
        self.theirs, self._ours = "", set()


def line(word: str, standing: Standing) -> str:
    """How a proposal is told."""
    kind = word.partition(" ")[0]
    if standing is Standing.AGREED:
        return f"The {NOUNS[kind]} is agreed to."
    if kind == "takeback":
        plies = moves(plies_of(word))
        return (
            f"You ask to take {plies} back."
            if standing is Standing.OURS
            else f"A takeback of {plies} is asked for{ANSWER}"
        )
    return OURS[kind] if standing is Standing.OURS else ASKED[kind] + ANSWER


def is_proposal(word: str) -> bool:
    """Whether the word proposes something: "draw", "takeback 2"."""
    kind, _, rest = word.partition(" ")
    return kind in NOUNS and (plies_of(word) > 0 if kind == "takeback" else not rest)


def plies_of(word: str) -> int:
    """How many moves a takeback asks for; 0 where the word is none."""
    kind, _, number = word.partition(" ")
    return int(number) if kind == "takeback" and number.isascii() and number.isdigit() and len(number) <= 4 else 0


def moves(plies: int) -> str:
    """ "1 move", "2 moves"."""
    return f"{plies} move" if plies == 1 else f"{plies} moves"
