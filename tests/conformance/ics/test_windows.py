"""Windows of real programs at a chess server's port, under a virtual screen: eboard and PyChess, played by a mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from gateway.store.accounts import SqlAccounts
from tests import peers
from tests.conformance.chess_text_players import MiniaturePlayer
from tests.conformance.ics.clients import IcsClient, challenged, play
from tests.conformance.ics.eboard_window import ADJOURN, DRAW, RESIGN, Eboard, eboard
from tests.conformance.ics.pychess_person import PyChess, pychess
from tests.conformance.servers import fast
from tests.conformance.web_players import WebChessPlayer
from tests.conformance.xboard.programs import virtual_screen
from tests.passwords import hashed
from tests.running import RunningServer, made_record

pytestmark = peers.needed

PASSWORD = "correct horse"
LISTENERS = ("ics", WebChessPlayer.listener, MiniaturePlayer.listener)
ICS, HTTP, MINIATURE = range(3)
RUNNING = 2
"""PyChess's own number for a game that goes on."""

UNKNOWN = {"inchannel", "news", "primary"}
"""Commands that PyChess asks for and this server does not have, as its page says."""


def with_accounts(folder: Path) -> Path:
    with closing(SqlAccounts(made_record(folder / "boardgate.db"))) as accounts:
        for name in ("Anna", "Bert"):
            accounts.add(name, hashed(PASSWORD), "root")
    return folder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("server"), *LISTENERS, BOTS_WORKERS="1") as server:
        yield server


Opens = Callable[[int], Eboard]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Open eboard on a screen of its own, with this port of ours among its bookmarks."""
    with ExitStack() as open_ones:
        yield lambda port: open_ones.enter_context(
            eboard(open_ones.enter_context(virtual_screen()), tmp_path / "eboard", port)
        )


def test_eboard_takes_a_seek_of_the_web_page_from_its_graph_and_mates_as_black(
    running: RunningServer, opens: Opens
) -> None:
    """A takeback is refused and then agreed to, a draw is declined: all by a player of the page."""
    window = opens(running.ports[ICS])
    name = window.comes()
    with closing(WebChessPlayer(running.ports[HTTP], "Wanda")) as wanda:
        wanda.sit(True, "f2f3")
        window.takes("Wanda")
        wanda.begin()
        assert window.board()[16:19] == ["Wanda", name, "-1"]
        wanda.move("f2f3")
        window.board()
        window.moves("e7e5", black=True)
        wanda.hears("e7e5")
        window.says("takeback 1")
        wanda.hears_ask("takeback")
        wanda.client.say("decline", what="takeback")
        window.hears("Wanda declines the takeback request.")
        window.says("takeback 1")
        wanda.hears_ask("takeback")
        wanda.agrees("takeback")
        window.hears("Wanda accepts the takeback request.")
        assert window.board()[8] == "B"
        window.moves("e7e6", black=True)
        wanda.hears("e7e6")
        window.chooses(DRAW, "draw")
        wanda.hears_ask("draw")
        wanda.client.say("decline", what="draw")
        window.hears("Wanda declines the draw request.")
        wanda.move("g2g4")
        window.board()
        assert window.moves("d8h4", black=True)[28] == "Qh4#"
        window.hears(f"(Wanda vs. {name}) Wanda checkmated}} 0-1\n")
        assert wanda.ended() == "0-1"


def test_eboard_seeks_mates_as_white_and_plays_a_house_bot(running: RunningServer, opens: Opens) -> None:
    """Its seek is taken by a client of the Miniature draft; it is offered a draw, and gives up the second game."""
    window = opens(running.ports[ICS])
    name = window.comes()
    window.says("seek 5 0 white")
    window.hears("Your seek has been posted")
    with closing(MiniaturePlayer(running.ports[MINIATURE], "Mia")) as mia:
        mia.sit(False, "")
        window.hears(f"Creating: {name} (++++) Mia (++++) unrated blitz 5 0\n")
        window.board()
        for mine, theirs in (("e2e4", "e7e5"), ("f1c4", "b8c6"), ("d1h5", "g8f6")):
            window.moves(mine)
            mia.hears(mine)
            mia.asks("draw")
            window.hears("Mia offers you a draw.")
            mia.move(theirs)
            assert window.board()[18] == "1"
        assert window.moves("h5f7")[28] == "Qxf7#"
        window.hears("Mia checkmated} 1-0\n")
        assert mia.ended() == "1-0"
    window.says("match bot 5 0 white")
    window.board()
    assert window.moves("e2e4")[18] == "-1"
    assert window.board()[18] == "1"
    window.chooses(RESIGN, "resign")
    window.hears(f"{name} resigns}} 0-1\n")


def test_eboard_adjourns_goes_on_and_comes_back_after_the_server_was_killed(tmp_path: Path, opens: Opens) -> None:
    """As an account, by name and password; its window finds the server again by the same bookmark."""
    data = with_accounts(tmp_path)
    with fast(data, "ics") as running:
        window = opens(running.ports[ICS])
        assert window.comes("Anna", PASSWORD) == "Anna"
        with closing(IcsClient(running.ports[ICS]).comes("Bert", PASSWORD)) as bert:
            window.says("match Bert 5 0 r white")
            bert.hears("Challenge: Anna")
            bert.type("accept")
            bert.board()
            window.board()
            window.moves("e2e4")
            bert.board()
            bert.type("e5")
            bert.board()
            window.board()
            window.chooses(ADJOURN, "adjourn")
            bert.hears("would like to adjourn the game")
            bert.type("adjourn")
            window.hears("Game adjourned by mutual agreement} *\n")
            window.says("match Bert")
            bert.hears("Anna")
            bert.type("match Anna")
            window.hears("(Anna vs. Bert) Continuing rated blitz match.}\n")
            window.board()
            bert.board()
            window.moves("g1f3")
            bert.board()
            running.kill()
        window.hears("Connection closed by ICS")
    with (
        fast(data, "ics", ports=dict(enumerate(running.ports))) as running,
        closing(IcsClient(running.ports[ICS]).comes("Bert", PASSWORD)) as bert,
    ):
        window.comes("Anna", PASSWORD)
        assert window.board()[26] == "N/g1-f3"
        bert.type("Nc6")
        window.board()
        window.moves("f1b5")
        bert.hears("B/f1-b5")
        window.chooses(RESIGN, "resign")
        bert.hears("Anna resigns} 0-1\n")
        window.hears("Anna resigns} 0-1\n")


Starts = Callable[..., PyChess]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    """Start PyChess on a screen of its own, for this port; it was understood, but for what is not there."""
    with ExitStack() as open_ones:
        started: list[PyChess] = []

        def start(port: int, host: str = "127.0.0.1") -> PyChess:
            screen = open_ones.enter_context(virtual_screen())
            home = tmp_path / f"pychess{len(started)}"
            started.append(open_ones.enter_context(pychess(screen, home, port, host)))
            return started[-1]

        yield start
        assert {word for window in started for word in window.unknown} <= UNKNOWN


def test_pychess_takes_a_seek_of_the_web_page_from_its_list_and_mates_as_black(
    running: RunningServer, starts: Starts
) -> None:
    """Its graph shows the seek too; a takeback is refused and then agreed to, a draw is declined by a button."""
    window = starts(running.ports[ICS])
    name = window.comes()
    with closing(WebChessPlayer(running.ports[HTTP], "Wilma")) as wilma:
        wilma.sit(True, "f2f3")
        assert window.sees("Wilma")[1:] == ["Unrated", "Blitz", "5 min", True]
        window.until(lambda: window.does("take", "Wilma"), "the button")
        wilma.begin()
        assert window.game(lambda game: game["status"] == RUNNING, "the game")["names"] == ["Wilma", name]
        wilma.move("f2f3")
        window.moves("e7e5")
        wilma.hears("e7e5")
        window.does("chooses", "undo1")
        wilma.hears_ask("takeback")
        wilma.client.say("decline", what="takeback")
        wilma.client.until("Declined")  # its network reads that; PyChess 1.0.3 shows it nowhere
        window.does("chooses", "undo1")
        wilma.hears_ask("takeback")
        wilma.agrees("takeback")
        window.game(lambda game: game["moves"] == 1, "the position before")
        window.moves("e7e6")
        wilma.hears("e7e6")
        wilma.asks("draw")
        window.shows("Your opponent has offered you a draw")
        window.does("presses", "Decline")
        wilma.client.until("Declined")
        wilma.move("g2g4")
        window.moves("d8h4")
        assert wilma.ended() == "0-1"
        window.shows(f"{name} (Player) won the game")


def test_pychess_seeks_agrees_to_a_draw_as_white_and_resigns_to_a_house_bot(
    running: RunningServer, starts: Starts
) -> None:
    window = starts(running.ports[ICS])
    name = window.comes()
    window.does("says", "seek 5 0 white")
    with closing(MiniaturePlayer(running.ports[MINIATURE], "Nina")) as nina:
        nina.sit(False, "")
        game = window.game(lambda game: game["mine"], "the game")
        assert game["names"] == [name, "Nina"]
        window.moves("e2e4")
        nina.hears("e2e4")
        nina.move("e7e5")
        window.game(lambda game: game["mine"], "my turn")
        window.does("chooses", "draw")
        nina.hears_ask("draw")
        nina.agrees("draw")
        assert nina.ended() == "1/2-1/2"
        window.shows("The game ended in a draw")
    window.does("says", "match bot 5 0 white")
    window.game(lambda second: second["number"] != game["number"] and second["mine"], "the second game")
    window.moves("d2d4")
    window.game(lambda second: second["mine"], "the bot's move")
    window.does("chooses", "resign")
    window.shows("bot")


def test_pychess_adjourns_goes_on_and_comes_back_after_the_server_was_killed(tmp_path: Path, starts: Starts) -> None:
    """As an account, by its password; after the kill by a window that is started anew."""
    with fast(with_accounts(tmp_path), "ics") as running:
        window = starts(running.ports[ICS])
        assert window.comes("Anna", PASSWORD) == "Anna"
        with closing(IcsClient(running.ports[ICS]).comes("Bert", PASSWORD)) as bert:
            bert.type("match Anna 5 0 u black")
            window.until(lambda: window.does("seeks"), "the challenge")
            window.until(lambda: window.does("take", "Bert"), "the button")
            bert.board()
            window.moves("d2d4")
            bert.board()
            bert.type("d5")
            bert.board()
            window.game(lambda game: game["mine"], "my turn")
            window.does("chooses", "adjourn")
            bert.hears("would like to adjourn the game")
            bert.type("adjourn")
            window.shows("adjourned")
            bert.asks("match Anna")
            window.does("says", "match Bert")
            window.game(lambda game: game["mine"] and game["status"] == RUNNING, "the game again")
            window.moves("c2c4")
            bert.board()
            assert bert.board()[26] == "P/c2-c4"
            running.kill()
    with (
        fast(tmp_path, "ics", ports=dict(enumerate(running.ports))) as running,
        closing(IcsClient(running.ports[ICS]).comes("Bert", PASSWORD)) as bert,
    ):
        window = starts(running.ports[ICS])
        window.comes("Anna", PASSWORD)
        window.game(lambda game: "/2PP4/8/" in game["fen"] and game["status"] == RUNNING, "the game, as it was")
        bert.type("e6")
        window.moves("b1c3")
        bert.hears("N/b1-c3")
        bert.type("resign")
        window.shows("Anna won the game")


def test_pychess_takes_its_account_back_to_a_game_that_was_begun_elsewhere(tmp_path: Path, starts: Starts) -> None:
    with fast(with_accounts(tmp_path), "ics") as running, ExitStack() as open_ones:
        anna, bert = (
            open_ones.enter_context(closing(IcsClient(running.ports[ICS]).comes(name, PASSWORD)))
            for name in ("Anna", "Bert")
        )
        challenged(anna, bert)
        play(anna, bert, "e4 e5")
        anna.close()
        bert.hears("Anna has lost the connection")
        window = starts(running.ports[ICS])
        window.comes("Anna", PASSWORD)
        assert window.game(lambda game: game["mine"], "the game")["names"] == ["Anna", "Bert"]
        window.moves("g1f3")
        assert bert.board()[26] == "N/g1-f3"


def test_pychess_with_its_two_connections_lists_a_game_and_looks_on(running: RunningServer, starts: Starts) -> None:
    """It has the second one for every host that is not written localhost or 127.0.0.1."""
    with ExitStack() as open_ones:
        white, black = (
            open_ones.enter_context(closing(IcsClient(running.ports[ICS]).comes(name))) for name in ("wendy", "boris")
        )
        number = challenged(white, black)
        window = starts(running.ports[ICS], "127.1")
        window.comes()
        window.until(lambda: ["wendy", "boris"] in window.does("listed"), "the list of games")
        window.until(lambda: window.does("observe", "wendy"), "the button")
        play(white, black, "f3 e5 g4")
        window.game(lambda game: game["number"] == number and game["moves"] == 3, "the moves")
        black.type("Qh4")
        window.shows("boris won the game")


def test_pychess_s_list_of_games_grows_and_shrinks_while_it_is_there(running: RunningServer, starts: Starts) -> None:
    """A game is listed when it begins, and not any more when it ends: one that it does not look on at, too. Whoever
    looks on beside it stands above its talk."""
    with ExitStack() as open_ones:
        window = starts(running.ports[ICS], "127.1")
        name = window.comes()
        paula, pete = (
            open_ones.enter_context(closing(IcsClient(running.ports[ICS]).comes(one))) for one in ("paula", "pete")
        )
        challenged(paula, pete)
        window.until(lambda: ["paula", "pete"] in window.does("listed"), "the first game in the list")
        paula.type("resign")
        window.until(lambda: ["paula", "pete"] not in window.does("listed"), "the first game's end in the list")
        wanda, mia = WebChessPlayer(running.ports[HTTP], "Wanda"), MiniaturePlayer(running.ports[MINIATURE], "Mia")
        for player in (wanda, mia):
            open_ones.enter_context(closing(player))
        assert ["Wanda", "Mia"] not in window.does("listed")
        wanda.sit(True, "f2f3")
        mia.sit(False, "")
        wanda.begin()
        mia.begin()
        window.until(lambda: ["Wanda", "Mia"] in window.does("listed"), "the game in the list")
        window.until(lambda: window.does("observe", "Wanda"), "the button")
        game = window.game(lambda game: game["names"] == ["Wanda", "Mia"], "the board")["number"]
        other = open_ones.enter_context(closing(IcsClient(running.ports[ICS]).comes("otto")))
        other.asks(f"observe {game}")
        other.asks("whisper good morning")
        window.until(lambda: set(window.does("observers")) == {name, "otto"}, "the observers")
        for at, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
            mover, hearer = (wanda, mia) if at % 2 == 0 else (mia, wanda)
            mover.move(move)
            hearer.hears(move)
        window.shows("Mia won the game")
        window.until(lambda: ["Wanda", "Mia"] not in window.does("listed"), "the game's end in the list")
