"""Plays the sessions that stand in docs/protocols against a running server: ``python -m tests.conformance.sessions``.

A session is a block of lines behind a fence of three backticks, "session" and the listeners that it needs:

    alice >> MSG_MOVE 0 40          a message of alice's program; what follows three blanks is a remark
    alice << RSP_MOVE 0             a message to it; a line that begins with three blanks belongs to the one before
    alice -- cut                    its connection ends without a word
    alice -- closed                 the server has closed it; "closed 1000": with a WebSocket's close frame of this code
    bob -- stored 2                 by what it said last so many events came into the record: no answer says that
    bob -- asks A until = B         it says A again until the answer is the line "= B", as GTP ends one
    bob -- connects to gtp-gui      a connection, the first one or another; without it the first message connects

Words of BOUND stand for the same text wherever they are, those of LOOSE for any text without blanks, and "..." for the
rest of a string. The messages of hex are bytes; the line behind them has the same in words. Messages to one program
come in this order; those to several may come in another. Run as a program it writes what the server says behind each
message of the named pages (all), and leaves a line as it is where that says the same.
"""

from __future__ import annotations

import re
import select
import socket
import sqlite3
import struct
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from gateway import registry
from protocols.core.opcode_codec import Wire as Reader
from protocols.core.opcode_dialect import OpcodeDialect
from protocols.core.release import VERSION
from tests.conformance.figures import until
from tests.conformance.servers import fast
from tests.documents import field_bytes
from tests.running import RECORD, RunningServer
from tests.web_client import PATIENCE_S, Closed, WebSocket

PAGES: Final = sorted((Path(__file__).parents[2] / "docs" / "protocols").glob("*.md"))

QUIET_S: Final = 0.8
"""Seconds without a message after which a recorded step has no more; nothing that is tested waits so."""

WIDEST: Final = 118
"""Columns of a line that is recorded."""

BOUND: Final = r"[A-Z]+S-TICKET"
LOOSE: Final = r"NOW|DATE|VERSION|MILLISECONDS|CENTISECONDS|SECONDS|DIGEST"

HIDDEN: Final = ("cache-control", "content-length", "content-type", "date", "x-content-type-options")
"""Headers of every answer."""

_BLOCK: Final = re.compile(r"^```session ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINE: Final = re.compile(r"(\w+) +(>>|<<|--)(?: (.*?))?(?: {3,}(.*))?")
_MOMENT: Final = re.compile(r'("(?:now|at|until)":)\d+\.\d+')
_HEX: Final = re.compile(r"[0-9a-f]{8}( [0-9a-f]{2,8})*")
_REQUEST: Final = re.compile(r"(?:GET|POST) /|\d{3}$|\d{3}\n")
_VARIED: Final = re.compile(rf"\b(?:(?P<bound>{BOUND})|(?:{LOOSE}))\b|\.\.\.")
_TOKEN: Final = re.compile(r"\b[0-9a-f]{64}\b|(?<![\w/-])[\w-]{24}(?![\w/-])", re.ASCII)


@dataclass(slots=True)
class Step:
    """One message or event of ``who``; ``shown`` are its lines in the page."""

    who: str
    sign: str
    text: str
    remark: str
    shown: list[str]


@dataclass(slots=True)
class Session:
    """``number`` counts the sessions of a page from 1, ``body`` is the text between its fences."""

    page: Path
    number: int
    listeners: list[str]
    body: str
    steps: list[Step] = field(default_factory=list)


def sessions(page: Path) -> list[Session]:
    """The sessions of a page. ValueError shows a line that cannot be read."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [
        Session(page, number, listeners.split(), body, list(_steps(body)))
        for number, (listeners, body) in enumerate(found, 1)
    ]


def _steps(body: str) -> Iterator[Step]:
    step: Step | None = None
    for line in body.splitlines():
        if step is not None and line.startswith("   "):
            step.shown.append(line)
            if _HEX.fullmatch(step.text):
                step.remark = line.strip()
            else:
                step.text += ("\n" if _REQUEST.match(step.text) else "") + line.strip()
            continue
        if step is not None:
            yield step
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"not a line of a session: {line!r}")
        step = Step(found[1], found[2], found[3] or "", found[4] or "", [line])
    if step is not None:
        yield step


class Wire(ABC):
    """One program's connection, whose messages are read and written as the page shows them."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    @abstractmethod
    def write(self, text: str) -> None: ...

    @abstractmethod
    def read(self) -> str:
        """The next message. Closed: the server has hung up."""

    def waits(self, limit_s: float) -> bool:
        """True if there is something to read within so many seconds."""
        return bool(select.select([self.sock], [], [], limit_s)[0])

    def cut(self) -> None:
        """As a line that is pulled: no end of the stream, but a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


class Lines(Wire):
    """Lines of text, whatever they end with; ``end`` is what the program's own end with."""

    def __init__(self, sock: socket.socket, end: str) -> None:
        super().__init__(sock)
        self._end = end

    def write(self, text: str) -> None:
        self.sock.sendall(f"{text}{self._end}".encode())

    def read(self) -> str:
        line = b""
        while not line.endswith(b"\n"):
            line += _taken(self.sock)
        return line.decode().rstrip("\r\n")


class Prompts(Lines):
    """Lines of a game server, between prompts that have no end; blank lines are not shown, blanks in a row are one."""

    _ENDS: ClassVar = re.compile(
        r"login: |password: \xff\xfb\x01|fics% |Press return to enter the server as \"\w+\":|Login: |Password: |#> "
    )

    def read(self) -> str:
        while True:
            line = ""
            while not line.endswith("\n") and not self._prompts(line):
                line += _taken(self.sock).decode("latin-1")
            if words := " ".join(re.sub(r"\xff..", "", line).split()):
                return words

    def _prompts(self, line: str) -> bool:
        return self._ENDS.fullmatch(line.lstrip("\r")) is not None


class Opcodes(Wire):
    """Numbered messages in the readable form, or in hex."""

    def __init__(self, sock: socket.socket, dialect: type[OpcodeDialect], options: dict[str, str]) -> None:
        super().__init__(sock)
        self._dialect = dialect
        self._options = options
        self._reader = Reader(dialect.codec(options), "client")
        self.raw = b""

    def write(self, text: str) -> None:
        self.sock.sendall(self.wire(*text.split("   ", 1)))

    def read(self) -> str:
        self.raw = b""
        while True:
            self.raw += (part := _taken(self.sock))
            if self._reader.receive_data(part):
                return self._words(self.raw, sent=True)
            assert not self._reader.error, self._reader.error

    def _words(self, data: bytes, *, sent: bool) -> str:
        return "; ".join(self._dialect.wire_to_text(data, sent=sent, options=self._options))

    def in_hex(self, words: str) -> str:
        """The message by the document's rule, and not by our codec."""
        name = words.partition(" ")[0]
        return field_bytes(next(shape.opcode for shape in self._dialect.protocol.shapes if shape.name == name), words)

    def wire(self, words: str, remark: str = "") -> bytes:
        """The bytes of a program's message. ValueError: hex that is not what its remark says."""
        if not _HEX.fullmatch(words):
            return self._dialect.text_to_wire([words], sent=False, options=self._options)
        if self.in_hex(remark) != words:
            raise ValueError(f"{remark} is not {words}")
        return bytes.fromhex(words)


class Frames(Wire):
    """The text messages of a WebSocket."""

    def __init__(self, port: int) -> None:
        self._socket = WebSocket(port)
        super().__init__(self._socket._sock)

    def write(self, text: str) -> None:
        self._socket.send(text.encode())

    def read(self) -> str:
        return self._socket.receive()[1].decode()

    def waits(self, limit_s: float) -> bool:
        return bool(self._socket._rest) or super().waits(limit_s)


class Requests(Wire):
    """Requests of HTTP, each with its path, its headers and perhaps a line of JSON, and answers with their status.

    Headers that every request of HTTP has, or answer, are not shown.
    """

    def write(self, text: str) -> None:
        request, *rest = text.split("\n")
        headers, body = [line for line in rest if line[0] != "{"], "".join(line for line in rest if line[0] == "{")
        if body:
            headers += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
        lines = [f"{request} HTTP/1.1", "Host: localhost", *headers, "", body]
        self.sock.sendall("\r\n".join(lines).encode())

    def read(self) -> str:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += _taken(self.sock)
        first, *headers = head.decode().strip().split("\r\n")
        named = {name.lower(): value for name, _, value in (line.partition(": ") for line in headers)}
        body = b"".join(_taken(self.sock) for _ in range(int(named["content-length"]))).decode()
        shown = [line for line in headers if line.partition(":")[0].lower() not in HIDDEN]
        return "\n".join([first.split()[1], *shown, *([body] if body else [])])


def _taken(sock: socket.socket) -> bytes:
    """One byte: how long a message is the next one shows."""
    try:
        part = sock.recv(1)
    except ConnectionError:
        part = b""
    if not part:
        raise Closed(None)
    return part


class Stage:
    """The programs of one session, connected to a server with its listeners, and what its words of BOUND stand for."""

    def __init__(self, session: Session, running: RunningServer) -> None:
        self._listeners, self._ports, self._record = session.listeners, running.ports, running.data / RECORD
        self._stored = 0
        self.in_hex = any(_HEX.fullmatch(step.text) for step in session.steps)
        self.wires: dict[str, Wire] = {}
        self.known: dict[str, str] = {}

    def connect(self, who: str, listener: str = "") -> Wire:
        at = self._listeners.index(listener) if listener else 0
        name, *given = self._listeners[at].split(",")
        dialect = registry.dialects()[name]
        if dialect.websocket:
            self.wires[who] = Frames(self._ports[at])
            return self.wires[who]
        sock = socket.create_connection(("127.0.0.1", self._ports[at]), PATIENCE_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if issubclass(dialect, OpcodeDialect):
            options = {key: value for key, _, value in (option.partition("=") for option in given)}
            self.wires[who] = Opcodes(sock, dialect, options)
        else:
            kind = Prompts if name in ("ics", "igs") else Lines
            self.wires[who] = Requests(sock) if dialect.http or dialect.carried else kind(sock, "\n")
        return self.wires[who]

    def do(self, step: Step) -> None:
        """Let a program connect, be cut off, or say something. KeyError: it has no connection."""
        if step.sign == "--" and step.text.startswith("connects"):
            self.connect(step.who, step.text.removeprefix("connects").strip().removeprefix("to "))
        elif step.sign == "--" and step.text == "cut":
            self.wires.pop(step.who).cut()
        elif step.sign == "--" and step.text.startswith("stored "):
            more = self._stored + int(step.text.removeprefix("stored "))
            until(self._events, lambda events: events >= more)
        elif step.sign == "--" and step.text.startswith("asks "):
            question, _, wanted = step.text.removeprefix("asks ").partition(" until ")
            until(partial(self._asked, step.who, question), lambda answer: answer == [wanted, ""])
        elif step.sign == ">>":
            self._stored = self._events()
            wire = self.wires[step.who] if step.who in self.wires else self.connect(step.who)
            text = f"{step.text}   {step.remark}" if _HEX.fullmatch(step.text) else step.text
            wire.write(re.sub(rf"\b({BOUND})\b", lambda found: self.known[found[1].replace("-", "_")], text))
        else:
            raise ValueError(f"nothing that a program does: {step.shown[0]!r}")

    def _asked(self, who: str, question: str) -> list[str]:
        wire = self.wires[who]
        wire.write(question)
        return [*iter(wire.read, ""), ""]

    def _events(self) -> int:
        with closing(sqlite3.connect(self._record)) as record:
            return int(record.execute("SELECT count(*) FROM events").fetchone()[0])

    def fits(self, shown: str, said: str) -> bool:
        """True if ``said`` is what the page shows; what its words stand for is known from then on."""
        found = re.fullmatch(self._pattern(shown), said, re.DOTALL)
        if found is not None:
            self.known |= found.groupdict()
        return found is not None

    def _pattern(self, shown: str) -> str:
        pattern, at, seen = "", 0, set(self.known)
        for found in _VARIED.finditer(shown):
            pattern += re.escape(shown[at : found.start()])
            at, name = found.end(), (found["bound"] or "").replace("-", "_")
            if name in self.known:
                pattern += re.escape(self.known[name])
            elif name:
                pattern += f"(?P={name})" if name in seen else rf"(?P<{name}>[\w-]+)"
                seen.add(name)
            else:
                pattern += ".*?" if found[0] == "..." else r"[^\s,\"}]+"
        return pattern + re.escape(shown[at:])

    def close(self) -> None:
        for wire in self.wires.values():
            wire.sock.close()


def serving(session: Session, data: Path) -> AbstractContextManager[RunningServer]:
    """A server for one session: what has no listener of its own is served over HTTP."""
    wanted = [(name, registry.dialects()[name.partition(",")[0]]) for name in session.listeners]
    return fast(data, *(name if dialect.public else "http" for name, dialect in wanted))


def play(session: Session, running: RunningServer) -> None:
    """Play it; AssertionError shows the first message that is another one than in the page."""
    stage = Stage(session, running)
    try:
        for step in session.steps:
            if step.sign == "<<" or step.text.startswith("closed"):
                _hear(stage, step)
            else:
                stage.do(step)
    finally:
        stage.close()


def _hear(stage: Stage, step: Step) -> None:
    wire = stage.wires[step.who] if step.who in stage.wires else stage.connect(step.who)
    said, end = _read(wire)
    if end:
        stage.wires.pop(step.who).sock.close()
        assert step.text == end, f"{step.shown[0]!r}, and the server has hung up: {end}"
        return
    assert step.sign == "<<", f"{step.shown[0]!r}, and the server says {said!r}"
    shown = step.text
    if isinstance(wire, Opcodes) and _HEX.fullmatch(shown):
        assert wire.raw == bytes.fromhex(shown), f"{step.shown[0]!r}, and the server says {wire.raw.hex(' ', 4)}"
        shown = step.remark
    assert stage.fits(shown, said), f"{step.shown[0]!r}, and the server says {said!r}"


def _read(wire: Wire) -> tuple[str, str]:
    """The next message; or "", and how the server has hung up."""
    try:
        return wire.read(), ""
    except Closed as closed:
        return "", "closed" if closed.code is None else f"closed {closed.code}"


def renewed(session: Session, running: RunningServer) -> str:
    """The session as the server plays it now, from what its programs do: waits a moment behind each step."""
    stage = Stage(session, running)
    lines: list[str] = []
    steps = list(session.steps)
    try:
        while steps:
            while steps and (steps[0].sign == "<<" or steps[0].text.startswith("closed")):
                steps.pop(0)
            if not steps:
                break
            step = steps.pop(0)
            stage.do(step)
            lines += step.shown
            known = _answers(steps)
            for who in sorted(stage.wires, key=lambda name: name != step.who):
                lines += _recorded(stage, who, known.get(who, []))
    finally:
        stage.close()
    return "".join(f"{line}\n" for line in lines)


def _answers(steps: Sequence[Step]) -> dict[str, list[Step]]:
    """The steps that programs are told before one of them acts again, by program."""
    found: dict[str, list[Step]] = {}
    for step in steps:
        if step.sign == "<<":
            found.setdefault(step.who, []).append(step)
        elif not step.text.startswith("closed"):
            break
    return found


def _recorded(stage: Stage, who: str, shown: list[Step]) -> Iterator[str]:
    wire = stage.wires[who]
    while wire.waits(QUIET_S):
        said, end = _read(wire)
        if end:
            yield f"{who} -- {end}"
            stage.wires.pop(who).sock.close()
            return
        step = shown.pop(0) if shown else None
        if isinstance(wire, Opcodes) and stage.in_hex:
            yield f"{who} << {wire.in_hex(said)}"
            yield f"         {said}"
        elif step is not None and stage.fits(step.text, said):
            yield from step.shown
        else:
            text = _TOKEN.sub(lambda found: "DIGEST" if len(found[0]) == 64 else f"{who.upper()}S-TICKET", said)
            text = _MOMENT.sub(r"\1NOW", text).replace(VERSION, "VERSION")
            stage.fits(text, said)
            yield from _laid_out(f"{who} << ", text)


def _laid_out(head: str, text: str) -> list[str]:
    """A message of several lines, or of JSON that is too long for one, with blanks before all lines but the first."""
    indent = " " * len(head)
    lines = text.split("\n")
    if len(head) + len(text) > WIDEST and text.startswith("{"):
        lines = [""]
        for part in re.split(r"(?<=,)(?! )", text):
            if lines[-1] and len(head) + len(lines[-1]) + len(part) > WIDEST:
                lines.append("")
            lines[-1] += part
    return [f"{head if at == 0 else indent}{line}".rstrip() for at, line in enumerate(lines)]


def main(pages: Sequence[Path]) -> None:
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for session in sessions(page):
            with tempfile.TemporaryDirectory() as data, serving(session, Path(data)) as running:
                text = text.replace(session.body, renewed(session, running))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or PAGES)
