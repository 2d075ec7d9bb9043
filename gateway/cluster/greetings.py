"""Says Hello to nodes whose messages may be lost until they answer, asks them again, and welcomes who says Hello here.

Hello asks a node for all that it publishes; what else was lost is asked again of whom it was asked before.
"""

from __future__ import annotations

from typing import Final

import trio

from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.bells import Bells
from gateway.cluster.branches import Branches
from gateway.cluster.calls import Calls
from gateway.cluster.counts import Counts
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.cluster.outposts import Outposts

TELL_S: Final = 0.1
"""Seconds until everything is told to nodes that may have missed something."""

AGAIN_S: Final = 0.25
"""Seconds until it is asked for again."""

PAUSE_S: Final = 0.05
"""Seconds between two times that a node is asked all that it has not answered."""


class Greetings:
    """The greetings of one node."""

    def __init__(
        self,
        links: Links,
        background: Background,
        gossip: Gossip,
        counts: Counts,
        calls: Calls,
        branches: Branches,
        bells: Bells,
        outposts: Outposts,
    ) -> None:
        self._links = links
        self._background = background
        self._gossip = gossip
        self._counts = counts
        self._calls = calls
        self._branches = branches
        self._bells = bells
        self._outposts = outposts
        self._hellos = 0
        self._pauses: dict[int, bool] = {}  # node -> whether to ask it again after the pause
        self._unanswered: dict[int, int] = {}  # node -> the Hello that it has not answered
        self._greets = False
        self._hellos_of: dict[int, int] = {}  # node -> its last Hello
        self._guests: dict[int, int] = {}  # node -> its Hello that is answered next

    def heard(self, sender: int, message: messages.Hello | messages.Welcome) -> None:
        """Serve a greeting of another node."""
        if isinstance(message, messages.Welcome):
            if self._unanswered.get(sender) == message.n:
                del self._unanswered[sender]
            return
        self._background.start_soon(self._welcome, sender, message.n)
        if self._hellos_of.get(sender) != message.n:
            self._hellos_of[sender] = message.n
            self._doubt(sender)

    def dead(self, node: int) -> None:
        """The node answers no more."""
        self._unanswered.pop(node, None)
        self._hellos_of.pop(node, None)

    def missed(self, node: int) -> None:
        """Messages of a node may be lost, or it is new."""
        self._hellos += 1
        self._unanswered[node] = self._hellos
        if not self._greets:
            self._greets = True
            self._background.start_soon(self._greet)
        self._doubt(node)

    def _doubt(self, node: int) -> None:
        """Messages of a node, or to it, may be lost."""
        self._branches.missed(node)
        self._bells.missed(node)
        if node in self._pauses:
            self._pauses[node] = True
        else:
            self._pauses[node] = False
            self._background.start_soon(self._ask_again, node)

    async def _ask_again(self, node: int) -> None:
        """Ask a node what it has not answered, and again after a pause if more was lost meanwhile.

        Without the pause a bus that loses one message in ten would lose some of what is asked for each, for ever.
        """
        again = True
        while again:
            if (hello := self._unanswered.get(node)) is not None:
                self._links.send(node, messages.Hello(hello))
            self._calls.ask_again(node)
            self._branches.ask_again(node)
            self._outposts.say_known(node)
            await trio.sleep(PAUSE_S)
            again, self._pauses[node] = self._pauses[node], False
        del self._pauses[node]

    async def _greet(self) -> None:
        """Say Hello again where it is not answered, until all have."""
        try:
            while self._unanswered:
                await trio.sleep(AGAIN_S)
                for node, n in self._unanswered.items():
                    self._links.send(node, messages.Hello(n))
        finally:
            self._greets = False

    async def _welcome(self, node: int, n: int) -> None:
        """A node may have missed something: tell it everything, once for all that ask meanwhile."""
        self._guests[node] = n
        if len(self._guests) > 1:
            return
        await trio.sleep(TELL_S)
        guests, self._guests = self._guests, {}
        await self._gossip.tell_all()
        self._counts.tell_all()
        for guest, asked in guests.items():
            self._links.send(guest, messages.Welcome(asked))
