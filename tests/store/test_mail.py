"""Mail addresses and messages that wait, on every database: one sender for each message, nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import delete, insert, select

from gateway.store.accounts import NoAccount, NoLink, SqlAccounts
from gateway.store.mail import Letters, MailAddress, mail_notice
from gateway.store.schema import mail_addresses, mail_deliveries, notices
from tests.store.conftest import at_once, connected

NOW = 1_800_000_000.0
DAY = 86_400.0


@pytest.fixture
def kept(url: str) -> Iterator[Letters]:
    """With an account Ada, as long as the test."""
    with closing(Letters(url)) as made, closing(SqlAccounts(url)) as accounts:
        accounts.add("Ada", "hash", "test")
        yield made
        if accounts.find("ada") is not None:
            accounts.delete("ada", "test")


def confirmed(kept: Letters, address: str = "a@x.example") -> None:
    kept.want("ada", address, NOW, NOW + DAY)
    (letter,) = kept.due(NOW)
    assert kept.code_sent(letter, b"code", NOW)
    assert kept.confirm(b"code", NOW) == "ada"


def test_an_address_is_what_a_code_was_sent_to(kept: Letters) -> None:
    kept.want("ADA", "a@x.example", NOW, NOW + DAY)
    assert kept.address("Ada", NOW) == MailAddress("", "a@x.example")
    (first,) = kept.due(NOW)
    assert (first.kind, first.name, first.address) == ("confirm", "Ada", "a@x.example")
    kept.want("ada", "b@x.example", NOW + 1, NOW + DAY)
    assert not kept.code_sent(first, b"first", NOW + 1)
    kept.done(first)  # whose place the second has taken
    (second,) = kept.due(NOW + 1)
    assert kept.code_sent(second, b"second", NOW + 1)
    for wrong, at in ((b"first", NOW + 1), (b"second", NOW + DAY)):
        with pytest.raises(NoLink):
            kept.confirm(wrong, at)
    kept.confirm(b"second", NOW + 2)
    assert kept.address("ada", NOW) == MailAddress("b@x.example", "")
    with pytest.raises(NoLink):
        kept.confirm(b"second", NOW + 2)
    with pytest.raises(NoAccount):
        kept.want("nobody", "a@x.example", NOW, NOW + DAY)


def test_of_several_that_would_send_a_letter_one_may(url: str, kept: Letters) -> None:
    kept.want("ada", "a@x.example", NOW, NOW + DAY)
    (letter,) = kept.due(NOW)
    won = at_once(lambda: closing(Letters(url)), lambda node: node.claim(letter, NOW + 60))
    assert sorted(won) == [False, False, False, True]
    assert kept.due(NOW + 59) == []
    (again,) = kept.due(NOW + 60)
    assert again.tries == 1
    kept.done(again)
    assert kept.due(NOW + 60) == []


@pytest.mark.parametrize(("typed", "meant"), [("ADA", ["ada"]), ("a@x.example", ["ada"]), ("bob", []), ("b@x.e", [])])
def test_what_a_person_has_typed_becomes_a_message_where_it_means_an_account(
    kept: Letters, typed: str, meant: list[str]
) -> None:
    confirmed(kept)
    kept.ask(typed, NOW, NOW + 900)
    kept.ask(typed, NOW + 1, NOW + 900)  # it waits already
    (asked,) = kept.due(NOW)
    assert (asked.kind, asked.address) == ("asked", "a@x.example" if typed == "ADA" else "")
    kept.meant(asked, NOW)
    kept.done(asked)
    due = kept.due(NOW)
    assert [(letter.kind, letter.folded, letter.address) for letter in due] == [
        ("password", folded, "a@x.example") for folded in meant
    ]


def test_a_notice_waits_for_the_account_that_wishes_so_in_place_of_an_older_one(url: str, kept: Letters) -> None:
    confirmed(kept)
    for seq, told in ((1, False), (2, True), (3, True)):
        kept.tell("ADA", on=told)
        with connected(url) as connection, connection.begin():
            connection.execute(insert(notices).values(table_id=1, seat=0, seq=seq, kind="turn", at=NOW))
            mail_notice(connection, ["ada", "bob"], 1, 0, seq, NOW, NOW + DAY)
        due = kept.due(NOW)
        assert [(each.kind, each.seq, each.address, each.news) for each in due] == (
            [("notice", seq, "a@x.example", "turn")] if told else []
        )
    (letter,) = kept.due(NOW)
    assert kept.address("ada", NOW).told
    assert not kept.tell_no_more(b"another")
    assert kept.tell_no_more(letter.off)
    assert not kept.address("ada", NOW).told
    assert [each.address for each in kept.due(NOW)] == [""]
    kept.done(letter)
    with connected(url) as connection, connection.begin():
        connection.execute(delete(notices))


def test_an_address_that_nobody_has_confirmed_is_forgotten(url: str, kept: Letters) -> None:
    kept.want("ada", "a@x.example", NOW, NOW + DAY)
    assert kept.address("ada", NOW + DAY) == MailAddress()
    kept.tidy(NOW + DAY)
    with connected(url) as connection:
        for table in (mail_addresses, mail_deliveries):
            assert connection.execute(select(table)).all() == []
    confirmed(kept)
    kept.want("ada", "b@x.example", NOW, NOW + DAY)
    kept.tidy(NOW + DAY)
    assert kept.address("ada", NOW) == MailAddress("a@x.example")


def test_an_address_goes_with_its_account_and_when_it_is_removed(url: str, kept: Letters) -> None:
    confirmed(kept)
    kept.want("ada", "b@x.example", NOW, NOW + DAY)
    kept.remove("ADA")
    assert (kept.address("ada", NOW), kept.due(NOW)) == (MailAddress(), [])
    confirmed(kept)
    kept.want("ada", "b@x.example", NOW, NOW + DAY)
    with closing(SqlAccounts(url)) as accounts:
        accounts.delete("ada", "test")
    assert (kept.address("ada", NOW), kept.due(NOW)) == (MailAddress(), [])
    with connected(url) as connection, connection.begin():  # as a server of schema 0015 leaves it
        connection.execute(insert(mail_addresses).values(folded="ada", address="a@x.example", told=False, off=b"x"))
    kept.tidy(NOW)
    assert kept.address("ada", NOW) == MailAddress()
