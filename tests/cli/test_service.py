"""A service manager hears from the server itself that it is ready, and that it stops."""

from __future__ import annotations

import socket
from pathlib import Path
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from gateway.cli.service import READY, SOCKET, announce
from tests.running import server

LISTENS_S = 10.0


def listening(name: str | Path) -> socket.socket:
    """What a manager has."""
    found = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    found.settimeout(LISTENS_S)
    found.bind(str(name))
    return found


def test_a_manager_hears_when_players_can_come_and_when_they_are_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SOCKET, str(tmp_path / "manager"))
    with listening(tmp_path / "manager") as manager, server(tmp_path / "data", "bogaprot") as running:
        assert manager.recv(100) == b"READY=1"
        with socket.create_connection(("127.0.0.1", running.ports[0]), LISTENS_S):
            pass
        assert running.stop() == 0
        assert manager.recv(100) == b"STOPPING=1"


def test_a_managers_socket_may_have_a_name_that_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"boardgate-{uuid4()}"
    monkeypatch.setenv(SOCKET, f"@{name}")
    with listening(f"\0{name}") as manager:
        announce(READY)
        assert manager.recv(100) == b"READY=1"


def test_without_a_manager_nobody_is_told_and_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SOCKET, raising=False)
    with capture_logs() as log:
        announce(READY)
    assert log == []


def test_a_manager_that_is_gone_is_a_warning_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SOCKET, str(tmp_path / "nobody"))
    with capture_logs() as log:
        announce(READY)
    (line,) = log
    assert (line["log_level"], line["state"], line["error"][:9]) == ("warning", "READY=1", "[Errno 2]")
