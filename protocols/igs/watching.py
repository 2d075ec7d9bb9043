"""Games that are looked on at beside one's own, several at once; their moves, when they are asked for."""

from __future__ import annotations

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import Command, Say, Unwatch
from protocols.core.desk import read_number, worded
from protocols.core.looking_on import NOT_SEEN, LookingOn
from protocols.igs import words
from protocols.igs.desk import MOVE, NOT_PLAYING, SHOUT, UNDO, Desk, said
from protocols.igs.play import Play
from protocols.igs.seen import REMOVING, RESTORED, Seen


class Watching(LookingOn[Seen]):
    """``play`` has the peer's own table, as far as there is one."""

    def __init__(self, desk: Desk, play: Play) -> None:
        super().__init__(desk, lambda table: Seen(number=table))
        self._desk = desk
        self._play = play

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

    def moves(self, rest: str) -> list[Command]:
        """The moves of the own game, or of any other; that one is looked at for a moment."""
        own = self._play.own
        number = read_number(rest)
        seen = own if own is not None and (not rest or own.number == number) else self._watched.get(number)
        if seen is not None and seen.first is not None:
            self._list(seen)
            if seen is own:
                self._play.listed()
            return []
        if not rest:
            raise ValueError(NOT_PLAYING)

        return [self._asks_list(rest)]

    def all(self, rest: str) -> list[Command]:
        """Tell who plays the own game, or one that is looked on at."""
        own, number = self._play.own, read_number(rest)
        seen = own if own is not None and (not rest or own.number == number) else self._watched.get(number)
        if seen is None:
            raise ValueError(NOT_SEEN)
        desk = self._desk
        black, white = map(desk.alias, seen.names)
        desk.inform(f"Observing game {seen.number} ({white} vs. {black}) :")
        if seen.seat is None:
            desk.inform(f"{desk.alias(desk.name)} {words.UNRANKED.strip()}")
        desk.inform("Others who look on are not listed.")
        return []

    def _list(self, seen: Seen) -> None:
        if seen.settings is not None and seen.first is not None:
            self._desk.tell(MOVE, seen.heading(self._desk.alias, self._desk.now), *seen.moves_told())

    def _begins(self, table: int, seen: Seen, *, again: bool) -> None:
        if not again:
            self._desk.inform("Adding game to observation list.")
        self._list(seen)
        seen.untold = len(seen.moves)

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
        word, _, text = rest.partition(" ")
        own, number = self._play.own, read_number(word)
        if own is not None and number in (0, own.number):
            return [Say("all", worded(text if number else rest))]
        seen = self._watched.get(number) or next(iter(self._watched.values()), None)
        if seen is None:
            raise ValueError("You are not playing or observing a game.")
        to = "all" if seen.speaks else "observers"
        return [Say(to, worded(text if number else rest), self._desk.name, seen.number)]
