"""Names as the clients of a dialect can show them: each stands for one name of this server, on one connection.

A name that the wire cannot carry is spelt in another way. Where two come to the same, the later one that the connection
meets gets something more at its end.
"""

from __future__ import annotations

from collections.abc import Callable


class Aliases:
    """The names that one connection has met: ``shown`` for its client, ``meant`` by it.

    ``spell`` is a name as it is shown where no other is spelt so, of at most ``longest`` letters; ``more`` is what the
    so-manieth of the same gets at its end.
    """

    def __init__(self, spell: Callable[[str], str], longest: int, more: Callable[[int], str]) -> None:
        self._spell = spell
        self._longest = longest
        self._more = more
        self._shown: dict[str, str] = {}
        self._meant: dict[str, str] = {}
        self._own = self._typed = ""

    def shown(self, name: str) -> str:
        """The word that stands for a name; "" for no name."""
        if not name or name.casefold() == self._own:
            return self._typed if name else ""
        first = found = self._spell(name)
        if (known := self._shown.get(name.casefold())) is not None:
            return first if known.casefold() == first.casefold() else known
        count = 0
        while found.casefold() in self._meant:
            count += 1
            more = self._more(count)
            found = first[: self._longest - len(more)] + more
        self._shown[name.casefold()] = found
        self._meant[found.casefold()] = name
        return found

    def knows_itself(self, name: str, typed: str) -> None:
        """The peer's own ``name`` is shown to it as ``typed``, where that can be shown: its client looks for it."""
        if typed and self._spell(typed) == typed and self._meant.setdefault(typed.casefold(), name) == name:
            self._own, self._typed = name.casefold(), typed

    def met(self, text: str) -> str | None:
        """The name that has been shown so, in any case of letters; None: none has."""
        return self._meant.get(text.casefold())
