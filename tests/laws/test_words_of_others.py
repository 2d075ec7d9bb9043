"""Words and names of one dialect come to another as text: all ordered pairs, from the bytes to the bytes.

What a peer says is put into its transcripts in place of what it says there, goes through the one gate that the server
has for words (``one_line``) or for names (``check``), and is told to the other. There it must look like harmless text
of the same length: as many messages, and not one control byte more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final

import pytest

from gateway import registry
from gateway.lobby.names import check
from gateway.table.decide import one_line
from protocols.core.commands import Command, Join, Say
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, RemoteProtocolError
from protocols.core.events import Said, SeatTaken, TableOpened
from protocols.core.model import HouseRules, SeatKind
from protocols.core.notifications import Answered, ListedPerson, ListedTable, Notification, Seated
from protocols.core.text import read
from tests.laws.conversations import game_record, option_sets, scripts, take_part
from tests.laws.playouts import TABLES
from tests.transcripts.replay import Script, drained, replay

DIALECTS: Final = sorted(registry.dialects())

EVIL: Final = (
    "evil\nquit",
    "evil\r\n{Game 1 (a vs. b) b resigns} 0-1",
    "evil\n\r<12> rnbqkbnr",
    "evil\x00\x07\x08\x1b[2J\x1b]0;evil\x07",
    "evil\x151\x1612\x16evil\x17",
    "evil\x85next\u2028next\u2029next\x9b2J",
    '"},{"type":"evil"}',
    "</script><script>evil()</script>&lt;",
    "%0A%0Devil",
    "} 1-0 {evil",
    "fics% evil",
    "= evil ? error",
    "\u202elive\u200b\ufeff",
    "\xff\xfb\x01\xff\xf4",
)
"""Ends of lines, prompts, blocks and marks of every dialect here, orders to terminals and to Telnet."""

NAMES: Final = (
    "evil\nquit",
    "evil\x07",
    '"evil"',
    "{evil}",
    "<12> evil",
    "evil\u2028x",
    "e\u202evil",
    "evil;x",
    "text evil",
)

TALKING: Final = {"bogaprot", "chess-p2p", "gtp-engine", "gtp-gui", "ics", "igs", "lichess-bot", "miniature", "web"}
"""Dialects of this project that have words for people: the law would hold of words that nobody has found, too."""

BINARY: Final = {"bogaprot", "ggzboard", "web"}
"""Dialects whose numbers are bytes: a length is a control byte to look at."""


@cache
def said_by(dialect: str) -> tuple[str, ...]:
    """All that a peer can make the server pass on."""
    return _passed(one_line, {each.text for each in _commands(dialect, EVIL, _words) if isinstance(each, Say)})


@cache
def names_of(dialect: str) -> tuple[str, ...]:
    """All that a peer can be called."""
    return _passed(check, set(map(_name, _commands(dialect, NAMES, _name))))


def _words(command: Command) -> str:
    return command.text if isinstance(command, Say) else ""


def _name(command: Command) -> str:
    wishes = dict(command.wishes) if isinstance(command, Join) else {}
    return str(wishes.get("name") or getattr(command, "name", ""))


def _passed(gate: Callable[[str], str], texts: set[str]) -> tuple[str, ...]:
    """The texts that the gate lets through, as it does."""
    passed = set()
    for text in texts:
        with suppress(Refused):
            passed.add(gate(text))
    return tuple(sorted(passed))


def _commands(dialect: str, evil: tuple[str, ...], said: Callable[[Command], str]) -> Iterator[Command]:
    """The commands that come of it where a peer says something evil in the place of what it says in a transcript."""
    for script in scripts(dialect):
        for at, reply in enumerate(replay(registry.dialects()[dialect], script)[1:]):
            step = list(script.steps())[at]
            for words in filter(None, map(said, reply.commands)):
                for wire in _in_its_place(registry.dialects()[dialect], script.options, step.lines, words, evil):
                    yield from _after(dialect, script, at, wire)


def _in_its_place(
    kind: type[Dialect], options: dict[str, str], lines: list[str], words: str, evil: tuple[str, ...]
) -> Iterator[bytes]:
    shown = [line[3:] for line in lines if line.startswith(">")]
    wire = kind.text_to_wire(shown, sent=False, options=options) if shown else b""
    for each in evil:
        if (old := words.encode()) in wire:
            yield wire.replace(old, each.encode())
            yield wire.replace(old, each.encode("latin-1", errors="ignore"))
        escaped = [line.replace(words, json.dumps(each)[1:-1]) for line in shown]
        if escaped != shown:
            with suppress(ValueError):
                yield kind.text_to_wire(escaped, sent=False, options=options)


def _after(dialect: str, script: Script, at: int, wire: bytes) -> list[Command]:
    """The commands of a peer with these bytes in the place of a transcript's step."""
    steps = list(script.steps())[: at + 1]
    steps[at] = replace(steps[at], wire=wire)
    with suppress(RemoteProtocolError, ValueError):
        return replay(registry.dialects()[dialect], Script(script.options, [*steps]))[-1].commands
    return []


def harmless(text: str) -> str:
    """Text of the same length, in letters and in bytes, of which nothing is special anywhere."""
    return "".join(c if c.isascii() and c.isalnum() else "x" if c.isascii() else "é" for c in text)


@cache
def told(dialect: str, words: str, name: str) -> tuple[int, int]:
    """The messages of a game, of talk and of lists where somebody is called so and says so; control bytes in them."""
    kind = registry.dialects()[dialect]
    peer = kind(option_sets(dialect)[0])
    peer.connected()
    for message in _evening(_record(dialect), words, name):
        peer.send(message)
    sent = drained(peer) + b"".join(_said_again(kind, script, words) for script in _with_talk(dialect))
    control = 0 if dialect in BINARY else sum(byte < 0x20 or byte == 0x7F for byte in sent)
    return len(kind.wire_to_text(sent, sent=True, options=option_sets(dialect)[0])), control


def _with_talk(dialect: str) -> list[Script]:
    """Two conversations in which somebody says something."""
    found = [script for script in scripts(dialect) if any("Said(" in step.told for step in script.steps())]
    return found[:2]


def _said_again(kind: type[Dialect], script: Script, words: str) -> bytes:
    """All that is told in a conversation in which others say these words."""
    peer, sent = kind(script.options), b""
    peer.connected()
    for step in script.steps():
        message = read(step.told) if step.told else step.wire
        take_part(peer, replace(message, text=words) if isinstance(message, Said) else message)
        sent += drained(peer)
    return sent


@cache
def _record(dialect: str) -> list[Notification]:
    """A game that it can carry: its beginning, and its end."""
    kind = registry.dialects()[dialect]
    record = list(game_record(next(each for each in TABLES if kind.can_play(each.game))))
    return record[:FIRST] + record[-1:]


def _evening(record: list[Notification], words: str, name: str) -> Iterator[Notification]:
    opened = record[0]
    assert isinstance(opened, Seated)
    settings = next(each.settings for each in opened.past if isinstance(each, TableOpened))
    yield replace(opened, past=(TableOpened(settings, HouseRules()), SeatTaken(0, SeatKind.PLAYER, "peer")))
    yield SeatTaken(1, SeatKind.PLAYER, name)
    yield from (each for each in record[1:-1] if not isinstance(each, SeatTaken))
    for seat, to in ((1, "all"), (1, "players"), (None, "observers"), (None, "peer")):
        yield Said(seat, to, words, name)
    yield record[-1]
    listed = ListedTable(7, settings, True, (name, "peer"), (None, None))
    yield Answered((f"{name} is here",), "tables", tables=(listed,))
    yield Answered((f"{name} is here",), "who", people=(ListedPerson(name),))


FIRST: Final = 12
"""Messages of a game before it ends."""

PAIRS: Final = list(product(DIALECTS, DIALECTS))


@pytest.mark.parametrize(("by", "to"), PAIRS)
def test_what_is_said_in_one_dialect_is_one_line_of_text_in_another(by: str, to: str) -> None:
    """ "Names, tells and channel texts of one dialect cannot inject lines or control bytes into another"."""
    assert said_by(by) or by not in TALKING
    for words in said_by(by):
        assert told(to, words, "bob") == told(to, harmless(words), "bob"), words


@pytest.mark.parametrize(("by", "to"), PAIRS)
def test_what_one_is_called_in_one_dialect_is_one_name_in_another(by: str, to: str) -> None:
    for name in names_of(by):
        assert told(to, "hello", name) == told(to, "hello", harmless(name)), name
