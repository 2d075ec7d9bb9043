"""An engine that lists game_ok is asked about every game before it begins, and plays none that it has refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import LISTED, Engine, Reply
from tests.conformance.gtp.matching_room import NINE, THIRTEEN, Room, begins, room, serving, waits
from tests.conformance.servers import fast
from tests.running import RunningServer

ASKS: Final = f"{LISTED} game_ok"
NINE_BY_NINE: Final = "0 fixed positional forbidden area none"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(tmp_path_factory.mktemp("game_ok")) as running:
        yield running


@pytest.fixture
def here(server: RunningServer) -> Iterator[Room]:
    with room(server) as found:
        yield found


def asked(engine: Engine, word: str = "game_ok") -> list[str]:
    return [words for words in engine.asked if words.startswith(word)]


def only(name: str) -> Reply:
    """Agrees to every game against ``name``, and to no other."""
    return lambda words: "y" if words.split()[2] == name else "n"


def to_programs(answer: str) -> Reply:
    """Agrees to every game against a GUI, and answers so about engines."""
    return lambda words: answer if "Thinker" in words else "y"


@pytest.mark.parametrize("engine_first", [True, False])
def test_a_gui_that_wants_just_what_the_listener_says_is_asked_about_and_told_of_the_refusal(
    here: Room, engine_first: bool
) -> None:
    """ "This is the bridge's query to the engine, as to whether a particular game is acceptable." """
    gui = here.gui("boardsize 9", "clear_board", name=(name := f"anna{engine_first}"))
    if not engine_first:
        gui.sends("play b D4")
        here.sit(1)
    engine = here.engine(NINE, listed=ASKS, game_ok="n")
    if engine_first:
        here.sit(1)
        gui.sends("play b D4")
    assert gui.answer().endswith(" 1 does not want to play 9x9, area")
    gui.sends("play b D4")  # asked again, the command waits
    here.sit(1, 1)
    assert asked(engine) == [f"game_ok white {name} {NINE_BY_NINE}"]
    assert "play black D4" not in engine.asked


def test_a_gui_that_is_acceptable_plays_and_the_next_one_is_asked_about_again(here: Room) -> None:
    engine = here.engine(NINE, listed=ASKS, game_ok="y")
    for name in ("dora", "emil"):
        gui = here.gui("boardsize 9", "clear_board", name=name)
        assert waits(gui, "play b D4") == "="
        assert gui.asks("genmove w") == "= resign"
    assert asked(engine) == [f"game_ok white {name} {NINE_BY_NINE}" for name in ("dora", "emil")]


def test_who_leaves_the_settings_open_is_asked_about(here: Room) -> None:
    """A Bogaprot client without options takes any game; this engine takes no game of it, and the next one does."""
    engine = here.engine(NINE, listed=ASKS, game_ok="n")
    here.sit(1)
    client = here.client("go?name=fred")
    assert engine.wait_until_asked("game_ok").endswith(f" fred {NINE_BY_NINE}")
    here.engine(NINE)
    begins(client)
    assert not asked(engine, "genmove")
    assert len(asked(engine)) <= 2, "once about each of them"


def test_two_engines_are_both_asked(here: Room) -> None:
    one = here.engine(NINE, listed=ASKS, game_ok="y", genmove="pass")
    here.sit(1)
    other = here.engine(NINE, listed=ASKS, game_ok="y", genmove="pass")
    for engine in (one, other):
        engine.wait_until_asked("genmove")
        assert engine.asked.index("clear_board") > engine.asked.index(asked(engine)[0])


@pytest.mark.parametrize("listeners", [(NINE, NINE), (NINE, THIRTEEN)])
@pytest.mark.parametrize("answers", [("n", "y"), ("y", "n"), ("n", "n")])
def test_engines_of_which_one_refuses_are_not_made_to_play_and_are_free_for_others(
    here: Room, listeners: tuple[int, int], answers: tuple[str, str]
) -> None:
    engines = []
    for listener, answer in zip(listeners, answers, strict=True):
        engines.append(here.engine(listener, listed=ASKS, game_ok=to_programs(answer)))
        here.sit(*[1] * len(engines))
    for listener in listeners:
        gui = here.gui(f"boardsize {9 if listener == NINE else 13}", "clear_board")
        assert waits(gui, "play b D4") == "="
        assert gui.asks("genmove w") == "= resign"
    for engine, answer in zip(engines, answers, strict=True):
        refused = [words for words in asked(engine) if "Thinker" in words and answer == "n"]
        assert len(refused) == len(set(refused)), "it is not offered again unchanged"
        assert "genmove black" not in engine.asked
    assert any("does not want to play" in words for engine in engines for words in engine.comments)


def test_a_house_bot_is_an_opponent_like_any_other(tmp_path: Path) -> None:
    """One that is refused leaves no trace: the engine waits for players then."""
    listeners = ("gtp-engine,size=9", "gtp-gui,bot_after=never")
    with fast(tmp_path, *listeners, SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running:
        with Engine(running.ports[0], {"game_ok": "y", "genmove": "resign"}, listed=ASKS) as engine:
            engine.wait_until_asked("genmove")
            assert asked(engine)[0] == f"game_ok black bot-2 {NINE_BY_NINE}"
        with Engine(running.ports[0], {"game_ok": only("hilda"), "genmove": "resign"}, listed=ASKS) as engine:
            assert engine.wait_until_asked("game_ok") == f"game_ok black bot-2 {NINE_BY_NINE}"
            gui = OnPort(running.ports[1], "hilda")
            gui.sets("boardsize 9", "clear_board")
            assert waits(gui, "play b D4") == "="
            assert gui.asks("genmove w") == "= resign"
            gui.close()
            assert len([words for words in asked(engine)[:2] if "bot-2" in words]) == 1
