"""Table quotas count an address's waiting tables and the games that it left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gateway.config import Limits
from gateway.lobby.table_quotas import TableQuotas
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
    """All players have lost their connections."""
    return replace(state, seats=tuple(Seat(seat.index, SeatKind.RESERVED, seat.name) for seat in state.seats))


def refused(table_quotas: TableQuotas, address: str) -> str:
    with pytest.raises(Refused) as refusal:
        table_quotas.admit(address, TWO)
    assert refusal.value.why is Why.TOO_FAST
    return refusal.value.text


def test_an_address_opens_as_many_tables_as_may_wait_and_another_is_not_concerned() -> None:
    table_quotas = TableQuotas()
    for number in (1, 2):
        table_quotas.admit(HOME, TWO)
        table_quotas.opened(table(number, "anna"), HOME)
    assert refused(table_quotas, HOME) == "2 tables opened from your address wait for players: play at one of them"
    table_quotas.admit(OTHER, TWO)


@pytest.mark.parametrize("after", [table(1, "anna", "bert"), replace(table(1, "anna"), status=Status.CLOSED)])
def test_a_table_whose_game_begins_or_that_closes_waits_no_more(after: State) -> None:
    table_quotas = TableQuotas()
    table_quotas.opened(table(1, "anna"), HOME)
    table_quotas.opened(table(2, "carl"), HOME)
    table_quotas.report(after)
    table_quotas.admit(HOME, TWO)


@pytest.mark.parametrize("status", [Status.PLAYING, Status.ADJOURNED])
def test_games_that_everybody_has_left_are_counted_until_somebody_is_back_or_they_are_over(status: Status) -> None:
    table_quotas = TableQuotas()
    games = [replace(left(table(number, "anna", "bert")), status=status) for number in (1, 2)]
    for game in games:
        table_quotas.opened(game, HOME)
    assert refused(table_quotas, HOME) == "2 games begun from your address were left: finish one of them first"
    table_quotas.report(table(1, "anna", "bert"))
    table_quotas.admit(HOME, TWO)
    table_quotas.report(games[0])
    refused(table_quotas, HOME)
    table_quotas.report(replace(games[0], status=Status.OVER))
    table_quotas.admit(HOME, TWO)


def test_a_rematch_is_counted_like_the_first_game() -> None:
    table_quotas = TableQuotas()
    for number in (1, 2):
        table_quotas.opened(table(number, "anna", "bert"), HOME)
        table_quotas.report(replace(table(number, "anna", "bert"), status=Status.OVER))
        table_quotas.report(left(table(number, "anna", "bert")))
    refused(table_quotas, HOME)


def test_a_table_of_the_record_is_nobodys() -> None:
    table_quotas = TableQuotas()
    for number in (1, 2, 3):
        table_quotas.report(table(number, "anna"))
    table_quotas.admit(HOME, TWO)
