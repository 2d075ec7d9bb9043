"""Each setting that is marked as live is in force after SIGHUP as it would be after a start; every other is named."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import structlog

from gateway.accounts.forgotten import MailedLinks
from gateway.accounts.registering import SelfRegistration
from gateway.config import describe
from gateway.ops.retention import Retention
from gateway.push.by_mail import ByMail
from gateway.push.by_push import ByPush
from gateway.push.by_webhook import ByWebhook
from gateway.relay.relay import Relay
from gateway.sessions.listener import EntryPoint
from gateway.web.cors import AcrossOrigins
from gateway.web.forwarded import ProxyLimiter
from gateway.web.http_sessions import HttpSessions
from gateway.web.pages.lobby import Lobby
from gateway.web.sessions import WebSessions
from protocols.core.model import HouseRules
from tests.cli.in_process import InProcess, serving

TOKEN: Final = "a-token-of-at-least-22-characters"
OTHER: Final = "another-token-of-22-characters"

FILES: Final = {"registration.admin_token_file": OTHER, "server.words_file": "twit\n"}
"""Settings that name a file, and what it has."""

Look = Callable[[InProcess], Any]


class Case(NamedTuple):
    """A new value of a live setting, as a file has it, and a look at what is in force."""

    value: object
    look: Look


def places(take: Callable[[str], bool], release: Callable[[str], None], addresses: Iterable[str]) -> int:
    """The number of connections from these addresses that there is room for."""
    taken = []
    for address in addresses:
        if not take(address):
            break
        taken.append(address)
    for address in taken:
        release(address)
    return len(taken)


def hosts() -> list[str]:
    return [f"10.{number >> 8}.{number & 255}.1" for number in range(4000)]


def connections(here: InProcess) -> tuple[int, int]:
    """The places of players and of pages, and those of proxies."""
    limits, proxied = here.server.connection_limits, here.part(ProxyLimiter)
    return places(limits.take, limits.release, hosts()), places(proxied.take, proxied.release, ["10.0.0.1"] * 4000)


def of_one_address(here: InProcess) -> int:
    limits = here.server.connection_limits
    return places(limits.take, limits.release, ["10.0.0.1"] * 4000)


def rules(here: InProcess) -> list[HouseRules]:
    """The rules of tables, wherever they are opened."""
    server = here.server
    entries = here.all(EntryPoint)
    entries += [sessions._entrance for sessions in here.all(HttpSessions)]
    entries += here.opened.listeners
    assert len(entries) > 4
    own = [server.house_rules, server.offering._rules, server.registrar._house_rules]
    return [*own, *(entry.rules for entry in entries)]


def rule(name: str) -> Look:
    """A rule of all tables. One listener of the two has its own ``bot_after``."""
    return lambda here: {getattr(each, name) for each in rules(here)}


def relay(name: str) -> Look:
    return lambda here: (
        getattr(here.part(Relay).config.relay, name),
        getattr(here.part(Relay)._rooms._limits, name),
    )


def per_hour(kind: type[Any]) -> Look:
    def look(here: InProcess) -> tuple[float, int]:
        bucket = here.part(kind)._told.bucket("somebody", 0.0)
        return bucket._rate * 3600, bucket._burst

    return look


def said(here: InProcess) -> tuple[float, int]:
    """Of a seat that has said something before."""
    bucket = here.server._chat_limits._said.bucket((1, 0), 0.0)
    return bucket._rate, bucket._burst


def to_everybody(here: InProcess) -> tuple[bool, float]:
    found = here.server.everybody
    return found._open, found._said.bucket("10.0.0.1", 0.0)._rate * 60


def limit(name: str) -> Look:
    return lambda here: getattr(here.server.sessions.limits, name)


def deadline(name: str) -> Look:
    return lambda here: getattr(here.server._sweep._limits, name)


def registration(name: str) -> Look:
    return lambda here: getattr(here.server.registrar._config.registration, name)


def host(here: InProcess) -> tuple[bool, bool, bool]:
    """Whether Olga may sign in as the host, gets a link by mail, and may be the name of a new account."""
    return (
        here.part(WebSessions).is_host("olga"),
        "olga" in here.part(MailedLinks)._hosts,
        bool(here.part(SelfRegistration)._hosts),
    )


def log_level(here: InProcess) -> object:
    return structlog.get_config()["wrapper_class"]


def log_form(here: InProcess) -> str:
    return type(structlog.get_config()["processors"][-1]).__name__


CASES: Final[Mapping[str, Case]] = {
    "server.api_origins": Case("https://club.example", lambda here: here.part(AcrossOrigins)._origins),
    "server.words_file": Case("words", lambda here: here.server.words.filter.masked("twit")),
    "server.trusted_proxies": Case("10.0.0.0/8", lambda here: "10.1.2.3" in here.server.proxies._trusted),
    "limits.connections": Case(50, connections),
    "limits.connections_per_address": Case(5, of_one_address),
    "limits.open_tables_per_address": Case(7, lambda here: here.server.joining._limits.open_tables_per_address),
    "limits.left_games_per_address": Case(7, lambda here: here.server.joining._limits.left_games_per_address),
    "limits.tables": Case(9, lambda here: here.server.tables._most),
    "limits.observers": Case(3, lambda here: here.server.tables._shared.observers),
    "limits.messages_per_second": Case(3.5, limit("messages_per_second")),
    "limits.messages_burst": Case(17, limit("messages_burst")),
    "limits.sayings_per_second": Case(2.5, said),
    "limits.sayings_burst": Case(4, said),
    "limits.everybody_per_minute": Case(0, to_everybody),
    "limits.stored_per_minute": Case(8192, lambda here: here.server._storage_limits._stored.bucket("x", 0.0)._burst),
    "limits.unknown_tickets": Case(1, lambda here: here.server.tickets._backoff._free),
    "limits.lobby": Case("7s", deadline("lobby_s")),
    "limits.idle": Case("never", deadline("idle_s")),
    "limits.unread_bytes": Case(5000, limit("unread_bytes")),
    "seats.grace": Case(
        "7s", lambda here: (rule("grace_s")(here), here.server.tables.recovery._until_due_s["playing"])
    ),
    "seats.adjourned": Case(
        "2h", lambda here: (rule("adjourned_s")(here), here.server.tables.recovery._until_due_s["adjourned"])
    ),
    "seats.bot_after": Case("never", lambda here: (rule("bot_after_s")(here), here.part(Lobby)._bot_wait)),
    "seats.round": Case("9s", lambda here: here.server.round_master._round_s),
    "seats.registered": Case(
        "3h", lambda here: (here.server.offering._registered_s, here.server.registrar._config.seats.registered_s)
    ),
    "seats.abandoned": Case("loss", rule("abandoned")),
    "seats.deserted": Case("loss", rule("deserted")),
    "seats.first_move": Case("30s", rule("first_move_s")),
    "seats.observers_speak": Case(True, rule("observers_speak")),
    "registration.who": Case("accounts", registration("who")),
    "registration.accounts": Case(
        "closed", lambda here: (here.part(SelfRegistration).how, here.server.sessions.becoming)
    ),
    "registration.admin_token": Case(TOKEN, lambda here: here.token.fits(TOKEN)),
    "registration.admin_token_file": Case("token", lambda here: here.token.fits(OTHER)),
    "registration.host_accounts": Case("olga", host),
    "registration.tables_per_address": Case(2, registration("tables_per_address")),
    "registration.tables_per_account": Case(3, registration("tables_per_account")),
    "registration.logins_at_once": Case(5, lambda here: here.server.logins._threads.total_tokens),
    "bots.pause": Case("50ms", lambda here: here.server.house_bots._settings.pause_s),
    "bots.level": Case(3, lambda here: (here.server.house_bots._settings.level, here.part(Lobby)._form.levels[0])),
    "relay.rooms": Case(11, relay("rooms")),
    "relay.rooms_per_address": Case(2, relay("rooms_per_address")),
    "relay.expires": Case("2m", relay("expires_s")),
    "relay.grace": Case("3s", relay("grace_s")),
    "relay.idle": Case("never", relay("idle_s")),
    "relay.bytes_per_second": Case(5000, relay("bytes_per_second")),
    "relay.recordings": Case(0, relay("recordings")),
    "relay.recorded_bytes": Case(500, relay("recorded_bytes")),
    "record.delete_after": Case("40d", lambda here: here.part(Retention)._after_s),
    "record.least_free": Case(0, lambda here: here.server.disk._config.record.least_free),
    "metrics.who": Case("anybody", lambda here: here.server.config.metrics.who),
    "notices.contact": Case("mailto:host@example.org", lambda here: here.part(ByPush)._contact),
    "notices.per_hour": Case(2, lambda here: (per_hour(ByPush)(here), per_hour(ByWebhook)(here))),
    "mail.notices_per_hour": Case(1, per_hour(ByMail)),
    "log.level": Case("debug", log_level),
    "log.format": Case("json", log_form),
    "log.slow_move": Case("never", lambda here: here.server.tables.times._slow_s),
    "log.wire": Case(True, lambda here: (here.server._inside._config.log.wire, here.part(Relay).config.log.wire)),
}


def seen(here: InProcess) -> dict[str, Any]:
    """Every live setting as it is in force."""
    return {name: case.look(here) for name, case in CASES.items()}


def filed(folder: Path, given: Mapping[str, object]) -> dict[str, object]:
    """These settings, whose files are in this folder."""
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return {name: str(folder / name) if name in FILES else value for name, value in given.items()}


@asynccontextmanager
async def running(folder: Path, given: Mapping[str, object]) -> AsyncIterator[InProcess]:
    async with serving(folder, filed(folder, given)) as here:
        yield here


def test_there_is_a_case_for_every_setting_that_is_marked() -> None:
    assert {f"{row.section}.{row.key}" for row in describe() if row.live} == set(CASES)


async def test_each_is_in_force_after_a_signal_alone_and_goes_back(tmp_path: Path) -> None:
    async with running(tmp_path, {}) as here:
        at_first, usual = seen(here), here.server.config
        for name, case in CASES.items():
            await here.hang_up(here.write(filed(tmp_path, {name: case.value})))
            now = seen(here)
            touched = {other for other in CASES if now[other] != at_first[other]}
            assert name in touched, name
            await here.hang_up(here.write({}))
            assert seen(here) == at_first, name
        assert here.server.config == usual


@pytest.mark.parametrize("seed", range(3))
async def test_any_changes_end_in_what_a_start_with_the_last_of_them_gives(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    given: dict[str, object] = {}
    async with running(tmp_path / "running", {}) as here:
        for _ in range(6):
            given = {name: CASES[name].value for name in CASES if chance.random() < 0.5}
            await here.hang_up(here.write(filed(tmp_path / "running", given)))
        reread = seen(here)
    async with running(tmp_path / "started", given) as here:
        assert seen(here) == reread
