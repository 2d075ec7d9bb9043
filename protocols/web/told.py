"""The messages to a page beside events, as JSON: its seat, answers, refusals, legal moves, seeks, the end.

A function gives one message. Fields that are absent are those that say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType, field

from protocols.core import notifications as ntf
from protocols.core.model import TimeControl
from protocols.core.notifications import Choice, Notice
from protocols.web.events import PastForm, json
from protocols.web.frames import LONGEST_MESSAGE
from protocols.web.messages import VERSION

EVERYWHERE: Final = "*"
"""The target of a piece that may be placed on every empty square."""

SERVER: Final = f"Boardgate/{version('boardgate')}"


class _Limits(Struct):
    message: int


class _Welcome(Struct, tag_field="type", tag="welcome"):
    v: int
    server: str
    now: float
    limits: _Limits


class _Seated(Struct, tag_field="type", tag="seated"):
    table: int
    seat: int | None
    seq: int
    events: Sequence[PastForm]
    ticket: str | UnsetType


class _Rejected(Struct, tag_field="type", tag="rejected"):
    id: int | UnsetType
    why: str
    text: str
    ply: int | UnsetType


class _Answered(Struct, tag_field="type", tag="answered"):
    id: int | UnsetType
    topic: str
    lines: tuple[str, ...]


class _Moves(Struct, tag_field="type", tag="moves"):
    id: int | UnsetType
    ply: int
    claim: str
    claim_winner: int | UnsetType
    legal: list[dict[str, Any]]
    setup: list[tuple[int | None, int | None, str]] | UnsetType
    may_pass: bool = field(name="pass")


class _Named(Struct, tag_field="type", tag="named"):
    name: str
    text: str


class _LoggedIn(Struct, tag_field="type", tag="logged_in"):
    name: str


class _Unmatched(Struct, tag_field="type", tag="unmatched"):
    others: tuple[str, ...]


class _Seek(Struct):
    name: str
    game: str
    variant: str
    time: TimeControl | None
    rated: bool
    side: int | None
    manual: bool


class _Seeks(Struct, tag_field="type", tag="seeks"):
    put: list[_Seek]
    gone: list[_Seek]
    more: int


class _Pong(Struct, tag_field="type", tag="pong"):
    n: int
    now: float


class _Goodbye(Struct, tag_field="type", tag="goodbye"):
    why: str
    text: str


def welcome(now: float) -> bytes:
    """The answer to hello; ``now`` is on the server's line, in seconds."""
    return json(_Welcome(VERSION, SERVER, now, _Limits(LONGEST_MESSAGE)))


def seated(table: int, seat: int | None, seq: int, events: Sequence[PastForm], ticket: str) -> bytes:
    """``events`` are all until ``seq``; none: the page has what came until then."""
    return json(_Seated(table, seat, seq, events, ticket or UNSET))


def rejected(refusal: ntf.Rejected, number: int | None, ply: int | None) -> bytes:
    """A refusal of the message numbered so."""
    return json(_Rejected(_number(number), str(refusal.why), str(refusal.text or refusal.why), _number(ply)))


def answered(answer: ntf.Answered, number: int | None) -> bytes:
    """Lines for a person."""
    return json(_Answered(_number(number), answer.topic, answer.lines))


def moves(listed: ntf.MovesListed, number: int | None) -> bytes:
    """The legal moves, grouped by source."""
    legal = [_choice(made) for made in listed.choices]
    setup = [(move.source, move.target, move.piece) for move in listed.setup]
    claim, winner = (listed.claim.detail, listed.claim.winner) if listed.claim is not None else ("", None)
    told = (_number(number), listed.ply, claim, _number(winner), legal, setup or UNSET, listed.may_pass)
    return json(_Moves(*told))


def named(name: ntf.Named) -> bytes:
    """The page's player is called otherwise than it asked for."""
    return json(_Named(name.name, name.text))


def logged_in(name: str) -> bytes:
    """The page speaks for an account now."""
    return json(_LoggedIn(name))


def unmatched(others: tuple[str, ...]) -> bytes:
    """The page seeks what no waiting player plays; ``others`` says in words what these want."""
    return json(_Unmatched(others))


def seeks(noticed: ntf.Noticed) -> bytes:
    """Seeks that came and went."""
    return json(
        _Seeks([_seek(made) for made in noticed.posted], [_seek(made) for made in noticed.removed], noticed.more)
    )


def pong(number: int, now: float) -> bytes:
    """The answer to a ping; ``now`` is on the server's line, in seconds."""
    return json(_Pong(number, now))


def goodbye(why: str, text: str) -> bytes:
    """The last message: replaced, version, error, closed."""
    return json(_Goodbye(why, text))


def _number(number: int | None) -> int | UnsetType:
    return UNSET if number is None else number


def _choice(choice: Choice) -> dict[str, Any]:
    """{from, to}, with promotions {from, to, as}; of a placement {piece, to}, perhaps to all empty squares {but}."""
    if choice.source is not None:
        shown: dict[str, Any] = {"from": choice.source, "to": choice.targets}
        return shown if choice.pieces == ("",) else {**shown, "as": choice.pieces}
    piece = choice.pieces[0] if choice.pieces else ""
    if not choice.others:
        return {"piece": piece, "to": choice.targets}
    shown = {"piece": piece, "to": EVERYWHERE}
    return {**shown, "but": choice.targets} if choice.targets else shown


def _seek(notice: Notice) -> _Seek:
    settings, start = notice.start.settings, notice.start
    if settings is None:
        return _Seek(notice.name, notice.game, "", None, False, start.side, start.confirms)
    return _Seek(notice.name, notice.game, settings.variant, settings.time, settings.rated, start.side, start.confirms)
