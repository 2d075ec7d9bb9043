"""What a peer-to-peer client offers and answers beside the document: in ``text``, and with words of ours.

Not here: Remove and Result, which are the document's own (play.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import words
from protocols.chess_p2p.messages import Message
from protocols.chess_p2p.talk import LONGEST_TEXT, Entry, Mode, Talk
from protocols.core.commands import Command, Decline, Join, Leave, Propose, Say
from protocols.core.followed import Status
from protocols.core.proposals import Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback

_MEANT: Final[Mapping[type, Callable[[Any], Proposal]]] = {
    p2p.Draw: lambda said: Draw(),
    p2p.Adjourn: lambda said: Adjourn(),
    p2p.Resume: lambda said: Resume(),
    p2p.Rematch: lambda said: Rematch(),
    p2p.Takeback: lambda said: Takeback(said.plies),
}
"""The proposals that have a word of their own beside the document."""


def said(talk: Talk, message: p2p.Text) -> list[Command]:
    """Text is for the opponent, but for the answer to an offer while there is one, and for a ticket."""
    word, _, ticket = message.text.strip().partition(" ")
    if word == words.SEAT:
        return _seat(talk, ticket.strip())
    answer = message.text.strip().lower().rstrip("!.")
    if answer in words.YES and talk.table.offers():
        return accept(talk, message)
    if answer in words.NO and talk.table.offers():
        return decline(talk, message)
    pieces = range(0, len(message.text), LONGEST_TEXT)
    return [Say("players", text) for at in pieces if (text := message.text[at : at + LONGEST_TEXT].strip())]


def _seat(talk: Talk, ticket: str) -> list[Command]:
    """Another seat than the one its program took for it as soon as it was there. Not out of a game."""
    if talk.table.status in (Status.PLAYING, Status.ADJOURNED) or not ticket:
        talk.text(f"{words.SEAT} and a ticket take another seat, while you have no game here")
        return []
    talk.mode, talk.by_ticket = Mode.SETUP, True
    return [Leave(), Join(talk.game, talk.name, ticket, ready=False)]


def propose(talk: Talk, message: Message) -> list[Command]:
    """A word that offers something, or agrees to the same offer of the other seat."""
    return [Propose(_MEANT[type(message)](message))]


def accept(talk: Talk, message: Message) -> list[Command]:
    """Agree to what the other seat offered last."""
    offers = talk.table.offers()
    if not offers:
        talk.text("there is no offer to accept")
        return []
    offered = offers[-1].proposal
    if not isinstance(offered, Start):
        return [Propose(offered)]
    side = None if offered.side is None else 1 - offered.side
    talk.entry, talk.base, talk.mode = Entry.BRING, None, Mode.PROPOSED
    return [Propose(Start(offered.settings, side))]


def decline(talk: Talk, message: Message) -> list[Command]:
    """Refuse what the other seat offered last."""
    offers = talk.table.offers()
    if not offers:
        talk.text("there is no offer to decline")
        return []
    return [Decline(type(offers[-1].proposal).__name__)]
