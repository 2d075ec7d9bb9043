"""Hands an account all of its data as a ZIP file, from a button of its page: ``POST /account/data``.

The file is made while it is sent (gateway/record/archive.py): each piece in a thread, and the next one when the client
has taken this one. A client that takes nothing is hung up on by the guard.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeVar

import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gateway.admission.token_bucket import TokenBuckets
from gateway.record.archive import Archives
from gateway.web.forms import form_of
from gateway.web.guard import PATIENCE
from gateway.web.headers import secured
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.refusals import BadRequest, log_trouble
from gateway.web.sessions import person_of

T = TypeVar("T")

BURST, PER_S = 3, 1 / 3600
"""Downloads of one account at once, and then a second: each reads all that it ever played."""

AT_ONCE: Final = 8
"""Downloads at the same time, one of each account."""

BUSY_S: Final = 60
"""Seconds after which to ask again while others download."""

PIECE_BYTES: Final = 32_768

WORK_S: Final = 0.02
"""Seconds of a piece in its thread, which then rests as long: moves need the same processor."""


class DownloadPage:
    """``archives`` makes the files."""

    def __init__(self, frame: Frame, archives: Archives) -> None:
        self._frame = frame
        self._archives = archives
        self._asked: TokenBuckets[str] = TokenBuckets(PER_S, BURST)
        self._running: set[str] = set()
        self._threads = trio.CapacityLimiter(2)

    def routes(self) -> list[Route]:
        return [Route("/account/data", as_page(self._frame, self.download), methods=["POST"])]

    async def download(self, request: Request) -> Response:
        await form_of(request)
        account = person_of(request).account
        if not account:
            raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")
        folded, now = account.casefold(), trio.current_time()
        if folded in self._running:
            return self._later(request, BUSY_S, "Your data is being downloaded already. Wait until that is done.")
        if len(self._running) >= AT_ONCE:
            return self._later(request, BUSY_S, "Many people download their data just now. Try again in a minute.")
        if wait_s := self._asked.bucket(folded, now).refuses_s(now):
            minutes = int(wait_s // 60) + 1
            unit = "minute" if minutes == 1 else "minutes"
            text = f"You have downloaded your data {BURST} times. Try again in {minutes} {unit}."
            return self._later(request, int(wait_s) + 1, text)
        self._running.add(folded)
        pieces = None
        try:
            pieces = await self._do(self._archives.of, account, time.time())
        finally:
            if pieces is None:
                self._running.discard(folded)
        if pieces is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", "There is no such account any more.")
        return Download(f"{plain_name(account)}.zip", pieces, self._do, partial(self._running.discard, folded))

    def _later(self, request: Request, after_s: int, text: str) -> Response:
        answer = self._frame.error(request, HTTPStatus.TOO_MANY_REQUESTS, "Not so often", text)
        answer.headers["retry-after"] = str(after_s)
        return answer

    async def _do(self, function: Callable[..., T], *arguments: Any) -> T:
        return await trio.to_thread.run_sync(function, *arguments, limiter=self._threads)


Do = Callable[..., Awaitable[bytes | None]]


class Download(Response):
    """The answer: a file of this ``name`` of ``pieces``, each asked for by ``do``. ``over`` is called at its end."""

    def __init__(self, name: str, pieces: Iterator[bytes], do: Do, over: Callable[[], None]) -> None:
        kept = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
        super().__init__(None, HTTPStatus.OK, kept, "application/zip")
        del self.headers["content-length"]
        secured(self)
        self._pieces = pieces
        self._do = do
        self._over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with scope.get("state", {}).get(PATIENCE, nullcontext)():
                await self._send(send, scope["path"])
        finally:
            self._over()

    async def _send(self, send: Send, path: str) -> None:
        """A file that cannot be read to its end is not ended: the connection is cut, and the browser says so."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            while (piece := await self._do(next_piece, self._pieces)) is not None:
                if piece:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await trio.sleep(WORK_S)
        except SQLAlchemyError as error:
            log_trouble(path, error)
            return
        await send({"type": "http.response.body", "body": b""})


def next_piece(pieces: Iterator[bytes]) -> bytes | None:
    """The next bytes, made until they are many or took long enough, maybe none; None at the end. Blocks."""
    made, until = bytearray(), time.monotonic() + WORK_S
    for piece in pieces:
        made += piece
        if len(made) >= PIECE_BYTES or time.monotonic() >= until:
            return bytes(made)
    return bytes(made) or None


def plain_name(name: str) -> str:
    """The name as a file's, in plain letters."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "account"
