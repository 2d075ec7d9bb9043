"""fold.js, in the page, against the kernel: after any events it has the same board, seats, offers and turn."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import Page

from gateway.games.parts import chance_of
from gateway.store import codec
from gateway.table.draft import Draft
from gateway.table.state import State, Status, settling
from protocols.core import events as ev
from protocols.core import proposals as to
from protocols.core.events import Event
from protocols.core.model import HouseRules
from protocols.core.proposals import Start
from tests import peers
from tests.browser.visitors import Visitors
from tests.playthroughs import form
from tests.table.test_random_conversations import TABLES, Life

pytestmark = peers.needed

SEEDS = range(2 * len(TABLES))
"""Each game with each number of seats twice."""

STATUS = {Status.OPEN: "waiting", Status.PLAYING: "playing", Status.ADJOURNED: "adjourned", Status.OVER: "over"}

FOLD = """async ([folder, told]) => {
  const {fold, fresh, positionAt} = await import(folder + "fold.js");
  const table = fresh(), seen = [];
  const board = (squares) => Object.fromEntries(squares);
  for (const step of told) {
    for (const event of step) fold(table, event);
    const {game} = table;
    seen.push({
      status: table.closed ? "closed" : table.status, turn: table.turn, seats: [...table.seats],
      offers: table.offers.map(({seat, what, fields}) => [seat, what, fields.plies ?? null]), ply: game?.ply ?? 0,
      board: board(game?.board ?? []), outcome: game?.outcome ?? null, withdrawn: [...game?.withdrawn ?? []],
    });
  }
  const {game} = table, plies = game ? [...Array(game.ply + 1).keys()] : [];
  return [seen, plies.map((ply) => board(positionAt(game, ply).board))];
}"""


def module_folder(page: Page) -> str:
    """The address of the page's modules."""
    source = page.locator("script[type=module]").first.get_attribute("src")
    assert source is not None
    return source.rpartition("/")[0] + "/"


def as_told(event: Event) -> dict[str, Any]:
    kind, body = codec.encode(event)
    return {"kind": kind, "body": json.loads(body)}


class Watched(Life):
    """A life whose every step is kept: its events, and what the kernel makes of them."""

    def __init__(self, *arguments: Any) -> None:
        self.steps: list[tuple[list[Event], State]] = []
        super().__init__(*arguments)

    def take(self, draft: Draft) -> None:
        super().take(draft)
        self.steps.append((list(draft.events), draft.state))


def seen_by_the_kernel(state: State) -> dict[str, Any]:
    playing = STATUS.get(state.status, "closed")
    outcome = state.outcome
    return {
        "status": "settling" if settling(state) else playing,
        "turn": state.turn,
        "seats": [{"kind": seat.kind.value, "name": seat.name} for seat in state.seats],
        "offers": [
            [made.seat, type(made.proposal).__name__, getattr(made.proposal, "plies", None)] for made in state.proposals
        ],
        "ply": state.ply,
        "board": {str(at): piece for at, piece in state.game.board(state.position).items()} if state.position else {},
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "reason": outcome.reason.value, "detail": outcome.detail}
        | ({"places": list(outcome.places)} if outcome.places else {}),
        "withdrawn": list(state.withdrawn),
    }


def test_a_table_is_folded_as_the_kernel_evolves_it(people: Visitors) -> None:
    """Players who come, go, propose, take back, give up and adjourn, at tables of every game."""
    page = people.arrives("/seat")
    folder = module_folder(page)
    for seed in SEEDS:
        chance = random.Random(seed)
        life = Watched(*TABLES[seed % len(TABLES)], chance)
        for _ in range(60):
            life.wait(chance.choice([0.0, 0.1, 1.0, 5.0]))
            if not life.closed:
                life.live()
        life.everybody_agrees(to.Draw(), Status.PLAYING)
        life.everybody_agrees(to.Rematch(), Status.OVER)
        told = [[as_told(event) for event in events] for events, _ in life.steps]
        told[0].insert(0, as_told(life.said[0]))
        seen, _ = page.evaluate(FOLD, [folder, told])
        for at, ((_, state), found) in enumerate(zip(life.steps, seen, strict=True)):
            assert found == seen_by_the_kernel(state), f"seed {seed}, step {at}"


def test_every_ply_of_a_playthrough_has_its_board(people: Visitors) -> None:
    page = people.arrives("/seat")
    folder = module_folder(page)
    for path in form.files():
        told, boards = events_of(form.read(path.read_text(encoding="utf-8")))
        seen, plies = page.evaluate(FOLD, [folder, [[as_told(event) for event in told]]])
        assert plies == boards, path.stem
        assert seen[-1]["board"] == boards[-1], path.stem


ROLLS = """async ([folder, rolls]) => {
  const {fold, fresh} = await import(folder + "fold.js"), {eventWords} = await import(folder + "words.js");
  const table = fresh(), look = {sides: ["yellow", "red"]};
  return rolls.map(([seat, value]) => {
    const event = {kind: "DiceRolled", body: {seat, number: 1, value}};
    fold(table, event);
    return [eventWords(look, table, event, new Map()), table.rolls.map((values) => [...values])];
  });
}"""


def test_a_roll_that_moves_nothing_is_kept_beside_the_next_ones_and_said(people: Visitors) -> None:
    page = people.arrives("/seat")
    told = page.evaluate(ROLLS, [module_folder(page), [[0, 2], [0, 5], [1, 3]]])
    assert told == [
        ["Yellow rolled 2.", [[2]]],
        ["Yellow rolled 5.", [[2, 5]]],
        ["Yellow cannot move. Red rolled 3.", [[2, 5], [3]]],
    ]


def events_of(played: form.Playthrough) -> tuple[list[Event], list[dict[str, str]]]:
    """The events that a table would tell of a playthrough, and the board at each ply, the last one of withdrawals."""
    game, settings = played.rules(), played.settings()
    before = game.start(settings)
    start = tuple(game.board(before).items())
    events: list[Event] = [
        ev.TableOpened(settings, HouseRules()),
        ev.Proposed(0, Start()),
        ev.GameStarted(settings, 1, start, game.brief(before)),
    ]
    boards, ply = [dict(start)], 0
    for step, after in zip(played.steps, played.positions()[1:], strict=True):
        changes = tuple(sorted(_differences(game.board(before), game.board(after))))
        if step.kind == "play":
            ply += 1
            seat = game.to_move(before)
            assert isinstance(seat, int)
            events.append(ev.MoveMade(seat, form.parsed(game, before, step.word), ply, step.word, changes))
            boards.append(game.board(after))
        elif step.kind == "withdraw":
            events.append(ev.SeatWithdrawn(int(step.word), changes, game.brief(after)))
            boards[-1] = game.board(after)
        elif step.kind == "roll":
            events.append(ev.DiceRolled(chance_of(game).chance(before).seat, 1, int(step.word)))
        before = after
    return events, [{str(at): piece for at, piece in board.items()} for board in boards]


def _differences(before: dict[int, str], after: dict[int, str]) -> list[tuple[int, str | None]]:
    return [(at, after.get(at)) for at in before.keys() | after.keys() if before.get(at) != after.get(at)]
