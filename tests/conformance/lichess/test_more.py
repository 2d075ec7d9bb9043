"""Games with house bots, time that is given, claims against who has left, games as JSON: as berserk asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import berserk
import pytest

from tests.conformance.lichess.runner import Asker
from tests.conformance.lichess.served import Served, made, serving
from tests.conformance.lichess.test_berserk import Program, programs

GRACE_S = 3

BARE = "8/8/8/4k3/8/8/8/KR6 w - - 0 1"
"""A position in which Black cannot win."""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("more")
    tokens = made(data, bots=("Robo",), people=("Anna", "Bert"))
    seats: dict[str, Any] = {"SEATS_GRACE": f"{GRACE_S}s", "SEATS_ABANDONED": "loss"}
    with serving(data, tokens, BOTS_WORKERS="1", BOTS_PAUSE="0s", **seats) as served:
        yield served


@pytest.fixture
def anna(here: Served) -> Iterator[Program]:
    with programs(here, "Anna") as (program,):
        program.follow("events", program.client.board.stream_incoming_events)
        yield program


def follows(program: Program, game: str) -> dict[str, Any]:
    """The first line of a game's stream, which is read from now on."""
    program.wait("events", lambda line: line["type"] == "gameStart" and line["game"]["id"] == game)
    program.follow(game, lambda: program.client.board.stream_game_state(game))
    return program.wait(game, lambda line: line["type"] == "gameFull")


@pytest.mark.parametrize(("level", "ours", "variant"), [(1, 1, "standard"), (5, 2, "atomic"), (8, 3, "chess960")])
def test_a_house_bot_plays_at_the_nearest_level(
    here: Served, anna: Program, level: int, ours: int, variant: Any
) -> None:
    created = anna.client.challenges.create_ai(
        level=level, clock_limit=300, clock_increment=2, color="black", variant=variant
    )
    assert (created["source"], created["color"], created["variant"]["key"]) == ("ai", "black", variant)
    full = follows(anna, created["id"])
    assert full["clock"] == {"initial": 300_000, "increment": 2_000}
    assert full["white"]["title"] == "BOT"
    told = anna.wait(created["id"], lambda line: line["type"] == "gameState" and line["moves"])
    assert len(told["moves"].split()) == 1
    anna.client.board.abort_game(created["id"])
    anna.wait(created["id"], lambda line: line.get("status") == "aborted")
    shown: Any = anna.client.games.export(created["id"])
    assert (shown["status"], shown["variant"]) == ("aborted", variant)


@pytest.mark.parametrize(("level", "variant"), [(0, "standard"), (9, "standard"), (3, "shogi")])
def test_a_game_with_a_house_bot_that_cannot_be_is_refused(anna: Program, level: int, variant: Any) -> None:
    with pytest.raises(berserk.exceptions.ResponseError, match="400"):
        anna.client.challenges.create_ai(level=level, clock_limit=300, clock_increment=0, variant=variant)


def test_time_is_given_and_the_game_is_exported_as_json(here: Served, anna: Program) -> None:
    with programs(here, "Bert") as (bert,):
        bert.follow("events", bert.client.board.stream_incoming_events)
        game = anna.client.challenges.create("Bert", rated=False, clock_limit=300, clock_increment=2, color="white")[
            "id"
        ]
        bert.wait("events", lambda line: line["type"] == "challenge")
        bert.client.challenges.accept(game)
        for program in (anna, bert):
            follows(program, game)
        anna.client.challenges.add_time_to_opponent_clock(game, 15)
        given = bert.wait(game, lambda line: line["type"] == "gameState")
        assert given["btime"].total_seconds() == 315
        with pytest.raises(berserk.exceptions.ResponseError, match="400"):
            anna.client.challenges.add_time_to_opponent_clock(game, 86_400)
        anna.client.board.make_move(game, "e2e4")
        bert.client.board.make_move(game, "e7e5")
        anna.client.board.make_move(game, "g1f3")
        with pytest.raises(berserk.exceptions.ResponseError, match="400"):
            bert.client.board.claim_victory(game)
        bert.client.board.resign_game(game)
        anna.wait(game, lambda line: line.get("status") == "resign")
        shown: Any = anna.client.games.export(game)
        assert shown["moves"] == "e4 e5 Nf3"
        assert (shown["status"], shown["winner"], shown["speed"]) == ("resign", "white", "blitz")
        assert shown["clock"] == {"initial": 300, "increment": 2, "totalTime": 380}
        assert {side: player["user"]["name"] for side, player in shown["players"].items()} == {
            "white": "Anna",
            "black": "Bert",
        }
        assert shown["createdAt"] <= shown["lastMoveAt"] <= datetime.now(UTC)
        assert '[White "Anna"]' in anna.client.games.export(game, as_pgn=True)


def test_who_has_left_loses_when_the_server_says_so(here: Served, anna: Program) -> None:
    """And draws against a bare king, which cannot win."""
    bert, asker = Asker([here.port], here.tokens["Bert"]), Asker([here.port], here.tokens["Anna"])
    events = bert.stream("/api/stream/event")
    games = []
    for color, position in (("white", None), ("black", BARE)):
        create: Any = anna.client.challenges.create
        offered = create("Bert", rated=False, clock_limit=300, clock_increment=2, color=color, position=position)
        games.append(offered["id"])
        assert bert.post(f"/api/challenge/{games[-1]}/accept")[0] == 200
        follows(anna, games[-1])
    game, drawn = games
    anna.client.board.make_move(game, "e2e4")
    assert bert.post(f"/api/board/game/{game}/move/e7e5")[0] == 200
    events.close()
    assert anna.wait(game, lambda line: line["type"] == "opponentGone")["claimWinInSeconds"] == GRACE_S
    with pytest.raises(berserk.exceptions.ResponseError, match="kept"):
        anna.client.board.claim_victory(game)
    assert anna.wait(game, lambda line: line.get("status") == "timeout")["winner"] == "white"
    anna.client.board.claim_victory(game)
    assert asker.post(f"/api/board/game/{game}/claim-draw")[0] == 400
    assert "winner" not in anna.wait(drawn, lambda line: line.get("status") not in (None, "started"))
    assert asker.post(f"/api/board/game/{drawn}/claim-draw")[0] == 200
