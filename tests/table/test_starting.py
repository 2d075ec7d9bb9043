"""A game begins by agreement on settings, sides and seats; the next game begins at the same table."""

from __future__ import annotations

import hmac
import struct

import pytest

from gateway.table.evolve import replay
from gateway.table.state import State, Status
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Draw, Rematch, Start
from tests.table.tables import SECRET, Conversation, kinds

BLITZ = TimeControl(TimeKind.ABSOLUTE, 300.0)
BULLET = TimeControl(TimeKind.ABSOLUTE, 60.0)


def settings(time: TimeControl | None = None, start: str = "") -> Settings:
    """As a dialect writes them: sizes and seats are left to the game."""
    return Settings("tic_tac_toe", "", 0, 0, 0, time, start)


def seated() -> Conversation:
    """Anna and Bert sit at a table; nothing is proposed."""
    table = Conversation()
    for name in ("anna", "bert"):
        table.ask(None, cmd.Join("tic_tac_toe", name, ready=False))
    return table


def starts(table: Conversation, seat: int, *, side: int | None = None, time: TimeControl | None = None) -> list[str]:
    return kinds(table.ask(seat, cmd.Propose(Start(settings(time), side))))


def names(state: State) -> list[str]:
    return [seat.name for seat in state.seats]


def test_a_game_starts_when_both_want_the_same_settings_and_different_sides() -> None:
    table = seated()
    assert starts(table, 0, side=0, time=BLITZ) == ["Proposed"]
    assert starts(table, 1, side=1, time=BLITZ) == ["Proposed", "Agreed", "GameStarted", "ClockSet", "TurnStarted"]
    assert table.state.settings == Settings("tic_tac_toe", "standard", 3, 3, 2, BLITZ)
    assert names(table.state) == ["anna", "bert"]


def test_other_settings_are_a_counter_proposal() -> None:
    table = seated()
    starts(table, 0, time=BLITZ)
    assert starts(table, 1, time=BULLET) == ["Proposed"]
    assert table.state.status is Status.OPEN
    assert "GameStarted" in starts(table, 0, time=BULLET)
    assert table.state.settings.time == BULLET


def test_two_who_want_the_same_side_do_not_play() -> None:
    table = seated()
    starts(table, 0, side=0)
    assert starts(table, 1, side=0) == ["Proposed"]
    assert "GameStarted" in starts(table, 1, side=1)


def test_seats_are_exchanged_where_the_sides_need_it() -> None:
    table = seated()
    starts(table, 0, side=1)
    events = table.ask(1, cmd.Propose(Start(settings(), 0)))
    assert kinds(events) == ["Proposed", "Agreed", "SeatsTurned", "GameStarted", "TurnStarted"]
    assert events[2] == ev.SeatsTurned(1)
    assert names(table.state) == ["bert", "anna"]
    assert [seat.index for seat in table.state.seats] == [0, 1]
    table.ask(0, cmd.PlayMove(text="b2"))


def test_any_side_goes_with_every_side() -> None:
    for first, second, turned in [(None, None, False), (None, 1, False), (None, 0, True), (1, None, True)]:
        table = seated()
        starts(table, 0, side=first)
        assert ("SeatsTurned" in starts(table, 1, side=second)) is turned


def test_who_is_ready_for_anything_takes_what_the_other_proposes() -> None:
    table = Conversation()
    table.join("anna")
    table.ask(None, cmd.Join("tic_tac_toe", "bert", ready=False))
    assert "GameStarted" in starts(table, 1, side=0, time=BLITZ)
    assert table.state.settings.time == BLITZ
    assert names(table.state) == ["bert", "anna"]


def test_who_came_with_wishes_of_its_own_does_not_take_others() -> None:
    table = Conversation()
    table.ask(None, cmd.Join("tic_tac_toe", "anna", settings=table.state.settings))
    table.ask(None, cmd.Join("tic_tac_toe", "bert", ready=False))
    assert starts(table, 1, time=BLITZ) == ["Proposed"]


def test_who_confirms_begins_no_game_until_it_has_confirmed() -> None:
    """With players and with house bots."""
    table = seated()
    seeks = cmd.Propose(Start(settings(BLITZ), confirms=True))
    table.ask(0, seeks)
    assert starts(table, 1, time=BLITZ) == ["Proposed"]
    assert "GameStarted" in starts(table, 0, time=BLITZ)
    alone = Conversation(house=HouseRules(bot_after_s=5.0))
    alone.ask(None, cmd.Join("tic_tac_toe", "anna", ready=False))
    alone.ask(0, seeks)
    assert kinds(alone.wait(5.0)) == ["SeatTaken"]
    assert "GameStarted" in starts(alone, 0, time=BLITZ)


def test_house_bots_take_any_settings_and_any_side() -> None:
    table = Conversation(house=HouseRules(bot_after_s=5.0))
    table.ask(None, cmd.Join("tic_tac_toe", "anna", ready=False))
    assert kinds(table.wait(5.0)) == ["SeatTaken"]
    assert "GameStarted" in starts(table, 0, side=1, time=BULLET)
    assert names(table.state) == ["bot-2", "anna"]


def test_a_set_up_position_that_is_the_usual_one_is_none() -> None:
    table = seated()
    table.ask(0, cmd.Propose(Start(settings(start=".../.../... 0"))))
    assert "GameStarted" in kinds(table.ask(1, cmd.Propose(Start(settings()))))
    assert table.state.settings.start == ""


def test_what_the_game_does_not_have_is_refused() -> None:
    table = seated()
    for asked, why in [
        (Start(Settings("tic_tac_toe", "giant", 0, 0, 0)), Why.BAD_OPTION),
        (Start(Settings("ludo", "", 0, 0, 0)), Why.BAD_OPTION),
        (Start(settings(start="nonsense")), Why.BAD_OPTION),
        (Start(settings(), side=2), Why.BAD_OPTION),
    ]:
        with pytest.raises(Refused) as error:
            table.ask(0, cmd.Propose(asked))
        assert error.value.why is why


def test_the_next_game_at_a_table_may_have_other_settings() -> None:
    table = seated()
    starts(table, 0)
    starts(table, 1)
    table.ask(1, cmd.Resign())
    starts(table, 0, side=1, time=BLITZ)
    assert "GameStarted" in starts(table, 1, side=0, time=BLITZ)
    assert table.state.games == 2
    assert names(table.state) == ["bert", "anna"]


def test_a_rematch_keeps_the_settings_and_exchanges_the_sides() -> None:
    table = seated()
    starts(table, 0, time=BLITZ)
    starts(table, 1, time=BLITZ)
    table.ask(0, cmd.Resign())
    table.ask(0, cmd.Propose(Rematch()))
    again = kinds(table.ask(1, cmd.Propose(Rematch())))
    assert again == ["Proposed", "Agreed", "SeatsTurned", "GameStarted", "ClockSet", "TurnStarted"]
    assert table.state.settings.time == BLITZ
    assert names(table.state) == ["bert", "anna"]


def test_a_rematch_against_a_house_bot_exchanges_the_sides_too() -> None:
    table = Conversation(house=HouseRules(bot_after_s=5.0))
    table.join("anna")
    table.wait(5.0)
    assert table.state.seats[1].kind is SeatKind.BOT
    table.ask(0, cmd.Resign())
    table.ask(0, cmd.Propose(Rematch()))
    assert [seat.kind for seat in table.state.seats] == [SeatKind.BOT, SeatKind.PLAYER]
    assert table.state.turn == 0


def test_the_sides_of_a_handicap_are_kept_in_a_rematch() -> None:
    """The stones make up for who plays Black."""
    for options, first in (({"handicap": "2"}, "anna"), ({}, "bert")):
        table = Conversation("go", options=options)
        table.join("anna", "bert")
        table.ask(0, cmd.Resign())
        table.ask(0, cmd.Propose(Rematch()))
        table.ask(1, cmd.Propose(Rematch()))
        assert names(table.state)[0] == first, options


def test_more_than_two_draw_their_seats_with_the_secret_of_the_dice() -> None:
    """The draw is told before the game, with each seat's next player, also where all keep theirs."""
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "carl")
    drawn = []
    for number in range(2, 5):
        for proposal in (Draw(), Rematch()):
            for seat in range(3):
                events = table.ask(seat, cmd.Propose(proposal))
        (turned,) = (event for event in events if isinstance(event, ev.SeatsTurned))
        secret = hmac.digest(SECRET, b"game %d" % number, "sha256")
        (word,) = struct.unpack(">I", hmac.digest(secret, b"seats", "sha256")[:4])
        assert turned.by == word % 3
        drawn.append(turned.by)
    assert drawn == [0, 1, 1]
    assert names(table.state) == ["bert", "carl", "anna"]


def test_replay_exchanges_the_seats_too() -> None:
    table = seated()
    starts(table, 0, side=1)
    starts(table, 1, side=0)
    opened = ev.TableOpened(table.first.settings, table.first.house)
    again = replay(table.state.table, table.state.game, SECRET, [opened, *table.said])
    assert names(again) == ["bert", "anna"]
    assert again == table.state
