"""Connections of programs of the lichess API: their requests, numbered, and the streams that they tell.

A program's event stream is a connection without a seat, each of its games one with a seat, like any other client's. The
other end of each is a mailbox. A seat is left as lost when its program has neither its game's stream open nor an event
stream. Routes and bodies are lichess.py's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final

import msgspec
import trio

from gateway.ops.server import GameServer
from gateway.sessions.listener import EntryPoint
from gateway.sessions.mailbox import Mailbox
from gateway.table.state import State, Status
from gateway.web.lichess_stream import Stream
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from protocols.lichess import objects
from protocols.lichess.dialect import Lichess
from protocols.lichess.wire import Tree, refusal

ANSWER_S: Final = 15.0
"""Seconds for an answer of a connection: its table stores what is asked first."""

AWAY_S: Final = 10.0
"""Seconds without a stream, until a seat's player is away, or is told of its running game again."""

UNHEARD_S: Final = 120.0
"""Seconds that a program's challenges stand while it has no event stream."""

LOOKS: Final = 15
LOOK_S: Final = 2.0
"""Looks at the seats of an account whose program has come, and seconds between two: a server that begins anew knows who
is gone only when it looks after the table."""

MOST_GAMES: Final = 100
"""Games of an account that its program is told of when its event stream opens, the newest."""

NO_ANSWER: Final = "the server does not answer just now"
FULL: Final = "too many requests wait"

Answer = tuple[int, Any, Tree | None]
"""A status, a body, and where a game is to be taken up."""


class Line:
    """One connection of a program: ``told`` is given what its streams tell, ``ended`` is called when it is closed."""

    def __init__(self, told: Callable[[Line, Tree, bytes], None], ended: Callable[[Line], None]) -> None:
        self.mailbox = Mailbox(self._said, self._closed)
        self.stream: Stream | None = None
        self._told = told
        self._ended = ended
        self._rest = b""
        self.streamed = False
        self._numbers = 0
        self._waits: dict[int, Callable[[Answer], None]] = {}

    @property
    def streaming(self) -> bool:
        """True while a stream is open."""
        return self.stream is not None and self.stream.open

    @property
    def held(self) -> bool:
        """True while its program holds a request of it open."""
        return self.streaming

    def say(self, ask: str, **more: Any) -> bool:
        """Put in a request whose answer nobody awaits; False: it has no room."""
        return self.mailbox.put(msgspec.json.encode({"ask": ask, **more}) + b"\n")

    async def ask(self, ask: str, **more: Any) -> Answer:
        """The answer to a request."""
        self._numbers += 1
        number, found = self._numbers, []
        come = trio.Event()

        def answered(answer: Answer) -> None:
            found.append(answer)
            come.set()

        self._waits[number] = answered
        if not self.say(ask, request=number, **more):
            self._waits.pop(number, None)
            return 400, refusal(FULL), None
        with trio.move_on_after(ANSWER_S):
            await come.wait()
        self._waits.pop(number, None)
        return found[0] if found else (503, refusal(NO_ANSWER), None)

    def still(self) -> None:
        """The program is there. A stream of a connection that has ended ends, too."""
        if not self.say("look"):
            self.replace(None)

    def replace(self, stream: Stream | None) -> None:
        """Another stream takes the place of the one before, which ends."""
        before, self.stream = self.stream, stream
        self.streamed = self.streamed or stream is not None
        if before is not None:
            before.close()

    def _said(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            tree = msgspec.json.decode(line)
            number = tree.get("request")
            if number is None:
                self._told(self, tree, line + b"\n")
            elif (answered := self._waits.pop(number, None)) is not None:
                answered((tree["status"], tree["body"], tree.get("play")))

    def _closed(self) -> None:
        self.replace(None)
        for answered in self._waits.values():
            answered((503, refusal(NO_ANSWER), None))
        self._waits.clear()
        self._ended(self)


class Program:
    """The account of a program, and how it names itself. ``key`` tells its token from others of the account."""

    def __init__(self, account: str, key: bytes, *, bot: bool, agent: str, address: str) -> None:
        self.account = account
        self.folded = account.casefold()
        self.key = key
        self.bot = bot
        self.agent = agent
        self.engine = _engine(agent) if bot else ""
        self.address = address

    def who(self) -> Tree:
        """The fields by which its connections know it."""
        return {"bot": self.bot, "program": self.engine, "at": int(time.time() * 1000)}


class Game(Line):
    """A seat of ``account``. ``id`` is its game's, "" while none has begun; ``seated`` is set when the seat was asked
    for."""

    def __init__(self, account: str, told: Callable[[Line, Tree, bytes], None], ended: Callable[[Line], None]) -> None:
        super().__init__(told, ended)
        self.account = account
        self.table = 0
        self.id = ""
        self.over = False
        self.asked = trio.Event()


class Here(Line):
    """A program that is here without a seat. ``seeks`` are the requests, by mark, that hold seeks of it open; ``taken``
    the marks of those of which a game may come, by table."""

    def __init__(
        self, program: Program, told: Callable[[Line, Tree, bytes], None], ended: Callable[[Line], None]
    ) -> None:
        super().__init__(told, ended)
        self.program = program
        self.seeks: dict[str, Stream] = {}
        self.taken: dict[int, str] = {}

    @property
    def held(self) -> bool:
        return self.streaming or bool(self.seeks)

    def ends(self, mark: str) -> None:
        """A seek stands no more. Idempotent."""
        if (stream := self.seeks.pop(mark, None)) is not None:
            stream.close()


class Programs:
    """The connections of all programs of one server."""

    def __init__(self, server: GameServer) -> None:
        self._server = server
        self._entrance = EntryPoint(Lichess, {}, server.house_rules)
        server.rereads(self._entrance)
        self._here: dict[tuple[str, bytes], Here] = {}
        self._games: dict[tuple[str, int], Game] = {}
        self._marks = 0

    def games(self, account: str) -> list[Game]:
        """The seats of an account."""
        return [game for game in self._games.values() if game.account == account.casefold()]

    def _listens(self, account: str) -> list[Here]:
        """The open event streams of an account."""
        return [here for (name, _), here in self._here.items() if name == account and here.streaming]

    def events(self, program: Program) -> Stream:
        """The event stream of a program: challenges that stand, and games that are played. An older one ends."""
        here = self.here(program)
        stream = Stream(here.still, lambda stream: self._ends(here, stream))
        here.replace(stream)
        here.say("events", **program.who())
        self._server.background.start_soon(self._resume, program)
        return stream

    def here(self, program: Program) -> Here:
        """The connection of a program without a seat. Refused: there is no room just now."""
        key = program.folded, program.key
        here = self._here.get(key)
        if here is None or not here.mailbox.open:
            here = self._here[key] = Here(program, self._told_here, self._gone_here)
            self._enter(here, program)
            here.say("events", **program.who())
            self._server.background.start_soon(self._forget, here, UNHEARD_S)
        return here

    async def seek(self, program: Program, **asked: Any) -> Answer | Stream:
        """Seek an opponent among all who are here, as long as the stream is open; or the answer that refuses."""
        here = self.here(program)
        self._marks += 1
        mark = str(self._marks)
        stream = here.seeks[mark] = Stream(here.still, lambda _: self._unseek(here, mark))
        begun = False
        try:
            status, body, play = await here.ask("seek", text=mark, **asked)
            if status == HTTPStatus.OK and play is not None:
                here.taken |= {play["table"]: mark} if "table" in play else {}
                status, body, _ = await self.take_up(program, play)
                if "table" not in play:
                    here.ends(mark)
            begun = status == HTTPStatus.OK
        finally:
            if not begun:
                self._unseek(here, mark)
        return stream if begun else (status, body, None)

    def _unseek(self, here: Here, mark: str) -> None:
        """The request of a seek is over."""
        here.seeks.pop(mark, None)
        here.say("unseek", text=mark)
        self._server.background.start_soon(self._forget, here, AWAY_S)

    async def game(self, program: Program, table: int) -> Game | None:
        """The seat of a program's account at a table; None: it has none. Refused: it cannot be had just now."""
        game = self._games.get((program.folded, table))
        if game is None or not game.mailbox.open:
            game = self._sits(program, table)
            status, body, _ = await self._sit(program, game, table=table)
            if status == HTTPStatus.SERVICE_UNAVAILABLE:
                raise Refused(Why.OVERLOAD, body["error"])
        else:
            await game.asked.wait()
        return game if game.table else None

    async def take_up(self, program: Program, play: Tree) -> Answer:
        """Go to where a game comes of a challenge; the answer to who has accepted it."""
        if "table" in play:
            game = await self.game(program, play["table"])
            return (404, refusal(NO_ANSWER), None) if game is None else (200, {"ok": True}, None)
        return (await self._seated(program, seek=play["seek"]))[1]

    async def against(self, program: Program, **asked: Any) -> Answer:
        """The game with a house bot that begins."""
        game, answer = await self._seated(program, **asked)
        return answer if answer[0] != HTTPStatus.OK else await game.ask("now")

    async def _seated(self, program: Program, **where: Any) -> tuple[Game, Answer]:
        """A seat that the account had not before, if it could be had, and the answer."""
        game = Game(program.folded, self._told_game, self._gone_game)
        self._enter(game, program)
        answer = await self._sit(program, game, **where)
        if game.table:
            self._games[program.folded, game.table] = game
        return game, answer

    async def _lead(self, program: Program, play: Tree) -> None:
        """Another player has accepted the program's challenge."""
        taken = False
        with suppress(Refused):  # its next event stream tells the game
            taken = (await self.take_up(program, play))[0] == HTTPStatus.OK
        if not taken and "table" in play:
            self._settle(program.folded, play["table"])

    def _settle(self, account: str, table: int) -> None:
        """The game at a table has begun, or will not: no seek of the account waits for it."""
        for here in [here for (name, _), here in self._here.items() if name == account and table in here.taken]:
            here.say("settled", table=table)
            here.ends(here.taken.pop(table))

    def _sits(self, program: Program, table: int) -> Game:
        game = self._games[program.folded, table] = Game(program.folded, self._told_game, self._gone_game)
        self._enter(game, program)
        return game

    def _enter(self, line: Line, program: Program) -> None:
        """Let a connection in. Refused: there is no room, or the server only begins."""
        self._server.enter(self._entrance, line.mailbox, program.address, program.account)
        if not line.mailbox.open:
            raise Refused(Why.OVERLOAD, NO_ANSWER)

    async def _sit(self, program: Program, game: Game, **where: Any) -> Answer:
        status, body, _ = await game.ask("sit", **where, **program.who())
        if status == 200:
            game.table = body["table"]
            self._server.background.start_soon(self._forget, game, AWAY_S)
        game.asked.set()
        return status, body, None

    def open(self, game: Game) -> Stream:
        """A new stream of a game, which takes the place of an older one."""
        stream = Stream(game.still, lambda stream: self._ends(game, stream))
        game.replace(stream)
        return stream

    async def _resume(self, program: Program) -> None:
        """Tell a program of its games whose streams are not open, and sit down where its seat is kept."""
        for game in self.games(program.account):
            if not game.streaming:
                game.say("start")
        await self._server.tables.recovery.until(lambda: False)
        for _ in range(LOOKS):
            tables = [table for table, _ in self._server.lobby.tables_of(program.account)[:MOST_GAMES]]
            others = [table for table in tables if (program.folded, table) not in self._games]
            if all([await self._takes(program, table) for table in others]) or not self._listens(program.folded):
                return
            await trio.sleep(LOOK_S)

    async def _takes(self, program: Program, table: int) -> bool:
        """Take the account's seat there, if it is kept; False: that is to be tried again."""
        try:
            return await self._is_kept(program, table) and await self.game(program, table) is not None
        except Refused:
            return False

    async def _is_kept(self, program: Program, table: int) -> bool:
        """True if a seat waits for the account at a table of chess, and its program would take it."""
        found = await self._server.tables.find(table)
        if found is None or not objects.carries(found.state.settings):
            return False
        state: State = found.state
        statuses = (Status.PLAYING, Status.ADJOURNED, Status.OPEN) if program.bot else (Status.PLAYING,)
        kept = (seat for seat in state.seats if seat.owner.casefold() == program.folded)
        return state.status in statuses and any(seat.kind is not SeatKind.PLAYER for seat in kept)

    def _told_here(self, line: Line, tree: Tree, raw: bytes) -> None:
        assert isinstance(line, Here)
        if "ended" in tree:
            line.ends(tree["ended"])
        elif "stands" in tree:
            line.taken = {table: mark for table, mark in line.taken.items() if mark != tree["stands"]}
        elif "taken" in tree:
            self._is_taken(line, tree["table"], tree["taken"])
        if "play" in tree:
            self._server.background.start_soon(self._lead, line.program, tree["play"])
        elif "type" in tree and line.stream is not None:
            line.stream.put(raw)

    def _is_taken(self, here: Here, table: int, mark: str) -> None:
        """A game may come of a seek, or has come of it already."""
        here.taken[table] = mark
        game = self._games.get((here.program.folded, table))
        if game is not None and game.id:
            self._settle(game.account, table)

    def _told_game(self, line: Line, tree: Tree, raw: bytes) -> None:
        assert isinstance(line, Game)
        kind = tree["type"]
        if kind not in ("gameStart", "gameFinish"):
            if line.stream is not None:
                line.stream.put(raw)
            return
        line.id, line.over = tree["game"]["id"], kind == "gameFinish"
        if (found := objects.table_of(line.id)) is not None:
            self._settle(line.account, found[0])
        for here in self._listens(line.account):
            assert here.stream is not None
            here.stream.put(raw)
        if line.over:
            line.replace(None)

    def _gone_here(self, line: Line) -> None:
        assert isinstance(line, Here)
        key = line.program.folded, line.program.key
        if self._here.get(key) is line:
            del self._here[key]
        for mark in list(line.seeks):
            line.ends(mark)

    def _gone_game(self, line: Line) -> None:
        assert isinstance(line, Game)
        line.asked.set()
        for key in [key for key, game in self._games.items() if game is line]:
            del self._games[key]
            self._settle(*key)

    def _ends(self, line: Line, stream: Stream) -> None:
        """A program has closed a stream, or it was closed for it."""
        if line.stream is not stream:
            return
        line.stream = None
        self._server.background.start_soon(self._forget, line, AWAY_S)
        if isinstance(line, Here):
            for game in self.games(line.program.account):
                self._server.background.start_soon(self._forget, game, AWAY_S)

    async def _forget(self, line: Line, after_s: float) -> None:
        """Close a connection that still has no stream then. A program that has left a game only is told it again."""
        before = line.stream
        await trio.sleep(after_s)
        if line.held or not line.mailbox.open:
            return
        if isinstance(line, Game) and self._listens(line.account):
            if before is None and not line.over and line.streamed:
                line.say("start")
        else:
            line.mailbox.leave()


def _engine(agent: str) -> str:
    """A program's name and version out of its User-Agent."""
    name, _, version = agent.split(" ", 1)[0].partition("/")
    shown = f"{name} {version}".strip()
    return shown[:60] if shown.isprintable() and shown else "bot"
