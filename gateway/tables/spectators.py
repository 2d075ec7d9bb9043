"""Serves newcomers and spectators: what they are told beside the record, and spectators' words, which are not kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gateway.admission.table_limits import ChatLimits
from gateway.table import clock as clocks
from gateway.table.decide import one_line
from gateway.table.state import State
from gateway.tables.subscribers import EVERYBODY, OBSERVERS, PLAYERS, Observer, Subscribers, meant_for
from protocols.core.commands import Command, Say
from protocols.core.errors import Refused, Why
from protocols.core.events import ClockSet, Event, Said, TurnStarted, is_stored
from protocols.core.model import Clock
from protocols.core.notifications import Seated

NOT_NOW: Final = "the record cannot be read now, try again"


def seated(state: State, seat: int | None, record: Sequence[Event], now: float | None, ticket: str = "") -> Seated:
    """The news that a client has ``seat`` (None: looks on), with what it may hear of the whole ``record`` until now.

    ``now`` is for the turn or the clocks as they are; None: the game begins in this very step, and tells them.
    """
    seq, heard, unheard = 0, [], []
    for event in record:
        seq += is_stored(event)
        if type(event) is Said and not meant_for(event, seat):
            unheard.append(seq)
        else:
            heard.append(event)
    if now is not None:
        heard += present(state, now)
    return Seated(state.table, seat, tuple(heard), ticket, seq, tuple(unheard))


def present(state: State, now: float) -> tuple[TurnStarted | ClockSet, ...]:
    """Notifications to a newcomer beside the record: the turn where no clock runs, else the clocks."""
    control = state.settings.time
    if state.turn is None:
        return ()
    if state.clock is None or control is None:
        return (TurnStarted(state.turn),)
    if state.clock.running is None:
        return (TurnStarted(state.turn, state.clock),)
    return (ClockSet(Clock(clocks.shown(control, state.clock, now), state.clock.running, now)),)


def talk(followers: Subscribers, chat: ChatLimits, state: State, observer: Observer, command: Command) -> None:
    """Serve what a spectator says: spectators talk among themselves, and to players where the table allows it.

    Who speaks to players has a name that is nobody else's (Say.name), and hears that it was said.
    """
    subscriber, name = observer
    try:
        if not isinstance(command, Say) or not (command.to == OBSERVERS or state.house.observers_speak):
            raise Refused(Why.NOT_SEATED, "you look on; observers talk to observers only")
        chat.count(state.table, None, subscriber.address)
        to = command.to if command.to in (OBSERVERS, EVERYBODY) else PLAYERS
        said = Said(None, to, one_line(command.text), command.name or name)
        followers.tell([said])
        if to == PLAYERS:
            subscriber.tell([said])
    except Refused as refused:
        subscriber.refuse(refused)
