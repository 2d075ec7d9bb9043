"""Clients that another node's table calls away to their opponents: what they had asked of it before is answered."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from gateway.tables.requests import Call
from protocols.core import commands as cmd
from tests.cluster.cast import Cast, cast, ticket
from tests.cluster.players import Player


class Away:
    """Anna waits by node two for a game at a table of node one."""

    def __init__(self, here: Cast) -> None:
        self.here = here
        self.one, self.two = here.nodes["one"], here.nodes["two"]
        self.anna = Player(self.two, here.history.client("anna@two", self.two), "web")

    async def sits(self) -> None:
        await self.here.asks(self.anna, cmd.Join("tic_tac_toe", "anna", ticket("anna"), ready=False))
        assert self.here.owner(self.anna) is self.one
        await trio.sleep(1.0)

    async def called(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The lobby calls her, once, and her node loses nothing of that."""
        (runner,) = self.one.server.tables.values()
        subscriber = runner.subscribers.at(0)
        assert subscriber is not None
        monkeypatch.setattr(self.one.server.lobby.waiting, "leaves", lambda table, seat: True)
        await runner.put_late(Call(subscriber))

    def says(self, *texts: str) -> None:
        for text in texts:
            self.anna.asks(cmd.Say("all", text))


@pytest.mark.parametrize("lost", [("ask",), ("answer",), ()], ids=["ask", "answer", "nothing"])
async def test_what_was_asked_before_a_call_is_answered_as_the_record_has_it(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, lost: tuple[str, ...]
) -> None:
    """Anna says two things, and is called away before she hears of the first, which was said or was not, whatever the
    bus loses on the way. She is answered in the order asked, and the truth."""
    async with cast("one", "two", delay_s=(0.1, 0.1)) as here:
        away = Away(here)
        await away.sits()
        board = here.world.board
        if "ask" in lost:
            board.part([away.two.me], [away.one.me], one_way=True)
        if "answer" in lost:
            board.part([away.one.me], [away.two.me], one_way=True)
        away.says("first", "second")
        await trio.sleep(0.15)
        await away.called(monkeypatch)
        await trio.sleep(0.08)  # the answer has arrived, or is lost, and the call is still on its way
        board.join()
        await trio.sleep(3.0)
        first, second = here.history.questions
        assert first.answer == ("served" if "ask" not in lost else "refused")
        assert second.answer == "refused"


async def test_an_answer_to_a_client_in_doubt_is_read_in_the_record(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anna's node has asked whether she is still there, so her answer counts for nothing. Then she is called away."""
    async with cast("one", "two", delay_s=(0.1, 0.1)) as here:
        away = Away(here)
        await away.sits()
        away.says("first")
        await trio.sleep(0.15)
        (branch,) = away.two.node.branches.values()
        branch.here[away.anna.number].stands = False
        await away.called(monkeypatch)
        await trio.sleep(3.0)
        assert [question.answer for question in here.history.questions] == ["served"]
