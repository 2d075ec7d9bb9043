"""A bare page with one board under the pages' own headers: the server's drawing, the scripts, what a test tells them.

    page = shown(people, Scene("chess"), seat=0)
    page.tap("e2"), page.tap("e4")
    assert page.chosen() == [{"from": 52, "to": 36, "piece": ""}]

Requests are answered here; what a real page asks its server for is the business of that page's tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Route

from gateway import registry
from gateway.games.base import Game
from gateway.web.board.description import Description, described
from gateway.web.board.svg import drawn
from gateway.web.headers import SECURITY
from gateway.web.pages.assets import Assets
from protocols.core.model import Move, Settings
from tests.browser.visitors import Visitors
from tests.playthroughs.form import Playthrough, Step, taken

FILES = Assets()

SCRIPT = """
import {Board} from "/static/js/board.js";
import {lookOf} from "/static/js/looks.js";
const told = JSON.parse(document.getElementById("page-data").textContent);
const look = await lookOf(told.key);
window.chosen = [];
window.said = [];
window.board = new Board(document.querySelector(".board"), look, {
  seat: told.seat, choose: (move) => window.chosen.push(move), announce: (text) => {
    window.said.push(text);
    document.getElementById("live").textContent = text;
  }});
window.board.turn(told.below);
window.board.show(told.position, {last: told.last, animate: false});
window.board.offer(told.legal, told.options);
document.documentElement.dataset.ready = "yes";
"""

PAGE = """<!doctype html><html lang="en" {root}><head><title>Board</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/css/base.css"><link rel="stylesheet" href="/static/css/board.css">
<script type="application/json" id="page-data">{told}</script></head>
<body><main><h1>Board</h1><div class="board">{svg}</div><p id="live" aria-live="polite"></p></main>
<script type="module" src="/page.js"></script></body></html>"""


@dataclass
class Scene:
    """A position of a game, reached by moves in its notation (or "roll 6"), and what the page is told of it."""

    game: str
    variant: str = ""
    line: Sequence[str] = ()
    options: dict[str, str] = field(default_factory=dict)
    seats: int = 0
    start: str = ""

    @cached_property
    def rules(self) -> Game[Any]:
        return registry.game(self.game)

    @cached_property
    def settings(self) -> Settings:
        return self.rules.settings(self.variant, self.seats, self.start, self.options or None)

    @cached_property
    def look(self) -> Description:
        return described(self.rules, self.settings)

    @cached_property
    def position(self) -> Any:
        script = Playthrough(self.game, self.variant, self.seats, self.start, self.options)
        position = self.rules.start(script.settings())
        for word in self.line:
            kind, _, rest = word.partition(" ")
            step = Step(kind, rest) if kind == "roll" else Step("play", word)
            position, _ = taken(self.rules, self.settings, position, step)
        return position

    @property
    def last(self) -> list[int]:
        """Source and target of the last move of ``line``."""
        if not self.line or self.line[-1].startswith("roll"):
            return []
        before = Scene(self.game, self.variant, self.line[:-1], self.options, self.seats, self.start).position
        move = self.rules.parse(before, self.line[-1])
        return [at for at in (move.source, move.target) if at is not None]

    def after(self, *line: str) -> Scene:
        return Scene(self.game, self.variant, (*self.line, *line), self.options, self.seats, self.start)

    def square(self, name: str) -> int:
        return self.look.names.index(name)

    def told(self) -> dict[str, Any]:
        """The position as ``Board.show`` takes it."""
        game = self.rules
        return {
            "board": sorted(game.board(self.position).items()),
            "hands": [dict(hand) for hand in game.hands(self.position)],
            "alarm": game.alarm(self.position),
            "dead": [],
        }

    def legal(self) -> list[dict[str, Any]]:
        """The legal moves in the wire's form: steps by source, then promotions, then placements."""
        moves = self.rules.legal_moves(self.position)
        empty = set(range(len(self.look.names))) - self.rules.board(self.position).keys()
        return [*_steps(moves), *_promotions(moves), *_placements(moves, empty)]


def _steps(moves: Iterable[Move]) -> list[dict[str, Any]]:
    targets: dict[int, list[int]] = {}
    for move in moves:
        if move.source is not None and move.target is not None and not move.piece:
            targets.setdefault(move.source, []).append(move.target)
    return [{"from": source, "to": found} for source, found in targets.items()]


def _promotions(moves: Iterable[Move]) -> list[dict[str, Any]]:
    pieces: dict[tuple[int, int], list[str]] = {}
    for move in moves:
        if move.source is not None and move.target is not None and move.piece:
            pieces.setdefault((move.source, move.target), []).append(move.piece)
    return [{"from": source, "to": [target], "as": found} for (source, target), found in pieces.items()]


def _placements(moves: Iterable[Move], empty: set[int]) -> list[dict[str, Any]]:
    squares: dict[str, set[int]] = {}
    for move in moves:
        if move.source is None and move.target is not None:
            squares.setdefault(move.piece, set()).add(move.target)
    found: list[dict[str, Any]] = []
    for piece, on in squares.items():
        if 2 * len(on) > len(empty):
            found.append({"piece": piece, "to": "*", "but": sorted(empty - on)})
        else:
            found.append({"piece": piece, "to": sorted(on)})
    return found


class BoardPage:
    """The page, by the names of squares."""

    def __init__(self, page: Page, scene: Scene) -> None:
        self.page = page
        self.scene = scene

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-square="{self.scene.square(name)}"]')

    def click(self, *names: str) -> None:
        for name in names:
            self.cell(name).click()

    def tap(self, *names: str) -> None:
        for name in names:
            self.cell(name).tap()

    def middle(self, name: str) -> tuple[float, float]:
        box = self.cell(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, source: str, target: str) -> None:
        mouse = self.page.mouse
        mouse.move(*self.middle(source))
        mouse.down()
        mouse.move(*self.middle(target), steps=5)
        mouse.up()

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def chosen(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.chosen")
        return found

    def move(self, name: str, to: str, piece: str = "") -> dict[str, Any]:
        """A move as the board gives it; "" for where a placement comes from."""
        return {"from": self.scene.square(name) if name else None, "to": self.scene.square(to), "piece": piece}

    def said(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.said")
        return found

    def show(self, scene: Scene, animate: bool = False) -> int:
        """Show a position; the pieces that slide then. They are counted at once: a slow machine may miss them later."""
        self.scene = scene
        sliding: int = self.page.evaluate(
            """([position, options]) => {
                window.board.show(position, options);
                return document.getAnimations().filter((one) => one.effect.target.matches(".piece")).length;
            }""",
            [scene.told(), {"last": scene.last, "animate": animate}],
        )
        return sliding

    def offer(self, legal: list[dict[str, Any]] | None, **options: Any) -> None:
        self.page.evaluate("([legal, options]) => window.board.offer(legal, options)", [legal, options])

    def pieces(self) -> dict[int, str]:
        """The figures that are drawn, by square."""
        found = self.page.eval_on_selector_all(
            ".pieces > .piece", "all => all.map(g => [+g.dataset.at, g.querySelector('use').getAttribute('href')])"
        )
        return dict(found)

    def expected_pieces(self) -> dict[int, str]:
        board = self.scene.rules.board(self.scene.position)
        return {at: f"#f-{self.scene.look.piece(words).figure.replace(' ', '-')}" for at, words in board.items()}


def shown(
    people: Visitors,
    scene: Scene,
    seat: int | None = 0,
    *,
    below: int | None = None,
    offered: bool = True,
    drawn_before: bool = True,
    theme: str = "",
    extra: dict[str, Any] | None = None,
    **context: Any,
) -> BoardPage:
    """The page of this scene for ``seat``; ``offered``: it may choose a move. Other arguments are the profile's."""
    side = (seat or 0) if below is None else below
    legal = scene.legal() if offered and seat is not None else None
    told = {
        "key": scene.look.key,
        "seat": seat,
        "below": side,
        "position": {**scene.told(), **(extra or {})},
        "last": scene.last,
        "legal": legal,
        "options": {},
    }
    board = scene.rules.board(scene.position)
    svg = drawn(scene.look, board, turned=side in scene.look.turned, last=scene.last) if drawn_before else ""
    html = PAGE.format(told=json.dumps(told), svg=svg, root=f'data-board="{theme}"' if theme else "")
    made = people.context(**context)
    _answered(made, html, {scene.look.key: scene.look.json})
    page = made.new_page()
    page.goto(f"{people.origin}/board")
    page.wait_for_selector("html[data-ready]")
    return BoardPage(page, scene)


def _answered(context: BrowserContext, html: str, looks: dict[str, str]) -> None:
    def answer(route: Route) -> None:
        path = route.request.url.split("/", 3)[3]
        headers = dict(SECURITY)
        if path == "board":
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)
        elif path == "page.js":
            route.fulfill(body=SCRIPT, content_type="text/javascript")
        elif path.startswith("static/"):
            file = FILES.files[path.removeprefix("static/")]
            route.fulfill(body=file.content, content_type=file.media_type)
        elif path.startswith("api/looks/"):
            route.fulfill(body=looks[path.removeprefix("api/looks/")], content_type="application/json")
        else:
            route.fulfill(status=204)

    context.route("**/*", answer)
