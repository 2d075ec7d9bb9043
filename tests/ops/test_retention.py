"""A server deletes old games by itself, spares running ones, and disturbs no player."""

from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import trio
import trio.testing

from gateway.config import Record
from gateway.ops.retention import Retention
from gateway.store.acts import ActLog
from gateway.store.log import SqlLog
from gateway.store.pruning import Pruning
from tests.hall import Hall, alternate, config, hall
from tests.running import made_record
from tests.store.old import DAY_S, finished, kept, put

PATIENCE_S = 20.0


async def test_old_tables_go_while_a_game_is_played_and_its_table_stays(tmp_path: Path) -> None:
    url = made_record(tmp_path / "boardgate.db")
    put(url, finished(1, 100), finished(2, 100, status="adjourned"), finished(3, 10), finished(4, 100))
    settings = config(tmp_path)
    assert settings.database_url == url
    async with hall(settings, log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        guests = await here.seat("tic_tac_toe")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_forget, here, 90 * DAY_S)
            await here.until(lambda: not kept(url)["tables"] & {1, 4})
            await alternate(guests, 4, 0, 8)
            nursery.cancel_scope.cancel()
        assert here.server.tables.next_number() == 6
    assert kept(url)["tables"] == {2, 3, 5}
    with closing(ActLog(url)) as log:
        (act,) = log.acts()
    assert (act.by, act.act, json.loads(act.detail)["games"]) == ("server", "games.deleted", 2)


async def test_a_finished_table_where_somebody_sits_is_spared(tmp_path: Path) -> None:
    url = made_record(tmp_path / "boardgate.db")
    settings = config(tmp_path)
    async with hall(settings, log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        guests = await here.seat("tic_tac_toe")
        await alternate(guests, 0, 3, 1, 4, 2)
        await guests[0].hear("MSG_GAMEOVER")
        other = here.dial()
        await other.joins("tic_tac_toe")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_forget, here, -DAY_S)
            await trio.sleep(0.2)
            nursery.cancel_scope.cancel()
        assert here.state(1).status == "over"
        assert kept(url)["tables"] == {1, 2}


async def test_another_process_that_deletes_spares_a_table_whose_players_may_play_again(tmp_path: Path) -> None:
    """``boardgate prune`` knows of the server no more than the record does."""
    url = made_record(tmp_path / "boardgate.db")
    async with hall(config(tmp_path), log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        guests = await here.seat("tic_tac_toe")
        await alternate(guests, 0, 3, 1, 4, 2)
        await guests[0].hear("MSG_GAMEOVER")
        await here.dial().joins("tic_tac_toe")  # the newest table is never deleted
        assert await _prune(url) == 0
        for guest in guests:
            await guest.say("MSG_MOVE", -1, -1, "rematch")
            assert await guest.hear("RSP_MOVE") == (0,)
        await alternate(guests[::-1], 0, 3, 1, 4, 2)  # sides are exchanged
        for guest in guests:
            await guest.leaves()
        await here.until(lambda: 1 not in here.server.tables)
        assert await _prune(url) == 1


async def _forget(here: Hall, after_s: float) -> None:
    server = here.server
    url, may = server.config.database_url, server.node.is_janitor
    await Retention(url, server.commits, server.tables, after_s, may).run()


async def _prune(url: str) -> int:
    """Delete all that is older than now; how many tables that were."""
    gone = 0
    with closing(Pruning(url, time.time(), "root")) as pruning:
        while (step := await trio.to_thread.run_sync(pruning.step)) is not None:
            gone += step
    return gone


async def test_a_database_in_trouble_is_left_for_the_next_round(tmp_path: Path) -> None:
    async with hall(config(tmp_path / "nowhere")) as here:
        with trio.move_on_after(0.5) as scope:
            await _forget(here, DAY_S)
        assert scope.cancelled_caught
        assert here.server.running


async def test_a_new_age_is_looked_for_at_once_and_never_for_none(tmp_path: Path) -> None:
    url = made_record(tmp_path / "boardgate.db")
    put(url, finished(1, 100), finished(2, 10, closed=True), finished(3, 1))
    async with hall(config(tmp_path), log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        server = here.server
        keeping = Retention(url, server.commits, server.tables, None, server.node.is_janitor)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keeping.run)
            await trio.testing.wait_all_tasks_blocked()
            assert kept(url)["tables"] == {1, 2, 3}
            for days, left in ((90, {2, 3}), (5, {3})):
                keeping.reread(replace(config(tmp_path), record=Record(delete_after_s=days * DAY_S)))
                await here.until(lambda left=left: kept(url)["tables"] == left)  # type: ignore[misc]
            nursery.cancel_scope.cancel()
