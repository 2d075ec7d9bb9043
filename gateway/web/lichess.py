"""The bot and board API of lichess.org at the root of HTTP listeners: routes, tokens and bodies.

What a request asks goes to the program's connection as a line (protocols/lichess), and what that answers is the body.
A refusal is ``{"error": text}``. No request is refused for coming too fast, for a program would let all its
games rest for a minute then: each waits for the one before. Source: the public API description of lichess.org.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.admission.authentication import Bearer
from gateway.config import LEVELS
from gateway.lobby.here import Person
from gateway.ops.server import GameServer
from gateway.record import played
from gateway.record.audit import NONSENSE
from gateway.store.views import TableView, stored
from gateway.web.lichess_export import exported
from gateway.web.lichess_lines import Answer, Game, Program, Programs
from gateway.web.lichess_passing import BODY_BYTES, Passing, Serve
from gateway.web.lichess_stream import Stream
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest, body_of, not_now, status_of
from gateway.web.sessions import address_of
from protocols.core.errors import Refused, Why
from protocols.core.model import DAY_S, Settings, TimeControl, TimeKind
from protocols.lichess import objects
from protocols.lichess.dialect import Lichess
from protocols.lichess.wire import OK, Tree, refusal

TOKENS: Final = 10
"""Tokens that one request tests at most."""

LONGEST_TOKEN: Final = 512

NAMES: Final = 100
"""Names that one request asks for at most."""

BOT: Final = "bot:play"
BOARD: Final = "board:play"
SEES: Final = (BOT, BOARD, "challenge:read", "challenge:write")
ASKS: Final = (BOT, BOARD, "challenge:write")
"""The scopes of a token for moves of bots, for those of people, for looking at challenges, and for making them."""

AI_LEVELS: Final = range(1, 9)
"""The levels of a house bot that a program may ask for."""

NO_GAME: Final = "no such game"
NO_STORE: Final = {"cache-control": "no-store"}

_CLOCKS: Final = {
    "bullet": TimeControl(TimeKind.ABSOLUTE, 60.0),
    "blitz": TimeControl(TimeKind.ABSOLUTE, 300.0),
    "rapid": TimeControl(TimeKind.ABSOLUTE, 900.0),
    "classical": TimeControl(TimeKind.ABSOLUTE, 1800.0),
    "correspondence": TimeControl(TimeKind.PER_MOVE, period_s=DAY_S),
}
"""A clock of each speed, for the rating of a player there."""

_YES: Final = ("yes", "true", "1")


class Wrong(Exception):
    """A request is refused: its status, and the text."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class LichessApi:
    """Answers for ``programs``, and reads finished games by ``reading``."""

    def __init__(self, server: GameServer, reading: Reading) -> None:
        server.metrics.expects(Lichess.name)
        self._server = server
        self._reading = reading
        self._programs = Programs(server)
        self._passing = Passing(server)

    def routes(self) -> list[Route]:
        """Every route of the API that is served here."""
        found = [
            Route("/api/token/test", _told(self.test), methods=["POST"]),
            self._route("/api/account", self.account),
            self._route("/api/account/playing", self.playing),
            self._route("/api/stream/event", self.events, "GET", *SEES),
            self._route("/api/bot/account/upgrade", self.upgrade, "POST", BOT),
            Route("/api/bot/online", _told(self.online), methods=["GET"]),
            Route("/api/users/status", _told(self.status), methods=["GET"]),
            Route("/api/user/{name}", _told(self.user), methods=["GET"]),
            self._route("/api/challenge", self.challenges, "GET", *SEES),
            self._route("/api/challenge/ai", self.against, "POST", *ASKS),
            self._route("/api/challenge/{name}", self.challenge, "POST", *ASKS),
            self._route("/api/round/{id}/add-time/{seconds:int}", self._asking("give"), "POST", *ASKS),
            self._route("/api/board/seek", self.seek, "POST", BOARD),
            Route("/game/export/{id}", _told(self.export), methods=["GET"]),
        ]
        found += [
            self._route(f"/api/challenge/{{id}}/{word}", self._answering(word), "POST", *ASKS)
            for word in ("accept", "decline", "cancel")
        ]
        for kind, scope in (("bot", BOT), ("board", BOARD)):
            found += self._of_game(f"/api/{kind}/game", scope)
        return found

    def _of_game(self, path: str, scope: str) -> list[Route]:
        return [
            self._route(f"{path}/stream/{{id}}", self.stream, "GET", scope),
            self._route(f"{path}/{{id}}/move/{{text}}", self._asking("move"), "POST", scope),
            self._route(f"{path}/{{id}}/draw/{{yes}}", self._asking("draw"), "POST", scope),
            self._route(f"{path}/{{id}}/takeback/{{yes}}", self._asking("takeback"), "POST", scope),
            self._route(f"{path}/{{id}}/resign", self._asking("resign"), "POST", scope),
            self._route(f"{path}/{{id}}/abort", self._asking("abort"), "POST", scope),
            self._route(f"{path}/{{id}}/claim-victory", self._asking("claim"), "POST", scope),
            self._route(f"{path}/{{id}}/claim-victory/", self._asking("claim"), "POST", scope),
            self._route(f"{path}/{{id}}/claim-draw", self._asking("draw_claim"), "POST", scope),
            self._route(f"{path}/{{id}}/chat", self.chat, "POST", scope),
            self._route(f"{path}/{{id}}/chat", self._asking("chats"), "GET", scope),
        ]

    def _route(self, path: str, serve: Serve, method: str = "GET", *scopes: str) -> Route:
        route = f"{method} {path}"
        self._passing.adds(route, _told(serve))

        async def answer(request: Request) -> Response:
            return await self._passing.answer(route, request, await self._program(request, scopes))

        return Route(path, _told(answer), methods=[method])

    async def _program(self, request: Request, scopes: tuple[str, ...]) -> Program:
        """The program whose token comes with a request. Wrong: it is none, or not good for this."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Wrong(HTTPStatus.UNAUTHORIZED, "send a token as Authorization: Bearer")
        bearer = await self._bearer(token.strip(), address_of(request))
        if bearer is None:
            raise Wrong(HTTPStatus.UNAUTHORIZED, "this token is unknown here, or has been revoked")
        if scopes and not bearer.may(*scopes):
            raise Wrong(HTTPStatus.FORBIDDEN, f"missing scope: this token is not good for {' or '.join(scopes)}")
        key, agent = sha256(token.encode()).digest(), request.headers.get("user-agent", "")
        return Program(bearer.account, key, bot=bearer.bot, agent=agent, address=address_of(request))

    async def _bearer(self, token: str, address: str) -> Bearer | None:
        """The bearer of a token; None: it is unknown."""
        if len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        try:
            return await self._server.authenticator.bearer(token, address)
        except Refused as refused:
            if refused.why is Why.BAD_PASSWORD:
                return None
            raise

    async def test(self, request: Request) -> Response:
        """The scopes of some tokens; null for one that is unknown."""
        body = (await body_of(request, BODY_BYTES)).decode(errors="replace")
        shown: dict[str, Tree | None] = {}
        for token in [text.strip() for text in body.split(",") if text.strip()][:TOKENS]:
            bearer = await self._bearer(token, address_of(request))
            shown[token] = (
                None
                if bearer is None
                else {
                    "userId": objects.user_id(bearer.account),
                    "scopes": ",".join(scope for scope in SEES if bearer.may(scope)),
                    "expires": None,
                }
            )
        return _json(shown)

    async def account(self, request: Request, program: Program) -> Response:
        """The account of a token."""
        shown = await self._user(program.account, bot=program.bot)
        return _json(shown)

    async def _user(self, name: str, *, bot: bool) -> Tree:
        person = self._person(name)
        shown: Tree = {"id": objects.user_id(name), "username": name, "perfs": await self._perfs(name)}
        if bot:
            shown["title"] = "BOT"
        return shown | {"online": person is not None, "playing": person is not None and person.doing == "plays"}

    async def _perfs(self, name: str) -> Tree:
        """The ratings of an account by speed, of chess as FIDE plays it."""
        ratings = self._server.seat_ratings
        pools = {speed: Settings(objects.GAME, "normal", 8, 8, 2, time) for speed, time in _CLOCKS.items()}
        found = await ratings.settled(lambda: {speed: ratings.named(each, [name])[0] for speed, each in pools.items()})
        shown = {speed: points or objects.USUAL for speed, points in found.items()}
        return {speed: {"rating": each.rating, "prov": each.provisional} for speed, each in shown.items()}

    def _person(self, name: str) -> Person | None:
        return next((each for each in self._server.people() if each.name.casefold() == name.casefold()), None)

    async def playing(self, request: Request, program: Program) -> Response:
        """The games that a program's account plays by it."""
        games = [await game.ask("now") for game in self._programs.games(program.account) if not game.over]
        now = [body["game"] for status, body, _ in games if status == HTTPStatus.OK and body["game"] is not None]
        return _json({"nowPlaying": now})

    async def events(self, request: Request, program: Program) -> Response:
        """The event stream."""
        return self._programs.events(program)

    async def upgrade(self, request: Request, program: Program) -> Response:
        """Nothing, for an account that is a bot's. Wrong: it is not, and its owner makes it one elsewhere."""
        if not program.bot:
            raise Wrong(
                HTTPStatus.BAD_REQUEST, "this account is a person's: boardgate account token NAME --bot marks it"
            )
        return _json(OK)

    async def online(self, request: Request) -> Response:
        """The bots that are here, a line of JSON each."""
        lines = [msgspec.json.encode(_shown(each)) for each in self._server.people() if each.bot and each.account]
        return Response(b"".join(line + b"\n" for line in lines), 200, NO_STORE, "application/x-ndjson")

    async def status(self, request: Request) -> Response:
        """The accounts of some names, and whether they are here."""
        asked = [name for name in request.query_params.get("ids", "").split(",") if name][:NAMES]
        here = {each.name.casefold(): each for each in self._server.people()}
        names = [here[name.casefold()].name if name.casefold() in here else name for name in asked]
        known = [name for name in names if self._server.lobby.names.is_account(name)]
        shown = []
        for name in known:
            person = here.get(name.casefold())
            shown.append({"id": objects.user_id(name), "name": name} | ({} if person is None else _shown(person)))
        return _json(shown)

    async def user(self, request: Request) -> Response:
        """An account. Wrong (404): there is no such."""
        name = request.path_params["name"]
        if not self._server.lobby.names.is_account(name):
            raise Wrong(HTTPStatus.NOT_FOUND, f"there is no account {name[:40]!r}")
        person = self._person(name)
        return _json(await self._user(name if person is None else person.name, bot=person is not None and person.bot))

    async def challenges(self, request: Request, program: Program) -> Response:
        return _answered(await self._programs.here(program).ask("challenges"))

    async def challenge(self, request: Request, program: Program) -> Response:
        """A challenge to the player whom the path names."""
        fields, name = await _fields(request), request.path_params["name"]
        asked = _asked(fields, _number(fields, "clock.limit"), _number(fields, "clock.increment"))
        answer = await self._programs.here(program).ask("challenge", text=name, **asked)
        return _answered(await self._taken_up(program, answer))

    async def against(self, request: Request, program: Program) -> Response:
        """A game with a house bot, of the level that is nearest to one of eight."""
        fields = await _fields(request)
        level = _number(fields, "level") or 0.0
        if level not in AI_LEVELS:
            raise Wrong(HTTPStatus.BAD_REQUEST, f"level {level:g}: it is {AI_LEVELS[0]} to {AI_LEVELS[-1]}")
        asked = _asked(fields, _number(fields, "clock.limit"), _number(fields, "clock.increment"))
        steps = (len(LEVELS) - 1) / (len(AI_LEVELS) - 1)
        nearest = LEVELS[round((level - AI_LEVELS[0]) * steps)]
        status, body, _ = await self._programs.against(program, **(asked | {"level": nearest, "rated": False}))
        if status != HTTPStatus.OK:
            return _answered((status, body, None))
        return _json(body["game"] | {"source": "ai"}, HTTPStatus.CREATED)

    async def seek(self, request: Request, program: Program) -> Response:
        """A seek, which stands as long as its stream is open; one of a game by days needs none, and is answered."""
        fields = await _fields(request)
        minutes = _number(fields, "time")
        asked = _asked(fields, None if minutes is None else minutes * 60, _number(fields, "increment"))
        asked["ratings"] = fields.get("ratingRange", "")
        if minutes is None and not asked.get("days"):
            raise Wrong(HTTPStatus.BAD_REQUEST, "a seek has a time in minutes, or days for each move")
        if minutes is None:
            status, body, play = await self._taken_up(program, await self._programs.here(program).ask("seek", **asked))
            return _answered((status, {"id": body["id"]} if status == HTTPStatus.OK else body, play))
        found = await self._programs.seek(program, **asked)
        return found if isinstance(found, Stream) else _answered(found)

    def _answering(self, word: str) -> Serve:
        async def answering(request: Request, program: Program) -> Response:
            answer = await self._programs.here(program).ask(word, id=request.path_params["id"])
            return _answered(await self._taken_up(program, answer))

        return answering

    async def _taken_up(self, program: Program, answer: Answer) -> Answer:
        """The answer, once the program has its seat where a game comes of it."""
        status, body, play = answer
        if play is None:
            return answer
        taken = await self._programs.take_up(program, play)
        return taken if taken[0] != HTTPStatus.OK else (status, body, None)

    async def _game(self, request: Request, program: Program) -> Game:
        """The seat of a game. Wrong (404): the program's account has none."""
        found = objects.table_of(request.path_params["id"])
        game = None if found is None else await self._programs.game(program, found[0])
        if game is None or (game.id and game.id != request.path_params["id"]):
            raise Wrong(HTTPStatus.NOT_FOUND, NO_GAME)
        return game

    async def stream(self, request: Request, program: Program) -> Response:
        """The stream of a game."""
        game = await self._game(request, program)
        stream = self._programs.open(game)
        status, body, _ = await game.ask("stream", yes=True)
        if status != HTTPStatus.OK:
            game.replace(None)
            return _answered((status, body, None))
        if body["over"]:
            stream.close()
        return stream

    def _asking(self, word: str) -> Serve:
        async def asking(request: Request, program: Program) -> Response:
            game, more = await self._game(request, program), {}
            if word == "move":
                draws = request.query_params.get("offeringDraw", "").lower() in _YES
                more = {"text": request.path_params["text"], "yes": draws}
            elif word == "give":
                more = {"seconds": request.path_params["seconds"]}
            elif "yes" in request.path_params:
                more = {"yes": request.path_params["yes"].lower() in _YES}
            return _answered(await game.ask(word, **more))

        return asking

    async def chat(self, request: Request, program: Program) -> Response:
        """Say something in a room of a game."""
        game, fields = await self._game(request, program), await _fields(request)
        return _answered(await game.ask("chat", room=fields.get("room", "player"), text=fields.get("text", "")))

    async def export(self, request: Request) -> Response:
        """A game in PGN, or as JSON where the request accepts that, for whom its table is shown to."""
        found = objects.table_of(request.path_params["id"])
        if found is None or found[0] >= 1 << 62:
            raise Wrong(HTTPStatus.NOT_FOUND, NO_GAME)
        asker = await self._reading.askers.of(request)
        view = await self._reading.do(self._reading.views.table, found[0])
        hidden = view is not None and view.hidden and not await self._reading.seats([view], asker)
        as_json = "application/json" in request.headers.get("accept", "")
        told = None if view is None or hidden else await self._reading.do(self._exported, view, found[1], as_json)
        if told is None:
            raise Wrong(HTTPStatus.NOT_FOUND, NO_GAME)
        if isinstance(told, str):
            return PlainTextResponse(told, headers=NO_STORE, media_type="application/x-chess-pgn")
        return _json(told)

    def _exported(self, view: TableView, number: int, as_json: bool) -> Tree | str | None:
        """One game of a table as JSON or PGN; None where there is none, or it has no words for JSON. Blocks."""
        if view.game != objects.GAME:
            return None
        game = registry.game(objects.GAME)
        try:
            record = list(stored(self._reading.views.rows(view.table)))
            told = played.games(game, view.table, self._server.config.server.name, record)
            found = next((one for one in told if one.number == number), None)
            if found is None or (as_json and not objects.carries(found.settings)):
                return None
            return exported(game, found, record) if as_json else game.formats["pgn"](found)
        except NONSENSE:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from None


def _shown(person: Person) -> Tree:
    """A person or program that is here, in lists."""
    shown: Tree = {"id": objects.user_id(person.name), "name": person.name, "username": person.name, "online": True}
    shown |= {"title": "BOT"} if person.bot else {}
    return shown | ({"playing": True} if person.doing == "plays" else {})


def _told(answer: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """``answer``, with what it refuses told in the API's form. A program asks again after a status of 5xx."""

    @wraps(answer)
    async def told(request: Request, *more: Program) -> Response:
        try:
            return await answer(request, *more)
        except Wrong as wrong:
            return _json(refusal(str(wrong)), wrong.status)
        except BadRequest as bad:
            return _json(refusal(str(bad)), bad.status)
        except (Refused, SQLAlchemyError) as error:
            refused = error if isinstance(error, Refused) else not_now(request.url.path, error)
            status = int(status_of(refused.why))
            late = status == HTTPStatus.TOO_MANY_REQUESTS
            return _json(refusal(refused.text), HTTPStatus.SERVICE_UNAVAILABLE if late else status)

    return told


def _json(body: Any, status: int = HTTPStatus.OK) -> Response:
    return JSONResponse(body, status_code=status, headers=NO_STORE)


def _answered(answer: Answer) -> Response:
    return _json(answer[1], answer[0])


async def _fields(request: Request) -> Mapping[str, str]:
    """The fields of a form or of a JSON object, as texts. Wrong: the body is neither."""
    body = await body_of(request, BODY_BYTES)
    if "json" not in request.headers.get("content-type", ""):
        return dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    try:
        tree = msgspec.json.decode(body or b"{}", type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise Wrong(HTTPStatus.BAD_REQUEST, str(error)) from None
    flat: dict[str, str] = {}
    for name, value in tree.items():
        inner = value.items() if isinstance(value, dict) else (("", value),)
        flat |= {f"{name}.{key}" if key else name: _text(each) for key, each in inner if each is not None}
    return flat


def _asked(fields: Mapping[str, str], limit_s: float | None, increment_s: float | None) -> Tree:
    """The game of a challenge or a seek."""
    asked: Tree = {
        "rated": fields.get("rated", "").lower() in _YES,
        "variant": fields.get("variant") or "standard",
        "color": fields.get("color") or "random",
        "fen": fields.get("fen", ""),
        "increment": increment_s or 0.0,
    }
    if limit_s is not None:
        asked["limit"] = limit_s
    if (days := _number(fields, "days")) is not None:
        asked["days"] = int(days)
    return asked


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(fields: Mapping[str, str], name: str) -> float | None:
    """A number of a form; None where it is not said. Wrong: it is none."""
    if not (text := fields.get(name, "")):
        return None
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < 1e9:
        raise Wrong(HTTPStatus.BAD_REQUEST, f"{name} {text[:20]!r}: it is a number of seconds, or of days")
    return found
