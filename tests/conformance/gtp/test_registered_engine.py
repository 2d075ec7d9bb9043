"""An engine that dials in with a ticket plays at its registered table; its seat goes on from another dialect."""

from __future__ import annotations

import re
from pathlib import Path

from tests import peers
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import Engine, Reply
from tests.conformance.gtp.test_first_lines import running
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient

HTTP, ENGINES, GUIS, BOGAPROT = range(4)


@peers.needed
def test_an_engine_with_a_ticket_plays_at_its_registered_table_and_its_seat_goes_on_over_bogaprot(
    tmp_path: Path,
) -> None:
    """ "Registered tables wait for exactly their players, in every dialect; a ticket takes its seat and takes it back
    from any dialect"."""
    peers.program("socat")
    with fast(tmp_path, "http", "gtp-engine,size=19", "gtp-gui", "bogaprot") as server:
        host = Host(server.ports[HTTP])
        table, (ticket, engine) = host.registers("go", "anna", "gnu", options={"size": 9, "komi": 6.5})
        gui = OnPort(server.ports[GUIS], "anna", ticket)
        gui.sets("boardsize 9", "clear_board", "komi 6.5")
        pipe = rf"boardgate gtp --engine localhost\:{server.ports[ENGINES]} --name gnu --ticket {engine}"
        with running(f'socat EXEC:"gnugo --mode gtp --level 1" EXEC:"{pipe}"'):
            gui.sets("play b D4")
            assert re.fullmatch(r"= [A-HJ][1-9]", gui.asks("genmove w"))
            assert [seat["name"] for seat in host.table(table)["seats"]] == ["anna", "gnu"]
        gui.sends("play b A1")
        assert gui.answer() == "="
        elsewhere = SpecClient(server.ports[BOGAPROT])
        assert elsewhere.handshake(f"go#{engine}") == ("RSP_HANDSHAKE", 0)
        assert elsewhere.until("REQ_MOVE") == ("REQ_MOVE", 1)
        elsewhere.move(-1, 80, "white")
        assert elsewhere.until("RSP_MOVE") == ("RSP_MOVE", 0)
        assert gui.asks("genmove w") == "= J1"
        gui.close()


def test_two_engines_play_the_registered_game_whatever_their_listeners_say(tmp_path: Path) -> None:
    """Both listeners are for 19x19 without a clock; the game is registered with another board, komi and time."""
    with fast(tmp_path, "http", "gtp-engine,size=19") as server:
        host = Host(server.ports[HTTP])
        table, tickets = host.registers("go", "gnu", "fuego", time="60", options={"size": 9, "komi": 3.5})
        names = ("gnu", "fuego")
        with (
            _engine(server.ports[ENGINES], names[0], tickets[0]) as black,
            _engine(server.ports[ENGINES], names[1], tickets[1]),
        ):
            host.until(table, "GameEnded")
            assert {"boardsize 9", "komi 3.5", "time_settings 60 0 0"} <= set(black.asked)
            sizes = [asked for asked in black.asked if asked.startswith("boardsize")]
            assert sizes[0] == "boardsize 9"  # what comes after the game is for the next one


def test_an_engine_that_cannot_play_its_registered_game_says_why_and_another_one_takes_its_seat(tmp_path: Path) -> None:
    """ "An engine that cannot play them is told and the table's players hear why." """
    with fast(tmp_path, "http", "gtp-engine,size=19", "gtp-gui") as server:
        host = Host(server.ports[HTTP])
        _, (ticket, engine) = host.registers("go", "anna", "gnu", options={"size": 9})
        gui = OnPort(server.ports[GUIS], "anna", ticket)
        gui.sets("boardsize 9")
        with _engine(server.ports[ENGINES], "gnu", engine, boardsize="? unacceptable size") as small:
            small.wait_until_asked("boardsize")
            why = "gnu refuses boardsize 9 (unacceptable size)"
            assert gui.asks("play b D4") == f"? gnu declines this game: {why}"
            assert gui.asks("play b D4") == f"? gnu declines this game: {why}"
            assert f"the game registered for gnu is 9x9, area: {why}" in small.comments
        with _engine(server.ports[ENGINES], "gnu", engine):
            assert gui.asks("play b D4") == "="
            assert gui.asks("genmove w") == "= resign"
        gui.close()


def test_a_client_without_a_word_for_proposals_plays_the_engine_that_can_play_the_registered_game(
    tmp_path: Path,
) -> None:
    with fast(tmp_path, "http", "gtp-engine,size=19", "gtp-gui", "bogaprot") as server:
        host = Host(server.ports[HTTP])
        _, (ticket, engine) = host.registers("go", "anna", "gnu", options={"size": 9})
        client = SpecClient(server.ports[BOGAPROT])
        assert client.handshake(f"go#{ticket}") == ("RSP_HANDSHAKE", 0)
        with _engine(server.ports[ENGINES], "gnu", engine, boardsize="? unacceptable size") as small:
            small.wait_until_asked("boardsize")
        with _engine(server.ports[ENGINES], "gnu", engine):
            assert client.until("REQ_MOVE") == ("REQ_MOVE", 0)
        client.close()


def _engine(port: int, name: str, ticket: str, **replies: Reply) -> Engine:
    return Engine(port, {"genmove": "resign", **replies}, first=f"{name}\n{ticket}\n")
