"""Clients that know no rules have the right board in whole games of every installed rule set."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.bogaprot.dialect import Bogaprot
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.events import Event, GameStarted, MoveMade
from protocols.core.model import Settings
from protocols.core.notifications import Seated
from protocols.core.opcode_codec import Wire, codec
from tests.protocols.talk import ask, opened

RULE_SETS = [(name, variant.name) for name, game in registry.games().items() for variant in game.variants]
PLIES = 120
"""Moves of one game: enough for captures, crownings and pieces sent home, and quick."""

Board = dict[int, str]


class Onlooker:
    """A client that applies messages: a movement or placement replaces the piece on its square."""

    def __init__(self, dialect: Bogaprot, board: Board) -> None:
        self.dialect = dialect
        self.board = dict(board)
        self.ints: list[int] = []
        self._wire = Wire(codec(BOGAPROT), "client")

    def hear(self) -> None:
        for name, values in self._wire.receive_data(b"".join(iter(self.dialect.data_to_send, b""))):
            self.ints += [value for value in values if isinstance(value, int)]
            match name, values:
                case "MSG_MOVE", (int(source), int(target), *piece):
                    self._apply(source, target, str(*piece))

    def _apply(self, source: int, target: int, piece: str) -> None:
        moved = self.board.pop(source) if source >= 0 else piece
        if target >= 0:
            self.board[target] = moved


def steps(game: Game[Any], settings: Settings) -> Iterator[tuple[MoveMade, Board]]:
    """A seeded game: each move with the board after it."""
    random = Random(f"{settings.game} {settings.variant}")
    position = game.start(settings)
    ply = 0
    while ply < PLIES and (turn := game.to_move(position)) is not None:
        if turn == CHANCE:
            position = chance_of(game).rolled(position, random.randint(1, chance_of(game).chance(position).sides))
            continue
        assert isinstance(turn, int)
        move = random.choice(game.legal_moves(position))
        changes, notation = tuple(game.changes(position, move)), game.notation(position, move)
        position = game.play(position, move)
        ply += 1
        yield MoveMade(turn, move, ply, notation, changes, game.text(position)), game.board(position)


def seated(options: dict[str, str], settings: Settings, past: tuple[Event, ...]) -> Bogaprot:
    peer = Bogaprot(options)
    if not peer.connected():
        ask(peer, f'REQ_HANDSHAKE "{settings.game}" 1')
    peer.send(Seated(1, 0, past))
    return peer


@pytest.mark.parametrize(("name", "variant"), RULE_SETS)
def test_a_client_of_the_document_has_the_board_at_every_move_and_after_coming_back(name: str, variant: str) -> None:
    game = registry.games()[name]
    settings = game.settings(variant)
    start = game.board(game.start(settings))
    past: tuple[Event, ...] = (*opened(settings, "alice", "bob"), GameStarted(settings, 1, tuple(start.items()), ""))
    present = Onlooker(seated({}, settings, past), start)
    present.hear()
    for number, (event, board) in enumerate(steps(game, settings)):
        past = (*past, event)
        present.dialect.send(event)
        present.hear()
        assert present.board == board, event
        if number % 10 == 0:
            returned = Onlooker(seated({}, settings, past), start)
            returned.hear()
            assert returned.board == board, event


@pytest.mark.parametrize(("name", "variant"), RULE_SETS)
def test_a_client_of_ggzboard_is_never_told_a_negative_int(name: str, variant: str) -> None:
    game = registry.games()[name]
    settings = game.settings(variant)
    board = tuple(game.board(game.start(settings)).items())
    past: tuple[Event, ...] = (*opened(settings, "alice", "bob"), GameStarted(settings, 1, board, ""))
    dialect = seated({"game": name}, settings, past)
    for event, _ in steps(game, settings):
        past = (*past, event)
        dialect.send(event)
    again = seated({"game": name}, settings, past)
    wire = b"".join(part for peer in (dialect, again) for part in iter(peer.data_to_send, b""))
    heard = Wire(codec(BOGAPROT), "client").receive_data(wire)
    assert len(heard) >= 4
    assert [value for _, values in heard for value in values if isinstance(value, int) and value < 0] == []
