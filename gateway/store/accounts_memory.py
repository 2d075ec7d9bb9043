"""Accounts in memory, the twin of accounts.py: for servers of tests, and for nothing that must survive."""

from __future__ import annotations

import time
from dataclasses import replace

from gateway.store.accounts import Account, AccountChange, NameOwned, NoAccount


class MemoryAccounts:
    """accounts.Accounts in memory."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._changes: list[AccountChange] = []

    def add(self, name: str, password_hash: str, by: str) -> None:
        if name.casefold() in self._accounts:
            raise NameOwned(f"the name {name} is registered already")
        self._put(Account(name, password_hash, time.time()), "added", by)

    def set_password(self, name: str, password_hash: str, by: str) -> None:
        self._put(replace(self._known(name), password_hash=password_hash), "password", by)

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        changed = replace(self._known(name), disabled_at=time.time() if disabled else None)
        self._put(changed, "disabled" if disabled else "enabled", by)

    def find(self, name: str) -> Account | None:
        return self._accounts.get(name.casefold())

    def names(self, since: float = 0.0) -> list[str]:
        return sorted(account.name for account in self._accounts.values() if account.created_at >= since)

    def changes(self) -> list[AccountChange]:
        return list(self._changes)

    def close(self) -> None:
        """Nothing is held."""

    def _known(self, name: str) -> Account:
        found = self.find(name)
        if found is None:
            raise NoAccount(f"there is no account {name!r}")
        return found

    def _put(self, account: Account, change: str, by: str) -> None:
        self._accounts[account.name.casefold()] = account
        self._changes.append(AccountChange(time.time(), account.name, change, by))
