"""The commands of docs/api.md are answered as it shows, in their order."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.hall import Guest
from tests.web.club import Club, club
from tests.web.serving import connect
from tests.web.test_api_stream import Source

DOCUMENT = Path(__file__).parents[2] / "docs" / "api.md"

HOST = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Shown:
    """A command and what it is said to be answered with."""

    command: str
    answer: str

    @property
    def asked(self) -> tuple[str, object, str, str, bool]:
        """Path, body (None: GET), the method where it is another one, Authorization, and whether a stream answers."""
        words = shlex.split(self.command)[1:]
        body, method, auth, target, streams = None, "", "", "", False
        while words:
            match words.pop(0):
                case "--json":
                    body = json.loads(words.pop(0))
                case "-H":
                    auth = words.pop(0).removeprefix("Authorization: ")
                case "-X":
                    method = words.pop(0)
                case "-N":
                    streams = True
                case url:
                    target = url.removeprefix(HOST)
        return target, body, method, auth, streams

    def fits(self, answer: str) -> bool:
        """``…`` stands for anything."""
        pattern = ".*?".join(re.escape(part) for part in self.answer.split("…"))
        return re.fullmatch(pattern, answer, re.DOTALL) is not None


def commands() -> Iterator[Shown]:
    for block in re.findall(r"^```\n(curl .*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for part in re.split(r"\n\n(?=curl )", block):
            command, _, answer = part.partition("\n")
            yield Shown(command, answer.rstrip())


def written(body: object) -> str:
    return json.dumps(body, ensure_ascii=False)


async def streamed(here: Club, path: str, auth: str, blocks: int) -> str:
    """The first blocks of a stream, their JSON written as the document does."""
    async with await connect(here.port) as tcp:
        stream = Source(tcp)
        await stream.ask(path, *([("Authorization", auth)] if auth else []))
        found = [await stream.block() or [] for _ in range(blocks)]
    lines = [
        re.sub(r"[\[{].*[\]}]", lambda whole: written(json.loads(whole[0])), line)
        for part in found
        for line in (*part, "")
    ]
    return "\n".join(lines).rstrip()


async def test_every_command_is_answered_as_shown(tmp_path: Path) -> None:
    shown = list(commands())
    assert len(shown) == 14
    async with club(tmp_path) as here:
        tickets: list[str] = []
        guests: list[Guest] = []
        line = ""
        for written_down in shown:
            command = written_down.command.replace(" LINE'", f" {line}'")
            for seat, ticket in enumerate(tickets):
                command = command.replace(f"TICKET{seat}", ticket)
            one = Shown(command, written_down.answer)
            path, body, method, auth, streams = one.asked
            if streams:
                answer = await streamed(here, path, auth, one.answer.count("\n\n") + 1)
            else:
                told = (await here.ask(path, body, auth=auth, method=method)).body
                answer = written(told) if told else ""
                line = told["line"] if path == "/api/lines" else line
            assert one.fits(answer), f"{one.command}\n{answer}\ninstead of\n{one.answer}"
            if not tickets:
                tickets = told["tickets"]
                for ticket in tickets:
                    guests.append(here.hall.dial())
                    await guests[-1].joins(f"tic_tac_toe#{ticket}")
                await here.hall.until(lambda: here.hall.state(1).turn == 0)
