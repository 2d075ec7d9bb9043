"""A relayed pair is written as a wire log that `boardgate decode` shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gateway.cli import main
from gateway.relay.recording import Recording, new_file
from gateway.relay.rendezvous import Refusal
from protocols.miniature.dialect import Miniature
from tests.relay.relaying import Desk, relaying

PEERS = ("192.0.2.1:5", "192.0.2.2:6")


def records(data: Path) -> list[Path]:
    return sorted((data / "wire").glob("relay-*.txt"))


async def talk(desk: Desk, **wishes: object) -> None:
    """A short game of chess, relayed."""
    first, second = await desk.dialled(**wishes)
    await first.say(b"move e2")
    assert await second.some() == b"move e2"
    await first.say(b"e4\n")
    assert await second.some() == b"e4\n"
    await second.say(b"move e7e5\n")
    assert await first.some() == b"move e7e5\n"
    await first.stream.send_eof()
    await second.stream.send_eof()
    await desk.until(lambda: desk.relay.counters.pairs_now == 0)


async def test_a_pair_is_recorded_where_it_was_asked_for_and_shown_as_a_transcript(tmp_path: Path) -> None:
    async with relaying(tmp_path) as desk:
        await talk(desk, dialect="chess-p2p", record=True)
    (file,) = records(tmp_path)
    assert file.read_text().startswith("# chess-p2p, relayed; >> 127.0.0.1:")
    shown = CliRunner().invoke(main, ["decode", "--dialect", "chess-p2p", str(file)])
    assert shown.output.splitlines()[1:] == [
        ">> hex 3f",
        "<< hex 3f",
        ">> move e2e4",
        "<< move e7e5",
        ">> eof",
        "# the second closed",
    ]


async def test_without_a_dialect_bytes_are_kept_and_any_dialect_can_show_them(tmp_path: Path) -> None:
    async with relaying(tmp_path) as desk:
        await talk(desk, record=True)
    (file,) = records(tmp_path)
    assert ">> hex 6d 6f 76 65 20 65 32\n>> hex 65 34 0a\n" in file.read_text()
    shown = CliRunner().invoke(main, ["decode", "--dialect", "miniature", str(file)])
    assert "\n<< move e7e5\n" in shown.output
    wire = CliRunner().invoke(main, ["decode", "--dialect", "miniature", "--encode", str(file)])
    assert wire.stdout_bytes == b"?move e2e4\n"


async def test_nothing_is_recorded_that_nobody_asked_for(tmp_path: Path) -> None:
    async with relaying(tmp_path) as desk:
        await talk(desk, dialect="chess-p2p")
    assert records(tmp_path) == []


async def test_a_listener_may_ask_for_all_pairs(tmp_path: Path) -> None:
    async with relaying(tmp_path, record_all=True) as desk:
        await talk(desk)
    assert len(records(tmp_path)) == 1


async def test_a_server_may_record_nothing(tmp_path: Path) -> None:
    async with relaying(tmp_path, recordings=0) as desk:
        with pytest.raises(Refusal, match="this server records nothing"):
            desk.open(record=True)
    async with relaying(tmp_path, recordings=0, record_all=True) as desk:
        await talk(desk)
    assert records(tmp_path) == []


async def test_no_room_for_a_record_is_no_reason_to_relay_nothing(tmp_path: Path) -> None:
    (tmp_path / "wire").write_text("a file where the folder belongs")
    async with relaying(tmp_path, record_all=True) as desk:
        await talk(desk)


def test_a_record_ends_where_the_setting_says(tmp_path: Path) -> None:
    record = Recording(tmp_path / "wire" / "relay-1.txt", None, PEERS, 5)
    record.passed(0, b"abc")
    record.passed(1, b"defgh")
    record.passed(0, b"i")
    assert (tmp_path / "wire" / "relay-1.txt").read_text().splitlines() == [
        "# unknown dialect, relayed; >> 192.0.2.1:5, << 192.0.2.2:6",
        ">> hex 61 62 63",
        "<< hex 64 65",
        "# the recording ends here: see relay.recorded_bytes",
    ]


def test_long_pieces_are_lines_that_fit_on_a_screen(tmp_path: Path) -> None:
    record = Recording(tmp_path / "relay-1.txt", None, PEERS, 1000)
    record.passed(0, bytes(70))
    record.close()
    lines = (tmp_path / "relay-1.txt").read_text().splitlines()[1:]
    assert [len(bytes.fromhex(line.removeprefix(">> hex"))) for line in lines] == [32, 32, 6]


def test_known_dialects_are_shown_in_their_own_words(tmp_path: Path) -> None:
    record = Recording(tmp_path / "relay-1.txt", Miniature, PEERS, 1000)
    record.passed(0, b"seek 5\n")
    record.passed(1, b"\xff\n")
    record.close()
    assert (tmp_path / "relay-1.txt").read_text().splitlines()[1:] == [">> seek 5", "<< hex ff 0a"]


def test_the_oldest_records_go_first(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"relay-170000000000000000{number}-1.txt").touch()
    (tmp_path / "miniature-1.txt").touch()
    path = new_file(tmp_path, 7, kept=3)
    assert path.name.startswith("relay-")
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "miniature-1.txt",
        "relay-1700000000000000003-1.txt",
        "relay-1700000000000000004-1.txt",
    ]
