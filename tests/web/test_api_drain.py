"""POST and DELETE /api/drain: who may, and what it does to tables and to /readyz."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from gateway.ops.drain import BEGUN, ENDED, NO_TABLE
from gateway.store.acts import ActLog
from protocols.core.notifications import Notification
from tests.web.club import TOKEN, club

HOST = f"Bearer {TOKEN}"


async def test_the_host_drains_and_takes_it_back(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = await here.hall.seat("tic_tac_toe")
        told: list[Notification] = []
        for connection in here.hall.server.connections:
            connection.dialect.send = told.append  # type: ignore[method-assign, assignment]  # it has no words for sayings
        begun = await here.ask("/api/drain", {}, auth=HOST)
        assert (begun.status, begun.body) == (200, {"draining": True, "running": 1})
        assert here.hall.server.not_ready() == ["draining, games that run: 1"]
        refused = await here.register("carl", "dora", auth=HOST)
        assert (refused.error, refused.body["message"]) == ((503, "overload"), NO_TABLE)
        ended = await here.ask("/api/drain", auth=HOST, method="DELETE")
        assert (ended.status, ended.body) == (200, {"draining": False, "running": 1})
        assert here.hall.server.not_ready() == []
        assert (await here.register("carl", "dora", auth=HOST)).status == 201
        assert [getattr(one, "text", None) for one in told] == [BEGUN, BEGUN, ENDED, ENDED]
        assert {anna.peer.closed, bert.peer.closed} == {False}


async def test_who_wanted_it_is_noted(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.ask("/api/drain", {}, auth=HOST)
        await here.ask("/api/drain", auth=HOST, method="DELETE")
        await here.ask("/api/drain", {}, auth=here.has_account("anna"))
    with closing(ActLog(f"sqlite:///{tmp_path / 'record.db'}")) as log:
        noted = [(act.act, act.by) for act in log.acts("drain")]
    assert noted == [("drain.begun", "host token from 127.0.0.1"), ("drain.ended", "host token from 127.0.0.1")]


async def test_nobody_else_may(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask("/api/drain", {})).error == (401, "unauthorized")
        assert (await here.ask("/api/drain", {}, auth="Bearer guessed")).error == (401, "unauthorized")
        assert (await here.ask("/api/drain", {}, auth=here.has_account("anna"))).error == (403, "forbidden")
        assert (await here.ask("/api/drain", auth=HOST)).status == 405
        assert not here.hall.server.drain.on


async def test_draining_twice_tells_everybody_once(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for _ in range(2):
            assert (await here.ask("/api/drain", {}, auth=HOST)).body == {"draining": True, "running": 0}
        assert (await here.hall.dial().asks("tic_tac_toe"))[0] == 1
        for _ in range(2):
            assert (await here.ask("/api/drain", auth=HOST, method="DELETE")).body["draining"] is False
        assert await here.hall.dial().joins("tic_tac_toe") == 0
