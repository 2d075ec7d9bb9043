"""Starting, stopping, restarting and reloading as the handbook says, and what becomes of games."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.certificates import Authority
from tests.conformance.spec_client import PATIENCE_S, Closed, SpecClient
from tests.deploy.guests import BOGAPROT, Couple, Opponent
from tests.deploy.systemd.handbook import (
    BACKUP,
    CHOICES,
    COMMANDS,
    DRAIN,
    ENABLE,
    EXPORT,
    GROUP,
    MAKE_GROUP,
    PASSWORD,
    RENEW,
    RESTORE,
)
from tests.deploy.systemd.service import KILLING, SETTINGS, Service
from tests.postgresql import cluster

OF_A_GROUP, OF_ROOT = 5701, 5702
LISTENERS = f"""
[[listen]]
dialect = "bogaprot"
address = "127.0.0.1:{OF_A_GROUP}"
[listen.options]
tls_cert = "/etc/boardgate/tls/fullchain.pem"
tls_key = "/etc/boardgate/tls/privkey.pem"

[[listen]]
dialect = "bogaprot"
address = "127.0.0.1:{OF_ROOT}"
[listen.options]
tls_cert = "/run/credentials/boardgate.service/fullchain.pem"
tls_key = "/run/credentials/boardgate.service/privkey.pem"
"""
LINEAGE = "root/lineage"
LOADED = "\n".join(f"LoadCredential={name}:/{LINEAGE}/{name}" for name in ("fullchain.pem", "privkey.pem"))


def test_it_is_started_when_players_can_come_and_whenever_the_machine_is(service: Service) -> None:
    """ "`systemctl start boardgate` returns when players can come" """
    assert ENABLE.endswith("systemctl enable --now boardgate")
    service.types("systemctl stop boardgate\nsystemctl start boardgate")
    assert service.asks("/readyz") == '{"status":"ready"}'
    assert service.types("systemctl is-enabled boardgate") == "enabled\n"
    log = service.journal()
    assert "listening bogaprot 0.0.0.0:5700\n" in log
    assert " level=info event=ready " in log


def test_games_go_on_after_a_restart_a_crash_and_a_power_cut(service: Service) -> None:
    couple = Couple(service.network, "Ann", "Ben")
    table = max(service.tables())
    couple.play(8)
    service.types("systemctl restart boardgate")
    couple.come_back()
    couple.play(8)
    crashed = service.main
    service.types(f"kill -KILL {crashed}")
    service.wait_until_up(but_not=crashed)
    couple.come_back()
    couple.play(8)
    service.power_cut()
    couple.come_back()
    couple.finish()
    assert "the record is whole" in service.boardgate(f"verify {table}")


def test_it_stops_cleanly_while_an_engine_thinks(service: Service) -> None:
    """ "players are told, everything told is stored; exit status 0". Root may look at the games then."""
    player = Opponent(service.network, "chess", "Eve")
    player.moves(52, 36)
    service.types("systemctl stop boardgate")
    with pytest.raises(Closed):
        player.client.until("MSG_GAMEOVER")
    assert service.shows("ActiveState", "Result", "ExecMainCode", "ExecMainStatus") == ["inactive", "success", "1", "0"]
    log = service.journal()
    assert log.index("event=stopping signal=SIGTERM") < log.index("event=stopped")
    assert "was lost" not in log
    assert "the server can start" in service.types(COMMANDS)
    service.types("systemctl start boardgate")
    player.client.close()


def test_wrong_settings_are_said_at_once_and_righted_ones_are_found(service: Service) -> None:
    """ "fails where they cannot: `journalctl -u boardgate` says why. Then it is tried again every second" """
    file = service.root / SETTINGS
    right = file.read_text()
    file.write_text(f"nonsense = 1\n{right}")
    service.types("! systemctl restart boardgate")
    assert "there is no setting nonsense" in service.journal()
    file.write_text(right)
    service.wait_until_up()


def test_draining_lets_games_go_on_and_nobody_new_in(service: Service) -> None:
    couple = Couple(service.network, "Dan", "Dot")
    engines = Opponent(service.network, "chess", "Dix")
    service.types(DRAIN)
    service.wait_until_logged("event=draining ")
    with service.network():
        newcomer = SpecClient(BOGAPROT)
    assert newcomer.handshake("tic_tac_toe?name=Neu")[1] != 0
    couple.play(4)
    engines.moves(52, 36)
    engines.is_answered()
    assert "was lost" not in service.journal()
    couple.leave()
    service.types("systemctl restart boardgate")


def test_certificates_of_a_group_are_read_anew_and_those_of_root_at_a_restart(service: Service, tmp_path: Path) -> None:
    club = Authority(tmp_path)
    renew = f"RENEWED_LINEAGE=/{LINEAGE}\n{RENEW}"
    issue(service, club)
    service.types(f"{MAKE_GROUP}\n{renew}")
    with service.chosen(unit=f"{GROUP}\n{LOADED}\n{KILLING}", settings=LISTENERS):
        couple = Couple(service.network, "Tea", "Ted")
        first = shown(service, club, OF_A_GROUP)
        assert shown(service, club, OF_ROOT) == first
        issue(service, club)
        service.types(renew)
        service.wait_until_logged("event=reloaded certificates=2 refused=0")
        second = shown(service, club, OF_A_GROUP)
        assert (second != first, shown(service, club, OF_ROOT)) == (True, first)
        couple.play(4)
        service.types("systemctl restart boardgate")
        assert shown(service, club, OF_ROOT) == second
        couple.leave()


def issue(service: Service, club: Authority) -> None:
    """A certificate for root's eyes, as certbot leaves it."""
    club.issues("localhost")
    folder = service.root / LINEAGE
    folder.mkdir(mode=0o700, exist_ok=True)
    for name, file in (("fullchain.pem", club.cert), ("privkey.pem", club.key)):
        shutil.copy(file, folder / name)
        (folder / name).chmod(0o600)


def shown(service: Service, club: Authority, port: int) -> object:
    """The number of the certificate that a newcomer is shown."""
    with service.network():
        plain = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    with plain, club.trust.wrap_socket(plain, server_hostname="localhost") as secured:
        found = secured.getpeercert()
        assert found
        return found["serialNumber"]


def test_a_backup_is_restored_by_root_after_the_games_are_lost(service: Service) -> None:
    service.types(BACKUP)
    before = service.tables()
    service.types("systemctl stop boardgate\nrm /var/lib/boardgate/*")
    service.types(f"{EXPORT}\n{RESTORE.replace('FILE', '/var/backups/boardgate/*')}")
    assert service.tables() == before


def test_the_password_of_postgresql_is_for_the_service_alone(service: Service) -> None:
    """The lines of the page are those that the unit has as comments."""
    assert PASSWORD.splitlines()[1:] == CHOICES[:2]
    with service.network(), cluster() as database:
        url = make_url(database.create("boardgate"))
        secret = service.root / "etc/boardgate/database-password"
        secret.write_text(f"{url.password}\n")
        secret.chmod(0o600)
        address = f"postgresql+psycopg://{url.username}@{url.host}:{url.port}/{url.database}"
        given = "BOARDGATE_SERVER_DATABASE_PASSWORD_FILE=/etc/boardgate/database-password"
        service.types(f"BOARDGATE_SERVER_DATABASE={address} {given} /opt/boardgate/bin/boardgate migrate")
        with service.chosen(unit="\n".join([*CHOICES[:2], KILLING]), settings=f'[server]\ndatabase = "{address}"\n'):
            couple = Couple(service.network, "Pam", "Pat")
            couple.play(4)
            database.stop()
            service.types("! systemctl restart boardgate")
            database.start()
            service.wait_until_up()
            couple.come_back()
            couple.play(4)
            couple.leave()
