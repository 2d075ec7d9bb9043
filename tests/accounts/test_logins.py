"""Logins checks passwords from the network, limits tries, and remembers right ones while the account is unchanged."""

from __future__ import annotations

import time

import pytest
import trio
from sqlalchemy.exc import OperationalError

from gateway.accounts import logins as module
from gateway.accounts.issuing import issue
from gateway.accounts.logins import ADDRESS_BURST, ADDRESS_PER_S, DAY_S, NAME_BURST, WAITING, Logins, fits
from gateway.accounts.tokens import digest, new_token
from gateway.store.accounts import Account
from protocols.core.errors import Refused, Why
from tests.passwords import hashed
from tests.store.accounts_memory import MemoryAccounts

HOST = "192.0.2.1"
HASH = hashed("correct horse")
OTHER_HASH = hashed("battery staple")


@pytest.fixture(autouse=True)
def cheap_unknown_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """test_passwords.py tests what the check of an unknown name costs."""
    monkeypatch.setattr(module, "_nobodys", lambda: OTHER_HASH)


@pytest.fixture
def accounts() -> MemoryAccounts:
    made = MemoryAccounts()
    made.add("Anna", HASH, "root")
    return made


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were checked by their hash; those that Logins remembers are not among them."""
    seen: list[str] = []

    def counted(password_hash: str | None, password: str) -> bool:
        seen.append(password)
        return fits(password_hash, password)

    monkeypatch.setattr(module, "fits", counted)
    return seen


async def test_name_and_password_are_an_account(accounts: MemoryAccounts) -> None:
    logins = Logins(accounts, 2)
    assert await logins.account("aNNa", "correct horse", HOST) == "Anna"
    assert await logins.account("Anna", "wrong horse", HOST) is None
    assert await logins.account("nobody", "correct horse", HOST) is None


async def test_the_old_password_and_a_new_one_change_it_and_end_other_logins(accounts: MemoryAccounts) -> None:
    logins, now = Logins(accounts, 2), time.time()
    login, named = issue(accounts, "Anna", "Anna")[0], issue(accounts, "Anna", "Anna", "engine")[0]
    assert await logins.renewed("aNNa", "correct horse battery-staple", HOST) == "Anna"
    assert await logins.account("Anna", "correct horse", HOST) is None
    assert await logins.account("Anna", "battery-staple", HOST) == "Anna"
    assert accounts.token(digest(login), now) is None
    assert accounts.token(digest(named), now) is not None
    assert await logins.renewed("Anna", "correct horse battery-staple", HOST) == "Anna", "it has been changed so"
    assert await logins.account("Anna", "battery-staple", HOST) == "Anna"


async def test_a_password_is_changed_by_the_old_one_alone_and_to_one_of_enough_characters(
    accounts: MemoryAccounts,
) -> None:
    logins, token = Logins(accounts, 2), issue(accounts, "Anna", "Anna", "engine")[0]
    for text in ("wrong horse battery-staple", "battery-staple", f"{token} battery-staple", f"wrong {token}"):
        assert await logins.renewed("Anna", text, HOST) is None
    with pytest.raises(Refused, match="a password has 8 to 256 characters, not 5") as refusal:
        await logins.renewed("Anna", "correct horse short", HOST)
    assert refusal.value.why is Why.BAD_OPTION
    assert await logins.account("Anna", "correct horse", HOST) == "Anna"
    accounts.set_disabled("Anna", True, "root")
    assert await logins.renewed("Anna", "correct horse battery-staple", HOST) is None


async def test_a_disabled_account_does_not_come_in(accounts: MemoryAccounts, checks: list[str]) -> None:
    logins = Logins(accounts, 2)
    assert await logins.account("Anna", "correct horse", HOST) == "Anna"
    accounts.set_disabled("Anna", True, "root")
    assert await logins.account("Anna", "correct horse", HOST) is None
    assert len(checks) == 2


async def test_who_logs_in_while_accounts_cannot_be_read_is_told_to_try_again_and_has_not_guessed_wrong(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> Account | None:
        raise OperationalError("SELECT", {}, OSError("connection refused"))

    logins, token = Logins(accounts, 2), new_token()
    with monkeypatch.context() as broken:
        broken.setattr(accounts, "find", away)
        broken.setattr(accounts, "token", away)
        for secret in ("correct horse", token):
            for _ in range(ADDRESS_BURST + NAME_BURST):
                with pytest.raises(Refused, match="accounts cannot be read just now, try again in a moment") as refusal:
                    await logins.account("Anna", secret, HOST)
                assert refusal.value.why is Why.OVERLOAD
    assert await logins.account("Anna", "correct horse", HOST) == "Anna"


async def test_a_token_is_presented_alone_and_says_what_it_is_good_for(accounts: MemoryAccounts) -> None:
    logins = Logins(accounts, 2)
    program, _ = issue(accounts, "Anna", "root", "bot", ["bot:play"])
    reader, _ = issue(accounts, "Anna", "root", "reader", ["challenge:read"])
    accounts.set_bot("Anna", True, "root")
    bearer = await logins.bearer(program)
    assert bearer is not None
    assert (bearer.account, bearer.bot, bearer.scopes) == ("Anna", True, frozenset({"bot:play"}))
    assert await logins.account("", program, HOST) == "Anna"
    assert await logins.account("bert", program, HOST) is None
    with pytest.raises(Refused, match="not good for playing: that needs bot:play or board:play"):
        await logins.account("anna", reader, HOST)
    assert await logins.bearer(new_token()) is None
    accounts.set_disabled("Anna", True, "root")
    assert await logins.bearer(program) is None


async def test_the_last_use_of_a_token_is_kept_once_a_day(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    logins, (token, made) = Logins(accounts, 2), issue(accounts, "Anna", "root", "bot")
    uses = []
    for at in (1000.0, 1000.0 + DAY_S / 2, 1001.0 + DAY_S, 1002.0 + DAY_S):
        monkeypatch.setattr(time, "time", lambda at=at: made.created_at + at)
        assert await logins.bearer(token) is not None
        uses.append([(kept.used_at or 0.0) - made.created_at for kept in accounts.tokens("anna", made.created_at)])
    assert uses == [[1000.0], [1000.0], [1001.0 + DAY_S], [1001.0 + DAY_S]]


async def test_a_token_is_good_where_its_use_cannot_be_kept(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(digest: bytes, now: float) -> None:
        raise OperationalError("UPDATE", {}, OSError("database is locked"))

    token, _ = issue(accounts, "Anna", "root", "bot")
    monkeypatch.setattr(accounts, "token_used", busy)
    assert await Logins(accounts, 2).account("", token, HOST) == "Anna"


async def test_a_right_password_is_known_again(accounts: MemoryAccounts, checks: list[str]) -> None:
    logins = Logins(accounts, 2)
    for _ in range(3 * NAME_BURST):
        assert await logins.account("Anna", "correct horse", HOST) == "Anna"
    assert checks == ["correct horse"]


async def test_a_changed_password_ends_the_old_one_at_once(accounts: MemoryAccounts) -> None:
    logins = Logins(accounts, 2)
    assert await logins.account("Anna", "correct horse", HOST) == "Anna"
    accounts.set_password("Anna", OTHER_HASH, "root")
    assert await logins.account("Anna", "correct horse", HOST) is None
    assert await logins.account("Anna", "battery staple", HOST) == "Anna"


async def test_an_address_that_tries_too_often_waits(
    accounts: MemoryAccounts, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logins = Logins(accounts, 2)
    now = trio.current_time()
    monkeypatch.setattr(trio, "current_time", lambda: now)
    for number in range(ADDRESS_BURST):
        assert await logins.account(f"name{number}", "guess", HOST) is None
    with pytest.raises(Refused, match="too many passwords were tried; try again in 5 s") as refusal:
        await logins.account("Anna", "correct horse", HOST)
    assert refusal.value.why is Why.TOO_FAST
    assert len(checks) == ADDRESS_BURST
    assert await logins.account("Anna", "correct horse", "192.0.2.2") == "Anna"
    monkeypatch.setattr(trio, "current_time", lambda: now + 1 / ADDRESS_PER_S + 0.01)
    assert await logins.account("Anna", "wrong", HOST) is None


async def test_a_name_is_not_guessed_from_many_addresses(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "fits", lambda kept, password: False)
    logins = Logins(accounts, 2)
    for number in range(NAME_BURST):
        assert await logins.account("Anna", "guess", f"192.0.2.{number}") is None
    with pytest.raises(Refused):
        await logins.account("ANNA", "guess", "198.51.100.1")


async def test_only_so_many_passwords_are_checked_at_once_and_wait(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, running = 0, 0
    token, both, full, release = trio.lowlevel.current_trio_token(), trio.Event(), trio.Event(), trio.Event()

    def slowly(kept: str | None, password: str) -> bool:
        nonlocal most, running
        running += 1
        most = max(most, running)
        if running == 2:
            trio.from_thread.run_sync(both.set, trio_token=token)
        trio.from_thread.run(release.wait, trio_token=token)
        running -= 1
        return False

    monkeypatch.setattr(module, "fits", slowly)
    logins, answers = Logins(accounts, 2), list[str]()

    async def tries(number: int) -> None:
        try:
            await logins.account(f"name{number}", "guess", f"192.0.2.{number}")
            answers.append("checked")
        except Refused as refused:
            answers.append(str(refused.why))
            if len(answers) == 8:
                full.set()

    async with trio.open_nursery() as nursery:
        for number in range(WAITING + 8):
            nursery.start_soon(tries, number)
        await both.wait()
        await full.wait()
        release.set()
    assert most == 2
    assert answers == ["overload"] * 8 + ["checked"] * WAITING


async def test_the_addresses_of_one_home_are_one(accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "fits", lambda kept, password: False)
    logins = Logins(accounts, 2)
    for host in range(ADDRESS_BURST):
        assert await logins.account(f"nobody{host}", "wrong horse", f"2001:db8:1:2::{host}") is None
    with pytest.raises(Refused) as refusal:
        await logins.account("nobody", "wrong horse", "2001:db8:1:2:ffff::1")
    assert refusal.value.why is Why.TOO_FAST
    assert await logins.account("nobody", "wrong horse", "2001:db8:1:3::1") is None


async def test_tries_and_right_passwords_are_forgotten_after_their_time(
    accounts: MemoryAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ADDRESS_PER_S", 1e6)
    monkeypatch.setattr(module, "NAME_PER_S", 1e6)
    monkeypatch.setattr(module, "REMEMBERED_S", 0.0)
    logins = Logins(accounts, 2)
    for number in range(3):
        assert await logins.account("Anna", "correct horse", f"192.0.2.{number}") == "Anna"
        assert await logins.account(f"nobody-{number}", "x", f"192.0.2.{number}") is None
    assert list(logins._tries._tries) == ["name nobody-2"]
    assert len(logins._right) == 0
