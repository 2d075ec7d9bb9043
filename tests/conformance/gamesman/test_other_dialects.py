"""A GAMESMAN client at one table with clients of other dialects, over a running server: whole games of four games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count

import pytest

from clients.gamesman import Player, Resigned
from gateway import registry
from tests.conformance.chess_players import Lines
from tests.conformance.gamesman.served import WholeGame, register, thread
from tests.conformance.gtp.ends import OnPort
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.running import RunningServer

HTTP, BOGAPROT, P2P, GUI = range(4)
_NUMBERS = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("others"), "http", "bogaprot", "chess-p2p", "gtp-gui") as running:
        yield running
    assert "Traceback" not in running.log.read_text()


def names() -> tuple[str, str]:
    number = next(_NUMBERS)
    return f"anna{number}", f"bert{number}"


@pytest.mark.parametrize("game", ["tic_tac_toe", "checkers", "reversi", "connect_four"])
@pytest.mark.parametrize("seat", [0, 1], ids=["first", "second"])
def test_a_whole_game_against_a_bogaprot_client(server: RunningServer, game: str, seat: int) -> None:
    anna, bert = names()
    settings = registry.game(game).settings()
    pair = (anna, bert) if seat == 0 else (bert, anna)
    tickets = register(server.ports[HTTP], game, *pair)
    gamesman = WholeGame(server.ports[HTTP], anna, bert, settings, seed=seat + 3)
    bogaprot = SpecPlayer(server.ports[BOGAPROT], settings, f"{game}#{tickets[1 - seat]}", seed=7)
    while (turn := bogaprot.turn()) is not None:
        if turn == bogaprot.seat:
            bogaprot.move()
    assert gamesman.finish() == bogaprot.brain.outcome
    assert gamesman.brain.board == bogaprot.brain.board
    assert_newest_record_is_whole(server.data, moves=bogaprot.brain.plies)
    bogaprot.close()


def test_a_whole_game_against_a_chess_peer(server: RunningServer) -> None:
    """Scholar's mate: the GAMESMAN client is White and writes SAN, the peer hears and writes coordinates."""
    anna, bert = names()
    _, ticket = register(server.ports[HTTP], "chess", anna, bert)
    white = Player(f"http://127.0.0.1:{server.ports[HTTP]}", anna, bert, patience_s=20)
    peer = Lines(server.ports[P2P])
    peer.until("hallo ")
    peer.say(f"myname {bert}#{ticket}", "new", "go")
    _in_turn(
        white, peer, [("e4", "e2e4", "e7e5", "e5"), ("Bc4", "f1c4", "b8c6", "Nc6"), ("Qh5", "d1h5", "g8f6", "Nf6")]
    )
    assert white.move("Qxf7#") is None
    assert peer.until("move ") == "move h5f7"
    peer.say("move h5f7")
    assert peer.until("result ").startswith("result 1-0")
    peer.close()


def _in_turn(white: Player, peer: Lines, moves: list[tuple[str, str, str, str]]) -> None:
    """White's move as it writes it and as the peer hears it; Black's as the peer writes it and as White hears it."""
    for san, heard, answer, told in moves:
        reply: list[str | None] = []
        waits = thread(partial(_move, white, san, reply))
        assert peer.until("move ") == f"move {heard}"
        peer.say(f"move {heard}", f"move {answer}")
        if heard == moves[0][1]:
            peer.say("accepted")
        assert peer.until("move ") == f"move {answer}"  # its own, once it is made
        waits.join(20)
        assert reply == [told]


def _move(player: Player, text: str, reply: list[str | None]) -> None:
    reply.append(player.move(text))


def test_a_whole_game_against_a_gui_that_speaks_gtp(server: RunningServer) -> None:
    """Both pass; the GUI agrees that everything which stands is alive."""
    anna, bert = names()
    _, ticket = register(server.ports[HTTP], "go", anna, bert, options={"size": 5, "komi": 6.5})
    black = Player(f"http://127.0.0.1:{server.ports[HTTP]}", anna, bert, patience_s=20)
    gui = OnPort(server.ports[GUI], bert, ticket)
    gui.sends("boardsize 5", "clear_board", "komi 6.5", "genmove b")
    replies: list[str | None] = []
    game = thread(lambda: replies.extend(black.move(move) for move in ("C3", "D4", "pass")))
    assert [gui.answer() for _ in range(4)] == ["=", "=", "=", "= C3"]
    gui.sends("play w B2", "genmove b", "play w B3", "genmove b", "play w pass")
    assert [gui.answer() for _ in range(5)] == ["=", "= D4", "=", "= pass", "="]
    assert gui.asks("final_score") == "= W+6.5"
    game.join(20)
    assert replies == ["B2", "B3", "pass"]
    black.game_over()
    gui.close()


def test_the_resignation_of_another_dialect_is_told(server: RunningServer) -> None:
    anna, bert = names()
    _, ticket = register(server.ports[HTTP], "tic_tac_toe", anna, bert)
    settings = registry.game("tic_tac_toe").settings()
    gamesman = WholeGame(server.ports[HTTP], anna, bert, settings)
    bogaprot = SpecPlayer(server.ports[BOGAPROT], settings, f"tic_tac_toe#{ticket}")
    while bogaprot.turn() != bogaprot.seat:
        pass
    bogaprot.client.move(-1, -1, "resign")
    with pytest.raises(Resigned, match=f"{bert} has resigned"):
        gamesman.finish()
    assert bogaprot.turn() is None
    bogaprot.close()
