"""Plays whole records with the table's own kernel: tic-tac-toe for the rules, Ludo for the dice."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
from msgspec.structs import replace as altered

from gateway import registry
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.table.decide import decide
from gateway.table.state import Status, opened
from gateway.table.writing import TableWriter
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import HouseRules, Settings
from protocols.core.proposals import Proposal, Start
from tests.store.steps import AT, SECRET

TABLE = 12


class Played:
    """A table that is played on in memory; ``events`` is its record so far."""

    def __init__(
        self,
        game: str,
        variant: str = "",
        seats: int = 0,
        start: str = "",
        *,
        rated: bool = False,
        house: HouseRules | None = None,
    ) -> None:
        rules = registry.game(game)
        self.settings: Settings = replace(rules.settings(variant, seats, start), rated=rated)
        house = house or HouseRules()
        self._writer = TableWriter()
        self.state = opened(TABLE, rules, self.settings, house, SECRET)
        self.events: list[ev.Event] = [ev.TableOpened(self.settings, house)]
        for seat in range(self.settings.seats):
            self.does(seat, cmd.Join(game, f"player{seat}", ready=False))
        self.agree(Start(self.settings))

    def does(self, seat: int, command: cmd.Command) -> None:
        draft = decide(self.state, seat, command, 0.0)
        self._writer.take(self.state, draft.state, draft.events)
        self.events += draft.events
        self.state = draft.state

    def agree(self, proposal: Proposal) -> None:
        for seat in range(self.settings.seats):
            self.does(seat, cmd.Propose(proposal))

    def play(self, *texts: str) -> None:
        """Make moves in the game's notation."""
        for text in texts:
            assert self.state.turn is not None
            self.does(self.state.turn, cmd.PlayMove(text=text))

    def play_on(self, turns: int) -> None:
        """The first legal move so often, or until the game is over."""
        for _ in range(turns):
            if self.state.turn is None or self.state.status is not Status.PLAYING:
                return
            self.does(self.state.turn, cmd.PlayMove(self.state.game.legal_moves(self.state.position)[0]))


def rows(events: list[ev.Event]) -> list[EventRow]:
    return list(codec.rows(codec.GENESIS, TABLE, 0, AT, events))


def old_rows(events: list[ev.Event]) -> list[EventRow]:
    """The rows as they were before format 2: every move with its notation and its position."""
    made, digest = [], codec.GENESIS
    for row, event in zip(rows(events), events, strict=True):
        body = json.loads(row.body)
        if isinstance(event, ev.MoveMade):
            changes = body.pop("changes")
            body |= {"notation": event.notation, "changes": changes, "position": event.position}
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        digest = codec.link(digest, TABLE, row.seq, row.at, row.kind, text)
        made.append(EventRow(row.seq, row.at, row.kind, text, digest))
    return made


def forged(events: list[ev.Event], seq: int, **changed: object) -> list[EventRow]:
    """A record with one event changed and every digest made anew: only its content can give it away.

    A change of a move's text makes a record of format 1, which alone has them.
    """
    copy = list(events)
    event = copy[seq - 1]
    copy[seq - 1] = altered(event, **changed) if isinstance(event, msgspec.Struct) else replace(event, **changed)  # type: ignore[arg-type]
    return old_rows(copy) if changed.keys() & {"notation", "position"} else rows(copy)


def seq_of(events: list[ev.Event], kind: type, number: int = 1) -> int:
    """The seq of the ``number``-th event of this class."""
    return [seq for seq, event in enumerate(events, 1) if isinstance(event, kind)][number - 1]
