"""SIGHUP: read certificates anew, or the terminal of the server is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from gateway.cli.options import Written
from gateway.cli.rereading import Rereading
from gateway.cli.service import reload_on_hangup
from gateway.config import DEFAULT_FILE, Config
from gateway.net.tls import Certificate
from tests import peers
from tests.certificates import Authority
from tests.conformance.figures import figures, until
from tests.conformance.host import Host
from tests.faults.guests import GAME, Guest
from tests.processes import started
from tests.running import RunningServer, server

PATIENCE_S = 30.0


async def test_every_certificate_is_read_and_the_log_says_how_many_were_no_good(tmp_path: Path) -> None:
    clubs = [Authority(tmp_path / name) for name in ("one", "other")]
    for club in clubs:
        club.issues("localhost")
    certificates = [Certificate(club.cert, club.key, club.cert.parent.name) for club in clubs]
    before = [certificate.context for certificate in certificates]
    clubs[0].cert.unlink()
    with capture_logs() as log:
        async with trio.open_nursery() as nursery:
            await nursery.start(reload_on_hangup, certificates)
            os.kill(os.getpid(), signal.SIGHUP)
            with trio.fail_after(PATIENCE_S):
                while not any(line["event"] == "reloaded" for line in log):  # noqa: ASYNC110  # no event is set
                    await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    (done,) = [line for line in log if line["event"] == "reloaded"]
    assert (done["certificates"], done["refused"]) == (1, 1)
    assert [certificate.context is old for certificate, old in zip(certificates, before, strict=True)] == [True, False]


@peers.needed
def test_a_server_whose_terminal_is_closed_stops_as_if_told_to(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [str(peers.program("setsid")), "--ctty", sys.executable, "-m", "gateway.cli", "serve"]
    command += ["--data", str(tmp_path), "--listen", "bogaprot=127.0.0.1:0"]
    log = tmp_path / "log"
    with log.open("w") as errors, started(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=errors, text=True,
        env={**os.environ, "BOARDGATE_BOTS_WORKERS": "0"},
    ) as server:  # fmt: skip
        os.close(theirs)
        assert server.stdout is not None
        assert [server.stdout.readline().split()[0] for _ in range(2)] == ["listening", "ready"]
        os.close(ours)
        assert server.wait(PATIENCE_S) == 0
    assert "event=stopping signal=SIGTERM" in log.read_text()


FILE = """
[seats]
grace = "{grace}"
[limits]
connections = {connections}
receive_bytes = {receive_bytes}
[registration]
admin_token_file = "{token}"
accounts = "{accounts}"
"""

FIRST, SECOND = "a-token-of-at-least-22-characters", "another-token-of-22-characters"


class Hosted:
    """A server whose host writes its settings into a file."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "boardgate.toml"
        self.token = folder / "token"
        self.token.write_text(FIRST)
        self.chosen = {
            "grace": "60s", "connections": 100, "receive_bytes": 4096, "token": self.token, "accounts": "open"
        }  # fmt: skip
        self.write()

    def write(self, **changes: object) -> None:
        self.chosen |= changes
        self.file.write_text(FILE.format(**self.chosen))


def hang_up(running: RunningServer) -> list[str]:
    """Send SIGHUP; what the log says of settings then."""
    before = len(running.log.read_text())
    running.process.send_signal(signal.SIGHUP)
    text = until(lambda: running.log.read_text()[before:], lambda text: 'reread"' in text)
    return [line for line in text.splitlines() if "setting" in line]


def allows(port: int, token: str) -> bool:
    """True if the token is the host's."""
    asked = {"game": GAME, "seats": [{"name": "anna"}, {"name": "bert"}], "private": True}
    status, _ = Host(port, {"Authorization": f"Bearer {token}"}).ask("/api/tables", asked)
    return status != HTTPStatus.UNAUTHORIZED


def test_a_running_server_takes_its_settings_from_the_file_and_names_what_needs_a_restart(tmp_path: Path) -> None:
    host = Hosted(tmp_path)
    with server(tmp_path / "data", "bogaprot", "http", CONFIG=str(host.file)) as running:
        pages = running.ports[1]
        with Guest(running.ports[0]) as guest:
            assert allows(pages, FIRST)
            assert figures(pages)["boardgate_places",] == 100
            host.write(connections=50, receive_bytes=1000)
            host.token.write_text(SECOND)
            lines = hang_up(running)
            assert [line.partition("level=")[2] for line in lines] == [
                'warning event="settings need a restart" settings=limits.receive_bytes',
                'info event="settings reread" changed=limits.connections',
            ]
            assert figures(pages)["boardgate_places",] == 50
            assert (allows(pages, FIRST), allows(pages, SECOND)) == (False, True)
            assert guest.joins(GAME) == 0
        assert running.stop() == 0


def test_one_wrong_line_changes_nothing_and_is_named_with_its_place(tmp_path: Path) -> None:
    host = Hosted(tmp_path)
    with server(tmp_path / "data", "http", CONFIG=str(host.file)) as running:
        (pages,) = running.ports
        wrongs: list[tuple[dict[str, object], str]] = [
            ({"grace": "soon"}, "[seats] grace: 'soon' is no duration"),
            ({"accounts": "some"}, "[registration] accounts: 'some' is none of open, invitation, closed"),
            ({"token": tmp_path / "nowhere"}, "[registration] admin_token_file"),
        ]
        for wrong, said in wrongs:
            host.write(**{"connections": 50, **wrong})
            (line,) = hang_up(running)
            assert 'level=error event="settings not reread"' in line
            assert said in line
            assert figures(pages)["boardgate_places",] == 100
            assert allows(pages, FIRST)
            host.write(grace="60s", accounts="open", token=host.token)
        host.file.unlink()
        (line,) = hang_up(running)
        assert "No such file or directory" in line
        assert running.stop() == 0


def test_options_and_environment_go_over_the_file_as_at_the_start(tmp_path: Path) -> None:
    host = Hosted(tmp_path)
    with server(tmp_path / "data", "http", CONFIG=str(host.file), LIMITS_CONNECTIONS="70") as running:
        host.write(connections=50, accounts="closed")
        with host.file.open("a") as file:
            file.write('[server]\ndata = "elsewhere"\n[[listen]]\ndialect = "bogaprot"\naddress = "127.0.0.1:1"\n')
        (line,) = hang_up(running)
        assert line.endswith("changed=registration.accounts")
        assert figures(running.ports[0])["boardgate_places",] == 70
        assert running.stop() == 0


@pytest.mark.parametrize("first", ["", "[limits]\nconnections = 50\n"], ids=["made-later", "there-at-the-start"])
async def test_a_file_that_no_option_names_is_missed_where_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if first:
        DEFAULT_FILE.write_text(first)
    send, receive = trio.open_memory_channel[Config](1)
    with capture_logs() as log, trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            rereading = Rereading(Written(None), send.send_nowait)
            nursery.start_soon(rereading.run)
            if not first:
                DEFAULT_FILE.write_text("[limits]\nconnections = 50\n")
                rereading.ask()
                assert (await receive.receive()).limits.connections == 50
            DEFAULT_FILE.unlink()
            rereading.ask()
            while not log:  # noqa: ASYNC110  # no event is set
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
    assert [line["event"] for line in log] == ["settings not reread"]
    assert receive.statistics().current_buffer_used == 0
