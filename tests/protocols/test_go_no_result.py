"""A Japanese game that goes round in a circle has no result, and each dialect that plays Go says so."""

from __future__ import annotations

from protocols.bogaprot.dialect import Bogaprot
from protocols.core.events import GameEnded
from protocols.core.model import Outcome, Reason
from protocols.core.notifications import Seated
from protocols.ggzboard import GGZBoard
from protocols.web.dialect import Web
from tests.games.go_boards import GAME, square
from tests.protocols.duel import Duel
from tests.protocols.gtp_peers import COMMANDS, Engine, GoTable, gui
from tests.protocols.talk import begun, heard, tell

WHY = "no result: the same position for the third time"
NO_RESULT = Outcome(None, Reason.VOID, WHY)

ROUND = "A1 C1 B1 pass "
"""Black sends two stones, White takes them, Black takes back; White passes, and Black moves on the board of before."""

MOVES = f"C3 A3 C2 B3 D2 A2 D1 B2 B1 E5 {ROUND}{ROUND}A1".split()


def ended(table: Duel) -> Outcome:
    return next(event.outcome for event in table.record if isinstance(event, GameEnded))


def test_engines_hear_that_the_game_is_over_and_play_on_elsewhere() -> None:
    table = GoTable(None)
    players = [
        Engine({"genmove": MOVES[seat::2]}, f"{COMMANDS} kgs-game_over", {"size": "5", "rules": "japanese"})
        for seat in (0, 1)
    ]
    for player in players:
        table.dial(player)
    assert ended(table) == NO_RESULT
    assert [player.asked.count("kgs-game_over") for player in players] == [1, 1]


def test_guis_are_answered_void_by_each_command_that_asks_for_more() -> None:
    table = GoTable(None)
    black = gui(table, "boardsize 5", "kgs-rules japanese", "play b C3")
    white = gui(table, "boardsize 5", "kgs-rules japanese", "genmove b")
    heard(black)
    for at, name in enumerate(MOVES[1:], 1):
        mover, waits, colour = (white, black, "w") if at % 2 else (black, white, "b")
        assert table.say(mover, f"play {colour} {name}") == ["="]
        if at + 1 < len(MOVES):
            assert table.say(waits, f"genmove {colour}") == [f"= {name}"]
    assert ended(table) == NO_RESULT
    over = f"? game over: Void ({WHY})"
    assert table.say(black, "genmove w", "final_score") == [over, over]
    assert table.say(white, "genmove b", "play w A2") == ["= A1", over]


def test_clients_of_bogaprot_hear_a_draw_and_with_reasons_why() -> None:
    table = Duel(GAME.settings("japanese", options={"size": "5"}), game="go")
    peers = [table.come(Bogaprot({})) for _ in (0, 1)]
    for peer in peers:
        table.ask(peer, 'REQ_HANDSHAKE "go?reasons=yes" 1')
    for at, name in enumerate(MOVES):
        words = '-1 -1 "pass"' if name == "pass" else f'-1 {square(name, 5)} "{GAME.sides[at % 2]}"'
        told = table.ask(peers[at % 2], f"MSG_MOVE {words}")
    assert ended(table) == NO_RESULT
    for lines in (told, heard(peers[1])):
        assert lines[-2:] == [f'MSG_MOVE -1 -1 "over void {WHY}"', "MSG_GAMEOVER -1"]


def test_a_client_of_ggzboard_hears_a_seat_that_no_player_has() -> None:
    made = GAME.settings("japanese", options={"size": "5"})
    peer = GGZBoard({"game": "go"})
    tell(peer, Seated(1, 0, begun(made, {}, "alice", "bob")))
    assert tell(peer, GameEnded(NO_RESULT)) == ["GAMEOVER 2"]


def test_a_page_hears_that_nobody_won_and_why() -> None:
    made = GAME.settings("japanese", options={"size": "5"})
    page = Web()
    page.send(Seated(1, 0, begun(made, {}, "alice", "bob")))
    page.send(GameEnded(NO_RESULT))
    said = b"".join(iter(page.data_to_send, b""))
    assert (
        b'"outcome":{"winner":null,"reason":"void","detail":"no result: the same position for the third time"}' in said
    )
