"""The lobby gives each player a free name."""

from __future__ import annotations

import pytest

from gateway.lobby.names import LONGEST, Names, check
from protocols.core.errors import Refused, Why


def holding(*names: str) -> Names:
    held = Names()
    for name in names:
        held.hold(name)
    return held


def test_a_free_name_is_given_as_it_was_asked_for() -> None:
    assert holding("bert").choose("Anna") == "Anna"


def test_a_name_in_use_gets_the_lowest_free_number() -> None:
    assert holding("anna").choose("anna") == "anna-2"
    assert holding("anna", "anna-2").choose("anna") == "anna-3"
    assert holding("anna-2").choose("anna") == "anna"


def test_letter_case_does_not_make_another_name() -> None:
    assert holding("ANNA").choose("anna") == "anna-2"
    assert holding("straße").choose("STRASSE") == "STRASSE-2"


def test_a_numbered_name_is_no_longer_than_any_other() -> None:
    longest = "a" * LONGEST
    assert check(longest) == longest
    assert holding(longest).choose(longest) == "a" * (LONGEST - 5) + "-2"


def test_a_name_is_free_again_when_nobody_holds_it() -> None:
    names = holding("anna", "anna")
    names.free("anna")
    assert names.choose("anna") == "anna-2"
    names.free("Anna")
    assert names.choose("anna") == "anna"


def test_a_guest_whose_name_becomes_an_accounts_is_none_until_the_last_of_them_has_left() -> None:
    names = holding("carl", "carl")
    names.own(["Carl", "dora"])
    assert (names.owned("carl"), names.is_account("carl"), names.is_account("dora")) == (True, False, True)
    names.free("carl")
    names.own(["Carl"])
    assert not names.is_account("carl")
    names.free("carl")
    assert names.is_account("carl")


@pytest.mark.parametrize("nothing", ["", "   ", "\t\n"])
def test_who_gives_no_name_is_a_guest(nothing: str) -> None:
    names = Names()
    assert [names.choose(nothing), names.choose(nothing)] == ["guest-1", "guest-2"]


def test_a_guest_does_not_get_a_name_that_somebody_chose() -> None:
    assert holding("guest-1", "Guest-2").choose("") == "guest-3"


def test_blanks_around_and_between_are_made_one() -> None:
    assert check("  Anna   Bell ") == "Anna Bell"


@pytest.mark.parametrize("wanted", ["a" * (LONGEST + 1), "an\0na", "anna\x1b[2J", "---", "!", "\u200b"])
def test_what_is_no_name_is_refused_and_shown(wanted: str) -> None:
    with pytest.raises(Refused) as refused:
        Names().choose(wanted)
    assert refused.value.why is Why.BAD_OPTION
    assert repr(wanted[:40]) in str(refused.value)


def test_an_account_gets_its_own_name_at_several_tables_and_nobody_else_does() -> None:
    names = holding("Anna")
    names.own(["Anna"])
    assert names.choose("anna", account="Anna") == "Anna"
    assert names.choose("", account="Anna") == "Anna"
    assert names.choose("anna") == "anna-2"
    assert names.choose("bert", account="Anna") == "bert"


@pytest.mark.parametrize("name", ["admin", "Administrator", "host", "admin-2", "support"])
def test_names_that_players_take_for_the_hosts_are_given_to_no_guest(name: str) -> None:
    with pytest.raises(Refused, match="is kept for the host of this server") as refusal:
        Names().choose(name)
    assert refusal.value.why is Why.NAME_TAKEN


def test_the_host_may_add_an_account_of_such_a_name() -> None:
    assert check("admin", guest=False) == "admin"
    assert Names().choose("admin", account="admin") == "admin"


@pytest.mark.parametrize("name", ["server", "Server", "gateway", "boardgate", "The House"])
@pytest.mark.parametrize("guest", [True, False])
def test_what_the_server_is_called_is_nobodys_name(name: str, guest: bool) -> None:
    with pytest.raises(Refused, match="is what the server is called"):
        check(name, guest=guest)
