"""Draws the terminal client as SVG: ``python -m tests.clients.picture ludo OUT.svg``. No test.

Every cell is drawn where it belongs, block characters as rectangles, so that the picture does not depend on a font's
idea of them as textual's own screenshots do. The game shown is drawn by lot, the same every time, up to the given
number of moves. ``rsvg-convert OUT.svg -o OUT.png`` makes a PNG of it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from rich.color import Color, ColorSystem
from textual.app import App

from clients.client_state import ClientState
from clients.connection import Connection
from clients.drawing import RIGHT
from clients.joining import Wish
from clients.player_app import PlayerApp
from clients.session import Session
from clients.shapes import LEFT, LOWER, QUADRANTS
from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.core.opcodes import Value
from tests.clients.scripted import Peer, serving

CELL = (9, 18)
"""Width and height of a character in the picture, in its units."""


def svg(app: App[Any], few_colours: bool = False) -> str:
    """The screen of a running app; ``few_colours``: as a terminal of 256 colours shows it."""
    width, height = CELL
    parts = []
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        x = 0
        for segment in strip:
            style = segment.style
            front, back = (style.color, style.bgcolor) if style else (None, None)
            if style and style.reverse:
                front, back = back, front
            size = segment.cell_length
            if back:
                parts.append(_box(x * width, y * height, size * width, height, _hex(back, few_colours)))
            weight = ' font-weight="bold"' if style and style.bold else ""
            faint = ' opacity="0.6"' if style and style.dim else ""
            for at, letter in enumerate(segment.text):
                parts.append(_cell(x + at, y, letter, _hex(front, few_colours) if front else "#e0e0e0", weight + faint))
            x += size
    wide, high = app.size.width * width, app.size.height * height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    font = 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14.5"'
    return f'{head}<rect width="100%" height="100%" fill="#121212"/><g {font}>{"".join(parts)}</g></svg>\n'


def _cell(x: int, y: int, letter: str, colour: str, style: str) -> str:
    width, height = CELL
    boxes = [
        _box(x * width + left * width, y * height + top * height, wide * width, high * height, colour)
        for left, top, wide, high in _filled(letter)
    ]
    if boxes or letter == " ":
        return "".join(boxes)
    return f'<text x="{x * width}" y="{y * height + 13.5}" fill="{colour}"{style}>{escape(letter)}</text>'


def _filled(letter: str) -> list[tuple[float, float, float, float]]:
    """The rectangles a block character fills, in shares of its cell: left, top, width, height."""
    if letter in LOWER:
        share = (LOWER.index(letter) + 1) / 8
        return [(0, 1 - share, 1, share)]
    if letter in LEFT:
        return [(0, 0, (LEFT.index(letter) + 1) / 8, 1)]
    if letter == RIGHT:
        return [(7 / 8, 0, 1 / 8, 1)]
    dots = max(QUADRANTS.find(letter), 0)
    return [(bit % 2 / 2, bit // 2 / 2, 0.5, 0.5) for bit in range(4) if dots >> bit & 1]


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    # edges on whole cells are drawn crisp, otherwise hairlines of the background show between them
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}" shape-rendering="crispEdges"/>'


def _hex(colour: Color, few_colours: bool) -> str:
    shown = colour.downgrade(ColorSystem.EIGHT_BIT) if few_colours else colour
    return shown.get_truecolor().hex


def conversation(
    game: Game[Any], variant: str, seats: int, moves: int, seed: int, line: Sequence[str] = ()
) -> list[tuple[str, tuple[Value, ...]]]:
    """What a server says during a game of so many moves, drawn by lot, the same lots for the same seed.

    ``line`` are the first moves in the game's notation: they are made, not drawn.
    """
    position = game.start(game.settings(variant, seats))
    said: list[tuple[str, tuple[Value, ...]]] = [("MSG_START", ())]
    made, dice = 0, Random(seed)
    while made <= moves and (turn := game.to_move(position)) is not None:
        if turn is CHANCE:
            value = dice.randint(1, chance_of(game).chance(position).sides)
            position = chance_of(game).rolled(position, value)
            said.append(("MSG_DICE", (value,)))
            continue
        said.append(("REQ_MOVE", (turn,)))
        choice = game.legal_moves(position)
        move = game.parse(position, line[made]) if made < len(line) else dice.choice(choice)
        made += 1
        if made > moves:
            break
        source, target = (-1 if at is None else at for at in (move.source, move.target))
        said.append(("MSG_MOVE", (source, target, *([move.piece or "pass"] if source < 0 else []))))
        position = game.play(position, move)
    over = game.outcome(position)
    if over is not None:
        said.append(("MSG_GAMEOVER", (-1 if over.winner is None else over.winner,)))
    return said


async def picture(game: Game[Any], args: argparse.Namespace) -> str:
    """The screen after the conversation, as SVG."""
    names = ("alice", "bob", "carol", "dave")[: args.seats or 2]
    players: list[Value] = [len(names)]
    for name in names:
        players += [3, name]
    line = args.line.split()
    moves = len(line) if line else args.moves
    said = conversation(game, args.variant, len(names), moves, args.seed, line)

    async def script(peer: Peer) -> None:
        await peer.welcome(args.seat, *players)
        for message, values in said if moves >= 0 else []:
            await peer.say(message, *values)
        await peer.until_closed()

    async with serving(script) as address:
        wish = Wish(game.name, names[args.seat], args.variant, args.seats)
        connection = Connection(Session(wish, ClientState(game, args.variant)), address)
        await connection.open()
        app = PlayerApp(connection)
        async with app.run_test(size=(args.columns, args.rows)) as pilot:
            app.theme = "textual-light" if args.light else "textual-dark"
            await pilot.pause(0.4)
            for key in args.keys.split():
                await pilot.press(key)
            await pilot.pause(0.2)
            drawn = svg(app, args.few_colours)
        await connection.close()
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the terminal client.")
    parser.add_argument("game")
    parser.add_argument("out", type=Path)
    parser.add_argument("--moves", type=int, default=30, help="-1: the waiting screen")
    parser.add_argument("--line", default="", help="the moves to be made, in the game's notation, instead of lots")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", default="")
    parser.add_argument("--columns", type=int, default=80)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--keys", default="", help="keys pressed at the end, by textual's names")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--few-colours", action="store_true", help="as a terminal of 256 colours shows it")
    args = parser.parse_args()
    drawn = asyncio.run(picture(registry.game(args.game), args))
    args.out.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
