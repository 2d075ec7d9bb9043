"""GET /api/tables/ID/presence shows who is at a table, to everybody who is shown the table."""

from __future__ import annotations

from pathlib import Path

from tests.web.club import club


async def test_it_shows_every_seat_and_the_number_of_observers(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = here.hall.dial()
        await anna.joins("tic_tac_toe")
        found = await here.ask("/api/tables/1/presence")
        assert found.status == 200
        assert "cache-control: no-store" in found.head
        assert found.body == {
            "seats": [
                {"seat": 0, "dialect": "bogaprot", "program": "", "state": "here", "lag_ms": None, "kept_s": None},
                {"seat": 1, "dialect": "", "program": "", "state": "empty", "lag_ms": None, "kept_s": None},
            ],
            "watching": 0,
        }


async def test_a_registered_player_who_has_not_come_leaves_the_seat_empty_and_is_not_lost(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        made = (await here.register("anna", "bert")).body
        assert made["id"] == 1
        await here.hall.woken()
        found = (await here.ask("/api/tables/1/presence")).body
        assert [seat["state"] for seat in found["seats"]] == ["empty", "empty"]


async def test_at_a_table_that_rests_nobody_is_and_one_that_never_was_is_not_found(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = here.hall.dial()
        await anna.joins("tic_tac_toe")
        await anna.leaves()
        await here.hall.until(lambda: not here.hall.server.tables)
        assert (await here.ask("/api/tables/1/presence")).body == {"seats": [], "watching": 0}
        assert (await here.ask("/api/tables/2/presence")).error == (404, "no_such_table")
