"""The browser draws what the server draws: the same shapes, in every playthrough, turned, small, marked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from gateway.web.board.description import described
from gateway.web.board.svg import picture
from tests import peers
from tests.browser.board_page import Scene, shown
from tests.browser.visitors import Visitors
from tests.playthroughs import form
from tests.running import RunningServer

pytestmark = peers.needed

DRAW = """async ([look, cases]) => {
  const {picture} = await import("/static/js/draw.js");
  return cases.map(({board, options}) => picture(look, new Map(board), {...options, dead: new Set(options.dead)}));
}"""

APART = 7
"""Every so many-th position of a playthrough: each is drawn in four ways."""

MOST = 24
"""Positions of a playthrough: long ones, of Ludo, are looked at further apart."""


@pytest.fixture(scope="module")
def page(chromium: Browser, running: RunningServer) -> Iterator[Page]:
    people = Visitors(chromium, f"http://127.0.0.1:{running.ports[0]}")
    yield shown(people, Scene("chess")).page
    people.close()
    assert people.left() == []


def cases(script: form.Playthrough) -> Iterator[dict[str, Any]]:
    game = script.rules()
    steps = list(pairwise(script.positions()))
    for before, position in steps[:: max(APART, len(steps) // MOST)]:
        board = game.board(position)
        changed = [at for at in board if game.board(before).get(at) != board[at]][:1]
        gone = [at for at in game.board(before) if at not in board][:1]
        for turned, small in ((False, False), (True, False), (False, True), (True, True)):
            options = {"turned": turned, "small": small, "last": gone + changed, "alarm": game.alarm(position)}
            yield {"board": sorted(board.items()), "options": {**options, "dead": list(board)[:2]}}


@pytest.mark.parametrize("path", form.files(), ids=lambda path: path.stem)
def test_browser_and_server_draw_the_same(page: Page, path: Path) -> None:
    script = form.read(path.read_text(encoding="utf-8"))
    look, asked = described(script.rules(), script.settings()), list(cases(script))
    answered = page.evaluate(DRAW, [json.loads(look.json), asked])
    for case, found in zip(asked, answered, strict=True):
        expected = picture(look, dict(case["board"]), **case["options"])
        assert found == json.loads(json.dumps(asdict(expected))), case


def test_a_piece_that_no_game_has_listed_is_drawn_alike(page: Page) -> None:
    look = Scene("open", "shogi").look
    shown_piece = page.evaluate(
        "async look => (await import('/static/js/draw.js')).pieceOf(look, 'second dragon')", json.loads(look.json)
    )
    assert shown_piece == asdict_of(look.piece("second dragon"))


def asdict_of(piece: Any) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in piece.__struct_fields__}


def test_forced_colours_leave_the_board_its_own(people: Visitors) -> None:
    page = shown(people, Scene("chess"), forced_colors="active").page
    fill = page.eval_on_selector(".board-picture .b", "path => getComputedStyle(path).fill")
    assert fill == "rgb(175, 135, 95)"
