"""A seat as pages show it: made here, drawn by ``templates/_seat.html``.

The server draws it when a page is loaded. A script that hears of a change gets the same as JSON and fills a copy of the
same template (``filled`` of static/js/dom.js). So a new field needs a line here, and one in the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from gateway.games.base import Game
from gateway.tables.presence import Presence
from gateway.web.board.description import Description, Shown
from gateway.web.board.svg import icon
from protocols.core.model import Seat, SeatKind, Tally

KINDS: Final = {SeatKind.BOT: "house bot", SeatKind.RESERVED: "away", SeatKind.ABANDONED: "gone"}
"""Words for holders of seats beside those of players."""

NOBODY: Final = "open seat"
GAVE_UP: Final = "gave up"

WORDS: Final[dict[str, object]] = {
    "kinds": {int(kind): words for kind, words in KINDS.items()},
    "nobody": NOBODY,
    "gave_up": GAVE_UP,
}
"""The same for scripts, which hear of these changes by events."""


class SeatShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat. Texts are "" where there is nothing to say; ``turn``: it is to move;
    ``right``: its place is at the right edge of the board.

    ``name`` is its last player's where nobody sits there any more. ``program`` is who speaks for it and over which
    dialect, ``lag`` that client's delay, ``clock`` the time left when the page was drawn. ``kept_s`` is how long a lost
    seat is kept still, which no template shows. ``fill`` is the colour of its pieces. ``rating`` is "(1523?)" now;
    where a rated game begins the script says the one before it. ``you`` is the script's to say.
    """

    seat: int
    side: str
    fill: str
    name: str
    kind: str = ""
    program: str = ""
    lag: str = ""
    gave_up: str = ""
    clock: str = ""
    you: str = ""
    rating: str = ""
    turn: bool = False
    right: bool = False
    kept_s: float | None = None


def seat_shown(
    look: Description,
    seat: Seat,
    program: str = "",
    *,
    player: str = "",
    rating: str = "",
    turn: int | None = None,
    withdrawn: Sequence[int] = (),
) -> SeatShown:
    """``player`` is the last one of this seat: after a game the seats themselves empty."""
    at = seat.index
    kind = KINDS.get(seat.kind, "")
    return SeatShown(
        at,
        look.sides[at],
        emblem(look, at),
        seat.name or player or NOBODY,
        kind,
        "" if kind else program,
        gave_up=GAVE_UP if at in withdrawn else "",
        rating=rating,
        turn=turn == at,
        right=bool(look.corners) and look.corners[at][1] == "right",
    )


def program_words(program: str, dialect: str) -> str:
    """The program that plays there: "XBoard over chess-p2p"; the protocol alone where it has not said its name."""
    return f"{program} over {dialect}" if program else dialect


def with_presence(seats: Sequence[SeatShown], there: Presence) -> list[SeatShown]:
    """``seats`` with the programs that speak for them, their delays, and how long lost seats are kept."""
    found = {client.seat: client for client in there.seats}
    return [
        replace(
            shown,
            program="" if shown.kind else program_words(client.program, client.dialect),
            lag="" if client.lag_ms is None or shown.kind else f", {client.lag_ms} ms",
            kept_s=client.kept_s,
        )
        if (client := found.get(shown.seat)) is not None
        else shown
        for shown in seats
    ]


def around(look: Description, seats: Sequence[SeatShown]) -> dict[str, list[SeatShown]]:
    """The seats ``near``, below the board, and those ``far``: by their yards, else in order from the one below on.

    Who looks on sees the board as it is not turned.
    """
    if look.corners:
        across = sorted(seats, key=lambda shown: look.corners[shown.seat][1])
        return {edge: [shown for shown in across if look.corners[shown.seat][0] == edge] for edge in ("near", "far")}
    below = next((shown.seat for shown in seats if shown.seat not in look.turned), 0)
    ordered, near = [*seats[below:], *seats[:below]], (len(seats) + 1) // 2
    return {"near": ordered[:near], "far": ordered[near:]}


def emblem(look: Description, seat: int) -> str:
    """The colour of a seat's pieces."""
    return a_piece(look, seat).fill


def a_piece(look: Description, seat: int) -> Shown:
    """One of a seat's pieces."""
    listed = next((piece for piece in look.pieces.values() if piece.side == seat), None)
    return listed or look.plain[seat % len(look.plain)]


def tallies(game: Game[Any], look: Description, position: Any) -> list[Markup]:
    """By seat, its captures as small figures with numbers, and its count as a text; "" where nothing is shown.

    static/js/tally.js draws the same from what events say.
    """
    found = game.tally(position)
    return [_tally(look, tally) for tally in found] or [Markup("")] * len(look.sides)


def _tally(look: Description, tally: Tally) -> Markup:
    taken = [(look.piece(words), many) for words, many in tally.taken.items()]
    said = ", ".join(piece.says + (f" ×{many}" if many > 1 else "") for piece, many in taken)
    men = "".join(f"{icon(piece)}{_number(many)}" for piece, many in taken)
    shown = f'<span class="taken" role="img" aria-label="Taken: {escape(said)}">{men}</span>' if taken else ""
    return Markup(shown + (f"<span>{escape(tally.text)}</span>" if tally.text else ""))


def _number(many: int) -> str:
    return f"<b>{many}</b>" if many > 1 else ""
