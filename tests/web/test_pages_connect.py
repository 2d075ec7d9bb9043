"""The page that says how to connect: this server's hosts and ports, and commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gateway import registry
from gateway.cli import main
from gateway.config import DEFAULT_LISTENERS, Listen
from gateway.web.pages.connect import RELAYED, ways
from tests.web.browsing import asked, checked
from tests.web.club import club

HTTP = "http://games.example.org"


def test_every_listener_is_shown_with_its_own_port() -> None:
    shown = ways(DEFAULT_LISTENERS, "games.example.org", HTTP)
    addresses = [port.address for way in shown for port in way.ports]
    assert [f"games.example.org:{listen.port}" in addresses for listen in DEFAULT_LISTENERS[1:]] == [True] * 13
    by_name = {way.name: way for way in shown}
    assert by_name["gtp-engine"].games == ("Go",)
    assert ("XBoard", 'xboard -fcp "boardgate xboard games.example.org:27015"') in by_name["chess-p2p"].ports[
        0
    ].commands
    assert by_name["bogaprot"].ports[2].commands[0] == (
        "A program that sends no handshake plays Arimaa here",
        "games.example.org:5702",
    )
    assert by_name["bogaprot"].every
    assert not re.search(r"\{\w+\}", str(shown))


BY_HTTP = ("gamesman", "lichess-bot")
"""Dialects that the page shows without a port of their own."""


def test_a_port_says_its_game_its_options_its_tls_and_who_can_reach_it() -> None:
    listening = [
        Listen("gtp-engine", "0.0.0.0", 5020, {"size": "19", "tls_cert": "/a/b.pem", "tls_key": "/a/c.pem"}),
        Listen("miniature", "127.0.0.1", 5010),
    ]
    go, telnet = (way.ports[0] for way in ways(listening, "here", HTTP) if way.name not in BY_HTTP)
    assert go.remarks == ("TLS", "size 19")
    assert "/a/" not in str(go)
    assert telnet.remarks == ("from the server's own machine only",)


def test_a_port_behind_a_proxy_can_be_reached_from_elsewhere_and_does_not_say_how() -> None:
    listening = [
        Listen("gtp-engine", "127.0.0.1", 5020, {"size": "19", "proxy_protocol": "yes"}),
        Listen("miniature", "127.0.0.1", 5010, {"proxy_protocol": "no"}),
    ]
    go, telnet = (way.ports[0] for way in ways(listening, "here", HTTP) if way.name not in BY_HTTP)
    assert (go.remarks, telnet.remarks) == (("size 19",), ("from the server's own machine only",))


def test_a_dialect_that_says_nothing_is_shown_by_host_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = type("Plain", (registry.dialects()["miniature"],), {"name": "plain", "connecting": None})
    monkeypatch.setattr(registry, "dialects", lambda: {"plain": plain})
    (way,) = ways([Listen("plain", "0.0.0.0", 99)], "here", HTTP)
    assert (way.title, way.ports[0].commands) == ("plain", (("Host and port", "here:99"),))


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("games.example.org:8080", "--opponent bob games.example.org:8080"),
        ("[::1]:8080", "--opponent bob [::1]:8080"),
        ('x"><script>', "--opponent bob localhost:80"),
    ],
)  # fmt: skip
async def test_the_host_is_the_one_that_the_browser_asked_where_it_is_one(
    tmp_path: Path, host: str, shown: str
) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/connect", host=host))
    assert shown in page.words()
    assert "<script>" not in page.words()


def test_every_command_of_ours_exists_with_its_options() -> None:
    declared = [dialect.connecting for dialect in registry.dialects().values() if dialect.connecting]
    lines = [line for words in (*declared, RELAYED) for _, line in (*words.commands, *words.of_game)]
    ours = [found[1] for line in lines if (found := re.search(r"boardgate ([a-z0-9]+ [^\"]*(?:\"[^\"]*\")?)", line))]
    assert len(ours) >= 10
    for line in ours:
        name, *words = re.sub(r"\"[^\"]*\"", "", line.partition(" -- ")[0]).split()
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0, line
        assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[a-z-]+", result.output)), line
