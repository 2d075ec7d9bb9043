"""GAMESMAN's players send each request to any node, and their games go on as on one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import msgspec
import pytest
import trio

from gateway import registry
from gateway.cluster import messages
from gateway.lobby.registration import Registered, Registration
from gateway.web.app import make_app
from gateway.web.http_dialects import http_dialect_routes
from protocols.core.errors import Refused, Why
from protocols.gamesman.http import GamesmanHttp
from tests.cluster.world import Member, World, world
from tests.hall import config
from tests.web.gamesman_table import Headers, Player
from tests.web.serving import PATIENCE_S, served


@dataclass
class Servers:
    """Nodes with HTTP: ``ports`` are theirs."""

    world: World
    members: list[Member]
    ports: list[int]
    opened: list[trio.SocketStream] = field(default_factory=list)

    def player(self, name: str, opponent: str, port: int = 0) -> Player:
        return Player(self.ports[port], name, opponent, self.opened)

    async def register(self, member: Member, game: str = "open") -> Registered:
        made = await member.server.registrar.register(Registration(registry.game(game).settings(), ("first", "second")))
        await self.until(lambda: all(other.server.tables.unfinished(made.table) for other in self.members))
        return made

    async def until(self, true: Callable[[], bool]) -> None:
        with trio.fail_after(PATIENCE_S):
            while not true():  # noqa: ASYNC110  # no event
                await trio.sleep(0.005)

    async def until_offered(self, seat: int, table: int) -> None:
        """Wait until this seat is ready to begin, at whichever node."""
        states = [member.server.tables for member in self.members]
        await self.until(
            lambda: any(
                table in tables and seat in {made.seat for made in tables[table].state.proposals} for tables in states
            )
        )


@asynccontextmanager
async def servers(nodes: int = 2) -> AsyncIterator[Servers]:
    async with world(config(connections_per_address=10_000)) as here, AsyncExitStack() as stack:
        members = [await here.node(f"n{number}") for number in range(nodes)]
        ports = []
        for member in members:
            routes = http_dialect_routes(member.server, registry.dialects())
            ports.append(await stack.enter_async_context(served(make_app(member.server.not_ready, routes))))
        found = Servers(here, members, ports)
        yield found
        for stream in found.opened:
            stream.socket.close()


def headers(player: Player, kind: str, move: str) -> list[tuple[bytes, bytes]]:
    said = {"type": kind, "move": move, "srcplayer": player.name, "destplayer": player.opponent}
    return [(name.encode(), value.encode()) for name, value in said.items()]


async def begun(here: Servers) -> tuple[Registered, Player, Player, trio.SocketStream]:
    """A game whose second player waits; the first asks at the first node, the second at the second."""
    made = await here.register(here.members[0])
    first, second = here.player("first", "second"), here.player("second", "first", 1)
    waiting = await second.send("SendMove")
    await here.until_offered(1, made.table)
    return made, first, second, waiting


async def test_players_of_two_nodes_hear_each_others_moves() -> None:
    """Each player asks at a node of its own."""
    async with servers() as here:
        _, first, second, waiting = await begun(here)
        reply = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        waiting = await second.send("SendMove", "m2")
        assert await first.answer(reply) == first.hears("SendMove", "m2")
        await waiting.aclose()


@pytest.mark.parametrize("seed", range(6))
async def test_each_request_may_reach_another_node(seed: int) -> None:
    """A game of thirty moves, each sent to a node that chance has chosen, ends for both players."""
    chance = Random(seed)
    async with servers(3) as here:
        made, first, second, waiting = await begun(here)
        players = (first, second)
        for number in range(30):
            mover, other = players[number % 2], players[1 - number % 2]
            mover.port = chance.choice(here.ports)
            sent = await mover.send("SendMove", f"m{number}")
            assert await other.answer(waiting) == other.hears("SendMove", f"m{number}")
            waiting = sent
        sessions = [connection for member in here.members for connection in member.server.connections]
        assert len(sessions) == 2
        assert made.table


async def test_a_registration_that_was_not_heard_of_is_found_in_the_record() -> None:
    """A player at another node finds the game right behind its registration."""
    async with servers() as here:
        here.world.board.lost = 1.0
        one = here.members[0].server
        made = await one.registrar.register(Registration(registry.game("open").settings(), ("first", "second")))
        here.world.board.lost = 0.0
        waiting = await here.player("second", "first", 1).send("SendMove")
        await here.until_offered(1, made.table)
        await waiting.aclose()


async def test_a_ticket_is_looked_at_where_it_arrives() -> None:
    """A wrong ticket is refused at the asked node; the seat's own is taken there, and does not cross the bus."""
    async with servers() as here:
        made = await here.register(here.members[0])
        second = here.player("second", "first", 1)
        refused: Headers = await second.ask("SendMove", authorization=f"Ticket {made.tickets[0]}")
        assert refused["error_message"] == b"this ticket is not for second's seat"
        waiting = await second.send("SendMove", authorization=f"Ticket {made.tickets[1]}")
        await here.until_offered(1, made.table)
        await waiting.aclose()


async def test_a_name_of_an_account_plays_by_its_ticket_at_any_node() -> None:
    """The ticket of an account's seat is enough at the node that has not the table."""
    async with servers() as here:
        for member in here.members:
            member.server.lobby.names.own(["second"])
        made = await here.register(here.members[0])
        second = here.player("second", "first", 1)
        refused = await second.ask("SendMove")
        assert b"is the name of an account" in refused["error_message"]
        waiting = await second.send("SendMove", authorization=f"Ticket {made.tickets[1]}")
        await here.until_offered(1, made.table)
        await waiting.aclose()


async def test_a_client_that_has_gone_is_let_go_at_the_tables_node() -> None:
    """After its client has closed, nothing of a request that was passed on waits anywhere."""
    async with servers() as here:
        _, _, _, waiting = await begun(here)
        calls = here.members[0].node.calls
        assert len(calls._serving) == 1
        await waiting.aclose()
        await here.until(lambda: not calls._serving)


async def test_a_client_that_has_gone_is_let_go_though_word_of_that_is_lost() -> None:
    """It is said again as soon as the loss is noticed."""
    async with servers() as here:
        _, _, _, waiting = await begun(here)
        calls, asking = here.members[0].node.calls, here.members[1].node.calls
        here.world.board.lost = 1.0
        await waiting.aclose()
        await here.until(lambda: bool(asking._forgone))
        here.world.board.lost = 0.0
        await here.until(lambda: not calls._serving and not asking._forgone)


async def test_word_that_is_said_twice_is_not_sent_to_and_fro(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a client has gone, its node says so again while it has not heard that the other has heard it."""
    async with servers() as here:
        one, two = (member.node for member in here.members)
        forgo, sent = messages.Forgo(two.calls.next_id()), list[messages.Message]()
        for node in (one, two):
            monkeypatch.setattr(node.links, "send", lambda to, said: sent.append(said))
        for caller, called in ((two, one), (one, two)):
            called.calls.heard(caller.me, forgo)
            called.calls.heard(caller.me, forgo)
        assert sent == [forgo, forgo]


async def test_a_request_that_comes_behind_its_end_is_not_served() -> None:
    """The bus may turn two messages round: whoever has gone already does not move any more."""
    async with servers() as here:
        made, first, second, waiting = await begun(here)
        calls = here.members[0].node.calls
        asked = GamesmanHttp().read(headers(first, "SendMove", "m1"))
        late = messages.Post("gamesman", msgspec.json.encode(asked).decode(), "192.0.2.1", "", 1)
        calls.heard(7, messages.Forgo(99))
        calls.heard(7, messages.Call(99, late))
        assert not [caller for caller in calls._serving if caller.node == 7]
        calls.heard(7, messages.Call(100, late))
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        assert here.members[0].server.tables[made.table].state.ply == 1


async def test_a_request_survives_the_death_of_the_tables_node() -> None:
    """Who waits at a living node hears the opponent's next move, though the node of the table has died meanwhile."""
    async with servers() as here:
        made, first, second, waiting = await begun(here)
        reply = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        await reply.aclose()
        waiting = await second.send("SendMove", "m2")
        first.port = here.ports[1]
        here.world.kill(here.members[0])
        await here.until(
            lambda: made.table in here.members[1].server.tables.recovery or made.table in here.members[1].server.tables
        )
        assert await first.ask("SendMove", "m1") == first.hears("SendMove", "m2")
        sent = await first.send("SendMove", "m3")
        assert await second.answer(waiting) == second.hears("SendMove", "m3")
        await sent.aclose()


async def test_a_node_that_is_dead_already_is_asked_nothing() -> None:
    async with servers() as here:
        posts, dead = here.members[1].node.posts, here.members[0]
        here.world.kill(dead)
        await here.until(lambda: not posts.lives(dead.me))
        with trio.fail_after(PATIENCE_S), pytest.raises(Refused) as refused:
            await posts.ask(dead.me, messages.Post("gamesman", "{}", "192.0.2.1", "", 1))
        assert refused.value.why is Why.OVERLOAD


async def test_the_end_of_a_game_is_told_again_at_any_node() -> None:
    """A player whose last answer was lost asks for it again at the node that has asked before."""
    async with servers() as here:
        _, first, second, waiting = await begun(here)
        reply = await first.send("SendMove", "m1")
        await second.answer(waiting)
        ended = await second.ask("Resign")
        assert await first.answer(reply)
        assert await second.ask("Resign") == ended
