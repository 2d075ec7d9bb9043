"""Passes requests of programs of the lichess API on to the node where their account's connections are.

A program's requests may reach any node or worker, and its connections are one process's: the one where it is here
already, as all nodes know, or else the one that is asked. A stream is passed on in parts, of which each is asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import Response

from gateway.cluster.messages import Post
from gateway.cluster.outposts import NODE_BITS
from gateway.ops.server import GameServer
from gateway.web.lichess_lines import Program
from gateway.web.lichess_stream import Stream
from gateway.web.refusals import body_of
from protocols.core.errors import Refused, Why
from protocols.lichess.dialect import Lichess

BODY_BYTES: Final = 8192
"""The longest request: a challenge from a position."""

UNASKED_S: Final = 20.0
"""Seconds without a question for more of a stream, until its other node is taken for gone."""

Serve = Callable[[Request, Program], Awaitable[Response]]


class Passed(msgspec.Struct, omit_defaults=True):
    """A request for another node: its route, or a ``stream`` of which more is asked for, or which ``ends``."""

    route: str = ""
    params: dict[str, str] = {}
    query: str = ""
    kind: str = ""
    body: str = ""
    key: str = ""
    agent: str = ""
    bot: bool = False
    stream: int = 0
    ends: bool = False


class Back(msgspec.Struct, omit_defaults=True):
    """The answer: a status and a body, or a ``stream``, or some of one; ``open``: more of it may come."""

    status: int = 200
    body: str = ""
    stream: int = 0
    open: bool = True


class Passing:
    """Serves the requests of all routes, here or at another node. ``routes`` are the functions that serve them here."""

    def __init__(self, server: GameServer) -> None:
        self._server = server
        self._serves: dict[str, Serve] = {}
        self._streams: dict[int, Stream] = {}
        self._asked: dict[int, float] = {}
        self._numbers = 0
        server.node.posts.serves(Lichess.name, self._passed_on)

    def adds(self, route: str, serve: Serve) -> None:
        """Requests of this route are served by ``serve``."""
        self._serves[route] = serve

    async def answer(self, route: str, request: Request, program: Program) -> Response:
        """The answer to a request, from wherever the program is."""
        node = self._node(program)
        if not node:
            return await self._serves[route](request, program)
        body = (await body_of(request, BODY_BYTES)).decode(errors="replace")
        params = {name: str(value) for name, value in request.path_params.items()}
        kind = request.headers.get("content-type", "")
        passed = Passed(route, params, request.url.query, kind, body, program.key.hex(), program.agent, program.bot)
        back = await self._ask(node, program, passed)
        if back.stream:
            return Relayed(self, node, program, back.stream)
        return Response(back.body, back.status, {"cache-control": "no-store"}, "application/json")

    def _node(self, program: Program) -> int:
        """The node where the account's programs are; 0: this one."""
        entries = self._server.lobby.here.of(program.account)
        nodes = [entry.number >> NODE_BITS for entry in entries if entry.dialect == Lichess.name]
        return min(nodes, default=0)

    async def _ask(self, node: int, program: Program, passed: Passed) -> Back:
        """Refused: that node does not answer."""
        request = msgspec.json.encode(passed).decode()
        post = Post(Lichess.name, request, program.address, program.account, 1)
        return msgspec.json.decode(await self._server.node.posts.ask(node, post), type=Back)

    async def more(self, node: int, program: Program, stream: int) -> Back:
        """The next lines of a stream of another node. Refused: it is gone."""
        return await self._ask(node, program, Passed(stream=stream))

    def ends(self, node: int, program: Program, stream: int) -> None:
        """The program has closed a stream of another node."""
        self._server.background.start_soon(self._end, node, program, stream)

    async def _end(self, node: int, program: Program, stream: int) -> None:
        try:
            await self._ask(node, program, Passed(stream=stream, ends=True))
        except Refused:
            return  # that node is gone, and the stream with it

    async def _passed_on(self, post: Post) -> str:
        """The answer to another node's request, as JSON."""
        passed = msgspec.json.decode(post.request, type=Passed)
        if passed.stream:
            return msgspec.json.encode(await self._more(passed)).decode()
        key = bytes.fromhex(passed.key)
        program = Program(post.account, key, bot=passed.bot, agent=passed.agent, address=post.address)
        serve = self._serves.get(passed.route)
        if serve is None:
            raise Refused(Why.OVERLOAD, f"no requests of {passed.route} are served here")
        response = await serve(_request(passed), program)
        if isinstance(response, Stream):
            back = Back(stream=self._kept(response))
        else:
            back = Back(response.status_code, bytes(response.body).decode())
        return msgspec.json.encode(back).decode()

    def _kept(self, stream: Stream) -> int:
        """The number by which another node asks for more of a stream."""
        self._numbers += 1
        self._streams[self._numbers], self._asked[self._numbers] = stream, trio.current_time()
        self._server.background.start_soon(self._watch, self._numbers)
        return self._numbers

    async def _watch(self, number: int) -> None:
        """End a stream that its node asks for no more."""
        while (asked := self._asked.get(number)) is not None:
            if trio.current_time() - asked > UNASKED_S:
                self._drop(number)
            await trio.sleep(UNASKED_S / 4)

    def _drop(self, number: int) -> None:
        stream = self._streams.pop(number, None)
        self._asked.pop(number, None)
        if stream is not None:
            stream.left()

    async def _more(self, passed: Passed) -> Back:
        stream = self._streams.get(passed.stream)
        if stream is None or passed.ends:
            self._drop(passed.stream)
            return Back(open=False)
        lines, ends = await stream.next()
        self._asked[passed.stream] = trio.current_time()
        if ends:
            self._drop(passed.stream)
        return Back(body=lines.decode(), open=not ends)


class Relayed(Stream):
    """A stream of another node."""

    def __init__(self, passing: Passing, node: int, program: Program, number: int) -> None:
        super().__init__(_nothing, lambda stream: passing.ends(node, program, number))
        self._more: Callable[[], Awaitable[Back]] = lambda: passing.more(node, program, number)

    async def next(self) -> tuple[bytes, bool]:
        try:
            back = await self._more()
        except Refused:
            return b"", True
        return back.body.encode(), not back.open


def _nothing() -> None:
    """The other node is told that its program is there by each question."""


def _request(passed: Passed) -> Request:
    """The request as the other node has got it, without its secrets."""
    scope: dict[str, Any] = {
        "type": "http",
        "method": passed.route.split()[0],
        "path": "/",
        "query_string": passed.query.encode(),
        "headers": [(b"content-type", passed.kind.encode("latin-1", "replace"))],
        "path_params": passed.params,
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": passed.body.encode(), "more_body": False}

    return Request(scope, receive)
