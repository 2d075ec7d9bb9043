"""Plug-ins of other distributions in a running server: one that does not load, and tables of one that was removed."""

from __future__ import annotations

import json
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gateway import registry
from gateway.cli import main
from tests.laws.test_plug_ins import GUESSING, install
from tests.running import RunningServer, server
from tests.web_client import WebClient


@pytest.fixture
def plug_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which this process and its servers import."""
    folder = tmp_path / "plug-ins"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    registry.forget()
    yield folder
    registry.forget()


def run(data: Path, *words: str, **environment: str) -> Result:
    named = {f"BOARDGATE_{name}": text for name, text in environment.items()}
    return CliRunner().invoke(main, [*words, "--data", str(data)], env=named)


def get(running: RunningServer, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[0]}{path}") as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def played(running: RunningServer, *, over: bool) -> int:
    """A table of the plug-in's game with two players; its number."""
    ann, bea = WebClient(running.ports[0]), WebClient(running.ports[0])
    for name, page in (("ann", ann), ("bea", bea)):
        page.hello()
        page.say("join", game="guessing", name=name)
        page.until("seated")
    ann.until("moves")
    if over:
        ann.play(None, 0, "guess")
        bea.until("GameEnded")
    ann.close()
    bea.close()
    return ann.table


def removed(folder: Path) -> None:
    """Uninstall what is in it."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    registry.forget()


def test_a_plug_in_that_does_not_load_is_named_and_left_out_or_stops_the_start(tmp_path: Path, plug_ins: Path) -> None:
    install(plug_ins, "falls", "[boardgate.games]\nfalls = falling:Falls\n", falling="1 / 0\n")
    wrong = "the game 'falls' is left out, falling:Falls of falls 1.0 does not load: ZeroDivisionError"
    data = tmp_path / "data"
    with server(data, "http", BOTS_WORKERS="0") as running:
        listed = json.loads(get(running, "/api/games")[1])["games"]
        assert "chess" in {game["game"] for game in listed}
    (named,) = (line for line in running.log.read_text().splitlines() if "falls" in line)
    assert wrong in named
    assert "Traceback" not in running.log.read_text()
    listing = CliRunner().invoke(main, ["games"])
    assert (listing.exit_code, listing.stderr.count("\n")) == (0, 1)
    assert wrong in listing.stderr
    checked = run(data, "serve", "--check", SERVER_BROKEN_PLUGINS="stop")
    assert checked.exit_code == 1
    assert f"WRONG  {wrong}" in checked.output
    stopped = run(data, "serve", SERVER_BROKEN_PLUGINS="stop")
    assert stopped.exit_code == 1
    assert stopped.output.splitlines()[-1].startswith(f"Error: {wrong}")
    assert "(server.broken_plugins)" in stopped.output


def test_a_table_whose_game_is_not_installed_any_more_says_so_and_nothing_else_suffers(
    tmp_path: Path, plug_ins: Path
) -> None:
    install(plug_ins, "guessing-game", "[boardgate.games]\nguessing = guessing_game:Guessing\n", guessing_game=GUESSING)
    data = tmp_path / "data"
    with server(data, "http", BOTS_WORKERS="0") as running:
        over, unfinished = played(running, over=True), played(running, over=False)
        assert json.loads(get(running, "/api/games/guessing")[1])["title"] == "Guess the Number"
        assert running.stop() == 0
    removed(plug_ins)
    with server(data, "http", BOTS_WORKERS="0") as running:
        for table in (over, unfinished):
            cause = {"error": "not_installed", "message": "the game 'guessing' of this table is not installed here"}
            for path in ("", "/legal", "/export?format=pgn"):
                status, said = get(running, f"/api/tables/{table}{path}")
                assert (status, json.loads(said)) == (501, cause), path
            status, said = get(running, f"/table/{table}")
            assert status == 501
            assert "The game &#39;guessing&#39; of this table is not installed here." in said
            assert get(running, f"/api/tables/{table}/events")[0] == 200
            assert get(running, f"/api/tables/{table}/export")[0] == 200
        for path in ("/", "/tv", "/people/ann", "/games", "/api/tables", "/readyz"):
            assert get(running, path)[0] == 200, path
        assert "guessing" in get(running, "/people/ann")[1]
        page = WebClient(running.ports[0])
        page.hello()
        page.say("join", game="tic_tac_toe", name="cat")
        assert page.until("seated")["table"] not in (over, unfinished)
        page.close()
    assert "Traceback" not in running.log.read_text()
    assert_proved(data, over)
    shown = run(data, "show", str(over))
    assert shown.exit_code == 1
    assert "the game 'guessing' of this table is not installed here" in shown.output
    assert run(data, "export", str(over)).exit_code == 0
    assert run(data, "tables").exit_code == 0


def assert_proved(data: Path, table: int) -> None:
    """Its chain is proved, the rest is said not to be, and it is not WRONG."""
    one = run(data, "verify", str(table))
    assert one.exit_code == 0
    assert "the game 'guessing' is not installed here: its moves and dice are not proved" in one.output
    assert "by the rules" not in one.output
    whole = run(data, "verify", "--all")
    assert whole.exit_code == 0
    assert "2 records of 'guessing', a game that is not installed here" in whole.output
    told: dict[str, Any] = json.loads(run(data, "verify", str(table), "--json").output)
    assert (told["sound"], told["not_installed"]) == (True, "guessing")
