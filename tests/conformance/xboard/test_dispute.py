"""A game without rules here, between a chess GUI and a program of the document, who do not agree on a move."""

from __future__ import annotations

from pathlib import Path

import trio

from tests.clients.xboard_process import running
from tests.conformance.chess_players import Lines
from tests.conformance.servers import fast

GAME = ("new", "variant xiangqi", "level 40 300 0")


async def test_an_echo_that_differs_ends_the_game_void_and_both_are_told_in_words(tmp_path: Path) -> None:
    """`open` tables for XBoard variants without rules here, where both peers' echoes must agree."""
    with fast(tmp_path / "server", "chess-p2p") as server:
        bob = Lines(server.ports[0])
        bob.say("name bob", "variant xiangqi", *GAME)
        async with running(f"127.0.0.1:{server.ports[0]}", "--name", "alice") as alice:
            await alice.introduce()
            await alice.sends("new", "variant xiangqi", "level 40 5 0", "usermove h2e2")
            await trio.to_thread.run_sync(bob.until, "text alice proposes a game of xiangqi")
            bob.say(*GAME, "go")
            await trio.to_thread.run_sync(bob.until, "go")
            bob.say("accepted", "move h2e2", "move h9g7")
            await alice.until("move h9g7")
            await alice.sends("usermove h0g2")
            await trio.to_thread.run_sync(bob.until, "move h0g2")
            bob.say("move h0i2")
            why = "move 3 is not accepted: h0g2 was answered with h0i2"
            await trio.to_thread.run_sync(bob.until, f"result * {{{why}}}")
            await trio.to_thread.run_sync(bob.until, f"text the game is void: {why}")
            told = await alice.until(why)
        bob.close()
    assert told.startswith("telluser ")
