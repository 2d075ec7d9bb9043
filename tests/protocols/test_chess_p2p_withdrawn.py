"""A user withdraws a Go by a new game or another position before the opponent has agreed."""

from __future__ import annotations

import pytest

from gateway.table.decide import decide
from protocols.core.errors import Refused
from protocols.core.notifications import Rejected
from tests.protocols.chess_p2p_peers import EITHER, GameServer
from tests.protocols.talk import ask, tell

ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def test_a_new_game_takes_a_go_back() -> None:
    """ "Unlike the corresponding command of WB protocol, however, the receiver must assume the sender is now in force
    mode." """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    assert server.say(alice, "new", "go", "new")[-1] == "text you have withdrawn the game that was proposed"
    server.say(bob, "new", "move e2e4", "go")
    assert server.state.games == 0  # it is asked again, and not taken into the game by what it sent before
    assert "text bob proposes a game, without clocks, you play Black: start such a game, or " in server.hear(alice)[-3]


@pytest.mark.parametrize("change", ["new", "variant atomic", f"setboard {ENDING}", "level 0 60 0", "undo"])
def test_a_changed_set_up_takes_a_go_back(change: str) -> None:
    """ "any state change ... is immediately relayed to the peer": what is not shown any more is not offered either."""
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    server.say(bob, "new")
    server.say(alice, change)
    assert server.state.proposals == ()
    assert server.hear(bob)[-2:] == [
        "text alice has withdrawn the game that was proposed: start one yourself" + EITHER,
        "new",
    ]
    server.say(bob, "level 0 300 0", "go")
    assert server.state.games == 0


def test_a_time_control_that_is_told_again_takes_nothing_back() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go", "level 0 300 0")
    server.say(bob, "new", "level 0 300 0", "move e2e4", "go")
    assert server.state.games == 1


def test_a_game_that_is_taken_back_leaves_the_other_proposal_standing() -> None:
    """A counter-proposal stays open when the first proposal, which it replaced, is withdrawn."""
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    server.say(bob, "new", "level 0 60 0", "go")
    assert server.hear(alice)[-1] == "go"
    server.say(alice, "new", "level 0 60 0", "move d2d4", "go")
    assert server.state.games == 1


def test_withdrawals_that_a_program_sends_in_one_go_are_not_answered_one_by_one() -> None:
    """The second has nothing to take back, for the game before it was refused: that alone is told."""
    server = GameServer()
    alice = server.connect("alice")
    server.say(alice, "new", "go")
    told = server.pipeline(alice, "setboard nonsense", "go", f"setboard {ENDING}", "go")
    assert told[0] == "text you have withdrawn the game that was proposed"
    assert "nonsense" in told[1]
    assert told[2:] == ["text your game is proposed to whoever comes"]


def test_the_first_move_of_a_counter_proposal_is_not_spoken_of_after_a_withdrawal() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    server.say(bob, "new", "level 0 60 0", "go")
    server.hear(alice)
    assert server.pipeline(alice, "level 0 120 0", "move d2d4", "go") == ["text your game is proposed to bob"]


def test_a_withdrawal_that_comes_too_late_is_passed_over() -> None:
    """It crossed the agreement: the game is on, and its sender is told the state."""
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "go")
    server.say(bob, "new", "move e2e4")
    commands = ask(alice.dialect, "new")
    server.say(bob, "go")
    with pytest.raises(Refused) as refused:
        decide(server.state, alice.seat, commands[0], server.now)
    told = tell(alice.dialect, Rejected(refused.value.why, refused.value.text))
    assert [line for line in told if line.startswith("text ")] == []
    assert server.state.games == 1
