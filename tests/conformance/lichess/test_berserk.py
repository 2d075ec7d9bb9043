"""Programs made with berserk: a bot's, and two of people by the board API, play whole games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import berserk
import pytest
import requests

from tests.conformance.lichess.served import Served, made, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("berserk")
    tokens = made(data, bots=("Robo",), people=("Anna", "Bert"))
    with serving(data, tokens) as served:
        yield served


class Program:
    """A client of berserk, and what its streams told; each stream is read by a thread."""

    def __init__(self, served: Served, name: str) -> None:
        self._session = berserk.TokenSession(served.tokens[name])
        self.client = berserk.Client(self._session, base_url=f"http://127.0.0.1:{served.port}")
        self.told: dict[str, list[dict[str, Any]]] = {}
        self._news = threading.Condition()
        self._threads: list[threading.Thread] = []

    def follow(self, name: str, stream: Callable[[], Iterator[Any]]) -> None:
        """Read a stream until it ends."""
        told = self.told[name] = []

        def read() -> None:
            try:
                for line in stream():
                    with self._news:
                        told.append(line)
                        self._news.notify_all()
            except (requests.RequestException, AttributeError, ValueError):
                pass  # it was closed

        thread = threading.Thread(target=read, daemon=True)
        self._threads.append(thread)
        thread.start()

    def wait(self, name: str, found: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first line of a stream that is so."""
        with self._news:
            assert self._news.wait_for(lambda: any(map(found, self.told[name])), 30.0), self.told
            return next(line for line in self.told[name] if found(line))

    def follows(self, game: str) -> dict[str, Any]:
        """The first line of a game's stream, which is read from when it is told to begin."""
        started = self.wait("events", lambda line: line["type"] == "gameStart" and line["game"]["id"] == game)["game"]
        assert started["gameId"] == game
        self.follow(game, lambda: self.client.board.stream_game_state(game))
        return self.wait(game, lambda line: line["type"] == "gameFull")

    def challenges_and_begins(self, other: Program) -> str:
        """A game with White against another person, in which both follow: its identifier."""
        for program in (self, other):
            program.follow("events", program.client.board.stream_incoming_events)
        create = self.client.challenges.create
        game = str(create("Bert", rated=False, clock_limit=300, clock_increment=2, color="white")["id"])
        other.wait("events", lambda line: line["type"] == "challenge" and line["challenge"]["id"] == game)
        other.client.challenges.accept(game)
        for program in (self, other):
            program.follows(game)
        return game

    def close(self) -> None:
        self._session.close()


@contextmanager
def programs(served: Served, *names: str) -> Iterator[list[Program]]:
    made = [Program(served, name) for name in names]
    try:
        yield made
    finally:
        for program in made:
            program.close()


def test_people_play_a_whole_game_by_the_board_api(here: Served) -> None:
    with programs(here, "Anna", "Bert") as (anna, bert):
        assert anna.client.account.get()["username"] == "Anna"
        game = anna.challenges_and_begins(bert)
        anna.client.board.make_move(game, "f2f3")
        bert.client.board.make_move(game, "e7e5")
        bert.client.board.post_message(game, "hello \U0001f600")
        assert anna.wait(game, lambda line: line["type"] == "chatLine")["username"] == "Bert"
        anna.client.board.offer_draw(game)
        bert.wait(game, lambda line: line.get("wdraw"))
        bert.client.board.decline_draw(game)
        bert.client.board.offer_takeback(game)
        anna.wait(game, lambda line: line.get("btakeback"))
        anna.client.board.accept_takeback(game)
        bert.wait(game, lambda _: sum(line.get("moves") == "f2f3" for line in bert.told[game]) > 1)
        bert.client.board.make_move(game, "e7e5")
        anna.client.board.make_move(game, "g2g4")
        with pytest.raises(berserk.exceptions.ResponseError, match="400"):
            bert.client.board.make_move(game, "d8d1")
        bert.client.board.make_move(game, "d8h4")
        for program in (anna, bert):
            last = program.wait(game, lambda line: line.get("status") == "mate")
            assert (last["moves"], last["winner"]) == ("f2f3 e7e5 g2g4 d8h4", "black")
            program.wait("events", lambda line: line["type"] == "gameFinish")


def test_who_has_not_moved_aborts_a_challenged_game_alone(here: Served) -> None:
    with programs(here, "Anna", "Bert") as (anna, bert):
        game = anna.challenges_and_begins(bert)
        anna.client.board.make_move(game, "e2e4")
        bert.client.board.abort_game(game)
        for program in (anna, bert):
            assert "winner" not in program.wait(game, lambda line: line.get("status") == "aborted")


def test_a_game_goes_on_after_the_server_was_killed_and_ends_in_a_draw(tmp_path: Path) -> None:
    """Their streams end; by new ones both are told the game again, as it stands."""
    tokens = made(tmp_path, bots=(), people=("Anna", "Bert"))
    with serving(tmp_path, tokens) as served, programs(served, "Anna", "Bert") as pair:
        port = served.port
        game, (anna, bert) = pair[0].challenges_and_begins(pair[1]), pair
        anna.client.board.make_move(game, "e2e4")
        bert.client.board.make_move(game, "e7e5")
        served.running.kill()
    with serving(tmp_path, tokens, ports={0: port}) as served, programs(served, "Anna", "Bert") as (anna, bert):
        for program in (anna, bert):
            program.follow("events", program.client.board.stream_incoming_events)
            assert program.follows(game)["state"]["moves"] == "e2e4 e7e5"
        anna.client.board.make_move(game, "g1f3")
        bert.wait(game, lambda line: line.get("moves") == "e2e4 e7e5 g1f3")
        bert.client.board.offer_draw(game)
        anna.wait(game, lambda line: line.get("bdraw"))
        anna.client.board.accept_draw(game)
        for program in (anna, bert):
            assert "winner" not in program.wait(game, lambda line: line.get("status") == "draw")


def test_a_bot_of_berserk_is_challenged_by_a_person_and_gives_up(here: Served) -> None:
    with programs(here, "Robo", "Anna") as (robo, anna):
        for program in (robo, anna):
            program.follow("events", program.client.bots.stream_incoming_events)
        assert robo.client.account.get()["title"] == "BOT"
        anna.client.challenges.create("Robo", rated=False, clock_limit=60, clock_increment=1, color="black")
        game = robo.wait("events", lambda line: line["type"] == "challenge")["challenge"]["id"]
        robo.client.bots.accept_challenge(game)
        robo.wait("events", lambda line: line["type"] == "gameStart")
        robo.follow(game, lambda: robo.client.bots.stream_game_state(game))
        assert robo.wait(game, lambda line: line["type"] == "gameFull")["white"]["name"] == "Robo"
        robo.client.bots.make_move(game, "e2e4")
        robo.client.bots.post_message(game, "good luck", spectator=True)
        assert robo.client.account.get()["playing"]
        anna.client.board.make_move(game, "e7e5")
        robo.client.bots.resign_game(game)
        assert robo.wait(game, lambda line: line.get("status") == "resign")["winner"] == "black"
        declined = anna.client.challenges.create("Robo", rated=False, clock_limit=60, clock_increment=1)
        robo.client.bots.decline_challenge(declined["id"])
        anna.wait("events", lambda line: line["type"] == "challengeDeclined")
