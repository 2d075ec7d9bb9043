"""Bans in the database: what lasts, what has ended, and who did it. The twin in memory alike."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from gateway.store.bans import Ban, Bans, NoBan, SqlBans
from tests.store.bans_memory import MemoryBans
from tests.store.conftest import DATABASES, EACH

NOW = 1_000_000.0
SPAM = Ban("network", "192.0.2.0/24", "spam")
EVE = Ban("name", "eve", "cheating", NOW + 60)


@pytest.fixture(params=["memory", *EACH])
def bans(request: pytest.FixtureRequest) -> Iterator[Bans]:
    """Every kind of bans there is: they behave alike."""
    if request.param == "memory":
        yield MemoryBans()
        return
    with DATABASES[request.param](request) as url:
        made = SqlBans(url)
        yield made
        made.close()


def test_a_ban_lasts_until_its_end_or_for_ever(bans: Bans) -> None:
    bans.add(SPAM, "root")
    bans.add(EVE, "root")
    assert bans.current(NOW) == [EVE, SPAM]
    assert bans.current(NOW + 59.9) == [EVE, SPAM]
    assert bans.current(NOW + 60) == [SPAM]


def test_a_newer_ban_of_the_same_target_takes_the_place_of_the_older(bans: Bans) -> None:
    bans.add(EVE, "root")
    longer = Ban("name", "eve", "again", NOW + 600)
    bans.add(longer, "root")
    assert bans.current(NOW) == [longer]


def test_a_ban_that_is_removed_is_over(bans: Bans) -> None:
    bans.add(SPAM, "root")
    bans.add(EVE, "root")
    bans.remove("network", SPAM.target, "root")
    assert bans.current(NOW) == [EVE]


def test_what_is_not_banned_cannot_be_removed(bans: Bans) -> None:
    bans.add(EVE, "root")
    with pytest.raises(NoBan, match="mallory is not banned"):
        bans.remove("name", "mallory", "root")
    with pytest.raises(NoBan):
        bans.remove("network", "eve", "root")
    assert len(bans.changes()) == 1


def test_every_change_is_written_down_with_who_made_it(bans: Bans) -> None:
    before = time.time()
    bans.add(SPAM, "root")
    bans.add(EVE, "carl")
    bans.remove("network", SPAM.target, "anna")
    changes = bans.changes()
    assert [(change.ban, change.change, change.by) for change in changes] == [
        (SPAM, "added", "root"),
        (EVE, "added", "carl"),
        (SPAM, "removed", "anna"),
    ]
    assert before <= changes[0].at <= changes[-1].at <= time.time()


def test_what_is_written_is_text_and_never_a_statement(bans: Bans) -> None:
    robert = Ban("name", "Robert'); DROP TABLE bans;--", "\"' OR 1=1 %s :x {y}")
    bans.add(robert, "root'; --")
    bans.add(EVE, "root")
    assert bans.current(NOW) == [robert, EVE]
    bans.remove("name", robert.target, "root")
    assert bans.current(NOW) == [EVE]
    assert bans.changes()[0].by == "root'; --"
