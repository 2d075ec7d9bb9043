"""``boardgate gtp`` as a GUI runs it: a process with pipes, and a server that is stopped and started again."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from clients.gtp_pipe import Memory
from gateway.cli import main
from protocols.gtp.codec import parse
from tests.conformance.gtp.ends import PIPE, End, OnPipes, OnPort, pipe
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.gtp.frail import Frail
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast


def told(*answered: tuple[str, str]) -> Memory:
    """A memory that has heard these commands and their good answers."""
    memory = Memory()
    for line, text in answered:
        command = parse(line)
        assert command is not None
        memory.note(command, text)
    return memory


def begin(black: End, white: End) -> None:
    """A game on 5x5 that has begun: Black has a stone in the middle, which White knows."""
    black.sends("boardsize 5", "komi 5.5", "play b C3")
    white.sends("boardsize 5", "komi 5.5", "genmove b")
    assert [black.answer() for _ in range(3)] == ["=", "=", "="]
    assert [white.answer() for _ in range(3)] == ["=", "=", "= C3"]


def test_what_a_new_connection_is_told_are_the_settings_and_all_moves() -> None:
    memory = told(
        ("fixed_handicap 2", "C3 G7"),
        ("time_settings 60 0 0", ""),
        ("boardsize 9", ""),
        ("komi 7.5", ""),
        ("1 komi 5.5", ""),
        ("kgs-time_settings none", ""),
        ("set_free_handicap D4 E5", ""),
        ("play w C3", ""),
        ("genmove b", "E6"),
        ("play w pass", ""),
        ("undo", ""),
        ("genmove b", "resign"),
        ("name", "Boardgate"),
    )
    assert memory.again() == [
        "boardsize 9",
        "kgs-time_settings none",
        "komi 5.5",
        "set_free_handicap D4 E5",
        "play w C3",
        "play b E6",
    ]


def test_a_new_board_forgets_moves_and_handicap_and_says_whether_a_game_was_left() -> None:
    memory = told(("boardsize 9", ""), ("fixed_handicap 2", "C3 G7"))
    clear = parse("clear_board")
    assert clear is not None
    assert not memory.note(clear, "")
    memory = told(("boardsize 9", ""), ("fixed_handicap 2", "C3 G7"), ("play w C3", ""))
    assert memory.note(clear, "")
    assert memory.again() == ["boardsize 9"]


def test_two_pipes_play_and_quit_ends(tmp_path: Path) -> None:
    """Commands from standard input to the server, answers to standard output; quit ends."""
    with fast(tmp_path, "gtp-gui") as running:
        black, white = pipe(running.ports[0], "--name", "alice"), pipe(running.ports[0], "--name", "bob")
        begin(black, white)
        white.sends("1 play w B2", "# a remark", "2 showboard")
        assert black.asks("3 genmove w") == "=3 B2"
        assert white.answer() == "=1"
        assert white.answer().startswith("=2")
        assert "[alice]" in newest(tmp_path).sgf
        for end in (black, white):
            assert end.asks("9 quit") == "=9"
            assert end.process.wait(30) == 0
            end.close()


def test_a_gui_in_genmove_just_waits_while_the_server_is_stopped_and_started_again(tmp_path: Path) -> None:
    """It calls again with the ticket and sends the commands that have no answer yet once more."""
    with fast(tmp_path, "gtp-gui") as first:
        port = first.ports[0]
        black, white = pipe(port), pipe(port)
        begin(black, white)
        black.sends("7 genmove w")
        assert first.stop() == 0
        white.sends("8 play w B2")  # there is no server to hear it
    with fast(tmp_path, "gtp-gui", ports={0: port}):
        assert white.answer() == "=8"
        assert black.answer() == "=7 B2"
        assert black.asks("play b D4") == "="
        assert white.asks("genmove b") == "= D4"
        record = newest(tmp_path)
        assert [word for word in record.sgf.replace("\n", "").split(";") if word[:2] in ("B[", "W[")]
        assert record.is_whole()
        assert record.text.count('"MoveMade"') == 3
    black.close()
    white.close()


def test_an_undo_whose_answer_is_lost_takes_back_once_and_makes_no_move_again(tmp_path: Path) -> None:
    """Moves that a new connection shows again are compared, never played: they may have been taken back meanwhile."""
    replies = {"genmove": ["B2", "B4"], "undo_ok": "y"}
    with (
        fast(tmp_path, "gtp-gui", "gtp-engine") as running,
        Frail(running.ports[0]) as network,
        Engine(running.ports[1], replies, listed=f"{LISTED} undo undo_ok"),
    ):
        gui = pipe(network.port)
        gui.sets("boardsize 5", "komi 5.5", "play b C3")
        assert gui.asks("genmove w") == "= B2"
        network.lose_next_answer()
        assert gui.asks("7 undo") == "=7"
        assert network.lost == 1
        gui.sets("undo", "play b D4")
        assert gui.asks("genmove w") == "= B4"
        record = newest(tmp_path)
        assert record.text.count('"MoveMade"') == 4
        assert record.text.count('"MovesTakenBack"') == 1
        gui.close()


def test_a_move_whose_answer_is_lost_is_made_once(tmp_path: Path) -> None:
    """The command that has no answer yet is sent once more."""
    with (
        fast(tmp_path, "gtp-gui", "gtp-engine") as running,
        Frail(running.ports[0]) as network,
        Engine(running.ports[1], {"genmove": ["B2", "B4"]}),
    ):
        gui = pipe(network.port)
        gui.sets("boardsize 5", "komi 5.5", "play b C3")
        assert gui.asks("genmove w") == "= B2"
        network.lose_next_answer()
        assert gui.asks("7 play b D4") == "=7"
        assert network.lost == 1
        network.lose_next_answer()
        assert gui.asks("8 genmove w") == "=8 B4"
        assert newest(tmp_path).text.count('"MoveMade"') == 4
        gui.close()


def test_a_game_that_is_not_there_any_more_is_not_begun_anew(tmp_path: Path) -> None:
    """A player that returns to a server with an empty record is told so, and no other player gets the old game."""
    with fast(tmp_path / "one", "gtp-gui") as first:
        port = first.ports[0]
        black, white = pipe(port), pipe(port)
        begin(black, white)
        black.sends("7 genmove w")
        white.close()
        first.kill()
    with fast(tmp_path / "two", "gtp-gui", ports={0: port}):
        assert black.answer() == "?7 this game is not here any more"
        assert black.asks("8 name") == "=8 Boardgate"
    black.close()


def test_after_a_new_board_the_ticket_is_another(tmp_path: Path) -> None:
    """The first game's seat stays with the first ticket: a new connection comes back to the second game."""
    with fast(tmp_path, "gtp-gui") as first:
        port = first.ports[0]
        black, white = pipe(port), pipe(port)
        begin(black, white)
        assert black.asks("clear_board") == "="
        other = OnPort(port)
        black.sends("play b D4")
        other.sends("boardsize 5", "komi 5.5", "genmove b")
        assert black.answer() == "="
        assert [other.answer() for _ in range(3)] == ["=", "=", "= D4"]
        other.sets("play w A1")
        black.sends("genmove w", "play b E5", "genmove w")
        assert [black.answer(), black.answer()] == ["= A1", "="]
        assert first.stop() == 0
    with fast(tmp_path, "gtp-gui", ports={0: port}):
        black.sends("# interrupt")
        assert black.answer() == "? interrupted"
        assert black.asks("showboard").count("X") == 2
    for end in (black, white, other):
        end.close()


def test_where_no_server_is_every_command_says_so() -> None:
    """A "?" answer with a clear text when the server cannot be reached; nothing but GTP on standard output."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        end = pipe(port)
        assert end.asks("1 name") == f"?1 cannot reach a Boardgate server at 127.0.0.1:{port}"
        assert end.asks("2 genmove b").startswith("?2 cannot reach")
        assert end.asks("quit") == "="
        assert end.process.wait(30) == 0
        end.close()


def test_the_end_of_the_input_ends_it(tmp_path: Path) -> None:
    with fast(tmp_path, "gtp-gui") as running:
        end = OnPipes((*PIPE, f"127.0.0.1:{running.ports[0]}"))
        end.sends("1 name", "2 protocol_version")
        assert end.process.stdin is not None
        end.process.stdin.close()
        assert end.ended() == b"=1 Boardgate\n\n=2 2\n\n"
        assert end.process.wait(30) == 0


def test_an_engines_pipe_says_its_name_and_carries_both_ways(tmp_path: Path) -> None:
    with fast(tmp_path, "gtp-engine,size=5") as running:
        end = pipe(running.ports[0], "--engine", "--name", "Deep Pipe")
        with Engine(running.ports[0], {"genmove": "C3"}) as other:
            for _ in range(40):
                asked = b"" if b"genmove" in end._rest else end.read()
                for line in asked.decode().splitlines():
                    number, _, words = line.partition(" ")
                    listed = "\n".join(("list_commands", "boardsize", "clear_board", "komi", "play", "genmove", "quit"))
                    move = "resign" if words.startswith("genmove") else ""
                    end.write(f"={number} {listed if words == 'list_commands' else move}\n\n".encode())
                    if move:
                        other.wait_until_asked("boardsize")
                        assert "Deep Pipe" in newest(tmp_path).text
                        end.close()
                        return
    raise AssertionError("never asked for a move")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], "final_score"),
        (["host:port"], "'port' is not a port number"),
        (
            ["--command", "no-such-engine"],
            "Error: --command: command 'no-such-engine': there is no executable 'no-such-engine'",
        ),
        (["127.0.0.1:1", "--engine"], "cannot reach a Boardgate server at 127.0.0.1:1"),
    ],
)
def test_the_command_teaches(words: list[str], said: str) -> None:
    assert said in CliRunner().invoke(main, ["gtp", *words]).output
