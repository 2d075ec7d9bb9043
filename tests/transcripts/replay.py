"""Read a transcript, replay it through a real dialect, write it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from gateway import registry
from protocols.core import transcript
from protocols.core.commands import Command
from protocols.core.dialect import Dialect
from protocols.core.errors import RemoteProtocolError
from protocols.core.notifications import Aside, Notification
from protocols.core.text import read

HERE = Path(__file__).parent
COVERS = frozenset(("eof-inside", "refusal", "pass", "end", "first-square", "last-square", "both-sides", "wrong-state"))
"""What every dialect's transcripts hold between them: an end of file inside a message, a refused move, a pass, the
end of a game, a move on the first and on the last square, moves of both sides, a message in the wrong state."""

GENERATED = (transcript.COMMAND, transcript.BROKEN, transcript.WIRE_OUT, transcript.CLOSING)

Split = Callable[[bytes], list[bytes]]
"""The parts of a piece of input as they arrive, in order, none of them empty."""


@dataclass(slots=True)
class Step:
    """One input: bytes that arrive (b"": the peer closed), what is told, or (neither) that everything is answered.

    ``lines`` are the file's own for it. ``held``: the bytes came before what was asked had been answered.
    """

    lines: list[str]
    wire: bytes | None = None
    told: str = ""
    held: bool = False


@dataclass(slots=True)
class Script:
    """The kept parts of a transcript: the listener's options, then steps with the lines between them."""

    options: dict[str, str]
    parts: list[str | Step]

    def steps(self) -> Iterator[Step]:
        return (part for part in self.parts if isinstance(part, Step))


@dataclass(slots=True)
class Reply:
    """The output of one input. ``broken`` is the peer's protocol error, or None."""

    commands: list[Command] = field(default_factory=list)
    broken: str | None = None
    wire: bytes = b""
    closing: bool = False


def files(dialect: str = "*") -> list[Path]:
    """The transcripts of a dialect, or of all, by name."""
    return sorted(HERE.glob(f"{dialect}/*.txt"))


def spoken(path: Path) -> type[Dialect]:
    """The dialect whose folder ``path`` lies in. ValueError when there is none of that name."""
    found = registry.dialects().get(path.parent.name)
    if found is None:
        raise ValueError(f"no dialect {path.parent.name!r} is installed")
    return found


def whole(data: bytes) -> list[bytes]:
    return [data]


def by(size: int) -> Split:
    """Parts of ``size`` bytes."""
    return lambda data: [data[at : at + size] for at in range(0, len(data), size)]


def parse(dialect: type[Dialect], text: str) -> Script:
    """Read the kept parts of a transcript. ValueError shows the line that cannot be read."""
    kept = [line for line in text.splitlines() if not line.startswith(GENERATED)]
    pairs = (line[1:].strip().partition("=") for line in kept if line.startswith(transcript.OPTION))
    script = Script({key: value for key, _, value in pairs}, [])
    while kept:
        script.parts.append(_part(dialect, script.options, kept))
    return script


def _part(dialect: type[Dialect], options: dict[str, str], lines: list[str]) -> str | Step:
    """Take the next part off ``lines``."""
    if lines[0].startswith(transcript.TOLD):
        line = lines.pop(0)
        return Step([line], told=line[2:].strip())
    if lines[0].strip() == transcript.RESUMED:
        return Step([lines.pop(0)])
    prefix = lines[0][:2]
    if prefix not in (transcript.WIRE_IN, transcript.WIRE_HELD):
        return _kept(lines.pop(0))
    held, eof = prefix == transcript.WIRE_HELD, f"{prefix} {transcript.EOF}"
    if lines[0].strip() == eof:
        return Step([lines.pop(0)], wire=b"", held=held)
    run = list(takewhile(lambda line: line.startswith(prefix) and line != eof, lines))
    del lines[: len(run)]
    wire = dialect.text_to_wire([line[3:] for line in run], sent=False, options=options)
    if not wire:
        raise ValueError(f"no bytes at all: {run[0]!r}; the end of the input is written {transcript.eof()!r}")
    return Step(run, wire=wire, held=held)


def _kept(line: str) -> str:
    if line and not line.startswith((transcript.REMARK, transcript.OPTION)):
        raise ValueError(f"not a line of a transcript: {line!r}")
    return line


def replay(dialect: type[Dialect], script: Script, split: Split = whole) -> list[Reply]:
    """Return the output of connecting, then of each step. ValueError: the script goes on after a protocol error."""
    peer = dialect(script.options)
    replies = [Reply(peer.connected(), None, drained(peer), peer.closing)]
    for step in script.steps():
        if step.told:
            aside = tell(peer, read(step.told))
            replies.append(Reply(peer.prompted(), None, drained(peer) + aside, peer.closing))
        elif any(reply.broken is not None for reply in replies):
            raise ValueError(f"nothing is read after the protocol is broken, but here is {step.lines[0]!r}")
        elif step.wire is None:
            replies.append(resumed(peer))
        elif peer.held and not step.held:
            raise ValueError(f"messages wait: write {transcript.RESUMED!r} before {step.lines[0]!r}")
        else:
            replies.append(arrive(peer, split(step.wire) if step.wire else [b""], held=step.held))
    return replies


def tell(peer: Dialect, message: Notification | Aside) -> bytes:
    """Tell a connection's end; what it says of a table that is watched aside."""
    if isinstance(message, Aside):
        return peer.send_aside(message.table, message.messages, message.seq)
    peer.send(message)
    return b""


def arrive(peer: Dialect, parts: list[bytes], *, held: bool = False) -> Reply:
    """What comes of bytes that arrive in these parts; what is to be sent is taken after each.

    ``held``: something that was asked before them has not been answered.
    """
    reply = Reply()
    try:
        for part in parts:
            if held or (peer.in_turn and reply.commands):
                peer.hold(part)
            else:
                reply.commands += peer.receive_data(part)
            reply.wire += drained(peer)
    except RemoteProtocolError as error:
        reply.broken = str(error)
    reply.wire += drained(peer)
    reply.closing = peer.closing
    return reply


def resumed(peer: Dialect) -> Reply:
    """Return the output of held input after every command was answered."""
    reply = Reply()
    try:
        reply.commands = peer.resume()
    except RemoteProtocolError as error:
        reply.broken = str(error)
    reply.wire, reply.closing = drained(peer), peer.closing
    return reply


def drained(peer: Dialect) -> bytes:
    """Everything queued."""
    return b"".join(iter(peer.data_to_send, b""))


def write(dialect: type[Dialect], text: str) -> str:
    """The transcript as the dialect is now. ValueError for what cannot be read."""
    script = parse(dialect, text)
    replies = iter(replay(dialect, script))
    first = next(replies)
    told_closing = False
    lines: list[str] = []

    def shown(reply: Reply) -> None:
        nonlocal told_closing
        lines.extend(transcript.command(command) for command in reply.commands)
        lines.extend([transcript.broken(reply.broken)] if reply.broken is not None else [])
        lines.extend(transcript.wire_out(dialect.wire_to_text(reply.wire, sent=True, options=script.options)))
        lines.extend([transcript.CLOSING] if reply.closing and not told_closing else [])
        told_closing = reply.closing

    head = _head(script)
    for index, part in enumerate(script.parts):
        if index == head:
            shown(first)
        if isinstance(part, str):
            lines.append(part)
        else:
            lines.extend(part.lines)
            shown(next(replies))
    if head == len(script.parts):
        shown(first)
    return "\n".join(lines) + "\n"


def _head(script: Script) -> int:
    """Return the number of parts at the top: remarks and options, to the last option."""
    options = [at for at, part in enumerate(script.parts) if isinstance(part, str) and part.startswith("@")]
    first_step = next((at for at, part in enumerate(script.parts) if isinstance(part, Step)), len(script.parts))
    if options and options[-1] > first_step:
        raise ValueError(f"options stand at the top: {script.parts[options[-1]]!r}")
    return options[-1] + 1 if options else 0


def covered(text: str, word: str = "covers") -> set[str]:
    """The words a transcript's remarks claim; ``word`` "lacks" gives those a dialect cannot have, without reasons."""
    found: set[str] = set()
    for line in text.splitlines():
        if line.startswith(f"# {word}:"):
            names = line.partition(":")[2].partition(" - ")[0]
            found |= {name.strip() for name in names.split(",")}
    return found
