"""The rules of a game in a person's own words: what it is about, how to move, how it ends, what each rule set changes.

Declared by the game for every client that explains it. The rules themselves are the game's code; its file states them
in full, with their source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set as people call it, and what is special in it; each text is a paragraph."""

    title: str
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guide:
    """All of it may be empty: then pages show the sentence of each rule set (``Variant.text``).

    goal    one sentence: what a player tries to reach
    play    how to move, in paragraphs
    end     how it ends, in paragraphs
    rules   by the name of a rule set, its title and what is special in it
    shown   moves of the first rule set in the game's notation, to a position that is worth a picture
    """

    goal: str = ""
    play: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    rules: Mapping[str, RuleSet] = field(default_factory=dict)
    shown: str = ""

    def title(self, rule_set: str) -> str:
        """The rule set as people call it; where nothing is said, its name with a capital."""
        declared = self.rules.get(rule_set)
        return declared.title if declared else rule_set.replace("_", " ").capitalize()
