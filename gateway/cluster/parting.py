"""Lets a client leave a table of another node, which may be given on to a third one at that moment."""

from __future__ import annotations

from typing import Final, Protocol

import structlog
import trio

from gateway.cluster import messages
from gateway.cluster.homecoming import AGAIN_S
from gateway.cluster.local import Local, Place
from gateway.cluster.office import Office
from gateway.table.refusals import TableClosed
from protocols.core.errors import Refused, Why

LEAVES_S: Final = 8.0
"""Seconds within which the table's node is to let a client go, as long as a request waits."""

_log = structlog.get_logger()


class Left(Place, Protocol):
    """A branch, as a client leaves it."""

    here: dict[int, Local]

    def say_here(self, local: Local) -> None:
        """Tell the table's node that the client is at the table."""


async def part(branch: Left, office: Office, local: Local, *, lost: bool) -> None:
    """Have the table's node let a client go. One that has the table since hears first that the client is there."""
    number, local.leaving = local.number, True
    with trio.move_on_after(LEAVES_S):
        while branch.here.get(number) is local:
            try:
                await office.calls.call(branch.node, messages.Part(branch.number, number, lost))
                return
            except Refused as refused:
                _log.debug("a client has not left yet", table=branch.number, why=refused.text)
                if refused.why is not Why.OVERLOAD and not isinstance(refused, TableClosed):
                    return
            await trio.sleep(AGAIN_S)
            branch.say_here(local)
