"""Observers of a game are named at a chess server's port, and a player is followed to the next game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from gateway.store.accounts import SqlAccounts
from tests.conformance.host import Host
from tests.conformance.ics.clients import PROMPT, Come, IcsClient, challenged, play
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RunningServer, made_record
from tests.web_client import WebClient

PASSWORD = "correct horse"
ICS, HTTP = range(2)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("observers")
    with closing(SqlAccounts(made_record(folder / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert", "Cora"):
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(folder, "ics", "http") as server:
        yield server


def told(one: IcsClient, line: str) -> str:
    """The answer to a command, behind a prompt that was not read yet."""
    return one.asks(line).removeprefix(PROMPT)


def test_allobservers_names_who_looks_on_from_anywhere(comes: Come, running: RunningServer) -> None:
    """Guests and accounts, from this port and from a page, in the words that PyChess looks for."""
    white, black = comes(), comes()
    game = challenged(white, black)
    nobody = f"No one is observing game {game}.\n"
    assert told(white, f"allobservers {game}") == nobody
    assert told(white, "allob") == nobody, "of one's own game"
    cora = comes("Cora", PASSWORD)
    cora.asks(f"observe {game}")
    with closing(WebClient(running.ports[HTTP])) as page:
        page.hello()
        page.say("watch", table=game, name="Wanda")
        page.until("seated")
        shown = f"Observing {game} [{white.name} vs. {black.name}]: Cora Wanda(U) (2 users)\n"
        assert told(white, f"allob {game}") == told(cora, f"allob {white.name}") == told(cora, "allob") == shown
    cora.asks(f"unobserve {game}")
    while (left := told(white, f"allob {game}")) != nobody:
        assert "Wanda(U) (1 user)" in left, "until the page has gone"


def test_a_private_game_is_as_private_to_allobservers_as_to_observe(comes: Come, running: RunningServer) -> None:
    white, black, stranger = comes("Anna", PASSWORD), comes("Bert", PASSWORD), comes()
    host, other = (Host.of(running.ports[HTTP], name, PASSWORD) for name in ("Anna", "Bert"))
    table, (ticket, _) = host.registers("chess", "Anna", "Bert", time="600", private=True)
    white.type(f"seat {ticket}")
    black.type(f"seat {other.ask(f'/api/tables/{table}/ticket', {})[1]['ticket']}")
    white.board()
    black.board()
    assert told(white, f"allob {table}") == f"No one is observing game {table}.\n"
    for asked in (str(table), "Anna", "99999", "nobody"):
        assert told(stranger, f"allob {asked}") == "There is no such game.\n"
    assert told(stranger, "allob") == "Which game? allobservers N, or allobservers NAME\n"


def test_who_is_followed_is_looked_on_at_in_each_game(comes: Come) -> None:
    follower, white, black = comes(), comes(), comes()
    follower.asks("who")
    assert told(follower, "follow") == "You are not following any player's games.\n"
    assert told(follower, f"follow {white.name}") == f"You will now be following {white.name}'s games.\n"
    for _ in range(2):
        game = challenged(white, black)
        follower.hears(f"{white.name}, whom you are following, has started a game with {black.name}.\n")
        follower.hears(f"You are now observing game {game}.\n")
        play(white, black, "e4 e5")
        while follower.board()[26] != "P/e7-e5":
            pass
        white.type("resign")
        follower.hears(f"{white.name} resigns}} 0-1\n")
    assert told(follower, "follow") == f"You will not follow {white.name}'s games any more.\n"
    challenged(black, white)
    assert "observing" not in follower.asks("who")


def test_a_game_that_is_played_already_is_looked_on_at_at_once(comes: Come) -> None:
    white, black, follower = comes(), comes(), comes()
    game = challenged(white, black)
    follower.asks("who")
    said = told(follower, f"follow {black.name}")
    assert said.startswith(f"You will now be following {black.name}'s games.\n")
    assert f"You are now observing game {game}.\n" in said


def test_a_journal_is_empty(comes: Come) -> None:
    who = comes()
    assert told(who, "journal") == f"{who.name} has no journal entries.\n"
    assert told(who, "journal Anna") == "Anna has no journal entries.\n"
