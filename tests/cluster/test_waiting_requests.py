"""A GAMESMAN request that waits for the opponent's move is answered though its node sends players away."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from starlette.requests import Request
from trio.testing import MockClock

from gateway import registry
from gateway.lobby.registration import Registration
from tests.cluster.world import Member, world
from tests.hall import config


async def asks(member: Member, name: str, opponent: str, **said: str) -> dict[str, str]:
    """The headers of the answer to a GAMESMAN request."""
    said = {"type": "SendMove", "srcplayer": name, "destplayer": opponent, **said}
    headers = [(field.encode(), value.encode()) for field, value in said.items()]
    scope = {"type": "http", "method": "POST", "headers": headers, "client": ("192.0.2.99", 1), "state": {}}
    response = await member.serve_http(Request(scope, trio.sleep_forever))
    return {field.decode().lower(): value.decode() for field, value in response.raw_headers}


@pytest.mark.parametrize("fault", ["linger", "patience"])
@pytest.mark.parametrize("asked", [0, 1], ids=["at its node", "at another node"])
async def test_a_request_that_waits_is_answered_though_its_node_sends_players_away(
    autojump_clock: MockClock, fault: str, asked: int
) -> None:
    """After cluster.linger of draining, or cluster.patience without the database; the game goes on elsewhere."""
    settings = config()
    settings = replace(settings, cluster=replace(settings.cluster, linger_s=30.0))
    async with world(settings) as here:
        members = [await here.node(name) for name in ("one", "two", "three")]
        await members[0].until(lambda: len(members[0].node.membership.living) == 3)
        await members[0].server.registrar.register(Registration(registry.game("open").settings(), ("gina", "fred")))
        answers: list[dict[str, str]] = []

        async def gina() -> None:
            answers.append(await asks(members[asked], "gina", "fred", move="m1", turn="1"))

        async def fred() -> None:
            answers.append(await asks(members[2], "fred", "gina", turn="0"))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(fred)
            await trio.sleep(1.0)
            nursery.start_soon(gina)
            await trio.sleep(3.0)
            assert [answer["move"] for answer in answers] == ["m1"]
            if fault == "linger":
                here.nodes.drain("one", on=True)
                await trio.sleep(40.0)
            else:
                for member in members:
                    member.commits.away()
                await trio.sleep(30.0)
                for member in members:
                    member.commits.back()
                await trio.sleep(15.0)
            assert len(answers) == 1
            with trio.move_on_after(30.0):
                await asks(members[2], "fred", "gina", move="m2", turn="2")
            nursery.cancel_scope.cancel()
        assert [(answer.get("type"), answer.get("move")) for answer in answers[1:]] == [("SendMove", "m2")]
