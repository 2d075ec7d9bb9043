"""Lets clients without a seat be here under a name, which is nobody else's while they are.

A name is chosen by what this node has heard of all others. Two guests who enter under one name at two nodes in the same
moment are told apart when the nodes hear of each other: the client with the higher number gets another name.
"""

from __future__ import annotations

import time
from typing import Final, Protocol

import trio
from msgspec.structs import replace

from gateway.admission.ban_enforcer import BanEnforcer
from gateway.lobby.here import Entry
from gateway.lobby.lobby import Lobby
from gateway.lobby.spelling import tidy
from gateway.tables.seams import Subscriber
from protocols.core.errors import Refused, Why
from protocols.core.notifications import Named

PAGE_S: Final = 60.0
"""Seconds that an account is here after its browser has asked for a page, or for what is new on one."""


IDLE_S: Final = 300.0
"""Seconds without a word after which a client is idle."""

IDLE_LOOK_S: Final = 60.0
"""Seconds between two looks at who is idle. Other nodes hear of each idle time twice, however much is said."""

PAGES: Final = 1 << 31
"""Numbers of browsers' sessions, which have no connection, begin here, above those of connections of one process."""


class Speaker(Subscriber, Protocol):
    """A client that says something, or is here under a name. ``account`` is "" for a guest.

    ``spoke`` is when its peer has said something the last time, on trio's clock.
    """

    account: str

    @property
    def speaks_for(self) -> int:
        """The number of the client that has its name: its own, but of an onlooker."""

    @property
    def spoke(self) -> float: ...

    @property
    def called(self) -> str:
        """The name under which it plays or looks on; "" without one."""


class Entering:
    """The clients of one server that have entered."""

    def __init__(self, lobby: Lobby, bans: BanEnforcer) -> None:
        self._lobby = lobby
        self._bans = bans
        self._clients: dict[int, Speaker] = {}
        self._due = 0.0

    def enter(self, client: Speaker, wanted: str) -> str:
        """The name under which ``client`` is here now: ``wanted``, or one like it; "" is its account's, or a guest's.

        It keeps what it has where it wants the same, or nothing. Refused: it may not be called so.
        """
        here, before = self._lobby.here, self._lobby.here.entry(client.speaks_for)
        self._bans.check(wanted)
        if before is not None and (not wanted or _same(wanted, before.name)):
            return before.name
        if before is not None:
            here.forget(client.speaks_for)  # its own name is no reason to number the next one
        try:
            name = self._lobby.names.choose(wanted, client.account)
        except BaseException:
            if before is not None:
                here.note(before)
            raise
        if before is not None and name == before.name:
            here.note(before)
            return name
        self._clients[client.speaks_for] = client
        is_account = bool(client.account) and _same(name, client.account)
        program = bool(client.program)
        here.enter(Entry(client.speaks_for, name, is_account, time.time(), client.speaks, program))
        return name

    def tell(self, client: Speaker, wanted: str, name: str) -> None:
        """Tell a client that is here under ``name`` what it is called, and why where it ``wanted`` another name."""
        if wanted and not _same(wanted, name):
            why = self._lobby.names.why_other(wanted)
            client.tell([Named(name, f"{wanted} {why}: you are here as {name}")])
        else:
            client.tell([Named(name, f"you are here as {name}")])

    def logged_in(self, client: Speaker) -> None:
        """The client is here under the account that it has logged in to, and under no other name."""
        self.left(client.speaks_for)
        self.enter(client, client.account)

    def sat_down(self, number: int, name: str) -> None:
        """The client of this number has a seat under ``name``: any other name that it had is free again."""
        self._end_offers(number)
        entry = self._lobby.here.entry(number)
        if entry is not None and not _same(entry.name, name):
            self.left(number)

    def left(self, number: int) -> None:
        """The client of this number has ended: its name is free. Idempotent."""
        self._end_offers(number)
        self._clients.pop(number, None)
        self._lobby.here.leave(number)

    def look(self, now: float) -> None:
        """Note who is idle ``now``, on trio's clock, and who is not any more; and who has said that it is an engine."""
        if now < self._due:
            return
        self._due = now + IDLE_LOOK_S
        for number, client in self._clients.items():
            entry = self._lobby.here.entry(number)
            if entry is None:
                continue
            silent_s, bot = now - client.spoke, bool(client.program)
            if (silent_s >= IDLE_S) != (entry.idle is not None) or bot != entry.bot:
                since = None if silent_s < IDLE_S else entry.idle or time.time() - silent_s
                self._lobby.here.enter(replace(entry, idle=since, bot=bot))

    def _end_offers(self, number: int) -> None:
        """Offers go with the client that made them, and when it has a seat."""
        for offer in self._lobby.offers.of_client(number):
            self._lobby.offers.remove(offer.number)

    def clients(self, name: str) -> list[Speaker]:
        """The clients of this server that are here under a name, the oldest first.

        The line of an older one may be dead, which nobody knows yet: what is for the name is told to all of them.
        """
        entries = self._lobby.here.of(name)
        return [self._clients[entry.number] for entry in entries if entry.number in self._clients]

    def contested(self, entry: Entry) -> None:
        """A client of another node is here under this name, which a client of ours with a higher number gives up."""
        for own in self._lobby.here.of(entry.name):
            client = self._clients.get(own.number)
            if client is None or own.account or entry.account:
                continue
            self.left(own.number)
            if client.table is None:
                self.tell(client, own.name, self.enter(client, own.name))

    def asked_page(self, session: bytes, account: str) -> None:
        """A browser of this account has asked for something, under a session: the account is here for a while."""
        number = PAGES | int.from_bytes(session[:4]) & PAGES - 1
        self._lobby.here.stays(Entry(number, account, True, time.time(), "web"), trio.current_time() + PAGE_S)

    def says_challenges(self, account: str, *, takes: bool) -> None:
        """An account takes challenges from now on, or none while it is here. Refused (NOT_NOW): it is not here."""
        own = [entry for entry in self._lobby.here.of(account) if entry.number in self._clients or _is_page(entry)]
        if not own:
            raise Refused(Why.NOT_NOW, f"{account} is not here: open a page, or give the name in your program")
        for entry in own:
            self._lobby.here.enter(replace(entry, challenges=takes, said_at=time.time()))


def _is_page(entry: Entry) -> bool:
    """True of a browser's session at this node."""
    return PAGES <= entry.number < 2 * PAGES


def _same(wanted: str, name: str) -> bool:
    return tidy(wanted).casefold() == name.casefold()
