"""The relay's TLS listener, from `relay open` to the end of a game, and garbage sent to it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.certificates import Authority
from tests.clients.xboard_process import SOON_S, Gui
from tests.clients.xboard_process import running as xboard
from tests.conformance.over_tls.secure import COMMAND, DIALECTS, Secure, port, run
from tests.conformance.servers import fast
from tests.faults.guests import PATIENCE_S, Guest
from tests.running import RunningServer


@pytest.fixture
def there(club: Authority, tmp_path: Path) -> Iterator[RunningServer]:
    """A server of its own, whose certificate may change."""
    with fast(tmp_path / "data", f"http,{club.options()}", f"relay,{club.options()}") as found:
        yield found
        assert found.stop() == 0
        assert not any(word in found.log.read_text() for word in ("Traceback", "relay failed"))


def api(running: RunningServer, club: Authority, place: int = 0) -> tuple[str, ...]:
    return ("--server", f"https://localhost:{running.ports[place]}", "--tls-ca", str(club.file))


def opened(running: RunningServer, club: Authority) -> tuple[str, str]:
    """A new code, and the relay's address as `relay open` tells them to scripts."""
    status, said = run("relay", "open", *api(running, club), "--json")
    assert status == 0, said
    found = json.loads(said)
    assert found["relay_tls"] is True
    return found["code"], f"tls://{found['server']}:{found['relay_port']}"


def metrics(running: RunningServer, club: Authority) -> dict[str, float]:
    with urlopen(f"https://localhost:{running.ports[0]}/metrics", context=club.trust) as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def read_certificates_anew(running: RunningServer) -> None:
    os.kill(running.process.pid, signal.SIGHUP)
    deadline = time.monotonic() + PATIENCE_S
    while "event=reloaded " not in running.log.read_text():
        assert time.monotonic() < deadline, running.log.read_text()
        time.sleep(0.01)


def test_what_open_tells_both_friends_to_type_has_tls_in_it(there: RunningServer, club: Authority) -> None:
    status, said = run("relay", "open", *api(there, club))
    assert status == 0
    where = f"tls://localhost:{there.ports[1]} --tls-ca {club.file}"
    assert said.count(f"--server {where}") == 3
    code = said.split("\n    ")[1].split()[0]
    assert f"boardgate xboard --relay {code} {where}\n" in said


async def _moves(mover: Gui, move: str, other: Gui) -> None:
    await mover.sends(f"usermove {move}")
    await other.until(f"move {move}")


async def test_two_helpers_play_a_game_while_the_certificate_changes(there: RunningServer, club: Authority) -> None:
    """The pair is not disturbed; who calls afterwards is shown the new one."""
    code, where = opened(there, club)
    options = (where, "--tls-ca", str(club.file), "--no-direct", "--relay", code, "--name")
    async with xboard(*options, "alice") as white, xboard(*options, "bob") as black:
        for gui in (white, black):
            await gui.introduce()
        await white.shows('feature myname="bob"')
        await white.shows("onnected through the relay at tls://localhost:")
        await black.sends("go")
        await white.until("wants to play Black")
        await _moves(white, "f2f3", black)
        with Secure(there.ports[1], club.trust) as caller:
            before = caller.certificate()
        ends = metrics(there, club)
        club.issues("localhost", days=91)
        read_certificates_anew(there)
        with Secure(there.ports[1], club.trust) as caller:
            assert caller.certificate() != before
        name = 'boardgate_certificate_ends_timestamp_seconds{listener="relay=127.0.0.1:0"}'
        assert metrics(there, club)[name] == pytest.approx(ends[name] + 86400, abs=600)
        await _moves(black, "e7e5", white)
        await _moves(white, "g2g4", black)
        await _moves(black, "d8h4", white)
        await black.sends("result 0-1 {Black mates}", "force")
        await white.until("0-1 {Black mates}")
        assert not any("onnection lost" in line for line in (*white.lines, *black.lines))
        await white.sends("quit")
        assert await white.ends() < SOON_S


def _end(code: str, where: str, club: Authority) -> subprocess.Popen[bytes]:
    words = ("relay", code, "--server", where, "--tls-ca", str(club.file), "--no-direct")
    return subprocess.Popen([*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _said(
    one: subprocess.Popen[bytes], words: bytes, other: subprocess.Popen[bytes], answer: bytes
) -> tuple[bytes, bytes]:
    """Both programs say this and no more; what each of them has heard when both ends have ended."""
    for process, last in ((one, words), (other, answer)):
        assert process.stdin is not None
        process.stdin.write(last)
        process.stdin.close()
        process.stdin = None
    heard = one.communicate(timeout=PATIENCE_S)[0], other.communicate(timeout=PATIENCE_S)[0]
    assert (one.returncode, other.returncode) == (0, 0)
    return heard


def test_garbage_disturbs_no_pair_and_is_counted_and_told_as_at_other_listeners(
    there: RunningServer, club: Authority
) -> None:
    code, where = opened(there, club)
    with _end(code, where, club) as one, _end(code, where, club) as other:
        assert one.stdin is not None
        one.stdin.write(b"first ")
        one.stdin.flush()
        hellos = [b"BOARDGATE-RELAY 1 MEET 23456789 " + b"A" * 22 + b" -\n", os.urandom(4000), b"\x16\x03\x01\xff\xff"]
        for hello in hellos:
            with contextlib.ExitStack() as strangers:
                for _ in range(20):
                    sock = strangers.enter_context(Guest(there.ports[1])).sock
                    with contextlib.suppress(ConnectionError):
                        sock.sendall(hello)
        assert _said(one, b"second", other, b"an answer") == (b"an answer", b"first second")
    deadline = time.monotonic() + PATIENCE_S
    while metrics(there, club)['boardgate_connections_turned_away_total{why="no tls"}'] < 60:
        assert time.monotonic() < deadline
    assert 'event="no TLS"' in there.log.read_text()


def test_a_relay_that_cannot_be_trusted_is_not_called_and_the_user_is_told_why(
    host: RunningServer, club: Authority, stranger: Authority
) -> None:
    code = json.loads(run("relay", "open", *api(host, club, DIALECTS.index("http")), "--json")[1])["code"]
    relay = port(host, "relay")
    for words, why in (
        (("--server", f"tls://127.0.0.1:{relay}", "--tls-ca", str(club.file)), "not trusted: IP address mismatch"),
        (("--server", f"tls://localhost:{relay}", "--tls-ca", str(stranger.file)), "not trusted: unable to get local"),
        (("--server", f"tls://localhost:{relay}"), "not trusted: unable to get local issuer certificate"),
    ):
        status, said = run("relay", code, *words)
        assert (status, why in said, "Traceback" in said) == (1, True, False), said
    status, said = run("relay", code, "--server", f"localhost:{relay}", "--tls-ca", str(club.file))
    assert (status, "looked at with TLS only: write tls://localhost" in " ".join(said.split())) == (2, True), said


def test_a_server_that_is_emptied_opens_no_code_and_lets_those_meet_who_have_one(
    there: RunningServer, club: Authority
) -> None:
    code, where = opened(there, club)
    there.process.send_signal(signal.SIGUSR1)
    deadline = time.monotonic() + PATIENCE_S
    while "event=draining" not in there.log.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    status, said = run("relay", "open", *api(there, club))
    assert (status, "opens no new rooms: it is about to be restarted" in said) == (1, True)
    with _end(code, where, club) as one, _end(code, where, club) as other:
        assert _said(one, b"hello", other, b"") == (b"", b"hello")
