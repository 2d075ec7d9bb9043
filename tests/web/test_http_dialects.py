"""HTTP serves a dialect by its declaration: its route, its messages, its longest wait."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest

from gateway.web import http_sessions
from protocols.core.commands import Command, Join
from protocols.core.dialect import Dialect
from protocols.core.http_binding import Answer, BadRequest, Headers, HttpBinding, Request
from protocols.core.notifications import Notification, Seated
from tests.web.gamesman_table import GamesmanServer, gamesman_server, read_answer
from tests.web.serving import connect


class PostalHttp(HttpBinding[Request]):
    """Requests ``from`` and ``to``; a message is a line ``NUMBER NAME OPPONENT``, an answer ``NUMBER TEXT``."""

    paths: ClassVar[tuple[str, ...]] = ("/post",)
    methods: ClassVar[tuple[str, ...]] = ("PUT",)
    longest_wait_s: ClassVar[float | None] = 0.2

    def read(self, headers: Headers) -> Request:
        found = dict(headers)
        if b"to" not in found:
            raise BadRequest("to whom?")
        return Request(found[b"from"].decode(), found[b"to"].decode())

    def message(self, number: int, request: Request, table: int) -> bytes:
        return f"{number} {request.name} {request.opponent}\n".encode()

    def gone(self, number: int) -> bytes:
        return f"{number} gone\n".encode()

    def still(self, number: int) -> bytes:
        return f"{number} still\n".encode()

    def reader(self) -> Callable[[bytes], Iterable[tuple[int, Answer]]]:
        def read(data: bytes) -> Iterator[tuple[int, Answer]]:
            for line in data.splitlines():
                number, _, text = line.partition(b" ")
                yield int(number), Answer((("x-said", text),))

        return read

    def refusal(self, text: str) -> Answer:
        return Answer((("x-refused", text.encode()),))


class Postal(Dialect):
    """Says which seat was taken, once; further requests get no answer."""

    name = "postal"
    public = False
    by_name = True
    http = PostalHttp

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self.number = ""
        self.lines: list[bytes] = []

    def receive_data(self, data: bytes) -> list[Command]:
        self.closing = not data
        self.lines.append(data)
        if self.number or not data:
            return []
        self.number, name, opponent = data.decode().split()
        return [Join("", name, "", (("opponent", opponent),), ready=False)]

    def send(self, message: Notification) -> None:
        if isinstance(message, Seated):
            self._queue.append(f"{self.number} seat {message.seat}\n".encode())

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return data.decode().splitlines()

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return "".join(f"{line}\n" for line in lines).encode()


@asynccontextmanager
async def post_office() -> AsyncIterator[GamesmanServer]:
    async with gamesman_server(dialects={"postal": Postal}) as here:
        await here.register("open", "anna", "bert")
        yield here


async def ask(here: GamesmanServer, headers: str, method: str = "PUT") -> dict[str, bytes]:
    async with await connect(here.port) as stream:
        await stream.send_all(f"{method} /post HTTP/1.1\r\nHost: here\r\n{headers}\r\n".encode())
        status, answer = await read_answer(stream)
    assert status == 200
    return answer


@pytest.mark.parametrize(("name", "opponent", "seat"), [("anna", "bert", b"seat 0"), ("bert", "anna", b"seat 1")])
async def test_a_request_is_answered_by_the_message_of_its_number(name: str, opponent: str, seat: bytes) -> None:
    async with post_office() as here:
        assert await ask(here, f"From: {name}\r\nTo: {opponent}\r\n") == {"x-said": seat}


async def test_an_answer_waits_no_longer_than_the_dialect_says_and_is_let_go_then() -> None:
    async with post_office() as here:
        await ask(here, "From: anna\r\nTo: bert\r\n")
        assert await ask(here, "From: anna\r\nTo: bert\r\n") == {"x-refused": http_sessions.LATE.encode()}
        (connection,) = here.server.connections
        assert isinstance(connection.dialect, Postal)
        assert connection.dialect.lines == [b"1 anna bert\n", b"2 anna bert\n", b"2 gone\n"]


async def test_what_is_no_request_and_what_no_game_is_registered_for_is_refused_in_its_words() -> None:
    async with post_office() as here:
        assert await ask(here, "From: anna\r\n") == {"x-refused": b"to whom?"}
        found = await ask(here, "From: anna\r\nTo: carl\r\n")
        assert found == {"x-refused": b"no game between anna and carl is registered"}


async def test_a_dialect_that_is_not_installed_has_no_route() -> None:
    async with post_office() as here, await connect(here.port) as stream:
        await stream.send_all(b"POST /GamesmanServlet HTTP/1.1\r\nHost: here\r\n\r\n")
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 404 ")
