"""Names in use, and free ones for guests.

A registered name is its account's: guests do not get it, nor one that looks like it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from gateway.lobby.spelling import fault, keys, tidy
from gateway.lobby.word_filter import WordFilter
from gateway.store.records import FORMER
from protocols.core.errors import Refused, Why

LONGEST: Final = 32
"""Characters of a name: it fits beside a board in a terminal of 80 columns."""

CUT: Final = LONGEST - 5
"""Characters that stay of a name that is numbered: "-9999" still fits."""

BOTS: Final = re.compile(r"bot-[\dlo]+", re.IGNORECASE)
"""The look of house bots' names (seating.bot_name): 1 is l, 0 is o (spelling.keys)."""

HOUSE: Final = frozenset(("gateway", "boardgate", "the house", "server", "the server", FORMER))
"""The look of the server's names where it says something (protocols/miniature/words.py), and of players' who left."""

ROLES: Final = frozenset(
    ("admin", "administrator", "host", "moderator", "operator", "root", "staff", "support", "system")
)
"""Names that players would take for the host's. An account may have one: the host has registered it."""

NUMBERED: Final = re.compile(r"(-\d+)+$")
"""Appended by ``choose`` to a name that is taken."""

GUESTS: Final = re.compile(r"guest-\d+")
"""The name of players who give none."""

_HOUSE_KEYS: Final = frozenset(key for name in HOUSE for key in keys(name))
_ROLE_KEYS: Final = frozenset(key for name in ROLES for key in keys(name))


class Names:
    """The names of all seats' holders. One person may hold several seats under one name."""

    def __init__(self, words: WordFilter | None = None) -> None:
        """``words`` are those that are in no name of a guest, None: any may be."""
        self._words = words or WordFilter()
        self._held: Counter[str] = Counter()
        self._owned: set[str] = set()
        self._bots: frozenset[str] = frozenset()
        self._guests_first: set[str] = set()  # keys that became an account's while guests held a seat under them
        self._guests = 0

    def choose(self, wanted: str, account: str = "") -> str:
        """A free name like ``wanted``: itself, or with a number. "" gets a guest's name. Refused: not a name.

        ``account`` is the account that asks, "" for a guest. Its own name is free to it, at several tables at once, and
        is what "" gets.
        """
        if not wanted.strip():
            return account or self._guest()
        if account and tidy(wanted).casefold() == account.casefold():
            return account
        name = self.checked(wanted)
        return name if not self._taken(name) else self._numbered(name[:CUT])

    def checked(self, wanted: str) -> str:
        """A guest's name as it is shown. Refused: as by ``check``; (BAD_OPTION) a word of it is not used here."""
        name = check(wanted)
        self._words.check_name(name)
        return name

    def _numbered(self, name: str) -> str:
        """A free name with a number, found in few steps however many players bear the name."""
        taken, free = 1, 2
        while self._taken(f"{name}-{free}"):
            taken, free = free, 2 * free
        while free - taken > 1:
            middle = (taken + free) // 2
            taken, free = (middle, free) if self._taken(f"{name}-{middle}") else (taken, middle)
        return f"{name}-{free}"

    def own(self, names: Iterable[str]) -> None:
        """These names are accounts', from now on and for good."""
        new = {key for name in names for key in keys(name)} - self._owned
        self._guests_first.update(key for key in new if self._held[key])
        self._owned |= new

    def owned(self, name: str) -> bool:
        """True if this is an account's name, in any letter case, or looks like one."""
        return not self._owned.isdisjoint(keys(tidy(name)))

    def mark(self, bots: Iterable[str]) -> None:
        """These accounts are programs', and no others, from now on."""
        self._bots = frozenset(name.casefold() for name in bots)

    def is_bot(self, account: str) -> bool:
        """True if this account is a program's."""
        return account.casefold() in self._bots

    def in_use(self, name: str, but: int = 0) -> bool:
        """True if more than ``but`` seats are held under this name, or under one that looks like it."""
        return any(self._held[key] > but for key in keys(tidy(name)))

    def why_other(self, wanted: str) -> str:
        """The reason, in words behind ``wanted``, for which who asks for this name gets another one."""
        if self.owned(wanted):
            return "is the name of an account, and you have not logged in"
        return "is somebody else's name here"

    def is_account(self, name: str) -> bool:
        """True if a player of this name is an account: not while a guest may be called so, who came before it."""
        return self.owned(name) and self._guests_first.isdisjoint(keys(tidy(name)))

    def hold(self, name: str) -> None:
        """A player of this name has taken a seat."""
        self._held.update(keys(name))

    def free(self, name: str) -> None:
        """A player of this name has left a seat."""
        for key in keys(name):
            self._held[key] -= 1
            if self._held[key] <= 0:
                del self._held[key]
                self._guests_first.discard(key)

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Reserve this name meanwhile; "" is none."""
        if name:
            self.hold(name)
        try:
            yield
        finally:
            if name:
                self.free(name)

    def _taken(self, name: str) -> bool:
        return self.owned(name) or self.in_use(name)

    def _guest(self) -> str:
        while True:
            self._guests += 1
            if not self._taken(name := f"guest-{self._guests}"):
                return name


def is_guest(name: str) -> bool:
    """True if this is a guest's generated name."""
    return bool(GUESTS.fullmatch(name))


def base(name: str) -> str:
    """The name that ``choose`` has numbered, as in "anna-2"; cut short where it was too long for the number."""
    return NUMBERED.sub("", name)


def check(wanted: str, *, guest: bool = True) -> str:
    """The name as it is shown: normalised, no blanks around it. Refused (BAD_OPTION) for one that should not be shown.

    Refused (NAME_TAKEN): it is the server's, a house bot's, or, for a ``guest``, the host's.
    """
    name = tidy(wanted)
    if any(BOTS.fullmatch(key) for key in keys(name)):
        raise Refused(Why.NAME_TAKEN, f"{name} is what house bots are called")
    if not _HOUSE_KEYS.isdisjoint(keys(name)):
        raise Refused(Why.NAME_TAKEN, f"{name} is what the server is called")
    if guest and not _ROLE_KEYS.isdisjoint(keys(base(name))):
        raise Refused(Why.NAME_TAKEN, f"the name {name} is kept for the host of this server")
    if len(name) > LONGEST or not name.isprintable() or not any(c.isalnum() for c in name):
        raise Refused(
            Why.BAD_OPTION, f"no name: {wanted[:40]!r}; up to {LONGEST} printable characters, a letter among them"
        )
    if wrong := fault(name):
        raise Refused(Why.BAD_OPTION, f"no name: {wanted[:40]!r}; {wrong}")
    return name
