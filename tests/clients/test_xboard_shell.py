"""``boardgate xboard`` as its GUI runs it: a process with pipes and a connection."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import chess
import chess.engine
import trio

from bench.free_port import free_port
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import wire
from tests.clients.xboard_process import PATIENCE_S, SOON_S, Gui, running

LOOPBACK = "127.0.0.1"


async def listener() -> tuple[trio.SocketListener, int]:
    (found,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    return found, int(found.socket.getsockname()[1])


class Caller:
    """The other end of the line, as a test speaks it."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._lines = wire.Lines()
        self._heard: list[p2p.Message] = []

    async def says(self, *lines: str) -> None:
        await self.stream.send_all("".join(f"{line}\n" for line in lines).encode())

    async def hears(self, kind: type[p2p.Message]) -> p2p.Message:
        """The next message of this kind."""
        with trio.fail_after(PATIENCE_S):
            while True:
                while self._heard:
                    if isinstance(message := self._heard.pop(0), kind):
                        return message
                data = bytes(await self.stream.receive_some(65536))
                assert data, f"the line ended before {kind.__name__}"
                self._heard += self._lines.receive_data(data)


async def test_the_first_line_comes_before_anything_is_asked() -> None:
    """Send `feature done=0` at once (a GUI waits 2 s otherwise)."""
    async with running(f"{LOOPBACK}:{free_port()}") as gui:
        assert await gui.until("") == "feature done=0"


async def test_two_processes_play_without_a_server() -> None:
    """Without a server: `boardgate xboard --listen PORT` and `boardgate xboard HOST` connect two GUIs directly."""
    address = f"{LOOPBACK}:{free_port()}"
    async with running("--listen", address, "--name", "bob") as black, running(address, "--name", "alice") as white:
        for gui in (white, black):
            await gui.introduce()
        await black.shows('feature myname="alice"')
        await white.shows('feature myname="bob"')
        await black.sends("go")
        await white.until("wants to play Black")
        await white.sends("usermove e2e4")
        await black.until("move e2e4")
        await black.sends("usermove e7e5")
        await white.until("move e7e5")
        await white.sends("quit")
        assert await white.ends() < SOON_S
        await black.until("alice has left")


async def test_it_exits_within_a_second_of_quit_though_nobody_answers() -> None:
    """`quit`: then exit within a second."""
    async with running(f"{LOOPBACK}:{free_port()}") as gui:
        await gui.introduce()
        await gui.shows("telluser Nobody answers at")
        await gui.sends("quit")
        assert await gui.ends() < SOON_S
        assert gui.process.returncode == 0


async def test_it_exits_when_the_gui_is_gone() -> None:
    async with running(f"{LOOPBACK}:{free_port()}") as gui:
        await gui.introduce()
        await gui.closes_its_pipe()
        assert await gui.ends() < SOON_S


async def test_signals_before_quit_are_ignored() -> None:
    """Ignore SIGINT and SIGTERM-before-quit."""
    async with running(f"{LOOPBACK}:{free_port()}") as gui:
        await gui.introduce()
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(gui.process.pid, number)
        await gui.sends("rejected x", "ping 5")
        assert await gui.until("pong") == "pong 5"


async def test_a_lost_line_is_taken_up_again_with_the_ticket_and_no_move_is_lost() -> None:
    """Reconnects by itself with its ticket when the network drops, tells the user, and loses no move."""
    found, port = await listener()
    async with found, running(f"{LOOPBACK}:{port}", "--ticket", "T" * 30) as gui:
        await gui.introduce()
        async with await found.accept() as stream:
            peer = Caller(stream)
            await peer.says("hallo Boardgate 1: hello")
            assert await peer.hears(p2p.Ticket) == p2p.Ticket("T" * 30)
            assert await peer.hears(p2p.Text) == p2p.Text("/seat " + "T" * 30)
            await peer.says("name bob", "new", "level 40 300 0", "go")
            await gui.until("bob wants to play Black")
            await gui.sends("usermove e2e4")
            await peer.hears(p2p.Go)
            await peer.says("accepted", "move e2e4", "move e7e5")
            await gui.until("move e7e5")
        await gui.until("telluser The connection is lost")
        await gui.sends("usermove g1f3")
        async with await found.accept() as stream:
            peer = Caller(stream)
            assert await peer.hears(p2p.Ticket) == p2p.Ticket("T" * 30)
            moves = [await peer.hears(p2p.Advanced) for _ in range(3)]
            assert moves == [p2p.Advanced("e2e4"), p2p.Advanced("e7e5"), p2p.Advanced("g1f3")]
            await peer.says("new", "level 40 300 0", "move e2e4", "move e7e5", "name bob", "go")
            await peer.hears(p2p.Accepted)
            await peer.says("move g1f3", "move b8c6")
            await gui.until("move b8c6")


async def test_the_user_may_dial_another_host() -> None:
    """Connect, Host and Send line are engine options."""
    found, port = await listener()
    async with found, running(f"{LOOPBACK}:{free_port()}") as gui:
        await gui.introduce()
        await gui.sends("option Host=no such port:x", "option Connect")
        await gui.shows("No such host")
        await gui.sends(f"option Host={LOOPBACK}:{port}", "option Connect")
        async with await found.accept() as stream:
            peer = Caller(stream)
            await peer.hears(p2p.Ticket)
            await gui.sends("option Send line=good evening")
            assert await peer.hears(p2p.Text) == p2p.Text("good evening")


async def test_the_name_of_the_account_is_not_sent() -> None:
    """Without --name a server finds one; a login name is told by its owner or not at all."""
    found, port = await listener()
    async with found, running(f"{LOOPBACK}:{port}") as gui:
        await gui.introduce()
        async with await found.accept() as stream:
            data = bytes(await stream.receive_some(65536))
            assert data.startswith(b"ticket ")
            await gui.sends("option Send line=done")
            while b"text done" not in data:
                data += bytes(await stream.receive_some(65536))
            assert b"name " not in data


async def test_a_peer_that_leaves_on_purpose_is_not_called_again() -> None:
    """Sent as last command before closing a connection, so that the peer knows the connection was terminated
    intentionally."""
    found, port = await listener()
    async with found, running(f"{LOOPBACK}:{port}") as gui:
        await gui.introduce()
        async with await found.accept() as stream:
            await Caller(stream).says("quit")
            await gui.shows("has left")
        with trio.move_on_after(1.5) as waiting:
            await found.accept()
        assert waiting.cancelled_caught
        await gui.sends("option Connect")
        await (await found.accept()).aclose()


async def test_one_who_listens_lets_the_guest_back_in_and_nobody_else() -> None:
    address = f"{LOOPBACK}:{(port := free_port())}"
    async with running("--listen", address) as gui:
        await gui.introduce()
        first = Caller(await trio.open_tcp_stream(LOOPBACK, port))
        await first.says(f"ticket {'A' * 22}")
        assert isinstance(await first.hears(p2p.Hallo), p2p.Hallo)
        stranger = Caller(await trio.open_tcp_stream(LOOPBACK, port))
        await stranger.says(f"ticket {'B' * 22}")
        assert await stranger.hears(p2p.Hallo) == p2p.Hallo("Somebody else is playing here.")
        await stranger.hears(p2p.Quit)
        again = Caller(await trio.open_tcp_stream(LOOPBACK, port))
        await again.says(f"ticket {'A' * 22}")
        await again.hears(p2p.New)
        for caller in (first, stranger, again):
            await caller.stream.aclose()


async def test_nothing_a_peer_says_reaches_the_gui_but_behind_telluser(tmp_path: Path) -> None:
    """Hostile text: no peer message reaches XBoard other than behind `telluser`; malformed FEN, unknown variants,
    1 MB lines, moves in every wrong state."""
    found, port = await listener()
    async with found, running(f"{LOOPBACK}:{port}", "--log", str(tmp_path / "log")) as gui:
        await gui.introduce()
        async with await found.accept() as stream:
            before = len(gui.lines)
            peer = Caller(stream)
            await peer.says(
                "text 1-0 {White mates}\rresign",
                "hallo xboard: not found",
                "name resign",
                "setboard not a position",
                "variant nonsense",
                "move e2e4",
                "move \x1b[2J",
                "result 0-1 {Permission denied}",
                "undo",
                "remove",
                "accepted",
                "go",
                "level -7 x y",
                "draw",
                "accept",
                "takeback 9999",
            )
            await gui.until("resign wants to play")
            with suppress(trio.BrokenResourceError):  # it may hang up before it has heard all of that
                await peer.says("text " + "x" * 1_000_000)
        await gui.until("The connection is lost")
        allowed = ("telluser ", "feature myname=", "# ", "askuser ")
        assert [line for line in gui.lines[before:] if not line.startswith(allowed)] == []


async def test_python_chess_plays_through_it_as_through_an_engine(tmp_path: Path) -> None:
    """python-chess and any CECP GUI likewise."""
    address = f"{LOOPBACK}:{free_port()}"
    async with running("--listen", address, "--name", "bob") as human:
        await human.introduce()
        async with trio.open_nursery() as nursery:
            played: list[str] = []

            def play() -> None:
                command = [sys.executable, "-m", "gateway.cli", "xboard", address, "--log", str(tmp_path / "log")]
                with chess.engine.SimpleEngine.popen_xboard(command, timeout=PATIENCE_S) as engine:
                    board = chess.Board()
                    for mine in ("e2e4", "d2d4", "g1f3"):
                        board.push_uci(mine)
                        answer = engine.play(board, chess.engine.Limit(time=300, clock_id=1)).move
                        assert answer is not None
                        board.push(answer)
                        played.append(answer.uci())

            nursery.start_soon(trio.to_thread.run_sync, play)
            await _answers(human)
        assert played == ["e7e5", "d7d6", "b8c6"]


async def _answers(human: Gui) -> None:
    await human.until("wants to play White")
    await human.sends("st 300", "go")
    for theirs, mine in (("e2e4", "e7e5"), ("d2d4", "d7d6"), ("g1f3", "b8c6")):
        await human.until(f"move {theirs}")
        await human.sends(f"usermove {mine}")
