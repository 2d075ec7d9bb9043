"""Dumps a PostgreSQL database into a file, and looks at such files, by PostgreSQL's own programs.

They find the database by a service file that their user alone may read, and the password in their environment: every
user of the machine can see a command line. Source: PostgreSQL's manual, "The Connection Service File", pg_dump(1),
pg_restore(1).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from sqlalchemy import make_url, text

from gateway.store.engine import reader_engine
from gateway.store.sqlite_copies import MIB, Progress, kept
from protocols.core.errors import BoardgateError

BEGINS: Final = b"PGDMP"
"""The first bytes of a dump in the custom format."""

SERVICE: Final = "boardgate"

HELD: Final = frozenset({"alembic_version", "tables", "seats", "events"})
"""Tables that every database of Boardgate has, by the first schema."""

LOCK_S: Final = 60
"""Seconds that a dump waits for a migration, before it gives up."""

TOLD_S: Final = 0.2
"""Seconds between two words about the progress."""

VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")


class CannotDump(BoardgateError):
    """A program of PostgreSQL is missing, too old, or has failed; the text says which, and why."""


class NoBackup(BoardgateError):
    """A file is no backup of Boardgate that can be read, or not a whole one."""


def dump(url: str, target: Path, progress: Progress) -> int:
    """Dump the database to ``target`` and read the dump through; its size in bytes.

    Nobody but its owner may read it. After any error there is no ``target``. CannotDump, NoBackup, OSError,
    SQLAlchemyError.
    """
    part = target.with_name(f"{target.name}.part")
    with programs(url) as found:
        part.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                found.dump(file, progress)
            found.read_through(part, progress)
            kept(part)
            part.replace(target)
            kept(target.parent)
        finally:
            part.unlink(missing_ok=True)
    return target.stat().st_size


class Programs:
    """PostgreSQL's programs, for the database of one server."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def dump(self, file: BinaryIO, progress: Progress) -> None:
        """Write a dump to ``file``. CannotDump."""
        command = ["pg_dump", "--format=custom", f"--lock-wait-timeout={LOCK_S}s", f"--dbname=service={SERVICE}"]
        self._run(command, progress, lambda: f"{os.fstat(file.fileno()).st_size // MIB:,} MiB dumped", file)

    def read_through(self, file: Path, progress: Progress) -> None:
        """NoBackup: ``file`` cannot be read to its end."""
        self._look(["pg_restore", "--file=/dev/null"], file, progress)

    def revision(self, file: Path, progress: Progress) -> str:
        """The schema of the database in a dump that can be read. NoBackup: it is another program's."""
        listed = self._look(["pg_restore", "--list"], file, progress)
        tables = set(re.findall(r" TABLE DATA \S+ (\S+) ", listed))
        if not tables >= HELD:
            raise NoBackup(f"{file} is no backup of Boardgate")
        rows = self._look(["pg_restore", "--data-only", "--table=alembic_version", "--file=-"], file, progress)
        lines = rows.splitlines()
        begun = next((number for number, line in enumerate(lines) if line.startswith("COPY ")), len(lines))
        if begun + 1 >= len(lines) or lines[begun + 1] == r"\.":
            raise NoBackup(f"{file} is of a database of Boardgate that was empty")
        return lines[begun + 1]

    def load(self, file: Path, database: str, progress: Progress) -> None:
        """Load a dump into the empty ``database`` of the same server; all of it or nothing. CannotDump."""
        into = f"--dbname=service={SERVICE} dbname={_quoted(database)}"
        command = ["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", into, str(file)]
        self._run(command, progress, lambda: "dump loaded")

    def require(self, program: str, server: int) -> None:
        """CannotDump: the program is not here, or older than version ``server``."""
        if shutil.which(program) is None:
            raise CannotDump(f"{program} is not installed here; Debian has it in postgresql-client-{server}")
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        version = VERSION.search(said)
        if version is None or int(version[1]) < server:
            here = version[1] if version is not None else "an unknown version"
            raise CannotDump(
                f"{program} here is of PostgreSQL {here}, and the server is of {server}: install"
                f" postgresql-client-{server}"
            )

    def _look(self, command: list[str], file: Path, progress: Progress) -> str:
        """The output of a program about a dump. NoBackup: it cannot read it."""
        with tempfile.TemporaryFile() as said:
            try:
                self._run([*command, str(file)], progress, lambda: "dump checked", said)
            except CannotDump as error:
                raise NoBackup(f"{file} is no backup that can be read: {error}") from error
            said.seek(0)
            return said.read().decode(errors="replace")

    def _run(
        self, command: list[str], progress: Progress, what: Callable[[], str], output: BinaryIO | None = None
    ) -> None:
        with tempfile.TemporaryFile() as said:
            stdout = subprocess.DEVNULL if output is None else output
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=said, env=self._environment
            )
            try:
                while not _over(process):
                    progress(what(), 0, 0)
            finally:
                process.kill()
                process.wait()
            said.seek(0)
            if process.returncode:
                raise CannotDump(_first_error(said.read().decode(errors="replace"), command[0]))


@contextmanager
def programs(url: str) -> Iterator[Programs]:
    """The programs, tried: CannotDump. SQLAlchemyError where the server does not answer."""
    server = _server(url)
    words = make_url(url).get_dialect()().create_connect_args(make_url(url))[1]
    environment = dict(os.environ)
    if password := words.pop("password", None):
        environment["PGPASSWORD"] = password
    with tempfile.TemporaryDirectory(prefix="boardgate-") as folder:
        service = Path(folder) / "service"
        lines = [f"[{SERVICE}]", *(f"{name}={value}" for name, value in words.items())]
        service.write_text("\n".join([*lines, ""]), encoding="utf-8")
        found = Programs(environment | {"PGSERVICEFILE": str(service)})
        for program in ("pg_dump", "pg_restore"):
            found.require(program, server)
        yield found


def _over(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended within TOLD_S."""
    try:
        process.wait(TOLD_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _server(url: str) -> int:
    """The major version of a PostgreSQL server."""
    engine = reader_engine(url)
    try:
        with engine.connect() as connection:
            return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000
    finally:
        engine.dispose()


def _quoted(word: str) -> str:
    """A word of libpq's connection strings."""
    escaped = word.replace("\\", r"\\").replace("'", r"\'")
    return f"'{escaped}'"


def _first_error(said: str, program: str) -> str:
    lines = said.strip().splitlines() or [f"{program} has failed"]
    return next((line for line in lines if "error:" in line), lines[0])
