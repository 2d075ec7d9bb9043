"""The rules of a game in a person's own words: what it is about, how to move, how it ends, what each rule set changes.

Declared by the game for every client that explains it, and for people who write clients: what a move is made of, how it
is written, which words an end has. The rules themselves are the game's code; its file states them in full, with their
source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from protocols.core.model import Reason

NUMBER: Final = "N"
"""Stands for a number in the words of an end."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as people call it, and what is special in it; each text is a paragraph."""

    title: str
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """An end by the game's own rules: the words of its outcome, when it comes, and who has won then.

    A number in the words is NUMBER: "B+N". ``rules`` are the rule sets that have it, () for all.
    """

    words: str
    text: str
    rules: tuple[str, ...] = ()
    reason: Reason = Reason.RULES


@dataclass(frozen=True, slots=True)
class Guide:
    """All of it may be empty: then pages show the sentence of each rule set (``Variant.text``).

    goal      one sentence: what a player tries to reach
    play      how to move, in paragraphs
    end       how it ends, in paragraphs
    rules     by the name of a rule set, its title and what is special in it
    shown     moves of the first rule set in the game's notation, to a position that is worth a picture
    moves     for programs: which squares and which word of a piece make a move, in paragraphs
    notation  how a move is written, in paragraphs
    ends      every end by the game's own rules
    """

    goal: str = ""
    play: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    rules: Mapping[str, RuleSet] = field(default_factory=dict)
    shown: str = ""
    moves: tuple[str, ...] = ()
    notation: tuple[str, ...] = ()
    ends: tuple[End, ...] = ()

    def title(self, rule_set: str) -> str:
        """The rule set as people call it; where nothing is said, its name with a capital."""
        declared = self.rules.get(rule_set)
        return declared.title if declared else rule_set.replace("_", " ").capitalize()
