"""The record says what became of a command whose answer was lost."""

from __future__ import annotations

import pytest

from gateway.cluster.replays import was_served
from protocols.core.commands import Command, PlayMove, Resign, Say
from protocols.core.events import Event, GameEnded, MoveMade, Said, SeatLeft, SeatTaken
from protocols.core.model import Move, Outcome, Reason, SeatKind

MOVE = PlayMove(Move(None, 8, "x"))
MADE = MoveMade(1, Move(None, 8, "x"), 3, "c3", ((8, "x"),))
ENDED = GameEnded(Outcome(0, Reason.RESIGNATION))
BACK = SeatTaken(1, SeatKind.PLAYER, "carl")


@pytest.mark.parametrize(
    ("command", "since", "served"),
    [
        (MOVE, [MADE], True),
        (MOVE, [], False),
        (MOVE, [Said(1, "all", "hello")], False),
        (MOVE, [SeatLeft(1, SeatKind.RESERVED), BACK, MADE], True),
        (MOVE, [SeatLeft(0, SeatKind.ABANDONED), MADE], True),
        (MOVE, [SeatLeft(1, SeatKind.ABANDONED), SeatTaken(1, SeatKind.PLAYER, "dora"), MADE], False),
        (MOVE, [SeatLeft(1, SeatKind.OPEN), SeatTaken(1, SeatKind.BOT, "bot"), MADE], False),
        (MOVE, [SeatTaken(1, SeatKind.BOT, "bot"), MADE], False),
        (Resign(), [ENDED, SeatLeft(1, SeatKind.OPEN)], True),
        (Resign(), [SeatLeft(1, SeatKind.ABANDONED), ENDED], False),
        (Say("all", "hello"), [Said(1, "all", "hello")], True),
    ],
)
def test_a_command_was_served_if_its_player_did_so_while_the_seat_was_his(
    command: Command, since: list[Event], *, served: bool
) -> None:
    """The seat's next holder may make the same move."""
    assert was_served(command, 1, since) is served
