"""The rules of Ludo in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import Guide, RuleSet

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
)
