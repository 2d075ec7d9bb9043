"""--listen names the addresses of the server's listeners."""

from __future__ import annotations

import pytest

from gateway.config import DEFAULT_LISTENERS, BadSetting, Listen, parse_listener


@pytest.mark.parametrize(
    ("text", "listener"),
    [
        ("http=127.0.0.1:8080", Listen("http", "127.0.0.1", 8080)),
        ("bogaprot=0.0.0.0:0", Listen("bogaprot", "0.0.0.0", 0)),
        ("bogaprot=games.example.org:5701,game=ludo", Listen("bogaprot", "games.example.org", 5701, {"game": "ludo"})),
        ("bogaprot=[::1]:5700,width=10,game=", Listen("bogaprot", "::1", 5700, {"width": "10", "game": ""})),
        ("x=a:1,time=5m=3s", Listen("x", "a", 1, {"time": "5m=3s"})),
    ],
)
def test_a_listener_is_read_and_written_alike(text: str, listener: Listen) -> None:
    assert parse_listener(text) == listener
    assert str(listener) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bogaprot", "DIALECT=HOST:PORT"),
        ("=127.0.0.1:1", "DIALECT=HOST:PORT"),
        ("bogaprot=5700", "'5700'"),
        ("bogaprot=127.0.0.1:", "HOST:PORT"),
        ("bogaprot=127.0.0.1:port", "'127.0.0.1:port'"),
        ("bogaprot=127.0.0.1:65536", "65535"),
        ("bogaprot=127.0.0.1:-1", "HOST:PORT"),
        ("bogaprot=::1:5700", "[::1]:5700"),
        ("bogaprot=a b:5700", "HOST:PORT"),
        ("bogaprot=127.0.0.1:5700,ludo", "'ludo' is not KEY=VALUE"),
        ("bogaprot=127.0.0.1:5700,=ludo", "'=ludo' is not KEY=VALUE"),
        ("bogaprot=127.0.0.1:5700,", "'' is not KEY=VALUE"),
        ("bogaprot=127.0.0.1:5700,game=a,game=b", "game is given twice"),
    ],
)
def test_what_is_wrong_with_a_listener_is_said(text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        parse_listener(text)
    assert said in str(refusal.value)


def test_the_default_listeners_are_on_this_machine_only_and_on_ports_of_their_own() -> None:
    assert {listener.host for listener in DEFAULT_LISTENERS} == {"127.0.0.1"}
    ports = [8080, 5700, 5701, 5702, 5703, 5704, 27015, 5010, 5000, 6969, 5020, 5021, 6819, 5030]
    assert [listener.port for listener in DEFAULT_LISTENERS] == ports


def test_every_default_listener_can_be_given_on_the_command_line() -> None:
    assert tuple(parse_listener(str(listener)) for listener in DEFAULT_LISTENERS) == DEFAULT_LISTENERS
