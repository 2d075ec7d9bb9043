"""Carries what is said to a name to the node where it is: a player's, or that of whoever has spoken without a seat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import trio

from gateway.cluster import messages
from gateway.cluster.calls import Calls
from gateway.cluster.local import Local
from gateway.table.refusals import away
from protocols.core.errors import Refused
from protocols.core.events import Said

ASK_S: Final = 2.0
"""Seconds that a node gets to answer: the speaker's next words and moves wait behind these."""


def whisper(words: Said, *, table: int = 0, number: int = 0) -> messages.Whisper:
    """The request that carries ``words``."""
    return messages.Whisper(messages.coded(words), table, number)


def words_of(whisper: messages.Whisper) -> Said:
    """The words that a request carries."""
    words = messages.notification(whisper.said, 0.0)
    assert isinstance(words, Said)
    return words


class FarWhispers:
    """The other nodes, as whispers use them. ``others`` are the living ones, ``local_of`` finds a client of this node
    that plays elsewhere, by its number. ``here`` says words to whoever is called so and has no seat at this node."""

    def __init__(
        self,
        others: Callable[[], Iterable[int]],
        calls: Calls,
        local_of: Callable[[int], Local | None],
        here: Callable[[Said], Awaitable[bool]],
    ) -> None:
        self._others = others
        self._calls = calls
        self._local_of = local_of
        self._here = here

    async def to_client(self, node: int, number: int, words: Said) -> None:
        """Say words to a client of another node. Refused: it does not hear them."""
        await self._calls.call(node, whisper(words, number=number), ASK_S)

    async def to_visitor(self, words: Said) -> bool:
        """Say words to whoever is called so at any other node; False: nobody is. Refused (NOT_NOW): not heard."""
        heard: list[int] = []
        refusals: list[Refused] = []

        async def ask(node: int) -> None:
            try:
                found = await self._calls.call(node, whisper(words), ASK_S)
            except Refused as refused:
                refusals.append(refused)
                return
            if found:
                heard.append(node)
                nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for node in self._others():
                nursery.start_soon(ask, node)
        if not heard and refusals:
            raise refusals[0]
        return bool(heard)

    async def serve(self, asked: messages.Whisper) -> str:
        """Say the words to one of this node's clients; "" where nobody is called so. Refused: not heard."""
        words = words_of(asked)
        if not asked.number:
            return "heard" if await self._here(words) else ""
        local = self._local_of(asked.number)
        if local is None:
            raise away(words.to)
        await local.subscriber.hears(words)
        return "heard"
