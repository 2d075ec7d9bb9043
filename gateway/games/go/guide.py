"""The rules of Go in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import End, Guide, RuleSet
from protocols.core.model import Reason

GUIDE: Final = Guide(
    goal="Surround more of the board than the other player.",
    play=(
        "Black begins, then the players put one stone in turn on any empty crossing of the lines. Stones never move. "
        "Stones of one colour that touch along a line are a string.",
        "A string without an empty crossing beside it is taken off the board. You may not put a stone where your own "
        "string would have none left, unless it takes enemy stones. A move that brings an earlier position back is "
        "not allowed (ko).",
        "Instead of a stone you may pass.",
    ),
    end=(
        "When both have passed, the players mark the stones that cannot live. When they agree, the server counts; "
        "when they do not, play goes on. White gets some points more, the komi, for moving second.",
    ),
    rules={
        "area": RuleSet(
            "Area counting",
            (
                "Your stones on the board and the crossings they surround count, as in China. Komi is 7.5, and White "
                "gets a point for each handicap stone.",
            ),
        ),
        "territory": RuleSet(
            "Territory counting",
            (
                "The empty crossings you surround and the stones you took count, as in Japan. Komi is 6.5.",
                "Ko is only this: a stone that has just taken a single stone may not be taken back at once. When the "
                "same position comes up for the third time, the game has no result.",
            ),
        ),
    },
    moves=(
        'A move is a placement: no square to come from, an empty square, and the piece: "black" for seat 0, "white" '
        "for seat 1. The piece may be left out. Stones that are taken are told as changes of the board. A pass has no "
        "squares.",
        "Two passes in a row stop play, and nobody is to move. Each seat says which stones are dead, by their squares; "
        "some stones of a string stand for all of it. When both say the same the game is scored. A seat that wants to "
        "play on says so, and the seat that did not pass last is to move.",
        "Where handicap stones stand, White (seat 1) begins; where they are placed freely, they are Black's first "
        "moves.",
    ),
    notation=(
        'The name of the crossing as the Go Text Protocol has it: "D4", without the letter I, rows counted from the '
        'bottom; "pass".',
    ),
    ends=(
        End("B+N", "The board was scored, and Black has won by so many points."),
        End("W+N", "The board was scored, and White has won by so many points."),
        End("0", "The board was scored, and both have as many points: a draw."),
        End(
            "no result: the same position for the third time",
            "Under simple ko a board has come up for the third time with the same seat to move: nobody has won.",
            reason=Reason.VOID,
        ),
        End(
            "no result: too many moves",
            "The game has more moves than 400, and than four for each crossing: nobody has won.",
            reason=Reason.VOID,
        ),
    ),
    shown="Q16 D4 C16 R4 E17 C14 F4 D6 C11 C12 D12 B12 D13 C13 E14 P3 O17 H3 D2 C3 K4 R14 R15 Q13 O3 O2 N3 P5 R10 R12",
)
