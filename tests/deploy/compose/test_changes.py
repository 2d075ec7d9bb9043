"""What docs/compose.md says of a server that runs: other settings, a new version, another password; players stay."""

from __future__ import annotations

import json
import shlex
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.certificates import Authority
from tests.conformance.spec_client import PATIENCE_S
from tests.deploy.compose import handbook
from tests.deploy.compose.composition import Composition
from tests.deploy.guests import Couple

(PORT,) = handbook.words(r'ports: \["[^"]*:(\d+)"', handbook.OVERRIDE)
(ANEW,) = handbook.words(r"after one in the file: `([^`]+)`")
"""What a change of the gateway's settings asks for."""

Change = Callable[[Composition, Path], None]


def tls_for_players(composition: Composition, folder: Path) -> None:
    """The page's listener and its override file: a one-time port is reached; two bots verify the server, and play."""
    (composition.tree / "docker-compose.override.yml").write_text(handbook.OVERRIDE)
    composition.types(handbook.COPY)
    composition.types(handbook.READABLE)
    with (composition.tree / "deploy" / "settings" / "boardgate.toml").open("a") as file:
        file.write(f'\n[[listen]]\ndialect = "bogaprot"\naddress = "0.0.0.0:{PORT}"\n{handbook.LISTENER}')
    club = Authority(folder)
    club.issues(handbook.HOST)
    composition.script("certificate", str(club.cert), str(club.key))
    composition.up()
    composition.types(ANEW)
    composition.wait_until_healthy("gateway")
    opened = json.loads(composition.boardgate("relay", "open", "--json"))
    socket.create_connection(("127.0.0.1", opened["port"]), PATIENCE_S).close()
    bot = [sys.executable, "-m", "gateway.cli", "bot", "tic_tac_toe", f"tls://{handbook.HOST}:{PORT}", "--games=1"]
    typed = shlex.join([*bot, f"--tls-ca={club.file}"])
    assert composition.types(f"{typed} & {typed}; wait", folder="/").count("game 1: ") == 2
    logged = composition.compose("logs", "--no-color", "--no-log-prefix", "--tail=100", "gateway").splitlines()
    assert [json.loads(line) for line in logged if line.startswith("{")]


def a_new_password(composition: Composition, _: Path) -> None:
    before = composition.inside("database", "cat", "/run/secrets/database/password")
    composition.types(handbook.NEW_PASSWORD)
    composition.wait_until_healthy("gateway")
    assert composition.inside("database", "cat", "/run/secrets/database/password") != before


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param(tls_for_players, ("Nan", "Tim"), marks=pytest.mark.nightly),
        pytest.param(a_new_password, ("Eva", "Leo"), marks=pytest.mark.nightly),
    ],
)
def test_players_survive(composition: Composition, tmp_path: Path, change: Change, names: tuple[str, str]) -> None:
    """ "which players survive (their seats wait for `seats.grace`, a minute)" """
    with composition.engine.network():
        couple = Couple(composition.engine.network, *names)
        couple.play(4)
        change(composition, tmp_path)
        couple.come_back()
        couple.finish()


def test_settings_are_read_anew_without_a_restart(composition: Composition) -> None:
    """ "The log names what was taken over and what waits for a restart" """
    own = composition.tree / "deploy" / "settings" / "boardgate.toml"
    composition.types(handbook.COPY)
    composition.types(handbook.READABLE)
    composition.types(ANEW)
    composition.wait_until_healthy("gateway")
    served = composition.inspect("gateway")["State"]["Pid"]
    with own.open("a") as file:
        file.write("\n[limits]\nobservers = 7\nunread = '20s'\n")
    assert "WRONG" not in composition.types(handbook.REREAD)
    composition.wait_until_logged("gateway", "changed=limits.observers")
    composition.wait_until_logged("gateway", "settings=limits.unread")
    assert composition.inspect("gateway")["State"]["Pid"] == served
    own.unlink()
    composition.types(ANEW)
    composition.wait_until_healthy("gateway", but_not=served)
