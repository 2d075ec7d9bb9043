"""The rules of Go in a person's words."""

from __future__ import annotations

from typing import Final

from gateway.games.guide import Guide, RuleSet

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
    shown="Q16 D4 C16 R4 E17 C14 F4 D6 C11 C12 D12 B12 D13 C13 E14 P3 O17 H3 D2 C3 K4 R14 R15 Q13 O3 O2 N3 P5 R10 R12",
)
