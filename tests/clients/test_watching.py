"""The spectator's client shows the API's events on the screen, without a seat."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from clients.client_state import ClientState, Phase
from clients.commands.watch import Api
from clients.connection import Connection
from clients.joining import Address, Wish, new_ticket
from clients.player_app import PlayerApp
from clients.session import Session
from clients.table_list import TableList, row, tables_of
from clients.watching import Gone, Watching
from gateway import registry
from gateway.store import codec
from protocols.core import events as ev
from protocols.core.errors import BoardgateError
from protocols.core.model import PASS, Move, Outcome, Reason, SeatKind
from protocols.core.proposals import Draw, Score, Takeback
from tests.clients.tables import ToldGame
from tests.clients.test_player_app import screen, until
from tests.running import server

SERVER = Address("games.example.org", 8080)


class Record:
    """The API's events of one table, as a record holds them: no turns in a game without clocks. May be out of reach."""

    def __init__(self, table: ToldGame) -> None:
        self.table = table
        self.reached = True
        self.asked: list[str] = []

    def __call__(self, path: str) -> Any:
        self.asked.append(path)
        if not self.reached:
            raise BoardgateError("no answer")
        after = int(path.partition("after=")[2].partition("&")[0])
        rows = [codec.encode(event) for event in self.table.events if not isinstance(event, ev.TurnStarted)]
        events = [{"kind": kind, "body": json.loads(body)} for kind, body in rows[after:]]
        if len(rows) <= after and "wait=0" not in path:
            threading.Event().wait(0.05)  # a short one of the API's long waits
        closed = isinstance(self.table.events[-1], ev.TableClosed)
        return {"events": events, "next": len(rows), "closed": closed}


def running(name: str, variant: str = "", seats: int = 0, seed: int = 3) -> ToldGame:
    game = registry.game(name)
    table = ToldGame(game, variant, seats or game.variants[0].seats[0], seed)
    table.start()
    return table


def watched(record: Record) -> Watching:
    watching = Watching(record, 1, SERVER, first_pause_s=0.01)
    asyncio.run(watching.open())
    return watching


@pytest.mark.parametrize("name", [name for name, game in registry.games().items() if game.judged])
def test_every_game_is_followed_move_by_move(name: str) -> None:
    table = running(name)
    watching = watched(Record(table))
    for _ in range(40):
        if not table.step():
            break
        watching._fold(asyncio.run(watching._further(0)))
        client_state = watching.session.client_state
        assert client_state.board == table.game.board(table.position)
        turn = table.game.to_move(table.position)
        assert client_state.turn == (turn if isinstance(turn, int) else None)


def test_a_long_game_is_there_from_its_first_move_on() -> None:
    table = running("checkers")
    while table.step():
        pass
    client_state = watched(Record(table)).session.client_state
    moves = sum(isinstance(event, ev.MoveMade) for event in table.events)
    assert sum(": " in line.text and line.tone == "move" for line in client_state.news) == moves
    assert client_state.phase is Phase.OVER
    assert client_state.position == table.position


def test_who_has_proposed_something_is_named() -> None:
    table = running("chess")
    table.propose(1, Draw())
    table.tell(ev.Declined(0, "Draw"))
    lines = [line.text for line in watched(Record(table)).session.client_state.news]
    assert lines[-2:] == ["bob offers a draw.", "alice declines."]


def test_moves_that_are_taken_back_leave_the_board_and_are_told() -> None:
    table = running("checkers")
    table.step()
    table.step()
    table.propose(0, Takeback(2))
    table.take_back(2)
    client_state = watched(Record(table)).session.client_state
    assert (client_state.board, client_state.turn) == (table.game.board(table.position), 0)
    assert [line.text for line in client_state.news][-2:] == ["alice asks to take 2 moves back.", "2 moves taken back."]


def test_stones_that_a_player_calls_dead_are_marked() -> None:
    table = running("go")
    for target in (72, 300):
        table.play(table.game.normal(table.position, Move(None, target)))
    table.play(PASS)
    table.play(PASS)
    table.propose(1, Score((72,)))
    client_state = watched(Record(table)).session.client_state
    assert client_state.settling.going_on
    assert client_state.settling.marked == {72}
    assert [line.text for line in client_state.news][-2:] == [
        *("Play has stopped: the players settle what is dead.", "bob says: 1 stone is dead.")
    ]


def test_the_end_says_who_won_and_why_and_those_who_left_keep_their_names() -> None:
    table = running("chess")
    table.tell(ev.GameEnded(Outcome(1, Reason.TIME)))
    table.tell(ev.SeatLeft(0, SeatKind.OPEN))
    client_state = watched(Record(table)).session.client_state
    assert (client_state.winner, client_state.why) == (1, "the time of alice is up")
    assert client_state.who(0) == "alice"
    assert [line.text for line in client_state.news][-2:] == ["bob wins: the time of alice is up.", "alice has left."]


def test_a_table_that_changes_its_board_before_the_game_is_followed() -> None:
    table = running("go")
    smaller = table.game.settings("area", options={"size": "9"})
    table.tell(ev.GameEnded(Outcome(None, Reason.AGREEMENT)))
    table.tell(ev.GameStarted(smaller, 2, (), table.game.text(table.game.start(smaller))))
    table.tell(ev.MoveMade(0, Move(None, 40, "black"), 1, "E5", ((40, "black"),), ""))
    client_state = watched(Record(table)).session.client_state
    assert (client_state.width, client_state.board, client_state.turn) == (9, {40: "black"}, 1)


def test_a_game_that_is_not_installed_here_cannot_be_followed() -> None:
    body = {"settings": {"game": "mahjong", "variant": "", "width": 8, "height": 8, "seats": 2}, "house": {}}
    watching = Watching(lambda path: {"events": [{"kind": "TableOpened", "body": body}], "next": 1}, 1, SERVER)
    with pytest.raises(BoardgateError, match="does not understand"):
        asyncio.run(watching.open())


def on_the_screen(record: Record, act: Callable[[PlayerApp, Pilot[str]], Awaitable[None]]) -> None:
    async def main() -> None:
        watching = Watching(record, 1, SERVER, first_pause_s=0.01)
        await watching.open()
        app = PlayerApp(watching)
        async with app.run_test(size=(80, 24)) as pilot:
            await act(app, pilot)

    asyncio.run(main())


def test_who_looks_on_sees_moves_and_has_no_keys_of_a_player() -> None:
    record = Record(running("checkers"))

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        await until(pilot, lambda: any("alice is to move" in line for line in screen(app)))
        await until(pilot, lambda: "q quit" in screen(app)[-1])
        assert not {"resign", "draw", "takeback", "say"} & set(screen(app)[-1].split())
        await pilot.press("r", "d", "slash", "enter")
        assert len(app.screen_stack) == 1
        record.table.step()
        await until(pilot, lambda: any("bob is to move" in line for line in screen(app)))

    on_the_screen(record, act)


def test_a_server_that_does_not_answer_for_a_while_loses_nothing() -> None:
    record = Record(running("checkers"))

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        record.reached = False
        await until(pilot, lambda: any("Connection lost" in line for line in screen(app)))
        record.table.step()
        record.table.step()
        record.reached = True
        await until(pilot, lambda: app.client_state.board == record.table.game.board(record.table.position))
        await until(pilot, lambda: any("Connected again." in line for line in screen(app)))

    on_the_screen(record, act)


def test_a_table_that_closes_is_said_to_be_closed_and_stays_on_the_screen() -> None:
    record = Record(running("tic_tac_toe"))

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        while record.table.step():
            pass
        record.table.tell(ev.TableClosed())
        await until(pilot, lambda: any("The table is closed." in line for line in screen(app)))
        asked = len(record.asked)
        await pilot.pause(0.1)
        assert len(record.asked) == asked

    on_the_screen(record, act)


def listed(number: int, state: str = "playing", **other: Any) -> dict[str, Any]:
    seats = [{"seat": 0, "kind": "player", "name": "alice"}, {"seat": 1, "kind": "open", "name": ""}]
    return {"id": number, "state": state, "game": "chess", "variant": "atomic", "seats": seats, "time": "none"} | other


def test_a_line_of_the_list_says_who_plays_what() -> None:
    assert row(listed(12, time="300+3")).plain.split() == ["12", "Chess", "·", "atomic", "alice", "–", "…", "300+3"]
    assert row(listed(3, "open", game="mahjong")).plain.split()[1:] == [
        "mahjong",
        "·",
        "atomic",
        "alice",
        "–",
        "…",
        "waits",
        "for",
        "players",
    ]


def test_what_is_played_is_listed_before_what_waits() -> None:
    answers = {
        "/api/tables?state=playing&limit=100&game=chess": [listed(5)],
        "/api/tables?state=open&limit=100&game=chess": [],
    }
    assert tables_of(lambda path: {"tables": answers[path]}, "chess") == [listed(5)]


def test_a_table_is_chosen_from_the_list_by_keys() -> None:
    async def main() -> int | None:
        app = TableList(list, [listed(9), listed(7)], "Tables of here")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "look on" in screen(app)[-1])  # type: ignore[arg-type]
            await pilot.press("j", "enter")
        return app.return_value

    assert asyncio.run(main()) == 7


def test_who_looks_on_at_a_real_server_sees_the_whole_game_over_its_restart(tmp_path: Path) -> None:
    game = registry.game("tic_tac_toe")

    async def holds(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():  # noqa: ASYNC110 - what the mirror shows has no event of its own
                await asyncio.sleep(0.02)

    async def main() -> ClientState:
        with server(tmp_path, "bogaprot,bot_after=never", "http") as first:
            ports = dict(enumerate(first.ports))
            players = []
            for name in ("alice", "bob"):
                session = Session(Wish(game.name, name, ticket=new_ticket()), ClientState(game))
                players.append(Connection(session, Address("127.0.0.1", ports[0]), first_pause_s=0.05))
                await players[-1].open()
            address = Address("127.0.0.1", ports[1])
            watching = Watching(Api(address), 1, address, first_pause_s=0.05)
            await watching.open()
            keeping = [*(player.keep() for player in players), watching.keep()]
            tasks = [asyncio.create_task(kept) for kept in keeping]
            client_state = watching.session.client_state

            async def play(*targets: int) -> None:
                for target in targets:
                    seat = len(client_state.board) % 2
                    session = players[seat].session
                    await holds(lambda: session.client_state.my_turn and players[seat].up)  # noqa: B023
                    players[seat].send(session.play(Move(None, target, game.sides[seat])))
                    await holds(lambda: target in client_state.board)  # noqa: B023

            await play(0, 3, 1)
            first.kill()
            await holds(lambda: not watching.up)
        with server(tmp_path, "bogaprot,bot_after=never", "http", ports=ports):
            await play(4, 2)
            await holds(lambda: client_state.phase is Phase.OVER)
            for task in tasks:
                task.cancel()
            for each in players:
                await each.close()
        return client_state

    client_state = asyncio.run(main())
    assert (client_state.winner, client_state.why, client_state.decisive) == (0, "three in a row", (0, 1, 2))
    assert [line.text for line in client_state.news if line.tone == "move"] == [
        *("alice: a3", "bob: a2", "alice: b3", "bob: b2", "alice: c3")
    ]


def test_a_table_that_does_not_exist_is_said_so(tmp_path: Path) -> None:
    with server(tmp_path, "http") as here:
        address = Address("127.0.0.1", here.ports[0])
        with pytest.raises(Gone, match="there is no table 7"):
            asyncio.run(Watching(Api(address), 7, address).open())
        assert tables_of(Api(address), "") == []
