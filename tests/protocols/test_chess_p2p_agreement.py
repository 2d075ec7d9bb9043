"""Go, counter-proposals and Accepted between two peer-to-peer clients at a real table."""

from __future__ import annotations

import pytest

from protocols.core.commands import PlayMove, Propose, Resign
from protocols.core.model import Move, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.protocols.chess_p2p_peers import AS_BLACK, EITHER, GameServer


def test_the_canonical_start_white_first() -> None:
    """ "Only when a 'go' has been sent to as well as received from the peer there can be a transition to 'playing'
    mode, and only when the local and remote GUI have matching state." "Sent when you receive a 'go' from your peer,
    after already having sent one yourself, when the games matches." """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4")
    assert server.say(alice, "go") == ["text your game is proposed to whoever comes"]
    assert server.say(bob, "new") == [
        "name alice",
        "text alice proposes a game, 300 s, you play Black: start such a game, or answer text accept or text decline"
        + AS_BLACK,
        "new",
        "level 0 300 0",
    ]
    server.say(bob, "level 0 300 0", "go")
    assert server.hear(alice)[-7:] == [
        "text the game with bob begins, you play White",
        "new",
        "level 0 300 0",
        "name bob",
        "time 30000",
        "otim 30000",
        "go",
    ]
    server.hear(bob)
    assert server.say(alice, "accepted") == ["move e2e4"]
    assert server.hear(bob) == ["time 30000", "otim 30000", "move e2e4", "go"]
    assert server.say(bob, "accepted", "move e2e4") == []
    assert server.say(bob, "move e7e5") == ["move e7e5"]


def test_the_canonical_start_black_first() -> None:
    """ "This 'go' will then be answered with an 'accepted', and both the sender and receiver of that 'accepted' then
    know they are in playing mode." """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go")
    assert server.say(bob, "new")[-3:] == ["new", "level 0 300 0", "go"]
    told = server.say(bob, "level 0 300 0", "move e2e4", "go")
    assert told == ["text the game with alice begins, you play White", "accepted", "move e2e4"]
    assert server.hear(alice)[-4:] == ["time 30000", "otim 30000", "move e2e4", "go"]
    assert server.say(alice, "accepted", "move e2e4", "move e7e5") == ["move e7e5"]


def test_a_second_go_with_another_state_is_a_counter_proposal() -> None:
    """ "if the states do not match, it can immediately interpret it as a counter proposal, present that to its user
    ... so that the burden to match the remote state or reject it is now on him again" """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go")
    server.say(bob, "new", "level 0 60 0", "move e2e4")
    assert server.say(bob, "go") == ["text your game is proposed to alice"]
    assert server.hear(alice)[-3:] == [
        "text bob proposes a game, 60 s, you play Black: start such a game, or answer text accept or text decline"
        + AS_BLACK,
        "new",
        "level 0 60 0",
    ]
    assert server.state.games == 0
    server.say(alice, "level 0 60 0", "go")
    assert server.state.games == 1
    assert server.hear(bob)[-1] == "go"
    assert server.say(bob, "accepted") == ["move e2e4"]
    assert server.hear(alice)[-2:] == ["move e2e4", "go"]


def test_users_take_turns_until_one_sets_up_what_the_other_wants() -> None:
    """ "This way the users take turns in sending 'go' commands that reject the GUI state of their peer. Until one
    finally sets up the requested state before sending the next 'go'." """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go")
    server.say(bob, "new", "level 0 60 0", "move e2e4", "go")
    server.say(alice, "level 0 120 0", "go")
    assert server.hear(bob)[-3:] == ["new", "level 0 120 0", "go"]
    told = server.say(bob, "level 0 120 0", "go")
    assert told[-2:] == ["accepted", "move e2e4"]


def test_accepted_is_an_answer_to_a_counter_proposal_that_matches() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "go")
    server.say(bob, "new", "level 0 60 0", "go")
    assert server.hear(alice)[-1] == "go"
    assert server.say(alice, "accepted")[-1] == "move e2e4"
    assert server.state.games == 1
    assert server.state.settings.time == TimeControl(TimeKind.ABSOLUTE, main_s=60.0)


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (("new", "level 0 300 0"), "e2e4"),
        (("new", "variant atomic", "level 0 60 1"), "e2e4"),
        (("new", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "level 0 300 0"), "e1d1"),
    ],
)
def test_the_second_go_is_accepted_though_its_sender_set_up_the_game_after_the_first(
    state: tuple[str, ...], move: str
) -> None:
    """ "If you were already playing (having sent a 'go' command before) a compatible game ... you reply with 'accepted'
    to inform him the game has started, and he can play that move." """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, *state, "go")
    assert server.say(bob, "new")[-1] == "go"
    told = server.say(bob, *state, f"move {move}", "go")
    assert told == ["text the game with alice begins, you play White", "accepted", f"move {move}"]
    assert server.hear(alice)[-2:] == [f"move {move}", "go"]


def test_a_second_go_that_comes_at_once_with_its_set_up_is_accepted_too() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "go")
    server.say(bob, "new")
    told = server.pipeline(bob, "new", "level 0 0 0", "move d2d4", "go")
    assert told == ["text the game with alice begins, you play White", "accepted", "move d2d4"]


def test_a_second_go_for_another_game_is_a_counter_proposal_after_new_as_well() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "go")
    server.say(bob, "new")
    assert server.say(bob, "new", "level 0 60 0", "move d2d4", "go") == ["text your game is proposed to alice"]
    assert server.state.games == 0


def test_games_match_when_the_same_moves_were_loaded_on_both_sides() -> None:
    """ "If you were already playing ... a compatible game (i.e. opposite color, same variant, equal forced moves, if
    any) you should have the move ready" """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "move e7e5", "move g1f3", "go")
    told = server.say(bob, "new")
    assert told[-2:] == ["setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "level 0 300 0"]
    server.say(bob, "level 0 300 0", "move e2e4", "move e7e5", "go")
    assert server.state.games == 1
    assert server.say(alice, "accepted")[-1] == "move g1f3"
    assert server.hear(bob)[-2:] == ["move g1f3", "go"]
    assert server.say(bob, "accepted", "move g1f3", "move b8c6") == ["move b8c6"]


def test_games_match_when_the_waiting_side_went_first_with_loaded_moves() -> None:
    """Its last forced move looks like its first own one; the other side's moves tell that the game is the same."""
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "move e2e4", "move e7e5", "go")
    server.say(bob, "new", "level 0 300 0", "move e2e4", "move e7e5", "move g1f3", "go")
    assert server.state.games == 1
    assert server.say(alice, "accepted")[-1] == "move e7e5"
    assert server.hear(bob)[-2:] == ["move e7e5", "go"]
    assert server.say(bob, "accepted") == ["move g1f3"]
    assert server.hear(alice)[-1] == "move g1f3"


def test_accepted_without_any_go_is_answered() -> None:
    server = GameServer()
    alice = server.connect("alice")
    server.say(alice, "new")
    assert server.say(alice, "accepted") == ["text there is nothing to accept: nobody has started a game with you yet"]


def test_a_ready_opponent_of_another_dialect_is_told_of_and_the_first_go_starts_the_game() -> None:
    server = GameServer()
    alice = server.connect("alice")
    server.say(alice, "new")
    seat = server.sit("bob")
    server.ask(seat, Propose(Start(None, None)))
    assert server.hear(alice)[-1] == "text bob is ready to play: set up the game you want and start it" + EITHER
    assert server.say(alice, "new", "move e2e4", "go")[-1] == "go"
    assert server.say(alice, "accepted") == ["move e2e4"]
    server.ask(seat, PlayMove(Move(12, 28)))
    assert server.hear(alice) == ["move e7e5"]


def test_a_house_bot_starts_with_the_first_go() -> None:
    server = GameServer(bot=True)
    alice = server.connect("alice")
    server.say(alice, "new")
    server.wait(1.0)
    assert server.say(alice, "go")[-4:] == [
        "text the game with bot-2 begins, you play Black",
        "new",
        "level 0 0 0",
        "name bot-2",
    ]


def test_seats_are_exchanged_where_the_colours_need_it() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "go")
    server.say(bob, "new", "move d2d4", "go")
    assert (alice.seat, bob.seat) == (1, 0)
    assert server.state.ply == 1
    assert server.say(alice, "accepted", "move d2d4", "move d7d5")[-1] == "move d7d5"
    assert server.hear(bob)[-1] == "move d7d5"


def test_text_accept_takes_what_is_proposed_and_the_gui_is_told_the_game() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go")
    server.say(bob, "new")
    assert server.say(bob, "text accept")[-5:] == ["level 0 300 0", "name alice", "time 30000", "otim 30000", "go"]
    server.say(bob, "move e2e4", "accepted")
    assert server.hear(alice)[-2:] == ["move e2e4", "go"]


def test_text_decline_refuses_it() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 300 0", "go")
    server.say(bob, "new", "text No!")
    assert server.hear(alice)[-1] == "text bob declines to play this game: start another one" + EITHER
    assert server.say(alice, "go") == ["text your game is proposed to bob"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("setboard nonsense", "go"), "nonsense"),
        (("move e2e5", "move e7e5", "go"), "e2e5"),
        (("variant fischerandom", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "go"), "8/8/8/8/8/8/8/8"),
    ],
)
def test_what_cannot_be_played_is_answered(lines: tuple[str, ...], answer: str) -> None:
    server = GameServer()
    alice = server.connect("alice")
    server.say(alice, "new")
    told = server.say(alice, *lines)
    assert told[0].startswith("text ")
    assert answer in told[0]
    assert server.say(alice, "new", "go") == ["text your game is proposed to whoever comes"]


def test_an_illegal_first_move_is_answered_in_the_game_that_began() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "level 0 0 0", "go")
    told = server.say(bob, "new", "level 0 0 0", "move e2e5", "go")
    assert told[-3:-1] == [
        "accepted",
        "text your move e2e5 is not played: a pawn cannot go from e2 to e5. Take it back",
    ]
    assert told[-1].startswith("setboard rnbqkbnr/")
    server.say(bob, "undo", "move e2e4")
    assert server.hear(alice)[-2:] == ["move e2e4", "go"]


def test_the_same_go_again_is_answered_and_stands() -> None:
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "go")
    assert server.say(alice, "go") == ["text you have proposed that already"]
    server.say(bob, "new", "move e2e4", "go")
    assert server.state.games == 1


def test_after_a_game_another_one_is_negotiated_at_the_same_table() -> None:
    """ "Initially (after connecting, or finishing a previous game) both sides are in setup mode" """
    server = GameServer()
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(alice, "new", "move e2e4", "go")
    server.say(bob, "new", "go")
    server.say(alice, "accepted")
    server.ask(1, Resign())
    server.say(bob, "new", "move d2d4", "go")
    assert server.hear(alice)[-2:] == ["new", "level 0 0 0"]
    server.say(alice, "new", "go")
    assert (alice.seat, bob.seat, server.state.games) == (1, 0, 2)
    assert server.say(bob, "accepted")[-1] == "move d2d4"
