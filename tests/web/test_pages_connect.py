"""The page that says how to connect: this server's hosts and ports, and commands that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner

from gateway import registry
from gateway.cli import main
from gateway.config import DEFAULT_LISTENERS, Listen
from gateway.web.pages.connect import AT_ONCE, RELAYED, program, ways
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


DECLARED = [words for dialect in registry.dialects().values() if (words := dialect.connecting)]
LINES = [line for words in (*DECLARED, RELAYED) for _, line in (*words.commands, *words.of_game)]
WORDS = {"host": "localhost", "port": "1", "address": "localhost:1", "http": "http://localhost:1", "game": "Ludo"}


def _ours(line: str) -> list[list[str]]:
    """The commands of ours in a line: it is one, or gives one to another program."""
    words = shlex.split(line.format_map(WORDS))
    if words[0] == "boardgate":
        return [words[1:]]
    parts = [part for word in words for part in word.split("\\n") if "boardgate " in part]
    return [shlex.split(part.partition("boardgate ")[2]) for part in parts]


def test_every_command_of_ours_is_understood_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its words are read and checked, and nothing is started."""
    monkeypatch.setattr(Command, "invoke", lambda self, context: None)
    commands = [words for line in LINES for words in _ours(line)]
    assert len(commands) >= 25
    for words in commands:
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.output) == (0, ""), words
    assert CliRunner().invoke(main, ["bot", "chess", "--no-such-word"]).exit_code == 2


NO_PLAYERS = (
    "make postgresql haproxy socat xvfb xdotool iproute2 nftables docker.io docker-compose docker-registry debootstrap "
    "certbot pebble git groff openssl systemd python3-venv ca-certificates prometheus chromium "
    "chromium-headless-shell firefox-esr fonts-dejavu-core "
    "nats-server nodejs npm"
)
"""Programs that the tests need for something else than to play with them."""


def test_every_program_that_our_tests_play_with_is_in_the_table() -> None:
    script = (Path(__file__).parents[2] / ".ci" / "run").read_text(encoding="utf-8")
    (first, *more) = re.findall(r"peers\+?=\(([^)]*)\)", script)
    installed = set(" ".join((first, *more)).split())
    no_players = set(NO_PLAYERS.split())
    labelled = [f"{label} {line}" for words in DECLARED for label, line in words.commands]
    shown = set(re.findall(r"[\w+-]+", " ".join(labelled).lower()))
    assert sorted(installed - no_players - shown) == []
    assert installed >= no_players


def test_a_program_is_tried_or_not_and_the_page_says_which() -> None:
    for words in DECLARED:
        tried = {program(label).lower() for label, _ in words.commands}
        assert tried.isdisjoint(name.lower() for name in words.untried)
    by_name = {way.name: way for way in ways(DEFAULT_LISTENERS, "here", HTTP)}
    assert by_name["gtp-gui"].untried == ("GoGui", "Sabaki", "q5Go")


def test_a_long_list_is_folded_under_the_names_of_its_programs() -> None:
    port = next(way for way in ways(DEFAULT_LISTENERS, "here", HTTP) if way.name == "bogaprot").ports[0]
    assert len(port.shown) == AT_ONCE
    assert (*port.shown, *port.folded) == port.commands
    assert port.further.startswith("Fairy-Max, Fairy-Stockfish, ")
    assert port.further.endswith(", Toga II, GNU Go")


async def test_the_page_has_every_line_and_what_was_not_tried(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/connect"))
    assert "Not tried: lichess-bot, lichess-api for Python." in page.words()
    assert "curl -i -X POST" in page.words()
