"""A Miniature peer's requests to the server: a name, a seat, a table to look on at, a game to begin."""

from __future__ import annotations

import re

from protocols.core.commands import (
    Command,
    Enter,
    Inquire,
    Join,
    Leave,
    Offer,
    Propose,
    Say,
    Take,
    Watch,
    Withdraw,
    read_login,
)
from protocols.core.model import Settings
from protocols.core.notifications import Notice, Noticed
from protocols.core.proposals import Proposal, Start
from protocols.miniature import words as say
from protocols.miniature.asking import Answer, error
from protocols.miniature.sitting import Asked, Sitting
from protocols.miniature.table import State, answering
from protocols.miniature.wire import names_time, ratings_apart, read_clock, read_seek


class Visit:
    """A visit: a client comes, sits down or looks on, leaves, sits down again. ``time`` is the listener's option."""

    def __init__(self, time: str) -> None:
        self._usual = read_clock(time)
        self._wishes = (("time", time),) if time else ()
        self._name = ""
        self._naming: str | None = None
        """The name before, until the server has answered the new one."""
        self._against = ""
        """The house bot that seeks are played against; "" where people are met."""
        self._waiting = False
        """True if a seat, or to look on, has been asked for."""
        self._logins = 0
        """Logins without an answer so far."""
        self._asked = Asked()
        self._sitting: Sitting | None = None
        self._seeks: list[Notice] = []
        """The seeks that stand, as far as it was told of them; nothing while it has a table."""
        self._more = 0

    @property
    def state(self) -> State:
        if self._sitting is not None:
            return self._sitting.table.state
        return State.ASKED if self._waiting else State.LOBBY

    def _speak(self, to: str, text: str) -> Answer:
        seated = self._sitting is not None and self._sitting.table.seat is not None
        return Answer((self._asked.note(Say(to, text, "" if seated else self._name)),))

    def _join(self, *then: Command, ticket: str = "", opponent: str = "", settings: Settings | None = None) -> Answer:
        """Ask for a seat, and on it for the rest."""
        self._sitting, self._waiting = None, True
        wishes = (*self._wishes, ("opponent", opponent)) if opponent else self._wishes
        if self._against and not (ticket or opponent):
            wishes = (*wishes, ("against", self._against))
        seat = Join("chess", self._name, ticket, wishes, ready=False, settings=settings, kept=bool(ticket))
        return Answer((seat, *then))

    def _called_away(self) -> Answer:
        """To a waiting player; what is sought is sought there, too."""
        table = None if self._sitting is None else self._sitting.table
        self._asked.waiting.clear()
        if table is None or table.seat is None:
            return self._join()
        standing = table.mine(Start)
        return self._join() if standing is None else self._join(*self._propose(standing).commands)

    def _propose(self, proposal: Proposal) -> Answer:
        return Answer((self._asked.note(Propose(proposal)),))

    def _sit_and_seek(self, rest: str) -> Answer:
        sought = self._seek(rest)
        return Answer(self._join(*sought.commands).commands, sought.lines)

    def _seek(self, rest: str) -> Answer:
        """A seek takes the place of the one before. One that names no time is told which it has."""
        start = read_seek(rest, self._usual)
        line = say.untimed(start)
        return Answer(self._propose(start).commands, () if names_time(rest) else (line,))

    def _noticed(self, message: Noticed) -> list[str]:
        """Seeks of others came or went."""
        if self._sitting is not None:
            return []
        new = not self._seeks
        self._seeks = [notice for notice in self._seeks if notice not in message.removed]
        self._seeks += message.posted
        self._more = message.more
        lines = [*map(say.removed, message.removed), *(line for made in message.posted for line in say.posted(made))]
        if new and message.more:
            lines.append(say.remark(f"{message.more} more seek a game: tell gateway tables"))
        return lines

    def _sit_and_play(self, rest: str) -> Answer:
        """Take the seek of the player who is named, or the only one there is; without any, the next that comes."""
        if rest:
            found = next((seek for seek in self._seeks if say.nick(seek.name).casefold() == rest.casefold()), None)
            return self._join(*self._take_next("").commands, opponent=rest) if found is None else self._accept(found)
        if not self._seeks:
            return self._join(*self._take_next(rest).commands)
        if len(self._seeks) == 1 and not self._more:
            return self._accept(self._seeks[0])
        names = ", ".join(say.nick(seek.name) for seek in self._seeks)
        return error("ambiguous", f"whose seek? play NAME: {names}{', ...' if self._more else ''}")

    def _accept(self, notice: Notice) -> Answer:
        """Go to the table of this seek, and agree to what was told of it and to nothing else."""
        then = self._propose(answering(notice.start)).commands
        return self._join(*then, opponent=notice.name, settings=notice.start.settings)

    def _take_next(self, rest: str) -> Answer:
        return self._propose(Start())

    def _who(self, rest: str) -> Answer:
        return Answer((Inquire("who"),))

    def _tables(self, rest: str) -> Answer:
        return Answer((Inquire("tables"),))

    def _call(self, rest: str) -> Answer:
        """A name takes no seat back, but its owner hears of the games that wait for it."""
        self._naming, self._name = self._name, rest
        return Answer((Enter(rest),))

    def _log_in(self, rest: str) -> Answer:
        login = read_login(rest)
        self._logins += 1
        return Answer((login,))

    def _take_seat(self, rest: str) -> Answer:
        if not rest or " " in rest:
            raise ValueError("a ticket is one word: tell gateway seat TICKET")
        return self._join(ticket=rest)

    def _match(self, rest: str) -> Answer:
        if not rest:
            raise ValueError("whom? tell gateway match NICK")
        return self._join(opponent=rest)

    def _offers(self, rest: str) -> Answer:
        return Answer((Inquire("offers"),))

    def _offer(self, rest: str, to: str = "") -> Answer:
        """To everybody, without a seat; one that names no time is told which it has."""
        seek, ratings = ratings_apart(rest)
        start = read_seek(seek, self._usual)
        if start.confirms:
            raise ValueError("manual: an offer is taken as it is")
        offer = Offer(start, to, name=self._name, ratings=ratings)
        return Answer((offer,), () if names_time(seek) else (say.untimed(start),))

    def _challenge(self, rest: str) -> Answer:
        to, _, game = rest.partition(" ")
        if not to:
            raise ValueError("whom? tell gateway challenge NICK 5 0 rated white")
        return self._offer(game.strip(), to)

    def _take(self, rest: str) -> Answer:
        number = int(rest) if re.fullmatch("[0-9]{1,9}", rest) else 0
        return Answer((Take(number, "" if number else rest, name=self._name),))

    def _withdraw(self, rest: str) -> Answer:
        if not re.fullmatch("(?:[0-9]{1,9})?", rest):
            raise ValueError("which? tell gateway withdraw N, or all of yours without a number")
        return Answer((Withdraw(int(rest or 0)),))

    def _choose_bot(self, rest: str) -> Answer:
        """From the next seek on; the server says then which bots there are."""
        if len(rest.split()) != 1:
            raise ValueError("whom? tell gateway against bot, bot:3, stockfish:3, or anybody")
        self._against = "" if rest.lower() == "anybody" else rest
        who = f"the house bot {rest}" if self._against else "anybody who waits"
        return Answer(lines=(say.remark(f"your next seek is played against {who}"),))

    def _observe(self, rest: str) -> Answer:
        if not rest:
            raise ValueError("which table? tell gateway observe N, or NICK")
        self._sitting, self._waiting = None, True
        if re.fullmatch("[0-9]{1,9}", rest):
            return Answer((Watch(table=int(rest), name=self._name),))
        return Answer((Watch(whom=rest, name=self._name),))

    def _leave(self, rest: str) -> Answer:
        self._sitting = None
        self._asked.waiting.clear()
        return Answer((Leave(),), (say.remark("you have left the table"),))
