"""TLS listeners: clients without TLS, slow handshakes, and certificates that change while games go on."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import ssl
import time
from pathlib import Path

import pytest

from tests.certificates import Authority
from tests.conformance.over_tls.secure import Secure, play, port
from tests.conformance.playing import assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.faults.guests import PATIENCE_S, Guest
from tests.running import RunningServer


@pytest.mark.parametrize(
    "hello", [b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 64, b"boardsize 9\n"], ids=("http", "nil", "gtp")
)
@pytest.mark.parametrize("dialect", ["bogaprot", "http", "relay"])
def test_who_does_not_speak_tls_is_hung_up_on(host: RunningServer, dialect: str, hello: bytes) -> None:
    with Guest(port(host, dialect)) as somebody:
        somebody.sock.sendall(hello)
        assert somebody.hung_up_after_s() < PATIENCE_S


@pytest.mark.parametrize("dialect", ["bogaprot", "http", "relay"])
@pytest.mark.parametrize("part", [0, 100])
def test_half_a_handshake_is_given_as_much_time_as_a_whole_one(
    hasty: RunningServer, club: Authority, dialect: str, part: int
) -> None:
    outgoing = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        club.trust.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    begun = time.monotonic()
    with Guest(port(hasty, dialect)) as slow:
        slow.sock.sendall(outgoing.read()[:part])
        assert slow.hung_up_after_s() < PATIENCE_S
    assert time.monotonic() - begun > 0.8


def test_who_has_shaken_hands_and_says_nothing_is_asked_to_leave_as_without_tls(
    hasty: RunningServer, club: Authority
) -> None:
    begun = time.monotonic()
    with Secure(port(hasty, "bogaprot"), club.trust) as silent:
        assert silent.hung_up_after_s() < PATIENCE_S
    assert time.monotonic() - begun > 0.8


def test_half_handshakes_of_one_address_keep_nobody_else_out(club: Authority, tmp_path: Path) -> None:
    """They count as connections of that address."""
    with (
        fast(tmp_path, f"bogaprot,{club.options()}", LIMITS_CONNECTIONS_PER_ADDRESS="4") as running,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(4):
            stack.enter_context(Guest(running.ports[0]))
        with Guest(running.ports[0]) as fifth:
            assert fifth.hung_up_after_s() < PATIENCE_S
        elsewhere = socket.create_connection(("127.0.0.1", running.ports[0]), PATIENCE_S, ("127.0.0.9", 0))
        with club.trust.wrap_socket(elsewhere, server_hostname="localhost") as welcome:
            assert welcome.version() == "TLSv1.3"


def test_a_new_certificate_is_for_new_connections_while_games_go_on(tmp_path: Path) -> None:
    """SIGHUP reads certificates anew; a file that is no good is told in the log, and the old one kept."""
    club, engine = Authority(tmp_path / "club"), "tic_tac_toe?time=2222"
    club.issues("localhost", days=90)
    with fast(
        tmp_path / "data", *(f"{dialect},{club.options()}" for dialect in ("bogaprot", "http", "relay"))
    ) as running:
        with Secure(running.ports[0], club.trust) as anna, Secure(running.ports[0], club.trust) as bert:
            assert (anna.joins(engine), bert.joins(engine)) == (0, 1)
            play(anna, bert, (0, 3))
            club.issues("localhost", days=91)
            for listener in running.ports:
                assert _shown(listener, club) == anna.certificate()
            _hang_up(running, "reloaded", 1)
            for listener in running.ports:
                assert _shown(listener, club) != anna.certificate()
            newest = _shown(running.ports[0], club)
            club.key.write_text("no key")
            _hang_up(running, "reloaded", 2)
            assert running.log.read_text().count("the old certificate is kept") == 3
            assert _shown(running.ports[0], club) == newest
            play(anna, bert, (1, 4, 2))
            assert (anna.hear("MSG_GAMEOVER"), bert.hear("MSG_GAMEOVER")) == ((0,), (0,))
        assert running.stop() == 0
    assert_newest_record_is_whole(running.data, 5)


def _shown(listener: int, club: Authority) -> bytes:
    with Secure(listener, club.trust) as somebody:
        return somebody.certificate()


def _hang_up(running: RunningServer, word: str, times: int) -> None:
    """SIGHUP, and wait until the log has said so for the so many-eth time."""
    os.kill(running.process.pid, signal.SIGHUP)
    deadline = time.monotonic() + PATIENCE_S
    while running.log.read_text().count(f"event={word} ") < times:
        assert time.monotonic() < deadline, running.log.read_text()
        time.sleep(0.01)


def test_a_server_without_certificates_outlives_a_hang_up(tmp_path: Path) -> None:
    with fast(tmp_path, "bogaprot") as running:
        os.kill(running.process.pid, signal.SIGHUP)
        with Guest(running.ports[0]) as anna:
            assert anna.joins("tic_tac_toe") == 0
        assert running.stop() == 0
