"""Texts for a peer-to-peer user, behind ``text``: for everything without a word in the protocol.

Every sentence is one line; the adapter shows it in a window.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.gui import NORMAL
from protocols.chess_p2p.messages import Message
from protocols.chess_words.text import SIDES
from protocols.core.line_text import clean
from protocols.core.model import SeatKind, Settings, TimeControl, TimeKind
from protocols.core.notifications import Notice, Noticed
from protocols.core.proposals import Abort, Adjourn, Draw, End, Proposal, Rematch, Resume, Start, Takeback
from protocols.core.release import VERSION
from protocols.core.time_text import span

TITLE: Final = "the chess peer-to-peer protocol"

PRESS: Final = (
    "make your first move to play White, or choose Machine White in the Mode menu to play Black",
    "make your first move",
    "choose Machine White in the Mode menu",
)
"""Keys that start a game with either colour, as White, as Black."""

PRESS_EITHER: Final = (
    "in XBoard: make your move, or let the other side move by Machine White or Machine Black in the Mode menu"
)
"""Keys that go on with a game from any position."""

ANSWER: Final = "answer text accept or text decline"

YES: Final = frozenset(("accept", "yes"))
NO: Final = frozenset(("decline", "no"))
"""Texts that answer an offer while there is one, and are said to the opponent while there is none."""

DESERTED: Final = "nobody comes to this table any more: start your game again, and you are taken to another one"
"""Followed by what to press."""

AGAINST: Final = "/against"
"""Begins a text that names the house bot to play against, before the seat: "/against stockfish:3"."""

SEAT: Final = "/seat"
"""Begins a text that is for the server: the ticket of the seat that its user wants."""

SEATED: Final = "you have a seat at table"
"""Begins the answer to such a text. Our adapter knows it by its words."""


LOGIN: Final = "/login"
"""Begins a text that is for the server: an account's name and its password, or a token."""


HALLO: Final = p2p.Hallo(f"Boardgate {VERSION}: set up a game and start it. What you text goes to your opponent.")
"""Names the gateway, and says what to do next."""


def press(side: int | None = None, *, anew: bool = False) -> str:
    """The keys to press to start a game as ``side`` (0 White, 1 Black, None: either).

    ``anew``: the GUI still shows another game, which its user clears first.
    """
    first = "choose New Game in the File menu, then " if anew else ""
    return f"in XBoard: {first}{PRESS[0 if side is None else 1 + (side != 0)]}"


def press_to_go_on(seat: int | None, my_turn: bool) -> str:
    """The keys to press in a game that is on and that the GUI has dropped out of."""
    other = SIDES[seat == 0]
    return f"in XBoard: {'make your move' if my_turn else f'choose Machine {other} in the Mode menu'}"


def press_to_return(seat: int | None) -> str:
    """The keys to press to see a game again that is on, while the GUI shows a new one."""
    how = "make a move as White" if seat == 0 else PRESS[2]
    return f"in XBoard: {how}, and you are told how your game stands"


def press_to_resume(knows: bool) -> str:
    """The keys to press to resume an adjourned game; ``knows``: the peer has the words, and buttons, of our adapter."""
    if knows:
        return "in XBoard: press Resume in Engine > Engine #1 Settings"
    return PRESS_EITHER


def press_to_enter(seat: int | None, usual: bool) -> str:
    """The keys to press in a game that has begun and the GUI does not show; ``usual``: New Game means its start."""
    return press(seat, anew=True) if usual else PRESS_EITHER


def asks(proposal: Proposal, who: str) -> str:
    """The opponent's proposal, and how to answer."""
    match proposal:
        case Draw():
            return f"{who} offers a draw: {ANSWER}"
        case Adjourn():
            return f"{who} asks to adjourn the game: {ANSWER}"
        case Abort():
            return f"{who} asks to abort the game, so that nobody loses: {ANSWER}"
        case Resume():
            return f"{who} wants to go on with the game: start it too, or {ANSWER}; {press_to_resume(False)}"
        case Rematch():
            return f"{who} wants another game like the last one: {ANSWER}, or start one yourself; {press(anew=True)}"
        case Takeback(plies=plies):
            return f"{who} asks to take back {moves(plies)}: {ANSWER}"
        case End(winner=winner):
            return f"{who} says that {SIDES[winner != 0]} has won: {ANSWER}"
    return f"{who} makes a proposal: {ANSWER}"


def stands(proposal: Proposal) -> str:
    """A proposal of the peer's own, which it may have forgotten with its connection."""
    return f"your {_WITHDRAWN.get(type(proposal).__name__, 'proposal')} stands: it has no answer yet"


def moves(plies: int) -> str:
    return "one half-move" if plies == 1 else f"{plies} half-moves"


def word(proposal: Proposal) -> Message | None:
    """The word for a proposal that a peer knows who has used such words; None where there is none."""
    if isinstance(proposal, Takeback):
        return p2p.Takeback(proposal.plies) if 0 < proposal.plies < 10_000 else None
    kind = _OFFERS.get(type(proposal))
    return None if kind is None else kind()


def wants(start: Start, who: str, seat: int | None) -> str:
    """The proposed game in words; ``seat`` is whose side is meant where the proposal leaves it open."""
    side = None if start.side is None else int(start.side == 0)
    if start.settings is None:
        with_side = "" if start.side is None else f" as {SIDES[start.side != 0]}"
        return f"{who} is ready to play{with_side}: set up the game you want and start it; {press(side)}"
    mine = "either colour" if side is None else SIDES[side]
    return f"{who} proposes {game(start.settings)}, you play {mine}: start such a game, or {ANSWER}; {press(side)}"


def noticed(message: Noticed) -> list[str]:
    """The seeks that came and went, in one sentence each way: each text is a window of its own in some GUIs."""
    gone = "; ".join(f"{clean(notice.name)} no longer waits for {_sought(notice)}" for notice in message.removed)
    here = "; ".join(f"{clean(notice.name)} waits for {_sought(notice)}" for notice in message.posted)
    more = f"; {message.more} more wait" if message.more else ""
    return [*([gone] if gone else []), *([f"{here}{more}: set up such a game and start it; {press()}"] if here else [])]


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
        length = span(control.period_s) if control.by_days else f"{control.period_s:g} s"
        return f"{length} for each move"
    period = f" for each {control.moves} moves" if control.kind is TimeKind.MOVES else ""
    bonus = f" and {control.increment_s:g} s more each move" if control.increment_s else ""
    overtime = " and overtime" if control.period_s else ""
    return f"{control.main_s:g} s{period}{bonus}{overtime}"


def declined(kind: str, who: str) -> str:
    again = f": start another one; {press(anew=kind == 'Rematch')}" if kind in ("Start", "Rematch") else ""
    return f"{who} declines {_DECLINED.get(kind, 'the proposal')}{again}"


def withdrawn(kind: str, who: str) -> str:
    """``who`` ("you", or a name) has taken back what it proposed itself."""
    has = "have" if who == "you" else "has"
    again = f": start one yourself; {press()}" if kind == "Start" and who != "you" else ""
    return f"{who} {has} withdrawn the {_WITHDRAWN.get(kind, 'proposal')}{again}"


def ticket(secret: str) -> str:
    """A seat's ticket, for a user whose program knows no word for it."""
    shown = clean(secret)
    return f"your ticket is {shown}: it takes this seat back from anywhere, by text {SEAT} {shown}"


def seated(table: int) -> str:
    """The answer to a text that asks for a seat."""
    return f"{SEATED} {table}"


def next_game(rival: str, deserted: bool) -> str:
    """The next step after a game; ``deserted``: the other player has gone for good."""
    return f"{DESERTED if deserted else f'start another game with {rival}'}; {press(anew=True)}"


def seat_is(kind: SeatKind, who: str) -> str:
    """The state of a seat whose player left."""
    if kind is SeatKind.RESERVED:
        return f"{who} has lost the connection, and may come back"
    return f"{who} has left"


_OFFERS: Final[Mapping[type, type[p2p.Draw | p2p.Adjourn | p2p.Abort | p2p.Resume | p2p.Rematch]]] = {
    Draw: p2p.Draw,
    Adjourn: p2p.Adjourn,
    Abort: p2p.Abort,
    Resume: p2p.Resume,
    Rematch: p2p.Rematch,
}
_DECLINED: Final[Mapping[str, str]] = {
    "Start": "to play this game",
    "Draw": "the draw",
    "Takeback": "to take moves back",
    "Adjourn": "to adjourn",
    "Abort": "to abort the game",
    "Resume": "to go on with the game",
    "Rematch": "another game",
    "End": "to call the game over",
}
_WITHDRAWN: Final[Mapping[str, str]] = {
    "Start": "game that was proposed",
    "Draw": "offer of a draw",
    "Adjourn": "wish to adjourn",
    "Abort": "wish to abort",
    "Takeback": "wish to take moves back",
}
