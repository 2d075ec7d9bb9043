"""``boardgate serve --check``: tries everything a start needs, says in words what it found, and starts nothing.

Listeners are opened and closed again; the database is looked at, not upgraded; nothing is created. Wrong settings are
refused while they are read, by every command.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

import click
import trio
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from gateway import registry
from gateway.accounts.registering import pages_of
from gateway.accounts.tokens import AdminToken
from gateway.bots.engines import engines
from gateway.cli.bus import call_bus, is_database
from gateway.cli.group import explain
from gateway.cli.listening import Listening
from gateway.cli.workers import check_workers, listeners_of
from gateway.config import BadSetting, Config, Listen
from gateway.config.model import DATA_PREFIX
from gateway.net.asking import NoAnswer
from gateway.net.proxy_reader import PROXY_PROTOCOL, TrustedProxies
from gateway.net.socket_channel import of_one_server, worker_name
from gateway.net.sockets import AddressInUse
from gateway.net.tls import SOON_DAYS, of_proxy
from gateway.openid.provider import provider_of
from gateway.ops.disk import disk_folder, lack
from gateway.ops.word_file import WordFile
from gateway.push.smtp import NotNow, mail_server
from gateway.push.to_host import ways_to_host
from gateway.relay.listen import RELAY
from gateway.relay.passing import read_gate
from gateway.relay.ports import read_range
from gateway.store.engine import REACH, SESSIONS, database_path, is_sqlite
from gateway.store.nodes import SqlNodes
from migrations import HEAD, TooNew, can_use, revision, why_not

HOOK_S: Final = 5.0
"""Seconds that the host's webhook may take to be connected to."""

DAY_S: Final = 86_400

SPARE_FILES: Final = 100
"""File descriptors beside those of connections: the database, listeners, pipes to bots, logs."""


class Verdict(Enum):
    """A finding's weight: fine, worth knowing, or keeps the server from starting or being reached."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


class Finding(NamedTuple):
    """The result of one check, in words."""

    verdict: Verdict
    words: str

    def line(self) -> str:
        return f"{self.verdict.value:<6} {self.words}"


def check(config: Config) -> None:
    """Print every finding. click.exceptions.Exit with status 1 when anything is wrong."""
    wrong = 0
    for finding in findings(config):
        click.echo(finding.line())
        wrong += finding.verdict is Verdict.WRONG
    if wrong:
        click.echo(f"the server cannot run like this: {wrong} thing{'s' if wrong > 1 else ''} to mend")
        raise click.exceptions.Exit(1)
    click.echo("the server can start")


def findings(config: Config) -> Iterator[Finding]:
    """One after the other, in the order of a start."""
    yield from _tried(f"tables are registered by {config.registration.who}", lambda: AdminToken(config.registration))
    for line in registry.left_out():
        yield Finding(Verdict.WRONG if config.server.broken_plugins == "stop" else Verdict.NOTE, line)
    yield from _directory(config)
    yield from _disk(config)
    if config.server.workers > 1:
        yield from _tried(f"{config.server.workers} workers", lambda: check_workers(config))
    running = _running(config.database_url)
    yield from _database(config)
    if not (is_database(config.cluster.bus) or is_sqlite(config.database_url)):
        yield from _tried("the NATS server", lambda: call_bus(config))
    if running:
        yield from _others(config, running)
    if any(listen.dialect == RELAY for listen in config.listen):
        yield from _tried("the relay's ports", lambda: read_range(config.relay.ports))
        if config.cluster.relay:
            yield from _tried("the relay's port for other servers", lambda: read_gate(config.cluster.relay))
    yield from _mail(config)
    yield from _provider(config)
    yield from _reports(config)
    if config.server.words_file:
        yield from _tried(f"words of {config.server.words_file}", lambda: WordFile(config))
    yield from _proxies(config)
    yield from _listeners(config, running=bool(running) and _is_this_one(config))
    yield from _house_bots(config)
    yield from _files(config)


def _tried(what: str, attempt: Callable[[], object]) -> Iterator[Finding]:
    try:
        attempt()
    except BadSetting as error:
        yield Finding(Verdict.WRONG, str(error))
    else:
        yield Finding(Verdict.OK, what)


def _directory(config: Config) -> Iterator[Finding]:
    """The data directory, where the database or wire logs go: it is there and can be written, or can be made."""
    folder = Path(config.server.data).absolute()
    made = folder
    while not made.exists():
        made = made.parent
    if not made.is_dir():
        yield Finding(Verdict.WRONG, f"data directory {folder}: {made} is no directory")
    elif not os.access(made, os.W_OK | os.X_OK):
        kind = Verdict.WRONG if config.server.database.startswith(DATA_PREFIX) else Verdict.NOTE
        yield Finding(kind, f"data directory {folder}: this user may not write to {made}")
    else:
        yield Finding(Verdict.OK, f"data directory {folder}{'' if made == folder else ', which will be created'}")


def _disk(config: Config) -> Iterator[Finding]:
    try:
        folder = disk_folder(config)
        wrong = lack(folder, config.record.least_free)
    except (ArgumentError, ValueError, OSError) as error:
        yield Finding(Verdict.NOTE, f"the disk cannot be looked at: {error}")
        return
    yield Finding(Verdict.WRONG, f"{wrong} (record.least_free)") if wrong else Finding(Verdict.OK, f"disk of {folder}")


def _database(config: Config) -> Iterator[Finding]:
    """Reachable, and of this version or such that it can be brought there."""
    url = config.database_url
    try:
        shown = f"database {make_url(url).render_as_string(hide_password=True)}"
        found = revision(url)
    except (SQLAlchemyError, ArgumentError, ModuleNotFoundError, OSError, ValueError) as error:
        yield Finding(Verdict.WRONG, (explain(error) or f"database: {error}") + f" ({_shown_url(url)})")
        return
    if found == HEAD:
        yield Finding(Verdict.OK, f"{shown}, schema {HEAD}")
    elif found is not None and can_use(found):
        yield Finding(Verdict.OK, f"{shown}, schema {found}: newer than {HEAD}, and this version can use it")
    elif is_sqlite(url) and not isinstance(why_not(url, found), TooNew):
        yield _embedded(config, shown, found)
    else:
        yield Finding(Verdict.WRONG, str(why_not(url, found)))


def _embedded(config: Config, shown: str, found: str | None) -> Finding:
    """A file that ``serve`` creates or upgrades by itself, if it may."""
    file = Path(database_path(config.database_url)).absolute()
    if file.exists():
        can, coming = os.access(file, os.W_OK), f"schema {found or 'none'}, which serve upgrades to {HEAD}"
    elif config.server.database.startswith(DATA_PREFIX):
        can, coming = True, "which serve will create"  # its directory has been looked at
    else:
        can, coming = os.access(file.parent, os.W_OK | os.X_OK), "which serve will create"
    if can:
        return Finding(Verdict.NOTE, f"{shown}, {coming}")
    return Finding(Verdict.WRONG, f"{shown}: this user may not write to {file if file.exists() else file.parent}")


def _shown_url(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "server.database is no URL of a database"


def _running(url: str) -> str:
    """The server that has this database, in words; "" where none has, or it is unknown."""
    try:
        return _file_owner(database_path(url)) if is_sqlite(url) else _sessions(create_engine(url, connect_args=REACH))
    except (SQLAlchemyError, ArgumentError, ModuleNotFoundError, ValueError, OSError):
        return ""  # what is wrong with it is found elsewhere


def _file_owner(database: str) -> str:
    """The lock is looked at where there is one, and not made: another user's would keep the server out."""
    lock = Path(f"{database}.lock")
    if not lock.exists():
        return ""
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return f"process {file.read(20).decode('ascii', 'replace').strip()}"
    return ""


def _sessions(engine: Engine) -> str:
    try:
        with engine.connect() as connection:
            count = connection.execute(SESSIONS).scalar()
    finally:
        engine.dispose()
    return f"{count} sessions of PostgreSQL" if count else ""


def _others(config: Config, running: str) -> Iterator[Finding]:
    """The servers on this database: on PostgreSQL the nodes that this server would join."""
    url = config.database_url
    if is_sqlite(url):
        yield Finding(Verdict.NOTE, f"a server is running on this database ({running}); it has to stop first")
        return
    try:
        with closing(SqlNodes(url)) as nodes:
            living = nodes.living()
    except SQLAlchemyError:  # a schema without nodes: what is wrong with it has been said
        yield Finding(Verdict.NOTE, f"Boardgate is running on this database ({running})")
        return
    mine = config.cluster.node or socket.gethostname()
    for node in living:
        tables = "1 table" if node.tables == 1 else f"{node.tables} tables"
        words = f"node {node.name}, version {node.version}, {node.standing}, {tables}"
        yield Finding(Verdict.NOTE, f"on this database lives {words}")
        if node.name == mine:
            yield Finding(Verdict.NOTE, f"a start ends that node {mine}: cluster.node has to differ for both to live")
    if not living:
        yield Finding(Verdict.NOTE, f"commands of Boardgate use this database, and no server ({running})")


def _is_this_one(config: Config) -> bool:
    """True if the server of these settings runs: its addresses are in use then. Another's are no excuse."""
    if is_sqlite(config.database_url):
        return True
    mine = config.cluster.node or socket.gethostname()
    try:
        with closing(SqlNodes(config.database_url)) as nodes:
            return any(node.name == mine or of_one_server(node.name, worker_name(mine, 1)) for node in nodes.living())
    except SQLAlchemyError:
        return True


def _mail(config: Config) -> Iterator[Finding]:
    """The mail server is called, as far as logging in. A server starts without it, and messages wait."""
    try:
        mail = mail_server(config)
        if mail is not None:
            mail.try_out()
            yield Finding(Verdict.OK, f"mail server {mail.host}:{mail.port}, {mail.security}")
    except BadSetting as error:
        yield Finding(Verdict.WRONG, str(error))
    except NotNow as error:
        yield Finding(Verdict.NOTE, f"no mail can be sent: {error}")


def _provider(config: Config) -> Iterator[Finding]:
    """The OpenID Connect provider is asked for its configuration and keys. A server starts without it."""
    try:
        provider = provider_of(config, pages_of(config))
        if provider is not None:
            trio.run(provider.try_out)
            back = f"browsers come back to {provider.back}, which it has to know"
            yield Finding(Verdict.OK, f"OpenID Connect provider {provider.issuer}: {back}")
    except BadSetting as error:
        yield Finding(Verdict.WRONG, str(error))
    except NoAnswer as error:
        yield Finding(Verdict.NOTE, f"nobody can log in by {config.openid.name}: {error}")


def _reports(config: Config) -> Iterator[Finding]:
    """The host's webhook is called, without a word; the mail server has been looked at."""
    try:
        ways = ways_to_host(config)
    except BadSetting as error:
        if not str(error).startswith("[mail]"):  # that has been said
            yield Finding(Verdict.WRONG, str(error))
        return
    if ways.mail:
        yield Finding(Verdict.OK, f"reports are mailed to {ways.mail}")
    if ways.hook is not None:
        to = ways.hook.address
        try:
            socket.create_connection((to.host, to.port), HOOK_S).close()
        except OSError as error:
            yield Finding(Verdict.NOTE, f"reports wait: {to.origin} cannot be called: {error}")
        else:
            yield Finding(Verdict.OK, f"reports are told to {to.origin}")


def _proxies(config: Config) -> Iterator[Finding]:
    """Said where a listener has proxies, or where the setting is wrong."""
    trusted = config.server.trusted_proxies
    for finding in _tried(f"proxies of {trusted} are believed", lambda: TrustedProxies(trusted)):
        if finding.verdict is not Verdict.OK or any(PROXY_PROTOCOL in listen.options for listen in config.listen):
            yield finding


def _listeners(config: Config, *, running: bool) -> Iterator[Finding]:
    """Each is opened, with its certificate and its dialect's options; all are closed again."""
    opened, mine = Listening(config), set[str]()
    try:
        for listen in listeners_of(config):
            yield _listener(listen, opened, taken=running and listen.address not in mine)
            mine.add(listen.address)
        yield from _of_proxy(config)
        for certificate in opened.certificates():
            yield _certificate(certificate.listener, certificate.ends)
    finally:
        opened.close()


def _listener(listen: Listen, opened: Listening, *, taken: bool) -> Finding:
    """``taken``: that the address is in use is no wonder."""
    try:
        opened.open(listen)
    except AddressInUse as error:
        return Finding(Verdict.NOTE if taken else Verdict.WRONG, f"listener {listen}: {error}")
    except BadSetting as error:
        said = str(error)
        return Finding(Verdict.WRONG, said if said.startswith("listener") else f"listener {listen}: {said}")
    return Finding(Verdict.OK, f"listener {listen}")


def _of_proxy(config: Config) -> Iterator[Finding]:
    try:
        for certificate in of_proxy(config.server.proxy_certificate):
            yield _certificate(certificate.listener, certificate.ends)
    except BadSetting as error:
        yield Finding(Verdict.WRONG, str(error))


def _certificate(listener: str, ends: float) -> Finding:
    day, left_s = datetime.fromtimestamp(ends, UTC).date().isoformat(), ends - time.time()
    if left_s <= 0:
        return Finding(Verdict.WRONG, f"listener {listener}: its certificate ended on {day}; clients will not have it")
    verdict = Verdict.NOTE if left_s < SOON_DAYS * DAY_S else Verdict.OK
    return Finding(verdict, f"listener {listener}: its certificate is good until {day}")


def _house_bots(config: Config) -> Iterator[Finding]:
    if not config.bots.workers:
        yield Finding(Verdict.NOTE, "no house bots: bots.workers is 0")
        return
    try:
        found = engines(config.bot)
    except BadSetting as error:
        yield Finding(Verdict.WRONG, str(error))
        return
    for engine in found:
        yield Finding(Verdict.OK, f"engine for {engine.game}: {engine.command[0]}, called {engine.name}")
    yield Finding(Verdict.OK, f"house bots for every other game, in {config.bots.workers} process(es)")


def _files(config: Config) -> Iterator[Finding]:
    """Each connection is a file descriptor."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = config.limits.connections + SPARE_FILES
    if hard != resource.RLIM_INFINITY and hard < wanted:
        words = f"limits.connections is {config.limits.connections}, and this process may open {hard} files at most"
        yield Finding(Verdict.NOTE, f"{words}: the last ones will be turned away")
