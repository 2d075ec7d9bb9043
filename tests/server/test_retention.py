"""A server that deletes what is old by itself: tables that run are spared, and nobody who plays is disturbed."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import trio

import migrations
from gateway.server.retention import forget
from gateway.store.acts import ActLog
from gateway.store.log import SqlLog
from tests.server.hall import alternate, config, hall
from tests.store.old import DAY_S, finished, kept, put

PATIENCE_S = 20.0


async def test_old_tables_go_while_a_game_is_played_and_its_table_stays(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    migrations.upgrade(url)
    put(url, finished(1, 100), finished(2, 100, status="adjourned"), finished(3, 10), finished(4, 100))
    settings = config(tmp_path)
    assert settings.database_url == url
    async with hall(settings, log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        guests = await here.seat("tic_tac_toe")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(forget, here.house, 90 * DAY_S)
            await here.until(lambda: not kept(url)["tables"] & {1, 4})
            await alternate(guests, 4, 0, 8)
            nursery.cancel_scope.cancel()
        assert here.house.next_table() == 6
    assert kept(url)["tables"] == {2, 3, 5}
    with closing(ActLog(url)) as log:
        (act,) = log.acts()
    assert (act.by, act.act, json.loads(act.detail)["games"]) == ("server", "games.deleted", 2)


async def test_a_finished_table_where_somebody_sits_is_spared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    migrations.upgrade(url)
    settings = config(tmp_path)
    async with hall(settings, log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=PATIENCE_S) as here:
        guests = await here.seat("tic_tac_toe")
        await alternate(guests, 0, 3, 1, 4, 2)
        await guests[0].hear("MSG_GAMEOVER")
        other = here.dial()
        await other.joins("tic_tac_toe")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(forget, here.house, -DAY_S)
            await trio.sleep(0.2)
            nursery.cancel_scope.cancel()
        assert here.state(1).status == "over"
        assert kept(url)["tables"] == {1, 2}


async def test_a_database_in_trouble_is_left_for_the_next_round(tmp_path: Path) -> None:
    async with hall(config(tmp_path / "nowhere")) as here:
        with trio.move_on_after(0.5) as scope:
            await forget(here.house, DAY_S)
        assert scope.cancelled_caught
        assert here.house.running
