"""What the P2P module documentation of GAMESMAN says, sentence by sentence, over HTTP, at a table without rules."""

from __future__ import annotations

import pytest

from protocols.core.model import Outcome, Reason
from tests.web.gamesman_table import begin, gamesman_server, post, read_answer
from tests.web.serving import connect


async def test_it_accepts_three_types_of_requests() -> None:
    """The P2P Module accepts three types of requests: moves, end-of-game notifications, and resignation
    notifications."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        for kind in ("Ack end", "Ack resign", "sendmove", "Chat", ""):
            answer = await first.ask(kind)
            assert set(answer) == {"error_code", "error_message"}
            assert answer["error_code"] == b"1"
            assert b"SendMove, GameOver, Resign" in answer["error_message"]
        asked = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        assert await second.ask("GameOver") == second.acknowledged("Ack end")
        assert await first.answer(asked) == first.hears("SendMove", "null")


async def test_it_sends_moves_and_both_acknowledgements() -> None:
    """It sends (respectively) moves, end-of-game acknowledgments, and resignation acknowledgments."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "m1")
        assert (await second.answer(waiting))["type"] == b"SendMove"
        assert (await second.ask("GameOver"))["type"] == b"Ack end"
        await here.register("open", "x", "y")
        x, y = here.player("x", "y"), here.player("y", "x")
        await y.send("SendMove")
        await here.until_offered(1, table=2)
        await x.send("SendMove", "m1")
        await here.until_ply(1, table=2)
        assert (await x.ask("Resign"))["type"] == b"Ack resign"


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        (b"Content-Length: 4096\r\n", bytes(range(256)) * 16),
        (b"Transfer-Encoding: chunked\r\n", b"5\r\nMove:\r\n0\r\n\r\n"),
        (b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 13\r\n", b"type=GameOver"),
    ],
    ids=["binary", "chunked", "a form"],
)
async def test_binary_contents_are_not_used(framing: bytes, body: bytes) -> None:
    """In all cases, information is stored exclusively in the headers, and the binary contents of the requests and
    responses are not used."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        request = post("first", "second", "SendMove", "m1").removesuffix(b"\r\n") + framing + b"\r\n" + body
        async with await connect(here.port) as stream:
            await stream.send_all(request)
            assert await second.answer(waiting) == second.hears("SendMove", "m1")
            await second.ask("Resign")
            assert (await read_answer(stream))[1] == first.hears("Resign")  # read_answer wants an empty body


@pytest.mark.parametrize("missing", ["SrcPlayer", "DestPlayer"])
async def test_both_players_must_be_named(missing: str) -> None:
    """All requests and responses transmitted must have headers for the source and destination player of the
    request/response."""
    async with gamesman_server() as here:
        await begin(here)
        lines = post("first", "second", "SendMove", "m1").split(b"\r\n")
        kept = [line for line in lines if not line.startswith(missing.encode())]
        async with await connect(here.port) as stream:
            await stream.send_all(b"\r\n".join(kept))
            status, answer = await read_answer(stream)
    assert status == 200
    assert answer == {"error_code": b"1", "error_message": f"the header {missing} is missing".encode()}


async def test_a_game_must_exist_between_the_two() -> None:
    """Before the module will pass moves between two players, a game must exist between the two."""
    async with gamesman_server() as here:
        await begin(here)
        stranger = await here.player("first", "third").ask("SendMove", "m1")
        assert stranger == {"error_code": b"1", "error_message": b"no game between first and third is registered"}
        await here.register("open", "first", "third")
        assert await here.player("first", "third").ask("SendMove", "m1") == {}  # ignored: not initialized yet


async def test_who_was_registered_first_goes_first() -> None:
    """The registration module must call the (static) method P2PModule.registerNewGame(p1, p2), where p1 goes first and
    p2 goes second."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        assert await second.ask("SendMove", "m1") == {}
        asked = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")
        await second.send("SendMove", "m2")
        assert await first.answer(asked) == first.hears("SendMove", "m2")
        assert [seat.name for seat in here.state().seats] == ["first", "second"]


async def test_a_move_is_relayed_as_it_is() -> None:
    """Clients send moves (i.e. incoming requests) with the following format: type SendMove, Move <value of the move as
    in gamesman>, SrcPlayer <player the request originated from>, DestPlayer <player the request is headed to>.
    The module relays this same message to the destination player."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "[3 4]  slide, then: flip!")
        assert await second.answer(waiting) == {
            "type": b"SendMove",
            "move": b"[3 4]  slide, then: flip!",
            "srcplayer": b"first",
            "destplayer": b"second",
        }


async def test_the_player_after_the_finishing_player_ends_the_game() -> None:
    """When the game ends, the player *after* the finishing player sends a command to the server saying that the
    game has ended. "type | GameOver"."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        early = await first.ask("GameOver")
        assert early["error_message"] == b"GameOver is for the player after the one who made the last move"
        table = here.server.tables[1]
        assert await second.ask("GameOver") == second.acknowledged("Ack end")
        assert await first.answer(asked) == first.hears("SendMove", "null")
    assert table.state.outcome == Outcome(0, Reason.CLAIM, "conceded")  # the document says not who has won


async def test_nobody_ends_a_game_in_which_nothing_was_played() -> None:
    """When the game ends, the player *after* the finishing player sends a command to the server saying that the game
    has ended."""
    async with gamesman_server() as here:
        first, _, _ = await begin(here)
        assert await first.ask("SendMove") == {}  # sits down; an initialization is for the second player
        assert (await first.ask("GameOver"))["error_code"] == b"1"
        assert here.state().outcome is None


async def test_the_finishing_player_receives_a_move_of_four_letters() -> None:
    """The other player (that is, the one who made the finishing move) receives a request as follows: type SendMove,
    Move null, SrcPlayer <player the request originated from>, DestPlayer <player the request is headed to>."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        await second.ask("GameOver")
        expected = {"type": b"SendMove", "move": b"null", "srcplayer": b"second", "destplayer": b"first"}
        assert await first.answer(asked) == expected


async def test_the_end_is_acknowledged() -> None:
    """Since the player who sent the end-of-game signal must receive a response, the client will receive an
    acknowledgement from the server that the end of the game completed successfully. "type | Ack end"."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "m1")
        await second.answer(waiting)
        expected = {"type": b"Ack end", "srcplayer": b"second", "destplayer": b"first"}
        assert await second.ask("GameOver") == expected


async def test_a_game_that_has_ended_is_unregistered() -> None:
    """Once all three have gone through the server, the game between the players is unregistered."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        await second.ask("GameOver")
        await first.answer(asked)
        assert (await second.ask("SendMove", "m2"))[
            "error_message"
        ] == b"no game between second and first is registered"
        await here.register("open", "second", "first")  # another one, the other way round
        assert await first.ask("SendMove", "m1") == first.hears("SendMove", "null")  # what it may have missed
        waiting = await first.send("SendMove")
        await here.until_offered(1, table=2)
        await second.send("SendMove", "n1")
        assert await first.answer(waiting) == first.hears("SendMove", "n1")


async def test_who_resigns_says_so_and_is_acknowledged() -> None:
    """The player who resigns sends a resignation request as follows: type Resign, SrcPlayer, DestPlayer.
    The response to the player who resigned is as follows: type Ack resign, SrcPlayer, DestPlayer."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "m1")
        await second.answer(waiting)
        table = here.server.tables[1]
        expected = {"type": b"Ack resign", "srcplayer": b"second", "destplayer": b"first"}
        assert await second.ask("Resign") == expected
    assert table.state.outcome == Outcome(0, Reason.RESIGNATION)


async def test_the_other_player_receives_the_resignation() -> None:
    """The response sent to the other player is of the exact same format."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        await second.ask("Resign")
        assert await first.answer(asked) == {"type": b"Resign", "srcplayer": b"second", "destplayer": b"first"}


async def test_a_game_that_was_resigned_is_unregistered() -> None:
    """Once all three have gone through the server, the game between the players is unregistered."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        await second.ask("Resign")
        await first.answer(asked)
        for player in (first, second):
            assert b"is registered" in (await player.ask("SendMove", "m2"))["error_message"]


async def test_a_player_may_resign_while_it_waits() -> None:
    """The player who resigns sends a resignation request: nothing says that it must be its turn."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        assert await first.ask("Resign") == first.acknowledged("Ack resign")
        assert await first.answer(asked) == first.acknowledged("Ack resign")  # nobody is left waiting
        assert await second.ask("SendMove", "m2") == second.hears("Resign")


async def test_moves_of_an_unregistered_game_are_errors() -> None:
    """The module throws exceptions when a client attempts to send moves for an unregistered game."""
    async with gamesman_server() as here:
        for kind in ("SendMove", "GameOver", "Resign"):
            answer = await here.player("nobody", "no one").ask(kind, "m1")
            assert answer == {"error_code": b"1", "error_message": b"no game between nobody and no one is registered"}


async def test_everything_before_the_initialization_is_ignored(capfd: pytest.CaptureFixture[str]) -> None:
    """If a game has not been properly initialized (the second player must send a null request before gameplay can
    begin), the module will ignore all requests until it receives an initialization request. It will issue a warning
    each time this occurs."""
    async with gamesman_server() as here:
        await here.register("open", "first", "second")
        first, second = here.player("first", "second"), here.player("second", "first")
        assert await first.ask("SendMove", "m1") == {}
        assert await first.ask("SendMove") == {}  # an initialization, but not the second player's
        assert await second.ask("SendMove", "m1") == {}
        assert here.state().games == 0
        assert capfd.readouterr().out.count("the game has not been initialized") == 3
        waiting = await second.send("SendMove")
        await here.until_begun()
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


@pytest.mark.parametrize("null", [None, "", "null"], ids=["no header", "an empty one", "four letters"])
async def test_a_null_request_initializes_whatever_null_looks_like(null: str | None) -> None:
    """The second player must send a null request before gameplay can begin."""
    async with gamesman_server() as here:
        await here.register("open", "first", "second")
        first, second = here.player("first", "second"), here.player("second", "first")
        waiting = await second.send("SendMove", null)
        await here.until_offered(1)
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_a_second_initialization_is_ignored(capfd: pytest.CaptureFixture[str]) -> None:
    """If a game has already been initialized and an initialization request is sent, the module will ignore it and issue
    a warning."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        assert await second.ask("SendMove") == {}
        asked = await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")  # it was not stolen
        assert await second.ask("SendMove") == {}
        assert await first.ask("SendMove") == {}
        await second.send("SendMove", "m2")
        assert await first.answer(asked) == first.hears("SendMove", "m2")
    assert capfd.readouterr().out.count("the game has been initialized already") == 3


async def test_a_move_out_of_turn_is_ignored(capfd: pytest.CaptureFixture[str]) -> None:
    """If the player whose turn it isn't attempts to make a move, a warning is issued and the request is ignored."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        assert await first.ask("SendMove", "another") == {}
        assert here.state().ply == 1
        await second.send("SendMove", "m2")
        assert await first.answer(asked) == first.hears("SendMove", "m2")  # it was not stolen
    assert capfd.readouterr().out.count("it is not this player's turn") == 1
