"""The parts of the page of the dialect ``web`` that are made from its messages: fields, events, proposals."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from protocols.core import events as ev
from protocols.core import proposals
from protocols.core.commands import Topic
from protocols.web import messages, told

_TYPES: Final[Mapping[str, str]] = {
    "Id": "number",
    "Ply": "number",
    "Seat": "seat",
    "Square": "square",
    "Word": "text of at most 64 characters",
    "Line": "text of at most 500 characters",
    "Annotated[int, Meta(ge=1, le=2147483647)]": "number from 1",
    "Given": "number from 1 to 600",
    "Count": "number",
    "bool": "true or false",
    "int": "number",
    "float": "seconds",
    "str": "text",
    "What": " or ".join(f"`{what}`" for what in get_args(messages.What)),
    "dict[Word, Value]": "object of texts and numbers",
    "tuple[Square, ...]": "list of squares",
    "tuple[str, ...]": "list of texts",
    "MoveForm": "`{source, target, piece}`, null where there is none",
    "InBrief": "`[source, target, piece]`",
    "cmd.Topic": " or ".join(f"`{topic}`" for topic in get_args(Topic)),
    "Topic": " or ".join(f"`{topic}`" for topic in get_args(Topic)),
    "Literal['']": "empty",
    "Why": "text, one of the [list](#codes)",
    "Terms": "settings",
    "Limits": "object: `message`, the most bytes of one",
    "Sequence[PastForm]": "list of events",
    "Raw": "object: see [Events](#events)",
    "tuple[Mapping[str, int], ...]": "list by seat of objects: how many of each piece",
    "tuple[Tally, ...]": "list by seat of objects: `taken`, how many of each piece; `text`, what else counts",
    "ClockForm": "clocks",
    "Parting": "text, one of the [list](#codes)",
    "list[Moving]": "list of choices",
    "tuple[Move, ...]": "list of moves: a usual set-up",
    "list[Seek]": "list of seeks",
    "tuple[ntf.SeatRated, ...]": "list of objects: `seat`, `name`, `before`, `after`: each `rating`, `provisional`?",
    "tuple[ntf.SeatStakes, ...]": (
        "list of objects: `seat`, `name`, `rating` as above, and `win`?, `draw`?, `loss`?, the changes in a game of two"
    ),
    "AtTable": "object: `seated`, `event`, `turn`, `named`, `stakes`, `rated` or `unwatched`, which has a `text`",
}
"""The types of fields, for a reader of JSON."""


def web_messages() -> Iterable[str]:
    """Every message of a client."""
    yield from ("", "| you send | field | |", "|---|---|---|")
    for message in get_args(messages.ClientMessage):
        yield from _rows(message, "id")
    yield ""


def web_told() -> Iterable[str]:
    """Every message to a client but events and turns."""
    yield from ("", "| you are told | field | |", "|---|---|---|")
    for message in get_args(told.ServerMessage):
        yield from _rows(message)
    yield ""


def _rows(message: type[Struct], without: str = "") -> Iterable[str]:
    name = f"`{message.__struct_config__.tag}`"
    shown = [field for field in fields(message) if field.name != without]
    if not shown:
        yield f"| {name} | none | |"
    for field in shown:
        text = next(
            str(kind.__annotations__[field.name]) for kind in message.mro() if field.name in kind.__annotations__
        )
        parts = [part for part in _alternatives(text) if part not in ("None", "UnsetType")]
        needed = field.required and "UnsetType" not in text
        default = field.default
        words = " or ".join(_TYPES[part] for part in parts)
        may_be_null = " or null" if needed and "None" in _alternatives(text) else ""
        usual = "" if needed or default in (None, "", (), NODEFAULT) else f"; {str(default).lower()} if left out"
        yield f"| {name} | `{field.encode_name}`{'' if needed else '?'} | {words}{may_be_null}{usual} |"
        name = ""


def _alternatives(text: str) -> list[str]:
    """The parts of a union, of which those in brackets are whole."""
    parts, depth = [""], 0
    for letter in text.replace('"', "'"):
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


_EVENTS: Final[Mapping[type[Any], str]] = {
    ev.TableOpened: "the table was opened; with this the record begins",
    ev.SeatTaken: "a player, a bot or a registered name has the seat",
    ev.SeatLeft: "its player is away until a time, or has left: `kind` is what the seat is now",
    ev.SeatsTurned: "all players moved so many seats on, before a game; 0: they drew the same seats",
    ev.Proposed: "a seat proposes, or agrees",
    ev.Agreed: "every seat has proposed it",
    ev.Declined: "a seat refuses that kind of proposal, or withdraws its own",
    ev.GameStarted: "a game begins; `board` is a list of `[square, piece]`",
    ev.DiceRolled: "a die is rolled for the seat",
    ev.MoveMade: "a move; `changes` is all that it does, `[square, piece]` or `[square, null]`",
    ev.MovesTakenBack: "so many moves are taken back, `ply` are left",
    ev.GameSettling: "play has stopped: the score is to be agreed on",
    ev.SeatWithdrawn: "a player gave up, the others go on",
    ev.ClockSet: "clocks stop, or are put right",
    ev.GameAdjourned: "the game stands still until a time",
    ev.GameResumed: "it goes on",
    ev.GameEnded: "the game is over",
    ev.Said: "a player, an observer or (null) the server, or a speaker beyond tables, says something",
    ev.TableClosed: "the table is closed",
}


def web_events() -> Iterable[str]:
    """The kinds of events and the fields of their bodies."""
    yield from ("", "| `kind` | `body` | |", "|---|---|---|")
    for kind, words in _EVENTS.items():
        hidden = ("notation", "position") if kind is ev.MoveMade else ()
        named = fields(kind) if issubclass(kind, Struct) else dataclasses.fields(kind)
        names = [f"`{field.name}`" for field in named if field.name not in hidden]
        yield f"| `{kind.__name__}` | {', '.join(names) or 'empty'} | {words} |"
    yield "| `Hidden` | none | not for you |"
    yield ""


def web_proposals() -> Iterable[str]:
    """The kinds of proposals, as events name them."""
    yield from ("", "| in `propose` | in events | fields |", "|---|---|---|")
    for kind in get_args(proposals.Proposal):
        names = ", ".join(f"`{field.name}`" for field in dataclasses.fields(kind)) or "none"
        yield f"| `{kind.__name__.lower()}` | `{kind.__name__}` | {names} |"
    yield ""


PARTS: Final = {
    "web_messages": web_messages,
    "web_told": web_told,
    "web_events": web_events,
    "web_proposals": web_proposals,
}
