"""Places are given at a table of more than two: the winner, those who played to the end, those who gave up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gateway.store import codec
from gateway.table.seating import end_by_host
from gateway.table.turn_flow import places
from protocols.core.commands import Leave, PlayMove, Propose, Resign
from protocols.core.events import GameEnded
from protocols.core.model import HouseRules, Outcome, Reason
from protocols.core.proposals import Draw, Rematch
from tests.table.tables import Conversation

NAMES = ("anna", "bert", "carl", "dora")


def table_of(seats: int) -> Conversation:
    table = Conversation("ludo", seats=seats, house=HouseRules(abandoned="loss"))
    table.join(*NAMES[:seats])
    return table


def found(table: Conversation) -> tuple[int, ...]:
    assert table.state.outcome is not None
    return table.state.outcome.places


def test_the_last_to_give_up_comes_first_among_those_who_did() -> None:
    table = table_of(4)
    for seat in (2, 0, 3):
        table.ask(seat, Resign())
    assert found(table) == (3, 1, 4, 2)


def test_those_who_play_to_the_end_share_the_place_behind_the_winner() -> None:
    table = table_of(4)
    table.ask(1, Resign())
    while table.state.turn is not None:
        table.ask(table.state.turn, PlayMove(table.state.game.legal_moves(table.state.position)[0]))
    winner = table.state.outcome.winner if table.state.outcome is not None else None
    assert winner in (0, 2, 3)
    assert found(table) == tuple(1 if seat == winner else 4 if seat == 1 else 2 for seat in range(4))


def test_those_who_agree_on_a_draw_share_the_first_place() -> None:
    table = table_of(3)
    table.ask(2, Resign())
    for seat in (0, 1):
        table.ask(seat, Propose(Draw()))
    assert found(table) == (1, 1, 3)


def test_a_seat_that_nobody_had_has_no_place() -> None:
    table = table_of(3)
    for seat in range(3):
        table.ask(seat, Propose(Draw()))
    table.ask(2, Leave())
    for seat in (0, 1):
        table.ask(seat, Propose(Rematch()))
    gone = table.state.absent
    assert len(gone) == 1
    stayed = [seat for seat in range(3) if seat not in gone]
    table.ask(stayed[0], Resign())
    assert [found(table)[seat] for seat in (*gone, *stayed)] == [0, 2, 1]


def test_two_players_and_a_void_game_have_no_places() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.play(0, 1, 3, 4, 6)
    assert found(table) == ()
    three = table_of(3)
    outcome = next(event.outcome for event in end_by_host(three.state, 0.0, "").events if isinstance(event, GameEnded))
    assert (outcome.reason, outcome.places) == (Reason.VOID, ())


@pytest.mark.parametrize("known", [(), (1, 2, 3)])
def test_places_are_in_the_record_where_there_are_any(known: tuple[int, ...]) -> None:
    """Records of before are read as they were, and their events written the same."""
    event = GameEnded(Outcome(0, Reason.RULES, "goal", known), "ff")
    kind, body = codec.encode(event)
    assert codec.decode(kind, body) == event
    end = ',"places":[1,2,3]' if known else ""
    assert body == '{"outcome":{"winner":0,"reason":"rules","detail":"goal"' + end + '},"secret":"ff"}'


def test_whoever_won_by_the_others_giving_up_is_first_though_their_number_is_higher() -> None:
    state = replace(table_of(3).state, withdrawn=(0, 1))
    assert places(state, Outcome(2, Reason.RESIGNATION)) == (3, 2, 1)
