"""Bots as lichess-bot runs them: whole games, challenges of others, refusals, a killed server."""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import chess
import pytest

from tests.conformance.lichess.runner import Ended, Runner, first
from tests.conformance.lichess.served import Served, made, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("lichess")
    tokens = made(data, bots=("Robo", "Mecha", "Toy", "Gears"), people=("Anna", "Bert"))
    with serving(data, tokens) as served:
        yield served


@pytest.fixture
def runners() -> Iterator[list[Runner]]:
    started: list[Runner] = []
    yield started
    for runner in started:
        runner.stop()


def started(served: Served, runners: list[Runner], name: str, **more: Any) -> Runner:
    runner = Runner(served.port, served.tokens[name], **more)
    runner.start()
    runners.append(runner)
    runner.wait(lambda: "event" in runner.streams)
    return runner


def named_only(challenge: dict[str, Any]) -> str:
    """Takes challenges that are made to the bot, and no open ones."""
    return "" if challenge["destUser"] else "later"


SHORT = {
    "standard": ("f2f3", "e7e5", "g2g4", "d8h4"),
    "atomic": ("g1f3", "a7a6", "f3g5", "a6a5", "g5f7"),
}
"""Whole games of a few moves; any other one is given up after a while."""

GIVES_UP = 21
"""Moves of a game that is given up."""


def brain_of(line: tuple[str, ...], seed: int) -> Any:
    """Plays a line of moves, or moves that are drawn, and then gives up."""
    drawn = random.Random(seed)

    def brain(board: chess.Board) -> str:
        if line:
            return line[len(board.move_stack)]
        moves = sorted(move.uci() for move in board.legal_moves)
        return drawn.choice(moves) if len(board.move_stack) < GIVES_UP else ""

    return brain


def a_game(one: Runner, other: str, **fields: str) -> str:
    """Have a bot challenge another; the game's identifier, once it has begun for both."""
    status, challenge = one.asker.post(f"/api/challenge/{other}", **fields)
    assert status == 200, challenge
    one.wait(lambda: [event for event in one.events("gameStart") if event["game"]["id"] == challenge["id"]])
    return str(challenge["id"])


def over(bot: Runner, game: str) -> bool:
    return bool(bot.last(game).get("status", "started") != "started")


def opened(bot: Runner, game: str, times: int) -> bool:
    """True if a game's stream was opened so many times."""
    return bot.streams.count(game) == times


@pytest.mark.parametrize(
    ("variant", "colour", "name"),
    [
        ("standard", "white", "Standard"),
        ("chess960", "black", "Chess960"),
        ("crazyhouse", "random", "Crazyhouse"),
        ("atomic", "white", "Atomic"),
        ("antichess", "black", "Antichess"),
        ("horde", "white", "Horde"),
        ("racingKings", "random", "Racing Kings"),
        ("kingOfTheHill", "white", "King of the Hill"),
        ("threeCheck", "black", "Three-check"),
    ],
)
def test_two_bots_play_a_whole_game(here: Served, runners: list[Runner], variant: str, colour: str, name: str) -> None:
    lines = SHORT.get(variant, ())
    one = started(here, runners, "Robo", brain=brain_of(lines, 5), takes=named_only)
    other = started(here, runners, "Mecha", brain=brain_of(lines, 6), takes=named_only)
    clock = {"clock.limit": "300", "clock.increment": "3"}
    game = a_game(one, "Mecha", variant=variant, color=colour, **clock)
    for bot in (one, other):
        bot.wait(partial(over, bot, game), 100.0)
    full, last = one.told[game][0], one.last(game)
    assert full["variant"]["name"] == name
    assert full["speed"] == "blitz"
    assert full["clock"] == {"initial": 300_000, "increment": 3_000}
    assert {full["white"]["title"], full["black"]["title"]} == {"BOT"}
    assert last["status"] == {"standard": "mate", "atomic": "variantEnd"}.get(variant, "resign")
    assert other.last(game)["moves"] == last["moves"]
    assert {status for _, _, status in (*one.moved, *other.moved)} == {200}
    one.wait(lambda: one.events("gameFinish"))
    assert one.events("gameFinish")[0]["game"]["status"]["name"] == last["status"]
    assert one.streams.count(game) == other.streams.count(game) == 1
    status, pgn = one.asker.ask("GET", f"/game/export/{game}")
    assert status == 200
    assert f'[White "{full["white"]["name"]}"]' in pgn


def test_a_person_challenges_a_bot_by_name_from_the_api(here: Served, runners: list[Runner]) -> None:
    bot = started(here, runners, "Toy", takes=named_only)
    number = here.offers("Anna", to="Toy", time="600+5", side=0)
    bot.wait(lambda: bot.events("challenge"))
    challenge = bot.events("challenge")[0]["challenge"]
    assert challenge["challenger"]["name"] == "Anna"
    assert challenge["timeControl"] == {"type": "clock", "limit": 600, "increment": 5, "show": "10+5"}
    assert (challenge["color"], challenge["speed"], challenge["rated"]) == ("white", "rapid", False)
    person = here.person("Anna")
    with_deadline(lambda: person.ask(f"/api/tables/{number}")[0] == 200)
    table = person.table(number)
    assert {seat["name"] for seat in table["seats"]} == {"Anna", "Toy"}


def test_a_declined_challenge_is_gone_and_is_not_told_again(here: Served, runners: list[Runner]) -> None:
    bot = started(here, runners, "Toy", takes=lambda challenge: "variant")
    number = here.offers("Anna", to="Toy", variant="atomic", time="300")
    bot.wait(lambda: bot.events("challenge"))
    person = here.person("Anna")
    with_deadline(lambda: person.ask(f"/api/offers/{number}")[0] == 404)
    assert len(bot.events("challenge")) == 1


def test_a_game_that_the_api_has_no_words_for_is_declined_for_the_bot(here: Served, runners: list[Runner]) -> None:
    bot = started(here, runners, "Toy")
    number = here.offers("Anna", to="Toy", variant="suicide", time="300")
    person = here.person("Anna")
    with_deadline(lambda: person.ask(f"/api/offers/{number}")[0] == 404)
    assert not bot.events("challenge")


def test_an_open_offer_is_taken_by_a_bot_and_declined_ones_are_told_once(here: Served, runners: list[Runner]) -> None:
    bot = started(here, runners, "Gears", takes=lambda challenge: "later" if challenge["rated"] else "")
    rated = here.offers("Bert", time="300", rated=True)
    unrated = here.offers("Bert", time="60")
    person = here.person("Bert")
    with_deadline(lambda: person.ask(f"/api/offers/{unrated}")[1].get("state") == "taken")
    assert person.ask(f"/api/offers/{rated}")[1]["state"] == "stands"
    assert sum(event["challenge"]["rated"] for event in bot.events("challenge")) == 1
    delete(here, "Bert", rated)


def test_an_offer_that_is_withdrawn_is_a_cancelled_challenge(here: Served) -> None:
    asker = Runner(here.port, here.tokens["Toy"]).asker
    stream = asker.stream("/api/stream/event")
    number = here.offers("Anna", to="Toy", time="300")
    lines = (line for line in stream if line is not None)
    challenge = next(line for line in lines if line["type"] == "challenge")["challenge"]
    delete(here, "Anna", number)
    gone = next(line for line in lines if line["type"] == "challengeCanceled")
    assert gone["challenge"]["id"] == challenge["id"]
    assert asker.post(f"/api/challenge/{challenge['id']}/accept")[0] == 404
    stream.close()


def delete(here: Served, name: str, offer: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", here.port, timeout=30.0)
    connection.request("DELETE", f"/api/offers/{offer}", headers=here.person(name)._headers)
    assert connection.getresponse().status == 204
    connection.close()


def with_deadline(found: Any, within_s: float = 30.0) -> None:
    until = time.monotonic() + within_s
    while not found():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_wrong_token_a_missing_scope_and_a_persons_account_end_the_bot(here: Served) -> None:
    with pytest.raises(Ended, match="not valid"):
        Runner(here.port, "bgt_" + "x" * 32).log_in()
    with pytest.raises(Ended, match="scope"):
        Runner(here.port, here.tokens["Anna"]).log_in()
    person = Runner(here.port, here.tokens["Anna"]).asker
    assert "title" not in person.ask("GET", "/api/account")[1]
    status, refused = person.ask("POST", "/api/bot/account/upgrade")
    assert (status, list(refused)) == (403, ["error"])
    assert person.ask("POST", "/api/bot/game/00000012/move/e2e4")[0] == 403
    assert Runner(here.port, "").asker.ask("GET", "/api/account")[0] == 401
    bot = Runner(here.port, here.tokens["Robo"])
    bot.log_in()
    assert bot.asker.ask("POST", "/api/bot/account/upgrade") == (200, {"ok": True})


def test_draws_takebacks_talk_and_the_end_are_told_to_both(here: Served, runners: list[Runner]) -> None:
    one = started(here, runners, "Robo", takes=named_only)
    other = started(here, runners, "Mecha", takes=named_only)
    one.silent = other.silent = True
    game = a_game(one, "Mecha", color="white", **{"clock.limit": "600", "clock.increment": "0"})
    other.wait(lambda: game in other.told)
    path = f"/api/bot/game/{game}"
    assert one.asker.post(f"{path}/move/e2e4") == (200, {"ok": True})
    assert one.asker.post(f"{path}/move/e2e4") == (200, {"ok": True})  # its answer may have been lost
    status, refused = one.asker.post(f"{path}/move/d2d4")
    assert (status, list(refused)) == (400, ["error"])
    assert one.asker.post(f"{path}/move/e9e4")[0] == 400
    assert other.asker.post(f"{path}/move/e7e6?offeringDraw=true") == (200, {"ok": True})
    one.wait(lambda: one.last(game).get("bdraw"))
    assert one.asker.post(f"{path}/draw/no") == (200, {"ok": True})
    other.wait(lambda: "bdraw" not in other.last(game))
    assert other.asker.post(f"{path}/takeback/1") == (200, {"ok": True})
    one.wait(lambda: one.last(game).get("btakeback"))
    assert one.asker.post(f"{path}/takeback/yes") == (200, {"ok": True})
    one.wait(lambda: one.last(game)["moves"] == "e2e4")
    status, _ = one.asker.ask("POST", f"{path}/chat", '{"room":"player","text":"Hello \U0001f600"}', "application/json")
    assert status == 200
    line = other.wait(lambda: [told for told in other.told[game] if told["type"] == "chatLine"])[-1]
    assert (line["room"], line["username"], line["text"]) == ("player", "Robo", "Hello \U0001f600")
    assert other.asker.ask("GET", f"{path}/chat")[1] == [{"text": "Hello \U0001f600", "user": "Robo"}]
    playing = one.asker.ask("GET", "/api/account/playing")[1]["nowPlaying"]
    assert [(each["gameId"], each["opponent"]["username"]) for each in playing] == [(game, "Mecha")]
    assert one.asker.post(f"{path}/resign") == (200, {"ok": True})
    other.wait(lambda: other.last(game)["status"] == "resign")
    assert other.last(game)["winner"] == "black"
    assert one.asker.post(f"{path}/chat", room="player", text="bye") == (200, {"ok": True})
    assert one.asker.post(f"{path}/move/d2d4")[0] == 400


def test_a_draw_by_agreement_and_an_aborted_game_end_so(here: Served, runners: list[Runner]) -> None:
    one = started(here, runners, "Robo", takes=named_only)
    other = started(here, runners, "Mecha", takes=named_only)
    one.silent = other.silent = True
    game = a_game(one, "Mecha", color="white")
    for bot in (one, other):
        bot.wait(lambda: game in one.told and game in other.told)
    assert one.told[game][0]["speed"] == "correspondence"
    assert one.asker.post(f"/api/bot/game/{game}/move/e2e4")[0] == 200
    assert other.asker.post(f"/api/bot/game/{game}/move/e7e5")[0] == 200
    assert one.asker.post(f"/api/bot/game/{game}/draw/1")[0] == 200
    other.wait(lambda: other.last(game).get("wdraw"))
    assert other.asker.post(f"/api/bot/game/{game}/draw/yes")[0] == 200
    one.wait(lambda: one.last(game)["status"] == "draw")
    again = a_game(other, "Robo", color="white", **{"clock.limit": "60", "clock.increment": "1"})
    one.wait(lambda: again in one.told)
    assert other.asker.post(f"/api/bot/game/{again}/move/e2e4")[0] == 200
    assert other.asker.post(f"/api/bot/game/{again}/abort")[0] == 200
    assert one.asker.post(f"/api/bot/game/{again}/abort")[0] == 200
    one.wait(lambda: one.last(again)["status"] == "aborted")
    third = a_game(other, "Robo", color="white", **{"clock.limit": "60", "clock.increment": "1"})
    one.wait(lambda: third in one.told)
    assert one.asker.post(f"/api/bot/game/{third}/abort")[0] == 200
    other.wait(lambda: other.last(third)["status"] == "aborted")


def test_a_stream_has_a_line_every_few_seconds_and_a_newer_one_ends_it(here: Served) -> None:
    asker = Runner(here.port, here.tokens["Toy"]).asker
    older = asker.stream("/api/stream/event")
    assert older.kind == "application/x-ndjson"
    begun = time.monotonic()
    assert next(line for line in older if line is None or line["type"] != "challenge") is None
    assert time.monotonic() - begun < 7.5
    newer = asker.stream("/api/stream/event")
    assert all(line is None or line["type"] == "challenge" for line in older)  # it ends
    status = asker.ask("GET", "/api/users/status?ids=toy,nobody")[1]
    assert [(each["id"], each["online"], each["title"]) for each in status] == [("toy", True, "BOT")]
    newer.close()
    older.close()


def test_a_killed_server_goes_on_with_one_worker_for_each_game(tmp_path: Path, runners: list[Runner]) -> None:
    tokens = made(tmp_path)
    with serving(tmp_path, tokens) as served:
        one = started(served, runners, "Robo", takes=named_only)
        other = started(served, runners, "Mecha", takes=named_only)
        one.silent = other.silent = True
        game = a_game(one, "Mecha", color="white", **{"clock.limit": "600", "clock.increment": "5"})
        other.wait(lambda: game in other.told)
        assert one.asker.post(f"/api/bot/game/{game}/move/e2e4")[0] == 200
        port = served.port
        served.running.kill()
    one.silent = other.silent = False
    with serving(tmp_path, tokens, ports={0: port}):
        for bot in (one, other):
            bot.wait(partial(opened, bot, game, 2), 60.0)
        one.wait(lambda: len(one.last(game).get("moves", "").split()) > 12, 60.0)
        for bot in (one, other):
            assert bot.streams.count(game) == 2
            assert {status for _, _, status in bot.moved} == {200}
            bot.stop()


def test_a_bot_that_starts_anew_in_the_middle_of_a_game_takes_it_up(here: Served, runners: list[Runner]) -> None:
    one = started(here, runners, "Robo", takes=named_only)
    other = started(here, runners, "Mecha", takes=named_only)
    other.silent = True
    game = a_game(one, "Mecha", color="white", **{"clock.limit": "600", "clock.increment": "5"})
    one.wait(lambda: len(one.last(game).get("moves", "").split()) == 1)
    other.wait(lambda: game in other.told)
    other.stop()
    again = started(here, runners, "Mecha", takes=named_only, brain=first)
    again.wait(lambda: game in again.told)
    again.wait(lambda: len(again.last(game)["moves"].split()) > 4)
