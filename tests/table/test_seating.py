"""Sitting down, being away, coming back; bots in open seats; what becomes of seats whose players stay away."""

from __future__ import annotations

import pytest

from gateway.record.people import own_seat
from gateway.table import seating
from gateway.table.evolve import evolve
from gateway.table.state import Status, deadline
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Outcome, Reason, SeatKind
from protocols.core.proposals import Adjourn, Resume
from tests.table.tables import Conversation, kinds


def lost(table: Conversation, seat: int, now: float) -> list[ev.Event]:
    return table.ask(seat, cmd.Leave(lost=True), now)


def playing(**house: object) -> Conversation:
    table = Conversation(house=HouseRules(**house))  # type: ignore[arg-type]
    table.join("anna", "bert")
    return table


def test_a_full_table_has_no_seat() -> None:
    table = playing()
    with pytest.raises(Refused) as error:
        table.join("carl")
    assert error.value.why is Why.TABLE_FULL


def test_a_seat_left_before_the_start_is_open_again() -> None:
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert")
    assert lost(table, 0, 1.0) == [ev.SeatLeft(0, SeatKind.OPEN)]
    table.join("carl")
    assert [seat.name for seat in table.state.seats] == ["carl", "bert", ""]


def test_a_table_everybody_left_is_closed() -> None:
    table = Conversation()
    table.join("anna")
    assert lost(table, 0, 1.0) == [ev.SeatLeft(0, SeatKind.OPEN), ev.TableClosed()]
    assert table.state.status is Status.CLOSED


def test_a_lost_connection_keeps_its_seat_for_the_grace() -> None:
    table = playing(grace_s=60.0)
    assert lost(table, 1, 100.0) == [ev.SeatLeft(1, SeatKind.RESERVED, 160.0)]
    assert table.state.seats[1].name == "bert"
    assert deadline(table.state) == 160.0
    assert table.ask(1, cmd.Join("tic_tac_toe"), 150.0) == [ev.SeatTaken(1, SeatKind.PLAYER, "bert", 150.0)]
    assert deadline(table.state) is None


def test_coming_to_a_seat_one_holds_changes_nothing() -> None:
    table = playing()
    assert table.ask(1, cmd.Join("tic_tac_toe"), 1.0) == []


def test_after_the_grace_the_seat_loses() -> None:
    table = playing(grace_s=60.0, abandoned="loss")
    lost(table, 1, 100.0)
    assert table.wait(160.0) == [
        ev.SeatLeft(1, SeatKind.ABANDONED),
        ev.GameEnded(Outcome(0, Reason.ABANDONMENT)),
    ]


def test_after_the_grace_a_bot_takes_over_and_gives_the_seat_back() -> None:
    table = playing(grace_s=60.0, abandoned="bot")
    lost(table, 1, 100.0)
    assert table.wait(160.0) == [
        ev.SeatLeft(1, SeatKind.ABANDONED),
        ev.SeatTaken(1, SeatKind.BOT, "bot-2", 160.0),
    ]
    assert table.state.status is Status.PLAYING
    table.ask(1, cmd.Join("tic_tac_toe", "bert"), 200.0)
    assert table.state.seats[1].kind is SeatKind.PLAYER


def test_a_seat_that_a_bot_took_over_stays_its_players() -> None:
    """Until they come back, or another person sits there; also where all seats are exchanged for the next game."""
    table = playing(grace_s=60.0, abandoned="bot")
    lost(table, 1, 100.0)
    table.wait(160.0)
    assert [seat.owner for seat in table.state.seats] == ["anna", "bert"]
    assert [own_seat(name, table.said) for name in ("anna", "BERT", "bot-2")] == [0, 1, None]
    turned = evolve(table.state, ev.SeatsTurned(1))
    assert [seat.owner for seat in turned.seats] == ["bert", "anna"]
    assert own_seat("bert", [*table.said, ev.SeatsTurned(1)]) == 0
    table.ask(1, cmd.Join("tic_tac_toe", "carl"), 200.0)
    assert [seat.owner for seat in table.state.seats] == ["anna", "carl"]
    assert own_seat("bert", table.said) is None


def test_a_seat_that_was_left_before_the_game_is_nobodys_when_a_bot_takes_it() -> None:
    table = Conversation("ludo", seats=3, house=HouseRules(bot_after_s=10.0))
    table.join("anna", "bert")
    lost(table, 0, 1.0)
    table.wait(20.0)
    assert (table.state.seats[0].kind, table.state.seats[0].owner) == (SeatKind.BOT, "")
    assert (own_seat("anna", table.said), own_seat("bert", table.said)) == (None, 1)


def test_a_game_nobody_came_back_to_waits_and_goes_on_when_all_are_back() -> None:
    table = playing(grace_s=60.0)
    table.play(4)
    lost(table, 0, 100.0)
    lost(table, 1, 101.0)
    assert table.wait(160.0) == [ev.SeatLeft(0, SeatKind.RESERVED, 161.0)], "seat 1 is kept a second longer"
    assert kinds(table.wait(161.0))[-1] == "GameAdjourned"
    assert table.state.status is Status.ADJOURNED
    assert deadline(table.state) == 161.0 + 604_800.0
    assert kinds(table.ask(0, cmd.Join("tic_tac_toe"), 9000.0)) == ["SeatTaken", "Proposed"]
    events = table.ask(1, cmd.Join("tic_tac_toe"), 9001.0)
    assert kinds(events) == ["SeatTaken", "Proposed", "Agreed", "GameResumed", "TurnStarted"]
    assert table.state.turn == 1


def test_a_game_nobody_can_come_back_to_is_void() -> None:
    table = playing(grace_s=60.0)
    lost(table, 0, 100.0)
    lost(table, 1, 100.0)
    events = table.wait(160.0, kept=())
    assert events == [ev.GameEnded(Outcome(None, Reason.VOID, "nobody came back")), ev.TableClosed()]


def test_nobody_loses_a_grace_because_somebody_elses_is_over() -> None:
    table = playing(grace_s=60.0)
    lost(table, 0, 100.0)
    lost(table, 1, 130.0)
    assert table.wait(160.0, kept=()) == [ev.SeatLeft(0, SeatKind.RESERVED, 190.0)]
    table.ask(1, cmd.Join("tic_tac_toe"), 189.0)
    assert table.state.status is Status.PLAYING
    assert table.state.seats[1].kind is SeatKind.PLAYER


def test_a_seat_without_a_ticket_does_not_keep_the_others_waiting() -> None:
    table = playing(grace_s=60.0, abandoned="bot")
    lost(table, 0, 100.0)
    lost(table, 1, 100.0)
    assert kinds(table.wait(160.0, kept=(1,))) == ["SeatLeft", "SeatTaken", "SeatLeft", "GameAdjourned"]
    events = table.ask(1, cmd.Join("tic_tac_toe"), 200.0)
    assert kinds(events) == ["SeatTaken", "Proposed", "Agreed", "GameResumed", "TurnStarted"]


def test_where_bots_do_not_take_over_it_loses_to_those_who_can_come_back() -> None:
    table = playing(grace_s=60.0, abandoned="loss")
    lost(table, 0, 100.0)
    lost(table, 1, 100.0)
    events = table.wait(160.0, kept=(1,))
    assert ev.GameEnded(Outcome(1, Reason.ABANDONMENT)) in events
    assert table.state.status is Status.CLOSED


def test_an_adjourned_game_that_nobody_resumes_is_void_in_the_end() -> None:
    table = playing(grace_s=60.0, adjourned_s=1000.0)
    lost(table, 0, 100.0)
    lost(table, 1, 100.0)
    table.wait(160.0)
    assert table.wait(1159.0) == []
    assert kinds(table.wait(1160.0)) == ["GameEnded", "TableClosed"]


def test_a_game_adjourned_before_a_restart_waits_its_whole_time_again() -> None:
    table = playing(grace_s=60.0, adjourned_s=1000.0)
    lost(table, 0, 100.0)
    lost(table, 1, 100.0)
    table.wait(160.0)
    draft = seating.adopt(table.state, 7.0, 7.0)
    assert draft.events == [ev.GameAdjourned(1007.0)]


def wanted_on() -> Conversation:
    """Both have adjourned the game, and the first wants to go on."""
    table = playing(adjourned_s=1000.0)
    table.ask(0, cmd.Propose(Adjourn()), 10.0)
    table.ask(1, cmd.Propose(Adjourn()), 11.0)
    table.ask(0, cmd.Propose(Resume()), 12.0)
    return table


def test_who_wants_to_go_on_still_does_where_an_adjourned_table_changes_its_node() -> None:
    """An earlier version voided the proposal, and nobody was asked to repeat it."""
    table = wanted_on()
    draft = seating.adopt(table.state, 5.0, 5.0, here=None)
    assert draft.events == [ev.GameAdjourned(1005.0), ev.Proposed(0, Resume())]
    table.state = draft.state
    assert kinds(table.ask(1, cmd.Propose(Resume()), 13.0)) == ["Proposed", "Agreed", "GameResumed", "TurnStarted"]


def test_who_wanted_to_go_on_and_is_gone_does_not_when_another_process_has_the_table() -> None:
    assert seating.adopt(wanted_on().state, 5.0, 5.0).state.proposals == ()


def test_leaving_on_purpose_needs_no_grace() -> None:
    table = playing()
    events = table.ask(0, cmd.Leave(), 5.0)
    assert events == [ev.SeatLeft(0, SeatKind.ABANDONED), ev.GameEnded(Outcome(1, Reason.ABANDONMENT))]


def test_a_seat_that_was_lost_before_the_end_is_kept_no_longer_than_its_grace() -> None:
    table = playing(grace_s=60.0)
    lost(table, 1, 100.0)
    table.ask(0, cmd.Resign(), 110.0)
    assert deadline(table.state) == 160.0
    assert table.wait(160.0) == [ev.SeatLeft(1, SeatKind.OPEN)]
    assert deadline(table.state) is None
    assert kinds(lost(table, 0, 170.0)) == ["SeatLeft", "TableClosed"]


def test_after_the_game_the_last_one_closes_the_table() -> None:
    table = playing()
    table.ask(0, cmd.Resign())
    assert kinds(lost(table, 0, 1.0)) == ["SeatLeft"]
    assert kinds(lost(table, 1, 2.0)) == ["SeatLeft", "TableClosed"]


def test_open_seats_go_to_bots_when_they_are_due() -> None:
    table = Conversation("ludo", seats=4, house=HouseRules(bot_after_s=10.0))
    table.join("anna", now=100.0)
    table.join("bert", now=105.0)
    assert deadline(table.state) == 110.0
    assert table.wait(109.0) == []
    events = table.wait(110.0)
    assert kinds(events)[:5] == ["SeatTaken", "SeatTaken", "Agreed", "GameStarted", "DiceRolled"]
    assert [seat.kind for seat in table.state.seats] == [SeatKind.PLAYER, SeatKind.PLAYER, SeatKind.BOT, SeatKind.BOT]


def test_bots_sit_at_once_at_a_table_of_ones_own() -> None:
    table = Conversation(house=HouseRules(bot_after_s=0.0))
    assert kinds(table.join("anna")) == ["SeatTaken", "SeatTaken", "Proposed", "Agreed", "GameStarted", "TurnStarted"]


def test_no_bot_comes_to_a_table_that_nobody_sits_at() -> None:
    table = Conversation(house=HouseRules(bot_after_s=10.0))
    assert deadline(table.state) is None


def test_at_a_larger_table_the_others_play_on() -> None:
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "carl")
    loser = (table.state.turn or 0) + 1
    events = table.ask(loser % 3, cmd.Resign())
    assert isinstance(events[0], ev.SeatWithdrawn)
    assert table.state.status is Status.PLAYING
    other = next(seat for seat in range(3) if seat != loser % 3)
    events = table.ask(other, cmd.Resign())
    assert isinstance(events[-1], ev.GameEnded)
    assert events[-1].outcome.winner == 3 - other - loser % 3


def test_the_seat_to_move_that_gives_up_passes_the_turn_on() -> None:
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "carl")
    mover = table.state.turn
    assert mover is not None
    table.ask(mover, cmd.Resign())
    assert table.state.turn is not None
    assert table.state.turn != mover


def test_another_process_keeps_every_seat_of_a_running_game_for_the_grace() -> None:
    table = Conversation(time="60", house=HouseRules(grace_s=30.0))
    table.join("anna", "bert", now=1_000_000.0)
    table.play(4, now=1_000_010.0)
    draft = seating.adopt(table.state, 5.0, 5.0)
    assert draft.events[:2] == [ev.SeatLeft(0, SeatKind.RESERVED, 35.0), ev.SeatLeft(1, SeatKind.RESERVED, 35.0)]
    assert isinstance(draft.events[2], ev.ClockSet)
    assert [reading.main_s for reading in draft.events[2].clock.readings] == [50.0, 60.0]
    assert (draft.events[2].clock.running, draft.events[2].clock.since) == (1, 5.0)
    assert deadline(draft.state) == 35.0


def test_another_process_closes_tables_without_a_running_game() -> None:
    table = Conversation()
    table.join("anna")
    assert kinds(seating.adopt(table.state, 5.0, 5.0).events) == ["SeatLeft", "TableClosed"]


def against_a_bot(**house: object) -> Conversation:
    table = Conversation(house=HouseRules(bot_after_s=0.0, abandoned="bot", **house))  # type: ignore[arg-type]
    table.join("anna")
    assert [seat.kind for seat in table.state.seats] == [SeatKind.PLAYER, SeatKind.BOT]
    assert table.state.status is Status.PLAYING
    return table


def test_a_game_whose_last_person_leaves_is_adjourned_for_the_ticket() -> None:
    """House bots do not finish it alone: no event makes a second bot."""
    table = against_a_bot(adjourned_s=1000.0)
    (left,) = table.ask(0, cmd.Leave(), 5.0)
    assert left == ev.SeatLeft(0, SeatKind.RESERVED, 5.0 + seating.AT_ONCE_S)
    assert table.wait(6.0, kept=[0]) == [ev.SeatLeft(0, SeatKind.RESERVED), ev.GameAdjourned(1006.0)]
    assert deadline(table.state) == 1006.0
    table.ask(0, cmd.Join("tic_tac_toe"), 20.0)
    assert table.state.status is Status.PLAYING


def test_a_game_that_its_last_person_cannot_come_back_to_is_void() -> None:
    table = against_a_bot()
    table.ask(0, cmd.Leave(), 5.0)
    events = table.wait(6.0, kept=[])
    assert events[0] == ev.GameEnded(Outcome(None, Reason.VOID, "nobody came back"))
    assert events[-1] == ev.TableClosed()


def test_where_the_host_wants_it_the_last_person_who_leaves_has_lost() -> None:
    table = against_a_bot(deserted="loss")
    assert table.ask(0, cmd.Leave(), 5.0) == [
        ev.SeatLeft(0, SeatKind.ABANDONED),
        ev.GameEnded(Outcome(1, Reason.ABANDONMENT)),
        ev.TableClosed(),
    ]


def test_bots_of_a_larger_table_do_not_play_on_alone() -> None:
    table = Conversation("ludo", seats=4, house=HouseRules(bot_after_s=0.0, abandoned="bot", deserted="loss"))
    table.join("anna")
    events = table.ask(0, cmd.Leave(), 5.0)
    assert next(event for event in events if isinstance(event, ev.GameEnded)).outcome.winner is None
    assert table.state.status is Status.CLOSED


def test_a_bot_takes_a_seat_over_while_another_person_is_there_or_expected() -> None:
    table = playing(abandoned="bot")
    lost(table, 1, 1.0)
    table.ask(0, cmd.Leave(), 2.0)
    assert [seat.kind for seat in table.state.seats] == [SeatKind.BOT, SeatKind.RESERVED]
    table.ask(1, cmd.Join("tic_tac_toe"), 3.0)
    assert table.ask(1, cmd.Leave(), 4.0) == [ev.SeatLeft(1, SeatKind.RESERVED, 4.0 + seating.AT_ONCE_S)]


def test_a_game_of_bots_alone_ends_when_a_server_takes_it_over() -> None:
    """An earlier version let bots play on alone."""
    table = against_a_bot()
    for event in (ev.SeatLeft(0, SeatKind.ABANDONED), ev.SeatTaken(0, SeatKind.BOT, "bot-1")):
        table.state = evolve(table.state, event)
    draft = seating.adopt(table.state, 10.0, 10.0)
    assert kinds(draft.events) == ["GameEnded", "TableClosed"]
