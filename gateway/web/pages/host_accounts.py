"""Shows the host accounts, by a part of a name, and each on a page of its own with forms; each form is an act.

An account that may be the host is changed on the command line alone: a page that was left open must not shut the other
hosts out. No page shows a mail address, or a secret of an account.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final, TypeVar
from urllib.parse import quote

import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.forgotten import nobodys_password, taken_back
from gateway.lobby.banned import Banned
from gateway.ops.server import GameServer
from gateway.record.archive import Archives
from gateway.store import acts
from gateway.store.account_views import NEWEST
from gateway.store.accounts import NoAccount
from gateway.store.records import noted
from gateway.store.tokens import SCOPES
from gateway.web.askers import Askers
from gateway.web.forms import gone_to
from gateway.web.pages.download import Download, plain_name
from gateway.web.pages.frame import Frame
from gateway.web.pages.host import DONE, parts_of, sign_in
from gateway.web.pages.host_acts import form_of_host, host_of
from gateway.web.pages.refusing import Page, as_page
from gateway.web.refusals import BadRequest
from gateway.web.sessions import Kept, person_of
from protocols.core.errors import Refused, Why

T = TypeVar("T")

PAGE: Final = 50
"""Accounts of one page."""

LONGEST_PART: Final = 64
"""Characters of a part of a name that are looked for: no name is longer."""

PART: Final = "/accounts"


class HostAccounts:
    """``archives`` makes the file of an account's data: one at a time, for moves need the same processor."""

    def __init__(self, frame: Frame, server: GameServer, askers: Askers, kept: Kept, archives: Archives) -> None:
        self._frame = frame
        self._server = server
        self._askers = askers
        self._kept = kept
        self._archives = archives
        self._exporting: set[str] = set()
        self._thread = trio.CapacityLimiter(1)

    def routes(self) -> list[Route]:
        pages: dict[str, Page] = {"/host/accounts": self.accounts, "/host/accounts/{name:path}": self.account}
        posts: dict[str, Page] = {
            "disable": self.disable,
            "enable": self.enable,
            "reset": self.reset,
            "revoke": self.revoke,
            "end-token": self.end_token,
            "end-sessions": self.end_sessions,
            "export": self.export,
        }
        return [
            *(Route(path, as_page(self._frame, page), methods=["GET"]) for path, page in pages.items()),
            *(Route(f"/host/{name}", as_page(self._frame, post), methods=["POST"]) for name, post in posts.items()),
        ]

    async def accounts(self, request: Request) -> Response:
        """The accounts with a part in their names, those behind another one where there are many."""
        if not person_of(request).host:
            return sign_in(self._frame, request, self._askers, self._kept, 200)
        asked = {key: request.query_params.get(key, "").strip()[:LONGEST_PART] for key in ("part", "after")}
        lines, more = await self._do(self._kept.accounts.page, asked["part"], asked["after"], PAGE, time.time())
        following = lines[-1].name if more and lines else ""
        return self._page(request, "host_accounts.html", lines=lines, following=following, asked=asked)

    async def account(self, request: Request) -> Response:
        """One account with all that is known of it, but its secrets."""
        if not person_of(request).host:
            return sign_in(self._frame, request, self._askers, self._kept, 200)
        name, now = request.path_params["name"], time.time()
        found = await self._do(self._kept.accounts.of, name, now)
        if found is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", f"There is no account {name[:LONGEST_PART]!r}.")
        ban = Banned(await self._do(self._server.bans.current, now)).name(found.line.name, now)
        hosts = self._kept.sessions.is_host(found.line.name)
        shown = {"scopes": SCOPES, "newest": NEWEST}
        return self._page(request, "host_account.html", found=found, ban=ban, hosts=hosts, **shown)

    def _page(self, request: Request, name: str, **values: Any) -> Response:
        done = DONE.get(request.query_params.get("done", ""), "")
        return self._frame.page(request, name, parts=parts_of(self._server), part=PART, done=done, **values)

    async def disable(self, request: Request) -> Response:
        name, _ = await self._named(request)
        return await self._changed(name, "disabled", self._server.accounts.set_disabled, name, True, host_of(request))

    async def enable(self, request: Request) -> Response:
        name, _ = await self._named(request)
        return await self._changed(name, "enabled", self._server.accounts.set_disabled, name, False, host_of(request))

    async def revoke(self, request: Request) -> Response:
        name, _ = await self._named(request)
        return await self._changed(name, "revoked", self._server.accounts.revoke, name, host_of(request))

    async def end_sessions(self, request: Request) -> Response:
        name, _ = await self._named(request)
        return await self._changed(name, "sessions", self._server.accounts.end_sessions, name, host_of(request))

    async def end_token(self, request: Request) -> Response:
        """End one token, by its id; one that is gone already is as good."""
        name, wanted = await self._named(request)
        for one in await self._do(self._server.accounts.tokens, name, time.time()):
            if one.id == wanted:
                await self._do(self._server.accounts.end_token, one.digest, host_of(request))
        return _back(name, "token")

    async def reset(self, request: Request) -> Response:
        """Give an account back to its owner: everything ends, and a link for another password is shown once."""
        name, _ = await self._named(request)
        nobodys = await self._askers.logins.hashed(nobodys_password())
        with _no_account():
            made = await self._do(taken_back, self._server.accounts, name, host_of(request), nobodys)
        registered, code, until = made
        if not code:
            return _back(registered, "reset")
        link = f"{request.headers['origin']}/password#{code}"
        return self._page(request, "host_link.html", account=registered, link=link, until=until)

    async def export(self, request: Request) -> Response:
        """The file of all data of an account, as its owner can download it."""
        name = (await form_of_host(request))["name"].strip()
        if self._exporting:
            raise Refused(Why.TOO_FAST, "another account's data is being written: try again in a minute")
        self._exporting.add(name)
        try:
            pieces = await self._exported(name, host_of(request))
        except BaseException:
            self._exporting.clear()
            raise
        return Download(f"{plain_name(name)}.zip", pieces, self._written, self._exporting.clear)

    async def _exported(self, name: str, by: str) -> Iterator[bytes]:
        """The pieces of an account's file, after the act is noted. Refused (BAD_OPTION)."""
        found = await self._do(self._server.accounts.find, name)
        pieces = await self._written(self._archives.of, name, time.time())
        if found is None or pieces is None:
            raise Refused(Why.BAD_OPTION, f"there is no account {name[:LONGEST_PART]!r}")
        await self._server.commits.append(noted(acts.made(time.time(), by, "account.exported", found.name)))
        return pieces

    async def _named(self, request: Request) -> tuple[str, str]:
        """The account of a form, and the id of its token, "" none. Refused (BAD_OPTION): it may be the host."""
        fields = await form_of_host(request)
        name = fields["name"].strip()
        if self._kept.sessions.is_host(name):
            raise Refused(Why.BAD_OPTION, f"{name} may be the host: boardgate account changes it")
        return name, fields["token"]

    async def _changed(self, name: str, done: str, change: Callable[..., None], *arguments: Any) -> Response:
        with _no_account():
            await self._do(change, *arguments)
        return _back(name, done)

    async def _do(self, function: Callable[..., T], *arguments: Any) -> T:
        return await self._kept.sessions.do(function, *arguments)

    async def _written(self, function: Callable[..., T], *arguments: Any) -> T:
        return await trio.to_thread.run_sync(function, *arguments, limiter=self._thread)


@contextmanager
def _no_account() -> Iterator[None]:
    """Refused (BAD_OPTION): there is no account of this name."""
    try:
        yield
    except NoAccount as none:
        raise Refused(Why.BAD_OPTION, str(none)) from None


def _back(name: str, done: str) -> Response:
    return gone_to(f"/host/accounts/{quote(name, safe='')}?done={done}")
