"""A peer that may start a game is told which button starts it in XBoard, on every path to that point."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocols.core.commands import Leave, Propose
from protocols.core.proposals import Rematch, Start, Takeback
from tests.protocols.chess_p2p_peers import Client, GameServer, opening, play, playing

Clients = dict[str, Client]


def nothing(server: GameServer) -> Clients:
    return {}


def offered(server: GameServer) -> Clients:
    """Alice has proposed a game to Bob, in which she plays Black."""
    alice, bob = server.connect("alice"), server.connect("bob")
    server.say(bob, "new")
    server.say(alice, "new", "go")
    return {"alice": alice, "bob": bob}


def in_a_game(server: GameServer) -> Clients:
    """Alice plays White, and has moved."""
    alice, bob = playing(server)
    return {"alice": alice, "bob": bob}


def in_an_opening(server: GameServer) -> Clients:
    """After 1. e4 e5 2. Nf3 Nc6."""
    clients = in_a_game(server)
    opening(server, *clients.values())
    return clients


def among_strangers(server: GameServer) -> Clients:
    """After 1. e4 e5 2. Nf3 Nc6 by programs that know no word but the document's."""
    clients = in_an_opening(server)
    for client in clients.values():
        client.dialect._talk.knows = False  # type: ignore[attr-defined]  # no line takes it back
    return clients


def among_strangers_after_a_bishop_s_move(server: GameServer) -> Clients:
    clients = among_strangers(server)
    play(server, clients["alice"], clients["bob"], "f1c4")
    return clients


def after_a_game(server: GameServer) -> Clients:
    """Bob has resigned."""
    clients = in_a_game(server)
    server.say(clients["bob"], "resign")
    return clients


EITHER = ("make your first move to play White", "Machine White in the Mode menu to play Black")
NEW_GAME = "choose New Game in the File menu, then"
AS_BLACK = "in XBoard: choose Machine White in the Mode menu"

WAYS = {
    "comes first": (nothing, "alice: level 0 300 0", EITHER),
    "comes to a player without a proposal": (nothing, "alice: level 0 300 0; bob: level 0 300 0", EITHER),
    "hears a proposal as Black": (
        nothing,
        "alice: level 0 300 0; bob: new; alice: new, move e2e4, go > bob",
        (AS_BLACK,),
    ),
    "hears a proposal as White": (
        nothing,
        "alice: level 0 300 0; bob: new; alice: new, go > bob",
        ("in XBoard: make your first move",),
    ),
    "is declined": (offered, "bob: text decline > alice", EITHER),
    "sees the other turn to a new game": (offered, "alice: new > bob", EITHER),
    "is adjourned": (
        in_a_game,
        "alice: adjourn; bob: adjourn > alice",
        ("press Resume in Engine > Engine #1 Settings",),
    ),
    "wins": (in_a_game, "bob: resign > alice", (NEW_GAME, *EITHER)),
    "agrees to a draw": (in_an_opening, "alice: draw; bob: draw", (NEW_GAME, *EITHER)),
    "sees the other go after the game": (after_a_game, "bob: quit > alice", (NEW_GAME, *EITHER)),
    "sees the other go in the game": (in_a_game, "bob: quit > alice", (NEW_GAME, *EITHER)),
    "asks for a new game in the middle as White": (in_a_game, "alice: new", ("in XBoard: make a move as White",)),
    "asks for a new game in the middle as Black": (in_a_game, "bob: new", (AS_BLACK,)),
    "moves before the takeback is agreed": (
        in_an_opening,
        "alice: remove, move f1c4",
        ("in XBoard: choose Machine Black in the Mode menu",),
    ),
    "takes back as White": (
        among_strangers,
        "alice: remove; bob: undo, undo > alice",
        ("the moves are taken back; in XBoard: make your move",),
    ),
    "gives back as Black": (
        among_strangers,
        "alice: remove; bob: undo, undo",
        ("the moves are taken back; " + AS_BLACK,),
    ),
    "takes back as Black": (
        among_strangers_after_a_bishop_s_move,
        "bob: remove; alice: undo, undo > bob",
        ("the moves are taken back; in XBoard: make your move",),
    ),
    "gives back as White": (
        among_strangers_after_a_bishop_s_move,
        "bob: remove; alice: undo, undo",
        ("the moves are taken back; in XBoard: choose Machine Black in the Mode menu",),
    ),
    "is refused a takeback": (
        among_strangers,
        "alice: remove; bob: text no > alice",
        ("the moves stand; in XBoard: make your move",),
    ),
    "refuses a takeback": (among_strangers, "alice: remove; bob: text no", ("the moves stand; " + AS_BLACK,)),
    "is declined a rematch": (after_a_game, "bob: rematch; alice: decline > bob", (NEW_GAME, *EITHER)),
    "was White before a rematch": (
        after_a_game,
        "bob: rematch; alice: rematch",
        ("you play Black; in XBoard: choose New Game in the File menu, then choose Machine White",),
    ),
    "was Black before a rematch": (
        after_a_game,
        "bob: rematch; alice: rematch > bob",
        ("you play White; in XBoard: choose New Game in the File menu, then make your first move",),
    ),
}
"""By the path: its beginning, then lines of clients, who connect with their first one, and ``>`` the client that reads
the answer to the last step, where another one sent it; pieces of that answer."""


@pytest.mark.parametrize("way", WAYS)
def test_a_player_who_may_start_a_game_is_told_what_to_press(way: str) -> None:
    begin, script, words = WAYS[way]
    server = GameServer()
    clients = begin(server)
    steps, _, reader = script.partition(" > ")
    told: list[str] = []
    for name, _, lines in (step.partition(": ") for step in steps.split("; ")):
        for client in clients.values():
            server.hear(client)
        if name not in clients:
            clients[name] = server.connect(name)
        told = server.say(clients[name], *lines.split(", "))
    assert_told(server.hear(clients[reader]) if reader else told, *words)


def assert_told(lines: list[str], *words: str) -> None:
    text = " ".join(line for line in lines if line.startswith("text "))
    for piece in words:
        assert piece in text


def the_other_is_ready(server: GameServer) -> Client:
    alice = server.connect("alice")
    server.say(alice, "new")
    server.ask(server.sit("bob"), Propose(Start(None, None)))
    return alice


def the_other_goes_before_a_proposal(server: GameServer) -> Client:
    alice = server.connect("alice")
    server.say(alice, "new")
    seat = server.sit("bob")
    server.hear(alice)
    server.ask(seat, Leave())
    return alice


def a_takeback_is_withdrawn_by_a_move(server: GameServer) -> Client:
    clients = among_strangers(server)
    server.ask(0, Propose(Takeback(2)))
    server.hear(clients["bob"])
    server.say(clients["alice"], "move f1c4")
    return clients["bob"]


def a_rematch_is_proposed(server: GameServer) -> Client:
    alice = after_a_game(server)["alice"]
    server.hear(alice)
    alice.dialect._talk.knows = False  # type: ignore[attr-defined]  # no line takes it back
    server.ask(1, Propose(Rematch()))
    return alice


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (the_other_is_ready, EITHER),
        (the_other_goes_before_a_proposal, ("bob has left: set up a game", *EITHER)),
        (a_takeback_is_withdrawn_by_a_move, ("the moves stand; " + AS_BLACK,)),
        (a_rematch_is_proposed, ("answer text accept", NEW_GAME, *EITHER)),
    ],
)
def test_so_is_one_whose_opponent_speaks_another_dialect(
    happens: Callable[[GameServer], Client], words: tuple[str, ...]
) -> None:
    server = GameServer()
    assert_told(server.hear(happens(server)), *words)


def test_so_is_one_that_comes_back_into_its_game() -> None:
    server = GameServer()
    black = in_a_game(server)["bob"]
    server.drop(black)
    assert_told(server.say(server.back(black), "new"), "goes on; in XBoard: make your move")
