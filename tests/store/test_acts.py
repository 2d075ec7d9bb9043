"""The log of acts holds every kind of act in one transaction with its change. Bans and accounts show parts of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from gateway.store import acts
from gateway.store.accounts import NameOwned, NoAccount, SqlAccounts
from gateway.store.acts import KINDS, ActLog, Kind, made
from gateway.store.bans import Ban, NoBan, SqlBans
from gateway.store.log import SqlLog
from gateway.store.pruning import Pruning
from gateway.store.records import Act, Append, Conflict, noted
from gateway.store.schema import metadata
from tests.store.conftest import Desk, connected
from tests.store.old import days_ago, everywhere, finished, kept, put
from tests.store.steps import later, opening, words

NOW = 1_770_000_000.25
SPAM = Ban("network", "192.0.2.0/24", "spam")


def act(kind: Kind = "drain.begun", at: float = NOW, by: str = "root") -> Act:
    return made(at, by, kind, "here", running=3)


def noted_in(url: str, of: str = "", since: float | None = None) -> list[Act]:
    with closing(ActLog(url)) as log:
        return list(log.acts(of, since))


def kinds(url: str) -> list[tuple[str, str, str]]:
    """Return each act's kind, object and author."""
    return [(found.act, found.object, found.by) for found in noted_in(url)]


@contextmanager
def refusing(url: str) -> Iterator[None]:
    """A database that takes everything but an act."""
    with connected(url) as connection:
        hosted = connection.dialect.name == "postgresql"
        with connection.begin():
            for statement in REFUSED[connection.dialect.name]:
                connection.exec_driver_sql(statement)
        try:
            yield
        finally:
            with connection.begin():
                connection.exec_driver_sql("DROP TRIGGER refused" + (" ON acts" if hosted else ""))


REFUSED = {
    "sqlite": ["CREATE TRIGGER refused BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'no act'); END"],
    "postgresql": [
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'no act'; END $$",
        "CREATE TRIGGER refused BEFORE INSERT ON acts FOR EACH ROW EXECUTE FUNCTION refuse()",
    ],
}


def count(url: str) -> dict[str, int]:
    """Rows by table."""
    with connected(url) as connection:
        counted = {name: select(func.count()).select_from(table) for name, table in metadata.tables.items()}
        return {name: connection.execute(wanted).scalar_one() for name, wanted in counted.items()}


def test_everything_is_in_one_log_the_oldest_first(url: str) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(SqlBans(url)) as bans:
        accounts.add("Anna", "hash", "root")
        bans.add(SPAM, "carl")
        accounts.set_password("ANNA", "new", "anna")
        bans.remove("network", SPAM.target, "root")
        accounts.set_disabled("anna", True, "root")
        accounts.set_disabled("anna", False, "carl")
        assert [change.change for change in accounts.changes()] == ["added", "password", "disabled", "enabled"]
        assert [change.ban for change in bans.changes()] == [SPAM, SPAM]
    put(url, finished(1, 100), finished(2, 0))
    with closing(Pruning(url, days_ago(90), "server")) as pruning:
        pruning.step()
    assert kinds(url) == [
        ("account.added", "Anna", "root"),
        ("ban.added", "192.0.2.0/24", "carl"),
        ("account.password", "Anna", "anna"),
        ("ban.removed", "192.0.2.0/24", "root"),
        ("account.disabled", "Anna", "root"),
        ("account.enabled", "Anna", "carl"),
        ("games.deleted", "finished games", "server"),
    ]
    found = noted_in(url)
    assert [one.id for one in found] == list(range(1, 8))
    assert [one.at for one in found] == sorted(one.at for one in found)
    assert json.loads(found[1].detail) == {"kind": "network", "reason": "spam"}


def test_acts_are_found_by_kind_by_category_and_from_a_moment_on(url: str) -> None:
    with connected(url) as connection, connection.begin():
        for at, kind in enumerate(KINDS):
            acts.note(connection, act(kind, NOW + at))
    assert [found.act for found in noted_in(url)] == list(KINDS)
    assert [found.act for found in noted_in(url, "ban")] == ["ban.added", "ban.removed"]
    assert [found.act for found in noted_in(url, "ban.removed")] == ["ban.removed"]
    assert noted_in(url, "ba") == []
    assert [found.act for found in noted_in(url, since=NOW + len(KINDS) - 1)] == ["schema.migrated"]
    both = noted_in(url, "account", since=NOW + KINDS.index("account.enabled"))
    wanted = ["enabled", "revoked", "deleted", "invited", "link", "token", "token_ended", "bot", "person"]
    wanted += ["reset", "linked", "unlinked", "sessions_ended", "exported"]
    assert [found.act for found in both] == [f"account.{kind}" for kind in wanted]


def test_a_long_log_is_read_to_its_end(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "PAGE", 3)
    with connected(url) as connection, connection.begin():
        for at in range(7):
            acts.note(connection, act(at=NOW + at))
    assert [found.at for found in noted_in(url)] == [NOW + at for at in range(7)]


def test_a_change_that_fails_leaves_no_act(url: str) -> None:
    with closing(SqlAccounts(url)) as accounts, closing(SqlBans(url)) as bans:
        accounts.add("anna", "hash", "root")
        with pytest.raises(NameOwned):
            accounts.add("ANNA", "hash", "eve")
        with pytest.raises(NoAccount):
            accounts.set_disabled("bert", True, "eve")
        with pytest.raises(NoBan):
            bans.remove("name", "anna", "eve")
    assert kinds(url) == [("account.added", "anna", "root")]


def test_what_cannot_be_noted_is_not_done(url: str) -> None:
    put(url, finished(1, 100), finished(2, 0))
    with closing(SqlAccounts(url)) as accounts, closing(SqlBans(url)) as bans:
        accounts.add("anna", "hash", "root")
        bans.add(SPAM, "root")
        before = count(url)
        with refusing(url), closing(Pruning(url, days_ago(90), "root")) as pruning:
            for change in (
                lambda: accounts.add("bert", "hash", "root"),
                lambda: accounts.set_password("anna", "new", "root"),
                lambda: accounts.set_disabled("anna", True, "root"),
                lambda: bans.add(Ban("name", "eve", ""), "root"),
                lambda: bans.remove("network", SPAM.target, "root"),
                pruning.step,
            ):
                with pytest.raises(DBAPIError, match="no act"):
                    change()
        assert count(url) == before
        anna = accounts.find("anna")
        assert anna is not None
        assert (anna.password_hash, anna.disabled_at) == ("hash", None)
        accounts.add("bert", "hash", "root")
    assert kept(url) == everywhere(1, 2)


def test_a_tables_step_and_its_act_are_stored_together_or_not_at_all(sql: Desk, url: str) -> None:
    first = opening(1, "a")
    first.acts = (act("table.registered"),)
    with refusing(url):
        (error,) = sql.store(first)
        assert isinstance(error, DBAPIError)
        assert sql.log.read(1) == []
    assert sql.store(first) == [None]
    taken = opening(1, "b")
    taken.acts = (act("table.registered", NOW + 1),)
    (error,) = sql.store(taken)
    assert isinstance(error, Conflict)
    assert [found.at for found in noted_in(url)] == [NOW]


def test_an_act_that_changes_no_table_is_stored_among_steps_that_do(sql: Desk, url: str) -> None:
    first = opening(1, "a")
    assert sql.store(noted(act()), first, later(first, "b"), noted(act("drain.ended", NOW + 1))) == [None] * 4
    assert words(sql.log.read(1)) == ["a", "b"]
    assert kinds(url) == [("drain.begun", "here", "root"), ("drain.ended", "here", "root")]
    assert json.loads(noted_in(url)[0].detail) == {"running": 3}


@pytest.mark.parametrize("step", [noted(act()), opening(1, "a")], ids=["no table", "a table"])
def test_a_step_that_is_handed_in_again_is_noted_once(url: str, step: Append) -> None:
    """Its answer may have been lost with the connection."""
    step.acts = (act(),)
    for _ in range(2):
        put(url, step)
    assert len(noted_in(url)) == 1
    with closing(SqlLog(url, lambda _: None)) as log:
        assert log.last_table() == (step.table or 0)


def test_of_the_same_at_another_moment_or_by_somebody_else_each_is_noted(url: str) -> None:
    put(url, noted(act()), noted(act(by="carl")), noted(act(at=NOW + 1)), noted(act("drain.ended")))
    assert len(noted_in(url)) == 4


def test_what_is_noted_is_text_and_never_a_statement(url: str) -> None:
    robert = made(NOW, "root'; --", "account.added", "Robert'); DROP TABLE acts;--", reason="\"' OR 1=1 %s :x {y} ü")
    put(url, noted(robert))
    (found,) = noted_in(url)
    assert (found.by, found.object, found.detail) == (robert.by, robert.object, robert.detail)
    assert json.loads(found.detail) == {"reason": "\"' OR 1=1 %s :x {y} ü"}
