"""An engine that dials in with a ticket plays at its registered table; its seat goes on from another dialect."""

from __future__ import annotations

import re
from pathlib import Path

from tests import peers
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.test_first_lines import running
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient

HTTP, ENGINES, GUIS, BOGAPROT = range(4)


def test_an_engine_with_a_ticket_plays_at_its_registered_table_and_its_seat_goes_on_over_bogaprot(
    tmp_path: Path,
) -> None:
    """ "Registered tables wait for exactly their players, in every dialect; a ticket takes its seat and takes it back
    from any dialect"."""
    peers.program("socat")
    with fast(tmp_path, "http", "gtp-engine,size=19", "gtp-gui", "bogaprot") as server:
        host = Host(server.ports[HTTP])
        table, (ticket, engine) = host.registers("go", "anna", "gnu", options={"size": 9, "komi": 6.5})
        gui = OnPort(server.ports[GUIS], "anna", ticket)
        gui.sets("boardsize 9", "clear_board", "komi 6.5")
        pipe = rf"boardgate gtp --engine localhost\:{server.ports[ENGINES]} --name gnu --ticket {engine}"
        with running(f'socat EXEC:"gnugo --mode gtp --level 1" EXEC:"{pipe}"'):
            gui.sets("play b D4")
            assert re.fullmatch(r"= [A-HJ][1-9]", gui.asks("genmove w"))
            assert [seat["name"] for seat in host.table(table)["seats"]] == ["anna", "gnu"]
        gui.sends("play b A1")
        assert gui.answer() == "="
        elsewhere = SpecClient(server.ports[BOGAPROT])
        assert elsewhere.handshake(f"go#{engine}") == ("RSP_HANDSHAKE", 0)
        assert elsewhere.until("REQ_MOVE") == ("REQ_MOVE", 1)
        elsewhere.move(-1, 80, "white")
        assert elsewhere.until("RSP_MOVE") == ("RSP_MOVE", 0)
        assert gui.asks("genmove w") == "= J1"
        gui.close()
