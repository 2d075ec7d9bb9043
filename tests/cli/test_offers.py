"""``boardgate offers`` at a real server: a challenge is made, shown, taken and played; one declined, one withdrawn."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli import main
from gateway.store.accounts import SqlAccounts
from tests.faults.guests import Guest
from tests.passwords import hashed
from tests.processes import started
from tests.running import RECORD, RunningServer, made_record, server

PASSWORD = "correct horse"
STOP_S = 20.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = Path(tmp_path_factory.mktemp("offering"))
    with closing(SqlAccounts(made_record(data / RECORD))) as accounts:
        for name in ("anna", "bert"):
            accounts.add(name, hashed(PASSWORD), "test")
    with server(data, "http", "bogaprot", SEATS_BOT_AFTER="never") as found:
        yield found


def words(running: RunningServer, name: str, *arguments: str) -> list[str]:
    url = f"http://127.0.0.1:{running.ports[0]}"
    return ["offers", *arguments, "--server", url, *(["--account", name] if name else [])]


def variables(running: RunningServer) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(running.data), "BOARDGATE_PASSWORD": PASSWORD}


def says(running: RunningServer, name: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, words(running, name, *arguments), env=variables(running))


@contextmanager
def offering(running: RunningServer, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Anna's command, which waits; and its offer's number."""
    command = [sys.executable, "-u", "-m", "gateway.cli", *words(running, "anna", "make", *arguments)]
    with started(command, stdout=subprocess.PIPE, text=True, env=os.environ | variables(running)) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[1]


def test_a_challenge_is_shown_and_taken_and_both_tickets_take_their_seats(running: RunningServer) -> None:
    with offering(running, "tic_tac_toe", "bert", "--time", "300+3", "--side", "second", "--rated") as (anna, number):
        (line,) = says(running, "bert", "show").output.splitlines()
        assert line.split() == f"{number} anna to bert tic_tac_toe standard, 300+3, rated, second side".split()
        assert says(running, "", "show").output == "nothing is offered\n"
        taken = says(running, "bert", "take", number)
        assert taken.exit_code == 0, taken.output
        said = [taken.output, anna.communicate(timeout=STOP_S)[0]]
    tickets = []
    for output in said:
        assert f"table {number}  tic_tac_toe standard: bert - anna" in output
        (way,) = (line for line in output.splitlines() if "boardgate play" in line)
        tickets.append(way.split()[-1])
    for seat, ticket in enumerate(tickets):
        with Guest(running.ports[1]) as guest:
            assert guest.joins(f"tic_tac_toe#{ticket}") == seat


def test_a_challenge_that_stands_for_days_is_not_waited_for(running: RunningServer) -> None:
    made = says(
        running, "anna", "make", "tic_tac_toe", "bert", "--time", "3d/move", "--side", "first", "--minutes", "1440"
    )
    told, ticket = made.output.splitlines()
    number = told.split()[1]
    assert told == f"offer {number} to bert stands for 1440 minutes; boardgate offers end {number} withdraws it"
    assert says(running, "bert", "take", number).exit_code == 0
    with Guest(running.ports[1]) as guest:
        assert guest.joins(f"tic_tac_toe#{ticket.split()[-1]}") == 0


def test_what_is_answered_to_be_gone_is_gone_after_kill_9(tmp_path: Path) -> None:
    """Of three challenges one is taken, one declined, one withdrawn, the last a moment before the server is killed."""
    with closing(SqlAccounts(made_record(tmp_path / RECORD))) as accounts:
        for name in ("anna", "bert"):
            accounts.add(name, hashed(PASSWORD), "test")
    makes = ("make", "tic_tac_toe", "bert", "--time", "3d/move", "--minutes", "1440")
    with server(tmp_path, "http", SEATS_BOT_AFTER="never") as running:
        taken, declined, withdrawn = [says(running, "anna", *makes).output.split()[1] for _ in range(3)]
        for name, *ends in (("bert", "take", taken), ("bert", "end", declined), ("anna", "end", withdrawn)):
            assert says(running, name, *ends).exit_code == 0
        running.kill()
    with server(tmp_path, "http", SEATS_BOT_AFTER="never") as running:
        assert says(running, "bert", "show").output == "nothing is offered\n"


def test_who_takes_a_manual_offer_waits_for_its_maker(running: RunningServer) -> None:
    made = says(running, "anna", "make", "tic_tac_toe", "--side", "first", "--manual").output
    number = made.split()[1]
    assert made == f"offer {number} stands for 60 minutes; boardgate offers show tells who asks you\n"
    command = [sys.executable, "-u", "-m", "gateway.cli", *words(running, "bert", "take", number)]
    with started(command, stdout=subprocess.PIPE, text=True, env=os.environ | variables(running)) as bert:
        assert bert.stdout is not None
        table = bert.stdout.readline().split()[6].rstrip(";")
        manual, asks = says(running, "anna", "show").output.splitlines()
        assert manual.split() == f"{number} anna to everybody tic_tac_toe standard, none, manual, first side".split()
        assert asks.split() == f"{table} bert to anna tic_tac_toe standard, none, second side".split()
        assert f"table {table}  tic_tac_toe standard: anna - bert" in says(running, "anna", "take", table).output
        assert f"table {table}  tic_tac_toe standard: anna - bert" in bert.communicate(timeout=STOP_S)[0]
    assert says(running, "anna", "show").output == "nothing is offered\n"


def test_an_offer_is_declined_by_the_one_and_withdrawn_by_the_other(running: RunningServer) -> None:
    with offering(running, "go", "bert", "--option", "size=9") as (anna, number):
        assert says(running, "bert", "end", number).output == f"offer {number} stands no more\n"
        assert anna.wait(STOP_S) == 1
    with offering(running, "go") as (anna, number):
        anna.send_signal(signal.SIGINT)
        assert anna.wait(STOP_S) == 1
    assert json.loads(says(running, "anna", "show", "--json").output) == {"offers": []}
    assert "does not stand any more" in says(running, "bert", "take", number).output
