"""The terminal client claims what the rules allow: a draw by repetition in Checkers, the game in Hnefatafl."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from clients.player_app import PlayerApp
from gateway import registry
from tests.clients.scripted import Peer
from tests.clients.test_player_app import beginning, on_the_screen, screen, until
from tests.games.test_checkers import GAME, KINGS_APART, begin
from tests.games.test_checkers import SHUFFLE as KINGS
from tests.games.test_hnefatafl import SHUFFLE as TAFL

APART = GAME.text(begin(KINGS_APART))

TIMES = 2
"""The shuffle is made so often until the first position has occurred three times."""


@pytest.mark.parametrize(
    ("game", "start", "shuffle", "word"), [("hnefatafl", "", TAFL, "claim"), ("checkers", APART, KINGS, "draw")]
)
def test_a_key_claims_the_end_that_the_rules_allow(game: str, start: str, shuffle: tuple[str, ...], word: str) -> None:
    rules = registry.game(game)
    position = rules.start(rules.settings(start=start))
    moves = []
    for text in shuffle * TIMES:
        moves.append(next(one for one in rules.legal_moves(position) if rules.notation(position, one) == text))
        position = rules.play(position, moves[-1])
    heard: list[object] = []

    async def script(peer: Peer) -> None:
        await beginning(peer)
        for ply, move in enumerate(moves):
            assert move.source is not None
            assert move.target is not None
            await peer.say("REQ_MOVE", ply % 2)
            if ply % 2 == 0:
                assert (await peer.hear("MSG_MOVE"))[:2] == (move.source, move.target)
                await peer.say("RSP_MOVE", 0)
            await peer.say("MSG_MOVE", move.source, move.target)
        await peer.say("REQ_MOVE", 0)
        heard.append(await peer.hear("MSG_MOVE"))
        await peer.until_closed()

    async def act(app: PlayerApp, pilot: Pilot[str]) -> None:
        for ply in range(0, len(moves), 2):
            await until(pilot, lambda: app.client_state.my_turn and len(app.client_state.legal_moves()) > 0)
            assert "claim" not in screen(app)[-1]
            await pilot.press("c")
            app._play(moves[ply])
        await until(pilot, lambda: "claim" in screen(app)[-1])
        await pilot.press("c")
        await until(pilot, lambda: bool(heard))

    on_the_screen(game, script, act, size=(120, 40), options=(("start", start),) if start else ())
    assert heard == [(-1, -1, word)]
