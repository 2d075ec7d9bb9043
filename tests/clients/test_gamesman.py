"""The GAMESMAN player and its plain board run against a real server and against broken ones."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from clients.gamesman import Ignored, Player, Problem, Resigned
from clients.gamesman import player as gamesman
from clients.gamesman.board import KEYS, Board, run
from gateway import registry
from gateway.cli import main
from tests.conformance.gamesman.served import register, thread
from tests.conformance.servers import fast
from tests.running import RunningServer

PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("players"), "http") as running:
        yield running


def pair(server: RunningServer, game: str, first: str, second: str) -> tuple[Player, Player]:
    port = server.ports[0]
    register(port, game, first, second)
    url = f"http://127.0.0.1:{port}"
    return Player(url, first, second, patience_s=5), Player(url, second, first, patience_s=5)


def board(game: str) -> Board:
    rules = registry.game(game)
    return Board(rules, rules.start(rules.settings()))


def test_a_short_game(server: RunningServer) -> None:
    anna, bert = pair(server, "open", "Änna", "Bert")
    heard: list[str | None] = []

    def second() -> None:
        heard.append(bert.start())
        heard.append(bert.move("zweiter Zug: schön"))
        bert.game_over()

    waits = thread(second)
    assert anna.start() is None
    assert anna.move("first move") == "zweiter Zug: schön"
    assert anna.move("third move") is None
    waits.join(PATIENCE_S)
    assert heard == ["first move", "third move"]


def test_an_illegal_move_is_a_problem_and_another_may_be_played(server: RunningServer) -> None:
    anna, bert = pair(server, "tic_tac_toe", "a1", "b1")
    waits = thread(lambda: bert.resign() if bert.start() else None)
    with pytest.raises(Problem, match="no legal move here is written 'z9'"):
        anna.move("z9")  # the first move waits for the opponent by itself
    with pytest.raises(Resigned, match="b1 has resigned"):
        anna.move("b2")
    waits.join(PATIENCE_S)


def test_an_end_that_is_none_is_a_problem(server: RunningServer) -> None:
    anna, bert = pair(server, "tic_tac_toe", "a2", "b2")
    moved = thread(lambda: _resigned(anna, "b2"))
    assert bert.start() == "b2"
    with pytest.raises(Problem, match="the game is not over"):
        bert.game_over()
    bert.resign()
    moved.join(PATIENCE_S)


def test_a_move_out_of_turn_is_ignored(server: RunningServer) -> None:
    anna, bert = pair(server, "open", "a3", "b3")
    waits = thread(lambda: anna.move("one"))
    assert bert.start() == "one"
    again = Player(f"http://127.0.0.1:{server.ports[0]}", "a3", "b3")
    again._turn = 5  # a player that has lost count
    with pytest.raises(Ignored, match="SendMove two: not now"):
        again.move("two")
    bert.game_over()
    waits.join(PATIENCE_S)


def test_a_game_that_nobody_has_registered_is_a_problem(server: RunningServer) -> None:
    with pytest.raises(Problem, match="no game between x and y is registered"):
        Player(f"http://127.0.0.1:{server.ports[0]}", "x", "y").start()


def test_a_ticket_is_sent_along(server: RunningServer) -> None:
    port = server.ports[0]
    _, ticket = register(port, "open", "a4", "b4")
    with pytest.raises(Problem, match="this ticket is not for a4's seat"):
        Player(f"localhost:{port}", "a4", "b4", ticket=ticket).start()


@pytest.mark.parametrize("url", ["", "ftp://x", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a server"):
        Player(url, "a", "b")


def test_where_no_server_is_it_gives_up_after_its_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gamesman, "PAUSE_S", 0.01)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        player = Player(f"http://127.0.0.1:{free.getsockname()[1]}", "a", "b", patience_s=0.05)
        with pytest.raises(OSError, match="cannot reach the server"):
            player.start()


def test_a_request_whose_connection_is_lost_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed without an answer, "busy", silent for too long: the same bytes come again each time."""
    monkeypatch.setattr(gamesman, "PAUSE_S", 0.01)
    monkeypatch.setattr(gamesman, "REPEAT_S", 0.2)
    answers = [
        b"",
        b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
        None,
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\ntype: SendMove\r\nMove: sch\xc3\xb6n\r\n\r\n",
    ]
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            kept = []
            for answer in answers:
                caller, _ = listening.accept()
                requests.append(caller.recv(4096))
                kept.append(caller)
                if answer is not None:
                    caller.sendall(answer)
                    caller.close()
            for caller in kept:
                caller.close()

        serving = threading.Thread(target=serve)
        serving.start()
        player = Player(f"http://127.0.0.1:{listening.getsockname()[1]}", "a", "b")
        assert player.move("m") == "schön"
        serving.join(PATIENCE_S)
    assert len(requests) == len(answers)
    assert len(set(requests)) == 1


def test_the_plain_board_shows_a_game(server: RunningServer) -> None:
    anna, bert = pair(server, "tic_tac_toe", "a5", "b5")
    shown: list[str] = []
    heard: list[str | None] = []
    waits = thread(lambda: heard.extend([bert.start(), bert.move("a3"), _resigned(bert, "b1")]))
    run(anna, board("tic_tac_toe"), "b5", ["b2", "nonsense", "a3", "c3", "resign"], shown.append)
    waits.join(PATIENCE_S)
    assert heard == ["b2", "c3", "a5 has resigned"]
    assert shown[:3] == ["Waiting for b5 ...", "You move first.", "...\n...\n..."]
    assert [line for line in shown if line.startswith("no legal move")] == [
        "no legal move here is written 'a3'",
    ]
    assert shown[-3:] == ["o.x\n.x.\n.o.", KEYS, "You have resigned."]


def test_the_plain_board_ends_a_game_that_the_opponent_has_won(server: RunningServer) -> None:
    anna, bert = pair(server, "tic_tac_toe", "a6", "b6")
    shown: list[str] = []
    waits = thread(lambda: run(bert, board("tic_tac_toe"), "a6", ["a1", "b1"], shown.append))
    assert [anna.move(move) for move in ("a3", "b3", "c3")] == ["a1", "b1", None]
    waits.join(PATIENCE_S)
    assert shown[1] == "a6: a3"
    assert shown[-1] == "The game is over: x wins, three in a row."


def test_the_plain_board_wants_whole_turns() -> None:
    """Checkers: a turn of two captures is one line."""
    rules = registry.game("checkers")
    start = rules.start(rules.settings(start=_two_captures()))
    before = Board(rules, start)
    first = before.after("9x18")
    assert first.turn == before.turn
    assert before.after("9x18 18x25") == first.after("18x25")
    assert before.after("9x18 18x25").turn != before.turn


def _two_captures() -> str:
    """Black's man on 9 can take those on 14 and 22, one after the other."""
    rows = ["........", "........", ".b......", "..w.....", "........", "..w.....", "........", "w......."]
    return "/".join(rows) + " 0"


def test_play_says_what_gamesman_needs() -> None:
    found = CliRunner().invoke(main, ["play", "checkers", "--dialect", "gamesman", "--name", "anna"])
    assert found.exit_code == 2
    assert "--name and --opponent" in found.output


def test_play_over_gamesman_from_the_command_line(server: RunningServer) -> None:
    register(server.ports[0], "tic_tac_toe", "a7", "b7")
    bert = Player(f"http://127.0.0.1:{server.ports[0]}", "b7", "a7", patience_s=5)
    heard: list[str | None] = []
    waits = thread(lambda: heard.extend([bert.start(), _resigned(bert, "a1")]))
    words = ["play", "tic_tac_toe", f"127.0.0.1:{server.ports[0]}", "--dialect", "gamesman"]
    found = CliRunner().invoke(main, [*words, "--name", "a7", "--opponent", "b7"], input="b2\nresign\n")
    waits.join(PATIENCE_S)
    assert found.exit_code == 0, found.output
    assert found.output.endswith("You have resigned.\n")
    assert "b7: a1\n...\n.x.\no..\n" in found.output
    assert heard == ["b2", "a7 has resigned"]


def _resigned(player: Player, move: str) -> str:
    with pytest.raises(Resigned) as end:
        player.move(move)
    return str(end.value)
