"""Whose tables wait, and whose games are left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gateway.config import Limits
from gateway.lobby.openers import Openers
from gateway.table.state import State, Status
from protocols.core.errors import Refused, Why
from protocols.core.model import Seat, SeatKind
from tests.table.tables import Conversation

HOME, OTHER = "192.0.2.1", "2001:db8:1:2::/64"
TWO = Limits(open_tables_per_address=2, left_games_per_address=2)


def table(number: int, *names: str) -> State:
    conversation = Conversation("tic_tac_toe")
    conversation.join(*names)
    return replace(conversation.state, table=number)


def left(state: State) -> State:
    """Everybody has lost the connection."""
    return replace(state, seats=tuple(Seat(seat.index, SeatKind.RESERVED, seat.name) for seat in state.seats))


def refused(openers: Openers, place: str) -> str:
    with pytest.raises(Refused) as refusal:
        openers.admit(place, TWO)
    assert refusal.value.why is Why.TOO_FAST
    return refusal.value.text


def test_an_address_opens_as_many_tables_as_may_wait_and_another_is_not_concerned() -> None:
    openers = Openers()
    for number in (1, 2):
        openers.admit(HOME, TWO)
        openers.opened(table(number, "anna"), HOME)
    assert refused(openers, HOME) == "2 tables opened from your address wait for players: play at one of them"
    openers.admit(OTHER, TWO)


@pytest.mark.parametrize("after", [table(1, "anna", "bert"), replace(table(1, "anna"), status=Status.CLOSED)])
def test_a_table_whose_game_begins_or_that_closes_waits_no_more(after: State) -> None:
    openers = Openers()
    openers.opened(table(1, "anna"), HOME)
    openers.opened(table(2, "carl"), HOME)
    openers.report(after)
    openers.admit(HOME, TWO)


@pytest.mark.parametrize("status", [Status.PLAYING, Status.ADJOURNED])
def test_games_that_everybody_has_left_are_counted_until_somebody_is_back_or_they_are_over(status: Status) -> None:
    openers = Openers()
    games = [replace(left(table(number, "anna", "bert")), status=status) for number in (1, 2)]
    for game in games:
        openers.opened(game, HOME)
    assert refused(openers, HOME) == "2 games begun from your address were left: finish one of them first"
    openers.report(table(1, "anna", "bert"))
    openers.admit(HOME, TWO)
    openers.report(games[0])
    refused(openers, HOME)
    openers.report(replace(games[0], status=Status.OVER))
    openers.admit(HOME, TWO)


def test_a_rematch_is_counted_like_the_first_game() -> None:
    openers = Openers()
    for number in (1, 2):
        openers.opened(table(number, "anna", "bert"), HOME)
        openers.report(replace(table(number, "anna", "bert"), status=Status.OVER))
        openers.report(left(table(number, "anna", "bert")))
    refused(openers, HOME)


def test_a_table_of_the_record_is_nobodys() -> None:
    openers = Openers()
    for number in (1, 2, 3):
        openers.report(table(number, "anna"))
    openers.admit(HOME, TWO)
