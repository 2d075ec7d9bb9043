"""Whole games over TLS in three dialects, by our own clients and others; HTTP's answers over it."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from pathlib import Path
from urllib.request import urlopen

from clients.client_state import ClientState
from clients.connection import Connection
from clients.joining import Address, Wish
from clients.session import Session
from gateway import registry
from tests.certificates import Authority
from tests.clients.xboard_process import SOON_S
from tests.clients.xboard_process import running as xboard
from tests.conformance.gtp.ends import PIPE, OnPipes
from tests.conformance.over_tls.secure import COMMAND, DIALECTS, Secure, place, play, port, run
from tests.conformance.playing import assert_newest_record_is_whole
from tests.running import RunningServer


def test_a_line_says_where_tls_is_spoken(host: RunningServer, club: Authority) -> None:
    where = f"127.0.0.1:{port(host, 'bogaprot')}"
    assert host.lines[0] == f"listening bogaprot {where} tls_cert={club.cert} tls_key={club.key}"


def test_a_bogaprot_game_is_played_to_its_end(host: RunningServer, club: Authority) -> None:
    engine = "tic_tac_toe?time=1111"
    with Secure(port(host, "bogaprot"), club.trust) as anna, Secure(port(host, "bogaprot"), club.trust) as bert:
        assert (anna.joins(engine), bert.joins(engine)) == (0, 1)
        play(anna, bert, (0, 3, 1, 4, 2))
        assert (anna.hear("MSG_GAMEOVER"), bert.hear("MSG_GAMEOVER")) == ((0,), (0,))
    assert_newest_record_is_whole(host.data, 5)


def test_two_bots_at_their_own_ends_play_over_tls(host: RunningServer, club: Authority) -> None:
    words = ["bot", "connect_four", place(host, "bogaprot"), "--tls-ca", str(club.file), "--games", "1"]
    first = subprocess.Popen([*COMMAND, *words, "--level", "1"], stdout=subprocess.PIPE, text=True)
    status, second = run(*words, "--level", "1")
    told, _ = first.communicate(timeout=30)
    assert (first.returncode, status) == (0, 0)
    assert sorted(line.split(": ")[-1] for line in (told.strip(), second.strip())) in (["lost", "won"], ["drawn"] * 2)


def test_the_terminals_connection_is_welcome(host: RunningServer, club: Authority) -> None:
    session = Session(Wish("ludo", "erin"), ClientState(registry.game("ludo"), ""))
    where = Address("localhost", port(host, "bogaprot"), tls=True, ca=str(club.file))

    async def comes_and_goes() -> bool:
        connection = Connection(session, where)
        await connection.open()
        up = connection.up
        await connection.close()
        return up

    assert asyncio.run(comes_and_goes())
    assert session.welcome


async def test_a_chess_p2p_game_is_played_between_two_guis(host: RunningServer, club: Authority) -> None:
    where = (place(host, "chess-p2p"), "--tls-ca", str(club.file))
    async with xboard(*where, "--name", "alice") as white, xboard(*where, "--name", "bob") as black:
        for gui in (white, black):
            await gui.introduce()
        await black.sends("go")
        await white.sends("usermove f2f3")
        await black.until("move f2f3")
        for mover, move, other in ((black, "e7e5", white), (white, "g2g4", black), (black, "d8h4", white)):
            await mover.sends(f"usermove {move}")
            await other.until(f"move {move}")
        await white.until("0-1")
        await white.sends("quit")
        assert await white.ends() < SOON_S


def test_a_go_game_is_played_over_two_pipes(host: RunningServer, club: Authority) -> None:
    words = (*PIPE, place(host, "gtp-gui"), "--tls-ca", str(club.file))
    black, white = OnPipes([*words, "--name", "alice"]), OnPipes([*words, "--name", "bob"])
    with contextlib.closing(black), contextlib.closing(white):
        black.sends("boardsize 5", "komi 5.5", "play b C3")
        white.sends("boardsize 5", "komi 5.5", "genmove b")
        assert [black.answer() for _ in range(3)] == ["=", "=", "="]
        assert [white.answer() for _ in range(3)] == ["=", "=", "= C3"]
        white.sends("play w B2")
        assert (black.asks("genmove w"), white.answer()) == ("= B2", "=")
        black.sends("play b resign")
        assert (white.asks("genmove b"), black.answer()) == ("= resign", "=")
        for end in (black, white):
            assert end.asks("quit") == "="


def test_a_table_is_registered_and_shown_over_https(host: RunningServer, club: Authority) -> None:
    server = ("--server", f"https://localhost:{port(host, 'http')}", "--tls-ca", str(club.file))
    status, said = run("register", "chess", "alice", "bob", *server)
    assert (status, "A ticket takes its seat" in said) == (0, True)
    assert "alice" in run("tables", *server)[1]


def test_the_figures_of_a_running_server_have_its_certificates_and_its_commits(
    host: RunningServer, club: Authority
) -> None:
    with urlopen(f"https://localhost:{port(host, 'http')}/metrics", context=club.trust) as answer:
        found = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
    ends = [name for name in found if name.startswith("boardgate_certificate_ends_timestamp_seconds{")]
    assert len(ends) == len(DIALECTS)
    assert float(found["boardgate_ready"]) == 1
    assert float(found["process_open_fds"]) > len(DIALECTS)


def test_gamesman_is_played_over_https(host: RunningServer, club: Authority, tmp_path: Path) -> None:
    server = ("--server", f"https://localhost:{port(host, 'http')}", "--tls-ca", str(club.file))
    assert run("register", "tic_tac_toe", "carol", "dave", *server)[0] == 0
    words = ("play", "tic_tac_toe", place(host, "http"), "--dialect", "gamesman", "--tls-ca", str(club.file))
    typed = tmp_path / "typed"
    typed.write_text("b2\n")
    with typed.open() as keys:
        second = subprocess.Popen(
            [*COMMAND, *words, "--name", "dave", "--opponent", "carol"], stdin=keys, stdout=subprocess.PIPE, text=True
        )
    status, said = run(*words, "--name", "carol", "--opponent", "dave", typed="a3\nresign\n")
    told, _ = second.communicate(timeout=30)
    assert (status, "You have resigned." in said, "carol has resigned" in told) == (0, True, True), said + told
