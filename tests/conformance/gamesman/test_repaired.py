"""Differences from the original GAMESMAN server: its defects, and duties that it left to its container."""

from __future__ import annotations

import pytest

from tests.web.gamesman_table import begin, gamesman_server, post, read_answer
from tests.web.serving import connect, everything


@pytest.mark.parametrize("ignored", [("SendMove", None), ("SendMove", "m9"), ("GameOver", None), ("Chat", None)])
async def test_what_is_not_accepted_changes_nothing(ignored: tuple[str, str | None]) -> None:
    """Validate first; an ignored request changes nothing."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        answer = await first.ask(*ignored)
        assert "type" not in answer
        await second.send("SendMove", "m2")
        assert await first.answer(asked) == first.hears("SendMove", "m2")


@pytest.mark.parametrize("kind", ["GameOver", "Resign"])
@pytest.mark.parametrize("who", ["first", "second"])
async def test_the_end_before_the_beginning_is_ignored(kind: str, who: str) -> None:
    """GameOver or Resign before the initialisation crashed it; "the module will ignore all requests until it receives
    an initialization request"."""
    async with gamesman_server() as here:
        await here.register("open", "first", "second")
        player = here.player(who, "second" if who == "first" else "first")
        assert await player.ask(kind) == {}
        assert here.state().outcome is None


async def test_both_acknowledgements_stay_available_for_a_while() -> None:
    """Ack end and Ack resign stay available for a while after the end."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        asked = await first.send("SendMove", "m1")
        await second.answer(waiting)
        for _ in range(3):
            assert await second.ask("GameOver") == second.acknowledged("Ack end")
        assert await first.answer(asked) == first.hears("SendMove", "null")
        assert await first.ask("SendMove", "m1") == first.hears("SendMove", "null")
        await here.register("open", "second", "first")
        assert await second.ask("GameOver") == second.acknowledged("Ack end")  # the next one has not begun
        waiting = await first.send("SendMove")
        await here.until_offered(1, table=2)
        asked = await second.send("SendMove", "n1")
        await first.answer(waiting)
        for _ in range(3):
            assert await first.ask("Resign") == first.acknowledged("Ack resign")
        assert await second.answer(asked) == second.hears("Resign")


async def test_who_thinks_hears_of_the_resignation_when_it_has_thought() -> None:
    """The opponent resigns while nobody waits: the answer to the next request, whatever it is."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        await first.send("SendMove", "m1")
        await second.answer(waiting)
        await first.ask("Resign")
        assert await second.ask("SendMove", "m2") == second.hears("Resign")
        assert await second.ask("SendMove", "m2") == second.hears("Resign")


async def test_no_value_begins_a_header_of_its_own() -> None:
    """No CR or LF ever reaches an emitted header."""
    async with gamesman_server() as here:
        _, second, waiting = await begin(here)
        folded = post("first", "second", "SendMove", "m1").replace(b"Move: m1", b"Move: m1\r\n  Evil: 1")
        async with await connect(here.port) as stream:
            await stream.send_all(folded)
            assert await second.answer(waiting) == second.hears("SendMove", "m1 Evil: 1")


@pytest.mark.parametrize("byte", [b"\r", b"\n", b"\0", b"\x01", b"\x1f", b"\x7f"], ids=repr)
@pytest.mark.parametrize("header", [b"Move: m", b"SrcPlayer: first", b"DestPlayer: second"], ids=repr)
async def test_control_characters_are_refused(byte: bytes, header: bytes) -> None:
    """No CR or LF ever reaches an emitted header."""
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        request = post("first", "second", "SendMove", "m").replace(header, header + byte + b"x")
        async with await connect(here.port) as stream:
            await stream.send_all(request)
            await stream.send_eof()
            answer = await everything(stream)
        assert b"error_message: the header" in answer or answer.startswith(b"HTTP/1.1 400 ")
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


@pytest.mark.parametrize("name", ["type", "Move", "SrcPlayer", "DestPlayer"])
async def test_a_value_that_is_too_long_is_refused_by_name(name: str) -> None:
    async with gamesman_server() as here:
        first, second, waiting = await begin(here)
        values = {"type": "SendMove", "Move": "m1", "SrcPlayer": "first", "DestPlayer": "second"} | {name: "x" * 256}
        async with await connect(here.port) as stream:
            await stream.send_all(post(values["SrcPlayer"], values["DestPlayer"], values["type"], values["Move"]))
            _, answer = await read_answer(stream)
        assert answer["error_message"] == f"the header {name} has 256 bytes, more than 255".encode()
        await first.send("SendMove", "m1")
        assert await second.answer(waiting) == second.hears("SendMove", "m1")


async def test_a_request_of_many_kilobytes_is_refused_by_http() -> None:
    async with gamesman_server() as here, await connect(here.port) as stream:
        await stream.send_all(post("first", "second", "SendMove", "x" * 100_000))
        assert (await everything(stream)).startswith(b"HTTP/1.1 431 ")


async def test_a_header_that_is_given_twice_is_refused() -> None:
    async with gamesman_server() as here:
        first, _, _ = await begin(here)
        answer = await first.ask("SendMove", "m1", MOVE="m2")
        assert answer == {"error_code": b"1", "error_message": b"the header Move is given twice"}
        assert here.state().ply == 0


async def test_both_paths_are_served_and_get_is_not() -> None:
    async with gamesman_server() as here:
        for path, status in [("/GamesmanServlet", 200), ("/gamesman/GamesmanServlet", 200), ("/Gamesman", 404)]:
            async with await connect(here.port) as stream:
                await stream.send_all(post("a", "b", "SendMove").replace(b"/GamesmanServlet", path.encode()))
                await stream.send_eof()
                assert (await everything(stream)).split()[1] == str(status).encode()
        async with await connect(here.port) as stream:
            await stream.send_all(post("a", "b", "SendMove").replace(b"POST", b"GET"))
            await stream.send_eof()
            assert (await everything(stream)).split()[1] == b"405"


async def test_the_names_of_a_pair_are_unordered_and_spelled_exactly() -> None:
    """One game per unordered pair of names."""
    async with gamesman_server() as here:
        await here.register("open", "Anna", "Bert")
        for names in (("anna", "Bert"), ("Anna", "Bert ."), ("Anna", "Anna")):
            assert (await here.player(*names).ask("SendMove"))["error_code"] == b"1"
        assert await here.player("Anna", "Bert").ask("SendMove", "m1") == {}
        await here.player("Bert", "Anna").send("SendMove")
        await here.until_begun()


async def test_a_game_with_dice_cannot_be_played_so() -> None:
    async with gamesman_server() as here:
        await here.register("ludo", "first", "second")
        answer = await here.player("first", "second").ask("SendMove", "m1")
        assert answer["error_message"] == b"Ludo has dice, and this protocol has no word for them"
