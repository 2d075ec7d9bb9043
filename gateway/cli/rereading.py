"""Settings that are read anew while a server runs: wholly checked first, taken over as far as that is safe, and logged.

one wrong line       nothing changes; the log says what is wrong and where
live settings        take effect, and are named in one line
all other settings   stay as they are until the next start, and are named in another
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import structlog
import trio

from gateway.accounts.registering import pages_of
from gateway.accounts.tokens import AdminToken
from gateway.bots.engines import engines
from gateway.cli.options import Written
from gateway.config import Config, Rereads, reread
from gateway.net.proxy_reader import TrustedProxies
from gateway.net.tls import of_proxy
from gateway.openid.provider import provider_of
from gateway.ops.word_file import WordFile
from gateway.push.smtp import mail_server
from gateway.push.to_host import ways_to_host
from gateway.relay.passing import read_gate
from gateway.relay.ports import read_range
from protocols.core.errors import BoardgateError

PAUSE_S: Final = 0.1
"""Seconds from one reading to the next: who sends a signal every millisecond keeps no server from its games."""

_log = structlog.get_logger()


def try_settings(config: Config) -> None:
    """BadSetting: a setting that is looked at late says what nobody understands. Nothing is created or changed."""
    if config.bots.workers:
        engines(config.bot)
    TrustedProxies(config.server.trusted_proxies)
    of_proxy(config.server.proxy_certificate)
    read_range(config.relay.ports)
    if config.cluster.relay:
        read_gate(config.cluster.relay)
    mail_server(config)
    provider_of(config, pages_of(config))
    ways_to_host(config)
    WordFile(config)


class RunningSettings:
    """The settings that a server runs with. ``parts`` hold some of them, and take new ones over."""

    def __init__(self, config: Config, parts: Sequence[Rereads]) -> None:
        self._config = config
        self._parts = parts

    def take(self, newer: Config) -> None:
        """Go on with the live settings of ``newer``, which are checked; the log says which of them differ."""
        found = reread(self._config, newer)
        self._config = found.config
        for part in self._parts:
            part.reread(found.config)
        if found.waiting:
            _log.warning("settings need a restart", settings=", ".join(found.waiting))
        _log.info("settings reread", changed=", ".join(found.changed) or "none")


class Rereading:
    """Reads anew what was ``written`` for a server, and has ``take`` go on with it. A file that was read is missed."""

    def __init__(self, written: Written, take: Callable[[Config], None]) -> None:
        self._written = written.settled()
        self._take = take
        self._asked = trio.Event()

    def ask(self) -> None:
        """Have them read soon: once, however often that is asked for until then."""
        self._asked.set()

    async def run(self) -> None:
        """Read whenever that is asked for, until cancelled."""
        while True:
            await self._asked.wait()
            self._asked = trio.Event()
            await self._read()
            await trio.sleep(PAUSE_S)

    async def _read(self) -> None:
        """Read, check, and take over. What is wrong goes to the log, and nothing is taken over then."""
        try:
            newer = await trio.to_thread.run_sync(self._checked, abandon_on_cancel=True)
        except (BoardgateError, OSError) as error:
            _log.error("settings not reread", error=str(error))
        else:
            self._take(newer)

    def _checked(self) -> Config:
        self._written = self._written.settled()
        found = self._written.load()
        try_settings(found)
        AdminToken(found.registration)
        return found
