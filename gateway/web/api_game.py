"""Answers ``GET /api/games/NAME``: all that a client must know of a game to play it without its code.

Everything is what the game declares: its rule sets, boards and looks (gateway/games/base.py), its guide
(gateway/games/guide.py). So a plug-in's game is described like any other. docs/games is made from the same answer.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.games import base
from gateway.games.base import CHANCE, Game, Variant
from gateway.games.look import Look, belongs
from gateway.games.options import Choice, Number, Option
from gateway.games.parts import Chance, Placement, Scoring
from gateway.record.exported import forms
from gateway.web.refusals import refusing
from protocols.core.model import Reason, Settings

JSON: Final = "application/json"


class PieceTold(msgspec.Struct, frozen=True):
    """A piece by its word on the board, and how clients draw it. ``side`` is a name of ``sides``; null: the word names
    none."""

    piece: str
    side: str | None
    shape: str
    colour: str


class SideTold(msgspec.Struct, frozen=True):
    """A seat and what it is called. ``turned``: it sees the board the other way round."""

    seat: int
    name: str
    turned: bool


class Standing(msgspec.Struct, frozen=True):
    """A piece on a square of the first position."""

    square: int
    piece: str


class RouteTold(msgspec.Struct, frozen=True):
    """The squares on which the pieces of a seat walk in one order, the last ``home`` of them its own.

    ``waits`` are the squares beside them, in the order in which pieces leave them; ``sent_back`` the same squares in
    the order in which captured pieces fill them.
    """

    seat: int
    waits: list[int]
    sent_back: list[int]
    walks: list[int]
    home: int


class Beginning(msgspec.Struct, frozen=True):
    """How a table of so many ``seats`` begins. ``first`` is the seat to move, or for which the die is rolled.

    ``position`` is the text that ``start`` takes, ``diagram`` the board row by row with one letter a square. ``hands``
    are the pieces beside the board by seat, in the words of a placement; none in games without.
    """

    seats: int
    sides: list[SideTold]
    first: int
    position: str
    diagram: list[str]
    board: list[Standing]
    hands: list[dict[str, int]]
    routes: list[RouteTold]


class EndTold(msgspec.Struct, frozen=True):
    """An end by the rules: `reason` and `detail` of the outcome, N for a number; when it comes, and who has won."""

    detail: str
    reason: Reason
    text: str


class RuleSetTold(msgspec.Struct, frozen=True):
    """A rule set. ``squares`` are names by number, y * width + x, y = 0 the top row; "" is no square to play on."""

    name: str
    title: str
    text: list[str]
    width: int
    height: int
    squares: list[str]
    pieces: list[PieceTold]
    ends: list[EndTold]
    beginnings: list[Beginning]


class WordTold(msgspec.Struct, frozen=True):
    """A word that an option may have, and what people call it."""

    word: str
    title: str


class OptionTold(msgspec.Struct, frozen=True):
    """A choice of the players for a table, by ``name`` in `options`; ``title`` is its name for people, ``text`` says
    what it is.

    ``kind`` is "number" or "choice". A number has bounds, null without one, and goes in steps of ``step``, 0 for any
    number; a choice is one of ``words``. ``usual`` is what leaving it out means, empty where that depends on other
    choices. ``rules`` are the rule sets that have it, all where there is none.
    """

    name: str
    title: str
    text: str
    kind: str
    least: float | None
    most: float | None
    step: float
    words: list[WordTold]
    usual: str
    rules: list[str]


class WholeGame(msgspec.Struct, frozen=True):
    """A game. ``judged``: the server knows its rules. ``dice`` are the sides of its die, 0 without one.

    ``setup``: it begins with placements. ``settles``: it may stop until its players agree on a score. ``goal``,
    ``play`` and ``end`` are the rules in a person's words, ``moves`` says what a move is made of, ``notation`` how it
    is written. The first of ``variants`` is the default.
    """

    game: str
    title: str
    judged: bool
    dice: int
    setup: bool
    settles: bool
    goal: str
    play: list[str]
    end: list[str]
    moves: list[str]
    notation: list[str]
    options: list[OptionTold]
    variants: list[RuleSetTold]
    formats: list[str]
    dialects: list[str]


def game_routes() -> list[Route]:
    """``GET /api/games/NAME``; Refused (UNKNOWN_GAME) for a game that is not installed."""
    return [Route("/api/games/{name}", refusing(_answer), methods=["GET"])]


async def _answer(request: Request) -> Response:
    return Response(_encoded(registry.game(request.path_params["name"])), media_type=JSON)


@cache
def _encoded(game: Game[Any]) -> bytes:
    """Made once for each game: nothing in it changes while the server runs."""
    return msgspec.json.encode(whole_game(game))


def whole_game(game: Game[Any]) -> WholeGame:
    """The game as it is installed here."""
    guide = game.guide
    return WholeGame(
        game=game.name,
        title=game.title,
        judged=game.judged,
        dice=_dice(game),
        setup=isinstance(game, Placement),
        settles=isinstance(game, Scoring),
        goal=guide.goal,
        play=list(guide.play),
        end=list(guide.end),
        moves=list(guide.moves),
        notation=list(guide.notation),
        options=[_option(option) for option in game.options],
        variants=[_rule_set(game, variant) for variant in game.variants],
        formats=list(forms(game.name)),
        dialects=list(registry.dialects_for(game)),
    )


def _option(option: Option) -> OptionTold:
    number = option if isinstance(option, Number) else Number(name="", title="", text="", step=0.0)
    words = [WordTold(word, title) for word, title in option.words] if isinstance(option, Choice) else []
    return OptionTold(
        name=option.name,
        title=option.title,
        text=option.text,
        kind=option.kind,
        least=number.least,
        most=number.most,
        step=number.step,
        words=words,
        usual=option.usual,
        rules=list(option.rules),
    )


def _dice(game: Game[Any]) -> int:
    first = game.start(game.settings())
    return game.chance(first).sides if isinstance(game, Chance) and game.to_move(first) == CHANCE else 0


def _rule_set(game: Game[Any], variant: Variant) -> RuleSetTold:
    settings, declared = game.settings(variant.name), game.guide.rules.get(variant.name)
    look, size = game.look(game.settings(variant.name, max(variant.seats))), settings.width * settings.height
    ends = [end for end in game.guide.ends if not end.rules or variant.name in end.rules]
    return RuleSetTold(
        name=variant.name,
        title=game.guide.title(variant.name),
        text=list(declared.text if declared and declared.text else (variant.text,)),
        width=settings.width,
        height=settings.height,
        squares=[_square(look, at, settings) for at in range(size)],
        pieces=_pieces(game, variant, look),
        ends=[EndTold(end.words, end.reason, end.text) for end in ends],
        beginnings=[_beginning(game, game.settings(variant.name, seats)) for seats in variant.seats],
    )


def _square(look: Look, at: int, settings: Settings) -> str:
    return look.full_name(at, settings.width, settings.height) if look.ground_of(at, settings.width) else ""


def _pieces(game: Game[Any], variant: Variant, look: Look) -> list[PieceTold]:
    """Pieces with a look of their own and those of the first position; the sides where nothing else is known."""
    settings = game.settings(variant.name, max(variant.seats))
    sides, standing = game.called(settings), game.board(game.start(settings)).values()
    words = sorted({*look.pieces, *standing}) or list(sides if game.judged else ())
    found = [(word, look.piece(word)) for word in words]
    return [PieceTold(word, _side(word, sides), piece.shape, piece.colour) for word, piece in found]


def _side(piece: str, sides: tuple[str, ...]) -> str | None:
    return next((name for name in sides if belongs(piece, name)), None)


def _beginning(game: Game[Any], settings: Settings) -> Beginning:
    position, turned = game.start(settings), game.look(settings).turned
    sides = [SideTold(seat, name, seat in turned) for seat, name in enumerate(game.called(settings))]
    ways = enumerate(game.routes(settings))
    return Beginning(
        seats=settings.seats,
        sides=sides,
        first=_first(game, position),
        position=game.text(position),
        diagram=game.diagram(position).splitlines(),
        board=[Standing(square, piece) for square, piece in sorted(game.board(position).items())],
        hands=[dict(hand) for hand in game.hands(position)],
        routes=[_route(seat, way) for seat, way in ways],
    )


def _first(game: Game[Any], position: Any) -> int:
    turn = game.to_move(position)
    if isinstance(turn, int):
        return turn
    assert isinstance(game, Chance), "no game begins with its end"
    return game.chance(position).seat


def _route(seat: int, way: base.Route) -> RouteTold:
    return RouteTold(seat, list(way.waits), list(way.sent_back), list(way.walks), way.home)
