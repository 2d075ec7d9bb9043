"""Words pass from any dialect of text to any other as one line that can be shown, without a control character."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final

import pytest

from gateway import registry
from gateway.table.decide import one_line
from protocols.core.commands import Say
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, RemoteProtocolError
from protocols.core.events import Said
from protocols.core.text import read
from protocols.web import frames
from tests.laws.conversations import scripts, take_part
from tests.transcripts.replay import Script, Step, drained

OF_TEXT: Final = ("chess-p2p", "gtp-engine", "gtp-gui", "miniature", "web")
"""Dialects whose messages are text. Bogaprot has numbers before its strings, in which nothing ends them."""

ODD: Final = (
    *("\n", "\r", "\r\n", "\0", "\t", "\x1b[31m", "\x07", "\x08", "\x0b", "\x0c", "\x1c", "\x7f"),
    *("\x85", "\x9b2J", "\u2028", "\u2029", "\u202e", "\ufeff"),
)
"""Ends of lines, and what moves a cursor, colours or turns a terminal."""

PLAIN: Final = "good luck"


@cache
def moments(dialect: str) -> tuple[tuple[Script, int, str], ...]:
    """The steps of a dialect's transcripts that say or tell words, and these words."""
    found = []
    for script in scripts(dialect):
        peer = begun(dialect, script)
        for at, step in enumerate(script.steps()):
            try:
                commands = take_part(peer, read(step.told) if step.told else step.wire)
            except RemoteProtocolError:
                break
            says = [said.text for said in commands if isinstance(said, Say) and len(said.text) > 1]
            found += [(script, at, text) for text in says if step.wire and text.encode() in step.wire]
            if step.told.startswith("Said("):
                found.append((script, at, ""))
    return tuple(found)


def begun(dialect: str, script: Script) -> Dialect:
    peer = registry.dialects()[dialect](script.options)
    peer.connected()
    return peer


def before(dialect: str, script: Script, at: int) -> tuple[Dialect, Step]:
    """A connection right before this step, and the step."""
    peer, steps = begun(dialect, script), list(script.steps())
    for step in steps[:at]:
        take_part(peer, read(step.told) if step.told else step.wire)
    drained(peer)
    return peer, steps[at]


def said(dialect: str, odd: str) -> Iterator[str]:
    """Words that the server passes on where peers of this dialect say PLAIN with something odd in it."""
    kind = registry.dialects()[dialect]
    for script, at, text in moments(dialect):
        if not text:
            continue
        peer, step = before(dialect, script, at)
        assert step.wire is not None
        words = f"good{odd}luck"
        if dialect == "web":
            shown = kind.wire_to_text(step.wire, sent=False, options=script.options)
            shown = [line.replace(text, json.dumps(words)[1:-1]) for line in shown]
            wire = kind.text_to_wire(shown, sent=False, options=script.options)
        else:
            wire = step.wire.replace(text.encode(), words.encode())
        try:
            commands = peer.receive_data(wire)
        except RemoteProtocolError:
            continue
        for command in commands:
            if isinstance(command, Say):
                try:
                    yield one_line(command.text)
                except Refused:
                    continue


def told(dialect: str, text: str) -> Iterator[bytes]:
    """Bytes that peers of this dialect are told, in each place where its transcripts have words."""
    for script, at, own in moments(dialect):
        if own:
            continue
        peer, step = before(dialect, script, at)
        words = read(step.told)
        assert isinstance(words, Said)
        peer.send(replace(words, text=text))
        data = drained(peer)
        with suppress(RemoteProtocolError):
            for later in list(script.steps())[at + 1 :]:  # a menu of GTP tells it with its next answer
                take_part(peer, read(later.told) if later.told else later.wire)
                data += drained(peer)
        yield data


def shown(dialect: str, data: bytes) -> str:
    """The bytes as the peer's person or program reads them."""
    if dialect != "web":
        return data.decode()
    events = [json.loads(text) for text in frames.texts(data)]
    return "\n".join(event["body"]["text"] for event in events if event.get("kind") == "Said")


@pytest.mark.parametrize("dialect", OF_TEXT)
def test_there_are_words_to_try(dialect: str) -> None:
    """Each dialect says some and is told some in its transcripts."""
    assert any(PLAIN in shown(dialect, data) for data in told(dialect, PLAIN))
    assert any(text for _, _, text in moments(dialect))


@pytest.mark.parametrize(("speaker", "hearer"), [*product(OF_TEXT, OF_TEXT)])
def test_odd_words_come_as_one_line_that_can_be_shown(speaker: str, hearer: str) -> None:
    plain = [shown(hearer, data) for data in told(hearer, PLAIN)]
    passed = {text for odd in ODD for text in said(speaker, odd)}
    assert passed
    for text in passed:
        for usual, data in zip(plain, told(hearer, text), strict=True):
            found = shown(hearer, data)
            assert found.count("\n") == usual.count("\n"), text
            assert {c for c in found if not c.isprintable()} <= {c for c in usual if not c.isprintable()}, text
