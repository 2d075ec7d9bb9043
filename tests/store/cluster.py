"""A PostgreSQL server for the tests of the record, made for one run and thrown away after it.

It listens on a Unix socket in a folder of its own: no port to be taken, and nobody else can connect. Not here: the
databases in it (conftest.py).
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import peers

BINARIES = "/usr/lib/postgresql/*/bin"
"""Where Debian keeps them: not on the PATH."""

SERVICE_USER = "postgres"
"""PostgreSQL does not run as root: where the tests do, it runs as the user its package has made."""

SETTINGS = "-c listen_addresses= -c fsync=off -c max_connections=50"
"""No network; and no wait for the disk, for nothing here outlives the run."""

START_S = 60


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of a database whose user may create others. Skips or fails the test where PostgreSQL is missing."""
    pg_ctl = peers.program("pg_ctl", BINARIES)
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="boardgate-pg-", dir="/tmp"))  # a socket's path has 107 bytes at most
    try:
        shutil.chown(folder, user)
        _run(user, pg_ctl.with_name("initdb"), "-D", folder / "data", "-U", "tests", "-A", "trust", "-E", "UTF8", "-N")
        log, options = folder / "log", f"{SETTINGS} -k {folder}"
        _run(user, pg_ctl, "-D", folder / "data", "-l", log, "-o", options, "-w", "-t", START_S, "start")
        try:
            yield f"postgresql+psycopg://tests@/postgres?host={folder}"
        finally:
            _run(user, pg_ctl, "-D", folder / "data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _user() -> str:
    """Whom PostgreSQL runs as."""
    try:
        user = pwd.getpwnam(SERVICE_USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError:
        peers.missing(f"PostgreSQL runs as a named user and not as root; there is no {SERVICE_USER}")
    return user.pw_name


def _run(user: str, *command: object) -> None:
    """Run to the end as ``user``; what it said is shown if it fails."""
    words = [str(word) for word in command]
    as_user = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/tmp", **as_user)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout}"
