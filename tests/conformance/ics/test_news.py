"""News that a client of a chess server's port hears on a running server: games of others, who comes and who goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.chess_text_players import MiniaturePlayer
from tests.conformance.host import Host
from tests.conformance.ics.clients import Come, challenged, play
from tests.conformance.servers import fast
from tests.conformance.web_players import WebChessPlayer
from tests.passwords import hashed
from tests.running import RunningServer, made_record

PASSWORD = "correct horse"
LISTENERS = ("ics", WebChessPlayer.listener, MiniaturePlayer.listener)
ICS, HTTP, MINIATURE = range(3)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("news")
    with closing(SqlAccounts(made_record(folder / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert", "Cora"):
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(folder, *LISTENERS) as server:
        yield server


def test_whoever_has_set_gin_hears_of_games_that_a_page_and_another_program_play(
    comes: Come, running: RunningServer
) -> None:
    """The one who plays another game meanwhile, too."""
    idle, white, black = comes(), comes(), comes()
    for one in (idle, white):
        assert one.asks("set gin 1") == "gin set to 1.\n"
    mine = challenged(white, black)
    idle.hears(f"{{Game {mine} ({white.name} vs. {black.name}) Creating unrated blitz match.}}\n")
    with (
        closing(WebChessPlayer(running.ports[HTTP], "Wanda")) as wanda,
        closing(MiniaturePlayer(running.ports[MINIATURE], "Mia")) as mia,
    ):
        wanda.sit(True, "f2f3")
        mia.sit(False, "")
        wanda.begin()
        mia.begin()
        for one in (idle, white):
            one.hears("{Game ")
            other = one.hears(" (Wanda vs. Mia) Creating unrated blitz match.}\n").split()[0]
            assert int(other) > mine
        for at, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
            mover, hearer = (wanda, mia) if at % 2 == 0 else (mia, wanda)
            mover.move(move)
            hearer.hears(move)
        for one in (idle, white):
            one.hears(f"{{Game {other} (Wanda vs. Mia) Wanda checkmated}} 0-1\n")
    play(white, black, "e4 e5")
    white.type("resign")
    end = f"{{Game {mine} ({white.name} vs. {black.name}) {white.name} resigns}} 0-1\n"
    for one in (idle, white):
        one.hears(end)
    assert end not in white.asks("set gin 0"), "of one's own game one hears at its table"
    idle.asks("set gin 0")
    black.type("rematch")
    white.hears("would like another game")
    white.type("rematch")
    black.board()
    assert "{Game" not in idle.asks("who")


def test_a_private_game_is_no_news(comes: Come, running: RunningServer) -> None:
    idle, white, black = comes(), comes("Anna", PASSWORD), comes("Bert", PASSWORD)
    idle.asks("set gin 1")
    host = Host.of(running.ports[HTTP], "Anna", PASSWORD)
    other = Host.of(running.ports[HTTP], "Bert", PASSWORD)
    table, (ticket, _) = host.registers("chess", "Anna", "Bert", time="600", private=True)
    white.type(f"seat {ticket}")
    black.type(f"seat {other.ask(f'/api/tables/{table}/ticket', {})[1]['ticket']}")
    white.board()
    black.board()
    white.type("resign")
    white.hears("Anna resigns} 0-1")
    one, two = comes(), comes()
    public = challenged(one, two)
    assert "Anna" not in idle.hears(f"{{Game {public} (")


def test_pin_tells_who_comes_and_who_goes(comes: Come, running: RunningServer) -> None:
    person, program = comes(), comes()
    person.asks("set pin 1")
    program.asks("iset pin 1")
    cora = comes("Cora", PASSWORD)
    person.hears("[Cora has connected.]\n")
    program.hears("<wa> Cora 000P")
    with closing(WebChessPlayer(running.ports[HTTP], "Wilma")) as wilma:
        wilma.sit(True, "f2f3")
        person.hears("[Wilma has connected.]\n")
        program.hears("<wa> Wilma 010P")
    cora.type("quit")
    person.hears("[Cora has disconnected.]\n")
    program.hears("<wd> Cora\n")
