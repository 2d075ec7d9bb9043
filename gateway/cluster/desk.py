"""Serves what clients of other nodes ask of this node's tables, and of its lobby."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway import registry
from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.calls import Caller, Calls
from gateway.cluster.links import Links
from gateway.cluster.local import NO_SEAT
from gateway.cluster.outposts import Outposts, RemoteClient
from gateway.lobby.claims import Claim, Ticket
from gateway.lobby.party import Nearer
from gateway.seating.joining import Known, Newcomer
from gateway.table.refusals import ask_elsewhere, closed_here
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Table
from protocols.core.commands import Command, Join
from protocols.core.errors import Refused, Why

ELSEWHERE: Final = "this table has moved, try again"

KEPT_ELSEWHERE: Final = "-"
"""Stands for the secret of a ticket, which the node of its client knows."""

Seeker: TypeAlias = messages.Seek | messages.Enter

_log = structlog.get_logger()


class Desk:
    """``seek`` finds seats for clients of other nodes, while this node ``has_lobby``.

    ``adopt`` looks whether a table is this node's that is not known here, and takes it in.
    """

    def __init__(
        self,
        links: Links,
        calls: Calls,
        outposts: Outposts,
        tables: Tables,
        background: Background,
        seek: Callable[[Newcomer, Join, Ticket | None], Awaitable[None]],
        has_lobby: Callable[[], bool],
        adopt: Callable[..., Awaitable[bool]],
    ) -> None:
        self._links = links
        self._outposts = outposts
        self._tables = tables
        self._background = background
        self._seek = seek
        self._has_lobby = has_lobby
        self._adopt = adopt
        calls.serves(messages.Seek, self._find_seat, comes=self._comes)
        calls.serves(messages.Enter, self._enter, comes=self._comes)
        calls.serves(messages.Part, self._part)

    def here(self, sender: int, here: messages.Here) -> None:
        """A client of another node is at a table of this one. Where its dialect is not installed it is hung up on."""
        if _known(here.guest, sender):
            client = self._outposts.client(sender, here.guest)  # at once: word that it has ended may follow
            client.here = here
            self._background.start_soon(self._here, sender, client, here, client.moves)
        else:
            self._outposts.send(sender, messages.Said(here.guest.number, here.table, "close"))

    def _comes(self, seeker: Seeker, caller: Caller) -> None:
        """A client asks for a seat: seat it again if it asks again, and may not have heard the first answer.

        It is known at once, for word that it has ended may follow.
        """
        if _known(seeker.guest, caller.node):
            self._repeat(caller, seeker.guest.number)
            self._outposts.client(caller.node, seeker.guest)

    def given(self, given: messages.Given) -> None:
        """A table is this node's now."""
        self._background.start_soon(self._take_in, given)

    async def _take_in(self, given: messages.Given) -> None:
        try:
            await self._adopt(given.table, given.thought_s)
        except SQLAlchemyError as error:
            _log.warning("a table that was given to this node cannot be read", table=given.table, error=str(error))

    def _repeat(self, caller: Caller, number: int) -> None:
        """Seat a client again that asks again: its node has not heard the first answer, nor what was told since."""
        client, sender = self._outposts.known(caller.node, number), caller.node
        if client is None or client.table is None or client.sat_down is None or client.sat_down.n != caller.n:
            return
        self._outposts.send(sender, client.sat_down)
        if client.ended:
            client.close()  # said once more: its node had no client there to hang up on
        else:
            self._stands(sender, client, client.table, 0)

    def _seeker(self, caller: Caller, guest: messages.Guest) -> RemoteClient:
        """The client that asks for a seat. Refused: it is none for this node, or has ended."""
        if guest.dialect not in registry.dialects():
            raise Refused(Why.OVERLOAD, f"the node with this table has no dialect {guest.dialect}")
        client = self._outposts.known(caller.node, guest.number)
        if client is None:
            raise Refused(Why.NOT_NOW, "this connection has ended")
        return client

    async def _find_seat(self, seek: messages.Seek, caller: Caller) -> str | None:
        """The worker that should have the client, where it has got no seat."""
        client = self._seeker(caller, seek.guest)
        if not self._has_lobby():
            raise ask_elsewhere(ELSEWHERE)
        join = messages.command(seek.join)
        assert isinstance(join, Join)
        try:
            async with client.seeks_by(caller.n, movable=seek.movable):
                await self._seek(client, join, _ticket(seek.digest))
        except Nearer as nearer:
            return nearer.worker
        except Known:
            raise ask_elsewhere(ELSEWHERE) from None
        return None

    async def _enter(self, enter: messages.Enter, caller: Caller) -> None:
        """Refused: the table is not here, or says no."""
        client = self._seeker(caller, enter.guest)
        table = await self.here_is(enter.table)
        async with client.seeks_by(caller.n):
            if enter.join is None:
                await table.watch(client, enter.name)
                return
            join = messages.command(enter.join)
            claim: Claim | None = None if enter.claim is None else messages.claim_of(enter.claim)
            assert isinstance(join, Join)
            await table.sit(client, join, claim, _ticket(enter.digest))

    async def _part(self, part: messages.Part, caller: Caller) -> None:
        client = self._outposts.known(caller.node, part.number)
        if client is None and part.of is None and not self._tables.has(part.table):
            raise ask_elsewhere(ELSEWHERE)  # it may have gone with its table
        if client is None or part.of not in (None, client.seeks):
            return
        if client.table is None and (here := client.here) is not None and here.table == part.table:
            await self._is_back(caller.node, client, await self.here_is(part.table), here)
        client.moves, client.here = client.moves + 1, None
        if client.table is not None and client.table.state.table == part.table:
            await client.table.leave(client, lost=part.lost)

    async def here_is(self, number: int) -> TableRunner:
        """A table of this node, woken where it rests. Refused: it is not this node's, or over."""
        await self._look_for(number)
        table = await self._tables.local(number)
        if table is None:
            raise closed_here()
        return table

    async def _look_for(self, number: int) -> None:
        """Take in a table that is this node's and not known here. Refused (OVERLOAD): the database is in trouble."""
        try:
            if not self._tables.has(number):
                await self._adopt(number)
        except SQLAlchemyError as error:
            _log.warning("a table's owner cannot be read", table=number, error=str(error))
            raise ask_elsewhere(ELSEWHERE) from None

    def ask(self, sender: int, ask: messages.Ask) -> None:
        """Serve a client's command."""
        client = self._outposts.known(sender, ask.number)
        if client is None or not client.stood:
            self._links.send(sender, messages.Said(ask.number, ask.table, "unknown"))
            return
        if ask.n < client.asking or (client.at == ask.table and 0 < ask.epoch < client.epoch):
            return  # the client's node has heard the answer, or asks the table's next node, or has asked it
        if ask.n == client.asking:
            client.answers_again()
            return
        client.asks(ask.n, ask.lag_s)
        since = trio.current_time() - ask.age_s
        try:
            command = messages.command(ask.command)
        except (ValueError, KeyError) as error:
            _log.warning("a command of another node was not understood", node=sender, error=str(error))
            client.refuse(Refused(Why.UNSUPPORTED, "the node with this table does not know this yet"))
            client.answered()
            return
        table = client.table
        if table is None or client.at != ask.table:
            client.refuse(Refused(Why.NOT_SEATED, NO_SEAT))
            client.answered()
        elif (runner := self._tables.get(ask.table)) is not None and ask.n in runner.journal.served:
            client.answered()
        elif not table.play_now(client, command, since):
            self._background.start_soon(self._ask_late, client, command, since)

    async def _ask_late(self, client: RemoteClient, command: Command, since: float) -> None:
        table = client.table
        try:
            if table is None:
                raise Refused(Why.NOT_SEATED, NO_SEAT)
            await table.ask(client, command, since)
        except Refused as refused:
            if self._outposts.known(client.node, client.guest) is not client:
                return  # it has gone with its table: its node asks the next one
            client.refuse(refused)
            client.answered()

    async def _here(self, sender: int, client: RemoteClient, here: messages.Here, moves: int) -> None:
        """A client was here, or at the table before this node had it; it had said so after so many ``moves``."""
        with suppress(Refused):  # it is asked again, and of the table's node
            await self._look_for(here.table)
            if here.seat is not None:
                self._tables.recovery.present(here.table, here.seat)
            table = await self.here_is(here.table)
            if moves == client.moves and await self._is_back(sender, client, table, here):
                self._stands(sender, client, table, here.check)

    async def _is_back(self, sender: int, client: RemoteClient, table: TableRunner, here: messages.Here) -> bool:
        """True if a client is at the table now; False: it was told that it has lost its place. Refused: not now."""
        if client.table is table:
            return True
        if client.table is not None:
            await client.table.leave(client)
        try:
            await table.back(client, here.seat, here.name)
        except Refused as refused:
            if refused.why is not Why.TABLE_FULL or self._tables.get(here.table) is not table:
                raise
            _log.info("a client of another node has lost its place", table=here.table, node=sender, why=refused.text)
            self._outposts.send(sender, messages.Said(here.guest.number, here.table, "close"))
            return False
        return True

    def _stands(self, sender: int, client: RemoteClient, table: Table, check: int) -> None:
        now = trio.current_time()
        stood = client.guest, table.state.table, table.epoch, table.seq, now
        self._outposts.send(sender, messages.Stands(*stood, check, client.seeks))


def _ticket(digest: str) -> Ticket | None:
    """A ticket whose secret the client's own node knows; None for ""."""
    return Ticket(bytes.fromhex(digest), KEPT_ELSEWHERE) if digest else None


def _known(guest: messages.Guest, node: int) -> bool:
    """True if the client's dialect is installed here, too."""
    known = guest.dialect in registry.dialects()
    if not known:
        _log.warning("a dialect of another node is not installed here", dialect=guest.dialect, node=node)
    return known
