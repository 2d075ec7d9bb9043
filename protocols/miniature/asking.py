"""A Miniature peer's requests at its table: the rest of a line to commands, or to an immediate answer.

A function takes the stay at the table and what stood behind the command's word; ValueError shows what cannot be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from protocols.chess_words.text import from_move
from protocols.core.commands import Command, Decline, GiveTime, PlayMove, Propose, Resign
from protocols.core.events import CHANNEL
from protocols.core.model import Move
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback
from protocols.miniature import words as say
from protocols.miniature.sitting import Sitting
from protocols.miniature.table import NEXT_GAME, State, answering
from protocols.miniature.wire import agrees, far, parts, read_move


@dataclass(frozen=True, slots=True)
class Answer:
    """The commands of a line, and the lines that answer it at once."""

    commands: tuple[Command, ...] = ()
    lines: tuple[str, ...] = ()


NOTHING: Final = Answer()

EXPLOSIVE: Final = "atomic"
"""The rule set whose captures change more squares than castling does."""


def error(code: str, text: str) -> Answer:
    return Answer(lines=(say.error(code, text),))


def unheard(to: str, state: State, sitting: Sitting | None) -> Answer | None:
    """The error that ``to`` would not hear it; whether a name is here the server knows."""
    if to.lower() == say.EVERYBODY:
        return None
    if to.startswith("#") and to.lower() != say.OBSERVERS:
        return error("no-such-channel", f"{to[:40]!r}; there are {say.OBSERVERS} and {say.EVERYBODY}")
    if to.startswith("#") and state is State.LOBBY:
        return error("not-seated", f"nobody hears {to[:40]!r}: {state.value}")
    if sitting is not None and state is State.WATCHING and _sits(to, sitting) and not sitting.table.observers_speak:
        return error("observer", f"who looks on talks to {say.OBSERVERS}")
    return None


def listener(to: str, state: State, sitting: Sitting | None) -> str:
    """Hearers that Say names: everybody, observers, the players of the peer's own table, who all hear it, or a name."""
    if to.lower() == say.EVERYBODY:
        return CHANNEL
    if to.startswith("#"):
        return "observers"
    here = state is State.ASKED if sitting is None else _sits(to, sitting)
    return "players" if here else to


def _sits(to: str, sitting: Sitting) -> bool:
    """True if another player of the peer's table is called so."""
    return to.casefold() in (say.nick(name).casefold() for name in sitting.table.others())


def propose(sitting: Sitting, proposal: Proposal, *lines: str) -> Answer:
    return Answer((sitting.asked.note(Propose(proposal)),), lines)


def play(sitting: Sitting, rest: str) -> Answer:
    """Confirm one's own manual seek, or take the other's latest seek; without one, the next."""
    table = sitting.table
    made, own = table.offered(*NEXT_GAME), table.manual
    if own is not None and table.challenger():
        return propose(sitting, replace(own, confirms=False))
    if made is not None:
        return propose(sitting, answering(made.proposal))
    if own is not None:
        return Answer(lines=(say.remark("nobody takes your seek now; it stands"),))
    return propose(sitting, Start(), say.remark("nobody seeks a game now; you take the next seek"))


def resume(sitting: Sitting, rest: str) -> Answer:
    return propose(sitting, Resume())


def rematch(sitting: Sitting, rest: str) -> Answer:
    if not sitting.table.others():
        return error("not-now", "nobody is left here to play with; seek, for a game with somebody else")
    return propose(sitting, Rematch())


def move(sitting: Sitting, rest: str) -> Answer:
    """Out of turn it is discarded, whatever it is; so is a move for a position that was taken back meanwhile."""
    table = sitting.table
    if table.turn != table.seat:
        return NOTHING
    text, claimed = parts(rest)
    variant = "" if table.settings is None else table.settings.variant
    if table.chess and variant != EXPLOSIVE and far(claimed, table.position):
        return Answer(lines=(say.sync(table.position),))
    found, text = read_move(text, variant)
    if not table.chess:
        found = Move(None, None, text if found is None else from_move(found))
    command = PlayMove(found, "" if found else text, len(table.moves))
    return Answer((sitting.asked.note(command, claimed),))


def overtaken(sitting: Sitting, rest: str) -> Answer:
    """A move that was sent before its player knew of a takeback: the confirmation wins."""
    table = sitting.table
    return Answer(lines=(say.sync(table.position),)) if table.chess and parts(rest)[1] else NOTHING


def takeback(sitting: Sitting, rest: str) -> Answer:
    """A FEN that is not the position so many moves ago: what is asked for is not known, and the table's wins."""
    text, claimed = parts(rest)
    if not re.fullmatch(r"(?:[1-9][0-9]{0,3})?", text, re.ASCII):
        raise ValueError(f"takeback {text[:40]!r}: it is takeback N, of so many half-moves")
    table, asked = sitting.table, Takeback(int(text or 1))
    meant = table.meant(asked)
    if not table.chess or agrees(claimed, table.before(meant.plies)) is not False:
        return propose(sitting, meant)
    if meant != asked and agrees(claimed, table.before(asked.plies)):
        own = propose(sitting, asked)  # from where the game stands now: the other's is refused by that
        return Answer((sitting.asked.note(Decline(Takeback.__name__)), *own.commands))
    return Answer(lines=(say.sync(table.position),))


def draw(sitting: Sitting, rest: str) -> Answer:
    """To agree is possible at any time. "P2 is not allowed to demand a draw if it is not his turn"."""
    table = sitting.table
    if table.offered(Draw) is None and table.turn != table.seat:
        return error("not-your-turn", "a draw is offered when it is your turn")
    return propose(sitting, Draw())


def adjourn(sitting: Sitting, rest: str) -> Answer:
    return propose(sitting, Adjourn())


def abort(sitting: Sitting, rest: str) -> Answer:
    return propose(sitting, Abort())


def more_time(sitting: Sitting, rest: str) -> Answer:
    """For the opponent."""
    seconds = rest.strip()
    if not re.fullmatch(r"[1-9][0-9]{0,3}", seconds, re.ASCII):
        raise ValueError(f"moretime {seconds[:40]!r}: it is moretime SECONDS, for your opponent")
    return Answer((sitting.asked.note(GiveTime(int(seconds))),))


def resign(sitting: Sitting, rest: str) -> Answer:
    return Answer((sitting.asked.note(Resign()),))


def sync(sitting: Sitting, rest: str) -> Answer:
    """A client that found another position hears the table's, unless that is what it has."""
    table, (_, claimed) = sitting.table, parts(rest)
    if not table.chess or not table.position or agrees(claimed, table.position):
        return NOTHING
    return Answer(lines=(say.sync(table.position),))


def accept(sitting: Sitting, rest: str) -> Answer:
    """Agree to the latest offer."""
    if sitting.table.stage in (State.OPEN, State.OVER):
        return play(sitting, rest)
    made = sitting.table.offered()
    return _nothing_offered() if made is None else propose(sitting, answering(made.proposal))


def decline(sitting: Sitting, rest: str) -> Answer:
    """Refuse the latest offer. A player's own such offer is withdrawn first: one word does no more."""
    table = sitting.table
    made = table.offered()
    if made is None:
        return _nothing_offered()
    kind, own = type(made.proposal).__name__, table.manual
    answer: list[Command] = [Decline(kind)] * (2 if table.proposes(table.seat, kind) else 1)
    if own is not None and isinstance(made.proposal, Start):
        answer.append(Propose(own))  # for other challengers
    return Answer(tuple(sitting.asked.note(command) for command in answer))


def _nothing_offered() -> Answer:
    return error("not-now", "nothing is offered")
