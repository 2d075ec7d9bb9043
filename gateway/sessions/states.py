"""States of a connection, and what may happen to it in each.

::

               greeted               sat down               replaced
    ARRIVED ------------> VISITING <----------> SEATED -----------------> DISPLACED
                           ^    |     let go       |                          |
                looked on, |    | fell silent      | fell silent              | fell silent
                let go     |    `---------------.  |                          |
                           v                    v  v        replaced          v
                       LOOKING_ON ------------> PARTING -----------------> DISMISSED
                                  fell silent

    VISITING, PARTING -- went on --> PASSED_ON                 all of them -- closed --> ENDED

A connection changes its state by ``after`` alone. What the table ``NEXT`` does not have cannot happen: it is a defect
of ours, and ends that connection. A connection that is hung up on keeps its state until it is closed, a moment later.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from protocols.core.errors import LocalProtocolError


class ConnectionState(StrEnum):
    """StrEnum, for each move looks a state up, and a string knows its hash."""

    ARRIVED = "arrived"
    """Accepted; neither told nor heard anything."""
    VISITING = "visiting"
    """At no table."""
    LOOKING_ON = "looking on"
    SEATED = "seated"
    DISPLACED = "displaced"
    """Another connection has its seat. It is heard still, for its dialect may wait for an answer of the peer."""
    PARTING = "parting"
    """Heard no more. What it has asked is answered, and may still take or lose a seat."""
    DISMISSED = "dismissed"
    """Heard no more, and another connection has its seat."""
    PASSED_ON = "passed on"
    """Another worker has the peer."""
    ENDED = "ended"
    """Closed. Its table may not know yet."""


class Happening(StrEnum):
    """The causes for which a connection leaves its state, or stays."""

    GREETED = "greeted"
    HEARD = "heard"
    """Bytes, or the end, have come from the peer."""
    SAT_DOWN = "sat down"
    """A table gave it a seat, or goes on at another node."""
    LOOKED_ON = "looked on"
    """A table let it look on, or goes on at another node."""
    TURNED = "turned"
    """The seats of its table turned."""
    LET_GO = "let go"
    """The table has it no more."""
    REPLACED = "replaced"
    """Another connection speaks for its seat."""
    FELL_SILENT = "fell silent"
    """The peer hung up or broke its protocol, or its dialect is through with it."""
    WENT_ON = "went on"
    """Another worker goes on with the peer."""
    CLOSED = "closed"


_S, _H = ConnectionState, Happening

NEXT: Final[Mapping[ConnectionState, Mapping[Happening, ConnectionState]]] = {
    _S.ARRIVED: {_H.GREETED: _S.VISITING, _H.CLOSED: _S.ENDED},
    _S.VISITING: {
        _H.HEARD: _S.VISITING,
        _H.SAT_DOWN: _S.SEATED,
        _H.LOOKED_ON: _S.LOOKING_ON,
        _H.FELL_SILENT: _S.PARTING,
        _H.WENT_ON: _S.PASSED_ON,
        _H.CLOSED: _S.ENDED,
    },
    _S.LOOKING_ON: {
        _H.HEARD: _S.LOOKING_ON,
        _H.LOOKED_ON: _S.LOOKING_ON,
        _H.LET_GO: _S.VISITING,
        _H.FELL_SILENT: _S.PARTING,
        _H.CLOSED: _S.ENDED,
    },
    _S.SEATED: {
        _H.HEARD: _S.SEATED,
        _H.SAT_DOWN: _S.SEATED,
        _H.TURNED: _S.SEATED,
        _H.LET_GO: _S.VISITING,
        _H.REPLACED: _S.DISPLACED,
        _H.FELL_SILENT: _S.PARTING,
        _H.CLOSED: _S.ENDED,
    },
    _S.DISPLACED: {_H.HEARD: _S.DISPLACED, _H.FELL_SILENT: _S.DISMISSED, _H.CLOSED: _S.ENDED},
    _S.PARTING: {
        _H.HEARD: _S.PARTING,
        _H.SAT_DOWN: _S.PARTING,
        _H.LOOKED_ON: _S.PARTING,
        _H.TURNED: _S.PARTING,
        _H.LET_GO: _S.PARTING,
        _H.REPLACED: _S.DISMISSED,
        _H.FELL_SILENT: _S.PARTING,
        _H.WENT_ON: _S.PASSED_ON,
        _H.CLOSED: _S.ENDED,
    },
    _S.DISMISSED: {_H.HEARD: _S.DISMISSED, _H.FELL_SILENT: _S.DISMISSED, _H.CLOSED: _S.ENDED},
    _S.PASSED_ON: {_H.FELL_SILENT: _S.PASSED_ON, _H.CLOSED: _S.ENDED},
    _S.ENDED: {
        _H.SAT_DOWN: _S.ENDED,
        _H.TURNED: _S.ENDED,
        _H.LET_GO: _S.ENDED,
        _H.REPLACED: _S.ENDED,
        _H.FELL_SILENT: _S.ENDED,
    },
}

READ: Final = frozenset({_S.VISITING, _S.LOOKING_ON, _S.SEATED, _S.DISPLACED})
"""The states in which bytes of the peer are interpreted; they change no state by themselves."""

VOID: Final = frozenset({_S.DISPLACED, _S.DISMISSED, _S.PASSED_ON, _S.ENDED})
"""The states in which nothing is served that the peer has asked, and no words of others are told it."""


def after(state: ConnectionState, happening: Happening) -> ConnectionState:
    """The next state. LocalProtocolError: that cannot happen in this one."""
    try:
        return NEXT[state][happening]
    except KeyError:
        raise LocalProtocolError(f"a connection that is {state} cannot be {happening}") from None
