"""A joining client states its options, its address and its own tickets."""

from __future__ import annotations

import pytest

from clients.joining import Address, Wish, address, new_ticket
from protocols.bogaprot.words import request


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "127.0.0.1", 5700),
        ("games.example.org", "games.example.org", 5700),
        ("games.example.org:99", "games.example.org", 99),
        (":5999", "127.0.0.1", 5999),
        ("::1", "::1", 5700),
        ("[::1]:5999", "::1", 5999),
    ],
)
def test_an_address_is_read_as_people_write_it(text: str, host: str, port: int) -> None:
    assert address(text) == Address(host, port)


@pytest.mark.parametrize("text", ["host:", "host:0", "host:65536", "host:http"])
def test_what_is_no_port_is_shown(text: str) -> None:
    with pytest.raises(ValueError, match="is not a port number"):
        address(text)


def test_an_address_is_written_so_that_it_can_be_read() -> None:
    for text in ("games.example.org:99", "[::1]:5700"):
        assert str(address(text)) == text


def test_an_address_with_tls_says_so_and_is_typed_again_with_its_authority() -> None:
    found = address("tls://games.example.org", ca="my ca.pem")
    assert found == Address("games.example.org", 5700, tls=True, ca="my ca.pem")
    assert str(found) == "tls://games.example.org:5700"
    assert found.typed() == "tls://games.example.org:5700 --tls-ca 'my ca.pem'"
    assert (found.url(), address("::1").url()) == ("https://games.example.org:5700", "http://[::1]:5700")
    assert address("tls://[::1]:99") == Address("::1", 99, tls=True)
    assert address("tls://") == Address("127.0.0.1", 5700, tls=True)


def test_an_authority_without_tls_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"looked at with TLS only: write tls://games\.example\.org"):
        address("games.example.org", ca="ca.pem")
    assert address("tls://games.example.org", 5030, "ca.pem") == Address("games.example.org", 5030, True, "ca.pem")


def test_wishes_and_ticket_arrive_at_the_server_as_they_were_meant() -> None:
    wish = Wish("ludo", "Ann & Bo #1", "ggzboard", 4, "bot", "T" * 24, "300+3")
    join = request(wish.engine())
    assert (join.game, join.name, join.ticket) == ("ludo", "Ann & Bo #1", "T" * 24)
    assert dict(join.wishes) == {"variant": "ggzboard", "seats": "4", "against": "bot", "time": "300+3"}


def test_the_games_own_options_are_wishes_too_and_are_typed_as_they_were() -> None:
    wish = Wish("go", "alice", options=(("size", "9"), ("start", "moves D4 Q16")))
    assert request(wish.engine()).wishes == (("size", "9"), ("start", "moves D4 Q16"))
    assert wish.choices() == " --option size=9 --option 'start=moves D4 Q16'"
    assert Wish("go").choices() == ""


def test_what_is_left_to_the_server_is_not_said() -> None:
    assert Wish("checkers").engine() == "checkers"


def test_tickets_are_long_enough_to_be_taken_and_never_the_same() -> None:
    assert len(new_ticket()) >= 22
    assert new_ticket() != new_ticket()
