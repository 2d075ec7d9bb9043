"""A Go that its user takes back before anybody has agreed to it, by a new game or by setting up another one."""

from __future__ import annotations

import pytest

from gateway.table.decide import decide
from protocols.core.errors import Refused
from protocols.core.told import Rejected
from tests.protocols.chess_p2p_peers import House
from tests.protocols.talk import ask, tell

ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def test_a_new_game_takes_a_go_back() -> None:
    """ "Unlike the corresponding command of WB protocol, however, the receiver must assume the sender is now in force
    mode." """
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    assert house.say(alice, "new", "go", "new")[-1] == "text you have withdrawn the game that was proposed"
    house.say(bob, "new", "move e2e4", "go")
    assert house.state.games == 0  # it is asked again, and not taken into the game by what it sent before
    assert "text bob proposes a game, without clocks, you play Black: start such a game, or " in house.hear(alice)[-3]


@pytest.mark.parametrize("change", ["new", "variant atomic", f"setboard {ENDING}", "level 0 60 0", "undo"])
def test_a_changed_set_up_takes_a_go_back(change: str) -> None:
    """ "any state change ... is immediately relayed to the peer": what is not shown any more is not offered either."""
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    house.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    house.say(bob, "new")
    house.say(alice, change)
    assert house.state.proposals == ()
    assert house.hear(bob)[-2:] == ["text alice has withdrawn the game that was proposed", "new"]
    house.say(bob, "level 0 300 0", "go")
    assert house.state.games == 0


def test_a_time_control_that_is_told_again_takes_nothing_back() -> None:
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    house.say(alice, "new", "level 0 300 0", "go", "level 0 300 0")
    house.say(bob, "new", "level 0 300 0", "move e2e4", "go")
    assert house.state.games == 1


def test_a_game_that_is_taken_back_leaves_the_other_proposal_standing() -> None:
    """Who has countered still offers it when the first proposal is withdrawn, which was void already."""
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    house.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    house.say(bob, "new", "level 0 60 0", "go")
    assert house.hear(alice)[-1] == "go"
    house.say(alice, "new", "level 0 60 0", "move d2d4", "go")
    assert house.state.games == 1


def test_withdrawals_that_a_program_sends_in_one_go_are_not_answered_one_by_one() -> None:
    """The second has nothing to take back, for the game before it was refused: that alone is told."""
    house = House()
    alice = house.connect("alice")
    house.say(alice, "new", "go")
    told = house.pipeline(alice, "setboard nonsense", "go", f"setboard {ENDING}", "go")
    assert told[0] == "text you have withdrawn the game that was proposed"
    assert "nonsense" in told[1]
    assert told[2:] == ["text your game is proposed to whoever comes"]


def test_the_first_move_of_a_counter_proposal_is_not_spoken_of_after_a_withdrawal() -> None:
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    house.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    house.say(bob, "new", "level 0 60 0", "go")
    house.hear(alice)
    assert house.pipeline(alice, "level 0 120 0", "move d2d4", "go") == ["text your game is proposed to bob"]


def test_a_withdrawal_that_comes_too_late_is_passed_over() -> None:
    """It crossed the agreement: the game is on, and who sent it is told how it stands."""
    house = House()
    alice, bob = house.connect("alice"), house.connect("bob")
    house.say(alice, "new", "go")
    house.say(bob, "new", "move e2e4")
    commands = ask(alice.dialect, "new")
    house.say(bob, "go")
    with pytest.raises(Refused) as refused:
        decide(house.state, alice.seat, commands[0], house.now)
    told = tell(alice.dialect, Rejected(refused.value.why, refused.value.text))
    assert [line for line in told if line.startswith("text ")] == []
    assert house.state.games == 1
