"""The lobby sends a player to a reserved seat, the oldest open table, or a new one."""

from __future__ import annotations

from dataclasses import replace as replace_wanted
from itertools import count

import pytest
from msgspec.structs import replace

from gateway.lobby.claims import ticket_digest
from gateway.lobby.join_options import JoinOptions
from gateway.lobby.lobby import OWN_TICKET, Destination, Lobby, news
from gateway.lobby.party import Party
from gateway.table.state import State, Status
from protocols.core.commands import Join, Leave, Propose
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.table.tables import Conversation

GAME = "tic_tac_toe"
SECRET = "a-secret-of-at-least-22-letters"
ADDRESS = "192.0.2.7"


def opened(number: int, *names: str, game: str = GAME, seats: int = 0, private: bool = False) -> State:
    """A table of that number where these people sit, in order."""
    table = Conversation(game, seats=seats, house=HouseRules(private=private))
    table.join(*names)
    return replace(table.state, table=number)


def wanting(state: State, *, alone: bool = False) -> JoinOptions:
    return JoinOptions(state.settings, state.house, alone)


def newcomer() -> Party:
    """A player who takes any game and is nobody else."""
    number = next(_numbers)
    return Party(number, f"newcomer{number}", firm=False)


_numbers = count(1)


def lobby_of(*states: State) -> Lobby:
    lobby = Lobby()
    for state in states:
        lobby.report(state, state)
    return lobby


def test_the_oldest_open_table_comes_first() -> None:
    lobby = lobby_of(opened(3, "anna"), opened(4, "bert"))
    wanted = wanting(opened(5))
    assert [lobby.room(wanted, newcomer()) for _ in range(3)] == [Destination(3), Destination(4), Destination(None)]


def test_a_table_is_filled_before_the_next_one() -> None:
    lobby = lobby_of(opened(1, "anna", game="ludo", seats=4), opened(2, game="ludo", seats=4))
    wanted = wanting(opened(9, game="ludo", seats=4))
    assert [lobby.room(wanted, newcomer()).table for _ in range(5)] == [1, 1, 1, 2, 2]


def test_only_a_table_of_the_same_settings_will_do() -> None:
    lobby = lobby_of(opened(1, "anna", game="ludo", seats=2))
    assert lobby.room(wanting(opened(9, game="ludo", seats=4)), newcomer()) == Destination(None)
    assert lobby.room(wanting(opened(9, game=GAME)), newcomer()) == Destination(None)


def test_a_private_table_is_not_found() -> None:
    private = opened(1, "anna", private=True)
    lobby = lobby_of(private)
    assert lobby.room(wanting(private), newcomer()) == Destination(None)
    assert not lobby.waiting.offers(1)


def test_who_wants_a_table_alone_gets_a_new_one() -> None:
    lobby = lobby_of(opened(1, "anna"))
    assert lobby.room(wanting(opened(9), alone=True), newcomer()) == Destination(None)
    assert lobby.room(wanting(opened(9)), newcomer()) == Destination(1)


def test_a_table_that_has_begun_is_not_open() -> None:
    lobby = lobby_of(opened(1, "anna"))
    assert lobby.waiting.offers(1)
    lobby.report(opened(1, "anna", "bert"), opened(1))
    assert not lobby.waiting.offers(1)
    assert lobby.room(wanting(opened(9)), newcomer()) == Destination(None)


def test_a_seat_that_nobody_took_after_all_is_offered_again() -> None:
    table = opened(1, "anna")
    lobby = lobby_of(table)
    comes, follows = newcomer(), newcomer()
    assert [lobby.room(wanting(table), one) for one in (comes, follows)] == [Destination(1), Destination(None)]
    assert lobby.waiting.arrived(1, comes)
    assert lobby.room(wanting(table), newcomer()) == Destination(1)


def test_a_ticket_leads_to_its_seat() -> None:
    lobby = lobby_of(opened(1, "anna"), opened(2, "bert"))
    lobby.issue(ticket_digest(SECRET), 2, 1)
    assert lobby.by_ticket(SECRET) == Destination(2, 1)


def test_a_ticket_of_the_record_leads_to_its_seat() -> None:
    lobby = lobby_of(opened(7, "anna"))
    lobby.restore([(ticket_digest(SECRET), 7, 0)])
    assert lobby.by_ticket(SECRET) == Destination(7, 0)


def test_no_ticket_and_a_secret_brought_along_lead_nowhere_yet() -> None:
    assert Lobby().by_ticket("") is None
    assert Lobby().by_ticket("x" * OWN_TICKET) is None


def test_an_unknown_short_ticket_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        Lobby().by_ticket("x" * (OWN_TICKET - 1))
    assert refused.value.why is Why.BAD_TICKET
    assert str(OWN_TICKET) in refused.value.text


def test_the_tickets_of_a_closed_table_are_forgotten() -> None:
    lobby = lobby_of(opened(1, "anna"), opened(2, "bert"))
    lobby.issue(ticket_digest(SECRET), 1, 0)
    lobby.issue(ticket_digest(SECRET[::-1]), 2, 0)
    lobby.left(opened(1, "anna"))
    assert lobby.by_ticket(SECRET) is None
    assert lobby.by_ticket(SECRET[::-1]) == Destination(2, 0)


def test_a_secret_that_was_taken_to_another_table_survives_the_first_ones_end() -> None:
    lobby = lobby_of(opened(1, "anna"), opened(2, "bert"))
    lobby.issue(ticket_digest(SECRET), 1, 0)
    lobby.issue(ticket_digest(SECRET), 2, 1)
    lobby.left(opened(1, "anna"))
    assert lobby.by_ticket(SECRET) == Destination(2, 1)


def test_a_revoked_ticket_leads_nowhere_and_the_other_seats_do() -> None:
    lobby = lobby_of(opened(1, "anna", "bert"))
    lobby.issue(ticket_digest(SECRET), 1, 0)
    lobby.issue(ticket_digest(SECRET[::-1]), 1, 1)
    lobby.revoke(1, 0)
    lobby.revoke(1, 0)
    assert lobby.by_ticket(SECRET) is None
    assert lobby.by_ticket(SECRET[::-1]) == Destination(1, 1)


def test_an_address_gets_back_the_seat_it_lost_last() -> None:
    lobby = Lobby()
    assert lobby.by_address(GAME, ADDRESS) is None
    lobby.lost(GAME, ADDRESS, 1, 0)
    lobby.lost(GAME, ADDRESS, 2, 1)
    assert lobby.by_address(GAME, ADDRESS) == Destination(2, 1)
    lobby.found(2, 1)
    assert lobby.by_address(GAME, ADDRESS) == Destination(1, 0)
    lobby.found(1, 0)
    assert lobby.by_address(GAME, ADDRESS) is None


def test_a_seat_that_is_lost_again_is_the_last_one() -> None:
    lobby = Lobby()
    lobby.lost(GAME, ADDRESS, 1, 0)
    lobby.lost(GAME, ADDRESS, 2, 1)
    lobby.lost(GAME, ADDRESS, 1, 0)
    assert lobby.by_address(GAME, ADDRESS) == Destination(1, 0)


def test_a_lost_seat_is_for_its_address_and_game_only() -> None:
    lobby = Lobby()
    lobby.lost(GAME, ADDRESS, 1, 0)
    assert lobby.by_address(GAME, "192.0.2.8") is None
    assert lobby.by_address("ludo", ADDRESS) is None


def test_the_lost_seats_of_a_closed_table_are_forgotten() -> None:
    lobby = lobby_of(opened(1, "anna", "bert"))
    lobby.lost(GAME, ADDRESS, 1, 0)
    lobby.left(opened(1, "anna", "bert"))
    assert lobby.by_address(GAME, ADDRESS) is None


def test_names_are_held_by_seats_and_free_when_they_are_left() -> None:
    table = Conversation(GAME)
    lobby = Lobby()
    table.ask(None, Join(GAME, "anna"))
    lobby.report(table.state, table.state)
    assert lobby.names.choose("anna") == "anna-2"
    lobby.report(table.state, table.state)  # a second time changes nothing
    table.ask(0, Leave())
    assert table.state.status is Status.CLOSED
    lobby.report(table.state, table.state)
    assert lobby.names.choose("anna") == "anna"


def test_a_table_whose_task_failed_holds_nothing_any_more() -> None:
    lobby = lobby_of(opened(1, "anna"))
    lobby.left(opened(1, "anna"))
    assert not lobby.waiting.offers(1)
    assert lobby.names.choose("anna") == "anna"


def test_settings_that_are_still_to_be_agreed_upon_fit_every_table_of_the_game() -> None:
    lobby = lobby_of(
        opened(2, "anna", game="ludo", seats=4), opened(3, "bert"), opened(4, "carl", game="ludo", seats=2)
    )
    wanted = replace_wanted(wanting(opened(9, game="ludo", seats=2)), any_settings=True)
    assert [lobby.room(wanted, newcomer()).table for _ in range(5)] == [2, 2, 2, 4, None]


def test_somebody_who_waits_can_be_chosen_by_name() -> None:
    lobby = lobby_of(opened(2, "anna"), opened(3, "bert"))
    assert lobby.room(replace_wanted(wanting(opened(9)), opponent="BERT"), newcomer()) == Destination(3)
    with pytest.raises(Refused) as error:
        lobby.room(replace_wanted(wanting(opened(9)), opponent="bert"), newcomer())
    assert error.value.why is Why.NOT_NOW, "his table is spoken for now"


def test_tickets_move_with_the_seats() -> None:
    lobby = lobby_of(opened(1, "anna", "bert"))
    lobby.issue(ticket_digest(SECRET), 1, 0)
    lobby.issue(ticket_digest(SECRET + "-bert"), 1, 1)
    lobby.turn(1, 1, 2)
    assert lobby.by_ticket(SECRET) == Destination(1, 1)
    assert lobby.by_ticket(SECRET + "-bert") == Destination(1, 0)


def test_seats_that_are_kept_for_a_name_can_be_found_and_no_others() -> None:
    table = Conversation(GAME)
    table.join("anna", "bert")
    before = replace(table.state, table=1)
    table.ask(0, Leave(lost=True))
    lobby = lobby_of(before, opened(2, "carl"))
    assert lobby.kept("anna") == []
    lobby.report(replace(table.state, table=1), before, ("", ""))
    assert lobby.kept("ANNA") == [(1, 0)]
    assert lobby.kept("bert") == lobby.kept("carl") == []
    lobby.left(replace(table.state, table=1))
    assert lobby.kept("anna") == []


def test_who_sits_where_can_be_told() -> None:
    lobby = lobby_of(opened(4, "anna", "bert"), opened(2, "carl"), opened(7, "anna"))
    assert lobby.people() == [(2, ("carl",)), (4, ("anna", "bert")), (7, ("anna",))]
    assert lobby.table_of("ANNA") == 7
    assert lobby.table_of("nobody") is None


def test_a_table_is_found_by_what_is_proposed_there() -> None:
    """Anna waits for any settings, and proposes ten minutes: a player who wishes for them comes to her."""
    table = Conversation(GAME)
    table.ask(None, Join(GAME, "anna", ready=False))
    timed = replace_wanted(table.state.settings, time=TimeControl(TimeKind.ABSOLUTE, 600.0))
    lobby = lobby_of(replace(table.state, table=4))
    wanted = JoinOptions(timed, table.state.house, False)
    assert lobby.room(wanted, newcomer()) == Destination(None)
    before = table.state
    table.ask(0, Propose(Start(timed)))
    assert news(before, table.state)
    lobby.report(replace(table.state, table=4), before)
    assert lobby.room(wanted, newcomer()) == Destination(4)
