"""The end of a game in words of our own, and as a GUI takes it from an engine.

Not here: when a game ends. A peer's own words about it never stand in a result: they go into the user's record. Source:
XBoard 4.9.1, which scores an engine's claim of its own win as a loss when two programs play and the board shows none.
"""

from __future__ import annotations

from typing import Final

from gateway.clients.xboard.game import SIDES, WHITE
from protocols import cecp_lines

_REASONS: Final = (
    ("stalemate", "stalemate"),
    ("resign", "{loser} resigns"),
    ("mate", "{winner} mates"),
    ("time", "{loser} forfeits on time"),
    ("flag", "{loser} forfeits on time"),
    ("abandon", "{loser} abandoned the game"),
    ("agree", "draw agreed"),
    ("repetition", "repetition"),
    ("fold", "repetition"),
    ("fifty", "50-move rule"),
    ("50", "50-move rule"),
    ("75", "75-move rule"),
    ("material", "insufficient material"),
)
"""What a word in the peer's comment says, the first that is there."""

_BY_RULES: Final = ("stalemate", "mates", "repetition", "-move rule", "insufficient")


def winner(result: str) -> int | None:
    """The side that won, None for a draw and for no result."""
    return {"1-0": 0, "0-1": 1}.get(result)


def reason(result: str, comment: str) -> str:
    """Why the game ended, in words of ours; "" where the comment says nothing that we know."""
    won = winner(result)
    known = next((words for word, words in _REASONS if word in comment.lower()), "")
    if won is None:
        return "" if "{" in known else known
    return known.format(winner=SIDES[won], loser=SIDES[1 - won])


def end_lines(result: str, why: str, opponent: int, *, offered: bool) -> list[str]:
    """What ends the game in the GUI; ``offered``: its user has offered a draw, which the GUI remembers.

    Nothing for "*": only a new position can show that.
    """
    won = winner(result)
    if result == "*":
        return []
    if won is None and offered:
        return [cecp_lines.OFFER_DRAW, cecp_lines.result(result, why)]
    if won is not None and won != opponent and "resigns" in why:
        return [cecp_lines.RESIGN]
    return [cecp_lines.result(result, why)]


def doubtful(result: str, why: str, opponent: int) -> bool:
    """Whether a GUI that referees two programs would not believe this end: the engine's win, not seen on the board."""
    return winner(result) == opponent and not any(word in why for word in _BY_RULES)


def side_words(side: int) -> str:
    """ "White" or "Black"."""
    return SIDES[side != WHITE]
