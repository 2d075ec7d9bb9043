"""The pictures of games that other sites show beside links to them.

    GET /table/ID/preview.png    a game that strangers see; one that goes on as it stands
    GET /shared/KEY/preview.png  a private game that is over, by its link

A picture is drawn by a process of its own, one at a time, and kept by what it shows.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Final

import structlog
import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.board.description import described
from gateway.web.board.poster import poster
from gateway.web.pages.cards import last_squares
from gateway.web.pages.seats import a_piece
from gateway.web.pages.shared import found_of, unlisted
from gateway.web.reading import Reading
from gateway.web.refusals import refusing
from gateway.web.sharing import Sharing, Shown
from protocols.core.errors import Refused, Why

PROGRAM: Final = (sys.executable, "-P", str(Path(__file__).parent.parent / "rasterizer.py"))
"""The program by its file: as a module it would load its packages, too."""

KEPT: Final = 64
"""Pictures that are kept, the latest asked for: at some 80 KB each."""

AT_ONCE: Final = 20
"""Requests for pictures that have to be drawn; one is, the others wait. Readers do not ask for more at once."""

PATIENCE_S: Final = 30.0
"""Seconds until a picture is there: a fifth of one where a processor is free, 20 beside ten programs for each."""

SHORTLY, ASKED_AGAIN = "public, max-age=60", "no-cache"
"""How long caches may show a picture: one of a private game not without asking whether its link is still there."""

_log = structlog.get_logger()


class PreviewPages:
    def __init__(self, reading: Reading, sharing: Sharing) -> None:
        self._reading = reading
        self._sharing = sharing
        self._drawing = trio.CapacityLimiter(1)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def routes(self) -> list[Route]:
        return [
            Route("/table/{table:int}/preview.png", refusing(self.public), methods=["GET"]),
            Route("/shared/{key}/preview.png", unlisted(refusing(self.shared)), methods=["GET"]),
        ]

    async def public(self, request: Request) -> Response:
        return await self._answer(request, await self._sharing.public(request), SHORTLY)

    async def shared(self, request: Request) -> Response:
        return await self._answer(request, await self._sharing.shown(request), ASKED_AGAIN)

    async def _answer(self, request: Request, shown: Shown, caching: str) -> Response:
        text = await self._reading.do(picture_of, shown)
        tag = f'"{sha256(text.encode()).hexdigest()[:32]}"'
        headers = {"cache-control": caching, "etag": tag, "cross-origin-resource-policy": "cross-origin"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(await self._drawn(tag, text), headers=headers, media_type="image/png")

    async def _drawn(self, tag: str, text: str) -> bytes:
        if tag not in self._kept:
            asked = self._drawing.statistics()
            if asked.borrowed_tokens + asked.tasks_waiting >= AT_ONCE:
                raise Refused(Why.OVERLOAD, "too many pictures are being drawn, try again in a moment")
            try:
                with trio.fail_after(PATIENCE_S):
                    async with self._drawing:
                        if tag not in self._kept:  # another request may have drawn it meanwhile
                            self._kept[tag] = await rasterized(text)
            except trio.TooSlowError as error:
                raise _undrawn(f"it took more than {PATIENCE_S:g} seconds") from error
        self._kept.move_to_end(tag)
        found = self._kept[tag]
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


def picture_of(shown: Shown) -> str:
    """The picture of the last game of a table, or of the board that it will begin with. Blocks."""
    state = found_of(shown).state
    game, look = state.game, described(state.game, state.settings)
    position = state.position if state.position is not None else game.start(state.settings)
    won = game.decisive(position) if state.outcome is not None else ()
    return poster(
        look,
        game.board(position),
        [a_piece(look, seat.index) for seat in state.seats],
        last=() if won else last_squares(state),
        alarm=game.alarm(position),
        won=won,
        winner=None if state.outcome is None else state.outcome.winner,
        turn=None if state.outcome is not None else state.turn,
    )


async def rasterized(text: str) -> bytes:
    """SVG as PNG. Refused (OVERLOAD): it cannot be drawn. Cancelled, it leaves no process behind."""
    try:
        done = await trio.run_process(
            PROGRAM,
            stdin=text.encode(),
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            deliver_cancel=_kill,
        )
    except OSError as error:
        raise _undrawn(str(error)) from error
    if done.returncode:
        raise _undrawn(f"status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}")
    return done.stdout


async def _kill(process: trio.Process) -> None:
    """At once: SIGKILL takes effect even on a stopped process."""
    with suppress(OSError):
        process.kill()


def _undrawn(why: str) -> Refused:
    _log.warning("a picture could not be drawn", error=why)
    return Refused(Why.OVERLOAD, "the picture cannot be drawn just now, try again in a moment")
