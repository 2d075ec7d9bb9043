"""Games that are looked on at beside one's own, several at once, by somebody who types commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Unwatch, Watch
from protocols.core.desk import Desk, read_number
from protocols.core.events import Event
from protocols.core.line_text import clean

NOT_SEEN: Final = "You are not observing this game."


class Followed(Protocol):
    """A table as it is looked on at."""

    @property
    def carried(self) -> bool: ...
    def catch_up(self, seat: int | None, past: Sequence[Event]) -> None: ...


Seen = TypeVar("Seen", bound=Followed)


class LookingOn(ABC, Generic[Seen]):
    """``follow`` makes a table of this number as it is looked on at."""

    def __init__(self, desk: Desk, follow: Callable[[int], Seen]) -> None:
        self._shared = desk
        self._follow = follow
        self._watched: dict[int, Seen] = {}
        self._listed: set[int] = set()
        """Games that are looked on at only until their moves are told."""
        self._awaits_list = False

    def _watch(self, rest: str) -> Watch:
        number, desk = read_number(rest), self._shared
        return Watch(number, "" if number else desk.meant(rest), desk.name, aside=True)

    def unobserve(self, rest: str) -> list[Command]:
        number = read_number(rest)
        if rest and number not in self._watched:
            raise ValueError(NOT_SEEN)
        if not self._watched:
            raise ValueError("You are not observing any games.")
        return [Unwatch(each) for each in (list(self._watched) if not rest else [number])]

    def _asks_list(self, rest: str) -> Watch:
        """Look on at a game until its moves have been told."""

        def refused(refusal: ntf.Rejected) -> None:
            self._awaits_list = False
            self._shared.refuse(clean(refusal.text))

        self._awaits_list = True
        self._shared.refused = refused
        return self._watch(rest)

    def aside(self, table: int, messages: Iterable[ntf.ToldAside]) -> list[Command]:
        """A step of a game that is looked on at; what follows of it without the peer's words."""
        asks: list[Command] = []
        for message in messages:
            match message:
                case ntf.Seated():
                    asks += self._arrived(table, message)
                case ntf.Unwatched():
                    self._gone(table)
                case _ if (seen := self._watched.get(table)) is not None and table not in self._listed:
                    self._seen(seen, message)
        return asks

    def _arrived(self, table: int, seated: ntf.Seated) -> list[Command]:
        seen = self._follow(table)
        seen.catch_up(None, seated.past)
        again = table in self._watched
        self._watched[table] = seen
        if self._awaits_list or not seen.carried:
            self._listed.add(table)
            if not self._awaits_list:
                self._shared.refuse(f"Game {table} is none that can be shown here.")
            elif seen.carried:
                self._list(seen)
            self._awaits_list = False
            return [Unwatch(table)]
        self._begins(table, seen, again=again)
        return []

    def _gone(self, table: int) -> None:
        self._watched.pop(table, None)
        if table in self._listed:
            self._listed.discard(table)
        else:
            self._shared.inform(f"Removing game {table} from observation list.")

    @abstractmethod
    def _list(self, seen: Seen) -> None:
        """Tell a game's moves."""

    @abstractmethod
    def _begins(self, table: int, seen: Seen, *, again: bool) -> None:
        """A game is looked on at from now on; ``again``: it was already."""

    @abstractmethod
    def _seen(self, seen: Seen, event: ntf.ToldAside) -> None:
        """Something has happened there."""
