"""What Java's HttpURLConnection does and the document does not say: literal bytes over a socket to a running server."""

from __future__ import annotations

import trio

from protocols.core.model import Move
from tests.web.gamesman_table import begin, gamesman_server, read_answer
from tests.web.serving import connect, everything

JAVA = (
    b"POST /gamesman/GamesmanServlet HTTP/1.1\r\n"
    b"type: SendMove\r\n"
    b"Move: m1\r\n"
    b"DestPlayer: second\r\n"
    b"SrcPlayer: first\r\n"
    b"Cache-Control: no-cache\r\n"
    b"Pragma: no-cache\r\n"
    b"User-Agent: Java/1.5.0_06\r\n"
    b"Host: localhost:8080\r\n"
    b"Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2\r\n"
    b"Connection: keep-alive\r\n"
    b"Content-type: application/x-www-form-urlencoded\r\n"
    b"\r\n"
)


async def test_a_post_without_content_length_has_an_empty_body() -> None:
    """A POST may come without Content-Length: an empty body, not an error."""
    async with gamesman_server() as here:
        _, second, waiting = await begin(here)
        async with await connect(here.port) as stream:
            await stream.send_all(JAVA)
            assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_the_next_request_comes_over_the_same_connection() -> None:
    async with gamesman_server() as here:
        _, second, waiting = await begin(here)
        async with await connect(here.port) as stream:
            await stream.send_all(JAVA)
            await second.answer(waiting)
            asked = await second.send("SendMove", "m2")
            assert (await read_answer(stream))[1]["move"] == b"m2"
            await stream.send_all(JAVA.replace(b"m1", b"m3"))
            assert await second.answer(asked) == second.hears("SendMove", "m3")


async def test_the_same_request_once_more_waits_and_is_not_played_twice() -> None:
    """Java's HttpURLConnection re-sends an identical POST when a connection closes unanswered: the same request again
    is idempotent: it re-attaches the wait, is not "out of turn", and is not played twice."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        async with await connect(here.port) as lost:
            await lost.send_all(JAVA)
            assert await second.answer(waiting) == second.hears("SendMove", "m1")
        async with await connect(here.port) as again:
            await again.send_all(JAVA)
            await first.ask("Chat")  # whatever came before has been served when this is answered
            assert here.state().ply == 1
            await second.send("SendMove", "m2")
            assert (await read_answer(again))[1] == first.hears("SendMove", "m2")


async def test_the_same_request_waits_beside_one_that_is_believed_lost() -> None:
    """The same request again is idempotent: it re-attaches the wait."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        async with await connect(here.port) as one, await connect(here.port) as other:
            await one.send_all(JAVA)
            await second.answer(waiting)
            await other.send_all(JAVA)
            await first.ask("Chat")
            await second.send("SendMove", "m2")
            assert (await read_answer(one))[1] == (await read_answer(other))[1] == first.hears("SendMove", "m2")


async def test_an_initialization_is_taken_up_again() -> None:
    """A wait whose connection dies is dropped and re-attached by the player's next identical request."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await here.drop(waiting)
        again = await second.send("SendMove")
        await first.send("SendMove", "m1")
        assert await second.answer(again) == second.hears("SendMove", "m1")


async def test_a_move_waits_for_a_player_who_is_between_two_requests() -> None:
    """A move that arrives while the peer is between two requests waits for the peer's next request."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await here.drop(waiting)
        await first.send("SendMove", "m1")
        await here.until_ply(1)
        assert await second.ask("SendMove") == second.hears("SendMove", "m1")


async def test_raw_utf8_is_read_and_comes_back_byte_by_byte() -> None:
    """Values may hold spaces and UTF-8: decode UTF-8, echo the same bytes."""
    name = "棋士 圭介".encode()
    async with gamesman_server() as here:
        await here.register("open", "first", "棋士 圭介")
        first = here.player("first", "棋士 圭介")
        wait = (
            b"POST /GamesmanServlet HTTP/1.1\r\nHost: x\r\ntype: SendMove\r\nSrcPlayer: %b\r\nDestPlayer: first\r\n\r\n"
        )
        async with await connect(here.port) as stream:
            await stream.send_all(wait % name)
            await here.until_offered(1)
            await first.send("SendMove", "→ 棋")
            expected = {"type": b"SendMove", "move": "→ 棋".encode(), "srcplayer": b"first", "destplayer": name}
            assert (await read_answer(stream))[1] == expected


async def test_latin1_is_read_where_it_is_no_utf8_and_comes_back_byte_by_byte() -> None:
    """Decode UTF-8, fall back to latin-1, echo the same bytes."""
    async with gamesman_server() as here:
        await here.register("open", "first", "Jörg")
        first = here.player("first", "Jörg")
        lines = (
            b"POST /GamesmanServlet HTTP/1.1\r\nHost: x\r\ntype: SendMove\r\n%bSrcPlayer: J\xf6rg\r\n"
            b"DestPlayer: first\r\n\r\n"
        )
        async with await connect(here.port) as stream:
            await stream.send_all(lines % b"")
            await here.until_offered(1)
            asked = await first.send("SendMove", "m1")
            assert (await read_answer(stream))[1]["destplayer"] == b"J\xf6rg"
            await stream.send_all(lines % b"Move: sch\xf6n\r\n")
            answer = await first.answer(asked)
            assert (answer["move"], answer["srcplayer"]) == (b"sch\xf6n", "Jörg".encode())  # as each spells it
        made = here.state().last
        assert made is not None
        assert made.move == Move(None, None, "schön")


async def test_header_names_have_no_letter_case() -> None:
    """Headers: type, Move, SrcPlayer, DestPlayer (case-insensitive)."""
    async with gamesman_server() as here:
        _, second, waiting = await begin(here)
        names = b"srcplayer: first\r\nDESTPLAYER: second\r\n\r\n"
        request = b"POST /GamesmanServlet HTTP/1.1\r\nhost: x\r\nTYPE: SendMove\r\nmOVE: m1\r\n" + names
        async with await connect(here.port) as stream:
            await stream.send_all(request)
            assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_the_names_of_answering_headers_are_spelled_as_in_the_document() -> None:
    """Field names are type, Move, SrcPlayer and DestPlayer."""
    async with gamesman_server() as here:
        first, _, waiting = await begin(here)
        await first.send("SendMove", "m1")
        with trio.fail_after(20):
            answer = bytes(await waiting.receive_some())
        assert b"\r\ntype: SendMove\r\nMove: m1\r\nSrcPlayer: first\r\nDestPlayer: second\r\n" in answer


async def test_http_1_0_is_answered_too() -> None:
    async with gamesman_server() as here:
        async with await connect(here.port) as stream:
            await stream.send_all(JAVA.replace(b"HTTP/1.1", b"HTTP/1.0").replace(b"keep-alive", b"close"))
            answer = await everything(stream)
        assert b" 200 " in answer.splitlines()[0]
        assert b"error_message: no game between first and second is registered" in answer


async def test_an_initialization_is_taken_up_again_at_once() -> None:
    """A wait whose connection dies is dropped: what was closed before the next request is gone when that comes."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        for _ in range(20):
            await here.drop(waiting)
            waiting = await second.send("SendMove")
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
