"""The dialect ``web`` by requests: a page whose network lets no WebSocket through can do all that others can."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from gateway.table.state import Status
from gateway.web import lines
from protocols.core.model import Reason, SeatKind
from protocols.web.frames import LONGEST_MESSAGE, client_frame, close, frame, texts
from tests.hall import config
from tests.web.club import Answered, Club, club, playing
from tests.web.serving import connect

HELLO = {"type": "hello", "v": 1}

SHOWN_S = 10.0
"""Seconds within which a lost connection is shown."""


@dataclass
class Page:
    """A page without a socket: the messages it has not looked at yet."""

    here: Club
    key: str
    heard: list[dict[str, Any]] = field(default_factory=list)
    open: bool = True

    @property
    def auth(self) -> str:
        return f"Line {self.key}"

    async def say(self, kind: str, **fields: Any) -> None:
        answer = await self.here.ask("/api/line", {"type": kind, **fields}, auth=self.auth)
        assert answer.status == 204

    async def ask(self, wait_s: int = 10) -> list[dict[str, Any]]:
        told = (await self.here.ask(f"/api/line?wait={wait_s}", auth=self.auth)).body
        self.open = told["open"]
        found: list[dict[str, Any]] = told["messages"]
        return found

    async def until(self, *names: str) -> dict[str, Any]:
        """The first message of one of these types, or event of one of these kinds."""
        while True:
            while not self.heard:
                assert self.open, "the line has ended"
                self.heard = await self.ask()
            message = self.heard.pop(0)
            if message["type"] in names or message.get("kind") in names:
                return message


async def opens(here: Club, auth: str = "", **hello: Any) -> Page:
    answer = await here.ask("/api/lines", {**HELLO, **hello}, auth=auth)
    assert answer.status == 201
    page = Page(here, answer.body["line"])
    await page.until("welcome")
    return page


async def pair(here: Club, game: str = "tic_tac_toe", **more: Any) -> tuple[int, list[Page]]:
    """Two pages at one registered table, in a game."""
    made = (await here.register("ann", "bob", game=game, **more)).body
    pages = []
    for ticket in made["tickets"]:
        pages.append(await opens(here))
        await pages[-1].say("join", game=game, ticket=ticket, ready=True)
        await pages[-1].until("seated")
    for page in pages:
        await page.until("turn")
    return made["id"], pages


async def test_a_game_is_asked_for_and_played_by_requests_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = await opens(here), await opens(here)
        for page in (ann, bob):
            await page.say("join", game="tic_tac_toe")
            await page.until("seated")
        assert (await ann.until("moves"))["legal"] == [{"piece": "x", "to": "*"}]
        for page, other, square in ((ann, bob, 4), (bob, ann, 0)):
            await page.say("play", move=[None, square, ""])
            for one in (page, other):
                assert (await one.until("MoveMade"))["body"]["move"]["target"] == square


async def test_everything_that_is_said_at_a_table_is_said_by_requests(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, (ann, bob) = await pair(here)
        await ann.say("say", to="all", text="hello Bob")
        assert (await bob.until("Said"))["body"]["text"] == "hello Bob"
        await ann.say("play", move=[None, 4, ""])
        await ann.say("propose", what="takeback")
        await bob.until("Proposed")
        await bob.say("propose", what="takeback")
        await ann.until("MovesTakenBack")
        await ann.say("propose", what="draw")
        await bob.until("Proposed")
        await bob.say("decline", what="draw")
        await ann.until("Declined")
        for page in (ann, bob):
            await page.say("propose", what="adjourn")
        await ann.until("GameAdjourned")
        for page in (ann, bob):
            await page.say("propose", what="resume")
        await bob.until("GameResumed")
        for page in (ann, bob):
            await page.say("propose", what="draw")
        assert (await bob.until("GameEnded"))["body"]["outcome"]["winner"] is None
        for page in (ann, bob):
            await page.say("propose", what="rematch")
        await ann.until("GameStarted")
        await bob.until("GameStarted")
        await ann.say("resign")
        assert (await bob.until("GameEnded"))["body"]["outcome"]["reason"] == Reason.RESIGNATION.value
        assert here.hall.state(table).status is Status.OVER


async def test_a_go_player_passes(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        _, (ann, bob) = await pair(here, "go", options={"size": 9})
        await ann.say("play", move=[None, None, ""])
        assert (await bob.until("MoveMade"))["notation"] == "pass"


async def test_a_refusal_is_told_in_the_words_of_the_dialect_with_the_number_of_what_was_asked(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        _, (_, bob) = await pair(here)
        await bob.say("play", move=[None, 4, ""], id=7)
        refused = await bob.until("rejected")
        assert (refused["id"], refused["why"]) == (7, "not your turn")


async def test_a_seat_is_there_as_long_as_its_page_asks_and_is_lost_some_seconds_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "STAYS_S", 1.0)
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        page = await opens(here, table=table, ticket=tickets[0])
        await page.until("seated")
        lasting = trio.current_time() + 3 * lines.STAYS_S
        while trio.current_time() < lasting:
            await page.ask(1 if lasting - trio.current_time() > 1 else 0)
        shown = (await here.ask(f"/api/tables/{table}/presence")).body["seats"][0]
        assert (shown["state"], shown["dialect"]) == ("here", "web")
        assert here.hall.state(table).seats[0].kind is SeatKind.PLAYER
        await guests[1].hears_lost(0)
        assert here.hall.state(table).until[0] > trio.current_time()  # its grace begins now
        assert (await here.ask("/api/line", auth=page.auth)).error == (404, "no_such_line")


async def test_a_request_that_waits_keeps_the_seat_however_long_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "STAYS_S", 0.2)
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        page = await opens(here, table=table, ticket=tickets[0])
        await page.until("moves")
        assert await page.ask(1) == []
        assert here.hall.state(table).seats[0].kind is SeatKind.PLAYER


async def sits(here: Club, **hello: Any) -> tuple[Page, int]:
    """A page in a running game, and its table."""
    table, tickets, _ = await playing(here)
    page = await opens(here, table=table, ticket=tickets[0], **hello)
    await page.until("turn")
    return page, table


async def test_a_page_that_says_so_is_asked_for_signs_of_life(tmp_path: Path) -> None:
    """Its request is answered before its time; it is lost within ten seconds where it does not ask again."""
    async with club(tmp_path) as here:
        page, table = await sits(here, beat=True)
        for _ in range(3):
            begun = trio.current_time()
            assert await page.ask(60) == []
            assert trio.current_time() - begun < SHOWN_S / 2
        begun = trio.current_time()
        async with await connect(here.port) as stream:  # a request in a network that carries nothing any more
            head = f"GET /api/line?wait=60 HTTP/1.1\r\nHost: here\r\nAuthorization: {page.auth}\r\n\r\n"
            await stream.send_all(head.encode())
            await here.hall.until(lambda: here.hall.state(table).seats[0].kind is SeatKind.RESERVED)
            assert trio.current_time() - begun < SHOWN_S
        assert here.hall.server.metrics.closed["does not answer"] == 1


async def test_a_program_is_not_asked_for_them(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page, table = await sits(here)
        begun = trio.current_time()
        assert await page.ask(8) == []
        assert trio.current_time() - begun >= 8
        assert here.hall.state(table).seats[0].kind is SeatKind.PLAYER


async def test_a_line_whose_key_never_arrived_takes_no_seat(tmp_path: Path) -> None:
    """The answer that opens it is lost, and the page has opened another one meanwhile."""
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        lost = await here.ask("/api/lines", {**HELLO, "table": table, "ticket": tickets[0]})
        page = await opens(here, table=table, ticket=tickets[0])
        assert (await page.until("seated"))["seat"] == 0
        assert await page.until("turn")
        assert page.open
        late = Page(here, lost.body["line"])
        assert (await late.until("seated"))["seat"] == 0
        assert (await page.until("goodbye"))["why"] == "replaced"


async def test_a_page_that_hangs_up_is_gone_at_once_and_goes_on_behind_its_last_event(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        page = await opens(here, table=table, ticket=tickets[0])
        last = (await page.until("seated"))["seq"]
        assert (await here.ask("/api/line", auth=page.auth, method="DELETE")).status == 204
        await guests[1].hears_lost(0)
        again = await opens(here, table=table, ticket=tickets[0], after=last)
        told = await again.until("seated")
        assert (told["events"], told["seq"]) == ([], last)
        assert [(await again.until("event"))["kind"] for _ in range(2)] == ["SeatLeft", "SeatTaken"]


async def test_a_line_whose_seat_is_taken_elsewhere_says_so_and_ends(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        first = await opens(here, table=table, ticket=tickets[0])
        await first.until("seated")
        second = await opens(here, table=table, ticket=tickets[0])
        await second.until("seated")
        assert (await first.until("goodbye"))["why"] == "replaced"
        while first.open:
            await first.ask()
        answer = await here.ask("/api/line", {"type": "resign"}, auth=first.auth)
        assert answer.error == (404, "no_such_line")


async def test_of_two_requests_that_ask_the_older_one_is_answered_with_nothing(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await opens(here)
        answers: list[Any] = []

        async def asks() -> None:
            answers.append(await page.ask(20))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(asks)
            (line,) = found(here)
            await here.hall.until(lambda: line.lease.deadline == math.inf)
            nursery.start_soon(asks)
            await here.hall.until(lambda: bool(answers))
            assert answers == [[]]
            await page.say("ping", n=5)
        assert [message["type"] for message in answers[1]] == ["pong"]


@pytest.mark.parametrize("body", [b"{", b'"hello"', {"type": "hello"}, {"type": "dance"}, {"type": "resign"}])
async def test_a_first_message_that_is_no_hello_ends_the_line_with_its_reason(tmp_path: Path, body: object) -> None:
    async with club(tmp_path) as here:
        page = Page(here, (await here.ask("/api/lines", body)).body["line"])
        assert (await page.until("goodbye"))["why"] == "error"
        while page.open:
            await page.ask()


async def test_what_is_no_message_of_a_line_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await opens(here)
        for path, auth in (("/api/lines", ""), ("/api/line", page.auth)):
            assert (await here.ask(path, HELLO, auth=auth, kind="text/plain")).error == (415, "no_json")
            assert (await here.ask(path, b" " * (LONGEST_MESSAGE + 1), auth=auth)).error == (413, "too_long")
        for method, body in (("GET", None), ("POST", HELLO), ("DELETE", None)):
            unknown: Answered = await here.ask("/api/line", body, auth="Line none-of-these", method=method)
            assert unknown.error == (404, "no_such_line")
            assert (await here.ask("/api/line", body, method=method)).error == (401, "unauthorized")
        assert (await here.ask("/api/line?wait=1000", auth=page.auth)).error == (400, "bad_request")


async def test_a_page_of_another_site_opens_no_line_unless_the_api_is_open_to_it(tmp_path: Path) -> None:
    theirs = ("Origin: https://example.org",)
    async with club(tmp_path) as here:
        assert (await here.ask("/api/lines", HELLO, headers=theirs)).error == (403, "foreign_origin")
        assert (await here.ask("/api/lines", HELLO, headers=("Origin: http://here",))).status == 201
    usual = config()
    usual = replace(usual, server=replace(usual.server, api_origins="https://example.org"))
    async with club(tmp_path, usual) as here:
        assert (await here.ask("/api/lines", HELLO, headers=theirs)).status == 201


async def test_a_line_speaks_for_the_account_that_opens_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await opens(here, auth=here.has_account("ann"))
        await page.say("join", game="tic_tac_toe")
        await page.until("seated")
        assert [seat.name for seat in here.hall.state().seats] == ["ann", ""]
        assert (await here.ask("/api/lines", HELLO, auth="Bearer none-of-this-server")).error == (401, "unauthorized")


@pytest.mark.parametrize("options", ["wire_log=yes", ""])
async def test_a_listener_writes_the_conversations_of_its_lines_if_it_is_asked_to(options: str, tmp_path: Path) -> None:
    async with club(tmp_path, options=options) as here:
        await opens(here)
        written = [path.read_text() for path in (tmp_path / "wire").glob("web-*.txt")]
    assert len(written) == (1 if options else 0)
    assert all('>> {"type": "hello", "v": 1}' in text for text in written)


async def test_lines_are_counted_as_connections_of_their_address(tmp_path: Path) -> None:
    usual = config()
    limits = replace(usual.limits, connections_per_address=2)
    async with club(tmp_path, replace(usual, limits=limits)) as here:
        page, _ = await opens(here), await opens(here)
        assert (await here.ask("/api/lines", HELLO)).error == (503, "overload")
        await here.ask("/api/line", auth=page.auth, method="DELETE")
        await here.hall.until(lambda: here.hall.server.connection_limits.inside == 1)


async def test_messages_come_at_the_rate_of_any_connection(tmp_path: Path) -> None:
    """The mailbox holds 64 KiB that the connection has not come to yet."""
    usual = config()
    limits = replace(usual.limits, messages_per_second=1.0, messages_burst=1)
    async with club(tmp_path, replace(usual, limits=limits)) as here:
        page = await opens(here)
        long = b'{"type":"ping","n":1' + b" " * 8000 + b"}"
        answers = [await here.ask("/api/line", long, auth=page.auth) for _ in range(12)]
        assert {answer.status for answer in answers} == {204, 429}
        assert answers[-1].error == (429, "too_fast")


async def test_a_line_keeps_a_bounded_number_of_bytes_and_the_rest_waits_at_its_connection() -> None:
    line = lines.Line()
    message = frame(b"x" * 40_000)
    assert line.send_now(message) == len(message)
    assert line.send_now(message) == 0
    with line.asking() as asked:
        assert line.news.is_set()
        assert line.take(asked) == [b"x" * 40_000]
    assert line.send_now(message) == len(message)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(line.send_rest, message)
        await trio.testing.wait_all_tasks_blocked()
        assert line.take(1) == [b"x" * 40_000]
    assert line.take(1) == [b"x" * 40_000]


def test_texts_are_taken_out_of_frames_of_any_length() -> None:
    payloads = [b"x" * size for size in (0, 125, 126, 65_535, 65_536)]
    sent = b"".join(map(frame, payloads)) + close(1000, "bye")
    assert texts(sent) == payloads
    assert client_frame(b"{}") == b"\x81\x82\0\0\0\0{}"


def found(here: Club) -> list[lines.Line]:
    """The lines that are open."""
    peers = [connection.peer for connection in here.hall.server.connections]
    return [peer for peer in peers if isinstance(peer, lines.Line)]


@pytest.mark.parametrize(("game", "first"), [("tic_tac_toe", None), ("chess", 1), ("reversi", None)])
async def test_who_comes_for_the_first_seat_of_a_player_who_sits_there_may_move_at_once(
    tmp_path: Path, game: str, first: int | None
) -> None:
    """The newcomer sits down second, the seats are exchanged, and its turn is told with its legal moves."""
    async with club(tmp_path) as here:
        ann, bob = await opens(here), await opens(here)
        await ann.say("join", game=game, side=first)
        await ann.until("seated")
        await bob.say("join", game=game, side=0)
        assert (await bob.until("SeatsTurned"))["body"]["by"] == 1
        assert (await bob.until("turn"))["seat"] == 0
        assert (await bob.until("moves"))["legal"]
        assert (await ann.until("turn"))["seat"] == 0
