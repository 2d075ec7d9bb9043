"""Lists the operations of the JSON API: path, method, what is asked, what is answered, and for which refusals.

openapi.py makes a document of them. The classes of requests are those that decode them, of answers those of shapes.py
and rating_shapes.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from gateway.record.json_schema import Schema, enum
from gateway.store.schema import STATUSES
from gateway.tables.presence import Presence
from gateway.web import rating_shapes, shapes
from gateway.web.api import LONGEST_WAIT_S, MOST_TABLES
from gateway.web.api_circle import BlockedShown, Followed, TiedShown
from gateway.web.api_game import WholeGame
from gateway.web.api_offers import AskedOffer, AskedTake
from gateway.web.api_play import AskedMove
from gateway.web.api_ratings import LISTS
from gateway.web.api_register import Asked
from gateway.web.api_tokens import AskedToken, TokenMade, TokensShown
from gateway.web.api_webhook import AskedWebhook
from gateway.web.board.description import Description
from gateway.web.relays import RelayRequest
from protocols.web.messages import ClientMessage

PLAYERS: Final = ("ticket", "account", "token")
"""The ways of a player to say who it is."""

ALWAYS: Final = (401, 403, 429, 503)
"""Refusals of any request: its secret is unknown, or not good for this; too many were tried; the server cannot read or
store just now."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A route with one method. ``answer`` is the class of its JSON, or a media type; None: it has no body.

    ``refusals`` are statuses beside those that follow from the rest. ``security`` None: anybody may ask.
    """

    path: str
    method: str
    name: str
    summary: str
    answer: Any
    status: int = 200
    body: Any = None
    needs_body: bool = True
    query: tuple[tuple[str, Schema, str], ...] = ()
    headers: tuple[tuple[str, Schema, str], ...] = ()
    refusals: tuple[int, ...] = ()
    security: tuple[str, ...] | None = None
    also: tuple[tuple[int, str], ...] = ()

    @property
    def refused(self) -> list[int]:
        """Every status with which it may be refused: 404 where it names what may not be there, 400, 413 and 415 for
        what it is given."""
        found = {*ALWAYS, *self.refusals, *((404,) if "{" in self.path else ())}
        found |= {400} if self.query or self.headers else set()
        found |= {413, 415} if self.body is not None else set()
        return sorted(found)


def whole(least: int = 0, most: int | None = None, usual: int | None = None) -> Schema:
    found: Schema = {"type": "integer", "minimum": least}
    return found | ({"maximum": most} if most is not None else {}) | ({"default": usual} if usual is not None else {})


TEXT: Final[Schema] = {"type": "string"}
AFTER: Final = ("after", whole(usual=0), "the cursor: events behind this `seq`")

OPERATIONS: Final = (
    Operation("/api/games", "get", "games", "What can be played here", shapes.Games),
    Operation(
        "/api/games/{name}",
        "get",
        "game",
        "All of one game: rule sets, squares, pieces, first positions, ends",
        WholeGame,
    ),
    Operation("/api/here", "get", "here", "Who is here now, and what they do", shapes.PeopleHere),
    Operation("/api/offers", "get", "offers", "Games that are offered to you or everybody", shapes.OffersStanding),
    Operation(
        "/api/offers",
        "post",
        "offer",
        "Offer a game to a player, or to everybody",
        shapes.OfferMade,
        201,
        AskedOffer,
        refusals=(400, 404, 409),
        security=("account", "token"),
    ),
    Operation("/api/offers/{offer}", "get", "offer_state", "Whether an offer stands", shapes.OfferState),
    Operation(
        "/api/offers/{offer}/take",
        "post",
        "take",
        "Take an offer: your seat at its table",
        shapes.OfferTaken,
        body=AskedTake,
        refusals=(400, 409),
        security=("account", "token"),
    ),
    Operation(
        "/api/offers/{offer}",
        "delete",
        "end_offer",
        "Withdraw an offer of yours, or decline one to you",
        None,
        204,
        refusals=(409,),
        security=("account", "token"),
    ),
    *(
        Operation(
            "/api/challenges",
            method,
            name,
            summary,
            None,
            204,
            refusals=(409,),
            security=("account", "token"),
        )
        for method, name, summary in (
            ("put", "take_challenges", "Take challenges again"),
            ("delete", "take_no_challenges", "Take no challenges while you are here"),
        )
    ),
    Operation(
        "/api/people",
        "get",
        "people",
        "Accounts with a part of the name, in order",
        shapes.People,
        query=(
            ("name", TEXT, "a part of the name, in any letter case"),
            ("after", TEXT, "names behind this one: `next` of the answer before"),
        ),
    ),
    Operation("/api/people/{name}", "get", "player", "What an account has won, lost and drawn", shapes.Player),
    Operation(
        "/api/players/{name}", "get", "ratings_of", "The ratings of an account, by pool", rating_shapes.PlayerRatings
    ),
    Operation(
        "/api/players/{name}/steps",
        "get",
        "steps",
        "The games that were played for a rating, the newest first",
        rating_shapes.Steps,
        query=(
            ("pool", TEXT, "the rating's pool; must be given"),
            ("engine", TEXT, "the program, of the rating of an account's program"),
            ("before", whole(), "games of smaller ordinals: `next` of the answer before"),
        ),
    ),
    Operation(
        "/api/players/{name}/record",
        "get",
        "record",
        "The score against each opponent, the best wins, the games of each week",
        rating_shapes.PlayerRecord,
    ),
    Operation(
        "/api/follows",
        "get",
        "follows",
        "Accounts that you follow, with what they do here now",
        Followed,
        security=("account", "token"),
    ),
    Operation(
        "/api/blocks", "get", "blocks", "Accounts that you have blocked", BlockedShown, security=("account", "token")
    ),
    *(
        Operation(
            f"/api/players/{{name}}/{word}",
            method,
            name,
            summary,
            answer,
            status,
            refusals=refusals,
            security=("account", "token"),
        )
        for word, method, name, summary, answer, status, refusals in (
            ("follow", "put", "follow", "Follow an account", TiedShown, 200, (400,)),
            ("follow", "delete", "unfollow", "Follow an account no more", None, 204, ()),
            ("block", "put", "block", "Block an account: no games and no words between you", TiedShown, 200, (400,)),
            ("block", "delete", "unblock", "End a block of yours", None, 204, ()),
        )
    ),
    Operation(
        "/api/ratings",
        "get",
        "ratings",
        "The pools of ratings; with `pool` the players of one, the best first",
        rating_shapes.RatingsShown,
        query=(
            ("pool", TEXT, "the pool whose players are wanted"),
            ("list", enum(LISTS), "those with a place (the usual), or the others"),
            ("after", TEXT, "players behind these: `next` of the answer before"),
        ),
    ),
    Operation(
        "/api/ratings/distribution",
        "get",
        "distribution",
        "The players of a pool by rating",
        rating_shapes.Distribution,
        query=(("pool", TEXT, "the pool; must be given"),),
    ),
    Operation(
        "/api/tables",
        "get",
        "tables",
        "Tables, the newest first",
        shapes.Tables,
        query=(
            ("state", enum(STATUSES), "tables of this state only"),
            ("game", TEXT, "tables of this game only"),
            ("limit", whole(1, MOST_TABLES, 100), "at most so many"),
            ("before", whole(), "tables with a smaller id: `next` of the answer before"),
        ),
        refusals=(404,),
    ),
    Operation(
        "/api/tables",
        "post",
        "register",
        "Register a table for certain players",
        shapes.Registered,
        201,
        Asked,
        refusals=(400, 404, 409, 429),
    ),
    Operation("/api/tables/{table}", "get", "table", "One table with its game", shapes.Table),
    Operation(
        "/api/tables/{table}/presence",
        "get",
        "presence",
        "Who is at a table now: by dialect, program, state and delay",
        Presence,
    ),
    Operation(
        "/api/tables/{table}/events",
        "get",
        "events",
        "Events behind a cursor; waits for some where there are none",
        shapes.Events,
        query=(
            AFTER,
            ("wait", whole(0, int(LONGEST_WAIT_S), 0), "seconds to wait for an event where there is none"),
        ),
    ),
    Operation(
        "/api/tables/{table}/stream",
        "get",
        "stream",
        "Events as they are stored, as server-sent events",
        "text/event-stream",
        query=(AFTER,),
        headers=(("Last-Event-ID", whole(), "as `after`, which it goes before: browsers send it by themselves"),),
        also=((204, "the table has closed, and there is no event behind the cursor"),),
    ),
    Operation(
        "/api/tables/{table}/bytes",
        "get",
        "bytes",
        "The wires of the players as transcripts, live, as server-sent events",
        "text/event-stream",
    ),
    Operation(
        "/api/tables/{table}/export",
        "get",
        "export",
        "The whole record: a line of JSON for each event, or in a form of the game's own",
        "text/plain",
        query=(("format", {"type": "string", "default": "ndjson"}, "one of the table's `formats`"),),
    ),
    Operation("/api/tables/{table}/legal", "get", "legal", "The legal moves now", shapes.Legal),
    Operation(
        "/api/tables/{table}/analysis",
        "get",
        "analysis",
        "What the host's engine says of a finished game",
        shapes.Analysed,
        refusals=(409, 501),
    ),
    Operation(
        "/api/tables/{table}/analysis",
        "post",
        "analyse",
        "Ask for the analysis of a finished game; it is made once, in its turn",
        shapes.Analysed,
        202,
        refusals=(409, 501),
    ),
    Operation(
        "/api/tables/{table}/moves",
        "post",
        "move",
        "A move of your seat; stored before it is answered",
        shapes.Made,
        body=AskedMove,
        refusals=(400, 409),
        security=PLAYERS,
    ),
    *(
        Operation("/api/tables/{table}/share", method, name, summary, answer, status, refusals=(409,), security=PLAYERS)
        for method, name, summary, answer, status in (
            ("get", "link", "The link to a finished game", shapes.LinkShown, 200),
            ("post", "share", "The link to a finished game, made where there is none", shapes.LinkShown, 200),
            ("delete", "take_back", "The link to a private game ends", None, 204),
        )
    ),
    Operation(
        "/api/lines",
        "post",
        "open_line",
        "A line: what a WebSocket of the dialect `web` does, by requests. The body is its first message, `hello`. "
        "What is no message is taken as well: the line answers it, and ends",
        shapes.LineOpened,
        201,
        ClientMessage,
    ),
    Operation(
        "/api/line",
        "get",
        "hear",
        "What the line was told; waits for some where there is nothing",
        shapes.Heard,
        query=(("wait", whole(0, int(LONGEST_WAIT_S), 0), "seconds to wait where there is nothing new"),),
        refusals=(404,),
        security=("line",),
    ),
    Operation(
        "/api/line",
        "post",
        "say",
        "One message more; what comes of it is heard by the line",
        None,
        204,
        ClientMessage,
        refusals=(404,),
        security=("line",),
    ),
    Operation("/api/line", "delete", "end_line", "Hang up", None, 204, refusals=(404,), security=("line",)),
    Operation(
        "/api/tables/{table}/ticket",
        "post",
        "ticket",
        "A new ticket for the seat that is registered for your account",
        shapes.NewTicket,
        refusals=(400,),
        security=("account", "token"),
    ),
    Operation("/api/looks/{key}", "get", "look", "A game's board and pieces, for drawing", Description),
    Operation(
        "/api/tokens",
        "post",
        "new_token",
        "A token for your password: for a login, or with a name for a program",
        TokenMade,
        201,
        AskedToken,
        needs_body=False,
        refusals=(400,),
        security=("account",),
    ),
    Operation(
        "/api/tokens", "get", "tokens", "Your tokens, the newest first", TokensShown, security=("account", "token")
    ),
    Operation(
        "/api/webhook",
        "get",
        "webhook",
        "The address at which your program is told of your games",
        shapes.WebhookShown,
        refusals=(404,),
        security=("account", "token"),
    ),
    Operation(
        "/api/webhook",
        "put",
        "set_webhook",
        "Have your program told at this address, by requests that are signed with a new secret",
        shapes.WebhookMade,
        body=AskedWebhook,
        refusals=(400,),
        security=("account", "token"),
    ),
    Operation(
        "/api/webhook", "delete", "end_webhook", "Tell your program no more", None, 204, security=("account", "token")
    ),
    Operation("/api/tokens", "delete", "end_token", "End the token that is presented", None, 204, security=("token",)),
    Operation(
        "/api/tokens/{id}", "delete", "end_token_of", "End a token of yours", None, 204, security=("account", "token")
    ),
    Operation(
        "/api/relays",
        "post",
        "relay",
        "A code for two programs that cannot reach each other",
        shapes.Room,
        201,
        RelayRequest,
        needs_body=False,
        refusals=(400,),
    ),
    Operation("/api/drain", "post", "drain", "Open no more tables", shapes.Draining, security=("host",)),
    Operation("/api/drain", "delete", "end_drain", "Open tables again", shapes.Draining, security=("host",)),
    Operation("/api/nodes", "get", "nodes", "The servers that share one database", shapes.Nodes, security=("host",)),
    Operation(
        "/api/nodes/{name}/drain",
        "post",
        "drain_node",
        "A server gives its tables to the others",
        shapes.Nodes,
        security=("host",),
    ),
    Operation(
        "/api/nodes/{name}/drain", "delete", "undrain_node", "A server serves again", shapes.Nodes, security=("host",)
    ),
    Operation(
        "/api/addresses",
        "get",
        "addresses",
        "What addresses cost this server, in the last minute",
        shapes.Addresses,
        security=("host",),
    ),
    Operation("/api/openapi.json", "get", "document", "This document", "application/json"),
    Operation("/api/events.schema.json", "get", "event_schema", "The JSON Schema of an event", "application/json"),
    Operation(
        "/api/web.schema.json",
        "get",
        "message_schema",
        "The JSON Schema of the messages of the dialect `web`, both ways",
        "application/json",
    ),
)
