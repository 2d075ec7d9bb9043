"""Accounts in memory, the twin of accounts.py: for servers of tests, and for nothing that must survive."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from gateway.store.accounts import (
    Account,
    AccountChange,
    NameOwned,
    NoAccount,
    NoInvitation,
    NoLink,
)
from gateway.store.guest_seats import GuestTicket
from gateway.store.identities import Identity
from gateway.store.offers import DECLINED, HeldOffer, StoredOffer
from gateway.store.ties import MOST_TIES, Blocks, Tie, Tied, TooManyTies
from gateway.store.tokens import MOST_LOGINS, Token, refuse


class MemoryAccounts:
    """accounts.Accounts in memory."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._changes: list[AccountChange] = []
        self._tokens: dict[bytes, Token] = {}
        self._former: dict[str, str] = {}
        self._invitations: dict[bytes, float] = {}
        self._links: dict[bytes, tuple[str, float]] = {}
        self._kept: dict[GuestTicket, str] = {}
        self._ties: dict[tuple[Tie, str], dict[str, float]] = {}
        self._offers: dict[int, tuple[int, StoredOffer]] = {}
        self.lives: Callable[[int], bool] = lambda node: False

    def add(
        self,
        name: str,
        password_hash: str,
        by: str,
        invitation: bytes | None = None,
        seats: Sequence[GuestTicket] = (),
        identity: Identity | None = None,
    ) -> None:
        assert identity is None, "people of a provider are in databases alone"
        if invitation is not None and self._invitations.get(invitation, 0.0) <= time.time():
            raise NoInvitation("this invitation is unknown here, was used already, or has expired")
        if name.casefold() in self._former:
            raise NameOwned(f"the name {name} was a player's who has left, and stays theirs")
        if name.casefold() in self._accounts:
            raise NameOwned(f"the name {name} is registered already")
        if invitation is not None:
            del self._invitations[invitation]
        self._put(Account(name, password_hash, time.time()), "added", by)
        self.keep_seats(name, seats, time.time())

    def keep_seats(self, name: str, seats: Sequence[GuestTicket], now: float) -> None:
        self._known(name)
        self._kept = {ticket: name.casefold() for ticket in seats} | self._kept

    def guest_ticket(self, name: str, table: int) -> bytes | None:
        mine = (kept for kept, whose in self._kept.items() if (whose, kept.table) == (name.casefold(), table))
        return next((kept.digest for kept in mine), None)

    def tie(self, kind: Tie, by: str, name: str, now: float) -> Tied:
        self._known(by)
        found, mine = self._known(name), self._ties.setdefault((kind, by.casefold()), {})
        if name.casefold() not in mine and len(mine) >= MOST_TIES:
            raise TooManyTies(f"your list holds {MOST_TIES} names: take one out")
        return Tied(found.name, mine.setdefault(name.casefold(), now))

    def untie(self, kind: Tie, by: str, name: str) -> None:
        self._ties.get((kind, by.casefold()), {}).pop(name.casefold(), None)

    def tied(self, kind: Tie, by: str) -> list[Tied]:
        mine = self._ties.get((kind, by.casefold()), {})
        return [Tied(self._known(name).name, at) for name, at in sorted(mine.items())]

    def blocks(self, name: str) -> Blocks:
        mine = frozenset(self._ties.get(("blocks", name.casefold()), ()))
        others = {by for (kind, by), names in self._ties.items() if kind == "blocks" and name.casefold() in names}
        return Blocks(mine, mine | others)

    def change_offers(self, node: int, new: Sequence[StoredOffer], gone: Collection[int]) -> None:
        self._offers = {number: held for number, held in self._offers.items() if number not in gone}
        self._offers |= {offer.number: (node, offer) for offer in new if node != DECLINED}

    def held_offers(self, node: int) -> list[HeldOffer]:
        for number, (holder, offer) in self._offers.items():
            if not self.lives(holder):
                self._offers[number] = node, offer
        mine = [offer for holder, offer in self._offers.values() if holder == node]
        return [HeldOffer(offer.number, offer.body, False) for offer in sorted(mine)]

    def invite(self, digest: bytes, by: str, now: float, expires_at: float) -> None:
        self._invitations = {at: end for at, end in self._invitations.items() if end > now} | {digest: expires_at}
        self._changes.append(AccountChange(now, "an invitation", "invited", by))

    def add_link(self, digest: bytes, name: str, by: str, now: float, expires_at: float, *, alone: bool = True) -> str:
        found = self.find(name)
        if found is None or found.disabled_at is not None:
            raise NoAccount(f"there is no account {name!r} that may log in")
        if alone:
            self._end_links(found.name)
        self._links[digest] = found.name, expires_at
        self._changes.append(AccountChange(now, found.name, "link", by))
        return found.name

    def use_link(self, digest: bytes, password_hash: str, now: float) -> str:
        name, expires_at = self._links.pop(digest, ("", 0.0))
        if expires_at <= now:
            raise NoLink("this link is unknown here, was used already, or has expired")
        self.set_password(name, password_hash, name)
        return name

    def _end_links(self, name: str) -> None:
        self._links = {at: link for at, link in self._links.items() if link[0] != name}

    def delete(self, name: str, by: str) -> None:
        found = self._known(name)
        self._put(found, "deleted", by)
        del self._accounts[name.casefold()]
        self._former[name.casefold()] = found.name
        self._kept = {ticket: whose for ticket, whose in self._kept.items() if whose != name.casefold()}
        self._ties = {at: names for at, names in self._ties.items() if at[1] != name.casefold()}
        for names in self._ties.values():
            names.pop(name.casefold(), None)

    def tokens(self, name: str, now: float) -> list[Token]:
        mine = (token for token in self._tokens.values() if token.name.casefold() == name.casefold())
        lasting = [token for token in mine if token.expires_at > now]
        return sorted(lasting, key=lambda token: token.created_at, reverse=True)

    def set_password(self, name: str, password_hash: str, by: str, *, keep_tokens: bool = False) -> None:
        kept = {at: token for at, token in self._tokens.items() if keep_tokens and token.label}
        self._put(replace(self._known(name), password_hash=password_hash), "password", by)
        self._tokens |= kept

    def set_bot(self, name: str, bot: bool, by: str, *, always: bool = True) -> bool:
        found = self._known(name)
        if found.bot == bot:
            return False
        self._accounts[name.casefold()] = replace(found, bot_since=time.time() if bot else None)
        self._changes.append(AccountChange(time.time(), found.name, "bot" if bot else "person", by))
        return True

    def set_disabled(self, name: str, disabled: bool, by: str) -> None:
        changed = replace(self._known(name), disabled_at=time.time() if disabled else None)
        self._put(changed, "disabled" if disabled else "enabled", by)

    def revoke(self, name: str, by: str) -> None:
        self._put(self._known(name), "revoked", by)

    def end_sessions(self, name: str, by: str) -> None:
        self._changes.append(AccountChange(time.time(), self._known(name).name, "sessions_ended", by))

    def reset(self, name: str, password_hash: str, by: str) -> str:
        self._put(replace(self._known(name), password_hash=password_hash), "reset", by)
        return self._known(name).name

    def add_token(self, token: Token, by: str = "") -> None:
        found = self._known(token.name)
        mine = [kept for kept in self._tokens.values() if kept.name.casefold() == token.name.casefold()]
        for kept in [kept for kept in mine if kept.expires_at <= token.created_at]:
            mine.remove(kept)
            del self._tokens[kept.digest]
        if token.label:
            refuse([kept.label for kept in mine if kept.label], token)
            self._changes.append(AccountChange(token.created_at, found.name, "token", by))
        logins = sorted((kept for kept in mine if not kept.label), key=lambda kept: kept.created_at)
        for kept in logins[: -MOST_LOGINS + 1] if not token.label else []:
            del self._tokens[kept.digest]
        self._tokens[token.digest] = token

    def token(self, digest: bytes, now: float) -> Token | None:
        token = self._tokens.get(digest)
        if token is None or token.expires_at <= now:
            return None
        owner = self._known(token.name)
        return None if owner.disabled_at is not None else replace(token, name=owner.name, bot=owner.bot)

    def token_used(self, digest: bytes, now: float) -> None:
        self._tokens[digest] = replace(self._tokens[digest], used_at=now)

    def end_token(self, digest: bytes, by: str = "") -> bool:
        gone = self._tokens.pop(digest, None)
        if gone is not None and gone.label:
            self._changes.append(AccountChange(time.time(), self._known(gone.name).name, "token_ended", by))
        return gone is not None

    def find(self, name: str) -> Account | None:
        return self._accounts.get(name.casefold())

    def names(self, since: float = 0.0) -> list[str]:
        found = sorted(account.name for account in self._accounts.values() if account.created_at >= since)
        return found if since else found + list(self._former.values())

    def bots(self) -> list[str]:
        return [account.name for account in self._accounts.values() if account.bot]

    def search(self, part: str, after: str, most: int) -> list[str]:
        usable = {folded: found.name for folded, found in self._accounts.items() if found.disabled_at is None}
        found = sorted(folded for folded in usable if part.casefold() in folded and folded > after.casefold())
        return [usable[folded] for folded in found[:most]]

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
        folded = account.name.casefold()
        self._end_links(account.name)
        self._accounts[folded] = account
        self._tokens = {at: token for at, token in self._tokens.items() if token.name.casefold() != folded}
        self._changes.append(AccountChange(time.time(), account.name, change, by))
