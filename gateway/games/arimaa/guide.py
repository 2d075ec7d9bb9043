"""The rules of Arimaa in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import Guide, RuleSet

GUIDE: Final = Guide(
    goal="Bring one of your rabbits to the far row.",
    play=(
        "First Gold, then Silver sets up sixteen pieces on the two rows nearest to them, as they like. From strong "
        "to weak they are an elephant, a camel, two horses, two dogs, two cats and eight rabbits.",
        "A turn is up to four steps, by one piece or by several. A step goes to the next square forward, backward or "
        "to the side; rabbits do not step back. Each step is a move here; pass to end your turn early.",
        "A stronger piece pushes or pulls a weaker enemy beside it, which takes two steps. A piece beside a stronger "
        "enemy cannot move, unless a piece of its own side stands beside it.",
        "A piece on one of the four marked traps is lost when no piece of its own side stands beside it.",
    ),
    end=(
        "A rabbit on the far row wins at the end of the turn. A player without rabbits, or without a move, has lost. "
        "A turn may not bring a position about for the third time.",
    ),
    rules={"official": RuleSet("Official rules")},
)
