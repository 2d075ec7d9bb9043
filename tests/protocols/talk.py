"""Short forms for tests of dialects: ask and be told in the dialect's own text."""

from __future__ import annotations

from collections.abc import Mapping

from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.events import Event, GameStarted, SeatTaken, TableOpened, TurnStarted
from protocols.core.model import HouseRules, SeatKind, Settings
from protocols.core.notifications import Notification

NONE: Mapping[str, str] = {}

CHECKERS = Settings("checkers", "english", 8, 8, 2)
LUDO = Settings("ludo", "ggzboard", 11, 11, 2)


def ask(peer: Dialect, *lines: str) -> list[Command]:
    """Return the commands of the peer's lines, big-endian; each counts as answered when the next message is heard."""
    commands = peer.receive_data(peer.text_to_wire(lines, sent=False, options=NONE))
    while peer.held:
        commands += peer.resume()
    return commands


def heard(peer: Dialect) -> list[str]:
    """Return the bytes queued for the peer, big-endian."""
    return peer.wire_to_text(b"".join(iter(peer.data_to_send, b"")), sent=True, options=NONE)


def tell(peer: Dialect, *messages: Notification) -> list[str]:
    """Return the peer's lines for these messages."""
    for message in messages:
        peer.send(message)
    return heard(peer)


def opened(settings: Settings, *names: str) -> tuple[Event, ...]:
    """A table where players of these names sit from seat 0 on; a name that begins with "bot" is a bot's."""
    kinds = [SeatKind.BOT if name.startswith("bot") else SeatKind.PLAYER for name in names]
    seats = [SeatTaken(index, kind, name) for index, (kind, name) in enumerate(zip(kinds, names, strict=True))]
    return (TableOpened(settings, HouseRules()), *seats)


def begun(settings: Settings, board: dict[int, str], *names: str) -> tuple[Event, ...]:
    """The same with a game that has begun on this board, seat 0 to move."""
    start = GameStarted(settings, 1, tuple(sorted(board.items())), "")
    return (*opened(settings, *names), start, TurnStarted(0))
