"""The address that ``boardgate serve`` prints for a browser on the same machine."""

from __future__ import annotations

import pytest

from gateway.cli.listening import opened_by_browser
from gateway.config import parse_listener


@pytest.mark.parametrize(
    ("listener", "secure", "address"),
    [
        ("http=127.0.0.1:8080", False, "http://127.0.0.1:8080"),
        ("http=0.0.0.0:8080", False, "http://127.0.0.1:8080"),
        ("http=[::]:8443", True, "https://[::1]:8443"),
        ("http=games.example.org:80", False, "http://games.example.org:80"),
    ],
)
def test_the_address_to_open_is_one_that_this_machine_reaches(listener: str, secure: bool, address: str) -> None:
    assert opened_by_browser(parse_listener(listener), secure) == address
