"""Asks tables of any node for what comes from no client there, as the host and the API do: their end, a new ticket.

What was answered is held against the record: a table that was ended has the host's words once, one that was refused has
not, and one that was called over is.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from gateway.lobby.claims import Ticket, ticket_digest
from gateway.ops.server import GameServer
from gateway.store import codec
from protocols.core.errors import Refused, Why
from tests.cluster.history import History
from tests.cluster.players import Person


@dataclass(slots=True)
class Errands:
    """``check`` says what was answered untruly."""

    history: History
    _ended: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By the host's reason: the table, and "served", "refused" or "": it is not known."""

    async def end(self, server: GameServer, table: int) -> None:
        """The host ends a table by this node."""
        reason = f"reason {len(self._ended) + 1}"
        self._ended[reason] = table, ""
        try:
            await server.tables.asked(table).end_by_host(reason)
            self._ended[reason] = table, "served"
        except Refused as refused:
            self._ended[reason] = table, "" if refused.why is Why.OVERLOAD else "refused"
            self.history.is_refused(table, refused)

    async def reissue(self, server: GameServer, table: int, person: Person) -> None:
        """A player wants a new ticket for a seat that is registered, and brings it from now on."""
        ticket = f"{person.name}-again-{secrets.token_hex(16)}"
        try:
            await server.tables.asked(table).reissue(person.name, Ticket(ticket_digest(ticket), ticket))
            person.has(ticket)
        except Refused as refused:
            self.history.is_refused(table, refused)

    def check(self) -> None:
        """Tell the history what was answered, and is not in the record."""
        for reason, (table, answer) in self._ended.items():
            count = sum(said.endswith(f": {reason}") for said in self._sayings(table))
            allowed = {"served": (1,), "refused": (0,)}.get(answer, (0, 1))
            if count not in allowed:
                self.history.fails(
                    f"the end of table {table} was {answer or 'not answered'}, and stands {count} times there"
                )

    def _sayings(self, table: int) -> Iterator[str]:
        for row in self.history.rows(table):
            if row.kind == "Said":
                yield codec.decode(row.kind, row.body).text  # type: ignore[union-attr]
