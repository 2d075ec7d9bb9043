"""A running server with accounts and their tokens, and people who challenge bots by its API."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gateway.accounts.issuing import issue
from gateway.accounts.logins import hashed
from gateway.store.accounts import SqlAccounts
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.running import RECORD, RunningServer, made_record

PASSWORD: Final = "correct horse"


@dataclass
class Served:
    """``tokens`` are by account."""

    running: RunningServer
    tokens: Mapping[str, str]

    @property
    def port(self) -> int:
        return self.running.ports[0]

    def person(self, name: str) -> Host:
        """The JSON API as the owner of an account asks it."""
        given = base64.b64encode(f"{name}:{PASSWORD}".encode()).decode()
        return Host(self.port, {"Authorization": f"Basic {given}"})

    def offers(self, name: str, **more: Any) -> int:
        """An offer of chess by this account; its number."""
        status, answer = self.person(name).ask("/api/offers", {"game": "chess", **more})
        assert status == 201, answer
        return int(answer["id"])


def made(data: Path, bots: Iterable[str] = ("Robo", "Mecha"), people: Iterable[str] = ("Anna",)) -> dict[str, str]:
    """A record with these accounts; the tokens."""
    return added(made_record(data / RECORD), bots, people)


def added(url: str, bots: Iterable[str], people: Iterable[str] = ()) -> dict[str, str]:
    """The tokens of accounts that are made now."""
    tokens = {}
    with closing(SqlAccounts(url)) as accounts:
        for name in (*bots, *people):
            accounts.add(name, hashed(PASSWORD), "root")
            scopes = ("bot:play", "challenge:read", "challenge:write") if name in bots else ("board:play",)
            tokens[name] = issue(accounts, name, "root", "engine", scopes)[0]
            accounts.set_bot(name, name in bots, "root")
    return tokens


@contextmanager
def serving(
    data: Path, tokens: Mapping[str, str], *listeners: str, ports: Mapping[int, int] | None = None, **settings: str
) -> Iterator[Served]:
    with fast(data, "http", *listeners, ports=ports, **settings) as running:
        yield Served(running, tokens)
