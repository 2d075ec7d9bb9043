"""Lists that are asked for: who is here, what is played, which own games wait; and switches."""

from __future__ import annotations

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire
from protocols.core.desk import read_number, unmet
from protocols.igs import words
from protocols.igs.desk import GAMES, INFO, USERS, WHO, Desk
from protocols.igs.play import Play
from protocols.igs.reading import read_switch


class Lists:
    """``kept`` are the games where a seat is kept for the peer's account, the newest last."""

    def __init__(self, desk: Desk, play: Play) -> None:
        self._desk = desk
        self._play = play
        self._tables: tuple[ntf.ListedTable, ...] = ()
        self.people: tuple[ntf.ListedPerson, ...] = ()
        self.kept: tuple[ntf.ListedTable, ...] = ()

    def answered(self, message: ntf.Answered) -> None:
        """A list has come."""
        match message.topic:
            case "tables":
                tables = message.tables
                self._tables = tuple(one for one in tables if self._goes_on(one))
            case "kept":
                self.kept = tuple(one for one in message.tables if one.playing and words.carries(one.settings))
            case "who":
                self.people = message.people

    def _goes_on(self, one: ntf.ListedTable) -> bool:
        """True of a game that is played now: a table of one that is over is listed until its players leave."""
        play = {person.name.casefold() for person in self.people if person.playing}
        here = any(name.casefold() in play for name in one.names)
        return here and one.playing and not one.adjourned and words.carries(one.settings)

    def waits_with(self, name: str) -> ntf.ListedTable | None:
        """The game with this player that waits to be gone on with."""
        folded = name.casefold()
        return next((one for one in self.kept if folded in (each.casefold() for each in one.names)), None)

    def to_return_to(self) -> ntf.ListedTable | None:
        """The own game to go on with at once: one that is not adjourned, or one whose other player is here."""
        here = {one.name.casefold() for one in self.people} - {self._desk.name.casefold()}
        fitting = [one for one in self.kept if not one.adjourned or here & {name.casefold() for name in one.names}]
        return fitting[-1] if fitting else None

    def games(self, rest: str) -> list[Command]:
        number = read_number(rest)

        def listed() -> None:
            desk = self._desk
            desk.tell(GAMES, words.GAMES_HEAD)
            for one in [*self._tables, *self._unlisted()]:
                if number in (0, one.table):
                    black, white = map(desk.alias, one.names)
                    desk.tell(GAMES, words.game_row(one, white, black))

        self._desk.finish = listed
        return [Inquire("who"), Inquire("tables")]

    def _unlisted(self) -> list[ntf.ListedTable]:
        """The own game where it is private, as those against house bots are: clients open no board without its row."""
        own = self._play.own
        if own is None or not (own.playing or own.settling) or own.number in {one.table for one in self._tables}:
            return []
        return [own.listed()]

    def _plays_at(self) -> dict[str, int]:
        return {name.casefold(): one.table for one in self._tables for name in one.names}

    def who(self, rest: str) -> list[Command]:
        """List who is here, two in a line."""

        def listed() -> None:
            desk, tables = self._desk, self._plays_at()
            cells = [
                words.who_cell(one, desk.alias(one.name), tables.get(one.name.casefold(), 0)) for one in self.people
            ]
            desk.tell(WHO, words.WHO_HEAD)
            for at in range(0, len(cells), 2):
                desk.tell(WHO, "|".join(cells[at : at + 2]).rstrip())
            desk.tell(WHO, f"                ******** {len(cells)} Players {len(self._tables)} Total Games ********")

        self._desk.finish = listed
        return [Inquire("who"), Inquire("tables")]

    def users(self, rest: str) -> list[Command]:
        """List who is here, in the columns that programs count."""

        def listed() -> None:
            desk, tables = self._desk, self._plays_at()
            desk.tell(USERS, words.USERS_HEAD)
            for one in self.people:
                if not rest or desk.alias(one.name).casefold() == rest.casefold():
                    desk.tell(USERS, words.user_row(one, desk.alias(one.name), tables.get(one.name.casefold(), 0)))
            desk.tell(INFO, f"******** {len(self.people)} Players {len(self._tables)} Total Games ********")

        self._desk.finish = listed
        return [Inquire("who"), Inquire("tables")]

    def stats(self, rest: str) -> list[Command]:
        name = self._desk.meant(rest) if rest else self._desk.name

        def told() -> None:
            desk = self._desk
            found = next((one for one in self.people if one.name.casefold() == name.casefold()), None)
            if found is None:
                desk.tell(5, f'No user named "{unmet(rest)}" is logged in.')
                return
            rating = "a guest" if not found.account else "none yet" if found.rating is None else str(found.rating)
            desk.tell(INFO, f"Player:      {desk.alias(found.name)}")
            desk.tell(INFO, f"Name:        {found.name}")
            desk.tell(INFO, f"Rating:      {words.UNRANKED}{rating}")
            at = self._plays_at().get(found.name.casefold(), 0)
            desk.tell(
                INFO, f"Playing in game: {at}" if at else "Idle Time: (On server): " + ("10m" if found.idle else "0s")
            )
            if not found.challenges:
                desk.tell(INFO, "Takes no matches now.")

        self._desk.finish = told
        return [Inquire("who"), Inquire("tables")]

    def stored(self, rest: str) -> list[Command]:
        """The games of the peer's account that wait to be gone on with."""

        def listed() -> None:
            desk = self._desk
            for one in self.kept:
                desk.tell(INFO, f"{desk.alias(one.names[1])}-{desk.alias(one.names[0])} [{one.table}]")
            desk.tell(INFO, f"Found {len(self.kept)} stored games.")

        if not self._desk.account:
            self._desk.tell(INFO, "Only accounts have stored games.")
            return []
        self._desk.finish = listed
        return [Inquire("kept", self._desk.name)]

    def switch(self, rest: str) -> list[Command]:
        """Set a variable; all but client are kept and change nothing."""
        name, _, _ = rest.lower().partition(" ")
        name, on = read_switch(rest, self._desk.switches.get(name, False))
        if len(self._desk.switches) < 40 or name in self._desk.switches:
            self._desk.switches[name] = on
        self._desk.tell(INFO, f"Set {name} to be {on}.")
        return []
