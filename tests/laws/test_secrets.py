"""What holds a secret is not remembered: no ticket and no password is in the process when its connection is gone."""

from __future__ import annotations

import contextlib
import gc
import random
import re
import string
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import trio
from trio.testing import MockClock

from gateway import registry
from gateway.sessions.listener import EntryPoint
from protocols.core.text import read
from tests.hall import Hall, config, hall
from tests.transcripts import replay as transcripts

LEAST: Final = 12
"""Letters of the secrets that are looked for; half of one is found, too."""

WORD: Final = 4
"""Letters of a secret in a transcript, or of more, that are replaced."""

PATIENCE: Final = 3000
"""Looks, a hundred of them a second at most."""

NOWHERE: Final = {"gamesman", "ggzboard", "lichess-bot"}
"""Dialects without any word for a ticket or a password."""


def spoken(path: Path, text: str, split: transcripts.Split) -> set[str]:
    """Replay the transcript; the tickets and passwords that its peer says or is told."""
    dialect = transcripts.spoken(path)
    script = transcripts.parse(dialect, text)
    said: list[Any] = [command for reply in transcripts.replay(dialect, script, split) for command in reply.commands]
    said += [read(step.told) for step in script.steps() if step.told.startswith("Seated")]
    words = (getattr(one, field, "") for one in said for field in ("ticket", "secret"))
    return {word for word in words if len(word) >= WORD}


def renamed(text: str, secrets: set[str], chance: random.Random) -> str:
    """The transcript with secrets that no other test has ever named."""
    for secret in sorted(secrets, key=len, reverse=True):
        fresh = "".join(chance.choices(string.ascii_letters, k=max(LEAST, len(secret))))
        text = re.sub(rf"\b{re.escape(secret)}\b", fresh, text)
    return text


def remembered(halves: set[str]) -> Iterator[str]:
    """The texts of the process that have one of these in them, as far as anything refers to them."""
    needles = [(half, half.encode()) for half in halves]
    for found in everything():
        if isinstance(found, str) and found not in halves and any(half in found for half, _ in needles):
            yield found
        elif isinstance(found, bytes | bytearray) and found not in [coded for _, coded in needles]:
            yield from (repr(found) for _, coded in needles if coded in found)


def everything() -> Iterator[object]:
    """All objects; those that the collector does not look through are found by who refers to them."""
    gc.collect()
    tracked = gc.get_objects()
    seen: set[int] = set()
    left: list[object] = list(tracked)
    while left:
        for found in gc.get_referents(left.pop()):
            if not gc.is_tracked(found) and id(found) not in seen:
                seen.add(id(found))
                left.append(found)
                yield found


def fresh(path: Path, chance: random.Random) -> tuple[transcripts.Script, set[str]]:
    """The transcript with secrets of its own, and those; empty: it has none."""
    text = path.read_text()
    known = spoken(path, text, transcripts.whole)
    made = renamed(text, known, chance) if known else text
    return transcripts.parse(transcripts.spoken(path), made), spoken(path, made, transcripts.by(5)) - known


def halves(secrets: set[str]) -> set[str]:
    return {word[: LEAST // 2] for word in secrets}


def test_no_ticket_and_no_password_is_remembered_by_any_dialect() -> None:
    chance, looked_for, speakers = random.Random(), set[str](), set[str]()
    for path in transcripts.files():
        script, secrets = fresh(path, chance)
        transcripts.replay(transcripts.spoken(path), script)
        speakers |= {path.parent.name} if secrets else set()
        looked_for |= halves(secrets)
    del script, secrets
    assert speakers == set(registry.dialects()) - NOWHERE
    assert list(remembered(looked_for)) == []


async def test_a_server_remembers_no_ticket_and_no_password_of_connections_that_have_ended(
    autojump_clock: MockClock,
) -> None:
    chance, looked_for = random.Random(), set[str]()
    async with hall(config(handshake_s=5.0)) as here:
        for path in transcripts.files():
            script, secrets = fresh(path, chance)
            if secrets and (dialect := transcripts.spoken(path)).http is None:
                await speak(here, EntryPoint(dialect, script.options, here.server.house_rules), script)
                looked_for |= halves(secrets)
        await ended(here)
        del script, secrets
        assert list(remembered(looked_for)) == []


async def ended(here: Hall) -> None:
    """Wait until all connections are gone: a password is looked at in a thread, for which no clock of a test waits."""
    await trio.sleep(1.0)
    for _ in range(PATIENCE):
        if not here.server.connections:
            return
        await trio.to_thread.run_sync(time.sleep, 0.01)
    raise AssertionError(here.server.connections)


async def speak(here: Hall, entry: EntryPoint, script: transcripts.Script) -> None:
    """A client says what is said in a transcript, and hangs up."""
    guest = here.dial(listener=entry)
    for step in script.steps():
        with contextlib.suppress(trio.BrokenResourceError):
            await guest.stream.send_all(step.wire or b"")
        await trio.sleep(0.1)
    await guest.stream.aclose()
