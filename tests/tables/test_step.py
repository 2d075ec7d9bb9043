"""Planning a step: which rows it changes, and when it changes none."""

from __future__ import annotations

from gateway.table.decide import decide
from gateway.table.state import Status
from gateway.tables.step import plan
from protocols.core import commands as cmd
from protocols.core.proposals import Rematch
from tests.store.games import Played


def test_a_rematch_writes_who_sits_there_for_seats_were_left_as_they_were_when_the_last_game_ended() -> None:
    table = Played("tic_tac_toe")
    table.play("a3", "a2", "b3", "b2", "c3")
    table.does(0, cmd.Propose(Rematch()))
    over = table.state
    draft = decide(over, 1, cmd.Propose(Rematch()), 0.0)
    assert (over.status, draft.state.status) == (Status.OVER, Status.PLAYING)
    assert draft.state.seats is over.seats
    rows = plan(draft, over, ["", ""]).rows
    assert rows is not None
    assert [row.name for row in rows.seats] == ["player0", "player1"]
