"""The server's wire log of a conversation replays, and writing it disturbs no conversation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio
from trio.testing import MockClock

from gateway.sessions.wire_log import log_to_file
from protocols.bogaprot.dialect import Bogaprot
from protocols.core import transcript
from protocols.core.events import Said
from tests.hall import Guest, Hall, config, hall
from tests.transcripts.replay import parse, replay

GAME = "tic_tac_toe"
OPTIONS = {"game": "checkers"}


def written(folder: Path) -> list[str]:
    """Every transcript of a house with this data, in the order of the connections."""
    files = sorted((folder / "wire").iterdir(), key=lambda file: int(file.stem.rpartition("-")[2]))
    return [file.read_text(encoding="utf-8") for file in files]


def lines(text: str, mark: str) -> list[str]:
    return [line[len(mark) :].strip() for line in text.splitlines() if line.startswith(mark)]


def sent(text: str) -> bytes:
    """The bytes that went to the peer, as the transcript has them."""
    return Bogaprot.text_to_wire(lines(text, transcript.WIRE_OUT), sent=True, options={})


async def conversation(here: Hall) -> Sequence[Guest]:
    """A won game, one refusal, and one who leaves inside a message."""
    anna, bert = await here.seat(f"{GAME}?name=anna")
    assert (await bert.puts(0))[0] == 1
    for square, guest in zip((0, 3, 1, 4, 2), (anna, bert) * 3, strict=False):
        assert await guest.puts(square) == (0,)
    await bert.hear("MSG_GAMEOVER")
    await anna.stream.send_all(b"\0\0\0\x6c\0")
    await anna.leaves()
    await bert.hear("MSG_PLAYERS")  # who leaves at the same moment may or may not be told
    await bert.leaves()
    await here.until(lambda: not here.server.connections)
    return anna, bert


async def test_what_it_wrote_replays_to_the_same_commands_and_bytes(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with hall(config(tmp_path), wire_log="yes") as here:
        guests = await conversation(here)
    texts = written(tmp_path)
    assert len(texts) == 2
    for guest, text in zip(guests, texts, strict=True):
        replies = replay(Bogaprot, parse(Bogaprot, text))
        assert b"".join(reply.wire for reply in replies) == sent(text) == b"".join(guest.peer.sends)
        commands = [transcript.command(command) for reply in replies for command in reply.commands]
        assert commands == [line for line in text.splitlines() if line.startswith(transcript.COMMAND)]
        assert lines(text, transcript.WIRE_IN)[-1] == transcript.EOF
        assert "=> Leave(lost=True)" in text


async def test_it_is_off_unless_somebody_wants_it(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with hall(config(tmp_path)) as here:
        await conversation(here)
    assert not (tmp_path / "wire").exists()


async def test_what_breaks_the_protocol_is_in_it(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with hall(config(tmp_path), wire_log="yes") as here:
        guest = here.dial()
        await guest.stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
        assert await guest.next() is None
        await here.until(lambda: not here.server.connections)
    (text,) = written(tmp_path)
    assert lines(text, transcript.BROKEN) == ["a client does not send opcode 1195725856"]
    (reply,) = [reply for reply in replay(Bogaprot, parse(Bogaprot, text)) if reply.broken]
    assert reply.broken == "a client does not send opcode 1195725856"


async def test_no_room_for_a_transcript_is_no_reason_to_turn_anybody_away(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    (tmp_path / "wire").write_text("a file where the folder belongs")
    async with hall(config(tmp_path), wire_log="yes") as here:
        await conversation(here)


def test_a_full_disk_ends_the_transcript_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "transcript.txt"
    path.symlink_to("/dev/full")
    log = log_to_file(path, Bogaprot, OPTIONS, "192.0.2.1")
    log.received(b"x", held=False)
    log.told(Said(None, "all", "hello"))
    log.close()
    assert path.is_char_device()


def test_what_is_told_after_the_end_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "wire" / "transcript.txt"
    log = log_to_file(path, Bogaprot, OPTIONS, "192.0.2.1")
    log.close()
    log.close()
    log.told(Said(None, "all", "hello"))
    assert path.read_text() == "@ game=checkers\n# bogaprot 192.0.2.1\n"


def test_only_its_owner_may_look_at_conversations(tmp_path: Path) -> None:
    log_to_file(tmp_path / "wire" / "transcript.txt", Bogaprot, {}, "192.0.2.1").close()
    assert (tmp_path / "wire").stat().st_mode & 0o777 == 0o700


async def test_a_guest_who_has_gone_while_a_step_is_stored_disturbs_no_table(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """Its transcript is closed before its table knows that it has gone."""
    async with hall(config(tmp_path), wire_log="yes") as here:
        anna, bert = await here.seat(GAME)
        gone = next(connection for connection in here.server.connections if connection.seat == 0)
        assert gone.wire_log is not None
        gone.wire_log.close()
        gone.tell([Said(None, "all", "hello")])
        assert await anna.puts(4) == (0,)
        assert await bert.hear("MSG_MOVE") == (-1, 4, "x")


async def test_a_listener_may_say_no(autojump_clock: MockClock, tmp_path: Path) -> None:
    async with hall(config(tmp_path), wire_log="no") as here:
        await here.dial().leaves()
        await trio.sleep(1.0)
    assert not (tmp_path / "wire").exists()
