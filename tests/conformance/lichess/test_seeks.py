"""Seeks by the board API, as programs of berserk make them: taken, given up, met by another's, and with a player's."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import requests

from tests.conformance.chess_text_players import PeerToPeerPlayer
from tests.conformance.figures import until
from tests.conformance.lichess.served import Served, made, serving
from tests.conformance.lichess.test_berserk import Program, programs
from tests.conformance.lichess.test_bots import delete


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("seeks")
    tokens = made(data, bots=("Robo",), people=("Anna", "Bert", "Carl"))
    with serving(data, tokens, PeerToPeerPlayer.listener) as served:
        yield served


@pytest.fixture
def seekers(here: Served) -> Iterator[dict[str, Program]]:
    """Programs whose event streams are open."""
    with ExitStack() as ending:
        names = ("Anna", "Bert", "Robo")
        found = dict(zip(names, ending.enter_context(programs(here, *names)), strict=True))
        for name, program in found.items():
            client = program.client.bots if name == "Robo" else program.client.board
            program.follow("events", client.stream_incoming_events)
        yield found


def seeking(program: Program, *arguments: Any, **more: Any) -> threading.Thread:
    """A thread that is through when the seek is over."""
    thread = threading.Thread(target=program.client.board.seek, args=arguments, kwargs=more, daemon=True)
    thread.start()
    return thread


def offers(here: Served) -> list[dict[str, Any]]:
    """The offers to everybody that stand."""
    found: list[dict[str, Any]] = here.person("Carl").ask("/api/offers")[1]["offers"]
    return found


def begins(program: Program) -> dict[str, Any]:
    """The newest game that begins."""
    game: dict[str, Any] = program.wait("events", lambda line: line["type"] == "gameStart")["game"]
    return game


def test_a_seek_is_open_until_it_is_taken(here: Served, seekers: dict[str, Program]) -> None:
    anna, robo = seekers["Anna"], seekers["Robo"]
    thread = seeking(anna, 10, 5, color="black", variant="atomic")
    told = robo.wait("events", lambda line: line["type"] == "challenge")["challenge"]
    assert (told["challenger"]["name"], told["color"], told["variant"]["key"]) == ("Anna", "black", "atomic")
    assert told["timeControl"] == {"type": "clock", "limit": 600, "increment": 5, "show": "10+5"}
    assert thread.is_alive()
    assert anna.client.challenges.get_mine()["out"] == []
    robo.client.bots.accept_challenge(told["id"])
    game = begins(anna)
    assert (game["id"], game["color"]) == (told["id"], "black")
    thread.join(30.0)
    assert not thread.is_alive()
    anna.client.board.abort_game(game["id"])


def test_a_seek_whose_request_is_closed_stands_no_more(here: Served, seekers: dict[str, Program]) -> None:
    headers = {"Authorization": f"Bearer {here.tokens['Anna']}"}
    path = f"http://127.0.0.1:{here.port}/api/board/seek"
    with requests.post(path, {"time": "0.5", "increment": "0"}, headers=headers, stream=True, timeout=15) as answer:
        assert answer.status_code == 200
        (offer,) = until(lambda: offers(here), bool)
        assert (offer["by"], offer["time"]) == ("Anna", "30")
    until(lambda: offers(here), lambda found: not found)
    assert all(line["type"] != "challengeDeclined" for line in seekers["Anna"].told["events"])


def test_a_seek_that_is_withdrawn_elsewhere_ends_its_request(here: Served, seekers: dict[str, Program]) -> None:
    thread = seeking(seekers["Anna"], 5, 0)
    (offer,) = until(lambda: offers(here), bool)
    delete(here, "Anna", offer["id"])
    thread.join(30.0)
    assert not thread.is_alive()


def test_two_seeks_meet(here: Served, seekers: dict[str, Program]) -> None:
    anna, bert = seekers["Anna"], seekers["Bert"]
    threads = [seeking(anna, 5, 3, color="white")]
    until(lambda: offers(here), bool)
    threads.append(seeking(bert, 5, 3))
    for thread in threads:
        thread.join(30.0)
        assert not thread.is_alive()
    assert [begins(anna)["color"], begins(bert)["color"]] == ["white", "black"]
    assert begins(anna)["id"] == begins(bert)["id"]
    anna.client.board.abort_game(begins(anna)["id"])
    assert offers(here) == []


def test_a_seek_finds_a_player_of_another_dialect_who_waits(here: Served, seekers: dict[str, Program]) -> None:
    anna, mina = seekers["Anna"], PeerToPeerPlayer(here.running.ports[1], "mina")
    mina.sit(True, "e2e4")
    thread = seeking(anna, 5, 0)
    mina.begin()
    thread.join(30.0)
    assert not thread.is_alive()
    game = begins(anna)
    assert (game["opponent"]["username"], game["color"]) == ("mina", "black")
    anna.client.board.resign_game(game["id"])
    anna.wait("events", lambda line: line["type"] == "gameFinish")
    mina.close()


def test_a_seek_by_days_is_answered_and_stands_without_a_request(here: Served, seekers: dict[str, Program]) -> None:
    headers = {"Authorization": f"Bearer {here.tokens['Anna']}"}
    path = f"http://127.0.0.1:{here.port}/api/board/seek"
    answer = requests.post(path, {"days": "3"}, headers=headers, timeout=15)
    (offer,) = offers(here)
    assert (offer["by"], offer["time"]) == ("Anna", "3d/move")
    seekers["Anna"].client.challenges.cancel(answer.json()["id"])
    assert offers(here) == []


@pytest.mark.parametrize("fields", [{}, {"time": "0", "increment": "0"}, {"time": "5", "variant": "shogi"}])
def test_a_seek_that_cannot_be_is_refused(here: Served, fields: dict[str, str]) -> None:
    headers = {"Authorization": f"Bearer {here.tokens['Anna']}"}
    path = f"http://127.0.0.1:{here.port}/api/board/seek"
    answer = requests.post(path, fields, headers=headers, timeout=15)
    assert (answer.status_code, list(answer.json())) == (400, ["error"])
    bot = requests.post(path, headers={"Authorization": f"Bearer {here.tokens['Robo']}"}, timeout=15)
    assert bot.status_code == 403
