"""Serves what clients of other nodes ask of this node's tables, and of its lobby."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway import registry
from gateway.background import Background
from gateway.cluster import messages, refusals
from gateway.cluster.errands import Errand, Errands
from gateway.cluster.links import Links
from gateway.cluster.local import NO_SEAT
from gateway.cluster.outposts import Outposts, RemoteClient
from gateway.cluster.refusals import AskElsewhere
from gateway.lobby.claims import Claim, Ticket
from gateway.lobby.party import Nearer
from gateway.seating.joining import Known, Newcomer
from gateway.table.refusals import closed_here
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Table
from protocols.core.commands import Command, Join
from protocols.core.errors import Refused, Why

REMEMBERED: Final = 1000
"""Requests of one node whose answers are remembered: those that are asked again within a second."""

ELSEWHERE: Final = "this table has moved, try again"

KEPT_ELSEWHERE: Final = "-"
"""Stands for the secret of a ticket, which the node of its client knows."""

Served: TypeAlias = messages.Seek | messages.Enter | messages.Here | messages.Part | messages.Ended | Errand

_log = structlog.get_logger()


class Desk:
    """``seek`` finds seats for clients of other nodes, while this node ``has_lobby``.

    ``adopt`` looks whether a table is this node's that is not known here, and takes it in. ``register`` registers one,
    ``invite`` lets a caller into a room of the relay, ``whisper`` says something to a client of this node.
    """

    def __init__(
        self,
        links: Links,
        outposts: Outposts,
        tables: Tables,
        background: Background,
        seek: Callable[[Newcomer, Join, Ticket | None], Awaitable[None]],
        has_lobby: Callable[[], bool],
        adopt: Callable[..., Awaitable[bool]],
        register: Callable[[messages.Register], Awaitable[int]],
        invite: Callable[[messages.Call], Awaitable[str]],
        whisper: Callable[[messages.Whisper], Awaitable[str]],
    ) -> None:
        self._links = links
        self._outposts = outposts
        self._tables = tables
        self._background = background
        self._seek = seek
        self._has_lobby = has_lobby
        self._adopt = adopt
        self._errands = Errands(tables, self._here_is, register, invite, whisper)
        self._served: dict[int, dict[int, messages.Message | None]] = {}

    def heard(self, sender: int, message: Served) -> None:
        """Serve a message of a client's node."""
        if isinstance(message, messages.Seek | messages.Enter | messages.Here) and not self._knows(sender, message):
            return
        match message:
            case messages.Ended(number=number):
                self._outposts.gone(sender, number)
            case messages.Here(guest=guest):
                client = self._outposts.client(sender, guest)  # at once: word that it has ended may follow
                client.here = message
                self._background.start_soon(self._here, sender, client, message, client.moves)
            case messages.Seek(n=n, guest=guest):
                self._repeat(sender, n, guest.number)
                self._request(sender, n, partial(self._find_seat, self._outposts.client(sender, guest), message))
            case messages.Enter(n=n, guest=guest):
                self._repeat(sender, n, guest.number)
                self._request(sender, n, partial(self._enter, self._outposts.client(sender, guest), message))
            case messages.Part(n=n):
                self._request(sender, n, partial(self._part, sender, message))
            case _:
                self._request(sender, message.n, partial(self._errands.serve, message))

    def _knows(self, sender: int, message: messages.Seek | messages.Enter | messages.Here) -> bool:
        """True if its client's dialect is installed here, too; else the client is told so, or hung up on."""
        dialect = message.guest.dialect
        if dialect in registry.dialects():
            return True
        _log.warning("a dialect of another node is not installed here", dialect=dialect, node=sender)
        if isinstance(message, messages.Here):
            self._outposts.send(sender, messages.Said(message.guest.number, message.table, "close"))
        else:
            text = f"the node with this table has no dialect {dialect}"
            self._outposts.send(sender, messages.Denied(message.n, Why.OVERLOAD.value, text))
        return False

    def dead(self, node: int) -> None:
        """Its clients are gone."""
        self._served.pop(node, None)
        self._outposts.dead(node)

    def _request(self, sender: int, n: int, serve: Callable[[], Awaitable[str | None]]) -> None:
        """Serve a request once, however often it is asked."""
        served = self._served.setdefault(sender, {})
        if n in served:
            answer = served[n]
            if answer is not None:
                self._outposts.send(sender, answer)
            return
        served[n] = None
        if len(served) > REMEMBERED:
            del served[next(iter(served))]
        self._background.start_soon(self._answer, sender, n, serve)

    def given(self, given: messages.Given) -> None:
        """A table is this node's now."""
        self._background.start_soon(self._take_in, given)

    async def _take_in(self, given: messages.Given) -> None:
        try:
            await self._adopt(given.table, given.thought_s)
        except SQLAlchemyError as error:
            _log.warning("a table that was given to this node cannot be read", table=given.table, error=str(error))

    def _repeat(self, sender: int, n: int, number: int) -> None:
        """Seat a client again that asks again: its node has not heard the first answer, nor what was told since."""
        client = self._outposts.known(sender, number)
        if client is not None and client.table is not None and client.sat_down is not None and client.sat_down.n == n:
            self._outposts.send(sender, client.sat_down)
            if client.ended:
                client.close()  # said once more: its node had no client there to hang up on
            else:
                self._stands(sender, client, client.table, 0)

    async def _answer(self, sender: int, n: int, serve: Callable[[], Awaitable[str | None]]) -> None:
        try:
            answer: messages.Message = messages.Granted(n, await serve() or "")
            if not self._links.fits(answer):
                raise Refused(Why.OVERLOAD, "the answer is too long")
        except Refused as refused:
            answer = refusals.denied(n, refused)
        except Exception:
            _log.exception("a request of another node failed", node=sender)
            answer = messages.Denied(n, Why.OVERLOAD.value, "something went wrong here, try again")
        if n in self._served.get(sender, ()):
            self._served[sender][n] = answer
        self._outposts.send(sender, answer)

    async def _find_seat(self, client: RemoteClient, seek: messages.Seek) -> str | None:
        """The worker that should have the client, where it has got no seat."""
        if not self._has_lobby():
            raise AskElsewhere(Why.OVERLOAD, ELSEWHERE)
        join = messages.command(seek.join)
        assert isinstance(join, Join)
        try:
            async with client.seeks_by(seek.n, movable=seek.movable):
                await self._seek(client, join, _ticket(seek.digest))
        except Nearer as nearer:
            return nearer.worker
        except Known:
            raise AskElsewhere(Why.OVERLOAD, ELSEWHERE) from None
        return None

    async def _enter(self, client: RemoteClient, enter: messages.Enter) -> None:
        """Refused: the table is not here, or says no."""
        table = await self._here_is(enter.table)
        async with client.seeks_by(enter.n):
            if enter.join is None:
                await table.watch(client, enter.name)
                return
            join = messages.command(enter.join)
            claim: Claim | None = None if enter.claim is None else messages.claim_of(enter.claim)
            assert isinstance(join, Join)
            await table.sit(client, join, claim, _ticket(enter.digest))

    async def _part(self, sender: int, part: messages.Part) -> None:
        client = self._outposts.known(sender, part.number)
        if client is None and part.of is None and not self._tables.has(part.table):
            raise AskElsewhere(Why.OVERLOAD, ELSEWHERE)  # it may have gone with its table
        if client is None or part.of not in (None, client.seeks):
            return
        if client.table is None and (here := client.here) is not None and here.table == part.table:
            await self._is_back(sender, client, await self._here_is(part.table), here)
        client.moves, client.here = client.moves + 1, None
        if client.table is not None and client.table.state.table == part.table:
            await client.table.leave(client, lost=part.lost)

    async def _here_is(self, number: int) -> TableRunner:
        """Refused: it is not this node's, or over."""
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
            raise AskElsewhere(Why.OVERLOAD, ELSEWHERE) from None

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
            table = await self._here_is(here.table)
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
