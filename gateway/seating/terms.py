"""Says what an offer comes to: the settings that it names, the seek that it fits, the words that lead to its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gateway import registry
from gateway.lobby.offers import PLAYERS, Offer
from gateway.lobby.party import begins, folded, same_name
from gateway.seating.entering import Speaker
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.model import Settings
from protocols.core.notifications import Answered, Called, Notice, Notification
from protocols.core.proposals import Start


def is_open(offer: Offer) -> bool:
    """True if everybody may take an offer as it is, players without a rating and house bots, too."""
    return not (offer.to or offer.manual or any(offer.ratings))


def by_days(offer: Offer) -> bool:
    """True if its game is one of correspondence, whose table waits for days."""
    return offer.settings.time is not None and offer.settings.time.by_days


def seek_for(offer: Offer, seeks: Iterable[Notice], apart: frozenset[str]) -> Notice | None:
    """The first of these, of players who wait for the game that is offered, whom its maker can play.

    None of those who are ``apart`` from it.
    """
    for notice in seeks:
        fitting = begins(notice.start, Start(offer.settings, offer.side)) and not notice.start.confirms
        if fitting and not same_name(notice.name, offer.by) and folded(notice.name) not in apart:
            return notice
    return None


def whole_settings(start: Start) -> Settings:
    """The settings that are offered, whole. Refused (BAD_OPTION): there is no such game, or it is not one of two."""
    said = start.settings
    if said is None:
        raise Refused(Why.BAD_OPTION, "an offer names its game")
    whole = registry.game(said.game).settings(said.variant, said.seats, said.start, dict(said.options) or None)
    if whole.seats != PLAYERS:
        raise Refused(Why.BAD_OPTION, f"an offer is for two players, not {whole.seats}")
    if start.side is not None and start.side not in range(PLAYERS):
        raise Refused(Why.BAD_OPTION, f"side {start.side}: the sides are 0 and 1")
    return replace(whole, time=said.time, rated=said.rated)


def called_to(offer: Offer, ticket: str, text: str) -> Called:
    """Leads a player to the table of an offer, where this ticket takes its seat."""
    return Called(Join(offer.settings.game, ticket=ticket, ready=False, kept=True), Start(), text, offer.number)


def led_to(offer: Offer, client: Speaker | None, ticket: str, text: str) -> Notification:
    """Lead a maker to the table of an offer; with words alone where it has a seat, or its ticket is not known here."""
    free = client is not None and client.table is None
    if ticket and free:
        return called_to(offer, ticket, text)
    return Answered((f"{text}: your seat is at table {offer.number}",), "offers")


def to_seek(offer: Offer, notice: Notice) -> Join:
    """Ask for the seat beside a player who waits, and for the same game."""
    return Join(
        offer.settings.game,
        offer.by,
        wishes=(("opponent", notice.name),),
        ready=False,
        settings=offer.settings,
        side=offer.side,
    )


def is_own_account(client: Speaker, name: str) -> bool:
    """True if the client has logged in to the account of this name."""
    return bool(client.account) and same_name(client.account, name)
