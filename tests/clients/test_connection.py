"""The player's connection runs against scripted servers on real sockets, each test in an asyncio loop of its own."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from clients.client_state import ClientState
from clients.connection import Connection, Unreachable
from clients.joining import Address, Wish, new_ticket
from clients.session import PasswordNeeded, Session, TurnedAway
from gateway import registry
from protocols.core.errors import RemoteProtocolError
from tests.clients.scripted import Peer, serving

PAUSE_S = 0.01


def connection(address: Address, ticket: str = "") -> Connection:
    session = Session(Wish("tic_tac_toe", "alice", ticket=ticket), ClientState(registry.game("tic_tac_toe")))
    return Connection(session, address, first_pause_s=PAUSE_S)


def test_no_server_is_one_line_that_says_how_to_start_one() -> None:
    async def main() -> None:
        async with serving() as address:
            pass
        with pytest.raises(Unreachable, match=r"no server answers at 127\.0\.0\.1:\d+ \(boardgate serve, or make"):
            await connection(address).open()

    asyncio.run(main())


def test_a_refused_handshake_is_the_servers_sentence() -> None:
    async def refuse(peer: Peer) -> None:
        await peer.hear("REQ_HANDSHAKE")
        await peer.say("RSP_HANDSHAKE", 1, "game engine not supported")

    async def main() -> None:
        async with serving(refuse) as address:
            with pytest.raises(TurnedAway, match=r"^game engine not supported$"):
                await connection(address).open()

    asyncio.run(main())


def test_an_option_that_an_older_server_does_not_know_is_left_out() -> None:
    """It asks again on the same connection: RSP_HANDSHAKE 1 "..." allows that."""
    heard: list[str] = []

    async def older(peer: Peer) -> None:
        for unknown in ("chat", "exact", "kept"):
            heard.append(str((await peer.hear("REQ_HANDSHAKE"))[0]))
            await peer.say("RSP_HANDSHAKE", 1, f"tic_tac_toe has no option '{unknown}'")
        heard.append(str((await peer.hear("REQ_HANDSHAKE"))[0]))
        await peer.say("RSP_HANDSHAKE", 0)

    async def main() -> None:
        wish = Wish("tic_tac_toe", "alice", clocks=True, talk=True, exact=True, kept=True)
        async with serving(older) as address:
            client = Connection(Session(wish, ClientState(registry.game("tic_tac_toe"))), address)
            await client.open()
            await client.close()

    asyncio.run(main())
    assert heard == [
        "tic_tac_toe?name=alice&clocks=yes&chat=yes&reasons=yes&exact=yes&kept=yes",
        "tic_tac_toe?name=alice&clocks=yes&exact=yes&kept=yes",
        "tic_tac_toe?name=alice&clocks=yes&kept=yes",
        "tic_tac_toe?name=alice&clocks=yes",
    ]


@pytest.mark.parametrize("option", ["secret", "size"])
def test_an_option_that_matters_is_not_left_out(option: str) -> None:
    async def older(peer: Peer) -> None:
        await peer.hear("REQ_HANDSHAKE")
        await peer.say("RSP_HANDSHAKE", 1, f"tic_tac_toe has no option '{option}'")

    async def main() -> None:
        wish = Wish("tic_tac_toe", "alice", ticket="t" * 22, talk=True, secret="s", options=(("size", "9"),))
        async with serving(older) as address:
            with pytest.raises(TurnedAway, match=f"tic_tac_toe has no option '{option}'"):
                await Connection(Session(wish, ClientState(registry.game("tic_tac_toe"))), address).open()

    asyncio.run(main())


def test_a_name_that_needs_a_password_is_told_from_other_refusals() -> None:
    async def refuse(peer: Peer) -> None:
        assert (await peer.hear("REQ_HANDSHAKE"))[0] == "tic_tac_toe?name=alice&secret=a%20b%23&exact=yes"
        await peer.say("RSP_HANDSHAKE", 2, "alice is the name of an account: its password is needed")

    async def main() -> None:
        wish = Wish("tic_tac_toe", "alice", secret="a b#", exact=True)
        async with serving(refuse) as address:
            with pytest.raises(PasswordNeeded, match="its password is needed"):
                await Connection(Session(wish, ClientState(registry.game("tic_tac_toe"))), address).open()

    asyncio.run(main())


def test_a_server_of_another_protocol_is_recognised() -> None:
    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ESMTP\r\n")
        await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(other, "127.0.0.1", 0)
        async with server:
            with pytest.raises(RemoteProtocolError):
                await connection(Address("127.0.0.1", server.sockets[0].getsockname()[1])).open()

    asyncio.run(main())


def test_a_lost_connection_is_taken_up_again_with_the_same_ticket() -> None:
    asked: list[str] = []

    async def first(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))
        await peer.say("MSG_START")
        await peer.say("REQ_MOVE", 0)

    async def second(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))
        await peer.say("MSG_START")
        await peer.say("MSG_MOVE", -1, 4, "x")
        await peer.say("MSG_MOVE", -1, 0, "o")
        await peer.say("REQ_MOVE", 0)
        await peer.say("MSG_GAMEOVER", 0)

    async def main() -> Connection:
        async with serving(first, second) as address:
            link = connection(address, new_ticket())
            await link.open()
            await link.keep()
            return link

    client_state = asyncio.run(main()).session.client_state
    assert asked[0] == asked[1]
    assert "#" in asked[0]
    assert client_state.board == {4: "x", 0: "o"}
    assert [line.text for line in client_state.news if "onnect" in line.text] == [
        "The connection is lost. Your seat is kept for a while.",
        "Connected again.",
    ]


def test_a_server_that_takes_nobody_just_now_is_asked_again() -> None:
    """Its database is away still: the seat is kept, and every refusal says to come back later."""
    asked: list[str] = []

    async def first(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))

    async def busy(peer: Peer) -> None:
        await peer.hear("REQ_HANDSHAKE")
        await peer.say("RSP_HANDSHAKE", 1, "server overload, try again later")

    async def last(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))
        await peer.say("MSG_GAMEOVER", 0)

    async def main() -> None:
        async with serving(first, busy, busy, last) as address:
            link = connection(address, new_ticket())
            await link.open()
            await link.keep()

    asyncio.run(main())
    assert asked[0] == asked[1]


def test_a_player_who_is_not_taken_back_is_told_why() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")

    async def second(peer: Peer) -> None:
        await peer.hear("REQ_HANDSHAKE")
        await peer.say("RSP_HANDSHAKE", 1, "you are banned here")

    async def main() -> None:
        async with serving(first, second) as address:
            link = connection(address)
            await link.open()
            with pytest.raises(TurnedAway, match="banned"):
                await link.keep()

    asyncio.run(main())


def test_a_client_whose_seat_was_taken_stays_away_until_the_player_wants_it_back() -> None:
    asked: list[str] = []

    async def first(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))
        await peer.say("RSP_MOVE", 2, "another client has taken your seat; this connection is closed")

    async def second(peer: Peer) -> None:
        asked.append(await peer.welcome(0, 2, 3, "alice", 3, "bob"))
        await peer.say("MSG_START")
        await peer.say("MSG_GAMEOVER", 0)

    async def main() -> None:
        async with serving(first, second) as address:
            link = connection(address, ticket := new_ticket())
            await link.open()
            keeping = asyncio.create_task(link.keep())
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(keeping), 20 * PAUSE_S)
            assert link.session.client_state.displaced
            assert asked == [f"tic_tac_toe?name=alice#{ticket}"]
            link.take_back()
            async with asyncio.timeout(60):
                await keeping
        assert asked == [f"tic_tac_toe?name=alice#{ticket}"] * 2
        assert not link.session.client_state.displaced

    asyncio.run(main())


def test_while_it_is_lost_nothing_is_asked_and_nothing_is_sent() -> None:
    async def once(peer: Peer) -> None:
        await peer.welcome(0, 2, 3, "alice", 3, "bob")
        await peer.say("MSG_START")
        await peer.say("REQ_MOVE", 0)

    async def main() -> None:
        async with serving(once) as address:
            link = connection(address)
            await link.open()
            lost = asyncio.Event()
            link.changed = lambda: None if link.up else lost.set()
            keeping = asyncio.create_task(link.keep())
            async with asyncio.timeout(60):
                await lost.wait()
            assert not link.session.client_state.my_turn
            link.send(b"nobody reads this")
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping

    asyncio.run(main())
