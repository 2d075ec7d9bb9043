"""At a board: what its player asks there, and what is told of each event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from protocols.chess_words.text import to_move
from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.commands import (
    Command,
    Decline,
    GiveTime,
    Leave,
    PlayMove,
    Propose,
    Resign,
    Say,
)
from protocols.core.desk import read_number, worded
from protocols.core.errors import Why
from protocols.core.followed import Status
from protocols.core.line_text import clean
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Takeback
from protocols.ics import writing
from protocols.ics.desk import HEADING, NOT_PLAYING, Desk, said
from protocols.ics.seen import Seen, told_board

MOST_TIME_S: Final = 600
"""Seconds that are given to an opponent at once."""

_KINDS: Final[Mapping[str, str]] = {
    "Draw": "draw",
    "Takeback": "takeback",
    "Abort": "abort",
    "Adjourn": "adjourn",
    "Rematch": "match",
}
"""Proposals that have a word here, by the names of their classes."""


class Play:
    """The peer's own table, if it has one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.own: Seen | None = None
        self._creates = ""
        """A game's heading until its first position is told: "Creating", "Continuing"."""
        self._numbers: dict[str, int] = {}
        """The numbers of what the opponent proposes, by kind."""

    # the own seat

    @property
    def playing(self) -> bool:
        return self.own is not None and self.own.playing

    @property
    def over(self) -> bool:
        """True at a table whose game is over: the peer is as free as without one."""
        return self.own is not None and self.own.status is Status.OVER

    @property
    def busy(self) -> bool:
        """True if the peer has a seat in a game that is not over."""
        return self.own is not None and not self.over

    def gone(self) -> None:
        """The seat is the peer's no more."""
        self.own = None

    def free(self) -> list[Command]:
        """Leave the table of a game that is over, before another one."""
        if self.own is None or self.busy:
            return []
        self.own = None
        return [Leave()]

    def leave(self) -> list[Command]:
        """Leave for good: a game that is played is given up."""
        if self.own is None:
            return []
        seen, self.own = self.own, None
        given_up = [Resign()] if seen.playing else []
        return [*given_up, Leave(lost=seen.status is Status.ADJOURNED)]

    def _seat(self) -> Seen:
        """The own table while a game is played. ValueError: there is none."""
        if self.own is None or not self.own.playing:
            raise ValueError(NOT_PLAYING)
        return self.own

    def sits(self) -> list[Command]:
        """Say, once a seat has been asked for, that it waits for others, where it does."""

        def told() -> None:
            if self.own is not None and not self.own.started:
                self._desk.say(f"You have a seat at table {self.own.number}; the game begins when all are there.")

        self._desk.finish = told
        return []

    def move(self, word: str) -> list[Command]:
        """A move in coordinates or in SAN; one that the rules refuse brings the position back."""
        seen = self._seat()
        assert seen.settings is not None

        def refused(refusal: ntf.Rejected) -> None:
            if refusal.why is Why.NOT_YOUR_TURN:
                self._desk.say("It is not your move.")
            elif refusal.why in (Why.TOO_FAST, Why.OVERLOAD):
                self._desk.say(refusal.text)
            else:
                self._desk.say(f"Illegal move ({word}).")
            self._desk.say(*told_board(seen, self._desk.alias, self._desk.style, self._desk.now))

        self._desk.refused = refused
        found = to_move(word.replace("*", "@"), seen.settings.variant)
        return [PlayMove(found, "" if found is not None else word, len(seen.moves))]

    def resign(self, rest: str) -> list[Command]:
        self._seat()
        return [Resign()]

    def draw(self, rest: str) -> list[Command]:
        return self._propose(Draw())

    def abort(self, rest: str) -> list[Command]:
        return self._propose(Abort())

    def adjourn(self, rest: str) -> list[Command]:
        return self._propose(Adjourn())

    def takeback(self, rest: str) -> list[Command]:
        seen = self._seat()
        theirs = seen.theirs(Takeback)
        if theirs is not None and not rest:
            return self._propose(theirs)
        plies = read_number(rest) if rest else 1
        if not plies:
            raise ValueError("takeback N: so many half-moves")
        return self._propose(Takeback(plies))

    def _propose(self, proposal: Proposal) -> list[Command]:
        seen = self._seat()
        word = _KINDS[type(proposal).__name__]
        if seen.theirs(type(proposal)) == proposal:
            self._desk.opens(f"You accept the {word} request from {self._desk.alias(seen.other)}.")
        else:
            self._desk.finish = lambda: self._sent(seen, proposal, word)
        return [Propose(proposal)]

    def _sent(self, seen: Seen, proposal: Proposal, word: str) -> None:
        """Say that a request is on its way, where nothing has come of it yet."""
        if seen.mine(type(proposal)) is not None:
            self._desk.say(f"{word.capitalize()} request sent.")

    def flag(self, rest: str) -> list[Command]:
        """A flag falls by the server's clock; asking changes nothing."""
        self._seat()
        self._desk.say("Flags fall by this server's clock: there is nothing to claim.")
        return []

    def more_time(self, rest: str) -> list[Command]:
        self._seat()
        seconds = read_number(rest)
        if not 1 <= seconds <= MOST_TIME_S:
            raise ValueError(f"moretime N: 1 to {MOST_TIME_S} seconds for your opponent")
        return [GiveTime(seconds)]

    def rematch(self) -> list[Command] | None:
        """Another game at the same table; None: its other player has gone."""
        seen = self.own
        if seen is None or not self.over or seen.seat not in (0, 1) or not seen.name(1 - seen.seat):
            return None
        self._desk.finish = lambda: self._sent(seen, Rematch(), "rematch")
        return [Propose(Rematch())]

    def accept(self, rest: str) -> list[Command] | None:
        """Agree to what the opponent proposes; None: nothing such stands."""
        made = self._picked(rest)
        if made is None or self.own is None:
            return None
        self._desk.opens(f"You accept the {_word(made)} request from {self._desk.alias(self.own.other)}.")
        return [Propose(made.proposal)]

    def decline(self, rest: str) -> list[Command] | None:
        made = self._picked(rest)
        if made is None or self.own is None:
            return None
        self._desk.say(f"You decline the {_word(made)} request from {self._desk.alias(self.own.other)}.")
        return [Decline(type(made.proposal).__name__)]

    def _picked(self, rest: str) -> ev.Proposed | None:
        if self.own is None:
            return None
        wanted = rest.removeprefix("t ").lower()
        found = [made for made in self.own.offers() if type(made.proposal).__name__ in _KINDS]
        opponent = self._desk.alias(self.own.other).lower()
        fitting = [
            made
            for made in found
            if not wanted or wanted in (_word(made), opponent, str(self._numbers.get(type(made.proposal).__name__)))
        ]
        return fitting[-1] if fitting else None

    def withdraw(self, rest: str) -> list[Command] | None:
        """Withdraw what the peer has proposed; None: nothing such stands."""
        if self.own is None:
            return None
        mine = [made for made in self.own.standing if made.seat == self.own.seat]
        kinds = [type(made.proposal).__name__ for made in mine if type(made.proposal).__name__ in _KINDS]
        for kind in kinds:
            self._desk.say(f"You withdraw the {_KINDS[kind]} request to {self._desk.alias(self.own.other)}.")
        return [Decline(kind) for kind in kinds] or None

    def sat_down(self, seated: ntf.Seated) -> list[Command]:
        """The own seat, with all that happened there before."""
        seen = Seen(number=seated.table)
        seen.catch_up(seated.seat, seated.past)
        self.own, self._numbers = seen, {}
        desk = self._desk
        if not seen.carried:
            self.own = None
            desk.say(f"Game {seen.number} is none that can be played here.")
            return [Leave(lost=True)]
        desk.tells_ticket(seated.ticket)
        if seen.playing:
            self._creates = "Continuing"
            if seen.turn is not None:
                self._show()
            for made in seen.offers():
                self._proposed(seen, made)
        elif seen.status is Status.ADJOURNED:
            desk.say(f"Your game with {desk.alias(seen.other)} is adjourned; it goes on when you both want to.")
        return []

    def told(self, event: ntf.Notification) -> None:
        """Something has happened at the own table."""
        seen = self.own
        if seen is None:
            return
        if isinstance(event, ntf.Rated | ntf.Stakes):
            self._rated(event)
            return
        stood = {type(made.proposal).__name__ for made in seen.offers()}
        if isinstance(event, ev.Proposed) and event.seat != seen.seat and self._agrees(seen, event.proposal):
            seen.fold(event)
            return
        seen.fold(event)
        gone = stood - {type(made.proposal).__name__ for made in seen.offers()}
        self._lapsed(gone)
        if isinstance(event, ev.Declined):
            self._declined(seen, event, "withdraws" if event.kind in gone else "declines")
        elif (tell := _TELL.get(type(event))) is not None:
            tell(self, seen, event)

    def _agrees(self, seen: Seen, proposal: Proposal) -> bool:
        """True if the opponent agrees by it to what the peer has proposed, which is said."""
        kind = type(proposal).__name__
        agrees = kind in _KINDS and seen.mine(type(proposal)) == proposal
        if agrees:
            self._desk.say(f"{self._desk.alias(seen.other)} accepts the {_KINDS[kind]} request.")
        return agrees

    def _lapsed(self, kinds: Iterable[str]) -> None:
        for kind in kinds:
            number = self._numbers.pop(kind, 0)
            if number and self._desk.has("pendinfo"):
                self._desk.say(f"<pr> {number}")

    def _started(self, seen: Seen, event: ev.GameStarted) -> None:
        self._creates = "Creating"

    def _goes_on(self, seen: Seen, event: ev.GameResumed) -> None:
        self._creates = "Continuing"

    def _turned(self, seen: Seen, event: ev.TurnStarted) -> None:
        if seen.due:
            self._show()

    def _show(self) -> None:
        """The position, below a heading where the game begins."""
        seen, desk = self.own, self._desk
        if seen is None or seen.settings is None:
            return
        if self._creates:
            white, black = seen.names
            names = f"{desk.alias(white)} ({desk.points(white)}) {desk.alias(black)} ({desk.points(black)})"
            again = self._creates != "Creating"
            desk.say(f"{HEADING}{names} {writing.match_words(seen.settings)}{' (adjourned)' if again else ''}")
            words = writing.begins(seen.settings, again=again)
            desk.say(writing.note(seen.number, desk.alias(white), desk.alias(black), words), "")
            self._creates = ""
        seen.due = False
        desk.say(*told_board(seen, desk.alias, desk.style))

    def shows_again(self) -> list[Command]:
        """The own board once more; under its heading for programs in blocks, which have read nothing before."""
        if self.own is not None and self.own.last is not None:
            self._creates = self._creates or ("Continuing" if self._desk.has("block") else "")
            self._show()
        return []

    def _clock_set(self, seen: Seen, event: ev.ClockSet) -> None:
        if event.clock.running is not None and not seen.due:
            self._show()

    def _proposed(self, seen: Seen, event: ev.Proposed) -> None:
        kind = type(event.proposal).__name__
        desk = self._desk
        if event.seat == seen.seat or kind not in _KINDS:
            if isinstance(event.proposal, Resume) and event.seat != seen.seat:
                desk.come(f"{desk.alias(seen.other)} wants to go on with the game.")
            return
        number = self._numbers[kind] = desk.number()
        other = desk.alias(seen.other)
        plies = event.proposal.plies if isinstance(event.proposal, Takeback) else "#"
        if desk.has("pendinfo"):
            desk.come(f"<pf> {number} w={other} t={_KINDS[kind]} p={plies}")
            return
        desk.come(
            {
                "Draw": f"{other} offers you a draw.",
                "Takeback": f"{other} would like to take back {plies} half move(s).",
                "Abort": f'{other} would like to abort the game; type "abort" to accept.',
                "Adjourn": f'{other} would like to adjourn the game; type "adjourn" to accept.',
                "Rematch": f'{other} would like another game with you; type "rematch" to accept.',
            }[kind]
        )

    def _declined(self, seen: Seen, event: ev.Declined, does: str) -> None:
        if event.seat != seen.seat and event.kind in _KINDS:
            self._desk.come(f"{self._desk.alias(seen.other)} {does} the {_KINDS[event.kind]} request.")

    def _adjourned(self, seen: Seen, event: ev.GameAdjourned) -> None:
        desk = self._desk
        desk.say(seen.adjourned_line(desk.alias))
        desk.tells_over(seen.number)
        self.own = None
        desk.asks.append(Leave(lost=True))

    def _ended(self, seen: Seen, event: ev.GameEnded) -> None:
        desk = self._desk
        if seen.due:
            self._show()
        desk.say(seen.ended_line(desk.alias))
        desk.tells_over(seen.number)
        if seen.settings is None or not seen.settings.rated:
            desk.say("No ratings adjustment done.")

    def _rated(self, message: ntf.Rated | ntf.Stakes) -> None:
        """Tell what a rated game may change, or has changed, for the peer; or why it does not count."""
        desk, seen = self._desk, self.own
        for each in message.players:
            desk.rate(each.name, each.after if isinstance(each, ntf.SeatRated) else each.rating, account=True)
        if seen is None or seen.settings is None:
            return
        if message.why:
            desk.say(f"No ratings adjustment: {clean(message.text)}.")
            return
        kind = writing.kind(seen.settings)
        for mine in message.players:
            if mine.seat != seen.seat:
                continue
            if isinstance(mine, ntf.SeatRated):
                desk.say(f"{kind.capitalize()} rating adjustment: {mine.before} --> {mine.after}")
            elif mine.win is not None:
                changes = f"Win: {mine.win:+},  Draw: {mine.draw:+},  Loss: {mine.loss:+}"
                desk.say(f"Your {kind} rating will change:  {changes}")

    def _left(self, seen: Seen, event: ev.SeatLeft) -> None:
        if event.seat != seen.seat and event.until:
            self._desk.come(f"{self._desk.alias(seen.other)} has lost the connection; the seat is kept for a while.")

    def _taken(self, seen: Seen, event: ev.SeatTaken) -> None:
        if event.seat != seen.seat and seen.playing:
            self._desk.come(f"{self._desk.alias(event.name)} is back.")

    def _closed(self, seen: Seen, event: ev.TableClosed) -> None:
        if not self.over:
            self._desk.say(f"Game {seen.number} is closed.")
        self.own = None

    def _said(self, seen: Seen, event: ev.Said) -> None:
        """Tell what was said; the peer's own words come back from those that many hear."""
        own = event.seat is not None and event.seat == seen.seat
        if not own or event.to in ("all", "observers"):
            self._desk.repeat(said(self._desk, event, seen.number), own=own)

    # talk

    def tell(self, rest: str) -> list[Command]:
        """To anybody who is here."""
        to, _, words = rest.partition(" ")
        if not words.strip():
            raise ValueError("tell NAME something")
        name = self._desk.meant(to.rstrip(",!"))
        self._desk.finish = lambda: self._desk.say(f"(told {self._desk.alias(name)})")
        return [Say(name, words.strip(), self._desk.name)]

    def say(self, rest: str) -> list[Command]:
        """To the opponent."""
        if self.own is None:
            raise ValueError("You have no opponent to say something to.")
        opponent = self._desk.alias(self.own.other)
        self._desk.finish = lambda: self._desk.say(f"(told {opponent})")
        return [Say("players", worded(rest))]

    def speak(self, to: str, rest: str) -> list[Command]:
        """Say something to all who see the game, or to those who look on."""
        return [Say(to, worded(rest))]


def _word(made: ev.Proposed) -> str:
    return _KINDS[type(made.proposal).__name__]


_TELL: Final[Mapping[type, Callable[[Play, Seen, Any], None]]] = {
    ev.GameStarted: Play._started,
    ev.GameResumed: Play._goes_on,
    ev.TurnStarted: Play._turned,
    ev.ClockSet: Play._clock_set,
    ev.Proposed: Play._proposed,
    ev.GameAdjourned: Play._adjourned,
    ev.GameEnded: Play._ended,
    ev.SeatLeft: Play._left,
    ev.SeatTaken: Play._taken,
    ev.TableClosed: Play._closed,
    ev.Said: Play._said,
}
"""How each event of the own table is told."""
