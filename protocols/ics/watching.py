"""Games that are looked on at beside one's own, several at once; their moves and positions, when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Say, Unwatch, Watch
from protocols.ics import writing
from protocols.ics.desk import NOT_PLAYING, Desk, said, worded
from protocols.ics.play import Play
from protocols.ics.reading import read_number
from protocols.ics.seen import Seen, told_board

NOT_SEEN: Final = "You are not observing this game."


class Watching:
    """``play`` has the peer's own table, as far as there is one."""

    def __init__(self, desk: Desk, play: Play) -> None:
        self._desk = desk
        self._play = play
        self._watched: dict[int, Seen] = {}
        self._latest = 0
        """The number of the game that was looked at last."""
        self._listed: set[int] = set()
        """Games that are looked on at only until their moves are told."""
        self._awaits_list = False

    def observe(self, rest: str) -> list[Command]:
        if not rest:
            raise ValueError("which game? observe N, or observe NAME")
        number = read_number(rest)
        if number in self._watched:
            raise ValueError(f"You are already observing game {number}.")
        return [self._watch(rest)]

    def _watch(self, rest: str) -> Watch:
        number, desk = read_number(rest), self._desk
        return Watch(number, "" if number else desk.names.meant(rest), desk.name, aside=True)

    def unobserve(self, rest: str) -> list[Command]:
        number = read_number(rest)
        if rest and number not in self._watched:
            raise ValueError(NOT_SEEN)
        if not self._watched:
            raise ValueError("You are not observing any games.")
        return [Unwatch(each) for each in (list(self._watched) if not rest else [number])]

    def moves(self, rest: str) -> list[Command]:
        """The moves of the own game, or of any other; that one is looked at for a moment."""
        seen = self._found(rest) if rest else self._current()
        if seen is not None:
            self._desk.finish = lambda: self._desk.say(*seen.listing(self._desk))
            return [Inquire("time")]
        if not rest:
            raise ValueError(NOT_PLAYING)

        def refused(refusal: ntf.Rejected) -> None:
            self._awaits_list = False
            self._desk.say(refusal.text)

        self._awaits_list = True
        self._desk.refused = refused
        return [Inquire("time"), self._watch(rest)]

    def refresh(self, rest: str) -> list[Command]:
        seen = self._found(rest) if rest else self._current()
        if seen is None or seen.last is None:
            raise ValueError(NOT_SEEN if rest else NOT_PLAYING)
        self._desk.say(*told_board(seen, self._desk.alias, self._desk.style, self._desk.now))
        return []

    def _found(self, rest: str) -> Seen | None:
        number = read_number(rest)
        own = self._play.own
        seen = [*self._watched.values(), *([] if own is None or own.first is None else [own])]
        name = self._desk.names.meant(rest).casefold()
        return next(
            (one for one in seen if one.number == number or name in (each.casefold() for each in one.names)), None
        )

    def _current(self) -> Seen | None:
        own = self._play.own
        if own is not None and own.first is not None:
            return own
        return self._watched.get(self._latest)

    def aside(self, table: int, messages: Iterable[ntf.ToldAside]) -> list[Command]:
        """A step of a game that is looked on at; what follows of it without the peer's words."""
        asks: list[Command] = []
        for message in messages:
            match message:
                case ntf.Seated():
                    asks += self._arrived(table, message)
                case ntf.Unwatched():
                    self._gone(table, message)
                case _ if (seen := self._watched.get(table)) is not None:
                    self._seen(seen, message)
        return asks

    def _arrived(self, table: int, seated: ntf.Seated) -> list[Command]:
        seen, desk = Seen(number=table), self._desk
        seen.catch_up(None, seated.past)
        again = table in self._watched
        self._watched[table] = seen
        if self._awaits_list:
            self._awaits_list = False
            self._listed.add(table)
            desk.say(*(seen.listing(desk) if seen.first is not None else ["There is no game there yet."]))
            return [Unwatch(table)]
        if not seen.carried:
            self._listed.add(table)
            desk.say(f"Game {table} is none that can be shown here.")
            return [Unwatch(table)]
        self._latest = table
        if not again:
            desk.say(f"You are now observing game {table}.")
        if seen.first is not None and seen.settings is not None:
            white, black = seen.names
            names = f"{desk.alias(white)} ({desk.points(white)}) {desk.alias(black)} ({desk.points(black)})"
            desk.say(f"Game {table}: {names} {writing.match_words(seen.settings)}", "")
            self._show_seen(seen)
        return []

    def _show_seen(self, seen: Seen) -> None:
        seen.due = False
        self._desk.say(*told_board(seen, self._desk.alias, self._desk.style))

    def _gone(self, table: int, message: ntf.Unwatched) -> None:
        self._watched.pop(table, None)
        if table in self._listed:
            self._listed.discard(table)
            return
        self._desk.say(f"Removing game {table} from observation list.")

    def _seen(self, seen: Seen, event: ntf.ToldAside) -> None:
        if isinstance(event, ntf.Unwatched):
            return
        seen.fold(event)
        match event:
            case ev.TurnStarted() if seen.due:
                self._show_seen(seen)
            case ev.ClockSet() if event.clock.running is not None and not seen.due:
                self._show_seen(seen)
            case ev.GameEnded():
                if seen.due:
                    self._show_seen(seen)
                self._desk.say(seen.ended_line(self._desk.alias))
            case ev.Said():
                self._desk.say(said(self._desk, event, seen.number))

    def speak(self, to: str, rest: str) -> list[Command]:
        """Say something at the game that was looked at last: to its players, too, where its table allows that."""
        seen = self._watched.get(self._latest)
        if seen is None:
            raise ValueError("You are not playing or observing a game.")
        return [Say(to if seen.speaks else "observers", worded(rest), self._desk.name, self._latest)]
