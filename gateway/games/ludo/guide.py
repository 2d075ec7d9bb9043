"""The rules of Ludo in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet
from protocols.core.model import Reason

GUIDE: Final = Guide(
    goal="Bring your four pieces once around the board and home before the others do.",
    play=(
        "The server rolls the die when your turn comes. Choose the piece that moves as many squares as the die "
        "shows. A piece that ends on an enemy piece sends it back to its yard. Two pieces of one side never share a "
        "square.",
        "A roll without a possible move is passed over by itself. Every roll can be proved afterwards.",
    ),
    end=("The first player with all four pieces at home wins. Two, three or four can play.",),
    rules={
        "maedn": RuleSet(
            "Mensch ärgere dich nicht",
            (
                "A six brings a piece out of the yard, and must do so while one waits there; a piece on your first "
                "square then moves on first. After a six you roll once more. With no piece on the way you have three "
                "tries.",
            ),
        ),
        "ggzboard": RuleSet(
            "GGZBoard's",
            (
                "A one brings a piece out of the yard. Nothing must be done, every turn has up to three tries, and a "
                "six is a roll like any other.",
            ),
        ),
    },
    moves=(
        "The server rolls, and tells every roll before the turn it is for. A seat that can play nothing with its roll "
        "is not asked: the next roll follows.",
        "A move goes from the square of one of your pieces to the square where the roll takes it on your route, and "
        "names no piece. A piece leaves the yard to the first square of the route. All pieces of a side are alike: any "
        "square of your yard with a piece may be named, and all are told the square of the piece that leaves first. A "
        "piece that is sent home is told as changes of the board: to the first empty square of its yard.",
    ),
    notation=('The two squares with "-" between them, or "x" where an enemy is sent home: "a7-b7", "a7xb7".',),
    ends=(
        End("all four pieces home", "All four pieces of a seat are home: it has won."),
        End("all others gave up", "One seat is left, and has won.", reason=Reason.RESIGNATION),
    ),
)
