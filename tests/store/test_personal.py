"""An account is told all rows about it beside its tables, on every database: no secret, and nothing of others."""

from __future__ import annotations

import json
import time
from contextlib import closing

from sqlalchemy import insert

from gateway.store.accounts import SqlAccounts
from gateway.store.log import SqlLog
from gateway.store.mail import Letters
from gateway.store.notices import Notices, Subscription
from gateway.store.offers import DECLINED, StoredOffer
from gateway.store.personal import PersonalRows
from gateway.store.rating_schema import rating_standings, rating_versions
from gateway.store.records import Player, SeatRow
from gateway.store.reports import Report, Reports
from gateway.store.results import Results
from gateway.store.schema import guest_seats, notices
from gateway.store.sessions import Preferences, Sessions, begun
from gateway.store.shares import Share, Shares
from gateway.store.tokens import Token
from gateway.store.views import moment
from tests.store.conftest import Desk, connected
from tests.store.results import result
from tests.store.steps import opening

NOW = time.time() + 86_400.0
"""Behind the moment at which an account is made, however long after this module was read the test begins."""

SECRETS = (b"digest of cookie", b"digest of tokens", b"digest of address", b"key", b"auth")


def furnished(url: str, name: str) -> None:
    """An account that has one of everything; another's differ in the letters."""
    cookie, token, address, key, auth = (secret + name.encode() for secret in SECRETS)
    push = Subscription(address, f"https://push.example.org:443/secret/{name}", key, auth, name, cookie)
    with closing(SqlAccounts(url)) as accounts:
        accounts.add(name, "hash of a password", "host")
        accounts.add_token(Token(token, name, NOW, NOW + 50))
    with closing(Sessions(url)) as sessions:
        sessions.add(cookie, begun("account", name, NOW))
        sessions.prefer(name, Preferences(board="slate", muted=("bert",)))
    with (
        closing(Letters(url)) as letters,
        closing(Notices(url)) as browsers,
        closing(Shares(url)) as links,
        closing(Reports(url)) as reports,
    ):
        letters.want(name, f"{name}@example.org", NOW, NOW + 50)
        browsers.set_hook(name, f"https://bots.example.org/{name}", b"secret of a webhook", NOW)
        browsers.subscribe(push, [], NOW)
        links.share(Share(f"key-{name}", ord(name[0]), 9), name, NOW)
        reports.add(Report(NOW + 1000, name, "192.0.2.1", 12, "somebody", f"a report of {name}"))


def offer(number: int, by: str, to: str, until: float = NOW + 50) -> StoredOffer:
    """One whose maker has blocked somebody."""
    body = {"by": by, "to": to, "settings": {"game": "chess"}, "made": NOW, "until": until, "blocks": ["somebody"]}
    return StoredOffer(number, by.casefold(), to.casefold(), json.dumps(body).encode())


def test_an_account_is_told_all_that_is_kept_of_it(url: str) -> None:
    furnished(url, "anna")
    furnished(url, "Carl")
    with closing(SqlAccounts(url)) as accounts:
        accounts.add("dora", "hash", "host")
        accounts.tie("follows", "Anna", "Dora", NOW)
        accounts.tie("blocks", "anna", "dora", NOW)
        accounts.tie("blocks", "Carl", "anna", NOW)
        offers = [offer(50, "anna", "dora"), offer(51, "dora", "anna"), offer(52, "anna", "dora", NOW)]
        accounts.change_offers(0, [*offers, offer(53, "dora", "Carl")], [])
        accounts.change_offers(DECLINED, [offer(54, "anna", "dora")], [])
        accounts.set_bot("anna", True, "host")
    with connected(url) as connection, connection.begin():
        versions = [(1, False), (2, True)]
        made = [{"version": of, "made_at": NOW, "basis": "", "ordinal": 0, "current": now} for of, now in versions]
        connection.execute(insert(rating_versions), made)
        about = {
            "pool": "chess/normal",
            "engine": "",
            "rating": 1600.0,
            "rd": 50.0,
            "sigma": 0.06,
            "at": NOW,
            "games": 3,
        }
        of = [(1, "anna"), (2, "anna"), (2, "carl")]
        connection.execute(insert(rating_standings), [{"version": each, "account": who, **about} for each, who in of])
    with closing(Results(url)) as games:
        games.keep([result(7, players=(Player("Anna", "anna"), Player("Carl", "carl")))])
    with closing(PersonalRows(url)) as rows:
        found = rows.of("ANNA", NOW + 2)
        assert found is not None
        assert rows.of("bert", NOW) is None
    told = found.rest
    assert (found.name, found.since <= time.time()) == ("anna", True)
    assert (told["preferences"]["board"], told["preferences"]["muted"]) == ("slate", ("bert",))
    assert told["mail_addresses"] == ["anna@example.org"]
    assert [hook["address"] for hook in told["webhooks"]] == ["https://bots.example.org/anna"]
    assert told["push_services"][0]["host"] == "push.example.org"
    assert (told["share_links"][0]["table"], told["share_links"][0]["address"]) == (97, "/shared/key-anna")
    assert [[tied["name"] for tied in told[kind]] for kind in ("follows", "blocks")] == [["dora"], ["dora"]]
    mine, theirs = told["offers"]
    assert (mine["table"], mine["by"], mine["to"], mine["settings"]) == (50, "anna", "dora", {"game": "chess"})
    assert (theirs["table"], theirs["by"], theirs["until"]) == (51, "dora", moment(NOW + 50))
    (ended,) = told["results"]
    assert (ended["table"], ended["number"], ended["game"], ended["rated"]) == (7, 1, "chess", True)
    (rated,) = told["ratings"]
    assert rated == {
        "pool": "chess/normal", "engine": "", "rating": 1600.0, "deviation": 50.0, "games": 3, "at": moment(NOW)
    }  # fmt: skip
    assert (told["program_since"] > moment(found.since), told["disabled_at"]) == (True, None)
    assert [change["act"] for change in told["changes"]] == ["account.added", "account.bot"]
    assert (told["reports"][0]["table"], told["reports"][0]["text"]) == (12, "a report of anna")
    assert [len(told[name]) for name in ("sessions", "tokens", "push_services", "share_links", "reports")] == [1] * 5
    text = json.dumps(told)
    for hidden in ("hash", "digest", "secret", "Carl", "192.0.2.1", "somebody"):
        assert hidden not in text


def test_what_is_over_is_not_told(url: str) -> None:
    furnished(url, "anna")
    with closing(PersonalRows(url)) as rows:
        found = rows.of("anna", NOW + 366 * 86_400)
    assert found is not None
    assert (found.rest["sessions"], found.rest["tokens"]) == ([], [])
    assert (found.rest["program_since"], found.rest["ratings"]) == (None, [])


def test_a_disabled_account_is_told_since_when(url: str) -> None:
    furnished(url, "anna")
    with closing(SqlAccounts(url)) as accounts:
        accounts.set_disabled("anna", True, "host")
    with closing(PersonalRows(url)) as rows:
        found = rows.of("anna", NOW)
    assert found is not None
    assert found.rest["disabled_at"] > moment(found.since)


def test_the_notices_of_ones_own_seats_are_told(url: str) -> None:
    told = {"kind": "turn", "at": 1.5, "told_at": 2.0, "seen_at": None}
    with connected(url) as connection:
        places = [(1, 0, 5), (1, 1, 6), (2, 1, 7), (3, 0, 8)]
        rows = [{"table_id": table, "seat": seat, "seq": seq} | told for table, seat, seq in places]
        connection.execute(insert(notices), rows)
        seat = {"digest": b"d", "folded": "anna", "kept_at": 1.0}
        connection.execute(insert(guest_seats), [{"table_id": table} | seat for table in (2, 9)])
        connection.commit()
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    assert desk.store(*(opening(table, "x", seats=[SeatRow(0, 3, "Anna")]) for table in (1, 5))) == [None, None]
    desk.log.close()
    with closing(PersonalRows(url)) as found:
        assert found.noticed("ANNA") == [1, 2]
        listed = found.notices({1: 0, 2: 1})
        assert [(notice["table"], notice["seat"]) for notice in listed] == [(1, 0), (2, 1)]
        times = [listed[0][name] for name in ("at", "told_at", "seen_at")]
        assert times == ["1970-01-01T00:00:01.500000Z", "1970-01-01T00:00:02.000000Z", None]
        assert found.notices({}) == []
