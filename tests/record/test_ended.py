"""A result says who played, their places, how it began, and the reasons for which it does not count.

The ways by which games of a real server end are in tests/store/test_results_of_games.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from gateway.record.ended import LEAST_MOVES, result
from gateway.store.records import Player, Result
from gateway.table.decide import decide
from protocols.core.commands import Join, Leave, PlayMove, Propose, Resign
from protocols.core.events import GameEnded
from protocols.core.model import HouseRules, Outcome, Reason, SeatKind
from protocols.core.proposals import Draw, Start
from tests.table.tables import Conversation

BOT = "house 1 level 2"
EACH_TWICE = (0, 3, 1, 4)


def rated(*names: str, game: str = "tic_tac_toe", house: HouseRules | None = None, **more: Any) -> Conversation:
    """A rated game of these players has begun."""
    table = Conversation(game, house=house, **more)
    settings = replace(table.state.settings, rated=True)
    for name in names:
        table.ask(None, Join(game, name, settings=settings))
    return table


def resigned(
    table: Conversation, seat: int, *, guests: tuple[str, ...] = (), house_bot: str = BOT, **more: Mapping[int, str]
) -> Result:
    """The result when ``seat`` gives up; all players but ``guests`` are accounts."""
    draft = decide(table.state, seat, Resign(), 0.0)
    assert draft.ended is not None
    (outcome,) = (event.outcome for event in draft.events if isinstance(event, GameEnded))
    return result(draft.ended, outcome, is_account=lambda name: name not in guests, house_bot=house_bot, **more)


def test_a_game_of_two_accounts_counts() -> None:
    table = rated("Anna", "bert")
    table.play(*EACH_TWICE)
    found = resigned(table, 0)
    assert (found.why, found.places) == ("", (2, 1))
    assert found.players == (Player("Anna", "anna"), Player("bert", "bert"))


def test_one_account_on_both_sides_does_not_count() -> None:
    table = rated("anna", "Anna")
    table.play(*EACH_TWICE)
    assert resigned(table, 0).why == "one account"


def test_a_player_whose_account_is_gone_does_not_count() -> None:
    table = rated("anna", "bert")
    table.play(*EACH_TWICE)
    found = resigned(table, 0, guests=("bert",))
    assert (found.why, found.players[1]) == ("no account", Player("bert"))


def test_an_engine_without_a_version_does_not_count() -> None:
    table = rated("anna", house=HouseRules(bot_after_s=0.0))
    table.play(*EACH_TWICE)
    assert resigned(table, 0, house_bot="").why == "unknown engine"
    assert resigned(table, 0).why == ""
    assert resigned(table, 0).players[1] == Player("bot-2", "", BOT)


def test_one_engine_on_two_sides_does_not_count() -> None:
    table = rated("anna", game="ludo", seats=3, house=HouseRules(bot_after_s=0.0))
    moved = dict.fromkeys(range(3), 0)
    while min(moved.values()) < LEAST_MOVES:
        turn = table.state.turn
        assert turn is not None
        moved[turn] += 1
        table.ask(turn, PlayMove(table.state.game.legal_moves(table.state.position)[0]))
    for seat in (1, 2):
        assert table.state.seats[seat].kind is SeatKind.BOT
    draw = Outcome(None, Reason.AGREEMENT)
    assert result(table.state, draw, is_account=bool, house_bot=BOT).why == "one engine"


def test_a_house_bot_that_took_a_seat_of_a_record_from_before_spoils_the_game() -> None:
    """An older version let it play a rated game on."""
    table = rated("anna", "bert")
    table.play(*EACH_TWICE)
    table.state = structs.replace(table.state, spoiled="bot")
    assert resigned(table, 0).why == "bot"


@pytest.mark.parametrize(
    ("addresses", "related"),
    [
        ({0: "192.0.2.1", 1: "192.0.2.1"}, True),
        ({0: "192.0.2.1", 1: "192.0.2.2"}, False),
        ({0: "", 1: ""}, False),
        ({}, False),
    ],
)
def test_accounts_from_one_address_are_related(addresses: dict[int, str], related: bool) -> None:
    table = rated("anna", "bert")
    table.play(*EACH_TWICE)
    assert resigned(table, 0, addresses=addresses).related is related
    assert not resigned(table, 0, guests=("bert",), addresses=addresses).related


def test_players_of_a_private_table_are_related() -> None:
    table = rated("anna", "bert", house=HouseRules(private=True))
    table.play(*EACH_TWICE)
    assert resigned(table, 0).related


def test_games_that_begin_alike_have_one_opening_and_others_another() -> None:
    openings = []
    for moves in (EACH_TWICE, EACH_TWICE, (0, 3, 1, 5)):
        table = rated("anna", "bert")
        table.play(*moves)
        openings.append(resigned(table, 0).opening)
    assert openings[0] == openings[1] != openings[2]


def test_all_but_the_winner_share_the_second_place_in_a_record_from_before() -> None:
    table = rated("anna", "bert", "carl", "dora", game="ludo", seats=4)
    for seat in (1, 3):
        table.ask(seat, Resign())
    draft = decide(table.state, 0, Resign(), 0.0)
    assert draft.ended is not None
    (outcome,) = (event.outcome for event in draft.events if isinstance(event, GameEnded))
    assert result(draft.ended, outcome, is_account=bool).places == (2, 4, 1, 3)
    before = structs.replace(outcome, places=())
    assert result(draft.ended, before, is_account=bool).places == (2, 2, 1, 2)


def test_a_seat_that_nobody_had_has_no_player_and_no_place() -> None:
    table = rated("anna", "bert", "carl", game="ludo", seats=3)
    for seat in range(3):
        table.ask(seat, Propose(Draw()))
    table.ask(2, Leave())
    for seat in (0, 1):
        table.ask(seat, Propose(Start(table.state.settings)))
    found = resigned(table, 0)
    assert (found.number, found.places) == (2, (2, 1, 0))
    assert found.players == (Player("anna", "anna"), Player("bert", "bert"), Player(""))
