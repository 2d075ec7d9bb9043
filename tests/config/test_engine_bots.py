"""House bots that are engines, as a file and as the environment has them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.config import BadSetting, EngineBot, load
from gateway.config.engine_bots import engine_bots, parse_engine_bots

WHOLE = """
[[bot]]
game = "chess"
command = "stockfish"
protocol = "uci"
processes = 2
move_time = "1s"
[bot.options]
"Skill Level" = 3
Ponder = false
SyzygyPath = "/srv/a, b; c"
[[bot]]
game = "go"
command = "gnugo --mode gtp"
"""

SKILLED = EngineBot("chess", "stockfish", "uci", 2, 1.0, {"Skill Level": "3", "Ponder": "false"})


def wrote(folder: Path, text: str) -> Path:
    file = folder / "club.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_has_a_table_for_each_engine(tmp_path: Path) -> None:
    options = {"Skill Level": "3", "Ponder": "false", "SyzygyPath": "/srv/a, b; c"}
    assert load(wrote(tmp_path, WHOLE)).bot == (
        EngineBot("chess", "stockfish", "uci", 2, 1.0, options),
        EngineBot("go", "gnugo --mode gtp"),
    )


def test_where_nothing_is_said_of_engines_that_is_known(tmp_path: Path) -> None:
    assert load(wrote(tmp_path, "")).bot is None
    assert load(wrote(tmp_path, ""), {"BOARDGATE_BOT": " "}).bot is None


def test_no_engine_at_all_can_be_said(tmp_path: Path) -> None:
    assert load(wrote(tmp_path, "bot = []")).bot == ()
    assert load(wrote(tmp_path, WHOLE), {"BOARDGATE_BOT": "none"}).bot == ()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    environ = {"BOARDGATE_BOT": "chess=fairymax -x,processes=3"}
    assert load(wrote(tmp_path, WHOLE), environ).bot == (EngineBot("chess", "fairymax -x", processes=3),)


@pytest.mark.parametrize(
    ("text", "engines"),
    [
        ("chess=stockfish", (EngineBot("chess", "stockfish"),)),
        (
            "chess=stockfish,protocol=uci,processes=2,move_time=1s,option.Skill Level=3,option.Ponder=false",
            (SKILLED,),
        ),
        (
            " chess = a b , move_time = 20ms ; go=c=d",
            (EngineBot("chess", "a b", move_time_s=0.02), EngineBot("go", "c=d")),
        ),
        ("None", ()),
    ],
)
def test_engines_are_read_from_one_line(text: str, engines: tuple[EngineBot, ...]) -> None:
    assert parse_engine_bots(text, "BOARDGATE_BOT") == engines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stockfish", "BOARDGATE_BOT: 'stockfish': write GAME=COMMAND[,KEY=VALUE...]"),
        ("chess=", "BOARDGATE_BOT: 'chess=' command: '' is not a text in quotes"),
        ("=stockfish", "game: '' is not a text in quotes"),
        ("chess=a;", "BOARDGATE_BOT: '': write GAME=COMMAND"),
        ("chess=a,b", "'b' is not KEY=VALUE"),
        ("chess=a,proceses=2", "there is no setting proceses; did you mean processes?"),
        ("chess=a,Skill Level=2", "there is no setting Skill Level; there are game, command, protocol"),
        ("chess=a,processes=2,processes=3", "processes is given twice"),
        ("chess=a,option.X=2,option.X=3", "option.X is given twice"),
        ("chess=a,options=3", "there is no setting options; did you mean option.NAME?"),
        ("chess=a,processes=0", "processes: 0 is less than 1"),
        ("chess=a,processes=65", "processes: 65 is more than 64"),
        ("chess=a,move_time=0s", "move_time: '0s' is less than 0.01 s"),
        ("chess=a,move_time=never", '"never" is not possible here'),
    ],
)
def test_what_is_wrong_with_a_line_is_said(text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        parse_engine_bots(text, "BOARDGATE_BOT")
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[bot]\nworkers = 2", "bot is a list; begin each engine with a line [[bot]]; all house bots are [bots]"),
        ("bot = 'stockfish'", "bot is a list"),
        ("bot = [1]", "bot is a list"),
        ("[[bot]]\ngame = 'chess'", "[[bot]] number 1: game and command are needed"),
        ("[[bot]]\ncommand = 'a'", "[[bot]] number 1: game and command are needed"),
        ("[[bot]]\ngame = 'chess'\ncommand = 7", "[[bot]] number 1 command: 7 is not a text in quotes"),
        (
            "[[bot]]\ngame = 'a'\ncommand = 'b'\n[[bot]]\ngames = 'c'",
            "number 2: there is no setting games; did you mean game?",
        ),
        ("[[bot]]\ngame = 'a'\ncommand = 'b'\nmove_time = 500", "move_time: '500' is no duration"),
        ("[[bot]]\ngame = 'a'\ncommand = 'b'\noptions = 1", "options is a section; write [bot.options]"),
        ("[[bot]]\ngame = 'a'\ncommand = 'b'\n[bot.options]\nx = []", "option x is neither a text nor a number"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        load(wrote(tmp_path, text))
    assert said in str(refusal.value)
    assert "club.toml" in str(refusal.value)


def test_the_examples_of_the_documentation_are_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    (example,) = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "[[bot]]" in block]
    (line,) = re.findall(r"BOARDGATE_BOT='(.*?)'", text)
    engine = EngineBot("chess", "stockfish", move_time_s=1.0, options={"Skill Level": "3"})
    assert parse_engine_bots(line, "BOARDGATE_BOT") == (engine,)
    assert engine_bots(tomllib.loads(example)["bot"], "settings.md") == (replace(engine, processes=2),)
