"""Tracks a table's proposals in words: which are open, who made them, and the dead stones that are proposed.

Bogaprot does not say who proposes. The server accepts a word of ours (RSP_MOVE 0) right before it tells it to all, so a
word that was accepted is ours. Pure.
"""

from __future__ import annotations

from enum import StrEnum

from clients.position_tracker import PositionTracker

NOUNS = {
    "draw": "draw",
    "takeback": "takeback",
    "adjourn": "adjournment",
    "abort": "end without a result",
    "resume": "going on",
    "rematch": "rematch",
    "dead": "marking",
}
"""The proposals, by the first part of their word, and their names."""

ASKED = {
    "draw": "A draw is offered",
    "adjourn": "An adjournment is proposed",
    "abort": "The other side asks to abort the game: nobody loses",
    "resume": "The other side is ready to go on",
    "rematch": "Another game is proposed",
}
OURS = {
    "draw": "You offer a draw.",
    "adjourn": "You propose an adjournment.",
    "abort": "You ask to abort the game.",
    "resume": "You are ready to go on.",
    "rematch": "You propose another game.",
}
ANSWER = ": y accepts, n declines."

DECLINED = "declined"
ADJOURNED = "adjourned"
SETTLING = "settle"
"""Other words of the server without a position."""


class OfferState(StrEnum):
    """The state of a proposal once its word was heard."""

    OURS = "ours"
    THEIRS = "theirs"
    AGREED = "agreed"


class Offers:
    """The proposals without an answer. ``theirs`` is the word the other side said last, "" when there is none."""

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

    def heard(self, word: str) -> OfferState:
        """A seat proposes ``word``, or agrees to it."""
        ours, self._accepted = self._accepted and _kind(word) == _kind(self._sent), False
        if ours:
            self._sent = ""
        if word == self.theirs if ours else word in self._ours:
            self.clear()
            return OfferState.AGREED
        if ours:
            self._ours = {known for known in self._ours if _kind(known) != _kind(word)} | {word}
            return OfferState.OURS
        self.theirs = word
        return OfferState.THEIRS

    def declined(self) -> str:
        """The line for a refusal; nothing is open afterwards."""
        ours, self._accepted = self._accepted and self._sent == DECLINED, False
        word = self.theirs if ours else next(iter(self._ours), self.theirs)
        self.clear()
        noun = NOUNS.get(_kind(word), "proposal")
        return f"You decline the {noun}." if ours else f"The {noun} is declined."

    def moved(self, *, ours: bool) -> None:
        """A move answers what the other side proposes. What its own proposes stands; a takeback is of one move more."""
        if ours:
            self.theirs, self._ours = "", {_outrun(word) for word in self._ours}
        else:
            self.theirs, self._ours = _outrun(self.theirs), set()

    def clear(self) -> None:
        """All open proposals are answered or void."""
        self.theirs, self._ours = "", set()


def line(word: str, standing: OfferState) -> str:
    """The log's line for a proposal."""
    kind = _kind(word)
    if standing is OfferState.AGREED:
        return f"The {NOUNS[kind]} is agreed to."
    if kind == "takeback":
        plies = moves(plies_of(word))
        return (
            f"You ask to take {plies} back."
            if standing is OfferState.OURS
            else f"A takeback of {plies} is asked for{ANSWER}"
        )
    if kind == "dead":
        said = stones(len(dead_of(word) or ()))
        return f"You say: {said}." if standing is OfferState.OURS else f"The other side says: {said}{ANSWER}"
    return OURS[kind] if standing is OfferState.OURS else ASKED[kind] + ANSWER


def is_proposal(word: str) -> bool:
    """True if the word proposes something: "draw", "takeback 2"."""
    kind, _, rest = word.partition(" ")
    if kind == "dead":
        return dead_of(word) is not None
    return kind in NOUNS and (plies_of(word) > 0 if kind == "takeback" else not rest)


def plies_of(word: str) -> int:
    """The moves that a takeback asks for; 0 where the word is none."""
    kind, _, number = word.partition(" ")
    return int(number) if kind == "takeback" and number.isascii() and number.isdigit() and len(number) <= 4 else 0


def dead_of(word: str) -> tuple[int, ...] | None:
    """The squares that are said to be dead; None where the word is no such proposal."""
    kind, *squares = word.split(" ")
    if kind != "dead" or not all(at.isascii() and at.isdigit() and len(at) <= 4 for at in squares):
        return None
    return tuple(map(int, squares))


def stones(count: int) -> str:
    """ "no stone is dead", "1 stone is dead", "2 stones are dead"."""
    return f"{count} stones are dead" if count > 1 else f"{count or 'no'} stone is dead"


def moves(plies: int) -> str:
    """ "1 move", "2 moves"."""
    return f"{plies} move" if plies == 1 else f"{plies} moves"


def _outrun(word: str) -> str:
    """The word after a move of its player: a takeback leads to the position that it named."""
    plies = plies_of(word)
    return f"takeback {plies + 1}" if plies else word


def _kind(word: str) -> str:
    """The kind of a proposal: a seat has one of each at a time."""
    return word.partition(" ")[0]


class Settling:
    """Shows the score while the players settle it: ``marked`` are the squares of stones marked as dead.

    A player agrees to the marked stones: the other side's proposal replaces the marks made here.
    """

    def __init__(self, rules: PositionTracker) -> None:
        self.going_on = False
        self.marked: frozenset[int] = frozenset()
        self._rules = rules

    def begin(self) -> None:
        """Play has stopped: nothing is marked."""
        self.going_on, self.marked = True, frozenset()

    def close(self) -> None:
        """The offer is settled, or play goes on."""
        self.going_on, self.marked = False, frozenset()

    def turn(self, square: int) -> None:
        """Mark the whole string that stands on this square, or take its mark away; nothing on an empty square."""
        string = frozenset(self._rules.string(square))
        self.marked = self.marked - string if string <= self.marked else self.marked | string

    def said(self, word: str) -> None:
        """A seat proposes these stones."""
        self.marked = frozenset(dead_of(word) or ())

    def word(self) -> str:
        """The word that proposes what is marked."""
        return " ".join(["dead", *map(str, sorted(self.marked))])

    def worth(self) -> str:
        """The result with these marks ("B+3.5"); "" where that is not known for certain."""
        return self._rules.score(self.marked)
