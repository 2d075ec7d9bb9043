"""The tail of a conversation: its last lines, without tickets, passwords and private talk of either side."""

from __future__ import annotations

from pathlib import Path

from gateway.sessions.connection import Connection
from gateway.sessions.wire_log import log_to_file
from gateway.sessions.wire_tail import MOST_CHARACTERS, Lines, WireTail, looked_at, tail_of
from protocols.bogaprot.dialect import Bogaprot
from protocols.core.commands import Join, Login, Say
from protocols.core.events import Said, SeatTaken
from protocols.core.model import SeatKind
from protocols.core.notifications import Aside, Seated
from protocols.miniature.dialect import Miniature
from protocols.web.dialect import Web
from protocols.web.frames import client_frame, frame
from tests.hall import hall

TICKET = "a-ticket-of-twenty-four-l"


def shown(tail: WireTail) -> str:
    return "\n".join(line for _, line in tail.lines.after(0))


def test_lines_are_numbered_and_the_oldest_go_first() -> None:
    lines = Lines()
    lines.write(["a", "b"])
    assert lines.after(0) == [(1, "a"), (2, "b")]
    assert lines.after(1) == [(2, "b")]
    lines.write(["x" * 1000] * 100)
    kept = lines.after(0)
    assert sum(len(line) for _, line in kept) <= MOST_CHARACTERS < sum(len(line) for _, line in kept) + 1000
    assert [number for number, _ in kept] == list(range(103 - len(kept), 103))
    assert lines.after(90) == kept[-12:]


def test_a_long_line_is_cut() -> None:
    lines = Lines()
    lines.write(["x" * 10_000])
    assert len(lines.after(0)[0][1]) == 4001


def test_a_ticket_is_not_in_it_whoever_says_it() -> None:
    tail = WireTail(None, Miniature, {})
    tail.received(f"tell gateway ticket {TICKET}\r\n".encode(), [TICKET])
    tail.asked([Join("chess", ticket=TICKET), Login("ann", "correct horse")])
    tail.told(Seated(1, 0, (), f"{TICKET}2"))
    tail.sent(f"your ticket is {TICKET}2\r\n".encode())
    tail.sent(f"once more: {TICKET}2\r\n".encode())
    assert TICKET not in shown(tail)
    assert "correct horse" not in shown(tail)
    assert "your ticket is ****" in shown(tail)


def test_private_talk_is_not_in_it_in_either_direction() -> None:
    tail = WireTail(None, Miniature, {})
    tail.received(b"tell players I will resign soon\r\n")
    tail.asked([Say("players", "I will resign soon")])
    tail.told(Said(1, "players", "please do not", "bob"))
    tail.sent(b"bob tells you: please do not\r\n")
    tail.told(Seated(1, 0, (Said(1, "observers", "they are both bad", "bob"), SeatTaken(0, SeatKind.PLAYER, "ann"))))
    tail.sent(b"bob said: they are both bad\r\n")
    tail.told(Said(1, "all", "hello everybody", "bob"))
    tail.sent(b"bob: hello everybody\r\n")
    text = shown(tail)
    assert [word for word in ("resign", "please", "both bad") if word in text] == []
    assert ".. SeatTaken" in text or "SeatTaken" in text
    assert "bob: hello everybody" in text
    assert text.count("bytes with talk that is not for everybody") == 3


def test_a_table_that_is_watched_aside_is_not_in_the_tail_of_the_own_one() -> None:
    tail = WireTail(None, Web, {})
    tail.received(client_frame(b'{"type":"say","to":"all","text":"far away","table":7}'))
    tail.asked([Say("all", "far away", table=7)])
    tail.told(Aside(7, (Said(None, "all", "over there"),)))
    tail.sent(frame(b'{"type":"aside","table":7,"told":{"text":"over there"}}'))
    tail.told(Said(0, "all", "here"))
    tail.sent(frame(b'{"text":"here"}'))
    assert not any(words in shown(tail) for words in ("far away", "over there"))
    assert '<< {"text":"here"}' in shown(tail)


def test_private_talk_that_a_dialect_keeps_back_is_not_in_it_later() -> None:
    tail = WireTail(None, Miniature, {})
    tail.told(Said(1, "players", "Let us agree to a draw, shall we?", "bob"))
    tail.sent(b"")
    tail.told(Said(1, "all", "hello", "bob"))
    tail.sent(b"# bob: Let us agree\r\n#  to a draw, shall we?\r\nbob: hello\r\n")
    tail.told(SeatTaken(0, SeatKind.PLAYER, "ann"))
    tail.sent(b"ann sat down\r\n")
    assert "draw" not in shown(tail)
    assert "ann sat down" in shown(tail)


def test_what_was_said_at_another_table_is_forgotten() -> None:
    tail = WireTail(None, Miniature, {})
    tail.told(Seated(1, 0, ()))
    tail.sent(b"table one\r\n")
    tail.told(Seated(1, 1, ()))
    assert "table one" in shown(tail)
    tail.told(Seated(2, 0, ()))
    assert "table one" not in shown(tail)


def test_the_log_below_it_gets_everything(tmp_path: Path) -> None:
    path = tmp_path / "wire" / "log.txt"
    tail = WireTail(log_to_file(path, Miniature, {}, "192.0.2.1"), Miniature, {})
    tail.received(b"tell players psst\r\n")
    tail.asked([Say("players", "psst")])
    tail.told(Said(1, "players", "hush", "bob"))
    tail.sent(b"bob: hush\r\n")
    tail.received(b"")
    tail.close()
    log = path.read_text(encoding="utf-8")
    assert [word for word in ("tell players psst", "=> Say", ".. Said", "bob: hush", ">> eof") if word not in log] == []


async def test_it_is_there_while_somebody_looks_and_no_longer() -> None:
    async with hall() as here:
        anna, _ = await here.seat("tic_tac_toe")
        connection = next(each for each in here.server.connections if each.seat == 0)
        assert isinstance(connection, Connection)
        with looked_at(connection) as tail, looked_at(connection) as again:
            assert tail is again is tail_of(connection)
            assert await anna.puts(4) == (0,)
            assert ">> MSG_MOVE" in shown(tail)
            assert "=> PlayMove" in shown(tail)
            assert "<< RSP_MOVE" in shown(tail)
        assert tail_of(connection) is None
        assert connection.wire_log is None


async def test_a_listener_may_keep_it_for_everybody() -> None:
    async with hall(wire_public="yes") as here:
        await here.seat("tic_tac_toe")
        connection = next(each for each in here.server.connections if each.seat == 0)
        tail = tail_of(connection)
        assert tail is not None
        assert tail.public
        assert ">> REQ_HANDSHAKE" in shown(tail)
        with looked_at(connection):
            pass
        assert tail_of(connection) is tail
    assert Bogaprot.name in shown(tail)
