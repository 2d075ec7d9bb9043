"""Bans match networks of every size and names with look-alikes, until they end."""

from __future__ import annotations

import pytest

from gateway.lobby.banned import Banned, in_words, target_of
from gateway.lobby.names import Names
from gateway.store.bans import Ban
from protocols.core.errors import Refused

NOW = 1_000_000_000.0
HOUSE = Ban("network", "192.0.2.0/24", "spam")
HOST = Ban("network", "192.0.2.7/32", "flood")
HOME = Ban("network", "2001:db8:1:2::/64", "")
EVE = Ban("name", "Eve", "cheating", NOW + 60)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("192.0.2.7", ("network", "192.0.2.7/32")),
        ("192.0.2.7/24", ("network", "192.0.2.0/24")),
        (" 2001:DB8::1 ", ("network", "2001:db8::1/128")),
        ("2001:db8:1:2::/64", ("network", "2001:db8:1:2::/64")),
        ("::ffff:192.0.2.7/124", ("network", "192.0.2.0/28")),
        ("::ffff:c000:207", ("network", "192.0.2.7/32")),
        ("Mallory", ("name", "Mallory")),
        ("admin", ("name", "admin")),
        ("192.0.2", ("name", "192.0.2")),
        ("ｅｖｅ", ("name", "eve")),
    ],
)
def test_a_target_is_a_network_or_a_name(text: str, target: tuple[str, str]) -> None:
    assert target_of(text) == target


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.0.0.0/0", "0.0.0.0/0 is too wide"),
        ("::ffff:0:0/96", "0.0.0.0/0 is too wide"),
        ("::/3", "is too wide"),
        ("\x07", "no name"),
        ("bot-1", "house bots"),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        target_of(text)


@pytest.mark.parametrize(
    ("host", "ban"),
    [
        ("192.0.2.1", HOUSE),
        ("::ffff:192.0.2.1", HOUSE),
        ("192.0.3.1", None),
        ("2001:db8:1:2:3:4:5:6", HOME),
        ("2001:db8:1:3::1", None),
        ("::c000:201", None),
        ("table 7", None),
        ("", None),
    ],
)
def test_an_address_is_banned_with_its_network(host: str, ban: Ban | None) -> None:
    assert Banned([HOUSE, HOME, EVE]).address(host, NOW) == ban


def test_a_ban_on_a_mapped_network_that_is_stored_already_is_one_on_ipv4() -> None:
    stored = Ban("network", "::ffff:192.0.2.0/120", "")
    assert Banned([stored]).address("192.0.2.9", NOW) == stored


@pytest.mark.parametrize("name", ["Eve", "eve-2", "EVE-17", "Eve-2-3"])
def test_a_ban_on_a_name_covers_the_names_that_are_made_of_it(name: str) -> None:
    assert Banned([EVE]).name(name, NOW) == EVE


@pytest.mark.parametrize("name", ["Eve-two", "Eveline-2", "Ev-2", "2"])
def test_a_ban_on_a_name_covers_no_other(name: str) -> None:
    assert Banned([EVE]).name(name, NOW) is None


def test_a_ban_covers_the_numbered_name_of_one_that_was_cut_short_for_it() -> None:
    long = "a name of thirty-two letters, ab"
    names = Names()
    names.hold(long)
    assert (made := names.choose(long)) == "a name of thirty-two letter-2"
    assert Banned([Ban("name", long, "")]).name(made, NOW) is not None


def test_one_ban_of_several_networks_is_enough_and_one_that_has_ended_hides_no_other() -> None:
    ended = Ban("network", "192.0.2.7/32", "", NOW - 1)
    assert Banned([HOST, HOUSE]).address("192.0.2.7", NOW) in (HOST, HOUSE)
    assert Banned([ended, HOUSE]).address("192.0.2.7", NOW) == HOUSE
    assert Banned([ended]).address("192.0.2.7", NOW) is None


@pytest.mark.parametrize("name", ["eve", "EVE", " Eve ", "ｅｖｅ"])
def test_a_name_is_banned_however_it_is_written(name: str) -> None:
    assert Banned([EVE, HOUSE]).name(name, NOW) == EVE


def test_a_ban_ends() -> None:
    assert Banned([EVE]).name("eve", NOW + 59) == EVE
    assert Banned([EVE]).name("eve", NOW + 60) is None
    assert Banned([EVE]).name("eva", NOW) is None


def test_who_is_banned_is_told_how_long_and_why() -> None:
    assert in_words(EVE) == "you are banned here until 2001-09-09 01:47 UTC: cheating"
    assert in_words(HOME) == "you are banned here"
