"""Games that are looked on at beside one's own, several at once; their moves and positions, when they are asked for."""

from __future__ import annotations

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire, Say
from protocols.core.desk import read_number, worded
from protocols.core.looking_on import NOT_SEEN, LookingOn
from protocols.ics import writing
from protocols.ics.desk import NOT_PLAYING, Desk, said
from protocols.ics.play import Play
from protocols.ics.seen import Seen, told_board


class Watching(LookingOn[Seen]):
    """``play`` has the peer's own table, as far as there is one."""

    def __init__(self, desk: Desk, play: Play) -> None:
        super().__init__(desk, lambda table: Seen(number=table))
        self._desk = desk
        self._play = play
        self._latest = 0
        """The number of the game that was looked at last."""

    def watch(self, table: int) -> Command:
        """The command to look on at a table."""
        return self._watch(str(table))

    def sees(self, table: int) -> bool:
        """True if a game is looked on at there."""
        return table in self._watched

    def observe(self, rest: str) -> list[Command]:
        if not rest:
            raise ValueError("which game? observe N, or observe NAME")
        number = read_number(rest)
        if number in self._watched:
            raise ValueError(f"You are already observing game {number}.")
        return [self._watch(rest)]

    def asked(self, rest: str) -> str:
        """The game that is meant, by number or player: the own one, or that looked at last, where none is named.

        ValueError: it is none of these.
        """
        seen = None if rest else self._current()
        if not rest and seen is None:
            raise ValueError("Which game? allobservers N, or allobservers NAME")
        return self._desk.meant(rest) if seen is None else str(seen.number)

    def moves(self, rest: str) -> list[Command]:
        """The moves of the own game, or of any other; that one is looked at for a moment."""
        seen = self._found(rest) if rest else self._current()
        if seen is not None:
            self._desk.finish = lambda: self._desk.say(*seen.listing(self._desk))
            return [Inquire("time")]
        if not rest:
            raise ValueError(NOT_PLAYING)

        return [Inquire("time"), self._asks_list(rest)]

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
        name = self._desk.meant(rest).casefold()
        return next(
            (one for one in seen if one.number == number or name in (each.casefold() for each in one.names)), None
        )

    def _current(self) -> Seen | None:
        own = self._play.own
        if own is not None and own.first is not None:
            return own
        return self._watched.get(self._latest)

    def _list(self, seen: Seen) -> None:
        self._desk.say(*(seen.listing(self._desk) if seen.first is not None else ["There is no game there yet."]))

    def _begins(self, table: int, seen: Seen, *, again: bool) -> None:
        desk, self._latest = self._desk, table
        if not again:
            desk.say(f"You are now observing game {table}.")
        if seen.first is not None and seen.settings is not None:
            white, black = seen.names
            names = f"{desk.alias(white)} ({desk.points(white)}) {desk.alias(black)} ({desk.points(black)})"
            desk.say(f"Game {table}: {names} {writing.match_words(seen.settings)}", "")
            desk.say(*told_board(seen, desk.alias, desk.style))
            seen.due = False

    def _moved(self, seen: Seen) -> None:
        seen.due = False
        self._desk.come(*told_board(seen, self._desk.alias, self._desk.style))

    def _seen(self, seen: Seen, event: ntf.ToldAside) -> None:
        if isinstance(event, ntf.Unwatched):
            return
        seen.fold(event)
        match event:
            case ev.TurnStarted() if seen.due:
                self._moved(seen)
            case ev.ClockSet() if event.clock.running is not None and not seen.due:
                self._moved(seen)
            case ev.GameAdjourned():
                self._desk.come(seen.adjourned_line(self._desk.alias))
                self._desk.tells_over(seen.number)
            case ev.GameEnded():
                if seen.due:
                    self._moved(seen)
                self._desk.come(seen.ended_line(self._desk.alias))
                self._desk.tells_over(seen.number)
            case ev.Said():
                own = event.seat is None and event.name == self._desk.name
                self._desk.repeat(said(self._desk, event, seen.number), own=own)

    def speak(self, to: str, rest: str) -> list[Command]:
        """Say something at the game that was looked at last: to its players, too, where its table allows that."""
        seen = self._watched.get(self._latest)
        if seen is None:
            raise ValueError("You are not playing or observing a game.")
        return [Say(to if seen.speaks else "observers", worded(rest), self._desk.name, self._latest)]
