"""The lens over boards with small squares, under real touches: what it shows, what a lifted finger chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests import peers
from tests.browser.board_page import BoardPage, Scene, shown
from tests.browser.visitors import NARROW, ON_A_PHONE, PHONE, Visitors, screenshot, violations

pytestmark = peers.needed

TAFL: Final = Scene("hnefatafl")
LOADED: Final = "() => window.board.lens !== null"
WINDOWS: Final = {"phone": PHONE, "narrow": NARROW}


class Finger:
    """Touches by the DevTools protocol, at squares or points of the window."""

    def __init__(self, page: BoardPage) -> None:
        self.page = page
        self._client = page.page.context.new_cdp_session(page.page)
        self.lens = page.page.locator(".lens")

    def down(self, name: str) -> None:
        self._sends("touchStart", self.page.middle(name))

    def down_on(self, part: Locator) -> None:
        box = part.bounding_box()
        assert box is not None
        self._sends("touchStart", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))

    def moves(self, to: str | tuple[float, float]) -> None:
        self._sends("touchMove", self.page.middle(to) if isinstance(to, str) else to)

    def up(self) -> None:
        self._sends("touchEnd")

    def cancelled(self) -> None:
        self._sends("touchCancel")

    def chooses(self, *names: str) -> None:
        for name in names:
            self.down(name)
            self.up()

    def until_meant(self, name: str) -> None:
        """Wait until the lens marks this square: the browser tells of a moved finger with the next frame."""
        expect(self.lens.locator(".meant")).to_have_attribute("aria-label", re.compile(f"^{name},"))

    def _sends(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def on_a_phone(people: Visitors, scene: Scene, window: str = "phone") -> Finger:
    page = shown(people, scene, **{**ON_A_PHONE, "viewport": WINDOWS[window]})
    page.page.wait_for_function(LOADED)
    return Finger(page)


@contextmanager
def pressed(finger: Finger, name: str) -> Iterator[tuple[float, float, float, float]]:
    """The lens's left, top, right and lower edge while this square is pressed."""
    finger.down(name)
    finger.lens.wait_for()
    box = finger.lens.bounding_box()
    assert box is not None
    yield box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
    finger.cancelled()
    finger.lens.wait_for(state="detached")


@pytest.mark.parametrize("window", WINDOWS)
def test_a_pressed_square_is_enlarged_and_chosen_by_lifting_the_finger(people: Visitors, window: str) -> None:
    scene = Scene("go")
    finger = on_a_phone(people, scene, window)
    finger.down("Q16")
    finger.lens.wait_for()
    finger.until_meant("Q16")
    finger.moves("R16")
    finger.moves("R15")
    finger.until_meant("R15")
    screenshot(finger.page.page, f"lens/{window}-go", whole=False)
    assert violations(finger.page.page) == []
    assert finger.page.chosen() == []
    finger.up()
    finger.lens.wait_for(state="detached")
    assert finger.page.chosen() == [finger.page.move("", "R15", "black")]


@pytest.mark.parametrize("window", WINDOWS)
def test_the_lens_stands_in_the_window_and_never_under_the_finger(people: Visitors, window: str) -> None:
    finger = on_a_phone(people, TAFL, window)
    page = finger.page
    page.page.evaluate("document.querySelector('.board').scrollIntoView()")
    for name in ("a11", "f11", "k11", "a1", "k1", "f6"):
        x, y = page.middle(name)
        with pressed(finger, name) as (left, top, right, bottom):
            assert left >= 0, name
            assert top >= 0, name
            assert right <= WINDOWS[window]["width"], name
            assert not (left < x < right and top < y < bottom), name


def test_a_piece_is_moved_by_two_touches_or_by_one_that_slides(people: Visitors) -> None:
    finger = on_a_phone(people, TAFL)
    page = finger.page
    finger.chooses("a4")
    assert page.cell("a4").get_attribute("aria-selected") == "true"
    with pressed(finger, "b4"):
        screenshot(page.page, "lens/phone-hnefatafl", whole=False)
    finger.chooses("b4")
    assert page.chosen() == [page.move("a4", "b4")]
    page.page.evaluate("window.board.refuse()")
    finger.down("a4")
    finger.moves("c4")
    finger.up()
    assert page.chosen()[1:] == [page.move("a4", "c4")]


def test_a_finger_that_slides_to_another_piece_chooses_that(people: Visitors) -> None:
    finger = on_a_phone(people, TAFL)
    finger.down("a4")
    finger.moves("a5")
    finger.up()
    assert finger.page.cell("a5").get_attribute("aria-selected") == "true"
    assert finger.page.chosen() == []


def test_a_finger_that_leaves_the_board_or_is_taken_away_chooses_nothing(people: Visitors) -> None:
    finger = on_a_phone(people, Scene("go"))
    x, _ = finger.page.middle("Q16")
    finger.down("Q16")
    finger.moves((x, 2.0))
    finger.up()
    with pressed(finger, "Q16"):
        pass
    finger.lens.wait_for(state="detached")
    assert finger.page.chosen() == []


def test_a_piece_of_the_hand_is_dragged_to_a_small_square_by_the_lens(people: Visitors) -> None:
    finger = on_a_phone(people, Scene("arimaa"), "narrow")
    page = finger.page
    finger.down_on(page.page.get_by_role("button", name="1 camel, place one"))
    assert finger.lens.count() == 0
    finger.moves("d3")
    finger.moves("d2")
    finger.lens.wait_for()
    finger.until_meant("d2")
    assert page.page.locator(".over .ghost .piece").get_attribute("data-at") == str(page.scene.square("d2"))
    screenshot(page.page, "lens/narrow-arimaa-hand", whole=False)
    assert page.chosen() == []
    finger.up()
    finger.lens.wait_for(state="detached")
    assert page.chosen() == [page.move("", "d2", "camel")]


def test_a_piece_of_the_hand_that_is_dropped_beside_the_board_is_chosen_and_not_placed(people: Visitors) -> None:
    finger = on_a_phone(people, Scene("arimaa"), "narrow")
    page, (x, _) = finger.page, finger.page.middle("d2")
    camel = page.page.get_by_role("button", name="1 camel, place one")
    finger.down_on(camel)
    finger.moves("d2")
    finger.lens.wait_for()
    finger.moves((x, 2.0))
    finger.lens.wait_for(state="detached")
    assert page.page.locator(".ghost").count() == 0
    finger.up()
    expect(camel).to_have_attribute("aria-pressed", "true")
    assert page.chosen() == []


def test_a_mouse_loads_no_lens_and_large_squares_need_none(people: Visitors) -> None:
    page = shown(people, TAFL).page
    files = "() => performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/lens.js')).length"
    assert page.evaluate(files) == 0
    finger = on_a_phone(people, Scene("chess"))
    finger.down("e2")
    assert finger.lens.count() == 0
    finger.up()
    assert finger.page.cell("e2").get_attribute("aria-selected") == "true"
