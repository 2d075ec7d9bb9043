"""Half-open connections: TCP keep-alive finds peers whose network drops every packet.

The server runs with these constants in small; everything else is real: two hosts, a network between, a firewall.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.conformance.relay_networks import networks
from tests.deploy.namespaces import enter
from tests.faults.guests import GAME, TICKET, Guest

pytestmark = peers.needed

IDLE_S, INTERVAL_S, PROBES = 2, 1, 2
PROGRAM: Final = f"""
from gateway.net import sockets
sockets.KEEPALIVE_IDLE_S, sockets.KEEPALIVE_INTERVAL_S, sockets.KEEPALIVE_PROBES = {IDLE_S}, {INTERVAL_S}, {PROBES}
from gateway.cli import main
main()
"""
PORT: Final = 5700
FOUND_S: Final = IDLE_S + INTERVAL_S * PROBES + 4.0
"""Seconds until a peer is found to be gone, on a machine that does other things, too."""


class Away(Guest):
    """A guest on a host of a small network. Its socket stays there; the thread that made it is gone."""

    HOST = "0.0.0.0"
    SERVER = networks.SERVER

    def __init__(self, host: networks.Host) -> None:
        failed: list[BaseException] = []

        def dial() -> None:
            try:
                with open(f"/run/netns/{host.name}") as space:
                    enter(space.fileno())
                self._dial()
            except BaseException as failure:
                failed.append(failure)

        thread = threading.Thread(target=dial)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]

    def _dial(self) -> None:
        super().__init__(PORT)


@contextmanager
def serving(street: networks.Street, data: Path) -> Iterator[None]:
    listener = f"bogaprot={networks.SERVER}:{PORT},bot_after=never"
    command = [
        *street.server.prefix(),
        sys.executable,
        "-c",
        PROGRAM,
        "serve",
        "--data",
        str(data),
        "--listen",
        listener,
    ]
    with (data / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        assert "ready\n" in process.stdout, (data / "server.log").read_text()
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def street(tmp_path: Path) -> Iterator[networks.Street]:
    with networks.in_the_open() as found, serving(found, tmp_path):
        yield found


@pytest.mark.parametrize("something", [True, False], ids=["something was sent to it", "nothing was sent to it"])
def test_a_peer_that_is_gone_without_a_word_is_found_and_may_come_back(
    street: networks.Street, something: bool
) -> None:
    with Away(street.alice) as anna, Away(street.bob) as bert:
        assert anna.joins(f"{GAME}#{TICKET}") == 0
        assert bert.joins(f"{GAME}#{TICKET[::-1]}") == 1
        assert anna.puts(4) == (0,)
        assert bert.hear("MSG_MOVE") == (-1, 4, "x")
        assert bert.puts(0) == (0,)
        street.bob.cut_off("drop")
        gone = time.monotonic()
        if something:
            assert anna.puts(8) == (0,)
        anna.hears_lost(1)
        assert time.monotonic() - gone < FOUND_S
        street.bob.mend("drop")
        with Away(street.bob) as back:
            assert back.joins(f"{GAME}#{TICKET[::-1]}") == 1
            if not something:
                assert anna.puts(8) == (0,)
            assert back.puts(1) == (0,)
