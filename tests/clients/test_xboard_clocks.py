"""The adapter sets a GUI's clocks where XBoard lets its engine set them, and tells them in words elsewhere."""

from __future__ import annotations

from clients.xboard.game import Game, fen
from protocols.chess_p2p import messages as p2p
from tests.clients.xboard_desk import Desk, Pair, playing
from tests.clients.xboard_process import unbroken

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")
HELLO = "hallo Boardgate 1.0: set up a game"


def at_a_server(*moves: str) -> Desk:
    """A user with White in a game of these moves at a server."""
    desk = playing(*(moves or OPENING))
    desk.hears(HELLO)
    desk.waits(60)
    desk.take()
    return desk


def test_the_tables_clocks_stand_behind_each_move_of_the_opponent() -> None:
    """time T, otim T: "The latter could use them to synchronize (on of) his clocks". Behind the move: XBoard adds the
    increment when it is made."""
    desk = at_a_server()
    desk.types("time 30000", "otim 29000", "usermove f1c4")
    shown = desk.hears("move f1c4", "time 28950", "otim 27000", "move g8f6")
    assert shown == ["move g8f6", "wtime 289500", "btime 270000"]


def test_the_clocks_belong_to_colours_and_not_to_users() -> None:
    pair = Pair()
    pair.begin("e2e4", "e7e5")
    black = pair.black
    black.hears(HELLO)
    black.take()
    shown = black.hears("time 28950", "otim 27000", "move g1f3")
    assert shown[-2:] == ["wtime 270000", "btime 289500"]


def test_after_a_takeback_the_one_who_asked_has_the_tables_clocks_and_is_told_them() -> None:
    """XBoard has put its clocks back to what they were two plies before."""
    desk = at_a_server()
    desk.types("remove")
    shown = desk.hears("undo", "undo", "time 18000", "otim 24000")
    assert shown[:2] == ["wtime 180000", "btime 240000"]
    assert unbroken(shown[2]).endswith(
        "bob agrees: the moves are taken back. / By the table's clock you have 3:00 left, bob 4:00."
    )
    assert desk.hears("time 18000", "otim 24000") == ["wtime 180000", "btime 240000"]


def test_after_a_takeback_the_one_who_agreed_has_the_tables_clocks_and_is_told_them() -> None:
    desk = at_a_server("e2e4", "e7e5", "g1f3")
    desk.hears("remove")
    desk.take()
    desk.types("TAKEBACK yes")
    shown = desk.hears("time 18000", "otim 24000")
    assert shown[:2] == ["wtime 180000", "btime 240000"]
    assert shown[2].replace("\\n", " ").endswith("By the table's clock you have 3:00 left, bob 4:00.")
    desk.take()
    desk.hears("time 18000", "otim 23000", "move c7c5", "go")
    desk.take()
    desk.hears("accepted")
    assert desk.shown == [f"setboard {fen(Game(moves=('e2e4', 'c7c5')))}", "wtime 180000", "btime 230000"]


def test_a_takeback_of_any_number_of_plies_tells_the_clocks() -> None:
    desk = at_a_server()
    desk.hears("takeback 1")
    desk.types("TAKEBACK yes")
    desk.take()
    shown = desk.hears("undo", "time 18000", "otim 24000")
    assert shown[:2] == ["wtime 180000", "btime 240000"]
    assert shown[-1].replace("\\n", " ").endswith("By the table's clock you have 3:00 left, bob 4:00.")


def test_a_takeback_that_was_refused_costs_the_time_it_took() -> None:
    """XBoard starts its clocks anew for a position that its engine sets up."""
    desk = at_a_server("e2e4", "e7e5")
    desk.hears("move e7e5", "time 20000", "otim 21000")
    desk.types("usermove g1f3")
    desk.hears("move g1f3", "time 20000", "otim 21000", "move b8c6")
    desk.types("remove")
    desk.waits(15)
    desk.take()
    desk.hears("text bob declines to take moves back", f"setboard {fen(Game(moves=OPENING))}")
    assert desk.shown[:3] == [f"setboard {fen(Game(moves=OPENING))}", "wtime 185000", "btime 210000"]


def test_without_a_server_a_guis_clocks_are_set_only_after_a_position() -> None:
    """There is no table: each GUI keeps its own clocks, and the one that has lost them takes the other's."""
    pair = Pair()
    pair.begin(*OPENING[:3])
    pair.white.take()
    pair.black.take()
    pair.black.types("time 20000", "otim 21000", "usermove b8c6")
    pair.settle()
    assert pair.white.shown == ["move b8c6"]
    pair.white.types("remove")
    pair.settle()
    pair.black.types("TAKEBACK yes")
    pair.settle()
    assert f"setboard {fen(Game(moves=OPENING[:2]))}" in pair.black.shown
    pair.black.take()
    pair.white.types("time 15000", "otim 25000", "usermove f1c4")
    pair.settle()
    assert pair.black.shown[:2] == ["wtime 250000", "btime 150000"]
    assert "By the clock of alice you have 2:30 left, alice 4:10." in pair.black.shown[2].replace("\\n", " ")


def test_a_gui_that_takes_moves_only_is_not_told_of_clocks() -> None:
    desk = at_a_server()
    desk.types("rejected setboard", "usermove f1c4")
    assert desk.hears("move f1c4", "time 28950", "otim 27000", "move g8f6") == ["move g8f6"]


def test_a_game_that_is_over_has_no_clocks_to_set() -> None:
    desk = at_a_server()
    desk.hears("time 28950", "otim 27000")
    shown = desk.hears("result * {adjourned}")
    assert shown[0].startswith("setboard ")
    assert not any(line.startswith(("wtime", "btime")) for line in shown)


def test_the_user_is_told_when_the_gui_shows_another_clock() -> None:
    """time T, otim T: "or request a user to do so when the difference gets out of hand"."""
    desk = at_a_server()
    desk.hears("time 18000", "otim 24000")
    desk.waits(60)
    assert desk.types("otim 12500") == []
    assert list(map(unbroken, desk.types("otim 30000"))) == [
        "telluser By the table's clock you have 2:00 left."
        " Started with -firstPseudo (or -secondPseudo), XBoard shows that clock."
    ]
    assert desk.types("otim 30000") == []
    desk.waits(60)
    assert desk.types("otim 30000") == ["telluser By the table's clock you have 1:00 left."]


def test_the_time_after_a_move_is_no_difference() -> None:
    desk = at_a_server()
    desk.hears("time 18000", "otim 24000")
    desk.waits(20)
    assert desk.types("otim 16000", "usermove f1c4") == []
    desk.hears(p2p.Advanced("f1c4"))
    desk.waits(100)
    assert desk.types("otim 16000") == []
