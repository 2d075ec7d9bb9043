"""The origin of a browser's request is ours, or it is not: by name, port and scheme, for each kind of listener."""

from __future__ import annotations

import socket

import pytest

from gateway.web.origin import is_ours

NAMES = {"games.example.org", "0.0.0.0"}


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://localhost:8080", "localhost:8080"),
        ("http://[::1]:8080", "[::1]:8080"),
        ("http://192.168.1.5:8080", "192.168.1.5:8080"),
        ("http://192.168.1.5", "192.168.1.5:80"),
        ("http://games.example.org", "games.example.org"),
        ("http://Games.Example.org:8080", "games.example.ORG:8080"),
        ("http://den:8080", "den:8080"),
        ("http://den.local:8080", "den.local:8080"),
        ("http://den.home.arpa", "den.home.arpa"),
        (f"http://{socket.gethostname()}:8080", f"{socket.gethostname()}:8080"),
        ("https://games.example.org", "games.example.org:443"),
    ],
)
def test_a_page_of_this_server_is_ours(origin: str, host: str) -> None:
    assert is_ours(origin, host, NAMES, secure=False, proxied=False)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example.net", "games.example.org"),
        ("http://evil.example.net:8080", "evil.example.net:8080"),  # DNS rebinding: its name leads here
        ("http://127.0.0.1:8081", "127.0.0.1:8080"),
        ("http://localhost:8080", "127.0.0.1:8080"),
        ("http://games.example.org.evil.example.net", "games.example.org"),
        ("http://evilgames.example.org", "games.example.org"),
        ("http://evil.example.net/.local", "evil.example.net"),
        ("http://evil.example.net?.local", "evil.example.net"),
        ("null", "games.example.org"),
        ("", "games.example.org"),
        ("", ""),
        ("http://", ""),
        ("file://", ""),
        ("games.example.org", "games.example.org"),
        ("moz-extension://games.example.org", "games.example.org"),
        ("http://games.example.org:port", "games.example.org"),
        ("http://games.example.org", "games.example.org:99999"),
        ("http://[::1", "[::1"),
        ("http://games.example.org, http://games.example.org", "games.example.org"),
    ],
)
def test_any_other_page_is_not(origin: str, host: str) -> None:
    assert not is_ours(origin, host, NAMES, secure=False, proxied=False)


def test_behind_a_certificate_any_host_is_ours_for_the_browser_has_seen_its_name() -> None:
    assert is_ours("https://chess.example.com", "chess.example.com", NAMES, secure=True, proxied=False)
    assert is_ours("https://chess.example.com:8443", "chess.example.com:8443", NAMES, secure=True, proxied=False)
    assert not is_ours("https://evil.example.net", "chess.example.com", NAMES, secure=True, proxied=False)


def test_a_page_without_encryption_is_foreign_to_a_server_with_it() -> None:
    assert not is_ours("http://games.example.org", "games.example.org", NAMES, secure=True, proxied=False)
    assert not is_ours("http://games.example.org", "games.example.org", NAMES, secure=True, proxied=True)


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        ("https://chess.example.com", "chess.example.com", True),
        ("https://chess.example.com:8443", "chess.example.com", True),  # nginx's $host has no port
        ("https://games.example.org", "boardgate:8081", True),  # the proxy has put its own name of us there
        ("https://evil.example.net", "chess.example.com", False),
    ],
)
def test_a_proxy_may_change_the_host(origin: str, host: str, ours: bool) -> None:
    assert is_ours(origin, host, NAMES, secure=True, proxied=True) is ours
