"""Which engines play, by the settings or because they are there, and what is refused at the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.bots import engines as engines_module
from gateway.bots.engines import engines
from gateway.bots.uci import Uci
from gateway.config import BadSetting, EngineBot


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder where programs are."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engines_module, "GAMES_FOLDER", str(tmp_path / "games"))
    return tmp_path


def program(file: Path) -> str:
    file.parent.mkdir(exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize("name", ["stockfish", "games/stockfish"])
def test_where_nothing_is_said_an_installed_stockfish_plays_chess(folder: Path, name: str) -> None:
    path = program(folder / name)
    found = engines(None)
    assert [(engine.game, engine.name, engine.command) for engine in found] == [("chess", "stockfish", (path,))]
    assert found[0].conversations == (Uci,)
    assert found[0].settings == EngineBot("chess", "stockfish", "uci")


def test_where_nothing_is_said_and_nothing_is_installed_no_engine_plays(folder: Path) -> None:
    assert engines(None) == ()


def test_no_engine_plays_where_none_is_chosen(folder: Path) -> None:
    program(folder / "stockfish")
    assert engines([]) == ()


def test_a_command_is_read_as_a_shell_would_and_run_from_where_it_is(folder: Path) -> None:
    path = program(folder / "fairy")
    elsewhere = program(folder / "my engine")
    for command, words in [("fairy -v '1 2'", (path, "-v", "1 2")), (f"'{elsewhere}' x", (elsewhere, "x"))]:
        assert engines([EngineBot("Chess", command, "uci")])[0].command == words


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ([EngineBot("chesss", "engine")], "[[bot]] of chesss: no game 'chesss'; there are "),
        (
            [EngineBot("chess", "missing -x")],
            "[[bot]] of chess: command 'missing -x': there is no executable 'missing'",
        ),
        ([EngineBot("chess", "text")], "there is no executable 'text'"),
        ([EngineBot("chess", " ")], "there is no executable ''"),
        ([EngineBot("chess", "engine 'x")], 'command "engine \'x": No closing quotation'),
        ([EngineBot("chess", "engine", "usi")], "[[bot]] of chess: there is no protocol 'usi'; there are auto, uci"),
        ([EngineBot("ludo", "engine")], "[[bot]] of ludo: no engine's protocol here can play ludo; uci plays chess"),
        ([EngineBot("ludo", "engine", "uci")], "can play ludo"),
        (
            [EngineBot("chess", "engine"), EngineBot("CHESS", "engine")],
            "[[bot]] of CHESS: there are two called 'engine'",
        ),
        ([EngineBot("chess", "engine", name="house")], "[[bot]] of chess: name 'house'"),
        ([EngineBot("chess", "engine", name="bot-2")], "[[bot]] of chess: name 'bot-2'"),
        ([EngineBot("chess", "engine", name="Two Words")], "[[bot]] of chess: name 'Two Words'"),
    ],
)
def test_an_engine_that_cannot_play_is_refused_with_the_reason(
    folder: Path, chosen: list[EngineBot], said: str
) -> None:
    program(folder / "engine")
    (folder / "text").write_text("not executable")
    with pytest.raises(BadSetting) as refusal:
        engines(chosen)
    assert said in str(refusal.value)


def test_several_engines_of_a_game_have_names_and_the_first_is_the_usual_one(folder: Path) -> None:
    """ "named bots (`--against gnugo`, `--against stockfish:3`)": the program's own name where none is given."""
    program(folder / "Stock Fish")
    program(folder / "engine")
    chosen = [
        EngineBot("chess", "engine", name="max"),
        EngineBot("chess", "'Stock Fish' -x"),
        EngineBot("go", "engine"),
    ]
    assert [(engine.game, engine.name) for engine in engines(chosen)] == [
        ("chess", "max"),
        ("chess", "stock-fish"),
        ("go", "engine"),
    ]
