"""Kill -9 right after a registration was answered: the table and its tickets are there, and the pair is still taken."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tests.conformance.host import Host
from tests.faults.guests import Guest, sound
from tests.running import server

LISTENERS = ("http", "bogaprot")
SETTINGS = {"BOTS_WORKERS": "0", "LIMITS_CONNECTIONS_PER_ADDRESS": "1000"}
TABLES = 20


def test_a_registered_table_and_its_tickets_survive_kill_9(tmp_path: Path) -> None:
    with ExitStack() as stack:
        running = stack.enter_context(server(tmp_path, *LISTENERS, ports=None, **SETTINGS))
        host = Host(running.ports[0])
        made = [host.registers("tic_tac_toe", f"ann{number}", f"bob{number}") for number in range(TABLES)]
        running.kill()
        running = stack.enter_context(server(tmp_path, *LISTENERS, ports=None, **SETTINGS))
        host = Host(running.ports[0])
        for number, (table, tickets) in enumerate(made):
            assert [seat["kind"] for seat in host.table(table)["seats"]] == ["reserved", "reserved"]
            with Guest(running.ports[1]) as bob, Guest(running.ports[1]) as ann:
                assert bob.joins(f"tic_tac_toe#{tickets[1]}") == 1
                assert ann.joins(f"tic_tac_toe#{tickets[0]}") == 0
                assert ann.puts(4) == (0,)
            status, answer = host.ask(
                "/api/tables", {"game": "tic_tac_toe", "seats": [{"name": f"bob{number}"}, {"name": f"ann{number}"}]}
            )
            assert (status, answer["error"]) == (409, "name_taken")
        assert sound(running)
