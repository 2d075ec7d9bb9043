"""Draws a seat's captures and count beside its name: small figures with numbers, and a text.

The script of a table's page draws the same (static/js/tally.js) from what events say.
"""

from __future__ import annotations

from html import escape
from typing import Any

from markupsafe import Markup

from gateway.games.base import Game
from gateway.web.board.description import Description
from gateway.web.board.svg import icon
from protocols.core.model import Tally


def tallies(game: Game[Any], look: Description, position: Any) -> list[Markup]:
    """By seat; "" where nothing is shown."""
    found = game.tally(position)
    return [tally_markup(look, tally) for tally in found] or [Markup("")] * len(look.sides)


def tally_markup(look: Description, tally: Tally) -> Markup:
    """The contents of the element ``tally`` of a seat."""
    taken = [(look.piece(words), many) for words, many in tally.taken.items()]
    said = ", ".join(piece.says + (f" ×{many}" if many > 1 else "") for piece, many in taken)
    men = "".join(f"{icon(piece)}{_number(many)}" for piece, many in taken)
    shown = f'<span class="taken" role="img" aria-label="Taken: {escape(said)}">{men}</span>' if taken else ""
    return Markup(shown + (f"<span>{escape(tally.text)}</span>" if tally.text else ""))


def _number(many: int) -> str:
    return f"<b>{many}</b>" if many > 1 else ""
