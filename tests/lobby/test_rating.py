"""Rated games are between accounts, in every order of proposals."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from gateway.lobby import rating
from gateway.table.decide import decide, tick
from gateway.table.state import State, bots_due
from protocols.core.commands import Join, Leave, Propose
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Settings
from protocols.core.proposals import Draw, Rematch, Start
from tests.table.tables import Conversation

GAME = "tic_tac_toe"
RATED = Start(Settings(GAME, "standard", 3, 3, 2, rated=True))
UNRATED = Start(Settings(GAME, "standard", 3, 3, 2))
ANYTHING = Start()


def owned(name: str) -> bool:
    return name in ("anna", "bert")


def at_a_table(*names: str, house: HouseRules | None = None) -> Conversation:
    table = Conversation(GAME, house=house or HouseRules())
    for name in names:
        table.ask(None, Join(GAME, name, ready=False))
    return table


def refusal(state: State, seat: int | None, command: Propose | Join) -> str:
    """The words with which this step is refused; "" where it is allowed."""
    try:
        rating.check(decide(state, seat, command, 1.0), owned)
    except Refused as refused:
        return refused.text if refused.why is Why.NO_ACCOUNT else f"{refused.why}?"
    return ""


def test_a_guest_proposes_no_rated_game_and_an_account_does() -> None:
    table = at_a_table("anna", "guest-1")
    assert refusal(table.state, 0, Propose(RATED)) == ""
    assert refusal(table.state, 1, Propose(RATED)) == (
        "a rated game is between accounts, and guest-1 has none: play unrated, or log in"
    )
    assert refusal(table.state, 1, Propose(UNRATED)) == ""


@pytest.mark.parametrize(("first", "second"), [(RATED, ANYTHING), (ANYTHING, RATED)])
def test_a_rated_game_does_not_begin_with_a_guest_who_takes_any_game(first: Start, second: Start) -> None:
    for order in (("anna", "guest-1"), ("guest-1", "anna")):
        table = at_a_table(*order)
        account = order.index("anna")
        proposer = account if first is RATED else 1 - account
        table.ask(proposer, Propose(first))
        assert "guest-1 has none" in refusal(table.state, 1 - proposer, Propose(second))


def test_two_accounts_play_rated() -> None:
    table = at_a_table("anna", "bert")
    table.ask(0, Propose(RATED))
    assert refusal(table.state, 1, Propose(RATED)) == refusal(table.state, 1, Propose(ANYTHING)) == ""


def test_an_empty_seat_needs_no_account_for_a_rated_game_without_it() -> None:
    """Three have played rated, one has gone: the others play again."""
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "carl")
    settings = changed(table.state.settings, rated=True)
    for seat in range(3):
        table.ask(seat, Propose(Draw()))
    table.ask(2, Leave())
    table.ask(0, Propose(Start(settings)))
    assert refusal(table.state, 1, Propose(Start(settings))) == ""
    table.ask(1, Propose(Start(settings)))
    assert table.state.settings.rated


def test_a_guest_who_sits_down_ready_for_a_rated_game_gets_no_seat() -> None:
    joining = Join(GAME, "guest-1", settings=RATED.settings)
    assert "guest-1 has none" in refusal(at_a_table().state, None, joining)
    assert refusal(at_a_table().state, None, changed(joining, name="anna")) == ""


def test_the_next_game_after_a_rated_one_is_between_accounts_too() -> None:
    """A guest may have taken the seat of one who has left since."""
    table = at_a_table("anna", "bert")
    for seat in (0, 1):
        table.ask(seat, Propose(RATED))
    table.play(0, 1, 3, 4, 6)
    table.ask(0, Propose(Rematch()))
    assert refusal(table.state, 1, Propose(Rematch())) == ""
    seats = (table.state.seats[0], changed(table.state.seats[1], name="guest-1"))
    assert "guest-1 has none" in refusal(replace(table.state, seats=seats, proposals=()), 1, Propose(Rematch()))
    assert "guest-1 has none" in refusal(replace(table.state, seats=seats), 1, Propose(Rematch()))


def test_a_house_bot_that_sits_down_at_once_plays_rated_with_an_account_and_not_with_a_guest() -> None:
    table = at_a_table(house=HouseRules(bot_after_s=0.0, private=True))
    assert "guest-1 has none" in refusal(table.state, None, Join(GAME, "guest-1", settings=RATED.settings))
    joining = Join(GAME, "anna", settings=RATED.settings)
    assert refusal(table.state, None, joining) == ""
    table.ask(None, joining)
    assert (table.state.status, table.state.settings.rated) == ("playing", True)


def test_house_bots_take_no_seat_while_a_rated_game_is_proposed() -> None:
    table = at_a_table("anna", house=HouseRules(bot_after_s=5.0))
    assert bots_due(table.state) is not None
    table.ask(0, Propose(RATED))
    assert bots_due(table.state) is None
    assert tick(table.state, 1_000.0).events == []
    table.ask(0, Propose(UNRATED))
    assert bots_due(table.state) is not None
