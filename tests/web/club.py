"""A house with its API on a real port, a record on SQLite, and requests to it. Not here: what any of it answers."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import migrations
from gateway.accounts.passwords import hashed
from gateway.accounts.token import AdminToken
from gateway.config import Config, Registering, Server
from gateway.store.log import SqlLog
from gateway.store.views import Views
from gateway.web.app import make_app
from gateway.web.routes import api_routes, askers_of
from tests.server.hall import FirstMove, Hall, config, hall
from tests.web.serving import connect, everything, served

TOKEN = "the host's own secret of this test"
PASSWORD = "correct horse"
HASH = hashed(PASSWORD)


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer; ``body`` is decoded where it is JSON."""

    status: int
    head: str
    body: Any

    @property
    def error(self) -> tuple[int, str]:
        """Status and code of a refusal, which must have words too."""
        assert self.body["message"]
        return self.status, self.body["error"]


@dataclass(frozen=True, slots=True)
class Club:
    """``hall`` is the house, ``port`` where its API listens."""

    hall: Hall
    port: int

    async def ask(
        self, path: str, body: object = None, *, auth: str = "", kind: str = "application/json", method: str = ""
    ) -> Answered:
        """GET, or POST where there is a body: bytes as they are, anything else as JSON; or the ``method`` given."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        lines = [f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1", "Host: here", "Connection: close"]
        lines += [f"Content-Length: {len(content)}", *([f"Content-Type: {kind}"] if body is not None else [])]
        lines += [f"Authorization: {auth}"] if auth else []
        async with await connect(self.port) as stream:
            await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            head, _, answer = (await everything(stream)).partition(b"\r\n\r\n")
        text = head.decode().lower()
        decoded = json.loads(answer) if "content-type: application/json" in text else answer.decode()
        return Answered(int(head.split()[1]), text, decoded)

    async def register(self, *seats: object, auth: str = "", **more: object) -> Answered:
        """Seats are names, or as the API takes them."""
        asked = [{"name": seat} if isinstance(seat, str) and seat not in ("open", "bot") else seat for seat in seats]
        return await self.ask("/api/tables", {"game": "tic_tac_toe", "seats": asked, **more}, auth=auth)

    def has_account(self, name: str) -> str:
        """Somebody has this account; the authorization that says so."""
        self.hall.house.accounts.add(name, HASH, "test")
        self.hall.house.lobby.names.own([name])
        return basic(name, PASSWORD)


def basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


@asynccontextmanager
async def club(folder: Path, settings: Config | None = None, **registration: Any) -> AsyncIterator[Club]:
    """A running house; ``registration`` are its settings of that section."""
    url = f"sqlite:///{folder / 'record.db'}"
    if not migrations.is_current(url):
        migrations.upgrade(url)
    rules = Registering(admin_token=TOKEN, **registration)
    usual = replace(settings or config(), registration=rules, server=Server(database=url, data=str(folder)))
    house = hall(usual, log=lambda deliver: SqlLog(url, deliver), blocking=True, patience_s=20.0, bots=FirstMove())
    with closing(Views(url)) as views:
        async with house as here:
            app = make_app(
                here.house.not_ready, api_routes(here.house, views, askers_of(here.house, AdminToken(rules)))
            )
            async with served(app) as port:
                yield Club(here, port)
