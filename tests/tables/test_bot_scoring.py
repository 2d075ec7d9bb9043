"""House bots at a table whose play has stopped: asked once a stop, heard, and never waited for without an end."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from gateway.store.log import SqlLog
from gateway.table.bot_context import BotContext
from gateway.table.state import Status
from gateway.tables.bots import whole
from protocols.core.events import Event, GameResumed, Proposed
from protocols.core.model import PASS, Move
from protocols.core.proposals import Score
from tests.failing_record import Failing, failing
from tests.hall import FirstMove, Guest, Hall, hall
from tests.running import made_record
from tests.table.test_settling import point
from tests.table.test_settling import stopped as walls

GAME = "go?against=bot&size=5&komi=0.5"
TICKET = "a-ticket-that-anna-has-brought"
A1 = 20


class Passes(FirstMove):
    """A house bot that passes, and takes ``dead`` for dead after ``thought_s``; ``bouts`` are what it was asked."""

    def __init__(self, dead: tuple[int, ...] | None, thought_s: float = 0.0) -> None:
        super().__init__()
        self.dead = dead
        self.thought_s = thought_s
        self.bouts: list[BotContext] = []

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        await trio.lowlevel.checkpoint()
        return PASS

    async def settle(
        self, game_name: str, position: Any, level: int, bot_context: BotContext
    ) -> tuple[int, ...] | None:
        self.bouts.append(bot_context)
        await trio.sleep(self.thought_s)
        return self.dead


async def stopped(here: Hall, engine: str = GAME) -> Guest:
    """Anna has A1, the only stone, and both have passed."""
    anna = here.dial()
    assert await anna.joins(engine) == 0
    await puts(anna, A1)
    await passes(anna)
    return anna


async def puts(anna: Guest, square: int) -> None:
    assert await anna.puts(square) == (0,)
    await hears_word(anna, "pass")


async def passes(anna: Guest) -> None:
    await says(anna, "pass")
    await hears_word(anna, "settle")


async def says(anna: Guest, word: str) -> None:
    await anna.say("MSG_MOVE", -1, -1, word)


async def hears_word(anna: Guest, word: str) -> None:
    while (await anna.hear("MSG_MOVE"))[-1] != word:
        pass


def lists(events: Iterable[Event], seat: int) -> list[Score]:
    """Return the dead stones that this seat has proposed."""
    made = [event.proposal for event in events if isinstance(event, Proposed) and event.seat == seat]
    return [proposal for proposal in made if isinstance(proposal, Score)]


async def test_it_says_what_it_takes_for_dead_and_the_person_agrees(autojump_clock: MockClock) -> None:
    bots = Passes((A1,))
    async with hall(bots=bots) as here:
        anna = await stopped(here)
        await hears_word(anna, f"dead {A1}")
        await says(anna, f"dead {A1}")
        assert await anna.hear("MSG_GAMEOVER") == (1,)
        assert [(bot_context.table, bot_context.number) for bot_context in bots.bouts] == [(1, 1)]
        assert bots.released == [1]


async def test_one_without_a_list_agrees_to_what_the_person_says(autojump_clock: MockClock) -> None:
    async with hall(bots=Passes(None)) as here:
        anna = await stopped(here)
        await says(anna, "dead")
        assert await anna.hear("MSG_GAMEOVER") == (0,)


async def test_a_list_that_the_rules_do_not_have_counts_as_none(autojump_clock: MockClock) -> None:
    async with hall(bots=Passes((0, 99))) as here:
        anna = await stopped(here)
        await says(anna, "dead")
        assert await anna.hear("MSG_GAMEOVER") == (0,)


async def test_what_the_person_says_first_waits_for_the_bot(autojump_clock: MockClock) -> None:
    async with hall(bots=Passes((A1,), thought_s=20.0)) as here:
        anna = await stopped(here)
        await says(anna, "dead")
        await trio.sleep(10.0)
        assert here.state().status is Status.PLAYING
        await hears_word(anna, f"dead {A1}")
        await says(anna, f"dead {A1}")
        assert await anna.hear("MSG_GAMEOVER") == (1,)


async def test_the_bot_plays_on_once_and_then_the_person_s_list_counts(autojump_clock: MockClock) -> None:
    bots = Passes((A1,))
    async with hall(bots=bots) as here:
        anna = await stopped(here)
        await hears_word(anna, f"dead {A1}")
        await says(anna, "dead")
        await hears_word(anna, "resume")
        await hears_word(anna, "pass")
        await passes(anna)
        await says(anna, "dead")
        assert await anna.hear("MSG_GAMEOVER") == (0,)
        events = await here.server.tables[1].journal.read(here.server.tables[1].state.game)
    assert len(bots.bouts) == 2
    assert len([event for event in events if isinstance(event, GameResumed)]) == 1
    assert [score.program for score in lists(events, seat=1)] == [True, True]
    assert [score.program for score in lists(events, seat=0)] == [False, False]


async def test_a_thought_about_a_stop_that_has_passed_is_not_heard(autojump_clock: MockClock) -> None:
    """The person plays on before the bot has counted; a stone more stands when play stops again."""
    bots = Passes((A1,), thought_s=20.0)
    async with hall(bots=bots) as here:
        anna = await stopped(here)
        await says(anna, "resume")
        await hears_word(anna, "pass")
        await puts(anna, 0)
        bots.dead, bots.thought_s = (), 30.0
        await passes(anna)
        await hears_word(anna, "dead")
        events = await here.server.tables[1].journal.read(here.server.tables[1].state.game)
    assert lists(events, seat=1) == [Score(())]


async def test_an_interrupted_settlement_is_gone_on_with(autojump_clock: MockClock) -> None:
    bots = Passes((A1,))
    async with hall(bots=bots) as here:
        anna = await stopped(here)
        await hears_word(anna, f"dead {A1}")
        for word in ("adjourn", "resume"):
            await says(anna, word)
        await hears_word(anna, f"dead {A1}")
        await says(anna, f"dead {A1}")
        assert await anna.hear("MSG_GAMEOVER") == (1,)


async def test_house_bots_that_are_left_alone_do_not_settle_the_score(autojump_clock: MockClock) -> None:
    """The last person leaves for good, without a ticket to come back with: the game is void."""
    bots = Passes((A1,), thought_s=5.0)
    async with hall(bots=bots) as here:
        await stopped(here)
        table = here.server.tables[1]
        connection = table.subscribers.at(0)
        assert connection is not None
        await table.leave(connection, lost=False)
        await here.until(lambda: table.state.status is not Status.PLAYING)
        outcome = table.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.detail) == (None, "nobody came back")


def test_marked_stones_are_whole_strings() -> None:
    state = walls().state
    wall = tuple(sorted(point(f"D{row}") for row in range(1, 6)))
    assert whole(state, (point("D3"),)) == wall
    assert whole(state, ()) == ()
    assert whole(state, (point("A1"),)) is None
    assert whole(state, None) is None


async def test_what_could_not_be_stored_is_said_again(autojump_clock: MockClock) -> None:
    async with hall(log=Failing, bots=Passes((A1,), thought_s=20.0)) as here:
        anna = await stopped(here)
        log = failing(here)
        log.failures = 4
        await hears_word(anna, f"dead {A1}")
        assert len(log.refused) == 4
        await says(anna, f"dead {A1}")
        assert await anna.hear("MSG_GAMEOVER") == (1,)


@pytest.mark.parametrize("thought_s", [0.0, 5.0])
async def test_a_restart_while_it_is_settled_changes_nothing(tmp_path: Path, thought_s: float) -> None:
    """Stopped after the bot has proposed its list, or before."""
    url = made_record(tmp_path / "record.db")
    log = partial(SqlLog, url)
    async with hall(log=log, blocking=True, bots=Passes((A1,), thought_s), patience_s=20.0) as here:
        anna = await stopped(here, f"{GAME}#{TICKET}")
        if not thought_s:
            await hears_word(anna, f"dead {A1}")
    async with hall(log=log, blocking=True, bots=Passes((A1,)), patience_s=20.0) as here:
        again = here.dial()
        assert await again.joins(f"go#{TICKET}") == 0
        await hears_word(again, "settle")
        await says(again, f"dead {A1}")
        assert await again.hear("MSG_GAMEOVER") == (1,)
        assert lists(await here.server.tables[1].journal.read(here.server.tables[1].state.game), seat=1) == [
            Score((A1,))
        ]
