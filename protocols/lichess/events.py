"""A program that is here without a seat: the challenges that it is told, makes, takes and declines, and its seeks.

An offer to the program is a challenge. So is, for a bot's account, an offer to everybody, and the seek of a player who
waits at a table. What the API has no words for is declined where it was made to the program, and else not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Final

import msgspec

from protocols.core import notifications as ntf
from protocols.core import time_text
from protocols.core.commands import Command, Inquire, Offer, Take, Withdraw
from protocols.core.model import Settings
from protocols.lichess import objects
from protocols.lichess.asked import Asked, Reply, at_once, plain, refused
from protocols.lichess.wanted import wanted
from protocols.lichess.wire import OK, Line, Seek, Tree, write

CLOCKED_MINUTES: Final = 2
UNTIMED_MINUTES: Final = 60
"""Minutes that a challenge of ours stands: a program waits for the answer to one with a clock."""

MOST_DECLINED: Final = 1000
"""Challenges that are known to have been declined; the oldest are told again, if they still stand."""

NO_CHALLENGE: Final = "no such challenge"


class Challenge(msgspec.Struct, frozen=True):
    """A game that another player, or the program, offers. ``number`` is an offer's, 0 that of a seek at a table.

    ``side`` is the seat of its maker, None: either; ``rating`` its rating, ``bot`` whether an engine plays under its
    name.
    """

    by: str
    to: str
    settings: Settings
    side: int | None
    number: int = 0
    rating: ntf.Points | None = None
    bot: bool = False

    @property
    def id(self) -> str:
        if self.number:
            return objects.game_id(self.number, 1)
        settings = self.settings
        time = time_text.spell(settings.time)
        return objects.seek_id(self.by, settings.variant, settings.start, time, settings.rated, self.side)

    @property
    def maker(self) -> int:
        """The seat of its maker; where that is open, the one that will be asked for."""
        return self.number % 2 if self.side is None else self.side

    def tree(self, status: str = "created") -> Tree:
        """The challenge in the API's words."""
        settings = self.settings
        told: Tree = {
            "id": self.id,
            "status": status,
            "challenger": objects.player(self.by, bot=self.bot, points=self.rating),
            "destUser": objects.player(self.to, bot=False) if self.to else None,
            "variant": objects.variant(settings),
            "rated": settings.rated,
            "speed": objects.speed(settings.time),
            "timeControl": objects.time_control(settings.time),
            "color": "random" if self.side is None else objects.colour(self.side),
            "finalColor": objects.colour(self.maker),
            "perf": objects.perf(settings),
        }
        return told | ({"initialFen": settings.start} if settings.start else {})


class Challenges:
    """``put`` takes the lines of the event stream; ``prompt`` commands that nobody has asked for."""

    def __init__(self, put: Callable[[bytes], None], prompt: Callable[[Command], None]) -> None:
        self._put = put
        self._prompt = prompt
        self.name = ""
        self._bot = False
        self._seeks: dict[str, Challenge] = {}
        """The players who wait at tables, told or not: some are known before the stream begins."""
        self._told: dict[str, Challenge] = {}
        self._own: dict[str, Challenge] = {}
        self._sought: dict[str, str] = {}
        """By identifier the marks of its own seeks, each of which a request holds open."""
        self._taken: dict[int, str] = {}
        """By table the marks of seeks that a game may come of there; "" where the request is over."""
        self._met = 0
        """The table where a game may come of an own offer that it is not known by, 0 none."""
        self._declined: dict[str, None] = {}
        self._called: ntf.Called | None = None
        self._awaits = False
        """True while a request is served that a game may come of."""

    def open(self, line: Line) -> Asked:
        """The event stream begins, or begins anew: what stands is told again."""
        self._bot = line.bot
        for made in self._told.values():
            self._say(made)
        for made in self._seeks.values():
            self._new(made)
        return Asked([Inquire("offers")], plain)

    def look(self, line: Line) -> Asked:
        """The peer is there; what has changed is told."""
        return Asked([Inquire("offers")], plain)

    def accept(self, line: Line) -> Asked:
        found = self._told.get(line.id)
        if found is None:
            return at_once(refused(NO_CHALLENGE, HTTPStatus.NOT_FOUND))
        if not found.number:
            return at_once(Reply(OK, play={"seek": msgspec.to_builtins(_seek(found))}))
        self._called, self._awaits = None, True

        def judged(refusal: ntf.Rejected | None) -> Reply:
            self._awaits = False
            if self._called is None:
                return refused(NO_CHALLENGE if refusal is None else refusal.text, HTTPStatus.NOT_FOUND)
            self._told.pop(found.id, None)
            return Reply(OK, play={"table": self._called.table})

        return Asked([Take(found.number, side=1 - found.maker)], judged)

    def decline(self, line: Line) -> Asked:
        """Decline a challenge; one that was made to others, too, is not told again."""
        found = self._told.pop(line.id, None)
        if found is None:
            return at_once(refused(NO_CHALLENGE, HTTPStatus.NOT_FOUND))
        self._declined[found.id] = None
        if len(self._declined) > MOST_DECLINED:
            del self._declined[next(iter(self._declined))]
        return Asked([Withdraw(found.number)] if found.to else (), plain)

    def challenge(self, line: Line) -> Asked:
        """Offer a game to the player of this name."""
        try:
            start = wanted(line)
        except ValueError as wrong:
            return at_once(refused(str(wrong)))
        time = None if start.settings is None else start.settings.time
        minutes = UNTIMED_MINUTES if time is None or time.by_days else CLOCKED_MINUTES
        return self._offered(Offer(start, line.text, minutes))

    def _offered(self, offer: Offer, mark: str = "") -> Asked:
        """Make an offer, and answer with what comes of it. With a ``mark`` it is a seek, whose end is told by that."""
        self._called, self._awaits, before = None, True, frozenset(self._own)
        settings = offer.start.settings
        assert settings is not None

        def judged(refusal: ntf.Rejected | None) -> Reply:
            self._awaits = False
            if (called := self._called) is not None:  # the other player has offered the same
                if mark:
                    self._taken[called.table] = mark
                made = Challenge(self.name, offer.to, settings, offer.start.side, called.table)
                return Reply(made.tree("accepted"), play={"table": called.table})
            new = [made for name, made in self._own.items() if name not in before and _is(made.to, offer.to)]
            if refusal is not None or not new:
                return plain(refusal) if refusal is not None else refused(NO_CHALLENGE)
            if mark:
                self._sought[new[-1].id] = mark
            return Reply(new[-1].tree())

        return Asked([offer, Inquire("offers")], judged)

    def seek(self, line: Line) -> Asked:
        """Offer a game to everybody. ``text`` is the mark by which its end is told; without one it needs no request."""
        try:
            start = wanted(line)
        except ValueError as wrong:
            return at_once(refused(str(wrong)))
        return self._offered(Offer(start, "", UNTIMED_MINUTES, ratings=line.ratings), line.text)

    def unseek(self, line: Line) -> Asked:
        """The request that held a seek open is over, and the seek with it."""
        self._taken = {table: "" if mark == line.text else mark for table, mark in self._taken.items()}
        found = next((name for name, mark in self._sought.items() if mark == line.text), None)
        if found is None:
            return at_once(Reply(OK))
        del self._sought[found]
        made = self._own.pop(found, None)
        return Asked([] if made is None else [Withdraw(made.number)], plain)

    def settled(self, line: Line) -> Asked:
        """The game of a seek has begun at this table, or will not."""
        self._taken.pop(line.table, None)
        return at_once(Reply(OK))

    def again(self, table: int, number: int) -> None:
        """An own offer stands again under this number, for its table got no opponent, unless its request is over."""
        mark = self._taken.pop(table, None)
        if mark:
            self._sought[objects.game_id(number, 1)] = mark
            self._put(write({"stands": mark}))
        elif mark is not None:
            self._prompt(Withdraw(number))

    def cancel(self, line: Line) -> Asked:
        found = self._own.pop(line.id, None)
        if found is None:
            return at_once(refused(NO_CHALLENGE, HTTPStatus.NOT_FOUND))
        if (mark := self._sought.pop(line.id, None)) is not None:
            self._put(write({"ended": mark}))
        return Asked([Withdraw(found.number)], plain)

    def all(self, line: Line) -> Asked:
        """The challenges that stand: those that the program may take, and its own."""
        told = [made.tree() for made in self._told.values()]
        return at_once(Reply({"in": told, "out": [made.tree() for made in self._own.values() if made.to]}))

    def called(self, message: ntf.Called) -> Tree | None:
        """A game comes of an offer. The line that says so, where it is an own one that stood; else an answer is."""
        number = objects.game_id(message.table, 1)
        own, mark = self._own.pop(number, None), self._sought.pop(number, None)
        if own is None and self._awaits and message.table:
            self._called = message
            return None
        if own is None:
            self._met = message.table
            self._prompt(Inquire("offers"))  # an own one has met another's, or a player who waits: it stands no more
        return {"play": _play(message)} | ({} if mark is None else self._is_taken(mark, message.table))

    def _is_taken(self, mark: str, table: int) -> Tree:
        """The words for a seek that a game may come of."""
        self._taken[table] = mark
        return {"taken": mark, "table": table}

    def offers(self, listed: Iterable[ntf.ListedOffer]) -> None:
        """The offers that the program may take now, and its own: tell what is new and what is gone."""
        offers = [
            Challenge(each.by, each.to, each.settings, each.side, each.number, each.rating, each.bot) for each in listed
        ]
        stand = {made.id: made for made in offers}
        own = {name: made for name, made in stand.items() if _is(made.by, self.name)}
        for name in [name for name, made in self._told.items() if made.number and name not in stand]:
            self._ends("challengeCanceled", self._told.pop(name))
        for name in [name for name in self._own if name not in own]:
            made = self._own.pop(name)
            if made.to:
                self._ends("challengeDeclined", made, "declined")
            elif (mark := self._sought.pop(name, None)) is not None:
                self._put(write(self._is_taken(mark, self._met) if self._met else {"ended": mark}))
                self._met = 0
        self._own, self._met = own, 0
        for name, made in stand.items():
            if name not in own:
                self._new(made)

    def noticed(self, message: ntf.Noticed) -> None:
        """Players have come to tables to wait for a game, or do so no more."""
        for notice in message.removed:
            if (made := _of(notice)) is None:
                continue
            self._seeks.pop(made.id, None)
            if self._told.pop(made.id, None) is not None:
                self._ends("challengeCanceled", made)
        for notice in message.posted:
            if (made := _of(notice)) is not None and not notice.start.confirms:
                self._seeks[made.id] = made
                self._new(made)

    def _new(self, made: Challenge) -> None:
        """Tell a challenge that was not told yet, if it is one for this program."""
        if made.id in self._told or made.id in self._declined or _is(made.by, self.name):
            return
        if not objects.carries(made.settings):
            if made.to:
                self._declined[made.id] = None
                self._prompt(Withdraw(made.number))
        elif made.to or self._bot:
            self._told[made.id] = made
            self._say(made)

    def _say(self, made: Challenge) -> None:
        self._put(write({"type": "challenge", "challenge": made.tree(), "compat": {"bot": True, "board": True}}))

    def _ends(self, kind: str, made: Challenge, status: str = "canceled") -> None:
        self._put(write({"type": kind, "challenge": made.tree(status)}))


def _of(notice: ntf.Notice) -> Challenge | None:
    """The challenge that a seek is; None: it takes whatever is proposed."""
    if notice.start.settings is None:
        return None
    return Challenge(notice.name, "", notice.start.settings, notice.start.side)


def _play(message: ntf.Called) -> Tree:
    """Where the game of an offer is taken up: at its table, or beside a player who waits."""
    join = message.join
    if message.table or join.settings is None:
        return {"table": message.table}
    settings, name = join.settings, dict(join.wishes).get("opponent", "")
    time = time_text.spell(settings.time)
    return {"seek": msgspec.to_builtins(Seek(name, settings.variant, time, settings.start, settings.rated, join.side))}


def _seek(made: Challenge) -> Seek:
    settings = made.settings
    side = None if made.side is None else 1 - made.side
    return Seek(made.by, settings.variant, time_text.spell(settings.time), settings.start, settings.rated, side)


def _is(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()


ASKS: Final[Mapping[str, Callable[[Challenges, Line], Asked]]] = {
    "look": Challenges.look,
    "accept": Challenges.accept,
    "decline": Challenges.decline,
    "challenge": Challenges.challenge,
    "cancel": Challenges.cancel,
    "seek": Challenges.seek,
    "unseek": Challenges.unseek,
    "settled": Challenges.settled,
    "challenges": Challenges.all,
}
"""The requests of a program without a seat."""
