"""A table's page as people use it: by mouse, touch, keys or text; and what it shows, as a screen reader is told it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from itertools import count
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from protocols.core.model import PASS, Move
from tests.browser.visitors import PATIENCE_S
from tests.conformance.figures import until

MOST_TABS: Final = 120
"""Presses of Tab within which everything on a page can be reached."""


LISTEN: Final = """() => {
    const live = document.querySelector("#live");
    window.spoken = [];
    new MutationObserver(() => live.textContent.trim() && spoken.push(live.textContent.trim()))
        .observe(live, {childList: true, characterData: true, subtree: true});
}"""
"""Keeps every text of the live region."""


def tab_to(wanted: Locator) -> None:
    """Press Tab until this has the focus."""
    wanted.wait_for(state="attached")
    for _ in range(MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        wanted.page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by Tab")


def enters(page: Page, move: str) -> None:
    """Type a move into the field that has the focus; wait until the page shows it, or why it is refused.

    Before that the page may still say "Your turn", of this turn.
    """
    answers = page.locator("#moves a, #refused:not([hidden])")
    before = answers.count()
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    expect(answers).not_to_have_count(before)


def named(names: dict[str, str], look: dict[str, Any]) -> dict[int, str]:
    """The pieces by their squares, in the words of the cells' ``names``: "e4, white pawn, can move"."""
    spoken = {piece["says"] for piece in look["pieces"].values()}
    told = ((int(at), next((words for words in name.split(", ") if words in spoken), "")) for at, name in names.items())
    return {at: words for at, words in told if words}


def said(board: dict[int, str], look: dict[str, Any]) -> dict[int, str]:
    """A board of the rules in the words of the look."""
    return {at: look["pieces"][piece]["says"] for at, piece in board.items()}


class TablePage:
    """``look`` is the game's description as the page gets it."""

    def __init__(self, page: Page, look: dict[str, Any]) -> None:
        self.page = page
        self.look = look
        page.evaluate(LISTEN)

    def until_spoken(self, text: str) -> None:
        """Wait until the live region has said this, alone or with other sentences."""
        for _ in range(int(PATIENCE_S * 20)):
            if any(text in said for said in self.spoken()):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{text!r} was not said: {self.spoken()}")

    def spoken(self) -> list[str]:
        return list(self.page.evaluate("spoken"))

    def side(self, seat: int) -> str:
        """A side's name as the page says it: "Black"."""
        return str(self.look["sides"][seat]).capitalize()

    def spoken_moves(self) -> list[tuple[str, str]]:
        """The moves that the live region has said: the side, and what it did."""
        sides = "|".join(re.escape(self.side(seat)) for seat in range(len(self.look["sides"])))
        return re.findall(rf"\b({sides}): ([^.]*)\.", " ".join(self.spoken()))

    def until_moves_spoken(self, number: int) -> list[tuple[str, str]]:
        """Wait until so many moves were said: all that were."""
        return until(self.spoken_moves, lambda moves: len(moves) >= number)

    def square(self, at: int) -> Locator:
        return self.page.locator(f'#board [role="gridcell"][data-square="{at}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def shown(self) -> dict[int, str]:
        """The pieces that the page shows, by their squares."""
        cells = self.page.locator('#board [role="gridcell"]')
        names: dict[str, str] = cells.evaluate_all(
            "cells => Object.fromEntries(cells.map(cell => [cell.dataset.square, cell.getAttribute('aria-label')]))"
        )
        return named(names, self.look)

    def says(self, board: dict[int, str]) -> dict[int, str]:
        """A board of the rules in the words of the look."""
        return said(board, self.look)

    def until_shown(self, board: dict[int, str]) -> None:
        """Wait until the page shows this board."""
        wanted = self.says(board)
        for _ in range(int(PATIENCE_S * 20)):
            if (shown := self.shown()) == wanted:
                return
            self.page.wait_for_timeout(50)
        differ = {at: (wanted.get(at), shown.get(at)) for at in {*wanted, *shown} if wanted.get(at) != shown.get(at)}
        raise AssertionError(f"squares that should be another: {differ}")

    def until_my_turn(self) -> None:
        expect(self.page.locator("#status.mine")).to_be_visible()

    def until_status(self, words: str) -> None:
        expect(self.page.locator("#status")).to_have_text(re.compile(words))


class Hand(ABC):
    """A way to move."""

    def __init__(self, table: TablePage) -> None:
        self.table = table

    @abstractmethod
    def plays(self, move: Move, text: str) -> None:
        """Make this move; ``text`` is how the game writes it."""


class Pointing(Hand):
    """By squares: source and target, or one of them alone; a choice of pieces where the page asks.

    Where dice leave a piece one target, the source alone is the move.
    """

    def plays(self, move: Move, text: str) -> None:
        if move == PASS:
            return self.presses(self.table.look["passing"])
        chosen = False
        if move.source is not None:
            chosen = self.takes_from(move.source)
        elif self.held(move.piece).count():
            self.takes(self.held(move.piece))
        else:
            self.awaits(f'#board.anywhere, #board [data-square="{move.target}"].target')
        alone = self.table.look["dice"] and move.source is not None and not chosen
        if move.target is not None and not alone:
            self.points(move.target)
        return self.becomes(move)

    def takes_from(self, at: int) -> bool:
        """Choose the piece of a square, unless the page has: a piece that must go on is chosen already. Then True."""
        square = f'#board [data-square="{at}"]'
        self.awaits(f"{square}.source, {square}.chosen")
        if self.table.square(at).get_attribute("aria-selected") == "true":
            return True
        self.points(at)
        return False

    def becomes(self, move: Move) -> None:
        """Choose what the piece becomes, or which one is placed, where the page asks."""
        if move.piece and (move.source is not None or self.table.page.locator('#board [role="dialog"]').count()):
            self.presses(move.piece)

    def held(self, piece: str) -> Locator:
        """The button of a piece in hand."""
        return self.table.page.locator(f'#board button.held[data-piece="{piece}"]')

    def awaits(self, selector: str) -> None:
        self.table.page.locator(selector).first.wait_for(state="attached")

    @abstractmethod
    def points(self, at: int) -> None: ...

    @abstractmethod
    def presses(self, name: str) -> None: ...

    @abstractmethod
    def takes(self, held: Locator) -> None:
        """Take this piece in hand."""


class Mouse(Pointing):
    """Clicks and drags in turn."""

    def __init__(self, table: TablePage) -> None:
        super().__init__(table)
        self._moves = count()

    def plays(self, move: Move, text: str) -> None:
        if move.source is None or move.target is None or next(self._moves) % 2 == 0:
            return super().plays(move, text)
        self.awaits(f'#board [data-square="{move.source}"]:is(.source, .chosen)')
        self.table.square(move.source).drag_to(self.table.square(move.target))
        return self.becomes(move)

    def points(self, at: int) -> None:
        self.table.square(at).click()

    def presses(self, name: str) -> None:
        self.table.button(name).click()

    def takes(self, held: Locator) -> None:
        held.click()


class Touch(Pointing):
    """Taps."""

    def points(self, at: int) -> None:
        self.table.square(at).tap()

    def presses(self, name: str) -> None:
        self.table.button(name).tap()

    def takes(self, held: Locator) -> None:
        held.tap()


class Keys(Pointing):
    """The keyboard alone: Tab, arrows, Enter."""

    def points(self, at: int) -> None:
        if self._focused() is None:
            tab_to(self.table.page.locator('#board [role="gridcell"][tabindex="0"]'))
        focused = self._focused()
        assert focused is not None
        width, way = self.table.look["width"], -1 if self._is_turned() else 1
        down, right = (
            way * (wanted - now) for wanted, now in zip(divmod(at, width), divmod(focused, width), strict=True)
        )
        keys = ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down) + [
            "ArrowRight" if right > 0 else "ArrowLeft"
        ] * abs(right)
        for key in keys:
            self.table.page.keyboard.press(key)
        assert self._focused() == at, f"the arrows {keys} lead from {focused} to {self._focused()}, not to {at}"
        self.table.page.keyboard.press("Enter")

    def presses(self, name: str) -> None:
        self.takes(self.table.button(name))

    def takes(self, held: Locator) -> None:
        tab_to(held)
        self.table.page.keyboard.press("Enter")

    def _focused(self) -> int | None:
        """The square that has the focus."""
        at = self.table.page.evaluate("document.activeElement?.closest('#board [data-square]')?.dataset.square")
        return None if at is None else int(at)

    def _is_turned(self) -> bool:
        """Whether square 0 is at the lower right."""
        last_square = len(self.table.look["names"]) - 1
        first, last = (self.table.square(at).bounding_box() for at in (0, last_square))
        assert first is not None
        assert last is not None
        return first["y"] > last["y"]


class Words(Hand):
    """By the text field, in the game's notation."""

    def plays(self, move: Move, text: str) -> None:
        field = self.table.page.locator("#move-text")
        field.fill(text)
        field.press("Enter")
