"""Games that are looked on at beside one's own, several at once; their moves, when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Say, Unwatch, Watch
from protocols.core.line_text import clean
from protocols.igs.desk import ERROR, INFO, MOVE, NOT_PLAYING, SHOUT, UNDO, Desk, said, worded
from protocols.igs.play import Play
from protocols.igs.reading import read_number
from protocols.igs.seen import REMOVING, RESTORED, Seen

NOT_SEEN: Final = "You are not observing this game."


class Watching:
    """``play`` has the peer's own table, as far as there is one."""

    def __init__(self, desk: Desk, play: Play) -> None:
        self._desk = desk
        self._play = play
        self._watched: dict[int, Seen] = {}
        self._listed: set[int] = set()
        """Games that are looked on at only until their moves are told."""
        self._awaits_list = False

    @property
    def watches(self) -> bool:
        return len(self._watched) > len(self._listed)

    def observe(self, rest: str) -> list[Command]:
        """Look on at a game; or, the same word once more, no longer."""
        if not rest:
            raise ValueError("which game? observe N, or observe NAME")
        number = read_number(rest)
        if number in self._watched:
            return [Unwatch(number)]
        return [self._watch(rest)]

    def _watch(self, rest: str) -> Watch:
        number, desk = read_number(rest), self._desk
        return Watch(number, "" if number else desk.names.meant(rest), desk.name, aside=True)

    def unobserve(self, rest: str) -> list[Command]:
        number = read_number(rest)
        if (rest and number not in self._watched) or not self._watched:
            raise ValueError(NOT_SEEN)
        return [Unwatch(each) for each in (list(self._watched) if not rest else [number])]

    def moves(self, rest: str) -> list[Command]:
        """The moves of the own game, or of any other; that one is looked at for a moment."""
        own = self._play.own
        number = read_number(rest)
        seen = own if own is not None and (not rest or own.number == number) else self._watched.get(number)
        if seen is not None and seen.first is not None:
            self._list(seen)
            return []
        if not rest:
            raise ValueError(NOT_PLAYING)

        def refused(refusal: ntf.Rejected) -> None:
            self._awaits_list = False
            self._desk.tell(ERROR, clean(refusal.text))

        self._awaits_list = True
        self._desk.refused = refused
        return [self._watch(rest)]

    def _list(self, seen: Seen) -> None:
        if seen.settings is not None and seen.first is not None:
            self._desk.tell(MOVE, seen.heading(self._desk.alias, self._desk.now), *seen.moves_told())

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
        seen, desk = Seen(number=table), self._desk
        seen.catch_up(None, seated.past)
        again = table in self._watched
        self._watched[table] = seen
        if self._awaits_list or not seen.carried:
            self._listed.add(table)
            if not self._awaits_list:
                desk.tell(ERROR, f"Game {table} is none that can be shown here.")
            elif seen.carried:
                self._list(seen)
            self._awaits_list = False
            return [Unwatch(table)]
        if not again:
            desk.tell(INFO, "Adding game to observation list.")
        self._list(seen)
        seen.untold = len(seen.moves)
        return []

    def _gone(self, table: int) -> None:
        self._watched.pop(table, None)
        if table in self._listed:
            self._listed.discard(table)
        else:
            self._desk.tell(INFO, f"Removing game {table} from observation list.")

    def _seen(self, seen: Seen, event: ntf.ToldAside) -> None:
        if isinstance(event, ntf.Unwatched):
            return
        desk = self._desk
        if isinstance(event, ev.MovesTakenBack):
            desk.tell(UNDO, *seen.undone(event, desk.alias))
        seen.fold(event)
        match event:
            case ev.TurnStarted() | ev.GameSettling() if moves := seen.news():
                desk.tell(MOVE, seen.heading(desk.alias), *moves)
            case ev.GameEnded():
                if moves := seen.news():
                    desk.tell(MOVE, seen.heading(desk.alias), *moves)
                desk.tell(SHOUT, seen.ended(desk.alias))
            case ev.Said() if event.text != RESTORED and not event.text.startswith(REMOVING):
                said(desk, event, seen.number, seen.names)

    def kibitz(self, rest: str) -> list[Command]:
        """Say something to all who see a game: the one of this number, or the own, or the only one looked on at."""
        word, _, words = rest.partition(" ")
        own, number = self._play.own, read_number(word)
        if own is not None and number in (0, own.number):
            return [Say("all", worded(words if number else rest))]
        seen = self._watched.get(number) or next(iter(self._watched.values()), None)
        if seen is None:
            raise ValueError("You are not playing or observing a game.")
        to = "all" if seen.speaks else "observers"
        return [Say(to, worded(words if number else rest), self._desk.name, seen.number)]
