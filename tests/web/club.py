"""Runs a server with its HTTP API on a real port and a record on SQLite, and sends it requests."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from gateway.accounts.tokens import AdminToken
from gateway.bots.analyst import Analyst
from gateway.config import Config, Registering
from gateway.ops.server import GameServer
from gateway.store.accounts import SqlAccounts
from gateway.store.former import PublicViews
from gateway.store.log import SqlLog
from gateway.web import relays
from gateway.web.pages.site import site
from gateway.web.routes import askers_of
from gateway.web.sessions import Kept, kept
from tests.hall import FirstMove, Guest, Hall, config, hall
from tests.passwords import hashed
from tests.running import made_record
from tests.web.conforming import conforms
from tests.web.serving import connect, everything, served

TOKEN = "the host's own secret of this test"
PASSWORD = "correct horse"
HASH = hashed(PASSWORD)


MoreRoutes = Callable[[GameServer], Sequence[BaseRoute]]


def relay_routes(server: GameServer) -> Sequence[BaseRoute]:
    """Those of a server that is no relay."""
    return relays.routes(None, bool)


AnalystOf = Callable[[str], AbstractAsyncContextManager[Analyst | None]]


def no_analyst(url: str) -> AbstractAsyncContextManager[Analyst | None]:
    """That of a server without one."""
    return nullcontext()


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
    """``hall`` is the server, ``port`` where its API listens. Each answer of the API is what its document says."""

    hall: Hall
    port: int
    app: ASGIApp
    kept: Kept | None = None

    async def ask(
        self,
        path: str,
        body: object = None,
        *,
        auth: str = "",
        kind: str = "application/json",
        method: str = "",
        headers: Sequence[str] = (),
    ) -> Answered:
        """GET, or POST where there is a body: bytes as they are, anything else as JSON; or the ``method`` given."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        lines = [f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1", "Host: here", "Connection: close"]
        lines += [f"Content-Length: {len(content)}", *([f"Content-Type: {kind}"] if body is not None else [])]
        lines += [f"Authorization: {auth}"] if auth else []
        lines += headers
        async with await connect(self.port) as stream:
            await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            head, _, answer = (await everything(stream)).partition(b"\r\n\r\n")
        text = head.decode().lower()
        decoded = json.loads(answer) if "content-type: application/json" in text else answer.decode()
        status = int(head.split()[1])
        conforms(lines[0].split()[0], path, status, decoded)
        return Answered(status, text, decoded)

    @property
    def routes(self) -> list[Route]:
        """All routes of the application."""
        app: Any = self.app
        while not isinstance(app, Starlette):
            app = app._app
        return [route for route in app.routes if isinstance(route, Route)]

    async def register(self, *seats: object, auth: str = "", **more: object) -> Answered:
        """Seats are names, or as the API takes them."""
        asked = [{"name": seat} if isinstance(seat, str) and seat not in ("open", "bot") else seat for seat in seats]
        return await self.ask("/api/tables", {"game": "tic_tac_toe", "seats": asked, **more}, auth=auth)

    def has_account(self, name: str) -> str:
        """Add an account of this name; return its Authorization header."""
        self.hall.server.accounts.add(name, HASH, "test")
        self.hall.server.lobby.names.own([name])
        return basic(name, PASSWORD)


def basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


@asynccontextmanager
async def club(
    folder: Path,
    settings: Config | None = None,
    options: str = "",
    more: MoreRoutes = relay_routes,
    analyst: AnalystOf = no_analyst,
    **registration: Any,
) -> AsyncIterator[Club]:
    """Run a server; ``registration`` are its settings of that section, ``options`` those of its listener.

    ``analyst`` opens one for an address of a database; nobody runs it.
    """
    record = folder / "record.db"
    url = f"sqlite:///{record}" if record.exists() else made_record(record)
    rules = Registering(**({"admin_token": TOKEN} | registration))
    usual = settings or config()
    database = replace(usual.server, database=url, data=str(folder))
    usual = replace(usual, registration=rules, server=database)
    stored: dict[str, Any] = {"log": lambda deliver: SqlLog(url, deliver), "bots": FirstMove()}
    with closing(PublicViews(url)) as views, closing(SqlAccounts(url)) as accounts:
        async with (
            analyst(url) as looks,
            hall(usual, **stored, accounts=accounts, blocking=True, patience_s=20.0, analyst=looks) as here,
        ):
            askers = askers_of(here.server, AdminToken(rules), views)
            with kept(url, here.server.ban_enforcer.name, rules.host_accounts.split()) as found:
                app = site(here.server, views, askers, found, more=more(here.server))
                async with served(app, options=options) as port:
                    yield Club(here, port, app, found)


async def playing(here: Club) -> tuple[int, list[str], list[Guest]]:
    """A registered game of tic-tac-toe that both have sat down to: its table, tickets, clients."""
    answer = await here.register("ann", "bob")
    guests = [here.hall.dial() for _ in range(2)]
    for guest, ticket in zip(guests, answer.body["tickets"], strict=True):
        await guest.joins(f"tic_tac_toe#{ticket}")
    await here.hall.until(lambda: here.hall.state(answer.body["id"]).turn == 0)
    return answer.body["id"], answer.body["tickets"], guests
