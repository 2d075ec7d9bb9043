"""GGZBoard's Ludo window draws whole games right, and its clicks play moves."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from gateway.games.base import CHANCE
from gateway.games.ludo.rules import DEPOTS, Ludo, Position
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.commands import PlayMove
from protocols.core.errors import IllegalMove
from protocols.core.events import (
    DiceRolled,
    Event,
    GameStarted,
    MoveMade,
    SeatWithdrawn,
    TurnStarted,
)
from protocols.core.model import Move, Settings
from protocols.core.notifications import Seated
from tests.conformance.ggzboard_emulator import LUDO_DEPOTS, LudoWindow
from tests.protocols.talk import heard, opened

LUDO = Ludo()
WINDOW = {"game": "ludo", "variant": "ggzboard", "width": "10"}
NOWHERE = (2, 2)
SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(4, 40))]
"""A square without a tile, where the window draws nothing."""


class Client:
    """A window and its connection at the table."""

    def __init__(self, past: tuple[Event, ...], seat: int | None = 0) -> None:
        self.peer, self.window = Bogaprot(WINDOW), LudoWindow()
        self.peer.connected()
        self.heard: list[tuple[int, int]] = []
        """The moves told since they were looked at."""
        self.tell(Seated(1, seat, past))

    def tell(self, *messages: Event | Seated) -> None:
        """The window reads every message; its emulation fails on a move that the original does not survive."""
        self.heard = []
        for message in messages:
            self.peer.send(message)
        for line in heard(self.peer):
            name, *values = line.split()
            if name == "MSG_MOVE":
                source, destination = map(int, values)
                self.window.heard(source, destination)
                self.heard.append((source, destination))


class Game:
    """A random game by the rules; ``turn`` is None when it is over."""

    def __init__(self, seats: int, seed: int, start: str = "") -> None:
        self.random = Random(seed)
        self.settings: Settings = LUDO.settings("ggzboard", seats, start)
        self.position: Position = LUDO.start(self.settings)
        self.past: list[Event] = [
            *opened(self.settings, *(f"player{seat}" for seat in range(seats))),
            GameStarted(self.settings, 1, tuple(LUDO.board(self.position).items()), ""),
        ]
        self.clients: list[Client] = []

    @property
    def turn(self) -> int | None:
        seat = LUDO.to_move(self.position)
        assert seat != CHANCE
        return seat if isinstance(seat, int) else None

    def happened(self, *events: Event) -> None:
        self.past += events
        for client in self.clients:
            client.tell(*events)

    def roll(self) -> None:
        """The dice until a seat can move."""
        rolled: list[Event] = []
        while LUDO.to_move(self.position) == CHANCE:
            seat, value = self.position.turn, self.random.randint(1, 6)
            self.position = LUDO.rolled(self.position, value)
            rolled.append(DiceRolled(seat, len(self.past), value))
        self.happened(*rolled, *([] if self.turn is None else [TurnStarted(self.turn)]))

    def play(self, move: Move) -> None:
        assert self.turn is not None
        changes = tuple(LUDO.changes(self.position, move))
        made = MoveMade(self.turn, move, len(self.past), "", changes, "")
        self.position = LUDO.play(self.position, move)
        self.happened(made)

    def choose(self) -> Move:
        return self.random.choice(LUDO.legal_moves(self.position))

    @property
    def out(self) -> dict[tuple[int, int], str]:
        """The pieces that have left their depots, by column and row."""
        board = LUDO.board(self.position).items()
        return {(at % 11, at // 11): colour for at, colour in board if at not in DEPOTS[colour]}


def assert_drawn(game: Game, window: LudoWindow) -> None:
    """Each piece is drawn on its square, by a piece of its colour or of one without a player.

    Those on the ring's squares in column 10 are not, which the window cannot be told: that many pieces may be drawn
    elsewhere. At a table of four blue and red may lack pieces, for two of each can never be told to move.
    """
    playing = game.position.colours
    drawn = {at: colour for at, colour in window.board.items() if at not in LUDO_DEPOTS[colour] and at != NOWHERE}
    named = {at: colour for at, colour in game.out.items() if at[0] < 10}
    for at, colour in named.items():
        if len(playing) < 4:
            assert drawn[at] == colour or (colour in ("blue", "red") and drawn[at] not in playing)
        else:
            assert drawn.get(at) == colour or (at not in drawn and colour in ("blue", "red"))
    assert len(drawn.keys() - named.keys()) <= len(game.out) - len(named)
    assert Counter(window.board.values()) == dict.fromkeys(LUDO_DEPOTS, 4)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_window_draws_whole_games_and_is_never_told_of_a_square_that_it_draws_empty(seats: int, seed: int) -> None:
    """The emulation ends with a move from an empty square, as the original does."""
    game = Game(seats, seed)
    game.clients = [Client(tuple(game.past), seat) for seat in range(seats)]
    game.roll()
    while game.turn is not None:
        assert game.clients[game.turn].window.turn == game.position.colours[game.turn], "the mouse takes this colour"
        game.play(game.choose())
        for client in game.clients:
            assert_drawn(game, client.window)
        late = Client((*game.past,), None)
        assert_drawn(game, late.window)
        game.roll()


@pytest.mark.parametrize("seats", [2, 3])
def test_all_four_pieces_of_blue_leave_return_and_get_home_before_the_window_s_eyes(seats: int) -> None:
    """Two of them stand in column 10 at first."""
    won = 0
    for seed in range(30):
        game = Game(seats, seed)
        client = Client(tuple(game.past), None)
        game.clients = [client]
        game.roll()
        while game.turn is not None:
            game.play(game.choose())
            game.roll()
        outcome = LUDO.outcome(game.position)
        if outcome is not None and outcome.winner == 1:
            won += 1
            assert {(5, 1), (5, 2), (5, 3), (5, 4)} <= client.window.board.keys()
    assert won


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_person_plays_whole_games_by_clicks_whatever_the_die_shows(seats: int, seed: int) -> None:
    """In every position some piece that the mouse can take leads to a legal move; the window never hangs."""
    game = Game(seats, seed)
    seat = seed % seats
    person = Client(tuple(game.past), seat)
    game.clients = [person]
    game.roll()
    while game.turn is not None:
        game.play(clicked(game, person) if game.turn == seat else game.choose())
        game.roll()


def clicked(game: Game, person: Client) -> Move:
    """The move of a random click that the rules accept."""
    pieces = list(person.window.clicks())
    game.random.shuffle(pieces)
    for at in pieces:
        move = meant(game, person, *person.window.click(at))
        if move is not None:
            return move
    raise AssertionError(f"no click is a move in\n{LUDO.diagram(game.position)}\n{person.window.board}")


def meant(game: Game, person: Client, source: int, destination: int) -> Move | None:
    """Return the first legal reading of a click, which a table plays."""
    data = person.peer.text_to_wire([f"MSG_MOVE {source} {destination}"], sent=False, options={})
    (command,) = person.peer.receive_data(data)
    assert isinstance(command, PlayMove)
    assert command.move is not None
    for reading in (command.move, *command.others):
        move = LUDO.normal(game.position, reading)
        try:
            LUDO.play(game.position, move)
        except IllegalMove:
            continue
        return move
    return None


def standing(rows: str, turn: str, seats: int = 2) -> Game:
    return Game(seats, 0, f"{'/'.join(rows.split())} {turn}")


TWO_OF_BLUE_OUT = """
    yy........b
    yy........b
    ...........
    ...........
    ....b......
    ...........
    ..b........
    ...........
    ...........
    ...........
    ...........
"""


def test_blue_s_third_piece_leaves_as_a_piece_of_a_colour_that_nobody_plays() -> None:
    """Blue's last two stand in column 10 of the depot, which no number names: (0, 9) is green's first depot square."""
    game = standing(TWO_OF_BLUE_OUT, "1 roll 1")
    client = Client(tuple(game.past), None)
    game.clients = [client]
    game.play(LUDO.normal(game.position, Move(10, 6)))
    ((source, destination),) = client.heard
    assert (source % 10, source // 10) in LUDO_DEPOTS["green"] or (source % 10, source // 10) in LUDO_DEPOTS["red"]
    assert destination == 6
    assert_drawn(game, client.window)


def test_a_piece_in_the_ring_s_column_10_stays_drawn_where_it_came_from_until_it_goes_on() -> None:
    rows = """
        yy.......bb
        y........bb
        ...........
        ...........
        ........y..
        ...........
        ...........
        ...........
        ...........
        ...........
        ...........
    """
    game = standing(rows, "0 roll 2")
    client = Client(tuple(game.past), None)
    game.clients = [client]
    game.play(Move(4 * 11 + 8, 4 * 11 + 10))
    assert client.heard == []
    assert client.window.board[8, 4] == "yellow"

    game.position = LUDO.start(LUDO.settings("ggzboard", 2, LUDO.text(game.position).replace("1 tries 3", "0 roll 3")))
    game.play(Move(4 * 11 + 10, 6 * 11 + 9))
    assert client.heard == [(4 * 10 + 8, 6 * 10 + 9)]


def test_a_seat_that_gives_up_is_drawn_in_its_depot() -> None:
    game = standing(TWO_OF_BLUE_OUT, "0 tries 3", 2)
    client = Client(tuple(game.past), None)
    changes = tuple((at, None) for at in game.position.pieces[1])
    client.tell(SeatWithdrawn(1, changes, ""))
    assert client.window.board == LudoWindow().board


def test_a_set_up_is_drawn_when_the_game_begins() -> None:
    game = standing(TWO_OF_BLUE_OUT, "0 tries 3")
    client = Client(tuple(game.past), None)
    assert_drawn(game, client.window)
    assert client.window.board[4, 4] == client.window.board[2, 6] == "blue"


def test_the_option_window_says_which_clients_a_port_is_for() -> None:
    """Programs count ten columns too, and are told every move as it is."""
    game = standing(TWO_OF_BLUE_OUT, "1 roll 1")
    moved = MoveMade(1, Move(10, 6), 1, "", ((10, None), (6, "blue")), "")
    for options in ({"window": "no"}, {"variant": "maedn"}):
        peer = Bogaprot(WINDOW | options)
        peer.connected()
        peer.send(Seated(1, 0, tuple(game.past)))
        heard(peer)
        peer.send(moved)
        assert heard(peer) == ["MSG_MOVE 10 6"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"game": "ludo", "window": "yes"}, "window=yes is for game=ludo,width=10"),
        ({"game": "arimaa", "width": "10", "window": "yes"}, "window=yes is for game=ludo,width=10"),
        ({"game": "ludo", "width": "10", "window": "maybe"}, "window is yes or no, not 'maybe'"),
    ],
)
def test_a_window_where_there_is_none_is_refused_at_start_up(options: dict[str, str], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Bogaprot(options)
