"""Games that are offered and not begun: to one player or to everybody, by people and programs that need not sit.

An offer has the number of the table that comes of it. Pure state plus methods. Each node holds the offers that were
made there, and knows those of all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

import msgspec

from gateway import registry
from gateway.lobby.party import begins, folded, in_words, same_name
from gateway.lobby.rating_range import Ratings
from gateway.lobby.spelling import tidy
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings
from protocols.core.proposals import Start

PLAYERS: Final = 2
"""Seats of a game that is offered."""

MOST_OF_ONE: Final = 8
"""Offers of one maker: more than anybody looks at the answers of."""

MOST: Final = 2_000
"""Offers of all: a list that nobody reads to its end."""

LONGEST_S: Final = 3600.0
"""Seconds that an offer may stand which is in no database: none is to be waited for over a restart."""

LASTING_S: Final = 7 * 86_400.0
"""Seconds that an offer of an account to another one may stand: it is a row of the database, if longer than an hour."""

MOST_LASTING: Final = 1_000
"""Offers of all that are such rows: they stand for days, and leave room for those of the hour."""


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that ``by`` offers: an account, or a guest. ``number`` is that of the table that comes of it.

    ``to`` is the name of the only one who may take it, "" anybody's. ``side`` is the seat that its maker wants, None:
    it is drawn. ``made`` and ``until`` are Unix times in seconds. ``client`` is the number of the connection that made
    it, 0: it was made over HTTP. ``digest`` is that of its maker's ticket, as hexadecimal text. ``node`` has made it; 0
    is this one. ``blocks`` are the names, folded, of the accounts that its maker had blocked then, ``rating`` was its
    maker's then for a rated game, in whole points, and ``lowest`` to ``highest`` may be its taker's (``ratings``).
    ``manual``: its maker confirms who takes it, who becomes the maker of one that ``answers`` it by its number.
    """

    number: int
    by: str
    account: bool
    settings: Settings
    made: float
    until: float
    to: str = ""
    side: int | None = None
    client: int = 0
    digest: str = ""
    node: int = 0
    blocks: frozenset[str] = frozenset()
    rating: int = 0
    lowest: int = 0
    highest: int = 0
    manual: bool = False
    answers: int = 0

    @property
    def lasts(self) -> bool:
        """True if it outlives the node that holds it."""
        return bool(self.to) and self.until - self.made > LONGEST_S

    @property
    def ratings(self) -> Ratings:
        """The ratings that it is for."""
        return Ratings(self.lowest, self.highest)


def _nobody_listens(number: int) -> None:
    """Stands for a listener where there is none."""


def _nobody_hears(offer: Offer) -> None:
    """The same."""


class Offers:
    """The offers that stand. ``changed`` is called with each of this node that is new or gone."""

    def __init__(self, changed: Callable[[int], None] = _nobody_listens) -> None:
        self._changed = changed
        self._heard: Callable[[Offer], None] = _nobody_hears
        self._declined: Callable[[Offer], None] = _nobody_hears
        self._offers: dict[int, Offer] = {}
        self._played: dict[Settings, dict[int, Offer]] = {}
        self._between: dict[str, set[int]] = {}
        """Offers to one player: their numbers by the names of both, as they are compared."""
        self._public: tuple[Offer, ...] | None = None
        """Offers to everybody, the oldest first; None: they have changed since they were looked at."""
        self.made: dict[object, object] = {}
        """Answers that were made of the offers to everybody, by whom they are for: forgotten whenever these change."""
        self._blocking = False
        """True if a maker of one of those blocks somebody."""

    def check_room(self, by: str, *, lasts: bool = False) -> None:
        """Refused (TOO_FAST): this maker, or all, have as many offers as there may be, or as many that last."""
        mine = sum(same_name(offer.by, by) for offer in self._offers.values())
        if mine >= MOST_OF_ONE:
            raise Refused(Why.TOO_FAST, f"you have {mine} offers that stand: withdraw one")
        lasting = lasts and sum(offer.lasts for offer in self._offers.values()) >= MOST_LASTING
        if lasting or len(self._offers) >= MOST:
            raise Refused(Why.OVERLOAD, "too many offers stand, try again later")

    def post(self, offer: Offer) -> None:
        """An offer of this node stands from now on."""
        self._put(offer)
        self._changed(offer.number)

    def listen(self, heard: Callable[[Offer], None], declined: Callable[[Offer], None]) -> None:
        """``heard`` is called with each offer of another node that is new here, ``declined`` with one of this node that
        was declined at another."""
        self._heard, self._declined = heard, declined

    def remove(self, number: int) -> None:
        """An offer stands no more. Idempotent."""
        offer = self._drop(number)
        if offer is not None and not offer.node:
            self._changed(number)

    def _put(self, offer: Offer) -> None:
        self._drop(offer.number)
        self._offers[offer.number] = offer
        self._played.setdefault(offer.settings, {})[offer.number] = offer
        if offer.to:
            for name in _between(offer):
                self._between.setdefault(name, set()).add(offer.number)
        else:
            self._changes()

    def _changes(self) -> None:
        """The offers to everybody are others than before."""
        self._public = None
        self.made.clear()

    def _drop(self, number: int) -> Offer | None:
        offer = self._offers.pop(number, None)
        if offer is not None:
            same = self._played[offer.settings]
            del same[number]
            if not same:
                del self._played[offer.settings]
            if not offer.to:
                self._changes()
                return offer
            for name in _between(offer):
                self._between[name].discard(number)
                if not self._between[name]:
                    del self._between[name]
        return offer

    def note(self, offer: Offer) -> None:
        """An offer of another node stands."""
        known = self._offers.get(offer.number)
        self._put(offer)
        if known is None:
            self._heard(offer)

    def taken(self, number: int) -> None:
        """An offer of another node was taken here: that node will hear of its table."""
        self._drop(number)

    def forget(self, number: int, node: int) -> None:
        """An offer that another node held stands there no more; a third one may have taken it over. Idempotent."""
        offer = self._offers.get(number)
        if offer is not None and offer.node == node:
            self._drop(number)

    def decline(self, number: int) -> None:
        """End an offer here that was made to somebody who declines it; its own node is told."""
        if self._drop(number) is not None:
            self._changed(number)

    def declined_elsewhere(self, number: int) -> None:
        """An offer of this node was declined at another."""
        offer = self._offers.get(number)
        if offer is not None and not offer.node:
            self.remove(number)
            self._declined(offer)

    def get(self, number: int) -> Offer | None:
        """The offer of this number; None: it does not stand."""
        return self._offers.get(number)

    def own(self) -> list[Offer]:
        """The offers of this node, the oldest first."""
        return [offer for offer in self._offers.values() if not offer.node]

    def of_client(self, client: int) -> list[Offer]:
        """The offers of a connection of this node."""
        return [offer for offer in self._offers.values() if offer.client == client and not offer.node]

    def shown_to(self, name: str, apart: Collection[str] = ()) -> tuple[Offer, ...]:
        """The offers to a player of this name, "" no player, to everybody, and its own; the oldest first.

        None of whoever is ``apart`` from the player by a block. As long as nothing changes, those who are shown what is
        for everybody alone are shown the same object.
        """
        if self._public is None:
            self._public = tuple(offer for offer in self if not offer.to)
            self._blocking = any(offer.blocks for offer in self._public)
        shown, own = self._public, self._between.get(_compared(name), ())
        if own:
            found = (*shown, *(self._offers[number] for number in own))
            shown = tuple(sorted(found, key=lambda offer: offer.number))
        if not (own or apart or self._blocking):
            return shown
        seen = tuple(offer for offer in shown if not blocked(offer, name, apart))
        return shown if len(seen) == len(shown) else seen

    def matching(self, mine: Offer) -> Offer | None:
        """The oldest offer of another maker from which a game begins with this one; None: there is none.

        Offers with greater numbers are left out: of two that match, the younger takes the older.
        """
        same = self._played.get(mine.settings, {})
        found = (other for other in same.values() if other.number < mine.number and fits(mine, other))
        return min(found, key=lambda other: other.number, default=None)

    def answers(self, number: int) -> list[Offer]:
        """The offers that answer this one, which its maker confirms."""
        return [offer for offer in self if offer.answers == number]

    def younger(self, offer: Offer) -> list[int]:
        """The numbers of this node's offers that come to a game with this one, and are to take it."""
        same = self._played.get(offer.settings, {}).values()
        return [mine.number for mine in same if not mine.node and mine.number > offer.number and fits(mine, offer)]

    def __iter__(self) -> Iterator[Offer]:
        return iter(sorted(self._offers.values(), key=lambda offer: offer.number))

    def __len__(self) -> int:
        return len(self._offers)


def blocked(offer: Offer, name: str, apart: Collection[str]) -> bool:
    """True if a block stands between the maker of an offer and this player, whom blocks keep ``apart`` from these."""
    return folded(name) in offer.blocks or folded(offer.by) in apart


def takeable(offer: Offer, name: str, apart: Collection[str] = ()) -> str:
    """The reason, in words, for which a player of this name cannot take an offer; "" where it can.

    ``apart`` are the names, folded, of those from whom a block keeps the player.
    """
    if blocked(offer, name, apart):
        return f"you and {offer.by} play no games that are offered: one of you has blocked the other"
    if _is(offer.by, name):
        return "this offer is your own"
    if offer.to and not _is(offer.to, name):
        return f"this offer is made to {offer.to}"
    return ""


def unsuited(offer: Offer, rating: int) -> str:
    """The reason, in words, for which a player of this rating cannot take an offer; "" where it can."""
    if offer.ratings.has(rating):
        return ""
    return f"this offer is for ratings of {offer.ratings}, and yours is {rating}"


def fits(one: Offer, other: Offer) -> bool:
    """True if two offers come to one game, each made to the other's maker or to everybody, none of which is manual."""
    if one.manual or other.manual:
        return False
    if not begins(Start(one.settings, one.side), Start(other.settings, other.side)):
        return False
    between = (one.account and other.account) or not one.settings.rated
    if unsuited(one, other.rating) or unsuited(other, one.rating):
        return False
    return between and not (takeable(one, other.by, other.blocks) or takeable(other, one.by, one.blocks))


def seats_of(offer: Offer, taker: str, side: int | None, drawn: int) -> tuple[str, ...]:
    """The names by seat of the game that comes of an offer; ``drawn`` is the maker's seat where nobody wished one.

    ``side`` is the seat that the taker wants.
    """
    if offer.side is not None:
        mine = offer.side
    elif side is not None:
        mine = 1 - side
    else:
        mine = drawn
    return (offer.by, taker) if mine == 0 else (taker, offer.by)


def in_line(offer: Offer, name: str, rating: str = "") -> str:
    """An offer in words, for a player of this name: "12: alice (1523?) offers you go normal 9x9, and plays black".

    ``rating`` is its maker's: "(1523?)", "" where there is none.
    """
    sides = registry.game(offer.settings.game).called(offer.settings)
    plays = "play" if _is(offer.by, name) else "plays"
    only = f", for ratings of {offer.ratings}" if any(offer.ratings) else ""
    only += ", and confirms who plays" if offer.manual else ""
    side = only if offer.side is None else f"{only}, and {plays} {sides[offer.side]}"
    if name and same_name(offer.by, name):
        return f"{offer.number}: you offer {offer.to or 'everybody'} {_game(offer.settings)}{side}"
    by = f"{offer.by} {rating}".rstrip()
    return f"{offer.number}: {by} offers {'you' if offer.to else 'everybody'} {_game(offer.settings)}{side}"


def _game(settings: Settings) -> str:
    return f"{settings.game} {in_words(settings)}"


def _is(name: str, other: str) -> bool:
    return bool(name and other) and _compared(name) == _compared(other)


def _compared(name: str) -> str:
    return folded(tidy(name))


def _between(offer: Offer) -> set[str]:
    return {_compared(offer.by), _compared(offer.to)}
