"""Calls other nodes, and serves their calls: one memory for what was asked and one for what was answered.

A call is served once, however often it is asked: whoever may have missed an answer asks again under the same number. A
call that is given up is forgone: its node is told so until it has heard that, lets the call go, and takes back what it
has given. A call that is not answered is never forgotten, for some wait for days.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, Final, NamedTuple, TypeVar

import structlog
import trio

from gateway.background import Background
from gateway.cluster import messages, refusals
from gateway.cluster.links import Links
from gateway.cluster.messages import Enter, Message, Post, Request, Seek
from gateway.table.refusals import ask_elsewhere
from protocols.core.errors import Refused, Why

R = TypeVar("R", bound=messages.Asked)

WAIT_S: Final = 8.0
"""Seconds that a call waits for another node: longer than it takes to take over what was a dead one's, some 5."""

REMEMBERED: Final = 1000
"""Calls of one node whose answers are remembered: those that are asked again within a second."""

NO_ANSWER: Final = "another part of this server does not answer just now, try again in a moment"

TOO_LONG: Final = "this is too long for this server"

FAILED: Final = "something went wrong here, try again"

_log = structlog.get_logger()


class Caller(NamedTuple):
    """The ``node`` that calls, and the number of its call, which no other of any node has."""

    node: int
    n: int


class Called:
    """A call of this node to the node ``to``; ``done`` is set with its answer."""

    def __init__(self, n: int, to: int, request: Request) -> None:
        self.n = n
        self.to = to
        self.request = request
        self.done = trio.Event()
        self.answer = ""
        self.refused: Refused | None = None

    def grant(self) -> None:
        """The call was served."""
        self.refused = None  # the table may have come here since
        self.done.set()

    def refuse(self, refused: Refused) -> None:
        """The call was refused."""
        self.refused = refused
        self.done.set()


class _Service(NamedTuple):
    """The part of a node that serves requests of one kind; the arguments are those of ``Calls.serves``."""

    serve: Callable[[Any, Caller], Awaitable[str | None]]
    comes: Callable[[Any, Caller], None]
    undo: Callable[[Any, str], Awaitable[None]] | None


class _Serving:
    """A call of another node, while it is served."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.reply: messages.Reply | None = None
        self.scope = trio.CancelScope()
        self.awaited = True
        self.forgone = False

    def let_go(self) -> None:
        """The caller awaits no answer any more: a request that may take days ends, others go on to their end."""
        self.awaited = False
        if isinstance(self.request, Post):
            self.scope.cancel()


class _Answered(NamedTuple):
    """A call of another node that was answered; None for both: it was forgone."""

    request: Request | None
    reply: messages.Reply | None


class Calls:
    """The calls of a node to others, and of others to it. ``send`` sends behind all that clients were told before."""

    def __init__(self, links: Links, background: Background, send: Callable[[int, Message], None]) -> None:
        self._links = links
        self._background = background
        self._send = send
        self._ids = count((links.me << messages.ID_BITS) + 1)
        self._called: dict[int, Called] = {}
        self._forgone: dict[int, int] = {}
        """Calls that are given up, and the nodes that have not heard so."""
        self._services: dict[type[messages.Asked], _Service] = {}
        self._serving: dict[Caller, _Serving] = {}
        self._answered: defaultdict[int, dict[int, _Answered]] = defaultdict(dict)

    # What this node asks.

    def next_id(self) -> int:
        """The id of a new call or command, that no other of any node has."""
        return next(self._ids)

    async def call(self, to: int, request: Request, within_s: float = WAIT_S) -> str:
        """The answer of a node. Refused as it says; (OVERLOAD): there is none, and the call is forgone."""
        called = Called(self.next_id(), to, request)
        if not self._links.fits(messages.Call(called.n, request)):
            raise Refused(Why.BAD_OPTION, TOO_LONG)
        self._called[called.n] = called
        self._links.send(to, messages.Call(called.n, request))
        try:
            with trio.move_on_after(within_s):
                await called.done.wait()
                if called.refused is not None:
                    raise called.refused
                return called.answer
            raise Refused(Why.OVERLOAD, NO_ANSWER)
        finally:
            del self._called[called.n]
            called.refused = None
            if not called.done.is_set():
                self._forgone[called.n] = called.to
                self._links.send(called.to, messages.Forgo(called.n))
                called.done.set()

    def awaited(self, n: int) -> Called | None:
        """The call of this number, while its answer is awaited."""
        return self._called.get(n)

    def unanswered(self) -> list[Called]:
        """The calls that have no answer yet."""
        return [called for called in self._called.values() if not called.done.is_set()]

    def call_there(self, called: Called, to: int) -> None:
        """Make the same call to another node, which has by now what it asks for; what the last one says counts no more
        than a grant that was on its way."""
        called.to = to
        self._links.send(to, messages.Call(called.n, called.request))

    def ask_again(self, node: int) -> None:
        """Messages of this node or to it may be lost: say again what it has not answered."""
        for called in self.unanswered():
            if called.to == node:
                self._links.send(node, messages.Call(called.n, called.request))
        for n, to in self._forgone.items():
            if to == node:
                self._links.send(node, messages.Forgo(n))

    # What this node serves.

    def serves(
        self,
        kind: type[R],
        serve: Callable[[R, Caller], Awaitable[str | None]],
        *,
        comes: Callable[[R, Caller], None] = lambda request, caller: None,
        undo: Callable[[R, str], Awaitable[None]] | None = None,
    ) -> None:
        """Requests of this kind are answered by ``serve``, which raises Refused.

        ``comes`` is called at once, each time that one comes. ``undo`` takes back what was given with an answer.
        """
        self._services[kind] = _Service(serve, comes, undo)

    def heard(self, sender: int, message: messages.Call | messages.Reply | messages.Forgo) -> None:
        """Serve a message of another node."""
        match message:
            case messages.Call(n=n, request=request):
                self._is_called(Caller(sender, n), request)
            case messages.Reply():
                self._is_answered(sender, message)
            case messages.Forgo(n=n) if n >> messages.ID_BITS == self._links.me:
                self._forgone.pop(n, None)  # it says that it has heard so
            case messages.Forgo(n=n):
                self._is_forgone(Caller(sender, n))
                self._links.send(sender, message)

    def _is_answered(self, sender: int, reply: messages.Reply) -> None:
        called = self._called.get(reply.n)
        if called is None:
            return
        if reply.refused is None:
            called.answer = reply.answer
            if reply.answer or not isinstance(called.request, Seek | Enter):  # else when its client has been told so
                called.grant()
        elif called.to == sender:  # else another node is asked by now
            called.refuse(refusals.refusal_of(*reply.refused))

    def _is_called(self, caller: Caller, request: Request) -> None:
        service = self._services[type(request)]
        service.comes(request, caller)
        if (answered := self._answered[caller.node].get(caller.n)) is not None:
            if answered.reply is not None:
                self._send(caller.node, answered.reply)
        elif caller not in self._serving:
            self._serving[caller] = serving = _Serving(request)
            self._background.start_soon(self._serve, caller, serving)

    async def _serve(self, caller: Caller, serving: _Serving) -> None:
        try:
            with serving.scope:
                serving.reply = await self._reply(caller, serving.request)
        finally:
            del self._serving[caller]
        if serving.awaited and serving.reply is not None:
            self._remember(caller, serving.request, serving.reply)
            self._send(caller.node, serving.reply)
        elif serving.forgone:
            await self._take_back(serving.request, serving.reply)

    async def _reply(self, caller: Caller, request: Request) -> messages.Reply:
        try:
            reply = messages.Reply(caller.n, await self._services[type(request)].serve(request, caller) or "")
            if self._links.fits(reply):
                return reply
            raise Refused(Why.OVERLOAD, "the answer is too long")
        except Refused as refused:
            return messages.Reply(caller.n, refused=refusals.told(refused))
        except Exception:
            _log.exception("a call of another node failed", node=caller.node, kind=type(request).__name__)
            return messages.Reply(caller.n, refused=(Why.OVERLOAD.value, FAILED, ""))

    def _is_forgone(self, caller: Caller) -> None:
        """Serve a call no more, nor a copy that comes later, and take back what it has given."""
        answered = self._answered[caller.node].get(caller.n)
        if (serving := self._serving.get(caller)) is not None:
            serving.forgone = True
            serving.let_go()
        elif answered is not None and answered.request is not None:
            self._background.start_soon(self._take_back, answered.request, answered.reply)
        self._remember(caller, None, None)

    async def _take_back(self, request: Request, reply: messages.Reply | None) -> None:
        undo = self._services[type(request)].undo
        if undo is not None and reply is not None and reply.refused is None:
            await undo(request, reply.answer)

    def _remember(self, caller: Caller, request: Request | None, reply: messages.Reply | None) -> None:
        answered = self._answered[caller.node]
        answered[caller.n] = _Answered(request, reply)
        if len(answered) > REMEMBERED:
            del answered[next(iter(answered))]

    # The death of a node.

    def dead(self, node: int) -> None:
        """The node answers no more, and awaits no answer. Whoever enters a table waits: that has another node soon."""
        for called in self.unanswered():
            if called.to == node and not isinstance(called.request, Enter):
                called.refuse(ask_elsewhere(NO_ANSWER))
        self._forgone = {n: to for n, to in self._forgone.items() if to != node}
        self._answered.pop(node, None)
        for caller, serving in self._serving.items():
            if caller.node == node:
                serving.let_go()
