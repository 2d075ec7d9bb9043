"""Knows the words that the host wants nobody to say here, or be called: masks them in sayings, refuses them in names.

A word counts whole, in any letter case, with or without accents, and as letters that look alike spell it (spelling.py).
One that is listed with a ``*`` at its end stands for all that begin so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from gateway.lobby.spelling import LOOKS
from protocols.core.errors import Refused, Why

MOST_WORDS: Final = 10_000
"""Words of a list: longer lists of others are full of names of villages."""

LONGEST_WORD: Final = 64
"""Characters of a listed word."""

COMMENT: Final = "#"
BEGINNING: Final = "*"
MASK: Final = "*"

_SAME: Final = str.maketrans({"i": "l"})
"""A small I is a large one by its letter case, which is an L by its looks."""

_DIGITS: Final = re.compile(r"\d+")


class BadWords(ValueError):
    """A list of words that makes no sense; the text names the line."""


class WordFilter:
    """Empty until it has learnt words; then neither a saying nor a name costs anything."""

    def __init__(self) -> None:
        self._words: frozenset[str] = frozenset()
        self._beginnings: dict[int, frozenset[str]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def learn(self, lines: Iterable[str]) -> None:
        """Know these words and no others. BadWords: and those before stay."""
        words, beginnings, listed = set[str](), dict[int, set[str]](), 0
        for number, line in enumerate(lines, 1):
            if not (word := line.partition(COMMENT)[0].strip()):
                continue
            stem = word.removesuffix(BEGINNING)
            if len(stem) > LONGEST_WORD or _spans(stem) != [(0, len(stem))]:
                raise BadWords(f"line {number}: {word[:LONGEST_WORD]!r} is not one word of letters and digits")
            for look in _looks(stem):
                (words if stem == word else beginnings.setdefault(len(look), set())).add(look)
            listed += 1
        if listed > MOST_WORDS:
            raise BadWords(f"more than {MOST_WORDS} words")
        self._count = listed
        self._words = frozenset(words)
        self._beginnings = {size: frozenset(found) for size, found in beginnings.items()}

    def masked(self, text: str) -> str:
        """The text with stars for each letter of a listed word."""
        if not self:
            return text
        for start, end in _spans(text):
            if self._listed(text[start:end]):
                text = text[:start] + MASK * (end - start) + text[end:]
        return text

    def check_name(self, name: str) -> None:
        """Refused (BAD_OPTION): a word of this name is listed; digits around it, or between, hide none."""
        if not self:
            return
        words = [name[start:end] for start, end in _spans(name)]
        if any(self._listed(part) for word in words for part in (word, *_DIGITS.split(word)) if part):
            raise Refused(Why.BAD_OPTION, "a word of this name is not used here; choose another name")

    def _listed(self, word: str) -> bool:
        looks = _looks(word)
        if not self._words.isdisjoint(looks):
            return True
        return any(look[:size] in of for look in looks for size, of in self._beginnings.items())


def _spans(text: str) -> list[tuple[int, int]]:
    """Where words begin and end: runs of letters with their marks, digits, and a bar, which is taken for a letter."""
    inside = [False, *(_is_part(letter) for letter in text)]
    edges = [index for index, (before, here) in enumerate(pairwise((*inside, False))) if before != here]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _is_part(letter: str) -> bool:
    return letter.isalnum() or letter == "|" or unicodedata.category(letter).startswith("M")


def _looks(word: str) -> set[str]:
    """Forms of which a reader takes one for another's: two words that have one in common look alike."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
    seen = bare.casefold().translate(LOOKS).casefold().translate(_SAME)
    return {seen, seen.replace("rn", "m").replace("vv", "w")}
