"""GAMESMAN's side of HTTP: waits without end, tickets, presence, and what becomes of players whose seat is taken."""

from __future__ import annotations

import pytest

from gateway.web import stream
from protocols.core.http_binding import BadRequest
from protocols.core.model import SeatKind
from protocols.core.notifications import DISPLACED
from protocols.gamesman.http import GamesmanHttp
from tests.hall import config
from tests.web.gamesman_table import begin, gamesman_server, post, read_answer
from tests.web.serving import connect, everything


async def test_a_request_waits_longer_than_http_waits_for_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "READ_S", 0.1)
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        async with await connect(here.port) as half:
            await half.send_all(b"GET /healthz HTTP/1.1\r\n")
            assert await everything(half) == b""  # by now the limit has passed
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_after_the_answer_the_connection_is_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "READ_S", 0.1)
    async with gamesman_server() as here, await connect(here.port) as idle:
        await idle.send_all(post("nobody", "no one", "SendMove"))
        assert (await read_answer(idle))[1]["error_code"] == b"1"
        await idle.send_all(b"POST /GamesmanServlet HTTP/1.1\r\n")
        assert await everything(idle) == b""


async def test_who_waits_is_not_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GamesmanHttp, "still_s", 0.05)
    async with gamesman_server(config(idle_s=0.4, connections_per_address=100)) as here:
        first, second, waiting = await begin(here)
        await here.until_idle(0)
        assert here.state().seats[1].kind is SeatKind.PLAYER
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_who_is_not_heard_of_for_too_long_loses_the_seat_and_may_take_it_back() -> None:
    async with gamesman_server(config(idle_s=0.4, connections_per_address=100)) as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "m1")
        await second.answer(waiting)
        await here.until_idle(1)
        waiting = await second.send("SendMove", "m2")
        await here.until_ply(2)
        assert here.state().seats[1].kind is SeatKind.PLAYER


async def test_a_seat_that_is_taken_elsewhere_is_told_so_and_can_be_taken_back() -> None:
    async with gamesman_server() as here:
        registered = await here.register("open", "first", "second")
        first, second = here.player("first", "second"), here.player("second", "first")
        waiting = await second.send("SendMove")
        await here.until_offered(1)
        elsewhere = await here.sits_elsewhere(registered.tickets[1])
        taken = {"error_code": b"2", "error_message": DISPLACED.encode()}
        assert await second.answer(waiting) == taken
        waiting = await second.send("SendMove")
        await elsewhere.wait()
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_a_ticket_must_be_the_seats_own() -> None:
    async with gamesman_server() as here:
        registered = await here.register("open", "first", "second")
        second = here.player("second", "first")
        for ticket, why in [
            (registered.tickets[0], b"this ticket is not for second's seat"),
            ("wrong", b"unknown ticket; a secret of your own has at least 22 characters"),
            ("a-secret-that-nobody-here-has-seen", b"this ticket is not for second's seat"),
        ]:
            answer = await second.ask("SendMove", Authorization=f"Ticket {ticket}")
            assert answer == {"error_code": b"1", "error_message": why}
        await second.send("SendMove", Authorization=f"Ticket {registered.tickets[1]}")
        await here.until_offered(1)


async def test_the_name_of_an_account_needs_a_ticket() -> None:
    async with gamesman_server() as here:
        registered = await here.register("open", "first", "second")
        here.server.lobby.names.own(["second"])
        first, second = here.player("first", "second"), here.player("second", "first")
        answer = await second.ask("SendMove")
        assert answer["error_message"] == b"second is the name of an account: log in, or send its seat's ticket"
        ticket = f"Ticket {registered.tickets[1]}"
        waiting = await second.send("SendMove", Authorization=ticket)
        await here.until_offered(1)
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        assert "error_code" in await second.ask("Resign")
        assert await second.ask("Resign", Authorization=ticket) == second.acknowledged("Ack resign")


async def test_the_newest_of_two_games_is_meant() -> None:
    async with gamesman_server() as here:
        await here.register("open", "first", "second")
        await here.register("tic_tac_toe", "first", "second")
        first, second = here.player("first", "second"), here.player("second", "first")
        waiting = await second.send("SendMove")
        await here.until_offered(1, table=2)
        asked = await first.send("SendMove", "b2")
        assert await second.answer(waiting) == second.hears("SendMove", "b2")
        await second.ask("Resign")
        await first.answer(asked)
        waiting = await second.send("SendMove")  # now the older one
        await here.until_offered(1, table=1)
        await first.send("SendMove", "anything goes")
        assert await second.answer(waiting) == second.hears("SendMove", "anything goes")


async def test_the_answer_of_a_game_does_not_enter_the_next_one_of_the_same_two() -> None:
    """ "The module relays this same message to the destination player": of the registration initialised last."""
    async with gamesman_server() as here:
        first, second = here.player("A", "B"), here.player("B", "A")
        await here.register("open", "A", "B")
        waiting = await second.send("SendMove")
        await here.until_offered(1, table=1)
        asked = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        assert await second.ask("Resign") == second.acknowledged("Ack resign")
        assert await first.answer(asked) == first.hears("Resign")

        await here.register("open", "A", "B")
        assert await first.ask("SendMove", "m1") == first.hears("Resign"), "sent again before the initialisation"
        waiting = await second.send("SendMove")
        await here.until_offered(1, table=2)
        asked = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        replied = await second.send("SendMove", "m2")
        assert await first.answer(asked) == first.hears("SendMove", "m2")
        await first.send("Resign")
        assert await second.answer(replied) == second.hears("Resign")


async def test_who_never_heard_the_end_of_a_game_plays_the_next_one_once_it_is_initialised() -> None:
    """Before the initialisation it hears the end that it has missed; after it, that end is nobody's answer."""
    async with gamesman_server() as here:
        first, second = here.player("A", "B"), here.player("B", "A")
        await here.register("open", "A", "B")
        waiting = await second.send("SendMove")
        await here.until_offered(1, table=1)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        replied = await second.send("SendMove", "m2")
        await first.answer(asked)
        del replied
        await second.ask("Resign")

        await here.register("open", "A", "B")
        waiting = await second.send("SendMove")
        await here.until_offered(1, table=2)
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_what_comes_before_the_initialisation_is_ignored() -> None:
    async with gamesman_server() as here:
        first, second = here.player("A", "B"), here.player("B", "A")
        for table in (1, 2):
            await here.register("open", "A", "B")
            assert await first.ask("SendMove", f"early {table}") == {}
            waiting = await second.send("SendMove")
            await here.until_begun(table)
            asked = await first.send("SendMove", "m1")
            assert await second.answer(waiting) == second.hears("SendMove", "m1")
            assert await second.ask("Resign") == second.acknowledged("Ack resign")
            assert await first.answer(asked) == first.hears("Resign")


async def test_a_server_that_stops_answers_with_an_error() -> None:
    async with gamesman_server() as here:
        await here.register("open", "first", "second")
        await here.server.farewell()
        answer = await here.player("first", "second").ask("SendMove", "m1")
        assert answer["error_message"] == b"the server is full, or stopping: try again later"


def test_headers_that_mean_nothing_here_are_left_alone() -> None:
    asked = GamesmanHttp().read(
        [(b"host", b"x"), (b"type", b"SendMove"), (b"srcplayer", b"a"), (b"destplayer", b"b"), (b"x", b"\x01")]
    )
    assert (asked.name, asked.opponent, asked.ticket) == ("a", "b", "")
    assert [name for name, _ in asked.fields] == ["type", "SrcPlayer", "DestPlayer"]


def test_a_ticket_that_is_too_long_is_refused() -> None:
    headers = [(b"srcplayer", b"a"), (b"destplayer", b"b"), (b"authorization", b"Ticket " + b"x" * 256)]
    with pytest.raises(BadRequest, match="no ticket is so long"):
        GamesmanHttp().read(headers)
