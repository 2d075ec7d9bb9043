"""A PostgreSQL server of one's own, in a temporary folder and thrown away afterwards, to measure with.

Needs PostgreSQL's programs installed. Tests take it from tests/postgresql.py.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, create_engine, make_url

from bench.free_port import free_port

BINARIES: Final = "usr/lib/postgresql/*/bin/pg_ctl"
"""Debian's folder for them, which is not on the PATH."""

SERVICE_USER: Final = "postgres"
"""PostgreSQL does not run as root: where root starts it, it runs as the user its package has made."""

START_S: Final = 60
"""Seconds it gets to start, or to stop: a recovery after a crash of a loaded machine takes some."""


class NotInstalled(Exception):
    """PostgreSQL cannot be run here; says why in a sentence."""


class Cluster:
    """One server, its own ``folder``; ``settings`` are lines of postgresql.conf. Listens on ``port`` of 127.0.0.1."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = ()) -> None:
        """Made and started. NotInstalled."""
        self._pg_ctl = pg_ctl()
        self._user = _user()
        self._folder = folder
        self._password = secrets.token_urlsafe(16)
        self.port = free_port()
        shutil.chown(folder, self._user)
        words = folder / "password"
        words.write_text(self._password)
        shutil.chown(words, self._user)
        words.chmod(0o600)
        initdb = self._pg_ctl.with_name("initdb")
        self._run(initdb, "-D", self.data, "-U", "boardgate", "-A", "scram-sha-256", f"--pwfile={words}", "-E", "UTF8")
        lines = (f"port = {self.port}", "listen_addresses = '127.0.0.1'", f"unix_socket_directories = '{folder}'")
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.writelines(f"{line}\n" for line in (*lines, *settings))
        self.start()

    @property
    def data(self) -> Path:
        """The folder of its databases."""
        return self._folder / "data"

    @property
    def pid(self) -> int:
        """The postmaster's process id."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    @property
    def running(self) -> bool:
        """True if there is a postmaster; it may still be starting, or stopping."""
        return (self.data / "postmaster.pid").exists()

    def start(self) -> None:
        """Start it; returns when it takes connections. OSError where it cannot."""
        self._run(self._pg_ctl, "-D", self.data, "-l", self._folder / "log", "-w", "-t", START_S, "start")

    def stop(self, mode: str = "fast") -> None:
        """End its connections and stop it; ``mode`` "immediate" is as if it had crashed."""
        self._run(self._pg_ctl, "-D", self.data, "-m", mode, "-w", "-t", START_S, "stop")

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """The URL of one of its databases, through another ``port`` where that is given."""
        made = URL.create("postgresql+psycopg", "boardgate", self._password, "127.0.0.1", port or self.port, database)
        return made.render_as_string(hide_password=False)

    def create(self, database: str) -> str:
        """A new, empty database; its URL."""
        run_outside(self.url(), f"CREATE DATABASE {database}")
        return self.url(database)

    def _run(self, *command: object) -> None:
        """Run to the end as the cluster's user. OSError shows what it said if it fails."""
        words = [str(word) for word in command]
        done = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/", **_as_user(self._user)
        )
        if done.returncode:
            raise OSError(f"{' '.join(words)}:\n{done.stdout}")


@contextmanager
def cluster(*settings: str) -> Iterator[Cluster]:
    """A running server, stopped and removed afterwards. NotInstalled where there is none."""
    folder = Path(tempfile.mkdtemp(prefix="boardgate-pg-", dir="/tmp"))  # a socket's path has 107 bytes at most
    try:
        with cluster_in(folder, *settings) as made:
            yield made
    finally:
        shutil.rmtree(folder)


@contextmanager
def cluster_in(folder: Path, *settings: str) -> Iterator[Cluster]:
    """The same in a folder of the caller's, who removes it; it must be one that PostgreSQL's user can come to."""
    made = Cluster(folder, settings)
    try:
        yield made
    finally:
        if made.running:
            made.stop("immediate")


def run_outside(url: str, statement: str) -> None:
    """Run a statement that no transaction may hold, such as CREATE DATABASE."""
    engine = create_engine(make_url(url), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
    finally:
        engine.dispose()


def pg_ctl() -> Path:
    """PostgreSQL's own program that starts it, the newest there is. NotInstalled."""
    found = sorted(Path("/").glob(BINARIES), key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))])
    if found:
        return found[-1]
    on_path = shutil.which("pg_ctl")
    if on_path is None:
        raise NotInstalled("PostgreSQL's server is not installed here")
    return Path(on_path).resolve()


def _user() -> str:
    try:
        user = pwd.getpwnam(SERVICE_USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError:
        raise NotInstalled(f"PostgreSQL runs as a named user and not as root; there is no {SERVICE_USER}") from None
    return user.pw_name


def _as_user(user: str) -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
