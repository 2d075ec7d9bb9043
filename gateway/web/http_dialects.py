"""Serves every dialect that HTTP carries: a request goes to its seat's session, and waits for its answer.

When a client's connection ends, its request is let go. What requests mean is the dialect's
(protocols.core.http_binding), which session they go to is in http_sessions.py.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import Final

import msgspec
import structlog
import trio
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from gateway.admission.authentication import Authenticator
from gateway.cluster.messages import Post
from gateway.ops.server import GameServer
from gateway.web.guard import PATIENCE
from gateway.web.http_sessions import LATE, Exchange, HttpSessions
from gateway.web.sessions import address_of
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused
from protocols.core.http_binding import Answer, AnyBinding, BadRequest, Request

AGAIN_S: Final = 1.0
"""Seconds until a request is asked once more whose connection was hung up on: its table has moved by then."""

_log = structlog.get_logger()


def http_dialect_routes(server: GameServer, dialects: Mapping[str, type[Dialect]]) -> list[Route]:
    """The routes of those ``dialects`` that HTTP carries, for ``make_app``."""
    routes = []
    for dialect in dialects.values():
        if dialect.http is None:
            continue
        server.metrics.expects(dialect.name)
        binding = dialect.http()
        served = _Served(dialect.name, binding, http_sessions(server, dialect, binding), server.authenticator)
        server.node.posts.serves(dialect.name, served.passed_on)
        routes += [Route(path, served.serve, methods=list(binding.methods)) for path in binding.paths]
    return routes


def http_sessions(server: GameServer, dialect: type[Dialect], binding: AnyBinding) -> HttpSessions:
    """The seats that are played on this server in one dialect."""
    parts = server.lobby, server.tables, server.tickets, server.enter, server.node.posts
    sessions = HttpSessions(dialect, binding, server.house_rules, *parts)
    server.rereads(sessions)
    return sessions


class _Served:
    """One dialect's requests."""

    def __init__(self, name: str, binding: AnyBinding, sessions: HttpSessions, authenticator: Authenticator) -> None:
        self._name = name
        self._binding = binding
        self._sessions = sessions
        self._authenticator = authenticator

    async def serve(self, request: HttpRequest) -> Response:
        """Answer a request, whenever there is an answer."""
        address, account = address_of(request), ""
        try:
            asked = self._binding.read(request.headers.raw)
            if asked.login is not None:
                name, secret = asked.login
                account = await self._authenticator.account(name, secret, address)
        except BadRequest as error:
            return self._response(self._binding.refusal(str(error)))
        except Refused as refused:
            return self._response(self._binding.refusal(refused.text))
        answer = Answer()
        patience = request.scope.get("state", {}).get(PATIENCE, nullcontext)
        with patience():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_watch, request.receive, nursery.cancel_scope)
                answer = await self._answer(asked, address, account)
                nursery.cancel_scope.cancel()
        return self._response(answer)

    async def passed_on(self, post: Post) -> str:
        """The answer to another node's request, as JSON."""
        asked = msgspec.json.decode(post.request, type=self._binding.asked)
        answer = await self._answer(asked, post.address, post.account, post.hops)
        return msgspec.json.encode(answer).decode()

    async def _answer(self, asked: Request, address: str, account: str, hops: int = 0) -> Answer:
        """The answer, whenever there is one. Cancelled when the client has gone: its request is let go then."""
        while True:
            answer = await self._asked(asked, address, account, hops)
            if answer is not None:
                return answer
            await trio.sleep(AGAIN_S)

    async def _asked(self, asked: Request, address: str, account: str, hops: int) -> Answer | None:
        """The same; None: it is to be asked once more."""
        try:
            answer = await self._sessions.answered_elsewhere(asked, address, account, hops)
            if answer is not None:
                return answer
        except Refused as refused:
            return self._binding.refusal(refused.text)
        exchange = self._sessions.ask(asked, address, account)
        try:
            with trio.move_on_after(_seconds(self._binding.longest_wait_s)):
                await self._answered(exchange)
        except trio.Cancelled:
            _let_go(exchange)
            raise
        if not exchange.answered.is_set():
            exchange.finish(self._binding.refusal(LATE))
            _let_go(exchange)
        return exchange.answer

    async def _answered(self, exchange: Exchange) -> None:
        """Until there is an answer; the player is noted as present meanwhile."""
        while not exchange.answered.is_set():
            with trio.move_on_after(self._binding.still_s):
                await exchange.answered.wait()
            if not exchange.answered.is_set() and exchange.session is not None:
                exchange.session.still_there(exchange)

    def _response(self, answer: Answer) -> Response:
        """An empty body, and the answer's headers."""
        if answer.remark:
            _log.warning("request ignored", dialect=self._name, why=answer.remark)
        response = Response(headers={"cache-control": "no-store"})
        response.raw_headers += [(name.encode(), value) for name, value in answer.headers]
        return response


async def _watch(receive: Callable[[], Awaitable[Mapping[str, object]]], waiting: trio.CancelScope) -> None:
    """Read on until the client has closed: what it sends is a body, which is ignored."""
    while (await receive())["type"] != "http.disconnect":
        pass
    waiting.cancel()


def _let_go(exchange: Exchange) -> None:
    """The client does not wait any more."""
    if exchange.session is not None:
        exchange.session.gone(exchange)


def _seconds(limit: float | None) -> float:
    return float("inf") if limit is None else limit
