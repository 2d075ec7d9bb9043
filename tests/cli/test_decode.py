"""boardgate decode: bytes to text and back, wire logs, the definition."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.cli.decode import decode

MOVE = bytes.fromhex("0000006c 00000000 00000028")
PLAYERS = bytes.fromhex("00000068 00000002 00000003 00000006") + b"alice\0" + bytes.fromhex("00000001")
LOG = """\
@ game=ludo
@ byte_order=little
# field by field
>> hex 6c 00 00 00
>> hex 00 00 00 00 28 00 00 00
=> PlayMove(move=Move(0, 40))
<< hex 6b 00 00 00 00 00 00 00
<< MSG_MOVE 0 40
>> eof
"""


def run(given: bytes, *words: str) -> Result:
    return CliRunner().invoke(decode, list(words), input=given)


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        (MOVE, "MSG_MOVE 0 40\n"),
        (PLAYERS, 'MSG_PLAYERS 2 3 "alice" 1\n'),
        (MOVE + PLAYERS[:6], "MSG_MOVE 0 40\nhex 00 00 00 68 00 00\n"),
        (b"GET", "hex 47 45 54\n"),
        (b"", ""),
    ],
)
def test_bytes_become_text_and_the_same_bytes_again(wire: bytes, text: str) -> None:
    shown = run(wire)
    assert (shown.exit_code, shown.output) == (0, text)
    back = run(shown.stdout_bytes, "--encode")
    assert (back.exit_code, back.stdout_bytes) == (0, wire)


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "client.bin"
    file.write_bytes(MOVE)
    assert run(b"", str(file)).output == "MSG_MOVE 0 40\n"


def test_a_direction_given_is_kept_to() -> None:
    assert run(PLAYERS, "--received").output == f"hex {PLAYERS.hex(' ')}\n"
    assert run(PLAYERS, "--sent").output == 'MSG_PLAYERS 2 3 "alice" 1\n'
    assert "MSG_START" in run(b"MSG_START", "--encode", "--received").output


def test_the_dialect_and_its_options_are_chosen() -> None:
    assert run(MOVE[:3] + b"\x04" + MOVE[4:], "--dialect", "ggzboard").output == "REQ_MOVE 0 40\n"
    little = b"".join(MOVE[at : at + 4][::-1] for at in (0, 4, 8))
    assert run(little, "--option", "byte_order=little").output == "MSG_MOVE 0 40\n"


def test_a_wire_log_is_shown_with_its_pieces_put_together() -> None:
    shown = run(LOG.encode()).output.splitlines()
    assert shown[3:7] == [">> MSG_MOVE 0 40", "=> PlayMove(move=Move(0, 40))", "<< RSP_MOVE 0", "<< MSG_MOVE 0 40"]
    assert shown[:3] + shown[7:] == [*LOG.splitlines()[:3], ">> eof"]


def test_a_wire_log_gives_the_bytes_of_either_direction() -> None:
    little = bytes.fromhex("6c000000 00000000 28000000")
    assert run(LOG.encode(), "--encode").stdout_bytes == little
    assert run(LOG.encode(), "--encode", "--sent").stdout_bytes == bytes.fromhex("6b000000 00000000") + little


def test_the_definition_is_xml() -> None:
    shown = run(b"", "--ggzcomm").output
    assert shown.startswith('<?xml version="1.0" encoding="utf-8"?>\n<ggzcomm engine="bogaprot" version="1">')
    assert '<def name="msg_gameover" value="110" />' in shown


@pytest.mark.parametrize(
    ("given", "words", "why"),
    [
        (b"MSG_CHAT 1", ("--encode",), "'MSG_CHAT 1'"),
        (b"\xff", ("--encode",), "utf-8"),
        (b"", ("--dialect", "morse"), "there is no dialect 'morse'; there are bogaprot"),
        (b"", ("--option", "byte_order"), "KEY=VALUE, not 'byte_order'"),
        (b"", ("--option", "byte_order=odd"), "'odd'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(given: bytes, words: tuple[str, ...], why: str) -> None:
    result = run(given, *words)
    assert result.exit_code in (1, 2)
    assert why in result.output.splitlines()[-1]
