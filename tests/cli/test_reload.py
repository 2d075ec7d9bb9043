"""SIGHUP: read certificates anew, or the terminal of the server is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import trio
from structlog.testing import capture_logs

from gateway.cli.service import reload_on_hangup
from gateway.net.tls import Certificate
from tests import peers
from tests.certificates import Authority
from tests.processes import started

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
