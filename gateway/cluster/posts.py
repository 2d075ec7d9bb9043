"""Passes requests of dialects that HTTP carries to the node where their player's connection is, or their table.

A player's requests may reach any node, and its connection is one mailbox at one node (gateway.web.http_sessions). An
answer may wait for days. A request is let go when its client has gone or its node has died.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

from gateway.cluster.calls import NO_ANSWER, Caller, Calls
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.cluster.messages import Post
from gateway.table.state import State
from protocols.core.errors import Refused, Why

Serve = Callable[[Post], Awaitable[str]]
"""Serves a request here; the answer as JSON."""


class Posts:
    """The requests of all nodes. ``lives`` says whether a node lives.

    ``recall`` makes the lobby know the table that two names are registered for, at whichever node. Refused: not now.
    """

    def __init__(
        self,
        links: Links,
        calls: Calls,
        gossip: Gossip,
        lives: Callable[[int], bool],
        recall: Callable[[str, str], Awaitable[None]],
    ) -> None:
        self._links = links
        self._calls = calls
        self._gossip = gossip
        self.lives = lives
        self.recall = recall
        self._serves: dict[str, Serve] = {}
        calls.serves(Post, self._serve)

    def serves(self, name: str, serve: Serve) -> None:
        """Requests of this ``dialect`` are served by ``serve``."""
        self._serves[name] = serve

    def node_of(self, table: int) -> int | None:
        """The node that has a table of another node."""
        return self._gossip.node_of(table)

    def state_of(self, table: int) -> State | None:
        """A table of another node, as it is known here."""
        return self._gossip.state_of(table)

    def others(self) -> list[int]:
        """The nodes that live, but this one."""
        return [node for node in self._links.heard() if self.lives(node)]

    async def ask(self, node: int, post: Post) -> str:
        """The answer of that node, whenever there is one. Refused (OVERLOAD): it lives no more."""
        if not self.lives(node):  # its death was told to those who asked before, and is told to nobody else
            raise Refused(Why.OVERLOAD, NO_ANSWER)
        return await self._calls.call(node, post, math.inf)

    async def _serve(self, post: Post, caller: Caller) -> str:
        serve = self._serves.get(post.dialect)
        if serve is None:
            raise Refused(Why.OVERLOAD, f"no requests of {post.dialect} are served here")
        return await serve(post)
