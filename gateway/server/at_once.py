"""A move served at once, by whoever brings it, while its table's task sleeps.

Waking that task twice, to decide and after the commit, cost a seventh of a move. The order is the same: decide, store,
evolve, tell; the table's inbox is held meanwhile, so that whatever else comes is served after it. Not here: moves
where somebody keeps time, and the last move of a game: their tables wake.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from gateway.server.about import about
from gateway.server.inbox import Inbox
from gateway.server.requests import Request
from gateway.server.scribe import NotStored, require_stored, say_not_stored
from gateway.server.thinking import Thinking
from gateway.store.records import Append
from gateway.table.decide import decide
from gateway.table.draft import Draft
from gateway.table.state import Status, deadline
from protocols.core.commands import Command, PlayMove
from protocols.core.errors import Refused, Why

if TYPE_CHECKING:
    from gateway.server.connection import Connection
    from gateway.server.table_task import TableTask

TRY_AGAIN: Final = "could not be stored, try again"


class AtOnce:
    """Serves one table's moves. A defect on the way is raised in the table's task, as if it had served the move."""

    def __init__(self, table: TableTask, inbox: Inbox[Request], thinking: Thinking) -> None:
        self._table = table
        self._inbox = inbox
        self._thinking = thinking

    def play(self, asker: Connection, command: Command, since: float) -> bool:
        """Serve a move asked at ``since``; False, and nothing done, when it must be put into the inbox."""
        table, seat = self._table, asker.seat
        state = table.state
        if type(command) is not PlayMove or seat is None or state.settings.time is not None:
            return False
        if not self._inbox.asleep or deadline(state) is not None:
            return False
        try:
            draft = decide(state, seat, command, since)
            if draft.state.status is not Status.PLAYING:
                return False  # the end of a game writes more than its events
            table.ledger.write_on(draft.events, partial(self._stored, asker, since, draft))
            self._inbox.hold()
        except Refused as refused:
            asker.refuse(refused.why, refused.text)
            asker.answered()
        except Exception as defect:
            self._inbox.release(defect)
        return True

    def _stored(self, asker: Connection, since: float, draft: Draft, step: Append) -> None:
        """The move is on disk, or is not."""
        table = self._table
        try:
            require_stored(step)
            table.state = draft.state
            table.cursors.tell(draft.events)
            asker.moved(since)
            table.house.metrics.moves[draft.state.settings.game] += 1
            self._thinking.wake()
        except NotStored as error:
            not_stored(table, asker, error)
        except Exception as defect:
            self._inbox.release(defect)
            return
        table.pause.over()
        self._inbox.release()
        asker.answered()


def not_stored(table: TableTask, asker: Connection, error: NotStored) -> None:
    """Nothing has happened at the table; the asker may ask again."""
    say_not_stored(error, **about(asker, table))
    asker.refuse(Why.NOT_NOW, TRY_AGAIN)
