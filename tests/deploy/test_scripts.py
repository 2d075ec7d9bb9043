"""Scripts of deploy/ where a composition is not as they expect: a gateway is down, an override, a number with a zero.

A command of the tests stands in for docker-compose; the scripts with real containers are in tests/deploy/compose.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Final, TypeAlias

import pytest

DEPLOY: Final = Path(__file__).parents[2] / "deploy"

COMPOSE: Final = """#!/bin/sh
case "$*" in
    *"config --services"*) echo "COMPOSE_FILE=${COMPOSE_FILE:-}" >> told; echo gateway-1 gateway-2 gateway-3 ;;
    *"ps --quiet gateway-1"*) [ ! -e several ] || echo number ;;
    *"exec -T proxy"*) cat > /dev/null ;;
    *"exec -T gateway-1"*) exit 1 ;;
    *"exec -T gateway"*) echo "$3" >> told ;;
esac
"""
"""gateway-1 is down."""

SILENT: Final = """#!/bin/sh
case "$*" in
    *"config --services"*) echo gateway database ;;
    *exec*) exit 1 ;;
esac
"""
"""No container runs, and none starts."""

DATABASE: Final = """#!/bin/sh
case "$*" in
    *"config --services"*) printf 'gateway\\ndatabase\\n' ;;
    *pg_dump*) echo games; [ -z "$KILLED" ] || kill "$PPID" ;;
    *"pg_restore --list"*) cat > /dev/null; [ -n "$OTHERS" ] || echo '1; 0 2 TABLE DATA public alembic_version b' ;;
    *"pg_restore --data-only"*) cat > /dev/null; printf 'COPY public.alembic_version FROM stdin;\\n0024_0010\\n' ;;
    *pg_restore*) cat > /dev/null ;;
    *"run --rm"*) for last in "$@"; do :; done; echo "schema $last" >> told; exit ${SCHEMA:-0} ;;
    *"database df"*) printf 'Filesystem\\n/dev/vda 9 9 %s 9%% /\\n' "${FREE:-1000000}" ;;
    *"gateway boardgate"*) [ -z "$DOWN" ] || exit 1; echo "$*" >> told ;;
    *stop*) echo stopped >> told; [ -n "$KILLED" ] || exit 1; kill "$PPID" ;;
esac
"""
"""A database that takes everything; what is stopped does not stop. A script is killed at its longest step by KILLED."""

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]

DOCKER: Final = '#!/bin/sh\n[ "$1" = exec ]\n'
"""There is no image yet; whatever runs in a container is well."""

NOTHING: Final = "#!/bin/sh\nexit 1\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    shutil.copytree(DEPLOY, tmp_path / "deploy", symlinks=True, ignore=shutil.ignore_patterns("*.toml"))
    for name, script in (("docker-compose", COMPOSE), ("docker", DOCKER)):
        command = tmp_path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(script)
        command.chmod(0o755)
    environment = {key: text for key, text in os.environ.items() if key != "COMPOSE_FILE"}
    environment["PATH"] = f"{tmp_path / 'bin'}:{environment['PATH']}"

    def ran(script: str, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [tmp_path / "deploy" / script, *words],
            cwd=tmp_path,
            env={**environment, **settings},
            capture_output=True,
            text=True,
            check=False,
        )

    return ran


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text().splitlines()


def test_a_new_certificate_reaches_the_gateways_that_run_though_one_is_down(tmp_path: Path, run: Run) -> None:
    for name in ("chain", "key"):
        (tmp_path / name).write_text("PEM")
    done = run("certificate", "chain", "key")
    assert told(tmp_path)[1:] == ["gateway-2", "gateway-3"]
    assert (done.returncode, done.stderr) == (1, "gateway-1 does not run\n")


@pytest.mark.parametrize("seconds", ["08", "1s", "-1", ""])
def test_an_upgrade_refuses_what_is_no_number_before_it_begins(tmp_path: Path, run: Run, seconds: str) -> None:
    done = run("upgrade", "--linger", seconds)
    assert done.returncode != 0
    assert "--linger needs a number of seconds" in done.stderr
    assert not (tmp_path / "told").exists()


@pytest.mark.parametrize(
    ("env_file", "settings", "several", "used"),
    [
        ("", {}, False, ""),
        ("", {}, True, "deploy/docker-compose.nodes.yml"),
        ("COMPOSE_FILE=mine.yml\n", {}, True, ""),
        ("", {"COMPOSE_FILE": "mine.yml"}, True, "mine.yml"),
    ],
    ids=["one runs", "several run", "by .env", "by the environment"],
)
def test_an_upgrade_uses_the_composition_that_is_named_or_runs(
    tmp_path: Path, run: Run, env_file: str, settings: dict[str, str], several: bool, used: str
) -> None:
    """docker-compose reads .env by itself, where the environment names none."""
    (tmp_path / ".env").write_text(env_file)
    if several:
        (tmp_path / "several").touch()
    done = run("upgrade", **settings)
    assert told(tmp_path) == [f"COMPOSE_FILE={used}"]
    assert "nothing was touched" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--back",), "there is no image boardgate-gateway:before to go back to"),
        (("--restore", "missing", "--back"), "--restore needs a backup (--help)"),
        (("--restore", "file"), "--restore is for --back (--help)"),
    ],
)
def test_the_way_back_of_an_upgrade_needs_what_it_goes_back_to(
    tmp_path: Path, run: Run, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "file").write_text("a backup")
    done = run("upgrade", *words)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize("script", ["backup", "restore", "upgrade"])
def test_a_database_that_does_not_run_is_named(tmp_path: Path, run: Run, script: str) -> None:
    """docker-compose itself ends without a word."""
    silent = tmp_path / "bin" / "docker-compose"
    silent.write_text(SILENT)
    (tmp_path / "bin" / "docker").write_text(NOTHING)
    (tmp_path / "file").write_text("a backup")
    done = run(script, *(["file"] if script == "restore" else []), PATIENCE_S="1")
    assert done.returncode != 0
    assert f"deploy/{script}: " in done.stderr
    assert "database" in done.stderr
    assert list((tmp_path / "backups").glob("*")) == []
    assert "nothing was" in done.stderr


def test_an_upgrade_says_that_the_composition_cannot_be_read(tmp_path: Path, run: Run) -> None:
    (tmp_path / "bin" / "docker-compose").write_text(NOTHING)
    assert "the composition cannot be read: nothing was touched" in run("upgrade").stderr


def test_an_upgrade_sees_another_one_that_began_before_a_git_pull(tmp_path: Path, run: Run) -> None:
    """git puts another file in the place of the script."""
    pull = "cp deploy/upgrade new && mv --no-clobber new pulled && cp pulled new && mv new deploy/upgrade"
    (tmp_path / "bin" / "docker-compose").write_text(f"#!/bin/sh\n[ -e pulled ] || {{ {pull}; deploy/upgrade; }}\n")
    assert "deploy/upgrade: another one runs" in run("upgrade", COMPOSE_FILE="mine.yml").stderr


@pytest.mark.parametrize("words", [[], ["missing"], ["empty"]])
def test_a_restore_without_a_backup_touches_nothing(tmp_path: Path, run: Run, words: list[str]) -> None:
    (tmp_path / "empty").write_text("")
    done = run("restore", *words)
    assert done.returncode == 1
    assert done.stderr.startswith("deploy/restore: ")
    assert not (tmp_path / "told").exists()


@pytest.fixture
def database(tmp_path: Path, run: Run) -> Run:
    """The scripts where a database runs."""
    (tmp_path / "bin" / "docker-compose").write_text(DATABASE)
    return run


def test_a_backup_is_noted_by_a_gateway_and_named_last(tmp_path: Path, database: Run) -> None:
    done = database("backup", "kept")
    assert done.returncode == 0, done.stderr
    made = Path(done.stdout.splitlines()[-1])
    assert (made.parent, made.read_text()) == (tmp_path / "kept", "games\n")
    assert told(tmp_path) == [f"exec -T gateway boardgate backup --made-elsewhere {made.name}"]
    assert done.stderr == ""


def test_a_backup_without_a_gateway_is_kept_and_says_that_it_is_not_noted(tmp_path: Path, database: Run) -> None:
    done = database("backup", DOWN="yes")
    assert (done.returncode, "it was not noted, for no gateway runs" in done.stderr) == (0, True)
    assert Path(done.stdout.strip()).exists()


def test_a_backup_deletes_all_but_the_newest_and_nothing_of_another_name(tmp_path: Path, database: Run) -> None:
    days = [f"boardgate-202511{day:02}T040000Z.dump" for day in (1, 2, 3)]
    others = ["boardgate-20251101T040000Z.dump.part", "boardgate.dump", "my-boardgate-20251101T040000Z.dump"]
    (tmp_path / "kept").mkdir()
    for name in (*days, *others):
        (tmp_path / "kept" / name).touch()
    made = Path(database("backup", "--keep", "2", "kept").stdout.strip())
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {days[2], made.name, *others}


def test_a_backup_that_is_killed_leaves_no_half_of_a_file(tmp_path: Path, database: Run) -> None:
    assert database("backup", "kept", KILLED="yes").returncode != 0
    assert [path.name for path in (tmp_path / "kept").iterdir()] == []


def test_a_restore_that_is_killed_says_what_state_it_leaves(tmp_path: Path, database: Run) -> None:
    (tmp_path / "file").write_text("a backup")
    done = database("restore", "file", KILLED="yes")
    assert "the games are as they were, and the gateway is stopped" in done.stderr


@pytest.mark.parametrize("words", [["--keep"], ["--keep", "0"], ["--keep", "x", "kept"], ["--kepe", "2"], ["a", "b"]])
def test_a_backup_that_is_called_in_a_wrong_way_makes_none(tmp_path: Path, database: Run, words: list[str]) -> None:
    done = database("backup", *words)
    assert (done.returncode, done.stderr.startswith("deploy/backup: ")) == (1, True)
    assert [path.name for path in tmp_path.rglob("*.dump")] == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"OTHERS": "yes"}, "is no backup of Boardgate"),
        ({"SCHEMA": "78"}, "has schema 0024_0010 of a newer version of Boardgate"),
        ({"FREE": "19"}, "has 19 KiB free, and the backup needs more than 20"),
    ],
)
def test_a_restore_looks_before_it_stops_anything(
    tmp_path: Path, database: Run, settings: dict[str, str], said: str
) -> None:
    (tmp_path / "file").write_bytes(bytes(10_240))
    done = database("restore", "file", **settings)
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr
    assert "nothing was touched" in done.stderr
    assert not (tmp_path / "told").exists() or told(tmp_path) == ["schema 0024_0010"]


@pytest.mark.parametrize("settings", [{}, {"SCHEMA": "1"}], ids=["it fits", "nobody can say"])
def test_a_restore_goes_on_with_a_schema_that_is_not_known_to_be_newer(
    tmp_path: Path, database: Run, settings: dict[str, str]
) -> None:
    (tmp_path / "file").write_bytes(bytes(10_240))
    done = database("restore", "file", **settings)
    assert told(tmp_path) == ["schema 0024_0010", "stopped"]
    assert "the games are as they were, and the gateway is stopped" in done.stderr


def test_docker_gives_no_other_network_the_addresses_of_the_nodes() -> None:
    """Its pools for networks without addresses are 172.17.0.0/16 to 172.31.0.0/16 and 192.168.0.0/16, one by one."""
    composed = (DEPLOY / "docker-compose.nodes.yml").read_text(encoding="utf-8")
    sample = (DEPLOY / "env.sample").read_text(encoding="utf-8")
    found = re.findall(r"NODES_NETWORK:-([\d.]+)\}", composed) + re.findall(
        r"^NODES_NETWORK=(.*)$", sample, re.MULTILINE
    )
    network = ip_network(f"{found[0]}.0/24")
    assert len(set(found)) == 1
    assert network.is_private
    assert not any(network.overlaps(ip_network(pool)) for pool in ("172.16.0.0/12", "192.168.0.0/16"))
