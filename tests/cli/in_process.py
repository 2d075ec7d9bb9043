"""Runs what ``boardgate serve`` runs inside the test's process, so that a test can look at the parts it is made of.

House bots think nothing, and the collector is left as it is.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import pytest
import trio

from gateway.accounts.tokens import AdminToken
from gateway.bots.analyst import Analyst
from gateway.bots.players import HousePlayers
from gateway.cli import serve
from gateway.cli.listening import Listening
from gateway.cli.logs import start_logging
from gateway.cli.options import Written
from gateway.config import Config
from gateway.ops.server import GameServer
from gateway.push.by_mail import ByMail
from gateway.push.by_push import ByPush
from gateway.push.by_webhook import ByWebhook
from gateway.web.forwarded import ProxyLimiter
from tests.hall import FirstMove
from tests.running import RECORD, made_record

T = TypeVar("T")

PATIENCE_S: Final = 30.0

LISTEN: Final = """
[[listen]]
dialect = "bogaprot"
address = "127.0.0.1:0"
[[listen]]
dialect = "bogaprot"
address = "127.0.0.1:0"
[listen.options]
bot_after = "77s"
[[listen]]
dialect = "http"
address = "127.0.0.1:0"
[[listen]]
dialect = "http"
address = "127.0.0.1:0"
[listen.options]
proxy = "yes"
[[listen]]
dialect = "relay"
address = "127.0.0.1:0"
"""

BASE: Final[Mapping[str, Mapping[str, object]]] = {
    "server": {"public_host": "games.example.org"},
    "limits": {"connections": 40, "connections_per_address": 8},
    "mail": {"host": "localhost", "security": "none", "sender": "board@example.org"},
}

Given = Mapping[str, object]
"""Settings by name, as "seats.grace", each as its file has it."""


class Idle(FirstMove):
    """House bots whom nobody asks."""

    async def tend(self) -> None:
        await trio.sleep_forever()

    def pids(self) -> Sequence[int]:
        return ()


@dataclass(slots=True)
class InProcess:
    """A server that runs here, its token and its listeners, and where its settings are written."""

    server: GameServer
    token: AdminToken
    opened: Listening
    source: Written

    def part(self, kind: type[T]) -> T:
        """Its part of this kind that takes settings over."""
        (found,) = self.all(kind)
        return found

    def all(self, kind: type[T]) -> list[T]:
        return [part for part in self.server._parts if isinstance(part, kind)]

    def write(self, given: Given) -> Config:
        """Write the file anew; the settings that it means now."""
        assert self.source.file is not None
        self.source.file.write_text(written(given), encoding="utf-8")
        return self.source.load()

    async def hang_up(self, until: Config) -> None:
        """Send SIGHUP, and wait until the server has these settings."""
        os.kill(os.getpid(), signal.SIGHUP)
        with trio.fail_after(PATIENCE_S):
            while self.server.config != until:  # noqa: ASYNC110  # the server sets no event for it
                await trio.sleep(0.002)


def written(given: Given) -> str:
    """A file with the usual listeners and these settings."""
    tree = {section: dict(part) for section, part in BASE.items()}
    for name, value in given.items():
        section, _, key = name.partition(".")
        tree.setdefault(section, {})[key] = value
    lines = [f"[{section}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in part.items())
             for section, part in tree.items()]  # fmt: skip
    return "\n".join(lines) + LISTEN


@contextmanager
def thoughtless() -> Iterator[list[GameServer]]:
    """``serve`` without engines, processes and a collector that is frozen; the servers that it makes."""
    made: list[GameServer] = []

    @asynccontextmanager
    async def idle(*_: Any) -> AsyncIterator[Idle]:
        yield Idle()

    @asynccontextmanager
    async def nobody(*_: Any) -> AsyncIterator[None]:
        yield None

    def noted(*given: Any) -> GameServer:
        made.append(GameServer(*given))
        return made[-1]

    quiet = SimpleNamespace(collect=int, freeze=int, set_threshold=lambda *_: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "gc", quiet)
        patch.setattr(serve, "GameServer", noted)
        patch.setattr(HousePlayers, "open", idle)
        patch.setattr(Analyst, "open", nobody)
        yield made


def prepared(folder: Path, given: Given) -> Written:
    """A folder for a server, with a record and the file of its settings."""
    folder.mkdir(exist_ok=True)
    file = folder / "boardgate.toml"
    file.write_text(written(given), encoding="utf-8")
    if not (folder / RECORD).exists():
        made_record(folder / RECORD)
    return Written(file, str(folder))


@asynccontextmanager
async def serving(folder: Path, given: Given = {}) -> AsyncIterator[InProcess]:  # noqa: B006  # nobody changes it
    """Serve with these settings as long as the block."""
    source = prepared(folder, given)
    config = source.load()
    token, opened = AdminToken(config.registration), Listening(config)
    for listen in config.listen:
        opened.open(listen)
    start_logging(config.log.level, config.log.format)
    with thoughtless() as made:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve._serve, config, token, source, opened)
            with trio.fail_after(PATIENCE_S):
                while not (made and made[0].running and complete(made[0])):  # noqa: ASYNC110  # no event says so
                    await trio.sleep(0.005)
            try:
                yield InProcess(made[0], token, opened, source)
            finally:
                nursery.cancel_scope.cancel()
    with suppress(OSError):
        opened.close()


def complete(server: GameServer) -> bool:
    """True when the parts that are made in tasks of their own are there."""
    return {ByMail, ByPush, ByWebhook, ProxyLimiter} <= {type(part) for part in server._parts}
