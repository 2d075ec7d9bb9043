"""A person at a browser as one more player of tests/conformance: takes turns with clients of other dialects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from gateway.web.board.description import described
from protocols.core.model import Move, Settings
from tests.browser.record import Record
from tests.browser.table_page import Pointing, TablePage, Words
from tests.browser.visitors import Visitors
from tests.conformance.brains import Brain
from tests.conformance.host import Host


class BrowserPlayer:
    """Sits down by the link of a ticket before anything else happens: newcomers are sent to nobody who is absent.

    After each move its page's board is the record's. ``brain`` follows the table's record; ``hand`` is how it moves.
    """

    def __init__(
        self,
        people: Visitors,
        port: int,
        table: int,
        ticket: str,
        settings: Settings,
        hand: Callable[[TablePage], Pointing | Words],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.record = Record(port, table, settings)
        self.brain: Brain = self.record
        page = people.arrives(f"/seat#{ticket}", **(options or {}))
        page.wait_for_url(f"**/table/{table}")
        Host(port).until_seated(table)
        self.table = TablePage(page, json.loads(described(self.brain.game, settings).json))
        self.hand = hand(self.table)
        self.lost = "You lost" if settings.seats == 2 else "won"

    @property
    def seat(self) -> int:
        """Of the seat that the page says is one's own."""
        own = self.table.page.locator(".seat", has_text="you").get_attribute("data-seat")
        assert own is not None
        return int(own)

    @property
    def winner(self) -> int | None:
        return self.record.winner

    def turn(self) -> int | None:
        turn = self.record.read_on()
        self.table.until_shown(self.brain.board)
        return turn

    def own_turn(self) -> bool:
        """Read on to one's own turn, past others' moves; False when the game is over, or has stopped to be counted."""
        seat = self.seat
        while (turn := self.record.read_on()) not in (None, seat):
            pass
        self.table.until_shown(self.brain.board)
        return turn is not None

    def move(self) -> Move | None:
        """A placement comes back, for the wires of historic clients do not tell it."""
        return self.plays(self.brain.choose())

    def plays(self, move: Move | str) -> Move | None:
        """Make this move, which may be in the game's notation; a placement comes back."""
        game, position = self.brain.game, self.brain.position
        made = game.normal(position, game.parse(position, move)) if isinstance(move, str) else move
        self.table.until_my_turn()
        self.hand.plays(made, game.notation(position, made))
        return made if None in (made.source, made.target) else None

    def presses(self, name: str) -> None:
        """Press a button of the page."""
        assert isinstance(self.hand, Pointing)
        self.hand.presses(name)

    def watched(self, move: Move) -> None:
        """Told by the record, so not looked at."""

    def close(self) -> None:
        """The page says how it ended."""
        outcome = self.brain.outcome
        assert outcome is not None
        ended = "Draw" if outcome.winner is None else "You won" if outcome.winner == self.seat else self.lost
        self.table.until_status(ended)
        self.table.until_spoken(ended)
        self.hears_all_moves()
        self.table.page.close()

    def hears_all_moves(self) -> None:
        """The live region has said every move once, in order: whose it was, from where and to where."""
        spoken = self.table.until_moves_spoken(len(self.record.made))
        assert [side for side, _ in spoken] == [self.table.side(seat) for seat, _ in self.record.made]
        for (_, words), (_, move) in zip(spoken, self.record.made, strict=True):
            squares = [self.table.look["names"][at] for at in (move.source, move.target) if at is not None]
            for wanted in squares or [move.piece or "passes"]:
                assert wanted in words.replace(",", "").split(), (words, move)
