"""Planning a step: which rows it changes, and when it changes none."""

from __future__ import annotations

from gateway.table.decide import decide
from gateway.table.state import Status
from gateway.tables.step import plan
from protocols.core import commands as cmd
from protocols.core.proposals import Draw, Rematch
from tests.store.games import Played


def test_a_rematch_writes_who_sits_there_for_seats_were_left_as_they_were_when_the_last_game_ended() -> None:
    table = Played("tic_tac_toe")
    table.play("a3", "a2", "b3", "b2", "c3")
    table.does(0, cmd.Propose(Rematch()))
    over = table.state
    draft = decide(over, 1, cmd.Propose(Rematch()), 0.0)
    assert (over.status, draft.state.status) == (Status.OVER, Status.PLAYING)
    step = plan(draft, over, ["here", "there"])
    assert step.rows is not None
    assert [(row.name, row.address) for row in step.rows.seats] == [("player1", "there"), ("player0", "here")]
    assert (step.turned, step.rows.turned, step.addresses) == (1, 1, ["there", "here"])


def test_who_leaves_a_rematch_to_the_others_keeps_no_ticket_of_the_seat_that_was_its_own() -> None:
    """Three agree, and draw their seats when the fourth goes: they move three on."""
    table = Played("ludo", seats=4)
    table.agree(Draw())
    for seat in (0, 1, 3):
        table.does(seat, cmd.Propose(Rematch()))
    over = table.state
    step = plan(decide(over, 2, cmd.Leave(), 0.0), over, [""] * 4, leaves=2)
    assert (step.after.status, step.turned) == (Status.PLAYING, 3)
    assert step.rows is not None
    assert (step.rows.revoked, step.rows.turned) == ((2,), 3), "tickets are revoked before they move on"
    assert [seat.name for seat in step.after.seats] == ["player1", "", "player3", "player0"]
