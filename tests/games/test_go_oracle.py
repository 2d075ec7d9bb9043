"""Go against two other implementations: a plain one of lists and sets, and GNU Go over its own protocol."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from gateway.games.go import scoring
from gateway.games.go.position import BLOCK, Position
from protocols.core.model import PASS, Move, Settings
from tests import peers
from tests.games.go_boards import GAME, Plain, begin, played, settings
from tests.laws.playouts import NIGHTLY
from tests.processes import started

GAMES = 12 if NIGHTLY else 3
LONGEST = 160
"""Moves of a random game: on 5x5 and 6x6 most of them take or are taken."""

RULES = list(product(("simple", "positional", "situational"), (False, True), (5, 6, 9)))


def points(position: Position) -> set[int]:
    return {move.target for move in GAME.legal_moves(position) if move.target is not None}


@pytest.mark.nightly_too
@pytest.mark.parametrize(("ko", "suicide", "size"), RULES)
def test_a_plain_implementation_knows_the_same_moves_boards_prisoners_and_areas(
    ko: str, suicide: bool, size: int
) -> None:
    choice, taken, refused = random.Random(f"{ko} {suicide} {size}"), 0, 0
    for _ in range(GAMES):
        position = GAME.start(settings(size, ko=ko, suicide="allowed" if suicide else "forbidden", komi="0"))
        plain = Plain(size, ko, suicide)
        for _ in range(LONGEST):
            legal = points(position)
            assert legal == plain.legal(), GAME.text(position)
            refused += plain.cells.count(".") - len(legal)
            quiet = not legal or (position.passes == 0 and choice.random() < 0.05)
            at = None if quiet else choice.choice(sorted(legal))
            plain.play(at)
            position = GAME.play(position, PASS if at is None else GAME.normal(position, Move(None, at)))
            assert GAME.diagram(position).replace("\n", "") == "".join(plain.cells)
            assert position.taken == tuple(plain.taken)
            assert scoring.count(position).points == plain.area()
            if GAME.to_move(position) is None:
                break
        taken += sum(position.taken)
    assert taken > 5 * GAMES
    assert refused > 5 * GAMES or (suicide and ko == "simple")


SIX_KOS = f"""
    X O . O X O . O X . X O .
    . X O . . X O . . X O . .
    {chr(10).join(["." * 13] * 9)}
    . X O . . X O . . X O . .
    X . X O X . X O X O . O .
    """
IN_KO = [row * 13 + column for row in (0, 12) for column in (1, 2, 5, 6, 9, 10)]


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_boards_of_long_ago_are_remembered_while_only_kos_are_taken(ko: str) -> None:
    choice, longest, repeated = random.Random(ko), 0, 0
    for _ in range(12):
        position, plain = begin(SIX_KOS, ko=ko), Plain(13, ko, False)
        plain.cells = list(GAME.diagram(position).replace("\n", ""))
        plain.past = [("".join(plain.cells), 0)]
        while True:
            empty = [at for at in IN_KO if plain.cells[at] == "."]
            legal = [at for at in empty if plain.after(at) is not None]
            assert [at for at in empty if at in points(position)] == legal
            repeated += len(empty) - len(legal)
            taking = [at for at in legal if sum((plain.after(at) or ([], []))[1])]
            if not taking and position.passes:
                break
            at = choice.choice(taking) if taking else None
            plain.play(at)
            position = GAME.play(position, PASS if at is None else GAME.normal(position, Move(None, at)))
        longest = max(longest, len(plain.past))
    assert longest > 2 * BLOCK
    assert repeated > 50


class Gnugo:
    """GNU Go at the other end of a pipe; several commands are sent before their answers are read."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, commands: Iterable[str]) -> list[str]:
        """The answers without the sign of success; AssertionError where one failed."""
        asked = list(commands)
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command in asked))
        self._process.stdin.flush()
        return [self._answer(command) for command in asked]

    def _answer(self, command: str) -> str:
        assert self._process.stdout is not None
        lines = []
        while line := self._process.stdout.readline().strip():
            lines.append(line)
        assert lines, f"no answer to {command}"
        assert lines[0].startswith("="), (command, lines)
        return "\n".join(lines)[1:].strip()


@contextmanager
def gnugo(*options: str) -> Iterator[Gnugo]:
    program = peers.program("gnugo", "/usr/games")
    with running(program, *options) as process:
        yield Gnugo(process)


@contextmanager
def running(program: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [str(program), "--mode", "gtp", *options]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.write("quit\n")
        process.stdin.close()


@peers.needed
@pytest.mark.parametrize(("size", "moves"), [(5, 120), (9, 160), (13, 60)])
def test_gnugo_knows_the_same_moves_and_boards_under_its_own_rules(size: int, moves: int) -> None:
    choice = random.Random(size)
    names = GAME.start(settings(size)).rules.grid.names
    with gnugo() as engine:
        for _ in range(3):
            engine.ask([f"boardsize {size}", "clear_board"])
            position = GAME.start(settings(size, ko="simple"))
            for _ in range(moves):
                colour = GAME.sides[position.turn]
                answers = engine.ask(f"is_legal {colour} {name}" for name in names)
                legal = points(position)
                assert {at for at, answer in enumerate(answers) if answer == "1"} == legal, GAME.text(position)
                if not legal or GAME.outcome(position) is not None:
                    break
                name = names[choice.choice(sorted(legal))]
                position = played(position, name)
                stones = engine.ask([f"play {colour} {name}", "list_stones black", "list_stones white"])[1:]
                for seat, listed in enumerate(stones):
                    assert set(listed.split()) == {
                        names[at] for at, piece in GAME.board(position).items() if piece == GAME.sides[seat]
                    }
                prisoners = engine.ask(["captures black", "captures white"])
                assert tuple(map(int, prisoners)) == position.taken


def filled(made: Settings, choice: random.Random) -> Position:
    """The end of a random game in which no player fills its own eye: every stone left on the board is alive."""
    position = GAME.start(made)
    while GAME.to_move(position) is not None:
        grid = position.rules.grid
        own = (position.black, position.white)[position.turn]
        moves = [at for at in sorted(points(position)) if grid.near[at] & ~own]
        position = GAME.play(position, grid.placed[position.turn][choice.choice(moves)] if moves else PASS)
    return position


@peers.needed
def test_gnugo_knows_the_same_legal_moves_after_two_stones_were_taken_back_by_one() -> None:
    """Its ko is the Japanese one, which our superko is not."""
    position = GAME.start(settings(5, "japanese"))
    moves = ["C3", "A3", "C2", "B3", "D2", "A2", "D1", "B2", "B1", "E5", "A1", "C1"]
    names = position.rules.grid.names
    with gnugo() as engine:
        engine.ask(["boardsize 5", "clear_board"])
        for at, name in enumerate([*moves, "B1"]):
            answers = engine.ask(f"is_legal {GAME.sides[at % 2]} {each}" for each in names)
            assert {at for at, answer in enumerate(answers) if answer == "1"} == points(position)
            engine.ask([f"play {GAME.sides[at % 2]} {name}"])
            position = played(position, name)
    assert position.taken == (1, 2)


@peers.needed
@pytest.mark.parametrize("stones", range(4, 10))
def test_gnugo_gives_white_the_same_points_for_handicap_stones(stones: int) -> None:
    """Both pass at once: of all 81 points Black has not komi, and not one for each stone, given to White or filled.

    With fewer stones GNU Go does not take the whole board for Black's.
    """
    for name in ("chinese", "japanese"):
        with gnugo(f"--{name}-rules") as engine:
            *_, score = engine.ask(
                ["boardsize 9", "clear_board", "komi 0.5", f"fixed_handicap {stones}", "final_score"]
            )
        over = played(GAME.start(settings(9, name, handicap=str(stones))), "pass pass")
        assert score == GAME.scored(over, ()).detail == f"B+{81 - 0.5 - stones}"


@peers.needed
@pytest.mark.parametrize("size", [7, 9])
def test_gnugo_scores_the_ends_of_random_games_as_the_server_does(size: int) -> None:
    choice = random.Random(size)
    with gnugo("--chinese-rules") as engine:
        for _ in range(3):
            position = filled(settings(size), choice)
            board = GAME.board(position)
            engine.ask([f"boardsize {size}", "clear_board", "komi 7.5"])
            names = position.rules.grid.names
            engine.ask(f"play {piece} {names[at]}" for at, piece in board.items())
            dead, score = engine.ask(["final_status_list dead", "final_score"])
            assert dead == ""
            assert GAME.scored(position, ()).detail == f"{float(score[2:]):g}".join((score[:2], ""))
