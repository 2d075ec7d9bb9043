"""Registered tables: seats kept for their players, what was registered is what is played, and no endless wait."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from gateway import registry
from gateway.lobby.registration import Registration, seats_for
from gateway.table import seating
from gateway.table.draft import Draft
from gateway.table.evolve import replay
from gateway.table.state import Status, waiting
from protocols.core.commands import Join, Leave, Propose
from protocols.core.errors import Refused, Why
from protocols.core.events import (
    Agreed,
    GameEnded,
    GameStarted,
    Proposed,
    Said,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableOpened,
)
from protocols.core.model import HouseRules, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.table.tables import SECRET, Conversation

WAITS_S = 1000.0
HOUSE = HouseRules(waits_s=WAITS_S)


def registered(*seats: str, game: str = "tic_tac_toe", house: HouseRules = HOUSE, **more: Any) -> Conversation:
    """A table that was just registered."""
    table = Conversation(game, house=house, **more)
    draft = Draft(waiting(table.state, WAITS_S))
    given = seats_for(Registration(table.state.settings, seats), registry.game(game), bots=True)
    seating.register(draft, given, 0.0)
    table.said, table.state = list(draft.events), draft.state
    return table


def kinds(table: Conversation) -> list[SeatKind]:
    return [seat.kind for seat in table.state.seats]


def test_seats_are_kept_for_their_players() -> None:
    table = registered("ann", "bob")
    assert kinds(table) == [SeatKind.RESERVED, SeatKind.RESERVED]
    with pytest.raises(Refused) as refusal:
        table.join("eve")
    assert refusal.value.why is Why.TABLE_FULL


def test_the_game_begins_when_the_last_of_them_has_come() -> None:
    table = registered("ann", "bob")
    assert table.ask(1, Join("tic_tac_toe")) == [
        SeatTaken(1, SeatKind.PLAYER, "bob"),
        *[event for event in table.said if type(event).__name__ == "Proposed"],
    ]
    assert table.state.status is Status.OPEN
    assert any(isinstance(event, GameStarted) for event in table.ask(0, Join("tic_tac_toe")))


def test_an_open_seat_is_anybodys_and_a_bot_sits_already() -> None:
    table = registered("ann", "open", "bot", game="ludo", seats=3)
    assert kinds(table) == [SeatKind.RESERVED, SeatKind.OPEN, SeatKind.BOT]
    table.join("eve")
    assert [seat.name for seat in table.state.seats] == ["ann", "eve", "bot-3"]
    assert any(isinstance(event, GameStarted) for event in table.ask(0, Join("ludo")))


def test_who_sits_down_bears_the_registered_name() -> None:
    table = registered("ann", "bob")
    table.ask(0, Join("tic_tac_toe", "somebody"))
    assert table.state.seats[0].name == "ann"


def test_who_goes_before_the_game_can_come_back() -> None:
    table = registered("ann", "bob")
    table.ask(0, Join("tic_tac_toe"))
    assert table.ask(0, Leave()) == [SeatLeft(0, SeatKind.RESERVED)]
    assert table.state.seats[0].name == "ann"
    assert table.state.status is Status.OPEN


def test_a_table_of_open_seats_outlasts_who_sat_there() -> None:
    table = registered("open", "open")
    table.join("eve")
    assert table.ask(0, Leave()) == [SeatLeft(0, SeatKind.OPEN)]
    assert table.state.status is Status.OPEN


def test_a_table_whose_game_does_not_begin_in_time_closes() -> None:
    table = registered("ann", "bob")
    table.ask(0, Join("tic_tac_toe"))
    assert table.wait(WAITS_S - 1) == []
    assert table.wait(WAITS_S) == [
        Said(None, "all", "the game did not begin in time: this table closes"),
        TableClosed(),
    ]


def test_a_game_that_has_begun_has_all_the_time_there_is() -> None:
    table = registered("ann", "bob")
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"))
    assert table.wait(2 * WAITS_S) == []


def test_another_game_than_the_registered_one_is_refused() -> None:
    table = registered("ann", "bob", game="hnefatafl", variant="tablut")
    table.ask(0, Join("hnefatafl", ready=False))
    other = table.state.game.settings("brandubh")
    with pytest.raises(Refused, match="this table is registered: Hnefatafl tablut 9x9") as refusal:
        table.ask(0, Propose(Start(other)))
    assert refusal.value.why is Why.BAD_OPTION


def test_the_other_seat_than_the_registered_one_is_refused() -> None:
    table = registered("ann", "bob")
    table.ask(0, Join("tic_tac_toe", ready=False))
    with pytest.raises(Refused, match="your seat is number 1, not 2"):
        table.ask(0, Propose(Start(side=1)))
    table.ask(0, Propose(Start(side=0)))


def test_the_registered_time_is_kept_whatever_a_program_names() -> None:
    table = registered("ann", "bob", time="60")
    minutes = replace(table.state.settings, time=TimeControl(TimeKind.ABSOLUTE, 300.0))
    table.ask(0, Join("tic_tac_toe", settings=minutes))
    events = table.ask(1, Join("tic_tac_toe", settings=replace(minutes, time=None)))
    assert Agreed(Start(table.first.settings)) in events
    assert {event.proposal for event in table.said if isinstance(event, Proposed)} == {Start(table.first.settings)}
    assert table.state.settings.time == TimeControl(TimeKind.ABSOLUTE, 60.0)


def test_a_restart_keeps_every_seat_of_a_table_that_waits() -> None:
    table = registered("ann", "bob")
    table.ask(0, Join("tic_tac_toe"))
    record = [TableOpened(table.first.settings, HOUSE), *table.said]
    again = replay(1, table.state.game, SECRET, record)
    draft = seating.adopt(again, 5000.0, 5000.0)
    assert [seat.name for seat in draft.state.seats] == ["ann", "bob"]
    assert {seat.kind for seat in draft.state.seats} == {SeatKind.RESERVED}
    assert draft.state.registered == ("ann", "bob")


def test_a_bot_that_took_an_abandoned_seat_gives_it_back_to_its_name() -> None:
    table = registered("ann", "bob", house=replace(HOUSE, abandoned="bot"))
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"))
    table.ask(1, Leave())
    table.wait(HOUSE.grace_s)
    assert table.state.seats[1].kind is SeatKind.BOT
    table.ask(1, Join("tic_tac_toe", "x"))
    assert table.state.seats[1].name == "bob"


def test_who_leaves_a_registered_game_on_purpose_may_still_come_back() -> None:
    """ "a game begun in XBoard is continued in a browser or over Bogaprot": XBoard says quit when it is closed."""
    table = registered("ann", "bob", house=replace(HOUSE, abandoned="loss"))
    for seat in (0, 1):
        table.ask(seat, Join("tic_tac_toe"))
    assert table.ask(0, Leave(), 5.0) == [SeatLeft(0, SeatKind.RESERVED, 5.0 + HOUSE.grace_s)]
    assert table.ask(0, Join("tic_tac_toe"), 10.0) == [SeatTaken(0, SeatKind.PLAYER, "ann", 10.0)]
    table.ask(0, Leave(), 20.0)
    assert any(isinstance(event, GameEnded) for event in table.wait(20.0 + HOUSE.grace_s))


def test_a_game_registered_by_an_older_program_is_played_by_the_rules_that_it_was_registered_with() -> None:
    """Its territory game has no word for ko: that meant superko then, and a new one would mean simple ko."""
    old = Settings("go", "territory", 9, 9, 2, options=(("size", "9"),))
    table = registered("ann", "bob", game="go", variant="territory", options={"size": "9"})
    table.state = structs.replace(table.state, settings=old)
    for seat in (0, 1):
        table.ask(seat, Join("go", ready=False))
    for seat in (0, 1):
        table.ask(seat, Propose(Start(old)))
    started = next(event for event in table.said if isinstance(event, GameStarted))
    assert started.settings == old
    assert table.state.position.rules.ko == "positional"
