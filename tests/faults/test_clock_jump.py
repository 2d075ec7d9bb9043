"""The machine's clock is set back or forward while people play: no clock of theirs and no record minds."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock

from gateway.record.audit import verify
from gateway.store import codec
from gateway.store.records import EventRow
from tests.hall import alternate, hall

GAME = "tic_tac_toe?time=60"
DAY_S = 86_400.0


@pytest.mark.parametrize("jump_s", [-DAY_S, 365 * DAY_S])
async def test_a_jump_of_the_machines_clock_is_nobodys_time(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        await alternate([anna], 4)
        before, asked = time.time(), trio.current_time()
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + jump_s)
        await trio.sleep(10.0)
        await alternate([bert], 0)
        assert await bert.hear("MSG_GAMEOVER") == (1,), "Anna's flag"
        assert trio.current_time() == pytest.approx(asked + 10.0 + 60.0, abs=0.01)
        record = here.server.commits.log.read(1)
        encoded = [(stored, *codec.encode(stored.event)) for stored in record]
    jumps = [later.at - earlier.at for earlier, later in pairwise(record)]
    assert max(map(abs, jumps)) == pytest.approx(abs(jump_s), abs=60.0), "the record says what the machine said"
    assert record[0].at == pytest.approx(before, abs=60.0)
    rows = [EventRow(stored.seq, stored.at, kind, body, stored.digest) for stored, kind, body in encoded]
    assert verify(1, rows).defect is None
