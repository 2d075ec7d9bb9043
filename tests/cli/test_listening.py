"""The address that ``boardgate serve`` prints for a browser on the same machine."""

from __future__ import annotations

import pytest

from gateway.cli.listening import Listening, opened_by_browser
from gateway.config import Config, parse_listener


@pytest.mark.parametrize(
    ("listener", "secure", "address"),
    [
        ("http=127.0.0.1:8080", False, "http://127.0.0.1:8080"),
        ("http=0.0.0.0:8080", False, "http://127.0.0.1:8080"),
        ("http=[::]:8443", True, "https://127.0.0.1:8443"),
        ("http=games.example.org:80", False, "http://games.example.org:80"),
    ],
)
def test_the_address_to_open_is_one_that_this_machine_reaches(listener: str, secure: bool, address: str) -> None:
    assert opened_by_browser(parse_listener(listener), secure) == address


def test_a_listener_that_only_proxies_reach_is_not_to_be_opened() -> None:
    opened = Listening(Config())
    for options in (",proxy_protocol=yes", ",proxy=yes", ""):
        opened.open(parse_listener(f"http=127.0.0.1:0{options}"))
    assert opened.to_open() == [f"http://127.0.0.1:{opened.shown()[1].port}"]
    opened.close()
