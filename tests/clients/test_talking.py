"""Two players in terminal sessions at a real server hear each other's words, and the reason of the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from clients.client_state import ClientState, Phase
from clients.connection import Connection
from clients.joining import Address, Wish, new_ticket
from clients.session import Session
from gateway import registry
from tests.running import server

GAME = registry.game("tic_tac_toe")


async def holds(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what the mirror shows has no event of its own
            await asyncio.sleep(0.01)


def lines(player: Connection) -> list[str]:
    return [line.text for line in player.session.client_state.news]


def at_a_table(tmp_path: Path, act: Callable[[Connection, Connection], Awaitable[None]], *, talk: bool = True) -> None:
    """Alice, who asks for all words there are, and bob, who asks for them if ``talk``, in a game."""

    async def main() -> None:
        with server(tmp_path, "bogaprot,bot_after=never") as here:
            players, tasks = [], []
            for name, asks in (("alice", True), ("bob", talk)):
                session = Session(Wish(GAME.name, name, ticket=new_ticket(), talk=asks), ClientState(GAME))
                players.append(Connection(session, Address("127.0.0.1", here.ports[0]), first_pause_s=0.05))
                await players[-1].open()
                tasks.append(asyncio.create_task(players[-1].keep()))
            await holds(lambda: all(player.session.client_state.phase is Phase.PLAYING for player in players))
            await act(*players)
            for task in tasks:
                task.cancel()
            for player in players:
                await player.close()

    asyncio.run(main())


def test_what_one_player_says_both_read(tmp_path: Path) -> None:
    async def act(alice: Connection, bob: Connection) -> None:
        alice.send(alice.session.say("Good luck, Bob: pass the salt"))
        await holds(lambda: "alice: Good luck, Bob: pass the salt" in lines(bob))
        await holds(lambda: "alice: Good luck, Bob: pass the salt" in lines(alice))

    at_a_table(tmp_path, act)


def test_who_was_away_reads_what_was_said_meanwhile(tmp_path: Path) -> None:
    async def act(alice: Connection, bob: Connection) -> None:
        writer = bob._writer
        assert writer is not None
        writer.transport.abort()
        await holds(lambda: "bob is away; the seat is kept." in lines(alice) or "bob is back at o." in lines(alice))
        alice.send(alice.session.say("where are you?"))
        await holds(lambda: "alice: where are you?" in lines(bob))

    at_a_table(tmp_path, act)


def test_both_read_why_the_game_ended(tmp_path: Path) -> None:
    async def act(alice: Connection, bob: Connection) -> None:
        bob.send(bob.session.resign())
        await holds(lambda: lines(alice)[-1:] == ["You win: bob resigned."])
        await holds(lambda: lines(bob)[-1:] == ["alice wins: you resigned."])

    at_a_table(tmp_path, act)


def test_a_client_that_asks_for_no_words_plays_on_undisturbed(tmp_path: Path) -> None:
    async def act(alice: Connection, bob: Connection) -> None:
        alice.send(alice.session.say("pass"))
        await holds(lambda: "alice: pass" in lines(alice))
        alice.send(alice.session.play(GAME.legal_moves(alice.session.client_state.position)[0]))
        await holds(lambda: bob.session.client_state.my_turn)
        assert not any("pass" in line for line in lines(bob))

    at_a_table(tmp_path, act, talk=False)
