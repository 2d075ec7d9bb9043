"""Games as they are found in a record that a table's own kernel wrote."""

from __future__ import annotations

from dataclasses import replace

from gateway import registry
from gateway.games.base import Claim, Played
from gateway.record.played import games
from gateway.store.records import StoredEvent
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import Clock, Move, Outcome, Reading, Reason, SeatKind, TimeControl, TimeKind
from protocols.core.proposals import Rematch, Score, Takeback
from tests.store.games import Played as Table

SITE = "Boardgate"


def found(events: list[ev.Event]) -> list[Played]:
    """The games of a record whose events are a second apart."""
    (opened, *_) = events
    assert isinstance(opened, ev.TableOpened)
    game = registry.game(opened.settings.game)
    return list(
        games(game, 12, SITE, (StoredEvent(seq, float(seq), event, b"") for seq, event in enumerate(events, 1)))
    )


def written(game: Played) -> list[tuple[int, str]]:
    return [(made.seat, made.notation) for made in game.moves]


def test_every_game_of_a_table_is_found_with_its_players_moves_and_end() -> None:
    table = Table("tic_tac_toe")
    table.play("a1", "b1", "a2", "b2", "a3")
    table.agree(Rematch())
    table.play("b2")
    first, second = found(table.events)
    assert (first.table, first.site, first.names) == (12, SITE, ("player0", "player1"))
    assert written(first) == [(0, "a1"), (1, "b1"), (0, "a2"), (1, "b2"), (0, "a3")]
    assert first.outcome == Outcome(0, Reason.RULES, "three in a row")
    assert (first.number, second.number, second.outcome) == (1, 2, None)
    assert written(second) == [(0, "b2")]
    began = [seq for seq, event in enumerate(table.events, 1) if isinstance(event, ev.GameStarted)]
    assert [first.begun, second.begun] == began


def test_before_the_first_game_there_is_none() -> None:
    table = Table("tic_tac_toe")
    assert found(table.events[:3]) == []


def test_moves_that_were_taken_back_are_not_among_the_moves() -> None:
    table = Table("tic_tac_toe")
    table.play("a1", "b1", "a2")
    table.agree(Takeback(2))
    table.play("c3")
    (game,) = found(table.events)
    assert written(game) == [(0, "a1"), (1, "c3")]


def test_who_takes_a_seat_over_finishes_the_game_for_the_player_who_began_it() -> None:
    table = Table("tic_tac_toe")
    taken = ev.SeatTaken(1, SeatKind.BOT, "house bot")
    table.play("a1")
    (game,) = found([*table.events, taken])
    assert game.names == ("player0", "player1")


def test_seats_that_were_turned_have_their_new_names() -> None:
    table = Table("ludo", seats=4)
    at = next(seq for seq, event in enumerate(table.events) if isinstance(event, ev.GameStarted))
    (game,) = found([*table.events[:at], ev.SeatsTurned(1), *table.events[at:]])
    assert game.names == ("player3", "player0", "player1", "player2")


def test_each_move_has_what_its_seats_clock_showed_when_it_stood_again() -> None:
    table = Table("tic_tac_toe")
    settings = replace(table.settings, time=TimeControl(TimeKind.FISCHER, 60.0, 5.0))
    move = ev.MoveMade(0, Move(None, 6, "x"), 1, "a1", (), "")
    record: list[ev.Event] = [
        *(replace(event, settings=settings) if isinstance(event, ev.GameStarted) else event for event in table.events),
        ev.ClockSet(_clock(60.0, 60.0)),
        move,
        ev.TurnStarted(1, _clock(63.5, 60.0)),
        replace(move, seat=1, notation="b1"),
        ev.ClockSet(_clock(63.5, 41.0)),
        ev.ClockSet(_clock(63.5, 12.0)),
    ]
    (game,) = found(record)
    assert [made.clock_s for made in game.moves] == [63.5, 41.0]


def test_in_overtime_a_move_has_what_is_left_of_its_period_and_for_how_many_turns_or_periods() -> None:
    table = Table("tic_tac_toe")
    move = ev.MoveMade(0, Move(None, 6, "x"), 1, "a1", (), "")
    late = Clock((Reading(0.0, 12.5, moves=4), Reading(3.0, 30.0, moves=5)), None, 0.0)
    byoyomi = Clock((Reading(0.0, 30.0, periods=2), Reading(3.0, 30.0, periods=5)), None, 0.0)
    for kind, clock, shown in ((TimeKind.CANADIAN, late, (12.5, 4)), (TimeKind.BYOYOMI, byoyomi, (30.0, 2))):
        settings = replace(table.settings, time=TimeControl(kind, 60.0, moves=5, period_s=30.0, periods=5))
        begun = (
            replace(made, settings=settings) if isinstance(made, ev.GameStarted) else made for made in table.events
        )
        (game,) = found([*begun, move, ev.TurnStarted(1, clock), replace(move, seat=1), ev.ClockSet(clock)])
        assert [(made.clock_s, made.overtime) for made in game.moves] == [shown, (3.0, 0)]


def test_where_nobody_keeps_time_no_clock_is_shown() -> None:
    table = Table("tic_tac_toe")
    table.play("a1")
    assert [made.clock_s for made in found(table.events)[0].moves] == [None]


def test_a_resignation_is_the_end_of_a_game() -> None:
    table = Table("tic_tac_toe")
    table.play("a1")
    table.does(1, cmd.Resign())
    assert found(table.events)[0].outcome == Outcome(0, Reason.RESIGNATION)


def _clock(first_s: float, second_s: float) -> Clock:
    return Clock((Reading(first_s), Reading(second_s)), None, 0.0)


def test_what_was_claimed_as_dead_and_what_was_agreed_stand_in_the_game() -> None:
    table = Table("go")
    table.play("d4", "q16", "pass", "pass")
    claimed: list[ev.Event] = [ev.Proposed(0, Score((300,))), ev.Proposed(1, Score())]
    (open_game,) = found([*table.events, *claimed])
    assert open_game.claims == (Claim(0, (300,), 4), Claim(1, (), 4))
    assert open_game.settled is None
    scored: list[ev.Event] = [
        ev.Proposed(0, Score()),
        ev.Agreed(Score()),
        ev.GameEnded(Outcome(1, Reason.RULES, "W+7.5")),
    ]
    (game,) = found([*table.events, *claimed, *scored])
    assert game.claims == (*open_game.claims, Claim(0, (), 4))
    assert (game.settled, game.outcome) == ((), Outcome(1, Reason.RULES, "W+7.5"))


def test_claims_about_a_position_that_was_taken_back_are_gone() -> None:
    table = Table("go")
    table.play("d4", "q16", "pass", "pass")
    back = ev.MovesTakenBack(1, 3, (), "")
    (game,) = found([*table.events, ev.Proposed(0, Score()), back])
    assert (len(game.moves), game.claims) == (3, ())
