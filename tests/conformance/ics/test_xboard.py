"""XBoard at a chess server's port, under a virtual screen: with a person before it, and with an engine behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.ics.clients import IcsClient
from tests.conformance.ics.test_windows import PASSWORD, with_accounts
from tests.conformance.ics.xboard_window import ADJOURN, DRAW, RESIGN, RETRACT, XBoardIcs, xboard_ics
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import GAMES, virtual_screen

pytestmark = peers.needed

Opens = Callable[..., XBoardIcs]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Open XBoard on a screen of its own."""
    with ExitStack() as open_ones:

        def opened(*arguments: object, **more: object) -> XBoardIcs:
            screen = open_ones.enter_context(virtual_screen())
            home = tmp_path / f"xboard{len(list(tmp_path.glob('xboard*')))}"
            return open_ones.enter_context(xboard_ics(screen, home, *arguments, **more))  # type: ignore[arg-type]

        yield opened


def test_a_person_mates_as_white_and_as_black_and_agrees_to_a_draw(tmp_path: Path, opens: Opens) -> None:
    """A takeback is refused and then agreed to, a draw declined; XBoard's own record has the games."""
    with fast(tmp_path / "data", "ics") as running, closing(IcsClient(running.ports[0]).comes("bert")) as bert:
        window = opens(running.ports[0])
        name = window.comes()
        bert.asks("who")
        bert.type(f"match {name} 5 0 u black")
        window.hears("Challenge: bert")
        window.says("accept")
        window.hears("<12> ")
        for mine, theirs in (("e2e4", "e5"), ("f1c4", "Nc6")):
            window.moves(mine)
            bert.type(theirs)
            window.hears("<12> ")
        window.presses(RETRACT, "takeback 2")
        bert.hears("would like to take back 2 half move(s).")
        bert.type("decline")
        window.hears("bert declines the takeback request.")
        window.presses(RETRACT, "takeback 2")
        bert.hears("would like to take back 2 half move(s).")
        bert.type("accept")
        window.hears("<12> ")
        window.moves("d1h5")
        bert.type("Nc6")
        window.hears("N/b8-c6")
        window.presses(DRAW, "draw")
        bert.hears("offers you a draw.")
        bert.type("decline")
        window.hears("bert declines the draw request.")
        window.moves("f1c4")
        bert.type("Nf6")
        window.hears("N/g8-f6")
        window.moves("h5f7")
        window.hears("bert checkmated} 1-0")
        begins(window, bert)
        bert.type("f3")
        window.hears("P/f2-f3")
        window.moves("e7e5")
        bert.type("g4")
        window.hears("P/g2-g4")
        window.moves("d8h4")
        window.hears("bert checkmated} 0-1")
        begins(window, bert)
        bert.type("e4")
        window.hears("P/e2-e4")
        window.moves("e7e5")
        bert.type("draw")
        window.hears("bert offers you a draw.")
        window.presses(DRAW, "draw")
        bert.hears("Game drawn by mutual agreement} 1/2-1/2")
        window.hears("1/2-1/2")
        mates = [("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "1-0"), ("f2f3 e7e5 g2g4 d8h4", "0-1")]
        assert window.games(3) == [*mates, ("e2e4 e7e5", "1/2-1/2")]


def begins(window: XBoardIcs, bert: IcsClient) -> None:
    """A game that the window asks for, with Black."""
    window.says("match bert 5 0 u black")
    bert.hears("Challenge: ")
    bert.type("accept")
    window.hears("<12> ")


def test_a_person_adjourns_goes_on_and_comes_back_after_the_server_was_killed(tmp_path: Path, opens: Opens) -> None:
    data = with_accounts(tmp_path)
    with fast(data, "ics") as running, closing(IcsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert:
        window = opens(running.ports[0], "Anna", PASSWORD)
        window.comes()
        window.says("match Bert 5 0 u white")
        bert.hears("Challenge: ")
        bert.type("accept")
        window.hears("<12> ")
        window.moves("e2e4")
        bert.type("e5")
        window.hears("P/e7-e5")
        window.presses(ADJOURN, "adjourn")
        bert.hears("would like to adjourn the game")
        bert.type("adjourn")
        window.hears("Game adjourned by mutual agreement} *")
        bert.asks("match Anna")
        window.says("match Bert")
        window.hears("Continuing", "<12> ")
        window.moves("g1f3")
        running.kill()
    with (
        fast(data, "ics", ports=dict(enumerate(running.ports))) as running,
        closing(IcsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert,
    ):
        window = opens(running.ports[0], "Anna", PASSWORD)
        window.comes()
        window.hears("N/g1-f3")
        bert.type("Nc6")
        window.hears("N/b8-c6")
        window.moves("f1b5")
        bert.hears("B/f1-b5")
        window.presses(RESIGN, "resign")
        bert.hears("Anna resigns} 0-1\n")
        window.hears("Anna resigns} 0-1")
        assert window.games(1) == [("e2e4 e7e5 g1f3 b8c6 f1b5", "0-1")], "it has asked for the moves from before"


def test_an_engine_behind_it_leaves_offers_open_and_comes_back_after_the_server_was_killed(
    tmp_path: Path, opens: Opens
) -> None:
    """It has no answer to a takeback, a draw or an adjournment: they are withdrawn, and the game goes on."""
    data = with_accounts(tmp_path)
    engine = ("-zp", "-fcp", str(peers.program("hoichess", GAMES)))
    with fast(data, "ics") as running, closing(IcsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert:
        window = opens(running.ports[0], "Anna", PASSWORD, options=engine)
        window.comes()
        bert.type("match Anna 2 0 u white")
        bert.hears("Creating: ")
        bert.board()
        moves(bert, "e2e3")
        for offer, told in (
            ("takeback 2", "would like to take back 2 half move(s)."),
            ("draw", "offers you a draw."),
            ("adjourn", "would like to adjourn the game"),
        ):
            bert.type(offer)
            window.hears(f"Bert {told}")
            bert.asks("withdraw")
            window.hears("Bert withdraws the ")
        moves(bert, "a2a3")
        running.kill()
    with (
        fast(data, "ics", ports=dict(enumerate(running.ports))) as running,
        closing(IcsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert,
    ):
        window = opens(running.ports[0], "Anna", PASSWORD, options=engine)
        window.comes()
        window.hears("Movelist for game ")
        moves(bert, "h2h3")
        bert.type("resign")
        window.hears("Bert resigns} 0-1")


def moves(bert: IcsClient, move: str) -> None:
    """A move, and the engine's answer."""
    bert.type(move)
    bert.hears(f"P/{move[:2]}-{move[2:]}")
    assert bert.board()[18] == "1"
