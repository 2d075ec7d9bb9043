"""Lists that are asked for: who is here, what is played, which own games wait; and what is set."""

from __future__ import annotations

from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Inquire
from protocols.core.desk import unmet
from protocols.core.errors import Why
from protocols.core.line_text import clean
from protocols.core.model import Reason
from protocols.ics import board, writing
from protocols.ics.desk import Desk

HISTORY: Final = "                  Opponent      Type         ECO End Date"


class Lists:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tables: tuple[ntf.ListedTable, ...] = ()
        self._people: tuple[ntf.ListedPerson, ...] = ()
        self._games: tuple[ntf.ListedGame, ...] = ()
        self._observed: ntf.Answered | None = None
        self.kept: tuple[ntf.ListedTable, ...] = ()
        """The games where a seat is kept for the peer's account."""

    def answered(self, message: ntf.Answered) -> None:
        """A list has come."""
        match message.topic:
            case "tables":
                self._tables = tuple(one for one in message.tables if len(one.names) == 2)
            case "kept":
                self.kept = tuple(one for one in message.tables if one.playing and writing.carries(one.settings))
            case "history":
                self._games = message.games
            case "time":
                self._desk.today = message.lines[0]
            case "who":
                self._people = message.people
            case "observers":
                self._observed = message

    def games(self, rest: str) -> list[Command]:
        def listed() -> None:
            desk = self._desk
            shown = [one for one in self._tables if one.playing and writing.carries(one.settings)]
            for one in shown:
                desk.say(self._game(one))
            desk.say(f"{len(shown)} games displayed.")

        self._desk.finish = listed
        return [Inquire("tables")]

    def _game(self, one: ntf.ListedTable) -> str:
        desk = self._desk
        for name, points in zip(one.names, one.ratings, strict=True):
            desk.rate(name, points)
        white, black = one.names
        minutes, seconds = writing.clock(one.settings)
        try:
            position = board.read(one.position)
        except ValueError:
            position = board.read("8/8/8/8/8/8/8/8 w - -")
        left = [self._left(one, seat) for seat in (0, 1)]
        worth = board.material(position)
        kind = writing.letters(one.settings)
        return (
            f"{one.table} {desk.points(white):>4} {desk.alias(white):<11.11} {desk.points(black):>4} "
            f"{desk.alias(black):<10.10} [ {kind}{minutes:4}{seconds:4}] "
            f"{_minutes(left[0])} -{_minutes(left[1])} ({worth[0]:2}-{worth[1]:2}) "
            f"{'W' if position.white_moves else 'B'}:{position.number:3}"
        )

    def _left(self, one: ntf.ListedTable, seat: int) -> float:
        if one.clock is None:
            return 0.0 if one.settings.time is None else one.settings.time.main_s
        reading = one.clock.readings[seat]
        used = self._desk.now - one.clock.since if one.clock.running == seat else 0.0
        return max(0.0, reading.main_s + reading.period_s - max(0.0, used))

    def stored(self, rest: str) -> list[Command]:
        """The games of the peer's account that wait to be gone on with."""

        def listed() -> None:
            desk = self._desk
            if not self.kept:
                desk.say(f"{desk.alias(desk.name)} has no adjourned games.")
                return
            desk.say(f"Stored games for {desk.alias(desk.name)}:", "    C Opponent          Str  Type   ECO Date")
            for at, one in enumerate(self.kept, 1):
                seat = 0 if one.names[0].casefold() == desk.name.casefold() else 1
                minutes, seconds = writing.clock(one.settings)
                kind = f"[ {writing.letters(one.settings)}{minutes:4}{seconds:4}]"
                desk.say(f"{at:2}: {'WB'[seat]} {desk.alias(one.names[1 - seat]):<17} {kind}")

        if not self._desk.account:
            self._desk.say("Only registered players have stored games.")
            return []
        self._desk.finish = listed
        return [Inquire("kept", self._desk.name)]

    def who(self, rest: str) -> list[Command]:
        """People who are here, three in a line; a program that asks for "I" gets a line each, with nine ratings."""
        for_programs = rest.startswith("I")

        def listed() -> None:
            desk = self._desk
            cells = []
            for one in self._people:
                desk.rate(one.name, one.rating, account=one.account)
                mark = mark_of(one)
                shown = f"{desk.points(one.name):>4}{mark}{desk.alias(one.name)}{title_of(one)}"
                cells.append(for_programs_of(desk, one) if for_programs else shown)
            wide = 1 if for_programs else 3
            for at in range(0, len(cells), wide):
                desk.say("  ".join(f"{cell:<24}" for cell in cells[at : at + wide]).rstrip())
            desk.say("", f"{len(cells)} Players Displayed.")

        self._desk.finish = listed
        return [Inquire("who")]

    def finger(self, rest: str) -> list[Command]:
        asked = rest.split()[0] if rest else self._desk.name
        name = self._desk.meant(asked)

        def told() -> None:
            desk = self._desk
            found = next((one for one in self._people if one.name.casefold() == name.casefold()), None)
            if found is None:
                nobody = unmet(asked)
                desk.say(f"Finger of {nobody}:", "", f"{nobody} is not logged in.")
                return
            desk.rate(found.name, found.rating, account=found.account)
            guest = "" if found.account else "(U)"
            desk.say(f"Finger of {desk.alias(found.name)}{guest}:", "")
            desk.say(f"Rating: {desk.points(found.name)}" if found.account else "A guest.")
            doing = "Is playing." if found.playing else "Is idle." if found.idle else "Is here."
            desk.say(doing + ("  Is a computer." if found.bot else ""))
            if not found.challenges:
                desk.say("Takes no challenges now.")

        self._desk.finish = told
        return [Inquire("who")]

    def history(self, rest: str) -> list[Command]:
        """The last games of an account, the oldest first."""
        asked = rest.split()[0] if rest else self._desk.name
        name = self._desk.meant(asked)

        def listed() -> None:
            desk = self._desk
            found = [one for one in self._games if writing.carries(one.settings) and one.outcome.reason != Reason.VOID]
            if not found:
                desk.say(f"{unmet(asked) if rest else desk.alias(name)} has no history games.")
                return
            desk.say("", f"History for {desk.alias(name)}:", HISTORY)
            for number, one in enumerate(found, 1):
                desk.say(f"{number:2}: {self._past(one, name)}")

        self._desk.finish = listed
        return [Inquire("history", name)]

    def _past(self, one: ntf.ListedGame, name: str) -> str:
        desk = self._desk
        mine = next((seat for seat, held in enumerate(one.names) if held.casefold() == name.casefold()), 0)
        sign = "=" if one.outcome.winner is None else "+" if one.outcome.winner == mine else "-"
        own, other = (one.ratings[seat] or 0 for seat in (mine, 1 - mine))
        minutes, seconds = writing.clock(one.settings)
        game = f"[ {writing.letters(one.settings)}{minutes:3} {seconds:3}] ---"
        ended = f"{writing.end_letters(one.outcome):3} {writing.moment(one.at)}"
        return f"{sign} {own:4} {'WB'[mine]} {other:4} {desk.alias(one.names[1 - mine]):<13} {game} {ended}"

    def journal(self, rest: str) -> list[Command]:
        """Journals are kept on no page here: each is empty."""
        self._desk.say(
            f"{unmet(rest.split()[0]) if rest else self._desk.alias(self._desk.name)} has no journal entries."
        )
        return []

    def observers(self, asked: str) -> list[Command]:
        """All who look on at a game, by its number or a player's name."""

        def listed() -> None:
            desk, found = self._desk, self._observed
            if found is None or len(found.tables[0].names) != 2:
                return
            (table,) = found.tables
            white, black = (desk.alias(name) for name in table.names)
            names = " ".join(f"{desk.alias(one.name)}{title_of(one)}" for one in found.people)
            if not names:
                desk.say(f"No one is observing game {table.table}.")
                return
            count = f"{found.watching} user{'' if found.watching == 1 else 's'}"
            desk.say(f"Observing {table.table} [{white} vs. {black}]: {names} ({count})")

        def refused(refusal: ntf.Rejected) -> None:
            self._desk.say("There is no such game." if refusal.why is Why.NOT_NOW else clean(refusal.text))

        self._observed = None
        self._desk.finish, self._desk.refused = listed, refused
        return [Inquire("observers", asked)]

    def playing(self, name: str) -> ntf.ListedTable | None:
        """The newest game of this player in the list of games that has come last."""
        folded = name.casefold()
        shown = [one for one in self._tables if one.playing and writing.carries(one.settings)]
        return next((one for one in reversed(shown) if folded in map(str.casefold, one.names)), None)

    def date(self, rest: str) -> list[Command]:
        """The server's time; programs ask for it to keep the line alive."""
        self._desk.finish = lambda: self._desk.say(f"Server time    - {self._desk.today}")
        return [Inquire("time")]

    def style(self, rest: str) -> list[Command]:
        self._desk.variables["style"] = rest.strip()[:3] or "1"
        self._desk.say(f"Style {self._desk.variables['style']} set.")
        return []

    def show_variables(self, rest: str) -> list[Command]:
        desk = self._desk
        desk.say(f"Variable settings of {desk.alias(desk.name)}:", "")
        desk.say(*(f"{name}={value}" for name, value in sorted(desk.variables.items())), "")
        desk.say("Interface: " + " ".join(name for name, on in sorted(desk.interface.items()) if on))
        return []

    def show_list(self, rest: str) -> list[Command]:
        """Lists of players are kept on the page of an account, not here."""
        if rest and "channel".startswith(rest.lower()):
            names = ["1"] if self._desk.in_channel else []
            self._desk.say(f"-- channel list: {len(names)} names --", *names)
            return []
        self._desk.say(f"-- {rest[:20] or 'no'} list: 0 names --")
        return []


def mark_of(one: ntf.ListedPerson) -> str:
    """The sign before a name that says what somebody does."""
    return "^" if one.playing else ":" if not one.challenges else "." if one.idle else " "


def title_of(one: ntf.ListedPerson) -> str:
    """The letters behind a name: C of a program, U of a guest."""
    return "(C)" if one.bot else "" if one.account else "(U)"


def for_programs_of(desk: Desk, one: ntf.ListedPerson) -> str:
    """A person in a line for programs: name, what it does, titles as a number, nine ratings, of which one is known."""
    titles = 0x2 if one.bot else 0x0 if one.account else 0x1
    first = "0" if one.rating is None else str(one.rating.rating)
    return f"{desk.alias(one.name)}{mark_of(one)}{titles:02}{first}P{'0P' * 8}"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:3}:{rest:02}"
