"""PostgreSQL over TLS: who the database's URL says it must be, it is, or nothing is said to it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import make_url

from tests import peers
from tests.certificates import Authority
from tests.cli.playing import run
from tests.postgresql import Cluster, cluster, run_outside
from tests.store.conftest import connected

pytestmark = peers.needed


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that has certified the database."""
    return Authority(tmp_path_factory.mktemp("club"))


@pytest.fixture(scope="module")
def postgres(club: Authority) -> Iterator[Cluster]:
    """A server that speaks TLS, certified for the name localhost."""
    club.issues("localhost")
    with cluster() as running:
        for file, name in ((club.cert, "server.crt"), (club.key, "server.key")):
            placed = Path(shutil.copy(file, running.data / name))
            placed.chmod(0o600)
            shutil.chown(placed, running.data.owner())
        run_outside(running.url(), "ALTER SYSTEM SET ssl = on")
        running.stop()
        running.start()
        yield running


def verified(url: str, authority: Authority, host: str = "localhost") -> str:
    """The same database, if it is who it should be."""
    words = {"sslmode": "verify-full", "sslrootcert": str(authority.file)}
    return make_url(url).set(host=host).update_query_dict(words).render_as_string(hide_password=False)


def migrate(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    """``boardgate migrate``, its password in a file."""
    secret = folder / "password"
    secret.write_text(make_url(url).password or "")
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE", make_url(url)._replace(password=None).render_as_string())
    monkeypatch.setenv("BOARDGATE_SERVER_DATABASE_PASSWORD_FILE", str(secret))
    return run("migrate", data=folder)


def test_a_database_that_the_authority_has_certified_is_talked_to_in_secret(
    postgres: Cluster, club: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = verified(postgres.create("certified"), club)
    done = migrate(url, tmp_path, monkeypatch)
    assert done.exit_code == 0, done.output
    with connected(url) as connection:
        used = connection.exec_driver_sql("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").scalar()
    assert used is True


def test_a_database_that_another_authority_has_certified_is_not_talked_to(
    postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = migrate(verified(postgres.url(), Authority(tmp_path / "another")), tmp_path, monkeypatch)
    assert done.exit_code == 1
    assert "certificate verify failed" in done.output
    assert "Traceback" not in done.output


def test_a_database_under_a_name_it_is_not_certified_for_is_not_talked_to(
    postgres: Cluster, club: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = migrate(verified(postgres.url(), club, host="127.0.0.1"), tmp_path, monkeypatch)
    assert done.exit_code == 1
    assert 'does not match host name "127.0.0.1"' in done.output
