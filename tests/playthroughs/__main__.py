"""``python -m tests.playthroughs``: make a playthrough by seeded play, or regenerate the files there are."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import click

from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from gateway.table import dice
from tests.playthroughs.form import HERE, INPUTS, Playthrough, Step, files, regenerated, taken, write

GREED = 0.7
"""The share of moves ``--greedy`` takes by the game's own opinion: few enough that two games differ, enough to end."""

TABLE_SECRET: Final = bytes(32)
"""The secret of the tables where samples are played (tests/game_samples.py)."""

SECRET: Final = dice.game_secret(TABLE_SECRET, 1)


@click.group()
def main() -> None:
    """Playthroughs: every observable of a game, as a text file."""


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
def update(paths: tuple[Path, ...]) -> None:
    """Regenerate the outputs of PATHS (default: all files) from the inputs they keep."""
    for path in paths or files():
        before, after = path.read_text(encoding="utf-8"), regenerated(path)
        path.write_text(after, encoding="utf-8")
        click.echo(f"{'same   ' if before == after else 'changed'} {path.name}")


@main.command()
@click.argument("game")
@click.option("--variant", default="")
@click.option("--seats", default=0)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE")
@click.option("--start", default="", help="The text of the position to begin with.")
@click.option("--moves", default="", help="What is done first: notations, or other inputs, by commas.")
@click.option("--seed", default=1)
@click.option("--plies", default=300, help="Moves at most, those of --moves included.")
@click.option("--greedy", is_flag=True, help="Prefer moves the game thinks well of.")
@click.option("--sample", is_flag=True, help="For the page in docs/games: the dice are those of TABLE_SECRET.")
@click.option("--full", default=20, help="States shown in full.")
@click.option("--name", default="", help="The file's stem; default: the game, its rule set and seats where needed.")
def create(
    game: str,
    variant: str,
    seats: int,
    options: tuple[str, ...],
    start: str,
    moves: str,
    seed: int,
    plies: int,
    greedy: bool,
    sample: bool,
    full: int,
    name: str,
) -> None:
    """Play one game of GAME and write its file."""
    made = Playthrough(game, variant, seats, start, dict(option.split("=", 1) for option in options), full)
    made.steps = [_step(word) for word in moves.split(",") if word.strip()]
    made.remarks = [f"# {'greedy' if greedy else 'random'} play, seed {seed}"] if plies > len(made.steps) else []
    if not _played_out(made, random.Random(seed), plies, greedy, sample):
        made.cut = f"after {plies} moves"
    path = HERE / f"{name or (f'{game}_sample' if sample else _stem(made))}.txt"
    path.write_text(write(made), encoding="utf-8")
    click.echo(f"{path.name}: {len(made.steps)} inputs, {path.stat().st_size} bytes{', cut' if made.cut else ''}")


def _step(word: str) -> Step:
    kind, _, rest = word.strip().partition(" ")
    return Step("play", word.strip()) if kind not in INPUTS else Step(kind, rest)


def _stem(made: Playthrough) -> str:
    """The game, then its rule set and its number of seats where they are not the default."""
    game, settings = made.rules(), made.settings()
    default = game.settings(settings.variant)
    parts = [settings.game]
    parts += [settings.variant] if settings.variant != game.variants[0].name else []
    parts += [f"{settings.seats}seats"] if settings.seats != default.seats else []
    return "_".join(parts)


def _played_out(made: Playthrough, choice: random.Random, plies: int, greedy: bool, sample: bool) -> bool:
    """Add chosen steps to the given ones until the game is over (True) or has ``plies`` moves (False)."""
    game = made.rules()
    settings = made.settings()
    position: Any = game.start(settings)
    for step in made.steps:
        position = taken(game, settings, position, step)[0]
    count = sum(step.kind == "play" for step in made.steps)
    rolls = sum(step.kind == "roll" for step in made.steps)
    while (turn := game.to_move(position)) is not None:
        if turn == CHANCE:
            sides, rolls = chance_of(game).chance(position).sides, rolls + 1
            value = dice.roll(SECRET, rolls, sides) if sample else choice.randint(1, sides)
            made.steps.append(Step("roll", str(value)))
        elif count < plies:
            made.steps.append(Step("play", _chosen(game, position, choice, greedy)))
            count += 1
        else:
            return False
        position = taken(game, settings, position, made.steps[-1])[0]
    return True


def _chosen(game: Game[Any], position: Any, choice: random.Random, greedy: bool) -> str:
    moves = game.legal_moves(position)
    seat = game.to_move(position)
    choice.shuffle(moves)
    if not (greedy and isinstance(seat, int) and choice.random() < GREED):
        return game.notation(position, moves[0])

    def worth(move: Any) -> float:
        after = game.play(position, move)
        outcome = game.outcome(after)
        if outcome is None:
            return game.evaluate(after, seat)
        return 0.0 if outcome.winner is None else (1e9 if outcome.winner == seat else -1e9)

    return game.notation(position, max(moves, key=worth))


if __name__ == "__main__":
    main()
