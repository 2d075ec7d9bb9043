"""The dialect lichess-bot: the bot and board API of lichess.org, whose requests and streams HTTP carries.

    ARRIVED -> HERE, by "events": the event stream of a program, which has no seat
    ARRIVED -> SEATED, by "sit": a seat at a table, with the stream of its game

A connection is one or the other, as its first request says. Requests are served one after another: each waits until the
one before has been answered, however many come at once, and none is refused for coming too fast.

Source: the public API description of lichess.org; lichess-bot and berserk, as programs that speak it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.core import notifications as ntf
from protocols.core.commands import Command, Enter, Inquire, Leave
from protocols.core.dialect import Awaited, Connecting
from protocols.core.errors import RemoteProtocolError
from protocols.core.in_turn import InTurnDialect
from protocols.core.line_reader import LineReader
from protocols.lichess import events, objects, play, wire
from protocols.lichess.asked import Asked, Judge, Reply, at_once, refused
from protocols.lichess.events import Challenges
from protocols.lichess.play import Play
from protocols.lichess.wire import Line

ANSWERED: Final = "answered"
"""Stands behind each request: it is interpreted when the request has been answered."""

FAREWELL_S: Final = 30.0
"""Seconds that a program keeps its seat after a game, to say goodbye."""

LONGEST_PROGRAM: Final = 60
"""Characters of a program's own name."""


class Lichess(InTurnDialect[Line]):
    name = "lichess-bot"
    connecting = Connecting(
        "Programs of the lichess API",
        "They play chess here if their server can be set. The token is of an account that is a bot's. It is printed as "
        "the two lines that go into the config.yml of lichess-bot.",
        (
            ("Boardgate, for a token", "boardgate account token NAME --bot"),
            ("berserk for Python", 'berserk.Client(berserk.TokenSession("TOKEN"), base_url="{http}")'),
        ),
        untried=("lichess-bot", "lichess-api for Python"),
    )
    public = False
    plays = (objects.GAME,)
    patient = True
    hears_seeks = True
    carried = True

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        super().__init__(options)
        self._lines = LineReader(wire.LONGEST)
        self._asks: list[Command] = []
        self._challenges: Challenges | None = Challenges(self._queue.append, self._asks.append)
        """None where it has a seat."""
        self._here = False
        self._play: Play | None = None
        self._line = Line()
        self._judge: Judge | None = None
        self._engine = ""

    @property
    def program(self) -> str:
        return self._engine

    def prompted(self) -> list[Command]:
        commands, self._asks[:] = [*self._asks], []
        return commands + super().prompted()

    def _split(self, data: bytes) -> None:
        for raw in self._lines.receive_data(data):
            if raw is None:
                raise RemoteProtocolError(f"a line has at most {wire.LONGEST} bytes")
            line = wire.read(raw)
            self._held += [line, Line(line.number, ANSWERED)]

    def _end(self) -> list[Command]:
        self.closing = True
        return [Leave(lost=True)] if self._play is not None and self._play.seated else []

    def _hear(self, message: Line) -> list[Command]:
        if message.ask == ANSWERED:
            return self._answer()
        self._line = message
        asked = self._asked(message)
        self._judge = asked.judge
        return list(asked.commands)

    def _asked(self, line: Line) -> Asked:
        """The request in the state that the connection is in."""
        if line.ask == "events" and self._here and self._challenges is not None:
            return self._challenges.open(line)
        if line.ask in ("events", "sit"):
            return self._begin(line)
        if self._here and self._challenges is not None and (ask := events.ASKS.get(line.ask)) is not None:
            return ask(self._challenges, line)
        if self._play is not None:
            return self._asked_seated(self._play, line)
        return at_once(refused(f"no {line.ask[:20]!r} here"))

    def _begin(self, line: Line) -> Asked:
        if self._here or self._play is not None or self._challenges is None:
            return at_once(refused("this connection has begun already"))
        self._engine = line.program[:LONGEST_PROGRAM] if line.program.isprintable() else ""
        if line.ask == "sit":
            self._play, self.hears_talk = Play(self._queue.append, self._asks.append), True
            self._challenges = None
            return self._play.sit(line)
        self._here = self.stays = True
        opened = self._challenges.open(line)
        return Asked([Enter(), *opened.commands], opened.judge)

    def _asked_seated(self, play_: Play, line: Line) -> Asked:
        match line.ask:
            case "stream":
                return play_.stream(line, self.heard)
            case "now":
                return play_.current(self.heard)
            case "start":
                return play_.again(self.heard)
            case "look":
                return at_once(Reply(wire.OK))
        ask = play.ASKS.get(line.ask)
        return at_once(refused(f"no {line.ask[:20]!r} here")) if ask is None else ask(play_, line)

    def _answer(self) -> list[Command]:
        """All that the request has asked for has been answered, or refused."""
        self._reply(None)
        if self._play is not None and (self._play.left or not self._play.seated):
            self.closing = True
            return [Leave(lost=self._play.seen.started)] if self._play.seated else []
        return []

    def _reply(self, refusal: ntf.Rejected | None) -> None:
        """Answer the request that is served, if it has no answer yet."""
        judge, self._judge = self._judge, None
        if judge is None:
            return
        reply = judge(refusal)
        if self._line.number:
            self._queue.append(wire.answer(self._line.number, reply.body, reply.status, reply.play))

    @property
    def awaiting(self) -> Awaited | None:
        over = self._play is not None and self._play.seated and self._play.seen.outcome is not None
        return Awaited(1, "the end of a talk", FAREWELL_S) if over else None

    def late(self) -> list[Command]:
        self.closing = True
        return [Leave()]

    def send(self, message: ntf.Notification) -> None:
        if self.closing:
            return
        match message:
            case ntf.Displaced():
                self.closing = True
            case ntf.Rejected():
                self._reply(message)
            case _ if self._challenges is not None:
                self._send_here(self._challenges, message)
            case ntf.Seated() if self._play is not None:
                self._play.sat_down(message)
            case _ if self._play is not None and self._play.seated:
                self._play.told(message)
        if self._play is not None and self._play.left and self._judge is None:
            self.closing = True

    def _send_here(self, challenges: Challenges, message: ntf.Notification) -> None:
        match message:
            case ntf.Named():
                challenges.name = message.name
            case ntf.Noticed():
                challenges.noticed(message)
            case ntf.Called():
                if (line := challenges.called(message)) is not None:
                    self._queue.append(wire.write(line))
            case ntf.Answered(topic="offers", offers=None):
                if message.again is not None:
                    challenges.again(*message.again)
                self._prompted.append(Inquire("offers"))
            case ntf.Answered(topic="offers") if message.offers is not None:
                challenges.offers(message.offers)
