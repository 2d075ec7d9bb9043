"""Words a notice for its reader, as the service worker shows it and mail brings it."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import msgspec

from gateway import registry
from gateway.lobby.offers import Offer
from gateway.lobby.table_words import settings_words
from gateway.store.notices import CHALLENGE, MAKER, Notices
from gateway.store.views import TableView, Views
from protocols.core.model import DAY_S
from protocols.core.time_text import span

SHOWN: Final = 40
"""Characters of a name."""


class Message(msgspec.Struct, frozen=True):
    """The notice that a browser shows. A later message with the same ``tag`` takes the place of an earlier one."""

    title: str
    body: str
    url: str
    tag: str


class News(Protocol):
    """An event to tell of, for the player of a seat; ``at`` is when it happened."""

    @property
    def table(self) -> int: ...

    @property
    def seat(self) -> int: ...

    @property
    def news(self) -> str: ...

    @property
    def at(self) -> float: ...


class Worded(NamedTuple):
    """A message, and the name of the game that it is of."""

    message: Message
    game: str


def told(notices: Notices, views: Views, delivery: News, now: float) -> Worded | None:
    """The message of a notice; None: there is nothing to say any more. Blocks."""
    if delivery.news == CHALLENGE:
        body = notices.challenge(delivery.table, delivery.seat)
        worded_as = declined if delivery.seat == MAKER else challenge
        return None if body is None else worded_as(msgspec.json.decode(body, type=Offer))
    view = views.table(delivery.table)
    return None if view is None else Worded(worded(delivery, view, now), view.game)


def challenge(offer: Offer) -> Worded:
    """The message about an offer that lasts."""
    return _of_offer(offer, f"{offer.by[:SHOWN]} challenges you", "Take or decline it, as long as it stands.")


def declined(offer: Offer) -> Worded:
    """The message to its maker about an offer that lasted until it was declined."""
    return _of_offer(offer, f"{offer.to[:SHOWN]} declines your challenge", "It stands no more.")


def _of_offer(offer: Offer, title: str, more: str) -> Worded:
    text = f"{settings_words(registry.title(offer.settings.game), offer.settings)}. {more}"
    return Worded(Message(title, text, "/challenges", f"offer-{offer.number}"), offer.settings.game)


def worded(delivery: News, view: TableView, now: float) -> Message:
    """The message about this table, whose delivery is of one of its seats."""
    others = [seat.name for seat in view.seats if seat.seat != delivery.seat and seat.name]
    other = others[0][:SHOWN] if len(others) == 1 else ""
    game = registry.title(view.game)
    match delivery.news:
        case "turn":
            title = f"Your move against {other}" if other else "Your move"
            body = f"{game}. {_left(delivery, view, now)}"
        case "joined":
            title = f"{other} is here" if other else "A player is here"
            body = f"{game}. Your seat is kept: come and play."
        case _:
            title = f"{other} has come back" if other else "A player has come back"
            body = f"{game}. The game can go on."
    return Message(title, body, f"/table/{view.table}#play", f"table-{view.table}-{delivery.seat}")


def _left(delivery: News, view: TableView, now: float) -> str:
    time = None if view.settings is None else view.settings.time
    if time is None or not time.by_days:
        return "The game waits for you."
    left_s = max(60.0, delivery.at + time.period_s - now)
    if left_s >= DAY_S:
        return f"You have {span(left_s)}."
    return f"You have {left_s // 3600:.0f} h." if left_s >= 3600 else f"You have {left_s // 60:.0f} min."
