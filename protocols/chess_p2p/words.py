"""What the gateway tells a peer-to-peer user in words, behind ``text``: for what the protocol has no word of its own.

Not here: when. Every sentence is one line; the adapter shows it in a window.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.gui import NORMAL
from protocols.chess_p2p.messages import Message
from protocols.chess_text import SIDES, clean
from protocols.core.model import SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Adjourn, Draw, End, Proposal, Rematch, Resume, Start, Takeback
from protocols.core.told import Notice, Noticed

ANSWER: Final = "answer text accept or text decline"

YES: Final = frozenset(("accept", "yes"))
NO: Final = frozenset(("decline", "no"))
"""Texts that answer an offer while there is one, and are said to the opponent while there is none."""

DESERTED: Final = "nobody comes to this table any more: start your game again, and you are taken to another one"

AGAINST: Final = "/against"
"""Begins a text that names the house bot to play against, before the seat: "/against stockfish:3"."""

SEAT: Final = "/seat"
"""Begins a text that is for the house: the ticket of the seat that its user wants."""


LOGIN: Final = "/login"
"""Begins a text that is for the house: an account's name and its password, or a token."""


def hallo() -> p2p.Hallo:
    """Who answers the call, and what to do next."""
    words = f"Boardgate {version('boardgate')}: set up a game and start it. What you text goes to your opponent."
    return p2p.Hallo(words)


def asks(proposal: Proposal, who: str) -> str:
    """What somebody proposes, and how to answer."""
    match proposal:
        case Draw():
            return f"{who} offers a draw: {ANSWER}"
        case Adjourn():
            return f"{who} asks to adjourn the game: {ANSWER}"
        case Resume():
            return f"{who} wants to go on with the game: start it too, or {ANSWER}"
        case Rematch():
            return f"{who} wants another game like the last one: {ANSWER}"
        case Takeback(plies=plies):
            return f"{who} asks to take back {moves(plies)}: {ANSWER}"
        case End(winner=winner):
            return f"{who} says that {SIDES[winner != 0]} has won: {ANSWER}"
    return f"{who} makes a proposal: {ANSWER}"


def moves(plies: int) -> str:
    return "one half-move" if plies == 1 else f"{plies} half-moves"


def word(proposal: Proposal) -> Message | None:
    """The word for a proposal that a peer knows who has used such words; None where there is none."""
    if isinstance(proposal, Takeback):
        return p2p.Takeback(proposal.plies) if 0 < proposal.plies < 10_000 else None
    kind = _OFFERS.get(type(proposal))
    return None if kind is None else kind()


def wants(start: Start, who: str, seat: int | None) -> str:
    """The game that somebody proposes; ``seat`` is whose side is meant where the proposal leaves it open."""
    if start.settings is None:
        with_side = "" if start.side is None else f" as {SIDES[start.side != 0]}"
        return f"{who} is ready to play{with_side}: set up the game you want and start it"
    mine = "either colour" if start.side is None else SIDES[start.side == 0]
    return f"{who} proposes {game(start.settings)}, you play {mine}: start such a game, or {ANSWER}"


def noticed(message: Noticed) -> list[str]:
    """The seeks that came and went, in one sentence each way: each text is a window of its own in some GUIs."""
    gone = "; ".join(f"{clean(notice.name)} no longer waits for {_sought(notice)}" for notice in message.removed)
    here = "; ".join(f"{clean(notice.name)} waits for {_sought(notice)}" for notice in message.posted)
    more = f"; {message.more} more wait" if message.more else ""
    return [*([gone] if gone else []), *([f"{here}{more}: set up such a game and start it"] if here else [])]


def _sought(notice: Notice) -> str:
    start = notice.start
    side = "" if start.side is None else f", as {SIDES[start.side != 0]}"
    if start.settings is None:
        return f"any game{side}"
    return f"{game(start.settings)}, {'rated' if start.settings.rated else 'unrated'}{side}"


def game(settings: Settings) -> str:
    """Rule set, start and time."""
    variant = "" if settings.variant == NORMAL else f" of {clean(settings.variant)}"
    start = " from a set-up position" if settings.start else ""
    return f"a game{variant}{start}, {time(settings.time)}"


def time(control: TimeControl | None) -> str:
    """A time control in words."""
    if control is None:
        return "without clocks"
    if control.kind is TimeKind.PER_MOVE:
        return f"{control.period_s:g} s for each move"
    period = f" for each {control.moves} moves" if control.kind is TimeKind.MOVES else ""
    bonus = f" and {control.increment_s:g} s more each move" if control.increment_s else ""
    overtime = " and overtime" if control.period_s else ""
    return f"{control.main_s:g} s{period}{bonus}{overtime}"


def declined(kind: str, who: str) -> str:
    return f"{who} declines {_DECLINED.get(kind, 'the proposal')}"


def withdrawn(kind: str, who: str) -> str:
    """``who`` ("you", or a name) has taken back what it proposed itself."""
    has = "have" if who == "you" else "has"
    return f"{who} {has} withdrawn the {_WITHDRAWN.get(kind, 'proposal')}"


def ticket(secret: str) -> str:
    """A seat's ticket, for a user whose program knows no word for it."""
    shown = clean(secret)
    return f"your ticket is {shown}: it takes this seat back from anywhere, by text {SEAT} {shown}"


def seated(table: int) -> str:
    """The answer to a text that asks for a seat."""
    return f"you have a seat at table {table}"


def seat_is(kind: SeatKind, who: str) -> str:
    """What becomes of a seat that somebody left."""
    if kind is SeatKind.RESERVED:
        return f"{who} has lost the connection, and may come back"
    return f"{who} has left"


_OFFERS: Final[Mapping[type, type[p2p.Draw | p2p.Adjourn | p2p.Resume | p2p.Rematch]]] = {
    Draw: p2p.Draw,
    Adjourn: p2p.Adjourn,
    Resume: p2p.Resume,
    Rematch: p2p.Rematch,
}
_DECLINED: Final[Mapping[str, str]] = {
    "Start": "to play this game",
    "Draw": "the draw",
    "Takeback": "to take moves back",
    "Adjourn": "to adjourn",
    "Resume": "to go on with the game",
    "Rematch": "another game",
    "End": "to call the game over",
}
_WITHDRAWN: Final[Mapping[str, str]] = {
    "Start": "game that was proposed",
    "Draw": "offer of a draw",
    "Adjourn": "wish to adjourn",
    "Takeback": "wish to take moves back",
}
