"""A request that waits for what the server or its table says, and the answer that comes of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias

from protocols.core.commands import Command
from protocols.core.notifications import Rejected
from protocols.lichess.wire import OK, Tree, refusal


@dataclass(frozen=True, slots=True)
class Reply:
    """The body of an answer and its status in HTTP. ``play`` is where a game that comes of it is taken up."""

    body: Any
    status: int = HTTPStatus.OK
    play: Tree | None = None


Judge: TypeAlias = Callable[[Rejected | None], Reply]
"""Gives the answer: at the first refusal of a command, or, with None, when all have been served."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The commands of a request, and what its answer will be."""

    commands: Sequence[Command]
    judge: Judge


def refused(text: str, status: int = HTTPStatus.BAD_REQUEST) -> Reply:
    return Reply(refusal(text), status)


def plain(refusal: Rejected | None) -> Reply:
    """Done, or refused in the words of the server."""
    return Reply(OK) if refusal is None else refused(refusal.text)


def at_once(reply: Reply) -> Asked:
    """An answer for which nothing has to be asked."""
    return Asked((), lambda _: reply)


def done(*commands: Command) -> Asked:
    """An answer that says no more than that it is done."""
    return Asked(commands, plain)
