"""Shows the host who is here, what runs and waits, bans, reports, settings, the log of acts. Its forms: host_acts.py.

The pages are for a browser that has shown the admin token, and for an hour from its last use.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final

from sqlalchemy import make_url
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.bots.engines import HOUSE_BOT, USUAL_BOT
from gateway.cluster.membership import Seen
from gateway.cluster.node import ClusterNode
from gateway.config.source import sections
from gateway.config.values import key_of, written
from gateway.ops.server import GameServer
from gateway.release import release
from gateway.store.records import Act
from gateway.web.api_addresses import busiest
from gateway.web.askers import Askers
from gateway.web.pages.every_table import every_table
from gateway.web.pages.frame import Frame, minute
from gateway.web.pages.open_tables import Running
from gateway.web.pages.plot import Plot, plotted
from gateway.web.pages.refusing import as_page
from gateway.web.pages.words import game_words
from gateway.web.sessions import Kept, person_of
from protocols.core.model import SeatKind

PARTS: Final = (
    ("", "Now"),
    ("/tables", "Tables"),
    ("/connections", "Connections"),
    ("/accounts", "Accounts"),
    ("/addresses", "Addresses"),
    ("/bans", "Bans"),
    ("/reports", "Reports"),
    ("/settings", "Settings"),
    ("/log", "Log"),
)
"""The host's pages, by what follows /host."""

NODES: Final = ("/nodes", "Nodes")
"""One more, where several servers can share the database."""

SHOWN: Final = 200
"""Lines of a list: more are no list for a person, and writing them costs the players' time."""

SECRETS: Final = ("admin_token", "secret", "password")
"""Settings that are shown as given or not."""

OWN_BOTS: Final = (USUAL_BOT, HOUSE_BOT)
"""The name for house bots that are no engines."""

DONE: Final = {
    "banned": "The ban holds.",
    "lifted": "The ban is lifted.",
    "ended": "The table is ended.",
    "closed": "The report is closed.",
    "draining": "No new tables are opened. Games go on.",
    "open": "New tables are opened again.",
    "node-drains": "The node drains: it gives its tables to the others.",
    "node-serves": "The node serves again.",
    "disabled": "The account is disabled: nobody can log in with it.",
    "enabled": "The account may log in again.",
    "reset": "The account is reset. It is disabled, so it has no link yet.",
    "revoked": "All its tokens and sessions are ended.",
    "token": "The token is ended.",
    "sessions": "All its browsers are logged out.",
}
"""The sentence about an act's success, by the word behind ``?done=``."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A running table; ``people`` are its players, a house bot among them.

    ``node`` is the name of the node that has it; "" for this one. Of another's, moves and observers are not known.
    """

    table: int
    game: str
    status: str
    people: tuple[str, ...]
    moves: int
    watching: int
    private: bool
    node: str


@dataclass(frozen=True, slots=True)
class ConnectionLine:
    number: int
    address: str
    dialect: str
    program: str
    name: str
    account: str
    table: int | None
    lag_ms: int | None


class HostPages:
    """``bots`` are the process ids of those that think for the house."""

    def __init__(
        self, frame: Frame, server: GameServer, askers: Askers, kept: Kept, bots: Callable[[], Sequence[int]]
    ) -> None:
        self._frame = frame
        self._server = server
        self._askers = askers
        self._kept = kept
        self._bots = bots

    def routes(self) -> list[Route]:
        pages = {
            "": self.now,
            "/tables": self.tables,
            "/connections": self.connections,
            "/addresses": self.addresses,
            "/bans": self.bans,
            "/reports": self.reports,
            "/settings": self.settings,
            "/log": self.log,
        } | ({"/nodes": self.nodes} if self._server.node.several else {})
        return [Route(f"/host{part}", as_page(self._frame, page), methods=["GET"]) for part, page in pages.items()]

    def _page(
        self, request: Request, part: str, values: Callable[[], Mapping[str, Any]] = dict, **more: Any
    ) -> Response:
        """One of the parts; who is not the host gets the form to sign in. ``values`` are asked for the host alone."""
        if not person_of(request).host:
            return sign_in(self._frame, request, self._askers, self._kept, 200)
        done = DONE.get(request.query_params.get("done", ""), "")
        shared: dict[str, Any] = {"parts": parts_of(self._server), "part": part, "done": done}
        return self._frame.page(request, f"host{part.replace('/', '_')}.html", **shared, **values(), **more)

    async def now(self, request: Request) -> Response:
        waiting, backup = 0, None
        if person_of(request).host:
            waiting = await self._kept.sessions.do(self._kept.reports.count)
            backup = await self._kept.sessions.do(self._kept.acts.last, "backup.made")
        return self._page(request, "", lambda: self._now() | {"reports": waiting, "backup": backup})

    def _now(self) -> dict[str, Any]:
        server = self._server
        samples = server.samples.kept
        minutes = round((samples[-1].at - samples[0].at) / 60) if samples else 0
        plots: list[Plot] = [
            plotted("Connections", [sample.connections for sample in samples], minutes),
            plotted("Tables", [sample.tables for sample in samples], minutes),
            plotted("Moves a minute", [sample.moves for sample in samples], minutes),
        ]
        page = server.lobby.notices.page(lambda game: True)
        seeks = [(notice.name, game_words(settings)) for notice in page.notices if (settings := notice.start.settings)]
        bots = [(game.title, server.house_bots.names(name)) for name, game in registry.games().items()]
        engines = [(title, [name for name in names if name not in OWN_BOTS]) for title, names in bots]
        return {
            "release": release(),
            "troubles": server.not_ready(),
            "draining": server.drain.on,
            "alone": server.node.alone,
            "running": server.drain.running(),
            "plots": plots,
            "minutes": minutes,
            "seeks": seeks,
            "more": page.more,
            "bots": server.house_bots.present,
            "engines": [(title, names) for title, names in engines if names],
            "processes": len(self._bots()),
        }

    async def tables(self, request: Request) -> Response:
        return self._page(request, "/tables", self._tables)

    def _tables(self) -> dict[str, Any]:
        every = every_table(self._server)
        running = sorted(every, reverse=True)
        lines = [self._table(number, every[number]) for number in running[:SHOWN]]
        resting = self._server.tables.recovery.statuses()
        return {
            "tables": lines,
            "count": len(running),
            "resting": sorted(resting.items()),
            "shown": SHOWN,
            "nodes": self._server.node.several,
        }

    def _table(self, number: int, table: Running) -> TableLine:
        state = table.state
        people = tuple(seat.name for seat in state.seats if seat.kind is not SeatKind.OPEN and seat.name)
        watching, private = table.subscribers.observers, state.house.private
        words, status = game_words(state.settings), state.status.value
        node = "" if number in self._server.tables else self._server.node.name_of(number)
        return TableLine(number, words, status, people, state.ply, watching, private, node)

    async def connections(self, request: Request) -> Response:
        return self._page(request, "/connections", self._connections)

    def _connections(self) -> dict[str, Any]:
        here = self._server.connections
        dialects = Counter(connection.dialect.name for connection in here)
        lines = [
            ConnectionLine(
                each.number,
                each.address,
                each.dialect.name,
                each.dialect.program,
                each.called,
                each.account,
                each.table.state.table if each.table is not None else None,
                round(lag_s * 1000) if (lag_s := each.lag_s()) else None,
            )
            for each in islice(here, SHOWN)
        ]
        lines.sort(key=lambda line: line.number, reverse=True)
        places = self._server.connection_limits.inside, self._server.config.limits.connections
        return {"lines": lines, "dialects": dialects.most_common(), "places": places, "shown": SHOWN}

    async def addresses(self, request: Request) -> Response:
        alone = self._server.node.several
        return self._page(request, "/addresses", lambda: {"lines": busiest(self._server), "alone": alone})

    async def nodes(self, request: Request) -> Response:
        found = await self._server.node.seen() if person_of(request).host else Seen([], None)
        return self._page(request, "/nodes", lambda: found._asdict() | self._nodes())

    def _nodes(self) -> dict[str, Any]:
        """The state of this server as a node."""
        node = self._server.node
        assert isinstance(node, ClusterNode)
        told = {"me": node.me, "age_s": node.membership.age_s, "bus": node.bus.connected}
        return told | {"guests": len(node.outposts), "branches": len(node.branches)}

    async def bans(self, request: Request) -> Response:
        current = await self._kept.sessions.do(self._server.bans.current, time.time())
        wanted = {"target": request.query_params.get("target", "")[:64], "fault": ""}
        return self._page(request, "/bans", lambda: {"bans": current, **wanted})

    async def reports(self, request: Request) -> Response:
        waiting = await self._kept.sessions.do(self._kept.reports.waiting) if person_of(request).host else []
        return self._page(request, "/reports", lambda: {"waiting": waiting})

    async def settings(self, request: Request) -> Response:
        config = self._server.config
        shown = [
            (name, [(key_of(entry), _shown(entry.name, getattr(section, entry.name)), entry.metadata["reason"])
                    for entry in fields(section)])
            for name, section in sections(config).items()
        ]  # fmt: skip
        invites = config.registration.accounts == "invitation"
        return self._page(request, "/settings", lambda: {"settings": shown, "invites": invites, "code": ""})

    async def log(self, request: Request) -> Response:
        found = await self._kept.sessions.do(self._kept.acts.newest, SHOWN) if person_of(request).host else []
        return self._page(request, "/log", lambda: {"acts": [(act, _told(act)) for act in found], "shown": SHOWN})


def parts_of(server: GameServer) -> Sequence[tuple[str, str]]:
    """The pages that this server has for its host."""
    return (*PARTS[:4], NODES, *PARTS[4:]) if server.node.several else PARTS


def sign_in(frame: Frame, request: Request, askers: Askers, kept: Kept, status: int, fault: str = "") -> Response:
    """The form for the admin token, or for the name and password of an account that may be the host."""
    ways = {"token": askers.has_host, "accounts": kept.sessions.has_hosts}
    return frame.page(request, "host_login.html", status, fault=fault, **ways, account=person_of(request).account)


def _told(act: Act) -> str:
    """The detail of an act in a line."""
    told = json.loads(act.detail).items()
    parts = (f"{key} {minute(value) if key.endswith('_at') else value}" for key, value in told if value != "")
    return ", ".join(parts)


def _shown(name: str, value: Any) -> str:
    """A setting as it is; of a secret only whether it is given."""
    if name in SECRETS:
        return "(given)" if value else ""
    if name == "database":
        return make_url(value).render_as_string(hide_password=True)
    if name.endswith("_s"):
        return written(value)
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
