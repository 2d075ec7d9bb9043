"""The adapter tells a GUI its features, the peer the GUI's name, and the user plain texts."""

from __future__ import annotations

from protocols.chess_p2p import messages as p2p
from tests.clients.xboard_desk import BLOCK, Desk, playing


def test_the_gui_hears_at_once_that_features_are_coming() -> None:
    """Send `feature done=0` at once, then the features, and `done=1` when the peer is there."""
    desk = Desk(connected=False)
    assert desk.shown[0] == "feature done=0"
    assert desk.shown[-1].startswith("feature option=")
    desk.connects()
    assert desk.shown[-1] == "feature done=1"


def test_a_gui_does_not_wait_for_ever_for_a_host_that_does_not_answer() -> None:
    desk = Desk(connected=False)
    assert desk.waits(4.9) == []
    assert desk.waits(0.2) == ["feature done=1"]
    other = Desk(connected=False)
    other.adapter.link_down(other.now, "Nobody answers.")
    other.collect()
    assert other.shown[-2:] == ["feature done=1", "telluser Nobody answers."]


def test_the_options_are_the_habit_of_this_adapters_users() -> None:
    """`feature option="Connect -button"`, `option="Host -string ..."`, `option="Send line -string "`."""
    shown = Desk().shown
    for option in (
        "Connect -button",
        "Host -string example.org",
        "Send line -string ",
        "Offer adjourn -button",
        "Offer abort -button",
    ):
        assert f'feature option="{option}"' in shown


def test_a_pong_is_withheld_until_somebody_is_there() -> None:
    """`pong N` only after all before it is done; withholding it is a start barrier. "Upon reception it could be
    used to alter the name the adapter presents to its GUI"."""
    desk = Desk()
    assert "pong 1" not in desk.types(*BLOCK)
    assert desk.hears(p2p.Name("bob")) == ["pong 1", 'feature myname="bob"']
    assert desk.types("ping 2") == ["pong 2"]


def test_the_barrier_does_not_stand_for_ever() -> None:
    desk = Desk()
    desk.types(*BLOCK)
    assert desk.waits(29) == []
    assert desk.waits(2) == ["pong 1"]


def test_a_gui_that_rejects_features_is_not_kept_waiting() -> None:
    """Every feature may be rejected (cutechess rejects nine of these)."""
    desk = Desk()
    desk.types("rejected colors", "rejected nps", "rejected debug", "new")
    assert desk.types("ping 1", "nonsense") == ["pong 1"]


def test_comments_go_to_a_gui_that_accepted_debug_only() -> None:
    """`# comments` only when debug was accepted."""
    desk = Desk()
    assert desk.types("nonsense") == ["# not understood: nonsense"]
    desk.types("rejected debug")
    assert desk.types("nonsense") == []


def test_every_change_of_the_guis_state_is_relayed() -> None:
    """So any state change (move, takeback... start of a new game, setting up of a position, time control setting)
    is immediately relayed to the peer. "Sent when the user starts a new game"; "Sent after 'new' when the started
    game is not normal Chess."; "Sent whenever the GUI on the side of the sender advances one move."; "Sent whenever
    the user specifies a time control"."""
    desk = Desk()
    desk.take()
    desk.types("new", "variant crazyhouse", "level 0 5 2", "force", "usermove e2e4", "usermove e7e5", "undo")
    assert desk.sent == ["new", "variant crazyhouse", "level 0 300 2", "move e2e4", "move e7e5", "undo"]
    desk.take()
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    desk.types("new", f"setboard {start}", "st 10")
    assert desk.sent == ["new", f"setboard {start}", "level -1 10 0"]


def test_what_the_gui_said_before_the_peer_was_there_is_told_when_it_comes() -> None:
    desk = Desk(connected=False)
    desk.types(*BLOCK)
    desk.connects()
    assert desk.sent == [f"ticket {'T' * 22}", "myname alice", "name alice", "new", "level 40 300 0"]


def test_a_text_is_shown_with_the_name_of_who_says_it() -> None:
    """ "Sent when you want the MESSAGE displayed to the user"."""
    desk = playing()
    assert desk.hears("text 1-0 resign") == ["telluser bob: 1-0 resign"]
    assert desk.types("option Send line=hello") == []
    assert desk.sent[-1] == "text hello"


def test_texts_of_one_moment_share_a_window() -> None:
    """A new telluser replaces the window of the one before: queue or join them."""
    desk = playing()
    assert desk.hears("text one", "text two") == ["telluser bob: one / bob: two"]
    assert desk.hears("text three") == ["telluser bob: one / bob: two / bob: three"]
    desk.waits(60)
    assert desk.hears("text four") == ["telluser bob: four"]
