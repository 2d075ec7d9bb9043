"""Names as the clients of a dialect can show them: each stands for one name of this server, on one connection.

A name that the wire cannot carry is spelt in another way. Where two come to the same, the later one that the connection
meets gets something more at its end. Most words tell their names by themselves; of these only the last are remembered,
so that whoever hears of all people for days has no list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import Final

SPELT: Final = 1000
"""Names that are remembered because their words do not tell them."""

PLAIN: Final = 80
"""Names that are remembered though their words tell them, lest another one that is met soon is spelt so. They take
3 KiB of a connection; 300 would take 13."""


class Aliases:
    """The names that one connection has met: ``shown`` for its client, ``meant`` by it.

    ``spell`` is a name as it is shown where no other is spelt so, of at most ``longest`` letters; ``more`` is what the
    so-manieth of the same gets at its end. ``tells`` is the name that a word stands for where no other is met.
    """

    def __init__(
        self, spell: Callable[[str], str], longest: int, more: Callable[[int], str], tells: Callable[[str], str]
    ) -> None:
        self._spell = spell
        self._longest = longest
        self._more = more
        self._tells = tells
        self._shown: dict[str, str] = {}
        self._meant: dict[str, str] = {}
        self._plain: dict[str, str] = {}
        """The same as ``_meant``, of names that their words tell."""
        self._own = self._typed = ""

    def shown(self, name: str) -> str:
        """The word that stands for a name; "" for no name."""
        folded = name.casefold()
        if not name or folded == self._own:
            return self._typed if name else ""
        first = found = self._spell(name)
        word = intern(first.casefold())  # one for all connections
        if (known := self._shown.get(folded)) is not None:
            return first if known.casefold() == word else known
        if word not in self._meant and self._tells(first).casefold() == folded:
            self._plain.pop(word, None)
            self._plain[word] = name
            if len(self._plain) > PLAIN:
                del self._plain[next(iter(self._plain))]
            return first
        count = 0
        while found.casefold() in self._meant or found.casefold() in self._plain:
            count += 1
            more = self._more(count)
            found = first[: self._longest - len(more)] + more
        self._shown[folded] = found
        self._meant[found.casefold()] = name
        if len(self._shown) > SPELT:
            del self._meant[self._shown.pop(next(iter(self._shown))).casefold()]
        return found

    def knows_itself(self, name: str, typed: str) -> None:
        """The peer's own ``name`` is shown to it as ``typed``, where that can be shown: its client looks for it."""
        if typed and self._spell(typed) == typed and self._met(typed) in (None, name):
            self._own, self._typed = name.casefold(), typed
            self._meant[typed.casefold()] = name

    def meant(self, text: str) -> str:
        """The name that has been shown so, in any case of letters; where none has, the one that the text tells."""
        found = self._met(text)
        return self._tells(text) if found is None else found

    def _met(self, text: str) -> str | None:
        word = text.casefold()
        return self._meant.get(word) or self._plain.get(word)
