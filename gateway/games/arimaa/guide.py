"""The rules of Arimaa in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet

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
    moves=(
        "The first sixteen moves of each seat are placements: no square to come from, an empty square of its two rows, "
        'and the piece: "elephant", "camel", "horse", "dog", "cat" or "rabbit". Seat 0 sets up squares 48 to 63, then '
        "seat 1 squares 0 to 15, each in any order. On the board the piece is called with its side: "
        '"gold elephant".',
        "Every step is a move from a square to a neighbouring square. A push is the step of the enemy's piece, then "
        "that of your own to the square it left; a pull is your own step, then that of the enemy's piece to the square "
        "you left. A piece that "
        "a trap takes is told as a change of the board. Your seat stays to move until its fourth step, or until it "
        "passes: a pass ends the turn early, and is legal only after a step.",
    ),
    notation=(
        'A placement is the letter of the piece and the square: "Ee2". A step is the letter, the square it leaves, and '
        '"n", "s", "e" or "w": "Rc2n"; what a trap takes is written behind it with "x": "Rc2n Rc3x", and may be left '
        'out. Letters are E, M (camel), H, D, C and R, in capitals for Gold. A pass is "pass".',
    ),
    ends=(
        End("goal", "A rabbit stands on the far row at the end of a turn: its side has won."),
        End("elimination", "A side has no rabbits left, and has lost."),
        End("immobilisation", "The side to move has no legal step, and has lost."),
    ),
)
