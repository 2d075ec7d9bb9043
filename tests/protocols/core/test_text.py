"""Values of the vocabulary as lines."""

from __future__ import annotations

import pytest

from protocols.core.commands import Join, PlayMove, Propose
from protocols.core.errors import Why
from protocols.core.events import GameEnded, MoveMade
from protocols.core.model import PASS, Move, Outcome, Reason, Settings
from protocols.core.notifications import Rejected
from protocols.core.proposals import Draw, Start
from protocols.core.text import read, spell

CASES = [
    (PlayMove(Move(8, 17)), "PlayMove(move=Move(8, 17))"),
    (PlayMove(Move(None, 12, "rook")), "PlayMove(move=Move(None, 12, 'rook'))"),
    (PlayMove(PASS), "PlayMove(move=Move(None, None))"),
    (Propose(Draw()), "Propose(proposal=Draw())"),
    (Join("ludo", wishes=(("seats", "4"),)), "Join(game='ludo', wishes=(('seats', '4'),))"),
    (Rejected(Why.NOT_YOUR_PIECE), "Rejected(why=Why.NOT_YOUR_PIECE)"),
    (GameEnded(Outcome(None, Reason.AGREEMENT)), "GameEnded(outcome=Outcome(winner=None, reason=Reason.AGREEMENT))"),
    (
        MoveMade(0, Move(0, 40), 1, "a-b", ((0, None), (40, "man")), "p"),
        "MoveMade(seat=0, move=Move(0, 40), ply=1, notation='a-b', changes=((0, None), (40, 'man')), position='p')",
    ),
    (
        Propose(Start(Settings("ludo", "maedn", 11, 11, 2))),
        "Propose(proposal=Start(settings=Settings(game='ludo', variant='maedn', width=11, height=11, seats=2)))",
    ),
]


@pytest.mark.parametrize(("value", "line"), CASES)
def test_a_value_is_its_class_and_the_fields_that_are_not_default(value: object, line: str) -> None:
    assert spell(value) == line
    assert read(line) == value


@pytest.mark.parametrize(
    "line", ["", "Nothing()", "Move(1, 2, 3, 4)", "print(1)", "Why.NO_SUCH_CAUSE", "Move(1, x)", "PlayMove(", "[1]"]
)
def test_nothing_else_is_read(line: str) -> None:
    with pytest.raises(ValueError, match="not a value of the vocabulary"):
        read(line)
