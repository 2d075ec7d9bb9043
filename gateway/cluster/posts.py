"""Passes requests of dialects that HTTP carries to the node where their player's connection is, or their table.

A player's requests may reach any node, and its connection is one mailbox at one node (gateway.web.http_sessions). An
answer may wait for days: the request is asked again where messages were lost, and is let go when its client has gone or
its node has died.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
import trio

from gateway.background import Background
from gateway.cluster import messages, refusals
from gateway.cluster.branches import NO_ANSWER, Branches
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.cluster.messages import Message, Post
from gateway.table.state import State
from protocols.core.errors import Refused, Why

REMEMBERED: Final = 4096
"""Answers that are remembered for nodes which ask again: those of the last seconds."""

_log = structlog.get_logger()

Serve = Callable[[Post], Awaitable[str]]
"""Serves a request here; the answer as JSON."""


class Posts:
    """The requests of all nodes. ``lives`` says whether a node lives.

    ``recall`` makes the lobby know the table that two names are registered for, at whichever node. Refused: not now.
    """

    def __init__(
        self,
        links: Links,
        background: Background,
        gossip: Gossip,
        lives: Callable[[int], bool],
        branches: Branches,
        recall: Callable[[str, str], Awaitable[None]],
    ) -> None:
        self._links = links
        self._background = background
        self._gossip = gossip
        self._branches = branches
        self._served: dict[tuple[int, int], Message | None] = {}
        self._waiting: dict[tuple[int, int], trio.CancelScope] = {}
        self.lives = lives
        self.recall = recall
        self._serve: dict[str, Serve] = {}

    def serves(self, name: str, serve: Serve) -> None:
        """Requests of this ``dialect`` are served by ``serve``."""
        self._serve[name] = serve

    # What this node asks, of others.

    def node_of(self, table: int) -> int | None:
        """The node that has a table of another node."""
        return self._gossip.node_of(table)

    def state_of(self, table: int) -> State | None:
        """A table of another node, as it is known here."""
        return self._gossip.state_of(table)

    def others(self) -> list[int]:
        """The nodes that live, but this one."""
        return [node for node in self._links.heard() if self.lives(node)]

    async def ask(self, node: int, make: Callable[[int], Post]) -> str:
        """The answer of that node, whenever there is one. Refused (OVERLOAD): it lives no more."""
        if not self.lives(node):  # its death was told to those who asked before, and is told to nobody else
            raise Refused(Why.OVERLOAD, NO_ANSWER)
        return await self._branches.request(node, make, math.inf)

    # What this node serves.

    def heard(self, sender: int, message: messages.Post | messages.Forgo) -> None:
        """Serve a request once, however often it is asked, and not behind its end: then its player has asked anew."""
        key = sender, message.n
        if isinstance(message, messages.Forgo):
            if key in self._waiting:
                self._waiting[key].cancel()
            self._remember(key, None)
        elif key in self._served:
            if (answer := self._served[key]) is not None:
                self._links.send(sender, answer)
        elif key not in self._waiting:
            self._waiting[key] = trio.CancelScope()
            self._background.start_soon(self._answer, sender, message)

    def dead(self, node: int) -> None:
        """Its clients are gone."""
        for key, scope in self._waiting.items():
            if key[0] == node:
                scope.cancel()

    async def _answer(self, sender: int, post: Post) -> None:
        key = sender, post.n
        try:
            with self._waiting[key]:
                answer = await self._served_here(post)
                self._remember(key, answer)
                self._links.send(sender, answer)
        finally:
            del self._waiting[key]

    def _remember(self, key: tuple[int, int], answer: Message | None) -> None:
        """The answer to a request, None to one that is not awaited."""
        self._served[key] = answer
        if len(self._served) > REMEMBERED:
            del self._served[next(iter(self._served))]

    async def _served_here(self, post: Post) -> Message:
        serve = self._serve.get(post.dialect)
        if serve is None:
            return messages.Denied(post.n, Why.OVERLOAD.value, f"no requests of {post.dialect} are served here")
        try:
            answer = messages.Granted(post.n, await serve(post))
            if not self._links.fits(answer):
                raise Refused(Why.OVERLOAD, "the answer is too long")
            return answer
        except Refused as refused:
            return refusals.denied(post.n, refused)
        except Exception:
            _log.exception("a request of another node failed", dialect=post.dialect)
            return messages.Denied(post.n, Why.OVERLOAD.value, "something went wrong here, try again")
